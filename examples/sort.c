/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sort.c - put n random numbers in order, by qsort. */
#include "example.h"

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double sum(size_t n, const double *x)
{
	double total = 0;

	while (n--)
		total += x[n];
	return total;
}

static int is_ascending(size_t n, const double *x)
{
	size_t i;

	for (i = 1; i < n; i++)
		if (x[i - 1] > x[i])
			return 0;
	return 1;
}

int main(int argc, char **argv)
{
	size_t n = example_size(argc, argv);
	double *x = example_numbers(n, 1), before = sum(n, x);
	struct ft_probe probe = FT_PROBE_INIT;

	ft_probe_start(&probe);
	qsort(x, n, sizeof *x, compare);
	ft_probe_stop(&probe);
	ft_probe_report("sort", (double)n * log2((double)n), &probe);

	example_check(is_ascending(n, x) && fabs(sum(n, x) - before) <= 1e-9 * before, "sort");
	free(x);
	return 0;
}
