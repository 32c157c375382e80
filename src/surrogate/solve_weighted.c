/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve_weighted.c - least squares with each row divided by its standard deviation, and an intercept (004
 * 6.2.5 and chapter 13). */
#include "base/alloc.h"
#include "num/stats.h"
#include "surrogate/linear.h"

#include <math.h>

/* Weights 1 / sigma; without sigma each row weighs the same. A new row is taken to be as noisy as the middle
 * one, in proportion to its size. */
static enum ft_status weigh(const struct ft_surrogate_problem *problem, struct ft__linear *linear,
			    double *weight, struct ft_err *err)
{
	double *noise = ft_calloc(problem->m, sizeof *noise);
	size_t i;

	if (!noise)
		return ft_nomem(err);
	for (i = 0; i < problem->m; i++) {
		double scale = ft__row_scale(problem->x + i * problem->k, problem->k, linear->raw),
		       sigma = problem->sigma ? problem->sigma[i] : scale;

		if (!(sigma > 0) || !isfinite(sigma)) {
			ft_free(noise);
			(void)ft_fail(err, FT_EINVAL, "row %zu has the standard deviation %g", i + 1, sigma);
			return ft_remedy(err, "it must be > 0: repeat the measurement of that row");
		}
		weight[i] = 1 / sigma;
		noise[i] = sigma / scale;
	}
	linear->noise = ft_stats_median(noise, problem->m);
	ft_free(noise);
	return FT_OK;
}

static enum ft_status solve(const struct ft_surrogate_problem *problem,
			    const struct ft_surrogate_options *options, void **state, struct ft_err *err)
{
	return ft__linear_solve(problem, true, "weighted", options, weigh, state, err);
}

const struct ft_solver ft__solver_weighted = {
	.name = "weighted",
	.about = "least squares, rows by 1 / sigma, and an intercept",
	.solve = solve,
	FT__LINEAR,
};
