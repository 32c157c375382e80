/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decode.c - list scheduling with insertion. */
#include "plan/decode.h"

#include <math.h>
#include <string.h>

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

/* Where links are alike: the latest arrival over the network, and the latest from another machine than that
 * one, say all; what was made on a machine itself is there when it ends. */
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

/* What is reserved stands in the lanes before any task. False: no memory. */
static bool clear_lanes(struct ft__decoder *d, const struct ft__graph *g)
{
	for (size_t i = 0; i < g->m; i++) {
		d->lane[i].n = 0;
		if (g->taken && !ft__lane_copy(&d->lane[i], &g->taken[i]))
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
		    !ft__lane_occupy(&d->lane[slot->machine], slot->start_s, slot->end_s)) {
			d->no_memory = d->no_memory || slot->machine != FT_PLAN_NOWHERE;
			out->t = INFINITY;
			return;
		}
		out->t = fmax(out->t, slot->end_s);
		for (k = g->next_from[v]; k < g->next_from[v + 1]; k++)
			if (--d->left[g->next[k].to] == 0)
				push_task(d, rule, &waiting, g->next[k].to);
	}
	/* The machines of each task, its edges, and what a task costs beside them. */
	d->looks += g->n * (g->m + 4) + g->edges;
}
