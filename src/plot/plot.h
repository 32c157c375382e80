/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot.h - plots through gnuplot, and as characters for a terminal. */
#ifndef FT_PLOT_PLOT_H
#define FT_PLOT_PLOT_H

#include "base/text.h"
#include "foretime/base.h"
#include "foretime/plot.h"

#include <stddef.h>

/*
 * The range of an axis and its tics, for the plot room only.
 */

struct ft__axis {
	double low, high; /* low < high; both > 0 when log */
	bool log;
	const char *unit; /* behind the labels; NULL: none */
	bool exponents;   /* log: places are decimal logarithms, and gnuplot's own axis is linear */
};

/* ft__series_has - whether the i-th point of a series can be drawn on the panel: no NaN, and on
 * logarithmic axes nothing <= 0 except the ends of a band, which are cut at the edge of the picture. */
bool ft__series_has(const struct ft_panel *panel, const struct ft_series *series, size_t i);

/* ft__axis_x, ft__axis_y - an axis that shows every point of the panel, with some margin, except for
 * extrapolated bands; [0, 1] or [1, 10] when there is none. A linear y axis starts at zero unless the
 * values lie close together. */
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

/*
 * Contour lines over a grid, for the plot room only.
 */

/* A line: [n] places in the grid, x = column, y = row. */
typedef void ft__contour_line(void *ctx, const double *x, const double *y, size_t n);

/* ft__contour_trace - the contour of a value on a grid, by marching squares: straight between neighbours;
 * where four lines meet in a cell, by its middle. A closed line ends where it begins.
 *
 * value  [rows x columns] row-major; no line passes a cell with a NaN
 *
 * Returns FT_OK or FT_ENOMEM. Cost O(rows columns).
 */
enum ft_status ft__contour_trace(const double *value, size_t rows, size_t columns, double level,
				 ft__contour_line *line, void *ctx);

/*
 * A picture as a gnuplot script, for the plot room only.
 */

enum ft__picture { FT__PICTURE_SVG, FT__PICTURE_PNG };

/* ft__panel_text - the panels in characters; utf8: braille and blocks among them. */
void ft__panel_text(struct ft_text *text, const char *title, const struct ft_panel *panel, size_t n,
		    int width, bool utf8);

/* ft__plane_text - the plane of a table: its columns as points with their names. */
void ft__plane_text(struct ft_text *text, const struct ft_heat *heat, int width, bool utf8);

/* ft__plot_script - the commands that draw the panels as a picture on standard output.
 *
 * title  NULL: none
 * width  in pixels or characters, > 0
 *
 * What the caller names is written as single-quoted strings without enhanced markup, in which gnuplot expands
 * neither backticks nor macros; characters that could end the line are blanks.
 */
void ft__plot_script(struct ft_text *script, const char *title, const struct ft_panel *panel, size_t n,
		     enum ft__picture picture, int width);

/* ft__heat_script - the same of a table and a plane. ft__heat_text - the table, for a terminal. */
void ft__heat_script(struct ft_text *script, const char *title, const struct ft_heat *heat,
		     enum ft__picture picture, int width);
void ft__heat_text(struct ft_text *text, const char *title, const struct ft_heat *heat, int width);

/* ft__plot_terminal - the lines that every script begins with. */
void ft__plot_terminal(struct ft_text *script, enum ft__picture picture, int width, int height);

/* ft__plot_looks, ft__plot_title - legend, border, grid and tics of pictures that are no text; the title in
 * the upper left corner. */
void ft__plot_looks(struct ft_text *script);
void ft__plot_title(struct ft_text *script, const char *title, enum ft__picture picture, int width,
		    int height);

/* ft__plot_colour - six digits, the colour of the i-th series. */
const char *ft__plot_colour(size_t i);

/* ft__plot_quoted - a text as gnuplot's single-quoted string. */
void ft__plot_quoted(struct ft_text *script, const char *text);

/*
 * A plane of values as a gnuplot script, and as characters, for the plot room only.
 */

/* ft__field_value - that of a node; NaN: not drawn. */
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

/*
 * Schedules as a script and as characters; for the plot room only.
 */

void ft__gantt_script(struct ft_text *script, const char *title, const struct ft_gantt *gantt,
		      enum ft__picture picture, int width);
void ft__gantt_text(struct ft_text *text, const char *title, const struct ft_gantt *gantt, int width);

#endif
