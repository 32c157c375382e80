/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv_table.h - a table of text as csv_parse.c fills it and csv.c answers from it. */
#ifndef FT_BASE_CSV_TABLE_H
#define FT_BASE_CSV_TABLE_H

#include "base/text.h"
#include "foretime/csv.h"

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
	struct ft__csv_note *note;
	size_t n_notes, notes_capacity;
};

#endif
