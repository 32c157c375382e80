/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kin.h - rows in an order that brings those of one group together. */
#ifndef FT_SURROGATE_KIN_H
#define FT_SURROGATE_KIN_H

#include "base/arena.h"

struct ft__kin {
	size_t m;
	size_t *row;            /* [m] */
	size_t *group;          /* [m] 0 .. groups - 1, ascending, of row[i] */
	size_t *first;          /* [groups + 1] where each group begins */
	size_t groups, largest; /* largest: rows of the largest group */
};

/* ft__kin_init - group [m]: equal numbers are kin; NULL: each row by itself. Groups come by their numbers,
 * rows of a group as they stand. In the arena's memory. FT_OK; FT_ENOMEM. */
enum ft_status ft__kin_init(struct ft__kin *kin, struct ft_arena *arena, const size_t *group, size_t m,
			    struct ft_err *err);

#endif
