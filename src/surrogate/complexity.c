/* SPDX-License-Identifier: GPL-3.0-or-later */
/* complexity.c - experimental complexity: how much of each program of a basis a target is, as its size grows
 * (004 7.2), and where two programs together are more than their sum (7.4, 7.5). */
#include "foretime/surrogate.h"
#include "law/door.h"
#include "num/num.h"
#include "surrogate/surrogate.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/*
 * Choose the few programs that predict the rest best.
 */

/* Correlations are shrunk this far to their mean, and each logarithm has this variance of its own: few
 * rows say little about many pairs. */
static const double shrink = 0.05, own_variance = 1e-4;

/* ---- logarithms, the missing ones filled in ------------------------------------------------------------ */

struct logs {
	size_t m, n;
	double *z;      /* [m x n] NaN: missing */
	double *column; /* [n] scratch */
};

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

/* ---- choosing ------------------------------------------------------------------------------------------ */

/* The sum of the remaining deviations of all columns after column j is measured, too. */
static double left_by(const double *c, size_t n, size_t j)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += i == j ? 0 : sqrt(fmax(c[i * n + i] - c[i * n + j] * c[i * n + j] / c[j * n + j], 0));
	return sum;
}

static void choose_columns(double *c, size_t n, size_t k, size_t *chosen, double *left, double *known)
{
	for (size_t step = 0; step < k; step++) {
		double least = INFINITY;

		for (size_t j = 0; j < n; j++) {
			/* its own variance is never fully explained by other columns: 0 marks a chosen one */
			double sum = c[j * n + j] > 0 ? left_by(c, n, j) : INFINITY;

			if (sum < least) {
				least = sum;
				chosen[step] = j;
			}
		}
		assert(isfinite(least));
		/* Column j is measured: the remaining covariances of the rest. */
		size_t p = chosen[step];
		double variance = c[p * n + p];

		for (size_t i = 0; i < n; i++)
			known[i] = c[i * n + p];
		for (size_t i = 0; i < n; i++)
			for (size_t l = 0; l < n; l++)
				c[i * n + l] -= known[i] * known[l] / variance;
		for (size_t i = 0; i < n; i++)
			c[i * n + p] = c[p * n + i] = 0;
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
	whole = true;
	for (size_t i = 0; i < logs.m; i++)
		for (size_t j = 0; j < logs.n; j++) {
			double v = value[i * logs.n + j];

			if (!isnan(v) && !(v > 0 && isfinite(v)))
				return ft_fail(err, FT_EINVAL, "row %zu, column %zu: %g is not > 0", i + 1,
					       j + 1, v);
			logs.z[i * logs.n + j] = log(v);
			whole &= !isnan(v);
		}
	if (!whole) {
		/* Missing values are replaced by their expectation given the row; a row without any value
		 * is an average one. */
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
	choose_columns(c, n, k, chosen, left, logs.column);
	return FT_OK;
}

/*
 * Experimental complexity: how much of each program of a basis a target is, as its size grows
 * (004 7.2), and where two programs together are more than their sum (7.4, 7.5).
 */

/* Values below this share of the largest measured one count as this share. */
static const double faint = 0.01;

enum ft_status ft_complexity_fit(const double *n, const double *beta, size_t s, size_t k,
				 struct ft_law_sums *out, struct ft_err *err)
{
	memset(out, 0, k * sizeof *out);
	if (s < 2) {
		(void)ft_fail(err, FT_ENOMODEL, "%zu size%s: how a share grows needs two at least", s,
			      s == 1 ? "" : "s");
		return ft_remedy(err, "measure the program at more sizes");
	}
	for (size_t i = 0; i < s; i++)
		if (!(n[i] > 0) || !isfinite(n[i]))
			return ft_fail(err, FT_EINVAL, "a size of %g has no complexity", n[i]);
	FT_OWN struct ft_law_sample *share = ft_calloc(s, sizeof *share);
	if (!share)
		return ft_nomem(err);
	for (size_t j = 0; j < k; j++) {
		for (size_t i = 0; i < s; i++)
			share[i] = (struct ft_law_sample){n[i], beta[i * k + j]};
		FT_TRY(ft_law_sums_fit(&out[j], share, s, err));
	}
	return FT_OK;
}

double ft_complexity_misfit(const double *basis, const double *beta, const double *measured, size_t s,
			    size_t k)
{
	double sum = 0, most = 0;
	size_t n = 0;

	for (size_t i = 0; i < s; i++)
		most = fabs(measured[i]) > most ? fabs(measured[i]) : most;
	for (size_t i = 0; i < s; i++) {
		double predicted = 0;

		for (size_t j = 0; j < k; j++)
			predicted += basis[j] * beta[i * k + j];
		if (predicted == 0 && measured[i] != 0)
			continue;
		double off = most > 0 ? (measured[i] - predicted) / fmax(fabs(predicted), faint * most) : 0;
		if (!isfinite(off))
			continue;
		sum += off * off;
		n++;
	}
	return n ? sqrt(sum / (double)n) : (double)NAN;
}

enum ft_status ft_complexity_predict(const struct ft_law_sums *xi, const double *basis, size_t k,
				     double misfit, double n, double confidence, struct ft_estimate *out,
				     struct ft_err *err)
{
	double below = 0, above = 0;
	size_t j, s = k ? xi[0].sizes : 0;

	*out = (struct ft_estimate){0};
	for (j = 0; j < k; j++) {
		struct ft_law_prediction share;

		FT_TRY(ft_law_sums_predict(&xi[j], n, confidence, FT_LAW_MEAN, &share, err));
		out->value += basis[j] * share.value;
		double down = basis[j] * (share.value - share.lower);
		double up = basis[j] * (share.upper - share.value);
		below += down * down;
		above += up * up;
	}
	double off = isnan(misfit) || !s ? 0 : out->value * misfit * ft_student_t(confidence, (double)s);
	out->lower = out->value - hypot(sqrt(below), off);
	out->upper = out->value + hypot(sqrt(above), off);
	return FT_OK;
}

/* ---- shares in a matrix -------------------------------------------------------------------------------- */

void ft_shares_clear(struct ft_shares *shares)
{
	ft_free(shares->beta);
	ft_free(shares->curve);
	shares->beta = NULL;
	shares->curve = NULL;
}

/* The shares at each size, turned so that those of a size stand together. */
static enum ft_status solve_shares(struct ft_shares *s, const struct ft_solver *solver,
				   const struct ft_surrogate_options *options, struct ft_err *err)
{
	size_t q = s->program->sizes;
	FT_OWN double *beta = ft_calloc((s->k + 1) * q, sizeof *beta);
	FT_CLEANUP(ft__fit_end) struct ft_surrogate_fit *fit = NULL;
	FT_CLEANUP(ft_case_clear) struct ft_case made = {0};

	if (!beta)
		return ft_nomem(err);
	FT_TRY(ft_case_make(s->matrix, s->basis, s->k, s->program->column, q, NULL, 0, false, &made, err));
	FT_TRY(ft_surrogate_solve(solver, &made.problem, options, &fit, err));
	s->incomplete = made.incomplete;
	(void)ft_surrogate_beta(fit, beta, beta + s->k * q);
	for (size_t i = 0; i < q; i++)
		for (size_t j = 0; j < s->k; j++)
			s->beta[i * s->k + j] = beta[j * q + i];
	return FT_OK;
}

enum ft_status ft_shares_find(struct ft_shares *shares, const struct ft_solver *solver,
			      const struct ft_surrogate_options *options, struct ft_err *err)
{
	size_t sizes = shares->program->sizes;

	assert(solver->linear && shares->k);
	shares->beta = ft_calloc(sizes * shares->k, sizeof *shares->beta);
	shares->curve = ft_calloc(shares->k, sizeof *shares->curve);
	if (!shares->beta || !shares->curve)
		return ft_nomem(err);
	FT_TRY(solve_shares(shares, solver, options, err));
	return ft_complexity_fit(shares->program->n, shares->beta, sizes, shares->k, shares->curve, err);
}

enum ft_status ft_shares_predict(const struct ft_shares *shares, size_t row, const double *n, size_t count,
				 double confidence, struct ft_estimate *out, struct ft_err *err)
{
	const double *value = shares->matrix->value + row * shares->matrix->columns;
	size_t sizes = shares->program->sizes;
	FT_OWN double *basis = ft_calloc(shares->k, sizeof *basis);
	FT_OWN double *measured = ft_calloc(sizes, sizeof *measured);

	if (!basis || !measured)
		return ft_nomem(err);
	for (size_t i = 0; i < shares->k; i++)
		basis[i] = value[shares->basis[i]];
	for (size_t i = 0; i < sizes; i++)
		measured[i] = value[shares->program->column[i]];
	double misfit = ft_complexity_misfit(basis, shares->beta, measured, sizes, shares->k);
	for (size_t i = 0; i < count; i++) {
		FT_TRY(ft_complexity_predict(shares->curve, basis, shares->k, misfit, n[i], confidence,
					     &out[i], err));
		if (out[i].value < 0)
			out[i] = (struct ft_estimate){NAN, NAN, NAN};
		out[i].lower = fmax(out[i].lower, isnan(out[i].value) ? NAN : 0);
	}
	return FT_OK;
}
