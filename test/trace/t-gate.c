/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-gate.c - how many phases few rows tell apart. */
#include "trace/gate.h"
#include "base/alloc.h"
#include "base/random.h"
#include "foretime/trace.h"
#include "tap.h"

enum { ROWS = 60 };

/* Noise whose neighbours are alike, and a level that rises by `step` in the middle. */
static void make(double *y, size_t n, double alike, double step, struct ft_random *dice)
{
	double e = ft_random_normal(dice);
	size_t i;

	for (i = 0; i < n; i++) {
		y[i] = 10 + e + (i >= n / 2 ? step : 0);
		e = alike * e + sqrt(1 - alike * alike) * ft_random_normal(dice);
	}
}

static size_t phases_of(const double *y, size_t n)
{
	double t[ROWS];
	struct ft_phases phases = {0};
	struct ft_pwl *f = NULL;
	size_t i, count;

	for (i = 0; i < n; i++)
		t[i] = (double)i;
	if (ft_pwl_new(&f, t, y, n, NULL) || ft_pwl_phases(&phases, f, 0, NULL))
		diag("no phases");
	count = phases.n;
	ft_phases_clear(&phases);
	ft_pwl_free(f);
	return count;
}

static size_t believed(const double *y, size_t n)
{
	size_t k = 4;

	if (ft__phases_gate(y, n, 0.004, &k, NULL))
		diag("no memory");
	return k;
}

/* All the way: the phases of a trace. */
static void test_phases(void)
{
	struct ft_random dice = {test_seed()};
	double y[ROWS];
	size_t one = 0, two = 0, trial, trials = 8;

	for (trial = 0; trial < trials; trial++) {
		make(y, ROWS, 0.5, 0, &dice);
		one += phases_of(y, ROWS) == 1;
		make(y, ROWS, 0.5, 10, &dice);
		two += phases_of(y, ROWS) == 2;
	}
	ok(one >= 6 && two >= 4, "flat: one phase %zu times of %zu; a step: two phases %zu times", one,
	   trials, two);
}

static void test_noise(void)
{
	static const double alike[] = {0, 0.5, 0.8, 0.9};
	struct ft_random dice = {test_seed()};
	size_t k, trials = test_quick() ? 20 : 60;

	for (k = 0; k < 4; k++) {
		size_t one = 0, two = 0, trial;
		double y[ROWS];

		for (trial = 0; trial < trials; trial++) {
			make(y, ROWS, alike[k], 0, &dice);
			one += believed(y, ROWS) == 1;
			make(y, ROWS, alike[k], 10, &dice);
			two += believed(y, ROWS) == 2;
		}
		ok((double)one >= 0.7 * (double)trials,
		   "flat, neighbours alike by %g: one phase %zu times of %zu", alike[k], one, trials);
		ok((double)two >= 0.5 * (double)trials, "a step of 10: two phases %zu times", two);
	}
}

static void test_exact(void)
{
	const double up[] = {1, 1, 1, 1, 1, 1, 9, 9, 9, 9, 9, 9, 1, 1, 1, 1, 1, 1};
	size_t k = 5, n = sizeof up / sizeof *up;

	ok(!ft__phases_gate(up, n, 0.004, &k, NULL) && k == 3, "up and down again: %zu", k);
	k = 5;
	ok(!ft__phases_gate(up, 6, 0.004, &k, NULL) && k == 1, "constant: %zu", k);
	k = 1;
	ok(!ft__phases_gate(up, 1, 0.004, &k, NULL) && k == 1, "one row");
	(void)ft_alloc_fail_at(1);
	ok(ft__phases_gate(up, n, 0.004, &k, NULL) == FT_ENOMEM, "no memory");
	(void)ft_alloc_fail_at(2);
	ok(ft__phases_gate(up, n, 0.004, &k, NULL) == FT_ENOMEM, "no memory");
	(void)ft_alloc_fail_at(0);
}

int main(void)
{
	test_noise();
	test_phases();
	test_exact();
	return done();
}
