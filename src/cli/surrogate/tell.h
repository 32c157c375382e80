/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tell.h - what the answers of `foretime surrogate` share. */
#ifndef FT_CLI_SURROGATE_TELL_H
#define FT_CLI_SURROGATE_TELL_H

#include "cli/answers.h"
#include "cli/common.h"
#include "cli/surrogate/case.h"

/* Numbers that may be missing; lists of them; cli_lists - the rows of a table as such, ends with free. */
struct cli_list {
	const double *value;
	size_t n;
};
extern const struct ft_tell_record cli_missing, cli_list_told;
struct cli_list *cli_lists(const double *value, size_t rows, size_t columns);

/* cli_names - those of an index (NULL: all of them) that are marked (NULL: all); ends with free. */
const char **cli_names(char *const *name, const size_t *index, const bool *marked, size_t n, size_t *count);

/* What describe and predict tell of their case; ends with cli_case_told_clear. */
struct cli_told_case {
	const char *by, *target, *solver;
	double confidence, loss;
	size_t rows_used, rows_incomplete, n_rows_left_out, n_basis_left_out, values_missing, values_imputed,
		iterations, rank;
	const char **rows_left_out, **basis_left_out;
	bool converged;
};
extern const struct ft_tell_record cli_case_rows;
struct cli_told_case cli_case_told(const struct cli_case *c, const struct cli_surrogate *surrogate);
void cli_case_told_clear(struct cli_told_case *told);

#endif
