/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-basis.c - the programs that tell most about the others. */
#include "base/alloc.h"
#include "base/random.h"
#include "foretime/surrogate.h"
#include "tap.h"

enum { M = 40, N = 12 };

/* Three programs of one kind, two of another, one that is always the same. */
static void two_kinds(void)
{
	struct ft_random random = {test_seed()};
	double value[M * 6], left[3];
	size_t chosen[3], i, j;

	for (i = 0; i < M; i++) {
		double kind[2] = {ft_random_normal(&random), ft_random_normal(&random)};

		for (j = 0; j < 5; j++)
			value[i * 6 + j] = exp((double)j + kind[j >= 3] + 0.01 * ft_random_normal(&random));
		value[i * 6 + 5] = 7;
	}
	ok(!ft_basis_choose(value, M, 6, 3, chosen, left, NULL), "chooses three of six");
	ok(chosen[0] < 3 && (chosen[1] == 3 || chosen[1] == 4), "first one of three alike, then one of two");
	ok(left[0] > 0.2 && left[1] < left[0] / 2 && left[2] <= left[1] && left[2] > 0,
	   "two tell most: %.3f, %.3f, %.3f are left", left[0], left[1], left[2]);
	value[7] = value[20] = value[45] = NAN;
	ok(!ft_basis_choose(value, M, 6, 2, chosen, NULL, NULL) && chosen[0] < 3 && chosen[1] >= 3 &&
		   chosen[1] < 5,
	   "the same with some missing");
}

static void refuses(void)
{
	double value[6] = {1, 2, 3, 4, 5, 0}, none[4] = {1, NAN, 2, NAN};
	size_t chosen[3];
	struct ft_err err;

	ok(ft_basis_choose(value, 2, 3, 1, chosen, NULL, &err) == FT_EINVAL, "%s", err.text);
	ok(ft_basis_choose(value, 1, 3, 1, chosen, NULL, &err) == FT_EINVAL, "%s", err.text);
	ok(ft_basis_choose(none, 2, 2, 1, chosen, NULL, &err) == FT_EINVAL, "%s", err.text);
	value[5] = INFINITY;
	ok(ft_basis_choose(value, 2, 3, 1, chosen, NULL, &err) == FT_EINVAL, "%s", err.text);
}

/* Units and the order of columns and rows are of no account; what is left never grows; none is chosen twice.
 */
static int try_one(struct ft_random *random)
{
	double a[M * N], b[M * N], left[N], again[N];
	size_t m = 3 + ft_random_below(random, M - 3), n = 2 + ft_random_below(random, N - 2), i, j;
	size_t chosen[N], other[N], turn = ft_random_below(random, n);

	for (i = 0; i < m; i++) {
		double common = ft_random_normal(random);

		for (j = 0; j < n; j++)
			a[i * n + j] = exp(common + ft_random_normal(random) * (1 + (double)j));
	}
	for (i = 0; i < m; i++)
		for (j = 0; j < n; j++)
			b[(m - 1 - i) * n + (j + turn) % n] = a[i * n + j] * pow(10, (double)j);
	int bad = ft_basis_choose(a, m, n, n, chosen, left, NULL) != FT_OK;
	bad += ft_basis_choose(b, m, n, n, other, again, NULL) != FT_OK;
	for (i = 0; i < n; i++) {
		bad += (chosen[i] + turn) % n != other[i] || fabs(left[i] - again[i]) > 1e-7;
		bad += i && left[i] > left[i - 1];
		for (j = 0; j < i; j++)
			bad += chosen[i] == chosen[j];
	}
	return bad + (left[n - 1] > 1e-12);
}

static void out_of_memory(void)
{
	double value[6] = {1, 2, 3, 4, 5, 7};
	enum ft_status status;
	unsigned long n = 0;
	size_t chosen[1];

	do {
		ft_alloc_fail_at(++n);
		status = ft_basis_choose(value, 2, 3, 1, chosen, NULL, NULL);
	} while (status == FT_ENOMEM && n < 100);
	ft_alloc_fail_at(0);
	ok(!status && n > 3, "each of %lu allocations may fail", n - 1);
}

int main(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(200), bad = 0, i;

	two_kinds();
	refuses();
	for (i = 0; i < cases; i++)
		bad += try_one(&random) != 0;
	if (!ok(!bad, "%d random tables", cases))
		diag("seed %llu, %d bad", (unsigned long long)test_seed(), bad);
	out_of_memory();
	return done();
}
