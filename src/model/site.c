/* SPDX-License-Identifier: GPL-3.0-or-later */
/* site.c - the runs of a size: how far each is believed, and what is expected of those that met a limit.
 *
 * A run that met a limit c adds the probability of z > c to the likelihood (Tobin 1958). Given the curve f
 * and the noise s at the size, with t = (c - f) / s and the inverse Mills ratio m(t) of the normal law, its
 * expected value is f + s m and the variance about that s^2 (1 - m (m - t)): the moments of a truncated
 * normal law, by which the noise is learned (Dempster, Laird and Rubin 1977). Its information about f is the
 * share m (m - t) of that of a run which ended, at the place f + s / (m - t): a Newton step of the same
 * likelihood, so that the curve's stated error does not count what is only expected.
 *
 * Sources: Lange, Little and Taylor 1989 (t errors); Tobin 1958, Estimation of relationships for limited
 * dependent variables; Dempster, Laird and Rubin 1977, sec. 4.3 (censored data). */
#include "model/engine.h"
#include "base/alloc.h"
#include "num/order.h"

#include <math.h>

/* doc/constants.md has the row of a table. */
static const double run_freedom = 5; /* degrees of freedom of single runs: their tails */

/* A limit far below the curve says nothing; a little, so that nothing is divided by zero. */
static const double share_least = 1e-9;

void ft__site_trust(struct ft__site *site)
{
	for (size_t k = 0; k < site->n; k++) {
		struct ft__run_value *value = &site->value[k];

		if (!isinf(value->limit))
			value->z = value->limit;
		value->weight = value->share = 1;
		value->spread = value->evidence = 0;
		value->place = value->z;
	}
}

bool ft__site_limit(struct ft__site *site, const double *ln, size_t n)
{
	double *sorted = ft_calloc(n, sizeof *sorted), ln_work = log(site->work);
	struct ft__run_value *grown =
		ft_realloc(site->value, (site->n + FT__LIMITS_KEPT) * sizeof *site->value);
	size_t different = 0;

	site->value = grown ? grown : site->value;
	if (!sorted || !grown) {
		ft_free(sorted);
		return false;
	}
	for (size_t i = 0; i < n; i++)
		sorted[i] = ln[i] - ln_work;
	ft_sort(sorted, n);
	for (size_t i = 0; i < n; i++)
		different += !i || sorted[i] != sorted[i - 1];
	/* Of more limits than are kept, means of neighbours stand for all. */
	size_t least = different > FT__LIMITS_KEPT ? (n + FT__LIMITS_KEPT - 1) / FT__LIMITS_KEPT : 1;
	for (size_t i = 0; i < n; i++) {
		struct ft__run_value *value = i ? &grown[site->n - 1] : NULL;

		if (!value || (sorted[i] != sorted[i - 1] && value->count >= (double)least)) {
			value = &grown[site->n++];
			*value = (struct ft__run_value){.limit = 0};
			site->limits++;
		}
		value->limit += (sorted[i] - value->limit) / ++value->count;
	}
	site->runs += n;
	ft__site_trust(site);
	ft_free(sorted);
	return true;
}

/* The inverse Mills ratio of the normal law, density by the share above; *ln_above: ln of that share. From 4
 * on by its continued fraction (Abramowitz and Stegun, 26.2.14), for the share underflows. */
static double inverse_mills(double t, double *ln_above)
{
	double density = -t * t / 2 - log(2 * acos(-1)) / 2, ratio = t;

	if (t < 4) {
		*ln_above = log(erfc(t / sqrt(2)) / 2);
		return exp(density - *ln_above);
	}
	for (int k = 60; k > 0; k--)
		ratio = t + k / ratio;
	*ln_above = density - log(ratio);
	return ratio;
}

/* What is expected of a run above its limit, of a normal law about z that is as wide as it is believed. */
static void expect_above(struct ft__run_value *value, double z, double scatter)
{
	double s = sqrt(scatter / value->weight), t = (value->limit - z) / s, ln_above;
	double mills = inverse_mills(t, &ln_above), share = fmin(mills * (mills - t), 1);

	value->z = z + s * mills;
	value->spread = s * s * (1 - share);
	value->share = fmax(share, share_least);
	value->place = z + s / (mills - t);
	value->evidence = ln_above + value->share * pow((value->place - z) / s, 2) / 2;
}

void ft__site_believe(struct ft__site *site, double z, double variance, double scatter)
{
	for (size_t k = 0; k < site->n; k++) {
		struct ft__run_value *value = &site->value[k];

		if (!isinf(value->limit))
			expect_above(value, z, scatter);
		double d = value->z - z;
		value->weight =
			(run_freedom + 1) / (run_freedom + (d * d + value->spread + variance) / scatter);
	}
}

double ft__site_likelihood(const struct ft__site *site, double mean)
{
	double sum = 0, weight = 0, evidence = 0;

	for (size_t k = 0; k < site->n; k++) {
		const struct ft__run_value *v = &site->value[k];
		double d = v->place - mean, w = v->weight * v->share;

		weight += v->count * w;
		evidence += v->count * v->evidence;
		sum += v->count * ((run_freedom + 1) * log(v->weight) - run_freedom * (v->weight - 1) -
				   (isinf(v->limit) ? log(site->scatter) : 0) - w * d * d / site->scatter);
	}
	return (sum + log(site->scatter / weight)) / 2 + evidence;
}
