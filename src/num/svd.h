/* SPDX-License-Identifier: GPL-3.0-or-later */
/* svd.h - singular values. */
#ifndef FT_NUM_SVD_H
#define FT_NUM_SVD_H

#include "foretime/status.h"

#include <stdint.h>

/* ft_svd - the thin singular value decomposition a = u diag(s) v'.
 *
 * a  [m x n] row-major, finite, borrowed; m, n >= 1; r = min(m, n)
 * u  out [m x r] row-major; columns of singular values that are zero are zero
 * s  out [r] descending, >= 0
 * v  out [n x r] row-major
 *
 * Returns FT_OK; FT_ENOMEM. Cost O(max(m, n) r^2 + r^3).
 * Source: Golub & Van Loan, Matrix computations, 4th ed., sections 5.2 (Householder QR) and 8.6.3 (one-sided
 * Jacobi).
 */
enum ft_status ft_svd(const double *a, size_t m, size_t n, double *u, double *s, double *v,
		      struct ft_err *err);

/* ft_svd_first - the r largest singular values with their vectors: u [m x r], s [r], v [n x r]. Of a matrix
 * that is large against r by random projections: good where the values fall; the same for the same seed. Cost
 * O(m n r). */
enum ft_status ft_svd_first(const double *a, size_t m, size_t n, size_t r, uint64_t seed, double *u,
			    double *s, double *v, struct ft_err *err);

#endif
