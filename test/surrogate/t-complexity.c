/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-complexity.c - shares that grow with size, and their composition. */
#include "base/alloc.h"
#include "base/random.h"
#include "foretime/surrogate.h"
#include "law/door.h"
#include "matrix-made.h"
#include "surrogate/door.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { SIZES = 12 };

static struct ft_law_sums xi[2]; /* large */

static double share_at(size_t j, double n)
{
	return ft_law_value(&xi[j].candidate[0].law, &n);
}

/* 004 table 7.1 with the errata: beta_cpu = 0.5 n, beta_mem = 0.01 n^2; eq. 7.2, 7.3 at n = 110 with
 * p_cpu = (100, 0), p_mem = (1, 10). */
static void test_by_hand(void)
{
	double n[] = {10, 20, 40}, beta[] = {5, 1, 10, 4, 20, 16}, instructions[] = {100, 1},
	       misses[] = {0, 10};
	struct ft_estimate said, of_misses;
	char text[64];

	ok(!ft_complexity_fit(n, beta, 3, 2, xi, NULL) && near(share_at(0, 110), 55, 1e-9) &&
		   near(share_at(1, 110), 121, 1e-9),
	   "0.5 n of the one, 0.01 n^2 of the other");
	(void)ft_law_format(&xi[1].candidate[0].law, NULL, 4, text, sizeof text);
	ok(!strcmp(text, "0.01*n^2"), "in words: %s", text);
	(void)ft_complexity_predict(xi, instructions, 2, 0, 110, 0.9, &said, NULL);
	(void)ft_complexity_predict(xi, misses, 2, 0, 110, 0.9, &of_misses, NULL);
	ok(near(said.value, 5621, 1e-9) && near(of_misses.value, 1210, 1e-9) && said.lower <= said.value &&
		   said.value <= said.upper,
	   "at n = 110: %g instructions, %g misses", said.value, of_misses.value);
	(void)ft_complexity_predict(xi, instructions, 2, 0.1, 110, 0.9, &said, NULL);
	ok(said.upper > 1.1 * said.value && said.lower < 0.9 * said.value,
	   "a description that is 10 %% off says so: %g .. %g", said.lower, said.upper);
}

static void test_misfit(void)
{
	double basis[] = {2, 10}, beta[] = {1, 0, 0, 1}, measured[] = {2.2, 9}, none[] = {0, 0};

	ok(near(ft_complexity_misfit(basis, beta, measured, 2, 2), 0.1, 1e-12),
	   "10 %% above, 10 %% below: 10 %%");
	ok(ft_complexity_misfit(none, beta, none, 2, 2) == 0 &&
		   isnan(ft_complexity_misfit(none, beta, measured, 2, 2)),
	   "none of it is described by none; some of it is not");
}

/* A resource of two programs whose shares grow as common terms, one of them below 0 in places: the interval
 * at twice the largest size holds nine of ten. */
static void test_random(void)
{
	struct ft_random r = {test_seed()};
	int cases = test_cases(200), i, far = 0, inside = 0;

	for (i = 0; i < cases; i++) {
		double n[SIZES], beta[2 * SIZES], basis[] = {1 + ft_random_uniform(&r), 0.2}, x, truth[2];
		double a = 0.1 + ft_random_uniform(&r), b = 0.3 * ft_random_uniform(&r);
		struct ft_estimate said;

		for (size_t j = 0; j <= SIZES; j++) {
			x = 10 * pow(1.7, (double)j) * (j == SIZES ? 2 / 1.7 : 1);
			truth[0] = a * x;
			truth[1] = b * (log2(x) - 0.01 * x);
			if (j == SIZES)
				break;
			n[j] = x;
			beta[2 * j] = truth[0] * exp(0.005 * ft_random_normal(&r));
			beta[2 * j + 1] = truth[1] * exp(0.005 * ft_random_normal(&r));
		}
		if (ft_complexity_fit(n, beta, SIZES, 2, xi, NULL) ||
		    ft_complexity_predict(xi, basis, 2, 0, x, 0.9, &said, NULL))
			continue;
		truth[0] = basis[0] * truth[0] + basis[1] * truth[1];
		far += fabs(said.value / truth[0] - 1) > 0.05;
		inside += said.lower <= truth[0] && truth[0] <= said.upper;
	}
	ok(far <= cases / 20, "twice the largest size within 5 %%: all but %d of %d", far, cases);
	ok(inside >= cases * 8 / 10, "90 %% intervals held %d of %d", inside, cases);
}

static void test_refuses(void)
{
	double n[] = {10, 0}, beta[] = {1, 2}, none[] = {0, 0}, good[] = {1, 2};
	struct ft_err err;
	unsigned long k;
	bool passed = false;

	ok(ft_complexity_fit(n, beta, 1, 1, xi, &err) == FT_ENOMODEL && *err.remedy, "%s", err.text);
	ok(ft_complexity_fit(n, beta, 2, 1, xi, &err) == FT_EINVAL, "%s", err.text);
	ok(!ft_complexity_fit(good, none, 2, 1, xi, NULL) && xi[0].candidate[0].law.terms == 0 &&
		   share_at(0, 5) == 0,
	   "no share, no curve");
	for (k = 1; k < 20 && !passed; k++) {
		(void)ft_alloc_fail_at(k);
		passed = !ft_complexity_fit(good, beta, 2, 1, xi, NULL);
		(void)ft_alloc_fail_at(0);
	}
	ok(passed && k > 5, "each allocation may fail");
}

/* sort is n / 10 of cpu and n^2 / 1000 of mem, in each of three resources; the last of four lacks a value. */
static void test_matrix(void)
{
	static const char *const rows[] = {"instructions", "misses", "loads", "stores"}, *const columns[] = {
												 "cpu", "mem",
												 "sort n=10",
												 "sort n=20",
												 "sort n=40"};
	const double value[20] = {100, 1,  100.1, 200.4, 401.6, 0, 10,  1, 4, 16,
				  30,  20, 32,    68,    152,   1, NAN, 1, 1, 1};
	const double ask[] = {80, 110};
	const size_t basis[] = {0, 1};
	struct ft_matrix matrix = made_matrix(rows, 4, columns, 5, value);
	struct ft_sized program = {0};
	struct ft_shares shares = {.matrix = &matrix, .program = &program, .basis = basis, .k = 2};
	struct ft_estimate said[2];

	(void)ft_sized_find(&program, &matrix, "sort", NULL);
	enum ft_status failed = ft_shares_find(&shares, ft_solver_find("ols"), NULL, NULL);
	ok(!failed && shares.incomplete == 1 && near(shares.beta[0], 1, 1e-9) &&
		   near(shares.beta[1], 0.1, 1e-9) && near(shares.beta[4], 4, 1e-9) &&
		   near(shares.beta[5], 1.6, 1e-9),
	   "the shares of a size stand together: %g %g", shares.beta[4], shares.beta[5]);
	failed = ft_shares_predict(&shares, 2, ask, 2, 0.9, said, NULL);
	ok(!failed && near(said[0].value, 8 * 30 + 6.4 * 20, 1e-6) &&
		   near(said[1].value, 11 * 30 + 12.1 * 20, 1e-6) && said[1].lower <= said[1].value,
	   "loads at 80 and 110: %g and %g", said[0].value, said[1].value);
	ok(!ft_shares_predict(&shares, 3, ask, 1, 0.9, said, NULL) && isnan(said->value) &&
		   isnan(said->lower),
	   "nothing where the basis was not measured");
	matrix.value[0] = -100;
	ok(!ft_shares_predict(&shares, 0, ask, 1, 0.9, said, NULL) && isnan(said->value) &&
		   isnan(said->upper),
	   "less than nothing is not known");
	(void)ft_alloc_fail_at(1);
	ok(ft_shares_predict(&shares, 0, ask, 1, 0.9, said, NULL) == FT_ENOMEM, "no memory");
	(void)ft_alloc_fail_at(0);
	ft_shares_clear(&shares);
	program.sizes = 1;
	shares.incomplete = 0;
	ok(ft_shares_find(&shares, ft_solver_find("ols"), NULL, NULL) == FT_ENOMODEL &&
		   shares.incomplete == 1,
	   "of one size no curve, but what was left out is said");
	ft_shares_clear(&shares);
	ft_sized_clear(&program);
	ft_matrix_clear(&matrix);
}

int main(void)
{
	test_matrix();
	test_by_hand();
	test_misfit();
	test_random();
	test_refuses();
	return done();
}
