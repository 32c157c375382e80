/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.c - draws curves, and a value over a plane, for a terminal. */
#include "base/alloc.h"
#include "base/text.h"
#include "plot/plot.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 22, MARGIN = 9, COLUMNS_MOST = 1000 };
enum {
	ONE_ROWS = 16,
	SEVERAL_ROWS = 12,
	PLANE_ROWS = 18,
	DOTS_X = 2,
	DOTS_Y = 4
}; /* a cell of braille has 2 x 4 dots */

static const char shades[] = ".,:;~-=+*%#&@$MW"; /* below the first line, between it and the second, ... */

/* The index of the character for a value on an axis. */
static size_t cell_of(const struct ft__axis *axis, double value, size_t cells)
{
	double low = ft__axis_at(axis, axis->low), high = ft__axis_at(axis, axis->high);
	double share = (ft__axis_at(axis, value) - low) / (high - low);

	return share >= 0 && share <= 1 ? (size_t)lround(share * (double)(cells - 1)) : cells;
}

static char shade_of(double value, const struct ft__tic *level, size_t n)
{
	size_t k = 0;

	if (!isfinite(value))
		return ' ';
	while (k < n && k < sizeof shades - 2 && value >= level[k].at)
		k++;
	return shades[k];
}

/* One row of characters: the value, and runs upon it. */
static void fill_row(const struct ft_heat_map *field, const struct ft__axis axis[2], size_t row,
		     size_t columns, char *cell)
{
	struct ft__axis values = ft__field_values(field);
	struct ft__tic level[FT__TICS_MOST];
	size_t n = ft__field_levels(&values, level), i = (row * (field->rows - 1) + ROWS / 2) / (ROWS - 1), k;

	for (k = 0; k < columns; k++) {
		size_t j = (k * (field->columns - 1) + columns / 2) / (columns - 1);

		cell[k] = shade_of(ft__field_value(field, i, j), level, n);
		/* Hatched, but so that the value is still seen. */
		if (cell[k] != ' ' && field->unknown && field->unknown[i * field->columns + j] &&
		    (k + row) % 4 == 0)
			cell[k] = '/';
	}
	for (k = 0; k < field->points; k++) {
		size_t j = cell_of(&axis[0], field->at_x[k], columns);

		if (j < columns && cell_of(&axis[1], field->at_y[k], ROWS) == row)
			cell[j] = 'o';
	}
	cell[columns] = '\0';
}

static size_t width_of(const char *text)
{
	size_t n = 0;

	for (; *text; text += ft__utf8_length(text, SIZE_MAX) ? ft__utf8_length(text, SIZE_MAX) : 1)
		n++;
	return n;
}

/* The labels each in the middle under its place; the last ones are moved to the left where the line ends. */
void ft__axis_text(struct ft_text *text, const char *name, const struct ft__axis *axis, size_t margin,
		   size_t columns)
{
	struct ft__tic tic[FT__TICS_MOST];
	size_t n = ft__axis_places(axis, 6, tic), at = 0, k;
	char rule[COLUMNS_MOST + 1];
	struct ft_text labels = {0};

	memset(rule, '-', columns);
	rule[columns] = '\0';
	for (k = 0; k < n; k++) {
		size_t width = width_of(tic[k].label), middle = cell_of(axis, tic[k].at, columns);
		size_t from = middle + margin > width / 2 ? middle + margin - width / 2 : 0;

		if (from + width > margin + columns && margin + columns > width)
			from = margin + columns - width;
		if (!width || middle >= columns || from < at + (at > 0))
			continue;
		rule[middle] = '+';
		ft_text_add(&labels, "%*s%s", (int)(from - at), "", tic[k].label);
		at = from + width;
	}
	size_t long_name = name ? width_of(name) : 0, middle = margin + columns / 2;
	ft_text_add(text, "%*s%s\n%s\n%*s%s\n", (int)margin, "+", rule, labels.s ? labels.s : "",
		    (int)(middle > long_name / 2 ? middle - long_name / 2 : 0), "", name ? name : "");
	text->failed |= labels.failed;
	ft_text_clear(&labels);
}

static void add_legend(struct ft_text *text, const struct ft_heat_map *field, size_t width)
{
	struct ft__axis values = ft__field_values(field);
	struct ft__tic level[FT__TICS_MOST];
	size_t n = ft__field_levels(&values, level), column = 0, k;

	ft_text_add(text, "\n%s:", field->value_label ? field->value_label : "value");
	for (k = 0; k <= n && k < sizeof shades - 1; k++) {
		char word[64];

		(void)snprintf(word, sizeof word, "   %c %s %s", shades[k],
			       k < n ? "<" : ">=", n ? level[k < n ? k : n - 1].label : "");
		column += width_of(word);
		if (column + 20 > width)
			column = 0;
		ft_text_add(text, "%s%s", column ? "" : "\n", word);
	}
	bool unknown = false;
	for (size_t i = 0; field->unknown && i < field->rows * field->columns; i++)
		unknown = unknown || field->unknown[i];
	if (unknown)
		ft_text_add(text, "\n   / %s", field->unknown_title ? field->unknown_title : "not known");
	if (field->points)
		ft_text_add(text, "   o %s", field->at_title ? field->at_title : "");
	ft_text_add(text, "\n");
}

void ft__field_text(struct ft_text *text, const char *title, const struct ft_heat_map *field, int width)
{
	const struct ft__axis axis[2] = {
		{field->x[0], field->x[field->columns - 1], field->log_x, NULL, true, field->whole_x},
		{field->y[0], field->y[field->rows - 1], field->log_y, NULL, true, field->whole_y},
	};
	size_t columns = (size_t)width - MARGIN - 2;

	assert(field->rows >= 2 && field->columns >= 2);
	ft_text_add(text, "%s\n%s", title ? title : "", title ? "\n" : "");
	ft_text_add(text, "%s\n", field->y_label ? field->y_label : "");
	struct ft__tic tic[FT__TICS_MOST];
	size_t n = ft__axis_places(&axis[1], 5, tic), k;
	char cell[COLUMNS_MOST + 1];

	for (size_t row = ROWS; row-- > 0;) {
		const char *label = "";

		for (k = 0; k < n; k++)
			if (*tic[k].label && cell_of(&axis[1], tic[k].at, ROWS) == row)
				label = tic[k].label;
		fill_row(field, axis, row, columns, cell);
		ft_text_add(text, "%*s%s %c%s\n", MARGIN - 2 - (int)width_of(label), "", label,
			    *label ? '+' : '|', cell);
	}
	ft__axis_text(text, field->x_label, &axis[0], MARGIN, columns);
	add_legend(text, field, (size_t)width);
}

/* ---- curves -------------------------------------------------------------------------------------------- */

/* The content of a cell; a later one hides an earlier one. */
enum mark { BLANK, BAND, BEYOND, LINE, POINT, N_MARKS };

/* For UTF-8 terminals (a line uses the dots of its cell), and for other ones. */
static const char *const marks[2][N_MARKS] = {{" ", ".", "=", "*", "o"}, {" ", "░", "⠒", "⠤", "●"}};

struct raster {
	const struct ft_panel *panel;
	struct ft__axis x, y;
	size_t rows, columns;
	unsigned char *mark, *dots; /* [rows x columns] row 0 on top */
	const char **letter;        /* the same: where a character of a name stands; NULL */
};

/* The position of a value on an axis of this many dots; may be outside. */
static double dot_of(const struct ft__axis *axis, double value, size_t dots)
{
	double low = ft__axis_at(axis, axis->low), high = ft__axis_at(axis, axis->high);

	return (ft__axis_at(axis, value) - low) / (high - low) * (double)(dots - 1);
}

static void set_dot(struct raster *cells, double x, double y, enum mark mark)
{
	/* Bits of U+2800 by column and row. Source: Unicode Standard, Braille Patterns. */
	static const unsigned char bit[DOTS_X][DOTS_Y] = {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}};
	long column = lround(x), row = (long)(cells->rows * DOTS_Y) - 1 - lround(y);

	if (column < 0 || row < 0 || column >= (long)(cells->columns * DOTS_X) ||
	    row >= (long)(cells->rows * DOTS_Y))
		return;
	size_t at = (size_t)(row / DOTS_Y) * cells->columns + (size_t)(column / DOTS_X);
	if (mark > cells->mark[at]) {
		cells->mark[at] = (unsigned char)mark;
		cells->dots[at] = 0;
	}
	if (mark == cells->mark[at])
		cells->dots[at] |= bit[column % DOTS_X][row % DOTS_Y];
}

/* The piece of a series from one point to the next one; of a band all between its edges. */
static void draw_piece(struct raster *cells, const struct ft_series *series, size_t from, size_t to)
{
	const size_t wide = cells->columns * DOTS_X, high = cells->rows * DOTS_Y;
	const double *edge[2] = {series->kind == FT_SERIES_BAND ? series->lower : series->y,
				 series->kind == FT_SERIES_BAND ? series->upper : series->y};
	double x[2], y[2][2]; /* of both ends: the place, and lower and upper edge */

	for (size_t end = 0; end < 2; end++) {
		size_t i = end ? to : from;

		x[end] = dot_of(&cells->x, series->x[i], wide);
		for (size_t k = 0; k < 2; k++)
			y[end][k] = dot_of(&cells->y,
					   series->kind == FT_SERIES_BAND
						   ? fmax(cells->y.low, fmin(cells->y.high, edge[k][i]))
						   : edge[k][i],
					   high);
	}
	double steps = fmin(10000, ceil(fmax(fabs(x[1] - x[0]), fabs(y[1][0] - y[0][0]))));
	for (double step = 0; step <= steps; step++) {
		double share = steps > 0 ? step / steps : 0, at = x[0] + share * (x[1] - x[0]);
		double lower = y[0][0] + share * (y[1][0] - y[0][0]),
		       upper = y[0][1] + share * (y[1][1] - y[0][1]);

		if (series->kind == FT_SERIES_BAND)
			for (double dot = lower; dot <= upper + 0.5; dot++)
				set_dot(cells, at, dot, BAND);
		else if (!series->beyond || lround(at) / DOTS_X % 2 == 0) /* dashed */
			set_dot(cells, at, lower,
				series->kind == FT_SERIES_POINTS ? POINT
				: series->beyond                 ? BEYOND
								 : LINE);
	}
}

/* A name next to its point: to the right, to the left, or where the lines above and below have room. */
static void put_name(struct raster *cells, const char *name, double x, double y)
{
	long wide = (long)width_of(name), columns = (long)cells->columns, rows = (long)cells->rows,
	     column = lround(dot_of(&cells->x, x, cells->columns * DOTS_X)) / DOTS_X,
	     row = rows - 1 - lround(dot_of(&cells->y, y, cells->rows * DOTS_Y)) / DOTS_Y;
	const long places[][2] = {
		{row, column + 2}, {row, column - 1 - wide}, {row - 1, column + 1}, {row + 1, column + 1}};

	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		long from = places[i][1], at = places[i][0] * columns + from, k = 0;
		bool room = places[i][0] >= 0 && places[i][0] < rows && from >= 0 && from + wide <= columns;

		while (room && k < wide) {
			room = !cells->letter[at + k] && cells->mark[at + k] == BLANK;
			k++;
		}
		for (k = 0; room && k < wide; k++) {
			size_t length = ft__utf8_length(name, SIZE_MAX);

			cells->letter[at + k] = name;
			name += length ? length : 1;
		}
		if (room)
			return;
	}
}

static void add_cell(struct ft_text *text, const struct raster *cells, size_t at, bool utf8)
{
	unsigned char dots = cells->dots[at], mark = cells->mark[at];
	size_t length = cells->letter[at] ? ft__utf8_length(cells->letter[at], SIZE_MAX) : 0;

	if (cells->letter[at])
		ft_text_add_bytes(text, cells->letter[at], length ? length : 1);
	else if (utf8 && (mark == LINE || mark == BEYOND)) /* U+2800 + dots */
		ft_text_add(text, "\xe2%c%c", 0xa0 + (dots >> 6), 0x80 + (dots & 0x3f));
	else
		ft_text_add(text, "%s", marks[utf8][mark]);
}

/* The legend: on the line of the y label if there is room, else above it. */
static void add_series_legend(struct ft_text *text, const struct ft_panel *panel, size_t width, bool utf8)
{
	static const enum mark kinds[] = {
		[FT_SERIES_BAND] = BAND, [FT_SERIES_LINE] = LINE, [FT_SERIES_POINTS] = POINT};
	const char *name = panel->y_label ? panel->y_label : "";
	struct ft_text legend = {0};

	for (size_t k = 0; k < panel->n; k++) {
		const struct ft_series *series = &panel->series[k];
		size_t i = 0;

		while (i < series->n && !ft__series_has(panel, series, i))
			i++;
		if (series->title && i < series->n && !(series->strong && series->kind == FT_SERIES_BAND))
			ft_text_add(&legend, "   %s %s",
				    marks[utf8][series->kind == FT_SERIES_LINE && series->beyond
							? BEYOND
							: kinds[series->kind]],
				    series->title);
	}
	size_t room = width_of(name) + (legend.s ? width_of(legend.s) : 0);
	if (room > width && legend.s)
		ft_text_add(text, "%s\n%s\n", legend.s + 3, name);
	else if (*name || legend.s)
		ft_text_add(text, "%s%*s%s\n", name, legend.s ? (int)(width - room) : 0, "",
			    legend.s ? legend.s : "");
	text->failed |= legend.failed;
	ft_text_clear(&legend);
}

/* name: of each point of the first series; NULL: they have none. */
static void add_panel(struct ft_text *text, const struct ft_panel *panel, size_t rows, char *const *name,
		      int width, bool utf8)
{
	struct raster cells = {.panel = panel, .rows = rows, .columns = (size_t)width - MARGIN - 2};
	const size_t n = rows * cells.columns;
	char label[FT__NAME_LENGTH];
	struct ft__tic tic[FT__TICS_MOST];

	cells.mark = ft_calloc(2, n);
	cells.letter = ft_calloc(n, sizeof *cells.letter);
	text->failed |= !cells.mark || !cells.letter;
	if (text->failed)
		goto out;
	cells.dots = cells.mark + n;
	cells.x = ft__axis_x(panel);
	cells.y = ft__axis_y(panel);
	cells.x.exponents = cells.y.exponents = true;
	for (size_t k = 0; k < panel->n; k++) {
		const struct ft_series *series = &panel->series[k];

		for (size_t i = 0; i < series->n; i++) {
			bool ends = series->kind == FT_SERIES_POINTS || i + 1 == series->n ||
				    !ft__series_has(cells.panel, series, i + 1);

			if (ft__series_has(cells.panel, series, i))
				draw_piece(&cells, series, i, ends ? i : i + 1);
		}
	}
	for (size_t i = 0; name && i < panel->series[0].n; i++)
		put_name(&cells, name[i], panel->series[0].x[i], panel->series[0].y[i]);
	add_series_legend(text, panel, (size_t)width, utf8);
	size_t tics = ft__axis_places(&cells.y, 5, tic);
	for (size_t row = rows; row-- > 0;) {
		const char *mark = "";

		for (size_t k = 0; k < tics; k++)
			if (*tic[k].label && cell_of(&cells.y, tic[k].at, rows) == row)
				mark = tic[k].label;
		ft_text_add(text, "%*s%s %c", MARGIN - 2 - (int)width_of(mark), "", mark, *mark ? '+' : '|');
		for (size_t column = 0; column < cells.columns; column++)
			add_cell(text, &cells, (rows - 1 - row) * cells.columns + column, utf8);
		ft_text_add(text, "\n");
	}
	ft__axis_text(text, ft__axis_name(panel, &cells.x, label), &cells.x, MARGIN, cells.columns);
out:
	ft_free(cells.mark);
	ft_free(cells.letter);
}

void ft__panel_text(struct ft_text *text, const char *title, const struct ft_panel *panel, size_t n,
		    int width, bool utf8)
{
	ft_text_add(text, "%s%s", title ? title : "", title ? "\n\n" : "");
	for (size_t i = 0; i < n; i++) {
		ft_text_add(text, "%s", i ? "\n" : "");
		add_panel(text, &panel[i], n > 1 ? SEVERAL_ROWS : ONE_ROWS, NULL, width, utf8);
	}
}

void ft__plane_text(struct ft_text *text, const struct ft_heat *heat, int width, bool utf8)
{
	double *x = ft_calloc(heat->columns, sizeof *x), *y = ft_calloc(heat->columns, sizeof *y);
	char **name = ft_calloc(heat->columns, sizeof *name);
	struct ft_series points = {.kind = FT_SERIES_POINTS, .x = x, .y = y};
	const struct ft_panel panel = {
		.x_label = heat->x_label, .y_label = heat->y_label, .series = &points, .n = 1};

	text->failed |= !x || !y || !name;
	for (size_t j = 0; !text->failed && j < heat->columns; j++) {
		if (!isfinite(heat->place[2 * j]) || !isfinite(heat->place[2 * j + 1]))
			continue;
		x[points.n] = heat->place[2 * j];
		y[points.n] = heat->place[2 * j + 1];
		name[points.n++] = heat->column[j];
	}
	if (!text->failed)
		add_panel(text, &panel, PLANE_ROWS, name, width, utf8);
	ft_free(x);
	ft_free(y);
	ft_free(name);
}
