/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outlook.c - how much the laws of a model and its trend are worth beyond the data, and both together. */
#include "model/outlook.h"

#include <math.h>

/* Beyond the data the relative error is assumed to grow with ln of the distance by this much; a test shows
 * how much it does, and the assumption counts as so many tests. Distances and rates are kept from extremes.
 */
static const double prior_rate_laws = 0.12, prior_rate_trend = 0.25, prior_tests = 2;
static const double least_distance = 0.3, most_rate = 1;

/* Two ways of continuing that err less than this in their test are equally good. */
static const double test_floor = 0.02;

static double square(double x)
{
	return x * x;
}

double ft__outlook_share(const struct ft__test *test, double misfit, double noise)
{
	double laws = 0, trend = 0, meets = exp(-square(misfit) / (2 * (square(noise) + square(test_floor))));
	size_t i;

	for (i = 0; i < test->n; i++) {
		laws += square(test->laws[i]) / (double)test->n;
		trend += square(test->trend[i]) / (double)test->n;
	}
	laws = square(laws + square(test_floor));
	trend = square(trend + square(test_floor));
	return meets * trend / (laws + trend);
}

double ft__outlook_prior(double share)
{
	return share * prior_rate_laws + (1 - share) * prior_rate_trend;
}

double ft__outlook_rate(const struct ft__test *test, double share, double most_tests)
{
	double counted = fmin((double)test->n, most_tests), sum = 0;
	size_t i;

	for (i = 0; i < test->n; i++) {
		double error = share * test->laws[i] + (1 - share) * test->trend[i];

		sum += fmax(0, square(error) - square(test->noise[i])) /
		       square(fmax(test->distance[i], least_distance));
	}
	sum = test->n ? sum / (double)test->n * counted : 0;
	sum += prior_tests * square(ft__outlook_prior(share));
	return fmin(sqrt(sum / (prior_tests + counted)), most_rate);
}

struct ft__guess ft__outlook_combine(double share, const struct ft__guess *laws,
				     const struct ft__guess *trend)
{
	return (struct ft__guess){
		share * laws->ln + (1 - share) * trend->ln,
		hypot(share * laws->sd + (1 - share) * trend->sd,
		      sqrt(share * (1 - share)) * (laws->ln - trend->ln)),
	};
}
