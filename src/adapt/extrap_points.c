/* SPDX-License-Identifier: GPL-3.0-or-later */
/* extrap_points.c - what Extra-P's formats share: values by metric and point, where we have runs with several
 * values. */
#include "adapt/job.h"
#include "base/alloc.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- metrics ------------------------------------------------------------------------------------------ */

/* The resource that a metric is, and what its unit is in SI; NULL: none. */
static const struct ft_resource *metric_find(const struct ft_import_job *job, const char *metric,
					     double *factor)
{
	static const char *const time[] = {"time",      "runtime",   "walltime",
					   "wall_time", "wall time", "elapsed"};

	*factor = 1;
	for (size_t i = 0; i < job->n_values; i++)
		if (ft__value_names(&job->value[i], metric, factor))
			return job->value[i].resource;
	*factor = 1;
	const struct ft_resource *found = ft_resource_find(metric);
	for (size_t i = 0; i < sizeof time / sizeof *time && !found; i++)
		if (!strcmp(metric, time[i]))
			found = &ft_wall_s;
	return found && !ft__values_name(job, found) ? found : NULL;
}

enum ft_status ft__extrap_take(struct ft_import_job *job, const char *metric, double value,
			       struct ft_err *err)
{
	double factor;
	const struct ft_resource *resource = metric_find(job, metric, &factor);

	if (!resource) {
		if (!job->metric[0])
			(void)snprintf(job->metric, sizeof job->metric, "%s", metric);
		ft__job_pass(job, FT_PASSED_METRIC);
		return FT_OK;
	}
	job->strict_zero = true;
	enum ft_status status =
		ft__record_sample(job, resource, value * factor, FT_MEASURED, NULL, metric, err);
	return status ? status : ft__record_keep(job, err);
}

/* ---- values become runs ------------------------------------------------------------------------------- */

/* A run of one value, on its way into one of several. */
struct extrap_points_piece {
	const struct ft_run *run;
	size_t index;   /* in the part */
	size_t ordinal; /* among the values of its resource at its size */
};

static int compare_sizes(const struct extrap_points_piece *a, const struct extrap_points_piece *b)
{
	return ft_size_compare(&a->run->size, &b->run->size);
}

static const struct ft_resource *resource_of(const struct extrap_points_piece *piece)
{
	return piece->run->sample[0].resource;
}

static int by_resource(const void *left, const void *right)
{
	const struct extrap_points_piece *a = left, *b = right;
	int order = compare_sizes(a, b);

	order = order ? order : strcmp(resource_of(a)->name, resource_of(b)->name);
	return order ? order : a->index < b->index ? -1 : a->index > b->index;
}

static int by_ordinal(const void *left, const void *right)
{
	const struct extrap_points_piece *a = left, *b = right;
	int order = compare_sizes(a, b);

	if (!order && a->ordinal != b->ordinal)
		order = a->ordinal < b->ordinal ? -1 : 1;
	return order ? order : a->index < b->index ? -1 : a->index > b->index;
}

static void number_pieces(struct extrap_points_piece *piece, size_t n)
{
	qsort(piece, n, sizeof *piece, by_resource);
	for (size_t i = 1; i < n; i++)
		if (!compare_sizes(&piece[i - 1], &piece[i]) &&
		    resource_of(&piece[i - 1]) == resource_of(&piece[i]))
			piece[i].ordinal = piece[i - 1].ordinal + 1;
	qsort(piece, n, sizeof *piece, by_ordinal);
}

/* Put the value of one run into another; the run is empty then. */
static enum ft_status move_value(struct ft_run *to, struct ft_run *from, struct ft_err *err)
{
	const struct ft_sample *sample = &from->sample[0];

	FT_TRY(ft_run_add(to, sample->resource, sample->value, sample->label, sample->probe, NULL, err));
	if (sample->resource == &ft_wall_s)
		to->cost_s = from->cost_s;
	else if (isnan(ft_run_value(to, &ft_wall_s)))
		to->cost_s = fmax(to->cost_s, from->cost_s);
	ft_run_clear(from);
	return FT_OK;
}

static enum ft_status join_part(struct ft_import *import, struct ft_runs *runs, size_t first,
				struct ft_err *err)
{
	size_t n = runs->n - first, kept = first;
	struct extrap_points_piece *piece = ft_calloc(n, sizeof *piece);
	enum ft_status status = FT_OK;
	struct extrap_points_piece *lead = piece;

	if (!piece)
		return ft_nomem(err);
	for (size_t i = 0; i < n; i++)
		piece[i] = (struct extrap_points_piece){.run = &runs->run[first + i], .index = first + i};
	number_pieces(piece, n);
	for (size_t i = 1; i < n && !status; i++) {
		if (!compare_sizes(lead, &piece[i]) && lead->ordinal == piece[i].ordinal)
			status = move_value(&runs->run[lead->index], &runs->run[piece[i].index], err);
		else
			lead = &piece[i];
	}
	ft_free(piece);
	for (size_t i = first; i < runs->n && !status; i++)
		if (runs->run[i].n_samples)
			runs->run[kept++] = runs->run[i];
	if (status)
		return status;
	import->runs -= runs->n - kept;
	runs->n = kept;
	return FT_OK;
}

enum ft_status ft__extrap_begin(const struct ft_import_job *job, size_t **first, size_t *n,
				struct ft_err *err)
{
	*n = job->import->n;
	*first = ft_calloc(*n + 1, sizeof **first);
	if (!*first)
		return ft_nomem(err);
	for (size_t i = 0; i < *n; i++)
		(*first)[i] = job->import->part[i].runs.n;
	return FT_OK;
}

enum ft_status ft__extrap_join(struct ft_import_job *job, const size_t *first, size_t n, struct ft_err *err)
{
	struct ft_import *import = job->import;
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < import->n && !status; i++) {
		struct ft_runs *runs = &import->part[i].runs;
		size_t from = i < n ? first[i] : 0;

		if (runs->n > from)
			status = join_part(import, runs, from, err);
	}
	return status;
}

/* ---- runs become values ------------------------------------------------------------------------------- */

static bool is_good(const struct ft_run *run)
{
	return run->outcome == FT_DONE && !run->warmup;
}

static bool has_value(const struct ft_runs *runs, const struct ft_size *size,
		      const struct ft_resource *resource)
{
	for (size_t i = 0; i < runs->n; i++)
		if (is_good(&runs->run[i]) && ft_size_equal(&runs->run[i].size, size) &&
		    !isnan(ft_run_value(&runs->run[i], resource)))
			return true;
	return false;
}

static enum ft_status add_size(struct ft__extrap_points *points, size_t *capacity, const struct ft_size *size,
			       struct ft_err *err)
{
	for (size_t i = 0; i < points->n; i++)
		if (ft_size_equal(&points->size[i], size))
			return FT_OK;
	struct ft_size *grown = ft_grow(points->size, points->n, capacity, sizeof *grown);
	if (!grown)
		return ft_nomem(err);
	points->size = grown;
	points->size[points->n++] = *size;
	return FT_OK;
}

void ft__extrap_clear(struct ft__extrap_points *points)
{
	ft_free(points->size);
	*points = (struct ft__extrap_points){0};
}

enum ft_status ft__extrap_of(const struct ft_program *program, const struct ft_runs *runs,
			     struct ft__extrap_points *points, struct ft_err *err)
{
	enum { RESOURCES_MAX = sizeof points->resource / sizeof *points->resource };
	const struct ft_resource *resource;
	enum ft_status status = FT_OK;
	size_t j, capacity = 0;

	*points = (struct ft__extrap_points){0};
	for (size_t i = 0; i < runs->n && !status; i++) {
		if (is_good(&runs->run[i]))
			status = add_size(points, &capacity, &runs->run[i].size, err);
		else
			points->left_out++;
	}
	for (size_t i = 0; !status && (resource = ft_resource_get(i)); i++) {
		for (j = 0; j < points->n && has_value(runs, &points->size[j], resource); j++)
			;
		if (j == points->n && points->n_resources < RESOURCES_MAX)
			points->resource[points->n_resources++] = resource;
	}
	if (!status && (!points->n || !points->n_resources)) {
		(void)ft_fail(err, FT_EINVAL, "'%s' has no resource with a value at every size",
			      program->name);
		status = ft_remedy(err, "export it as CSV or JSON, which have room for missing values");
	}
	if (status)
		ft__extrap_clear(points);
	return status;
}

void ft__extrap_values(const struct ft_runs *runs, const struct ft_size *size,
		       const struct ft_resource *resource, const char *separator, struct ft_text *text)
{
	const char *between = "";

	for (size_t i = 0; i < runs->n; i++) {
		double value = ft_run_value(&runs->run[i], resource);

		if (!is_good(&runs->run[i]) || !ft_size_equal(&runs->run[i].size, size) || isnan(value))
			continue;
		ft_text_add(text, "%s", between);
		ft_text_add_number(text, value);
		between = separator;
	}
}
