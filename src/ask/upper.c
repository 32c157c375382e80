/* SPDX-License-Identifier: GPL-3.0-or-later */
/* upper.c - the upper end of one resource at a stated risk: the model's, or what wild runs and other laws
 * through the same knots make of it. */
#include "ask/upper.h"
#include "model/band.h"
#include "num/stats.h"

#include <math.h>
#include <stdio.h>

enum { BISECTIONS = 30 };

enum ft_status ft__upper_init(struct ft__upper *upper, struct ft_answerer *answerer, const char *resource,
			      const struct ft_size *size, double risk, struct ft_err *err)
{
	const struct ft_model_record *record;
	enum ft_status status = ft_ask_model(answerer, resource, size, &record, err);

	*upper = (struct ft__upper){.answerer = answerer, .risk = risk};
	(void)snprintf(upper->resource, sizeof upper->resource, "%s", resource);
	if (status)
		return status;
	upper->normal = ft_normal_quantile(1 - risk);
	if (record->surface.n)
		return FT_OK;
	upper->model = &record->model;
	upper->varying = answerer->axis[0];
	upper->n_terms = ft__terms_find(upper->model, upper->terms);
	return ft__own_quantile(upper->model, &answerer->runs, upper->varying, size, resource, risk,
				&upper->own, err);
}

/* The value below which a share `below` of single runs lies, when each law is as likely as its weight, and
 * runs scatter about it by sd: ln y with sum w Phi((ln y - ln f) / sd) = below, by bisection. */
static double terms_at(const struct ft__upper *upper, double x, double sd, double below)
{
	double ln = log(x / upper->model->knot[upper->model->n - 1].x), f[FT__TERMS_MAX];
	double low = INFINITY, high = -INFINITY;
	size_t i, step;

	for (i = 0; i < upper->n_terms; i++) {
		const struct ft__terms *t = &upper->terms[i];

		f[i] = log(t->a * exp(t->q * ln) + t->b * exp(t->p * ln));
		low = fmin(low, f[i]);
		high = fmax(high, f[i] + 4 * sd);
	}
	for (step = 0; step < BISECTIONS; step++) {
		double middle = (low + high) / 2, share = 0;

		for (i = 0; i < upper->n_terms; i++)
			share += upper->terms[i].weight * erfc((f[i] - middle) / (sd * M_SQRT2)) / 2;
		if (share < below)
			low = middle;
		else
			high = middle;
	}
	return exp(fmin(high, 690));
}

/* What wild runs, and beyond the data other laws, make of the model's upper end. */
static double widen(const struct ft__upper *upper, double x, const struct ft_prediction *at)
{
	const struct ft_model *model = upper->model;
	double offset = model->offset, noise = ft__band_run_noise(model, x, FT__NOISE_SHARE);
	double own = noise * upper->own,
	       normal = ft__band_run_noise(model, x, 1 - 2 * upper->risk) * upper->normal;
	double sd = log((at->upper + offset) / (at->value + offset)); /* times the quantile */
	double wild = fmax(0, own * own - normal * normal);
	double most = fmax(at->upper, (at->value + offset) * exp(fmin(700, sqrt(sd * sd + wild))) - offset);

	if (upper->n_terms && x > model->knot[model->n - 1].x)
		most = fmax(most,
			    terms_at(upper, x, noise * fmax(1, upper->own / upper->normal), 1 - upper->risk));
	return fmin(most, 1e300);
}

enum ft_status ft__upper_at(const struct ft__upper *upper, const struct ft_size *size,
			    struct ft_prediction *at, double *most, struct ft_err *err)
{
	double confidence = 1 - 2 * upper->risk, x = size->value[upper->varying];
	enum ft_status status = ft_ask_predict(upper->answerer, upper->resource, size, confidence, at, err);

	*most = at->upper;
	if (status || !upper->model)
		return status;
	*most = widen(upper, x, at);
	/* Below the data the interval widens, but smaller problems are not dearer than the smallest measured.
	 */
	if (x < upper->model->knot[0].x) {
		struct ft_size first = *size;
		struct ft_prediction there;
		double bound;

		first.value[upper->varying] = upper->model->knot[0].x;
		status = ft_ask_predict(upper->answerer, upper->resource, &first, confidence, &there, err);
		bound = status ? INFINITY : widen(upper, upper->model->knot[0].x, &there);
		if (at->value <= bound)
			*most = fmin(*most, bound);
	}
	return status;
}
