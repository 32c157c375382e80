/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shift.c - estimates the factor by which a resource has changed, over all sizes together. */
#include "ask/ask.h"
#include "base/alloc.h"
#include "num/num.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * Compare the local exponent of new runs with that of the model: did n log n become n^2?
 */

/* A change of the exponent by less is none that matters. */
static const double least_change = 0.05;

/* An exponent that is farther from every class has no class. */
static const double near_class = 0.12;

struct slope {
	double value, weight;
};

static int compare_slopes(const void *a, const void *b)
{
	const struct slope *p = a, *q = b;

	return (p->value > q->value) - (p->value < q->value);
}

/* The weighted median of the slopes between pairs, each weighted with its distance.
 * Source: P. K. Sen, Estimates of the regression coefficient based on Kendall's tau, 1968; weights: L.
 * Jaeckel, 1972. pair: [n (n - 1) / 2] working space. */
static double median_slope(const struct ft__step *s, size_t n, double (*ln)(const struct ft__step *),
			   struct slope *pair)
{
	double total = 0, sum = 0;
	size_t i, pairs = 0;

	for (i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++) {
			double dx = log(s[j].x / s[i].x);

			pair[pairs++] = (struct slope){(ln(&s[j]) - ln(&s[i])) / dx, dx};
			total += dx;
		}
	qsort(pair, pairs, sizeof *pair, compare_slopes);
	for (i = 0; (sum += pair[i].weight) < total / 2; i++)
		;
	return pair[i].value;
}

static double ln_value(const struct ft__step *step)
{
	return log(step->value);
}

static double ln_promised(const struct ft__step *step)
{
	return log(step->promised);
}

static double growth_ln_ratio(const struct ft__step *step)
{
	return log(step->value / step->promised);
}

/* The standard error of a weighted line's slope, enlarged if the points deviate from it by more than
 * expected. */
static double slope_error(const struct ft__step *s, size_t n, double slope)
{
	double w = 0, x = 0, y = 0, xx = 0, chi = 0;

	for (size_t i = 0; i < n; i++) {
		double weight = 1 / (s[i].sd * s[i].sd);

		w += weight;
		x += weight * log(s[i].x);
		y += weight * growth_ln_ratio(&s[i]);
	}
	x /= w;
	y /= w;
	for (size_t i = 0; i < n; i++) {
		double weight = 1 / (s[i].sd * s[i].sd), dx = log(s[i].x) - x;
		double left = growth_ln_ratio(&s[i]) - y - slope * dx;

		xx += weight * dx * dx;
		chi += weight * left * left;
	}
	return sqrt(fmax(1, chi / (double)(n - 2)) / xx);
}

enum ft_status ft__growth_test(const struct ft__step *step, size_t n, double quantile, struct ft_growth *out,
			       struct ft_err *err)
{
	struct slope *pair = ft_calloc(n * (n - 1) / 2, sizeof *pair);

	if (!pair)
		return ft_nomem(err);
	out->sizes = n;
	out->from = step[0].x;
	out->to = step[n - 1].x;
	out->was = median_slope(step, n, ln_promised, pair);
	out->now = median_slope(step, n, ln_value, pair);
	out->change = median_slope(step, n, growth_ln_ratio, pair);
	double wide = quantile * slope_error(step, n, out->change);
	out->lower = out->change - wide;
	out->upper = out->change + wide;
	out->verdict = out->lower > least_change    ? FT_VERDICT_OVER
		       : out->upper < -least_change ? FT_VERDICT_UNDER
						    : FT_VERDICT_INSIDE;
	ft_free(pair);
	return FT_OK;
}

/* ---- words -----------------------------------------------------------------------------------------------
 */

static void print_class(double power, bool log_too, const char *name, char buffer[FT_GROWTH_LENGTH])
{
	const char *tail = log_too ? " log " : "", *of = log_too ? name : "";

	if (power == 0)
		(void)snprintf(buffer, FT_GROWTH_LENGTH, "%s%s", log_too ? "log " : "constant", of);
	else if (power == 1)
		(void)snprintf(buffer, FT_GROWTH_LENGTH, "%s%s%s", name, tail, of);
	else
		(void)snprintf(buffer, FT_GROWTH_LENGTH, "%s^%.3g%s%s", name, power, tail, of);
}

char *ft_growth_text(double exponent, double margin, double x, const char *name,
		     char buffer[FT_GROWTH_LENGTH])
{
	/* The exponent of n^i log n around n is i + 1 / ln n. */
	double rise = x > 2 ? 1 / log(x) : INFINITY, nearest = near_class, best = -1;
	char with[FT_GROWTH_LENGTH], plain[FT_GROWTH_LENGTH];
	bool log_too = false;

	for (int i = 0; i <= 8; i++) {
		double power = i / 2.0, off = fabs(power - exponent), off_log = fabs(power + rise - exponent);

		if (fmin(off, off_log) >= nearest)
			continue;
		nearest = fmin(off, off_log);
		best = power;
		log_too = off_log < off;
	}
	if (best < 0) {
		print_class(round(100 * exponent) / 100, false, name, buffer);
		return buffer;
	}
	print_class(best, log_too, name, buffer);
	/* The other of the two may be meant as well. */
	if (fabs(best + (log_too ? 0 : rise) - exponent) > margin)
		return buffer;
	print_class(best, false, name, plain);
	print_class(best, true, name, with);
	(void)snprintf(buffer, FT_GROWTH_LENGTH, "%.*s or %.*s", FT_GROWTH_LENGTH / 2 - 4, plain,
		       FT_GROWTH_LENGTH / 2 - 4, with);
	return buffer;
}

/*
 * Estimates the factor by which a resource has changed, over all sizes together.
 */

const double ft__least_shift = 0.01;

/* Where pages and libraries lie changes the peak of an unchanged program by 40 to 120 kB. */
static const double layout_bytes = 128 * 1024;

double ft__least_of(const struct ft_resource *resource, double value)
{
	return resource->of == FT_CLASS_MEMORY && value > 0 ? fmax(ft__least_shift, layout_bytes / value)
							    : ft__least_shift;
}

/* Alternating runs are to see this. */
static const double pairs_see = 0.05;

bool ft_verification_is_open(const struct ft_verification *verification)
{
	bool open = !verification->holds;

	for (size_t i = 0; i < verification->n_shifts; i++)
		open |= verification->shift[i].resource->disturbed && !verification->shift[i].at_least &&
			verification->shift[i].seen > pairs_see;
	return open;
}

/* The change that a contract should detect, with 90 % probability; and the largest number of runs worth
   suggesting. */
static const double worth_seeing = 0.15, finer = 0.05, cases_seen = 0.9, runs_most = 1000;

/* The median of k values has the variance of one over k + this, times this + 1 (ft__median_variance). */
static const double median_lacks = 0.5708;

static const char *const limit_texts[] = {
#define TEXT(name, words) words,
	FT_REGRESSION_LIMIT_LIST(TEXT)
#undef TEXT
};

const char *ft_regression_limit_text(enum ft_regression_limit limit)
{
	return (size_t)limit < sizeof limit_texts / sizeof *limit_texts ? limit_texts[limit] : "unknown";
}

/* Steps above this multiple of the median are outliers. */
const double ft__far = 3;

double ft__median_variance(double one, size_t n)
{
	static const double many = 1.5708; /* pi / 2; for few values within 2 % of numerical integration */

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

/* The parts of the mean's variance. */
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

/* The runs of a size with which a change is detected, if the rest of the variance leaves that; 0: no number of them.
 * one: the part of the variance that falls with them, times their number. */
static size_t runs_needed(double change, double sds, double rest, double one, double least)
{
	const double want = pow(log1p(change) / sds, 2) - rest, needed = ceil(one / want - median_lacks);

	return want > 0 && needed <= runs_most ? (size_t)fmax(needed, ceil(least)) : 0;
}

/* The smallest change that it detects, and how to detect a smaller one. sds: detectable number of standard
   deviations. */
static void tell_seen(struct ft_regression *out, const struct parts *p, double sds, double scatter)
{
	const double runs = (double)out->runs / (double)(out->sizes ? out->sizes : 1);
	const double one = (runs + median_lacks) * p->runs, rest = p->model + p->session;
	const double pairs = 2 * scatter * (1 + median_lacks) / (double)(out->sizes ? out->sizes : 1);

	out->seen = expm1(sds * sqrt(sum_of(p)));
	out->limit = p->runs >= fmax(p->model, p->session) ? FT_REGRESSION_LIMIT_RUNS
		     : p->model >= p->session              ? FT_REGRESSION_LIMIT_MODEL
							   : FT_REGRESSION_LIMIT_SESSION;
	out->needed = runs_needed(worth_seeing, sds, rest, one, runs);
	out->needed_5 = runs_needed(finer, sds, rest, one, runs);
	out->against_5 = scatter > 0 ? runs_needed(finer, sds, 0, pairs, 3) : out->needed_5;
}

void ft__regression_test(const struct ft__held *held, size_t n, const struct ft__common *common, double risk,
			 bool at_least, struct ft_regression *out)
{
	const double quantile = ft__common_quantile(common, 1 - risk);
	double weights = 0, sum = 0, least = 0;

	out->ratio = out->lower = out->upper = out->seen = NAN;
	out->at_least = at_least;
	for (size_t i = 0; i < n; i++)
		if (says_both(&held[i])) {
			weights += weight_of(&held[i]);
			sum += weight_of(&held[i]) * ln_ratio(&held[i]);
			least += weight_of(&held[i]) * held[i].least;
		}
	if (!(weights > 0))
		return;
	sum /= weights;
	least = fmax(ft__least_shift, least / weights);
	struct parts parts = parts_of(held, n, common, weights, sum);
	double wide = quantile * sqrt(sum_of(&parts));
	out->ratio = exp(sum);
	out->lower = exp(sum - wide);
	out->upper = at_least ? INFINITY : exp(sum + wide);
	if (!at_least)
		tell_seen(out, &parts, quantile + ft_normal_quantile(cases_seen), common->scatter);
	out->verdict = out->lower > 1 && out->ratio > 1 + least         ? FT_VERDICT_OVER
		       : out->upper < 1 && out->ratio < 1 / (1 + least) ? FT_VERDICT_UNDER
									: FT_VERDICT_INSIDE;
}
