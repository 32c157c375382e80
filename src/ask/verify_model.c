/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verify_model.c - new runs held against the models of a program. */
#include "foretime/by_size.h"
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

/* ---- the new values --------------------------------------------------------------------------------------
 */

struct value {
	double value;
	bool at_least;
};

static int compare_values(const void *a, const void *b)
{
	const struct value *p = a, *q = b;

	return (p->value > q->value) - (p->value < q->value);
}

static bool has_value(const struct ft_run *run, const void *resource)
{
	bool at_least;

	return !isnan(ft__verify_value(run, resource, &at_least));
}

/* Room for all new values. */
struct verify_model_room {
	struct value *value; /* of one size */
	double *sorted;
	double *step; /* |differences| of neighbours in time, of all sizes */
	size_t steps;
};

/* What new runs of a size differ by from those before them. */
static void add_steps(struct verify_model_room *room, size_t n)
{
	const struct value *value = room->value;

	for (size_t i = 1; i < n; i++)
		if (value[i].value > 0 && value[i - 1].value > 0)
			room->step[room->steps++] = fabs(log(value[i].value / value[i - 1].value));
}

static void add_check(struct ft__verifying *v, const struct ft_resource *resource,
		      const struct ft_size_runs *runs, struct verify_model_room *room)
{
	struct ft__held *held = &v->held[v->out->n_checks];
	struct ft_check *check = &v->out->check[v->out->n_checks++];
	struct value *value = room->value;
	size_t n = runs->n;

	for (size_t i = 0; i < n; i++)
		value[i].value = ft__verify_value(runs->run[i], resource, &value[i].at_least);
	add_steps(room, n);
	qsort(value, n, sizeof *value, compare_values);
	*check = (struct ft_check){.size = runs->run[0]->size, .at_least = value[n / 2].at_least};
	check->resource = resource;
	for (size_t i = 0; i < n; i++)
		room->sorted[i] = value[i].value;
	ft__verify_values(check, room->sorted, n);
	held->now = check->value;
}

static enum ft_status add_checks(struct ft__verifying *v, const struct ft_runs *runs, size_t r,
				 struct ft_err *err)
{
	const struct ft_resource *resource = v->options->resource[r];
	struct verify_model_room room = {.value = ft_calloc(runs->n + 1, sizeof *room.value),
					 .sorted = ft_calloc(runs->n + 1, sizeof *room.sorted),
					 .step = ft_calloc(runs->n + 1, sizeof *room.step)};
	struct ft_by_size by_size;
	enum ft_status status = ft_runs_by_size(runs, has_value, resource, &by_size, err);
	double freedom;

	if (!status && (!room.value || !room.sorted || !room.step))
		status = ft_nomem(err);
	if (!status && !by_size.n)
		status = ft_fail(err, FT_ENOMODEL, "no new run that ended well has a value of %s",
				 resource->name);
	for (size_t i = 0; i < by_size.n && !status; i++)
		add_check(v, resource, &by_size.at[i], &room);
	/* What new runs scatter by, whatever the model says; 0: nothing tells. */
	v->common[r].scatter = room.steps ? ft__scatter(room.step, room.steps, ft__far, &freedom) : 0;
	ft_by_size_clear(&by_size);
	ft_free(room.value);
	ft_free(room.sorted);
	ft_free(room.step);
	return status;
}

/* ---- what was promised -----------------------------------------------------------------------------------
 */

/* What all sizes of a session share, of times. */
static double session_of(const struct ft_answerer *answerer, const struct ft_runs *runs)
{
	return ft_load_session(fmax(ft_runs_wanted(runs), ft_runs_wanted(&answerer->runs)));
}

/* The interval of a single run at a risk on either side, in another session. */
static enum ft_status promise_check(struct ft_answerer *answerer, double risk, double session,
				    struct ft_check *check, struct ft_err *err)
{
	const double asked = fmin(fmax(risk, least_risk), most_risk), quantile = ft_normal_quantile(1 - risk);
	const double scale = fmax(1, quantile / ft_normal_quantile(1 - asked));
	struct ft_prediction *p = &check->promised;
	double most;

	FT_TRY(ft__request_upper(answerer, check->resource, &check->size, asked, p, &most, err));
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
static enum ft_status hold_check(struct ft_answerer *answerer, const struct ft_check *check, double scatter,
				 struct ft__held *held, double *known, struct ft_err *err)
{
	struct ft_prediction p;

	FT_TRY(ft_ask_predict(answerer, check->resource, &check->size, within_sd, &p, err));
	*known = isnan(p.known) ? 0 : log1p(p.known);
	double half = p.lower > 0 && p.upper > 0 ? log(p.upper / p.lower) / 2 : 0;
	held->before = p.value;
	held->of_runs = ft__median_variance(fmax(scatter, half * half - *known * *known), check->runs);
	return FT_OK;
}

/* Whether a check is the first one of a resource, and not of the first. */
static bool is_next(const struct ft__verifying *v, size_t i)
{
	const struct ft_check *check = &v->out->check[i];

	return i && check->resource != check[-1].resource;
}

/* What a size does not share with the others: what is not known of the curve beyond what is not known of it
 * anywhere, and how the new runs scatter. */
static double own_sd(const struct ft__held *held, const struct ft__common *common)
{
	const double least = common->sd * common->sd - common->session * common->session;

	return sqrt(held->of_runs + fmax(0, held->sd * held->sd - least));
}

static enum ft_status promise_all(struct ft__verifying *v, struct ft_answerer *answerer,
				  const struct ft_runs *runs, struct ft_err *err)
{
	const double of_times = session_of(answerer, runs);
	enum ft_status status = FT_OK;
	size_t r = 0;
	double least = INFINITY;

	for (size_t i = 0; i < v->out->n_checks && !status; i++) {
		struct ft_check *check = &v->out->check[i];
		const double session = check->resource->disturbed ? of_times : 0;
		double known = 0;

		if (is_next(v, i)) {
			r++;
			least = INFINITY;
		}
		status = promise_check(answerer, 1 - v->out->each, session, check, err);
		if (!status)
			status = hold_check(answerer, check, v->common[r].scatter, &v->held[i], &known, err);
		least = fmin(least, known);
		v->held[i].sd = known;
		v->common[r] =
			(struct ft__common){hypot(least, session), session, INFINITY, v->common[r].scatter};
	}
	for (size_t i = r = 0; i < v->out->n_checks && !status; i++) {
		const struct ft__common *common = &v->common[r += is_next(v, i)];

		v->held[i].sd = own_sd(&v->held[i], common);
	}
	return status;
}

enum ft_status ft_ask_verify(struct ft_answerer *answerer, const struct ft_runs *runs,
			     const struct ft_verify_options *options, struct ft_verification *out,
			     struct ft_err *err)
{
	struct ft__verifying v;
	enum ft_status status = ft__verify_begin(&v, options, options->n * runs->n, out, err);

	for (size_t i = 0; i < options->n && !status; i++)
		status = add_checks(&v, runs, i, err);
	if (!status) {
		ft__verify_share(&v);
		status = promise_all(&v, answerer, runs, err);
	}
	if (!status)
		status = ft__verify_judge(&v, err);
	return ft__verify_end(&v, status);
}
