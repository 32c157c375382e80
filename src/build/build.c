/* SPDX-License-Identifier: GPL-3.0-or-later */
/* build.c - the table of builders, and the checks before each call: sizes become places of a lattice here. */
#include "base/alloc.h"
#include "build/build.h"
#include "foretime/build.h"
#include "foretime/model.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/*
 * The table of builders, and the checks before each call: sizes become places of a lattice here.
 */

static const struct ft__row *const rows[] = {
	&ft__builder_adaptive, &ft__builder_gbbp,         &ft__builder_gbbp_naive,
	&ft__builder_naive,    &ft__builder_naive_bisect, &ft__builder_rand,
};

enum { N_ROWS = sizeof rows / sizeof *rows };

struct ft_builder {
	const struct ft__plan *plan;
	struct ft__lattice lattice;
	void *state;
	double complete; /* the largest share so far */
};

const struct ft_builder_type *ft_builder_type_get(size_t i)
{
	return i < N_ROWS ? &rows[i]->type : NULL;
}

const struct ft_builder_type *ft_builder_type_find(const char *name)
{
	for (size_t i = 0; i < N_ROWS; i++)
		if (!strcmp(rows[i]->type.name, name))
			return &rows[i]->type;
	return NULL;
}

static const struct ft__row *row_of(const struct ft_builder_type *type)
{
	for (size_t i = 0; i < N_ROWS; i++)
		if (&rows[i]->type == type)
			return rows[i];
	return NULL;
}

static const char *const far_texts[] = {
#define TEXT(name, word, about) word,
	FT_FAR_LIST(TEXT)
#undef TEXT
};

const char *ft_far_text(enum ft_far far)
{
	return (size_t)far < FT_FARS ? far_texts[far] : "unknown";
}

bool ft_far_parse(const char *text, enum ft_far *far)
{
	for (int i = 0; i < FT_FARS; i++)
		if (!strcmp(far_texts[i], text)) {
			*far = (enum ft_far)i;
			return true;
		}
	return false;
}

/* doc/constants-build.md has the row of a table for it. */
static const double refine_share = 0.25;

double ft__refine_left(const struct ft__refining *r)
{
	double share = (1 + refine_share) * r->served_s - r->spent_s,
	       reached = r->known * sqrt(r->spent_s / (r->spent_s + fmax(r->budget_s, 0)));

	return reached <= r->tolerance ? fmax(share, r->budget_s) : share;
}

static enum ft_status check_share(const char *name, double share, struct ft_err *err)
{
	if (share > 0 && share < 1)
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "the %s %g is not between 0 and 1", name, share);
	return ft_remedy(err, "give a share such as 5%% or 0.05");
}

static enum ft_status check_top(const struct ft_builder_type *type, const struct ft_build_options *options,
				struct ft_err *err)
{
	if (!options->of_top || type->of_top)
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL,
		      "the %s builder weighs errors by each time itself, not by the fastest speed",
		      type->name);
	return ft_remedy(err, "leave out 'top' behind the tolerance, or take --method gbbp");
}

enum ft_status ft_builder_new(struct ft_builder **out, const struct ft_builder_type *type,
			      const struct ft_build_options *options, struct ft_err *err)
{
	const struct ft__row *row = row_of(type);
	struct ft_builder *builder = ft_calloc(1, sizeof *builder);

	*out = NULL;
	assert(row);
	if (!builder)
		return ft_nomem(err);
	enum ft_status status = ft__lattice_init(&builder->lattice, options, err);
	if (!status)
		status = check_share("tolerance", options->tolerance, err);
	if (!status)
		status = check_top(type, options, err);
	if (!status)
		status = check_share("confidence", options->confidence, err);
	if (!status) {
		builder->plan = builder->lattice.d > 1 || !row->line.init ? row->several : &ft__plan_along;
		status = builder->plan->init(&builder->state, &builder->lattice, row, err);
	}
	if (status) {
		ft__lattice_clear(&builder->lattice);
		ft_free(builder);
		return status;
	}
	*out = builder;
	return FT_OK;
}

void ft_builder_free(struct ft_builder *builder)
{
	if (!builder)
		return;
	builder->plan->free(builder->state);
	ft__lattice_clear(&builder->lattice);
	ft_free(builder);
}

const struct ft_space *ft_builder_space(const struct ft_builder *builder, size_t param)
{
	assert(param < builder->lattice.n);
	return &builder->lattice.axis[param].space;
}

void ft_builder_price(struct ft_builder *builder, double each_s, double stretch, double given_s)
{
	if (builder->plan->price)
		builder->plan->price(builder->state, each_s, stretch, given_s);
}

enum ft_status ft_builder_ask(struct ft_builder *builder, struct ft_size *sizes, size_t most, size_t *n,
			      struct ft_err *err)
{
	struct ft__place place[FT_ASK_MAX];

	assert(most >= 1);
	*n = 0;
	enum ft_status status =
		builder->plan->ask(builder->state, place, most < FT_ASK_MAX ? most : FT_ASK_MAX, n, err);
	if (status)
		*n = 0;
	for (size_t i = 0; i < *n; i++)
		sizes[i] = ft__lattice_size(&builder->lattice, &place[i]);
	return status;
}

void ft_builder_gain(struct ft_builder *builder, struct ft_build_gain *out)
{
	*out = (struct ft_build_gain){.accuracy = NAN};
	if (builder->plan->gain)
		builder->plan->gain(builder->state, out);
}

/* "200", "200 x 8". */
static const char *in_words(const struct ft_size *size, char *buffer, size_t length)
{
	size_t used = 0;

	buffer[0] = 0;
	for (size_t i = 0; i < size->n && used < length; i++)
		used += (size_t)snprintf(buffer + used, length - used, "%s%.12g", i ? " x " : "",
					 size->value[i]);
	return buffer;
}

static enum ft_status check_size(const struct ft_builder *builder, const struct ft_size *size,
				 struct ft_err *err)
{
	const struct ft_build_options *o = &builder->lattice.options;

	if (size->n != o->n_params)
		return ft_fail(err, FT_EINVAL, "a size has %zu values, and there are %zu parameters", size->n,
			       o->n_params);
	for (size_t i = 0; i < size->n; i++)
		if (!(size->value[i] >= o->space[i].least && size->value[i] <= o->space[i].most))
			return ft_fail(err, FT_EINVAL, "the size %.12g is outside the range %.12g:%.12g",
				       size->value[i], o->space[i].least, o->space[i].most);
	return FT_OK;
}

static enum ft_status check_result(const struct ft_builder *builder, const struct ft_size *size,
				   const struct ft_build_result *result, struct ft_err *err)
{
	const struct ft_build_options *o = &builder->lattice.options;
	double work = result->n && o->work ? o->work(o->ctx, size) : 1;
	char at[256];

	for (size_t i = 0; i < result->n; i++)
		if (!(result->seconds[i] > 0 && isfinite(result->seconds[i])))
			return ft_fail(err, FT_EINVAL, "time %zu of size %s is %g, not a positive number",
				       i + 1, in_words(size, at, sizeof at), result->seconds[i]);
	for (size_t i = 0; i < result->limits; i++)
		if (!(result->limit_s[i] > 0 && isfinite(result->limit_s[i])))
			return ft_fail(err, FT_EINVAL, "limit %zu of size %s is %g, not a positive number",
				       i + 1, in_words(size, at, sizeof at), result->limit_s[i]);
	if (work > 0 && isfinite(work))
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "the work at size %s is %g, not a positive number",
		      in_words(size, at, sizeof at), work);
	return ft_remedy(err, "give a work expression that is positive over the whole range");
}

enum ft_status ft_builder_tell(struct ft_builder *builder, const struct ft_size *size,
			       const struct ft_build_result *result, struct ft_err *err)
{
	enum ft_status status = check_size(builder, size, err);
	struct ft__place place;

	if (!status)
		status = check_result(builder, size, result, err);
	if (status || !ft__lattice_find(&builder->lattice, size, &place))
		return status;
	FT_TRY(ft__lattice_tell(&builder->lattice, &place, result, err));
	return builder->plan->tell(builder->state, ft__lattice_site(&builder->lattice, &place), err);
}

double ft_builder_complete(struct ft_builder *builder, double made)
{
	double share = builder->plan->complete(builder->state, made);

	/* A run may show that more is wanted than it seemed; no run takes away what is there. NaN: not known.
	 */
	if (share > builder->complete)
		builder->complete = fmin(share, 1);
	return builder->complete;
}

enum ft_stop ft_builder_stop(const struct ft_builder *builder)
{
	return builder->plan->stop(builder->state);
}

bool ft_builder_flat(const struct ft_builder *builder, size_t param)
{
	return builder->plan->flat && builder->plan->flat(builder->state, param);
}

enum ft_status ft_builder_shape(const struct ft_builder *builder, size_t param, struct ft_build_shape *out,
				struct ft_err *err)
{
	*out = (struct ft_build_shape){.jumps = false};
	return builder->plan->shape ? builder->plan->shape(builder->state, param, out, err) : FT_OK;
}

size_t ft_builder_holes(const struct ft_builder *builder)
{
	return builder->lattice.holes +
	       (builder->plan->excluded ? builder->plan->excluded(builder->state) : 0);
}
