/* SPDX-License-Identifier: GPL-3.0-or-later */
/* heat.c - values as colours through gnuplot: fields with their contour lines, and tables. */
#include "base/alloc.h"
#include "plot/plot.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A value over a plane: field.c decides what there is to see.
 */

enum {
	TITLE = 44, /* pixels; of each field the drawing, and what lies around it */
	HEIGHT = 446,
	LEFT = 82,
	RIGHT = 124,
	ABOVE = 54,
	BELOW = 62,
};

/* The drawing. */
struct drawing {
	const struct ft_heat_map *field;
	const struct ft__field_picture *picture;
	struct ft_text *script;
};

static double place_of_index(const double *at, size_t n, const struct ft__axis *axis, double index)
{
	double low = ft__axis_at(axis, at[0]), high = ft__axis_at(axis, at[n - 1]);

	return low + (high - low) * index / (double)(n - 1);
}

static double place_x(const struct drawing *d, double column)
{
	return place_of_index(d->field->x, d->field->columns, &d->picture->x.axis, column);
}

static double place_y(const struct drawing *d, double row)
{
	return place_of_index(d->field->y, d->field->rows, &d->picture->y.axis, row);
}

/* Interpolated between the nodes; if one of them is missing, that of the nearest. */
static double z_at(const struct drawing *d, double row, double column)
{
	size_t columns = d->field->columns;
	size_t i = (size_t)fmin(row, (double)d->field->rows - 2),
	       j = (size_t)fmin(column, (double)columns - 2);
	const double *z = d->picture->z + i * columns + j;
	double v = row - (double)i, u = column - (double)j;
	double between =
		(1 - v) * ((1 - u) * z[0] + u * z[1]) + v * ((1 - u) * z[columns] + u * z[columns + 1]);

	return isfinite(between) ? between : z[(v >= 0.5 ? columns : 0) + (u >= 0.5 ? 1 : 0)];
}

static void add_labels(const struct drawing *d)
{
	size_t n = 10;

	for (size_t i = 0; i < d->picture->levels; i++) {
		const struct ft__field_level *level = &d->picture->level[i];
		/* Blanks at both ends, because the box around it is narrow. */
		char wide[64];

		if (isnan(level->x))
			continue;
		(void)snprintf(wide, sizeof wide, "\u00a0%s\u00a0", level->tic->label);
		ft_text_add(d->script, "set label %zu ", n++);
		ft__plot_quoted(d->script, wide);
		ft_text_add(d->script,
			    " at first %.9g,%.9g center noenhanced front boxed font ',11' textcolor rgb "
			    "'#1c2226'\n",
			    place_x(d, level->x), place_y(d, level->y));
	}
}

/* The lines of one kind; whether there are any. */
static bool add_lines(const struct drawing *d, const char *name, bool dashed)
{
	bool any = false;

	ft_text_add(d->script, "$%s << EOD\n", name);
	for (size_t i = 0; i < d->picture->levels; i++)
		for (size_t j = 0; j < d->picture->level[i].lines; j++) {
			const struct ft__field_line *line = &d->picture->level[i].line[j];

			if (line->dashed != dashed)
				continue;
			for (size_t k = 0; k < line->n; k++)
				ft_text_add(d->script, "%.9g %.9g\n", place_x(d, line->x[k]),
					    place_y(d, line->y[k]));
			ft_text_add(d->script, "\n");
			any = true;
		}
	ft_text_add(d->script, "EOD\n");
	return any;
}

/* Runs, and boxes where little is known. */
static void add_marks(const struct drawing *d)
{
	const struct ft__field_picture *picture = d->picture;

	ft_text_add(d->script, "$points << EOD\n");
	for (size_t i = 0; i < picture->points; i++)
		ft_text_add(d->script, "%.9g %.9g\n", ft__axis_at(&picture->x.axis, picture->point[i].at[0]),
			    ft__axis_at(&picture->y.axis, picture->point[i].at[1]));
	ft_text_add(d->script, "EOD\n$hatch << EOD\n");
	for (size_t i = 0; i < picture->hatches; i++) {
		const struct ft__field_box *box = &picture->hatched[i];
		double left = place_x(d, box->left), right = place_x(d, box->right),
		       low = place_y(d, box->low), high = place_y(d, box->high);

		ft_text_add(d->script, "%.9g %.9g %.9g %.9g %.9g %.9g\n", (left + right) / 2,
			    (low + high) / 2, left, right, low, high);
	}
	ft_text_add(d->script, "EOD\n");
}

/* Lines and points have a pale rim: they lie upon dark and upon light. */
static void add_plot(const struct drawing *d, const struct ft__theme *theme)
{
	bool solid = add_lines(d, "solid", false), dashed = add_lines(d, "dashed", true);

	/* With the places of columns and rows in the table: gnuplot sets up a handler of signals for each value of an
	 * expression, which takes longer than to read three numbers. */
	bool svg = theme->picture == FT__PICTURE_SVG;
	/* What shows an SVG blends its colours, so that two places for each node will do. */
	const size_t fine = svg && !d->field->blank ? 2 : FT_FIELD_FINE,
		     columns = (d->field->columns - 1) * fine + 1, rows = (d->field->rows - 1) * fine + 1;

	ft_text_add(d->script, "$z << EOD\n%zu", columns);
	for (size_t j = 0; j < columns; j++)
		ft_text_add(d->script, " %.9g", place_x(d, (double)j / (double)fine));
	for (size_t i = 0; i < rows; i++) {
		double row = (double)i / (double)fine;

		ft_text_add(d->script, "\n%.9g", place_y(d, row));
		for (size_t j = 0; j < columns; j++) {
			double column = (double)j / (double)fine;
			double z = ft__field_blank(d->field, row, column) ? NAN : z_at(d, row, column);

			if (isfinite(z))
				ft_text_add(d->script, " %.5g", z);
			else
				ft_text_add_bytes(d->script, " NaN", 4);
		}
	}
	ft_text_add(d->script, "\nEOD\nplot $z nonuniform matrix using 1:2:3 with image notitle");
	if (d->picture->hatches)
		ft_text_add(d->script,
			    ", $hatch using 1:2:3:4:5:6 with boxxyerror fs transparent pattern 4 noborder "
			    "lc rgb '#50ffffff'");
	if (solid)
		ft_text_add(d->script, ", $solid with lines lw 2.4 lc rgb '#90ffffff'"
				       ", $solid with lines lw 1 lc rgb '#1c2226'");
	if (dashed)
		ft_text_add(d->script, ", $dashed with lines lw 2.4 lc rgb '#90ffffff'"
				       ", $dashed with lines lw 1 dt (12,8) lc rgb '#1c2226'");
	if (d->picture->points)
		ft_text_add(d->script, ", $points with points pt 7 ps 0.55 lc rgb '#1c2226'"
				       ", $points with points pt 7 ps 0.35 lc rgb '#ffffff'");
	ft_text_add(d->script, "\n");
}

static void add_legend(const struct drawing *d, const struct ft__theme *theme, double y, double height)
{
	const struct ft_heat_map *field = d->field;
	struct ft__legend key[3];
	size_t n = 0;

	if (d->picture->points && field->at_title)
		key[n++] =
			(struct ft__legend){FT__KEY_POINT, field->at_title, ft__ink(theme, FT__QUIET), false};
	if (d->picture->dashed && !d->picture->hatches)
		key[n++] =
			(struct ft__legend){FT__KEY_DASHED, "extrapolated", ft__ink(theme, FT__TEXT), false};
	if (d->picture->hatches)
		key[n++] = (struct ft__legend){FT__KEY_HATCH,
					       field->unknown_title ? field->unknown_title : "not known",
					       ft__ink(theme, FT__QUIET), false};
	ft__keys_draw(d->script, theme, key, n, LEFT, theme->width - LEFT - RIGHT, y, height);
}

/* One field; they stand below each other in a picture of that height. */
static enum ft_status add_field(struct ft_text *script, const struct ft_heat_map *field,
				const struct ft__theme *theme, double height, size_t index,
				struct ft_err *err)
{
	double top = TITLE + (double)index * (ABOVE + HEIGHT + BELOW), above = top + ABOVE;
	FT_ARENA(arena);
	struct ft__field_picture picture;
	const struct drawing d = {field, &picture, script};

	FT_TRY(ft__field_picture_take(&picture, field, &arena, err));
	ft_text_add(script, "set colorbox user origin screen %.6f,screen %.6f size screen %.6f,screen %.6f\n",
		    1 - (RIGHT - 24.0) / theme->width, 1 - (above + HEIGHT) / height, 16.0 / theme->width,
		    HEIGHT / height);
	ft__plot_margins(script, theme, height, LEFT, theme->width - RIGHT, above, above + HEIGHT);
	ft__axis_marks(script, "x", &picture.x.axis, picture.x.tic, picture.x.tics);
	ft__axis_marks(script, "y", &picture.y.axis, picture.y.tic, picture.y.tics);
	ft__axis_marks(script, "cb", &picture.values.axis, picture.values.tic, picture.values.tics);
	ft_text_add(script, "set xlabel ");
	ft__plot_quoted(script, field->x_label ? field->x_label : "");
	ft_text_add(script, " noenhanced\n");
	ft__plot_word(script, theme, field->y_label, FT__TEXT, 'l', 22, above - 18, height);
	ft__plot_word(script, theme, field->value_label, FT__TEXT, 'r', theme->width - 12.0, above - 18,
		      height);
	add_labels(&d);
	add_marks(&d);
	add_legend(&d, theme, top, height);
	add_plot(&d, theme);
	return FT_OK;
}

enum ft_status ft__field_script(struct ft_text *script, const char *title, const struct ft_heat_map *field,
				size_t n, const struct ft__theme *theme, struct ft_err *err)
{
	int height = TITLE + (int)n * (ABOVE + HEIGHT + BELOW);

	ft__plot_begin(script, theme, title, height);
	/* From dark to light: also without colours, and for the colour-blind. */
	ft_text_add(script,
		    "set palette maxcolors 80 defined (0 '%s', 1 '%s', 2 '%s', 3 '%s', 4 '%s')\n"
		    "set style textbox opaque fillcolor rgb '#ffffff' noborder margins 0.4,0.2\n"
		    "set multiplot\n",
		    ft__ink(theme, FT__HEAT_1), ft__ink(theme, FT__HEAT_2), ft__ink(theme, FT__HEAT_3),
		    ft__ink(theme, FT__HEAT_4), ft__ink(theme, FT__HEAT_5));
	for (size_t i = 0; i < n; i++) {
		FT_TRY(add_field(script, &field[i], theme, height, i, err));
		ft_text_add(script, "unset label\nunset object\nunset arrow\n");
	}
	ft_text_add(script, "unset multiplot\n");
	return FT_OK;
}
/*
 * A table of values as colours, with its columns as named points of a plane.
 */

enum {
	NAMED_ROWS = 60, /* more names do not fit next to a picture */
	TEXT_ROWS = 40,  /* of a terminal */
	TEXT_NAME = 24,  /* characters of a row's name on a terminal */
	HEAT_HEIGHT = 420,
	PLANE_HEIGHT = 460,
	CELLS_MOST = 4000, /* each is a rectangle of the file */
};

static size_t longest(char *const *name, size_t n)
{
	size_t most = 0;

	for (size_t i = 0; i < n; i++) {
		size_t length = strlen(name[i]);

		most = length > most ? length : most;
	}
	return most;
}

/* Of the names of columns, which are turned. */
static double room_below(const struct ft_heat *heat)
{
	return 20 + fmin(160, 6.5 * (double)longest(heat->column, heat->columns));
}

/* The least and largest value; false: there is none. */
static bool heat_find_range(const struct ft_heat *heat, double *low, double *high)
{
	*low = INFINITY;
	*high = -INFINITY;
	for (size_t i = 0; i < heat->rows * heat->columns; i++)
		if (isfinite(heat->value[i])) {
			*low = fmin(*low, heat->value[i]);
			*high = fmax(*high, heat->value[i]);
		}
	return *low <= *high;
}

static void add_names(struct ft_text *script, char axis, char *const *name, size_t n)
{
	ft_text_add(script, "set %ctics %s(", axis, axis == 'x' ? "rotate by -60 left " : "");
	for (size_t i = 0; i < n; i++) {
		if (i)
			ft_text_add(script, ", ");
		ft__plot_quoted(script, name[i]);
		ft_text_add(script, " %zu", i);
	}
	ft_text_add(script, ") noenhanced scale 0 font ',11'\n");
}

/* A cell is a cell, and no colour between two; of very many nobody sees one. */
static void add_heat(struct ft_text *script, const struct ft_heat *heat, const struct ft__theme *theme)
{
	double low, high;
	size_t missing = 0;

	if (!heat_find_range(heat, &low, &high))
		low = high = 0;
	if (low < 0 && high > 0) { /* zero is pale */
		high = fmax(high, -low);
		low = -high;
	}
	ft_text_add(script, "$table << EOD\n");
	for (size_t i = 0; i < heat->rows; i++) {
		for (size_t j = 0; j < heat->columns; j++) {
			double value = heat->value[i * heat->columns + j];

			if (j)
				ft_text_add(script, " ");
			if (isfinite(value))
				ft_text_add_number(script, value);
			else
				ft_text_add(script, "NaN");
		}
		ft_text_add(script, "\n");
	}
	ft_text_add(script, "EOD\n");
	ft_text_add(script, "grey = '%s'\n$missing << EOD\n", ft__ink(theme, FT__QUIET));
	for (size_t i = 0; i < heat->rows * heat->columns; i++)
		if (!isfinite(heat->value[i])) {
			const size_t row = i / heat->columns;
			double x = (double)(i % heat->columns), y = (double)row;

			ft_text_add(script, "%.9g %.9g %.9g %.9g %.9g %.9g\n", x, y, x - 0.5, x + 0.5,
				    y - 0.5, y + 0.5);
			missing++;
		}
	ft_text_add(script, "EOD\n");
	add_names(script, 'x', heat->column, heat->columns);
	if (heat->rows <= NAMED_ROWS)
		add_names(script, 'y', heat->row, heat->rows);
	else
		ft_text_add(script, "unset ytics\n");
	/* From blue over the paper to red: readable for the colour-blind. */
	ft_text_add(script,
		    "set palette defined (0 '%s', 0.5 '%s', 1 '%s')\n"
		    "set cbrange [%.6g:%.6g]\nset xrange [-0.5:%zu.5]\nset yrange [%zu.5:-0.5]\n"
		    "unset grid\nunset border\nset cbtics scale 0\nset colorbox noborder\n"
		    "plot %s$table matrix with image%s\n",
		    ft__ink(theme, FT__ONE), ft__ink(theme, FT__PAPER), ft__ink(theme, FT__FIVE), low,
		    high > low ? high : low + 1, heat->columns - 1, heat->rows - 1,
		    missing ? "$missing using 1:2:3:4:5:6 with boxxyerror fs transparent pattern 4 noborder "
			      "lc rgb "
			      "grey, "
			    : "",
		    heat->rows * heat->columns <= CELLS_MOST ? " pixels" : "");
}

static void add_plane(struct ft_text *script, const struct ft_heat *heat, const struct ft__theme *theme)
{
	struct ft_text names = {0};
	double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
	size_t n = 0;

	ft_text_add(script, "unset colorbox\n$plane << EOD\n");
	for (size_t j = 0; j < heat->columns; j++) {
		const double *at = heat->place + 2 * j;

		if (!isfinite(at[0]) || !isfinite(at[1]))
			continue;
		ft_text_add_number(script, at[0]);
		ft_text_add(script, " ");
		ft_text_add_number(script, at[1]);
		ft_text_add(script, "\n");
		/* Names as labels of their own: in a data block they would have to be escaped in another way. */
		ft_text_add(&names, "set label ");
		ft__plot_quoted(&names, heat->column[j]);
		ft_text_add(
			&names,
			" at first %.9g,%.9g left offset 0.6,0.3 noenhanced font ',11' textcolor rgb '%s'\n",
			at[0], at[1], ft__ink(theme, FT__TEXT));
		for (size_t k = 0; k < 2; k++) {
			low[k] = fmin(low[k], at[k]);
			high[k] = fmax(high[k], at[k]);
		}
		n++;
	}
	ft_text_add(script, "EOD\n");
	for (size_t k = 0; k < 2; k++) {
		double air = n && high[k] - low[k] > 1e-9 ? 0.12 * (high[k] - low[k]) : 1;
		struct ft__axis axis = {
			n ? low[k] - air : 0, n ? high[k] + air : 1, false, NULL, false, false};

		ft__axis_tics(script, k ? "y" : "x", &axis, 8);
	}
	if (names.length)
		ft_text_add_bytes(script, names.s, names.length);
	script->failed |= names.failed;
	ft_text_clear(&names);
	ft_text_add(script, "set xlabel ");
	ft__plot_quoted(script, heat->x_label ? heat->x_label : "");
	ft_text_add(script, " noenhanced\nset xtics norotate center\n");
	if (n)
		ft_text_add(script, "plot $plane with points pt 7 ps 0.7 lc rgb '%s'\n",
			    ft__ink(theme, FT__ONE));
	else
		ft_text_add(script, "plot NaN notitle\n");
}

void ft__heat_script(struct ft_text *script, const char *title, const struct ft_heat *heat,
		     const struct ft__theme *theme)
{
	int drawing = HEAT_HEIGHT - TITLE - ABOVE,
	    height = TITLE + ABOVE + drawing + (int)room_below(heat) + (heat->place ? PLANE_HEIGHT : 0);
	double left = 24 + (heat->rows <= NAMED_ROWS ? 7.3 * (double)longest(heat->row, heat->rows) : 0),
	       from = TITLE + ABOVE, right = theme->width - RIGHT;

	if (left > theme->width / 2.0)
		left = theme->width / 2.0;
	ft__plot_begin(script, theme, title, height);
	ft_text_add(script, "set multiplot\n");
	ft__plot_margins(script, theme, height, left, right, from, from + drawing);
	ft_text_add(script, "set colorbox user origin screen %.6f,screen %.6f size screen %.6f,screen %.6f\n",
		    1 - (RIGHT - 24.0) / theme->width, 1 - (from + drawing) / height, 16.0 / theme->width,
		    drawing / (double)height);
	ft__plot_word(script, theme, heat->value_label, FT__TEXT, 'r', theme->width - 12.0, from - 18,
		      height);
	const struct ft__legend key = {FT__KEY_HATCH, "not known", ft__ink(theme, FT__QUIET), false};
	for (size_t i = 0, n = heat->rows * heat->columns; i < n; i++)
		if (!isfinite(heat->value[i])) {
			ft__keys_draw(script, theme, &key, 1, (int)left, theme->width - RIGHT, TITLE, height);
			break;
		}
	add_heat(script, heat, theme);
	ft_text_add(script, "unset label\nunset object\n");
	if (heat->place) {
		from += drawing + room_below(heat) + ABOVE;
		ft_text_add(script, "set border 3\nset grid xtics ytics back lt 1 lw 0.6 lc rgb '%s'\n",
			    ft__ink(theme, FT__LINE));
		ft__plot_margins(script, theme, height, LEFT, theme->width - 26, from, height - BELOW);
		ft__plot_word(script, theme, heat->y_label, FT__TEXT, 'l', 22, from - 18, height);
		add_plane(script, heat, theme);
	}
	ft_text_add(script, "unset multiplot\n");
}

void ft__heat_text(struct ft_text *text, const char *title, const struct ft_heat *heat, int width)
{
	static const char shades[] = ".:-=+*#%@";
	size_t i, j, rows = heat->rows < TEXT_ROWS ? heat->rows : TEXT_ROWS,
		     room = (size_t)(width - TEXT_NAME - 1),
		     columns = heat->columns < room ? heat->columns : room;
	double low, high;

	if (!heat_find_range(heat, &low, &high))
		low = high = 0;
	ft_text_add(text, "%s\n\n", title ? title : "");
	for (i = 0; i < rows; i++) {
		ft_text_add(text, "%-*.*s ", TEXT_NAME, TEXT_NAME, heat->row[i]);
		for (j = 0; j < columns; j++) {
			double value = heat->value[i * heat->columns + j],
			       share = high > low ? (value - low) / (high - low) : 0;

			ft_text_add(text, "%c", isfinite(value) ? shades[(size_t)(share * 8.999)] : ' ');
		}
		ft_text_add(text, "\n");
	}
	if (rows < heat->rows || columns < heat->columns)
		ft_text_add(text, "%zu x %zu of %zu x %zu: a picture (-o FILE.svg) has them all\n", rows,
			    columns, heat->rows, heat->columns);
	ft_text_add(text, "from %.3g (%c) to %.3g (%c)%s%s\n", low, shades[0], high, shades[8],
		    heat->value_label ? ": " : "", heat->value_label ? heat->value_label : "");
}
