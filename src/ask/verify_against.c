/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verify_against.c - new runs held against old ones that were made in turn with them. */
#include "ask/verify.h"
#include "base/alloc.h"
#include "num/order.h"
#include "num/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two runs of a size, one after the other. */
struct pair {
	struct ft_size size;
	size_t index; /* of the new run */
	double before, now;
	bool at_least; /* now */
};

static int compare_pairs(const void *a, const void *b)
{
	const struct pair *p = a, *q = b;
	int order = ft_size_compare(&p->size, &q->size);

	return order ? order : (p->index > q->index) - (p->index < q->index);
}

/* The next run of the size from `from` on that is no warm-up; SIZE_MAX: none. */
static size_t next_of(const struct ft_runs *runs, const struct ft_size *size, size_t from)
{
	while (from < runs->n && (runs->run[from].warmup || !ft_size_equal(&runs->run[from].size, size)))
		from++;
	return from < runs->n ? from : SIZE_MAX;
}

/* The old run beside the k-th one: as many of its size stand before it. */
static size_t partner(const struct ft_runs *before, const struct ft_runs *runs, size_t k)
{
	const struct ft_size *size = &runs->run[k].size;
	size_t at = next_of(before, size, 0);

	for (size_t i = next_of(runs, size, 0); i < k && at != SIZE_MAX; i = next_of(runs, size, i + 1))
		at = next_of(before, size, at + 1);
	return at;
}

/* Pairs that both ended well (of the new run its time limit will do), by size; pair: [runs->n] room. */
static size_t collect(const struct ft_runs *before, const struct ft_runs *runs, const char *resource,
		      struct pair *pair)
{
	size_t n = 0;

	for (size_t k = 0; k < runs->n; k++) {
		const struct ft_run *run = &runs->run[k];
		size_t at = run->warmup ? SIZE_MAX : partner(before, runs, k);
		struct pair *p = &pair[n];

		if (at == SIZE_MAX || before->run[at].outcome != FT_DONE)
			continue;
		*p = (struct pair){.size = run->size,
				   .before = ft_run_idle_value(&before->run[at], resource)};
		p->now = ft__verify_value(run, resource, &p->at_least);
		if (p->before > 0 && p->now > 0)
			n++;
	}
	qsort(pair, n, sizeof *pair, compare_pairs);
	return n;
}

static size_t same_size(const struct pair *pair, size_t n)
{
	size_t j = 1;

	while (j < n && ft_size_equal(&pair[j].size, &pair->size))
		j++;
	return j;
}

static double ln_ratio(const struct pair *pair)
{
	return log(pair->now / pair->before);
}

/* Variance of ln ratio of a pair: between neighbours of a size, or, where too few were repeated, of any.
 * step: [n] working space. NaN: a single pair. */
static double variance_of(const struct pair *pair, size_t n, double *step, double *freedom)
{
	size_t sizes = 1, steps = 0;

	for (size_t i = 1; i < n; i++)
		sizes += !ft_size_equal(&pair[i].size, &pair[i - 1].size);
	for (size_t i = 1; i < n; i++)
		if (n < 2 * sizes || ft_size_equal(&pair[i].size, &pair[i - 1].size))
			step[steps++] = fabs(ln_ratio(&pair[i]) - ln_ratio(&pair[i - 1]));
	return steps ? ft__scatter(step, steps, freedom) : NAN;
}

static void add_check(struct ft__verifying *v, const char *resource, const struct pair *pair, size_t n,
		      double variance, double *work)
{
	struct ft__held *held = &v->held[v->out->n_checks];
	struct ft_check *check = &v->out->check[v->out->n_checks++];

	*check = (struct ft_check){.size = pair->size};
	(void)snprintf(check->resource, sizeof check->resource, "%s", resource);
	for (size_t i = 0; i < n; i++) {
		check->at_least |= pair[i].at_least;
		work[i] = pair[i].now;
	}
	ft_sort(work, n);
	ft__verify_values(check, held, work, n);
	for (size_t i = 0; i < n; i++)
		work[i] = pair[i].before;
	held->before = ft_stats_median(work, n);
	for (size_t i = 0; i < n; i++)
		work[i] = ln_ratio(&pair[i]);
	held->now = held->before * exp(ft_stats_median(work, n));
	held->sd = sqrt(ft__median_variance(variance, n));
	check->promised = (struct ft_prediction){.value = held->before, .runs = n, .basis = FT_BASIS_AT_KNOT};
}

static enum ft_status add_checks(struct ft__verifying *v, const struct ft_runs *before,
				 const struct ft_runs *runs, size_t r, struct ft_err *err)
{
	const char *resource = v->options->resource[r];
	struct pair *pair = ft_calloc(runs->n + 1, sizeof *pair);
	double *work = ft_calloc(runs->n + 1, sizeof *work), variance, freedom = 1;
	enum ft_status status = FT_OK;
	size_t n, i, j;

	if (!pair || !work) {
		status = ft_nomem(err);
		goto out;
	}
	n = collect(before, runs, resource, pair);
	variance = n ? variance_of(pair, n, work, &freedom) : NAN;
	if (isnan(variance)) {
		(void)ft_fail(err, FT_ENOMODEL, "%zu pair%s of runs %s a value of %s, and it takes two", n,
			      n == 1 ? "" : "s", n == 1 ? "has" : "have", resource);
		(void)ft_remedy(err, "run more of them: --repetitions");
		status = FT_ENOMODEL;
		goto out;
	}
	for (i = 0; i < n; i += j) {
		j = same_size(pair + i, n - i);
		add_check(v, resource, pair + i, j, variance, work);
	}
	v->common[r].freedom = freedom;
out:
	ft_free(pair);
	ft_free(work);
	return status;
}

/* Where the median of the new runs lies, did nothing change: both medians scatter, as pairs do. */
static void promise_all(struct ft__verifying *v)
{
	size_t i, r = 0;

	for (i = 0; i < v->out->n_checks; i++) {
		struct ft_prediction *p = &v->out->check[i].promised;
		double wide;

		r += i && strcmp(v->out->check[i].resource, v->out->check[i - 1].resource) != 0;
		wide = v->held[i].sd * ft_student_t(2 * v->out->each - 1, v->common[r].freedom);
		p->lower = p->value * exp(-wide);
		p->upper = p->value * exp(wide);
	}
}

enum ft_status ft_verify_against(const struct ft_runs *before, const struct ft_runs *runs,
				 const struct ft_verify_options *options, struct ft_verification *out,
				 struct ft_err *err)
{
	struct ft__verifying v;
	enum ft_status status = ft__verify_begin(&v, options, options->n * runs->n, out, err);

	for (size_t r = 0; r < options->n && !status; r++)
		status = add_checks(&v, before, runs, r, err);
	if (!status) {
		ft__verify_share(&v);
		promise_all(&v);
		status = ft__verify_judge(&v, err);
	}
	return ft__verify_end(&v, status);
}
