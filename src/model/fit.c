/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit.c - from samples to a band: knots, how far each is from what its neighbours say, and what that
 * tells of the error between knots. doc/models.md derives the formulas. */
#include "model/band.h"
#include "base/alloc.h"
#include "num/stats.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* A gap's error is taken for at least this much while there are so few knots (no leave-out error, or one). */
static const double few_knots_error[] = {1, 1, 0.5, 0.25};

/* A stated error over this is "rough": one and a half times the 10 % that one wants to be within. */
static const double rough_over = 0.15;

static int compare_observations(const void *a, const void *b)
{
	const struct ft_observation *p = a, *q = b;

	if (p->x != q->x)
		return p->x < q->x ? -1 : 1;
	if (p->value != q->value)
		return p->value < q->value ? -1 : 1;
	return (p->work > q->work) - (p->work < q->work);
}

static enum ft_status check(const struct ft_observation *o, size_t n, struct ft_err *err)
{
	size_t i;

	if (!n)
		return ft_fail(err, FT_ENOMODEL, "there is no run to make a model of");
	for (i = 0; i < n; i++)
		if (!isfinite(o[i].x) || !isfinite(o[i].value) || o[i].value < 0 || !isfinite(o[i].work) ||
		    !(o[i].work > 0))
			return ft_fail(err, FT_EINVAL,
				       "sample %zu (size %g, work %g, value %g) cannot be modelled", i,
				       o[i].x, o[i].work, o[i].value);
	return FT_OK;
}

/* The offset that keeps ln finite: half the least positive value when there are zeros, 1 when all are zero.
 */
static double offset_for(const struct ft_observation *o, size_t n)
{
	double least = INFINITY;
	bool zero = false;
	size_t i;

	for (i = 0; i < n; i++) {
		if (o[i].value > 0)
			least = fmin(least, o[i].value);
		else
			zero = true;
	}
	if (!zero)
		return 0;
	return isfinite(least) ? least / 2 : 1;
}

/* A knot from the samples of one size, which are sorted by value. */
static struct ft_knot make_knot(const struct ft_observation *o, size_t n, double offset)
{
	struct ft_knot knot = {.x = o[0].x, .runs = n, .residual = NAN};
	double mean = 0;
	size_t i;

	knot.value = n % 2 ? o[n / 2].value : (o[n / 2 - 1].value + o[n / 2].value) / 2;
	knot.work = o[n / 2].work;
	for (i = 0; i < n; i++)
		mean += log(o[i].value + offset) / (double)n;
	for (i = 0; i < n; i++) {
		double d = log(o[i].value + offset) - mean;

		knot.scatter += d * d;
	}
	return knot;
}

static enum ft_status make_knots(struct ft_model *model, const struct ft_observation *o, size_t n,
				 struct ft_err *err)
{
	size_t first, last;

	model->knot = ft_calloc(n, sizeof *model->knot);
	if (!model->knot)
		return ft_nomem(err);
	for (first = 0; first < n; first = last) {
		for (last = first; last < n && o[last].x == o[first].x;)
			last++;
		model->knot[model->n++] = make_knot(o + first, last - first, model->offset);
	}
	model->runs = n;
	return FT_OK;
}

/* Leave-out errors: what the neighbours say of each inner knot. */
static void set_residuals(struct ft_model *model)
{
	size_t j;

	for (j = 1; j + 1 < model->n; j++) {
		struct ft_knot *k = &model->knot[j];
		double said = ft__band_between(model, j - 1, j + 1, k->x, k->work);

		k->residual = fabs(log(k->value + model->offset) - log(said + model->offset));
	}
}

/* A residual without the part that noise alone would give: the variance of a knot about the mean of its
 * neighbours. */
static double denoised(const struct ft_model *model, size_t j)
{
	const struct ft_knot *k = &model->knot[j];
	double s = ft__band_noise(model, k->x, NULL);
	double r2 = k->residual * k->residual;
	double by_noise =
		3 * s * s * (1 / (double)k->runs + (1 / (double)k[-1].runs + 1 / (double)k[1].runs) / 4);

	return sqrt(fmax(r2 - by_noise, 0.04 * r2));
}

/* (i) The change of slope at the gap's ends: a parabola errs by half as much between its knots, a kink by
 * twice. */
static double error_by_slope(const struct ft_model *model, const double *r, size_t gap)
{
	double h = ft__band_x(model, model->knot[gap + 1].x) - ft__band_x(model, model->knot[gap].x);
	double worst = 0;
	size_t j;

	for (j = gap; j <= gap + 1; j++) {
		double width;

		if (!j || j + 1 == model->n)
			continue;
		width = ft__band_x(model, model->knot[j + 1].x) - ft__band_x(model, model->knot[j - 1].x);
		worst = fmax(worst, r[j] * (width > h ? fmin(1, 0.25 * width / (width - h)) : 1));
	}
	return worst;
}

/* (ii) What the residuals around here are like, scaled to this gap's width. */
static double error_by_region(const struct ft_model *model, const double *r, size_t gap)
{
	double left = ft__band_x(model, model->knot[gap].x),
	       right = ft__band_x(model, model->knot[gap + 1].x);
	double sum = 0, weights = 0;
	size_t j;

	for (j = 1; j + 1 < model->n; j++) {
		double width =
			ft__band_x(model, model->knot[j + 1].x) - ft__band_x(model, model->knot[j - 1].x);
		double scaled = r[j] * fmin(2, (right - left) / width);
		double w = ft__band_kernel(model, ft__band_x(model, model->knot[j].x) - (left + right) / 2);

		sum += w * scaled * scaled;
		weights += w;
	}
	return weights > 0 ? 0.7 * sqrt(sum / weights) : 0;
}

/* (iii) Where shapes that pass through the same knots differ in the middle: the band's own, a power law, and
 * a straight line of the value. */
static double error_by_committee(const struct ft_model *model, size_t gap)
{
	const struct ft_knot *k = &model->knot[gap];
	double left = ft__band_x(model, k[0].x), right = ft__band_x(model, k[1].x);
	double x = ft__band_size(model, (left + right) / 2);
	double a = k[0].value + model->offset, b = k[1].value + model->offset;
	double said[3] = {
		log(ft__band_between(model, gap, gap + 1, x, NAN) + model->offset),
		(log(a) + log(b)) / 2,
		log(a + (b - a) * (x - k[0].x) / (k[1].x - k[0].x)),
	};
	double spread = fmax(fmax(said[0], said[1]), said[2]) - fmin(fmin(said[0], said[1]), said[2]);

	return fmin(0.5, (model->n > 2 ? 0.25 : 0.5) * spread);
}

static enum ft_status set_gap_errors(struct ft_model *model, struct ft_err *err)
{
	double *r = ft_calloc(model->n, sizeof *r);
	size_t g;

	model->gap_error = ft_calloc(model->n, sizeof *model->gap_error);
	if (!r || !model->gap_error) {
		ft_free(r);
		return ft_nomem(err);
	}
	for (g = 1; g + 1 < model->n; g++)
		r[g] = denoised(model, g);
	for (g = 0; g + 1 < model->n; g++) {
		double e = fmax(error_by_slope(model, r, g), error_by_region(model, r, g));

		e = fmax(e, error_by_committee(model, g));
		model->gap_error[g] = model->n < 4 ? fmax(e, few_knots_error[model->n]) : e;
	}
	ft_free(r);
	return FT_OK;
}

/* A gap's stated error and its share of the sizes, to be sorted. */
struct stated {
	double error, share;
	bool by_noise;
};

static int compare_stated(const void *a, const void *b)
{
	const struct stated *p = a, *q = b;

	return (p->error > q->error) - (p->error < q->error);
}

/* The 95 % quantile, over the sizes of the range, of sqrt(gap error^2 + error of the knots' medians^2). */
static enum ft_status set_stated_error(struct ft_model *model, struct ft_err *err)
{
	struct stated *s;
	double range = model->knot[model->n - 1].x - model->knot[0].x, below = 0;
	size_t g, n = model->n - 1;

	if (!n) {
		model->stated_error = few_knots_error[1];
		model->rough = false;
		return FT_OK;
	}
	s = ft_calloc(n, sizeof *s);
	if (!s)
		return ft_nomem(err);
	for (g = 0; g < n; g++) {
		const struct ft_knot *k = &model->knot[g];
		double runs = (double)(k[0].runs < k[1].runs ? k[0].runs : k[1].runs);
		double noise = 1.25 * ft__band_noise(model, (k[0].x + k[1].x) / 2, NULL) / sqrt(runs);

		s[g] = (struct stated){hypot(model->gap_error[g], noise), (k[1].x - k[0].x) / range,
				       noise > model->gap_error[g]};
	}
	qsort(s, n, sizeof *s, compare_stated);
	for (g = 0; g + 1 < n && below + s[g].share < 0.95; g++)
		below += s[g].share;
	model->stated_error = s[g].error;
	model->rough = s[g].error > rough_over;
	model->rough_by_noise = model->rough && s[g].by_noise;
	ft_free(s);
	return FT_OK;
}

enum ft_status ft_model_fit(struct ft_model *out, const struct ft_observation *observation, size_t n,
			    bool through_speed, struct ft_err *err)
{
	struct ft_observation *sorted = NULL;
	enum ft_status status;
	size_t i;

	*out = (struct ft_model){0};
	status = check(observation, n, err);
	if (status)
		return status;
	sorted = ft_calloc(n, sizeof *sorted);
	if (!sorted)
		return ft_nomem(err);
	for (i = 0; i < n; i++)
		sorted[i] = observation[i];
	qsort(sorted, n, sizeof *sorted, compare_observations);

	out->offset = offset_for(sorted, n);
	out->through_speed = through_speed && out->offset == 0;
	status = make_knots(out, sorted, n, err);
	if (!status) {
		set_residuals(out);
		status = set_gap_errors(out, err);
	}
	if (!status)
		status = set_stated_error(out, err);
	ft_free(sorted);
	if (status)
		ft_model_clear(out);
	return status;
}

void ft_model_clear(struct ft_model *model)
{
	if (!model)
		return;
	ft_free(model->knot);
	ft_free(model->gap_error);
	*model = (struct ft_model){0};
}
