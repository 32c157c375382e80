/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph.c - tasks that wait for others. */
#include "plan/graph.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- neighbours and order ------------------------------------------------------------------------------ */

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

/* Each task without a place waits for one such: back from one of them until one comes again. mark [n] in:
 * left of sort. Returns the length; the cycle forwards. */
static size_t walk_back(size_t n, const size_t *before_from, const struct ft__edge *before, size_t *mark,
			size_t *cycle)
{
	size_t v, k, count = 0, first;

	for (v = 0; v < n && mark[v] == 0; v++)
		;
	for (; mark[v] != SIZE_MAX; v = before[k].to) {
		mark[v] = SIZE_MAX;
		cycle[count++] = v;
		for (k = before_from[v]; mark[before[k].to] == 0; k++)
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
	return count;
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
	if (sort_topologically(n, next_from, next, before_from, order, left) < n)
		*length = walk_back(n, before_from, before, left, cycle);
	return FT_OK;
}

static enum ft_status fail_cycle(const struct ft_plan_edge *edge, size_t edges, size_t n, struct ft_err *err)
{
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
	(void)snprintf(text + used, sizeof text - used, "%s%zu", i < length ? "... -> " : "", cycle[0]);
	return ft_fail(err, FT_EINVAL, "tasks wait for each other in a circle: %s", text);
}

/* ---- what sending costs -------------------------------------------------------------------------------- */

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

static enum ft_status set_work(struct ft__graph *g, struct ft_err *err)
{
	g->whole = true;
	for (size_t j = 0; j < g->n; j++) {
		double sum = 0, least = INFINITY, most = 0;
		size_t count = 0;

		for (size_t i = 0; i < g->m; i++) {
			double p = g->p[j * g->m + i];

			if (!(p >= 0))
				return ft_fail(err, FT_EINVAL, "task %zu takes %g s on machine %zu", j, p, i);
			if (isinf(p))
				continue;
			count++;
			sum += p;
			least = fmin(least, p);
			most = fmax(most, p);
			g->whole = g->whole && p == floor(p);
		}
		g->work[j] = count ? sum / (double)count : (double)INFINITY;
		g->work[g->n + j] = least;
		g->work[2 * g->n + j] = most;
	}
	return FT_OK;
}

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
	FT_TRY(set_work(out, err));
	neighbours(edge, edges, n, true, out->next_from, out->next);
	neighbours(edge, edges, n, false, out->before_from, out->before);
	set_costs(out, out->next);
	set_costs(out, out->before);
	if (sort_topologically(n, out->next_from, out->next, out->before_from, out->order, left) < n)
		return fail_cycle(edge, edges, n, err);
	return FT_OK;
}

enum ft_status ft__graph_reserve(struct ft__graph *g, struct ft_arena *arena,
				 const struct ft_plan_reserved *reserved, size_t n, struct ft_err *err)
{
	for (size_t i = 0; i < n; i++)
		g->whole = g->whole && reserved[i].from_s == floor(reserved[i].from_s) &&
			   reserved[i].to_s == floor(reserved[i].to_s);
	return ft__lanes_reserve(&g->taken, arena, g->m, reserved, n, err);
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
