/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-refused.c - what solvers refuse, what they answer without having converged, and no memory. */
#include "base/alloc.h"
#include "tap.h"

#include "solve-test.h"
#include "surrogate/door.h"

static void bad_input(struct ft_random *random)
{
	struct made made;
	double beta[MADE_K], intercept;

	make(&made, random, 10, 4, 1, 0.1);
	struct ft_surrogate_problem p = made.problem;
	p.m = 3;
	ok(refused("ols", &p, NULL, FT_ENOMODEL, "4 unknowns and only 3 equations"), "ols: too few rows");
	ok(refused("robust", &p, NULL, FT_ENOMODEL, "3 equations"), "robust: too few rows");
	p.m = 4;
	ok(refused("weighted", &p, NULL, FT_ENOMODEL, "5 unknowns"), "weighted: an intercept is one more");
	p = made.problem;
	for (size_t i = 0; i < 10; i++)
		made.x[i * 4 + 3] = 2 * made.x[i * 4] + made.x[i * 4 + 1];
	struct ft_surrogate_fit *fit = solve("ols", &p, NULL);
	struct ft_surrogate_outcome outcome = ft_surrogate_outcome(fit);
	(void)ft_surrogate_beta(fit, beta, &intercept);
	ok(outcome.rank == 3 && isfinite(beta[0]) && isfinite(beta[3]), "ols: rank 3 of 4 is an answer");
	ft_surrogate_free(fit);
	{
		bool redundant[4];

		ok(!ft_basis_redundant(&p, 0, redundant, NULL) && redundant[3] && !redundant[0] &&
			   !redundant[1] && !redundant[2],
		   "... and the column is named");
	}
	made.x[5] = NAN;
	ok(refused("ols", &p, NULL, FT_EINVAL, "row 2 of the basis, column 2"), "not a number");
	make(&made, random, 10, 4, 1, 0.1);
	made.y[3] = -1;
	ok(refused("nmf", &made.problem, NULL, FT_EINVAL, "row 4 of the targets"), "nmf: nothing negative");
	made.y[3] = 1;
	ok(refused("nmf", &made.problem, &(struct ft_surrogate_options){.rank = 5}, FT_EINVAL, "5 patterns"),
	   "nmf: more patterns than columns");
	ok(refused("nmf", &made.problem, &(struct ft_surrogate_options){.loss = "l1"}, FT_EINVAL, "'l1'"),
	   "nmf: an unknown loss");
	ok(refused("nmf", &made.problem, &(struct ft_surrogate_options){.start = "here"}, FT_EINVAL,
		   "'here'"),
	   "nmf: an unknown start");
	/* One iteration is not enough: an answer, and said to be none yet. */
	make(&made, random, 40, 4, 1, 0.3);
	for (size_t i = 0; i < 3; i++) {
		static const char *const names[] = {"nmf", "robust", "simplex"};

		fit = solve(names[i], &made.problem, &(struct ft_surrogate_options){.iterations = 1});
		outcome = ft_surrogate_outcome(fit);
		ok(!outcome.converged && isfinite(outcome.loss) && isfinite(value_at(fit, made.x)),
		   "%s: stopped after one iteration it answers, with its residual", names[i]);
		ft_surrogate_free(fit);
	}
}

/* Whatever allocation fails, the solver says so and nothing is lost. */
static void no_memory(struct ft_random *random)
{
	const struct ft_solver *solver;

	for (size_t s = 0; (solver = ft_solver_get(s)); s++) {
		struct made made;
		struct ft_surrogate_fit *fit;
		struct ft_estimate e[2];
		unsigned long n;
		int bad = 0;

		make(&made, random, 25, 3, 2, 0.1);
		for (n = 1; n < 1000; n++) {
			(void)ft_alloc_fail_at(n);
			enum ft_status status = ft_surrogate_solve(solver, &made.problem, NULL, &fit, NULL);
			if (!status)
				status = ft_surrogate_predict(fit, made.x, 1, 0.9, e, NULL);
			if (ft_alloc_fail_at(0) < n) {
				bad += status != FT_OK;
				ft_surrogate_free(fit);
				break;
			}
			bad += status != FT_ENOMEM;
			ft_surrogate_free(fit);
		}
		ok(bad == 0 && n > 3 && n < 1000, "%s: no memory, %lu places", solver->name, n - 1);
	}
}

int main(void)
{
	struct ft_random random = {test_seed()};

	bad_input(&random);
	no_memory(&random);
	return done();
}
