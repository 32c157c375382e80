/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.c - a struct as a JSON value, as its rows say. */
#include "tell/tell.h"
#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>

static const struct ft_tell_row texts[] = {{.key = "", .kind = FT_TELL_TEXT}, {0}};
static const struct ft_tell_row numbers[] = {{.key = "", .kind = FT_TELL_NUMBER}, {0}};
const struct ft_tell_record ft_tell_texts = {.bytes = sizeof(char *), .row = texts};
const struct ft_tell_record ft_tell_numbers = {.bytes = sizeof(double), .row = numbers};

static bool set_member(json_t *object, const char *key, json_t *value)
{
	return value && !json_object_set_new(object, key, value);
}

static bool add_rows(json_t *object, const struct ft_tell_record *record, const void *told,
		     const struct ft_tell_with *with);

static bool add_params(json_t *object, const struct ft_size *size, const struct ft_program *program)
{
	for (size_t i = 0; i < size->n && i < program->n_params; i++)
		if (!set_member(object, program->param[i].name, ft_tell_number(size->value[i])))
			return false;
	return true;
}

/* The object, or NULL where it could not be filled. */
static json_t *object_if_filled(json_t *object, bool filled)
{
	if (filled)
		return object;
	json_decref(object);
	return NULL;
}

static json_t *make_integer(const struct ft_tell_row *row, int64_t value)
{
	return row->null && !value ? json_null() : json_integer(value);
}

static json_t *list_rows(const struct ft_tell_row *row, const char *first, size_t n,
			 const struct ft_tell_with *with)
{
	json_t *array = json_array();
	bool good = array;

	for (size_t i = 0; good && i < n; i++) {
		json_t *item = ft_tell_json(row->of, first + i * row->of->bytes, with);

		good = item && !json_array_append_new(array, item);
	}
	return object_if_filled(array, good);
}

/* The first row is the key, and no member. */
static json_t *make_map(const struct ft_tell_row *row, const char *first, size_t n,
			const struct ft_tell_with *with)
{
	const struct ft_tell_row *key = row->of->row;
	const struct ft_tell_record rest = {.row = key + 1};
	json_t *object = json_object();
	bool good = object;

	for (size_t i = 0; good && i < n; i++) {
		const char *item = first + i * row->of->bytes, *at = item + key->offset;

		good = set_member(object, ft_tell_word(key, at), ft_tell_json(&rest, item, with));
	}
	return object_if_filled(object, good);
}

/* What consists of others. */
static json_t *make_compound(const struct ft_tell_row *row, const void *told, const void *at,
			     const struct ft_tell_with *with)
{
	const size_t *n = (const void *)((const char *)told + row->count);
	const void *first =
		row->kind == FT_TELL_LIST || row->kind == FT_TELL_MAP || row->kind == FT_TELL_POINTER
			? *(const void *const *)at
			: at;
	json_t *object;

	if ((!first && (row->null || row->absent)) || (row->kind == FT_TELL_ARRAY && row->null && !*n))
		return json_null();
	switch (row->kind) {
	case FT_TELL_LIST:
	case FT_TELL_ARRAY:
		return list_rows(row, first, *n, with);
	case FT_TELL_MAP:
		return make_map(row, first, *n, with);
	case FT_TELL_SIZE:
		object = json_object();
		return object_if_filled(object, object && add_params(object, at, with->program));
	default:
		return first ? ft_tell_json(row->of, first, with) : json_null();
	}
}

static json_t *value_of_text(char *text, bool null)
{
	json_t *value = text || null ? ft_tell_text(text) : NULL;

	ft_free(text);
	return value;
}

/* What is a text, or consists of others. */
static json_t *words_of(const struct ft_tell_row *row, const void *told, const void *at,
			const struct ft_tell_with *with)
{
	switch (row->kind) {
	case FT_TELL_TEXT:
	case FT_TELL_RESOURCE:
	case FT_TELL_UNIT:
	case FT_TELL_SAID:
	case FT_TELL_WORD:
		return ft_tell_text(ft_tell_word(row, at));
	case FT_TELL_CHARS:
		return ft_tell_text(row->null && !*(const char *)at ? NULL : at);
	case FT_TELL_MADE:
		return value_of_text(row->cell(told, with), row->null);
	case FT_TELL_TIME:
		return ft_tell_time(*(const int64_t *)at);
	default:
		return make_compound(row, told, at, with);
	}
}

static json_t *value_of(const struct ft_tell_row *row, const void *told, const struct ft_tell_with *with)
{
	const void *at = (const char *)told + row->offset;
	json_t *done;

	switch (row->kind) {
	case FT_TELL_NUMBER:
		return ft_tell_number(*(const double *)at);
	case FT_TELL_GOT:
		return ft_tell_number(row->get(at));
	case FT_TELL_COUNT:
		return make_integer(row, (int64_t) * (const size_t *)at);
	case FT_TELL_INT:
		return make_integer(row, *(const int *)at);
	case FT_TELL_LONG:
		return make_integer(row, *(const int64_t *)at);
	case FT_TELL_BOOL:
		return json_boolean(*(const bool *)at);
	case FT_TELL_DONE:
		done = *(json_t *const *)at;
		return done ? json_incref(done) : json_null();
	default:
		return words_of(row, told, at, with);
	}
}

static bool add_row(json_t *object, const struct ft_tell_row *row, const void *told,
		    const struct ft_tell_with *with)
{
	const char *at = (const char *)told + row->offset;

	if (row->kind == FT_TELL_ROWS)
		return add_rows(object, row->of, at, with);
	if (row->kind == FT_TELL_PERHAPS)
		return !*(const void *const *)(const void *)at ||
		       add_rows(object, row->of, *(const void *const *)(const void *)at, with);
	if (row->kind == FT_TELL_SIZE && !row->key && !row->head)
		return add_params(object, (const void *)at, with->program);
	if (!row->key)
		return true;
	json_t *value = value_of(row, told, with);
	return (row->absent && json_is_null(value)) || set_member(object, row->key, value);
}

static bool add_rows(json_t *object, const struct ft_tell_record *record, const void *told,
		     const struct ft_tell_with *with)
{
	const struct ft_tell_row *row = record->row;
	struct ft_tell_with own = {0};

	if (row->kind == FT_TELL_PROGRAM) {
		own.program =
			*(const struct ft_program *const *)(const void *)((const char *)told + row->offset);
		with = &own;
		row++;
	}
	for (; row->kind; row++)
		if (!add_row(object, row, told, with))
			return false;
	return true;
}

static bool add_head(json_t *object, const struct ft_tell_record *record)
{
	return !record->version ||
	       (set_member(object, "schema", json_sprintf("foretime-%s-%d", record->name, record->version)) &&
		(!record->action || set_member(object, "action", json_string(record->action))));
}

json_t *ft_tell_json(const struct ft_tell_record *record, const void *told, const struct ft_tell_with *with)
{
	if (record->there && !record->there(told))
		return json_null();
	if (record->row->key && !*record->row->key)
		return value_of(record->row, told, with);
	json_t *object = json_object();
	return object_if_filled(object,
				object && add_head(object, record) && add_rows(object, record, told, with));
}
