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

void ft_tell_target_add(struct ft_text *target, const char *prefix, const char *key, const char *value)
{
	char *encoded[2] = {ft__http_encode(key), ft__http_encode(value)};
	bool first = !target->s || !strchr(target->s, '?');

	if (encoded[0] && encoded[1])
		ft_text_add(target, "%s%s%s=%s", first ? "?" : "&", prefix, encoded[0], encoded[1]);
	else
		target->failed = true;
	ft_free(encoded[0]);
	ft_free(encoded[1]);
}

/* "/predict/NAME?confidence=0.9&size.n=512"; ends with ft_free. NULL: no memory. */
static char *target_of(const struct ft_manager_question *question)
{
	const char *const pair[][2] = {
		{"resource", question->resource}, {"machine", question->machine}, {"load", question->load}};
	char value[FT_NUMBER_LENGTH], *name = ft__http_encode(question->name);
	struct ft_text target = {.failed = !name};

	ft_text_add(&target, "/predict/%s", name ? name : "");
	ft_free(name);
	ft_tell_target_add(&target, "", "confidence",
			   ft_number_format(question->confidence > 0 ? question->confidence : 0.9, value));
	for (size_t i = 0; i < sizeof pair / sizeof *pair; i++)
		if (pair[i][1])
			ft_tell_target_add(&target, "", pair[i][0], pair[i][1]);
	for (size_t i = 0; i < question->n; i++)
		ft_tell_target_add(&target, "size.", question->size[i].name,
				   ft_number_format(question->size[i].value, value));
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

enum ft_status ft_tell_ask(const char *socket, char *target, json_t **out, struct ft_err *err)
{
	char *body = NULL, *path = socket ? ft_strdup(socket) : ft__http_socket();
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
	if (code == 200 && json_is_object(answer)) {
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
	enum ft_status status = ft_tell_ask(question->socket, target_of(question), &answer, err);
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
