/* SPDX-License-Identifier: GPL-3.0-or-later */
/* residuals.h - what residuals say. */
#ifndef FT_SURROGATE_RESIDUALS_H
#define FT_SURROGATE_RESIDUALS_H

#include "foretime/surrogate.h"

/* ft__residuals_read - a trend, a spread that is not even, outliers.
 *
 * residual, fitted  [m]; residuals as they should be alike: divided by the row's scale
 * outlier           [m] out
 *
 * Returns FT_OK; FT_ENOMEM.
 */
enum ft_status ft__residuals_read(const double *residual, const double *fitted, size_t m,
				  struct ft_residuals *out, bool *outlier, struct ft_err *err);

#endif
