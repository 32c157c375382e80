/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scatter.c - the distribution of single runs about the typical one: the residuals of all runs, shrunk to a t
 * law by mixing it in as so many pseudo-observations. */
#include "model/scatter.h"
#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>

/* How many runs the t law, of five degrees of freedom, that residuals are shrunk to counts for. */
static const double prior_runs = 20;

/* Between residuals farther apart than this nothing is assumed: a spike is one, or none. */
static const double gap_most = 1;

/* A site whose own runs made most of what is said of it tells little of their scatter. */
static const double leverage_most = 0.85, alone_share = 0.3;

/* A spike is so many scatters, and so many times, longer than the typical run; two of them make it a kind. */
static const double spike_scatters = 6, spike_ratio = 1.5;
enum { SPIKES_LEAST = 2, BISECTIONS = 50 };
static const double spike_rate_most = 0.1;

struct residual {
	double value, count, ratio;
};

static int compare_residuals(const void *a, const void *b)
{
	const struct residual *p = a, *q = b;

	return (p->value > q->value) - (p->value < q->value);
}

static size_t collect(const struct ft__engine *engine, struct residual *out)
{
	size_t i, k, n = 0;

	for (i = 0; i < engine->n; i++) {
		const struct ft__site *site = &engine->site[i];
		struct ft__known known = ft__engine_site(engine, i);
		double leverage = fmin(known.variance / known.scatter, leverage_most);
		double scale = sqrt(known.scatter * (1 - leverage));

		if (site->runs < 2 && known.variance > alone_share * known.scatter)
			continue;
		for (k = 0; k < site->n; k++) {
			double d = site->value[k].z - site->base - known.z;

			out[n++] = (struct residual){d / scale, site->value[k].count, exp(fmin(d, 700))};
		}
	}
	qsort(out, n, sizeof *out, compare_residuals);
	return n;
}

static void find_spikes(struct ft__scatter *scatter, const struct residual *r, size_t n)
{
	double spikes = 0;
	size_t i = n, first;

	while (i && r[i - 1].value > spike_scatters && r[i - 1].ratio > spike_ratio)
		spikes += r[--i].count;
	first = i;
	if (spikes < SPIKES_LEAST || spikes > spike_rate_most * scatter->runs)
		return;
	scatter->spike_rate = spikes / scatter->runs;
	scatter->spike_ratio = r[first + (n - first) / 2].ratio;
}

/* Few are kept as they are, of many so many quantiles. */
static void keep(struct ft__scatter *scatter, const struct residual *r, size_t n)
{
	double below = 0, next;
	size_t i, kept = 0;

	for (i = 0; i < n; i++)
		scatter->runs += r[i].count;
	if (n <= FT__RESIDUALS) {
		for (i = 0; i < n; i++)
			scatter->residual[i] = r[i].value;
		scatter->n = n;
		return;
	}
	for (i = 0; i < n && kept < FT__RESIDUALS; i++) {
		below += r[i].count;
		next = ((double)kept + 0.5) / FT__RESIDUALS * scatter->runs;
		while (kept < FT__RESIDUALS && below >= next) {
			scatter->residual[kept++] = r[i].value;
			next = ((double)kept + 0.5) / FT__RESIDUALS * scatter->runs;
		}
	}
	scatter->n = kept;
}

enum ft_status ft__scatter_learn(struct ft__scatter *scatter, const struct ft__engine *engine,
				 struct ft_err *err)
{
	struct residual *r;
	size_t i, n = 0;

	*scatter = (struct ft__scatter){0};
	for (i = 0; i < engine->n; i++)
		n += engine->site[i].n;
	r = ft_calloc(n, sizeof *r);
	if (!r)
		return ft_nomem(err);
	n = collect(engine, r);
	keep(scatter, r, n);
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

/* The share below x: of the residuals, linear between those that are near each other, and of the t law. */
static double below(const struct ft__scatter *scatter, double x)
{
	const double *r = scatter->residual;
	double law = student_5(x), share = 0;
	size_t n = scatter->n, low = 0, high = n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (r[middle] <= x)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == n)
		share = (double)n;
	else if (low && r[low] - r[low - 1] > gap_most)
		share = (double)low;
	else if (low)
		share = (double)low - 0.5 + (x - r[low - 1]) / (r[low] - r[low - 1]);
	share = n ? fmin(share / (double)n, 1) : 0;
	return (scatter->runs * share + prior_runs * law) / (scatter->runs + prior_runs);
}

static double invert(const struct ft__scatter *scatter, double p)
{
	double low = -60, high = 60;
	int i;

	if (scatter->n) {
		low = fmin(low, scatter->residual[0]);
		high = fmax(high, scatter->residual[scatter->n - 1]);
	}
	for (i = 0; i < BISECTIONS; i++) {
		double middle = (low + high) / 2;

		if (below(scatter, middle) < p)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

void ft__scatter_settle(struct ft__scatter *scatter)
{
	scatter->median = invert(scatter, 0.5);
}

double ft__scatter_quantile(const struct ft__scatter *scatter, double p)
{
	return invert(scatter, p) - scatter->median;
}
