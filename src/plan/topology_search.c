/* SPDX-License-Identifier: GPL-3.0-or-later */
/* topology_search.c - trees by dynamic programming from their leaves; any topology by small changes. */
#include "plan/topology.h"

#include <math.h>
#include <string.h>

/* ---- trees --------------------------------------------------------------------------------------------- */

/* What module i puts out to one receiver, from resource a: best resource of the receiver for what is asked.
 * limit < 0: the least sum; else the least sending among resources where the receiver keeps the limit. */
static double best_receiver(const struct ft__topology *k, const struct ft_plan_edge *port, size_t a,
			    double limit, const double *table, size_t *which)
{
	size_t n = k->t->resources;
	double least = INFINITY;

	for (size_t l = 0; l < n; l++) {
		double v = ft__network_send(&k->network, port->bytes, a, l);

		v = isinf(v) ? v : k->send * v;
		if (limit < 0)
			v += table[port->to * n + l];
		else if (table[port->to * n + l] > limit)
			continue;
		if (v < least) {
			least = v;
			*which = l;
		}
	}
	return least;
}

/* For each module and resource: the least sum of ranks below it; or, with a limit, its own least rank
 * (INFINITY: above the limit). Returns the sum, or the largest, over the modules that nobody sends to. */
static double rank_modules(const struct ft__topology *k, const size_t *order, double limit, double *table)
{
	size_t n = k->t->resources, m = k->t->modules, which;
	double all = 0;

	for (size_t x = m; x-- > 0;) {
		double least = INFINITY;

		for (size_t a = 0; a < n; a++) {
			double own = k->t->time_s[order[x] * n + a], sum = isinf(own) ? own : k->time * own;

			for (size_t i = k->out_from[order[x]]; i < k->out_from[order[x] + 1]; i++)
				sum += best_receiver(k, &k->out[i], a, limit, table, &which);
			table[order[x] * n + a] = limit < 0 || sum <= limit ? sum : (double)INFINITY;
			least = fmin(least, table[order[x] * n + a]);
		}
		if (limit >= 0 && isinf(least))
			return INFINITY;
	}
	for (size_t x = 0; x < m && limit < 0; x++) {
		bool first = true;
		double least = INFINITY;

		for (size_t i = 0; i < k->t->ports; i++)
			first = first && k->t->port[i].to != order[x];
		for (size_t a = 0; a < n; a++)
			least = fmin(least, table[order[x] * n + a]);
		all += first ? least : 0;
	}
	return all;
}

/* From those that nobody sends to down: the choices that the table was made with. */
static void trace_choices(const struct ft__topology *k, const size_t *order, double limit,
			  const double *table, size_t *on)
{
	size_t n = k->t->resources, m = k->t->modules;

	for (size_t x = 0; x < m; x++)
		on[x] = FT_PLAN_NOWHERE;
	for (size_t x = 0; x < m; x++) {
		size_t v = order[x];

		for (size_t a = 0; a < n && on[v] == FT_PLAN_NOWHERE; a++) {
			bool least = true;

			for (size_t i = 0; i < n; i++)
				least = least && table[v * n + a] <= table[v * n + i];
			if (least)
				on[v] = a;
		}
		for (size_t i = k->out_from[v]; i < k->out_from[v + 1]; i++) {
			size_t which = 0;

			(void)best_receiver(k, &k->out[i], on[v], limit, table, &which);
			on[k->out[i].to] = which;
		}
	}
}

/* The least limit that can be kept: halves, over the doubles in their order. */
static double least_limit(struct ft__topology *k, const size_t *order, double *table)
{
	union {
		double t;
		uint64_t bits;
	} a = {.t = 0}, b = {.t = 1e300}, c;

	if (isinf(rank_modules(k, order, b.t, table)))
		return INFINITY;
	if (!isinf(rank_modules(k, order, a.t, table)))
		return 0;
	while (b.bits - a.bits > 1) {
		c.bits = a.bits + (b.bits - a.bits) / 2;
		if (isinf(rank_modules(k, order, c.t, table)))
			a = c;
		else
			b = c;
	}
	return b.t;
}

double ft__topology_tree(struct ft__topology *k, const size_t *order, bool printed, size_t *on,
			 double *memory)
{
	double limit = printed ? least_limit(k, order, memory) : -1,
	       value = rank_modules(k, order, limit, memory);

	trace_choices(k, order, limit, memory, on);
	k->looks++;
	return printed ? limit : value;
}

/* ---- any
 * ---------------------------------------------------------------------------------------------------- */

struct topology_search_walk {
	struct ft__topology *k;
	size_t *on, *order; /* [modules] */
	struct ft__topology_cost now;
};

static bool fits_at(const struct topology_search_walk *w, size_t module, size_t at)
{
	return w->k->t->time_s[module * w->k->t->resources + at] < INFINITY;
}

static bool effort_spent(const struct topology_search_walk *w)
{
	return w->k->looks >= w->k->effort;
}

/* Does what stands in `on` now cost less? */
static bool cost_gains(struct topology_search_walk *w)
{
	struct ft__topology_cost v = ft__topology_value(w->k, w->k->t->cost, w->on);

	if (!ft__topology_less(v, w->now))
		return false;
	w->now = v;
	return true;
}

/* Each module to its best place. */
static bool move_modules(struct topology_search_walk *w)
{
	size_t n = w->k->t->resources;
	bool better = false;

	for (size_t x = 0; x < w->k->t->modules; x++) {
		size_t i = w->order[x], best = w->on[i];

		for (size_t a = 0; a < n && !effort_spent(w); a++) {
			if (a == best || !fits_at(w, i, a))
				continue;
			w->on[i] = a;
			if (cost_gains(w)) {
				best = a;
				better = true;
			}
		}
		w->on[i] = best;
	}
	return better;
}

static bool exchange_two(struct topology_search_walk *w)
{
	for (size_t x = 0; x < w->k->t->modules; x++)
		for (size_t j = 0; j < w->k->t->modules && !effort_spent(w); j++) {
			size_t i = w->order[x], a = w->on[i], b = w->on[j];

			if (a == b || !fits_at(w, i, b) || !fits_at(w, j, a))
				continue;
			w->on[i] = b;
			w->on[j] = a;
			if (cost_gains(w))
				return true;
			w->on[i] = a;
			w->on[j] = b;
		}
	return false;
}

/* Both ends of a port to one place. */
static bool move_both(struct topology_search_walk *w)
{
	const struct ft_topology *t = w->k->t;

	for (size_t x = 0; x < t->ports; x++) {
		size_t i = t->port[x].from, j = t->port[x].to, before_i = w->on[i], before_j = w->on[j];

		for (size_t a = 0; a < t->resources && !effort_spent(w); a++) {
			if (!fits_at(w, i, a) || !fits_at(w, j, a))
				continue;
			w->on[i] = w->on[j] = a;
			if (cost_gains(w))
				return true;
			w->on[i] = before_i;
			w->on[j] = before_j;
		}
	}
	return false;
}

static void shuffle_order(struct topology_search_walk *w)
{
	size_t n = w->k->t->modules;

	for (size_t i = 0; i < n; i++)
		w->order[i] = i;
	ft_random_shuffle(&w->k->random, w->order, n, sizeof *w->order);
}

static void descend_places(struct topology_search_walk *w)
{
	w->now = ft__topology_value(w->k, w->k->t->cost, w->on);
	do
		shuffle_order(w);
	while (!effort_spent(w) && (move_modules(w) || exchange_two(w) || move_both(w)));
}

/* Up to a quarter of all modules drawn anew. */
static void shake_places(struct topology_search_walk *w)
{
	size_t n = w->k->t->modules, count = 1 + ft_random_below(&w->k->random, n < 8 ? 2 : n / 4), c;

	for (c = 0; c < count; c++) {
		size_t i = ft_random_below(&w->k->random, n),
		       a = ft_random_below(&w->k->random, w->k->t->resources);

		if (fits_at(w, i, a))
			w->on[i] = a;
	}
}

struct ft__topology_cost ft__topology_search(struct ft__topology *k, double bound, size_t *on, size_t *memory)
{
	size_t n = k->t->modules;
	struct topology_search_walk w = {.k = k, .on = memory, .order = memory + n};

	memcpy(w.on, on, n * sizeof *on);
	descend_places(&w);
	struct ft__topology_cost best = w.now;
	memcpy(on, w.on, n * sizeof *on);
	while (!effort_spent(&w) && n > 0 && (best.excess > 0 || best.value > bound * (1 + 1e-12))) {
		memcpy(w.on, on, n * sizeof *on);
		shake_places(&w);
		descend_places(&w);
		if (!ft__topology_less(w.now, best))
			continue;
		best = w.now;
		memcpy(on, w.on, n * sizeof *on);
	}
	return best;
}
