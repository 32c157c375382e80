/* SPDX-License-Identifier: GPL-3.0-or-later */
/* logs.c - rows of the basis and targets as the solvers on logarithms see them. */
#include "surrogate/logs.h"
#include "num/cholesky.h"
#include "num/dense.h"
#include "num/stats.h"

#include <math.h>

/* Deviation of a logarithm that measurements have by themselves. */
static const double noise = 0.01;

/* One row's features, not yet centred; returns the logarithm of its geometric mean. */
static double read_features(const double *x, size_t k, double *feature)
{
	double mean = 0;

	for (size_t j = 0; j < k; j++) {
		feature[j] = log(x[j]);
		mean += feature[j] / (double)k;
	}
	for (size_t j = 0; j < k; j++)
		feature[j] -= mean;
	feature[k] = mean;
	return mean;
}

static void centre_features(struct ft__logs *logs, double *feature, size_t m)
{
	size_t d = logs->k + 1;

	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < d; j++)
			logs->centre[j] += feature[i * d + j] / (double)m;
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < d; j++) {
			double *f = &feature[i * d + j];

			*f -= logs->centre[j];
			logs->per_unit[j] += *f * *f / (double)m;
		}
	for (size_t j = 0; j < d; j++)
		logs->per_unit[j] = 1 / (sqrt(logs->per_unit[j]) + noise);
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < d; j++)
			feature[i * d + j] *= logs->per_unit[j];
}

enum ft_status ft__logs_init(struct ft__logs *logs, struct ft_arena *arena,
			     const struct ft_surrogate_problem *problem, double *feature, double *target,
			     struct ft_err *err)
{
	size_t m = problem->m, k = problem->k, q = problem->q;
	FT_OWN double *column = ft_calloc(m, sizeof *column);

	*logs = (struct ft__logs){.k = k,
				  .q = q,
				  .centre = ft_arena_take(arena, k + 1, sizeof *logs->centre),
				  .per_unit = ft_arena_take(arena, k + 1, sizeof *logs->per_unit),
				  .prior = ft_arena_take(arena, q, sizeof *logs->prior)};
	if (!column)
		return ft_nomem(err);
	FT_TRY(ft_arena_check(arena, err));
	for (size_t i = 0; i < m; i++) {
		double mean = read_features(problem->x + i * k, k, feature + i * (k + 1));

		for (size_t j = 0; j < q; j++)
			target[i * q + j] = log(problem->y[i * q + j]) - mean;
	}
	centre_features(logs, feature, m);
	for (size_t j = 0; j < q; j++) {
		for (size_t i = 0; i < m; i++)
			column[i] = target[i * q + j];
		logs->prior[j] = ft_stats_median(column, m);
		for (size_t i = 0; i < m; i++)
			target[i * q + j] -= logs->prior[j];
	}
	return FT_OK;
}

void ft__logs_features(const struct ft__logs *logs, const double *x, size_t t, double *feature, double *mean)
{
	size_t k = logs->k;

	for (size_t i = 0; i < t; i++) {
		double *row = feature + i * (k + 1);

		mean[i] = read_features(x + i * k, k, row);
		for (size_t j = 0; j <= k; j++)
			row[j] = (row[j] - logs->centre[j]) * logs->per_unit[j];
	}
}

struct ft_estimate ft__logs_estimate(const struct ft__logs *logs, size_t target, double mean, double value,
				     double half)
{
	double centre = exp(mean + logs->prior[target] + value);

	if (isnan(half))
		return (struct ft_estimate){centre, 0, INFINITY};
	return (struct ft_estimate){centre, centre * exp(-half), centre * exp(half)};
}

/* ---- distances ---------------------------------------------------------------------------------------- */

/* The middle one of what is above the diagonal. apart: room for all of it. */
static double median_distance(const double *square, size_t m, double *apart)
{
	size_t n = 0;

	if (m < 2)
		return 1;
	for (size_t i = 0; i < m; i++)
		for (size_t j = i + 1; j < m; j++)
			apart[n++] = square[i * m + j];
	double median = ft_stats_ranked(apart, n, n / 2);
	if (median > 0)
		return median;
	double mean = ft_stats_mean(apart, n);
	return mean > 0 ? mean : 1; /* more than half are twins */
}

enum ft_status ft__distances(const double *feature, size_t m, size_t d, double *square, double *median,
			     struct ft_err *err)
{
	FT_OWN double *turned = ft_malloc(m * d * sizeof *turned);
	FT_OWN double *norm = ft_malloc(m * sizeof *norm);
	FT_OWN double *apart = ft_malloc((m * (m - 1) / 2 + 1) * sizeof *apart);

	if (!turned || !norm || !apart)
		return ft_nomem(err);
	ft_transpose(feature, m, d, turned);
	ft_product_upper(feature, turned, m, d, square);
	for (size_t i = 0; i < m; i++)
		norm[i] = square[i * m + i];
	for (size_t i = 0; i < m; i++)
		for (size_t j = i; j < m; j++) {
			double s = norm[i] + norm[j] - 2 * square[i * m + j];

			/* rounding leaves a trace of what is the same */
			square[i * m + j] = s > 1e-13 * (norm[i] + norm[j]) ? s : 0;
		}
	*median = median_distance(square, m, apart);
	return FT_OK;
}
