/* SPDX-License-Identifier: GPL-3.0-or-later */
/* limit.h - one limit of the inverse question: at which sizes it is exceeded. */
#ifndef FT_ASK_LIMIT_H
#define FT_ASK_LIMIT_H

#include "ask/search.h"
#include "foretime/ask.h"
#include "foretime/expr.h"

/* What is asked, of one limit at a time. */
struct ft__question {
	const struct ft_program *program;
	const struct ft_model *model;
	const struct ft_expr *work; /* NULL: read from the knots */
	size_t varying;
	struct ft_size size; /* of what was asked last */
	struct ft__sizes sizes;
	double first, last; /* numbers of the sizes to look at */
	double end;         /* the largest size measured, of all models */
	double confidence;  /* two-sided */
	double most;
	struct ft_err err; /* why a size within the data could not be answered */
};

/* ft__question_predict - what the model of the limit says of a size. */
enum ft_status ft__question_predict(struct ft__question *q, double x, struct ft_prediction *out,
				    struct ft_err *err);

/* ft__question_search - where the limit is exceeded; sets limit->grows. search: zero-initialised; ends with
 * ft__search_clear, also on failure. */
enum ft_status ft__question_search(struct ft__question *q, struct ft__search *search, struct ft_limit *limit,
				   struct ft_err *err);

#endif
