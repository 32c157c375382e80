/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.c - reads a command's options by its table, and prints --help from it. */
#include "cli/options.h"
#include "base/word.h"
#include "cli/actions.h"
#include "cli/common.h"
#include "cli/complete.h"

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

/* ---- defaults ------------------------------------------------------------------------------------------ */

/* Whose options a section of the file is about. */
static bool is_meant(const char *section, const struct cli_command *command)
{
	return !*section || !strcmp(section, command->name);
}

/* One line of the file: an option that this command has gets its value. In the part for all commands an
 * option that this one lacks is another's; in its own section it is a mistake. */
static enum ft_status take_default(const struct ft_field *options, const char *name, const char *value,
				   bool own, struct ft_err *err)
{
	const struct ft_field *option = ft_field_find(options, name, strlen(name));

	if (!option || !option->where) {
		if (!own)
			return FT_OK;
		(void)ft_fail(err, FT_EINVAL, "there is no option '%s'", name);
		return ft_remedy(err, "foretime COMMAND --help lists them");
	}
	if (option->kind == FT_FIELD_TEXTS) {
		(void)ft_fail(err, FT_EINVAL, "option '%s' may be given several times: it has no default",
			      name);
		return ft_remedy(err, "state it on the command line");
	}
	if (option->kind != FT_FIELD_FLAG)
		return ft_field_read(option, option->where, value, err);
	if (ft_word_at("yes|true|on|1", value) != SIZE_MAX)
		return ft_field_read(option, option->where, value, err);
	if (ft_word_at("no|false|off|0", value) != SIZE_MAX)
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "'%s' is neither yes nor no", value);
	return ft_remedy(err, "write %s = yes, or leave the line out", name);
}

/* The text without blanks around it, in place. */
static char *trim(char *text)
{
	char *end = text + strlen(text);

	while (end > text && isspace((unsigned char)end[-1]))
		*--end = '\0';
	return text + strspn(text, " \t");
}

/* $FORETIME_CONFIG, else $XDG_CONFIG_HOME/foretime/config, else ~/.config/foretime/config: "[COMMAND]" begins
 * what is of one command, "NAME = VALUE" is the default of an option, '#' begins a comment. The texts stay
 * until the process ends: options borrow them. */
static int read_defaults(const struct options_reading *r)
{
	const char *named = getenv("FORETIME_CONFIG"), *config = getenv("XDG_CONFIG_HOME"),
		   *home = getenv("HOME");
	static char *kept; /* all lines, which a later call replaces: one command is read in a process */
	char *path = named               ? cli_strdup(named)
		     : config && *config ? cli_printed("%s/foretime/config", config)
		     : home && *home     ? cli_printed("%s/.config/foretime/config", home)
					 : cli_strdup("");
	FILE *file = *path ? fopen(path, "re") : NULL;
	size_t line = 0, bytes = 0;
	int status = CLI_GO;
	const char *section = "";

	free(kept);
	kept = NULL;
	if (!file) {
		if (named && *named)
			status = cli_fail("cannot open '%s': %s\nhint: correct FORETIME_CONFIG, or unset it",
					  path, strerror(errno));
		free(path);
		return status;
	}
	if (getdelim(&kept, &bytes, '\0', file) < 0)
		*(kept = cli_grow(kept, 0, 1)) = '\0';
	(void)fclose(file);
	for (char *at = kept, *next; at && status == CLI_GO; at = next) {
		char *text, *equals;
		struct ft_err err = {0};

		next = strchr(at, '\n');
		if (next)
			*next++ = '\0';
		line++;
		text = trim(at);
		equals = strchr(text, '=');
		if (!*text || *text == '#')
			continue;
		if (*text == '[' && text[strlen(text) - 1] == ']') {
			text[strlen(text) - 1] = '\0';
			section = text + 1;
		} else if (!equals) {
			status = cli_fail("%s:%zu: '%s' has no value\nhint: write NAME = VALUE, as in "
					  "confidence = 95%%",
					  path, line, text);
		} else if (is_meant(section, r->command)) {
			*equals = '\0';
			text = trim(text);
			if (take_default(r->options, text, trim(equals + 1), *section, &err))
				status = cli_error_at(&err, "%s:%zu: %s", path, line, text);
		}
	}
	free(path);
	return status;
}

int cli_options_parse(const struct cli_command *command, const struct cli_option *options, int argc,
		      char **argv, struct cli_words *words)
{
	struct ft_field *flat = cli_given(ft_fields_flat(options));
	const struct options_reading r = {command, flat, argc, argv};

	*words = (struct cli_words){0};
	bool help = false; /* which a mistake in the file must not keep from being read */
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		help |= !strncmp(argv[i], "--help", 6) || !strcmp(argv[i], "-h");
	int status = help ? CLI_GO : read_defaults(&r);
	if (status == CLI_GO)
		status = parse_all(&r, words);
	if (command->actions && status == CLI_GO)
		status = cli_action_find(command, words);
	if (command->actions && status == CLI_GO)
		status = cli_action_check_given(command, words);
	if (command->actions && status == CLI_GO)
		status = cli_action_check_words(command, words);
	free(flat);
	return status;
}
