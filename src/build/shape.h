/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shape.h - whether measured speeds have the shape that GBBP takes for granted (000 section 2.3). */
#ifndef FT_BUILD_SHAPE_H
#define FT_BUILD_SHAPE_H

#include "foretime/build.h"

/* A size, and what its runs allow. */
struct ft__cut {
	double x;
	double speed[2]; /* least and largest */
	double mean;
	size_t n;      /* runs */
	double spread; /* standard deviation of single speeds; of one run: 0 */
};

/* ft__shape_check - what of the assumptions the cuts contradict.
 *
 * cut        [n] ascending by x; their speeds are widened here by what all of them together know of scatter
 * tolerance  sizes that differ by less, as a share, are neighbours
 *
 * Cost O(n^2), and O(m^3) for at most m = 128 of the sizes.
 */
void ft__shape_check(struct ft__cut *cut, size_t n, double tolerance, struct ft_build_shape *out);

#endif
