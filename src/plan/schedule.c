/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedule.c - graphs of tasks over machines: list schedules of many kinds, and variations of the best
   one. */
#include "num/num.h"
#include "plan/plan.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void schedule_copy(struct ft__schedule *to, const struct ft__schedule *from, size_t n);

static void planner_try(struct ft__planner *k, bool back, const struct ft__rule *rule);

static bool planner_met(const struct ft__planner *k);

/*
 * Ranks along paths, and a lower bound of all schedules.
 */

void ft__rank_up(const struct ft__graph *g, enum ft__work kind, double sending, double *rank)
{
	const double *work = g->work + (size_t)kind * g->n;

	for (size_t i = g->n; i-- > 0;) {
		size_t v = g->order[i];
		double longest = 0;

		for (size_t k = g->next_from[v]; k < g->next_from[v + 1]; k++) {
			double send = isinf(g->next[k].mean_s) ? 0 : sending * g->next[k].mean_s;

			longest = fmax(longest, send + rank[g->next[k].to]);
		}
		rank[v] = work[v] + longest;
	}
}

/* rank_table - least time from a task's end on a machine to the end of all: PEFT's optimistic cost table.
 * table [n x m] out. Cost O(e m) */
static void rank_table(const struct ft__graph *g, double *table)
{
	/* A task goes to another machine in m - 1 of m cases. */
	double apart = 1 - 1 / (double)g->m;

	memset(table, 0, g->n * g->m * sizeof *table);
	for (size_t i = g->n; i-- > 0;) {
		size_t v = g->order[i];
		double *row = table + v * g->m;

		for (size_t k = g->next_from[v]; k < g->next_from[v + 1]; k++) {
			const double *next = table + g->next[k].to * g->m, *p = g->p + g->next[k].to * g->m;
			double least = INFINITY;

			for (size_t j = 0; j < g->m; j++)
				least = fmin(least, next[j] + p[j]);
			double elsewhere = least + apart * g->next[k].mean_s;
			for (size_t j = 0; j < g->m; j++)
				row[j] = fmax(row[j], fmin(next[j] + p[j], elsewhere));
		}
		/* No way from here: other machines are better, but all keep a number. */
		for (size_t j = 0; j < g->m; j++)
			row[j] = fmin(row[j], 1e300);
	}
}

/* ---- paths --------------------------------------------------------------------------------------------- */

/* The dependencies of a task if it were on some machine: for each predecessor when its result arrives from
 * elsewhere, and when it is available on the same machine. */
struct arrival {
	double sent, here, work;
};

static int latest_first(const void *x, const void *y)
{
	const struct arrival *a = x, *b = y;

	return (a->sent < b->sent) - (a->sent > b->sent);
}

/* Usually few of them matter: those are found one by one, the rest by sorting. */
enum { PICKED = 16 };

/* in[k] becomes the latest of those from k on. */
static void pick_latest(struct arrival *in, size_t n, size_t k)
{
	size_t latest = k;

	if (k == PICKED)
		qsort(in + k, n - k, sizeof *in, latest_first);
	if (k >= PICKED)
		return;
	for (size_t i = k + 1; i < n; i++)
		latest = in[i].sent > in[latest].sent ? i : latest;
	struct arrival swap = in[k];
	in[k] = in[latest];
	in[latest] = swap;
}

/* Those that could not be sent in time were done there, one after the other: when all n can have come. */
static double join_arrivals(struct arrival *in, size_t n)
{
	double begin = INFINITY, work = 0, here = 0, best = INFINITY;

	for (size_t k = 0;; k++) {
		const double there = k ? fmax(here, begin + work) : 0;
		double sent;

		if (k < n)
			pick_latest(in, n, k);
		sent = k < n ? in[k].sent : 0;
		best = fmin(best, fmax(sent, there));
		if (k == n || there >= sent)
			return best;
		begin = fmin(begin, in[k].here - in[k].work);
		work += in[k].work;
		here = fmax(here, in[k].here);
	}
}

/* One that a task waits for: its two least ends, on which machine the least is, and what sending takes. */
struct schedule_bound_ends {
	size_t of;
	double least, next, send_s;
	size_t at;
};

/* All that `v` waits for, each once; place [n]: working space. Returns their number. */
static size_t find_ends(const struct ft__graph *g, size_t v, const double *f,
			struct schedule_bound_ends *from, size_t *place)
{
	size_t n = 0;

	for (size_t k = g->before_from[v]; k < g->before_from[v + 1]; k++) {
		const struct ft__edge *edge = &g->before[k];
		const size_t at = place[edge->to];

		if (at < n && from[at].of == edge->to) {
			from[at].send_s = fmax(from[at].send_s, edge->least_s);
			continue;
		}
		place[edge->to] = n;
		struct schedule_bound_ends e = {edge->to, INFINITY, INFINITY, edge->least_s, 0};
		const double *row = f + edge->to * g->m;

		for (size_t j = 0; j < g->m; j++)
			if (row[j] < e.least) {
				e.next = e.least;
				e.least = row[j];
				e.at = j;
			} else {
				e.next = fmin(e.next, row[j]);
			}
		from[n++] = e;
	}
	return n;
}

struct schedule_bound_room {
	struct arrival *in;               /* [n] */
	struct schedule_bound_ends *from; /* [n] */
	size_t *place;                    /* [n] */
};

/* For each task the least time from the beginning of all to its start: on each machine the longest of its
 * predecessors, there or sent from the best other machine. f [n x m]: to its end; room: for its
 * predecessors. Returns the longest to any end. */
static double find_heads(const struct ft__graph *g, double *f, double *head,
			 const struct schedule_bound_room *room)
{
	struct arrival *in = room->in;
	struct schedule_bound_ends *from = room->from;
	double longest = 0;

	for (size_t i = 0; i < g->n; i++) {
		size_t v = g->order[i], n = find_ends(g, v, f, from, room->place);
		double *row = f + v * g->m, least = INFINITY;

		head[v] = INFINITY;
		for (size_t j = 0; j < g->m; j++) {
			for (size_t k = 0; k < n; k++)
				in[k] = (struct arrival){
					(from[k].at == j ? from[k].next : from[k].least) + from[k].send_s,
					f[from[k].of * g->m + j], g->p[from[k].of * g->m + j]};
			row[j] = join_arrivals(in, n);
			if (g->taken)
				row[j] = ft__lane_gap(&g->taken[j], row[j], g->p[v * g->m + j]);
			head[v] = fmin(head[v], row[j]);
			row[j] += g->p[v * g->m + j];
			least = fmin(least, row[j]);
		}
		longest = fmax(longest, least);
	}
	return longest;
}

/* ---- work ---------------------------------------------------------------------------------------------- */

enum { FEW = 12, CLOSER = 4, ROUNDS = 200 };

/* Below this many tasks all pairs of a start and an end are looked at. */
enum { SMALL = 200 };

struct schedule_bound_window {
	double value, head, tail;
};

struct schedule_bound_work {
	const struct ft__graph *g;
	double *head, *tail, *share; /* [n] share: least price of the task */
	double *w, *memory;          /* [m], [3 m] */
	double *rows;                /* [(n + m) x m] of chosen tasks, and of what is reserved */
	double known;                /* a bound */
	double *heads, *tails;       /* [n] values to look at */
	size_t n_heads, n_tails;
	struct ft__key *longest; /* [n] tasks, by their least times */
	uint64_t looks;
};

/* ---- capacity bounds
   -------------------------------------------------------------------------------------- */

static int longest_first(const void *x, const void *y)
{
	const struct ft__key *a = x, *b = y;

	return (a->key < b->key) - (a->key > b->key);
}

/* The least time, from `time` on, in which machines do n tasks of which each takes p_i on machine i at
 * least: none is divided. */
static double least_time(const double *p, size_t m, size_t n, double time)
{
	for (;;) {
		double all = 0, next = INFINITY;

		for (size_t i = 0; i < m; i++) {
			const double fit = p[i] < INFINITY ? floor(time / p[i] * (1 + 1e-12)) : 0;

			all += fit;
			next = fmin(next, (fit + 1) * p[i]);
		}
		if (all >= (double)n || isinf(next))
			return time;
		time = next;
	}
}

/* From this number of tasks times machines on, fewer heads and tails are used. */
static const double large = 2e5;
enum { LARGE_FEW = 3 };

/* Of those with `head` before and `tail` after them the 1, 2, 3 ... longest ones. least [m]: working space */
static double bound_longest(struct schedule_bound_work *k, double head, double tail, double known,
			    double *least)
{
	const size_t m = k->g->m;
	double time = fmax(0, known - head - tail);
	size_t chosen = 0;

	for (size_t i = 0; i < m; i++)
		least[i] = INFINITY;
	for (size_t v = 0; v < k->g->n; v++) {
		const size_t task = k->longest[v].of;
		const double *p = k->g->p + task * m;

		if (k->head[task] < head || k->tail[task] < tail || !(k->g->work[k->g->n + task] > 0))
			continue;
		for (size_t i = 0; i < m; i++)
			least[i] = fmin(least[i], p[i]);
		time = least_time(least, m, ++chosen, time);
	}
	k->looks += m * (chosen + 1);
	return chosen ? head + tail + time : known;
}

static double bound_by_counts(struct schedule_bound_work *k, double known)
{
	const size_t sides = (double)k->g->n * (double)k->g->m > large ? LARGE_FEW : FEW;
	const size_t heads_step = (k->n_heads + sides - 1) / sides,
		     tails_step = (k->n_tails + sides - 1) / sides;
	double bound = known;

	for (size_t v = 0; v < k->g->n; v++)
		k->longest[v] = (struct ft__key){k->g->work[k->g->n + v], v};
	qsort(k->longest, k->g->n, sizeof *k->longest, longest_first);
	for (size_t i = 0; i < k->n_heads; i += heads_step)
		for (size_t j = 0; j < k->n_tails; j += tails_step)
			bound = fmax(bound, bound_longest(k, k->heads[i], k->tails[j], bound, k->w));
	return bound;
}

/* Different values, all or FEW of them. */
static size_t thin_values(double *out, const double *in, size_t n)
{
	memcpy(out, in, n * sizeof *out);
	size_t count = ft_sort_different(out, n);
	if (n <= SMALL || count <= FEW)
		return count;
	for (size_t i = 0; i < FEW; i++)
		out[i] = out[i * count / FEW];
	return FEW;
}

/* The bound of mapping those tasks that have `head` before and `tail` after them. */
static double bound_by_area(struct schedule_bound_work *k, double head, double tail, double below)
{
	struct ft__map map = {.p = k->rows, .m = k->g->m};

	for (size_t v = 0; v < k->g->n; v++)
		if (k->head[v] >= head && k->tail[v] >= tail && k->g->work[k->g->n + v] > 0)
			memcpy(k->rows + map.n++ * map.m, k->g->p + v * map.m, map.m * sizeof *k->rows);
	if (map.n == 0)
		return 0;
	/* A reservation of a machine between `head` and the least end minus `tail` is a task of it. */
	for (size_t i = 0; k->g->taken && i < map.m; i++) {
		double taken = ft__lane_within(&k->g->taken[i], head, k->known - tail);
		double *row = k->rows + map.n * map.m;

		if (!(taken > 0))
			continue;
		for (size_t j = 0; j < map.m; j++)
			row[j] = j == i ? taken : (double)INFINITY;
		map.n++;
	}
	double bound = ft__map_dual(&map, below, ROUNDS, k->w, k->memory);
	k->looks += map.looks;
	return isinf(bound) ? 0 : bound;
}

static double bound_by_windows(struct schedule_bound_work *k, double below)
{
	struct schedule_bound_window best[CLOSER + 1] = {0};
	const struct ft__graph *g = k->g;

	k->w[0] = 0;
	double bound = bound_by_area(k, 0, 0, below);
	if (k->g->taken) { /* a later end has more of what is reserved before it */
		k->known = fmax(k->known, bound * (1 - 1e-9));
		bound = fmax(bound, bound_by_area(k, 0, 0, below));
	}
	for (size_t v = 0; v < g->n; v++) {
		k->share[v] = INFINITY;
		for (size_t j = 0; j < g->m; j++)
			k->share[v] = fmin(k->share[v], k->w[j] * g->p[v * g->m + j]);
	}
	k->n_heads = thin_values(k->heads, k->head, g->n);
	k->n_tails = thin_values(k->tails, k->tail, g->n);
	/* The windows that look best by the prices of all tasks. */
	size_t place;

	for (size_t i = 0; i < k->n_heads; i++)
		for (size_t j = 0; j < k->n_tails; j++) {
			struct schedule_bound_window now = {0, k->heads[i], k->tails[j]};

			for (size_t v = 0; v < k->g->n; v++)
				if (k->head[v] >= now.head && k->tail[v] >= now.tail)
					now.value += k->share[v];
			k->looks += k->g->n / 8;
			if (!(now.value > 0))
				break;
			now.value += now.head + now.tail;
			for (place = CLOSER; place > 0 && now.value > best[place - 1].value; place--)
				best[place] = best[place - 1];
			best[place] = now;
		}
	for (size_t i = 0; i < CLOSER && best[i].value > 0; i++) {
		bound = fmax(bound, best[i].value);
		bound = fmax(bound, best[i].head + best[i].tail +
					    bound_by_area(k, best[i].head, best[i].tail, below));
	}
	return bound_by_counts(k, bound);
}

/* schedule_bound - no schedule ends before: the longest path (per machine), and work by prices of
 * machines, of all tasks and of those that have some time before and after them. looks: counts */
static enum ft_status schedule_bound(const struct ft__graph *g, double below, double *bound, uint64_t *looks,
				     struct ft_err *err)
{
	size_t n = g->n, m = g->m;
	FT_ARENA(work);
	size_t *order = ft_arena_take(&work, n, sizeof *order);
	struct schedule_bound_room room = {.in = ft_arena_take(&work, n, sizeof *room.in),
					   .from = ft_arena_take(&work, n, sizeof *room.from),
					   .place = ft_arena_take(&work, n, sizeof *room.place)};
	struct schedule_bound_work k = {.g = g,
					.rows = ft_arena_take(&work, (n + m) * m, sizeof(double)),
					.head = ft_arena_take(&work, n, sizeof(double)),
					.tail = ft_arena_take(&work, n, sizeof(double)),
					.share = ft_arena_take(&work, n, sizeof(double)),
					.heads = ft_arena_take(&work, n, sizeof(double)),
					.tails = ft_arena_take(&work, n, sizeof(double)),
					.w = ft_arena_take(&work, m, sizeof(double)),
					.memory = ft_arena_take(&work, 3 * m, sizeof(double)),
					.longest = ft_arena_take(&work, n, sizeof *k.longest)};

	FT_TRY(ft_arena_check(&work, err));
	struct ft__graph back = ft__graph_reverse(g, order);
	*bound = find_heads(g, k.rows, k.head, &room);
	*bound = fmax(*bound, find_heads(&back, k.rows, k.tail, &room));
	k.known = *bound * (1 - 1e-9);
	k.looks = 3 * (n + g->edges) * m;
	*bound = fmax(*bound, bound_by_windows(&k, below));
	/* Sums of up to n rounded numbers. */
	*bound *= 1 - 4 * DBL_EPSILON * (double)(n + m);
	if (g->whole && isfinite(*bound))
		*bound = ceil(*bound * (1 - 1e-9));
	*looks += k.looks;
	return FT_OK;
}

/*
 * Variations of a schedule: keys are its own times and noise, a share of its machines is kept; then it is
 * shifted forwards and backwards in time. A slightly worse one is sometimes continued from.
 */

/* Worse by this share is accepted once in e times; what is worse by more than the other is given up. */
static const double warmth = 0.005, far_off = 1.03;

static double uniform(struct ft__planner *k)
{
	return ft_random_uniform(&k->random);
}

/* Mean 0, variance 1; the sum of two is normal enough, and cheap. */
static double noise(struct ft__planner *k)
{
	return (uniform(k) + uniform(k) - 1) * 2.449489742783178;
}

/* Keys that would make `s` again: the earliest first, or backwards the latest. */
static double own_key(const struct ft__schedule *s, size_t v, bool back)
{
	return back ? s->slot[v].end_s : -s->slot[v].start_s;
}

/* A schedule like `now`: noise of a size between e^-1 and e^-5 of the whole, on all tasks or few. */
static void vary_schedule(struct ft__planner *k, bool back)
{
	size_t n = k->forth->n;
	double size = k->now.t * exp(-1 - 4 * uniform(k));
	double rate = uniform(k) < 0.3 ? 1 : fmax(1 / (double)n, exp(-uniform(k) * log((double)n)));
	double keep = uniform(k) < 0.5 ? uniform(k) : 0;
	struct ft__rule rule = {.key = k->key,
				.bias = back ? k->table_back : k->table,
				.alpha = uniform(k) < 0.5 ? 0 : uniform(k),
				.force = keep > 0 ? k->force : NULL};

	for (size_t v = 0; v < n; v++) {
		k->key[v] = own_key(&k->now, v, back);
		if (rate == 1 || uniform(k) < rate)
			k->key[v] += size * noise(k);
		k->force[v] = keep > 0 && uniform(k) < keep ? k->now.slot[v].machine : FT_PLAN_NOWHERE;
	}
	planner_try(k, back, &rule);
}

/* Shifted to one end, on its own machines or on the best ones. False: no gain. */
static bool shift_schedule(struct ft__planner *k, bool back)
{
	size_t n = k->forth->n;
	struct ft__rule rule = {.key = k->key, .force = uniform(k) < 0.5 ? k->force : NULL};
	struct ft__schedule before = k->trial;

	for (size_t v = 0; v < n; v++) {
		k->key[v] = own_key(&before, v, back);
		k->force[v] = before.slot[v].machine;
	}
	k->trial = k->spare;
	planner_try(k, back, &rule);
	if (k->trial.t <= before.t) {
		k->spare = before;
		return true;
	}
	k->spare = k->trial;
	k->trial = before;
	return false;
}

/*
 * Graphs of tasks over machines: list schedules of many kinds, and variations of the best one.
 */

/* One machine alone, and pairs, among those with the least time for everything. */
enum { ALONE = 8 };

static void schedule_copy(struct ft__schedule *to, const struct ft__schedule *from, size_t n)
{
	memcpy(to->slot, from->slot, n * sizeof *to->slot);
	to->t = from->t;
}

/* Has the best schedule met the bound? */
static bool planner_met(const struct ft__planner *k)
{
	return k->best.t <= k->bound * (1 + 1e-9);
}

/* planner_try - one schedule, forwards or backwards in time, into `trial`; kept if it is the best. */
static void planner_try(struct ft__planner *k, bool back, const struct ft__rule *rule)
{
	const struct ft__graph *g = back ? k->back : k->forth;

	ft__decode(&k->d, g, rule, &k->trial);
	if (back) {
		/* A schedule of the reversed graph, read from its end. */
		struct ft__schedule *s = &k->trial;

		for (size_t v = 0; v < g->n && isfinite(s->t); v++) {
			double start = s->t - s->slot[v].end_s;

			s->slot[v].end_s = s->t - s->slot[v].start_s;
			s->slot[v].start_s = start;
		}
	}
	if (back && k->forth->taken && isfinite(k->trial.t)) {
		/* A schedule made backwards ignores reservations: its order and machines are used forwards. */
		struct ft__rule order = {.key = k->own_key, .force = k->own_force};

		for (size_t v = 0; v < k->forth->n; v++) {
			k->own_key[v] = -k->trial.slot[v].start_s;
			k->own_force[v] = k->trial.slot[v].machine;
		}
		ft__decode(&k->d, k->forth, &order, &k->trial);
	}
	if (k->trial.t < k->best.t)
		schedule_copy(&k->best, &k->trial, g->n);
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
				planner_try(k, back, &rule);
				if (planner_met(k))
					return;
			}
}

/* If sending is expensive, one machine or two are best. */
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
	for (i = 0; i < count && !planner_met(k); i++)
		for (j = 0; j <= i && k->d.looks < k->effort; j++) {
			use[0] = best[i];
			use[1] = best[j];
			rule.uses = i == j ? 1 : 2;
			planner_try(k, false, &rule);
		}
}

static void planner_lists(struct ft__planner *k)
{
	bool all = (double)k->forth->n * (double)k->forth->m <= large;

	/* PEFT: the mean of the table as the key. */
	const struct ft__graph *g = k->forth;
	struct ft__rule rule = {.key = k->key, .bias = k->table, .alpha = 1};
	size_t i;

	for (size_t v = 0; v < g->n; v++)
		for (k->key[v] = 0, i = 0; i < g->m; i++)
			k->key[v] += k->table[v * g->m + i] / (double)g->m;
	planner_try(k, false, &rule);
	try_ranks(k, false, all);
	try_ranks(k, true, all);
	try_few(k);
}

/* ---- all of them --------------------------------------------------------------------------------------- */

/* Each order in which tasks may begin, each task on each machine: the best schedule has such an order, by
 * the starts of its tasks. key [n]: least time from a task's end to the end of all. */
static void try_rest(struct ft__planner *k, bool *placed, size_t count, double t)
{
	const struct ft__graph *g = k->forth;
	struct ft_plan_slot *slot = k->trial.slot;

	if (count == g->n) {
		k->trial.t = t;
		schedule_copy(&k->best, &k->trial, g->n);
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

/* If there are few enough; false: there are more. */
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

static enum ft_status run_planner(struct ft__planner *k, double *heft, struct ft_err *err)
{
	const struct ft__graph *g = k->forth;
	struct ft__rule rule = {.key = k->key};
	uint64_t looks = 0;

	ft__rank_up(g, FT__MEAN, 1, k->key);
	planner_try(k, false, &rule);
	if (heft)
		*heft = k->best.t;
	FT_TRY(schedule_bound(g, INFINITY, &k->bound, &looks, err));
	k->d.looks += looks;
	if (!planner_met(k) && !enumerate_schedules(k))
		planner_lists(k);
	if (!planner_met(k) && isfinite(k->best.t)) {
		size_t n = k->forth->n;

		schedule_copy(&k->now, &k->best, n);
		while (k->d.looks < k->effort && !planner_met(k) && !k->d.no_memory) {
			bool back = uniform(k) < 0.5;

			vary_schedule(k, back);
			if (isfinite(k->trial.t) && shift_schedule(k, !back))
				(void)shift_schedule(k, back);
			if (k->trial.t <= k->now.t ||
			    uniform(k) < exp((k->now.t - k->trial.t) / (warmth * k->best.t))) {
				struct ft__schedule now = k->now;

				k->now = k->trial;
				k->trial = now;
			}
			if (k->now.t > far_off * k->best.t)
				schedule_copy(&k->now, &k->best, n);
		}
	}
	if (isfinite(k->best.t)) {
		/* Reversal in time rounds: the same order and machines, forwards, so that each start is the exact sum. */
		struct ft__rule order = {.key = k->key, .force = k->force};

		for (size_t v = 0; v < g->n; v++) {
			k->key[v] = -k->best.slot[v].start_s;
			k->force[v] = k->best.slot[v].machine;
		}
		ft__decode(&k->d, g, &order, &k->now);
		if (k->now.t <= k->best.t * (1 + 1e-9))
			schedule_copy(&k->best, &k->now, g->n);
	}
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
	rank_table(&forth, table);
	rank_table(&back, table_back);
	FT_TRY(run_planner(&k, heft, err));
	memcpy(slot, k.best.slot, n * sizeof *slot);
	*out = (struct ft_plan){k.best.t, fmin(k.bound, k.best.t), planner_met(&k), k.d.looks};
	return FT_OK;
}
