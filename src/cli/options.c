/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.c - reads a command's options by its table, and prints --help from it. */
#include "cli/options.h"
#include "base/word.h"
#include "cli/actions.h"
#include "cli/common.h"
#include "cli/complete.h"
#include "foretime/units.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HELP_COLUMN = 26, HELP_WIDTH = 90, WORD_MAX = 64 };

const char *cli_nearest(const char *word, const char *(*get)(const void *ctx, size_t i), const void *ctx)
{
	const char *candidate, *nearest = NULL;
	size_t best = SIZE_MAX;

	for (size_t i = 0; (candidate = get(ctx, i)); i++) {
		size_t distance = ft_word_mistaken(word, candidate);

		if (distance < best) {
			best = distance;
			nearest = candidate;
		}
	}
	return nearest;
}

static const char *option_name(const void *ctx, size_t i)
{
	const struct cli_option *options = ctx;

	return options[i].name;
}

/* ---- --help ------------------------------------------------------------------------------------------- */

/* Text in a column that begins at HELP_COLUMN, the cursor being at `at`. */
static void print_wrapped(const char *text, size_t at)
{
	if (at + 2 > HELP_COLUMN) {
		putchar('\n');
		at = 0;
	}
	printf("%*s", (int)(HELP_COLUMN - at), "");
	at = HELP_COLUMN;
	while (*text) {
		size_t length = strcspn(text, " ");

		if (at > HELP_COLUMN && at + 1 + length > HELP_WIDTH) {
			printf("\n%*s", HELP_COLUMN, "");
			at = HELP_COLUMN;
		} else if (at > HELP_COLUMN) {
			putchar(' ');
			at++;
		}
		printf("%.*s", (int)length, text);
		at += length;
		text += length;
		text += *text == ' ';
	}
	putchar('\n');
}

/* Where only some actions take it, which ones stands before the text. */
static void print_option(const struct cli_command *command, const struct cli_option *option)
{
	char head[WORD_MAX], list[CLI_LIST_MAX], *text;
	char letter[] = "    ";
	size_t all = 0, takers = 0;

	if (option->letter)
		(void)snprintf(letter, sizeof letter, "-%c, ", option->letter);
	int n = snprintf(head, sizeof head, "  %s--%s%s%s", letter, option->name, option->argument ? " " : "",
			 option->argument ? option->argument : "");
	fputs(head, stdout);
	if (command->actions && option->where) {
		all = cli_actions_count(command, NULL);
		takers = cli_actions_count(command, option->name);
		cli_actions_list(command, option->name, 2 * takers <= all, ", ", list);
	}
	text = takers == all ? cli_strdup(option->help)
			     : cli_printed("%s%s: %s", 2 * takers <= all ? "" : "not ", list, option->help);
	print_wrapped(text, n > 0 ? (size_t)n : 0);
	free(text);
}

/* All of a command, or what one of its actions takes. */
static void print_usage(const struct cli_command *command, const struct cli_action *action)
{
	const char *line = command->usage;
	const struct cli_action *each = action ? action : command->actions;

	for (; each && each->name; each = action ? NULL : each + 1)
		printf("%s foretime %s %s%s%s\n", action || each == command->actions ? "usage:" : "      ",
		       command->name, each->name, *each->usage ? " " : "", each->usage);
	while (line) {
		size_t length = strcspn(line, "\n");

		printf("%s foretime %s%s%.*s\n", line == command->usage ? "usage:" : "      ", command->name,
		       length ? " " : "", (int)length, line);
		line = line[length] ? line + length + 1 : NULL;
	}
}

static void print_help(const struct cli_command *command, const struct cli_option *options,
		       const struct cli_action *action)
{
	static const struct cli_option help = {'h', "help", CLI_FLAG, NULL, NULL, "print this, and end"};
	static const struct cli_command none = {0};

	if (action)
		printf("foretime %s %s: %s\n\n", command->name, action->name, action->about);
	else
		printf("foretime %s: %s\n\n", command->name, command->about);
	print_usage(command, action);
	printf("\noptions:\n");
	for (; options->name; options++)
		if (!action || cli_action_takes(action, options->name))
			print_option(action ? &none : command, options);
	print_option(&none, &help);
	if (command->notes)
		printf("\n%s", command->notes);
	if (command->actions && !action)
		printf("\nforetime %s ACTION --help tells what one of them takes.\n", command->name);
}

/* ---- values ------------------------------------------------------------------------------------------- */

/* Digits up to `end`, as a count. */
static bool read_count(const char *text, char end, const char **rest, size_t *count)
{
	unsigned long long value;
	char *stop;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	value = strtoull(text, &stop, 10);
	if (errno || value > SIZE_MAX || (*stop != end && *stop))
		return false;
	*count = (size_t)value;
	*rest = *stop ? stop + 1 : NULL;
	return true;
}

static enum ft_status read_counts(const char *text, struct cli_counts *counts, struct ft_err *err)
{
	struct cli_counts read = {0};
	const char *rest = text;

	if (!read_count(text, ':', &rest, &read.least) || !rest || !read_count(rest, ':', &rest, &read.most))
		return ft_fail(err, FT_EPARSE,
			       "'%s' is not of the form LEAST:MOST or LEAST:MOST:DURATION, such as 2:10",
			       text);
	if (!read.least || read.most < read.least)
		return ft_fail(err, FT_EINVAL, "'%s' is an empty range of runs", text);
	if (rest && ft_duration_parse(rest, &read.limit_s, err))
		return err ? err->status : FT_EPARSE;
	*counts = read;
	return FT_OK;
}

static enum ft_status read_text(const char *text, struct cli_texts *texts, struct ft_err *err)
{
	if (!*text)
		return ft_fail(err, FT_EPARSE, "it is empty");
	if (texts->n == CLI_TEXTS_MAX)
		return ft_fail(err, FT_EINVAL, "it is given more than %d times", CLI_TEXTS_MAX);
	texts->text[texts->n++] = text;
	return FT_OK;
}

static enum ft_status read_value(const struct cli_option *option, const char *text, struct ft_err *err)
{
	const char *rest = NULL;

	switch (option->kind) {
	case CLI_FLAG:
		*(bool *)option->where = true;
		return FT_OK;
	case CLI_TEXT:
		if (!*text)
			return ft_fail(err, FT_EPARSE, "it is empty");
		*(const char **)option->where = text;
		return FT_OK;
	case CLI_TEXTS:
		return read_text(text, option->where, err);
	case CLI_NUMBER:
		return ft_number_parse(text, option->where, err);
	case CLI_DURATION:
		return ft_duration_parse(text, option->where, err);
	case CLI_BYTES:
		return ft_bytes_parse(text, option->where, err);
	case CLI_SHARE:
		return ft_share_parse(text, 1e-6, 1 - 1e-6, option->where, err);
	case CLI_PART:
		return ft_share_parse(text, 0, 1, option->where, err);
	case CLI_COUNT:
		if (read_count(text, '\0', &rest, option->where))
			return FT_OK;
		return ft_fail(err, FT_EPARSE, "'%s' is not a whole number", text);
	case CLI_COUNTS:
		return read_counts(text, option->where, err);
	}
	return FT_EINVAL;
}

/* ---- words -------------------------------------------------------------------------------------------- */

static const struct cli_option *find_option(const struct cli_option *options, const char *word, size_t length)
{
	for (; options->name; options++) {
		if (length == 1 && options->letter && options->letter == *word)
			return options;
		if (length > 1 && strlen(options->name) == length && !strncmp(options->name, word, length))
			return options;
	}
	return NULL;
}

static int unknown_option(const struct cli_command *command, const struct cli_option *options,
			  const char *word)
{
	char name[WORD_MAX] = "";

	(void)snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
	(void)cli_fail("unknown option '%s' of '%s'", name, command->name);
	const char *nearest = cli_nearest(name + strspn(name, "-"), option_name, options);
	if (nearest)
		cli_hint("the nearest one is --%s", nearest);
	else
		cli_hint("foretime %s --help lists them; options of the program stand behind --",
			 command->name);
	return CLI_WRONG;
}

/* What is being read. */
struct options_reading {
	const struct cli_command *command;
	const struct cli_option *options;
	int argc;
	char **argv;
	const struct cli_option **given; /* [n_given] those that were there */
	size_t n_given;
	bool leading; /* the first word that is no size begins a command */
};

/* --help behind an action is about that one. */
static int help(const struct options_reading *r, const struct cli_words *words)
{
	struct cli_words behind = *words;
	int status = CLI_GO;

	if (r->command->actions && words->n)
		status = cli_action_find(r->command, &behind);
	if (status != CLI_GO)
		return status;
	print_help(r->command, r->options, behind.action);
	return CLI_DONE;
}

/* What a shell asks by cli_complete: of which action, and between which two words the cursor is. */
static int complete_options(const struct options_reading *r)
{
	if (r->argc != 5)
		return CLI_WRONG;
	for (const struct cli_action *action = r->command->actions; action && action->name; action++)
		if (!strcmp(action->name, r->argv[2]))
			return cli_complete_option(r->command, r->options, action, r->argv[3], r->argv[4]);
	return cli_complete_option(r->command, r->options, NULL, r->argv[3], r->argv[4]);
}

/* One option at argv[*i]; moves *i over its value. */
static int parse_option(struct options_reading *r, const struct cli_words *words, int *i)
{
	const char *word = r->argv[*i];
	bool is_long = word[1] == '-';
	const char *name = word + (is_long ? 2 : 1);
	size_t length = is_long ? strcspn(name, "=") : 1;
	const struct cli_option *option = find_option(r->options, name, length);
	const char *value = name[length] ? name + length + is_long : NULL;
	struct ft_err err = {0};

	if ((is_long && length == 4 && !strncmp(name, "help", 4)) || (!is_long && !strcmp(name, "h")))
		return help(r, words);
	if (is_long && !strcmp(name, CLI_COMPLETE_OPTION))
		return complete_options(r);
	if (!option || (is_long && length == 1))
		return unknown_option(r->command, r->options, word);
	if (option->kind == CLI_FLAG && value)
		return cli_fail("option --%s takes no value", option->name);
	if (option->kind != CLI_FLAG && !value) {
		if (*i + 1 >= r->argc)
			return cli_fail("option --%s needs a value: %s", option->name, option->argument);
		value = r->argv[++*i];
	}
	r->given[r->n_given++] = option;
	if (read_value(option, value, &err))
		return cli_error_at(&err, "option --%s", option->name);
	return CLI_GO;
}

/* Options, words, and what stands behind `--`. Words move to where options stood before them. */
static int parse_all(struct options_reading *r, struct cli_words *words)
{
	int status = CLI_GO;

	words->word = r->argv + !r->leading; /* a NULL behind them is not where the command begins */
	for (int i = 1; i < r->argc && status == CLI_GO; i++) {
		const bool separator = !strcmp(r->argv[i], "--"),
			   option = r->argv[i][0] == '-' && r->argv[i][1];

		if (separator || (r->leading && !option && !strchr(r->argv[i], '='))) {
			words->rest = r->argv + i + separator;
			words->n_rest = (size_t)(r->argc - i - separator);
			words->separated = true;
			break;
		}
		if (option)
			status = parse_option(r, words, &i);
		else
			words->word[words->n++] = r->argv[i];
	}
	words->word[words->n] = NULL; /* at the farthest where `--` stood, or argv's own end */
	return status;
}

int cli_options_parse_leading(const struct cli_command *command, const struct cli_option *options, int argc,
			      char **argv, struct cli_words *words)
{
	struct options_reading r = {command, options, argc, argv, cli_alloc((size_t)argc * sizeof *r.given),
				    0,       true};

	*words = (struct cli_words){0};
	/* Words before a later `--` are not the command: it stands behind that. */
	for (int i = 1; i < argc; i++)
		r.leading = r.leading && strcmp(argv[i], "--") != 0;
	int status = parse_all(&r, words);
	free(r.given);
	return status;
}

int cli_options_parse(const struct cli_command *command, const struct cli_option *options, int argc,
		      char **argv, struct cli_words *words)
{
	struct options_reading r = {command, options, argc, argv, cli_alloc((size_t)argc * sizeof *r.given),
				    0,       false};

	*words = (struct cli_words){0};
	int status = parse_all(&r, words);
	if (command->actions && status == CLI_GO)
		status = cli_action_find(command, words);
	if (command->actions && status == CLI_GO)
		status = cli_action_check_given(command, words->action, r.given, r.n_given);
	if (command->actions && status == CLI_GO)
		status = cli_action_check_words(command, words);
	free(r.given);
	return status;
}
