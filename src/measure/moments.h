/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moments.h - inside the helper: the trace of a run, within a bounded memory. */
#ifndef FT_MEASURE_MOMENTS_H
#define FT_MEASURE_MOMENTS_H

#include "measure/helper.h"

#include <stddef.h>

/* Zero-initialise; ends with ft__moments_clear. */
struct ft__moments {
	struct ft__moment *moment; /* [n] */
	size_t n, capacity;
	double sparser; /* by how much the looks have become rarer than was wished; a power of 2 */
};

/* ft__moments_add - append; when FT__MOMENTS_MAX is reached, neighbours are joined first (the later one's
 * time and processor time, the larger memory) and sparser doubles. Without memory for more it is passed over.
 */
void ft__moments_add(struct ft__moments *moments, const struct ft__moment *moment);

/* ft__moments_cap - no memory above the peak: what was a guess when it was kept, and turned out lower. */
void ft__moments_cap(struct ft__moments *moments, uint64_t peak_bytes);

void ft__moments_clear(struct ft__moments *moments);

#endif
