/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check-schema.c - whether standard input is one JSON object that a schema of doc/schema describes.
 *
 * usage: check-schema COMMAND < what `foretime COMMAND --json` printed
 *
 * Knows the few words of JSON Schema that those files use: type, const, enum, anyOf, required, properties,
 * items, additionalProperties (false, or a schema), and $ref into "#/$defs/". Any other word is refused, so
 * that nothing goes unchecked.
 */
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const json_t *root;
static bool quiet; /* while one of several is looked for */

static bool is_of_type(const json_t *value, const char *type)
{
	switch (json_typeof(value)) {
	case JSON_OBJECT:
		return !strcmp(type, "object");
	case JSON_ARRAY:
		return !strcmp(type, "array");
	case JSON_STRING:
		return !strcmp(type, "string");
	case JSON_INTEGER:
		return !strcmp(type, "integer") || !strcmp(type, "number");
	case JSON_REAL:
		return !strcmp(type, "number");
	case JSON_TRUE:
	case JSON_FALSE:
		return !strcmp(type, "boolean");
	case JSON_NULL:
		return !strcmp(type, "null");
	}
	return false;
}

static bool fails(const char *path, const char *why, const char *what)
{
	if (!quiet)
		printf("%s: %s%s\n", path, why, what);
	return false;
}

static bool check(const json_t *schema, const json_t *value, const char *path);

static bool check_type(const json_t *type, const json_t *value, const char *path)
{
	if (json_is_string(type))
		return is_of_type(value, json_string_value(type)) ||
		       fails(path, "is no ", json_string_value(type));
	for (size_t i = 0; i < json_array_size(type); i++)
		if (is_of_type(value, json_string_value(json_array_get(type, i))))
			return true;
	return fails(path, "is of none of the types", "");
}

static bool check_enum(const json_t *values, const json_t *value, const char *path)
{
	for (size_t i = 0; i < json_array_size(values); i++)
		if (json_equal(json_array_get(values, i), value))
			return true;
	return fails(path, "is none of the values", "");
}

static bool check_required(const json_t *names, const json_t *value, const char *path)
{
	bool good = true;

	for (size_t i = 0; i < json_array_size(names); i++)
		if (!json_object_get(value, json_string_value(json_array_get(names, i))))
			good = fails(path, "lacks ", json_string_value(json_array_get(names, i)));
	return good;
}

static bool check_members(const json_t *schema, const json_t *value, const char *path)
{
	const json_t *properties = json_object_get(schema, "properties");
	const json_t *others = json_object_get(schema, "additionalProperties");
	const char *key;
	json_t *member, *copy = json_copy((json_t *)(uintptr_t)value); /* walking takes no const */
	bool good = true;

	json_object_foreach(copy, key, member)
	{
		const json_t *known = json_object_get(properties, key);
		char at[512];

		(void)snprintf(at, sizeof at, "%s.%s", path, key);
		if (known)
			good &= check(known, member, at);
		else if (json_is_false(others))
			good = fails(at, "is not described", "");
		else if (json_is_object(others))
			good &= check(others, member, at);
	}
	json_decref(copy);
	return good;
}

static bool check_items(const json_t *items, const json_t *value, const char *path)
{
	bool good = true;

	for (size_t i = 0; i < json_array_size(value); i++) {
		char at[512];

		(void)snprintf(at, sizeof at, "%s[%zu]", path, i);
		good &= check(items, json_array_get(value, i), at);
	}
	return good;
}

/* Where it is none of them, each says why. */
static bool check_any(const json_t *schemas, const json_t *value, const char *path)
{
	bool found = false, was_quiet = quiet;

	quiet = true;
	for (size_t i = 0; i < json_array_size(schemas) && !found; i++)
		found = check(json_array_get(schemas, i), value, path);
	quiet = was_quiet;
	if (found)
		return true;
	for (size_t i = 0; i < json_array_size(schemas); i++)
		(void)check(json_array_get(schemas, i), value, path);
	return fails(path, "is none of these", "");
}

static bool check_word(const json_t *schema, const char *word, const json_t *argument, const json_t *value,
		       const char *path)
{
	static const char *const passed[] = {"$schema", "$id", "$defs", "title", "description"};

	if (!strcmp(word, "type"))
		return check_type(argument, value, path);
	if (!strcmp(word, "const"))
		return json_equal(argument, value) || fails(path, "is not ", json_string_value(argument));
	if (!strcmp(word, "anyOf"))
		return check_any(argument, value, path);
	if (!strcmp(word, "enum"))
		return check_enum(argument, value, path);
	if (!strcmp(word, "required"))
		return !json_is_object(value) || check_required(argument, value, path);
	if (!strcmp(word, "properties")) /* with additionalProperties */
		return !json_is_object(value) || check_members(schema, value, path);
	if (!strcmp(word, "additionalProperties"))
		return json_object_get(schema, "properties") || !json_is_object(value) ||
		       check_members(schema, value, path);
	if (!strcmp(word, "items"))
		return !json_is_array(value) || check_items(argument, value, path);
	if (!strcmp(word, "$ref"))
		return check(json_object_get(json_object_get(root, "$defs"),
					     json_string_value(argument) + strlen("#/$defs/")),
			     value, path);
	for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
		if (!strcmp(word, passed[i]))
			return true;
	return fails(path, "the schema uses a word that is not known here: ", word);
}

static bool check(const json_t *schema, const json_t *value, const char *path)
{
	const char *word;
	json_t *argument, *words = json_copy((json_t *)(uintptr_t)schema);
	bool good = true;

	if (!json_is_object(words))
		return fails(path, "the schema is broken here", "");
	json_object_foreach(words, word, argument) good &= check_word(schema, word, argument, value, path);
	json_decref(words);
	return good;
}

int main(int argc, char **argv)
{
	const char *source = getenv("FORETIME_TEST_SOURCE");
	char path[4096];
	json_error_t error;

	if (argc != 2)
		return 2;
	(void)snprintf(path, sizeof path, "%s/doc/schema/%s.json", source ? source : ".", argv[1]);
	json_t *schema = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
	if (!schema) {
		printf("%s: line %d: %s\n", path, error.line, error.text);
		return 2;
	}
	root = schema;
	json_t *value =
		json_loadf(stdin, JSON_REJECT_DUPLICATES, &error); /* refuses anything behind the object */
	if (!value) {
		printf("standard input is not one JSON object: line %d: %s\n", error.line, error.text);
		return 2;
	}
	bool good = check(schema, value, "$");
	json_decref(schema);
	json_decref(value);
	return good ? 0 : 1;
}
