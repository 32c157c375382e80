/* SPDX-License-Identifier: GPL-3.0-or-later */
/* document.c - JSON, element by element: memory for one element beside the text, and a line for each. */
#include "adapt/job.h"
#include "base/alloc.h"
#include "base/text.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* A text being read. */
struct scanner {
	struct ft_import_job *job;
	const char *text, *end, *at;
	size_t line;     /* of at */
	const char *row; /* where that line begins */
	size_t deep;     /* blanks before an element that began its line; SIZE_MAX: none did */
	size_t looked;   /* bytes through which the ends of damaged elements were looked for */
	struct ft_err *err;
};

static void move_to(struct scanner *scanner, const char *to)
{
	for (; scanner->at < to; scanner->at++)
		if (*scanner->at == '\n') {
			scanner->line++;
			scanner->row = scanner->at + 1;
		}
}

static void skip_blanks(struct scanner *scanner)
{
	const char *to = scanner->at;

	while (to < scanner->end && *to && strchr(" \t\r\n", *to))
		to++;
	move_to(scanner, to);
}

static enum ft_status fail_at(const struct scanner *scanner, size_t line, size_t column, const char *what)
{
	(void)ft_fail(scanner->err, FT_EPARSE, "%.200s:%zu: column %zu: %.200s",
		      ft__input_name(scanner->job->input), line, column, what);
	(void)ft_remedy(scanner->err, "this is no complete JSON document; let the tool write it again");
	return FT_EPARSE;
}

static enum ft_status fail_here(const struct scanner *scanner, const char *what)
{
	return fail_at(scanner, scanner->line, (size_t)(scanner->at - scanner->row) + 1, what);
}

/* The value that begins here; the scanner moves behind it. */
static enum ft_status take_value(struct scanner *scanner, json_t **value)
{
	json_error_t error;

	skip_blanks(scanner);
	*value = NULL;
	if (scanner->at == scanner->end)
		return fail_here(scanner, "the document ends here");
	FT_TRY(ft__json_check(ft__input_name(scanner->job->input), scanner->at,
			      (size_t)(scanner->end - scanner->at), FT__READ_MOST, scanner->err));
	*value = json_loadb(scanner->at, (size_t)(scanner->end - scanner->at),
			    JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK | JSON_ALLOW_NUL, &error);
	if (*value) {
		move_to(scanner, scanner->at + error.position);
		return FT_OK;
	}
	if (json_error_code(&error) == json_error_out_of_memory)
		return ft_nomem(scanner->err);
	return fail_at(scanner, scanner->line + (size_t)(error.line > 0 ? error.line : 1) - 1,
		       (error.line <= 1 ? (size_t)(scanner->at - scanner->row) : 0) +
			       (size_t)(error.column > 0 ? error.column : 1),
		       error.text);
}

/* One of some bytes; 0: another one. */
static char take_byte(struct scanner *scanner, const char *accepted)
{
	skip_blanks(scanner);
	if (scanner->at == scanner->end || !*scanner->at || !strchr(accepted, *scanner->at))
		return '\0';
	move_to(scanner, scanner->at + 1);
	return scanner->at[-1];
}

typedef enum ft_status taker(struct ft_import_job *job, const char *name, size_t index, size_t line,
			     struct json_t *value, struct ft_err *err);

/* A value by itself: a member, or an element. */
static enum ft_status hand_over(struct scanner *scanner, taker *take, const char *name, size_t index)
{
	json_t *value;
	size_t line;

	skip_blanks(scanner);
	line = scanner->line;
	FT_TRY(take_value(scanner, &value));
	enum ft_status status = take(scanner->job, name, index, line, value, scanner->err);
	json_decref(value);
	if (status && index != SIZE_MAX) /* what the element says, not how it is written */
		status = ft__job_spare(scanner->job, status, scanner->err);
	return status;
}

/* Where the damaged element at a place ends: behind the bracket that closes its first one, when all brackets
 * between are in pairs and an element may end there; a string ends with its line. NULL: nobody knows. */
static const char *end_of_damaged(const struct scanner *scanner)
{
	char open[64];
	size_t depth = 0;
	bool quoted = false;
	const char *at;

	for (at = scanner->at; at < scanner->end; at++) {
		if (quoted) {
			at += *at == '\\' && at + 1 < scanner->end;
			quoted = *at != '"' && *at != '\n';
		} else if (*at == '"') {
			quoted = true;
		} else if (*at == '{' || *at == '[') {
			if (depth == sizeof open)
				return NULL;
			open[depth++] = *at;
		} else if (*at == '}' || *at == ']') {
			if (!depth || open[--depth] != (*at == '}' ? '{' : '['))
				return NULL;
		}
		if (!depth && !quoted) {
			for (at++; at < scanner->end && strchr(" \t\r\n", *at) && *at; at++)
				;
			return at < scanner->end && (*at == ',' || *at == ']') ? at : NULL;
		}
	}
	return NULL;
}

/* The next line that begins with '{' and no deeper than elements did: where each begins a line, as our tools
 * write them, this is the next element. NULL: there is none. */
static const char *next_element(const struct scanner *scanner)
{
	const char *at = scanner->at;
	size_t depth;

	while ((at = memchr(at, '\n', (size_t)(scanner->end - at)))) {
		for (at++, depth = 0; at + depth < scanner->end && (at[depth] == ' ' || at[depth] == '\t');)
			depth++;
		if (depth <= scanner->deep && at + depth < scanner->end && at[depth] == '{')
			return at + depth;
	}
	return NULL;
}

/* All elements of an array. One that is damaged is left out where it can be seen where the next one begins;
 * else the failure is that of the rest of the document. */
static enum ft_status take_elements(struct scanner *scanner, taker *take, const char *name)
{
	enum {
		LOOKED_MOST = 1 << 30
	}; /* each one whose brackets are in no pairs costs the rest of the text */
	enum ft_status status = FT_OK;
	const char *next;
	size_t index = 0;

	if (take_byte(scanner, "]"))
		return FT_OK;
	for (;;) {
		skip_blanks(scanner);
		const char *before = scanner->at;
		size_t deep = (size_t)(before - scanner->row);
		if (deep < scanner->deep && strspn(scanner->row, " \t") == deep && *before == '{')
			scanner->deep = deep;
		status = hand_over(scanner, take, name, index++);
		if (status == FT_EPARSE && scanner->at == before && (next = end_of_damaged(scanner))) {
			status = ft__job_spare(scanner->job, status, scanner->err);
			move_to(scanner, next);
		}
		if (!status) {
			char byte = take_byte(scanner, ",]");

			if (byte == ']')
				return FT_OK;
			if (byte == ',')
				continue;
			status = fail_here(scanner, "an element ends here, and neither ',' nor ']' follows");
		}
		scanner->looked += (size_t)(scanner->end - scanner->at);
		next = status == FT_EPARSE && scanner->looked < LOOKED_MOST ? next_element(scanner) : NULL;
		if (!next || (status = ft__job_spare(scanner->job, status, scanner->err)))
			return status;
		move_to(scanner, next);
	}
}

static enum ft_status take_member(struct scanner *scanner, const char *array, taker *take)
{
	enum ft_status status = FT_OK;
	json_t *key;

	FT_TRY(take_value(scanner, &key));
	if (!json_is_string(key) || !take_byte(scanner, ":"))
		status = fail_here(scanner, "a key in quotes and ':' are expected");
	else if (!strcmp(json_string_value(key), array) && take_byte(scanner, "["))
		status = take_elements(scanner, take, array);
	else
		status = hand_over(scanner, take, json_string_value(key), SIZE_MAX);
	json_decref(key);
	return status;
}

static enum ft_status take_members(struct scanner *scanner, const char *array, taker *take)
{
	enum ft_status status = FT_OK;

	if (!take_byte(scanner, "{"))
		return fail_here(scanner, "'{' is expected");
	if (take_byte(scanner, "}"))
		return FT_OK;
	while (!(status = take_member(scanner, array, take))) {
		char next = take_byte(scanner, ",}");

		if (next == '}')
			break;
		if (!next)
			return fail_here(scanner, "a member ends here, and neither ',' nor '}' follows");
	}
	skip_blanks(scanner);
	if (!status && scanner->at < scanner->end)
		return fail_here(scanner, "the document ended before");
	return status;
}

enum ft_status ft__document_each(struct ft_import_job *job, const char *array, taker *take,
				 struct ft_err *err)
{
	struct scanner scanner = {.job = job, .line = 1, .deep = SIZE_MAX, .err = err};
	char *text;
	size_t length;

	FT_TRY(ft__input_all(job->input, FT__TEXT_MOST, &text, &length, err));
	scanner.text = scanner.at = scanner.row = text;
	scanner.end = text + length;
	if (length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) /* byte order mark */
		scanner.at = scanner.row = text + 3;
	enum ft_status status = take_members(&scanner, array, take);
	ft_free(text);
	return status ? ft__job_spare_rest(job, status, err) : FT_OK;
}

/* Whether nothing but blanks is left. */
static bool ends_here(const struct scanner *scanner)
{
	const char *at = scanner->at;

	while (at < scanner->end && *at && strchr(" \t\r\n", *at))
		at++;
	return at == scanner->end;
}

enum ft_status ft__lines_each(struct ft_import_job *job,
			      enum ft_status (*take)(struct ft_import_job *job, struct json_t *value,
						     struct ft_err *err),
			      struct ft_err *err)
{
	enum ft_status status;
	const char *line;
	size_t length;

	while (!(status = ft__input_line(job->input, &line, &length, err))) {
		struct scanner scanner = {.job = job,
					  .text = line,
					  .at = line,
					  .row = line,
					  .end = line + length,
					  .line = ft__input_number(job->input),
					  .err = err};
		json_t *value;

		skip_blanks(&scanner);
		if (scanner.at == scanner.end || *scanner.at == '#')
			continue;
		status = take_value(&scanner, &value);
		if (!status && (!json_is_object(value) || !ends_here(&scanner))) {
			status = fail_here(&scanner, "one object a line is expected");
		} else if (!status) {
			ft__record_begin(job, ft__input_number(job->input));
			status = take(job, value, err);
		}
		json_decref(value);
		if (status && (status = ft__job_spare(job, status, err)))
			return status;
	}
	return status == FT_EEND ? FT_OK : ft__job_spare_rest(job, status, err);
}

/* ---- members ------------------------------------------------------------------------------------------ */

static enum ft_status add_field(struct ft_import_job *job, const char *prefix, const char *key,
				const json_t *value, struct ft_err *err)
{
	struct ft_text name = {0};
	enum ft_status status = FT_OK;

	ft_text_add(&name, "%s%s", prefix, key);
	if (name.failed)
		status = ft_nomem(err);
	else if (json_is_string(value))
		status = ft__record_own(job, name.s, name.length, json_string_value(value), 0, false, err);
	else if (json_is_number(value))
		status = ft__record_own(job, name.s, name.length, NULL, json_number_value(value), false, err);
	else if (json_is_boolean(value))
		status = ft__record_own(job, name.s, name.length, json_is_true(value) ? "true" : "false", 0,
					false, err);
	ft_text_clear(&name);
	return status;
}

enum ft_status ft__json_fields(struct ft_import_job *job, const char *prefix, const struct json_t *object,
			       struct ft_err *err)
{
	json_t *members = (json_t *)(uintptr_t)object, *value, *inner;
	enum ft_status status = FT_OK;
	const char *key, *name;

	json_object_foreach(members, key, value)
	{
		struct ft_text nested = {0};

		if (!status)
			status = add_field(job, prefix, key, value, err);
		if (status || !json_is_object(value))
			continue;
		ft_text_add(&nested, "%s%s.", prefix, key);
		if (nested.failed)
			status = ft_nomem(err);
		json_object_foreach(value, name, inner)
		{
			if (!status)
				status = add_field(job, nested.s, name, inner, err);
		}
		ft_text_clear(&nested);
	}
	return status;
}

bool ft__note_keep(char **to, const char *from)
{
	if (*to || !from)
		return true;
	*to = ft_strdup(from);
	return *to;
}

double ft__json_number(const struct json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

bool ft__document_head(const char *head, size_t length, const char *key)
{
	size_t wanted = strlen(key), i = 0;

	while (i < length && strchr(" \t\r\n", head[i]) && head[i])
		i++;
	if (i < length && head[i] != '{') { /* one line may be damaged, also the first */
		while (i < length && head[i] != '\n')
			i++;
		i += i < length;
	}
	if (i == length || head[i] != '{')
		return false;
	for (; i + wanted + 2 <= length; i++)
		if (head[i] == '"' && head[i + wanted + 1] == '"' && !memcmp(head + i + 1, key, wanted))
			return true;
	return false;
}
