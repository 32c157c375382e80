/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verify_against.c - new runs held against old ones that were made in turn with them. */
#include "foretime/by_size.h"
#include "ask/verify.h"
#include "base/alloc.h"
#include "num/order.h"
#include "num/stats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* So many steps between pairs of a size does it count for what pairs of all sizes scatter by. */
static const double all_weight = 2;

/* Two runs of a size, one after the other. */
struct verify_against_pair {
	const struct ft_size *size; /* pairs of one size have the same pointer */
	double before, now;
	bool at_least; /* now */
};

/* All runs but warm-ups. */
struct verify_against_both {
	struct ft_by_size before, now;
};

static bool is_no_warmup(const struct ft_run *run, const void *context)
{
	(void)context;
	return !run->warmup;
}

/* Beside each run of a size stands the old one before which stand as many of that size. Those that both ended
 * well (of the new run its time limit will do). Returns their number. */
static size_t pair_up(const struct ft_size_runs *before, const struct ft_size_runs *now,
		      const struct ft_resource *resource, struct verify_against_pair *pair)
{
	size_t n = 0;

	for (size_t k = 0; k < now->n && k < before->n; k++) {
		struct verify_against_pair *p = &pair[n];

		if (before->run[k]->outcome != FT_DONE)
			continue;
		*p = (struct verify_against_pair){.size = &now->run[0]->size,
						  .before = ft_run_idle_value(before->run[k], resource)};
		p->now = ft__verify_value(now->run[k], resource, &p->at_least);
		if (p->before > 0 && p->now > 0)
			n++;
	}
	return n;
}

/* Pairs by size, as they were made. */
static size_t collect_pairs(const struct verify_against_both *both, const struct ft_resource *resource,
			    struct verify_against_pair *pair)
{
	size_t j = 0, n = 0;

	for (size_t i = 0; i < both->now.n; i++) {
		const struct ft_size *size = &both->now.at[i].run[0]->size;

		while (j < both->before.n && ft_size_compare(&both->before.at[j].run[0]->size, size) < 0)
			j++;
		if (j < both->before.n && ft_size_equal(&both->before.at[j].run[0]->size, size))
			n += pair_up(&both->before.at[j], &both->now.at[i], resource, pair + n);
	}
	return n;
}

static size_t same_size(const struct verify_against_pair *pair, size_t n)
{
	size_t j = 1;

	while (j < n && pair[j].size == pair->size)
		j++;
	return j;
}

static double ln_ratio(const struct verify_against_pair *pair)
{
	return log(pair->now / pair->before);
}

/* Between neighbours, those of one size alone or any. When a run was ended says nothing of how runs scatter:
 * ended says whether such steps count. Returns their number. */
static size_t take_steps(const struct verify_against_pair *pair, size_t n, bool any, bool ended, double *step)
{
	size_t steps = 0;

	for (size_t i = 1; i < n; i++)
		if ((any || pair[i].size == pair[i - 1].size) &&
		    (ended || (!pair[i].at_least && !pair[i - 1].at_least)))
			step[steps++] = fabs(ln_ratio(&pair[i]) - ln_ratio(&pair[i - 1]));
	return steps;
}

/* Variance of ln ratio of a pair: between neighbours of a size, or, where too few were repeated, of any.
 * step: [n] working space. NaN: a single pair. */
static double variance_of(const struct verify_against_pair *pair, size_t n, double *step, double *freedom)
{
	size_t sizes = 1;

	for (size_t i = 1; i < n; i++)
		sizes += pair[i].size != pair[i - 1].size;
	size_t steps = take_steps(pair, n, n < 2 * sizes, false, step);
	if (!steps)
		steps = take_steps(pair, n, n < 2 * sizes, true, step);
	return steps ? ft__scatter(step, steps, ft__far, freedom) : NAN;
}

/* What pairs of all sizes scatter by. */
struct scatter {
	double variance, freedom;
};

/* The same at one size, of pairs [n]: where its own scatter more than those of all sizes, as short runs do,
 * it is believed as far as they are many, and known as well as that (a variance and its prior: Smyth 2004).
 */
static struct scatter scatter_at(const struct verify_against_pair *pair, size_t n, const struct scatter *all,
				 double far, double *step)
{
	const size_t steps = take_steps(pair, n, false, false, step);
	const double weight = all_weight + (double)steps;
	struct scatter own;

	if (!steps)
		return *all;
	own.variance = ft__scatter(step, steps, far, &own.freedom);
	if (own.variance <= all->variance)
		return *all;
	own.variance = (all_weight * all->variance + (weight - all_weight) * own.variance) / weight;
	own.freedom = fmin(all->freedom, all_weight + own.freedom);
	return own;
}

static void add_check(struct ft__verifying *v, const struct ft_resource *resource,
		      const struct verify_against_pair *pair, size_t n, const struct scatter *all,
		      double *work)
{
	struct ft__held *held = &v->held[v->out->n_checks];
	struct ft_check *check = &v->out->check[v->out->n_checks++];

	*check = (struct ft_check){.size = *pair->size};
	check->resource = resource;
	for (size_t i = 0; i < n; i++) {
		check->at_least |= pair[i].at_least;
		work[i] = pair[i].now;
	}
	ft_sort(work, n);
	ft__verify_values(check, work, n);
	for (size_t i = 0; i < n; i++)
		work[i] = pair[i].before;
	held->before = ft_stats_median(work, n);
	for (size_t i = 0; i < n; i++)
		work[i] = ln_ratio(&pair[i]);
	held->now = held->before * exp(ft_stats_median(work, n));
	held->of_runs = ft__median_variance(scatter_at(pair, n, all, ft__far, work).variance, n);
	held->sd = sqrt(held->of_runs);
	/* Runs that take one of two times look still for a while: of few steps the large one tells. */
	struct scatter alone = scatter_at(pair, n, all, INFINITY, work);
	held->alone_sd = sqrt(ft__median_variance(alone.variance, n));
	held->alone_freedom = alone.freedom;
	check->promised = (struct ft_prediction){.value = held->before, .runs = n, .basis = FT_BASIS_AT_KNOT};
}

/* most: pairs that there may be. */
static enum ft_status add_checks(struct ft__verifying *v, const struct verify_against_both *both, size_t most,
				 size_t r, struct ft_err *err)
{
	const struct ft_resource *resource = v->options->resource[r];
	struct verify_against_pair *pair = ft_calloc(most + 1, sizeof *pair);
	double *work = ft_calloc(most + 1, sizeof *work);
	struct scatter all = {.freedom = 1};
	enum ft_status status = FT_OK;
	size_t j;

	if (!pair || !work) {
		status = ft_nomem(err);
		goto out;
	}
	size_t n = collect_pairs(both, resource, pair);
	all.variance = n ? variance_of(pair, n, work, &all.freedom) : NAN;
	if (isnan(all.variance)) {
		(void)ft_fail(err, FT_ENOMODEL, "%zu pair%s of runs %s a value of %s, and it takes two", n,
			      n == 1 ? "" : "s", n == 1 ? "has" : "have", resource->name);
		(void)ft_remedy(err, "run more of them: --runs");
		status = FT_ENOMODEL;
		goto out;
	}
	for (size_t i = 0; i < n; i += j) {
		j = same_size(pair + i, n - i);
		add_check(v, resource, pair + i, j, &all, work);
	}
	v->common[r].freedom = all.freedom;
out:
	ft_free(pair);
	ft_free(work);
	return status;
}

/* Where the median of the new runs lies, did nothing change: both medians scatter, as pairs do. */
static void promise_all(struct ft__verifying *v)
{
	for (size_t i = 0; i < v->out->n_checks; i++) {
		struct ft_prediction *p = &v->out->check[i].promised;
		const double wide =
			v->held[i].alone_sd * ft_student_t(2 * v->out->each - 1, v->held[i].alone_freedom);

		p->lower = p->value * exp(-wide);
		p->upper = p->value * exp(wide);
	}
}

enum ft_status ft_verify_against(const struct ft_runs *before, const struct ft_runs *runs,
				 const struct ft_verify_options *options, struct ft_verification *out,
				 struct ft_err *err)
{
	struct ft__verifying v;
	struct verify_against_both both = {0};
	enum ft_status status = ft__verify_begin(&v, options, options->n * runs->n, out, err);

	if (!status)
		status = ft_runs_by_size(before, is_no_warmup, NULL, &both.before, err);
	if (!status)
		status = ft_runs_by_size(runs, is_no_warmup, NULL, &both.now, err);
	for (size_t r = 0; r < options->n && !status; r++)
		status = add_checks(&v, &both, runs->n, r, err);
	if (!status) {
		ft__verify_share(&v);
		promise_all(&v);
		status = ft__verify_judge(&v, err);
	}
	ft_by_size_clear(&both.before);
	ft_by_size_clear(&both.now);
	return ft__verify_end(&v, status);
}
