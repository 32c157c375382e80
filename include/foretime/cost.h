/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cost.h - models as costs: what each share of a total takes, as plans want it (plan.h).
 *
 *	struct ft_cost cost;
 *
 *	ft_cost_make(&cost, models, &size, 0, 1000000, NULL, err);
 *	times[i] = (struct ft_plan_times){.n = cost.n, .at = cost.at, .time_s = cost.value};
 */
#ifndef FORETIME_COST_H
#define FORETIME_COST_H

#include "foretime/ask.h"

FT_BEGIN_DECLS

/* The smallest risk of models. */
#define FT_COST_RAREST 0.0005

/* All of it may be zero. */
struct ft_cost_options {
	const struct ft_resource *resource; /* NULL: wall_s */
	double risk; /* share of single runs that may cost more, FT_COST_RAREST .. 0.25; 0: a typical run */
	double memory_risk;  /* share of them that may need more memory than there is; 0: 1 % */
	double memory_bytes; /* what there is; 0: what the machine has; INFINITY: any */
	size_t processors;   /* that work at once in that memory, and share it alike; 0: one */
	double most;         /* that a share may cost: more will not do; 0: any */
	int64_t step;        /* shares are multiples of it; 0: 1 */
	uint64_t effort;     /* shares to look at; 0: 3000 */
};

/* Why there is an end. X(name, what a person reads) */
#define FT_COST_END_LIST(X)                                                                                  \
	X(NONE, "no end")                                                                                    \
	X(MEMORY, "memory")                                                                                  \
	X(FAILED, "no run as large ended well")                                                              \
	X(WHERE, "the program's constraint")                                                                 \
	X(LIMIT, "the longest run that is let")

enum ft_cost_end {
#define FT_COST_END_ENUM(name, words) FT_COST_##name,
	FT_COST_END_LIST(FT_COST_END_ENUM)
#undef FT_COST_END_ENUM
};

const char *ft_cost_end_text(enum ft_cost_end end);

/* Knots with straight lines between them, the first at 1; INFINITY where a share will not do. */
struct ft_cost {
	int64_t *at;   /* [n] ascending */
	double *value; /* [n] unit of the resource */
	size_t n;
	double risk;  /* that was planned with; 0: typical runs */
	bool rough;   /* the model is too rough for its typical run: the upper end at 5 % stands for it */
	double error; /* how far lines lie from the model where that was looked at, as a share; 0: every share
			 is a knot */
	int64_t most; /* the largest share that will do; 0: none */
	enum ft_cost_end end; /* why none that is larger does */
	double memory_bytes;  /* that it may need; INFINITY: any, or nothing is known of what it needs */
	uint64_t evaluations; /* shares that were looked at */
};

/* ft_cost_make - what a program costs at 1 .. most units of a parameter.
 *
 * size     the values of the other parameters, as ft_ask_size fills them; that of `varying` is passed over
 * varying  the parameter that is divided
 * most     1 .. 2^53
 * options  may be NULL
 * out      ends with ft_cost_clear; cleared on failure
 *
 * Where most / step is no more than 512, every share is a knot. Else knots are put, breadth first, until
 * lines between them lie within 0.1 % of the model or the effort is spent; edges (memory, failures) are found
 * to the step. A share costs INFINITY where memory at the risk does not fit, where no run as large ended
 * well, above options->most, and where the program's constraint is not met.
 *
 * Returns FT_OK; FT_EINVAL: most, the risk; FT_ENOMODEL: a law that was never tried has no risk; what
 * ft_ask_predict returns.
 */
enum ft_status ft_cost_make(struct ft_cost *out, struct ft_answerer *answerer, const struct ft_size *size,
			    size_t varying, int64_t most, const struct ft_cost_options *options,
			    struct ft_err *err);
void ft_cost_clear(struct ft_cost *cost); /* accepts NULL, and twice */

/* ft_cost_at - what one size costs: the same, without knots. end: why it will not do (*value INFINITY); may
 * be NULL. */
enum ft_status ft_cost_at(struct ft_answerer *answerer, const struct ft_size *size, size_t varying,
			  const struct ft_cost_options *options, double *value, enum ft_cost_end *end,
			  struct ft_err *err);

FT_END_DECLS
#endif
