/* SPDX-License-Identifier: GPL-3.0-or-later */
/* build.c - the table of builders, and what they all check before they start or are told something. */
#include "foretime/build.h"
#include "base/alloc.h"
#include "build/space.h"
#include "build/types.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const struct ft_builder_type *const types[] = {
	&ft__builder_adaptive,
	&ft__builder_gbbp,
	&ft__builder_naive,
};

enum { N_TYPES = sizeof types / sizeof *types };

struct ft_builder {
	const struct ft_builder_type *type;
	struct ft_build_options options;
	void *state;
};

const struct ft_builder_type *ft_builder_type_get(size_t i)
{
	return i < N_TYPES ? types[i] : NULL;
}

const struct ft_builder_type *ft_builder_type_find(const char *name)
{
	size_t i;

	for (i = 0; i < N_TYPES; i++)
		if (!strcmp(types[i]->name, name))
			return types[i];
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
	int i;

	for (i = 0; i < FT_FARS; i++)
		if (!strcmp(far_texts[i], text)) {
			*far = (enum ft_far)i;
			return true;
		}
	return false;
}

static enum ft_status check_share(const char *name, double share, struct ft_err *err)
{
	if (share > 0 && share < 1)
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "the %s %g is not between 0 and 1", name, share);
	return ft_remedy(err, "give a share such as 5%% or 0.05");
}

static enum ft_status check(const struct ft_build_options *options, struct ft_err *err)
{
	struct ft__grid grid;
	enum ft_status status = ft__grid_init(&grid, &options->space, err);

	if (!status)
		status = check_share("tolerance", options->tolerance, err);
	if (!status)
		status = check_share("confidence", options->confidence, err);
	return status;
}

enum ft_status ft_builder_new(struct ft_builder **out, const struct ft_builder_type *type,
			      const struct ft_build_options *options, struct ft_err *err)
{
	enum ft_status status = check(options, err);
	struct ft_builder *builder;

	*out = NULL;
	if (status)
		return status;
	builder = ft_calloc(1, sizeof *builder);
	if (!builder)
		return ft_nomem(err);
	builder->type = type;
	builder->options = *options;
	status = type->init(&builder->state, options, err);
	if (status)
		ft_free(builder);
	else
		*out = builder;
	return status;
}

void ft_builder_free(struct ft_builder *builder)
{
	if (!builder)
		return;
	builder->type->free(builder->state);
	ft_free(builder);
}

void ft_builder_price(struct ft_builder *builder, double each_s, double stretch)
{
	if (builder->type->price)
		builder->type->price(builder->state, each_s, stretch);
}

size_t ft_builder_ask(struct ft_builder *builder, double *sizes, size_t most)
{
	assert(most >= 1);
	return builder->type->ask(builder->state, sizes, most);
}

void ft_builder_gain(struct ft_builder *builder, struct ft_build_gain *out)
{
	*out = (struct ft_build_gain){.size = NAN};
	if (builder->type->gain)
		builder->type->gain(builder->state, out);
}

enum ft_status ft_builder_tell(struct ft_builder *builder, double x, const double *seconds, size_t n,
			       struct ft_err *err)
{
	const struct ft_build_options *options = &builder->options;
	double work = 1;
	size_t i;

	if (!(x >= options->space.least && x <= options->space.most))
		return ft_fail(err, FT_EINVAL, "the size %.12g is outside the range %.12g:%.12g", x,
			       options->space.least, options->space.most);
	for (i = 0; i < n; i++)
		if (!(seconds[i] > 0 && isfinite(seconds[i])))
			return ft_fail(err, FT_EINVAL, "time %zu of size %.12g is %g, not a positive number",
				       i + 1, x, seconds[i]);
	if (n && options->work)
		work = options->work(options->work_ctx, x);
	if (!(work > 0 && isfinite(work))) {
		(void)ft_fail(err, FT_EINVAL, "the work at size %.12g is %g, not a positive number", x, work);
		return ft_remedy(err, "give a work expression that is positive over the whole range");
	}
	return builder->type->tell(builder->state, x, seconds, n, err);
}

enum ft_stop ft_builder_stop(const struct ft_builder *builder)
{
	return builder->type->stop(builder->state);
}
