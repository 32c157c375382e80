/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gaps.h - what missing values are likely to be, told by the other values of their row.
 *
 * Logarithms of a row are its pace, the same for all columns and of any size, and a deviation that is jointly
 * normal: columns that went together where both are known go together where one is missing. Of few rows the
 * columns' deviations count as independent, and a gap is the product of a row's and a column's factor.
 */
#ifndef FT_SURROGATE_GAPS_H
#define FT_SURROGATE_GAPS_H

#include "base/arena.h"

struct ft__gaps {
	size_t n;
	double *mean;    /* [n] */
	double *inverse; /* [n x n] of the covariance */
};

/* ft__gaps_learn - from rows with gaps; in the arena's memory.
 *
 * z      [m x n] logarithms, row-major; NaN: missing; a row without any value tells nothing
 * empty  out: the first column without a value; n: there is none
 *
 * By expectation and maximisation, a few rounds of it (Little & Rubin, Statistical analysis with missing
 * data, 2002, section 11.2), correlations shrunk.
 *
 * FT_OK; FT_EINVAL: a column is empty (no words: the caller knows its name), or values too far apart;
 * FT_ENOMEM. Cost O(n^3 + m n^2) a round, and g^3 for a row with g gaps.
 */
enum ft_status ft__gaps_learn(struct ft__gaps *gaps, struct ft_arena *arena, const double *z, size_t m,
			      size_t n, size_t *empty, struct ft_err *err);

/* ft__gaps_fill - each gap of rows z [t x n] becomes what the row's other values lead one to expect; a row
 * without any value stays. FT_OK; FT_ENOMEM. */
enum ft_status ft__gaps_fill(const struct ft__gaps *gaps, double *z, size_t t, struct ft_err *err);

#endif
