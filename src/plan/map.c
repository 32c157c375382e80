/* SPDX-License-Identifier: GPL-3.0-or-later */
/* map.c - independent tasks on machines: many ways to begin, each made better, beside a bound. */
#include "plan/map.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Several beginnings matter more than a long search from one: 6.7 % above the bound with one, 0.35 % with ten
 * (1,000 tasks, 20 machines). */
enum { STARTS = 9, PRICES = 400, PRICES_AGAIN = 50, COOLINGS = 6 };

/* Loads that rounded prices keep below, by the bound. */
static const double room[] = {1, 1.003, 1.01, 1.03, 1.1};
enum { ROOMS = sizeof room / sizeof *room };

struct ft__mapping ft__mapping_make(struct ft_arena *arena, const struct ft__map *k)
{
	return (struct ft__mapping){.on = ft_arena_take(arena, k->n, sizeof(size_t)),
				    .load = ft_arena_take(arena, k->m, sizeof(double))};
}

void ft__mapping_copy(struct ft__mapping *to, const struct ft__mapping *from, const struct ft__map *k)
{
	memcpy(to->on, from->on, k->n * sizeof *to->on);
	memcpy(to->load, from->load, k->m * sizeof *to->load);
	to->t = from->t;
}

void ft__mapping_sum(struct ft__mapping *m, const struct ft__map *k)
{
	memset(m->load, 0, k->m * sizeof *m->load);
	for (size_t j = 0; j < k->n; j++)
		m->load[m->on[j]] += k->p[j * k->m + m->on[j]];
	m->t = 0;
	for (size_t i = 0; i < k->m; i++)
		m->t = fmax(m->t, m->load[i]);
}

/* ---- beginnings ---------------------------------------------------------------------------------------- */

static double least_of(const struct ft__map *k, size_t j)
{
	double least = INFINITY;

	for (size_t i = 0; i < k->m; i++)
		least = fmin(least, k->p[j * k->m + i]);
	return least;
}

/* Each task in this order to where it ends first. */
static void list_tasks(struct ft__map *k, const struct ft_keyed *order, struct ft__mapping *out)
{
	memset(out->load, 0, k->m * sizeof *out->load);
	for (size_t j = 0; j < k->n; j++) {
		const double *p = k->p + order[j].of * k->m;
		double soonest = INFINITY;
		size_t which = 0;

		for (size_t i = 0; i < k->m; i++)
			if (out->load[i] + p[i] < soonest) {
				soonest = out->load[i] + p[i];
				which = i;
			}
		out->on[order[j].of] = which;
		out->load[which] = soonest;
	}
	k->looks += k->n * k->m;
	ft__mapping_sum(out, k);
}

/* For each task where it would end first, when, and when on the second best machine. */
struct offer {
	double first, second;
	size_t on;
	bool placed;
};

static void find_offer(struct ft__map *k, const double *load, size_t j, struct offer *o)
{
	o->first = o->second = INFINITY;
	for (size_t i = 0; i < k->m; i++) {
		double end = load[i] + k->p[j * k->m + i];

		if (end < o->first) {
			o->second = o->first;
			o->first = end;
			o->on = i;
		} else if (end < o->second) {
			o->second = end;
		}
	}
	k->looks += k->m;
}

/* Again and again the task that ends first (min-min), or that would lose most by its second best machine
 * (sufferage). Only those whose machines have changed are looked at anew. */
static void map_greedily(struct ft__map *k, bool sufferage, struct offer *o, struct ft__mapping *out)
{
	memset(out->load, 0, k->m * sizeof *out->load);
	for (size_t j = 0; j < k->n; j++) {
		o[j].placed = false;
		find_offer(k, out->load, j, &o[j]);
	}
	for (size_t round = 0; round < k->n; round++) {
		double most = -INFINITY;
		size_t which = 0;

		for (size_t j = 0; j < k->n; j++) {
			double v = sufferage ? (isinf(o[j].second) ? DBL_MAX : o[j].second - o[j].first)
					     : -o[j].first;

			if (!o[j].placed && v > most) {
				most = v;
				which = j;
			}
		}
		o[which].placed = true;
		out->on[which] = o[which].on;
		out->load[o[which].on] = o[which].first;
		for (size_t j = 0; j < k->n; j++)
			if (!o[j].placed && (o[j].on == o[which].on || sufferage))
				find_offer(k, out->load, j, &o[j]);
		k->looks += k->n;
	}
	ft__mapping_sum(out, k);
}

/* ---- the search ---------------------------------------------------------------------------------------- */

struct map_job {
	struct ft__map k;
	struct ft__mapping start[STARTS], best;
	size_t starts;
	struct ft_keyed *order; /* [n] */
	struct offer *offer;    /* [n] */
	double *w, *work;       /* [m], [3 m] */
	double bound;
	uint64_t effort;
	struct ft_random random;
};

static void keep_best(struct map_job *g, const struct ft__mapping *m)
{
	if (m->t < g->best.t)
		ft__mapping_copy(&g->best, m, &g->k);
}

static bool meets_bound(const struct map_job *g)
{
	return g->best.t <= g->bound * (1 + 1e-9);
}

static void begin_starts(struct map_job *g)
{
	struct ft__map *k = &g->k;

	for (size_t j = 0; j < k->n; j++)
		g->order[j] = (struct ft_keyed){(double)j, j};
	list_tasks(k, g->order, &g->start[g->starts++]);
	for (size_t j = 0; j < k->n; j++)
		g->order[j].key = -least_of(k, j);
	ft_keyed_sort(g->order, k->n);
	list_tasks(k, g->order, &g->start[g->starts++]);
	/* Both look at n^2 tasks, sufferage m times as often. */
	if ((double)k->n * (double)k->n < 0.02 * (double)g->effort)
		map_greedily(k, false, g->offer, &g->start[g->starts++]);
	if ((double)k->n * (double)k->n * (double)k->m < 0.1 * (double)g->effort)
		map_greedily(k, true, g->offer, &g->start[g->starts++]);
}

static void raise_bound(struct map_job *g, double below, size_t rounds)
{
	double bound = ft__map_dual(&g->k, below, rounds, g->w, g->work);

	/* Of plans below `below` only: that itself is one. */
	g->bound = fmax(g->bound, fmin(bound, below));
}

/* Each plan that may be better than the best one, from task j on: loads only grow. */
static void place_rest(struct map_job *g, struct ft__mapping *m, size_t j)
{
	const double *p = g->k.p + j * g->k.m;

	if (j == g->k.n) {
		ft__mapping_sum(m, &g->k);
		keep_best(g, m);
		return;
	}
	for (size_t i = 0; i < g->k.m; i++) {
		double before = m->load[i];

		if (!(before + p[i] < g->best.t))
			continue;
		m->on[j] = i;
		m->load[i] = before + p[i];
		place_rest(g, m, j + 1);
		m->load[i] = before;
	}
	g->k.looks += g->k.m;
}

static enum ft_status search_start(struct map_job *g, struct ft__mapping *m, uint64_t share,
				   struct ft_err *err)
{
	FT_TRY(ft__map_search(&g->k, m, g->bound, g->k.looks + share, &g->random, err));
	keep_best(g, m);
	return FT_OK;
}

static enum ft_status cool_mapping(struct map_job *g, struct ft__mapping *m, uint64_t share,
				   struct ft_err *err)
{
	const struct ft__cooling by = {
		.w = g->w, .target = g->bound, .below = m->t, .task = g->bound / (double)g->k.n};

	return ft__map_anneal(&g->k, m, &by, share, &g->random, err);
}

static enum ft_status search_starts(struct map_job *g, struct ft_err *err)
{
	begin_starts(g);
	for (size_t i = 0; i < g->starts; i++)
		keep_best(g, &g->start[i]);
	for (size_t i = 0; i < g->k.n; i++)
		g->bound = fmax(g->bound, least_of(&g->k, i));
	/* So few plans are all looked at: no bound is needed, nor a search. */
	if (pow((double)g->k.m, (double)g->k.n) <= fmin(ft__plans_enumerated, (double)g->effort) &&
	    g->k.m > 1) {
		memset(g->start[0].load, 0, g->k.m * sizeof *g->start[0].load);
		place_rest(g, &g->start[0], 0);
		g->bound = g->best.t;
		return FT_OK;
	}
	raise_bound(g, g->best.t, PRICES);
	for (size_t i = 0; i < ROOMS; i++, g->starts++) {
		ft__map_round(&g->k, g->w, g->bound * room[i], g->order, &g->start[g->starts]);
		keep_best(g, &g->start[g->starts]);
	}
	uint64_t rest = g->effort > g->k.looks ? g->effort - g->k.looks : 0;
	for (size_t i = 0; i < g->starts && !meets_bound(g); i++)
		FT_TRY(search_start(g, &g->start[i], rest / 4 / g->starts, err));
	for (size_t i = 0; i < COOLINGS && !meets_bound(g); i++) {
		if (i > 0)
			raise_bound(g, g->best.t, PRICES_AGAIN);
		/* From the prices anew, and from the best: either is better on some kinds. */
		if (i % 2 == 0)
			ft__map_round(&g->k, g->w, g->bound * room[i % ROOMS], g->order, &g->start[0]);
		else
			ft__mapping_copy(&g->start[0], &g->best, &g->k);
		FT_TRY(cool_mapping(g, &g->start[0], rest / 2 / COOLINGS, err));
		FT_TRY(search_start(g, &g->start[0], rest / 4 / COOLINGS, err));
	}
	return FT_OK;
}

/* Entries in bounds; which tasks fit nowhere. */
static enum ft_status check_tasks(const double *p, size_t n, size_t m, size_t *machine, bool *fits,
				  struct ft_err *err)
{
	if (m == 0)
		return ft_fail(err, FT_EINVAL, "no machines");
	*fits = true;
	for (size_t j = 0; j < n; j++) {
		machine[j] = FT_PLAN_NOWHERE;
		for (size_t i = 0; i < m; i++) {
			if (!(p[j * m + i] >= 0))
				return ft_fail(err, FT_EINVAL, "task %zu takes %g s on machine %zu", j,
					       p[j * m + i], i);
			if (p[j * m + i] < INFINITY)
				machine[j] = 0;
		}
		*fits = *fits && machine[j] == 0;
	}
	return FT_OK;
}

enum ft_status ft_plan_map(const double *time_s, size_t n, size_t m, const struct ft_plan_search *search_for,
			   size_t *machine, double *load_s, struct ft_plan *out, struct ft_err *err)
{
	struct map_job g = {.k = {.p = time_s, .n = n, .m = m}, .effort = 200000000 + 600 * (uint64_t)n * m};
	bool fits = true;

	*out = (struct ft_plan){.value = INFINITY, .bound = INFINITY, .exact = true};
	if (load_s)
		memset(load_s, 0, m * sizeof *load_s);
	FT_TRY(check_tasks(time_s, n, m, machine, &fits, err));
	if (!fits || n == 0) {
		if (fits)
			*out = (struct ft_plan){.exact = true};
		return FT_OK;
	}
	if (search_for && search_for->effort)
		g.effort = search_for->effort;
	g.random.state = search_for ? search_for->seed : 0;
	FT_ARENA(work);
	g.best = ft__mapping_make(&work, &g.k);
	g.best.t = INFINITY;
	for (size_t i = 0; i < STARTS; i++)
		g.start[i] = ft__mapping_make(&work, &g.k);
	g.order = ft_arena_take(&work, n, sizeof *g.order);
	g.offer = ft_arena_take(&work, n, sizeof *g.offer);
	g.w = ft_arena_take(&work, m, sizeof *g.w);
	g.work = ft_arena_take(&work, 3 * m, sizeof *g.work);
	FT_TRY(ft_arena_check(&work, err));
	FT_TRY(search_starts(&g, err));
	memcpy(machine, g.best.on, n * sizeof *machine);
	if (load_s)
		memcpy(load_s, g.best.load, m * sizeof *load_s);
	*out = (struct ft_plan){g.best.t, fmin(g.bound, g.best.t), meets_bound(&g), g.k.looks};
	return FT_OK;
}
