/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense.h - sums of products and products of matrices, written so that the compiler keeps four of them at a
 * time: it may not reorder a sum by itself. All matrices are row-major without gaps. */
#ifndef FT_NUM_DENSE_H
#define FT_NUM_DENSE_H

#include <stdbool.h>
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
	for (size_t i = 0; i < n; i++)
		y[i] += c * x[i];
}

/* ft_multiply - out [r x n] = a [r x m] b [m x n]; out apart from both. */
void ft_multiply(const double *a, const double *b, size_t r, size_t m, size_t n, double *out);

/* ft_transpose - out [n x m] = a' of a [m x n]; apart from it. */
void ft_transpose(const double *a, size_t m, size_t n, double *out);

/* ft_orthonormal - vectors become orthonormal, each against those before it; one that they tell becomes 0.
 *
 * q          [p x length] a row each
 * cut        a vector is told when no more than this share of its length is left
 * redundant  out [p] which ones are; may be NULL
 *
 * Source: Golub & Van Loan, 4th ed., sec. 5.2.8 (Gram-Schmidt, twice).
 */
void ft_orthonormal(double *q, size_t p, size_t length, double cut, bool *redundant);

#endif
