/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adaptive_ask.c - chooses the next run of the adaptive builder: new sizes and repetitions bid with the
 * excess (adaptive_serve.c) that they remove, over the sizes that they serve, for each second. */
#include "base/alloc.h"
#include "build/build.h"
#include "model/model.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>

/*
 * How accurate the predictions are, and whether that is enough.
 *
 * Excess: how much worse single runs are predicted than with a known curve, sqrt(P + s^2) - s. Noise cannot
 * be measured away, so it drives nothing. Once the excess is small, the final accuracy of the typical run
 * may still miss the target, whatever the noise of single runs. Then that drives, for a while.
 */

/* doc/constants-build.md has the row of a table for each. */
static const double mean_share = 0.2;                        /* of the tolerance: target of the mean excess */
static const double normal_mean = 0.8, wide_of_excess = 1.5; /* E|z|; quantile for a deviation */
enum { FAILURES_MOST = 6, DOUBT_SHARE = 8, PLACES = 3 };

/* ---- at a size, and over all ----------------------------------------------------------------------------
 */

static double adaptive_excess(struct ft__known known, bool of_typical)
{
	return of_typical ? sqrt(known.variance) : sqrt(known.variance + known.scatter) - sqrt(known.scatter);
}

/* The accuracy at a size by the engine, or by the model that will answer, which corrects its own errors. */
static struct ft__known known_at(const struct ft__adaptive *a, const struct ft__blend *model, double x,
				 bool fine)
{
	if (!model)
		return ft__engine_at(&a->engine, x, fine);
	struct ft__outlook at = ft__blend_at(model, x, ft__adaptive_work(a, x), fine, FT__SHOWN_CONFIDENCE);
	double deviation = (at.upper - at.lower) / 2 / ft_normal_quantile((1 + FT__SHOWN_CONFIDENCE) / 2);
	return (struct ft__known){.variance = deviation * deviation, .scatter = at.scatter * at.scatter};
}

/* How excess is computed. */
struct view {
	const struct ft__blend *model; /* NULL: by the engine */
	bool of_typical;
};

static double excess_at(const struct ft__adaptive *a, const struct view *view, double x, bool fine)
{
	double caution = view->model ? 1 : ft__adaptive_caution(a, ft__engine_ln(&a->engine, x));

	return caution * adaptive_excess(known_at(a, view->model, x, fine), view->of_typical);
}

/* The k-th of PLACES in a gap. */
static double place_of(const struct ft__adaptive *a, size_t g, size_t k)
{
	double x0 = a->engine.site[g].at, h = a->engine.site[g + 1].at - x0;

	return exp(x0 + h * (0.2 + 0.3 * (double)k)) - a->shift;
}

static double gap_excess(const struct ft__adaptive *a, const struct view *view, size_t g)
{
	double sum = 0;

	for (size_t k = 0; k < PLACES; k++)
		sum += excess_at(a, view, place_of(a, g, k), false);
	return sum / PLACES;
}

static double share_of_gap(const struct ft__adaptive *a, size_t g, size_t *inside)
{
	size_t left = ft__adaptive_index_of(a, g), right = ft__adaptive_index_of(a, g + 1),
	       failures = ft__adaptive_failures_between(a, left, right);

	*inside = right - left - 1 > failures && failures < FAILURES_MOST ? right - left - 1 - failures : 0;
	if (!*inside)
		return 0;
	return 0.5 * (double)*inside / (double)a->grid.count +
	       0.5 * (a->engine.site[g + 1].at - a->engine.site[g].at) / a->engine.range;
}

struct weighed {
	double excess, share;
};

static int compare_weighed(const void *p, const void *q)
{
	const struct weighed *x = p, *y = q;

	return (x->excess > y->excess) - (x->excess < y->excess);
}

/* The excess not exceeded at 95 % of the sizes: gaps ascending, the sites before them. */
static double high_excess(struct weighed *gap, size_t n, double sites)
{
	double total = sites, below = sites;

	for (size_t i = 0; i < n; i++)
		total += gap[i].share;
	qsort(gap, n, sizeof *gap, compare_weighed);
	for (size_t i = 0; i < n; i++) {
		below += gap[i].share;
		if (below >= 0.95 * total)
			return gap[i].excess;
	}
	return 0;
}

/* Excess in each gap, in space of the engine's: gaps [2 n] as share and excess, sorted copies behind them. */
static void serve_view(const struct ft__adaptive *a, const struct view *view, struct ft__served *s)
{
	const struct ft__engine *engine = &a->engine;
	struct weighed *sorted = (struct weighed *)(void *)(engine->work + 2 * engine->n);
	double sites = 0, sum = 0;
	size_t inside, n = 0;

	s->gap = engine->work;
	s->excess = engine->work + engine->n;
	for (size_t g = 0; g + 1 < engine->n; g++) {
		s->gap[g] = share_of_gap(a, g, &inside);
		s->excess[g] = inside ? gap_excess(a, view, g) : 0;
		if (inside)
			sorted[n++] = (struct weighed){s->excess[g], s->gap[g]};
		sum += s->gap[g] * s->excess[g];
	}
	double total = 0;
	for (size_t k = 0; k < engine->n; k++)
		total += excess_at(a, view, engine->site[k].x, true);
	sites = 0.5 * (double)engine->n / (double)a->grid.count;
	sum += sites * total / (double)engine->n;
	total = sites;
	for (size_t k = 0; k < n; k++)
		total += sorted[k].share;
	s->left = normal_mean * sum / total;
	s->high = wide_of_excess * high_excess(sorted, n, sites);
}

static void adaptive_serve(const struct ft__adaptive *a, bool of_typical, struct ft__served *s)
{
	serve_view(a, &(struct view){NULL, of_typical}, s);
}

/* adaptive_is_known - whether the excess is within the tolerance. */
static bool adaptive_is_known(const struct ft__adaptive *a, const struct ft__served *s)
{
	return s->left <= mean_share * a->options.user.tolerance && s->high <= a->options.user.tolerance;
}

/* ---- the end ------------------------------------------------------------------------------ */

/* The error of the typical run that 90 % of the sizes stay below. Logarithm. FT_ENOMEM. */
static enum ft_status known_to(const struct ft__adaptive *a, const struct ft__blend *model, double *known,
			       struct ft_err *err)
{
	size_t most = PLACES * a->engine.n, inside, n = 0;
	double *deviation = ft_calloc(2 * most, sizeof *deviation), share;

	if (!deviation)
		return ft_nomem(err);
	for (size_t g = 0; g + 1 < a->engine.n; g++) {
		share = share_of_gap(a, g, &inside);
		for (size_t k = 0; inside && k < PLACES; k++) {
			deviation[n] = sqrt(known_at(a, model, place_of(a, g, k), false).variance);
			deviation[most + n++] = share;
		}
	}
	*known = n ? ft_normals_within(deviation, deviation + most, n, FT__SHOWN_CONFIDENCE) : 0;
	ft_free(deviation);
	return FT_OK;
}

static enum ft_status judge_served(struct ft__adaptive *a, const struct ft__blend *model, struct ft_err *err)
{
	struct ft__served s;
	double known = 0;

	FT_TRY(known_to(a, model, &known, err));
	serve_view(a, &(struct view){model, false}, &s);
	a->doubted = !adaptive_is_known(a, &s);
	a->refining = !a->doubted && known > log1p(a->options.user.tolerance);
	if (!a->doubted && !(a->known_s > 0))
		a->known_s = ft__adaptive_spent(a);
	a->known_to = known;
	a->doubted_at = a->runs;
	return FT_OK;
}

/* The builder's engine is one of those that the model averages over, and it continues from its last state
 * when it learns; the model learns from the start, leaves sizes out to see its errors, and may be less
 * certain of the same runs. Ending the build then would give two accuracies for one curve. Asking the
 * model takes as long as a hundred decisions, so it is repeated after a certain share of new runs. */
static enum ft_status adaptive_ask_model(struct ft__adaptive *a, struct ft_err *err)
{
	struct ft__engine engine;
	struct ft__blend model;
	struct ft__served s;

	if (a->engine.n < 3 || a->runs < a->doubted_at + a->doubted_at / DOUBT_SHARE)
		return FT_OK;
	adaptive_serve(a, false, &s);
	if (!adaptive_is_known(a, &s)) {
		a->refining = false;
		a->known_s = 0;
		return FT_OK;
	}
	FT_TRY(ft__engine_copy(&engine, &a->engine, err));
	enum ft_status status = ft__blend_make(&model, &engine, &(struct ft__blend_options){0}, err);
	ft__engine_clear(&engine);
	if (!status)
		status = judge_served(a, &model, err);
	ft__blend_clear(&model);
	return status;
}

/* adaptive_refine_left - the seconds that may still be spent on the typical run. */
static double adaptive_refine_left(const struct ft__adaptive *a)
{
	bool stated = a->options.user.budget_s > 0;

	return ft__refine_left(&(struct ft__refining){a->known_s, ft__adaptive_spent(a),
						      stated ? ft__adaptive_budget_left(a) : 0, a->known_to,
						      log1p(a->options.user.tolerance)});
}

/*
 * Chooses the next run of the adaptive builder: new sizes and repetitions bid with the excess
 * (adaptive_serve.c) that they remove, over the sizes that they serve, for each second.
 */

/* doc/constants-build.md has the row of a table for each. */
/* A repetition informs about one place only, which is known already. */
static const double repeat_share = 0.75;
static const double price_floor = 0.001; /* of the time spent: no run counts as cheaper than this */
static const double golden = 0.6180339887498949, jitter = 0.15; /* never in step with the program */
enum { RUNS_MOST = 9 };

/* ---- bids -------------------------------------------------------------------------------------------- */

/* Where in a gap: near the middle, but nearer to its cheap end if the other one is dear; half of the way
 * to the optimum by price alone, because the gap may have to be divided again. */
static size_t place_in(const struct ft__adaptive *a, size_t g)
{
	const struct ft__site *site = &a->engine.site[g];
	double rise = log(ft__adaptive_site_price(a, g + 1) / ft__adaptive_site_price(a, g)),
	       turn = golden * (double)a->engine.n;
	double u = fabs(rise) < 1e-3 ? 0.5 : (rise / 2 + 2 - sqrt(rise * rise / 4 + 4)) / rise;
	size_t left = ft__adaptive_index_of(a, g), right = ft__adaptive_index_of(a, g + 1), index, away;

	u += jitter * (2 * (turn - floor(turn)) - 1);
	index = ft__adaptive_snap(a, site[0].at + u * (site[1].at - site[0].at));
	index = index <= left ? left + 1 : index >= right ? right - 1 : index;
	for (away = 0; away < right - left; away++) {
		if (index + away < right && !ft__adaptive_has_failed(a, index + away))
			return index + away;
		if (index > left + away && !ft__adaptive_has_failed(a, index - away))
			return index - away;
	}
	return FT__NONE;
}

static double reduction(struct ft__known known)
{
	return 1 - sqrt(known.scatter / (known.variance + known.scatter));
}

static void bid_for_gap(const struct ft__adaptive *a, const struct ft__served *s, size_t g, double floor_s,
			struct ft__bid *bid)
{
	bid->index = s->gap[g] > 0 ? place_in(a, g) : FT__NONE;
	bid->gap = g;
	if (bid->index == FT__NONE)
		return;
	double x = ft__adaptive_value(a, bid->index);
	struct ft__known known = ft__engine_at(&a->engine, x, false);
	bid->seconds = ft__adaptive_cost(a, exp(fmin(known.z, 700)) * ft__adaptive_work(a, x));
	bid->gain = s->gap[g] * s->excess[g] * reduction(known) / (bid->seconds + floor_s);
}

static void bid_for_site(const struct ft__adaptive *a, const struct ft__served *s, size_t k, double floor_s,
			 struct ft__bid *bid)
{
	size_t most = a->options.user.reps_most ? a->options.user.reps_most : RUNS_MOST;
	struct ft__known known = ft__engine_site(&a->engine, k);
	double share = 0.5 / (double)a->grid.count;

	*bid = (struct ft__bid){.index = FT__NONE, .gap = FT__NONE};
	if (a->engine.site[k].runs >= most)
		return;
	bid->index = ft__adaptive_index_of(a, k);
	if (ft__adaptive_is_closed(a, bid->index)) {
		bid->index = FT__NONE;
		return;
	}
	share += (k ? s->gap[k - 1] / 2 : 0) + (k + 1 < a->engine.n ? s->gap[k] / 2 : 0);
	bid->seconds = ft__adaptive_site_price(a, k);
	bid->gain = repeat_share * share * adaptive_excess(known, a->refining) * reduction(known) /
		    (bid->seconds + floor_s);
}

/* The best bid that can be paid, among gaps that were not yet given to one. gain: from here on of the mean
 * excess, not for each second. */
static struct ft__bid best_bid(const struct ft__adaptive *a, const struct ft__served *s, double left)
{
	struct ft__bid best = {.index = FT__NONE}, bid;
	double floor_s = price_floor * ft__adaptive_spent(a);

	for (size_t k = 0; k + 1 < a->engine.n; k++) {
		bid_for_gap(a, s, k, floor_s, &bid);
		if (bid.index != FT__NONE && bid.gain > best.gain && bid.seconds <= left)
			best = bid;
	}
	for (size_t k = 0; k < a->engine.n; k++) {
		bid_for_site(a, s, k, floor_s, &bid);
		if (bid.index != FT__NONE && bid.gain > best.gain && bid.seconds <= left)
			best = bid;
	}
	best.gain *= best.seconds + floor_s;
	return best;
}

/* ---- all together ------------------------------------------------------------------------------------ */

static struct ft__bid sure_bid(const struct ft__adaptive *a, size_t index)
{
	return (struct ft__bid){index, 0,
				a->engine.n ? ft__adaptive_price(a, ft__adaptive_value(a, index)) : a->each_s,
				FT__NONE};
}

/* A run that is needed anyhow, with the first sizes that can run at the same time. */
static size_t add_sure(const struct ft__adaptive *a, size_t index, struct ft__bid *bid, size_t most)
{
	size_t rung[FT__RUNGS], i, n;

	bid[0] = sure_bid(a, index);
	n = most - 1 < FT__RUNGS ? most - 1 : FT__RUNGS;
	n = ft__adaptive_rungs_beside(a, index, ft__adaptive_budget_left(a) - bid[0].seconds, rung, n);
	for (i = 0; i < n; i++)
		bid[1 + i] = sure_bid(a, rung[i]);
	return 1 + n;
}

/* No more new sizes than are wanted. */
static size_t limit_sizes(const struct ft__adaptive *a, struct ft__bid *bid, size_t n)
{
	size_t points = a->options.user.points, fresh = 0, kept = 0;

	for (size_t i = 0; i < n; i++) {
		bool is_new = ft__adaptive_is_new(a, bid[i].index);

		if (is_new && points && a->engine.n + fresh >= points)
			continue;
		fresh += is_new;
		bid[kept++] = bid[i];
	}
	return kept;
}

/* Append the best bids that the budget covers to the n that there are, each in a gap of its own; none
 * behind a repetition, which would change the gains of all. Returns how many there are then. */
static size_t add_bids(const struct ft__adaptive *a, struct ft__served *s, struct ft__bid *bid, size_t n,
		       size_t most)
{
	double left = ft__adaptive_budget_left(a);

	if (a->refining)
		left = fmin(left, adaptive_refine_left(a));
	for (size_t i = 0; i < n; i++) {
		/* A run in a gap makes another one there worthless. */
		for (size_t g = 0; g + 1 < a->engine.n; g++)
			if (ft__adaptive_index_of(a, g) < bid[i].index &&
			    bid[i].index < ft__adaptive_index_of(a, g + 1))
				s->gap[g] = 0;
		left -= bid[i].seconds;
	}
	while (n < most) {
		bid[n] = best_bid(a, s, left);
		if (bid[n].index == FT__NONE || (n && bid[n].index == bid[0].index))
			return n;
		left -= bid[n].seconds;
		if (bid[n++].gap == FT__NONE)
			return n;
		s->gap[bid[n - 1].gap] = 0;
	}
	return n;
}

static size_t adaptive_next(struct ft__adaptive *a, struct ft__bid *bid, size_t most)
{
	size_t n = 0;
	struct ft__served s;
	bool dear;

	if (a->owes) { /* the result of that run comes again */
		bid[0] = sure_bid(a, a->last);
		return 1;
	}
	a->stop = FT_STOP_POINTS;
	size_t again = ft__adaptive_again(a, ft__adaptive_budget_left(a));
	if (a->options.user.points && a->engine.n >= a->options.user.points) {
		if (again != FT__NONE)
			bid[n++] = sure_bid(a, again);
		return n;
	}
	size_t index = ft__adaptive_sure(a, &dear);
	if (index != FT__NONE)
		n = add_sure(a, index, bid, most);
	if (n > 1 || n == most)
		return limit_sizes(a, bid, n);
	a->stop = dear ? FT_STOP_BUDGET : FT_STOP_EXHAUSTED;
	if (a->engine.n < 2)
		return n;
	adaptive_serve(a, a->refining, &s);
	if (!n && again != FT__NONE && adaptive_is_known(a, &s)) {
		bid[0] = sure_bid(a, again);
		return 1;
	}
	if (adaptive_is_known(a, &s) && !a->doubted && !a->refining) {
		a->stop = dear ? FT_STOP_BUDGET : FT_STOP_TOLERANCE;
		return n;
	}
	n = add_bids(a, &s, bid, n, most);
	if (!n && a->refining)
		a->stop = dear ? FT_STOP_BUDGET : FT_STOP_TOLERANCE;
	else if (!n) {
		struct ft__bid any = best_bid(a, &s, INFINITY);

		a->stop = any.index == FT__NONE ? FT_STOP_EXHAUSTED : FT_STOP_BUDGET;
	}
	return limit_sizes(a, bid, n);
}

/*
 * The adaptive builder: the next run is the one that removes the most reducible error per second.
 * Results go into the engine (model/engine.h).
 */

/* Rounds of learning after each run: some while there are few sizes, later it continues from its last
 * state. Fine structure is searched for at larger intervals. Both only after a certain share of new runs. */
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

	if (a->requested < most) {
		a->requested = most;
		a->n_bids = adaptive_next(a, a->bid, most < FT__BATCH_MOST ? most : FT__BATCH_MOST);
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
		adaptive_serve(a, false, &s);
		out->accuracy = s.high;
	}
	if (!adaptive_ask(state, x, 1))
		return;
	out->error = a->bid[0].gain;
	out->seconds = a->bid[0].seconds;
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
static enum ft_status add_runs(struct ft__adaptive *a, double x, const struct ft_build_result *result,
			       struct ft_err *err)
{
	double work = ft__adaptive_work(a, x), sum = 0, miss = NAN;
	size_t site = ft__engine_find(&a->engine, x), known = 0, n = result->n + result->limits, i;
	double *ln = ft_calloc(n, sizeof *ln);
	struct ft__miss *grown = ft_grow(a->miss, a->n_misses, &a->misses_capacity, sizeof *grown);

	a->miss = grown ? grown : a->miss;
	if (!ln || !grown) {
		ft_free(ln);
		return ft_nomem(err);
	}
	for (i = 0; i < n; i++) {
		double seconds = i < result->n ? result->seconds[i] : result->limit_s[i - result->n];

		ln[i] = log(seconds);
		sum += seconds;
	}
	if (site < a->engine.n) {
		known = a->engine.site[site].runs;
		sum -= seconds_of(&a->engine.site[site]);
	} else if (a->engine.n >= MISSES_FROM) {
		miss = miss_of(a, x, ln[0] - log(work));
	}
	enum ft_status status = ft__engine_set(&a->engine, x, work, ln, result->n, err);
	if (!status && result->limits)
		status = ft__engine_limit(&a->engine, x, work, ln + result->n, result->limits, err);
	ft_free(ln);
	if (status)
		return status;
	if (!isnan(miss)) {
		/* The first run at a size tests its prediction. There is room for one more. */
		size_t k;

		for (k = a->n_misses++; k && a->miss[k - 1].miss > miss; k--)
			a->miss[k] = a->miss[k - 1];
		a->miss[k] = (struct ft__miss){(ft__engine_ln(&a->engine, x)), miss};
		ft__adaptive_be_cautious(a);
	}
	a->told_s = fmax(0, a->told_s + sum);
	a->runs += n > known ? n - known : 0;
	return FT_OK;
}

/* If memory fails here, the run is stored already, and only this is left to do when the call is repeated. */
static enum ft_status ask_model(struct ft__adaptive *a, struct ft_err *err)
{
	enum ft_status status = adaptive_ask_model(a, err);

	a->owes = status != FT_OK;
	return status;
}

static enum ft_status adaptive_tell(void *state, double x, const struct ft_build_result *result,
				    struct ft_err *err)
{
	struct ft__adaptive *a = state;
	size_t index = ft__grid_find(&a->grid, x), before = a->runs;

	if (index == FT__NONE)
		return FT_OK;
	a->requested = 0;
	if (!result->n) {
		a->last = FT__NONE;
		return ft__adaptive_add_index(&a->failed, index, err);
	}
	if (a->owes && index == a->last)
		return ask_model(a, err);
	enum ft_status status = add_runs(a, ft__grid_value(&a->grid, index), result, err);
	if (!status && (a->runs == before || result->over))
		status = ft__adaptive_add_index(&a->closed, index, err);
	if (status || a->runs == before)
		return status;
	/* With many runs a few more change little: learning each time would take longer than such runs often do. */
	bool now = a->runs >= a->learned + a->learned / LEARN_SHARE;

	ft__engine_learn(&a->engine, a->engine.n < FEW_SITES ? ROUNDS_FEW : now ? ROUNDS : 0);
	a->learned = now ? a->runs : a->learned;
	if (!result->given)
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
	/* By whichever rule ends it first; the last run cannot be foreseen when the build may end at any time. */
	struct ft__adaptive *a = state;
	double tolerance = a->options.user.tolerance, points = (double)a->options.user.points, share = 0,
	       spent_s, left_s;
	struct ft__served s;

	(void)made; /* each run is reported to it */
	if (!a->engine.n)
		return 0;
	if (a->engine.n > 1) {
		adaptive_serve(a, false, &s);
		share = fmin(mean_share * tolerance / s.left, tolerance / s.high);
	}
	spent_s = ft__adaptive_spent(a);
	if (a->refining)
		share = fmin(share, spent_s / (spent_s + fmax(0, adaptive_refine_left(a))));
	spent_s = fmax(0, spent_s - a->given_s);
	left_s = fmax(0, ft__adaptive_budget_left(a));
	share = fmax(share, spent_s / (spent_s + left_s));
	share = fmax(share, points > 0 ? (double)a->engine.n / points : 0);
	return fmin(share, 1) * (double)a->runs / ((double)a->runs + 1);
}

static void adaptive_price(void *state, double each_s, double stretch, double given_s)
{
	struct ft__adaptive *a = state;

	if (each_s != a->each_s || stretch != a->stretch || given_s != a->given_s)
		a->requested = 0;
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
