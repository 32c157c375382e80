/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shift.c - how many times what it was a resource takes now, over all sizes together. */
#include "ask/verify.h"
#include "num/stats.h"

#include <math.h>

const double ft__least_shift = 0.01;

/* Steps so many times as far as the middle one are wild. */
static const double far = 3;

double ft__median_variance(double one, size_t n)
{
	static const double many = 1.5708; /* pi / 2; for few within 2 % of what numerical integration says */

	return n == 2 ? one / 2 : one * many / ((double)n + many - 1);
}

double ft__scatter(const double *step, size_t n, double *freedom)
{
	const double most = far * ft_stats_median(step, n);
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += pow(most > 0 ? fmin(step[i], most) : step[i], 2);
	*freedom = fmax(1, 2.0 / 3 * (double)n); /* neighbouring differences share a value */
	return sum / (2 * (double)n);
}

static bool says(const struct ft__held *held)
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
static double excess(const struct ft__held *held, size_t n, double mean)
{
	double chi = 0;
	size_t used = 0;

	for (size_t i = 0; i < n; i++)
		if (says(&held[i])) {
			double off = ln_ratio(&held[i]) - mean;

			chi += weight_of(&held[i]) * off * off;
			used++;
		}
	return used > 1 ? fmax(1, chi / (double)(used - 1)) : 1;
}

void ft__shift_test(const struct ft__held *held, size_t n, const struct ft__common *common, double risk,
		    bool at_least, struct ft_shift *out)
{
	double weights = 0, sum = 0, wide;

	out->ratio = out->lower = out->upper = NAN;
	out->at_least = at_least;
	for (size_t i = 0; i < n; i++)
		if (says(&held[i])) {
			weights += weight_of(&held[i]);
			sum += weight_of(&held[i]) * ln_ratio(&held[i]);
		}
	if (!(weights > 0))
		return;
	sum /= weights;
	wide = sqrt(excess(held, n, sum) / weights + common->sd * common->sd) *
	       (isfinite(common->freedom) ? ft_student_t(1 - 2 * risk, common->freedom)
					  : ft_normal_quantile(1 - risk));
	out->ratio = exp(sum);
	out->lower = exp(sum - wide);
	out->upper = at_least ? INFINITY : exp(sum + wide);
	out->verdict = out->lower > 1 && out->ratio > 1 + ft__least_shift         ? FT_VERDICT_OVER
		       : out->upper < 1 && out->ratio < 1 / (1 + ft__least_shift) ? FT_VERDICT_UNDER
										  : FT_VERDICT_INSIDE;
}
