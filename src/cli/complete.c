/* SPDX-License-Identifier: GPL-3.0-or-later */
/* complete.c - completes words for shells, from the tables that commands are parsed by. */
#include "cli/cli.h"
#include "cli/options.h"
#include "foretime/adapt.h"
#include "foretime/build.h"
#include "foretime/facts.h"
#include "foretime/surrogate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- values of options --------------------------------------------------------------------------------- */

static const char *method(size_t i)
{
	const struct ft_builder_type *type = ft_builder_type_get(i);

	return type ? type->name : NULL;
}

static const char *resource(size_t i)
{
	const struct ft_resource *known = ft_resource_get(i);

	return known ? known->name : NULL;
}

static const char *solver(size_t i)
{
	const struct ft_solver *known = ft_solver_get(i);

	return known ? known->name : NULL;
}

static const char *format_read(size_t i)
{
	const struct ft_format *format;

	for (size_t k = 0; (format = ft_format_get(k)); k++)
		if (format->read && !i--)
			return format->name;
	return NULL;
}

static const char *format_written(size_t i)
{
	const struct ft_format *format;

	for (size_t k = 0; (format = ft_format_get(k)); k++)
		if (format->write && !i--)
			return format->name;
	return NULL;
}

/* Completions of option values; the first matching row counts. */
static const struct values {
	const char *command; /* NULL: any */
	const char *option;
	const char *words;            /* with blanks between; more than those of get */
	const char *(*get)(size_t i); /* NULL: none */
} values[] = {
	{"build", "method", NULL, method},
	{NULL, "resource", "time memory all", resource},
	{NULL, "solver", NULL, solver},
	{"machine", "via", "ssh", NULL},
	{"build", "via", "slurm parallel mpiexec steps", NULL},
	{NULL, "via", "local mpiexec srun parallel", NULL},
	{"request", "format", "slurm sbatch-array pbs lsf htcondor snakemake nextflow tpv json", NULL},
	{"plan", "format", "multi-prog mpiexec parallel slurm snakemake starpu csv dot json", NULL},
	{"export", "format", NULL, format_written},
	{NULL, "from", NULL, format_read},
	{NULL, "class", "laws power polylog", NULL},
	{NULL, "mode", "dag concurrent sequential hybrid", NULL},
	{NULL, "load", "idle usual now", NULL},
	{NULL, "start", "best equal dp merge :files", NULL},
	{NULL, "smooth", "auto", NULL},
	{"plan", "least", "energy both", NULL},
	{NULL, "least", "time energy", NULL},
	{"predict", "at", "best", NULL},
};

/* FILE.csv, PATH, OUTPUT ...: an argument that names a file. */
static bool is_file(const char *argument)
{
	static const char *const names[] = {"FILE", "PATH", "DIR"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strncmp(argument, names[i], strlen(names[i])))
			return true;
	return strchr(argument, '.') != NULL; /* HOSTS.csv */
}

static void print_values(const struct cli_command *command, const struct ft_field *option, const char *lead)
{
	const char *name;

	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		const struct values *row = &values[i];

		if (strcmp(row->option, option->name) != 0 ||
		    (row->command && strcmp(row->command, command->name) != 0))
			continue;
		for (size_t k = 0; row->get && (name = row->get(k)); k++)
			printf("%s%s\n", lead, name);
		/* lead: printed before each word, "--resource=" or nothing; shell directives (":files") have none. */
		const char *words = row->words;
		while (words && *words) {
			size_t length = strcspn(words, " ");

			printf("%s%.*s\n", *words == ':' ? "" : lead, (int)length, words);
			words += length + (words[length] == ' ');
		}
		return;
	}
	for (const char *at = option->words; at && *at; at += strspn(at, "|")) {
		printf("%s%.*s\n", lead, (int)strcspn(at, "|"), at);
		at += strcspn(at, "|");
	}
	if (!option->words && is_file(option->argument))
		puts(":files");
}

/* ---- options ------------------------------------------------------------------------------------------- */

/* "--resource=", as begun there, and a value behind it. */
static bool is_given(const struct ft_field *option, const char *at)
{
	size_t length = strlen(option->name);

	return option->argument && !strncmp(at, "--", 2) && !strncmp(at + 2, option->name, length) &&
	       at[2 + length] == '=';
}

/* "--resource", "-r". */
static bool is_option(const struct ft_field *option, const char *word)
{
	if (word[0] == '-' && word[1] == '-')
		return !strcmp(word + 2, option->name);
	return word[0] == '-' && word[1] && word[1] == option->letter && !word[2];
}

/* Whether one of the words is an option that excludes this one. */
static bool is_excluded(const struct ft_field *options, const struct ft_field *option, int n, char **word)
{
	for (; options->name; options++)
		for (int i = 0; i < n && ft_fields_exclude(options, option); i++)
			if (is_option(options, word[i]) || is_given(options, word[i]))
				return true;
	return false;
}

int cli_complete_option(const struct cli_command *command, const struct ft_field *options,
			const struct cli_action *action, int n, char **word)
{
	const char *before = word[n - 2], *at = word[n - 1];

	for (const struct ft_field *option = options; option->name; option++) {
		bool given = is_given(option, at);

		if (given || (option->argument && is_option(option, before))) {
			char *lead = given ? cli_printed("--%s=", option->name) : cli_strdup("");

			print_values(command, option, lead);
			free(lead);
			return CLI_DONE;
		}
	}
	if (*at != '-')
		return CLI_NO;
	for (const struct ft_field *option = options; option->name; option++)
		if (option->kind != FT_FIELD_HEADING && option->help && !option->of &&
		    (!action || cli_action_takes(action, option->name)) &&
		    !is_excluded(options, option, n - 1, word))
			printf("--%s\t%s\n", option->name, option->help);
	puts("--color\tauto, always or never");
	puts("--help\teveryday options; --help=all: everything");
	return CLI_DONE;
}

/* ---- words --------------------------------------------------------------------------------------------- */

/* Completions of the words that are no options. */
static const struct {
	const char *command, *action; /* action NULL: any, or the command has none */
	const char *words;            /* ":names": those of the programs in the store */
} words_of[] = {
	{"build", NULL, ":names"},
	{"predict", NULL, ":names"},
	{"largest", NULL, ":names"},
	{"fit", NULL, ":names :files"},
	{"request", NULL, ":names"},
	{"verify", NULL, ":names"},
	{"plot", NULL, ":names"},
	{"plan pack", NULL, ":names"},
	{"run", NULL, ""},
	{"device", "rank", ":names :files"},
	{"device", "table", ":names"},
	{"device", NULL, ":files"},
	{"show", NULL, ":names"},
	{"rm", NULL, ":names"},
	{"export", NULL, ":names"},
	{"import", NULL, ":files"},
	{"set", NULL, ":names"},
	{"plan", "partition", ":names"},
	{"plan", "rank", ":names"},
	{"plan", "export", ":names"},
	{"plan", NULL, ":files"},
	{"machine", "import", ":files"},
	{"trace", NULL, ":files"},
	{"energy", NULL, ":files"},
	{"surrogate", NULL, ":names :files"},
};

static void print_commands(void)
{
	const struct cli_command *command;

	for (unsigned i = 0; (command = cli_command_get(i)); i++)
		if (!strchr(command->name, ' '))
			printf("%s\t%s\n", command->name, command->about);
}

static int print_names(void)
{
	char name[] = "list", names[] = "--names";
	char *argv[] = {name, names, NULL};

	return cli_list.run(&cli_list, 2, argv);
}

static int print_words_of(const struct cli_command *command, const char *action)
{
	for (size_t i = 0; i < sizeof words_of / sizeof *words_of; i++) {
		if (strcmp(words_of[i].command, command->name) != 0 ||
		    (words_of[i].action && strcmp(words_of[i].action, action) != 0))
			continue;
		if (strstr(words_of[i].words, ":files"))
			puts(":files");
		return strstr(words_of[i].words, ":names") ? print_names() : CLI_DONE;
	}
	return CLI_DONE;
}

/* Complete within a command: n words, from the last one of its name to that at the cursor. */
static int complete_command(const struct cli_command *command, int n, char **word)
{
	char none[] = "";
	int status = CLI_NO;
	bool has_action = command->actions && n > 2 && word[1][0] != '-';

	if (word[n - 1][0] == '-' || word[n - 2][0] == '-') {
		/* Query the command itself: it owns its table of options. */
		char name[] = "--" CLI_COMPLETE_OPTION;
		char **argv = cli_alloc(((size_t)n + 4) * sizeof *argv);

		argv[0] = cli_strdup(command->name);
		argv[1] = name;
		argv[2] = (has_action ? word[1] : none);
		memcpy(argv + 3, word, (size_t)n * sizeof *word);
		status = command->run(command, n + 3, argv);
		free(argv[0]);
		free(argv);
	}
	if (status != CLI_NO)
		return status;
	if (command->actions && n == 2) {
		const struct cli_command *further;

		for (const struct cli_action *action = command->actions; action->name; action++)
			printf("%s\t%s\n", action->name, action->about);
		for (unsigned i = 0; (further = cli_command_in(command->name, i)); i++)
			printf("%s\t%s\n", further->name + strlen(command->name) + 1, further->about);
	} else if (!strcmp(command->name, "help")) {
		print_commands();
	} else if (!strcmp(command->name, "largest") && n > 2) {
		puts(":open\ntime=\nmemory=\ncpu_s=\npeak_rss_bytes=");
	} else {
		return print_words_of(command, has_action ? word[1] : "");
	}
	return CLI_DONE;
}

int cli_complete(int n, char **word)
{
	for (int i = 1; i < n - 1; i++)
		if (!strcmp(word[i], "--")) { /* the program, and its arguments */
			puts(i == n - 2 ? ":commands" : ":files");
			return CLI_DONE;
		}
	if (n < 2) {
		print_commands();
		puts("--help\twhat foretime can do\n--version");
		return CLI_DONE;
	}
	n--; /* the word at the cursor names no command yet */
	char *at_cursor = word[n], **called = cli_alias(&n, word), **at = called;
	const struct cli_command *command = cli_command_find(&n, &at);
	at[n] = at_cursor; /* in place of the NULL there */
	int status = command ? complete_command(command, n + 1, at) : CLI_WRONG;
	free(called);
	return status;
}
