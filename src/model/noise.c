/* SPDX-License-Identifier: GPL-3.0-or-later */
/* noise.c - how far runs of one size differ: what recorded programs say of it, and what those of this one.
 *
 * Deviations of programs differ by factors, so that their logarithms are taken for normal, and pooled with
 * what the runs show. By an inverse gamma law, which is pooled in squares, the prior of a noisy kind of
 * program would hide a quiet one until some hundred runs are there. */
#include "model/noise.h"
#include "num/stats.h"

#include <math.h>

/* bench/noise prints what these are chosen by; doc/constants.md has the row of a table for each. */
static const double usual_of[FT_CLASSES] = {0.03, 0.02, 0.002, 0.05}; /* on an idle machine */
static const double busy = 0.12,
		    busy_power = 0.25; /* a second of time beside one task of others a processor */
static const double load_unknown = 0.5, seconds_unknown = 1;
static const double program_spread = 1; /* deviation of ln of the deviation, among programs */
static const double usual_most = 1;

double ft__noise_usual(enum ft_resource_class of, double seconds, double load)
{
	double length = seconds > 0 ? fmin(fmax(seconds, 1e-3), 1e3) : seconds_unknown;
	double others = load >= 0 ? fmin(load, 1) : load_unknown;
	bool disturbed = of == FT_CLASS_TIME || of == FT_CLASS_ENERGY;

	if (!disturbed)
		return usual_of[of];
	return fmin(hypot(usual_of[of], others * busy * pow(length, -busy_power)), usual_most);
}

/* The mode of the logarithm of the deviation, by Newton's steps, and its curvature there (Laplace). */
struct ft__noise ft__noise_known(double usual, double seen, double freedom)
{
	enum { STEPS = 20 };
	double from = log(usual), h = from, weight = 1 / (program_spread * program_spread),
	       curvature = weight;

	if (!(seen > 0) || !(freedom > 0))
		return (struct ft__noise){usual, program_spread};
	if (freedom > 1)
		h = log(seen);
	for (int i = 0; i < STEPS; i++) {
		double squares = freedom * seen * seen * exp(-2 * h), step;

		curvature = weight + 2 * squares;
		step = (squares - freedom - weight * (h - from)) / curvature;
		h += fmax(-1, fmin(step, 1));
		if (fabs(step) < 1e-9)
			break;
	}
	return (struct ft__noise){exp(h), 1 / sqrt(curvature)};
}

double ft__noise_stretch(double spread, double confidence)
{
	/* Gauss and Hermite's nodes, and weights of a normal law (Abramowitz and Stegun, table 25.10). */
	static const double node[7] = {-3.750439717725742, -2.366759410734541, -1.154405394739968, 0,
				       1.154405394739968,  2.366759410734541,  3.750439717725742};
	static const double weight[7] = {5.482688559722187e-4, 3.075712396758651e-2, 2.401231786050127e-1,
					 4.571428571428571e-1, 2.401231786050127e-1, 3.075712396758651e-2,
					 5.482688559722187e-4};
	static const double zero[7] = {0};
	double deviation[7], p = (1 + confidence) / 2;

	if (spread < 1e-3)
		return 1;
	for (int i = 0; i < 7; i++)
		deviation[i] = exp(spread * node[i]);
	return ft_normals_quantile(zero, deviation, weight, 7, p) / ft_normal_quantile(p);
}
