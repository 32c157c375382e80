/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lines.h - the lines of a file, plain or gzip, or of standard input, one after another; and what stands in
 * their cells. */
#ifndef FT_TRACE_LINES_H
#define FT_TRACE_LINES_H

#include "foretime/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <zlib.h>

/* Zero-initialise; ends with ft__lines_close. */
struct ft__lines {
	const char *name; /* in messages */
	gzFile file;      /* NULL: memory */
	bool stream;      /* standard input */
	const char *text; /* what is read from: the buffer, or memory */
	char *buffer;
	size_t capacity, begin, end;
	bool all;       /* nothing follows what is in the buffer */
	size_t line;    /* the number of the present line, from 1 */
	uint64_t bytes; /* read so far, unpacked */
};

enum ft_status ft__lines_open(struct ft__lines *lines, const char *path, struct ft_err *err);

/* ft__lines_memory - bytes, borrowed until ft__lines_close, as a file of that name. */
void ft__lines_memory(struct ft__lines *lines, const char *name, const char *bytes, size_t length);
void ft__lines_close(struct ft__lines *lines);

/* ft__lines_next - the next line, without its end (LF or CRLF); borrowed until the next call. `ended`: it had
 * one. FT_OK; FT_EEND: there is none (err untouched); FT_EIO, FT_ENOMEM; FT_EPARSE: a line of 64 MiB. */
enum ft_status ft__lines_next(struct ft__lines *lines, const char **text, size_t *length, bool *ended,
			      struct ft_err *err);

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
