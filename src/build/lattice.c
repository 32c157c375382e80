/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lattice.c - the admissible sizes of several parameters, and what was told of them. */
#include "build/lattice.h"
#include "base/alloc.h"

#include <math.h>
#include <string.h>

/* A constraint that admits none of so many sizes, evenly spread, is taken to admit none at all. */
enum { LOOKED_AT = 1 << 16 };

static enum ft_status init_axis(struct ft__grid *grid, const struct ft_space *space, struct ft_err *err)
{
	if (space->least == space->most && isfinite(space->least)) {
		*grid = (struct ft__grid){.space = *space, .count = 1};
		grid->space.sizes = NULL;
		grid->space.factor = 0;
		return FT_OK;
	}
	return ft__grid_init(grid, space, err);
}

/* A lattice of about `most` sizes, the ends of every axis among them; the step-th of them. */
static struct ft__place look(const struct ft__lattice *l, size_t each, size_t step)
{
	struct ft__place place = {{0}};
	size_t i;

	for (i = 0; i < l->n; i++) {
		size_t count = l->axis[i].count < each ? l->axis[i].count : each, k = step % count;

		step /= count;
		place.at[i] =
			count > 1
				? (size_t)((double)k * ((double)l->axis[i].count - 1) / ((double)count - 1) +
					   0.5)
				: 0;
	}
	return place;
}

static enum ft_status check_constraints(const struct ft__lattice *l, struct ft_err *err)
{
	size_t axes = 0, total = 1, each, i;

	for (i = 0; i < l->n; i++)
		axes += l->axis[i].count > 1;
	each = (size_t)(pow(LOOKED_AT, 1 / (double)(axes ? axes : 1)) + 1e-9);
	for (i = 0; i < l->n; i++)
		total *= l->axis[i].count < each ? l->axis[i].count : each;
	for (i = 0; i < total; i++) {
		struct ft__place place = look(l, each, i);

		if (ft__lattice_admits(l, &place))
			return FT_OK;
	}
	ft_fail(err, FT_EINVAL, "the constraints admit no size within the ranges (%zu were tried)", total);
	return ft_remedy(err, "mend --where, or widen the ranges");
}

enum ft_status ft__lattice_init(struct ft__lattice *l, const struct ft_grid_options *options,
				struct ft_err *err)
{
	enum ft_status status = FT_OK;
	bool varies = false;
	size_t i;

	*l = (struct ft__lattice){.options = *options, .n = options->n_params};
	for (i = 0; i < l->n && !status; i++) {
		status = init_axis(&l->axis[i], &options->space[i], err);
		varies = varies || l->axis[i].count > 1;
	}
	if (!status && !varies) {
		ft_fail(err, FT_EINVAL, "no parameter has a range");
		return ft_remedy(err, "say between which sizes to measure, as in n=64:3000");
	}
	return status ? status : check_constraints(l, err);
}

void ft__lattice_clear(struct ft__lattice *l)
{
	size_t i;

	for (i = 0; i < l->n_sites; i++)
		ft_free(l->site[i].seconds);
	ft_free(l->site);
	*l = (struct ft__lattice){0};
}

struct ft_size ft__lattice_size(const struct ft__lattice *l, const struct ft__place *place)
{
	struct ft_size size = {.n = l->n};
	size_t i;

	for (i = 0; i < l->n; i++)
		size.value[i] = ft__grid_value(&l->axis[i], place->at[i]);
	return size;
}

bool ft__lattice_find(const struct ft__lattice *l, const struct ft_size *size, struct ft__place *place)
{
	size_t i;

	*place = (struct ft__place){{0}};
	if (size->n != l->n)
		return false;
	for (i = 0; i < l->n; i++) {
		const struct ft_space *space = &l->axis[i].space;

		if (!(size->value[i] >= space->least && size->value[i] <= space->most))
			return false;
		place->at[i] = l->axis[i].count > 1 ? ft__grid_find(&l->axis[i], size->value[i]) : 0;
		if (place->at[i] == FT__NONE)
			return false;
	}
	return true;
}

bool ft__lattice_same(const struct ft__lattice *l, const struct ft__place *a, const struct ft__place *b)
{
	return !memcmp(a->at, b->at, l->n * sizeof *a->at);
}

bool ft__lattice_admits(const struct ft__lattice *l, const struct ft__place *place)
{
	struct ft_size size = ft__lattice_size(l, place);

	return !l->options.admits || l->options.admits(l->options.ctx, &size);
}

double ft__lattice_work(const struct ft__lattice *l, const struct ft__place *place)
{
	struct ft_size size = ft__lattice_size(l, place);

	return l->options.work ? l->options.work(l->options.ctx, &size) : 1;
}

static int compare(const struct ft__lattice *l, const struct ft__place *a, const struct ft__place *b)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		if (a->at[i] != b->at[i])
			return a->at[i] < b->at[i] ? -1 : 1;
	return 0;
}

/* The first site that is not below a place. */
static size_t position(const struct ft__lattice *l, const struct ft__place *place)
{
	size_t low = 0, high = l->n_sites;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare(l, &l->site[middle].place, place) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct ft__told *ft__lattice_site(const struct ft__lattice *l, const struct ft__place *place)
{
	size_t i = position(l, place);

	return i < l->n_sites && !compare(l, &l->site[i].place, place) ? &l->site[i] : NULL;
}

enum ft_status ft__lattice_tell(struct ft__lattice *l, const struct ft__place *place, const double *seconds,
				size_t n, bool hole, struct ft_err *err)
{
	double *copy = ft_calloc(n + 1, sizeof *copy);
	struct ft__told *grown = copy ? ft_grow(l->site, l->n_sites, &l->capacity, sizeof *grown) : NULL;
	struct ft__told *site;
	size_t i;

	if (!grown) {
		ft_free(copy);
		return ft_nomem(err);
	}
	l->site = grown;
	i = position(l, place);
	site = &l->site[i];
	if (i == l->n_sites || compare(l, &site->place, place)) {
		memmove(site + 1, site, (l->n_sites++ - i) * sizeof *site);
		*site = (struct ft__told){.place = *place};
	}
	if (n)
		memcpy(copy, seconds, n * sizeof *copy);
	ft_free(site->seconds);
	site->seconds = copy;
	site->n = n;
	l->holes += hole;
	l->holes -= site->hole;
	site->hole = hole;
	site->told = true;
	return FT_OK;
}

bool ft__lattice_footprint(struct ft__lattice *l, const struct ft__place *place, double bytes)
{
	size_t i = position(l, place);

	if (i == l->n_sites || compare(l, &l->site[i].place, place))
		return false;
	l->site[i].footprint = bytes;
	return true;
}
