/* SPDX-License-Identifier: GPL-3.0-or-later */
/* topology.c - modules on resources: costs of 002, bounds, and the choice of method. */
#include "num/num.h"
#include "plan/plan.h"

#include <float.h>
#include <math.h>
#include <string.h>

static bool topology_less(struct ft__topology_cost a, struct ft__topology_cost b);

static struct ft__topology_cost topology_value(struct ft__topology *k, enum ft_topology_cost cost,
					       const size_t *on);

/*
 * Trees by dynamic programming from their leaves; any topology by small changes.
 */

/* ---- trees --------------------------------------------------------------------------------------------- */

/* The output of module i to one receiver, from resource a: the best resource of the receiver for the
 * objective. limit < 0: the least sum; else the least sending among resources where the receiver keeps the
 * limit. */
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
 * (INFINITY: above the limit). Returns the sum, or the maximum, over the modules without a sender. */
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

/* The least feasible limit: bisection over the doubles in their order. */
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

/* topology_tree - the best of all choices, needs left aside, where each module has one input at most.
 *
 * order  [modules] each after what sends to it
 * on     [modules] out
 * memory [modules x resources]
 *
 * Returns T_s, or T_c as printed. */
static double topology_tree(struct ft__topology *k, const size_t *order, bool printed, size_t *on,
			    double *memory)
{
	double limit = printed ? least_limit(k, order, memory) : -1,
	       value = rank_modules(k, order, limit, memory);

	/* From the modules without a sender downwards: the choices behind the table. */
	size_t n = k->t->resources, m = k->t->modules;

	for (size_t l = 0; l < m; l++)
		on[l] = FT_PLAN_NOWHERE;
	for (size_t l = 0; l < m; l++) {
		size_t v = order[l];

		for (size_t a = 0; a < n && on[v] == FT_PLAN_NOWHERE; a++) {
			bool least = true;

			for (size_t i = 0; i < n; i++)
				least = least && memory[v * n + a] <= memory[v * n + i];
			if (least)
				on[v] = a;
		}
		for (size_t i = k->out_from[v]; i < k->out_from[v + 1]; i++) {
			size_t which = 0;

			(void)best_receiver(k, &k->out[i], on[v], limit, memory, &which);
			on[k->out[i].to] = which;
		}
	}
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
	struct ft__topology_cost v = topology_value(w->k, w->k->t->cost, w->on);

	if (!topology_less(v, w->now))
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

static void descend_places(struct topology_search_walk *w)
{
	w->now = topology_value(w->k, w->k->t->cost, w->on);
	do {
		size_t n = w->k->t->modules;

		for (size_t i = 0; i < n; i++)
			w->order[i] = i;
		ft_random_shuffle(&w->k->random, w->order, n, sizeof *w->order);
	} while (!effort_spent(w) && (move_modules(w) || exchange_two(w) || move_both(w)));
}

/* topology_search - one module moved, two exchanged, both ends of a port moved, until nothing helps; then
 * a part of the best placed at random again; while effort lasts, or the bound is met. on [modules] in: a
 * start; out: the best seen. memory [3 x modules] */
static struct ft__topology_cost topology_search(struct ft__topology *k, double bound, size_t *on,
						size_t *memory)
{
	size_t n = k->t->modules;
	struct topology_search_walk w = {.k = k, .on = memory, .order = memory + n};

	memcpy(w.on, on, n * sizeof *on);
	descend_places(&w);
	struct ft__topology_cost best = w.now;
	memcpy(on, w.on, n * sizeof *on);
	while (!effort_spent(&w) && n > 0 && (best.excess > 0 || best.value > bound * (1 + 1e-12))) {
		memcpy(w.on, on, n * sizeof *on);
		/* Up to a quarter of all modules are placed at random again. */
		size_t modules = w.k->t->modules,
		       count = 1 + ft_random_below(&w.k->random, modules < 8 ? 2 : modules / 4), c;

		for (c = 0; c < count; c++) {
			size_t i = ft_random_below(&w.k->random, modules),
			       a = ft_random_below(&w.k->random, w.k->t->resources);

			if (fits_at(&w, i, a))
				w.on[i] = a;
		}
		descend_places(&w);
		if (!topology_less(w.now, best))
			continue;
		best = w.now;
		memcpy(on, w.on, n * sizeof *on);
	}
	return best;
}

/*
 * Modules on resources: costs of 002, bounds, and the choice of method.
 */

enum { PRICES = 300 };
static const uint64_t usual_effort = 60000;

/* Eq. 2.2 of one module. */
static double topology_rank(const struct ft__topology *k, const size_t *on, size_t module)
{
	double sending = 0;

	for (size_t i = k->out_from[module]; i < k->out_from[module + 1]; i++)
		sending += ft__network_send(&k->network, k->out[i].bytes, on[module], on[k->out[i].to]);
	/* 0 x INFINITY: what does not count, but cannot be, cannot be. */
	if (isinf(sending))
		return INFINITY;
	return k->time * k->t->time_s[module * k->t->resources + on[module]] + k->send * sending;
}

static double excess_use(struct ft__topology *k, const size_t *on)
{
	const struct ft_topology *t = k->t;
	double sum = 0;

	memset(k->used, 0, t->resources * t->kinds * sizeof *k->used);
	for (size_t i = 0; i < t->modules; i++)
		for (size_t j = 0; j < t->kinds; j++)
			k->used[on[i] * t->kinds + j] += t->needs[i * t->kinds + j];
	for (size_t i = 0; i < t->resources * t->kinds; i++)
		if (k->used[i] > t->has[i])
			sum += t->has[i] > 0 ? k->used[i] / t->has[i] - 1 : k->used[i];
	return sum;
}

/* The group of modules that a module runs together with, by a cost. */
static size_t topology_stage(const struct ft__topology *k, enum ft_topology_cost cost, size_t module)
{
	return cost == FT_TOPOLOGY_HYBRID ? k->t->stage[module] : 0;
}

/* topology_value - of a choice of resources [modules]. */
static struct ft__topology_cost topology_value(struct ft__topology *k, enum ft_topology_cost cost,
					       const size_t *on)
{
	struct ft__topology_cost out = {excess_use(k, on), 0};

	k->looks++;
	if (cost == FT_TOPOLOGY_CONCURRENT || cost == FT_TOPOLOGY_HYBRID) {
		/* The sum over stages of the load of their busiest resource. */
		double sum = 0;

		memset(k->load, 0, k->stages * k->t->resources * sizeof *k->load);
		memset(k->peak, 0, k->stages * sizeof *k->peak);
		for (size_t i = 0; i < k->t->modules; i++) {
			size_t stage = topology_stage(k, cost, i);
			double *load = &k->load[stage * k->t->resources + on[i]];

			*load += topology_rank(k, on, i);
			k->peak[stage] = fmax(k->peak[stage], *load);
		}
		for (size_t i = 0; i < k->stages; i++)
			sum += k->peak[i];
		out.value = sum;
	}
	for (size_t i = 0; i < k->t->modules && cost == FT_TOPOLOGY_SEQUENTIAL; i++)
		out.value += topology_rank(k, on, i);
	for (size_t i = 0; i < k->t->modules && cost == FT_TOPOLOGY_PRINTED; i++)
		out.value = fmax(out.value, topology_rank(k, on, i));
	return out;
}

static bool topology_less(struct ft__topology_cost a, struct ft__topology_cost b)
{
	if (a.excess != b.excess)
		return a.excess < b.excess;
	return a.value < b.value * (1 - 1e-12) || (isinf(b.value) && a.value < b.value);
}

/* ---- making ready -------------------------------------------------------------------------------------- */

static bool is_wrong(double v)
{
	return !(v >= 0);
}

static enum ft_status check_topology(const struct ft_topology *t, struct ft_err *err)
{
	if (t->resources == 0)
		return ft_fail(err, FT_EINVAL, "no resources");
	if (is_wrong(t->weight_time) || is_wrong(t->weight_send) || isinf(t->weight_time) ||
	    isinf(t->weight_send))
		return ft_fail(err, FT_EINVAL, "weights of %g and %g", t->weight_time, t->weight_send);
	for (size_t i = 0; i < t->modules * t->resources; i++)
		if (is_wrong(t->time_s[i]))
			return ft_fail(err, FT_EINVAL, "module %zu takes %g s on resource %zu",
				       i / t->resources, t->time_s[i], i % t->resources);
	for (size_t i = 0; i < t->ports; i++)
		if (t->port[i].from >= t->modules || t->port[i].to >= t->modules ||
		    is_wrong(t->port[i].bytes) || isinf(t->port[i].bytes))
			return ft_fail(err, FT_EINVAL, "port %zu sends %g bytes from module %zu to %zu", i,
				       t->port[i].bytes, t->port[i].from, t->port[i].to);
	for (size_t i = 0; i < t->modules && t->cost == FT_TOPOLOGY_HYBRID; i++)
		if (t->stage[i] >= t->modules)
			return ft_fail(err, FT_EINVAL, "module %zu is of stage %zu", i, t->stage[i]);
	for (size_t i = 0; i < t->modules * t->kinds; i++)
		if (is_wrong(t->needs[i]))
			return ft_fail(err, FT_EINVAL, "module %zu needs %g", i / t->kinds, t->needs[i]);
	for (size_t i = 0; i < t->resources * t->kinds; i++)
		if (is_wrong(t->has[i]))
			return ft_fail(err, FT_EINVAL, "resource %zu has %g", i / t->kinds, t->has[i]);
	return FT_OK;
}

/* Modules after what sends to them; false: one has two inputs, or sends to itself by some way. */
static bool is_tree(const struct ft__topology *k, size_t *order)
{
	size_t n = k->t->modules, placed = 0;

	for (size_t j = 0; j < n; j++) {
		size_t inputs = 0;

		for (size_t i = 0; i < k->t->ports; i++)
			inputs += k->t->port[i].to == j;
		if (inputs > 1)
			return false;
		if (inputs == 0)
			order[placed++] = j;
	}
	for (size_t i = 0; i < placed; i++)
		for (size_t j = k->out_from[order[i]]; j < k->out_from[order[i] + 1]; j++)
			order[placed++] = k->out[j].to;
	return placed == n;
}

/* ---- bounds -------------------------------------------------------------------------------------------- */

/* The modules of a stage together, without sending: the bound of mapping their tasks. */
static double stage_bound(const struct ft__topology *k, size_t stage, double *rows, double *w)
{
	const struct ft_topology *t = k->t;
	struct ft__map map = {.p = rows, .m = t->resources};
	double most = 0;

	for (size_t i = 0; i < t->modules; i++) {
		const double *row = t->time_s + i * t->resources;
		double least = INFINITY;

		if (topology_stage(k, t->cost, i) != stage)
			continue;
		for (size_t j = 0; j < t->resources; j++)
			least = fmin(least, row[j]);
		most = fmax(most, least);
		memcpy(rows + map.n++ * t->resources, row, t->resources * sizeof *rows);
	}
	return map.n ? fmax(most, ft__map_dual(&map, INFINITY, PRICES, w, w + t->resources)) : 0;
}

/* Each module where it takes least, without sending. rows: [modules x resources] memory */
static enum ft_status find_bound(struct ft__topology *k, double *rows, double *bound, struct ft_err *err)
{
	const struct ft_topology *t = k->t;
	FT_OWN double *w = ft_calloc(4 * t->resources, sizeof *w);
	double sum = 0, most = 0;
	bool concurrent = t->cost == FT_TOPOLOGY_CONCURRENT || t->cost == FT_TOPOLOGY_HYBRID;

	if (!w)
		return ft_nomem(err);
	for (size_t i = 0; i < k->stages && concurrent; i++)
		sum += stage_bound(k, i, rows, w);
	for (size_t i = 0; i < t->modules && !concurrent; i++) {
		double least = INFINITY;

		for (size_t j = 0; j < t->resources; j++)
			least = fmin(least, t->time_s[i * t->resources + j]);
		sum += least;
		most = fmax(most, least);
	}
	*bound = k->time * (t->cost == FT_TOPOLOGY_PRINTED ? most : sum);
	if (t->cost == FT_TOPOLOGY_SEQUENTIAL || k->stages > 1)
		*bound *= 1 - DBL_EPSILON * (double)t->modules;
	return FT_OK;
}

/* ---- the two greedy schedulers of 002 ------------------------------------------------------------------ */

/* The communication of a module if it were there, with the modules already placed. */
static double sending_of(const struct ft__topology *k, const size_t *on, size_t module, size_t at)
{
	double sum = 0;

	for (size_t i = 0; i < k->t->ports; i++) {
		const struct ft_plan_edge *p = &k->t->port[i];

		if (p->from == module && p->to != module && on[p->to] != FT_PLAN_NOWHERE)
			sum += ft__network_send(&k->network, p->bytes, at, on[p->to]);
		else if (p->to == module && p->from != module && on[p->from] != FT_PLAN_NOWHERE)
			sum += ft__network_send(&k->network, p->bytes, on[p->from], at);
	}
	return sum;
}

static bool has_room(const struct ft__topology *k, size_t module, size_t at)
{
	size_t kinds = k->t->kinds;

	for (size_t j = 0; j < kinds; j++)
		if (k->used[at * kinds + j] + k->t->needs[module * kinds + j] > k->t->has[at * kinds + j])
			return false;
	return true;
}

/* Where a module takes least; the other criterion decides between equals. A module without room anywhere
 * goes where it takes least. load: of its stage. */
static size_t place_for(const struct ft__topology *k, bool network, size_t module, const double *load,
			const size_t *on)
{
	const struct ft_topology *t = k->t;
	bool concurrent = t->cost == FT_TOPOLOGY_CONCURRENT || t->cost == FT_TOPOLOGY_HYBRID, room = false;
	double least[2] = {INFINITY, INFINITY};
	size_t best = 0;

	for (size_t j = 0; j < t->resources; j++) {
		double own = k->time * t->time_s[module * t->resources + j], v[2];
		bool fits = has_room(k, module, j);

		own += concurrent ? load[j] : 0;
		v[network] = own;
		v[!network] = k->send * sending_of(k, on, module, j);
		if (isinf(own) || (room && !fits))
			continue;
		if ((fits && !room) || v[0] < least[0] || (v[0] == least[0] && v[1] < least[1])) {
			least[0] = v[0];
			least[1] = v[1];
			best = j;
		}
		room = room || fits;
	}
	return best;
}

static void place_greedily(struct ft__topology *k, bool network, struct ft_keyed *order, size_t *on)
{
	const struct ft_topology *t = k->t;

	memset(k->used, 0, t->resources * t->kinds * sizeof *k->used);
	memset(k->load, 0, k->stages * t->resources * sizeof *k->load);
	for (size_t i = 0; i < t->modules; i++)
		on[i] = FT_PLAN_NOWHERE;
	/* The largest modules first: by work, or by what they send. */
	for (size_t l = 0; l < t->modules; l++) {
		order[l] = (struct ft_keyed){0, l};
		for (size_t j = 0; j < t->resources && !network; j++)
			order[l].key -= fmin(t->time_s[l * t->resources + j], 1e300 / (double)t->resources);
	}
	for (size_t l = 0; l < t->ports && network; l++) {
		order[t->port[l].from].key -= t->port[l].bytes;
		order[t->port[l].to].key -= t->port[l].bytes;
	}
	ft_keyed_sort(order, t->modules);
	for (size_t i = 0; i < t->modules; i++) {
		size_t module = order[i].of, best;
		double *load = k->load + topology_stage(k, t->cost, module) * t->resources;

		best = on[module] = place_for(k, network, module, load, on);
		load[best] += k->time * t->time_s[module * t->resources + best];
		for (size_t kind = 0; kind < t->kinds; kind++)
			k->used[best * t->kinds + kind] += t->needs[module * t->kinds + kind];
	}
}

/* ---- the answer ---------------------------------------------------------------------------------------- */

struct topology_job {
	struct ft__topology k;
	struct ft_keyed *keyed;      /* [modules] */
	size_t *order, *on, *memory; /* [modules], [modules], [3 x modules] */
	size_t *best;                /* [modules] */
	double *table;               /* [modules x resources] */
};

/* Search from a start, for its part of the effort; the best is kept. */
static struct ft__topology_cost keep_best(struct topology_job *g, struct ft__topology_cost best, double bound,
					  uint64_t until)
{
	uint64_t all = g->k.effort;

	g->k.effort = until < all ? until : all;
	struct ft__topology_cost found = topology_search(&g->k, bound, g->on, g->memory);
	g->k.effort = all;
	if (!topology_less(found, best))
		return best;
	memcpy(g->best, g->on, g->k.t->modules * sizeof *g->best);
	return found;
}

/* Modules that fit no resource at all; returns how many. */
static size_t find_nowhere(const struct ft_topology *t, size_t *resource)
{
	size_t count = 0;

	for (size_t i = 0; i < t->modules; i++) {
		resource[i] = FT_PLAN_NOWHERE;
		for (size_t j = 0; j < t->resources; j++) {
			bool fits = t->time_s[i * t->resources + j] < INFINITY;

			for (size_t kind = 0; kind < t->kinds; kind++)
				fits = fits && t->needs[i * t->kinds + kind] <= t->has[j * t->kinds + kind];
			resource[i] = fits ? 0 : resource[i];
		}
		count += resource[i] == FT_PLAN_NOWHERE;
	}
	return count;
}

enum ft_status ft_plan_topology(const struct ft_topology *topology, const struct ft_plan_search *search_for,
				size_t *resource, struct ft_topology_plan *out, struct ft_err *err)
{
	struct topology_job g = {
		.k = {.t = topology, .time = topology->weight_time, .send = topology->weight_send}};
	const struct ft_topology *t = topology;

	*out = (struct ft_topology_plan){{INFINITY, INFINITY, true, 0}, INFINITY, INFINITY, INFINITY};
	FT_TRY(check_topology(t, err));
	if (find_nowhere(t, resource) > 0)
		return FT_OK;
	out->plan.exact = false;
	if (g.k.time == 0 && g.k.send == 0)
		g.k.time = g.k.send = 1;
	g.k.effort = search_for && search_for->effort ? search_for->effort : usual_effort;
	g.k.random.state = search_for ? search_for->seed : 0;
	g.k.stages = 1;
	for (size_t i = 0; i < t->modules && t->cost == FT_TOPOLOGY_HYBRID; i++)
		g.k.stages = t->stage[i] < g.k.stages ? g.k.stages : t->stage[i] + 1;
	FT_ARENA(work);
	g.k.out = ft_arena_take(&work, t->ports, sizeof *g.k.out);
	g.k.out_from = ft_arena_take(&work, t->modules + 1, sizeof *g.k.out_from);
	g.k.load = ft_arena_take(&work, g.k.stages * t->resources, sizeof *g.k.load);
	g.k.peak = ft_arena_take(&work, g.k.stages, sizeof *g.k.peak);
	g.k.used = ft_arena_take(&work, t->resources * t->kinds, sizeof *g.k.used);
	g.keyed = ft_arena_take(&work, t->modules, sizeof *g.keyed);
	g.order = ft_arena_take(&work, t->modules, sizeof *g.order);
	g.on = ft_arena_take(&work, t->modules, sizeof *g.on);
	g.best = ft_arena_take(&work, t->modules, sizeof *g.best);
	g.memory = ft_arena_take(&work, 3 * t->modules, sizeof *g.memory);
	g.table = ft_arena_take(&work, t->modules * t->resources, sizeof *g.table);
	FT_TRY(ft_arena_check(&work, err));
	const struct ft_topology *of = g.k.t;

	memset(g.k.out_from, 0, (of->modules + 1) * sizeof *g.k.out_from);
	for (size_t i = 0; i < of->ports; i++)
		g.k.out_from[of->port[i].from + 1]++;
	for (size_t i = 0; i < of->modules; i++)
		g.k.out_from[i + 1] += g.k.out_from[i];
	for (size_t i = 0; i < of->ports; i++)
		g.k.out[g.k.out_from[of->port[i].from]++] = of->port[i];
	memmove(g.k.out_from + 1, g.k.out_from, of->modules * sizeof *g.k.out_from);
	g.k.out_from[0] = 0;
	FT_TRY(ft__network_init(&g.k.network, &work, t->links, t->resources, err));
	struct ft__topology *k = &g.k;
	struct ft__topology_cost best = {INFINITY, INFINITY};
	bool tree = (k->t->cost == FT_TOPOLOGY_SEQUENTIAL || k->t->cost == FT_TOPOLOGY_PRINTED) &&
		    is_tree(k, g.order);

	FT_TRY(find_bound(k, g.table, &out->plan.bound, err));
	if (tree) {
		double least = topology_tree(k, g.order, k->t->cost == FT_TOPOLOGY_PRINTED, g.best, g.table);

		best = topology_value(k, k->t->cost, g.best);
		out->plan.bound = fmax(out->plan.bound,
				       least * (1 - DBL_EPSILON * (double)(k->t->modules + k->t->ports)));
		out->plan.exact = best.excess == 0;
	}
	if (!out->plan.exact) {
		struct ft__topology_cost found = {INFINITY, INFINITY};

		for (size_t i = 0; i < g.k.t->modules; i++)
			g.best[i] = 0;
		place_greedily(&g.k, false, g.keyed, g.on);
		found = keep_best(&g, found, out->plan.bound, g.k.effort / 3);
		place_greedily(&g.k, true, g.keyed, g.on);
		found = keep_best(&g, found, out->plan.bound, g.k.effort * 2 / 3);
		memcpy(g.on, g.best, g.k.t->modules * sizeof *g.on);
		best = keep_best(&g, found, out->plan.bound, g.k.effort);
	}
	out->plan.value = best.excess > 0 ? (double)INFINITY : best.value;
	out->plan.exact = out->plan.exact || out->plan.value <= out->plan.bound * (1 + 1e-12);
	out->plan.bound = fmin(out->plan.bound, out->plan.value);
	out->plan.evaluations = k->looks;
	if (isfinite(out->plan.value)) {
		memcpy(resource, g.best, t->modules * sizeof *resource);
		out->sequential_s = topology_value(&g.k, FT_TOPOLOGY_SEQUENTIAL, g.best).value;
		out->printed_s = topology_value(&g.k, FT_TOPOLOGY_PRINTED, g.best).value;
		out->concurrent_s = topology_value(&g.k, FT_TOPOLOGY_CONCURRENT, g.best).value;
	}
	return FT_OK;
}

enum ft_status ft_topology_stages(const double *name, size_t modules, size_t *stage, struct ft_err *err)
{
	FT_OWN double *sorted = ft_calloc(modules + 1, sizeof *sorted);

	if (!sorted)
		return ft_nomem(err);
	for (size_t i = 0; i < modules; i++)
		sorted[i] = name[i];
	size_t n = ft_sort_different(sorted, modules);
	for (size_t i = 0; i < modules; i++)
		stage[i] = ft_count_below(sorted, n, name[i]);
	return FT_OK;
}
