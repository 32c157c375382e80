/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matrix.c - measurements gathered into a matrix with names. */
#include "surrogate/matrix.h"
#include "base/arena.h"
#include "base/hash.h"

#include <assert.h>
#include <math.h>
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

enum ft_status ft__matrix_row(struct ft_matrix_maker *maker, const char *name, size_t *index, bool *fresh,
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

/* Room for so many rows and columns, all missing. */
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
