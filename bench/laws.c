/* SPDX-License-Identifier: GPL-3.0-or-later */
/* laws.c - how well laws foretell: random laws, sampled at five sizes with noise, asked eight times beyond
 *them.
 *
 *	bench-laws [--seed N] [--functions N] [--task NAME] [--noise KIND] [--level PERCENT] [--terms
 *K] bench-laws --models [--functions N]
 */
#include "base/csv.h"
#include "base/random.h"
#include "foretime/base.h"
#include "foretime/law.h"
#include "num/num.h"
#include "words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SIZES = 6, RUNS = 5 }; /* sizes: at most */
static const double within = 0.2, confidence = 0.9;

struct options {
	uint64_t seed, functions, terms; /* terms 0: as the samples call for; and two, where a task has two */
	const char *task, *noise;
	double level; /* NaN: all */
	bool models;
};

/* ---- the tasks ----------------------------------------------------------------------------------------- */

static const struct ft_law_factor common[] = {{0, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0}, {0.5, 0, 0, 0, 0, 0},
					      {1, 0, 0, 0, 0, 0}, {1, 1, 0, 0, 0, 0}, {1.5, 0, 0, 0, 0, 0},
					      {2, 0, 0, 0, 0, 0}, {2, 1, 0, 0, 0, 0}, {3, 0, 0, 0, 0, 0}};
enum { COMMON = sizeof common / sizeof *common };

static const double twelfths[] = {0, 3, 4, 6, 8, 9, 12, 15, 16, 18, 20, 21, 24, 27, 28, 30, 32, 33, 36};
enum { POWERS = sizeof twelfths / sizeof *twelfths };

static double coefficient(struct ft_random *random)
{
	return pow(10, -2 + 4 * ft_random_uniform(random));
}

static void draw_constant(struct ft_random *random, struct ft_law *law)
{
	*law = (struct ft_law){.params = 1, .constant = 1 + 99 * ft_random_uniform(random)};
}

/* c0 + c1 g, g one of nine classes. */
static void draw_1(struct ft_random *random, struct ft_law *law)
{
	draw_constant(random, law);
	law->terms = 1;
	law->term[0].factor[0] = common[ft_random_below(random, COMMON)];
	law->term[0].c = coefficient(random);
}

/* One of 57. */
static void draw_2(struct ft_random *random, struct ft_law *law)
{
	draw_constant(random, law);
	law->terms = 1;
	law->term[0].factor[0] = (struct ft_law_factor){
		.power = twelfths[ft_random_below(random, POWERS)] / 12,
		.log = (double)ft_random_below(random, 3),
	};
	law->term[0].c = coefficient(random);
}

/* Two different terms of the common ones, coefficients as above: one of them mostly hides the other. */
static void draw_5c(struct ft_random *random, struct ft_law *law)
{
	size_t a = 1 + ft_random_below(random, COMMON - 1), b = 1 + ft_random_below(random, COMMON - 2);

	draw_constant(random, law);
	law->terms = 2;
	law->term[0].factor[0] = common[a];
	law->term[1].factor[0] = common[b < a ? b : b + 1];
	law->term[0].c = coefficient(random);
	law->term[1].c = coefficient(random);
}

/* The same with parts that can be compared: each of the three is 10^U(-1,1) at n = 512. */
static void draw_5(struct ft_random *random, struct ft_law *law)
{
	double at = 512;

	draw_5c(random, law);
	law->constant = pow(10, -1 + 2 * ft_random_uniform(random));
	for (size_t i = 0; i < law->terms; i++) {
		struct ft_law one = {.params = 1, .terms = 1, .term = {law->term[i]}};

		one.term[0].c = 1;
		law->term[i].c = pow(10, -1 + 2 * ft_random_uniform(random)) / ft_law_value(&one, &at);
	}
}

/* A constant of 10^U(-2,1) beside one term, 1 at n = 512. */
static void draw_term(struct ft_random *random, struct ft_law *law, double power, double log)
{
	struct ft_law one = {.params = 1, .terms = 1};
	double at = 512;

	one.term[0].c = 1;
	one.term[0].factor[0].power = power;
	one.term[0].factor[0].log = log;
	one.term[0].c = 1 / ft_law_value(&one, &at);
	one.constant = pow(10, -2 + 3 * ft_random_uniform(random));
	*law = one;
}

static void draw_inverse(struct ft_random *random, struct ft_law *law)
{
	draw_term(random, law, -1, 0);
}

static void draw_root(struct ft_random *random, struct ft_law *law)
{
	draw_term(random, law, -2.0 / 3, 0);
}

static void draw_odd(struct ft_random *random, struct ft_law *law)
{
	draw_term(random, law, 2.63, 0);
}

/* Any power. */
static void draw_power(struct ft_random *random, struct ft_law *law)
{
	draw_term(random, law, -2 + 6 * ft_random_uniform(random), 0);
}

/* One of the common classes behind a start that takes a hundred times its first value. */
static void draw_start(struct ft_random *random, struct ft_law *law)
{
	size_t i = 1 + ft_random_below(random, COMMON - 1);
	double first = 64;

	draw_term(random, law, common[i].power, common[i].log);
	law->constant = 0;
	law->constant = 100 * ft_law_value(law, &first);
}

static void draw_exponential(struct ft_random *random, struct ft_law *law)
{
	*law = (struct ft_law){.params = 1, .terms = 1, .constant = pow(10, 2 * ft_random_uniform(random))};
	law->term[0].c = 1;
	law->term[0].factor[0].rate = 0.25;
}

static void draw_factorial(struct ft_random *random, struct ft_law *law)
{
	*law = (struct ft_law){.params = 1, .terms = 1, .constant = pow(10, 2 * ft_random_uniform(random))};
	law->term[0].c = 1;
	law->term[0].factor[0].factorial = 1;
}

/* Extra-P's own: 0 to 1000 each, and a term of those that its tests want found (test_basic_modeler.py,
 * test_refining_modeler.py of github.com/extra-p/extrap; powers as twelfths, 4/5 apart, and logarithms). */
static void draw_peer(struct ft_random *random, struct ft_law *law)
{
	static const struct ft_law_factor peer[] = {
		{0, 1, 0, 0, 0, 0},       {0, 2, 0, 0, 0, 0},       {0.25, 0, 0, 0, 0, 0},
		{1.0 / 3, 0, 0, 0, 0, 0}, {0.25, 1, 0, 0, 0, 0},    {1.0 / 3, 1, 0, 0, 0, 0},
		{0.25, 2, 0, 0, 0, 0},    {1.0 / 3, 2, 0, 0, 0, 0}, {0.5, 0, 0, 0, 0, 0},
		{0.5, 1, 0, 0, 0, 0},     {0.5, 2, 0, 0, 0, 0},     {2.0 / 3, 0, 0, 0, 0, 0},
		{0.75, 0, 0, 0, 0, 0},    {2.0 / 3, 1, 0, 0, 0, 0}, {0.75, 1, 0, 0, 0, 0},
		{0.8, 0, 0, 0, 0, 0},     {2.0 / 3, 2, 0, 0, 0, 0}, {0.75, 2, 0, 0, 0, 0},
		{1, 0, 0, 0, 0, 0},       {1, 1, 0, 0, 0, 0},       {1, 2, 0, 0, 0, 0},
		{1.25, 0, 0, 0, 0, 0},    {1.25, 1, 0, 0, 0, 0},    {4.0 / 3, 0, 0, 0, 0, 0},
		{4.0 / 3, 1, 0, 0, 0, 0}, {1.5, 0, 0, 0, 0, 0},     {1.5, 1, 0, 0, 0, 0},
		{1.5, 2, 0, 0, 0, 0},     {5.0 / 3, 0, 0, 0, 0, 0}, {1.75, 0, 0, 0, 0, 0},
		{2, 0, 0, 0, 0, 0},       {2, 1, 0, 0, 0, 0},       {2, 2, 0, 0, 0, 0},
		{2.25, 0, 0, 0, 0, 0},    {7.0 / 3, 0, 0, 0, 0, 0}, {2.5, 0, 0, 0, 0, 0},
		{2.5, 1, 0, 0, 0, 0},     {2.5, 2, 0, 0, 0, 0},     {8.0 / 3, 0, 0, 0, 0, 0},
		{2.75, 0, 0, 0, 0, 0},    {3, 0, 0, 0, 0, 0},       {3, 1, 0, 0, 0, 0}};

	*law = (struct ft_law){.params = 1, .terms = 1, .constant = 1000 * ft_random_uniform(random)};
	law->term[0].c = 1000 * ft_random_uniform(random);
	law->term[0].factor[0] = peer[ft_random_below(random, sizeof peer / sizeof *peer)];
}

/* Sizes, and the one asked about. */
struct sizes {
	size_t n;
	double x[SIZES], asked;
};

static const struct sizes far = {5, {64, 128, 256, 512, 1024}, 8192};
static const struct sizes few = {5, {8, 16, 24, 32, 40}, 60};
static const struct sizes least = {5, {5, 6, 7, 8, 9}, 12};
static const struct sizes small = {6, {4, 8, 16, 32, 64, 128}, 1024};

struct task {
	const char *name;
	void (*draw)(struct ft_random *random, struct ft_law *law);
	bool two; /* terms */
	const struct sizes *sizes;
};

static const struct task tasks[] = {
	{"T1", draw_1, false, &far},
	{"T2", draw_2, false, &far},
	{"T5", draw_5, true, &far},
	{"T5c", draw_5c, true, &far},
	{"1/n", draw_inverse, false, &far},
	{"n^-2/3", draw_root, false, &far},
	{"n^2.63", draw_odd, false, &far},
	{"n^a", draw_power, false, &far},
	{"2^(n/4)", draw_exponential, false, &few},
	{"n!", draw_factorial, false, &least},
	{"start", draw_start, false, &far},
	{"extrap", draw_peer, false, &small},
};

static double uniform(struct ft_random *random, double a)
{
	return 1 + a * (2 * ft_random_uniform(random) - 1);
}

/* Lognormal of the mean 1 and the standard deviation of the uniform noise. */
static double lognormal(struct ft_random *random, double a)
{
	double sigma = sqrt(log1p(a * a / 3));

	return exp(sigma * ft_random_normal(random) - sigma * sigma / 2);
}

/* One sample in twenty takes two to ten times as long. */
static double spikes(struct ft_random *random, double a)
{
	double value = uniform(random, a);

	return ft_random_uniform(random) < 0.05 ? value * (2 + 8 * ft_random_uniform(random)) : value;
}

struct noise {
	const char *name;
	double (*draw)(struct ft_random *random, double a);
};

static const struct noise noises[] = {{"uniform", uniform}, {"lognormal", lognormal}, {"spikes", spikes}};

static const double levels[] = {0, 2, 5, 10, 20};

/* ---- what is aimed at ---------------------------------------------------------------------------------- */

struct aim {
	const char *task, *noise;
	double level, share, p90; /* within 20 %; p90 NaN: none */
	double peer;              /* Extra-P 4.2, measured earlier on 2,250 functions of the kind; NaN: not */
};

static const struct aim aims[] = {
	{"T1", "uniform", 0, 100, 0, NAN},   {"T1", "uniform", 2, 99, 1.5, NAN},
	{"T1", "uniform", 5, 98, 4, 93.2},   {"T1", "uniform", 10, 95, 8, 80.1},
	{"T1", "uniform", 20, 87, 28, 61.2}, {"T2", "uniform", 5, 96, NAN, 83},
	{"T2", "uniform", 10, 91, NAN, 72},  {"T2", "uniform", 20, 75, NAN, 56},
	{"T5", "uniform", 5, 50, NAN, 43},   {"T5", "uniform", 10, 48, NAN, 36},
	{"T5", "uniform", 20, 38, NAN, 28},  {"T1", "spikes", 10, 92, NAN, 58},
};

static void print_aim(const char *task, const char *noise, double level)
{
	for (size_t i = 0; i < sizeof aims / sizeof *aims; i++) {
		const struct aim *aim = &aims[i];

		if (strcmp(aim->task, task) != 0 || strcmp(aim->noise, noise) != 0 || aim->level != level)
			continue;
		printf("  %3.0f", aim->share);
		if (isnan(aim->p90))
			printf("      ");
		else
			printf(", %-4g", aim->p90);
		if (!isnan(aim->peer))
			printf("  %4.1f", aim->peer);
	}
	putchar('\n');
}

/* ---- measuring ----------------------------------------------------------------------------------------- */

struct score {
	double *error; /* [functions] */
	size_t n, near, inside, inside_wide;
	double fit_s, predict_s, width, width_wide;
};

/* Processor time: others may use the machine meanwhile. */
static double now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void one_function(const struct task *task, const struct noise *noise, double a, size_t terms,
			 struct ft_random *random, struct score *score)
{
	struct ft_law_options options = {.terms = terms};
	struct ft_law_sample sample[SIZES * RUNS];
	struct ft_law_prediction p;
	struct ft_laws laws;
	struct ft_law law;
	size_t n = task->sizes->n * RUNS;

	task->draw(random, &law);
	for (size_t i = 0; i < n; i++) {
		sample[i].x = task->sizes->x[i / RUNS];
		sample[i].value = ft_law_value(&law, &sample[i].x) * noise->draw(random, a);
	}
	double start = now();
	if (ft_laws_fit(&laws, sample, n, &options, NULL))
		abort();
	double middle = now();
	if (ft_laws_predict(&laws, task->sizes->asked, confidence, FT_LAW_MEAN, &p, NULL))
		abort();
	score->predict_s += now() - middle;
	score->fit_s += middle - start;
	double truth = ft_law_value(&law, &task->sizes->asked);
	score->error[score->n++] = fabs(p.value / truth - 1);
	score->near += fabs(p.value / truth - 1) <= within;
	score->inside += p.lower <= truth && truth <= p.upper;
	score->inside_wide += p.wide_lower <= truth && truth <= p.wide_upper;
	score->width += log(p.upper / p.lower);
	score->width_wide += log(p.wide_upper / p.wide_lower);
}

static void one_line(const struct options *o, const struct task *task, const struct noise *noise,
		     double level, size_t terms)
{
	struct ft_random random = {o->seed};
	struct score score = {.error = malloc(o->functions * sizeof(double))};
	double n = (double)o->functions, share;

	if (!score.error)
		abort();
	for (size_t i = 0; i < o->functions; i++)
		one_function(task, noise, level / 100, terms, &random, &score);
	share = (double)score.near / n;
	printf("%-7s %-9s %3.0f %% %-4s  %5.1f +- %3.1f  %7.2g %7.2g   %5.1f %5.1f  %5.2f %5.2f   %6.1f "
	       "%6.1f",
	       task->name, noise->name, level, terms ? "two" : "auto", 100 * share,
	       100 * sqrt(share * (1 - share) / n), 100 * ft_stats_quantile(score.error, score.n, 0.5),
	       100 * ft_stats_quantile(score.error, score.n, 0.9), 100 * (double)score.inside / n,
	       100 * (double)score.inside_wide / n, exp(score.width / n), exp(score.width_wide / n),
	       1e6 * score.fit_s / n, 1e6 * score.predict_s / n);
	print_aim(task->name, noise->name, level);
	free(score.error);
}

static void print_tasks(const struct options *o)
{
	printf("%zu functions a line, seed %llu; 5 sizes, 5 runs each, from 64 to 1024, asked at 8192\n"
	       "(2^(n/4): from 8 to 40, at 60; n!: from 5 to 9, at 12; extrap: 6 from 4 to 128, at 1024).\n"
	       "median, p90: of the error, %%; in, wide: coverage of both intervals of 90 %%; width: upper / "
	       "lower, "
	       "geometric mean;\nus: microseconds of processor time to fit and to ask; aim: share, p90; "
	       "peer: Extra-P "
	       "4.2 as noted in its own measurement, not run here\n",
	       o->functions, (unsigned long long)o->seed);
	printf("%-7s %-9s %5s %-4s  %-12s  %7s %7s   %5s %5s  %5s %5s   %6s %6s  %-9s  %s\n", "task", "noise",
	       "", "term", "within 20 %", "median", "p90", "in", "wide", "width", "wide", "us fit", "us ask",
	       "aim", "peer");
	for (size_t t = 0; t < sizeof tasks / sizeof *tasks; t++)
		for (size_t k = 0; k < sizeof noises / sizeof *noises; k++)
			for (size_t l = 0; l < sizeof levels / sizeof *levels; l++) {
				if ((o->task && strcmp(o->task, tasks[t].name) != 0) ||
				    (o->noise && strcmp(o->noise, noises[k].name) != 0) ||
				    (!isnan(o->level) && o->level != levels[l]))
					continue;
				one_line(o, &tasks[t], &noises[k], levels[l], o->terms);
				if (!o->terms && tasks[t].two && !k)
					one_line(o, &tasks[t], &noises[k], levels[l], 2);
			}
}

/* ---- a thousand models -----------------------------------------------------------------------------------
 */

static void write_table(FILE *file, const struct options *o)
{
	struct ft_random random = {o->seed};
	struct ft_law law;

	fputs("program,n,wall_s\n", file);
	for (size_t i = 0; i < o->functions; i++) {
		draw_1(&random, &law);
		for (size_t j = 0; j < far.n * RUNS; j++) {
			double x = far.x[j / RUNS];

			fprintf(file, "p%zu,%g,%.6g\n", i, x, ft_law_value(&law, &x) * uniform(&random, 0.1));
		}
	}
}

/* Read the table, and find the law of each program. Returns how many. */
static size_t fit_table(const char *path)
{
	static struct ft_laws laws;
	struct ft_law_sample sample[SIZES * RUNS];
	struct ft_csv *csv;
	size_t n = 0, found = 0;

	if (ft_csv_read(path, 0, &csv, NULL))
		abort();
	for (size_t row = 0; row < ft_csv_rows(csv); row++) {
		if (ft_csv_number(csv, row, 1, false, &sample[n].x, NULL) ||
		    ft_csv_number(csv, row, 2, false, &sample[n].value, NULL))
			abort();
		if (++n < far.n * RUNS)
			continue;
		found += ft_laws_fit(&laws, sample, n, NULL, NULL) == FT_OK;
		n = 0;
	}
	ft_csv_free(csv);
	return found;
}

static int time_models(const struct options *o)
{
	enum { TIMES = 7 };
	char path[] = "/tmp/bench-laws-XXXXXX";
	double seconds[TIMES];
	int file = mkstemp(path), i;
	FILE *stream = file < 0 ? NULL : fdopen(file, "w");
	size_t found = 0;

	if (!stream) {
		perror("bench-laws");
		return 2;
	}
	write_table(stream, o);
	(void)fclose(stream);
	for (i = 0; i < TIMES; i++) {
		double start = now();

		found = fit_table(path);
		seconds[i] = now() - start;
	}
	(void)unlink(path);
	printf("%zu models of %zu runs each, read from a CSV table and fitted: median %.3f s of processor "
	       "time, ",
	       found, far.n * RUNS, ft_stats_median(seconds, TIMES));
	printf("least %.3f s (of %d times); aim 0.2 s for 1000\n", seconds[0], TIMES); /* sorted now */
	return 0;
}

/* ----------------------------------------------------------------------------------------------------------
 */

static bool parse(int argc, char **argv, struct options *o)
{
	const struct word table[] = {
		{"--seed", WORD_COUNT, &o->seed},    {"--functions", WORD_COUNT, &o->functions},
		{"--terms", WORD_COUNT, &o->terms},  {"--task", WORD_TEXT, &o->task},
		{"--noise", WORD_TEXT, &o->noise},   {"--level", WORD_NUMBER, &o->level},
		{"--models", WORD_FLAG, &o->models}, {0},
	};

	*o = (struct options){.seed = 1, .level = NAN};
	if (!words_read(table, argc, argv, NULL))
		return false;
	if (!o->functions)
		o->functions = o->models ? 1000 : 2000;
	return o->terms <= FT_LAW_MIXED;
}

int main(int argc, char **argv)
{
	struct options o;

	if (!parse(argc, argv, &o)) {
		(void)fprintf(stderr, "usage: bench-laws [--seed N] [--functions N] [--task NAME] "
				      "[--noise uniform|lognormal|spikes] [--level 0|2|5|10|20] [--terms K]\n"
				      "       bench-laws --models [--seed N] [--functions N]\n");
		return 2;
	}
	if (o.models)
		return time_models(&o);
	print_tasks(&o);
	return 0;
}
