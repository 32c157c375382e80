/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exp.h - exp(-x) written so that a compiler makes vector instructions of a loop over it. */
#ifndef FT_NUM_EXP_H
#define FT_NUM_EXP_H

#include <stdint.h>
#include <string.h>

/* ft_exp_minus - exp(-x), x >= 0, within 4 units of the last place; 0 from 700 on.
 *
 * x = n ln 2 + r with |r| <= ln 2 / 2; exp(-r) by its series; 2^-n by the bits of the exponent. Adding 1.5
 * 2^52 rounds to an integer, and leaves it in the low bits. Source: Cody & Waite, Software manual for the
 * elementary functions, 1980, chapter 6.
 */
static inline double ft_exp_minus(double x)
{
	const double shift = 0x1.8p52, high = 0x1.62e42fee00000p-1, low = 0x1.a39ef35793c76p-33;
	double y = x < 700 ? x : 700, t = y * -0x1.71547652b82fep+0 + shift, n = t - shift;
	double r = (-y - n * high) - n * low, sum, two;
	uint64_t bits;

	memcpy(&bits, &t, sizeof bits);
	bits = (bits + 1023) << 52;
	memcpy(&two, &bits, sizeof two);
	sum = 1 / 6227020800.0;
	sum = sum * r + 1 / 479001600.0;
	sum = sum * r + 1 / 39916800.0;
	sum = sum * r + 1 / 3628800.0;
	sum = sum * r + 1 / 362880.0;
	sum = sum * r + 1 / 40320.0;
	sum = sum * r + 1 / 5040.0;
	sum = sum * r + 1 / 720.0;
	sum = sum * r + 1 / 120.0;
	sum = sum * r + 1 / 24.0;
	sum = sum * r + 1 / 6.0;
	sum = sum * r + 0.5;
	sum = sum * r + 1;
	sum = sum * r + 1;
	return x < 700 ? sum * two : 0;
}

#endif
