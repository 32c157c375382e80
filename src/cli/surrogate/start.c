/* SPDX-License-Identifier: GPL-3.0-or-later */
/* start.c - a start of nmf that is given: tables of patterns.
 *
 * W: a row for each row of the matrix that is learned from, named in the first column; each other column is a
 * pattern. H: a row for each pattern, the first column its name; a column for each of the basis and for the
 * target. A table that has a column of the target's name is H.
 */
#include "cli/common.h"
#include "base/word.h"
#include "cli/surrogate/case.h"
#include "foretime/csv.h"

#include <stdlib.h>
#include <string.h>

bool cli_start_is_file(const char *text)
{
	return text && (ft_word_ends(text, ".csv") || ft_word_ends(text, ".csv.gz"));
}

/* The name of a column of [X y]. */
static const char *column_name(const struct cli_case *c, size_t j)
{
	return c->matrix->column[j < c->k ? c->basis[j] : c->target];
}

static int read_cell(const char *path, const struct ft_csv *csv, size_t row, size_t column, double *value)
{
	struct ft_err err = {0};

	if (ft_csv_number(csv, row, column, false, value, &err))
		return cli_error(&err);
	if (*value >= 0)
		return CLI_DONE;
	return cli_fail("%s:%zu: column %zu (%s): %g is negative\n"
			"hint: what patterns consume, and how much of each there is, is never below 0",
			path, ft_csv_line(csv, row), column + 1, ft_csv_column_name(csv, column), *value);
}

/* The patterns of another file, or those of --rank, are as many. */
static int check_rank(struct cli_case *c, const char *path, size_t rank)
{
	if (!rank || (c->rank && c->rank != rank))
		return cli_fail(
			"'%s' has %zu patterns%s\n"
			"hint: one column of W, and one row of H, for each pattern; --rank may be left out",
			path, rank, rank ? ", and not as many as were asked for" : "");
	c->rank = rank;
	return CLI_DONE;
}

static int read_h(struct cli_case *c, const char *path, const struct ft_csv *csv)
{
	size_t l, j, n = c->k + 1;
	int status = check_rank(c, path, ft_csv_rows(csv));

	if (status == CLI_DONE)
		c->h = cli_alloc(c->rank * n * sizeof *c->h);
	for (j = 0; status == CLI_DONE && j < n; j++) {
		int column = ft_csv_column(csv, column_name(c, j));

		if (column < 0) {
			(void)cli_fail("'%s' has no column '%s'\n"
				       "hint: H has a column for each %s of the basis, and for the target",
				       path, column_name(c, j), c->kind);
			status = CLI_WRONG;
		}
		for (l = 0; status == CLI_DONE && l < c->rank; l++)
			status = read_cell(path, csv, l, (size_t)column, &c->h[l * n + j]);
	}
	return status;
}

static size_t find_row(const struct ft_csv *csv, const char *name)
{
	size_t i;

	for (i = 0; i < ft_csv_rows(csv) && strcmp(ft_csv_cell(csv, i, 0), name) != 0;)
		i++;
	return i;
}

static int read_w(struct cli_case *c, const char *path, const struct ft_csv *csv)
{
	const struct ft_case *learned = cli_case_learned(c);
	size_t i, l;
	int status = check_rank(c, path, ft_csv_columns(csv) - 1);

	if (status == CLI_DONE)
		c->w = cli_alloc(learned->problem.m * c->rank * sizeof *c->w);
	for (i = 0; status == CLI_DONE && i < learned->problem.m; i++) {
		const char *name = c->matrix->row[learned->row[i]];
		size_t row = find_row(csv, name);

		if (row == ft_csv_rows(csv)) {
			(void)cli_fail("'%s' has no row '%s'\n"
				       "hint: W has a row for each that is learned from, named in its first "
				       "column; H has the column '%s'",
				       path, name, column_name(c, c->k));
			status = CLI_WRONG;
		}
		for (l = 0; status == CLI_DONE && l < c->rank; l++)
			status = read_cell(path, csv, row, l + 1, &c->w[i * c->rank + l]);
	}
	return status;
}

static int read_file(struct cli_case *c, const char *path)
{
	struct ft_csv *csv;
	struct ft_err err = {0};
	bool is_h;
	int status;

	if (ft_csv_read(path, 0, &csv, &err))
		return cli_error(&err);
	is_h = ft_csv_column(csv, column_name(c, c->k)) >= 0;
	if (is_h ? c->h != NULL : c->w != NULL)
		status = cli_fail("'%s' is another %s", path, is_h ? "H" : "W");
	else
		status = is_h ? read_h(c, path, csv) : read_w(c, path, csv);
	ft_csv_free(csv);
	return status;
}

int cli_start_read(struct cli_case *c, const char *files, struct ft_surrogate_options *options)
{
	char *copy = cli_strdup(files), *rest = copy, *path;
	int status = CLI_DONE;

	c->rank = options->rank;
	while (status == CLI_DONE && (path = strsep(&rest, ",")))
		status = read_file(c, path);
	options->start = "given";
	options->rank = c->rank;
	options->w = c->w;
	options->h = c->h;
	free(copy);
	return status;
}
