/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kept.h - what is told of how often promises were kept. */
#ifndef FT_TELL_KEPT_H
#define FT_TELL_KEPT_H

#include "foretime/kept.h"
#include "tell/model.h"

/* with->program names the parameters. */
struct ft_told_kept {
	const struct ft_resource *resource;
	struct ft_kept kept;
};
extern const struct ft_tell_record ft_tell_kept, ft_tell_kept_run; /* the latter: of struct ft_kept_run */

#endif
