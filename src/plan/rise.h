/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rise.h - the least time in which all shares together reach a total. */
#ifndef FT_PLAN_RISE_H
#define FT_PLAN_RISE_H

#include "plan/share.h"

/* Zero-initialise. */
struct ft__rise {
	double t;            /* the least time by which caps reach the total; -INFINITY: least shares do */
	int64_t least, most; /* sums of all least shares, and of all caps; at most 2^62 */
	struct ft__cap *a;   /* [m] caps for a time before t: their sum is below the total */
	struct ft__cap *b;   /* [m] caps without a limit of time */
	int64_t sum;         /* of a */
	uint64_t evaluations;
};

/* ft__rise - the least T with sum max(lo, cap(T)) >= total, exact among doubles. Where least shares are
 * already more than the total, or caps less, t is NaN.
 *
 * Cost O(E m log k + m log m), E the evaluations of the sum, about 25.
 */
enum ft_status ft__rise(struct ft__rise *out, struct ft_arena *arena, const struct ft__share *s, size_t m,
			int64_t total, struct ft_err *err);

/* Sums that may be out of all bounds stop at 2^62. */
int64_t ft__units_add(int64_t sum, int64_t units, size_t count);

#endif
