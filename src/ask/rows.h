/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rows.h - two machines that both were calibrated: how much longer things take on one of them. */
#ifndef FT_ASK_ROWS_H
#define FT_ASK_ROWS_H

#include "ask/ask.h"

/* A micro-benchmark that both machines have. */
struct ft__ratio {
	double ln;    /* of its time there, beside that of here */
	double bytes; /* of memory that it goes over; 0: none to speak of */
};

struct ft__rows {
	struct ft__ratio *ratio; /* [n] */
	size_t n, capacity;
};

/* ft__ratios_read - the newest calibrations of both in the store; none are no failure.
 *
 * list  all that was run (ft_store_find_runs)
 * out   zero-initialised; ends with ft__ratios_clear
 */
enum ft_status ft__ratios_read(struct ft_store *store, const struct ft_store_list *list, int64_t here,
			       int64_t there, struct ft__rows *out, struct ft_err *err);
void ft__ratios_clear(struct ft__rows *rows);

/* ft__ratios_of - how much longer a run there takes that holds so much memory (NaN: not known). Shares of the
 * micro-benchmarks in a program are not known: each that goes over no more than the run holds counts alike,
 * and how far they lie apart is what the program may be off by. Returns false: fewer than FT__ROWS_LEAST. */
enum { FT__ROWS_LEAST = 5 };
bool ft__ratios_of(const struct ft__rows *rows, double bytes, struct ft_pace *out);

#endif
