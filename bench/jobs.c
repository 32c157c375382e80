/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jobs.c - data-parallel jobs over three parameters: how near a model of a few configurations is to all
 * others.
 *
 *	jobs [--seeds N] [--from SEED] [--kind K]
 *
 * Made jobs of data d (GB), machines m, and cores c or memory r (GB) of each: work that is shared out, a
 * shuffle, what grows with the machines, iterations; a cliff where the share of one machine no longer fits
 * its memory; tasks in waves. Coefficients, limits, factors and noise are drawn anew for each job. Of a grid
 * of 60 to 200 configurations 24, 36 or 48 are known, each run once, chosen at random; errors are judged at
 * the others. Beside the model: non-negative least squares of relative errors on 1, d/(m c), d/m, log m, m.
 *
 * Source of the specialist: Venkataraman et al., Ernest, NSDI 2016. Interval score: Gneiting and Raftery
 * 2007, of logarithms. ask ms: processor time of 125 predictions.
 */
#include "base/random.h"
#include "foretime/model.h"
#include "num/num.h"
#include "words.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

enum {
	PARAMS = 3,
	GRID_MOST = 220,
	KNOWN_MOST = 48,
	FEATURES = 5,
	ERRORS_MOST = 20000,
	SHOWN = 2,
	ASKED = 125
};
enum {
	MEMORY = 1,
	CLIFF = 2,
	ALL = 4,
	SPILL = 8,
	WAVES = 16,
	TREE = 32,
	CORE = 64,
	POWER = 128,
	UNEVEN = 256
};
static const double confidence = 0.9;

static const struct kind {
	const char *name;
	int traits;
} kinds[] = {
	{"scan", 0},
	{"sort", POWER},
	{"tree", TREE},
	{"uneven", UNEVEN},
	{"waves", WAVES},
	{"memory", MEMORY},
	{"cached", CLIFF},
	{"cached, all", CLIFF | ALL},
	{"cached, tree", CLIFF | TREE},
	{"cached, waves", CLIFF | WAVES},
	{"cached, by core", CLIFF | CORE},
	{"memory, cliff", CLIFF | MEMORY},
	{"spill", CLIFF | SPILL},
	{"memory, spill", CLIFF | MEMORY | SPILL},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* A job: shares of the terms at the middle of the grid, and what makes it jump. */
struct job {
	int traits;
	double value[PARAMS][8];
	size_t n[PARAMS];
	double middle[PARAMS];
	double start, shared, shuffle, tree, each, power, core_power, limit, factor, part, noise;
};

static double between(struct ft_random *random, double least, double most)
{
	return least * pow(most / least, ft_random_uniform(random));
}

/* What has to fit, for the memory of one machine or core. */
static double load_of(const struct job *j, const double *x)
{
	double load = x[0] / x[1];

	return j->traits & (MEMORY | CORE) ? load / x[2] : load;
}

static double seconds_of(const struct job *j, const double *x)
{
	double cores = j->traits & MEMORY ? 1 : pow(x[2] / j->middle[2], j->core_power);
	double d = x[0] / j->middle[0], m = x[1] / j->middle[1];
	double shared = j->shared * pow(d, j->power) / (m * cores), rest;

	if (j->traits & WAVES) {
		double slots = x[1] * (j->traits & MEMORY ? 1 : x[2]);

		shared = j->shared * ceil(x[0] / j->part / slots) /
			 fmax(1, j->middle[0] / j->part / (j->middle[1] * j->middle[2]));
	}
	if (j->traits & UNEVEN) /* the largest part is not divided */
		shared = fmax(shared, 0.7 * j->shared * d);
	rest = j->shuffle * d / m + j->tree * log2(x[1]) / log2(j->middle[1]) + j->each * m;
	if (j->traits & CLIFF) {
		double over = load_of(j, x) / j->limit, factor = over > 1 ? j->factor : 1;

		if (j->traits & SPILL)
			factor = over > 1 ? 1 + (j->factor - 1) * (1 - 1 / over) : 1;
		shared *= factor;
		rest *= j->traits & ALL ? factor : 1;
	}
	return j->start + shared + rest;
}

static int by_value(const void *a, const void *b)
{
	const double *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

static size_t lattice(const struct job *j, struct ft_size *size)
{
	size_t n = 0;

	for (size_t a = 0; a < j->n[0]; a++)
		for (size_t b = 0; b < j->n[1]; b++)
			for (size_t c = 0; c < j->n[2]; c++)
				size[n++] = (struct ft_size){
					PARAMS, {j->value[0][a], j->value[1][b], j->value[2][c]}};
	return n;
}

static struct job make(int traits, struct ft_random *random)
{
	struct job j = {.traits = traits};
	struct ft_size size[GRID_MOST];
	double load[GRID_MOST];

	do
		for (size_t p = 0; p < PARAMS; p++)
			j.n[p] = (p == 2 ? 3 : 4) + ft_random_below(random, p == 2 ? 2 : 5);
	while (j.n[0] * j.n[1] * j.n[2] < 60 || j.n[0] * j.n[1] * j.n[2] > 200);
	double first = between(random, 2, 20), step = between(random, 1.5, 2.2);
	double machines = 2 + (double)ft_random_below(random, 3);
	for (size_t i = 0; i < 8; i++) {
		j.value[0][i] = round(10 * first * pow(step, (double)i)) / 10;
		j.value[1][i] = machines + (double)i * (traits % 3 ? 2 : 3);
		j.value[2][i] = pow(2, (double)i + (traits & MEMORY ? 3 : 0));
	}
	for (size_t p = 0; p < PARAMS; p++)
		j.middle[p] = j.value[p][j.n[p] / 2];
	j.start = between(random, 2, 20);
	j.shared = between(random, 30, 300);
	j.shuffle = between(random, 1, 60);
	j.tree = between(random, 1, traits & TREE ? 60 : 10);
	j.each = between(random, 0.5, traits & TREE ? 40 : 8);
	j.power = traits & POWER ? 1 + 0.15 * ft_random_uniform(random) : 1;
	j.core_power = 0.6 + 0.4 * ft_random_uniform(random);
	j.factor = between(random, 1.5, 6);
	j.part = j.middle[0] / (double)(20 + ft_random_below(random, 100));
	j.noise = 0.03 + 0.07 * ft_random_uniform(random);
	size_t n = lattice(&j, size);
	for (size_t i = 0; i < n; i++)
		load[i] = load_of(&j, size[i].value);
	qsort(load, n, sizeof *load, by_value);
	/* It fits at a fifth to four fifths of all. */
	size_t at = n / 5 + ft_random_below(random, 3 * n / 5);
	j.limit = load[at] * between(random, 0.97, 1.03);
	return j;
}

/* ---- who answers ----------------------------------------------------------------------------------------
 */

static void features(const double *x, double *out)
{
	out[0] = 1;
	out[1] = x[0] / (x[1] * x[2]);
	out[2] = x[0] / x[1];
	out[3] = log(x[1]);
	out[4] = x[1];
}

static void fit_specialist(const struct ft_observation *o, size_t n, double *c)
{
	double a[KNOWN_MOST * FEATURES], y[KNOWN_MOST];

	for (size_t i = 0; i < n; i++) {
		features(o[i].size.value, a + i * FEATURES);
		for (size_t k = 0; k < FEATURES; k++)
			a[i * FEATURES + k] /= o[i].value;
		y[i] = 1;
	}
	ft_nnls(a, y, n, FEATURES, c);
}

static double specialist_at(const double *c, const double *x)
{
	double f[FEATURES], sum = 0;

	features(x, f);
	for (size_t k = 0; k < FEATURES; k++)
		sum += c[k] * f[k];
	return sum;
}

/* ---- judging --------------------------------------------------------------------------------------------
 */

struct tally {
	double error[SHOWN][ERRORS_MOST], inside, score;
	double fit_ms, ask_ms; /* processor time of all fits, and of all predictions */
	size_t n, fits;
};

static void judge(const struct job *j, const struct ft_size *size, size_t n, size_t known,
		  const struct ft_model *model, const double *c, struct ft_random *random,
		  struct tally *tally)
{
	for (size_t i = known; i < n && tally->n < ERRORS_MOST; i++) {
		double truth = seconds_of(j, size[i].value);
		double run = truth * exp(j->noise * ft_random_normal(random));
		struct ft_prediction p;

		if (ft_model_predict(model, &size[i], 1, confidence, &p, NULL))
			continue;
		tally->error[0][tally->n] = fabs(p.value / truth - 1);
		tally->error[1][tally->n++] = fabs(specialist_at(c, size[i].value) / truth - 1);
		tally->inside += p.lower <= run && run <= p.upper;
		tally->score += log(p.upper / p.lower) +
				2 / (1 - confidence) * fmax(0, fmax(log(p.lower / run), log(run / p.upper)));
	}
}

static void try_job(int traits, uint64_t seed, struct tally *tally)
{
	static const size_t axis[] = {0, 1, 2};
	struct ft_random random = {seed};
	struct job j = make(traits, &random);
	struct ft_size size[GRID_MOST];
	struct ft_observation o[KNOWN_MOST];
	size_t n = lattice(&j, size), known = 24 + 12 * (seed % 3);
	struct ft_model *model;
	double c[FEATURES];

	ft_random_shuffle(&random, size, n, sizeof *size);
	for (size_t i = 0; i < known; i++)
		o[i] = (struct ft_observation){.size = size[i],
					       .work = 1,
					       .value = seconds_of(&j, size[i].value) *
							exp(j.noise * ft_random_normal(&random))};
	clock_t from = clock();
	if (ft_model_fit(&model, o, known, &(struct ft_model_options){.axis = axis, .n_axes = PARAMS}, NULL))
		return;
	tally->fit_ms += 1e3 * (double)(clock() - from) / CLOCKS_PER_SEC;
	tally->fits++;
	fit_specialist(o, known, c);
	from = clock();
	judge(&j, size, n, known, model, c, &random, tally);
	tally->ask_ms += 1e3 * (double)(clock() - from) / CLOCKS_PER_SEC;
	ft_model_free(model);
}

static void print(const char *name, const struct tally *tally)
{
	static double sorted[ERRORS_MOST];

	printf("%-16s |", name);
	for (size_t s = 0; s < SHOWN; s++) {
		double mean = 0;

		for (size_t i = 0; i < tally->n; i++) {
			sorted[i] = tally->error[s][i];
			mean += sorted[i] / (double)tally->n;
		}
		printf(" %5.1f  %5.1f", 100 * mean, 100 * ft_stats_quantile(sorted, tally->n, 0.95));
		if (!s)
			printf("  %6.1f  %5.2f  %6.0f  %6.1f |", 100 * tally->inside / (double)tally->n,
			       tally->score / (double)tally->n, tally->fit_ms / (double)tally->fits,
			       ASKED * tally->ask_ms / (double)tally->n);
	}
	putchar('\n');
	fflush(stdout);
}

static void add(struct tally *all, const struct tally *tally)
{
	for (size_t i = 0; i < tally->n && all->n < ERRORS_MOST; i++, all->n++)
		for (size_t s = 0; s < SHOWN; s++)
			all->error[s][all->n] = tally->error[s][i];
	all->inside += tally->inside;
	all->score += tally->score;
	all->fit_ms += tally->fit_ms;
	all->ask_ms += tally->ask_ms;
	all->fits += tally->fits;
}

int main(int argc, char **argv)
{
	static struct tally group[2], tally;
	static const char *const names[] = {"no cliff", "cliff"};
	uint64_t seeds = 12, first = 1, only = KINDS;
	const char *none = NULL;
	const struct word words[] = {{"--seeds", WORD_COUNT, &seeds},
				     {"--from", WORD_COUNT, &first},
				     {"--kind", WORD_COUNT, &only},
				     {0}};

	if (!words_read(words, argc, argv, &none) || none)
		return fprintf(stderr, "usage: jobs [--seeds N] [--from SEED] [--kind K]\n"), 2;
	printf("%-16s |  mean    p95  inside  score  fit ms  ask ms | specialist: mean, p95 (%%)\n", "");
	for (size_t k = 0; k < KINDS; k++) {
		if (only < KINDS && k != only)
			continue;
		tally = (struct tally){.n = 0};
		for (uint64_t seed = first; seed < first + seeds; seed++)
			try_job(kinds[k].traits, 1000 * (k + 1) + seed, &tally);
		print(kinds[k].name, &tally);
		add(&group[kinds[k].traits & CLIFF ? 1 : 0], &tally);
	}
	for (size_t g = 0; g < 2 && only >= KINDS; g++)
		print(names[g], &group[g]);
	return 0;
}
