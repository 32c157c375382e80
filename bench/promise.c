/* SPDX-License-Identifier: GPL-3.0-or-later */
/* promise.c - whether intervals over two and three parameters hold what they promise, and how wide they are
 *for it: made functions whose truth is known, sizes and repetitions as many as somebody may have.
 *
 *	promise [--seeds N] [--set shown|kept] [--rows noise|function] [--keep FILE | --runs FILE]
 *
 * Of the typical run: the share (%) of sizes never measured at which value (1 + known)^(+-1) holds it at 90
 *%. Of single runs there: the share inside the 90 % interval, and the interval's score in ln by that of the
 *true quantiles. The scatter told by the true one (ln, mean); p95 of the error; silent: over 25 %, and not
 *called rough. The kept functions are for looking at in the end. --keep writes the runs that were made,
 *--runs reads them, so that two versions are judged by the same ones.
 */
#include "base/random.h"
#include "foretime/build.h"
#include "foretime/model.h"
#include "num/num.h"
#include "promised.h"
#include "words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS_MOST = 1000, ASKED = 48, SAMPLES = 12, QUANTILES = 4001 };
static const double least = 16, most = 1024, alpha = 0.1;

/* ---- noise -------------------------------------------------------------------------------------------- */

static const struct noise {
	const char *name;
	double deviation;
	bool skewed;
	double spikes; /* one run in so many takes three times as long */
} noises[] = {
	{"1 %", 0.01, false, 0},
	{"2 %", 0.02, false, 0},
	{"5 %", 0.05, false, 0},
	{"10 %", 0.1, false, 0},
	{"3 %, skewed", 0.03, true, 0},
	{"2 %, spikes 1/20", 0.02, false, 20},
	{"2 %, spikes 1/40", 0.02, false, 40},
	{"1 %, spikes 1/60", 0.01, false, 60},
};
enum { NOISES = sizeof noises / sizeof *noises };

static double draw(const struct noise *noise, struct ft_random *random)
{
	double ln = noise->skewed ? noise->deviation * (-log(1 - ft_random_uniform(random)) - 1)
				  : noise->deviation * ft_random_normal(random);

	return noise->spikes > 0 && ft_random_uniform(random) * noise->spikes < 1 ? ln + log(3) : ln;
}

/* What is true of ln runs: the median, and the ends of the narrowest promise. */
struct truth {
	double median, lower, upper;
};

static struct truth truth_of(const struct noise *noise)
{
	static double ln[QUANTILES];
	struct ft_random random = {4};

	for (size_t i = 0; i < QUANTILES; i++)
		ln[i] = draw(noise, &random);
	return (struct truth){ft_stats_quantile(ln, QUANTILES, 0.5),
			      ft_stats_quantile(ln, QUANTILES, alpha / 2),
			      ft_stats_quantile(ln, QUANTILES, 1 - alpha / 2)};
}

/* ---- runs --------------------------------------------------------------------------------------------- */

/* How many sizes, how often each; none: the adaptive builder. */
static const struct design {
	const char *name;
	size_t sizes, repetitions;
} designs[] = {{"16 x 1", 16, 1}, {"16 x 2", 16, 2}, {"12 x 5", 12, 5},
	       {"40 x 1", 40, 1}, {"30 x 3", 30, 3}, {"adaptive", 0, 0}};
enum { DESIGNS = sizeof designs / sizeof *designs };

struct program {
	const struct promised *made;
	const struct noise *noise;
	double r[PROMISED_RANDOM];
};

static void by_middle(const struct ft_size *size, double *x)
{
	for (size_t p = 0; p < PROMISED_PARAMS; p++)
		x[p] = p < size->n ? size->value[p] / promised_middle : 1;
}

static double seconds_of(const struct program *program, const struct ft_size *size)
{
	double x[PROMISED_PARAMS];

	by_middle(size, x);
	return 1e-2 * program->made->seconds(x, program->r);
}

static double bytes_of(const struct program *program, const struct ft_size *size)
{
	double x[PROMISED_PARAMS];

	by_middle(size, x);
	return program->made->bytes ? program->made->bytes(x) : 0;
}

static struct ft_observation run(const struct program *program, const struct ft_size *size,
				 struct ft_random *random)
{
	return (struct ft_observation){*size,
				       1,
				       seconds_of(program, size) * exp(draw(program->noise, random)),
				       0,
				       bytes_of(program, size),
				       false,
				       0,
				       0,
				       0};
}

static struct ft_size any_size(size_t params, struct ft_random *random)
{
	struct ft_size size = {.n = params};

	for (size_t p = 0; p < params; p++)
		size.value[p] = round(least * pow(most / least, ft_random_uniform(random)));
	return size;
}

static size_t adaptive(const struct program *program, struct ft_observation *o, struct ft_random *random)
{
	size_t params = program->made->params, n = 0, asked, i, k;
	struct ft_build_options options = {.n_params = params, .tolerance = 0.1, .confidence = 0.9};
	struct ft_builder *builder;
	struct ft_size size;

	for (size_t p = 0; p < params; p++)
		options.space[p] = (struct ft_space){.least = least, .most = most, .stride = 1};
	if (ft_builder_new(&builder, ft_builder_type_find("adaptive"), &options, NULL))
		return 0;
	while (n < RUNS_MOST && !ft_builder_ask(builder, &size, 1, &asked, NULL) && asked) {
		double seconds[32];

		o[n++] = run(program, &size, random);
		for (i = 0, k = 0; i < n; i++)
			if (k < 32 && ft_size_equal(&o[i].size, &size))
				seconds[k++] = o[i].value;
		if (ft_builder_tell(builder, &size,
				    &(struct ft_build_result){.seconds = seconds,
							      .n = k,
							      .footprint_bytes = bytes_of(program, &size)},
				    NULL))
			break;
	}
	ft_builder_free(builder);
	return n;
}

/* The corners first: what lies between them is inside. */
static size_t make(const struct program *program, const struct design *design, struct ft_observation *o,
		   struct ft_random *random)
{
	size_t params = program->made->params, n = 0;

	if (!design->sizes)
		return adaptive(program, o, random);
	for (size_t i = 0; i < design->sizes; i++) {
		struct ft_size size = any_size(params, random);

		for (size_t p = 0; p < params && i < (size_t)1 << params; p++)
			size.value[p] = i >> p & 1 ? most : least;
		for (size_t k = 0; k < design->repetitions; k++)
			o[n++] = run(program, &size, random);
	}
	return n;
}

static size_t read_runs(FILE *from, size_t params, struct ft_observation *o)
{
	size_t n = 0;

	if (fscanf(from, "%zu", &n) != 1 || n > RUNS_MOST)
		return 0;
	for (size_t i = 0; i < n; i++) {
		o[i] = (struct ft_observation){.size.n = params, .work = 1};
		for (size_t p = 0; p < params; p++)
			if (fscanf(from, "%lf", &o[i].size.value[p]) != 1)
				return 0;
		if (fscanf(from, "%lf %lf", &o[i].value, &o[i].memory) != 2)
			return 0;
	}
	return n;
}

static void write_runs(FILE *to, const struct ft_observation *o, size_t n)
{
	fprintf(to, "%zu\n", n);
	for (size_t i = 0; i < n; i++) {
		for (size_t p = 0; p < o[i].size.n; p++)
			fprintf(to, "%.17g ", o[i].size.value[p]);
		fprintf(to, "%.17g %.17g\n", o[i].value, o[i].memory);
	}
}

/* ---- judging ------------------------------------------------------------------------------------------ */

struct worth {
	double models, runs, known, inside, score, scatter, p95, width;
	size_t silent, rough;
};

static void judge(struct worth *w, const struct program *program, const struct ft_model *model, double n,
		  struct ft_random *random)
{
	struct truth truth = truth_of(program->noise);
	double error[ASKED], score = 0, p95, best = 0;

	for (size_t i = 0; i < ASKED; i++) {
		struct ft_size size = any_size(program->made->params, random);
		double ln = log(seconds_of(program, &size)) + truth.median, lower, upper;
		struct ft_prediction said;

		if (ft_model_predict(model, &size, 1, 1 - alpha, &said, NULL))
			said = (struct ft_prediction){.value = 1, .lower = 1, .upper = 1};
		lower = log(fmax(said.lower, 1e-300));
		upper = log(said.upper);
		error[i] = fabs(log(said.value) - ln);
		w->known += (error[i] <= log1p(said.known)) / (double)ASKED;
		w->width += (upper - lower) / (truth.upper - truth.lower) / ASKED;
		for (size_t k = 0; k < SAMPLES; k++) {
			double one = draw(program->noise, random), at = ln - truth.median + one;

			w->inside += (lower <= at && at <= upper) / (double)(ASKED * SAMPLES);
			score += upper - lower + 2 / alpha * (fmax(0, lower - at) + fmax(0, at - upper));
			best += truth.upper - truth.lower +
				2 / alpha * (fmax(0, truth.lower - one) + fmax(0, one - truth.upper));
		}
	}
	p95 = expm1(ft_stats_quantile(error, ASKED, 0.95));
	w->models++;
	w->runs += n;
	w->score += log(score / best);
	w->scatter +=
		log(fmax(ft_model_facts(model)->scatter, 1e-9) / (expm1((truth.upper - truth.lower) / 2)));
	w->p95 += p95;
	w->rough += ft_model_facts(model)->rough;
	w->silent += p95 > 0.25 && !ft_model_facts(model)->rough;
}

static void add(struct worth *sum, const struct worth *w)
{
	sum->models += w->models;
	sum->runs += w->runs;
	sum->known += w->known;
	sum->inside += w->inside;
	sum->score += w->score;
	sum->scatter += w->scatter;
	sum->p95 += w->p95;
	sum->width += w->width;
	sum->silent += w->silent;
	sum->rough += w->rough;
}

static void print(const char *name, const char *beside, const struct worth *w)
{
	double n = fmax(w->models, 1);

	printf("%-17s %-9s | %5.1f | %5.1f %6.1f | %6.3f %6.2f %6.2f | %6.1f %3zu %3zu | %4.0f\n", name,
	       beside, w->runs / n, 100 * w->known / n, 100 * w->inside / n, exp(w->score / n), w->width / n,
	       exp(w->scatter / n), 100 * w->p95 / n, w->silent, w->rough, w->models);
}

static struct program program_of(const struct promised *made, const struct noise *noise,
				 struct ft_random *random)
{
	struct program program = {.made = made, .noise = noise};

	for (size_t k = 0; k < PROMISED_RANDOM; k++)
		program.r[k] = ft_random_uniform(random);
	return program;
}

static void one(struct worth *w, const struct program *program, const struct design *design, FILE *from,
		FILE *to, struct ft_random *random)
{
	static const size_t axis[] = {0, 1, 2};
	static struct ft_observation o[RUNS_MOST];
	struct ft_model_options options = {.axis = axis, .n_axes = program->made->params};
	struct ft_random asked = {random->state + 17};
	struct ft_model *model;
	size_t n = from ? read_runs(from, program->made->params, o) : make(program, design, o, random);

	if (to)
		write_runs(to, o, n);
	if (to || !n || ft_model_fit(&model, o, n, &options, NULL))
		return;
	judge(w, program, model, (double)n, &asked);
	ft_model_free(model);
}

static struct worth results[PROMISED][NOISES][DESIGNS];

static void show(bool by_function, bool kept)
{
	struct worth all = {0};

	printf("%-17s %-9s |  runs | typical inside | score  width scatter |    p95 silent rough | models\n",
	       "", "");
	for (size_t k = 0; k < NOISES && !by_function; k++)
		for (size_t d = 0; d < DESIGNS; d++) {
			struct worth sum = {0};

			for (size_t f = 0; f < PROMISED; f++)
				add(&sum, &results[f][k][d]);
			print(noises[k].name, designs[d].name, &sum);
			add(&all, &sum);
		}
	for (size_t f = 0; f < PROMISED && by_function; f++)
		for (size_t d = 0; d < DESIGNS && promised[f].kept == kept; d++) {
			struct worth sum = {0};

			for (size_t k = 0; k < NOISES; k++)
				add(&sum, &results[f][k][d]);
			print(promised[f].name, designs[d].name, &sum);
			add(&all, &sum);
		}
	print("all", "", &all);
}

int main(int argc, char **argv)
{
	uint64_t seeds = 1;
	const char *set = "shown", *rows = "noise", *keep = NULL, *runs = NULL, *none = NULL;
	const struct word words[] = {{"--seeds", WORD_COUNT, &seeds}, {"--set", WORD_TEXT, &set},
				     {"--rows", WORD_TEXT, &rows},    {"--keep", WORD_TEXT, &keep},
				     {"--runs", WORD_TEXT, &runs},    {0}};
	FILE *from = NULL, *to = NULL;
	bool kept;
	size_t f, k, d;

	if (!words_read(words, argc, argv, &none) || none || (runs && !(from = fopen(runs, "r"))) ||
	    (keep && !(to = fopen(keep, "w"))))
		return fprintf(stderr,
			       "usage: promise [--seeds N] [--set shown|kept] [--rows noise|function] "
			       "[--keep FILE | --runs FILE]\n"),
		       2;
	kept = !strcmp(set, "kept");
	for (f = 0; f < PROMISED; f++)
		for (k = 0; k < NOISES && promised[f].kept == kept; k++)
			for (d = 0; d < DESIGNS; d++)
				for (uint64_t seed = 0; seed < seeds; seed++) {
					struct ft_random random = {seed + 100 * (d + 100 * (k + 100 * f))};
					struct program program =
						program_of(&promised[f], &noises[k], &random);

					one(&results[f][k][d], &program, &designs[d], from, to, &random);
				}
	if (!to)
		show(!strcmp(rows, "function"), kept);
	if (from)
		(void)fclose(from);
	return to && fclose(to) ? 1 : 0;
}
