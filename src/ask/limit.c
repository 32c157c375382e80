/* SPDX-License-Identifier: GPL-3.0-or-later */
/* limit.c - one limit of the inverse question: searches each gap between the measured sizes. */
#include "ask/ask.h"
#include "base/alloc.h"
#include "foretime/base.h"
#include "model/door.h"
#include "num/num.h"

#include <math.h>

enum { FT__POINTS_MAX = 66 };

/*
 * Find where along a sequence of sizes a function is above a limit: points are evaluated, peaks between them
 * are climbed, and changes between them bisected. Millions of sizes cost a few hundred evaluations.
 */

/* A peak between two points is climbed only if these come this close to the limit: no interval widens by
 * more within an eighth of a gap. */
static const double worth_climbing = 0.2;

/* ---- the search --------------------------------------------------------------------------------------- */

static bool is_over(const struct ft__search *search, double index)
{
	return search->ratio(search->ctx, index) > 1;
}

static void open_stretch(struct ft__search *search, double from)
{
	struct ft__index_range *grown =
		ft_grow(search->stretch, search->n, &search->capacity, sizeof *search->stretch);

	if (!grown) {
		search->no_memory = true;
		return;
	}
	search->stretch = grown;
	search->stretch[search->n++] = (struct ft__index_range){from, from};
}

/* The next point that was looked at. */
static void step_to(struct ft__search *search, double index, bool over)
{
	double low = search->last, high = index;

	if (search->no_memory || (search->begun && index <= search->last))
		return;
	if (!search->begun && over)
		open_stretch(search, index);
	if (search->begun && over != search->over) {
		while (high - low > 1) {
			double middle = floor(low + (high - low) / 2);

			if (is_over(search, middle) == over)
				high = middle;
			else
				low = middle;
		}
		if (over)
			open_stretch(search, high);
		else
			search->stretch[search->n - 1].to = low;
	}
	search->begun = true;
	search->over = over;
	search->last = index;
}

/* The index between two, inclusive, with the largest ratio, where there is one top (golden section over whole
 * numbers). Stops early at one over the limit: that suffices. */
static double find_top(const struct ft__search *search, double low, double high, double *ratio)
{
	const double golden = 0.6180339887498949;

	while (high - low > 2) {
		double width = high - low, left = low + fmax(1, floor((1 - golden) * width)), right, a, b;

		right = fmin(high - 1, fmax(left + 1, low + ceil(golden * width)));
		a = search->ratio(search->ctx, left);
		b = search->ratio(search->ctx, right);
		if (a > 1 || b > 1) {
			*ratio = a > 1 ? a : b;
			return a > 1 ? left : right;
		}
		if (a < b)
			low = left;
		else
			high = right;
	}
	*ratio = search->ratio(search->ctx, floor(low + (high - low) / 2));
	return floor(low + (high - low) / 2);
}

/* Whether there may be a peak above the limit around point i, which is below it. */
static bool is_top(const double *ratio, size_t n, size_t i)
{
	return ratio[i] <= 1 && ratio[i] > worth_climbing && (!i || ratio[i - 1] <= ratio[i]) &&
	       (i + 1 == n || ratio[i + 1] <= ratio[i]);
}

void ft__search_go(struct ft__search *search, const double *point, size_t n)
{
	double ratio[FT__POINTS_MAX];

	for (size_t i = 0; i < n; i++)
		ratio[i] = search->ratio(search->ctx, point[i]);
	for (size_t i = 0; i < n; i++) {
		double top = point[i], height = 0;

		if (is_top(ratio, n, i))
			top = find_top(search, point[i ? i - 1 : 0], point[i + 1 < n ? i + 1 : i], &height);
		if (height > 1 && top < point[i])
			step_to(search, top, true);
		step_to(search, point[i], ratio[i] > 1);
		if (height > 1 && top > point[i])
			step_to(search, top, true);
	}
}

void ft__search_each(struct ft__search *search, double to)
{
	while (!search->no_memory && search->last < to)
		step_to(search, search->last + 1, is_over(search, search->last + 1));
}

void ft__search_bar(struct ft__search *search, double to)
{
	if (search->no_memory || to <= search->last)
		return;
	if (!search->over)
		open_stretch(search, search->last + 1);
	search->over = true;
	search->last = to;
}

enum ft_status ft__search_end(struct ft__search *search, struct ft_err *err)
{
	if (search->no_memory)
		return ft_nomem(err);
	if (search->begun && search->over)
		search->stretch[search->n - 1].to = search->last;
	return FT_OK;
}

void ft__search_clear(struct ft__search *search)
{
	if (!search)
		return;
	ft_free(search->stretch);
	search->stretch = NULL;
	search->n = search->capacity = 0;
}

/*
 * Check the constraint of a program at a size, and find the nearest size that meets it.
 */

static enum ft_status meets_where(const struct ft_program *program, const struct ft_expr *where,
				  const struct ft_size *size, bool *yes, struct ft_err *err)
{
	const char *name[FT_PARAMS_MAX];
	double value = 0;

	for (size_t i = 0; i < program->n_params; i++)
		name[i] = program->param[i].name;
	enum ft_status status = ft_expr_eval(where, name, size->value, size->n, &value, err);
	*yes = !status && value != 0;
	return status;
}

/* The nearest of the sizes that were run and meet the constraint; NULL: there is none. */
static const struct ft_size *nearest_size(const struct ft_answerer *a, const struct ft_expr *where,
					  const struct ft_size *size)
{
	const struct ft_size *best = NULL;
	double least = INFINITY;

	for (size_t i = 0; i < a->runs.n; i++) {
		const struct ft_run *run = &a->runs.run[i];
		double far = ft__size_distance(&run->size, size);
		bool yes;

		if (run->outcome == FT_DONE && far < least &&
		    !meets_where(&a->program, where, &run->size, &yes, NULL) && yes) {
			least = far;
			best = &run->size;
		}
	}
	return best;
}

enum ft_status ft_ask_admits(const struct ft_answerer *answerer, const struct ft_size *size,
			     struct ft_err *err)
{
	const struct ft_program *program = &answerer->program;
	struct ft_expr *where;
	char at[256];
	bool yes;

	if (!program->where)
		return FT_OK;
	FT_TRY(ft_expr_new(&where, program->where, err));
	enum ft_status status = meets_where(program, where, size, &yes, err);
	const struct ft_size *near = status || yes || !err ? NULL : nearest_size(answerer, where, size);
	ft_expr_free(where);
	if (status || yes)
		return status;
	(void)ft_size_format(program, size, at, sizeof at);
	(void)ft_fail(err, FT_EINVAL, "'%s' makes no sense at %s: its sizes meet %s", program->name, at,
		      program->where);
	if (near) {
		(void)ft_size_format(program, near, at, sizeof at);
		(void)ft_remedy(err, "ask for a size that does; the nearest that was run is %s", at);
	} else {
		(void)ft_remedy(err,
				"no size that was run does: state another one with foretime build --where");
	}
	return FT_EINVAL; /* also without err */
}

/*
 * One limit of the inverse question: searches each gap between the measured sizes.
 */

/* A value with at most this exponent is flat; then, this far outside the data, a limit is met by the
 * interval alone. */
static const double flat_exponent = 0.05, flat_reach = 10;

/* Neighbours that are checked against the constraint, before ever farther sizes. */
enum { NEIGHBOURS = 2048, LEVELS_MOST = 24 };
static const double farther = 1.02;

/* Where neighbours differ, the most sizes that are examined one by one; the remaining uncertain ones count
 * as not fitting. */
static const double looks_most = 10000;

/* ---- one size ----------------------------------------------------------------------------------------- */

/* An expression at the size of the question; NULL: NaN. */
static enum ft_status value_of(const struct ft__question *q, const struct ft_expr *expr, double *value,
			       struct ft_err *err)
{
	const char *name[FT_PARAMS_MAX];

	*value = NAN;
	if (!expr)
		return FT_OK;
	for (size_t i = 0; i < q->program->n_params; i++)
		name[i] = q->program->param[i].name;
	return ft_expr_eval(expr, name, q->size.value, q->program->n_params, value, err);
}

enum ft_status ft__question_predict(struct ft__question *q, double x, struct ft_prediction *out,
				    struct ft_err *err)
{
	double work;

	*out = (struct ft_prediction){.value = NAN, .lower = NAN, .upper = NAN, .distance = 1};
	q->size.value[q->varying] = x;
	enum ft_status status = value_of(q, q->work, &work, err);
	if (!status)
		status = ft_model_predict(q->record->model, &q->size, work, q->confidence, out, err);
	if (!status && q->by_law.fits)
		status = ft__ask_law_over_model(q->answerer, q->resource, &q->by_law, &q->size, q->confidence,
						ft_model_facts(q->record->model)->rough, out, err);
	if (!status)
		status = ft__ask_beside(q->answerer, q->resource, &q->size, q->confidence, out, err);
	return status ? status : ft__ask_credible(q->resource, out, err);
}

static double ratio_at(void *ctx, double index)
{
	struct ft__question *q = ctx;
	double x = ft_space_value(&q->space, index);
	struct ft_prediction p;

	/* Far outside the data a work may overflow: it exceeds every limit. */
	if (ft__question_predict(q, x, &p, x <= q->end && !q->err.status ? &q->err : NULL))
		return INFINITY;
	return p.upper / q->most;
}

/* ---- the constraint ------------------------------------------------------------------------------------ */

bool ft__question_admits(struct ft__question *q, double x)
{
	double value;

	if (!q->where)
		return true;
	q->size.value[q->varying] = x;
	/* A value that cannot be computed (a division by zero) is no yes. */
	return !value_of(q, q->where, &value, NULL) && value != 0;
}

double ft__question_admitted(struct ft__question *q, double from, double to)
{
	double sign = to < from ? -1 : 1, no = from, step = 1;
	double at = from;

	while (!ft__question_admits(q, ft_space_value(&q->space, at))) {
		if (at == to)
			return NAN;
		no = at;
		if (fabs(at - from) >= NEIGHBOURS)
			step *= farther;
		at = sign * fmin(sign * to, sign * (at + sign * floor(step)));
	}
	while (fabs(at - no) > 1) {
		double middle = floor((at + no) / 2);

		if (ft__question_admits(q, ft_space_value(&q->space, middle)))
			at = middle;
		else
			no = middle;
	}
	return at;
}

/* ---- gap by gap --------------------------------------------------------------------------------------- */

enum ft_status ft__question_turn(struct ft__question *q, const struct ft_model_record *record,
				 const struct ft_limit *limit, struct ft_err *err)
{
	q->record = record;
	q->fine = ft__ask_fineness(record);
	q->looks = looks_most;
	q->most = limit->most;
	q->resource = limit->resource;
	if (ft_ask_calibrate(q->answerer, limit->resource, &q->by_law, NULL) == FT_ENOMEM)
		return ft_nomem(err);
	/* Values of the parameter that varies at the knots, ascending and different; of a model over several, which
	 * is smooth over a tenth of its range, not too many. */
	size_t n, i, kept, axis[FT_PARAMS_MAX];
	const struct ft_knot *knot = ft_model_knots(q->record->model, &n);

	ft_free(q->at);
	q->at = ft_calloc(n, sizeof *q->at);
	q->n_at = 0;
	if (!q->at)
		return ft_nomem(err);
	for (i = 0; i < n; i++)
		q->at[i] = knot[i].size.value[q->varying];
	q->n_at = kept = ft_sort_different(q->at, n);
	if (ft_model_axes(q->record->model, axis) > 1 && kept > LEVELS_MOST) {
		for (i = 0; i < LEVELS_MOST; i++)
			q->at[i] = q->at[i * (kept - 1) / (LEVELS_MOST - 1)];
		q->n_at = LEVELS_MOST;
	}
	return FT_OK;
}

/* With fine structure the points bound the sizes between them up to its ratio (and a little more: the
 * interval moves too). Uncertain sizes are examined one by one. */
static void go_finely(struct ft__search *search, struct ft__question *q, const double *point, size_t n)
{
	double doubt = 1.05 * q->fine, before = ratio_at(q, point[0]), here;

	ft__search_go(search, point, 1);
	for (size_t i = 1; i < n; i++, before = here) {
		here = ratio_at(q, point[i]);
		if (fmax(before, here) * doubt < 1 || fmin(before, here) > doubt) {
			ft__search_go(search, &point[i - 1], 2);
		} else if (q->looks >= point[i] - point[i - 1]) {
			q->looks -= point[i] - point[i - 1];
			ft__search_each(search, point[i]);
		} else {
			ft__search_bar(search, point[i]);
		}
	}
}

/* Look at sizes from one number to another, evenly in ln size: where the interval's width changes over a
 * tenth of the data's range (the kernel of doc/engine-formulas.md), points are closer than that. */
static void search_between(struct ft__search *search, struct ft__question *q, double from, double to)
{
	double a = ft_space_value(&q->space, from), b = ft_space_value(&q->space, to);
	double range = q->at[0] > 0 ? log(q->at[q->n_at - 1] / q->at[0]) : 0;
	double steps = a > 0 && range > 0 ? ceil(log(b / a) / (0.02 * range)) : 64;
	double point[FT__POINTS_MAX];
	size_t n = 0;

	steps = fmin(fmax(8, fmin(steps, 64)), to - from);
	point[n++] = from;
	for (size_t i = 1; (double)i < steps; i++) {
		double share = (double)i / steps;
		double x = a > 0 ? a * pow(b / a, share) : a + share * (b - a);
		double index = fmin(ft_space_floor(&q->space, x), to - 1);

		if (index > point[n - 1])
			point[n++] = index;
	}
	if (to > from)
		point[n++] = to;
	if (q->fine > 1)
		go_finely(search, q, point, n);
	else
		ft__search_go(search, point, n);
}

/* Add a size and its neighbours. */
static size_t add_bend(const struct ft__question *q, double x, double *bend, size_t n)
{
	double at = ft_space_floor(&q->space, x);

	bend[n++] = at - 1;
	bend[n++] = at;
	bend[n++] = at + 1;
	return n;
}

/* Numbers of the sizes at which the function may bend or jump: around knots and the end of the range;
 * outside the data where the power law is fitted to one knot more (at the distance of that knot); and
 * every octave. */
static double *find_bends(const struct ft__question *q, size_t *n)
{
	enum { OCTAVES = 64 };
	double least = q->at[0], most = q->at[q->n_at - 1], x;
	double *bend = ft_calloc(9 * q->n_at + 5 + OCTAVES, sizeof *bend);
	size_t i, count = 0, kept = 0, axis[FT_PARAMS_MAX];
	bool band = ft_model_axes(q->record->model, axis) == 1;

	*n = 0;
	if (!bend)
		return NULL;
	bend[count++] = q->first;
	bend[count++] = q->last;
	count = add_bend(q, q->space.most, bend, count);
	for (i = 0; i < q->n_at; i++) {
		count = add_bend(q, q->at[i], bend, count);
		if (!band || q->at[i] <= 0 || least <= 0)
			continue;
		count = add_bend(q, most * (most / q->at[i]), bend, count);
		count = add_bend(q, least * (least / q->at[i]), bend, count);
	}
	for (i = 0, x = most; i < OCTAVES && x > 0; i++, x *= 2)
		bend[count++] = ft_space_floor(&q->space, x);
	count = ft_sort_different(bend, count);
	for (i = 0; i < count; i++)
		if (bend[i] >= q->first && bend[i] <= q->last)
			bend[kept++] = bend[i];
	*n = kept;
	return bend;
}

static double value_at(struct ft__question *q, double x)
{
	struct ft_prediction p;

	return ft__question_predict(q, x, &p, NULL) ? (double)NAN : p.value;
}

/* Whether the value grows at the upper end of the data: over its last decade, or at least at its end. */
static bool value_grows(struct ft__question *q)
{
	double end = q->at[q->n_at - 1], offset = ft_model_facts(q->record->model)->offset;
	double x = 0, y = 0, xx = 0, xy = 0, n = 0, last = value_at(q, end), least = last, twice;
	size_t from = q->n_at - 1;

	twice = end > 0 ? value_at(q, 2 * end) : (double)NAN;
	if (isnan(twice))
		return true;
	if (!(twice > last * pow(2, flat_exponent / 2)))
		return false;
	while (from && q->at[from - 1] * 10 >= end)
		from--;
	for (size_t i = from; i < q->n_at; i++, n++) {
		double value = value_at(q, q->at[i]);

		x += log(q->at[i]);
		y += log(value + offset);
		least = fmin(least, value);
	}
	for (size_t i = from; i < q->n_at; i++) {
		double dx = log(q->at[i]) - x / n;

		xx += dx * dx;
		xy += dx * (log(value_at(q, q->at[i]) + offset) - y / n);
	}
	return !(xx > 0) || xy / xx >= flat_exponent || last >= 1.25 * least;
}

enum ft_status ft__question_search(struct ft__question *q, struct ft__search *search, struct ft_limit *limit,
				   struct ft_err *err)
{
	size_t n;
	double *bend = find_bends(q, &n);

	if (!bend)
		return ft_nomem(err);
	search->ratio = ratio_at;
	search->ctx = q;
	for (size_t i = 0; i + 1 < n; i++)
		search_between(search, q, bend[i], bend[i + 1]);
	if (n == 1)
		search_between(search, q, bend[0], bend[0]);
	ft_free(bend);
	enum ft_status status = ft__search_end(search, err);
	if (!status && q->err.status) {
		if (err)
			*err = q->err;
		return q->err.status;
	}
	limit->grows = value_grows(q);
	while (!status && !limit->grows && search->n &&
	       ft_space_value(&q->space, search->stretch[search->n - 1].from) >
		       flat_reach * q->at[q->n_at - 1])
		search->n--;
	return status;
}
