/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tell.c - what the answers of `foretime surrogate` share. */
#include "cli/surrogate/tell.h"

#include <stdlib.h>

static const struct ft_tell_row missing_rows[] = {{.key = "", .kind = FT_TELL_NUMBER, .null = ""}, {0}};
const struct ft_tell_record cli_missing = {.bytes = sizeof(double), .row = missing_rows};

static const struct ft_tell_row list_rows[] = {
	{FT_TELL_MANY(LIST, "", struct cli_list, value, n, &cli_missing)},
	{0},
};
const struct ft_tell_record cli_list_told = {.bytes = sizeof(struct cli_list), .row = list_rows};

struct cli_list *cli_lists(const double *value, size_t rows, size_t columns)
{
	struct cli_list *list = cli_alloc((rows + 1) * sizeof *list);

	for (size_t i = 0; i < rows; i++)
		list[i] = (struct cli_list){value + i * columns, columns};
	return list;
}

const char **cli_names(char *const *name, const size_t *index, const bool *marked, size_t n, size_t *count)
{
	const char **list = cli_alloc((n + 1) * sizeof *list);

	*count = 0;
	for (size_t i = 0; i < n; i++)
		if (!marked || marked[i])
			list[(*count)++] = name[index ? index[i] : i];
	return list;
}

#define CASE struct cli_told_case
static const struct ft_tell_row case_rows[] = {
	{FT_TELL(CASE, by), .words = "program|resource", .about = "what the basis is of"},
	{FT_TELL(CASE, target), .about = "the column that is described"},
	{FT_TELL(CASE, solver)},
	{FT_TELL(CASE, confidence), .about = "of the intervals"},
	{FT_TELL(CASE, rows_used), .about = "that were learned from"},
	{FT_TELL(CASE, rows_incomplete), .about = "left out for a missing value"},
	{FT_TELL_MANY(LIST, "rows_left_out", CASE, rows_left_out, n_rows_left_out, &ft_tell_texts),
	 .about = "their names"},
	{FT_TELL_MANY(LIST, "basis_left_out", CASE, basis_left_out, n_basis_left_out, &ft_tell_texts),
	 .about = "programs of the basis without a value for the target"},
	{FT_TELL(CASE, values_missing), .about = "in the rows that nmf learned from"},
	{FT_TELL(CASE, values_imputed),
	 .about = "missing ones that were taken as the others of their rows lead one to expect"},
	{FT_TELL(CASE, converged), .about = "false: the last iterate is reported"},
	{FT_TELL(CASE, iterations), .about = "0: it does not iterate"},
	{FT_TELL(CASE, rank), .about = "of the basis as the solver used it, or the patterns of nmf"},
	{FT_TELL(CASE, loss), .about = "what the solver made small", .null = "it has no such measure"},
	{0},
};
const struct ft_tell_record cli_case_rows = {.row = case_rows};

struct cli_told_case cli_case_told(const struct cli_case *c, const struct cli_surrogate *surrogate)
{
	struct ft_surrogate_outcome outcome = ft_surrogate_outcome(c->fit);
	const struct ft_case *learned = cli_case_learned(c);
	CASE told = {
		.by = c->kind,
		.target = c->matrix->column[c->target],
		.solver = c->solver->name,
		.confidence = surrogate->confidence,
		.rows_used = learned->problem.m,
		.rows_incomplete = learned->incomplete,
		.values_missing = learned->missing,
		.values_imputed = c->imputed,
		.converged = outcome.converged,
		.iterations = outcome.iterations,
		.rank = outcome.rank,
		.loss = outcome.loss,
	};

	told.rows_left_out = cli_names(c->matrix->row, learned->left_out, NULL, learned->incomplete,
				       &told.n_rows_left_out);
	told.basis_left_out =
		cli_names(c->matrix->column, c->unasked, NULL, c->n_unasked, &told.n_basis_left_out);
	return told;
}

void cli_case_told_clear(struct cli_told_case *told)
{
	free(told->rows_left_out);
	free(told->basis_left_out);
}
