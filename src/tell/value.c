/* SPDX-License-Identifier: GPL-3.0-or-later */
/* value.c - single values as JSON, and JSON printed: jansson prints 0.1 as 0.10000000000000001. */
#include "base/alloc.h"
#include "base/utf8.h"
#include "foretime/units.h"
#include "tell/tell.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char *ft_tell_word(const struct ft_tell_row *row, const void *at)
{
	const struct ft_resource *resource;

	switch (row->kind) {
	case FT_TELL_TEXT:
		return *(const char *const *)at;
	case FT_TELL_CHARS:
		return at;
	case FT_TELL_RESOURCE:
	case FT_TELL_UNIT:
		resource = *(const struct ft_resource *const *)at;
		return !resource ? NULL : row->kind == FT_TELL_UNIT ? resource->unit : resource->name;
	case FT_TELL_SAID:
		return row->say(at);
	case FT_TELL_WORD:
		return row->word(*(const unsigned *)at);
	default:
		return NULL;
	}
}

json_t *ft_tell_number(double value)
{
	if (!isfinite(value))
		return json_null();
	if (value == floor(value) && fabs(value) < 9007199254740992.0)
		return json_integer((json_int_t)value);
	return json_real(value);
}

json_t *ft_tell_text(const char *text)
{
	size_t n = 0;

	if (!text)
		return json_null();
	char *copy = ft_malloc(strlen(text) + 1);
	if (!copy)
		return NULL;
	while (*text) {
		size_t length = ft__utf8_length(text, SIZE_MAX);

		memcpy(copy + n, text, length);
		n += length;
		text += length ? length : 1;
	}
	json_t *value = json_stringn_nocheck(copy, n);
	ft_free(copy);
	return value;
}

json_t *ft_tell_time(int64_t ns)
{
	time_t seconds = (time_t)(ns / 1000000000);
	struct tm parts;
	char text[32];

	if (!ns || !gmtime_r(&seconds, &parts) || !strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts))
		return json_null();
	return json_string(text);
}

/* ---- printing ----------------------------------------------------------------------------------------- */

static bool print_value(const json_t *value, int depth, FILE *file);

static bool print_string(const char *text, FILE *file)
{
	json_t *value = json_string(text);
	char *quoted = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
	bool good = quoted;

	fputs(good ? quoted : "null", file);
	free(quoted);
	json_decref(value);
	return good;
}

static void print_break(int depth, FILE *file)
{
	fprintf(file, "\n%*s", 2 * depth, "");
}

static bool print_object(const json_t *value, int depth, FILE *file)
{
	const char *key;
	json_t *member, *object = json_incref((json_t *)(uintptr_t)value); /* walking takes no const */
	bool first = true, good = true;

	fputc('{', file);
	json_object_foreach(object, key, member)
	{
		fputs(first ? "" : ",", file);
		first = false;
		print_break(depth + 1, file);
		good &= print_string(key, file);
		fputs(": ", file);
		good &= print_value(member, depth + 1, file);
	}
	if (!first)
		print_break(depth, file);
	fputc('}', file);
	json_decref(object);
	return good;
}

static bool print_array(const json_t *value, int depth, FILE *file)
{
	size_t i, n = json_array_size(value);
	bool good = true;

	fputc('[', file);
	for (i = 0; i < n; i++) {
		fputs(i ? "," : "", file);
		print_break(depth + 1, file);
		good &= print_value(json_array_get(value, i), depth + 1, file);
	}
	if (n)
		print_break(depth, file);
	fputc(']', file);
	return good;
}

static bool print_value(const json_t *value, int depth, FILE *file)
{
	char digits[FT_NUMBER_LENGTH];

	switch (json_typeof(value)) {
	case JSON_OBJECT:
		return print_object(value, depth, file);
	case JSON_ARRAY:
		return print_array(value, depth, file);
	case JSON_STRING:
		return print_string(json_string_value(value), file);
	case JSON_INTEGER:
		fprintf(file, "%lld", (long long)json_integer_value(value));
		break;
	case JSON_REAL:
		fputs(ft_number_format(json_real_value(value), digits), file);
		break;
	case JSON_TRUE:
	case JSON_FALSE:
		fputs(json_is_true(value) ? "true" : "false", file);
		break;
	case JSON_NULL:
		fputs("null", file);
		break;
	}
	return true;
}

enum ft_status ft_tell_print(const json_t *value, FILE *file)
{
	bool good = print_value(value, 0, file);

	fputc('\n', file);
	return good ? FT_OK : FT_ENOMEM;
}
