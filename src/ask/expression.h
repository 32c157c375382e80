/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expression.h - a request for all sizes, of one resource: what its writers share. */
#ifndef FT_ASK_EXPRESSION_H
#define FT_ASK_EXPRESSION_H

#include "ask/request.h"
#include "base/text.h"

/* What is asked, of one resource. */
struct ft__asked {
	struct ft_answerer *answerer;
	const struct ft_size *size;
	size_t axis[FT_PARAMS_MAX], n_axes; /* those that are open */
	const struct ft_need *need;
	bool kills;    /* runs were killed for memory, which is heeded */
	double killed; /* of one open parameter, the least value at which one was; NaN */
	double fine;   /* ft__ask_fineness of the model */
};

/* ft__asked_number - the number at a size; NaN where the model has no answer. */
double ft__asked_number(const struct ft__asked *asked, const struct ft_size *size);

/* ft__text_add_digits - a number of five digits. ft__text_add_power - "^1.5", "^(-0.5)". */
void ft__text_add_digits(struct ft_text *text, double value);
void ft__text_add_power(struct ft_text *text, double power);

/* The expression of one open parameter, or of several. out: its text is heap, NULL on failure. Return FT_OK;
 * FT_ENOMODEL: no size or no number is positive; FT_ENOMEM. */
enum ft_status ft__expression_one(const struct ft__asked *asked, struct ft_request_expression *out,
				  struct ft_err *err);
enum ft_status ft__expression_several(const struct ft__asked *asked, struct ft_request_expression *out,
				      struct ft_err *err);

#endif
