/* SPDX-License-Identifier: GPL-3.0-or-later */
/* help.c - what foretime can do, or what one command takes. */
#include "cli/common.h"
#include "cli/options.h"
#include "cli/output.h"

#include <stdlib.h>

static void print_names(void)
{
	const struct cli_command *command;
	unsigned i;

	for (i = 0; (command = cli_command_get(i)); i++)
		puts(command->name);
}

static void print_json(void)
{
	const struct cli_command *command;
	json_t *object = cli_json_new("help"), *array = cli_json_array();
	unsigned i;

	for (i = 0; (command = cli_command_get(i)); i++) {
		json_t *row = cli_json_object();

		cli_json_set(row, "name", cli_json_text(command->name));
		cli_json_set(row, "about", cli_json_text(command->about));
		cli_json_append(array, row);
	}
	cli_json_set(object, "version", cli_json_text(FT_VERSION));
	cli_json_set(object, "commands", array);
	cli_json_print(object, stdout);
}

static int help_of(const char *name)
{
	const struct cli_command *command = cli_command_find(name);
	char *argv[] = {NULL, cli_strdup("--help"), NULL};
	int status = CLI_WRONG;

	if (command) {
		argv[0] = cli_strdup(name);
		status = command->run(command, 2, argv);
	}
	free(argv[0]);
	free(argv[1]);
	return status;
}

static int run(const struct cli_command *command, int argc, char **argv)
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
	if (words.n)
		status = help_of(words.word[0]);
	else if (json)
		print_json();
	else if (names)
		print_names();
	else
		cli_overview(stdout);
	cli_words_clear(&words);
	return status;
}

const struct cli_command cli_help = {
	"help", "explain a command", "[COMMAND] [OPTION...]", NULL, NULL, run,
};
