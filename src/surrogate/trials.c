/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trials.c - trains on some rows, predicts the rest, and compares (004 chapter 11). */
#include "num/num.h"
#include "surrogate/surrogate.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Choose training rows, rows to predict, and the columns of the basis of a trial.
 */

static const double least_chance = 1e-3;

static size_t group_of(const size_t *group, size_t row)
{
	return group ? group[row] : row;
}

enum ft_status ft__split_init(struct ft__split *split, struct ft_arena *arena, const size_t *group, size_t m,
			      struct ft_err *err)
{
	size_t j;

	*split = (struct ft__split){.train = ft_arena_take(arena, m, sizeof(size_t)),
				    .test = ft_arena_take(arena, m, sizeof(size_t)),
				    .first = ft_arena_take(arena, m, sizeof(size_t)),
				    .order = ft_arena_take(arena, m, sizeof(size_t))};
	FT_TRY(ft_arena_check(arena, err));
	for (size_t i = 0; i < m; i++) {
		for (j = 0; group && j < split->n_groups; j++)
			if (group[split->first[j]] == group[i])
				break;
		if (!group || j == split->n_groups)
			split->first[split->n_groups++] = i;
	}
	return FT_OK;
}

static int ascending(const void *a, const void *b)
{
	const size_t *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

/* Adds the rows of a group to a list; in a table without groups a row is its own. */
static size_t add_group(const struct ft_trials *trials, size_t first, size_t *list, size_t n)
{
	size_t last = trials->group ? trials->m : first + 1;

	for (size_t i = first; i < last; i++)
		if (group_of(trials->group, i) == group_of(trials->group, first))
			list[n++] = i;
	return n;
}

/* Random rows of the last group: a table is often sorted, and its first rows are not representative. */
static void cut_last(struct ft__split *split, size_t before, size_t train, struct ft_random *random)
{
	if (split->n_train <= train)
		return;
	ft_random_shuffle(random, split->train + before, split->n_train - before, sizeof *split->train);
	split->n_train = train;
}

void ft__split_draw(struct ft__split *split, const struct ft_trials *trials, struct ft_random *random)
{
	size_t g, before = 0;

	memcpy(split->order, split->first, split->n_groups * sizeof *split->order);
	ft_random_shuffle(random, split->order, split->n_groups, sizeof *split->order);
	split->n_train = split->n_test = 0;
	for (g = 0; g < split->n_groups && split->n_train < trials->train; g++) {
		before = split->n_train;
		split->n_train = add_group(trials, split->order[g], split->train, split->n_train);
	}
	cut_last(split, before, trials->train, random);
	for (; g < split->n_groups; g++)
		split->n_test = add_group(trials, split->order[g], split->test, split->n_test);
	if (trials->test && split->n_test > trials->test) {
		ft_random_shuffle(random, split->test, split->n_test, sizeof *split->test);
		split->n_test = trials->test;
	}
	qsort(split->train, split->n_train, sizeof *split->train, ascending);
	qsort(split->test, split->n_test, sizeof *split->test, ascending);
}

/* Pearson's, on the rows where both are known. */
static double correlation(const struct ft_trials *trials, const struct ft__split *split, size_t a, size_t b)
{
	double n = 0, mean_a = 0, mean_b = 0, aa = 0, bb = 0, ab = 0;

	for (size_t i = 0; i < split->n_train; i++) {
		double x = trials->value[split->train[i] * trials->n + a];
		double y = trials->value[split->train[i] * trials->n + b], dx, dy;

		if (isnan(x) || isnan(y))
			continue;
		n++;
		dx = x - mean_a;
		dy = y - mean_b;
		mean_a += dx / n;
		mean_b += dy / n;
		aa += dx * (x - mean_a);
		bb += dy * (y - mean_b);
		ab += dx * (y - mean_b);
	}
	return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
}

/* basis_draw - k columns other than the target, one after the other in proportion to their correlation
 * with it on the training rows; what does not correlate keeps a small chance.
 * weight [n] scratch, basis [k] out */
static void basis_draw(const struct ft_trials *trials, const struct ft__split *split, size_t target,
		       struct ft_random *random, double *weight, size_t *basis)
{
	size_t n = trials->n;

	for (size_t j = 0; j < n; j++)
		weight[j] = j == target ? 0 : fmax(correlation(trials, split, j, target), least_chance);
	for (size_t drawn = 0; drawn < trials->k; drawn++) {
		double sum = 0;
		size_t last = n;

		for (size_t j = 0; j < n; j++)
			sum += weight[j];
		double at = ft_random_uniform(random) * sum;
		for (size_t j = 0; j < n && at >= 0; j++)
			if (weight[j] > 0) {
				last = j;
				at -= weight[j];
			}
		assert(last < n);
		basis[drawn] = last;
		weight[last] = 0;
	}
}

/*
 * Sum errors and residuals, and compute the score.
 */

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

static void score_rest(struct ft_trial_score *score, const struct ft__scored *tally)
{
	score->residual_mean = tally->residuals ? tally->left : NAN;
	score->residual_sd =
		tally->residuals > 1 ? sqrt(tally->spread / (double)(tally->residuals - 1)) : NAN;
}

/* Of one target; adds it to the total. */
static void score_target(struct ft_trial_score *column, struct ft__scored *tally, struct ft__scored *all)
{
	score_errors(column, tally->error, tally->n);
	score_rest(column, tally);
	/* Add the residuals of one target to those of all (Chan, Golub & LeVeque 1979). */
	size_t n = all->residuals + tally->residuals;
	double by = tally->left - all->left, share = n ? (double)tally->residuals / (double)n : 0;

	all->spread += tally->spread + by * by * (double)all->residuals * share;
	all->left += by * share;
	all->residuals = n;
	column->fits = tally->fits;
	column->rae = tally->varying ? tally->rae / (double)tally->varying : NAN;
	column->coverage = tally->fits ? tally->coverage / (double)tally->fits : NAN;
	all->rae += tally->rae;
	all->coverage += tally->coverage;
	all->varying += tally->varying;
	all->fits += tally->fits;
}

/* tally_score - of each of n targets, and of all: out->column, n, all. The errors are spoilt. FT_ENOMEM.
 */
static enum ft_status tally_score(struct ft__scored *tally, size_t n, struct ft_trials_result *out,
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

/*
 * Trains on some rows, predicts the rest, and compares (004 chapter 11).
 */

struct trials_run {
	const struct ft_trials *trials;
	struct ft_random random;
	struct ft__split split;
	struct ft__scored *tally; /* [n] */
	size_t *basis;            /* [k] */
	size_t *target, n_target; /* [n] of the fit at work */
	size_t *alone;            /* [n] targets that need a fit of their own */
	size_t *train, *test;     /* [m] the complete ones of the split's rows */
	size_t n_train, n_test;
	size_t *group;                 /* [m] */
	double *x, *y, *other, *score; /* [m x k], [m x n], [m x k], [n] */
	struct ft_estimate *predicted; /* [m x n] */
	size_t repeat, skipped;
	struct ft_arena *arena; /* of all this */
};

/* ---- one fit --------------------------------------------------------------------------------------------
 */

static double value_at(const struct trials_run *run, size_t row, size_t column)
{
	return run->trials->value[row * run->trials->n + column];
}

/* If the basis has gaps, some of its values are enough for a row, unless gaps are dropped. */
static bool has_basis(const struct trials_run *run, size_t row)
{
	size_t k = run->trials->k, known = 0;

	for (size_t j = 0; j < k; j++)
		known += isnan(value_at(run, row, run->basis[j])) ? 0 : 1;
	return run->trials->gaps == FT_GAPS_DROP ? known == k : known > 0;
}

/* Returns whether a value is missing. */
static bool take_basis(const struct trials_run *run, size_t row, double *x)
{
	bool gap = false;

	for (size_t j = 0; j < run->trials->k; j++) {
		x[j] = value_at(run, row, run->basis[j]);
		gap |= isnan(x[j]);
	}
	return gap;
}

/* The rows of the split with information, and their values. Returns whether one of the basis is missing. */
static bool gather_rows(struct trials_run *run)
{
	size_t k = run->trials->k, q = run->n_target;
	bool gaps = false;

	run->n_train = run->n_test = 0;
	for (size_t i = 0; i < run->split.n_train; i++) {
		size_t row = run->split.train[i];
		bool complete = has_basis(run, row);

		for (size_t j = 0; j < q && complete; j++) {
			run->y[run->n_train * q + j] = value_at(run, row, run->target[j]);
			complete = !isnan(run->y[run->n_train * q + j]);
		}
		if (!complete)
			continue;
		gaps |= take_basis(run, row, run->x + run->n_train * k);
		run->group[run->n_train++] = run->trials->group ? run->trials->group[row] : row;
	}
	for (size_t i = 0; i < run->split.n_test; i++)
		if (has_basis(run, run->split.test[i])) {
			gaps |= take_basis(run, run->split.test[i], run->other + run->n_test * k);
			run->test[run->n_test++] = run->split.test[i];
		}
	return gaps;
}

/* Logarithms with their gaps filled, exponentiated: x may come out a rounding away from what it was. */
static enum ft_status fill_rows(const struct ft__gaps *gaps, double *x, size_t rows, struct ft_err *err)
{
	FT_TRY(ft__gaps_fill(gaps, x, rows, err));
	for (size_t i = 0; i < rows * gaps->n; i++)
		x[i] = exp(x[i]);
	return FT_OK;
}

/* Fill gaps of the basis from the training rows. False, without error: one of the basis has no value on
 * any of them. */
static enum ft_status fill_gaps(struct trials_run *run, bool *filled, struct ft_err *err)
{
	size_t k = run->trials->k, empty;
	struct ft__gaps gaps;
	FT_ARENA(work);

	for (size_t i = 0; i < run->n_train * k; i++)
		run->x[i] = log(run->x[i]);
	for (size_t i = 0; i < run->n_test * k; i++)
		run->other[i] = log(run->other[i]);
	enum ft_status status = ft__gaps_learn(&gaps, &work, run->x, run->n_train, k, &empty, err);
	*filled = empty == k;
	if (!*filled)
		return FT_OK;
	FT_TRY(status);
	FT_TRY(fill_rows(&gaps, run->x, run->n_train, err));
	return fill_rows(&gaps, run->other, run->n_test, err);
}

/* One target's predictions: reported, and counted. */
static enum ft_status judge_target(struct trials_run *run, size_t which, struct ft_err *err)
{
	const struct ft_trials *trials = run->trials;
	struct ft__scored *tally = &run->tally[run->target[which]];
	double mean = 0, off = 0, vary = 0, inside = 0;
	size_t known = 0;

	for (size_t i = 0; i < run->n_test; i++) {
		double y = value_at(run, run->test[i], run->target[which]);

		mean += isnan(y) ? 0 : y;
		known += isnan(y) ? 0 : 1;
	}
	if (!known) {
		run->skipped++;
		return FT_OK;
	}
	mean /= (double)known;
	for (size_t i = 0; i < run->n_test; i++) {
		struct ft_trial trial = {run->repeat, run->target[which], run->test[i],
					 value_at(run, run->test[i], run->target[which]),
					 run->predicted[i * run->n_target + which]};
		double by = trial.predicted.value - trial.actual;

		if (isnan(trial.actual))
			continue;
		/* One prediction more, in the arena's memory. FT_ENOMEM. */
		double error = by / trial.actual;
		double *grown =
			ft_arena_grow(run->arena, tally->error, tally->n, &tally->capacity, sizeof *grown);

		if (!grown)
			return ft_nomem(err);
		tally->error = grown;
		tally->error[tally->n++] = error;
		off += fabs(by);
		vary += fabs(trial.actual - mean);
		inside += trial.predicted.lower <= trial.actual && trial.actual <= trial.predicted.upper;
		if (trials->tell && !trials->tell(trials->context, &trial))
			return ft_fail(err, FT_EINTR, "interrupted");
	}
	tally->fits++;
	tally->coverage += inside / (double)known;
	if (vary > 0) {
		tally->varying++;
		tally->rae += off / vary;
	}
	return FT_OK;
}

/* Fits the targets at work together, and judges each. */
static enum ft_status fit_targets(struct trials_run *run, struct ft_err *err)
{
	const struct ft_trials *trials = run->trials;
	FT_CLEANUP(ft__fit_end) struct ft_surrogate_fit *found = NULL;
	bool gaps = gather_rows(run), filled = run->n_train >= 2 && run->n_test;

	if (filled && gaps && trials->gaps == FT_GAPS_FILL)
		FT_TRY(fill_gaps(run, &filled, err));
	if (!filled) {
		run->skipped += run->n_target;
		return FT_OK;
	}
	const struct ft_surrogate_problem problem = {.m = run->n_train,
						     .k = trials->k,
						     .q = run->n_target,
						     .x = run->x,
						     .y = run->y,
						     .group = trials->group ? run->group : NULL};
	FT_TRY(ft_surrogate_solve(trials->solver, &problem, trials->options, &found, err));
	FT_TRY(ft_surrogate_predict(found, run->other, run->n_test, trials->confidence, run->predicted, err));
	for (size_t j = 0; j < run->n_target; j++)
		FT_TRY(judge_target(run, j, err));
	/* The residuals of the training rows: counted, not reported. */
	size_t q = run->n_target;

	FT_TRY(ft_surrogate_predict(found, run->x, run->n_train, run->trials->confidence, run->predicted,
				    err));
	for (size_t i = 0; i < run->n_train; i++)
		for (size_t j = 0; j < q; j++) {
			/* One row more that was learned from (Welford 1962). */
			struct ft__scored *tally = &run->tally[run->target[j]];
			double residual = 1 - run->predicted[i * q + j].value / run->y[i * q + j];
			double by = residual - tally->left;

			tally->left += by / (double)++tally->residuals;
			tally->spread += by * (residual - tally->left);
		}
	return FT_OK;
}

/* ---- one repetition -------------------------------------------------------------------------------------
 */

static bool in_basis(const struct trials_run *run, size_t column)
{
	for (size_t j = 0; j < run->trials->k; j++)
		if (run->basis[j] == column)
			return true;
	return false;
}

/* Is the column known wherever the basis is, among the training rows? */
static bool goes_with_basis(const struct trials_run *run, size_t column)
{
	for (size_t i = 0; i < run->split.n_train; i++)
		if (has_basis(run, run->split.train[i]) && isnan(value_at(run, run->split.train[i], column)))
			return false;
	return true;
}

/* The basis that the training rows suggest, of the columns that have values there. */
static enum ft_status choose_basis(struct trials_run *run, struct ft_err *err)
{
	size_t n = run->trials->n, known = 0, i;

	for (size_t j = 0; j < n; j++) {
		for (i = 0; i < run->split.n_train && isnan(value_at(run, run->split.train[i], j));)
			i++;
		if (i < run->split.n_train)
			run->target[known++] = j;
	}
	if (known < run->trials->k) {
		(void)ft_fail(err, FT_EINVAL,
			      "only %zu of %zu programs have a value on the %zu rows to train on", known, n,
			      run->split.n_train);
		return ft_remedy(err, "choose a smaller basis, or train on more rows");
	}
	for (i = 0; i < run->split.n_train; i++)
		for (size_t j = 0; j < known; j++)
			run->y[i * known + j] = value_at(run, run->split.train[i], run->target[j]);
	FT_TRY(ft_basis_choose(run->y, run->split.n_train, known, run->trials->k, run->basis, NULL, err));
	for (size_t j = 0; j < run->trials->k; j++)
		run->basis[j] = run->target[run->basis[j]];
	return FT_OK;
}

static enum ft_status repeat_trial(struct trials_run *run, struct ft_err *err)
{
	const struct ft_trials *trials = run->trials;

	ft__split_draw(&run->split, trials, &run->random);
	if (!run->split.n_test) {
		(void)ft_fail(err, FT_EINVAL, "%zu of %zu rows are trained on, and all others are their kin",
			      trials->train, trials->m);
		return ft_remedy(err, "train on fewer rows, or group them by another column");
	}
	if (trials->way == FT_BASIS_DRAWN) {
		/* Each target with a basis of its own. */
		run->n_target = 1;
		for (size_t j = 0; j < run->trials->n; j++) {
			basis_draw(run->trials, &run->split, j, &run->random, run->score, run->basis);
			run->target[0] = j;
			FT_TRY(fit_targets(run, err));
		}
		return FT_OK;
	}
	if (trials->way == FT_BASIS_CHOSEN)
		FT_TRY(choose_basis(run, err));
	else
		memcpy(run->basis, trials->named, trials->k * sizeof *run->basis);
	/* All targets with the same basis: in one fit, but for those that lack values of their own. */
	size_t n_alone = 0;

	run->n_target = 0;
	for (size_t j = 0; j < run->trials->n; j++)
		if (in_basis(run, j))
			continue;
		else if (goes_with_basis(run, j))
			run->target[run->n_target++] = j;
		else
			run->alone[n_alone++] = j;
	if (run->n_target)
		FT_TRY(fit_targets(run, err));
	run->n_target = 1;
	for (size_t j = 0; j < n_alone; j++) {
		run->target[0] = run->alone[j];
		FT_TRY(fit_targets(run, err));
	}
	return FT_OK;
}

enum ft_status ft_trials_run(const struct ft_trials *trials, struct ft_trials_result *out, struct ft_err *err)
{
	size_t m = trials->m, n = trials->n, k = trials->k;
	FT_CLEANUP(ft_trials_clear) struct ft_trials_result result = {0};
	FT_ARENA(arena);

	*out = (struct ft_trials_result){0};
	if (trials->m < 3 || trials->train < 2 || trials->train >= trials->m) {
		(void)ft_fail(err, FT_EINVAL, "cannot train on %zu of %zu rows", trials->train, trials->m);
		return ft_remedy(err, "train on two rows or more, and leave some to predict");
	}
	if (trials->k < 1 || trials->k >= trials->n) {
		(void)ft_fail(err, FT_EINVAL, "a basis of %zu leaves none of %zu programs to predict",
			      trials->k, trials->n);
		return ft_remedy(err, "choose a smaller basis, or more programs");
	}
	for (size_t i = 0; i < trials->m * trials->n; i++) {
		double v = trials->value[i];

		if (!isnan(v) && !(v > 0 && isfinite(v))) {
			(void)ft_fail(err, FT_EINVAL, "row %zu, column %zu: %g is not > 0", i / trials->n + 1,
				      i % trials->n + 1, v);
			return ft_remedy(err, "leave a cell empty if no value was measured");
		}
	}
	struct trials_run run = {.trials = trials,
				 .random = {trials->seed},
				 .tally = ft_arena_take(&arena, n, sizeof *run.tally),
				 .basis = ft_arena_take(&arena, k, sizeof *run.basis),
				 .target = ft_arena_take(&arena, n, sizeof *run.target),
				 .alone = ft_arena_take(&arena, n, sizeof *run.alone),
				 .train = ft_arena_take(&arena, m, sizeof *run.train),
				 .test = ft_arena_take(&arena, m, sizeof *run.test),
				 .group = ft_arena_take(&arena, m, sizeof *run.group),
				 .x = ft_arena_take(&arena, m * k, sizeof *run.x),
				 .y = ft_arena_take(&arena, m * n, sizeof *run.y),
				 .other = ft_arena_take(&arena, m * k, sizeof *run.other),
				 .score = ft_arena_take(&arena, n, sizeof *run.score),
				 .predicted = ft_arena_take(&arena, m * n, sizeof *run.predicted),
				 .arena = &arena};
	FT_TRY(ft__split_init(&run.split, &arena, trials->group, m, err));
	for (; run.repeat < trials->repeats; run.repeat++)
		FT_TRY(repeat_trial(&run, err));
	FT_TRY(tally_score(run.tally, n, &result, err));
	result.skipped = run.skipped;
	*out = result;
	result = (struct ft_trials_result){0};
	return FT_OK;
}

void ft_trials_clear(struct ft_trials_result *result)
{
	if (!result)
		return;
	ft_free(result->column);
	*result = (struct ft_trials_result){0};
}
