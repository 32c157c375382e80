/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-pairs.c - alternating runs: the best estimate of a shift, the floor of memory, a suite of benchmarks. */
#include "tap.h"
#include "temp.h"

#include "ask-test.h"
#include "ask/ask.h"
#include "ask/door.h"
#include "base/random.h"

/* Every other run, by chance, takes longer by an exponential with this mean. */
static double draw(struct ft_random *random, double slowed)
{
	double seconds = exp(0.01 * ft_random_normal(random));

	if (ft_random_below(random, 2))
		seconds *= 1 - slowed * log(1 - ft_random_uniform(random));
	return seconds;
}

static void test_estimate(void)
{
	enum { PAIRS = 20, REPLAYS = 40 };
	struct ft_random random = {test_seed()};
	double before[PAIRS], now[PAIRS], work[6 * PAIRS], variance, off = 0, stated = 0;

	for (int k = 0; k < REPLAYS; k++) {
		for (int i = 0; i < PAIRS; i++) {
			before[i] = log(draw(&random, 0.2));
			now[i] = log(draw(&random, 0.2)) + 0.05;
		}
		off += pow(ft__pairs_shift(before, now, PAIRS, work, &variance) - 0.05, 2);
		stated += variance / PAIRS;
	}
	/* The mean of such pairs is accurate to 0.2 / sqrt(20) = 4.5 %. */
	ok(sqrt(off / REPLAYS) < 0.02, "the shortest runs show a shift to %.1f %%",
	   100 * sqrt(off / REPLAYS));
	ok(stated > off / 2, "and the variance is stated: %.2g, it is %.2g", stated / REPLAYS, off / REPLAYS);
}

static void add_bytes(struct ft_runs *runs, double bytes)
{
	struct ft_run run = made_run(1, 100, 0, 1, bytes, NAN);

	(void)ft_runs_take(runs, &run, NULL);
}

static bool is_over(double before, double now, size_t pairs, bool *certain)
{
	static const struct ft_resource *const memory[] = {&ft_peak_tree_bytes};
	struct ft_runs old = {0}, new = {0};
	struct ft_verification v;
	bool over = false;

	for (size_t i = 0; i < pairs; i++) {
		add_bytes(&old, before);
		add_bytes(&new, now);
	}
	if (!ft_verify_against(&old, &new, &(struct ft_verify_options){memory, 1, 0.99, false}, &v, NULL)) {
		over = !v.holds;
		*certain = ft_verification_is_certain(&v);
	}
	ft_verification_clear(&v);
	ft_runs_clear(&old);
	ft_runs_clear(&new);
	return over;
}

static void test_memory(void)
{
	bool certain = false;

	ok(!is_over(2e6, 2e6 + 120e3, 5, &certain) && !certain, "120 kB of 2 MB is no change");
	ok(is_over(2e6, 2e6 + 160e3, 5, &certain), "160 kB is");
	ok(!is_over(1e9, 1.009e9, 5, &certain) && is_over(1e9, 1.02e9, 5, &certain), "of 1 GB 2 %% is");
	certain = false;
	ok(!is_over(1e6, 9e6, 1, &certain) && !certain, "one pair decides nothing");
}

enum { SUITE = 8 };

/* Pairs until none is worth it, the first of them by a factor. Returns their number. */
static size_t run_suite(struct ft_paired *p, double factor, struct ft_random *random, size_t most)
{
	size_t next, pairs = 0;

	for (; pairs < most && (next = ft_suite_next(p, SUITE)) != SIZE_MAX; pairs++) {
		const double now = draw(random, 0.04) * (next ? 1 : factor);

		(void)ft_paired_add(&p[next], draw(random, 0.04), now, 0.1 * (double)(1 + next), NULL);
		ft_suite_judge(p, SUITE, 0.01);
	}
	return pairs;
}

static void test_suite(void)
{
	struct ft_random random = {test_seed()};
	struct ft_paired p[SUITE] = {0};
	int wrong = 0;

	for (size_t i = 0; i < SUITE; i++)
		p[i].resource = &ft_wall_s;
	p[SUITE - 1].failed = true;
	const size_t pairs = run_suite(p, 1.15, &random, 2000);
	for (size_t i = 1; i < SUITE; i++)
		wrong += p[i].verdict == FT_VERDICT_OVER;
	ok(p[0].verdict == FT_VERDICT_OVER && !wrong && p[0].lower > 1.05 && p[0].upper < 1.25,
	   "what takes 15 %% longer is found: %.3f (%.3f .. %.3f)", p[0].ratio, p[0].lower, p[0].upper);
	ok(pairs < 2000 && p[0].n < 100 && !p[SUITE - 1].n, "after %zu pairs no other one is worth it",
	   pairs);
	for (size_t i = 0; i < SUITE; i++)
		ft_paired_clear(&p[i]);
}

static void test_counts(void)
{
	struct ft_paired p[2] = {{.resource = &ft_instructions}, {.resource = &ft_instructions}};
	struct ft_err err = {0};

	(void)ft_paired_add(&p[0], 1000000, 1000000, 1, NULL);
	(void)ft_paired_add(&p[1], 1000000, 1030000, 1, NULL);
	ft_suite_judge(p, 2, 0.01);
	ok(p[0].exact && !p[1].exact && ft_suite_next(p, 2) == 1, "equal counts are not run again");
	(void)ft_paired_add(&p[1], 1000000, 1030000, 1, NULL);
	ft_suite_judge(p, 2, 0.01);
	ok(p[1].verdict == FT_VERDICT_OVER && p[0].verdict == FT_VERDICT_INSIDE &&
		   near(p[1].ratio, 1.03, 1e-9) && ft_suite_next(p, 2) == SIZE_MAX,
	   "after two equal pairs of counts there is no third");
	ok(ft_paired_add(&p[0], 0, 1, 1, &err) == FT_EINVAL && ft_paired_add(&p[0], 1, INFINITY, 1, NULL),
	   "values are above 0 and finite: %s", err.text);
	ft_paired_clear(&p[0]);
	ft_paired_clear(&p[1]);
}

static void test_history(void)
{
	struct ft_random random = {test_seed()};
	double x[40];
	size_t at;

	for (int i = 0; i < 40; i++)
		x[i] = 0.004 * ft_random_normal(&random);
	ok(ft_history_change(x, 40, &at) == 0 && ft_history_change(x, 5, &at) == 0,
	   "verdicts vary, and that is no change");
	for (int i = 20; i < 40; i++)
		x[i] += 0.03;
	const double change = ft_history_change(x, 40, &at);
	ok(near(change, 0.03, 0.2) && at >= 18 && at <= 22, "3 %% more from the 20th on: %.3f from %zu on",
	   change, at);
	for (int i = 0; i < 40; i++)
		x[i] = 0.001 * i;
	ok(ft_history_change(x, 40, &at) > 0.01, "a slow decay shows");
}

static void test_order(void)
{
	struct ft_paired p = {0};
	size_t first = 0;

	for (p.n = 0; p.n < 200; p.n++)
		first += ft_paired_new_first(&p);
	ok(first > 60 && first < 140, "either is first in %zu of 200 pairs", first);
}

int main(void)
{
	test_history();
	test_order();
	test_estimate();
	test_memory();
	test_suite();
	test_counts();
	return done();
}
