/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sort.h - a program that puts n random numbers in order, but for how. */
#ifndef EXAMPLE_SORT_H
#define EXAMPLE_SORT_H

#include "example.h"

static inline double sort_sum(size_t n, const double *x)
{
	double total = 0;

	while (n--)
		total += x[n];
	return total;
}

static inline int sort_is_ascending(size_t n, const double *x)
{
	size_t i;

	for (i = 1; i < n; i++)
		if (x[i - 1] > x[i])
			return 0;
	return 1;
}

/* What main returns. */
static inline int sort_run(int argc, char **argv, void (*put_in_order)(size_t n, double *x))
{
	size_t n = example_size(argc, argv);
	double *x = example_numbers(n, 1), before = sort_sum(n, x);
	struct ft_probe probe = FT_PROBE_INIT;

	ft_probe_start(&probe);
	put_in_order(n, x);
	ft_probe_stop(&probe);
	ft_probe_report("sort", (double)n * log2((double)n), &probe);

	example_check(sort_is_ascending(n, x) && fabs(sort_sum(n, x) - before) <= 1e-9 * before, "sort");
	free(x);
	return 0;
}

#endif
