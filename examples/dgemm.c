/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dgemm.c - the product of two dense n x n matrices, by BLAS. */
#include "example.h"

#include <cblas.h>

static void multiply(size_t n, const double *a, const double *b, double *c)
{
	int order = (int)n;

	cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, order, order, order, 1, a, order, b, order, 0,
		    c, order);
}

int main(int argc, char **argv)
{
	size_t n = example_size(argc, argv);
	double *a = example_numbers(n, n), *b = example_numbers(n, n), *c = example_numbers(n, n);
	struct ft_probe probe = FT_PROBE_INIT;

	multiply(n < 128 ? n : 128, a, b, c); /* the first call starts threads and maps buffers */
	ft_probe_start(&probe);
	multiply(n, a, b, c);
	ft_probe_stop(&probe);
	ft_probe_report("dgemm", 2.0 * (double)n * (double)n * (double)n, &probe);

	example_check(example_is_product(n, a, b, c), "dgemm");
	free(a);
	free(b);
	free(c);
	return 0;
}
