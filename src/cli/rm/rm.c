/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rm.c - removes a program, its routines, runs and models from the store. */
#include "ask/door.h"
#include "cli/cli.h"
#include "cli/options.h"

#include <stdint.h>

struct rm_answer {
	const char *name;
	size_t runs, keep;
};

static const struct ft_tell_row rows[] = {
	{FT_TELL(struct rm_answer, name)},
	{FT_TELL(struct rm_answer, runs), .about = "how many went"},
	{FT_TELL(struct rm_answer, keep),
	 .about = "how many of each size stayed; 0: none, the program went too"},
	{0},
};
const struct ft_tell_record cli_rm_answer = {.name = "rm", .version = 1, .row = rows};

static int remove_program(const char *name, size_t keep, const char *store_path, bool json)
{
	CLI_STORE struct ft_store *store = NULL;
	struct ft_err err = {0};
	const bool thin = keep != SIZE_MAX;
	size_t removed = 0;

	CLI_TRY(cli_store_open(&store, store_path, CLI_ANSWER));
	if (thin ? ft_store_fold_runs(store, name, keep, &removed, &err)
		 : ft_store_remove(store, name, &removed, &err))
		return cli_error(&err);
	if (!thin && ft_travel_keep(store, name, NULL, &err))
		return cli_error(&err);
	if (json)
		cli_tell(&cli_rm_answer, &(struct rm_answer){name, removed, thin ? keep : 0}, NULL);
	else if (thin)
		printf("removed %zu run%s of '%s'; their sums and quantiles by size are kept\n", removed,
		       removed == 1 ? "" : "s", name);
	else
		printf("removed '%s' with %zu run%s\n", name, removed, removed == 1 ? "" : "s");
	return CLI_DONE;
}

static int run_rm(const struct cli_command *command, int argc, char **argv)
{
	const char *store_path = NULL;
	size_t keep = SIZE_MAX; /* not typed */
	bool json = false;
	const struct ft_field options[] = {
		{0, "keep", FT_FIELD_COUNT, &keep, "N",
		 "thin the runs instead: the newest N of each size stay, and the sums and quantiles of all"},
		CLI_ANSWER_OPTIONS(json, store_path),
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	const char *name = cli_name_word(command, &words);
	return name ? remove_program(name, keep, store_path, json) : CLI_WRONG;
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
