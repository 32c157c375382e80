/* SPDX-License-Identifier: GPL-3.0-or-later */
/* field.c - what a picture of a value over a plane shows: ticks, contour lines, hatching. gnuplot (heat.c) and the
 * page draw it. */
#include "base/alloc.h"
#include "plot/plot.h"

#include <math.h>
#include <stdbool.h>
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
 * What a picture of a field shows.
 */

enum {
	LEVELS = 8, /* lines of equal value: some; over decades */
	LOG_LEVELS = 13,
	X_TICS = 8,
	Y_TICS = 7,
	PLACES = 9, /* where a label may stand on its line */
	MIDDLE = PLACES / 2,
};

bool ft__field_blank(const struct ft_heat_map *field, double row, double column)
{
	size_t width = (field->columns - 1) * FT_FIELD_FINE + 1;

	return field->blank && field->blank[(size_t)lround(row * FT_FIELD_FINE) * width +
					    (size_t)lround(column * FT_FIELD_FINE)];
}

double ft__field_value(const struct ft_heat_map *field, size_t row, size_t column)
{
	double value = field->value[row * field->columns + column];

	return ft__field_blank(field, (double)row, (double)column) || (field->log_value && !(value > 0))
		       ? NAN
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

/* A picture in the making. */
struct making {
	const struct ft_heat_map *field;
	struct ft__field_picture *out;
	struct ft_arena *arena;
	size_t capacity; /* of the lines of this level, or of boxes */
	double longest;  /* of the lines at this level, in shares of the picture */
	double place[PLACES][2];
	size_t places; /* along it, for its label; in shares */
	double label[FT__TICS_MOST][2];
	size_t labels; /* that stand already */
};

/* The place of a value on an axis with n nodes, in their steps. */
static double place_on(const struct ft__axis *axis, const double *at, size_t n, double value)
{
	double first = ft__axis_at(axis, at[0]), last = ft__axis_at(axis, at[n - 1]);

	return (ft__axis_at(axis, value) - first) / (last - first) * (double)(n - 1);
}

static void set_scale(struct making *m, struct ft__field_scale *scale, const double *at, size_t n, int wanted)
{
	struct ft__tic tic[FT__TICS_MOST];
	const struct ft__axis *axis = &scale->axis;

	scale->from = place_on(axis, at, n, axis->low);
	scale->to = place_on(axis, at, n, axis->high);
	scale->tics = ft__axis_places(axis, wanted, tic);
	for (size_t i = 0; i < scale->tics; i++)
		tic[i].place = place_on(axis, at, n, tic[i].at);
	scale->tic = ft_arena_copy(m->arena, tic, scale->tics, sizeof *tic);
}

static double step_length(const struct making *m, const double *x, const double *y)
{
	return hypot((x[1] - x[0]) / (double)(m->field->columns - 1),
		     (y[1] - y[0]) / (double)(m->field->rows - 1));
}

/* Places for the label along the longest line. */
static void find_places(struct making *m, const double *x, const double *y, size_t n)
{
	double length = 0, way = 0;
	size_t k = 0;

	for (size_t i = 0; i + 1 < n; i++)
		length += step_length(m, x + i, y + i);
	if (length <= m->longest)
		return;
	m->longest = length;
	for (size_t i = 0; i + 1 < n && k < PLACES; i++) {
		for (; k < PLACES && way >= length * ((double)k + 1) / (PLACES + 1); k++) {
			m->place[k][0] = x[i] / (double)(m->field->columns - 1);
			m->place[k][1] = y[i] / (double)(m->field->rows - 1);
		}
		way += step_length(m, x + i, y + i);
	}
	m->places = k;
}

static bool is_free(const struct making *m, const double place[2])
{
	for (size_t i = 0; i < m->labels; i++)
		if (fabs(m->label[i][0] - place[0]) < 0.1 && fabs(m->label[i][1] - place[1]) < 0.05)
			return false;
	return true;
}

/* A label is placed as near to the middle of its line as the other ones allow. */
static void place_label(struct making *m, struct ft__field_level *level)
{
	size_t best = m->places;

	level->x = level->y = NAN;
	for (size_t k = 0; k < m->places; k++)
		if (is_free(m, m->place[k]) &&
		    (best == m->places || abs((int)k - MIDDLE) < abs((int)best - MIDDLE)))
			best = k;
	if (best == m->places)
		return;
	level->x = m->place[best][0] * (double)(m->field->columns - 1);
	level->y = m->place[best][1] * (double)(m->field->rows - 1);
	memcpy(m->label[m->labels++], m->place[best], sizeof m->place[best]);
}

enum pen { PEN_NONE, PEN_SOLID, PEN_DASHED };

/* The style of the piece from one place to the next. */
static enum pen pen_of(const struct ft_heat_map *field, const double *x, const double *y)
{
	double column = (x[0] + x[1]) / 2, row = (y[0] + y[1]) / 2;

	if (ft__field_blank(field, row, column))
		return PEN_NONE;
	return field->beyond && field->beyond[(size_t)lround(row) * field->columns + (size_t)lround(column)]
		       ? PEN_DASHED
		       : PEN_SOLID;
}

/* Pieces of a line that are drawn alike, one after the other. */
static void add_line(void *ctx, const double *x, const double *y, size_t n)
{
	struct making *m = ctx;
	struct ft__field_level *level = &m->out->level[m->out->levels];
	size_t from = 0;

	for (size_t i = 0; i + 1 < n; i++) {
		enum pen pen = pen_of(m->field, x + i, y + i);
		size_t length = i + 2 - from;

		if (i + 2 < n && pen_of(m->field, x + i + 1, y + i + 1) == pen)
			continue;
		if (pen != PEN_NONE) {
			struct ft__field_line *more = ft_arena_grow(m->arena, level->line, level->lines,
								    &m->capacity, sizeof *more);

			find_places(m, x + from, y + from, length);
			if (!more)
				return;
			level->line = more;
			more[level->lines++] = (struct ft__field_line){
				pen == PEN_DASHED, ft_arena_copy(m->arena, x + from, length, sizeof *x),
				ft_arena_copy(m->arena, y + from, length, sizeof *y), length};
			m->out->dashed |= pen == PEN_DASHED;
		}
		from = i + 1;
	}
}

static enum ft_status add_levels(struct making *m, struct ft_err *err)
{
	const struct ft__field_scale *values = &m->out->values;
	double low, high;

	m->out->level = ft_arena_take(m->arena, values->tics, sizeof *m->out->level);
	FT_TRY(ft_arena_check(m->arena, err));
	if (!find_range(m->field, &low, &high) || is_constant(low, high))
		return FT_OK;
	for (size_t i = 0; i < values->tics; i++) {
		struct ft__field_level *level = &m->out->level[m->out->levels];

		if (!*values->tic[i].label)
			continue;
		level->tic = &values->tic[i];
		m->longest = 0.08; /* a shorter one has no room for its label */
		m->places = m->capacity = 0;
		if (ft__contour_trace(m->out->z, m->field->rows, m->field->columns,
				      ft__axis_at(&values->axis, level->tic->at), add_line, m))
			return ft_nomem(err);
		place_label(m, level);
		m->out->levels++;
	}
	return ft_arena_check(m->arena, err);
}

/* The runs, each size once. */
static void add_points(struct making *m)
{
	const struct ft_heat_map *field = m->field;
	struct ft__field_picture *out = m->out;
	bool *mark = ft_arena_take(m->arena, (size_t)FT__MARKS * FT__MARKS, sizeof *mark);

	out->point = ft_arena_take(m->arena, field->points, sizeof *out->point);
	for (size_t i = 0; !m->arena->failed && i < field->points; i++) {
		const double at[2] = {field->at_x[i], field->at_y[i]};
		double x = place_on(&out->x.axis, field->x, field->columns, at[0]),
		       y = place_on(&out->y.axis, field->y, field->rows, at[1]);

		if (isfinite(x) && isfinite(y) && !ft__axis_hides(mark, &out->x.axis, &out->y.axis, at))
			out->point[out->points++] = (struct ft__field_point){x, y, {at[0], at[1]}};
	}
}

/* ---- boxes --------------------------------------------------------------------------------------------- */

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

/* Whether there is no size at one of the finer places. */
static bool is_cut(const struct ft_heat_map *field, size_t row, size_t column)
{
	return field->blank[row * ((field->columns - 1) * FT_FIELD_FINE + 1) + column];
}

/* Cells that are alike, as boxes: pieces of a row, and rows that have the same piece are one box. */
static void add_boxes(struct making *m, bool (*is)(const struct ft_heat_map *, size_t, size_t), size_t rows,
		      size_t columns, struct ft__field_box **box, size_t *n)
{
	const struct ft_heat_map *field = m->field;

	m->capacity = 0;
	for (size_t row = 0; row < rows; row++)
		for (size_t from = 0, to; from < columns; from = to + 1) {
			size_t top = row, k;

			to = from;
			while (to < columns && is(field, row, to))
				to++;
			if (to == from)
				continue;
			/* A box that began below has this piece already. */
			for (k = from; row > 0 && k < to && is(field, row - 1, k); k++)
				;
			if (row > 0 && k == to && (from == 0 || !is(field, row - 1, from - 1)) &&
			    (to == columns || !is(field, row - 1, to)))
				continue;
			for (bool same = true; same && top < rows; top += same) {
				for (k = from; k < to && is(field, top, k); k++)
					;
				same = k == to && (from == 0 || !is(field, top, from - 1)) &&
				       (to == columns || !is(field, top, to));
			}
			struct ft__field_box *more =
				ft_arena_grow(m->arena, *box, *n, &m->capacity, sizeof *more);
			if (!more)
				return;
			*box = more;
			more[(*n)++] =
				(struct ft__field_box){(double)from, (double)to, (double)row, (double)top};
		}
}

/* What has no size: a finer place is the middle of its box. */
static void add_cuts(struct making *m)
{
	struct ft__field_picture *out = m->out;

	if (!m->field->blank)
		return;
	add_boxes(m, is_cut, (m->field->rows - 1) * FT_FIELD_FINE + 1,
		  (m->field->columns - 1) * FT_FIELD_FINE + 1, &out->cut, &out->cuts);
	for (size_t i = 0; i < out->cuts; i++) {
		struct ft__field_box *box = &out->cut[i];

		*box = (struct ft__field_box){
			(box->left - 0.5) / FT_FIELD_FINE, (box->right - 0.5) / FT_FIELD_FINE,
			(box->low - 0.5) / FT_FIELD_FINE, (box->high - 0.5) / FT_FIELD_FINE};
	}
}

enum ft_status ft__field_picture_take(struct ft__field_picture *out, const struct ft_heat_map *field,
				      struct ft_arena *arena, struct ft_err *err)
{
	size_t n = field->rows * field->columns;
	FT_OWN struct making *m = ft_calloc(1, sizeof *m);

	*out = (struct ft__field_picture){.values.axis = ft__field_values(field)};
	if (!m)
		return ft_nomem(err);
	*m = (struct making){.field = field, .out = out, .arena = arena};
	out->x.axis = ft__axis_of(field->x[0], field->x[field->columns - 1], field->log_x, field->whole_x);
	out->y.axis = ft__axis_of(field->y[0], field->y[field->rows - 1], field->log_y, field->whole_y);
	out->z = ft_arena_take(arena, n, sizeof *out->z);
	out->share = ft_arena_take(arena, n, sizeof *out->share);
	FT_TRY(ft_arena_check(arena, err));
	const double ends[] = {out->values.axis.low, out->values.axis.high};
	for (size_t i = 0; i < n; i++) {
		out->z[i] = ft__axis_at(&out->values.axis, field->value[i]);
		out->share[i] = place_on(&out->values.axis, ends, 2, field->value[i]);
	}
	set_scale(m, &out->x, field->x, field->columns, X_TICS);
	set_scale(m, &out->y, field->y, field->rows, Y_TICS);
	set_scale(m, &out->values, ends, 2, out->values.axis.log ? LOG_LEVELS : LEVELS);
	FT_TRY(ft_arena_check(arena, err));
	FT_TRY(add_levels(m, err));
	add_points(m);
	add_boxes(m, is_hatched, field->rows - 1, field->columns - 1, &out->hatched, &out->hatches);
	add_cuts(m);
	return ft_arena_check(arena, err);
}
