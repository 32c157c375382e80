/* SPDX-License-Identifier: GPL-3.0-or-later */
/* points.c - what a builder knows at each size: whether it wants it, what it was told, the cut. */
#include "build/points.h"
#include "base/alloc.h"
#include "build/shape.h"
#include "foretime/model.h"
#include "num/order.h"
#include "num/stats.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* A run that others leave nothing has still some speed. */
static const double LOAD_MOST = 1 - 1e-9;

bool ft__points_reserve(struct ft__points *points, size_t capacity)
{
	if (capacity <= points->capacity)
		return true;
	capacity = capacity < 2 * points->capacity ? 2 * points->capacity : capacity;
	struct ft__point *grown = ft_realloc(points->point, capacity * sizeof *grown);
	if (!grown)
		return false;
	points->point = grown;
	points->capacity = capacity;
	return true;
}

void ft__points_clear(struct ft__points *points)
{
	if (!points)
		return;
	ft_free(points->point);
	*points = (struct ft__points){0};
}

static int compare_index(const void *index, const void *point)
{
	const size_t *p = index, q = ((const struct ft__point *)point)->index;

	return (*p > q) - (*p < q);
}

/* Where index stands, or would stand. */
static size_t first_from(const struct ft__points *points, size_t index)
{
	return ft_search(&index, points->point, points->n, sizeof *points->point, compare_index);
}

const struct ft__point *ft__points_find(const struct ft__points *points, size_t index)
{
	size_t at = first_from(points, index);

	return at < points->n && points->point[at].index == index ? &points->point[at] : NULL;
}

bool ft__points_told(const struct ft__points *points, size_t index)
{
	const struct ft__point *point = ft__points_find(points, index);

	return point && point->told;
}

bool ft__points_good(const struct ft__points *points, size_t index)
{
	const struct ft__point *point = ft__points_find(points, index);

	return point && point->good;
}

static struct ft__point *add_point(struct ft__points *points, size_t index)
{
	size_t at = first_from(points, index);
	struct ft__point *point = points->point + at;

	if (at < points->n && point->index == index)
		return point;
	assert(points->n < points->capacity);
	memmove(point + 1, point, (points->n - at) * sizeof *point);
	points->n++;
	*point = (struct ft__point){.index = index};
	return point;
}

void ft__points_want(struct ft__points *points, size_t index)
{
	struct ft__point *point = add_point(points, index);

	points->wanted += !point->wanted;
	point->wanted = true;
}

static double work_of(const struct ft__points *points, const struct ft__point *point)
{
	return points->silent ? 1 : point->work;
}

/* The fastest speed of all sizes. */
static double points_top(const struct ft__points *points)
{
	double top = 0;

	for (size_t i = 0; i < points->n; i++)
		if (points->point[i].wanted && points->point[i].good)
			top = fmax(top, work_of(points, &points->point[i]) * points->point[i].mean);
	return top;
}

void ft__points_cut(const struct ft__points *points, const struct ft_build_options *options, size_t index,
		    double cut[2])
{
	const struct ft__point *point = ft__points_find(points, index);

	cut[0] = cut[1] = 0;
	if (!point || !point->good)
		return;
	double work = work_of(points, point);
	double half = options->of_top ? options->tolerance * points_top(points) : 0;
	cut[0] = fmax(0, fmin(work * point->rate[0], work * point->mean - half));
	cut[1] = fmax(work * point->rate[1], work * point->mean + half);
}

/* By the power law through the two largest sizes that were measured; 0 while the speed has not fallen. */
static double speed_beyond(const struct ft__points *points, const struct ft__grid *grid,
			   const struct ft_build_options *options)
{
	double ln_x[2] = {NAN, NAN}, speed[2] = {0}, cut[2] = {0},
	       end = ft__grid_value(grid, grid->count - 1) + ft__grid_shift(grid);

	for (size_t i = 0; i < points->n && points->point[i].index + 1 < grid->count; i++) {
		const struct ft__point *point = &points->point[i];

		if (!point->wanted || !point->good)
			continue;
		ft__points_cut(points, options, point->index, cut);
		ln_x[0] = ln_x[1];
		speed[0] = speed[1];
		ln_x[1] = log(ft__grid_value(grid, point->index) + ft__grid_shift(grid));
		speed[1] = (cut[0] + cut[1]) / 2;
	}
	if (isnan(ln_x[0]) || cut[1] >= points_top(points))
		return 0;
	return speed[1] * exp((log(end) - ln_x[1]) * fmin(0, log(speed[1] / speed[0]) / (ln_x[1] - ln_x[0])));
}

void ft__points_beyond(const struct ft__points *points, const struct ft__grid *grid,
		       const struct ft_build_options *options, double cut[2])
{
	double half = options->tolerance * points_top(points), speed;

	cut[0] = cut[1] = 0;
	if (!options->of_top)
		return;
	speed = speed_beyond(points, grid, options);
	cut[0] = fmax(0, speed - half);
	cut[1] = speed + half;
}

/* The rates at a size, of the runs and the load. */
static void set_rates(struct ft__point *point, const struct ft__line_options *options, double x,
		      const struct ft_build_told *told)
{
	double load[2] = {0, 0};

	if (options->load)
		options->load(options->ctx, x, ft_stats_mean(told->seconds, told->n), load);
	load[1] = fmin(load[1], LOAD_MOST);
	load[0] = fmin(load[0], load[1]);
	point->n = told->n;
	point->mean = 1 / ft_stats_mean(told->seconds, told->n);
	point->spread = sqrt(ft_stats_variance(told->seconds, told->n)) * point->mean;
	ft_model_cut(told->seconds, told->n, 1, load, options->user.confidence,
		     options->user.of_top ? 0 : options->user.tolerance, point->rate);
	point->work = told->work > 0 && isfinite(told->work) ? told->work : 0;
	if (options->work)
		point->work = options->work(options->ctx, x);
}

void ft__points_tell(struct ft__points *points, const struct ft__grid *grid,
		     const struct ft__line_options *options, double x, const struct ft_build_told *told)
{
	size_t index = ft__grid_find(grid, x);

	if (index == FT__NONE)
		return;
	struct ft__point *point = add_point(points, index);
	points->told += !point->told;
	points->silent -= point->good && !(point->work > 0);
	*point = (struct ft__point){
		.index = index, .wanted = point->wanted, .told = true, .good = told->n > 0};
	if (point->good)
		set_rates(point, options, x, told);
	points->silent += point->good && !(point->work > 0);
}

enum ft_status ft__points_shape(const struct ft__points *points, const struct ft__grid *grid,
				const struct ft_build_options *options, struct ft_build_shape *out,
				struct ft_err *err)
{
	struct ft__cut *cut = ft_calloc(points->n + 1, sizeof *cut);
	size_t n = 0;

	if (!cut)
		return ft_nomem(err);
	for (size_t i = 0; i < points->n; i++) {
		const struct ft__point *point = &points->point[i];
		double speed = work_of(points, point) * point->mean;

		if (!point->wanted || !point->good)
			continue;
		cut[n] = (struct ft__cut){.x = ft__grid_value(grid, point->index),
					  .mean = speed,
					  .n = point->n,
					  .spread = speed * point->spread};
		ft__points_cut(points, options, point->index, cut[n++].speed);
	}
	ft__shape_check(cut, n, options->tolerance, out);
	ft_free(cut);
	return FT_OK;
}
