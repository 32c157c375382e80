/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tally.c - errors and residuals counted, and the score that they make. */
#include "surrogate/tally.h"
#include "num/stats.h"

#include <math.h>
#include <string.h>

enum ft_status ft__tally_error(struct ft__scored *tally, struct ft_arena *arena, double error,
			       struct ft_err *err)
{
	double *grown = ft_arena_grow(arena, tally->error, tally->n, &tally->capacity, sizeof *grown);

	if (!grown)
		return ft_nomem(err);
	tally->error = grown;
	tally->error[tally->n++] = error;
	return FT_OK;
}

void ft__tally_rest(struct ft__scored *tally, double residual)
{
	double by = residual - tally->left;

	tally->left += by / (double)++tally->residuals;
	tally->spread += by * (residual - tally->left);
}

/* error [n] is spoilt. */
static void score_errors(struct ft_trial_score *score, double *error, size_t n)
{
	score->predictions = n;
	score->error_mean = score->error_sd = score->median_error = score->p90_error = NAN;
	if (!n)
		return;
	score->error_mean = ft_stats_mean(error, n);
	score->error_sd = sqrt(ft_stats_variance(error, n));
	for (size_t i = 0; i < n; i++)
		error[i] = fabs(error[i]);
	score->median_error = ft_stats_median(error, n);
	score->p90_error = ft_stats_quantile(error, n, 0.9);
}

/* What is left of one target added to what is left of others (Chan, Golub & LeVeque 1979). */
static void add_rest(struct ft__scored *all, const struct ft__scored *one)
{
	size_t n = all->residuals + one->residuals;
	double by = one->left - all->left, share = n ? (double)one->residuals / (double)n : 0;

	all->spread += one->spread + by * by * (double)all->residuals * share;
	all->left += by * share;
	all->residuals = n;
}

static void score_rest(struct ft_trial_score *score, const struct ft__scored *tally)
{
	score->residual_mean = tally->residuals ? tally->left : NAN;
	score->residual_sd =
		tally->residuals > 1 ? sqrt(tally->spread / (double)(tally->residuals - 1)) : NAN;
}

/* Of one target; adds it to what all have. */
static void score_target(struct ft_trial_score *column, struct ft__scored *tally, struct ft__scored *all)
{
	score_errors(column, tally->error, tally->n);
	score_rest(column, tally);
	add_rest(all, tally);
	column->fits = tally->fits;
	column->rae = tally->varying ? tally->rae / (double)tally->varying : NAN;
	column->coverage = tally->fits ? tally->coverage / (double)tally->fits : NAN;
	all->rae += tally->rae;
	all->coverage += tally->coverage;
	all->varying += tally->varying;
	all->fits += tally->fits;
}

enum ft_status ft__tally_score(struct ft__scored *tally, size_t n, struct ft_trials_result *out,
			       struct ft_err *err)
{
	struct ft__scored all = {0};
	size_t total = 0, at = 0;

	for (size_t j = 0; j < n; j++)
		total += tally[j].n;
	FT_OWN double *error = ft_malloc((total + 1) * sizeof *error);
	out->column = ft_calloc(n, sizeof *out->column);
	if (!error || !out->column)
		return ft_nomem(err);
	for (size_t j = 0; j < n; j++) {
		if (tally[j].n)
			memcpy(error + at, tally[j].error, tally[j].n * sizeof *error);
		at += tally[j].n;
		score_target(&out->column[j], &tally[j], &all);
	}
	score_errors(&out->all, error, total);
	score_rest(&out->all, &all);
	out->all.fits = all.fits;
	out->all.rae = all.varying ? all.rae / (double)all.varying : NAN;
	out->all.coverage = all.fits ? all.coverage / (double)all.fits : NAN;
	out->n = n;
	return FT_OK;
}
