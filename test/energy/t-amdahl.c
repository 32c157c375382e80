/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-amdahl.c - the serial share, from times on several numbers of cores. */
#include "base/alloc.h"
#include "base/random.h"
#include "foretime/energy.h"
#include "tap.h"

static const double counts[] = {1, 2, 4, 8, 16};
enum { COUNTS = 5, REPEATS = 4, RUNS = COUNTS * REPEATS };

static void make(double s, double noise, struct ft_random *dice, double *threads, double *seconds)
{
	for (size_t i = 0; i < RUNS; i++) {
		threads[i] = counts[i % COUNTS];
		seconds[i] = 100 * (s + (1 - s) / threads[i]) * exp(noise * ft_random_normal(dice));
	}
}

static void test_exact(void)
{
	static const double serial[] = {0, 0.001, 0.1, 0.5, 1};
	double threads[RUNS], seconds[RUNS];
	struct ft_random dice = {1};
	struct ft_amdahl fit;

	for (size_t i = 0; i < 5; i++) {
		make(serial[i], 0, &dice, threads, seconds);
		(void)ft_amdahl_fit(&fit, threads, seconds, RUNS, 0.9, NULL);
		ok(fabs(fit.serial - serial[i]) < 1e-6 && near(fit.seconds, 100, 1e-5) &&
			   fit.counts == COUNTS && fit.runs == RUNS && !fit.rises && fit.off < 1e-6,
		   "s = %g: %g", serial[i], fit.serial);
	}
}

static void test_interval(void)
{
	struct ft_random dice = {test_seed()};
	int held = 0, trials = 1000;

	for (int trial = 0; trial < trials; trial++) {
		double threads[RUNS], seconds[RUNS], s = 0.02 + 0.3 * ft_random_uniform(&dice);
		struct ft_amdahl fit;

		make(s, 0.05, &dice, threads, seconds);
		(void)ft_amdahl_fit(&fit, threads, seconds, RUNS, 0.9, NULL);
		held += s >= fit.lower && s <= fit.upper;
	}
	ok(held > 0.88 * trials && held < 0.985 * trials, "90 %% intervals hold the share: %d of %d", held,
	   trials);
}

static void test_odd(void)
{
	const double threads[] = {1, 2, 4, 8}, worse[] = {100, 60, 45, 70}, one[] = {4, 4, 4, 4};
	struct ft_amdahl fit;
	struct ft_err err = {0};

	(void)ft_amdahl_fit(&fit, threads, worse, 4, 0.9, NULL);
	ok(fit.rises && fit.off > 0.1 && fit.lower >= 0 && fit.upper <= 1,
	   "more cores than are good: the law misses by %g", fit.off);
	ok(!ft_amdahl_fit(&fit, threads, worse, 2, 0.9, NULL) && near(fit.serial, 0.2, 1e-6) &&
		   isnan(fit.lower),
	   "two runs: no interval");
	ok(ft_amdahl_fit(&fit, one, worse, 4, 0.9, &err) == FT_EINVAL, "%s", err.text);
	ok(ft_amdahl_fit(&fit, threads, (const double[]){1, 0}, 2, 0.9, &err) == FT_EINVAL, "%s", err.text);
	ok(ft_amdahl_fit(&fit, threads, worse, 0, 0.9, &err) == FT_EINVAL, "%s", err.text);
	(void)ft_alloc_fail_at(1);
	ok(ft_amdahl_fit(&fit, threads, worse, 4, 0.9, NULL) == FT_ENOMEM, "no memory");
	(void)ft_alloc_fail_at(2);
	ok(ft_amdahl_fit(&fit, threads, worse, 4, 0.9, NULL) == FT_ENOMEM, "no memory");
	(void)ft_alloc_fail_at(0);
}

int main(void)
{
	test_exact();
	test_interval();
	test_odd();
	return done();
}
