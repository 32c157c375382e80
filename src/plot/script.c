/* SPDX-License-Identifier: GPL-3.0-or-later */
/* script.c - a picture as a gnuplot script. */
#include "plot/script.h"
#include "base/alloc.h"
#include "base/utf8.h"
#include "plot/axis.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum {
	LONGEST_TEXT = 160, /* characters of a title or label; more do not fit a picture */
	MANY_POINTS = 2000, /* a picture shows no more than its pixels */
};

/* What a kind of picture is made of. Distances in pixels. */
struct canvas {
	const char *terminal; /* with %d for width and height */
	const char *title_font;
	int title, above, below, left, right;
	int one, several;   /* height of the drawing itself: of a single panel, of each of several */
	int x_tics, y_tics; /* how many labels look well */
};

/* The numbers of a canvas, in the order of its fields. */
#define PIXELS 50, 40, 58, 78, 26, 340, 250, 8, 7

static const struct canvas canvases[] = {
	[FT__PICTURE_SVG] = {.terminal = "set terminal svg size %d,%d dynamic background rgb 'white' "
					 "font 'sans-serif,13' noenhanced\n",
			     .title_font = "sans-serif Bold,17",
			     PIXELS},
	[FT__PICTURE_PNG] =
		{.terminal =
			 "W = %d; H = %d\n"
			 "if (strstrt(GPVAL_TERMINALS, 'pngcairo')) {\n"
			 "set terminal pngcairo size W,H background rgb 'white' font 'sans,10' noenhanced\n"
			 "} else {\n"
			 "set terminal png truecolor size W,H background rgb 'white' noenhanced\n"
			 "}\n",
		 .title_font = "sans:Bold,13",
		 PIXELS},
};

/* Hues that stay apart for colour-blind readers. */
static const char *const colours[] = {"2166ac", "d6604d", "1b9e77", "7b5ea7", "b8860b", "555555"};

const char *ft__plot_colour(size_t i)
{
	return colours[i % (sizeof colours / sizeof *colours)];
}

/* A text as gnuplot's single-quoted string, on one line, that also an SVG can hold. A quote within is drawn
 * as an apostrophe: gnuplot 5.4 misreads strings that begin with a doubled quote. */
void ft__plot_quoted(struct ft_text *script, const char *text)
{
	const unsigned char *start = (const unsigned char *)text, *s = start;

	ft_text_add(script, "'");
	for (int count = 0; *s; count++) {
		size_t length = ft__utf8_length((const char *)s, SIZE_MAX);

		if (count == LONGEST_TEXT) {
			ft_text_add(script, "…");
			break;
		}
		if (*s == '\'')
			ft_text_add(script, "’");
		else if (*s < ' ' || *s == 0x7f)
			ft_text_add(script, " ");
		else if (length == 0 ||
			 memcmp(s, "\xef\xbf", 2) == 0) /* U+FFFE and U+FFFF are no characters of XML */
			ft_text_add(script, "?");
		else if (*s == '>' && s - start >= 2 && s[-1] == ']' && s[-2] == ']')
			ft_text_add(script,
				    " >"); /* "]]>" has a meaning in XML, and gnuplot leaves it alone */
		else
			ft_text_add_bytes(script, (const char *)s, length);
		s += length ? length : 1;
	}
	ft_text_add(script, "'");
}

static void add_numbers(struct ft_text *script, const double *value, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		ft_text_add_number(script, value[i]);
		ft_text_add_bytes(script, i + 1 < n ? " " : "\n", 1);
	}
}

/* Of many points those that hide behind another one are left out: a mark for each pixel. NULL: there is no
 * memory, or there are few; then all are drawn. */
static bool *marks_of(const struct ft_series *series)
{
	if (series->kind != FT_SERIES_POINTS || series->n <= MANY_POINTS)
		return NULL;
	return ft_calloc((size_t)FT__MARKS * FT__MARKS, sizeof(bool));
}

/* The points of a series as a named block of data, an empty line where there is a gap; how many there are. */
static size_t add_data(struct ft_text *script, const struct ft_panel *panel, size_t k,
		       const struct ft__axis *x_axis, const struct ft__axis *y_axis)
{
	const struct ft_series *series = &panel->series[k];
	bool *mark = marks_of(series);
	size_t count = 0;
	bool gap = false;

	ft_text_add(script, "$data%zu << EOD\n", k);
	for (size_t i = 0; i < series->n; i++) {
		double value[3] = {series->x[i]};

		if (!ft__series_has(panel, series, i)) {
			gap = count > 0;
			continue;
		}
		if (series->kind == FT_SERIES_BAND) {
			value[1] = fmax(y_axis->low, fmin(y_axis->high, series->lower[i]));
			value[2] = fmax(y_axis->low, fmin(y_axis->high, series->upper[i]));
		} else {
			value[1] = series->y[i];
		}
		if (mark && ft__axis_hides(mark, x_axis, y_axis, value))
			continue;
		ft_text_add(script, gap ? "\n" : "");
		add_numbers(script, value, series->kind == FT_SERIES_BAND ? 3 : 2);
		gap = false;
		count++;
	}
	ft_text_add(script, "EOD\n");
	ft_free(mark);
	return count;
}

/* Points lie upon each other: each is a little transparent. */
static void add_coloured_curve(struct ft_text *plot, const struct ft_series *series, const char *colour)
{
	static const char *const shade[2][2] = {{"0.2", "0.35"}, {"0.1", "0.15"}}; /* beyond, strong */

	switch (series->kind) {
	case FT_SERIES_BAND:
		ft_text_add(plot,
			    "using 1:2:3 with filledcurves fs transparent solid %s noborder lc rgb '#%s'",
			    shade[series->beyond][series->strong], colour);
		break;
	case FT_SERIES_LINE:
		ft_text_add(plot, "with lines lw 2 %slc rgb '#%s'", series->beyond ? "dt (8,5) " : "",
			    colour);
		break;
	case FT_SERIES_POINTS:
		ft_text_add(plot,
			    series->strong ? "with points pt 7 ps 1 lc rgb '#%s'"
					   : "with points pt 7 ps 0.45 lc rgb '#60%s'",
			    colour);
		break;
	}
}

static void add_curves(struct ft_text *script, const struct ft_panel *panel, const struct ft__axis *x_axis,
		       const struct ft__axis *y_axis)
{
	struct ft_text plot = {0};
	size_t colour = 0;

	for (size_t k = 0; k < panel->n; k++) {
		const struct ft_series *series = &panel->series[k];

		if (add_data(script, panel, k, x_axis, y_axis) > 0) {
			ft_text_add(&plot, "%s$data%zu ", plot.length ? ", " : "plot ", k);
			add_coloured_curve(&plot, series, ft__plot_colour(colour));
			ft_text_add(&plot, " title ");
			ft__plot_quoted(&plot, series->title ? series->title : "");
		}
		/* A band, and what is beyond, have the colour of the curve that follows. */
		colour += series->kind != FT_SERIES_BAND && !series->beyond;
	}
	if (plot.length)
		ft_text_add_bytes(script, plot.s, plot.length);
	else
		ft_text_add(script, "plot NaN notitle");
	ft_text_add(script, "\n");
	script->failed |= plot.failed;
	ft_text_clear(&plot);
}

static void add_panel(struct ft_text *script, const struct ft_panel *panel, const struct canvas *canvas)
{
	struct ft__axis x = ft__axis_x(panel), y = ft__axis_y(panel);

	ft__axis_tics(script, "x", &x, canvas->x_tics);
	ft__axis_tics(script, "y", &y, canvas->y_tics);
	ft_text_add(script, "set xlabel ");
	ft__plot_quoted(script, panel->x_label ? panel->x_label : "");
	ft_text_add(script, " noenhanced\nset label 2 ");
	ft__plot_quoted(script, panel->y_label ? panel->y_label : "");
	ft_text_add(script, " at graph 0,1 left offset -5,1.1 noenhanced\n");
	add_curves(script, panel, &x, &y);
}

void ft__plot_looks(struct ft_text *script)
{
	ft_text_add(script, "set key at graph 1,graph 1.03 right bottom horizontal reverse Left noenhanced "
			    "samplen 1.6 width -1\n"
			    "set border 3 lw 0.8 lc rgb '#8a8f98'\n"
			    "set tics out nomirror scale 0.5,0.25 textcolor rgb '#40454d'\n"
			    "set grid xtics ytics back lt 1 lw 0.6 lc rgb '#e3e6ea'\n"
			    "set pointintervalbox 0.5\n"
			    "set xlabel offset 0,0.4\n");
}

static void add_title(struct ft_text *script, const char *title, const char *font, double x, double y)
{
	ft_text_add(script, "set label 1 ");
	ft__plot_quoted(script, title);
	ft_text_add(script, " at screen %.6f,%.6f left noenhanced font '%s'\n", x, y, font);
}

void ft__plot_title(struct ft_text *script, const char *title, enum ft__picture picture, int width,
		    int height)
{
	add_title(script, title, canvases[picture].title_font, 22.0 / width, 1 - 26.0 / height);
}

void ft__plot_terminal(struct ft_text *script, enum ft__picture picture, int width, int height)
{
	ft_text_add(script, "set encoding utf8\n");
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	ft_text_add(script, canvases[picture].terminal, width, height);
#pragma GCC diagnostic pop
}

void ft__plot_script(struct ft_text *script, const char *title, const struct ft_panel *panel, size_t n,
		     enum ft__picture picture, int width)
{
	const struct canvas *canvas = &canvases[picture];
	int top = title ? canvas->title : 6, drawing = n > 1 ? canvas->several : canvas->one;
	int each = canvas->above + drawing + canvas->below;
	double height = top + (double)n * each;

	ft__plot_terminal(script, picture, width, (int)height);
	ft__plot_looks(script);
	ft_text_add(script, "set lmargin at screen %.6f\nset rmargin at screen %.6f\nset multiplot\n",
		    (double)canvas->left / width, 1 - (double)canvas->right / width);
	if (title)
		add_title(script, title, canvas->title_font, 22.0 / width, 1 - 26 / height);
	for (size_t i = 0; i < n; i++) {
		int from = top + (int)i * each + canvas->above;

		ft_text_add(script, "set tmargin at screen %.6f\nset bmargin at screen %.6f\n",
			    1 - from / height, 1 - (from + drawing) / height);
		add_panel(script, &panel[i], canvas);
		ft_text_add(script, "unset label 1\n");
	}
	ft_text_add(script, "unset multiplot\n");
}
