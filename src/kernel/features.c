/* SPDX-License-Identifier: GPL-3.0-or-later */
/* features.c - selects work-groups to execute, and extrapolates from them to the whole launch. */
#include "base/alloc.h"
#include "base/random.h"
#include "foretime/kernel.h"
#include "kernel/kernel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Names of counts and of notes.
 */

static const struct {
	const char *name, *about;
} counts[] = {
#define ROW(NAME, key, about) {#key, about},
	FT_KERNEL_COUNT_LIST(ROW)
#undef ROW
};

static const struct {
	const char *word, *about;
} notes[] = {
#define ROW(NAME, word, about) {#word, about},
	FT_KERNEL_NOTE_LIST(ROW)
#undef ROW
};

const char *ft_kernel_count_name(size_t count)
{
	return count < FT_KERNEL_COUNTS ? counts[count].name : NULL;
}

const char *ft_kernel_count_about(size_t count)
{
	return count < FT_KERNEL_COUNTS ? counts[count].about : NULL;
}

const char *ft_kernel_note_word(enum ft_kernel_note note)
{
	return notes[note].word;
}

const char *ft_kernel_note_about(enum ft_kernel_note note)
{
	return notes[note].about;
}

double ft_kernel_operations(const double count[FT_KERNEL_COUNTS])
{
	double all = 0;

	for (int i = 0; i <= FT_KERNEL_CONVERT; i++)
		all += count[i];
	return all;
}

/*
 * Turn execution counts into features.
 */

static double scale_of(const struct ft__all *all)
{
	return all->groups / (double)all->done;
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

static double executions_of(const struct ft__run *run, size_t op)
{
	const struct ft_kernel *kernel = run->kernel;

	for (size_t i = 0; i < kernel->n_blocks; i++)
		if (op >= kernel->block[i].first && op < kernel->block[i].first + kernel->block[i].n)
			return run->visits[i];
	return 0;
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
		if (kernel->op[i].access >= 0 && executions_of(&all->run, i) > 0) {
			const struct ft__run *run = &all->run;
			const struct ft__instruction *op = &run->kernel->op[i];
			const struct ft__pattern *pattern = &all->trace.pattern[op->access];
			struct ft_kernel_access access = {
				.line = op->line, .store = op->store, .bytes = op->bytes};

			access.times = executions_of(run, i) * scale_of(all);
			access.stride = pattern->pairs > 0 ? (double)pattern->stride : NAN;
			access.same = pattern->pairs > 0 ? pattern->same / pattern->pairs : NAN;
			access.step = pattern->step;
			access.sectors = pattern->warps > 0 ? pattern->sectors / pattern->warps : NAN;
			if (pattern->buffer >= 0)
				(void)snprintf(access.buffer, sizeof access.buffer, "%s",
					       run->memory.buffer[pattern->buffer].name);
			out->access[out->n_accesses++] = access;
		}
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

/* features_tell - out: cleared on failure by the caller. Returns FT_OK; FT_ENOMEM. */
static enum ft_status features_tell(struct ft_kernel_features *out, const struct ft__all *all,
				    struct ft_err *err)
{
	size_t capacity = 0;
	enum ft_status status = FT_OK;

	out->decided = true;
	for (int note = 0; note < FT_KERNEL_NOTES; note++)
		for (size_t i = 0; i < all->run.kernel->n_ops && !status; i++) {
			const struct ft__instruction *op = &all->run.kernel->op[i];
			struct ft_kernel_met met = {(enum ft_kernel_note)note, op->line,
						    all->run.met[note][i], ""};

			if (!(met.times > 0))
				continue;
			if (note <= FT_KERNEL_NOTE_BARRIER_DIVERGES)
				out->decided = false;
			(void)snprintf(met.what, sizeof met.what, "%s", met_what(&all->run, op, met.note));
			status = add_met(out, &capacity, met, err);
		}
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

/*
 * Selects work-groups to execute, and extrapolates from them to the whole launch.
 */

enum { TOUCHES_MOST = 1 << 22 }; /* of a group between barriers: 64 MiB */

struct ft_kernel_options ft_kernel_options_default(void)
{
	return (struct ft_kernel_options){.groups = 64,
					  .seed = 1,
					  .steps = 1e8,
					  .trips = 8,
					  .warp = 32,
					  .line = 64,
					  .cache = 32 << 10,
					  .ways = 8};
}

/* A step that visits each of n places, and that the first few visits lie evenly with: n over the golden
 * ratio, with no divisor in common with n. */
static size_t even_step(size_t n)
{
	size_t step = (size_t)((double)n * 0.6180339887498949), a, b;

	for (step = step ? step : 1;; step++) {
		for (a = n, b = step; b;) {
			size_t rest = a % b;

			a = b;
			b = rest;
		}
		if (a == 1)
			return step;
	}
}

/* With more parts their single counts are not kept: they are close enough. */
enum { WEIGHED_MOST = 4096 };

/* From how much groups of neighbouring parts differ: of a smooth course that is what the draw adds. */
static double error_of_draw(const double *part, size_t strata, size_t done)
{
	double sum = 0, square = 0, last = NAN;

	for (size_t i = 0; i < strata; i++) {
		if (isnan(part[i]))
			continue;
		sum += part[i];
		if (!isnan(last))
			square += (part[i] - last) * (part[i] - last);
		last = part[i];
	}
	if (done < 2 || !(sum > 0))
		return NAN;
	return sqrt(square / (2 * (double)(done - 1)) / (double)done) / (sum / (double)done);
}

/* Some groups, until the instructions are used up. */
static enum ft_status run_groups(struct ft__all *all, const int64_t *number, const size_t *stratum,
				 size_t strata, double *part, struct ft_err *err)
{
	struct ft__run *run = &all->run;
	double before = 0;
	size_t i;

	for (i = 0; i < strata; i++)
		part[i] = NAN;
	for (i = 0; i < strata; i++) {
		if (i && run->steps + run->steps / (double)i > run->steps_most)
			break;
		memcpy(all->visits, run->visits, sizeof *run->visits * run->kernel->n_blocks);
		bool ended = ft__group_run(run, number[stratum[i]], ft__trace_phase, &all->trace);
		if (run->no_memory || all->trace.failed)
			return ft_nomem(err);
		if (!ended) {
			memcpy(run->visits, all->visits, sizeof *run->visits * run->kernel->n_blocks);
			break;
		}
		for (size_t b = 0; all->each && b < run->kernel->n_blocks; b++)
			all->each[stratum[i] * run->kernel->n_blocks + b] = run->visits[b] - all->visits[b];
		double now = 0;

		for (size_t j = 0; j < run->kernel->n_blocks; j++)
			for (int k = 0; k <= FT_KERNEL_CONVERT && run->visits[j] > 0; k++)
				now += run->visits[j] * (double)run->kernel->block[j].count[k];
		part[stratum[i]] = now - before;
		before = now;
	}
	if (!i) {
		(void)ft_fail(err, FT_EINVAL,
			      "kernel %s did not end a group within %g instructions; it was at line %d",
			      run->kernel->name, run->steps_most, run->stopped_line);
		(void)ft_remedy(err, "where that is no loop without end, allow more with --effort N");
		return FT_EINVAL;
	}
	all->done = i;
	return FT_OK;
}

/* If the instructions ran out, each group represents the part of the launch that is nearer to it than to
 * another one: counts equal in all groups stay exact. The triangle of test/kernel/data/sampled.cl, 96
 * groups of which 10 were executed, 12 draws: an error of 12.8 % at most without, 2.7 % with. */
static void weigh_groups(struct ft__all *all, const int64_t *number, const double *part, size_t strata)
{
	size_t blocks = all->run.kernel->n_blocks, i, next;
	double from = 0;

	memset(all->run.visits, 0, blocks * sizeof *all->run.visits);
	for (i = 0; i < strata && isnan(part[i]); i++)
		;
	for (; i < strata; i = next) {
		for (next = i + 1; next < strata && isnan(part[next]); next++)
			;
		double to = next < strata ? (double)(number[i] + number[next] + 1) / 2 : all->groups;
		double weight = (to - from) * (double)all->done / all->groups;
		for (size_t b = 0; b < blocks; b++)
			all->run.visits[b] += weight * all->each[i * blocks + b];
		from = to;
	}
}

static enum ft_status sample_groups(struct ft__all *all, size_t strata, bool in_order, struct ft_err *err)
{
	double groups = all->groups, *part = ft_malloc(sizeof *part * strata);
	int64_t *number = ft_malloc(sizeof *number * strata);
	size_t *stratum = ft_malloc(sizeof *stratum * strata), i;
	enum ft_status status = FT_OK;

	if (!in_order && strata <= WEIGHED_MOST)
		all->each = ft_calloc(strata * all->run.kernel->n_blocks, sizeof *all->each);
	if (!part || !number || !stratum || (!all->each && !in_order && strata <= WEIGHED_MOST)) {
		status = ft_nomem(err);
	} else {
		/* One group of each of `strata` equal parts of the launch, in an order whose beginnings are a sample, too:
		 * the instructions may run out. */
		struct ft_random random = {all->options->seed};
		size_t k, step = even_step(strata), first = ft_random_below(&random, strata);

		for (k = 0; k < strata; k++) {
			number[k] =
				(int64_t)(((double)k + ft_random_uniform(&random)) * groups / (double)strata);
			if ((double)number[k] >= groups)
				number[k] = (int64_t)groups - 1;
			stratum[k] = (first + k * step) % strata;
		}
		for (i = 0; i < strata && in_order; i++)
			stratum[i] = i;
		status = run_groups(all, number, stratum, strata, part, err);
		if (!status)
			all->error = all->done == (size_t)groups ? 0 : error_of_draw(part, strata, all->done);
		if (!status && all->each && all->done < strata)
			weigh_groups(all, number, part, strata);
	}
	ft_free(part);
	ft_free(all->each);
	all->each = NULL;
	ft_free(number);
	ft_free(stratum);
	return status;
}

static enum ft_status open_all(struct ft__all *all, const struct ft_kernel *kernel,
			       const struct ft_kernel_launch *launch, const struct ft_kernel_options *options,
			       bool sampled, struct ft_err *err)
{
	struct ft__run *run = &all->run;

	*all = (struct ft__all){.options = options};
	run->kernel = kernel;
	run->steps_most = options->steps;
	run->trips = options->trips;
	run->trace = !options->counts_only && kernel->n_accesses > 0;
	FT_TRY(ft__launch_sizes(run, launch, err));
	all->groups = (double)run->groups[0] * (double)run->groups[1] * (double)run->groups[2];
	run->sampled = sampled;
	run->touches_most = TOUCHES_MOST / (size_t)(run->local[0] * run->local[1] * run->local[2]);
	enum ft_status status = ft__run_open(run, err);
	if (!status)
		status = ft__launch_buffers(run, launch, &all->local_bytes, err);
	if (!status)
		status = ft__trace_open(&all->trace, run, options, err);
	all->visits = ft_malloc(sizeof *all->visits * kernel->n_blocks);
	return status || all->visits ? status : ft_nomem(err);
}

static enum ft_status read_features(struct ft_kernel_features *out, const struct ft_kernel *kernel,
				    const struct ft_kernel_launch *launch,
				    const struct ft_kernel_options *options, bool sampled, bool *cut,
				    struct ft_err *err)
{
	struct ft__all all;
	enum ft_status status = open_all(&all, kernel, launch, options, sampled, err);
	size_t strata = options->groups;
	bool whole = !options->groups || all.groups <= (double)options->groups;

	if (!status && whole && all.groups > 1e8)
		status = ft_fail(err, FT_EINVAL, "%g groups are too many to carry out all of them",
				 all.groups);
	if (!status && whole)
		strata = (size_t)all.groups;
	all.run.sampled = sampled || !whole;
	if (!status)
		status = sample_groups(&all, strata, whole && !sampled, err);
	*cut = !status && whole && all.done < strata;
	if (!status)
		status = features_tell(out, &all, err);
	ft__trace_close(&all.trace);
	ft__run_close(&all.run);
	ft_free(all.visits);
	return status;
}

enum ft_status ft_kernel_features(struct ft_kernel_features *out, const struct ft_kernel *kernel,
				  const struct ft_kernel_launch *launch,
				  const struct ft_kernel_options *options, struct ft_err *err)
{
	bool cut;

	*out = (struct ft_kernel_features){0};
	enum ft_status status = read_features(out, kernel, launch, options, false, &cut, err);
	if (!status && cut) { /* the first ones are a sample only if they were drawn */
		ft_kernel_features_clear(out);
		status = read_features(out, kernel, launch, options, true, &cut, err);
	}
	if (status)
		ft_kernel_features_clear(out);
	return status;
}

void ft_kernel_features_clear(struct ft_kernel_features *features)
{
	if (!features)
		return;
	ft_free(features->met);
	ft_free(features->access);
	ft_free(features->call);
	*features = (struct ft_kernel_features){0};
}
