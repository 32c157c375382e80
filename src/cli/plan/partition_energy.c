/* SPDX-License-Identifier: GPL-3.0-or-later */
/* partition_energy.c - a division that costs least energy by a deadline, and time against energy. */
#include "cli/models.h"
#include "cli/plan/partition.h"

#include <math.h>
#include <stdlib.h>

/* Tables have an entry a step; the front is printed with so many points. */
enum { STEPS_MOST = 1000000, POINTS = 20 };

static double watts_of(const struct cli_processor *processor)
{
	const struct cli_resource *r = processor->host->resource;

	return r && r->watts > 0 ? r->watts : 0;
}

/* The model of joules; none where the power of the host is told instead. */
static int make_energy(struct cli_partition *q, struct cli_processor *processor)
{
	const struct ft_cost_options options = {
		.resource = "energy_j", .memory_bytes = INFINITY, .step = q->step};
	struct ft_err err = {0};

	if (watts_of(processor) > 0)
		return CLI_DONE;
	if (!ft_ask_has(processor->answerer, "energy_j"))
		return cli_fail("what '%s' costs in energy%s%s is not known\n"
				"hint: measure it (foretime run --energy rapl), or state the power of each "
				"host: --resources FILE.csv with the columns host and watts",
				processor->name, processor->host->name ? " on " : "",
				processor->host->name ? processor->host->name : "");
	if (ft_cost_make(&processor->energy, processor->answerer, &processor->size, processor->varying,
			 q->total, &options, &err))
		return cli_error_at(&err, "%s", processor->name);
	return CLI_DONE;
}

static void fill_table(const struct cli_partition *q, const struct cli_processor *processor, size_t n,
		       double *time_s, double *energy_j)
{
	const struct ft_plan_times times = {
		.n = processor->cost.n, .at = processor->cost.at, .time_s = processor->cost.value};
	const struct ft_plan_times joules = {
		.n = processor->energy.n, .at = processor->energy.at, .time_s = processor->energy.value};
	int64_t least = isnan(q->plan->min) ? 0 : (int64_t)q->plan->min;
	size_t i;

	for (i = 0; i < n; i++) {
		int64_t units = (int64_t)i * q->step;

		time_s[i] = units < least ? (double)INFINITY : ft_plan_time(&times, units);
		energy_j[i] = joules.n ? ft_plan_time(&joules, units) : time_s[i] * watts_of(processor);
	}
}

struct tables {
	struct ft_plan_costs *cost; /* [p] */
	double *value;              /* of the n groups, both */
	size_t steps;
};

static void make_tables(const struct cli_partition *q, struct tables *t)
{
	size_t i, j, k = 0, rows = t->steps + 1;

	t->cost = cli_alloc(q->p * sizeof *t->cost);
	t->value = cli_alloc(2 * q->n * rows * sizeof *t->value);
	for (i = 0; i < q->n; i++) {
		double *time_s = t->value + 2 * i * rows, *energy_j = time_s + rows;

		fill_table(q, &q->processor[i], rows, time_s, energy_j);
		for (j = 0; j < q->processor[i].host->count; j++)
			t->cost[k++] = (struct ft_plan_costs){rows, time_s, energy_j};
	}
}

static int too_fine(const struct cli_partition *q)
{
	if (q->total % q->step)
		return cli_fail("%s=%lld is no multiple of %lld: for energy it must be\n"
				"hint: choose a --granularity that divides it",
				q->parameter, (long long)q->total, (long long)q->step);
	if (q->total / q->step <= STEPS_MOST)
		return CLI_DONE;
	return cli_fail("energy is planned with tables of at most %d steps, and %s=%lld has %lld\n"
			"hint: divide in larger steps: --granularity %lld",
			STEPS_MOST, q->parameter, (long long)q->total, (long long)(q->total / q->step),
			(long long)(q->total / 10000));
}

/* The shares of the answer replace those of the fastest plan. */
static void take_shares(struct cli_partition *q, const struct tables *t, const int64_t *steps)
{
	size_t k;

	q->time_s = 0;
	for (k = 0; k < q->p; k++) {
		struct cli_share *share = &q->share[k];
		struct ft_size size = share->processor->size;

		share->units = steps[k] * q->step;
		share->time_s = t->cost[k].time_s[steps[k]];
		share->energy_j = t->cost[k].energy_j[steps[k]];
		share->binds = FT_BINDS_NOT;
		q->time_s = fmax(q->time_s, share->time_s);
		size.value[share->processor->varying] = (double)share->units;
		if (!share->units ||
		    ft_ask_predict(share->processor->answerer, "wall_s", &size, 0.9, &share->at, NULL))
			share->at = (struct ft_prediction){
				.value = NAN, .lower = NAN, .upper = NAN, .distance = 1};
	}
}

/* Without any, the fastest plan keeps the deadline: it was looked at before. */
static int spent(const struct cli_partition *q)
{
	(void)cli_fail("no plan was found within the effort\n"
		       "hint: divide in larger steps: --granularity %lld",
		       2 * (long long)q->step);
	return CLI_NO;
}

static int cheapest(struct cli_partition *q, const struct tables *t)
{
	double deadline = isnan(q->plan->deadline_s) ? (double)INFINITY : q->plan->deadline_s;
	int64_t *steps = cli_alloc(q->p * sizeof *steps);
	struct ft_err err = {0};
	int status = CLI_DONE;

	if (ft_plan_partition_energy(t->cost, q->p, (int64_t)t->steps, deadline, 0, steps, &q->cheap, &err))
		status = cli_error(&err);
	else if (isinf(q->cheap.plan.value))
		status = spent(q);
	else
		take_shares(q, t, steps);
	free(steps);
	return status;
}

/* The front; the plan that is told is that of its knee, or the one by the deadline. */
static int front(struct cli_partition *q, const struct tables *t)
{
	struct ft_err err = {0};
	size_t at;

	if (ft_plan_front(t->cost, q->p, (int64_t)t->steps, q->plan->all ? 0 : POINTS, 0, &q->front, &err))
		return cli_error(&err);
	if (!q->front.complete)
		cli_note("the effort was not enough for all of the front");
	if (q->plan->least || !q->front.n)
		return cheapest(q, t);
	at = q->front.knee;
	take_shares(q, t, q->front.units + at * q->p);
	q->cheap.plan = (struct ft_plan){.value = q->front.point[at].energy_j,
					 .bound = q->front.point[at].energy_j,
					 .exact = q->front.complete,
					 .evaluations = q->front.evaluations};
	return CLI_DONE;
}

int cli_partition_energy(struct cli_partition *q)
{
	struct tables t = {.steps = (size_t)(q->total / q->step)};
	int status = too_fine(q);
	size_t i;

	for (i = 0; i < q->n && status == CLI_DONE; i++)
		status = make_energy(q, &q->processor[i]);
	if (status != CLI_DONE)
		return status;
	make_tables(q, &t);
	status = q->plan->front ? front(q, &t) : cheapest(q, &t);
	free(t.cost);
	free(t.value);
	return status;
}
