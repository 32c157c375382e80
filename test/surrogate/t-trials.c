/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-trials.c - training and testing, watched by a solver that remembers what it was shown. */
#include "base/alloc.h"
#include "base/random.h"
#include "foretime/surrogate.h"
#include "surrogate/surrogate.h"
#include "tap.h"

#include <stdlib.h>

enum { M = 60, N = 7 };

/* What the solver below was shown last, and what was told of it. */
static struct watch {
	size_t m, k, q, fits;
	double x[M * N], y[M * N];
	size_t group[M];
	bool grouped;
	/* from what is told */
	const struct ft_trials *trials;
	size_t told, stop_at, wrong, kin;
	double off[N], error;
	uint64_t rows; /* a hash of which were foretold */
} watch;

static enum ft_status remember(const struct ft_surrogate_problem *problem,
			       const struct ft_surrogate_options *options, struct ft_arena *arena,
			       void **state, struct ft_err *err)
{
	double *middle = ft_arena_take(arena, problem->q, sizeof *middle);

	(void)options;
	if (!middle)
		return ft_nomem(err);
	for (size_t i = 0; i < problem->q; i++)
		middle[i] = problem->y[i];
	*state = middle;
	watch.m = problem->m;
	watch.k = problem->k;
	watch.q = problem->q;
	watch.grouped = problem->group;
	watch.fits++;
	memcpy(watch.x, problem->x, problem->m * problem->k * sizeof *watch.x);
	memcpy(watch.y, problem->y, problem->m * problem->q * sizeof *watch.y);
	if (problem->group)
		memcpy(watch.group, problem->group, problem->m * sizeof *watch.group);
	return FT_OK;
}

/* Each target is as on the first row that was trained on, within a factor of two. */
static enum ft_status repeat_first(const void *state, const double *x, size_t t, double confidence,
				   struct ft_estimate *out, struct ft_err *err)
{
	const double *middle = state;

	(void)x;
	(void)confidence;
	(void)err;
	for (size_t i = 0; i < t; i++)
		for (size_t j = 0; j < watch.q; j++)
			out[i * watch.q + j] = (struct ft_estimate){middle[j], middle[j] / 2, middle[j] * 2};
	return FT_OK;
}

static const struct ft_solver spy = {
	.name = "spy", .about = "remembers", .solve = remember, .predict = repeat_first};

static bool listen(void *context, const struct ft_trial *trial)
{
	const struct ft_trials *trials = watch.trials;

	(void)context;
	watch.wrong += trial->actual != trials->value[trial->row * trials->n + trial->target];
	for (size_t i = 0; i < watch.m; i++)
		watch.kin += watch.grouped ? watch.group[i] == trials->group[trial->row]
					   : watch.x[i * watch.k] == trials->value[trial->row * trials->n];
	watch.error += fabs(trial->predicted.value / trial->actual - 1);
	watch.rows = watch.rows * 31 + trial->row;
	return ++watch.told != watch.stop_at;
}

static void fill(double *value, size_t *group, struct ft_random *random)
{
	for (size_t i = 0; i < M; i++) {
		double pace = exp(ft_random_normal(random));

		for (size_t j = 0; j < N; j++)
			value[i * N + j] = pace * exp(0.1 * ft_random_normal(random));
		group[i] = 100 + ft_random_below(random, 20);
	}
}

static enum ft_status run(const struct ft_trials *trials, struct ft_trials_result *result)
{
	watch = (struct watch){.trials = trials};
	return ft_trials_run(trials, result, NULL);
}

/* Residuals of all targets together are those of each, which have as many. */
static void residuals(const struct ft_trials_result *result, size_t each)
{
	double mean = 0, squares = 0, n = (double)each;

	for (size_t j = 0; j < N; j++)
		mean += result->column[j].residual_mean / N;
	for (size_t j = 0; j < N; j++) {
		const struct ft_trial_score *column = &result->column[j];
		double by = column->residual_mean - mean;

		squares += (n - 1) * column->residual_sd * column->residual_sd + n * by * by;
	}
	ok(near(result->all.residual_mean, mean, 1e-12) &&
		   near(result->all.residual_sd, sqrt(squares / (n * N - 1)), 1e-12),
	   "... and so are the rows that were trained on: %g, %g", mean, result->all.residual_sd);
}

static void splits(void)
{
	struct ft_random random = {test_seed()};
	double value[M * N], first;
	size_t group[M], named[2] = {4, 2};
	struct ft_trials trials = {.value = value,
				   .m = M,
				   .n = N,
				   .k = 2,
				   .train = 25,
				   .repeats = 5,
				   .confidence = 0.9,
				   .solver = &spy,
				   .tell = listen};
	struct ft_trials_result result;
	uint64_t rows;

	fill(value, group, &random);
	ok(!run(&trials, &result) && result.all.fits == 5 * N && watch.fits == 5 * N && watch.m == 25 &&
		   watch.q == 1 && result.all.predictions == 5 * N * (M - 25) &&
		   watch.told == result.all.predictions,
	   "drawn: each program is a target, all rows not trained on are foretold");
	ok(!watch.wrong && !watch.kin, "... none that was trained on, and actual is what stands there");
	ok(result.all.coverage > 0 && result.all.coverage < 1, "... and they are judged");
	residuals(&result, 5 * 25);
	first = result.all.rae;
	rows = watch.rows;
	ft_trials_clear(&result);
	ok(!run(&trials, &result) && result.all.rae == first && watch.rows == rows,
	   "the same seed, the same");
	ft_trials_clear(&result);
	trials.seed = 1;
	ok(!run(&trials, &result) && watch.rows != rows, "another seed, other rows");
	ft_trials_clear(&result);
	trials.group = group;
	ok(!run(&trials, &result) && watch.grouped && !watch.kin && !watch.wrong && watch.m == 25,
	   "with groups no kin is on both sides");
	ok(result.all.predictions > 0 && result.all.predictions < 5 * N * (M - 25),
	   "... and the rest of a group that was cut is on neither");
	ft_trials_clear(&result);
	trials.test = 3;
	ok(!run(&trials, &result) && result.all.predictions == 5 * N * 3,
	   "three rows are foretold when asked");
	ft_trials_clear(&result);
	trials.way = FT_BASIS_NAMED;
	trials.named = named;
	ok(!run(&trials, &result) && watch.fits == 5 && watch.q == N - 2 && result.all.fits == 5 * (N - 2) &&
		   !result.column[4].fits && !result.column[2].fits && result.column[0].fits == 5,
	   "named: all other programs are targets of one fit");
	ft_trials_clear(&result);
	trials.way = FT_BASIS_CHOSEN;
	ok(!run(&trials, &result) && watch.fits == 5 && watch.q == N - 2 && result.all.fits == 5 * (N - 2),
	   "chosen: so are they");
	ft_trials_clear(&result);
	watch = (struct watch){.trials = &trials, .stop_at = 4};
	ok(ft_trials_run(&trials, &result, NULL) == FT_EINTR && watch.told == 4 && !result.column,
	   "who listens may end it");
}

/* Four rows, two of them trained on, both alike: what is foretold is 2, and all figures follow. */
static void by_hand(void)
{
	const double value[8] = {1, 2, 1, 2, 1, 1, 1, 4};
	const size_t group[4] = {7, 7, 8, 8}, named[1] = {0};
	struct ft_trials trials = {.value = value,
				   .m = 4,
				   .n = 2,
				   .group = group,
				   .way = FT_BASIS_NAMED,
				   .k = 1,
				   .named = named,
				   .train = 2,
				   .repeats = 1,
				   .confidence = 0.9,
				   .solver = &spy};
	struct ft_trials_result result;

	/* the seed that trains on the group 7 */
	do {
		trials.seed++;
		(void)run(&trials, &result);
		ft_trials_clear(&result);
	} while (watch.y[0] != 2);
	ok(!run(&trials, &result) && result.n == 2 && result.all.fits == 1 && result.all.predictions == 2,
	   "trains on 2, 2, foretells 2, 2 where 1, 4 are measured");
	ok(near(result.all.rae, 1, 1e-15), "RAE = (1 + 2) / (1.5 + 1.5)");
	ok(near(result.all.error_mean, 0.25, 1e-15) && near(result.all.error_sd, sqrt(1.125), 1e-15),
	   "errors of +100 %% and -50 %%");
	ok(near(result.all.median_error, 0.75, 1e-15) && near(result.all.p90_error, 0.95, 1e-15),
	   "the median of their sizes, and nine tenths of the way");
	ok(result.all.coverage == 1, "both at the ends of the interval, 1 to 4");
	ok(result.column[1].rae == result.all.rae && result.column[0].fits == 0, "one target, one score");
	ok(result.all.residual_mean == 0 && result.all.residual_sd == 0, "nothing is left of 2, 2");
	ft_trials_clear(&result);
	ft_trials_clear(&result);
	/* a seed that trains on the group 8, of which 1 or 4 is shown first */
	do {
		trials.seed++;
		(void)run(&trials, &result);
		if (watch.y[0] == 2)
			ft_trials_clear(&result);
	} while (watch.y[0] == 2);
	ok(near(result.all.residual_mean, watch.y[0] == 1 ? 0.375 : -1.5, 1e-15) &&
		   near(result.column[1].residual_sd, (watch.y[0] == 1 ? 0.75 : 3) / sqrt(2), 1e-15),
	   "residuals of 0 and (4 - 1) / 4, or 0 and (1 - 4) / 1");
	ft_trials_clear(&result);
}

/* Of a group that is larger than what is trained on, any rows: in a sorted table the first ones are all
 * alike. */
static void cuts(void)
{
	enum { LARGE = 40, TRAIN = 10, DRAWS = 2000 };
	size_t group[M], drawn[M] = {0}, i, j, cut = 0, kin = 0;
	const struct ft_trials trials = {.m = M, .group = group, .train = TRAIN};
	struct ft_random random = {test_seed()};
	struct ft__split split;
	FT_ARENA(arena);
	double sum = 0;

	for (i = 0; i < M; i++)
		group[i] = i < LARGE ? 0 : i;
	if (!ok(!ft__split_init(&split, &arena, group, M, NULL), "a large group, and many of one row"))
		return;
	for (j = 0; j < DRAWS; j++) {
		ft__split_draw(&split, &trials, &random);
		kin += split.n_train != TRAIN || split.train[0] == split.test[0];
		for (i = 0; i < split.n_train && split.train[i] < LARGE; i++) {
			drawn[split.train[i]]++;
			sum += (double)split.train[i];
			cut++;
		}
	}
	for (i = 0; i < LARGE && drawn[i];)
		i++;
	ok(!kin && i == LARGE, "each row of it is trained on now and then");
	ok(cut && near(sum / (double)cut, (LARGE - 1) / 2.0, 0.1),
	   "and the first ones no more often: row %g on average", sum / (double)cut);
}

static void missing(void)
{
	struct ft_random random = {test_seed()};
	double value[M * N];
	size_t group[M], named[2] = {0, 1}, i;
	struct ft_trials trials = {.value = value,
				   .m = M,
				   .n = N,
				   .way = FT_BASIS_NAMED,
				   .k = 2,
				   .named = named,
				   .train = 30,
				   .repeats = 10,
				   .gaps = FT_GAPS_DROP,
				   .confidence = 0.9,
				   .solver = &spy,
				   .tell = listen};
	struct ft_trials_result result;

	fill(value, group, &random);
	for (i = 0; i < M; i++) {
		value[i * N + 6] = NAN;
		if (i % 3)
			value[i * N + 5] = NAN;
	}
	value[1] = value[N] = NAN; /* rows 0 and 1 lack some of the basis */
	ok(!run(&trials, &result) && !watch.wrong, "rows that lack a value are left out");
	ok(result.column[5].predictions < 10 * 12 && result.column[5].predictions > 10 * 6 &&
		   result.column[4].predictions <= 10 * 30 && result.column[4].predictions >= 10 * 28,
	   "... of the fits that need it: %zu and %zu predictions", result.column[5].predictions,
	   result.column[4].predictions);
	ok(result.column[6].fits == 0 && result.skipped == 10,
	   "a program that was never measured is skipped");
	ok(isnan(result.column[6].rae) && isfinite(result.all.rae), "... and has no score");
	ft_trials_clear(&result);
	trials.way = FT_BASIS_DRAWN;
	trials.n = N;
	for (i = 0; i < M; i++)
		value[i * N + 6] = 3;
	ok(!run(&trials, &result) && result.column[6].fits == 10 && isnan(result.column[6].rae),
	   "a program that never varies has no RAE");
	ft_trials_clear(&result);
}

/* A machine with a gap in the basis serves all the same. */
static void gaps(void)
{
	struct ft_random random = {test_seed()};
	double value[M * N], whole[M * N];
	size_t group[M], named[4] = {0, 1, 2, 3}, i, j, unknown = 0, filled = 0, off = 0;
	struct ft_solver holey = spy;
	struct ft_trials trials = {.value = value,
				   .m = M,
				   .n = N,
				   .way = FT_BASIS_NAMED,
				   .k = 4,
				   .named = named,
				   .train = 30,
				   .repeats = 1,
				   .confidence = 0.9,
				   .solver = &spy,
				   .tell = listen};
	struct ft_trials_result result;

	fill(whole, group, &random);
	memcpy(value, whole, sizeof value);
	for (i = 0; i < M; i++)
		value[i * N + i % 4] = NAN;
	ok(!run(&trials, &result) && watch.m == 30 && !watch.wrong && result.all.predictions == 3 * 30,
	   "every row is trained on or foretold");
	for (i = 0; i < 30; i++) {
		/* a target's value tells which row it is */
		size_t row = 0;

		while (row < M && value[row * N + 4] != watch.y[i * watch.q])
			row++;
		for (j = 0; j < 4 && row < M; j++) {
			double is = watch.x[i * 4 + j];

			filled += isnan(value[row * N + j]) && fabs(log(is / whole[row * N + j])) < 0.5;
			off += !isnan(value[row * N + j]) && !near(is, value[row * N + j], 1e-12 * is);
		}
		unknown += row == M;
	}
	ok(!unknown && filled == 30 && !off, "... with what the others of a row say in place of its gap");
	ft_trials_clear(&result);
	holey.holes = true;
	trials.solver = &holey;
	trials.gaps = FT_GAPS_KEEP;
	ok(!run(&trials, &result) && watch.m == 30 &&
		   isnan(watch.x[0] + watch.x[1] + watch.x[2] + watch.x[3]),
	   "kept: a solver with holes is given them");
	ft_trials_clear(&result);
	trials.gaps = FT_GAPS_DROP;
	ok(!run(&trials, &result) && result.skipped == 3 && !result.all.fits && isnan(result.all.rae),
	   "dropped: none is whole");
	ft_trials_clear(&result);
	trials.gaps = FT_GAPS_FILL;
	trials.way = FT_BASIS_CHOSEN;
	for (i = 0; i < M; i++)
		value[i * N + 6] = NAN;
	ok(!run(&trials, &result) && result.all.predictions >= 2 * 15 && !watch.wrong &&
		   !result.column[6].fits,
	   "chosen: a program that was never measured is not");
	ft_trials_clear(&result);
	for (i = 0; i < M; i++)
		value[i * N] = NAN;
	trials.way = FT_BASIS_NAMED;
	ok(!run(&trials, &result) && result.skipped == 3 && !result.all.fits,
	   "a named one that was never measured leaves no fit");
	ft_trials_clear(&result);
	trials.way = FT_BASIS_CHOSEN;
	trials.k = 6;
	ok(run(&trials, &result) == FT_EINVAL, "nor can six of five be chosen");
}

static void refuses(void)
{
	struct ft_random random = {test_seed()};
	double value[M * N];
	size_t group[M], i;
	struct ft_trials trials = {.value = value,
				   .m = M,
				   .n = N,
				   .k = 2,
				   .train = M,
				   .repeats = 1,
				   .confidence = 0.9,
				   .solver = &spy};
	struct ft_trials_result result;
	struct ft_err err;

	fill(value, group, &random);
	ok(ft_trials_run(&trials, &result, &err) == FT_EINVAL && *err.remedy, "%s", err.text);
	trials.train = 20;
	trials.k = N;
	ok(ft_trials_run(&trials, &result, &err) == FT_EINVAL && *err.remedy, "%s", err.text);
	trials.k = 2;
	for (i = 0; i < M; i++)
		group[i] = 3;
	trials.group = group;
	ok(ft_trials_run(&trials, &result, &err) == FT_EINVAL && *err.remedy, "one group: %s", err.text);
	trials.group = NULL;
	value[8] = -1;
	ok(ft_trials_run(&trials, &result, &err) == FT_EINVAL && *err.remedy && !result.column, "%s",
	   err.text);
}

static void out_of_memory(void)
{
	struct ft_random random = {test_seed()};
	double value[M * N];
	size_t group[M], i;
	struct ft_trials trials = {.value = value,
				   .m = M,
				   .n = N,
				   .group = group,
				   .way = FT_BASIS_CHOSEN,
				   .k = 2,
				   .train = 10,
				   .repeats = 1,
				   .confidence = 0.9,
				   .solver = ft_solver_find("kernel")};
	struct ft_trials_result result;
	enum ft_status status;
	unsigned long n = 0;
	bool clean = true;

	fill(value, group, &random);
	for (i = 0; i < M; i++)
		value[i * N + i % N] = NAN;
	do {
		ft_alloc_fail_at(++n);
		status = ft_trials_run(&trials, &result, NULL);
		clean = clean && (!status || (status == FT_ENOMEM && !result.column));
	} while (status && n < 10000);
	ft_alloc_fail_at(0);
	ft_trials_clear(&result);
	ok(clean && !status && n > 30, "each of %lu allocations may fail", n - 1);
}

int main(void)
{
	splits();
	by_hand();
	cuts();
	missing();
	gaps();
	refuses();
	out_of_memory();
	return done();
}
