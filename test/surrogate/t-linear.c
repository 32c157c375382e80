/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-linear.c - least squares: the worked example, both directions, equivariance, rows left out, coverage. */
#include "base/alloc.h"
#include "num/num.h"
#include "random-matrix.h"
#include "surrogate/surrogate.h"
#include "tap.h"

static double predict(const struct ft_surrogate_fit *fit, const double *x)
{
	struct ft_estimate out[MADE_Q];

	return ft_surrogate_predict(fit, x, 1, 0.9, out, NULL) ? NAN : out[0].value;
}

/* 004 Table 6.3 with equation 6.23's 0.2: beta (0.66, 0.37, 3.00), 14.93 both ways. */
static void by_hand(void)
{
	const double program[9] = {1, .1, .1, .2, 1, .5, 0, 0, 1}, target[3] = {1, 2, 3};
	const double resource[9] = {1, .2, 0, .1, 1, 0, .1, .5, 1}, energy[3] = {10.1, 2, 2.5};
	const struct ft_solver *ols = ft_solver_find("ols");
	struct ft_surrogate_problem software = {.m = 3, .k = 3, .q = 1, .x = program, .y = target},
				    hardware = {.m = 3, .k = 3, .q = 1, .x = resource, .y = energy};
	struct ft_surrogate_fit *fit;
	struct ft_estimate estimate;
	double beta[3], intercept;

	ok(ft_surrogate_solve(ols, &software, NULL, &fit, NULL) == FT_OK, "describes the program");
	ft_surrogate_beta(fit, beta, &intercept);
	ok(fabs(beta[0] - .66) < .005 && fabs(beta[1] - .37) < .005 && fabs(beta[2] - 3) < .005, "eq. 6.25");
	ok(fabs(predict(fit, energy) - 14.93) < .005, "eq. 6.26: 14.93");
	ft_surrogate_predict(fit, energy, 1, 0.9, &estimate, NULL);
	ok(estimate.lower == -INFINITY && estimate.upper == INFINITY,
	   "as many unknowns as rows: nothing is known of the error");
	ft_surrogate_free(fit);
	ok(ft_surrogate_solve(ols, &hardware, NULL, &fit, NULL) == FT_OK, "describes the resource");
	ft_surrogate_beta(fit, beta, &intercept);
	ok(fabs(beta[0] - 9.898) < .0005 && fabs(beta[1] - 1.010) < .0005 && fabs(beta[2] - 1.005) < .0005,
	   "eq. 6.29 as corrected");
	ok(fabs(predict(fit, target) - 14.93) < .005, "eq. 6.30: 14.93");
	ft_surrogate_free(fit);
}

/* A = U S V', U and V orthogonal, wide and tall. */
static void singular_values(struct ft_random *random)
{
	int i, bad = 0, cases = test_cases(50);

	for (i = 0; i < cases; i++) {
		double a[400], u[400], v[400], s[20];
		size_t m = 1 + ft_random_below(random, 20), n = 1 + ft_random_below(random, 20),
		       r = m < n ? m : n, p, o, j;

		for (j = 0; j < m * n; j++)
			a[j] = ft_random_normal(random);
		bad += ft_svd(a, m, n, u, s, v, NULL) != FT_OK;
		for (p = 0; p < m; p++)
			for (o = 0; o < n; o++) {
				double sum = 0;

				for (j = 0; j < r; j++)
					sum += u[p * r + j] * s[j] * v[o * r + j];
				bad += !(fabs(sum - a[p * n + o]) < 1e-12 * (1 + s[0]));
			}
		for (p = 0; p < r; p++)
			for (o = 0; o <= p; o++) {
				double uu = 0, vv = 0;

				for (j = 0; j < m; j++)
					uu += u[j * r + p] * u[j * r + o];
				for (j = 0; j < n; j++)
					vv += v[j * r + p] * v[j * r + o];
				bad += !(fabs(uu - (p == o)) < 1e-12) + !(fabs(vv - (p == o)) < 1e-12);
			}
		for (p = 1; p < r; p++)
			bad += s[p] > s[p - 1];
	}
	ok(bad == 0, "%d decompositions are what they should be", cases);
}

/* A row measured in another unit changes nothing; a column does, in its own beta only. */
static void equivariance(struct ft_random *random)
{
	const struct ft_solver *ols = ft_solver_find("ols");
	int i, bad = 0, cases = test_cases(50);

	for (i = 0; i < cases; i++) {
		struct made made;
		struct ft_surrogate_fit *fit;
		double beta[MADE_K * MADE_Q], again[MADE_K * MADE_Q], none[MADE_Q], unit;
		size_t j, row = ft_random_below(random, 20), column = ft_random_below(random, 4);

		make(&made, random, 20, 4, 2, 0.1);
		unit = exp(ft_random_normal(random));
		bad += ft_surrogate_solve(ols, &made.problem, NULL, &fit, NULL) != FT_OK;
		ft_surrogate_beta(fit, beta, none);
		ft_surrogate_free(fit);
		for (j = 0; j < 4; j++)
			made.x[row * 4 + j] *= unit;
		for (j = 0; j < 2; j++)
			made.y[row * 2 + j] *= unit;
		bad += ft_surrogate_solve(ols, &made.problem, NULL, &fit, NULL) != FT_OK;
		ft_surrogate_beta(fit, again, none);
		ft_surrogate_free(fit);
		for (j = 0; j < 8; j++)
			bad += !near(beta[j], again[j], 1e-9);
		for (j = 0; j < 20; j++)
			made.x[j * 4 + column] *= unit;
		bad += ft_surrogate_solve(ols, &made.problem, &(struct ft_surrogate_options){.raw = true},
					  &fit, NULL) != FT_OK;
		ft_surrogate_beta(fit, again, none);
		ft_surrogate_free(fit);
		for (j = 0; j < 20; j++)
			made.x[j * 4 + column] /= unit;
		bad += ft_surrogate_solve(ols, &made.problem, &(struct ft_surrogate_options){.raw = true},
					  &fit, NULL) != FT_OK;
		ft_surrogate_beta(fit, beta, none);
		ft_surrogate_free(fit);
		for (j = 0; j < 8; j++)
			bad += !near(beta[j], again[j] * (j / 2 == column ? unit : 1), 1e-7);
	}
	ok(bad == 0, "units of rows and columns, %d cases", cases);
}

static int ascending(const void *a, const void *b)
{
	const double *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

/* The standardised error of a row, by a fit that knows nothing of its group. */
static double slow_error(const struct made *made, size_t row)
{
	const size_t k = made->problem.k;
	struct made part;
	struct ft_surrogate_fit *fit;
	struct ft_estimate at;
	double scale = ft__row_scale(made->x + row * k, k, false), own = 0;
	size_t rows = 0;

	for (size_t i = 0; i < made->problem.m; i++)
		if (made->group[i] != made->group[row]) {
			memcpy(part.x + rows * k, made->x + i * k, k * sizeof(double));
			part.y[rows++] = made->y[i];
		}
	part.problem = (struct ft_surrogate_problem){.m = rows, .k = k, .q = 1, .x = part.x, .y = part.y};
	if (ft_surrogate_solve(ft_solver_find("ols"), &part.problem, NULL, &fit, NULL))
		return NAN;
	(void)ft_surrogate_predict(fit, made->x + row * k, 1, 0.9, &at, NULL);
	const struct ft__linear *linear = fit->state;
	for (size_t p = 0; p < k; p++) {
		double sum = 0;

		for (size_t j = 0; j < k; j++)
			sum += made->x[row * k + j] / scale * linear->root[j * k + p];
		own += sum * sum;
	}
	ft_surrogate_free(fit);
	return fabs(made->y[row] - at.value) / scale / sqrt(1 + own);
}

/* The closed form of the errors with a whole group left out is what refitting gives. */
static void left_out(struct ft_random *random)
{
	enum { M = 45, K = 3, GROUPS = 24 };
	int c, bad = 0, cases = test_cases(10);

	for (c = 0; c < cases; c++) {
		struct made made;
		struct ft_surrogate_fit *fit;
		double error[M];

		make(&made, random, M, K, 1, 0.1);
		for (size_t i = 0; i < M; i++)
			made.group[i] = i < GROUPS ? i : ft_random_below(random, GROUPS);
		made.problem.group = made.group;
		for (size_t i = 0; i < M; i++)
			error[i] = slow_error(&made, i);
		qsort(error, M, sizeof *error, ascending);
		bad += ft_surrogate_solve(ft_solver_find("ols"), &made.problem, NULL, &fit, NULL) != FT_OK;
		const struct ft__linear *linear = fit->state;
		bad += linear->left_out[0].n != M || linear->left_out[0].groups != GROUPS;
		for (size_t i = 0; i < M; i++)
			bad += !near(error[i], linear->left_out[0].error[i], 1e-7);
		ft_surrogate_free(fit);
	}
	ok(bad == 0, "left-out groups as refitting gives them, %d cases", cases);
}

/* Shares of intervals at 90 % that hold a new value: few rows (Student) and many (left-out rows). */
static void coverage(struct ft_random *random)
{
	static const size_t rows[] = {12, 50};
	size_t t;

	for (size_t i = 0; i < 2; i++) {
		size_t held = 0, cases = 400;

		for (t = 0; t < cases; t++) {
			struct made made;
			struct ft_surrogate_fit *fit;
			struct ft_estimate e = {0};

			make(&made, random, rows[i] + 1, 4, 1, 0.05);
			made.problem.m--;
			if (ft_surrogate_solve(ft_solver_find("ols"), &made.problem, NULL, &fit, NULL))
				break;
			(void)ft_surrogate_predict(fit, made.x + rows[i] * 4, 1, 0.9, &e, NULL);
			held += e.lower <= made.y[rows[i]] && made.y[rows[i]] <= e.upper;
			ft_surrogate_free(fit);
		}
		diag("%zu rows: %zu of %zu", rows[i], held, cases);
		ok(t == cases && held > cases * 82 / 100 && held < cases * 97 / 100,
		   "intervals at 90 %% from %zu rows", rows[i]);
	}
}

int main(void)
{
	struct ft_random random = {test_seed()};

	by_hand();
	singular_values(&random);
	equivariance(&random);
	left_out(&random);
	coverage(&random);
	return done();
}
