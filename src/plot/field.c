/* SPDX-License-Identifier: GPL-3.0-or-later */
/* field.c - draws a value over a plane, as colours with contour lines. */
#include "base/alloc.h"
#include "plot/plot.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Contour lines over a grid, by marching squares.
 *
 * Edges are numbered: the one to the right of a node has the node's number, the one above it that number and
 * all nodes more. A cell has the number of its lower left node.
 */

struct contour_grid {
	const double *value;
	size_t rows, columns, nodes;
	double level;
	bool *passed;  /* [2 nodes] edges that a line crosses already */
	double *x, *y; /* [2 nodes + 1] the line */
};

enum { NO_CELL = -1 };

static bool is_above(const struct contour_grid *g, size_t node)
{
	return g->value[node] >= g->level;
}

/* Both ends of an edge; false: it leaves the grid. */
static bool ends_of(const struct contour_grid *g, size_t edge, size_t end[2])
{
	bool up = edge >= g->nodes;

	end[0] = up ? edge - g->nodes : edge;
	end[1] = end[0] + (up ? g->columns : 1);
	return up ? end[1] < g->nodes : end[1] % g->columns != 0;
}

static bool is_crossed(const struct contour_grid *g, size_t edge)
{
	size_t end[2];

	return ends_of(g, edge, end) && isfinite(g->value[end[0]]) && isfinite(g->value[end[1]]) &&
	       is_above(g, end[0]) != is_above(g, end[1]);
}

/* The cell at a row and column, when it has four values. */
static long cell_at(const struct contour_grid *g, long row, long column)
{
	if (row < 0 || column < 0 || row + 1 >= (long)g->rows || column + 1 >= (long)g->columns)
		return NO_CELL;
	size_t node = (size_t)row * g->columns + (size_t)column;
	return isfinite(g->value[node]) && isfinite(g->value[node + 1]) &&
			       isfinite(g->value[node + g->columns]) &&
			       isfinite(g->value[node + g->columns + 1])
		       ? (long)node
		       : NO_CELL;
}

/* The cells at both sides of an edge. */
static void sides_of(const struct contour_grid *g, size_t edge, long side[2])
{
	bool up = edge >= g->nodes;
	size_t node = up ? edge - g->nodes : edge;
	long row = (long)(node / g->columns), column = (long)(node % g->columns);

	side[0] = up ? cell_at(g, row, column - 1) : cell_at(g, row - 1, column);
	side[1] = cell_at(g, row, column);
}

/* By which edge of a cell the line leaves that came in by another. */
static size_t way_out(const struct contour_grid *g, size_t cell, size_t edge)
{
	const size_t edges[4] = {cell, g->nodes + cell + 1, cell + g->columns, g->nodes + cell};
	size_t in = 0, n = 0, out = edge;

	for (size_t i = 0; i < 4; i++) {
		in = edges[i] == edge ? i : in;
		n += is_crossed(g, edges[i]);
		if (edges[i] != edge && is_crossed(g, edges[i]))
			out = edges[i];
	}
	if (n < 4)
		return out;
	bool apart = ((g->value[cell] + g->value[cell + 1] + g->value[cell + g->columns] +
		       g->value[cell + g->columns + 1]) /
			      4 >=
		      g->level) == is_above(g, cell);
	/* The middle belongs to the lower left: the other two corners are cut off, below and to the right,
	 * above and to the left. */
	return edges[apart ? in ^ 1U : 3 - in];
}

static void add_point(const struct contour_grid *g, size_t edge, size_t n)
{
	size_t end[2] = {0, 0};

	(void)ends_of(g, edge, end);
	size_t row = end[0] / g->columns;
	size_t column = end[0] % g->columns;
	double share = (g->level - g->value[end[0]]) / (g->value[end[1]] - g->value[end[0]]);
	g->x[n] = (double)column + (edge < g->nodes ? share : 0);
	g->y[n] = (double)row + (edge < g->nodes ? 0 : share);
}

/* Follow the line from an edge into a cell; how many points it has. */
static size_t follow_line(const struct contour_grid *g, size_t edge, long cell)
{
	size_t n = 0;

	add_point(g, edge, n++);
	g->passed[edge] = true;
	while (cell != NO_CELL) {
		size_t next = way_out(g, (size_t)cell, edge);
		long side[2];

		add_point(g, next, n++);
		if (g->passed[next])
			break;
		g->passed[next] = true;
		sides_of(g, next, side);
		cell = side[0] == cell ? side[1] : side[0];
		edge = next;
	}
	return n;
}

enum ft_status ft__contour_trace(const double *value, size_t rows, size_t columns, double level,
				 ft__contour_line *line, void *ctx)
{
	size_t nodes = rows * columns;
	struct contour_grid g = {value,
				 rows,
				 columns,
				 nodes,
				 level,
				 ft_calloc(2 * nodes, sizeof(bool)),
				 ft_malloc((2 * nodes + 1) * sizeof(double)),
				 ft_malloc((2 * nodes + 1) * sizeof(double))};
	bool ready = g.passed && g.x && g.y;

	/* Lines that end at an edge of the grid or of a hole begin there; what is left is closed. */
	for (int closed = 0; ready && closed < 2; closed++)
		for (size_t edge = 0; edge < 2 * nodes; edge++) {
			long side[2];

			if (g.passed[edge] || !is_crossed(&g, edge))
				continue;
			sides_of(&g, edge, side);
			if ((side[0] == NO_CELL) != (side[1] == NO_CELL) || (closed && side[0] != NO_CELL))
				line(ctx, g.x, g.y,
				     follow_line(&g, edge, side[0] == NO_CELL ? side[1] : side[0]));
		}
	ft_free(g.passed);
	ft_free(g.x);
	ft_free(g.y);
	return ready ? FT_OK : FT_ENOMEM;
}

/*
 * Draws a value over a plane, as colours with contour lines.
 */

enum {
	LEVELS = 8, /* lines of equal value: some; over decades */
	LOG_LEVELS = 13,
	PLACES = 9, /* where a label may stand on its line */
	MIDDLE = PLACES / 2,
	TITLE = 44, /* pixels; of each field the drawing, and what lies around it */
	HEIGHT = 446,
	LEFT = 82,
	RIGHT = 124,
	ABOVE = 54,
	BELOW = 62,
};

static bool is_blank(const struct ft_heat_map *field, double row, double column)
{
	size_t width = (field->columns - 1) * FT_FIELD_FINE + 1;

	return field->blank && field->blank[(size_t)lround(row * FT_FIELD_FINE) * width +
					    (size_t)lround(column * FT_FIELD_FINE)];
}

double ft__field_value(const struct ft_heat_map *field, size_t row, size_t column)
{
	double value = field->value[row * field->columns + column];

	return is_blank(field, (double)row, (double)column) || (field->log_value && !(value > 0)) ? NAN
												  : value;
}

static bool find_range(const struct ft_heat_map *field, double *low, double *high)
{
	*low = INFINITY;
	*high = -INFINITY;
	for (size_t i = 0; i < field->rows * field->columns; i++) {
		double value = ft__field_value(field, i / field->columns, i % field->columns);

		if (isfinite(value)) {
			*low = fmin(*low, value);
			*high = fmax(*high, value);
		}
	}
	return *low <= *high;
}

/* No more than rounding, or what a model makes of it: no lines. */
static bool is_constant(double low, double high)
{
	return high - low <= 1e-3 * fmax(fabs(low), fabs(high));
}

struct ft__axis ft__field_values(const struct ft_heat_map *field)
{
	double low, high;

	if (!find_range(field, &low, &high))
		low = high = 1;
	if (is_constant(low, high)) {
		high += fabs(high) / 10 + (high == 0);
		low -= fabs(low) / 10;
	}
	return (struct ft__axis){low, high, field->log_value, field->unit, true, false};
}

size_t ft__field_levels(const struct ft__axis *values, struct ft__tic level[FT__TICS_MOST])
{
	size_t n = ft__axis_places(values, values->log ? LOG_LEVELS : LEVELS, level), kept = 0;

	for (size_t i = 0; i < n; i++)
		if (*level[i].label)
			level[kept++] = level[i];
	return kept;
}

/* The drawing. */
struct drawing {
	const struct ft_heat_map *field;
	struct ft__axis x, y, values;
	double *z; /* [rows x columns] values, or their logarithms: what colours and lines are of */
	struct ft_text *script, solid, dashed;
	double longest; /* of the lines at this level, in shares of the picture */
	double place[PLACES][2];
	size_t places; /* along it, for its label */
	double label[FT__TICS_MOST][2];
	size_t labels; /* that stand already */
};

static double place_of_index(const double *at, size_t n, const struct ft__axis *axis, double index)
{
	double low = ft__axis_at(axis, at[0]), high = ft__axis_at(axis, at[n - 1]);

	return low + (high - low) * index / (double)(n - 1);
}

static double place_x(const struct drawing *d, double column)
{
	return place_of_index(d->field->x, d->field->columns, &d->x, column);
}

static double place_y(const struct drawing *d, double row)
{
	return place_of_index(d->field->y, d->field->rows, &d->y, row);
}

static double step_length(const struct drawing *d, const double *x, const double *y)
{
	return hypot((x[1] - x[0]) / (double)(d->field->columns - 1),
		     (y[1] - y[0]) / (double)(d->field->rows - 1));
}

/* Places for the label along the longest line. */
static void find_places(struct drawing *d, const double *x, const double *y, size_t n)
{
	double length = 0, way = 0;
	size_t k = 0;

	for (size_t i = 0; i + 1 < n; i++)
		length += step_length(d, x + i, y + i);
	if (length <= d->longest)
		return;
	d->longest = length;
	for (size_t i = 0; i + 1 < n && k < PLACES; i++) {
		for (; k < PLACES && way >= length * ((double)k + 1) / (PLACES + 1); k++) {
			d->place[k][0] = x[i] / (double)(d->field->columns - 1);
			d->place[k][1] = y[i] / (double)(d->field->rows - 1);
		}
		way += step_length(d, x + i, y + i);
	}
	d->places = k;
}

static bool is_free(const struct drawing *d, const double place[2])
{
	for (size_t i = 0; i < d->labels; i++)
		if (fabs(d->label[i][0] - place[0]) < 0.1 && fabs(d->label[i][1] - place[1]) < 0.05)
			return false;
	return true;
}

/* A label is placed as near to the middle of its line as the other ones allow. */
static void add_label(struct drawing *d, const char *label)
{
	size_t best = d->places;

	for (size_t k = 0; k < d->places; k++)
		if (is_free(d, d->place[k]) &&
		    (best == d->places || abs((int)k - MIDDLE) < abs((int)best - MIDDLE)))
			best = k;
	if (best == d->places)
		return;
	/* Blanks at both ends, because the box around it is narrow. */
	char wide[64];
	(void)snprintf(wide, sizeof wide, "\u00a0%s\u00a0", label);
	ft_text_add(d->script, "set label %zu ", 10 + d->labels);
	ft__plot_quoted(d->script, wide);
	ft_text_add(d->script,
		    " at first %.9g,%.9g center noenhanced front boxed font ',11' textcolor rgb '#1c2226'\n",
		    place_x(d, d->place[best][0] * (double)(d->field->columns - 1)),
		    place_y(d, d->place[best][1] * (double)(d->field->rows - 1)));
	d->label[d->labels][0] = d->place[best][0];
	d->label[d->labels++][1] = d->place[best][1];
}

enum pen { PEN_NONE, PEN_SOLID, PEN_DASHED };

/* The style of the piece from one place to the next. */
static enum pen pen_of(const struct ft_heat_map *field, const double *x, const double *y)
{
	double column = (x[0] + x[1]) / 2, row = (y[0] + y[1]) / 2;

	if (is_blank(field, row, column))
		return PEN_NONE;
	return field->beyond && field->beyond[(size_t)lround(row) * field->columns + (size_t)lround(column)]
		       ? PEN_DASHED
		       : PEN_SOLID;
}

/* Pieces of a line that are drawn alike, one after the other. */
static void add_line(void *ctx, const double *x, const double *y, size_t n)
{
	struct drawing *d = ctx;
	size_t from = 0;

	for (size_t i = 0; i + 1 < n; i++) {
		enum pen pen = pen_of(d->field, x + i, y + i);
		struct ft_text *to = pen == PEN_DASHED ? &d->dashed : &d->solid;

		if (i + 2 < n && pen_of(d->field, x + i + 1, y + i + 1) == pen)
			continue;
		if (pen != PEN_NONE) {
			find_places(d, x + from, y + from, i + 2 - from);
			for (size_t k = from; k <= i + 1; k++)
				ft_text_add(to, "%.9g %.9g\n", place_x(d, x[k]), place_y(d, y[k]));
			ft_text_add(to, "\n");
		}
		from = i + 1;
	}
}

static enum ft_status add_levels(struct drawing *d, struct ft_err *err)
{
	struct ft__tic level[FT__TICS_MOST];
	size_t n = ft__field_levels(&d->values, level);
	double low, high;

	if (!find_range(d->field, &low, &high) || is_constant(low, high))
		return FT_OK;
	for (size_t i = 0; i < n; i++) {
		d->longest = 0.08; /* a shorter one has no room for its label */
		d->places = 0;
		if (ft__contour_trace(d->z, d->field->rows, d->field->columns,
				      ft__axis_at(&d->values, level[i].at), add_line, d))
			return ft_nomem(err);
		add_label(d, level[i].label);
	}
	return FT_OK;
}

/* Interpolated between the nodes; if one of them is missing, that of the nearest. */
static double z_at(const struct drawing *d, double row, double column)
{
	size_t columns = d->field->columns;
	size_t i = (size_t)fmin(row, (double)d->field->rows - 2),
	       j = (size_t)fmin(column, (double)columns - 2);
	const double *z = d->z + i * columns + j;
	double v = row - (double)i, u = column - (double)j;
	double between =
		(1 - v) * ((1 - u) * z[0] + u * z[1]) + v * ((1 - u) * z[columns] + u * z[columns + 1]);

	return isfinite(between) ? between : z[(v >= 0.5 ? columns : 0) + (u >= 0.5 ? 1 : 0)];
}

/* With the places of columns and rows in the table: gnuplot sets up a handler of signals for each value of an
 * expression, which takes longer than to read three numbers. */
static void add_colours(const struct drawing *d, bool svg)
{
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
			double z = is_blank(d->field, row, column) ? NAN : z_at(d, row, column);

			if (isfinite(z))
				ft_text_add(d->script, " %.5g", z);
			else
				ft_text_add_bytes(d->script, " NaN", 4);
		}
	}
	ft_text_add(d->script, "\nEOD\nplot $z nonuniform matrix using 1:2:3 with image notitle");
}

static void add_block(struct ft_text *script, const char *name, const struct ft_text *lines)
{
	ft_text_add(script, "$%s << EOD\n", name);
	if (lines->length)
		ft_text_add_bytes(script, lines->s, lines->length);
	ft_text_add(script, "EOD\n");
	script->failed |= lines->failed;
}

/* The runs, each size once; how many there are. */
static size_t add_points(const struct drawing *d)
{
	const struct ft_heat_map *field = d->field;
	bool *mark = ft_calloc((size_t)FT__MARKS * FT__MARKS, sizeof *mark);
	size_t n = 0;

	ft_text_add(d->script, "$points << EOD\n");
	for (size_t i = 0; i < field->points; i++) {
		const double at[2] = {field->at_x[i], field->at_y[i]};
		double x = ft__axis_at(&d->x, at[0]), y = ft__axis_at(&d->y, at[1]);

		if (!isfinite(x) || !isfinite(y) || (mark && ft__axis_hides(mark, &d->x, &d->y, at)))
			continue;
		ft_text_add(d->script, "%.9g %.9g\n", x, y);
		n++;
	}
	ft_text_add(d->script, "EOD\n");
	ft_free(mark);
	return n;
}

/* Whether a node is hatched: known, but hardly. */
static bool is_unknown(const struct ft_heat_map *field, size_t row, size_t column)
{
	return field->unknown && field->unknown[row * field->columns + column] &&
	       isfinite(ft__field_value(field, row, column));
}

/* Whether the cell whose lower left node this is is hatched: all of its corners are. */
static bool is_hatched(const struct ft_heat_map *field, size_t row, size_t column)
{
	return is_unknown(field, row, column) && is_unknown(field, row, column + 1) &&
	       is_unknown(field, row + 1, column) && is_unknown(field, row + 1, column + 1);
}

/* The hatched part as boxes: pieces of a row, and rows that have the same piece are one box. Returns how many. */
static size_t add_hatch(const struct drawing *d)
{
	const struct ft_heat_map *field = d->field;
	size_t n = 0;

	ft_text_add(d->script, "$hatch << EOD\n");
	for (size_t row = 0; row + 1 < field->rows; row++)
		for (size_t from = 0, to; from + 1 < field->columns; from = to + 1) {
			size_t top = row, k;

			to = from;
			while (to + 1 < field->columns && is_hatched(field, row, to))
				to++;
			if (to == from)
				continue;
			/* A box that began below has this piece already. */
			for (k = from; row > 0 && k < to && is_hatched(field, row - 1, k); k++)
				;
			if (row > 0 && k == to && (from == 0 || !is_hatched(field, row - 1, from - 1)) &&
			    (to + 1 == field->columns || !is_hatched(field, row - 1, to)))
				continue;
			for (bool same = true; same && top + 1 < field->rows; top += same) {
				for (k = from; k < to && is_hatched(field, top, k); k++)
					;
				same = k == to && (from == 0 || !is_hatched(field, top, from - 1)) &&
				       (to + 1 == field->columns || !is_hatched(field, top, to));
			}
			double left = place_x(d, (double)from), right = place_x(d, (double)to),
			       low = place_y(d, (double)row), high = place_y(d, (double)top);
			ft_text_add(d->script, "%.9g %.9g %.9g %.9g %.9g %.9g\n", (left + right) / 2,
				    (low + high) / 2, left, right, low, high);
			n++;
		}
	ft_text_add(d->script, "EOD\n");
	return n;
}

/* Lines and points have a pale rim: they lie upon dark and upon light. */
static void add_plot(struct drawing *d, const struct ft__theme *theme, bool hatched, size_t points)
{
	add_block(d->script, "solid", &d->solid);
	add_block(d->script, "dashed", &d->dashed);
	add_colours(d, theme->picture == FT__PICTURE_SVG);
	if (hatched)
		ft_text_add(d->script,
			    ", $hatch using 1:2:3:4:5:6 with boxxyerror fs transparent pattern 4 noborder "
			    "lc rgb '#50ffffff'");
	if (d->solid.length)
		ft_text_add(d->script, ", $solid with lines lw 2.4 lc rgb '#90ffffff'"
				       ", $solid with lines lw 1 lc rgb '#1c2226'");
	if (d->dashed.length)
		ft_text_add(d->script, ", $dashed with lines lw 2.4 lc rgb '#90ffffff'"
				       ", $dashed with lines lw 1 dt (12,8) lc rgb '#1c2226'");
	if (points)
		ft_text_add(d->script, ", $points with points pt 7 ps 0.55 lc rgb '#1c2226'"
				       ", $points with points pt 7 ps 0.35 lc rgb '#ffffff'");
	ft_text_add(d->script, "\n");
}

static void add_legend(const struct drawing *d, const struct ft__theme *theme, bool hatched, size_t points,
		       double y, double height)
{
	const struct ft_heat_map *field = d->field;
	struct ft__legend key[3];
	size_t n = 0;

	if (points && field->at_title)
		key[n++] =
			(struct ft__legend){FT__KEY_POINT, field->at_title, ft__ink(theme, FT__QUIET), false};
	if (d->dashed.length && !hatched)
		key[n++] =
			(struct ft__legend){FT__KEY_DASHED, "extrapolated", ft__ink(theme, FT__TEXT), false};
	if (hatched)
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
	size_t n = field->rows * field->columns;
	double top = TITLE + (double)index * (ABOVE + HEIGHT + BELOW), above = top + ABOVE;
	struct drawing d = {.field = field, .values = ft__field_values(field), .script = script};

	d.x = ft__axis_of(field->x[0], field->x[field->columns - 1], field->log_x, field->whole_x);
	d.y = ft__axis_of(field->y[0], field->y[field->rows - 1], field->log_y, field->whole_y);
	d.z = ft_malloc(n * sizeof *d.z);
	if (!d.z)
		return ft_nomem(err);
	for (size_t i = 0; i < n; i++)
		d.z[i] = ft__axis_at(&d.values, field->value[i]);
	ft_text_add(script, "set colorbox user origin screen %.6f,screen %.6f size screen %.6f,screen %.6f\n",
		    1 - (RIGHT - 24.0) / theme->width, 1 - (above + HEIGHT) / height, 16.0 / theme->width,
		    HEIGHT / height);
	ft__plot_margins(script, theme, height, LEFT, theme->width - RIGHT, above, above + HEIGHT);
	ft__axis_tics(script, "x", &d.x, 8);
	ft__axis_tics(script, "y", &d.y, 7);
	ft__axis_tics(script, "cb", &d.values, d.values.log ? LOG_LEVELS : LEVELS);
	ft_text_add(script, "set xlabel ");
	ft__plot_quoted(script, field->x_label ? field->x_label : "");
	ft_text_add(script, " noenhanced\n");
	ft__plot_word(script, theme, field->y_label, FT__TEXT, 'l', 22, above - 18, height);
	ft__plot_word(script, theme, field->value_label, FT__TEXT, 'r', theme->width - 12.0, above - 18,
		      height);
	enum ft_status status = add_levels(&d, err);
	if (!status) {
		size_t points = add_points(&d);
		bool hatched = add_hatch(&d) > 0;

		add_legend(&d, theme, hatched, points, top, height);
		add_plot(&d, theme, hatched, points);
	}
	ft_text_clear(&d.solid);
	ft_text_clear(&d.dashed);
	ft_free(d.z);
	return status;
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

static void add_table(struct ft_text *script, const struct ft_heat *heat)
{
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
	add_table(script, heat);
	ft_text_add(script, "grey = '%s'\n$missing << EOD\n", ft__ink(theme, FT__QUIET));
	for (size_t i = 0; i < heat->rows * heat->columns; i++)
		if (!isfinite(heat->value[i])) {
			double x = (double)(i % heat->columns), y = (double)(i / heat->columns);

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
