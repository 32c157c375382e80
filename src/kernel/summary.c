/* SPDX-License-Identifier: GPL-3.0-or-later */
/* summary.c - from what was carried out to features. */
#include "base/alloc.h"
#include "kernel/features.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double scale_of(const struct ft__all *all)
{
	return all->groups / (double)all->done;
}

static void tell_counts(struct ft_kernel_features *out, const struct ft__all *all)
{
	const struct ft__run *run = &all->run;
	double scale = scale_of(all);

	for (size_t i = 0; i < run->kernel->n_blocks; i++)
		for (size_t k = 0; k < FT_KERNEL_COUNTS && run->visits[i] > 0; k++)
			out->count[k] += run->visits[i] * (double)run->kernel->block[i].count[k] * scale;
	out->traced = run->touches > 0 ? run->touches_kept / run->touches : 1;
	if (!run->trace && run->touches > 0)
		out->traced = 0;
	for (size_t i = 0; i < all->trace.n_accesses && out->traced > 0; i++) {
		out->count[FT_KERNEL_WARP_ACCESS] += all->trace.pattern[i].warps * scale / out->traced;
		out->count[FT_KERNEL_SECTOR] += all->trace.pattern[i].sectors * scale / out->traced;
	}
	if (!(out->traced > 0))
		out->count[FT_KERNEL_WARP_ACCESS] = out->count[FT_KERNEL_SECTOR] = NAN;
}

static void tell_shape(struct ft_kernel_features *out, const struct ft__all *all)
{
	out->work_items = 1;
	for (int i = 0; i < FT_KERNEL_DIMS; i++) {
		out->global[i] = (double)all->run.global[i];
		out->local[i] = (double)all->run.local[i];
		out->work_items *= out->global[i];
	}
	out->groups = all->groups;
	out->groups_run = all->done;
	out->error = all->error;
	out->steps = all->run.steps;
	out->local_bytes = all->local_bytes;
}

static const char *met_what(const struct ft__run *run, const struct ft__instruction *op,
			    enum ft_kernel_note note)
{
	int buffer = run->met_buffer[op - run->kernel->op];

	if (note == FT_KERNEL_NOTE_OUTSIDE && buffer >= 0)
		return run->memory.buffer[buffer].name;
	if (note == FT_KERNEL_NOTE_CALL && op->name >= 0)
		return run->kernel->called[op->name];
	return "";
}

/* One entry for each kind and line. */
static enum ft_status add_met(struct ft_kernel_features *out, size_t *capacity, struct ft_kernel_met met,
			      struct ft_err *err)
{
	for (size_t i = 0; i < out->n_met; i++)
		if (out->met[i].note == met.note && out->met[i].line == met.line &&
		    !strcmp(out->met[i].what, met.what)) {
			out->met[i].times += met.times;
			return FT_OK;
		}
	struct ft_kernel_met *grown = ft_grow(out->met, out->n_met, capacity, sizeof *grown);
	if (!grown)
		return ft_nomem(err);
	out->met = grown;
	out->met[out->n_met++] = met;
	return FT_OK;
}

static enum ft_status tell_met(struct ft_kernel_features *out, const struct ft__run *run, struct ft_err *err)
{
	size_t capacity = 0;
	enum ft_status status = FT_OK;

	out->decided = true;
	for (int note = 0; note < FT_KERNEL_NOTES; note++)
		for (size_t i = 0; i < run->kernel->n_ops && !status; i++) {
			const struct ft__instruction *op = &run->kernel->op[i];
			struct ft_kernel_met met = {(enum ft_kernel_note)note, op->line, run->met[note][i],
						    ""};

			if (!(met.times > 0))
				continue;
			if (note <= FT_KERNEL_NOTE_BARRIER_DIVERGES)
				out->decided = false;
			(void)snprintf(met.what, sizeof met.what, "%s", met_what(run, op, met.note));
			status = add_met(out, &capacity, met, err);
		}
	return status;
}

static double executions_of(const struct ft__run *run, size_t op)
{
	const struct ft_kernel *kernel = run->kernel;

	for (size_t i = 0; i < kernel->n_blocks; i++)
		if (op >= kernel->block[i].first && op < kernel->block[i].first + kernel->block[i].n)
			return run->visits[i];
	return 0;
}

static struct ft_kernel_access access_of(const struct ft__all *all, size_t i)
{
	const struct ft__run *run = &all->run;
	const struct ft__instruction *op = &run->kernel->op[i];
	const struct ft__pattern *pattern = &all->trace.pattern[op->access];
	struct ft_kernel_access access = {.line = op->line, .store = op->store, .bytes = op->bytes};

	access.times = executions_of(run, i) * scale_of(all);
	access.stride = pattern->pairs > 0 ? (double)pattern->stride : NAN;
	access.same = pattern->pairs > 0 ? pattern->same / pattern->pairs : NAN;
	access.step = pattern->step;
	access.sectors = pattern->warps > 0 ? pattern->sectors / pattern->warps : NAN;
	if (pattern->buffer >= 0)
		(void)snprintf(access.buffer, sizeof access.buffer, "%s",
			       run->memory.buffer[pattern->buffer].name);
	return access;
}

static enum ft_status tell_accesses(struct ft_kernel_features *out, const struct ft__all *all,
				    struct ft_err *err)
{
	const struct ft_kernel *kernel = all->run.kernel;

	if (!kernel->n_accesses)
		return FT_OK;
	out->access = ft_calloc(kernel->n_accesses, sizeof *out->access);
	if (!out->access)
		return ft_nomem(err);
	for (size_t i = 0; i < kernel->n_ops; i++)
		if (kernel->op[i].access >= 0 && executions_of(&all->run, i) > 0)
			out->access[out->n_accesses++] = access_of(all, i);
	return FT_OK;
}

static enum ft_status tell_calls(struct ft_kernel_features *out, const struct ft__all *all,
				 struct ft_err *err)
{
	const struct ft_kernel *kernel = all->run.kernel;
	size_t k;

	if (!kernel->n_called)
		return FT_OK;
	out->call = ft_calloc(kernel->n_called, sizeof *out->call);
	if (!out->call)
		return ft_nomem(err);
	for (size_t i = 0; i < kernel->n_ops; i++) {
		const struct ft__instruction *op = &kernel->op[i];

		if (op->opcode != FT__CALL || op->builtin->kind != FT__MATH)
			continue;
		double times = executions_of(&all->run, i) * scale_of(all);
		for (k = 0; k < out->n_calls && strcmp(out->call[k].name, kernel->called[op->name]) != 0; k++)
			;
		if (k == out->n_calls && times > 0)
			(void)snprintf(out->call[out->n_calls++].name, FT_KERNEL_NAME, "%s",
				       kernel->called[op->name]);
		if (times > 0)
			out->call[k].times += times;
	}
	return FT_OK;
}

enum ft_status ft__features_tell(struct ft_kernel_features *out, const struct ft__all *all,
				 struct ft_err *err)
{
	enum ft_status status = tell_met(out, &all->run, err);

	tell_counts(out, all);
	tell_shape(out, all);
	out->exact = out->decided && (double)all->done == all->groups;
	out->misses_rule = out->misses_replay = NAN;
	if (out->traced > 0) {
		out->misses_rule = ft__misses_rule(&all->trace, all->options, scale_of(all) / out->traced);
		out->misses_replay = all->trace.cache.misses * scale_of(all) / out->traced;
	}
	if (!status)
		status = tell_accesses(out, all, err);
	return status ? status : tell_calls(out, all, err);
}
