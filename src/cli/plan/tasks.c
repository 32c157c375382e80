/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tasks.c - tasks on hosts: what each takes on each, by models or as it is told. */
#include "cli/plan/tasks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the machine of a name told of itself: cores and memory; 0: nothing. */
static void machine_told(const struct cli_plan *plan, const char *name, double has[CLI_NEEDS])
{
	struct ft_machine machine;

	if (!plan->store || ft_store_newest_machine(plan->store, name, &machine, NULL))
		return;
	has[CLI_NEED_CPUS] = machine.cores;
	has[CLI_NEED_MEMORY] = (double)machine.memory_bytes;
	ft_machine_clear(&machine);
}

/* The processors of a host share what it has. */
static void add_processors(struct cli_tasks *t, size_t host)
{
	const struct cli_host *on = &t->plan->host[host];
	const struct cli_resource *r = on->resource;
	const double stated[CLI_NEEDS] = {
		r ? cli_plan_told(r->cores) : 0, r ? cli_plan_told(r->memory_bytes) : 0,
		r && !isnan(r->storage_bytes) ? r->storage_bytes : (double)INFINITY};
	double has[CLI_NEEDS] = {0};

	machine_told(t->plan, on->name, has);
	has[CLI_NEED_STORAGE] = stated[CLI_NEED_STORAGE];
	for (int k = 0; k < CLI_NEED_STORAGE; k++)
		has[k] = stated[k] > 0 ? stated[k] : has[k] > 0 ? has[k] : (double)INFINITY;
	for (size_t j = 0; j < on->count; j++, t->m++) {
		t->of[t->m] = host;
		t->host[t->m] =
			on->count == 1 ? cli_strdup(on->name) : cli_printed("%s/%zu", on->name, j + 1);
		for (int k = 0; k < CLI_NEEDS; k++)
			t->has[t->m * CLI_NEEDS + (size_t)k] = has[k] / (double)on->count;
	}
}

int cli_tasks_hosts(struct cli_tasks *t)
{
	struct cli_plan *plan = t->plan;
	bool models = false, needs = false;

	for (size_t i = 0; i < t->graph.n; i++) {
		const struct ft_graph_task *task = &t->graph.task[i];

		models = models || task->name;
		needs = needs || task->architecture || task->cpus > 0 || task->memory_bytes > 0;
	}
	CLI_TRY(models ? cli_plan_open(plan) : cli_plan_hosts(plan));
	if (!models && needs)
		(void)ft_store_open(&plan->store, plan->store_path, FT_STORE_READ, NULL);
	if (!plan->on)
		return cli_fail(
			"on which machines?\n"
			"hint: write --on a,b for machines by host name; node1:4 for four processors of one");
	for (size_t i = 0; i < plan->n_hosts; i++)
		t->m += plan->host[i].count;
	t->host = cli_alloc(t->m * sizeof *t->host);
	t->of = cli_alloc(t->m * sizeof *t->of);
	t->has = cli_alloc(t->m * CLI_NEEDS * sizeof *t->has);
	t->m = 0;
	for (size_t i = 0; i < plan->n_hosts; i++)
		add_processors(t, i);
	return cli_tasks_reserve(t);
}

char *cli_tasks_over(const struct cli_tasks *t, const char *what)
{
	return cli_printed("%zu %s%s over %zu machine%s", t->graph.n, what, t->graph.n == 1 ? "" : "s", t->m,
			   t->m == 1 ? "" : "s");
}

void cli_tasks_clear(struct cli_tasks *t)
{
	for (size_t i = 0; t->host && i < t->m; i++)
		free(t->host[i]);
	free(t->host);
	free(t->of);
	free(t->time_s);
	free(t->energy_j);
	free(t->reserved);
	free(t->has);
	ft_graph_clear(&t->graph);
	*t = (struct cli_tasks){0};
}

/* ---- times that are told ------------------------------------------------------------------------------ */

static bool has_host(const struct cli_plan *plan, const char *name)
{
	for (size_t i = 0; i < plan->n_hosts; i++)
		if (!strcmp(plan->host[i].name, name))
			return true;
	return false;
}

static int unknown_host(const struct ft_graph_task *task, const char *host)
{
	return cli_fail("task '%s' has a time on '%s', which --on does not name\n"
			"hint: add it to --on, or take it out of the task",
			task->id, host);
}

static int told_time(const struct cli_tasks *t, const struct ft_graph_task *task, size_t host, double *time)
{
	*time = isnan(task->time_s) ? (double)INFINITY : task->time_s;
	for (size_t i = 0; i < task->n_times; i++) {
		if (!has_host(t->plan, task->time[i].host))
			return unknown_host(task, task->time[i].host);
		if (!strcmp(task->time[i].host, t->plan->host[host].name))
			*time = task->time[i].time_s;
	}
	return CLI_DONE;
}

/* ---- times by models ---------------------------------------------------------------------------------- */

int cli_tasks_size(const struct ft_graph_task *task, const struct ft_answerer *answerer, struct ft_size *size)
{
	const char *name[FT_PARAMS_MAX];
	double value[FT_PARAMS_MAX];
	struct ft_err err = {0};

	for (size_t i = 0; i < task->n_size; i++) {
		name[i] = task->size[i].name;
		value[i] = task->size[i].value;
	}
	if (ft_ask_size(answerer, name, value, task->n_size, size, &err) ||
	    ft_ask_admits(answerer, size, &err))
		return cli_error_at(&err, "task '%s'", task->id);
	return CLI_DONE;
}

int cli_tasks_model(struct cli_tasks *t, const struct ft_graph_task *task, size_t host, double *time,
		    enum ft_cost_end *end)
{
	const struct cli_host *on = &t->plan->host[host];
	const struct cli_source *source = cli_plan_source(t->plan, task->name, on->name);
	struct ft_cost_options options = {
		.risk = t->plan->risk, .memory_risk = t->plan->memory_risk, .processors = on->count};
	size_t axis[FT_PARAMS_MAX];
	struct ft_prediction at;
	struct ft_err err = {0};
	struct ft_size size;

	if (!source->answerer)
		return cli_error(&source->err);
	if (cli_tasks_size(task, source->answerer, &size) != CLI_DONE)
		return CLI_WRONG;
	if (on->resource) {
		options.memory_bytes = cli_plan_told(on->resource->memory_bytes);
		options.most = cli_plan_told(on->resource->limit_s);
	}
	(void)ft_ask_axes(source->answerer, axis);
	if (ft_cost_at(source->answerer, &size, axis[0], &options, time, end, &err))
		return cli_error_at(&err, "task '%s' on %s", task->id, on->name);
	if (!(options.risk > 0) && isfinite(*time) &&
	    !ft_ask_predict(source->answerer, &ft_wall_s, &size, 0.9, &at, NULL))
		t->rough = t->rough || at.value != *time;
	return CLI_DONE;
}

/* ---- all of them -------------------------------------------------------------------------------------- */

static bool same_needs(const struct ft_graph_task *a, const struct ft_graph_task *b)
{
	return !a->architecture && !b->architecture && !a->n_hosts && !b->n_hosts && a->cpus == b->cpus &&
	       a->memory_bytes == b->memory_bytes && a->storage_bytes == b->storage_bytes;
}

static bool same_task(const struct ft_graph_task *a, const struct ft_graph_task *b)
{
	if (!a->name || !b->name || strcmp(a->name, b->name) != 0 || a->n_size != b->n_size)
		return false;
	for (size_t i = 0; i < a->n_size; i++)
		if (strcmp(a->size[i].name, b->size[i].name) != 0 || a->size[i].value != b->size[i].value)
			return false;
	return true;
}

/* Tasks by what they ask of models. */
static int compare_tasks(const void *x, const void *y)
{
	const struct ft_graph_task *a = *(const struct ft_graph_task *const *)x,
				   *b = *(const struct ft_graph_task *const *)y;
	int order = !a->name != !b->name ? (!a->name ? -1 : 1) : a->name ? strcmp(a->name, b->name) : 0;

	if (!order)
		order = (a->n_size > b->n_size) - (a->n_size < b->n_size);
	for (size_t i = 0; i < a->n_size && !order; i++) {
		order = strcmp(a->size[i].name, b->size[i].name);
		if (!order)
			order = (a->size[i].value > b->size[i].value) - (a->size[i].value < b->size[i].value);
	}
	return order ? order : (a > b) - (a < b);
}

/* On a processor. */
static int time_on(struct cli_tasks *t, const struct ft_graph_task *task, size_t i, double *time)
{
	size_t host = t->of[i];
	int status = CLI_DONE;

	if (!cli_tasks_suits(t, task, i, NULL))
		*time = INFINITY;
	else
		status = task->name ? cli_tasks_model(t, task, host, time, NULL)
				    : told_time(t, task, host, time);
	return status;
}

/* Once a host, and once for tasks that ask the same. */
static int times_of(struct cli_tasks *t, const struct ft_graph_task *task, const struct ft_graph_task *before)
{
	double *row = t->time_s + (size_t)(task - t->graph.task) * t->m;

	if (before && same_task(task, before) && same_needs(task, before)) {
		memcpy(row, t->time_s + (size_t)(before - t->graph.task) * t->m, t->m * sizeof *row);
		return CLI_DONE;
	}
	for (size_t i = 0; i < t->m; i++)
		if (i && t->of[i] == t->of[i - 1])
			row[i] = row[i - 1];
		else
			CLI_TRY(time_on(t, task, i, &row[i]));
	return CLI_DONE;
}

/* Tables, error lines and scripts have a task on a line. */
static int check_ids(const struct cli_tasks *t)
{
	for (size_t i = 0; i < t->graph.n; i++)
		if (strpbrk(t->graph.task[i].id, "\r\n"))
			return cli_fail("the id of task %zu has several lines\n"
					"hint: an id is one line",
					i + 1);
	return CLI_DONE;
}

int cli_tasks_times(struct cli_tasks *t)
{
	CLI_OWN const struct ft_graph_task **order = cli_alloc(t->graph.n * sizeof *order);

	CLI_TRY(check_ids(t));
	t->time_s = cli_alloc(t->graph.n * t->m * sizeof *t->time_s);
	for (size_t i = 0; i < t->graph.n; i++)
		order[i] = &t->graph.task[i];
	qsort(order, t->graph.n, sizeof *order, compare_tasks);
	for (size_t i = 0; i < t->graph.n; i++)
		CLI_TRY(times_of(t, order[i], i ? order[i - 1] : NULL));
	cli_tasks_note_unknown(t);
	return CLI_DONE;
}
