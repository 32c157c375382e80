/* SPDX-License-Identifier: GPL-3.0-or-later */
/* surface_runs.c - from the runs of a program to the samples of a surface. */
#include "foretime/surface.h"
#include "base/alloc.h"

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

enum ft_status ft_surface_fit_runs(struct ft_surface *out, const struct ft_program *program,
				   const struct ft_runs *runs, const char *resource, struct ft_err *err)
{
	const struct ft_resource *known = ft_resource_find(resource);
	struct ft_surface_observation *o = ft_calloc(runs->n, sizeof *o);
	enum ft_status status = FT_OK;
	size_t i, n = 0;

	*out = (struct ft_surface){0};
	if (!o)
		return ft_nomem(err);
	for (i = 0; i < runs->n && !status; i++) {
		const struct ft_run *run = &runs->run[i];
		double work = 1;

		if (!counts(run, resource))
			continue;
		/* What runs report of their work is not known at other sizes: only an expression serves. */
		if (program->work)
			status = ft_program_work(program, &run->size, &work, err);
		o[n++] = (struct ft_surface_observation){run->size, work, ft_run_value(run, resource)};
	}
	if (!status && !n)
		status = ft_fail(err, FT_ENOMODEL, "no run that ended well has a value of %s", resource);
	if (!status)
		status = ft_surface_fit(out, o, n, known && known->is_time && program->work, err);
	ft_free(o);
	return status;
}
