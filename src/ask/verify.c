/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verify.c - new runs held against what was promised: inside or not, as long as they were or not, growing
 * alike or not. */
#include "ask/verify.h"
#include "ask/growth.h"
#include "base/alloc.h"
#include "num/stats.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

bool ft_verdict_breaks(enum ft_verdict verdict, bool strict)
{
	return verdict == FT_VERDICT_OVER || (strict && verdict == FT_VERDICT_UNDER);
}

/* ---- a new run -------------------------------------------------------------------------------------------
 */

/* What a run had taken when it was ended. */
static double value_of_run(const struct ft_run *run, const struct ft_resource *resource)
{
	double value = ft_run_idle_value(run, resource);

	return isnan(value) && resource == &ft_wall_s ? run->cost_s : value;
}

double ft__verify_value(const struct ft_run *run, const struct ft_resource *resource, bool *at_least)
{
	*at_least = run->outcome == FT_TIMED_OUT;
	if (run->warmup || (run->outcome != FT_DONE && !*at_least))
		return NAN;
	return *at_least ? value_of_run(run, resource) : ft_run_idle_value(run, resource);
}

/* ---- growth ----------------------------------------------------------------------------------------------
 */

/* The only parameter in which the checks of a resource differ; SIZE_MAX: there is not just one, or the sizes
 * are too few or too near to each other, or something is not positive. */
static size_t only_param(const struct ft_check *check, size_t n)
{
	size_t only = SIZE_MAX;

	for (size_t p = 0; p < check->size.n; p++)
		for (size_t i = 1; i < n; i++)
			if (check[i].size.value[p] != check[0].size.value[p]) {
				if (only != SIZE_MAX && only != p)
					return SIZE_MAX;
				only = p;
			}
	if (only == SIZE_MAX || n < SIZES_LEAST || !(check[0].size.value[only] > 0) ||
	    !(check[n - 1].size.value[only] >= range_least * check[0].size.value[only]))
		return SIZE_MAX;
	for (size_t i = 0; i < n; i++)
		if (!(check[i].value > 0))
			return SIZE_MAX;
	return only;
}

/* Checks of the resource that begins at i. */
static size_t same_resource(const struct ft_verification *v, size_t i)
{
	size_t j = i;

	while (j < v->n_checks && v->check[j].resource == v->check[i].resource)
		j++;
	return j - i;
}

static void plan_growths(struct ft_verification *v)
{
	size_t n;

	for (size_t i = 0; i < v->n_checks; i += n) {
		n = same_resource(v, i);
		size_t param = only_param(&v->check[i], n);
		if (param == SIZE_MAX)
			continue;
		v->growth[v->n_growths] = (struct ft_growth){.param = param};
		v->growth[v->n_growths++].resource = v->check[i].resource;
	}
}

static enum ft_status test_growth(const struct ft__verifying *v, struct ft_growth *growth, struct ft_err *err)
{
	const struct ft_verification *out = v->out;
	size_t from = 0, r = 0, n;

	for (; out->check[from].resource != growth->resource; from += n, r++)
		n = same_resource(out, from);
	double quantile = ft__common_quantile(&v->common[r], out->pooled);
	n = same_resource(out, from);
	struct ft__step *step = ft_calloc(n, sizeof *step);
	if (!step)
		return ft_nomem(err);
	for (size_t i = 0; i < n; i++) {
		const struct ft_check *check = &out->check[from + i];
		const struct ft__held *held = &v->held[from + i];

		step[i] = (struct ft__step){check->size.value[growth->param], held->now,
					    fmax(held->before, 1e-300), fmax(1e-6, held->sd)};
		growth->at_least |= check->at_least;
	}
	enum ft_status status = ft__growth_test(step, n, quantile, growth, err);
	if (growth->at_least)
		growth->upper = INFINITY;
	if (growth->at_least && growth->verdict == FT_VERDICT_UNDER)
		growth->verdict = FT_VERDICT_INSIDE;
	ft_free(step);
	return status;
}

/* ---- verdicts --------------------------------------------------------------------------------------------
 */

/* The median of the upper half for an even number: a lower bound among them is not hidden. */
void ft__verify_values(struct ft_check *check, const double *value, size_t n)
{
	const size_t middle = n / 2;

	check->runs = n;
	check->value = n % 2 || check->at_least ? value[middle] : (value[middle - 1] + value[middle]) / 2;
	check->low = value[(n - 1) / 4];
	check->high = value[n - 1 - (n - 1) / 4];
}

/* Of three runs two are wild sooner than all of them: one size alone breaks a contract where three quarters
 * of its runs do. */
static void judge_check(struct ft_check *check)
{
	struct ft_prediction *p = &check->promised;

	p->upper = fmax(p->upper, p->value * (1 + ft__least_shift));
	p->lower = fmin(p->lower, p->value / (1 + ft__least_shift));
	if (check->low > p->upper) {
		check->verdict = FT_VERDICT_OVER;
		check->share = check->value / p->upper - 1;
		/* Of one run that ended by itself nobody knows how it scatters. */
		check->certain = p->value > 0 && check->low / p->upper > p->upper / p->value &&
				 (check->runs > 1 || check->at_least || check->low > 2 * p->upper);
	} else if (check->high < p->lower && !check->at_least) {
		check->verdict = FT_VERDICT_UNDER;
		check->share = 1 - check->value / p->lower;
	}
}

static void judge_shifts(const struct ft__verifying *v)
{
	struct ft_verification *out = v->out;
	size_t at = 0, n;

	for (size_t i = 0; i < out->n_shifts; i++, at += n) {
		struct ft_shift *shift = &out->shift[i];
		bool at_least = false;

		n = same_resource(out, at);
		shift->resource = out->check[at].resource;
		shift->sizes = n;
		for (size_t k = at; k < at + n; k++) {
			shift->runs += out->check[k].runs;
			at_least |= out->check[k].at_least;
		}
		ft__shift_test(&v->held[at], n, &v->common[i], 1 - out->pooled, at_least, shift);
	}
}

enum ft_status ft__verify_judge(struct ft__verifying *v, struct ft_err *err)
{
	struct ft_verification *out = v->out;
	const bool strict = v->options->strict;
	enum ft_status status = FT_OK;

	out->holds = true;
	for (size_t i = 0; i < out->n_checks; i++) {
		judge_check(&out->check[i]);
		out->holds &= !ft_verdict_breaks(out->check[i].verdict, strict);
	}
	judge_shifts(v);
	for (size_t i = 0; i < out->n_shifts; i++)
		out->holds &= !ft_verdict_breaks(out->shift[i].verdict, strict);
	for (size_t i = 0; i < out->n_growths && !status; i++) {
		status = test_growth(v, &out->growth[i], err);
		out->holds &= !ft_verdict_breaks(out->growth[i].verdict, strict);
	}
	return status;
}

/* ---- the frame -------------------------------------------------------------------------------------------
 */

enum ft_status ft__verify_begin(struct ft__verifying *v, const struct ft_verify_options *options,
				size_t most_checks, struct ft_verification *out, struct ft_err *err)
{
	*out = (struct ft_verification){.confidence = options->confidence};
	*v = (struct ft__verifying){.options = options, .out = out};
	if (!(options->confidence >= 0.5 && options->confidence <= 0.9999)) {
		(void)ft_fail(err, FT_EINVAL, "a confidence of %g is not within 0.5 and 0.9999",
			      options->confidence);
		(void)ft_remedy(err, "state how often an unchanged program passes, as in 99%%");
		return FT_EINVAL;
	}
	out->check = ft_calloc(most_checks + 1, sizeof *out->check);
	out->shift = ft_calloc(options->n + 1, sizeof *out->shift);
	out->growth = ft_calloc(options->n + 1, sizeof *out->growth);
	v->held = ft_calloc(most_checks + 1, sizeof *v->held);
	v->common = ft_calloc(options->n + 1, sizeof *v->common);
	if (!out->check || !out->shift || !out->growth || !v->held || !v->common)
		return ft_nomem(err);
	return FT_OK;
}

/* What shows at one size alone gets this share of the risk, what shows over all of them the rest. */
static const double alone_share = 0.2;

void ft__verify_share(struct ft__verifying *v)
{
	struct ft_verification *out = v->out;
	const double risk = (1 - out->confidence) / (v->options->strict ? 2 : 1);

	plan_growths(out);
	out->n_shifts = v->options->n;
	out->each = 1 - alone_share * risk / (double)out->n_checks;
	out->pooled = 1 - (1 - alone_share) * risk / (double)(out->n_shifts + out->n_growths);
}

enum ft_status ft__verify_end(struct ft__verifying *v, enum ft_status status)
{
	ft_free(v->held);
	ft_free(v->common);
	if (status)
		ft_verification_clear(v->out);
	return status;
}

void ft_verification_clear(struct ft_verification *verification)
{
	if (!verification)
		return;
	ft_free(verification->check);
	ft_free(verification->shift);
	ft_free(verification->growth);
	*verification = (struct ft_verification){0};
}
