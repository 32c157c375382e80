/* SPDX-License-Identifier: GPL-3.0-or-later */
/* door.h - what other rooms and commands use of surrogate beyond its interface. */
#ifndef FT_SURROGATE_DOOR_H
#define FT_SURROGATE_DOOR_H

#include "base/csv.h"
#include "foretime/base.h"
#include "foretime/facts.h"
#include "foretime/law.h"
#include "foretime/surrogate.h"
#include "law/door.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- solvers ------------------------------------------------------------------------------------------ */

/* ft_surrogate_spread - the interval of each beta, [k x q]. False: the solver knows none. */
bool ft_surrogate_spread(const struct ft_surrogate_fit *fit, double confidence, struct ft_estimate *beta);

bool ft_surrogate_patterns(const struct ft_surrogate_fit *fit, struct ft_patterns *out); /* false: none */

/* ---- matrices of measurements -------------------------------------------------------------------------- */

/* ft_matrix_row, ft_matrix_column - the index of a name; -1: there is none. */
long ft_matrix_row(const struct ft_matrix *matrix, const char *name);
long ft_matrix_column(const struct ft_matrix *matrix, const char *name);

/* What of runs becomes measurements. All borrowed. */
struct ft_matrix_wanted {
	const char *const *resource; /* [n_resources]; none: each that is a measure */
	size_t n_resources;
	bool admit;        /* of these, those that are no measure too */
	char *const *size; /* [n_sizes] "n=16:64": the sizes; several of one parameter are alternatives, and
			      one that none names may be anything */
	size_t n_sizes;
};

/* ft_matrix_add_runs - the runs of a program that ended well: a row for each resource, "wall_s", and a column
 * for each size, "sort n=1000" or "sort/ROUTINE n=1000".
 *
 * machine  its name is part of the row's, "wall_s@box"; NULL: there is one machine
 *
 * Returns FT_OK; what ft_param_parse returns; FT_EINVAL: the program has no such parameter; FT_ENOMEM.
 */
enum ft_status ft_matrix_add_runs(struct ft_matrix_maker *maker, const struct ft_program *program,
				  const struct ft_runs *runs, const char *machine,
				  const struct ft_matrix_wanted *wanted, struct ft_err *err);

/* ft_matrix_impute - missing values of some columns become what the others of their row lead one to expect:
 * their logarithms are taken as jointly normal around the row's pace. Of few rows that is the product of a
 * row's and a column's factor. A row without any value stays without. For descriptions and predictions that
 * rest on few missing values: later they cannot be distinguished from measured ones afterwards.
 *
 * column  [k] indices
 * filled  out: how many there were
 *
 * Returns FT_OK; FT_EINVAL: a value not > 0, a column without values (named); FT_ENOMEM. Cost O(k^3 + rows
 * k^2), and g^3 for a row with g gaps.
 */
enum ft_status ft_matrix_impute(struct ft_matrix *matrix, const size_t *column, size_t k, size_t *filled,
				struct ft_err *err);

/* ft_matrix_doublings - how much more a column takes of a row than of other rows, against the other
 * columns: the logarithm to base 2 less the mean of its row, and then of its column. value [rows x columns]
 * out, row-major; NaN: missing, or not > 0. */
void ft_matrix_doublings(const struct ft_matrix *matrix, double *value);

/* ft_matrix_turn - rows become columns; groups are lost. */
enum ft_status ft_matrix_turn(const struct ft_matrix *matrix, struct ft_matrix *out, struct ft_err *err);

/* ft_resource_admissible - is a resource a measure (004 5.1.3: never negative, nothing for nothing,
 * additive)? Judged by its name: a share, a rate, a power, a temperature, memory in use are none. FT_EINVAL:
 * why not, and how to make one of it. */
enum ft_status ft_resource_admissible(const char *name, struct ft_err *err);

/* ---- cases --------------------------------------------------------------------------------------------- */

/* Columns of a matrix described by other ones. Zero-initialise; ends with ft_case_clear. */
struct ft_case {
	struct ft_surrogate_problem problem; /* of the rows where all is known; borrows from here */
	size_t *row;                         /* [m] their indices in the matrix */
	size_t *left_out;                    /* [incomplete] rows that were left out for a missing value */
	size_t incomplete;
	size_t missing; /* values of the rows that were kept */
	double *x, *y, *sigma;
	size_t *group;
};

/* What becomes of rows that lack a value of the basis. A row that lacks the target is never used for it. */
enum ft_gaps {
	FT_GAPS_FILL, /* it becomes what the row's other values lead one to expect, judged by the rows that
			 are trained on */
	FT_GAPS_DROP, /* the row is neither trained on nor predicted */
	FT_GAPS_KEEP  /* the solver is given NaN: for those with holes */
};

/* ft_case_make - the problem of describing columns by columns.
 *
 * basis   [k], target [q]: indices of columns
 * row     [m] indices of the rows to use; NULL: every row
 * keep    rows with a missing value too, as long as something of the basis is known; for solvers with holes
 * out     the caller's; cleared on failure. sigma is there when q = 1 and the target was measured several
 *         times on each row, with different results
 *
 * Returns FT_OK; FT_EINVAL: a target that is in the basis, a column of the basis that is zero throughout;
 * FT_ENOMODEL: no row where all is known (the column that lacks most is named); FT_ENOMEM.
 */
enum ft_status ft_case_make(const struct ft_matrix *matrix, const size_t *basis, size_t k,
			    const size_t *target, size_t q, const size_t *row, size_t m, bool keep,
			    struct ft_case *out, struct ft_err *err);
void ft_case_clear(struct ft_case *c); /* accepts NULL, and twice */

/* A start of nmf that tables give (start "given"). Borrows what it is of; ends with ft_start_clear. */
struct ft_surrogate_start {
	const struct ft_matrix *matrix;
	const struct ft_case *learned; /* that ft_case_make made of it, for one target */
	const size_t *basis;           /* [k] columns */
	size_t target;
	const char *kind; /* what a column is called in messages: "program" */
	/* as given; zero-initialise */
	size_t rank;   /* patterns; before: as many as there must be, 0: any number */
	double *w, *h; /* [m x rank], [rank x (k + 1)]; NULL: not given yet */
};

/* ft_start_read - what a table (as ft_csv_read) shows of it. A table that has a column of the target's name
 * is H: a row for each pattern, a column for each of the basis and for the target. Any other is W: a row for
 * each that is learned from, named in the first column; each other column is a pattern. Other rows of W and
 * other columns of H are passed over.
 *
 * Returns FT_OK; FT_EINVAL: a negative value (path, line and column), another number of patterns, or none;
 * FT_ENOENT: a row or column that is missing; FT_EEXIST: that factor is given already; what ft_csv_read and
 * ft_csv_number return; FT_ENOMEM. Cost O(m x rows) for W. */
enum ft_status ft_start_read(struct ft_surrogate_start *start, const char *path, struct ft_err *err);
void ft_start_clear(struct ft_surrogate_start *start); /* accepts NULL, and twice */

/* ft_basis_known - leaves out of a basis what a row lacks, unless nothing would be left. basis [*k] changes;
 * unknown out [*k], n_unknown: the columns that were left out. */
void ft_basis_known(const struct ft_matrix *matrix, size_t row, size_t *basis, size_t *k, size_t *unknown,
		    size_t *n_unknown);

/* ft_basis_redundant - which columns of a basis the ones before them determine already; redundant [k] out.
 * cut: as ft_surrogate_options. */
enum ft_status ft_basis_redundant(const struct ft_surrogate_problem *problem, double cut, bool *redundant,
				  struct ft_err *err);

/* How a target lies to the cone of mixtures of its basis (004 6.1.2). */
struct ft_cone {
	bool inside; /* a mixture with shares >= 0 gives it, to a millionth */
	double rest; /* what the best one leaves, as a share of the target (least absolute errors of scaled
			rows) */
	double free_rest; /* the same with shares of either sign; NaN: fewer rows than columns */
};

/* ft_surrogate_cone - of the first target. */
enum ft_status ft_surrogate_cone(const struct ft_surrogate_problem *problem, bool raw, struct ft_cone *out,
				 struct ft_err *err);

/* What residuals show of the model (004 6.2.6); trend and spread at the level of 1 %. */
struct ft_residuals {
	bool few;         /* under 8 rows: nothing is read from them */
	bool trend;       /* neighbours in size err alike: something is missing, or it is not linear */
	double alike;     /* the correlation of neighbours, in order of the fitted value */
	bool spread;      /* the errors grow (or shrink: growth < 0) with the fitted value */
	double growth;    /* rank correlation of |residual| with it */
	size_t outliers;  /* residuals over 5 robust standard deviations */
	double deviation; /* the robust standard deviation */
};

/* What a fit reports of its first target, and how well that holds; m rows, k columns of the basis. Ends with
 * ft_description_clear. */
struct ft_description {
	bool linear;                  /* beta and intercept are known */
	bool spread;                  /* interval and sd are */
	double *beta, intercept;      /* [k] */
	struct ft_estimate *interval; /* [k] of beta */
	double *sd;                   /* [k] of beta: half of the interval that holds 68.27 % */
	struct ft_estimate *fitted;   /* [m] */
	double *residual; /* [m] over the root mean square of the basis in that row, unless rows are taken raw
			   */
	bool *outlier;    /* [m] */
	struct ft_residuals reading;
	struct ft_cone cone;
	struct ft_patterns patterns; /* of the fit, borrowed; rank 0: none */
};

/* ft_surrogate_describe - problem: of complete rows, q = 1; those that the fit learned from, or fewer.
 *
 * Returns FT_OK; what ft_surrogate_predict and ft_surrogate_cone return; FT_ENOMEM. out: cleared on failure.
 */
enum ft_status ft_surrogate_describe(const struct ft_surrogate_fit *fit,
				     const struct ft_surrogate_problem *problem, double confidence, bool raw,
				     struct ft_description *out, struct ft_err *err);
void ft_description_clear(struct ft_description *description); /* accepts NULL, and twice */

/* ---- diagnostics (004 5.4) ---------------------------------------------------------------------------- */

/* Which of several columns (or rows) are alike, by their cosines. */
struct ft_likeness {
	size_t most[2],
		least[2]; /* the first pair of such a cosine, the higher index first; equal: no pair */
	size_t same;      /* pairs of at least the cosine that was requested */
};

/* ft_cosines_compare - cosine [n x n]; NaN: not known. */
struct ft_likeness ft_cosines_compare(const double *cosine, size_t n, double same);

/* ft_cosines_nearest - the one that is most like j; j: there is none. */
size_t ft_cosines_nearest(const double *cosine, size_t n, size_t j);

/*
 * Programs of a matrix at several sizes: how their shares of other programs grow (004 chapter 7),
 * whether two together are the sum of both, and what those that follow each other do to each other.
 */

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

/* ft_complexity_predict - a resource at a size that was not measured: what the curves make of the basis (004
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

/* ft_shares_predict - what the program takes of a row's resource at sizes that were not measured.
 *
 * n    [count] > 0
 * out  [count] not below 0; NaN: the basis was not measured there, or the curves are negative
 *
 * Returns FT_OK; FT_ENOMEM; what ft_complexity_predict returns.
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

/*
 * What descriptions of programs by other programs are worth: machines of a table that are
 * predicted from the others (004 chapter 11), and by what identical ones differ.
 */

/* How a trial comes by its basis. */
enum ft_basis_way {
	FT_BASIS_DRAWN,  /* at random for each target, in proportion to the correlation with it (004 11.2) */
	FT_BASIS_CHOSEN, /* ft_basis_choose on the training rows; all other columns are targets */
	FT_BASIS_NAMED   /* the same columns always; all others are targets */
};

/* A prediction that was put to the test. */
struct ft_trial {
	size_t repeat, target, row; /* from 0 */
	double actual;
	struct ft_estimate predicted;
};

/* Train on some rows, predict the rest, and compare (004 chapter 11). All borrowed. */
struct ft_trials {
	/* one row a machine, one column a program; > 0, NaN: missing */
	const double *value; /* [m x n] row-major */
	size_t m, n;
	const size_t *group; /* [m] rows with the same number are never on both sides; NULL: each by itself */
	enum ft_basis_way way;
	size_t k;            /* programs of the basis, 1..n - 1 */
	const size_t *named; /* [k] FT_BASIS_NAMED: columns */
	size_t train;        /* rows, 2..m - 1 */
	size_t test;         /* rows at most; 0: all that remain */
	enum ft_gaps gaps;
	size_t repeats; /* >= 1 */
	uint64_t seed;
	double confidence; /* of the intervals, inside 0..1 */
	const struct ft_solver *solver;
	const struct ft_surrogate_options *options; /* may be NULL */
	/* Called for each prediction; false ends the trials. May be NULL. */
	bool (*tell)(void *context, const struct ft_trial *trial);
	void *context;
};

struct ft_trial_score {
	/* NaN: no target varies */
	double rae;          /* sum |p - y| / sum |y - mean y| (004 equation 11.1), averaged over fits */
	double median_error; /* of |p - y| / y over all predictions */
	double p90_error;    /* 90 % of them are below */
	double error_mean, error_sd; /* of (p - y) / y (004 tables 11.2 and 11.3) */
	double residual_mean,
		residual_sd; /* of (y - p) / y on the rows that were trained on (the same tables) */
	double coverage;     /* share inside the interval, averaged over fits */
	size_t fits;         /* of a target on a training set */
	size_t predictions;
};

struct ft_trials_result {
	struct ft_trial_score all;     /* NaN without predictions */
	struct ft_trial_score *column; /* [n] of each target; fits = 0: it was none */
	size_t n;
	size_t skipped; /* fits without two rows to train on, or without one to predict */
};

/* ft_trials_run - the same seed gives the same rows and bases for every solver.
 *
 * With groups, whole groups are drawn until there are `train` rows; what is left of the last one is on
 * neither side.
 *
 * out  ends with ft_trials_clear; cleared on failure
 *
 * Returns FT_OK; FT_EINVAL: a value not > 0, no row left to predict, or what the solver refuses; FT_EINTR:
 * `tell` returned false; FT_ENOMODEL, FT_ENOMEM: as the solver. Cost repeats x targets x that of a fit.
 */
enum ft_status ft_trials_run(const struct ft_trials *trials, struct ft_trials_result *out,
			     struct ft_err *err);
void ft_trials_clear(struct ft_trials_result *result); /* accepts NULL, and twice */

/* By what identical machines differ, which bounds how well any of them can be predicted. */
struct ft_floor {
	double error; /* root mean square of (y - mean) / mean, each about the mean of its group; NaN: no two
			 are identical */
	size_t rows, groups; /* behind it: of two or more */
};

/* ft_floor_groups - rows of a table with equal cells in each of the columns [n] are of identical machines.
 * group [rows] out: the number of the first row that is like it. Cost O(rows x groups x n). */
void ft_floor_groups(const struct ft_csv *csv, const size_t *column, size_t n, size_t *group);

/* ft_floors_find - of each program, and of all (Table 11.1's bias error).
 *
 * out    [n]
 * value  [m x n] row-major, rows are machines; > 0, NaN: missing
 * group  [m] < m; rows with the same number are of identical machines
 *
 * Returns FT_OK; FT_ENOMEM. Source: 004 section 11.1.1.
 */
enum ft_status ft_floors_find(struct ft_floor *out, struct ft_floor *all, const double *value, size_t m,
			      size_t n, const size_t *group, struct ft_err *err);

#endif
