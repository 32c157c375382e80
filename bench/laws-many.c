/* SPDX-License-Identifier: GPL-3.0-or-later */
/* laws-many.c - how well laws of two to four parameters are found: strong scaling, and the functions on which
 *Extra-P is tested.
 *
 *	bench-laws-many [--seed N] [--functions N] [--task NAME] [--level PERCENT] [--model]
 *
 * Extra-P's: tests/data/input/synthetic-data.py of github.com/extra-p/extrap (1 + 0.2 x^2 log2 y + 0.1 x y^2
 *z at 2 %, five values of each, five runs); and function_generator.py, synthetic_benchmark.py of
 * github.com/extra-p/extrap-gpr (a constant and one term a parameter, added or multiplied, powers 0 to 3,
 * logarithms 0 to 2; their values of parameters, and the larger ones asked about; coefficients above 0 here,
 *and terms that matter at both ends). --model: asked is not the law but the model of the same samples. */
#include "base/random.h"
#include "foretime/law.h"
#include "foretime/model.h"
#include "law/door.h"
#include "num/num.h"
#include "words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { VALUES = 5, RUNS = 5, PLACES = VALUES * VALUES * VALUES * VALUES };
static const double confidence = 0.9;

struct options {
	uint64_t seed, functions;
	const char *task;
	double level; /* NaN: all */
	bool model;
};

struct task {
	const char *name;
	void (*draw)(struct ft_random *random, struct ft_law *law);
	size_t params;
	double value[FT_LAW_PARAMS][VALUES];
	double asked[FT_LAW_PARAMS];
	bool lines; /* only places on lines through the first one: not the whole grid */
};

/* ---- functions -------------------------------------------------------------------------------------------
 */

/* A constant of 10^U(-2,1) beside a term that is 1 at nx = 512, np = 8. */
static void draw_scaling(struct ft_random *random, struct ft_law *law, double power, double log)
{
	double at[2] = {512, 8};

	*law = (struct ft_law){.params = 2, .terms = 1};
	law->term[0].c = 1;
	law->term[0].factor[0].power = power;
	law->term[0].factor[1] = (struct ft_law_factor){.power = -1, .log = log};
	law->term[0].c = 1 / ft_law_value(law, at);
	law->constant = pow(10, -2 + 3 * ft_random_uniform(random));
}

static void draw_strong(struct ft_random *random, struct ft_law *law)
{
	draw_scaling(random, law, 2, 0);
}

static void draw_tree(struct ft_random *random, struct ft_law *law)
{
	draw_scaling(random, law, 1, 1);
}

static void draw_three(struct ft_random *random, struct ft_law *law)
{
	(void)random;
	*law = (struct ft_law){.params = 3, .terms = 2, .constant = 1};
	law->term[0].c = 0.2;
	law->term[0].factor[0].power = 2;
	law->term[0].factor[1].log = 1;
	law->term[1].c = 0.1;
	law->term[1].factor[0].power = 1;
	law->term[1].factor[1].power = 2;
	law->term[1].factor[2].power = 1;
}

/* A constant and a term of each parameter: added, or all multiplied. */
static void draw_generated(struct ft_random *random, struct ft_law *law, size_t params)
{
	bool added = ft_random_below(random, 2) == 0;

	*law = (struct ft_law){.params = params, .terms = added ? params : 1};
	law->constant = 1000 * ft_random_uniform(random);
	if (!added)
		law->term[0].c = 1;
	for (size_t p = 0; p < params; p++) {
		struct ft_law_term *term = &law->term[added ? p : 0];

		term->c = (added ? 1 : term->c) * 1000 * ft_random_uniform(random);
		do {
			term->factor[p].power = (double)ft_random_below(random, 4);
			term->factor[p].log = (double)ft_random_below(random, 3);
		} while (term->factor[p].power == 0 && term->factor[p].log == 0);
	}
}

static void draw_two(struct ft_random *random, struct ft_law *law)
{
	draw_generated(random, law, 2);
}

static void draw_3(struct ft_random *random, struct ft_law *law)
{
	draw_generated(random, law, 3);
}

static void draw_4(struct ft_random *random, struct ft_law *law)
{
	draw_generated(random, law, 4);
}

#define A                                                                                                    \
	{                                                                                                    \
		4, 8, 16, 32, 64                                                                             \
	}
#define B                                                                                                    \
	{                                                                                                    \
		10, 20, 30, 40, 50                                                                           \
	}
#define C                                                                                                    \
	{                                                                                                    \
		1000, 2000, 3000, 4000, 5000                                                                 \
	}
#define D                                                                                                    \
	{                                                                                                    \
		10, 12, 14, 16, 18                                                                           \
	}
#define N                                                                                                    \
	{                                                                                                    \
		64, 128, 256, 512, 1024                                                                      \
	}

static const struct task tasks[] = {
	{"nx^2/np", draw_strong, 2, {N, {1, 2, 4, 8, 16}}, {4096, 64}, false},
	{"nx/np log np", draw_tree, 2, {N, {2, 4, 8, 16, 32}}, {4096, 128}, false},
	{"extrap 3",
	 draw_three,
	 3,
	 {{20, 30, 40, 50, 60}, {1, 2, 3, 4, 5}, {100, 200, 300, 400, 500}},
	 {120, 10, 1000},
	 false},
	{"gpr 2", draw_two, 2, {A, B}, {128, 60}, false},
	{"gpr 3", draw_3, 3, {A, B, C}, {128, 60, 6000}, false},
	{"gpr 2 far", draw_two, 2, {A, B}, {512, 400}, false},
	{"gpr 3 far", draw_3, 3, {A, B, C}, {512, 400, 40000}, false},
	{"gpr 3 lines", draw_3, 3, {A, B, C}, {128, 60, 6000}, true},
	{"gpr 4 lines", draw_4, 4, {A, B, C, D}, {128, 60, 6000, 20}, true},
};
static const double levels[] = {0, 2, 5, 10, 20};

/* ---- measuring
 * --------------------------------------------------------------------------------------------- */

struct score {
	size_t n, near[4], inside, none;
	double *error, fit_s;
};

static double now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Lines through the first place, and those of two parameters that differ alike. */
static bool is_wanted(const struct task *task, const size_t *digit)
{
	size_t differ = 0, first = 0;
	bool alike = true;

	for (size_t p = 0; p < task->params; p++) {
		if (!digit[p])
			continue;
		first = differ++ ? first : digit[p];
		alike = alike && digit[p] == first;
	}
	return !task->lines || differ < 2 || alike;
}

static size_t draw_samples(const struct task *task, const struct ft_law *law, double level,
			   struct ft_random *random, struct ft_law_place *sample)
{
	size_t digit[FT_LAW_PARAMS] = {0}, n = 0, p = 0, i;

	while (p < task->params) {
		struct ft_law_place place = {0};

		for (p = 0; p < task->params; p++)
			place.x[p] = task->value[p][digit[p]];
		for (i = 0; i < RUNS && is_wanted(task, digit); i++) {
			place.value = ft_law_value(law, place.x) *
				      (1 + level * (2 * ft_random_uniform(random) - 1));
			sample[n++] = place;
		}
		for (p = 0; p < task->params && ++digit[p] == VALUES; p++)
			digit[p] = 0;
	}
	return n;
}

/* What the model of the same samples says. */
static enum ft_status ask_model(const struct task *task, const struct ft_law_place *sample, size_t n,
				struct ft_law_prediction *out)
{
	static const size_t axis[FT_LAW_PARAMS] = {0, 1, 2, 3};
	const struct ft_model_options options = {.axis = axis, .n_axes = task->params};
	struct ft_observation *o = calloc(n, sizeof *o);
	struct ft_size asked = {.n = task->params};
	struct ft_model *model = NULL;
	struct ft_prediction said;

	if (!o)
		abort();
	for (size_t i = 0; i < n; i++) {
		o[i] = (struct ft_observation){
			.size = {.n = task->params}, .work = 1, .value = sample[i].value};
		memcpy(o[i].size.value, sample[i].x, task->params * sizeof *sample[i].x);
	}
	memcpy(asked.value, task->asked, task->params * sizeof *task->asked);
	enum ft_status status = ft_model_fit(&model, o, n, &options, NULL);
	if (!status)
		status = ft_model_predict(model, &asked, 1, confidence, &said, NULL);
	if (!status)
		*out = (struct ft_law_prediction){
			.value = said.value, .lower = said.lower, .upper = said.upper};
	ft_model_free(model);
	free(o);
	return status;
}

static void one_function(const struct task *task, bool model, double level, struct ft_random *random,
			 struct ft_law_place *sample, struct score *score)
{
	static const double within[4] = {0.05, 0.1, 0.15, 0.2};
	static struct ft_laws_many laws;
	struct ft_law_prediction said;
	struct ft_law law;

	task->draw(random, &law);
	size_t n = draw_samples(task, &law, level, random, sample);
	double truth = ft_law_value(&law, task->asked);
	double start = now();
	if (model ? ask_model(task, sample, n, &said) != FT_OK
		  : ft_laws_fit_many(&laws, sample, n, task->params, NULL) ||
			    ft_laws_predict_many(&laws, task->asked, confidence, FT_LAW_MEAN, &said, NULL)) {
		score->none++;
		score->error[score->n++] = 10;
		return;
	}
	score->fit_s += now() - start;
	double error = fabs(said.value / truth - 1);
	score->error[score->n++] = error;
	for (size_t i = 0; i < 4; i++)
		score->near[i] += error <= within[i];
	score->inside += said.lower <= truth && truth <= said.upper;
}

static void one_line(const struct options *o, const struct task *task, double level)
{
	struct ft_random random = {o->seed};
	struct score score = {.error = malloc(o->functions * sizeof(double))};
	struct ft_law_place *sample = malloc(PLACES * RUNS * sizeof *sample);
	double n = (double)o->functions;

	if (!score.error || !sample)
		abort();
	for (size_t i = 0; i < o->functions; i++)
		one_function(task, o->model, level / 100, &random, sample, &score);
	printf("%-13s %3.0f %%  %5.1f %5.1f %5.1f %5.1f   %7.2g %7.2g   %5.1f   %8.2f  %zu\n", task->name,
	       level, 100 * (double)score.near[0] / n, 100 * (double)score.near[1] / n,
	       100 * (double)score.near[2] / n, 100 * (double)score.near[3] / n,
	       100 * ft_stats_quantile(score.error, score.n, 0.5),
	       100 * ft_stats_quantile(score.error, score.n, 0.9), 100 * (double)score.inside / n,
	       1e3 * score.fit_s / n, score.none);
	(void)fflush(stdout);
	free(sample);
	free(score.error);
}

int main(int argc, char **argv)
{
	struct options o = {.seed = 1, .functions = 200, .level = NAN};
	const struct word table[] = {
		{"--seed", WORD_COUNT, &o.seed},  {"--functions", WORD_COUNT, &o.functions},
		{"--task", WORD_TEXT, &o.task},   {"--level", WORD_NUMBER, &o.level},
		{"--model", WORD_FLAG, &o.model}, {0}};

	if (!words_read(table, argc, argv, NULL) || !o.functions) {
		(void)fprintf(stderr, "usage: bench-laws-many [--seed N] [--functions N] [--task NAME] "
				      "[--level 0|2|5|10|20] [--model]\n");
		return 2;
	}
	printf("%zu functions a line, seed %llu, uniform noise; share within 5, 10, 15, 20 %% of the truth "
	       "beyond the "
	       "data;\nmedian, p90: of the error, %%; in: coverage of the interval of 90 %%; ms: of "
	       "processor time "
	       "to fit and to ask; none: without a law\n",
	       (size_t)o.functions, (unsigned long long)o.seed);
	printf("%-13s %5s  %5s %5s %5s %5s   %7s %7s   %5s   %8s  %s\n", "task", "noise", "5", "10", "15",
	       "20", "median", "p90", "in", "ms", "none");
	for (size_t t = 0; t < sizeof tasks / sizeof *tasks; t++)
		for (size_t l = 0; l < sizeof levels / sizeof *levels; l++)
			if ((!o.task || !strcmp(o.task, tasks[t].name)) &&
			    (isnan(o.level) || o.level == levels[l]))
				one_line(&o, &tasks[t], levels[l]);
	return 0;
}
