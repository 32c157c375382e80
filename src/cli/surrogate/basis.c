/* SPDX-License-Identifier: GPL-3.0-or-later */
/* basis.c - the few programs to run on a new machine. */
#include "cli/surrogate/tell.h"
#include "cli/common.h"
#include "cli/surrogate/surrogate.h"

#include <stdlib.h>
#include <string.h>

enum { USUAL = 5 };

struct surrogate_choice {
	const char *name;
	double left;
};

static const struct ft_tell_row choice_rows[] = {
	{FT_TELL(struct surrogate_choice, name), .head = "program"},
	{FT_TELL(struct surrogate_choice, left),
	 .about = "of the deviation of a logarithm, on average over all programs, once this one is known",
	 .head = ">left untold", .unit = ".1f %"},
	{0},
};
static const struct ft_tell_record choices = {.bytes = sizeof(struct surrogate_choice), .row = choice_rows};

struct surrogate_basis_told {
	const char *source;
	size_t machines, n;
	struct surrogate_choice *chosen;
};

static const struct ft_tell_row rows[] = {
	{FT_TELL(struct surrogate_basis_told, source), .about = "the file, or the store"},
	{FT_TELL(struct surrogate_basis_told, machines), .about = "rows of the table"},
	{FT_TELL_MANY(LIST, "chosen", struct surrogate_basis_told, chosen, n, &choices),
	 .about = "in the order of choice"},
	{0},
};
const struct ft_tell_record cli_surrogate_basis_told = {
	.name = "surrogate", .action = "basis", .version = 1, .row = rows};

static void print_basis(const struct cli_surrogate *surrogate, size_t k, const size_t *chosen,
			const double *left)
{
	struct surrogate_basis_told told = {cli_surrogate_source(surrogate), surrogate->matrix.rows, k,
					    cli_alloc(k * sizeof *told.chosen)};

	for (size_t i = 0; i < k; i++)
		told.chosen[i] = (struct surrogate_choice){surrogate->matrix.column[chosen[i]], left[i]};
	if (surrogate->json) {
		cli_tell(&cli_surrogate_basis_told, &told, NULL);
	} else {
		printf("%s: %zu rows, %zu programs\nthe programs that best describe the rest, the best "
		       "one first\n\n",
		       told.source, told.machines, surrogate->matrix.columns);
		cli_tell_table(&choices, told.chosen, k, NULL);
	}
	free(told.chosen);
}

static int choose_basis(struct cli_surrogate *surrogate)
{
	int status = CLI_DONE;
	const struct ft_matrix *matrix = &surrogate->matrix;
	size_t k = surrogate->k ? surrogate->k : USUAL < matrix->columns ? USUAL : matrix->columns;
	struct ft_err err = {0};

	CLI_TRY(cli_surrogate_positive(surrogate));
	if (k > matrix->columns)
		return cli_fail("a basis of %zu is more than the %zu programs that there are\n"
				"hint: choose fewer with -k",
				k, matrix->columns);
	CLI_OWN size_t *chosen = cli_alloc(k * sizeof *chosen);
	double *left = cli_alloc(k * sizeof *left);
	if (ft_basis_choose(matrix->value, matrix->rows, matrix->columns, k, chosen, left, &err))
		status = cli_error(&err);
	else
		print_basis(surrogate, k, chosen, left);
	free(left);
	return status;
}

int cli_surrogate_basis(void *asked)
{
	struct cli_surrogate *surrogate = asked;
	const struct cli_words *words = surrogate->words;
	struct cli_words behind = *words;

	if (words->n < 2 || strcmp(words->word[1], "choose") != 0) {
		if (words->n < 2)
			(void)cli_fail("what about the basis?");
		else
			(void)cli_fail("'surrogate basis' knows no '%s'", words->word[1]);
		cli_hint("foretime surrogate basis choose -k 5 FILE.csv");
		return CLI_WRONG;
	}
	behind.word++;
	behind.n--;
	surrogate->words = &behind;
	surrogate->admit = true; /* rows are machines, whatever their names */
	int status = cli_surrogate_open(surrogate);
	surrogate->words = words;
	return status == CLI_DONE ? choose_basis(surrogate) : status;
}
