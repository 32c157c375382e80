/* SPDX-License-Identifier: GPL-3.0-or-later */
/* triad.c - a = b + s c over n numbers, as in McCalpin's STREAM: what the memory gives. */
#include "example.h"

/* A single pass over a few numbers is over before the clock notices. */
enum { PASSES = 100 };

static void triad(size_t n, double *restrict a, const double *restrict b, double s, const double *restrict c)
{
	for (size_t i = 0; i < n; i++)
		a[i] = b[i] + s * c[i];
}

static void fill(size_t n, double *x, double value)
{
	while (n--)
		x[n] = value;
}

int main(int argc, char **argv)
{
	size_t n = example_size(argc, argv), i;
	double *a = example_numbers(n, 1), *b = example_numbers(n, 1), *c = example_numbers(n, 1);
	struct ft_probe probe = FT_PROBE_INIT;
	int good = 1;

	fill(n, b, 1);
	fill(n, c, 0.5);
	ft_probe_start(&probe);
	for (int pass = 0; pass < PASSES; pass++) {
		double *newest = a;

		triad(n, a, b, 2, c); /* adds 1 to what the pass before left */
		a = b;
		b = newest;
	}
	ft_probe_stop(&probe);
	ft_probe_report("triad", 2.0 * PASSES * (double)n, &probe);

	for (i = 0; i < n; i++)
		good &= b[i] == 1 + PASSES;
	example_check(good, "triad");
	free(a);
	free(b);
	free(c);
	return 0;
}
