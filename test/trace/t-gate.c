/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-gate.c - how many phases few rows tell apart. */
#include "base/alloc.h"
#include "base/random.h"
#include "foretime/trace.h"
#include "scores.h"
#include "trace/trace.h"

enum { ROWS = 60 };

/* Noise whose neighbours are alike, and a level that rises by `step` in the middle. */
static void make(double *y, size_t n, double alike, double step, struct ft_random *dice)
{
	double e = ft_random_normal(dice);

	for (size_t i = 0; i < n; i++) {
		y[i] = 10 + e + (i >= n / 2 ? step : 0);
		e = alike * e + sqrt(1 - alike * alike) * ft_random_normal(dice);
	}
}

static size_t phases_of(const double *y, size_t n)
{
	double t[ROWS];
	struct ft_phases phases = {0};
	struct ft_pwl *f = NULL;

	for (size_t i = 0; i < n; i++)
		t[i] = (double)i;
	if (ft_pwl_new(&f, t, y, n, NULL) || ft_pwl_phases(&phases, f, 0, NULL))
		diag("no phases");
	size_t count = phases.n;
	ft_phases_clear(&phases);
	ft_pwl_free(f);
	return count;
}

/* Of one curve. */
static enum ft_status gate(const double *y, size_t n, size_t *k)
{
	const double one = 1;

	return ft__phases_gate(&y, &one, 1, n, 0.004, k, NULL);
}

static size_t believed(const double *y, size_t n)
{
	size_t k = 4;

	if (gate(y, n, &k))
		diag("no memory");
	return k;
}

/* All the way: the phases of a trace. */
static void test_phases(void)
{
	struct ft_random dice = {test_seed()};
	double y[ROWS];
	size_t one = 0, two = 0, trials = 8;

	for (size_t trial = 0; trial < trials; trial++) {
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
		size_t one = 0, two = 0;
		double y[ROWS];

		for (size_t trial = 0; trial < trials; trial++) {
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

	ok(!gate(up, n, &k) && k == 3, "up and down again: %zu", k);
	k = 5;
	ok(!gate(up, 6, &k) && k == 1, "constant: %zu", k);
	k = 1;
	ok(!gate(up, 1, &k) && k == 1, "one row");
	(void)ft_alloc_fail_at(1);
	ok(gate(up, n, &k) == FT_ENOMEM, "no memory");
	(void)ft_alloc_fail_at(2);
	ok(gate(up, n, &k) == FT_ENOMEM, "no memory");
	(void)ft_alloc_fail_at(0);
}

/* Two curves: flat, with noise of their own and noise in common; then a step in one of them, or in both. */
static void test_two(void)
{
	static const double weight[] = {1, 0.25};
	struct ft_random dice = {test_seed()};
	double a[ROWS], b[ROWS];
	const double *const y[] = {a, b};
	size_t flat = 0, same = 0, step = 0, trial, i, trials = test_quick() ? 10 : 40, k;

	for (trial = 0; trial < trials; trial++) {
		make(a, ROWS, 0.5, 0, &dice);
		make(b, ROWS, 0.5, 0, &dice);
		k = 4;
		flat += !ft__phases_gate(y, weight, 2, ROWS, 0.004, &k, NULL) && k == 1;
		for (i = 0; i < ROWS; i++)
			b[i] = 2 * a[i];
		k = 4;
		same += !ft__phases_gate(y, weight, 2, ROWS, 0.004, &k, NULL) && k == 1;
		make(a, ROWS, 0.5, 0, &dice);
		make(b, ROWS, 0.5, 20, &dice);
		k = 4;
		step += !ft__phases_gate(y, weight, 2, ROWS, 0.004, &k, NULL) && k == 2;
	}
	ok((double)flat >= 0.7 * (double)trials, "two flat ones: one phase %zu times of %zu", flat, trials);
	ok((double)same >= 0.7 * (double)trials, "with the same noise: one phase %zu times", same);
	ok((double)step >= 0.5 * (double)trials, "a step in one: two phases %zu times", step);
}

/* Steps that are hardly seen, of one to three curves: how many phases were believed. */
static void test_hardly_seen(void)
{
	struct ft_random dice = {4711};
	struct test_told told = {0, 0};
	static double y[3][ROWS];
	const double *const curves[] = {y[0], y[1], y[2]}, weight[] = {1, 0.3, 2};
	size_t more = 0;

	for (size_t trial = 0; trial < 300; trial++) {
		size_t m = 1 + trial % 3, n = 16 + ft_random_below(&dice, 30);
		double alike = 0.8 * ft_random_uniform(&dice);

		for (size_t c = 0; c < m; c++)
			make(y[c], n, alike, (c + trial) % 2 ? 14 * ft_random_uniform(&dice) : 0, &dice);
		for (size_t c = 0; c < n && m == 2 && trial % 2; c++)
			y[1][c] += y[0][c];
		size_t k = 2 + trial % 4;
		if (ft__phases_gate(curves, weight, m, n, 0.05 * (double)(1 + trial % 5), &k, NULL))
			diag("no memory");
		more += k > 1;
		test_tell(&told, (double)k, 1);
	}
	ok(more > 75 && more < 225, "of 300 made ones %zu have more than one phase", more);
	test_told("hardly seen", &told, 396.221915);
}

int main(void)
{
	test_two();
	test_noise();
	test_phases();
	test_exact();
	test_hardly_seen();
	return done();
}
