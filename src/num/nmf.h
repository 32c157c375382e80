/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nmf.h - a matrix as the product of two that are not negative: x ~ w h, or x ~ w s h. */
#ifndef FT_NUM_NMF_H
#define FT_NUM_NMF_H

#include "foretime/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ft_nmf_loss {
	FT_NMF_FROBENIUS, /* sum (x - wh)^2 */
	FT_NMF_KL,        /* sum x ln(x / wh) - x + wh */
	FT_NMF_NONSMOOTH, /* KL of w s h, s = (1 - theta) I + theta / r: w and h get sparse */
};

enum ft_nmf_start { FT_NMF_GIVEN, FT_NMF_RANDOM, FT_NMF_NNDSVD, FT_NMF_ICA };

struct ft_nmf {
	/* in */
	enum ft_nmf_loss loss;
	bool multiplicative; /* Lee and Seung's updates, in place of HALS and of Newton's steps */
	double smoothness;   /* theta */
	double tolerance;    /* it ends when the loss falls by less than this share of itself */
	size_t most;         /* iterations */
	double *trace;       /* [most + 1] the loss before and after each iteration; NULL: not wanted */
	/* out */
	double value; /* the loss */
	size_t iterations;
	bool converged;
};

/* ft_nmf_begin - a start.
 *
 * x  [m x n] row-major, finite, >= 0; m, n >= r >= 1
 * w  out [r x m]: the columns of W, each contiguous
 * h  out [r x n]
 *
 * nndsvd: positive parts of singular vectors (Boutsidis & Gallopoulos, 2008), zeros filled with the mean when
 * `fill`; ica: positive parts of FastICA's sources and mixture (Hyvarinen, 1999); random: uniform, of x's
 * mean.
 *
 * Returns FT_OK; FT_ENOMEM.
 */
enum ft_status ft_nmf_begin(enum ft_nmf_start start, const double *x, size_t m, size_t n, size_t r, bool fill,
			    uint64_t seed, double *w, double *h, struct ft_err *err);

/* ft_nmf_guess - entries of x that are NaN become what their row and column lead one to expect: the product
 * of a row's and a column's factor. For ft_nmf_begin, which needs all of them. FT_ENOMEM. */
enum ft_status ft_nmf_guess(double *x, size_t m, size_t n, struct ft_err *err);

/* ft_nmf_run - from a start to a factorisation; w, h in and out. An entry of x that is NaN is not known, and
 * is no part of the loss.
 *
 * Squares: hierarchical alternating least squares, several updates of w for each product with x (Gillis &
 * Glineur, 2012); the other two: Newton's steps entry by entry (Hsieh & Dhillon, 2011). Both reach further in
 * the direction in which the factors moved (Ang & Gillis, 2019), and no iteration of any method makes the
 * loss larger. Multiplicative updates: Lee & Seung, 2001; non-smooth: Pascual-Montano et al., 2006. What is
 * not known stands for what w h says of it: the loss with it is never below the one without, and equal to it
 * where the factors are (Zhang, Wang, Ford, Makedon, 2006).
 *
 * Returns FT_OK, also when it did not converge; FT_ENOMEM. Cost of an iteration O(m n r).
 */
enum ft_status ft_nmf_run(struct ft_nmf *nmf, const double *x, size_t m, size_t n, size_t r, double *w,
			  double *h, struct ft_err *err);

/* ft_nmf_find - ft_nmf_begin and ft_nmf_run; x may have entries that are NaN. Of the divergence, least
 * squares come first: they are the cheaper way to where it is nearly least. FT_NMF_GIVEN: from w, h. */
enum ft_status ft_nmf_find(struct ft_nmf *nmf, enum ft_nmf_start start, uint64_t seed, const double *x,
			   size_t m, size_t n, size_t r, double *w, double *h, struct ft_err *err);

/* ft_nmf_other - the factor that fits the other one: w where of_w, else h. */
enum ft_status ft_nmf_other(const struct ft_nmf *nmf, const double *x, size_t m, size_t n, size_t r,
			    double *w, double *h, bool of_w, struct ft_err *err);

/* ft_nmf_smooth - h [r x n] becomes s h. */
void ft_nmf_smooth(double *h, size_t r, size_t n, double smoothness);

#endif
