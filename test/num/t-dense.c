/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-dense.c - products by hand and against plain ones, turned matrices, orthonormal vectors. */
#include "base/random.h"
#include "num/num.h"
#include "tap.h"

enum { MOST = 20 };

static void by_hand(void)
{
	double a[6] = {1, 2, 3, 4, 5, 6}, b[6] = {7, 8, 9, 10, 11, 12}, out[9];
	double q[6] = {3, 4, 6, 8, 1, 0};
	bool redundant[3];

	ft_multiply(a, b, 2, 3, 2, out);
	ok(out[0] == 58 && out[1] == 64 && out[2] == 139 && out[3] == 154, "a product");
	ft_transpose(a, 2, 3, out);
	ok(out[0] == 1 && out[1] == 4 && out[2] == 2 && out[3] == 5 && out[4] == 3 && out[5] == 6, "turned");
	ft_orthonormal(q, 3, 2, 1e-10, redundant);
	ok(near(q[0], 0.6, 1e-15) && near(q[1], 0.8, 1e-15), "the first vector has length 1");
	ok(q[2] == 0 && q[3] == 0 && redundant[1], "twice as long says the same");
	ok(near(q[4], 0.8, 1e-14) && near(q[5], -0.6, 1e-14) && !redundant[0] && !redundant[2],
	   "of another direction what is across");
}

/* Products of the kernel against the plain ones, for sizes that are no multiple of its blocks. */
static void multiply(struct ft_random *random)
{
	int c, bad = 0, cases = test_cases(50);

	for (c = 0; c < cases; c++) {
		double a[100], b[7000], out[7000];
		size_t r = 1 + ft_random_below(random, 10), m = 1 + ft_random_below(random, 10),
		       n = 1 + ft_random_below(random, 700), i, j, l;

		for (i = 0; i < r * m; i++)
			a[i] = ft_random_normal(random);
		for (i = 0; i < m * n; i++)
			b[i] = ft_random_normal(random);
		ft_multiply(a, b, r, m, n, out);
		for (l = 0; l < r; l++)
			for (j = 0; j < n; j++) {
				double sum = 0;

				for (i = 0; i < m; i++)
					sum += a[l * m + i] * b[i * n + j];
				bad += !(fabs(sum - out[l * n + j]) < 1e-12);
			}
	}
	ok(bad == 0, "products, %d cases", cases);
}

/* More vectors than dimensions, too. */
static int try_one(struct ft_random *random)
{
	double a[MOST * MOST], turned[MOST * MOST];
	size_t r = 1 + ft_random_below(random, MOST), m = 1 + ft_random_below(random, MOST), i, j, told = 0;
	bool redundant[MOST];
	int bad = 0;

	for (i = 0; i < r * m; i++)
		a[i] = ft_random_normal(random);
	ft_transpose(a, r, m, turned);
	for (i = 0; i < r; i++)
		for (j = 0; j < m; j++)
			bad += turned[j * r + i] != a[i * m + j];
	ft_orthonormal(a, r, m, 1e-10, redundant);
	for (i = 0; i < r; i++) {
		told += redundant[i];
		for (j = 0; j <= i; j++)
			bad += fabs(ft_dot(a + i * m, a + j * m, m) - (i == j && !redundant[i])) > 1e-12;
	}
	return bad + (told != (r > m ? r - m : 0));
}

int main(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(300), bad = 0, i;

	by_hand();
	multiply(&random);
	for (i = 0; i < cases; i++)
		bad += try_one(&random);
	if (!ok(!bad, "%d random matrices", cases))
		diag("seed %llu, %d bad", (unsigned long long)test_seed(), bad);
	return done();
}
