/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slots.c - a schedule read again: in which order its tasks run, and what that makes each wait for. */
#include "base/arena.h"
#include "foretime/plan.h"

#include <stdlib.h>
#include <string.h>

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
