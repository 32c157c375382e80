/* SPDX-License-Identifier: GPL-3.0-or-later */
/* script.c - writes a picture as a gnuplot script. */
#include "base/alloc.h"
#include "base/text.h"
#include "foretime/base.h"
#include "plot/plot.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/*
 * The range of an axis and its tics.
 */

/* Values outside these count as infinite, so that neither margins nor ratios overflow. */
static const double huge = 1e140, tiny = 1e-140;

static bool can_be_drawn(double value, bool log)
{
	return fabs(value) < huge && (!log || value > tiny);
}

bool ft__series_has(const struct ft_panel *panel, const struct ft_series *series, size_t i)
{
	if (!can_be_drawn(series->x[i], panel->log_x))
		return false;
	if (series->kind == FT_SERIES_BAND)
		return series->lower[i] <= series->upper[i] && series->lower[i] < huge &&
		       series->upper[i] > -huge && (!panel->log_y || series->upper[i] > tiny);
	return can_be_drawn(series->y[i], panel->log_y);
}

static void widen_axis(struct ft__axis *axis, double value)
{
	if (!can_be_drawn(value, axis->log))
		return;
	axis->low = fmin(axis->low, value);
	axis->high = fmax(axis->high, value);
}

/* Air on both sides: a share of the width, or of its logarithm. */
static void add_air(struct ft__axis *axis, double share)
{
	if (axis->low > axis->high) {
		axis->low = axis->log ? 1 : 0;
		axis->high = axis->log ? 10 : 1;
	} else if (axis->log) {
		double factor = axis->high > axis->low ? pow(axis->high / axis->low, share) : 1.5;

		axis->low /= factor;
		axis->high *= factor;
	} else {
		double width = axis->high - axis->low;
		double size = fmax(fabs(axis->low), fabs(axis->high));
		/* Rounding is no range. */
		double more = width > 1e-9 * size ? width * share : size > 0 ? size / 10 : 1;

		axis->low -= more;
		axis->high += more;
	}
}

struct ft__axis ft__axis_x(const struct ft_panel *panel)
{
	struct ft__axis axis = {.low = INFINITY, .high = -INFINITY, .log = panel->log_x};

	for (size_t k = 0; k < panel->n; k++)
		for (size_t i = 0; i < panel->series[k].n; i++)
			if (ft__series_has(panel, &panel->series[k], i))
				widen_axis(&axis, panel->series[k].x[i]);
	add_air(&axis, 0.02);
	return axis;
}

struct ft__axis ft__axis_of(double low, double high, bool log)
{
	struct ft__axis axis = {low, high, log, NULL, true};

	add_air(&axis, 0.02);
	return axis;
}

struct ft__axis ft__axis_y(const struct ft_panel *panel)
{
	struct ft__axis axis = {INFINITY, -INFINITY, panel->log_y, panel->y_unit, false};
	double low;

	for (size_t k = 0; k < panel->n; k++) {
		const struct ft_series *series = &panel->series[k];

		for (size_t i = 0; i < series->n; i++) {
			if (!ft__series_has(panel, series, i))
				continue;
			if (series->kind != FT_SERIES_BAND) {
				widen_axis(&axis, series->y[i]);
			} else if (!series->beyond) {
				widen_axis(&axis, series->lower[i]);
				widen_axis(&axis, series->upper[i]);
			}
		}
	}
	low = axis.low;
	add_air(&axis, 0.05);
	if (!axis.log && low >= 0 && low <= axis.high / 2)
		axis.low = 0;
	return axis;
}

/* mantissa x 10^exponent, rounded once, so that 3 x 10^-1 prints as 0.3. */
static double scale_by_ten(double mantissa, int exponent)
{
	return exponent < 0 ? mantissa / pow(10, -exponent) : mantissa * pow(10, exponent);
}

static bool in_bytes(const struct ft__axis *axis)
{
	return axis->unit && !strcmp(axis->unit, "bytes");
}

static bool in_seconds(const struct ft__axis *axis)
{
	return axis->unit && !strcmp(axis->unit, "s");
}

/* The prefix of a label, as an exponent. Where all of an axis lies from 0.001 up to 99999 plain numbers have
 * none. */
static int prefix_of(double magnitude, const struct ft__axis *axis)
{
	double high = fmax(fabs(axis->low), fabs(axis->high)), low = axis->log ? axis->low : high, exponent;

	if (magnitude == 0 || (in_seconds(axis) && magnitude >= 0.999 && magnitude < 0.999e5))
		return 0;
	if (in_bytes(axis))
		return 3 * (int)fmax(0, fmin(6, floor(log2(magnitude * 1.001) / 10)));
	if (!in_seconds(axis) && low >= 0.999e-3 && high < 0.999e5)
		return 0;
	exponent = 3 * floor(log10(magnitude * 1.001) / 3);
	return exponent < -15 || exponent > 18 ? 0 : (int)exponent;
}

/* A label: the number, the prefix and the unit. */
static void add_label(struct ft__tic *tic, double number, int prefix, const struct ft__axis *axis)
{
	static const char *const words[] = {"f", "p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E"};
	static const char *const binary[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	const char *word = in_bytes(axis) ? binary[prefix / 3] : words[(prefix + 15) / 3],
		   *unit = axis->unit && !in_bytes(axis) ? axis->unit : "";
	bool bare = number == 0 || !(*word || *unit);
	char digits[FT_NUMBER_LENGTH];

	(void)snprintf(tic->label, sizeof tic->label, "%s%s%s%s", ft_number_format(number, digits),
		       bare ? "" : " ", bare ? "" : word, bare ? "" : unit);
}

/* mantissa x 10^exponent, of bytes with 1024 in place of each 1000 of the prefix. */
static struct ft__tic tic_at(double mantissa, int exponent, int prefix, bool labelled,
			     const struct ft__axis *axis)
{
	double number = scale_by_ten(mantissa, exponent - prefix);
	struct ft__tic tic = {.at = in_bytes(axis) ? ldexp(number, prefix / 3 * 10)
						   : scale_by_ten(mantissa, exponent)};

	if (labelled)
		add_label(&tic, number, prefix, axis);
	return tic;
}

/* Steps of 1, 2 or 5 times a power of ten. */
static size_t linear_tics(const struct ft__axis *axis, int wanted, struct ft__tic tic[FT__TICS_MOST])
{
	int prefix = prefix_of(fmax(fabs(axis->low), fabs(axis->high)), axis);
	double unit = in_bytes(axis) ? ldexp(1, prefix / 3 * 10) : 1;
	double low = axis->low / unit, high = axis->high / unit, raw = (high - low) / wanted;
	int exponent = (int)floor(log10(raw));
	double share = raw / pow(10, exponent);
	double step = share < 1.4 ? 1 : share < 3 ? 2 : share < 7 ? 5 : 10;
	double size = scale_by_ten(step, exponent);
	size_t n = 0;

	for (long k = (long)ceil(low / size - 1e-9); (double)k <= high / size + 1e-9 && n < FT__TICS_MOST;
	     k++)
		tic[n++] = tic_at((double)k * step, exponent + (unit > 1 ? prefix : 0), prefix, true, axis);
	return n;
}

/* Each decade, 1-2-5 if there are few of them, every k-th if there are many; the rest without a label. */
static size_t log_tics(const struct ft__axis *axis, int wanted, struct ft__tic tic[FT__TICS_MOST])
{
	double decades = log10(axis->high / axis->low);
	int each = (int)ceil(decades / wanted);
	bool fine = 3 * decades <= wanted + 2;
	size_t n = 0;

	for (int e = (int)floor(log10(axis->low)) - 1; e <= (int)ceil(log10(axis->high)); e++)
		for (int m = 1; m <= 9; m++) {
			bool labelled = m == 1 ? e % each == 0 : fine && (m == 2 || m == 5);
			int prefix = in_bytes(axis) ? (int)fmax(0, fmin(18, 3 * floor(e / 3.0)))
						    : prefix_of(scale_by_ten(m, e), axis);
			struct ft__tic one = tic_at(m, e, prefix, labelled, axis);

			if (one.at >= axis->low && one.at <= axis->high &&
			    (labelled || m == 1 || each == 1) && n < FT__TICS_MOST)
				tic[n++] = one;
		}
	return n;
}

size_t ft__axis_places(const struct ft__axis *axis, int wanted, struct ft__tic tic[FT__TICS_MOST])
{
	return axis->log && axis->high > 4 * axis->low ? log_tics(axis, wanted, tic)
						       : linear_tics(axis, wanted, tic);
}

double ft__axis_at(const struct ft__axis *axis, double value)
{
	return axis->exponents && axis->log ? log10(value) : value;
}

static size_t mark_of(const struct ft__axis *axis, double value)
{
	double share = axis->log ? log(value / axis->low) / log(axis->high / axis->low)
				 : (value - axis->low) / (axis->high - axis->low);

	return (size_t)(fmax(0, fmin(1, share)) * (FT__MARKS - 1));
}

bool ft__axis_hides(bool *mark, const struct ft__axis *x, const struct ft__axis *y, const double at[2])
{
	bool *one = mark + mark_of(y, at[1]) * FT__MARKS + mark_of(x, at[0]), before = *one;

	*one = true;
	return before;
}

void ft__axis_tics(struct ft_text *script, const char *name, const struct ft__axis *axis, int wanted)
{
	struct ft__tic tic[FT__TICS_MOST];
	size_t n = ft__axis_places(axis, wanted, tic), i;

	ft_text_add(script, "set %stics (", name);
	for (i = 0; i < n; i++) {
		ft_text_add(script, i ? ", " : "");
		ft__plot_quoted(script, tic[i].label);
		ft_text_add(script, " ");
		ft_text_add_number(script, ft__axis_at(axis, tic[i].at));
		ft_text_add(script, *tic[i].label ? " 0" : " 1");
	}
	ft_text_add(script, ")\nset %srange [", name);
	ft_text_add_number(script, ft__axis_at(axis, axis->low));
	ft_text_add(script, ":");
	ft_text_add_number(script, ft__axis_at(axis, axis->high));
	ft_text_add(script, "]\n%s logscale %s\n", axis->log && !axis->exponents ? "set" : "unset", name);
}

/*
 * Writes a picture as a gnuplot script.
 */

enum {
	LONGEST_TEXT = 160, /* characters of a title or label; more do not fit a picture */
	MANY_POINTS = 2000, /* a picture shows no more than its pixels */
};

/* The parts of a kind of picture. Distances in pixels. */
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

/* Points hidden behind another one are left out if there are many: one mark for each pixel. NULL: there is
 * no memory, or there are few; then all are drawn. */
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
		/* A band, and an extrapolated part, have the colour of the curve that follows. */
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
