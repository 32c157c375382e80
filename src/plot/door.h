/* SPDX-License-Identifier: GPL-3.0-or-later */
/* door.h - what a picture of a value over a plane shows, for all that draw it: gnuplot's scripts, and the page. */
#ifndef FT_PLOT_DOOR_H
#define FT_PLOT_DOOR_H

#include "base/alloc.h"
#include "foretime/base.h"
#include "foretime/plot.h"

#include <stdbool.h>
#include <stddef.h>

/* The range of an axis. */
struct ft__axis {
	double low, high; /* low < high; both > 0 when log */
	bool log;
	const char *unit; /* behind the labels; "date": seconds since 1970; NULL: none */
	bool exponents;   /* log: places are decimal logarithms, and gnuplot's own axis is linear */
	bool whole;       /* no labelled tic between two whole numbers */
};

/* A mark on an axis. */
struct ft__tic {
	double at;
	char label[40]; /* with SI prefix and unit, "20 G", "50 ms", "4 GiB"; "": a small one */
	double place;   /* of a field's axis: in steps of nodes */
};

/* Places are in steps of nodes: 0 is the first column or row, 1 the second one. Of values: 0 is the darkest colour,
 * 1 the lightest. */

struct ft__field_scale {
	struct ft__axis axis;
	double from, to; /* its ends */
	struct ft__tic *tic;
	size_t tics;
};

/* A piece of a contour line. */
struct ft__field_line {
	bool dashed; /* extrapolated */
	double *x, *y;
	size_t n;
};

struct ft__field_level {
	const struct ft__tic *tic; /* its value, and its label */
	double x, y;               /* the middle of the label; NaN: there is no room */
	struct ft__field_line *line;
	size_t lines;
};

struct ft__field_box {
	double left, right, low, high;
};

/* A size that was run. */
struct ft__field_point {
	double x, y, at[2]; /* its place, and the size */
};

struct ft__field_picture {
	struct ft__field_scale x, y, values;
	double *z,
		*share; /* [rows x columns] values or their logarithms; the same as places on the bar of colours */
	struct ft__field_level *level;
	size_t levels;
	bool dashed;                         /* one of the lines is */
	struct ft__field_box *hatched, *cut; /* known hardly; no size is there */
	size_t hatches, cuts;
	struct ft__field_point *point; /* the runs, each size once */
	size_t points;
};

/* ft__field_picture_take - out: borrows from the arena, and from the field. FT_OK; FT_ENOMEM. */
enum ft_status ft__field_picture_take(struct ft__field_picture *out, const struct ft_heat_map *field,
				      struct ft_arena *arena, struct ft_err *err);

#endif
