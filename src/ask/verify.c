/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verify.c - new runs held against the models: inside the band or not, growing alike or not. */
#include "ask/growth.h"
#include "ask/request.h"
#include "base/alloc.h"
#include "num/stats.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The risk of a single check that models are asked at, at least; smaller ones are scaled from there by the
 * normal law. */
static const double least_risk = 0.0005, most_risk = 0.25;

/* Growth is told from so many sizes, and over such a range of them. */
enum { SIZES_LEAST = 3 };
static const double range_least = 1.9;

static const char *const verdict_texts[] = {
#define TEXT(name, words) words,
	FT_VERDICT_LIST(TEXT)
#undef TEXT
};

const char *ft_verdict_text(enum ft_verdict verdict)
{
	return (size_t)verdict < sizeof verdict_texts / sizeof *verdict_texts ? verdict_texts[verdict]
									      : "unknown";
}

/* ---- the new values --------------------------------------------------------------------------------------
 */

struct value {
	struct ft_size size;
	double value;
	bool at_least;
};

static int compare_values(const void *a, const void *b)
{
	const struct value *p = a, *q = b;
	int order = ft_size_compare(&p->size, &q->size);

	return order ? order : (p->value > q->value) - (p->value < q->value);
}

/* What a new run says of a resource; NaN: nothing. */
static double value_of(const struct ft_run *run, const char *resource, bool *at_least)
{
	*at_least = run->outcome == FT_TIMED_OUT && !strcmp(resource, "wall_s");
	if (run->warmup)
		return NAN;
	if (*at_least) {
		double alone_s = ft_run_alone(run).wall_s;

		return isnan(alone_s) ? run->cost_s : alone_s;
	}
	return run->outcome == FT_DONE ? ft_run_idle_value(run, resource) : NAN;
}

/* Values by size; value: [runs->n] room. */
static size_t collect(const struct ft_runs *runs, const char *resource, struct value *value)
{
	size_t i, n = 0;

	for (i = 0; i < runs->n; i++) {
		value[n] = (struct value){.size = runs->run[i].size};
		value[n].value = value_of(&runs->run[i], resource, &value[n].at_least);
		if (!isnan(value[n].value))
			n++;
	}
	qsort(value, n, sizeof *value, compare_values);
	return n;
}

/* The median of the upper half for an even number: a lower bound among them is not hidden. */
static void add_checks(struct ft_verification *v, const char *resource, const struct value *value, size_t n)
{
	size_t i, j;

	for (i = 0; i < n; i = j) {
		struct ft_check *check = &v->check[v->n_checks++];
		size_t middle;

		for (j = i + 1; j < n && ft_size_equal(&value[j].size, &value[i].size);)
			j++;
		middle = i + (j - i) / 2;
		*check = (struct ft_check){.size = value[i].size, .runs = j - i};
		(void)snprintf(check->resource, sizeof check->resource, "%s", resource);
		check->at_least = value[middle].at_least;
		check->value = (j - i) % 2 || check->at_least
				       ? value[middle].value
				       : (value[middle - 1].value + value[middle].value) / 2;
	}
}

/* ---- growth ----------------------------------------------------------------------------------------------
 */

/* The only parameter in which the checks of a resource differ; SIZE_MAX: there is not just one, or the sizes
 * are too few or too near to each other, or something is not positive. */
static size_t only_param(const struct ft_check *check, size_t n)
{
	size_t i, p, only = SIZE_MAX;

	for (p = 0; p < check->size.n; p++)
		for (i = 1; i < n; i++)
			if (check[i].size.value[p] != check[0].size.value[p]) {
				if (only != SIZE_MAX && only != p)
					return SIZE_MAX;
				only = p;
			}
	if (only == SIZE_MAX || n < SIZES_LEAST || !(check[0].size.value[only] > 0) ||
	    !(check[n - 1].size.value[only] >= range_least * check[0].size.value[only]))
		return SIZE_MAX;
	for (i = 0; i < n; i++)
		if (!(check[i].value > 0))
			return SIZE_MAX;
	return only;
}

/* Checks of the resource that begins at i. */
static size_t same_resource(const struct ft_verification *v, size_t i)
{
	size_t j = i;

	while (j < v->n_checks && !strcmp(v->check[j].resource, v->check[i].resource))
		j++;
	return j - i;
}

static void plan_growths(struct ft_verification *v)
{
	size_t i, n;

	for (i = 0; i < v->n_checks; i += n) {
		size_t param;

		n = same_resource(v, i);
		param = only_param(&v->check[i], n);
		if (param == SIZE_MAX)
			continue;
		v->growth[v->n_growths] = (struct ft_growth){.param = param};
		memcpy(v->growth[v->n_growths++].resource, v->check[i].resource, FT_RESOURCE_LENGTH);
	}
}

static enum ft_status test_growth(const struct ft_verification *v, struct ft_growth *growth, double normal,
				  struct ft_err *err)
{
	struct ft__step *step;
	enum ft_status status;
	size_t from = 0, n, i;

	while (strcmp(v->check[from].resource, growth->resource) != 0)
		from++;
	n = same_resource(v, from);
	step = ft_calloc(n, sizeof *step);
	if (!step)
		return ft_nomem(err);
	for (i = 0; i < n; i++) {
		const struct ft_check *check = &v->check[from + i];
		double promised = fmax(check->promised.value, 1e-300);

		step[i] = (struct ft__step){check->size.value[growth->param], check->value, promised,
					    fmax(1e-6, log(check->promised.upper / promised) / normal)};
	}
	status = ft__growth_test(step, n, normal, growth, err);
	ft_free(step);
	return status;
}

/* ---- the question ----------------------------------------------------------------------------------------
 */

/* The interval of a single run at a risk on either side. */
static enum ft_status promise(struct ft_answerer *answerer, double risk, double scale, struct ft_check *check,
			      struct ft_err *err)
{
	struct ft_prediction *p = &check->promised;
	double most;
	enum ft_status status =
		ft__request_upper(answerer, check->resource, &check->size, risk, p, &most, err);

	if (status)
		return status;
	p->upper = p->value > 0 ? fmin(1e300, p->value * pow(most / p->value, scale)) : most;
	p->lower = p->value > 0 ? p->value * pow(p->lower / p->value, scale) : p->lower;
	if (check->value > p->upper) {
		check->verdict = FT_VERDICT_OVER;
		check->share = check->value / p->upper - 1;
	} else if (check->value < p->lower && !check->at_least) {
		check->verdict = FT_VERDICT_UNDER;
		check->share = 1 - check->value / p->lower;
	}
	return FT_OK;
}

static enum ft_status judge(struct ft_answerer *answerer, double risk, struct ft_verification *v,
			    struct ft_err *err)
{
	double asked = fmin(fmax(risk, least_risk), most_risk);
	double normal = ft_normal_quantile(1 - risk), scale = fmax(1, normal / ft_normal_quantile(1 - asked));
	enum ft_status status = FT_OK;
	size_t i;

	for (i = 0; i < v->n_checks && !status; i++)
		status = promise(answerer, asked, scale, &v->check[i], err);
	for (i = 0; i < v->n_growths && !status; i++)
		status = test_growth(v, &v->growth[i], normal, err);
	return status;
}

static void conclude(struct ft_verification *v, bool strict)
{
	size_t i;

	v->holds = true;
	for (i = 0; i < v->n_checks; i++)
		if (v->check[i].verdict == FT_VERDICT_OVER ||
		    (strict && v->check[i].verdict == FT_VERDICT_UNDER))
			v->holds = false;
	for (i = 0; i < v->n_growths; i++)
		if (v->growth[i].verdict == FT_VERDICT_OVER ||
		    (strict && v->growth[i].verdict == FT_VERDICT_UNDER))
			v->holds = false;
}

enum ft_status ft_ask_verify(struct ft_answerer *answerer, const struct ft_runs *runs,
			     const char *const *resource, size_t n, double confidence, bool strict,
			     struct ft_verification *out, struct ft_err *err)
{
	struct value *value = ft_calloc(runs->n + 1, sizeof *value);
	enum ft_status status = FT_OK;
	double tests;
	size_t i;

	*out = (struct ft_verification){.confidence = confidence};
	out->check = ft_calloc(n * runs->n + 1, sizeof *out->check);
	out->growth = ft_calloc(n + 1, sizeof *out->growth);
	if (!value || !out->check || !out->growth)
		status = ft_nomem(err);
	else if (!(confidence >= 0.5 && confidence <= 0.9999)) {
		(void)ft_fail(err, FT_EINVAL, "a confidence of %g is not within 0.5 and 0.9999", confidence);
		(void)ft_remedy(err, "state how often an unchanged program shall pass, as in 99%%");
		status = FT_EINVAL;
	}
	for (i = 0; i < n && !status; i++) {
		size_t values = collect(runs, resource[i], value);

		if (!values)
			status = ft_fail(err, FT_ENOMODEL, "no new run that ended well has a value of %s",
					 resource[i]);
		else
			add_checks(out, resource[i], value, values);
	}
	if (!status) {
		plan_growths(out);
		tests = (double)(out->n_checks + out->n_growths) * (strict ? 2 : 1);
		out->each = 1 - (1 - confidence) / tests;
		status = judge(answerer, 1 - out->each, out, err);
	}
	ft_free(value);
	if (status)
		ft_verification_clear(out);
	else
		conclude(out, strict);
	return status;
}

void ft_verification_clear(struct ft_verification *verification)
{
	if (!verification)
		return;
	ft_free(verification->check);
	ft_free(verification->growth);
	*verification = (struct ft_verification){0};
}
