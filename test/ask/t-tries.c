/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-tries.c - models of runs in memory, and what each try of a job requests: by size where the size explains it. */
#include "tap.h"
#include "temp.h"

#include "ask-test.h"
#include "ask/door.h"
#include "base/alloc.h"
#include "foretime/ask.h"

/* A run of seconds and bytes at a size. */
struct made {
	double n, seconds, bytes;
	enum ft_outcome outcome;
};

/* Models of runs, at their sizes or all at one. */
static struct ft_answerer *models_of(const struct made *made, size_t n, bool at_one, struct ft_err *err)
{
	struct ft_program program = {.name = (char[]){"made"}, .hash = (char[]){""}, .n_params = 1};
	struct ft_answerer *models = NULL;
	struct ft_runs runs = {0};

	(void)ft_param_parse("n=1:1000000", &program.param[0], NULL);
	for (size_t i = 0; i < n; i++) {
		struct ft_run run =
			made_run(1, at_one ? 1 : made[i].n, 0, made[i].seconds, made[i].bytes, NAN);

		run.outcome = made[i].outcome;
		(void)ft_runs_take(&runs, &run, NULL);
	}
	(void)ft_ask_open_runs(&models, &program, &runs, NULL, err);
	ok(!runs.n && !runs.run, "the runs are taken");
	return models;
}

static struct ft_tries tries_of(const struct made *made, size_t n, double risk)
{
	struct ft_tries tries = {.cpus = NAN};
	struct ft_err err = {0};
	struct ft_answerer *by_size = models_of(made, n, false, &err),
			   *at_one = models_of(made, n, true, &err);

	if (!by_size || !at_one || ft_ask_tries(by_size, at_one, risk, &tries, &err))
		diag("%s", err.text);
	ft_ask_close(by_size);
	ft_ask_close(at_one);
	return tries;
}

static double value_of(const char *text, double n)
{
	const char *name = "n";
	struct ft_expr *expr = NULL;
	double value = NAN;

	if (ft_expr_new(&expr, text, NULL) || ft_expr_eval(expr, &name, &n, 1, &value, NULL))
		value = NAN;
	ft_expr_free(expr);
	return value;
}

enum { RUNS = 12 };

/* Memory in proportion to the size, times that do not depend on it. */
static void fill(struct made *made, struct ft_random *random)
{
	for (size_t i = 0; i < RUNS; i++)
		made[i] = (struct made){
			100 * (double)(i + 1), 60 + (double)(i * 7 % 5),
			(1e8 + 1e6 * 100 * (double)(i + 1)) * exp(0.02 * ft_random_normal(random)), FT_DONE};
}

static void test_sized(void)
{
	struct ft_random random = {test_seed()};
	struct made made[RUNS];

	fill(made, &random);
	struct ft_tries t = tries_of(made, RUNS, 0.05);
	ok(t.memory.text[0] && t.memory.text[1] && !t.time.text[0], "memory is by size, time is not");
	ok(t.memory.runs == RUNS && t.memory.correlation > 0.95 && fabs(t.time.correlation) < 0.5,
	   "as the correlations are");
	ok(t.memory.known > 1200, "known beyond the largest size, up to %g", t.memory.known);
	bool above = true, ascending = true;
	for (double n = 100; n <= 1200; n += 50) {
		double first = value_of(t.memory.text[0], n), second = value_of(t.memory.text[1], n);

		above = above && first > 1e8 + 1e6 * n && first < 1.35 * (1e8 + 1e6 * n);
		if (!above || !(second > first))
			diag("n=%g: %g, then %g", n, first / (1e8 + 1e6 * n), second / (1e8 + 1e6 * n));
		ascending = ascending && second > first;
	}
	ok(above && ascending, "above what runs need, by no third; the second try more than the first");
	ok(t.memory.most[0] < t.memory.most[1] && t.memory.most[2] == 2 * t.memory.most[1] &&
		   t.memory.most[0] > made[RUNS - 1].bytes * 0.95,
	   "numbers are those of the largest size");
	ok(t.time.most[1] >= t.time.seen && t.time.most[2] == 2 * t.time.most[1],
	   "without sizes the second is the most seen, at least");
	ok(t.risk == 0.05 && fabs(t.time.risk[0] + t.memory.risk[0] - 0.05) < 1e-9 &&
		   t.time.risk[1] + t.memory.risk[1] < 0.003,
	   "risks are the stated one, and its square");
	ft_tries_clear(&t);
	ok(!t.memory.text[0] && !t.memory.resource, "cleared");
	ft_tries_clear(&t);
	ft_tries_clear(NULL);
}

/* Sizes that explain nothing are hardly ever taken for an explanation. */
static void test_unsized(void)
{
	struct ft_random random = {test_seed() + 1};
	struct made made[RUNS];
	int sized = 0, trials = test_quick() ? 3 : 12;

	for (int k = 0; k < trials; k++) {
		fill(made, &random);
		for (size_t i = 0; i < RUNS; i++)
			made[i].bytes = 2e8 * exp(0.1 * ft_random_normal(&random));
		struct ft_tries t = tries_of(made, RUNS, 0.05);
		sized += t.memory.text[0] != NULL;
		ft_tries_clear(&t);
	}
	ok(sized <= trials / 3, "%d of %d by chance", sized, trials);
}

static void test_few(void)
{
	const struct made one[] = {{5, 30, 1e8, FT_DONE}},
			  three[] = {{1, 30, 1e8, FT_DONE}, {2, 31, 2e8, FT_DONE}, {4, 29, 4e8, FT_DONE}},
			  falling[] = {{1, 30, 4e8, FT_DONE},
				       {2, 31, 3e8, FT_DONE},
				       {3, 29, 2e8, FT_DONE},
				       {4, 30, 1e8, FT_DONE}},
			  little[] = {{1, 30, 1e8, FT_DONE},
				      {2, 30, 1.01e8, FT_DONE},
				      {3, 30, 1.02e8, FT_DONE},
				      {4, 30, 1.03e8, FT_DONE}};
	struct ft_tries t = tries_of(one, 1, 0.05);

	ok(!t.memory.text[0] && t.memory.most[0] > 1e8 && t.time.most[0] > 30 && isnan(t.memory.correlation),
	   "one run");
	ft_tries_clear(&t);
	t = tries_of(three, 3, 0.05);
	ok(t.memory.text[0] && !t.time.text[0], "three runs in proportion to their sizes are enough");
	ft_tries_clear(&t);
	t = tries_of(falling, 4, 0.05);
	ok(!t.memory.text[0] && t.memory.correlation < -0.9 && t.memory.most[1] >= 4e8,
	   "what falls with the size is not by it");
	ft_tries_clear(&t);
	t = tries_of(little, 4, 0.05);
	ok(!t.memory.text[0] && t.memory.correlation > 0.9, "nor is what grows by less than a tenth");
	ft_tries_clear(&t);
}

static void test_killed(void)
{
	const struct made killed[] = {{1, 30, 1e8, FT_DONE},
				      {2, 30, 1.1e8, FT_DONE},
				      {8, 30, 9e8, FT_OUT_OF_MEMORY}},
			  dead[] = {{1, 30, 1e8, FT_FAILED}, {2, 30, 1e8, FT_OUT_OF_MEMORY}};
	struct ft_err err = {0};
	struct ft_tries t = tries_of(killed, 3, 0.05);

	ok(!t.memory.killed && t.memory.most[0] > 1e8, "where all are at one size some ended well");
	ft_tries_clear(&t);
	ok(!models_of(dead, 2, true, &err) && err.status == FT_ENOMODEL, "no run ended well: %s", err.text);
}

static void test_wrong(void)
{
	const struct made made[] = {{1, NAN, NAN, FT_DONE}, {2, 30, 1e8, FT_DONE}};
	struct ft_err err = {0};
	struct ft_tries t;
	struct ft_answerer *one = models_of(made, 2, true, &err);

	ok(ft_ask_tries(NULL, one, 0, &t, &err) == FT_EINVAL &&
		   ft_ask_tries(NULL, one, 0.5, &t, &err) == FT_EINVAL,
	   "a risk that is none");
	ok(!ft_ask_tries(NULL, one, 0.1, &t, &err) && t.memory.runs == 1 && !t.memory.text[0],
	   "without sizes");
	ft_tries_clear(&t);
	ft_ask_close(one);
	one = models_of(made, 1, true, &err);
	ok(one && ft_ask_tries(NULL, one, 0.1, &t, &err) == FT_ENOMODEL, "neither time nor memory: %s",
	   err.text);
	ft_ask_close(one);
}

/* A failure leaves nothing behind; that an allocation is not needed in a second call is fine. */
static void test_memory(void)
{
	struct ft_random random = {test_seed() + 2};
	struct made made[RUNS];
	struct ft_err err = {0};
	struct ft_tries t;
	unsigned long n, good = 0, bad = 0, step;

	fill(made, &random);
	struct ft_answerer *by_size = models_of(made, RUNS, false, &err),
			   *at_one = models_of(made, RUNS, true, &err);
	(void)ft_alloc_fail_at(0);
	(void)ft_ask_tries(by_size, at_one, 0.05, &t, NULL);
	n = ft_alloc_fail_at(0);
	ft_tries_clear(&t);
	step = n / (test_quick() ? 8 : 60) + 1;
	for (unsigned long i = 1; i <= n; i += step) {
		(void)ft_alloc_fail_at(i);
		enum ft_status status = ft_ask_tries(by_size, at_one, 0.05, &t, &err);

		(void)ft_alloc_fail_at(0);
		good += status == FT_OK;
		bad += status == FT_ENOMEM && !t.memory.text[0] && !t.time.resource;
		ft_tries_clear(&t);
	}
	ok(n > 100 && bad > 2 && good + bad == (n + step - 1) / step,
	   "out of memory: %lu of %lu failed, and are clear", bad, good + bad);
	ft_ask_close(by_size);
	ft_ask_close(at_one);
}

int main(void)
{
	test_sized();
	test_unsized();
	test_few();
	test_killed();
	test_wrong();
	test_memory();
	return done();
}
