/* SPDX-License-Identifier: GPL-3.0-or-later */
/* limit.c - one limit of the inverse question: searched gap by gap between the sizes measured. */
#include "ask/limit.h"
#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>

/* What does not grow by this exponent is flat; then, so far beyond the data, a limit is met by the interval
 * alone. */
static const double flat_exponent = 0.05, flat_reach = 10;

/* ---- one size ----------------------------------------------------------------------------------------- */

static enum ft_status work_at(const struct ft__question *q, const struct ft_size *size, double *work,
			      struct ft_err *err)
{
	const char *name[FT_PARAMS_MAX];
	size_t i;

	*work = NAN;
	if (!q->work)
		return FT_OK;
	for (i = 0; i < q->program->n_params; i++)
		name[i] = q->program->param[i].name;
	return ft_expr_eval(q->work, name, size->value, q->program->n_params, work, err);
}

enum ft_status ft__question_predict(struct ft__question *q, double x, struct ft_prediction *out,
				    struct ft_err *err)
{
	enum ft_status status;
	double work;

	*out = (struct ft_prediction){.value = NAN, .lower = NAN, .upper = NAN, .distance = 1};
	q->size.value[q->varying] = x;
	status = work_at(q, &q->size, &work, err);
	return status ? status : ft_model_predict(q->model, x, work, q->confidence, out, err);
}

static double ratio_at(void *ctx, double index)
{
	struct ft__question *q = ctx;
	double x = ft__size_at(&q->sizes, index);
	struct ft_prediction p;

	/* Far beyond the data a work may overflow: too much for any limit. */
	if (ft__question_predict(q, x, &p, x <= q->end && !q->err.status ? &q->err : NULL))
		return INFINITY;
	return p.upper / q->most;
}

/* ---- gap by gap --------------------------------------------------------------------------------------- */

/* Look at sizes from one number to another, evenly in ln size: where the interval's width changes over a
 * tenth of the data's range (the kernel of doc/models.md), points are closer than that. */
static void go(struct ft__search *search, const struct ft__question *q, double from, double to)
{
	const struct ft_model *model = q->model;
	double a = ft__size_at(&q->sizes, from), b = ft__size_at(&q->sizes, to);
	double range = model->knot[0].x > 0 ? log(model->knot[model->n - 1].x / model->knot[0].x) : 0;
	double steps = a > 0 && range > 0 ? ceil(log(b / a) / (0.02 * range)) : 64;
	double point[FT__POINTS_MAX];
	size_t n = 0, i;

	steps = fmin(fmax(8, fmin(steps, 64)), to - from);
	point[n++] = from;
	for (i = 1; (double)i < steps; i++) {
		double share = (double)i / steps;
		double x = a > 0 ? a * pow(b / a, share) : a + share * (b - a);
		double index = fmin(ft__size_floor(&q->sizes, x), to - 1);

		if (index > point[n - 1])
			point[n++] = index;
	}
	if (to > from)
		point[n++] = to;
	ft__search_go(search, point, n);
}

static int compare_doubles(const void *a, const void *b)
{
	const double *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

/* Add a size and its neighbours. */
static size_t add_bend(const struct ft__question *q, double x, double *bend, size_t n)
{
	double at = ft__size_floor(&q->sizes, x);

	bend[n++] = at - 1;
	bend[n++] = at;
	bend[n++] = at + 1;
	return n;
}

/* Numbers of the sizes at which the function may bend or jump: around knots and the end of the range; beyond
 * the data where the power law is drawn through one knot more (as far away as that knot is); and every
 * octave. */
static double *bends(const struct ft__question *q, size_t *n)
{
	enum { OCTAVES = 64 };
	const struct ft_knot *k = q->model->knot, *end = &k[q->model->n - 1];
	double *bend = ft_calloc(9 * q->model->n + 5 + OCTAVES, sizeof *bend), x;
	size_t i, count = 0, kept = 0;

	*n = 0;
	if (!bend)
		return NULL;
	bend[count++] = q->first;
	bend[count++] = q->last;
	count = add_bend(q, q->sizes.most, bend, count);
	for (i = 0; i < q->model->n; i++) {
		count = add_bend(q, k[i].x, bend, count);
		if (k[i].x <= 0 || k->x <= 0)
			continue;
		count = add_bend(q, end->x * (end->x / k[i].x), bend, count);
		count = add_bend(q, k->x * (k->x / k[i].x), bend, count);
	}
	for (i = 0, x = end->x; i < OCTAVES && x > 0; i++, x *= 2)
		bend[count++] = ft__size_floor(&q->sizes, x);
	qsort(bend, count, sizeof *bend, compare_doubles);
	for (i = 0; i < count; i++)
		if (bend[i] >= q->first && bend[i] <= q->last && (!kept || bend[i] > bend[kept - 1]))
			bend[kept++] = bend[i];
	*n = kept;
	return bend;
}

/* Whether the value grows at the upper end of the data: over its last decade, or at least where it ends. */
static bool grows(struct ft__question *q)
{
	const struct ft_knot *k = q->model->knot, *end = &k[q->model->n - 1];
	double x = 0, y = 0, xx = 0, xy = 0, n = 0, least = end->value;
	struct ft_prediction twice;
	size_t i, from = q->model->n - 1;

	if (end->x <= 0 || ft__question_predict(q, 2 * end->x, &twice, NULL))
		return true;
	if (!(twice.value > end->value * pow(2, flat_exponent / 2)))
		return false;
	while (from && k[from - 1].x * 10 >= end->x)
		from--;
	for (i = from; i < q->model->n; i++, n++) {
		x += log(k[i].x);
		y += log(k[i].value + q->model->offset);
		least = fmin(least, k[i].value);
	}
	for (i = from; i < q->model->n; i++) {
		double dx = log(k[i].x) - x / n;

		xx += dx * dx;
		xy += dx * (log(k[i].value + q->model->offset) - y / n);
	}
	return !(xx > 0) || xy / xx >= flat_exponent || end->value >= 1.25 * least;
}

enum ft_status ft__question_search(struct ft__question *q, struct ft__search *search, struct ft_limit *limit,
				   struct ft_err *err)
{
	enum ft_status status;
	size_t n, i;
	double *bend = bends(q, &n);

	if (!bend)
		return ft_nomem(err);
	search->ratio = ratio_at;
	search->ctx = q;
	for (i = 0; i + 1 < n; i++)
		go(search, q, bend[i], bend[i + 1]);
	if (n == 1)
		go(search, q, bend[0], bend[0]);
	ft_free(bend);
	status = ft__search_end(search, err);
	if (!status && q->err.status) {
		if (err)
			*err = q->err;
		return q->err.status;
	}
	limit->grows = grows(q);
	while (!status && !limit->grows && search->n &&
	       ft__size_at(&q->sizes, search->stretch[search->n - 1].from) >
		       flat_reach * q->model->knot[q->model->n - 1].x)
		search->n--;
	return status;
}
