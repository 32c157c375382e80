/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedule_say.c - a schedule as a chart and a table, as CSV, JSON, DOT, a script for Slurm, a
 * file of StarPU. */
#include "cli/plan/schedule.h"
#include "foretime/carry.h"
#include "foretime/measure.h"
#include "tell/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 60 };

static size_t *order_tasks(const struct cli_schedule *q)
{
	size_t n = q->tasks.graph.n, *order = cli_alloc(n * sizeof *order);

	if (ft_plan_order(q->slot, n, order, NULL))
		(void)cli_given(NULL);
	return order;
}

/* Slots by start, of so many tasks: each with the letter of its bar. */
static void print_table(const struct cli_schedule *q, const struct ft_told_slot *slot, const size_t *order)
{
	size_t n = q->tasks.graph.n < ROWS_MOST ? q->tasks.graph.n : ROWS_MOST;
	CLI_OWN struct ft_told_slot *line = cli_alloc(n * sizeof *line);

	for (size_t i = 0; i < n; i++) {
		line[i] = slot[order[i]];
		line[i].letter[0] = (char)('a' + i % 26);
	}
	cli_tell_table(q->topology ? &ft_tell_module : &ft_tell_slot, line, n, NULL);
	if (n < q->tasks.graph.n)
		printf("and %zu more: --format csv prints all\n", q->tasks.graph.n - n);
}

static const char *way_of(const char *mode)
{
	if (!strcmp(mode, "sequential"))
		return "one after the other in";
	return !strcmp(mode, "hybrid") ? "stage after stage in" : "the busiest takes";
}

static void print_head(const struct cli_schedule *q)
{
	char *proof = cli_plan_proof(&q->plan, "s"), text[3][FT_UNIT_LENGTH];
	CLI_OWN char *over = cli_tasks_over(&q->tasks, q->topology ? "module" : "task");

	if (q->topology)
		printf("%s: %s %s\n%s\n", over, way_of(q->tasks.plan->mode),
		       ft_value_format(q->plan.value, "s", text[0]), proof);
	else
		printf("%s: done in %s (HEFT: %s)\n%s\n", over, ft_value_format(q->plan.value, "s", text[0]),
		       ft_value_format(q->heft, "s", text[1]), proof);
	if (q->topology)
		printf("T_s %s, T_c as printed %s, per machine %s\n",
		       ft_value_format(q->costs.sequential_s, "s", text[0]),
		       ft_value_format(q->costs.printed_s, "s", text[1]),
		       ft_value_format(q->costs.concurrent_s, "s", text[2]));
	if (q->topology && (q->weight[0] != 1 || q->weight[1] != 1))
		printf("weighted: computing counts %g times, sending %g times\n", q->weight[0], q->weight[1]);
	if (q->tasks.rough)
		printf("a model is rough: planned with the upper end, which 5 %% of runs exceed\n");
	putchar('\n');
	free(proof);
}

static int print_text(const struct cli_schedule *q, const struct ft_told_slot *slot)
{
	CLI_OWN size_t *order = order_tasks(q);
	int status = CLI_DONE;

	print_head(q);
	if (!q->topology)
		status = cli_tasks_draw(&q->tasks, q->slot, order, NULL, NULL);
	print_table(q, slot, order);
	return status;
}

static struct ft_told_slot *tell_slots(const struct cli_schedule *q)
{
	size_t n = q->tasks.graph.n;
	struct ft_told_slot *slot = cli_alloc(n * sizeof *slot);
	bool hybrid = !strcmp(q->tasks.plan->mode, "hybrid");

	for (size_t i = 0; i < n; i++)
		slot[i] = (struct ft_told_slot){.task = q->tasks.graph.task[i].id,
						.machine = q->tasks.host[q->slot[i].machine],
						.start_s = q->slot[i].start_s,
						.end_s = q->slot[i].end_s,
						.stage = hybrid ? q->tasks.graph.task[i].stage : (double)NAN};
	return slot;
}

static void print_json(const struct cli_schedule *q, const struct ft_told_slot *slot)
{
	const struct ft_told_schedule told = {.mode = q->tasks.plan->mode,
					      .plan = q->plan,
					      .heft_s = q->heft,
					      .costs = q->topology ? &q->costs : NULL,
					      .slot = slot,
					      .n = q->tasks.graph.n};

	cli_tell(&ft_tell_schedule, &told, NULL);
}

static int print_dot(const struct cli_schedule *q)
{
	struct ft_err err = {0};
	char *text;

	if (ft_graph_dot(&q->tasks.graph, q->slot, (const char *const *)q->tasks.host, &text, &err))
		return cli_error(&err);
	fputs(text, stdout);
	free(text);
	return CLI_DONE;
}

/* ---- Slurm -------------------------------------------------------------------------------------------- */

/* The command of a task at its size, on its machine. */
static int command_of(const struct cli_schedule *q, size_t i, char ***argv)
{
	const struct ft_graph_task *task = &q->tasks.graph.task[i];
	const char *host = q->tasks.plan->host[q->tasks.of[q->slot[i].machine]].name;
	const char *name[FT_PARAMS_MAX];
	double value[FT_PARAMS_MAX];
	struct ft_err err = {0};
	struct ft_size size;

	if (!task->name)
		return cli_fail("task '%s' has no command, only a time\n"
				"hint: give it the name of a program in the store, and its size",
				task->id);
	for (size_t k = 0; k < task->n_size; k++) {
		name[k] = task->size[k].name;
		value[k] = task->size[k].value;
	}
	const struct cli_source *source = cli_plan_source(q->tasks.plan, task->name, host);
	if (ft_ask_size(source->answerer, name, value, task->n_size, &size, &err) ||
	    ft_program_arguments(ft_ask_program(source->answerer), &size, argv, &err))
		return cli_error_at(&err, "task '%s'", task->id);
	return CLI_DONE;
}

static int print_slurm(const struct cli_schedule *q)
{
	const struct ft_graph *g = &q->tasks.graph;
	size_t n = g->n, *order = order_tasks(q), i;
	CLI_OWN size_t *after = cli_alloc((g->n_edges + n + 1) * sizeof *after),
		       *from = cli_alloc((n + 1) * sizeof *from);
	CLI_OWN struct ft_carry_job *job = cli_alloc(n * sizeof *job);
	CLI_OWN char ***argv = cli_alloc(n * sizeof *argv), *text = NULL;
	struct ft_err err = {0};
	int status = CLI_DONE;

	if (ft_plan_waits(g->edge, g->n_edges, q->slot, order, n, q->tasks.m, after, from, &err))
		status = cli_error(&err);
	for (i = 0; i < n && status == CLI_DONE; i++) {
		status = command_of(q, i, &argv[i]);
		job[i] = (struct ft_carry_job){
			.name = g->task[i].id,
			.host = q->tasks.plan->host[q->tasks.of[q->slot[i].machine]].name,
			.argv = (const char *const *)argv[i],
			.after = after + from[i],
			.n_after = from[i + 1] - from[i]};
	}
	if (status == CLI_DONE && ft_carry_slurm(job, order, n, &text, &err))
		status = cli_error(&err);
	if (status == CLI_DONE)
		fputs(text, stdout);
	for (i = 0; i < n; i++)
		ft_arguments_free(argv[i]);
	free(order);
	return status;
}

/* ---- StarPU ------------------------------------------------------------------------------------------- */

static int print_starpu(const struct cli_schedule *q)
{
	size_t n = q->tasks.graph.n, *order = order_tasks(q), i;
	CLI_OWN struct ft_carry_turn *turn = cli_alloc(n * sizeof *turn);
	struct ft_err err = {0};
	CLI_OWN char *text = NULL;
	int status = CLI_DONE;

	for (i = 0; i < n; i++)
		turn[i] = (struct ft_carry_turn){q->tasks.graph.task[i].id, q->slot[i].machine};
	if (ft_carry_starpu_schedule(turn, n, order, q->tasks.m, &text, &err))
		status = cli_error(&err);
	else
		fputs(text, stdout);
	cli_note("tasks are submitted in the order of the graph; worker 0 is %s, the others follow as --on "
		 "names them",
		 q->tasks.host[0]);
	free(order);
	return status;
}

static int draw_schedule(const struct cli_schedule *q)
{
	CLI_OWN size_t *order = order_tasks(q);
	char time[FT_UNIT_LENGTH], *title, *over = cli_tasks_over(&q->tasks, "task");

	title = cli_printed("%s: done in %s", over, ft_value_format(q->plan.value, "s", time));
	free(over);
	int status = cli_tasks_draw(&q->tasks, q->slot, order, title, cli_plan_picture(q->tasks.plan));
	free(title);
	return status;
}

int cli_schedule_print(const struct cli_schedule *q)
{
	const struct cli_plan *plan = q->tasks.plan;
	const char *format = plan->json ? "json" : plan->format;
	CLI_OWN struct ft_told_slot *slot = tell_slots(q);

	if (!format)
		CLI_TRY(print_text(q, slot));
	else if (!strcmp(format, "json"))
		print_json(q, slot);
	else if (!strcmp(format, "csv"))
		cli_tell_csv(stdout, &ft_tell_slot, slot, q->tasks.graph.n, NULL, true);
	else if (!strcmp(format, "starpu"))
		CLI_TRY(print_starpu(q));
	else
		CLI_TRY(!strcmp(format, "dot") ? print_dot(q) : print_slurm(q));
	/* On a terminal it stands above the table already. */
	return plan->plot && cli_plan_picture(plan) ? draw_schedule(q) : CLI_DONE;
}
