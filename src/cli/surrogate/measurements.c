/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measurements.c - read the matrix of measurements from a table, or from runs in the store */
#include "base/text.h"
#include "cli/cli.h"
#include "cli/surrogate/surrogate.h"
#include "foretime/base.h"
#include "foretime/store.h"
#include "tell/answers.h"

#include <fnmatch.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct ft_tell_row missing_rows[] = {{.key = "", .kind = FT_TELL_NUMBER, .null = ""}, {0}};
const struct ft_tell_record cli_missing = {.bytes = sizeof(double), .row = missing_rows};

static const struct ft_tell_row list_rows[] = {
	{FT_TELL_MANY(LIST, "", struct cli_list, value, n, &cli_missing)},
	{0},
};
const struct ft_tell_record cli_list_answer = {.bytes = sizeof(struct cli_list), .row = list_rows};

struct cli_list *cli_lists(const double *value, size_t rows, size_t columns)
{
	struct cli_list *list = cli_alloc((rows + 1) * sizeof *list);

	for (size_t i = 0; i < rows; i++)
		list[i] = (struct cli_list){value + i * columns, columns};
	return list;
}

const char **cli_names(char *const *name, const size_t *index, const bool *marked, size_t n, size_t *count)
{
	const char **list = cli_alloc((n + 1) * sizeof *list);

	*count = 0;
	for (size_t i = 0; i < n; i++)
		if (!marked || marked[i])
			list[(*count)++] = name[index ? index[i] : i];
	return list;
}

#define TELL_CASE struct cli_answer_case
static const struct ft_tell_row case_rows[] = {
	{FT_TELL(TELL_CASE, by), .words = "program|resource", .about = "what the basis is of"},
	{FT_TELL(TELL_CASE, target), .about = "the column that is described"},
	{FT_TELL(TELL_CASE, solver)},
	{FT_TELL(TELL_CASE, confidence), .about = "of the intervals"},
	{FT_TELL(TELL_CASE, rows_used), .about = "that were learned from"},
	{FT_TELL(TELL_CASE, rows_incomplete), .about = "left out for a missing value"},
	{FT_TELL_MANY(LIST, "rows_left_out", TELL_CASE, rows_left_out, n_rows_left_out, &ft_tell_texts),
	 .about = "their names"},
	{FT_TELL_MANY(LIST, "basis_left_out", TELL_CASE, basis_left_out, n_basis_left_out, &ft_tell_texts),
	 .about = "programs of the basis without a value for the target"},
	{FT_TELL(TELL_CASE, values_missing), .about = "in the rows that nmf learned from"},
	{FT_TELL(TELL_CASE, values_imputed),
	 .about = "missing ones that were taken as the others of their rows lead one to expect"},
	{FT_TELL(TELL_CASE, converged), .about = "false: the last iterate is reported"},
	{FT_TELL(TELL_CASE, iterations), .about = "0: it does not iterate"},
	{FT_TELL(TELL_CASE, rank), .about = "of the basis as the solver used it, or the patterns of nmf"},
	{FT_TELL(TELL_CASE, loss), .about = "what the solver made small", .null = "it has no such measure"},
	{0},
};
const struct ft_tell_record cli_case_rows = {.row = case_rows};

struct cli_answer_case cli_case_answer(const struct cli_case *c, const struct cli_surrogate *surrogate)
{
	struct ft_surrogate_outcome outcome = ft_surrogate_outcome(c->fit);
	const struct ft_case *learned = cli_case_learned(c);
	TELL_CASE answer = {
		.by = c->kind,
		.target = c->matrix->column[c->target],
		.solver = c->solver->name,
		.confidence = surrogate->confidence,
		.rows_used = learned->problem.m,
		.rows_incomplete = learned->incomplete,
		.values_missing = learned->missing,
		.values_imputed = c->imputed,
		.converged = outcome.converged,
		.iterations = outcome.iterations,
		.rank = outcome.rank,
		.loss = outcome.loss,
	};

	answer.rows_left_out = cli_names(c->matrix->row, learned->left_out, NULL, learned->incomplete,
					 &answer.n_rows_left_out);
	answer.basis_left_out =
		cli_names(c->matrix->column, c->lacking, NULL, c->n_lacking, &answer.n_basis_left_out);
	return answer;
}

void cli_case_answer_clear(struct cli_answer_case *answer)
{
	free(answer->rows_left_out);
	free(answer->basis_left_out);
}

/*
 * The difference between identical machines of a table: a lower bound of errors.
 */

enum { COLUMNS_MOST = 16 };

#define PROGRAM struct cli_floor_program
static const struct ft_tell_row program_rows[] = {
	{FT_TELL(PROGRAM, name)},
	{FT_TELL_AS("error", PROGRAM, floor.error), .null = "no two identical machines ran it"},
	{FT_TELL_AS("rows", PROGRAM, floor.rows)},
	{0},
};
static const struct ft_tell_record program_answer = {.bytes = sizeof(PROGRAM), .row = program_rows};

#define FLOOR struct cli_floor
static const struct ft_tell_row rows[] = {
	{FT_TELL_AS("error", FLOOR, all.error),
	 .about = "root mean square of (y - mean of identical machines) / that mean, all programs",
	 .null = "no two are"},
	{FT_TELL_AS("rows", FLOOR, all.rows), .about = "values of machines that have an identical one"},
	{FT_TELL_AS("groups", FLOOR, all.groups), .about = "of identical machines"},
	{FT_TELL_MANY(LIST, "programs", FLOOR, program, n, &program_answer)},
	{0},
};
static bool is_there(const void *answer)
{
	return ((const FLOOR *)answer)->program != NULL;
}
const struct ft_tell_record cli_floor_rows = {.row = rows, .there = is_there};

/* "processor,flags": places of columns. */
static int read_columns(const struct ft_csv *csv, const char *list, size_t column[COLUMNS_MOST], size_t *n)
{
	CLI_OWN char *copy = cli_strdup(list);

	*n = 0;
	for (char *rest = copy, *name; (name = strsep(&rest, ","));) {
		int at = ft_csv_column(csv, name);

		if (at < 0)
			return cli_fail("--alike: there is no column '%s'", name);
		if (*n == COLUMNS_MOST)
			return cli_fail("--alike: more than %d columns", COLUMNS_MOST);
		column[(*n)++] = (size_t)at;
	}
	return CLI_DONE;
}

static int find_floors(FLOOR *floor, const struct cli_surrogate *s, const struct ft_csv *csv)
{
	size_t column[COLUMNS_MOST], n;
	CLI_OWN size_t *group = cli_alloc((ft_csv_rows(csv) + 1) * sizeof *group);
	CLI_OWN struct ft_floor *each = cli_alloc((s->matrix.columns + 1) * sizeof *each);
	struct ft_err err = {0};

	CLI_TRY(read_columns(csv, s->alike, column, &n));
	if (ft_csv_rows(csv) != s->matrix.rows)
		return cli_fail("--alike: rows of '%s' are not machines each by itself", s->file);
	ft_floor_groups(csv, column, n, group);
	if (ft_floors_find(each, &floor->all, s->matrix.value, s->matrix.rows, s->matrix.columns, group,
			   &err))
		return cli_error(&err);
	floor->program = cli_alloc((s->matrix.columns + 1) * sizeof *floor->program);
	for (size_t i = 0; i < s->matrix.columns; i++)
		floor->program[floor->n++] = (PROGRAM){s->matrix.column[i], each[i]};
	return CLI_DONE;
}

int cli_floor_find(FLOOR *floor, const struct cli_surrogate *surrogate)
{
	struct ft_err err = {0};
	struct ft_csv *csv;

	if (!surrogate->alike)
		return CLI_DONE;
	if (!strcmp(surrogate->file, "-"))
		return cli_fail("--alike reads the table once more, and standard input is read once\n"
				"hint: name a file");
	if (ft_csv_read(surrogate->file, 0, &csv, &err))
		return cli_error(&err);
	int status = find_floors(floor, surrogate, csv);
	ft_csv_free(csv);
	return status;
}

void cli_floor_print(const FLOOR *floor, const char *solver, const struct ft_trial_score *score)
{
	char error[FT_UNIT_LENGTH], deviation[FT_UNIT_LENGTH];

	if (!floor->program)
		return;
	if (isnan(floor->all.error)) {
		printf("\nno two machines are identical: there is no floor\n");
		return;
	}
	printf("\nidentical machines (%zu groups) differ by %s about their mean: no prediction can be "
	       "better\n",
	       floor->all.groups, ft_share_format(floor->all.error, error));
	printf("the errors of %s deviate by %s, %.3g times that\n", solver,
	       ft_share_format(score->error_sd, deviation), score->error_sd / floor->all.error);
}

void cli_floor_clear(FLOOR *floor)
{
	free(floor->program);
	*floor = (FLOOR){0};
}

/*
 * Read the matrix of measurements from a table, or from runs in the store.
 */

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

/* Of micro-benchmarks the newest calibration counts. */
static int keep_newest(struct ft_store *store, const struct ft_store_entry *entry, struct ft_runs *runs)
{
	struct cli_period period;

	if (strncmp(entry->name, FT_CALIBRATION_PREFIX, strlen(FT_CALIBRATION_PREFIX)) != 0)
		return CLI_DONE;
	CLI_TRY(cli_calibration_newest(store, entry->machine, &period));
	cli_period_of_runs(&period, runs);
	return CLI_DONE;
}

/* The row name of a machine: its host name, with its fingerprint if other machines share that name. */
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
		/* The runs of one line of the store's list. */
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
		CLI_TRY(keep_newest(store, entry, &runs));
		if (ft_matrix_add_runs(maker, &program, &runs, name, &of, &err))
			return cli_error(&err);
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

/* Options of a table do not apply to the store, and vice versa. */
static int check_source(const struct cli_surrogate *s)
{
	const char *stray = NULL;

	if (s->file)
		stray = s->resource.n ? "resource" : s->store_path ? "store" : NULL;
	else
		stray = s->rows ? "rows" : s->programs ? "programs" : NULL;
	if (!stray)
		return CLI_DONE;
	return cli_fail("%s is read: there is no use for --%s", s->file ? s->file : "the store", stray);
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
		/* In a store, names of resources may be the everyday words; a table's rows keep their own names. */
		const struct ft_resource *found;

		for (size_t k = 0; k < surrogate->resource.n; k++)
			if ((found = ft_resource_typed(surrogate->resource.text[k])))
				surrogate->resource.text[k] = found->name;
		if (surrogate->target_resource && (found = ft_resource_typed(surrogate->target_resource)))
			surrogate->target_resource = found->name;
		struct ft_matrix_maker *maker = NULL;
		struct ft_store *store;
		int status = CLI_DONE;

		for (size_t l = 0; !surrogate->admit && l < surrogate->resource.n; l++)
			if (ft_resource_admissible(surrogate->resource.text[l], &err))
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

const struct ft_case *cli_case_learned(const struct cli_case *c)
{
	return c->kept.problem.m ? &c->kept : &c->made;
}
