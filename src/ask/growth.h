/* SPDX-License-Identifier: GPL-3.0-or-later */
/* growth.h - the local exponent of new runs beside that of the model. */
#ifndef FT_ASK_GROWTH_H
#define FT_ASK_GROWTH_H

#include "foretime/verify.h"

/* What growth is read off: sizes ascending and different, x > 0, values > 0. */
struct ft__step {
	double x, value, promised;
	double sd; /* of ln (value / promised), were the program unchanged */
};

/* ft__growth_test - fill exponents, change, interval and verdict.
 *
 * step      [n] n >= 3
 * quantile  of the normal law: half-width of the interval in standard deviations
 *
 * Returns FT_OK or FT_ENOMEM.
 */
enum ft_status ft__growth_test(const struct ft__step *step, size_t n, double quantile, struct ft_growth *out,
			       struct ft_err *err);

#endif
