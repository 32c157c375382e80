/* SPDX-License-Identifier: GPL-3.0-or-later */
/* svm.h - support vector regression with a radial kernel, by libsvm. */
#ifndef FT_NUM_SVM_H
#define FT_NUM_SVM_H

#include "base/arena.h"

/* f(x) = sum of coef exp(-gamma |x - support|^2) - shift. */
struct ft_svm {
	size_t n, d;
	double *support; /* [n x d] */
	double *coef;    /* [n] */
	double gamma, shift;
};

struct ft_svm_settings {
	double cost;  /* C > 0: an error beyond the tube costs so much a unit */
	double tube;  /* half its width, unit of y, >= 0 */
	double gamma; /* > 0, one over a squared distance */
};

/* ft_svm_fit - from rows x [m x d], y [m], finite, m >= 1, borrowed.
 *
 * out    in the arena's memory; cleared on failure
 *
 * FT_OK; FT_EUNAVAIL: libsvm is not installed; FT_EINVAL: a setting that it refuses; FT_ENOMEM (libsvm itself
 * does not look whether it got memory). Prints nothing. Not for several threads: libsvm's way to be silent is
 * process-wide. Cost O(m^2 d) and more, by libsvm's SMO (Chang & Lin, LIBSVM, ACM TIST 2011).
 */
enum ft_status ft_svm_fit(struct ft_svm *out, struct ft_arena *arena, const double *x, const double *y,
			  size_t m, size_t d, const struct ft_svm_settings *settings, struct ft_err *err);

double ft_svm_at(const struct ft_svm *svm, const double *x); /* x [d] */

#endif
