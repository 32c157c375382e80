/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arguments.c - builds a program's command at a size, replacing placeholders in braces. */
#include "base/alloc.h"
#include "facts/door.h"
#include "foretime/base.h"
#include "measure/measure.h"

#include <string.h>

/* Whether a position in a shell command lies within quotes. */
struct placeholder {
	const char *begin, *name;
	size_t length, braces;
	const char *end;
};

/* The next placeholder at or behind a place. Of more braces than it needs, the inner ones are its own. */
static bool find_placeholder(const char *from, bool shell, struct placeholder *found)
{
	for (const char *open = strchr(from, '{'); open; open = strchr(open, '{')) {
		size_t before = strspn(open, "{"), length = ft__name_length(open + before);
		size_t after = strspn(open + before + length, "}");
		size_t braces = before < after ? before : after;

		if (length && braces && !(shell && before == 1 && open > from && open[-1] == '$')) {
			braces = braces < 3 ? braces : 3;
			*found = (struct placeholder){.begin = open + before - braces,
						      .name = open + before,
						      .length = length,
						      .braces = braces,
						      .end = open + before + length + braces};
			return true;
		}
		open += before;
	}
	return false;
}

static int find_column(const struct ft__filling *filling, const char *name)
{
	return filling->cases ? ft_csv_column(filling->cases, name) : -1;
}

/* An identifier as a string; false when it is longer than any name. */
static bool copy_name(const struct placeholder *placeholder, char name[128])
{
	if (placeholder->length >= 128)
		return false;
	memcpy(name, placeholder->name, placeholder->length);
	name[placeholder->length] = '\0';
	return true;
}

/* Whether a place in a command of sh lies within quotes. */
static bool is_quoted(const char *command, const char *place)
{
	char quote = '\0';

	for (; command < place; command++) {
		if (quote != '\'' && *command == '\\' && command + 1 < place)
			command++;
		else if (quote ? *command == quote : *command == '\'' || *command == '"')
			quote = (char)(quote ? '\0' : *command);
	}
	return quote != '\0';
}

/* FT_EINVAL: values within quotes that sh would read as something else there, and execute perhaps. */
static enum ft_status check_quotes(const struct ft__filling *filling, const char *template,
				   const struct placeholder *found, int column, struct ft_err *err)
{
	if (!is_quoted(template, found->begin))
		return FT_OK;
	for (size_t row = 0; row < ft_csv_rows(filling->cases); row++) {
		if (ft__word_is_plain(ft_csv_cell(filling->cases, row, (size_t)column)))
			continue;
		(void)ft_fail(
			err, FT_EINVAL,
			"'%s' has {%s} within quotes, where a shell would not take '%.64s' (line %zu of "
			"the cases) for what it is",
			template, ft_csv_column_name(filling->cases, (size_t)column),
			ft_csv_cell(filling->cases, row, (size_t)column), ft_csv_line(filling->cases, row));
		return ft_remedy(err, "write {%s} without quotes: it is always one word",
				 ft_csv_column_name(filling->cases, (size_t)column));
	}
	return FT_OK;
}

enum ft_status ft__arguments_check(const struct ft__filling *filling, const char *template,
				   struct ft_err *err)
{
	struct placeholder found;
	const char *at = template;

	while (find_placeholder(at, filling->shell, &found)) {
		char name[128];
		enum ft_status status;

		at = found.end;
		if (found.braces == 2)
			continue;
		if (!copy_name(&found, name))
			return ft_fail(err, FT_EINVAL, "a name in braces is too long in '%.64s...'",
				       found.name);
		int column = find_column(filling, name);
		if (column >= 0 && filling->shell &&
		    (status = check_quotes(filling, template, &found, column, err)))
			return status;
		if (column >= 0 || ft_program_find_param(filling->program, name) >= 0)
			continue;
		(void)ft_fail(err, FT_EINVAL, "'%s' needs a value for {%s}, and there is no such parameter%s",
			      template, name, filling->cases ? " or column" : "");
		(void)ft_remedy(
			err, "give it a value: %s=100; or write {{%s}} if the braces are meant as they are",
			name, name);
		return FT_EINVAL;
	}
	return FT_OK;
}

bool ft__arguments_any(const char *template)
{
	struct placeholder found;

	return find_placeholder(template, false, &found);
}

bool ft__arguments_name(const struct ft__filling *filling, const char *template, const char *name)
{
	struct placeholder found;
	const char *at = template;

	while (find_placeholder(at, filling->shell, &found)) {
		char other[128];

		at = found.end;
		if (found.braces != 2 && copy_name(&found, other) &&
		    (!strcmp(other, name) || find_column(filling, other) >= 0))
			return true;
	}
	return false;
}

/* The value of a placeholder; NULL: there is none. */
static const char *find_value(const struct ft__filling *filling, const char *name,
			      char digits[FT_NUMBER_LENGTH])
{
	int column = find_column(filling, name), param = ft_program_find_param(filling->program, name);

	if (column >= 0)
		return ft_csv_cell(filling->cases, filling->row, (size_t)column);
	if (param >= 0 && (size_t)param < filling->size->n)
		return ft_number_format(filling->size->value[param], digits);
	return param >= 0 ? ft_number_format(filling->program->param[param].least, digits) : NULL;
}

/* The shell is given what it would read as more than a word as a variable, which it does not read again: also
 * where the command is not what it seems (a document, a comment). */
static void add_value(const struct ft__filling *filling, const struct placeholder *placeholder,
		      struct ft_text *text)
{
	char name[128], digits[FT_NUMBER_LENGTH];
	const char *value = copy_name(placeholder, name) ? find_value(filling, name, digits) : NULL;

	if (!value)
		return;
	if (filling->shell && !ft__word_is_plain(value))
		ft_text_add(text, "\"$foretime_%s\"", name);
	else
		ft_text_add(text, "%s", value);
}

void ft__arguments_fill(const struct ft__filling *filling, const char *template, struct ft_text *text)
{
	struct placeholder found;
	const char *at = template;

	if (filling->shell) {
		/* The variables that a command needs, before it. */
		struct placeholder place;
		const char *rest = template;

		for (; find_placeholder(rest, true, &place); rest = place.end) {
			char name[128], digits[FT_NUMBER_LENGTH];
			const char *value = NULL;

			if (place.braces != 2 && copy_name(&place, name))
				value = find_value(filling, name, digits);
			if (!value || ft__word_is_plain(value))
				continue;
			ft_text_add(text, "foretime_%s=", name);
			ft_text_add_word(text, value);
			ft_text_add(text, "; ");
		}
	}
	while (find_placeholder(at, filling->shell, &found)) {
		ft_text_add_bytes(text, at, (size_t)(found.begin - at));
		if (found.braces > 1)
			ft_text_add(text, "{");
		if (found.braces == 2)
			ft_text_add_bytes(text, found.name, found.length);
		else
			add_value(filling, &found, text);
		if (found.braces > 1)
			ft_text_add(text, "}");
		at = found.end;
	}
	ft_text_add(text, "%s", at);
}

enum ft_status ft__arguments_list(const struct ft__filling *filling, char ***out, struct ft_err *err)
{
	const struct ft_program *program = filling->program;

	*out = ft_calloc(program->argc + 1, sizeof **out);
	if (!*out)
		return ft_nomem(err);
	for (size_t i = 0; i < program->argc; i++) {
		struct ft_text text = {0};

		ft__arguments_fill(filling, program->argv[i], &text);
		(*out)[i] = ft_text_take(&text);
		if (!(*out)[i]) {
			ft_arguments_free(*out);
			*out = NULL;
			return ft_nomem(err);
		}
	}
	return FT_OK;
}

void ft_arguments_free(char **arguments)
{
	for (size_t i = 0; arguments && arguments[i]; i++)
		ft_free(arguments[i]);
	ft_free(arguments);
}

enum ft_status ft_program_arguments(const struct ft_program *program, const struct ft_size *size, char ***out,
				    struct ft_err *err)
{
	const struct ft__filling filling = {.program = program, .size = size};
	enum ft_status status = FT_OK;

	*out = NULL;
	if (!program->argc) {
		(void)ft_fail(err, FT_ENOENT, "'%s' has no command", program->name);
		(void)ft_remedy(err,
				"its runs came from elsewhere: foretime build, or run --save, keeps one");
		return FT_ENOENT;
	}
	for (size_t i = 0; i < program->argc && !status; i++)
		status = ft__arguments_check(&filling, program->argv[i], err);
	return status ? status : ft__arguments_list(&filling, out, err);
}
