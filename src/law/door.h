/* SPDX-License-Identifier: GPL-3.0-or-later */
/* door.h - what other rooms and commands use of law beyond its interface. */
#ifndef FT_LAW_DOOR_H
#define FT_LAW_DOOR_H

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

#endif
