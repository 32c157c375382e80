/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-verify.c - new runs held against models: inside, over, under, and growth. */
#include "tap.h"
#include "temp.h"

#include "ask-test.h"
#include "ask/ask.h"
#include "base/alloc.h"
#include "base/random.h"
#include "foretime/load.h"
#include "foretime/ask.h"
#include "num/num.h"

static const struct ft_resource *const both[] = {&ft_wall_s, &ft_peak_tree_bytes};

static double n_log_n(double n)
{
	return 1e-6 * n * log(n);
}

/* Ten sizes of a program, three runs each. */
static void add_sorted(const char *name, double noise, uint64_t seed)
{
	int64_t id = add_program(name, "n=100:51200", NULL);
	struct ft_random random = {seed};

	for (double n = 100; n <= 51200; n *= 2)
		for (int k = 0; k < 3; k++)
			add_run(id, made_run(1, n, 0, n_log_n(n) * exp(noise * ft_random_normal(&random)),
					     1e6 + 8 * n, NAN));
}

static void add_new(struct ft_runs *runs, double n, double seconds, double bytes)
{
	struct ft_run run = made_run(1, n, 0, seconds, bytes, NAN);

	(void)ft_runs_take(runs, &run, NULL);
}

/* One size, one resource. */
static enum ft_verdict verdict_of(struct ft_answerer *models, double n, double seconds, bool strict,
				  double *share, bool *holds)
{
	struct ft_verification v;
	struct ft_runs runs = {0};
	enum ft_verdict verdict = FT_VERDICT_INSIDE;

	add_new(&runs, n, seconds, NAN);
	ok(ft_ask_verify(models, &runs, &(struct ft_verify_options){both, 1, 0.99, strict}, &v, NULL) ==
			   FT_OK &&
		   v.n_checks == 1 && !v.n_growths,
	   "one check");
	verdict = v.check[0].verdict;
	*share = v.check[0].share;
	*holds = v.holds;
	if (verdict == FT_VERDICT_OVER)
		ok(near(*share, seconds / v.check[0].promised.upper - 1, 1e-12), "by how much it is over");
	ft_verification_clear(&v);
	ft_verification_clear(&v);
	ft_runs_clear(&runs);
	return verdict;
}

static void test_verdicts(struct ft_answerer *models)
{
	double t = n_log_n(6400), share;
	bool holds;

	ok(verdict_of(models, 6400, t, false, &share, &holds) == FT_VERDICT_INSIDE && holds && share == 0,
	   "as promised");
	ok(verdict_of(models, 6400, 2 * t, false, &share, &holds) == FT_VERDICT_OVER && !holds &&
		   share > 0.5 && share < 1,
	   "twice as slow: over, by %.0f %%", 100 * share);
	ok(verdict_of(models, 6400, t / 2, false, &share, &holds) == FT_VERDICT_UNDER && holds &&
		   share > 0.2 && share < 0.5,
	   "twice as fast: told, and no violation");
	ok(verdict_of(models, 6400, t / 2, true, &share, &holds) == FT_VERDICT_UNDER && !holds,
	   "but when strict");
	ok(verdict_of(models, 5000, 1.02 * n_log_n(5000), true, &share, &holds) == FT_VERDICT_INSIDE && holds,
	   "a size that was not measured");
}

/* The median counts; a run that was ended at its limit is a lower bound. */
static void test_medians(struct ft_answerer *models)
{
	struct ft_runs runs = {0};
	struct ft_run ended = {
		.size = {.n = 1, .value = {6400}}, .outcome = FT_TIMED_OUT, .cost_s = 60, .work = NAN};
	struct ft_run failed = {
		.size = {.n = 1, .value = {6400}}, .outcome = FT_FAILED, .cost_s = 60, .work = NAN};
	struct ft_run warmup = made_run(1, 6400, 0, 99, NAN, NAN), measured;
	struct ft_verification v;
	double t = n_log_n(6400);
	bool at_least;

	warmup.warmup = true;
	add_new(&runs, 6400, t, NAN);
	add_new(&runs, 6400, 50 * t, NAN);
	add_new(&runs, 6400, 1.01 * t, NAN);
	(void)ft_runs_take(&runs, &warmup, NULL);
	(void)ft_runs_take(&runs, &failed, NULL);
	(void)ft_ask_verify(models, &runs, &(struct ft_verify_options){both, 1, 0.99, false}, &v, NULL);
	ok(v.n_checks == 1 && v.check[0].runs == 3 && v.check[0].value == 1.01 * t && v.holds,
	   "one wild run of three is outvoted; warm-ups and failures do not count");
	ft_verification_clear(&v);
	ft_runs_clear(&runs);
	(void)ft_runs_take(&runs, &ended, NULL);
	(void)ft_ask_verify(models, &runs, &(struct ft_verify_options){both, 1, 0.99, false}, &v, NULL);
	ok(v.n_checks == 1 && v.check[0].at_least && v.check[0].value == 60 && !v.holds,
	   "a run that had to be ended is over");
	measured = made_run(1, 6400, 0, 60.5, NAN, NAN);
	measured.outcome = FT_TIMED_OUT;
	measured.cost_s = 61;
	ok(ft__verify_value(&measured, &ft_wall_s, &at_least) == 60.5 && at_least &&
		   isnan(ft__verify_value(&measured, &ft_energy_j, &at_least)),
	   "at least what it had taken where that was measured, not what it cost");
	ft_run_clear(&measured);
	ft_verification_clear(&v);
	ft_runs_clear(&runs);
}

static void test_joint(struct ft_answerer *models)
{
	struct ft_runs runs = {0};
	struct ft_verification v, once;
	struct ft_err err;
	const struct ft_resource *unknown[] = {&ft_cpu_s};

	add_new(&runs, 400, n_log_n(400), 1e6 + 8 * 400);
	(void)ft_ask_verify(models, &runs, &(struct ft_verify_options){both, 1, 0.98, false}, &once, NULL);
	add_new(&runs, 3200, n_log_n(3200), 1e6 + 8 * 3200);
	ok(ft_ask_verify(models, &runs, &(struct ft_verify_options){both, 2, 0.98, false}, &v, NULL) ==
			   FT_OK &&
		   v.n_checks == 4,
	   "four checks");
	ok(near(v.each, 0.999, 1e-12) && near(once.each, 0.996, 1e-12) && near(v.pooled, 0.992, 1e-12),
	   "share a fifth of the risk of 2 %%, shifts the rest");
	ok(v.check[0].promised.upper > once.check[0].promised.upper, "and each allows more");
	ok(v.check[0].resource == &ft_wall_s && v.check[0].size.value[0] == 400 &&
		   v.check[1].size.value[0] == 3200 && v.check[2].resource == &ft_peak_tree_bytes,
	   "by resource, then by size");
	ft_verification_clear(&once);
	ft_verification_clear(&v);
	ok(ft_ask_verify(models, &runs, &(struct ft_verify_options){both, 1, 0.3, false}, &v, &err) ==
			   FT_EINVAL &&
		   err.remedy[0] && !v.check,
	   "a confidence of 30 %% is refused");
	ok(ft_ask_verify(models, &runs, &(struct ft_verify_options){unknown, 1, 0.99, false}, &v, NULL) ==
			   FT_ENOMODEL &&
		   !v.check,
	   "as is a resource that the new runs do not have");
	ft_runs_clear(&runs);
}

/* What is promised of a single run: as a request has it, in another session; risks below the least that
 * models are asked at by the normal law. */
static void test_promise(struct ft_answerer *models)
{
	static const double confidence[] = {0.9, 0.99, 0.9999};
	struct ft_runs runs = {0};
	double before[2] = {0};

	add_new(&runs, 800, n_log_n(800), 1e6 + 8 * 800);
	for (size_t i = 0; i < sizeof confidence / sizeof *confidence; i++) {
		struct ft_verification v;
		int bad = 0;

		(void)ft_ask_verify(models, &runs, &(struct ft_verify_options){both, 2, confidence[i], false},
				    &v, NULL);
		for (size_t k = 0; k < v.n_checks; k++) {
			const struct ft_check *check = &v.check[k];
			double risk = 1 - v.each, query = fmax(risk, 0.0005),
			       session = k ? 0 : ft_load_session(0), quantile = ft_normal_quantile(1 - risk),
			       scale, most;
			struct ft_prediction p;

			bad += ft__request_upper(models, check->resource, &check->size, query, &p, &most,
						 NULL) != FT_OK;
			scale = quantile / ft_normal_quantile(1 - query);
			bad += !near(log(check->promised.upper / p.value),
				     fmax(log1p(ft__least_of(check->resource, p.value)),
					  hypot(scale * log(most / p.value), quantile * session)),
				     1e-9);
			bad += !near(log(p.value / check->promised.lower),
				     fmax(log1p(ft__least_of(check->resource, p.value)),
					  hypot(scale * log(p.value / p.lower), quantile * session)),
				     1e-9);
			bad += !(check->promised.upper >= before[k]) ||
			       (!k && check->promised.upper <= before[k]);
			before[k] = check->promised.upper;
		}
		ok(v.n_checks == 2 && !bad, "what is promised of runs in another session, by %g",
		   confidence[i]);
		ft_verification_clear(&v);
	}
	ft_runs_clear(&runs);
}

static bool same_shift(const struct ft_regression *a, const struct ft_regression *b)
{
	return a->resource == b->resource && a->sizes == b->sizes && a->runs == b->runs &&
	       near(a->ratio, b->ratio, 1e-12) && near(a->seen, b->seen, 1e-12) &&
	       near(a->lower, b->lower, 1e-12) && near(a->upper, b->upper, 1e-12) && a->verdict == b->verdict;
}

static bool same_growth(const struct ft_growth *a, const struct ft_growth *b)
{
	return a->resource == b->resource && a->sizes == b->sizes && near(a->was, b->was, 1e-12) &&
	       near(a->now, b->now, 1e-12) && near(a->lower, b->lower, 1e-12) &&
	       near(a->upper, b->upper, 1e-12) && a->verdict == b->verdict;
}

static bool same_check(const struct ft_check *a, const struct ft_check *b)
{
	return a->resource == b->resource && ft_size_equal(&a->size, &b->size) && a->runs == b->runs &&
	       a->value == b->value && near(a->promised.lower, b->promised.lower, 1e-12) &&
	       near(a->promised.upper, b->promised.upper, 1e-12) && a->verdict == b->verdict;
}

/* A resource beside another one, with half of the risk each, is judged as it is alone. */
static void test_apart(struct ft_answerer *models)
{
	struct ft_random random = {test_seed()};
	struct ft_runs runs = {0};
	struct ft_verification two, one;

	for (double n = 60; n <= 102400; n *= 1.7)
		for (int k = 0; k < 3; k++)
			add_new(&runs, round(n), n_log_n(round(n)) * exp(0.1 * ft_random_normal(&random)),
				1.1e6 + 8.1 * n * exp(0.1 * ft_random_normal(&random)));
	(void)ft_ask_verify(models, &runs, &(struct ft_verify_options){both, 2, 0.98, false}, &two, NULL);
	for (size_t r = 0; r < 2; r++) {
		(void)ft_ask_verify(models, &runs, &(struct ft_verify_options){&both[r], 1, 0.99, false},
				    &one, NULL);
		bool same = two.n_checks == 2 * one.n_checks && two.n_growths == 2 && one.n_growths == 1 &&
			    near(two.pooled, one.pooled, 1e-12) && near(two.each, one.each, 1e-12) &&
			    same_shift(&two.shift[r], &one.shift[0]) &&
			    same_growth(&two.growth[r], &one.growth[0]);
		for (size_t i = 0; i < one.n_checks && same; i++)
			same = same_check(&two.check[r * one.n_checks + i], &one.check[i]);
		ok(same, "%s beside another one is judged as alone", both[r]->name);
		ft_verification_clear(&one);
	}
	ft_verification_clear(&two);
	ft_runs_clear(&runs);
}

/* ---- growth ----------------------------------------------------------------------------------------------
 */

/* How many growths are told of runs at these sizes. */
static size_t growths_at(struct ft_answerer *models, const double *at, size_t sizes)
{
	struct ft_runs runs = {0};
	struct ft_verification v;

	for (size_t i = 0; i < sizes; i++)
		add_new(&runs, at[i], n_log_n(at[i]), NAN);
	(void)ft_ask_verify(models, &runs, &(struct ft_verify_options){both, 1, 0.99, false}, &v, NULL);
	size_t n = v.n_growths;
	ft_verification_clear(&v);
	ft_runs_clear(&runs);
	return n;
}

static void test_told(struct ft_answerer *models)
{
	const double two[] = {400, 800}, three[] = {400, 500, 760}, narrow[] = {400, 500, 759};

	ok(!growths_at(models, two, 2) && growths_at(models, three, 3) == 1, "growth is told of three sizes");
	ok(!growths_at(models, narrow, 3), "of a range of 1.9 at least");
}

static void test_growth(struct ft_answerer *models)
{
	struct ft_runs slow = {0}, same = {0}, worse = {0};
	struct ft_verification v;

	for (double n = 3200; n <= 51200; n *= 2) {
		add_new(&same, n, 1.01 * n_log_n(n), NAN);
		add_new(&slow, n, 3 * n_log_n(n), NAN);
		add_new(&worse, n, 1e-8 * n * n, NAN);
	}
	(void)ft_ask_verify(models, &same, &(struct ft_verify_options){both, 1, 0.99, false}, &v, NULL);
	ok(v.n_growths == 1 && v.growth[0].verdict == FT_VERDICT_INSIDE && v.holds &&
		   v.growth[0].sizes == 5 && v.growth[0].from == 3200 && v.growth[0].to == 51200,
	   "the same growth");
	ok(near(v.growth[0].was, 1 + 1 / log(12800), 0.01) && near(v.growth[0].now, v.growth[0].was, 0.01),
	   "of exponent 1 + 1 / ln n");
	ft_verification_clear(&v);
	(void)ft_ask_verify(models, &slow, &(struct ft_verify_options){both, 1, 0.99, false}, &v, NULL);
	ok(!v.holds && v.growth[0].verdict == FT_VERDICT_INSIDE,
	   "three times slower everywhere: over, grows alike");
	ft_verification_clear(&v);
	(void)ft_ask_verify(models, &worse, &(struct ft_verify_options){both, 1, 0.99, false}, &v, NULL);
	ok(!v.holds && v.growth[0].verdict == FT_VERDICT_OVER && near(v.growth[0].now, 2, 1e-9) &&
		   v.growth[0].lower > 0.5 && v.growth[0].upper < 1.2,
	   "n^2 instead of n log n: %.2f (%.2f .. %.2f)", v.growth[0].change, v.growth[0].lower,
	   v.growth[0].upper);
	ft_verification_clear(&v);
	ft_runs_clear(&same);
	ft_runs_clear(&slow);
	ft_runs_clear(&worse);
}

/* ---- how often -------------------------------------------------------------------------------------------
 */

/* Unchanged programs pass as often as promised; those half as fast do not. */
static void test_rates(void)
{
	struct ft_random random = {test_seed()};
	int i, k, cases = test_cases(150), alarms = 0, caught = 0;

	for (i = 0; i < cases; i++) {
		struct ft_runs same = {0}, slow = {0};
		struct ft_verification v;
		char name[32];

		(void)snprintf(name, sizeof name, "rates%d", i);
		add_sorted(name, 0.05, test_seed() + (uint64_t)i);
		struct ft_answerer *models = open_models(name);
		for (double n = 1600; n <= 51200; n *= 2)
			for (k = 0; k < 3; k++) {
				double noise = exp(0.05 * ft_random_normal(&random));

				add_new(&same, n, noise * n_log_n(n), 1e6 + 8 * n);
				add_new(&slow, n, 1.5 * noise * n_log_n(n), 1e6 + 8 * n);
			}
		(void)ft_ask_verify(models, &same, &(struct ft_verify_options){both, 2, 0.95, false}, &v,
				    NULL);
		alarms += !v.holds;
		ft_verification_clear(&v);
		(void)ft_ask_verify(models, &slow, &(struct ft_verify_options){both, 2, 0.95, false}, &v,
				    NULL);
		caught += !v.holds;
		ft_verification_clear(&v);
		ft_runs_clear(&same);
		ft_runs_clear(&slow);
		ft_ask_close(models);
	}
	ok(alarms <= 0.05 * cases, "false alarms at 95 %%: %d of %d", alarms, cases);
	ok(caught >= 0.9 * cases, "50 %% slower is caught: %d of %d", caught, cases);
}

static void test_faults(struct ft_answerer *models)
{
	struct ft_runs runs = {0};
	struct ft_verification v;
	enum ft_status status;
	unsigned long n = 0;
	bool clean = true;

	for (double x = 800; x <= 51200; x *= 2)
		add_new(&runs, x, n_log_n(x), 1e6 + 8 * x);
	do {
		(void)ft_alloc_fail_at(++n);
		status = ft_ask_verify(models, &runs, &(struct ft_verify_options){both, 2, 0.99, false}, &v,
				       NULL);
		clean = clean && (!status || (status == FT_ENOMEM && !v.check && !v.growth));
		(void)ft_alloc_fail_at(0);
		ft_verification_clear(&v);
	} while (status && n < 1000);
	ok(clean && !status && n > 4, "each of %lu allocations may fail", n - 1);
	ft_runs_clear(&runs);
}

int main(void)
{
	open_store();
	add_sorted("sorted", 0.01, 5);
	struct ft_answerer *models = open_models("sorted");
	test_verdicts(models);
	test_medians(models);
	test_joint(models);
	test_promise(models);
	test_apart(models);
	test_told(models);
	test_growth(models);
	test_rates();
	test_faults(models);
	ft_ask_close(models);
	ft_store_close(store);
	temp_remove();
	return done();
}
