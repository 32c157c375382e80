/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measurements.c - the matrix of measurements: from a table, or from runs in the store. */
#include "cli/surrogate/surrogate.h"
#include "base/word.h"
#include "cli/calibrations.h"
#include "cli/common.h"
#include "cli/facts.h"
#include "foretime/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cli_surrogate_close(struct cli_surrogate *surrogate)
{
	ft_matrix_clear(&surrogate->matrix);
}

const char *cli_surrogate_source(const struct cli_surrogate *surrogate)
{
	return surrogate->file         ? surrogate->file
	       : surrogate->store_path ? surrogate->store_path
				       : "the store";
}

/* A NAME of the command line and the sizes behind it. */
struct surrogate_wanted {
	const char *name; /* NULL: every program */
	char **size;
	size_t n_sizes;
};

/* Of micro-benchmarks one calibration: that which is asked, where there is one; else the newest. */
static int choose_calibration(const struct cli_surrogate *surrogate, struct ft_store *store,
			      const struct ft_store_entry *entry, struct ft_runs *runs)
{
	FT_CLEANUP(cli_calibrations_clear) struct cli_calibrations calibrations = {0};
	struct cli_period period;

	if (strncmp(entry->name, FT_CALIBRATION_PREFIX, strlen(FT_CALIBRATION_PREFIX)) != 0)
		return CLI_DONE;
	CLI_TRY(cli_calibrations_read(store, entry->machine, &calibrations));
	if (!cli_calibration_find(&calibrations, surrogate->calibration, &period))
		(void)cli_calibration_find(&calibrations, NULL, &period);
	cli_period_of_runs(&period, runs);
	return CLI_DONE;
}

/* The runs of one line of the store's list. */
static int add_entry(const struct cli_surrogate *surrogate, struct ft_store *store,
		     struct ft_matrix_maker *maker, const struct surrogate_wanted *wanted,
		     const struct ft_store_entry *entry, const char *machine)
{
	FT_CLEANUP(ft_program_clear) struct ft_program program = {0};
	FT_CLEANUP(ft_runs_clear) struct ft_runs runs = {0};
	struct ft_err err = {0};
	const struct ft_matrix_wanted of = {.resource = surrogate->resource.text,
					    .n_resources = surrogate->resource.n,
					    .admit = surrogate->admit,
					    .size = wanted->size,
					    .n_sizes = wanted->n_sizes};

	if (ft_store_get_program(store, entry->name, &program, &err) ||
	    ft_store_get_runs(store, entry->program, entry->machine, &runs, &err))
		return cli_error(&err);
	CLI_TRY(choose_calibration(surrogate, store, entry, &runs));
	if (ft_matrix_add_runs(maker, &program, &runs, machine, &of, &err))
		return cli_error(&err);
	return CLI_DONE;
}

/* What rows call a machine: its host name; and its fingerprint where others have that name too. */
static int name_machine(struct ft_store *store, const struct ft_store_list *list,
			const struct ft_store_entry *entry, char **name)
{
	struct ft_machine machine = {0};
	struct ft_err err = {0};
	bool alone = true;

	for (size_t i = 0; i < list->n; i++)
		alone = alone && (!list->entry[i].machine || list->entry[i].machine == entry->machine ||
				  strcmp(list->entry[i].machine_name, entry->machine_name) != 0);
	if (ft_store_get_machine(store, entry->machine, &machine, &err))
		return cli_error(&err);
	*name = alone ? cli_strdup(entry->machine_name)
		      : cli_printed("%s.%s", entry->machine_name, machine.fingerprint);
	ft_machine_clear(&machine);
	return CLI_DONE;
}

static int add_wanted(const struct cli_surrogate *surrogate, struct ft_store *store,
		      struct ft_matrix_maker *maker, const struct surrogate_wanted *wanted,
		      const struct ft_store_list *list)
{
	int64_t machine = 0;
	bool several = false, found = false;

	for (size_t i = 0; i < list->n; i++) {
		several |= machine && list->entry[i].machine && list->entry[i].machine != machine;
		machine = list->entry[i].machine ? list->entry[i].machine : machine;
	}
	for (size_t i = 0; i < list->n; i++) {
		const struct ft_store_entry *entry = &list->entry[i];

		if (!entry->current || !entry->machine ||
		    (wanted->name && strcmp(wanted->name, entry->name) != 0))
			continue;
		found = true;
		CLI_OWN char *name = NULL;
		if (several)
			CLI_TRY(name_machine(store, list, entry, &name));
		CLI_TRY(add_entry(surrogate, store, maker, wanted, entry, name));
	}
	if (!found && wanted->name)
		return cli_fail(
			"no runs of a program '%s' in the store\n"
			"hint: foretime list shows what there is; a table is read with FILE.csv in its place",
			wanted->name);
	return CLI_DONE;
}

static int add_all(const struct cli_surrogate *surrogate, struct ft_store *store,
		   struct ft_matrix_maker *maker)
{
	const struct cli_words *words = surrogate->words;
	FT_CLEANUP(ft_store_list_clear) struct ft_store_list list = {0};
	struct ft_err err = {0};
	size_t j;

	if (ft_store_get_list(store, NULL, &list, &err))
		return cli_error(&err);
	if (words->n < 2)
		return add_wanted(surrogate, store, maker, &(struct surrogate_wanted){0}, &list);
	for (size_t i = 1; i < words->n; i = j) {
		for (j = i + 1; j < words->n && strchr(words->word[j], '=');)
			j++;
		CLI_TRY(add_wanted(surrogate, store, maker,
				   &(struct surrogate_wanted){words->word[i], words->word + i + 1, j - i - 1},
				   &list));
	}
	return CLI_DONE;
}

static int read_store(struct cli_surrogate *surrogate)
{
	struct ft_matrix_maker *maker = NULL;
	struct ft_store *store;
	struct ft_err err = {0};
	int status = CLI_DONE;

	for (size_t i = 0; !surrogate->admit && i < surrogate->resource.n; i++)
		if (ft_resource_admissible(surrogate->resource.text[i], &err))
			return cli_error(&err);
	CLI_TRY(cli_store_open(&store, surrogate->store_path, CLI_READ));
	if (ft_matrix_maker_new(&maker, &err))
		status = cli_error(&err);
	else
		status = add_all(surrogate, store, maker);
	if (status == CLI_DONE && ft_matrix_make(maker, &surrogate->matrix, &err)) {
		status = cli_error(&err);
		cli_hint("foretime list shows what was measured");
	}
	ft_matrix_maker_free(maker);
	ft_store_close(store);
	return status;
}

/* What is said of a table is of no use to the store, nor the other way round. */
static int check_source(const struct cli_surrogate *s)
{
	const char *stray = NULL;

	if (s->file)
		stray = s->resource.n    ? "resource"
			: s->calibration ? "calibration"
			: s->store_path  ? "store"
					 : NULL;
	else
		stray = s->rows ? "rows" : s->programs ? "programs" : NULL;
	if (!stray)
		return CLI_DONE;
	return cli_fail("%s is read: there is no use for --%s", s->file ? s->file : "the store", stray);
}

/* Resources of the store by what people call them; a table's rows are called as it calls them. */
static void mean_resources(struct cli_surrogate *surrogate)
{
	const struct ft_resource *found;

	for (size_t i = 0; i < surrogate->resource.n; i++)
		if ((found = ft_resource_typed(surrogate->resource.text[i])))
			surrogate->resource.text[i] = found->name;
	if (surrogate->target_resource && (found = ft_resource_typed(surrogate->target_resource)))
		surrogate->target_resource = found->name;
}

int cli_surrogate_open(struct cli_surrogate *surrogate)
{
	const struct cli_words *words = surrogate->words;
	const struct ft_matrix_options options = {.rows = surrogate->rows,
						  .programs = surrogate->programs,
						  .group = surrogate->group,
						  .others = surrogate->alike,
						  .admit = surrogate->admit};
	struct ft_err err = {0};
	static const char *const ends[] = {".csv", ".csv.gz", ".tsv", ".txt"};
	bool table = words->n > 1 && !strcmp(words->word[1], "-");

	for (size_t i = 0; words->n > 1 && i < sizeof ends / sizeof *ends; i++)
		table |= ft_word_ends(words->word[1], ends[i]);

	if (!surrogate->file && table && words->n > 2)
		return cli_fail("unexpected argument '%s': one table is read", words->word[2]);
	if (!surrogate->file && table)
		surrogate->file = words->word[1];
	else if (surrogate->file && words->n > 1)
		return cli_fail("of a table, 'surrogate %s' takes no '%s'", words->word[0], words->word[1]);
	if (check_source(surrogate) != CLI_DONE)
		return CLI_WRONG;
	if (!surrogate->file) {
		mean_resources(surrogate);
		return read_store(surrogate);
	}
	if (ft_matrix_read(surrogate->file, &options, &surrogate->matrix, &err))
		return cli_error(&err);
	return CLI_DONE;
}

int cli_surrogate_read(struct cli_surrogate *surrogate)
{
	const struct cli_words *words = surrogate->words;
	struct cli_words action = *words;

	action.n = 1;
	surrogate->words = &action;
	int status = cli_surrogate_open(surrogate);
	surrogate->words = words;
	return status;
}
