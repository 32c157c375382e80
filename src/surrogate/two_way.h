/* SPDX-License-Identifier: GPL-3.0-or-later */
/* two_way.h - what rows and columns have in common, where some values are missing. */
#ifndef FT_SURROGATE_TWO_WAY_H
#define FT_SURROGATE_TWO_WAY_H

#include <stddef.h>

/* ft__two_way - z_ij ~ row_i + column_j, by turns: means of what is known less the other way's.
 *
 * z            [m x n] row-major, stride apart; NaN: missing
 * row, column  [m], [n] out; 0 where nothing is known
 *
 * Returns n, or the first column without a value.
 */
size_t ft__two_way(const double *z, size_t m, size_t n, double *row, double *column);

#endif
