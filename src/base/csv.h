/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv.h - tables of text: a header row and rows of cells, from a file (plain or gzip) or from memory.
 *
 * Comments: lines that begin with '#' are not rows; those of the form "# key: value" before the header are
 * kept as notes. A byte order mark, CRLF and blank lines are accepted; quotes are RFC 4180's. */
#ifndef FT_BASE_CSV_H
#define FT_BASE_CSV_H

#include "foretime/base.h"

struct ft_csv;

/* ft_csv_read - read a whole table.
 *
 * path       a file, plain or gzip; "-" is standard input
 * separator  ',' or '\t' or ';'; 0: the one that occurs most in the header line
 * out        heap, ends with ft_csv_free; NULL on failure
 *
 * Returns FT_OK; FT_ENOENT, FT_EACCESS, FT_EIO (opening, reading, a damaged gzip); FT_EPARSE with path, line
 * and column: no header, a row with more or fewer cells than the header, an unfinished quote, a zero byte,
 * two columns of one name, a row longer than 1 MiB, more than 256 MiB in memory; FT_ENOMEM.
 */
enum ft_status ft_csv_read(const char *path, char separator, struct ft_csv **out, struct ft_err *err);

/* ft_csv_parse - the same from memory; name stands in messages where a path would. */
enum ft_status ft_csv_parse(const char *name, const char *bytes, size_t length, char separator,
			    struct ft_csv **out, struct ft_err *err);
void ft_csv_free(struct ft_csv *csv);

size_t ft_csv_rows(const struct ft_csv *csv);
size_t ft_csv_columns(const struct ft_csv *csv);
const char *ft_csv_column_name(const struct ft_csv *csv, size_t column);

/* ft_csv_column - the number of the column of that name; -1 when there is none. */
int ft_csv_column(const struct ft_csv *csv, const char *name);

/* ft_csv_column_of - of the first of several names (the last is NULL) that there is; -1: there is none. */
int ft_csv_column_of(const struct ft_csv *csv, const char *const *names);

/* ft_csv_cell - a cell's text, without surrounding blanks; borrowed. */
const char *ft_csv_cell(const struct ft_csv *csv, size_t row, size_t column);

/* ft_csv_line - the line of the file on which a row begins, from 1. */
size_t ft_csv_line(const struct ft_csv *csv, size_t row);

/* ft_csv_number - a cell as a finite number.
 *
 * Returns FT_OK; FT_EPARSE: "FILE:LINE: column 3 (wall_s): 'abc' is not a number". An empty cell is one
 * unless empty_ok, then *value is NaN.
 */
enum ft_status ft_csv_number(const struct ft_csv *csv, size_t row, size_t column, bool empty_ok,
			     double *value, struct ft_err *err);

/* ft_csv_note - the value of a "# key: value" line before the header; NULL when there is none. */
const char *ft_csv_note(const struct ft_csv *csv, const char *key);

/* ft_csv_quote - a cell as it must stand in a comma-separated file: quoted only where that is needed.
 * Returns the length of the whole, as snprintf does. */
size_t ft_csv_quote(const char *cell, char *buffer, size_t size);

#endif
