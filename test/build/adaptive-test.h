/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adaptive-test.h - programs that are laws, and builds of them by the adaptive builder. */
#ifndef FT_TEST_BUILD_ADAPTIVE_TEST_H
#define FT_TEST_BUILD_ADAPTIVE_TEST_H

#include "base/random.h"
#include "build/door.h"
#include "facts/door.h"
#include "foretime/model.h"
#include "one.h"

#include <math.h>

enum { MOST = 4000 };

/* A program: seconds at x, one run after the other; nothing from `dies` on and below `wakes`, and at
 * multiples of `hole`. */
struct fake {
	double (*law)(double x);
	double noise, dies, wakes, hole,
		ends;    /* ends: at so many runs a replay of it has no more; 0: never */
	double overhead; /* of each run, in seconds */
	struct ft_random random;
};

struct history {
	struct ft_observation run[MOST]; /* value 0: nothing could be measured */
	size_t n, asked;
	double spent;
	enum ft_stop stop;
	bool failed; /* a call failed, a size was not admissible, or it did not end */
};

static double cubic(double x)
{
	return 1e-9 * x * x * x;
}

__attribute__((unused)) static double affine(double x)
{
	return 1e-3 + 1e-6 * x;
}

__attribute__((unused)) static double flat(double x)
{
	(void)x;
	return 0.25;
}

__attribute__((unused)) static double step(double x)
{
	return 1e-6 * x * (x > 700 ? 3 : 1);
}

static double run_once(struct fake *fake, double x)
{
	if ((fake->dies > 0 && x >= fake->dies) || x < fake->wakes ||
	    (fake->hole > 0 && fmod(x, fake->hole) == 0))
		return 0;
	return fake->law(x) * exp(fake->noise * ft_random_normal(&fake->random));
}

/* Tell the builder of all runs at a size. */
static bool tell_again(struct ft_builder *builder, const struct history *h, double x)
{
	static double seconds[MOST];
	size_t n = 0;

	for (size_t i = 0; i < h->n; i++)
		if (h->run[i].size.value[0] == x && h->run[i].value > 0)
			seconds[n++] = h->run[i].value;
	return !tell(builder, x, seconds, n, NULL);
}

static size_t runs_at(const struct history *h, double x)
{
	size_t n = 0;

	for (size_t i = 0; i < h->n; i++)
		n += h->run[i].size.value[0] == x;
	return n;
}

/* One run of a size that was asked for. */
static void answer(struct ft_builder *builder, struct fake *fake, const struct ft_space *space,
		   struct history *h, double x)
{
	if (h->n == MOST || ++h->asked > 2 * (size_t)MOST || !ft_space_admits(space, x)) {
		h->failed = true;
		return;
	}
	if (!(fake->ends > 0 && (double)runs_at(h, x) >= fake->ends)) {
		h->run[h->n] = (struct ft_observation){{1, {x}}, 1, run_once(fake, x), 0, 0, false, 0, 0, 0};
		h->spent += h->run[h->n++].value;
	}
	h->failed |= !tell_again(builder, h, x);
}

/* at_once: how many are asked for together. */
static void drive(struct ft_builder *builder, struct fake *fake, const struct ft_space *space, size_t at_once,
		  struct history *h)
{
	double x[FT_ASK_MAX];
	size_t n;

	while (!h->failed && (n = ask(builder, x, at_once)) > 0)
		for (size_t i = 0; i < n && !h->failed; i++)
			answer(builder, fake, space, h, x[i]);
	h->stop = ft_builder_stop(builder);
}

static struct ft_build_options options_for(double least, double most, double stride)
{
	return (struct ft_build_options){
		.space = {{.least = least, .most = most, .stride = stride}},
		.n_params = 1,
		.tolerance = 0.1,
		.confidence = 0.9,
	};
}

static struct ft_builder *new_builder(const struct ft_build_options *options)
{
	struct ft_builder *builder = NULL;

	(void)ft_builder_new(&builder, ft_builder_type_find("adaptive"), options, NULL);
	return builder;
}

static struct history *build_by(const struct ft_build_options *options, struct fake *fake, size_t at_once)
{
	static struct history h;
	struct ft_builder *builder = new_builder(options);

	h = (struct history){.n = 0};
	ft_builder_price(builder, fake->overhead, 1, 0);
	drive(builder, fake, &options->space[0], at_once, &h);
	ft_builder_free(builder);
	return &h;
}

static struct history *build(const struct ft_build_options *options, struct fake *fake)
{
	return build_by(options, fake, 1);
}

static size_t sizes_of(const struct history *h)
{
	size_t n = 0, j;

	for (size_t i = 0; i < h->n; i++) {
		for (j = 0; j < i && h->run[j].size.value[0] != h->run[i].size.value[0];)
			j++;
		n += j == i;
	}
	return n;
}

/* The share of places in the range at which the model of what was measured is within the tolerance. */
__attribute__((unused)) static double share_within(const struct history *h, const struct fake *fake,
						   double least, double most, double tolerance)
{
	static struct ft_observation good[MOST];
	struct ft_model *model;
	size_t n = 0;
	int within = 0;

	for (size_t i = 0; i < h->n; i++)
		if (h->run[i].value > 0)
			good[n++] = h->run[i];
	if (ft_model_fit(&model, good, n, &(struct ft_model_options){.brief = true}, NULL))
		return 0;
	for (size_t i = 0; i < 200; i++) {
		double x = least * pow(most / least, (double)i / 199);
		struct ft_prediction p;

		if (!ft_model_predict(model, &(struct ft_size){1, {x}}, 1, 0.9, &p, NULL))
			within += fabs(p.value / fake->law(x) - 1) <= tolerance;
	}
	ft_model_free(model);
	return within / 200.;
}

#endif
