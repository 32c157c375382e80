/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedule.c - graphs of tasks over machines: list schedules of many kinds, the best one varied. */
#include "plan/map.h"
#include "plan/schedule.h"

#include <math.h>
#include <string.h>

/* From here on a list schedule is dear, and fewer kinds are made. */
static const double large = 2e5;

/* One machine alone, and pairs, of so many that would do all in least time. */
enum { ALONE = 8 };

void ft__schedule_copy(struct ft__schedule *to, const struct ft__schedule *from, size_t n)
{
	memcpy(to->slot, from->slot, n * sizeof *to->slot);
	to->t = from->t;
}

bool ft__planner_met(const struct ft__planner *k)
{
	return k->best.t <= k->bound * (1 + 1e-9);
}

/* A schedule of the reversed graph, read from its end. */
static void flip_schedule(struct ft__schedule *s, size_t n)
{
	for (size_t v = 0; v < n && isfinite(s->t); v++) {
		double start = s->t - s->slot[v].end_s;

		s->slot[v].end_s = s->t - s->slot[v].start_s;
		s->slot[v].start_s = start;
	}
}

/* What was made backwards does not know what is reserved: its order and machines, forwards. */
static void carry_forward(struct ft__planner *k)
{
	struct ft__rule rule = {.key = k->own_key, .force = k->own_force};

	for (size_t v = 0; v < k->forth->n; v++) {
		k->own_key[v] = -k->trial.slot[v].start_s;
		k->own_force[v] = k->trial.slot[v].machine;
	}
	ft__decode(&k->d, k->forth, &rule, &k->trial);
}

void ft__planner_try(struct ft__planner *k, bool back, const struct ft__rule *rule)
{
	const struct ft__graph *g = back ? k->back : k->forth;

	ft__decode(&k->d, g, rule, &k->trial);
	if (back)
		flip_schedule(&k->trial, g->n);
	if (back && k->forth->taken && isfinite(k->trial.t))
		carry_forward(k);
	if (k->trial.t < k->best.t)
		ft__schedule_copy(&k->best, &k->trial, g->n);
}

/* ---- list schedules ------------------------------------------------------------------------------------ */

static void try_ranks(struct ft__planner *k, bool back, bool all)
{
	static const double some[] = {1, 0, 0.5};
	const struct ft__graph *g = back ? k->back : k->forth;
	struct ft__rule rule = {.key = k->key, .bias = back ? k->table_back : k->table};

	for (int kind = FT__MEAN; kind <= FT__LARGEST; kind++)
		for (int sending = 0; sending < 3; sending++)
			for (int alpha = 0; alpha < 3; alpha++) {
				if (!all && (kind == FT__LARGEST || sending == 2 || alpha == 2))
					continue;
				ft__rank_up(g, (enum ft__work)kind, some[sending], k->key);
				rule.alpha = some[alpha];
				ft__planner_try(k, back, &rule);
				if (ft__planner_met(k))
					return;
			}
}

/* PEFT: the mean of the table as the key. */
static void try_table(struct ft__planner *k)
{
	const struct ft__graph *g = k->forth;
	struct ft__rule rule = {.key = k->key, .bias = k->table, .alpha = 1};
	size_t i;

	for (size_t v = 0; v < g->n; v++)
		for (k->key[v] = 0, i = 0; i < g->m; i++)
			k->key[v] += k->table[v * g->m + i] / (double)g->m;
	ft__planner_try(k, false, &rule);
}

/* Where sending is dear, one machine or two are best. */
static void try_few(struct ft__planner *k)
{
	const struct ft__graph *g = k->forth;
	size_t use[2], best[ALONE], count = 0, i, j, v;
	double sum[ALONE + 1];
	struct ft__rule rule = {.key = k->key, .use = use, .uses = 1};

	for (i = 0; i < g->m; i++) {
		double all = 0;

		for (v = 0; v < g->n; v++)
			all += fmin(g->p[v * g->m + i], 1e9 * g->work[v]);
		for (j = count < ALONE ? count++ : ALONE; j > 0 && all < sum[j - 1]; j--) {
			sum[j] = sum[j - 1];
			if (j < ALONE)
				best[j] = best[j - 1];
		}
		sum[j] = all;
		if (j < ALONE)
			best[j] = i;
	}
	ft__rank_up(g, FT__MEAN, 1, k->key);
	for (i = 0; i < count && !ft__planner_met(k); i++)
		for (j = 0; j <= i && k->d.looks < k->effort; j++) {
			use[0] = best[i];
			use[1] = best[j];
			rule.uses = i == j ? 1 : 2;
			ft__planner_try(k, false, &rule);
		}
}

static void planner_lists(struct ft__planner *k)
{
	bool all = (double)k->forth->n * (double)k->forth->m <= large;

	try_table(k);
	try_ranks(k, false, all);
	try_ranks(k, true, all);
	try_few(k);
}

/* ---- all of them --------------------------------------------------------------------------------------- */

/* Each order in which tasks may begin, each task on each machine: of the best schedule such an order is its
 * own, by when tasks start. key [n]: least time from a task's end to the end of all. */
static void try_rest(struct ft__planner *k, bool *placed, size_t count, double t)
{
	const struct ft__graph *g = k->forth;
	struct ft_plan_slot *slot = k->trial.slot;

	if (count == g->n) {
		k->trial.t = t;
		ft__schedule_copy(&k->best, &k->trial, g->n);
		return;
	}
	for (size_t v = 0; v < g->n; v++) {
		bool ready = !placed[v];

		for (size_t e = g->before_from[v]; e < g->before_from[v + 1]; e++)
			ready = ready && placed[g->before[e].to];
		for (size_t i = 0; i < g->m && ready; i++) {
			double start = 0, p = g->p[v * g->m + i];

			for (size_t e = g->before_from[v]; e < g->before_from[v + 1]; e++) {
				const struct ft_plan_slot *from = &slot[g->before[e].to];

				start = fmax(start, from->end_s + ft__graph_send(g, &g->before[e],
										 from->machine, i));
			}
			for (size_t w = 0; w < g->n; w++)
				if (placed[w] && slot[w].machine == i)
					start = fmax(start, slot[w].end_s);
			k->d.looks++;
			if (!(start + p + k->key[v] < k->best.t))
				continue;
			if (g->taken)
				start = ft__lane_gap(&g->taken[i], start, p);
			if (!(start + p + k->key[v] < k->best.t))
				continue;
			slot[v] = (struct ft_plan_slot){i, start, start + p};
			placed[v] = true;
			try_rest(k, placed, count + 1, fmax(t, start + p));
			placed[v] = false;
		}
	}
}

/* Where there are few enough; false: there are more. */
static bool enumerate_schedules(struct ft__planner *k)
{
	enum { TASKS = 10 }; /* 10! is more than are enumerated */
	const struct ft__graph *g = k->forth;
	bool placed[TASKS] = {false};
	double all = 1;

	for (size_t v = 0; v < g->n && all <= ft__plans_enumerated; v++)
		all *= (double)(v + 1) * (double)g->m;
	if (all > fmin(ft__plans_enumerated, (double)k->effort))
		return false;
	ft__rank_up(g, FT__LEAST, 0, k->key);
	for (size_t v = 0; v < g->n; v++)
		k->key[v] -= g->work[FT__LEAST * g->n + v];
	try_rest(k, placed, 0, 0);
	k->bound = k->best.t;
	return true;
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

/* What was flipped is rounded: the same order and machines, forwards, with each start the sum that it is said
 * to be. */
static void settle_plan(struct ft__planner *k)
{
	const struct ft__graph *g = k->forth;
	struct ft__rule rule = {.key = k->key, .force = k->force};

	for (size_t v = 0; v < g->n; v++) {
		k->key[v] = -k->best.slot[v].start_s;
		k->force[v] = k->best.slot[v].machine;
	}
	ft__decode(&k->d, g, &rule, &k->now);
	if (k->now.t <= k->best.t * (1 + 1e-9))
		ft__schedule_copy(&k->best, &k->now, g->n);
}

static enum ft_status run_planner(struct ft__planner *k, double *heft, struct ft_err *err)
{
	const struct ft__graph *g = k->forth;
	struct ft__rule rule = {.key = k->key};
	uint64_t looks = 0;

	ft__rank_up(g, FT__MEAN, 1, k->key);
	ft__planner_try(k, false, &rule);
	if (heft)
		*heft = k->best.t;
	FT_TRY(ft__schedule_bound(g, INFINITY, &k->bound, &looks, err));
	k->d.looks += looks;
	if (!ft__planner_met(k) && !enumerate_schedules(k))
		planner_lists(k);
	if (!ft__planner_met(k) && isfinite(k->best.t))
		ft__planner_improve(k);
	if (isfinite(k->best.t))
		settle_plan(k);
	return k->d.no_memory ? ft_nomem(err) : FT_OK;
}

static struct ft__schedule make_schedule(struct ft_arena *arena, size_t n)
{
	return (struct ft__schedule){ft_arena_take(arena, n, sizeof(struct ft_plan_slot)), INFINITY};
}

enum ft_status ft_plan_schedule(const double *time_s, size_t n, size_t m, const struct ft_plan_edge *edge,
				size_t edges, const struct ft_plan_links *links,
				const struct ft_plan_reserved *reserved, size_t n_reserved,
				const struct ft_plan_search *search, struct ft_plan_slot *slot, double *heft,
				struct ft_plan *out, struct ft_err *err)
{
	struct ft__graph forth, back;
	FT_ARENA(work);
	bool fits = true;

	*out = (struct ft_plan){.value = INFINITY, .bound = INFINITY, .exact = true};
	FT_TRY(ft__graph_init(&forth, &work, time_s, n, m, edge, edges, links, err));
	FT_TRY(ft__graph_reserve(&forth, &work, reserved, n_reserved, err));
	for (size_t v = 0; v < n; v++) {
		bool one = forth.work[v] < INFINITY;

		slot[v] = (struct ft_plan_slot){.machine = one ? 0 : FT_PLAN_NOWHERE};
		fits = fits && one;
	}
	if (!fits)
		return FT_OK;
	size_t *order = ft_arena_take(&work, n, sizeof *order);
	double *table = ft_arena_take(&work, n * m, sizeof *table);
	double *table_back = ft_arena_take(&work, n * m, sizeof *table_back);
	struct ft__planner k = {.forth = &forth,
				.back = &back,
				.table = table,
				.table_back = table_back,
				.best = make_schedule(&work, n),
				.now = make_schedule(&work, n),
				.trial = make_schedule(&work, n),
				.spare = make_schedule(&work, n),
				.key = ft_arena_take(&work, n, sizeof *k.key),
				.own_key = ft_arena_take(&work, n, sizeof *k.own_key),
				.force = ft_arena_take(&work, n, sizeof *k.force),
				.own_force = ft_arena_take(&work, n, sizeof *k.own_force),
				.effort = search && search->effort
						  ? search->effort
						  : 50000000 + 300 * ((uint64_t)n * m + edges),
				.random = {search ? search->seed : 0}};
	FT_TRY(ft__decoder_init(&k.d, &work, n, m, err));
	back = ft__graph_reverse(&forth, order);
	ft__rank_table(&forth, table);
	ft__rank_table(&back, table_back);
	FT_TRY(run_planner(&k, heft, err));
	memcpy(slot, k.best.slot, n * sizeof *slot);
	*out = (struct ft_plan){k.best.t, fmin(k.bound, k.best.t), ft__planner_met(&k), k.d.looks};
	return FT_OK;
}
