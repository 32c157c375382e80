/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-slow.c - slow-downs beside others, learned from runs. */
#include "facts/door.h"
#include "load-test.h"
#include "load/door.h"

/* A scheduler that gives groups of others twice their share, and short runs their turn at once: what a run
 * takes beside `others` that takes busy_s alone. */
static double slowed(double busy_s, double others, struct ft_random *random)
{
	double fair = ft_fair_slow_down(1, 2, others), late = 1 - exp(-busy_s / 0.05),
	       skew = exp(0.3 * fabs(ft_random_normal(random)));

	return busy_s * (1 + (2 * fair * skew - 1) * late * (others > 1));
}

static double draw_busy(struct ft_random *random)
{
	return 0.01 * exp(5 * ft_random_uniform(random));
}

/* n runs of 10 ms to 1.5 s beside so many others; each sleeps `blocked` seconds for a second of work. */
static struct ft_slow_downs learn(size_t n, double others, double blocked, struct ft_random *random)
{
	struct ft_runs runs = {0};
	struct ft_slow_downs out;
	struct ft_err err = {0};

	for (size_t i = 0; i < n; i++) {
		double busy_s = draw_busy(random), took_s = slowed(busy_s, others, random);
		struct ft_run run;

		ft_run_init(&run);
		run.runnable_before = run.runnable_after = others;
		run.processors = 2;
		(void)ft_run_add(&run, &ft_wall_s, took_s + blocked * busy_s, FT_MEASURED, "test", NULL,
				 NULL);
		(void)ft_run_add(&run, &ft_cpu_s, busy_s, FT_MEASURED, "test", NULL, NULL);
		(void)ft_run_add(&run, &ft_run_delay_s, took_s - busy_s, FT_MEASURED, "test", NULL, NULL);
		(void)ft_runs_take(&runs, &run, NULL);
	}
	ok(!ft_slow_downs_make(&out, &runs, &err) && (out.n == n || out.n == 200) && out.threads == 1,
	   "%zu runs beside %g others tell how they were slowed", n, others);
	ft_runs_clear(&runs);
	return out;
}

static struct ft_load_meeting meeting_of(double busy_s, double blocked_s, double others)
{
	double fair = ft_fair_slow_down(1, 2, others), value = busy_s + blocked_s;

	return (struct ft_load_meeting){value, 0.98 * value, 1.03 * value, 0.9, busy_s, {fair, fair}, {0, 0}};
}

/* Share of runs to come within what is said of them, and how far the typical one is off, in ln. */
static void judge(const struct ft_slow_downs *slow, double others, double blocked, struct ft_random *random,
		  double *held, double *off, double *wide)
{
	enum { SIZES = 50, RUNS = 40 };

	*held = *off = *wide = 0;
	for (int i = 0; i < SIZES; i++) {
		double busy_s = draw_busy(random), out[3], run[RUNS];
		struct ft_load_meeting m = meeting_of(busy_s, blocked * busy_s, others);

		ft_load_meet(slow, &m, out);
		for (int j = 0; j < RUNS; j++) {
			run[j] = (slowed(busy_s, others, random) + blocked * busy_s) *
				 exp(0.012 * ft_random_normal(random));
			*held += (run[j] >= out[1] && run[j] <= out[2]) / (double)(SIZES * RUNS);
		}
		*off += fabs(log(out[0] / run[0])) / SIZES;
		*wide += log(out[2] / out[1]) / SIZES;
	}
}

static void test_learned(void)
{
	struct ft_random random = {5};
	static const double blocked[] = {0, 3};
	double held, off, wide;

	for (size_t i = 0; i < 2; i++) {
		struct ft_slow_downs slow = learn(60, 16, blocked[i], &random);

		judge(&slow, 16, blocked[i], &random, &held, &off, &wide);
		ok(held > 0.8 && held < 0.99, "%.0f %% of runs beside as many are within", 100 * held);
		ok(off < 0.45, "the typical one is off by %.2f", off);
		ok(wide < 1.6, "upper by lower: %.2f in ln", wide);
		ft_slow_downs_clear(&slow);
	}
}

static void test_unknown(void)
{
	struct ft_slow_downs none = {.threads = 1};
	struct ft_load_meeting m = meeting_of(2, 0, 16), quiet = meeting_of(2, 0, 0),
			       sleeps = meeting_of(0, 2, 16);
	double out[3];

	ft_load_meet(&none, &m, out);
	ok(near(out[0], 17, 0.05) && out[1] < 12 && out[2] > 22,
	   "nothing is known: about what sharing says: %g "
	   "(%g to %g)",
	   out[0], out[1], out[2]);
	ft_load_meet(&none, &quiet, out);
	ok(near(out[0], 2, 0.01) && near(out[1], 1.96, 0.02) && near(out[2], 2.06, 0.02),
	   "nobody is there: as alone: %g (%g to %g)", out[0], out[1], out[2]);
	ft_load_meet(&none, &sleeps, out);
	ok(near(out[0], 2, 0.01) && near(out[2], 2.06, 0.02), "who sleeps is not slowed");
	sleeps.session[0] = sleeps.session[1] = 0.2;
	ft_load_meet(&none, &sleeps, out);
	ok(near(out[1], 1.96, 0.02) && near(out[2], 2.06, 0.02),
	   "nor does another session change that: %g to %g", out[1], out[2]);
}

/* What was learned beside many says little of a quiet machine. */
static void test_far(void)
{
	struct ft_random random = {9};
	struct ft_slow_downs slow = learn(300, 16, 0, &random);
	struct ft_load_meeting quiet = meeting_of(0.3, 0, 0);
	double out[3];

	ft_load_meet(&slow, &quiet, out);
	ok(out[0] > 0.3 * 0.98 && out[2] < 0.4, "alone %g (%g to %g)", out[0], out[1], out[2]);
	ft_slow_downs_clear(&slow);
	ft_slow_downs_clear(&slow);
}

static void test_no_memory(void)
{
	struct ft_runs none = {0};
	struct ft_slow_downs out;
	struct ft_err err;
	unsigned long n = 0;
	bool good = true;

	do {
		(void)ft_alloc_fail_at(++n);
		good &= ft_slow_downs_make(&out, &none, &err) == FT_ENOMEM || !ft_alloc_fail_at(0) || out.run;
		ft_slow_downs_clear(&out);
	} while (n < 4);
	(void)ft_alloc_fail_at(0);
	ok(good, "fails cleanly without memory");
}

int main(void)
{
	test_learned();
	test_unknown();
	test_far();
	test_no_memory();
	return done();
}
