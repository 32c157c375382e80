/* SPDX-License-Identifier: GPL-3.0-or-later */
/* benchmarks.c - what hyperfine --export-json writes: one result a command, all its times.
 *
 * Source: hyperfine, src/benchmark/benchmark_result.rs. user and system are means over the runs; exit codes
 * and memory are lists beside the times where the version has them. A time that is below the calibrated
 * start-up of the shell is 0. */
#include "adapt/adapt.h"
#include "base/alloc.h"
#include "base/text.h"
#include "foretime/base.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/*
 * JSON, element by element: memory for one element beside the text, and a line for each.
 */

/* A text being read. */
struct scanner {
	struct ft_import_job *job;
	const char *text, *end, *at;
	size_t line;     /* of at */
	const char *row; /* where that line begins */
	size_t deep;     /* blanks before an element that began its line; SIZE_MAX: none did */
	bool keyed;      /* elements are the members of an object */
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
			return at < scanner->end && (*at == ',' || *at == (scanner->keyed ? '}' : ']'))
				       ? at
				       : NULL;
		}
	}
	return NULL;
}

/* What elements begin with, where they are worth looking for. */
static bool begins_element(const struct scanner *scanner, const char *at)
{
	return *at == (scanner->keyed ? '"' : '{');
}

/* The next line behind a place that begins like an element and no deeper than a number of blanks; NULL: there
 * is none. */
static const char *next_line(const struct scanner *scanner, const char *at, size_t deep)
{
	size_t depth;

	while ((at = memchr(at, '\n', (size_t)(scanner->end - at)))) {
		for (at++, depth = 0; at + depth < scanner->end && (at[depth] == ' ' || at[depth] == '\t');)
			depth++;
		if (depth <= deep && at + depth < scanner->end && begins_element(scanner, at + depth))
			return at + depth;
	}
	return NULL;
}

/* The next line that begins like an element and no deeper than elements did: where each begins a line, as our tools
 * write them, this is the next element. Before the first one elements are what is least deep. NULL: there is
 * none. */
static const char *next_element(const struct scanner *scanner)
{
	const char *found = next_line(scanner, scanner->at, scanner->deep), *row;

	for (const char *at = found; at && scanner->deep == SIZE_MAX;) {
		for (row = at; row > scanner->text && row[-1] != '\n';)
			row--;
		found = at;
		at = at > row ? next_line(scanner, at, (size_t)(at - row) - 1) : NULL;
	}
	return found;
}

/* The key of a member, and its colon. */
static enum ft_status take_key(struct scanner *scanner, json_t **key)
{
	FT_TRY(take_value(scanner, key));
	if (json_is_string(*key) && take_byte(scanner, ":"))
		return FT_OK;
	json_decref(*key);
	*key = NULL;
	return fail_here(scanner, "a key in quotes and ':' are expected");
}

/* One element; *value: where its value begins. */
static enum ft_status take_element(struct scanner *scanner, taker *take, const char *name, size_t index,
				   const char **value)
{
	json_t *key = NULL;

	*value = scanner->at;
	if (scanner->keyed) {
		FT_TRY(take_key(scanner, &key));
		skip_blanks(scanner);
		*value = scanner->at;
	}
	enum ft_status status = hand_over(scanner, take, key ? json_string_value(key) : name, index);
	json_decref(key);
	return status;
}

/* All elements of an array, or members of an object, behind its first bracket. One that is damaged is left out
 * where it can be seen where the next one begins; else the failure is that of the rest of the document. */
static enum ft_status take_elements(struct scanner *scanner, taker *take, const char *name)
{
	enum {
		LOOKED_MOST = 1 << 30
	}; /* each one whose brackets are in no pairs costs the rest of the text */
	const char closes[] = {scanner->keyed ? '}' : ']', '\0'}, behind[] = {',', *closes, '\0'};
	enum ft_status status = FT_OK;
	const char *next, *value;
	size_t index = 0;

	if (take_byte(scanner, closes))
		return FT_OK;
	for (;;) {
		skip_blanks(scanner);
		size_t deep = (size_t)(scanner->at - scanner->row);
		if (deep < scanner->deep && strspn(scanner->row, " \t") == deep &&
		    begins_element(scanner, scanner->at))
			scanner->deep = deep;
		status = take_element(scanner, take, name, index++, &value);
		if (status == FT_EPARSE && scanner->at == value && (next = end_of_damaged(scanner))) {
			status = ft__job_spare(scanner->job, status, scanner->err);
			move_to(scanner, next);
		}
		if (!status) {
			char byte = take_byte(scanner, behind);

			if (byte == *closes)
				return FT_OK;
			if (byte == ',')
				continue;
			status = fail_here(scanner,
					   scanner->keyed
						   ? "a member ends here, and neither ',' nor '}' follows"
						   : "an element ends here, and neither ',' nor "
						     "']' follows");
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
	enum ft_status status;
	json_t *key;
	char opens;

	FT_TRY(take_key(scanner, &key));
	if (!strcmp(json_string_value(key), array) && (opens = take_byte(scanner, "[{"))) {
		scanner->keyed = opens == '{';
		status = take_elements(scanner, take, array);
	} else {
		status = hand_over(scanner, take, json_string_value(key), SIZE_MAX);
	}
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
	return status;
}

/* Python writes numbers that JSON has not: they become empty texts, so that nothing is read of them. */
static void blank_nan(char *text, size_t length)
{
	static const char *const words[] = {"NaN", "-Infinity", "Infinity"};
	bool quoted = false;

	for (size_t i = 0; i < length; i++) {
		if (quoted) {
			i += text[i] == '\\';
			quoted = i < length && text[i] != '"' && text[i] != '\n';
			continue;
		}
		quoted = text[i] == '"';
		for (size_t k = 0; k < 3 && strchr("NI-", text[i]) && text[i]; k++) {
			size_t bytes = strlen(words[k]);

			if (length - i < bytes || memcmp(text + i, words[k], bytes) != 0)
				continue;
			memset(text + i, ' ', bytes);
			text[i] = text[i + 1] = '"';
			i += bytes - 1;
		}
	}
}

enum ft_status ft__document_scan(struct ft_import_job *job, char *text, size_t length, const char *array,
				 taker *take, struct ft_err *err)
{
	struct scanner scanner = {.job = job, .line = 1, .deep = SIZE_MAX, .err = err};

	blank_nan(text, length);
	scanner.text = scanner.at = scanner.row = text;
	scanner.end = text + length;
	if (length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) /* byte order mark */
		scanner.at = scanner.row = text + 3;
	enum ft_status status = !*array && take_byte(&scanner, "[") ? take_elements(&scanner, take, array)
								    : take_members(&scanner, array, take);
	skip_blanks(&scanner);
	if (!status && scanner.at < scanner.end)
		status = fail_here(&scanner, "the document ended before");
	return status ? ft__job_spare_rest(job, status, err) : FT_OK;
}

enum ft_status ft__document_each(struct ft_import_job *job, const char *array, taker *take,
				 struct ft_err *err)
{
	char *text;
	size_t length;

	FT_TRY(ft__input_all(job->input, FT__TEXT_MOST, &text, &length, err));
	enum ft_status status = ft__document_scan(job, text, length, array, take, err);
	ft_free(text);
	return status;
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

/*
 * hyperfine.
 */

static bool recognise_hyperfine(const char *head, size_t length)
{
	return ft__document_head(head, length, "results") &&
	       (ft__document_head(head, length, "command") || ft__document_head(head, length, "times"));
}

/* Whether a word of a command sets a variable: NAME=VALUE. */
static bool is_setting(const char *word)
{
	size_t length = ft__name_length(word);

	return length && word[length] == '=';
}

/* The end of a word of a shell's command: behind its last quote. */
static const char *end_of_word(const char *word)
{
	char quote = '\0';

	for (; *word && (quote || (*word != ' ' && *word != '\t')); word++)
		if (quote ? *word == quote : *word == '\'' || *word == '"')
			quote = (char)(quote ? '\0' : *word);
	return word;
}

/* The program of a command: the first word behind NAME=VALUE, also of env, without its folder. */
static const char *program_of(const char *command, size_t *length)
{
	const char *slash;
	bool env;

	for (;;) {
		command += strspn(command, " \t");
		env = !strncmp(command, "env ", 4) && is_setting(command + 4 + strspn(command + 4, " \t"));
		if (!env && !is_setting(command))
			break;
		command = end_of_word(command);
	}
	command += strspn(command, "'\"");
	*length = strcspn(command, " '\"");
	for (slash = command; slash < command + *length; slash++)
		if (*slash == '/') {
			*length -= (size_t)(slash + 1 - command);
			command = slash + 1;
		}
	return command;
}

/* The program, and the parameters: those that are numbers are sizes, others parts of its name, "sort-gcc". */
static enum ft_status add_program(struct ft_import_job *job, const json_t *result, struct ft_err *err)
{
	const char *command = json_string_value(json_object_get(result, "command")), *key;
	json_t *parameters = json_object_get(result, "parameters"), *value;
	struct ft__naming naming = {0};
	enum ft_status status = FT_OK;
	char digits[FT_NUMBER_LENGTH];
	size_t length;

	const char *program = program_of(command ? command : "", &length);
	ft_text_add_bytes(&naming.program, program, length);
	json_object_foreach(parameters, key, value)
	{
		const char *text = json_string_value(value);

		if (json_is_number(value))
			text = ft_number_format(json_number_value(value), digits);
		if (!status && text)
			status = ft__naming_param(job, &naming, key, strlen(key), text, "-", err);
	}
	return ft__naming_end(job, &naming, NULL, NULL, status, err);
}

static enum ft_status add_fields(struct ft_import_job *job, const json_t *result, size_t index, size_t line,
				 struct ft_err *err)
{
	const char *command = json_string_value(json_object_get(result, "command"));
	enum ft_status status = FT_OK;

	ft__record_begin(job, line);
	(void)snprintf(job->record.place, sizeof job->record.place, "results[%zu]", index);
	if (command)
		status = ft__record_field(job, "command", command, 0, err);
	return status ? status : add_program(job, result, err);
}

/* How the i-th run ended. */
static void read_exit(struct ft_run *run, const json_t *result, size_t i)
{
	const json_t *codes = json_object_get(result, "exit_codes"), *code = json_array_get(codes, i);

	if (!json_is_array(codes) || i >= json_array_size(codes))
		return;
	if (json_is_null(code)) { /* ended by a signal */
		run->outcome = FT_CRASHED;
	} else if (json_integer_value(code)) {
		run->outcome = FT_FAILED;
		run->exit_status = (int)json_integer_value(code);
	}
}

/* Processor seconds are means over the runs of the command. They are one value, and stand at its first run
 * that ended well: at each run they would be as many runs that agree, and their noise would seem to be none.
 */
static enum ft_status add_processor(struct ft_import_job *job, const json_t *result, size_t i,
				    struct ft_err *err)
{
	static const struct ft_resource *const resources[] = {&ft_user_s, &ft_system_s, &ft_cpu_s};
	const json_t *times = json_object_get(result, "times"),
		     *codes = json_object_get(result, "exit_codes");
	double user = ft__json_number(result, "user"), system = ft__json_number(result, "system");
	enum ft_label label = json_array_size(times) > 1 ? FT_ESTIMATED : FT_MEASURED;
	enum ft_status status = FT_OK;
	size_t first = 0;

	while (first < i && (!(json_number_value(json_array_get(times, first)) > 0) ||
			     json_integer_value(json_array_get(codes, first)) ||
			     json_is_null(json_array_get(codes, first))))
		first++;
	if (first < i || job->record.run.outcome != FT_DONE) {
		for (size_t k = 0; k < 3 && !status; k++)
			status = ft_run_add(
				&job->record.run, resources[k], NAN, FT_UNAVAILABLE, job->format->name,
				"hyperfine writes the mean of all runs: it stands at the first", err);
		return status;
	}
	FT_TRY(ft__record_sample(job, &ft_user_s, user, label, NULL, "user", err));
	FT_TRY(ft__record_sample(job, &ft_system_s, system, label, NULL, "system", err));
	return ft__record_sample(job, &ft_cpu_s, user + system, label, NULL, "user", err);
}

static enum ft_status take_run(struct ft_import_job *job, const json_t *result, size_t index, size_t line,
			       size_t i, const json_t *time, struct ft_err *err)
{
	const json_t *memory = json_array_get(json_object_get(result, "memory_usage_byte"), i);
	enum ft_status status = add_fields(job, result, index, line, err);
	char what[48];
	bool wanted;

	if (!status)
		status = ft__record_wanted(job, &wanted, err);
	if (status || !wanted)
		return status;
	(void)snprintf(what, sizeof what, "times[%zu]", i);
	if (!json_is_number(time))
		return ft__record_fail_named(job, what, NULL, "not a number", "let hyperfine write it again",
					     err);
	read_exit(&job->record.run, result, i);
	job->record.elapsed_s = ft__json_number(result, "mean");
	status = ft__record_sample(job, &ft_wall_s, json_number_value(time), FT_MEASURED, NULL, what, err);
	if (!status)
		status = add_processor(job, result, i, err);
	if (!status && json_is_number(memory) && json_number_value(memory) > 0)
		status = ft__record_sample(job, &ft_peak_rss_bytes, json_number_value(memory), FT_MEASURED,
					   NULL, "memory_usage_byte", err);
	return status ? status : ft__record_take(job, err);
}

static enum ft_status take_result(struct ft_import_job *job, const char *name, size_t index, size_t line,
				  struct json_t *result, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	if (index == SIZE_MAX)
		return FT_OK;
	(void)name;
	const json_t *times = json_object_get(result, "times");
	if (!json_is_array(times)) {
		ft__record_begin(job, line);
		(void)snprintf(job->record.place, sizeof job->record.place, "results[%zu]", index);
		return ft__record_fail_named(job, "times", NULL, "there is no list of times",
					     "export it with hyperfine --export-json", err);
	}
	for (size_t i = 0; i < json_array_size(times) && !status; i++)
		if ((status = take_run(job, result, index, line, i, json_array_get(times, i), err)))
			status = ft__job_spare(job, status, err);
	return status;
}

static enum ft_status hyperfine_read_file(struct ft_import_job *job, struct ft_err *err)
{
	return ft__document_each(job, "results", take_result, err);
}

const struct ft_format ft__hyperfine_format = {"hyperfine", "what hyperfine --export-json writes",
					       recognise_hyperfine, hyperfine_read_file, NULL};
