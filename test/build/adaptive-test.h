/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adaptive-test.h - programs that are laws, and builds of them by the adaptive builder. */
#ifndef FT_TEST_BUILD_ADAPTIVE_TEST_H
#define FT_TEST_BUILD_ADAPTIVE_TEST_H

#include "base/random.h"
#include "foretime/build.h"
#include "foretime/model.h"

#include <math.h>

enum { MOST = 4000 };

/* A program: seconds at x, one run after the other; nothing from `dies` on, and at multiples of `hole`. */
struct fake {
	double (*law)(double x);
	double noise, dies, hole, ends; /* ends: at so many runs a replay of it has no more; 0: never */
	double overhead;                /* of each run, in seconds */
	struct ft_random random;
};

struct history {
	struct ft_observation run[MOST]; /* value 0: nothing could be measured */
	size_t n;
	double spent;
	enum ft_stop stop;
	bool failed; /* a call failed, a size was not admissible, or it did not end */
};

static double cubic(double x)
{
	return 1e-9 * x * x * x;
}

static double affine(double x)
{
	return 1e-3 + 1e-6 * x;
}

static double step(double x)
{
	return 1e-6 * x * (x > 700 ? 3 : 1);
}

static double late_cliff(double x)
{
	return cubic(x) * (x > 3100 ? 8 : 1);
}

static double run_once(struct fake *fake, double x)
{
	if ((fake->dies > 0 && x >= fake->dies) || (fake->hole > 0 && fmod(x, fake->hole) == 0))
		return 0;
	return fake->law(x) * exp(fake->noise * ft_random_normal(&fake->random));
}

/* Tell the builder of all runs at a size. */
static bool tell_again(struct ft_builder *builder, const struct history *h, double x)
{
	static double seconds[MOST];
	size_t i, n = 0;

	for (i = 0; i < h->n; i++)
		if (h->run[i].x == x && h->run[i].value > 0)
			seconds[n++] = h->run[i].value;
	return !ft_builder_tell(builder, x, seconds, n, NULL);
}

static bool tell_last(struct ft_builder *builder, const struct history *h)
{
	return tell_again(builder, h, h->run[h->n - 1].x);
}

static size_t runs_at(const struct history *h, double x)
{
	size_t i, n = 0;

	for (i = 0; i < h->n; i++)
		n += h->run[i].x == x && h->run[i].value > 0;
	return n;
}

static void drive(struct ft_builder *builder, struct fake *fake, struct history *h)
{
	double x[4], again[4];

	while (ft_builder_ask(builder, x, 4)) {
		if (h->n == MOST || ft_builder_ask(builder, again, 4) != 1 || again[0] != x[0]) {
			h->failed = true;
			return;
		}
		if (fake->ends > 0 && (double)runs_at(h, x[0]) >= fake->ends) {
			h->failed |= !tell_again(builder, h, x[0]);
			continue;
		}
		h->run[h->n++] = (struct ft_observation){x[0], 1, run_once(fake, x[0])};
		h->spent += h->run[h->n - 1].value;
		h->failed |= !tell_last(builder, h);
	}
	h->stop = ft_builder_stop(builder);
}

static struct ft_build_options options_for(double least, double most, double stride)
{
	return (struct ft_build_options){
		.space = {.least = least, .most = most, .stride = stride},
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

static struct history *build(const struct ft_build_options *options, struct fake *fake)
{
	static struct history h;
	struct ft_builder *builder = new_builder(options);

	h = (struct history){0};
	ft_builder_overhead(builder, fake->overhead);
	drive(builder, fake, &h);
	ft_builder_free(builder);
	return &h;
}

static size_t sizes_of(const struct history *h)
{
	size_t i, n = 0, j;

	for (i = 0; i < h->n; i++) {
		for (j = 0; j < i && h->run[j].x != h->run[i].x;)
			j++;
		n += j == i;
	}
	return n;
}

/* The largest relative error of the model over the range. */
static double error_of(const struct history *h, const struct fake *fake, double least, double most)
{
	static struct ft_observation good[MOST];
	struct ft_model model;
	size_t i, n = 0;
	double worst = 0;

	for (i = 0; i < h->n; i++)
		if (h->run[i].value > 0)
			good[n++] = h->run[i];
	if (ft_model_fit(&model, good, n, true, FT_JOIN_BEST, NULL))
		return INFINITY;
	for (i = 0; i <= 200; i++) {
		double x = least * pow(most / least, (double)i / 200);
		struct ft_prediction p;

		if (!ft_model_predict(&model, x, 1, 0.9, &p, NULL))
			worst = fmax(worst, fabs(p.value / fake->law(x) - 1));
	}
	ft_model_clear(&model);
	return worst;
}

#endif
