/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answers.c - what a program's models answer, as the command's --json has it. */
#include "foretime/request.h"
#include "foretime/units.h"
#include "manager/question.h"
#include "tell/batch.h"
#include "tell/largest.h"
#include "tell/manager.h"
#include "tell/predict.h"

#include <math.h>
#include <string.h>

enum { LIMITS_MOST = 8 };

/* That of foretime request. */
#define USUAL_RISK 0.05

/* ---- words --------------------------------------------------------------------------------------------- */

/* Of the words those that are parameters. value  [FT__WORDS_MOST] out */
static enum ft_status read_values(const struct ft_answerer *answerer, const struct ft__query *question,
				  const char *name[FT__WORDS_MOST], double value[FT__WORDS_MOST], size_t *n,
				  struct ft_err *err)
{
	for (size_t i = *n = 0; i < question->n; i++) {
		const char *key = question->word[i].key;

		if (!question->word[i].size && ft_program_find_param(ft_ask_program(answerer), key) < 0)
			continue;
		if (ft_number_parse(question->word[i].value, &value[*n], err))
			return FT_EINVAL;
		name[(*n)++] = key;
	}
	return FT_OK;
}

/* All words are parameters. */
static enum ft_status read_size(const struct ft_answerer *answerer, const struct ft__query *question,
				struct ft_size *out, struct ft_err *err)
{
	const char *name[FT__WORDS_MOST];
	double value[FT__WORDS_MOST];

	for (size_t i = 0; i < question->n; i++) {
		name[i] = question->word[i].key;
		if (ft_number_parse(question->word[i].value, &value[i], err))
			return FT_EINVAL;
	}
	enum ft_status status = ft_ask_size(answerer, name, value, question->n, out, err);
	return status ? status : ft_ask_admits(answerer, out, err);
}

static enum ft_status hand_out(json_t *object, json_t **out, struct ft_err *err)
{
	*out = object;
	return object ? FT_OK : ft_nomem(err);
}

/* ---- predict ------------------------------------------------------------------------------------------- */

static enum ft_status predict_one(struct ft_told_predict *all, struct ft_answerer *answerer,
				  const struct ft_resource *resource, bool several,
				  const struct ft_size *size, struct ft_err *err)
{
	const struct ft_tell_with with = {.program = ft_ask_program(answerer), .unit = resource->unit};
	struct ft_told_prediction one = {
		.resource = several ? resource : NULL, .size = *size, .cost = {NAN, NAN}};

	FT_TRY(ft_tell_predict_ask(all, answerer, resource, size, &one.said, err));
	one.source = ft_level_text(one.said.level);
	return json_array_append_new(all->predictions, ft_tell_json(&ft_tell_prediction, &one, &with))
		       ? ft_nomem(err)
		       : FT_OK;
}

static enum ft_status predict_resources(struct ft_told_predict *all, struct ft_answerer *answerer,
					const struct ft__query *question, const struct ft_size *size,
					struct ft_err *err)
{
	const bool several = question->resource && !strcmp(question->resource, "all");
	const struct ft_resource *each;
	const struct ft_resource *resource = NULL;
	enum ft_status status = FT_OK;

	if (!several)
		status = ft_ask_find(answerer, question->resource, &resource, err);
	if (!several && !status)
		status = predict_one(all, answerer, resource, false, size, err);
	for (size_t i = 0; several && !status && (each = ft_ask_resource(answerer, i)); i++)
		status = predict_one(all, answerer, each, true, size, err);
	if (!status)
		ft_tell_predict_end(all, answerer, resource);
	return status;
}

enum ft_status ft__answer_predict(struct ft_answerer *answerer, const struct ft__query *question,
				  json_t **out, struct ft_err *err)
{
	const struct ft_tell_with with = {.program = ft_ask_program(answerer)};
	struct ft_told_predict all = {.confidence = question->confidence,
				      .load = question->subject.load,
				      .machine = ft_ask_machine(answerer),
				      .predictions = json_array()};
	struct ft_size size;
	enum ft_status status = all.predictions ? read_size(answerer, question, &size, err) : ft_nomem(err);

	if (!status)
		status = predict_resources(&all, answerer, question, &size, err);
	if (!status)
		status = hand_out(ft_tell_json(&ft_tell_predict, &all, &with), out, err);
	json_decref(all.predictions);
	return status;
}

/* ---- largest ------------------------------------------------------------------------------------------- */

/* Of the words those that are limits. */
static enum ft_status read_limits(const struct ft_answerer *answerer, const struct ft__query *question,
				  struct ft_told_limit *limit, size_t *n, struct ft_err *err)
{
	for (size_t i = *n = 0; i < question->n; i++) {
		const char *key = question->word[i].key;
		const struct ft_resource *resource;

		if (question->word[i].size || ft_program_find_param(ft_ask_program(answerer), key) >= 0)
			continue;
		if (*n == LIMITS_MOST)
			return ft_fail(err, FT_EINVAL, "more than %d limits", (int)LIMITS_MOST);
		if (ft_ask_find(answerer, key, &resource, err))
			return FT_EINVAL;
		limit[*n] = (struct ft_told_limit){.typed = question->word[i].value};
		limit[*n].limit.resource = resource;
		if (ft_value_parse(question->word[i].value, resource->unit, &limit[*n].limit.most, err))
			return FT_EINVAL;
		(*n)++;
	}
	if (*n)
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "the largest that fits what?");
	return ft_remedy(err, "add time=60s, memory=8GiB, or both");
}

/* The one parameter of the models that has no value; the fixed ones are read. */
static enum ft_status find_open(const struct ft_answerer *answerer, const struct ft__query *question,
				struct ft_size *size, size_t *open, struct ft_err *err)
{
	const struct ft_program *program = ft_ask_program(answerer);
	const char *name[2 * FT__WORDS_MOST];
	double value[2 * FT__WORDS_MOST];
	size_t axis[FT_PARAMS_MAX], n_axes = ft_ask_axes(answerer, axis), n, i, j, found = 0;

	if (read_values(answerer, question, name, value, &n, err))
		return FT_EINVAL;
	for (i = 0; i < n_axes; i++) {
		for (j = 0; j < n && strcmp(name[j], program->param[axis[i]].name) != 0; j++)
			;
		if (j < n)
			continue;
		*open = axis[i];
		found++;
	}
	if (found != 1) {
		(void)ft_fail(err, FT_EINVAL,
			      found ? "several parameters have no value" : "every parameter has a value");
		return ft_remedy(err, "leave out the one that is asked for, and no other");
	}
	name[n] = program->param[*open].name;
	value[n++] = program->param[*open].most;
	return ft_ask_size(answerer, name, value, n, size, err);
}

static enum ft_status find_largest(struct ft_answerer *answerer, const struct ft__query *question,
				   struct ft_told_limits *all, struct ft_told_largest *only, size_t *open,
				   struct ft_err *err)
{
	struct ft_limit limit[LIMITS_MOST];
	const struct ft_resource *resource[LIMITS_MOST];
	struct ft_size size;
	enum ft_status status = find_open(answerer, question, &size, open, err);

	for (size_t i = 0; i < only->n; i++)
		limit[i] = only->limit[i].limit;
	if (!status)
		status = ft_ask_largest(answerer, limit, only->n, &size, *open, question->confidence,
					&only->found, err);
	if (status)
		return status;
	for (size_t i = 0; i < only->n; i++) {
		only->limit[i].limit = limit[i];
		resource[i] = only->limit[i].limit.resource;
		if (only->found.kind == FT_LARGEST_FOUND)
			only->distance =
				fmax(isnan(only->distance) ? 1 : only->distance, limit[i].at.distance);
	}
	if (only->found.kind == FT_LARGEST_FOUND)
		only->largest = only->found.size.value[*open];
	ft_tell_axes_find(answerer, resource, only->n, &all->axes);
	return FT_OK;
}

enum ft_status ft__answer_largest(struct ft_answerer *answerer, const struct ft__query *question,
				  json_t **out, struct ft_err *err)
{
	const struct ft_tell_with with = {.program = ft_ask_program(answerer)};
	struct ft_told_limit limit[LIMITS_MOST];
	struct ft_told_largest only = {.largest = NAN, .distance = NAN, .limit = limit};
	struct ft_told_limits all = {.name = with.program->name,
				     .machine = ft_ask_machine(answerer),
				     .confidence = question->confidence,
				     .load = question->subject.load,
				     .failing = ft_ask_failing(answerer),
				     .only = &only};
	enum ft_status status = read_limits(answerer, question, limit, &only.n, err);
	size_t open = 0;

	if (!status)
		status = find_largest(answerer, question, &all, &only, &open, err);
	if (status)
		return status;
	all.parameter = with.program->param[open].name;
	return hand_out(ft_tell_json(&ft_tell_largest, &all, &with), out, err);
}

/* ---- request ------------------------------------------------------------------------------------------- */

/* The risk and the bounds asked for. */
static enum ft_status read_request(const struct ft__query *question, double *risk,
				   struct ft_tell_bounds *bounds, struct ft_err *err)
{
	bool twice = question->retry && !strcmp(question->retry, "2x");

	*risk = isnan(question->risk) ? USUAL_RISK : question->risk;
	bounds->least_bytes = question->at_least;
	if (question->retry && ((strcmp(question->retry, "most") != 0 && !twice) || *risk > 0)) {
		(void)ft_fail(err, FT_EINVAL, "retry is most or 2x, and of risk=least");
		return ft_remedy(err, "write risk=least&retry=2x");
	}
	if (twice)
		*risk = FT_RISK_LEAST_DOUBLE;
	return question->at_most ? ft_tell_bounds_read(question->at_most, bounds, err) : FT_OK;
}

static enum ft_status find_request(struct ft_answerer *answerer, const struct ft__query *question,
				   struct ft_request *found, struct ft_told_request *all,
				   struct ft_told_at *at, struct ft_tell_request_text *text,
				   struct ft_err *why, struct ft_err *err)
{
	struct ft_tell_bounds bounds = {0};
	const struct ft_resource *resource[2];
	double risk;
	size_t n = 0;

	FT_TRY(read_size(answerer, question, &at->size, err));

	FT_TRY(read_request(question, &risk, &bounds, err));

	FT_TRY(ft_ask_request(answerer, &at->size, risk, found, err));
	all->answered =
		!ft_tell_answered(found, ft_ask_program(answerer), &at->size, all->overhead, &bounds, why);
	all->reason = all->answered ? NULL : why->text;
	all->advice = all->answered ? NULL : why->remedy;
	all->retry = risk > 0 ? NULL : risk == FT_RISK_LEAST_DOUBLE ? "2x" : "most";
	enum ft_status status = ft_tell_request_sized(all, found, &bounds, text, err);
	if (status)
		return status;
	if (all->time.need.resource)
		resource[n++] = all->time.need.resource;
	if (all->memory.need.resource)
		resource[n++] = all->memory.need.resource;
	ft_tell_axes_find(answerer, resource, n, &all->axes);
	return FT_OK;
}

enum ft_status ft__answer_request(struct ft_answerer *answerer, const struct ft__query *question,
				  json_t **out, struct ft_err *err)
{
	const struct ft_tell_with with = {.program = ft_ask_program(answerer)};
	struct ft_tell_request_text text = {0};
	struct ft_told_at at = {{0}};
	struct ft_told_request all = {.name = with.program->name,
				      .failing = ft_ask_failing(answerer),
				      .machine = ft_ask_machine(answerer),
				      .load = question->subject.load,
				      .at = &at,
				      .cpus = question->cpus,
				      .overhead = isnan(question->overhead) ? FT_TELL_SHELL_BYTES
									    : question->overhead};
	struct ft_request found;
	struct ft_err why = {0};
	enum ft_status status = find_request(answerer, question, &found, &all, &at, &text, &why, err);

	if (!status)
		status = hand_out(ft_tell_json(&ft_tell_request, &all, &with), out, err);
	ft_tell_request_clear(&text);
	return status;
}

/* ---- rank ---------------------------------------------------------------------------------------------- */

/* What a run may need of memory, and the machine has; NaN: not known. */
static void find_memory(struct ft_answerer *answerer, const struct ft_size *size, double confidence,
			struct ft_told_server *rank)
{
	const struct ft_resource *resource = ft_ask_typed(answerer, "memory");
	struct ft_prediction p;

	rank->memory_bytes = rank->most_bytes = NAN;
	if (ft_ask_has(answerer, resource) && !ft_ask_predict(answerer, resource, size, confidence, &p, NULL))
		rank->memory_bytes = p.upper;
	if (rank->machine->memory_bytes > 0)
		rank->most_bytes = (double)rank->machine->memory_bytes;
}

enum ft_status ft__answer_rank(struct ft_answerer *answerer, const struct ft__query *question, json_t **out,
			       struct ft_err *err)
{
	const struct ft_tell_with with = {.program = ft_ask_program(answerer)};
	struct ft_told_server rank = {.name = with.program->name,
				      .machine = ft_ask_machine(answerer),
				      .confidence = question->confidence,
				      .load = question->subject.load};

	FT_TRY(read_size(answerer, question, &rank.size, err));

	FT_TRY(ft_ask_predict(answerer, &ft_wall_s, &rank.size, question->confidence, &rank.time, err));
	find_memory(answerer, &rank.size, question->confidence, &rank);
	rank.fits = !(rank.memory_bytes > rank.most_bytes);
	return hand_out(ft_tell_json(&ft_tell_server, &rank, &with), out, err);
}
