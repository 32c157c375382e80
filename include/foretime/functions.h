/* SPDX-License-Identifier: GPL-3.0-or-later */
/* functions.h - how the functions of a program grow: a law for each, from profiles at a few sizes.
 *
 *	struct ft_functions functions = {0};
 *
 *	ft_functions_add(&functions, 1000, &profile, err);       for each size
 *	ft_functions_fit(&functions, &(struct ft_functions_query){.at = 300000, .confidence = 0.9}, err);
 *	functions.function[0].name                                takes most at 300,000
 *	ft_functions_clear(&functions);
 *
 * The sum of the laws of many functions is closer to the truth than one law of the whole: where a whole is
 * a sum of several terms each function mostly has one, and counts of instructions have no noise.
 */
#ifndef FORETIME_FUNCTIONS_H
#define FORETIME_FUNCTIONS_H

#include "foretime/base.h"
#include "foretime/facts.h"
#include "foretime/law.h"

#include <stdbool.h>

FT_BEGIN_DECLS

enum { FT_FUNCTIONS_PROFILES = 32, FT_FUNCTION_TEXT = 160 };

/* What the prediction of a function rests on. */
enum ft_function_basis {
	FT_FUNCTION_LAW, /* a law of its counts */
	FT_FUNCTION_SHARE, /* it was seen at the largest size alone, or the smaller ones do not predict that: it keeps
			       its share among the functions with laws */
	FT_FUNCTION_GONE, /* it takes no instructions at the largest size: its prediction is 0 */
	FT_FUNCTION_SMALL /* below a thousandth of the whole at each size: all of these have one law together */
};
const char *ft_function_basis_text(enum ft_function_basis basis);

struct ft_function {
	const char *name, *object,
		*file; /* as of ft_profile_function; of stripped code whose functions are not
					     the same at all sizes the object alone, and no name ("") */
	bool nameless, recursive;
	double exclusive[FT_FUNCTIONS_PROFILES], inclusive[FT_FUNCTIONS_PROFILES]; /* of each profile */

	/* set by ft_functions_fit. The law is of exclusive counts; the other ones of the requested count */
	enum ft_function_basis basis;
	double now, share_now;      /* at the largest size; of the whole */
	double value, lower, upper; /* at the requested size; NaN: exclusive ones of SMALL */
	double share;               /* of the whole there, the sum of the laws; NaN: as value */
	double begins; /* the smallest size at which it takes any, or more than a return; NaN: at the first one */
	double overtakes; /* the size from which on it takes more than the largest one now; NaN: none within a
				       million times the largest size */
	double misfit;    /* of the law, as of ft_laws; NaN: there is none */
	bool exact;
	char law[FT_FUNCTION_TEXT];  /* "3.1*n^2 + 5200"; "": there is none */
	char kind[FT_FUNCTION_TEXT]; /* "n^2"; "": there is none */
	size_t laws;                 /* place in ft_functions.laws + 1; 0: none */
	size_t mostly; /* of inclusive counts: `added` + 1 of the function that the largest part of `value` is of; 0:
				exclusive ones, or none */
	double mostly_share; /* and its part */
	size_t added;        /* how many were added before it */
};

/* A prediction of all functions together. */
struct ft_functions_whole {
	double now, value, lower, upper;
	char law[FT_FUNCTION_TEXT]; /* "": a sum of laws */
};

/* Zero-initialise; ends with ft_functions_clear. */
struct ft_functions {
	struct ft_function *function; /* [n] after a fit the largest first, at the requested size */
	size_t n, capacity;
	double size[FT_FUNCTIONS_PROFILES], whole[FT_FUNCTIONS_PROFILES]; /* [profiles] in their order */
	size_t profiles;

	/* by ft_functions_fit */
	struct ft_laws *laws; /* [n_laws] the first is of the whole, the second of the small ones together */
	size_t n_laws;
	struct ft_functions_whole of_whole, of_sum;
	double small_now, small_value; /* of the functions with one law together */
	size_t small;                  /* how many */
	bool small_law;                /* they have a law; else they keep their share */
	double growth;                 /* of all with a law, from the largest size to the requested one */
	double largest;                /* the largest size */
	double varies;  /* largest relative difference of counts of one size; 0: they are the same;
					  NaN: no size was counted twice */
	bool inclusive; /* as requested */
	struct ft_functions__names *names;
	struct ft_profile_call *call; /* [calls] at the largest size, by `added` */
	size_t calls;
};

void ft_functions_clear(struct ft_functions *functions); /* accepts NULL, and twice */

/* ft_functions_add - the profile of a size, which may have been profiled before. Its texts are copied.
 *
 * Returns FT_OK; FT_EINVAL: a size that is not finite or not positive, or more than FT_FUNCTIONS_PROFILES;
 * FT_ENOMEM: the functions are as they were.
 */
enum ft_status ft_functions_add(struct ft_functions *functions, double size, const struct ft_profile *profile,
				struct ft_err *err);

struct ft_functions_query {
	double at;         /* the size to predict */
	double confidence; /* of intervals, 0.5 .. 0.999 */
	bool inclusive; /* counts with all that a function calls: the laws of what it calls, as much of each as came
			   from this function at the largest size (as gprof shares a cost among callers) */
	const char *parameter; /* in laws; NULL: "n" */
};

/* ft_functions_fit - the laws, and what they predict. May be called again; functions are then sorted again.
 *
 * Returns FT_OK; FT_ENOMODEL: fewer than four sizes; FT_EINVAL: a size to predict that is not positive;
 * FT_ENOMEM. Cost: about 0.3 ms for each function that takes a thousandth of the whole or more.
 */
enum ft_status ft_functions_fit(struct ft_functions *functions, const struct ft_functions_query *query,
				struct ft_err *err);

/* ft_functions_value - the prediction of the exclusive count of one function at a size; NaN: of those that are
 * small, or after a fit of inclusive counts. */
double ft_functions_value(const struct ft_functions *functions, const struct ft_function *function, double x);

/* ft_functions_small - the prediction of the small ones together at a size. */
double ft_functions_small(const struct ft_functions *functions, double x);

FT_END_DECLS
#endif
