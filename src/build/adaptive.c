/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adaptive.c - the adaptive builder: the next run is the one that takes most of the error away that
 * measuring can take away, for its seconds. What it is told goes into the engine (model/engine.h). */
#include "build/adaptive.h"
#include "base/alloc.h"
#include "build/types.h"
#include "num/order.h"

#include <math.h>
#include <string.h>

/* Rounds of learning after each run: some while there are few sizes, then it goes on from where it was. Fine
 * structure is looked for once in so many runs. Both only when there are that share more of them. */
enum {
	FEW_SITES = 12,
	ROUNDS_FEW = 6,
	ROUNDS = 3,
	TEETH_EVERY = 4,
	MISSES_FROM = 5,
	LEARN_SHARE = 32,
	TEETH_SHARE = 16
};

static void adaptive_free(void *state)
{
	struct ft__adaptive *a = state;

	if (!a)
		return;
	ft__engine_clear(&a->engine);
	ft_free(a->failed.index);
	ft_free(a->closed.index);
	ft_free(a->miss);
	ft_free(a);
}

static enum ft_status adaptive_init(void **state, const struct ft__line_options *options, struct ft_err *err)
{
	struct ft__adaptive *a = ft_calloc(1, sizeof *a);

	*state = NULL;
	if (!a)
		return ft_nomem(err);
	a->options = *options;
	a->last = FT__NONE;
	a->stretch = 1;
	enum ft_status status = ft__grid_init(&a->grid, &options->space, err);
	if (status) {
		ft_free(a);
		return status;
	}
	a->shift = ft__grid_shift(&a->grid);
	ft__engine_init(&a->engine, a->shift,
			log((a->grid.space.most + a->shift) / (a->grid.space.least + a->shift)),
			options->work != NULL);
	ft__adaptive_set_rungs(a);
	*state = a;
	return FT_OK;
}

static size_t adaptive_ask(void *state, double *sizes, size_t most)
{
	struct ft__adaptive *a = state;
	size_t i;

	if (a->asked < most) {
		a->asked = most;
		a->n_bids = ft__adaptive_next(a, a->bid, most < FT__BATCH_MOST ? most : FT__BATCH_MOST);
	}
	for (i = 0; i < a->n_bids && i < most; i++)
		sizes[i] = ft__grid_value(&a->grid, a->bid[i].index);
	return i;
}

static void adaptive_gain(void *state, double *x, struct ft_build_gain *out)
{
	struct ft__adaptive *a = state;
	struct ft__served s;

	*x = NAN;
	if (a->engine.n > 1) {
		ft__adaptive_serve(a, false, &s);
		out->accuracy = s.high;
	}
	if (!adaptive_ask(state, x, 1))
		return;
	out->error = a->bid[0].gain;
	out->seconds = a->bid[0].seconds;
}

static int compare_indices(const void *a, const void *b)
{
	const size_t *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

/* The place of an index, or where it belongs. */
static size_t place_of(const struct ft__indices *indices, size_t index)
{
	return ft_search(&index, indices->index, indices->n, sizeof index, compare_indices);
}

bool ft__indices_has(const struct ft__indices *indices, size_t index)
{
	size_t i = place_of(indices, index);

	return i < indices->n && indices->index[i] == index;
}

static enum ft_status add_index(struct ft__indices *indices, size_t index, struct ft_err *err)
{
	size_t i = place_of(indices, index), *grown;

	if (i < indices->n && indices->index[i] == index)
		return FT_OK;
	grown = ft_grow(indices->index, indices->n, &indices->capacity, sizeof *grown);
	if (!grown)
		return ft_nomem(err);
	indices->index = grown;
	memmove(&grown[i + 1], &grown[i], (indices->n++ - i) * sizeof *grown);
	grown[i] = index;
	return FT_OK;
}

/* The first run at a size tests what was said of it before. There is room for one more. */
static void add_miss(struct ft__adaptive *a, double at, double miss)
{
	size_t i;

	for (i = a->n_misses++; i && a->miss[i - 1].miss > miss; i--)
		a->miss[i] = a->miss[i - 1];
	a->miss[i] = (struct ft__miss){at, miss};
	ft__adaptive_be_cautious(a);
}

static double miss_of(const struct ft__adaptive *a, double x, double z)
{
	struct ft__known known = ft__engine_at(&a->engine, x, true);

	return fabs(z - known.z) / sqrt(known.variance + known.scatter);
}

/* Seconds of the runs that are known of a site. */
static double seconds_of(const struct ft__site *site)
{
	double sum = 0;

	for (size_t i = 0; i < site->n; i++)
		sum += site->value[i].count * site->work *
		       exp(isinf(site->value[i].limit) ? site->value[i].z : site->value[i].limit);
	return sum;
}

/* On failure nothing has changed. */
static enum ft_status add_runs(struct ft__adaptive *a, double x, const struct ft_build_told *told,
			       struct ft_err *err)
{
	double work = ft__adaptive_work(a, x), sum = 0, miss = NAN;
	size_t site = ft__engine_find(&a->engine, x), known = 0, n = told->n + told->limits, i;
	double *ln = ft_calloc(n, sizeof *ln);
	struct ft__miss *grown = ft_grow(a->miss, a->n_misses, &a->misses_capacity, sizeof *grown);

	a->miss = grown ? grown : a->miss;
	if (!ln || !grown) {
		ft_free(ln);
		return ft_nomem(err);
	}
	for (i = 0; i < n; i++) {
		double seconds = i < told->n ? told->seconds[i] : told->limit_s[i - told->n];

		ln[i] = log(seconds);
		sum += seconds;
	}
	if (site < a->engine.n) {
		known = a->engine.site[site].runs;
		sum -= seconds_of(&a->engine.site[site]);
	} else if (a->engine.n >= MISSES_FROM) {
		miss = miss_of(a, x, ln[0] - log(work));
	}
	enum ft_status status = ft__engine_set(&a->engine, x, work, ln, told->n, err);
	if (!status && told->limits)
		status = ft__engine_limit(&a->engine, x, work, ln + told->n, told->limits, err);
	ft_free(ln);
	if (status)
		return status;
	if (!isnan(miss))
		add_miss(a, ft__engine_ln(&a->engine, x), miss);
	a->told_s = fmax(0, a->told_s + sum);
	a->runs += n > known ? n - known : 0;
	return FT_OK;
}

/* Where there are many runs a few more change little of what was learned: else it would take longer than such
 * runs often do. */
static void learn_engine(struct ft__adaptive *a)
{
	bool now = a->runs >= a->learned + a->learned / LEARN_SHARE;

	ft__engine_learn(&a->engine, a->engine.n < FEW_SITES ? ROUNDS_FEW : now ? ROUNDS : 0);
	a->learned = now ? a->runs : a->learned;
}

/* Where memory fails here, the run that was told of is known, and only this is left to do when it is told
 * again. */
static enum ft_status ask_model(struct ft__adaptive *a, struct ft_err *err)
{
	enum ft_status status = ft__adaptive_ask_model(a, err);

	a->owes = status != FT_OK;
	return status;
}

static enum ft_status adaptive_tell(void *state, double x, const struct ft_build_told *told,
				    struct ft_err *err)
{
	struct ft__adaptive *a = state;
	size_t index = ft__grid_find(&a->grid, x), before = a->runs;

	if (index == FT__NONE)
		return FT_OK;
	a->asked = 0;
	if (!told->n) {
		a->last = FT__NONE;
		return add_index(&a->failed, index, err);
	}
	if (a->owes && index == a->last)
		return ask_model(a, err);
	enum ft_status status = add_runs(a, ft__grid_value(&a->grid, index), told, err);
	if (!status && (a->runs == before || told->over))
		status = add_index(&a->closed, index, err);
	if (status || a->runs == before)
		return status;
	learn_engine(a);
	if (!told->given)
		ft__adaptive_owe(a, index);
	if (a->runs / TEETH_EVERY > before / TEETH_EVERY && a->runs >= a->looked + a->looked / TEETH_SHARE) {
		ft__engine_find_teeth(&a->engine);
		a->looked = a->runs;
	}
	a->last = index;
	return ask_model(a, err);
}

static enum ft_stop adaptive_stop(const void *state)
{
	const struct ft__adaptive *a = state;

	return a->stop;
}

static double adaptive_complete(void *state, double made)
{
	(void)made; /* it is told of each run */
	return ft__adaptive_complete(state);
}

static void adaptive_price(void *state, double each_s, double stretch, double given_s)
{
	struct ft__adaptive *a = state;

	if (each_s != a->each_s || stretch != a->stretch || given_s != a->given_s)
		a->asked = 0;
	a->each_s = each_s;
	a->given_s = given_s;
	a->stretch = stretch;
}

const struct ft__row ft__builder_adaptive = {
	.type = {.name = "adaptive",
		 .about = "the next run is the one that takes most error away for its seconds",
		 .tolerance = 0.1,
		 .repeats = true},
	.line = {.init = adaptive_init,
		 .ask = adaptive_ask,
		 .gain = adaptive_gain,
		 .tell = adaptive_tell,
		 .stop = adaptive_stop,
		 .complete = adaptive_complete,
		 .price = adaptive_price,
		 .free = adaptive_free},
	.several = &ft__plan_refine,
};
