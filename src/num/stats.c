/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats.c - means, quantiles, and the quantiles of Student's and the normal distribution. */
#include "num/stats.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>
#include <pthread.h>

static void set_off(void)
{
	(void)gsl_set_error_handler_off();
}

void ft_num_quiet(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	(void)pthread_once(&once, set_off);
}

double ft_stats_mean(const double *values, size_t n)
{
	assert(n >= 1);
	return gsl_stats_mean(values, 1, n);
}

double ft_stats_variance(const double *values, size_t n)
{
	return n < 2 ? 0 : gsl_stats_variance(values, 1, n);
}

double ft_stats_quantile(double *values, size_t n, double share)
{
	assert(n >= 1 && share >= 0 && share <= 1);
	gsl_sort(values, 1, n);
	return gsl_stats_quantile_from_sorted_data(values, 1, n, share);
}

double ft_stats_median(double *values, size_t n)
{
	return ft_stats_quantile(values, n, 0.5);
}

double ft_student_t(double confidence, double dof)
{
	assert(confidence > 0 && confidence < 1 && dof > 0);
	ft_num_quiet();
	return gsl_cdf_tdist_Qinv((1 - confidence) / 2, dof);
}

double ft_normal_quantile(double p)
{
	assert(p > 0 && p < 1);
	ft_num_quiet();
	return gsl_cdf_ugaussian_Pinv(p);
}

double ft_student_above(double t, double dof)
{
	assert(dof > 0);
	ft_num_quiet();
	return gsl_cdf_tdist_Q(t, dof);
}

double ft_f_probability(double ratio, double above, double below)
{
	double p;

	assert(ratio >= 0 && above > 0 && below > 0);
	ft_num_quiet();
	p = gsl_cdf_fdist_P(ratio, above, below);
	return 2 * (p < 0.5 ? p : 1 - p);
}
