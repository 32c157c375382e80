/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cholesky.c - A = L L^T of a symmetric n x n matrix, by LAPACK. */
#include "example.h"

#include <lapacke.h>

/* Symmetric; its diagonal outweighs the rest of each row, so that it is positive definite. */
static double *make_matrix(size_t n)
{
	double *a = example_numbers(n, n);

	for (size_t j = 0; j < n; j++) {
		for (size_t i = 0; i < j; i++)
			a[j + i * n] = a[i + j * n];
		a[j + j * n] = (double)n;
	}
	return a;
}

static int factorise(size_t n, double *a)
{
	return LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', (int)n, a, (int)n) == 0;
}

/* Whether L (L^T x) = A x for the vector of ones. L stands below and on the diagonal; A still stands above
 * it. */
static int is_factor(size_t n, const double *a)
{
	double *rest = example_numbers(n, 1);
	int good = 1;

	for (size_t i = 0; i < n; i++)
		rest[i] = -(double)n; /* the diagonal of A */
	for (size_t j = 0; j < n; j++) {
		double sum = 0;

		for (size_t i = 0; i < j; i++) {
			rest[i] -= a[i + j * n];
			rest[j] -= a[i + j * n];
		}
		for (size_t i = j; i < n; i++)
			sum += a[i + j * n];
		for (size_t i = j; i < n; i++)
			rest[i] += a[i + j * n] * sum;
	}
	for (size_t i = 0; i < n; i++)
		good &= fabs(rest[i]) <= 1e-9 * (double)n;
	free(rest);
	return good;
}

int main(int argc, char **argv)
{
	size_t n = example_size(argc, argv), first = n < 128 ? n : 128;
	double *a = make_matrix(n), *small = make_matrix(first);
	struct ft_probe probe = FT_PROBE_INIT;
	int done = factorise(first, small); /* the first call starts threads and maps buffers */

	ft_probe_start(&probe);
	done &= factorise(n, a);
	ft_probe_stop(&probe);
	ft_probe_report("dpotrf", (double)n * (double)n * (double)n / 3, &probe);

	example_check(done && is_factor(n, a), "cholesky");
	free(small);
	free(a);
	return 0;
}
