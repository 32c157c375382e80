/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-svd.c - singular values: what they must be, of matrices of any shape and rank. */
#include "base/random.h"
#include "num/num.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { MOST = 40 };

struct decomposed {
	size_t m, n, r;
	double a[MOST * MOST], u[MOST * MOST], s[MOST], v[MOST * MOST];
};

/* The columns of f [rows x r] are orthonormal, but for those whose value is zero. */
static double apart(const double *f, const double *s, size_t rows, size_t r, bool zeros)
{
	double worst = 0;

	for (size_t p = 0; p < r; p++)
		for (size_t q = 0; q <= p; q++) {
			double sum = 0, expected = p == q && !(zeros && s[p] == 0) ? 1 : 0;

			for (size_t i = 0; i < rows; i++)
				sum += f[i * r + p] * f[i * r + q];
			worst = fmax(worst, fabs(sum - expected));
		}
	return worst;
}

/* |a - u s v'|, over the largest value. */
static double off(const struct decomposed *d)
{
	double worst = 0;

	for (size_t i = 0; i < d->m; i++)
		for (size_t j = 0; j < d->n; j++) {
			double rest = d->a[i * d->n + j];

			for (size_t p = 0; p < d->r; p++)
				rest -= d->u[i * d->r + p] * d->s[p] * d->v[j * d->r + p];
			worst = fmax(worst, fabs(rest));
		}
	return d->s[0] > 0 ? worst / d->s[0] : worst;
}

/* A product of factors of that rank, columns of sizes that differ by `spread` powers of ten. */
static void make(struct decomposed *d, struct ft_random *random, size_t rank, double spread)
{
	double left[MOST * MOST], right[MOST * MOST];

	for (size_t i = 0; i < d->m * rank; i++)
		left[i] = ft_random_normal(random);
	for (size_t i = 0; i < d->n * rank; i++)
		right[i] = ft_random_normal(random);
	memset(d->a, 0, sizeof d->a);
	for (size_t j = 0; j < d->n; j++) {
		double size = pow(10, spread * ft_random_uniform(random));

		for (size_t i = 0; i < d->m; i++)
			for (size_t p = 0; p < rank; p++)
				d->a[i * d->n + j] += left[i * rank + p] * right[j * rank + p] * size;
	}
}

static void identities(struct ft_random *random)
{
	int c, bad = 0, cases = test_cases(200);
	static struct decomposed d;

	for (c = 0; c < cases; c++) {
		size_t found = 0;
		double spread = c % 3 == 0 ? 6 : 0;

		d.m = 1 + ft_random_below(random, MOST);
		d.n = 1 + ft_random_below(random, MOST);
		d.r = d.m < d.n ? d.m : d.n;
		size_t rank = c % 4 ? d.r : ft_random_below(random, d.r + 1);
		make(&d, random, rank, spread);
		bad += ft_svd(d.a, d.m, d.n, d.u, d.s, d.v, NULL) != FT_OK;
		for (size_t p = 0; p < d.r; p++) {
			bad += !(d.s[p] >= 0) || (p && d.s[p] > d.s[p - 1] * (1 + 1e-14));
			found += d.s[p] > 1e-13 * d.s[0];
		}
		bad += spread > 0 ? found > d.r : found != rank;
		bad += !(off(&d) < 1e-13);
		/* a tall one's u, a wide one's v, has no columns where there are no values */
		bad += !(apart(d.u, d.s, d.m, d.r, d.m >= d.n) < 1e-8);
		bad += !(apart(d.v, d.s, d.n, d.r, d.m < d.n) < 1e-8);
	}
	ok(bad == 0, "a = u s v' with orthonormal u and v, and the rank, %d cases", cases);
}

static void by_hand(void)
{
	static const double a[] = {3, 0, 4, 5}; /* values 3 sqrt(5), sqrt(5) */
	double u[4], s[2], v[4];
	enum ft_status status = ft_svd(a, 2, 2, u, s, v, NULL);

	ok(!status && near(s[0], 3 * sqrt(5), 1e-14) && near(s[1], sqrt(5), 1e-14),
	   "two by two: %.16g, %.16g", s[0], s[1]);
}

/* Of one column times one row no value but the first is left, not even of rounding. */
static void rank_one(struct ft_random *random)
{
	static struct decomposed d;
	int bad = 0;

	for (int c = 0; c < 50; c++) {
		d.m = 2 + ft_random_below(random, MOST - 1);
		d.n = 2 + ft_random_below(random, MOST - 1);
		d.r = d.m < d.n ? d.m : d.n;
		make(&d, random, 1, 0);
		bad += ft_svd(d.a, d.m, d.n, d.u, d.s, d.v, NULL) != FT_OK || !(d.s[0] > 0);
		for (size_t p = 1; p < d.r; p++)
			bad += d.s[p] != 0;
	}
	ok(!bad, "of rank one: one value, %d are not 0", bad);
}

/* Of a matrix whose values fall fast, the first ones are found by chance too. */
static void first(struct ft_random *random)
{
	enum { M = 120, N = 80, R = 4 };
	static double a[M * N], u[M * N], s[N], v[N * N], first_u[M * R], first_s[R], first_v[N * R];
	double worst = 0;

	for (size_t p = 0; p < N; p++)
		for (size_t i = 0; i < M; i++) {
			double left = ft_random_normal(random) * pow(0.3, (double)p);

			for (size_t j = 0; j < N; j++)
				a[i * N + j] += left * cos((double)(p * j + p));
		}
	ok(!ft_svd(a, M, N, u, s, v, NULL) && !ft_svd_first(a, M, N, R, 1, first_u, first_s, first_v, NULL),
	   "both");
	for (size_t p = 0; p < R; p++)
		worst = fmax(worst, fabs(first_s[p] / s[p] - 1));
	ok(worst < 1e-6, "the first %d of %d values agree to %.1e", R, N, worst);
}

/* Of a matrix of rank r the first r values are all there are; of others they are those of the whole one. */
static void first_of_any(struct ft_random *random)
{
	int c, bad = 0, cases = test_cases(200);
	static struct decomposed d, whole;

	for (c = 0; c < cases; c++) {
		d.m = 1 + ft_random_below(random, MOST);
		d.n = 1 + ft_random_below(random, MOST);
		size_t least = d.m < d.n ? d.m : d.n;
		d.r = 1 + ft_random_below(random, c % 2 && least > 4 ? 4 : least);
		make(&d, random, c % 4 ? d.r : least, 0);
		bad += ft_svd_first(d.a, d.m, d.n, d.r, (uint64_t)c, d.u, d.s, d.v, NULL) != FT_OK;
		bad += !(apart(d.u, d.s, d.m, d.r, false) < 1e-8) ||
		       !(apart(d.v, d.s, d.n, d.r, false) < 1e-8);
		bad += c % 4 && !(off(&d) < 1e-12);
		bad += ft_svd(d.a, d.m, d.n, whole.u, whole.s, whole.v, NULL) != FT_OK;
		for (size_t p = 0; p < d.r; p++) /* by chance they are not exact where much is left out */
			bad += !near(d.s[p], whole.s[p], c % 4 || least <= 27 ? 1e-12 : 0.1);
	}
	ok(bad == 0, "the first values and their vectors, of any shape and rank, %d cases", cases);
}

/* Up to three times r + 8 nothing is left to chance: the values need not fall. */
static void at_the_border(struct ft_random *random)
{
	enum { RANK = 2, LEAST = 3 * (RANK + 8) };
	static struct decomposed d, whole;
	int c, bad = 0, cases = test_cases(20);

	for (c = 0; c < cases; c++) {
		d.m = c % 2 ? MOST : LEAST;
		d.n = c % 2 ? LEAST : MOST;
		d.r = RANK;
		make(&d, random, LEAST, 0);
		bad += ft_svd_first(d.a, d.m, d.n, RANK, (uint64_t)c, d.u, d.s, d.v, NULL) != FT_OK;
		bad += ft_svd(d.a, d.m, d.n, whole.u, whole.s, whole.v, NULL) != FT_OK;
		bad += !near(d.s[0], whole.s[0], 1e-12) || !near(d.s[1], whole.s[1], 1e-12);
	}
	ok(bad == 0, "a matrix that is not large against r, %d cases", cases);
}

int main(void)
{
	struct ft_random random = {test_seed()};

	by_hand();
	rank_one(&random);
	identities(&random);
	first(&random);
	first_of_any(&random);
	at_the_border(&random);
	return done();
}
