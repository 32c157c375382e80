/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grid.c - rectangles in columns: a partition of widths, over partitions of heights. */

#include "plan/plan.h"

#include <math.h>
#include <string.h>

/* Processors of one column of tiles; times of its widths are cached once computed. */
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
	size_t n;                     /* columns of tiles */
	struct ft_arena *arena;
	uint64_t evaluations;
	enum ft_status bad;
};

static enum ft_status make_columns(struct grid_job *g, struct ft_err *err)
{
	double *known;
	size_t j, wide = (size_t)g->columns + 1, i;

	for (j = g->used; j > 0; j = g->from[j])
		g->n++;
	known = ft_arena_take(g->arena, g->n * wide, sizeof *known);
	FT_TRY(ft_arena_check(g->arena, err));
	for (i = 0; i < g->n * wide; i++)
		known[i] = NAN;
	for (j = g->used, i = g->n; j > 0; j = g->from[j]) {
		i--;
		g->column[i] = (struct grid_column){.times = g->sorted + g->from[j],
						    .n = j - g->from[j],
						    .rows = g->rows,
						    .known = known + i * wide,
						    .units = g->units + g->from[j],
						    .bad = &g->bad,
						    .evaluations = &g->evaluations};
		g->as[i] = (struct ft_plan_times){.function = column_time, .context = &g->column[i]};
	}
	return FT_OK;
}

static enum ft_status divide_grid(struct grid_job *g, struct ft_plan_tile *tile, struct ft_grid *out,
				  struct ft_err *err)
{
	struct ft_partition areas, widths;

	FT_TRY(ft_plan_partition(g->times, g->p, g->rows * g->columns, NULL, g->area, NULL, &areas, err));
	out->plan = areas.plan;
	if (isinf(areas.plan.value))
		return FT_OK;
	for (size_t i = 0; i < g->p; i++)
		g->order[i] = (struct ft_keyed){-(double)g->area[i], i};
	ft_keyed_sort(g->order, g->p);
	for (size_t i = 0; i < g->p; i++) {
		g->sorted[i] = g->times[g->order[i].of];
		g->used += g->area[g->order[i].of] > 0;
	}
	/* Areas in their order, cut into columns: a column of k tiles of width w adds k w + 1, sides in parts of the
	 * whole. */
	double all = (double)g->rows * (double)g->columns;

	for (size_t j = 1; j <= g->used; j++) {
		double wide = 0;

		g->least[j] = INFINITY;
		for (size_t i = j; i-- > 0;) {
			wide += (double)g->area[g->order[i].of] / all;
			double sum = g->least[i] + (double)(j - i) * wide + 1;
			if (sum < g->least[j]) {
				g->least[j] = sum;
				g->from[j] = i;
			}
		}
	}
	FT_TRY(make_columns(g, err));
	int64_t *width = ft_arena_take(g->arena, g->n, sizeof *width);
	FT_TRY(ft_arena_check(g->arena, err));
	FT_TRY(ft_plan_partition(g->as, g->n, g->columns, NULL, width, NULL, &widths, err));
	if (g->bad)
		return ft_nomem(err);
	out->plan.value = widths.plan.value;
	if (isfinite(widths.plan.value)) {
		/* Widths to tiles: the heights once more, from the top. */
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
	out->plan.exact = out->plan.value == out->plan.bound;
	out->plan.evaluations = areas.plan.evaluations + widths.plan.evaluations + g->evaluations;
	return FT_OK;
}

enum ft_status ft_plan_grid(const struct ft_plan_times *times, size_t p, int64_t rows, int64_t columns,
			    struct ft_plan_tile *tile, struct ft_grid *out, struct ft_err *err)
{
	*out = (struct ft_grid){.plan = {.value = INFINITY}};
	if (rows < 1 || columns < 1 || rows > FT_PLAN_UNITS / columns)
		return ft_fail(err, FT_EINVAL, "a grid of %lld x %lld blocks", (long long)rows,
			       (long long)columns);
	for (size_t i = 0; i < p; i++) {
		if (times[i].function || times[i].least > 0 || times[i].count > 1)
			return ft_fail(
				err, FT_EINVAL,
				"processor %zu: a grid takes knots, no least shares, one processor each", i);
		for (size_t k = 0; k + 1 < times[i].n; k++)
			if (times[i].time_s[k + 1] < times[i].time_s[k])
				return ft_fail(err, FT_EINVAL, "processor %zu: its times fall after knot %zu",
					       i, k);
	}
	memset(tile, 0, p * sizeof *tile);
	FT_ARENA(work);
	struct grid_job g = {.times = times,
			     .p = p,
			     .rows = rows,
			     .columns = columns,
			     .area = ft_arena_take(&work, p, sizeof *g.area),
			     .units = ft_arena_take(&work, p, sizeof *g.units),
			     .order = ft_arena_take(&work, p, sizeof *g.order),
			     .sorted = ft_arena_take(&work, p, sizeof *g.sorted),
			     .least = ft_arena_take(&work, p + 1, sizeof *g.least),
			     .from = ft_arena_take(&work, p + 1, sizeof *g.from),
			     .column = ft_arena_take(&work, p, sizeof *g.column),
			     .as = ft_arena_take(&work, p, sizeof *g.as),
			     .arena = &work};
	FT_TRY(ft_arena_check(&work, err));
	return divide_grid(&g, tile, out, err);
}
