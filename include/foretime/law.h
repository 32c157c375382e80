/* SPDX-License-Identifier: GPL-3.0-or-later */
/* law.h - laws: sums of terms c n^i log2(n)^j, c 2^(a n), c n!, found in samples, each with the weight that
 * these give it.
 *
 *	struct ft_laws laws;
 *
 *	ft_laws_fit(&laws, samples, n, NULL, err);
 *	ft_laws_predict(&laws, 8192, 0.9, FT_LAW_RUN, &prediction, err);
 *	ft_law_format(&laws.law, NULL, text, sizeof text);     "3.1e-9*n^3 + 0.012"
 *
 * A fit does not choose one law: it weighs all of them, and what is predicted is the mean opinion. All is
 * plain data: it may be copied, needs no clearing, and predicting allocates nothing. See doc/laws.md.
 */
#ifndef FORETIME_LAW_H
#define FORETIME_LAW_H

#include "foretime/base.h"

#include <stdbool.h>

FT_BEGIN_DECLS

enum {
	FT_LAW_PARAMS = 4,   /* most parameters of a law */
	FT_LAW_TERMS = 15,   /* most terms besides the constant */
	FT_LAW_MIXED = 3,    /* most terms of a law in a mixture */
	FT_LAW_GROWING = 57, /* shapes: 19 powers by 3 powers of the logarithm */
	FT_LAW_SHAPES = 64,  /* these, what falls, and n! */
	FT_LAW_FAMILIES = 7, /* shapes of a number that is found: n^a, 2^(a n), n log n - a n, n^2 - a n,
				n^3 - a n^2, n / (1 + n/a), 2^(-a n) */
	FT_LAW_NODES = 7,    /* values of that number, of each family */
	FT_LAW_FREE = FT_LAW_FAMILIES * FT_LAW_NODES,
	FT_LAW_CLASSES = FT_LAW_SHAPES + FT_LAW_FAMILIES,
	FT_LAW_POINTS = 320, /* most points of a mixture */
	FT_LAW_BREAKS = 3
};

/* ---- one law ------------------------------------------------------------------------------------------ */

/* x^power log2(x)^log 2^(rate x) x!^factorial, times 1 - less / log2(x) where log > 0, else 1 - less / x;
 * 1 / (1 + x / level), where there is one: it levels off */
struct ft_law_factor {
	double power, log, rate, factorial, less, level;
};

struct ft_law_term {
	double c;
	struct ft_law_factor factor[FT_LAW_PARAMS]; /* of each parameter; {0}: it is not in the term */
};

/* constant + the sum of the terms, each c times its factors */
struct ft_law {
	size_t params, terms;
	double constant;
	struct ft_law_term term[FT_LAW_TERMS];
};

/* ft_law_value - the law at a size x [params]; NaN where a logarithm or a root does not exist. */
double ft_law_value(const struct ft_law *law, const double *x);

/* ft_law_format - "3.1e-9*n^3 + 0.012": an expression that ft_expr_new reads, the largest term first.
 *
 * name    [params]; NULL: "n", or "n", "m", "k", "l"
 * digits  of each coefficient, 1..17; 17 read back the same
 *
 * Returns the length of the whole text, as snprintf does.
 */
size_t ft_law_format(const struct ft_law *law, const char *const *name, int digits, char *buffer,
		     size_t size);

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

struct ft_law_sample {
	double x, value;
};

/* Zero-initialised: what is best for most. */
struct ft_law_options {
	size_t terms;  /* besides the constant, 1 .. 3; 0: one, laws of two less believed in, and two alike
			  when the samples call for them */
	bool unbroken; /* look for no breaks */
	bool growing;  /* terms n^i log2(n)^j with i and j of the usual numbers >= 0 only */
};

/* How much a kind of law is believed in. */
struct ft_law_class {
	struct ft_law_factor factor; /* of the term that grows most */
	double weight;               /* 0 .. 1 */
};

/* A point of the mixture: a law, how sure its level is, and its weight. */
struct ft_law_point {
	double weight;
	double constant, c[FT_LAW_MIXED];
	double error; /* one standard deviation of its level, relative */
	unsigned char shape[FT_LAW_MIXED], terms;
};

/* From a size on, another law holds: a cache or memory edge. */
struct ft_law_break {
	double after, from; /* the sizes on both sides */
	struct ft_law law;  /* the one before */
	double error;       /* its relative error, one standard deviation */
	double evidence;    /* ln of how much likelier the samples are with all breaks than with none */
};

struct ft_laws {
	struct ft_law law; /* the heaviest of the heaviest class: its fastest growing term is kind[0] */
	struct ft_law_class kind[FT_LAW_CLASSES]; /* the heaviest first, weights sum to 1 */
	size_t kinds;                             /* those with a weight of 0.0005 or more */
	size_t terms;                 /* of what is believed in most, before the samples: 1, 2, 3 */
	bool called;                  /* more than one because the samples call for it */
	bool exact;                   /* the law meets all samples; the answer is its value */
	double misfit;                /* root mean square relative difference of the means from the law */
	double residual, residual_ln; /* of the law at the sizes that it is of: as of ft_law_named */
	double noise; /* relative standard deviation of single runs about their size's mean; NaN: unknown */
	size_t sizes, runs;
	double least, most; /* sizes */
	size_t zeros;       /* sizes at which all samples are 0, below `least`: not part of the law */
	size_t breaks;      /* the law is that of the sizes from the last break on */
	struct ft_law_break broken[FT_LAW_BREAKS];
	size_t points, further; /* further: with one more term, for the wider interval */
	struct ft_law_point point[FT_LAW_POINTS], with_further[FT_LAW_POINTS];
	struct ft_law_factor free[FT_LAW_FREE]; /* shapes of points from FT_LAW_SHAPES on */
};

/* ft_laws_fit - the laws of one parameter that samples obey.
 *
 * sample   [n] in any order: the same samples give the same laws, to the last bit; x >= 0, value >= 0, finite
 * options  may be NULL
 * out      the caller's; needs no clearing; zeroed on failure
 *
 * Samples far from the rest of their size count as if they stood nearer (winsorised at 3 robust sigma, where
 * a size has three or more). Values are weighed relatively; coefficients are not negative.
 *
 * Returns FT_OK; FT_EINVAL: a negative or not finite value (its index in the text); FT_ENOMODEL: fewer than
 * two sizes; FT_ENOMEM. Cost O(n log n + 57 k) for k sizes, about 0.07 ms for 5 sizes; nothing is kept
 * allocated.
 */
enum ft_status ft_laws_fit(struct ft_laws *out, const struct ft_law_sample *sample, size_t n,
			   const struct ft_law_options *options, struct ft_err *err);

/* ft_laws_fit_knots - the same of sizes, ascending and different. */
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

/* What is predicted: the mean of many runs, or the next single one. */
enum ft_law_of { FT_LAW_MEAN, FT_LAW_RUN };

struct ft_law_prediction {
	double value;        /* the answer: most of the belief lies near it */
	double median;       /* of the belief */
	double lower, upper; /* hold the share `confidence`, if the law has no term more than was fitted */
	double wide_lower,
		wide_upper; /* hold it also when a further term cannot be excluded; as wide at least */
};

/* ft_laws_predict - the value at a size.
 *
 * x           >= 0, any distance from the data
 * confidence  0.5 .. 0.999
 *
 * Returns FT_OK; FT_EINVAL. Cost about 20 us; allocates nothing. Threads: no shared state.
 */
enum ft_status ft_laws_predict(const struct ft_laws *laws, double x, double confidence, enum ft_law_of of,
			       struct ft_law_prediction *out, struct ft_err *err);

/* ft_laws_best - ln of the law at a size, and the variance of the whole belief about it, also for a further
 * term that cannot be excluded: smooth in x, as what is continued must be. Breaks are passed over.
 *
 * False: the law has no information there (a value of 0, a logarithm that does not exist). Cost about 5 us.
 */
bool ft_laws_best(const struct ft_laws *laws, double x, double *ln, double *variance);

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

/* X(name, word, what it is) */
#define FT_LAW_KIND_LIST(X)                                                                                  \
	X(LAWS, "laws", "sums of terms c n^i log2(n)^j, weighed")                                            \
	X(POWER, "power", "a n^b, by logarithms (002 ch. 4)")                                                \
	X(POLYLOG, "polylog", "a polynomial in log2 n (002 sec. 5.3)")                                       \
	X(SIGNED, "signed", "sums of terms of either sign (004 7.2)")

enum ft_law_kind {
#define FT_LAW_KIND_ENUM(name, word, about) FT_LAW_##name,
	FT_LAW_KIND_LIST(FT_LAW_KIND_ENUM)
#undef FT_LAW_KIND_ENUM
		FT_LAW_KINDS
};

const char *ft_law_kind_text(enum ft_law_kind kind);
bool ft_law_kind_parse(const char *text, enum ft_law_kind *kind);

/* A law of one named class, by least squares of the means. */
struct ft_law_named {
	enum ft_law_kind kind;
	struct ft_law law;
	size_t sizes, runs, rank; /* rank: how many coefficients the sizes determine; the others are as small
				     as can be */
	double residual;    /* root of the sum of squares (002 appendix .1, eq. 6), unit of the resource */
	double residual_ln; /* the same of logarithms: what 002 prints of power laws (tables 5.1, 5.2, 5.5);
			       NaN: one does not exist */
	double mean_error, largest_error; /* over the sizes, relative */
	double noise;                     /* as of ft_laws */
	double least, most;
	double deviation; /* of the errors: of ln value for a power law, else of the value */
	double centre;    /* power law: the mean ln x */
	double covariance[FT_LAW_TERMS + 1][FT_LAW_TERMS + 1];
};

/* ft_law_named_fit - of class FT_LAW_POWER or FT_LAW_POLYLOG.
 *
 * degree  of the polynomial, 1 .. 5; 0: 5, or what the number of sizes allows less 1
 *
 * Returns FT_OK; FT_EINVAL (values as for ft_laws_fit; a size <= 0; degree); FT_ENOMODEL: fewer than two
 * sizes, or a power law of a value of 0; FT_ENOMEM.
 */
enum ft_status ft_law_named_fit(struct ft_law_named *out, enum ft_law_kind kind, size_t degree,
				const struct ft_law_sample *sample, size_t n, struct ft_err *err);

/* ft_law_named_power - the power b of a n^b, with the interval of least squares (normal errors of logarithms:
 * exact); false: the law is of another class. */
bool ft_law_named_power(const struct ft_law_named *law, double confidence, struct ft_law_number *out);

/* ft_law_named_predict - with the interval of least squares (normal errors), where there are more sizes than
 * coefficients; else the interval is the value alone and NaN stands for its ends. A polynomial that turns
 * negative is 0. */
enum ft_status ft_law_named_predict(const struct ft_law_named *law, double x, double confidence,
				    enum ft_law_of of, struct ft_law_prediction *out, struct ft_err *err);

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

FT_END_DECLS
#endif
