/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matrix.c - the measurements of programs and resources, and their statistics. */
#include "cli/cli.h"
#include "cli/surrogate/surrogate.h"

#include <math.h>
#include <stdlib.h>

/* Two of a kind from here on: their angle is under 0.8 degrees. */
static const double SAME = 0.9999;

struct surrogate_matrix_answer {
	const char *source;
	struct ft_matrix matrix;
	struct cli_list *value, *sd;
};

static const struct ft_tell_row rows[] = {
	{FT_TELL(struct surrogate_matrix_answer, source), .about = "the file, or the store"},
	{FT_TELL_MANY(LIST, "rows", struct surrogate_matrix_answer, matrix.row, matrix.rows, &ft_tell_texts),
	 .about = "resources"},
	{FT_TELL_MANY(LIST, "columns", struct surrogate_matrix_answer, matrix.column, matrix.columns,
		      &ft_tell_texts),
	 .about = "programs"},
	{FT_TELL_MANY(LIST, "values", struct surrogate_matrix_answer, value, matrix.rows, &cli_list_answer),
	 .about = "null is missing"},
	{FT_TELL_MANY(LIST, "sd", struct surrogate_matrix_answer, sd, matrix.rows, &cli_list_answer),
	 .about = "of one measurement; null: there was only one"},
	{0},
};
const struct ft_tell_record cli_surrogate_matrix_answer = {
	.name = "surrogate", .action = "matrix", .version = 1, .row = rows};

int cli_surrogate_matrix(void *query)
{
	struct cli_surrogate *surrogate = query;
	FT_CLEANUP(ft_matrix_clear) struct ft_matrix turned = {0};
	const struct ft_matrix *matrix = surrogate->turned ? &turned : &surrogate->matrix;
	struct ft_err err = {0};

	CLI_TRY(cli_surrogate_open(surrogate));
	if (surrogate->turned && ft_matrix_turn(&surrogate->matrix, &turned, &err))
		return cli_error(&err);
	if (surrogate->output) {
		CLI_OWN char *text = NULL;

		if (ft_matrix_write(matrix, &text, &err))
			return cli_error(&err);
		return cli_output_text(surrogate->output, text);
	}
	if (surrogate->json) {
		struct surrogate_matrix_answer answer = {
			cli_surrogate_source(surrogate), *matrix,
			cli_lists(matrix->value, matrix->rows, matrix->columns),
			cli_lists(matrix->sd, matrix->rows, matrix->columns)};

		cli_tell(&cli_surrogate_matrix_answer, &answer, NULL);
		free(answer.value);
		free(answer.sd);
	} else {
		struct cli_table out = {0};
		size_t shown = matrix->columns < CLI_COLUMNS_READ ? matrix->columns : CLI_COLUMNS_READ;

		cli_table_head(&out, "");
		for (size_t j = 0; j < shown; j++) {
			CLI_OWN char *head = cli_printed(">%s", matrix->column[j]);

			cli_table_head(&out, head);
		}
		for (size_t i = 0; i < matrix->rows; i++) {
			cli_table_add(&out, "%s", matrix->row[i]);
			for (size_t j = 0; j < shown; j++) {
				double value = matrix->value[i * matrix->columns + j];

				cli_table_add(&out, isnan(value) ? "-" : "%.6g", value);
			}
		}
		cli_table_print(&out, stdout);
		if (shown < matrix->columns)
			cli_note("%zu more columns: -o FILE.csv or --json has them all",
				 matrix->columns - shown);
	}
	return CLI_DONE;
}

/* ---- diagnose ---------------------------------------------------------------------------------------- */

/* Names of those that are redundant, comma by comma; false: there is none. */
static bool print_redundant(const char *what, char *const *name, const size_t *index, const bool *redundant,
			    size_t n)
{
	bool any = false;

	for (size_t i = 0; i < n; i++)
		if (redundant[i]) {
			printf("%s%s", any ? ", " : what, name[index ? index[i] : i]);
			any = true;
		}
	if (any)
		puts("");
	return any;
}

/* The pairs that are most alike, and those that are least. */
static void print_pairs(const char *what, char *const *name, const size_t *index, const double *cosine,
			size_t n)
{
	const struct ft_likeness l = ft_cosines_compare(cosine, n, SAME);
	const char *most[2], *least[2];

	if (l.most[0] == l.most[1])
		return;
	for (size_t i = 0; i < 2; i++) {
		most[i] = name[index ? index[l.most[i]] : l.most[i]];
		least[i] = name[index ? index[l.least[i]] : l.least[i]];
	}
	printf("%s: most alike %s and %s (cosine %.6f), least alike %s and %s (%.6f)\n", what, most[1],
	       most[0], cosine[l.most[0] * n + l.most[1]], least[1], least[0],
	       cosine[l.least[0] * n + l.least[1]]);
	if (l.same > 1)
		printf("%s: %zu pairs have a cosine of %g or more: they are nearly equivalent\n", what,
		       l.same, SAME);
}

static void print_diagnosis(const struct ft_matrix *matrix, const struct ft_diagnosis *d)
{
	size_t n = d->rows < d->columns ? d->rows : d->columns;

	printf("%zu resources x %zu programs", matrix->rows, matrix->columns);
	if (d->rows < matrix->rows)
		printf(", %zu resources complete: what follows is of these", d->rows);
	printf("\nrank %zu of %zu", d->rank, d->columns);
	if (isfinite(d->condition))
		printf(", condition %.4g", d->condition);
	printf("\nsingular values, rows and columns scaled:");
	for (size_t i = 0; i < n && i < 12; i++)
		printf(" %.4g", d->singular[i]);
	puts(n > 12 ? " ..." : "");
	if (d->rows < d->columns)
		puts("more programs than resources: not all programs can be distinguished");
	else
		(void)print_redundant("redundant programs, described by the ones before them: ",
				      matrix->column, NULL, d->redundant_column, d->columns);
	if (d->rows <= d->columns)
		(void)print_redundant("redundant resources, described by the ones before them: ", matrix->row,
				      d->row, d->redundant_row, d->rows);
	print_pairs("programs", matrix->column, NULL, d->column_cosine, d->columns);
	print_pairs("resources", matrix->row, d->row, d->row_cosine, d->rows);
	puts("");
	struct cli_table out = {0};

	cli_table_head(&out, "program");
	cli_table_head(&out, ">norm");
	cli_table_head(&out, ">nearest");
	cli_table_head(&out, "");
	cli_table_head(&out, "");
	for (size_t j = 0; j < d->columns; j++) {
		size_t nearest = ft_cosines_nearest(d->column_cosine, d->columns, j);

		cli_table_add(&out, "%s", matrix->column[j]);
		cli_table_add(&out, "%.6g", d->column_norm[j]);
		cli_table_add(&out, nearest == j ? "-" : "%.6f", d->column_cosine[j * d->columns + nearest]);
		cli_table_add(&out, "%s", nearest == j ? "" : matrix->column[nearest]);
		cli_table_add(&out, "%s", d->redundant_column[j] ? "redundant" : "");
	}
	cli_table_print(&out, stdout);
}

struct diagnosed {
	const char *source;
	struct ft_matrix matrix;
	struct ft_diagnosis d;
	const char **row, **redundant_row, **redundant_column;
	struct cli_list *row_cosine, *column_cosine, *place;
	size_t n_rows, n_singular, n_redundant_rows, n_redundant_columns;
};

#define DIAGNOSED struct diagnosed
static const struct ft_tell_row diagnosed_rows[] = {
	{FT_TELL(DIAGNOSED, source), .about = "the file, or the store"},
	{FT_TELL_MANY(LIST, "rows", DIAGNOSED, row, n_rows, &ft_tell_texts), .about = "resources"},
	{FT_TELL_MANY(LIST, "columns", DIAGNOSED, matrix.column, matrix.columns, &ft_tell_texts),
	 .about = "programs"},
	{FT_TELL_AS("rank", DIAGNOSED, d.rank), .about = "of the matrix"},
	{FT_TELL_MANY(LIST, "singular_values", DIAGNOSED, d.singular, n_singular, &cli_missing),
	 .about = "descending"},
	{FT_TELL_AS("condition", DIAGNOSED, d.condition), .null = "rank-deficient"},
	{FT_TELL_MANY(LIST, "row_norms", DIAGNOSED, d.row_norm, d.rows, &cli_missing)},
	{FT_TELL_MANY(LIST, "column_norms", DIAGNOSED, d.column_norm, d.columns, &cli_missing)},
	{FT_TELL_MANY(LIST, "row_cosines", DIAGNOSED, row_cosine, d.rows, &cli_list_answer)},
	{FT_TELL_MANY(LIST, "column_cosines", DIAGNOSED, column_cosine, d.columns, &cli_list_answer)},
	{FT_TELL_MANY(LIST, "redundant_rows", DIAGNOSED, redundant_row, n_redundant_rows, &ft_tell_texts),
	 .about = "described by those before"},
	{FT_TELL_MANY(LIST, "redundant_columns", DIAGNOSED, redundant_column, n_redundant_columns,
		      &ft_tell_texts),
	 .about = "described by those before"},
	{FT_TELL_MANY(LIST, "places", DIAGNOSED, place, d.columns, &cli_list_answer),
	 .about = "the programs in two dimensions"},
	{0},
};
const struct ft_tell_record cli_surrogate_diagnose_answer = {
	.name = "surrogate", .action = "diagnose", .version = 1, .row = diagnosed_rows};

int cli_surrogate_diagnose(void *query)
{
	struct cli_surrogate *surrogate = query;
	struct ft_diagnosis diagnosis = {0};
	struct ft_err err = {0};

	CLI_TRY(cli_surrogate_open(surrogate));
	if (ft_matrix_diagnose(&surrogate->matrix, surrogate->options.cut, &diagnosis, &err)) {
		int status = cli_error(&err);
		if (err.status == FT_ENOMODEL)
			cli_hint("choose programs that were measured on the same resources");
		return status;
	}
	if (surrogate->json) {
		const struct ft_matrix *matrix = &surrogate->matrix;
		DIAGNOSED answer = {
			.source = cli_surrogate_source(surrogate),
			.matrix = *matrix,
			.d = diagnosis,
			.row_cosine = cli_lists(diagnosis.row_cosine, diagnosis.rows, diagnosis.rows),
			.column_cosine =
				cli_lists(diagnosis.column_cosine, diagnosis.columns, diagnosis.columns),
			.place = cli_lists(diagnosis.place, diagnosis.columns, 2),
			.n_singular = diagnosis.rows < diagnosis.columns ? diagnosis.rows : diagnosis.columns,
		};

		answer.row = cli_names(matrix->row, diagnosis.row, NULL, diagnosis.rows, &answer.n_rows);
		answer.redundant_row = cli_names(matrix->row, diagnosis.row, diagnosis.redundant_row,
						 diagnosis.rows, &answer.n_redundant_rows);
		answer.redundant_column = cli_names(matrix->column, NULL, diagnosis.redundant_column,
						    diagnosis.columns, &answer.n_redundant_columns);
		cli_tell(&cli_surrogate_diagnose_answer, &answer, NULL);
		free(answer.row);
		free(answer.redundant_row);
		free(answer.redundant_column);
		free(answer.row_cosine);
		free(answer.column_cosine);
		free(answer.place);
	} else {
		print_diagnosis(&surrogate->matrix, &diagnosis);
	}
	ft_diagnosis_clear(&diagnosis);
	return CLI_DONE;
}
