/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv_table.h - the table of text shared by its parser and its readers. */
#ifndef FT_BASE_CSV_TABLE_H
#define FT_BASE_CSV_TABLE_H

#include "base/csv.h"
#include "base/input.h"
#include "base/text.h"
#include "foretime/base.h"

struct ft__csv_note {
	size_t key, value; /* where in bytes */
};

struct ft_csv {
	char *name;           /* in messages */
	struct ft_text bytes; /* all cells and notes, each with its zero byte */
	size_t *cell;         /* where in bytes: the header's, then row by row */
	size_t n_cells, cells_capacity;
	size_t *line; /* of the header, then of each row */
	size_t n_lines, lines_capacity;
	size_t columns;
	char separator;
	struct ft__csv_note *note;
	size_t n_notes, notes_capacity;
};

/* bytes that a table takes in memory */

/* ft__csv_separator - the separator that occurs most in the header line of a text. */
char ft__csv_separator(const char *bytes, size_t length);

/* Decides on an invalid row, or one that `row` failed with: FT_OK: it is left out, and reading goes on;
 * else reading ends with this status. */
typedef enum ft_status ft__csv_spare(void *ctx, enum ft_status status, struct ft_err *err);

/* ft__csv_each - read a table row by row, in memory for one row.
 *
 * separator  any byte
 * plain      quotes are ordinary bytes, as in tables of tools that do not quote
 * row        called for each; csv holds the header, the notes and this row alone, number 0
 * spare      called for each row that fails; NULL: the first one ends the reading. Lines that an unclosed
 * quote took into its cell are rows again then
 *
 * Returns what ft_csv_read returns; what `row` or `spare` returned when that was not FT_OK.
 */
enum ft_status ft__csv_each(struct ft_input *input, char separator, bool plain,
			    enum ft_status (*row)(void *ctx, const struct ft_csv *csv, struct ft_err *err),
			    ft__csv_spare *spare, void *ctx, struct ft_err *err);

#endif
