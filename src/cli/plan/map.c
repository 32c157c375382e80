/* SPDX-License-Identifier: GPL-3.0-or-later */
/* map.c - `foretime plan map`: independent tasks of a table to machines. */
#include "cli/plan/tasks.h"
#include "tell/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 200 }; /* of the ids of a machine's tasks, as text */

struct mapping {
	struct cli_tasks tasks;
	size_t *machine;           /* [n] */
	struct ft_plan_slot *slot; /* [n] when, between what is reserved; NULL: one after the other */
	double *load_s;            /* [m] */
	struct ft_plan plan;
	struct ft_map_energy
		energy; /* where that is asked for: its plan is of joules, that above of seconds */
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

static void print_text(const struct mapping *q, const struct ft_told_map *told)
{
	bool joules = told->joules != NULL;
	char time[FT_UNIT_LENGTH], energy[FT_UNIT_LENGTH], *proof, *cost,
		*over = cli_tasks_over(&q->tasks, "task");

	proof = cli_plan_proof(joules ? told->joules : told->seconds, joules ? "J" : "s");
	ft_value_format(told->time_s, "s", time);
	cost = cli_price_text(&q->tasks.plan->price, joules ? told->joules->value : (double)NAN);
	printf("%s: done in %s%s%s%s%s%s\n%s\n", over, time, joules ? ", for " : "",
	       joules ? ft_value_format(told->joules->value, "J", energy) : "", *cost ? " (" : "", cost,
	       *cost ? ")" : "", proof);
	free(cost);
	if (q->tasks.rough)
		printf("a model is rough: planned with the upper end, which 5 %% of runs exceed\n");
	putchar('\n');
	cli_tell_table(&ft_tell_load, told->machine, told->m, NULL);
	free(over);
	free(proof);
}

static void tell_tasks(const struct mapping *q, struct ft_told_mapped *task, struct ft_told_load *load,
		       char (*first)[FIRST])
{
	const struct cli_tasks *t = &q->tasks;

	for (size_t i = 0; i < t->m; i++)
		load[i] = (struct ft_told_load){.machine = t->host[i],
						.first = first[i],
						.load_s = q->load_s[i],
						.energy_j = t->energy_j ? 0 : (double)NAN,
						.tasks = tasks_on(q, i, first[i])};
	for (size_t i = 0; i < t->graph.n; i++) {
		size_t at = i * t->m + q->machine[i];

		task[i] = (struct ft_told_mapped){t->graph.task[i].id, t->host[q->machine[i]], t->time_s[at],
						  t->energy_j ? t->energy_j[at] : (double)NAN};
		load[q->machine[i]].energy_j += task[i].energy_j;
	}
}

static void print_mapping(const struct mapping *q)
{
	const struct cli_plan *plan = q->tasks.plan;
	bool joules = q->tasks.energy_j != NULL;
	size_t n = q->tasks.graph.n, m = q->tasks.m;
	CLI_OWN struct ft_told_mapped *task = cli_alloc(n * sizeof *task);
	CLI_OWN struct ft_told_load *load = cli_alloc(m * sizeof *load);
	const struct ft_told_map told = {
		.time_s = joules ? q->energy.time_s : q->plan.value,
		.seconds = joules ? NULL : &q->plan,
		.joules = joules ? &q->energy.plan : NULL,
		.price = plan->price.told,
		.cost = ft_tell_cost_of(&plan->price.told, joules ? q->energy.plan.value : (double)NAN),
		.task = task,
		.machine = load,
		.n = n,
		.m = m};
	char(*first)[FIRST] = cli_alloc(m * sizeof *first);

	tell_tasks(q, task, load, first);
	if (plan->json)
		cli_tell(&ft_tell_map, &told, NULL);
	else if (plan->format)
		cli_tell_csv(stdout, &ft_tell_mapped, task, n, NULL, true);
	else
		print_text(q, &told);
	free(first);
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

/* ---- by a deadline for least energy ------------------------------------------------------------------- */

static int check_taken(const struct cli_tasks *t)
{
	for (size_t i = 0; i < t->n_reserved; i++)
		if (t->reserved[i].from_s > 0)
			return cli_fail("%s is reserved later: with --least energy machines are taken from "
					"the beginning on\n"
					"hint: reserve it until then, or leave it out of --on",
					t->host[t->reserved[i].machine]);
	return CLI_DONE;
}

static int none_by(const struct mapping *q)
{
	const struct ft_map_energy *e = &q->energy;
	char deadline[FT_UNIT_LENGTH], found[FT_UNIT_LENGTH];

	(void)cli_fail("no plan %sis done in %s: the fastest%s takes %s, where %s ends last\n"
		       "hint: a later --deadline, more hosts%s",
		       e->plan.exact ? "" : "that was found ",
		       ft_value_format(q->tasks.plan->deadline_s, "s", deadline),
		       e->plan.exact ? "" : " found", ft_value_format(e->fastest_s, "s", found),
		       q->tasks.host[e->latest], e->plan.exact ? "" : ", or more --effort");
	return CLI_NO;
}

static int map_cheapest(struct mapping *q)
{
	struct cli_tasks *t = &q->tasks;
	const struct ft_plan_search search = cli_plan_search(t->plan);
	double deadline = isnan(t->plan->deadline_s) ? (double)INFINITY : t->plan->deadline_s;
	struct ft_err err = {0};

	if (check_taken(t) != CLI_DONE)
		return CLI_WRONG;
	if (ft_plan_map_energy(t->time_s, t->energy_j, t->graph.n, t->m, deadline, t->reserved, t->n_reserved,
			       &search, q->machine, q->load_s, &q->energy, &err))
		return cli_error(&err);
	if (isfinite(q->energy.plan.value))
		return CLI_DONE;
	return isnan(q->energy.fastest_s) ? cli_tasks_nowhere(t, q->machine, sizeof *q->machine) : none_by(q);
}

/* ---- as early as possible ----------------------------------------------------------------------------- */

/* Between what is reserved: a graph without edges. */
static enum ft_status map_beside_reserved(struct mapping *q, const struct ft_plan_search *search,
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

	if (t->n_reserved ? map_beside_reserved(q, &search, &err)
			  : ft_plan_map(t->time_s, t->graph.n, t->m, &search, q->machine, q->load_s, &q->plan,
					&err))
		return cli_error(&err);
	if (isinf(q->plan.value))
		return cli_tasks_nowhere(t, q->machine, sizeof *q->machine);
	return q->plan.value > t->plan->deadline_s ? too_late(q) : CLI_DONE;
}

/* One after the other in the order of the table, behind what a machine is taken for at first. */
static void line_up(struct mapping *q)
{
	const struct cli_tasks *t = &q->tasks;
	double *until = cli_alloc(t->m * sizeof *until);

	q->slot = cli_alloc(t->graph.n * sizeof *q->slot);
	for (size_t i = 0; i < t->n_reserved; i++)
		until[t->reserved[i].machine] = fmax(until[t->reserved[i].machine], t->reserved[i].to_s);
	for (size_t i = 0; i < t->graph.n; i++) {
		double *end = &until[q->machine[i]];

		q->slot[i] = (struct ft_plan_slot){q->machine[i], *end,
						   *end + t->time_s[i * t->m + q->machine[i]]};
		*end = q->slot[i].end_s;
	}
	free(until);
}

static int draw_mapping(struct mapping *q)
{
	const struct cli_tasks *t = &q->tasks;
	char time[FT_UNIT_LENGTH], *title, *over = cli_tasks_over(t, "task");

	if (!q->slot)
		line_up(q);
	title = cli_printed("%s: done in %s", over,
			    ft_value_format(t->plan->least ? q->energy.time_s : q->plan.value, "s", time));
	int status = cli_tasks_draw(t, q->slot, NULL, cli_plan_picture(t->plan) ? title : NULL,
				    cli_plan_picture(t->plan));
	free(title);
	free(over);
	return status;
}

static int answer_mapping(struct mapping *q)
{

	q->machine = cli_alloc(q->tasks.graph.n * sizeof *q->machine);
	q->load_s = cli_alloc(q->tasks.m * sizeof *q->load_s);
	if (q->tasks.plan->least)
		CLI_TRY(cli_tasks_energy(&q->tasks));
	CLI_TRY(q->tasks.plan->least ? map_cheapest(q) : map_fastest(q));
	if (q->tasks.plan->plot)
		CLI_TRY(draw_mapping(q));
	print_mapping(q);
	return CLI_DONE;
}

static void clear_mapping(struct mapping *q)
{
	cli_tasks_clear(&q->tasks);
	free(q->machine);
	free(q->slot);
	free(q->load_s);
}

int cli_plan_map(void *asked)
{
	FT_CLEANUP(clear_mapping) struct mapping q = {.tasks = {.plan = asked}};
	struct ft_err err = {0};

	if (ft_graph_read_table(&q.tasks.graph, q.tasks.plan->word[0], &err))
		return cli_error(&err);
	CLI_TRY(cli_tasks_hosts(&q.tasks));
	CLI_TRY(cli_tasks_times(&q.tasks));
	return answer_mapping(&q);
}
