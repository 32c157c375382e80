/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-runs.c - runs: their samples, which of them bound sizes, in what they differ; loads. */
#include "base/alloc.h"
#include "base/random.h"
#include "foretime/facts.h"
#include "foretime/load.h"
#include "named.h"
#include "tap.h"

#include <string.h>

static struct ft_runs runs;

static struct ft_run *add(double n, double m, enum ft_outcome outcome)
{
	struct ft_run run;

	ft_run_init(&run);
	run.size = (struct ft_size){2, {n, m}};
	run.outcome = outcome;
	(void)ft_runs_take(&runs, &run, NULL);
	return &runs.run[runs.n - 1];
}

static void test_samples(void)
{
	struct ft_run run;
	char name[16];
	int bad = 0;

	ft_run_init(&run);
	ok(isnan(ft_run_value(&run, &ft_wall_s)) && isnan(ft_run_footprint(&run)),
	   "nothing is known at first");
	(void)ft_run_add(&run, &ft_peak_rss_bytes, 10, FT_MEASURED, "wait4", NULL, NULL);
	ok(ft_run_footprint(&run) == 10, "the memory of the largest process");
	(void)ft_run_add(&run, &ft_peak_tree_bytes, 30, FT_ESTIMATED, "proc", "sampled", NULL);
	ok(ft_run_footprint(&run) == 30 && !strcmp(run.sample[1].reason, "sampled") &&
		   !run.sample[0].reason && !strcmp(run.sample[1].probe, "proc") &&
		   run.sample[1].label == FT_ESTIMATED,
	   "of all processes, where it is known");
	for (int i = 0; i < 40; i++) {
		(void)snprintf(name, sizeof name, "counter%d", i);
		(void)ft_run_add(&run, named(name), i, FT_MEASURED, "perf", NULL, NULL);
	}
	for (int i = 0; i < 40; i++) {
		(void)snprintf(name, sizeof name, "counter%d", i);
		bad += ft_run_value(&run, named(name)) != i;
	}
	ok(!bad && run.n_samples == 42 && ft_run_value(&run, &ft_peak_rss_bytes) == 10,
	   "as many as one likes");
	ft_run_clear(&run);
	ok(!run.sample && !run.n_samples, "cleared");
	ft_run_clear(NULL);
}

/* ---- which bound sizes
 * ------------------------------------------------------------------------------------- */

static double killed(double m)
{
	return ft_runs_killed(&runs, 0, &(struct ft_size){2, {0, m}});
}

static double failing(double m)
{
	const struct ft_run *run = ft_runs_failing(&runs, 0, &(struct ft_size){2, {0, m}});

	return run ? run->size.value[0] : (double)NAN;
}

static void test_killed(void)
{
	add(10, 5, FT_DONE);
	ok(isnan(killed(5)) && isnan(failing(5)) && !ft_runs_killer(&runs, 0, &(struct ft_size){2, {0, 5}}),
	   "none");
	add(900, 5, FT_OUT_OF_MEMORY);
	add(400, 5, FT_OUT_OF_MEMORY);
	add(700, 5, FT_OUT_OF_MEMORY);
	add(300, 5, FT_FAILED);
	add(350, 5, FT_CRASHED);
	add(50, 5, FT_TIMED_OUT);
	add(60, 5, FT_INTERRUPTED);
	ok(killed(5) == 400, "the smallest that was killed for memory: %g", killed(5));
	ok(failing(5) == 300, "the smallest that failed in whatever way: %g", failing(5));
	ok(killed(6) == 400 && isnan(killed(4)),
	   "it counts where the other parameter is as large, not below");
	add(400, 4, FT_DONE);
	ok(killed(5) == 400 && failing(5) == 300, "one that ended well with less of another says nothing");
	add(400, 5, FT_DONE);
	ok(killed(5) == 700 && failing(5) == 700, "one that ended well as large refutes it: %g, %g",
	   killed(5), failing(5));
	add(1000, 7, FT_DONE);
	ok(isnan(killed(5)) && isnan(failing(5)), "also one that is larger in all");
	ft_runs_clear(&runs);
}

/* The same beside a loop over all, of runs at random. */
static void test_killed_random(void)
{
	struct ft_random random = {test_seed()};
	int i, bad = 0, some = 0, cases = test_cases(200);

	for (i = 0; i < cases; i++) {
		double least = INFINITY, m = (double)(1 + ft_random_below(&random, 4));

		for (size_t k = 0; k < 8; k++) {
			double n = (double)(1 + ft_random_below(&random, 9)),
			       with = (double)(1 + ft_random_below(&random, 4));

			add(n, with, ft_random_below(&random, 2) ? FT_DONE : FT_OUT_OF_MEMORY);
		}
		for (size_t k = 0; k < runs.n; k++) {
			const double *at = runs.run[k].size.value;
			bool counts = runs.run[k].outcome == FT_OUT_OF_MEMORY && at[1] <= m;

			for (size_t j = 0; j < runs.n; j++)
				counts = counts && !(runs.run[j].outcome == FT_DONE &&
						     runs.run[j].size.value[0] >= at[0] &&
						     runs.run[j].size.value[1] >= at[1]);
			least = counts ? fmin(least, at[0]) : least;
		}
		some += isfinite(least);
		bad += isfinite(least) ? killed(m) != least : !isnan(killed(m));
		ft_runs_clear(&runs);
	}
	ok(!bad && some > cases / 5, "as a look at all of them has it, %d cases, %d with an end", cases,
	   some);
}

static void test_axes(void)
{
	size_t axis[FT_PARAMS_MAX] = {9, 9};

	ok(ft_runs_axes(&runs, NULL, axis) == 0, "no runs");
	(void)ft_run_add(add(10, 5, FT_DONE), &ft_wall_s, 1, FT_MEASURED, "test", NULL, NULL);
	add(20, 6, FT_FAILED);
	add(20, 7, FT_DONE)->warmup = true;
	ok(ft_runs_axes(&runs, NULL, axis) == 0, "one that counts differs in nothing");
	(void)ft_run_add(add(10, 8, FT_DONE), &ft_wall_s, 1, FT_MEASURED, "test", NULL, NULL);
	ok(ft_runs_axes(&runs, NULL, axis) == 1 && axis[0] == 1, "in the second parameter");
	add(30, 8, FT_DONE);
	ok(ft_runs_axes(&runs, NULL, axis) == 2 && axis[0] == 0 && axis[1] == 1, "in both");
	ok(ft_runs_axes(&runs, &ft_wall_s, axis) == 1 && axis[0] == 1 &&
		   ft_runs_axes(&runs, &ft_cpu_s, axis) == 0,
	   "in those that have a resource");
	ft_runs_clear(&runs);
}

/* Each order of three runs comes about equally often, the same for the same seed; none is lost. */
static void test_shuffle(void)
{
	int seen[6] = {0}, i, bad = 0;

	for (i = 0; i < 600; i++) {
		int order = 0, again = 0;

		for (int round = 0; round < 2; round++) {
			add(1, 0, FT_DONE);
			add(2, 0, FT_DONE);
			add(4, 0, FT_DONE);
			ft_runs_shuffle(&runs, (uint64_t)i + 1);
			double a = runs.run[0].size.value[0];
			double b = runs.run[1].size.value[0];
			double c = runs.run[2].size.value[0];
			bad += a + b + c != 7;
			again = order;
			order = (a > b) + 2 * (b > c) + 4 * (a > c);
			ft_runs_clear(&runs);
		}
		bad += again != order;
		seen[order == 0   ? 0
		     : order == 1 ? 1
		     : order == 2 ? 2
		     : order == 5 ? 3
		     : order == 6 ? 4
				  : 5]++;
	}
	for (i = 0; i < 6; i++)
		bad += seen[i] < 60 || seen[i] > 140;
	ok(!bad, "shuffled: orders %d %d %d %d %d %d of 600", seen[0], seen[1], seen[2], seen[3], seen[4],
	   seen[5]);
}

static void test_loads(void)
{
	struct ft_load_history history = {0};
	struct ft_loads loads = {0};
	int bad = 0;

	for (int i = 0; i < 100; i++) {
		struct ft_load load = {.load = i};

		bad += ft_loads_add(&loads, &load, NULL) || ft_load_history_add(&history, 2 * i, NULL);
	}
	for (int i = 0; i < 100; i++)
		bad += loads.load[i].load != i || history.load[i] != 2 * i;
	ok(!bad && loads.n == 100 && history.n == 100, "loads, one behind the other");
	ft_loads_clear(&loads);
	ft_load_history_clear(&history);
	ok(!loads.load && !loads.n && !history.load && !history.n, "cleared");
	ft_loads_clear(NULL);
	ft_load_history_clear(NULL);
}

/* A copy has all of a run, and nothing of it is shared. */
static void test_copy(void)
{
	struct ft_run run, copy;
	struct ft_err err = {0};

	ft_run_init(&run);
	run.outcome = FT_FAILED;
	run.size = (struct ft_size){.n = 1, .value = {7}};
	run.routine = ft_strdup("routine");
	run.node = ft_strdup("node");
	run.user = ft_strdup("user");
	run.version = ft_strdup("1");
	run.detail = ft_strdup("detail");
	(void)ft_run_add(&run, &ft_wall_s, 3, FT_ESTIMATED, "probe", "reason", NULL);
	(void)ft_run_add(&run, &ft_cpu_s, 2, FT_MEASURED, "other", NULL, NULL);
	(void)ft_alloc_fail_at(0);
	ok(!ft_run_copy(&copy, &run, &err), "a run is copied");
	unsigned long n = ft_alloc_fail_at(0), failed = 0;
	ok(copy.outcome == FT_FAILED && copy.size.value[0] == 7 && !strcmp(copy.routine, "routine") &&
		   !strcmp(copy.node, "node") && !strcmp(copy.user, "user") && !strcmp(copy.version, "1") &&
		   !strcmp(copy.detail, "detail") && copy.routine != run.routine,
	   "all of it");
	ok(copy.n_samples == 2 && ft_run_value(&copy, &ft_wall_s) == 3 &&
		   copy.sample[0].label == FT_ESTIMATED && !strcmp(copy.sample[0].probe, "probe") &&
		   !strcmp(copy.sample[0].reason, "reason") &&
		   copy.sample[0].reason != run.sample[0].reason && !copy.sample[1].reason,
	   "with its samples");
	ft_run_clear(&copy);
	for (unsigned long i = 1; i <= n; i++) {
		(void)ft_alloc_fail_at(i);
		failed += ft_run_copy(&copy, &run, &err) == FT_ENOMEM && !copy.sample && !copy.node;
	}
	(void)ft_alloc_fail_at(0);
	ok(n >= 7 && failed == n, "out of memory at %lu places", n);
	ft_run_clear(&run);
}

int main(void)
{
	test_samples();
	test_copy();
	test_killed();
	test_killed_random();
	test_axes();
	test_shuffle();
	test_loads();
	return done();
}
