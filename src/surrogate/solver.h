/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver.h - what the solvers of the table share. A solver is a file, solve_NAME.c, and a row in solver.c. */
#ifndef FT_SURROGATE_SOLVER_H
#define FT_SURROGATE_SOLVER_H

#include "base/arena.h"
#include "foretime/surrogate.h"

extern const struct ft_solver ft__solver_ols, ft__solver_robust, ft__solver_weighted, ft__solver_simplex,
	ft__solver_bayes, ft__solver_nmf;
extern const struct ft_solver ft__solver_kernel, ft__solver_ridge, ft__solver_svr;

struct ft_surrogate_fit {
	const struct ft_solver *solver;
	size_t m, k, q;
	void *state;
	struct ft_arena arena; /* of the state */
};

/* For FT_CLEANUP. */
static inline void ft__fit_end(struct ft_surrogate_fit **fit)
{
	ft_surrogate_free(*fit);
}

/* ft__row_scale - what a row of the basis is divided by so that each row weighs the same: the root of its
 * mean square; 1 for a row of zeros, and for every row when raw is asked for. */
double ft__row_scale(const double *x, size_t k, bool raw);

/* ft__left_out - the errors of rows foretold without their group, and the intervals that follow from them. */
struct ft__left_out {
	double *error;  /* [n] absolute, standardised, ascending */
	double *weight; /* [n] 1 / rows of its group */
	size_t n, groups;
};

/* ft__left_out_init - from errors [m] (absolute and standardised; NaN: could not be foretold) and their
 * groups (NULL: each by itself). In the arena's memory. */
enum ft_status ft__left_out_init(struct ft__left_out *out, struct ft_arena *arena, const double *error,
				 const size_t *group, size_t m, struct ft_err *err);

/* ft__left_out_reach - the same for errors that are in units of their deviation. Of so few groups that not
 * even the largest error holds the share, Student's quantile with as many degrees of freedom, and the largest
 * error at least. NaN: fewer than two groups. */
double ft__left_out_reach(const struct ft__left_out *left_out, double confidence);

/* ft__reach - how far a future row of standard deviation 1 may lie from what is foretold: the quantile of the
 * left-out errors where there are groups enough for it to be one of them and no extreme one, else Student's
 * with the deviation s and dof degrees of freedom; infinite where nothing is known. */
double ft__reach(const struct ft__left_out *left_out, double s, double dof, double confidence);

#endif
