/* SPDX-License-Identifier: GPL-3.0-or-later */
/* along.c - one parameter varies: the sizes of a row's builder of one parameter as places of the lattice. */
#include "base/alloc.h"
#include "build/types.h"

#include <math.h>

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

static enum ft_status along_tell(void *state, const struct ft__told *site, struct ft_err *err)
{
	const struct along *a = state;
	const struct ft_build_told told = ft__told_of(site);

	return a->type->tell(a->line, ft__grid_value(a->grid, site->place.at[a->axis]), &told, err);
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
