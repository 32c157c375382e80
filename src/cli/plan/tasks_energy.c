/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tasks_energy.c - what tasks cost in joules on hosts. */
#include "cli/models.h"
#include "cli/plan/tasks.h"

#include <math.h>

static int not_known(const struct ft_graph_task *task, const char *host)
{
	return cli_fail(
		"what task '%s' costs in energy on %s is not known\n"
		"hint: %s the power of each host: --resources FILE.csv with the columns host and watts",
		task->id, host,
		task->name ? "measure it (foretime run --measure energy=rapl), or state" : "state");
}

/* Where the power of the host is told, that counts; else the model. */
static int joules_on(struct cli_tasks *t, const struct ft_graph_task *task, size_t host, double time_s,
		     double *joules)
{
	const struct cli_host *on = &t->plan->host[host];
	const struct ft_cost_options options = {
		.resource = &ft_energy_j, .memory_bytes = INFINITY, .risk = t->plan->risk};
	size_t axis[FT_PARAMS_MAX];
	struct ft_err err = {0};
	struct ft_size size;

	*joules = 0;
	if (isinf(time_s))
		return CLI_DONE;
	if (on->resource && on->resource->watts > 0) {
		*joules = on->resource->watts * time_s;
		return CLI_DONE;
	}
	const struct cli_source *source = task->name ? cli_plan_source(t->plan, task->name, on->name) : NULL;
	if (!source || !ft_ask_has(source->answerer, &ft_energy_j))
		return not_known(task, on->name);
	if (cli_tasks_size(task, source->answerer, &size) != CLI_DONE)
		return CLI_WRONG;
	(void)ft_ask_axes(source->answerer, axis);
	if (ft_cost_at(source->answerer, &size, axis[0], &options, joules, NULL, &err))
		return cli_error_at(&err, "task '%s' on %s", task->id, on->name);
	return isinf(*joules) ? not_known(task, on->name) : CLI_DONE;
}

int cli_tasks_energy(struct cli_tasks *t)
{
	t->energy_j = cli_alloc(t->graph.n * t->m * sizeof *t->energy_j);
	for (size_t j = 0; j < t->graph.n; j++)
		for (size_t i = 0; i < t->m; i++) {
			double *joules = &t->energy_j[j * t->m + i];

			if (i && t->of[i] == t->of[i - 1])
				*joules = joules[-1];
			else
				CLI_TRY(joules_on(t, &t->graph.task[j], t->of[i], t->time_s[j * t->m + i],
						  joules));
		}
	return CLI_DONE;
}
