/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shift.c - how many times what it was a resource takes now, over all sizes together. */
#include "ask/verify.h"
#include "num/stats.h"

#include <math.h>

const double ft__least_shift = 0.01;

/* What a contract is there for: so much more, seen in nine of ten cases; and runs that are worth naming. */
static const double worth_seeing = 0.15, cases_seen = 0.9, runs_most = 1000;

/* What a median of k values is better by than one: k + this, by this + 1 (ft__median_variance). */
static const double median_lacks = 0.5708;

static const char *const limit_texts[] = {
#define TEXT(name, words) words,
	FT_SHIFT_LIMIT_LIST(TEXT)
#undef TEXT
};

const char *ft_shift_limit_text(enum ft_shift_limit limit)
{
	return (size_t)limit < sizeof limit_texts / sizeof *limit_texts ? limit_texts[limit] : "unknown";
}

/* Steps so many times as far as the middle one are wild. */
const double ft__far = 3;

double ft__median_variance(double one, size_t n)
{
	static const double many = 1.5708; /* pi / 2; for few within 2 % of what numerical integration says */

	return n == 2 ? one / 2 : one * many / ((double)n + many - 1);
}

double ft__scatter(const double *step, size_t n, double far, double *freedom)
{
	const double most = isinf(far) ? INFINITY : far * ft_stats_median(step, n);
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += pow(most > 0 ? fmin(step[i], most) : step[i], 2);
	*freedom = fmax(1, 2.0 / 3 * (double)n); /* neighbouring differences share a value */
	return sum / (2 * (double)n);
}

static bool says_both(const struct ft__held *held)
{
	return held->now > 0 && held->before > 0;
}

static double ln_ratio(const struct ft__held *held)
{
	return log(held->now / held->before);
}

static double weight_of(const struct ft__held *held)
{
	return 1 / fmax(1e-12, held->sd * held->sd);
}

/* By how much more the sizes part than their errors explain: Birge's ratio, variance; 1 at least. */
static double birge_ratio(const struct ft__held *held, size_t n, double mean)
{
	double chi = 0;
	size_t used = 0;

	for (size_t i = 0; i < n; i++)
		if (says_both(&held[i])) {
			double off = ln_ratio(&held[i]) - mean;

			chi += weight_of(&held[i]) * off * off;
			used++;
		}
	return used > 1 ? fmax(1, chi / (double)(used - 1)) : 1;
}

double ft__common_quantile(const struct ft__common *common, double confidence)
{
	return isfinite(common->freedom) ? ft_student_t(2 * confidence - 1, common->freedom)
					 : ft_normal_quantile(confidence);
}

/* What the variance of the mean is of. */
struct parts {
	double runs, model, session;
};

static double sum_of(const struct parts *p)
{
	return p->runs + p->model + p->session;
}

static struct parts parts_of(const struct ft__held *held, size_t n, const struct ft__common *common,
			     double weights, double mean)
{
	const double more = birge_ratio(held, n, mean) / (weights * weights);
	struct parts p = {.session = common->session * common->session};

	p.model = fmax(0, common->sd * common->sd - p.session);
	for (size_t i = 0; i < n; i++)
		if (says_both(&held[i])) {
			const double weight = weight_of(&held[i]),
				     of_runs = weight * weight * held[i].of_runs;

			p.runs += more * of_runs;
			p.model += more * fmax(0, weight - of_runs);
		}
	return p;
}

/* What it sees, and what would make it see more. sds: so many standard deviations are seen. */
static void tell_seen(struct ft_shift *out, const struct parts *p, double sds)
{
	const double want = pow(log1p(worth_seeing) / sds, 2) - p->model - p->session;
	const double runs = (double)out->runs / (double)(out->sizes ? out->sizes : 1);
	const double needed = ceil((runs + median_lacks) * p->runs / want - median_lacks);

	out->seen = expm1(sds * sqrt(sum_of(p)));
	out->limit = p->runs >= fmax(p->model, p->session) ? FT_SHIFT_LIMIT_RUNS
		     : p->model >= p->session              ? FT_SHIFT_LIMIT_MODEL
							   : FT_SHIFT_LIMIT_SESSION;
	out->needed = want > 0 && needed <= runs_most ? (size_t)fmax(needed, ceil(runs)) : 0;
}

void ft__shift_test(const struct ft__held *held, size_t n, const struct ft__common *common, double risk,
		    bool at_least, struct ft_shift *out)
{
	const double quantile = ft__common_quantile(common, 1 - risk);
	double weights = 0, sum = 0;

	out->ratio = out->lower = out->upper = out->seen = NAN;
	out->at_least = at_least;
	for (size_t i = 0; i < n; i++)
		if (says_both(&held[i])) {
			weights += weight_of(&held[i]);
			sum += weight_of(&held[i]) * ln_ratio(&held[i]);
		}
	if (!(weights > 0))
		return;
	sum /= weights;
	struct parts parts = parts_of(held, n, common, weights, sum);
	double wide = quantile * sqrt(sum_of(&parts));
	out->ratio = exp(sum);
	out->lower = exp(sum - wide);
	out->upper = at_least ? INFINITY : exp(sum + wide);
	if (!at_least)
		tell_seen(out, &parts, quantile + ft_normal_quantile(cases_seen));
	out->verdict = out->lower > 1 && out->ratio > 1 + ft__least_shift         ? FT_VERDICT_OVER
		       : out->upper < 1 && out->ratio < 1 / (1 + ft__least_shift) ? FT_VERDICT_UNDER
										  : FT_VERDICT_INSIDE;
}
