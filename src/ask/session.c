/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session.c - how times of another session may differ from those of a model: the drift of the machine, and what is
 * left of it, learned from sessions that were stored. */
#include "ask/ask.h"
#include "base/alloc.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>

/*
 * What runs have in common whose session is the same: the clock of the processor, the load of caches and memory,
 * where the kernel placed them. A contract by a model compares two sessions.
 *
 * The drift of the machine is the ratio of the times that a reference took at both times (measure/reference.c).
 * What it leaves is a standard deviation of ln. It has a prior, by resource and load, and every two sessions that
 * follow each other, of any program on this machine, teach a factor of its square: the mean of d^2 / (V + noise)
 * over the prior's weight and all pairs, where d is the difference of ln values at the sizes of both.
 */

/* Of ln, between two sessions: on an idle machine, and where others want all processors
 * (doc/constants-answers.md has the recorded sessions by which they were chosen). Other times than those of
 * processors are as ft_load_session. */
static const double idle_cpu = 0.05, busy_cpu = 0.2, busy_corrected = 0.11;

/* The prior counts as so many pairs; pairs of all other programs together as so many at most: programs differ in
 * how much the machine disturbs them. The factor lies within these. */
static const double prior_pairs = 4, others_most = 8, factor_least = 0.2, factor_most = 4;

/* A session ends where nothing is run for this long. */
static const double apart_s = 60;

/* As many programs and runs of a store are read, those of the newest runs first. */
enum { PROGRAMS_MOST = 30, RUNS_MOST = 20000, REFERENCES_LEAST = 3 };

static bool is_processor_time(const struct ft_resource *resource)
{
	return resource == &ft_cpu_s || resource == &ft_user_s || resource == &ft_system_s;
}

static double prior_variance(const struct ft_resource *resource, double wanted, bool corrected)
{
	if (!resource->disturbed)
		return 0;
	if (!is_processor_time(resource))
		return pow(ft_load_session(wanted), 2);
	return pow(idle_cpu, 2) + pow((corrected ? busy_corrected : busy_cpu) * fmin(1, wanted), 2);
}

/*
 * The reference.
 */

/* The median of the references of runs [n], as ln, and its variance. False: they are too few. */
static bool find_reference(const struct ft_run *run, size_t n, double *scratch, double *ln, double *variance)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		double value = ft_run_value(&run[i], &ft_reference_s);

		if (value > 0)
			scratch[count++] = log(value);
	}
	if (count < REFERENCES_LEAST)
		return false;
	*ln = ft_stats_median(scratch, count);
	*variance = ft__median_variance(ft_stats_variance(scratch, count), count);
	return true;
}

/* Of runs [n], like ft_runs_wanted. */
static double wanted_of(const struct ft_run *run, size_t n)
{
	struct ft_runs runs = {.run = (struct ft_run *)run, .n = n};

	return ft_runs_wanted(&runs);
}

/*
 * Learning from stored sessions.
 */

struct session_factor {
	const struct ft_resource *resource;
	double own, own_weight, others, others_weight; /* sums of d^2 / (V + noise), and how many */
	double *scratch;                               /* [runs] */
};

static double ln_value(const struct ft_run *run, const struct ft_resource *resource)
{
	double value =
		run->warmup || run->outcome != FT_DONE ? (double)NAN : ft_run_idle_value(run, resource);

	return value > 0 ? log(value) : (double)NAN;
}

/* Mean and sum of squared deviations of the values at one size; returns how many. */
static size_t mean_at(const struct ft_run *run, size_t n, const struct ft_resource *resource,
		      const struct ft_size *size, double *mean, double *squares)
{
	size_t count = 0;

	*mean = *squares = 0;
	for (size_t i = 0; i < n; i++) {
		double ln = ln_value(&run[i], resource), off = ln - *mean;

		if (isnan(ln) || !ft_size_equal(&run[i].size, size))
			continue;
		*mean += off / (double)++count;
		*squares += off * (ln - *mean);
	}
	return count;
}

/* Two sessions of a program: a [na], b [nb]. Sizes of both are compared once. */
static void learn_pair(struct session_factor *f, const struct ft_run *a, size_t na, const struct ft_run *b,
		       size_t nb, bool own)
{
	double sum = 0, weights = 0, squares = 0, freedom = 0, ln[2], variance[2];

	for (size_t i = 0; i < nb; i++) {
		double mean[2], square[2];
		bool first = true;

		for (size_t k = 0; k < i && first; k++)
			first = !ft_size_equal(&b[k].size, &b[i].size);
		if (!first)
			continue;
		size_t n = mean_at(a, na, f->resource, &b[i].size, &mean[0], &square[0]),
		       m = n ? mean_at(b, nb, f->resource, &b[i].size, &mean[1], &square[1]) : 0;
		if (!m)
			continue;
		double weight = (double)n * (double)m / (double)(n + m);
		sum += weight * (mean[1] - mean[0]);
		weights += weight;
		squares += square[0] + square[1];
		freedom += (double)(n + m - 2);
	}
	if (!(weights > 0) || freedom < 1)
		return;
	double off = sum / weights, noise = squares / freedom / weights;
	bool corrected = is_processor_time(f->resource) &&
			 find_reference(a, na, f->scratch, &ln[0], &variance[0]) &&
			 find_reference(b, nb, f->scratch, &ln[1], &variance[1]);
	if (corrected) {
		off -= ln[1] - ln[0];
		noise += variance[0] + variance[1];
	}
	double prior = prior_variance(f->resource, fmax(wanted_of(a, na), wanted_of(b, nb)), corrected);
	double weight = pow(prior / (prior + noise), 2);
	*(own ? &f->own : &f->others) += weight * off * off / (prior + noise);
	*(own ? &f->own_weight : &f->others_weight) += weight;
}

static bool is_apart(const struct ft_run *before, const struct ft_run *run)
{
	double since_s = 1e-9 * (double)(run->started_ns - before->started_ns) - fmax(0, before->cost_s);

	return since_s > apart_s || since_s < -apart_s;
}

static void learn_program(struct session_factor *f, const struct ft_runs *runs, bool own)
{
	size_t before = 0, from = 0;

	for (size_t i = 1; i <= runs->n; i++) {
		if (i < runs->n && !is_apart(&runs->run[i - 1], &runs->run[i]))
			continue;
		if (from)
			learn_pair(f, runs->run + before, from - before, runs->run + from, i - from, own);
		before = from;
		from = i;
	}
}

static int compare_newest(const void *a, const void *b)
{
	const struct ft_store_entry *p = a, *q = b;

	return (p->last_ns < q->last_ns) - (p->last_ns > q->last_ns);
}

/* Programs of very many runs are left out: reading them takes longer than a contract. */
static enum ft_status learn_others(struct session_factor *f, struct ft_answerer *answerer, struct ft_err *err)
{
	FT_CLEANUP(ft_store_list_clear) struct ft_store_list list = {0};
	size_t programs = 0, read = 0;

	FT_TRY(ft_store_get_list(answerer->store, NULL, &list, err));
	if (list.n)
		qsort(list.entry, list.n, sizeof *list.entry, compare_newest);
	for (size_t i = 0; i < list.n && programs < PROGRAMS_MOST; i++) {
		const struct ft_store_entry *entry = &list.entry[i];
		FT_CLEANUP(ft_runs_clear) struct ft_runs runs = {0};

		if (entry->machine != answerer->machine.id || entry->runs < 2 ||
		    entry->program == answerer->program.id || read + entry->runs > RUNS_MOST ||
		    entry->last_ns - entry->first_ns < (int64_t)(apart_s * 1e9))
			continue;
		programs++;
		read += entry->runs;
		FT_TRY(ft_store_get_runs(answerer->store, entry->program, entry->machine, &runs, err));
		double *scratch = ft_calloc(runs.n + 1, sizeof *scratch);
		if (!scratch)
			return ft_nomem(err);
		ft_free(f->scratch);
		f->scratch = scratch;
		learn_program(f, &runs, false);
	}
	return FT_OK;
}

static enum ft_status learn_factor(struct session_factor *f, struct ft_answerer *answerer,
				   struct ft__other_session *out, struct ft_err *err)
{
	learn_program(f, &answerer->runs, true);
	if (answerer->store)
		FT_TRY(learn_others(f, answerer, err));
	double share = fmin(1, others_most / fmax(f->others_weight, 1e-9)),
	       weight = prior_pairs + f->own_weight + share * f->others_weight,
	       factor = (prior_pairs + f->own + share * f->others) / weight;
	out->pairs = f->own_weight + f->others_weight;
	out->sd *= sqrt(fmin(fmax(factor, factor_least), factor_most));
	return FT_OK;
}

enum ft_status ft__session_find(struct ft_answerer *answerer, const struct ft_runs *now,
				const struct ft_resource *resource, struct ft__other_session *out,
				struct ft_err *err)
{
	const struct ft_runs *then = &answerer->runs;
	struct session_factor f = {.resource = resource};
	double ln[2] = {0}, variance[2] = {0};

	*out = (struct ft__other_session){.drift = 1};
	if (!resource->disturbed)
		return FT_OK;
	f.scratch = ft_calloc(then->n + now->n + 1, sizeof *f.scratch);
	if (!f.scratch)
		return ft_nomem(err);
	out->corrected = is_processor_time(resource) &&
			 find_reference(then->run, then->n, f.scratch, &ln[0], &variance[0]) &&
			 find_reference(now->run, now->n, f.scratch, &ln[1], &variance[1]);
	out->sd = sqrt(
		prior_variance(resource, fmax(ft_runs_wanted(now), ft_runs_wanted(then)), out->corrected));
	enum ft_status status = learn_factor(&f, answerer, out, err);
	ft_free(f.scratch);
	if (!out->corrected)
		return status;
	out->drift = exp(ln[1] - ln[0]);
	out->sd = sqrt(out->sd * out->sd + variance[0] + variance[1]);
	return status;
}
