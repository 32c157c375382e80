/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draw.h - which rows train, which are foretold, and which columns are the basis of a trial. */
#ifndef FT_SURROGATE_DRAW_H
#define FT_SURROGATE_DRAW_H

#include "base/arena.h"
#include "base/random.h"
#include "foretime/trials.h"

/* Rows of one repetition; both lists have room for all rows. */
struct ft__split {
	size_t *train, n_train;
	size_t *test, n_test;
	size_t *first, n_groups; /* the first row of each group */
	size_t *order;           /* [n_groups] scratch */
};

/* ft__split_init - of m rows, in the arena's memory; group [m] or NULL. */
enum ft_status ft__split_init(struct ft__split *split, struct ft_arena *arena, const size_t *group, size_t m,
			      struct ft_err *err);

/* ft__split_draw - whole groups in random order until there are `train` rows, of the last one any that are
 * needed; `test` of the rows of other groups (0: all). Rows ascend. */
void ft__split_draw(struct ft__split *split, const struct ft_trials *trials, struct ft_random *random);

/* ft__basis_draw - k columns other than the target, one after the other in proportion to their correlation
 * with it on the training rows; what does not correlate keeps a small chance.
 * weight [n] scratch, basis [k] out */
void ft__basis_draw(const struct ft_trials *trials, const struct ft__split *split, size_t target,
		    struct ft_random *random, double *weight, size_t *basis);

#endif
