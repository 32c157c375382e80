/* SPDX-License-Identifier: GPL-3.0-or-later */
/* surrogate.h - `foretime surrogate`: the matrix of measurements, opened for its subcommands. */
#ifndef FT_CLI_SURROGATE_SURROGATE_H
#define FT_CLI_SURROGATE_SURROGATE_H

#include "cli/cli.h"
#include "cli/options.h"
#include "foretime/surrogate.h"
#include "surrogate/door.h"

/* The query and its data. Zero-initialise; ends with cli_surrogate_close. */
struct cli_surrogate {
	const struct cli_words *words; /* the first is the action */
	/* as typed; 0: the default */
	const char *store_path, *file, *output;
	const char *alike;                   /* evaluate: columns */
	const char *rows, *programs, *group; /* of a table: struct ft_matrix_options; group: evaluate's by */
	struct ft_field_texts resource;      /* of the store */
	bool admit, turned, dark, json;
	const char *target, *target_resource, *solver, *by, *missing;
	struct ft_field_texts basis, over, prior;
	const char *first, *second, *phi; /* compose */
	const char *chain;                /* couple */
	bool loop;
	double confidence, tolerance;
	struct ft_surrogate_options options;
	size_t train, test, repeats; /* evaluate */
	size_t seed;
	/* as found */
	struct ft_matrix matrix; /* rows are resources */
};

/* cli_surrogate_open - read the matrix from the file, or from the store (words: NAME and sizes). Returns
 * CLI_DONE, or the exit status after a complaint. */
int cli_surrogate_open(struct cli_surrogate *surrogate);
/* cli_surrogate_read - the same, for any words behind the action. */
int cli_surrogate_read(struct cli_surrogate *surrogate);

/* cli_surrogate_source - the file, or the store's path as it was given; borrowed. */
const char *cli_surrogate_source(const struct cli_surrogate *surrogate);

/* The subcommands. Each returns the exit status. */
int cli_surrogate_matrix(void *query);
int cli_surrogate_diagnose(void *query);
int cli_surrogate_describe(void *query);
int cli_surrogate_predict(void *query);
int cli_surrogate_complexity(void *query);
int cli_surrogate_compose(void *query);
int cli_surrogate_couple(void *query);
int cli_surrogate_evaluate(void *query);

/* cli_surrogate_positive - CLI_DONE, or CLI_WRONG after a complaint of the first value that is not above 0.
 */
int cli_surrogate_positive(const struct cli_surrogate *surrogate);

/*
 * The query of `surrogate describe` and `surrogate predict`, found in the matrix and solved.
 */

/* Zero-initialise; ends with cli_case_close. */
struct cli_case {
	struct ft_matrix turned;        /* used when resources are the columns */
	const struct ft_matrix *matrix; /* columns are what describes */
	const char *kind;               /* of a column: "program" or "resource" */
	size_t target;                  /* column */
	size_t query;                   /* row to predict; matrix->rows: none */
	size_t *basis, k;               /* columns */
	size_t *lacking, n_lacking;     /* predict: those of the basis that the query's row lacks */
	enum ft_gaps gaps;
	double *mean, *sd; /* [k] priors */
	bool partial;      /* predict: part of the basis is missing in the query's row */
	const struct ft_solver *solver;
	struct ft_case made; /* from complete rows */
	struct ft_case
		kept;   /* with rows that lack a value, for a solver with holes; problem.m = 0: not used */
	size_t imputed; /* values that were missing */
	struct ft_surrogate_start start; /* start of nmf, if given in files */
	struct ft_surrogate_fit *fit;
};

/* cli_case_open - read the matrix, find the names, solve. predict: both targets are needed, and the
 * query's row is not learned from. Returns CLI_DONE, or the exit status after a complaint. */
int cli_case_open(struct cli_case *c, struct cli_surrogate *surrogate, bool predict);
void cli_case_close(struct cli_case *c);

/* cli_case_learned - what the solver was given. */
const struct ft_case *cli_case_learned(const struct cli_case *c);

/* cli_gaps_read - the way of --missing; CLI_WRONG: there is none, or the solver does not go with it. */
int cli_gaps_read(const char *name, const struct ft_solver *solver, enum ft_gaps *gaps);

/* cli_solver_unknown - print the complaint about an unknown solver name. Returns CLI_WRONG. */
int cli_solver_unknown(const char *name);

/* cli_case_notes - print what a reader needs to judge the result: incomplete rows, redundant columns, a
 * solver that did not converge. On standard error. */
int cli_case_notes(const struct cli_case *c, const struct cli_surrogate *surrogate);

/*
 * The difference between identical machines of a table.
 */

/* Zero-initialise; ends with cli_floor_clear. */
struct cli_floor {
	struct ft_floor all;
	struct cli_floor_program {
		const char *name; /* borrowed */
		struct ft_floor floor;
	} * program; /* [n]; NULL: identical machines are not marked */
	size_t n;
};
extern const struct ft_tell_record cli_floor_rows;

/* cli_floor_find - where --alike names columns: rows of equal cells in all of them are of identical machines.
 * Returns CLI_DONE, or CLI_WRONG after a complaint. */
int cli_floor_find(struct cli_floor *floor, const struct cli_surrogate *surrogate);

/* cli_floor_print - two lines that compare it with a solver's errors; nothing if it is not known. */
void cli_floor_print(const struct cli_floor *floor, const char *solver, const struct ft_trial_score *score);
void cli_floor_clear(struct cli_floor *floor);

/*
 * Shared rows of the answers of `foretime surrogate`.
 */

/* Numbers that may be missing; lists of them; cli_lists - the rows of a table as such, ends with free. */
struct cli_list {
	const double *value;
	size_t n;
};
extern const struct ft_tell_record cli_missing, cli_list_answer;
struct cli_list *cli_lists(const double *value, size_t rows, size_t columns);

/* cli_names - those of an index (NULL: all of them) that are marked (NULL: all); ends with free. */
const char **cli_names(char *const *name, const size_t *index, const bool *marked, size_t n, size_t *count);

/* Output of describe and predict about their case; ends with cli_case_answer_clear. */
struct cli_answer_case {
	const char *by, *target, *solver;
	double confidence, loss;
	size_t rows_used, rows_incomplete, n_rows_left_out, n_basis_left_out, values_missing, values_imputed,
		iterations, rank;
	const char **rows_left_out, **basis_left_out;
	bool converged;
};
extern const struct ft_tell_record cli_case_rows;
struct cli_answer_case cli_case_answer(const struct cli_case *c, const struct cli_surrogate *surrogate);
void cli_case_answer_clear(struct cli_answer_case *answer);

void cli_surrogate_close(struct cli_surrogate *surrogate);

#endif
