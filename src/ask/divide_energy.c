/* SPDX-License-Identifier: GPL-3.0-or-later */
/* divide_energy.c - shares of least energy by a deadline, and time against energy: tables made of costs. */
#include "ask/divide.h"
#include "base/alloc.h"

/* Tables have an entry a step. */
enum { STEPS_MOST = 1000000 };

struct tables {
	struct ft_plan_costs *cost; /* [p] */
	double *value;              /* of the n groups, both */
	size_t rows;
};

/* The model of joules; none where the power of the host is told instead. */
static enum ft_status make_energy(const struct ft_divide *d, struct ft_divide_group *g, struct ft_err *err)
{
	const struct ft_cost_options options = {
		.resource = &ft_energy_j, .memory_bytes = INFINITY, .step = d->step};
	const char *name = ft_ask_program(g->answerer)->name;

	if (g->watts > 0 || g->energy.n)
		return FT_OK;
	if (!ft_ask_has(g->answerer, &ft_energy_j)) {
		(void)ft_fail(err, FT_ENOENT, "what '%s' costs in energy%s%s is not known", name,
			      g->host ? " on " : "", g->host ? g->host : "");
		return ft_remedy(
			err, "measure it (foretime run --measure energy=rapl), or state the power of each "
			     "host: --resources FILE.csv with the columns host and watts");
	}
	if (ft_cost_make(&g->energy, g->answerer, &g->size, g->varying, d->total, &options, err))
		return ft_fail_at(err, "%s", name);
	return FT_OK;
}

static enum ft_status check_steps(const struct ft_divide *d, struct ft_err *err)
{
	const char *name = ft_ask_program(d->group[0].answerer)->param[d->group[0].varying].name;
	int64_t step = ft__divide_step(d);

	if (d->total % step) {
		(void)ft_fail(err, FT_EINVAL, "%s=%lld is no multiple of %lld: for energy it must be", name,
			      (long long)d->total, (long long)step);
		return ft_remedy(err, "choose a --granularity that divides it");
	}
	if (d->total / step <= STEPS_MOST)
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL,
		      "energy is planned with tables of at most %d steps, and %s=%lld has %lld", STEPS_MOST,
		      name, (long long)d->total, (long long)(d->total / step));
	return ft_remedy(err, "divide in larger steps: --granularity %lld", (long long)(d->total / 10000));
}

static void fill_table(const struct ft_divide *d, const struct ft_divide_group *g, size_t rows,
		       double *time_s, double *energy_j)
{
	const struct ft_plan_times times = {.n = g->cost.n, .at = g->cost.at, .time_s = g->cost.value};
	const struct ft_plan_times joules = {.n = g->energy.n, .at = g->energy.at, .time_s = g->energy.value};

	for (size_t i = 0; i < rows; i++) {
		int64_t units = (int64_t)i * ft__divide_step(d);

		time_s[i] = units < d->least ? (double)INFINITY : ft_plan_time(&times, units);
		energy_j[i] = joules.n ? ft_plan_time(&joules, units) : time_s[i] * g->watts;
	}
}

static void clear_tables(struct tables *t)
{
	ft_free(t->cost);
	ft_free(t->value);
}

/* t: zeroed; ends with clear_tables. */
static enum ft_status make_tables(struct ft_divide *d, size_t p, struct tables *t, struct ft_err *err)
{
	enum ft_status status = check_steps(d, err);
	size_t k = 0;

	for (size_t i = 0; i < d->n && !status; i++)
		status = make_energy(d, &d->group[i], err);
	if (status)
		return status;
	t->rows = (size_t)(d->total / ft__divide_step(d)) + 1;
	t->cost = ft_calloc(p, sizeof *t->cost);
	t->value = ft_calloc(2 * d->n * t->rows, sizeof *t->value);
	if (!t->cost || !t->value)
		return ft_nomem(err);
	for (size_t i = 0; i < d->n; i++) {
		double *time_s = t->value + 2 * i * t->rows, *energy_j = time_s + t->rows;

		fill_table(d, &d->group[i], t->rows, time_s, energy_j);
		for (size_t j = 0; j < d->group[i].count; j++)
			t->cost[k++] = (struct ft_plan_costs){t->rows, time_s, energy_j};
	}
	return FT_OK;
}

/* Shares take the place of those of the fastest plan. */
static enum ft_status take_shares(const struct ft_divide *d, const struct tables *t, const int64_t *steps,
				  struct ft_division *out, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	out->time_s = 0;
	for (size_t k = 0; k < out->p && !status; k++) {
		struct ft_divide_share *share = &out->share[k];

		share->units = steps[k] * ft__divide_step(d);
		share->time_s = t->cost[k].time_s[steps[k]];
		share->energy_j = t->cost[k].energy_j[steps[k]];
		share->binds = FT_BINDS_NOT;
		out->time_s = fmax(out->time_s, share->time_s);
		status = ft__divide_predict(d, share, err);
	}
	return status;
}

enum ft_status ft_divide_cheapest(struct ft_divide *d, double deadline_s, struct ft_division *out,
				  struct ft_err *err)
{
	struct tables t = {0};
	int64_t *steps = ft_calloc(out->p, sizeof *steps);
	enum ft_status status = steps ? make_tables(d, out->p, &t, err) : ft_nomem(err);

	if (!status)
		status = ft_plan_partition_energy(t.cost, out->p, (int64_t)t.rows - 1, deadline_s, 0, steps,
						  &out->cheap, err);
	if (!status && isfinite(out->cheap.plan.value))
		status = take_shares(d, &t, steps, out, err);
	clear_tables(&t);
	ft_free(steps);
	return status;
}

enum ft_status ft_divide_front(struct ft_divide *d, size_t most, struct ft_plan_front *front,
			       struct ft_division *out, struct ft_err *err)
{
	struct tables t = {0};
	enum ft_status status = make_tables(d, out->p, &t, err);

	*front = (struct ft_plan_front){0};
	if (!status)
		status = ft_plan_front(t.cost, out->p, (int64_t)t.rows - 1, most, 0, front, err);
	if (!status && front->n) {
		const struct ft_plan_point *knee = &front->point[front->knee];

		out->cheap = (struct ft_partition_energy){.plan = {.value = knee->energy_j,
								   .bound = knee->energy_j,
								   .exact = front->complete,
								   .evaluations = front->evaluations},
							  .time_s = knee->time_s,
							  .fastest_s = NAN};
		status = take_shares(d, &t, front->units + front->knee * out->p, out, err);
	}
	if (status)
		ft_plan_front_clear(front);
	clear_tables(&t);
	return status;
}
