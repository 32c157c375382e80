/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read.h - rows as they were read, before gaps and steps are dealt with. */
#ifndef FT_TRACE_READ_H
#define FT_TRACE_READ_H

#include "base/input.h"
#include "foretime/trace.h"

/* No value is known from `begin` until point `before`. */
struct ft__gap {
	size_t before;
	double begin;
};

struct ft__raw {
	struct ft_trace *out; /* what is told of the file */
	bool stream;          /* standard input: a last line without an end is not whole */
	double *t, *y;        /* [n] rows with a value */
	size_t n, capacity;
	struct ft__gap *gap; /* ascending */
	size_t n_gaps, gaps_capacity;
	size_t held; /* steps joined: rows without a value, through which the one before holds */
	double end;  /* the last time that something is known of */
};

/* ft__read_rows - all rows of an input, which stays the caller's; raw is zeroed, with `out` and `stream`,
 * and the caller frees its arrays. */
enum ft_status ft__read_rows(struct ft__raw *raw, struct ft_input *input,
			     const struct ft_trace_format *format, struct ft_err *err);

#endif
