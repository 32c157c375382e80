/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beyond.c - how far models may be continued: built on the sizes up to a half, a quarter and an eighth of the
 * largest one, asked about the rest.
 *
 *	beyond [--seeds N] [FOLDER]
 *
 * Without a folder only made curves: sums of one and two terms and a constant, with 3 % noise, and the
 * families of `construct`. Then made functions of two and three parameters, on grids, with the laws of the
 *surface (many_2 ...) and without them (plain_2 ...).
 */
#include "base/alloc.h"
#include "foretime/surface.h"
#include "num/stats.h"
#include "replay.h"
#include "words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CUTS = 3, GROUPS_MOST = 64, LAW_SIZES = 60, LAW_SAMPLES = 3, SIZES_LEAST = 5 };
static const double cut[CUTS] = {2, 4, 8}, confidence = 0.9;

/* What was said of the sizes beyond a cut of the curves of a group. */
struct tally {
	char group[64];
	double *error[CUTS]; /* |ln said / median|, one a size */
	double *width[CUTS]; /* ln upper / lower */
	size_t n[CUTS], capacity[CUTS], width_capacity[CUTS];
	size_t inside[CUTS], samples[CUTS];
};

struct table {
	struct tally tally[GROUPS_MOST];
	size_t n;
};

static struct tally *tally_of(struct table *table, const char *group)
{
	size_t i;

	for (i = 0; i < table->n && strcmp(table->tally[i].group, group) != 0; i++)
		;
	if (i == GROUPS_MOST)
		return NULL;
	if (i == table->n)
		(void)snprintf(table->tally[table->n++].group, sizeof table->tally[i].group, "%s", group);
	return &table->tally[i];
}

static void judge(struct tally *tally, int c, const struct ft_prediction *p, double median,
		  const double *sample, size_t samples)
{
	double *error, *width;
	size_t k;

	error = ft_grow(tally->error[c], tally->n[c], &tally->capacity[c], sizeof *error);
	if (error)
		tally->error[c] = error;
	width = ft_grow(tally->width[c], tally->n[c], &tally->width_capacity[c], sizeof *width);
	if (width)
		tally->width[c] = width;
	if (!error || !width)
		return;
	error[tally->n[c]] = fabs(log(p->value / median));
	width[tally->n[c]++] = log(p->upper / fmax(p->lower, 1e-300));
	for (k = 0; k < samples; k++)
		tally->inside[c] += p->lower <= sample[k] && sample[k] <= p->upper;
	tally->samples[c] += samples;
}

static void judge_size(struct tally *tally, int c, const struct ft_model *model,
		       const struct curve_size *size)
{
	struct ft_prediction p;

	if (!ft_model_predict(model, size->n, size->work, confidence, &p, NULL))
		judge(tally, c, &p, size->median, size->sample, size->samples);
}

static void run_curve(struct table *table, struct curve *curve, uint64_t seed)
{
	struct tally *tally = tally_of(table, curve->group);
	int c;

	if (!tally)
		return;
	curve_shuffle(curve, seed);
	for (c = 0; c < CUTS; c++) {
		struct curve part = *curve;
		struct ft_model model;
		size_t i;

		while (part.n && part.size[part.n - 1].n > curve->size[curve->n - 1].n / cut[c])
			part.n--;
		if (part.n < SIZES_LEAST ||
		    replay_model(&part, ft_builder_type_find("adaptive"), 0, &model, NULL))
			continue;
		for (i = part.n; i < curve->n; i++)
			judge_size(tally, c, &model, &curve->size[i]);
		ft_model_clear(&model);
	}
}

/* ---- laws ---------------------------------------------------------------------------------------------- */

static const double powers[] = {0, 0.5, 1, 1, 1.5, 2, 2, 3}, logs[] = {1, 0, 0, 1, 0, 0, 1, 0};
enum { TERMS = sizeof powers / sizeof *powers };

static double term(size_t t, double n)
{
	return pow(n, powers[t]) * pow(log2(n), logs[t]);
}

/* A constant and one or two terms, of random shares at the geometric middle of the sizes. */
static bool make_law(struct curve *out, bool two, uint64_t seed)
{
	struct ft_random random = {seed};
	size_t a = (size_t)(ft_random_uniform(&random) * TERMS),
	       b = (size_t)(ft_random_uniform(&random) * TERMS);
	double middle = 256, ca = pow(10, 2 * ft_random_uniform(&random) - 1) / term(a, middle);
	double cb = two ? pow(10, 2 * ft_random_uniform(&random) - 1) / term(b, middle) : 0;
	size_t i, k;

	*out = (struct curve){0};
	(void)snprintf(out->name, sizeof out->name, "%s", two ? "law_two" : "law_one");
	(void)snprintf(out->group, sizeof out->group, "%s", two ? "law_two" : "law_one");
	out->size = ft_calloc(LAW_SIZES, sizeof *out->size);
	if (!out->size)
		return false;
	for (i = 0; i < LAW_SIZES; i++) {
		struct curve_size *size = &out->size[out->n++];

		size->n = round(16 * pow(512, (double)i / (LAW_SIZES - 1)));
		size->work = 1;
		size->samples = LAW_SAMPLES;
		size->median = 1 + ca * term(a, size->n) + cb * term(b, size->n);
		size->sample = ft_calloc(LAW_SAMPLES, sizeof *size->sample);
		if (!size->sample)
			return false;
		for (k = 0; k < LAW_SAMPLES; k++)
			size->sample[k] = size->median * exp(0.03 * ft_random_normal(&random));
	}
	return true;
}

/* ---- several parameters -------------------------------------------------------------------------------- */

enum { PARAMS_MOST = 3, GRID_MOST = 64, ASKED = 50 };
static const double many_least = 16, many_most = 8192, many_noise = 0.03;
static const size_t levels[PARAMS_MOST + 1] = {0, 0, 6, 4};

/* A constant and one or two products, each of random shapes of some of the parameters; the first of all of
 * them where it is alone. bent: what is large is slower, by up to a factor of 1.8, from a random place on. */
struct many {
	size_t params, terms;
	bool bent;
	double c[2], edge;
	size_t shape[2][PARAMS_MOST]; /* TERMS: it is no factor */
};

static double many_term(const struct many *m, size_t t, const double *x)
{
	double value = 1;
	size_t p;

	for (p = 0; p < m->params; p++)
		if (m->shape[t][p] < TERMS)
			value *= term(m->shape[t][p], x[p]);
	return value;
}

static double many_value(const struct many *m, const double *x)
{
	double value = 1, large = 1;
	size_t t, p;

	for (t = 0; t < m->terms; t++)
		value += m->c[t] * many_term(m, t, x);
	for (p = 0; p < m->params; p++)
		large *= x[p];
	return m->bent ? value * (1 + 0.8 / (1 + pow(m->edge / large, 3))) : value;
}

static struct many make_many(size_t params, size_t kind, struct ft_random *random)
{
	struct many m = {.params = params, .terms = 1 + kind % 2, .bent = kind == 2};
	double middle[PARAMS_MOST] = {256, 256, 256};
	size_t t, p;

	for (t = 0; t < m.terms; t++) {
		for (p = 0; p < params; p++)
			m.shape[t][p] =
				(size_t)(ft_random_uniform(random) * (m.terms > 1 ? TERMS * 1.5 : TERMS));
		m.c[t] = pow(10, 2 * ft_random_uniform(random) - 1) / many_term(&m, t, middle);
	}
	m.edge = pow(many_least * pow(many_most / many_least, ft_random_uniform(random)), (double)params);
	return m;
}

static double many_run(const struct many *m, const double *x, struct ft_random *random)
{
	return many_value(m, x) * exp(many_noise * ft_random_normal(random));
}

/* A grid, geometric, up to `most`. */
static bool fit_grid(const struct many *m, double most, struct ft_random *random, struct ft_surface *out)
{
	static struct ft_surface_observation o[LAW_SAMPLES * GRID_MOST];
	size_t each = levels[m->params], total = 1, i, k, p, n = 0;

	for (p = 0; p < m->params; p++)
		total *= each;
	for (i = 0; i < total; i++) {
		struct ft_size size = {.n = m->params};
		size_t at = i;

		for (p = 0; p < m->params; p++, at /= each)
			size.value[p] = round(many_least * pow(most / many_least,
							       (double)(at % each) / (double)(each - 1)));
		for (k = 0; k < LAW_SAMPLES; k++)
			o[n++] = (struct ft_surface_observation){size, 1, many_run(m, size.value, random)};
	}
	return !ft_surface_fit(out, o, n, false, NULL);
}

static void run_many(struct table *table, size_t params, size_t kind, uint64_t seed)
{
	static const char *const kinds[] = {"one", "two", "bent"};
	struct ft_random random = {seed};
	struct many m = make_many(params, kind, &random);
	struct tally *tally[2];
	char group[64];
	int c;

	(void)snprintf(group, sizeof group, "many_%zu_%s", params, kinds[kind]);
	tally[0] = tally_of(table, group);
	(void)snprintf(group, sizeof group, "plain_%zu_%s", params, kinds[kind]);
	tally[1] = tally_of(table, group);
	if (!tally[0] || !tally[1])
		return;
	for (c = 0; c < CUTS; c++) {
		double most = many_most / cut[c];
		struct ft_surface surface, plain;
		size_t i, p, k;

		if (!fit_grid(&m, most, &random, &surface))
			continue;
		plain = surface;
		plain.outlook = NULL;
		for (i = 0; i < ASKED; i++) {
			struct ft_size size = {.n = params};
			double sample[LAW_SAMPLES];
			struct ft_prediction said;

			for (p = 0; p < params; p++)
				size.value[p] = round(
					many_least * pow(many_most / many_least, ft_random_uniform(&random)));
			size.value[i % params] = round(most * pow(cut[c], ft_random_uniform(&random)) + 1);
			for (k = 0; k < LAW_SAMPLES; k++)
				sample[k] = many_run(&m, size.value, &random);
			for (k = 0; k < 2; k++)
				if (!ft_surface_predict(k ? &plain : &surface, &size, 1, confidence, &said,
							NULL))
					judge(tally[k], c, &said, many_value(&m, size.value), sample,
					      LAW_SAMPLES);
		}
		ft_surface_clear(&surface);
	}
}

/* ---- output -------------------------------------------------------------------------------------------- */

static void print_tally(struct tally *tally)
{
	int c;

	printf("%-18s", tally->group);
	for (c = 0; c < CUTS; c++) {
		if (!tally->n[c]) {
			printf("  |%32s", "-");
			continue;
		}
		printf("  | %6.1f %6.1f %6.1f %5.2f %5zu",
		       100 * (exp(ft_stats_quantile(tally->error[c], tally->n[c], 0.5)) - 1),
		       100 * (exp(ft_stats_quantile(tally->error[c], tally->n[c], 0.9)) - 1),
		       100 * (double)tally->inside[c] / (double)tally->samples[c],
		       exp(ft_stats_quantile(tally->width[c], tally->n[c], 0.5) / 2), tally->n[c]);
		ft_free(tally->error[c]);
		ft_free(tally->width[c]);
	}
	putchar('\n');
}

int main(int argc, char **argv)
{
	static struct table table;
	const char *folder = NULL;
	uint64_t seeds = 1, seed;
	const struct word words[] = {{"--seeds", WORD_COUNT, &seeds}, {0}};
	struct curve curve;
	size_t i;

	if (!words_read(words, argc, argv, &folder))
		return fprintf(stderr, "usage: beyond [--seeds N] [FOLDER]\n"), 2;
	for (seed = 1; seed <= seeds; seed++) {
		for (i = 0; i < 100; i++) {
			if (make_law(&curve, i % 2, seed * 1000 + i))
				run_curve(&table, &curve, seed);
			curve_clear(&curve);
		}
		for (i = 0; curve_make_family(&curve, i, seed); i++) {
			run_curve(&table, &curve, seed);
			curve_clear(&curve);
		}
		for (i = 0; folder && curve_next(&curve, folder, &i);) {
			run_curve(&table, &curve, seed);
			curve_clear(&curve);
		}
	}
	for (seed = 1; seed <= seeds; seed++)
		for (i = 0; i < 120; i++)
			run_many(&table, 2 + i % 2, i / 2 % 3, seed * 1000 + i);
	printf("Errors of models beyond their data (%%), share of samples inside the 90 %% interval (%%), "
	       "its width "
	       "(a factor to\neither side), and how many sizes, by how much larger than the largest size "
	       "known they "
	       "are at most.\n\n%-18s",
	       "");
	for (i = 0; i < CUTS; i++)
		printf("  | up to %-2.0fx:                     ", cut[i]);
	printf("\n%-18s", "group");
	for (i = 0; i < CUTS; i++)
		printf("  | median    p90 inside width sizes");
	putchar('\n');
	for (i = 0; i < table.n; i++)
		print_tally(&table.tally[i]);
	return 0;
}
