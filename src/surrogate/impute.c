/* SPDX-License-Identifier: GPL-3.0-or-later */
/* impute.c - missing values of a matrix become what the others of their row lead one to expect. */
#include "foretime/surrogate.h"
#include "surrogate/gaps.h"

#include <math.h>

static enum ft_status take_logs(const struct ft_matrix *matrix, const size_t *column, size_t k, double *z,
				struct ft_err *err)
{
	for (size_t i = 0; i < matrix->rows; i++)
		for (size_t j = 0; j < k; j++) {
			double v = matrix->value[i * matrix->columns + column[j]];

			if (v <= 0) {
				(void)ft_fail(
					err, FT_EINVAL,
					"'%s' of '%s' is %g: missing values are filled by ratios, which "
					"need values above 0",
					matrix->row[i], matrix->column[column[j]], v);
				return ft_remedy(err, "leave rows with a missing value out: --missing drop");
			}
			z[i * k + j] = log(v);
		}
	return FT_OK;
}

/* Only what was missing is written. */
static size_t give_back(struct ft_matrix *matrix, const size_t *column, size_t k, const double *z)
{
	size_t filled = 0;

	for (size_t i = 0; i < matrix->rows; i++)
		for (size_t j = 0; j < k; j++) {
			double *value = &matrix->value[i * matrix->columns + column[j]];

			if (!isnan(*value) || isnan(z[i * k + j]))
				continue;
			*value = exp(z[i * k + j]);
			filled++;
		}
	return filled;
}

enum ft_status ft_matrix_impute(struct ft_matrix *matrix, const size_t *column, size_t k, size_t *filled,
				struct ft_err *err)
{
	size_t m = matrix->rows, empty;
	struct ft__gaps gaps;
	FT_ARENA(work);
	double *z = ft_arena_take(&work, m * k, sizeof *z);

	*filled = 0;
	FT_TRY(ft_arena_check(&work, err));
	FT_TRY(take_logs(matrix, column, k, z, err));
	enum ft_status status = ft__gaps_learn(&gaps, &work, z, m, k, &empty, err);
	if (empty < k)
		return ft_fail(err, FT_EINVAL, "'%s' has no value at all", matrix->column[column[empty]]);
	FT_TRY(status);
	FT_TRY(ft__gaps_fill(&gaps, z, m, err));
	*filled = give_back(matrix, column, k, z);
	return FT_OK;
}
