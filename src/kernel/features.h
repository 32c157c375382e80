/* SPDX-License-Identifier: GPL-3.0-or-later */
/* features.h - groups that were carried out, and what is told of them. */
#ifndef FT_KERNEL_FEATURES_H
#define FT_KERNEL_FEATURES_H

#include "kernel/launch.h"
#include "kernel/warp.h"

struct ft__all {
	const struct ft_kernel_options *options;
	struct ft__run run;
	struct ft__trace trace;
	double *visits; /* [n_blocks] as they were before a group */
	double *each; /* [strata x n_blocks] of the group of each part that was carried out; NULL: not kept */
	double groups, local_bytes, error;
	size_t done;
};

/* ft__features_tell - out: cleared on failure by the caller. Returns FT_OK; FT_ENOMEM. */
enum ft_status ft__features_tell(struct ft_kernel_features *out, const struct ft__all *all,
				 struct ft_err *err);

#endif
