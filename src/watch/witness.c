/* SPDX-License-Identifier: GPL-3.0-or-later */
/* witness.c - processes by which conditions hold. */
#include "watch/witness.h"
#include "base/alloc.h"
#include "watch/processes.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum ft_status ft__witnesses_init(struct ft__witnesses *set, const struct ft__source *source,
				  struct ft_err *err)
{
	set->condition = source->condition;
	set->n_conditions = source->n_conditions;
	set->most = source->n_conditions * FT__WITNESSES > FT__WITNESSES_ALL ? 1 : FT__WITNESSES;
	set->room = source->n_conditions * set->most;
	set->witness = ft_calloc(set->room, sizeof *set->witness);
	set->found = ft_calloc(set->n_conditions, sizeof *set->found);
	return set->witness && set->found ? FT_OK : ft_nomem(err);
}

static void let_go(struct ft__witness *witness)
{
	if (witness->end >= 0)
		(void)close(witness->end);
}

void ft__witnesses_empty(struct ft__witnesses *set)
{
	for (size_t i = 0; i < set->n; i++)
		let_go(&set->witness[i]);
	for (size_t i = 0; i < set->n_conditions; i++)
		set->found[i] = 0;
	set->n = 0;
}

void ft__witnesses_clear(struct ft__witnesses *set)
{
	for (size_t i = 0; i < set->n; i++)
		let_go(&set->witness[i]);
	ft_free(set->witness);
	ft_free(set->found);
	*set = (struct ft__witnesses){0};
}

bool ft__condition_holds_by(const struct ft_condition *condition, const struct ft_seen_process *process)
{
	struct ft_seen seen = {.processes = process, .n_processes = 1};

	return ft_condition_holds(condition, &seen, NULL);
}

bool ft__witnesses_want(const struct ft__witnesses *set, const struct ft_seen_process *process)
{
	for (size_t i = 0; i < set->n_conditions; i++)
		if (set->found[i] < set->most && ft__condition_holds_by(set->condition[i], process))
			return true;
	return false;
}

static void count_witness(struct ft__witnesses *set, const struct ft_seen_process *process)
{
	for (size_t i = 0; i < set->n_conditions; i++)
		set->found[i] += ft__condition_holds_by(set->condition[i], process);
}

/* The name as conditions have it, of which the kernel may have cut a character into two; NULL: they do not.
 */
static const char *name_in(const struct ft__witnesses *set, const struct ft_seen_process *process)
{
	for (size_t i = 0; i < set->n_conditions; i++) {
		struct ft_condition one = *set->condition[i];

		one.n_names = 1;
		for (size_t k = 0; one.kind == FT_CONDITION_PROCESS && k < set->condition[i]->n_names;
		     k++, one.names++)
			if (ft__condition_holds_by(&one, process))
				return *one.names;
	}
	return NULL;
}

struct ft__witness *ft__witnesses_add(struct ft__witnesses *set, const struct ft_seen_process *process)
{
	struct ft__witness *witness = &set->witness[set->n];

	for (size_t i = 0; i < set->n; i++)
		if (set->witness[i].pid == process->pid)
			return NULL;
	if (set->n == set->room)
		return NULL;
	witness->pid = process->pid;
	witness->end = -1;
	ft__name_show(process->name, witness->shown, sizeof witness->shown);
	witness->name = name_in(set, process);
	(void)snprintf(witness->user, sizeof witness->user, "%s", process->user);
	count_witness(set, process);
	set->n++;
	return witness;
}

static struct ft_seen_process seen_as(const struct ft__witness *witness)
{
	return (struct ft_seen_process){witness->name ? witness->name : witness->shown, witness->user,
					(int)witness->pid};
}

bool ft__witnesses_drop(struct ft__witnesses *set, size_t i)
{
	struct ft_seen_process process = seen_as(&set->witness[i]);
	bool bare = false;

	for (size_t k = 0; k < set->n_conditions; k++)
		if (ft__condition_holds_by(set->condition[k], &process) && !--set->found[k])
			bare = true;
	let_go(&set->witness[i]);
	set->witness[i] = set->witness[--set->n];
	return bare;
}

void ft__witnesses_tell(const struct ft__witnesses *set, struct ft_seen_process *seen, size_t *n)
{
	for (size_t i = 0; i < set->n; i++)
		seen[(*n)++] = seen_as(&set->witness[i]);
}
