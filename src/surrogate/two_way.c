/* SPDX-License-Identifier: GPL-3.0-or-later */
/* two_way.c - effects of rows and columns, and missing values taken from them. */
#include "surrogate/two_way.h"
#include "base/alloc.h"
#include "foretime/surrogate.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 4 };

/* The mean of z less the other way's effects, over one row or column; `count` are known. */
static double effect(const double *z, size_t n, size_t stride, const double *other, size_t *count)
{
	double sum = 0;
	size_t i;

	for (i = 0, *count = 0; i < n; i++)
		if (!isnan(z[i * stride])) {
			sum += z[i * stride] - other[i];
			++*count;
		}
	return *count ? sum / (double)*count : 0;
}

size_t ft__two_way(const double *z, size_t m, size_t n, double *row, double *column)
{
	size_t i, j, count, round;

	memset(row, 0, m * sizeof *row);
	for (round = 0; round < ROUNDS; round++) {
		for (j = 0; j < n; j++) {
			column[j] = effect(z + j, m, n, row, &count);
			if (!count)
				return j;
		}
		for (i = 0; i < m; i++)
			row[i] = effect(z + i * n, n, 1, column, &count);
	}
	return n;
}

/* Logarithms of some columns; a row without any value stays without. */
static enum ft_status take_logs(const struct ft_matrix *matrix, const size_t *column, size_t k, double *z,
				struct ft_err *err)
{
	size_t i, j;

	for (i = 0; i < matrix->rows; i++)
		for (j = 0; j < k; j++) {
			double v = matrix->value[i * matrix->columns + column[j]];

			if (v <= 0) {
				(void)ft_fail(err, FT_EINVAL,
					      "'%s' of '%s' is %g: what is missing is told by ratios, which "
					      "need values above 0",
					      matrix->row[i], matrix->column[column[j]], v);
				return ft_remedy(err, "leave rows with a missing value out: --missing drop");
			}
			z[i * k + j] = log(v);
		}
	return FT_OK;
}

static bool has_any(const double *z, size_t k)
{
	size_t j;

	for (j = 0; j < k && isnan(z[j]);)
		j++;
	return j < k;
}

enum ft_status ft_matrix_impute(struct ft_matrix *matrix, const size_t *column, size_t k, size_t *filled,
				struct ft_err *err)
{
	size_t m = matrix->rows, i, j, known;
	double *z = ft_malloc((m * k + m + k) * sizeof *z), *row = z + m * k, *pace = row + m;
	enum ft_status status = z ? take_logs(matrix, column, k, z, err) : ft_nomem(err);

	*filled = 0;
	if (!status) {
		known = ft__two_way(z, m, k, row, pace);
		if (known < k)
			status = ft_fail(err, FT_EINVAL, "'%s' has no value at all",
					 matrix->column[column[known]]);
	}
	for (i = 0; !status && i < m; i++)
		for (j = 0; has_any(z + i * k, k) && j < k; j++)
			if (isnan(z[i * k + j])) {
				matrix->value[i * matrix->columns + column[j]] = exp(row[i] + pace[j]);
				++*filled;
			}
	ft_free(z);
	return status;
}
