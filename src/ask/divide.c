/* SPDX-License-Identifier: GPL-3.0-or-later */
/* divide.c - divides a total over processors by their models: costs, and the fastest shares. */
#include "ask/ask.h"
#include "base/alloc.h"
#include "plan/door.h"

#include <assert.h>
#include <string.h>

/* divide_step - the units that each share is a multiple of. */
static int64_t divide_step(const struct ft_divide *d)
{
	return d->step > 0 ? d->step : 1;
}

/* ---- costs --------------------------------------------------------------------------------------------- */

double ft_divide_risk(double risk, size_t n)
{
	return risk > 0 ? -expm1(log1p(-risk) / (double)(n ? n : 1)) : 0;
}

static size_t count_processors(const struct ft_divide *d)
{
	size_t p = 0;

	for (size_t i = 0; i < d->n; i++)
		p += d->group[i].count;
	return p;
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* Processors of one machine share its memory. Hosts that are alike but for their name do not. */
static size_t count_sharers(const struct ft_divide *d, const struct ft_divide_group *own)
{
	const char *machine = ft_ask_answered_machine(own->answerer)->fingerprint;
	size_t n = 0;

	for (size_t i = 0; i < d->n; i++) {
		const struct ft_divide_group *g = &d->group[i];

		if (same_text(g->host, own->host) &&
		    same_text(ft_ask_answered_machine(g->answerer)->fingerprint, machine))
			n += g->count;
	}
	return n;
}

/* The cost of a group, by its own options except for the risk. */
static enum ft_status make_cost(const struct ft_divide *d, const struct ft_divide_group *g, double risk,
				struct ft_cost *cost, struct ft_err *err)
{
	struct ft_cost_options options = g->options;

	options.risk = risk;
	if (ft_cost_make(cost, g->answerer, &g->size, g->varying, d->total, &options, err))
		return ft_fail_at(err, "%s", ft_ask_program(g->answerer)->name);
	return FT_OK;
}

void ft_divide_clear(struct ft_divide *d)
{
	for (size_t i = 0; d && i < d->n; i++) {
		ft_cost_clear(&d->group[i].cost);
		ft_cost_clear(&d->group[i].energy);
	}
}

enum ft_status ft_divide_costs(struct ft_divide *d, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	ft_divide_clear(d);
	for (size_t i = 0; i < d->n && !status; i++) {
		struct ft_divide_group *g = &d->group[i];

		g->options = (struct ft_cost_options){.risk = ft_divide_risk(d->risk, count_processors(d)),
						      .memory_risk = d->memory_risk,
						      .memory_bytes = g->memory_bytes,
						      .processors = count_sharers(d, g),
						      .most = g->limit_s,
						      .step = d->step,
						      .effort = d->effort};
		status = make_cost(d, g, g->options.risk, &g->cost, err);
	}
	return status;
}

struct ft_plan_times ft_divide_times(const struct ft_divide *d, size_t group)
{
	const struct ft_divide_group *g = &d->group[group];

	return (struct ft_plan_times){.count = g->count,
				      .least = d->least,
				      .n = g->cost.n,
				      .at = g->cost.at,
				      .time_s = g->cost.value};
}

/* ---- a risk of all together ---------------------------------------------------------------------------- */

/* Whether shares are chosen for the joint risk: not if such rare times cannot be predicted. */
static bool is_joint(const struct ft_divide *d)
{
	return d->risk >= FT_COST_RAREST && !d->apart;
}

/* Plan with the upper end of a rough model, which has no typical time. */
static bool is_rough(const struct ft_divide *d)
{
	size_t i;

	for (i = 0; i < d->n && !d->group[i].cost.rough; i++)
		continue;
	return i < d->n;
}

/* Times that runs exceed with the risk of each, in addition to typical ones. typical: [n] zeroed. */
static enum ft_status improve_shares(const struct ft_divide *d, const struct ft_plan_times *late,
				     struct ft_cost *typical, struct ft_plan_times *times,
				     struct ft_division *out, int64_t *units, struct ft_err *err)
{
	const struct ft_partition_options options = {.granularity = d->step};
	struct ft_partition_late found;
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < d->n && !status; i++) {
		status = make_cost(d, &d->group[i], 0, &typical[i], err);
		times[i] = late[i];
		times[i].n = typical[i].n;
		times[i].at = typical[i].at;
		times[i].time_s = typical[i].value;
	}
	if (!status)
		status = ft_plan_partition_late(times, late, fmax(FT_COST_RAREST, out->risk), d->n, d->total,
						&options, d->risk, units, &found, err);
	if (!status)
		out->found.plan = found.plan;
	return status;
}

static enum ft_status join_risk(const struct ft_divide *d, const struct ft_plan_times *late,
				struct ft_division *out, int64_t *units, enum ft_plan_binds *binds,
				struct ft_err *err)
{
	struct ft_cost *typical = ft_calloc(d->n, sizeof *typical);
	struct ft_plan_times *times = ft_calloc(d->n, sizeof *times);
	enum ft_status status = typical && times ? FT_OK : ft_nomem(err);
	size_t k = 0;

	if (!status)
		status = improve_shares(d, late, typical, times, out, units, err);
	for (size_t i = 0; i < d->n && !status; i++)
		for (size_t j = 0; j < d->group[i].count; j++, k++)
			binds[k] = units[k] + divide_step(d) > d->group[i].cost.most ? FT_BINDS_CAP
										     : FT_BINDS_TIME;
	for (size_t i = 0; typical && i < d->n; i++)
		ft_cost_clear(&typical[i]);
	ft_free(typical);
	ft_free(times);
	return status;
}

/* ---- the answer ---------------------------------------------------------------------------------------- */

/* divide_predict - what a run of the share takes, as 9 in 10 do: share->at. FT_ENOMEM. */
static enum ft_status divide_predict(const struct ft_divide *d, struct ft_divide_share *share,
				     struct ft_err *err)
{
	const struct ft_divide_group *g = &d->group[share->group];
	struct ft_size size = g->size;
	enum ft_status status = FT_ENOENT;

	size.value[g->varying] = (double)share->units;
	if (share->units)
		status = ft_ask_predict(g->answerer, &ft_wall_s, &size, 0.9, &share->at, NULL);
	if (status)
		share->at = (struct ft_prediction){.value = NAN, .lower = NAN, .upper = NAN, .distance = 1};
	return status == FT_ENOMEM ? ft_nomem(err) : FT_OK;
}

/* Between knots the plan uses a line: report the model's prediction instead. */
static enum ft_status fill_share(const struct ft_divide *d, struct ft_divide_share *share, struct ft_err *err)
{
	const struct ft_divide_group *g = &d->group[share->group];
	const struct ft_plan_times times = ft_divide_times(d, share->group);
	struct ft_size size = g->size;
	enum ft_status status = FT_OK;

	size.value[g->varying] = (double)share->units;
	share->energy_j = NAN;
	if (share->units)
		status = ft_cost_at(g->answerer, &size, g->varying, &g->options, &share->time_s, &share->end,
				    NULL);
	if (status)
		share->time_s = ft_plan_time(&times, share->units);
	return status == FT_ENOMEM ? ft_nomem(err) : divide_predict(d, share, err);
}

static enum ft_status fill_shares(const struct ft_divide *d, const int64_t *units,
				  const enum ft_plan_binds *binds, struct ft_division *out,
				  struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t k = 0;

	for (size_t i = 0; i < d->n; i++)
		for (size_t j = 0; j < d->group[i].count && !status; j++, k++) {
			out->share[k] =
				(struct ft_divide_share){.group = i, .units = units[k], .binds = binds[k]};
			status = fill_share(d, &out->share[k], err);
			out->time_s = fmax(out->time_s, out->share[k].time_s);
		}
	return status;
}

/* The remainder goes to the last one. */
static double time_of_equal(const struct ft_divide *d, size_t p)
{
	assert(p > 0);
	int64_t step = divide_step(d), each = d->total / step / (int64_t)p,
		more = d->total / step % (int64_t)p, k = 0;
	double latest = 0;

	for (size_t i = 0; i < d->n; i++) {
		const struct ft_plan_times times = ft_divide_times(d, i);

		for (size_t j = 0; j < d->group[i].count; j++, k++)
			latest = fmax(
				latest,
				ft_plan_time(&times, step * (each + (k < more)) +
							     (k == (int64_t)p - 1 ? d->total % step : 0)));
	}
	return latest;
}

/* units, binds: [p] room. */
static enum ft_status divide_total(struct ft_divide *d, const struct ft_plan_times *times, int64_t *units,
				   enum ft_plan_binds *binds, struct ft_division *out, struct ft_err *err)
{
	const struct ft_partition_options options = {.granularity = d->step};
	enum ft_status status =
		ft_plan_partition(times, d->n, d->total, &options, units, binds, &out->found, err);

	if (!status && is_joint(d) && !is_rough(d) && isfinite(out->found.plan.value))
		status = join_risk(d, times, out, units, binds, err);
	if (status)
		return status;
	if (is_joint(d)) {
		/* A processor without work is never late: the risk is divided among the rest. */
		size_t busy = 0;

		for (size_t i = 0; i < out->p; i++)
			busy += units[i] > 0;
		out->risk = ft_divide_risk(d->risk, busy);
		for (size_t i = 0; i < d->n; i++)
			d->group[i].options.risk = out->risk;
	}
	status = fill_shares(d, units, binds, out, err);
	if (is_joint(d) && isfinite(out->time_s))
		out->time_s = out->found.plan.value;
	out->equal_s = time_of_equal(d, out->p);
	return status;
}

enum ft_status ft_divide_fastest(struct ft_divide *d, struct ft_division *out, struct ft_err *err)
{
	size_t p = count_processors(d), i;
	struct ft_plan_times *times = ft_calloc(d->n, sizeof *times);
	int64_t *units = ft_calloc(p, sizeof *units);
	enum ft_plan_binds *binds = ft_calloc(p, sizeof *binds);
	enum ft_status status;

	ft_division_clear(out);
	*out = (struct ft_division){
		.share = ft_calloc(p, sizeof *out->share), .p = p, .risk = ft_divide_risk(d->risk, p)};
	for (i = 0; times && i < d->n; i++)
		times[i] = ft_divide_times(d, i);
	if (times && units && binds && out->share)
		status = divide_total(d, times, units, binds, out, err);
	else
		status = ft_nomem(err);
	if (status)
		ft_division_clear(out);
	ft_free(times);
	ft_free(units);
	ft_free(binds);
	return status;
}

void ft_division_clear(struct ft_division *division)
{
	if (!division)
		return;
	ft_free(division->share);
	*division = (struct ft_division){0};
}

/*
 * Shares of least energy by a deadline, and time against energy, from tables of costs.
 */

/* Tables have an entry a step. */
enum { STEPS_MOST = 1000000 };

struct tables {
	struct ft_plan_costs *cost; /* [p] */
	double *value;              /* of the n groups, both */
	size_t rows;
};

/* The model of joules; none if the power of the host is given instead. */
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
	int64_t step = divide_step(d);

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
		int64_t units = (int64_t)i * divide_step(d);

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
	t->rows = (size_t)(d->total / divide_step(d)) + 1;
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

		share->units = steps[k] * divide_step(d);
		share->time_s = t->cost[k].time_s[steps[k]];
		share->energy_j = t->cost[k].energy_j[steps[k]];
		share->binds = FT_BINDS_NOT;
		out->time_s = fmax(out->time_s, share->time_s);
		status = divide_predict(d, share, err);
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
