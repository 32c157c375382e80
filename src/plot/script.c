/* SPDX-License-Identifier: GPL-3.0-or-later */
/* script.c - writes a picture as a gnuplot script. */
#include "base/alloc.h"
#include "base/text.h"
#include "foretime/base.h"
#include "plot/plot.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/*
 * The look of pictures: colours, the terminal, words and legends at places in pixels.
 */

enum { LONGEST_TEXT = 160 /* characters of a title or label; more do not fit a picture */ };

/* The values of style.css. Hues that stay apart for colour-blind readers; heat from dark to light, also in grey. */
const struct ft__ink_row ft__inks[FT__INKS] = {
	[FT__PAPER] = {"paper", {"#ffffff", "#14181b"}},   [FT__TEXT] = {"text", {"#1c2226", "#e6eaec"}},
	[FT__SOFT] = {"soft", {"#59646c", "#9fabb3"}},     [FT__LINE] = {"line", {"#dfe3e6", "#2d353a"}},
	[FT__ONE] = {"one", {"#0b6fa4", "#58b0e3"}},       [FT__TWO] = {"two", {"#b45309", "#e8a154"}},
	[FT__THREE] = {"three", {"#2f7d4f", "#6fc493"}},   [FT__FOUR] = {"four", {"#8a3f8f", "#cf93d4"}},
	[FT__FIVE] = {"five", {"#b0303f", "#ee8a95"}},     [FT__SIX] = {"six", {"#5b6b00", "#b9c95a"}},
	[FT__QUIET] = {"quiet", {"#46545e", "#aab6be"}},   [FT__HEAT_1] = {"heat-1", {"#26285c", "#26285c"}},
	[FT__HEAT_2] = {"heat-2", {"#265c8a", "#265c8a"}}, [FT__HEAT_3] = {"heat-3", {"#278c8a", "#278c8a"}},
	[FT__HEAT_4] = {"heat-4", {"#60ba67", "#60ba67"}}, [FT__HEAT_5] = {"heat-5", {"#ece04c", "#ece04c"}},
};

const char *ft__ink(const struct ft__theme *theme, enum ft__ink ink)
{
	return ft__inks[ink].value[theme->dark];
}

const char *ft__ink_of(const struct ft__theme *theme, size_t i)
{
	return ft__ink(theme, FT__ONE + i % (FT__QUIET - FT__ONE));
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

void ft__axis_marks(struct ft_text *script, const char *name, const struct ft__axis *axis,
		    const struct ft__tic *tic, size_t n)
{
	ft_text_add(script, "set %stics (", name);
	for (size_t i = 0; i < n; i++) {
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

void ft__axis_tics(struct ft_text *script, const char *name, const struct ft__axis *axis, int wanted)
{
	struct ft__tic tic[FT__TICS_MOST];

	ft__axis_marks(script, name, axis, tic, ft__axis_places(axis, wanted, tic));
}

void ft__plot_word(struct ft_text *script, const struct ft__theme *theme, const char *text, enum ft__ink ink,
		   char side, double x, double y, double height)
{
	ft_text_add(script, "set label ");
	ft__plot_quoted(script, text ? text : "");
	ft_text_add(script, " at screen %.6f,%.6f %s front noenhanced textcolor rgb '%s'\n", x / theme->width,
		    1 - y / height,
		    side == 'l'   ? "left"
		    : side == 'r' ? "right"
				  : "center",
		    ft__ink(theme, ink));
}

void ft__plot_begin(struct ft_text *script, const struct ft__theme *theme, const char *title, int height)
{
	static const char *const bold[] = {"sans-serif Bold,17", "sans:Bold,13", "sans:Bold,14"};
	const char *paper = ft__ink(theme, FT__PAPER), *text = ft__ink(theme, FT__TEXT),
		   *soft = ft__ink(theme, FT__SOFT);

	ft_text_add(script, "set encoding utf8\nW = %d; H = %d\n", theme->width, height);
	switch (theme->picture) {
	case FT__PICTURE_SVG: /* transparent */
		ft_text_add(script, "set terminal svg size W,H dynamic font 'sans-serif,13' noenhanced\n");
		break;
	case FT__PICTURE_PNG:
		ft_text_add(script,
			    "if (strstrt(GPVAL_TERMINALS, 'pngcairo')) {\n"
			    "set terminal pngcairo size W,H pointscale 1.6 background rgb '%s' font "
			    "'sans,10' noenhanced\n"
			    "} else {\n"
			    "set terminal png truecolor size W,H background rgb '%s' noenhanced\n"
			    "}\n",
			    paper, paper);
		break;
	case FT__PICTURE_PDF: /* a pixel is a point */
		ft_text_add(script,
			    "if (!strstrt(GPVAL_TERMINALS, 'pdfcairo')) {\n"
			    "exit error 'this gnuplot draws no PDF; choose FILE.svg or FILE.png'\n"
			    "}\n"
			    "set terminal pdfcairo size W/72.0,H/72.0 fontscale 1 linewidth 2 pointscale 2 "
			    "rounded "
			    "background rgb '%s' font 'sans,11' noenhanced\n",
			    paper);
		break;
	}
	ft_text_add(script,
		    "unset key\n"
		    "set border 3 lw 0.8 lc rgb '%s'\n"
		    "set tics out nomirror scale 0.5,0.25 textcolor rgb '%s'\n"
		    "set grid xtics ytics back lt 1 lw 0.6 lc rgb '%s'\n"
		    "set pointintervalbox 0.5\n"
		    "set xlabel offset 0,0.4 textcolor rgb '%s'\n",
		    soft, soft, ft__ink(theme, FT__LINE), text);
	if (!title)
		return;
	ft_text_add(script, "set label 1 ");
	ft__plot_quoted(script, title);
	ft_text_add(script, " at screen %.6f,%.6f left noenhanced font '%s' textcolor rgb '%s'\n",
		    22.0 / theme->width, 1 - 26.0 / height, bold[theme->picture], text);
}

void ft__plot_margins(struct ft_text *script, const struct ft__theme *theme, double height, double left,
		      double right, double top, double bottom)
{
	ft_text_add(script,
		    "set lmargin at screen %.6f\nset rmargin at screen %.6f\n"
		    "set tmargin at screen %.6f\nset bmargin at screen %.6f\n",
		    left / theme->width, right / theme->width, 1 - top / height, 1 - bottom / height);
}

/* ---- legends ------------------------------------------------------------------------------------------- */

enum { SAMPLE = 26, SAMPLE_GAP = 7, KEY_GAP = 20, KEY_HEIGHT = 10 };

/* Fonts differ: a wide one. */
static const double character_width = 7;

static double width_of(const char *text)
{
	double width = 0;

	for (; *text; text += ft__utf8_length(text, SIZE_MAX) ? ft__utf8_length(text, SIZE_MAX) : 1)
		width += character_width;
	return fmin(width, LONGEST_TEXT * character_width);
}

/* The places of a legend: entries from left to right, and a new row where the next one has no room. */
static size_t key_places(const struct ft__legend *key, size_t n, int room, double *x, size_t *row)
{
	double at = 0;
	size_t rows = n > 0;

	for (size_t i = 0; i < n; i++) {
		double width = SAMPLE + SAMPLE_GAP + width_of(key[i].title);

		if (at > 0 && at + width > room) {
			at = 0;
			rows++;
		}
		x[i] = at;
		row[i] = rows - 1;
		at += width + KEY_GAP;
	}
	return rows;
}

size_t ft__keys_rows(const struct ft__legend *key, size_t n, int room)
{
	double x[FT__KEYS_MOST];
	size_t row[FT__KEYS_MOST];

	return key_places(key, n, room, x, row);
}

static void draw_box(struct ft_text *script, const double corner[4], const char *fill, const char *ink)
{
	ft_text_add(
		script,
		"set object rectangle from screen %.6f,%.6f to screen %.6f,%.6f front fillstyle %s noborder "
		"fillcolor rgb '%s'\n",
		corner[0], corner[1], corner[2], corner[3], fill, ink);
}

static void draw_stroke(struct ft_text *script, double from, double to, double y, const char *ink)
{
	ft_text_add(script,
		    "set arrow from screen %.6f,%.6f to screen %.6f,%.6f nohead front lw 2 lc rgb '%s'\n",
		    from, y, to, y, ink);
}

/* Bands lie upon each other, in a legend as in the picture. */
static const char pale[] = "transparent solid 0.16", strong[] = "transparent solid 0.26",
		  hatch[] = "transparent pattern 4";

void ft__keys_draw(struct ft_text *script, const struct ft__theme *theme, const struct ft__legend *key,
		   size_t n, int left, int room, double y, double height)
{
	double x[FT__KEYS_MOST];
	size_t row[FT__KEYS_MOST];

	(void)key_places(key, n, room, x, row);
	for (size_t i = 0; i < n; i++) {
		double from = left + x[i], middle = y + FT__KEY_ROW * ((double)row[i] + 0.5);
		const double corner[4] = {from / theme->width, 1 - (middle + KEY_HEIGHT / 2.0) / height,
					  (from + SAMPLE) / theme->width,
					  1 - (middle - KEY_HEIGHT / 2.0) / height};

		switch (key[i].kind) {
		case FT__KEY_BAND:
			draw_box(script, corner, pale, key[i].ink);
			if (key[i].strong)
				draw_box(script, corner, strong, key[i].ink);
			break;
		case FT__KEY_HATCH:
			draw_box(script, corner, hatch, key[i].ink);
			break;
		case FT__KEY_LINE:
			draw_stroke(script, corner[0], corner[2], 1 - middle / height, key[i].ink);
			break;
		case FT__KEY_DASHED: /* gnuplot 5.4 draws arrows of one picture with one kind of dashes */
			draw_stroke(script, corner[0], corner[0] + 10.0 / theme->width, 1 - middle / height,
				    key[i].ink);
			draw_stroke(script, corner[2] - 10.0 / theme->width, corner[2], 1 - middle / height,
				    key[i].ink);
			break;
		case FT__KEY_POINT:
			ft_text_add(script,
				    "set label '' at screen %.6f,%.6f point pt 7 ps 0.6 lc rgb '%s' front\n",
				    (corner[0] + corner[2]) / 2, 1 - middle / height, key[i].ink);
			break;
		}
		ft__plot_word(script, theme, key[i].title, FT__TEXT, 'l', from + SAMPLE + SAMPLE_GAP, middle,
			      height);
	}
}

/*
 * Writes panels as a gnuplot script.
 */

enum {
	MANY_POINTS = 2000, /* a picture shows no more than its pixels */
	/* pixels: of the title; above a drawing, without its legend, below it, to its left and right; the height of a
	 * single drawing, and of each of several */
	TITLE = 44,
	ABOVE = 34,
	BELOW = 58,
	LEFT = 82,
	RIGHT = 26,
	ONE = 340,
	SEVERAL = 250,
	X_TICS = 8, /* as many labels look well */
	Y_TICS = 7,
};

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

/* The edge of a band, cut at those of the picture. */
static void add_edge(struct ft_text *script, const double *x, const double *edge, const struct ft__axis *axis,
		     size_t from, size_t to)
{
	for (size_t k = 0; k <= (from > to ? from - to : to - from); k++) {
		size_t i = from > to ? from - k : from + k;
		const double at[2] = {x[i], fmax(axis->low, fmin(axis->high, edge[i]))};

		add_numbers(script, at, 2);
	}
}

/* A band as closed polygons: pieces between two gaps; how many points they have. */
static size_t add_band(struct ft_text *script, const struct ft_panel *panel, const struct ft_series *series,
		       const struct ft__axis *axis)
{
	size_t count = 0;

	for (size_t from = 0; from < series->n; from++) {
		size_t to = from;

		if (!ft__series_has(panel, series, from))
			continue;
		while (to + 1 < series->n && ft__series_has(panel, series, to + 1))
			to++;
		if (to > from) {
			ft_text_add(script, count ? "\n" : "");
			add_edge(script, series->x, series->upper, axis, from, to);
			add_edge(script, series->x, series->lower, axis, to, from);
			add_edge(script, series->x, series->upper, axis, from, from);
			count += to - from + 1;
		}
		from = to;
	}
	return count;
}

/* The points of a series, an empty line where there is a gap; how many there are. */
static size_t add_points(struct ft_text *script, const struct ft_panel *panel, const struct ft_series *series,
			 const struct ft__axis *x_axis, const struct ft__axis *y_axis)
{
	bool *mark = marks_of(series);
	size_t count = 0;
	bool gap = false;

	for (size_t i = 0; i < series->n; i++) {
		const double value[2] = {series->x[i], series->kind == FT_SERIES_BAND ? 0 : series->y[i]};

		if (!ft__series_has(panel, series, i)) {
			gap = count > 0;
			continue;
		}
		if (mark && ft__axis_hides(mark, x_axis, y_axis, value))
			continue;
		ft_text_add(script, gap ? "\n" : "");
		add_numbers(script, value, 2);
		gap = false;
		count++;
	}
	ft_free(mark);
	return count;
}

/* Boxes where nothing was measured; how many. */
static size_t add_hatch(struct ft_text *script, const struct ft_panel *panel, const struct ft__axis *x,
			const struct ft__axis *y)
{
	const double side[2][2] = {{x->low, fmin(x->high, panel->measured.from)},
				   {fmax(x->low, panel->measured.to), x->high}};
	bool all = panel->measured.from > panel->measured.to;
	size_t n = 0;

	ft_text_add(script, "$hatch << EOD\n");
	for (size_t k = 0; panel->measured.given && k < (all ? 1 : 2); k++) {
		double from = side[k][0], to = all ? x->high : side[k][1];
		const double box[6] = {x->log ? sqrt(from * to) : (from + to) / 2,
				       y->log ? sqrt(y->low * y->high) : (y->low + y->high) / 2,
				       from,
				       to,
				       y->low,
				       y->high};
		/* The air at the end of an axis is not worth a word. */
		double width =
			x->log ? log(to / from) / log(x->high / x->low) : (to - from) / (x->high - x->low);

		if (!(width > 0.025))
			continue;
		add_numbers(script, box, 6);
		n++;
	}
	ft_text_add(script, "EOD\n");
	return n;
}

/* Points lie upon each other: each is a little transparent. */
static void add_look(struct ft_text *plot, const struct ft_series *series, const char *ink)
{
	switch (series->kind) {
	case FT_SERIES_BAND:
		ft_text_add(plot, "using 1:2 with filledcurves closed fs %s noborder lc rgb '%s'",
			    series->strong ? strong : pale, ink);
		break;
	case FT_SERIES_LINE:
		ft_text_add(plot, "using 1:2 with lines lw 2 %slc rgb '%s'",
			    series->beyond ? "dt (8,5) " : "", ink);
		break;
	case FT_SERIES_POINTS:
		ft_text_add(plot,
			    series->strong ? "using 1:2 with points pt 7 ps 0.9 lc rgb '%s'"
					   : "using 1:2 with points pt 7 ps 0.45 lc rgb '#60%s'",
			    series->strong ? ink : ink + 1);
		break;
	}
}

/* What a panel draws, and its legend: bands and lines by their place, single runs quiet. */
struct panel_parts {
	struct ft__axis x, y;
	struct ft_text data, plot;
	struct ft__legend key[FT__KEYS_MOST];
	size_t keys;
};

/* In the order of kinds: what a reader looks for first stands first. */
static void add_key(struct panel_parts *parts, struct ft__legend key)
{
	size_t at = parts->keys;

	if (!key.title || !*key.title || at == FT__KEYS_MOST)
		return;
	for (; at > 0 && (parts->key[at - 1].kind > key.kind ||
			  (parts->key[at - 1].kind == key.kind && key.strong && !parts->key[at - 1].strong));
	     at--)
		parts->key[at] = parts->key[at - 1];
	parts->key[at] = key;
	parts->keys++;
}

static void add_parts(struct panel_parts *parts, const struct ft_panel *panel, const struct ft__theme *theme)
{
	static const unsigned kinds[] = {[FT_SERIES_BAND] = FT__KEY_BAND,
					 [FT_SERIES_LINE] = FT__KEY_LINE,
					 [FT_SERIES_POINTS] = FT__KEY_POINT};
	size_t place = 0;

	parts->x = ft__axis_x(panel);
	parts->y = ft__axis_y(panel);
	if (add_hatch(&parts->data, panel, &parts->x, &parts->y) > 0)
		ft_text_add(&parts->plot,
			    "plot $hatch using 1:2:3:4:5:6 with boxxyerror fs %s noborder lc rgb '%s'", hatch,
			    ft__ink(theme, FT__LINE));
	bool hatched = parts->plot.length > 0;
	for (size_t k = 0; k < panel->n; k++) {
		const struct ft_series *series = &panel->series[k];
		/* Points that are not the first series are runs, beside the curve that they belong to. */
		bool quiet = series->kind == FT_SERIES_POINTS && !series->strong && place > 0;
		const char *ink = quiet ? ft__ink(theme, FT__QUIET) : ft__ink_of(theme, place);

		ft_text_add(&parts->data, "$data%zu << EOD\n", k);
		size_t points = series->kind == FT_SERIES_BAND
					? add_band(&parts->data, panel, series, &parts->y)
					: add_points(&parts->data, panel, series, &parts->x, &parts->y);
		ft_text_add(&parts->data, "EOD\n");
		if (points > 0) {
			ft_text_add(&parts->plot, "%s$data%zu ", parts->plot.length ? ", " : "plot ", k);
			add_look(&parts->plot, series, ink);
			add_key(parts,
				(struct ft__legend){.kind = series->beyond && series->kind == FT_SERIES_LINE
								    ? FT__KEY_DASHED
								    : kinds[series->kind],
						    .title = series->title,
						    .ink = ink,
						    .strong = series->strong});
		}
		/* A band, and an extrapolated part, have the colour of the curve that follows. */
		place += series->kind != FT_SERIES_BAND && !series->beyond && !quiet;
	}
	if (hatched && parts->keys) /* of several panels the first one has a legend */
		add_key(parts, (struct ft__legend){.kind = FT__KEY_HATCH,
						   .title = "not measured",
						   .ink = ft__ink(theme, FT__QUIET)});
	ft_text_add(&parts->plot, parts->plot.length ? "\n" : "plot NaN notitle\n");
}

void ft__plot_script(struct ft_text *script, const char *title, const struct ft_panel *panel, size_t n,
		     const struct ft__theme *theme)
{
	struct panel_parts *parts = ft_calloc(n, sizeof *parts);
	int top = title ? TITLE : 6, drawing = n > 1 ? SEVERAL : ONE, room = theme->width - LEFT - RIGHT;
	double height = top;

	script->failed |= !parts;
	for (size_t i = 0; parts && i < n; i++) {
		add_parts(&parts[i], &panel[i], theme);
		height += ABOVE + drawing + BELOW +
			  FT__KEY_ROW * (double)ft__keys_rows(parts[i].key, parts[i].keys, room);
	}
	ft__plot_begin(script, theme, title, (int)height);
	ft_text_add(script, "set multiplot\n");
	double at = top;
	char label[FT__NAME_LENGTH];
	for (size_t i = 0; parts && i < n; i++) {
		struct panel_parts *part = &parts[i];
		double from = at + ABOVE + FT__KEY_ROW * (double)ft__keys_rows(part->key, part->keys, room);

		ft__plot_margins(script, theme, height, LEFT, theme->width - RIGHT, from, from + drawing);
		ft__axis_tics(script, "x", &part->x, X_TICS);
		ft__axis_tics(script, "y", &part->y, Y_TICS);
		ft_text_add(script, "set xlabel ");
		ft__plot_quoted(script, ft__axis_name(&panel[i], &part->x, label));
		ft_text_add(script, " noenhanced\n");
		ft__plot_word(script, theme, panel[i].y_label, FT__TEXT, 'l', 22, from - 18, height);
		ft__keys_draw(script, theme, part->key, part->keys, LEFT, room, at, height);
		if (part->data.length)
			ft_text_add_bytes(script, part->data.s, part->data.length);
		if (part->plot.length)
			ft_text_add_bytes(script, part->plot.s, part->plot.length);
		ft_text_add(script, "unset label\nunset object\nunset arrow\n");
		at = from + drawing + BELOW;
		script->failed |= part->data.failed || part->plot.failed;
		ft_text_clear(&part->data);
		ft_text_clear(&part->plot);
	}
	ft_text_add(script, "unset multiplot\n");
	ft_free(parts);
}
