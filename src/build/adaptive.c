/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adaptive.c - the adaptive builder: the next run is the one that is expected to take most error away for its
 * seconds.
 *
 * It is a function of what it was told, in that order: told the same again, it asks the same again. */
#include "build/adaptive.h"
#include "base/alloc.h"
#include "build/types.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void adaptive_free(void *state)
{
	struct ft__adaptive *a = state;

	if (!a)
		return;
	ft__live_clear(&a->live);
	ft_free(a->index);
	ft_free(a->failed);
	ft_free(a->asked);
	ft_free(a);
}

static enum ft_status adaptive_init(void **state, const struct ft_build_options *options, struct ft_err *err)
{
	struct ft__adaptive *a = ft_calloc(1, sizeof *a);
	enum ft_status status;

	*state = NULL;
	if (!a)
		return ft_nomem(err);
	a->options = *options;
	status = ft__grid_init(&a->grid, &options->space, err);
	if (status) {
		ft_free(a);
		return status;
	}
	ft__live_init(&a->live, true, FT_JOIN_BEST, 0, a->grid.space.least, a->grid.space.most);
	ft__adaptive_set_rungs(a);
	*state = a;
	return FT_OK;
}

static size_t adaptive_ask(void *state, double *sizes, size_t most)
{
	struct ft__adaptive *a = state;

	(void)most;
	ft__adaptive_decide(a);
	if (a->question.reason == FT__NOTHING)
		return 0;
	sizes[0] = ft__grid_value(&a->grid, a->question.index);
	return 1;
}

static enum ft_status add_failure(struct ft__adaptive *a, size_t index, struct ft_err *err)
{
	size_t *grown = ft_grow(a->failed, a->n_failed, &a->failed_capacity, sizeof *grown), i;

	if (!grown)
		return ft_nomem(err);
	a->failed = grown;
	for (i = a->n_failed++; i && a->failed[i - 1] > index; i--)
		a->failed[i] = a->failed[i - 1];
	a->failed[i] = index;
	return FT_OK;
}

static enum ft_status add_asked(struct ft__adaptive *a, size_t index, struct ft_err *err)
{
	size_t *grown = ft_grow(a->asked, a->n_asked, &a->asked_capacity, sizeof *grown);

	if (!grown)
		return ft_nomem(err);
	a->asked = grown;
	a->asked[a->n_asked++] = index;
	return FT_OK;
}

/* One run that is new. */
static enum ft_status add_run(struct ft__adaptive *a, size_t index, double seconds, struct ft_err *err)
{
	double x = ft__grid_value(&a->grid, index);
	size_t *grown = ft_grow(a->index, a->live.n, &a->index_capacity, sizeof *grown), n = a->live.n, i;
	enum ft_status status;

	if (!grown)
		return ft_nomem(err);
	a->index = grown;
	status = ft__live_add(&a->live, x, a->options.work ? a->options.work(a->options.work_ctx, x) : 1,
			      seconds, err);
	if (status || a->live.n == n)
		return status;
	for (i = n; i && a->index[i - 1] > index; i--)
		a->index[i] = a->index[i - 1];
	a->index[i] = index;
	return FT_OK;
}

static int compare_doubles(const void *a, const void *b)
{
	const double *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

/* Those of seconds that are not yet known at a size, the middle one first; sorts seconds. Returns their
 * number. */
static size_t keep_new(const struct ft__adaptive *a, double x, double *seconds, size_t n)
{
	const struct ft__node *node = NULL;
	size_t i, j = 0, kept = 0;
	double first;

	if (a->live.n && x >= a->live.node[0].x)
		node = &a->live.node[ft__live_find(&a->live, x)];
	if (node && node->x != x)
		node = NULL;
	qsort(seconds, n, sizeof *seconds, compare_doubles);
	for (i = 0; i < n; i++) {
		while (node && j < node->runs && node->value[j] < seconds[i])
			j++;
		if (node && j < node->runs && node->value[j] == seconds[i])
			j++;
		else
			seconds[kept++] = seconds[i];
	}
	if (kept > 1) {
		first = seconds[kept / 2];
		seconds[kept / 2] = seconds[0];
		seconds[0] = first;
	}
	return kept;
}

/* What a told run means for money and for repetition. own: it was asked for. */
static void account(struct ft__adaptive *a, const struct ft__question *q, bool own, double seconds)
{
	if (!own)
		return;
	seconds += a->overhead;
	a->spent += seconds;
	if (q->reason == FT__EXPLORE)
		a->explored += seconds;
	if (q->reason == FT__RUNG)
		a->first_runs += seconds;
}

static enum ft_status tell_runs(struct ft__adaptive *a, size_t index, double *seconds, size_t n, bool own,
				struct ft_err *err)
{
	double x = ft__grid_value(&a->grid, index);
	size_t kept = keep_new(a, x, seconds, n), i;
	bool new_size = !a->has_last || a->last != index;
	enum ft_status status = FT_OK;
	enum ft__reason reason = a->question.reason;

	if (own && new_size && reason != FT__REPEAT && reason != FT__REVISIT)
		status = add_asked(a, index, err);
	if (own && reason == FT__REVISIT)
		a->revisits_done++;
	for (i = 0; i < kept && !status; i++) {
		status = add_run(a, index, seconds[i], err);
		if (status)
			break;
		account(a, &a->question, own, seconds[i]);
		if (own && !i) {
			const struct ft__test *test = &a->live.last;

			if (new_size)
				a->last_surprised = false;
			if (!isnan(test->residual))
				a->last_surprised =
					test->residual > fmax(3 * test->error, a->options.tolerance);
			a->last_s = seconds[i];
		}
	}
	a->last_closed = own && !kept;
	a->has_last = own && reason != FT__REVISIT;
	a->last = index;
	return status;
}

static enum ft_status adaptive_tell(void *state, double x, const double *seconds, size_t n,
				    struct ft_err *err)
{
	struct ft__adaptive *a = state;
	size_t index = ft__grid_find(&a->grid, x);
	double *copy;
	enum ft_status status;
	bool own;

	if (index == FT__NONE)
		return FT_OK;
	ft__adaptive_decide(a);
	own = a->question.reason != FT__NOTHING && a->question.index == index;
	if (!n) {
		a->has_last = false;
		a->decided = false;
		if (own && a->question.reason == FT__REVISIT) {
			a->revisits_done++;
			return FT_OK;
		}
		return ft__adaptive_has_failed(a, index) ? FT_OK : add_failure(a, index, err);
	}
	copy = ft_calloc(n, sizeof *copy);
	if (!copy)
		return ft_nomem(err);
	memcpy(copy, seconds, n * sizeof *copy);
	status = tell_runs(a, index, copy, n, own, err);
	a->decided = false;
	ft_free(copy);
	return status;
}

static enum ft_stop adaptive_stop(const void *state)
{
	const struct ft__adaptive *a = state;

	return a->stop;
}

static void adaptive_overhead(void *state, double seconds)
{
	struct ft__adaptive *a = state;

	a->overhead = seconds;
}

const struct ft_builder_type ft__builder_adaptive = {
	.name = "adaptive",
	.about = "the next run is the one that takes most error away for its seconds",
	.tolerance = 0.1,
	.repeats = true,
	.init = adaptive_init,
	.ask = adaptive_ask,
	.tell = adaptive_tell,
	.stop = adaptive_stop,
	.overhead = adaptive_overhead,
	.free = adaptive_free,
};
