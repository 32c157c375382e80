/* SPDX-License-Identifier: GPL-3.0-or-later */
/* largest.c - the inverse question: up to which size everything fits. Each limit is searched by itself; a
 * size fits if no limit is exceeded. */
#include "ask/ask.h"
#include "base/alloc.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sizes above this multiple of the largest measured one are not examined. */
static const double reach = 1e6;

/* Sizes looked at in a stretch between two measured ones. */
enum { TYPICAL_STEPS = 32 };

/* ---- stretches that fit
   ---------------------------------------------------------------------------------------- */

static int compare_stretches(const void *a, const void *b)
{
	const struct ft__index_range *p = a, *q = b;

	return (p->from > q->from) - (p->from < q->from);
}

/* The next larger stretch that fits, and its end. */
static void set_again(struct ft__question *q, const struct ft__index_range *s, size_t n,
		      struct ft_largest *out)
{
	for (size_t i = 0; i < n && s[i].to < q->last && isnan(out->again); i++) {
		double to = i + 1 < n ? s[i + 1].from - 1 : q->last;

		out->again = ft__question_admitted(q, s[i].to + 1, to);
	}
	if (isnan(out->again))
		return;
	out->again = ft_space_value(&q->space, out->again);
	out->last = s[n - 1].to < q->last ? INFINITY : ft_space_value(&q->space, s[n - 1].from - 1);
}

/* The measured sizes of all limits' models next to a stretch: whether one lies in it, and the number of the first
 * above it; NaN: there is none. */
static double measured_above(struct ft__question *q, const struct ft_model_record *const *record, size_t n,
			     const struct ft__index_range *s, bool *inside)
{
	double above = NAN;

	*inside = false;
	for (size_t i = 0; i < n; i++) {
		size_t knots;
		const struct ft_knot *knot = ft_model_knots(record[i]->model, &knots);

		for (size_t j = 0; j < knots; j++) {
			double x = knot[j].size.value[q->varying], index = ft_space_floor(&q->space, x);

			*inside |= index >= s->from && index <= s->to;
			if (index > s->to && ft_space_value(&q->space, index) == x &&
			    ft__question_admits(q, x))
				above = fmin(isnan(above) ? index : above, index);
		}
	}
	return above;
}

/* Whether a typical run fits everywhere in a stretch: at its ends and between them, evenly in ln size. */
static enum ft_status typically_fits(struct ft__question *q, const struct ft_model_record *const *record,
				     const struct ft_limit *limit, size_t n, const struct ft__index_range *s,
				     bool *yes, struct ft_err *err)
{
	double a = ft_space_value(&q->space, s->from), b = ft_space_value(&q->space, s->to);

	*yes = a > 0;
	for (size_t i = 0; i < n && *yes; i++) {
		FT_TRY(ft__question_turn(q, record[i], &limit[i], err));
		for (int step = 0; step <= TYPICAL_STEPS && *yes; step++) {
			struct ft_prediction p;
			double x = a * pow(b / a, (double)step / TYPICAL_STEPS);

			x = ft_space_value(&q->space, ft_space_floor(&q->space, x));
			*yes = !ft__question_predict(q, x, &p, NULL) && p.value <= limit[i].most;
		}
	}
	return FT_OK;
}

/* From the stretches that do not fit to the answer. The first size to look at meets the constraint.
 *
 * A stretch between two measured sizes that fit, where a typical run fits too, is only uncertain: an allocator
 * that doubles its pool leaves such a one between its last two steps. A person who wants the largest size that
 * fits is better served by the measured one above it, and is shown the stretch. */
static enum ft_status set_answer(struct ft__question *q, const struct ft_model_record *const *record,
				 const struct ft_limit *limit, size_t n_limits, struct ft__index_range *s,
				 size_t n, struct ft_largest *out, struct ft_err *err)
{
	double next = NAN;

	/* Join stretches that overlap or touch. */
	size_t kept = 0;

	if (n)
		qsort(s, n, sizeof *s, compare_stretches);
	for (size_t i = 0; i < n; i++) {
		if (kept && s[i].from <= s[kept - 1].to + 1)
			s[kept - 1].to = fmax(s[kept - 1].to, s[i].to);
		else
			s[kept++] = s[i];
	}
	n = kept;
	assert(s || !n);
	for (; n && s[0].from > q->first; s++, n--) {
		bool inside, yes;
		double above = measured_above(q, record, n_limits, s, &inside);

		if (inside || isnan(above) || (n > 1 && above >= s[1].from))
			break;
		FT_TRY(typically_fits(q, record, limit, n_limits, s, &yes, err));
		if (!yes)
			break;
		if (isnan(out->uncertain))
			out->uncertain = ft_space_value(&q->space, s->from);
		out->uncertain_to = ft_space_value(&q->space, s->to);
	}
	out->kind = !n ? FT_LARGEST_ANY : s[0].from > q->first ? FT_LARGEST_FOUND : FT_LARGEST_NONE;
	if (n) {
		next = ft__question_admitted(q, s[0].from, q->last);
		set_again(q, s, n, out);
	}
	double at = ft__question_admitted(q, n ? fmax(s[0].from - 1, q->first) : q->last, q->first);
	/* Whether the constraint or the list ends the sizes that fit: none of n stretches does, and the last size
	 * that fits and the next one have these numbers. */
	out->by_list = !n && q->space.sizes && at == q->last;
	if (n)
		out->by_where = isnan(next);
	else if (q->space.sizes)
		out->by_where = at < q->last;
	else
		out->by_where = 2 * ft_space_value(&q->space, at) < ft_space_value(&q->space, q->last);
	if (!n && (out->by_where || out->by_list))
		out->kind = FT_LARGEST_FOUND;
	if (!isnan(next))
		out->next = ft_space_value(&q->space, next);
	out->size = q->size;
	out->size.value[q->varying] = out->kind == FT_LARGEST_ANY ? q->end : ft_space_value(&q->space, at);
	out->reach = ft_space_value(&q->space, q->last);
	return FT_OK;
}

/* ---- the question ------------------------------------------------------------------------------------- */

static enum ft_status check_limits(const struct ft_limit *limit, size_t n, double confidence,
				   struct ft_err *err)
{
	if (!(confidence >= 0.75 && confidence <= 0.9995)) {
		ft_fail(err, FT_EINVAL, "a one-sided confidence of %g is not within 0.75 and 0.9995",
			confidence);
		return ft_remedy(err, "state the share of runs within the limits, as in 90%%");
	}
	for (size_t i = 0; i < n; i++)
		if (!(limit[i].most > 0 && isfinite(limit[i].most)))
			return ft_fail(err, FT_EINVAL, "a limit of %g on %s is not positive", limit[i].most,
				       limit[i].resource->name);
	return FT_OK;
}

static const struct ft_largest nothing = {
	.next = NAN, .again = NAN, .last = NAN, .killed = NAN, .uncertain = NAN, .uncertain_to = NAN};

static enum ft_status get_models(struct ft_answerer *answerer, const struct ft_limit *limit, size_t n,
				 struct ft__question *q, const struct ft_model_record **record,
				 struct ft_err *err)
{
	double lowest = -INFINITY;

	q->end = -INFINITY;
	for (size_t i = 0; i < n; i++) {
		enum ft_status status = ft_ask_model(answerer, limit[i].resource, &q->size, &record[i], err);
		double least = INFINITY;
		size_t knots;

		if (status)
			return status;
		const struct ft_knot *knot = ft_model_knots(record[i]->model, &knots);
		for (size_t j = 0; j < knots; j++) {
			least = fmin(least, knot[j].size.value[q->varying]);
			q->end = fmax(q->end, knot[j].size.value[q->varying]);
		}
		lowest = fmax(lowest, least);
	}
	/* The range of sizes to examine: from the smallest admissible one that can be predicted. */
	const struct ft_param *param = &q->program->param[q->varying];
	double first = 0;

	q->space = ft_param_space(param);
	if (param->least <= 0 && param->least < lowest) {
		first = ft_space_floor(&q->space, fmin(lowest, 0));
		first += lowest > 0 || ft_space_value(&q->space, first) < lowest;
	}
	q->last = ft_space_floor(&q->space, fmax(param->most, q->end > 0 ? reach * q->end : q->end));
	q->first = fmin(fmax(first, 0), q->last); /* a list may end below */
	return FT_OK;
}

/* The limits at the size answered, and at the next one. */
static enum ft_status set_limits(struct ft__question *q, const struct ft_model_record *const *record,
				 struct ft_limit *limit, size_t n, struct ft_largest *out, struct ft_err *err)
{
	struct ft_prediction next;

	for (size_t i = 0; i < n; i++) {
		FT_TRY(ft__question_turn(q, record[i], &limit[i], err));
		enum ft_status status =
			ft__question_predict(q, out->size.value[q->varying], &limit[i].at, err);
		if (status)
			return status;
		limit[i].binds = !isnan(out->next) && (ft__question_predict(q, out->next, &next, NULL) ||
						       next.upper > limit[i].most);
	}
	out->by_kill = out->next >= out->killed;
	return FT_OK;
}

/* Every limit's stretches in one array, and the sizes from the killed one on; heap. */
static enum ft_status search_all(struct ft__question *q, const struct ft_model_record *const *record,
				 struct ft_limit *limit, size_t n, double killed,
				 struct ft__index_range **all, size_t *n_all, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t capacity = 0;

	for (size_t i = 0; i <= n && !status; i++) {
		struct ft__search search = {0};
		struct ft__index_range rest = {q->first, q->last};
		size_t count = 0;

		if (i < n) {
			status = ft__question_turn(q, record[i], &limit[i], err);
			if (!status)
				status = ft__question_search(q, &search, &limit[i], err);
			count = search.n;
		} else if (!isnan(killed)) {
			rest.from = ft_space_floor(&q->space, killed);
			rest.from =
				fmax(q->first, rest.from + (ft_space_value(&q->space, rest.from) < killed));
			count = rest.from <= q->last;
		}
		for (size_t j = 0; j < count && !status; j++) {
			struct ft__index_range *grown = ft_grow(*all, *n_all, &capacity, sizeof *grown);

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

/* Without a stated step, measured sizes are admissible even between the steps that doubles resolve (1e-9
 * next to 1e5): among those between the answer and the next size, take the largest up to which all fit. */
static enum ft_status keep_measured(struct ft__question *q, const struct ft_model_record *const *record,
				    const struct ft_limit *limit, size_t n, struct ft_largest *out,
				    struct ft_err *err)
{
	double from = out->kind == FT_LARGEST_FOUND ? out->size.value[q->varying] : -(double)INFINITY, at;
	enum ft_status status = FT_OK;

	if (q->space.sizes || q->space.factor > 0 || (q->space.stride > 1 && q->end < 0x1p50))
		return FT_OK;
	for (;; from = at) {
		at = INFINITY;
		for (size_t i = 0; i < n; i++) {
			size_t knots;
			const struct ft_knot *knot = ft_model_knots(record[i]->model, &knots);

			for (size_t j = 0; j < knots; j++)
				if (knot[j].size.value[q->varying] > from)
					at = fmin(at, knot[j].size.value[q->varying]);
		}
		if (!(at < out->next) || at >= out->killed || !ft__question_admits(q, at))
			return FT_OK;
		for (size_t i = 0; i < n && !status; i++) {
			struct ft_prediction p;

			status = ft__question_turn(q, record[i], &limit[i], err);
			if (!status && (ft__question_predict(q, at, &p, NULL) || p.upper > limit[i].most))
				return FT_OK;
		}
		if (status)
			return status;
		out->kind = FT_LARGEST_FOUND;
		out->size.value[q->varying] = at;
	}
}

static enum ft_status answer_largest(struct ft__question *q, const struct ft_model_record *const *record,
				     struct ft_limit *limit, size_t n, struct ft_largest *out,
				     struct ft_err *err)
{
	double first = ft__question_admitted(q, q->first, q->last);
	struct ft__index_range *all = NULL;
	enum ft_status status = FT_OK;
	size_t n_all = 0;

	out->killed = ft_runs_killed(ft_ask_runs(q->answerer), q->varying, &q->size);
	if (isnan(first)) {
		/* No size meets the constraint. */
		out->kind = FT_LARGEST_NONE;
		out->by_where = true;
		out->size = q->size;
		out->size.value[q->varying] = ft_space_value(&q->space, q->first);
		out->reach = ft_space_value(&q->space, q->last);
	} else {
		q->first = first;
		status = search_all(q, record, limit, n, out->killed, &all, &n_all, err);
		if (!status)
			status = set_answer(q, record, limit, n, all, n_all, out, err);
	}
	ft_free(all);
	if (!status && out->kind != FT_LARGEST_ANY && !isnan(out->next))
		status = keep_measured(q, record, limit, n, out, err);
	return status ? status : set_limits(q, record, limit, n, out, err);
}

/* Load the models, and the program's space of sizes. */
static enum ft_status begin_question(struct ft__question *q, const struct ft_limit *limit, size_t n,
				     const struct ft_model_record **record, struct ft_expr **work,
				     struct ft_expr **where, struct ft_err *err)
{
	enum ft_status status = get_models(q->answerer, limit, n, q, record, err);

	if (!status && q->program->work)
		status = ft_expr_new(work, q->program->work, err);
	if (!status && q->program->where)
		status = ft_expr_new(where, q->program->where, err);
	q->work = *work;
	q->where = *where;
	return status;
}

/* ft__largest_first - the least value of a parameter that ft_ask_largest looks at. *found: there is one that
 * meets the constraint. */
static enum ft_status ft__largest_first(struct ft_answerer *answerer, const struct ft_limit *limit, size_t n,
					const struct ft_size *fixed, size_t varying, double *first,
					bool *found, struct ft_err *err)
{
	struct ft__question q = {.program = ft_ask_program(answerer),
				 .answerer = answerer,
				 .varying = varying,
				 .size = *fixed};
	const struct ft_model_record **record = ft_calloc(n, sizeof *record);
	struct ft_expr *work = NULL, *where = NULL;
	enum ft_status status =
		record ? begin_question(&q, limit, n, record, &work, &where, err) : ft_nomem(err);
	double at = status ? (double)NAN : ft__question_admitted(&q, q.first, q.last);

	*found = !isnan(at);
	if (*found)
		*first = ft_space_value(&q.space, at);
	ft_free(record);
	ft_expr_free(work);
	ft_expr_free(where);
	return status;
}

enum ft_status ft_ask_largest(struct ft_answerer *answerer, struct ft_limit *limit, size_t n,
			      const struct ft_size *fixed, size_t varying, double confidence,
			      struct ft_largest *out, struct ft_err *err)
{
	struct ft__question q = {.program = ft_ask_program(answerer),
				 .answerer = answerer,
				 .varying = varying,
				 .size = *fixed,
				 .confidence = 2 * confidence - 1};
	const struct ft_model_record **record = NULL;
	struct ft_expr *work = NULL, *where = NULL;
	enum ft_status status = check_limits(limit, n, confidence, err);

	*out = nothing;
	for (size_t i = 0; i < n; i++)
		limit[i].binds = limit[i].grows = false;
	if (status)
		return status;
	record = ft_calloc(n, sizeof *record);
	if (!record)
		return ft_nomem(err);
	status = begin_question(&q, limit, n, record, &work, &where, err);
	if (!status)
		status = answer_largest(&q, record, limit, n, out, err);
	if (status)
		*out = nothing;
	ft_free(q.at);
	ft_free(record);
	ft_expr_free(work);
	ft_expr_free(where);
	return status;
}

/*
 * The largest combinations of several parameters that fit: for all but the last parameter some values,
 * evenly spread up to the largest at which anything fits; the largest last one there; and then each other
 * one as large as it can be with these.
 */

/* Values of each parameter but the last, of 2, 3, 4 and more of them. */
static const size_t values_of[FT_PARAMS_MAX - 1] = {12, 4, 3, 2, 2, 2, 2};
enum { DOUBLINGS = 20, TRIES = 100, STEPS = 40 };

/* The accuracy of a parameter's largest value, as a ratio. */
static const double narrow = 1.01;

struct frontier_search {
	struct ft_answerer *answerer;
	struct ft_size size; /* those before the one that is looked at have their values */
	const size_t *varying;
	size_t last; /* number of the last of them */
	double confidence;
	size_t n;     /* limits */
	size_t tries; /* left, to meet the constraint */
	struct ft_frontier *out;
};

static struct ft_space space_of(const struct frontier_search *s, size_t which)
{
	return ft_param_space(&ft_ask_program(s->answerer)->param[s->varying[which]]);
}

/* An admissible value of a parameter, at x or right below. */
static double snap_value(const struct frontier_search *s, size_t which, double x)
{
	struct ft_space space = space_of(s, which);

	return ft_space_value(&space, fmax(0, ft_space_floor(&space, x + 1e-12 * fabs(x))));
}

/* The one at x or right below, but at least the one above `low`; infinite: there is none above it. */
static double snap_above(const struct frontier_search *s, size_t which, double x, double low)
{
	struct ft_space space = space_of(s, which);

	return fmax(snap_value(s, which, x), ft_space_next(&space, low));
}

static double twice(double x)
{
	return x > 0 ? 2 * x : 1;
}

/* The limits of the next point are stored there. */
static struct ft_limit *next_limits(const struct frontier_search *s)
{
	return s->out->limit + s->out->n * s->n;
}

static enum ft_status ask_largest(struct frontier_search *s, size_t which, struct ft_largest *out,
				  struct ft_err *err)
{
	return ft_ask_largest(s->answerer, next_limits(s), s->n, &s->size, s->varying[which], s->confidence,
			      out, err);
}

/* ---- whether anything fits
   ---------------------------------------------------------------------------------- */

/* Set the parameters from an index on to the smallest values that meet the constraint, and keep those
 * before it. *found: there are such. */
static enum ft_status begin_at_least(struct frontier_search *s, size_t which, bool *found, struct ft_err *err)
{
	double *x = &s->size.value[s->varying[which]];
	double next = ft_ask_program(s->answerer)->param[s->varying[which]].least;
	enum ft_status status = FT_OK;

	*found = false;
	if (which == s->last)
		return ft__largest_first(s->answerer, s->out->limit, s->n, &s->size, s->varying[which], x,
					 found, err);
	for (size_t i = 0; i < DOUBLINGS && s->tries && !isinf(next) && !*found && !status; i++) {
		*x = next;
		next = snap_above(s, which, twice(next), next);
		s->tries--;
		status = begin_at_least(s, which + 1, found, err);
	}
	return status;
}

/* Whether anything fits with the parameters before an index fixed, and the rest at their minimum. */
static enum ft_status begins_within(struct frontier_search *s, size_t which, bool *fits, struct ft_err *err)
{
	s->tries = TRIES;
	enum ft_status status = begin_at_least(s, which, fits, err);
	for (size_t i = 0; i < s->n && *fits && !status; i++) {
		const struct ft_limit *limit = &s->out->limit[i];
		struct ft_prediction p;

		status = ft_ask_predict(s->answerer, limit->resource, &s->size, 2 * s->confidence - 1, &p,
					err);
		*fits = !status && p.upper <= limit->most;
	}
	if (!status && *fits)
		*fits = !(s->size.value[s->varying[0]] >=
			  ft_runs_killed(ft_ask_runs(s->answerer), s->varying[0], &s->size));
	return status;
}

/* Whether anything fits with a parameter at x and those before it fixed. */
static enum ft_status fits_at(struct frontier_search *s, size_t which, double x, bool *fits,
			      struct ft_err *err)
{
	s->size.value[s->varying[which]] = x;
	return begins_within(s, which + 1, fits, err);
}

/* The largest value of a parameter at which something fits; at the least one something does. Where that is so
 * however large it is: the end of its range. */
static enum ft_status find_end(struct frontier_search *s, size_t which, double least, double *end,
			       struct ft_err *err)
{
	double low = least, high = least;
	enum ft_status status = FT_OK;
	bool fits = true;
	size_t i;

	for (i = 0; i < DOUBLINGS && !status && fits; i++) {
		low = high;
		high = snap_above(s, which, twice(low), low);
		if (isinf(high))
			break;
		status = fits_at(s, which, high, &fits, err);
	}
	for (i = 0; i < STEPS && !status && !fits && high > narrow * low; i++) {
		double middle = snap_above(s, which, sqrt(fmax(low, 0.5) * high), low);
		bool there;

		if (middle >= high)
			break;
		status = fits_at(s, which, middle, &there, err);
		if (there)
			low = middle;
		else
			high = middle;
	}
	if (!status && fits && i == DOUBLINGS)
		low = snap_value(s, which,
				 fmax(least, ft_ask_program(s->answerer)->param[s->varying[which]].most));
	*end = low;
	return status;
}

/* ---- points -------------------------------------------------------------------------------------------- */

/* The largest value of the last parameter, with each other one raised as far as that allows. */
static enum ft_status add_point(struct frontier_search *s, struct ft_err *err)
{
	struct ft_frontier_point *point = &s->out->point[s->out->n];
	const struct ft_size from = s->size;
	enum ft_status status = ask_largest(s, s->last, &point->largest, err);
	double last = point->largest.size.value[s->varying[s->last]];
	bool raised = false;

	if (status || point->largest.kind == FT_LARGEST_NONE)
		return status;
	point->limit = next_limits(s);
	for (size_t i = s->last; i-- > 0 && !status && point->largest.kind == FT_LARGEST_FOUND;) {
		double *x = &s->size.value[s->varying[i]];
		struct ft_largest more;

		s->size.value[s->varying[s->last]] = last;
		status = ask_largest(s, i, &more, err);
		if (status || more.kind != FT_LARGEST_FOUND || more.size.value[s->varying[i]] <= *x)
			continue;
		*x = more.size.value[s->varying[i]];
		raised = true;
	}
	if (!status &&
	    point->largest.kind == FT_LARGEST_FOUND) /* the limits are reported at the point itself */
		status = ask_largest(s, s->last, &point->largest, err);
	if (!status && raised &&
	    (point->largest.kind == FT_LARGEST_NONE ||
	     point->largest.size.value[s->varying[s->last]] < last)) {
		s->size = from;
		status = ask_largest(s, s->last, &point->largest, err);
	}
	s->out->n += !status;
	s->size = from;
	return status;
}

/* The i-th value of a parameter to look at: of few all; of many, evenly spread in ln. */
static double value_at(const struct frontier_search *s, size_t which, double least, double end, size_t i,
		       size_t n)
{
	struct ft_space space = space_of(s, which);
	double from = least > 0 ? least : 1, first = ft_space_floor(&space, least);

	if (ft_space_value(&space, first + (double)n - 1) >= end)
		return fmin(ft_space_value(&space, first + (double)i), end);
	return i ? snap_value(s, which, from * pow(end / from, (double)i / (double)(n - 1))) : least;
}

/* Those with the parameters before one as they stand. */
static enum ft_status find_points(struct frontier_search *s, size_t which, struct ft_err *err)
{
	size_t n = values_of[s->last - 1], i;
	double end, before = NAN;
	bool fits;

	if (which == s->last)
		return add_point(s, err);
	enum ft_status status = begins_within(s, which, &fits, err);
	if (status || !fits)
		return status;
	double least = s->size.value[s->varying[which]];
	status = find_end(s, which, least, &end, err);
	for (i = 0; i < n && !status; i++) {
		double x = value_at(s, which, least, end, i, n);

		if (x == before)
			continue;
		before = s->size.value[s->varying[which]] = x;
		status = find_points(s, which + 1, err);
	}
	return status;
}

/* One that is nowhere larger; what has no limit in the last parameter is larger there. */
static bool is_dominated(const struct frontier_search *s, const struct ft_frontier_point *p,
			 const struct ft_frontier_point *by)
{
	bool endless = by->largest.kind == FT_LARGEST_ANY;

	if (p->largest.kind == FT_LARGEST_ANY && !endless)
		return false;
	for (size_t i = 0; i < s->last + !endless; i++)
		if (p->largest.size.value[s->varying[i]] > by->largest.size.value[s->varying[i]])
			return false;
	return true;
}

/* Raised points may coincide, and some may lie below others if the feasible region has no simple shape. */
static void drop_dominated(struct frontier_search *s)
{
	struct ft_frontier *out = s->out;
	size_t kept = 0;

	for (size_t i = 0; i < out->n; i++) {
		bool dominated = false;

		for (size_t j = i + 1; j < out->n && !dominated; j++)
			dominated = is_dominated(s, &out->point[i], &out->point[j]);
		for (size_t j = 0; j < kept && !dominated; j++)
			dominated = is_dominated(s, &out->point[i], &out->point[j]);
		if (!dominated)
			out->point[kept++] = out->point[i];
	}
	out->n = kept;
}

/* Answer when no size fits, or all do: the bound of the last parameter, with the others at their minimum. */
static enum ft_status set_least(struct frontier_search *s, struct ft_err *err)
{
	bool found;

	s->tries = TRIES;
	enum ft_status status = begin_at_least(s, 0, &found, err);
	return status ? status : ask_largest(s, s->last, &s->out->at_least, err);
}

enum ft_status ft_ask_frontier(struct ft_answerer *answerer, const struct ft_limit *limit, size_t n,
			       const struct ft_size *fixed, const size_t *varying, size_t n_varying,
			       double confidence, struct ft_frontier *out, struct ft_err *err)
{
	struct frontier_search s = {.answerer = answerer,
				    .size = *fixed,
				    .varying = varying,
				    .last = n_varying - 1,
				    .confidence = confidence,
				    .n = n,
				    .out = out};
	enum ft_status status = FT_OK;
	size_t points = 1;

	assert(n_varying >= 2);
	for (size_t i = 0; i < s.last; i++)
		points *= values_of[s.last - 1];
	*out = (struct ft_frontier){0};
	out->point = ft_calloc(points, sizeof *out->point);
	out->limit = ft_calloc((points + 1) * n, sizeof *out->limit);
	if (!out->point || !out->limit)
		status = ft_nomem(err);
	for (size_t i = 0; i <= points && !status; i++)
		memcpy(out->limit + i * n, limit, n * sizeof *limit);
	if (!status)
		status = set_least(&s, err);
	if (!status)
		status = find_points(&s, 0, err);
	if (status)
		ft_frontier_clear(out);
	else
		drop_dominated(&s);
	return status;
}

void ft_frontier_clear(struct ft_frontier *frontier)
{
	if (!frontier)
		return;
	ft_free(frontier->point);
	ft_free(frontier->limit);
	*frontier = (struct ft_frontier){0};
}
