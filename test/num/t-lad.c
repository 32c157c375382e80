/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-lad.c - least absolute deviations against all points where the least one may lie. */
#include "base/random.h"
#include "num/num.h"
#include "tap.h"

enum { M = 9 };

struct rows {
	double x[2 * M], y[M];
	bool skip[M];
};

static double sum_of(const struct rows *r, const double b[2])
{
	double sum = 0;

	for (size_t i = 0; i < M; i++)
		if (!r->skip[i])
			sum += fabs(r->y[i] - r->x[2 * i] * b[0] - r->x[2 * i + 1] * b[1]);
	return sum;
}

static void try_out(const struct rows *r, double b0, double b1, double *best)
{
	const double b[2] = {b0, b1};

	if (b0 >= 0 && b1 >= 0 && isfinite(b0) && isfinite(b1))
		*best = fmin(*best, sum_of(r, b));
}

/* The least sum lies where two lines cross that are rows met exactly, or coefficients that are zero. */
static double least(const struct rows *r)
{
	double best = INFINITY;

	try_out(r, 0, 0, &best);
	for (size_t i = 0; i < M; i++) {
		const double *p = &r->x[2 * i];

		try_out(r, r->y[i] / p[0], 0, &best);
		try_out(r, 0, r->y[i] / p[1], &best);
		for (size_t j = 0; j < i; j++) {
			const double *q = &r->x[2 * j], under = p[0] * q[1] - p[1] * q[0];

			try_out(r, (r->y[i] * q[1] - r->y[j] * p[1]) / under,
				(p[0] * r->y[j] - q[0] * r->y[i]) / under, &best);
		}
	}
	return best;
}

static int solve(struct ft_lad *lad, const struct rows *r)
{
	double b[2], z[M], best = least(r), dual = 0;
	size_t iterations;
	bool converged;
	int bad = 0;

	bad += ft_lad_solve(lad, r->y, 0, b, z, &converged, &iterations, NULL) != FT_OK || !converged;
	bad += !(b[0] >= 0 && b[1] >= 0) || !near(sum_of(r, b), best, 1e-7);
	for (size_t i = 0; i < M; i++) {
		dual += z[i] * r->y[i];
		bad += r->skip[i] ? z[i] != 0 : !(fabs(z[i]) <= 1 + 1e-9);
	}
	return bad + !near(dual, best, 1e-7);
}

/* Columns of very different sizes; then again with a row less, with it again, and with other values. */
static int try_one(struct ft_random *random)
{
	struct rows r = {0};
	struct ft_lad *lad;
	size_t i, out = ft_random_below(random, M);
	double size = exp(12 * ft_random_normal(random));
	int bad = 0;

	for (i = 0; i < M; i++) {
		r.x[2 * i] = ft_random_normal(random);
		r.x[2 * i + 1] = size * ft_random_normal(random);
	}
	if (ft_lad_new(r.x, M, 2, &lad, NULL))
		return 1;
	for (int turn = 0; turn < 4; turn++) {
		for (i = 0; i < M && turn % 3 == 0; i++)
			r.y[i] = r.x[2 * i] + r.x[2 * i + 1] / size + ft_random_normal(random);
		r.skip[out] = turn == 1;
		ft_lad_skip(lad, out, r.skip[out]);
		bad += solve(lad, &r);
	}
	ft_lad_free(lad);
	return bad;
}

/* A column of zeros has the coefficient 0; of values that are zero nothing is left. */
static void nothing(void)
{
	const double x[4] = {1, 0, 2, 0}, y[2] = {3, 6}, zero[2] = {0};
	double b[2];
	struct ft_lad *lad;
	size_t iterations;
	bool converged;

	if (!ok(!ft_lad_new(x, 2, 2, &lad, NULL), "a column of zeros"))
		return;
	ok(!ft_lad_solve(lad, y, 0, b, NULL, &converged, &iterations, NULL) && near(b[0], 3, 1e-12) &&
		   b[1] == 0,
	   "it counts for nothing: %g, %g", b[0], b[1]);
	ok(!ft_lad_solve(lad, zero, 0, b, NULL, &converged, &iterations, NULL) && b[0] == 0 && b[1] == 0,
	   "values of zero");
	ft_lad_free(lad);
}

int main(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(300), bad = 0, i;

	nothing();
	for (i = 0; i < cases; i++)
		bad += try_one(&random);
	if (!ok(!bad, "%d random cases", cases))
		diag("seed %llu, %d bad", (unsigned long long)test_seed(), bad);
	return done();
}
