/* SPDX-License-Identifier: GPL-3.0-or-later */
/* axis.h - the range of an axis and its tics, for the plot room only. */
#ifndef FT_PLOT_AXIS_H
#define FT_PLOT_AXIS_H

#include "base/text.h"
#include "foretime/plot.h"

struct ft__axis {
	double low, high; /* low < high; both > 0 when log */
	bool log;
};

/* ft__series_has - whether the i-th point of a series can be drawn on the panel: no NaN, and on logarithmic
 * axes nothing that is <= 0 but the ends of a band or a bar, which are cut at the edge of the picture. */
bool ft__series_has(const struct ft_panel *panel, const struct ft_series *series, size_t i);

/* ft__axis_x, ft__axis_y - an axis that shows every point of the panel, with some air; [0, 1] or [1, 10] when
 * there is none. A linear y axis starts at zero unless the values lie close together. */
struct ft__axis ft__axis_x(const struct ft_panel *panel);
struct ft__axis ft__axis_y(const struct ft_panel *panel);

/* ft__axis_tics - gnuplot's command for some `wanted` labelled tics at round values; big and small ones carry
 * an SI prefix ("20 G"). name is 'x' or 'y'; wanted >= 3, so that there is at least one. */
void ft__axis_tics(struct ft_text *script, char name, const struct ft__axis *axis, int wanted);

#endif
