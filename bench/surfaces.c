/* SPDX-License-Identifier: GPL-3.0-or-later */
/* surfaces.c - whether models over two and three parameters keep their promise: made functions, measured
 * where the adaptive builder asks or on a grid, then asked inside and up to 2 and 4 times beyond.
 *
 *	surfaces [--seeds N] [--model TYPE] [--only cliffs|beyond]
 *
 * Cliffs: 168 sizes of two parameters, three functions, each as it is, with a cache edge, and with paging,
 * which come with the footprint; noise 2 %. What the builder's model is worth, and what it cost by the
 * largest run.
 *
 * Beyond: of each kind of function the median error (%), the share of single runs inside the 90 % interval
 * (%) and its median width (a factor to either side), with noises of 1, 3 and 10 %.
 */
#include "base/random.h"
#include "foretime/build.h"
#include "foretime/model.h"
#include "num/stats.h"
#include "words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

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
			o[n++] = (struct ft_observation){size, 1, run(m, &size, random), 0, 0};
	}
	return n;
}

static size_t adaptive(const struct made *m, struct ft_observation *o, struct ft_random *random)
{
	struct ft_build_options options = {.n_params = m->params, .tolerance = 0.1, .confidence = 0.9};
	struct ft_builder *builder;
	struct ft_size size;
	size_t n = 0, asked, i, k, p;

	for (p = 0; p < m->params; p++)
		options.space[p] = (struct ft_space){.least = least, .most = most, .stride = 1};
	if (ft_builder_new(&builder, ft_builder_type_find("adaptive"), &options, NULL))
		return 0;
	while (n < RUNS_MOST && !ft_builder_ask(builder, &size, 1, &asked, NULL) && asked) {
		double seconds[32];

		o[n++] = (struct ft_observation){size, 1, run(m, &size, random), 0, 0};
		for (i = 0, k = 0; i < n; i++)
			if (k < 32 && ft_size_equal(&o[i].size, &size))
				seconds[k++] = o[i].value;
		if (ft_builder_tell(builder, &size, &(struct ft_build_told){.seconds = seconds, .n = k},
				    NULL))
			break;
	}
	ft_builder_free(builder);
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

/* ---- cliffs ---------------------------------------------------------------------------------------------
 */

enum { NX = 14, NP = 12, CLIFF_RUNS = 3000, SHAPES = 3, ENDS = 3 };
static const char *const shapes[] = {"nx^3", "nx np", "nx^2/np"}, *const ends[] = {"plain", "edge", "paging"};

/* A function of two parameters, what it does to memory, and where that ends. */
struct cliff {
	int shape, end;
	double nx[NX], np[NP];
	double limit; /* bytes */
};

static double bytes_of(const struct cliff *c, const double *x)
{
	static const double base = 2e6;

	if (c->shape == 0)
		return base + 24 * x[0] * x[0];
	return base + (c->shape == 1 ? 64 * x[0] * x[1] : 64 * x[0] * x[0] / x[1]);
}

static double seconds_of(const struct cliff *c, const double *x)
{
	double t = 1e-3, over = log(bytes_of(c, x) / c->limit);

	t += c->shape == 0   ? 2e-10 * pow(x[0], 3)
	     : c->shape == 1 ? 4e-8 * x[0] * x[1]
			     : 3e-8 * x[0] * x[0] / x[1];
	if (c->end == 1 && over > 0)
		t *= 1.6;
	if (c->end == 2 && over > 0)
		t *= 1 + 6 * fmin(1, over / 0.3);
	return t;
}

static int compare_doubles(const void *a, const void *b)
{
	const double *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

static struct cliff make_cliff(int shape, int end)
{
	static const double shares[ENDS] = {1, 0.55, 0.93};
	struct cliff c = {.shape = shape, .end = end};
	double bytes[NX * NP];
	size_t i;

	for (i = 0; i < NX; i++)
		c.nx[i] = round(100 * pow(60, (double)i / (NX - 1)));
	for (i = 0; i < NP; i++)
		c.np[i] = round(4 * pow(128, (double)i / (NP - 1)));
	for (i = 0; i < NX * NP; i++)
		bytes[i] = bytes_of(&c, (double[]){c.nx[i % NX], c.np[i / NX]});
	qsort(bytes, NX * NP, sizeof *bytes, compare_doubles);
	c.limit = end ? bytes[(size_t)(shares[end] * NX * NP)] * 0.97 : INFINITY;
	return c;
}

/* What one build is worth. */
struct worth {
	double runs, cost, mean, p95, told, inside, ask_ms;
	bool silent;
};

static size_t build_cliff(const struct cliff *c, struct ft_observation *o, struct ft_random *random,
			  struct worth *w)
{
	struct ft_build_options options = {.n_params = 2, .tolerance = 0.1, .confidence = 0.9};
	struct ft_builder *builder;
	struct ft_size size;
	size_t n = 0, asked, i, k;

	options.space[0] =
		(struct ft_space){.least = c->nx[0], .most = c->nx[NX - 1], .sizes = c->nx, .n_sizes = NX};
	options.space[1] =
		(struct ft_space){.least = c->np[0], .most = c->np[NP - 1], .sizes = c->np, .n_sizes = NP};
	if (ft_builder_new(&builder, ft_builder_type_find("adaptive"), &options, NULL))
		return 0;
	while (n < CLIFF_RUNS) {
		double seconds[64];
		clock_t from;

		if (ft_builder_ask(builder, &size, 1, &asked, NULL) || !asked)
			break;
		o[n++] = (struct ft_observation){
			size, 1, seconds_of(c, size.value) * exp(0.02 * ft_random_normal(random)), 0,
			bytes_of(c, size.value)};
		for (i = 0, k = 0; i < n; i++)
			if (k < 64 && ft_size_equal(&o[i].size, &size))
				seconds[k++] = o[i].value;
		from = clock(); /* what it wants next is decided when it is told */
		if (ft_builder_tell(builder, &size,
				    &(struct ft_build_told){.seconds = seconds,
							    .n = k,
							    .footprint_bytes = bytes_of(c, size.value)},
				    NULL))
			break;
		w->ask_ms += 1e3 * (double)(clock() - from) / CLOCKS_PER_SEC;
		w->cost += o[n - 1].value;
	}
	ft_builder_free(builder);
	w->runs = (double)n;
	w->ask_ms /= fmax(1, w->runs);
	return n;
}

static void judge_cliff(const struct cliff *c, const struct ft_observation *o, size_t n,
			const struct ft_model *model, struct ft_random *random, struct worth *w)
{
	double error[NX * NP], largest = 0, inside = 0, asked = 0;
	size_t i, k;

	for (i = 0; i < NX * NP; i++) {
		struct ft_size size = {2, {c->nx[i % NX], c->np[i / NX]}};
		double truth = seconds_of(c, size.value);
		struct ft_prediction said;
		bool known = false;

		largest = fmax(largest, truth);
		if (ft_model_predict(model, &size, 1, 0.9, &said, NULL))
			said = (struct ft_prediction){0};
		error[i] = fabs(said.value / truth - 1);
		w->mean += error[i] / (NX * NP);
		for (k = 0; k < n && !known; k++)
			known = ft_size_equal(&o[k].size, &size);
		for (k = 0; k < 5 && !known; k++) {
			double run = truth * exp(0.02 * ft_random_normal(random));

			inside += said.lower <= run && run <= said.upper;
			asked++;
		}
	}
	w->p95 = ft_stats_quantile(error, NX * NP, 0.95);
	w->inside = asked > 0 ? inside / asked : 1;
	w->told = ft_model_facts(model)->known;
	w->silent = w->p95 > 0.2 && !ft_model_facts(model)->rough;
	w->cost /= largest;
}

static void cliffs(uint64_t seeds, const char *type)
{
	static struct ft_observation o[CLIFF_RUNS];
	static const size_t axis[] = {0, 1};
	int shape, end;
	uint64_t seed;

	printf("%-16s | runs  cost by largest | error mean   p95 (worst) | told  inside silent | ask ms\n",
	       "");
	for (end = 0; end < ENDS; end++)
		for (shape = 0; shape < SHAPES; shape++) {
			struct worth sum = {0};
			double worst = 0;
			size_t silent = 0;

			for (seed = 0; seed < seeds; seed++) {
				struct ft_random random = {77 + seed};
				struct ft_model_options options = {.type = type, .axis = axis, .n_axes = 2};
				struct cliff c = make_cliff(shape, end);
				struct worth w = {0};
				size_t n = build_cliff(&c, o, &random, &w);
				struct ft_model *model;

				if (ft_model_fit(&model, o, n, &options, NULL))
					continue;
				judge_cliff(&c, o, n, model, &random, &w);
				ft_model_free(model);
				sum.runs += w.runs / (double)seeds;
				sum.cost += w.cost / (double)seeds;
				sum.mean += w.mean / (double)seeds;
				sum.p95 += w.p95 / (double)seeds;
				sum.told += w.told / (double)seeds;
				sum.inside += w.inside / (double)seeds;
				sum.ask_ms += w.ask_ms / (double)seeds;
				worst = fmax(worst, w.p95);
				silent += w.silent;
			}
			printf("%-8s %-7s | %4.0f  %6.2f         | %5.1f %10.1f (%5.1f) | %5.1f %5.1f %4zu   "
			       "| %5.1f\n",
			       shapes[shape], ends[end], sum.runs, sum.cost, 100 * sum.mean, 100 * sum.p95,
			       100 * worst, 100 * sum.told, 100 * sum.inside, silent, sum.ask_ms);
			fflush(stdout);
		}
}

static void beyond_the_data(uint64_t seeds, const char *type)
{
	static struct ft_observation o[RUNS_MOST];
	static struct tally tally[PLACES];
	static const size_t axis[] = {0, 1, 2};
	size_t params, way, place, i;
	uint64_t seed;
	int kind;

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
					struct ft_model_options options = {
						.type = type, .axis = axis, .n_axes = params};
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
				fflush(stdout);
			}
}

int main(int argc, char **argv)
{
	uint64_t seeds = 4;
	const char *type = NULL, *only = NULL, *none = NULL;
	const struct word words[] = {{"--seeds", WORD_COUNT, &seeds},
				     {"--model", WORD_TEXT, &type},
				     {"--only", WORD_TEXT, &only},
				     {0}};

	if (!words_read(words, argc, argv, &none) || none)
		return fprintf(stderr, "usage: surfaces [--seeds N] [--model TYPE] [--only cliffs|beyond]\n"),
		       2;
	if (!only || !strcmp(only, "cliffs"))
		cliffs(seeds, type);
	if (!only || !strcmp(only, "beyond"))
		beyond_the_data(seeds, type);
	return 0;
}
