/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-cholesky.c - factors, triangles and products: by hand, and against plain sums; the exponential. */
#include "base/random.h"
#include "num/num.h"
#include "tap.h"

enum { MOST = 40 };

static void by_hand(void)
{
	/* [4 2; 2 5] = [2 0; 1 2] [2 1; 0 2] */
	double a[4] = {4, 2, -99, 5}, indefinite[4] = {1, 2, 2, 1}, zero[1] = {0};
	double alike[4] = {1, 0.8, 0, 1}, b[2] = {8, 12}, x[2] = {8, 12}, w[4], left[4] = {1, 2, 3, 4},
	       right[4] = {5, 6, 7, 8}, product[4];

	ok(ft_chol_factor(a, 2) && a[0] == 2 && a[1] == 1 && a[3] == 2, "the factor of 4 2; 2 5");
	ok(a[2] == -99, "... what is below the diagonal is left alone");
	ft_chol_forward(a, 2, b, 1);
	ok(b[0] == 4 && b[1] == 4, "U' v = (8, 12)");
	ft_chol_backward(a, 2, b, 1);
	ok(b[0] == 1 && b[1] == 2, "U v = (4, 4): 4 2; 2 5 times (1, 2) is (8, 12)");
	ft_chol_solve(a, 2, x, 1);
	ok(x[0] == 1 && x[1] == 2, "... and at once");
	ft_chol_invert(a, 2, w);
	ok(w[0] == 0.5 && w[1] == 0 && w[2] == -0.25 && w[3] == 0.5, "the inverse of the lower triangle");
	ok(!ft_chol_factor(indefinite, 2), "an indefinite matrix has no factor");
	ok(!ft_chol_factor(zero, 1), "neither has zero");
	memcpy(w, alike, sizeof w);
	ok(!ft_chol_factor_above(w, 2, 0.37),
	   "of 0.36 of the second column the first says nothing: not above 0.37");
	ok(ft_chol_factor_above(alike, 2, 0.35) && near(alike[3], 0.6, 1e-15), "... but above 0.35");
	ft_multiply(left, right, 2, 2, 2, product);
	ok(product[0] == 19 && product[1] == 22 && product[2] == 43 && product[3] == 50, "a product");
}

static double largest(const double *a, const double *b, size_t n)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, fabs(a[i] - b[i]));
	return most;
}

static void plain_product(const double *a, const double *b, size_t m, size_t n, size_t t, double *out)
{
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < t; j++) {
			out[i * t + j] = 0;
			for (size_t k = 0; k < n; k++)
				out[i * t + j] += a[i * n + k] * b[k * t + j];
		}
}

/* Sizes on both sides of the eight rows that are taken at once. */
static int try_one(struct ft_random *random)
{
	static double half[MOST * MOST], turned[MOST * MOST], a[MOST * MOST], u[MOST * MOST], b[MOST * MOST],
		back[MOST * MOST], v[MOST * MOST], w[MOST * MOST + MOST];
	size_t n = 1 + ft_random_below(random, MOST), t = 1 + ft_random_below(random, MOST), i, j;
	int bad = 0;

	for (i = 0; i < n; i++)
		for (j = 0; j < n; j++)
			turned[j * n + i] = half[i * n + j] = ft_random_normal(random);
	plain_product(half, turned, n, n, n, a);
	for (i = 0; i < n; i++)
		a[i * n + i] += 1;
	memcpy(u, a, sizeof u);
	bad += !ft_chol_factor(u, n);
	for (i = 0; i < n; i++)
		for (j = 0; j < n; j++) {
			if (j < i)
				u[i * n + j] = 0;
			turned[j * n + i] = u[i * n + j];
		}
	plain_product(turned, u, n, n, n, back);
	bad += largest(a, back, n * n) > 1e-11;
	for (i = 0; i < n * t; i++)
		b[i] = v[i] = ft_random_normal(random);
	ft_chol_forward(u, n, v, t);
	ft_chol_backward(u, n, v, t);
	plain_product(a, v, n, n, t, back);
	bad += largest(b, back, n * t) > 1e-10;
	ft_multiply(a, v, n, n, t, w);
	bad += largest(w, back, n * t) > 1e-10;
	for (i = n * n; i < n * n + n; i++)
		w[i] = 7;
	ft_product_upper(half, turned, n, n, w);
	for (i = n * n; i < n * n + n; i++)
		bad += w[i] != 7;
	plain_product(half, turned, n, n, n, back);
	for (i = 0; i < n; i++)
		bad += largest(w + i * n + i, back + i * n + i, n - i) > 1e-10;
	ft_chol_invert(u, n, w);
	plain_product(turned, w, n, n, n, back);
	for (i = 0; i < n; i++)
		back[i * n + i] -= 1;
	memset(v, 0, sizeof v);
	return bad + (largest(back, v, n * n) > 1e-10);
}

static void exponential(struct ft_random *random)
{
	double worst = 0;

	ok(ft_exp_minus(0) == 1, "exp(-0) is 1");
	ok(ft_exp_minus(700) == 0 && ft_exp_minus(1e300) == 0 && ft_exp_minus(INFINITY) == 0,
	   "far out it is 0");
	for (int i = 0; i < 20000; i++) {
		double x = i % 2 ? 699.9 * ft_random_uniform(random) : ft_random_uniform(random);

		worst = fmax(worst, fabs(ft_exp_minus(x) / exp(-x) - 1));
	}
	ok(worst < 1e-15, "elsewhere as the library's, within %.2g", worst);
}

int main(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(200), bad = 0, i;

	by_hand();
	for (i = 0; i < cases; i++)
		bad += try_one(&random);
	if (!ok(!bad, "%d random systems", cases))
		diag("seed %llu, %d bad", (unsigned long long)test_seed(), bad);
	exponential(&random);
	return done();
}
