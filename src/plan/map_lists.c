/* SPDX-License-Identifier: GPL-3.0-or-later */
/* map_lists.c - which tasks a machine has: lists that a move changes in no time. */
#include "base/alloc.h"
#include "plan/map.h"

enum ft_status ft__lists_init(struct ft__lists *out, const struct ft__map *k, struct ft_err *err)
{
	*out = (struct ft__lists){.head = ft_malloc((k->m + 2 * k->n) * sizeof *out->head)};
	if (!out->head)
		return ft_nomem(err);
	out->next = out->head + k->m;
	out->before = out->next + k->n;
	return FT_OK;
}

void ft__lists_clear(struct ft__lists *lists)
{
	ft_free(lists->head);
	*lists = (struct ft__lists){0};
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
