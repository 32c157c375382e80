/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expression.c - a request for all sizes, as expressions of the parameters that are left open. */
#include "ask/places.h"
#include "base/alloc.h"
#include "base/text.h"
#include "foretime/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* On top, for what was not looked at; when another formula is looked for, and how often. */
static const double margin = 0.004, enough = 1.01;
enum { ROUNDS = 4 };

/* ---- the formula -----------------------------------------------------------------------------------------
 */

/* What is found at places that are not covered is heeded, and a new formula is looked for; at last it is
 * raised, and once more by what other places say. */
static enum ft_status find_cover(const struct ft__asked *asked, struct ft__places *places,
				 struct ft__cover *cover)
{
	enum ft_status status = FT_OK;
	double short_of = INFINITY;

	for (int round = 0; round < ROUNDS && short_of > enough && !status; round++) {
		status = ft__cover_fit(places->point, places->n, places->axes, places->data, places->end,
				       places->n_ends, cover);
		if (!status)
			status = ft__places_check(places, asked, cover, &short_of);
	}
	for (int round = 0; round < 2 && !status; round++) {
		ft__cover_raise(cover, short_of * (1 + (round ? 0 : margin)));
		status = round ? FT_OK : ft__places_check(places, asked, cover, &short_of);
	}
	return status;
}

static void judge_cover(const struct ft__places *places, const struct ft__cover *cover,
			struct ft_request_expression *out)
{
	const struct ft__values *line = &places->line[0];
	size_t a;

	for (size_t i = 0; i < places->n; i++) {
		const struct ft__floor *point = &places->point[i];
		double over = ft__cover_value(cover, point->ln) / point->value - 1;

		for (a = 0; a < places->axes; a++)
			if (point->ln[a] < log(places->data[a].least) ||
			    point->ln[a] > log(places->data[a].most))
				break;
		if (a < places->axes)
			continue;
		out->above = fmax(out->above, over);
		out->mean += point->weight * over;
	}
	out->from = places->axes == 1 ? line->x[0] : (double)NAN;
	out->to = places->axes == 1 ? line->x[line->n - 1] : (double)NAN;
}

/* ---- as text ---------------------------------------------------------------------------------------------
 */

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

static void add_product(struct ft_text *text, const struct ft__asked *asked, const struct ft__term *term)
{
	add_number(text, term->b);
	for (size_t a = 0; a < asked->n_axes; a++) {
		const char *name = asked->answerer->program.param[asked->axis[a]].name;
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

/* Where a term is asked, in parentheses; false: everywhere. */
static bool add_where(struct ft_text *text, const struct ft__asked *asked, const struct ft__cover *cover,
		      const struct ft__term *term)
{
	const struct ft_param *param = asked->answerer->program.param;
	const char *name = param[asked->axis[cover->axis]].name;
	bool falls = cover->falls[cover->axis], begins = !isnan(term->from), ends = !isnan(term->upto);

	if (!begins && !ends && !term->outside)
		return false;
	ft_text_add(text, "(");
	for (size_t a = 0; a < cover->axes && term->outside; a++) {
		ft_text_add(text, "%s", a ? " || " : "");
		add_end(text, param[asked->axis[a]].name, cover->falls[a] ? "<" : ">", cover->most[a]);
	}
	if (begins)
		add_end(text, name, falls ? "<" : ">", term->from);
	ft_text_add(text, "%s", begins && ends ? " && " : "");
	if (ends)
		add_end(text, name, falls ? ">=" : "<=", term->upto);
	ft_text_add(text, ")*");
	return true;
}

static void add_term(struct ft_text *text, const struct ft__asked *asked, const struct ft__cover *cover,
		     const struct ft__term *term)
{
	bool braces = add_where(text, asked, cover, term) && term->a > 0 && term->b > 0;

	ft_text_add(text, "%s", braces ? "(" : "");
	if (term->a > 0)
		add_number(text, term->a);
	ft_text_add(text, "%s", term->a > 0 && term->b > 0 ? " + " : "");
	if (term->b > 0)
		add_product(text, asked, term);
	ft_text_add(text, "%s", braces ? ")" : "");
}

static void write_cover(struct ft_text *text, const struct ft__asked *asked, const struct ft__cover *cover)
{
	ft_text_add(text, "%s", cover->n > 1 ? "max(" : "");
	for (size_t i = 0; i < cover->n; i++) {
		ft_text_add(text, "%s", i ? ", " : "");
		add_term(text, asked, cover, &cover->term[i]);
	}
	ft_text_add(text, "%s", cover->n > 1 ? ")" : "");
}

/* ---- of one resource -------------------------------------------------------------------------------------
 */

static enum ft_status express_resource(const struct ft__asked *asked, struct ft_request_expression *out,
				       struct ft_err *err)
{
	struct ft__places places = {0};
	struct ft_text text = {0};
	struct ft__cover cover;
	enum ft_status status = ft__places_find(asked, &places, err);

	if (!status && find_cover(asked, &places, &cover))
		status = ft_nomem(err);
	if (status)
		goto out;
	judge_cover(&places, &cover, out);
	if (asked->n_axes == 1)
		out->to = fmin(out->to, out->known[asked->axis[0]]);
	write_cover(&text, asked, &cover);
	out->text = ft_text_take(&text);
	if (!out->text)
		status = ft_nomem(err);
out:
	ft_text_clear(&text);
	ft__places_clear(&places);
	return status;
}

/* How far beyond the largest values measured, of all open parameters at once, requests are known. */
static enum ft_status find_reach(struct ft__asked *asked, const struct ft_model_record *record,
				 struct ft_request_expression *out, struct ft_err *err)
{
	struct ft_size far = *asked->size, edge, to;
	double share;

	for (size_t a = 0; a < asked->n_axes; a++)
		far.value[asked->axis[a]] = INFINITY;
	edge = to = ft__request_edge(asked->answerer, record, &far);
	for (size_t a = 0; a < asked->n_axes; a++)
		to.value[asked->axis[a]] *= FT_REQUEST_FARTHEST;
	enum ft_status status =
		ft__request_known(asked->answerer, asked->need->resource, &edge, &to, &share, err);
	asked->reach = pow(FT_REQUEST_FARTHEST, share);
	for (size_t a = 0; a < asked->n_axes; a++) {
		double last = edge.value[asked->axis[a]];

		out->known[asked->axis[a]] =
			fmax(last, ft__round_digits(last * asked->reach * (1 + 1e-9), FT__DOWN));
	}
	return status;
}

static enum ft_status write_expression(struct ft__asked *asked, const struct ft_need *need,
				       struct ft_request_expression *out, struct ft_err *err)
{
	const struct ft_model_record *record;

	if (!need->resource)
		return FT_OK;
	FT_TRY(ft_ask_model(asked->answerer, need->resource, asked->size, &record, err));
	asked->need = need;
	asked->fine = ft__ask_fineness(record);
	out->resource = need->resource;
	out->seen = ft__request_seen(asked->answerer, need->resource);
	enum ft_status status = find_reach(asked, record, out, err);
	return status ? status : express_resource(asked, out, err);
}

/* ---- of all ----------------------------------------------------------------------------------------------
 */

static enum ft_status set_axes(struct ft__asked *asked, const bool *open, struct ft_err *err)
{
	const struct ft_answerer *a = asked->answerer;
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
		asked->axis[asked->n_axes++] = i;
	}
	if (!asked->n_axes)
		return ft_fail(err, FT_EINVAL, "no parameter is left open");
	return FT_OK;
}

static double most_cpus(const struct ft_answerer *answerer)
{
	double most = NAN;

	for (size_t i = 0; i < answerer->runs.n; i++) {
		const struct ft_run *run = &answerer->runs.run[i];

		if (run->outcome == FT_DONE && !run->warmup)
			most = fmax(most, ft__request_cpus(answerer, &run->size));
	}
	return most;
}

/* One division of the risk, or one risk that wastes least, for all sizes: over those measured, some of many.
 */
static enum ft_status choose_risk(struct ft__asked *asked, struct ft_request *request, struct ft_err *err)
{
	enum { SIZES = 16 };
	const struct ft_runs *runs = &asked->answerer->runs;
	size_t stride = runs->n / SIZES + 1, n = 0;
	struct ft_size size[SIZES];

	for (size_t i = 0; i < runs->n && n < SIZES; i += stride) {
		if (runs->run[i].outcome != FT_DONE || runs->run[i].warmup)
			continue;
		size[n] = *asked->size;
		for (size_t a = 0; a < asked->n_axes; a++)
			size[n].value[asked->axis[a]] = runs->run[i].size.value[asked->axis[a]];
		n++;
	}
	if (!n)
		return ft_fail(err, FT_ENOMODEL, "no run ended well");
	return ft__request_least(asked->answerer, size, n, request, err);
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
	struct ft__asked asked = {.answerer = answerer, .size = size};
	struct ft_request request;
	enum ft_status status = ft__request_init(answerer, risk, &request, err);

	*out = (struct ft_request_expressions){.cpus = NAN, .killed = NAN};
	if (!status)
		status = set_axes(&asked, open, err);
	if (!status)
		status = risk < 0 ? choose_risk(&asked, &request, err)
				  : ft__request_split(answerer, size, &request, err);
	if (!status)
		status = write_expression(&asked, &request.time, &out->time, err);
	asked.kills = has_kills(&answerer->runs);
	if (!status && asked.kills && asked.n_axes == 1)
		out->killed = ft_runs_killed(&answerer->runs, asked.axis[0], size);
	if (!status)
		status = write_expression(&asked, &request.memory, &out->memory, err);
	if (status)
		ft_request_expressions_clear(out);
	else {
		out->cpus = most_cpus(answerer);
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
	*expressions = (struct ft_request_expressions){.cpus = NAN, .killed = NAN};
}
