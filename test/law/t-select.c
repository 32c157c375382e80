/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-select.c - the best law c0 + c1 g of each shape, and its score: beside the formulas, worked out slowly.
 */
#include "base/random.h"
#include "law/laws.h"
#include "tap.h"

#include <math.h>

enum { MOST = 9 };

static double value_of(const struct ft__law_best *best, double g)
{
	return best->c0 + best->c1 * g;
}

/* Weighted least squares of which coefficients are in; what is left, INFINITY where one is negative. */
static double solve(const struct ft__law_data *data, const double *g, const double *weight, bool level,
		    bool slope, struct ft__law_best *best)
{
	long double s = 0, sg = 0, sgg = 0, sm = 0, sgm = 0, left = 0;

	for (size_t k = 0; k < data->n; k++) {
		s += weight[k];
		sg += (long double)weight[k] * g[k];
		sgg += (long double)weight[k] * g[k] * g[k];
		sm += (long double)weight[k] * data->mean[k];
		sgm += (long double)weight[k] * g[k] * data->mean[k];
	}
	*best = (struct ft__law_best){0};
	if (level && slope) {
		long double determinant = s * sgg - sg * sg;

		if (!(determinant > 1e-12L * s * sgg))
			return INFINITY;
		best->c1 = (double)((s * sgm - sg * sm) / determinant);
		best->c0 = (double)((sm * sgg - sg * sgm) / determinant);
	} else if (level) {
		best->c0 = (double)(sm / s);
	} else {
		best->c1 = (double)(sgm / sgg);
	}
	if (best->c0 < 0 || best->c1 < 0)
		return INFINITY;
	for (size_t k = 0; k < data->n; k++) {
		long double rest = data->mean[k] - value_of(best, g[k]);

		left += weight[k] * rest * rest;
	}
	return (double)left;
}

/* Relative to what was measured, then to the first law. Of all choices of coefficients the best. */
static void slowly(const struct ft__law_data *data, size_t shape, struct ft__law_best *best)
{
	const double *g = ft__law_g(data, shape);
	double weight[MOST];

	for (size_t k = 0; k < data->n; k++)
		weight[k] = data->count[k] / (data->mean[k] * data->mean[k]);
	for (int round = 0; round < 2; round++) {
		double least = INFINITY;

		for (int choice = 1; choice <= (shape == FT__CONSTANT ? 1 : 3); choice++) {
			struct ft__law_best one;
			double left = solve(data, g, weight, choice & 1, choice & 2, &one);

			if (left < least * (1 - 1e-12)) {
				least = left;
				*best = one;
			}
		}
		for (size_t k = 0; k < data->n; k++)
			weight[k] = data->count[k] / pow(value_of(best, g[k]), 2);
	}
}

static double square_of(const struct ft__law_data *data, size_t shape, const struct ft__law_best *best)
{
	double sum = 0;

	for (size_t k = 0; k < data->n; k++)
		sum += data->count[k] * pow(data->mean[k] / value_of(best, ft__law_g(data, shape)[k]) - 1, 2);
	return sum;
}

/* law.h: ln likelihood whatever the size of the errors, less p/2 ln N, plus ln of the prior. */
static double score_of(const struct ft__law_data *data, size_t shape, const struct ft__law_best *best)
{
	double logs = 0, p = (best->c0 > 0) + (best->c1 > 0);

	for (size_t k = 0; k < data->n; k++)
		logs += data->count[k] * log(value_of(best, ft__law_g(data, shape)[k]));
	return -(data->total + data->extra) / 2 *
		       log(square_of(data, shape, best) + data->scatter + data->floor + data->supposed) -
	       logs - p / 2 * log(data->total) + log(ft__law_prior(shape));
}

/* Sizes 16, 32, ...; runs of a law with a scatter. With `uneven`, more runs at some sizes. */
static void make(struct ft_law_knot *knot, size_t n, int kind, bool uneven, struct ft_random *random)
{
	for (size_t k = 0; k < n; k++) {
		double x = ldexp(16, (int)k);
		double truth = kind == 0   ? 7
			       : kind == 1 ? 3 * x
			       : kind == 2 ? 40 + 0.02 * x * x
					   : 5 * x * log2(x);

		knot[k] = (struct ft_law_knot){.x = x,
					       .mean = truth * (1 + 0.03 * ft_random_normal(random)),
					       .count = uneven ? 1 + k % 3 : 2,
					       .scatter = 1e-3 * ft_random_uniform(random)};
	}
}

/* Which differ from the formulas; *chosen is to be the one of the highest score. */
static int compare(struct ft__law_data *data)
{
	static struct ft__law_best best[FT__LAW_ALL];
	size_t chosen = ft__law_select(data, best), i;
	double most = -INFINITY, least = INFINITY;
	int bad = 0;

	for (i = 0; i < FT_LAW_SHAPES; i++) {
		struct ft__law_best slow = {0};

		if (isnan(data->scale[i])) {
			bad += !isinf(best[i].score);
			continue;
		}
		slowly(data, i, &slow);
		most = fmax(most, best[i].score);
		least = fmin(least, best[i].square + data->scatter);
		if (fabs(best[i].c0 - slow.c0) > 1e-6 * (slow.c0 + slow.c1) ||
		    fabs(best[i].c1 - slow.c1) > 1e-6 * (slow.c0 + slow.c1) ||
		    !near(best[i].square, square_of(data, i, &best[i]), 1e-9) ||
		    !near(best[i].score, score_of(data, i, &best[i]), 1e-9)) {
			diag("shape %zu: %g + %g g, slowly %g + %g g; square %g, %g; score %.9g, %.9g", i,
			     best[i].c0, best[i].c1, slow.c0, slow.c1, best[i].square,
			     square_of(data, i, &best[i]), best[i].score, score_of(data, i, &best[i]));
			bad++;
		}
	}
	bad += chosen < FT_LAW_SHAPES ? best[chosen].score != most : !(best[chosen].score > most);
	bad += !(data->floor <= fmax(fmin(1e-8, least / data->total), 1e-22) * data->total * (1 + 1e-12));
	return bad;
}

/* Of a power that is found near the largest that is looked for: nodes of the family stand evenly about it,
 * none beyond, each with the best law of its own number. */
static void test_family(void)
{
	static struct ft__law_best best[FT__LAW_ALL];
	const struct ft__law_family *f = &ft__law_families[0];
	struct ft_random random = {test_seed()};
	struct ft_law_knot knot[MOST];
	struct ft__law_data data;
	size_t there = 0;
	double step = 0;
	int bad = 0;

	for (size_t k = 0; k < MOST; k++) {
		double x = ldexp(16, (int)k);

		knot[k] = (struct ft_law_knot){.x = x,
					       .mean = 1e-3 * pow(x, f->high - 0.02) *
						       (1 + 0.02 * ft_random_normal(&random)),
					       .count = 2,
					       .scatter = 8e-4};
	}
	(void)ft__law_data_init(&data, knot, MOST, false, NULL);
	(void)ft__law_select(&data, best);
	for (size_t i = 0; i < FT_LAW_NODES; i++) {
		size_t shape = FT_LAW_SHAPES + i;
		struct ft__law_best slow = {0};

		if (isnan(data.scale[shape])) {
			bad += i == FT_LAW_NODES / 2 || !isinf(best[shape].score);
			continue;
		}
		slowly(&data, shape, &slow);
		bad += data.factor[i].power < f->low || data.factor[i].power > f->high ||
		       data.factor[i].log != 0;
		bad += !near(best[shape].c1, slow.c1, 1e-6) ||
		       !(fabs(best[shape].c0 - slow.c0) < 1e-6 * slow.c1);
		if (i && !isnan(data.scale[shape - 1])) {
			double here = data.factor[i].power - data.factor[i - 1].power;

			bad += !(here > 0) || (step > 0 && !near(here, step, 1e-6));
			step = here;
		}
		there++;
	}
	ok(!bad && there >= FT_LAW_NODES / 2 + 1 && there < FT_LAW_NODES && step > 0,
	   "n^%g: %zu nodes of its family, %d wrong", f->high - 0.02, there, bad);
	ft__law_data_clear(&data);
}

int main(void)
{
	static const char *const truth[] = {"a constant", "3 n", "40 + 0.02 n^2", "5 n log n"};
	struct ft_random random = {test_seed()};
	int kind, i, cases = test_cases(10);

	for (kind = 0; kind < 4; kind++) {
		int bad = 0;

		for (i = 0; i < cases; i++) {
			size_t n = i % 3 ? MOST : i % 2 ? 4 : 2;
			struct ft_law_knot knot[MOST];
			struct ft__law_data data;

			make(knot, n, kind, i % 2, &random);
			if (ft__law_data_init(&data, knot, n, false, NULL))
				bad++;
			else
				bad += compare(&data);
			ft__law_data_clear(&data);
		}
		ok(bad == 0, "samples of %s: coefficients, squares and scores of all shapes", truth[kind]);
	}
	test_family();
	return done();
}
