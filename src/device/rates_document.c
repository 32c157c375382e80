/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rates_document.c - the document's regression over five features (004 chapter 13): rows divided by the
 * deviation of their time, robust least squares. */
#include "base/alloc.h"
#include "foretime/rates.h"
#include "foretime/surrogate.h"

#include <math.h>

/* Of a row whose deviation is not known: that of many timed launches. */
static const double share_unknown = 0.05;

static enum ft_status fill_columns(const struct ft_timed_launch *row, size_t n, double *x, double *y,
				   struct ft_err *err)
{
	for (size_t i = 0; i < n; i++) {
		double sigma = row[i].sigma > 0 ? row[i].sigma : share_unknown * row[i].seconds;

		if (!(row[i].seconds > 0) || !isfinite(row[i].seconds))
			return ft_fail(err, FT_EINVAL, "launch %zu, of %s: its seconds are not above 0",
				       i + 1, row[i].kernel);
		y[i] = row[i].seconds / sigma;
		for (size_t j = 0; j < FT_RATE_FIVE; j++) {
			x[i * FT_RATE_FIVE + j] = row[i].five[j] / sigma;
			if (!isfinite(row[i].five[j]))
				return ft_fail(err, FT_EINVAL,
					       "launch %zu, of %s: feature %zu of the five is not known",
					       i + 1, row[i].kernel, j + 1);
		}
	}
	return FT_OK;
}

enum ft_status ft_rates_document(const struct ft_timed_launch *row, size_t n, double beta[FT_RATE_FIVE],
				 struct ft_err *err)
{
	const struct ft_surrogate_options options = {.raw = true};
	struct ft_surrogate_problem problem = {.m = n, .k = FT_RATE_FIVE, .q = 1};
	struct ft_surrogate_fit *fit = NULL;
	double *x = ft_malloc((n + 1) * (FT_RATE_FIVE + 1) * sizeof *x), intercept;
	enum ft_status status = FT_OK;

	if (!x)
		return ft_nomem(err);
	if (n < FT_RATE_FIVE)
		status = ft_fail(err, FT_ENOMODEL, "%zu launches are too few for %d features", n,
				 FT_RATE_FIVE);
	if (!status)
		status = fill_columns(row, n, x, x + n * FT_RATE_FIVE, err);
	problem.x = x;
	problem.y = x + n * FT_RATE_FIVE;
	if (!status)
		status = ft_surrogate_solve(ft_solver_find("robust"), &problem, &options, &fit, err);
	if (!status)
		(void)ft_surrogate_beta(fit, beta, &intercept);
	ft_surrogate_free(fit);
	ft_free(x);
	return status;
}

double ft_rates_by_document(const struct ft_timed_launch *row, size_t n,
			    const struct ft_kernel_features *features)
{
	double beta[FT_RATE_FIVE], five[FT_RATE_FIVE], seconds = 0;

	if (ft_rates_document(row, n, beta, NULL))
		return NAN;
	ft_rate_five(features, five);
	for (size_t j = 0; j < FT_RATE_FIVE; j++)
		seconds += beta[j] * five[j];
	return seconds;
}
