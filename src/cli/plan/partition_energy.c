/* SPDX-License-Identifier: GPL-3.0-or-later */
/* partition_energy.c - a division that costs least energy by a deadline, and time against energy. */
#include "cli/plan/partition.h"

#include <math.h>

/* The front is printed with so many points. */
enum { POINTS = 20 };

/* Without any, the fastest plan keeps the deadline: it was looked at before. */
static int cheapest(struct cli_partition *q)
{
	double deadline = isnan(q->plan->deadline_s) ? (double)INFINITY : q->plan->deadline_s;
	struct ft_err err = {0};

	if (ft_divide_cheapest(&q->divide, deadline, &q->found, &err))
		return cli_error(&err);
	if (isfinite(q->found.cheap.plan.value))
		return CLI_DONE;
	(void)cli_fail("no plan was found within the effort\n"
		       "hint: divide in larger steps: --granularity %lld",
		       2 * (long long)q->divide.step);
	return CLI_NO;
}

/* The plan that is told of a front is that of its knee, or the one by the deadline. */
int cli_partition_energy(struct cli_partition *q)
{
	struct ft_err err = {0};

	if (!q->plan->front)
		return cheapest(q);
	if (ft_divide_front(&q->divide, q->plan->all ? 0 : POINTS, &q->front, &q->found, &err))
		return cli_error(&err);
	if (!q->front.complete)
		cli_note("the effort was not enough for all of the front");
	return q->plan->least || !q->front.n ? cheapest(q) : CLI_DONE;
}
