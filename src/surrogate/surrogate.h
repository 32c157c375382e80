/* SPDX-License-Identifier: GPL-3.0-or-later */
/* surrogate.h - surrogates: programs and resources predicted from other ones. */
#ifndef FT_SURROGATE_SURROGATE_H
#define FT_SURROGATE_SURROGATE_H

#include "base/alloc.h"
#include "base/random.h"
#include "foretime/surrogate.h"
#include "surrogate/door.h"

#include <math.h>

/*
 * Choose training rows, rows to predict, and the columns of the basis of a trial.
 */

/* Rows of one repetition; both lists have room for all rows. */
struct ft__split {
	size_t *train, n_train;
	size_t *test, n_test;
	size_t *first, n_groups; /* the first row of each group */
	size_t *order;           /* [n_groups] scratch */
};

/* ft__split_init - of m rows, in the arena's memory; group [m] or NULL. */
enum ft_status ft__split_init(struct ft__split *split, struct ft_arena *arena, const size_t *group, size_t m,
			      struct ft_err *err);

/* ft__split_draw - whole groups in random order until there are `train` rows, of the last one any that are
 * needed; `test` of the rows of other groups (0: all). Rows ascend. */
void ft__split_draw(struct ft__split *split, const struct ft_trials *trials, struct ft_random *random);

/*
 * Estimate missing values from the other values of their row.
 *
 * Logarithms of a row are its pace, the same for all columns and of any size, and a deviation that is jointly
 * normal: columns that went together where both are known go together where one is missing. With few rows
 * the columns' deviations count as independent, and a gap is the product of a row's and a column's factor.
 */

struct ft__gaps {
	size_t n;
	double *mean;    /* [n] */
	double *inverse; /* [n x n] of the covariance */
};

/* ft__gaps_learn - from rows with gaps; in the arena's memory.
 *
 * z      [m x n] logarithms, row-major; NaN: missing; a row without any value is ignored
 * empty  out: the first column without a value; n: there is none
 *
 * By expectation and maximisation, a few rounds of it (Little & Rubin, Statistical analysis with missing
 * data, 2002, section 11.2), correlations shrunk.
 *
 * FT_OK; FT_EINVAL: a column is empty (without a text: the caller has its name), or values too far apart;
 * FT_ENOMEM. Cost O(n^3 + m n^2) a round, and g^3 for a row with g gaps.
 */
enum ft_status ft__gaps_learn(struct ft__gaps *gaps, struct ft_arena *arena, const double *z, size_t m,
			      size_t n, size_t *empty, struct ft_err *err);

/* ft__gaps_fill - each gap of rows z [t x n] becomes what the row's other values lead one to expect; a row
 * without any value stays. FT_OK; FT_ENOMEM. */
enum ft_status ft__gaps_fill(const struct ft__gaps *gaps, double *z, size_t t, struct ft_err *err);

/*
 * Rows in an order that brings those of one group together.
 */

struct ft__kin {
	size_t m;
	size_t *row;            /* [m] */
	size_t *group;          /* [m] 0 .. groups - 1, ascending, of row[i] */
	size_t *first;          /* [groups + 1] where each group begins */
	size_t groups, largest; /* largest: rows of the largest group */
};

/* ft__kin_init - group [m]: equal numbers are kin; NULL: each row by itself. Groups come by their numbers,
 * rows of a group as they stand. In the arena's memory. FT_OK; FT_ENOMEM. */
enum ft_status ft__kin_init(struct ft__kin *kin, struct ft_arena *arena, const size_t *group, size_t m,
			    struct ft_err *err);

/*
 * Shared by the solvers of the table. A solver is a file, solve_NAME.c, and a row in solver.c.
 */

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

/* ft__row_scale - the divisor of a row of the basis that gives each row the same weight: the root of its
 * mean square; 1 for a row of zeros, and for every row if raw is requested. */
double ft__row_scale(const double *x, size_t k, bool raw);

/* ft__left_out - the errors of rows predicted without their group, and the intervals that follow from
   them. */
struct ft__left_out {
	double *error;  /* [n] absolute, standardised, ascending */
	double *weight; /* [n] 1 / rows of its group */
	size_t n, groups;
};

/* ft__left_out_init - from errors [m] (absolute and standardised; NaN: no prediction) and their groups
 * (NULL: each by itself). In the arena's memory. */
enum ft_status ft__left_out_init(struct ft__left_out *out, struct ft_arena *arena, const double *error,
				 const size_t *group, size_t m, struct ft_err *err);

/* ft__left_out_reach - the same for errors that are in units of their deviation. Of so few groups that not
 * even the largest error holds the share, Student's quantile with as many degrees of freedom, and the largest
 * error at least. NaN: fewer than two groups. */
double ft__left_out_reach(const struct ft__left_out *left_out, double confidence);

/* ft__reach - the half width of a prediction interval for a row of standard deviation 1: the quantile of
 * the left-out errors if there are enough groups for it to be an inner one, else Student's with the
 * deviation s and dof degrees of freedom; infinite if nothing is known. */
double ft__reach(const struct ft__left_out *left_out, double s, double dof, double confidence);

/*
 * Weighted least squares and its error estimates: shared by ols, weighted and robust.
 */

/* The state of a linear solver. */
struct ft__linear {
	size_t m, k, q;
	size_t c; /* columns: k, and one for the intercept */
	bool raw, intercept;
	double noise;                  /* standard deviation of a row, over ft__row_scale of it */
	double *beta;                  /* [c x q] */
	bool *known;                   /* [c] false: the rows cannot separate this beta from other ones */
	double *root;                  /* [q x c x c]: root root' s^2 is the covariance of a target's beta */
	double *s;                     /* [q] standard deviation of a row of weight 1; NaN: not known */
	double *loss;                  /* [q] the weighted sum of squares */
	double *dof;                   /* [q] */
	struct ft__left_out *left_out; /* [q] */
	struct ft_surrogate_outcome outcome;
	struct ft_arena *arena; /* of all this */
};

/* ft__linear_solve - all targets at once, with the weights that `weigh` sets.
 *
 * weigh  weight[m] > 0 is zero before; it may set linear->noise
 * state  a struct ft__linear of the arena; untouched on failure
 */
typedef enum ft_status ft__linear_weigh(const struct ft_surrogate_problem *problem, struct ft__linear *linear,
					double *weight, struct ft_err *err);

/* ft__linear_by_sigma - a `weigh`: 1 / sigma; without sigma each row weighs the same. A new row is taken to
 * be as noisy as the middle one, in proportion to its size. FT_EINVAL: a sigma that is not > 0. */
ft__linear_weigh ft__linear_by_sigma;

/* What the table's rows name. */
enum ft_status ft__linear_predict(const void *state, const double *x, size_t rows, double confidence,
				  struct ft_estimate *out, struct ft_err *err);
void ft__linear_beta(const void *state, double *beta, double *intercept);
void ft__linear_spread(const void *state, double confidence, struct ft_estimate *beta);
void ft__linear_outcome(const void *state, struct ft_surrogate_outcome *out);
#define FT__LINEAR                                                                                           \
	.linear = true, .predict = ft__linear_predict, .beta = ft__linear_beta, .spread = ft__linear_spread, \
	.outcome = ft__linear_outcome

/*
 * Shared by the solvers on logarithms: the representation of a row of the basis, and of a target relative to
 * it.
 *
 * A row is represented by the logarithm of its geometric mean (how slow the machine is overall) and the rest
 * of each logarithm (its strengths and weaknesses). A target is the logarithm of its ratio to that mean,
 * minus the median over the training rows: without further information it follows the mean. So the units of
 * single columns, and a common unit, do not matter.
 */

struct ft__logs {
	size_t k, q;
	double *centre;   /* [k + 1] of each feature over the training rows */
	double *per_unit; /* [k + 1] what a centred feature is multiplied by */
	double *prior;    /* [q] median of the targets */
};

/* ft__logs_init - from a problem whose x and y are all > 0.
 *
 * feature  [m x k + 1] out, centred and scaled to deviation 1 (a feature with less variation than the noise
 * of measurements stays small)
 * target   [m x q] out
 *
 * In the arena's memory. FT_OK; FT_ENOMEM. Cost O(m (k + q)).
 */
enum ft_status ft__logs_init(struct ft__logs *logs, struct ft_arena *arena,
			     const struct ft_surrogate_problem *problem, double *feature, double *target,
			     struct ft_err *err);

/* ft__logs_features - of other rows x [t x k]: feature [t x k + 1], mean [t] the logarithms of the geometric
 * means. */
void ft__logs_features(const struct ft__logs *logs, const double *x, size_t t, double *feature, double *mean);

/* ft__logs_estimate - a target (from its prior) and its error, both logarithms, as an estimate of the
 * measurement. half: NaN if it is not known. */
struct ft_estimate ft__logs_estimate(const struct ft__logs *logs, size_t target, double mean, double value,
				     double half);

/* ft__distances - between the rows of features [m x d].
 *
 * square  [m x m] out, squared, on and above the diagonal
 * median  out, of those above it; where most rows are twins the mean, where all are 1
 *
 * FT_OK; FT_ENOMEM. Cost O(m^2 d).
 */
enum ft_status ft__distances(const double *feature, size_t m, size_t d, double *square, double *median,
			     struct ft_err *err);

/*
 * Shared by the readers of tables and the maker of matrices.
 */

/*
 * Gaussian-process regression with several targets over the same rows, and its predictions of left-out
 * groups of rows.
 *
 * Covariance of two rows: linear f.f' + smooth M(|f - f'| / length) + constant, M(u) = (1 + sqrt(3) u)
 * exp(-sqrt(3) u), and noise on the diagonal. A common factor of all four changes no prediction and no
 * interval.
 * Source: Rasmussen & Williams, Gaussian processes for machine learning, 2006, algorithm 2.1 and
 * section 5.4.2 (leaving out), there for single rows.
 */

struct ft__kernel {
	double linear, smooth, constant, noise;
	double length; /* of the smooth part, unit of the features */
};

struct ft__process {
	struct ft__kernel kernel;
	size_t m, d, q;
	double *feature;               /* [m x d] of the rows, kin side by side */
	double *norm;                  /* [m] |f|^2 */
	double *factor;                /* [m x m] U, U' U = covariance */
	double *weight;                /* [q x m] covariance^-1 targets */
	struct ft__left_out *left_out; /* [q] of errors over their predicted deviation */
};

/* ft__process_fit - feature [m x d], target [m x q], group [m] or NULL, all borrowed; in the arena's memory.
 *
 * square  [m x m] squared distances on and above the diagonal, as ft__distances has them
 *
 * error  [m x q] out: of each target with the row's whole group left out, in the order of the rows; may be
 *        NULL
 *
 * FT_OK; FT_EINVAL: not positive definite; FT_ENOMEM. Cost O(m^3); a group of s rows s^2 (m + s) besides.
 */
enum ft_status ft__process_fit(struct ft__process *process, struct ft_arena *arena,
			       const struct ft__kernel *kernel, const double *feature, const double *target,
			       const size_t *group, size_t m, size_t d, size_t q, const double *square,
			       double *error, struct ft_err *err);

/* ft__process_predict - targets on other rows.
 *
 * feature     [t x d]
 * value       [t x q] out
 * half        [t x q] out, half the interval's width; NaN: with fewer than two groups it is not known
 *
 * FT_OK; FT_ENOMEM. Cost O(t m (m + d + q)).
 */
enum ft_status ft__process_predict(const struct ft__process *process, const double *feature, size_t t,
				   double confidence, double *value, double *half, struct ft_err *err);

/*
 * Tests of residuals.
 */

/* ft__residuals_read - a trend, a spread that is not even, outliers.
 *
 * residual, fitted  [m]; residuals as they should be alike: divided by the row's scale
 * outlier           [m] out
 *
 * Returns FT_OK; FT_ENOMEM.
 */
enum ft_status ft__residuals_read(const double *residual, const double *fitted, size_t m,
				  struct ft_residuals *out, bool *outlier, struct ft_err *err);

/*
 * Columns by the name of a program and its size.
 */

/* ft__sized_name_column - the column of that name at a size (NaN: without one); -1: there is none. */
long ft__sized_name_column(const struct ft_matrix *matrix, const char *name, double n);

/*
 * The results of predictions, and of the rows that they were learned from.
 */

/* Of one target, over all its fits. Zero-initialise. */
struct ft__scored {
	double *error; /* (p - y) / y */
	size_t n, capacity;
	double rae, coverage; /* sums over fits */
	size_t fits, varying; /* number of fits with a known rae */
	double left, spread;  /* of residuals (y - p) / y: their mean so far, the sum of squares about it */
	size_t residuals;
};

#endif
