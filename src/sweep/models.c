/* SPDX-License-Identifier: GPL-3.0-or-later */
/* models.c - at the end of a sweep: a model of every resource that was measured, kept in the store. */
#include "sweep/sweep.h"
#include "base/alloc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* The most repetitions of a size that builders ask for, and how the error of a median compares to that of a
 * mean (sqrt(pi / 2)). */
static const double repeats_most = 9, median_error = 1.25;

/* What the stated error of a surface has of the noise of single runs in it, at least. */
static const double surface_share = 0.7071067811865476;

static int64_t now_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* The parameters that do not vary in the runs; the others are 0. */
static struct ft_size fixed_of(const struct ft_runs *runs, const size_t *axis, size_t n_axes, size_t varying)
{
	struct ft_size fixed = {0};
	size_t i;

	for (i = runs->n; i-- > 0;)
		if (runs->run[i].outcome == FT_DONE && !runs->run[i].warmup)
			fixed = runs->run[i].size;
	for (i = 0; i < n_axes; i++)
		fixed.value[axis[i]] = 0;
	fixed.value[varying] = 0;
	return fixed;
}

/* One model: fitted, stored, counted. No run with the resource is no failure. */
static enum ft_status keep_model(struct ft__sweep *sweep, const struct ft_program *program,
				 const struct ft_runs *runs, const char *resource, struct ft_err *err)
{
	size_t axis[FT_PARAMS_MAX], n_axes = ft_runs_axes(runs, NULL, axis);
	size_t varying = n_axes ? axis[0] : sweep->varying;
	struct ft_model_record record = {
		.stop = sweep->report->stop,
		.fixed = fixed_of(runs, axis, n_axes, varying),
		.made_ns = now_ns(),
		.last_run = runs->run[runs->n - 1].id,
	};
	const double *sizes;
	size_t n_sizes = ft_source_sizes(sweep->source, &sizes);
	enum ft_status status;

	(void)snprintf(record.resource, sizeof record.resource, "%s", resource);
	(void)snprintf(record.method, sizeof record.method, "%s", sweep->options->builder->name);
	if (n_axes > 1)
		status = ft_surface_fit_runs(&record.surface, program, runs, resource, err);
	else
		status = ft_model_fit_runs(&record.model, program, varying, &record.fixed, runs, resource,
					   err);
	if (status == FT_ENOMODEL)
		return FT_OK;
	if (!status && n_sizes && n_axes <= 1)
		status = ft_model_state(&record.model, sizes, n_sizes, err);
	if (!status)
		status = ft_store_put_model(sweep->store, program->id, sweep->machine->id, &record, err);
	if (!status)
		sweep->report->models++;
	if (!status && program == sweep->program && !strcmp(resource, sweep->options->resource)) {
		bool several = n_axes > 1;

		sweep->report->stated_error =
			several ? record.surface.stated_error : record.model.stated_error;
		sweep->report->rough = several ? record.surface.rough : record.model.rough;
		sweep->report->rough_by_noise =
			several ? record.surface.rough_by_noise : record.model.rough_by_noise;
		sweep->report->noise =
			several ? ft_surface_noise(&record.surface) : ft_model_noise(&record.model);
		sweep->report->attainable =
			sweep->report->noise * (several ? surface_share : median_error / sqrt(repeats_most));
	}
	ft_model_record_clear(&record);
	return status;
}

static enum ft_status keep_program(struct ft__sweep *sweep, const struct ft_program *program,
				   struct ft_err *err)
{
	const struct ft_resource *resource;
	struct ft_resource *counter = NULL;
	struct ft_runs runs = {0};
	enum ft_status status = ft_store_get_runs(sweep->store, program->id, sweep->machine->id, &runs, err);
	size_t i, n_counters = 0;

	(void)ft_runs_settle(&runs);
	if (!status)
		status = ft_runs_counters(&runs, &counter, &n_counters, err);
	for (i = 0; runs.n && !status && (resource = ft_resource_get(i)); i++)
		status = keep_model(sweep, program, &runs, resource->name, err);
	for (i = 0; !status && i < n_counters; i++)
		status = keep_model(sweep, program, &runs, counter[i].name, err);
	ft_free(counter);
	ft_runs_clear(&runs);
	return status;
}

/* The programs NAME/... of the same executable. */
static enum ft_status keep_routines(struct ft__sweep *sweep, struct ft_err *err)
{
	struct ft_store_list list = {0};
	size_t length = strlen(sweep->program->name), i;
	enum ft_status status = ft_store_get_list(sweep->store, NULL, &list, err);

	for (i = 0; i < list.n && !status; i++) {
		const struct ft_store_entry *entry = &list.entry[i];
		struct ft_program routine;

		if (strncmp(entry->name, sweep->program->name, length) != 0 || entry->name[length] != '/' ||
		    !entry->current || entry->machine != sweep->machine->id)
			continue;
		status = ft_store_get_program(sweep->store, entry->name, &routine, err);
		if (!status)
			status = keep_program(sweep, &routine, err);
		ft_program_clear(&routine);
	}
	ft_store_list_clear(&list);
	return status;
}

enum ft_status ft__keep_models(struct ft__sweep *sweep, struct ft_err *err)
{
	enum ft_status status = keep_program(sweep, sweep->program, err);

	return status ? status : keep_routines(sweep, err);
}
