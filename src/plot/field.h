/* SPDX-License-Identifier: GPL-3.0-or-later */
/* field.h - a plane of values as a gnuplot script, and as characters, for the plot room only. */
#ifndef FT_PLOT_FIELD_H
#define FT_PLOT_FIELD_H

#include "plot/axis.h"
#include "plot/script.h"

/* ft__field_value - that of a node; NaN: nothing is drawn there. */
double ft__field_value(const struct ft_heat_map *field, size_t row, size_t column);

/* ft__field_values - the range of the values, and its scale. */
struct ft__axis ft__field_values(const struct ft_heat_map *field);

/* ft__field_levels - the round values at which lines are drawn. Returns their number. */
size_t ft__field_levels(const struct ft__axis *values, struct ft__tic level[FT__TICS_MOST]);

/* ft__field_script - the commands that draw n fields on standard output. FT_OK or FT_ENOMEM. */
enum ft_status ft__field_script(struct ft_text *script, const char *title, const struct ft_heat_map *field,
				size_t n, enum ft__picture picture, int width, struct ft_err *err);

/* ft__field_text - the field for a terminal: between each two lines of equal value another character. */
void ft__field_text(struct ft_text *text, const char *title, const struct ft_heat_map *field, int width);

#endif
