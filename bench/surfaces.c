/* SPDX-License-Identifier: GPL-3.0-or-later */
/* surfaces.c - whether models over two and three parameters keep their promise: made functions, measured
 *where the adaptive builder asks or on a grid, then asked inside and up to 2 and 4 times beyond.
 *
 *	surfaces [--seeds N]
 *
 * Of each kind of function: the median error (%), the share of single runs inside the 90 % interval (%) and
 * its median width (a factor to either side), with noises of 1, 3 and 10 %.
 */
#include "base/random.h"
#include "foretime/grid.h"
#include "foretime/model.h"
#include "num/stats.h"
#include "words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PARAMS = 3, RUNS_MOST = 2000, ASKED = 60, PLACES = 3, SHOWN_MOST = 4000 };
static const double least = 16, most = 1024, noises[] = {0.01, 0.03, 0.1}, beyond[PLACES] = {1, 2, 4};

/* Two products of powers and logarithms, put together in one of several ways. */
static const char *const kinds[] = {"product", "sum", "min", "max", "parity", "bent"};
enum { PRODUCT, SUM, MIN, MAX, PARITY, BENT, KINDS };

struct made {
	size_t params;
	int kind;
	double power[2][PARAMS], log[2][PARAMS], factor[2], constant, edge;
	double noise;
};

static double term(const struct made *m, size_t t, const double *x)
{
	double value = m->factor[t];
	size_t p;

	for (p = 0; p < m->params; p++)
		value *= pow(x[p], m->power[t][p]) * pow(log2(x[p]), m->log[t][p]);
	return value;
}

static double value_of(const struct made *m, const double *x)
{
	double a = term(m, 0, x), b = term(m, 1, x), large = 1;
	size_t p;

	for (p = 0; p < m->params; p++)
		large *= x[p];
	switch (m->kind) {
	case SUM:
		return m->constant + a + b;
	case MIN:
		return m->constant + fmin(a, b);
	case MAX:
		return m->constant + fmax(a, b);
	case PARITY:
		return a * (fmod(x[0], 2) > 0 ? 1.3 : 1);
	case BENT:
		return a * (1 + 0.8 / (1 + pow(m->edge / large, 2)));
	default:
		return a;
	}
}

static struct made make(size_t params, int kind, double noise, struct ft_random *random)
{
	static const double powers[] = {0, 0.5, 1, 1, 1, 2, 2};
	struct made m = {.params = params, .kind = kind, .noise = noise, .factor = {1, 1}};
	double middle[PARAMS] = {128, 128, 128};
	size_t t, p;

	for (t = 0; t < 2; t++) {
		for (p = 0; p < params; p++) {
			m.power[t][p] = powers[ft_random_below(random, 7)];
			m.log[t][p] = ft_random_uniform(random) < 0.25;
		}
		m.factor[t] = 1e-3 * pow(10, 2 * ft_random_uniform(random) - 1) / term(&m, t, middle);
	}
	m.constant = ft_random_uniform(random) < 0.5 ? 1e-3 : 0;
	m.edge = pow(least * pow(most / least, ft_random_uniform(random)), (double)params);
	return m;
}

static double run(const struct made *m, const struct ft_size *size, struct ft_random *random)
{
	return value_of(m, size->value) * exp(m->noise * ft_random_normal(random));
}

/* ---- two ways to choose sizes ---------------------------------------------------------------------------
 */

static size_t grid(const struct made *m, struct ft_observation *o, struct ft_random *random)
{
	size_t each = m->params == 2 ? 6 : 4, total = m->params == 2 ? 36 : 64, i, p, k, n = 0;

	for (i = 0; i < total; i++) {
		struct ft_size size = {.n = m->params};
		size_t at = i;

		for (p = 0; p < m->params; p++, at /= each)
			size.value[p] =
				round(least * pow(most / least, (double)(at % each) / (double)(each - 1)));
		for (k = 0; k < 2; k++)
			o[n++] = (struct ft_observation){size, 1, run(m, &size, random), 0};
	}
	return n;
}

static size_t adaptive(const struct made *m, struct ft_observation *o, struct ft_random *random)
{
	struct ft_grid_options options = {.n_params = m->params, .tolerance = 0.1, .confidence = 0.9};
	struct ft_grid_builder *builder;
	struct ft_size size;
	size_t n = 0, asked, i, k, p;

	for (p = 0; p < m->params; p++)
		options.space[p] = (struct ft_space){.least = least, .most = most, .stride = 1};
	if (ft_grid_builder_new(&builder, ft_builder_type_find("adaptive"), &options, NULL))
		return 0;
	while (n < RUNS_MOST && !ft_grid_builder_ask(builder, &size, 1, &asked, NULL) && asked) {
		double seconds[32];

		o[n++] = (struct ft_observation){size, 1, run(m, &size, random), 0};
		for (i = 0, k = 0; i < n; i++)
			if (k < 32 && ft_size_equal(&o[i].size, &size))
				seconds[k++] = o[i].value;
		if (ft_grid_builder_tell(builder, &size, seconds, k, false, NULL))
			break;
	}
	ft_grid_builder_free(builder);
	return n;
}

/* ---- judging --------------------------------------------------------------------------------------------
 */

struct tally {
	double error[SHOWN_MOST], width[SHOWN_MOST];
	size_t n, inside;
};

static void judge(struct tally *tally, const struct made *m, const struct ft_model *s, double far,
		  struct ft_random *random)
{
	size_t params = m->params, i, p;

	for (i = 0; i < ASKED && tally->n < SHOWN_MOST; i++) {
		struct ft_size size = {.n = params};
		struct ft_prediction said;
		double sample;

		for (p = 0; p < params; p++)
			size.value[p] = round(least * pow(far * most / least, ft_random_uniform(random)));
		if (far > 1)
			size.value[params > 1 ? i % params : 0] =
				round(most * pow(far, ft_random_uniform(random)) + 1);
		if (ft_model_predict(s, &size, 1, 0.9, &said, NULL))
			continue;
		sample = run(m, &size, random);
		tally->inside += said.lower <= sample && sample <= said.upper;
		tally->error[tally->n] = fabs(log(said.value / value_of(m, size.value)));
		tally->width[tally->n++] = log(said.upper / fmax(said.lower, 1e-300)) / 2;
	}
}

static void print(struct tally *tally)
{
	if (!tally->n) {
		printf("  |                   -");
		return;
	}
	printf("  | %6.1f %6.1f %6.2f", 100 * expm1(ft_stats_quantile(tally->error, tally->n, 0.5)),
	       100 * (double)tally->inside / (double)tally->n,
	       exp(ft_stats_quantile(tally->width, tally->n, 0.5)));
	*tally = (struct tally){.n = 0};
}

int main(int argc, char **argv)
{
	static struct ft_observation o[RUNS_MOST];
	static struct tally tally[PLACES];
	static const size_t axis[] = {0, 1, 2};
	uint64_t seeds = 4, seed;
	const struct word words[] = {{"--seeds", WORD_COUNT, &seeds}, {0}};
	const char *none = NULL;
	size_t params, way, place, i;
	int kind;

	if (!words_read(words, argc, argv, &none) || none)
		return fprintf(stderr, "usage: surfaces [--seeds N]\n"), 2;
	printf("%-22s  | inside                | up to 2 x             | up to 4 x\n%-22s", "", "");
	for (place = 0; place < PLACES; place++)
		printf("  | median inside  width");
	putchar('\n');
	for (params = 2; params <= PARAMS; params++)
		for (way = 0; way < 2; way++)
			for (kind = 0; kind < KINDS; kind++) {
				for (seed = 0; seed < seeds * 3; seed++) {
					struct ft_random random = {1 + seed + 1000 * (uint64_t)kind +
								   100000 * params};
					struct made m = make(params, kind, noises[seed % 3], &random);
					struct ft_model_options options = {.axis = axis, .n_axes = params};
					struct ft_model *s;
					size_t n = (way ? adaptive : grid)(&m, o, &random);

					if (ft_model_fit(&s, o, n, &options, NULL))
						continue;
					for (place = 0; place < PLACES; place++)
						judge(&tally[place], &m, s, beyond[place], &random);
					ft_model_free(s);
				}
				printf("%zu %-8s %-10s ", params, way ? "adaptive" : "grid", kinds[kind]);
				for (i = 0; i < PLACES; i++)
					print(&tally[i]);
				putchar('\n');
			}
	return 0;
}
