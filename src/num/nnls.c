/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nnls.c - least squares with non-negative coefficients, for a few columns. */
#include "num/num.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { N = FT_NNLS_COLUMNS, ROUNDS = 3 * FT_NNLS_COLUMNS, REFINEMENTS = 3 };

struct nnls_problem {
	const double *a, *y;
	size_t m, n;
	double gram[N][N], scale[N]; /* columns scaled to length 1 */
	bool free[N];                /* may be positive; the rest are 0 */
};

/* The scaled gradient A' (y - A c), from the data and not from the Gram matrix: it keeps its digits. */
static void gradient(const struct nnls_problem *p, const double *c, double *out)
{
	memset(out, 0, p->n * sizeof *out);
	for (size_t k = 0; k < p->m; k++) {
		double rest = p->y[k];

		for (size_t i = 0; i < p->n; i++)
			rest -= p->a[k * p->n + i] * p->scale[i] * c[i];
		for (size_t i = 0; i < p->n; i++)
			out[i] += p->a[k * p->n + i] * p->scale[i] * rest;
	}
}

/* Solve the free part of gram x = b; false: columns are dependent. */
static bool solve_free(const struct nnls_problem *p, const double *b, double *x)
{
	double a[N * N], z[N];
	size_t index[N], n = 0, i, j;

	for (i = 0; i < p->n; i++)
		if (p->free[i])
			index[n++] = i;
	for (i = 0; i < n; i++) {
		z[i] = b[index[i]];
		for (j = i; j < n; j++)
			a[i * n + j] = p->gram[index[i]][index[j]];
	}
	if (!ft_chol_factor_above(a, n, 1e-13))
		return false;
	ft_chol_solve(a, n, z, 1);
	memset(x, 0, p->n * sizeof *x);
	for (i = 0; i < n; i++)
		x[index[i]] = z[i];
	return true;
}

/* Go from c towards x until a coefficient reaches 0, which is then fixed there. True: all the way. */
static bool walk_towards(struct nnls_problem *p, double *c, const double *x)
{
	size_t first = p->n;
	double step = 1;

	for (size_t i = 0; i < p->n; i++)
		if (p->free[i] && x[i] <= 0 && (first == p->n || c[i] / (c[i] - x[i]) < step)) {
			step = c[i] > 0 ? c[i] / (c[i] - x[i]) : 0;
			first = i;
		}
	for (size_t i = 0; i < p->n; i++)
		if (p->free[i])
			c[i] = fmax(c[i] + step * (x[i] - c[i]), 0);
	if (first == p->n)
		return true;
	c[first] = 0;
	p->free[first] = false;
	return false;
}

/* The fixed coefficient that would help most; n: none would. */
static size_t most_helpful(const struct nnls_problem *p, const double *slope, double tiny)
{
	size_t chosen = p->n;

	for (size_t i = 0; i < p->n; i++)
		if (!p->free[i] && p->scale[i] > 0 && slope[i] > tiny &&
		    (chosen == p->n || slope[i] > slope[chosen]))
			chosen = i;
	return chosen;
}

static void refine_solution(const struct nnls_problem *p, double *c)
{
	double slope[N], change[N];

	for (int round = 0; round < REFINEMENTS; round++) {
		gradient(p, c, slope);
		if (!solve_free(p, slope, change))
			return;
		for (size_t i = 0; i < p->n; i++)
			if (c[i] + change[i] < 0)
				return;
		for (size_t i = 0; i < p->n; i++)
			c[i] += change[i];
	}
}

void ft_nnls(const double *a, const double *y, size_t m, size_t n, double *c)
{
	struct nnls_problem p = {.a = a, .y = y, .m = m, .n = n};
	double b[N], slope[N], x[N], length = 0;

	assert(n <= N);
	memset(c, 0, n * sizeof *c);
	for (size_t l = 0; l < p.m; l++)
		for (size_t i = 0; i < p.n; i++)
			for (size_t j = 0; j <= i; j++)
				p.gram[i][j] += p.a[l * p.n + i] * p.a[l * p.n + j];
	for (size_t i = 0; i < p.n; i++)
		p.scale[i] = p.gram[i][i] > 0 ? 1 / sqrt(p.gram[i][i]) : 0;
	for (size_t i = 0; i < p.n; i++)
		for (size_t j = 0; j <= i; j++) {
			p.gram[i][j] *= p.scale[i] * p.scale[j];
			p.gram[j][i] = p.gram[i][j];
		}
	gradient(&p, c, b);
	for (size_t k = 0; k < m; k++)
		length += y[k] * y[k];
	length = sqrt(length);
	memcpy(slope, b, n * sizeof *b);
	for (int round = 0; round < ROUNDS; round++) {
		size_t chosen = most_helpful(&p, slope, 1e-12 * length);

		if (chosen == n)
			break;
		p.free[chosen] = true;
		if (!solve_free(&p, b, x)) { /* it depends on other columns */
			p.free[chosen] = false;
			p.scale[chosen] = 0;
			continue;
		}
		while (!walk_towards(&p, c, x) && solve_free(&p, b, x))
			;
		gradient(&p, c, slope);
	}
	refine_solution(&p, c);
	for (size_t i = 0; i < n; i++)
		c[i] *= p.scale[i];
}
