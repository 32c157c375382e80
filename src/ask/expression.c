/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expression.c - a request for all sizes, as expressions of the parameters that are left open. */
#include "ask/expression.h"
#include "base/alloc.h"
#include "foretime/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Five digits: as they were rounded before. */
void ft__text_add_digits(struct ft_text *text, double value)
{
	char digits[FT_NUMBER_LENGTH];

	(void)snprintf(digits, sizeof digits, "%.5g", value);
	ft_text_add_number(text, strtod(digits, NULL));
}

void ft__text_add_power(struct ft_text *text, double power)
{
	ft_text_add(text, "^%s", power < 0 ? "(" : "");
	ft_text_add_number(text, power);
	ft_text_add(text, "%s", power < 0 ? ")" : "");
}

/* The number at a size; NaN where the model has no answer. */
double ft__asked_number(const struct ft__asked *asked, const struct ft_size *size)
{
	const struct ft_runs *runs = &asked->answerer->runs;
	size_t axis = asked->axis[0];
	struct ft_prediction at;
	double most;

	if (ft__request_upper(asked->answerer, asked->need->resource, size, asked->need->risk, &at, &most,
			      NULL) ||
	    !(most > 0) || !(most < 1e290))
		return NAN;
	if (asked->kills && size->value[axis] >= ft_runs_killed(runs, axis, size))
		most = fmax(most, ft__request_reached(runs, asked->need->resource, axis, size));
	return most;
}

static enum ft_status set_axes(struct ft__asked *asked, const bool *open, struct ft_err *err)
{
	const struct ft_answerer *a = asked->answerer;
	size_t i, j;

	for (i = 0; i < a->program.n_params; i++) {
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
	size_t i;

	for (i = 0; i < answerer->runs.n; i++) {
		const struct ft_run *run = &answerer->runs.run[i];

		if (run->outcome == FT_DONE && !run->warmup)
			most = fmax(most, ft__request_cpus(answerer, &run->size));
	}
	return most;
}

static enum ft_status write_expression(struct ft__asked *asked, const struct ft_need *need,
				       struct ft_request_expression *out, struct ft_err *err)
{
	const struct ft_model_record *record;
	enum ft_status status;

	if (!need->resource[0])
		return FT_OK;
	status = ft_ask_model(asked->answerer, need->resource, asked->size, &record, err);
	if (status)
		return status;
	asked->need = need;
	memcpy(out->resource, need->resource, sizeof out->resource);
	asked->fine = ft__ask_fineness(record);
	return asked->n_axes == 1 ? ft__expression_one(asked, out, err)
				  : ft__expression_several(asked, out, err);
}

static bool has_kills(const struct ft_runs *runs)
{
	size_t i;

	for (i = 0; i < runs->n; i++)
		if (runs->run[i].outcome == FT_OUT_OF_MEMORY)
			return true;
	return false;
}

enum ft_status ft_ask_request_expressions(struct ft_answerer *answerer, const struct ft_size *size,
					  const bool *open, double risk, struct ft_request_expressions *out,
					  struct ft_err *err)
{
	struct ft__asked asked = {.answerer = answerer, .size = size, .killed = NAN};
	struct ft_request request;
	enum ft_status status = ft__request_init(answerer, risk, &request, err);

	*out = (struct ft_request_expressions){.cpus = NAN, .killed = NAN};
	if (!status)
		status = set_axes(&asked, open, err);
	if (!status)
		status = ft__request_split(answerer, size, &request, err);
	if (!status)
		status = write_expression(&asked, &request.time, &out->time, err);
	asked.kills = has_kills(&answerer->runs);
	if (!status && asked.kills && asked.n_axes == 1)
		out->killed = asked.killed = ft_runs_killed(&answerer->runs, asked.axis[0], size);
	if (!status)
		status = write_expression(&asked, &request.memory, &out->memory, err);
	if (status)
		ft_request_expressions_clear(out);
	else
		out->cpus = most_cpus(answerer);
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
