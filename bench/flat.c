/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flat.c - memory that does not grow, hardly grows, or begins to: how often an upper end holds beyond the
 *data, and how far it lies above what is true.
 *
 *	bench-flat [--seed N] [--curves N]
 *
 * Curves of 5 to 16 sizes over a factor of 16 to 1000, each run once to three times, in whole pages with
 *0.001 to 0.3 % more (pages), or with noise of 0.3 to 3 %. Prints Markdown. */
#include "base/random.h"
#include "foretime/model.h"
#include "words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double beyond[] = {1.08, 4, 10, 100}, confidence = 0.95;
enum { BEYOND = sizeof beyond / sizeof *beyond, SIZES_MOST = 16, RUNS_MOST = 3 };

static const double page = 4096;

struct curve {
	double start, exponent, share, slow, kink, phase; /* bytes; what kinds make of the others */
	double least, most, noise;
};

static double flat(const struct curve *c, double x)
{
	(void)x;
	return c->start;
}

/* A constant that is 100 times the rest at the first size. */
static double behind_start(const struct curve *c, double x)
{
	return c->start * (1 + 0.01 * pow(x / c->least, c->exponent));
}

/* The rest is 0.01 to 30 % of the constant at the largest size. */
static double hidden(const struct curve *c, double x)
{
	return c->start * (1 + c->share * pow(x / c->most, c->exponent));
}

/* The larger one of two phases: anywhere up to 30 times beyond the data. */
static double kinked(const struct curve *c, double x)
{
	return c->start * fmax(1, pow(x / c->kink, c->exponent));
}

static double logarithm(const struct curve *c, double x)
{
	return c->start * (1 + 0.7 * c->slow * log2(x));
}

static double slow_power(const struct curve *c, double x)
{
	return c->start * pow(x / c->least, c->slow);
}

static double growth(const struct curve *c, double x)
{
	return c->start * pow(x / c->least, c->exponent);
}

/* Buffers that double. */
static double doubling(const struct curve *c, double x)
{
	return c->start * (1 + pow(2, ceil(log2(x / c->least) + c->phase)) / 2);
}

static const struct kind {
	const char *name;
	double (*at)(const struct curve *curve, double x);
} kinds[] = {
	{"flat", flat},
	{"behind a start of 100 times", behind_start},
	{"0.01 to 30 % of the largest", hidden},
	{"flat, then growing, anywhere", kinked},
	{"1 + s log n, s to 0.2", logarithm},
	{"n^s, s to 0.3", slow_power},
	{"n^0.5 to n^2", growth},
	{"buffers that double", doubling},
};

static double between(struct ft_random *r, double a, double b)
{
	return a * pow(b / a, ft_random_uniform(r));
}

static struct curve make(bool noisy, struct ft_random *r)
{
	static const double exponents[] = {0.5, 1, 1.5, 2};
	struct curve c = {.start = between(r, 2e6, 5e8),
			  .exponent = exponents[ft_random_below(r, 4)],
			  .share = between(r, 1e-4, 0.3),
			  .slow = between(r, 0.01, 0.3),
			  .phase = ft_random_uniform(r),
			  .least = between(r, 10, 1e5),
			  .noise = noisy ? between(r, 0.003, 0.03) : between(r, 1e-5, 0.003)};

	c.most = c.least * between(r, 16, 1000);
	c.kink = between(r, c.least, 30 * c.most);
	return c;
}

/* A run; pages are never fewer than the curve says. */
static double run_of(const struct kind *kind, const struct curve *c, double x, bool noisy,
		     struct ft_random *r)
{
	double z = ft_random_normal(r);

	return page * ceil(kind->at(c, x) * exp(c->noise * (noisy ? z : fabs(z))) / page);
}

static struct ft_model *learn(const struct kind *kind, const struct curve *c, bool noisy, struct ft_random *r)
{
	struct ft_observation observation[SIZES_MOST * RUNS_MOST];
	const struct ft_model_options options = {.step = 1};
	size_t sizes = 5 + ft_random_below(r, SIZES_MOST - 4), runs = 1 + ft_random_below(r, RUNS_MOST),
	       n = 0;
	struct ft_model *model = NULL;
	struct ft_err err;

	for (size_t i = 0; i < sizes; i++)
		for (size_t k = 0; k < runs; k++) {
			double x = round(c->least * pow(c->most / c->least, (double)i / ((double)sizes - 1)));

			observation[n++] = (struct ft_observation){
				{1, {x}}, 1, run_of(kind, c, x, noisy, r), 0, 0, false, 0, 0, 0};
		}
	if (ft_model_fit(&model, observation, n, &options, &err))
		(void)fprintf(stderr, "bench-flat: %s\n", err.text);
	return model;
}

static int compare(const void *a, const void *b)
{
	const double *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

static void judge(const struct kind *kind, bool noisy, size_t curves, uint64_t seed)
{
	struct ft_random r = {seed};
	double *over[BEYOND];
	size_t held[BEYOND] = {0}, n = 0, i, k;

	for (k = 0; k < BEYOND; k++)
		over[k] = calloc(curves + 1, sizeof *over[k]);
	for (i = 0; i < curves; i++) {
		struct curve c = make(noisy, &r);
		struct ft_model *model = learn(kind, &c, noisy, &r);

		for (k = 0; k < BEYOND && model; k++) {
			double x = round(c.most * beyond[k]), run = run_of(kind, &c, x, noisy, &r);
			struct ft_prediction p;

			if (ft_model_predict(model, &(struct ft_size){1, {x}}, 1, confidence, &p, NULL))
				continue;
			held[k] += run <= p.upper;
			over[k][n] = p.upper / kind->at(&c, x);
		}
		n += model != NULL;
		ft_model_free(model);
	}
	printf("| %s | %s |", kind->name, noisy ? "0.3 to 3 %" : "pages");
	for (k = 0; k < BEYOND; k++) {
		qsort(over[k], n, sizeof *over[k], compare);
		printf(" %.1f, %.2f, %.3g |", 100 * (double)held[k] / (double)n, over[k][n / 2],
		       over[k][n * 9 / 10]);
		free(over[k]);
	}
	putchar('\n');
}

int main(int argc, char **argv)
{
	uint64_t seed = 1, curves = 400;
	const char *rest = NULL;
	const struct word table[] = {
		{"--seed", WORD_COUNT, &seed},
		{"--curves", WORD_COUNT, &curves},
		{0},
	};

	if (!words_read(table, argc, argv, &rest) || rest || !curves) {
		(void)fprintf(stderr, "usage: bench-flat [--seed N] [--curves N]\n");
		return 2;
	}
	puts("| memory | runs | x1.08 | x4 | x10 | x100 |\n|---|---|---|---|---|---|");
	for (size_t i = 0; i < 2 * sizeof kinds / sizeof *kinds; i++)
		judge(&kinds[i / 2], i % 2, curves, seed + i);
	return 0;
}
