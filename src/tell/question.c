/* SPDX-License-Identifier: GPL-3.0-or-later */
/* question.c - the table of questions, and the parser of their fields. */
#include "base/alloc.h"
#include "base/number.h"
#include "base/text.h"
#include "foretime/adapt.h"
#include "foretime/base.h"
#include "tell/answers.h"
#include "tell/tell.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/*
 * Parse the values of each parameter.
 */

static enum ft_status fail_many(const char *what, size_t most, struct ft_err *err)
{
	(void)ft_fail(err, FT_EINVAL, "'%.100s' makes more than %zu sizes", what, most);
	return ft_remedy(err, "give the range a larger stride: n=LEAST:MOST:STRIDE");
}

/* One part of a list: a value, or a range; the last step may end before the end of the range, as in seq. */
static enum ft_status add_part(struct ft_values *values, const char *part, struct ft_err *err)
{
	struct ft_values_axis *axis = values->axis;
	struct ft_param param;

	FT_TRY(ft_param_parse(part, &param, err));
	struct ft_space space = ft_param_space(&param);
	double count = param.factor > 0 ? ft_space_count(&space)
					: floor((param.most - param.least) / param.stride * (1 + 1e-12)) + 1;
	while (axis < values->axis + values->n && strcmp(axis->name, param.name) != 0)
		axis++;
	if (axis == values->axis + FT_PARAMS_MAX)
		return ft_fail(err, FT_EINVAL, "more than %d parameters", (int)FT_PARAMS_MAX);
	if (axis == values->axis + values->n) {
		memcpy(axis->name, param.name, sizeof param.name);
		values->n++;
	}
	if (count + (double)axis->n > FT_VALUES_MOST)
		return fail_many(part, FT_VALUES_MOST, err);
	for (size_t i = 0; i < (size_t)count; i++) {
		double *grown = ft_grow(axis->value, axis->n, &axis->room, sizeof *grown);

		if (!grown)
			return ft_nomem(err);
		axis->value = grown;
		axis->value[axis->n++] = param.factor > 0 ? ft_space_value(&space, (double)i)
							  : param.least + (double)i * param.stride;
	}
	return FT_OK;
}

enum ft_status ft_values_add(struct ft_values *values, const char *name, const char *list, struct ft_err *err)
{
	char part[FT_PARAM_LENGTH + 4 * FT_NUMBER_LENGTH];

	const char *apart = ft__commas_group(list) ? "" : ","; /* 1,000,000 is one number */
	for (const char *at = list;; at++) {
		size_t length = strcspn(at, apart);
		int n = snprintf(part, sizeof part, "%s=%.*s", name, (int)length, at);

		if (n < 0 || (size_t)n >= sizeof part)
			return ft_fail(err, FT_EINVAL, "'%.60s' is too long for a value of '%.30s'", at,
				       name);
		FT_TRY(add_part(values, part, err));
		at += length;
		if (!*at)
			break;
	}
	return FT_OK;
}

enum ft_status ft_values_count(const struct ft_values *values, size_t most, const char *last,
			       struct ft_err *err)
{
	double product = 1;

	for (size_t i = 0; i < values->n; i++)
		product *= (double)values->axis[i].n;
	return product > (double)most ? fail_many(last, most, err) : FT_OK;
}

bool ft_values_next(const struct ft_values *values, size_t step[])
{
	for (size_t i = values->n; i > 0; i--) {
		if (++step[i - 1] < values->axis[i - 1].n)
			return true;
		step[i - 1] = 0;
	}
	return false;
}

void ft_values_get(const struct ft_values *values, const size_t step[], const char **name, double *value)
{
	for (size_t i = 0; i < values->n; i++) {
		name[i] = values->axis[i].name;
		/* Each has a value. NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
		value[i] = values->axis[i].value[step[i]];
	}
}

void ft_values_clear(struct ft_values *values)
{
	for (size_t i = 0; i < values->n; i++)
		ft_free(values->axis[i].value);
	*values = (struct ft_values){0};
}

/*
 * The table of questions, and the parser of their fields.
 */

const struct ft_query ft_query_usual = {
	.confidence = 0.9, .risk = 0.05, .retry = FT_RETRY_UNSTATED, .overhead = NAN, .answers_most = 10000};

const struct ft_question *const ft_questions[] = {
	&ft_question_predict, &ft_question_request, &ft_question_largest, &ft_question_rank,
	&ft_question_fit,     &ft_question_show,    &ft_question_list,    NULL};

enum ft_status ft_query_take(const struct ft_question *question, struct ft_query *query, const char *key,
			     const char *value, struct ft_err *err)
{
	bool size = !strncmp(key, "size.", 5);
	const struct ft_field *field = size ? NULL : ft_field_find(question->fields, key, strlen(key));

	if (!field && !question->words) {
		struct ft_text known = {0};

		for (field = question->fields; field->name; field++)
			if (field->help && field->kind != FT_FIELD_HEADING)
				ft_text_add(&known, "%s%s", known.length ? " " : "", field->name);
		(void)ft_fail(err, FT_EINVAL, "'%s' is no field of %s", key, question->name);
		(void)ft_remedy(err, "its fields: %s", known.s && !known.failed ? known.s : "none");
		ft_text_clear(&known);
		return FT_EINVAL;
	}
	if (!value)
		return ft_fail(err, FT_EINVAL, "'%s' has no value", key);
	if (field && field->kind == FT_FIELD_FLAG && ft_word_at("1|true|yes", value) == SIZE_MAX) {
		(void)ft_fail(err, FT_EINVAL, "'%s' is on or left out, not '%s'", key, value);
		return ft_remedy(err, "write %s=1", key);
	}
	if (field) {
		for (const struct ft_field *earlier = question->fields; earlier->name; earlier++)
			if (query->given >> (earlier - question->fields) & 1)
				FT_TRY(ft_fields_together(earlier, field, "", err));
		query->given |= UINT64_C(1) << (field - question->fields);
		enum ft_status status = ft_field_read(field, (char *)query + field->at, value, err);

		return status ? ft_fail_at(err, "%s", key) : FT_OK;
	}
	if (query->n == FT_QUERY_WORDS)
		return ft_fail(err, FT_EINVAL, "more than %d values", (int)FT_QUERY_WORDS);
	query->word[query->n++] = (struct ft_query_word){size ? key + 5 : key, value, size};
	return FT_OK;
}

struct ft_ask_load ft_query_load(const struct ft_query *query)
{
	struct ft_ask_load load = query->load;

	load.sharing = query->niced ? FT_SHARING_NICED : FT_SHARING_FAIR;
	return load;
}

enum ft_status ft_query_risk(const struct ft_query *query, double *risk, struct ft_tell_bounds *bounds,
			     struct ft_err *err)
{
	*risk = query->risk;
	*bounds = (struct ft_tell_bounds){.least_bytes = query->at_least};
	if (query->retry != FT_RETRY_UNSTATED && query->risk > 0) {
		(void)ft_fail(err, FT_EINVAL, "retry is of risk least");
		return ft_remedy(err, "leave it out, or ask for the risk that wastes least");
	}
	if (query->retry == FT_RETRY_DOUBLE)
		*risk = FT_RISK_LEAST_DOUBLE;
	if (query->at_most && ft_tell_bounds_read(query->at_most, bounds, err))
		return ft_fail_at(err, "at-most");
	return FT_OK;
}

enum ft_status ft_query_size(struct ft_answerer *answerer, const struct ft_query *query, struct ft_size *out,
			     struct ft_err *err)
{
	const char *name[FT_QUERY_WORDS];
	double value[FT_QUERY_WORDS];

	for (size_t i = 0; i < query->n; i++) {
		name[i] = query->word[i].key;
		FT_TRY(ft_number_parse(query->word[i].value, &value[i], err));
	}
	FT_TRY(ft_ask_size(answerer, name, value, query->n, out, err));
	return ft_ask_admits(answerer, out, err);
}

/* A time has a unit or a clock's form: "90m" is minutes, "1-12:00" a day and a half, "90M" and "90" are
 * memory. */
static enum ft_status read_bound(const char *text, struct ft_tell_bounds *bounds, struct ft_err *err)
{
	const bool unit = strpbrk(text, ":-") || (*text && !strchr("0123456789", text[strlen(text) - 1]));
	double bound, *out = &bounds->most_s;

	if (!unit || ft_duration_parse(text, &bound, NULL)) {
		out = &bounds->most_bytes;
		if (ft_bytes_parse(text, &bound, NULL)) {
			(void)ft_fail(err, FT_EPARSE, "'%s' is neither memory nor a time", text);
			return ft_remedy(err, "write the bound as in 64GiB, 2d or 64GiB,2d");
		}
	}
	*out = bound;
	if (!(bound > 0)) {
		(void)ft_fail(err, FT_EINVAL, "a bound of %s leaves nothing to ask for", text);
		return ft_remedy(err,
				 "write what a node has, as in 64GiB, or how long jobs may run, as in 2d");
	}
	return FT_OK;
}

enum ft_status ft_tell_bounds_read(const char *text, struct ft_tell_bounds *bounds, struct ft_err *err)
{
	char most[FT_UNIT_LENGTH], least[FT_UNIT_LENGTH], first[64];
	const char *comma = strchr(text, ',');
	size_t length = comma ? (size_t)(comma - text) : 0;
	enum ft_status status = FT_OK;

	if (comma && length < sizeof first) {
		memcpy(first, text, length);
		first[length] = '\0';
		status = read_bound(first, bounds, err);
		text = comma + 1;
	}
	if (!status)
		status = read_bound(text, bounds, err);
	if (!status && comma && !(bounds->most_bytes > 0 && bounds->most_s > 0))
		return ft_fail(err, FT_EINVAL, "of memory and time one bound each");
	if (!status && bounds->most_bytes > 0 && bounds->most_bytes < bounds->least_bytes)
		return ft_fail(err, FT_EINVAL, "no memory is at most %s and at least %s",
			       ft_value_format(bounds->most_bytes, "bytes", most),
			       ft_value_format(bounds->least_bytes, "bytes", least));
	return status;
}
