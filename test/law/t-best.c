/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-best.c - the law of the highest weight, and the variance of all belief about it: by its definition, at
 * any size; the power that is believed. */
#include "base/random.h"
#include "law/laws.h"
#include "tap.h"

#include <math.h>

static struct ft_laws laws; /* large */

/* Samples of a law with a scatter, four sizes of three runs. */
static void fit(double (*law)(double), double noise, size_t sizes, struct ft_random *random)
{
	struct ft_law_sample sample[60];

	for (size_t i = 0; i < 3 * sizes; i++) {
		sample[i].x = ldexp(16, (int)(i / 3));
		sample[i].value = law(sample[i].x) * (1 + noise * ft_random_normal(random));
	}
	if (ft_laws_fit(&laws, sample, 3 * sizes, NULL, NULL))
		diag("no laws");
}

static double value_of(const struct ft_law_point *point, double x)
{
	double sum = point->constant;

	for (size_t i = 0; i < point->terms; i++)
		sum += point->c[i] *
		       (point->shape[i] < FT_LAW_SHAPES
				? ft__law_shape_value(point->shape[i], x)
				: ft__law_factor_value(&laws.free[point->shape[i] - FT_LAW_SHAPES], x));
	return sum;
}

/* The mean square of ln value about the best, of those laws that have a value there. */
static double about(const struct ft_law_point *point, size_t n, double x, double ln)
{
	double sum = 0, weight = 0;

	for (size_t i = 0; i < n; i++) {
		double value = value_of(&point[i], x);

		if (!isfinite(log(value)))
			continue;
		weight += point[i].weight;
		sum += point[i].weight * (pow(log(value) - ln, 2) + pow(point[i].error, 2));
	}
	return weight > 0 ? sum / weight : 0;
}

static double affine(double x)
{
	return 30 + 0.5 * x;
}

static double loglinear(double x)
{
	return 2 * x * log2(x);
}

static double flat(double x)
{
	(void)x;
	return 7;
}

static void test_best(void)
{
	static double (*const law[])(double) = {affine, loglinear, flat};
	static const double at[] = {0.3, 1, 20, 300, 5000, 1e6};
	struct ft_random random = {test_seed()};
	int bad = 0, none = 0, cases = test_cases(12), i;

	for (i = 0; i < cases; i++) {
		fit(law[i % 3], i % 2 ? 0.02 : 0.1, i % 4 < 2 ? 4 : 8, &random);
		for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
			double ln = log(ft_law_value(&laws.law, &at[k])), said, variance = -1, expected;

			if (!isfinite(ln)) {
				none++;
				bad += ft_laws_best(&laws, at[k], &said, &variance) || variance != 0;
				continue;
			}
			expected = fmax(about(laws.point, laws.points, at[k], ln),
					about(laws.with_further, laws.further, at[k], ln));
			if (!ft_laws_best(&laws, at[k], &said, &variance) || said != ln ||
			    !near(variance, expected, 1e-9)) {
				diag("at %g: %g, %g; by definition %g, %g", at[k], said, variance, ln,
				     expected);
				bad++;
			}
		}
	}
	ok(!bad, "as by definition, %d cases; %d have no value", cases, none);
}

static void test_edges(void)
{
	struct ft_random random = {test_seed()};
	double ln = 1, variance = 1;

	fit(affine, 0, 5, &random);
	ok(laws.exact && ft_laws_best(&laws, 1000, &ln, &variance) && near(ln, log(530), 1e-9) &&
		   variance == 0,
	   "an exact law is not doubted");
	ok(!ft_laws_best(&laws, -1, &ln, &variance) && !ft_laws_best(&laws, NAN, &ln, &variance) &&
		   !ft_laws_best(&laws, INFINITY, &ln, &variance),
	   "of no size nothing is said");
	fit(loglinear, 0, 5, &random);
	ok(laws.exact && !ft_laws_best(&laws, 1, &ln, &variance) && !ft_laws_best(&laws, 0.5, &ln, &variance),
	   "nor where the value is 0, or below");
}

int main(void)
{
	test_best();
	test_edges();
	return done();
}
