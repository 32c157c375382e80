/* SPDX-License-Identifier: GPL-3.0-or-later */
/* map_lists.c - which tasks a machine has: lists that a move changes in no time. */
#include "plan/map.h"

struct ft__lists ft__lists_make(struct ft_arena *arena, const struct ft__map *k)
{
	return (struct ft__lists){.head = ft_arena_take(arena, k->m, sizeof(size_t)),
				  .next = ft_arena_take(arena, k->n, sizeof(size_t)),
				  .before = ft_arena_take(arena, k->n, sizeof(size_t))};
}

static void link_task(struct ft__lists *lists, size_t j, size_t i)
{
	lists->before[j] = FT_PLAN_NOWHERE;
	lists->next[j] = lists->head[i];
	if (lists->head[i] != FT_PLAN_NOWHERE)
		lists->before[lists->head[i]] = j;
	lists->head[i] = j;
}

void ft__lists_fill(struct ft__lists *lists, const struct ft__map *k, const struct ft__mapping *m)
{
	for (size_t i = 0; i < k->m; i++)
		lists->head[i] = FT_PLAN_NOWHERE;
	for (size_t j = k->n; j-- > 0;)
		link_task(lists, j, m->on[j]);
}

void ft__lists_move(struct ft__lists *lists, const struct ft__map *k, struct ft__mapping *m, size_t task,
		    size_t to)
{
	size_t from = m->on[task];

	if (lists->before[task] == FT_PLAN_NOWHERE)
		lists->head[from] = lists->next[task];
	else
		lists->next[lists->before[task]] = lists->next[task];
	if (lists->next[task] != FT_PLAN_NOWHERE)
		lists->before[lists->next[task]] = lists->before[task];
	link_task(lists, task, to);
	m->load[from] -= k->p[task * k->m + from];
	m->load[to] += k->p[task * k->m + to];
	m->on[task] = to;
}
