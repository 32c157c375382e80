/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contour.h - lines of equal value over a grid, for the plot room only. */
#ifndef FT_PLOT_CONTOUR_H
#define FT_PLOT_CONTOUR_H

#include "foretime/status.h"

#include <stddef.h>

/* A line: [n] places in the grid, x = column, y = row. */
typedef void ft__contour_line(void *ctx, const double *x, const double *y, size_t n);

/* ft__contour_trace - where a grid has a value, by marching squares: straight between neighbours; where four
 * lines meet in a cell, as its middle says. A closed line ends where it begins.
 *
 * value  [rows x columns] row-major; no line passes a cell with a NaN
 *
 * Returns FT_OK or FT_ENOMEM. Cost O(rows columns).
 */
enum ft_status ft__contour_trace(const double *value, size_t rows, size_t columns, double level,
				 ft__contour_line *line, void *ctx);

#endif
