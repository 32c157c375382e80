/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier.c - the largest combinations of two parameters that fit: of the first some values, evenly spread
 * up to the largest at which anything fits; the largest second one there; and then the largest first one with
 * that. */
#include "base/alloc.h"
#include "foretime/ask.h"

#include <math.h>
#include <string.h>

enum { POINTS = 12, DOUBLINGS = 20 };

/* How exactly the largest value of the first parameter is found, as a ratio. */
static const double narrow = 1.01;

struct search {
	struct ft_answerer *answerer;
	struct ft_size size;
	const size_t *varying;
	double confidence;
	size_t n; /* limits */
	struct ft_frontier *out;
};

/* Where the limits of the next point are told. */
static struct ft_limit *next_limits(const struct search *s)
{
	return s->out->limit + s->out->n * s->n;
}

/* The largest value of one of the two, the other at x. */
static enum ft_status ask(struct search *s, size_t which, double x, struct ft_largest *out,
			  struct ft_err *err)
{
	s->size.value[s->varying[1 - which]] = x;
	return ft_ask_largest(s->answerer, next_limits(s), s->n, &s->size, s->varying[which], s->confidence,
			      out, err);
}

static struct ft_space space_of(const struct search *s)
{
	return ft_param_space(&ft_ask_program(s->answerer)->param[s->varying[0]]);
}

/* An admissible value of the first parameter, at x or right below. */
static double snap(const struct search *s, double x)
{
	struct ft_space space = space_of(s);

	return ft_space_value(&space, fmax(0, ft_space_floor(&space, x + 1e-12 * fabs(x))));
}

/* The one at x or right below, but at least the one above `low`; infinite: there is none above it. */
static double snap_above(const struct search *s, double x, double low)
{
	struct ft_space space = space_of(s);

	return fmax(snap(s, x), ft_space_next(&space, low));
}

/* The largest value of the first parameter at which some value of the second fits; at the least one some
 * does. */
static enum ft_status find_end(struct search *s, double least, double *end, struct ft_err *err)
{
	double low = least, high = least > 0 ? least : 1;
	struct ft_largest found = {.kind = FT_LARGEST_FOUND};
	enum ft_status status = FT_OK;
	size_t i;

	for (i = 0; i < DOUBLINGS && !status && found.kind != FT_LARGEST_NONE; i++) {
		low = snap(s, high);
		high = snap_above(s, 2 * high, low);
		if (isinf(high))
			break;
		status = ask(s, 1, high, &found, err);
	}
	while (!status && found.kind == FT_LARGEST_NONE && high > narrow * low) {
		double middle = snap_above(s, sqrt(low * high), low);
		struct ft_largest there;

		if (middle >= high)
			break;
		status = ask(s, 1, middle, &there, err);
		if (there.kind == FT_LARGEST_NONE)
			high = middle;
		else
			low = middle;
	}
	*end = low;
	return status;
}

/* The point at a value of the first parameter, raised as far as the second allows. */
static enum ft_status add_point(struct search *s, double x, struct ft_err *err)
{
	struct ft_frontier_point *point = &s->out->point[s->out->n];
	struct ft_largest first;
	enum ft_status status = ask(s, 1, x, &point->largest, err);
	double second;

	if (status || point->largest.kind == FT_LARGEST_NONE)
		return status;
	second = point->largest.size.value[s->varying[1]];
	if (point->largest.kind == FT_LARGEST_FOUND) {
		status = ask(s, 0, second, &first, err);
		if (!status && first.kind == FT_LARGEST_FOUND && first.size.value[s->varying[0]] > x)
			x = first.size.value[s->varying[0]];
		if (!status) /* the limits are told at the point itself */
			status = ask(s, 1, x, &point->largest, err);
	}
	point->limit = next_limits(s);
	s->out->n += !status;
	return status;
}

static bool is_dominated(const struct ft_frontier_point *p, const struct ft_frontier_point *by,
			 const size_t varying[2])
{
	const double *a = p->largest.size.value, *b = by->largest.size.value;

	if (by->largest.kind == FT_LARGEST_ANY)
		return a[varying[0]] <= b[varying[0]];
	return p->largest.kind != FT_LARGEST_ANY && a[varying[0]] <= b[varying[0]] &&
	       a[varying[1]] <= b[varying[1]];
}

/* Raised points may be the same, and where what fits has no simple shape some may be below others. */
static void drop_dominated(struct ft_frontier *frontier, const size_t varying[2])
{
	size_t i, j, kept = 0;

	for (i = 0; i < frontier->n; i++) {
		bool dominated = false;

		for (j = i + 1; j < frontier->n && !dominated; j++)
			dominated = is_dominated(&frontier->point[i], &frontier->point[j], varying);
		for (j = 0; j < kept && !dominated; j++)
			dominated = is_dominated(&frontier->point[i], &frontier->point[j], varying);
		if (!dominated)
			frontier->point[kept++] = frontier->point[i];
	}
	frontier->n = kept;
}

/* The i-th value of the first parameter to look at: of few all; of many, evenly spread in ln. */
static double value_at(const struct search *s, double least, double end, size_t i)
{
	struct ft_space space = space_of(s);
	double from = least > 0 ? least : 1, first = ft_space_floor(&space, least);

	if (ft_space_value(&space, first + POINTS - 1) >= end)
		return fmin(ft_space_value(&space, first + (double)i), end);
	return i ? snap(s, from * pow(end / from, (double)i / (POINTS - 1))) : least;
}

static enum ft_status find_points(struct search *s, struct ft_err *err)
{
	double least = ft_ask_program(s->answerer)->param[s->varying[0]].least, end, before = NAN;
	const struct ft_largest *first = &s->out->at_least;
	enum ft_status status = ask(s, 1, least, &s->out->at_least, err);
	size_t i;

	/* Where the constraint admits nothing yet. */
	for (i = 0; i < DOUBLINGS && !status && first->kind == FT_LARGEST_NONE && first->by_where; i++) {
		double next = snap_above(s, least > 0 ? 2 * least : 1, least);

		if (isinf(next))
			break;
		least = next;
		status = ask(s, 1, least, &s->out->at_least, err);
	}
	if (status || first->kind == FT_LARGEST_NONE)
		return status;
	status = find_end(s, least, &end, err);
	for (i = 0; i < POINTS && !status; i++) {
		double x = value_at(s, least, end, i);

		if (x == before)
			continue;
		before = x;
		status = add_point(s, x, err);
	}
	drop_dominated(s->out, s->varying);
	return status;
}

enum ft_status ft_ask_frontier(struct ft_answerer *answerer, const struct ft_limit *limit, size_t n,
			       const struct ft_size *fixed, const size_t varying[2], double confidence,
			       struct ft_frontier *out, struct ft_err *err)
{
	struct search s = {.answerer = answerer,
			   .size = *fixed,
			   .varying = varying,
			   .confidence = confidence,
			   .n = n,
			   .out = out};
	enum ft_status status;
	size_t i;

	*out = (struct ft_frontier){0};
	out->point = ft_calloc(POINTS, sizeof *out->point);
	out->limit = ft_calloc((POINTS + 1) * n, sizeof *out->limit);
	if (!out->point || !out->limit) {
		ft_frontier_clear(out);
		return ft_nomem(err);
	}
	for (i = 0; i <= POINTS; i++)
		memcpy(out->limit + i * n, limit, n * sizeof *limit);
	status = find_points(&s, err);
	if (status)
		ft_frontier_clear(out);
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
