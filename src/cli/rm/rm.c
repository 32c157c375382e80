/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rm.c - removes a program, its routines, runs and models from the store. */
#include "cli/cli.h"
#include "cli/options.h"

struct rm_answer {
	const char *name;
	size_t runs;
};

static const struct ft_tell_row rows[] = {
	{FT_TELL(struct rm_answer, name)},
	{FT_TELL(struct rm_answer, runs), .about = "how many went"},
	{0},
};
const struct ft_tell_record cli_rm_answer = {.name = "rm", .version = 1, .row = rows};

static int remove_program(const char *name, const char *store_path, bool json)
{
	CLI_STORE struct ft_store *store = NULL;
	struct ft_err err = {0};
	size_t removed = 0;

	CLI_TRY(cli_store_open(&store, store_path, CLI_ANSWER));
	if (ft_store_remove(store, name, &removed, &err))
		return cli_error(&err);
	if (json)
		cli_tell(&cli_rm_answer, &(struct rm_answer){name, removed}, NULL);
	else
		printf("removed '%s' with %zu run%s\n", name, removed, removed == 1 ? "" : "s");
	return CLI_DONE;
}

static int run_rm(const struct cli_command *command, int argc, char **argv)
{
	const char *store_path = NULL;
	bool json = false;
	const struct ft_field options[] = {
		CLI_ANSWER_OPTIONS(json, store_path),
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	const char *name = cli_name_word(command, &words);
	return name ? remove_program(name, store_path, json) : CLI_WRONG;
}

const struct cli_command cli_rm = {
	"rm",
	"remove a program with all its runs and models",
	"NAME [OPTION...]",
	"Programs of that name on every machine go, and its routines (NAME/...). There is no way back;\n"
	"foretime export NAME --csv keeps the runs.\n",
	NULL,
	run_rm,
};
