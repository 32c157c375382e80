/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matrix.c - gathers measurements into a matrix with names. */
#include "base/alloc.h"
#include "base/number.h"
#include "base/text.h"
#include "facts/door.h"
#include "foretime/base.h"
#include "foretime/facts.h"
#include "foretime/surrogate.h"
#include "surrogate/surrogate.h"

#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>

/* Names in the order in which they came, found by a hash table of their indices + 1. */
struct matrix_names {
	char **name;
	size_t n, capacity;
	size_t *slot, slots;   /* slots: a power of two, more than half of them empty */
	struct ft_arena arena; /* of all this */
};

struct matrix_entry {
	size_t row, column;
	double value;
};

struct ft_matrix_maker {
	struct matrix_names rows, columns;
	struct matrix_entry *entry;
	size_t n, capacity;
};

static size_t *find_slot(const struct matrix_names *names, const char *name)
{
	uint64_t hash = ft_hash_text(name);
	size_t i = (size_t)(hash ^ hash >> 32) & (names->slots - 1);

	while (names->slot[i] && strcmp(names->name[names->slot[i] - 1], name) != 0)
		i = (i + 1) & (names->slots - 1);
	return &names->slot[i];
}

static bool widen_names(struct matrix_names *names)
{
	struct matrix_names wide = *names;

	wide.slots = names->slots ? 2 * names->slots : 64;
	wide.slot = ft_arena_take(&wide.arena, wide.slots, sizeof *wide.slot);
	if (!wide.slot)
		return false;
	for (size_t i = 0; i < names->n; i++)
		*find_slot(&wide, names->name[i]) = i + 1;
	*names = wide;
	return true;
}

/* The index of a name, which is added when it is new; false: no memory. */
static bool index_of(struct matrix_names *names, const char *name, size_t *index)
{
	if (2 * (names->n + 1) > names->slots && !widen_names(names))
		return false;
	size_t *slot = find_slot(names, name);
	if (!*slot) {
		char **grown =
			ft_arena_grow(&names->arena, names->name, names->n, &names->capacity, sizeof *grown);
		if (!grown)
			return false;
		names->name = grown;
		grown[names->n] = ft_arena_text(&names->arena, name);
		if (!grown[names->n])
			return false;
		*slot = ++names->n;
	}
	*index = *slot - 1;
	return true;
}

enum ft_status ft_matrix_maker_new(struct ft_matrix_maker **out, struct ft_err *err)
{
	*out = ft_calloc(1, sizeof **out);
	return *out ? FT_OK : ft_nomem(err);
}

void ft_matrix_maker_free(struct ft_matrix_maker *maker)
{
	if (!maker)
		return;
	ft_arena_clear(&maker->rows.arena);
	ft_arena_clear(&maker->columns.arena);
	ft_free(maker->entry);
	ft_free(maker);
}

enum ft_status ft_matrix_add(struct ft_matrix_maker *maker, const char *row, const char *column, double value,
			     struct ft_err *err)
{
	struct matrix_entry *grown = ft_grow(maker->entry, maker->n, &maker->capacity, sizeof *grown);
	struct matrix_entry entry = {.value = value};

	if (grown)
		maker->entry = grown;
	if (!grown || !index_of(&maker->rows, row, &entry.row) ||
	    !index_of(&maker->columns, column, &entry.column))
		return ft_nomem(err);
	maker->entry[maker->n++] = entry;
	return FT_OK;
}

/* matrix_row - the index of a row's name, which is added when it is new (fresh). */
static enum ft_status matrix_row(struct ft_matrix_maker *maker, const char *name, size_t *index, bool *fresh,
				 struct ft_err *err)
{
	size_t before = maker->rows.n;

	if (!index_of(&maker->rows, name, index))
		return ft_nomem(err);
	*fresh = maker->rows.n > before;
	return FT_OK;
}

static bool copy_names(char ***copy, char *const *name, size_t n)
{
	bool whole = (*copy = ft_calloc(n, sizeof **copy)) != NULL;

	for (size_t i = 0; whole && i < n; i++)
		whole = ((*copy)[i] = ft_strdup(name[i])) != NULL;
	return whole;
}

/* Memory for this many rows and columns, all missing. */
static enum ft_status matrix_init(struct ft_matrix *matrix, char *const *row, size_t rows,
				  char *const *column, size_t columns, struct ft_err *err)
{
	*matrix = (struct ft_matrix){.rows = rows, .columns = columns};
	matrix->value = ft_calloc(rows * columns, sizeof *matrix->value);
	matrix->sd = ft_calloc(rows * columns, sizeof *matrix->sd);
	if (!copy_names(&matrix->row, row, rows) || !copy_names(&matrix->column, column, columns) ||
	    !matrix->value || !matrix->sd) {
		ft_matrix_clear(matrix);
		return ft_nomem(err);
	}
	for (size_t i = 0; i < rows * columns; i++)
		matrix->value[i] = matrix->sd[i] = NAN;
	return FT_OK;
}

/* Means and deviations, one measurement after the other (Welford, 1962). */
enum ft_status ft_matrix_make(const struct ft_matrix_maker *maker, struct ft_matrix *out, struct ft_err *err)
{
	*out = (struct ft_matrix){0};
	if (!maker->n)
		return ft_fail(err, FT_EINVAL, "there is no measurement");
	FT_OWN size_t *count = ft_calloc(maker->rows.n * maker->columns.n, sizeof *count);
	if (!count)
		return ft_nomem(err);
	FT_TRY(matrix_init(out, maker->rows.name, maker->rows.n, maker->columns.name, maker->columns.n, err));
	for (size_t i = 0; i < maker->n; i++) {
		const struct matrix_entry *entry = &maker->entry[i];
		size_t at = entry->row * out->columns + entry->column;
		double from = count[at] ? out->value[at] : 0, far = entry->value - from;

		if (isnan(entry->value))
			continue;
		count[at]++;
		out->value[at] = from + far / (double)count[at];
		out->sd[at] = count[at] == 1 ? 0 : out->sd[at] + far * (entry->value - out->value[at]);
	}
	for (size_t i = 0; i < out->rows * out->columns; i++)
		out->sd[i] = count[i] > 1 ? sqrt(out->sd[i] / (double)(count[i] - 1)) : NAN;
	return FT_OK;
}

void ft_matrix_clear(struct ft_matrix *matrix)
{
	if (!matrix)
		return;
	for (size_t i = 0; matrix->row && i < matrix->rows; i++)
		ft_free(matrix->row[i]);
	for (size_t i = 0; matrix->column && i < matrix->columns; i++)
		ft_free(matrix->column[i]);
	ft_free(matrix->row);
	ft_free(matrix->column);
	ft_free(matrix->value);
	ft_free(matrix->sd);
	ft_free(matrix->group);
	*matrix = (struct ft_matrix){0};
}

static long find_name(char *const *name, size_t n, const char *wanted)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(name[i], wanted))
			return (long)i;
	return -1;
}

long ft_matrix_row(const struct ft_matrix *matrix, const char *name)
{
	return find_name(matrix->row, matrix->rows, name);
}

long ft_matrix_column(const struct ft_matrix *matrix, const char *name)
{
	return find_name(matrix->column, matrix->columns, name);
}

enum ft_status ft_matrix_turn(const struct ft_matrix *matrix, struct ft_matrix *out, struct ft_err *err)
{
	FT_TRY(matrix_init(out, matrix->column, matrix->columns, matrix->row, matrix->rows, err));
	for (size_t i = 0; i < matrix->rows; i++)
		for (size_t j = 0; j < matrix->columns; j++) {
			out->value[j * out->columns + i] = matrix->value[i * matrix->columns + j];
			out->sd[j * out->columns + i] = matrix->sd[i * matrix->columns + j];
		}
	return FT_OK;
}

/*
 * Read matrices from tables, and write them: long and wide ones.
 */

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

/* Words for a missing value in tables of other tools. */
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
	FT_TRY(matrix_row(r->maker, name, &index, &fresh, err));
	if (fresh || !several)
		return FT_OK;
	(void)snprintf(number, sizeof number, "%zu", i + 1);
	join_name(name, cell, " #", number);
	return matrix_row(r->maker, name, &index, &fresh, err);
}

/* The group of each row of the matrix; a repeated row keeps its first group. */
static enum ft_status find_groups(struct matrix_table_reading *r, size_t i, const char *name,
				  struct ft_err *err)
{
	size_t row, group;
	bool fresh = false;

	FT_TRY(matrix_row(r->maker, name, &row, &fresh, err));
	FT_TRY(matrix_row(r->groups, ft_csv_cell(r->csv, i, (size_t)r->grouped), &group, &fresh, err));
	if (r->group[row] == 0)
		r->group[row] = group + 1;
	return FT_OK;
}

static enum ft_status read_wide(struct matrix_table_reading *r, struct ft_err *err)
{
	char name[NAME_LENGTH];

	/* The column that names the rows, and which way the table lies. */
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
	FT_TRY(choose_programs(r, err));
	FT_TRY(judge_resources(r, err));
	if (r->options->group) {
		r->grouped = ft_csv_column(r->csv, r->options->group);
		if (r->grouped < 0)
			return ft_fail(err, FT_EINVAL, "'%s' has no column '%s' to group by", r->path,
				       r->options->group);
		if (r->programs_down)
			return ft_fail(err, FT_EINVAL,
				       "the rows of '%s' are programs: groups are of machines", r->path);
		r->group = ft_arena_take(r->arena, ft_csv_rows(r->csv) + 1, sizeof *r->group);
		FT_TRY(ft_arena_check(r->arena, err));
		FT_TRY(ft_matrix_maker_new(&r->groups, err));
	}
	bool several = strcmp(ft_csv_column_name(r->csv, (size_t)r->name), "resource") != 0;
	for (size_t i = 0; i < ft_csv_rows(r->csv); i++) {
		FT_TRY(name_row(r, i, several, name, err));
		for (size_t j = 0; j < ft_csv_columns(r->csv); j++) {
			const char *column = ft_csv_column_name(r->csv, j);

			if (!*column)
				column = "unnamed";
			if (!r->chosen[j])
				continue;
			enum ft_status status = r->programs_down ? add_value(r, i, j, column, name, err)
								 : add_value(r, i, j, name, column, err);
			/* A cell that is no number, when the columns of programs were not named. */
			if (status == FT_EPARSE && !r->options->programs)
				return ft_remedy(
					err, "choose the columns of measurements: --programs REGEX; a cell "
					     "without one is empty, or NA");
			FT_TRY(status);
		}
		FT_TRY(r->groups ? find_groups(r, i, name, err) : FT_OK);
	}
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
	FT_TRY(ft_matrix_make(r.maker, out, err));
	if (!r.group)
		return FT_OK;
	out->group = ft_calloc(out->rows, sizeof *out->group);
	if (!out->group) {
		ft_matrix_clear(out);
		return ft_nomem(err);
	}
	for (size_t i = 0; i < out->rows; i++)
		out->group[i] = r.group[i] - 1;
	return FT_OK;
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

/* Programs named like the columns that describe the form of the table. */
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

/*
 * Measurements of a matrix from runs.
 */

static bool wants_resource(const struct ft_matrix_wanted *wanted, const struct ft_resource *resource)
{
	for (size_t i = 0; i < wanted->n_resources; i++)
		if (!strcmp(wanted->resource[i], resource->name))
			return true;
	return !wanted->n_resources && (wanted->admit || !ft_resource_admissible(resource->name, NULL));
}

enum ft_status ft_matrix_add_runs(struct ft_matrix_maker *maker, const struct ft_program *program,
				  const struct ft_runs *runs, const char *machine,
				  const struct ft_matrix_wanted *wanted, struct ft_err *err)
{
	bool wants = false;

	for (size_t i = 0; i < runs->n; i++) {
		const struct ft_run *run = &runs->run[i];

		if (run->outcome != FT_DONE || run->warmup)
			continue;
		/* Is a run of one of the sizes that are wanted? Several of one parameter are alternatives. */
		bool met[FT_PARAMS_MAX] = {0}, requested[FT_PARAMS_MAX] = {0};
		size_t j;

		for (j = 0; j < wanted->n_sizes; j++) {
			struct ft_param param;

			FT_TRY(ft_param_parse(wanted->size[j], &param, err));
			int p = ft_program_find_param(program, param.name);
			if (p < 0)
				return ft_fail(err, FT_EINVAL, "'%s' has no parameter '%s'", program->name,
					       param.name);
			requested[p] = true;
			met[p] |= param.least <= run->size.value[p] && run->size.value[p] <= param.most &&
				  ft_param_covers(&param, run->size.value[p]);
		}
		for (wants = true, j = 0; j < program->n_params; j++)
			wants &= met[j] || !requested[j];
		if (wants) {
			char column[NAME_LENGTH], row[NAME_LENGTH], size[NAME_LENGTH / 2];
			/* A routine is a program NAME/ROUTINE, whose runs repeat the routine's name. */
			const char *slash = strrchr(program->name, '/');
			bool named = !run->routine || (slash && !strcmp(slash + 1, run->routine));

			(void)ft_size_format(program, &run->size, size, sizeof size);
			(void)snprintf(column, sizeof column, "%s%s%s%s%s", program->name, named ? "" : "/",
				       named ? "" : run->routine, *size ? " " : "", size);
			for (size_t k = 0; k < run->n_samples; k++) {
				const struct ft_sample *sample = &run->sample[k];

				if (isnan(sample->value) || !wants_resource(wanted, sample->resource))
					continue;
				(void)snprintf(row, sizeof row, "%s%s%s", sample->resource->name,
					       machine ? "@" : "", machine ? machine : "");
				FT_TRY(ft_matrix_add(maker, row, column, sample->value, err));
			}
		}
	}
	return FT_OK;
}

/*
 * A program of a matrix at each of its sizes.
 */

/* "sort n=1000" of "sort": 1000. NaN: it is another program, or has no single size. */
static double size_in_name(const char *column, const char *name)
{
	size_t length = strlen(name);
	const char *end;
	double n;

	if (strncmp(column, name, length) != 0 || column[length] != ' ')
		return NAN;
	column = strchr(column + length, '=');
	return column && ft__number_scan_signed(column + 1, &end, &n) && !*end ? n : (double)NAN;
}

long ft__sized_name_column(const struct ft_matrix *matrix, const char *name, double n)
{
	if (isnan(n))
		return ft_matrix_column(matrix, name);
	for (size_t i = 0; i < matrix->columns; i++)
		if (size_in_name(matrix->column[i], name) == n)
			return (long)i;
	return -1;
}

enum ft_status ft_sized_find(struct ft_sized *out, const struct ft_matrix *matrix, const char *name,
			     struct ft_err *err)
{
	*out = (struct ft_sized){.name = name};
	out->column = ft_calloc(matrix->columns + 1, sizeof *out->column);
	out->n = ft_calloc(matrix->columns + 1, sizeof *out->n);
	if (!out->column || !out->n) {
		ft_sized_clear(out);
		return ft_nomem(err);
	}
	for (size_t i = 0; i < matrix->columns; i++) {
		double n = size_in_name(matrix->column[i], name);

		if (!isnan(n) || !strcmp(matrix->column[i], name)) {
			/* The column without a size comes last: if a size was measured itself, that value counts. */
			size_t j;

			for (j = out->sizes++; j && (isnan(out->n[j - 1]) || out->n[j - 1] > n); j--) {
				out->n[j] = out->n[j - 1];
				out->column[j] = out->column[j - 1];
			}
			out->n[j] = n;
			out->column[j] = i;
		}
	}
	if (out->sizes)
		return FT_OK;
	ft_sized_clear(out);
	(void)ft_fail(err, FT_ENOENT, "the measurements know no program '%s'", name);
	return ft_remedy(err, "columns are \"%s n=SIZE\": foretime surrogate matrix lists them", name);
}

void ft_sized_clear(struct ft_sized *sized)
{
	if (!sized)
		return;
	ft_free(sized->column);
	ft_free(sized->n);
	*sized = (struct ft_sized){0};
}

long ft_sized_column(const struct ft_sized *sized, double n)
{
	for (size_t i = 0; i < sized->sizes; i++)
		if (sized->n[i] == n || isnan(sized->n[i]))
			return (long)sized->column[i];
	return -1;
}
