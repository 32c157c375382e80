/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedule.c - `foretime plan schedule`: schedules graphs of tasks, and topologies of modules, on
   machines. */
#include "cli/plan/plan.h"
#include "foretime/adapt.h"
#include "foretime/measure.h"
#include "tell/answers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Print a schedule as a chart and a table, CSV, JSON, DOT, a Slurm script, or a StarPU file.
 */

enum { ROWS_MOST = 60 };

static size_t *order_tasks(const struct cli_schedule *q)
{
	size_t n = q->tasks.graph.n, *order = cli_alloc(n * sizeof *order);

	if (ft_plan_order(q->slot, n, order, NULL))
		(void)cli_given(NULL);
	return order;
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

static int print_schedule(const struct cli_schedule *q, const struct ft_answer_slot *slot)
{
	CLI_OWN size_t *order = order_tasks(q);
	int status = CLI_DONE;

	print_head(q);
	if (!q->topology)
		status = cli_tasks_draw(&q->tasks, q->slot, order, NULL, NULL);
	/* Print the slots by start, each with the letter of its bar. */
	size_t n = q->tasks.graph.n < ROWS_MOST ? q->tasks.graph.n : ROWS_MOST;
	CLI_OWN struct ft_answer_slot *line = cli_alloc(n * sizeof *line);

	for (size_t i = 0; i < n; i++) {
		line[i] = slot[order[i]];
		line[i].letter[0] = (char)('a' + i % 26);
	}
	cli_tell_table(q->topology ? &ft_tell_module : &ft_tell_slot, line, n, NULL);
	if (n < q->tasks.graph.n)
		printf("and %zu more: --format csv prints all\n", q->tasks.graph.n - n);
	return status;
}

static struct ft_answer_slot *tell_slots(const struct cli_schedule *q)
{
	size_t n = q->tasks.graph.n;
	struct ft_answer_slot *slot = cli_alloc(n * sizeof *slot);
	bool hybrid = !strcmp(q->tasks.plan->mode, "hybrid");

	for (size_t i = 0; i < n; i++)
		slot[i] =
			(struct ft_answer_slot){.task = q->tasks.graph.task[i].id,
						.machine = q->tasks.host[q->slot[i].machine],
						.start_s = q->slot[i].start_s,
						.end_s = q->slot[i].end_s,
						.stage = hybrid ? q->tasks.graph.task[i].stage : (double)NAN};
	return slot;
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

/*
 * `foretime plan schedule`: schedules graphs of tasks, and topologies of modules, on machines.
 */

/* The most edges to an earlier stage that are reported. */
enum { BACKWARDS_ANSWER = 5 };

static int read_links(struct cli_schedule *q)
{
	const struct cli_tasks *t = &q->tasks;

	if (t->plan->links_path) {
		CLI_OWN const char **host = cli_alloc(t->m * sizeof *host);
		struct ft_err err = {0};
		int status = CLI_DONE;

		for (size_t i = 0; i < t->m; i++)
			host[i] = t->plan->host[t->of[i]].name;
		q->linked = true;
		if (ft_graph_read_links(&q->links, host, t->m, t->plan->links_path, &err))
			status = cli_error(&err);
		return status;
	}
	for (size_t i = 0; i < t->graph.n_edges; i++)
		if (t->graph.edge[i].bytes > 0 && t->plan->n_hosts > 1)
			return cli_fail("'%s' sends to '%s', and no link is given\n"
					"hint: give the speed of links: --links LINKS.csv, columns "
					"from,to,latency,bandwidth; "
					"*,*,50us,125MB is a row for all",
					t->graph.task[t->graph.edge[i].from].id,
					t->graph.task[t->graph.edge[i].to].id);
	return CLI_DONE;
}

static int schedule_dag(struct cli_schedule *q)
{
	struct cli_tasks *t = &q->tasks;
	struct ft_plan_search search = cli_plan_search(t->plan);
	struct ft_err err = {0};

	const struct ft_graph *g = &q->tasks.graph;
	size_t *cycle = cli_alloc(g->n * sizeof *cycle), length = 0;
	int status = CLI_DONE;

	if (ft_plan_cycle(g->edge, g->n_edges, g->n, cycle, &length, &err)) {
		status = cli_error(&err);
	} else if (length) {
		const struct ft_graph_task *task = q->tasks.graph.task;
		CLI_OWN char *path = cli_strdup(task[cycle[0]].id);

		for (size_t i = 1; i <= length && i < 10; i++)
			cli_reprint(&path, "%s -> %s", path, i == 9 ? "..." : task[cycle[i % length]].id);
		(void)cli_fail("tasks wait for each other: %s\n"
			       "hint: take one of these edges out; modules that run all the time are planned "
			       "with --mode concurrent",
			       path);
		status = CLI_WRONG;
	}
	free(cycle);
	if (status)
		return status;
	if (ft_plan_schedule(t->time_s, t->graph.n, t->m, t->graph.edge, t->graph.n_edges,
			     q->linked ? &q->links.links : NULL, t->reserved, t->n_reserved, &search, q->slot,
			     &q->heft, &q->plan, &err))
		return cli_error(&err);
	if (isinf(q->plan.value))
		return cli_tasks_nowhere(t, &q->slot[0].machine, sizeof *q->slot);
	return CLI_DONE;
}

/* ---- topologies --------------------------------------------------------------------------------------- */

/* The cost names of modes; NULL at the end. */
static const struct {
	const char *name;
	enum ft_topology_cost cost;
} modes[] = {
	{"concurrent", FT_TOPOLOGY_CONCURRENT},
	{"sequential", FT_TOPOLOGY_SEQUENTIAL},
	{"hybrid", FT_TOPOLOGY_HYBRID},
	{0},
};

/* The row of a mode; that at the end: it is no topology. */
static size_t find_mode(const char *name)
{
	size_t i;

	for (i = 0; modes[i].name && strcmp(modes[i].name, name) != 0; i++)
		continue;
	return i;
}

static int number_stages(const struct cli_tasks *t, size_t *stage)
{
	CLI_OWN double *name = cli_alloc(t->graph.n * sizeof *name);
	struct ft_err err = {0};
	size_t i;

	for (i = 0; i < t->graph.n && !isnan(t->graph.task[i].stage); i++)
		name[i] = t->graph.task[i].stage;
	if (i < t->graph.n)
		return cli_fail("module '%s' has no \"stage\"\n"
				"hint: modules of one stage run at once, stages one after the other: "
				"\"stage\": 1",
				t->graph.task[i].id);
	if (ft_topology_stages(name, t->graph.n, stage, &err))
		return cli_error(&err);
	/* Data sent against the order of stages arrive too late for their round. */
	size_t answer = 0;

	for (size_t k = 0; k < t->graph.n_edges && answer < BACKWARDS_ANSWER; k++) {
		const struct ft_graph_task *from = &t->graph.task[t->graph.edge[k].from],
					   *to = &t->graph.task[t->graph.edge[k].to];

		if (from->stage > to->stage && ++answer)
			cli_note("'%s' of stage %g sends to '%s' of stage %g, which runs before it", from->id,
				 from->stage, to->id, to->stage);
	}
	return CLI_DONE;
}

static int schedule_topology(struct cli_schedule *q)
{
	struct cli_tasks *t = &q->tasks;
	CLI_OWN double *needs = cli_alloc(CLI_NEEDS * t->graph.n * sizeof *needs);
	CLI_OWN double *has = cli_alloc(CLI_NEEDS * t->m * sizeof *has);
	CLI_OWN size_t *resource = cli_alloc(t->graph.n * sizeof *resource);
	CLI_OWN size_t *stage = cli_alloc(t->graph.n * sizeof *stage);
	struct ft_topology topology = {.modules = t->graph.n,
				       .resources = t->m,
				       .time_s = t->time_s,
				       .port = t->graph.edge,
				       .ports = t->graph.n_edges,
				       .links = q->linked ? &q->links.links : NULL,
				       .kinds = CLI_NEEDS,
				       .needs = needs,
				       .has = has,
				       .weight_time = q->weight[0],
				       .weight_send = q->weight[1],
				       .cost = modes[find_mode(t->plan->mode)].cost,
				       .stage = stage};

	if (topology.cost == FT_TOPOLOGY_HYBRID)
		CLI_TRY(number_stages(t, stage));
	for (size_t i = 0; i < t->graph.n; i++)
		for (int k = 0; k < CLI_NEEDS; k++)
			needs[CLI_NEEDS * i + (size_t)k] =
				cli_tasks_need(&t->graph.task[i], (enum cli_need)k);
	for (size_t i = 0; i < CLI_NEEDS * t->m; i++)
		has[i] = fmin(t->has[i], 1e300);
	struct ft_plan_search search = cli_plan_search(t->plan);
	struct ft_err err = {0};

	if (ft_plan_topology(&topology, &search, resource, &q->costs, &err))
		return cli_error(&err);
	q->plan = q->costs.plan;
	if (isinf(q->plan.value))
		return cli_tasks_nowhere(t, resource, sizeof *resource);
	for (size_t i = 0; i < t->graph.n; i++)
		q->slot[i] = (struct ft_plan_slot){.machine = resource[i],
						   .end_s = t->time_s[i * t->m + resource[i]]};
	return CLI_DONE;
}

/* "0.5,1": w1 and w2 of eq. 2.2. */
static int read_weights(struct cli_schedule *q)
{
	const char *text = q->tasks.plan->weights;
	char *first = text ? cli_printed("%.*s", (int)strcspn(text, ","), text) : NULL;

	q->weight[0] = q->weight[1] = 1;
	if (!text)
		return CLI_DONE;
	bool wrong = !strchr(text, ',') || ft_number_parse(first, &q->weight[0], NULL) ||
		     ft_number_parse(strchr(text, ',') + 1, &q->weight[1], NULL) ||
		     !(q->weight[0] >= 0 && q->weight[0] <= 1 && q->weight[1] >= 0 && q->weight[1] <= 1) ||
		     (q->weight[0] == 0 && q->weight[1] == 0);
	free(first);
	if (!wrong && q->topology)
		return CLI_DONE;
	if (wrong)
		(void)cli_fail("weights='%s' are not two numbers between 0 and 1", text);
	else
		(void)cli_fail("weights are of modules: --mode concurrent, sequential or hybrid");
	cli_hint("write --mode concurrent,weights=W1,W2: what computing counts, and what sending does, as in "
		 "1,0.5");
	return CLI_WRONG;
}

static int too_late(const struct cli_schedule *q)
{
	char deadline[FT_UNIT_LENGTH], found[FT_UNIT_LENGTH], bound[FT_UNIT_LENGTH];

	ft_value_format(q->tasks.plan->deadline_s, "s", deadline);
	ft_value_format(q->plan.value, "s", found);
	if (q->plan.exact) {
		(void)cli_fail("no plan is done in %s: the fastest takes %s\n"
			       "hint: a later --deadline, more hosts",
			       deadline, found);
		return CLI_NO;
	}
	(void)cli_fail("no plan is done in %s: the fastest found takes %s, and none less than %s\n"
		       "hint: a later --deadline, more hosts, or more --effort",
		       deadline, found, ft_value_format(q->plan.bound, "s", bound));
	return CLI_NO;
}

static int check_mode(struct cli_schedule *q)
{
	const char *mode = q->tasks.plan->mode, *format = q->tasks.plan->format;

	q->topology = modes[find_mode(mode)].name;
	if (q->topology && format && (!strcmp(format, "slurm") || !strcmp(format, "starpu")))
		return cli_fail("--format %s is of tasks that end: modules run all the time\n"
				"hint: without --mode, the tasks get times",
				format);
	if (q->topology && q->tasks.plan->plot)
		return cli_fail("-o draws tasks that end: modules run all the time\n"
				"hint: --format dot draws the graph");
	if (q->topology || !strcmp(mode, "dag"))
		return read_weights(q);
	return cli_fail("--mode is dag, concurrent, sequential or hybrid, not '%s'\n"
			"hint: dag: tasks that end; concurrent: modules that run all the time; sequential: "
			"one after the other; hybrid: stages one after the other",
			mode);
}

static int answer_schedule(struct cli_schedule *q)
{
	struct cli_tasks *t = &q->tasks;
	struct ft_err err = {0};

	CLI_TRY(check_mode(q));
	if (ft_graph_read(&t->graph, t->plan->word[0], &err))
		return cli_error(&err);
	CLI_TRY(cli_tasks_hosts(t));
	CLI_TRY(read_links(q));
	CLI_TRY(cli_tasks_times(t));
	q->slot = cli_alloc(t->graph.n * sizeof *q->slot);
	CLI_TRY(q->topology ? schedule_topology(q) : schedule_dag(q));
	if (q->plan.value > t->plan->deadline_s)
		CLI_TRY(too_late(q));
	const struct cli_plan *plan = q->tasks.plan;
	const char *format = plan->json ? "json" : plan->format;
	CLI_OWN struct ft_answer_slot *slot = tell_slots(q);

	if (!format) {
		CLI_TRY(print_schedule(q, slot));
	} else if (!strcmp(format, "json")) {
		const struct ft_answer_schedule answer = {.mode = q->tasks.plan->mode,
							  .plan = q->plan,
							  .heft_s = q->heft,
							  .costs = q->topology ? &q->costs : NULL,
							  .slot = slot,
							  .n = q->tasks.graph.n,
							  .unanswered = q->tasks.plan->agent.unanswered,
							  .n_unanswered = q->tasks.plan->agent.n_unanswered};

		cli_tell(&ft_tell_schedule, &answer, NULL);
	} else if (!strcmp(format, "csv")) {
		cli_tell_csv(stdout, &ft_tell_slot, slot, q->tasks.graph.n, NULL, true);
	} else if (!strcmp(format, "starpu")) {
		CLI_TRY(print_starpu(q));
	} else {
		CLI_TRY(!strcmp(format, "dot") ? print_dot(q) : print_slurm(q));
		/* On a terminal it stands above the table already. */
	}
	return plan->plot && cli_plan_picture(plan) ? draw_schedule(q) : CLI_DONE;
}

int cli_plan_schedule(void *query)
{
	struct cli_schedule q = {.tasks = {.plan = query}, .heft = NAN};

	if (!q.tasks.plan->mode)
		q.tasks.plan->mode = "dag";
	int status = answer_schedule(&q);
	ft_graph_links_clear(&q.links);
	cli_tasks_clear(&q.tasks);
	free(q.slot);
	return status;
}
