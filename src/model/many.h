/* SPDX-License-Identifier: GPL-3.0-or-later */
/* many.h - a field of more sizes than are solved at once: those of its sites stand for all (inducing ones),
 * and what the others differ from that by is noise of their own.
 *
 * Source: Snelson and Ghahramani, Sparse Gaussian processes using pseudo-inputs, 2006 (the approximation is
 * called FITC); where all sizes are sites, it is the field itself.
 */
#ifndef FT_MODEL_MANY_H
#define FT_MODEL_MANY_H

#include "model/field.h"

/* What was seen at a size. */
struct ft__seen {
	struct ft__spot spot;
	double y, variance;
	struct ft__known known; /* out: of it */
};

/* Zero-initialise; ends with ft__many_clear. */
struct ft__many {
	size_t m;       /* sites of the field */
	double *first;  /* [m x m] U of their covariance */
	double *second; /* [m x m] U of 1 and what all sizes tell, in units of the first */
	double *alpha;  /* [m] in the same */
	double *space;  /* [m] */
};

/* ft__many_make - of a field that has learned, and all sizes seen [n], its sites among them. FT_ENOMEM.
 * Cost O(n m^2). */
enum ft_status ft__many_make(struct ft__many *many, const struct ft__random_field *field,
			     struct ft__seen *seen, size_t n, struct ft_err *err);
void ft__many_clear(struct ft__many *many); /* accepts NULL, and twice */

/* ft__many_at - as ft__field_at. Cost O(m^2). */
struct ft__known ft__many_at(const struct ft__many *many, const struct ft__random_field *field,
			     const struct ft__spot *spot);

#endif
