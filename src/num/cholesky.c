/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cholesky.c - symmetric positive definite systems of up to some thousand unknowns, fast on one core. */
#include "num/cholesky.h"
#include "num/vector.h"

#include <math.h>
#include <string.h>

/* So many rows are taken off another one at once: it is loaded and stored once for all of them. */
enum { ROWS = 8 };

/* out -= sum of c[r] row[r], r < ROWS; rows lie `stride` apart. */
FT_WIDE static void take_rows(double *restrict out, size_t n, const double *restrict row, size_t stride,
			      const double c[ROWS])
{
	const double *r1 = row + stride, *r2 = r1 + stride, *r3 = r2 + stride, *r4 = r3 + stride,
		     *r5 = r4 + stride, *r6 = r5 + stride, *r7 = r6 + stride;
	double c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3], c4 = c[4], c5 = c[5], c6 = c[6], c7 = c[7];

	for (size_t j = 0; j < n; j++)
		out[j] -= ((c0 * row[j] + c1 * r1[j]) + (c2 * r2[j] + c3 * r3[j])) +
			  ((c4 * r4[j] + c5 * r5[j]) + (c6 * r6[j] + c7 * r7[j]));
}

static void take_row(double *restrict out, size_t n, const double *restrict row, double c)
{
	for (size_t j = 0; j < n; j++)
		out[j] -= c * row[j];
}

static void scale_row(double *row, size_t n, double by)
{
	for (size_t j = 0; j < n; j++)
		row[j] *= by;
}

bool ft_chol_factor(double *a, size_t n)
{
	return ft_chol_factor_above(a, n, 0);
}

bool ft_chol_factor_above(double *a, size_t n, double least)
{
	size_t size;

	for (size_t k = 0; k < n; k += size) {
		size = n - k < ROWS ? n - k : ROWS;
		for (size_t p = k; p < k + size; p++) {
			double *row = a + p * n;

			for (size_t r = k; r < p; r++)
				take_row(row + p, n - p, a + r * n + p, a[r * n + p]);
			if (!(row[p] > least))
				return false;
			scale_row(row + p, n - p, 1 / sqrt(row[p]));
		}
		for (size_t i = k + size; i < n; i++) { /* only whole blocks have rows below them */
			double c[ROWS];

			for (size_t r = 0; r < ROWS; r++)
				c[r] = a[(k + r) * n + i];
			take_rows(a + i * n + i, n - i, a + k * n + i, n, c);
		}
	}
	return true;
}

/* Row i of b loses the rows above it, each times its element of column i of u. In a triangle they end at the
 * diagonal. */
static void eliminate_above(const double *u, size_t n, double *b, size_t t, size_t i, bool triangle)
{
	size_t k = 0;

	for (; k + ROWS <= i; k += ROWS) {
		double c[ROWS];

		for (size_t r = 0; r < ROWS; r++)
			c[r] = u[(k + r) * n + i];
		take_rows(b + i * t, triangle ? k + ROWS : t, b + k * t, t, c);
	}
	for (; k < i; k++)
		take_row(b + i * t, triangle ? k + 1 : t, b + k * t, u[k * n + i]);
}

void ft_chol_forward(const double *u, size_t n, double *b, size_t t)
{
	for (size_t i = 0; i < n; i++) {
		eliminate_above(u, n, b, t, i, false);
		scale_row(b + i * t, t, 1 / u[i * n + i]);
	}
}

void ft_chol_backward(const double *u, size_t n, double *b, size_t t)
{
	size_t k;

	for (size_t i = n; i-- > 0;) {
		for (k = i + 1; k + ROWS <= n; k += ROWS)
			take_rows(b + i * t, t, b + k * t, t, u + i * n + k);
		for (; k < n; k++)
			take_row(b + i * t, t, b + k * t, u[i * n + k]);
		scale_row(b + i * t, t, 1 / u[i * n + i]);
	}
}

void ft_chol_solve(const double *u, size_t n, double *b, size_t t)
{
	ft_chol_forward(u, n, b, t);
	ft_chol_backward(u, n, b, t);
}

void ft_chol_invert(const double *u, size_t n, double *w)
{
	memset(w, 0, n * n * sizeof *w);
	for (size_t i = 0; i < n; i++) {
		w[i * n + i] = 1;
		eliminate_above(u, n, w, n, i, true);
		scale_row(w + i * n, i + 1, 1 / u[i * n + i]);
	}
}

/* out = a row times B, from column `from` on. */
static void row_product(const double *row, const double *b, size_t n, size_t t, size_t from, double *out)
{
	size_t k;

	memset(out + from, 0, (t - from) * sizeof *out);
	for (k = 0; k + ROWS <= n; k += ROWS)
		take_rows(out + from, t - from, b + k * t + from, t, row + k);
	for (; k < n; k++)
		take_row(out + from, t - from, b + k * t + from, row[k]);
	scale_row(out + from, t - from, -1);
}

void ft_product_upper(const double *a, const double *b, size_t m, size_t n, double *out)
{
	for (size_t i = 0; i < m; i++)
		row_product(a + i * n, b, n, m, i, out + i * m);
}
