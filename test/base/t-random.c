/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-random.c - seeded random numbers have the distribution that they are said to have. */
#include "tap.h"

#include "base/random.h"

#include <math.h>

enum { DRAWS = 24000 };

/* Each of n equally likely: Pearson's sum over n - 1 freedoms has mean n - 1 and variance 2 (n - 1). */
static bool even(const size_t *count, size_t n)
{
	double each = (double)DRAWS / (double)n, sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += ((double)count[i] - each) * ((double)count[i] - each) / each;
	return fabs(sum - (double)(n - 1)) < 5 * sqrt(2 * (double)(n - 1));
}

static void test_known(void)
{
	struct ft_random random = {1234567};

	/* The first numbers that splitmix64.c of Steele and Vigna prints for this seed. */
	ok(ft_random_bits(&random) == UINT64_C(6457827717110365317), "the first of a seed");
	ok(ft_random_bits(&random) == UINT64_C(3203168211198807973), "the next");
}

static void test_draws(void)
{
	struct ft_random random = {test_seed()};
	size_t count[7] = {0}, i;
	double sum = 0, square = 0, least = 1, most = 0;

	for (i = 0; i < DRAWS; i++)
		count[ft_random_below(&random, 7)]++;
	ok(even(count, 7), "below 7 each is drawn as often");
	for (i = 0; i < DRAWS; i++) {
		double z = ft_random_normal(&random), u = ft_random_uniform(&random);

		sum += z / DRAWS;
		square += z * z / DRAWS;
		least = fmin(least, u);
		most = fmax(most, u);
	}
	ok(fabs(sum) < 5 / sqrt(DRAWS) && fabs(square - 1) < 5 * sqrt(2.0 / DRAWS),
	   "normal ones have mean 0 and variance 1: %g, %g", sum, square);
	ok(least >= 0 && least < 1e-3 && most < 1 && most > 1 - 1e-3, "uniform ones fill 0 .. 1");
}

/* The order of four as a number below 24; 24: they are not the same four any more. */
static size_t order_of(const size_t *at)
{
	size_t number = 0, seen = 0;

	for (size_t i = 0; i < 4; i++) {
		size_t smaller = 0;

		for (size_t j = i + 1; j < 4; j++)
			smaller += at[j] < at[i];
		number = number * (4 - i) + smaller;
		seen |= (size_t)1 << at[i];
	}
	return seen == 15 ? number : 24;
}

static void test_shuffle(void)
{
	struct ft_random random = {test_seed()};
	size_t count[25] = {0}, i;
	char one = 'x';

	for (i = 0; i < DRAWS; i++) {
		size_t at[4] = {0, 1, 2, 3};

		ft_random_shuffle(&random, at, 4, sizeof *at);
		count[order_of(at)]++;
	}
	ok(!count[24], "what is shuffled stays the same elements");
	ok(even(count, 24), "and each of 24 orders is as likely");
	ft_random_shuffle(&random, &one, 1, 1);
	ft_random_shuffle(&random, &one, 0, 1);
	ok(one == 'x', "one, or none, stays as it is");
}

int main(void)
{
	test_known();
	test_draws();
	test_shuffle();
	return done();
}
