/* SPDX-License-Identifier: GPL-3.0-or-later */
/* region.h - where a place lies among others: amid them, or outside. */
#ifndef FT_MODEL_REGION_H
#define FT_MODEL_REGION_H

#include <stdbool.h>
#include <stddef.h>

/* ft__region_surrounds - whether there are points on all sides of a place, weakly, or it lies in their convex
 * hull.
 *
 * point  [n x d] in units of their ranges; d <= FT_PARAMS_MAX, n >= 1
 * x      [d]
 */
bool ft__region_surrounds(const double *point, size_t n, size_t d, const double *x);

/* ft__region_nearest - the point nearest to a place that was not taken before; it is taken. taken [n] */
size_t ft__region_nearest(const double *point, size_t n, size_t d, const double *x, bool *taken);

/* ft__region_spread - the i-th of evenly spread places of the unit box (Halton 1960). x [d] out */
void ft__region_spread(size_t i, size_t d, double *x);

#endif
