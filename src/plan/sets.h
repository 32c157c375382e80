/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sets.h - sets of whole numbers 0..limit as ascending intervals that do not touch, and their sums. */
#ifndef FT_PLAN_SETS_H
#define FT_PLAN_SETS_H

#include "plan/share.h"

/* Memory that sums are made in. Zero-initialise; ends with ft__sets_clear. */
struct ft__sets {
	struct ft__intervals pairs;
	uint64_t *bits; /* three of them */
	size_t words;
	uint64_t looks; /* pairs or words that were worked on */
};

/* ft__sets_add - appends to `out` all sums of one number of each set, up to limit; false: out of memory.
 *
 * a, b  [na], [nb] intervals; they may lie in out's array: they are read before it grows
 *
 * Cost O(pairs log pairs), or O(limit / 64 (nb + log limit)) over bits where that is less.
 */
bool ft__sets_add(struct ft__sets *work, const struct ft__interval *a, size_t na,
		  const struct ft__interval *b, size_t nb, int64_t limit, struct ft__intervals *out);
void ft__sets_clear(struct ft__sets *work);

#endif
