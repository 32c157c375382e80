/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expression.c - a request for all sizes, as expressions of the open parameters. */
#include "ask/ask.h"
#include "base/alloc.h"
#include "base/text.h"
#include "foretime/base.h"
#include "num/num.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Where an expression is checked against the numbers: along each axis below the data, at and between
 * measured values, and above.
 */

/* By the number of open parameters: values along each axis below, inside and above the data; how far
 * outside, at most as far as requests are possible; how many values may end a term. Below the data
 * requests stay at those of its smallest sizes, which only a term of one parameter can follow. */
static const struct reach {
	size_t within, below, beyond, ends;
	double down, up;
} reaches[] = {
	{96, 10, 12, 24, 1e-3, INFINITY}, /* one */
	{14, 0, 3, 8, 1, 10},
	{7, 0, 3, 4, 1, 10},
	{5, 0, 2, 3, 1, 10}, /* four and more */
};

/* The weight of all places outside the data, relative to 1 for those inside. With two parameters and 0.25,
 * requests inside the data were 23 % above the model in the median; with 0.1 11 %, with 0.03 too, and far
 * more outside. */
static const double outside_share = 0.1;

/* Sizes measured that are looked at, as many as that; steps of fine structure. */
enum { MEASURED_MOST = 256, FINE_STEP_MOST = 128, MORE = 500, JUMPS_MOST = 48 };

static const double nearest = 0.04, beside = 1e-9;

/* Just above the data numbers bend most, so this many steps go there. With the usual steps of 1.6 alone
 * expressions were up to 2 % below the numbers there, of 10 among 120 made programs. */
static const double bends = 10;
enum { BENDS = 36 };

static const struct reach *reach_of(size_t axes)
{
	size_t rows = sizeof reaches / sizeof *reaches;

	return &reaches[axes < rows ? axes - 1 : rows - 1];
}

/* ---- numbers ---------------------------------------------------------------------------------------------
 */

static double number_at(const struct ft__express_query *query, const struct ft_size *size)
{
	const struct ft_runs *runs = &query->answerer->runs;
	size_t axis = query->axis[0];
	struct ft_prediction at;
	double most;

	if (ft__request_upper(query->answerer, query->need->resource, size, query->need->risk, &at, &most,
			      NULL) ||
	    !(most > 0) || !(most < 1e290))
		return NAN;
	if (query->kills && size->value[axis] >= ft_runs_killed(runs, axis, size))
		most = fmax(most, ft__request_reached(runs, query->need->resource, axis, size));
	return most;
}

static bool was_run(const struct ft__express_query *query, const struct ft_size *size)
{
	const struct ft_runs *runs = &query->answerer->runs;
	size_t a;

	for (size_t i = 0; i < runs->n; i++) {
		for (a = 0; a < query->n_axes; a++)
			if (!(fabs(runs->run[i].size.value[query->axis[a]] / size->value[query->axis[a]] -
				   1) < 10 * beside))
				break;
		if (a == query->n_axes)
			return true;
	}
	return false;
}

static struct ft_size size_at(const struct ft__express_query *query, const double *ln, double times)
{
	struct ft_size size = *query->size;

	for (size_t a = 0; a < query->n_axes; a++)
		size.value[query->axis[a]] = exp(ln[a]) * times;
	return size;
}

static double number_around(const struct ft__express_query *query, const double *ln)
{
	struct ft_size size = size_at(query, ln, 1), next;
	double number = number_at(query, &size);

	if (query->fine > 1) {
		/* With fine structure no number nearby exceeds another one times its ratio: the minimum of some, none of
		 * them at a smaller size, bounds all of them. */
		double least = number;

		for (size_t a = 0; a < query->n_axes; a++) {
			double *value = &size.value[query->axis[a]];
			double x = *value;

			for (size_t step = 1; step <= FINE_STEP_MOST; step *= 2) {
				*value = (double)step * (floor(x / (double)step) + 1);
				if (*value <= x * (1 + nearest))
					least = fmin(least, number_at(query, &size));
			}
			*value = x;
		}
		number = fmax(number, least * query->fine);
	}
	if (!was_run(query, &size))
		return number;
	next = size_at(query, ln, 1 - beside);
	number = fmax(number, number_at(query, &next)); /* fmax passes over NaN */
	next = size_at(query, ln, 1 + beside);
	return fmax(number, number_at(query, &next));
}

/* ---- lines -----------------------------------------------------------------------------------------------
 */

static enum ft_status add_value(struct ft__values *line, double x)
{
	double *grown = ft_grow(line->x, line->n, &line->capacity, sizeof *grown);

	if (!grown)
		return FT_ENOMEM;
	line->x = grown;
	line->x[line->n++] = x;
	return FT_OK;
}

static enum ft_status add_between(struct ft__values *line, double from, double to, size_t steps)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i <= steps && !status && to > from && steps; i++)
		status = add_value(
			line, i && i < steps
				      ? ft__round_digits(from * pow(to / from, (double)i / (double)steps),
							 FT__NEAREST)
				      : (i ? to : from));
	return status;
}

/* Measured values of a resource on one axis; killed: those at which runs were killed. Ascending and
 * different, heap; NULL: no memory. */
static double *values_of(const struct ft__express_query *query, size_t axis, bool killed, size_t *n)
{
	const struct ft_runs *runs = &query->answerer->runs;
	double *x = ft_calloc(runs->n + 1, sizeof *x);
	size_t count = 0;

	*n = 0;
	for (size_t i = 0; i < runs->n && x; i++) {
		const struct ft_run *run = &runs->run[i];
		bool done = run->outcome == FT_DONE && !run->warmup &&
			    !isnan(ft_run_value(run, query->need->resource));

		if ((killed ? run->outcome == FT_OUT_OF_MEMORY : done) && run->size.value[axis] > 0)
			x[count++] = run->size.value[axis];
	}
	*n = x ? ft_sort_different(x, count) : 0;
	return x;
}

/* Few values are all taken, with some between each two of them, evenly; of many each k-th. */
static enum ft_status add_within(struct ft__values *line, const double *x, size_t n, size_t wanted)
{
	size_t each = n > 1 ? (wanted + n - 2) / (n - 1) : 1, i;
	enum ft_status status = add_value(line, x[0]);

	for (i = 1; i < n && n <= wanted && !status; i++)
		status = add_between(line, x[i - 1], x[i], each);
	for (i = 1; i < wanted && n > wanted && !status; i++)
		status = add_value(line, x[i * (n - 1) / (wanted - 1)]);
	return status;
}

/* Above the data numbers jump where the power law is fitted to one knot more: at the distance of that
 * knot. */
static enum ft_status add_jumps(struct ft__values *line, const double *x, size_t n, double reach)
{
	size_t stride = n / JUMPS_MOST + 1;
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < n && !status; i += stride) {
		if (x[n - 1] / x[i] <= reach)
			status = add_value(line, x[n - 1] * (x[n - 1] / x[i]));
		if (!status && x[0] * (x[0] / x[i]) >= fmin(1, x[0]))
			status = add_value(line, x[0] * (x[0] / x[i]));
	}
	return status;
}

static enum ft_status find_line(const struct ft__express_query *query, size_t axis, const struct reach *reach,
				struct ft__values *line, struct ft__extent *data, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t n, killed;
	double *x = values_of(query, axis, false, &n), *gone = values_of(query, axis, true, &killed);
	double up = fmin(reach->up, query->reach);

	if (!x || !gone) {
		status = ft_nomem(err);
	} else if (!n) {
		status = ft_fail(err, FT_ENOMODEL,
				 "no size measured is positive: there is no power law to write");
	} else {
		*data = (struct ft__extent){x[0], x[n - 1]};
		status = add_within(line, x, n, reach->within);
		if (!status)
			status = add_between(line, fmax(x[0] * reach->down, fmin(1, x[0])), x[0],
					     reach->below);
		if (!status)
			status = add_between(line, x[n - 1], x[n - 1] * up, reach->beyond);
		if (!status && query->n_axes == 1)
			status = add_jumps(line, x, n, up);
		if (!status && query->n_axes == 1)
			status = add_between(line, x[n - 1], x[n - 1] * fmin(bends, up), BENDS);
		for (size_t i = 0; i < killed && query->kills && i < reach->within && !status; i++)
			if (gone[i] <= x[n - 1] * up)
				status = add_value(line, gone[i]);
		line->n = status ? 0 : ft_sort_different(line->x, line->n);
	}
	ft_free(x);
	ft_free(gone);
	return status == FT_ENOMEM ? ft_nomem(err) : status;
}

/* Evenly among the values within the data; what is not of three digits is rounded up. */
static enum ft_status find_ends(struct ft__places *places, size_t ends)
{
	places->n_ends = ends;
	places->end = ft_calloc(places->axes * ends, sizeof *places->end);
	for (size_t a = 0; a < places->axes && places->end; a++) {
		const struct ft__values *line = &places->line[a];
		size_t first = ft_count_below(line->x, line->n, places->data[a].least);
		size_t last = ft_count_upto(line->x, line->n, places->data[a].most) - 1;

		for (size_t i = 0; i < ends; i++) {
			size_t k = first + (last - first) * i / (ends - 1);
			double end = ft__round_digits(line->x[k], FT__UP);

			places->end[a * ends + i] =
				k + 1 < line->n && end < line->x[k + 1] ? end : (double)NAN;
		}
	}
	return places->end ? FT_OK : FT_ENOMEM;
}

/* ---- places ----------------------------------------------------------------------------------------------
 */

static enum ft_status keep_point(struct ft__places *places, struct ft__floor point)
{
	struct ft__floor *grown = ft_grow(places->point, places->n, &places->capacity, sizeof *grown);

	if (!grown)
		return FT_ENOMEM;
	places->point = grown;
	places->point[places->n++] = point;
	return FT_OK;
}

static enum ft_status add_point(struct ft__places *places, const struct ft__express_query *query,
				struct ft__floor point)
{
	point.value = number_around(query, point.ln);
	return isnan(point.value) ? FT_OK : keep_point(places, point);
}

/* The part of a line that a value represents, less of it the farther from the data. */
static double weight_of(const struct ft__values *line, const struct ft__extent *data, size_t i, bool *outside)
{
	double x = line->x[i], left = i ? line->x[i - 1] : x, right = i + 1 < line->n ? line->x[i + 1] : x;
	double far = fmax(data->least / x, x / data->most);

	*outside = *outside || far > 1;
	return fmax(log(right / left), 1e-6) / fmax(1, far);
}

static enum ft_status places_add_product(struct ft__places *places, const struct ft__express_query *query,
					 size_t index)
{
	struct ft__floor point = {.weight = 1};
	bool outside = false;

	for (size_t a = 0; a < places->axes; a++) {
		const struct ft__values *line = &places->line[a];
		size_t i = index % line->n;

		index /= line->n;
		point.ln[a] = log(line->x[i]);
		point.weight *= weight_of(line, &places->data[a], i, &outside);
	}
	point.weight *= outside ? -1 : 1; /* marked until all are known */
	return add_point(places, query, point);
}

static enum ft_status add_measured(struct ft__places *places, const struct ft__express_query *query)
{
	const struct ft_runs *runs = &query->answerer->runs;
	size_t stride = runs->n / MEASURED_MOST + 1, a;
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < runs->n && !status; i += stride) {
		struct ft__floor point = {0};

		for (a = 0; a < places->axes && runs->run[i].size.value[query->axis[a]] > 0; a++)
			point.ln[a] = log(runs->run[i].size.value[query->axis[a]]);
		if (a == places->axes && runs->run[i].outcome == FT_DONE)
			status = add_point(places, query, point);
	}
	return status;
}

enum ft_status ft__places_find(const struct ft__express_query *query, struct ft__places *out,
			       struct ft_err *err)
{
	const struct reach *reach = reach_of(query->n_axes);
	enum ft_status status = FT_OK;
	size_t total = 1;

	*out = (struct ft__places){.axes = query->n_axes};
	for (size_t a = 0; a < out->axes; a++) {
		FT_TRY(find_line(query, query->axis[a], reach, &out->line[a], &out->data[a], err));
		total *= out->line[a].n;
	}
	status = find_ends(out, reach->ends);
	for (size_t i = 0; i < total && !status; i++)
		status = places_add_product(out, query, i);
	/* Within the data they count 1 together. */
	double within = 0, outside = 0;

	for (size_t i = 0; i < out->n; i++) {
		within += fmax(0, out->point[i].weight);
		outside += fmax(0, -out->point[i].weight);
	}
	for (size_t i = 0; i < out->n; i++) {
		double *weight = &out->point[i].weight;

		*weight = *weight >= 0 ? *weight / within : -*weight / outside * outside_share;
	}
	if (!status && out->axes > 1)
		status = add_measured(out, query);
	if (status)
		return ft_nomem(err);
	return out->n ? FT_OK
		      : ft_fail(err, FT_ENOMODEL, "the model of %s has no value above 0",
				query->need->resource->name);
}

void ft__places_clear(struct ft__places *places)
{
	for (size_t a = 0; a < places->axes; a++)
		ft_free(places->line[a].x);
	ft_free(places->point);
	ft_free(places->end);
	*places = (struct ft__places){0};
}

/* Every other one right before or behind the end of a term. */
static void move_to_end(const struct ft__cover *cover, size_t i, double *ln)
{
	const struct ft__term *term = &cover->term[i / 4 % cover->n];
	double end = isnan(term->from) ? term->upto : term->from;

	if (i % 4 < 2 && !isnan(end))
		ln[cover->axis] = end * (1 + (i % 2 ? beside : 0));
}

enum ft_status ft__places_check(struct ft__places *places, const struct ft__express_query *query,
				const struct ft__cover *cover, double *short_of)
{
	size_t n = places->axes == 1 ? 2 * MORE : MORE;
	enum ft_status status = FT_OK;

	*short_of = 1;
	for (size_t i = 0; i < places->n; i++)
		*short_of =
			fmax(*short_of, places->point[i].value / ft__cover_value(cover, places->point[i].ln));
	for (size_t i = 0; i < n && !status; i++) {
		struct ft__floor point = {0};

		/* Each interval of the first line in sequence, those of further lines at random, and uniform inside them. */
		double share = fmod(0.6180339887498949 * (double)(places->checked + 1), 1);
		size_t k = places->checked;

		for (size_t a = 0; a < places->axes; a++) {
			const struct ft__values *line = &places->line[a];
			size_t at = line->n > 1 ? k % (line->n - 1) : 0, next = line->n > 1 ? at + 1 : at;

			point.ln[a] = log(line->x[at]) + share * log(line->x[next] / line->x[at]);
			k = (k * 7919 + 13) / 3;
			share = fmod(share + 0.7548776662466927, 1);
		}
		move_to_end(cover, places->checked++, point.ln);
		double is = ft__cover_value(cover, point.ln);
		point.value = number_around(query, point.ln);
		if (!(point.value > is))
			continue;
		*short_of = fmax(*short_of, point.value / is);
		status = keep_point(places, point);
	}
	return status;
}

/*
 * A request for all sizes, as expressions of the open parameters.
 */

/* A margin for places that were not checked; and when, and how often, another formula is searched for. */
static const double margin = 0.004, enough = 1.01;
enum { ROUNDS = 4 };

/* ---- the formula -----------------------------------------------------------------------------------------
 */

/* Add places that are not covered, and search for a new formula; finally raise it, and once more for
 * further places. */
static enum ft_status find_cover(const struct ft__express_query *query, struct ft__places *places,
				 struct ft__cover *cover)
{
	enum ft_status status = FT_OK;
	double short_of = INFINITY;

	for (int round = 0; round < ROUNDS && short_of > enough && !status; round++) {
		status = ft__cover_fit(places->point, places->n, places->axes, places->data, places->end,
				       places->n_ends, cover);
		if (!status)
			status = ft__places_check(places, query, cover, &short_of);
	}
	for (int round = 0; round < 2 && !status; round++) {
		ft__cover_raise(cover, short_of * (1 + (round ? 0 : margin)));
		status = round ? FT_OK : ft__places_check(places, query, cover, &short_of);
	}
	return status;
}

/* ---- text --------------------------------------------------------------------------------------------- */

/* Three digits: as they were rounded before. */
static void add_number(struct ft_text *text, double value)
{
	char digits[FT_NUMBER_LENGTH];

	(void)snprintf(digits, sizeof digits, "%.3g", value);
	ft_text_add_number(text, strtod(digits, NULL));
}

static void add_end(struct ft_text *text, const char *name, const char *sign, double ln)
{
	ft_text_add(text, "%s %s ", name, sign);
	add_number(text, exp(ln));
}

/* Print the condition of a term, in parentheses; false: it applies everywhere. */
static bool add_where(struct ft_text *text, const struct ft__express_query *query,
		      const struct ft__cover *cover, const struct ft__term *term)
{
	const struct ft_param *param = query->answerer->program.param;
	const char *name = param[query->axis[cover->axis]].name;
	bool falls = cover->falls[cover->axis], begins = !isnan(term->from), ends = !isnan(term->upto);

	if (!begins && !ends && !term->outside)
		return false;
	ft_text_add(text, "(");
	for (size_t a = 0; a < cover->axes && term->outside; a++) {
		ft_text_add(text, "%s", a ? " || " : "");
		add_end(text, param[query->axis[a]].name, cover->falls[a] ? "<" : ">", cover->most[a]);
	}
	if (begins)
		add_end(text, name, falls ? "<" : ">", term->from);
	ft_text_add(text, "%s", begins && ends ? " && " : "");
	if (ends)
		add_end(text, name, falls ? ">=" : "<=", term->upto);
	ft_text_add(text, ")*");
	return true;
}

static void add_term(struct ft_text *text, const struct ft__express_query *query,
		     const struct ft__cover *cover, const struct ft__term *term)
{
	bool braces = add_where(text, query, cover, term) && term->a > 0 && term->b > 0;

	ft_text_add(text, "%s", braces ? "(" : "");
	if (term->a > 0)
		add_number(text, term->a);
	ft_text_add(text, "%s", term->a > 0 && term->b > 0 ? " + " : "");
	if (term->b > 0) {
		add_number(text, term->b);
		for (size_t a = 0; a < query->n_axes; a++) {
			const char *name = query->answerer->program.param[query->axis[a]].name;
			double power = round(term->power[a] * 100) / 100;

			if (power == 0)
				continue;
			ft_text_add(text, "*%s", name);
			if (power == 1)
				continue;
			ft_text_add(text, "^%s", power < 0 ? "(" : "");
			add_number(text, power);
			ft_text_add(text, "%s", power < 0 ? ")" : "");
		}
	}
	ft_text_add(text, "%s", braces ? ")" : "");
}

/* ---- one resource ------------------------------------------------------------------------------------- */

static enum ft_status express_resource(const struct ft__express_query *query,
				       struct ft_request_expression *out, struct ft_err *err)
{
	struct ft__places places = {0};
	struct ft_text text = {0};
	struct ft__cover cover;
	enum ft_status status = ft__places_find(query, &places, err);

	if (!status && find_cover(query, &places, &cover))
		status = ft_nomem(err);
	if (status)
		goto out;
	const struct ft__values *line = &places.line[0];
	size_t a;

	for (size_t i = 0; i < places.n; i++) {
		const struct ft__floor *point = &places.point[i];
		double over = ft__cover_value(&cover, point->ln) / point->value - 1;

		for (a = 0; a < places.axes; a++)
			if (point->ln[a] < log(places.data[a].least) ||
			    point->ln[a] > log(places.data[a].most))
				break;
		if (a < places.axes)
			continue;
		out->above = fmax(out->above, over);
		out->mean += point->weight * over;
	}
	out->from = places.axes == 1 ? line->x[0] : (double)NAN;
	out->to = places.axes == 1 ? line->x[line->n - 1] : (double)NAN;
	if (query->n_axes == 1)
		out->to = fmin(out->to, out->known[query->axis[0]]);
	ft_text_add(&text, "%s", cover.n > 1 ? "max(" : "");
	for (size_t i = 0; i < cover.n; i++) {
		ft_text_add(&text, "%s", i ? ", " : "");
		add_term(&text, query, &cover, &cover.term[i]);
	}
	ft_text_add(&text, "%s", cover.n > 1 ? ")" : "");
	out->text = ft_text_take(&text);
	if (!out->text)
		status = ft_nomem(err);
out:
	ft_text_clear(&text);
	ft__places_clear(&places);
	return status;
}

/* How far above the largest values measured, of all open parameters at once, requests are possible. */
static enum ft_status find_reach(struct ft__express_query *query, const struct ft_model_record *record,
				 struct ft_request_expression *out, struct ft_err *err)
{
	struct ft_size far = *query->size, edge, to;
	double share;

	for (size_t a = 0; a < query->n_axes; a++)
		far.value[query->axis[a]] = INFINITY;
	edge = to = ft__request_edge(query->answerer, record, &far);
	for (size_t a = 0; a < query->n_axes; a++)
		to.value[query->axis[a]] *= FT_REQUEST_FARTHEST;
	enum ft_status status =
		ft__request_known(query->answerer, query->need->resource, &edge, &to, &share, err);
	query->reach = pow(FT_REQUEST_FARTHEST, share);
	for (size_t a = 0; a < query->n_axes; a++) {
		double last = edge.value[query->axis[a]];

		out->known[query->axis[a]] =
			fmax(last, ft__round_digits(last * query->reach * (1 + 1e-9), FT__DOWN));
	}
	return status;
}

static enum ft_status write_expression(struct ft__express_query *query, const struct ft_need *need,
				       struct ft_request_expression *out, struct ft_err *err)
{
	const struct ft_model_record *record;

	if (!need->resource)
		return FT_OK;
	FT_TRY(ft_ask_model(query->answerer, need->resource, query->size, &record, err));
	query->need = need;
	query->fine = ft__ask_fineness(record);
	out->resource = need->resource;
	out->seen = ft__request_seen(query->answerer, need->resource);
	enum ft_status status = find_reach(query, record, out, err);
	return status ? status : express_resource(query, out, err);
}

/* ---- all resources
   ---------------------------------------------------------------------------------------------- */

static enum ft_status set_axes(struct ft__express_query *query, const bool *open, struct ft_err *err)
{
	const struct ft_answerer *a = query->answerer;
	size_t j;

	for (size_t i = 0; i < a->program.n_params; i++) {
		if (!open[i])
			continue;
		for (j = 0; j < a->n_axes && a->axis[j] != i;)
			j++;
		if (j == a->n_axes) {
			ft_fail(err, FT_EINVAL, "the runs know one value of '%s'", a->program.param[i].name);
			(void)ft_remedy(err, "measure several, or leave it fixed");
			return FT_EINVAL;
		}
		query->axis[query->n_axes++] = i;
	}
	if (!query->n_axes)
		return ft_fail(err, FT_EINVAL, "no parameter is left open");
	return FT_OK;
}

/* One division of the risk, or one risk that wastes least, for all sizes: over those measured, some of many.
 */
static enum ft_status choose_risk(struct ft__express_query *query, struct ft_request *request,
				  struct ft_err *err)
{
	enum { SIZES = 16 };
	const struct ft_runs *runs = &query->answerer->runs;
	size_t stride = runs->n / SIZES + 1, n = 0;
	struct ft_size size[SIZES];

	for (size_t i = 0; i < runs->n && n < SIZES; i += stride) {
		if (runs->run[i].outcome != FT_DONE || runs->run[i].warmup)
			continue;
		size[n] = *query->size;
		for (size_t a = 0; a < query->n_axes; a++)
			size[n].value[query->axis[a]] = runs->run[i].size.value[query->axis[a]];
		n++;
	}
	if (!n)
		return ft_fail(err, FT_ENOMODEL, "no run ended well");
	return ft__request_least(query->answerer, size, n, request, err);
}

static bool has_kills(const struct ft_runs *runs)
{
	for (size_t i = 0; i < runs->n; i++)
		if (runs->run[i].outcome == FT_OUT_OF_MEMORY)
			return true;
	return false;
}

enum ft_status ft_ask_request_expressions(struct ft_answerer *answerer, const struct ft_size *size,
					  const bool *open, double risk, struct ft_request_expressions *out,
					  struct ft_err *err)
{
	struct ft__express_query query = {.answerer = answerer, .size = size};
	struct ft_request request;
	enum ft_status status = ft__request_init(answerer, risk, &request, err);

	*out = (struct ft_request_expressions){.cpus = NAN, .killed = NAN};
	if (!status)
		status = set_axes(&query, open, err);
	if (!status)
		status = risk < 0 ? choose_risk(&query, &request, err)
				  : ft__request_split(answerer, size, &request, err);
	if (!status)
		status = write_expression(&query, &request.time, &out->time, err);
	query.kills = has_kills(&answerer->runs);
	if (!status && query.kills && query.n_axes == 1)
		out->killed = ft_runs_killed(&answerer->runs, query.axis[0], size);
	if (!status)
		status = write_expression(&query, &request.memory, &out->memory, err);
	query.kills = false;
	if (!status)
		status = write_expression(&query, &request.scratch, &out->scratch, err);
	if (status)
		ft_request_expressions_clear(out);
	else {
		double most = NAN;

		for (size_t i = 0; i < answerer->runs.n; i++) {
			const struct ft_run *run = &answerer->runs.run[i];

			if (run->outcome == FT_DONE && !run->warmup)
				most = fmax(most, ft__request_cpus(answerer, &run->size));
		}
		out->cpus = most;
		out->risk = request.risk;
		out->brief = answerer->requested.brief;
	}
	return status;
}

void ft_request_expressions_clear(struct ft_request_expressions *expressions)
{
	if (!expressions)
		return;
	ft_free(expressions->time.text);
	ft_free(expressions->memory.text);
	ft_free(expressions->scratch.text);
	*expressions = (struct ft_request_expressions){.cpus = NAN, .killed = NAN};
}
