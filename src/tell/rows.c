/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rows.c - prints structs as JSON and as lines of a table, by their rows. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/number.h"
#include "base/text.h"
#include "foretime/base.h"
#include "tell/tell.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/*
 * Single values as JSON, and JSON printed: jansson prints 0.1 as 0.10000000000000001.
 */

/* ft_tell_word - the text of a member of kind TEXT, CHARS, RESOURCE, UNIT, SAID or WORD; NULL: another
   kind. */
static const char *ft_tell_word(const struct ft_tell_row *row, const void *at)
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

static json_t *ft_tell_time(int64_t ns)
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

/*
 * A struct as a JSON value, by its rows.
 */

static const struct ft_tell_row texts[] = {{.key = "", .kind = FT_TELL_TEXT}, {0}};
static const struct ft_tell_row numbers[] = {{.key = "", .kind = FT_TELL_NUMBER}, {0}};
const struct ft_tell_record ft_tell_texts = {.bytes = sizeof(char *), .row = texts};
const struct ft_tell_record ft_tell_numbers = {.bytes = sizeof(double), .row = numbers};

static bool set_member(json_t *object, const char *key, json_t *value)
{
	return value && !json_object_set_new(object, key, value);
}

static bool add_rows(json_t *object, const struct ft_tell_record *record, const void *answer,
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

/* A member with members. */
static json_t *make_compound(const struct ft_tell_row *row, const void *answer, const void *at,
			     const struct ft_tell_with *with)
{
	const size_t *n = (const void *)((const char *)answer + row->count);
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

/* A text, or a member with members. */
static json_t *words_of(const struct ft_tell_row *row, const void *answer, const void *at,
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
		return value_of_text(row->cell(answer, with), row->null);
	case FT_TELL_TIME:
		return ft_tell_time(*(const int64_t *)at);
	default:
		return make_compound(row, answer, at, with);
	}
}

static json_t *value_of(const struct ft_tell_row *row, const void *answer, const struct ft_tell_with *with)
{
	const void *at = (const char *)answer + row->offset;
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
		return words_of(row, answer, at, with);
	}
}

static bool add_row(json_t *object, const struct ft_tell_row *row, const void *answer,
		    const struct ft_tell_with *with)
{
	const char *at = (const char *)answer + row->offset;

	if (row->kind == FT_TELL_ROWS)
		return add_rows(object, row->of, at, with);
	if (row->kind == FT_TELL_PERHAPS)
		return !*(const void *const *)(const void *)at ||
		       add_rows(object, row->of, *(const void *const *)(const void *)at, with);
	if (row->kind == FT_TELL_SIZE && !row->key && !row->head)
		return add_params(object, (const void *)at, with->program);
	if (!row->key)
		return true;
	json_t *value = value_of(row, answer, with);
	return (row->absent && json_is_null(value)) || set_member(object, row->key, value);
}

static bool add_rows(json_t *object, const struct ft_tell_record *record, const void *answer,
		     const struct ft_tell_with *with)
{
	const struct ft_tell_row *row = record->row;
	struct ft_tell_with own = {0};

	if (row->kind == FT_TELL_PROGRAM) {
		own.program =
			*(const struct ft_program *const *)(const void *)((const char *)answer + row->offset);
		with = &own;
		row++;
	}
	for (; row->kind; row++)
		if (!add_row(object, row, answer, with))
			return false;
	return true;
}

static bool add_head(json_t *object, const struct ft_tell_record *record)
{
	return !record->version ||
	       (set_member(object, "schema", json_sprintf("foretime-%s-%d", record->name, record->version)) &&
		(!record->action || set_member(object, "action", json_string(record->action))));
}

json_t *ft_tell_json(const struct ft_tell_record *record, const void *answer, const struct ft_tell_with *with)
{
	if (record->there && !record->there(answer))
		return json_null();
	if (record->row->key && !*record->row->key)
		return value_of(record->row, answer, with);
	json_t *object = json_object();
	return object_if_filled(object,
				object && add_head(object, record) && add_rows(object, record, answer, with));
}

/*
 * Prints structs as JSON and as lines of a table, by their rows.
 */

static bool is_absent(const struct ft_tell_row *row, const void *answer)
{
	const char *at = answer;

	if (!row->absent || !answer)
		return false;
	at += row->offset;
	if (row->kind == FT_TELL_NUMBER)
		return isnan(*(const double *)(const void *)at);
	return (row->kind == FT_TELL_TEXT || row->kind == FT_TELL_RESOURCE || row->kind == FT_TELL_UNIT) &&
	       !ft_tell_word(row, at);
}

static size_t add_columns(const struct ft_tell_record *record, size_t offset, const void *first,
			  const struct ft_tell_with *with, bool csv,
			  struct ft_tell_column column[FT_TELL_COLUMNS], size_t n)
{
	const struct ft_tell_row *row;

	for (row = record->row; row->kind && n < FT_TELL_COLUMNS; row++) {
		bool one = csv ? row->csv && !is_absent(row, first)
			       : row->head && (!row->detail || !with || with->verbose);
		size_t times = row->kind == FT_TELL_SIZE && !row->key ? with->program->n_params : one;

		if (row->kind == FT_TELL_ROWS)
			n = add_columns(row->of, offset + row->offset,
					first ? (const char *)first + row->offset : NULL, with, csv, column,
					n);
		for (size_t i = 0; row->kind != FT_TELL_ROWS && i < times && n < FT_TELL_COLUMNS; i++)
			column[n++] = (struct ft_tell_column){row, offset, i};
	}
	return n;
}

size_t ft_tell_columns(const struct ft_tell_record *record, const void *first,
		       const struct ft_tell_with *with, bool csv,
		       struct ft_tell_column column[FT_TELL_COLUMNS])
{
	return add_columns(record, 0, first, with, csv, column, 0);
}

char *ft_tell_head(const struct ft_tell_column *column, const struct ft_tell_with *with)
{
	const char *head = column->row->head;
	struct ft_text text = {0};

	if (column->row->kind == FT_TELL_SIZE) {
		ft_text_add(&text, ">%s", with->program->param[column->param].name);
		return ft_text_take(&text);
	}
	const char *runs = strstr(head, "%s");
	if (runs)
		ft_text_add(&text, "%.*s%s%s", (int)(runs - head), head, with->runs, runs + 2);
	else
		ft_text_add(&text, "%s", head);
	return ft_text_take(&text);
}

/* ---- cells -------------------------------------------------------------------------------------------- */

char *ft_tell_within(double share, char buffer[FT_TELL_WITHIN])
{
	if (isnan(share))
		(void)snprintf(buffer, FT_TELL_WITHIN, "-");
	else if (share > 10)
		(void)snprintf(buffer, FT_TELL_WITHIN, "over 1000 %%");
	else
		(void)snprintf(buffer, FT_TELL_WITHIN, share < 0.995 ? "%.2g %%" : "%.0f %%", 100 * share);
	return buffer;
}

char *ft_tell_far(double distance, char buffer[FT_TELL_FAR])
{
	if (distance > 1000)
		(void)snprintf(buffer, FT_TELL_FAR, "over 1000x");
	else
		(void)snprintf(buffer, FT_TELL_FAR, distance < 99.95 ? "%.3gx" : "%.0fx", distance);
	return buffer;
}

char *ft_tell_age(int64_t ns, char buffer[FT_TELL_AGE])
{
	double age_s = 1e-9 * (double)(ft_clock_real_ns() - ns);
	char value[FT_UNIT_LENGTH];

	if (!ns)
		(void)snprintf(buffer, FT_TELL_AGE, "at an unknown time");
	else if (age_s >= 2 * 86400.0)
		(void)snprintf(buffer, FT_TELL_AGE, "%.0f days ago", age_s / 86400);
	else if (age_s < 1)
		(void)snprintf(buffer, FT_TELL_AGE, "just now");
	else if (age_s < 60) /* "5.00 s" would claim hundredths */
		(void)snprintf(buffer, FT_TELL_AGE, "%.0f s ago", floor(age_s));
	else
		(void)snprintf(buffer, FT_TELL_AGE, "%s ago", ft_value_format(floor(age_s), "s", value));
	return buffer;
}

/* The text of a member "unit"; that of all values where there is none. */
static const char *unit_of(const struct ft_tell_record *record, const void *answer,
			   const struct ft_tell_with *with)
{
	const struct ft_tell_row *row;
	const char *unit = NULL;

	for (row = record->row; row->kind; row++)
		if (row->key && !strcmp(row->key, "unit"))
			unit = ft_tell_word(row, (const char *)answer + row->offset);
	return unit ? unit : with->unit;
}

static const char *digits_of(double value, const char *how, char buffer[FT_UNIT_LENGTH])
{
	ft__double_print(buffer, FT_UNIT_LENGTH, how[1] - '0', how[2], value);
	return buffer;
}

static void add_number(struct ft_text *text, double value, const char *unit, const char *none)
{
	char buffer[FT_UNIT_LENGTH];

	if (unit && !strcmp(unit, "+-"))
		ft_text_add(text, "%s", ft_tell_within(value, buffer));
	else if (isnan(value) || (unit && *unit == '.' && isinf(value)))
		ft_text_add(text, "%s", none ? none : "-");
	else if (!unit)
		ft_text_add_number(text, value);
	else if (*unit == '.')
		ft_text_add(text, "%s%s", digits_of(unit[3] ? 100 * value : value, unit, buffer), unit + 3);
	else if (!strcmp(unit, "%"))
		ft_text_add(text, "%s", ft_share_format(value, buffer));
	else
		ft_text_add(text, "%s", ft_value_format(value, unit, buffer));
}

/* The value of a number; false: it is none. */
static bool number_of(const struct ft_tell_row *row, const void *at, double *value)
{
	if (row->kind == FT_TELL_NUMBER)
		*value = *(const double *)at;
	else if (row->kind == FT_TELL_GOT)
		*value = row->get(at);
	else if (row->kind == FT_TELL_COUNT)
		*value = (double)*(const size_t *)at;
	else if (row->kind == FT_TELL_INT)
		*value = *(const int *)at;
	else if (row->kind == FT_TELL_LONG)
		*value = (double)*(const int64_t *)at;
	else
		return false;
	if (row->kind != FT_TELL_NUMBER && row->kind != FT_TELL_GOT && row->null && *value == 0)
		*value = NAN;
	return true;
}

static void add_plain(struct ft_text *text, const struct ft_tell_row *row, const void *at)
{
	const char *shown = "";
	char age[FT_TELL_AGE];

	if (row->kind == FT_TELL_BOOL)
		shown = *(const bool *)at ? "yes" : "no";
	else if (row->kind == FT_TELL_TIME)
		shown = ft_tell_age(*(const int64_t *)at, age);
	else
		shown = ft_tell_word(row, at);
	ft_text_add(text, "%s", shown ? shown : row->none ? row->none : row->null ? "-" : "");
}

char *ft_tell_cell(const struct ft_tell_record *record, const struct ft_tell_column *column,
		   const void *answer, const struct ft_tell_with *with)
{
	const struct ft_tell_row *row = column->row;
	const char *base = (const char *)answer + column->offset;
	const void *at = base + row->offset;
	const char *unit = row->unit && !*row->unit ? unit_of(record, answer, with) : row->unit;
	struct ft_text text = {0};
	double value;

	if (row->cell)
		return row->cell(base, with);
	if (row->kind == FT_TELL_SIZE)
		ft_text_add_number(&text, ((const struct ft_size *)at)->value[column->param]);
	else if (number_of(row, at, &value))
		add_number(&text, value, unit, row->none);
	else
		add_plain(&text, row, at);
	return ft_text_take(&text);
}

/* ---- CSV ---------------------------------------------------------------------------------------------- */

/* Foreign text in quotes if it needs them. */
static void add_quoted(struct ft_text *out, const char *text)
{
	bool bare = !text[strcspn(text, ",\"\r\n")];

	ft_text_add(out, "%s", bare ? "" : "\"");
	for (; *text; text++)
		ft_text_add(out, *text == '"' ? "\"\"" : "%c", *text);
	ft_text_add(out, "%s", bare ? "" : "\"");
}

static void add_field(struct ft_text *out, const struct ft_tell_column *column, const void *answer)
{
	const struct ft_tell_row *row = column->row;
	const void *at = (const char *)answer + column->offset + row->offset;
	struct ft_text text = {0};
	double value = NAN;

	if (row->kind == FT_TELL_SIZE)
		value = ((const struct ft_size *)at)->value[column->param];
	else if (!number_of(row, at, &value))
		add_plain(&text, row, at);
	if (text.s)
		add_quoted(out, text.s);
	else if (!isnan(value))
		ft_text_add_number(out, value);
	out->failed |= text.failed;
	ft_text_clear(&text);
}

enum ft_status ft_tell_csv(FILE *file, const struct ft_tell_record *record, const void *answer, size_t n,
			   const struct ft_tell_with *with, bool head)
{
	struct ft_tell_column column[FT_TELL_COLUMNS];
	size_t columns = ft_tell_columns(record, n ? answer : NULL, with, true, column), i, k;
	struct ft_text out = {0};
	bool failed;

	if (head) {
		for (i = 0; i < columns; i++) {
			bool size = column[i].row->kind == FT_TELL_SIZE;

			ft_text_add(&out, "%s", i ? "," : "");
			add_quoted(&out,
				   size ? with->program->param[column[i].param].name : column[i].row->key);
		}
		ft_text_add(&out, "\n");
	}
	for (i = 0; i < n; i++) {
		for (k = 0; k < columns; k++) {
			ft_text_add(&out, "%s", k ? "," : "");
			add_field(&out, &column[k], (const char *)answer + i * record->bytes);
		}
		ft_text_add(&out, "\n");
	}
	failed = out.failed;
	if (!failed && out.s)
		fputs(out.s, file);
	ft_text_clear(&out);
	return failed ? FT_ENOMEM : FT_OK;
}
