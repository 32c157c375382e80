/* SPDX-License-Identifier: GPL-3.0-or-later */
/* by_size.c - groups the runs of one size. */
#include "base/alloc.h"
#include "facts/door.h"
#include "foretime/facts.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Which samples of runs may be combined in one fit, and the resources that only they name.
 */

/* Resources whose probes measure different things under one name: a package of the processor or the whole
 * machine, with start-up or without. */
static const struct ft_resource *const by_instrument[] = {&ft_energy_j, &ft_instructions, &ft_cycles};
/* The times of a process and those that its routine reports differ, too, and a routine may report in some
 * runs only. For imported runs the user decides. */
static const struct ft_resource *const by_reporter[] = {&ft_wall_s, &ft_cpu_s};
static const char *const reporters[] = {"child", "report"};

static bool is_reporter(const char *probe)
{
	return !strcmp(probe, reporters[0]) || !strcmp(probe, reporters[1]);
}

static bool drop_others(struct ft_run *run, const struct ft_resource *resource, bool all, const char *probe)
{
	size_t kept = 0, before = run->n_samples;

	for (size_t i = 0; i < run->n_samples; i++) {
		struct ft_sample *sample = &run->sample[i];

		if (sample->resource == resource &&
		    (strcmp(sample->probe, probe) != 0 &&
		     (all || (is_reporter(sample->probe) && is_reporter(probe)))) &&
		    !isnan(sample->value))
			ft_free(sample->reason);
		else
			run->sample[kept++] = *sample;
	}
	run->n_samples = kept;
	return kept < before;
}

/* What the runs have of one of these resources. */
struct settled {
	const struct ft_resource *resource;
	bool all;
	bool mixed;                  /* its samples are of several probes */
	const char *first;           /* one of these; NULL: none */
	const struct ft_run *seen;   /* the last that has a value */
	const struct ft_run *newest; /* that ended well and has one */
	const char *probe;           /* of that */
};

/* The samples of one run: the first with a value counts. */
static void see_run(const struct ft_run *run, struct settled *settled, size_t n)
{
	const struct ft_sample *sample = run->sample;

	for (size_t i = 0; i < run->n_samples; i++) {
		struct settled *s = settled;

		while (s < settled + n && s->resource != sample[i].resource)
			s++;
		if (s == settled + n || isnan(sample[i].value))
			continue;
		s->first = s->first ? s->first : sample[i].probe;
		s->mixed = s->mixed || strcmp(s->first, sample[i].probe) != 0;
		if (run->outcome != FT_DONE || s->seen == run)
			continue;
		s->seen = run;
		if (!(s->all || is_reporter(sample[i].probe)) ||
		    (s->newest && run->started_ns < s->newest->started_ns))
			continue;
		s->newest = run;
		s->probe = sample[i].probe;
	}
}

size_t ft_runs_settle(struct ft_runs *runs)
{
	enum {
		INSTRUMENTS = sizeof by_instrument / sizeof *by_instrument,
		KINDS = INSTRUMENTS + sizeof by_reporter / sizeof *by_reporter
	};
	struct settled settled[KINDS] = {{0}};
	char probe[KINDS][FT_PROBE_LENGTH]; /* samples move when others are dropped */
	size_t changed = 0;

	for (size_t r = 0; r < KINDS; r++) {
		settled[r].all = r < INSTRUMENTS;
		settled[r].resource = r < INSTRUMENTS ? by_instrument[r] : by_reporter[r - INSTRUMENTS];
	}
	for (size_t i = 0; i < runs->n; i++)
		see_run(&runs->run[i], settled, KINDS);
	for (size_t r = 0; r < KINDS; r++)
		if (settled[r].newest)
			memcpy(probe[r], settled[r].probe, sizeof probe[r]);
	for (size_t r = 0; r < KINDS; r++)
		for (size_t i = 0; settled[r].mixed && settled[r].newest && i < runs->n; i++)
			changed += drop_others(&runs->run[i], settled[r].resource, settled[r].all, probe[r]);
	return changed;
}

/* Only counters bring names of their own, and tables that were written of them. */
static bool may_name(const struct ft_sample *sample)
{
	static const char *const probes[] = {"counters", "software", "import", "csv", "go", "jmh"};

	for (size_t i = 0;
	     sample->resource->counter && !isnan(sample->value) && i < sizeof probes / sizeof *probes; i++)
		if (!strcmp(sample->probe, probes[i]))
			return true;
	return false;
}

enum ft_status ft_runs_counters(const struct ft_runs *runs, const struct ft_resource ***out, size_t *n,
				struct ft_err *err)
{
	const struct ft_resource **list = NULL;
	size_t k, capacity = 0;

	*out = NULL;
	*n = 0;
	for (size_t i = 0; i < runs->n; i++)
		for (size_t j = 0; j < runs->run[i].n_samples; j++) {
			const struct ft_sample *sample = &runs->run[i].sample[j];

			if (!may_name(sample))
				continue;
			for (k = 0; k < *n && list[k] != sample->resource; k++)
				;
			if (k < *n)
				continue;
			const struct ft_resource **grown = ft_grow(list, *n, &capacity, sizeof *grown);
			if (!grown) {
				ft_free(list);
				*n = 0;
				return ft_nomem(err);
			}
			list = grown;
			list[(*n)++] = sample->resource;
		}
	*out = list;
	return FT_OK;
}

/*
 * Groups the runs of one size.
 */

/* A run on its way into order: of very many the first value of the size is compared where it stands here, for
 * to look at runs all over the memory takes longer than all the rest. */
struct placed {
	double first;
	bool only; /* it is the whole size */
	const struct ft_run *run;
};

/* Runs of one size stay in the order in which they stand. */
static int compare_placed(const void *left, const void *right)
{
	const struct placed *a = left, *b = right;
	int by_size = a->only && b->only ? (a->first > b->first) - (a->first < b->first)
					 : ft_size_compare(&a->run->size, &b->run->size);

	return by_size ? by_size : (a->run > b->run) - (a->run < b->run);
}

void ft_by_size_clear(struct ft_by_size *by_size)
{
	ft_free(by_size->at);
	ft_free(by_size->run);
	*by_size = (struct ft_by_size){0};
}

enum ft_status ft_runs_by_size(const struct ft_runs *runs,
			       bool (*counts)(const struct ft_run *run, const void *context),
			       const void *context, struct ft_by_size *out, struct ft_err *err)
{
	struct placed *placed = ft_calloc(runs->n + 1, sizeof *placed);
	size_t n = 0;

	*out = (struct ft_by_size){.at = ft_calloc(runs->n + 1, sizeof *out->at),
				   .run = ft_calloc(runs->n + 1, sizeof *out->run)};
	if (!placed || !out->at || !out->run) {
		ft_free(placed);
		ft_by_size_clear(out);
		return ft_nomem(err);
	}
	for (size_t i = 0; i < runs->n; i++) {
		const struct ft_run *run = &runs->run[i];

		if (counts(run, context))
			placed[n++] = (struct placed){run->size.value[0], run->size.n == 1, run};
	}
	qsort(placed, n, sizeof *placed, compare_placed);
	for (size_t i = 0; i < n; i++)
		out->run[i] = placed[i].run;
	ft_free(placed);
	/* Memory for this many runs, sorted. */
	for (size_t i = 0; i < n; i++) {
		if (!i || !ft_size_equal(&out->run[i]->size, &out->run[i - 1]->size))
			out->at[out->n++] = (struct ft_size_runs){.run = out->run + i};
		out->at[out->n - 1].n++;
	}
	return FT_OK;
}

/* value: [runs->n] working space. */
static struct ft_size_values values_of(const struct ft_size_runs *runs, const struct ft_resource *resource,
				       double *value)
{
	struct ft_size_values v = {.size = runs->run[0]->size, .median = NAN, .least = NAN, .most = NAN};

	for (size_t i = 0; i < runs->n; i++) {
		const struct ft_run *run = runs->run[i];

		if (run->outcome != FT_DONE) {
			v.failed++;
			v.failure = run;
		} else if (!isnan(value[v.n] = ft_run_idle_value(run, resource))) {
			v.n++;
		}
	}
	if (v.n) {
		ft_sort(value, v.n);
		v.least = value[0];
		v.most = value[v.n - 1];
		v.median = (value[(v.n - 1) / 2] + value[v.n / 2]) / 2;
	}
	return v;
}

static bool is_no_warmup(const struct ft_run *run, const void *context)
{
	(void)context;
	return !run->warmup;
}

enum ft_status ft_runs_values(const struct ft_runs *runs, const struct ft_resource *resource,
			      struct ft_size_values **out, size_t *n, struct ft_err *err)
{
	double *value = ft_calloc(runs->n + 1, sizeof *value);
	struct ft_by_size by_size = {0};
	enum ft_status status = ft_runs_by_size(runs, is_no_warmup, NULL, &by_size, err);

	*n = 0;
	*out = ft_calloc(runs->n + 1, sizeof **out);
	if (!status && (!value || !*out))
		status = ft_nomem(err);
	for (; !status && *n < by_size.n; ++*n)
		(*out)[*n] = values_of(&by_size.at[*n], resource, value);
	ft_by_size_clear(&by_size);
	ft_free(value);
	if (status) {
		ft_free(*out);
		*out = NULL;
	}
	return status;
}

const struct ft_run *ft_runs_newest(const struct ft_runs *runs)
{
	const struct ft_run *newest = NULL;

	for (size_t i = 0; i < runs->n; i++)
		if (!newest || runs->run[i].started_ns >= newest->started_ns)
			newest = &runs->run[i];
	return newest;
}
