/* SPDX-License-Identifier: GPL-3.0-or-later */
/* case.h - what `surrogate describe` and `surrogate predict` are asked, found in the matrix and solved. */
#ifndef FT_CLI_SURROGATE_CASE_H
#define FT_CLI_SURROGATE_CASE_H

#include "cli/surrogate/surrogate.h"

/* Zero-initialise; ends with cli_case_close. */
struct cli_case {
	struct ft_matrix turned;        /* used when resources are the columns */
	const struct ft_matrix *matrix; /* columns are what describes */
	const char *kind;               /* of a column: "program" or "resource" */
	size_t target;                  /* column */
	size_t asked;                   /* row that is foretold; matrix->rows: none */
	size_t *basis, k;               /* columns */
	size_t *unasked, n_unasked;     /* predict: those of the basis that the row that is asked lacks */
	enum ft_gaps gaps;
	double *mean, *sd; /* [k] priors */
	bool partial;      /* predict: some of the basis is missing in the row that is asked */
	const struct ft_solver *solver;
	struct ft_case made; /* of complete rows */
	struct ft_case
		kept;   /* with rows that lack a value, for a solver with holes; problem.m = 0: not used */
	size_t imputed; /* values that were missing */
	struct ft_surrogate_start start; /* of nmf, where files tell it */
	struct ft_surrogate_fit *fit;
};

/* cli_case_open - read the matrix, find the names, solve. predict: both targets are needed, and the asked
 * row is not learned from. Returns CLI_DONE, or the exit status after a complaint. */
int cli_case_open(struct cli_case *c, struct cli_surrogate *surrogate, bool predict);
void cli_case_close(struct cli_case *c);

/* cli_case_learned - what the solver was given. */
const struct ft_case *cli_case_learned(const struct cli_case *c);

/* cli_gaps_read - the way of --missing; CLI_WRONG: there is none, or the solver does not go with it. */
int cli_gaps_read(const char *name, const struct ft_solver *solver, enum ft_gaps *gaps);

/* cli_solver_unknown - the complaint about a name that is none of a solver. Returns CLI_WRONG. */
int cli_solver_unknown(const char *name);

/* cli_case_column - the column of that name, CLI_WRONG after a complaint. */
int cli_case_column(const struct cli_case *c, const char *name, size_t *column);

/* cli_priors_read - c->mean and c->sd, of --prior: NAME=MEAN:SD, or a file FILE.json that describe printed.
 */
int cli_priors_read(struct cli_case *c, const struct cli_surrogate *surrogate);

/* cli_case_notes - what a reader must know of how it went: incomplete rows, redundant columns, a solver that
 * did not converge. On standard error. */
int cli_case_notes(const struct cli_case *c, const struct cli_surrogate *surrogate);

#endif
