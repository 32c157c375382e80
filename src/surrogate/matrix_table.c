/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matrix_table.c - matrices from tables and as tables: long ones and wide ones. */
#include "surrogate/matrix.h"
#include "base/arena.h"
#include "base/text.h"
#include "foretime/csv.h"

#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>

enum { NAME_LENGTH = 512 };

/* A table on its way into a matrix. */
struct matrix_table_reading {
	struct ft_csv *csv;
	const char *path;
	const struct ft_matrix_options *options;
	struct ft_matrix_maker *maker;
	int name, size;                 /* the columns that name a row; -1: there is none */
	bool programs_down;             /* the rows of the table are programs */
	bool *chosen;                   /* [columns] the columns that are read */
	int grouped;                    /* the column of groups; -1: none */
	struct ft_matrix_maker *groups; /* whose rows are the names of groups */
	size_t *group;                  /* [rows of the table] of each row of the matrix, + 1 */
	struct ft_arena *arena;         /* of these lists */
};

/* Nothing was measured, as the tools of others write it. */
static bool is_missing(const char *cell)
{
	static const char *const words[] = {"NA", "N/A", "NaN", "nan", "null", "-"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strcmp(cell, words[i]))
			return true;
	return false;
}

static enum ft_status add_value(const struct matrix_table_reading *r, size_t row, size_t column,
				const char *resource, const char *program, struct ft_err *err)
{
	double value = NAN;
	enum ft_status status = is_missing(ft_csv_cell(r->csv, row, column))
					? FT_OK
					: ft_csv_number(r->csv, row, column, true, &value, err);

	if (status == FT_EPARSE)
		return ft_remedy(err, "leave the cell empty, or write NA, if no value was measured");
	if (status)
		return status;
	if (value < 0) {
		(void)ft_fail(err, FT_EINVAL,
			      "%s:%zu: column %zu (%s): %g is negative, and a measure never is", r->path,
			      ft_csv_line(r->csv, row), column + 1, ft_csv_column_name(r->csv, column),
			      value);
		return ft_remedy(err, "correct it, or leave the cell empty: it is then missing");
	}
	return ft_matrix_add(r->maker, resource, program, value, err);
}

/* "sort n=1000", "wall_s@box": a name and what makes it another one. An empty one would not be read back. */
static void join_name(char *buffer, const char *name, const char *with, const char *more)
{
	(void)snprintf(buffer, NAME_LENGTH, "%s%s%s", *name ? name : "unnamed", more && *more ? with : "",
		       more ? more : "");
}

static enum ft_status read_long(struct matrix_table_reading *r, const int column[3], struct ft_err *err)
{
	int machine = ft_csv_column(r->csv, "machine");
	char program[NAME_LENGTH], resource[NAME_LENGTH];

	for (size_t i = 0; i < ft_csv_rows(r->csv); i++) {
		const char *name = ft_csv_cell(r->csv, i, (size_t)column[1]);

		if (!r->options->admit)
			FT_TRY(ft_resource_admissible(name, err));
		join_name(program, ft_csv_cell(r->csv, i, (size_t)column[0]),
			  " n=", r->size < 0 ? NULL : ft_csv_cell(r->csv, i, (size_t)r->size));
		join_name(resource, name, "@", machine < 0 ? NULL : ft_csv_cell(r->csv, i, (size_t)machine));
		FT_TRY(add_value(r, i, (size_t)column[2], resource, program, err));
	}
	return FT_OK;
}

/* The column that names the rows, and which way the table lies. */
static enum ft_status find_name(struct matrix_table_reading *r, struct ft_err *err)
{
	static const char *const usual[] = {"resource", "machine", "system", "program"};

	r->name = -1;
	if (r->options->rows) {
		r->name = ft_csv_column(r->csv, r->options->rows);
		if (r->name < 0) {
			(void)ft_fail(err, FT_EINVAL, "'%s' has no column '%s'", r->path, r->options->rows);
			return ft_remedy(err, "name the column that names the rows; the first is '%s'",
					 ft_csv_column_name(r->csv, 0));
		}
	}
	for (size_t i = 0; r->name < 0 && i < sizeof usual / sizeof *usual; i++)
		r->name = ft_csv_column(r->csv, usual[i]);
	if (r->name < 0)
		r->name = 0;
	r->programs_down = !strcmp(ft_csv_column_name(r->csv, (size_t)r->name), "program");
	if (!r->programs_down)
		r->size = -1;
	return FT_OK;
}

static enum ft_status choose_programs(struct matrix_table_reading *r, struct ft_err *err)
{
	const char *pattern = r->options->programs;
	size_t i, n = 0, columns = ft_csv_columns(r->csv);
	regex_t expression;
	int code;

	r->chosen = ft_arena_take(r->arena, columns, sizeof *r->chosen);
	FT_TRY(ft_arena_check(r->arena, err));
	if (pattern && (code = regcomp(&expression, pattern, REG_EXTENDED | REG_NOSUB))) {
		char words[128];

		(void)regerror(code, &expression, words, sizeof words);
		return ft_fail(err, FT_EINVAL, "'%s' is no regular expression: %s", pattern, words);
	}
	for (i = 0; i < columns; i++) {
		const char *name = ft_csv_column_name(r->csv, i), *other = r->options->others;

		while (other &&
		       (strncmp(other, name, strlen(name)) != 0 || !strchr(",", other[strlen(name)])))
			other = strchr(other, ',') ? strchr(other, ',') + 1 : NULL;
		r->chosen[i] = (int)i != r->name && (int)i != r->size &&
			       (!r->options->group || strcmp(name, r->options->group) != 0) && !other &&
			       (!pattern || !regexec(&expression, name, 0, NULL, 0));
		n += r->chosen[i];
	}
	if (pattern)
		regfree(&expression);
	if (n)
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "'%s' has no column of measurements%s%s%s", r->path,
		      pattern ? " that matches '" : "", pattern ? pattern : "", pattern ? "'" : "");
	return ft_remedy(err, "choose them by an extended regular expression: --programs '^[0-9]{3}'");
}

/* Resources that are columns or rows must be measures; machines are not judged by their names. */
static enum ft_status judge_resources(const struct matrix_table_reading *r, struct ft_err *err)
{
	if (r->options->admit)
		return FT_OK;
	for (size_t i = 0; r->programs_down && i < ft_csv_columns(r->csv); i++)
		if (r->chosen[i])
			FT_TRY(ft_resource_admissible(ft_csv_column_name(r->csv, i), err));
	if (r->programs_down || strcmp(ft_csv_column_name(r->csv, (size_t)r->name), "resource") != 0)
		return FT_OK;
	for (size_t i = 0; i < ft_csv_rows(r->csv); i++)
		FT_TRY(ft_resource_admissible(ft_csv_cell(r->csv, i, (size_t)r->name), err));
	return FT_OK;
}

/* The name of a row of the matrix: machines of one name are several, repeated resources are averaged. */
static enum ft_status name_row(const struct matrix_table_reading *r, size_t i, bool several, char *name,
			       struct ft_err *err)
{
	char number[32];
	size_t index;
	bool fresh = false;
	const char *cell = ft_csv_cell(r->csv, i, (size_t)r->name);

	join_name(name, cell, " n=", r->size < 0 ? NULL : ft_csv_cell(r->csv, i, (size_t)r->size));
	if (r->programs_down)
		return FT_OK;
	FT_TRY(ft__matrix_row(r->maker, name, &index, &fresh, err));
	if (fresh || !several)
		return FT_OK;
	(void)snprintf(number, sizeof number, "%zu", i + 1);
	join_name(name, cell, " #", number);
	return ft__matrix_row(r->maker, name, &index, &fresh, err);
}

/* Which group each row of the matrix is of; a repeated one is of the group that came first. */
static enum ft_status find_groups(struct matrix_table_reading *r, size_t i, const char *name,
				  struct ft_err *err)
{
	size_t row, group;
	bool fresh = false;

	FT_TRY(ft__matrix_row(r->maker, name, &row, &fresh, err));
	FT_TRY(ft__matrix_row(r->groups, ft_csv_cell(r->csv, i, (size_t)r->grouped), &group, &fresh, err));
	if (r->group[row] == 0)
		r->group[row] = group + 1;
	return FT_OK;
}

static enum ft_status open_groups(struct matrix_table_reading *r, struct ft_err *err)
{
	r->grouped = ft_csv_column(r->csv, r->options->group);
	if (r->grouped < 0)
		return ft_fail(err, FT_EINVAL, "'%s' has no column '%s' to group by", r->path,
			       r->options->group);
	if (r->programs_down)
		return ft_fail(err, FT_EINVAL, "the rows of '%s' are programs: groups are of machines",
			       r->path);
	r->group = ft_arena_take(r->arena, ft_csv_rows(r->csv) + 1, sizeof *r->group);
	FT_TRY(ft_arena_check(r->arena, err));
	return ft_matrix_maker_new(&r->groups, err);
}

static enum ft_status read_row(struct matrix_table_reading *r, size_t i, const char *name, struct ft_err *err)
{
	for (size_t j = 0; j < ft_csv_columns(r->csv); j++) {
		const char *column = ft_csv_column_name(r->csv, j);

		if (!*column)
			column = "unnamed";
		if (!r->chosen[j])
			continue;
		enum ft_status status = r->programs_down ? add_value(r, i, j, column, name, err)
							 : add_value(r, i, j, name, column, err);
		/* A cell that is no number, where nobody said which columns are programs. */
		if (status == FT_EPARSE && !r->options->programs)
			return ft_remedy(err, "choose the columns of measurements: --programs REGEX; a cell "
					      "without one is empty, or NA");
		FT_TRY(status);
	}
	return r->groups ? find_groups(r, i, name, err) : FT_OK;
}

static enum ft_status read_wide(struct matrix_table_reading *r, struct ft_err *err)
{
	char name[NAME_LENGTH];

	FT_TRY(find_name(r, err));
	FT_TRY(choose_programs(r, err));
	FT_TRY(judge_resources(r, err));
	if (r->options->group)
		FT_TRY(open_groups(r, err));
	bool several = strcmp(ft_csv_column_name(r->csv, (size_t)r->name), "resource") != 0;
	for (size_t i = 0; i < ft_csv_rows(r->csv); i++) {
		FT_TRY(name_row(r, i, several, name, err));
		FT_TRY(read_row(r, i, name, err));
	}
	return FT_OK;
}

static enum ft_status finish_matrix(struct matrix_table_reading *r, struct ft_matrix *out, struct ft_err *err)
{
	FT_TRY(ft_matrix_make(r->maker, out, err));
	if (!r->group)
		return FT_OK;
	out->group = ft_calloc(out->rows, sizeof *out->group);
	if (!out->group) {
		ft_matrix_clear(out);
		return ft_nomem(err);
	}
	for (size_t i = 0; i < out->rows; i++)
		out->group[i] = r->group[i] - 1;
	return FT_OK;
}

static void end_reading(struct matrix_table_reading *r)
{
	ft_matrix_maker_free(r->maker);
	ft_matrix_maker_free(r->groups);
	ft_csv_free(r->csv);
}

enum ft_status ft_matrix_read(const char *path, const struct ft_matrix_options *options,
			      struct ft_matrix *out, struct ft_err *err)
{
	static const struct ft_matrix_options defaults;
	FT_ARENA(arena);
	FT_CLEANUP(end_reading)
	struct matrix_table_reading r = {
		.path = path, .options = options ? options : &defaults, .grouped = -1, .arena = &arena};

	*out = (struct ft_matrix){0};
	FT_TRY(ft_csv_read(path, 0, &r.csv, err));
	if (!ft_csv_rows(r.csv))
		return ft_fail(err, FT_EINVAL, "'%s' has no row of measurements", path);
	FT_TRY(ft_matrix_maker_new(&r.maker, err));
	const int column[3] = {ft_csv_column(r.csv, "program"), ft_csv_column(r.csv, "resource"),
			       ft_csv_column(r.csv, "value")};
	r.size = ft_csv_column(r.csv, "n");
	FT_TRY(column[0] >= 0 && column[1] >= 0 && column[2] >= 0 ? read_long(&r, column, err)
								  : read_wide(&r, err));
	return finish_matrix(&r, out, err);
}

static void add_cell(struct ft_text *text, const char *cell)
{
	size_t length = ft_csv_quote(cell, NULL, 0);
	FT_OWN char *quoted = ft_malloc(length + 1);

	if (quoted) {
		(void)ft_csv_quote(cell, quoted, length + 1);
		ft_text_add_bytes(text, quoted, length);
	}
	text->failed |= !quoted;
}

/* Programs that are called as the columns are which tell how a table is read. */
static enum ft_status refuse_columns(const struct ft_matrix *matrix, struct ft_err *err)
{
	const char *name = ft_matrix_column(matrix, "resource") >= 0 ? "resource" : NULL;

	if (!name && ft_matrix_column(matrix, "program") >= 0 && ft_matrix_column(matrix, "value") >= 0)
		name = "program";
	if (!name)
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "a program is called '%s', and the table would not be read as it is",
		      name);
	return ft_remedy(err, "give it another name: resource, program and value are columns of tables");
}

enum ft_status ft_matrix_write(const struct ft_matrix *matrix, char **out, struct ft_err *err)
{
	struct ft_text text = {0};

	*out = NULL;
	FT_TRY(refuse_columns(matrix, err));
	ft_text_add(&text, "resource");
	for (size_t j = 0; j < matrix->columns; j++) {
		ft_text_add(&text, ",");
		add_cell(&text, matrix->column[j]);
	}
	for (size_t i = 0; i < matrix->rows; i++) {
		ft_text_add(&text, "\n");
		add_cell(&text, matrix->row[i]);
		for (size_t j = 0; j < matrix->columns; j++) {
			ft_text_add(&text, ",");
			if (!isnan(matrix->value[i * matrix->columns + j]))
				ft_text_add_number(&text, matrix->value[i * matrix->columns + j]);
		}
	}
	ft_text_add(&text, "\n");
	*out = ft_text_take(&text);
	return *out ? FT_OK : ft_nomem(err);
}
