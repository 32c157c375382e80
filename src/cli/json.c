/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.c - what --json prints. Jansson prints 0.1 as 0.10000000000000001; the printer here keeps numbers
 * short. */
#include "cli/common.h"
#include "cli/output.h"
#include "foretime/units.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static json_t *checked(json_t *value)
{
	if (!value) {
		(void)cli_fail("out of memory");
		exit(CLI_WRONG);
	}
	return value;
}

json_t *cli_json_object(void)
{
	return checked(json_object());
}

json_t *cli_json_array(void)
{
	return checked(json_array());
}

/* The schemas in which a key changed its meaning. */
static const struct {
	const char *command;
	int version;
} changed[] = {
	{"load", 2}, /* the load is what others want, and may be above the number of processors */
	/* how well the typical run is known, and how single runs scatter, in place of one stated error;
	 * `rough` is of the shape alone; `change` was `drift` */
	{"build", 2},
	{"predict", 2},
	{"show", 2},
	{"plot", 2},   /* runs are single ones; over one parameter or two */
	{"verify", 2}, /* all sizes together; against an old program */
};

static int version_of(const char *command)
{
	size_t i;

	for (i = 0; i < sizeof changed / sizeof *changed; i++)
		if (!strcmp(changed[i].command, command))
			return changed[i].version;
	return 1;
}

json_t *cli_json_new(const char *command)
{
	json_t *object = cli_json_object();
	char *schema = cli_printed("foretime-%s-%d", command, version_of(command));

	cli_json_set(object, "schema", cli_json_text(schema));
	free(schema);
	return object;
}

void cli_json_set(json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value))
		(void)checked(NULL);
}

void cli_json_append(json_t *array, json_t *value)
{
	if (json_array_append_new(array, value))
		(void)checked(NULL);
}

json_t *cli_json_number(double value)
{
	if (!isfinite(value))
		return json_null();
	if (value == floor(value) && fabs(value) < 9007199254740992.0)
		return checked(json_integer((json_int_t)value));
	return checked(json_real(value));
}

/* How many bytes the UTF-8 character at text takes, as jansson judges; 0: it is none. */
static size_t utf8_length(const char *text)
{
	size_t length, most = strnlen(text, 4);

	for (length = 1; length <= most; length++) {
		json_t *character = json_stringn(text, length);

		json_decref(character);
		if (character)
			return length;
	}
	return 0;
}

json_t *cli_json_numbers(const double *value, size_t n)
{
	json_t *array = cli_json_array();
	size_t i;

	for (i = 0; i < n; i++)
		cli_json_append(array, cli_json_number(value[i]));
	return array;
}

json_t *cli_json_text(const char *text)
{
	json_t *value;
	char *copy;
	size_t n = 0;

	if (!text)
		return json_null();
	value = json_string(text);
	if (value)
		return value;
	copy = cli_alloc(strlen(text) + 1);
	while (*text) {
		size_t length = utf8_length(text);

		memcpy(copy + n, text, length);
		n += length;
		text += length ? length : 1;
	}
	value = json_string(copy);
	free(copy);
	return value ? value : json_null();
}

json_t *cli_json_bool(bool value)
{
	return json_boolean(value);
}

json_t *cli_json_time(long long ns)
{
	time_t seconds = (time_t)(ns / 1000000000);
	struct tm parts;
	char text[32];

	if (!ns || !gmtime_r(&seconds, &parts) || !strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts))
		return json_null();
	return cli_json_text(text);
}

/* ---- printing ----------------------------------------------------------------------------------------- */

static void print_value(const json_t *value, int depth, FILE *file);

static void print_string(const char *text, FILE *file)
{
	json_t *value = checked(json_string(text));
	char *quoted = json_dumps(value, JSON_ENCODE_ANY);

	fputs(quoted ? quoted : "null", file);
	free(quoted);
	json_decref(value);
}

static void print_break(int depth, FILE *file)
{
	fprintf(file, "\n%*s", 2 * depth, "");
}

static void print_object(const json_t *value, int depth, FILE *file)
{
	const char *key;
	json_t *member, *object = json_incref((json_t *)(uintptr_t)value);
	bool first = true;

	fputc('{', file);
	json_object_foreach(object, key, member)
	{
		fputs(first ? "" : ",", file);
		first = false;
		print_break(depth + 1, file);
		print_string(key, file);
		fputs(": ", file);
		print_value(member, depth + 1, file);
	}
	if (!first)
		print_break(depth, file);
	fputc('}', file);
	json_decref(object);
}

static void print_array(const json_t *value, int depth, FILE *file)
{
	size_t i, n = json_array_size(value);

	fputc('[', file);
	for (i = 0; i < n; i++) {
		fputs(i ? "," : "", file);
		print_break(depth + 1, file);
		print_value(json_array_get(value, i), depth + 1, file);
	}
	if (n)
		print_break(depth, file);
	fputc(']', file);
}

static void print_value(const json_t *value, int depth, FILE *file)
{
	char digits[FT_NUMBER_LENGTH];

	switch (json_typeof(value)) {
	case JSON_OBJECT:
		print_object(value, depth, file);
		break;
	case JSON_ARRAY:
		print_array(value, depth, file);
		break;
	case JSON_STRING:
		print_string(json_string_value(value), file);
		break;
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
}

void cli_json_print(json_t *value, FILE *file)
{
	print_value(value, 0, file);
	fputc('\n', file);
	json_decref(value);
}
