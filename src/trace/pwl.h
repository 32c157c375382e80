/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pwl.h - a curve as the files of this room see it. */
#ifndef FT_TRACE_PWL_H
#define FT_TRACE_PWL_H

#include "foretime/trace.h"

enum { FT__PWL_BLOCK = 32 }; /* points of a leaf of the tree */

/* What a curve is over a stretch of time. Two neighbours make one without cancellation. */
struct ft__span {
	double h;     /* length */
	double mean;  /* of the curve */
	double slope; /* of its best L2 line, which has the same mean at the middle */
	double r;     /* integral of (curve - line)^2 */
};

struct ft__sketch;

/* Times and values count from the first point: t0, y0. */
struct ft_pwl {
	const double *t, *y; /* [n] the caller's */
	size_t n;
	double t0, y0;
	double length; /* t[n - 1] - t0 */
	size_t n_blocks;
	struct ft__span *tree; /* [2 n_blocks] node i joins 2 i and 2 i + 1; leaves from n_blocks on */
	const struct ft__sketch *sketch; /* looked at instead, where a search need not be exact; NULL */
};

/* For FT_CLEANUP. */
static inline void ft__pwl_end(struct ft_pwl **f)
{
	ft_pwl_free(*f);
}

/* ft__span_join - two neighbours as one. */
struct ft__span ft__span_join(struct ft__span a, struct ft__span b);

/* ft__pwl_find - the last i with t[i] - t0 <= x, at most n - 2. */
size_t ft__pwl_find(const struct ft_pwl *f, double x);

/* ft__pwl_value, ft__pwl_span - as ft_pwl_at and ft_pwl_line, counted from t0 and y0. */
double ft__pwl_value(const struct ft_pwl *f, double x);
struct ft__span ft__pwl_span(const struct ft_pwl *f, double a, double b);

/* ft__pwl_spans - between all neighbours among x [n], ascending: span [n - 1]. */
void ft__pwl_spans(const struct ft_pwl *f, const double *x, size_t n, struct ft__span *span);

/* ft__span_square - the integral of (curve - line)^2 for the line from p at the span's begin to q at its end.
 */
double ft__span_square(const struct ft__span *span, double p, double q);

#endif
