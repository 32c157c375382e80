/* SPDX-License-Identifier: GPL-3.0-or-later */
/* terms.c - beyond the data: which sums of two powers the outermost knots allow, and how likely each is. A
 * law that is chosen, or continued, is late to notice a constant beside a power; all of them together are
 * not. */
#include "ask/upper.h"
#include "model/band.h"

#include <math.h>

/* Knots down to this share of the largest size tell what comes beyond it; at least KNOTS_LEAST. Of more than
 * KNOTS_MOST some are passed over. */
static const double reach_down = 1.0 / 64;
enum { KNOTS_LEAST = 5, KNOTS_MOST = 64, FREEDOM_LEAST = 2 };

/* A knot's value is not known better than so, whatever its repetitions say. */
static const double least_error = 0.003;

/* Exponents that are tried: of the slower term, and of the faster one in steps. */
static const double slow[] = {0, 0.5, 1}, fastest = 4, step = 0.125;

/* A law is left out that is so much less likely than the best. */
static const double least_weight = 1e-4;

/* A knot, its size relative to the last one. */
struct point {
	double x, value, weight;
};

static size_t points_of(const struct ft_model *model, struct point *point)
{
	const struct ft_knot *end = &model->knot[model->n - 1];
	size_t from = model->n, stride, j, n = 0;

	while (from && model->knot[from - 1].x > 0 && model->knot[from - 1].value > 0 &&
	       (model->n - from < KNOTS_LEAST || model->knot[from - 1].x >= reach_down * end->x))
		from--;
	stride = (model->n - from + KNOTS_MOST - 1) / KNOTS_MOST;
	for (j = model->n; j > from && stride; j -= j - from < stride ? j - from : stride) {
		const struct ft_knot *k = &model->knot[j - 1];
		double noise = ft__band_noise(model, k->x, NULL);

		point[n++] =
			(struct point){k->x / end->x, k->value,
				       1 / (noise * noise / (double)k->runs + least_error * least_error)};
	}
	return n;
}

/* Least squares of 1 - f / v, weighted, for f = a x^q + b x^p with a, b >= 0; returns the sum that is left.
 */
static double fit(const struct point *point, size_t n, struct ft__terms *t)
{
	double aa = 0, ab = 0, bb = 0, fa = 0, fb = 0, one = 0, det;
	size_t i;

	for (i = 0; i < n; i++) {
		double w = point[i].weight, ln = log(point[i].x);
		double f = exp(t->q * ln) / point[i].value, g = exp(t->p * ln) / point[i].value;

		aa += w * f * f;
		ab += w * f * g;
		bb += w * g * g;
		fa += w * f;
		fb += w * g;
		one += w;
	}
	det = aa * bb - ab * ab;
	t->a = det > 1e-12 * aa * bb ? (fa * bb - fb * ab) / det : -1;
	t->b = det > 1e-12 * aa * bb ? (fb * aa - fa * ab) / det : -1;
	if (t->a < 0 || t->b < 0) {
		bool first = fa * fa * bb > fb * fb * aa;

		t->a = first ? fa / aa : 0;
		t->b = first ? 0 : fb / bb;
	}
	return fmax(0, one - 2 * (t->a * fa + t->b * fb) + t->a * t->a * aa + 2 * t->a * t->b * ab +
			       t->b * t->b * bb);
}

/* How likely the knots are under a law that leaves so much, relative to the best. Where even that one leaves
 * more than the noise would, the noise is not known, and counts as one more unknown. */
static double likelihood(double left, double best, double knots, double freedom)
{
	return best <= freedom ? exp((best - left) / 2) : pow(left / best, -knots / 2);
}

size_t ft__terms_find(const struct ft_model *model, struct ft__terms *terms)
{
	struct point point[KNOTS_MOST];
	double left[FT__TERMS_MAX], best = INFINITY, freedom, total = 0, p;
	size_t knots, n = 0, kept = 0, i;

	if (model->offset > 0)
		return 0;
	knots = points_of(model, point);
	if (knots < KNOTS_LEAST)
		return 0;
	for (i = 0; i < sizeof slow / sizeof *slow; i++)
		for (p = slow[i] + step; p <= fastest && n < FT__TERMS_MAX; p += step) {
			terms[n] = (struct ft__terms){.q = slow[i], .p = p};
			left[n] = fit(point, knots, &terms[n]);
			best = fmin(best, left[n++]);
		}
	freedom = fmax((double)knots - 3, FREEDOM_LEAST);
	for (i = 0; i < n; i++) {
		terms[i].weight = likelihood(left[i], best, (double)knots, freedom);
		if (terms[i].weight < least_weight)
			continue;
		total += terms[i].weight;
		terms[kept++] = terms[i];
	}
	for (i = 0; i < kept; i++)
		terms[i].weight /= total;
	return kept;
}
