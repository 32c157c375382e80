/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tunnel.h - a power law whose exponent changes at a few sizes, above given points and not far above. */
#ifndef FT_ASK_TUNNEL_H
#define FT_ASK_TUNNEL_H

#include "foretime/status.h"

/* A point that must lie below. */
struct ft__floor {
	double x, value;
	double slack; /* how far above it the law may be, ln */
};

enum { FT__BENDS_MAX = 8 };

/* c max(1, x/at_0)^rise_0 max(1, x/at_1)^rise_1 ... */
struct ft__tunnel {
	double c;
	double at[FT__BENDS_MAX], rise[FT__BENDS_MAX];
	size_t n;
};

double ft__tunnel_value(const struct ft__tunnel *tunnel, double x);

/* ft__tunnel_fit - few bends; slacks are widened together until FT__BENDS_MAX suffice.
 *
 * point  [n] n >= 1, x ascending and > 0, values > 0
 *
 * Numbers are rounded to what is to be printed: as printed, the law is above every point. Cost O(n) for each
 * widening.
 */
void ft__tunnel_fit(const struct ft__floor *point, size_t n, struct ft__tunnel *out);

#endif
