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

static bool make_room(struct ft_case *c, size_t m, size_t k, size_t q, bool grouped)
{
	c->row = ft_calloc(m, sizeof *c->row);
	c->left_out = ft_calloc(m, sizeof *c->left_out);
	c->x = ft_calloc(m * k, sizeof *c->x);
	c->y = ft_calloc(m * q, sizeof *c->y);
	c->sigma = ft_calloc(m, sizeof *c->sigma);
	c->group = grouped ? ft_calloc(m, sizeof *c->group) : NULL;
	return c->row && c->left_out && c->x && c->y && c->sigma && (c->group || !grouped);
}

enum ft_status ft_case_make(const struct ft_matrix *matrix, const size_t *basis, size_t k,
			    const size_t *target, size_t q, const size_t *row, size_t m, bool keep,
			    struct ft_case *out, struct ft_err *err)
{
	size_t rows = row ? m : matrix->rows, n = 0;
	bool noisy = q == 1;
	enum ft_status status = check_names(matrix, basis, k, target, q, err);

	*out = (struct ft_case){0};
	if (!status && !make_room(out, rows, k, q, matrix->group != NULL))
		status = ft_nomem(err);
	for (size_t i = 0; !status && i < rows; i++) {
		size_t at = row ? row[i] : i;
		const double *value = matrix->value + at * matrix->columns;
		size_t of_basis = count_missing(matrix, at, basis, k),
		       missing = of_basis + count_missing(matrix, at, target, q);

		if (keep ? of_basis == k : missing > 0) {
			out->left_out[out->incomplete++] = at;
			continue;
		}
		out->missing += missing;
		for (size_t j = 0; j < k; j++)
			out->x[n * k + j] = value[basis[j]];
		for (size_t j = 0; j < q; j++)
			out->y[n * q + j] = value[target[j]];
		out->sigma[n] = matrix->sd[at * matrix->columns + target[0]];
		noisy &= out->sigma[n] > 0;
		if (out->group)
			out->group[n] = matrix->group[at];
		out->row[n++] = at;
	}
	if (!status && !n)
		status = none_complete(matrix, basis, k, target, q, err);
	if (!status) {
		out->problem = (struct ft_surrogate_problem){.m = n,
							     .k = k,
							     .q = q,
							     .x = out->x,
							     .y = out->y,
							     .group = out->group,
							     .sigma = noisy ? out->sigma : NULL};
		status = check_zeros(out, matrix, basis, err);
	}
	if (status)
		ft_case_clear(out);
	return status;
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
