/* SPDX-License-Identifier: GPL-3.0-or-later */
/* candidates.c - the sizes that the adaptive builder over several parameters may ask for. */
#include "base/alloc.h"
#include "build/refine.h"
#include "model/region.h"

#include <math.h>

/* Sizes that may be asked: a lattice with so many values of each parameter, by how many of them vary. */
static const size_t levels_of[FT_PARAMS_MAX + 1] = {1, 33, 16, 8, 5, 4, 3, 2, 2};

/* Gains are summed up over some so many of them. */
enum { TARGETS = 96 };

/* So many sizes of a cell of the lattice are tried, until one is admitted: with one in 97 admitted, and cells
 * of 6 x 6 sizes, that finds all hundred of them instead of the four at levels. */
enum { TRIES = 64 };

/* The levels of one parameter, and which of them is at hand. */
struct levels {
	size_t level[33], count, step;
};

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

	for (int i = 0; i < 50 && most > least; i++) {
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
	size_t n = 0;

	for (size_t i = 0; i < each; i++) {
		size_t at = level_at(grid, most, (double)i / (double)(each - 1));

		if (!n || at > level[n - 1])
			level[n++] = at;
	}
	return n;
}

/* What lies nearer to a level than to others. */
static void cell_of(const struct levels *axis, size_t *from, size_t *to)
{
	size_t i = axis->step, at = axis->level[i];

	*from = i ? (axis->level[i - 1] + at) / 2 + 1 : at;
	*to = i + 1 < axis->count ? (at + axis->level[i + 1]) / 2 : at;
}

/* Sizes of a cell: all of one that is small, else spread over it. false: there are no more to be tried. */
static bool try_in_cell(const struct ft__refine *r, const struct levels *axis, size_t step,
			struct ft__place *place)
{
	size_t from, to, total = 1, rest = step;
	double x[FT_PARAMS_MAX];

	for (size_t i = 0; i < r->d; i++) {
		cell_of(&axis[i], &from, &to);
		total *= to - from + 1 < TRIES ? to - from + 1 : TRIES;
		total = total < TRIES ? total : TRIES;
	}
	if (step >= total)
		return false;
	ft__region_spread(step, r->d, x);
	for (size_t i = 0; i < r->d; i++) {
		cell_of(&axis[i], &from, &to);
		place->at[r->axis[i]] = from + (total < TRIES ? rest % (to - from + 1)
							      : (size_t)(x[i] * (double)(to - from + 1)));
		rest /= to - from + 1;
	}
	return true;
}

/* At the levels themselves; else elsewhere in their cell. */
static bool find_admitted(const struct ft__refine *r, const struct levels *axis, struct ft__place *place)
{
	*place = (struct ft__place){{0}};
	for (size_t i = 0; i < r->d; i++)
		place->at[r->axis[i]] = axis[i].level[axis[i].step];
	if (ft__lattice_admits(r->lattice, place))
		return true;
	for (size_t i = 0; try_in_cell(r, axis, i, place); i++)
		if (ft__lattice_admits(r->lattice, place))
			return true;
	return false;
}

static void add_candidate(struct ft__refine *r, const struct levels *axis)
{
	struct ft__candidate *c = &r->candidate[r->n];

	*c = (struct ft__candidate){0};
	if (!find_admitted(r, axis, &c->place)) {
		r->excluded++;
		return;
	}
	for (size_t i = 0; i < r->d; i++)
		c->spot.at[i] = ft__refine_ln(r, i, c->place.at[r->axis[i]]);
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
	for (size_t i = 0; i < r->n_first; i++)
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

/* The next levels, the last parameter fastest; false: there are none. */
static bool step_on(struct levels *axis, size_t d)
{
	for (size_t i = d; i > 0; i--) {
		if (++axis[i - 1].step < axis[i - 1].count)
			return true;
		axis[i - 1].step = 0;
	}
	return false;
}

enum ft_status ft__candidates_make(struct ft__refine *r, struct ft_err *err)
{
	struct levels axis[FT_PARAMS_MAX] = {{{0}, 0, 0}};
	size_t total = 1;

	for (size_t i = 0; i < r->d; i++) {
		axis[i].count = levels_on(&r->lattice->axis[r->axis[i]], last_of(r, i), levels_of[r->d],
					  axis[i].level);
		total *= axis[i].count;
	}
	r->candidate = ft_calloc(total, sizeof *r->candidate);
	if (!r->candidate)
		return ft_nomem(err);
	do
		add_candidate(r, axis);
	while (step_on(axis, r->d));
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
