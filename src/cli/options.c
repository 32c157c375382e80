/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.c - reads a command's options by its table, and prints --help from it. */
#include "cli/options.h"
#include "base/word.h"
#include "cli/actions.h"
#include "cli/common.h"
#include "cli/complete.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HELP_COLUMN = 26, HELP_WIDTH = 90, WORD_MAX = 64 };

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

/* ---- words -------------------------------------------------------------------------------------------- */

static const struct cli_option *find_option(const struct cli_option *options, const char *word, size_t length)
{
	if (length > 1)
		return ft_field_find(options, word, length);
	while (options->name && (!options->letter || options->letter != *word))
		options++;
	return options->name ? options : NULL;
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
static int parse_option(const struct options_reading *r, struct cli_words *words, int *i)
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
	if (words->n_given == CLI_GIVEN_MAX)
		return cli_fail("more than %d options", CLI_GIVEN_MAX);
	words->given[words->n_given].name = option->name;
	words->given[words->n_given++].value = value;
	if (ft_field_read(option, option->where, value, &err))
		return cli_error_at(&err, "option --%s", option->name);
	return CLI_GO;
}

/* Options, words, and what stands behind `--`. Words move to where options stood before them. */
static int parse_all(const struct options_reading *r, struct cli_words *words)
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
	struct ft_field *flat = cli_given(ft_fields_flat(options));
	const struct options_reading r = {command, flat, argc, argv};

	*words = (struct cli_words){0};
	int status = parse_all(&r, words);
	if (command->actions && status == CLI_GO)
		status = cli_action_find(command, words);
	if (command->actions && status == CLI_GO)
		status = cli_action_check_given(command, words);
	if (command->actions && status == CLI_GO)
		status = cli_action_check_words(command, words);
	free(flat);
	return status;
}
