/* SPDX-License-Identifier: GPL-3.0-or-later */
/* case.c - from a matrix with names to a problem for a solver. */
#include "base/alloc.h"
#include "foretime/surrogate.h"

#include <math.h>
#include <string.h>

void ft_case_clear(struct ft_case *c)
{
	if (!c)
		return;
	ft_free(c->row);
	ft_free(c->left_out);
	ft_free(c->x);
	ft_free(c->y);
	ft_free(c->sigma);
	ft_free(c->group);
	*c = (struct ft_case){0};
}

/* How many values of a row are missing. */
static size_t count_missing(const struct ft_matrix *matrix, size_t row, const size_t *column, size_t n)
{
	size_t missing = 0;

	for (size_t j = 0; j < n; j++)
		missing += isnan(matrix->value[row * matrix->columns + column[j]]) ? 1 : 0;
	return missing;
}

static enum ft_status check_names(const struct ft_matrix *matrix, const size_t *basis, size_t k,
				  const size_t *target, size_t q, struct ft_err *err)
{
	for (size_t j = 0; j < k; j++)
		for (size_t i = 0; i < q; i++)
			if (basis[j] == target[i]) {
				(void)ft_fail(err, FT_EINVAL, "'%s' is the target, and in the basis too",
					      matrix->column[target[i]]);
				return ft_remedy(err, "a program describes itself perfectly: take it out of "
						      "the basis");
			}
	return FT_OK;
}

/* No row is left: which column lacks most. */
static enum ft_status none_complete(const struct ft_matrix *matrix, const size_t *basis, size_t k,
				    const size_t *target, size_t q, struct ft_err *err)
{
	size_t i, j, most = 0, worst = target[0];

	for (j = 0; j < k + q; j++) {
		size_t column = j < k ? basis[j] : target[j - k], missing = 0;

		for (i = 0; i < matrix->rows; i++)
			missing += count_missing(matrix, i, &column, 1);
		if (missing > most) {
			most = missing;
			worst = column;
		}
	}
	(void)ft_fail(err, FT_ENOMODEL,
		      "no row has a value for the target and all of the basis: '%s' lacks %zu of %zu",
		      matrix->column[worst], most, matrix->rows);
	return ft_remedy(err, "measure what is missing, choose a basis without it, or let it be guessed: "
			      "--missing impute");
}

static enum ft_status check_zeros(const struct ft_case *c, const struct ft_matrix *matrix,
				  const size_t *basis, struct ft_err *err)
{
	size_t i;

	for (size_t j = 0; j < c->problem.k; j++) {
		for (i = 0; i < c->problem.m && c->x[i * c->problem.k + j] == 0;)
			i++;
		if (i == c->problem.m) {
			(void)ft_fail(err, FT_EINVAL, "'%s' is zero in every row: it describes nothing",
				      matrix->column[basis[j]]);
			return ft_remedy(err, "take it out of the basis");
		}
	}
	return FT_OK;
}

enum ft_status ft_case_make(const struct ft_matrix *matrix, const size_t *basis, size_t k,
			    const size_t *target, size_t q, const size_t *row, size_t m, bool keep,
			    struct ft_case *out, struct ft_err *err)
{
	size_t rows = row ? m : matrix->rows, n = 0;
	bool noisy = q == 1;

	*out = (struct ft_case){0};
	FT_TRY(check_names(matrix, basis, k, target, q, err));
	FT_CLEANUP(ft_case_clear)
	struct ft_case made = {.row = ft_calloc(rows, sizeof *made.row),
			       .left_out = ft_calloc(rows, sizeof *made.left_out),
			       .x = ft_calloc(rows * k, sizeof *made.x),
			       .y = ft_calloc(rows * q, sizeof *made.y),
			       .sigma = ft_calloc(rows, sizeof *made.sigma)};
	if (matrix->group)
		made.group = ft_calloc(rows, sizeof *made.group);
	if (!made.row || !made.left_out || !made.x || !made.y || !made.sigma ||
	    (matrix->group && !made.group))
		return ft_nomem(err);
	for (size_t i = 0; i < rows; i++) {
		size_t at = row ? row[i] : i;
		const double *value = matrix->value + at * matrix->columns;
		size_t of_basis = count_missing(matrix, at, basis, k),
		       missing = of_basis + count_missing(matrix, at, target, q);

		if (keep ? of_basis == k : missing > 0) {
			made.left_out[made.incomplete++] = at;
			continue;
		}
		made.missing += missing;
		for (size_t j = 0; j < k; j++)
			made.x[n * k + j] = value[basis[j]];
		for (size_t j = 0; j < q; j++)
			made.y[n * q + j] = value[target[j]];
		made.sigma[n] = matrix->sd[at * matrix->columns + target[0]];
		noisy &= made.sigma[n] > 0;
		if (made.group)
			made.group[n] = matrix->group[at];
		made.row[n++] = at;
	}
	if (!n)
		return none_complete(matrix, basis, k, target, q, err);
	made.problem = (struct ft_surrogate_problem){.m = n,
						     .k = k,
						     .q = q,
						     .x = made.x,
						     .y = made.y,
						     .group = made.group,
						     .sigma = noisy ? made.sigma : NULL};
	FT_TRY(check_zeros(&made, matrix, basis, err));
	*out = made;
	made = (struct ft_case){0};
	return FT_OK;
}

void ft_basis_known(const struct ft_matrix *matrix, size_t row, size_t *basis, size_t *k, size_t *unknown,
		    size_t *n_unknown)
{
	size_t missing = count_missing(matrix, row, basis, *k), j, known = 0;

	*n_unknown = 0;
	if (missing == *k)
		return;
	for (j = 0; j < *k; j++)
		if (count_missing(matrix, row, &basis[j], 1))
			unknown[(*n_unknown)++] = basis[j];
		else
			basis[known++] = basis[j];
	*k = known;
}
