/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verify.c - compares new runs with predictions: inside the interval, as long as before, with the same
 * growth. */
#include "ask/ask.h"
#include "base/alloc.h"
#include "foretime/facts.h"
#include "foretime/ask.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>

/* Growth needs this many sizes, over such a range. */
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

/* What a run had used when it was ended. */
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

		const double least = growth->resource->of == FT_CLASS_MEMORY ? held->least : 1e-6;

		step[i] = (struct ft__step){check->size.value[growth->param], held->now,
					    fmax(held->before, 1e-300), fmax(least, held->sd)};
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
/* verify_values - a size's new values [n], ascending: the check's median, and what the tests go by. */
static void verify_values(struct ft_check *check, const double *value, size_t n)
{
	const size_t middle = n / 2;

	check->runs = n;
	check->value = n % 2 || check->at_least ? value[middle] : (value[middle - 1] + value[middle]) / 2;
	check->low = value[(n - 1) / 4];
	check->high = value[n - 1 - (n - 1) / 4];
}

/* Two outliers among three runs are more likely than all three: one size alone breaks a contract only if
 * three quarters of its runs do. */
static void judge_check(struct ft_check *check)
{
	const double least = ft__least_of(check->resource, check->promised.value);
	struct ft_prediction *p = &check->promised;

	p->upper = fmax(p->upper, p->value * (1 + least));
	p->lower = fmin(p->lower, p->value / (1 + least));
	if (check->low > p->upper) {
		check->verdict = FT_VERDICT_OVER;
		check->share = check->value / p->upper - 1;
		/* The noise of a single run is unknown. */
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
		struct ft_regression *shift = &out->shift[i];
		bool at_least = false;

		n = same_resource(out, at);
		shift->resource = out->check[at].resource;
		shift->sizes = n;
		for (size_t k = at; k < at + n; k++) {
			shift->runs += out->check[k].runs;
			at_least |= out->check[k].at_least;
			v->held[k].least = ft__least_of(shift->resource, v->held[k].before);
		}
		ft__regression_test(&v->held[at], n, &v->common[i], 1 - out->pooled, at_least, shift);
	}
}

/* verify_judge - promised, held and common are filled in: decide what holds. FT_OK, FT_ENOMEM. */
static enum ft_status verify_judge(struct ft__verifying *v, struct ft_err *err)
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

/* verify_begin - check the options, room for as many checks as there may be. FT_OK, FT_EINVAL, FT_ENOMEM;
 * verify_end is due also on failure. */
static enum ft_status verify_begin(struct ft__verifying *v, const struct ft_verify_options *options,
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

/* The share of the risk for effects at one size; effects over all sizes get the rest. */
static const double alone_share = 0.2;

/* verify_share - all checks are there: the risk is shared among the tests. */
static void verify_share(struct ft__verifying *v)
{
	struct ft_verification *out = v->out;
	const double risk = (1 - out->confidence) / (v->options->strict ? 2 : 1);

	size_t n;

	for (size_t i = 0; i < out->n_checks; i += n) {
		n = same_resource(out, i);
		size_t param = only_param(&out->check[i], n);
		if (param == SIZE_MAX)
			continue;
		out->growth[out->n_growths] = (struct ft_growth){.param = param};
		out->growth[out->n_growths++].resource = out->check[i].resource;
	}
	out->n_shifts = v->options->n;
	out->each = 1 - alone_share * risk / (double)out->n_checks;
	out->pooled = 1 - (1 - alone_share) * risk / (double)(out->n_shifts + out->n_growths);
}

/* verify_end - free what is ours; `status` not FT_OK: *out is cleared. Returns `status`. */
static enum ft_status verify_end(struct ft__verifying *v, enum ft_status status)
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

/*
 * Which new runs a contract takes: the sizes, their time limits, and when to stop.
 */

/* A sweep goes down to this share of the largest size measured. */
static const double sweep_down = 1.0 / 16;

/* A run is ended when no further one would change the verdict, but not before this time; against old runs
 * after a multiple of their time. */
static const double beyond = 1.1, least_limit_s = 1, many_times = 10;

/* The largest slowdown of a run that shares its core (doc/constants-answers.md). */
static const double most_disturbed = 2;

/* If the slowest program that keeps a contract takes this multiple of the fastest one's time, the contract
 * is not meaningful. */
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

/* ---- whether to continue -------------------------------------------------------------------------- */

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
		const struct ft_regression *shift = &verification->shift[i];

		if (ft_verdict_breaks(shift->verdict, strict))
			disturbed &= shift->resource->disturbed && !in_turn && shift->lower < most_disturbed;
	}
	return disturbed;
}

enum ft_verify_meaning ft_verification_meaning(const struct ft_verification *verification, bool strict,
					       size_t *at)
{
	for (*at = 0; *at < verification->n_shifts; ++*at) {
		const struct ft_regression *shift = &verification->shift[*at];

		if (!shift->at_least && (strict || shift->upper >= 1) && shift->upper / shift->lower > widest)
			return FT_MEANING_WIDE;
	}
	for (*at = 0; *at < verification->n_checks; ++*at)
		if (verification->check[*at].at_least && verification->check[*at].verdict != FT_VERDICT_OVER)
			return FT_MEANING_ENDED;
	return FT_MEANING_CLEAR;
}

/*
 * Compare new runs with old ones that alternated with them.
 */

/* The weight, in steps between pairs, of the variance of all sizes at a single one. */
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

/* Pair each run of a size with the old one of the same rank. Only pairs that both ended well (a time limit
 * is enough for the new run). Returns their number. */
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

/* Steps between neighbours, of one size or of any. ended: whether steps of runs that were ended early
 * count, which contain no noise. Returns their number. */
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

/* The variance of pairs over all sizes. */
struct scatter {
	double variance, freedom;
};

/* The same at one size, of pairs [n]: if its own variance is larger than that of all sizes, as with short
 * runs, it is weighted by their number, with the corresponding degrees of freedom (a variance and its
 * prior: Smyth 2004). */
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

/* work: [8 n] */
static double shift_at(const struct verify_against_pair *pair, size_t n, double *work, double *of_pair)
{
	for (size_t i = 0; i < n; i++) {
		work[i] = log(pair[i].before);
		work[n + i] = log(pair[i].now);
	}
	return ft__pairs_shift(work, work + n, n, work + 2 * n, of_pair);
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
	verify_values(check, work, n);
	for (size_t i = 0; i < n; i++)
		work[i] = pair[i].before;
	held->before = ft_stats_median(work, n);
	for (size_t i = 0; i < n; i++)
		work[i] = ln_ratio(&pair[i]);
	held->now = held->before * exp(ft_stats_median(work, n));
	held->of_runs = ft__median_variance(scatter_at(pair, n, all, ft__far, work).variance, n);
	if (n >= FT__PAIRS_LEAST)
		held->now = held->before * exp(shift_at(pair, n, work, &held->of_pair));
	held->sd = sqrt(held->of_runs);
	/* Runs with two typical times look stable for a while: among few steps the large one counts. */
	struct scatter alone = scatter_at(pair, n, all, INFINITY, work);
	held->alone_sd = sqrt(ft__median_variance(alone.variance, n));
	held->alone_freedom = alone.freedom;
	check->promised = (struct ft_prediction){.value = held->before, .runs = n, .basis = FT_BASIS_AT_KNOT};
}

/* The variance of each size from `first` on: its own, and that of all sizes, whose weight is that of two pairs. */
static void share_variances(struct ft__verifying *v, size_t first)
{
	double sum = 0, sizes = 0;

	for (size_t i = first; i < v->out->n_checks; i++)
		if (v->out->check[i].runs >= FT__PAIRS_LEAST) {
			sum += v->held[i].of_pair;
			sizes++;
		}
	for (size_t i = first; i < v->out->n_checks; i++) {
		struct ft__held *held = &v->held[i];
		const double n = (double)v->out->check[i].runs;

		if (n < FT__PAIRS_LEAST)
			continue;
		held->of_runs =
			(all_weight * sum / sizes + (n - 1) * held->of_pair) / (all_weight + n - 1) / n;
		held->sd = sqrt(held->of_runs);
	}
}

/* most: pairs that there may be. */
static enum ft_status add_checks(struct ft__verifying *v, const struct verify_against_both *both, size_t most,
				 size_t r, struct ft_err *err)
{
	const struct ft_resource *resource = v->options->resource[r];
	struct verify_against_pair *pair = ft_calloc(most + 1, sizeof *pair);
	double *work = ft_calloc(8 * most + 1, sizeof *work);
	struct scatter all = {.freedom = 1};
	enum ft_status status = FT_OK;
	size_t j;

	if (!pair || !work) {
		status = ft_nomem(err);
		goto out;
	}
	const size_t n = collect_pairs(both, resource, pair), first = v->out->n_checks;
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
	share_variances(v, first);
out:
	ft_free(pair);
	ft_free(work);
	return status;
}

enum ft_status ft_verify_against(const struct ft_runs *before, const struct ft_runs *runs,
				 const struct ft_verify_options *options, struct ft_verification *out,
				 struct ft_err *err)
{
	struct ft__verifying v;
	struct verify_against_both both = {0};
	enum ft_status status = verify_begin(&v, options, options->n * runs->n, out, err);

	if (!status)
		status = ft_runs_by_size(before, is_no_warmup, NULL, &both.before, err);
	if (!status)
		status = ft_runs_by_size(runs, is_no_warmup, NULL, &both.now, err);
	for (size_t r = 0; r < options->n && !status; r++)
		status = add_checks(&v, &both, runs->n, r, err);
	if (!status) {
		verify_share(&v);
		/* The expected median of the new runs if nothing changed: both medians have the variance of pairs. */
		for (size_t i = 0; i < v.out->n_checks; i++) {
			struct ft_prediction *p = &v.out->check[i].promised;
			const double wide = v.held[i].alone_sd *
					    ft_student_t(2 * v.out->each - 1, v.held[i].alone_freedom);

			p->lower = p->value * exp(-wide);
			p->upper = p->value * exp(wide);
		}
		status = verify_judge(&v, err);
	}
	ft_by_size_clear(&both.before);
	ft_by_size_clear(&both.now);
	return verify_end(&v, status);
}

/*
 * Compare new runs with the models of a program.
 */

/* The smallest risk of a single check that models are queried at; smaller ones are scaled from there by
 * the normal law. */
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

/* The differences between new runs of a size and those before them. */
static void add_steps(struct verify_model_room *room, size_t n)
{
	const struct value *value = room->value;

	for (size_t i = 1; i < n; i++)
		if (value[i].value > 0 && value[i - 1].value > 0)
			room->step[room->steps++] = fabs(log(value[i].value / value[i - 1].value));
}

static void model_add_check(struct ft__verifying *v, const struct ft_resource *resource,
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
	verify_values(check, room->sorted, n);
	held->now = check->value;
}

static enum ft_status model_add_checks(struct ft__verifying *v, const struct ft_runs *runs, size_t r,
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
		model_add_check(v, resource, &by_size.at[i], &room);
	/* The variance of new runs, independent of the model; 0: unknown. */
	v->common[r].scatter = room.steps ? ft__scatter(room.step, room.steps, ft__far, &freedom) : 0;
	ft_by_size_clear(&by_size);
	ft_free(room.value);
	ft_free(room.sorted);
	ft_free(room.step);
	return status;
}

/* ---- predictions ----------------------------------------------------------------------------------- */

/* The interval of a single run at a risk on either side, in another session. */
static enum ft_status promise_check(struct ft_answerer *answerer, double risk,
				    const struct ft__other_session *other, struct ft_check *check,
				    struct ft_err *err)
{
	const double session = other->sd;
	const double query = fmin(fmax(risk, least_risk), most_risk), quantile = ft_normal_quantile(1 - risk);
	const double scale = fmax(1, quantile / ft_normal_quantile(1 - query));
	struct ft_prediction *p = &check->promised;
	double most;

	FT_TRY(ft__request_upper(answerer, check->resource, &check->size, query, p, &most, err));
	p->value *= other->drift;
	p->lower *= other->drift;
	p->upper *= other->drift;
	most *= other->drift;
	if (!(p->value > 0)) {
		p->upper = most;
		return FT_OK;
	}
	p->upper = fmin(1e300, p->value * exp(hypot(scale * log(most / p->value), quantile * session)));
	p->lower = p->value * exp(-hypot(scale * log(p->value / p->lower), quantile * session));
	return FT_OK;
}

/* The predicted typical run, and how far the new ones may lie from it. scatter: variance of new runs. */
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

/* Whether a check is the first one of a resource other than the first. */
static bool is_next(const struct ft__verifying *v, size_t i)
{
	const struct ft_check *check = &v->out->check[i];

	return i && check->resource != check[-1].resource;
}

/* The part of the error that is specific to a size: the uncertainty of the curve there above that common
 * to all sizes, and the noise of the new runs. */
static double own_sd(const struct ft__held *held, const struct ft__common *common)
{
	const double least = common->sd * common->sd - common->session * common->session;

	return sqrt(held->of_runs + fmax(0, held->sd * held->sd - least));
}

static enum ft_status model_promise_all(struct ft__verifying *v, struct ft_answerer *answerer,
					const struct ft_runs *runs, struct ft_err *err)
{
	struct ft__other_session session;
	enum ft_status status = ft__session_find(answerer, runs, v->options->resource[0], &session, err);
	size_t r = 0;
	double least = INFINITY;

	for (size_t i = 0; i < v->out->n_checks && !status; i++) {
		struct ft_check *check = &v->out->check[i];
		double known = 0;

		if (is_next(v, i)) {
			r++;
			least = INFINITY;
			status = ft__session_find(answerer, runs, check->resource, &session, err);
		}
		if (!status)
			status = promise_check(answerer, 1 - v->out->each, &session, check, err);
		if (!status)
			status = hold_check(answerer, check, v->common[r].scatter, &v->held[i], &known, err);
		v->held[i].before *= session.drift;
		least = fmin(least, known);
		v->held[i].sd = known;
		v->common[r] = (struct ft__common){hypot(least, session.sd), session.sd, INFINITY,
						   v->common[r].scatter};
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
	enum ft_status status = verify_begin(&v, options, options->n * runs->n, out, err);

	for (size_t i = 0; i < options->n && !status; i++)
		status = model_add_checks(&v, runs, i, err);
	if (!status) {
		verify_share(&v);
		status = model_promise_all(&v, answerer, runs, err);
	}
	if (!status)
		status = verify_judge(&v, err);
	return verify_end(&v, status);
}
