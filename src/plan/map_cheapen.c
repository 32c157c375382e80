/* SPDX-License-Identifier: GPL-3.0-or-later */
/* map_cheapen.c - a mapping that keeps a deadline, and costs less energy: moves off what is late, then moves
 * to cheaper machines, for which others make room. */
#include "plan/map_energy.h"

#include <float.h>
#include <math.h>
#include <string.h>

static bool fits_deadline(const struct ft__saving *g, size_t i, double more)
{
	return g->now.load[i] + more <= g->deadline;
}

/* ---- a plan of prices ---------------------------------------------------------------------------------- */

/* What task j costs more where it is second best, by the prices. */
static double regret(const struct ft__saving *g, size_t j)
{
	double first = INFINITY, second = INFINITY;

	for (size_t q = 0; q < g->groups; q++) {
		double p = ft__saving_time(g, j, g->member[q]), v;

		if (!(p <= g->deadline) || isinf(p))
			continue;
		v = ft__saving_joules(g, j, g->member[q]) + g->price[q] * p;
		if (v < first) {
			second = first;
			first = v;
		} else if (v < second) {
			second = v;
		}
	}
	return isinf(second) ? DBL_MAX : second - first;
}

/* The cheapest machine by the prices that has room, the emptiest of those alike; else where it ends first. */
static size_t cheapest_machine(const struct ft__saving *g, size_t j)
{
	double least = INFINITY, soonest = INFINITY;
	size_t cheap = FT_PLAN_NOWHERE, soon = 0;

	for (size_t i = 0; i < g->k.m; i++) {
		double p = ft__saving_time(g, j, i), end = g->now.load[i] + p,
		       v = ft__saving_joules(g, j, i) + g->price[g->group[i]] * p;

		if (end <= g->deadline && end < INFINITY &&
		    (v < least || (v == least && g->now.load[i] < g->now.load[cheap]))) {
			least = v;
			cheap = i;
		}
		if (end < soonest) {
			soonest = end;
			soon = i;
		}
	}
	return cheap != FT_PLAN_NOWHERE ? cheap : soon;
}

void ft__saving_place(struct ft__saving *g)
{
	for (size_t j = 0; j < g->k.n; j++)
		g->order[j] = (struct ft_keyed){-regret(g, j), j};
	ft_keyed_sort(g->order, g->k.n);
	memset(g->now.load, 0, g->k.m * sizeof *g->now.load);
	for (size_t j = 0; j < g->k.n; j++) {
		size_t task = g->order[j].of, on = cheapest_machine(g, task);

		g->now.on[task] = on;
		g->now.load[on] += ft__saving_time(g, task, on);
	}
	g->k.looks += g->k.n * (g->k.m + g->groups);
	ft__lists_fill(&g->lists, &g->k, &g->now);
}

size_t ft__saving_latest(const struct ft__mapping *m, size_t machines)
{
	size_t which = 0;

	for (size_t i = 1; i < machines; i++)
		if (m->load[i] > m->load[which])
			which = i;
	return which;
}

/* What is to be done: j goes to i, `other` of that machine goes to `back` (or nobody). */
struct change {
	double value;
	size_t j, i, other, back;
};

static void apply_change(struct ft__saving *g, const struct change *c)
{
	if (c->other != FT_PLAN_NOWHERE)
		ft__lists_move(&g->lists, &g->k, &g->now, c->other, c->back);
	ft__lists_move(&g->lists, &g->k, &g->now, c->j, c->i);
}

/* The energy of a second that `from` is relieved of: task j, for nobody or for one of i's. */
static void relief_by(struct ft__saving *g, size_t from, size_t j, size_t i, struct change *best)
{
	double over = g->now.load[from] - g->deadline, p = ft__saving_time(g, j, i),
	       more = ft__saving_joules(g, j, i) - ft__saving_joules(g, j, from);

	if (fits_deadline(g, i, p)) {
		double v = more / fmin(ft__saving_time(g, j, from), over);

		if (v < best->value)
			*best = (struct change){v, j, i, FT_PLAN_NOWHERE, 0};
		return;
	}
	for (size_t l = g->lists.head[i]; l != FT_PLAN_NOWHERE; l = g->lists.next[l]) {
		double less = ft__saving_time(g, j, from) - ft__saving_time(g, l, from), v;

		g->k.looks++;
		if (!(less > FT__MAP_GAIN * over) || !fits_deadline(g, i, p - ft__saving_time(g, l, i)))
			continue;
		v = (more + ft__saving_joules(g, l, from) - ft__saving_joules(g, l, i)) / fmin(less, over);
		if (v < best->value)
			*best = (struct change){v, j, i, l, from};
	}
}

/* Until the deadline is kept: what costs least energy for a second. False: nothing helps. */
bool ft__saving_relieve(struct ft__saving *g, uint64_t until)
{
	for (;;) {
		size_t from = ft__saving_latest(&g->now, g->k.m);
		struct change best = {INFINITY, FT_PLAN_NOWHERE, 0, FT_PLAN_NOWHERE, 0};

		if (g->now.load[from] <= g->deadline)
			return true;
		for (size_t j = g->lists.head[from]; j != FT_PLAN_NOWHERE; j = g->lists.next[j]) {
			for (size_t i = 0; i < g->k.m; i++)
				if (i != from && ft__saving_time(g, j, i) <= g->deadline)
					relief_by(g, from, j, i, &best);
			g->k.looks += g->k.m;
		}
		if (best.j == FT_PLAN_NOWHERE || g->k.looks > until)
			return false;
		apply_change(g, &best);
	}
}

/* ---- made cheaper -------------------------------------------------------------------------------------- */

/* j to a cheaper machine that is full: one of its tasks goes where it fits. */
static void exchange_tasks(struct ft__saving *g, size_t j, size_t i, struct change *best)
{
	size_t own = g->now.on[j], l, q;
	double more = ft__saving_joules(g, j, i) - ft__saving_joules(g, j, own), p = ft__saving_time(g, j, i);

	for (l = g->lists.head[i]; l != FT_PLAN_NOWHERE; l = g->lists.next[l]) {
		g->k.looks++;
		if (!fits_deadline(g, i, p - ft__saving_time(g, l, i)))
			continue;
		for (q = 0; q < g->k.m; q++) {
			double v = more + ft__saving_joules(g, l, q) - ft__saving_joules(g, l, i);

			if (v < best->value && q != i &&
			    fits_deadline(g, q,
					  ft__saving_time(g, l, q) -
						  (q == own ? ft__saving_time(g, j, own) : 0)))
				*best = (struct change){v, j, i, l, q};
		}
		g->k.looks += g->k.m;
	}
}

static bool cheapen(struct ft__saving *g, size_t j)
{
	size_t own = g->now.on[j], i;
	double e = ft__saving_joules(g, j, own);
	struct change best = {-FT__MAP_GAIN * (e + g->bound / (double)g->k.n), FT_PLAN_NOWHERE, 0,
			      FT_PLAN_NOWHERE, 0};

	for (i = 0; i < g->k.m; i++) {
		double v = ft__saving_joules(g, j, i) - e;

		if (v < best.value && fits_deadline(g, i, ft__saving_time(g, j, i)))
			best = (struct change){v, j, i, FT_PLAN_NOWHERE, 0};
	}
	g->k.looks += g->k.m;
	for (i = 0; i < g->k.m && best.j == FT_PLAN_NOWHERE; i++)
		if (ft__saving_joules(g, j, i) < e && ft__saving_time(g, j, i) <= g->deadline)
			exchange_tasks(g, j, i, &best);
	if (best.j == FT_PLAN_NOWHERE)
		return false;
	apply_change(g, &best);
	return true;
}

/* The plan as it stands, made cheaper, is kept where it is the best. */
void ft__saving_improve(struct ft__saving *g, uint64_t until)
{
	double joules = 0;
	bool changed = true;
	size_t j;

	while (changed && g->k.looks < until)
		for (changed = false, j = 0; j < g->k.n && g->k.looks < until; j++)
			changed = cheapen(g, j) || changed;
	ft__mapping_sum(&g->now, &g->k);
	for (j = 0; j < g->k.n; j++)
		joules += ft__saving_joules(g, j, g->now.on[j]);
	if (joules < g->joules && g->now.t <= g->deadline * (1 + FT__MAP_GAIN)) {
		ft__mapping_copy(&g->best, &g->now, &g->k);
		g->joules = joules;
	}
}
