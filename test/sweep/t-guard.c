/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-guard.c - the memory of runs in a sweep: what they need, what they were killed for, and what is too
 * large, beside a look at all runs. */
#include "base/alloc.h"
#include "base/random.h"
#include "sweep/sweep.h"
#include "tap.h"

#include <math.h>

enum { RUNS = 12 };

static struct ft_run run_of(struct ft_size size, enum ft_outcome outcome, double bytes)
{
	struct ft_run run;

	ft_run_init(&run);
	run.size = size;
	run.outcome = outcome;
	if (!isnan(bytes))
		(void)ft_run_add(&run, &ft_peak_tree_bytes, bytes, FT_SIMULATED, "made", NULL, NULL);
	return run;
}

static void add(struct ft_sweep *sweep, double x, enum ft_outcome outcome, double bytes)
{
	struct ft_run run = run_of((struct ft_size){1, {x}}, outcome, bytes);

	(void)ft__guard_add(sweep, &run, NULL);
	ft_run_clear(&run);
}

static struct ft_sweep make_sweep(size_t axes, const char *builder)
{
	return (struct ft_sweep){.n_axes = axes,
				 .axis = {0, 1},
				 .fixed = {.n = axes},
				 .good = -INFINITY,
				 .options.builder = ft_builder_type_find(builder)};
}

/* Runs in any order, of few sizes: some that ended well, of which one in five does not tell its memory, some
 * that were killed, some that failed. */
static void test_random(void)
{
	struct ft_random random = {test_seed()};
	int c, cases = test_cases(300), needs = 0, kills = 0, closed = 0, killed = 0;

	for (c = 0; c < cases; c++) {
		struct ft_sweep sweep = make_sweep(1, "adaptive");
		double most[RUNS], good = -INFINITY, first = NAN, x[RUNS];
		enum ft_outcome outcome[RUNS];
		size_t n = 0;

		for (size_t i = 0; i < RUNS; i++)
			most[i] = NAN;
		for (size_t i = 0; i < RUNS; i++) {
			double bytes = ft_random_below(&random, 5) ? 1e6 * ft_random_uniform(&random) : NAN;

			x[i] = (double)ft_random_below(&random, RUNS);
			outcome[i] = x[i] < 7 || !ft_random_below(&random, 4) ? FT_DONE
				     : ft_random_below(&random, 3)            ? FT_OUT_OF_MEMORY
									      : FT_FAILED;
			add(&sweep, x[i], outcome[i], bytes);
			if (outcome[i] != FT_DONE)
				continue;
			most[(size_t)x[i]] = fmax(most[(size_t)x[i]], bytes);
			good = fmax(good, x[i]);
		}
		for (size_t i = 0; i < RUNS; i++)
			if (outcome[i] == FT_OUT_OF_MEMORY && x[i] > good)
				first = fmin(first, x[i]);
		for (size_t i = 0; i < RUNS; i++)
			if (!isnan(most[i])) {
				needs += n >= sweep.n_needs || sweep.need[n].x != (double)i ||
					 sweep.need[n].bytes != most[i] ||
					 !near(ft__guard_need(&sweep, &(struct ft_size){1, {(double)i}}),
					       most[i], 1e-9);
				n++;
			}
		needs += sweep.n_needs != n;
		kills += isnan(first) ? !isnan(ft__guard_killed(&sweep)) : ft__guard_killed(&sweep) != first;
		killed += !isnan(first);
		for (size_t i = 0; i < RUNS; i++)
			closed += ft__guard_closes(&sweep, &(struct ft_size){1, {(double)i}}) !=
				  ((double)i >= first);
		ft__guard_end(&sweep);
	}
	ok(!needs, "the most of all runs of each size: %d are wrong", needs);
	ok(!kills && killed > cases / 4, "killed there and beyond none ended well: %d of %d are wrong", kills,
	   cases);
	ok(!closed, "nothing is run from there on: %d are wrong", closed);
}

static bool is_too_large(const char *builder, double given, double machine, double bytes)
{
	struct ft_sweep sweep = make_sweep(1, builder);

	add(&sweep, 10, FT_DONE, bytes);
	sweep.options.memory_bytes = given;
	sweep.memory_limit_bytes = machine;
	bool too_large = ft__guard_too_large(&sweep, &(struct ft_size){1, {10}});
	ok(ft__guard_closes(&sweep, &(struct ft_size){1, {10}}) == too_large, "what is too large is not run");
	ft__guard_end(&sweep);
	return too_large;
}

static void test_too_large(void)
{
	ok(!is_too_large("adaptive", 1e6, 0, 1e6) && is_too_large("adaptive", 1e6, 0, 1e6 + 1) &&
		   is_too_large("adaptive", 1e6, 1e9, 1e6 + 1),
	   "more than the limit that was given");
	ok(!is_too_large("adaptive", 0, 1e6, 4e6) && is_too_large("adaptive", 0, 1e6, 4e6 + 1),
	   "else four times what the machine has");
	ok(!is_too_large("adaptive", 0, 0, 1e12) && !is_too_large("adaptive", 1e6, 0, NAN),
	   "nothing where neither is known, or no need");
	ok(!is_too_large("naive", 1e6, 1e6, 1e12), "nothing of a builder that does not repeat");
}

/* ---- several parameters ----------------------------------------------------------------------------------
 */

static void test_beyond(void)
{
	struct ft_sweep_size place[] = {
		{.size = {2, {20, 30}}, .failed = 1, .failure = FT_OUT_OF_MEMORY},
		{.size = {2, {1, 1}}, .failed = 1, .failure = FT_FAILED},
		{.size = {2, {2, 2}}, .failure = FT_OUT_OF_MEMORY},
	};
	static const struct {
		double n, m;
		bool closes;
	} cases[] = {{20, 30, true},  {21, 30, true}, {20, 31, true},  {19, 99, false},
		     {99, 29, false}, {4, 100, true}, {3, 100, false}, {4, 99, false}};
	struct ft_sweep sweep = make_sweep(2, "adaptive");
	struct ft_run killed = run_of((struct ft_size){2, {4, 100}}, FT_OUT_OF_MEMORY, NAN),
		      crashed = run_of((struct ft_size){2, {1, 1}}, FT_CRASHED, NAN);
	int bad = 0;

	sweep.report.size = place;
	sweep.report.n_sizes = 3;
	(void)ft_runs_take(&sweep.known, &crashed, NULL);
	(void)ft_runs_take(&sweep.known, &killed, NULL);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		bad += ft__guard_closes(&sweep, &(struct ft_size){2, {cases[i].n, cases[i].m}}) !=
		       cases[i].closes;
	ok(!bad, "a size that is smaller in no parameter than one that was killed: %d wrong", bad);
	ft_runs_clear(&sweep.known);
	ft__guard_end(&sweep);
}

/* Of n m bytes, some of each size less. */
static void learn_product(struct ft_sweep *sweep)
{
	for (double n = 100; n <= 800; n *= 2)
		for (double m = 100; m <= 800; m *= 2)
			for (int k = 0; k < 3; k++) {
				struct ft_run run = run_of((struct ft_size){2, {n, m}}, FT_DONE,
							   n * m * (k == 1 ? 1 : 0.5));

				(void)ft_runs_take(&sweep->known, &run, NULL);
			}
}

static void test_several(void)
{
	const struct ft_size within = {2, {300, 300}}, small = {2, {200, 400}}, large = {2, {800, 800}};
	struct ft_sweep sweep = make_sweep(2, "naive");
	struct ft_run run = run_of((struct ft_size){2, {2000, 2000}}, FT_OUT_OF_MEMORY, 1e9);

	sweep.options.memory_bytes = 2e5;
	(void)ft_runs_take(&sweep.known, &run, NULL);
	learn_product(&sweep);
	(void)ft__guard_known(&sweep, NULL);
	ok(sweep.n_memory == 16 && near(ft__guard_need(&sweep, &small), 8e4, 0.02) &&
		   near(ft__guard_need(&sweep, &within), 9e4, 0.05),
	   "a law of the most that runs of each size needed: %g, %g", ft__guard_need(&sweep, &small),
	   ft__guard_need(&sweep, &within));
	ok(!ft__guard_closes(&sweep, &within) && ft__guard_closes(&sweep, &large),
	   "what needs more than was given is not run");
	ft__guard_end(&sweep);
	sweep.n_memory = sweep.memory_capacity = 0;
	sweep.options.memory_bytes = 0;
	(void)ft__guard_known(&sweep, NULL);
	ok(!sweep.n_memory && isnan(ft__guard_need(&sweep, &small)) && !ft__guard_too_large(&sweep, &large),
	   "where nothing was given nothing is known");
	ft_runs_clear(&sweep.known);
	ft__guard_end(&sweep);
}

/* A new run that needs what is foretold changes nothing; one that needs more does. */
static void test_predicted(void)
{
	const struct ft_size size = {2, {400, 300}};
	struct ft_sweep sweep = make_sweep(2, "naive");

	sweep.options.memory_bytes = 1e9;
	learn_product(&sweep);
	(void)ft__guard_known(&sweep, NULL);
	const struct ft_model *before = sweep.memory_model;
	struct ft_run as_said = run_of(size, FT_DONE, 1.01 * ft__guard_need(&sweep, &size));
	struct ft_run more = run_of((struct ft_size){2, {300, 400}}, FT_DONE, 3e5);
	(void)ft__guard_add(&sweep, &as_said, NULL);
	ok(sweep.n_memory == 17 && sweep.memory_model == before, "the law stands as long as it foretells");
	(void)ft__guard_add(&sweep, &more, NULL);
	ok(sweep.n_memory == 18 && ft__guard_need(&sweep, &more.size) > 1.5e5,
	   "and is found anew where it does not: %g", ft__guard_need(&sweep, &more.size));
	ft_run_clear(&as_said);
	ft_run_clear(&more);
	ft_runs_clear(&sweep.known);
	ft__guard_end(&sweep);
}

/* ---- runs of the store -----------------------------------------------------------------------------------
 */

/* Of two parameters one varies: runs at another value of the other one tell nothing. */
static void test_known(void)
{
	struct ft_sweep sweep = make_sweep(1, "adaptive");
	static const struct {
		double n, m, bytes;
	} runs[] = {{10, 7, 1e6}, {10, 8, 5e6}, {20, 7, 2e6}, {10, 7, 1.5e6}};

	sweep.varying = sweep.axis[0] = 0;
	sweep.fixed = (struct ft_size){2, {0, 7}};
	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
		struct ft_run run =
			run_of((struct ft_size){2, {runs[i].n, runs[i].m}}, FT_DONE, runs[i].bytes);

		(void)ft_runs_take(&sweep.known, &run, NULL);
	}
	(void)ft__guard_known(&sweep, NULL);
	ok(sweep.n_needs == 2 && sweep.need[0].bytes == 1.5e6 && sweep.need[1].bytes == 2e6,
	   "runs of the store, those at the value that is fixed");
	ft_runs_clear(&sweep.known);
	ft__guard_end(&sweep);
}

int main(void)
{
	test_random();
	test_too_large();
	test_beyond();
	test_several();
	test_predicted();
	test_known();
	return done();
}
