/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory.h - the memory that runs need, as a law of the size. */
#ifndef FT_SWEEP_MEMORY_H
#define FT_SWEEP_MEMORY_H

#include "foretime/facts.h"

/* What a run needed at a size. */
struct ft__need {
	double x, bytes;
};

/* ft__need_at - what a run at x is expected to need; NaN: n = 0.
 *
 * need  [n] ascending by x
 *
 * Between two sizes the straight line. Beyond them a + b x^p through three sizes that lie apart: most of what
 * a small run needs is not its data, and the power law that is good for times would lag behind. Where there
 * are only two, the larger one of a straight line and a power law.
 */
double ft__need_at(const struct ft__need *need, size_t n, double x);

/* ft__need_grows - whether the largest of the sizes needs clearly more than the smallest. */
bool ft__need_grows(const struct ft__need *need, size_t n);

#endif
