/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-svm.c - support vector regression: what must follow from its settings. */
#include "base/random.h"
#include "num/num.h"
#include "tap.h"

static const struct ft_svm_settings usual = {.cost = 1000, .tube = 0.1, .gamma = 1};

static void by_hand(void)
{
	const double x[2] = {0, 1}, y[2] = {1, 3}, far[1] = {100}, none[2] = {5, 5};
	const struct ft_svm_settings wrong = {.cost = 0, .tube = 0.1, .gamma = 1};
	struct ft_svm svm;
	struct ft_err err;
	FT_ARENA(arena);

	ok(ft_svm_fit(&svm, &arena, x, y, 2, 1, &usual, NULL) == FT_OK, "two rows");
	ok(fabs(ft_svm_at(&svm, x) - 1.1) < 1e-2 && fabs(ft_svm_at(&svm, x + 1) - 2.9) < 1e-2,
	   "both lie on the edge of the tube: %g, %g", ft_svm_at(&svm, x), ft_svm_at(&svm, x + 1));
	ok(fabs(ft_svm_at(&svm, far) - 2) < 1e-2, "far away there is their middle");
	ok(ft_svm_fit(&svm, &arena, x, none, 2, 1, &usual, NULL) == FT_OK &&
		   fabs(ft_svm_at(&svm, far) - 5) <= 0.1,
	   "a constant is foretold within the tube: %g", ft_svm_at(&svm, far));
	ok(ft_svm_fit(&svm, &arena, x, y, 1, 1, &usual, NULL) == FT_OK &&
		   fabs(ft_svm_at(&svm, far) - 1) <= 0.1,
	   "one row suffices: %g", ft_svm_at(&svm, far));
	ok(ft_svm_fit(&svm, &arena, x, y, 2, 1, &wrong, &err) == FT_EINVAL && !svm.support, "no cost: %s",
	   err.text);
}

/* At so high a cost every row is within the tube, and libsvm's tolerance. */
static void random_rows(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(30), bad = 0, i;

	for (i = 0; i < cases; i++) {
		double x[30 * 3], y[30];
		size_t m = 2 + ft_random_below(&random, 28), j;
		struct ft_svm svm;
		FT_ARENA(arena);

		for (j = 0; j < 3 * m; j++)
			x[j] = 3 * ft_random_normal(&random);
		for (j = 0; j < m; j++)
			y[j] = ft_random_normal(&random);
		bad += ft_svm_fit(&svm, &arena, x, y, m, 3, &usual, NULL) != FT_OK;
		for (j = 0; j < m; j++)
			bad += fabs(ft_svm_at(&svm, x + 3 * j) - y[j]) > 0.1 + 2e-3;
	}
	if (!ok(!bad, "%d random problems", cases))
		diag("seed %llu, %d bad", (unsigned long long)test_seed(), bad);
}

static void out_of_memory(void)
{
	const double x[2] = {0, 1}, y[2] = {1, 3};
	enum ft_status status;
	struct ft_svm svm;
	unsigned long n = 0;
	bool clean = true;

	do {
		FT_ARENA(arena);

		ft_alloc_fail_at(++n);
		status = ft_svm_fit(&svm, &arena, x, y, 2, 1, &usual, NULL);
		clean = clean && (!status || (status == FT_ENOMEM && !svm.support && !svm.coef));
	} while (status && n < 100);
	ft_alloc_fail_at(0);
	ok(clean && !status && n > 4, "each of %lu allocations may fail", n - 1);
}

int main(void)
{
	by_hand();
	random_rows();
	out_of_memory();
	return done();
}
