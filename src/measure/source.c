/* SPDX-License-Identifier: GPL-3.0-or-later */
/* source.c - where runs come from: the calls that are the same for every kind of source. */
#include "measure/source.h"
#include "base/alloc.h"

#include <assert.h>

void ft_source_close(struct ft_source *source)
{
	if (!source)
		return;
	ft_free(source->sizes);
	source->sizes = NULL;
	for (size_t i = 0; i < FT_PARAMS_MAX; i++)
		ft_free(source->other[i]);
	source->n_sizes = 0;
	source->ops->close(source);
}

size_t ft_source_sizes(const struct ft_source *source, const double **sizes)
{
	*sizes = source->sizes;
	return source->n_sizes;
}

size_t ft_source_sizes_of(const struct ft_source *source, size_t param, const double **sizes)
{
	assert(param < FT_PARAMS_MAX);
	if (source->n_sizes && param == source->sizes_param)
		return ft_source_sizes(source, sizes);
	*sizes = source->other[param];
	return source->n_other[param];
}

bool ft_source_is_live(const struct ft_source *source)
{
	return source->ops->live;
}

void ft_source_interrupt(struct ft_source *source, const volatile sig_atomic_t *flag)
{
	source->interrupt = flag;
}

void ft_source_frozen(struct ft_source *source, double (*heard_s)(void *ctx), void *ctx)
{
	source->frozen = (struct ft__frozen){heard_s, ctx};
}

enum ft_status ft_source_run(struct ft_source *source, const struct ft_size *size, size_t index,
			     double limit_s, struct ft_runs *runs, struct ft_err *err)
{
	assert(source && runs);
	assert(size && size->n <= FT_PARAMS_MAX);
	return source->ops->run(source, size, index, limit_s, runs, err);
}
