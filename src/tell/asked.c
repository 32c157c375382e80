/* SPDX-License-Identifier: GPL-3.0-or-later */
/* asked.c - predictions of a manager that runs, over its socket. */
#include "tell/asked.h"
#include "base/alloc.h"
#include "base/text.h"
#include "foretime/units.h"
#include "http/client.h"

#include <math.h>
#include <string.h>

/* ---- the question ------------------------------------------------------------------------------------- */

static void add_encoded(struct ft_text *target, const char *text)
{
	char *encoded = ft__http_encode(text);

	if (encoded)
		ft_text_add(target, "%s", encoded);
	else
		target->failed = true;
	ft_free(encoded);
}

static void add_option(struct ft_text *target, const char *key, const char *value)
{
	if (!value)
		return;
	ft_text_add(target, "&%s=", key);
	add_encoded(target, value);
}

/* "/predict/NAME?confidence=0.9&size.n=512"; ends with ft_free. NULL: no memory. */
static char *target_of(const struct ft_manager_question *question)
{
	struct ft_text target = {0};
	char value[FT_NUMBER_LENGTH];

	ft_text_add(&target, "/predict/");
	add_encoded(&target, question->name);
	ft_text_add(&target, "?confidence=");
	ft_text_add_number(&target, question->confidence > 0 ? question->confidence : 0.9);
	add_option(&target, "resource", question->resource);
	add_option(&target, "machine", question->machine);
	add_option(&target, "load", question->load);
	for (size_t i = 0; i < question->n; i++) {
		ft_text_add(&target, "&size.");
		add_encoded(&target, question->size[i].name);
		(void)ft_number_format(question->size[i].value, value);
		ft_text_add(&target, "=");
		add_encoded(&target, value); /* a '+' of 1e+16 is a blank there */
	}
	return ft_text_take(&target);
}

/* ---- the answer --------------------------------------------------------------------------------------- */

static const char *get_text(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static enum ft_status fail_refused(const json_t *answer, struct ft_err *err)
{
	const char *error = get_text(answer, "error"), *remedy = get_text(answer, "remedy");

	if (!error)
		return ft_fail(err, FT_EIO, "what the manager answers cannot be read");
	(void)ft_fail(err, FT_ENOMODEL, "%s", error);
	return remedy ? ft_remedy(err, "%s", remedy) : FT_ENOMODEL;
}

enum ft_status ft_tell_ask_predict(const struct ft_manager_question *question, json_t **out,
				   struct ft_err *err)
{
	char *target = target_of(question), *body = NULL,
	     *path = question->socket ? ft_strdup(question->socket) : ft__http_socket();
	enum ft_status status = target && path ? FT_OK : ft_nomem(err);
	unsigned code = 0;

	*out = NULL;
	if (!status)
		status = ft__http_get(path, target, &code, &body, err);
	ft_free(target);
	ft_free(path);
	if (status)
		return status;
	json_t *answer = json_loads(body, 0, NULL);
	ft_free(body);
	if (code == 200 && json_is_array(json_object_get(answer, "predictions"))) {
		*out = answer;
		return FT_OK;
	}
	status = fail_refused(answer, err);
	json_decref(answer);
	return status;
}

double ft_tell_get_number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

/* Whose words they are, "unknown" behind the last. */
static enum ft_basis basis_of(const char *said)
{
	for (int i = 0; said && strcmp(ft_basis_text((enum ft_basis)i), "unknown") != 0; i++)
		if (!strcmp(said, ft_basis_text((enum ft_basis)i)))
			return (enum ft_basis)i;
	return FT_BASIS_STATED;
}

static enum ft_level level_of(const char *said)
{
	for (int i = 0; said && strcmp(ft_level_text((enum ft_level)i), "unknown") != 0; i++)
		if (!strcmp(said, ft_level_text((enum ft_level)i)))
			return (enum ft_level)i;
	return FT_LEVEL_TABLE;
}

enum ft_status ft_manager_predict(const struct ft_manager_question *question, struct ft_prediction *out,
				  struct ft_err *err)
{
	json_t *answer;
	enum ft_status status = ft_tell_ask_predict(question, &answer, err);
	const json_t *at = json_array_get(json_object_get(answer, "predictions"), 0);

	*out = (struct ft_prediction){.value = NAN, .lower = NAN, .upper = NAN, .known = NAN};
	if (status)
		return status;
	if (isnan(ft_tell_get_number(at, "value"))) {
		status = ft_fail(err, FT_EIO, "the manager's answer has no value");
	} else {
		*out = (struct ft_prediction){.value = ft_tell_get_number(at, "value"),
					      .lower = ft_tell_get_number(at, "lower"),
					      .upper = ft_tell_get_number(at, "upper"),
					      .known = ft_tell_get_number(at, "known"),
					      .level = level_of(get_text(at, "level")),
					      .basis = basis_of(get_text(at, "basis")),
					      .distance = ft_tell_get_number(at, "distance"),
					      .runs = ft_tell_get_number(at, "runs") >= 0
							      ? (size_t)ft_tell_get_number(at, "runs")
							      : 0};
	}
	json_decref(answer);
	return status;
}
