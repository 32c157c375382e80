/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve_ols.c - least squares through singular values, the small ones dropped (004 6.2.3, equations 6.19 to
 * 6.22). */
#include "surrogate/linear.h"

static enum ft_status weigh_ols(const struct ft_surrogate_problem *problem, struct ft__linear *linear,
				double *weight, struct ft_err *err)
{
	(void)err;
	for (size_t i = 0; i < problem->m; i++)
		weight[i] = 1 / ft__row_scale(problem->x + i * problem->k, problem->k, linear->raw);
	return FT_OK;
}

static enum ft_status solve_ols(const struct ft_surrogate_problem *problem,
				const struct ft_surrogate_options *options, struct ft_arena *arena,
				void **state, struct ft_err *err)
{
	return ft__linear_solve(problem, false, "ols", options, weigh_ols, arena, state, err);
}

const struct ft_solver ft__solver_ols = {
	.name = "ols",
	.about = "least squares, small singular values dropped",
	.solve = solve_ols,
	FT__LINEAR,
};
