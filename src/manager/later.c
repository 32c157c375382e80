/* SPDX-License-Identifier: GPL-3.0-or-later */
/* later.c - requests that wait: for a snapshot, or for an answer that takes the worker a while. */
#include "base/alloc.h"
#include "manager/routes.h"

#include <string.h>

struct ft_http_answer *ft__routes_wait(struct ft_manager *manager, struct ft_http_ask *ask,
				       ft__routes_again_by *again)
{
	struct ft__waiting *more =
		ft_grow(manager->waiting, manager->n_waiting, &manager->waiting_capacity, sizeof *more);

	if (!more)
		return NULL;
	manager->waiting = more;
	more[manager->n_waiting++] = (struct ft__waiting){ask, again};
	ft_http_put_off(ask);
	return NULL;
}

/* Whether it was put off by this: who waits again, or is answered by the worker now, is given nothing yet. */
static bool is_put_off(const struct ft_manager *manager, const struct ft_http_ask *ask, size_t before)
{
	return manager->n_waiting > before || (manager->later && manager->later->ask == ask);
}

void ft__routes_again(struct ft_manager *manager)
{
	struct ft__waiting *waiting = manager->waiting;
	size_t n = manager->n_waiting;

	/* Some may have to wait again: they stand in a new list. */
	manager->waiting = NULL;
	manager->n_waiting = manager->waiting_capacity = 0;
	for (size_t i = 0; i < n; i++) {
		size_t before = manager->n_waiting;
		struct ft_http_answer *answer = waiting[i].answer(manager, waiting[i].ask);

		if (!is_put_off(manager, waiting[i].ask, before))
			ft_http_give(waiting[i].ask, answer);
	}
	ft_free(waiting);
}

bool ft__later_find(struct ft_manager *manager, struct ft_http_ask *ask, struct ft_http_answer **out,
		    ft__routes_again_by *again)
{
	const struct ft__later *later = manager->later;

	*out = ft__cache_get(manager->cache, manager->snapshots, ask->target);
	if (*out)
		return true;
	while (later && strcmp(later->ask->target, ask->target) != 0)
		later = later->next;
	if (later)
		(void)ft__routes_wait(manager, ask, again);
	return later;
}

void ft__later_begin(struct ft__later *later, struct ft_manager *manager, struct ft_http_ask *ask,
		     const struct ft__snapshot *snapshot)
{
	later->manager = manager;
	later->ask = ask;
	later->snapshot = snapshot;
	later->next = manager->later;
	manager->later = later;
	if (snapshot)
		ft__snapshot_keep(snapshot);
	ft_http_put_off(ask);
	ft__worker_post(manager->worker, &later->task);
}

void ft__later_give(struct ft__later *later, struct ft_http_answer *answer, int64_t until_ns)
{
	struct ft_manager *manager = later->manager;
	struct ft__later **place = &manager->later;

	while (*place != later)
		place = &(*place)->next;
	*place = later->next;
	if (answer && until_ns && later->snapshot)
		ft__cache_put(manager->cache, later->ask->target, later->snapshot, until_ns, answer);
	ft_http_give(later->ask, answer);
	if (later->snapshot)
		ft__snapshot_free(later->snapshot);
	if (manager->n_waiting)
		ft__routes_again(manager);
}
