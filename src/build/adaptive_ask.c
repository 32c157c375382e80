/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adaptive_ask.c - which run the adaptive builder wants next: new sizes and repetitions of known ones bid
 * with the excess (adaptive_serve.c) that they take away, over the sizes that they serve, for each second. */
#include "build/adaptive.h"

#include <math.h>

/* doc/constants.md has the row of a table for each. */
static const double repeat_share = 0.75; /* a repetition tells of one place, and that is known */
static const double price_floor = 0.001; /* of what was spent: no run is cheaper than that to decide on */
static const double golden = 0.6180339887498949, jitter = 0.15; /* never in step with the program */
enum { RUNS_MOST = 9 };

/* ---- bids -------------------------------------------------------------------------------------------- */

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
	bid->gain = repeat_share * share * ft__adaptive_excess(known, a->refining) * reduction(known) /
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

static bool is_done(const struct ft__adaptive *a)
{
	return a->options.user.points && a->engine.n >= a->options.user.points;
}

static enum ft_stop why_stopped(const struct ft__adaptive *a, const struct ft__served *s)
{
	struct ft__bid any = best_bid(a, s, INFINITY);

	return any.index == FT__NONE ? FT_STOP_EXHAUSTED : FT_STOP_BUDGET;
}

/* A run that is wanted anyhow, and the first sizes beside it. */
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

/* A run in a gap tells what another one there would. */
static void take_gap(const struct ft__adaptive *a, struct ft__served *s, size_t index)
{
	for (size_t g = 0; g + 1 < a->engine.n; g++)
		if (ft__adaptive_index_of(a, g) < index && index < ft__adaptive_index_of(a, g + 1))
			s->gap[g] = 0;
}

/* The best bids that can be paid behind the n that there are, each in a gap of its own; behind a repetition
 * none, for it changes what all of them would take away. Returns how many there are then. */
static size_t add_bids(const struct ft__adaptive *a, struct ft__served *s, struct ft__bid *bid, size_t n,
		       size_t most)
{
	double left = ft__adaptive_budget_left(a);

	if (a->refining)
		left = fmin(left, ft__adaptive_refine_left(a));
	for (size_t i = 0; i < n; i++) {
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

size_t ft__adaptive_next(struct ft__adaptive *a, struct ft__bid *bid, size_t most)
{
	size_t n = 0;
	struct ft__served s;
	bool dear;

	if (a->owes) { /* it is to be told of that run again */
		bid[0] = sure_bid(a, a->last);
		return 1;
	}
	a->stop = FT_STOP_POINTS;
	size_t again = ft__adaptive_again(a, ft__adaptive_budget_left(a));
	if (is_done(a)) {
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
	ft__adaptive_serve(a, a->refining, &s);
	if (!n && again != FT__NONE && ft__adaptive_is_known(a, &s)) {
		bid[0] = sure_bid(a, again);
		return 1;
	}
	if (ft__adaptive_is_known(a, &s) && !a->doubted && !a->refining) {
		a->stop = dear ? FT_STOP_BUDGET : FT_STOP_TOLERANCE;
		return n;
	}
	n = add_bids(a, &s, bid, n, most);
	if (!n && a->refining)
		a->stop = dear ? FT_STOP_BUDGET : FT_STOP_TOLERANCE;
	else if (!n)
		a->stop = why_stopped(a, &s);
	return limit_sizes(a, bid, n);
}
