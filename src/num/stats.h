/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats.h - means, quantiles, and the quantiles of Student's and the normal distribution. */
#ifndef FT_NUM_STATS_H
#define FT_NUM_STATS_H

#include <stddef.h>

double ft_stats_mean(const double *values, size_t n);     /* n >= 1 */
double ft_stats_variance(const double *values, size_t n); /* of the sample (n - 1); 0 when n < 2 */

/* ft_stats_ranked - the value of rank k (0: the least) of n > k finite values, which stay as they are.
 *
 * Few are sorted beside; of many the bits are found, eight at a time, by counting. Allocates nothing. Cost
 * O(n).
 */
double ft_stats_ranked(const double *values, size_t n, size_t k);

/* ft_stats_quantile - the quantile at a share 0..1, linear between order statistics.
 *
 * values  [n] finite, n >= 1
 *
 * Source: Hyndman & Fan, Sample quantiles in statistical packages, 1996, definition 7.
 */
double ft_stats_quantile(const double *values, size_t n, double share);
double ft_stats_median(const double *values, size_t n); /* the quantile at 0.5 */

/* ft_student_t - t such that a share `confidence` (inside 0..1) of Student's distribution with dof > 0
 * degrees of freedom lies between -t and t. */
double ft_student_t(double confidence, double dof);

/* ft_normal_quantile - z such that a share p (inside 0..1) of the standard normal distribution lies below. */
double ft_normal_quantile(double p);

/* ft_normal_below - how probable a value below z is in the standard normal distribution. */
double ft_normal_below(double z);

/* ft_normals_within - w such that a share p (inside 0..1) of values lies between -w and w, where these are of
 * several normal distributions about 0. NaN: there are none, or a deviation is none.
 *
 * deviation  [n] >= 0
 * weight     [n] >= 0, not all 0: how many of the values are of each
 *
 * To a relative error of 1e-9. Cost O(n).
 */
double ft_normals_within(const double *deviation, const double *weight, size_t n, double p);

/* ft_normals_quantile - what a share p (inside 0..1) of values lies below, where these are of several normal
 * distributions.
 *
 * mean       [n], n >= 1, finite
 * deviation  [n] >= 0, finite
 * weight     [n] > 0: how many of the values are of each
 *
 * To 1e-9 of the widest deviation. Cost O(n).
 */
double ft_normals_quantile(const double *mean, const double *deviation, const double *weight, size_t n,
			   double p);

/* ft_student_above - how probable a value above t is in Student's distribution with dof > 0. */
double ft_student_above(double t, double dof);

/* ft_f_probability - how probable a ratio of two sample variances as far from 1 as this, to either side, is
 * when the variances are equal (F test; degrees of freedom above and below). */
double ft_f_probability(double ratio, double above, double below);

#endif
