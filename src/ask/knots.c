/* SPDX-License-Identifier: GPL-3.0-or-later */
/* knots.c - a request for all sizes, as knots for readers that can only interpolate: knots are added until
 * power laws between them are as good as the numbers. */
#include "ask/ask.h"
#include "base/alloc.h"
#include "foretime/ask.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>

/*
 * A model as a cost: the time of one size, and the reasons that exclude one.
 */

/* The risk that rough curves are planned with by default, and that of memory. */
static const double rough_risk = 0.05, usual_memory_risk = 0.01;

const char *ft_cost_end_text(enum ft_cost_end end)
{
	static const char *const text[] = {
#define TEXT(name, words) words,
		FT_COST_END_LIST(TEXT)
#undef TEXT
	};

	return text[end];
}

/* The memory it may need: its part of the stated limit, else of the machine's memory; INFINITY if its need
 * is not known. */
static double memory_of(const struct ft_answerer *answerer, const struct ft__costing *c)
{
	double bytes = c->options.memory_bytes > 0 ? c->options.memory_bytes
						   : (double)ft_ask_answered_machine(answerer)->memory_bytes;

	if (!c->memory || !(bytes > 0))
		return INFINITY;
	return bytes / (c->options.processors > 1 ? (double)c->options.processors : 1);
}

static enum ft_status costing_init(struct ft__costing *c, struct ft_answerer *answerer,
				   const struct ft_size *size, size_t varying,
				   const struct ft_cost_options *options, struct ft_err *err)
{
	*c = (struct ft__costing){
		.answerer = answerer, .size = *size, .varying = varying, .failing = INFINITY, .cap = NAN};
	if (options)
		c->options = *options;
	if (!c->options.resource)
		c->options.resource = &ft_wall_s;
	if (!(c->options.memory_risk > 0))
		c->options.memory_risk = usual_memory_risk;
	if (!(c->options.risk >= 0 && c->options.risk <= 0.25) || c->options.memory_risk > 0.25) {
		(void)ft_fail(err, FT_EINVAL, "a risk of %g is not within 0 and 25 %%",
			      fmax(c->options.risk, c->options.memory_risk));
		return ft_remedy(err, "state the share of runs that may need more, as in 5%%");
	}
	c->risk = c->options.risk;
	const struct ft_model_record *record;

	c->rough = ft__ask_has_value(answerer, c->options.resource) &&
		   !ft_ask_model(answerer, c->options.resource, size, &record, NULL) &&
		   ft_model_facts(record->model)->rough;
	if (c->rough && !(c->risk > 0))
		c->risk = rough_risk;
	c->memory = ft__ask_has_value(answerer, &ft_peak_tree_bytes)  ? &ft_peak_tree_bytes
		    : ft__ask_has_value(answerer, &ft_peak_rss_bytes) ? &ft_peak_rss_bytes
								      : NULL;
	c->memory_bytes = memory_of(answerer, c);
	const struct ft_run *failing = ft_runs_failing(&answerer->runs, varying, size);
	if (failing)
		c->failing = failing->size.value[varying];
	return FT_OK;
}

/* One-sided: the upper end, which a share `risk` of single runs is above. */
static enum ft_status upper_cost(struct ft__costing *c, double risk, double *value, struct ft_err *err)
{
	struct ft_prediction at;
	enum ft_status status;

	risk = fmax(risk, FT_COST_RAREST);
	if (ft__ask_has_value(c->answerer, c->options.resource))
		status = ft__request_upper(c->answerer, c->options.resource, &c->size, risk, &at, value, err);
	else {
		status = ft_ask_predict(c->answerer, c->options.resource, &c->size, fmin(0.999, 1 - 2 * risk),
					&at, err);
		*value = at.upper;
	}
	if (status || !isnan(*value))
		return status;
	(void)ft_fail(err, FT_ENOMODEL, "what was stated of '%s' was never tried: it has no risk",
		      c->answerer->program.name);
	return ft_remedy(err, "try it with foretime build or run --save, or plan without --risk");
}

/* Far outside the data intervals of memory grow wide even if memory does not grow: the query for the
 * largest size accounts for that. */
static enum ft_status find_cap(struct ft__costing *c, struct ft_err *err)
{
	struct ft_limit limit = {.most = c->memory_bytes};
	struct ft_largest found;

	limit.resource = c->memory;
	enum ft_status status = ft_ask_largest(c->answerer, &limit, 1, &c->size, c->varying,
					       fmin(0.9995, 1 - c->options.memory_risk), &found, err);
	c->cap = status || found.kind == FT_LARGEST_NONE         ? 0
		 : found.kind == FT_LARGEST_FOUND && limit.binds ? found.size.value[c->varying]
								 : (double)INFINITY;
	return status;
}

static enum ft_status fits_memory(struct ft__costing *c, bool *fits, struct ft_err *err)
{
	struct ft_prediction at;
	double need;

	*fits = true;
	if (isinf(c->memory_bytes))
		return FT_OK;
	enum ft_status status =
		ft__request_upper(c->answerer, c->memory, &c->size, c->options.memory_risk, &at, &need, err);
	*fits = !status && need <= c->memory_bytes;
	if (status || *fits)
		return status;
	if (isnan(c->cap))
		status = find_cap(c, err);
	*fits = !status && c->size.value[c->varying] <= c->cap;
	return status;
}

/* Whether the constraint is met; an undefined value counts as no. */
static enum ft_status meets_where(struct ft__costing *c, bool *meets, struct ft_err *err)
{
	enum ft_status status = ft_ask_admits(c->answerer, &c->size, NULL);

	*meets = !status;
	return status == FT_ENOMEM ? ft_nomem(err) : FT_OK;
}

static enum ft_status typical_cost(struct ft__costing *c, double *value, struct ft_err *err)
{
	struct ft_prediction at;
	enum ft_status status = ft_ask_predict(c->answerer, c->options.resource, &c->size, 0.9, &at, err);

	*value = at.value;
	return status;
}

/* costing_at - the cost of x units; INFINITY and why where they will not do. */
static enum ft_status costing_at(struct ft__costing *c, double x, double *value, enum ft_cost_end *end,
				 struct ft_err *err)
{
	bool good;

	c->size.value[c->varying] = x;
	*value = INFINITY;
	*end = FT_COST_FAILED;
	if (x >= c->failing)
		return FT_OK;
	*end = FT_COST_WHERE;
	enum ft_status status = meets_where(c, &good, err);
	if (status || !good)
		return status;
	*end = FT_COST_MEMORY;
	status = fits_memory(c, &good, err);
	if (status || !good)
		return status;
	status = c->risk > 0 ? upper_cost(c, c->risk, value, err) : typical_cost(c, value, err);
	*end = c->options.most > 0 && *value > c->options.most ? FT_COST_LIMIT : FT_COST_NONE;
	if (status || *end)
		*value = INFINITY;
	return status;
}

enum ft_status ft_cost_at(struct ft_answerer *answerer, const struct ft_size *size, size_t varying,
			  const struct ft_cost_options *options, double *value, enum ft_cost_end *end,
			  struct ft_err *err)
{
	struct ft__costing c;
	enum ft_cost_end why;
	enum ft_status status = costing_init(&c, answerer, size, varying, options, err);

	*value = INFINITY;
	return status ? status : costing_at(&c, size->value[varying], value, end ? end : &why, err);
}

/*
 * The cost of every share: knots are added until lines between them are as good as the model.
 */

/* Up to this number every share is computed. */
enum { TABLE_MOST = 512 };

static const uint64_t usual_effort = 3000;

/* The largest error of lines; a plan loses as little. */
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
	double error; /* of lines that were not refined further */
};

static enum ft_status add_knot(struct cost_knots *k, int64_t at, struct ft_err *err)
{
	struct knot *grown = ft_grow(k->knot, k->n, &k->capacity, sizeof *grown), *added;

	if (!grown)
		return ft_nomem(err);
	k->knot = grown;
	added = &k->knot[k->n++];
	*added = (struct knot){.at = at, .open = true};
	return costing_at(k->costing, (double)at, &added->value, &added->end, err);
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

/* Whether the line from a to b is as good as the model at a tried place between them. */
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

/* The error of lines that were not checked for lack of effort, estimated from their neighbours. */
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
	enum ft_status status = costing_init(&costing, answerer, size, varying, options, err);

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

/* How far outside the data; the error of lines; the distance of knots at jumps. The number of knots at
 * first, and at most. Of 120 made programs with noise (t-knots.c) 64 were enough, and at 2 of 4,800 sizes
 * a line was 2 % below. */
static const double reach = 10, knots_line_error = 0.005, nearest = 1.001;
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

static enum ft_status knots_add_knot(struct request_knots *k, const struct ft_request_knot *knot,
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
	return isnan(middle) || fabs(log(middle) - (log(left) + log(right)) / 2) < knots_line_error;
}

/* Behind `left`, which is there: knots up to `right`, as many as they need. */
static enum ft_status knots_divide_gap(struct request_knots *k, struct ft_request_knot left,
				       const struct ft_request_knot *right, size_t spare, struct ft_err *err)
{
	struct ft_request_knot middle;
	double x = sqrt(left.at * right->at);

	if (spare < 2 || right->at / left.at < nearest || !ask_knot(k, x, &middle) ||
	    (is_near(left.most_s, right->most_s, middle.most_s) &&
	     is_near(left.bytes, right->bytes, middle.bytes)))
		return knots_add_knot(k, right, err);
	enum ft_status status = knots_divide_gap(k, left, &middle, spare / 2, err);
	return status ? status : knots_divide_gap(k, middle, right, spare / 2, err);
}

/* The sizes to start with, ascending: the measured ones, and some between and outside them. NULL: no
 * memory. */
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
	enum ft_status status = knots_add_knot(k, &left, err);
	for (size_t i = 1; i < n && !status && ask_knot(k, x[i], &right); i++) {
		status = knots_divide_gap(k, left, &right, KNOTS_MOST / n, err);
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
