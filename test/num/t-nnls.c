/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-nnls.c - least squares with coefficients that are not negative, against trying out all choices. */
#include "base/random.h"
#include "num/num.h"
#include "tap.h"

enum { M = 12, N = 4 };

static double rest(const double *a, const double *y, size_t m, size_t n, const double *c)
{
	double sum = 0;

	for (size_t k = 0; k < m; k++) {
		double r = y[k];

		for (size_t j = 0; j < n; j++)
			r -= a[k * n + j] * c[j];
		sum += r * r;
	}
	return sum;
}

/* Plain least squares of the columns in `in`, by Gauss on the normal equations. */
static void solve(const double *a, const double *y, size_t m, size_t n, unsigned in, double *c)
{
	double g[N][N + 1] = {{0}};
	size_t index[N], used = 0, i, j, k;

	for (j = 0; j < n; j++) {
		c[j] = 0;
		if (in >> j & 1)
			index[used++] = j;
	}
	for (k = 0; k < m; k++)
		for (i = 0; i < used; i++) {
			for (j = 0; j < used; j++)
				g[i][j] += a[k * n + index[i]] * a[k * n + index[j]];
			g[i][used] += a[k * n + index[i]] * y[k];
		}
	for (i = 0; i < used; i++)
		for (j = 0; j < used; j++)
			if (j != i) {
				double f = g[j][i] / g[i][i];

				for (k = i; k <= used; k++)
					g[j][k] -= f * g[i][k];
			}
	for (i = 0; i < used; i++)
		c[index[i]] = g[i][used] / g[i][i];
}

static void by_hand(void)
{
	const double a[] = {1, 1, 1, 2, 1, 3}, y[] = {3, 5, 7}, down[] = {7, 5, 3},
		     twice[] = {1, 1, 2, 2, 3, 3};
	double c[2];

	ft_nnls(a, y, 3, 2, c);
	ok(near(c[0], 1, 1e-12) && near(c[1], 2, 1e-12), "1 + 2 x");
	ft_nnls(a, down, 3, 2, c);
	ok(near(c[0], 5, 1e-12) && c[1] == 0, "a falling line becomes its mean");
	ft_nnls(twice, (const double[]){2, 4, 6}, 3, 2, c);
	ok(near(c[0] + c[1], 2, 1e-12) && c[0] >= 0 && c[1] >= 0, "two columns that say the same");
	ft_nnls(a, (const double[]){-1, -1, -1}, 3, 2, c);
	ok(c[0] == 0 && c[1] == 0, "nothing is below 0");
}

/* A column that says what another one does to rounding would help most, and cannot: the next one has its
 * turn. Columns e1, e1 + 1e-8 e2, e3; y = e1 + e2 + 1e-9 e3. */
static void next_after_twin(void)
{
	const double a[] = {1, 1, 0, 0, 1e-8, 0, 0, 0, 1}, y[] = {1, 1, 1e-9};
	double c[3];

	ft_nnls(a, y, 3, 3, c);
	ok(near(c[0] + c[1], 1, 1e-6) && near(c[2], 1e-9, 1e-6), "behind a twin: %g %g %g", c[0], c[1], c[2]);
}

/* Columns that are nearly the same: squares of them lose half of the digits, which come back. */
static void close_columns(void)
{
	enum { ROWS = 60 };
	static const double truth[N] = {3, 0.5, 2e-3, 7e-3};
	double a[ROWS * N], y[ROWS], c[N], worst = 0;
	size_t j;

	for (size_t k = 0; k < ROWS; k++) {
		double x = 100 + 50 * (double)k;
		const double column[N] = {1, x, x * log2(x), x * sqrt(x)};

		for (y[k] = 0, j = 0; j < N; j++) {
			a[k * N + j] = column[j];
			y[k] += truth[j] * column[j];
		}
	}
	ft_nnls(a, y, ROWS, N, c);
	for (j = 0; j < N; j++)
		worst = fmax(worst, fabs(c[j] / truth[j] - 1));
	ok(worst < 1e-10, "columns that are nearly the same: %.1g off", worst);
}

/* y is a multiple of one column, or of a sum of two: what rounding leaves is no reason for another one. Most
 * of it may stand in a single row. */
static void nothing_else(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(300), bad = 0, i;

	for (i = 0; i < cases; i++) {
		double a[M * N], y[M], c[N], share = 0.1 + ft_random_uniform(&random);
		size_t k, j, row = (size_t)i % M;

		for (j = 0; j < M * N; j++)
			a[j] = ft_random_normal(&random) * (i % 3 || j / N == row ? 1 : 1e-9);
		for (k = 0; k < M; k++)
			y[k] = share * (a[k * N] + (i % 2 ? a[k * N + 1] : 0));
		ft_nnls(a, y, M, N, c);
		bad += !near(c[0], share, 1e-9) && i % 3;
		bad += (i % 3 && i % 2 ? !near(c[1], share, 1e-9) : i % 3 && c[1] != 0);
		bad += i % 3 && (c[2] != 0 || c[3] != 0);
		for (j = 0; j < N; j++)
			bad += !(c[j] >= 0) || (c[j] > 0 && c[j] < 1e-12);
	}
	if (!ok(!bad, "what needs one column or two gets nothing of others, %d cases", cases))
		diag("seed %llu, %d bad", (unsigned long long)test_seed(), bad);
}

/* Columns of any sense; such as are much alike, so that one gives way to others; and among these two that say
 * the same but for rounding. */
static void random_cases(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(500), bad = 0, i;

	for (i = 0; i < cases; i++) {
		double a[M * N], y[M], c[N], best = INFINITY, other[N];
		size_t j, k, n = 1 + ft_random_below(&random, N);

		for (j = 0; j < M * n; j++)
			a[j] = i % 3 ? 1 + 0.3 * ft_random_normal(&random) : ft_random_normal(&random);
		for (j = 0; j < n; j++)
			other[j] = ft_random_normal(&random);
		for (j = 0; j < M; j++) {
			double odd = ft_random_normal(&random);

			y[j] = (double)(i % 3) + ft_random_normal(&random);
			if (i % 2)
				a[j * n] = y[j] = odd;
			for (k = 1; k < n && i % 2; k++) { /* the first one seems to say most, and does not */
				a[j * n] += a[j * n + k];
				y[j] += fabs(other[k]) * a[j * n + k];
			}
			y[j] -= i % 2 ? 1.3 * odd : 0;
		}
		for (j = 0; j < M && i % 3 == 2 && n > 1; j++)
			a[j * n + n - 1] = a[j * n] * (1 + 1e-9 * ft_random_normal(&random));
		ft_nnls(a, y, M, n, c);
		for (unsigned in = 0; in < 1u << n; in++) {
			bool good = true;

			solve(a, y, M, n, in, other);
			for (j = 0; j < n; j++)
				good &= other[j] >= 0;
			if (good)
				best = fmin(best, rest(a, y, M, n, other));
		}
		for (j = 0; j < n; j++)
			bad += c[j] < 0;
		bad += !near(rest(a, y, M, n, c), best, 1e-7);
	}
	if (!ok(!bad, "%d random cases", cases))
		diag("seed %llu, %d bad", (unsigned long long)test_seed(), bad);
}

int main(void)
{
	by_hand();
	next_after_twin();
	close_columns();
	nothing_else();
	random_cases();
	return done();
}
