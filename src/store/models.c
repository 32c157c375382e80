/* SPDX-License-Identifier: GPL-3.0-or-later */
/* models.c - models in the store, as JSON. */
#include "store/store.h"
#include "base/alloc.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* The form of the body below. Models are made of runs and can be made again: one of another form counts as
 * none. */
enum { FORMAT = 1 };

/* The doubles of a model and of a knot, and what they are called. */
struct field {
	const char *name;
	size_t at;
};

static const struct field model_fields[] = {
	{"offset", offsetof(struct ft_model, offset)},
	{"stated_error", offsetof(struct ft_model, stated_error)},
};

static const struct field knot_fields[] = {
	{"x", offsetof(struct ft_knot, x)},
	{"work", offsetof(struct ft_knot, work)},
	{"value", offsetof(struct ft_knot, value)},
	{"scatter", offsetof(struct ft_knot, scatter)},
	{"residual", offsetof(struct ft_knot, residual)},
};

enum {
	N_MODEL_FIELDS = sizeof model_fields / sizeof *model_fields,
	N_KNOT_FIELDS = sizeof knot_fields / sizeof *knot_fields
};

static const char *const stops[] = {
#define TEXT(name, words) words,
	FT_STOP_LIST(TEXT)
#undef TEXT
};

/* ---- writing ---- */

static bool set_fields(json_t *to, const struct field *field, size_t n, const void *from)
{
	size_t i;

	for (i = 0; i < n; i++) {
		double value;

		memcpy(&value, (const char *)from + field[i].at, sizeof value);
		if (json_object_set_new(to, field[i].name, ft__json_real(value)))
			return false;
	}
	return true;
}

/* A list in an object; NULL: no memory. */
static json_t *set_array(json_t *to, const char *name)
{
	json_t *array = json_array();

	return array && !json_object_set_new(to, name, array) ? array : NULL;
}

static bool set_knots(json_t *to, const struct ft_model *model)
{
	json_t *knots = set_array(to, "knots"), *gaps = set_array(to, "gap_error");
	size_t i;

	if (!knots || !gaps)
		return false;
	for (i = 0; i < model->n; i++) {
		json_t *knot = json_object();

		if (json_array_append_new(knots, knot) ||
		    !set_fields(knot, knot_fields, N_KNOT_FIELDS, &model->knot[i]) ||
		    json_object_set_new(knot, "runs", json_integer((json_int_t)model->knot[i].runs)))
			return false;
	}
	for (i = 0; i + 1 < model->n; i++)
		if (json_array_append_new(gaps, ft__json_real(model->gap_error[i])))
			return false;
	return true;
}

static enum ft_status body_text(const struct ft_model *model, char **out, struct ft_err *err)
{
	json_t *body = json_object();
	enum ft_status status;

	if (!json_object_set_new(body, "format", json_integer(FORMAT)) &&
	    !json_object_set_new(body, "through_speed", json_boolean(model->through_speed)) &&
	    !json_object_set_new(body, "runs", json_integer((json_int_t)model->runs)) &&
	    !json_object_set_new(body, "rough", json_boolean(model->rough)) &&
	    !json_object_set_new(body, "rough_by_noise", json_boolean(model->rough_by_noise)) &&
	    set_fields(body, model_fields, N_MODEL_FIELDS, model) && set_knots(body, model))
		status = ft__json_text(body, out, err);
	else
		status = ft_nomem(err);
	json_decref(body);
	return status;
}

enum ft_status ft_store_put_model(struct ft_store *store, int64_t program, int64_t machine,
				  const struct ft_model_record *record, struct ft_err *err)
{
	char *fixed = NULL, *body = NULL;
	enum ft_status status;

	assert((size_t)record->stop < sizeof stops / sizeof *stops);
	if (!(status = ft__size_text(&record->fixed, &fixed, err)) &&
	    !(status = body_text(&record->model, &body, err)))
		status = ft__exec(store, FT__PUT_MODEL,
				  FT__VALUES(ft__int(program), ft__int(machine), ft__text(record->resource),
					     ft__text(fixed), ft__text(record->method),
					     ft__text(stops[record->stop]), ft__int(record->made_ns),
					     ft__int(record->last_run), ft__text(body)),
				  NULL, err);
	ft_free(fixed);
	ft_free(body);
	return status;
}

/* ---- reading ---- */

static bool get_fields(const json_t *from, const struct field *field, size_t n, void *to)
{
	size_t i;

	for (i = 0; i < n; i++) {
		double value;

		if (!ft__json_number(json_object_get(from, field[i].name), &value))
			return false;
		memcpy((char *)to + field[i].at, &value, sizeof value);
	}
	return true;
}

static bool get_knots(const json_t *knots, const json_t *gaps, struct ft_model *out)
{
	size_t i;

	for (i = 0; i < out->n; i++) {
		const json_t *knot = json_array_get(knots, i), *runs = json_object_get(knot, "runs");

		if (!get_fields(knot, knot_fields, N_KNOT_FIELDS, &out->knot[i]) || !json_is_integer(runs))
			return false;
		out->knot[i].runs = (size_t)json_integer_value(runs);
	}
	for (i = 0; i + 1 < out->n; i++)
		if (!ft__json_number(json_array_get(gaps, i), &out->gap_error[i]))
			return false;
	return true;
}

static enum ft_status get_body(struct ft_store *store, const json_t *body, struct ft_model *out,
			       struct ft_err *err)
{
	const json_t *knots = json_object_get(body, "knots"), *gaps = json_object_get(body, "gap_error");

	out->n = json_array_size(knots);
	out->runs = (size_t)json_integer_value(json_object_get(body, "runs"));
	out->through_speed = json_is_true(json_object_get(body, "through_speed"));
	out->rough = json_is_true(json_object_get(body, "rough"));
	out->rough_by_noise = json_is_true(json_object_get(body, "rough_by_noise"));
	out->knot = ft_calloc(out->n, sizeof *out->knot);
	out->gap_error = ft_calloc(out->n, sizeof *out->gap_error);
	if (!out->knot || !out->gap_error)
		return ft_nomem(err);
	if (!get_fields(body, model_fields, N_MODEL_FIELDS, out) || !get_knots(knots, gaps, out))
		return ft__damaged(store, "a model cannot be read", err);
	return FT_OK;
}

/* As FT__GET_MODEL has the columns. FT_EEND: a model of another form. */
static enum ft_status read_record(struct ft_store *store, sqlite3_stmt *stmt, struct ft_model_record *out,
				  struct ft_err *err)
{
	const char *method = (const void *)sqlite3_column_text(stmt, 0);
	const char *stop = (const void *)sqlite3_column_text(stmt, 1);
	enum ft_status status;
	json_t *body;
	size_t i = 0;

	if (!method || !stop)
		return ft_nomem(err);
	while (i < sizeof stops / sizeof *stops && strcmp(stops[i], stop) != 0)
		i++;
	if (i == sizeof stops / sizeof *stops)
		return ft__damaged(store, "a model has stopped for an unknown reason", err);
	out->stop = (enum ft_stop)i;
	out->made_ns = sqlite3_column_int64(stmt, 2);
	out->last_run = sqlite3_column_int64(stmt, 3);
	(void)snprintf(out->method, sizeof out->method, "%s", method);
	if ((status = ft__json_parse(store, (const void *)sqlite3_column_text(stmt, 4), &body, err)))
		return status;
	if (json_integer_value(json_object_get(body, "format")) == FORMAT)
		status = get_body(store, body, &out->model, err);
	else
		status = FT_EEND;
	json_decref(body);
	return status;
}

enum ft_status ft_store_get_model(struct ft_store *store, int64_t program, int64_t machine,
				  const char *resource, const struct ft_size *fixed,
				  struct ft_model_record *out, struct ft_err *err)
{
	char *text;
	sqlite3_stmt *stmt = NULL;
	enum ft_status status = ft__size_text(fixed, &text, err);

	*out = (struct ft_model_record){.fixed = *fixed};
	(void)snprintf(out->resource, sizeof out->resource, "%s", resource);
	if (!status)
		status = ft__query(
			store, FT__GET_MODEL,
			FT__VALUES(ft__int(program), ft__int(machine), ft__text(resource), ft__text(text)),
			&stmt, err);
	if (!status && !(status = ft__row(store, stmt, err)))
		status = read_record(store, stmt, out, err);
	(void)sqlite3_reset(stmt);
	ft_free(text);
	if (status == FT_EEND)
		status = ft_fail(err, FT_ENOENT, "the store '%s' has no model of '%s' there", store->path,
				 resource);
	if (status)
		ft_model_record_clear(out);
	return status;
}

void ft_model_record_clear(struct ft_model_record *record)
{
	if (!record)
		return;
	ft_model_clear(&record->model);
	*record = (struct ft_model_record){0};
}
