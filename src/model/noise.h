/* SPDX-License-Identifier: GPL-3.0-or-later */
/* noise.h - how far runs of one size differ, where few of them were made: a prior, learned from recorded
 * programs, which the runs of a program outvote as they come. */
#ifndef FT_MODEL_NOISE_H
#define FT_MODEL_NOISE_H

#include "foretime/facts.h"

/* ft__noise_usual - the median over programs of the deviation of ln value of runs of one size.
 *
 * seconds  how long the run took; NaN: not known
 * load     tasks of others for each processor around it; NaN: not known
 */
double ft__noise_usual(enum ft_resource_class of, double seconds, double load);

/* What is known of a deviation: its logarithm is normal. */
struct ft__noise {
	double scale;  /* its median */
	double spread; /* deviation of its logarithm */
};

/* ft__noise_known - by the prior, and by the deviation `seen` in so many runs as `freedom` says. */
struct ft__noise ft__noise_known(double usual, double seen, double freedom);

/* ft__noise_stretch - how much wider the interval is that a share `confidence` of runs is inside, where the
 * deviation is known so well only, than by its median alone: 1 where it is known exactly. Cost O(1). */
double ft__noise_stretch(double spread, double confidence);

#endif
