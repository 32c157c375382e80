/* SPDX-License-Identifier: GPL-3.0-or-later */
/* places.h - where an expression is held against the numbers of a request. */
#ifndef FT_ASK_PLACES_H
#define FT_ASK_PLACES_H

#include "ask/cover.h"
#include "ask/request.h"

/* What is asked, of one resource. */
struct ft__asked {
	struct ft_answerer *answerer;
	const struct ft_size *size;
	size_t axis[FT_PARAMS_MAX], n_axes; /* those that are open */
	const struct ft_need *need;
	bool kills;   /* runs were killed for memory, which is heeded */
	double fine;  /* ft__ask_fineness of the model */
	double reach; /* beyond so many times the largest values measured, >= 1, requests are not known */
};

/* Of one axis: values, ascending and different, all positive. */
struct ft__values {
	double *x;
	size_t n, capacity;
};

/* The product of the lines, as far as the model has an answer there, and the sizes measured. */
struct ft__places {
	struct ft__values line[FT_PARAMS_MAX];
	struct ft__extent data[FT_PARAMS_MAX];
	size_t axes;
	struct ft__floor *point;
	size_t n, capacity;
	double *end; /* [axes x n_ends] where terms may end; NaN: none */
	size_t n_ends;
	size_t checked; /* so many places more were looked at */
};

/* ft__places_find - and their numbers.
 *
 * Returns FT_OK; FT_ENOMODEL: no size or no number is positive; FT_ENOMEM. Ends with ft__places_clear, also
 * on failure. */
enum ft_status ft__places_find(const struct ft__asked *asked, struct ft__places *out, struct ft_err *err);
void ft__places_clear(struct ft__places *places);

/* ft__places_check - hold a cover against the numbers at more places, others at each call; those that it does
 * not cover are added. short_of: out, 1: it is above all, else by which factor it is not.
 *
 * Returns FT_OK; FT_ENOMEM. */
enum ft_status ft__places_check(struct ft__places *places, const struct ft__asked *asked,
				const struct ft__cover *cover, double *short_of);

#endif
