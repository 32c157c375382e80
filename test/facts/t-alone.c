/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-alone.c - what runs would have been without others. */
#include "named.h"
#include "scores.h"

#include "base/random.h"
#include "foretime/facts.h"

/* NaN: not known. others: seen before and after, on two processors. */
static struct ft_run run_of(double wall, double cpu, double delay, double others)
{
	struct ft_run run;

	ft_run_init(&run);
	run.outcome = FT_DONE;
	run.runnable_before = run.runnable_after = others;
	run.processors = 2;
	(void)ft_run_add(&run, &ft_wall_s, wall, FT_MEASURED, "test", NULL, NULL);
	if (!isnan(cpu))
		(void)ft_run_add(&run, &ft_cpu_s, cpu, FT_MEASURED, "test", NULL, NULL);
	if (!isnan(delay))
		(void)ft_run_add(&run, &ft_run_delay_s, delay, FT_MEASURED, "test", NULL, NULL);
	return run;
}

static void is_alone(double wall, double cpu, double delay, double others, double alone, const char *what)
{
	struct ft_run run = run_of(wall, cpu, delay, others);
	struct ft_alone a = ft_run_alone(&run);

	ok(fabs(a.wall_s - alone) < 1e-9, "%s: %g s of %g s", what, a.wall_s, wall);
	ft_run_clear(&run);
}

static void test_one_task(void)
{
	is_alone(10, 10, 0, 0, 10, "computes alone");
	is_alone(10, 2, 8, 8, 2, "computes, and waits for others");
	is_alone(10, 2, 8, NAN, 2, "... who were not seen");
	is_alone(10, 1, 3, 8, 7, "sleeps between");
	is_alone(10, NAN, NAN, 8, 10, "nothing is known but its wall time");
	is_alone(10, 10, NAN, NAN, 10, "nobody looked");
	is_alone(10, 5, 0, 8, 10, "a delay that was measured, and there was none");
	is_alone(9, 2, NAN, 8, 2, "nobody measured the delay: what the others explain");
	is_alone(10, 1, NAN, 8, 6.5, "... and no more than they do");
	is_alone(10, 9, NAN, 8, 9, "... never time on processors");
	is_alone(10, 2, NAN, 1, 10, "... one other on two processors explains nothing");
}

static void test_several_tasks(void)
{
	is_alone(10, 20, 60, 0, 10, "eight tasks wait for each other: nobody else is there");
	is_alone(10, 4, 16, 8, 2, "two tasks beside eight: both processors are theirs alone");
	is_alone(10, 10, 10, 1, 20. / 3, "two beside one: what the other explains");
	is_alone(10, 12, 18, 100, 6, "never below its processor time on all processors");
}

/* Whatever is told of a run, what it takes alone is within bounds, and less where it waited longer. */
static void test_bounds(void)
{
	struct ft_random r = {7};
	bool within = true, falls = true;

	for (int i = 0; i < 20000; i++) {
		double wall = exp(4 * ft_random_uniform(&r)), cpu = 3 * wall * ft_random_uniform(&r),
		       delay = 5 * wall * ft_random_uniform(&r), others = 10 * ft_random_uniform(&r);
		struct ft_run less = run_of(wall, cpu, delay, others),
			      more = run_of(wall, cpu, 1.1 * delay, others);
		struct ft_alone a = ft_run_alone(&less), b = ft_run_alone(&more);

		within &= a.wall_s > 0 && a.wall_s <= wall && a.wall_s >= fmin(wall, cpu / 2) * (1 - 1e-12) &&
			  a.busy_s >= 0 && a.busy_s <= a.wall_s && a.threads >= 1;
		falls &= cpu + 1.1 * delay > wall || b.wall_s <= a.wall_s;
		ft_run_clear(&less);
		ft_run_clear(&more);
	}
	ok(within, "within 0 and its wall time, never below its processor time on all processors");
	ok(falls, "of one task, the less the longer it waited");
}

/* Each of few values with each, zeros and what is not known among them: all that is told. */
static void test_told_all(void)
{
	static const double wall[] = {0, 1, 10}, cpu[] = {NAN, 0, 0.5, 10, 20, 21}, delay[] = {NAN, 0, 8, 60},
			    others[] = {NAN, 0, 1, 3, 8};
	struct test_told told = {0};
	size_t sizes = 3 * 6 * 4 * 5;

	for (size_t i = 0; i < sizes; i++) {
		struct ft_run run = run_of(wall[i % 3], cpu[i / 3 % 6], delay[i / 18 % 4], others[i / 72]);
		struct ft_alone a = ft_run_alone(&run);

		test_tell(&told, a.wall_s, 1);
		test_tell(&told, a.busy_s, 1);
		test_tell(&told, a.threads, 1);
		run.processors = 0;
		a = ft_run_alone(&run);
		test_tell(&told, a.wall_s, 1);
		ft_run_clear(&run);
	}
	test_told("runs with others", &told, 2194.210710);
}

static void test_all(void)
{
	struct ft_runs runs = {0};
	struct ft_run run = run_of(9, 3, 6, 4);
	double others = 0;

	ok(near(ft_runs_slow_down(&runs, &others), 1, 0) && isnan(others), "no runs: no slower");
	(void)ft_runs_take(&runs, &run, NULL);
	run = run_of(5, 5, 0, 2);
	(void)ft_runs_take(&runs, &run, NULL);
	run = run_of(1000, 1, 999, 9);
	run.outcome = FT_FAILED;
	(void)ft_runs_take(&runs, &run, NULL);
	ok(near(ft_runs_slow_down(&runs, &others), 14. / 8, 1e-12) && near(others, 3, 1e-12),
	   "those that ended well, together: %g", ft_runs_slow_down(&runs, NULL));
	ok(near(ft_run_idle_value(&runs.run[0], &ft_wall_s), 3, 1e-12) &&
		   ft_run_idle_value(&runs.run[0], &ft_cpu_s) == 3 &&
		   ft_run_value(&runs.run[0], &ft_wall_s) == 9,
	   "models are made of the one, tables keep the other");
	ok(near(ft_runs_wanted(&runs), 1.5, 1e-12), "others wanted %g of two processors",
	   ft_runs_wanted(&runs));
	runs.run[0].processors = runs.run[1].processors = 0;
	runs.run[2].processors = 4;
	ok(near(ft_runs_wanted(&runs), 0.75, 1e-12), "... of four: the first run that knows tells");
	runs.run[2].processors = 0;
	ok(ft_runs_wanted(&runs) == 0, "... of none that are known: nothing is told");
	ft_runs_clear(&runs);
}

/* The limits that runs met: of time what they took, of memory what they were given. */
static void test_limits(void)
{
	struct ft_run run;

	ft_run_init(&run);
	(void)ft_run_add(&run, &ft_wall_s, 605, FT_MEASURED, "test", NULL, NULL);
	(void)ft_run_add(&run, &ft_cpu_s, 590, FT_MEASURED, "test", NULL, NULL);
	(void)ft_run_add(&run, &ft_peak_tree_bytes, 3e9, FT_MEASURED, "test", NULL, NULL);
	run.asked_s = 600;
	run.asked_bytes = 4e9;
	ok(isnan(ft_run_limit(&run, &ft_wall_s)), "a run that ended met none");
	run.outcome = FT_TIMED_OUT;
	ok(ft_run_limit(&run, &ft_wall_s) > 590 && ft_run_limit(&run, &ft_wall_s) <= 605 &&
		   ft_run_limit(&run, &ft_cpu_s) == 590 && isnan(ft_run_limit(&run, &ft_peak_tree_bytes)) &&
		   isnan(ft_run_limit(&run, named("nothing"))),
	   "of time");
	run.outcome = FT_OUT_OF_MEMORY;
	ok(ft_run_limit(&run, &ft_peak_tree_bytes) == 4e9 && isnan(ft_run_limit(&run, &ft_peak_rss_bytes)) &&
		   isnan(ft_run_limit(&run, &ft_wall_s)),
	   "of memory: what it was given");
	run.asked_bytes = NAN;
	ok(ft_run_limit(&run, &ft_peak_tree_bytes) == 3e9, "else what was seen");
	run.n_samples = 0;
	ok(isnan(ft_run_limit(&run, &ft_peak_tree_bytes)), "nothing was seen");
	run.outcome = FT_TIMED_OUT;
	ok(ft_run_limit(&run, &ft_wall_s) == 600, "a time limit of which only what was asked is known");
	run.asked_s = 0;
	ok(isnan(ft_run_limit(&run, &ft_wall_s)), "a limit of 0 is none");
	ft_run_clear(&run);
}

int main(void)
{
	test_one_task();
	test_several_tasks();
	test_bounds();
	test_told_all();
	test_all();
	test_limits();
	return done();
}
