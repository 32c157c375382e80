/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph.c - prepares graphs of dependent tasks. */
#include "base/alloc.h"
#include "foretime/plan.h"
#include "plan/plan.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A binary heap in an array.
 */

static bool comes_before(struct ft__key a, struct ft__key b)
{
	return a.key < b.key || (a.key == b.key && a.of < b.of);
}

void ft__heap_push(struct ft__key *heap, size_t n, struct ft__key key)
{
	size_t i = n;

	for (; i > 0 && comes_before(key, heap[(i - 1) / 2]); i = (i - 1) / 2)
		heap[i] = heap[(i - 1) / 2];
	heap[i] = key;
}

struct ft__key ft__heap_pop(struct ft__key *heap, size_t n)
{
	struct ft__key least = heap[0], moved = heap[n - 1];
	size_t i = 0, child;

	for (n--; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && comes_before(heap[child + 1], heap[child]))
			child++;
		if (!comes_before(heap[child], moved))
			break;
		heap[i] = heap[child];
	}
	heap[i] = moved;
	return least;
}

/*
 * Busy times of a machine.
 */

/* The first interval that ends after t. */
static size_t first_after(const struct ft__lane *lane, double t)
{
	size_t a = 0, b = lane->n;

	while (a < b) {
		size_t c = (a + b) / 2;

		if (lane->of[c].end > t)
			b = c;
		else
			a = c + 1;
	}
	return a;
}

double ft__lane_gap(const struct ft__lane *lane, double ready, double p)
{
	double start = ready;

	if (lane->n == 0 || lane->of[lane->n - 1].end <= ready)
		return ready;
	for (size_t i = first_after(lane, ready); i < lane->n && start + p > lane->of[i].start; i++)
		start = lane->of[i].end;
	return start;
}

static bool insert_reservation(struct ft__lane *lane, size_t i, double start, double end)
{
	struct ft__busy *grown =
		ft_arena_grow(lane->arena, lane->of, lane->n, &lane->capacity, sizeof *lane->of);

	if (!grown)
		return false;
	lane->of = grown;
	memmove(&lane->of[i + 1], &lane->of[i], (lane->n - i) * sizeof *lane->of);
	lane->of[i] = (struct ft__busy){start, end};
	lane->n++;
	return true;
}

/* lane_occupy - busy from start to end, where it was not; intervals that touch become one. False: no
 * memory. */
static bool lane_occupy(struct ft__lane *lane, double start, double end)
{
	size_t i = first_after(lane, start);
	bool left = i > 0 && lane->of[i - 1].end == start, right = i < lane->n && lane->of[i].start == end;

	if (!(end > start))
		return true;
	if (left && right) {
		lane->of[i - 1].end = lane->of[i].end;
		memmove(&lane->of[i], &lane->of[i + 1], (--lane->n - i) * sizeof *lane->of);
	} else if (left) {
		lane->of[i - 1].end = end;
	} else if (right) {
		lane->of[i].start = start;
	} else {
		return insert_reservation(lane, i, start, end);
	}
	return true;
}

static bool lane_copy(struct ft__lane *to, const struct ft__lane *from)
{
	to->n = 0;
	for (size_t i = 0; i < from->n; i++)
		if (!insert_reservation(to, i, from->of[i].start, from->of[i].end))
			return false;
	return true;
}

double ft__lane_within(const struct ft__lane *lane, double from, double to)
{
	double sum = 0;

	for (size_t i = 0; i < lane->n; i++)
		sum += fmax(0, fmin(lane->of[i].end, to) - fmax(lane->of[i].start, from));
	return sum;
}

/* ---- reservations ---------------------------------------------------------------------------------- */

/* Joined with all that it overlaps or touches. */
static bool reserve_span(struct ft__lane *lane, double start, double end)
{
	size_t i = 0, n = 0;

	for (i = 0; i < lane->n; i++)
		if (lane->of[i].end < start || lane->of[i].start > end) {
			lane->of[n++] = lane->of[i];
		} else {
			start = fmin(start, lane->of[i].start);
			end = fmax(end, lane->of[i].end);
		}
	lane->n = n;
	for (i = 0; i < n && lane->of[i].end < start; i++)
		continue;
	return !(end > start) || insert_reservation(lane, i, start, end);
}

/* lanes_reserve - [m] lanes of reservations; *out NULL: none. In the arena's memory. FT_EINVAL: no such
 * machine, invalid times, or the wrong order. */
static enum ft_status lanes_reserve(struct ft__lane **out, struct ft_arena *arena, size_t m,
				    const struct ft_plan_reserved *reserved, size_t n, struct ft_err *err)
{
	*out = NULL;
	for (size_t i = 0; i < n; i++)
		if (reserved[i].machine >= m || !(reserved[i].from_s >= 0) ||
		    !(reserved[i].to_s >= reserved[i].from_s) || isinf(reserved[i].to_s))
			return ft_fail(err, FT_EINVAL, "machine %zu is reserved from %g s to %g s",
				       reserved[i].machine, reserved[i].from_s, reserved[i].to_s);
	if (n == 0)
		return FT_OK;
	struct ft__lane *lane = ft_arena_take(arena, m, sizeof *lane);
	FT_TRY(ft_arena_check(arena, err));
	for (size_t i = 0; i < m; i++)
		lane[i].arena = arena;
	for (size_t i = 0; i < n; i++)
		if (!reserve_span(&lane[reserved[i].machine], reserved[i].from_s, reserved[i].to_s))
			return ft_nomem(err);
	*out = lane;
	return FT_OK;
}

enum ft_status ft_plan_free_from(const struct ft_plan_reserved *reserved, size_t n, size_t machine,
				 double from_s, double time_s, double *start_s, struct ft_err *err)
{
	struct ft__lane *lane;
	size_t m = machine + 1;

	if (!(from_s >= 0) || !(time_s >= 0))
		return ft_fail(err, FT_EINVAL, "%g s from %g s on", time_s, from_s);
	for (size_t i = 0; i < n; i++)
		m = reserved[i].machine >= m ? reserved[i].machine + 1 : m;
	FT_ARENA(work);
	FT_TRY(lanes_reserve(&lane, &work, m, reserved, n, err));
	*start_s = lane ? ft__lane_gap(&lane[machine], from_s, time_s) : from_s;
	return FT_OK;
}

/*
 * Latency and bandwidth between machines.
 */

enum ft_status ft__network_init(struct ft__network *out, struct ft_arena *arena,
				const struct ft_plan_links *links, size_t m, struct ft_err *err)
{
	*out = (struct ft__network){.m = m};
	if (!links)
		return FT_OK;
	if (!links->latency_s_of != !links->bytes_per_s_of)
		return ft_fail(err, FT_EINVAL, "links need both latencies and bandwidths");
	if (!(links->latency_s >= 0) || !(links->bytes_per_s >= 0))
		return ft_fail(err, FT_EINVAL, "links of %g s and %g bytes/s", links->latency_s,
			       links->bytes_per_s);
	for (size_t i = 0; links->latency_s_of && i < m * m; i++)
		if (i / m != i % m && (!(links->latency_s_of[i] >= 0) || !(links->bytes_per_s_of[i] >= 0)))
			return ft_fail(err, FT_EINVAL,
				       "the link from machine %zu to %zu has %g s and %g bytes/s", i / m,
				       i % m, links->latency_s_of[i], links->bytes_per_s_of[i]);
	if (!links->latency_s_of) {
		out->latency_s = out->least_latency_s = links->latency_s;
		out->byte_s = out->least_byte_s = 1 / links->bytes_per_s;
		return FT_OK;
	}
	out->latency = ft_arena_take(arena, m * m, sizeof *out->latency);
	out->per_byte = ft_arena_take(arena, m * m, sizeof *out->per_byte);
	FT_TRY(ft_arena_check(arena, err));
	/* Each link, and the usual one. */
	size_t count = 0;

	out->latency_s = out->byte_s = 0;
	out->least_latency_s = out->least_byte_s = INFINITY;
	for (size_t i = 0; i < out->m * out->m; i++) {
		bool none = !(links->bytes_per_s_of[i] > 0);

		out->latency[i] = none ? (double)INFINITY : links->latency_s_of[i];
		out->per_byte[i] = none ? (double)INFINITY : 1 / links->bytes_per_s_of[i];
		if (none || i / out->m == i % out->m)
			continue;
		count++;
		out->latency_s += out->latency[i];
		out->byte_s += out->per_byte[i];
		out->least_latency_s = fmin(out->least_latency_s, out->latency[i]);
		out->least_byte_s = fmin(out->least_byte_s, out->per_byte[i]);
	}
	out->latency_s = count ? out->latency_s / (double)count : (double)INFINITY;
	out->byte_s = count ? out->byte_s / (double)count : (double)INFINITY;
	return FT_OK;
}

double ft__network_send(const struct ft__network *net, double bytes, size_t from, size_t to)
{
	size_t at = from * net->m + to;

	if (from == to || bytes == 0)
		return 0;
	if (net->latency)
		return net->latency[at] + bytes * net->per_byte[at];
	return net->latency_s + bytes * net->byte_s;
}

/* ---- neighbours and order ------------------------------------------------------------------------------ */

/*
 * Prepares graphs of dependent tasks.
 */

/* Edges by one of their ends: counted, then filled in. */
static void neighbours(const struct ft_plan_edge *edge, size_t edges, size_t n, bool of_from, size_t *from,
		       struct ft__edge *out)
{
	memset(from, 0, (n + 1) * sizeof *from);
	for (size_t i = 0; i < edges; i++)
		from[(of_from ? edge[i].from : edge[i].to) + 1]++;
	for (size_t i = 0; i < n; i++)
		from[i + 1] += from[i];
	for (size_t i = 0; i < edges; i++) {
		size_t v = of_from ? edge[i].from : edge[i].to;

		out[from[v]++] =
			(struct ft__edge){.to = of_from ? edge[i].to : edge[i].from, .bytes = edge[i].bytes};
	}
	memmove(from + 1, from, n * sizeof *from);
	from[0] = 0;
}

/* Tasks in an order in which none waits for a later one; returns how many have such a place. left [n]: how
 * many each still waits for. */
static size_t sort_topologically(size_t n, const size_t *next_from, const struct ft__edge *next,
				 const size_t *before_from, size_t *order, size_t *left)
{
	size_t placed = 0;

	for (size_t i = 0; i < n; i++) {
		left[i] = before_from[i + 1] - before_from[i];
		if (left[i] == 0)
			order[placed++] = i;
	}
	for (size_t i = 0; i < placed; i++)
		for (size_t k = next_from[order[i]]; k < next_from[order[i] + 1]; k++)
			if (--left[next[k].to] == 0)
				order[placed++] = next[k].to;
	return placed;
}

static enum ft_status check_edges(const struct ft_plan_edge *edge, size_t edges, size_t n, struct ft_err *err)
{
	for (size_t i = 0; i < edges; i++) {
		if (edge[i].from >= n || edge[i].to >= n)
			return ft_fail(err, FT_EINVAL, "edge %zu joins %zu and %zu: there are %zu tasks", i,
				       edge[i].from, edge[i].to, n);
		if (!(edge[i].bytes >= 0) || isinf(edge[i].bytes))
			return ft_fail(err, FT_EINVAL, "edge %zu carries %g bytes", i, edge[i].bytes);
	}
	return FT_OK;
}

enum ft_status ft_plan_cycle(const struct ft_plan_edge *edge, size_t edges, size_t n, size_t *cycle,
			     size_t *length, struct ft_err *err)
{
	*length = 0;
	FT_TRY(check_edges(edge, edges, n, err));
	FT_ARENA(work);
	size_t *order = ft_arena_take(&work, n, sizeof *order), *left = ft_arena_take(&work, n, sizeof *left);
	size_t *next_from = ft_arena_take(&work, n + 1, sizeof *next_from);
	size_t *before_from = ft_arena_take(&work, n + 1, sizeof *before_from);
	struct ft__edge *next = ft_arena_take(&work, edges, sizeof *next);
	struct ft__edge *before = ft_arena_take(&work, edges, sizeof *before);
	FT_TRY(ft_arena_check(&work, err));
	neighbours(edge, edges, n, true, next_from, next);
	neighbours(edge, edges, n, false, before_from, before);
	if (sort_topologically(n, next_from, next, before_from, order, left) < n) {
		/* Each task without a place waits for another such: walk back from one of them until one
		 * repeats. The cycle stands forwards. */
		size_t v, k, count = 0, first;

		for (v = 0; v < n && left[v] == 0; v++)
			;
		for (; left[v] != SIZE_MAX; v = before[k].to) {
			left[v] = SIZE_MAX;
			cycle[count++] = v;
			for (k = before_from[v]; left[before[k].to] == 0; k++)
				;
		}
		for (first = 0; cycle[first] != v; first++)
			;
		count -= first;
		memmove(cycle, cycle + first, count * sizeof *cycle);
		for (size_t i = 0; i < count / 2; i++) {
			size_t swap = cycle[i];

			cycle[i] = cycle[count - 1 - i];
			cycle[count - 1 - i] = swap;
		}
		*length = count;
	}
	return FT_OK;
}

/* ---- costs of sending -------------------------------------------------------------------------------- */

static void set_costs(struct ft__graph *g, struct ft__edge *edge)
{
	const struct ft__network *net = &g->network;

	for (size_t i = 0; i < g->edges; i++) {
		if (edge[i].bytes == 0)
			continue;
		edge[i].mean_s = net->latency_s + edge[i].bytes * net->byte_s;
		edge[i].least_s = net->least_latency_s + edge[i].bytes * net->least_byte_s;
		g->whole = g->whole && edge[i].mean_s == floor(edge[i].mean_s) && !net->latency;
	}
}

double ft__graph_send(const struct ft__graph *g, const struct ft__edge *edge, size_t from, size_t to)
{
	return g->reversed ? ft__network_send(&g->network, edge->bytes, to, from)
			   : ft__network_send(&g->network, edge->bytes, from, to);
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

enum ft_status ft__graph_init(struct ft__graph *out, struct ft_arena *arena, const double *time_s, size_t n,
			      size_t m, const struct ft_plan_edge *edge, size_t edges,
			      const struct ft_plan_links *links, struct ft_err *err)
{
	*out = (struct ft__graph){.n = n, .m = m, .edges = edges, .p = time_s};
	if (m == 0)
		return ft_fail(err, FT_EINVAL, "no machines");
	FT_OWN size_t *left = ft_malloc((n + 1) * sizeof *left);
	if (!left)
		return ft_nomem(err);
	FT_TRY(check_edges(edge, edges, n, err));
	FT_TRY(ft__network_init(&out->network, arena, links, m, err));
	out->next = ft_arena_take(arena, edges, sizeof *out->next);
	out->before = ft_arena_take(arena, edges, sizeof *out->before);
	out->next_from = ft_arena_take(arena, n + 1, sizeof *out->next_from);
	out->before_from = ft_arena_take(arena, n + 1, sizeof *out->before_from);
	out->order = ft_arena_take(arena, n, sizeof *out->order);
	out->work = ft_arena_take(arena, 3 * n, sizeof *out->work);
	FT_TRY(ft_arena_check(arena, err));
	out->whole = true;
	for (size_t j = 0; j < out->n; j++) {
		double sum = 0, least = INFINITY, most = 0;
		size_t count = 0;

		for (size_t k = 0; k < out->m; k++) {
			double p = out->p[j * out->m + k];

			if (!(p >= 0))
				return ft_fail(err, FT_EINVAL, "task %zu takes %g s on machine %zu", j, p, k);
			if (isinf(p))
				continue;
			count++;
			sum += p;
			least = fmin(least, p);
			most = fmax(most, p);
			out->whole = out->whole && p == floor(p);
		}
		out->work[j] = count ? sum / (double)count : (double)INFINITY;
		out->work[out->n + j] = least;
		out->work[2 * out->n + j] = most;
	}
	neighbours(edge, edges, n, true, out->next_from, out->next);
	neighbours(edge, edges, n, false, out->before_from, out->before);
	set_costs(out, out->next);
	set_costs(out, out->before);
	if (sort_topologically(n, out->next_from, out->next, out->before_from, out->order, left) < n) {
		FT_OWN size_t *cycle = ft_malloc(n * sizeof *cycle);
		size_t length = 0, used = 0, i;
		char text[200] = "";

		if (!cycle)
			return ft_nomem(err);
		FT_TRY(ft_plan_cycle(edge, edges, n, cycle, &length, err));
		for (i = 0; i < length && used < sizeof text - 60; i++)
			used += (size_t)snprintf(text + used, sizeof text - used, "%zu -> ", cycle[i]);
		if (length == 0)
			return FT_OK;
		(void)snprintf(text + used, sizeof text - used, "%s%zu", i < length ? "... -> " : "",
			       cycle[0]);
		return ft_fail(err, FT_EINVAL, "tasks wait for each other in a circle: %s", text);
	}
	return FT_OK;
}

enum ft_status ft__graph_reserve(struct ft__graph *g, struct ft_arena *arena,
				 const struct ft_plan_reserved *reserved, size_t n, struct ft_err *err)
{
	for (size_t i = 0; i < n; i++)
		g->whole = g->whole && reserved[i].from_s == floor(reserved[i].from_s) &&
			   reserved[i].to_s == floor(reserved[i].to_s);
	return lanes_reserve(&g->taken, arena, g->m, reserved, n, err);
}

struct ft__graph ft__graph_reverse(const struct ft__graph *g, size_t *order)
{
	struct ft__graph r = *g;

	r.taken = NULL;
	r.next = g->before;
	r.before = g->next;
	r.next_from = g->before_from;
	r.before_from = g->next_from;
	r.order = order;
	r.reversed = !g->reversed;
	for (size_t i = 0; i < g->n; i++)
		order[i] = g->order[g->n - 1 - i];
	return r;
}

/*
 * Decode a schedule: the order of its tasks, and the resulting dependencies.
 */

struct numbered_slot {
	struct ft_plan_slot slot;
	size_t task;
};

static int compare_slots(const void *x, const void *y)
{
	const struct numbered_slot *a = x, *b = y;

	if (a->slot.start_s != b->slot.start_s)
		return a->slot.start_s < b->slot.start_s ? -1 : 1;
	if (a->slot.end_s != b->slot.end_s)
		return a->slot.end_s < b->slot.end_s ? -1 : 1;
	return (a->task > b->task) - (a->task < b->task);
}

enum ft_status ft_plan_order(const struct ft_plan_slot *slot, size_t n, size_t *order, struct ft_err *err)
{
	FT_OWN struct numbered_slot *sorted = ft_calloc(n + 1, sizeof *sorted);

	if (!sorted)
		return ft_nomem(err);
	for (size_t i = 0; i < n; i++)
		sorted[i] = (struct numbered_slot){slot[i], i};
	qsort(sorted, n, sizeof *sorted, compare_slots);
	for (size_t i = 0; i < n; i++)
		order[i] = sorted[i].task;
	return FT_OK;
}

enum ft_status ft_plan_waits(const struct ft_plan_edge *edge, size_t edges, const struct ft_plan_slot *slot,
			     const size_t *order, size_t n, size_t m, size_t *after, size_t *from,
			     struct ft_err *err)
{
	FT_ARENA(work);
	size_t *last = ft_arena_take(&work, m, sizeof *last); /* number + 1; 0: none yet */
	size_t *before = ft_arena_take(&work, n, sizeof *before),
	       *place = ft_arena_take(&work, n, sizeof *place);

	FT_TRY(ft_arena_check(&work, err));
	for (size_t i = 0; i < n; i++) {
		before[order[i]] = last[slot[order[i]].machine];
		last[slot[order[i]].machine] = order[i] + 1;
	}
	for (size_t i = 0; i < edges; i++)
		place[edge[i].to]++;
	from[0] = 0;
	for (size_t i = 0; i < n; i++) {
		from[i + 1] = from[i] + place[i] + (before[i] > 0);
		place[i] = from[i];
	}
	for (size_t i = 0; i < edges; i++)
		after[place[edge[i].to]++] = edge[i].from;
	for (size_t i = 0; i < n; i++)
		if (before[i])
			after[place[i]] = before[i] - 1;
	return FT_OK;
}

/*
 * List scheduling with insertion.
 */

enum ft_status ft__decoder_init(struct ft__decoder *out, struct ft_arena *arena, size_t n, size_t m,
				struct ft_err *err)
{
	*out = (struct ft__decoder){.lane = ft_arena_take(arena, m, sizeof *out->lane),
				    .left = ft_arena_take(arena, n, sizeof *out->left),
				    .touched = ft_arena_take(arena, n, sizeof *out->touched),
				    .heap = ft_arena_take(arena, n, sizeof *out->heap),
				    .ready = ft_arena_take(arena, m, sizeof *out->ready),
				    .local = ft_arena_take(arena, m, sizeof *out->local)};
	FT_TRY(ft_arena_check(arena, err));
	for (size_t i = 0; i < m; i++)
		out->lane[i].arena = arena;
	return FT_OK;
}

/* ---- when a task can begin ----------------------------------------------------------------------------- */

/* With equal links the latest arrival over the network, and the latest from another machine than that one,
 * are sufficient; results made on a machine itself are there when their task ends. */
static void ready_alike(struct ft__decoder *d, const struct ft__graph *g, const struct ft_plan_slot *slot,
			size_t v)
{
	double first = 0, second = 0;
	size_t i, machine = FT_PLAN_NOWHERE, touched = 0;

	for (size_t k = g->before_from[v]; k < g->before_from[v + 1]; k++) {
		const struct ft_plan_slot *s = &slot[g->before[k].to];
		double arrival = s->end_s + g->before[k].mean_s;

		if (arrival > first) {
			if (s->machine != machine)
				second = first;
			first = arrival;
			machine = s->machine;
		} else if (s->machine != machine && arrival > second) {
			second = arrival;
		}
		if (d->local[s->machine] == 0)
			d->touched[touched++] = s->machine;
		d->local[s->machine] = fmax(d->local[s->machine], s->end_s);
	}
	for (i = 0; i < g->m; i++)
		d->ready[i] = first;
	if (machine != FT_PLAN_NOWHERE)
		d->ready[machine] = second;
	while (touched-- > 0) {
		i = d->touched[touched];
		d->ready[i] = fmax(d->ready[i], d->local[i]);
		d->local[i] = 0;
	}
}

static void ready_each(struct ft__decoder *d, const struct ft__graph *g, const struct ft_plan_slot *slot,
		       size_t v)
{
	memset(d->ready, 0, g->m * sizeof *d->ready);
	for (size_t k = g->before_from[v]; k < g->before_from[v + 1]; k++) {
		const struct ft_plan_slot *s = &slot[g->before[k].to];

		for (size_t i = 0; i < g->m; i++)
			d->ready[i] =
				fmax(d->ready[i], s->end_s + ft__graph_send(g, &g->before[k], s->machine, i));
	}
	d->looks += g->m * (g->before_from[v + 1] - g->before_from[v]);
}

/* The machine where the task ends first, bias added; NOWHERE: none. */
static struct ft_plan_slot choose_machine(struct ft__decoder *d, const struct ft__graph *g,
					  const struct ft__rule *rule, size_t v)
{
	struct ft_plan_slot best = {FT_PLAN_NOWHERE, 0, 0};
	const double *p = g->p + v * g->m;
	size_t forced = rule->force ? rule->force[v] : FT_PLAN_NOWHERE;
	size_t count = rule->uses ? rule->uses : g->m;
	double least = INFINITY;

	if (forced != FT_PLAN_NOWHERE && p[forced] < INFINITY)
		count = 1;
	else
		forced = FT_PLAN_NOWHERE;
	for (size_t q = 0; q < count; q++) {
		size_t i = forced != FT_PLAN_NOWHERE ? forced : rule->uses ? rule->use[q] : q;
		double extra = rule->bias ? rule->alpha * rule->bias[v * g->m + i] : 0, start;

		if (!(d->ready[i] + p[i] + extra < least))
			continue;
		start = ft__lane_gap(&d->lane[i], d->ready[i], p[i]);
		if (start + p[i] + extra < least) {
			least = start + p[i] + extra;
			best = (struct ft_plan_slot){i, start, start + p[i]};
		}
	}
	return best;
}

static void push_task(struct ft__decoder *d, const struct ft__rule *rule, size_t *n, size_t v)
{
	ft__heap_push(d->heap, (*n)++, (struct ft__key){-rule->key[v], v});
}

/* Reservations are put into the lanes before any task. False: no memory. */
static bool clear_lanes(struct ft__decoder *d, const struct ft__graph *g)
{
	for (size_t i = 0; i < g->m; i++) {
		d->lane[i].n = 0;
		if (g->taken && !lane_copy(&d->lane[i], &g->taken[i]))
			return false;
	}
	return true;
}

static size_t start_decoder(struct ft__decoder *d, const struct ft__graph *g, const struct ft__rule *rule)
{
	size_t waiting = 0;

	for (size_t v = 0; v < g->n; v++) {
		d->left[v] = g->before_from[v + 1] - g->before_from[v];
		if (d->left[v] == 0)
			push_task(d, rule, &waiting, v);
	}
	return waiting;
}

void ft__decode(struct ft__decoder *d, const struct ft__graph *g, const struct ft__rule *rule,
		struct ft__schedule *out)
{
	size_t waiting = start_decoder(d, g, rule), k;

	out->t = 0;
	if (!clear_lanes(d, g)) {
		d->no_memory = true;
		out->t = INFINITY;
		return;
	}
	while (waiting > 0) {
		size_t v = ft__heap_pop(d->heap, waiting--).of;
		struct ft_plan_slot *slot = &out->slot[v];

		if (g->network.latency)
			ready_each(d, g, out->slot, v);
		else
			ready_alike(d, g, out->slot, v);
		*slot = choose_machine(d, g, rule, v);
		if (slot->machine == FT_PLAN_NOWHERE ||
		    !lane_occupy(&d->lane[slot->machine], slot->start_s, slot->end_s)) {
			d->no_memory = d->no_memory || slot->machine != FT_PLAN_NOWHERE;
			out->t = INFINITY;
			return;
		}
		out->t = fmax(out->t, slot->end_s);
		for (k = g->next_from[v]; k < g->next_from[v + 1]; k++)
			if (--d->left[g->next[k].to] == 0)
				push_task(d, rule, &waiting, g->next[k].to);
	}
	/* The machines of each task, its edges, and a constant cost of a task. */
	d->looks += g->n * (g->m + 4) + g->edges;
}
