/* SPDX-License-Identifier: GPL-3.0-or-later */
/* caution.h - how far stated errors are to be trusted: by how far sizes lay off what was said of them, those
 * around a place before all. */
#ifndef FT_MODEL_CAUTION_H
#define FT_MODEL_CAUTION_H

#include <stddef.h>

/* What a size lay off what was said of it, in stated deviations; at: ln of it. */
struct ft__miss {
	double at, miss;
};

void ft__misses_sort(struct ft__miss *miss, size_t n); /* ascending */

/* ft__caution - how many times wider than stated errors are around a place.
 *
 * miss   [n] ascending
 * range  ln of the largest by the least size
 * least  what it is at least
 *
 * Cost O(n).
 */
double ft__caution(const struct ft__miss *miss, size_t n, double at, double range, double least);

#endif
