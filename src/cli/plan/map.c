/* SPDX-License-Identifier: GPL-3.0-or-later */
/* map.c - `foretime plan map`: maps the independent tasks of a table to machines. */
#include "cli/cli.h"
#include "cli/plan/plan.h"
#include "foretime/plot.h"
#include "tell/answers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Draw the schedule of tasks as a bar chart.
 */

/* Reservations are drawn below the tasks. */
static size_t fill_bars(const struct cli_tasks *t, const struct ft_plan_slot *slot, const size_t *order,
			struct ft_bar *bar)
{
	size_t n = 0;
	double end = 0;

	for (size_t i = 0; i < t->graph.n; i++)
		end = slot[i].end_s > end ? slot[i].end_s : end;
	for (size_t i = 0; i < t->n_reserved; i++) {
		const struct ft_plan_reserved *r = &t->reserved[i];

		if (r->from_s < end)
			bar[n++] = (struct ft_bar){NULL, r->machine, r->from_s, r->to_s < end ? r->to_s : end,
						   0};
	}
	for (size_t i = 0; i < t->graph.n; i++) {
		const struct ft_plan_slot *s = &slot[order ? order[i] : i];

		bar[n++] = (struct ft_bar){t->graph.task[s - slot].id, s->machine, s->start_s, s->end_s, i};
	}
	return n;
}

int cli_tasks_draw(const struct cli_tasks *t, const struct ft_plan_slot *slot, const size_t *order,
		   const char *title, const char *path)
{
	CLI_OWN struct ft_bar *bar = cli_alloc((t->graph.n + t->n_reserved) * sizeof *bar);
	const struct ft_gantt gantt = {.row = (const char *const *)t->host,
				       .rows = t->m,
				       .bar = bar,
				       .bars = fill_bars(t, slot, order, bar),
				       .rest_title = "reserved"};
	struct ft_err err = {0};
	char *text = NULL;
	enum ft_status status = ft_plot_gantt(title, &gantt, path, path ? 0 : (int)cli_terminal_width(stdout),
					      t->plan->dark, path ? NULL : &text, &err);

	return cli_plan_drawn(status, text, &err);
}

/*
 * Times of tasks on hosts, by models or as given.
 */

/* What a machine reported of itself: cores and memory; 0: nothing. */
static void machine_answer(const struct cli_plan *plan, const char *name, double has[CLI_NEEDS])
{
	struct ft_machine machine;

	if (!plan->store || ft_store_newest_machine(plan->store, name, &machine, NULL))
		return;
	has[CLI_NEED_CPUS] = machine.cores;
	has[CLI_NEED_MEMORY] = (double)machine.memory_bytes;
	ft_machine_clear(&machine);
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
	if (!models && needs && !plan->agent.n)
		(void)ft_store_open(&plan->store, plan->store_path, FT_STORE_READ, NULL);
	if (!plan->on && !plan->agent.n)
		return cli_fail(
			"on which machines?\n"
			"hint: write --on a,b for machines by host name; node1:4 for four processors of one");
	for (size_t i = 0; i < plan->n_hosts; i++)
		t->m += plan->host[i].count;
	t->host = cli_alloc(t->m * sizeof *t->host);
	t->of = cli_alloc(t->m * sizeof *t->of);
	t->has = cli_alloc(t->m * CLI_NEEDS * sizeof *t->has);
	t->m = 0;
	for (size_t i = 0; i < plan->n_hosts; i++) {
		/* The processors of a host share what it has. */
		const struct cli_host *on = &t->plan->host[i];
		const struct cli_resource *r = on->resource;
		const double stated[CLI_NEEDS] = {
			r ? cli_plan_answer(r->cores) : 0, r ? cli_plan_answer(r->memory_bytes) : 0,
			r && !isnan(r->storage_bytes) ? r->storage_bytes : (double)INFINITY};
		double has[CLI_NEEDS] = {0};

		machine_answer(t->plan, on->name, has);
		has[CLI_NEED_STORAGE] = stated[CLI_NEED_STORAGE];
		for (int k = 0; k < CLI_NEED_STORAGE; k++)
			has[k] = stated[k] > 0 ? stated[k] : has[k] > 0 ? has[k] : (double)INFINITY;
		for (size_t j = 0; j < on->count; j++, t->m++) {
			t->of[t->m] = i;
			t->host[t->m] = on->count == 1 ? cli_strdup(on->name)
						       : cli_printed("%s/%zu", on->name, j + 1);
			for (int k = 0; k < CLI_NEEDS; k++)
				t->has[t->m * CLI_NEEDS + (size_t)k] = has[k] / (double)on->count;
		}
	}
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
	free(t->reserved);
	free(t->has);
	ft_graph_clear(&t->graph);
	*t = (struct cli_tasks){0};
}

/* ---- given times ------------------------------------------------------------------------------ */

static bool has_host(const struct cli_plan *plan, const char *name)
{
	for (size_t i = 0; i < plan->n_hosts; i++)
		if (!strcmp(plan->host[i].name, name))
			return true;
	return false;
}

static int answer_time(const struct cli_tasks *t, const struct ft_graph_task *task, size_t host, double *time)
{
	*time = isnan(task->time_s) ? (double)INFINITY : task->time_s;
	for (size_t i = 0; i < task->n_times; i++) {
		if (!has_host(t->plan, task->time[i].host))
			return cli_fail("task '%s' has a time on '%s', which --on does not name\n"
					"hint: add it to --on, or take it out of the task",
					task->id, task->time[i].host);
		if (!strcmp(task->time[i].host, t->plan->host[host].name))
			*time = task->time[i].time_s;
	}
	return CLI_DONE;
}

/* ---- times by models ---------------------------------------------------------------------------------- */

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

/* Order tasks by their queries to models. */
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

/* Once a host, and once for tasks that ask the same. */
static int times_of(struct cli_tasks *t, const struct ft_graph_task *task, const struct ft_graph_task *before)
{
	double *row = t->time_s + (size_t)(task - t->graph.task) * t->m;

	if (before && same_task(task, before) && same_needs(task, before)) {
		memcpy(row, t->time_s + (size_t)(before - t->graph.task) * t->m, t->m * sizeof *row);
		return CLI_DONE;
	}
	if (task->name && t->plan->agent.n)
		return cli_tasks_asked(t, task, row);
	for (size_t i = 0; i < t->m; i++)
		if (i && t->of[i] == t->of[i - 1]) {
			row[i] = row[i - 1];
		} else {
			/* On a processor. */
			if (!cli_tasks_suits(t, task, i, NULL))
				row[i] = INFINITY;
			else
				CLI_TRY(task->name ? cli_tasks_model(t, task, t->of[i], &row[i], NULL)
						   : answer_time(t, task, t->of[i], &row[i]));
		}
	return CLI_DONE;
}

int cli_tasks_times(struct cli_tasks *t)
{
	CLI_OWN const struct ft_graph_task **order = cli_alloc(t->graph.n * sizeof *order);

	/* Tables, error lines and scripts have a task on a line. */
	for (size_t i = 0; i < t->graph.n; i++)
		if (strpbrk(t->graph.task[i].id, "\r\n"))
			return cli_fail("the id of task %zu has several lines\n"
					"hint: an id is one line",
					i + 1);
	t->time_s = cli_alloc(t->graph.n * t->m * sizeof *t->time_s);
	for (size_t i = 0; i < t->graph.n; i++)
		order[i] = &t->graph.task[i];
	qsort(order, t->graph.n, sizeof *order, compare_tasks);
	for (size_t i = 0; i < t->graph.n; i++)
		CLI_TRY(times_of(t, order[i], i ? order[i - 1] : NULL));
	cli_tasks_note_unknown(t);
	return CLI_DONE;
}

/*
 * `foretime plan map`: maps the independent tasks of a table to machines.
 */

enum { FIRST = 200 }; /* of the ids of a machine's tasks, as text */

struct mapping {
	struct cli_tasks tasks;
	size_t *machine;           /* [n] */
	struct ft_plan_slot *slot; /* [n] when, between what is reserved; NULL: one after the other */
	double *load_s;            /* [m] */
	struct ft_plan plan;
};

/* ---- the answer --------------------------------------------------------------------------------------- */

/* How many tasks a machine has, and the first of them. */
static size_t tasks_on(const struct mapping *q, size_t machine, char first[FIRST])
{
	size_t n = 0, length = 0;

	first[0] = '\0';
	for (size_t i = 0; i < q->tasks.graph.n; i++) {
		const char *id = q->tasks.graph.task[i].id;

		if (q->machine[i] != machine)
			continue;
		if (n++ < 8 && length + strlen(id) + 6 < FIRST)
			length += (size_t)snprintf(first + length, FIRST - length, "%s%s", length ? " " : "",
						   id);
		else if (length && first[length - 1] != '.')
			length += (size_t)snprintf(first + length, FIRST - length, " ...");
	}
	return n;
}

static void tell_tasks(const struct mapping *q, struct ft_answer_mapped *task, struct ft_answer_load *load,
		       char (*first)[FIRST])
{
	const struct cli_tasks *t = &q->tasks;

	for (size_t i = 0; i < t->m; i++)
		load[i] = (struct ft_answer_load){.machine = t->host[i],
						  .first = first[i],
						  .load_s = q->load_s[i],
						  .tasks = tasks_on(q, i, first[i])};
	for (size_t i = 0; i < t->graph.n; i++)
		task[i] = (struct ft_answer_mapped){t->graph.task[i].id, t->host[q->machine[i]],
						    t->time_s[i * t->m + q->machine[i]]};
}

static int too_late(const struct mapping *q)
{
	char deadline[FT_UNIT_LENGTH], found[FT_UNIT_LENGTH], bound[FT_UNIT_LENGTH];

	ft_value_format(q->tasks.plan->deadline_s, "s", deadline);
	if (q->plan.exact) {
		(void)cli_fail("no plan is done in %s: the fastest takes %s\n"
			       "hint: a later --deadline, more hosts",
			       deadline, ft_value_format(q->plan.value, "s", found));
		return CLI_NO;
	}
	(void)cli_fail("%s is done in %s: the fastest found takes %s, and none less than %s\n"
		       "hint: a later --deadline, more hosts%s",
		       q->plan.bound > q->tasks.plan->deadline_s ? "no plan" : "no plan that was found",
		       deadline, ft_value_format(q->plan.value, "s", found),
		       ft_value_format(q->plan.bound, "s", bound),
		       q->plan.bound > q->tasks.plan->deadline_s ? "" : ", or more --effort");
	return CLI_NO;
}

/* ---- as early as possible ----------------------------------------------------------------------------- */

/* Between what is reserved: a graph without edges. */
static enum ft_status map_with_reserved(struct mapping *q, const struct ft_plan_search *search,
					struct ft_err *err)
{
	struct cli_tasks *t = &q->tasks;
	struct ft_plan_slot *slot = q->slot = cli_alloc(t->graph.n * sizeof *slot);
	enum ft_status status = ft_plan_schedule(t->time_s, t->graph.n, t->m, NULL, 0, NULL, t->reserved,
						 t->n_reserved, search, slot, NULL, &q->plan, err);

	for (size_t i = 0; i < t->graph.n && !status; i++) {
		q->machine[i] = slot[i].machine;
		if (isfinite(q->plan.value))
			q->load_s[slot[i].machine] = fmax(q->load_s[slot[i].machine], slot[i].end_s);
	}
	return status;
}

static int map_fastest(struct mapping *q)
{
	struct cli_tasks *t = &q->tasks;
	const struct ft_plan_search search = cli_plan_search(t->plan);
	struct ft_err err = {0};

	if (t->n_reserved ? map_with_reserved(q, &search, &err)
			  : ft_plan_map(t->time_s, t->graph.n, t->m, &search, q->machine, q->load_s, &q->plan,
					&err))
		return cli_error(&err);
	if (isinf(q->plan.value))
		return cli_tasks_nowhere(t, q->machine, sizeof *q->machine);
	return q->plan.value > t->plan->deadline_s ? too_late(q) : CLI_DONE;
}

static int draw_mapping(struct mapping *q)
{
	const struct cli_tasks *t = &q->tasks;
	char time[FT_UNIT_LENGTH], *title, *over = cli_tasks_over(t, "task");

	if (!q->slot) {
		/* One after the other in the order of the table, behind what a machine is taken for at first. */
		double *until = cli_alloc(t->m * sizeof *until);

		q->slot = cli_alloc(t->graph.n * sizeof *q->slot);
		for (size_t i = 0; i < t->n_reserved; i++)
			until[t->reserved[i].machine] =
				fmax(until[t->reserved[i].machine], t->reserved[i].to_s);
		for (size_t i = 0; i < t->graph.n; i++) {
			double *end = &until[q->machine[i]];

			q->slot[i] = (struct ft_plan_slot){q->machine[i], *end,
							   *end + t->time_s[i * t->m + q->machine[i]]};
			*end = q->slot[i].end_s;
		}
		free(until);
	}
	title = cli_printed("%s: done in %s", over, ft_value_format(q->plan.value, "s", time));
	int status = cli_tasks_draw(t, q->slot, NULL, cli_plan_picture(t->plan) ? title : NULL,
				    cli_plan_picture(t->plan));
	free(title);
	free(over);
	return status;
}

static void clear_mapping(struct mapping *q)
{
	cli_tasks_clear(&q->tasks);
	free(q->machine);
	free(q->slot);
	free(q->load_s);
}

int cli_plan_map(void *query)
{
	FT_CLEANUP(clear_mapping) struct mapping q = {.tasks = {.plan = query}};
	struct ft_err err = {0};

	if (ft_graph_read_table(&q.tasks.graph, q.tasks.plan->word[0], &err))
		return cli_error(&err);
	CLI_TRY(cli_tasks_hosts(&q.tasks));
	CLI_TRY(cli_tasks_times(&q.tasks));

	q.machine = cli_alloc(q.tasks.graph.n * sizeof *q.machine);
	q.load_s = cli_alloc(q.tasks.m * sizeof *q.load_s);
	CLI_TRY(map_fastest(&q));
	if (q.tasks.plan->plot)
		CLI_TRY(draw_mapping(&q));
	const struct cli_plan *plan = q.tasks.plan;
	size_t n = q.tasks.graph.n, m = q.tasks.m;
	CLI_OWN struct ft_answer_mapped *task = cli_alloc(n * sizeof *task);
	CLI_OWN struct ft_answer_load *load = cli_alloc(m * sizeof *load);
	const struct ft_answer_map answer = {.time_s = q.plan.value,
					     .seconds = &q.plan,
					     .task = task,
					     .machine = load,
					     .n = n,
					     .m = m,
					     .unanswered = plan->agent.unanswered,
					     .n_unanswered = plan->agent.n_unanswered};
	char(*first)[FIRST] = cli_alloc(m * sizeof *first);

	tell_tasks(&q, task, load, first);
	if (plan->json)
		cli_tell(&ft_tell_map, &answer, NULL);
	else if (plan->format)
		cli_tell_csv(stdout, &ft_tell_mapped, task, n, NULL, true);
	else {
		char time[FT_UNIT_LENGTH];
		CLI_OWN char *over = cli_tasks_over(&q.tasks, "task"),
			     *proof = cli_plan_proof(answer.seconds, "s");

		printf("%s: done in %s\n%s\n", over, ft_value_format(answer.time_s, "s", time), proof);
		if (q.tasks.rough)
			printf("a model is rough: planned with the upper end, which 5 %% of runs exceed\n");
		putchar('\n');
		cli_tell_table(&ft_tell_load, answer.machine, answer.m, NULL);
	}
	free(first);
	return CLI_DONE;
}
