/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linear.h - weighted least squares and what it knows of its errors: shared by ols, weighted and robust. */
#ifndef FT_SURROGATE_LINEAR_H
#define FT_SURROGATE_LINEAR_H

#include "surrogate/solver.h"

/* The state of a linear solver. */
struct ft__linear {
	size_t m, k, q;
	size_t c; /* columns: k, and one for the intercept */
	bool raw, intercept;
	double noise;                  /* standard deviation of a row, over ft__row_scale of it */
	double *beta;                  /* [c x q] */
	bool *known;                   /* [c] false: the rows do not tell this beta from others */
	double *root;                  /* [q x c x c]: root root' s^2 is the covariance of a target's beta */
	double *s;                     /* [q] standard deviation of a row of weight 1; NaN: not known */
	double *loss;                  /* [q] the weighted sum of squares */
	double *dof;                   /* [q] */
	struct ft__left_out *left_out; /* [q] */
	struct ft_surrogate_outcome outcome;
	struct ft_arena *arena; /* of all this */
};

enum ft_status ft__linear_new(const struct ft_surrogate_problem *problem, bool intercept, bool raw,
			      struct ft_arena *arena, struct ft__linear **out, struct ft_err *err);

/* ft__linear_fit - beta of the targets first .. first + n - 1 by weighted least squares, with one
 * decomposition.
 *
 * weight  [m] > 0: the residual of a row times its weight has the same standard deviation for all
 * share   [m] > 0: of the row's square in the sum; NULL: 1 (robust: what is left of an outlier)
 * cut     singular values below cut times the largest are dropped, of columns scaled to length 1; 0: 1e-10
 * errors  find the errors on rows left out too (else those of the last call stay)
 */
enum ft_status ft__linear_fit(struct ft__linear *linear, const struct ft_surrogate_problem *problem,
			      const double *weight, const double *share, double cut, size_t first, size_t n,
			      bool errors, struct ft_err *err);

/* ft__linear_solve - all targets at once, with the weights that `weigh` sets.
 *
 * weigh  weight[m] > 0 is zero before; it may set linear->noise
 * state  a struct ft__linear of the arena; untouched on failure
 */
typedef enum ft_status ft__linear_weigh(const struct ft_surrogate_problem *problem, struct ft__linear *linear,
					double *weight, struct ft_err *err);
enum ft_status ft__linear_solve(const struct ft_surrogate_problem *problem, bool intercept,
				const char *solver, const struct ft_surrogate_options *options,
				ft__linear_weigh *weigh, struct ft_arena *arena, void **state,
				struct ft_err *err);

/* ft__linear_by_sigma - a `weigh`: 1 / sigma; without sigma each row weighs the same. A new row is taken to
 * be as noisy as the middle one, in proportion to its size. FT_EINVAL: a sigma that is not > 0. */
ft__linear_weigh ft__linear_by_sigma;

/* ft__linear_rows - FT_ENOMODEL when there are fewer rows than unknowns. */
enum ft_status ft__linear_rows(const struct ft_surrogate_problem *problem, bool intercept, const char *solver,
			       struct ft_err *err);

/* What the table's rows name. */
enum ft_status ft__linear_predict(const void *state, const double *x, size_t rows, double confidence,
				  struct ft_estimate *out, struct ft_err *err);
void ft__linear_beta(const void *state, double *beta, double *intercept);
void ft__linear_spread(const void *state, double confidence, struct ft_estimate *beta);
void ft__linear_outcome(const void *state, struct ft_surrogate_outcome *out);
#define FT__LINEAR                                                                                           \
	.linear = true, .predict = ft__linear_predict, .beta = ft__linear_beta, .spread = ft__linear_spread, \
	.outcome = ft__linear_outcome

#endif
