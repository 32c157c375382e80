/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lad.h - least absolute deviations with coefficients that are not negative, as a linear programme. */
#ifndef FT_NUM_LAD_H
#define FT_NUM_LAD_H

#include "foretime/status.h"

#include <stdbool.h>

struct ft_lad;

/* ft_lad_new - min sum_i |y_i - x_i b| over b >= 0, made ready for several y: each starts where the last one
 * ended.
 *
 * x  [m x k] row-major, finite, borrowed during the call; m, k >= 1
 *
 * The programme is the dual one, k rows with a bounded column for each row of x: max y'z, x'z <= 0, -1 <= z
 * <= 1; b are its multipliers. GLPK keeps an environment for each thread.
 *
 * Returns FT_OK; FT_ENOMEM.
 */
enum ft_status ft_lad_new(const double *x, size_t m, size_t k, struct ft_lad **out, struct ft_err *err);
void ft_lad_free(struct ft_lad *lad); /* accepts NULL */

/* ft_lad_skip - leave row i out of the sum, or take it in again. */
void ft_lad_skip(struct ft_lad *lad, size_t i, bool skip);

/* ft_lad_solve
 *
 * y     [m] finite
 * most  iterations at most; 0: as many as it takes
 * b     out [k] >= 0
 * z     out [m] the dual solution: the sum is y'z (over rows that are not left out); may be NULL
 * converged, iterations  out; not converged: b is the last iterate
 */
enum ft_status ft_lad_solve(struct ft_lad *lad, const double *y, size_t most, double *b, double *z,
			    bool *converged, size_t *iterations, struct ft_err *err);

#endif
