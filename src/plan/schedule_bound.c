/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedule_bound.c - ranks along paths, and what no schedule can be shorter than. */
#include "num/order.h"
#include "plan/map.h"
#include "plan/schedule.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

void ft__rank_table(const struct ft__graph *g, double *table)
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

/* What a task waits for, were it on some machine: of one before it, what is sent from elsewhere comes so
 * late, and what is there, so. */
struct arrival {
	double sent, here, work;
};

static int latest_first(const void *x, const void *y)
{
	const struct arrival *a = x, *b = y;

	return (a->sent < b->sent) - (a->sent > b->sent);
}

/* Few of them matter as a rule: those are found one by one, the others by sorting. */
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

static struct schedule_bound_ends ends_of(const struct ft__edge *edge, const double *f, size_t m)
{
	struct schedule_bound_ends e = {edge->to, INFINITY, INFINITY, edge->least_s, 0};
	const double *row = f + edge->to * m;

	for (size_t j = 0; j < m; j++)
		if (row[j] < e.least) {
			e.next = e.least;
			e.least = row[j];
			e.at = j;
		} else {
			e.next = fmin(e.next, row[j]);
		}
	return e;
}

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
		from[n++] = ends_of(edge, f, g->m);
	}
	return n;
}

struct schedule_bound_room {
	struct arrival *in;               /* [n] */
	struct schedule_bound_ends *from; /* [n] */
	size_t *place;                    /* [n] */
};

/* For each task the least time from the beginning of all to its start: on each machine the longest of what
 * comes before, there or sent from the best other machine. f [n x m]: to its end; room: for what a task waits
 * for. Returns the longest to any end. */
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

/* ---- as many as fit --------------------------------------------------------------------------------------
 */

static int longest_first(const void *x, const void *y)
{
	const struct ft__key *a = x, *b = y;

	return (a->key < b->key) - (a->key > b->key);
}

/* The least time, from `time` on, in which machines do n tasks of which each takes p_i on machine i at least:
 * none is divided. */
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

/* From so many tasks times machines on, of fewer heads and tails. */
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

/* What machines are taken for between `head` and the least end less `tail` is a task of each. */
static void add_taken(const struct schedule_bound_work *k, struct ft__map *map, double head, double tail)
{
	for (size_t i = 0; k->g->taken && i < map->m; i++) {
		double taken = ft__lane_within(&k->g->taken[i], head, k->known - tail);
		double *row = k->rows + map->n * map->m;

		if (!(taken > 0))
			continue;
		for (size_t j = 0; j < map->m; j++)
			row[j] = j == i ? taken : (double)INFINITY;
		map->n++;
	}
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
	add_taken(k, &map, head, tail);
	double bound = ft__map_dual(&map, below, ROUNDS, k->w, k->memory);
	k->looks += map.looks;
	return isinf(bound) ? 0 : bound;
}

/* The windows that look best by the prices of all tasks. */
static void find_window(struct schedule_bound_work *k, struct schedule_bound_window *best)
{
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
	find_window(k, best);
	for (size_t i = 0; i < CLOSER && best[i].value > 0; i++) {
		bound = fmax(bound, best[i].value);
		bound = fmax(bound, best[i].head + best[i].tail +
					    bound_by_area(k, best[i].head, best[i].tail, below));
	}
	return bound_by_counts(k, bound);
}

enum ft_status ft__schedule_bound(const struct ft__graph *g, double below, double *bound, uint64_t *looks,
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
