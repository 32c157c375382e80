/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-belief.c - belief over ln of a value: its quantiles and its tent, beside sums over all of it. */
#include "base/random.h"
#include "law/laws.h"
#include "num/num.h"
#include "tap.h"

#include <math.h>

static struct ft__law_belief belief; /* large */

/* n normal ones about 0, as far apart and as wide as `spread`; every fifth is certain where wanted. */
static void make(struct ft_random *random, size_t n, double spread, bool certain)
{
	belief.n = n;
	for (size_t i = 0; i < n; i++) {
		belief.ln[i] = spread * ft_random_normal(random);
		belief.error[i] = certain && i % 5 == 0 ? 0 : spread * (0.1 + ft_random_uniform(random));
		belief.weight[i] = 0.1 + ft_random_uniform(random);
	}
	ft__law_bin(&belief);
}

static double below(double at)
{
	double sum = 0;

	for (size_t i = 0; i < belief.n; i++)
		sum += belief.weight[i] * (belief.error[i] > 0
						   ? ft_normal_below((at - belief.ln[i]) / belief.error[i])
						   : at >= belief.ln[i]);
	return sum;
}

/* What counts of the belief at v: all of it at v, none that is a fifth off. */
static double tent_at(double v)
{
	double sum = 0;

	for (size_t i = 0; i < FT__LAW_BINS; i++)
		if (belief.bin[i] > 0)
			sum += belief.bin[i] * fmax(0, 1 - fabs(v / exp(belief.mean[i]) - 1) / 0.2);
	return sum;
}

/* Each in its bin, all of it in bins, and the mean is kept. */
static int bins_off(void)
{
	double sum = 0, weight = 0, mean = 0, is = 0;
	int bad = 0;

	for (size_t i = 0; i < FT__LAW_BINS; i++) {
		double from = belief.low + (double)i * belief.width;

		sum += belief.bin[i];
		is += belief.bin[i] * belief.mean[i];
		bad += belief.bin[i] > 0 &&
		       !(belief.mean[i] >= from - 1e-9 && belief.mean[i] <= from + belief.width + 1e-9);
	}
	for (size_t i = 0; i < belief.n; i++) {
		weight += belief.weight[i];
		mean += belief.weight[i] * belief.ln[i];
	}
	return bad + !near(sum, 1, 1e-12) + !near(weight, 1, 1e-12) +
	       !(fabs(is - mean) < 1e-12 * (double)belief.n);
}

static void test_random(void)
{
	static const double shares[] = {0.001, 0.05, 0.25, 0.5, 0.9, 0.999};
	static const double spreads[] = {1e-3, 0.05, 0.3, 2};
	struct ft_random random = {test_seed()};
	int i, bins = 0, quantiles = 0, tents = 0, cases = test_cases(60);

	for (i = 0; i < cases; i++) {
		double most = 0;

		make(&random, 1 + ft_random_below(&random, i % 2 ? 5 : FT_LAW_POINTS), spreads[i % 4], false);
		bins += bins_off();
		for (size_t k = 0; k < sizeof shares / sizeof *shares; k++)
			quantiles += !(fabs(below(ft__law_quantile(&belief, shares[k])) - shares[k]) < 1e-6);
		for (size_t k = 0; k < FT__LAW_BINS; k++)
			if (belief.bin[k] > 0)
				most = fmax(most, tent_at(exp(belief.mean[k])));
		tents += !near(tent_at(ft__law_tent(&belief)), most, 1e-9);
	}
	ok(bins == 0, "bins hold all of it, where it is: %d cases", cases);
	ok(quantiles == 0, "so much lies below each quantile: %d are wrong", quantiles);
	ok(tents == 0, "no value has more of it near than the tent's: %d are wrong", tents);
}

/* Some of it, or all, without errors: the share jumps there. */
static void test_certain(void)
{
	struct ft_random random = {test_seed()};
	int i, bad = 0, cases = test_cases(30);

	for (i = 0; i < cases; i++) {
		double share = 0.05 + 0.9 * ft_random_uniform(&random), at;

		make(&random, 7, 0.3, true);
		at = ft__law_quantile(&belief, share);
		bad += !(below(at - 1e-6) <= share + 1e-6 && below(at + 1e-6) >= share - 1e-6);
	}
	ok(bad == 0, "quantiles where some of it is certain: %d of %d are wrong", bad, cases);
	belief.n = 1;
	belief.ln[0] = 3;
	belief.error[0] = 0;
	belief.weight[0] = 0.5;
	ft__law_bin(&belief);
	ok(near(ft__law_quantile(&belief, 0.05), 3, 1e-9) && near(ft__law_quantile(&belief, 0.95), 3, 1e-9) &&
		   near(ft__law_tent(&belief), exp(3), 1e-9),
	   "one that is certain: it is the value");
}

int main(void)
{
	test_random();
	test_certain();
	ok(ft__law_error(3, 4) == 5 && ft__law_error(0.03, 0.04) == hypot(0.03, 0.04) &&
		   ft__law_error(4, 4) == 5,
	   "errors add as squares, up to 5");
	return done();
}
