/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verify_model.c - new runs held against the models of a program. */
#include "ask/request.h"
#include "ask/verify.h"
#include "base/alloc.h"
#include "num/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The risk of a single check that models are asked at, at least; smaller ones are scaled from there by the
 * normal law. */
static const double least_risk = 0.0005, most_risk = 0.25;

/* The share of runs within one standard deviation of the normal law. */
static const double within_sd = 0.6827;

/* What times, and energies, of one session differ by from those of another, all sizes alike: standard
 * deviation of ln; and where others want every processor: what they share beside its time no count of waiting
 * tells (doc/constants.md). */
static const double other_session = 0.025, busy_session = 0.2;

/* ---- the new values --------------------------------------------------------------------------------------
 */

struct value {
	struct ft_size size;
	size_t index; /* of its run: earlier ones were made before */
	double value;
	bool at_least;
};

static int compare_times(const void *a, const void *b)
{
	const struct value *p = a, *q = b;
	int order = ft_size_compare(&p->size, &q->size);

	return order ? order : (p->index > q->index) - (p->index < q->index);
}

static int compare_values(const void *a, const void *b)
{
	const struct value *p = a, *q = b;
	int order = ft_size_compare(&p->size, &q->size);

	return order ? order : (p->value > q->value) - (p->value < q->value);
}

/* Values by size, as they were made; value: [runs->n] room. */
static size_t collect(const struct ft_runs *runs, const char *resource, struct value *value)
{
	size_t i, n = 0;

	for (i = 0; i < runs->n; i++) {
		value[n] = (struct value){.size = runs->run[i].size, .index = i};
		value[n].value = ft__verify_value(&runs->run[i], resource, &value[n].at_least);
		if (!isnan(value[n].value))
			n++;
	}
	qsort(value, n, sizeof *value, compare_times);
	return n;
}

static size_t same_size(const struct value *value, size_t n)
{
	size_t j = 1;

	while (j < n && ft_size_equal(&value[j].size, &value->size))
		j++;
	return j;
}

static void add_check(struct ft__verifying *v, const char *resource, const struct value *value, size_t n,
		      double *sorted)
{
	struct ft__held *held = &v->held[v->out->n_checks];
	struct ft_check *check = &v->out->check[v->out->n_checks++];

	*check = (struct ft_check){.size = value->size, .at_least = value[n / 2].at_least};
	(void)snprintf(check->resource, sizeof check->resource, "%s", resource);
	for (size_t i = 0; i < n; i++)
		sorted[i] = value[i].value;
	ft__verify_values(check, held, sorted, n);
	held->now = check->value;
}

/* What new runs scatter by, whatever the model says; 0: nothing tells. step: [n] working space. */
static double scatter_of(const struct value *value, size_t n, double *step)
{
	size_t steps = 0;
	double freedom;

	for (size_t i = 1; i < n; i++)
		if (ft_size_equal(&value[i].size, &value[i - 1].size) && value[i].value > 0 &&
		    value[i - 1].value > 0)
			step[steps++] = fabs(log(value[i].value / value[i - 1].value));
	return steps ? ft__scatter(step, steps, &freedom) : 0;
}

static enum ft_status add_checks(struct ft__verifying *v, const struct ft_runs *runs, size_t r,
				 struct ft_err *err)
{
	const char *resource = v->options->resource[r];
	struct value *value = ft_calloc(runs->n + 1, sizeof *value);
	double *step = ft_calloc(runs->n + 1, sizeof *step);
	enum ft_status status = FT_OK;
	size_t n, i, j;

	if (!value || !step) {
		status = ft_nomem(err);
		goto out;
	}
	n = collect(runs, resource, value);
	if (!n)
		status = ft_fail(err, FT_ENOMODEL, "no new run that ended well has a value of %s", resource);
	v->common[r].scatter = scatter_of(value, n, step);
	qsort(value, n, sizeof *value, compare_values);
	for (i = 0; i < n; i += j) {
		j = same_size(value + i, n - i);
		add_check(v, resource, value + i, j, step);
	}
out:
	ft_free(value);
	ft_free(step);
	return status;
}

/* ---- what was promised -----------------------------------------------------------------------------------
 */

/* The share of the processors that others wanted, 1 at most. */
static double busy_share(const struct ft_runs *runs)
{
	double others;
	int processors = 0;

	for (size_t i = 0; i < runs->n && !processors; i++)
		processors = runs->run[i].processors;
	(void)ft_runs_slow_down(runs, &others);
	return processors > 0 && others > 0 ? fmin(1, others / processors) : 0;
}

/* What all sizes of a session share, of times. */
static double session_of(const struct ft_answerer *answerer, const struct ft_runs *runs)
{
	return hypot(other_session, busy_session * fmax(busy_share(runs), busy_share(&answerer->runs)));
}

static bool is_time_or_energy(const char *resource)
{
	const struct ft_resource *known = ft_resource_find(resource);

	return known && (!strcmp(known->unit, "s") || !strcmp(known->unit, "J"));
}

/* The interval of a single run at a risk on either side, in another session. */
static enum ft_status promise(struct ft_answerer *answerer, double risk, double session,
			      struct ft_check *check, struct ft_err *err)
{
	const double asked = fmin(fmax(risk, least_risk), most_risk), quantile = ft_normal_quantile(1 - risk);
	const double scale = fmax(1, quantile / ft_normal_quantile(1 - asked));
	struct ft_prediction *p = &check->promised;
	double most;
	enum ft_status status =
		ft__request_upper(answerer, check->resource, &check->size, asked, p, &most, err);

	if (status)
		return status;
	if (!(p->value > 0)) {
		p->upper = most;
		return FT_OK;
	}
	p->upper = fmin(1e300, p->value * exp(hypot(scale * log(most / p->value), quantile * session)));
	p->lower = p->value * exp(-hypot(scale * log(p->value / p->lower), quantile * session));
	return FT_OK;
}

/* The typical run that was promised, and how far the new ones may lie from it. scatter: variance of new runs.
 */
static enum ft_status hold(struct ft_answerer *answerer, const struct ft_check *check, double scatter,
			   struct ft__held *held, double *known, struct ft_err *err)
{
	struct ft_prediction p;
	double half;
	enum ft_status status = ft_ask_predict(answerer, check->resource, &check->size, within_sd, &p, err);

	if (status)
		return status;
	*known = isnan(p.known) ? 0 : log1p(p.known);
	half = p.lower > 0 && p.upper > 0 ? log(p.upper / p.lower) / 2 : 0;
	held->before = p.value;
	held->sd = sqrt(ft__median_variance(fmax(scatter, half * half - *known * *known), check->runs) +
			*known * *known);
	return FT_OK;
}

static enum ft_status promise_all(struct ft__verifying *v, struct ft_answerer *answerer,
				  const struct ft_runs *runs, struct ft_err *err)
{
	const double of_times = session_of(answerer, runs);
	enum ft_status status = FT_OK;
	size_t i, r = 0;
	double least = INFINITY;

	for (i = 0; i < v->out->n_checks && !status; i++) {
		struct ft_check *check = &v->out->check[i];
		const double session = is_time_or_energy(check->resource) ? of_times : 0;
		double known = 0;

		if (i && strcmp(check->resource, check[-1].resource) != 0) {
			r++;
			least = INFINITY;
		}
		status = promise(answerer, 1 - v->out->each, session, check, err);
		if (!status)
			status = hold(answerer, check, v->common[r].scatter, &v->held[i], &known, err);
		least = fmin(least, known);
		v->common[r].sd = hypot(least, session);
		v->common[r].freedom = INFINITY;
	}
	return status;
}

enum ft_status ft_ask_verify(struct ft_answerer *answerer, const struct ft_runs *runs,
			     const struct ft_verify_options *options, struct ft_verification *out,
			     struct ft_err *err)
{
	struct ft__verifying v;
	enum ft_status status = ft__verify_begin(&v, options, options->n * runs->n, out, err);
	size_t i;

	for (i = 0; i < options->n && !status; i++)
		status = add_checks(&v, runs, i, err);
	if (!status) {
		ft__verify_share(&v);
		status = promise_all(&v, answerer, runs, err);
	}
	if (!status)
		status = ft__verify_judge(&v, err);
	return ft__verify_end(&v, status);
}
