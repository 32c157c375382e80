/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-sums.c - sums of terms of either sign, residuals, and the intervals of powers. */
#include "base/alloc.h"
#include "base/random.h"
#include "foretime/law.h"
#include "law-told.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { SIZES = 12 };

static struct ft_law_sums sums; /* large */

static double size_at(size_t k)
{
	return 10 * pow(1.7, (double)k);
}

/* 004 figure 10.7: a logarithm less a line. */
static void test_signed(void)
{
	struct ft_law_sample sample[SIZES];
	struct ft_law_prediction said;
	char text[64];
	double x = 2 * size_at(SIZES - 1);

	for (size_t k = 0; k < SIZES; k++) {
		sample[k].x = size_at(k);
		sample[k].value = 0.02 * log2(sample[k].x) - 1e-5 * sample[k].x;
	}
	ok(!ft_law_sums_fit(&sums, sample, SIZES, NULL), "a logarithm less a line");
	(void)ft_law_format(&sums.candidate[0].law, NULL, 4, text, sizeof text);
	ok(!strcmp(text, "0.02*log2(n) - 1e-05*n") && sums.r2 > 1 - 1e-9 && sums.residual < 1e-9,
	   "in words: %s, R %.2g, R^2 %.4f", text, sums.residual, sums.r2);
	(void)ft_law_sums_predict(&sums, x, 0.9, FT_LAW_MEAN, &said, NULL);
	ok(near(said.value, 0.02 * log2(x) - 1e-5 * x, 1e-6) && said.lower <= said.value &&
		   said.value <= said.upper,
	   "beyond the sizes: %g", said.value);
}

static void test_by_hand(void)
{
	struct ft_law_sample sample[] = {{10, -5}, {20, -10}, {40, -20}, {80, -40}};
	struct ft_law_sample none[] = {{1, 0}, {2, 0}}, one[] = {{1, 2}, {1, 3}}, wrong[] = {{0, 1}, {1, 2}};
	struct ft_law_prediction said;
	struct ft_err err;
	char text[64];

	ok(!ft_law_sums_fit(&sums, sample, 4, NULL), "values below 0");
	(void)ft_law_format(&sums.candidate[0].law, NULL, 4, text, sizeof text);
	ok(!strcmp(text, "-0.5*n"), "in words: %s", text);
	(void)ft_law_sums_predict(&sums, 100, 0.9, FT_LAW_MEAN, &said, NULL);
	ok(near(said.value, -50, 1e-9) && near(said.median, -50, 1e-6) && near(said.lower, -50, 1e-6) &&
		   near(said.upper, -50, 1e-6),
	   "which is known: %g, %g .. %g", said.value, said.lower, said.upper);
	sums.candidate[0].law.term[0].factor[0].power = -1;
	ok(ft_law_sums_predict(&sums, 0, 0.9, FT_LAW_MEAN, &said, &err) == FT_EINVAL, "%s", err.text);
	ok(!ft_law_sums_fit(&sums, none, 2, NULL) && sums.candidate[0].law.terms == 0 &&
		   sums.candidate[0].law.constant == 0,
	   "nothing is a law too");
	ok(ft_law_sums_fit(&sums, one, 2, &err) == FT_ENOMODEL && *err.remedy, "%s", err.text);
	ok(ft_law_sums_fit(&sums, wrong, 2, &err) == FT_EINVAL, "%s", err.text);
}

/* Sums of one or two common terms, of either sign, with a scatter of half a percent of the largest value: the
 * interval at twice the largest size holds nine of ten, and the order of samples changes nothing. */
static void test_random(void)
{
	struct ft_random r = {test_seed()};
	int cases = test_cases(200), i, inside = 0, far = 0;

	for (i = 0; i < cases; i++) {
		static const struct ft_law_factor common[] = {
			{.log = 1}, {.power = 1}, {.power = 1, .log = 1}, {.power = 2}, {.power = 3}};
		struct ft_law truth = {.params = 1, .terms = 1 + (size_t)(i % 2)};
		struct ft_law_sample sample[SIZES];
		struct ft_law_prediction said;
		double most = size_at(SIZES - 1), x = 2 * most, value;
		size_t a = ft_random_below(&r, 5), k, j;

		for (j = 0; j < truth.terms; j++) {
			struct ft_law_term *term = &truth.term[j];
			struct ft_law alone = {.params = 1, .terms = 1};

			alone.term[0].factor[0] = term->factor[0] = common[(a + j) % 5];
			alone.term[0].c = 1;
			term->c = (0.2 + ft_random_uniform(&r)) * (ft_random_below(&r, 2) ? 1 : -1) /
				  ft_law_value(&alone, &most);
		}
		for (k = 0; k < SIZES; k++) {
			sample[k].x = size_at(k);
			sample[k].value =
				ft_law_value(&truth, &sample[k].x) * exp(0.005 * ft_random_normal(&r));
		}
		if (ft_law_sums_fit(&sums, sample, SIZES, NULL) ||
		    ft_law_sums_predict(&sums, x, 0.9, FT_LAW_MEAN, &said, NULL))
			continue;
		value = ft_law_value(&truth, &x);
		inside += said.lower <= value && value <= said.upper;
		far += fabs(said.value - value) > 0.1 * fabs(value);
	}
	ok(inside >= cases * 8 / 10, "an interval of 90 %% holds the truth: %d of %d", inside, cases);
	ok(far <= cases / 5, "twice the largest size within 10 %%: all but %d of %d", far, cases);
}

static void test_memory(void)
{
	struct ft_law_sample sample[] = {{10, 5}, {20, 10}, {40, 20}, {80, 40}};
	unsigned long k;
	bool passed = false;

	for (k = 1; k < 20 && !passed; k++) {
		(void)ft_alloc_fail_at(k);
		passed = !ft_law_sums_fit(&sums, sample, 4, NULL);
		(void)ft_alloc_fail_at(0);
	}
	ok(passed && k > 4, "each allocation may fail");
}

/* ---- residuals and powers --------------------------------------------------------------------------------
 */

/* R by its definition, of the values and of logarithms. */
static void test_residuals(void)
{
	struct ft_law_sample sample[] = {{16, 100}, {32, 210}, {64, 390}, {128, 810}};
	static struct ft_law_named named;
	static struct ft_laws laws;
	struct ft_law_number power;
	double values = 0, logs = 0;
	size_t k;

	ok(!ft_law_named_fit(&named, FT_LAW_POWER, 0, sample, 4, NULL) &&
		   !ft_laws_fit(&laws, sample, 4, NULL, NULL),
	   "a power law and a law");
	for (k = 0; k < 4; k++) {
		double value = ft_law_value(&named.law, &sample[k].x);

		values += pow(sample[k].value - value, 2);
		logs += pow(log(sample[k].value / value), 2);
	}
	ok(near(named.residual, sqrt(values), 1e-12) && near(named.residual_ln, sqrt(logs), 1e-9),
	   "R %.4g, of logarithms %.4g", named.residual, named.residual_ln);
	for (values = logs = 0, k = 0; k < 4; k++) {
		double value = ft_law_value(&laws.law, &sample[k].x);

		values += pow(sample[k].value - value, 2);
		logs += pow(log(sample[k].value / value), 2);
	}
	ok(near(laws.residual, sqrt(values), 1e-12) && near(laws.residual_ln, sqrt(logs), 1e-9),
	   "of a law R %.4g, of logarithms %.4g", laws.residual, laws.residual_ln);
	ok(ft_law_named_power(&named, 0.9, &power) && power.lower < power.value &&
		   power.value < power.upper && !ft_laws_power(&laws, 0.9, &power),
	   "a power has its interval; one of the usual classes has none");
}

/* The interval of b of a n^b: exact, where errors of logarithms are normal. That of a found power: about so.
 */
static void test_powers(void)
{
	struct ft_random r = {test_seed()};
	int cases = test_cases(300), i, inside = 0, found = 0, held = 0;

	for (i = 0; i < cases; i++) {
		static struct ft_law_named named;
		static struct ft_laws laws;
		struct ft_law_sample sample[7 * 3];
		struct ft_law_number power;
		double truth = 0.2 + 3 * ft_random_uniform(&r);

		for (size_t k = 0; k < 7 * 3; k++) {
			sample[k].x = ldexp(16, (int)k / 3);
			sample[k].value = pow(sample[k].x, truth) * exp(0.01 * ft_random_normal(&r));
		}
		if (ft_law_named_fit(&named, FT_LAW_POWER, 0, sample, 7 * 3, NULL) ||
		    ft_laws_fit(&laws, sample, 7 * 3, NULL, NULL))
			continue;
		inside += ft_law_named_power(&named, 0.9, &power) && power.lower <= truth &&
			  truth <= power.upper;
		if (!ft_laws_power(&laws, 0.9, &power))
			continue;
		found++;
		held += power.lower <= truth && truth <= power.upper;
	}
	ok(inside >= cases * 84 / 100 && inside <= cases * 96 / 100,
	   "b of a n^b: 90 %% intervals held %d of %d", inside, cases);
	ok(found >= cases / 3 && held >= found * 8 / 10,
	   "powers that were found: 90 %% intervals held %d of %d", held, found);
}

/* Sums of terms of either sign: what they say at, within and beyond twelve sizes of 1 .. 3 runs, and what it
 * was.
 */
static void test_told_all(void)
{
	static const double powers[] = {8, 0.5, 1, 1.5, 2.3, 3, -4, -0.5};
	struct ft_random random = {99};
	struct test_told told = {0};
	struct ft_law_sample sample[36];

	for (int i = 0; i < 20; i++) {
		double power = powers[i % 8], first = ft_random_normal(&random),
		       second = ft_random_normal(&random), at = 200;
		size_t n = 0;

		for (int k = 0; k < 12; k++) {
			double x = round(8 * pow(1.6, k)),
			       value = first + second * (i < 16 ? pow(x / 200, power) : exp2(x / 100));
			int runs = 1 + (i + k) % 3;

			for (; runs; runs--)
				sample[n++] =
					(struct ft_law_sample){x, value + 0.02 * ft_random_normal(&random)};
		}
		if (!ok(!ft_law_sums_fit(&sums, sample, n, NULL), "sums of either sign"))
			continue;
		tell_candidates(&told, sums.candidate, sums.candidates, &at, 1);
		test_tell(&told, sums.residual, 1e-2);
		test_tell(&told, sums.r2, 1e-2);
		test_tell_all(&told, &sums.misfit, 2, 1e-3);
		test_tell(&told, (double)(sums.sizes + 100 * sums.runs), 1);
		test_tell_all(&told, &sums.least, 2, 1);
		for (int k = 0; k < 10; k++) {
			struct ft_law_prediction p = {0};
			double x = round(8 * pow(1.6, 14 * ft_random_uniform(&random)));

			(void)ft_law_sums_predict(&sums, k ? x : 8, 0.9, k % 2 ? FT_LAW_RUN : FT_LAW_MEAN, &p,
						  NULL);
			test_tell_all(&told, &p.value, 6, 1e-1);
		}
	}
	test_told("sums of either sign", &told, 2403.199836);
}

int main(void)
{
	test_signed();
	test_by_hand();
	test_random();
	test_memory();
	test_residuals();
	test_powers();
	test_told_all();
	return done();
}
