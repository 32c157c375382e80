/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process.h - Gaussian-process regression with several targets over the same rows, and what it foretells of
 * groups of rows that it has not seen.
 *
 * Covariance of two rows: linear f.f' + smooth M(|f - f'| / length) + constant, M(u) = (1 + sqrt(3) u)
 * exp(-sqrt(3) u), and noise on the diagonal. Scaling all four alike changes no prediction and no interval.
 * Source: Rasmussen & Williams, Gaussian processes for machine learning, 2006, algorithm 2.1 and
 * section 5.4.2 (leaving out), there for single rows.
 */
#ifndef FT_SURROGATE_PROCESS_H
#define FT_SURROGATE_PROCESS_H

#include "surrogate/solver.h"

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
	struct ft__left_out *left_out; /* [q] of errors over their foretold deviation */
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
 * half        [t x q] out, half the interval's width; NaN: with fewer than two groups nothing is known of it
 *
 * FT_OK; FT_ENOMEM. Cost O(t m (m + d + q)).
 */
enum ft_status ft__process_predict(const struct ft__process *process, const double *feature, size_t t,
				   double confidence, double *value, double *half, struct ft_err *err);

#endif
