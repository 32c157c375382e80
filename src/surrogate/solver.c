/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver.c - the table of solvers, and what is checked before one of them works. */
#include "surrogate/solver.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const struct ft_solver *const solvers[] = {
	/* clang-format off: a row each */
	&ft__solver_ols,   &ft__solver_robust, &ft__solver_weighted, &ft__solver_simplex, &ft__solver_nmf,
	&ft__solver_bayes, &ft__solver_ridge,  &ft__solver_svr,      &ft__solver_kernel,
	/* clang-format on */
};

enum { N_SOLVERS = sizeof solvers / sizeof *solvers };

const struct ft_solver *ft_solver_get(size_t i)
{
	return i < N_SOLVERS ? solvers[i] : NULL;
}

const struct ft_solver *ft_solver_find(const char *name)
{
	for (size_t i = 0; i < N_SOLVERS; i++)
		if (!strcmp(solvers[i]->name, name))
			return solvers[i];
	return NULL;
}

static enum ft_status check_values(const struct ft_solver *solver, const char *what, const double *value,
				   size_t rows, size_t columns, struct ft_err *err)
{
	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < columns; j++) {
			double v = value[i * columns + j];

			if (isnan(v) && solver->holes)
				continue;
			if (!isfinite(v))
				return ft_fail(err, FT_EINVAL, "row %zu of %s, column %zu: not a number",
					       i + 1, what, j + 1);
			if (v != 0 && (fabs(v) < 1e-140 || fabs(v) > 1e140)) {
				(void)ft_fail(err, FT_EINVAL,
					      "row %zu of %s, column %zu: %g, whose square is no number",
					      i + 1, what, j + 1, v);
				return ft_remedy(err, "give that resource in another unit");
			}
			if (solver->positive && v <= 0) {
				(void)ft_fail(err, FT_EINVAL,
					      "row %zu of %s, column %zu: %g, and '%s' works on logarithms",
					      i + 1, what, j + 1, v, solver->name);
				return ft_remedy(
					err, "leave that row out, or choose a linear solver: --solver ols");
			}
		}
	return FT_OK;
}

enum ft_status ft_surrogate_solve(const struct ft_solver *solver, const struct ft_surrogate_problem *problem,
				  const struct ft_surrogate_options *options, struct ft_surrogate_fit **out,
				  struct ft_err *err)
{
	static const struct ft_surrogate_options defaults;

	assert(problem->m >= 1 && problem->k >= 1 && problem->q >= 1);
	*out = NULL;
	FT_TRY(check_values(solver, "the basis", problem->x, problem->m, problem->k, err));
	FT_TRY(check_values(solver, "the targets", problem->y, problem->m, problem->q, err));
	struct ft_surrogate_fit *fit = ft_calloc(1, sizeof *fit);
	if (!fit)
		return ft_nomem(err);
	*fit = (struct ft_surrogate_fit){.solver = solver, .m = problem->m, .k = problem->k, .q = problem->q};
	enum ft_status status =
		solver->solve(problem, options ? options : &defaults, &fit->arena, &fit->state, err);
	if (status)
		ft_surrogate_free(fit);
	else
		*out = fit;
	return status;
}

void ft_surrogate_free(struct ft_surrogate_fit *fit)
{
	if (!fit)
		return;
	ft_arena_clear(&fit->arena);
	ft_free(fit);
}

enum ft_status ft_surrogate_predict(const struct ft_surrogate_fit *fit, const double *x, size_t t,
				    double confidence, struct ft_estimate *out, struct ft_err *err)
{
	enum ft_status status = check_values(fit->solver, "the basis", x, t, fit->k, err);

	assert(confidence > 0 && confidence < 1);
	return status ? status : fit->solver->predict(fit->state, x, t, confidence, out, err);
}

bool ft_surrogate_beta(const struct ft_surrogate_fit *fit, double *beta, double *intercept)
{
	if (!fit->solver->beta)
		return false;
	fit->solver->beta(fit->state, beta, intercept);
	return true;
}

bool ft_surrogate_spread(const struct ft_surrogate_fit *fit, double confidence, struct ft_estimate *beta)
{
	if (!fit->solver->spread)
		return false;
	fit->solver->spread(fit->state, confidence, beta);
	return true;
}

struct ft_surrogate_outcome ft_surrogate_outcome(const struct ft_surrogate_fit *fit)
{
	struct ft_surrogate_outcome outcome = {
		.converged = true, .rank = fit->m < fit->k ? fit->m : fit->k, .loss = NAN};

	if (fit->solver->outcome)
		fit->solver->outcome(fit->state, &outcome);
	return outcome;
}

bool ft_surrogate_patterns(const struct ft_surrogate_fit *fit, struct ft_patterns *out)
{
	if (!fit->solver->patterns)
		return false;
	fit->solver->patterns(fit->state, out);
	return true;
}
