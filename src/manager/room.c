/* SPDX-License-Identifier: GPL-3.0-or-later */
/* room.c - how many sweeps are alive, and which of them goes where another one is to begin. */
#include "manager/construct_inside.h"

/* Sweeps that are alive, most of which wait: each holds its runs and a model in memory. Others begin again
 * when they are chosen, which takes what the first look at the store does. */
enum { ALIVE_MOST = 8 };

/* Its first run loads what it runs, and counts for nothing: who loses it has to make it again. */
static bool has_counted(const struct ft__problem *p)
{
	return p->heard.runs > 1;
}

/* *last: the one that was at work longest ago. */
static void take_older(struct ft__problem **last, struct ft__problem *p)
{
	if (!*last || p->used < (*last)->used)
		*last = p;
}

/* Where each of so many is at its first run they would displace one another for ever, and none would get any
 * further: they go on instead, but before one that goes before them. */
struct ft__problem *ft__room_choose(struct ft__construct *c, size_t which, struct ft__problem **gives)
{
	struct ft__problem *chosen = &c->problem[which], *counted = NULL, *fresh = NULL, *goes_on = NULL;
	size_t alive = 0;

	*gives = NULL;
	for (size_t i = 0; i < c->n; i++) {
		struct ft__problem *p = &c->problem[i];

		alive += p->child != NULL;
		if (!p->child || !p->ready)
			continue;
		take_older(has_counted(p) ? &counted : &fresh, p);
		if (!has_counted(p) && c->queue[i].may && !(c->queue[i].priority < c->queue[which].priority))
			take_older(&goes_on, p);
	}
	if (chosen->child || alive < ALIVE_MOST)
		return chosen;
	if (!counted && goes_on)
		return goes_on;
	*gives = counted ? counted : fresh;
	return chosen;
}
