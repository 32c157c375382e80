/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oracle.c - a source of runs that a function makes up: builders and sweeps are tested against known curves.
 */
#include "measure/source.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/random.h"

#include <math.h>

struct oracle {
	struct ft_source source;
	double (*seconds)(void *ctx, const struct ft_size *size);
	void *ctx;
	double noise;
	uint64_t seed;
};

/* The noise of a run depends on seed, size and index alone: builders that ask in different orders see one
 * world. */
static double noise_factor(const struct oracle *oracle, const struct ft_size *size, size_t index)
{
	uint64_t key[2] = {oracle->seed, index};
	uint64_t hash = ft_hash_bytes(FT_HASH_START, key, sizeof key);
	struct ft_random random = {ft_hash_bytes(hash, size->value, size->n * sizeof *size->value)};

	return oracle->noise > 0 ? exp(oracle->noise * ft_random_normal(&random)) : 1;
}

static void set_outcome(const struct oracle *oracle, double limit_s, double wall_s, struct ft_run *run)
{
	bool interrupted = oracle->source.interrupt && *oracle->source.interrupt;

	if (interrupted) {
		run->outcome = FT_INTERRUPTED;
	} else if (isnan(wall_s)) {
		run->outcome = FT_INVALID;
	} else if (wall_s <= 0 || (isinf(wall_s) && limit_s <= 0)) {
		run->outcome = FT_FAILED;
		run->exit_status = 1;
	} else if (limit_s > 0 && wall_s > limit_s) {
		run->outcome = FT_TIMED_OUT;
		run->cost_s = limit_s;
	} else {
		run->outcome = FT_DONE;
		run->cost_s = wall_s;
	}
}

static enum ft_status oracle_run(struct ft_source *source, const struct ft_size *size, size_t index,
				 double limit_s, struct ft_runs *runs, struct ft_err *err)
{
	struct oracle *oracle = (struct oracle *)source;
	double wall_s = oracle->seconds(oracle->ctx, size) * noise_factor(oracle, size, index);
	struct ft_run run;

	ft_run_init(&run);
	run.size = *size;
	set_outcome(oracle, limit_s, wall_s, &run);
	if ((run.outcome == FT_DONE || run.outcome == FT_TIMED_OUT) &&
	    ft_run_add(&run, &ft_wall_s, run.cost_s, FT_SIMULATED, "oracle", NULL, err))
		return FT_ENOMEM;
	return ft_runs_take(runs, &run, err);
}

static void oracle_close(struct ft_source *source)
{
	ft_free(source);
}

static const struct ft_source_ops oracle_ops = {.name = "oracle", .run = oracle_run, .close = oracle_close};

enum ft_status ft_source_open_oracle(struct ft_source **out,
				     double (*seconds)(void *ctx, const struct ft_size *size), void *ctx,
				     double noise, uint64_t seed, struct ft_err *err)
{
	struct oracle *oracle = ft_calloc(1, sizeof *oracle);

	*out = NULL;
	if (!oracle)
		return ft_nomem(err);
	*oracle = (struct oracle){{.ops = &oracle_ops}, seconds, ctx, noise, seed};
	*out = &oracle->source;
	return FT_OK;
}
