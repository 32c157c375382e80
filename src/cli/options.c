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

enum {
	HELP_COLUMN = 26,
	ACTION_COLUMN = 14,
	USAGE_COLUMN = 11,
	HELP_WIDTH = 80,
	HELP_LINES = 25, /* what everybody sees at once */
	WORD_MAX = 64
};

const char *cli_nearest(const char *word, const char *(*get)(const void *ctx, size_t i), const void *ctx)
{
	const char *candidate, *nearest = NULL;
	size_t i, best = strlen(word) / 3 + 2;

	for (i = 0; (candidate = get(ctx, i)); i++) {
		size_t distance = ft_word_distance(word, candidate);

		/* "pred" is meant for "predict" although many letters are missing. */
		if (strlen(word) >= 3 && !strncmp(word, candidate, strlen(word)))
			distance = 1;
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

	return options[i].name && !options[i].help ? "help"
	       : options[i].kind == CLI_HEADING    ? "help"
						   : options[i].name;
}

/* ---- --help ------------------------------------------------------------------------------------------- */

/* The words of a text, from the cursor at column `at` on; further lines begin at `column`. */
static void wrap(FILE *file, const char *text, size_t length, size_t column, size_t at)
{
	const char *end = text + length;

	for (bool first = true; text < end; first = false) {
		size_t word = strcspn(text, " \n");

		word = word < (size_t)(end - text) ? word : (size_t)(end - text);
		if (!first && at + 1 + word > HELP_WIDTH) {
			fprintf(file, "\n%*s", (int)column, "");
			at = column;
		} else if (!first) {
			fputc(' ', file);
			at++;
		}
		fprintf(file, "%.*s", (int)word, text);
		at += word;
		text += word;
		text += strspn(text, " \n");
	}
	fputc('\n', file);
}

/* "  NAME", and what it means in a column behind it, or below it. */
static void print_named(FILE *file, const char *name, const char *text, size_t column)
{
	bool below = strlen(name) + 4 > column;

	fprintf(file, "  %s%s%*s", name, below ? "\n" : "", (int)(below ? column : column - strlen(name) - 2),
		"");
	wrap(file, text, strlen(text), column, column);
}

/* Where only some actions take it, which ones stands before the text. */
static void print_option(FILE *file, const struct cli_command *command, const struct cli_option *option)
{
	char list[CLI_LIST_MAX], letter[] = "    ";
	size_t all = 0, takers = 0;

	if (option->letter)
		(void)snprintf(letter, sizeof letter, "-%c, ", option->letter);
	char *head = cli_printed("%s--%s%s%s", letter, option->name, option->argument ? " " : "",
				 option->argument ? option->argument : "");
	if (command->actions && option->where) {
		all = cli_actions_count(command, NULL);
		takers = cli_actions_count(command, option->name);
		cli_actions_list(command, option->name, 2 * takers <= all, ", ", list);
	}
	char *text = takers == all
			     ? cli_strdup(option->help)
			     : cli_printed("%s%s: %s", 2 * takers <= all ? "" : "not ", list, option->help);
	print_named(file, head, text, HELP_COLUMN);
	free(text);
	free(head);
}

/* The forms of a command or of one of its actions: all of them, or the first one. */
static void print_usage(FILE *file, const struct cli_command *command, const struct cli_action *action,
			bool first_only)
{
	const struct cli_action *each = action ? action : command->actions;
	const struct cli_command *further = NULL;
	unsigned i = 0;

	for (const char *lead = "usage:", *form = command->usage; each ? each->name : form; lead = "      ") {
		const char *usage = each ? each->usage : form;
		size_t length = strcspn(usage, "\n");
		int at = fprintf(file, "%s foretime %s%s%s%s", lead, command->name, each ? " " : "",
				 each ? each->name : "", length ? " " : "");

		wrap(file, usage, length, USAGE_COLUMN, (size_t)at);
		form = form && usage[length] ? usage + length + 1 : NULL;
		each = each && !action ? each + 1 : NULL;
		if (first_only || (!each && !form))
			break;
	}
	while (command->actions && !action && (further = cli_command_in(command->name, i++)))
		fprintf(file, "       foretime %s --help\n", further->name);
}

/* Texts of a line each are joined to paragraphs; lines that begin with a blank stand as they are. */
static void print_notes(FILE *file, const char *notes)
{
	fputc('\n', file);
	while (*notes) {
		size_t length = strcspn(notes, "\n");

		while (*notes != ' ' && notes[length] && notes[length + 1] && notes[length + 1] != ' ' &&
		       notes[length + 1] != '\n')
			length += 1 + strcspn(notes + length + 1, "\n");
		if (*notes == ' ' || !length)
			fprintf(file, "%.*s\n", (int)length, notes);
		else
			wrap(file, notes, length, 0, 0);
		notes += length + (notes[length] == '\n');
	}
}

static void print_actions(FILE *file, const struct cli_command *command)
{
	const struct cli_command *further;

	fprintf(file, "usage: foretime %s ACTION ...\n\nactions:\n", command->name);
	for (const struct cli_action *action = command->actions; action->name; action++)
		print_named(file, action->name, action->about, ACTION_COLUMN);
	for (unsigned i = 0; (further = cli_command_in(command->name, i)); i++)
		print_named(file, strchr(further->name, ' ') + 1, further->about, ACTION_COLUMN);
}

/* How much of it is printed: each of these leaves out more than the one before. */
enum help_part { HELP_ALL, HELP_WITHOUT_NOTES, HELP_EVERYDAY, HELP_ONE_USAGE, N_HELP_PARTS };

static void print_help(FILE *file, const struct cli_command *command, const struct cli_option *options,
		       const struct cli_action *action, enum help_part part)
{
	static const struct cli_option help = {'h',  "help", CLI_FLAG,
					       NULL, NULL,   "print this; --help=all: everything, in groups"};
	static const struct cli_command none = {0};
	const char *title = "options";

	print_usage(file, command, action, part == HELP_ONE_USAGE);
	for (bool first = true;; options++) {
		bool ends = !options->name || options->kind == CLI_HEADING;

		if (!ends && (!options->help || (action && !cli_action_takes(action, options->name))))
			continue;
		if (title && (!ends || first))
			fprintf(file, "\n%s:\n", title);
		if (!ends) {
			print_option(file, action ? &none : command, options);
			title = NULL;
			continue;
		}
		if (first)
			print_option(file, &none, &help);
		first = false;
		title = options->help;
		if (!options->name || part >= HELP_EVERYDAY)
			break;
	}
	if (command->notes && part == HELP_ALL)
		print_notes(file, command->notes);
}

/* A page: the most that has room on it, or everything. */
static void print_page(const struct cli_command *command, const struct cli_option *options,
		       const struct cli_action *action, bool everything)
{
	char *page = NULL, *manual = cli_strdup(command->name), *blank = strchr(manual, ' ');
	size_t size = 0, lines = HELP_LINES + 1;

	if (blank)
		*blank = '-';
	for (int part = HELP_ALL; part < N_HELP_PARTS && lines > HELP_LINES; part++) {
		free(page);
		FILE *file = cli_given(open_memstream(&page, &size));
		char *title =
			cli_printed("foretime %s%s%s: %s\n", command->name, action ? " " : "",
				    action ? action->name : "", action ? action->about : command->about);
		wrap(file, title, strlen(title), 2, 0);
		fputc('\n', file);
		free(title);
		if (command->actions && !action && !everything)
			print_actions(file, command);
		else
			print_help(file, command, options, action, part);
		fprintf(file, "\nmore: ");
		if (!everything)
			fprintf(file, "foretime %s%s%s --help=all, ", command->name,
				command->actions ? " " : "",
				!command->actions ? ""
				: action          ? action->name
						  : "ACTION");
		fprintf(file, "man foretime-%s\n", manual);
		if (fclose(file))
			(void)cli_given(NULL);
		lines = 0;
		for (const char *at = page; !everything && (at = strchr(at, '\n')); at++)
			lines++;
	}
	fputs(page, stdout);
	free(page);
	free(manual);
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
	case CLI_HEADING:
		break;
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
};

/* --help behind an action is about that one. much: what stands behind =, or NULL. */
static int help(const struct options_reading *r, const struct cli_words *words, const char *much)
{
	struct cli_words behind = *words;
	int status = CLI_GO;

	if (much && strcmp(much, "all") != 0)
		return cli_fail("--help=%s: there is --help=all, and --help alone", much);
	if (r->command->actions && words->n)
		status = cli_action_find(r->command, &behind);
	if (status != CLI_GO)
		return status;
	print_page(r->command, r->options, behind.action, much);
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
		return help(r, words, value);
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

	words->word = r->argv + 1;
	for (int i = 1; i < r->argc && status == CLI_GO; i++) {
		if (!strcmp(r->argv[i], "--")) {
			words->rest = r->argv + i + 1;
			words->n_rest = (size_t)(r->argc - i - 1);
			words->separated = true;
			break;
		}
		if (r->argv[i][0] == '-' && r->argv[i][1])
			status = parse_option(r, words, &i);
		else
			words->word[words->n++] = r->argv[i];
	}
	words->word[words->n] = NULL; /* at the farthest where `--` stood, or argv's own end */
	return status;
}

int cli_options_parse(const struct cli_command *command, const struct cli_option *options, int argc,
		      char **argv, struct cli_words *words)
{
	struct options_reading r = {command, options, argc, argv, cli_alloc((size_t)argc * sizeof *r.given),
				    0};

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
