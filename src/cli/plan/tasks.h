/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tasks.h - tasks on hosts: what each takes on each. */
#ifndef FT_CLI_PLAN_TASKS_H
#define FT_CLI_PLAN_TASKS_H

#include "cli/plan/plan.h"
#include "foretime/graph.h"

/* What a task may need of a processor that has so much of it. */
enum cli_need { CLI_NEED_CPUS, CLI_NEED_MEMORY, CLI_NEED_STORAGE, CLI_NEEDS };

/* Hosts, each processor by itself, and tasks on them. Zero-initialise; ends with cli_tasks_clear. */
struct cli_tasks {
	struct cli_plan *plan;
	struct ft_graph graph; /* map: without edges */
	char **host;           /* [m] labels: "node1", "node1/2" */
	size_t *of;            /* [m] which of plan->host */
	size_t m;
	double *has;                       /* [m x CLI_NEEDS] of each; INFINITY: not known */
	double *time_s;                    /* [n x m] */
	double *energy_j;                  /* the same; NULL: not asked for */
	struct ft_plan_reserved *reserved; /* [n_reserved] */
	size_t n_reserved;
	bool rough; /* a model was planned with its upper end */
};

/* cli_tasks_hosts - the processors of --on, for a graph that was read. The store is opened where models tell
 * the time of a task; where tasks only need something of their hosts, one that can be read tells what these
 * have. Returns CLI_DONE, or the exit status after a complaint. */
int cli_tasks_hosts(struct cli_tasks *tasks);

/* cli_tasks_over - "3 tasks over 1 machine"; ends with free. what: of one. */
char *cli_tasks_over(const struct cli_tasks *tasks, const char *what);

/* cli_tasks_need - how much of it a task needs; 0: not told. */
double cli_tasks_need(const struct ft_graph_task *task, enum cli_need need);

/* cli_tasks_suits - whether a task has the right to run on a processor, and that has the architecture and
 * whatever else it needs. If not: why, heap, into *why, which may be NULL. */
bool cli_tasks_suits(const struct cli_tasks *tasks, const struct ft_graph_task *task, size_t processor,
		     char **why);

/* cli_tasks_note_unknown - what tasks need of hosts and is not known there, and hosts of their rights that
 * --on does not name. */
void cli_tasks_note_unknown(const struct cli_tasks *tasks);

/* cli_tasks_times - what each of the graph's tasks takes on each: by models, or as it is told; INFINITY where
 * it does not fit, or its architecture is another. */
int cli_tasks_times(struct cli_tasks *tasks);

/* cli_tasks_energy - joules beside each time: by models, or by the watts of the host. */
int cli_tasks_energy(struct cli_tasks *tasks);

/* cli_tasks_size - the size of a task that has a program. */
int cli_tasks_size(const struct ft_graph_task *task, const struct ft_answerer *answerer,
		   struct ft_size *size);

/* cli_tasks_reserve - which processors are taken when. */
int cli_tasks_reserve(struct cli_tasks *tasks);
void cli_tasks_clear(struct cli_tasks *tasks);

/* cli_tasks_draw - tasks at their times as a chart, in an order (letters on a terminal, where path is NULL).
 * title: may be NULL. */
int cli_tasks_draw(const struct cli_tasks *tasks, const struct ft_plan_slot *slot, const size_t *order,
		   const char *title, const char *path);

/* cli_tasks_nowhere - say which tasks fit no host, and why not. machine: [n], FT_PLAN_NOWHERE. Returns
 * CLI_NO. */
int cli_tasks_nowhere(struct cli_tasks *tasks, const size_t *machine, size_t stride);

/* cli_tasks_model - what the models say of a task on a host, and why it will not do (FT_COST_NONE: it will).
 */
int cli_tasks_model(struct cli_tasks *tasks, const struct ft_graph_task *task, size_t host, double *time_s,
		    enum ft_cost_end *end);

#endif
