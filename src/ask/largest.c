/* SPDX-License-Identifier: GPL-3.0-or-later */
/* largest.c - the inverse question: up to which size everything fits. Each limit is searched by itself, gap
 * by gap between the sizes measured; where any is exceeded, the size does not fit. */
#include "ask/search.h"
#include "base/alloc.h"
#include "foretime/ask.h"
#include "foretime/expr.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sizes so many times the largest measured one are not looked at. */
static const double reach = 1e6;

/* What does not grow by this exponent is flat; then, so far beyond the data, a limit is met by the interval
 * alone. */
static const double flat_exponent = 0.05, flat_reach = 10;

/* What is asked, of one limit at a time. */
struct question {
	const struct ft_program *program;
	const struct ft_model *model;
	const struct ft_expr *work; /* NULL: read from the knots */
	size_t varying;
	struct ft_size size; /* of what was asked last */
	struct ft__sizes sizes;
	double first, last; /* numbers of the sizes to look at */
	double end;         /* the largest size measured, of all models */
	double confidence;  /* two-sided */
	double most;
	struct ft_err err; /* why a size within the data could not be answered */
};

/* ---- one size ----------------------------------------------------------------------------------------- */

static enum ft_status work_at(const struct question *q, const struct ft_size *size, double *work,
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

static enum ft_status predict(struct question *q, double x, struct ft_prediction *out, struct ft_err *err)
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
	struct question *q = ctx;
	double x = ft__size_at(&q->sizes, index);
	struct ft_prediction p;

	/* Far beyond the data a work may overflow: too much for any limit. */
	if (predict(q, x, &p, x <= q->end && !q->err.status ? &q->err : NULL))
		return INFINITY;
	return p.upper / q->most;
}

/* ---- gap by gap --------------------------------------------------------------------------------------- */

/* Look at sizes from one number to another, evenly in ln size: where the interval's width changes over a
 * tenth of the data's range (the kernel of doc/models.md), points are closer than that. */
static void go(struct ft__search *search, const struct question *q, double from, double to)
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
static size_t add_bend(const struct question *q, double x, double *bend, size_t n)
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
static double *bends(const struct question *q, size_t *n)
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
static bool grows(struct question *q)
{
	const struct ft_knot *k = q->model->knot, *end = &k[q->model->n - 1];
	double x = 0, y = 0, xx = 0, xy = 0, n = 0, least = end->value;
	struct ft_prediction twice;
	size_t i, from = q->model->n - 1;

	if (end->x <= 0 || predict(q, 2 * end->x, &twice, NULL))
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

/* Where the limit is exceeded. */
static enum ft_status search_limit(struct ft__search *search, struct question *q, struct ft_limit *limit,
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

/* ---- what fits ---------------------------------------------------------------------------------------- */

static int compare_stretches(const void *a, const void *b)
{
	const struct ft__stretch *p = a, *q = b;

	return (p->from > q->from) - (p->from < q->from);
}

/* Join stretches that overlap or touch; returns how many are left. */
static size_t join(struct ft__stretch *s, size_t n)
{
	size_t i, kept = 0;

	if (n)
		qsort(s, n, sizeof *s, compare_stretches);
	for (i = 0; i < n; i++) {
		if (kept && s[i].from <= s[kept - 1].to + 1)
			s[kept - 1].to = fmax(s[kept - 1].to, s[i].to);
		else
			s[kept++] = s[i];
	}
	return kept;
}

/* From the stretches that do not fit to the answer. */
static void set_answer(const struct question *q, struct ft__stretch *s, size_t n, struct ft_largest *out)
{
	double at = q->end;

	n = join(s, n);
	assert(s || !n);
	out->size = q->size;
	out->next = out->again = out->last = NAN;
	out->kind = !n ? FT_LARGEST_ANY : s[0].from > q->first ? FT_LARGEST_FOUND : FT_LARGEST_NONE;
	if (n) {
		bool found = out->kind == FT_LARGEST_FOUND;

		at = ft__size_at(&q->sizes, found ? s[0].from - 1 : q->first);
		out->next = ft__size_at(&q->sizes, found ? s[0].from : q->first);
		if (n > 1 || s[0].to < q->last) {
			out->again = ft__size_at(&q->sizes, s[0].to + 1);
			out->last =
				s[n - 1].to < q->last ? INFINITY : ft__size_at(&q->sizes, s[n - 1].from - 1);
		}
	}
	out->size.value[q->varying] = at;
	out->reach = ft__size_at(&q->sizes, q->last);
}

/* ---- the question ------------------------------------------------------------------------------------- */

static enum ft_status check(const struct ft_limit *limit, size_t n, double confidence, struct ft_err *err)
{
	size_t i;

	if (!(confidence >= 0.75 && confidence <= 0.9995)) {
		ft_fail(err, FT_EINVAL, "a one-sided confidence of %g is not within 0.75 and 0.9995",
			confidence);
		return ft_remedy(err,
				 "state the share of runs that shall stay within the limits, as in 90%%");
	}
	for (i = 0; i < n; i++)
		if (!(limit[i].most > 0 && isfinite(limit[i].most)))
			return ft_fail(err, FT_EINVAL, "a limit of %g on %s is not positive", limit[i].most,
				       limit[i].resource);
	return FT_OK;
}

/* Which sizes to look at: from the smallest admissible one that can be predicted. */
static void set_range(struct question *q, double lowest)
{
	const struct ft_param *param = &q->program->param[q->varying];
	double first = 0;

	q->sizes = ft__sizes_of(param->least, param->stride > 0 ? param->stride : 1, param->most);
	if (param->least <= 0 && param->least < lowest) {
		first = ft__size_floor(&q->sizes, fmin(lowest, 0));
		first += lowest > 0 || ft__size_at(&q->sizes, first) < lowest;
	}
	q->first = fmax(first, 0);
	q->last = ft__size_floor(&q->sizes, fmax(param->most, q->end > 0 ? reach * q->end : q->end));
}

static enum ft_status get_models(struct ft_answerer *answerer, const struct ft_limit *limit, size_t n,
				 struct question *q, const struct ft_model_record **record,
				 struct ft_err *err)
{
	double lowest = -INFINITY;
	size_t i;

	q->end = -INFINITY;
	for (i = 0; i < n; i++) {
		enum ft_status status = ft_ask_model(answerer, limit[i].resource, &q->size, &record[i], err);

		if (status)
			return status;
		lowest = fmax(lowest, record[i]->model.knot[0].x);
		q->end = fmax(q->end, record[i]->model.knot[record[i]->model.n - 1].x);
	}
	set_range(q, lowest);
	return FT_OK;
}

/* The limits at the size answered, and at the next one. */
static enum ft_status set_limits(struct question *q, const struct ft_model_record *const *record,
				 struct ft_limit *limit, size_t n, struct ft_largest *out, struct ft_err *err)
{
	struct ft_prediction next;
	size_t i;

	for (i = 0; i < n; i++) {
		enum ft_status status;

		q->model = &record[i]->model;
		status = predict(q, out->size.value[q->varying], &limit[i].at, err);
		if (status)
			return status;
		limit[i].binds = !isnan(out->next) &&
				 (predict(q, out->next, &next, NULL) || next.upper > limit[i].most);
	}
	out->by_kill = out->next >= out->killed;
	return FT_OK;
}

/* Every limit's stretches in one array, and the sizes from the killed one on; heap. */
static enum ft_status search_all(struct question *q, const struct ft_model_record *const *record,
				 struct ft_limit *limit, size_t n, double killed, struct ft__stretch **all,
				 size_t *n_all, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t i, capacity = 0;

	for (i = 0; i <= n && !status; i++) {
		struct ft__search search = {0};
		struct ft__stretch rest = {q->first, q->last};
		size_t j, count = 0;

		if (i < n) {
			q->model = &record[i]->model;
			q->most = limit[i].most;
			status = search_limit(&search, q, &limit[i], err);
			count = search.n;
		} else if (!isnan(killed)) {
			count = 1;
			rest.from = ft__size_floor(&q->sizes, killed);
			rest.from = fmax(q->first, rest.from + (ft__size_at(&q->sizes, rest.from) < killed));
		}
		for (j = 0; j < count && !status; j++) {
			struct ft__stretch *grown = ft_grow(*all, *n_all, &capacity, sizeof *grown);

			if (grown)
				*all = grown;
			else
				status = ft_nomem(err);
			if (grown)
				grown[(*n_all)++] = i < n ? search.stretch[j] : rest;
		}
		ft__search_clear(&search);
	}
	return status;
}

enum ft_status ft_ask_largest(struct ft_answerer *answerer, struct ft_limit *limit, size_t n,
			      const struct ft_size *fixed, double confidence, struct ft_largest *out,
			      struct ft_err *err)
{
	struct question q = {
		.program = ft_ask_program(answerer), .size = *fixed, .confidence = 2 * confidence - 1};
	const struct ft_model_record **record = NULL;
	struct ft__stretch *all = NULL;
	struct ft_expr *work = NULL;
	enum ft_status status = check(limit, n, confidence, err);
	size_t n_all = 0, i;

	*out = (struct ft_largest){.next = NAN, .again = NAN, .last = NAN, .killed = NAN};
	for (i = 0; i < n; i++)
		limit[i].binds = limit[i].grows = false;
	if (status)
		return status;
	q.varying = ft_program_varying(q.program);
	record = ft_calloc(n, sizeof *record);
	if (!record)
		return ft_nomem(err);
	status = get_models(answerer, limit, n, &q, record, err);
	if (!status && q.program->work)
		status = ft_expr_new(&work, q.program->work, err);
	q.work = work;
	if (!status) {
		out->killed = ft_runs_killed(ft_ask_runs(answerer), q.varying, fixed);
		status = search_all(&q, record, limit, n, out->killed, &all, &n_all, err);
	}
	if (!status) {
		set_answer(&q, all, n_all, out);
		status = set_limits(&q, record, limit, n, out, err);
	}
	if (status)
		*out = (struct ft_largest){.next = NAN, .again = NAN, .last = NAN, .killed = NAN};
	ft_free(all);
	ft_free(record);
	ft_expr_free(work);
	return status;
}
