/* SPDX-License-Identifier: GPL-3.0-or-later */
/* field_text.c - a value over a plane, for a terminal. */
#include "base/utf8.h"
#include "plot/field.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 22, MARGIN = 9, COLUMNS_MOST = 1000 };

static const char shades[] = ".,:;~-=+*%#&@$MW"; /* below the first line, between it and the second, ... */

/* Which of so many characters a value takes on an axis. */
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

static void add_rows(struct ft_text *text, const struct ft_heat_map *field, const struct ft__axis axis[2],
		     size_t columns)
{
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
}

/* The labels of the x axis, each in the middle under its place. */
static void add_x_axis(struct ft_text *text, const struct ft_heat_map *field, const struct ft__axis *axis,
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
		size_t from = middle + MARGIN > width / 2 ? middle + MARGIN - width / 2 : 0;

		if (!width || middle >= columns || from < at + (at > 0))
			continue;
		rule[middle] = '+';
		ft_text_add(&labels, "%*s%s", (int)(from - at), "", tic[k].label);
		at = from + width;
	}
	ft_text_add(text, "%*s%s\n%s\n%*s%s\n", MARGIN, "+", rule, labels.s ? labels.s : "",
		    MARGIN + (int)columns / 2, "", field->x_label ? field->x_label : "");
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
	if (field->points)
		ft_text_add(text, "   o %s", field->at_title ? field->at_title : "");
	ft_text_add(text, "\n");
}

void ft__field_text(struct ft_text *text, const char *title, const struct ft_heat_map *field, int width)
{
	const struct ft__axis axis[2] = {
		{field->x[0], field->x[field->columns - 1], field->log_x, NULL, true},
		{field->y[0], field->y[field->rows - 1], field->log_y, NULL, true},
	};
	size_t columns = (size_t)width - MARGIN - 2;

	assert(field->rows >= 2 && field->columns >= 2);
	ft_text_add(text, "%s\n%s", title ? title : "", title ? "\n" : "");
	ft_text_add(text, "%s\n", field->y_label ? field->y_label : "");
	add_rows(text, field, axis, columns);
	add_x_axis(text, field, &axis[0], columns);
	add_legend(text, field, (size_t)width);
}
