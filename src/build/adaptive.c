/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adaptive.c - the adaptive builder: the next run is the one that is expected to take most error away for its
 * seconds. doc/models.md gives the rules and why they are these.
 *
 * It is a function of what it was told, in that order: told the same again, it asks the same again. */
#include "base/alloc.h"
#include "build/space.h"
#include "build/types.h"
#include "model/live.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The first sizes, evenly spaced in ln size. */
enum { RUNGS = 5 };

/* Repetition: of what costs so little of all that was spent, so often; of a surprise. */
static const double cheap_share = 0.01, surprise_share = 0.1, narrow_share = 0.2;
enum { RUNS_CHEAP = 3, RUNS_MOST = 9 };

/* Exploration: so many sizes, at so much of what was spent, together and each. */
static const double explore_share = 0.1, explore_each = 0.1;
enum { SIZES_EXPLORED = 24 };

/* The mean error aimed at is a fifth of the 95 % quantile; a gap's mean error is 0.6 of that in its middle.
 */
static const double mean_share = 0.2, mean_of_middle = 0.6, over_share = 0.05;

/* Where in ln size a gap is divided: near the middle, never in step with the program's own structure. */
static const double golden = 0.6180339887498949, jitter = 0.15;

/* Half of the way: a gap may have to be divided again, and then its dear half would be as wide as before. */
static const double rise_share = 0.5;

static const double price_floor = 0.001; /* of what was spent: no run is cheaper than that to decide on */
static const double usual_budget = 4;    /* times the first runs of the first sizes */

enum reason { NOTHING, REPEAT, RUNG, EXPLORE, IMPROVE, EDGE };

struct question {
	size_t index;
	enum reason reason; /* NOTHING: done */
};

struct adaptive {
	struct ft_build_options options;
	struct ft__grid grid;
	struct ft__live live;
	size_t *index; /* [live.n] of its nodes */
	size_t index_capacity;
	size_t *failed; /* [n_failed] ascending */
	size_t n_failed, failed_capacity;
	size_t rung[RUNGS], n_rungs;
	double spent, explored, first_runs; /* seconds: of all that it asked for, of that */
	struct question question;
	bool decided;
	/* The size it was told of last: */
	size_t last;
	double last_s;
	bool last_surprised, last_closed, has_last;
	enum ft_stop stop;
};

static double coordinate(const struct adaptive *a, double x)
{
	return log(x + a->live.shift);
}

static size_t snap(const struct adaptive *a, double at)
{
	return ft__grid_snap(&a->grid, exp(at) - a->live.shift);
}

static bool has_failed(const struct adaptive *a, size_t index)
{
	size_t i;

	for (i = 0; i < a->n_failed; i++)
		if (a->failed[i] == index)
			return true;
	return false;
}

static size_t failures_between(const struct adaptive *a, size_t left, size_t right)
{
	size_t i, n = 0;

	for (i = 0; i < a->n_failed; i++)
		n += a->failed[i] > left && a->failed[i] < right;
	return n;
}

/* ln of the seconds expected at x beyond the nodes (or at the only one): the power law through the two
 * outermost. */
static double level_beyond(const struct adaptive *a, double x)
{
	const struct ft__live *live = &a->live;
	const struct ft__node *p, *q;

	if (live->n == 1)
		return live->node[0].level;
	p = x > live->node[0].x ? &live->node[live->n - 2] : &live->node[1];
	q = x > live->node[0].x ? &live->node[live->n - 1] : &live->node[0];
	return q->level + (q->level - p->level) * (coordinate(a, x) - live->origin - q->at) / (q->at - p->at);
}

static double budget_left(const struct adaptive *a)
{
	double budget = a->options.budget > 0 ? a->options.budget : usual_budget * a->first_runs;

	return budget - a->spent;
}

/* ---- repetition -------------------------------------------------------------------------------------- */

static bool wants_repeat(const struct adaptive *a)
{
	const struct ft__node *node;
	size_t m;

	if (!a->has_last || a->last_closed || !a->live.n)
		return false;
	node = &a->live.node[ft__live_find(&a->live, ft__grid_value(&a->grid, a->last))];
	m = node->runs;
	if (a->options.budget > 0 && a->last_s > budget_left(a))
		return false;
	if (a->live.n <= 2 && m < 2)
		return true;
	if (a->last_s <= cheap_share * a->spent) {
		double error = m > 1 ? sqrt(node->scatter / (double)(m - 1) / (double)m) : INFINITY;

		if (m < RUNS_CHEAP || (m < RUNS_MOST && error > narrow_share * a->options.tolerance))
			return true;
	}
	return a->last_surprised && m < RUNS_CHEAP && a->last_s <= surprise_share * a->spent;
}

/* ---- first sizes ------------------------------------------------------------------------------------- */

static void set_rungs(struct adaptive *a)
{
	double from = coordinate(a, a->grid.space.least), to = coordinate(a, a->grid.space.most);
	size_t i;

	for (i = 0; i < RUNGS; i++) {
		size_t index = i + 1 == RUNGS ? a->grid.count - 1
					      : snap(a, from + (to - from) * (double)i / (RUNGS - 1));

		if (!a->n_rungs || a->rung[a->n_rungs - 1] < index)
			a->rung[a->n_rungs++] = index;
	}
}

/* Is a rung known, or near enough to a size that is? The ends have no such neighbour. */
static bool is_known(const struct adaptive *a, size_t i)
{
	double x = ft__grid_value(&a->grid, a->rung[i]), step;
	size_t g;

	if (has_failed(a, a->rung[i]))
		return true;
	if (!a->live.n || x < a->live.node[0].x)
		return false;
	g = ft__live_find(&a->live, x);
	if (a->index[g] == a->rung[i])
		return true;
	if (!i || i + 1 == a->n_rungs)
		return false;
	step = 0.1 * (coordinate(a, a->grid.space.most) - coordinate(a, a->grid.space.least)) / (RUNGS - 1);
	x = coordinate(a, x) - a->live.origin;
	return x - a->live.node[g].at < step || (g + 1 < a->live.n && a->live.node[g + 1].at - x < step);
}

/* What died of its size is not run larger: the least failed size with nothing good beyond, or one past all.
 */
static size_t top(const struct adaptive *a)
{
	size_t i;

	for (i = 0; i < a->n_failed && a->live.n; i++)
		if (a->failed[i] > a->index[a->live.n - 1])
			return a->failed[i];
	return a->grid.count;
}

static bool ask_rung(struct adaptive *a, struct question *q)
{
	size_t i, end = top(a);

	for (i = 0; i < a->n_rungs && a->rung[i] < end; i++) {
		if (is_known(a, i))
			continue;
		*q = (struct question){a->rung[i], RUNG};
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
static size_t divide(const struct adaptive *a, size_t left, size_t right, double rise)
{
	double from, to, k = (double)(a->live.n + a->n_failed);
	double u = best_place(rise * rise_share) + jitter * (2 * (golden * k - floor(golden * k)) - 1);
	size_t index;

	if (right - left < 2 || failures_between(a, left, right) >= 3)
		return FT__NONE;
	from = coordinate(a, ft__grid_value(&a->grid, left));
	to = coordinate(a, ft__grid_value(&a->grid, right));
	index = snap(a, from + u * (to - from));
	if (index <= left)
		index = left + 1;
	if (index >= right)
		index = right - 1;
	while (index < right && has_failed(a, index))
		index++;
	return index < right ? index : FT__NONE;
}

/* What dividing a gap would cost and bring. */
struct prospect {
	size_t index;
	double share, error, price;
	enum reason reason;
};

static struct prospect gap_prospect(struct adaptive *a, size_t g)
{
	size_t left = a->index[g], right = a->index[g + 1];
	struct prospect p = {.index = FT__NONE, .reason = IMPROVE};
	struct ft__gap gap;

	p.share = (double)(right - left - 1) / (double)a->grid.count;
	if (right - left < 2)
		return p;
	p.index = divide(a, left, right, a->live.node[g + 1].level - a->live.node[g].level);
	gap = ft__live_gap(&a->live, g);
	p.error = fmin(3, gap.error * (1 + p.share));
	if (p.index != FT__NONE)
		p.price = exp(ft__live_level(&a->live, g, gap.shape, ft__grid_value(&a->grid, p.index)));
	return p;
}

/* Between the outermost good size and the nearest one beyond it that failed: is it worth looking where the
 * limit is? */
static struct prospect edge_prospect(struct adaptive *a, bool upper)
{
	struct prospect p = {.index = FT__NONE, .reason = EDGE, .error = 1};
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
	from = coordinate(a, ft__grid_value(&a->grid, upper ? good : bad));
	to = coordinate(a, ft__grid_value(&a->grid, upper ? bad : good));
	if (to - from <= a->options.tolerance)
		return p;
	p.index = divide(a, upper ? good : bad, upper ? bad : good, 0);
	if (p.index == FT__NONE)
		return p;
	p.share = (double)((upper ? bad - good : good - bad) - 1) / (double)a->grid.count;
	p.price = exp(level_beyond(a, ft__grid_value(&a->grid, p.index)));
	return p;
}

/* All that may be divided, one after the other; false past the last. */
static bool next_prospect(struct adaptive *a, size_t *i, struct prospect *p)
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

static bool ask_explore(struct adaptive *a, struct question *q)
{
	struct prospect p, best = {.index = FT__NONE};
	size_t i = 0;

	if (a->live.n >= SIZES_EXPLORED || a->explored > explore_share * a->spent)
		return false;
	while (next_prospect(a, &i, &p))
		if (p.index != FT__NONE && p.reason == IMPROVE && p.price <= explore_each * a->spent &&
		    p.price <= budget_left(a) && p.share > best.share)
			best = p;
	*q = (struct question){best.index, EXPLORE};
	return best.index != FT__NONE;
}

/* The gap that is worth its price most; or the reason why none is divided. */
static void ask_improve(struct adaptive *a, struct question *q)
{
	double mean = 0, over = 0, most = 0, left = budget_left(a);
	bool refused = false;
	struct prospect p;
	size_t i = 0;

	*q = (struct question){FT__NONE, NOTHING};
	while (next_prospect(a, &i, &p)) {
		double worth;

		mean += p.share * mean_of_middle * p.error;
		if (p.error > a->options.tolerance)
			over += p.share;
		if (p.index == FT__NONE)
			continue;
		if (p.price > left) {
			refused = true;
			continue;
		}
		worth = p.share * p.error / (p.price + price_floor * a->spent);
		if (p.error < 0.3 * mean_share * a->options.tolerance)
			worth *= 0.1;
		if (worth > most) {
			most = worth;
			*q = (struct question){p.index, p.reason};
		}
	}
	if (mean <= mean_share * a->options.tolerance && over <= over_share) {
		*q = (struct question){FT__NONE, NOTHING};
		a->stop = FT_STOP_TOLERANCE;
	} else if (q->reason == NOTHING) {
		a->stop = refused ? FT_STOP_BUDGET : FT_STOP_EXHAUSTED;
	}
}

static void decide(struct adaptive *a)
{
	struct question *q = &a->question;

	if (a->decided)
		return;
	a->decided = true;
	if (wants_repeat(a)) {
		*q = (struct question){a->last, REPEAT};
		return;
	}
	*q = (struct question){FT__NONE, NOTHING};
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
}

/* ---- the table's functions --------------------------------------------------------------------------- */

static void adaptive_free(void *state)
{
	struct adaptive *a = state;

	if (!a)
		return;
	ft__live_clear(&a->live);
	ft_free(a->index);
	ft_free(a->failed);
	ft_free(a);
}

static enum ft_status adaptive_init(void **state, const struct ft_build_options *options, struct ft_err *err)
{
	struct adaptive *a = ft_calloc(1, sizeof *a);
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
	set_rungs(a);
	*state = a;
	return FT_OK;
}

static size_t adaptive_ask(void *state, double *sizes, size_t most)
{
	struct adaptive *a = state;

	(void)most;
	decide(a);
	if (a->question.reason == NOTHING)
		return 0;
	sizes[0] = ft__grid_value(&a->grid, a->question.index);
	return 1;
}

static enum ft_status add_failure(struct adaptive *a, size_t index, struct ft_err *err)
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

/* One run that is new. */
static enum ft_status add_run(struct adaptive *a, size_t index, double seconds, struct ft_err *err)
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
static size_t keep_new(const struct adaptive *a, double x, double *seconds, size_t n)
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
static void account(struct adaptive *a, const struct question *q, bool own, double seconds)
{
	if (!own)
		return;
	a->spent += seconds;
	if (q->reason == EXPLORE)
		a->explored += seconds;
	if (q->reason == RUNG)
		a->first_runs += seconds;
}

static enum ft_status tell_runs(struct adaptive *a, size_t index, double *seconds, size_t n, bool own,
				struct ft_err *err)
{
	double x = ft__grid_value(&a->grid, index);
	size_t kept = keep_new(a, x, seconds, n), i;
	bool new_size = !a->has_last || a->last != index;
	enum ft_status status = FT_OK;

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
	a->has_last = own;
	a->last = index;
	return status;
}

static enum ft_status adaptive_tell(void *state, double x, const double *seconds, size_t n,
				    struct ft_err *err)
{
	struct adaptive *a = state;
	size_t index = ft__grid_find(&a->grid, x);
	double *copy;
	enum ft_status status;
	bool own;

	if (index == FT__NONE)
		return FT_OK;
	decide(a);
	own = a->question.reason != NOTHING && a->question.index == index;
	if (!n) {
		a->has_last = false;
		a->decided = false;
		return has_failed(a, index) ? FT_OK : add_failure(a, index, err);
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
	const struct adaptive *a = state;

	return a->stop;
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
	.free = adaptive_free,
};
