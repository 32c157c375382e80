/* SPDX-License-Identifier: GPL-3.0-or-later */
/* diagnose.c - what a matrix of measurements can tell: rank, condition, norms, similarities (004 5.4). */
#include "num/dense.h"
#include "num/svd.h"
#include "surrogate/solver.h"

#include <math.h>
#include <string.h>

/* Cosines and norms of n vectors of a length each, contiguous (equations 5.14 to 5.18). */
static void compare_columns(const double *a, size_t n, size_t length, double *norm, double *cosine)
{
	for (size_t i = 0; i < n; i++)
		norm[i] = sqrt(ft_dot(a + i * length, a + i * length, length));
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j <= i; j++) {
			double product = norm[i] * norm[j],
			       c = product > 0 ? ft_dot(a + i * length, a + j * length, length) / product
					       : NAN;

			cosine[i * n + j] = cosine[j * n + i] = i == j && product > 0 ? 1 : c;
		}
}

/* Programs in two dimensions: principal components of the logarithms, each row and each column centred, so
 * that neither a fast machine nor a long program is far from the others for that alone. */
static enum ft_status find_places(const double *a, size_t m, size_t n, struct ft_diagnosis *d,
				  struct ft_err *err)
{
	size_t c = 0;
	double total = 0;
	FT_ARENA(work);
	size_t *column = ft_arena_take(&work, n, sizeof *column);

	FT_TRY(ft_arena_check(&work, err));
	for (size_t j = 0; j < n; j++) {
		bool positive = true;

		d->place[2 * j] = d->place[2 * j + 1] = NAN;
		for (size_t i = 0; i < m; i++)
			positive &= a[i * n + j] > 0;
		if (positive)
			column[c++] = j;
	}
	if (!c)
		return FT_OK;
	size_t r = m < c ? m : c;
	double *l = ft_arena_take(&work, m * c, sizeof *l), *u = ft_arena_take(&work, m * r, sizeof *u);
	double *s = ft_arena_take(&work, r, sizeof *s), *v = ft_arena_take(&work, c * r, sizeof *v);
	FT_TRY(ft_arena_check(&work, err));
	for (size_t j = 0; j < c; j++) {
		double mean = 0;

		for (size_t i = 0; i < m; i++)
			mean += (l[i * c + j] = log(a[i * n + column[j]])) / (double)m;
		for (size_t i = 0; i < m; i++)
			l[i * c + j] -= mean;
	}
	for (size_t i = 0; i < m; i++) {
		double mean = 0;

		for (size_t j = 0; j < c; j++)
			mean += l[i * c + j] / (double)c;
		for (size_t j = 0; j < c; j++)
			l[i * c + j] -= mean;
	}
	FT_TRY(ft_svd(l, m, c, u, s, v, err));
	for (size_t p = 0; p < r; p++)
		total += s[p] * s[p];
	for (size_t p = 0; p < 2; p++) {
		d->place_share[p] = p < r && total > 0 ? s[p] * s[p] / total : 0;
		for (size_t j = 0; j < c; j++)
			d->place[2 * column[j] + p] = p < r ? s[p] * v[j * r + p] : 0;
	}
	return FT_OK;
}

/* Each row weighs the same, each column has length 1: neither units nor speeds count. In place. */
static void scale_matrix(double *a, size_t m, size_t n)
{
	for (size_t i = 0; i < m; i++) {
		double size = ft__row_scale(a + i * n, n, false);

		for (size_t j = 0; j < n; j++)
			a[i * n + j] /= size;
	}
	for (size_t j = 0; j < n; j++) {
		double sum = 0;

		for (size_t i = 0; i < m; i++)
			sum += a[i * n + j] * a[i * n + j];
		for (size_t i = 0; sum > 0 && i < m; i++)
			a[i * n + j] /= sqrt(sum);
	}
}

static enum ft_status find_rank(const double *a, size_t m, size_t n, double cut, struct ft_diagnosis *d,
				struct ft_err *err)
{
	size_t r = m < n ? m : n;
	FT_OWN double *u = ft_calloc((m + n) * r, sizeof *u);

	if (!u)
		return ft_nomem(err);
	FT_TRY(ft_svd(a, m, n, u, d->singular, u + m * r, err));
	while (d->rank < r && d->singular[d->rank] > cut * d->singular[0])
		d->rank++;
	d->condition = d->rank == n ? d->singular[0] / d->singular[r - 1] : INFINITY;
	return FT_OK;
}

enum ft_status ft_basis_redundant(const struct ft_surrogate_problem *problem, double cut, bool *redundant,
				  struct ft_err *err)
{
	size_t m = problem->m, k = problem->k;
	FT_OWN double *a = ft_malloc(2 * m * k * sizeof *a);

	if (!a)
		return ft_nomem(err);
	memcpy(a, problem->x, m * k * sizeof *a);
	scale_matrix(a, m, k);
	ft_transpose(a, m, k, a + m * k);
	ft_orthonormal(a + m * k, k, m, cut > 0 ? cut : 1e-10, redundant);
	return FT_OK;
}

enum ft_status ft_matrix_diagnose(const struct ft_matrix *matrix, double cut, struct ft_diagnosis *out,
				  struct ft_err *err)
{
	size_t n = matrix->columns, m = 0;
	FT_CLEANUP(ft_diagnosis_clear) struct ft_diagnosis d = {.columns = n};
	FT_OWN double *a = ft_calloc(2 * matrix->rows * n, sizeof *a);

	*out = (struct ft_diagnosis){0};
	cut = cut > 0 ? cut : 1e-10;
	d.row = ft_calloc(matrix->rows, sizeof *d.row);
	if (!a || !d.row)
		return ft_nomem(err);
	for (size_t i = 0; i < matrix->rows; i++) {
		const double *row = matrix->value + i * n;
		bool complete = true;

		for (size_t j = 0; j < n; j++)
			complete &= !isnan(row[j]);
		if (!complete)
			continue;
		memcpy(a + m * n, row, n * sizeof *row);
		d.row[m++] = i;
	}
	if (!m)
		return ft_fail(err, FT_ENOMODEL, "no row has a value in every column");
	d.rows = m;
	d.singular = ft_calloc(m < n ? m : n, sizeof(double));
	d.row_norm = ft_calloc(m, sizeof(double));
	d.column_norm = ft_calloc(n, sizeof(double));
	d.row_cosine = ft_calloc(m * m, sizeof(double));
	d.column_cosine = ft_calloc(n * n, sizeof(double));
	d.redundant_row = ft_calloc(m, sizeof(bool));
	d.redundant_column = ft_calloc(n, sizeof(bool));
	d.place = ft_calloc(2 * n, sizeof(double));
	if (!d.singular || !d.row_norm || !d.column_norm || !d.row_cosine || !d.column_cosine ||
	    !d.redundant_row || !d.redundant_column || !d.place)
		return ft_nomem(err);
	double *turned = a + m * n;
	FT_TRY(find_places(a, m, n, &d, err));
	ft_transpose(a, m, n, turned);
	compare_columns(a, m, n, d.row_norm, d.row_cosine);
	compare_columns(turned, n, m, d.column_norm, d.column_cosine);
	scale_matrix(a, m, n);
	ft_transpose(a, m, n, turned);
	FT_TRY(find_rank(a, m, n, cut, &d, err));
	ft_orthonormal(a, m, n, cut, d.redundant_row);
	ft_orthonormal(turned, n, m, cut, d.redundant_column);
	*out = d;
	d = (struct ft_diagnosis){0};
	return FT_OK;
}

void ft_diagnosis_clear(struct ft_diagnosis *diagnosis)
{
	if (!diagnosis)
		return;
	ft_free(diagnosis->row);
	ft_free(diagnosis->singular);
	ft_free(diagnosis->row_norm);
	ft_free(diagnosis->column_norm);
	ft_free(diagnosis->row_cosine);
	ft_free(diagnosis->column_cosine);
	ft_free(diagnosis->redundant_row);
	ft_free(diagnosis->redundant_column);
	ft_free(diagnosis->place);
	*diagnosis = (struct ft_diagnosis){0};
}

struct ft_likeness ft_cosines_compare(const double *cosine, size_t n, double same)
{
	struct ft_likeness l = {0};

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++) {
			double c = cosine[i * n + j];

			if (isnan(c))
				continue;
			l.same += c >= same;
			if (l.most[0] == l.most[1] || c > cosine[l.most[0] * n + l.most[1]]) {
				l.most[0] = i;
				l.most[1] = j;
			}
			if (l.least[0] == l.least[1] || c < cosine[l.least[0] * n + l.least[1]]) {
				l.least[0] = i;
				l.least[1] = j;
			}
		}
	return l;
}

size_t ft_cosines_nearest(const double *cosine, size_t n, size_t j)
{
	size_t nearest = j;

	for (size_t i = 0; i < n; i++)
		if (i != j && !isnan(cosine[j * n + i]) &&
		    (nearest == j || cosine[j * n + i] > cosine[j * n + nearest]))
			nearest = i;
	return nearest;
}

/* Of `count` values, `stride` apart, less their mean; missing ones are left out. */
static void subtract_mean(double *value, size_t count, size_t stride)
{
	double sum = 0;
	size_t known = 0;

	for (size_t i = 0; i < count; i++)
		if (!isnan(value[i * stride])) {
			sum += value[i * stride];
			known++;
		}
	for (size_t i = 0; i < count; i++)
		value[i * stride] -= known ? sum / (double)known : 0;
}

void ft_matrix_doublings(const struct ft_matrix *matrix, double *value)
{
	size_t m = matrix->rows, n = matrix->columns;

	for (size_t i = 0; i < m * n; i++)
		value[i] = matrix->value[i] > 0 ? log2(matrix->value[i]) : NAN;
	for (size_t i = 0; i < m; i++)
		subtract_mean(value + i * n, n, 1);
	for (size_t i = 0; i < n; i++)
		subtract_mean(value + i, m, n);
}
