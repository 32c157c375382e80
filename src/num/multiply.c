/* SPDX-License-Identifier: GPL-3.0-or-later */
/* multiply.c - products of matrices, a few rows at a time; turned ones, and orthonormal vectors. */
#include "num/dense.h"
#include "num/vector.h"

#include <math.h>
#include <string.h>

/* So many columns of a product at once: they stay near the processor. */
enum { TILE = 512 };

/* out0..3 += rows of b times their coefficients c[4 x 4]. */
FT_WIDE static void add_block(double *restrict o0, double *restrict o1, double *restrict o2,
			      double *restrict o3, const double *restrict b, size_t stride,
			      const double *restrict c, size_t n)
{
	const double *b1 = b + stride, *b2 = b1 + stride, *b3 = b2 + stride;
	double c0[4], c1[4], c2[4], c3[4];

	memcpy(c0, c, sizeof c0);
	memcpy(c1, c + 4, sizeof c1);
	memcpy(c2, c + 8, sizeof c2);
	memcpy(c3, c + 12, sizeof c3);
	for (size_t j = 0; j < n; j++) {
		double x0 = b[j], x1 = b1[j], x2 = b2[j], x3 = b3[j];

		o0[j] += (c0[0] * x0 + c0[1] * x1) + (c0[2] * x2 + c0[3] * x3);
		o1[j] += (c1[0] * x0 + c1[1] * x1) + (c1[2] * x2 + c1[3] * x3);
		o2[j] += (c2[0] * x0 + c2[1] * x1) + (c2[2] * x2 + c2[3] * x3);
		o3[j] += (c3[0] * x0 + c3[1] * x1) + (c3[2] * x2 + c3[3] * x3);
	}
}

/* The same for one row of the product, c [4]. */
FT_WIDE static void add_rows(double *restrict out, const double *restrict b, size_t stride,
			     const double *restrict c, size_t n)
{
	const double *b1 = b + stride, *b2 = b1 + stride, *b3 = b2 + stride;
	double c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];

	for (size_t j = 0; j < n; j++)
		out[j] += (c0 * b[j] + c1 * b1[j]) + (c2 * b2[j] + c3 * b3[j]);
}

void ft_multiply(const double *a, const double *b, size_t r, size_t m, size_t n, double *out)
{
	double c[16];
	size_t l, i;

	memset(out, 0, r * n * sizeof *out);
	for (size_t tile = 0; tile < n; tile += TILE) {
		size_t width = n - tile < TILE ? n - tile : TILE;

		for (i = 0; i + 4 <= m; i += 4) {
			const double *rows = b + i * n + tile;

			for (l = 0; l + 4 <= r; l += 4) {
				for (size_t p = 0; p < 4; p++)
					for (size_t o = 0; o < 4; o++)
						c[p * 4 + o] = a[(l + p) * m + i + o];
				add_block(out + l * n + tile, out + (l + 1) * n + tile,
					  out + (l + 2) * n + tile, out + (l + 3) * n + tile, rows, n, c,
					  width);
			}
			for (; l < r; l++)
				add_rows(out + l * n + tile, rows, n, a + l * m + i, width);
		}
		for (; i < m; i++)
			for (l = 0; l < r; l++)
				ft_axpy(out + l * n + tile, a[l * m + i], b + i * n + tile, width);
	}
}

void ft_transpose(const double *a, size_t m, size_t n, double *out)
{
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++)
			out[j * m + i] = a[i * n + j];
}

void ft_orthonormal(double *q, size_t p, size_t length, double cut, bool *redundant)
{
	for (size_t i = 0; i < p; i++) {
		double *v = q + i * length, whole = sqrt(ft_dot(v, v, length)), left;

		for (size_t again = 0; again < 2; again++)
			for (size_t j = 0; j < i; j++)
				ft_axpy(v, -ft_dot(q + j * length, v, length), q + j * length, length);
		left = sqrt(ft_dot(v, v, length));
		for (size_t j = 0; j < length; j++)
			v[j] = left > cut * whole ? v[j] / left : 0;
		if (redundant)
			redundant[i] = !(left > cut * whole);
	}
}
