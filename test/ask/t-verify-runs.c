/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-verify-runs.c - which new runs a contract takes: sizes, time limits, and when none is wanted. */
#include "tap.h"
#include "temp.h"

#include "ask-test.h"
#include "ask/door.h"
#include "base/alloc.h"
#include "foretime/ask.h"

static const struct ft_resource *const wall[] = {&ft_wall_s};

/* Runs of these sizes, and two that do not count: one that failed, one to warm up. */
static void add_sizes(const char *name, const double *n, size_t count)
{
	int64_t id = add_program(name, "n=1:1000000", "m=1:9");
	struct ft_run failed = made_run(2, 1e6, 7, 1, NAN, NAN), warm = made_run(2, 2e6, 7, 1, NAN, NAN);

	failed.outcome = FT_FAILED;
	warm.warmup = true;
	add_run(id, failed);
	add_run(id, warm);
	for (size_t i = 0; i < count; i++)
		add_run(id, made_run(2, n[count - 1 - i], 7, n[i], NAN, NAN));
}

static void expect_sweep(const char *name, const double *n, size_t count, const double *wanted, size_t sizes,
			 const char *what)
{
	const struct ft_size fixed = {.n = 2, .value = {0, 7}};
	struct ft_size size[FT_SWEEP_SIZES];
	size_t found;

	add_sizes(name, n, count);
	struct ft_answerer *models = open_models(name);
	bool good = !ft_ask_sweep(models, &fixed, 0, size, &found, NULL) && found == sizes;
	for (size_t i = 0; i < sizes && good; i++)
		good = size[i].n == 2 && size[i].value[0] == wanted[i] && size[i].value[1] == 7;
	ok(good, "%s: %zu sizes", what, found);
	(void)ft_alloc_fail_at(1);
	ok(ft_ask_sweep(models, &fixed, 0, size, &found, NULL) == FT_ENOMEM, "no memory");
	(void)ft_alloc_fail_at(0);
	ft_ask_close(models);
}

static void test_sweep(void)
{
	static const double doubling[] = {100, 200, 400, 800, 1600, 3200, 6400, 12800, 25600, 51200};
	static const double last[] = {3200, 6400, 12800, 25600, 51200};
	/* Wanted are 1000, 1189, 1414, 1682 and 2000. */
	static const double few[] = {1000, 1200, 2000}, twice[] = {5, 5, 1000, 1000};

	expect_sweep("doubling", doubling, 10, last, 5, "a sixteenth of the largest, and from there on");
	expect_sweep("few", few, 3, few, 3, "each once");
	expect_sweep("twice", twice, 4, &twice[1], 2, "those below a sixteenth only where nothing is nearer");
}

static void test_limit_against(void)
{
	struct ft_runs before = {0};
	const struct ft_size one = size_of(1), two = size_of(2), three = size_of(3);

	for (int i = 0; i < 3; i++) {
		struct ft_run run =
			made_run(1, i < 2 ? 1 : 2, 0, (const double[]){0.5, 0.3, 0.01}[i], NAN, NAN);

		(void)ft_runs_take(&before, &run, NULL);
	}
	ok(ft_verify_limit(&before, &one) == 5, "ten times the longest of that size");
	ok(ft_verify_limit(&before, &two) == 1, "a second at least");
	ok(ft_verify_limit(&before, &three) == 0, "of a size that was not run nothing is known");
	ft_runs_clear(&before);
}

/* Whether a contract is broken for certain by a run that was ended after so long. */
static bool is_certain_at(struct ft_answerer *models, const struct ft_size *size, double seconds)
{
	struct ft_run run = made_run(1, size->value[0], 0, seconds, NAN, NAN);
	struct ft_verification v;
	struct ft_runs runs = {0};

	run.outcome = FT_TIMED_OUT;
	(void)ft_runs_take(&runs, &run, NULL);
	bool certain =
		!ft_ask_verify(models, &runs, &(struct ft_verify_options){wall, 1, 0.99, false}, &v, NULL) &&
		ft_verification_is_certain(&v);
	ft_verification_clear(&v);
	ft_runs_clear(&runs);
	return certain;
}

static void test_limits(void)
{
	const struct ft_size size[] = {size_of(100), size_of(1000), size_of(10000)};
	struct ft_random random = {5};
	struct ft_answerer *models = NULL;
	double limit_s[3];
	int64_t id = add_program("linear", "n=100:12800", NULL);

	for (double n = 100; n <= 12800; n *= 2)
		for (int k = 0; k < 3; k++)
			add_run(id, made_run(1, n, 0, 1e-3 * n * exp(0.05 * ft_random_normal(&random)), NAN,
					     NAN));
	ok(!ft_ask_open(&models, store, "linear", NULL, 0, NULL), "a machine whose load is not seen here");
	ft_ask_verify_limits(models, size, 3, limit_s);
	ok(limit_s[0] == 1, "a tenth of a second is waited for a whole one");
	for (int i = 1; i < 3; i++) {
		ok(limit_s[i] < 3e-3 * size[i].value[0] && is_certain_at(models, &size[i], limit_s[i]),
		   "what takes %.3g s at %g is over for certain", limit_s[i], size[i].value[0]);
		ok(!is_certain_at(models, &size[i], 0.7 * limit_s[i]), "and not before");
	}
	ft_ask_close(models);
}

/* ---- what was found, by hand -------------------------------------------------------------------------- */

static struct ft_check checks[2];
static struct ft_regression shifts[2];

/* Two checks and two shifts of a resource that hold. */
static struct ft_verification holding(const struct ft_resource *resource)
{
	for (int i = 0; i < 2; i++) {
		checks[i] = (struct ft_check){.value = 1.5, .promised = {.value = 1, .upper = 1}};
		shifts[i] = (struct ft_regression){.ratio = 1, .lower = 0.9, .upper = 1.1};
		checks[i].resource = resource;
		shifts[i].resource = resource;
	}
	return (struct ft_verification){
		.check = checks, .n_checks = 2, .shift = shifts, .n_shifts = 2, .holds = true};
}

static void test_disturbed(void)
{
	struct ft_verification v = holding(&ft_wall_s);

	ok(!ft_verification_is_disturbed(&v, false, false) && !ft_verification_is_certain(&v),
	   "what holds is run no more");
	v.holds = false;
	checks[1].verdict = FT_VERDICT_OVER;
	ok(ft_verification_is_disturbed(&v, false, true), "a time that is half as long again may be");
	checks[1].value = 2;
	ok(!ft_verification_is_disturbed(&v, false, false), "not one that is twice as long");
	checks[1].verdict = FT_VERDICT_UNDER;
	ok(ft_verification_is_disturbed(&v, false, false) && !ft_verification_is_disturbed(&v, true, false),
	   "less counts where it breaks the contract");
	checks[1].verdict = FT_VERDICT_INSIDE;
	shifts[0].verdict = FT_VERDICT_OVER;
	ok(ft_verification_is_disturbed(&v, false, false) && !ft_verification_is_disturbed(&v, false, true),
	   "all sizes together are certain where both ran in turn");
	shifts[0].lower = 2;
	ok(!ft_verification_is_disturbed(&v, false, false), "and where they are twice as long");
	v = holding(&ft_peak_tree_bytes);
	v.holds = false;
	checks[0].verdict = FT_VERDICT_OVER;
	ok(!ft_verification_is_disturbed(&v, false, false), "memory is what it is");
	checks[1].certain = true;
	ok(ft_verification_is_certain(&v), "one that is certain is enough");
}

static void test_meaning(void)
{
	struct ft_verification v = holding(&ft_wall_s);
	size_t at;

	ok(ft_verification_meaning(&v, false, &at) == FT_MEANING_CLEAR, "0.9 to 1.1 means something");
	shifts[1] = (struct ft_regression){.lower = 0.3, .upper = 1.3};
	ok(ft_verification_meaning(&v, false, &at) == FT_MEANING_WIDE && at == 1, "0.3 to 1.3 does not");
	shifts[1].upper = 0.99;
	shifts[1].lower = 0.1;
	ok(ft_verification_meaning(&v, false, &at) == FT_MEANING_CLEAR &&
		   ft_verification_meaning(&v, true, &at) == FT_MEANING_WIDE,
	   "0.1 to 0.99 does: it is less");
	shifts[1].upper = INFINITY;
	shifts[1].at_least = checks[0].at_least = true;
	checks[0].verdict = FT_VERDICT_OVER;
	ok(ft_verification_meaning(&v, false, &at) == FT_MEANING_CLEAR,
	   "over is over, whenever it was ended");
	checks[1].at_least = true;
	ok(ft_verification_meaning(&v, false, &at) == FT_MEANING_ENDED && at == 1,
	   "inside when it was ended is nothing yet");
}

static void test_breaks(void)
{
	ok(ft_verdict_breaks(FT_VERDICT_OVER, false) && !ft_verdict_breaks(FT_VERDICT_UNDER, false) &&
		   ft_verdict_breaks(FT_VERDICT_UNDER, true) && !ft_verdict_breaks(FT_VERDICT_INSIDE, true),
	   "what breaks a contract");
}

int main(void)
{
	open_store();
	test_sweep();
	test_limit_against();
	test_limits();
	test_disturbed();
	test_meaning();
	test_breaks();
	ft_store_close(store);
	temp_remove();
	return done();
}
