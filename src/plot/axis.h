/* SPDX-License-Identifier: GPL-3.0-or-later */
/* axis.h - the range of an axis and its tics, for the plot room only. */
#ifndef FT_PLOT_AXIS_H
#define FT_PLOT_AXIS_H

#include "base/text.h"
#include "foretime/plot.h"

struct ft__axis {
	double low, high; /* low < high; both > 0 when log */
	bool log;
	const char *unit; /* behind the labels; NULL: none */
	bool exponents;   /* log: places are decimal logarithms, and gnuplot's own axis is linear */
};

/* ft__series_has - whether the i-th point of a series can be drawn on the panel: no NaN, and on logarithmic
 * axes nothing that is <= 0 but the ends of a band, which are cut at the edge of the picture. */
bool ft__series_has(const struct ft_panel *panel, const struct ft_series *series, size_t i);

/* ft__axis_x, ft__axis_y - an axis that shows every point of the panel, with some air, but for bands beyond;
 * [0, 1] or [1, 10] when there is none. A linear y axis starts at zero unless the values lie close together.
 */
struct ft__axis ft__axis_x(const struct ft_panel *panel);
struct ft__axis ft__axis_y(const struct ft_panel *panel);

/* ft__axis_of - an axis from low to high, with the same air as ft__axis_x; places are exponents. */
struct ft__axis ft__axis_of(double low, double high, bool log);

/* A mark on an axis. */
struct ft__tic {
	double at;
	char label[40]; /* with SI prefix and unit, "20 G", "50 ms", "4 GiB"; "": a small one */
};

enum { FT__TICS_MOST = 400 };

/* ft__axis_places - some `wanted` labelled tics at round values, and small ones between them. wanted >= 3, so
 * that there is at least one. Bytes go by 1024, seconds have no prefix from one to 100000. Returns their
 * number. */
size_t ft__axis_places(const struct ft__axis *axis, int wanted, struct ft__tic tic[FT__TICS_MOST]);

/* ft__axis_at - the place of a value: itself, or its logarithm. */
double ft__axis_at(const struct ft__axis *axis, double value);

enum { FT__MARKS = 800 };

/* ft__axis_hides - whether a point hides behind an earlier one. mark [FT__MARKS x FT__MARKS] in and out,
 * false at first. */
bool ft__axis_hides(bool *mark, const struct ft__axis *x, const struct ft__axis *y, const double at[2]);

/* ft__axis_tics - gnuplot's commands for range, scale and tics of the axis "x", "y" or "cb". */
void ft__axis_tics(struct ft_text *script, const char *name, const struct ft__axis *axis, int wanted);

#endif
