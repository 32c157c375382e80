/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verify_runs.c - which new runs a contract takes: of which sizes, how long each, and when none is wanted. */
#include "base/alloc.h"
#include "foretime/verify.h"
#include "num/order.h"

#include <math.h>

/* A sweep goes down to this share of the largest size measured. */
static const double sweep_down = 1.0 / 16;

/* A run is ended where no further one would change the verdict, and not before so many seconds; against old
 * runs after so many times what they took. */
static const double beyond = 1.1, least_limit_s = 1, many_times = 10;

/* What shares a core makes a run so many times as long at most (doc/constants.md). */
static const double most_disturbed = 2;

/* Where the slowest program that keeps a contract takes so many times as long as the fastest, it says
 * nothing. */
static const double widest = 4;

/* ---- sizes -------------------------------------------------------------------------------------------- */

/* The values of a parameter that runs ended well with, ascending and different. Returns how many. */
static size_t collect_values(const struct ft_runs *runs, size_t param, double *x)
{
	size_t n = 0;

	for (size_t i = 0; i < runs->n; i++) {
		const struct ft_run *run = &runs->run[i];

		if (run->outcome == FT_DONE && !run->warmup && run->size.value[param] > 0)
			x[n++] = run->size.value[param];
	}
	return ft_sort_different(x, n);
}

/* The nearest in ratio, of two the larger one. */
static size_t nearest_value(const double *x, size_t n, double wanted)
{
	size_t j = 0;

	while (j + 1 < n && fabs(log(x[j + 1] / wanted)) <= fabs(log(x[j] / wanted)))
		j++;
	return j;
}

enum ft_status ft_ask_sweep(const struct ft_answerer *answerer, const struct ft_size *fixed, size_t varying,
			    struct ft_size size[FT_SWEEP_SIZES], size_t *n, struct ft_err *err)
{
	const struct ft_runs *runs = ft_ask_runs(answerer);
	double *x = ft_calloc(runs->n + 1, sizeof *x), least, value;

	*n = 0;
	if (!x)
		return ft_nomem(err);
	size_t count = collect_values(runs, varying, x);
	for (size_t i = 0; i < FT_SWEEP_SIZES && count; i++) {
		least = fmax(x[0], sweep_down * x[count - 1]);
		value = least * pow(x[count - 1] / least, (double)i / (FT_SWEEP_SIZES - 1));
		value = x[nearest_value(x, count, value)];
		if (*n && size[*n - 1].value[varying] == value)
			continue;
		size[*n] = *fixed;
		size[(*n)++].value[varying] = value;
	}
	ft_free(x);
	return FT_OK;
}

/* ---- time limits -------------------------------------------------------------------------------------- */

static double limit_of(double seconds)
{
	return seconds > 0 ? fmax(least_limit_s, seconds) : 0;
}

void ft_ask_verify_limits(struct ft_answerer *answerer, const struct ft_size *size, size_t n, double *limit_s)
{
	const struct ft_ask_load now = {.view = FT_LOAD_NOW}, idle = {.view = FT_LOAD_IDLE};
	struct ft_prediction p;

	ft_ask_under(answerer, &now);
	if (n && ft_ask_predict(answerer, &ft_wall_s, size, 0.99, &p, NULL) == FT_EUNAVAIL)
		ft_ask_under(answerer, &idle);
	for (size_t i = 0; i < n; i++) {
		bool known = !ft_ask_predict(answerer, &ft_wall_s, &size[i], 0.998, &p, NULL) && p.value > 0;

		limit_s[i] = known ? limit_of(beyond * p.upper * p.upper / p.value) : 0;
	}
	ft_ask_under(answerer, &idle);
}

double ft_verify_limit(const struct ft_runs *before, const struct ft_size *size)
{
	double most = 0;

	for (size_t i = 0; i < before->n; i++)
		if (ft_size_equal(&before->run[i].size, size))
			most = fmax(most, before->run[i].cost_s);
	return limit_of(many_times * most);
}

/* ---- whether more are wanted -------------------------------------------------------------------------- */

bool ft_verification_is_certain(const struct ft_verification *verification)
{
	for (size_t i = 0; i < verification->n_checks; i++)
		if (verification->check[i].certain)
			return true;
	return false;
}

bool ft_verification_is_disturbed(const struct ft_verification *verification, bool strict, bool in_turn)
{
	bool disturbed = !verification->holds;

	for (size_t i = 0; i < verification->n_checks; i++) {
		const struct ft_check *check = &verification->check[i];

		if (ft_verdict_breaks(check->verdict, strict))
			disturbed &= check->resource->disturbed &&
				     check->value < most_disturbed * check->promised.upper;
	}
	for (size_t i = 0; i < verification->n_shifts; i++) {
		const struct ft_shift *shift = &verification->shift[i];

		if (ft_verdict_breaks(shift->verdict, strict))
			disturbed &= shift->resource->disturbed && !in_turn && shift->lower < most_disturbed;
	}
	return disturbed;
}

enum ft_verify_meaning ft_verification_meaning(const struct ft_verification *verification, bool strict,
					       size_t *at)
{
	for (*at = 0; *at < verification->n_shifts; ++*at) {
		const struct ft_shift *shift = &verification->shift[*at];

		if (!shift->at_least && (strict || shift->upper >= 1) && shift->upper / shift->lower > widest)
			return FT_MEANING_WIDE;
	}
	for (*at = 0; *at < verification->n_checks; ++*at)
		if (verification->check[*at].at_least && verification->check[*at].verdict != FT_VERDICT_OVER)
			return FT_MEANING_ENDED;
	return FT_MEANING_CLEAR;
}
