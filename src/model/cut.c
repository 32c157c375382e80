/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cut.c - the cut at a size: the interval of speeds that the samples there, the load and the tolerance allow.
 */
#include "foretime/model.h"
#include "num/stats.h"

#include <assert.h>
#include <math.h>

/* The Student-t interval of the mean time, as speeds. Two runs that scatter have an interval that reaches
 * below zero seconds; the mean is not believed to be under half the fastest run, so that a cut stays bounded.
 */
static void speeds_of_mean(const double *seconds, size_t n, double work, double confidence, double speed[2])
{
	double mean = ft_stats_mean(seconds, n), fastest = seconds[0];
	double half =
		ft_student_t(confidence, (double)(n - 1)) * sqrt(ft_stats_variance(seconds, n) / (double)n);

	for (size_t i = 1; i < n; i++)
		fastest = fmin(fastest, seconds[i]);
	speed[0] = work / (mean + half);
	speed[1] = work / fmax(mean - half, fastest / 2);
}

void ft_model_cut(const double *seconds, size_t n, double work, const double load[2], double confidence,
		  double tolerance, double cut[2])
{
	assert(n >= 1);
	double ideal = work / ft_stats_mean(seconds, n);
	cut[0] = ideal * (1 - load[1]); /* 000 section 2.2 eq. 5 */
	cut[1] = ideal * (1 - load[0]); /* eq. 4 */
	cut[0] = fmin(cut[0], ideal * (1 - tolerance));
	cut[1] = fmax(cut[1], ideal * (1 + tolerance));
	if (n >= 2) {
		double mean[2];

		speeds_of_mean(seconds, n, work, confidence, mean);
		cut[0] = fmin(cut[0], mean[0]);
		cut[1] = fmax(cut[1], mean[1]);
	}
}
