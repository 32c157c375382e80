/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ln.c - logarithms of many numbers at once. */
#include "num/ln.h"

#include <stdint.h>
#include <string.h>

/* x = 2^e m, m within sqrt(1/2) and sqrt(2); ln m = 2 atanh f, f = (m - 1)/(m + 1). */
void ft_ln_many(const double *x, size_t n, double *out)
{
	const uint64_t root = 0x3fe6a09e667f3bcd, one = 0x3ff0000000000000, mantissa = 0x000fffffffffffff;
	const uint64_t shift = 0x4330000000000000; /* 2^52 */

	for (size_t i = 0; i < n; i++) {
		double m, e;
		uint64_t bits;

		memcpy(&bits, &x[i], sizeof bits);
		bits += one - root;
		uint64_t high = bits >> 52 | shift;
		bits = (bits & mantissa) + root;
		memcpy(&m, &bits, sizeof m);
		memcpy(&e, &high, sizeof e);
		e -= 4503599627370496.0 + 1023;
		double f = (m - 1) / (m + 1);
		double f2 = f * f;
		out[i] = e * 0.69314718055994530942 +
			 2 * f *
				 (1 + f2 * (1.0 / 3 +
					    f2 * (1.0 / 5 +
						  f2 * (1.0 / 7 +
							f2 * (1.0 / 9 +
							      f2 * (1.0 / 11 +
								    f2 * (1.0 / 13 + f2 * (1.0 / 15))))))));
	}
}
