/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-solvers.c - the solvers: worked examples, duality, optimality, equivariance, bad input, lack of memory.
 */
#include "num/num.h"
#include "tap.h"

#include "solve-test.h"
#include "surrogate/door.h"

/* ---- worked examples ----------------------------------------------------------------------------------- */

/* 004 Table 6.1 and Figure 6.1: c is a mixture of a and b, d is not. */
static void cone_by_hand(void)
{
	const double x[4] = {1, .1, .1, 1}, c[2] = {.5, .5}, d[2] = {.8, 0};
	struct ft_surrogate_problem p = {.m = 2, .k = 2, .q = 1, .x = x, .y = c};
	const struct ft_surrogate_options raw = {.raw = true};
	struct ft_cone cone;
	double beta[2];

	beta_of(solve("simplex", &p, &raw), beta);
	ok(near(beta[0], .5 / 1.1, 1e-9) && near(beta[1], .5 / 1.1, 1e-9), "6.1: c is 0.4545 a + 0.4545 b");
	ok(!ft_surrogate_cone(&p, true, &cone, NULL) && cone.inside, "6.1: c is inside the cone");
	p.y = d;
	beta_of(solve("simplex", &p, &raw), beta);
	ok(near(beta[0], .8, 1e-9) && beta[1] == 0, "6.1: d is nearest to 0.8 a");
	ok(!ft_surrogate_cone(&p, true, &cone, NULL) && !cone.inside && near(cone.rest, .1, 1e-9) &&
		   cone.free_rest < 1e-9,
	   "6.1: d is outside: 10 %% remain, with a negative share nothing");
	beta_of(solve("ols", &p, NULL), beta);
	ok(fabs(beta[0] - .81) < .005 && fabs(beta[1] + .08) < .005, "6.2.1: d is 0.81 a - 0.08 b");
}

/* Table 6.2 as printed: (0.00898, 0.952) by least absolute error (notes' erratum to 6.14). */
static void simplex_by_hand(void)
{
	const double x[6] = {100000, 100, 20000, 1000, 30000, 500}, y[3] = {993.72, 1132.13, 932.69};
	const double sort[4] = {2.14, 7.26, 81.46, 304};
	const double time[6] = {.22, .33, .67, 1.39, 2.85, 5.79},
		     energy[6] = {8.6, 13.2, 27.49, 58.29, 121.79, 254.82};
	const double cpu[6] = {.075118, .075862, .069347, 0, 0, 0},
		     mem[6] = {.008161, .023093, .071845, .191743, .400625, .838224};
	const struct ft_surrogate_options raw = {.raw = true};
	struct ft_surrogate_problem p = {.m = 3, .k = 2, .q = 1, .x = x, .y = y};
	double beta[2], both[2];
	size_t bad = 0;

	beta_of(solve("simplex", &p, &raw), beta);
	ok(fabs(beta[0] - .00898) < 5e-6 && fabs(beta[1] - .952) < 5e-4, "6.14 from Table 6.2");
	/* 10.1.1: as printed for 1M to 4M, the errata behind them. */
	p = (struct ft_surrogate_problem){.m = 2, .k = 2, .q = 1, .x = sort, .y = both};
	for (size_t i = 0; i < 6; i++) {
		both[0] = time[i];
		both[1] = energy[i];
		beta_of(solve("simplex", &p, &raw), beta);
		if (!(fabs(beta[0] - cpu[i]) < 2e-6) || !(fabs(beta[1] - mem[i]) < 2e-6)) {
			diag("%zu: %.6f %.6f", i, beta[0], beta[1]);
			bad++;
		}
	}
	ok(!bad, "10.1.1: mergesort by cpu and mem");
}

/* ---- properties -----------------------------------------------------------------------------------------
 */

/* The dual solution is feasible and worth as much as the primal one: no other beta is better. */
static void simplex_optimal(struct ft_random *random)
{
	int c, bad = 0, cases = test_cases(100);

	for (c = 0; c < cases; c++) {
		size_t m = 1 + ft_random_below(random, 30), k = 1 + ft_random_below(random, 6), i, j,
		       iterations;
		struct made made;
		struct ft_lad *lad;
		double b[MADE_K], z[MADE_M], sum = 0, dual = 0, size = 0;
		bool converged = false;

		make(&made, random, m, k, 1, 0.3);
		if (ft_lad_new(made.x, m, k, &lad, NULL)) {
			bad++;
			continue;
		}
		bad += ft_lad_solve(lad, made.y, 0, b, z, &converged, &iterations, NULL) != FT_OK ||
		       !converged;
		ft_lad_free(lad);
		for (i = 0; i < m; i++) {
			double rest = made.y[i];

			for (j = 0; j < k; j++)
				rest -= made.x[i * k + j] * b[j];
			sum += fabs(rest);
			dual += made.y[i] * z[i];
			size += fabs(made.y[i]);
			bad += !(fabs(z[i]) <= 1 + 1e-9);
		}
		for (j = 0; j < k; j++) {
			double column = 0, length = 0;

			for (i = 0; i < m; i++) {
				column += made.x[i * k + j] * z[i];
				length += made.x[i * k + j];
			}
			bad += !(column <= 1e-7 * length) + !(b[j] >= 0);
		}
		bad += !(fabs(sum - dual) <= 1e-7 * size);
	}
	ok(bad == 0, "simplex: optimal by its dual, %d cases", cases);
}

/* Program by programs and resource by resources: a square X foretells the same (5.2.3). */
static void both_ways(struct ft_random *random)
{
	static const char *const names[] = {"ols", "robust", "bayes"};
	int c, bad = 0, cases = test_cases(30);

	for (c = 0; c < cases; c++)
		for (size_t s = 0; s < sizeof names / sizeof *names; s++) {
			struct made made;
			double turned[16], row[4], p, q;
			struct ft_surrogate_problem hardware = {
				.m = 4, .k = 4, .q = 1, .x = turned, .y = row};

			make(&made, random, 4, 4, 1, 0.2);
			for (size_t i = 0; i < 4; i++) {
				made.x[i * 4 + i] *= 30; /* far from singular */
				row[i] = exp(ft_random_normal(random));
			}
			for (size_t i = 0; i < 4; i++)
				for (size_t j = 0; j < 4; j++)
					turned[j * 4 + i] = made.x[i * 4 + j];
			struct ft_surrogate_fit *fit = solve(names[s], &made.problem, NULL);
			p = value_at(fit, row);
			ft_surrogate_free(fit);
			fit = solve(names[s], &hardware, NULL);
			q = value_at(fit, made.y);
			ft_surrogate_free(fit);
			if (!near(p, q, 1e-5)) {
				diag("%s: %g %g", names[s], p, q);
				bad++;
			}
		}
	ok(bad == 0, "square X: the same both ways, %d cases", cases);
}

/* Rows in other units change no beta, for each linear solver without an intercept. */
static void row_units(struct ft_random *random)
{
	const struct ft_solver *solver;

	for (size_t s = 0; (solver = ft_solver_get(s)); s++) {
		int c, bad = 0, cases = test_cases(10);

		if (!solver->linear || !strcmp(solver->name, "weighted"))
			continue;
		for (c = 0; c < cases; c++) {
			struct made made;
			double beta[4], again[4];

			make(&made, random, 25, 4, 1, 0.1);
			beta_of(solve(solver->name, &made.problem, NULL), beta);
			for (size_t i = 0; i < 25; i++) {
				double unit = exp(2 * ft_random_normal(random));

				for (size_t j = 0; j < 4; j++)
					made.x[i * 4 + j] *= unit;
				made.y[i] *= unit;
			}
			beta_of(solve(solver->name, &made.problem, NULL), again);
			for (size_t j = 0; j < 4; j++)
				bad += !(fabs(beta[j] - again[j]) < 1e-5 * (1 + fabs(beta[j])));
		}
		ok(bad == 0, "%s: units of rows do not count", solver->name);
	}
}

/* k_a a + k_b b has the surrogate k_a beta_a + k_b beta_b (7.11), by least squares. */
static void linear_composition(struct ft_random *random)
{
	struct made made;
	double a[4], b[4], sum[4], y[3][30];
	size_t bad = 0;

	make(&made, random, 30, 4, 2, 0.3);
	made.problem.q = 1;
	for (size_t i = 0; i < 30; i++) {
		y[0][i] = made.y[2 * i];
		y[1][i] = made.y[2 * i + 1];
		y[2][i] = 3 * y[0][i] + 0.5 * y[1][i];
	}
	made.problem.y = y[0];
	beta_of(solve("ols", &made.problem, NULL), a);
	made.problem.y = y[1];
	beta_of(solve("ols", &made.problem, NULL), b);
	made.problem.y = y[2];
	beta_of(solve("ols", &made.problem, NULL), sum);
	for (size_t j = 0; j < 4; j++)
		bad += !(fabs(sum[j] - 3 * a[j] - 0.5 * b[j]) < 1e-10);
	ok(!bad, "surrogates compose");
}

/* With flat priors: the beta, the intervals and the predictions of least squares. */
static void flat_is_ols(struct ft_random *random)
{
	int c, bad = 0, cases = test_cases(20);

	for (c = 0; c < cases; c++) {
		struct made made;
		struct ft_estimate e[2], spread[2][MADE_K];
		size_t m = 6 + ft_random_below(random, 10), k = 1 + ft_random_below(random, 4), s, j;

		make(&made, random, m, k, 1, 0.1);
		for (s = 0; s < 2; s++) {
			struct ft_surrogate_fit *fit = solve(s ? "bayes" : "ols", &made.problem, NULL);

			(void)ft_surrogate_predict(fit, made.x, 1, 0.9, &e[s], NULL);
			(void)ft_surrogate_spread(fit, 0.9, spread[s]);
			ft_surrogate_free(fit);
		}
		bad += !near(e[0].value, e[1].value, 1e-6) || !near(e[0].lower, e[1].lower, 1e-4) ||
		       !near(e[0].upper, e[1].upper, 1e-4);
		for (j = 0; j < k; j++)
			bad += !near(spread[0][j].value, spread[1][j].value, 1e-6) ||
			       !(fabs(spread[0][j].lower - spread[1][j].lower) <
				 1e-4 * (spread[0][j].upper - spread[0][j].lower)) ||
			       !(fabs(spread[0][j].upper - spread[1][j].upper) <
				 1e-4 * (spread[0][j].upper - spread[0][j].lower));
	}
	ok(bad == 0, "bayes with flat priors is least squares, %d cases", cases);
}

static void priors(struct ft_random *random)
{
	struct made made;
	const double mean[2] = {5, 7}, sure[2] = {1e-6, 1e-6}, one[2] = {1e-6, INFINITY};
	struct ft_surrogate_options options = {.mean = mean, .sd = sure};
	struct ft_estimate e[2];
	double beta[2];

	make(&made, random, 30, 2, 1, 0.01);
	beta_of(solve("bayes", &made.problem, &options), beta);
	ok(near(beta[0], 5, 1e-4) && near(beta[1], 7, 1e-4), "who is sure learns nothing");
	options.sd = one;
	beta_of(solve("bayes", &made.problem, &options), beta);
	ok(near(beta[0], 5, 1e-4) && fabs(beta[1] - 7) > 0.1,
	   "a prior on one beta leaves the other to the rows");
	struct ft_surrogate_problem p = made.problem;
	p.m = 1;
	options.mean = (const double[]){made.beta[0] + 0.5, made.beta[1] - 0.4};
	options.sd = (const double[]){1, 1};
	struct ft_surrogate_fit *fit = solve("bayes", &p, &options);
	ok(fit && ft_surrogate_spread(fit, 0.9, e) && isfinite(e[0].lower) &&
		   e[0].upper - e[0].lower < 2 * 1.7 &&
		   fabs(value_at(fit, made.x) - made.y[0]) <
			   0.5 * fabs(options.mean[0] * made.x[0] + options.mean[1] * made.x[1] - made.y[0]),
	   "one row and two priors: nearer to the row than what was believed");
	ft_surrogate_free(fit);
	ok(refused("bayes", &p, NULL, FT_ENOMODEL, "2 coefficients"), "one row and no prior: refused");
	options.sd = (const double[]){0, 1};
	ok(refused("bayes", &made.problem, &options, FT_EINVAL, "standard deviation"), "a deviation is > 0");
	ok(refused("bayes",
		   &(struct ft_surrogate_problem){
			   .m = 2, .k = 2, .q = 1, .x = (double[]){10, 110, 10, 110}, .y = (double[]){1, 1}},
		   NULL, FT_ENOMODEL, "2 rows do not determine 2 coefficients"),
	   "rows that are alike tell one coefficient");
}

/* Every fifth row is wrong by a factor: robust does not mind, least squares does. */
static void outliers(struct ft_random *random)
{
	int c, bad = 0, cases = test_cases(20);
	double worst = 0;

	for (c = 0; c < cases; c++) {
		struct made made;
		double beta[3], plain[3], far = 0, plain_far = 0;

		make(&made, random, 50, 3, 1, 0.01);
		for (size_t i = 0; i < 50; i += 5)
			made.y[i] *= 3;
		beta_of(solve("robust", &made.problem, NULL), beta);
		beta_of(solve("ols", &made.problem, NULL), plain);
		for (size_t j = 0; j < 3; j++) {
			far = fmax(far, fabs(beta[j] - made.beta[j]));
			plain_far = fmax(plain_far, fabs(plain[j] - made.beta[j]));
		}
		worst = fmax(worst, far);
		bad += !(far < 0.1) || !(far < plain_far / 3);
	}
	diag("worst beta is off by %.3f", worst);
	ok(bad == 0, "robust: one row in five wrong, %d cases", cases);
}

/* Robust, of the divided rows: 30 of them, one of which is far off. */
static void robust_too(const struct made *made, const double *sigma)
{
	double x[30 * 3], y[30], off[30], beta[3], oracle[3], bent[3];
	struct ft_surrogate_problem divided = {.m = 30, .k = 3, .q = 1, .x = x, .y = y},
				    given = made->problem;
	size_t bad = 0, far = 0;

	memcpy(off, made->y, sizeof off);
	off[7] += 1000 * sigma[7];
	given.y = off;
	for (size_t i = 0; i < 30; i++) {
		for (size_t j = 0; j < 3; j++)
			x[i * 3 + j] = made->x[i * 3 + j] / sigma[i];
		y[i] = off[i] / sigma[i];
	}
	beta_of(solve("robust", &divided, &(struct ft_surrogate_options){.raw = true}), oracle);
	beta_of(solve("ols", &divided, &(struct ft_surrogate_options){.raw = true}), bent);
	beta_of(solve("robust", &given, &(struct ft_surrogate_options){.weigh = true}), beta);
	for (size_t j = 0; j < 3; j++) {
		bad += !near(beta[j], oracle[j], 1e-7);
		far += !near(beta[j], bent[j], 0.1);
	}
	ok(!bad && far, "robust and weighed: the divided rows, and the one that is off does not count");
	given.sigma = NULL;
	beta_of(solve("robust", &given, &(struct ft_surrogate_options){.weigh = true}), beta);
	beta_of(solve("robust", &given, NULL), oracle);
	ok(!memcmp(beta, oracle, sizeof beta), "without deviations to weigh by: as robust alone");
}

/* Rows by 1 / sigma with an intercept: what least squares says of the divided rows with a column 1 / sigma.
 */
static void weights(struct ft_random *random)
{
	struct made made;
	double x[30 * 4], y[30], sigma[30], beta[4], oracle[4], intercept = NAN;
	struct ft_surrogate_problem divided = {.m = 30, .k = 4, .q = 1, .x = x, .y = y};
	size_t bad = 0;

	make(&made, random, 30, 3, 1, 0.1);
	for (size_t i = 0; i < 30; i++) {
		sigma[i] = exp(ft_random_normal(random));
		for (size_t j = 0; j < 3; j++)
			x[i * 4 + j] = made.x[i * 3 + j] / sigma[i];
		x[i * 4 + 3] = 1 / sigma[i];
		y[i] = made.y[i] / sigma[i];
	}
	made.problem.sigma = sigma;
	beta_of(solve("ols", &divided, &(struct ft_surrogate_options){.raw = true}), oracle);
	struct ft_surrogate_fit *fit = solve("weighted", &made.problem, NULL);
	(void)ft_surrogate_beta(fit, beta, &intercept);
	ft_surrogate_free(fit);
	for (size_t j = 0; j < 3; j++)
		bad += !near(beta[j], oracle[j], 1e-7);
	ok(!bad && near(intercept, oracle[3], 1e-6), "weighted: least squares of the divided rows");
	robust_too(&made, sigma);
	sigma[4] = 0;
	ok(refused("weighted", &made.problem, NULL, FT_EINVAL, "row 5"),
	   "a standard deviation of 0 is refused");
	made.y[4] = 1e200;
	ok(refused("ols", &made.problem, NULL, FT_EINVAL, "row 5"), "a value whose square is none");
	made.y[4] = 1e-200;
	ok(refused("nmf", &made.problem, NULL, FT_EINVAL, "row 5"), "nor has this one");
}

/* Shares of intervals that hold a new value, for each solver that works here. */
static void coverage(struct ft_random *random)
{
	const struct ft_solver *solver;
	size_t t;

	for (size_t s = 0; (solver = ft_solver_get(s)); s++) {
		size_t held = 0, cases = 200;

		if (!solver->linear)
			continue;
		for (t = 0; t < cases; t++) {
			struct made made;
			struct ft_estimate e = {0};
			struct ft_surrogate_fit *fit;

			make(&made, random, 51, 3, 1, 0.05);
			made.problem.m--;
			fit = solve(solver->name, &made.problem, &(struct ft_surrogate_options){.rank = 3});
			if (!fit || ft_surrogate_predict(fit, made.x + 150, 1, 0.9, &e, NULL))
				break;
			held += e.lower <= made.y[50] && made.y[50] <= e.upper;
			ft_surrogate_free(fit);
		}
		diag("%s: %zu of %zu", solver->name, held, cases);
		ok(t == cases && held >= cases * 80 / 100 && held <= cases * 98 / 100,
		   "%s: intervals at 90 %% hold", solver->name);
	}
}

/* Shares of the intervals of beta that hold the true one. */
static void beta_coverage(struct ft_random *random)
{
	const struct ft_solver *solver;
	size_t t;

	for (size_t s = 0; (solver = ft_solver_get(s)); s++) {
		size_t held = 0, cases = 150;

		if (!solver->spread || !strcmp(solver->name, "weighted"))
			continue;
		for (t = 0; t < cases; t++) {
			struct made made;
			struct ft_estimate e[3] = {{0, 0, 0}};

			make(&made, random, 60, 3, 1, 0.05);
			struct ft_surrogate_fit *fit = solve(solver->name, &made.problem, NULL);
			if (!fit || !ft_surrogate_spread(fit, 0.9, e))
				break;
			for (size_t j = 0; j < 3; j++)
				held += e[j].lower <= made.beta[j] && made.beta[j] <= e[j].upper;
			ft_surrogate_free(fit);
		}
		diag("%s: %zu of %zu", solver->name, held, 3 * cases);
		ok(t == cases && held >= 3 * cases * 80 / 100 && held <= 3 * cases * 98 / 100,
		   "%s: intervals of beta at 90 %% hold", solver->name);
	}
}

int main(void)
{
	struct ft_random random = {test_seed()};

	cone_by_hand();
	simplex_by_hand();
	simplex_optimal(&random);
	both_ways(&random);
	row_units(&random);
	linear_composition(&random);
	flat_is_ols(&random);
	priors(&random);
	outliers(&random);
	weights(&random);
	coverage(&random);
	beta_coverage(&random);
	return done();
}
