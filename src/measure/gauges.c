/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gauges.c - inside the helper: the table of gauges. */
#include "measure/gauge.h"

/* In the order in which they are armed, look and are read. */
static const struct ft__gauge *const table[] = {&ft__count_gauge, &ft__delay_gauge, &ft__tree_gauge,
						&ft__io_gauge};

enum { N_GAUGES = sizeof table / sizeof *table };

void ft__gauges_open(struct ft__keeper *keeper)
{
	size_t i;

	for (i = 0; i < N_GAUGES; i++)
		if (table[i]->open)
			table[i]->open(keeper);
}

void ft__gauges_settle(struct ft__keeper *keeper)
{
	size_t i;

	for (i = 0; i < N_GAUGES; i++)
		if (table[i]->settle)
			table[i]->settle(keeper);
}

void ft__gauges_arm(struct ft__keeper *keeper, const struct ft__job *job)
{
	size_t i;

	for (i = 0; i < N_GAUGES; i++)
		if (table[i]->arm)
			table[i]->arm(keeper, job);
}

void ft__gauges_begin(struct ft__keeper *keeper, const struct ft__job *job, pid_t program)
{
	size_t i;

	for (i = 0; i < N_GAUGES; i++)
		if (table[i]->begin)
			table[i]->begin(keeper, job, program);
}

void ft__gauges_look(struct ft__keeper *keeper, struct ft__look *look)
{
	size_t i;

	for (i = 0; i < N_GAUGES; i++)
		if (table[i]->look)
			table[i]->look(keeper, look);
}

void ft__gauges_end(struct ft__keeper *keeper, pid_t pid)
{
	size_t i;

	for (i = 0; i < N_GAUGES; i++)
		if (table[i]->end)
			table[i]->end(keeper, pid);
}

void ft__gauges_read(struct ft__keeper *keeper, struct ft__reply *reply)
{
	size_t i;

	for (i = 0; i < N_GAUGES; i++)
		if (table[i]->read)
			table[i]->read(keeper, reply);
}
