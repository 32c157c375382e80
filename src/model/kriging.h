/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kriging.h - Gaussian-process interpolation over a few dimensions: a plane, a sum of functions of one
 * coordinate each, an interaction, and the noise of what was measured. doc/models.md has the formulas. */
#ifndef FT_MODEL_KRIGING_H
#define FT_MODEL_KRIGING_H

#include "model/surface.h"

/* Matern kernels of smoothness 1/2, 3/2 and 5/2. */
enum { FT__KRIG_ROUGH, FT__KRIG_SMOOTH, FT__KRIG_SMOOTHER };

/* Knots, and what follows from them. Zero-initialise; ends with ft__krig_clear. */
struct ft__krig {
	size_t n, d;
	struct ft_kernel kernel;
	double slope[FT_PARAMS_MAX]; /* how steep a plane may be: standard deviation over the unit box */
	double *x;                   /* [n x d] coordinates, the unit box */
	double *y;                   /* [n] less mean */
	double *h;                   /* [n] standard deviation of the knot's own error */
	double *factor;              /* [n x n] lower, of the covariance */
	double *alpha;               /* [n] covariance^-1 y */
	double mean;
	double inflation; /* how many times larger the leave-one-out errors are than foretold; >= 1 */
};

/* ft__krig_new - room for n knots in d dimensions, to be filled in (x, y, h, slope). FT_OK; FT_ENOMEM. */
enum ft_status ft__krig_new(struct ft__krig *krig, size_t n, size_t d, struct ft_err *err);
void ft__krig_clear(struct ft__krig *krig);

/* ft__krig_tune - choose the kernel by likelihood, from the one that stands in krig->kernel (all zero: the
 * usual one); then everything else. y loses its mean. Cost O(40 n^3 / 6). */
void ft__krig_tune(struct ft__krig *krig);

/* ft__krig_solve - the same with the kernel that stands in krig->kernel; inflation is left alone. */
void ft__krig_solve(struct ft__krig *krig);

/* ft__krig_check - leave-one-out: residual [n] of y, may be NULL; sets krig->inflation. Cost O(n^3 / 3).
 * Source: Rasmussen & Williams, Gaussian processes for machine learning, 2006, eq. 5.10 - 5.12. */
enum ft_status ft__krig_check(struct ft__krig *krig, double *residual, struct ft_err *err);

/* ft__krig_dot - the sum of products of two lists. */
double ft__krig_dot(const double *a, const double *b, size_t n);

/* ft__krig_cov - covariance of y at two places, h their own errors (0: none). */
double ft__krig_cov(const struct ft__krig *krig, const double *a, double ha, const double *b, double hb);

/* ft__krig_lower - solves factor * w = v in place; v [n]. */
void ft__krig_lower(const struct ft__krig *krig, double *v);

/* ft__krig_at - y at a place and the standard deviation of its error, inflation included.
 * scratch  [n] */
double ft__krig_at(const struct ft__krig *krig, const double *x, double *scratch, double *sd);

#endif
