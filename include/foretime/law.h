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

/* ---- what the samples show -------------------------------------------------------------------------------
 */

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

/* ft_law_named_predict - with the interval of least squares (normal errors), where there are more sizes than
 * coefficients; else the interval is the value alone and NaN stands for its ends. A polynomial that turns
 * negative is 0. */
enum ft_status ft_law_named_predict(const struct ft_law_named *law, double x, double confidence,
				    enum ft_law_of of, struct ft_law_prediction *out, struct ft_err *err);

FT_END_DECLS

#endif
