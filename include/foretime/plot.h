/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot.h - draws the series that it is handed, through gnuplot.
 *
 * Nothing that comes from a user is put into the gnuplot script unquoted (gnuplot executes backticks).
 */
#ifndef FORETIME_PLOT_H
#define FORETIME_PLOT_H

#include "foretime/status.h"

#include <stdbool.h>

FT_BEGIN_DECLS

/* One curve of a panel. */
struct ft_series {
	const char *title; /* in the legend; NULL: none */
	enum { FT_SERIES_LINE, FT_SERIES_POINTS, FT_SERIES_BAND, FT_SERIES_BARS } kind;
	const double *x, *y;         /* [n] y: of LINE and POINTS; for BARS the middle */
	const double *lower, *upper; /* [n] of BAND and BARS */
	size_t n;
};

struct ft_panel {
	const char *x_label, *y_label; /* with units; may be NULL */
	bool log_x, log_y;
	const struct ft_series *series;
	size_t n;
};

/* ft_plot_draw - panels below each other, one picture.
 *
 * path   ends in .svg or .png; NULL: characters for a terminal, into *text
 * width  0: default (900 pixels, or 80 characters)
 * text   out when path is NULL: heap, ends with free; else may be NULL
 *
 * Returns FT_OK; FT_EINVAL: another ending; FT_EUNAVAIL: no gnuplot; FT_EIO (also: gnuplot fails, its last
 * words), FT_ENOENT, FT_EACCESS, FT_ENOSPC: the file cannot be written (what stood there stays);
 * FT_ENOMEM.
 */
enum ft_status ft_plot_draw(const char *title, const struct ft_panel *panel, size_t n, const char *path,
			    int width, char **text, struct ft_err *err);

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
			    char **text, struct ft_err *err);

FT_END_DECLS
#endif
