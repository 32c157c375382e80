/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dgemm_naive.c - the product of two dense n x n matrices, by the three loops of the textbook. */
#include "example.h"

static void multiply(size_t n, const double *a, const double *b, double *c)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < n; j++) {
			double sum = 0;

			for (size_t k = 0; k < n; k++)
				sum += a[i * n + k] * b[k * n + j];
			c[i * n + j] = sum;
		}
	}
}

int main(int argc, char **argv)
{
	size_t n = example_size(argc, argv);
	double *a = example_numbers(n, n), *b = example_numbers(n, n), *c = example_numbers(n, n);
	struct ft_probe probe = FT_PROBE_INIT;

	ft_probe_start(&probe);
	multiply(n, a, b, c);
	ft_probe_stop(&probe);
	ft_probe_report("dgemm_naive", 2.0 * (double)n * (double)n * (double)n, &probe);

	example_check(example_is_product(n, a, b, c), "dgemm_naive");
	free(a);
	free(b);
	free(c);
	return 0;
}
