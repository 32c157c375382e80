/* SPDX-License-Identifier: GPL-3.0-or-later */
/* partition_late.c - --risk: the division by rare times, made better by what all together exceed. */
#include "cli/plan/partition.h"

#include <math.h>
#include <stdlib.h>

/* Models tell nothing rarer. */
static const double rarest = 0.0005;

/* What runs take typically; false: a model is too rough to tell. */
static int make_typical(struct cli_partition *q, struct ft_cost *typical, bool *good)
{
	struct ft_err err = {0};
	size_t i;

	*good = true;
	for (i = 0; i < q->n && *good; i++) {
		struct cli_processor *p = &q->processor[i];
		struct ft_cost_options options = p->options;

		options.risk = 0;
		if (ft_cost_make(&typical[i], p->answerer, &p->size, p->varying, q->total, &options, &err))
			return cli_error_at(&err, "%s", p->name);
		*good = !typical[i].rough && !p->cost.rough;
	}
	return CLI_DONE;
}

static int improve(struct cli_partition *q, const struct ft_cost *typical, const struct ft_plan_times *late,
		   int64_t *units)
{
	const struct ft_partition_options options = {.granularity = q->step};
	struct ft_plan_times *times = cli_alloc(q->n * sizeof *times);
	struct ft_partition_late out;
	struct ft_err err = {0};
	int status = CLI_DONE;
	size_t i;

	for (i = 0; i < q->n; i++) {
		times[i] = late[i];
		times[i].n = typical[i].n;
		times[i].at = typical[i].at;
		times[i].time_s = typical[i].value;
	}
	if (ft_plan_partition_late(times, late, fmax(rarest, q->risk), q->n, q->total, &options,
				   q->plan->risk, units, &out, &err))
		status = cli_error(&err);
	else
		q->found.plan = out.plan;
	free(times);
	return status;
}

int cli_partition_late(struct cli_partition *q, const struct ft_plan_times *late, int64_t *units,
		       enum ft_plan_binds *binds)
{
	struct ft_cost *typical = cli_alloc(q->n * sizeof *typical);
	bool good;
	int status = make_typical(q, typical, &good);
	size_t i, j, k = 0;

	if (status == CLI_DONE && good)
		status = improve(q, typical, late, units);
	for (i = 0; i < q->n; i++)
		for (j = 0; j < q->processor[i].host->count && good; j++, k++)
			binds[k] =
				units[k] + q->step > q->processor[i].cost.most ? FT_BINDS_CAP : FT_BINDS_TIME;
	for (i = 0; i < q->n; i++)
		ft_cost_clear(&typical[i]);
	free(typical);
	return status;
}
