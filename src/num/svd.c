/* SPDX-License-Identifier: GPL-3.0-or-later */
/* svd.c - singular values: Householder's reflections make a tall matrix square, one-sided Jacobi does the
 * rest. */
#include "num/svd.h"
#include "base/alloc.h"
#include "base/random.h"
#include "num/dense.h"
#include "num/vector.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

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

/* u [m x n] row-major = Q times the small u, whose columns [n] are contiguous; column [TOGETHER x m] is for
 * work. */
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
		/* what rounding left of nothing */
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
