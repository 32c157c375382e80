/* SPDX-License-Identifier: GPL-3.0-or-later */
/* script.h - a picture as a gnuplot script, for the plot room only. */
#ifndef FT_PLOT_SCRIPT_H
#define FT_PLOT_SCRIPT_H

#include "base/text.h"
#include "foretime/plot.h"

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

/* ft__plot_colour - six digits, of the i-th of what stands side by side. */
const char *ft__plot_colour(size_t i);

/* ft__plot_quoted - a text as gnuplot's single-quoted string. */
void ft__plot_quoted(struct ft_text *script, const char *text);

#endif
