/* SPDX-License-Identifier: GPL-3.0-or-later */
/* source.c - sources of runs: the calls common to every kind of source. */
#include "base/alloc.h"
#include "base/random.h"
#include "base/text.h"
#include "facts/door.h"
#include "measure/measure.h"
#include "num/num.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/*
 * A source of recorded runs, which are returned again in the order recorded.
 */

struct replay {
	struct ft_source source;
	struct ft_runs runs;
	size_t *order; /* [n] usable runs, by size, then in recorded order */
	size_t n;
};

static int compare_order(const void *a, const void *b, void *ctx)
{
	const struct ft_run *run = ctx;
	size_t i = *(const size_t *)a, j = *(const size_t *)b;
	int by_size = ft_size_compare(&run[i].size, &run[j].size);

	return by_size ? by_size : (i > j) - (i < j);
}

/* Routines stand behind the run of their process, as ft_source_run hands them out. */
static bool follows_process(const struct ft_runs *runs, size_t i)
{
	return i > 0 && runs->run[i].routine &&
	       ft_size_compare(&runs->run[i].size, &runs->run[i - 1].size) == 0;
}

/* Warm-ups are not modelled, and runs that a person interrupted carry no information. */
static bool is_usable(const struct ft_runs *runs, size_t i)
{
	const struct ft_run *run = &runs->run[i];

	return !run->warmup && run->outcome != FT_INTERRUPTED && !follows_process(runs, i);
}

static enum ft_status index_runs(struct replay *replay, struct ft_err *err)
{
	const struct ft_runs *runs = &replay->runs;

	replay->order = ft_calloc(runs->n, sizeof *replay->order);
	if (!replay->order)
		return ft_nomem(err);
	for (size_t i = 0; i < runs->n; i++) {
		const struct ft_size *size = &runs->run[i].size;

		for (size_t k = 0; k < size->n; k++)
			if (!isfinite(size->value[k]))
				return ft_fail(err, FT_EINVAL,
					       "recorded run %zu has a size that is no number", i + 1);
		if (is_usable(runs, i))
			replay->order[replay->n++] = i;
	}
	if (!replay->n) {
		ft_fail(err, FT_EINVAL, "there are no recorded runs to replay");
		return ft_remedy(err, "record some; warm-ups and interrupted runs do not count"), FT_EINVAL;
	}
	qsort_r(replay->order, replay->n, sizeof *replay->order, compare_order, runs->run);
	return FT_OK;
}

/* The parameter that the recorded sizes differ in first; 0 when all are of one size. */
static size_t find_varying(const struct replay *replay)
{
	const struct ft_size *first = &replay->runs.run[replay->order[0]].size;

	for (size_t k = 0; k < first->n; k++)
		for (size_t i = 1; i < replay->n; i++)
			if (replay->runs.run[replay->order[i]].size.value[k] != first->value[k])
				return k;
	return 0;
}

/* The values of a parameter, ascending. */
static double *list_values(const struct replay *replay, size_t k, size_t *n)
{
	double *sizes = ft_calloc(replay->n, sizeof *sizes);

	*n = 0;
	for (size_t i = 0; sizes && i < replay->n; i++)
		sizes[i] = replay->runs.run[replay->order[i]].size.value[k];
	if (sizes)
		*n = ft_sort_different(sizes, replay->n);
	return sizes;
}

static enum ft_status list_sizes(struct replay *replay, struct ft_err *err)
{
	struct ft_source *source = &replay->source;
	size_t params = replay->runs.run[replay->order[0]].size.n, k;

	source->sizes_param = find_varying(replay);
	source->sizes = list_values(replay, source->sizes_param, &source->n_sizes);
	if (!source->sizes)
		return ft_nomem(err);
	for (k = 0; k < params; k++) {
		if (k == source->sizes_param)
			continue;
		source->other[k] = list_values(replay, k, &source->n_other[k]);
		if (!source->other[k])
			return ft_nomem(err);
	}
	return FT_OK;
}

/* A size among runs. */
struct replay_wanted {
	const struct ft_size *size;
	const struct ft_run *run;
};

static int compare_wanted(const void *key, const void *entry)
{
	const struct replay_wanted *wanted = key;
	const size_t *index = entry;

	return ft_size_compare(wanted->size, &wanted->run[*index].size);
}

static enum ft_status copy_run(struct ft_run *to, const struct ft_run *from, struct ft_err *err)
{
	*to = *from;
	to->id = 0;
	to->sample = NULL;
	to->n_samples = 0;
	to->routine = ft_strdup(from->routine);
	to->version = ft_strdup(from->version);
	to->detail = ft_strdup(from->detail);
	if ((from->routine && !to->routine) || (from->version && !to->version) ||
	    (from->detail && !to->detail))
		return ft_nomem(err);
	for (size_t i = 0; i < from->n_samples; i++) {
		const struct ft_sample *s = &from->sample[i];

		if (ft_run_add(to, s->resource, s->value, s->label, s->probe, s->reason, err))
			return FT_ENOMEM;
	}
	return FT_OK;
}

static enum ft_status hand_out(const struct ft_run *recorded, struct ft_runs *runs, struct ft_err *err)
{
	struct ft_run run = {0};

	if (copy_run(&run, recorded, err)) {
		ft_run_clear(&run);
		return FT_ENOMEM;
	}
	return ft_runs_take(runs, &run, err);
}

static enum ft_status replay_run(struct ft_source *source, const struct ft_size *size, size_t index,
				 double limit_s, struct ft_runs *runs, struct ft_err *err)
{
	struct replay *replay = (struct replay *)source;
	const struct ft_run *recorded = replay->runs.run;
	const struct replay_wanted wanted = {size, recorded};
	size_t first = ft_search(&wanted, replay->order, replay->n, sizeof *replay->order, compare_wanted);
	size_t before = runs->n;

	if (index >= replay->n - first ||
	    ft_size_compare(&recorded[replay->order[first + index]].size, size) != 0)
		return ft_fail(err, FT_EEND, "no more runs are recorded at this size");
	size_t i = replay->order[first + index];
	if (limit_s > 0 && recorded[i].cost_s > limit_s) {
		/* A run that would have been cut short: only known to take longer. */
		struct ft_run run = recorded[i];

		run.id = 0;
		run.routine = run.version = run.detail = NULL;
		run.sample = NULL;
		run.n_samples = 0;
		run.outcome = FT_TIMED_OUT;
		run.exit_status = run.signal = 0;
		run.warmup = run.real = false;
		run.cost_s = limit_s;
		run.work = NAN;
		run.version = ft_strdup(recorded[i].version);
		if ((recorded[i].version && !run.version) ||
		    ft_run_add(&run, &ft_wall_s, limit_s, FT_SIMULATED, "replay", NULL, err)) {
			ft_run_clear(&run);
			return ft_nomem(err);
		}
		return ft_runs_take(runs, &run, err);
	}
	do {
		if (hand_out(&recorded[i], runs, err)) {
			while (runs->n > before)
				ft_run_clear(&runs->run[--runs->n]);
			return FT_ENOMEM;
		}
	} while (++i < replay->runs.n && follows_process(&replay->runs, i));
	return FT_OK;
}

static void replay_close(struct ft_source *source)
{
	struct replay *replay = (struct replay *)source;

	ft_runs_clear(&replay->runs);
	ft_free(replay->order);
	ft_free(replay);
}

static const struct ft_source_ops replay_ops = {.name = "replay", .run = replay_run, .close = replay_close};

enum ft_status ft_source_open_replay(struct ft_source **out, struct ft_runs *runs, struct ft_err *err)
{
	struct replay *replay = ft_calloc(1, sizeof *replay);

	*out = NULL;
	if (!replay) {
		ft_runs_clear(runs);
		return ft_nomem(err);
	}
	replay->source.ops = &replay_ops;
	replay->runs = *runs;
	*runs = (struct ft_runs){0};
	enum ft_status status = index_runs(replay, err);
	if (!status)
		status = list_sizes(replay, err);
	if (status) {
		ft_source_close(&replay->source);
		return status;
	}
	*out = &replay->source;
	return FT_OK;
}

/*
 * A source of runs from a function: builders and sweeps are tested against known curves.
 */

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

static enum ft_status oracle_run(struct ft_source *source, const struct ft_size *size, size_t index,
				 double limit_s, struct ft_runs *runs, struct ft_err *err)
{
	struct oracle *oracle = (struct oracle *)source;
	double wall_s = oracle->seconds(oracle->ctx, size) * noise_factor(oracle, size, index);
	struct ft_run run;

	ft_run_init(&run);
	run.size = *size;
	bool interrupted = oracle->source.interrupt && *oracle->source.interrupt;

	if (interrupted) {
		run.outcome = FT_INTERRUPTED;
	} else if (isnan(wall_s)) {
		run.outcome = FT_INVALID;
	} else if (wall_s <= 0 || (isinf(wall_s) && limit_s <= 0)) {
		run.outcome = FT_FAILED;
		run.exit_status = 1;
	} else if (limit_s > 0 && wall_s > limit_s) {
		run.outcome = FT_TIMED_OUT;
		run.cost_s = limit_s;
	} else {
		run.outcome = FT_DONE;
		run.cost_s = wall_s;
	}
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
