/* SPDX-License-Identifier: GPL-3.0-or-later */
/* door.h - what other rooms and commands use of law beyond its interface. */
#ifndef FT_LAW_DOOR_H
#define FT_LAW_DOOR_H

#include "facts/door.h"
#include "foretime/base.h"
#include "foretime/law.h"

#include <stdbool.h>

/* ---- one law ------------------------------------------------------------------------------------------ */

/* ft_law_class_format - a factor in words: "n log n", "n^1.5", "constant". */
size_t ft_law_class_format(const struct ft_law_factor *factor, const char *name, char *buffer, size_t size);

/* ---- what the samples show -------------------------------------------------------------------------------
 */

/* A size that was measured. */
struct ft_law_knot {
	double x;
	double mean;    /* of the samples, unit of the resource */
	size_t count;   /* how many; >= 1 */
	double scatter; /* sum of squares of value / mean - 1 */
};

/* ft_laws_fit_knots - ft_laws_fit of sizes, ascending and different. */
enum ft_status ft_laws_fit_knots(struct ft_laws *out, const struct ft_law_knot *knot, size_t n,
				 const struct ft_law_options *options, struct ft_err *err);

/* A number of a law, with its interval; NaN: as many coefficients as sizes. */
struct ft_law_number {
	double value, lower, upper;
};

/* ft_laws_words - the class with its evidence: "n log n (0.81), not n (0.02)", "n^2 (0.48), perhaps n^2 log n
 * (0.30)". Numbers are the weights of the classes.
 *
 * name  of the parameter; NULL: "n"
 *
 * Returns the length of the whole text, as snprintf does.
 */
size_t ft_laws_words(const struct ft_laws *laws, const char *name, char *buffer, size_t size);

/* ft_laws_power - of a law c0 + c1 n^a whose a was found: a, and the interval that holds the share
 * `confidence` of what is believed of it. False: the class that is believed in most is another. */
bool ft_laws_power(const struct ft_laws *laws, double confidence, struct ft_law_number *out);

/* The prediction of the laws of one class for a size. */
struct ft_law_part {
	double ln;     /* mean of ln value */
	double error;  /* its standard deviation: the level's own, and what differs within the class */
	double weight; /* of the class there */
	double power;  /* how the class grows at last: i of n^i log(n)^j; 6: faster than any power */
};

/* ft_laws_parts - the belief at a size by classes of laws.
 *
 * part  [most] out: the heaviest first, weights summing to 1; lighter classes are left out
 *
 * Returns how many; 0: no law has a value there. Breaks are passed over. Cost about 10 us.
 */
size_t ft_laws_parts(const struct ft_laws *laws, double x, size_t most, struct ft_law_part *part);

/* ---- several parameters -------------------------------------------------------------------------------- */

enum { FT_LAW_CANDIDATES = 16 };

struct ft_law_place {
	double x[FT_LAW_PARAMS], value;
};

struct ft_law_candidate {
	struct ft_law law;
	double weight;
	double covariance[FT_LAW_TERMS + 1][FT_LAW_TERMS + 1]; /* of the constant and the coefficients */
};

struct ft_laws_many {
	size_t params, candidates;
	struct ft_law_candidate candidate[FT_LAW_CANDIDATES]; /* the heaviest first */
	bool exact;
	double misfit, residual, residual_ln, noise; /* as of ft_laws; the first candidate's */
	size_t places, runs;
	double least[FT_LAW_PARAMS], most[FT_LAW_PARAMS];
	double hidden[FT_LAW_PARAMS]; /* how much of the value a term that grows by one power more may be at
					 most[p], and not be seen: one standard deviation */
};

/* ft_laws_fit_many - laws of 2 to 4 parameters: a constant and products of one shape of each parameter, as
 * 3*n^2*m + 5*m (the form of Extra-P: sums and products of each parameter's term). A parameter may also
 * divide: n^2/p.
 *
 * sample  [n] in any order, on a grid, on lines, or anywhere; lines along each parameter are best
 * params  2 .. 4
 *
 * Returns FT_OK; FT_EINVAL; FT_ENOMODEL: fewer than 4 places, or a parameter that never varies, or a value of
 * 0; FT_ENOMEM. Cost O(n) and some milliseconds.
 */
enum ft_status ft_laws_fit_many(struct ft_laws_many *out, const struct ft_law_place *sample, size_t n,
				size_t params, struct ft_err *err);

/* ft_laws_predict_many - as ft_laws_predict; both intervals are the same. Outside the measured range they
 * hold what may be hidden there: a parameter that changed nothing may change much. x [params] */
enum ft_status ft_laws_predict_many(const struct ft_laws_many *laws, const double *x, double confidence,
				    enum ft_law_of of, struct ft_law_prediction *out, struct ft_err *err);

/* ft_laws_hidden - one standard deviation of ln of a value by what the runs may hide: a term that grows by
 * one power more in a parameter than what they show, and is too small there to be seen. 0 where no parameter
 * is outside the measured range. x [params]; cost O(params) */
double ft_laws_hidden(const struct ft_laws_many *laws, const double *x);

/* ---- sums of either sign ---------------------------------------------------------------------------------
 */

enum { FT_LAW_SUM_TERMS = 2 };

/* What values that may be negative obey: a sum of one or two terms, and perhaps a constant, of either sign.
 */
struct ft_law_sums {
	size_t candidates;
	struct ft_law_candidate
		candidate[FT_LAW_CANDIDATES]; /* the heaviest first; no terms: all values are 0 */
	double residual; /* of the first: root of the sum of squares over the sizes, unit of the value */
	double r2;     /* 1 less the rest over the sum of squares about the mean; NaN: all values are alike */
	double misfit; /* root mean square of relative errors; what is below a hundredth of the largest value
			  counts as that */
	double noise;  /* as of ft_laws */
	size_t sizes, runs;
	double least, most;
};

/* ft_law_sums_fit - the terms are those of ft_laws_fit, each alone, and pairs of the common ones; what is
 * faint next to the largest value weighs as little as it is worth.
 *
 * sample  [n] in any order; sizes > 0, values of either sign, finite
 *
 * Returns FT_OK; FT_EINVAL: a size or a value; FT_ENOMODEL: one size only; FT_ENOMEM. Cost O(300 k) for k
 * sizes.
 */
enum ft_status ft_law_sums_fit(struct ft_law_sums *out, const struct ft_law_sample *sample, size_t n,
			       struct ft_err *err);

/* ft_law_sums_predict - the value of the first sum, and the interval of all; both intervals are the same. */
enum ft_status ft_law_sums_predict(const struct ft_law_sums *sums, double x, double confidence,
				   enum ft_law_of of, struct ft_law_prediction *out, struct ft_err *err);

/* ---- classes of documents 002 and 004
 * ---------------------------------------------------------------------- */

/* ft_law_named_power - the power b of a n^b, with the interval of least squares (normal errors of logarithms:
 * exact); false: the law is of another class. */
bool ft_law_named_power(const struct ft_law_named *law, double confidence, struct ft_law_number *out);

/* ---- whichever class ------------------------------------------------------------------------------------
 */

/* What samples obey. Some 200 KB, and needs no clearing. */
struct ft_law_any {
	enum ft_law_kind kind;
	bool many;            /* of several parameters */
	struct ft_law law;    /* the one that stands for what was found */
	size_t sizes;         /* that it is of */
	double misfit, noise; /* how far the means of the sizes are from it, relative; as of ft_laws */
	double residual, residual_ln; /* roots of the sums of squares; NaN: of sums of either sign there are
					 no logarithms */
	bool exact;                   /* it passes through all runs */
	/* and all of it, by class */
	struct ft_laws laws;       /* one parameter, FT_LAW_LAWS */
	struct ft_laws_many multi; /* several */
	struct ft_law_named named; /* FT_LAW_POWER, FT_LAW_POLYLOG */
	struct ft_law_sums sums;   /* FT_LAW_SIGNED */
};

/* ft_law_any_fit - of a class; of several parameters FT_LAW_LAWS alone.
 *
 * sample  [n]
 * params  1 .. 4
 * terms   of FT_LAW_LAWS of one parameter, as struct ft_law_options
 * what    the name of the values, for complaints
 *
 * Returns what the fit of that class returns; FT_ENOMODEL: laws miss the sizes by more than half, and single
 * runs vary less than that; FT_ENOMEM.
 */
enum ft_status ft_law_any_fit(struct ft_law_any *out, enum ft_law_kind kind,
			      const struct ft_law_place *sample, size_t n, size_t params, size_t terms,
			      const char *what, struct ft_err *err);

/* ft_law_any_predict - as the prediction of its class; x [params]. */
enum ft_status ft_law_any_predict(const struct ft_law_any *found, const double *x, double confidence,
				  enum ft_law_of of, struct ft_law_prediction *out, struct ft_err *err);

/* ft_law_any_power - the power that was found; false: there is none. */
bool ft_law_any_power(const struct ft_law_any *found, double confidence, struct ft_law_number *out);

/*
 * How the functions of a program grow: a law for each, from profiles at a few sizes.
 *
 * 	struct ft_functions functions = {0};
 *
 * 	ft_functions_add(&functions, 1000, &profile, err);       for each size
 * 	ft_functions_fit(&functions, &(struct ft_functions_query){.at = 300000, .confidence = 0.9}, err);
 * 	functions.function[0].name                                takes most at 300,000
 * 	ft_functions_clear(&functions);
 *
 * The sum of the laws of many functions is closer to the truth than one law of the whole: where a whole is
 * a sum of several terms each function mostly has one, and counts of instructions have no noise.
 */

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

#endif
