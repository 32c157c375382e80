/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cholesky.h - symmetric positive definite systems of up to some thousand unknowns, fast on one core.
 *
 * All matrices are row-major without gaps. A = U' U with U upper triangular; below its diagonal stands
 * whatever stood there. The loops run along rows, so that compilers turn them into vector instructions;
 * every sum has a fixed order: the same input gives the same bits.
 * Source: Golub & Van Loan, Matrix computations, 4th ed., sec. 4.2.
 */
#ifndef FT_NUM_CHOLESKY_H
#define FT_NUM_CHOLESKY_H

#include <stdbool.h>
#include <stddef.h>

/* ft_chol_factor - U of A = U' U, in place.
 *
 * a  [n x n] its upper triangle is read and becomes U
 *
 * Returns false when a pivot is not positive: A is not positive definite; a is then spoilt. Cost n^3 / 3.
 */
bool ft_chol_factor(double *a, size_t n);

/* ft_chol_factor_above - the same, with pivots that are to be greater than this: of a Gram matrix whose
 * columns have length 1, a column's pivot is the square of what the ones before it do not say. */
bool ft_chol_factor_above(double *a, size_t n, double least);

/* ft_chol_forward - v of U' v = b for t right-hand sides at once, in place of b [n x t]. Cost n^2 t. */
void ft_chol_forward(const double *u, size_t n, double *b, size_t t);

/* ft_chol_backward - v of U v = b, in the same way. */
void ft_chol_backward(const double *u, size_t n, double *b, size_t t);

/* ft_chol_solve - x of U' U x = b: forward, then backward. */
void ft_chol_solve(const double *u, size_t n, double *b, size_t t);

/* ft_chol_invert - W = (U')^-1, lower triangular with zeros above; A^-1 = W' W. Cost n^3 / 3.
 * w  [n x n] out */
void ft_chol_invert(const double *u, size_t n, double *w);

/* ft_product_upper - out [m x m] = a [m x n] b [n x m], on and above the diagonal only; what is below is left
 * alone. */
void ft_product_upper(const double *a, const double *b, size_t m, size_t n, double *out);

#endif
