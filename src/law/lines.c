/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lines.c - of several parameters each one alone: along lines on which the others stand still, each shape
 * with a level and a slope of its own for each line; the shapes that explain most are candidates. */
#include "base/alloc.h"
#include "law/many.h"

#include <math.h>

/* ---- one parameter alone ---------------------------------------------------------------------------------
 */

static bool on_a_line(const struct ft__place *a, const struct ft__place *b, size_t params, size_t along)
{
	size_t p;

	for (p = 0; p < params; p++)
		if (p != along && a->x[p] != b->x[p])
			return false;
	return true;
}

/* What is left of the places on one line when a shape has its best level and slope there. Lines of fewer than
 * three places say nothing: *n counts the others' places. */
static double line_rest(const struct ft__many *many, size_t from, size_t along, size_t shape, size_t *n)
{
	double s = 0, sg = 0, sgg = 0, sm = 0, sgm = 0, smm = 0, determinant, c0, c1;
	size_t k, places = 0;

	for (k = from; k < many->n; k++) {
		const struct ft__place *place = &many->place[k];
		double g, w;

		if (!on_a_line(&many->place[from], place, many->params, along))
			continue;
		g = ft__law_shape_value(shape, place->x[along]);
		w = place->count / (place->mean * place->mean);
		s += w;
		sg += w * g;
		sgg += w * g * g;
		sm += w * place->mean;
		sgm += w * g * place->mean;
		smm += place->count;
		places++;
	}
	if (places < 3)
		return 0;
	*n += places;
	determinant = s * sgg - sg * sg;
	c1 = determinant > 1e-14 * s * sgg ? (s * sgm - sg * sm) / determinant : 0;
	c0 = (sm - c1 * sg) / s;
	if (c1 < 0) {
		c1 = 0;
		c0 = sm / s;
	} else if (c0 < 0) {
		c0 = 0;
		c1 = sgm / sgg;
	}
	return fmax(smm - c0 * sm - c1 * sgm, 0);
}

/* Does a line begin at this place: is it the first of those on it? */
static bool begins_line(const struct ft__many *many, size_t k, size_t along)
{
	size_t i;

	for (i = 0; i < k; i++)
		if (on_a_line(&many->place[i], &many->place[k], many->params, along))
			return false;
	return true;
}

static double shape_score(const struct ft__many *many, size_t along, size_t shape, const bool *begins)
{
	double rest = 0;
	size_t k, n = 0;

	for (k = 0; k < many->n; k++) {
		if (isnan(ft__law_shape_value(shape, many->place[k].x[along])))
			return -INFINITY;
		if (begins[k])
			rest += line_rest(many, k, along, shape, &n);
	}
	if (!n)
		return log(ft__law_prior(shape)); /* no lines: the usual shapes */
	return -many->total / 2 * log(rest + many->scatter + many->floor) + log(ft__law_prior(shape));
}

enum ft_status ft__law_find_shapes(struct ft__many *many, struct ft_err *err)
{
	size_t most = many->params == 2 ? FT__SHAPES_MOST : 4, p, i, j, k;
	bool *begins = ft_malloc(many->n * sizeof *begins);

	if (!begins)
		return ft_nomem(err);
	for (p = 0; p < many->params; p++) {
		double score[FT_LAW_SHAPES];

		for (k = 0; k < many->n; k++)
			begins[k] = begins_line(many, k, p);
		for (i = 0; i < FT_LAW_SHAPES; i++)
			score[i] = i == FT__CONSTANT ? (double)-INFINITY : shape_score(many, p, i, begins);
		for (j = 0; j < most; j++) {
			size_t best = 0;

			for (i = 1; i < FT_LAW_SHAPES; i++)
				if (score[i] > score[best])
					best = i;
			if (isinf(score[best]))
				break;
			many->shape[p][many->shapes[p]++] = (unsigned char)best;
			score[best] = -INFINITY;
		}
	}
	ft_free(begins);
	return FT_OK;
}
