/* SPDX-License-Identifier: GPL-3.0-or-later */
/* known.c - what a sweep knows of sizes: samples, failures, and what a run will cost. */
#include "sweep/sweep.h"
#include "base/alloc.h"
#include "num/stats.h"

#include <math.h>

static bool agrees(const struct ft__sweep *sweep, const struct ft_run *run, double x)
{
	size_t i;

	if (run->warmup || run->size.n != sweep->fixed.n)
		return false;
	for (i = 0; i < run->size.n; i++)
		if (run->size.value[i] != (i == sweep->varying ? x : sweep->fixed.value[i]))
			return false;
	return true;
}

/* Take over the runs that the store had of a place. */
static enum ft_status take_known(struct ft__sweep *sweep, size_t index, struct ft_err *err)
{
	double x = sweep->place[index].x;
	size_t i;

	for (i = 0; i < sweep->known.n; i++) {
		const struct ft_run *run = &sweep->known.run[i];
		enum ft_status status;

		if (!agrees(sweep, run, x))
			continue;
		status = ft__place_add(sweep, index, run, err);
		if (status)
			return status;
		sweep->report->known++;
	}
	return FT_OK;
}

enum ft_status ft__place_of(struct ft__sweep *sweep, double x, size_t *index, struct ft_err *err)
{
	struct ft_sweep_report *report = sweep->report;
	struct ft_sweep_size *sizes;
	struct ft__place *places;
	size_t i;

	for (i = 0; i < report->n_sizes; i++)
		if (sweep->place[i].x == x) {
			*index = i;
			return FT_OK;
		}
	sizes = ft_grow(report->size, report->n_sizes, &report->capacity, sizeof *sizes);
	if (sizes)
		report->size = sizes;
	places = ft_grow(sweep->place, report->n_sizes, &sweep->capacity, sizeof *places);
	if (places)
		sweep->place = places;
	if (!sizes || !places)
		return ft_nomem(err);
	*index = report->n_sizes++;
	sweep->place[*index] = (struct ft__place){.x = x};
	report->size[*index] = (struct ft_sweep_size){.size = sweep->fixed, .seconds = NAN};
	report->size[*index].size.value[sweep->varying] = x;
	return take_known(sweep, *index, err);
}

/* Whether a failed run tells that the size cannot be run: one that was cut short earlier than it would be now
 * does not. */
static bool tells(const struct ft__sweep *sweep, const struct ft_run *run)
{
	double limit = sweep->options->timeout_s;

	switch (run->outcome) {
	case FT_INTERRUPTED:
		return false;
	case FT_TIMED_OUT:
		return limit > 0 && run->cost_s >= limit;
	default:
		return true;
	}
}

static enum ft_status add_failure(struct ft__sweep *sweep, size_t index, const struct ft_run *run,
				  struct ft_err *err)
{
	struct ft_sweep_size *size = &sweep->report->size[index];
	struct ft__place *place = &sweep->place[index];

	place->asked++;
	if (!tells(sweep, run))
		return FT_OK;
	size->failed++;
	size->failure = run->outcome;
	ft_free(size->detail);
	size->detail = ft_strdup(run->detail);
	/* A crash may be an accident, and is tried again; these are not. */
	if (run->outcome != FT_FAILED && run->outcome != FT_CRASHED)
		place->closed = true;
	return size->detail || !run->detail ? FT_OK : ft_nomem(err);
}

static enum ft_status add_success(struct ft__sweep *sweep, size_t index, double seconds, double cost_s,
				  struct ft_err *err)
{
	struct ft_sweep_size *size = &sweep->report->size[index];
	struct ft__place *place = &sweep->place[index];
	size_t capacity = place->capacity;
	double *grown = ft_grow(place->seconds, place->n, &capacity, sizeof *grown);

	if (grown)
		place->seconds = grown;
	capacity = place->capacity;
	if (grown && (grown = ft_grow(place->cost_s, place->n, &capacity, sizeof *grown)))
		place->cost_s = grown;
	if (!grown)
		return ft_nomem(err);
	place->capacity = capacity;
	place->seconds[place->n] = seconds;
	place->cost_s[place->n++] = cost_s;
	place->asked++;
	size->runs = place->n;
	size->seconds = ft_stats_median(place->seconds, place->n);
	return FT_OK;
}

static void add_processor_time(struct ft__place *place, const struct ft_run *run)
{
	double cpu_s = ft_run_value(run, "cpu_s"), wall_s = ft_run_value(run, "wall_s");

	if (!(cpu_s > 0) || !(wall_s > 0))
		return;
	place->cpu_s += cpu_s;
	place->wall_s += wall_s;
	place->n_cpu++;
}

enum ft_status ft__place_add(struct ft__sweep *sweep, size_t index, const struct ft_run *run,
			     struct ft_err *err)
{
	double value = ft_run_value(run, sweep->options->resource);

	if (run->outcome != FT_DONE)
		return add_failure(sweep, index, run, err);
	/* A run without a positive value of the steering resource tells nothing, and the next one would not
	 * either. */
	if (!(value > 0)) {
		sweep->place[index].asked++;
		sweep->place[index].closed = true;
		return FT_OK;
	}
	add_processor_time(&sweep->place[index], run);
	return add_success(sweep, index, value, run->cost_s, err);
}

/* Whether run i of the store is the steering resource's at a size that the builder may be told of. */
static bool is_known(const struct ft__sweep *sweep, const struct ft_run *run)
{
	const struct ft_param *param = &sweep->program->param[sweep->varying];
	double x = run->size.n > sweep->varying ? run->size.value[sweep->varying] : NAN;

	return x >= param->least && x <= param->most && agrees(sweep, run, x);
}

enum ft_status ft__tell_known(struct ft__sweep *sweep, struct ft_err *err)
{
	double *seconds = ft_calloc(sweep->known.n, sizeof *seconds);
	enum ft_status status = seconds ? FT_OK : ft_nomem(err);
	size_t i, j, place;

	for (i = 0; i < sweep->known.n && !status; i++) {
		const struct ft_run *run = &sweep->known.run[i];
		size_t n = 0;
		double x;

		if (!is_known(sweep, run))
			continue;
		x = run->size.value[sweep->varying];
		for (j = 0; j <= i; j++) {
			const struct ft_run *before = &sweep->known.run[j];
			double value = ft_run_value(before, sweep->options->resource);

			if (before->outcome == FT_DONE && value > 0 && agrees(sweep, before, x))
				seconds[n++] = value;
		}
		status = ft__place_of(sweep, x, &place, err);
		/* A failure beside runs that ended well tells nothing. */
		if (!status && (n ? run->outcome == FT_DONE : !sweep->place[place].n && tells(sweep, run)))
			status = ft_builder_tell(sweep->builder, x, seconds, n, err);
	}
	ft_free(seconds);
	return status;
}

double ft__price(const struct ft__sweep *sweep, double x)
{
	const struct ft__place *a = NULL, *b = NULL;
	double from, to, exponent;
	size_t i;

	for (i = 0; i < sweep->report->n_sizes; i++) {
		const struct ft__place *p = &sweep->place[i];

		if (!p->n)
			continue;
		if (p->x == x)
			return ft_stats_median(p->cost_s, p->n);
		if (!a || fabs(p->x - x) < fabs(a->x - x)) {
			b = a;
			a = p;
		} else if (!b || fabs(p->x - x) < fabs(b->x - x)) {
			b = p;
		}
	}
	if (!a || !b || a->x <= 0 || b->x <= 0 || x <= 0)
		return NAN;
	from = ft_stats_median(b->cost_s, b->n);
	to = ft_stats_median(a->cost_s, a->n);
	exponent = log(to / from) / log(a->x / b->x);
	return to * pow(x / a->x, exponent);
}
