/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schema.c - makes the JSON Schema of rows. */
#include "tell/tell.h"

#include <string.h>

/* Failures leave `failed`; what is handed on after one may be NULL. */
struct schema {
	json_t *defs;
	bool failed;
};

static void put_value(struct schema *schema, json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value))
		schema->failed = true;
}

static void append_value(struct schema *schema, json_t *array, json_t *value)
{
	if (json_array_append_new(array, value))
		schema->failed = true;
}

static json_t *of_record(struct schema *schema, const struct ft_tell_record *record);
static json_t *of_rows(struct schema *schema, const struct ft_tell_record *record,
		       const struct ft_tell_row *row);
static json_t *of_row(struct schema *schema, const struct ft_tell_row *row);

static const char *type_of(const struct ft_tell_row *row)
{
	switch (row->kind) {
	case FT_TELL_NUMBER:
	case FT_TELL_GOT:
		return row->whole ? "integer" : "number";
	case FT_TELL_COUNT:
	case FT_TELL_INT:
	case FT_TELL_LONG:
		return "integer";
	case FT_TELL_BOOL:
		return "boolean";
	case FT_TELL_LIST:
	case FT_TELL_ARRAY:
	case FT_TELL_DONE:
		return "array";
	case FT_TELL_MAP:
	case FT_TELL_SIZE:
		return "object";
	default:
		return "string";
	}
}

/* "a|b|c" as an array of them, and null. */
static json_t *of_words(struct schema *schema, const char *words, bool null)
{
	json_t *array = json_array();

	while (*words) {
		size_t length = strcspn(words, "|");

		append_value(schema, array, json_stringn(words, length));
		words += length + (words[length] == '|');
	}
	if (null)
		append_value(schema, array, json_null());
	return array;
}

static json_t *reference_to(struct schema *schema, const char *name)
{
	json_t *object = json_object();

	put_value(schema, object, "$ref", json_sprintf("#/$defs/%s", name));
	return object;
}

static json_t *either_null(struct schema *schema, json_t *other)
{
	json_t *object = json_object(), *any = json_array(), *null = json_object();

	append_value(schema, any, other);
	put_value(schema, null, "type", json_string("null"));
	append_value(schema, any, null);
	put_value(schema, object, "anyOf", any);
	return object;
}

static void put_type(struct schema *schema, json_t *object, const char *type, bool null)
{
	if (!null) {
		put_value(schema, object, "type", json_string(type));
		return;
	}
	json_t *both = json_array();
	append_value(schema, both, json_string(type));
	append_value(schema, both, json_string("null"));
	put_value(schema, object, "type", both);
}

/* An item, or a list of them. */
static json_t *of_deep(struct schema *schema, const struct ft_tell_row *row)
{
	json_t *object = json_object(), *any = json_array(), *list = json_object();

	put_value(schema, list, "type", json_string("array"));
	put_value(schema, list, "items", of_record(schema, row->of));
	append_value(schema, any, of_record(schema, row->of));
	append_value(schema, any, list);
	put_value(schema, object, "anyOf", any);
	return object;
}

/* The schema of the values of a map. */
static json_t *of_mapped(struct schema *schema, const struct ft_tell_record *record)
{
	const struct ft_tell_row *row = record->row + 1;

	return row->key && !*row->key ? of_row(schema, row) : of_rows(schema, record, row);
}

static json_t *of_value(struct schema *schema, const struct ft_tell_row *row)
{
	json_t *object = json_object(), *number;

	if (row->words) {
		put_value(schema, object, "enum", of_words(schema, row->words, row->null));
		return object;
	}
	put_type(schema, object, type_of(row), row->null);
	if (row->kind == FT_TELL_LIST || row->kind == FT_TELL_ARRAY || row->kind == FT_TELL_DONE)
		put_value(schema, object, "items",
			  row->deep ? of_deep(schema, row) : of_record(schema, row->of));
	if (row->kind == FT_TELL_MAP)
		put_value(schema, object, "additionalProperties", of_mapped(schema, row->of));
	if (row->kind == FT_TELL_SIZE) {
		number = json_object();
		put_value(schema, number, "type", json_string("number"));
		put_value(schema, object, "additionalProperties", number);
	}
	return object;
}

static json_t *of_row(struct schema *schema, const struct ft_tell_row *row)
{
	bool record = row->kind == FT_TELL_RECORD || row->kind == FT_TELL_POINTER;
	json_t *object = record ? of_record(schema, row->of) : of_value(schema, row);

	if (record && row->null)
		object = either_null(schema, object);
	/* Its meaning, and the meaning of null and of absence. */
	const char *about = row->about ? row->about : "", *null = row->null ? row->null : "";
	const char *absent = row->absent ? row->absent : "";
	const char *second = *about && *null ? "; " : "", *third = (*about || *null) && *absent ? "; " : "";

	if (*about || *null || *absent)
		put_value(schema, object, "description",
			  json_sprintf("%s%s%s%s%s%s%s", about, second, *null ? "null: " : "", null, third,
				       *absent ? "absent: " : "", absent));
	return object;
}

/* Add rows to properties and required (NULL: none); returns whether there is a member for each parameter. */
static bool put_rows(struct schema *schema, const struct ft_tell_row *row, json_t *properties,
		     json_t *required)
{
	bool params = false;

	for (; row->kind; row++) {
		if (row->kind == FT_TELL_ROWS || row->kind == FT_TELL_PERHAPS) {
			params |= put_rows(schema, row->of->row, properties,
					   row->kind == FT_TELL_ROWS ? required : NULL);
		} else if (row->kind == FT_TELL_SIZE && !row->key && !row->head) {
			params = true;
		} else if (row->key) {
			put_value(schema, properties, row->key, of_row(schema, row));
			if (required && !row->absent)
				append_value(schema, required, json_string(row->key));
		}
	}
	return params;
}

static void put_constant(struct schema *schema, json_t *properties, json_t *required, const char *key,
			 json_t *value)
{
	json_t *constant = json_object();

	put_value(schema, constant, "const", value);
	put_value(schema, properties, key, constant);
	append_value(schema, required, json_string(key));
}

/* The rows from `row` on. */
static json_t *of_rows(struct schema *schema, const struct ft_tell_record *record,
		       const struct ft_tell_row *row)
{
	json_t *object = json_object(), *properties = json_object(), *required = json_array(), *number;

	put_value(schema, object, "type", json_string("object"));
	if (record->about)
		put_value(schema, object, "description", json_string(record->about));
	put_value(schema, object, "required", json_incref(required)); /* filled below */
	put_value(schema, object, "properties", json_incref(properties));
	if (record->version)
		put_constant(schema, properties, required, "schema",
			     json_sprintf("foretime-%s-%d", record->name, record->version));
	if (record->action)
		put_constant(schema, properties, required, "action", json_string(record->action));
	if (put_rows(schema, row, properties, required)) {
		number = json_object();
		put_value(schema, number, "type", json_string("number"));
		put_value(schema, number, "description", json_string("a member for each parameter"));
		put_value(schema, object, "additionalProperties", number);
	} else {
		put_value(schema, object, "additionalProperties", json_false());
	}
	json_decref(required);
	json_decref(properties);
	return object;
}

/* A record where it is used: one with a name stands once among the definitions. */
static json_t *of_record(struct schema *schema, const struct ft_tell_record *record)
{
	bool bare = record->row->key && !*record->row->key;

	if (!record->name)
		return bare ? of_row(schema, record->row) : of_rows(schema, record, record->row);
	if (!json_object_get(schema->defs, record->name))
		put_value(schema, schema->defs, record->name, of_rows(schema, record, record->row));
	return reference_to(schema, record->name);
}

json_t *ft_tell_schema(const struct ft_tell_record *const *answer, size_t n)
{
	struct schema schema = {.defs = json_object()};
	json_t *object = json_object(), *only;

	put_value(&schema, object, "$schema", json_string("https://json-schema.org/draft/2020-12/schema"));
	put_value(&schema, object, "title",
		  json_sprintf("what foretime %s --json prints",
			       answer[0]->typed ? answer[0]->typed : answer[0]->name));
	if (n > 1) {
		json_t *any = json_array();

		for (size_t i = 0; i < n; i++) {
			put_value(&schema, schema.defs, answer[i]->action,
				  of_rows(&schema, answer[i], answer[i]->row));
			append_value(&schema, any, reference_to(&schema, answer[i]->action));
		}
		put_value(&schema, object, "anyOf", any);
	} else {
		only = of_rows(&schema, answer[0], answer[0]->row);
		schema.failed |= !only || json_object_update(object, only);
		json_decref(only);
	}
	if (json_object_size(schema.defs))
		put_value(&schema, object, "$defs", json_incref(schema.defs));
	json_decref(schema.defs);
	if (!schema.failed)
		return object;
	json_decref(object);
	return NULL;
}
