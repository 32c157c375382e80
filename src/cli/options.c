/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.c - reads a command's options by its table, and prints --help from it. */
#include "cli/options.h"
#include "base/word.h"
#include "cli/actions.h"
#include "cli/common.h"
#include "cli/complete.h"
#include "cli/terminal.h"

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

/* What every command takes, besides --help: foretime(1) and the overview have it. */
static const struct ft_field common[] = {
	{.name = "color",
	 .kind = FT_FIELD_WORD,
	 .where = &cli_color,
	 .argument = "WHEN",
	 .words = CLI_COLORS,
	 .help = "auto (default), always or never: colours on a terminal; NO_COLOR is never"},
	{0},
};

static const char *option_name(const void *ctx, size_t i)
{
	const struct ft_field *options = ctx;

	return options[i].name && !options[i].help   ? "help"
	       : options[i].kind == FT_FIELD_HEADING ? "help"
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
static void print_option(FILE *file, const struct cli_command *command, const struct ft_field *option)
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

static void print_help(FILE *file, const struct cli_command *command, const struct ft_field *options,
		       const struct cli_action *action, enum help_part part)
{
	static const struct ft_field help = {'h',  "help", FT_FIELD_FLAG,
					     NULL, NULL,   "print this; --help=all: everything, in groups"};
	static const struct cli_command none = {0};
	const char *title = "options";

	print_usage(file, command, action, part == HELP_ONE_USAGE);
	for (bool first = true;; options++) {
		bool ends = !options->name || options->kind == FT_FIELD_HEADING;

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
static void print_page(const struct cli_command *command, const struct ft_field *options,
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
			print_help(file, command, options, action, (enum help_part)part);
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

/* ---- words -------------------------------------------------------------------------------------------- */

static const struct ft_field *find_option(const struct ft_field *options, const char *word, size_t length)
{
	if (length > 1) {
		const struct ft_field *option = ft_field_find(options, word, length);

		return option ? option : ft_field_find(common, word, length);
	}
	while (options->name && (!options->letter || options->letter != *word))
		options++;
	return options->name ? options : NULL;
}

static int unknown_option(const struct cli_command *command, const struct ft_field *options, const char *word)
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
	const struct ft_field *options;
	int argc;
	char **argv;
	bool leading; /* the first word that is no size begins a command */
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
static int parse_option(const struct options_reading *r, struct cli_words *words, int *i)
{
	const char *word = r->argv[*i];
	bool is_long = word[1] == '-';
	const char *name = word + (is_long ? 2 : 1);
	size_t length = is_long ? strcspn(name, "=") : 1;
	const struct ft_field *option = find_option(r->options, name, length);
	const char *value = name[length] ? name + length + is_long : NULL;
	struct ft_err err = {0};

	if ((is_long && length == 4 && !strncmp(name, "help", 4)) || (!is_long && !strcmp(name, "h")))
		return help(r, words, value);
	if (is_long && !strcmp(name, CLI_COMPLETE_OPTION))
		return complete_options(r);
	if (!option || (is_long && length == 1))
		return unknown_option(r->command, r->options, word);
	if (option->kind == FT_FIELD_FLAG && value)
		return cli_fail("option --%s takes no value", option->name);
	if (option->kind != FT_FIELD_FLAG && !value) {
		if (*i + 1 >= r->argc)
			return cli_fail("option --%s needs a value: %s", option->name, option->argument);
		value = r->argv[++*i];
	}
	if (words->n_given == CLI_GIVEN_MAX)
		return cli_fail("more than %d options", CLI_GIVEN_MAX);
	if (option != common) { /* that is of no action in particular */
		words->given[words->n_given].name = option->name;
		words->given[words->n_given++].value = value;
	}
	if (ft_field_read(option, option->where, value, &err))
		return cli_error_at(&err, "option --%s", option->name);
	return CLI_GO;
}

/* Options, words, and what stands behind `--`. Words move to where options stood before them. */
static int parse_all(const struct options_reading *r, struct cli_words *words)
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

	if (!option)
		option = ft_field_find(common, name, strlen(name));
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

void cli_defaults_end(void)
{
	(void)setenv("FORETIME_CONFIG", "", 1);
}

static int parse(const struct cli_command *command, const struct ft_field *options, int argc, char **argv,
		 struct cli_words *words, bool leading)
{
	struct ft_field *flat = cli_given(ft_fields_flat(options));
	const struct options_reading r = {command, flat, argc, argv, leading};
	bool help = false; /* which a mistake in the file must not keep from being read */

	*words = (struct cli_words){0};
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

int cli_options_parse(const struct cli_command *command, const struct ft_field *options, int argc,
		      char **argv, struct cli_words *words)
{
	return parse(command, options, argc, argv, words, false);
}

int cli_options_parse_leading(const struct cli_command *command, const struct ft_field *options, int argc,
			      char **argv, struct cli_words *words)
{
	bool leading = true;

	/* Words before a later `--` are not the command: it stands behind that. */
	for (int i = 1; i < argc; i++)
		leading = leading && strcmp(argv[i], "--") != 0;
	return parse(command, options, argc, argv, words, leading);
}
