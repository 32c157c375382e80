/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier.c - the largest combinations of several parameters that fit: of all but the last some values,
 * evenly spread up to the largest at which anything fits; the largest last one there; and then each of the
 * others as large as it may be beside these. */
#include "ask/limit.h"
#include "base/alloc.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Values of each parameter but the last, of 2, 3, 4 and more of them. */
static const size_t values_of[FT_PARAMS_MAX - 1] = {12, 4, 3, 2, 2, 2, 2};
enum { DOUBLINGS = 20, TRIES = 100, STEPS = 40 };

/* How exactly the largest value of a parameter is found, as a ratio. */
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

/* Where the limits of the next point are told. */
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

/* ---- what fits at all ---------------------------------------------------------------------------------- */

/* The parameters from one on at the least values that meet the constraint, those before it as they stand.
 * *found: there are such. */
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

/* Whether anything fits with the parameters before one as they stand: the others at their least. */
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

/* Whether anything fits with a parameter at x and those before it as they stand. */
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

/* The largest value of the last parameter, and the others raised as far as that allows. */
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
	if (!status && point->largest.kind == FT_LARGEST_FOUND) /* the limits are told at the point itself */
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

/* Raised points may be the same, and where what fits has no simple shape some may be below others. */
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

/* What is told where nothing fits, or everything: of the last parameter, the others at their least. */
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
