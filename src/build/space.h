/* SPDX-License-Identifier: GPL-3.0-or-later */
/* space.h - the admissible sizes of a builder, numbered from 0 in ascending order. */
#ifndef FT_BUILD_SPACE_H
#define FT_BUILD_SPACE_H

#include "foretime/build.h"

/* Sizes are compared by number: two doubles that mean the same size have the same one. */
struct ft__grid {
	struct ft_space space; /* with a list or a factor: cut down to those inside least..most */
	size_t count;          /* how many admissible sizes, `most` of a stride's included */
};

#define FT__NONE ((size_t)-1)

/* ft__grid_init - number the sizes of a space; space->sizes is borrowed.
 * Returns FT_OK; FT_EINVAL: a range, stride or factor that is none, a list that does not ascend, fewer than
 * two sizes. */
enum ft_status ft__grid_init(struct ft__grid *grid, const struct ft_space *space, struct ft_err *err);

double ft__grid_value(const struct ft__grid *grid, size_t index); /* index < count */

/* ft__grid_shift - what is added to sizes before their logarithm is taken: 0 where all are positive. */
double ft__grid_shift(const struct ft__grid *grid);

/* ft__grid_snap - the admissible size nearest to x, the lower one when two are. Cost O(log n) with a list,
 * else O(1). */
size_t ft__grid_snap(const struct ft__grid *grid, double x);

/* ft__grid_find - the number of x, FT__NONE when it is not admissible. */
size_t ft__grid_find(const struct ft__grid *grid, double x);

/* ft__grid_middle - the size nearest to the middle of two, strictly between them; FT__NONE: there is none. */
size_t ft__grid_middle(const struct ft__grid *grid, size_t left, size_t right);

/* a, 2a, 3a ... of a size, or steps of the stride (a list's first gap) where a is not positive. */
struct ft__multiples {
	double origin, unit;
	double k; /* the last one used: origin + (k - 1) unit */
};

struct ft__multiples ft__multiples_of(const struct ft__grid *grid, size_t index);

/* ft__multiples_next - the size of the least multiple yet unused that snaps to one beyond `from`; FT__NONE:
 * it lies beyond the range or snaps beyond `top`. Multiples that snap to `from` or below are skipped in O(1).
 */
size_t ft__multiples_next(struct ft__multiples *multiples, const struct ft__grid *grid, size_t from,
			  size_t top);

/* ft__multiples_double - the same, doubling k instead of counting. */
size_t ft__multiples_double(struct ft__multiples *multiples, const struct ft__grid *grid, size_t from,
			    size_t top);

#endif
