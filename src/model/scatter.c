/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scatter.c - the distribution of single runs about the typical one: the residuals of all runs, shrunk to a t
 * law by mixing it in as so many pseudo-observations. */
#include "model/types.h"
#include "model/scatter.h"
#include "base/alloc.h"
#include "num/order.h"
#include "num/stats.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* How many runs the t law, of five degrees of freedom, that residuals are shrunk to counts for. */
static const double prior_runs = 20;

/* Between residuals farther apart than this nothing is assumed: a spike is one, or none. */
static const double gap_most = 1;

/* A site whose own runs made most of what is said of it tells little of their scatter. */
static const double leverage_most = 0.85;

/* A spike is so many scatters longer than the typical run, and FT__SPIKE_RATIO times; two make it a kind. */
static const double spike_scatters = 6;
enum { SPIKES_LEAST = 2, BISECTIONS = 50 };

/* As so many residuals counts one run that met a limit. */
enum { LIMIT_PARTS = 5 };
static const double freedom = 5;
static const double spike_rate_most = 0.1;

/* No quantile that is asked for lies farther out than this. The error after a step of Newton's is about its
 * square. */
static const double far = 60, settled = 1e-7;

struct residual {
	double value, count, ratio;
};

static int compare_residuals(const void *a, const void *b)
{
	const struct residual *p = a, *q = b;

	return (p->value > q->value) - (p->value < q->value);
}

/* A run that met a limit lies anywhere above it: as quantiles of the t law there, in equal parts. off: of the
 * limit from the curve. */
static void spread_limit(double off, double scatter, double at[LIMIT_PARTS])
{
	double s = sqrt(scatter), above = fmax(ft_student_above(off / s, freedom), DBL_EPSILON);

	for (size_t i = 0; i < LIMIT_PARTS; i++) {
		double p = above * (1 - (double)(2 * i + 1) / (2 * LIMIT_PARTS));
		double t = ft_student_t(1 - 2 * fmin(p, 1 - p), freedom);

		at[i] = fmax(off, p < 0.5 ? s * t : -s * t);
	}
}

static size_t collect_residuals(const struct ft__site *first, const struct ft__known *known_of, size_t sites,
				struct residual *out)
{
	size_t n = 0;

	for (size_t i = 0; i < sites; i++) {
		const struct ft__site *site = &first[i];
		struct ft__known known = known_of[i];

		for (size_t k = 0; k < site->n; k++) {
			const struct ft__run_value *value = &site->value[k];
			double at[LIMIT_PARTS] = {value->z - site->base - known.z};
			double pull = fmin(value->weight * known.variance / known.scatter, 1);
			double scale = sqrt(known.scatter * (1 - fmin(pull, leverage_most)));
			size_t part, parts = isinf(value->limit) ? 1 : LIMIT_PARTS;

			if (pull >= leverage_most)
				continue;
			if (parts > 1)
				spread_limit(value->limit - site->base - known.z, known.scatter, at);
			for (part = 0; part < parts; part++)
				out[n++] = (struct residual){at[part] / scale,
							     value->count * (1 - pull) / (double)parts,
							     exp(fmin(at[part], FT__LN_MOST))};
		}
	}
	qsort(out, n, sizeof *out, compare_residuals);
	return n;
}

static void find_spikes(struct ft__scatter *scatter, const struct residual *r, size_t n)
{
	double spikes = 0;
	size_t i = n;

	while (i && r[i - 1].value > spike_scatters && r[i - 1].ratio > FT__SPIKE_RATIO)
		spikes += r[--i].count;
	size_t first = i;
	if (spikes < SPIKES_LEAST - 0.5 || /* each counts a little less than one */
	    spikes > spike_rate_most * scatter->runs)
		return;
	scatter->spike_rate = spikes / scatter->runs;
	scatter->spike_ratio = r[first + (n - first) / 2].ratio;
}

/* Few are kept as they are, of many so many quantiles. alike: each stands for a run. */
static void keep_residuals(struct ft__scatter *scatter, const struct residual *r, size_t n, bool alike)
{
	double below = 0;
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		scatter->runs += r[i].count;
	if (n <= FT__RESIDUALS && alike) {
		for (size_t i = 0; i < n; i++)
			scatter->residual[i] = r[i].value;
		scatter->n = n;
		return;
	}
	for (size_t i = 0; i < n; i++) {
		below += r[i].count;
		double next = ((double)kept + 0.5) / FT__RESIDUALS * scatter->runs;
		while (kept < FT__RESIDUALS && below >= next) {
			scatter->residual[kept++] = r[i].value;
			next = ((double)kept + 0.5) / FT__RESIDUALS * scatter->runs;
		}
	}
	scatter->n = kept;
}

/* Of the runs of a site one is lost to the curve as far as that follows them. */
static void count_freedom(struct ft__scatter *scatter, const struct ft__site *site,
			  const struct ft__known *known, size_t sites)
{
	double ln_usual = 0, runs = 0;

	for (size_t i = 0; i < sites; i++) {
		double weight = 0;

		for (size_t k = 0; k < site[i].n; k++)
			weight += site[i].value[k].weight * site[i].value[k].count;
		scatter->freedom +=
			(double)site[i].runs - fmin(1, weight * known[i].variance / known[i].scatter);
		ln_usual += (double)site[i].runs * log(site[i].usual);
		runs += (double)site[i].runs;
	}
	scatter->usual = exp(ln_usual / runs);
}

enum ft_status ft__scatter_learn(struct ft__scatter *scatter, const struct ft__site *site,
				 const struct ft__known *known, size_t sites, struct ft_err *err)
{
	size_t n = 0, limits = 0;

	*scatter = (struct ft__scatter){0};
	for (size_t i = 0; i < sites; i++) {
		n += site[i].n + (LIMIT_PARTS - 1) * site[i].limits;
		limits += site[i].limits;
	}
	count_freedom(scatter, site, known, sites);
	struct residual *r = ft_calloc(n, sizeof *r);
	if (!r)
		return ft_nomem(err);
	n = collect_residuals(site, known, sites, r);
	keep_residuals(scatter, r, n, !limits);
	find_spikes(scatter, r, n);
	ft_free(r);
	ft__scatter_settle(scatter);
	return FT_OK;
}

/* Student's distribution of five degrees of freedom (Abramowitz and Stegun, 26.7.3). */
static double student_5(double t)
{
	double c = 1 / (1 + t * t / 5), theta = atan(t / sqrt(5));

	return 0.5 + (theta + t / sqrt(5) * c * (1 + 2 * c / 3)) / acos(-1);
}

/* Its density. */
static double density_5(double t)
{
	double c = 1 / (1 + t * t / 5);

	return 8 / (3 * acos(-1) * sqrt(5)) * c * c * c;
}

/* Sums over residuals and the t law are in runs. The residuals' grows evenly between those that are near each
 * other, and steps at the others: whether nothing is assumed below the i-th. */
static bool is_alone(const struct ft__scatter *scatter, size_t i)
{
	const double *r = scatter->residual;

	return !i || i == scatter->n || r[i] - r[i - 1] > gap_most;
}

/* Of the residuals up to and with the i-th. */
static double runs_to(const struct ft__scatter *scatter, size_t i)
{
	double count = (double)i + (is_alone(scatter, i + 1) ? 1 : 0.5);

	return count / (double)scatter->n * scatter->runs;
}

/* What lies below the i-th residual; n: above the last one. */
struct stretch {
	double low, high;
	double runs, rise; /* of residuals: at low, and for each unit of x */
	double start;      /* where to look first */
};

static struct stretch stretch_below(const struct ft__scatter *scatter, size_t i, double want)
{
	const double *r = scatter->residual, *law = scatter->law;
	size_t n = scatter->n;
	struct stretch s = {-far, far, 0, 0, 0};

	if (n) {
		s.low = i ? r[i - 1] : r[0] - far;
		s.high = i < n ? r[i] : r[n - 1] + far;
		s.start = i ? s.low : s.high;
	}
	if (i)
		s.runs = runs_to(scatter, i - 1);
	if (!i || i == n || !(s.high > s.low))
		return s;
	s.rise = is_alone(scatter, i) ? 0 : scatter->runs / (double)n / (s.high - s.low);
	double missing = want - s.runs - law[i - 1];
	s.start += missing / (s.rise + (law[i] - law[i - 1]) / (s.high - s.low));
	return s;
}

/* Newton's steps, and halves where these lead out. */
static double solve_stretch(const struct stretch *s, double want)
{
	double low = s->low, high = s->high, x = fmin(fmax(s->start, low), high), next;

	for (int i = 0; i < BISECTIONS; i++, x = next) {
		double off = s->runs + s->rise * (x - s->low) + prior_runs * student_5(x) - want;

		if (off < 0)
			low = x;
		else
			high = x;
		next = x - off / (s->rise + prior_runs * density_5(x));
		if (!(next >= low && next <= high))
			next = (low + high) / 2;
		else if (fabs(next - x) < settled)
			return next;
	}
	return x;
}

/* Below which a share p lies, of residuals and the t law together. */
static double invert(const struct ft__scatter *scatter, double p)
{
	double want = p * (scatter->runs + prior_runs);
	size_t n = scatter->n, low = ft_count_below(scatter->reached, n, want);
	struct stretch s = stretch_below(scatter, low, want);

	if (low < n && s.runs + s.rise * (s.high - s.low) + scatter->law[low] <= want)
		return s.high;
	return solve_stretch(&s, want);
}

void ft__scatter_settle(struct ft__scatter *scatter)
{
	for (size_t i = 0; i < scatter->n; i++)
		scatter->law[i] = prior_runs * student_5(scatter->residual[i]);
	for (size_t i = 0; i < scatter->n; i++)
		scatter->reached[i] = runs_to(scatter, i) + scatter->law[i];
	scatter->median = invert(scatter, 0.5);
}

/* The k-th of n values in order has the next one below it with probability k / (n + 1), not k / n (Wilks
 * 1941; the same holds of conformal prediction): the share beyond a quantile of few runs is asked for that
 * much smaller. Without it 12 % of runs need more than a request of 30 runs at a risk of 10 %. */
double ft__scatter_quantile(const struct ft__scatter *scatter, double p)
{
	double beyond = fmin(p, 1 - p),
	       seen = scatter->runs / (scatter->runs + 1); /* the prior is no estimate */

	beyond = fmax(beyond - seen * (1 - beyond) / (scatter->runs + prior_runs), beyond / 2);
	return invert(scatter, p < 0.5 ? beyond : 1 - beyond) - scatter->median;
}
