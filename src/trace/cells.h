/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cells.h - what stands in the cells of a line. */
#ifndef FT_TRACE_CELLS_H
#define FT_TRACE_CELLS_H

#include <stdbool.h>
#include <stdint.h>

/* A part of a line. */
struct ft__cell {
	const char *begin, *end;
};

/* ft__cell_next - the cell that begins at `at`, without blanks and quotes around it; returns where the next
 * one begins, or NULL: it was the last. A separator of ' ' is any run of blanks. */
const char *ft__cell_next(const char *at, const char *end, char separator, struct ft__cell *cell);

/* ft__cell_number - the whole cell as a decimal number; infinities are numbers here, NaN is none. */
bool ft__cell_number(struct ft__cell cell, double *value);

/* ft__cell_date - the whole cell as a date, ISO 8601 (the signs between, the seconds, their fraction and the
 * zone may be left out: UTC), in nanoseconds since 1970. */
bool ft__cell_date(struct ft__cell cell, int64_t *ns);

/* ft__cell_clock - the whole cell as hours, minutes and seconds: 10:00:07, 120:00:00.5. */
bool ft__cell_clock(struct ft__cell cell, double *seconds);

/* ft__cell_quantity - the whole cell as a number and its unit, which may be nothing: "55 %", "1.5 GiB".
 * `comma`: the decimals may stand behind a comma. */
bool ft__cell_quantity(struct ft__cell cell, bool comma, double *value, struct ft__cell *unit);

/* ft__cell_empty - nothing, or a word for nothing: NaN, NA, null, none, "-", "?". */
bool ft__cell_empty(struct ft__cell cell);

#endif
