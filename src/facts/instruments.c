/* SPDX-License-Identifier: GPL-3.0-or-later */
/* instruments.c - which samples of runs may stand in one fit, and the resources that only they name. */
#include "base/alloc.h"
#include "foretime/facts.h"

#include <math.h>
#include <string.h>

/* What these probes give under one name is not the same thing: a package of the processor or the whole
 * machine, with start-up or without. */
static const char *const by_instrument[] = {"energy_j", "instructions", "cycles"};

static const struct ft_sample *find_sample(const struct ft_run *run, const char *resource)
{
	size_t i;

	for (i = 0; i < run->n_samples; i++)
		if (!strcmp(run->sample[i].resource, resource) && !isnan(run->sample[i].value))
			return &run->sample[i];
	return NULL;
}

/* The probe of the newest run that ended well and has a value; false: none has. */
static bool find_newest(const struct ft_runs *runs, const char *resource, char probe[FT_PROBE_LENGTH])
{
	const struct ft_run *newest = NULL;
	size_t i;

	for (i = 0; i < runs->n; i++) {
		const struct ft_run *run = &runs->run[i];
		const struct ft_sample *sample = run->outcome == FT_DONE ? find_sample(run, resource) : NULL;

		if (!sample || (newest && run->started_ns < newest->started_ns))
			continue;
		newest = run;
		memcpy(probe, sample->probe, FT_PROBE_LENGTH);
	}
	return newest != NULL;
}

static bool drop_others(struct ft_run *run, const char *resource, const char *probe)
{
	size_t i, kept = 0, before = run->n_samples;

	for (i = 0; i < run->n_samples; i++) {
		struct ft_sample *sample = &run->sample[i];

		if (!strcmp(sample->resource, resource) && strcmp(sample->probe, probe) != 0 &&
		    !isnan(sample->value))
			ft_free(sample->reason);
		else
			run->sample[kept++] = *sample;
	}
	run->n_samples = kept;
	return kept < before;
}

size_t ft_runs_settle(struct ft_runs *runs)
{
	size_t r, i, changed = 0;

	for (r = 0; r < sizeof by_instrument / sizeof *by_instrument; r++) {
		char probe[FT_PROBE_LENGTH];

		if (find_newest(runs, by_instrument[r], probe))
			for (i = 0; i < runs->n; i++)
				changed += drop_others(&runs->run[i], by_instrument[r], probe);
	}
	return changed;
}

/* Only counters bring names of their own, and tables that were written of them. */
static bool may_name(const struct ft_sample *sample)
{
	static const char *const probes[] = {"counters", "software", "import", "csv"};
	size_t i;

	for (i = 0; i < sizeof probes / sizeof *probes; i++)
		if (!strcmp(sample->probe, probes[i]))
			return !isnan(sample->value) && !ft_resource_find(sample->resource);
	return false;
}

enum ft_status ft_runs_counters(const struct ft_runs *runs, struct ft_resource **out, size_t *n,
				struct ft_err *err)
{
	struct ft_resource *list = NULL, *grown;
	size_t i, j, k, capacity = 0;

	*out = NULL;
	*n = 0;
	for (i = 0; i < runs->n; i++)
		for (j = 0; j < runs->run[i].n_samples; j++) {
			const struct ft_sample *sample = &runs->run[i].sample[j];

			if (!may_name(sample))
				continue;
			for (k = 0; k < *n && strcmp(list[k].name, sample->resource) != 0; k++)
				;
			if (k < *n)
				continue;
			grown = ft_grow(list, *n, &capacity, sizeof *grown);
			if (!grown) {
				ft_free(list);
				*n = 0;
				return ft_nomem(err);
			}
			list = grown;
			list[(*n)++] =
				(struct ft_resource){sample->resource, "", true, false, "events counted"};
		}
	*out = list;
	return FT_OK;
}
