/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cost_knots.c - the cost of every share: knots until lines between them are as good as the model. */
#include "ask/cost.h"
#include "base/alloc.h"
#include "num/line.h"

#include <math.h>
#include <stdlib.h>

/* Up to so many shares each is looked at. */
enum { TABLE_MOST = 512 };

static const uint64_t usual_effort = 3000;

/* How near lines come to the model; what a plan loses by it is as small. */
static const double line_error = 1e-3;

/* A share that was looked at. */
struct knot {
	int64_t at;
	double value;
	enum ft_cost_end end;
	bool open; /* the line to the next knot is not known to be good */
};

struct cost_knots {
	struct ft__costing *costing;
	struct knot *knot; /* [n] ascending between passes */
	size_t n, capacity;
	int64_t step, most;
	uint64_t effort;
	double error; /* of lines that were left as they are */
};

static enum ft_status add_knot(struct cost_knots *k, int64_t at, struct ft_err *err)
{
	struct knot *grown = ft_grow(k->knot, k->n, &k->capacity, sizeof *grown), *added;

	if (!grown)
		return ft_nomem(err);
	k->knot = grown;
	added = &k->knot[k->n++];
	*added = (struct knot){.at = at, .open = true};
	return ft__costing_at(k->costing, (double)at, &added->value, &added->end, err);
}

static int compare_knots(const void *a, const void *b)
{
	int64_t x = ((const struct knot *)a)->at, y = ((const struct knot *)b)->at;

	return (x > y) - (x < y);
}

/* By share, each once. */
static void put_in_order(struct cost_knots *k)
{
	size_t n = 0;

	if (k->n)
		qsort(k->knot, k->n, sizeof *k->knot, compare_knots);
	for (size_t i = 0; i < k->n; i++)
		if (!n || k->knot[i].at != k->knot[n - 1].at)
			k->knot[n++] = k->knot[i];
	k->n = n;
}

/* A share at or below x that is a multiple of the step, within 1 .. most. */
static int64_t share_at(const struct cost_knots *k, double x)
{
	int64_t at = x < (double)k->most ? (int64_t)x : k->most;

	at -= k->step > 1 && at != k->most ? at % k->step : 0;
	return at < 1 ? 1 : at;
}

static enum ft_status add_knots(struct cost_knots *k, struct ft_err *err)
{
	enum ft_status status = add_knot(k, 1, err);

	for (int64_t at = k->step; at <= k->most && !status; at += k->step)
		status = add_knot(k, at, err);
	if (!status)
		status = add_knot(k, k->most, err);
	put_in_order(k);
	return status;
}

/* Around the sizes that were measured the model may bend. */
static enum ft_status look_at_sizes(struct cost_knots *k, struct ft_err *err)
{
	const struct ft_runs *runs = &k->costing->answerer->runs;
	size_t taken = 0;
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < runs->n && !status; i++) {
		double x = runs->run[i].size.value[k->costing->varying];

		/* Few of many runs are of new sizes: those that follow each other are looked at once. */
		if (!(x > 0) || (taken && x == runs->run[i - 1].size.value[k->costing->varying]) ||
		    2 * k->n > k->effort)
			continue;
		taken++;
		status = add_knot(k, share_at(k, x), err);
		if (!status)
			status = add_knot(k, share_at(k, x + (double)k->step), err);
	}
	return status;
}

static enum ft_status look_at_octaves(struct cost_knots *k, struct ft_err *err)
{
	enum ft_status status = add_knot(k, 1, err);

	for (double x = (double)k->step; x < (double)k->most && !status; x *= 2)
		status = add_knot(k, share_at(k, x), err);
	if (!status)
		status = add_knot(k, k->most, err);
	if (!status)
		status = look_at_sizes(k, err);
	put_in_order(k);
	return status;
}

/* Whether the line from a to b is as good as the model at a place between that was looked at. */
static double off_line(const struct knot *a, const struct knot *b, const struct knot *at)
{
	double line = ft_line_at((double)at->at, (double)a->at, a->value, (double)b->at, b->value);

	if (isinf(a->value) || isinf(b->value))
		return isinf(at->value) ? 0 : (double)INFINITY;
	return isinf(at->value) ? (double)INFINITY : fabs(line - at->value) / fmax(at->value, 1e-300);
}

/* Two places between knots: one alone may fall where the model happens to meet the line. */
static enum ft_status divide_gap(struct cost_knots *k, size_t i, struct ft_err *err)
{
	static const double place[2] = {0.5, 0.2360679775};
	struct knot a = k->knot[i], b = k->knot[i + 1];
	double worst = 0;
	bool edge = isinf(a.value) != isinf(b.value);
	size_t first = k->n;
	enum ft_status status = FT_OK;

	k->knot[i].open = false;
	for (size_t j = 0; j < 2 && !status; j++) {
		int64_t at = share_at(k, (double)a.at + place[j] * (double)(b.at - a.at));

		if (at <= a.at || at >= b.at || (j && (edge || at == k->knot[first].at)))
			continue;
		status = add_knot(k, at, err);
		worst = fmax(worst, status ? 0 : off_line(&a, &b, &k->knot[k->n - 1]));
	}
	k->knot[i].open = k->n > first && (edge || worst > line_error);
	for (size_t j = first; j < k->n; j++)
		k->knot[j].open = k->knot[i].open;
	if (!edge && worst <= line_error)
		k->error = fmax(k->error, worst);
	return status;
}

/* Edges are found even when the effort is spent, unless there is one after the other. */
static bool may_divide(const struct cost_knots *k, size_t i)
{
	bool edge = isinf(k->knot[i].value) != isinf(k->knot[i + 1].value);

	return k->knot[i + 1].at - k->knot[i].at > 1 && k->n < (edge ? 2 * k->effort : k->effort);
}

static enum ft_status divide_all(struct cost_knots *k, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	bool some = true;

	while (some && !status) {
		size_t n = k->n;

		some = false;
		for (size_t i = 0; i + 1 < n && !status; i++)
			if (k->knot[i].open && may_divide(k, i)) {
				some = true;
				status = divide_gap(k, i, err);
			}
		some = some && k->n > n;
		put_in_order(k);
	}
	return status;
}

/* Lines that nobody has looked at any more, for want of effort: how far they were off is not known; that of
 * the neighbours is. */
static double error_left(const struct cost_knots *k)
{
	double worst = k->error;

	for (size_t i = 1; i + 1 < k->n; i++)
		if (k->knot[i].open && k->knot[i + 1].at - k->knot[i].at > k->step &&
		    isfinite(k->knot[i - 1].value) && isfinite(k->knot[i].value) &&
		    isfinite(k->knot[i + 1].value))
			worst = fmax(worst, off_line(&k->knot[i - 1], &k->knot[i + 1], &k->knot[i]));
	return worst;
}

static enum ft_status take_knots(const struct cost_knots *k, struct ft_cost *out, struct ft_err *err)
{
	const struct ft__costing *c = k->costing;

	out->at = ft_calloc(k->n, sizeof *out->at);
	out->value = ft_calloc(k->n, sizeof *out->value);
	if (!out->at || !out->value)
		return ft_nomem(err);
	for (size_t i = 0; i < k->n; i++) {
		out->at[i] = k->knot[i].at;
		out->value[i] = k->knot[i].value;
		if (isfinite(k->knot[i].value)) {
			out->most = k->knot[i].at;
			out->end = FT_COST_NONE;
		} else if (out->end == FT_COST_NONE) {
			out->end = k->knot[i].end;
		}
	}
	out->n = k->n;
	out->risk = c->risk;
	out->rough = c->rough;
	out->memory_bytes = c->memory_bytes;
	out->evaluations = k->n;
	out->error = k->most / k->step <= TABLE_MOST ? 0 : error_left(k);
	return FT_OK;
}

enum ft_status ft_cost_make(struct ft_cost *out, struct ft_answerer *answerer, const struct ft_size *size,
			    size_t varying, int64_t most, const struct ft_cost_options *options,
			    struct ft_err *err)
{
	struct ft__costing costing;
	struct cost_knots k = {.costing = &costing, .most = most};
	enum ft_status status = ft__costing_init(&costing, answerer, size, varying, options, err);

	*out = (struct ft_cost){0};
	if (!status && (most < 1 || most > (int64_t)1 << 53)) {
		(void)ft_fail(err, FT_EINVAL, "cannot divide %lld units", (long long)most);
		status = ft_remedy(err, "a total is a whole number from 1 to 2^53");
	}
	if (status)
		return status;
	k.step = costing.options.step > 0 ? costing.options.step : 1;
	k.effort = costing.options.effort ? costing.options.effort : usual_effort;
	if (most / k.step <= TABLE_MOST)
		status = add_knots(&k, err);
	else
		status = look_at_octaves(&k, err);
	if (!status && most / k.step > TABLE_MOST)
		status = divide_all(&k, err);
	if (!status)
		status = take_knots(&k, out, err);
	if (status)
		ft_cost_clear(out);
	ft_free(k.knot);
	return status;
}

void ft_cost_clear(struct ft_cost *cost)
{
	if (!cost)
		return;
	ft_free(cost->at);
	ft_free(cost->value);
	*cost = (struct ft_cost){0};
}
