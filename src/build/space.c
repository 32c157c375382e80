/* SPDX-License-Identifier: GPL-3.0-or-later */
/* space.c - the admissible sizes of a builder, numbered from 0 in ascending order. */
#include "build/space.h"

#include <assert.h>
#include <math.h>

/* What rounding leaves of a multiple, in strides; and the most sizes that doubles can still tell apart. */
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

static enum ft_status fail_few(struct ft_err *err, const struct ft_space *space, size_t count)
{
	(void)ft_fail(err, FT_EINVAL, "the range %.12g:%.12g has %zu of the listed sizes, and two are needed",
		      space->least, space->most, count);
	return ft_remedy(err, "widen the range or list more sizes");
}

static enum ft_status init_list(struct ft__grid *grid, const struct ft_space *space, struct ft_err *err)
{
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
	if (end - first < 2)
		return fail_few(err, space, end - first);
	grid->space.sizes = space->sizes + first;
	grid->space.n_sizes = grid->count = end - first;
	grid->space.least = space->sizes[first];
	grid->space.most = space->sizes[end - 1];
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
	if (space->sizes)
		return init_list(grid, space, err);
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

/* The size of the k-th; FT__NONE beyond the range, where rounding alone does not count. */
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
