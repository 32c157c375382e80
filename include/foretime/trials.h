/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trials.h - what descriptions of programs by other programs are worth: machines of a table that are
 * predicted from the others (004 chapter 11), and by what identical ones differ.
 */
#ifndef FORETIME_TRIALS_H
#define FORETIME_TRIALS_H

#include "foretime/csv.h"
#include "foretime/surrogate.h"

FT_BEGIN_DECLS

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

FT_END_DECLS
#endif
