/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ln.h - logarithms of many numbers at once. */
#ifndef FT_NUM_LN_H
#define FT_NUM_LN_H

#include <stddef.h>

/* ft_ln_many - ln of n positive normal numbers, to 1e-12 (of a number near 1: of its logarithm); out [n] may
 * be x. The loop has no branch and no call, so that compilers make vectors of it: the library's would cost a
 * third of a fit of laws. Source: Cody & Waite, Software Manual for the Elementary Functions, ch. 5. */
void ft_ln_many(const double *x, size_t n, double *out);

#endif
