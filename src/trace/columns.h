/* SPDX-License-Identifier: GPL-3.0-or-later */
/* columns.h - which columns of a table are the time and the value, and how they are written. */
#ifndef FT_TRACE_COLUMNS_H
#define FT_TRACE_COLUMNS_H

#include "foretime/trace.h"
#include "trace/cells.h"

enum { FT__CELL_TEXT = 48 };

struct ft__text_line {
	const char *text; /* NULL: none */
	size_t length;
};

/* How times are written. */
enum ft__time_form {
	FT__TIME_NUMBER,
	FT__TIME_DATE,
	FT__TIME_CLOCK,      /* hh:mm:ss */
	FT__TIME_DATE_CLOCK, /* a date, and in the next column the clock */
	FT__TIME_COUNT,      /* milliseconds, microseconds or nanoseconds since 1970 */
};

struct ft__columns {
	char separator;
	size_t time, value; /* from 0 */
	enum ft__time_form form;
	int64_t count_ns; /* of FT__TIME_COUNT */
};

/* ft__columns_find - from the header (its text may be NULL) and the first row; name and line for messages. */
enum ft_status ft__columns_find(struct ft__columns *columns, const struct ft_trace_format *format,
				const char *name, size_t line, struct ft__text_line head,
				struct ft__text_line row, struct ft_err *err);

/* ft__columns_head - is this line a header: are there two names or more, as `row` has cells where that is
 * given, and no number or time among them? */
bool ft__columns_head(struct ft__text_line line, const struct ft__text_line *row);

/* ft__columns_name - what the header calls a column; else its number. */
void ft__columns_name(const struct ft__columns *columns, struct ft__text_line head, size_t column,
		      char name[64]);

/* ft__cell_printable - a cell as it may stand in a message. */
const char *ft__cell_printable(struct ft__cell cell, char text[FT__CELL_TEXT]);

#endif
