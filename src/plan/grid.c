/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grid.c - rectangles in columns: a partition of widths, over partitions of heights. */
#include "base/alloc.h"
#include "plan/map.h"

#include <math.h>
#include <string.h>

/* Processors of one column of tiles; times of its widths that were asked for are kept. */
struct grid_column {
	const struct ft_plan_times *times; /* [n] */
	size_t n;
	int64_t rows;
	double *known;       /* [columns + 1] NaN: not yet */
	int64_t *units;      /* [n] */
	enum ft_status *bad; /* what went wrong in any column */
	uint64_t *evaluations;
};

/* Heights of rectangles of one width: multiples of it, of rows x width blocks. */
static double column_time(const void *context, int64_t width)
{
	const struct grid_column *c = context;
	struct ft_partition_options options = {.granularity = width};
	struct ft_partition out;

	if (width == 0)
		return 0;
	if (isnan(c->known[width])) {
		enum ft_status status = ft_plan_partition(c->times, c->n, c->rows * width, &options, c->units,
							  NULL, &out, NULL);

		*c->evaluations += out.plan.evaluations;
		*c->bad = *c->bad ? *c->bad : status;
		c->known[width] = status ? (double)INFINITY : out.plan.value;
	}
	return c->known[width];
}

struct grid_job {
	const struct ft_plan_times *times;
	size_t p, used; /* processors, those with an area */
	int64_t rows, columns;
	int64_t *area, *units;        /* [p] */
	struct ft_keyed *order;       /* [p] by area, the largest first */
	struct ft_plan_times *sorted; /* [p] */
	double *least;                /* [p + 1] sums of half-perimeters */
	size_t *from;                 /* [p + 1] the column that ends there begins */
	struct grid_column *column;   /* [p] */
	struct ft_plan_times *as;     /* [p] columns as processors of the widths */
	double *known;
	size_t n; /* columns of tiles */
	uint64_t evaluations;
	enum ft_status bad;
};

static enum ft_status check_grid(const struct ft_plan_times *t, size_t p, int64_t rows, int64_t columns,
				 struct ft_err *err)
{
	if (rows < 1 || columns < 1 || rows > FT_PLAN_UNITS / columns)
		return ft_fail(err, FT_EINVAL, "a grid of %lld x %lld blocks", (long long)rows,
			       (long long)columns);
	for (size_t i = 0; i < p; i++) {
		if (t[i].function || t[i].least > 0 || t[i].count > 1)
			return ft_fail(
				err, FT_EINVAL,
				"processor %zu: a grid takes knots, no least shares, one processor each", i);
		for (size_t k = 0; k + 1 < t[i].n; k++)
			if (t[i].time_s[k + 1] < t[i].time_s[k])
				return ft_fail(err, FT_EINVAL, "processor %zu: its times fall after knot %zu",
					       i, k);
	}
	return FT_OK;
}

static enum ft_status make_job(struct grid_job *g, struct ft_err *err)
{
	size_t p = g->p;

	g->area = ft_calloc(2 * p + 1, sizeof *g->area);
	g->order = ft_calloc(p + 1, sizeof *g->order);
	g->sorted = ft_calloc(2 * p + 1, sizeof *g->sorted);
	g->least = ft_calloc(p + 1, sizeof *g->least);
	g->from = ft_calloc(p + 1, sizeof *g->from);
	g->column = ft_calloc(p + 1, sizeof *g->column);
	if (!g->area || !g->order || !g->sorted || !g->least || !g->from || !g->column)
		return ft_nomem(err);
	g->units = g->area + p;
	g->as = g->sorted + p;
	return FT_OK;
}

static void clear_job(struct grid_job *g)
{
	ft_free(g->area);
	ft_free(g->order);
	ft_free(g->sorted);
	ft_free(g->least);
	ft_free(g->from);
	ft_free(g->column);
	ft_free(g->known);
}

static void sort_areas(struct grid_job *g)
{
	for (size_t i = 0; i < g->p; i++)
		g->order[i] = (struct ft_keyed){-(double)g->area[i], i};
	ft_keyed_sort(g->order, g->p);
	for (size_t i = 0; i < g->p; i++) {
		g->sorted[i] = g->times[g->order[i].of];
		g->used += g->area[g->order[i].of] > 0;
	}
}

/* Areas in their order, cut into columns: a column of k tiles of width w adds k w + 1, sides in parts of the
 * whole. */
static void choose_columns(struct grid_job *g)
{
	double all = (double)g->rows * (double)g->columns;

	for (size_t j = 1; j <= g->used; j++) {
		double width = 0;

		g->least[j] = INFINITY;
		for (size_t i = j; i-- > 0;) {
			width += (double)g->area[g->order[i].of] / all;
			double sum = g->least[i] + (double)(j - i) * width + 1;
			if (sum < g->least[j]) {
				g->least[j] = sum;
				g->from[j] = i;
			}
		}
	}
}

static enum ft_status make_columns(struct grid_job *g, struct ft_err *err)
{
	size_t j, wide = (size_t)g->columns + 1, i;

	for (j = g->used; j > 0; j = g->from[j])
		g->n++;
	g->known = ft_malloc(g->n * wide * sizeof *g->known);
	if (!g->known)
		return ft_nomem(err);
	for (i = 0; i < g->n * wide; i++)
		g->known[i] = NAN;
	for (j = g->used, i = g->n; j > 0; j = g->from[j]) {
		i--;
		g->column[i] = (struct grid_column){.times = g->sorted + g->from[j],
						    .n = j - g->from[j],
						    .rows = g->rows,
						    .known = g->known + i * wide,
						    .units = g->units + g->from[j],
						    .bad = &g->bad,
						    .evaluations = &g->evaluations};
		g->as[i] = (struct ft_plan_times){.function = column_time, .context = &g->column[i]};
	}
	return FT_OK;
}

/* Widths to tiles: the heights once more, from the top. */
static void place_tiles(struct grid_job *g, const int64_t *width, struct ft_plan_tile *tile,
			struct ft_grid *out)
{
	int64_t left = 0;
	size_t q = 0;

	memset(tile, 0, g->p * sizeof *tile);
	for (size_t i = 0; i < g->n; i++) {
		int64_t top = 0;

		g->column[i].known[width[i]] = NAN;
		(void)column_time(&g->column[i], width[i]);
		for (size_t j = 0; j < g->column[i].n; j++, q++) {
			int64_t height = width[i] > 0 ? g->units[q] / width[i] : 0;

			if (height == 0)
				continue;
			tile[g->order[q].of] = (struct ft_plan_tile){left, top, width[i], height};
			out->half_perimeters += (double)(width[i] + height);
			top += height;
		}
		left += width[i];
	}
	out->columns = g->n;
}

static enum ft_status divide_grid(struct grid_job *g, struct ft_plan_tile *tile, struct ft_grid *out,
				  struct ft_err *err)
{
	struct ft_partition areas, widths;

	FT_TRY(ft_plan_partition(g->times, g->p, g->rows * g->columns, NULL, g->area, NULL, &areas, err));
	out->plan = areas.plan;
	if (isinf(areas.plan.value))
		return FT_OK;
	sort_areas(g);
	choose_columns(g);
	enum ft_status status = make_columns(g, err);
	int64_t *width = status ? NULL : ft_calloc(g->n, sizeof *width);
	if (!width)
		return status ? status : ft_nomem(err);
	status = ft_plan_partition(g->as, g->n, g->columns, NULL, width, NULL, &widths, err);
	status = g->bad ? ft_nomem(err) : status;
	out->plan.value = widths.plan.value;
	if (!status && isfinite(widths.plan.value))
		place_tiles(g, width, tile, out);
	out->plan.exact = out->plan.value == out->plan.bound;
	out->plan.evaluations = areas.plan.evaluations + widths.plan.evaluations + g->evaluations;
	ft_free(width);
	return status;
}

enum ft_status ft_plan_grid(const struct ft_plan_times *times, size_t p, int64_t rows, int64_t columns,
			    struct ft_plan_tile *tile, struct ft_grid *out, struct ft_err *err)
{
	struct grid_job g = {.times = times, .p = p, .rows = rows, .columns = columns};
	enum ft_status status = check_grid(times, p, rows, columns, err);

	*out = (struct ft_grid){.plan = {.value = INFINITY}};
	if (status)
		return status;
	memset(tile, 0, p * sizeof *tile);
	status = make_job(&g, err);
	if (!status)
		status = divide_grid(&g, tile, out, err);
	clear_job(&g);
	return status;
}
