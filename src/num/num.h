/* SPDX-License-Identifier: GPL-3.0-or-later */
/* num.h - numerics: linear algebra, factorisations, state space models, statistics, sorting. */
#ifndef FT_NUM_NUM_H
#define FT_NUM_NUM_H

#include "base/alloc.h"
#include "foretime/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * Symmetric positive definite systems of up to some thousand unknowns, fast on one core.
 *
 * All matrices are row-major without gaps. A = U' U with U upper triangular; below its diagonal the memory
 * is unchanged. The loops run along rows, so that compilers turn them into vector instructions; every sum
 * has a fixed order: the same input gives the same bits.
 * Source: Golub & Van Loan, Matrix computations, 4th ed., sec. 4.2.
 */

/* ft_chol_factor - U of A = U' U, in place.
 *
 * a  [n x n] its upper triangle is read and becomes U
 *
 * Returns false when a pivot is not positive: A is not positive definite; a is then spoilt. Cost n^3 / 3.
 */
bool ft_chol_factor(double *a, size_t n);

/* ft_chol_factor_above - the same, with pivots that must exceed this: for a Gram matrix whose columns have
 * length 1, a column's pivot is the square of the part independent of those before. */
bool ft_chol_factor_above(double *a, size_t n, double least);

/* ft_chol_forward - v of U' v = b for t right-hand sides at once, in place of b [n x t]. Cost n^2 t. */
void ft_chol_forward(const double *u, size_t n, double *b, size_t t);

/* ft_chol_backward - v of U v = b, in the same way. */
void ft_chol_backward(const double *u, size_t n, double *b, size_t t);

/* ft_chol_solve - x of U' U x = b: forward, then backward. */
void ft_chol_solve(const double *u, size_t n, double *b, size_t t);

/* ft_chol_invert - W = (U')^-1, lower triangular with zeros above; A^-1 = W' W. Cost n^3 / 3.
 * w  [n x n] out */
void ft_chol_invert(const double *u, size_t n, double *w);

/* ft_product_upper - out [m x m] = a [m x n] b [n x m], on and above the diagonal only; what is below is left
 * alone. */
void ft_product_upper(const double *a, const double *b, size_t m, size_t n, double *out);

/*
 * Sums of products and products of matrices, written so that the compiler vectorises them: it may not
 * reorder a sum by itself. All matrices are row-major without gaps.
 */

static inline double ft_dot(const double *restrict a, const double *restrict b, size_t n)
{
	double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
	size_t i;

	for (i = 0; i + 4 <= n; i += 4) {
		s0 += a[i] * b[i];
		s1 += a[i + 1] * b[i + 1];
		s2 += a[i + 2] * b[i + 2];
		s3 += a[i + 3] * b[i + 3];
	}
	for (; i < n; i++)
		s0 += a[i] * b[i];
	return (s0 + s1) + (s2 + s3);
}

/* y += c x */
static inline void ft_axpy(double *restrict y, double c, const double *restrict x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		y[i] += c * x[i];
}

/* ft_multiply - out [r x n] = a [r x m] b [m x n]; out apart from both. */
void ft_multiply(const double *a, const double *b, size_t r, size_t m, size_t n, double *out);

/* ft_transpose - out [n x m] = a' of a [m x n]; apart from it. */
void ft_transpose(const double *a, size_t m, size_t n, double *out);

/* ft_orthonormal - make vectors orthonormal, each against those before it; a dependent one becomes 0.
 *
 * q          [p x length] a row each
 * cut        a vector is dependent when no more than this share of its length is left
 * redundant  out [p] the dependent ones; may be NULL
 *
 * Source: Golub & Van Loan, 4th ed., sec. 5.2.8 (Gram-Schmidt, twice). */
void ft_orthonormal(double *q, size_t p, size_t length, double cut, bool *redundant);

/*
 * Exp(-x) written so that a compiler makes vector instructions of a loop over it.
 */

/* ft_exp_minus - exp(-x), x >= 0, within 4 units of the last place; 0 from 700 on.
 *
 * x = n ln 2 + r with |r| <= ln 2 / 2; exp(-r) by its series; 2^-n by the bits of the exponent. Adding 1.5
 * 2^52 rounds to an integer, and leaves it in the low bits. Source: Cody & Waite, Software manual for the
 * elementary functions, 1980, chapter 6.
 */
static inline double ft_exp_minus(double x)
{
	const double shift = 0x1.8p52, high = 0x1.62e42fee00000p-1, low = 0x1.a39ef35793c76p-33;
	double y = x < 700 ? x : 700, t = y * -0x1.71547652b82fep+0 + shift, n = t - shift;
	double r = (-y - n * high) - n * low, sum, two;
	uint64_t bits;

	memcpy(&bits, &t, sizeof bits);
	bits = (bits + 1023) << 52;
	memcpy(&two, &bits, sizeof two);
	sum = 1 / 6227020800.0;
	sum = sum * r + 1 / 479001600.0;
	sum = sum * r + 1 / 39916800.0;
	sum = sum * r + 1 / 3628800.0;
	sum = sum * r + 1 / 362880.0;
	sum = sum * r + 1 / 40320.0;
	sum = sum * r + 1 / 5040.0;
	sum = sum * r + 1 / 720.0;
	sum = sum * r + 1 / 120.0;
	sum = sum * r + 1 / 24.0;
	sum = sum * r + 1 / 6.0;
	sum = sum * r + 0.5;
	sum = sum * r + 1;
	sum = sum * r + 1;
	return x < 700 ? sum * two : 0;
}

/*
 * Least absolute deviations with non-negative coefficients, as a linear programme.
 */

struct ft_lad;

/* ft_lad_new - min sum_i |y_i - x_i b| over b >= 0, made ready for several y: each starts where the last one
 * ended.
 *
 * x  [m x k] row-major, finite, borrowed during the call; m, k >= 1
 *
 * The programme is the dual one, k rows with a bounded column for each row of x: max y'z, x'z <= 0, -1 <= z
 * <= 1; b are its multipliers. GLPK keeps an environment for each thread.
 *
 * Returns FT_OK; FT_ENOMEM.
 */
enum ft_status ft_lad_new(const double *x, size_t m, size_t k, struct ft_lad **out, struct ft_err *err);
void ft_lad_free(struct ft_lad *lad); /* accepts NULL */

/* ft_lad_skip - leave row i out of the sum, or take it in again. */
void ft_lad_skip(struct ft_lad *lad, size_t i, bool skip);

/* ft_lad_solve
 *
 * y     [m] finite
 * most  iterations at most; 0: as many as it takes
 * b     out [k] >= 0
 * z     out [m] the dual solution: the sum is y'z (over rows that are not left out); may be NULL
 * converged, iterations  out; not converged: b is the last iterate
 */
enum ft_status ft_lad_solve(struct ft_lad *lad, const double *y, size_t most, double *b, double *z,
			    bool *converged, size_t *iterations, struct ft_err *err);

/*
 * Sort doubles, and search sorted arrays.
 *
 * The searches are inline, so that the comparison is compiled into them, and the helper, which links
 * nothing, can use them.
 */

/* ft_search - the first of n sorted entries of `size` bytes that is not below a key; n: all are below. An
 * equal one, if there is any, stands there; else a new one belongs there. compare: as for bsearch. */
static inline size_t ft_search(const void *key, const void *entries, size_t n, size_t size,
			       int (*compare)(const void *key, const void *entry))
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare(key, (const char *)entries + middle * size) > 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* stride: how many bytes a number stands behind the one before. */
static inline size_t ft__place_among(const double *sorted, size_t n, size_t stride, double x, bool equal)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		double key = *(const double *)(const void *)((const char *)sorted + middle * stride);

		if (key < x || (equal && key == x))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* ft_count_upto - how many of n ascending doubles are at most x: the place of the first above it. */
static inline size_t ft_count_upto(const double *sorted, size_t n, double x)
{
	return ft__place_among(sorted, n, sizeof *sorted, x, true);
}

/* ft_count_below - how many of them are below x. */
static inline size_t ft_count_below(const double *sorted, size_t n, double x)
{
	return ft__place_among(sorted, n, sizeof *sorted, x, false);
}

/* ft_count_below_of - the same of a member of n things of `size` bytes, which ascends: that of the first. */
static inline size_t ft_count_below_of(const double *first, size_t n, size_t size, double x)
{
	return ft__place_among(first, n, size, x, false);
}

/* ft_last_upto_of - the last element whose member is at most x; 0 if there is none. */
static inline size_t ft_last_upto_of(const double *first, size_t n, size_t size, double x)
{
	size_t upto = ft__place_among(first, n, size, x, true);

	return upto ? upto - 1 : 0;
}

/* ft_compare_doubles - how one stands to the other, for bsearch and its like. */
int ft_compare_doubles(const void *a, const void *b);

/* ft_sort - values [n], finite, in place. */
void ft_sort(double *values, size_t n);

/* ft_sort_different - the same, each value once. Returns how many there are. */
size_t ft_sort_different(double *values, size_t n);

/* Numbers of things, in the order of their keys. */
struct ft_keyed {
	double key;
	size_t of;
};

/* ft_keyed_sort - ascending; those of equal keys by their numbers. */
void ft_keyed_sort(struct ft_keyed *order, size_t n);

/*
 * Straight lines between points, for curves, traces, loads and costs: the piece that contains a place, and
 * the value there. The piece is found by the searches of num/num.h.
 */

/* ft_line_at - the line through two points at x, also outside them; with x and y exchanged, where it has a
 * value. x0 is not x1. */
static inline double ft_line_at(double x, double x0, double y0, double x1, double y1)
{
	return y0 + (x - x0) / (x1 - x0) * (y1 - y0);
}

/* ft_line_within - the same between x0 < x1, and before and behind them the value of that end. */
static inline double ft_line_within(double x, double x0, double y0, double x1, double y1)
{
	return x <= x0 ? y0 : x >= x1 ? y1 : ft_line_at(x, x0, y0, x1, y1);
}

/* ft_line_grid - between values y [n] at 0, 1, ... n - 1; before and behind them that of the end. n >= 1 */
static inline double ft_line_grid(const double *y, size_t n, double x)
{
	size_t i = x > 0 ? x < (double)(n - 1) ? (size_t)x : n - 1 : 0;

	return i + 1 < n ? ft_line_within(x, (double)i, y[i], (double)i + 1, y[i + 1]) : y[i];
}

/*
 * Logarithms of many numbers at once.
 */

/* ft_ln_many - ln of n positive normal numbers, to 1e-12 (of a number near 1: of its logarithm); out [n] may
 * be x. The loop has no branch and no call, so that compilers make vectors of it: the library's would cost a
 * third of a fit of laws. Source: Cody & Waite, Software Manual for the Elementary Functions, ch. 5. */
void ft_ln_many(const double *x, size_t n, double *out);

/*
 * A matrix as the product of two non-negative ones: x ~ w h, or x ~ w s h.
 */

enum ft_nmf_loss {
	FT_NMF_FROBENIUS, /* sum (x - wh)^2 + 2 l1 sum h + l2 sum h^2 + max(l1, l2) sum w^2: sparse and smooth factors (004
			   6.3; Kim & Park 2007). Without a penalty of w that of h would vanish into the scale. */
	FT_NMF_KL,        /* sum x ln(x / wh) - x + wh */
	FT_NMF_NONSMOOTH, /* KL of w s h, s = (1 - theta) I + theta / r: w and h get sparse */
};

enum ft_nmf_start { FT_NMF_GIVEN, FT_NMF_RANDOM, FT_NMF_NNDSVD, FT_NMF_ICA };

struct ft_nmf {
	/* in */
	enum ft_nmf_loss loss;
	bool multiplicative; /* Lee and Seung's updates, in place of HALS and of Newton's steps */
	double smoothness;   /* theta */
	double l1, l2;       /* frobenius: penalties, below */
	double tolerance;    /* it ends when the loss falls by less than this share of itself */
	size_t most;         /* iterations */
	double *trace;       /* [most + 1] the loss before and after each iteration; NULL: not wanted */
	/* out */
	double value; /* the loss */
	size_t iterations;
	bool converged;
};

/* ft_nmf_begin - a start.
 *
 * x  [m x n] row-major, finite, >= 0; m, n >= r >= 1
 * w  out [r x m]: the columns of W, each contiguous
 * h  out [r x n]
 *
 * nndsvd: positive parts of singular vectors (Boutsidis & Gallopoulos, 2008), zeros filled with the mean when
 * `fill`; ica: positive parts of FastICA's sources and mixture (Hyvarinen, 1999); random: uniform, of x's
 * mean.
 *
 * Returns FT_OK; FT_ENOMEM.
 */
enum ft_status ft_nmf_begin(enum ft_nmf_start start, const double *x, size_t m, size_t n, size_t r, bool fill,
			    uint64_t seed, double *w, double *h, struct ft_err *err);

/* ft_nmf_guess - entries of x that are NaN become what their row and column lead one to expect: the product
 * of a row's and a column's factor. For ft_nmf_begin, which needs all of them. FT_ENOMEM. */
enum ft_status ft_nmf_guess(double *x, size_t m, size_t n, struct ft_err *err);

/* ft_nmf_run - from a start to a factorisation; w, h in and out. An entry of x that is NaN is unknown, and
 * no part of the loss.
 *
 * Squares: hierarchical alternating least squares, several updates of w for each product with x (Gillis &
 * Glineur, 2012); the other two: Newton's steps entry by entry (Hsieh & Dhillon, 2011). Both extrapolate the
 * move of the factors (Ang & Gillis, 2019), and no iteration of any method increases the loss.
 * Multiplicative updates: Lee & Seung, 2001; non-smooth: Pascual-Montano et al., 2006. Unknown entries are
 * replaced by w h: the loss with it is never below the one without, and equal to it where the factors are
 * (Zhang, Wang, Ford, Makedon, 2006).
 *
 * Returns FT_OK, also when it did not converge; FT_ENOMEM. Cost of an iteration O(m n r).
 */
enum ft_status ft_nmf_run(struct ft_nmf *nmf, const double *x, size_t m, size_t n, size_t r, double *w,
			  double *h, struct ft_err *err);

/* ft_nmf_find - ft_nmf_begin and ft_nmf_run; x may have entries that are NaN. Of the divergence, least
 * squares come first: they are the cheaper way to where it is nearly least. FT_NMF_GIVEN: from w, h. */
enum ft_status ft_nmf_find(struct ft_nmf *nmf, enum ft_nmf_start start, uint64_t seed, const double *x,
			   size_t m, size_t n, size_t r, double *w, double *h, struct ft_err *err);

/* ft_nmf_other - the factor that fits the other one: w where of_w, else h. */
enum ft_status ft_nmf_other(const struct ft_nmf *nmf, const double *x, size_t m, size_t n, size_t r,
			    double *w, double *h, bool of_w, struct ft_err *err);

/* ft_nmf_smooth - h [r x n] becomes s h. */
void ft_nmf_smooth(double *h, size_t r, size_t n, double smoothness);

/*
 * State of a factorisation: shared by the updates for squares and for divergences.
 */

/* Replaces zero as a divisor. */
#define FT__NMF_TINY 1e-300

struct ft__nmf_work;

/* A method of reducing a loss: a row of a table. */
struct ft__nmf_way {
	/* Move one factor to a smaller loss, with the other fixed. careful: by a step that never increases
	 * it. Returns the final loss; of w: nothing. */
	double (*update)(struct ft__nmf_work *k, bool of_w, bool careful);
	double (*loss)(struct ft__nmf_work *k);
};

/* Hierarchical alternating least squares; Newton's steps entry by entry, of divergences. With `careful`,
 * and on request, both are multiplicative updates. */
extern const struct ft__nmf_way ft__nmf_squares, ft__nmf_divergence;

struct ft__nmf_work {
	size_t m, n, r;
	bool multiplicative;
	double theta;          /* of nonsmooth, else 0 */
	double l1, l2_w, l2_h; /* penalties of squares */
	const double *x;       /* [m x n] */
	const double *turned;  /* [n x m] x' */
	double *w, *h;         /* [r x m], [r x n] */
	double square;         /* sum x^2 */
	/* Unknown entries: replaced in x and turned by w h. */
	double *filled, *filled_turned; /* x and turned, writable; NULL: all is known */
	size_t *hole, holes;            /* [holes] indices i n + j */
	/* for the ways */
	double *along;  /* [r x max(m, n)] one factor times x */
	double *gram;   /* [r x r] */
	double *smooth; /* [r x max(m, n)] w s or s h */
	double *row;    /* [max(m, n)] */
	double *sum;    /* [r] */
	double *memory;
};

double ft__nmf_mean(const double *x, size_t n); /* n >= 1; in one fast pass */

/*
 * Least squares with non-negative coefficients, for a few columns.
 */

enum { FT_NNLS_COLUMNS = 16 };

/* ft_nnls - c >= 0 that makes |A c - y| least.
 *
 * a  [m x n] row-major, finite; n <= FT_NNLS_COLUMNS
 * y  [m]
 * c  [n] out
 *
 * Columns that depend on other ones get 0. Allocates nothing. Cost O(m n^2), with the columns scaled and
 * the answer refined once: exact data gives coefficients exact to about 1e-12. Source: Lawson & Hanson,
 * Solving Least Squares Problems, ch. 23 (NNLS), on the normal equations.
 */
void ft_nnls(const double *a, const double *y, size_t m, size_t n, double *c);

/*
 * A function of one variable as a random process, given noisy values at nodes: filter, smoother, and their
 * predictions between the nodes and outside them. Cost O(n); no inverse anywhere.
 *
 * 	value   df = (d + b) dx + sqrt(level) dW1      steps of the value: jumps and roughness
 * 	slope   dd = -(d / tau) dx + sqrt(slope) dW2   bends; returns to b, the mean slope, over tau
 * 	b constant; known exactly where its variance is 0
 *
 * Source: Durbin and Koopman, Time Series Analysis by State Space Methods, 2nd ed., ch. 4 (filter, fixed
 * interval smoother after de Jong, disturbance smoother); Bierman 1977 for the form.
 */

/* value, slope, mean slope */
enum { FT_SS_STATES = 3 };

/* A symmetric matrix of the states: 00 01 02 11 12 22. */
struct ft_ss_square {
	double of[6];
};

struct ft_ss_vector {
	double of[FT_SS_STATES];
};

/* A node: what was seen there, and what the process does on the way to the next one. */
struct ft_ss_node {
	double x;            /* ascending, all different */
	double y, variance;  /* the value seen, > 0 */
	double level, slope; /* variances for a unit of x, of the gap to the next node */
};

/* The result of the passes at a node. Innovation: y minus its prediction from all nodes before, and its
 * variance. l and L carry the information of later nodes (Durbin and Koopman 4.4: r and N), before and
 * after the node's own value. */
struct ft_ss_pass {
	struct ft_ss_vector filtered, gain, l_before, l_after;
	struct ft_ss_square covariance, big_before, big_after;
	double innovation, total;
	double lost, weight; /* of the way to here, what d loses; of the innovation, by a t law */
};

struct ft_ss_process {
	double tau;           /* > 0, in units of x */
	double slope_sd;      /* of d at the first node */
	double mean_slope[2]; /* of b: mean, variance */
	double value_sd;      /* of the value at the first node */
};

/* ft_ss_smooth - both passes.
 *
 * node  [n] n >= 1
 * pass  [n] out
 *
 * Returns the log-likelihood of all values but the first two, with innovations taken for t of four degrees of
 * freedom: single misses do not decide.
 */
double ft_ss_smooth(const struct ft_ss_process *process, const struct ft_ss_node *node, size_t n,
		    struct ft_ss_pass *pass);

struct ft_ss_value {
	double mean, variance, slope; /* slope: d + b */
};

/* ft_ss_at_node - value and slope at a node, by all nodes. */
struct ft_ss_value ft_ss_at_node(const struct ft_ss_pass *pass);

/* ft_ss_between - the value at x between node[i] and node[i + 1], or outside the last one (i = n - 1),
 * with variances per unit of x on the way from node[i]. */
struct ft_ss_value ft_ss_between(const struct ft_ss_process *process, const struct ft_ss_node *node,
				 const struct ft_ss_pass *pass, size_t n, size_t i, double x, double level,
				 double slope);

/* ft_ss_before - the value at x below the first node: the process runs the same backwards. */
struct ft_ss_value ft_ss_before(const struct ft_ss_process *process, const struct ft_ss_node *node,
				const struct ft_ss_pass *pass, double x, double level, double slope);

/* The residual of a node's value from the prediction of all the rest, and the variance of that. Durbin and
 * Koopman 4.5.3: residual = u / D, variance = 1 / D. */
struct ft_ss_value ft_ss_left_out(const struct ft_ss_pass *pass);

/* ft_ss_gap_energy - expected squares of the steps in a gap, per unit of x: what an EM round sets level and
 * slope to. i: the node at the gap's left end; energy[2] out: level, slope. */
void ft_ss_gap_energy(const struct ft_ss_process *process, const struct ft_ss_node *node,
		      const struct ft_ss_pass *pass, size_t i, double energy[2]);

/* ft_ss_innovations - in their own deviations, those far off counted less: t of four degrees of freedom.
 * ft_ss_whiten - one more column of values through the same gains and by the same weights: products of these
 * are those of generalised least squares (de Jong 1991).
 *
 * column  [n] its values at the nodes
 * out     [n]
 */
void ft_ss_innovations(const struct ft_ss_pass *pass, size_t n, double *out);
void ft_ss_whiten(const struct ft_ss_process *process, const struct ft_ss_node *node,
		  const struct ft_ss_pass *pass, size_t n, const double *column, double *out);

/*
 * Means, quantiles, and the quantiles of Student's and the normal distribution.
 */

double ft_stats_mean(const double *values, size_t n);     /* n >= 1 */
double ft_stats_variance(const double *values, size_t n); /* of the sample (n - 1); 0 when n < 2 */

/* ft_stats_ranked - the value of rank k (0: the least) of n > k finite values, which stay as they are.
 *
 * Few are copied and sorted; with many the bits are found, eight at a time, by counting. Allocates nothing.
 * Cost
 * O(n).
 */
double ft_stats_ranked(const double *values, size_t n, size_t k);

/* ft_stats_quantile - the quantile at a share 0..1, linear between order statistics.
 *
 * values  [n] finite, n >= 1
 *
 * Source: Hyndman & Fan, Sample quantiles in statistical packages, 1996, definition 7.
 */
double ft_stats_quantile(const double *values, size_t n, double share);
double ft_stats_median(const double *values, size_t n); /* the quantile at 0.5 */

/* ft_student_t - t such that a share `confidence` (inside 0..1) of Student's distribution with dof > 0
 * degrees of freedom lies between -t and t. */
double ft_student_t(double confidence, double dof);

/* ft_normal_quantile - z such that a share p (inside 0..1) of the standard normal distribution lies below. */
double ft_normal_quantile(double p);

/* ft_normal_below - how probable a value below z is in the standard normal distribution. */
double ft_normal_below(double z);

/* ft_normals_within - w such that a share p (inside 0..1) of values lies between -w and w, where these are of
 * several normal distributions about 0. NaN: there are none, or a deviation is none.
 *
 * deviation  [n] >= 0
 * weight     [n] >= 0, not all 0: how many of the values are of each
 *
 * To a relative error of 1e-9. Cost O(n).
 */
double ft_normals_within(const double *deviation, const double *weight, size_t n, double p);

/* ft_normals_quantile - what a share p (inside 0..1) of values lies below, where these are of several normal
 * distributions.
 *
 * mean       [n], n >= 1, finite
 * deviation  [n] >= 0, finite
 * weight     [n] > 0: how many of the values are of each
 *
 * To 1e-9 of the widest deviation. Cost O(n).
 */
double ft_normals_quantile(const double *mean, const double *deviation, const double *weight, size_t n,
			   double p);

/* ft_student_above - how probable a value above t is in Student's distribution with dof > 0. */
double ft_student_above(double t, double dof);

/* ft_f_probability - how probable a ratio of two sample variances as far from 1 as this, to either side, is
 * when the variances are equal (F test; degrees of freedom above and below). */
double ft_f_probability(double ratio, double above, double below);

/*
 * Singular values.
 */

/* ft_svd - the thin singular value decomposition a = u diag(s) v'.
 *
 * a  [m x n] row-major, finite, borrowed; m, n >= 1; r = min(m, n)
 * u  out [m x r] row-major; columns of singular values that are zero are zero
 * s  out [r] descending, >= 0
 * v  out [n x r] row-major
 *
 * Returns FT_OK; FT_ENOMEM. Cost O(max(m, n) r^2 + r^3).
 * Source: Golub & Van Loan, Matrix computations, 4th ed., sections 5.2 (Householder QR) and 8.6.3 (one-sided
 * Jacobi).
 */
enum ft_status ft_svd(const double *a, size_t m, size_t n, double *u, double *s, double *v,
		      struct ft_err *err);

/* ft_svd_first - the r largest singular values with their vectors: u [m x r], s [r], v [n x r]. Of a matrix
 * that is large against r by random projections: good where the values fall; the same for the same seed. Cost
 * O(m n r). */
enum ft_status ft_svd_first(const double *a, size_t m, size_t n, size_t r, uint64_t seed, double *u,
			    double *s, double *v, struct ft_err *err);

/*
 * Support vector regression with a radial kernel, by libsvm.
 */

/* f(x) = sum of coef exp(-gamma |x - support|^2) - shift. */
struct ft_svm {
	size_t n, d;
	double *support; /* [n x d] */
	double *coef;    /* [n] */
	double gamma, shift;
};

struct ft_svm_settings {
	double cost;  /* C > 0: the cost per unit of an error outside the tube */
	double tube;  /* half its width, unit of y, >= 0 */
	double gamma; /* > 0, one over a squared distance */
};

/* ft_svm_fit - from rows x [m x d], y [m], finite, m >= 1, borrowed.
 *
 * out    in the arena's memory; cleared on failure
 *
 * FT_OK; FT_EUNAVAIL: libsvm is not installed; FT_EINVAL: a setting that it rejects; FT_ENOMEM (libsvm
 * itself does not check its allocations). Prints nothing. Not for several threads: silencing libsvm is
 * process-wide. Cost O(m^2 d) and more, by libsvm's SMO (Chang & Lin, LIBSVM, ACM TIST 2011).
 */
enum ft_status ft_svm_fit(struct ft_svm *out, struct ft_arena *arena, const double *x, const double *y,
			  size_t m, size_t d, const struct ft_svm_settings *settings, struct ft_err *err);

double ft_svm_at(const struct ft_svm *svm, const double *x); /* x [d] */

/*
 * Functions whose loops are also compiled for wide vectors.
 *
 * FT_WIDE before a function: it is compiled twice, and the processor chooses when the program starts. Both
 * give the same bits: no multiplication is contracted with an addition. Only gcc, on x86-64, without
 * sanitizers (which run the choice before they are initialised); elsewhere it is empty.
 */

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) &&                 \
	!defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define FT_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define FT_WIDE
#endif

/* Doubles that are worked on together. Only inside of functions: how they are handed over depends on the
 * processor. */
enum { FT_LANES = 4 };
typedef double ft_lanes __attribute__((vector_size(FT_LANES * sizeof(double))));

/*
 * Circles of a directed graph.
 */

/* ft_circles_find - which nodes can reach each other.
 *
 * first    [n + 1] where the edges of each node begin in `to`
 * to       their other ends
 * circle   out, [n] from 1: nodes with the same number reach each other. An edge leads to a lower number, or
 *          to the same one
 * circles  out: how many there are
 *
 * Returns FT_OK; FT_ENOMEM. Cost O(n + edges).
 */
enum ft_status ft_circles_find(const size_t *first, const size_t *to, size_t n, size_t *circle,
			       size_t *circles, struct ft_err *err);

#endif
