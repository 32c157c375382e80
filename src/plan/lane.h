/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lane.h - when a machine is busy: intervals that are filled in, and gaps between them. */
#ifndef FT_PLAN_LANE_H
#define FT_PLAN_LANE_H

#include "base/arena.h"
#include "foretime/plan.h"

/* Times in which a machine is busy, ascending, apart. */
struct ft__lane {
	struct ft__busy {
		double start, end;
	} * of;
	size_t n, capacity;
	struct ft_arena *arena; /* of the intervals */
};

/* ft__lane_gap - the earliest start from `ready` on of something that takes p. Cost O(log n) and the gaps
 * that are too small. */
double ft__lane_gap(const struct ft__lane *lane, double ready, double p);

/* ft__lane_occupy - busy from start to end, where it was not; intervals that touch become one. False: no
 * memory. */
bool ft__lane_occupy(struct ft__lane *lane, double start, double end);
bool ft__lane_copy(struct ft__lane *to, const struct ft__lane *from);

/* ft__lane_within - how long it is busy between two times. */
double ft__lane_within(const struct ft__lane *lane, double from, double to);

/* ft__lanes_reserve - [m] lanes of what is reserved; *out NULL: nothing is. In the arena's memory.
 * FT_EINVAL: no such machine, times that are none, or the wrong way round. */
enum ft_status ft__lanes_reserve(struct ft__lane **out, struct ft_arena *arena, size_t m,
				 const struct ft_plan_reserved *reserved, size_t n, struct ft_err *err);

#endif
