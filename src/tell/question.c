/* SPDX-License-Identifier: GPL-3.0-or-later */
/* question.c - all questions, and how they are read by their rows. */
#include "tell/question.h"
#include "base/text.h"
#include "base/word.h"
#include "foretime/units.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

const struct ft_asked ft_asked_usual = {
	.confidence = 0.9, .risk = 0.05, .retry = FT_RETRY_UNSTATED, .overhead = NAN, .answers_most = 10000};

const struct ft_question *const ft_questions[] = {
	&ft_question_predict, &ft_question_request, &ft_question_largest, &ft_question_rank,
	&ft_question_fit,     &ft_question_show,    &ft_question_list,    NULL};

enum ft_status ft_asked_take(const struct ft_question *question, struct ft_asked *asked, const char *key,
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
			if (asked->given >> (earlier - question->fields) & 1)
				FT_TRY(ft_fields_together(earlier, field, "", err));
		asked->given |= UINT64_C(1) << (field - question->fields);
		enum ft_status status = ft_field_read(field, (char *)asked + field->at, value, err);

		return status ? ft_fail_at(err, "%s", key) : FT_OK;
	}
	if (asked->n == FT_ASKED_WORDS)
		return ft_fail(err, FT_EINVAL, "more than %d values", (int)FT_ASKED_WORDS);
	asked->word[asked->n++] = (struct ft_asked_word){size ? key + 5 : key, value, size};
	return FT_OK;
}

struct ft_ask_load ft_asked_load(const struct ft_asked *asked)
{
	struct ft_ask_load load = asked->load;

	load.sharing = asked->niced ? FT_SHARING_NICED : FT_SHARING_FAIR;
	return load;
}

enum ft_status ft_asked_risk(const struct ft_asked *asked, double *risk, struct ft_tell_bounds *bounds,
			     struct ft_err *err)
{
	*risk = asked->risk;
	*bounds = (struct ft_tell_bounds){.least_bytes = asked->at_least};
	if (asked->retry != FT_RETRY_UNSTATED && asked->risk > 0) {
		(void)ft_fail(err, FT_EINVAL, "retry is of risk least");
		return ft_remedy(err, "leave it out, or ask for the risk that wastes least");
	}
	if (asked->retry == FT_RETRY_DOUBLE)
		*risk = FT_RISK_LEAST_DOUBLE;
	if (asked->at_most && ft_tell_bounds_read(asked->at_most, bounds, err))
		return ft_fail_at(err, "at-most");
	return FT_OK;
}

enum ft_status ft_asked_size(struct ft_answerer *answerer, const struct ft_asked *asked, struct ft_size *out,
			     struct ft_err *err)
{
	const char *name[FT_ASKED_WORDS];
	double value[FT_ASKED_WORDS];

	for (size_t i = 0; i < asked->n; i++) {
		name[i] = asked->word[i].key;
		FT_TRY(ft_number_parse(asked->word[i].value, &value[i], err));
	}
	FT_TRY(ft_ask_size(answerer, name, value, asked->n, out, err));
	return ft_ask_admits(answerer, out, err);
}
