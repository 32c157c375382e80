/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cone.c - whether a target is a mixture of its basis (004 6.1.2). */
#include "surrogate/solver.h"
#include "base/alloc.h"

#include <math.h>

/* Below this share of the target the rest is rounding. */
static const double ROUNDING = 1e-6;

/* The share of the first target that a solver leaves. */
static enum ft_status find_rest(const struct ft_solver *solver, const struct ft_surrogate_problem *p,
				bool raw, double *rest, struct ft_err *err)
{
	struct ft_surrogate_options options = {.raw = raw};
	struct ft_surrogate_fit *fit;
	double *beta = ft_calloc(p->k, sizeof *beta), intercept, sum = 0, all = 0;
	enum ft_status status = beta ? ft_surrogate_solve(solver, p, &options, &fit, err) : ft_nomem(err);

	if (!status) {
		(void)ft_surrogate_beta(fit, beta, &intercept);
		ft_surrogate_free(fit);
		for (size_t i = 0; i < p->m; i++) {
			double scale = ft__row_scale(p->x + i * p->k, p->k, raw), y = p->y[i] / scale;

			all += fabs(y);
			for (size_t j = 0; j < p->k; j++)
				y -= p->x[i * p->k + j] / scale * beta[j];
			sum += fabs(y);
		}
		*rest = all > 0 ? sum / all : 0;
	}
	ft_free(beta);
	return status;
}

enum ft_status ft_surrogate_cone(const struct ft_surrogate_problem *problem, bool raw, struct ft_cone *out,
				 struct ft_err *err)
{
	struct ft_surrogate_problem one = *problem;
	double *y = NULL;
	enum ft_status status = FT_OK;

	*out = (struct ft_cone){.free_rest = NAN};
	if (problem->q > 1) {
		y = ft_calloc(problem->m, sizeof *y);
		for (size_t i = 0; y && i < problem->m; i++)
			y[i] = problem->y[i * problem->q];
		one.y = y;
		one.q = 1;
		status = y ? FT_OK : ft_nomem(err);
	}
	if (!status)
		status = find_rest(&ft__solver_simplex, &one, raw, &out->rest, err);
	if (!status && problem->m >= problem->k)
		status = find_rest(&ft__solver_ols, &one, raw, &out->free_rest, err);
	/* Least squares is not the least absolute error: it may do worse by that measure. */
	if (out->free_rest > out->rest)
		out->free_rest = out->rest;
	out->inside = !status && out->rest <= ROUNDING;
	ft_free(y);
	return status;
}
