/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request_knots.c - a request for all sizes, as knots for readers that know nothing but how to draw a line:
 * knots until power laws between them are as good as the numbers. */
#include "ask/request.h"
#include "base/alloc.h"
#include "foretime/request.h"
#include "num/order.h"

#include <math.h>

/* How far beyond the data; how near lines come to the numbers; where these jump, knots stand as near as
 * `nearest`. So many are put at first, and at most. Of 120 made programs with noise (t-knots.c) 64 were
 * enough, and at 2 of 4,800 sizes a line was 2 % below. */
static const double reach = 10, line_error = 0.005, nearest = 1.001;
enum { FIRST = 33, KNOTS_MOST = 1024 };

struct request_knots {
	struct ft_answerer *answerer;
	struct ft_size size;
	size_t axis;
	double risk;
	struct ft_request_knots *out;
	size_t capacity;
};

/* False: what suffices there is not known. */
static bool ask_knot(const struct request_knots *k, double x, struct ft_request_knot *knot)
{
	struct ft_size size = k->size;
	struct ft_request request;

	size.value[k->axis] = x;
	if (ft_ask_request(k->answerer, &size, k->risk, &request, NULL) || request.refuted ||
	    request.beyond_kill || request.doubted)
		return false;
	*knot = (struct ft_request_knot){.at = x,
					 .typical_s = request.time.resource ? request.time.at.value : NAN,
					 .most_s = request.time.resource ? request.time.most : NAN,
					 .bytes = request.memory.resource ? request.memory.most : NAN};
	return (isnan(knot->most_s) || (knot->most_s > 0 && isfinite(knot->most_s))) &&
	       (isnan(knot->bytes) || (knot->bytes > 0 && isfinite(knot->bytes)));
}

static enum ft_status add_knot(struct request_knots *k, const struct ft_request_knot *knot,
			       struct ft_err *err)
{
	struct ft_request_knot *grown = ft_grow(k->out->knot, k->out->n, &k->capacity, sizeof *grown);

	if (!grown)
		return ft_nomem(err);
	k->out->knot = grown;
	grown[k->out->n++] = *knot;
	return FT_OK;
}

/* Between the same ends, on a line in logarithms. */
static bool is_near(double left, double right, double middle)
{
	return isnan(middle) || fabs(log(middle) - (log(left) + log(right)) / 2) < line_error;
}

/* Behind `left`, which is there: knots up to `right`, as many as they need. */
static enum ft_status divide_gap(struct request_knots *k, struct ft_request_knot left,
				 const struct ft_request_knot *right, size_t spare, struct ft_err *err)
{
	struct ft_request_knot middle;
	double x = sqrt(left.at * right->at);

	if (spare < 2 || right->at / left.at < nearest || !ask_knot(k, x, &middle) ||
	    (is_near(left.most_s, right->most_s, middle.most_s) &&
	     is_near(left.bytes, right->bytes, middle.bytes)))
		return add_knot(k, right, err);
	enum ft_status status = divide_gap(k, left, &middle, spare / 2, err);
	return status ? status : divide_gap(k, middle, right, spare / 2, err);
}

/* The sizes that are looked at first, ascending: those that were measured, and between and beyond them. NULL:
 * no memory. */
static double *first_sizes(const struct request_knots *k, size_t *n)
{
	const struct ft_runs *runs = ft_ask_runs(k->answerer);
	double *x = ft_calloc(runs->n + FIRST, sizeof *x), from = INFINITY, to = 0;
	size_t count = 0;

	*n = 0;
	for (size_t i = 0; i < runs->n && x; i++) {
		const struct ft_run *run = &runs->run[i];
		double value = run->size.value[k->axis];

		if (run->outcome != FT_DONE || run->warmup || !(value > 0))
			continue;
		from = fmin(from, value);
		to = fmax(to, value);
		if (runs->n < KNOTS_MOST / 8)
			x[count++] = value;
	}
	for (size_t i = 0; x && i < FIRST && to > 0; i++)
		x[count++] = from * pow(reach * to / from, (double)i / (FIRST - 1));
	*n = count ? ft_sort_different(x, count) : 0;
	return x;
}

static enum ft_status find_knots(struct request_knots *k, const double *x, size_t n, struct ft_err *err)
{
	struct ft_request_knot left, right;

	if (!n || !ask_knot(k, x[0], &left))
		return ft_fail(err, FT_ENOMODEL, "no request is known to suffice at any size");
	enum ft_status status = add_knot(k, &left, err);
	for (size_t i = 1; i < n && !status && ask_knot(k, x[i], &right); i++) {
		status = divide_gap(k, left, &right, KNOTS_MOST / n, err);
		left = right;
	}
	return status;
}

enum ft_status ft_ask_request_knots(struct ft_answerer *answerer, const struct ft_size *size, double risk,
				    struct ft_request_knots *out, struct ft_err *err)
{
	struct request_knots k = {.answerer = answerer, .size = *size, .risk = risk, .out = out};
	size_t axis[FT_PARAMS_MAX], n;
	struct ft_request any;
	enum ft_status status = FT_OK;

	*out = (struct ft_request_knots){0};
	if (ft_ask_axes(answerer, axis) > 1) {
		(void)ft_fail(err, FT_EINVAL, "knots are of one parameter, and runs differ in several");
		return ft_remedy(err, "foretime request --expression is of several");
	}
	k.axis = out->axis = axis[0];
	double *x = first_sizes(&k, &n);
	if (!x)
		return ft_nomem(err);
	if (n) {
		k.size.value[k.axis] = x[n / 2];
		status = ft_ask_request(answerer, &k.size, risk, &any, err);
		out->brief = !status && any.brief;
		out->cpus = status ? NAN : any.cpus;
	}
	if (!status)
		status = find_knots(&k, x, n, err);
	ft_free(x);
	if (status)
		ft_request_knots_clear(out);
	return status;
}

void ft_request_knots_clear(struct ft_request_knots *knots)
{
	if (!knots)
		return;
	ft_free(knots->knot);
	*knots = (struct ft_request_knots){0};
}
