/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grid.c - builders over several parameters: what they all check before they start or are told something. */
#include "foretime/grid.h"
#include "base/alloc.h"
#include "build/lattice.h"

#include <assert.h>
#include <math.h>
#include <string.h>

struct ft_grid_builder {
	const struct ft__plan *plan;
	struct ft__lattice lattice;
	void *state;
};

/* Shares are those of a builder over one parameter. */
static enum ft_status check(const struct ft_builder_type *type, const struct ft_grid_options *o,
			    struct ft_err *err)
{
	struct ft_build_options one = {.space = {.least = 1, .most = 2, .stride = 1},
				       .tolerance = o->tolerance,
				       .confidence = o->confidence};
	struct ft_builder *builder;
	enum ft_status status = ft_builder_new(&builder, type, &one, err);

	ft_builder_free(builder);
	return status;
}

enum ft_status ft_grid_builder_new(struct ft_grid_builder **out, const struct ft_builder_type *type,
				   const struct ft_grid_options *options, struct ft_err *err)
{
	struct ft_grid_builder *builder;
	enum ft_status status = check(type, options, err);

	*out = NULL;
	if (status)
		return status;
	builder = ft_calloc(1, sizeof *builder);
	if (!builder)
		return ft_nomem(err);
	builder->plan = strcmp(type->name, "adaptive") ? &ft__plan_span : &ft__plan_refine;
	status = ft__lattice_init(&builder->lattice, options, err);
	if (!status)
		status = builder->plan->init(&builder->state, &builder->lattice, type, err);
	if (status) {
		ft__lattice_clear(&builder->lattice);
		ft_free(builder);
		return status;
	}
	*out = builder;
	return FT_OK;
}

void ft_grid_builder_free(struct ft_grid_builder *builder)
{
	if (!builder)
		return;
	builder->plan->free(builder->state);
	ft__lattice_clear(&builder->lattice);
	ft_free(builder);
}

void ft_grid_builder_overhead(struct ft_grid_builder *builder, double seconds)
{
	if (builder->plan->overhead)
		builder->plan->overhead(builder->state, seconds);
}

enum ft_status ft_grid_builder_ask(struct ft_grid_builder *builder, struct ft_size *sizes, size_t most,
				   size_t *n, struct ft_err *err)
{
	struct ft__place *places = ft_calloc(most, sizeof *places);
	enum ft_status status;
	size_t i;

	assert(most >= 1);
	*n = 0;
	if (!places)
		return ft_nomem(err);
	status = builder->plan->ask(builder->state, places, most, n, err);
	if (status)
		*n = 0;
	for (i = 0; i < *n; i++)
		sizes[i] = ft__lattice_size(&builder->lattice, &places[i]);
	ft_free(places);
	return status;
}

enum ft_status ft_grid_builder_tell(struct ft_grid_builder *builder, const struct ft_size *size,
				    const double *seconds, size_t n, bool hole, struct ft_err *err)
{
	struct ft__place place;
	enum ft_status status;
	size_t i;

	if (!ft__lattice_find(&builder->lattice, size, &place))
		return ft_fail(err, FT_EINVAL, "the size is outside the ranges, or between their steps");
	for (i = 0; i < n; i++)
		if (!(seconds[i] > 0 && isfinite(seconds[i])))
			return ft_fail(err, FT_EINVAL, "time %zu of a size is %g, not a positive number",
				       i + 1, seconds[i]);
	status = ft__lattice_tell(&builder->lattice, &place, seconds, n, hole && !n, err);
	if (status)
		return status;
	return builder->plan->tell(builder->state, ft__lattice_site(&builder->lattice, &place), err);
}

enum ft_status ft_grid_builder_footprint(struct ft_grid_builder *builder, const struct ft_size *size,
					 double bytes, struct ft_err *err)
{
	struct ft__place place;

	if (!(bytes > 0 && isfinite(bytes)))
		return ft_fail(err, FT_EINVAL, "a footprint of %g bytes is not a positive number", bytes);
	if (!ft__lattice_find(&builder->lattice, size, &place) ||
	    !ft__lattice_footprint(&builder->lattice, &place, bytes))
		return ft_fail(err, FT_EINVAL, "nothing was told of this size");
	return FT_OK;
}

enum ft_stop ft_grid_builder_stop(const struct ft_grid_builder *builder)
{
	return builder->plan->stop(builder->state);
}

bool ft_grid_builder_repeats(const struct ft_grid_builder *builder)
{
	return builder->plan->repeats;
}

bool ft_grid_builder_flat(const struct ft_grid_builder *builder, size_t param)
{
	return builder->plan->flat(builder->state, param);
}

size_t ft_grid_builder_holes(const struct ft_grid_builder *builder)
{
	return builder->lattice.holes + builder->plan->excluded(builder->state);
}
