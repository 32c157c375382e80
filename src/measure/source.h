/* SPDX-License-Identifier: GPL-3.0-or-later */
/* source.h - what a kind of source must offer. A kind is a file: process.c, replay.c, oracle.c. */
#ifndef FT_MEASURE_SOURCE_H
#define FT_MEASURE_SOURCE_H

#include "foretime/measure.h"
#include "measure/frozen.h"

struct ft_source_ops {
	const char *name;
	bool live; /* as ft_source_is_live */
	/* As ft_source_run, which has checked the arguments. */
	enum ft_status (*run)(struct ft_source *source, const struct ft_size *size, size_t index,
			      double limit_s, struct ft_runs *runs, struct ft_err *err);
	void (*close)(struct ft_source *source); /* frees the source itself too */
};

/* The first member of every kind's own struct. */
struct ft_source {
	const struct ft_source_ops *ops;
	const volatile sig_atomic_t *interrupt; /* may be NULL */
	struct ft__frozen frozen;
	double *sizes; /* [n_sizes] ascending, heap; freed by ft_source_close */
	size_t n_sizes;
	size_t sizes_param;           /* whose values they are */
	double *other[FT_PARAMS_MAX]; /* [n_other] the same of other parameters; NULL: no such limit */
	size_t n_other[FT_PARAMS_MAX];
};

#endif
