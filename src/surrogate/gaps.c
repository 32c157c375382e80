/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gaps.c - estimates missing values from the other values of their row. */
#include "foretime/surrogate.h"
#include "num/num.h"
#include "surrogate/surrogate.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { PACE_ROUNDS = 4, ROUNDS = 4 };

/* Variances of logarithms: of a row's pace, which may be anything, and of each value by itself. */
static const double of_pace = 1e4, own = 1e-4;

/* Correlations are drawn to none this far at least, and further where columns are many for the rows. */
static const double shrink_least = 0.05;

static double shrinkage(size_t m, size_t n)
{
	return fmax(shrink_least, (double)n / (double)(n + 4 * m));
}

/* ---- one row --------------------------------------------------------------------------------------------
 */

/* The gaps of a row, and what is needed to fill them. */
struct gaps_row {
	size_t *gap, gaps; /* [n] */
	double *block;     /* [n x n] */
	double *value;     /* [n] */
	double *half;      /* [n x n] */
};

static struct gaps_row make_row(struct ft_arena *arena, size_t n)
{
	return (struct gaps_row){.gap = ft_arena_take(arena, n, sizeof(size_t)),
				 .block = ft_arena_take(arena, n * n, sizeof(double)),
				 .value = ft_arena_take(arena, n, sizeof(double)),
				 .half = ft_arena_take(arena, n * n, sizeof(double))};
}

/* With P the inverse covariance, h the gaps and o the rest: z_h = mean_h - P_hh^-1 P_ho (z_o - mean_o), with
 * covariance P_hh^-1. Leaves the factor of P_hh. False: no gap, or nothing else. */
static bool fill_row(const struct ft__gaps *g, double *z, struct gaps_row *row)
{
	size_t j, at;

	for (row->gaps = j = 0; j < g->n; j++)
		if (isnan(z[j]))
			row->gap[row->gaps++] = j;
	if (!row->gaps || row->gaps == g->n)
		return false;
	for (size_t i = 0; i < row->gaps; i++) {
		const double *p = g->inverse + row->gap[i] * g->n;

		row->value[i] = 0;
		for (j = at = 0; j < g->n; j++)
			if (at < row->gaps && row->gap[at] == j)
				row->block[i * row->gaps + at++] = p[j];
			else
				row->value[i] -= p[j] * (z[j] - g->mean[j]);
	}
	if (!ft_chol_factor(row->block, row->gaps))
		return false;
	ft_chol_solve(row->block, row->gaps, row->value, 1);
	for (size_t i = 0; i < row->gaps; i++)
		z[row->gap[i]] = g->mean[row->gap[i]] + row->value[i];
	return true;
}

enum ft_status ft__gaps_fill(const struct ft__gaps *gaps, double *z, size_t t, struct ft_err *err)
{
	FT_ARENA(work);
	struct gaps_row row = make_row(&work, gaps->n);

	FT_TRY(ft_arena_check(&work, err));
	for (size_t i = 0; i < t; i++)
		(void)fill_row(gaps, z + i * gaps->n, &row);
	return FT_OK;
}

/* ---- learning -------------------------------------------------------------------------------------------
 */

/* Memory for learning. */
struct gaps_work {
	size_t m, n;
	const double *z;
	double *filled;     /* [m x n] */
	double *pace;       /* [m] */
	double *covariance; /* [n x n] of deviations from the pace */
	double *factor;     /* [n x n] */
	double *half;       /* [n x n] */
	double *turned;     /* [n x n] */
	struct gaps_row row;
};

/* The mean of z minus the other direction's effects, over one row or column; 0 if nothing is known. */
static double mean_effect(const double *z, size_t n, size_t stride, const double *other, bool *known)
{
	double sum = 0, count = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(z[i * stride])) {
			sum += z[i * stride] - other[i];
			count++;
		}
	*known = count > 0;
	return *known ? sum / count : 0;
}

/* Paces and means by turns. Returns the first empty column, or n. */
static size_t find_paces(struct ft__gaps *g, struct gaps_work *w)
{
	bool known;

	for (size_t round = 0; round < PACE_ROUNDS; round++) {
		for (size_t j = 0; j < w->n; j++) {
			g->mean[j] = mean_effect(w->z + j, w->m, w->n, w->pace, &known);
			if (!known)
				return j;
		}
		for (size_t i = 0; i < w->m; i++)
			w->pace[i] = mean_effect(w->z + i * w->n, w->n, 1, g->mean, &known);
	}
	return w->n;
}

/* P = (covariance + of_pace 1 1')^-1. */
static bool invert_covariance(struct ft__gaps *g, struct gaps_work *w)
{
	size_t n = w->n;

	for (size_t i = 0; i < n * n; i++)
		w->factor[i] = w->covariance[i] + of_pace;
	if (!ft_chol_factor(w->factor, n))
		return false;
	ft_chol_invert(w->factor, n, w->half);
	ft_transpose(w->half, n, n, w->turned);
	ft_multiply(w->turned, w->half, n, n, n, g->inverse);
	return true;
}

/* Means and covariance of the filled rows. */
static void estimate_normal(struct ft__gaps *g, struct gaps_work *w)
{
	double shrink = shrinkage(w->m, w->n), rows = 0, *c = w->covariance;
	size_t n = w->n;

	memset(g->mean, 0, n * sizeof *g->mean);
	for (size_t r = 0; r < w->m; r++)
		if (!isnan(w->filled[r * n])) {
			ft_axpy(g->mean, 1, w->filled + r * n, n);
			rows++;
		}
	for (size_t j = 0; j < n; j++)
		g->mean[j] /= rows;
	for (size_t r = 0; r < w->m; r++) {
		double *z = w->filled + r * n, pace = 0;

		if (isnan(z[0]))
			continue;
		for (size_t j = 0; j < n; j++)
			pace += (z[j] - g->mean[j]) / (double)n;
		for (size_t j = 0; j < n; j++)
			z[j] -= g->mean[j] + pace;
		for (size_t i = 0; i < n; i++)
			ft_axpy(c + i * n, z[i], z, n);
	}
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			c[i * n + j] *= (i == j ? 1 : 1 - shrink) / fmax(rows - 1, 1);
	for (size_t i = 0; i < n; i++)
		c[i * n + i] += own;
}

static enum ft_status learn_gaps(struct ft__gaps *g, struct gaps_work *w, struct ft_err *err)
{
	/* To begin with, columns deviate each by itself. */
	size_t n = w->n;

	for (size_t j = 0; j < n; j++) {
		double sum = 0, count = 0;

		for (size_t i = 0; i < w->m; i++) {
			double off = w->z[i * n + j] - w->pace[i] - g->mean[j];

			sum += isnan(off) ? 0 : off * off;
			count += isnan(off) ? 0 : 1;
		}
		w->covariance[j * n + j] = own + sum / fmax(count - 1, 1);
	}
	for (size_t round = 0;; round++) {
		if (!invert_covariance(g, w))
			return ft_fail(err, FT_EINVAL, "the rows are too far apart to be compared");
		if (round == ROUNDS)
			return FT_OK;
		/* Fills the gaps by the present estimate, and starts the covariance with the remaining uncertainty. */
		memcpy(w->filled, w->z, w->m * w->n * sizeof *w->filled);
		memset(w->covariance, 0, w->n * w->n * sizeof *w->covariance);
		for (size_t i = 0; i < w->m; i++)
			if (fill_row(g, w->filled + i * w->n, &w->row)) {
				/* The uncertainty of filled gaps is part of the covariance: adds P_hh^-1. */
				const struct gaps_row *row = &w->row;
				size_t k = row->gaps;

				ft_chol_invert(row->block, k, row->half);
				for (size_t r = 0; r < k; r++)
					for (size_t l = 0; l <= r; l++)
						for (size_t j = 0; j <= r; j++)
							w->covariance[row->gap[l] * w->n + row->gap[j]] +=
								row->half[r * k + l] * row->half[r * k + j];
			}
		estimate_normal(g, w);
	}
}

enum ft_status ft__gaps_learn(struct ft__gaps *gaps, struct ft_arena *arena, const double *z, size_t m,
			      size_t n, size_t *empty, struct ft_err *err)
{
	assert(m >= 1 && n >= 1);
	*gaps = (struct ft__gaps){0};
	*empty = n;
	FT_ARENA(work);
	struct gaps_work w = {.m = m,
			      .n = n,
			      .z = z,
			      .filled = ft_arena_take(&work, m * n, sizeof(double)),
			      .pace = ft_arena_take(&work, m, sizeof(double)),
			      .covariance = ft_arena_take(&work, n * n, sizeof(double)),
			      .factor = ft_arena_take(&work, n * n, sizeof(double)),
			      .half = ft_arena_take(&work, n * n, sizeof(double)),
			      .turned = ft_arena_take(&work, n * n, sizeof(double)),
			      .row = make_row(&work, n)};
	struct ft__gaps learned = {.n = n,
				   .mean = ft_arena_take(arena, n, sizeof(double)),
				   .inverse = ft_arena_take(arena, n * n, sizeof(double))};
	FT_TRY(ft_arena_check(&work, err));
	FT_TRY(ft_arena_check(arena, err));
	*empty = find_paces(&learned, &w);
	if (*empty < n)
		return FT_EINVAL;
	FT_TRY(learn_gaps(&learned, &w, err));
	*gaps = learned;
	return FT_OK;
}

/*
 * Replace missing values of a matrix by their expectation given their row.
 */

enum ft_status ft_matrix_impute(struct ft_matrix *matrix, const size_t *column, size_t k, size_t *filled,
				struct ft_err *err)
{
	size_t m = matrix->rows, empty;
	struct ft__gaps gaps;
	FT_ARENA(work);
	double *z = ft_arena_take(&work, m * k, sizeof *z);

	*filled = 0;
	FT_TRY(ft_arena_check(&work, err));
	for (size_t i = 0; i < matrix->rows; i++)
		for (size_t j = 0; j < k; j++) {
			double v = matrix->value[i * matrix->columns + column[j]];

			if (v <= 0) {
				(void)ft_fail(
					err, FT_EINVAL,
					"'%s' of '%s' is %g: missing values are filled by ratios, which "
					"need values above 0",
					matrix->row[i], matrix->column[column[j]], v);
				return ft_remedy(err, "leave rows with a missing value out: --missing drop");
			}
			z[i * k + j] = log(v);
		}
	enum ft_status status = ft__gaps_learn(&gaps, &work, z, m, k, &empty, err);
	if (empty < k)
		return ft_fail(err, FT_EINVAL, "'%s' has no value at all", matrix->column[column[empty]]);
	FT_TRY(status);
	FT_TRY(ft__gaps_fill(&gaps, z, m, err));
	/* Only what was missing is written. */
	size_t given = 0;

	for (size_t i = 0; i < matrix->rows; i++)
		for (size_t j = 0; j < k; j++) {
			double *value = &matrix->value[i * matrix->columns + column[j]];

			if (!isnan(*value) || isnan(z[i * k + j]))
				continue;
			*value = exp(z[i * k + j]);
			given++;
		}
	*filled = given;
	return FT_OK;
}
