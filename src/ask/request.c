/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request.c - what to ask a batch system for: the upper ends of predictions, at a stated joint risk. */
#include "ask/request.h"
#include "num/stats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Bounds of the risk of a request; the least part of it that a resource gets, and the least risk. */
static const double least_risk = 0.001, most_risk = 0.25, least_part = 0.1, least_each = 0.0005;

/* Memory of runs that all were shorter may have been looked at before it was all held. */
static const double brief_s = 1;

/* Runs of the nearest sizes tell how many processors are busy. */
enum { NEAREST = 9 };

static bool has_model(const struct ft_answerer *answerer, const char *resource)
{
	return ft__ask_has_value(answerer, resource) ||
	       ft_knowledge_law(&answerer->knowledge, resource) != NULL;
}

/* Whether the resource was learned from runs of under a second only. */
static bool is_brief(const struct ft_runs *runs, const char *resource)
{
	bool any = false;
	size_t i;

	for (i = 0; i < runs->n && *resource; i++) {
		const struct ft_run *run = &runs->run[i];
		double wall_s = ft_run_alone(run).wall_s;

		if (run->outcome != FT_DONE || isnan(ft_run_value(run, resource)) || isnan(wall_s))
			continue;
		if (wall_s >= brief_s)
			return false;
		any = true;
	}
	return any;
}

/* The runs are looked through once. */
static void find_resources(struct ft_answerer *a)
{
	if (a->requested.time)
		return;
	a->requested.time = has_model(a, "wall_s") ? "wall_s" : "";
	a->requested.memory = has_model(a, "peak_tree_bytes")  ? "peak_tree_bytes"
			      : has_model(a, "peak_rss_bytes") ? "peak_rss_bytes"
							       : "";
	a->requested.cpus = ft__ask_has_value(a, "cpu_s");
	a->requested.brief = is_brief(&a->runs, a->requested.memory);
}

/* The processors that a run kept busy; NaN: not known. */
static double busy_processors(const struct ft_run *run)
{
	double cpu = ft_run_value(run, "cpu_s"), wall = ft_run_alone(run).wall_s;

	return run->outcome == FT_DONE && !run->warmup && wall > 0 ? cpu / wall : NAN;
}

double ft__size_distance(const struct ft_size *a, const struct ft_size *b)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < a->n; i++)
		if (a->value[i] != b->value[i])
			sum += a->value[i] > 0 && b->value[i] > 0 ? fabs(log(a->value[i] / b->value[i])) : 1;
	return sum;
}

double ft__request_cpus(const struct ft_answerer *answerer, const struct ft_size *size)
{
	double near[NEAREST], value[NEAREST];
	size_t n = 0, i, j;

	for (i = 0; i < answerer->runs.n && answerer->requested.cpus; i++) {
		const struct ft_run *run = &answerer->runs.run[i];
		double d = ft__size_distance(&run->size, size);

		if (isnan(busy_processors(run)) || (n == NEAREST && d >= near[n - 1]))
			continue;
		n += n < NEAREST;
		for (j = n - 1; j && near[j - 1] > d; j--) {
			near[j] = near[j - 1];
			value[j] = value[j - 1];
		}
		near[j] = d;
		value[j] = busy_processors(run);
	}
	return n ? ft_stats_median(value, n) : NAN;
}

/* The size with what is below the data at its least value there, or at its largest one. */
static struct ft_size moved_inside(const struct ft_answerer *a, const struct ft_model_record *record,
				   const struct ft_size *size, bool largest)
{
	struct ft_size to = *size;
	const struct ft_knot *knot;
	size_t n, i, k;

	knot = ft_model_knots(record->model, &n);
	for (i = 0; i < a->n_axes; i++) {
		double least = INFINITY, most = -INFINITY, *value = &to.value[a->axis[i]];

		for (k = 0; k < n; k++) {
			least = fmin(least, knot[k].size.value[a->axis[i]]);
			most = fmax(most, knot[k].size.value[a->axis[i]]);
		}
		if (*value < least)
			*value = largest ? most : least;
	}
	return to;
}

/* Below the data the interval widens, and what is said may rise by what noise made of the smallest sizes; but
 * smaller problems are not dearer than the smallest measured, unless over the data larger ones are cheaper.
 */
static enum ft_status cap_below(struct ft_answerer *a, const struct ft_model_record *record,
				const struct ft_size *size, double confidence, const struct ft_prediction *at,
				double *most, struct ft_err *err)
{
	struct ft_size first = moved_inside(a, record, size, false),
		       last = moved_inside(a, record, size, true);
	struct ft_prediction there, end;
	enum ft_status status;

	if (ft_size_equal(&first, size))
		return FT_OK;
	status = ft_ask_predict(a, record->resource, &first, confidence, &there, err);
	if (!status)
		status = ft_ask_predict(a, record->resource, &last, confidence, &end, err);
	if (!status && (at->value <= there.upper || there.value <= end.value))
		*most = fmin(*most, there.upper);
	return status;
}

/* A risk is promised, and the quantile that keeps it is itself found from few runs: so much of it is used.
 * With 30 runs of programs that nobody knew, 10 % asked: 12 % were over with all of it, 9.6 % with this. */
static const double spared = 0.8;

enum ft_status ft__request_upper(struct ft_answerer *answerer, const char *resource,
				 const struct ft_size *size, double risk, struct ft_prediction *at,
				 double *most, struct ft_err *err)
{
	const struct ft_model_record *record;
	double confidence = fmin(0.999, 1 - 2 * spared * risk);
	enum ft_status status = ft_ask_model(answerer, resource, size, &record, err);

	if (!status)
		status = ft_ask_predict(answerer, resource, size, confidence, at, err);
	if (status)
		return status;
	*most = at->upper;
	return cap_below(answerer, record, size, confidence, at, most, err);
}

static enum ft_status set_need(struct ft_answerer *answerer, const struct ft_size *size, struct ft_need *need,
			       struct ft_err *err)
{
	if (!need->resource[0])
		return FT_OK;
	return ft__request_upper(answerer, need->resource, size, need->risk, &need->at, &need->most, err);
}

double ft__request_reached(const struct ft_runs *runs, const char *resource, size_t varying,
			   const struct ft_size *fixed)
{
	double most = NAN;
	size_t i, j;

	for (i = 0; i < runs->n; i++) {
		const struct ft_run *run = &runs->run[i];
		bool same = run->outcome == FT_OUT_OF_MEMORY && run->size.n == fixed->n;

		for (j = 0; j < fixed->n && same; j++)
			same = j == varying || run->size.value[j] <= fixed->value[j];
		if (same)
			most = fmax(most, ft_run_value(run, resource));
	}
	return most;
}

/* A killed run says that its memory was not enough; where the model allows less, it is refuted. */
static void set_killed(const struct ft_answerer *answerer, const struct ft_size *size, struct ft_request *out)
{
	size_t varying = answerer->axis[0];
	const struct ft_run *killer = ft_runs_killer(&answerer->runs, varying, size);

	if (!killer)
		return;
	out->killed = killer->size.value[varying];
	out->killed_at = killer->size;
	out->beyond_kill = size->value[varying] >= out->killed;
	if (!out->beyond_kill || !out->memory.resource[0])
		return;
	out->reached_bytes = ft__request_reached(&answerer->runs, out->memory.resource, varying, size);
	out->refuted = out->reached_bytes >= out->memory.most;
	out->memory.most = fmax(out->memory.most, out->reached_bytes);
}

enum ft_status ft__request_init(struct ft_answerer *answerer, double risk, struct ft_request *out,
				struct ft_err *err)
{
	const char *memory, *time;

	find_resources(answerer);
	memory = answerer->requested.memory;
	time = answerer->requested.time;
	*out = (struct ft_request){.risk = risk, .cpus = NAN, .killed = NAN, .reached_bytes = NAN};
	if (!(risk >= least_risk && risk <= most_risk)) {
		(void)ft_fail(err, FT_EINVAL, "a risk of %g is not within %g and %g", risk, least_risk,
			      most_risk);
		(void)ft_remedy(err, "state the share of runs that may turn out to need more, as in 5%%");
		return FT_EINVAL; /* also without err */
	}
	if (!*memory && !*time)
		return ft_fail(err, FT_ENOMODEL, "neither the time nor the memory of '%s' was measured",
			       ft_ask_program(answerer)->name);
	(void)snprintf(out->time.resource, sizeof out->time.resource, "%s", time);
	(void)snprintf(out->memory.resource, sizeof out->memory.resource, "%s", memory);
	out->time.risk = out->memory.risk = *memory && *time ? risk / 2 : risk;
	return FT_OK;
}

/* How much single runs scatter; NaN: not known. */
static enum ft_status noise_of(struct ft_answerer *answerer, const struct ft_need *need,
			       const struct ft_size *size, double *noise, struct ft_err *err)
{
	const struct ft_model_record *record;
	enum ft_status status = ft_ask_model(answerer, need->resource, size, &record, err);

	*noise = status ? (double)NAN : log1p(ft_model_facts(record->model)->scatter);
	return status;
}

enum ft_status ft__request_split(struct ft_answerer *answerer, const struct ft_size *size,
				 struct ft_request *request, struct ft_err *err)
{
	double time, memory, least = fmax(least_part * request->risk, least_each);
	enum ft_status status;

	if (!request->time.resource[0] || !request->memory.resource[0])
		return FT_OK;
	status = noise_of(answerer, &request->time, size, &time, err);
	if (!status)
		status = noise_of(answerer, &request->memory, size, &memory, err);
	if (status || isnan(time) || isnan(memory) || !(time + memory > 0))
		return status;
	request->time.risk = fmin(fmax(request->risk * time / (time + memory), least), request->risk - least);
	request->memory.risk = request->risk - request->time.risk;
	return FT_OK;
}

enum ft_status ft_ask_request(struct ft_answerer *answerer, const struct ft_size *size, double risk,
			      struct ft_request *out, struct ft_err *err)
{
	enum ft_status status = ft__request_init(answerer, risk, out, err);

	if (!status)
		status = ft__request_split(answerer, size, out, err);
	if (!status)
		status = set_need(answerer, size, &out->time, err);
	if (!status)
		status = set_need(answerer, size, &out->memory, err);
	if (status)
		return status;
	out->cpus = ft__request_cpus(answerer, size);
	out->brief = answerer->requested.brief;
	set_killed(answerer, size, out);
	return FT_OK;
}
