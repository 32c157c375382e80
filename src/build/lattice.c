/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lattice.c - the admissible sizes of several parameters, and their results. */
#include "base/alloc.h"
#include "build/build.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* A constraint that admits none of this many evenly spread sizes counts as admitting none at all. */
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
static struct ft__place place_of_step(const struct ft__lattice *l, size_t each, size_t step)
{
	struct ft__place place = {{0}};

	for (size_t i = 0; i < l->n; i++) {
		size_t count = l->axis[i].count < each ? l->axis[i].count : each, k;

		assert(count > 0); /* no axis is without a size */
		k = step % count;
		step /= count;
		place.at[i] =
			count > 1
				? (size_t)((double)k * ((double)l->axis[i].count - 1) / ((double)count - 1) +
					   0.5)
				: 0;
	}
	return place;
}

/* Over several parameters a size that the constraints admit is looked for. */
static enum ft_status find_admitted(const struct ft__lattice *l, struct ft_err *err)
{
	size_t each = (size_t)(pow(LOOKED_AT, 1 / (double)l->d) + 1e-9), total = 1, i;

	for (i = 0; i < l->n; i++)
		total *= l->axis[i].count < each ? l->axis[i].count : each;
	for (i = 0; i < total; i++) {
		struct ft__place place = place_of_step(l, each, i);

		if (ft__lattice_admits(l, &place))
			return FT_OK;
	}
	ft_fail(err, FT_EINVAL, "the constraints admit no size within the ranges (%zu were tried)", total);
	return ft_remedy(err, "mend --where, or widen the ranges");
}

/* Over one parameter those that are admitted become a list. */
static enum ft_status list_admitted(struct ft__lattice *l, struct ft_err *err)
{
	struct ft__grid *grid = &l->axis[l->varying[0]];
	struct ft_space space = grid->space;
	struct ft__place place = {{0}};
	size_t n = 0;

	if (grid->count > FT_BUILD_SIZES_MOST) {
		ft_fail(err, FT_EINVAL, "the constraints would have to be tried at %zu sizes", grid->count);
		return ft_remedy(err, "give the range a stride, as in n=64:1000000:64");
	}
	l->admitted = ft_calloc(grid->count, sizeof *l->admitted);
	if (!l->admitted)
		return ft_nomem(err);
	for (size_t i = 0; i < grid->count; i++) {
		place.at[l->varying[0]] = i;
		if (ft__lattice_admits(l, &place))
			l->admitted[n++] = ft__grid_value(grid, i);
	}
	if (n < 2) {
		ft_fail(err, FT_EINVAL, "the constraints admit %s within the range (%zu were tried)",
			n ? "one size" : "no size", grid->count);
		return ft_remedy(err, "mend --where, or widen the range");
	}
	space.sizes = l->admitted;
	space.n_sizes = n;
	return ft__grid_init(grid, &space, err);
}

static enum ft_status init_axes(struct ft__lattice *l, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < l->n && !status; i++) {
		status = init_axis(&l->axis[i], &l->options.space[i], err);
		if (l->axis[i].count > 1)
			l->varying[l->d++] = i;
	}
	if (status || l->d)
		return status;
	ft_fail(err, FT_EINVAL, "no parameter has a range");
	return ft_remedy(err, "give the range of sizes to measure, as in n=64:3000");
}

enum ft_status ft__lattice_init(struct ft__lattice *l, const struct ft_build_options *options,
				struct ft_err *err)
{
	*l = (struct ft__lattice){.options = *options, .n = options->n_params};
	enum ft_status status = init_axes(l, err);
	if (status || !options->admits)
		return status;
	return l->d > 1 ? find_admitted(l, err) : list_admitted(l, err);
}

void ft__lattice_clear(struct ft__lattice *l)
{
	for (size_t i = 0; i < l->n_sites; i++)
		ft_free(l->site[i].seconds);
	ft_free(l->site);
	ft_free(l->admitted);
	*l = (struct ft__lattice){0};
}

struct ft_size ft__lattice_size(const struct ft__lattice *l, const struct ft__place *place)
{
	struct ft_size size = {.n = l->n};

	for (size_t i = 0; i < l->n; i++)
		size.value[i] = ft__grid_value(&l->axis[i], place->at[i]);
	return size;
}

bool ft__lattice_find(const struct ft__lattice *l, const struct ft_size *size, struct ft__place *place)
{
	*place = (struct ft__place){{0}};
	if (size->n != l->n)
		return false;
	for (size_t i = 0; i < l->n; i++) {
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

static int compare_places(const struct ft__lattice *l, const struct ft__place *a, const struct ft__place *b)
{
	for (size_t i = 0; i < l->n; i++)
		if (a->at[i] != b->at[i])
			return a->at[i] < b->at[i] ? -1 : 1;
	return 0;
}

/* The first site that is not below a place. */
static size_t place_in_list(const struct ft__lattice *l, const struct ft__place *place)
{
	size_t low = 0, high = l->n_sites;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_places(l, &l->site[middle].place, place) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct ft__measured *ft__lattice_site(const struct ft__lattice *l, const struct ft__place *place)
{
	size_t i = place_in_list(l, place);

	return i < l->n_sites && !compare_places(l, &l->site[i].place, place) ? &l->site[i] : NULL;
}

/* The site of a place, which is made; NULL: no memory. */
static struct ft__measured *site_of(struct ft__lattice *l, const struct ft__place *place)
{
	struct ft__measured *grown = ft_grow(l->site, l->n_sites, &l->capacity, sizeof *grown), *site;

	if (!grown)
		return NULL;
	l->site = grown;
	size_t i = place_in_list(l, place);
	site = &grown[i];
	if (i == l->n_sites || compare_places(l, &site->place, place)) {
		memmove(site + 1, site, (l->n_sites++ - i) * sizeof *site);
		*site = (struct ft__measured){.place = *place};
	}
	return site;
}

enum ft_status ft__lattice_tell(struct ft__lattice *l, const struct ft__place *place,
				const struct ft_build_result *result, struct ft_err *err)
{
	double *copy = ft_calloc(result->n + result->limits + 1, sizeof *copy);
	struct ft__measured *site = copy ? site_of(l, place) : NULL;
	bool hole = result->hole && !result->n;

	if (!site) {
		ft_free(copy);
		return ft_nomem(err);
	}
	if (result->n)
		memcpy(copy, result->seconds, result->n * sizeof *copy);
	if (result->limits)
		memcpy(copy + result->n, result->limit_s, result->limits * sizeof *copy);
	ft_free(site->seconds);
	l->holes += hole;
	l->holes -= site->hole;
	*site = (struct ft__measured){.place = *place,
				      .hole = hole,
				      .seconds = copy,
				      .n = result->n,
				      .limits = result->limits,
				      .work = result->work > 0 ? result->work : 0,
				      .footprint_bytes =
					      result->footprint_bytes > 0 ? result->footprint_bytes : 0,
				      .given = result->given,
				      .over = result->over};
	return FT_OK;
}

/*
 * With one varying parameter: the sizes of a one-parameter builder as places of the lattice.
 */

struct along {
	struct ft__lattice *lattice;
	const struct ft__line_type *type;
	const struct ft__grid *grid;
	size_t axis;
	void *line;
};

static struct ft__place place_of(const struct along *a, double x)
{
	struct ft__place place = {{0}};

	place.at[a->axis] = ft__grid_snap(a->grid, x);
	return place;
}

static double work_at(void *ctx, double x)
{
	const struct along *a = ctx;
	struct ft__place place = place_of(a, x);

	return ft__lattice_work(a->lattice, &place);
}

static void load_at(void *ctx, double x, double seconds, double load[2])
{
	const struct along *a = ctx;
	struct ft__place place = place_of(a, x);
	struct ft_size size = ft__lattice_size(a->lattice, &place);

	a->lattice->options.load(a->lattice->options.ctx, &size, seconds, load);
}

static void along_free(void *state)
{
	struct along *a = state;

	if (!a)
		return;
	a->type->free(a->line);
	ft_free(a);
}

static enum ft_status along_init(void **state, struct ft__lattice *lattice, const struct ft__row *row,
				 struct ft_err *err)
{
	struct along *a = ft_calloc(1, sizeof *a);
	struct ft__line_options options = {
		.work = lattice->options.work ? work_at : NULL,
		.load = lattice->options.load ? load_at : NULL,
		.ctx = a,
		.user = lattice->options,
	};

	*state = NULL;
	if (!a)
		return ft_nomem(err);
	*a = (struct along){.lattice = lattice, .type = &row->line, .axis = lattice->varying[0]};
	a->grid = &lattice->axis[a->axis];
	options.space = a->grid->space;
	enum ft_status status = a->type->init(&a->line, &options, err);
	if (status)
		ft_free(a);
	else
		*state = a;
	return status;
}

static enum ft_status along_ask(void *state, struct ft__place *places, size_t most, size_t *n,
				struct ft_err *err)
{
	const struct along *a = state;
	double x[FT_ASK_MAX];

	(void)err;
	*n = a->type->ask(a->line, x, most);
	for (size_t i = 0; i < *n; i++)
		places[i] = place_of(a, x[i]);
	return FT_OK;
}

static void along_gain(void *state, struct ft_build_gain *out)
{
	const struct along *a = state;
	double x = NAN;

	if (a->type->gain)
		a->type->gain(a->line, &x, out);
	if (isnan(x))
		return;
	struct ft__place place = place_of(a, x);
	out->size = ft__lattice_size(a->lattice, &place);
}

static enum ft_status along_tell(void *state, const struct ft__measured *site, struct ft_err *err)
{
	const struct along *a = state;
	const struct ft_build_result result = ft__result_of(site);

	return a->type->tell(a->line, ft__grid_value(a->grid, site->place.at[a->axis]), &result, err);
}

static enum ft_stop along_stop(const void *state)
{
	const struct along *a = state;

	return a->type->stop(a->line);
}

static double along_complete(void *state, double made)
{
	const struct along *a = state;

	return a->type->complete(a->line, made);
}

static void along_price(void *state, double each_s, double stretch, double given_s)
{
	const struct along *a = state;

	if (a->type->price)
		a->type->price(a->line, each_s, stretch, given_s);
}

static enum ft_status along_shape(const void *state, size_t axis, struct ft_build_shape *out,
				  struct ft_err *err)
{
	const struct along *a = state;

	return a->type->shape && axis == a->axis ? a->type->shape(a->line, out, err) : FT_OK;
}

const struct ft__plan ft__plan_along = {
	.init = along_init,
	.ask = along_ask,
	.gain = along_gain,
	.tell = along_tell,
	.stop = along_stop,
	.complete = along_complete,
	.price = along_price,
	.shape = along_shape,
	.free = along_free,
};
