/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory.c - the memory that a run is expected to need, from the runs of a sweep so far. */
#include "sweep/sweep.h"
#include "base/alloc.h"

#include <math.h>

/* A model of memory needs so many runs. */
enum { RUNS_LEAST = 3 };

/* All that the run and its children held at once; else the largest of them. */
static double bytes_of(const struct ft_run *run)
{
	double tree = ft_run_value(run, "peak_tree_bytes");

	return tree > 0 ? tree : ft_run_value(run, "peak_rss_bytes");
}

enum ft_status ft__memory_add(struct ft__sweep *sweep, double x, const struct ft_run *run, struct ft_err *err)
{
	struct ft_observation *grown;
	double bytes = bytes_of(run);

	if (!(bytes > 0))
		return FT_OK;
	grown = ft_grow(sweep->memory, sweep->n_memory, &sweep->memory_capacity, sizeof *grown);
	if (!grown)
		return ft_nomem(err);
	sweep->memory = grown;
	sweep->memory[sweep->n_memory++] = (struct ft_observation){x, 1, bytes};
	return FT_OK;
}

double ft__memory_at(void *ctx, double x)
{
	const struct ft__sweep *sweep = ctx;
	struct ft_model model;
	struct ft_prediction p;
	double bytes = NAN;

	if (sweep->n_memory < RUNS_LEAST ||
	    ft_model_fit(&model, sweep->memory, sweep->n_memory, false, FT_JOIN_BEST, NULL))
		return NAN;
	if (!ft_model_predict(&model, x, NAN, 0.9, &p, NULL))
		bytes = p.upper;
	ft_model_clear(&model);
	return bytes;
}
