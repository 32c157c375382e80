/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedule.h - graphs of tasks over hosts: what is asked, and the answer. */
#ifndef FT_CLI_PLAN_SCHEDULE_H
#define FT_CLI_PLAN_SCHEDULE_H

#include "cli/plan/tasks.h"
#include "foretime/topology.h"

struct cli_schedule {
	struct cli_tasks tasks;
	struct ft_graph_links links;
	bool linked;               /* links were told */
	struct ft_plan_slot *slot; /* [n] */
	struct ft_plan plan;
	double heft; /* NaN: not by --mode dag */
	/* Modes concurrent, sequential and hybrid */
	bool topology;
	double weight[2]; /* w1, w2 */
	struct ft_topology_plan costs;
};

/* cli_schedule_print - the answer, in the format asked for. Returns the exit status. */
int cli_schedule_print(const struct cli_schedule *q);

#endif
