/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adaptive.c - the adaptive builder: the next run is the one that removes the most reducible error per
 * second. Results go into the engine (model/engine.h). */
#include "base/alloc.h"
#include "build/build.h"
#include "num/num.h"

#include <math.h>
#include <string.h>

/*
 * What the adaptive builder derives from its results: sizes, prices, the budget, how far to trust its
 * errors.
 */

/* doc/constants-build.md has the row of a table for each. */
static const double usual_budget = 4; /* times the first sizes, when none was given ... */
enum { RUNS_USUAL = 60 };             /* ... and at least this many runs */
static const double caution_least = 0.5;
enum { CAUTION_SHARE = 16 }; /* of the misses: when there are many, a few new ones change little */

static int compare_indices(const void *a, const void *b)
{
	const size_t *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

/* The place of an index, or where it belongs. */
static size_t index_place(const struct ft__indices *indices, size_t index)
{
	return ft_search(&index, indices->index, indices->n, sizeof index, compare_indices);
}

static bool indices_has(const struct ft__indices *indices, size_t index)
{
	size_t i = index_place(indices, index);

	return i < indices->n && indices->index[i] == index;
}

enum ft_status ft__adaptive_add_index(struct ft__indices *indices, size_t index, struct ft_err *err)
{
	size_t i = index_place(indices, index), *grown;

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

double ft__adaptive_value(const struct ft__adaptive *a, size_t index)
{
	return ft__grid_value(&a->grid, index);
}

static double adaptive_ln(const struct ft__adaptive *a, size_t index)
{
	return log(ft__adaptive_value(a, index) + a->shift);
}

size_t ft__adaptive_snap(const struct ft__adaptive *a, double ln)
{
	return ft__grid_snap(&a->grid, exp(ln) - a->shift);
}

size_t ft__adaptive_index_of(const struct ft__adaptive *a, size_t site)
{
	return ft__grid_snap(&a->grid, a->engine.site[site].x);
}

bool ft__adaptive_has_failed(const struct ft__adaptive *a, size_t index)
{
	return indices_has(&a->failed, index);
}

/* Whether a size that was run cannot be run again. */
bool ft__adaptive_is_closed(const struct ft__adaptive *a, size_t index)
{
	return ft__adaptive_has_failed(a, index) || indices_has(&a->closed, index);
}

size_t ft__adaptive_failures_between(const struct ft__adaptive *a, size_t left, size_t right)
{
	size_t n = 0;

	for (size_t i = 0; i < a->failed.n; i++)
		n += a->failed.index[i] > left && a->failed.index[i] < right;
	return n;
}

bool ft__adaptive_is_new(const struct ft__adaptive *a, size_t index)
{
	return !ft__adaptive_has_failed(a, index) &&
	       ft__engine_find(&a->engine, ft__adaptive_value(a, index)) == a->engine.n;
}

/* ---- seconds ----------------------------------------------------------------------------------------- */

double ft__adaptive_work(const struct ft__adaptive *a, double x)
{
	return a->options.work ? a->options.work(a->options.ctx, x) : 1;
}

double ft__adaptive_cost(const struct ft__adaptive *a, double seconds)
{
	return a->each_s + a->stretch * seconds;
}

double ft__adaptive_price(const struct ft__adaptive *a, double x)
{
	return ft__adaptive_cost(a, exp(fmin(700, ft__engine_at(&a->engine, x, true).z)) *
					    ft__adaptive_work(a, x));
}

double ft__adaptive_site_price(const struct ft__adaptive *a, size_t site)
{
	return ft__adaptive_cost(a, exp(ft__engine_site(&a->engine, site).z) * a->engine.site[site].work);
}

double ft__adaptive_spent(const struct ft__adaptive *a)
{
	return a->stretch * a->told_s + (double)a->runs * a->each_s;
}

/* Without a user's budget: a multiple of what the first sizes took or, if other sizes were run instead of
 * them, will take. */
double ft__adaptive_budget_left(const struct ft__adaptive *a)
{
	double first = 0;

	if (a->options.user.budget_s > 0)
		return a->options.user.budget_s + a->given_s - ft__adaptive_spent(a);
	if (a->runs < RUNS_USUAL)
		return INFINITY;
	for (size_t i = 0; i < a->n_rungs; i++) {
		size_t site = ft__engine_find(&a->engine, ft__adaptive_value(a, a->rung[i]));

		if (site < a->engine.n)
			first += ft__adaptive_site_price(a, site);
		else if (ft__adaptive_is_new(a, a->rung[i]) && ft__adaptive_value(a, a->rung[i]) <= a->cut)
			first += ft__adaptive_price(a, ft__adaptive_value(a, a->rung[i]));
	}
	return usual_budget * first + a->given_s - ft__adaptive_spent(a);
}

double ft__adaptive_caution(const struct ft__adaptive *a, double at)
{
	double share = (at - adaptive_ln(a, 0)) / a->engine.range;

	if (a->n_misses <= FT__CAUTION_PLACES)
		return ft__caution(a->miss, a->n_misses, at, a->engine.range, caution_least);
	return a->caution[(size_t)(FT__CAUTION_PLACES * fmin(fmax(share, 0), 1) + 0.5)];
}

void ft__adaptive_be_cautious(struct ft__adaptive *a)
{
	if (a->n_misses <= FT__CAUTION_PLACES || a->n_misses < a->n_cautious + a->n_cautious / CAUTION_SHARE)
		return;
	for (size_t i = 0; i <= FT__CAUTION_PLACES; i++)
		a->caution[i] =
			ft__caution(a->miss, a->n_misses,
				    adaptive_ln(a, 0) + a->engine.range * (double)i / FT__CAUTION_PLACES,
				    a->engine.range, caution_least);
	a->n_cautious = a->n_misses;
}

/*
 * Runs that the adaptive builder makes regardless of their gain: the first sizes, the edge of failures,
 * pairs of neighbours, cheap sizes once more.
 */

/* doc/constants-build.md has the row of a table for each. */
static const double cheap_share = 0.008; /* of the time spent: a new size this cheap is run more often */
enum { RUNS_CHEAP = 3, AGAIN_LATER = 11 };
/* Pairs of neighbours separate fine structure from unevenness, and from noise. */
static const double pair_near = 0.045, pair_price = 0.02;
enum { PAIRS_FIRST = 6, PAIR_SITES = 4, PAIR_STEPS = 60 };
enum { FAILURES_MOST = 6 };
static const double edge_share = 0.02; /* of the range: how accurately the edge of failures is located */

/* ---- first sizes ------------------------------------------------------------------------------------- */

void ft__adaptive_set_rungs(struct ft__adaptive *a)
{
	double from = adaptive_ln(a, 0), to = adaptive_ln(a, a->grid.count - 1);
	size_t points = a->options.user.points;
	size_t rungs = points > 1 && points < FT__RUNGS ? points : FT__RUNGS; /* few cover the range, too */

	a->cut = INFINITY;
	if (a->options.user.far != FT_FAR_MEASURE) {
		a->cut = exp(to - log(a->options.user.far == FT_FAR_HALF ? 2 : 4)) - a->shift;
		to = adaptive_ln(a, ft__grid_snap(&a->grid, a->cut));
	}
	for (size_t i = 0; i < rungs; i++) {
		size_t index = ft__adaptive_snap(a, from + (to - from) * (double)i / (double)(rungs - 1));

		if (!a->n_rungs || a->rung[a->n_rungs - 1] < index)
			a->rung[a->n_rungs++] = index;
	}
}

/* A rung counts as run if a size near it was. The ends have no such neighbour. */
static bool rung_known(const struct ft__adaptive *a, size_t i)
{
	double x = adaptive_ln(a, a->rung[i]), near = 0.1 * a->engine.range / (FT__RUNGS - 1);

	if (!ft__adaptive_is_new(a, a->rung[i]))
		return !ft__adaptive_has_failed(a, a->rung[i]);
	if (!i || i + 1 == a->n_rungs)
		return false;
	for (size_t k = 0; k < a->engine.n; k++)
		if (fabs(a->engine.site[k].at - x) < near)
			return true;
	return false;
}

/* Instead of such a rung the largest size that half of the remaining budget pays for, once: if a size
 * above the rung before was run, that was it. */
static size_t affordable_size(const struct ft__adaptive *a, size_t i, double left)
{
	size_t low = ft__adaptive_index_of(a, a->engine.n - 1), high = a->rung[i], last = low;

	if (i && low > a->rung[i - 1])
		return FT__NONE;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (ft__adaptive_price(a, ft__adaptive_value(a, middle)) <= left / 2)
			low = middle;
		else
			high = middle;
	}
	return low > last && ft__adaptive_is_new(a, low) ? low : FT__NONE;
}

/* A size that fails may be a hole, or the end of the range: the next rung decides. *dear: the budget does
 * not reach one. */
static size_t next_rung(const struct ft__adaptive *a, bool *dear)
{
	double left = ft__adaptive_budget_left(a);
	size_t failures = 0;

	*dear = false;
	for (size_t i = 0; i < a->n_rungs; i++) {
		if (ft__adaptive_has_failed(a, a->rung[i])) {
			if (++failures == 2 && a->engine.n > 1)
				return FT__NONE;
			continue;
		}
		failures = 0;
		if (rung_known(a, i))
			continue;
		/* Whether the budget does not reach a rung outside the range of all sizes that were run. */
		double x = ft__adaptive_value(a, a->rung[i]);

		*dear = a->engine.n && x > a->engine.site[a->engine.n - 1].x &&
			ft__adaptive_price(a, x) > left;
		return *dear ? affordable_size(a, i, left) : a->rung[i];
	}
	return FT__NONE;
}

/* Once two sizes give a rough idea of prices: the remaining budget must be this multiple of a run's price.
 * Of 600 builds with a budget, four runs at once, none exceeded it by a tenth; with half of this factor
 * ten did. */
static const double price_margin = 4;

size_t ft__adaptive_rungs_beside(const struct ft__adaptive *a, size_t index, double left, size_t *rung,
				 size_t most)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n_rungs && a->engine.n > 1; i++) {
		double price = price_margin * ft__adaptive_price(a, ft__adaptive_value(a, a->rung[i]));

		if (a->rung[i] == index || !ft__adaptive_is_new(a, a->rung[i]) || rung_known(a, i) ||
		    price > left || n == most)
			continue;
		left -= price;
		rung[n++] = a->rung[i];
	}
	return n;
}

/* ---- the edge of failures ---------------------------------------------------------------------------- */

/* Between the last size that works and the first that fails next to it. */
static size_t edge_between(const struct ft__adaptive *a, size_t good, size_t bad)
{
	size_t low = good < bad ? good : bad, high = good < bad ? bad : good;

	if (high - low < 2 || adaptive_ln(a, high) - adaptive_ln(a, low) < edge_share * a->engine.range)
		return FT__NONE;
	size_t middle = ft__adaptive_snap(a, (adaptive_ln(a, low) + adaptive_ln(a, high)) / 2);
	middle = middle <= low ? low + 1 : middle >= high ? high - 1 : middle;
	return ft__adaptive_is_new(a, middle) ? middle : FT__NONE;
}

static size_t next_edge(const struct ft__adaptive *a)
{
	size_t above = 0, below = 0, nearest_above = FT__NONE, nearest_below = FT__NONE;

	if (!a->engine.n || !a->failed.n)
		return FT__NONE;
	size_t first = ft__adaptive_index_of(a, 0);
	size_t last = ft__adaptive_index_of(a, a->engine.n - 1);
	for (size_t i = 0; i < a->failed.n; i++) {
		if (a->failed.index[i] > last && !above++)
			nearest_above = a->failed.index[i];
		if (a->failed.index[i] < first) {
			below++;
			nearest_below = a->failed.index[i];
		}
	}
	size_t edge = above && above < FAILURES_MOST ? edge_between(a, last, nearest_above) : FT__NONE;
	if (edge == FT__NONE && below && below < FAILURES_MOST)
		edge = edge_between(a, first, nearest_below);
	return edge;
}

/* ---- pairs ------------------------------------------------------------------------------------------- */

static int count_twos(double x)
{
	int n = 0;

	while (n < 12 && x != 0 && fmod(x, 2) == 0) {
		x /= 2;
		n++;
	}
	return n;
}

/* An unused size next to one that is known: the nearest, or the one with most factors of two. */
static size_t next_site(const struct ft__adaptive *a, size_t site, bool smooth)
{
	size_t index = ft__adaptive_index_of(a, site), best = FT__NONE, step;
	int most = -1;

	for (step = 1; step < 2 * (size_t)PAIR_STEPS; step++) {
		size_t away = (step + 1) / 2, other;

		if (step & 1 ? index < away : index + away >= a->grid.count)
			continue;
		other = step & 1 ? index - away : index + away;
		if (fabs(adaptive_ln(a, other) - a->engine.site[site].at) > pair_near ||
		    ft__adaptive_value(a, other) > a->cut || !ft__adaptive_is_new(a, other))
			continue;
		if (!smooth)
			return other;
		if (count_twos(ft__adaptive_value(a, other)) > most) {
			most = count_twos(ft__adaptive_value(a, other));
			best = other;
		}
	}
	return best;
}

/* The cheap site farthest from all pairs that there are. */
static size_t next_pair(const struct ft__adaptive *a)
{
	const struct ft__engine *engine = &a->engine;
	double farthest = 0, limit = pair_price * ft__adaptive_spent(a);
	size_t pairs = 0, found = FT__NONE;

	for (size_t i = 0; i + 1 < engine->n; i++)
		pairs += engine->site[i + 1].at - engine->site[i].at <= pair_near;
	if (pairs >= PAIRS_FIRST + engine->n / PAIR_SITES)
		return FT__NONE;
	for (size_t i = 0; i < engine->n; i++) {
		double away = engine->range;

		for (size_t j = 0; j + 1 < engine->n; j++)
			if (engine->site[j + 1].at - engine->site[j].at <= pair_near)
				away = fmin(away, fabs(engine->site[j].at - engine->site[i].at));
		if (away <= farthest || away <= pair_near || ft__adaptive_site_price(a, i) > limit)
			continue;
		size_t other = next_site(a, i, pairs % 2);
		if (other == FT__NONE)
			continue;
		farthest = away;
		found = other;
	}
	return found;
}

/* ---- all together ------------------------------------------------------------------------------------ */

/* Whether a size that was just run should be run once more: it is cheap, or one of the first two, or the
 * user requests it. */
static bool wants_again(const struct ft__adaptive *a, size_t index)
{
	size_t site = ft__engine_find(&a->engine, ft__adaptive_value(a, index)),
	       runs = a->engine.site[site].runs;

	if (a->options.user.reps_most && runs >= a->options.user.reps_most)
		return false;
	return runs < a->options.user.reps_least || (a->engine.n <= 2 && runs < 2) ||
	       (runs < RUNS_CHEAP && ft__adaptive_site_price(a, site) <= cheap_share * ft__adaptive_spent(a));
}

/* Consecutive runs share the state of the machine, so runs of other sizes come between two of one size. */
void ft__adaptive_owe(struct ft__adaptive *a, size_t index)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n_again; i++)
		if (a->again[i] != index)
			a->again[n++] = a->again[i];
	a->n_again = n;
	if (n < FT__AGAIN_MOST && !ft__adaptive_is_closed(a, index) && wants_again(a, index))
		a->again[a->n_again++] = index;
}

size_t ft__adaptive_again(const struct ft__adaptive *a, double left)
{
	for (size_t i = 0; i < a->n_again; i++)
		if (!ft__adaptive_is_closed(a, a->again[i]) &&
		    ft__adaptive_price(a, ft__adaptive_value(a, a->again[i])) <= left)
			return a->again[i];
	return FT__NONE;
}

/* One of the runs that stand outside the bidding; FT__NONE: none. *dear: the budget does not reach the
 * largest. */
size_t ft__adaptive_sure(const struct ft__adaptive *a, bool *dear)
{
	double left = ft__adaptive_budget_left(a);
	size_t rung = next_rung(a, dear), index = rung;

	if (a->n_again > AGAIN_LATER) {
		size_t again = ft__adaptive_again(a, left);

		if (again != FT__NONE)
			return again;
	}
	if (index == FT__NONE)
		index = next_edge(a);
	if (index == FT__NONE && a->engine.n > 1)
		index = next_pair(a);
	if (index == FT__NONE || !a->engine.n || ft__adaptive_price(a, ft__adaptive_value(a, index)) <= left)
		return index;
	*dear = *dear || index == rung;
	return FT__NONE;
}
