/* SPDX-License-Identifier: GPL-3.0-or-later */
/* by_size.h - runs of one size, together. */
#ifndef FORETIME_BY_SIZE_H
#define FORETIME_BY_SIZE_H

#include "foretime/facts.h"

FT_BEGIN_DECLS

/* Runs of one size, in the order in which they stand. */
struct ft_size_runs {
	const struct ft_run **run; /* [n] n >= 1 */
	size_t n;
};

/* Runs by size, ascending. */
struct ft_by_size {
	struct ft_size_runs *at; /* [n] */
	size_t n;
	const struct ft_run **run; /* of all sizes, one after the other */
};

/* ft_runs_by_size - those runs that count (context is handed to `counts`), by size.
 *
 * out  ends with ft_by_size_clear; points to runs, which must stay where they are
 *
 * Returns FT_OK; FT_ENOMEM. Cost O(n log n).
 */
enum ft_status ft_runs_by_size(const struct ft_runs *runs,
			       bool (*counts)(const struct ft_run *run, const void *context),
			       const void *context, struct ft_by_size *out, struct ft_err *err);
void ft_by_size_clear(struct ft_by_size *by_size);

/* What a resource was at one size. */
struct ft_size_values {
	struct ft_size size;
	size_t n, failed;             /* values that are there; runs that did not end well */
	double median, least, most;   /* as on an idle machine (ft_run_idle_value); NaN: n = 0 */
	const struct ft_run *failure; /* the last of those that failed */
};

/* ft_runs_values - of each size, ascending; warm-ups are passed over.
 *
 * out  heap, ends with free; points to runs, as ft_runs_by_size
 *
 * Returns FT_OK; FT_ENOMEM: out NULL. Cost O(n log n).
 */
enum ft_status ft_runs_values(const struct ft_runs *runs, const struct ft_resource *resource,
			      struct ft_size_values **out, size_t *n, struct ft_err *err);

FT_END_DECLS
#endif
