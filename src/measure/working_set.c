/* SPDX-License-Identifier: GPL-3.0-or-later */
/* working_set.c - the probe of the working set: the cache size at which a program finds its data in the cache, and the
 * distances at which it uses them again.
 *
 * 002 section 6.1 needs these distances, 004 section 5.2.4 resources of machines that are not at hand: valgrind's
 * simulated caches have any size. */
#include "base/alloc.h"
#include "measure/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SLOWS = 100, /* how much longer valgrind may take than the limit of a run */
	LEFT = 0.1,              /* of the misses that a larger cache would save */
	SAVED = 0.05;            /* of all: fewer are not worth a cache */

void ft__misses_add(const char *summary, double misses[3])
{
	double value[9] = {0};
	char *end = (char *)(size_t)summary;

	for (size_t i = 0; i < 9; i++)
		value[i] = strtod(end, &end);
	misses[0] += value[4] + value[7];
	misses[1] += value[5] + value[8];
	misses[2] += value[3] + value[6];
}

void ft__reuse_add(struct ft_reuse *reuse, size_t bytes, double misses, double accesses)
{
	size_t at = reuse->n;

	if (reuse->n == FT_REUSE_MOST || !(accesses > 0))
		return;
	for (; at && reuse->bytes[at - 1] >= (double)bytes; at--)
		if (reuse->bytes[at - 1] == (double)bytes)
			return;
	for (size_t i = reuse->n++; i > at; i--) {
		reuse->bytes[i] = reuse->bytes[i - 1];
		reuse->beyond[i] = reuse->beyond[i - 1];
	}
	reuse->bytes[at] = (double)bytes;
	reuse->beyond[at] = fmin(1, misses / accesses);
	for (size_t i = 1; i < reuse->n; i++)
		reuse->beyond[i] = fmin(reuse->beyond[i], reuse->beyond[i - 1]);
}

size_t ft__cache_bytes(size_t i)
{
	return (size_t)(i % 2 ? 6144 : 4096) << i / 2;
}

int ft__cache_ways(size_t bytes)
{
	return bytes & (bytes - 1) ? 12 : 8;
}

enum ft_status ft__working_set(ft__misses_of *misses, void *ctx, double *bytes, struct ft_err *err)
{
	size_t low = 0, high = FT__CACHES - 1; /* too small, or the least of all; large enough */
	double at[2], enough;
	enum ft_status status = misses(ctx, low, high, at, err);

	*bytes = NAN;
	if (status)
		return status;
	enough = at[1] + LEFT * (at[0] - at[1]);
	if (at[0] - at[1] <= SAVED * at[0])
		high = low;
	while (high - low > 1) {
		size_t i = low + (high - low + 1) / 3, j = high - (high - low + 1) / 3;

		j = j > i ? j : i + 1;
		FT_TRY(misses(ctx, i, j, at, err));
		if (at[0] <= enough) {
			high = i;
		} else if (j < high && at[1] <= enough) {
			low = i;
			high = j;
		} else {
			low = j < high ? j : i;
		}
	}
	*bytes = (double)ft__cache_bytes(high);
	return FT_OK;
}

/* ---- the probe ------------------------------------------------------------------------------------------
 */

/* The result at a size. */
struct working_set_found {
	struct ft_size size;
	double bytes; /* NaN: reason has the cause */
	char *reason; /* heap */
};

struct working_set {
	struct ft__simulator *simulator; /* NULL: unavailable, absent has the reason */
	struct ft_err absent;
	struct ft_reuse *reuse;          /* borrowed; NULL: not wanted */
	struct working_set_found *found; /* [n] */
	size_t n, capacity;
};

static void close_probe(void *state)
{
	struct working_set *w = state;

	ft__simulate_close(w->simulator);
	for (size_t i = 0; i < w->n; i++)
		ft_free(w->found[i].reason);
	ft_free(w->found);
	ft_free(w);
}

static enum ft_status open_probe(void **state, const struct ft_launch *launch, struct ft__client *client,
				 struct ft_err *err)
{
	struct working_set *w;

	(void)client;
	if (!launch->working_set)
		return FT_OK;
	*state = w = ft_calloc(1, sizeof *w);
	if (!w)
		return ft_nomem(err);
	w->reuse = launch->reuse;
	enum ft_status status = ft__simulate_open(&w->simulator, launch->threads, &w->absent);
	return status && status != FT_EUNAVAIL ? ft_nomem(err) : FT_OK;
}

static const struct working_set_found *find_size(const struct working_set *w, const struct ft_size *size)
{
	for (size_t i = 0; i < w->n; i++)
		if (ft_size_equal(&w->found[i].size, size))
			return &w->found[i];
	return NULL;
}

static bool wants(const void *state, const struct ft_run *run)
{
	return run->outcome == FT_DONE && !find_size(state, &run->size);
}

/* A size that is looked at. */
struct looking {
	struct working_set *w;
	struct ft__simulation simulation;
	double cost_s;
	struct ft_reuse reuse;
};

static enum ft_status simulate_pair(void *ctx, size_t i, size_t j, double misses[2], struct ft_err *err)
{
	struct looking *looking = ctx;
	const size_t bytes[2] = {ft__cache_bytes(i), ft__cache_bytes(j)};
	double took_s = 0, all[3];
	enum ft_status status =
		ft__simulate_caches(looking->w->simulator, &looking->simulation, bytes, all, &took_s, err);

	looking->cost_s += took_s;
	for (size_t k = 0; k < 2 && !status; k++) {
		misses[k] = all[k];
		ft__reuse_add(&looking->reuse, bytes[k], all[k], all[2]);
	}
	return status;
}

static enum ft_status repeat(void *state, const struct ft__again *again, double *cost_s, struct ft_err *err)
{
	struct working_set *w = state;
	struct looking looking = {
		w,
		{again->file, again->argv, SLOWS * again->limit_s, again->interrupt, again->frozen},
		.cost_s = 0};
	struct working_set_found found = {*again->size, NAN, NULL}, *grown;
	struct ft_err why = w->absent;
	enum ft_status status =
		w->simulator ? ft__working_set(simulate_pair, &looking, &found.bytes, &why) : FT_EUNAVAIL;

	*cost_s += looking.cost_s;
	if (status && status != FT_EUNAVAIL) {
		if (err)
			*err = why;
		return status;
	}
	if (status)
		found.reason = ft__reason(&why);
	else if (w->reuse)
		*w->reuse = looking.reuse;
	grown = status && !found.reason ? NULL : ft_grow(w->found, w->n, &w->capacity, sizeof *grown);
	if (!grown) {
		ft_free(found.reason);
		return ft_nomem(err);
	}
	w->found = grown;
	grown[w->n++] = found;
	return FT_OK;
}

static enum ft_status read_probe(void *state, const struct ft__result *result, struct ft_run *run,
				 struct ft_err *err)
{
	const struct working_set_found *found = find_size(state, &run->size);

	(void)result;
	if (!found || run->routine || run->outcome != FT_DONE)
		return FT_OK;
	return ft_run_add(run, &ft_working_set_bytes, found->bytes,
			  found->reason ? FT_UNAVAILABLE : FT_SIMULATED, "caches", found->reason, err);
}

const struct ft__probe_ops ft__caches_probe = {
	.open = open_probe, .close = close_probe, .read = read_probe, .wants = wants, .repeat = repeat};
