/* SPDX-License-Identifier: GPL-3.0-or-later */
/* models.c - at the end of a sweep: a model of every resource that was measured, kept in the store. */
#include "sweep/sweep.h"
#include "base/alloc.h"
#include "base/clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The parameters that do not vary in the runs; the others are 0. */
static struct ft_size fixed_of(const struct ft_runs *runs, const size_t *axis, size_t n_axes)
{
	struct ft_size fixed = {0};

	for (size_t i = runs->n; i-- > 0;)
		if (runs->run[i].outcome == FT_DONE && !runs->run[i].warmup)
			fixed = runs->run[i].size;
	for (size_t i = 0; i < n_axes; i++)
		fixed.value[axis[i]] = 0;
	return fixed;
}

/* Within the tolerance: of what is known less, nobody says that nothing changes it. */
static bool is_known(const struct ft_sweep *sweep, const struct ft_model_facts *facts)
{
	return !facts->too_few && facts->known <= sweep->options.tolerance;
}

/* Whether one parameter changes nothing: at all sizes that were measured the typical run is the same within
 * the tolerance, and between them it is known as well. */
static bool is_flat(const struct ft_sweep *sweep, const struct ft_model *model)
{
	const struct ft_model_facts *facts = ft_model_facts(model);
	double least = INFINITY, most = 0, tolerance = sweep->options.tolerance;
	size_t n;
	const struct ft_knot *knot = ft_model_knots(model, &n);

	for (size_t i = 0; i < n; i++) {
		struct ft_prediction at;

		if (ft_model_predict(model, &knot[i].size, knot[i].work, 0.9, &at, NULL))
			return false;
		least = fmin(least, at.value);
		most = fmax(most, at.value);
	}
	return is_known(sweep, facts) && most <= least * (1 + tolerance);
}

/* What is told of the model of the steering resource. */
static void report_model(struct ft_sweep *sweep, const struct ft_model *model)
{
	const struct ft_model_facts *facts = ft_model_facts(model);
	struct ft_sweep_report *report = &sweep->report;

	if (sweep->n_axes == 1)
		report->flat[sweep->varying] = is_flat(sweep, model);
	else if (sweep->options.builder->repeats && !is_known(sweep, facts))
		memset(report->flat, 0, sizeof report->flat);
	report->known_to = facts->known;
	report->scatter = facts->scatter;
	report->rough = facts->rough;
	report->noisy = facts->noisy;
	report->too_few = facts->too_few;
}

/* Of runs over the parameter of the sweep the facts are about the sizes that may be asked for, where these
 * are listed. */
static struct ft_model_options options_of(const struct ft_sweep *sweep, const size_t *axis, size_t n_axes)
{
	struct ft_model_options options = {
		.axis = axis, .n_axes = n_axes, .prior = ft_store_prior(sweep->store)};

	if (n_axes == 1 && sweep->n_axes == 1 && axis[0] == sweep->varying) {
		const struct ft_space *space = ft_builder_space(sweep->builder, axis[0]);

		options.sizes = space->sizes;
		options.n_sizes = space->n_sizes;
	}
	return options;
}

/* FT_ENOMODEL: no run has the resource. The record is the caller's, also on failure. */
static enum ft_status fit_model(const struct ft_sweep *sweep, const struct ft_program *program,
				const struct ft_runs *runs, const struct ft_resource *resource,
				struct ft_model_record *record, struct ft_err *err)
{
	size_t axis[FT_PARAMS_MAX] = {sweep->varying}, n_axes = ft_runs_axes(runs, NULL, axis);

	*record = (struct ft_model_record){
		.resource = resource,
		.stop = sweep->report.stop,
		.made_ns = ft_clock_real_ns(),
		.last_run = runs->n ? runs->run[runs->n - 1].id : 0,
	};
	if (!runs->n)
		return ft_fail(err, FT_ENOMODEL, "there are no runs");
	if (!n_axes)
		axis[n_axes++] = sweep->varying;
	record->fixed = fixed_of(runs, axis, n_axes);
	struct ft_model_options options = options_of(sweep, axis, n_axes);
	(void)snprintf(record->method, sizeof record->method, "%s", ft_sweep_method(&sweep->options));
	return ft_model_fit_runs(&record->model, program, runs, resource, &record->fixed, &options, err);
}

/* One model: fitted, stored, counted. No run with the resource is no failure. */
static enum ft_status keep_model(struct ft_sweep *sweep, const struct ft_program *program,
				 const struct ft_runs *runs, const struct ft_resource *resource,
				 struct ft_err *err)
{
	struct ft_model_record record;
	enum ft_status status = fit_model(sweep, program, runs, resource, &record, err);

	if (status == FT_ENOMODEL)
		return FT_OK;
	if (!status)
		status = ft_store_put_model(sweep->store, program->id, sweep->machine->id, &record, err);
	if (!status)
		sweep->report.models++;
	if (!status && program == sweep->program && resource == sweep->options.resource)
		report_model(sweep, record.model);
	ft_model_record_clear(&record);
	return status;
}

static enum ft_status get_runs(const struct ft_sweep *sweep, const struct ft_program *program,
			       struct ft_runs *runs, struct ft_err *err)
{
	enum ft_status status = ft_store_get_runs(sweep->store, program->id, sweep->machine->id, runs, err);

	(void)ft_runs_settle(runs);
	return status;
}

static enum ft_status keep_program(struct ft_sweep *sweep, const struct ft_program *program,
				   struct ft_err *err)
{
	const struct ft_resource *resource;
	const struct ft_resource **counter = NULL;
	struct ft_runs runs = {0};
	enum ft_status status = get_runs(sweep, program, &runs, err);
	size_t n_counters = 0;

	if (!status)
		status = ft_runs_counters(&runs, &counter, &n_counters, err);
	for (size_t i = 0; runs.n && !status && (resource = ft_resource_get(i)); i++)
		status = keep_model(sweep, program, &runs, resource, err);
	for (size_t i = 0; !status && i < n_counters; i++)
		status = keep_model(sweep, program, &runs, counter[i], err);
	ft_free(counter);
	ft_runs_clear(&runs);
	return status;
}

/* The programs NAME/... of the same executable. */
static enum ft_status keep_routines(struct ft_sweep *sweep, struct ft_err *err)
{
	struct ft_store_list list = {0};
	size_t length = strlen(sweep->program->name), i;
	enum ft_status status = ft_store_find_runs(sweep->store, NULL, &list, err);

	for (i = 0; i < list.n && !status; i++) {
		const struct ft_store_entry *entry = &list.entry[i];
		struct ft_program routine;

		if (strncmp(entry->name, sweep->program->name, length) != 0 || entry->name[length] != '/' ||
		    !entry->current || entry->machine != sweep->machine->id)
			continue;
		status = ft_store_get_program_at(sweep->store, entry->program, &routine, err);
		if (!status && !ft_program_is_on(&routine, sweep->program->device)) {
			ft_program_clear(&routine);
			continue;
		}
		if (!status)
			status = keep_program(sweep, &routine, err);
		ft_program_clear(&routine);
	}
	ft_store_list_clear(&list);
	return status;
}

enum ft_status ft__keep_models(struct ft_sweep *sweep, struct ft_err *err)
{
	enum ft_status status = keep_program(sweep, sweep->program, err);

	return status ? status : keep_routines(sweep, err);
}
