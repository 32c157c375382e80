/* SPDX-License-Identifier: GPL-3.0-or-later */
/* laws.h - shared by the files that find laws: prepared sizes, shapes, points of a mixture. */
#ifndef FT_LAW_LAWS_H
#define FT_LAW_LAWS_H

#include "foretime/law.h"
#include "law/door.h"
#include "num/num.h"

#include <math.h>

/* ---- shapes (shape.c) ------------------------------------------------------------------------------ */

enum {
	FT__CONSTANT = 0,                                    /* the shape of index 0 */
	FT__LAW_SEVERAL = FT_LAW_SHAPES - 1,                 /* those of several parameters: all but n! */
	FT__LAW_ALL = (int)FT_LAW_SHAPES + (int)FT_LAW_FREE, /* with those that a fit finds */
};

double ft__law_prior(size_t i); /* so that those that grow sum to 1 */
struct ft_law_factor ft__law_factor(size_t i);
double ft__law_factor_value(const struct ft_law_factor *factor, double x);

/* ft__law_class - the class in FT_LAW_CLASSES of a shape [FT__LAW_ALL]: itself, or its family. */
static inline size_t ft__law_class(size_t shape)
{
	return shape < FT_LAW_SHAPES ? shape : FT_LAW_SHAPES + (shape - FT_LAW_SHAPES) / FT_LAW_NODES;
}

/* ft__law_shape_value - of a shape at x >= 0; NaN where it does not exist (a logarithm below 1, one
 * that falls at 0). */
double ft__law_shape_value(size_t i, double x);

/* ft__law_shape_values - of all of them, value [FT_LAW_SHAPES]: for the price of a few. */
void ft__law_shape_values(double x, double *value);

/* ---- sizes (select.c) -------------------------------------------------------------------------------- */

/* Sizes, ascending, and the shapes there. Ends with ft__law_data_clear. */
struct ft__law_data {
	size_t n;         /* sizes */
	double *x, *mean; /* [n] */
	double *count;    /* [n] samples there */
	double *ln;       /* [n] of the means */
	bool alike;       /* all counts are equal */
	bool growing;     /* no shapes but those that grow */
	double total;     /* of the counts */
	double scatter;   /* of all sizes: sum of squares of value / mean - 1 */
	double *g;        /* [FT__LAW_ALL][n]: shapes, 1 at the largest size */
	double *scale; /* [FT__LAW_ALL]: their values at the largest size; NaN: it does not exist everywhere
			*/
	struct ft_law_factor factor[FT_LAW_FREE]; /* shapes from FT_LAW_SHAPES on (free.c) */
	double prior[FT__LAW_ALL];                /* how usual each is */
	double *weight, *r;                       /* [n]: working memory */
	double floor; /* sum of squares that no law gets below: no law of a real program is exact */
	double extra; /* degrees of freedom that the size of errors is known from besides: of other sizes, or
			  supposed */
	double supposed; /* their sum of squares */
	double heavy;    /* how much wider errors are because their size is known from few samples */
};

/* growing: shapes that grow only, those of the first index. */
enum ft_status ft__law_data_init(struct ft__law_data *data, const struct ft_law_knot *knot, size_t n,
				 bool growing, struct ft_err *err);
void ft__law_data_clear(struct ft__law_data *data);

static inline const double *ft__law_g(const struct ft__law_data *data, size_t shape)
{
	return data->g + shape * data->n;
}

/* ft__law_knots - sizes from samples: sorted, winsorised, averaged.
 *
 * sorted  [n] in any order; becomes so
 * out     [n] room for as many as there are samples; *sizes: how many there are
 * work    [n] overwritten
 */
void ft__law_knots(struct ft_law_sample *sorted, size_t n, struct ft_law_knot *out, size_t *sizes,
		   double *work);

/* Whether the square of a cost, and its inverse, are numbers well within what a double holds. */
static inline bool ft__law_has_square(double cost)
{
	return cost == 0 || (fabs(cost) > 1e-140 && fabs(cost) < 1e140);
}

/* ft__law_samples - the same of samples that were not looked at yet. any_sign: values may be below 0.
 * knot: heap, ends with ft_free; NULL on failure. */
enum ft_status ft__law_samples(const struct ft_law_sample *sample, size_t n, bool any_sign,
			       struct ft_law_knot **knot, size_t *sizes, struct ft_err *err);

/* ft__law_residuals - roots of the sums of squares over sizes, of values and of their logarithms (law.c). */
void ft__law_residuals(const struct ft_law *law, const struct ft_law_knot *knot, size_t n, double *residual,
		       double *residual_ln);

/* ---- one term (select.c) --------------------------------------------------------------------------- */

/* The best law of one shape: c0 + c1 g, coefficients not negative. */
struct ft__law_best {
	double c0, c1; /* g scaled to 1 at the largest size */
	double square; /* sum of squares of mean / law - 1, weighted by counts, without noise and floor */
	double score;  /* ln likelihood, less p/2 ln N, plus ln prior */
};

/* ft__law_best_of - the best law of one shape for the sizes from .. to - 1, by least squares of relative
 * errors. Returns sum count ln law; does not set the score. */
double ft__law_best_of(const struct ft__law_data *data, size_t shape, size_t from, size_t to,
		       struct ft__law_best *best);

/* ft__law_score - ln likelihood of what is left, less p/2 ln N for p coefficients. */
double ft__law_score(const struct ft__law_data *data, double square, double logs, double p);

/* ft__law_score_of_means - of a law through all means, of p coefficients: no law is likelier. */
double ft__law_score_of_means(const struct ft__law_data *data, double p);

/* ft__law_is_exact - a law of so many coefficients that leaves this sum of squares. */
bool ft__law_is_exact(const struct ft__law_data *data, double square, size_t coefficients);

/* ft__law_select - the best law of each shape [FT__LAW_ALL]; score -INFINITY where the shape does not exist.
 * Sets the floor of data, and finds the shapes of families. Returns the index of the best. */
size_t ft__law_select(struct ft__law_data *data, struct ft__law_best *best);

/* ---- families (free.c) ----------------------------------------------------------------------------- */

/* A family: the number, uniform from low to high before the samples, and how usual all of it is. */
struct ft__law_family {
	struct ft_law_factor (*factor)(double at, double least, double span); /* the smallest size, and the
										  largest less it */
	double (*simple)(double at, double span, int i); /* the i-th plain number near `at`; NaN: none */
	double low, high, prior;
	bool growing; /* looked for among laws that only grow, too */
};
extern const struct ft__law_family ft__law_families[FT_LAW_FAMILIES];

/* What was seen of a family: values of its number, and the best law with each. */
struct ft__law_sight {
	double at, square, logs, p; /* p: coefficients */
};

enum { FT__LAW_SIGHTS = 224 };

/* ---- several terms (free.c) ------------------------------------------------------------------------ */

/* A law of several shapes and a constant, coefficients not negative. */
struct ft__law_joint {
	unsigned char shape[FT_LAW_MIXED], terms;
	double constant, c[FT_LAW_MIXED]; /* shapes scaled to 1 at the largest size */
	double square, score;             /* as of ft__law_best; all choices of shapes are as usual */
};

/* ft__law_join - the coefficients for the shapes that `joint` names. */
enum ft_status ft__law_join(const struct ft__law_data *data, struct ft__law_joint *joint, struct ft_err *err);

/* ft__law_join_best - of all choices of `terms` common shapes the one of the highest score; score -INFINITY
 * when none exists. */
enum ft_status ft__law_join_best(const struct ft__law_data *data, size_t terms, struct ft__law_joint *best,
				 struct ft_err *err);

/* log n, n^.5, n, n log n, n^1.5, n^2, n^2 log n, n^3 as indices of shapes */
enum { FT__LAW_COMMON = 8, FT__LAW_PAIRS = FT__LAW_COMMON * (FT__LAW_COMMON - 1) / 2 };
extern const unsigned char ft__law_common[FT__LAW_COMMON];

/* Choices of `terms` different common shapes, the fastest growing first. Zero-initialise but for terms. */
struct ft__law_choice {
	size_t terms, index[FT_LAW_MIXED];
	bool begun;
	unsigned char shape[FT_LAW_MIXED];
};

/* ft__law_choose - the next choice of shapes that exist everywhere; false after the last. */
bool ft__law_choose(const struct ft__law_data *data, struct ft__law_choice *choice);

/* ft__law_take - the law in its own units. */
void ft__law_take(const struct ft__law_data *data, const struct ft__law_joint *joint, struct ft_law *out);

/* ---- breaks (select.c) -------------------------------------------------------------------------------- */

/* Fewest sizes among which a break is looked for; most of which each place is looked at; how many places are
 * looked at of more. */
enum { FT__LAW_CUT_SIZES = 6, FT__LAW_CUT_ALL = 512, FT__LAW_CUT_PLACES = 128 };

/* ---- belief (select.c, belief.c, belief.c, belief.c)
 * ---------------------------------------------------
 */

enum { FT__LAW_CELLS = 256, FT__LAW_POINTS_FIRST = 512 };

/* Laws of the same shapes, level (part[0] + part[1] g1 + ...) each, and their evidence, independent of the
 * level and the size of the errors. */
struct ft__law_cells {
	size_t terms, n;
	unsigned char shape[FT_LAW_MIXED];
	double part[FT_LAW_MIXED + 1][FT__LAW_CELLS];
	double ln[FT__LAW_CELLS];     /* out: ln likelihood, level and size of errors integrated away */
	double level[FT__LAW_CELLS];  /* out: the likeliest */
	double square[FT__LAW_CELLS]; /* out: sum of squares of value / law - 1, including noise and floor */
};

void ft__law_evidence(const struct ft__law_data *data, struct ft__law_cells *cells);

/* A growing list of points whose weight is still a logarithm. */
struct ft__law_points {
	struct ft_law_point *point; /* [capacity] */
	size_t n, capacity;
	double top; /* the highest weight so far; anything when n = 0 */
};

enum ft_status ft__law_points_add(struct ft__law_points *points, const struct ft_law_point *point,
				  struct ft_err *err);

/* ft__law_points_take - those of the cells that can count; their weight is ln + prior. */
enum ft_status ft__law_points_take(struct ft__law_points *points, const struct ft__law_data *data,
				   const struct ft__law_cells *cells, double prior, struct ft_err *err);

/* What is so many nats less likely than the best does not count. */
enum { FT__LAW_NEGLIGIBLE = 9 };

/* ft__law_inside - how many of n log evidences matter compared to the highest; the first and last. */
size_t ft__law_inside(const double *ln, size_t n, double top, size_t *first, size_t *last);

/* ft__law_weigh - the points of laws of one term, of a prior mass of 1. */
enum ft_status ft__law_weigh(const struct ft__law_data *data, const struct ft__law_best *best,
			     struct ft__law_points *points, struct ft_err *err);

/* ft__law_weigh_pairs - those of laws of two different common terms, of a prior mass of 1. */
enum ft_status ft__law_weigh_pairs(const struct ft__law_data *data, struct ft__law_points *points,
				   struct ft_err *err);

/* ft__law_weigh_terms - those of laws of 2 or 3 different common terms, of a prior mass of 1.
 *
 * coarse  of 3: on a grid that is coarse, and not brought closer
 */
enum ft_status ft__law_weigh_terms(const struct ft__law_data *data, size_t terms, bool coarse,
				   struct ft__law_points *points, struct ft_err *err);

/* ft__law_keep - the heaviest points, in the order in which they were added, weights made shares that sum
 * to 1. Those behind the first ones weigh `rest` more (-INFINITY: they are left out). out [FT_LAW_POINTS].
 * Returns how many. */
size_t ft__law_keep(const struct ft__law_points *points, size_t first, double rest, struct ft_law_point *out);

/* ---- predicting (belief.c) ---------------------------------------------------------------------------
 */

enum { FT__LAW_BINS = 512 };

/* Belief over ln value: normal ones, each with an error and a weight, weights summing to 1; and in bins. */
struct ft__law_belief {
	size_t n; /* >= 1 */
	double ln[FT_LAW_POINTS], error[FT_LAW_POINTS], weight[FT_LAW_POINTS];
	double low, width;         /* of the first bin; of each */
	double bin[FT__LAW_BINS];  /* weight */
	double mean[FT__LAW_BINS]; /* of what fell into the bin, weighted */
};

/* ft__law_error - both errors of ln value combined; limited if the samples follow no law. */
double ft__law_error(double level, double noise);

/* ft__law_bin - fill the bins. */
void ft__law_bin(struct ft__law_belief *belief);
double ft__law_quantile(const struct ft__law_belief *belief, double share_below); /* of ln value */
double ft__law_tent(const struct ft__law_belief *belief);                         /* a value */

/* ft__law_ask - FT_OK if a size and a confidence are valid in a query. */
enum ft_status ft__law_ask(double x, double confidence, struct ft_err *err);

/*
 * Shared by the files that find laws of several parameters.
 */

/* Of each parameter: candidates; with none, and with the two that are added; columns of a law. */
enum { FT__SHAPES_MOST = 6, FT__OPTIONS = FT__SHAPES_MOST + 3, FT__COLUMNS = 1 << FT_LAW_PARAMS };
_Static_assert((int)FT__COLUMNS <= (int)FT_LAW_TERMS + 1 && (int)FT__COLUMNS <= (int)FT_NNLS_COLUMNS,
	       "room for all products");

/* A size of several parameters. */
struct ft__law_spot {
	double x[FT_LAW_PARAMS], mean, count;
};

struct ft__law_many {
	size_t params, n;
	struct ft__law_spot *place; /* [n] */
	double total, scatter, floor;
	unsigned char shape[FT_LAW_PARAMS][FT__SHAPES_MOST]; /* candidates */
	size_t shapes[FT_LAW_PARAMS];
	unsigned char two[FT_LAW_PARAMS][2]; /* along lines, of two added terms; 0: there are no lines */
	double *a, *y;                       /* [n x FT__COLUMNS], [n]: room for the fits */
	double *columns;                     /* [FT__COLUMNS][n]: products at each place */
	double *factors;                     /* [FT_LAW_PARAMS][FT__OPTIONS][n] */
};

/* A law: a constant and products. Bit p of a column's number means that parameter p is a factor of it;
 * column 0 is the constant. Each factor has a shape of its own. */
struct ft__product {
	unsigned char shape[FT__COLUMNS][FT_LAW_PARAMS];
	bool in[FT__COLUMNS];
	double c[FT__COLUMNS];
	double square, score;
};

/* ft__law_find_products - the best laws, the best first; kept [FT_LAW_CANDIDATES]. Returns how many.
 * (product.c) */
size_t ft__law_find_products(struct ft__law_many *many, struct ft__product *kept);

/* ft__law_column - a column's value at a place. */
double ft__law_column(const struct ft__law_many *many, const struct ft__product *law, size_t k,
		      size_t column);

/* ft__law_deviation - one standard deviation of a law's value, by the covariance of its coefficients. */
double ft__law_deviation(const struct ft_law_candidate *candidate, const double *x);

#endif
