/* SPDX-License-Identifier: GPL-3.0-or-later */
/* candidates.c - the sizes that the adaptive builder over several parameters may ask for. */
#include "base/alloc.h"
#include "build/refine.h"

#include <math.h>

/* Sizes that may be asked: a lattice with so many values of each parameter, by how many of them vary. */
static const size_t levels_of[FT_PARAMS_MAX + 1] = {1, 33, 16, 8, 5, 4, 3, 2, 2};

/* Gains are summed up over some so many of them. */
enum { TARGETS = 96 };

double ft__refine_ln(const struct ft__refine *r, size_t axis, size_t index)
{
	const struct ft__grid *grid = &r->lattice->axis[r->axis[axis]];

	return log(ft__grid_value(grid, index) + ft__grid_shift(grid));
}

/* The same, the range being 0 .. 1. */
static double coordinate(const struct ft__refine *r, size_t axis, double ln)
{
	const struct ft__grid *grid = &r->lattice->axis[r->axis[axis]];
	double from = log(grid->space.least + ft__grid_shift(grid)),
	       to = log(grid->space.most + ft__grid_shift(grid));

	return (ln - from) / (to - from);
}

/* The largest value that is run: of each parameter all, or up to a half or a quarter, as the user wants. */
static double last_of(const struct ft__refine *r, size_t axis)
{
	const struct ft__grid *grid = &r->lattice->axis[r->axis[axis]];
	enum ft_far far = r->lattice->options.far;
	double shift = ft__grid_shift(grid),
	       most = (grid->space.most + shift) / (far == FT_FAR_HALF ? 2 : 4) - shift;
	size_t index = ft__grid_snap(grid, most);

	if (far == FT_FAR_MEASURE)
		return grid->space.most;
	return ft__grid_value(grid, index && ft__grid_value(grid, index) > most ? index - 1 : index);
}

/* The size at a share of least..most, half way between equal steps of the size and of its logarithm: users
 * ask for large sizes more often than logarithms would, and cheap sizes tell more than equal steps would. */
static size_t level_at(const struct ft__grid *grid, double most, double share)
{
	double least = grid->space.least, low = 0, high = 1;
	double ratio = log((most + ft__grid_shift(grid)) / (least + ft__grid_shift(grid)));
	int i;

	for (i = 0; i < 50 && most > least; i++) {
		double middle = (low + high) / 2, size = least + middle * (most - least);

		if (middle / 2 +
			    log((size + ft__grid_shift(grid)) / (least + ft__grid_shift(grid))) / ratio / 2 <
		    share)
			low = middle;
		else
			high = middle;
	}
	return ft__grid_snap(grid, least + high * (most - least));
}

static size_t levels_on(const struct ft__grid *grid, double most, size_t each, size_t *level)
{
	size_t i, n = 0;

	for (i = 0; i < each; i++) {
		size_t at = level_at(grid, most, (double)i / (double)(each - 1));

		if (!n || at > level[n - 1])
			level[n++] = at;
	}
	return n;
}

static void add_candidate(struct ft__refine *r, const size_t *level_on_axis)
{
	struct ft__candidate *c = &r->candidate[r->n];
	size_t i;

	*c = (struct ft__candidate){0};
	for (i = 0; i < r->d; i++) {
		c->place.at[r->axis[i]] = level_on_axis[i];
		c->spot.at[i] = ft__refine_ln(r, i, level_on_axis[i]);
	}
	if (!ft__lattice_admits(r->lattice, &c->place)) {
		r->excluded++;
		return;
	}
	c->work = ft__lattice_work(r->lattice, &c->place);
	r->n++;
}

size_t ft__refine_find(const struct ft__refine *r, const struct ft__place *place)
{
	size_t i = 0;

	while (i < r->n && !ft__lattice_same(r->lattice, &r->candidate[i].place, place))
		i++;
	return i;
}

static bool is_first(const struct ft__refine *r, size_t candidate)
{
	size_t i;

	for (i = 0; i < r->n_first; i++)
		if (r->first[i] == candidate)
			return true;
	return false;
}

/* The cheap corner: the least sizes, and those a quarter up, as far as they are admitted. */
static void choose_first(struct ft__refine *r)
{
	size_t corners = r->d <= 3 ? (size_t)1 << r->d : r->d + 1, corner, i, k;

	for (corner = 0; corner < corners; corner++) {
		double best = INFINITY;
		size_t chosen = r->n;

		for (i = 0; i < r->n; i++) {
			double distance = 0;

			for (k = 0; k < r->d; k++) {
				bool up = r->d <= 3 ? corner >> k & 1 : corner == k + 1;
				double away = coordinate(r, k, r->candidate[i].spot.at[k]) - (up ? 0.3 : 0);

				distance += away * away;
			}
			if (distance < best && !is_first(r, i)) {
				best = distance;
				chosen = i;
			}
		}
		if (chosen < r->n)
			r->first[r->n_first++] = chosen;
	}
}

enum ft_status ft__candidates_make(struct ft__refine *r, struct ft_err *err)
{
	size_t level[FT_PARAMS_MAX][33] = {{0}}, count[FT_PARAMS_MAX], step[FT_PARAMS_MAX] = {0}, total = 1,
	       i;

	for (i = 0; i < r->d; i++) {
		count[i] = levels_on(&r->lattice->axis[r->axis[i]], last_of(r, i), levels_of[r->d], level[i]);
		total *= count[i];
	}
	r->candidate = ft_calloc(total, sizeof *r->candidate);
	if (!r->candidate)
		return ft_nomem(err);
	do {
		size_t at[FT_PARAMS_MAX];

		for (i = 0; i < r->d; i++)
			at[i] = level[i][step[i]];
		add_candidate(r, at);
		for (i = r->d; i > 0; i--) {
			if (++step[i - 1] < count[i - 1])
				break;
			step[i - 1] = 0;
		}
	} while (i > 0);
	/* Not in step with the levels: else some of them would never be looked at. */
	r->stride = r->n / TARGETS + 1;
	while (r->stride > 1 && (r->stride % levels_of[r->d] == 0 || levels_of[r->d] % r->stride == 0))
		r->stride++;
	choose_first(r);
	if (r->n)
		return FT_OK;
	ft_fail(err, FT_EINVAL, "the constraints admit none of %zu sizes spread over the ranges", total);
	return ft_remedy(err, "mend --where, or narrow the ranges to where it holds");
}
