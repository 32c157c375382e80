/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve-test.h - a solver asked in one line. After tap.h. */
#ifndef FT_TEST_SOLVE_TEST_H
#define FT_TEST_SOLVE_TEST_H

#include "random-matrix.h"

__attribute__((unused)) static struct ft_surrogate_fit *solve(const char *name,
							      const struct ft_surrogate_problem *problem,
							      const struct ft_surrogate_options *options)
{
	struct ft_surrogate_fit *fit = NULL;
	struct ft_err err = {0};

	if (ft_surrogate_solve(ft_solver_find(name), problem, options, &fit, &err))
		diag("%s: %s", name, err.text);
	return fit;
}

__attribute__((unused)) static double value_at(const struct ft_surrogate_fit *fit, const double *x)
{
	struct ft_estimate out[MADE_Q];

	return ft_surrogate_predict(fit, x, 1, 0.9, out, NULL) ? NAN : out[0].value;
}

/* beta of the first target; a beta that is never right when there is no fit. */
__attribute__((unused)) static void beta_of(struct ft_surrogate_fit *fit, double *beta)
{
	double intercept[MADE_Q];

	beta[0] = NAN;
	if (fit)
		(void)ft_surrogate_beta(fit, beta, intercept);
	ft_surrogate_free(fit);
}

__attribute__((unused)) static bool refused(const char *name, const struct ft_surrogate_problem *problem,
					    const struct ft_surrogate_options *options, enum ft_status status,
					    const char *words)
{
	struct ft_surrogate_fit *fit;
	struct ft_err err = {0};
	enum ft_status got = ft_surrogate_solve(ft_solver_find(name), problem, options, &fit, &err);

	if (got != status || fit || !strstr(err.text, words))
		diag("%s: %d '%s'", name, got, err.text);
	if (!got)
		ft_surrogate_free(fit);
	return got == status && strstr(err.text, words);
}

#endif
