/* SPDX-License-Identifier: GPL-3.0-or-later */
/* admissible.h - a line that may stand for a stretch of a curve (003 section 3.1). */
#ifndef FT_TRACE_ADMISSIBLE_H
#define FT_TRACE_ADMISSIBLE_H

#include "trace/pwl.h"

struct ft__xy {
	double x, y;
};

/* Where a line may begin, left[0] .. left[1], and end, right[0] .. right[1], both on straight pieces of the
 * curve; `inner`: the curve from left[1] to right[0]. */
struct ft__stretch {
	struct ft__xy left[2], right[2];
	struct ft__span inner;
	double size; /* the range of the curve's values: what is nothing beside it counts as 0 */
};

/* ft__admissible - the longest line from the left piece to the right one that has the curve's area and is its
 * nearest line in the sense of L2. Returns false when there is none. */
bool ft__admissible(const struct ft__stretch *stretch, struct ft__xy *begin, struct ft__xy *end);

#endif
