/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-cost.c - models as costs, beside the models themselves at every share. */
#include "tap.h"
#include "temp.h"

#include "ask-test.h"
#include "ask/door.h"
#include "base/alloc.h"
#include "base/random.h"
#include "facts/door.h"
#include "foretime/ask.h"
#include "store/door.h"

static const struct ft_size any = {.n = 1, .value = {0}};

/* Seconds that fall at a cliff: a curve that lines do not follow by themselves. */
static double cliff(double n)
{
	return 1e-4 * n * (n < 3000 ? 1 : 2.5);
}

static void add_curve(const char *name, double noise, double bytes_per_unit)
{
	int64_t id = add_program(name, "n=100:100000", NULL);
	struct ft_random random = {5};

	for (double n = 100; n <= 100000; n *= 1.5)
		for (int k = 0; k < 3; k++)
			add_run(id, made_run(1, floor(n), 0,
					     cliff(floor(n)) * exp(noise * ft_random_normal(&random)),
					     bytes_per_unit * floor(n), NAN));
}

/* The line between knots; INFINITY beside a share that will not do. */
static double line(const struct ft_cost *cost, int64_t x)
{
	size_t i = 0;

	while (i + 1 < cost->n && cost->at[i + 1] <= x)
		i++;
	if (cost->at[i] == x || i + 1 == cost->n)
		return cost->value[i];
	if (isinf(cost->value[i]) || isinf(cost->value[i + 1]))
		return INFINITY;
	return cost->value[i] + (cost->value[i + 1] - cost->value[i]) * (double)(x - cost->at[i]) /
					(double)(cost->at[i + 1] - cost->at[i]);
}

static double model_at(struct ft_answerer *models, double x, const struct ft_cost_options *options)
{
	struct ft_size size = {.n = 1, .value = {x}};
	double value = NAN;

	(void)ft_cost_at(models, &size, 0, options, &value, NULL, NULL);
	return value;
}

static void test_lines(void)
{
	struct ft_random random = {test_seed()};
	const struct ft_cost_options with_risk = {.risk = 0.05};
	struct ft_cost cost, risky;
	double worst = 0, below = INFINITY;

	add_curve("curve", 0.02, 1000);
	struct ft_answerer *models = open_models("curve");
	ok(ft_cost_make(&cost, models, &any, 0, 1000000, NULL, NULL) == FT_OK && cost.n > 20 &&
		   cost.at[0] == 1 && cost.at[cost.n - 1] == 1000000 && cost.most == 1000000 &&
		   cost.end == FT_COST_NONE,
	   "a million shares");
	ok(ft_cost_make(&risky, models, &any, 0, 1000000, &with_risk, NULL) == FT_OK && risky.risk == 0.05,
	   "at a risk");
	for (int i = 0; i < test_cases(2000); i++) {
		int64_t x = 1 + (int64_t)ft_random_below(&random, i % 2 ? 1000000 : 20000);
		double model = model_at(models, (double)x, NULL);

		worst = fmax(worst, fabs(line(&cost, x) / model - 1));
		below = fmin(below, line(&risky, x) / model);
	}
	ok(worst < 0.01 && cost.error <= 1e-3, "lines are the model within %g; told: %g", worst, cost.error);
	ok(below > 1, "the upper end is above: %g times at least", below);
	ft_cost_clear(&cost);
	ft_cost_clear(&risky);
	ft_cost_clear(&risky);
	ft_ask_close(models);
}

static void test_table(void)
{
	const struct ft_cost_options tens = {.step = 10};
	struct ft_answerer *models = open_models("curve");
	struct ft_cost cost;
	bool same = true;

	ok(ft_cost_make(&cost, models, &any, 0, 512, NULL, NULL) == FT_OK && cost.n == 512 && cost.error == 0,
	   "few shares: each is a knot");
	for (size_t i = 0; i < cost.n; i++)
		same = same && cost.at[i] == (int64_t)i + 1 &&
		       cost.value[i] == model_at(models, (double)(i + 1), NULL);
	ok(same, "... of the model");
	ft_cost_clear(&cost);
	ok(ft_cost_make(&cost, models, &any, 0, 5005, &tens, NULL) == FT_OK && cost.n == 502 &&
		   cost.at[0] == 1 && cost.at[1] == 10 && cost.at[501] == 5005,
	   "steps of ten, the first and the last share");
	ft_cost_clear(&cost);
	ft_ask_close(models);
}

/* The edges are where the model says so, to the unit. */
static void test_ends(void)
{
	const struct ft_cost_options small = {.memory_bytes = 40e6 + 500, .memory_risk = 0.05},
				     shared = {.memory_bytes = 3 * (40e6 + 500),
					       .memory_risk = 0.05,
					       .processors = 3};
	struct ft_answerer *models = open_models("curve");
	struct ft_run run = made_run(1, 200000, 0, NAN, NAN, NAN);
	enum ft_cost_end end;
	struct ft_size size = {.n = 1};
	struct ft_cost cost;
	double value;

	ok(ft_cost_make(&cost, models, &any, 0, 1000000, &small, NULL) == FT_OK &&
		   cost.end == FT_COST_MEMORY && cost.most > 30000 && cost.most <= 40000,
	   "memory ends");
	ok(isfinite(model_at(models, (double)cost.most, &small)) &&
		   isinf(model_at(models, (double)cost.most + 1, &small)) &&
		   isfinite(line(&cost, cost.most)) && isinf(line(&cost, cost.most + 1)),
	   "... to the unit");
	size.value[0] = 50000;
	ok(ft_cost_at(models, &size, 0, &small, &value, &end, NULL) == FT_OK && isinf(value) &&
		   end == FT_COST_MEMORY && !strcmp(ft_cost_end_text(end), "memory"),
	   "... and why");
	value = (double)cost.most;
	ft_cost_clear(&cost);
	ok(ft_cost_make(&cost, models, &any, 0, 1000000, &shared, NULL) == FT_OK &&
		   cost.memory_bytes == small.memory_bytes && (double)cost.most == value,
	   "three in three times the memory have as much each");
	ft_cost_clear(&cost);
	ok(ft_cost_make(&cost, models, &any, 0, 1000000, &(struct ft_cost_options){.most = 0.2}, NULL) ==
			   FT_OK &&
		   cost.end == FT_COST_LIMIT && model_at(models, (double)cost.most, NULL) <= 0.2 &&
		   model_at(models, (double)cost.most + 1, NULL) > 0.2,
	   "what takes too long will not do");
	ft_cost_clear(&cost);
	ft_ask_close(models);

	add_run(add_program("curve", "n=100:100000", NULL), (run.outcome = FT_CRASHED, run));
	models = open_models("curve");
	ok(ft_cost_make(&cost, models, &any, 0, 1000000, NULL, NULL) == FT_OK && cost.end == FT_COST_FAILED &&
		   cost.most == 199999,
	   "from a crash on nothing ends well");
	ft_cost_clear(&cost);
	ft_ask_close(models);
}

/* A program that needs the same at all sizes: no share needs more memory than there is, however far beyond.
 */
static void test_flat(void)
{
	const struct ft_cost_options small = {.memory_bytes = 4e9};
	int64_t id = add_program("flat", "n=100:100000", NULL);
	struct ft_random random = {8};
	struct ft_cost cost;

	for (int n = 100; n <= 800; n *= 2)
		for (int k = 0; k < 3; k++)
			add_run(id, made_run(1, n, 0, 1e-3 * n, 1e6 * (1 + 0.02 * ft_random_uniform(&random)),
					     NAN));
	struct ft_answerer *models = open_models("flat");
	ok(ft_cost_make(&cost, models, &any, 0, 80000000, &small, NULL) == FT_OK && cost.most == 80000000,
	   "memory that does not grow is no limit");
	ft_cost_clear(&cost);
	ft_ask_close(models);
}

static void test_where(void)
{
	struct ft_program p = {.name = strdup("even"), .hash = strdup(""), .where = strdup("n % 8 == 0")};
	const struct ft_cost_options eights = {.step = 8};
	struct ft_cost cost;
	int good = 0;

	p.n_params = 1;
	(void)ft_param_parse("n=8:800", &p.param[0], NULL);
	(void)ft_store_put_program(store, &p, NULL);
	for (int n = 8; n <= 800; n *= 2)
		add_run(p.id, made_run(1, n, 0, 1e-3 * n, NAN, NAN));
	ft_program_clear(&p);
	struct ft_answerer *models = open_models("even");
	ok(ft_cost_make(&cost, models, &any, 0, 500, NULL, NULL) == FT_OK, "a constraint");
	for (size_t i = 0; i < cost.n; i++)
		good += isfinite(cost.value[i]) == !(cost.at[i] % 8);
	ok(good == 500 && cost.most == 496 && cost.end == FT_COST_WHERE, "... forbids what does not meet it");
	ft_cost_clear(&cost);
	ok(ft_cost_make(&cost, models, &any, 0, 80000, &eights, NULL) == FT_OK && cost.most == 80000 &&
		   isfinite(line(&cost, 44440)) && cost.n < 3000,
	   "... and with shares in its steps, all do");
	ft_cost_clear(&cost);
	ok(ft_cost_make(&cost, models, &any, 0, 1000000007, NULL, NULL) == FT_OK && cost.n <= 6100,
	   "without them there is an edge at every share, and no more than so many looks");
	ft_cost_clear(&cost);
	ft_ask_close(models);
}

/* A curve that jumps without any order: the upper end stands for it. */
static void test_rough(void)
{
	int64_t id = add_program("rough", "n=100:100000", NULL);
	struct ft_random random = {3};
	struct ft_prediction p;
	struct ft_size size = {.n = 1, .value = {7000}};
	struct ft_cost cost;

	for (double n = 100; n <= 100000; n *= 1.3)
		add_run(id,
			made_run(1, floor(n), 0, 1e-4 * n * pow(8, ft_random_uniform(&random)), NAN, NAN));
	struct ft_answerer *models = open_models("rough");
	ok(ft_cost_make(&cost, models, &any, 0, 50000, NULL, NULL) == FT_OK && cost.rough &&
		   cost.risk == 0.05,
	   "a rough model is planned on its upper end");
	(void)ft_ask_predict(models, &ft_wall_s, &size, 0.9, &p, NULL);
	ok(line(&cost, 7000) > p.value, "... %g s, typically %g", line(&cost, 7000), p.value);
	ft_cost_clear(&cost);
	ft_ask_close(models);
}

static void test_wrong(void)
{
	const struct ft_cost_options sure = {.risk = 0.05}, wild = {.risk = 0.5},
				     none = {.resource = &ft_energy_j};
	struct ft_knowledge knowledge = {0};
	struct ft_answerer *models = open_models("curve");
	struct ft_err err = {0};
	struct ft_cost cost;

	ok(ft_cost_make(&cost, models, &any, 0, 0, NULL, &err) == FT_EINVAL && err.remedy[0], "no unit: %s",
	   err.text);
	ok(ft_cost_make(&cost, models, &any, 0, INT64_MAX, NULL, &err) == FT_EINVAL, "too many: %s",
	   err.text);
	ok(ft_cost_make(&cost, models, &any, 0, 10, &wild, &err) == FT_EINVAL && err.remedy[0], "a risk: %s",
	   err.text);
	ok(ft_cost_make(&cost, models, &any, 0, 10, &none, &err) == FT_ENOENT && !cost.n,
	   "what nobody measured: %s", err.text);
	ft_ask_close(models);

	(void)add_program("said", "n=1:100", NULL);
	ok(ft_knowledge_state(&knowledge, &ft_wall_s, "2*n", &err) == FT_OK &&
		   ft_store_put_knowledge(store, "said", &knowledge, &err) == FT_OK,
	   "a law");
	ft_knowledge_clear(&knowledge);
	models = open_models("said");
	ok(ft_cost_make(&cost, models, &any, 0, 10, NULL, &err) == FT_OK && cost.value[9] == 20,
	   "a law that was stated is a cost");
	ft_cost_clear(&cost);
	ok(ft_cost_make(&cost, models, &any, 0, 10, &sure, &err) == FT_ENOMODEL && err.remedy[0],
	   "... that has no risk: %s", err.text);
	ft_ask_close(models);
}

static void test_memory(void)
{
	struct ft_answerer *models = open_models("curve");
	struct ft_cost cost;
	unsigned long failed = 0;

	(void)ft_cost_make(&cost, models, &any, 0, 100000, NULL, NULL);
	ft_cost_clear(&cost);
	(void)ft_alloc_fail_at(0);
	(void)ft_cost_make(&cost, models, &any, 0, 100000, NULL, NULL);
	ft_cost_clear(&cost);
	unsigned long n = ft_alloc_fail_at(0);
	for (unsigned long i = 1; i <= n; i += 1 + n / 300) {
		(void)ft_alloc_fail_at(i);
		enum ft_status status = ft_cost_make(&cost, models, &any, 0, 100000, NULL, NULL);
		failed += status == FT_ENOMEM && !cost.at;
		if (status && status != FT_ENOMEM)
			diag("allocation %lu: status %d", i, (int)status);
		ft_cost_clear(&cost);
	}
	(void)ft_alloc_fail_at(0);
	ok(failed > 0, "out of memory at %lu of %lu places: nothing is left", failed, n);
	ft_ask_close(models);
}

int main(void)
{
	open_store();
	test_lines();
	test_table();
	test_ends();
	test_flat();
	test_where();
	test_rough();
	test_wrong();
	test_memory();
	ft_store_close(store);
	temp_remove();
	return done();
}
