/* SPDX-License-Identifier: GPL-3.0-or-later */
/* several.h - drives a builder over several parameters against a function, and scores the surface through
 * what it asked. Include in one file of a program. */
#ifndef FT_TEST_BUILD_SEVERAL_H
#define FT_TEST_BUILD_SEVERAL_H

#include "base/random.h"
#include "build/door.h"
#include "foretime/build.h"
#include "foretime/model.h"
#include "tap.h"

/* A program: its time at a size (<= 0: it fails, NaN: it calls the size a hole), and which sizes make sense.
 */
struct fake {
	double (*seconds)(const double *x);
	bool (*admits)(const double *x);
	double (*work)(const double *x);
	bool reports; /* its runs tell the work, and none is stated */
	double noise;
	uint64_t seed;
	double overhead; /* of each run, in seconds, beside those that the builder is told */
	size_t at_once;  /* so many runs are asked for, of a builder that repeats; 0: one */
};

enum { ASKED_MOST = 3000 };

/* What a builder asked, and what it was told. */
struct asked {
	struct ft_size size[ASKED_MOST];
	double seconds[ASKED_MOST]; /* NaN: none */
	size_t n;
	double cost_s;
	enum ft_stop stop;
	enum ft_status status;
	bool flat[FT_PARAMS_MAX];
	size_t holes;
	bool wrong; /* a size that is none, or that was told already */
};

static bool admits(void *ctx, const struct ft_size *size)
{
	const struct fake *fake = ctx;

	return !fake->admits || fake->admits(size->value);
}

static double work(void *ctx, const struct ft_size *size)
{
	const struct fake *fake = ctx;

	return fake->work ? fake->work(size->value) : 1;
}

static size_t runs_at(const struct asked *a, const struct ft_size *size, double *seconds, size_t most)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n; i++)
		if (ft_size_equal(&a->size[i], size) && n < most)
			seconds[n++] = a->seconds[i];
	return n;
}

__attribute__((unused)) static enum ft_status tell(struct ft_builder *builder, const struct ft_size *size,
						   const double *seconds, size_t n, bool hole)
{
	return ft_builder_tell(builder, size,
			       &(struct ft_build_result){.seconds = seconds, .n = n, .hole = hole}, NULL);
}

/* Measures a size: once, or twice where the builder leaves repetition to us. */
static void measure(struct asked *a, const struct fake *fake, struct ft_random *random, bool repeats,
		    struct ft_builder *builder, const struct ft_size *size)
{
	double seconds[16] = {0};
	size_t before = runs_at(a, size, seconds, 16), n, i;
	struct ft_build_result told;
	bool hole = false;

	a->wrong = a->wrong || (before && (!repeats || !(seconds[0] > 0))) || !admits((void *)fake, size);
	for (i = 0; i < (repeats ? 1 : 2) && a->n < ASKED_MOST; i++) {
		double t = fake->seconds(size->value);

		hole = isnan(t);
		t = t > 0 ? t * exp(fake->noise * ft_random_normal(random)) : NAN;
		a->size[a->n] = *size;
		a->seconds[a->n++] = t;
		a->cost_s += fake->overhead + (t > 0 ? t : 0);
	}
	n = runs_at(a, size, seconds, 16);
	if (!(seconds[0] > 0))
		n = 0;
	told = (struct ft_build_result){.seconds = seconds, .n = n, .hole = hole};
	if (fake->reports)
		told.work = work((void *)(uintptr_t)fake, size);
	if (ft_builder_tell(builder, size, &told, NULL))
		a->wrong = true;
}

__attribute__((unused)) static void drive(const char *type, const struct ft_build_options *options,
					  const struct fake *fake, struct asked *a)
{
	const struct ft_builder_type *found = ft_builder_type_find(type);
	struct ft_random random = {fake->seed + 1};
	struct ft_build_options o = *options;
	struct ft_builder *builder;
	struct ft_size size[64];
	struct ft_err err;
	size_t most = !found->repeats ? 64 : fake->at_once ? fake->at_once : 1, n;

	*a = (struct asked){0};
	o.admits = admits;
	o.work = fake->work && !fake->reports ? work : NULL;
	o.ctx = (void *)fake;
	a->status = ft_builder_new(&builder, found, &o, &err);
	if (!a->status)
		ft_builder_price(builder, fake->overhead, 1, 0);
	while (!a->status && a->n < ASKED_MOST) {
		a->status = ft_builder_ask(builder, size, most, &n, &err);
		if (a->status || !n)
			break;
		for (size_t i = 0; i < n; i++)
			measure(a, fake, &random, found->repeats, builder, &size[i]);
	}
	if (a->status)
		diag("%s", err.text);
	if (!builder)
		return;
	a->wrong = a->wrong || a->n == ASKED_MOST;
	a->stop = ft_builder_stop(builder);
	a->holes = ft_builder_holes(builder);
	for (size_t i = 0; i < o.n_params; i++)
		a->flat[i] = ft_builder_flat(builder, i);
	ft_builder_free(builder);
}

__attribute__((unused)) static size_t sizes_of(const struct asked *a)
{
	size_t j, n = 0;

	for (size_t i = 0; i < a->n; i++) {
		for (j = 0; j < i && !ft_size_equal(&a->size[i], &a->size[j]); j++)
			;
		n += j == i;
	}
	return n;
}

/* The surface through what was asked. */
static enum ft_status fit(const struct asked *a, const struct fake *fake, struct ft_model **out)
{
	static const size_t axis[FT_PARAMS_MAX] = {0, 1, 2, 3, 4, 5, 6, 7};
	static struct ft_observation o[ASKED_MOST];
	struct ft_model_options options = {
		.axis = axis, .n_axes = a->size[0].n, .through_speed = fake->work != NULL};
	size_t n = 0;

	for (size_t i = 0; i < a->n; i++)
		if (a->seconds[i] > 0)
			o[n++] = (struct ft_observation){
				a->size[i], work((void *)fake, &a->size[i]), a->seconds[i], 0, 0, false, 0, 0,
				0};
	return ft_model_fit(out, o, n, &options, NULL);
}

/* Mean and 95 % quantile of the relative error at random sizes (half of them spread by logarithm), and how
 * many noisy runs there fall into the 90 % interval. */
struct score {
	double mean, p95, inside;
};

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

__attribute__((unused)) static struct score score(const struct asked *a, const struct ft_build_options *o,
						  const struct fake *fake)
{
	struct ft_random random = {99};
	struct ft_model *s;
	struct score score = {0};
	double error[400];
	size_t n = 0;

	if (fit(a, fake, &s))
		return (struct score){INFINITY, INFINITY, 0};
	while (n < 400) {
		struct ft_size size = {.n = o->n_params};
		struct ft_prediction p;

		for (size_t i = 0; i < size.n; i++) {
			const struct ft_space *space = &o->space[i];
			double u = ft_random_uniform(&random);

			size.value[i] = round(n % 2 ? space->least * pow(space->most / space->least, u)
						    : space->least + u * (space->most - space->least));
		}
		double t = fake->seconds(size.value);
		if (!admits((void *)fake, &size) || !(t > 0))
			continue;
		if (ft_model_predict(s, &size, work((void *)fake, &size), 0.9, &p, NULL))
			break;
		error[n] = fabs(p.value / t - 1);
		score.mean += error[n++] / 400;
		t *= exp(fake->noise * ft_random_normal(&random));
		score.inside += (p.lower <= t && t <= p.upper) / 400.0;
	}
	qsort(error, n, sizeof *error, compare);
	score.p95 = error[n * 95 / 100];
	ft_model_free(s);
	return score;
}

__attribute__((unused)) static struct ft_build_options options2(double a, double b, double c, double d)
{
	return (struct ft_build_options){
		.space = {{.least = a, .most = b, .stride = 1}, {.least = c, .most = d, .stride = 1}},
		.n_params = 2,
		.tolerance = 0.05,
		.confidence = 0.9,
	};
}

/* ---- programs ----------------------------------------------------------------------------------------- */

__attribute__((unused)) static double product(const double *x)
{
	return 1e-9 * x[0] * x[0] * x[0] * pow(x[1], 1.5) * (1 + 30 / (x[0] + 30));
}

static double particles_and_cells(const double *x) /* deposit and gather, and a transform of the mesh */
{
	double np = x[0] * x[0] * x[0], nx = x[1] * x[1] * x[1];

	return 2e-8 * np + 1e-9 * nx * log(nx) + 1e-3;
}

__attribute__((unused)) static double cells(const double *x)
{
	return x[0] * x[0] * x[0] + x[1] * x[1] * x[1];
}

__attribute__((unused)) static double cube(const double *x)
{
	return x[0] * x[0] * x[0] * x[1];
}

__attribute__((unused)) static bool no_more(const double *x)
{
	return x[0] <= x[1];
}

__attribute__((unused)) static double refuses(const double *x)
{
	return x[0] <= x[1] ? particles_and_cells(x) : NAN;
}

#endif
