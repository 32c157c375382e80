/* SPDX-License-Identifier: GPL-3.0-or-later */
/* needs.c - what tasks need of processors: rights, architecture, cpus, memory, storage; and what is not met.
 */
#include "cli/plan/tasks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of so many tasks, on so many hosts, is told why. */
enum { TASKS_TOLD = 5, HOSTS_TOLD = 5 };

static const struct {
	const char *name, *unit;
	size_t offset;
} needs[CLI_NEEDS] = {
	[CLI_NEED_CPUS] = {"cpus", "", offsetof(struct ft_graph_task, cpus)},
	[CLI_NEED_MEMORY] = {"memory", "bytes", offsetof(struct ft_graph_task, memory_bytes)},
	[CLI_NEED_STORAGE] = {"storage", "bytes", offsetof(struct ft_graph_task, storage_bytes)},
};

double cli_tasks_need(const struct ft_graph_task *task, enum cli_need need)
{
	return *(const double *)((const char *)task + needs[need].offset);
}

static bool may_run(const struct ft_graph_task *task, const char *host)
{
	for (size_t i = 0; i < task->n_hosts; i++)
		if (!strcmp(task->host[i], host))
			return true;
	return !task->n_hosts;
}

/* The architecture of a host, but `not` (NULL: whatever it is): heap; NULL where there is none, or it is not
 * known. */
static char *architecture_of(const struct cli_tasks *t, const char *host, const char * not )
{
	struct ft_machine machine = {0};
	char *other = NULL;
	int64_t id = 0;

	while (t->plan->store && !ft_store_next_machine(t->plan->store, id, &machine, NULL)) {
		if (ft_machine_is_called(&machine, host) && machine.architecture && !other &&
		    !(not &&!strcmp(machine.architecture, not )))
			other = cli_strdup(machine.architecture);
		id = machine.id;
		ft_machine_clear(&machine);
	}
	return other;
}

static char *too_little(const char *name, const char *unit, double needed, double has)
{
	char text[2][FT_UNIT_LENGTH];

	return cli_printed("%s of %s, and there are %s", name, ft_value_format(needed, unit, text[0]),
			   ft_value_format(has, unit, text[1]));
}

static bool keep_why(char **why, char *text)
{
	if (why)
		*why = text;
	else
		free(text);
	return false;
}

bool cli_tasks_suits(const struct cli_tasks *t, const struct ft_graph_task *task, size_t i, char **why)
{
	const char *host = t->plan->host[t->of[i]].name;

	if (!may_run(task, host))
		return keep_why(why, cli_strdup("no right to run there"));
	char *other = task->architecture ? architecture_of(t, host, task->architecture) : NULL;
	if (other) {
		char *text = cli_printed("architecture %s, and it is %s", task->architecture, other);

		free(other);
		return keep_why(why, text);
	}
	for (int k = 0; k < CLI_NEEDS; k++) {
		double needed = cli_tasks_need(task, (enum cli_need)k),
		       has = t->has[i * CLI_NEEDS + (size_t)k];

		if (needed > has)
			return keep_why(why,
					why ? too_little(needs[k].name, needs[k].unit, needed, has) : NULL);
	}
	return true;
}

/* ---- what is not known -------------------------------------------------------------------------------- */

static void note_host(const struct cli_tasks *t, size_t i)
{
	const char *host = t->plan->host[t->of[i]].name;
	bool needed[CLI_NEEDS] = {false}, wanted = false;
	CLI_OWN char *architecture = architecture_of(t, host, NULL);

	for (size_t j = 0; j < t->graph.n; j++) {
		wanted = wanted || t->graph.task[j].architecture;
		for (int k = 0; k < CLI_NEEDS; k++)
			needed[k] = needed[k] || cli_tasks_need(&t->graph.task[j], (enum cli_need)k) > 0;
	}
	for (int k = 0; k < CLI_NEEDS; k++)
		if (needed[k] && isinf(t->has[i * CLI_NEEDS + (size_t)k]))
			cli_note("what %s has of %s is not known: it is taken to be enough", host,
				 needs[k].name);
	if (wanted && !architecture)
		cli_note("the architecture of %s is not known: it is taken to be the right one", host);
}

/* The first host of a task's rights that no --on names; NULL: none. */
static const char *absent_host(const struct cli_tasks *t, const struct ft_graph_task *task)
{
	size_t j;

	for (size_t i = 0; i < task->n_hosts; i++) {
		for (j = 0; j < t->plan->n_hosts && strcmp(t->plan->host[j].name, task->host[i]) != 0;)
			j++;
		if (j == t->plan->n_hosts)
			return task->host[i];
	}
	return NULL;
}

void cli_tasks_note_unknown(const struct cli_tasks *t)
{
	size_t told = 0;

	for (size_t i = 0; i < t->m; i++)
		if ((!i || t->of[i] != t->of[i - 1]) && told++ < HOSTS_TOLD)
			note_host(t, i);
	for (size_t i = told = 0; i < t->graph.n && told < TASKS_TOLD; i++) {
		const char *host = absent_host(t, &t->graph.task[i]);

		if (host && ++told)
			cli_note("task '%s' has the right to run on '%s', which --on does not name",
				 t->graph.task[i].id, host);
	}
}

/* ---- what is not met ---------------------------------------------------------------------------------- */

static char *why_not(struct cli_tasks *t, const struct ft_graph_task *task, size_t i)
{
	enum ft_cost_end end = FT_COST_NONE;
	double time;
	char *why;

	if (!cli_tasks_suits(t, task, i, &why))
		return why;
	if (!task->name)
		return cli_strdup("no time is given");
	(void)cli_tasks_model(t, task, t->of[i], &time, &end);
	return cli_strdup(ft_cost_end_text(end));
}

static void say_why(struct cli_tasks *t, const struct ft_graph_task *task)
{
	size_t told = 0;

	for (size_t i = 0; i < t->m && told < HOSTS_TOLD; i++) {
		if (i && t->of[i] == t->of[i - 1])
			continue;
		char *why = why_not(t, task, i);
		cli_hint("%s on %s: %s", task->id, t->plan->host[t->of[i]].name, why);
		free(why);
		told++;
	}
}

/* Each fits somewhere, and all of them do not: what they need in all, beside what there is in all. */
static void say_together(const struct cli_tasks *t)
{
	(void)cli_fail("there is no plan: no machines have what the tasks need together");
	for (int k = 0; k < CLI_NEEDS; k++) {
		double needed = 0, has = 0;
		char text[2][FT_UNIT_LENGTH];

		for (size_t i = 0; i < t->graph.n; i++)
			needed += cli_tasks_need(&t->graph.task[i], (enum cli_need)k);
		for (size_t i = 0; i < t->m; i++)
			has += t->has[i * CLI_NEEDS + (size_t)k];
		if (needed > 0 && isfinite(has))
			cli_hint("%s: %s needed, %s there", needs[k].name,
				 ft_value_format(needed, needs[k].unit, text[0]),
				 ft_value_format(has, needs[k].unit, text[1]));
	}
}

int cli_tasks_nowhere(struct cli_tasks *t, const size_t *machine, size_t stride)
{
	size_t n = 0;

	for (size_t i = 0; i < t->graph.n; i++) {
		if (*(const size_t *)(const void *)((const char *)machine + i * stride) != FT_PLAN_NOWHERE ||
		    n++ >= TASKS_TOLD)
			continue;
		(void)cli_fail("task '%s' fits none of the machines", t->graph.task[i].id);
		say_why(t, &t->graph.task[i]);
	}
	if (n > TASKS_TOLD)
		(void)cli_fail("and so do %zu tasks more", n - TASKS_TOLD);
	if (!n)
		say_together(t);
	cli_hint("more hosts, or what they have in --resources FILE.csv");
	return CLI_NO;
}
