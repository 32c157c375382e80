/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-change-several.c - drift over several parameters: found where there is one, seldom where there is none.
 */
#include "tap.h"

#include "base/alloc.h"
#include "base/random.h"
#include "foretime/model.h"

#include <math.h>

enum { LIVES = 100 };

/* Runs of a program in the order of measurement; from `at` on all is slower by a shift (of ln time). */
struct life {
	struct ft_run run[LIVES];
	struct ft_sample sample[LIVES];
	struct ft_runs runs;
	size_t at;
	double shift;
};

static char name[] = "p";
static const struct ft_program program = {.name = name, .n_params = 2};
static const size_t axes[] = {0, 1};
static const struct ft_model_options both = {.axis = axes, .n_axes = 2};

static void add(struct life *life, struct ft_size size, double seconds)
{
	size_t i = life->runs.n;

	if (i == LIVES)
		return;
	life->sample[i] = (struct ft_sample){.resource = &ft_wall_s, .value = seconds};
	if (i >= life->at)
		life->sample[i].value *= exp(life->shift);
	life->run[i] = (struct ft_run){.size = size,
				       .outcome = FT_DONE,
				       .work = NAN,
				       .started_ns = 1000 + (int64_t)i,
				       .sample = &life->sample[i],
				       .n_samples = 1};
	life->runs.run = life->run;
	life->runs.n++;
}

static struct ft_model *model_of(const struct life *life)
{
	struct ft_model *model = NULL;

	(void)ft_model_fit_runs(&model, &program, &life->runs, &ft_wall_s, &life->run[0].size, &both, NULL);
	return model;
}

static double sum(const double *x)
{
	return 1e-3 + 2e-8 * x[0] * x[0] * x[1] + 1e-6 * x[1] * log2(x[1]);
}

static double cliff(const double *x)
{
	return sum(x) * (x[0] * x[1] > 1e4 ? 1.6 : 1);
}

static double parity(const double *x)
{
	return sum(x) * (fmod(x[1], 2) > 0 ? 1.3 : 1);
}

static int by_cost(const void *a, const void *b)
{
	const struct ft_size *p = a, *q = b;
	double x = p->value[0] * p->value[0] * p->value[1], y = q->value[0] * q->value[0] * q->value[1];

	return (x > y) - (x < y);
}

static struct ft_size any(struct ft_random *random)
{
	return (struct ft_size){2,
				{round(16 * pow(16, ft_random_uniform(random))),
				 round(16 * pow(32, ft_random_uniform(random)))}};
}

/* Sizes from cheap to dear, four of them twice, and then so many runs more: of the same sizes, or of new
 * ones.
 */
static void live(struct life *life, double (*seconds)(const double *x), double noise, size_t more,
		 bool new_sizes, double shift, uint64_t seed)
{
	enum { SIZES = 30, TWICE = 4 };
	struct ft_random random = {seed};
	struct ft_size size[SIZES];

	*life = (struct life){.at = SIZES + TWICE, .shift = shift};
	for (size_t i = 0; i < SIZES; i++)
		size[i] = any(&random);
	qsort(size, SIZES, sizeof *size, by_cost);
	for (size_t i = 0; i < SIZES + TWICE + more; i++) {
		struct ft_size at = i < SIZES + TWICE ? size[i < (size_t)2 * TWICE ? i / 2 : i - TWICE]
				    : new_sizes       ? any(&random)
						      : size[7 * i % SIZES];

		add(life, at, seconds(at.value) * exp(noise * ft_random_normal(&random)));
	}
}

/* In how many of some lives a drift is found; mean: what is. */
static double rate(double (*seconds)(const double *x), double noise, size_t more, bool new_sizes,
		   double shift, double *mean)
{
	static struct life life;
	int cases = (test_cases(1) > 1 ? 8 : 3), found = 0, i;
	double sum = 0;

	for (i = 0; i < cases; i++) {
		live(&life, seconds, noise, more, new_sizes, shift, test_seed() + (uint64_t)i);
		struct ft_model *model = model_of(&life);
		if (model && ft_model_facts(model)->change.runs) {
			found++;
			sum += ft_model_facts(model)->change.shift;
		}
		ft_model_free(model);
	}
	if (mean)
		*mean = found ? sum / found : 0;
	return (double)found / cases;
}

static void test_rates(void)
{
	static double (*const made[])(const double *x) = {sum, cliff, parity};
	static const char *const names[] = {"a sum", "a cliff", "parity"};
	double none = 0;

	for (size_t f = 0; f < 3; f++) {
		double mean, alone = rate(made[f], 0.03, 0, false, 0, NULL);
		double quiet = rate(made[f], 0.03, 20, true, 0, NULL);
		double old = rate(made[f], 0.03, 20, false, log(1.2), &mean);
		double new = rate(made[f], 0.03, 20, true, log(1.2), NULL);

		diag("%s: as built %.2f, and 20 more %.2f; 20 %% slower: old sizes %.2f (mean %.3f), new "
		     "ones "
		     "%.2f",
		     names[f], alone, quiet, old, mean, new);
		none += (alone + quiet) / 6;
		ok(old > 0.9 && near(mean, log(1.2), 0.2), "%s: 20 %% slower is found", names[f]);
		if (!f)
			ok(new > 0.2, "... at new sizes too, now and then, where all is smooth");
	}
	ok(none < 0.04, "false alarms: %.4f (seed %llu)", none, (unsigned long long)test_seed());
}

/* Older runs give way where newer ones are, and are moved elsewhere; the moment is told. */
static void test_settled(void)
{
	static struct life life;
	struct ft_change change;
	struct ft_prediction p;
	double off = 0;
	size_t n;

	live(&life, sum, 0.005, 20, false, log(2), 3);
	struct ft_model *model = model_of(&life);
	change = ft_model_facts(model)->change;
	ok(change.runs == 20 && change.since_ns == life.run[life.at].started_ns &&
		   near(change.shift, log(2), 0.05),
	   "twice as slow since run %zu", life.runs.n - change.runs);
	const struct ft_knot *knot = ft_model_knots(model, &n);
	for (size_t i = 0; i < n; i++)
		off = fmax(off, fabs(log(knot[i].value / sum(knot[i].size.value) / 2)));
	ok(off < 0.05 && n == 30, "all sizes are as they are now (within %.3f)", off);
	ok(!ft_model_predict(model, &(struct ft_size){2, {100, 100}}, 1, 0.9, &p, NULL) &&
		   near(p.value, 2 * sum((double[]){100, 100}), 0.05),
	   "and what is between them");
	ft_model_free(model);
}

/* Sizes that are visited again on other days; on each visit all is slower or faster by some percent. What the
 * interval at a size is wide. */
static double width_after_visits(double of_visits, struct ft_random *random)
{
	enum { RUNS = 32, SITES = 8, EACH = 4 };
	struct ft_observation o[RUNS];
	struct ft_model *model;
	struct ft_prediction p = {0};
	double day = 0;

	for (size_t j = 0; j < RUNS; j++) {
		size_t site = j / EACH % SITES, row = site / 4;
		struct ft_size at = {2, {16 * pow(2, (double)(site % 4)), 20 + 30 * (double)row}};

		/* All runs of a site in a row; the first two sites on two more days at the end. */
		if (j >= RUNS - 8)
			at = o[(j / 2 % 2) * EACH].size;
		if (!j || !ft_size_equal(&at, &o[j - 1].size))
			day = of_visits * ft_random_normal(random);
		o[j] = (struct ft_observation){
			at, 1, sum(at.value) * exp(day + 0.01 * ft_random_normal(random)), 0, 0, false, 0,
			0,  0};
	}
	(void)ft_model_fit(&model, o, RUNS, &both, NULL);
	(void)ft_model_predict(model, &o[0].size, 1, 0.9, &p, NULL);
	ft_model_free(model);
	return log(p.upper / p.lower);
}

static void test_visits(void)
{
	struct ft_random random = {test_seed()};
	double narrow = 0, wide = 0;
	int cases = (test_cases(1) > 1 ? 16 : 6), i;

	for (i = 0; i < cases; i++) {
		narrow += width_after_visits(0, &random) / cases;
		wide += width_after_visits(0.08, &random) / cases;
	}
	ok(wide > 2.5 * narrow, "what visits differ by widens intervals: ln width %.3f, not %.3f", wide,
	   narrow);
}

/* How smooth the older half is tells nothing of a parameter that did not vary in it. */
static void test_one_after_the_other(void)
{
	enum { EACH = 6 };
	static struct life life;
	struct ft_prediction p;

	life = (struct life){.at = SIZE_MAX};
	for (size_t i = 0; i < EACH; i++)
		add(&life, (struct ft_size){2, {16 << i, 16}}, sum((double[]){16 << i, 16}));
	for (size_t i = 1; i < EACH; i++)
		add(&life, (struct ft_size){2, {16, 16 << i}}, sum((double[]){16, 16 << i}));
	struct ft_model *model = model_of(&life);
	ok(model && !ft_model_predict(model, &(struct ft_size){2, {16, 100}}, 1, 0.9, &p, NULL) &&
		   near(p.value, sum((double[]){16, 100}), 0.1) && !ft_model_facts(model)->change.runs,
	   "one parameter varied after the other");
	ft_model_free(model);
}

static void test_faults(void)
{
	static struct life life;
	size_t wrong = 0;

	live(&life, sum, 0.01, 12, false, 0.3, 5);
	(void)ft_alloc_fail_at(0);
	ft_model_free(model_of(&life));
	unsigned long total = ft_alloc_fail_at(0);
	for (unsigned long n = 1; n <= total; n += n > 20 ? 397 : 1) {
		(void)ft_alloc_fail_at(n);
		struct ft_model *model = model_of(&life);
		(void)ft_alloc_fail_at(0);
		if (model && !wrong++)
			diag("allocation %lu of %lu fails, and there is a model", n, total);
		ft_model_free(model);
	}
	ok(!wrong && total > 30, "allocations may fail, and it is told: %zu times not", wrong);
}

int main(void)
{
	test_rates();
	test_settled();
	test_visits();
	test_one_after_the_other();
	test_faults();
	return done();
}
