/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot.h - plots through gnuplot, and as characters for a terminal. */
#ifndef FT_PLOT_PLOT_H
#define FT_PLOT_PLOT_H

#include "base/text.h"
#include "foretime/base.h"
#include "foretime/plot.h"
#include "plot/door.h"

#include <stddef.h>

/*
 * The range of an axis and its tics, for the plot room only.
 */

/* ft__series_has - whether the i-th point of a series can be drawn on the panel: no NaN, and on
 * logarithmic axes nothing <= 0 except the ends of a band, which are cut at the edge of the picture. */
bool ft__series_has(const struct ft_panel *panel, const struct ft_series *series, size_t i);

/* ft__axis_x, ft__axis_y - an axis that shows every point of the panel, with some margin, except for
 * extrapolated bands; [0, 1] or [1, 10] when there is none. A linear y axis starts at zero unless the
 * values lie close together. */
struct ft__axis ft__axis_x(const struct ft_panel *panel);
struct ft__axis ft__axis_y(const struct ft_panel *panel);

/* ft__axis_name - the x label; of dates with the first one. */
enum { FT__NAME_LENGTH = 200 };
const char *ft__axis_name(const struct ft_panel *panel, const struct ft__axis *x,
			  char buffer[FT__NAME_LENGTH]);

/* ft__axis_of - an axis from low to high, with the same air as ft__axis_x; places are exponents. */
struct ft__axis ft__axis_of(double low, double high, bool log, bool whole);

enum { FT__TICS_MOST = 400 };

/* ft__axis_places - some `wanted` labelled tics at round values, and small ones between them. wanted >= 3, so
 * that there is at least one, except on an axis of dates shorter than some seconds. Bytes go by 1024; long times are
 * in minutes, hours or days; numbers from 10000 on are in thousands, "10k". Returns their number. */
size_t ft__axis_places(const struct ft__axis *axis, int wanted, struct ft__tic tic[FT__TICS_MOST]);

/* ft__axis_at - the place of a value: itself, or its logarithm. */
double ft__axis_at(const struct ft__axis *axis, double value);

enum { FT__MARKS = 800 };

/* ft__axis_hides - whether a point hides behind an earlier one. mark [FT__MARKS x FT__MARKS] in and out,
 * false at first. */
bool ft__axis_hides(bool *mark, const struct ft__axis *x, const struct ft__axis *y, const double at[2]);

/* ft__axis_tics - gnuplot's commands for range, scale and tics of the axis "x", "y" or "cb". */
void ft__axis_tics(struct ft_text *script, const char *name, const struct ft__axis *axis, int wanted);
/* ft__axis_marks - the same with n tics that there are already. */
void ft__axis_marks(struct ft_text *script, const char *name, const struct ft__axis *axis,
		    const struct ft__tic *tic, size_t n);

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

enum ft__picture { FT__PICTURE_SVG, FT__PICTURE_PNG, FT__PICTURE_PDF };

/* The colours by the names that style.css of the page has for them; a test compares the values. */
enum ft__ink {
	FT__PAPER,
	FT__TEXT,
	FT__SOFT,
	FT__LINE,
	FT__ONE, /* of the first series, and so on */
	FT__TWO,
	FT__THREE,
	FT__FOUR,
	FT__FIVE,
	FT__SIX,
	FT__QUIET,  /* of single runs */
	FT__HEAT_1, /* of the least value of a plane, up to the largest */
	FT__HEAT_2,
	FT__HEAT_3,
	FT__HEAT_4,
	FT__HEAT_5,
	FT__INKS
};

/* "#0b6fa4" on light and on dark paper. */
struct ft__ink_row {
	const char *name, *value[2];
};
extern const struct ft__ink_row ft__inks[FT__INKS];

struct ft__theme {
	enum ft__picture picture;
	int width; /* pixels or characters, > 0 */
	bool dark;
};

/* ft__ink - the colour, on the paper of a look. ft__ink_of - of the i-th series. */
const char *ft__ink(const struct ft__theme *theme, enum ft__ink ink);
const char *ft__ink_of(const struct ft__theme *theme, size_t i);

/* An entry of a legend. */
struct ft__legend {
	enum { FT__KEY_LINE, FT__KEY_BAND, FT__KEY_POINT, FT__KEY_DASHED, FT__KEY_HATCH } kind;
	const char *title, *ink;
	bool strong; /* of a band */
};

enum { FT__KEYS_MOST = 24, FT__KEY_ROW = 20 /* pixels */ };

/* ft__keys_rows - how many rows a legend needs in so many pixels. ft__keys_draw - from `left` on, its first row at y
 * pixels below the upper edge of a picture of that height. Text is 13 pixels high. */
size_t ft__keys_rows(const struct ft__legend *key, size_t n, int room);
void ft__keys_draw(struct ft_text *script, const struct ft__theme *theme, const struct ft__legend *key,
		   size_t n, int left, int room, double y, double height);

/* ft__plot_word - a text in a colour, its left, middle or right ('l', 'c', 'r') at x, y pixels from the upper left
 * corner of a picture of that height. */
void ft__plot_word(struct ft_text *script, const struct ft__theme *theme, const char *text, enum ft__ink ink,
		   char side, double x, double y, double height);

/* ft__panel_text - the panels in characters; utf8: braille and blocks among them. */
void ft__panel_text(struct ft_text *text, const char *title, const struct ft_panel *panel, size_t n,
		    int width, bool utf8);

/* ft__plane_text - the plane of a table: its columns as points with their names. */
void ft__plane_text(struct ft_text *text, const struct ft_heat *heat, int width, bool utf8);

/* ft__axis_text - the x axis below such a drawing, with its labels and its name; the drawing begins behind `margin`
 * characters. */
void ft__axis_text(struct ft_text *text, const char *name, const struct ft__axis *axis, size_t margin,
		   size_t columns);

/* ft__plot_script - the commands that draw the panels as a picture on standard output.
 *
 * title  NULL: none
 *
 * What the caller names is written as single-quoted strings without enhanced markup, in which gnuplot expands
 * neither backticks nor macros; characters that could end the line are blanks.
 */
void ft__plot_script(struct ft_text *script, const char *title, const struct ft_panel *panel, size_t n,
		     const struct ft__theme *theme);

/* ft__heat_script - the same of a table and a plane. ft__heat_text - the table, for a terminal. */
void ft__heat_script(struct ft_text *script, const char *title, const struct ft_heat *heat,
		     const struct ft__theme *theme);
void ft__heat_text(struct ft_text *text, const char *title, const struct ft_heat *heat, int width);

/* ft__plot_begin - the lines that every script begins with: the terminal, the looks of border, grid and tics, and the
 * title (NULL: none) in the upper left corner. */
void ft__plot_begin(struct ft_text *script, const struct ft__theme *theme, const char *title, int height);

/* ft__plot_margins - the drawing's edges, in pixels from the upper left corner. */
void ft__plot_margins(struct ft_text *script, const struct ft__theme *theme, double height, double left,
		      double right, double top, double bottom);

/* ft__plot_quoted - a text as gnuplot's single-quoted string. */
void ft__plot_quoted(struct ft_text *script, const char *text);

/*
 * A plane of values as a gnuplot script, and as characters, for the plot room only.
 */

/* ft__field_value - that of a node; NaN: not drawn. */
double ft__field_value(const struct ft_heat_map *field, size_t row, size_t column);

/* ft__field_blank - whether there is no size at a place, in steps of nodes. */
bool ft__field_blank(const struct ft_heat_map *field, double row, double column);

/* ft__field_values - the range of the values, and its scale. */
struct ft__axis ft__field_values(const struct ft_heat_map *field);

/* ft__field_levels - the round values at which lines are drawn. Returns their number. */
size_t ft__field_levels(const struct ft__axis *values, struct ft__tic level[FT__TICS_MOST]);

/* ft__field_script - the commands that draw n fields on standard output. FT_OK or FT_ENOMEM. */
enum ft_status ft__field_script(struct ft_text *script, const char *title, const struct ft_heat_map *field,
				size_t n, const struct ft__theme *theme, struct ft_err *err);

/* ft__field_text - the field for a terminal: between each two lines of equal value another character. */
void ft__field_text(struct ft_text *text, const char *title, const struct ft_heat_map *field, int width);

/*
 * Schedules as a script and as characters; for the plot room only.
 */

void ft__gantt_script(struct ft_text *script, const char *title, const struct ft_gantt *gantt,
		      const struct ft__theme *theme);
void ft__gantt_text(struct ft_text *text, const char *title, const struct ft_gantt *gantt, int width);

#endif
