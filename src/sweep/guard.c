/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guard.c - memory in a sweep: the size at which a run was killed for it, beyond which nothing is run; and
 * what runs need, for those that need too much are left out. */
#include "sweep/sweep.h"
#include "base/alloc.h"

#include <math.h>

void ft__guard_begin(struct ft_sweep *sweep)
{
	double bytes;

	sweep->good = -INFINITY;
	if (ft__is_here(sweep) && !ft_memory_limit_bytes("", &bytes, NULL, NULL))
		sweep->memory_limit_bytes = bytes;
}

void ft__guard_end(struct ft_sweep *sweep)
{
	ft_free(sweep->need);
	ft_free(sweep->kill);
	ft_free(sweep->memory);
	ft_model_free(sweep->memory_model);
	sweep->memory_model = NULL;
	sweep->memory = NULL;
	sweep->need = NULL;
	sweep->kill = NULL;
	sweep->n_needs = sweep->n_kills = 0;
}

/* Enter what a run needed at x: the most of all runs there. */
static enum ft_status add_need(struct ft_sweep *sweep, double x, double bytes, struct ft_err *err)
{
	size_t i = sweep->n_needs;

	while (i && sweep->need[i - 1].x > x)
		i--;
	if (i && sweep->need[i - 1].x == x) {
		sweep->need[i - 1].bytes = fmax(sweep->need[i - 1].bytes, bytes);
		return FT_OK;
	}
	struct ft__need *grown = ft_grow(sweep->need, sweep->n_needs, &sweep->needs_capacity, sizeof *grown);
	if (!grown)
		return ft_nomem(err);
	sweep->need = grown;
	for (size_t j = sweep->n_needs++; j > i; j--)
		grown[j] = grown[j - 1];
	grown[i] = (struct ft__need){x, bytes};
	return FT_OK;
}

/* The model of what runs needed; without one nothing is too large. */
static enum ft_status fit_memory(struct ft_sweep *sweep, struct ft_err *err)
{
	const struct ft_model_options options = {
		.axis = sweep->axis, .n_axes = sweep->n_axes, .prior = ft_store_prior(sweep->store)};
	struct ft_model *model;

	if (!sweep->n_memory)
		return FT_OK;
	FT_TRY(ft_model_fit(&model, sweep->memory, sweep->n_memory, &options, err));
	ft_model_free(sweep->memory_model);
	sweep->memory_model = model;
	return FT_OK;
}

/* The law of what runs need takes a while to find: it stands as long as it foretells them so well. */
static const double foretold_to = 0.02;

static bool is_foretold(const struct ft_sweep *sweep, const struct ft_size *size, double bytes)
{
	return fabs(ft__guard_need(sweep, size) - bytes) <= foretold_to * bytes;
}

/* Enter what a run at a size of several parameters needed: the most of all runs there. fit: now. */
static enum ft_status add_memory(struct ft_sweep *sweep, const struct ft_run *run, bool fit,
				 struct ft_err *err)
{
	double bytes = ft_run_footprint(run);

	if (!(sweep->options.memory_bytes > 0) || run->outcome != FT_DONE || !(bytes > 0))
		return FT_OK;
	for (size_t i = 0; i < sweep->n_memory; i++)
		if (ft_size_equal(&sweep->memory[i].size, &run->size)) {
			sweep->memory[i].value = fmax(sweep->memory[i].value, bytes);
			return FT_OK;
		}
	struct ft_observation *grown =
		ft_grow(sweep->memory, sweep->n_memory, &sweep->memory_capacity, sizeof *grown);
	if (!grown)
		return ft_nomem(err);
	sweep->memory = grown;
	grown[sweep->n_memory++] = (struct ft_observation){.size = run->size, .work = 1, .value = bytes};
	return fit && !is_foretold(sweep, &run->size, bytes) ? fit_memory(sweep, err) : FT_OK;
}

/* So many times what the machine has is not run: a little more pages, or is killed, and that is worth knowing
 * (000 section 3); much more only harms. */
static const double over_most = 4;

double ft__guard_need(const struct ft_sweep *sweep, const struct ft_size *size)
{
	struct ft_prediction need = {.value = NAN};

	if (sweep->n_axes <= 1)
		return ft__need_at(sweep->need, sweep->n_needs, size->value[sweep->varying]);
	if (!sweep->memory_model || ft_model_predict(sweep->memory_model, size, 1, 0.9, &need, NULL))
		return NAN;
	return need.value;
}

bool ft__guard_too_large(const struct ft_sweep *sweep, const struct ft_size *size)
{
	if (sweep->n_axes > 1 || (sweep->options.memory_bytes > 0 && ft__builder_repeats(sweep)))
		return ft__guard_need(sweep, size) > sweep->options.memory_bytes;
	return sweep->memory_limit_bytes > 0 && ft__builder_repeats(sweep) &&
	       ft__guard_need(sweep, size) > over_most * sweep->memory_limit_bytes;
}

enum ft_status ft__guard_add(struct ft_sweep *sweep, const struct ft_run *run, struct ft_err *err)
{
	double bytes = ft_run_footprint(run), x = run->size.value[sweep->varying], *grown;

	/* Of runs that were killed over several parameters the runs themselves tell: ft__guard_closes. */
	if (sweep->n_axes > 1)
		return add_memory(sweep, run, true, err);
	if (run->outcome == FT_DONE) {
		sweep->good = fmax(sweep->good, x);
		return isnan(bytes) ? FT_OK : add_need(sweep, x, bytes, err);
	}
	if (run->outcome != FT_OUT_OF_MEMORY)
		return FT_OK;
	grown = ft_grow(sweep->kill, sweep->n_kills, &sweep->kills_capacity, sizeof *grown);
	if (!grown)
		return ft_nomem(err);
	sweep->kill = grown;
	grown[sweep->n_kills++] = x;
	return FT_OK;
}

enum ft_status ft__guard_known(struct ft_sweep *sweep, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < sweep->known.n && !status; i++) {
		const struct ft_run *run = &sweep->known.run[i];
		bool same = run->size.n == sweep->fixed.n;

		if (sweep->n_axes > 1) {
			status = add_memory(sweep, run, false, err);
			continue;
		}
		for (size_t j = 0; j < run->size.n && same; j++)
			same = j == sweep->varying || run->size.value[j] == sweep->fixed.value[j];
		if (same)
			status = ft__guard_add(sweep, run, err);
	}
	return status ? status : fit_memory(sweep, err);
}

double ft__guard_killed(const struct ft_sweep *sweep)
{
	double killed = NAN;

	for (size_t i = 0; i < sweep->n_kills; i++)
		if (sweep->kill[i] > sweep->good)
			killed = fmin(killed, sweep->kill[i]); /* fmin passes over NaN */
	return killed;
}

static bool is_beyond(const struct ft_size *size, const struct ft_size *killed)
{
	for (size_t i = 0; i < size->n && i < killed->n; i++)
		if (size->value[i] < killed->value[i])
			return false;
	return true;
}

bool ft__guard_closes(const struct ft_sweep *sweep, const struct ft_size *size)
{
	if (sweep->n_axes <= 1 && size->value[sweep->varying] >= ft__guard_killed(sweep))
		return true;
	if (ft__guard_too_large(sweep, size))
		return true;
	if (sweep->n_axes <= 1)
		return false;
	for (size_t i = 0; i < sweep->known.n; i++)
		if (sweep->known.run[i].outcome == FT_OUT_OF_MEMORY &&
		    is_beyond(size, &sweep->known.run[i].size))
			return true;
	for (size_t i = 0; i < sweep->report.n_sizes; i++)
		if (sweep->report.size[i].failed && sweep->report.size[i].failure == FT_OUT_OF_MEMORY &&
		    is_beyond(size, &sweep->report.size[i].size))
			return true;
	return false;
}
