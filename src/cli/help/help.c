/* SPDX-License-Identifier: GPL-3.0-or-later */
/* help.c - what foretime can do, or what one command takes. */
#include "cli/answers.h"
#include "cli/common.h"
#include "cli/help/glossary.h"
#include "cli/options.h"
#include "cli/output.h"

#include <stdlib.h>
#include <string.h>

static void print_names(void)
{
	const struct cli_command *command;

	for (unsigned i = 0; (command = cli_command_get(i)); i++)
		puts(command->name);
}

struct help_told {
	const char *version;
	struct cli_command command[64];
	size_t n;
};

static const struct ft_tell_row command_rows[] = {
	{FT_TELL(struct cli_command, name)},
	{FT_TELL(struct cli_command, about)},
	{0},
};
static const struct ft_tell_record commands = {.bytes = sizeof(struct cli_command), .row = command_rows};

static const struct ft_tell_row rows[] = {
	{FT_TELL(struct help_told, version)},
	{FT_TELL_MANY(ARRAY, "commands", struct help_told, command, n, &commands)},
	{0},
};
const struct ft_tell_record cli_help_told = {.name = "help", .version = 1, .row = rows};

static void print_json(void)
{
	const struct cli_command *command;
	struct help_told told = {.version = FT_VERSION};

	while (told.n < 64 && (command = cli_command_get((unsigned)told.n)))
		told.command[told.n++] = *command;
	cli_tell(&cli_help_told, &told, NULL);
}

static int print_glossary(void)
{
	for (size_t i = 0; cli_help_glossary[i]; i++)
		puts(cli_help_glossary[i]);
	return CLI_DONE;
}

static int help_of(const char *name)
{
	const struct cli_command *command = cli_command_find(name);
	char option[] = "--help", *called = cli_strdup(name);
	char *argv[] = {called, option, NULL}; /* whose places are the parser's */
	int status = command ? command->run(command, 2, argv) : CLI_WRONG;

	free(called);
	return status;
}

static int run_help(const struct cli_command *command, int argc, char **argv)
{
	bool names = false, json = false;
	const struct cli_option options[] = {
		{0, "names", CLI_FLAG, &names, NULL, "print the names of the commands alone, one a line"},
		{0, "json", CLI_FLAG, &json, NULL, "print one JSON object"},
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	status = CLI_DONE;
	if (words.n && !strcmp(words.word[0], "words"))
		status = print_glossary();
	else if (words.n)
		status = help_of(words.word[0]);
	else if (json)
		print_json();
	else if (names)
		print_names();
	else
		cli_overview(stdout);
	return status;
}

const struct cli_command cli_help = {
	"help",   "explain a command, or the words of the answers", "[COMMAND|words] [OPTION...]", NULL, NULL,
	run_help,
};
