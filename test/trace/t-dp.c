/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-dp.c - the best nodes among given times, against trying all of them. */
#include "base/random.h"
#include "made.h"
#include "tap.h"
#include "trace/trace.h"

enum { TIMES = 11, MOST = 5 };

/* The least F of k pieces with nodes among the times, both ends among them: next is the first that may still
 * be chosen. */
static double least(const struct ft_pwl *f, enum ft_pwl_ends ends, const double *x, size_t m, double *node,
		    size_t have, size_t k, size_t next)
{
	double y[MOST + 1], best = INFINITY, square;

	if (have == k) {
		node[k] = x[m - 1];
		return ft_pwl_place(f, node, k + 1, ends, y, NULL, &square, NULL) ? (double)NAN : square;
	}
	for (size_t i = next; i + 1 < m; i++) {
		node[have] = x[i];
		best = fmin(best, least(f, ends, x, m, node, have + 1, k, i + 1));
	}
	return best;
}

/* Is F of the chosen nodes what is told, and the chosen ones the best? */
static int try_one(struct ft_random *random, enum ft_pwl_ends ends)
{
	static struct made made;
	double x[TIMES], absolute[TIMES], square[MOST + 1], node[MOST + 1], y[MOST + 1], told;
	size_t chosen[(MOST + 1) * (MOST + 1)], m = MOST + 1 + ft_random_below(random, TIMES - MOST), i, k;
	int bad = 0;

	made_random(&made, random, 10 + ft_random_below(random, 60));
	for (i = 0; i < m; i++) {
		x[i] = (made.t[made.n - 1] - made.t[0]) * (double)i / (double)(m - 1);
		absolute[i] = i + 1 < m ? made.t[0] + x[i] : made.t[made.n - 1];
	}
	bad += ft__dp(made.f, ends, x, m, MOST, square, chosen, NULL) != FT_OK || !isinf(square[0]);
	for (k = 1; k <= MOST && !bad; k++) {
		const size_t *at = chosen + k * (MOST + 1);

		node[0] = absolute[0];
		double best = least(made.f, ends, absolute, m, node, 1, k, 1);
		/* Nearly exact, says its header. */
		bad += square[k] > 1.01 * best + 1e-9 || square[k] < best * (1 - 1e-6) - 1e-9;
		bad += at[0] != 0 || at[k] != m - 1;
		for (i = 0; i <= k; i++) {
			node[i] = absolute[at[i]];
			bad += i && at[i] <= at[i - 1];
		}
		bad += ft_pwl_place(made.f, node, k + 1, ends, y, NULL, &told, NULL) != FT_OK;
		bad += !near(told, square[k], 1e-6) && fabs(told - square[k]) > 1e-9;
	}
	ft_pwl_free(made.f);
	return bad;
}

int main(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(60), bad = 0, i;

	for (i = 0; i < cases; i++)
		bad += try_one(&random, i % 2 ? FT_PWL_FREE : FT_PWL_FIXED) != 0;
	if (!ok(!bad, "%d curves, one to five pieces: no other nodes are better", cases))
		diag("seed %llu, %d bad", (unsigned long long)test_seed(), bad);
	return done();
}
