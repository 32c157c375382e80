/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.c - parses a command's options by its table, and prints --help from it. */
#include "base/text.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "foretime/adapt.h"

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
	HELP_LINES = 25, /* everyday options */
	WORD_MAX = 64
};

/* Options of every command, besides --help: foretime(1) and the overview describe them. */
static const struct ft_field common[] = {
	{.name = "color",
	 .kind = FT_FIELD_WORD,
	 .where = &cli_color,
	 .argument = "WHEN",
	 .words = CLI_COLORS,
	 .help = "auto (default), always or never: colours on a terminal; NO_COLOR is never"},
	{0},
};

static bool color_is_given; /* on the command line, before defaults are read */

static const char *option_name(const void *ctx, size_t i)
{
	const struct ft_field *options = ctx;

	return options[i].name && (!options[i].help || options[i].of) ? "help"
	       : options[i].kind == FT_FIELD_HEADING                  ? "help"
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

/* The description of an option, preceded by the actions that take it if not all do. The caller frees it. */
static char *option_text(const struct cli_command *command, const struct ft_field *option)
{
	char list[CLI_LIST_MAX];
	size_t all = command->actions && strcmp(option->name, "help") != 0 ? cli_actions_count(command, NULL)
									   : 0,
	       takers = all ? cli_actions_count(command, option->name) : 0;

	if (takers == all)
		return cli_strdup(option->help);
	cli_actions_list(command, option->name, 2 * takers <= all, ", ", list);
	return cli_printed("%s%s: %s", 2 * takers <= all ? "" : "not ", list, option->help);
}

/* Its keys, which are rows of the same table, stand below it. */
static void print_option(FILE *file, const struct cli_command *command, const struct ft_field *option,
			 const struct ft_field *options, bool keys)
{
	char letter[] = "    ";
	bool has_keys = false;

	for (const struct ft_field *key = options; key && key->name && !has_keys; key++)
		has_keys = key->of && !strcmp(key->of, option->name);
	if (option->letter)
		(void)snprintf(letter, sizeof letter, "-%c, ", option->letter);
	char *head = cli_printed("%s--%s%s%s%s", letter, option->name, option->argument ? " " : "",
				 option->argument ? option->argument : "", has_keys ? ",..." : ""),
	     *text = option_text(command, option);
	print_named(file, head, text, HELP_COLUMN);
	free(text);
	free(head);
	for (const struct ft_field *key = options; has_keys && keys && key->name; key++) {
		if (!key->of || strcmp(key->of, option->name) != 0)
			continue;
		head = cli_printed("      ,%s%s%s", key->name, key->argument ? "=" : "",
				   key->argument ? key->argument : "");
		print_named(file, head, key->help, HELP_COLUMN);
		free(head);
	}
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

/* How much is printed: each value leaves out more than the one before. */
enum help_part { HELP_ALL, HELP_WITHOUT_NOTES, HELP_EVERYDAY, HELP_ONE_USAGE, N_HELP_PARTS };

static const struct ft_field help_option = {'h',  "help", FT_FIELD_FLAG,
					    NULL, NULL,   "print this; --help=all: everything, in groups"};

static void print_help(FILE *file, const struct cli_command *command, const struct ft_field *options,
		       const struct cli_action *action, enum help_part part)
{
	static const struct cli_command none = {0};
	const char *title = "options";

	const struct ft_field *const all = options;

	print_usage(file, command, action, part == HELP_ONE_USAGE);
	for (bool first = true;; options++) {
		bool ends = !options->name || options->kind == FT_FIELD_HEADING;

		if (!ends &&
		    (!options->help || options->of || (action && !cli_action_takes(action, options->name))))
			continue;
		if (title && (!ends || first))
			fprintf(file, "\n%s:\n", title);
		if (!ends) {
			print_option(file, action ? &none : command, options, all, part == HELP_ALL);
			title = NULL;
			continue;
		}
		if (first)
			print_option(file, &none, &help_option, NULL, false);
		first = false;
		title = options->help;
		if (!options->name || part >= HELP_EVERYDAY)
			break;
	}
	if (command->notes && part == HELP_ALL) {
		/* Texts of a line each are joined to paragraphs; lines that begin with a blank stand as they are. */
		const char *notes = command->notes;
		fputc('\n', file);
		while (*notes) {
			size_t length = strcspn(notes, "\n");

			while (*notes != ' ' && notes[length] && notes[length + 1] &&
			       notes[length + 1] != ' ' && notes[length + 1] != '\n')
				length += 1 + strcspn(notes + length + 1, "\n");
			if (*notes == ' ' || !length)
				fprintf(file, "%.*s\n", (int)length, notes);
			else
				wrap(file, notes, length, 0, 0);
			notes += length + (notes[length] == '\n');
		}
	}
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
		if (command->actions && !action && !everything) {
			const struct cli_command *further;

			fprintf(file, "usage: foretime %s ACTION ...\n\nactions:\n", command->name);
			for (const struct cli_action *each = command->actions; each->name; each++)
				print_named(file, each->name, each->about, ACTION_COLUMN);
			for (unsigned i = 0; (further = cli_command_in(command->name, i)); i++)
				print_named(file, strchr(further->name, ' ') + 1, further->about,
					    ACTION_COLUMN);
		} else {
			print_help(file, command, options, action, (enum help_part)part);
		}
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

/* ---- the manual -----------------------------------------------------------------------------------------
 */

/* Print text literally: characters special to scdoc get a backslash. */
static void print_literal(const char *text, size_t length)
{
	for (; length; length--, text++) {
		if (strchr("*_\\", *text))
			putchar('\\');
		putchar(*text);
	}
}

static void print_entry(const struct cli_command *command, const struct ft_field *options,
			const struct ft_field *option)
{
	char *text = option_text(command, option);
	size_t length = strlen(text);
	const char *lead = "\tExcludes ";

	if (text[strspn(text, "abcdefghijklmnopqrstuvwxyz")] == ' ')
		*text = (char)toupper((unsigned char)*text); /* a word, not a name or a list */
	putchar('\n');
	if (option->letter)
		printf("*-%c*, ", option->letter);
	printf("*--%s*", option->name);
	if (option->argument) {
		fputs(" _", stdout);
		print_literal(option->argument, strlen(option->argument));
		putchar('_');
	}
	fputs(*text == '-' ? "\n\t\\" : "\n\t", stdout); /* no item of a list */
	print_literal(text, length);
	puts(text[length - 1] == '.' ? "" : ".");
	for (const struct ft_field *other = options; other->name; other++)
		if (other->help && ft_fields_exclude(option, other)) {
			printf("%s*--%s*", lead, other->name);
			lead = ", ";
		}
	if (*lead == ',')
		puts(".");
	for (const struct ft_field *key = options; key->name; key++) {
		if (!key->of || !key->help || strcmp(key->of, option->name) != 0)
			continue;
		printf("\n\t_,%s%s", key->name, key->argument ? "=" : "");
		print_literal(key->argument ? key->argument : "", key->argument ? strlen(key->argument) : 0);
		fputs("_: ", stdout);
		print_literal(key->help, strlen(key->help));
		puts(".");
	}
	free(text);
}

/* Print the parts of a manual page that come from tables, for scdoc: NAME, SYNOPSIS and OPTIONS. man/page
 * adds the parts written by hand. An action has its own section; options of several actions are listed
 * once, in the last. */
static void print_manual(const struct cli_command *command, const struct ft_field *options)
{
	static const struct cli_action alone[] = {{.name = ""}, {0}};
	static const struct cli_command none = {0};
	const struct cli_action *actions = command->actions ? command->actions : alone;

	if (command == &cli_help)
		cli_commands_manual();
	fputs("@HEAD@\n# NAME\n\nforetime-", stdout);
	for (const char *c = command->name; *c; c++)
		putchar(*c == ' ' ? '-' : *c);
	printf(" - %s\n\n# SYNOPSIS\n\n", command->about);
	for (const struct cli_action *action = actions; action->name; action++)
		for (const char *form = command->actions ? action->usage : command->usage; form;) {
			size_t length = strcspn(form, "\n");

			printf("*foretime %s%s%s* ", command->name, command->actions ? " " : "",
			       action->name);
			print_literal(form, length);
			form = form[length] ? form + length + 1 : NULL;
			puts(form || action[1].name ? " ++" : "");
		}
	puts(command->actions ? "@OPTIONS@\n# ACTIONS" : "@OPTIONS@\n# OPTIONS");
	for (const struct cli_action *action = command->actions; action && action->name; action++) {
		const char *lead = "\nAlso ";

		printf("\n## foretime %s %s\n\n%c%s.\n", command->name, action->name,
		       toupper((unsigned char)*action->about), action->about + 1);
		for (const struct ft_field *option = options; option->name; option++)
			if (*option->name && option->help && !option->of &&
			    cli_action_takes(action, option->name) &&
			    cli_actions_count(command, option->name) == 1)
				print_entry(&none, options, option);
		for (const struct ft_field *option = options; option->name; option++)
			if (*option->name && option->help && !option->of &&
			    cli_action_takes(action, option->name) &&
			    cli_actions_count(command, option->name) > 1) {
				printf("%s*--%s*", lead, option->name);
				lead = ", ";
			}
		if (*lead == ',')
			puts(".");
	}
	if (command->actions)
		puts("\n# OPTIONS");
	bool everyday = true;
	for (const struct ft_field *option = options;; option++) {
		bool heading = option->name && option->kind == FT_FIELD_HEADING;

		if (everyday && (heading || !option->name))
			print_entry(command, options, &help_option);
		everyday &= option->name && !heading;
		if (!option->name)
			break;
		if (heading && !command->actions)
			printf("\n## %c%s\n", toupper((unsigned char)*option->help), option->help + 1);
		else if (!heading && option->help && !option->of &&
			 (!command->actions || cli_actions_count(command, option->name) > 1))
			print_entry(command, options, option);
	}
}

/* ---- words -------------------------------------------------------------------------------------------- */

/* Where the value of an option comes from: nowhere, the file of defaults, or the command line; an output
 * form may be overridden by another one on the command line. */
enum given { GIVEN_NOT, GIVEN_DEFAULT, GIVEN_OTHER, GIVEN };

/* The state of the parser. */
struct options_reading {
	const struct cli_command *command;
	const struct ft_field *options;
	enum given *given; /* by option */
	int argc;
	char **argv;
	bool leading; /* the first word that is no size begins a command */
};

/* Old spellings of options, and what each is now: "=VALUE" is what one that took no value stands for. They go
 * with the next release. */
static const struct {
	const char *command, *old, *now;
} old_options[] = {
	{"build", "points", "limit"},
	{"build", "reps", "runs"},
	{"build", "tell", "timed"},
	{"device", "expressions", "expression"},
	{"device", "groups", "limit"},
	{"device", "reps", "runs"},
	{"device", "steps", "effort"},
	{"device", "tell", "timed"},
	{"device", "times", "runs"},
	{"energy", "curve", "all"},
	{"energy", "threads", "by"},
	{"energy", "watts", "powers"},
	{"import", "again", "all"},
	{"import", "machine-memory", "memory"},
	{"list", "most", "limit"},
	{"machine load", "for", "timeout"},
	{"machine load", "history", "since"},
	{"machine load", "interval", "every"},
	{"machine load", "keep", "expires"},
	{"machine load", "processors", "cpus"},
	{"machine", "table", "replay"},
	{"plan pack", "cores", "cpus"},
	{"plan pack", "most", "limit"},
	{"plan pack", "within", "tolerance"},
	{"plan", "plot", "output"},
	{"plan", "rounds", "runs"},
	{"request", "size-from", "size"},
	{"run", "sample", "every"},
	{"serve", "check", "dry-run"},
	{"slurm", "limit", "timeout"},
	{"slurm", "on", "machine"},
	{"slurm", "once", "every=once"},
	{"surrogate", "admit", "all"},
	{"surrogate", "group", "by"},
	{"surrogate", "predictions", "output"},
	{"surrogate", "repeats", "runs"},
	{"surrogate", "reps", "runs"},
	{"surrogate", "turned", "transpose"},
	{"trace", "draw", "width"},
	{"trace", "error", "tolerance"},
	{"trace", "fit", "model"},
	{"trace", "keep-from", "model"},
	{"trace", "steps", "hold"},
	{"verify", "repetitions", "runs"},
	{"verify", "report", "format"},
	{"verify", "reps", "runs"},
	{"verify", "strict", "two-sided"},
};

/* fixed: out, the value that an old spelling stands for; NULL: it has its own. */
static const struct ft_field *find_option(const struct options_reading *r, const char *word, size_t length,
					  const char **fixed)
{
	const struct ft_field *option = r->options;

	*fixed = NULL;
	if (length == 1) {
		while (option->name && (!option->letter || option->letter != *word))
			option++;
		return option->name ? option : NULL;
	}
	option = ft_field_find(r->options, word, length);
	for (size_t i = 0; !option && i < sizeof old_options / sizeof *old_options; i++) {
		const char *now = old_options[i].now, *is = strchr(now, '=');

		if (strcmp(old_options[i].command, r->command->name) != 0 ||
		    strlen(old_options[i].old) != length || strncmp(old_options[i].old, word, length) != 0)
			continue;
		option = ft_field_find(r->options, now, is ? (size_t)(is - now) : strlen(now));
		*fixed = is ? is + 1 : NULL;
	}
	return option ? option : ft_field_find(common, word, length);
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

/* --help behind an action is about that one. much: what stands behind =, or NULL. */
static int help(const struct options_reading *r, const struct cli_words *words, const char *much)
{
	struct cli_words behind = *words;
	int status = CLI_GO;

	if (much && !strcmp(much, "man")) {
		print_manual(r->command, r->options);
		return CLI_DONE;
	}
	if (much && strcmp(much, "all") != 0)
		return cli_fail("--help=%s: there is --help=all, and --help alone", much);
	if (r->command->actions && words->n)
		status = cli_action_find(r->command, &behind);
	if (status != CLI_GO)
		return status;
	print_page(r->command, r->options, behind.action, much);
	return CLI_DONE;
}

/* The key of an option that begins there: "rank=3", or of a flag "plain". */
static const struct ft_field *key_at(const struct ft_field *options, const char *option, const char *at)
{
	for (; options->name; options++) {
		size_t length = strlen(options->name);

		if (options->of && !strcmp(options->of, option) && !strncmp(at, options->name, length) &&
		    (options->kind == FT_FIELD_FLAG ? !at[length] || at[length] == ',' : at[length] == '='))
			return options;
	}
	return NULL;
}

/* The words of --format; each is also accepted as an option of its own if the table has such a FLAG. NULL:
   no such row. */
static const char *forms_of(const struct ft_field *options, const struct ft_field **format)
{
	*format = ft_field_find(options, "format", 6);
	return !*format ? NULL : (*format)->words ? (*format)->words : "json|csv";
}

/* Select one output form: its flag is set, the other forms' flags are cleared. */
static enum ft_status take_form(const struct options_reading *r, const char *form, enum given as,
				struct ft_err *err)
{
	const struct ft_field *options = r->options, *format;
	const char *forms = forms_of(options, &format);
	unsigned at;

	if (format->words) {
		const struct ft_field word = {.kind = FT_FIELD_WORD, .words = forms},
				      *from = ft_field_find(options, "from", 4);
		const struct ft_format *file;

		/* --from was called --format. */
		if (from && ft_word_at(forms, form) == SIZE_MAX && !ft_format_find(form, &file, NULL))
			return ft_field_read(from, from->where, form, err);
		FT_TRY(ft_field_read(&word, &at, form, err));
	}
	if (format->where)
		*(const char **)format->where = form && strcmp(form, "text") != 0 ? form : NULL;
	for (; options->name; options++)
		if (options->kind == FT_FIELD_FLAG && !options->of &&
		    ft_word_at(forms, options->name) != SIZE_MAX)
			*(bool *)options->where = !strcmp(options->name, form);
	for (size_t i = 0; r->options[i].name && as == GIVEN; i++)
		if (&r->options[i] == format || (r->options[i].kind == FT_FIELD_FLAG && !r->options[i].of &&
						 ft_word_at(forms, r->options[i].name) != SIZE_MAX))
			r->given[i] = strcmp(r->options[i].name, form) != 0 ? GIVEN_OTHER : GIVEN;
	return FT_OK;
}

/* A default gives way to the command line, and to what is excluded there. */
static enum ft_status read_field(const struct options_reading *r, const struct ft_field *field,
				 const char *text, enum given as, struct ft_err *err)
{
	const struct ft_field *format;
	const char *forms = forms_of(r->options, &format);

	/* --most and --limit are two spellings of one value. */
	for (size_t i = 0; r->options[i].name && as == GIVEN_DEFAULT; i++)
		if ((r->options[i].where == field->where && r->given[i] >= GIVEN_OTHER) ||
		    (r->given[i] == GIVEN && ft_fields_exclude(field, &r->options[i])))
			return FT_OK;
	for (size_t i = 0; r->options[i].name && as == GIVEN_DEFAULT; i++)
		if (r->given[i] == GIVEN_DEFAULT)
			FT_TRY(ft_fields_together(&r->options[i], field, "", err));
	r->given[field - r->options] = as;
	if (field == format)
		return take_form(r, text, as, err);
	if (forms && field->kind == FT_FIELD_FLAG && !field->of && ft_word_at(forms, field->name) != SIZE_MAX)
		return take_form(r, field->name, as, err);
	return ft_field_read(field, field->where, text, err);
}

/* Split off the keys of a value: "nmf,rank=3,loss=kl"; "rank=3" alone leaves the option as it is. An
 * option without storage has keys only. */
static enum ft_status read_value(const struct options_reading *r, const struct ft_field *option,
				 const char *text, enum given as, struct ft_err *err)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz-",
			  plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./%-,";
	const struct ft_field *options = r->options, *field = option;
	const char *start = text;
	char *keys = NULL;

	for (const struct ft_field *key = options; key->name; key++)
		if (key->of && !strcmp(key->of, option->name))
			cli_reprint(&keys, "%s%s%s", keys ? keys : "", keys ? ", " : "", key->name);
	for (const char *at = keys ? text : NULL; at; at = strchr(at, ',')) {
		at += *at == ',';
		const struct ft_field *key = key_at(options, option->name, at);
		const size_t length = strspn(at, letters);
		/* Behind a name only a key can follow; commands and expressions contain such words, too. */
		if (!key &&
		    (at > text ? length > 1 && at[length] == '=' && strspn(text, plain) >= (size_t)(at - text)
			       : !option->where)) {
			(void)ft_fail(err, FT_EINVAL, "'%.*s' is none of its keys", (int)strcspn(at, "=,"),
				      at);
			(void)ft_remedy(err, "write one of these: %s", keys);
			break;
		}
		if (!key)
			continue;
		if (at > text) {
			((char *)(uintptr_t)at)[-1] = '\0'; /* argv's, or the file's of defaults */
			if (read_field(r, field, start, as, err))
				break;
		}
		field = key;
		start = at + strlen(key->name);
		start += *start == '=';
		at = start;
	}
	free(keys);
	if (err->status || !read_field(r, field, start, as, err))
		return err->status;
	return field == option ? err->status : ft_fail_at(err, "%s", field->name);
}

/* One option at argv[*i]; moves *i over its value. */
static int parse_option(const struct options_reading *r, struct cli_words *words, int *i)
{
	const char *word = r->argv[*i], *fixed;
	bool is_long = word[1] == '-';
	const char *name = word + (is_long ? 2 : 1);
	size_t length = is_long ? strcspn(name, "=") : 1;
	const struct ft_field *option = find_option(r, name, length, &fixed);
	const char *value = name[length] ? name + length + is_long : NULL;
	struct ft_err err = {0};

	if ((is_long && length == 4 && !strncmp(name, "help", 4)) || (!is_long && !strcmp(name, "h")))
		return help(r, words, value);
	if (is_long && !strcmp(name, CLI_COMPLETE_OPTION)) {
		/* Options at the cursor, for cli_complete: the action, and the words up to the cursor. */
		const struct cli_action *action = r->command->actions;

		if (r->argc < 5)
			return CLI_WRONG;
		while (action && action->name && strcmp(action->name, r->argv[2]) != 0)
			action++;
		return cli_complete_option(r->command, r->options, action && action->name ? action : NULL,
					   r->argc - 3, r->argv + 3);
	}
	if (!option || (is_long && length == 1))
		return unknown_option(r->command, r->options, word);
	if ((option->kind == FT_FIELD_FLAG || fixed) && value)
		return cli_fail("option --%.*s takes no value", (int)length, name);
	value = fixed ? fixed : value;
	if (option->kind != FT_FIELD_FLAG && !value) {
		if (*i + 1 >= r->argc)
			return cli_fail("option --%s needs a value: %s", option->name, option->argument);
		value = r->argv[++*i];
	}
	if (words->n_given == CLI_GIVEN_MAX)
		return cli_fail("more than %d options", CLI_GIVEN_MAX);
	if (option == common) { /* it belongs to no particular action */
		color_is_given = true;
		if (ft_field_read(option, option->where, value, &err))
			return cli_error_at(&err, "option --%s", option->name);
		return CLI_GO;
	}
	words->given[words->n_given].name = option->of ? option->of : option->name;
	words->given[words->n_given].value = option->of ? NULL : value;
	words->n_given++;
	if (value ? read_value(r, option, value, GIVEN, &err) : read_field(r, option, value, GIVEN, &err))
		return cli_error_at(&err, "option --%s", option->name);
	return CLI_GO;
}

/* Only one form is printed: two of them are a mistake. What an action takes is the flag. */
static int check_forms(const struct options_reading *r, struct cli_words *words)
{
	const struct ft_field *format, *flag;
	const char *forms = forms_of(r->options, &format), *first = NULL;

	for (size_t i = 0; i < words->n_given && forms; i++) {
		const char *name = words->given[i].name, *value = words->given[i].value;
		const char *form = !strcmp(name, "format")                         ? value
				   : !value && ft_word_at(forms, name) != SIZE_MAX ? name
										   : NULL;

		if (!form || strchr(form, '=') || (format->words && ft_word_at(forms, form) == SIZE_MAX))
			continue; /* keys alone, or of another option */
		if (first && strcmp(first, form) != 0)
			return cli_fail("%s and %s are two formats\nhint: choose one of them: --format %s",
					first, form, form);
		first = form;
		flag = ft_field_find(r->options, form, strlen(form));
		if (flag && flag->kind == FT_FIELD_FLAG && !flag->of)
			words->given[i].name = flag->name;
	}
	return CLI_GO;
}

/* ---- defaults ------------------------------------------------------------------------------------------ */

/* One line of the file: an option that this command has gets its value, unless the command line has it or
 * another one that excludes it. In the part for all commands an option that this one lacks is another's; in
 * its own section it is a mistake. */
static enum ft_status take_default(const struct options_reading *r, const char *name, const char *value,
				   bool own, struct ft_err *err)
{
	const char *fixed;
	const struct ft_field *option = find_option(r, name, strlen(name), &fixed);

	if (option == common)
		return color_is_given ? FT_OK : ft_field_read(option, option->where, value, err);
	if (!option) {
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
	bool on = true;
	if (option->kind == FT_FIELD_FLAG || fixed)
		FT_TRY(ft_flag_read(value, &on, err));
	if (!on)
		return FT_OK;
	return option->kind == FT_FIELD_FLAG
		       ? read_field(r, option, value, GIVEN_DEFAULT, err)
		       : read_value(r, option, fixed ? fixed : value, GIVEN_DEFAULT, err);
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
		} else if (!*section || !strcmp(section, r->command->name)) {
			*equals = '\0';
			text = trim(text);
			if (take_default(r, text, trim(equals + 1), *section, &err))
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

/* Options that were given go together. */
static int check_excluded(const struct options_reading *r)
{
	struct ft_err err = {0};

	for (size_t i = 0; r->options[i].name; i++)
		for (size_t k = i + 1; r->given[i] == GIVEN && r->options[k].name; k++)
			if (r->given[k] == GIVEN &&
			    ft_fields_together(&r->options[i], &r->options[k], "--", &err))
				return cli_error(&err);
	return CLI_GO;
}

static int parse(const struct cli_command *command, const struct ft_field *options, int argc, char **argv,
		 struct cli_words *words, bool leading)
{
	struct ft_field *flat = cli_given(ft_fields_flat(options));
	size_t n = 1;

	while (flat[n - 1].name)
		n++;
	const struct options_reading r = {command, flat, cli_alloc(n * sizeof(enum given)),
					  argc,    argv, leading};
	*words = (struct cli_words){.command = command};
	/* Options, words, and what stands behind `--`. Words move to where options stood before them. */
	int status = CLI_GO;

	words->word = r.argv + !r.leading; /* a NULL behind them is not where the command begins */
	for (int i = 1; i < r.argc && status == CLI_GO; i++) {
		const bool separator = !strcmp(r.argv[i], "--"), option = r.argv[i][0] == '-' && r.argv[i][1];

		if (separator || (r.leading && !option && !strchr(r.argv[i], '='))) {
			words->rest = r.argv + i + separator;
			words->n_rest = (size_t)(r.argc - i - separator);
			words->separated = true;
			break;
		}
		if (option)
			status = parse_option(&r, words, &i);
		else
			words->word[words->n++] = r.argv[i];
	}
	words->word[words->n] = NULL; /* at the farthest where `--` stood, or argv's own end */
	if (status == CLI_GO)
		status = check_forms(&r, words);
	if (command->actions && status == CLI_GO)
		status = cli_action_find(command, words);
	if (command->actions && status == CLI_GO)
		status = cli_action_check_given(command, words);
	if (command->actions && status == CLI_GO)
		status = cli_action_check_words(command, words);
	if (status == CLI_GO)
		status = check_excluded(&r);
	if (status == CLI_GO)
		status = read_defaults(&r);
	free(r.given);
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
