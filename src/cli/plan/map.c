/* SPDX-License-Identifier: GPL-3.0-or-later */
/* map.c - `foretime plan map`: independent tasks of a table to machines. */
#include "cli/plan/tasks.h"
#include "foretime/csv.h"
#include "tell/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 200 }; /* of the ids of a machine's tasks, as text */

struct mapping {
	struct cli_tasks tasks;
	size_t *machine; /* [n] */
	double *load_s;  /* [m] */
	struct ft_plan plan;
};

/* ---- the table ------------------------------------------------------------------------------------------
 */

static int hint_table(void)
{
	cli_hint("a row is a task: columns name and its sizes (name,n,m), or a column of seconds for each "
		 "host; "
		 "task names it");
	return CLI_WRONG;
}

/* A cell of a host: seconds; nothing: it does not fit there. */
static int read_time(const struct ft_csv *csv, size_t row, size_t column, struct ft_graph_task *task)
{
	struct ft_err err = {0};
	double time;

	if (ft_csv_number(csv, row, column, true, &time, &err))
		return cli_error(&err);
	if (time < 0)
		return cli_fail("line %zu: a time of %g s on %s", ft_csv_line(csv, row), time,
				ft_csv_column_name(csv, column));
	if (isnan(time))
		return CLI_DONE;
	task->time[task->n_times].host = cli_strdup(ft_csv_column_name(csv, column));
	task->time[task->n_times++].time_s = time;
	return CLI_DONE;
}

static int read_size(const struct ft_csv *csv, size_t row, size_t column, struct ft_graph_task *task)
{
	const char *name = ft_csv_column_name(csv, column);
	struct ft_err err = {0};
	double value;

	if (ft_csv_number(csv, row, column, true, &value, &err))
		return cli_error(&err);
	if (isnan(value))
		return CLI_DONE;
	if (task->n_size == FT_PARAMS_MAX || strlen(name) >= FT_PARAM_LENGTH)
		return cli_fail("'%s' is no parameter, or one too many", name);
	(void)snprintf(task->size[task->n_size].name, FT_PARAM_LENGTH, "%s", name);
	task->size[task->n_size++].value = value;
	return CLI_DONE;
}

static int read_row(const struct ft_csv *csv, size_t row, struct ft_graph_task *task)
{
	int id = ft_csv_column(csv, "task"), name = ft_csv_column(csv, "name");
	size_t i;
	int status = CLI_DONE;

	*task = (struct ft_graph_task){.time_s = NAN};
	task->id = id >= 0 ? cli_strdup(ft_csv_cell(csv, row, (size_t)id)) : cli_printed("%zu", row + 1);
	if (name >= 0)
		task->name = cli_strdup(ft_csv_cell(csv, row, (size_t)name));
	else
		task->time = cli_alloc((ft_csv_columns(csv) + 1) * sizeof *task->time);
	for (i = 0; i < ft_csv_columns(csv) && status == CLI_DONE; i++)
		if ((int)i != id && (int)i != name)
			status = name >= 0 ? read_size(csv, row, i, task) : read_time(csv, row, i, task);
	return status;
}

static int read_table(struct cli_tasks *t, const char *path)
{
	struct ft_csv *csv = NULL;
	struct ft_err err = {0};
	size_t i;
	int status = CLI_DONE;

	if (ft_csv_read(path, 0, &csv, &err))
		return cli_error(&err);
	if (!ft_csv_rows(csv)) {
		(void)cli_fail("'%s' has no task", path);
		status = hint_table();
	}
	t->graph.task = cli_alloc((ft_csv_rows(csv) + 1) * sizeof *t->graph.task);
	for (i = 0; i < ft_csv_rows(csv) && status == CLI_DONE; i++) {
		t->graph.n++;
		status = read_row(csv, i, &t->graph.task[i]);
	}
	ft_csv_free(csv);
	return status;
}

/* ---- the answer -----------------------------------------------------------------------------------------
 */

/* How many tasks a machine has, and the first of them. */
static size_t tasks_on(const struct mapping *q, size_t machine, char first[FIRST])
{
	size_t i, n = 0, length = 0;

	first[0] = '\0';
	for (i = 0; i < q->tasks.graph.n; i++) {
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

static void print_text(const struct mapping *q, const struct ft_told_map *told)
{
	struct cli_table table = {0};
	char time[FT_UNIT_LENGTH], *proof = cli_plan_proof(&q->plan, "s");

	printf("%zu task%s over %zu machine%s: done in %s\n%s\n", told->n, told->n == 1 ? "" : "s", told->m,
	       told->m == 1 ? "" : "s", ft_value_format(q->plan.value, "s", time), proof);
	if (q->tasks.rough)
		printf("a model is rough: planned on the upper bound, which 5 %% of runs exceed\n");
	putchar('\n');
	cli_table_tell(&table, &ft_tell_load, told->machine, told->m, NULL);
	cli_table_print(&table, stdout);
	cli_table_clear(&table);
	free(proof);
}

static void print(const struct mapping *q)
{
	const struct cli_plan *plan = q->tasks.plan;
	size_t n = q->tasks.graph.n, m = q->tasks.m, i;
	struct ft_told_mapped *task = cli_alloc(n * sizeof *task);
	struct ft_told_load *load = cli_alloc(m * sizeof *load);
	const struct ft_told_map told = {.plan = q->plan, .task = task, .machine = load, .n = n, .m = m};
	char(*first)[FIRST] = cli_alloc(m * sizeof *first);

	for (i = 0; i < n; i++)
		task[i] = (struct ft_told_mapped){q->tasks.graph.task[i].id, q->tasks.host[q->machine[i]],
						  q->tasks.time_s[i * m + q->machine[i]]};
	for (i = 0; i < m; i++)
		load[i] = (struct ft_told_load){.machine = q->tasks.host[i],
						.first = first[i],
						.load_s = q->load_s[i],
						.tasks = tasks_on(q, i, first[i])};
	if (plan->json || (plan->format && !strcmp(plan->format, "json")))
		cli_tell(&ft_tell_map, &told, NULL);
	else if (plan->format)
		cli_tell_csv(stdout, &ft_tell_mapped, task, n, NULL, true);
	else
		print_text(q, &told);
	free(first);
	free(load);
	free(task);
}

static int too_late(const struct mapping *q)
{
	char deadline[FT_UNIT_LENGTH], found[FT_UNIT_LENGTH], bound[FT_UNIT_LENGTH];

	ft_value_format(q->tasks.plan->deadline_s, "s", deadline);
	(void)cli_fail("%s is done in %s: the fastest found takes %s, and none less than %s",
		       q->plan.bound > q->tasks.plan->deadline_s ? "no plan" : "no plan that was found",
		       deadline, ft_value_format(q->plan.value, "s", found),
		       ft_value_format(q->plan.bound, "s", bound));
	cli_hint("a later --deadline, more hosts%s",
		 q->plan.bound > q->tasks.plan->deadline_s ? "" : ", or more --effort");
	return CLI_NO;
}

static int answer(struct mapping *q)
{
	struct cli_plan *plan = q->tasks.plan;
	const struct ft_plan_search search = cli_plan_search(plan);
	struct ft_err err = {0};

	q->machine = cli_alloc(q->tasks.graph.n * sizeof *q->machine);
	q->load_s = cli_alloc(q->tasks.m * sizeof *q->load_s);
	if (ft_plan_map(q->tasks.time_s, q->tasks.graph.n, q->tasks.m, &search, q->machine, q->load_s,
			&q->plan, &err))
		return cli_error(&err);
	if (isinf(q->plan.value))
		return cli_tasks_nowhere(&q->tasks, q->machine, sizeof *q->machine);
	if (q->plan.value > plan->deadline_s)
		return too_late(q);
	print(q);
	return CLI_DONE;
}

int cli_plan_map(void *asked)
{
	struct mapping q = {.tasks = {.plan = asked}};
	int status = cli_plan_open(q.tasks.plan);

	if (status == CLI_DONE)
		status = cli_tasks_hosts(&q.tasks);
	if (status == CLI_DONE)
		status = read_table(&q.tasks, q.tasks.plan->word[0]);
	if (status == CLI_DONE)
		status = cli_tasks_times(&q.tasks);
	if (status == CLI_DONE)
		status = answer(&q);
	cli_tasks_clear(&q.tasks);
	free(q.machine);
	free(q.load_s);
	return status;
}
