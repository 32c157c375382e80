/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cover.h - a short formula above given points and not far above: the greatest of a few terms a + b x^p y^q.
 */
#ifndef FT_ASK_COVER_H
#define FT_ASK_COVER_H

#include "foretime/facts.h"

/* The ends of the data along an axis. */
struct ft__extent {
	double least, most;
};

/* A point that must lie below. */
struct ft__floor {
	double ln[FT_PARAMS_MAX]; /* of its place */
	double value;             /* > 0 */
	double weight;            /* what a share above it counts; 0: it must only lie below */
};

/* a + b x^p y^q ..., from one value of an axis on, up to another one, which are NaN where it has no end; on
 * an axis along which the formula falls `from` is the larger one. At `from` itself it is not, at `upto` it
 * is. outside: instead, where a parameter is beyond the data, on the side where the formula is larger. */
struct ft__term {
	double a, b, power[FT_PARAMS_MAX];
	double from, upto;
	bool outside;
};

enum { FT__TERMS_MAX = 4 };

struct ft__cover {
	struct ft__term term[FT__TERMS_MAX];
	size_t n, axes, axis;
	bool falls[FT_PARAMS_MAX]; /* ... along that axis: no power is positive; elsewhere none is negative */
	double most[FT_PARAMS_MAX]; /* the end of the data, ln */
	double cost; /* sum of weight times share above, and ft__number_price for each number that is written
		      */
};

/* ft__cover_value - at a place, of which the ln are given; ft__term_value - of one term, where it is. */
double ft__cover_value(const struct ft__cover *cover, const double *ln);
double ft__term_value(const struct ft__term *term, size_t axes, const double *ln);

/* ft__term_numbers - how many numbers it is written with. */
size_t ft__term_numbers(const struct ft__term *term, size_t axes);

/* ft__round_digits - to three digits: up, down or to the nearest one. value >= 0 */
enum ft__rounding { FT__DOWN, FT__NEAREST, FT__UP };
double ft__round_digits(double value, enum ft__rounding rounding);

/* ft__cover_raise - multiply by a factor >= 1, and round up. */
void ft__cover_raise(struct ft__cover *cover, double factor);

/* What a number that is written must save, as a share of what is asked for in the mean. */
extern const double ft__number_price;

/* How powers are looked for: the step that is the finest, 0.01 as printed, and the largest power. */
struct ft__powers {
	double finest, steepest;
};

/* ft__term_fit - the term without ends that is cheapest: sum of weight times the share above the greater of
 * value and base, and the price of its numbers; no less than the value of each point that it must cover.
 *
 * point  [n] whose powers are to be >= 0
 * base   [n] what is asked for anyway; NULL: nothing
 * must   [n] which points it has to cover; NULL: all
 * scratch [(4 + axes) n]
 *
 * Returns the cost. No allocation. Cost: some hundred passes over the points for each axis.
 */
double ft__term_fit(const struct ft__floor *point, size_t n, size_t axes, const double *base,
		    const bool *must, struct ft__powers powers, double *scratch, struct ft__term *out);

/* ft__cover_fit - a formula above all points that is monotone along each axis, of numbers of three digits: as
 * printed, it is above.
 *
 * point  [n] n >= 1
 * data   [axes] beyond these one term may be for all
 * end    [axes x n_ends] values of each axis at which terms may end; NaN: none
 *
 * Returns FT_OK; FT_ENOMEM. Cost: ft__term_fit for each end and term.
 */
enum ft_status ft__cover_fit(const struct ft__floor *point, size_t n, size_t axes,
			     const struct ft__extent *data, const double *end, size_t n_ends,
			     struct ft__cover *out);

#endif
