/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sum.h - sums that keep what is lost in rounding them, so that differences of two are good to every digit.
 */
#ifndef FT_TRACE_SUM_H
#define FT_TRACE_SUM_H

#include <math.h>

struct ft__sum {
	double high, low;
};

static inline struct ft__sum ft__sum_add(struct ft__sum sum, double value)
{
	double high = sum.high + value, part = high - sum.high;

	return (struct ft__sum){high, sum.low + ((sum.high - (high - part)) + (value - part))};
}

/* Plus a b, and what is lost in rounding that. */
static inline struct ft__sum ft__sum_add_product(struct ft__sum sum, double a, double b)
{
	double product = a * b;

	sum.low += fma(a, b, -product);
	return ft__sum_add(sum, product);
}

static inline double ft__sum_less(struct ft__sum a, struct ft__sum b)
{
	return (a.high - b.high) + (a.low - b.low);
}

#endif
