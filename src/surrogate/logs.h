/* SPDX-License-Identifier: GPL-3.0-or-later */
/* logs.h - what the solvers on logarithms share: how a row of the basis is seen, and a target relative to it.
 *
 * A row is seen as the logarithm of its geometric mean (how slow the machine is on the whole) and as what is
 * left of each logarithm (what it is good and bad at). A target is the logarithm of its ratio to that mean,
 * less the median over the training rows: where nothing else is known, it follows the mean. The unit of a
 * program's column is so of no account, and neither is that of all.
 */
#ifndef FT_SURROGATE_LOGS_H
#define FT_SURROGATE_LOGS_H

#include "base/arena.h"
#include "foretime/surrogate.h"

struct ft__logs {
	size_t k, q;
	double *centre;   /* [k + 1] of each feature over the training rows */
	double *per_unit; /* [k + 1] what a centred feature is multiplied by */
	double *prior;    /* [q] median of the targets */
};

/* ft__logs_init - from a problem whose x and y are all > 0.
 *
 * feature  [m x k + 1] out, centred and scaled to deviation 1 (a feature that varies by less than the noise
 *          of measurements stays small)
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

/* ft__logs_estimate - a target (from its prior) and how far it may be wrong, both logarithms, as an estimate
 * of what is measured. half: NaN where nothing is known. */
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

#endif
