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
	const struct ft_model_record *record; /* of the limit */
	double *at; /* [n_at] ascending: values of the parameter that were measured */
	size_t n_at;
	double fine;  /* neighbouring sizes differ by such a ratio: fine structure (struct ft_fine); 1: there
			 is none */
	double looks; /* so many sizes may still be looked at one by one */
	const struct ft_expr *work;  /* NULL: read from the knots */
	const struct ft_expr *where; /* what sizes must meet; NULL: nothing */
	struct ft_answerer *answerer;
	const struct ft_resource *resource; /* whose model it is */
	struct ft_calibrated_law by_law;    /* of the law that was stated of it; fits: it may answer */
	size_t varying;
	struct ft_size size;   /* of what was asked last */
	struct ft_space space; /* of the parameter that varies */
	double first, last;    /* numbers of the sizes to look at */
	double end;            /* the largest size measured, of all models */
	double confidence;     /* two-sided */
	double most;
	struct ft_err err; /* why a size within the data could not be answered */
};

/* ft__question_turn - from now on the question is about one limit: its model, and the law that was stated of
 * its resource, which answers where ft_ask_predict has it answer. q->at ends with ft_free. */
enum ft_status ft__question_turn(struct ft__question *q, const struct ft_model_record *record,
				 const struct ft_limit *limit, struct ft_err *err);

/* ft__question_predict - what the model of the limit says of a size. */
enum ft_status ft__question_predict(struct ft__question *q, double x, struct ft_prediction *out,
				    struct ft_err *err);

/* ft__question_admits - whether a size meets the constraint. */
bool ft__question_admits(struct ft__question *q, double x);

/* ft__question_admitted - of the sizes from one number to another (up or down) the first that meets the
 * constraint; NaN: none is found. Neighbours are looked at one by one for a while, then ever farther ones;
 * where those change from no to yes, that is bisected. */
double ft__question_admitted(struct ft__question *q, double from, double to);

/* ft__question_search - where the limit is exceeded; sets limit->grows. search: zero-initialised; ends with
 * ft__search_clear, also on failure. */
enum ft_status ft__question_search(struct ft__question *q, struct ft__search *search, struct ft_limit *limit,
				   struct ft_err *err);

/* ft__largest_first - the least value of a parameter that ft_ask_largest looks at. *found: there is one that
 * meets the constraint. */
enum ft_status ft__largest_first(struct ft_answerer *answerer, const struct ft_limit *limit, size_t n,
				 const struct ft_size *fixed, size_t varying, double *first, bool *found,
				 struct ft_err *err);

#endif
