/* SPDX-License-Identifier: GPL-3.0-or-later */
/* surrogate.h - programs and resources described by other ones (004 chapters 5 to 7).
 *
 * A matrix of measurements has a row for each machine or resource and a column for each program (or the
 * other way round). A target column is described by the basis columns on the rows where all are known; the
 * description predicts the target on rows where only the basis is known.
 */
#ifndef FORETIME_SURROGATE_H
#define FORETIME_SURROGATE_H

#include "foretime/base.h"
#include "foretime/facts.h"
#include "foretime/law.h"

#include <stdbool.h>
#include <stdint.h>

FT_BEGIN_DECLS

/* ---- solvers ------------------------------------------------------------------------------------------ */

/* What a solver is given: q targets over the same m rows and k basis columns. All borrowed. */
struct ft_surrogate_problem {
	size_t m, k, q;  /* m >= 1, k >= 1, q >= 1 */
	const double *x; /* [m x k] row-major, the basis; finite, or NaN: missing, where a solver has holes */
	const double *y; /* [m x q] row-major, the targets; the same */
	const size_t
		*group; /* [m] rows with the same number are kin (machines with one processor, for example):
			   an error is estimated with all of them left out; NULL: each row by itself */
	const double *sigma; /* [m] standard deviation of y's row, for `weighted`; NULL: all alike */
};

/* Options of solvers; zero means each one's default. A solver passes over what is not its. */
struct ft_surrogate_options {
	uint64_t seed;      /* of all random choices */
	size_t iterations;  /* at most, of a solver that iterates */
	size_t rank;        /* nmf: columns of W; default: the least that leaves 1 % of the sum of squares, at
			       most k */
	double tolerance;   /* nmf: the relative change of the loss at which it ends */
	double cut;         /* ols: singular values below cut times the largest are dropped; 1e-10 */
	const char *start;  /* nmf: "nndsvd", "random", "ica", "given" */
	const char *loss;   /* nmf: "frobenius", "kl", "nonsmooth" */
	const char *method; /* nmf: "hals" (frobenius), "newton" (kl, nonsmooth), "multiplicative" (each) */
	double smoothness;  /* nmf, nonsmooth: theta, 0..1; 0.5 */
	double l1,
		l2; /* nmf, frobenius: penalties of H for being large: sparse, smooth; rows are scaled to a mean of
			       squares of 1 unless raw */
	const double *w, *h; /* nmf, start "given": [m x rank], [rank x (k + q)]; one may be NULL: what fits
				the other */
	bool raw;            /* rows are taken as they are, not scaled so that each weighs the same */
	bool weigh; /* robust: rows are divided by the problem's sigma, as those of `weighted` (004 13.3) */
	const double *mean; /* bayes: [k] prior mean of beta; NULL: 0 */
	const double *sd;   /* bayes: [k] prior standard deviation of beta; NULL or infinite: flat */
};

/* A value with the interval that holds a share of future values; -inf and inf where the model has no estimate
 * of its error (as many unknowns as rows). */
struct ft_estimate {
	double value, lower, upper;
};

/* How a solver ended. */
struct ft_surrogate_outcome {
	bool converged;    /* false: the result is the last iterate; its residual shows its quality */
	size_t iterations; /* 0: it does not iterate */
	size_t rank;       /* of the basis, as far as the solver used it */
	double loss; /* what it made small: its own measure, summed over the targets; NaN: it has none */
};

/* What nmf finds: X and the targets behind it as last columns, [X y] ~ W H (004 6.3). Borrowed from the fit.
 */
struct ft_patterns {
	size_t m, rank, n; /* n = k + q */
	double smoothness; /* theta, nonsmooth: it is W S H, S = (1 - theta) I + theta / rank; else 0 */
	const double *w;   /* [m x rank] what each computational pattern consumes: its column */
	const double *h;   /* [rank x n] how much of each pattern is in each column of [X y] */
};

struct ft_arena; /* memory of the library that is released at once */
struct ft_solver {
	const char *name;
	const char *about;
	bool linear;   /* the prediction is x beta (and an intercept): ft_surrogate_beta reports it */
	bool positive; /* works on logarithms: every x and y must be > 0 */
	bool holes;    /* takes values that are missing as they are */
	/* Makes a state in memory of the arena, which ends with the fit; problem and options are checked
	 * already. */
	enum ft_status (*solve)(const struct ft_surrogate_problem *problem,
				const struct ft_surrogate_options *options, struct ft_arena *arena,
				void **state, struct ft_err *err);
	/* out [t x q] for x [t x k], row-major. */
	enum ft_status (*predict)(const void *state, const double *x, size_t t, double confidence,
				  struct ft_estimate *out, struct ft_err *err);
	/* beta [k x q] row-major, intercept [q]; NULL where not linear. */
	void (*beta)(const void *state, double *beta, double *intercept);
	/* What follows may be NULL; rows of the table name their fields. */
	/* The interval of each beta, [k x q]. */
	void (*spread)(const void *state, double confidence, struct ft_estimate *beta);
	/* NULL: it always ends well. */
	void (*outcome)(const void *state, struct ft_surrogate_outcome *out);
	void (*patterns)(const void *state, struct ft_patterns *out);
};

/* ft_solver_get - the i-th solver of the table; NULL past the last. */
const struct ft_solver *ft_solver_get(size_t i);
const struct ft_solver *ft_solver_find(const char *name); /* NULL: there is none of that name */

/* A description that a solver found. */
struct ft_surrogate_fit;

/* ft_surrogate_solve - describe the targets by the basis.
 *
 * problem  borrowed during the call
 * options  NULL: each default
 * out      heap, ends with ft_surrogate_free; NULL on failure
 *
 * Returns FT_OK, also when the solver did not converge or the basis is rank-deficient (ft_surrogate_outcome
 * reports); FT_EINVAL: a value that is not finite, whose square is no number, or not > 0 where the solver
 * needs it (row and column, from 1), an option that makes no sense; FT_ENOMODEL: the solver needs more rows
 * than there are; FT_EUNAVAIL; FT_ENOMEM.
 */
enum ft_status ft_surrogate_solve(const struct ft_solver *solver, const struct ft_surrogate_problem *problem,
				  const struct ft_surrogate_options *options, struct ft_surrogate_fit **out,
				  struct ft_err *err);
void ft_surrogate_free(struct ft_surrogate_fit *fit); /* accepts NULL */

/* ft_surrogate_predict - the targets on rows where only the basis is known.
 *
 * x           [t x k] row-major, finite (and > 0 where the solver needs it; NaN where it has holes), borrowed
 * confidence  inside 0..1
 * out         [t x q] row-major, the caller's
 *
 * Returns FT_OK; FT_EINVAL as above; FT_ENOMEM.
 */
enum ft_status ft_surrogate_predict(const struct ft_surrogate_fit *fit, const double *x, size_t t,
				    double confidence, struct ft_estimate *out, struct ft_err *err);

/* ft_surrogate_beta - beta [k x q] row-major and the intercepts [q]. False, and nothing is written: the
 * solver is not linear. */
bool ft_surrogate_beta(const struct ft_surrogate_fit *fit, double *beta, double *intercept);

struct ft_surrogate_outcome ft_surrogate_outcome(const struct ft_surrogate_fit *fit);

/* ---- matrices of measurements -------------------------------------------------------------------------- */

/* Resources (or machines) are rows and programs are columns, or the other way round. Zero-initialise; ends
 * with ft_matrix_clear. */
struct ft_matrix {
	size_t rows, columns;
	char **row, **column; /* [rows], [columns] names, each only once */
	double *value;        /* [rows x columns] row-major, the mean of what was added; NaN: missing */
	double *sd;           /* [rows x columns] of one measurement, where there were several; else NaN */
	size_t *group; /* [rows] rows of one group have the same number; NULL: no groups were requested */
};

void ft_matrix_clear(struct ft_matrix *matrix); /* accepts NULL, and twice */

/* Measurements that become a matrix, in any order; repeated ones are averaged. */
struct ft_matrix_maker;
enum ft_status ft_matrix_maker_new(struct ft_matrix_maker **out, struct ft_err *err);
void ft_matrix_maker_free(struct ft_matrix_maker *maker); /* accepts NULL */

/* ft_matrix_add - one measurement; row and column are made when they are new. NaN: no value, only the names.
 */
enum ft_status ft_matrix_add(struct ft_matrix_maker *maker, const char *row, const char *column, double value,
			     struct ft_err *err);

/* ft_matrix_make - what was added; rows and columns in the order in which they came first. FT_EINVAL: nothing
 * was. Cost O(measurements + rows x columns). */
enum ft_status ft_matrix_make(const struct ft_matrix_maker *maker, struct ft_matrix *out, struct ft_err *err);

/* How a table is read; zero means each one's default. */
struct ft_matrix_options {
	const char *rows;     /* the column that names the rows; default: `resource`, `machine`, `system`,
				 `program`     (with `n` behind it when there is one), else the first; a row whose
				 name was there     already gets its number behind it */
	const char *programs; /* wide: an extended regular expression: the columns that are read; NULL: all
				 the other ones, and then every cell is a number or empty */
	const char *group;    /* wide: the column whose equal cells are a group */
	const char *others;   /* wide: columns, with commas between, that are no programs; NULL: none */
	bool admit;           /* take resources that are no measure all the same */
};

/* ft_matrix_read - a table of measurements.
 *
 * A long table has the columns `program`, `resource` and `value` (and perhaps `machine` and `n`, which become
 * part of the names: "sort n=1000", "wall_s@box"); any other one is wide. A wide table whose rows are
 * programs is turned: rows of the matrix are resources always. A cell that is empty, or
 * NA, N/A, NaN, null or -, is missing.
 *
 * options may be NULL. Returns FT_OK; FT_ENOENT, FT_EACCESS, FT_EIO, FT_EPARSE (path, line and column); FT_EINVAL: no such column, no program, a negative
 * value (line and column), a bad expression, a resource that is no measure (unless
 * options->admit).
 */
enum ft_status ft_matrix_read(const char *path, const struct ft_matrix_options *options,
			      struct ft_matrix *out, struct ft_err *err);

/* ft_matrix_write - as a wide table, as text: what ft_matrix_read reads back to the last digit (means only).
 * out: heap, ends with free. FT_EINVAL: a program has the name of a column that controls how tables are read.
 */
enum ft_status ft_matrix_write(const struct ft_matrix *matrix, char **out, struct ft_err *err);

/* ---- diagnostics (004 5.4) ---------------------------------------------------------------------------- */

/* Properties of a matrix; of its complete rows. Zero-initialise; ends with ft_diagnosis_clear. */
struct ft_diagnosis {
	size_t rows, columns; /* complete rows, all columns */
	size_t *row;          /* [rows] their indices in the matrix */
	size_t rank;
	double *singular;    /* [min(rows, columns)] descending, rows scaled so that each weighs the same and
				columns to length 1 */
	double condition;    /* largest over smallest; infinite when rank-deficient */
	double *row_norm;    /* [rows] Euclid's, of the values as they are (equation 5.15) */
	double *column_norm; /* [columns] (5.14) */
	double *row_cosine;  /* [rows x rows] (5.18) */
	double *column_cosine;  /* [columns x columns] (5.17) */
	bool *redundant_row;    /* [rows] the other ones that are not redundant determine it too */
	bool *redundant_column; /* [columns] */
	double *place;          /* [columns x 2] in two dimensions: the first principal components of the
				   logarithms of the scaled columns; NaN where a column has no value > 0 */
	double place_share[2];  /* the share of the variance that each shows */
};

/* ft_matrix_diagnose - cut: as ft_surrogate_options; 0: 1e-10. FT_ENOMODEL: no complete row. */
enum ft_status ft_matrix_diagnose(const struct ft_matrix *matrix, double cut, struct ft_diagnosis *out,
				  struct ft_err *err);
void ft_diagnosis_clear(struct ft_diagnosis *diagnosis); /* accepts NULL, and twice */

/* ---- which programs to run ---------------------------------------------------------------------------- */

/* ft_basis_choose - the columns that explain most of all others, for a basis of k.
 *
 * value   [m x n] row-major, > 0; NaN: missing, and imputed
 * k       1..n
 * chosen  out [k], in the order of choice: the first j are the basis of j
 * left    out [k]: what is left of the deviation of a logarithm, on average over all columns, once the first
 *         j + 1 are known (0.05: about 5 %; rather more than there will be, for what columns have in
 *         common is drawn to the usual); may be NULL
 *
 * Greedy: each choice leaves the least sum of conditional standard deviations, under the covariance of
 * logarithms shrunk by 5 %.
 *
 * Returns FT_OK; FT_EINVAL: a value not > 0 (row and column, from 1), a column without values, fewer than two
 * rows; FT_ENOMEM. Cost O(m n^2 + k n^2).
 */
enum ft_status ft_basis_choose(const double *value, size_t m, size_t n, size_t k, size_t *chosen,
			       double *left, struct ft_err *err);

FT_END_DECLS

#endif
