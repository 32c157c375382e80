/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compose.h - programs of a matrix at several sizes: how their shares of other programs grow (004 chapter 7),
 * whether two together are the sum of both, and what those that follow each other do to each other.
 */
#ifndef FORETIME_COMPOSE_H
#define FORETIME_COMPOSE_H

#include "foretime/expr.h"
#include "foretime/surrogate.h"

FT_BEGIN_DECLS

/* A program at each of its sizes: the columns "NAME n=..." of a matrix, by n ascending. One without a size
 * is the last, and its n is NaN. Ends with ft_sized_clear. */
struct ft_sized {
	const char *name; /* borrowed */
	size_t *column;   /* [sizes] */
	double *n;        /* [sizes] */
	size_t sizes;
};

/* ft_sized_find - out: cleared on failure. Returns FT_OK; FT_ENOENT: the matrix has no such program;
 * FT_ENOMEM. Cost O(columns + sizes^2). */
enum ft_status ft_sized_find(struct ft_sized *out, const struct ft_matrix *matrix, const char *name,
			     struct ft_err *err);
void ft_sized_clear(struct ft_sized *sized); /* accepts NULL, and twice */

/* ft_sized_column - its column at a size, else the one without a size, which is the same everywhere. -1: it
 * was not measured there. */
long ft_sized_column(const struct ft_sized *sized, double n);

/* ---- experimental complexity (004 chapter 7) ------------------------------------------------------------
 */

/* ft_complexity_fit - xi(n) = beta(n) as curves of n (004 7.2, 10.2): sums of the terms that ft_laws_fit
 * knows, of either sign.
 *
 * n     [s] sizes, > 0, different
 * beta  [s x k] row-major: the shares at each size
 * out   [k] the caller's; the curve of a program of the basis is out[j].candidate[0].law, and no share is a
 *       law without terms
 *
 * Returns FT_OK; FT_ENOMODEL: one size; FT_EINVAL: a size; FT_ENOMEM. Cost O(300 s k).
 */
enum ft_status ft_complexity_fit(const double *n, const double *beta, size_t s, size_t k,
				 struct ft_law_sums *out, struct ft_err *err);

/* ft_complexity_misfit - how far a resource is from its prediction by the shares, at the sizes that they are
 * of: root mean square of relative errors (what is below a hundredth of the most counts as that); NaN: it is
 * 0 by all of them.
 *
 * basis     [k] what the programs of the basis take of the resource
 * measured  [s] what the target takes
 */
double ft_complexity_misfit(const double *basis, const double *beta, const double *measured, size_t s,
			    size_t k);

/* ft_complexity_foretell - a resource at a size that was not measured: what the curves make of the basis (004
 * eq. 7.2, 7.3), with an interval that holds the share `confidence` of what they may be, and of the
 * description's own misfit (NaN: not known).
 *
 * Returns FT_OK; FT_EINVAL: the size, or the curves have no value there.
 */
enum ft_status ft_complexity_predict(const struct ft_law_sums *xi, const double *basis, size_t k,
				     double misfit, double n, double confidence, struct ft_estimate *out,
				     struct ft_err *err);

/* A program's shares of other programs at each of its sizes, and their curves. The first four are given, and
 * borrowed; zero-initialise the others; ends with ft_shares_clear. */
struct ft_shares {
	const struct ft_matrix *matrix;
	const struct ft_sized *program;
	const size_t *basis; /* [k] columns */
	size_t k;
	double *beta;              /* [sizes x k] row-major */
	struct ft_law_sums *curve; /* [k] */
	size_t incomplete;         /* rows that were not learned from: a value is missing */
};

/* ft_shares_find - solver: a linear one. Returns FT_OK; what ft_case_make and ft_surrogate_solve return; and
 * ft_complexity_fit, then beta and incomplete stand. */
enum ft_status ft_shares_find(struct ft_shares *shares, const struct ft_solver *solver,
			      const struct ft_surrogate_options *options, struct ft_err *err);
void ft_shares_clear(struct ft_shares *shares); /* what it borrows stays; accepts twice */

/* ft_shares_foretell - what the program takes of a row's resource at sizes that were not measured.
 *
 * n    [count] > 0
 * out  [count] not below 0; NaN: the basis was not measured there, or the curves are negative
 *
 * Returns FT_OK; FT_ENOMEM; what ft_complexity_foretell returns.
 */
enum ft_status ft_shares_predict(const struct ft_shares *shares, size_t row, const double *n, size_t count,
				 double confidence, struct ft_estimate *out, struct ft_err *err);

/* ---- sums (004 7.4 and 7.5) ---------------------------------------------------------------------------- */

/* Two programs, what runs both, and how often the second is called for each call of the first. All borrowed.
 */
struct ft_composition {
	const struct ft_matrix *matrix;
	const struct ft_sized *first, *second;
	const struct ft_sized *whole; /* NULL: nothing is compared */
	const struct ft_expr *phi;    /* of n; NULL: once */
	double tolerance;             /* a share of the whole: by this much a sum may be off */
};

/* One resource at one size: is the whole the sum of its parts? */
struct ft_sum {
	double n; /* NaN: the programs have no sizes */
	size_t row;
	double parts;
	double whole; /* NaN: not compared */
	double off;   /* parts / whole - 1, and 0 where both are nothing; NaN: not compared */
	bool holds;   /* true also where no value is compared */
};

/* ft_sums_compare - each resource at each size where both programs, and the whole when there is one, were
 * measured.
 *
 * out  heap, ends with free; by size, then row
 *
 * Returns FT_OK; FT_ENOMODEL: at no size; what ft_expr_eval returns; FT_ENOMEM. Cost O(rows x sizes).
 */
enum ft_status ft_sums_compare(const struct ft_composition *of, struct ft_sum **out, size_t *n,
			       struct ft_err *err);

/* ---- couplings (002 1.3.2) ------------------------------------------------------------------------------
 */

/* ft_chain_windows - how many windows of `length` neighbours k routines have that run one after the other; in
 * a loop the first follows the last. 0: no such length. */
size_t ft_chain_windows(size_t k, size_t length, bool loop);

/* ft_chain_couple - C = P_w / (P_i + P_j + ...) of each window of neighbours (002 1.3.2): above 1 they are in
 * each other's way, below they help each other. And what all take together, sum weight_i P_i, weight_i being
 * the mean of the couplings of the windows that i is in, by what these take.
 *
 * alone     [k] what each takes by itself
 * together  [windows] what the window takes that begins with routine w
 * coupling  out [windows]; weight out [k]
 *
 * Returns FT_OK; FT_EINVAL: no such window; a value that is not above 0.
 */
enum ft_status ft_chain_couple(const double *alone, size_t k, const double *together, size_t length,
			       bool loop, double *coupling, double *weight, double *whole,
			       struct ft_err *err);

/* Routines that run one after the other. All borrowed. */
struct ft_chain {
	const struct ft_matrix *matrix;
	char *const *name; /* [k] in their order, k >= 2 */
	size_t k;
	bool loop;          /* the first follows the last */
	const char *target; /* what all take together, to compare with; NULL: nothing is compared */
};

/* One resource at one size, by the longest windows all of which were measured. */
struct ft_coupled {
	double n; /* NaN: the routines have no sizes */
	size_t row;
	size_t length;    /* of the windows */
	double *coupling; /* [windows] */
	size_t windows;
	double sum;      /* of the routines alone */
	double composed; /* with their couplings */
	double measured; /* of the target; NaN: none, or not there */
};

/* ft_chain_window_name - the column of a window of a chain: "app/a+app/b"; brief: "app/a+b". Heap, ends with
 * free; NULL: no memory. */
char *ft_chain_window_name(const struct ft_chain *chain, size_t begin, size_t length, bool brief);

/* ft_chain_measure - the couplings of a chain in a matrix, whose windows go by either name.
 *
 * out  heap, ends with ft_coupled_free; by size, then row: those where each routine and some length of
 * windows was measured
 *
 * Returns FT_OK; FT_ENOENT: no such program; FT_ENOMODEL: no neighbours were measured together; FT_ENOMEM.
 */
enum ft_status ft_chain_measure(const struct ft_chain *chain, struct ft_coupled **out, size_t *n,
				struct ft_err *err);
void ft_coupled_free(struct ft_coupled *coupled, size_t n); /* accepts NULL */

FT_END_DECLS
#endif
