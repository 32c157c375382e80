/* SPDX-License-Identifier: GPL-3.0-or-later */
/* surface_runs.c - from the runs of a program to the samples of a surface. */
#include "foretime/surface.h"
#include "base/alloc.h"
#include "model/change.h"
#include "model/surface.h"

#include <math.h>

static bool counts(const struct ft_run *run, const char *resource)
{
	return run->outcome == FT_DONE && !run->warmup && (!resource || !isnan(ft_run_value(run, resource)));
}

size_t ft_runs_axes(const struct ft_runs *runs, const char *resource, size_t *axis)
{
	const struct ft_run *first = NULL;
	bool varies[FT_PARAMS_MAX] = {false};
	size_t i, p, n = 0;

	for (i = 0; i < runs->n; i++) {
		const struct ft_run *run = &runs->run[i];

		if (!counts(run, resource))
			continue;
		if (!first)
			first = run;
		for (p = 0; p < run->size.n && p < first->size.n; p++)
			varies[p] = varies[p] || run->size.value[p] != first->size.value[p];
	}
	for (p = 0; p < FT_PARAMS_MAX; p++)
		if (varies[p])
			axis[n++] = p;
	return n;
}

/* The samples of a resource, in the order of measurement; index: of their runs. */
static enum ft_status collect(const struct ft_program *program, const struct ft_runs *runs,
			      const char *resource, struct ft_surface_observation *o, size_t *index,
			      size_t *n, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t i;

	*n = 0;
	for (i = 0; i < runs->n && !status; i++) {
		const struct ft_run *run = &runs->run[i];
		double work = 1;

		if (!counts(run, resource))
			continue;
		/* What runs report of their work is not known at other sizes: only an expression serves. */
		if (program->work)
			status = ft_program_work(program, &run->size, &work, err);
		index[*n] = i;
		o[(*n)++] = (struct ft_surface_observation){run->size, work, ft_run_value(run, resource)};
	}
	if (!status && !*n)
		status = ft_fail(err, FT_ENOMODEL, "no run that ended well has a value of %s", resource);
	return status;
}

/* What is off since a moment is off the surface through what was before. Its kernel is that of the older
 * half: where that changed, too, it is too rough a one, never too smooth. */
static enum ft_status settle(struct ft_surface *out, struct ft_surface_observation *o, size_t *index,
			     size_t n, const struct ft_runs *runs, struct ft_err *err)
{
	struct ft__older older = {.type = &ft__older_surface, .through_speed = out->through_speed};
	struct ft_surface half;
	struct ft_change change;
	enum ft_status status = ft__surface_fit_kernel(&half, o, (n + 1) / 2, older.through_speed, NULL, err);

	if (status)
		return status;
	older.kernel = half.kernel;
	ft_surface_clear(&half);
	status = ft__change_settle(o, index, &n, &older, &change, err);
	if (status || !change.runs)
		return status;
	ft_surface_clear(out);
	status = ft_surface_fit(out, o, n, older.through_speed, err);
	out->change = change;
	out->change.since_ns = runs->run[index[n - change.runs]].started_ns;
	return status;
}

enum ft_status ft_surface_fit_runs(struct ft_surface *out, const struct ft_program *program,
				   const struct ft_runs *runs, const char *resource, struct ft_err *err)
{
	const struct ft_resource *known = ft_resource_find(resource);
	struct ft_surface_observation *o = ft_calloc(runs->n, sizeof *o);
	size_t *index = ft_calloc(runs->n, sizeof *index), n;
	enum ft_status status = o && index ? FT_OK : ft_nomem(err);

	*out = (struct ft_surface){0};
	if (!status)
		status = collect(program, runs, resource, o, index, &n, err);
	if (!status)
		status = ft_surface_fit(out, o, n, known && known->is_time && program->work, err);
	if (!status)
		status = settle(out, o, index, n, runs, err);
	if (status)
		ft_surface_clear(out);
	ft_free(o);
	ft_free(index);
	return status;
}
