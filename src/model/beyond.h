/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beyond.h - how a cost goes on beyond the largest size that was measured: a slope whose distribution is
 * learned from other programs (growth_table.h), by resource class and by the slope at the edge. */
#ifndef FT_MODEL_BEYOND_H
#define FT_MODEL_BEYOND_H

#include "foretime/facts.h"

#include <stdbool.h>
#include <stddef.h>

/* A mixture of normal laws of ln value. */
enum { FT__BELIEF_MOST = 96, FT__GROWTH_BINS = 6, FT__GROWTH_KINDS = 3 };

struct ft__growth_belief {
	double mean[FT__BELIEF_MOST], deviation[FT__BELIEF_MOST], weight[FT__BELIEF_MOST];
	double power[FT__BELIEF_MOST]; /* of members that are laws: how they grow at last; others: 0 */
	size_t n;
};

/* What a class of resources does beyond the data; one row of growth_table.h. ft__growth_slopes has the slopes
 * at the edge that the bins stand for; between them rows are interpolated. */
struct ft__growth {
	/* ln of how often growth changes, at a spread of 0.1 and a distance as long as the data */
	double change[FT__GROWTH_BINS];
	double spread, reach; /* powers of the spread, and of distance by span, in that rate */
	/* Once it changed, the slope is level, proportional (1, or the work's), or the edge's times `other`:
	 * how often, and the deviation of each */
	double share[FT__GROWTH_BINS][FT__GROWTH_KINDS];
	double deviation[FT__GROWTH_KINDS], other;
	double narrow; /* deviations shrink as this power of the spread below 0.1 */
	double steep;  /* laws are this much less usual, ln, for each power that they grow by beyond 1 */
	/* How usual slopes are whatever was measured: level, proportional, anything */
	double usual[FT__GROWTH_KINDS];
	/* A level of memory beyond: how often in a unit of ln size, ln of its height, and its deviation */
	double step_rate, step, step_deviation;
};

extern const double ft__growth_slopes[FT__GROWTH_BINS];
extern const struct ft__growth ft__growths[FT_CLASSES];

/* The largest size that was measured. Logarithms. */
struct ft__growth_edge {
	double z, deviation, slope; /* of the typical run there; d ln value / d ln size, less the work's */
	double span;                /* ln of the largest by the least size */
	double spread;              /* how far the runs' own sizes lie off what the others say: a share */
	bool work;                  /* a work is stated: what is proportional grows as the work does */
};

/* ft__beyond - from what the members of a model say at a size to what is believed of it.
 *
 * far    ln of the size by the largest that was measured, > 0
 * work   ln of the work there by the work at the edge; ignored unless edge->work
 * belief in: members, at most 14; out: the mixture, weights summing to 1
 *
 * Growth goes on as the members say, or it changes within that distance, with the probability of a hazard
 * that is proportional to the spread; then the slope is one of three kinds. Members say how the measured
 * sizes go on; where they are vague, slopes that programs usually have decide (the product of both, closed
 * for normal laws).
 */
void ft__beyond(const struct ft__growth *growth, const struct ft__growth_edge *edge, double far, double work,
		struct ft__growth_belief *belief);

#endif
