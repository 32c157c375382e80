/* SPDX-License-Identifier: GPL-3.0-or-later */
/* field.c - a value over a plane, as colours with lines of equal value. */
#include "plot/field.h"
#include "base/alloc.h"
#include "plot/axis.h"
#include "plot/contour.h"

#include <math.h>
#include <stdlib.h>

enum {
	LEVELS = 8, /* lines of equal value: some; over decades */
	LOG_LEVELS = 13,
	PLACES = 9, /* where a label may stand on its line */
	MIDDLE = PLACES / 2,
	TITLE = 44, /* pixels; of each field the drawing, and what lies around it */
	HEIGHT = 446,
	LEFT = 78,
	RIGHT = 124,
	ABOVE = 48,
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
	return (struct ft__axis){low, high, field->log_value, field->unit, true};
}

size_t ft__field_levels(const struct ft__axis *values, struct ft__tic level[FT__TICS_MOST])
{
	size_t n = ft__axis_places(values, values->log ? LOG_LEVELS : LEVELS, level), kept = 0;

	for (size_t i = 0; i < n; i++)
		if (*level[i].label)
			level[kept++] = level[i];
	return kept;
}

/* What is being drawn. */
struct drawing {
	const struct ft_heat_map *field;
	struct ft__axis x, y, values;
	double *z; /* [rows x columns] values, or their logarithms: what colours and lines are of */
	struct ft_text *script, solid, dashed;
	double top, bottom; /* of the drawing, in shares of the picture */
	double longest;     /* of the lines at this level, in shares of the picture */
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

/* A label stands as near to the middle of its line as others leave room. */
static void add_label(struct drawing *d, const char *label)
{
	size_t best = d->places;

	for (size_t k = 0; k < d->places; k++)
		if (is_free(d, d->place[k]) &&
		    (best == d->places || abs((int)k - MIDDLE) < abs((int)best - MIDDLE)))
			best = k;
	if (best == d->places)
		return;
	ft_text_add(d->script, "set label %zu ", 10 + d->labels);
	ft__plot_quoted(d->script, label);
	ft_text_add(d->script, " at first %.9g,%.9g center noenhanced front boxed font ',11'\n",
		    place_x(d, d->place[best][0] * (double)(d->field->columns - 1)),
		    place_y(d, d->place[best][1] * (double)(d->field->rows - 1)));
	d->label[d->labels][0] = d->place[best][0];
	d->label[d->labels++][1] = d->place[best][1];
}

enum pen { PEN_NONE, PEN_SOLID, PEN_DASHED };

/* How the piece from one place to the next is drawn. */
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

/* Between the nodes; where one of them is missing, as the nearest says. */
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
static void add_colours(const struct drawing *d)
{
	const size_t columns = (d->field->columns - 1) * FT_FIELD_FINE + 1,
		     rows = (d->field->rows - 1) * FT_FIELD_FINE + 1;

	ft_text_add(d->script, "$z << EOD\n%zu", columns);
	for (size_t j = 0; j < columns; j++)
		ft_text_add(d->script, " %.9g", place_x(d, (double)j / FT_FIELD_FINE));
	for (size_t i = 0; i < rows; i++) {
		double row = (double)i / FT_FIELD_FINE;

		ft_text_add(d->script, "\n%.9g", place_y(d, row));
		for (size_t j = 0; j < columns; j++) {
			double column = (double)j / FT_FIELD_FINE;
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

static void add_plot(struct drawing *d)
{
	add_block(d->script, "solid", &d->solid);
	add_block(d->script, "dashed", &d->dashed);
	size_t points = add_points(d);
	add_colours(d);
	if (d->solid.length)
		ft_text_add(d->script, ", $solid with lines lw 1 lc rgb '#303030' notitle");
	if (d->dashed.length)
		ft_text_add(d->script,
			    ", $dashed with lines lw 1 dt (12,8) lc rgb '#303030' title 'extrapolated'");
	if (points) {
		ft_text_add(d->script, ", $points with points pt 7 ps 0.5 lc rgb '#40d6604d' title ");
		ft__plot_quoted(d->script, d->field->at_title ? d->field->at_title : "");
	}
	ft_text_add(d->script, "\n");
}

static void add_margins(const struct drawing *d, int width)
{
	ft_text_add(d->script,
		    "set colorbox user origin screen %.6f,screen %.6f size screen %.6f,screen %.6f\n"
		    "set lmargin at screen %.6f\nset rmargin at screen %.6f\n"
		    "set tmargin at screen %.6f\nset bmargin at screen %.6f\n",
		    1 - (RIGHT - 24.0) / width, d->bottom, 16.0 / width, d->top - d->bottom,
		    (double)LEFT / width, 1 - (double)RIGHT / width, d->top, d->bottom);
}

static void add_frame(const struct drawing *d, int width, double height)
{
	const struct ft_heat_map *field = d->field;
	struct ft_text *script = d->script;

	add_margins(d, width);
	ft__axis_tics(script, "x", &d->x, 8);
	ft__axis_tics(script, "y", &d->y, 7);
	ft__axis_tics(script, "cb", &d->values, d->values.log ? LOG_LEVELS : LEVELS);
	ft_text_add(script, "set xlabel ");
	ft__plot_quoted(script, field->x_label ? field->x_label : "");
	ft_text_add(script, " noenhanced\nset label 2 ");
	ft__plot_quoted(script, field->y_label ? field->y_label : "");
	ft_text_add(script, " at graph 0,1 left offset -5,1.1 noenhanced\nset label 3 ");
	ft__plot_quoted(script, field->value_label ? field->value_label : "");
	ft_text_add(script, " at screen %.6f,%.6f right noenhanced\n", 1 - 12.0 / width,
		    d->top + 18 / height);
}

/* One field; they stand below each other in a picture of that height. */
static enum ft_status add_field(struct ft_text *script, const struct ft_heat_map *field, int width,
				double height, size_t index, struct ft_err *err)
{
	size_t n = field->rows * field->columns;
	double above = TITLE + (double)index * (ABOVE + HEIGHT + BELOW) + ABOVE;
	struct drawing d = {.field = field, .values = ft__field_values(field), .script = script};

	d.x = ft__axis_of(field->x[0], field->x[field->columns - 1], field->log_x);
	d.y = ft__axis_of(field->y[0], field->y[field->rows - 1], field->log_y);
	d.top = 1 - above / height;
	d.bottom = 1 - (above + HEIGHT) / height;
	d.z = ft_malloc(n * sizeof *d.z);
	if (!d.z)
		return ft_nomem(err);
	for (size_t i = 0; i < n; i++)
		d.z[i] = ft__axis_at(&d.values, field->value[i]);
	add_frame(&d, width, height);
	enum ft_status status = add_levels(&d, err);
	if (!status)
		add_plot(&d);
	ft_text_clear(&d.solid);
	ft_text_clear(&d.dashed);
	ft_free(d.z);
	return status;
}

enum ft_status ft__field_script(struct ft_text *script, const char *title, const struct ft_heat_map *field,
				size_t n, enum ft__picture picture, int width, struct ft_err *err)
{
	int height = TITLE + (int)n * (ABOVE + HEIGHT + BELOW);

	ft__plot_terminal(script, picture, width, height);
	ft__plot_looks(script);
	/* From pale to dark: also without colours, and for the colour-blind. */
	ft_text_add(
		script,
		"set palette defined (0 '#f7fbff', 0.35 '#b7d4ea', 0.7 '#5fa4d0', 1 '#1f5f9e')\n"
		"set style textbox opaque fillcolor rgb '#ffffff' noborder margins 0.4,0.2\nset multiplot\n");
	if (title)
		ft__plot_title(script, title, picture, width, height);
	for (size_t i = 0; i < n; i++) {
		FT_TRY(add_field(script, &field[i], width, height, i, err));
		ft_text_add(script, "unset label\n");
	}
	ft_text_add(script, "unset multiplot\n");
	return FT_OK;
}
