/* SPDX-License-Identifier: GPL-3.0-or-later */
/* band.c - a band's coordinate, the shapes of its gaps, its noise. */
#include "model/band.h"

#include <math.h>
#include <string.h>

static const char *const shape_texts[] = {
#define TEXT(name, word) word,
	FT_SHAPE_LIST(TEXT)
#undef TEXT
};

const char *ft_shape_text(enum ft_shape shape)
{
	return (size_t)shape < FT_SHAPES ? shape_texts[shape] : "unknown";
}

bool ft_shape_parse(const char *text, enum ft_shape *shape)
{
	size_t i;

	for (i = 0; i < FT_SHAPES; i++)
		if (!strcmp(text, shape_texts[i])) {
			*shape = (enum ft_shape)i;
			return true;
		}
	return false;
}

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

struct ft__end ft__band_end(const struct ft_model *model, size_t j)
{
	const struct ft_knot *k = &model->knot[j];

	return (struct ft__end){k->x, ft__band_x(model, k->x), k->work, log(k->value + model->offset)};
}

double ft__band_work(const struct ft_model *model, size_t i, size_t j, double x)
{
	const struct ft_knot *a = &model->knot[i], *b = &model->knot[j];
	double xa = ft__band_x(model, a->x), xb = ft__band_x(model, b->x);

	if (i == j || a->work == b->work)
		return a->work;
	return a->work * exp(log(b->work / a->work) * (ft__band_x(model, x) - xa) / (xb - xa));
}

/* 000 section 2.1: cuts are joined by straight lines of the speed. */
static double speed_level(const struct ft__end *a, const struct ft__end *b, double x, double at, double work)
{
	double u = (x - a->x) / (b->x - a->x), v = (at - a->at) / (b->at - a->at);
	double ratio = b->work / a->work, rise = ratio * exp(a->level - b->level) - 1;
	double relative = !isnan(work) ? log(work / a->work) : ratio == 1 ? 0 : v * log(ratio);

	return a->level + relative - log1p(u * rise);
}

double ft__shape_level(enum ft_shape shape, const struct ft__end *a, const struct ft__end *b, double x,
		       double at, double work)
{
	switch (shape) {
	case FT_SHAPE_POWER:
		return a->level + (at - a->at) / (b->at - a->at) * (b->level - a->level);
	case FT_SHAPE_AFFINE:
		return a->level + log1p((x - a->x) / (b->x - a->x) * expm1(b->level - a->level));
	case FT_SHAPE_SPEED:
	default:
		return speed_level(a, b, x, at, work);
	}
}
