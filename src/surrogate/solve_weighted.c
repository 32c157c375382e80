/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve_weighted.c - least squares with each row divided by its standard deviation, and an intercept (004
 * 6.2.5 and chapter 13). */
#include "surrogate/linear.h"

static enum ft_status solve_weighted(const struct ft_surrogate_problem *problem,
				     const struct ft_surrogate_options *options, struct ft_arena *arena,
				     void **state, struct ft_err *err)
{
	return ft__linear_solve(problem, true, "weighted", options, ft__linear_by_sigma, arena, state, err);
}

const struct ft_solver ft__solver_weighted = {
	.name = "weighted",
	.about = "least squares, rows by 1 / sigma, and an intercept",
	.solve = solve_weighted,
	FT__LINEAR,
};
