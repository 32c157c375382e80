/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sketch.h - a curve as a search sees it: straight cells between chosen points, and its integrals in O(1).
 *
 * Up to some ten thousand points the cells are the curve's own pieces, and nothing is lost; of longer curves
 * a cell is the nearest line between two points of the mesh, with the square that the line leaves.
 */
#ifndef FT_TRACE_SKETCH_H
#define FT_TRACE_SKETCH_H

#include "base/arena.h"
#include "trace/pwl.h"
#include "trace/sum.h"

/* Integrals of f, x f and f^2 from the begin of the curve. */
struct ft__integrals {
	struct ft__sum f, xf, ff;
};

/* A cell: the line from p at its begin to the next one's begin, and what it leaves. */
struct ft__cell_line {
	double p, slope, r;
};

struct ft__sketch {
	size_t n;                       /* points */
	double *x;                      /* [n] from the curve's t0 */
	struct ft__cell_line *line;     /* [n - 1] */
	struct ft__integrals *integral; /* [n] up to each point */
	uint32_t *bucket;               /* [n] of so many equal parts of the time: the cell each begins in */
	double per_time;                /* buckets to a unit of time */
};

/* ft__sketch_init - in the arena's memory. Returns FT_OK; FT_ENOMEM. */
enum ft_status ft__sketch_init(struct ft__sketch *sketch, struct ft_arena *arena, const struct ft_pwl *f,
			       struct ft_err *err);

/* ft__sketch_find - the last i with x[i] <= x, at most n - 2. */
size_t ft__sketch_find(const struct ft__sketch *sketch, double x);

/* ft__sketch_span - as ft__pwl_span; but for rounding the same where cells are pieces of the curve. */
struct ft__span ft__sketch_span(const struct ft__sketch *sketch, double a, double b);

/* ft__sketch_spans - of all neighbours among x [n], ascending: span [n - 1]. */
void ft__sketch_spans(const struct ft__sketch *sketch, const double *x, size_t n, struct ft__span *span);

#endif
