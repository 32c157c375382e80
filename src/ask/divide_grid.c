/* SPDX-License-Identifier: GPL-3.0-or-later */
/* divide_grid.c - a grid of blocks divided into a rectangle for each processor. */
#include "ask/divide.h"
#include "base/alloc.h"

/* What each processor takes for an area in blocks; at: room for the knots of all groups. The share of one
 * unit, which is no block, is left out. */
static void count_blocks(const struct ft_divide *d, int64_t *at, struct ft_plan_times *times)
{
	const int64_t step = ft__divide_step(d);
	const size_t skip = step > 1;
	size_t k = 0, n = 0;

	for (size_t i = 0; i < d->n; i++) {
		const struct ft_cost *cost = &d->group[i].cost;
		size_t first = n;

		for (size_t j = skip; j < cost->n; j++)
			at[n++] = cost->at[j] / step;
		for (size_t j = 0; j < d->group[i].count; j++)
			times[k++] = (struct ft_plan_times){
				.n = n - first, .at = at + first, .time_s = cost->value + skip};
	}
}

/* times: [p] room. */
static enum ft_status divide_grid(const struct ft_divide *d, int64_t rows, int64_t columns, int64_t *at,
				  struct ft_plan_times *times, struct ft_plan_tile *tile,
				  struct ft_grid *grid, struct ft_division *out, struct ft_err *err)
{
	count_blocks(d, at, times);
	enum ft_status status = ft_plan_grid(times, out->p, rows, columns, tile, grid, err);
	if (status == FT_EINVAL && err && !err->remedy[0])
		(void)ft_remedy(err, "a grid is divided by models whose times never fall; without --grid any "
				     "will do");
	if (status || isinf(grid->plan.value))
		return status;
	out->time_s = 0;
	for (size_t k = 0; k < out->p; k++) {
		int64_t blocks = tile[k].width * tile[k].height;

		out->share[k].units = blocks * ft__divide_step(d);
		out->share[k].time_s = blocks ? ft_plan_time(&times[k], blocks) : 0;
		out->time_s = fmax(out->time_s, out->share[k].time_s);
	}
	return FT_OK;
}

enum ft_status ft_divide_grid(struct ft_divide *d, int64_t rows, int64_t columns, struct ft_plan_tile *tile,
			      struct ft_grid *grid, struct ft_division *out, struct ft_err *err)
{
	enum ft_status status;
	size_t n = 0;

	if (rows < 1 || columns < 1 || rows > d->total / columns || d->total % ft__divide_step(d) ||
	    rows * columns != d->total / ft__divide_step(d))
		return ft_fail(err, FT_EINVAL, "%lld x %lld blocks of %lld units are not %lld",
			       (long long)rows, (long long)columns, (long long)ft__divide_step(d),
			       (long long)d->total);
	for (size_t i = 0; i < d->n; i++)
		n += d->group[i].cost.n;
	int64_t *at = ft_calloc(n, sizeof *at);
	struct ft_plan_times *times = ft_calloc(out->p, sizeof *times);
	if (at && times)
		status = divide_grid(d, rows, columns, at, times, tile, grid, out, err);
	else
		status = ft_nomem(err);
	ft_free(at);
	ft_free(times);
	return status;
}
