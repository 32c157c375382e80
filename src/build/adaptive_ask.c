/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adaptive_ask.c - which run the adaptive builder wants next.
 *
 * Excess: by how much single runs can be foretold worse than if the curve were known, sqrt(P + s^2) - s.
 * Scatter cannot be measured away, so it drives nothing. New sizes and repetitions of known ones bid with the
 * excess that they take away, over the sizes that they serve, for each second. */
#include "build/adaptive.h"
#include "model/blend.h"
#include "num/stats.h"

#include <math.h>
#include <stdlib.h>

/* doc/constants.md has the row of a table for each. */
static const double mean_share = 0.2; /* of the tolerance: the mean excess that is aimed at */
static const double normal_mean = 0.8, wide_of_excess = 1.5; /* E|z|; quantile for a deviation */
static const double repeat_share = 0.75; /* a repetition tells of one place, and that is known */
static const double price_floor = 0.001; /* of what was spent: no run is cheaper than that to decide on */
static const double golden = 0.6180339887498949, jitter = 0.15; /* never in step with the program */
enum { RUNS_MOST = 9, FAILURES_MOST = 6, DOUBT_SHARE = 8 };

/* ---- bids -------------------------------------------------------------------------------------------- */

/* What is asked for at sizes: half by their number, half by their logarithm. */
struct served {
	double *gap, *excess; /* [n - 1] share of all sizes; mean excess there */
	double left;          /* mean excess over all */
	double high;          /* 95 % quantile of the error over them */
};

static double excess_of(struct ft__known known)
{
	return sqrt(known.variance + known.scatter) - sqrt(known.scatter);
}

/* At a size, by the engine, or by the model that will answer, which is cautious itself. */
static double excess_at(const struct ft__adaptive *a, const struct ft__blend *model, double x, bool fine)
{
	struct ft__outlook at;

	if (!model)
		return ft__adaptive_caution(a, ft__engine_ln(&a->engine, x)) *
		       excess_of(ft__engine_at(&a->engine, x, fine));
	at = ft__blend_at(model, x, ft__adaptive_work(a, x), fine);
	return excess_of((struct ft__known){.variance = at.variance, .scatter = at.scatter * at.scatter});
}

static double gap_excess(const struct ft__adaptive *a, const struct ft__blend *model, size_t g)
{
	double x0 = a->engine.site[g].at, h = a->engine.site[g + 1].at - x0, sum = 0;
	size_t k;

	for (k = 0; k < 3; k++)
		sum += excess_at(a, model, exp(x0 + h * (0.2 + 0.3 * (double)k)) - a->shift, false);
	return sum / 3;
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

/* The excess that 95 % of what is asked for stays below: gaps ascending, the sites before them. */
static double high_excess(struct weighed *gap, size_t n, double sites)
{
	double total = sites, below = sites;
	size_t i;

	for (i = 0; i < n; i++)
		total += gap[i].share;
	qsort(gap, n, sizeof *gap, compare_weighed);
	for (i = 0; i < n; i++) {
		below += gap[i].share;
		if (below >= 0.95 * total)
			return gap[i].excess;
	}
	return 0;
}

/* Excess in each gap, in space of the engine's: gaps [2 n] as share and excess, sorted copies behind them. */
static void serve(const struct ft__adaptive *a, const struct ft__blend *model, struct served *s)
{
	const struct ft__engine *engine = &a->engine;
	struct weighed *sorted = (struct weighed *)(void *)(engine->work + 2 * engine->n);
	double sites = 0, sum = 0, total;
	size_t g, k, inside, n = 0;

	s->gap = engine->work;
	s->excess = engine->work + engine->n;
	for (g = 0; g + 1 < engine->n; g++) {
		s->gap[g] = share_of_gap(a, g, &inside);
		s->excess[g] = inside ? gap_excess(a, model, g) : 0;
		if (inside)
			sorted[n++] = (struct weighed){s->excess[g], s->gap[g]};
		sum += s->gap[g] * s->excess[g];
	}
	total = 0;
	for (k = 0; k < engine->n; k++)
		total += excess_at(a, model, engine->site[k].x, true);
	sites = 0.5 * (double)engine->n / (double)a->grid.count;
	sum += sites * total / (double)engine->n;
	total = sites;
	for (k = 0; k < n; k++)
		total += sorted[k].share;
	s->left = normal_mean * sum / total;
	s->high = wide_of_excess * high_excess(sorted, n, sites);
}

/* Where in a gap: near the middle, nearer to its cheap end where the other is dear; half of the way to what
 * its price alone would say, for the gap may have to be divided again. */
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

static void bid_for_gap(const struct ft__adaptive *a, const struct served *s, size_t g, double floor_s,
			struct ft__bid *bid)
{
	struct ft__known known;
	double x;

	bid->index = s->gap[g] > 0 ? place_in(a, g) : FT__NONE;
	bid->gap = g;
	if (bid->index == FT__NONE)
		return;
	x = ft__adaptive_value(a, bid->index);
	known = ft__engine_at(&a->engine, x, false);
	bid->seconds = ft__adaptive_cost(a, exp(fmin(known.z, 700)) * ft__adaptive_work(a, x));
	bid->gain = s->gap[g] * s->excess[g] * reduction(known) / (bid->seconds + floor_s);
}

static void bid_for_site(const struct ft__adaptive *a, const struct served *s, size_t k, double floor_s,
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
	bid->gain = repeat_share * share * excess_of(known) * reduction(known) / (bid->seconds + floor_s);
}

/* The best bid that can be paid, among gaps that were not yet given to one. gain: from here on of the mean
 * excess, not for each second. */
static struct ft__bid best_bid(const struct ft__adaptive *a, const struct served *s, double left)
{
	struct ft__bid best = {.index = FT__NONE}, bid;
	double floor_s = price_floor * ft__adaptive_spent(a);
	size_t k;

	for (k = 0; k + 1 < a->engine.n; k++) {
		bid_for_gap(a, s, k, floor_s, &bid);
		if (bid.index != FT__NONE && bid.gain > best.gain && bid.seconds <= left)
			best = bid;
	}
	for (k = 0; k < a->engine.n; k++) {
		bid_for_site(a, s, k, floor_s, &bid);
		if (bid.index != FT__NONE && bid.gain > best.gain && bid.seconds <= left)
			best = bid;
	}
	best.gain *= best.seconds + floor_s;
	return best;
}

/* ---- all together ------------------------------------------------------------------------------------ */

static struct ft__bid sure(const struct ft__adaptive *a, size_t index)
{
	return (struct ft__bid){index, 0,
				a->engine.n ? ft__adaptive_price(a, ft__adaptive_value(a, index)) : a->each_s,
				FT__NONE};
}

static bool is_done(const struct ft__adaptive *a)
{
	return a->options.user.points && a->engine.n >= a->options.user.points;
}

static enum ft_stop why(const struct ft__adaptive *a, const struct served *s)
{
	struct ft__bid any = best_bid(a, s, INFINITY);

	return any.index == FT__NONE ? FT_STOP_EXHAUSTED : FT_STOP_BUDGET;
}

/* A run that is wanted anyhow, and the first sizes beside it. */
static size_t add_sure(const struct ft__adaptive *a, size_t index, struct ft__bid *bid, size_t most)
{
	size_t rung[FT__RUNGS], i, n;

	bid[0] = sure(a, index);
	n = most - 1 < FT__RUNGS ? most - 1 : FT__RUNGS;
	n = ft__adaptive_rungs_beside(a, index, ft__adaptive_budget_left(a) - bid[0].seconds, rung, n);
	for (i = 0; i < n; i++)
		bid[1 + i] = sure(a, rung[i]);
	return 1 + n;
}

/* No more new sizes than are wanted. */
static size_t limit(const struct ft__adaptive *a, struct ft__bid *bid, size_t n)
{
	size_t points = a->options.user.points, fresh = 0, i, kept = 0;

	for (i = 0; i < n; i++) {
		bool is_new = ft__adaptive_is_new(a, bid[i].index);

		if (is_new && points && a->engine.n + fresh >= points)
			continue;
		fresh += is_new;
		bid[kept++] = bid[i];
	}
	return kept;
}

/* A run in a gap tells what another one there would. */
static void take_gap(const struct ft__adaptive *a, struct served *s, size_t index)
{
	size_t g;

	for (g = 0; g + 1 < a->engine.n; g++)
		if (ft__adaptive_index_of(a, g) < index && index < ft__adaptive_index_of(a, g + 1))
			s->gap[g] = 0;
}

/* The best bids that can be paid behind the n that there are, each in a gap of its own; behind a repetition
 * none, for it changes what all of them would take away. Returns how many there are then. */
static size_t add_bids(const struct ft__adaptive *a, struct served *s, struct ft__bid *bid, size_t n,
		       size_t most)
{
	double left = ft__adaptive_budget_left(a);
	size_t i;

	for (i = 0; i < n; i++) {
		take_gap(a, s, bid[i].index);
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

static bool is_known(const struct ft__adaptive *a, const struct served *s)
{
	return s->left <= mean_share * a->options.user.tolerance && s->high <= a->options.user.tolerance;
}

/* The builder's engine is one of those that the model averages over, and goes on from where it was when it
 * learns; the model learns from the start, leaves sizes out to see how far they lie off, and may think less
 * of the same runs. To stop then would be to say two things of one curve. To ask takes as long as a hundred
 * decisions: it is done again when there is a share more runs. */
enum ft_status ft__adaptive_ask_model(struct ft__adaptive *a, struct ft_err *err)
{
	enum ft_status status;
	struct ft__engine engine;
	struct ft__blend model;
	struct served s;

	if (a->engine.n < 3 || a->runs < a->doubted_at + a->doubted_at / DOUBT_SHARE)
		return FT_OK;
	serve(a, NULL, &s);
	if (!is_known(a, &s))
		return FT_OK;
	status = ft__engine_copy(&engine, &a->engine, err);
	if (status)
		return status;
	status = ft__blend_make(&model, &engine, 0, false, err);
	ft__engine_clear(&engine);
	if (status)
		return status;
	a->doubted_at = a->runs;
	serve(a, &model, &s);
	a->doubted = !is_known(a, &s);
	ft__blend_clear(&model);
	return FT_OK;
}

/* Whichever rule ends it first; of what may end by itself at any time the last run is never foreseen. */
double ft__adaptive_complete(struct ft__adaptive *a)
{
	double tolerance = a->options.user.tolerance, points = (double)a->options.user.points, share = 0,
	       spent_s, left_s;
	struct served s;

	if (!a->engine.n)
		return 0;
	if (a->engine.n > 1) {
		serve(a, NULL, &s);
		share = fmin(mean_share * tolerance / s.left, tolerance / s.high);
	}
	spent_s = fmax(0, ft__adaptive_spent(a) - a->given_s);
	left_s = fmax(0, ft__adaptive_budget_left(a));
	share = fmax(share, spent_s / (spent_s + left_s));
	share = fmax(share, points > 0 ? (double)a->engine.n / points : 0);
	return fmin(share, 1) * (double)a->runs / ((double)a->runs + 1);
}

size_t ft__adaptive_next(struct ft__adaptive *a, struct ft__bid *bid, size_t most)
{
	size_t index, n = 0;
	struct served s;
	bool dear;

	if (a->owes) { /* it is to be told of that run again */
		bid[0] = sure(a, a->last);
		return 1;
	}
	a->stop = FT_STOP_POINTS;
	if (is_done(a) && !ft__adaptive_wants_again(a, ft__adaptive_budget_left(a)))
		return 0;
	index = ft__adaptive_sure(a, &dear);
	if (index != FT__NONE)
		n = add_sure(a, index, bid, most);
	if (n > 1 || n == most)
		return limit(a, bid, n);
	a->stop = dear ? FT_STOP_BUDGET : FT_STOP_EXHAUSTED;
	if (a->engine.n < 2)
		return n;
	serve(a, NULL, &s);
	if (is_known(a, &s) && !a->doubted) {
		a->stop = dear ? FT_STOP_BUDGET : FT_STOP_TOLERANCE;
		return n;
	}
	n = add_bids(a, &s, bid, n, most);
	if (!n)
		a->stop = why(a, &s);
	return limit(a, bid, n);
}
