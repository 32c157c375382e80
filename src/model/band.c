/* SPDX-License-Identifier: GPL-3.0-or-later */
/* band.c - a band's coordinate, interpolant and noise. */
#include "model/band.h"

#include <math.h>

/* Prior knowledge of noise: as if one repetition had shown a standard deviation of 1.5 %. */
static const double prior_noise = 0.015, prior_freedom = 1;

static double shift(const struct ft_model *model)
{
	return model->knot[0].x > 0 ? 0 : 1 - model->knot[0].x;
}

double ft__band_x(const struct ft_model *model, double size)
{
	return log(size + shift(model));
}

double ft__band_size(const struct ft_model *model, double x)
{
	return exp(x) - shift(model);
}

double ft__band_kernel(const struct ft_model *model, double d)
{
	double range = ft__band_x(model, model->knot[model->n - 1].x) - ft__band_x(model, model->knot[0].x);

	return range > 0 ? exp(-fabs(d) / (0.1 * range)) : 1;
}

double ft__band_noise(const struct ft_model *model, double size, double *freedom)
{
	double at = ft__band_x(model, size), sum = prior_freedom * prior_noise * prior_noise,
	       dof = prior_freedom;
	size_t j;

	for (j = 0; j < model->n; j++) {
		const struct ft_knot *k = &model->knot[j];
		double w;

		if (k->runs < 2)
			continue;
		w = ft__band_kernel(model, ft__band_x(model, k->x) - at);
		sum += w * k->scatter;
		dof += w * (double)(k->runs - 1);
	}
	if (freedom)
		*freedom = dof;
	return sqrt(sum / dof);
}

double ft__band_work(const struct ft_model *model, size_t i, size_t j, double x)
{
	const struct ft_knot *a = &model->knot[i], *b = &model->knot[j];
	double xa = ft__band_x(model, a->x), xb = ft__band_x(model, b->x);

	if (i == j || a->work == b->work)
		return a->work;
	return a->work * exp(log(b->work / a->work) * (ft__band_x(model, x) - xa) / (xb - xa));
}

double ft__band_between(const struct ft_model *model, size_t i, size_t j, double x, double work)
{
	const struct ft_knot *a = &model->knot[i], *b = &model->knot[j];
	double u = (x - a->x) / (b->x - a->x), speed;

	if (!model->through_speed)
		return (1 - u) * a->value + u * b->value;
	/* 000 section 2.1: cuts are joined by straight lines of the speed. */
	speed = (1 - u) * a->work / a->value + u * b->work / b->value;
	return (isnan(work) ? ft__band_work(model, i, j, x) : work) / speed;
}
