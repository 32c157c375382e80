/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-shift.c - how many times what it was: all sizes together, beside a model and beside old runs. */
#include "tap.h"
#include "temp.h"

#include "ask-test.h"
#include "ask/ask.h"
#include "base/alloc.h"
#include "base/random.h"
#include "num/num.h"

static const struct ft_resource *const resources[] = {&ft_wall_s, &ft_peak_tree_bytes};

enum { SIZES = 5 };
static const double sizes[SIZES] = {1000, 2000, 4000, 8000, 16000};

static double seconds_at(double n)
{
	return 1e-6 * n * log(n);
}

/* ---- the test alone --------------------------------------------------------------------------------------
 */

static void test_alone(void)
{
	struct ft__held held[3] = {{.now = 1.1, .before = 1, .sd = 0.02},
				   {.now = 11, .before = 10, .sd = 0.02},
				   {.now = 110, .before = 100, .sd = 0.02}};
	const struct ft__common none = {.freedom = INFINITY}, some = {.sd = 0.03, .freedom = INFINITY};
	const double z = ft_normal_quantile(1 - 0.005);
	struct ft_regression shift = {.sizes = 3}, wider = {.sizes = 3};

	ft__regression_test(held, 3, &none, 0.005, false, &shift);
	ok(near(shift.ratio, 1.1, 1e-12) && near(log(shift.upper / shift.ratio), z * 0.02 / sqrt(3), 1e-9) &&
		   shift.verdict == FT_VERDICT_OVER,
	   "sizes that agree: %.3f (%.3f .. %.3f)", shift.ratio, shift.lower, shift.upper);
	ft__regression_test(held, 3, &some, 0.005, false, &wider);
	ok(near(log(wider.upper / wider.ratio), z * hypot(0.02 / sqrt(3), 0.03), 1e-9),
	   "what is common to all of them is not averaged away");
	held[2].now = 60;
	ft__regression_test(held, 3, &none, 0.005, false, &wider);
	ok(log(wider.upper / wider.lower) > 3 * log(shift.upper / shift.lower) &&
		   wider.verdict == FT_VERDICT_INSIDE,
	   "sizes that part widen it");
	held[2].now = 0;
	ft__regression_test(held, 3, &none, 0.005, false, &shift);
	ok(near(shift.ratio, 1.1, 1e-12), "one without a value says nothing");
	held[2].now = 110;
	ft__regression_test(held, 3, &none, 0.005, true, &shift);
	ok(isinf(shift.upper) && shift.lower > 1 && shift.verdict == FT_VERDICT_OVER,
	   "lower bounds give one");
	held[0] = held[1] = held[2] = (struct ft__held){.now = 1.005, .before = 1, .sd = 1e-9};
	ft__regression_test(held, 3, &none, 0.005, false, &shift);
	ok(shift.verdict == FT_VERDICT_INSIDE && shift.lower > 1, "half a percent is none that matters");
}

/* What a contract sees: in nine of ten cases the estimate is beyond the quantile of the test. */
static void test_seen(void)
{
	const double sds = ft_normal_quantile(1 - 0.005) + ft_normal_quantile(0.9);
	const struct ft__common none = {.freedom = INFINITY},
				day = {.sd = 0.06, .session = 0.06, .freedom = INFINITY},
				curve = {.sd = 0.06, .freedom = INFINITY};
	struct ft__held held[3];
	struct ft_regression shift = {.sizes = 3, .runs = 9}, then = {.sizes = 3};
	double seen[2];

	for (size_t i = 0; i < 3; i++)
		held[i] = (struct ft__held){.now = 1, .before = 1, .sd = 0.1, .of_runs = 0.01};
	ft__regression_test(held, 3, &none, 0.005, false, &shift);
	ok(near(shift.seen, expm1(sds * 0.1 / sqrt(3)), 1e-9) && shift.limit == FT_REGRESSION_LIMIT_RUNS &&
		   shift.needed > 3,
	   "three runs see %.3f, %zu are needed for 0.15", shift.seen, shift.needed);
	for (size_t less = 0; less < 2; less++) { /* as many as it says; one less */
		const size_t k = shift.needed - less;
		const double part = ft__median_variance(0.01, k) / ft__median_variance(1, 3);

		for (size_t i = 0; i < 3; i++)
			held[i].of_runs = part, held[i].sd = sqrt(part);
		then.runs = 3 * k;
		ft__regression_test(held, 3, &none, 0.005, false, &then);
		seen[less] = then.seen;
	}
	ok(seen[0] <= 0.15 && seen[1] > 0.15, "they do: %.4f, and one less does not: %.4f", seen[0], seen[1]);
	ft__regression_test(held, 3, &day, 0.005, false, &then);
	ok(then.limit == FT_REGRESSION_LIMIT_SESSION && then.needed == 0, "another day: no runs help");
	ft__regression_test(held, 3, &curve, 0.005, false, &then);
	ok(then.limit == FT_REGRESSION_LIMIT_MODEL && then.needed == 0 &&
		   !strcmp(ft_regression_limit_text(then.limit), "model"),
	   "a model that knows no better: none do");
	ft__regression_test(held, 3, &none, 0.005, true, &then);
	ok(isnan(then.seen), "lower bounds see nothing more");
}

/* ---- runs ------------------------------------------------------------------------------------------------
 */

/* In the middle every other run, by chance, takes so many times as long. */
static double level;

/* Runs of all sizes in rounds; scatter is skewed, one in `wild` runs takes three times as long (0: none). */
static void add_runs(struct ft_runs *runs, struct ft_random *random, size_t rounds, double factor,
		     double noise, unsigned wild, double uneven)
{
	for (size_t k = 0; k < rounds; k++)
		for (size_t i = 0; i < SIZES; i++) {
			double s = factor * seconds_at(sizes[i]) *
				   exp(noise * pow(sizes[SIZES - 1] / sizes[i], uneven) *
				       fabs(ft_random_normal(random)));

			if (wild && !ft_random_below(random, wild))
				s *= 3;
			if (level > 0 && i == SIZES / 2 && ft_random_below(random, 2))
				s *= level;
			struct ft_run run = made_run(1, sizes[i], 0, s, 1e6 + 8 * sizes[i], NAN);
			(void)ft_runs_take(runs, &run, NULL);
		}
}

/* How often in `cases` pairs of versions the contract is broken. */
static int broken(int cases, double factor, double noise, unsigned wild, double uneven, uint64_t seed)
{
	struct ft_random random = {seed};
	int count = 0;

	for (int i = 0; i < cases; i++) {
		const struct ft_verify_options options = {resources, 2, 0.99, false};
		struct ft_runs before = {0}, runs = {0};
		struct ft_verification v;

		add_runs(&before, &random, 5, 1, noise, wild, uneven);
		add_runs(&runs, &random, 5, factor, noise, wild, uneven);
		if (ft_verify_against(&before, &runs, &options, &v, NULL))
			diag("no answer");
		count += !v.holds;
		ft_verification_clear(&v);
		ft_runs_clear(&before);
		ft_runs_clear(&runs);
	}
	return count;
}

static void test_against(void)
{
	const int cases = test_cases(1000);
	int same = broken(cases, 1, 0.05, 0, 0, test_seed()),
	    wild = broken(cases, 1, 0.05, 20, 0, test_seed()),
	    slower = broken(cases, 1.1, 0.05, 0, 0, test_seed()),
	    uneven = broken(cases, 1, 0.02, 0, 0.5, test_seed()), levels;

	level = 1.6;
	levels = broken(cases, 1, 0.02, 0, 0, test_seed());
	level = 0;
	/* Of 1,000 with a share of 1 % more than 20 are seen once in 1,000 times. */
	ok(same <= 0.01 * cases + 3.2 * sqrt(0.01 * cases), "unchanged: %d of %d alarms", same, cases);
	ok(wild <= 0.01 * cases + 3.2 * sqrt(0.01 * cases), "with wild runs: %d of %d", wild, cases);
	ok(uneven <= 0.01 * cases + 3.2 * sqrt(0.01 * cases),
	   "short runs scatter four times as much: %d of %d", uneven, cases);
	ok(levels <= 0.01 * cases + 3.2 * sqrt(0.01 * cases), "two levels at one size: %d of %d", levels,
	   cases);
	ok(slower >= 0.9 * cases, "10 %% slower: seen %d times of %d", slower, cases);
}

static void test_pairs(void)
{
	const struct ft_verify_options options = {resources, 1, 0.99, false};
	struct ft_random random = {7};
	struct ft_runs before = {0}, runs = {0};
	struct ft_verification v;
	struct ft_err err;

	add_runs(&before, &random, 3, 1, 0, 0, 0);
	add_runs(&runs, &random, 3, 1.2, 0, 0, 0);
	before.run[SIZES].outcome = FT_FAILED;
	ok(!ft_verify_against(&before, &runs, &options, &v, NULL) && v.n_checks == SIZES && v.n_shifts == 1 &&
		   v.check[0].runs == 2 && v.check[1].runs == 3 && near(v.shift[0].ratio, 1.2, 1e-9) &&
		   !v.holds,
	   "pairs are those that ended well, on both sides");
	ok(near(v.check[0].promised.value, seconds_at(1000), 1e-12) && v.shift[0].runs == 3 * SIZES - 1,
	   "what was is the old runs' median");
	ft_verification_clear(&v);
	for (size_t i = 0; i < runs.n; i++) /* the largest size has to be ended */
		if (runs.run[i].size.value[0] == sizes[SIZES - 1]) {
			runs.run[i].outcome = FT_TIMED_OUT;
			runs.run[i].cost_s = 60;
		}
	(void)ft_verify_against(&before, &runs, &options, &v, NULL);
	ok(v.check[SIZES - 1].at_least && v.shift[0].at_least && isinf(v.shift[0].upper) && !v.holds &&
		   v.growth[0].at_least && isinf(v.growth[0].upper),
	   "a run that was ended is a lower bound, in all of it");
	ft_verification_clear(&v);
	ft_runs_clear(&runs);
	ok(ft_verify_against(&before, &runs, &options, &v, &err) == FT_ENOMODEL && err.remedy[0] && !v.check,
	   "no pairs: %s", err.text);
	ft_runs_clear(&before);
}

/* ---- beside a model --------------------------------------------------------------------------------------
 */

/* Sessions differ by 2 %. Counts broken contracts of unchanged programs and of those that are 15 % slower. */
static void test_days(void)
{
	struct ft_random random = {test_seed()};
	int i, cases = test_cases(100), alarms = 0, seen = 0, query = 0;

	for (i = 0; i < cases; i++) {
		const struct ft_verify_options options = {resources, 2, 0.99, false};
		struct ft_runs first = {0};
		char name[32];

		(void)snprintf(name, sizeof name, "days%d", i);
		int64_t id = add_program(name, "n=1000:16000", NULL);
		add_runs(&first, &random, 3, exp(0.02 * ft_random_normal(&random)), 0.03, 0, 0);
		for (size_t k = 0; k < first.n; k++) {
			add_run(id, first.run[k]);
			first.run[k] = (struct ft_run){0};
		}
		first.n = 0;
		ft_runs_clear(&first);
		struct ft_answerer *models = open_models(name);
		for (size_t k = 0; k < 4; k++) {
			const bool slower = k % 2;
			double session = exp(0.02 * ft_random_normal(&random));
			struct ft_runs runs = {0};
			struct ft_verification v;

			add_runs(&runs, &random, 3, (slower ? 1.15 : 1) * session, 0.03, 0, 0);
			if (ft_ask_verify(models, &runs, &options, &v, NULL))
				diag("no answer");
			*(slower ? &seen : &alarms) += !v.holds;
			query += slower;
			ft_verification_clear(&v);
			ft_runs_clear(&runs);
		}
		ft_ask_close(models);
	}
	ok(alarms <= 0.03 * query, "another day, unchanged: %d of %d alarms", alarms, query);
	ok(seen >= 0.85 * query, "15 %% slower: seen %d times of %d", seen, query);
}

/* Counts are the same each time, and differ a little from size to size. */
static void test_counts(void)
{
	const struct ft_verify_options options = {resources, 1, 0.99, true};
	const double factor[SIZES] = {1.0004, 1.00001, 0.9999, 1.002, 1};
	struct ft_runs before = {0}, runs = {0};
	struct ft_verification v;

	for (size_t i = 0; i < (size_t)3 * SIZES; i++) {
		double seconds = seconds_at(sizes[i % SIZES]);
		struct ft_run was = made_run(1, sizes[i % SIZES], 0, seconds, NAN, NAN),
			      is = made_run(1, sizes[i % SIZES], 0, factor[i % SIZES] * seconds, NAN, NAN);

		(void)ft_runs_take(&before, &was, NULL);
		(void)ft_runs_take(&runs, &is, NULL);
	}
	ok(!ft_verify_against(&before, &runs, &options, &v, NULL) && v.holds,
	   "numbers without scatter that differ by less than matters");
	ft_verification_clear(&v);
	ft_runs_clear(&before);
	ft_runs_clear(&runs);
}

/* A run that was ended tells that it took so long at least; when that was says nothing of how runs scatter.
 */
static void test_ended(void)
{
	const struct ft_verify_options options = {resources, 1, 0.99, false};
	const double ended_s[] = {1.65, 0.03};
	struct ft_random random = {11};
	struct ft_runs before = {0}, runs = {0};
	struct ft_verification v;

	add_runs(&before, &random, 2, 1, 0.01, 0, 0);
	add_runs(&runs, &random, 2, 1, 0.01, 0, 0);
	for (size_t k = 0; k < 2; k++) {
		struct ft_run *run = &runs.run[(k + 1) * SIZES - 1];

		run->outcome = FT_TIMED_OUT;
		run->sample[0].value = run->cost_s = 1e3 * seconds_at(sizes[SIZES - 1]) * ended_s[k];
	}
	(void)ft_verify_against(&before, &runs, &options, &v, NULL);
	ok(!v.holds && v.check[SIZES - 1].at_least && v.check[SIZES - 1].verdict == FT_VERDICT_OVER &&
		   v.check[SIZES - 1].promised.upper < 2 * v.check[SIZES - 1].promised.value,
	   "ended twice, not at the same time: over %g, promised %g at most", v.check[SIZES - 1].value,
	   v.check[SIZES - 1].promised.upper);
	ft_verification_clear(&v);
	for (size_t k = 0; k < runs.n; k++) {
		runs.run[k].outcome = FT_TIMED_OUT;
		runs.run[k].sample[0].value = runs.run[k].cost_s = 1e3 * seconds_at(sizes[k % SIZES]);
	}
	ok(!ft_verify_against(&before, &runs, &options, &v, NULL) && !v.holds,
	   "all of them were ended: they are over, too");
	ft_verification_clear(&v);
	ft_runs_clear(&before);
	ft_runs_clear(&runs);
}

static void test_faults(void)
{
	const struct ft_verify_options options = {resources, 2, 0.99, false};
	struct ft_random random = {7};
	struct ft_runs before = {0}, runs = {0};
	struct ft_verification v;
	enum ft_status status;
	unsigned long n = 0;
	bool clean = true;

	add_runs(&before, &random, 2, 1, 0.01, 0, 0);
	add_runs(&runs, &random, 2, 1, 0.01, 0, 0);
	do {
		(void)ft_alloc_fail_at(++n);
		status = ft_verify_against(&before, &runs, &options, &v, NULL);
		clean = clean && (!status || (status == FT_ENOMEM && !v.check && !v.shift && !v.growth));
		(void)ft_alloc_fail_at(0);
		ft_verification_clear(&v);
	} while (status && n < 100);
	ok(clean && !status && n > 5, "each failing allocation leaves nothing behind (%lu)", n);
	ft_runs_clear(&before);
	ft_runs_clear(&runs);
}

int main(void)
{
	open_store();
	test_alone();
	test_seen();
	test_against();
	test_pairs();
	test_days();
	test_counts();
	test_ended();
	test_faults();
	ft_store_close(store);
	return done();
}
