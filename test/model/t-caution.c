/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-caution.c - how far stated errors are to be trusted: against a slow oracle, near misses before far ones,
 * bounds. */
#include "base/random.h"
#include "model/model.h"
#include "tap.h"

#include <math.h>

enum { MOST = 60, PSEUDO = 6 };

static size_t draw(struct ft__miss *miss, struct ft_random *random)
{
	size_t n = ft_random_below(random, MOST), i;

	for (i = 0; i < n; i++)
		miss[i] =
			(struct ft__miss){5 * ft_random_uniform(random), fabs(ft_random_normal(random)) * 2};
	ft__misses_sort(miss, n);
	return n;
}

/* The least miss, seen or not, up to which lies more than the share of all weights. */
static double slow(const struct ft__miss *miss, size_t n, double at, double range)
{
	double value[MOST + PSEUDO], weight[MOST + PSEUDO], total = 0, best = 0;
	size_t all = n + PSEUDO;
	bool any = false;

	for (size_t i = 0; i < all; i++) {
		value[i] = i < n ? miss[i].miss : 0.1 + 0.3 * (double)(i - n);
		weight[i] = i < n ? exp(-fabs(miss[i].at - at) / (0.135 * range)) : 0.4;
		total += weight[i];
	}
	for (size_t i = 0; i < all; i++) {
		double below = 0;

		for (size_t k = 0; k < all; k++)
			below += value[k] <= value[i] ? weight[k] : 0;
		if (below > 0.85 * total && (!any || value[i] < best)) {
			best = value[i];
			any = true;
		}
	}
	return best / 1.44;
}

static void test_oracle(struct ft_random *random)
{
	struct ft__miss miss[MOST];
	double off = 0;

	for (int i = 0; i < test_cases(200); i++) {
		double at = 5 * ft_random_uniform(random);
		size_t n = draw(miss, random);

		off = fmax(off, fabs(ft__caution(miss, n, at, 5, 0.01) -
				     fmin(fmax(slow(miss, n, at, 5), 0.01), 3)));
	}
	ok(off < 1e-12, "as a slow oracle says: %.1g", off);
}

static void test_near(void)
{
	struct ft__miss miss[40];

	for (size_t i = 0; i < 40; i++)
		miss[i] = (struct ft__miss){(double)i / 8, i < 20 ? 0.5 : 3};
	ft__misses_sort(miss, 40);
	ok(ft__caution(miss, 40, 0.5, 5, 1) < 1.05 && ft__caution(miss, 40, 4.5, 5, 1) > 1.9,
	   "misses widen what is said around them (%.2f), and little elsewhere (%.2f)",
	   ft__caution(miss, 40, 4.5, 5, 1), ft__caution(miss, 40, 0.5, 5, 1));
	ok(ft__caution(miss, 40, 9, 5, 1) > 1 && ft__caution(NULL, 0, 1, 5, 1) <= 1.12,
	   "beyond the last one those near the end still count; without any it is about 1");
}

static void test_bounds(struct ft_random *random)
{
	struct ft__miss miss[MOST];
	bool bounded = true, ascending = true;

	for (int i = 0; i < test_cases(200); i++) {
		double at = 5 * ft_random_uniform(random), before, after;
		size_t n = draw(miss, random), k;

		before = ft__caution(miss, n, at, 5, 0.5);
		bounded = bounded && before >= 0.5 && before <= 3;
		for (k = 0; k < n; k++)
			miss[k].miss *= 1.5;
		after = ft__caution(miss, n, at, 5, 0.5);
		ascending = ascending && after >= before;
	}
	ok(bounded, "it stays within its bounds");
	ok(ascending, "greater misses never make it less");
}

int main(void)
{
	struct ft_random random = {test_seed()};

	test_oracle(&random);
	test_near();
	test_bounds(&random);
	return done();
}
