/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line.h - straight lines between points, as curves, traces, loads and costs are made of: the piece that a
 * place lies in, and the value there. Which piece it is tells num/order.h.
 */
#ifndef FT_NUM_LINE_H
#define FT_NUM_LINE_H

#include "num/order.h"

/* ft_line_at - the line through two points at x, also beyond them; with x and y exchanged, where it has a
 * value. x0 is not x1. */
static inline double ft_line_at(double x, double x0, double y0, double x1, double y1)
{
	return y0 + (x - x0) / (x1 - x0) * (y1 - y0);
}

/* ft_line_within - the same between x0 < x1, and before and behind them the value of that end. */
static inline double ft_line_within(double x, double x0, double y0, double x1, double y1)
{
	return x <= x0 ? y0 : x >= x1 ? y1 : ft_line_at(x, x0, y0, x1, y1);
}

/* ft_line_grid - between values y [n] at 0, 1, ... n - 1; before and behind them that of the end. n >= 1 */
static inline double ft_line_grid(const double *y, size_t n, double x)
{
	size_t i = x > 0 ? x < (double)(n - 1) ? (size_t)x : n - 1 : 0;

	return i + 1 < n ? ft_line_within(x, (double)i, y[i], (double)i + 1, y[i + 1]) : y[i];
}

#endif
