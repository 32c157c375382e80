/* SPDX-License-Identifier: GPL-3.0-or-later */
/* three.c - three parameters: what the adaptive builder's model is worth up to twice beyond the data in each
 * of them, and what a decision costs.
 *
 *	three [--seeds N]
 *
 * Made functions of x, y and z: y changes nothing; a product of powers; a sum; a cache edge in the
 * footprint. 2 % noise, 8 x 8 x 6 sizes, tolerance 10 %. Then the processor time of a decision when 100 and
 * when 1,000 runs at other sizes are known.
 */
#include "base/random.h"
#include "foretime/build.h"
#include "foretime/model.h"
#include "num/num.h"
#include "words.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

enum { PARAMS = 3, NX = 8, NZ = 6, ASKED = 300, RUNS_MOST = 2000, FIRST = 30, DECISIONS = 10 };
static const double noise = 0.02, ratio = 32;
static const double least[PARAMS] = {32, 16, 4};

static double flat(const double *x)
{
	return 1e-3 + 1e-8 * x[0] * x[2] * x[2];
}

static double product(const double *x)
{
	return 1e-9 * x[0] * x[1] * x[2];
}

static double sum(const double *x)
{
	return 1e-3 + 1e-9 * x[0] * x[1] * x[2] + 1e-6 * x[0] * x[2];
}

static double bytes_of(const double *x)
{
	return 1e6 + 16 * x[0] * x[1] * x[2];
}

static double edge(const double *x)
{
	return sum(x) * (bytes_of(x) > 2e7 ? 1.6 : 1);
}

static const struct {
	const char *name;
	double (*seconds)(const double *x);
} made[] = {{"y changes nothing", flat}, {"product", product}, {"sum", sum}, {"sum, edge", edge}};
enum { MADE = sizeof made / sizeof *made };

static double run(double (*seconds)(const double *), const double *x, struct ft_random *random)
{
	return seconds(x) * exp(noise * ft_random_normal(random));
}

/* Sizes of a list (value: space for it); NULL: every whole number of the same ranges, for ever. */
static struct ft_builder *open(double (*value)[NX])
{
	struct ft_build_options options = {.n_params = PARAMS,
					   .tolerance = value ? 0.1 : 1e-6,
					   .budget_s = value ? 0 : 1e9,
					   .confidence = 0.9};
	struct ft_builder *builder;

	for (size_t p = 0; p < PARAMS; p++) {
		size_t n = p < 2 ? NX : NZ;

		for (size_t i = 0; value && i < n; i++)
			value[p][i] = round(least[p] * pow(ratio, (double)i / (double)(n - 1)));
		options.space[p] = (struct ft_space){.least = least[p],
						     .most = ratio * least[p],
						     .stride = 1,
						     .sizes = value ? value[p] : NULL,
						     .n_sizes = value ? n : 0};
	}
	if (ft_builder_new(&builder, ft_builder_type_find("adaptive"), &options, NULL))
		return NULL;
	return builder;
}

static bool tell(struct ft_builder *builder, const struct ft_observation *o, size_t n)
{
	double seconds[64];
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (k < 64 && ft_size_equal(&o[i].size, &o[n - 1].size))
			seconds[k++] = o[i].value;
	return !ft_builder_tell(
		builder, &o[n - 1].size,
		&(struct ft_build_result){.seconds = seconds, .n = k, .footprint_bytes = o[n - 1].memory},
		NULL);
}

struct worth {
	double runs, cost, error[ASKED], inside;
};

/* Up to twice beyond in each parameter, by turns; every fourth in all of them. */
static void judge(const struct ft_model *model, double (*seconds)(const double *), struct ft_random *random,
		  struct worth *w)
{
	for (size_t i = 0; i < ASKED; i++) {
		struct ft_size size = {.n = PARAMS};
		struct ft_prediction said;

		for (size_t p = 0; p < PARAMS; p++) {
			bool far = i % (PARAMS + 1) == p || i % (PARAMS + 1) == PARAMS;

			size.value[p] = round(far ? least[p] * ratio * pow(2, ft_random_uniform(random))
						  : least[p] * pow(ratio, ft_random_uniform(random)));
		}
		if (ft_model_predict(model, &size, 1, 0.9, &said, NULL))
			continue;
		double sample = run(seconds, size.value, random);
		w->error[i] = fabs(said.value / seconds(size.value) - 1);
		w->inside += (double)(said.lower <= sample && sample <= said.upper) / ASKED;
	}
}

static void build_and_judge(double (*seconds)(const double *), struct ft_random *random, struct worth *w)
{
	static struct ft_observation o[RUNS_MOST];
	static const size_t axis[] = {0, 1, 2};
	double value[PARAMS][NX];
	struct ft_builder *builder = open(value);
	struct ft_model *model;
	struct ft_size size;
	size_t n = 0, asked;

	while (builder && n < RUNS_MOST && !ft_builder_ask(builder, &size, 1, &asked, NULL) && asked) {
		o[n] = (struct ft_observation){
			size, 1, run(seconds, size.value, random), 0, bytes_of(size.value), false, 0, 0, 0};
		w->cost += o[n++].value;
		if (!tell(builder, o, n))
			break;
	}
	ft_builder_free(builder);
	w->cost /= seconds((double[]){value[0][NX - 1], value[1][NX - 1], value[2][NZ - 1]});
	w->runs = (double)n;
	if (ft_model_fit(&model, o, n, &(struct ft_model_options){.axis = axis, .n_axes = PARAMS}, NULL))
		return;
	judge(model, seconds, random, w);
	ft_model_free(model);
}

/* Milliseconds of processor time for one more size, so many runs at as many others being known: once the
 * corners, which it always begins with, are there. */
static double decision_ms(size_t known, struct ft_random *random)
{
	static struct ft_observation o[RUNS_MOST];
	struct ft_builder *builder = open(NULL);
	struct ft_size size = {.n = PARAMS};
	size_t n, asked, i;
	double ms = 0;

	for (n = 0; builder && n + FIRST < known; n++) {
		for (size_t p = 0; p < PARAMS; p++)
			size.value[p] = round(least[p] * pow(ratio, ft_random_uniform(random)));
		o[n] = (struct ft_observation){
			size, 1, run(edge, size.value, random), 0, bytes_of(size.value), false, 0, 0, 0};
		if (!tell(builder, o, n + 1))
			return NAN;
	}
	for (i = 0; i < FIRST + DECISIONS && builder; i++) {
		clock_t from = clock();

		if (ft_builder_ask(builder, &size, 1, &asked, NULL) || !asked)
			break;
		o[n] = (struct ft_observation){
			size, 1, run(edge, size.value, random), 0, bytes_of(size.value), false, 0, 0, 0};
		if (!tell(builder, o, ++n))
			break;
		ms += i < FIRST ? 0 : 1e3 * (double)(clock() - from) / CLOCKS_PER_SEC;
	}
	ft_builder_free(builder);
	return i > FIRST ? ms / (double)(i - FIRST) : NAN;
}

int main(int argc, char **argv)
{
	uint64_t seeds = 6;
	const char *none = NULL;
	const struct word words[] = {{"--seeds", WORD_COUNT, &seeds}, {0}};
	struct ft_random random = {5};

	if (!words_read(words, argc, argv, &none) || none)
		return fprintf(stderr, "usage: three [--seeds N]\n"), 2;
	printf("%-18s | runs  cost by largest | up to 2 x beyond: p95 (worst)  inside\n", "");
	for (size_t f = 0; f < MADE; f++) {
		double runs = 0, cost = 0, p95 = 0, worst = 0, inside = 0, share = 1 / (double)seeds;

		for (uint64_t seed = 0; seed < seeds; seed++) {
			struct ft_random own = {33 + seed};
			struct worth w = {.runs = 0};

			build_and_judge(made[f].seconds, &own, &w);
			double high = ft_stats_quantile(w.error, ASKED, 0.95);
			runs += share * w.runs;
			cost += share * w.cost;
			p95 += share * high;
			inside += share * w.inside;
			worst = fmax(worst, high);
		}
		printf("%-18s | %4.0f  %6.2f          | %22.1f (%5.1f)  %5.1f\n", made[f].name, runs, cost,
		       100 * p95, 100 * worst, 100 * inside);
		fflush(stdout);
	}
	printf("a decision: %.1f ms at 100 runs, %.1f ms at 1,000\n", decision_ms(100, &random),
	       decision_ms(1000, &random));
	return 0;
}
