/* SPDX-License-Identifier: GPL-3.0-or-later */
/* surrogate.h - programs and resources described by others (004 chapters 5 to 7).
 *
 * A matrix of measurements has a row for each machine or resource and a column for each program (or the
 * other way round). A target column is described by the basis columns on the rows where all are known; the
 * description foretells the target on rows where only the basis is known.
 */
#ifndef FORETIME_SURROGATE_H
#define FORETIME_SURROGATE_H

#include "foretime/status.h"

#include <stdbool.h>
#include <stdint.h>

FT_BEGIN_DECLS

/* ---- matrices of measurements -------------------------------------------------------------------------- */

/* Resources (or machines) are rows and programs are columns, or the other way round. Zero-initialise; ends
 * with ft_matrix_clear. */
struct ft_matrix {
	size_t rows, columns;
	char **row, **column; /* [rows], [columns] names, each only once */
	double *value;        /* [rows x columns] row-major, the mean of what was added; NaN: missing */
	double *sd;           /* [rows x columns] of one measurement, where there were several; else NaN */
	size_t *group; /* [rows] rows of one group have the same number; NULL: no groups were asked for */
};

void ft_matrix_clear(struct ft_matrix *matrix); /* accepts NULL, and twice */

/* ft_matrix_row, ft_matrix_column - the index of a name; -1: there is none. */
long ft_matrix_row(const struct ft_matrix *matrix, const char *name);
long ft_matrix_column(const struct ft_matrix *matrix, const char *name);

/* Measurements that become a matrix, in any order; repeated ones are averaged. */
struct ft_matrix_maker;
enum ft_status ft_matrix_maker_new(struct ft_matrix_maker **out, struct ft_err *err);
void ft_matrix_maker_free(struct ft_matrix_maker *maker); /* accepts NULL */

/* ft_matrix_add - one measurement; row and column are made when they are new. NaN: no value, only the names.
 */
enum ft_status ft_matrix_add(struct ft_matrix_maker *maker, const char *row, const char *column, double value,
			     struct ft_err *err);

/* ft_matrix_make - what was added; rows and columns in the order in which they came first. FT_EINVAL: nothing
 * was. Cost O(measurements + rows x columns). */
enum ft_status ft_matrix_make(const struct ft_matrix_maker *maker, struct ft_matrix *out, struct ft_err *err);

/* How a table is read; zero means each one's default. */
struct ft_matrix_options {
	const char *rows;     /* the column that names the rows; default: `resource`, `machine`, `system`,
				 `program`     (with `n` behind it when there is one), else the first; a row whose
				 name was there     already gets its number behind it */
	const char *programs; /* wide: an extended regular expression: the columns that are read; NULL: all
				 the other ones, and then every cell is a number or empty */
	const char *group;    /* wide: the column whose equal cells are a group */
	bool admit;           /* take resources that are no measure all the same */
};

/* ft_matrix_read - a table of measurements.
 *
 * A long table has the columns `program`, `resource` and `value` (and perhaps `machine` and `n`, which become
 * part of the names: "sort n=1000", "wall_s@box"); any other one is wide. A wide table whose rows are
 * programs is turned: rows of the matrix are resources always. An empty cell is missing.
 *
 * Returns FT_OK; what ft_csv_read and ft_csv_number return; FT_EINVAL: no such column, no program, a negative
 * value (line and column), a bad expression, a resource that is no measure (ft_resource_admissible; unless
 * options->admit).
 */
enum ft_status ft_matrix_read(const char *path, const struct ft_matrix_options *options,
			      struct ft_matrix *out, struct ft_err *err);

/* ft_matrix_write - as a wide table, as text: what ft_matrix_read reads back to the last digit (means only).
 * out: heap, ends with free. */
enum ft_status ft_matrix_write(const struct ft_matrix *matrix, char **out, struct ft_err *err);

/* ft_matrix_impute - missing values of some columns become what their row and column lead one to expect: the
 * product of a row's and a column's factor. A row without any value stays without. For descriptions and
 * predictions that rest on few missing values: nothing tells them from measured ones afterwards.
 *
 * column  [k] indices
 * filled  out: how many there were
 *
 * Returns FT_OK; FT_EINVAL: a value not > 0, a column without values (named); FT_ENOMEM. Cost O(rows k).
 */
enum ft_status ft_matrix_impute(struct ft_matrix *matrix, const size_t *column, size_t k, size_t *filled,
				struct ft_err *err);

/* ft_matrix_turn - rows become columns; groups are lost. */
enum ft_status ft_matrix_turn(const struct ft_matrix *matrix, struct ft_matrix *out, struct ft_err *err);

/* ft_resource_admissible - is a resource a measure (004 5.1.3: never negative, nothing for nothing,
 * additive)? Judged by its name: a share, a rate, a power, a temperature, memory in use are none. FT_EINVAL:
 * why not, and how to make one of it. */
enum ft_status ft_resource_admissible(const char *name, struct ft_err *err);

FT_END_DECLS
#endif
