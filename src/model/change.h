/* SPDX-License-Identifier: GPL-3.0-or-later */
/* change.h - whether newer samples lie systematically off what older ones say. */
#ifndef FT_MODEL_CHANGE_H
#define FT_MODEL_CHANGE_H

#include "foretime/surface.h"

/* The noise of single runs over all sizes: few repetitions at each tell little. */
struct ft__pool {
	double squares, freedom;
};

/* What the older samples say of a size. Logarithms are of value + offset. */
struct ft__said {
	double ln, offset;
	double total; /* standard deviation of ln of one run there, as far as it is foretold */
	double repeated,
		noise; /* of single runs around: what repetitions show, and with what residuals add */
	double runs;   /* that the answer rests on */
	bool at_knot;
};

struct ft__older;

/* A kind of model. fit: of samples [n]; ends with clear. say: false where a model knows nothing: beyond its
 * data its error is its own, not the runs'. */
struct ft__older_type {
	enum ft_status (*fit)(struct ft__older *older, const struct ft_surface_observation *o, size_t n,
			      struct ft_err *err);
	bool (*say)(const struct ft__older *older, const struct ft_surface_observation *o,
		    struct ft__said *said);
	struct ft__pool (*pool)(const struct ft__older *older);
	void (*clear)(struct ft__older *older);
};

extern const struct ft__older_type ft__older_band;    /* sizes of one number */
extern const struct ft__older_type ft__older_surface; /* of several; kernel: which one */

/* A model of the older samples, and how it is made. */
struct ft__older {
	const struct ft__older_type *type;
	bool through_speed;
	enum ft_join join;
	struct ft_kernel kernel;
	struct ft_model band;
	struct ft_surface surface;
};

/* ft__older_fit_band - the band of samples of one number. */
enum ft_status ft__older_fit_band(struct ft_model *out, const struct ft_surface_observation *o, size_t n,
				  bool through_speed, enum ft_join join, struct ft_err *err);

/* ft__change_settle - find the moment from which on samples are off, if there is one, and let the older ones
 * count for less: where a newer one has the same size they go, elsewhere they are moved by the shift.
 * Repeated, for there may be several changes; `change` tells the last one: shift and error of the newer by
 * the older, how many are newer; 0: there is none.
 *
 * observation, index  [*n] in and out, in the order in which they were measured; index goes with them
 *
 * Returns FT_OK; FT_ENOMEM. Cost: up to 80 fits to parts of the samples, of at most 300 of them, for each
 * change and one more.
 */
enum ft_status ft__change_settle(struct ft_surface_observation *observation, size_t *index, size_t *n,
				 struct ft__older *older, struct ft_change *change, struct ft_err *err);

#endif
