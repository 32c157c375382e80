/* SPDX-License-Identifier: GPL-3.0-or-later */
/* naive.c - the naive builder: equidistant sizes, all asked at once (000 section 3: what GBBP is compared
 * with). */
#include "base/alloc.h"
#include "build/points.h"
#include "build/types.h"

struct naive {
	struct ft__line_options options;
	struct ft__grid grid;
	struct ft__points points;
	size_t *plan; /* [n] numbers of the sizes, ascending */
	size_t n;
	bool fewer; /* the space has fewer sizes than were wanted */
};

/* a + i (b - a) / (n - 1); the document's own set has n + 1 sizes. */
static double equidistant(const struct ft__grid *grid, size_t i, size_t n)
{
	double a = grid->space.least, b = grid->space.most;

	return n == 1 ? a : a + (b - a) * (double)i / (double)(n - 1);
}

static void naive_free(void *state)
{
	struct naive *naive = state;

	if (!naive)
		return;
	ft__points_clear(&naive->points);
	ft_free(naive->plan);
	ft_free(naive);
}

static enum ft_status make_plan(struct naive *naive, size_t wanted, struct ft_err *err)
{
	const struct ft__grid *grid = &naive->grid;
	size_t i, n = wanted < grid->count ? wanted : grid->count;

	naive->plan = ft_calloc(n, sizeof *naive->plan);
	if (!naive->plan)
		return ft_nomem(err);
	for (i = 0; i < n; i++) {
		size_t index = n == grid->count ? i : ft__grid_snap(grid, equidistant(grid, i, n));

		if (!naive->n || naive->plan[naive->n - 1] < index)
			naive->plan[naive->n++] = index;
	}
	naive->fewer = naive->n < wanted;
	return FT_OK;
}

static enum ft_status naive_init(void **state, const struct ft__line_options *options, struct ft_err *err)
{
	struct naive *naive = ft_calloc(1, sizeof *naive);
	enum ft_status status;

	*state = NULL;
	if (!naive)
		return ft_nomem(err);
	naive->options = *options;
	status = ft__grid_init(&naive->grid, &options->space, err);
	if (!status)
		status =
			make_plan(naive, options->user.points ? options->user.points : FT__USUAL_POINTS, err);
	if (status)
		naive_free(naive);
	else
		*state = naive;
	return status;
}

static size_t naive_ask(void *state, double *sizes, size_t most)
{
	struct naive *naive = state;
	size_t i, n = 0;

	for (i = 0; i < naive->n && n < most; i++)
		if (!ft__points_told(&naive->points, naive->plan[i]))
			sizes[n++] = ft__grid_value(&naive->grid, naive->plan[i]);
	return n;
}

static enum ft_status naive_tell(void *state, double x, const struct ft_build_told *told, struct ft_err *err)
{
	struct naive *naive = state;

	if (!ft__points_reserve(&naive->points, naive->points.n + 1))
		return ft_nomem(err);
	ft__points_tell(&naive->points, &naive->grid, &naive->options, x, told);
	return FT_OK;
}

static enum ft_stop naive_stop(const void *state)
{
	const struct naive *naive = state;
	size_t i, good = 0;

	for (i = 0; i < naive->n; i++)
		good += ft__points_good(&naive->points, naive->plan[i]);
	return naive->fewer || !good ? FT_STOP_EXHAUSTED : FT_STOP_POINTS;
}

const struct ft__row ft__builder_naive = {
	.type = {.name = "naive",
		 .about = "equidistant sizes, 20 unless --points says otherwise",
		 .tolerance = 0.05,
		 .tops = true},
	.points_each = true,
	.line = {.init = naive_init,
		 .ask = naive_ask,
		 .tell = naive_tell,
		 .stop = naive_stop,
		 .free = naive_free},
	.several = &ft__plan_span,
};
