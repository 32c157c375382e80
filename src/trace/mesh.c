/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mesh.c - where a fit may want its nodes: fine where the curve bends, coarse where it is straight. */
#include "base/arena.h"
#include "trace/chain.h"
#include "trace/sketch.h"

#include <math.h>
#include <stdlib.h>

/* A cell between two points of the trace. */
struct mesh_cell {
	size_t begin, end; /* points */
	double r;          /* what the best line leaves */
};

/* The points: of the curve, or of its sketch. */
static size_t count_points(const struct ft_pwl *f)
{
	return f->sketch ? f->sketch->n : f->n;
}

static double time_of(const struct ft_pwl *f, size_t point)
{
	return f->sketch ? f->sketch->x[point] : f->t[point] - f->t0;
}

static struct mesh_cell cell_of(const struct ft_pwl *f, size_t begin, size_t end)
{
	double r = end - begin > 1 ? ft__pwl_span(f, time_of(f, begin), time_of(f, end)).r : 0;

	return (struct mesh_cell){begin, end, r};
}

/* A heap whose first cell is the worst. */
static void sink_cell(struct mesh_cell *heap, size_t n, size_t i)
{
	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= n)
			return;
		if (child + 1 < n && heap[child + 1].r > heap[child].r)
			child++;
		if (heap[i].r >= heap[child].r)
			return;
		struct mesh_cell swap = heap[i];
		heap[i] = heap[child];
		heap[child] = swap;
		i = child;
	}
}

static void rise_cell(struct mesh_cell *heap, size_t i)
{
	while (i && heap[i].r > heap[(i - 1) / 2].r) {
		struct mesh_cell swap = heap[i];

		heap[i] = heap[(i - 1) / 2];
		heap[(i - 1) / 2] = swap;
		i = (i - 1) / 2;
	}
}

/* The point nearest to the middle of a cell's time, between its ends. */
static size_t middle_of(const struct ft_pwl *f, const struct mesh_cell *cell)
{
	double x = time_of(f, cell->begin) / 2 + time_of(f, cell->end) / 2;
	size_t i = f->sketch ? ft__sketch_find(f->sketch, x) : ft__pwl_find(f, x);

	if (x - time_of(f, i) > time_of(f, i + 1) - x)
		i++;
	if (i <= cell->begin)
		i = cell->begin + 1;
	return i >= cell->end ? cell->end - 1 : i;
}

static int compare_cells(const void *a, const void *b)
{
	size_t x = ((const struct mesh_cell *)a)->begin, y = ((const struct mesh_cell *)b)->begin;

	return (x > y) - (x < y);
}

enum ft_status ft__mesh(const struct ft_pwl *f, size_t most, double *x, size_t *n, struct ft_err *err)
{
	FT_OWN struct mesh_cell *heap = ft_malloc((most + 1) * sizeof *heap);
	size_t cells = 1;

	if (!heap)
		return ft_nomem(err);
	heap[0] = cell_of(f, 0, count_points(f) - 1);
	while (cells < most && heap[0].r > 0) {
		struct mesh_cell worst = heap[0];
		size_t at = middle_of(f, &worst);

		heap[0] = cell_of(f, worst.begin, at);
		sink_cell(heap, cells, 0);
		heap[cells] = cell_of(f, at, worst.end);
		rise_cell(heap, cells++);
	}
	qsort(heap, cells, sizeof *heap, compare_cells);
	for (size_t i = 0; i < cells; i++)
		x[i] = time_of(f, heap[i].begin);
	x[cells] = f->length;
	*n = cells + 1;
	return FT_OK;
}
