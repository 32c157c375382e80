/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tally.h - what became of predictions, and of the rows that they were learned from. */
#ifndef FT_SURROGATE_TALLY_H
#define FT_SURROGATE_TALLY_H

#include "base/arena.h"
#include "foretime/trials.h"

/* Of one target, over all its fits. Zero-initialise. */
struct ft__scored {
	double *error; /* (p - y) / y */
	size_t n, capacity;
	double rae, coverage; /* sums over fits */
	size_t fits, varying; /* of these many rae is known */
	double left, spread;  /* of residuals (y - p) / y: their mean so far, the sum of squares about it */
	size_t residuals;
};

/* ft__tally_error - one prediction more, in the arena's memory. FT_ENOMEM. */
enum ft_status ft__tally_error(struct ft__scored *tally, struct ft_arena *arena, double error,
			       struct ft_err *err);

/* ft__tally_rest - one row more that was learned from (Welford 1962). */
void ft__tally_rest(struct ft__scored *tally, double residual);

/* ft__tally_score - of each of n targets, and of all: out->column, n, all. The errors are spoilt. FT_ENOMEM.
 */
enum ft_status ft__tally_score(struct ft__scored *tally, size_t n, struct ft_trials_result *out,
			       struct ft_err *err);

#endif
