/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-describe.c - what is read from a fit, and which columns are alike. */
#include "base/alloc.h"
#include "matrix-made.h"
#include "surrogate/door.h"
#include "tap.h"

enum { M = 4 };

/* y = 2 x, but for the last row. */
static const double x[M] = {1, 10, 100, 4}, y[M] = {2, 20, 200, 12};
static const struct ft_surrogate_problem problem = {.m = M, .k = 1, .q = 1, .x = x, .y = y};

static void test_fit(void)
{
	const struct ft_surrogate_options raw = {.raw = true};
	struct ft_surrogate_fit *fit = NULL;
	struct ft_description d = {0};
	struct ft_estimate one, two;

	(void)ft_surrogate_solve(ft_solver_find("ols"), &problem, NULL, &fit, NULL);
	(void)ft_surrogate_describe(fit, &problem, 0.9, false, &d, NULL);
	/* Rows weigh the same: each says y / x, and beta is the mean of 2, 2, 2, 3. */
	ok(d.linear && near(d.beta[0], 2.25, 1e-9) && near(d.fitted[2].value, 225, 1e-9) &&
		   near(d.residual[2], -0.25, 1e-9) && near(d.residual[0], -0.25, 1e-9) &&
		   near(d.residual[3], 0.75, 1e-9),
	   "residuals are over the size of the basis in their row");
	(void)ft_surrogate_spread(fit, 0.9, &one);
	(void)ft_surrogate_spread(fit, 0.6826894921370859, &two);
	ok(d.spread && d.interval[0].lower == one.lower && d.interval[0].upper == one.upper &&
		   near(d.sd[0], (two.upper - two.lower) / 2, 1e-12) && d.sd[0] < (one.upper - one.lower) / 2,
	   "beta's interval, and its deviation: %g", d.sd[0]);
	ok(d.reading.few && d.cone.rest > 0 && !d.cone.inside && !d.patterns.rank,
	   "four rows say nothing of noise; no mixture gives it");
	ft_description_clear(&d);
	ft_description_clear(&d);
	ft_surrogate_free(fit);
	(void)ft_surrogate_solve(ft_solver_find("ols"), &problem, &raw, &fit, NULL);
	(void)ft_surrogate_describe(fit, &problem, 0.9, true, &d, NULL);
	/* (2 + 200 + 20000 + 48) / (1 + 100 + 10000 + 16) */
	ok(near(d.residual[3], 12 - 4 * 20250. / 10117, 1e-9), "of raw rows they are as they are: %g",
	   d.residual[3]);
	ft_description_clear(&d);
	ft_surrogate_free(fit);
}

static void test_no_memory(void)
{
	struct ft_surrogate_fit *fit = NULL;
	struct ft_description d = {0};
	unsigned long k;
	bool passed = false;
	int left = 0;

	(void)ft_surrogate_solve(ft_solver_find("ols"), &problem, NULL, &fit, NULL);
	for (k = 1; k < 100 && !passed; k++) {
		(void)ft_alloc_fail_at(k);
		passed = !ft_surrogate_describe(fit, &problem, 0.9, false, &d, NULL);
		(void)ft_alloc_fail_at(0);
		left += !passed && d.beta;
	}
	ok(passed && k > 8 && !left, "each of %lu allocations may fail", k - 2);
	ft_description_clear(&d);
	ft_surrogate_free(fit);
}

static void test_likeness(void)
{
	const double c[16] = {1, .5, .9, NAN, .5, 1, .95, NAN, .9, .95, 1, NAN, NAN, NAN, NAN, NAN}, one = 1,
		     none_first[9] = {NAN, NAN, NAN, NAN, 1, .2, NAN, .2, 1};
	struct ft_likeness l = ft_cosines_compare(c, 4, 0.9);

	ok(l.most[0] == 2 && l.most[1] == 1 && l.least[0] == 1 && l.least[1] == 0 && l.same == 2,
	   "the most and the least alike; two pairs of 0.9");
	l = ft_cosines_compare(&one, 1, 0.9);
	ok(l.most[0] == l.most[1] && l.least[0] == l.least[1] && !l.same, "one has none beside it");
	ok(ft_cosines_nearest(c, 4, 0) == 2 && ft_cosines_nearest(c, 4, 2) == 1 &&
		   ft_cosines_nearest(&one, 1, 0) == 0,
	   "the nearest of each");
	ok(ft_cosines_nearest(c, 4, 3) == 3 && ft_cosines_nearest(none_first, 3, 1) == 2,
	   "what has no cosine is near to none, wherever it stands");
}

/* By hand: logarithms 0 2 . / 1 5 3; rows less their means 1 and 3, then columns less -1.5, 1.5 and 0. */
static void test_doublings(void)
{
	static const char *const rows[] = {"r", "s"}, *const columns[] = {"a", "b", "c"};
	const double value[] = {1, 4, 0, 2, 32, 8};
	struct ft_matrix matrix = made_matrix(rows, 2, columns, 3, value);
	double out[6];

	ft_matrix_doublings(&matrix, out);
	ok(near(out[0], 0.5, 1e-12) && near(out[1], -0.5, 1e-12) && isnan(out[2]) &&
		   near(out[3], -0.5, 1e-12) && near(out[4], 0.5, 1e-12) && out[5] == 0,
	   "doublings against row and column");
	ft_matrix_clear(&matrix);
}

static void test_known(void)
{
	static const char *const rows[] = {"r", "s", "t"}, *const columns[] = {"a", "b", "c"};
	const double value[] = {1, NAN, 3, NAN, NAN, 5, 1, 2, NAN};
	struct ft_matrix matrix = made_matrix(rows, 3, columns, 3, value);
	size_t basis[] = {2, 1, 0}, pair[] = {0, 1}, unknown[3], k = 3, two = 2, n;

	ft_basis_known(&matrix, 0, basis, &k, unknown, &n);
	ok(k == 2 && basis[0] == 2 && basis[1] == 0 && n == 1 && unknown[0] == 1,
	   "what the row lacks is left out");
	ft_basis_known(&matrix, 1, pair, &two, unknown, &n);
	ok(two == 2 && n == 0, "unless nothing is left");
	ft_basis_known(&matrix, 2, pair, &two, unknown, &n);
	ok(two == 2 && n == 0, "all is known: nothing is left out");
	ft_matrix_clear(&matrix);
}

int main(void)
{
	test_fit();
	test_no_memory();
	test_likeness();
	test_doublings();
	test_known();
	return done();
}
