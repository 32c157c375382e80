/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot.h - draws the series that it is handed: pictures through gnuplot, characters for a terminal by itself.
 *
 * Nothing that comes from a user is put into the gnuplot script unquoted (gnuplot executes backticks).
 */
#ifndef FORETIME_PLOT_H
#define FORETIME_PLOT_H

#include "foretime/base.h"

#include <stdbool.h>

FT_BEGIN_DECLS

enum ft_series_kind { FT_SERIES_LINE, FT_SERIES_POINTS, FT_SERIES_BAND };

/* One curve of a panel. Where a line or a band has a point that cannot be drawn it is interrupted. */
struct ft_series {
	const char *title; /* in the legend; NULL: none */
	enum ft_series_kind kind;
	const double *x, *y;         /* [n] y: of LINE and POINTS */
	const double *lower, *upper; /* [n] of BAND */
	size_t n;
	bool strong; /* a band within another one: darker; a terminal leaves it out. Points that are few:
			large */
	bool beyond; /* of unmeasured values: a line is dashed, and a band is cut at the edge of the
			picture, which the others make */
};

struct ft_panel {
	const char *x_label, *y_label; /* may be NULL */
	bool log_x, log_y;
	const struct ft_series *series;
	size_t n;
	/* Behind the numbers: "ms", "2 h", "GiB" of "s", "bytes"; "date": x is seconds since 1970, shown as dates and
	 * hours in UTC; NULL: none */
	const char *y_unit, *x_unit;
	bool whole_x; /* x is a whole number: no tick lies between two of them */
	/* There are measurements from here to there only: the rest of the panel is hatched */
	struct {
		bool given;
		double from, to;
	} measured;
};

/* ft_plot_draw - panels below each other, one picture. A file of SVG is transparent, and has `title` and what is
 * drawn as its own <title> and <desc>.
 *
 * path   ends in .svg, .png or .pdf; NULL: characters for a terminal, into *text: braille where the locale
 *        (LC_ALL, LC_CTYPE, LANG) is UTF-8, else ASCII
 * width  0: default (900 pixels, or 80 characters)
 * dark   colours of a file for a dark page
 * text   out when path is NULL: heap, ends with free; else may be NULL
 *
 * Returns FT_OK; FT_EINVAL: another ending; FT_EUNAVAIL: no gnuplot; FT_EIO (also: gnuplot fails, its last
 * words), FT_ENOENT, FT_EACCESS, FT_ENOSPC: the file cannot be written (what stood there stays);
 * FT_ENOMEM.
 */
enum ft_status ft_plot_draw(const char *title, const struct ft_panel *panel, size_t n, const char *path,
			    int width, bool dark, char **text, struct ft_err *err);

/* A table of values as colours, and its columns as points of a plane. */
struct ft_heat {
	size_t rows, columns;
	char *const *row, *const *column;            /* names */
	const double *value;                         /* [rows x columns] row-major; NaN: left blank */
	const double *place;                         /* [columns x 2]; NaN: not drawn; NULL: no plane */
	const char *value_label, *x_label, *y_label; /* may be NULL */
};

/* ft_plot_heat - the table above, the plane below; arguments and what is returned as ft_plot_draw's. */
enum ft_status ft_plot_heat(const char *title, const struct ft_heat *heat, const char *path, int width,
			    bool dark, char **text, struct ft_err *err);

enum { FT_FIELD_MOST = 200, FT_FIELD_FINE = 6 };

/* A value over a plane, as colours with lines of equal value, and points upon it. */
struct ft_heat_map {
	const char *x_label, *y_label, *value_label; /* may be NULL */
	const char *unit;                            /* of the value, as of ft_panel; may be NULL */
	bool log_x, log_y, log_value, whole_x, whole_y;
	const double *x, *y; /* [columns], [rows] ascending, evenly spaced, on a logarithmic axis in ratio */
	const double *value; /* [rows x columns] row-major, the first row at y[0]; NaN: left blank */
	const bool *beyond;  /* of the same: lines are dashed there; may be NULL */
	const bool *unknown; /* of the same: hatched, because little is known there; may be NULL */
	const char *unknown_title;
	const bool *blank;    /* [FINE (rows - 1) + 1 x FINE (columns - 1) + 1] where no value is drawn, FINE
				 times finer; may be NULL */
	size_t columns, rows; /* 2 .. FT_FIELD_MOST */
	const double *at_x, *at_y; /* [points] */
	const char *at_title;      /* what the points are; may be NULL */
	size_t points;
};

/* ft_plot_field - fields below each other; arguments and what is returned as ft_plot_draw's. */
enum ft_status ft_plot_field(const char *title, const struct ft_heat_map *field, size_t n, const char *path,
			     int width, bool dark, char **text, struct ft_err *err);

/* What one row of a chart does from one time to another. */
struct ft_bar {
	const char *label; /* NULL: other columns have it */
	size_t row;
	double from, to; /* seconds */
	size_t letter;   /* on a terminal: 0 a, 1 b ... */
};

struct ft_gantt {
	const char *const *row; /* [rows] names */
	size_t rows;
	const struct ft_bar *bar; /* [bars] a later one lies upon an earlier one */
	size_t bars;
	const char *rest_title; /* what bars without a label are; NULL: the legend leaves them out */
};

/* ft_plot_gantt - rows below each other, time to the right; arguments and what is returned as ft_plot_draw's.
 * On a terminal without gnuplot. */
enum ft_status ft_plot_gantt(const char *title, const struct ft_gantt *gantt, const char *path, int width,
			     bool dark, char **text, struct ft_err *err);

FT_END_DECLS

#endif
