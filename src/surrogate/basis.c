/* SPDX-License-Identifier: GPL-3.0-or-later */
/* basis.c - the few programs that tell most about all others. */
#include "foretime/surrogate.h"
#include "surrogate/gaps.h"

#include <assert.h>
#include <math.h>

/* Correlations are drawn this far to their mean, and each logarithm has this variance of its own: few rows
 * say little about many pairs. */
static const double shrink = 0.05, own_variance = 1e-4;

/* ---- logarithms, the missing ones filled in ------------------------------------------------------------ */

struct logs {
	size_t m, n;
	double *z;      /* [m x n] NaN: missing */
	double *column; /* [n] scratch */
};

static enum ft_status take_logs(struct logs *logs, const double *value, bool *whole, struct ft_err *err)
{
	*whole = true;
	for (size_t i = 0; i < logs->m; i++)
		for (size_t j = 0; j < logs->n; j++) {
			double v = value[i * logs->n + j];

			if (!isnan(v) && !(v > 0 && isfinite(v)))
				return ft_fail(err, FT_EINVAL, "row %zu, column %zu: %g is not > 0", i + 1,
					       j + 1, v);
			logs->z[i * logs->n + j] = log(v);
			*whole &= !isnan(v);
		}
	return FT_OK;
}

/* ---- covariances --------------------------------------------------------------------------------------- */

static void covariances(const struct logs *logs, double *c)
{
	size_t m = logs->m, n = logs->n;

	for (size_t j = 0; j < n; j++) {
		logs->column[j] = 0;
		for (size_t r = 0; r < m; r++)
			logs->column[j] += logs->z[r * n + j] / (double)m;
	}
	for (size_t r = 0; r < m; r++) {
		double *z = logs->z + r * n;

		for (size_t i = 0; i < n; i++)
			z[i] -= logs->column[i];
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				c[i * n + j] += z[i] * z[j] / (double)(m - 1);
	}
}

static void shrink_correlations(double *c, size_t n)
{
	double mean = 0, pairs = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++) {
			double scale = sqrt(c[i * n + i] * c[j * n + j]);

			mean += scale > 0 ? c[i * n + j] / scale : 0;
			pairs++;
		}
	mean = pairs > 0 ? mean / pairs : 0;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (i != j)
				c[i * n + j] = (1 - shrink) * c[i * n + j] +
					       shrink * mean * sqrt(c[i * n + i] * c[j * n + j]);
	for (size_t i = 0; i < n; i++)
		c[i * n + i] += own_variance;
}

/* ---- choosing ------------------------------------------------------------------------------------------ */

/* What the deviations of all columns add up to once column j is known besides. */
static double left_by(const double *c, size_t n, size_t j)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += i == j ? 0 : sqrt(fmax(c[i * n + i] - c[i * n + j] * c[i * n + j] / c[j * n + j], 0));
	return sum;
}

/* Column j is known: what is left of the covariances of the others. */
static void learn_column(double *c, size_t n, size_t j, double *known)
{
	double variance = c[j * n + j];

	for (size_t i = 0; i < n; i++)
		known[i] = c[i * n + j];
	for (size_t i = 0; i < n; i++)
		for (size_t l = 0; l < n; l++)
			c[i * n + l] -= known[i] * known[l] / variance;
	for (size_t i = 0; i < n; i++)
		c[i * n + j] = c[j * n + i] = 0;
}

static void choose_columns(double *c, size_t n, size_t k, size_t *chosen, double *left, double *known)
{
	for (size_t step = 0; step < k; step++) {
		double least = INFINITY;

		for (size_t j = 0; j < n; j++) {
			/* its own variance is never all explained by others: 0 says that it was chosen */
			double sum = c[j * n + j] > 0 ? left_by(c, n, j) : INFINITY;

			if (sum < least) {
				least = sum;
				chosen[step] = j;
			}
		}
		assert(isfinite(least));
		learn_column(c, n, chosen[step], known);
		if (left)
			left[step] = least / (double)n;
	}
}

enum ft_status ft_basis_choose(const double *value, size_t m, size_t n, size_t k, size_t *chosen,
			       double *left, struct ft_err *err)
{
	FT_ARENA(work);
	struct logs logs = {.m = m,
			    .n = n,
			    .z = ft_arena_take(&work, m * n, sizeof(double)),
			    .column = ft_arena_take(&work, n, sizeof(double))};
	double *c = ft_arena_take(&work, n * n, sizeof *c);
	bool whole;

	assert(k >= 1 && k <= n);
	FT_TRY(ft_arena_check(&work, err));
	if (m < 2)
		return ft_fail(err, FT_EINVAL, "one row does not show how programs differ");
	FT_TRY(take_logs(&logs, value, &whole, err));
	if (!whole) {
		/* What is missing is what its row leads one to expect; a row without any value is a usual
		 * one. */
		struct ft__gaps gaps;
		size_t empty;
		enum ft_status status = ft__gaps_learn(&gaps, &work, logs.z, m, n, &empty, err);

		if (empty < n)
			return ft_fail(err, FT_EINVAL, "column %zu has no value", empty + 1);
		FT_TRY(status);
		FT_TRY(ft__gaps_fill(&gaps, logs.z, m, err));
		for (size_t i = 0; i < m; i++)
			for (size_t j = 0; j < n; j++)
				if (isnan(logs.z[i * n + j]))
					logs.z[i * n + j] = gaps.mean[j];
	}
	covariances(&logs, c);
	shrink_correlations(c, n);
	choose_columns(c, n, k, chosen, left, logs.column);
	return FT_OK;
}
