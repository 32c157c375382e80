/* SPDX-License-Identifier: GPL-3.0-or-later */
/* import.c - runs that were recorded elsewhere, from a table into the store. */
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/options.h"
#include "cli/program.h"

#include <stdlib.h>

struct imported {
	const char *store_path, *name, *work, *path;
	bool here, json;
	struct ft_program program;
	struct ft_machine machine;
	struct ft_runs runs;
};

static int read_words(struct imported *imported, const struct cli_words *words)
{
	if (!words->n) {
		(void)cli_fail("which file?");
		cli_hint("write foretime import FILE.csv --name NAME");
		return CLI_WRONG;
	}
	if (!imported->name) {
		(void)cli_fail("under which name?");
		cli_hint("write foretime import %s --name NAME", words->word[0]);
		return CLI_WRONG;
	}
	imported->path = words->word[0];
	imported->program.name = cli_strdup(imported->name);
	imported->program.hash = cli_strdup(""); /* the runs come from elsewhere */
	imported->program.work = cli_strdup(imported->work);
	return cli_program_params(&imported->program, words->word + 1, words->n - 1, true);
}

static int read_file(struct imported *imported)
{
	struct ft_err err = {0};
	int status;

	if (ft_runs_read(imported->path, &imported->program, &imported->runs, &err))
		return cli_error(&err);
	if (!imported->runs.n)
		return cli_fail("'%s' has no runs within the ranges", imported->path);
	status = cli_work_check(&imported->program);
	if (status != CLI_DONE)
		return status;
	return cli_machine_of_file(imported->path, imported->here, &imported->machine);
}

static int keep(struct imported *imported)
{
	struct ft_store *store;
	struct ft_err err = {0};
	int status = cli_store_open(&store, imported->store_path, CLI_WRITE);

	if (status == CLI_DONE && ft_store_put_machine(store, &imported->machine, &err))
		status = cli_error(&err);
	if (status == CLI_DONE)
		status = cli_program_put(store, &imported->program);
	if (status == CLI_DONE &&
	    ft_store_add_runs(store, imported->program.id, imported->machine.id, &imported->runs, &err))
		status = cli_error(&err);
	ft_store_close(store);
	return status;
}

static void tell(const struct imported *imported)
{
	size_t n = 0;

	free(cli_groups(&imported->runs, "wall_s", &n));
	if (imported->json) {
		json_t *object = cli_json_new("import");

		cli_json_set(object, "name", cli_json_text(imported->name));
		cli_json_set(object, "params", cli_json_params(&imported->program));
		cli_json_set(object, "work", cli_json_text(imported->program.work));
		cli_json_set(object, "machine", cli_json_machine(&imported->machine));
		cli_json_set(object, "runs", cli_json_number((double)imported->runs.n));
		cli_json_set(object, "sizes", cli_json_number((double)n));
		cli_json_print(object, stdout);
	} else {
		printf("imported %zu run%s at %zu size%s as '%s'\n", imported->runs.n,
		       imported->runs.n == 1 ? "" : "s", n, n == 1 ? "" : "s", imported->name);
	}
}

static int run(const struct cli_command *command, int argc, char **argv)
{
	struct imported i = {0};
	const struct cli_option options[] = {
		{0, "name", CLI_TEXT, &i.name, "NAME", "the program's name in the store"},
		{0, "work", CLI_TEXT, &i.work, "EXPR", "volume of computation, as in '2*n^3'"},
		{0, "here", CLI_FLAG, &i.here, NULL, "the runs were made on this machine"},
		{0, "json", CLI_FLAG, &i.json, NULL, "print one JSON object"},
		{0, "store", CLI_TEXT, &i.store_path, "PATH", "the store; default $FORETIME_STORE"},
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	status = read_words(&i, &words);
	if (status == CLI_DONE)
		status = read_file(&i);
	if (status == CLI_DONE)
		status = keep(&i);
	if (status == CLI_DONE)
		tell(&i);
	ft_program_clear(&i.program);
	ft_machine_clear(&i.machine);
	ft_runs_clear(&i.runs);
	cli_words_clear(&words);
	return status;
}

const struct cli_command cli_import = {
	"import",
	"take recorded runs from a table into the store",
	"FILE.csv --name NAME [n] [--work EXPR] [OPTION...]",
	"Columns are parameters (n, unless others are named) and resources (wall_s, peak_rss_bytes, ...), "
	"one row a\n"
	"run. A table made by foretime export says on which machine; other runs belong to a machine called\n"
	"elsewhere, unless --here is given. Models are made when first asked for.\n",
	run,
};
