/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense.c - linear algebra; singular values: Householder's reflections make a tall matrix square, then
 * one-sided Jacobi. */
#include "base/alloc.h"
#include "base/random.h"
#include "num/num.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/*
 * Symmetric positive definite systems of up to some thousand unknowns, fast on one core.
 */

/* Rows subtracted from another one at once: it is loaded and stored once for all of them. */
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

static void subtract_row(double *restrict out, size_t n, const double *restrict row, double c)
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
				subtract_row(row + p, n - p, a + r * n + p, a[r * n + p]);
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
		subtract_row(b + i * t, triangle ? k + 1 : t, b + k * t, u[k * n + i]);
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
			subtract_row(b + i * t, t, b + k * t, u[i * n + k]);
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
		subtract_row(out + from, t - from, b + k * t + from, row[k]);
	scale_row(out + from, t - from, -1);
}

void ft_product_upper(const double *a, const double *b, size_t m, size_t n, double *out)
{
	for (size_t i = 0; i < m; i++)
		row_product(a + i * n, b, n, m, i, out + i * m);
}

/*
 * Products of matrices, a few rows at a time; transposes, and orthonormal vectors.
 */

/* Columns of a product computed at once: they stay in the cache. */
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

/*
 * Linear algebra; singular values: Householder's reflections make a tall matrix square, then one-sided
 * Jacobi.
 */

enum { SWEEPS = 60, TOGETHER = 4 };

/* Columns w_0 .. w_3, `stride` apart, each less v (v' w): four at once, so that v is read once. */
static inline void reflect_four(const double *restrict v, double *restrict w, size_t stride, size_t n)
{
	ft_lanes sum[TOGETHER] = {{0}, {0}, {0}, {0}};
	double along[TOGETHER];
	size_t i;

	for (i = 0; i + FT_LANES <= n; i += FT_LANES) {
		ft_lanes at, of;

		memcpy(&at, v + i, sizeof at);
		for (size_t k = 0; k < TOGETHER; k++) {
			memcpy(&of, w + k * stride + i, sizeof of);
			sum[k] += at * of;
		}
	}
	for (size_t k = 0; k < TOGETHER; k++)
		along[k] = (sum[k][0] + sum[k][1]) + (sum[k][2] + sum[k][3]);
	for (; i < n; i++)
		for (size_t k = 0; k < TOGETHER; k++)
			along[k] += v[i] * w[k * stride + i];
	for (size_t k = 0; k < TOGETHER; k++)
		ft_axpy(w + k * stride, -along[k], v, n);
}

/* Each of some columns less v (v' w). */
static inline void reflect_all(const double *v, double *w, size_t columns, size_t stride, size_t n)
{
	size_t k;

	for (k = 0; k + TOGETHER <= columns; k += TOGETHER)
		reflect_four(v, w + k * stride, stride, n);
	for (; k < columns; k++)
		ft_axpy(w + k * stride, -ft_dot(v, w + k * stride, n), v, n);
}

/* Column j of q [n columns of length m, each contiguous] becomes the reflection that clears it below the
 * diagonal, and is applied to the columns behind it; r gets the diagonal. Each reflection is I - v v'. */
FT_WIDE static void reflect(double *q, size_t m, size_t n, double *diagonal)
{
	for (size_t j = 0; j < n; j++) {
		double *v = q + j * m + j, norm = sqrt(ft_dot(v, v, m - j)), scale;

		diagonal[j] = v[0] > 0 ? -norm : norm;
		if (norm == 0)
			continue;
		scale = 1 / sqrt(norm * (norm + fabs(v[0])));
		v[0] -= diagonal[j];
		for (size_t i = 0; i < m - j; i++)
			v[i] *= scale;
		reflect_all(v, v + m, n - j - 1, m, m - j);
	}
}

/* u [m x n] row-major = Q times the small u, whose columns [n] are contiguous; column [TOGETHER x m] is
 * working memory. */
FT_WIDE static void unreflect(const double *q, size_t m, size_t n, const double *small, double *column,
			      double *u)
{
	size_t width;

	for (size_t c = 0; c < n; c += width) {
		width = n - c < TOGETHER ? n - c : TOGETHER;
		for (size_t k = 0; k < width; k++) {
			memcpy(column + k * m, small + (c + k) * n, n * sizeof *column);
			memset(column + k * m + n, 0, (m - n) * sizeof *column);
		}
		for (size_t j = n; j-- > 0;)
			reflect_all(q + j * m + j, column + j, width, m, m - j);
		for (size_t i = 0; i < m; i++)
			for (size_t k = 0; k < width; k++)
				u[i * n + c + k] = column[k * m + i];
	}
}

/* ---- one-sided Jacobi -----------------------------------------------------------------------------------
 */

FT_WIDE static void rotate(double *restrict a, double *restrict b, double c, double s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double x = a[i], y = b[i];

		a[i] = c * x - s * y;
		b[i] = s * x + c * y;
	}
}

/* Columns i and j of g become orthogonal, v is turned with them. False: they were. */
static bool turn_columns(double *g, double *v, double *square, size_t n, size_t i, size_t j)
{
	double along = ft_dot(g + i * n, g + j * n, n), zeta, t, c;

	if (!(fabs(along) > DBL_EPSILON * sqrt(square[i]) * sqrt(square[j])))
		return false;
	zeta = (square[j] - square[i]) / (2 * along);
	t = copysign(1 / (fabs(zeta) + sqrt(1 + zeta * zeta)), zeta);
	c = 1 / sqrt(1 + t * t);
	rotate(g + i * n, g + j * n, c, c * t, n);
	rotate(v + i * n, v + j * n, c, c * t, n);
	square[i] -= t * along;
	square[j] += t * along;
	return true;
}

/* The next column in descending order becomes the k-th. */
static void put_in_order(double *g, double *v, double *s, size_t n, size_t k)
{
	size_t most = k;

	for (size_t i = k + 1; i < n; i++)
		most = s[i] > s[most] ? i : most;
	if (most == k)
		return;
	rotate(g + k * n, g + most * n, 0, -1, n); /* (a, b) becomes (b, -a) */
	rotate(v + k * n, v + most * n, 0, -1, n);
	double first = s[k];
	s[k] = s[most];
	s[most] = first;
}

/* g [n columns of length n] becomes u, columns of singular values that are zero are zero; v [n columns]. */
static void jacobi(double *g, double *v, double *s, size_t n)
{
	size_t i, turned = 1;

	memset(v, 0, n * n * sizeof *v);
	for (i = 0; i < n; i++)
		v[i * n + i] = 1;
	for (size_t sweep = 0; sweep < SWEEPS && turned; sweep++) {
		for (i = 0; i < n; i++)
			s[i] = ft_dot(g + i * n, g + i * n, n);
		for (turned = 0, i = 0; i + 1 < n; i++)
			for (size_t j = i + 1; j < n; j++)
				turned += turn_columns(g, v, s, n, i, j);
	}
	for (i = 0; i < n; i++)
		s[i] = sqrt(ft_dot(g + i * n, g + i * n, n));
	for (i = 0; i < n; i++) {
		put_in_order(g, v, s, n, i);
		/* zero up to rounding */
		if (i && (s[i - 1] == 0 || s[i] <= 10 * (double)n * DBL_EPSILON * s[i - 1]))
			s[i] = 0;
		for (size_t j = 0; j < n; j++)
			g[i * n + j] = s[i] > 0 ? g[i * n + j] / s[i] : 0;
	}
}

/* m >= n. at(i, j) = a[i * row + j * column]. */
static enum ft_status decompose_tall(const double *a, size_t row, size_t column, size_t m, size_t n,
				     double *u, double *s, double *v, struct ft_err *err)
{
	double *q = ft_malloc((m * n + 2 * n * n + n + TOGETHER * m) * sizeof *q), *g, *right, *d, *work;

	if (!q)
		return ft_nomem(err);
	g = q + m * n;
	right = g + n * n;
	d = right + n * n;
	work = d + n;
	for (size_t j = 0; j < n; j++)
		for (size_t i = 0; i < m; i++)
			q[j * m + i] = a[i * row + j * column];
	reflect(q, m, n, d);
	for (size_t j = 0; j < n; j++)
		for (size_t i = 0; i < n; i++)
			g[j * n + i] = i < j ? q[j * m + i] : i == j ? d[j] : 0;
	jacobi(g, right, s, n);
	unreflect(q, m, n, g, work, u);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			v[i * n + j] = right[j * n + i];
	ft_free(q);
	return FT_OK;
}

enum ft_status ft_svd(const double *a, size_t m, size_t n, double *u, double *s, double *v,
		      struct ft_err *err)
{
	assert(m >= 1 && n >= 1);
	return m >= n ? decompose_tall(a, n, 1, m, n, u, s, v, err)
		      : decompose_tall(a, 1, n, n, m, v, s, u, err);
}

/* Halko, Martinsson, Tropp: Finding structure with randomness, 2011, algorithms 4.4 and 5.1. */
static enum ft_status by_chance(const double *a, size_t m, size_t n, size_t r, uint64_t seed, double *u,
				double *s, double *v, struct ft_err *err)
{
	enum { MORE = 8, POWERS = 3 };
	size_t p = r + MORE;
	struct ft_random random = {seed};
	double *turned = ft_malloc((m * n + 2 * p * (m + n) + 2 * p * p + p) * sizeof *turned), *left, *right,
	       *small_u, *small_v, *values;

	if (!turned)
		return ft_nomem(err);
	left = turned + m * n;
	right = left + p * m;
	small_u = right + p * n;
	small_v = small_u + p * p;
	values = small_v + p * n;
	ft_transpose(a, m, n, turned);
	for (size_t i = 0; i < p * n; i++)
		right[i] = ft_random_normal(&random);
	for (size_t power = 0; power < POWERS; power++) {
		ft_multiply(right, turned, p, n, m, left);
		ft_orthonormal(left, p, m, 1e-12, NULL);
		ft_multiply(left, a, p, m, n, right);
		if (power + 1 < POWERS)
			ft_orthonormal(right, p, n, 1e-12, NULL);
	}
	enum ft_status status = ft_svd(right, p, n, small_u, values, small_v, err);
	memset(u, 0, m * r * sizeof *u);
	for (size_t l = 0; !status && l < r; l++) {
		s[l] = values[l];
		for (size_t i = 0; i < p; i++)
			for (size_t j = 0; j < m; j++)
				u[j * r + l] += small_u[i * p + l] * left[i * m + j];
		for (size_t j = 0; j < n; j++)
			v[j * r + l] = small_v[j * p + l];
	}
	ft_free(turned);
	return status;
}

enum ft_status ft_svd_first(const double *a, size_t m, size_t n, size_t r, uint64_t seed, double *u,
			    double *s, double *v, struct ft_err *err)
{
	size_t least = m < n ? m : n;

	assert(r >= 1 && r <= least);
	if (least > 3 * (r + 8))
		return by_chance(a, m, n, r, seed, u, s, v, err);
	double *whole = ft_malloc((m + n + 1) * least * sizeof *whole);
	if (!whole)
		return ft_nomem(err);
	enum ft_status status = ft_svd(a, m, n, whole, whole + m * least, whole + (m + 1) * least, err);
	for (size_t l = 0; !status && l < r; l++) {
		s[l] = whole[m * least + l];
		for (size_t i = 0; i < m; i++)
			u[i * r + l] = whole[i * least + l];
		for (size_t i = 0; i < n; i++)
			v[i * r + l] = whole[(m + 1) * least + i * least + l];
	}
	ft_free(whole);
	return status;
}
