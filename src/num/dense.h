/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense.h - sums of products and products of matrices, written so that the compiler keeps four of them at a
 * time: it may not reorder a sum by itself. */
#ifndef FT_NUM_DENSE_H
#define FT_NUM_DENSE_H

#include <stddef.h>

static inline double ft_dot(const double *restrict a, const double *restrict b, size_t n)
{
	double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
	size_t i;

	for (i = 0; i + 4 <= n; i += 4) {
		s0 += a[i] * b[i];
		s1 += a[i + 1] * b[i + 1];
		s2 += a[i + 2] * b[i + 2];
		s3 += a[i + 3] * b[i + 3];
	}
	for (; i < n; i++)
		s0 += a[i] * b[i];
	return (s0 + s1) + (s2 + s3);
}

/* y += c x */
static inline void ft_axpy(double *restrict y, double c, const double *restrict x, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		y[i] += c * x[i];
}

/* ft_multiply - out [r x n] = a [r x m] b [m x n]; out apart from both. */
void ft_multiply(const double *a, const double *b, size_t r, size_t m, size_t n, double *out);

#endif
