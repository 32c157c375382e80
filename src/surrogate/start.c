/* SPDX-License-Identifier: GPL-3.0-or-later */
/* start.c - a start of nmf that tables tell. */
#include "base/alloc.h"
#include "foretime/csv.h"
#include "foretime/surrogate.h"

#include <string.h>

/* The name of a column of [X y]. */
static const char *column_name(const struct ft_surrogate_start *start, size_t j)
{
	return start->matrix->column[j < start->learned->problem.k ? start->basis[j] : start->target];
}

static enum ft_status read_cell(const struct ft_csv *csv, const char *path, size_t row, size_t column,
				double *value, struct ft_err *err)
{
	enum ft_status status = ft_csv_number(csv, row, column, false, value, err);

	if (status || *value >= 0)
		return status;
	(void)ft_fail(err, FT_EINVAL, "%s:%zu: column %zu (%s): %g is negative", path, ft_csv_line(csv, row),
		      column + 1, ft_csv_column_name(csv, column), *value);
	return ft_remedy(err, "what patterns consume, and how much of each there is, is never below 0");
}

/* The patterns of the other table, or those that were asked for, are as many. factor: [rank x n] out */
static enum ft_status make_factor(struct ft_surrogate_start *start, const char *path, size_t rank, size_t n,
				  double **factor, struct ft_err *err)
{
	if (!rank || (start->rank && start->rank != rank)) {
		(void)ft_fail(err, FT_EINVAL, "'%s' has %zu patterns%s", path, rank,
			      rank ? ", and not the requested number" : "");
		return ft_remedy(err, "one column of W, and one row of H, for each pattern; rank= may be "
				      "left out");
	}
	start->rank = rank;
	*factor = ft_calloc(rank * n, sizeof **factor);
	return *factor ? FT_OK : ft_nomem(err);
}

static enum ft_status read_h(struct ft_surrogate_start *start, const char *path, const struct ft_csv *csv,
			     struct ft_err *err)
{
	size_t n = start->learned->problem.k + 1;

	FT_TRY(make_factor(start, path, ft_csv_rows(csv), n, &start->h, err));
	for (size_t j = 0; j < n; j++) {
		int column = ft_csv_column(csv, column_name(start, j));

		if (column < 0) {
			(void)ft_fail(err, FT_ENOENT, "'%s' has no column '%s'", path, column_name(start, j));
			return ft_remedy(err, "H has a column for each %s of the basis, and for the target",
					 start->kind);
		}
		for (size_t l = 0; l < start->rank; l++)
			FT_TRY(read_cell(csv, path, l, (size_t)column, &start->h[l * n + j], err));
	}
	return FT_OK;
}

static size_t find_row(const struct ft_csv *csv, const char *name)
{
	size_t i;

	for (i = 0; i < ft_csv_rows(csv) && strcmp(ft_csv_cell(csv, i, 0), name) != 0;)
		i++;
	return i;
}

static enum ft_status read_w(struct ft_surrogate_start *start, const char *path, const struct ft_csv *csv,
			     struct ft_err *err)
{
	const struct ft_case *learned = start->learned;
	size_t m = learned->problem.m;

	FT_TRY(make_factor(start, path, ft_csv_columns(csv) - 1, m, &start->w, err));
	for (size_t i = 0; i < m; i++) {
		const char *name = start->matrix->row[learned->row[i]];
		size_t row = find_row(csv, name);

		if (row == ft_csv_rows(csv)) {
			(void)ft_fail(err, FT_ENOENT, "'%s' has no row '%s'", path, name);
			return ft_remedy(err,
					 "W has a row for each that is learned from, named in its first "
					 "column; H has the column '%s'",
					 column_name(start, learned->problem.k));
		}
		for (size_t l = 0; l < start->rank; l++)
			FT_TRY(read_cell(csv, path, row, l + 1, &start->w[i * start->rank + l], err));
	}
	return FT_OK;
}

enum ft_status ft_start_read(struct ft_surrogate_start *start, const char *path, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	struct ft_csv *csv;

	FT_TRY(ft_csv_read(path, 0, &csv, err));
	bool is_h = ft_csv_column(csv, column_name(start, start->learned->problem.k)) >= 0;
	if (is_h ? start->h != NULL : start->w != NULL)
		status = ft_fail(err, FT_EEXIST, "'%s' is another %s", path, is_h ? "H" : "W");
	else
		status = is_h ? read_h(start, path, csv, err) : read_w(start, path, csv, err);
	ft_csv_free(csv);
	return status;
}

void ft_start_clear(struct ft_surrogate_start *start)
{
	if (!start)
		return;
	ft_free(start->w);
	ft_free(start->h);
	start->w = start->h = NULL;
}
