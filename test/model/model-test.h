/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model-test.h - made curves, samples of them, and models of these. */
#ifndef FT_TEST_MODEL_TEST_H
#define FT_TEST_MODEL_TEST_H

#include "base/alloc.h"
#include "base/random.h"
#include "foretime/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES_MOST = 4096 };

struct samples {
	struct ft_observation o[SAMPLES_MOST];
	size_t n;
};

static void add(struct samples *s, double x, double work, double value)
{
	s->o[s->n++] = (struct ft_observation){{1, {x}}, work, value, 0, 0, false, 0, 0, 0};
}

__attribute__((unused)) static double power(double x)
{
	return 1e-9 * pow(x, 2.5);
}

__attribute__((unused)) static double affine(double x)
{
	return 1e-3 + 2e-6 * x;
}

/* Sizes evenly spaced in ln x, each run so many times. */
__attribute__((unused)) static void sweep(struct samples *s, double (*law)(double), double least, double most,
					  size_t sizes, size_t runs, double noise, struct ft_random *random)
{
	for (size_t i = 0; i < sizes; i++) {
		double x = round(least * pow(most / least, sizes > 1 ? (double)i / (double)(sizes - 1) : 0));

		for (size_t k = 0; k < runs; k++)
			add(s, x, 1, law(x) * exp(noise * ft_random_normal(random)));
	}
}

static struct ft_model *fit_as(const struct samples *s, const struct ft_model_options *options)
{
	struct ft_model *model = NULL;

	(void)ft_model_fit(&model, s->o, s->n, options, NULL);
	return model;
}

__attribute__((unused)) static struct ft_model *fit(const struct samples *s)
{
	return fit_as(s, &(struct ft_model_options){0});
}

/* value NaN: it was refused. */
static struct ft_prediction ask_at(const struct ft_model *model, double x, double work, double confidence)
{
	struct ft_prediction p;

	if (!model || ft_model_predict(model, &(struct ft_size){1, {x}}, work, confidence, &p, NULL))
		p = (struct ft_prediction){.value = NAN, .lower = NAN, .upper = NAN, .known = NAN};
	return p;
}

__attribute__((unused)) static struct ft_prediction ask(const struct ft_model *model, double x)
{
	return ask_at(model, x, NAN, 0.9);
}

/* What struct ft_prediction promises. */
__attribute__((unused)) static bool is_sound(const struct ft_prediction *p)
{
	return isfinite(p->value) && isfinite(p->lower) && isfinite(p->upper) && p->lower >= 0 &&
	       p->lower <= p->value && p->value <= p->upper &&
	       (p->known >= 0 || (p->value == 0 && isnan(p->known))) && p->distance >= 1;
}

__attribute__((unused)) static bool same(const struct ft_prediction *p, const struct ft_prediction *q)
{
	return p->value == q->value && p->lower == q->lower && p->upper == q->upper &&
	       (p->known == q->known || (isnan(p->known) && isnan(q->known))) && p->basis == q->basis &&
	       p->distance == q->distance && p->runs == q->runs;
}

#endif
