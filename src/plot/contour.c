/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contour.c - lines of equal value over a grid, by marching squares.
 *
 * Edges are numbered: the one to the right of a node has the node's number, the one above it that number and
 * all nodes more. A cell has the number of its lower left node.
 */
#include "plot/contour.h"
#include "base/alloc.h"

#include <math.h>
#include <stdbool.h>

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
