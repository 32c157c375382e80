/* SPDX-License-Identifier: GPL-3.0-or-later */
/* state.c - the error that a model states over sizes, and whether it calls the curve rough. */
#include "base/alloc.h"
#include "model/band.h"

#include <math.h>
#include <stdlib.h>

/* A stated error over this is "rough": one and a half times the 10 % that one wants to be within. */
static const double rough_over = 0.15;

/* Of a single size, nothing can be said elsewhere. */
static const double alone_error = 1;

/* A gap's stated error and its share of the sizes, to be sorted; or a knot's deviation and its weight. */
struct stated {
	double error, share;
	bool by_noise;
};

static int compare_stated(const void *a, const void *b)
{
	const struct stated *p = a, *q = b;

	return (p->error > q->error) - (p->error < q->error);
}

/* How many sizes of a list lie between two, both excluded. */
static size_t count_between(const double *sizes, size_t n, double from, double to)
{
	size_t at[2], i;

	for (i = 0; i < 2; i++) {
		size_t low = 0, high = n;

		while (low < high) {
			size_t middle = (low + high) / 2;

			if (i ? sizes[middle] < to : sizes[middle] <= from)
				low = middle + 1;
			else
				high = middle;
		}
		at[i] = low;
	}
	return at[1] > at[0] ? at[1] - at[0] : 0;
}

/* The noise of a region without its wildest sizes: the weighted 60 % quantile of the deviations of sizes that
 * were repeated. deviation is sorted. */
static double usual_noise(const struct ft_model *model, const struct stated *deviation, const double *x,
			  size_t n, double at)
{
	double total = 1, below = 0;
	bool prior = false;
	size_t i;

	for (i = 0; i < n; i++)
		total += deviation[i].share * ft__band_kernel(model, x[i] - at);
	for (i = 0; i < n; i++) {
		if (!prior && deviation[i].error > FT__PRIOR_NOISE) {
			prior = true;
			if ((below += 1) >= 0.6 * total)
				return FT__PRIOR_NOISE;
		}
		below += deviation[i].share * ft__band_kernel(model, x[i] - at);
		if (below >= 0.6 * total)
			return deviation[i].error;
	}
	return FT__PRIOR_NOISE;
}

/* A knot that was repeated. */
struct repeated {
	struct stated deviation;
	double x;
};

static int compare_repeated(const void *a, const void *b)
{
	const struct repeated *p = a, *q = b;

	return compare_stated(&p->deviation, &q->deviation);
}

/* Deviations of the knots that were repeated, ascending; x beside them. */
static size_t list_deviations(const struct ft_model *model, struct repeated *list, struct stated *deviation,
			      double *x)
{
	size_t j, n = 0;

	for (j = 0; j < model->n; j++) {
		const struct ft_knot *k = &model->knot[j];
		double freedom = (double)k->runs - 1;

		if (k->runs > 1)
			list[n++] = (struct repeated){{sqrt(k->scatter / freedom), freedom, true},
						      ft__band_x(model, k->x)};
	}
	qsort(list, n, sizeof *list, compare_repeated);
	for (j = 0; j < n; j++) {
		deviation[j] = list[j].deviation;
		x[j] = list[j].x;
	}
	return n;
}

double ft_model_noise(const struct ft_model *model)
{
	struct repeated *list = ft_calloc(model->n, sizeof *list);
	struct stated *deviation = ft_calloc(model->n, sizeof *deviation);
	double *x = ft_calloc(model->n, sizeof *x), squares = 0, freedom = 0;
	size_t n, i;

	if (list && deviation && x) {
		n = list_deviations(model, list, deviation, x);
		for (i = 0; i < n && deviation[i].error <= 5 * deviation[n / 2].error; i++) {
			squares += deviation[i].share * deviation[i].error * deviation[i].error;
			freedom += deviation[i].share;
		}
	}
	ft_free(list);
	ft_free(deviation);
	ft_free(x);
	return freedom > 0 ? sqrt(squares / freedom) : NAN;
}

/* The 95 % quantile of sorted errors. */
static const struct stated *at_95(const struct stated *s, size_t n)
{
	double total = 0, below = 0;
	size_t g;

	for (g = 0; g < n; g++)
		total += s[g].share;
	for (g = 0; g + 1 < n && below + s[g].share < 0.95 * total; g++)
		below += s[g].share;
	return &s[g];
}

/* What is stated of the sizes between two knots, and of a knot. */
static struct stated of_gap(const struct ft_model *model, size_t g, double noise, double share)
{
	const struct ft_knot *k = &model->knot[g];
	double runs = (double)(k[0].runs < k[1].runs ? k[0].runs : k[1].runs), e = model->gap_error[g];

	noise = hypot(1.25 * noise / sqrt(runs), model->drift);
	return (struct stated){hypot(e, noise), share, noise > e};
}

static struct stated of_knot(const struct ft_model *model, size_t j, double noise)
{
	noise *= 1.25 / sqrt((double)model->knot[j].runs);
	return (struct stated){hypot(noise, model->drift), 1, true};
}

enum ft_status ft_model_state(struct ft_model *model, const double *sizes, size_t n_sizes, struct ft_err *err)
{
	size_t j, n = 0, repeated;
	struct stated *s, *deviation;
	struct repeated *list;
	const struct stated *worst;
	double *x;

	model->stated_error = alone_error;
	model->rough = model->rough_by_noise = false;
	if (model->n < 2)
		return FT_OK;
	s = ft_calloc(2 * model->n, sizeof *s);
	deviation = ft_calloc(model->n, sizeof *deviation);
	list = ft_calloc(model->n, sizeof *list);
	x = ft_calloc(model->n, sizeof *x);
	if (!s || !deviation || !list || !x) {
		ft_free(s);
		ft_free(deviation);
		ft_free(list);
		ft_free(x);
		return ft_nomem(err);
	}
	repeated = list_deviations(model, list, deviation, x);
	for (j = 0; j < model->n; j++) {
		const struct ft_knot *k = &model->knot[j];
		double at = ft__band_x(model, k->x);

		if (sizes)
			s[n++] = of_knot(model, j, usual_noise(model, deviation, x, repeated, at));
		if (j + 1 == model->n)
			break;
		at = (at + ft__band_x(model, k[1].x)) / 2;
		s[n++] = of_gap(model, j, usual_noise(model, deviation, x, repeated, at),
				sizes ? (double)count_between(sizes, n_sizes, k[0].x, k[1].x)
				      : k[1].x - k[0].x);
	}
	qsort(s, n, sizeof *s, compare_stated);
	worst = at_95(s, n);
	model->stated_error = worst->error;
	model->rough = worst->error > rough_over;
	model->rough_by_noise = model->rough && worst->by_noise;
	ft_free(s);
	ft_free(deviation);
	ft_free(list);
	ft_free(x);
	return FT_OK;
}
