/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-complexity.c - shares that grow with size, and their composition. */
#include "base/alloc.h"
#include "base/random.h"
#include "foretime/surrogate.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { SIZES = 12 };

/* 004 table 7.1 with the errata: beta_cpu = 0.5 n, beta_mem = 0.01 n^2. */
static void test_by_hand(void)
{
	double n[] = {10, 20, 40}, beta[] = {5, 1, 10, 4, 20, 16}, sum[2];
	struct ft_complexity_curve c[2];
	char text[64];

	ok(!ft_complexity_fit(n, beta, 3, 2, c, NULL) && c[0].terms == 1 && near(c[0].c[0], 0.5, 1e-12) &&
		   near(c[1].c[0], 0.01, 1e-12) && near(ft_complexity_curve_value(&c[1], 100), 100, 1e-12),
	   "0.5 n of the one, 0.01 n^2 of the other");
	(void)ft_complexity_curve_format(&c[1], text, sizeof text);
	ok(!strcmp(text, "0.01*n^2"), "in words: %s", text);
	ft_complexity_compose(beta, beta + 2, 3, 2, sum);
	ok(near(sum[0], 35, 1e-12) && near(sum[1], 13, 1e-12), "f, and three times g");
}

/* Of each term alone, and of a pair, the right one is found and foretells a size that is twice as large. */
static void test_random(void)
{
	struct ft_random r = {test_seed()};
	int cases = test_cases(200), i, far = 0, wrong = 0;

	for (i = 0; i < cases; i++) {
		struct ft_complexity_curve truth = {.terms = 1 + (size_t)(i % 2)}, found;
		double n[SIZES], beta[SIZES], said;
		size_t j;

		truth.term[0] = (unsigned char)(1 + ft_random_below(&r, 5));
		truth.term[1] = (unsigned char)(1 + (truth.term[0] + ft_random_below(&r, 4)) % 5);
		truth.c[0] = 0.1 + ft_random_uniform(&r);
		truth.c[1] = truth.c[0] * (0.2 + ft_random_uniform(&r));
		for (j = 0; j < SIZES; j++) {
			n[j] = 10 * pow(1.7, (double)j);
			beta[j] = ft_complexity_curve_value(&truth, n[j]) * exp(0.005 * ft_random_normal(&r));
		}
		if (ft_complexity_fit(n, beta, SIZES, 1, &found, NULL))
			continue;
		said = ft_complexity_curve_value(&found, 2 * n[SIZES - 1]);
		far += fabs(said / ft_complexity_curve_value(&truth, 2 * n[SIZES - 1]) - 1) > 0.05;
		wrong += truth.terms == 1 && found.terms == 2;
	}
	ok(far <= cases / 20, "twice the largest size within 5 %%: all but %d of %d", far, cases);
	ok(wrong <= cases / 8, "one term is called one: all but %d of %d", wrong, cases / 2);
}

static void test_refuses(void)
{
	double n[] = {10, 0}, beta[] = {1, 2}, none[] = {0, 0}, good[] = {1, 2};
	struct ft_complexity_curve c;
	struct ft_err err;
	unsigned long k;
	bool passed = false;

	ok(ft_complexity_fit(n, beta, 1, 1, &c, &err) == FT_ENOMODEL && *err.remedy, "%s", err.text);
	ok(ft_complexity_fit(n, beta, 2, 1, &c, &err) == FT_EINVAL, "%s", err.text);
	ok(!ft_complexity_fit(good, none, 2, 1, &c, NULL) && c.terms == 0 &&
		   ft_complexity_curve_value(&c, 5) == 0,
	   "no share, no curve");
	for (k = 1; k < 20 && !passed; k++) {
		(void)ft_alloc_fail_at(k);
		passed = !ft_complexity_fit(good, beta, 2, 1, &c, NULL);
		(void)ft_alloc_fail_at(0);
	}
	ok(passed && k == 4, "each allocation may fail");
}

int main(void)
{
	test_by_hand();
	test_random();
	test_refuses();
	return done();
}
