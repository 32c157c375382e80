/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nnls.h - least squares with coefficients that are not negative, for a few columns. */
#ifndef FT_NUM_NNLS_H
#define FT_NUM_NNLS_H

#include <stddef.h>

enum { FT_NNLS_COLUMNS = 16 };

/* ft_nnls - c >= 0 that makes |A c - y| least.
 *
 * a  [m x n] row-major, finite; n <= FT_NNLS_COLUMNS
 * y  [m]
 * c  [n] out
 *
 * Columns that say the same as others get 0. Allocates nothing. Cost O(m n^2), with the columns scaled and
 * the answer refined once: exact data gives coefficients exact to about 1e-12. Source: Lawson & Hanson,
 * Solving Least Squares Problems, ch. 23 (NNLS), on the normal equations.
 */
void ft_nnls(const double *a, const double *y, size_t m, size_t n, double *c);

#endif
