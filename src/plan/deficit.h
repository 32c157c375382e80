/* SPDX-License-Identifier: GPL-3.0-or-later */
/* deficit.h - shares of any times, proved best by which deficits below the caps can be reached. */
#ifndef FT_PLAN_DEFICIT_H
#define FT_PLAN_DEFICIT_H

#include "plan/share.h"

/* ft__deficit - the least T such that shares with times <= T sum to the total, from a bound of it on.
 *
 * s       [m]
 * bound   no T below it will do; caps at it reach the total
 * effort  intervals to look at
 * y       [processors] out: shares in steps; as they are where out->value is INFINITY
 *
 * out     value INFINITY: none (exact), or none found within the effort (not exact)
 * nearest out: where there is none, a sum above the total that can be reached; 0: none
 */
enum ft_status ft__deficit(const struct ft__share *s, size_t m, int64_t total, double bound, uint64_t effort,
			   int64_t *y, struct ft_plan *out, int64_t *nearest, struct ft_err *err);

#endif
