/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate.c - a law that an expert stated, set to the runs there are.
 *
 * value ~ start + scale L: an expert knows how a program grows, seldom how fast the machine is or what its
 * start-up costs. doc/models.md, "Laws that were stated". */
#include "foretime/by_size.h"
#include "ask/ask.h"
#include "base/alloc.h"
#include "num/stats.h"

#include <math.h>

static const double fits_within = 0.1;  /* a law that errs by so much fits */
static const double noise_least = 0.02; /* of a single run, where no size was repeated */
static const double slope_prior = 0.25; /* of an exponent that nothing was tried of: as in the model's own
					   extrapolation */
enum { WITH_START = 4 /* sizes, at least */ };

/* ---- runs by size ------------------------------------------------------------------------------------- */

static bool counts_run(const struct ft_run *run, const void *resource)
{
	return run->outcome == FT_DONE && !run->warmup && !isnan(ft_run_value(run, resource));
}

/* value: [runs->n] working space. */
static struct ft__median summarise_size(const struct ft_size_runs *runs, const struct ft_resource *resource,
					double *value)
{
	struct ft__median median = {.size = runs->run[0]->size, .runs = runs->n};
	double mean = 0;

	for (size_t i = 0; i < runs->n; i++)
		value[i] = ft_run_idle_value(runs->run[i], resource);
	median.median = ft_stats_median(value, runs->n);
	for (size_t i = 0; i < runs->n; i++)
		mean += log(fmax(value[i], 1e-300)) / (double)runs->n;
	for (size_t i = 0; i < runs->n; i++)
		median.squares += pow(log(fmax(value[i], 1e-300)) - mean, 2);
	return median;
}

enum ft_status ft__ask_medians(const struct ft_answerer *answerer, const struct ft_resource *resource,
			       struct ft__median **out, size_t *n, struct ft_err *err)
{
	double *value = ft_calloc(answerer->runs.n + 1, sizeof *value);
	struct ft_by_size by_size = {0};
	enum ft_status status = ft_runs_by_size(&answerer->runs, counts_run, resource, &by_size, err);

	*out = ft_calloc(by_size.n + 1, sizeof **out);
	if (!status && (!value || !*out))
		status = ft_nomem(err);
	for (*n = 0; *n < by_size.n && !status; ++*n)
		(*out)[*n] = summarise_size(&by_size.at[*n], resource, value);
	if (status) {
		ft_free(*out);
		*out = NULL;
	}
	ft_by_size_clear(&by_size);
	ft_free(value);
	return status;
}

/* ---- the fit ------------------------------------------------------------------------------------------ */

/* The sizes of a fit: the law there, and what was measured. */
struct calibrate_points {
	struct ft__median *at;
	double *law;
	size_t n;
};

/* Least squares of (start + scale L) / value - 1; false when start or scale are not above zero. */
static bool fit_line(const struct calibrate_points *p, double *start, double *scale)
{
	double a11 = 0, a12 = 0, a22 = 0, b1 = 0, b2 = 0;

	for (size_t i = 0; i < p->n; i++) {
		double one = 1 / p->at[i].median, law = p->law[i] / p->at[i].median;

		a11 += one * one;
		a12 += one * law;
		a22 += law * law;
		b1 += one;
		b2 += law;
	}
	double det = a11 * a22 - a12 * a12;
	if (!(det > 1e-12 * a11 * a22))
		return false;
	*start = (b1 * a22 - b2 * a12) / det;
	*scale = (b2 * a11 - b1 * a12) / det;
	return *start >= 0 && *scale > 0;
}

static double fit_scale(const struct calibrate_points *p)
{
	double sum = 0;

	for (size_t i = 0; i < p->n; i++)
		sum += log(p->at[i].median / p->law[i]) / (double)p->n;
	return exp(sum);
}

/* How residuals change with the value: the exponent that the law lacks, and how well that is known. */
static double slope_of(const struct calibrate_points *p, const struct ft_calibrated_law *c, double floor)
{
	double mean_u = 0, mean_e = 0, uu = 0, ue = 0;

	for (size_t i = 0; i < p->n; i++) {
		double fitted = c->start + c->scale * p->law[i];

		mean_u += log(fitted) / (double)p->n;
		mean_e += log(p->at[i].median / fitted) / (double)p->n;
	}
	for (size_t i = 0; i < p->n; i++) {
		double fitted = c->start + c->scale * p->law[i], du = log(fitted) - mean_u;

		uu += du * du;
		ue += du * (log(p->at[i].median / fitted) - mean_e);
	}
	if (!(uu > 0))
		return slope_prior;
	return fmin(slope_prior, sqrt(pow(ue / uu, 2) + pow(fmax(c->error, floor), 2) / uu));
}

static void judge_law(const struct calibrate_points *p, struct ft_calibrated_law *c)
{
	double squares = 0, within = 0, repeats = 0, noise;

	c->sizes = p->n;
	c->least = INFINITY;
	for (size_t i = 0; i < p->n; i++) {
		double fitted = c->start + c->scale * p->law[i];

		squares += pow(log(p->at[i].median / fitted), 2);
		within += p->at[i].squares;
		repeats += (double)(p->at[i].runs - 1);
		c->runs += p->at[i].runs;
		c->least = fmin(c->least, fitted);
		c->most = fmax(c->most, fitted);
	}
	c->noise = repeats > 0 ? sqrt(within / repeats) : (double)NAN;
	noise = fmax(noise_least, isnan(c->noise) ? 0 : c->noise);
	c->dof = (double)p->n - (c->start > 0 ? 2 : 1);
	c->error = p->n > 1 ? sqrt(squares / c->dof) : (double)NAN;
	c->slope = p->n > 1 ? slope_of(p, c, noise) : slope_prior;
	c->fits = p->n == 1 || c->error <= fmax(fits_within, isnan(c->noise) ? 0 : 2 * c->noise);
}

static enum ft_status read_points(struct ft_answerer *a, const struct ft_resource *resource,
				  struct calibrate_points *p, struct ft_err *err)
{
	enum ft_status status = ft__ask_medians(a, resource, &p->at, &p->n, err);

	if (!status && !p->n)
		return ft_fail(err, FT_ENOMODEL, "no run that ended well has a value of %s", resource->name);
	if (status)
		return status;
	p->law = ft_calloc(p->n, sizeof *p->law);
	if (!p->law)
		return ft_nomem(err);
	for (size_t i = 0; i < p->n && !status; i++) {
		status = ft_knowledge_value(&a->knowledge, &a->program, resource, &p->at[i].size, &p->law[i],
					    err);
		if (!status && (!(p->law[i] > 0) || !(p->at[i].median > 0)))
			status = ft_fail(err, FT_EINVAL,
					 "the stated law of %s cannot be compared with runs that are 0",
					 resource->name);
	}
	return status;
}

enum ft_status ft_ask_calibrate(struct ft_answerer *answerer, const struct ft_resource *resource,
				struct ft_calibrated_law *out, struct ft_err *err)
{
	struct calibrate_points points = {0};

	*out = (struct ft_calibrated_law){0};
	if (!ft_knowledge_law(&answerer->knowledge, resource))
		return ft_fail(err, FT_ENOENT, "no law of %s was stated", resource->name);
	enum ft_status status = read_points(answerer, resource, &points, err);
	if (!status) {
		if (points.n < WITH_START || !fit_line(&points, &out->start, &out->scale)) {
			out->start = 0;
			out->scale = fit_scale(&points);
		}
		judge_law(&points, out);
	}
	ft_free(points.at);
	ft_free(points.law);
	return status;
}

/* ---- the answer --------------------------------------------------------------------------------------- */

void ft__ask_by_law(const struct ft_calibrated_law *c, double law, double confidence,
		    struct ft_prediction *out)
{
	double value = c->start + c->scale * law, noise = fmax(noise_least, isnan(c->noise) ? 0 : c->noise);
	double error = isnan(c->error) ? 0 : c->error, beyond = 0, law_sd, sd, quantile;

	if (value > c->most)
		beyond = log(value / c->most);
	else if (value < c->least && value > 0)
		beyond = log(c->least / value);
	law_sd = sqrt(error * error * (1 + 1 / (double)c->sizes) + noise * noise / (double)c->runs +
		      pow(c->slope * beyond, 2));
	sd = hypot(law_sd, noise);
	quantile =
		c->dof >= 1 ? ft_student_t(confidence, c->dof + 1) : ft_normal_quantile((1 + confidence) / 2);
	*out = (struct ft_prediction){
		.value = value,
		.lower = value * exp(-fmin(quantile * sd, 700)),
		.upper = fmin(value * exp(fmin(quantile * sd, 700)), 1e300),
		.known = expm1(fmin(quantile * law_sd, 700)),
		.level = FT_LEVEL_LAW,
		.basis = FT_BASIS_STATED,
		.distance = 1,
		.runs = c->runs,
	};
}
