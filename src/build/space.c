/* SPDX-License-Identifier: GPL-3.0-or-later */
/* space.c - the admissible sizes of a builder, and what it stores for each of them */
#include "base/alloc.h"
#include "build/build.h"
#include "facts/door.h"
#include "foretime/build.h"
#include "foretime/model.h"
#include "num/num.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The rounding error of a multiple, in strides; and the most sizes that doubles can represent separately. */
#define SLACK      1e-6
#define COUNT_MOST 0x1p50

static enum ft_status check_range(const struct ft_space *space, struct ft_err *err)
{
	if (!isfinite(space->least) || !isfinite(space->most))
		return ft_fail(err, FT_EINVAL, "the range %g:%g is not between two numbers", space->least,
			       space->most);
	if (space->most < space->least) {
		(void)ft_fail(err, FT_EINVAL, "the range %.12g:%.12g is reversed", space->least, space->most);
		return ft_remedy(err, "write the smaller size first: %.12g:%.12g", space->most, space->least);
	}
	if (space->most == space->least) {
		(void)ft_fail(err, FT_EINVAL, "the range %.12g:%.12g holds a single size", space->least,
			      space->most);
		return ft_remedy(err, "give a range of two or more sizes");
	}
	return FT_OK;
}

static enum ft_status init_stride(struct ft__grid *grid, const struct ft_space *space, struct ft_err *err)
{
	if (!isfinite(space->stride) || space->stride <= 0) {
		(void)ft_fail(err, FT_EINVAL, "the stride %g is not a positive number", space->stride);
		return ft_remedy(err, "give a stride over 0");
	}
	double strides = (space->most - space->least) / space->stride;
	if (!(strides < COUNT_MOST)) {
		(void)ft_fail(err, FT_EINVAL, "the stride %g is too small for the range %.12g:%.12g",
			      space->stride, space->least, space->most);
		return ft_remedy(err, "give a larger stride");
	}
	double whole = floor(strides + SLACK);
	grid->count = (size_t)whole + 1 + (strides - whole > SLACK);
	return FT_OK;
}

/* `most` becomes the last value of the progression. */
static enum ft_status init_factor(struct ft__grid *grid, const struct ft_space *space, struct ft_err *err)
{
	if (!(space->factor > 1 && isfinite(space->factor) && space->least > 0)) {
		(void)ft_fail(err, FT_EINVAL,
			      "the range %.12g:%.12g by the factor %g is no growing progression",
			      space->least, space->most, space->factor);
		return ft_remedy(err, "begin it above 0, and give a factor over 1");
	}
	double count = ft_space_count(space);
	if (count < 2 || !(count < COUNT_MOST)) {
		(void)ft_fail(err, FT_EINVAL, "the range %.12g:%.12g by the factor %g has %s", space->least,
			      space->most, space->factor, count < 2 ? "a single size" : "too many sizes");
		return ft_remedy(err, "give a %s factor", count < 2 ? "smaller" : "larger");
	}
	grid->count = (size_t)count;
	grid->space.most = ft_space_value(space, count - 1);
	return FT_OK;
}

enum ft_status ft__grid_init(struct ft__grid *grid, const struct ft_space *space, struct ft_err *err)
{
	enum ft_status status = check_range(space, err);

	*grid = (struct ft__grid){.space = *space};
	if (status)
		return status;
	if (space->sizes) {
		size_t first = 0, end = space->n_sizes;

		for (size_t i = 0; i < space->n_sizes; i++) {
			if (!isfinite(space->sizes[i]))
				return ft_fail(err, FT_EINVAL, "size %zu of the list is not a number", i + 1);
			if (i && space->sizes[i] <= space->sizes[i - 1])
				return ft_fail(err, FT_EINVAL,
					       "the list of sizes does not ascend: %.12g follows %.12g",
					       space->sizes[i], space->sizes[i - 1]);
		}
		while (first < end && space->sizes[first] < space->least)
			first++;
		while (end > first && space->sizes[end - 1] > space->most)
			end--;
		if (end - first < 2) {
			(void)ft_fail(err, FT_EINVAL,
				      "the range %.12g:%.12g has %zu of the listed sizes, and two are needed",
				      space->least, space->most, (end - first));
			return ft_remedy(err, "widen the range or list more sizes");
		}
		grid->space.sizes = space->sizes + first;
		grid->space.n_sizes = grid->count = end - first;
		grid->space.least = space->sizes[first];
		grid->space.most = space->sizes[end - 1];
		return FT_OK;
	}
	return space->factor > 0 ? init_factor(grid, space, err) : init_stride(grid, space, err);
}

double ft__grid_shift(const struct ft__grid *grid)
{
	return grid->space.least > 0 ? 0 : 1 - grid->space.least;
}

double ft__grid_value(const struct ft__grid *grid, size_t index)
{
	const struct ft_space *space = &grid->space;

	assert(index < grid->count);
	if (space->sizes)
		return space->sizes[index];
	if (space->factor > 0)
		return ft_space_value(space, (double)index);
	return index + 1 == grid->count ? space->most : space->least + (double)index * space->stride;
}

/* The last size at or below x, which lies inside the range. */
static size_t index_below(const struct ft__grid *grid, double x)
{
	const struct ft_space *space = &grid->space;
	size_t high = grid->count - 1;

	if (space->sizes || space->factor > 0)
		return (size_t)ft_space_floor(space, x);
	double i = floor((x - space->least) / space->stride);
	size_t low = i < (double)high ? (size_t)i : high - 1;
	/* The quotient may be off by one unit in the last place. */
	while (low && ft__grid_value(grid, low) > x)
		low--;
	while (low < high && ft__grid_value(grid, low + 1) <= x)
		low++;
	return low;
}

size_t ft__grid_snap(const struct ft__grid *grid, double x)
{
	if (!(x > grid->space.least))
		return 0;
	if (x >= grid->space.most)
		return grid->count - 1;
	size_t low = index_below(grid, x);
	return ft__grid_value(grid, low + 1) - x < x - ft__grid_value(grid, low) ? low + 1 : low;
}

size_t ft__grid_find(const struct ft__grid *grid, double x)
{
	size_t index = ft__grid_snap(grid, x);
	bool steps = !grid->space.sizes && !(grid->space.factor > 0);
	double slack = steps ? SLACK * grid->space.stride : 1e-12 * fabs(x);

	return fabs(ft__grid_value(grid, index) - x) <= slack ? index : FT__NONE;
}

size_t ft__grid_middle(const struct ft__grid *grid, size_t left, size_t right)
{
	if (right - left < 2)
		return FT__NONE;
	size_t middle = ft__grid_snap(grid, ft__grid_value(grid, left) / 2 + ft__grid_value(grid, right) / 2);
	if (middle <= left)
		return left + 1;
	return middle >= right ? right - 1 : middle;
}

struct ft__multiples ft__multiples_of(const struct ft__grid *grid, size_t index)
{
	const struct ft_space *space = &grid->space;
	double a = ft__grid_value(grid, index);
	double stride = space->sizes ? space->sizes[1] - space->sizes[0] : space->stride;

	/* A progression is positive. */
	return (struct ft__multiples){.origin = a, .unit = a > 0 ? a : stride, .k = 1};
}

/* The index of the k-th multiple; FT__NONE outside the range, with a tolerance for rounding. */
static size_t snap_multiple(const struct ft__multiples *multiples, const struct ft__grid *grid)
{
	double x = multiples->origin + (multiples->k - 1) * multiples->unit;

	return x > grid->space.most + 1e-9 * multiples->unit ? FT__NONE : ft__grid_snap(grid, x);
}

size_t ft__multiples_next(struct ft__multiples *multiples, const struct ft__grid *grid, size_t from,
			  size_t top)
{
	size_t index;

	if (from >= top)
		return FT__NONE;
	double halfway = ft__grid_value(grid, from) / 2 + ft__grid_value(grid, from + 1) / 2;
	multiples->k = fmax(multiples->k, floor((halfway - multiples->origin) / multiples->unit));
	do {
		/* Counts by more than one where doubles have no odd numbers any more. */
		multiples->k = fmax(multiples->k + 1, nextafter(multiples->k, INFINITY));
		index = snap_multiple(multiples, grid);
	} while (index <= from);
	return index <= top ? index : FT__NONE;
}

size_t ft__multiples_double(struct ft__multiples *multiples, const struct ft__grid *grid, size_t from,
			    size_t top)
{
	size_t index;

	if (from >= top)
		return FT__NONE;
	do {
		multiples->k *= 2;
		index = snap_multiple(multiples, grid);
	} while (index <= from);
	return index <= top ? index : FT__NONE;
}

/*
 * What a builder stores for each size: whether it needs it, its results, the cut.
 */

/* Even under full background load a run has some speed. */
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

/* Where index stands, or would be inserted. */
static size_t first_from(const struct ft__points *points, size_t index)
{
	return ft_search(&index, points->point, points->n, sizeof *points->point, compare_index);
}

const struct ft__point *ft__points_find(const struct ft__points *points, size_t index)
{
	size_t at = first_from(points, index);

	return at < points->n && points->point[at].index == index ? &points->point[at] : NULL;
}

bool ft__points_measured(const struct ft__points *points, size_t index)
{
	const struct ft__point *point = ft__points_find(points, index);

	return point && point->measured;
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

void ft__points_tell(struct ft__points *points, const struct ft__grid *grid,
		     const struct ft__line_options *options, double x, const struct ft_build_result *result)
{
	size_t index = ft__grid_find(grid, x);

	if (index == FT__NONE)
		return;
	struct ft__point *point = add_point(points, index);
	points->measured += !point->measured;
	points->silent -= point->good && !(point->work > 0);
	*point = (struct ft__point){
		.index = index, .wanted = point->wanted, .measured = true, .good = result->n > 0};
	if (point->good) {
		/* The rates at a size, of the runs and the load. */
		double load[2] = {0, 0};

		if (options->load)
			options->load(options->ctx, x, ft_stats_mean(result->seconds, result->n), load);
		load[1] = fmin(load[1], LOAD_MOST);
		load[0] = fmin(load[0], load[1]);
		point->n = result->n;
		point->mean = 1 / ft_stats_mean(result->seconds, result->n);
		point->spread = sqrt(ft_stats_variance(result->seconds, result->n)) * point->mean;
		ft_model_cut(result->seconds, result->n, 1, load, options->user.confidence,
			     options->user.of_top ? 0 : options->user.tolerance, point->rate);
		point->work = result->work > 0 && isfinite(result->work) ? result->work : 0;
		if (options->work)
			point->work = options->work(options->ctx, x);
	}
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

/*
 * Check whether measured speeds have the shape that GBBP assumes (000 section 2.3).
 *
 * Cuts are compared, not points: an overlap contradicts nothing. Two runs at a size say little about noise,
 * all sizes together much: a cut is at least as wide as that noise makes likely, at a confidence at which 1
 * % of builds have a cut somewhere that misses its speed.
 */

static const double missed = 0.01; /* builds with a cut that misses */

/* A continuous speed does not halve between sizes that are the same within the tolerance. */
static const double jump_factor = 2;

/* Sizes with one run that contribute to the noise of all. */
enum { SINGLE_MOST = 256 };

/* The most sizes, evenly taken, that straight lines are drawn through. */
enum { BENDS_MOST = 128 };

/* The least number of sizes whose noise decides whether it grows; by which factor, and with which
 * confidence (a normal quantile: 1 in 200). */
enum { SPREADS_LEAST = 8 };
static const double wider_factor = 2, wider_sure = 2.58;

/* The standard deviation of single runs as a share, pooled over sizes; *dof of it. */
static double pooled_share(const struct ft__cut *cut, size_t n, double *dof)
{
	double sum = 0;

	*dof = 0;
	for (size_t i = 0; i < n; i++) {
		double share = cut[i].spread / cut[i].mean;

		if (cut[i].n < 2)
			continue;
		sum += (double)(cut[i].n - 1) * share * share;
		*dof += (double)(cut[i].n - 1);
	}
	return *dof > 0 ? sqrt(sum / *dof) : 0;
}

/* The same if no size was run twice: the median distance of sizes from the line between their neighbours.
 * Such a distance has 1.5 times the variance of a run. */
static double off_neighbours(const struct ft__cut *cut, size_t n, double *dof)
{
	static const double sds =
		1.4826; /* standard deviations of a normal distribution per median distance */
	double off[SINGLE_MOST], share;
	size_t m = n < SINGLE_MOST + 2 ? n : SINGLE_MOST + 2;

	*dof = 0;
	if (n <= 3)
		return 0;
	*dof = (double)m - 2;
	for (size_t i = 1; i + 1 < m; i++) {
		share = (cut[i].x - cut[i - 1].x) / (cut[i + 1].x - cut[i - 1].x);
		off[i - 1] = fabs(
			cut[i].mean / (cut[i - 1].mean + share * (cut[i + 1].mean - cut[i - 1].mean)) - 1);
	}
	return sds * ft_stats_median(off, m - 2) / sqrt(1.5);
}

static void widen_cuts(struct ft__cut *cut, size_t n)
{
	double dof, share = pooled_share(cut, n, &dof), t;

	if (!(dof > 0))
		share = off_neighbours(cut, n, &dof);
	if (!(dof > 0))
		return;
	t = ft_student_t(1 - missed / (double)n, dof);
	for (size_t i = 0; i < n; i++) {
		double at = cut[i].mean, half = t * share / sqrt((double)cut[i].n) * at;

		cut[i].speed[0] = fmin(cut[i].speed[0], fmax(0, at - half));
		cut[i].speed[1] = fmax(cut[i].speed[1], at + half);
	}
}

/* (a) */
static void find_jump(const struct ft__cut *cut, size_t n, double tolerance, struct ft_build_shape *out)
{
	for (size_t i = 1; i < n; i++) {
		const struct ft__cut *a = &cut[i - 1], *b = &cut[i];

		if (b->x - a->x > tolerance * fabs(a->x))
			continue;
		if (jump_factor * a->speed[1] < b->speed[0] || jump_factor * b->speed[1] < a->speed[0]) {
			out->jumps = true;
			out->jump[0] = a->x;
			out->jump[1] = b->x;
			return;
		}
	}
}

/* On which side of the line from one cut to another a third one lies: 1 above, -1 below, 0 perhaps on it. */
static int side_of(const struct ft__cut *from, const struct ft__cut *to, const struct ft__cut *at)
{
	double share = (at->x - from->x) / (to->x - from->x);

	if (at->speed[0] > from->speed[1] + share * (to->speed[1] - from->speed[1]))
		return 1;
	return at->speed[1] < from->speed[0] + share * (to->speed[0] - from->speed[0]) ? -1 : 0;
}

/* Whether the line from one cut to another is crossed twice between them: three sizes on alternate sides. */
static bool cross_line(const struct ft__cut *const *cut, size_t from, size_t to, double bend[3])
{
	size_t n = 0;
	int last = 0;

	for (size_t i = from + 1; i < to && n < 3; i++) {
		int here = side_of(cut[from], cut[to], cut[i]);

		if (!here || here == last)
			continue;
		last = here;
		bend[n++] = cut[i]->x;
	}
	return n == 3;
}

/* (c), from the fastest size on: what lies before it is climbed, not divided. */
static void find_bend(const struct ft__cut *cut, size_t n, struct ft_build_shape *out)
{
	const struct ft__cut *some[BENDS_MOST];
	size_t fastest = 0;
	double found[3];

	for (size_t i = 1; i < n; i++)
		if (cut[i].speed[0] > cut[fastest].speed[0])
			fastest = i;
	n -= fastest;
	size_t m = n < BENDS_MOST ? n : BENDS_MOST;
	for (size_t i = 0; i < m; i++)
		some[i] = &cut[fastest + (m > 1 ? i * (n - 1) / (m - 1) : 0)];
	for (size_t i = 0; i < m; i++)
		for (size_t j = m - 1; j > i + 3; j--)
			if (cross_line(some, i, j, found)) {
				out->bends = true;
				memcpy(out->bend, found, sizeof found);
				return;
			}
}

void ft__shape_check(struct ft__cut *cut, size_t n, double tolerance, struct ft_build_shape *out)
{
	*out = (struct ft_build_shape){.jumps = false};
	widen_cuts(cut, n);
	find_jump(cut, n, tolerance, out);
	/* (b) The size that lies farthest below one before and one behind it, and the first behind that is above. */
	double deepest = 0, before = 0;
	size_t j;

	for (size_t i = 0; i < n; i++) {
		double behind = 0;

		for (j = i + 1; j < n; j++)
			behind = fmax(behind, cut[j].speed[0]);
		double depth = fmin(before, behind) - cut[i].speed[1];
		before = fmax(before, cut[i].speed[0]);
		if (depth <= deepest)
			continue;
		deepest = depth;
		out->rises = true;
		out->low = cut[i].x;
		for (j = i + 1; !(cut[i].speed[1] < cut[j].speed[0]);)
			j++;
		out->again = cut[j].x;
	}
	if (n && !out->rises)
		find_bend(cut, n, out);
	/* (d) By ranks (Mann, Whitney 1947), so that one disturbed run decides nothing: whether the spreads of the
	 * larger half of the sizes differ in distribution from those of the smaller half. */
	size_t half, repeated = 0, low = 0, high = 0;
	double u = 0, low_sum = 0, high_sum = 0;

	for (size_t i = 0; i < n; i++)
		repeated += cut[i].n > 1;
	if (repeated < SPREADS_LEAST)
		return;
	for (half = 0; low < repeated / 2; half++) {
		low += cut[half].n > 1;
		low_sum += cut[half].n > 1 ? cut[half].spread : 0;
	}
	for (size_t k = half; k < n; k++) {
		if (cut[k].n < 2)
			continue;
		high++;
		high_sum += cut[k].spread;
		for (size_t i = 0; i < half; i++)
			if (cut[i].n > 1)
				u += cut[k].spread > cut[i].spread   ? 1
				     : cut[k].spread < cut[i].spread ? 0
								     : 0.5;
	}
	double sd = sqrt((double)(low * high * (repeated + 1)) / 12);
	if (u - (double)(low * high) / 2 > wider_sure * sd &&
	    high_sum / (double)high > wider_factor * low_sum / (double)low) {
		out->widens = true;
		out->wider = cut[half].x;
	}
}
