/* SPDX-License-Identifier: GPL-3.0-or-later */
/* help.c - prints the overview of foretime, or the help of one command. */
#include "cli/cli.h"
#include "cli/help/glossary.h"
#include "cli/options.h"

#include <stdlib.h>
#include <string.h>

struct help_answer {
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
	{FT_TELL(struct help_answer, version)},
	{FT_TELL_MANY(ARRAY, "commands", struct help_answer, command, n, &commands)},
	{0},
};
const struct ft_tell_record cli_help_answer = {.name = "help", .version = 1, .row = rows};

static void print_help_json(void)
{
	const struct cli_command *command;
	struct help_answer answer = {.version = FT_VERSION};

	while (answer.n < 64 && (command = cli_command_get((unsigned)answer.n)))
		answer.command[answer.n++] = *command;
	cli_tell(&cli_help_answer, &answer, NULL);
}

/* The help of a command, or of one of its actions, is its own. */
static int help_of(const struct cli_words *words, bool all)
{
	char option[] = "--help", everything[] = "--help=all";
	int argc = (int)words->n + 1;
	char **query = cli_alloc((words->n + 1) * sizeof *query);

	memcpy(query, words->word, words->n * sizeof *query);
	query[words->n] = all ? everything : option;
	char **called = cli_alias(&argc, query), **word = called;
	const struct cli_command *command = cli_command_find(&argc, &word);
	int status = command ? command->run(command, argc, word) : CLI_WRONG;

	free(called);
	free(query);
	return status;
}

static int run_help(const struct cli_command *command, int argc, char **argv)
{
	bool names = false, json = false, all = false, version = false;
	const struct ft_field options[] = {
		{0, "all", FT_FIELD_FLAG, &all, NULL, "every command, or every option of COMMAND"},
		{0, "names", FT_FIELD_FLAG, &names, NULL, NULL},
		{0, "version", FT_FIELD_FLAG, &version, NULL, NULL},
		CLI_FORMAT("text|json|names", "text (default), json, or names: of the commands, one a line"),
		{0, "json", FT_FIELD_FLAG, &json, NULL, "print one JSON object"},
		{0},
	};
	struct cli_words words;
	const struct cli_command *each;

	int status = cli_options_parse(command, options, argc, argv, &words);
	if (status != CLI_GO)
		return status;
	if (words.n && !strcmp(words.word[0], "words")) {
		for (size_t i = 0; cli_help_glossary[i]; i++)
			puts(cli_help_glossary[i]);
		return CLI_DONE;
	}
	if (words.n)
		return help_of(&words, all);
	if (json)
		print_help_json();
	else if (version)
		puts("foretime " FT_VERSION);
	else if (!names)
		cli_overview(stdout, all);
	for (unsigned i = 0; names && !json && !version && (each = cli_command_get(i)); i++)
		if (!strchr(each->name, ' '))
			puts(each->name);
	return CLI_DONE;
}

const struct cli_command cli_help = {
	"help",
	"explain a command, or the words of the answers",
	"[COMMAND [ACTION]|words] [OPTION...]",
	NULL,
	NULL,
	run_help,
};
