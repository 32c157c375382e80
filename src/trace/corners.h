/* SPDX-License-Identifier: GPL-3.0-or-later */
/* corners.h - to which pieces of a curve a line from a given piece may reach with the curve's area.
 *
 * Such a line needs areas of both signs (or none) among the four lines from either end of the left piece to
 * either end of the right one. Stretches of points where all have one sign are passed over at once.
 */
#ifndef FT_TRACE_CORNERS_H
#define FT_TRACE_CORNERS_H

#include "foretime/status.h"

#include <stdbool.h>
#include <stddef.h>

/* What is known of a stretch of points, its chord taken off. */
struct ft__reach {
	double slope;    /* of the chord */
	double above[2]; /* least and most above it */
	double area[2];  /* least and most of the area above lines from its first point to the others */
};

/* Points of a curve, its area up to each. Zero-initialise; the arrays are the caller's; ends with
 * ft__corners_clear. */
struct ft__corners {
	const double *x, *y, *area; /* [n] */
	size_t n;
	double nothing;          /* an area that counts as 0 */
	struct ft__reach *reach; /* level by level, each half as many */
	size_t levels;
};

enum ft_status ft__corners_init(struct ft__corners *corners, struct ft_err *err);
void ft__corners_clear(struct ft__corners *corners);

/* A left end: a place of the curve, and the area up to it. */
struct ft__left_end {
	double x, y, area;
};

/* ft__corners_before - the last piece from point j to the next, first <= j < end, that a line between `from`
 * and point `first` as its left ends may reach. Returns false: there is none. */
bool ft__corners_before(const struct ft__corners *corners, const struct ft__left_end *from, size_t first,
			size_t end, size_t *piece);

#endif
