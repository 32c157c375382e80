/* SPDX-License-Identifier: GPL-3.0-or-later */
/* floor.c - by what identical machines of a table differ: the floor of errors. */
#include "cli/surrogate/floor.h"
#include "cli/common.h"
#include "foretime/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MOST = 16 };

#define PROGRAM struct cli_floor_program
static const struct ft_tell_row program_rows[] = {
	{FT_TELL(PROGRAM, name)},
	{FT_TELL_AS("error", PROGRAM, floor.error), .null = "no two identical machines ran it"},
	{FT_TELL_AS("rows", PROGRAM, floor.rows)},
	{0},
};
static const struct ft_tell_record program_told = {.bytes = sizeof(PROGRAM), .row = program_rows};

#define FLOOR struct cli_floor
static const struct ft_tell_row rows[] = {
	{FT_TELL_AS("error", FLOOR, all.error),
	 .about = "root mean square of (y - mean of identical machines) / that mean, all programs",
	 .null = "no two are"},
	{FT_TELL_AS("rows", FLOOR, all.rows), .about = "values of machines that have an identical one"},
	{FT_TELL_AS("groups", FLOOR, all.groups), .about = "of identical machines"},
	{FT_TELL_MANY(LIST, "programs", FLOOR, program, n, &program_told)},
	{0},
};
static bool is_there(const void *told)
{
	return ((const FLOOR *)told)->program != NULL;
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
