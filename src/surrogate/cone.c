/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cone.c - whether a target is a mixture of its basis (004 6.1.2). */
#include "surrogate/solver.h"

#include <math.h>

/* Below this share of the target the rest is rounding. */
static const double ROUNDING = 1e-6;

/* The share of the first target that a solver leaves. */
static enum ft_status find_rest(const struct ft_solver *solver, const struct ft_surrogate_problem *p,
				bool raw, double *rest, struct ft_err *err)
{
	struct ft_surrogate_options options = {.raw = raw};
	FT_CLEANUP(ft__fit_end) struct ft_surrogate_fit *fit = NULL;
	FT_OWN double *beta = ft_calloc(p->k, sizeof *beta);
	double intercept, sum = 0, all = 0;

	if (!beta)
		return ft_nomem(err);
	FT_TRY(ft_surrogate_solve(solver, p, &options, &fit, err));
	(void)ft_surrogate_beta(fit, beta, &intercept);
	for (size_t i = 0; i < p->m; i++) {
		double scale = ft__row_scale(p->x + i * p->k, p->k, raw), y = p->y[i] / scale;

		all += fabs(y);
		for (size_t j = 0; j < p->k; j++)
			y -= p->x[i * p->k + j] / scale * beta[j];
		sum += fabs(y);
	}
	*rest = all > 0 ? sum / all : 0;
	return FT_OK;
}

enum ft_status ft_surrogate_cone(const struct ft_surrogate_problem *problem, bool raw, struct ft_cone *out,
				 struct ft_err *err)
{
	struct ft_surrogate_problem one = *problem;
	FT_OWN double *y = ft_calloc(problem->m, sizeof *y);

	*out = (struct ft_cone){.free_rest = NAN};
	if (!y)
		return ft_nomem(err);
	for (size_t i = 0; i < problem->m; i++)
		y[i] = problem->y[i * problem->q];
	one.y = y;
	one.q = 1;
	FT_TRY(find_rest(&ft__solver_simplex, &one, raw, &out->rest, err));
	if (problem->m >= problem->k)
		FT_TRY(find_rest(&ft__solver_ols, &one, raw, &out->free_rest, err));
	/* Least squares is not the least absolute error: it may do worse by that measure. */
	if (out->free_rest > out->rest)
		out->free_rest = out->rest;
	out->inside = out->rest <= ROUNDING;
	return FT_OK;
}
