/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-stats.c - means and quantiles: by hand, from printed tables, and against plain sums. */
#include "base/random.h"
#include "num/num.h"
#include "tap.h"

static void by_hand(void)
{
	double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2}, one[] = {7}, same[] = {5, 5, 5};

	ok(ft_stats_mean(odd, 3) == 2, "mean of 3 1 2");
	ok(near(ft_stats_variance(odd, 3), 1, 1e-15), "variance divides by n - 1");
	ok(ft_stats_variance(one, 1) == 0, "variance of one value is zero");
	ok(ft_stats_variance(same, 3) == 0, "variance of equal values is zero");
	ok(ft_stats_median(odd, 3) == 2, "median of an odd number");
	ok(odd[0] == 3 && odd[1] == 1 && odd[2] == 2, "... which stays in its order");
	ok(ft_stats_median(even, 4) == 2.5, "median of an even number");
	ok(ft_stats_median(one, 1) == 7, "median of one value");
	/* 1 2 3 4: position 0.95 * 3 = 2.85 */
	ok(near(ft_stats_quantile(even, 4, 0.95), 3.85, 1e-15), "quantile between two order statistics");
	ok(ft_stats_quantile((double[]){INFINITY, 1, 2}, 3, 0.5) == 2,
	   "one that is met takes nothing of the next");
	ok(ft_stats_quantile(even, 4, 0) == 1 && ft_stats_quantile(even, 4, 1) == 4, "quantiles at the ends");
}

/* Printed tables (Abramowitz & Stegun, 26.10 and 26.5); dof 1 and 2 have closed forms. */
static void tables(void)
{
	ok(near(ft_student_t(0.90, 1), tan(M_PI * 0.45), 1e-12), "Student 90 %%, 1: tan(0.45 pi)");
	ok(near(ft_student_t(0.95, 2), 0.95 * sqrt(2 / (1 - 0.95 * 0.95)), 1e-12),
	   "Student 95 %%, 2: closed form");
	ok(near(ft_student_t(0.90, 4), 2.132, 2e-4), "Student 90 %%, 4");
	ok(near(ft_student_t(0.95, 10), 2.228, 2e-4), "Student 95 %%, 10");
	ok(near(ft_student_t(0.99, 30), 2.750, 2e-4), "Student 99 %%, 30");
	ok(near(ft_student_t(0.95, 1e7), 1.959964, 1e-6), "Student 95 %%, very many: the normal's");
	ok(near(ft_normal_quantile(0.975), 1.959963984540054, 1e-12), "normal 97.5 %%");
	ok(fabs(ft_normal_quantile(0.5)) < 1e-15, "normal 50 %%");
	ok(ft_normal_below(0) == 0.5 && near(ft_normal_below(ft_normal_quantile(0.9)), 0.9, 1e-14),
	   "and below its quantile lies the share");
	/* dof 1: 1/2 - atan(t) / pi; F of 2 and 2: ratio / (1 + ratio) */
	ok(near(ft_student_above(1, 1), 0.25, 1e-12) && near(ft_student_above(-1, 1), 0.75, 1e-12) &&
		   near(ft_student_above(ft_student_t(0.9, 7), 7), 0.05, 1e-9),
	   "above Student's t");
	ok(near(ft_f_probability(1, 2, 2), 1, 1e-12) && near(ft_f_probability(3, 2, 2), 0.5, 1e-12) &&
		   near(ft_f_probability(1.0 / 3, 2, 2), 0.5, 1e-12) &&
		   near(ft_f_probability(19, 2, 2), 0.1, 1e-12) &&
		   near(ft_f_probability(4.066, 3, 8), 0.1, 1e-3),
	   "a ratio of variances, from either side");
	{
		const double one[] = {0.3}, two[] = {0.1, 0.2, 0}, weight[] = {1, 3, 0};

		ok(near(ft_normals_within(one, weight, 1, 0.9), 0.3 * ft_normal_quantile(0.95), 1e-8),
		   "within what nine in ten values of one normal law lie");
		ok(near((2 * ft_normal_below(ft_normals_within(two, weight, 3, 0.9) / 0.1) - 1 +
			 3 * (2 * ft_normal_below(ft_normals_within(two, weight, 3, 0.9) / 0.2) - 1)) /
				4,
			0.9, 1e-7),
		   "and of two, three times as many of the wide one");
		ok(isnan(ft_normals_within(one, weight, 0, 0.9)), "of none");
	}
	ok(near(ft_normal_quantile(0.05), -ft_normal_quantile(0.95), 1e-12), "normal is symmetric");
}

/* Whatever the unit: as exact in the least as in the largest. */
static void units_of_normals(void)
{
	static const double unit[] = {1e-12, 1e12}, mean[] = {0, 1, 4}, deviation[] = {1, 0.3, 2},
			    weight[] = {2, 3, 1};

	for (size_t i = 0; i < 2; i++) {
		double m[3], sd[3], q, p;

		for (size_t k = 0; k < 3; k++) {
			m[k] = unit[i] * mean[k];
			sd[k] = unit[i] * deviation[k];
		}
		for (p = 0.05; p < 1; p += 0.15) {
			q = ft_normals_quantile(mean, deviation, weight, 3, p);
			if (fabs(ft_normals_quantile(m, sd, weight, 3, p) - unit[i] * q) > 1e-8 * unit[i])
				break;
		}
		ok(p >= 1, "quantiles of normal laws in units of %g", unit[i]);
	}
}

/* What lies below the quantile of normal laws is the share that was asked for, whatever they are. */
static void quantiles_of_normals(void)
{
	const double mean[] = {2, 2}, deviation[] = {0.5, 0}, weight[] = {3, 7};
	struct ft_random random = {test_seed()};
	int cases = test_cases(300), bad = 0, i;

	for (i = 0; i < cases; i++) {
		double m[8], sd[8], w[8], p = 0.001 + 0.998 * ft_random_uniform(&random), q, below = 0,
					  all = 0;
		size_t n = 1 + ft_random_below(&random, 8), k;

		for (k = 0; k < n; k++) {
			m[k] = 5 * ft_random_normal(&random);
			sd[k] = pow(10, 4 * ft_random_uniform(&random) - 3);
			w[k] = 0.01 + ft_random_uniform(&random);
		}
		q = ft_normals_quantile(m, sd, w, n, p);
		for (k = 0; k < n; k++) {
			below += w[k] * ft_normal_below((q - m[k]) / sd[k]);
			all += w[k];
		}
		bad += !near(below / all, p, 1e-4);
	}
	ok(!bad, "%d quantiles of several normal laws have what they should below them", cases);
	ok(near(ft_normals_quantile(mean, deviation, weight, 1, 0.95), 2 + 0.5 * ft_normal_quantile(0.95),
		1e-9),
	   "of one it is its own");
	ok(near(ft_normals_quantile(mean, deviation, weight, 2, 0.5), 2, 1e-9) &&
		   near(ft_normals_quantile(mean, deviation, weight, 2, 0.2), 2, 1e-9) &&
		   near(ft_normals_quantile(mean, deviation, weight, 2, 0.015),
			2 + 0.5 * ft_normal_quantile(0.05), 1e-6),
	   "and what is certain takes its share at one value");
}

/* The share of values at or below a quantile is the share asked for, to within one value. */
static void random_quantiles(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(300), bad = 0, i;

	for (i = 0; i < cases; i++) {
		double values[64], share = ft_random_uniform(&random), sum = 0, squares = 0, q, mean;
		size_t n = 2 + ft_random_below(&random, 62), j, below = 0;

		for (j = 0; j < n; j++) {
			values[j] = ft_random_normal(&random);
			sum += values[j];
			squares += values[j] * values[j];
		}
		mean = sum / (double)n;
		bad += fabs(ft_stats_mean(values, n) - mean) > 1e-12;
		bad += !near(ft_stats_variance(values, n), (squares - sum * mean) / (double)(n - 1), 1e-9);
		q = ft_stats_quantile(values, n, share);
		for (j = 0; j < n; j++)
			below += values[j] <= q;
		bad += fabs((double)below - 1 - share * (double)(n - 1)) > 1;
	}
	if (!ok(!bad, "%d random samples", cases))
		diag("seed %llu, %d bad", (unsigned long long)test_seed(), bad);
}

/* Of few and of many, near and far apart, with equal ones, with both signs. */
static double any_value(struct ft_random *random, size_t kind)
{
	double value = ft_random_normal(random);

	return kind == 0   ? value
	       : kind == 1 ? floor(3 * value)
	       : kind == 2 ? ldexp(value, -1060)
			   : exp(200 * value);
}

/* Ranks, quantiles and the median are those of a sorted copy, bit for bit, and nothing moves. */
static void against_sorted(void)
{
	enum { MOST = 3000 };
	static double values[MOST], before[MOST], sorted[MOST];
	struct ft_random random = {test_seed()};
	int cases = test_cases(300), moved = 0, bad = 0, i;

	for (i = 0; i < cases; i++) {
		size_t n = 1 + ft_random_below(&random, i % 3 ? 100 : MOST),
		       kind = ft_random_below(&random, 4), k = ft_random_below(&random, n), j;

		for (j = 0; j < n; j++)
			values[j] = before[j] = sorted[j] = any_value(&random, kind) + 0.0;
		ft_sort(sorted, n);
		bad += ft_stats_ranked(values, n, k) != sorted[k];
		bad += ft_stats_median(values, n) !=
		       (n % 2 ? sorted[n / 2] : 0.5 * sorted[n / 2 - 1] + 0.5 * sorted[n / 2]);
		bad += ft_stats_quantile(values, n, 0) != sorted[0] ||
		       ft_stats_quantile(values, n, 1) != sorted[n - 1];
		(void)ft_stats_quantile(values, n, ft_random_uniform(&random));
		(void)ft_stats_mean(values, n);
		(void)ft_stats_variance(values, n);
		moved += memcmp(values, before, n * sizeof *values) != 0;
	}
	if (!ok(!bad, "%d random samples against sorted copies", cases))
		diag("seed %llu, %d bad", (unsigned long long)test_seed(), bad);
	ok(!moved, "... none of which was changed");
}

int main(void)
{
	by_hand();
	tables();
	quantiles_of_normals();
	units_of_normals();
	random_quantiles();
	against_sorted();
	return done();
}
