/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adaptive_ask.c - which run the adaptive builder wants next. doc/models.md gives the rules, and why they are
 * these. */
#include "build/adaptive.h"

#include <math.h>

/* Repetition: of what costs so little of all that was spent, so often; of a surprise. */
static const double cheap_share = 0.01, surprise_share = 0.25, narrow_share = 0.2;
enum { RUNS_CHEAP = 3, RUNS_MOST = 9 };

/* Exploration: so many sizes, at so much of what was spent together. What a dear one would take too much of
 * is left for cheaper ones. */
static const double explore_share = 0.1;
enum { SIZES_EXPLORED = 24 };

/* The mean error aimed at is a fifth of the 95 % quantile; a gap's mean error is 0.6 of that in its middle.
 */
static const double mean_share = 0.2, mean_of_middle = 0.6, over_share = 0.05;

/* Where gaps are too dear, or full of failures, those that can be divided are left alone when they hold no
 * more of all error: there may be thousands of them, and cheap. */
static const double worthless_share = 0.02;

/* Where in ln size a gap is divided: near the middle, never in step with the program's own structure. */
static const double golden = 0.6180339887498949, jitter = 0.15;

/* Half of the way: a gap may have to be divided again, and then its dear half would be as wide as before. */
static const double rise_share = 0.5;

/* A size is visited again when it costs no more of what was spent. */
static const double revisit_share = 0.001;

enum { FAILURES_MOST = 6 };              /* in one gap, which is then left as it is */
static const double price_floor = 0.001; /* of what was spent: no run is cheaper than that to decide on */
static const double usual_budget = 4;    /* times the first runs of the first sizes */

double ft__adaptive_at(const struct ft__adaptive *a, double x)
{
	return log(x + a->live.shift);
}

static size_t snap(const struct ft__adaptive *a, double at)
{
	return ft__grid_snap(&a->grid, exp(at) - a->live.shift);
}

bool ft__adaptive_has_failed(const struct ft__adaptive *a, size_t index)
{
	size_t i;

	for (i = 0; i < a->n_failed; i++)
		if (a->failed[i] == index)
			return true;
	return false;
}

static size_t failures_between(const struct ft__adaptive *a, size_t left, size_t right)
{
	size_t i, n = 0;

	for (i = 0; i < a->n_failed; i++)
		n += a->failed[i] > left && a->failed[i] < right;
	return n;
}

/* ln of the seconds expected at x beyond the nodes (or at the only one): the power law through the two
 * outermost. */
double ft__adaptive_beyond(const struct ft__adaptive *a, double x)
{
	const struct ft__live *live = &a->live;
	const struct ft__node *p, *q;

	if (live->n == 1)
		return live->node[0].level;
	p = x > live->node[0].x ? &live->node[live->n - 2] : &live->node[1];
	q = x > live->node[0].x ? &live->node[live->n - 1] : &live->node[0];
	return q->level +
	       (q->level - p->level) * (ft__adaptive_at(a, x) - live->origin - q->at) / (q->at - p->at);
}

static double budget_left(const struct ft__adaptive *a)
{
	double budget = a->options.budget > 0 ? a->options.budget : usual_budget * a->first_runs;

	return budget - a->spent;
}

/* ---- repetition -------------------------------------------------------------------------------------- */

/* A surprise is a wild run or a jump; two runs that agree do not surprise. */
static bool wants_to_confirm(const struct ft__adaptive *a, const struct ft__node *node)
{
	if (!a->last_surprised || node->runs >= RUNS_CHEAP)
		return false;
	return node->runs < 2 || log(node->value[1] / node->value[0]) > a->options.tolerance;
}

static bool wants_repeat(const struct ft__adaptive *a)
{
	const struct ft__node *node;
	double price;
	size_t m;

	if (!a->has_last || a->last_closed || !a->live.n)
		return false;
	node = &a->live.node[ft__live_find(&a->live, ft__grid_value(&a->grid, a->last))];
	m = node->runs;
	price = a->last_s + a->overhead;
	if (a->options.budget > 0 && price > budget_left(a))
		return false;
	if (a->options.reps_most && m >= a->options.reps_most)
		return false;
	if (m < a->options.reps_least || (a->live.n <= 2 && m < 2 && a->last <= a->rung[1]))
		return true;
	if (price <= cheap_share * a->spent) {
		double error = m > 1 ? sqrt(node->scatter / (double)(m - 1) / (double)m) : INFINITY;

		if (m < RUNS_CHEAP || (m < RUNS_MOST && error > narrow_share * a->options.tolerance))
			return true;
	}
	return wants_to_confirm(a, node) && price <= surprise_share * a->spent;
}

/* ---- first sizes ------------------------------------------------------------------------------------- */

void ft__adaptive_set_rungs(struct ft__adaptive *a)
{
	double from = ft__adaptive_at(a, a->grid.space.least), to = ft__adaptive_at(a, a->grid.space.most);
	size_t i;

	for (i = 0; i < FT__RUNGS; i++) {
		size_t index = i + 1 == FT__RUNGS ? a->grid.count - 1
						  : snap(a, from + (to - from) * (double)i / (FT__RUNGS - 1));

		if (!a->n_rungs || a->rung[a->n_rungs - 1] < index)
			a->rung[a->n_rungs++] = index;
	}
}

/* Is a rung known, or near enough to a size that is? The ends have no such neighbour. */
static bool is_known(const struct ft__adaptive *a, size_t i)
{
	double x = ft__grid_value(&a->grid, a->rung[i]), step;
	size_t g;

	if (!a->live.n || x < a->live.node[0].x)
		return false;
	g = ft__live_find(&a->live, x);
	if (a->index[g] == a->rung[i])
		return true;
	if (!i || i + 1 == a->n_rungs)
		return false;
	step = 0.1 * (ft__adaptive_at(a, a->grid.space.most) - ft__adaptive_at(a, a->grid.space.least)) /
	       (FT__RUNGS - 1);
	x = ft__adaptive_at(a, x) - a->live.origin;
	return x - a->live.node[g].at < step || (g + 1 < a->live.n && a->live.node[g + 1].at - x < step);
}

/* A rung that the budget does not reach is replaced by the largest size that half of what is left is expected
 * to pay for, and is the last one. False: not even the sizes that are known can be passed. */
static bool fit_rung(struct ft__adaptive *a, size_t i)
{
	const struct ft__node *last = a->live.n ? &a->live.node[a->live.n - 1] : NULL;
	double x = ft__grid_value(&a->grid, a->rung[i]), left = budget_left(a), slope;
	size_t index;

	if (!(a->options.budget > 0) || a->live.n < 2 || x < last->x ||
	    exp(ft__adaptive_beyond(a, x)) <= left)
		return true;
	a->cut_short = true;
	slope = (ft__adaptive_beyond(a, x) - last->level) /
		(ft__adaptive_at(a, x) - ft__adaptive_at(a, last->x));
	if (!(left > 0) || !(slope > 0))
		return false;
	index = snap(a, ft__adaptive_at(a, last->x) + (log(left / 2) - last->level) / slope);
	a->n_rungs = i + 1;
	a->rung[i] = index;
	a->end = FT__END_RUN;
	return index > a->index[a->live.n - 1] &&
	       exp(ft__adaptive_beyond(a, ft__grid_value(&a->grid, index))) <= left;
}

/* A size that fails may be a hole, or the end of all: the next rung tells. */
static bool ask_rung(struct ft__adaptive *a, struct ft__question *q)
{
	size_t i, failures = 0;

	for (i = 0; i < a->n_rungs; i++) {
		if (i + 1 == a->n_rungs)
			a->rung[i] = ft__adaptive_end_rung(a);
		if (ft__adaptive_has_failed(a, a->rung[i])) {
			if (++failures == 2 && a->live.n > 1)
				return false;
			continue;
		}
		failures = 0;
		if (is_known(a, i))
			continue;
		if (!fit_rung(a, i))
			return false;
		*q = (struct ft__question){a->rung[i], FT__RUNG};
		return true;
	}
	return false;
}

/* ---- gaps -------------------------------------------------------------------------------------------- */

/* The place in a gap that takes most error away for its price. Errors go with the square of a width and sizes
 * with the width, so that dividing at u leaves u^3 + (1-u)^3 of what was: 3 u (1-u) is gained, at a price
 * that goes with exp(rise u); rise: of ln seconds over the gap. */
static double best_place(double rise)
{
	return fabs(rise) < 1e-3 ? 0.5 : (rise + 2 - sqrt(rise * rise + 4)) / (2 * rise);
}

/* Where the gap between two sizes is divided next; FT__NONE: nowhere. */
static size_t divide(const struct ft__adaptive *a, size_t left, size_t right, double rise)
{
	double from, to, k = (double)(a->live.n + a->n_failed);
	double u = best_place(rise * rise_share) + jitter * (2 * (golden * k - floor(golden * k)) - 1);
	size_t index;

	if (right - left < 2 || failures_between(a, left, right) >= FAILURES_MOST)
		return FT__NONE;
	from = ft__adaptive_at(a, ft__grid_value(&a->grid, left));
	to = ft__adaptive_at(a, ft__grid_value(&a->grid, right));
	index = snap(a, from + u * (to - from));
	if (index <= left)
		index = left + 1;
	if (index >= right)
		index = right - 1;
	while (index < right && ft__adaptive_has_failed(a, index))
		index++;
	return index < right ? index : FT__NONE;
}

/* What dividing a gap would cost and bring. */
struct prospect {
	size_t index;
	double share, error, price;
	enum ft__reason reason;
};

static struct prospect gap_prospect(struct ft__adaptive *a, size_t g)
{
	size_t left = a->index[g], right = a->index[g + 1];
	struct prospect p = {.index = FT__NONE, .reason = FT__IMPROVE};
	struct ft__gap gap;

	p.share = (double)(right - left - 1) / (double)a->grid.count;
	if (right - left < 2)
		return p;
	p.index = divide(a, left, right, a->live.node[g + 1].level - a->live.node[g].level);
	gap = ft__live_gap(&a->live, g);
	p.error = fmin(3, gap.doubt * (1 + p.share));
	if (p.index != FT__NONE)
		p.price = a->overhead +
			  exp(ft__live_level(&a->live, g, gap.shape, ft__grid_value(&a->grid, p.index)));
	return p;
}

/* Between the outermost good size and the nearest one beyond it that failed: is it worth looking where the
 * limit is? */
static struct prospect edge_prospect(struct ft__adaptive *a, bool upper)
{
	struct prospect p = {.index = FT__NONE, .reason = FT__EDGE, .error = 1};
	size_t good = a->index[upper ? a->live.n - 1 : 0], bad = FT__NONE, i;
	double from, to;

	for (i = 0; i < a->n_failed; i++) {
		if (upper ? a->failed[i] <= good : a->failed[i] >= good)
			continue;
		if (bad == FT__NONE || !upper)
			bad = a->failed[i];
	}
	if (bad == FT__NONE)
		return p;
	from = ft__adaptive_at(a, ft__grid_value(&a->grid, upper ? good : bad));
	to = ft__adaptive_at(a, ft__grid_value(&a->grid, upper ? bad : good));
	if (to - from <= a->options.tolerance)
		return p;
	p.index = divide(a, upper ? good : bad, upper ? bad : good, 0);
	if (p.index == FT__NONE)
		return p;
	p.share = (double)((upper ? bad - good : good - bad) - 1) / (double)a->grid.count;
	p.price = a->overhead + exp(ft__adaptive_beyond(a, ft__grid_value(&a->grid, p.index)));
	return p;
}

/* All that may be divided, one after the other; false past the last. */
static bool next_prospect(struct ft__adaptive *a, size_t *i, struct prospect *p)
{
	if (*i > a->live.n)
		return false;
	if (*i == a->live.n || !*i)
		*p = edge_prospect(a, *i != 0);
	else
		*p = gap_prospect(a, *i - 1);
	++*i;
	return true;
}

static bool ask_explore(struct ft__adaptive *a, struct ft__question *q)
{
	struct prospect p, best = {.index = FT__NONE};
	size_t i = 0;

	if (a->live.n >= SIZES_EXPLORED)
		return false;
	while (next_prospect(a, &i, &p))
		if (p.index != FT__NONE && p.reason == FT__IMPROVE &&
		    a->explored + p.price <= explore_share * a->spent && p.price <= budget_left(a) &&
		    p.share > best.share)
			best = p;
	*q = (struct ft__question){best.index, FT__EXPLORE};
	return best.index != FT__NONE;
}

/* Nothing else is asked. Was the largest size left out with a right? Only a budget that was given keeps it
 * from being run after all. */
static void ask_end(struct ft__adaptive *a, struct ft__question *q)
{
	if (a->end != FT__END_LEFT_OUT || ft__adaptive_end_holds(a))
		return;
	if (a->options.budget > 0 && exp(ft__adaptive_beyond(a, a->grid.space.most)) > budget_left(a)) {
		a->stop = FT_STOP_BUDGET;
		return;
	}
	a->end = FT__END_RUN;
	*q = (struct ft__question){a->grid.count - 1, FT__EDGE};
}

/* The gap that is worth its price most; or the reason why none is divided. */
static void ask_improve(struct ft__adaptive *a, struct ft__question *q)
{
	double mean = 0, within = 0, over = 0, most = 0, left = budget_left(a);
	bool refused = false;
	struct prospect p;
	size_t i = 0;

	*q = (struct ft__question){FT__NONE, FT__NOTHING};
	while (next_prospect(a, &i, &p)) {
		double worth;

		mean += p.share * mean_of_middle * p.error;
		if (p.error > a->options.tolerance)
			over += p.share;
		if (p.index == FT__NONE)
			continue;
		/* The usual budget is no reason not to look where the limit is. */
		if (p.price > left && !(p.reason == FT__EDGE && a->options.budget <= 0)) {
			refused = true;
			continue;
		}
		within += p.share * mean_of_middle * p.error;
		worth = p.share * p.error / (p.price + price_floor * a->spent);
		if (p.error < 0.3 * mean_share * a->options.tolerance)
			worth *= 0.1;
		if (worth > most) {
			most = worth;
			*q = (struct ft__question){p.index, p.reason};
		}
	}
	if (within <= worthless_share * mean)
		*q = (struct ft__question){FT__NONE, FT__NOTHING};
	if (a->live.n + a->n_failed == a->grid.count) {
		a->stop = FT_STOP_EXHAUSTED;
	} else if (mean <= mean_share * a->options.tolerance && over <= over_share) {
		*q = (struct ft__question){FT__NONE, FT__NOTHING};
		a->stop = a->cut_short ? FT_STOP_BUDGET : FT_STOP_TOLERANCE;
	} else if (q->reason == FT__NOTHING) {
		a->stop = refused || a->cut_short ? FT_STOP_BUDGET : FT_STOP_EXHAUSTED;
	}
	if (q->reason == FT__NOTHING)
		ask_end(a, q);
}

static const struct ft__node *node_of(const struct ft__adaptive *a, size_t index)
{
	return &a->live.node[ft__live_find(&a->live, ft__grid_value(&a->grid, index))];
}

static bool may_revisit(const struct ft__adaptive *a, size_t index)
{
	const struct ft__node *node = node_of(a, index);

	return node->middle + a->overhead <= revisit_share * a->spent &&
	       (!a->options.reps_most || node->runs < a->options.reps_most);
}

/* Cheap sizes that it asked for, evenly spaced in the order of asking; the last one is too fresh to tell of
 * drift. */
static void choose_revisits(struct ft__adaptive *a)
{
	size_t cheap = 0, i, k;

	for (i = 0; i + 1 < a->n_asked; i++)
		cheap += may_revisit(a, a->asked[i]);
	for (i = 0, k = 0; i + 1 < a->n_asked && a->n_revisits < FT__REVISITS; i++) {
		if (!may_revisit(a, a->asked[i]))
			continue;
		if (k++ * FT__REVISITS >= a->n_revisits * cheap)
			a->revisit[a->n_revisits++] = a->asked[i];
	}
}

/* All is measured: see what has changed meanwhile. */
static bool ask_revisit(struct ft__adaptive *a, struct ft__question *q)
{
	if (!a->revisits_chosen)
		choose_revisits(a);
	a->revisits_chosen = true;
	if (a->revisits_done >= a->n_revisits ||
	    (a->options.budget > 0 && node_of(a, a->revisit[a->revisits_done])->middle > budget_left(a)))
		return false;
	*q = (struct ft__question){a->revisit[a->revisits_done], FT__REVISIT};
	return true;
}

void ft__adaptive_decide(struct ft__adaptive *a)
{
	struct ft__question *q = &a->question;

	if (a->decided)
		return;
	a->decided = true;
	if (wants_repeat(a)) {
		*q = (struct ft__question){a->last, FT__REPEAT};
		return;
	}
	*q = (struct ft__question){FT__NONE, FT__NOTHING};
	if (a->options.points && a->live.n + a->n_failed >= a->options.points) {
		a->stop = FT_STOP_POINTS;
		return;
	}
	if (ask_rung(a, q))
		return;
	if (!a->live.n) {
		a->stop = FT_STOP_EXHAUSTED;
		return;
	}
	if (!ask_explore(a, q))
		ask_improve(a, q);
	if (q->reason == FT__NOTHING)
		(void)ask_revisit(a, q);
}
