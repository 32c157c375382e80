/* SPDX-License-Identifier: GPL-3.0-or-later */
/* quantile.h - divisions by the chance that all have ended by a time. */
#ifndef FT_PLAN_QUANTILE_H
#define FT_PLAN_QUANTILE_H

#include "foretime/plan.h"

/* A processor: its times, and its share. */
struct ft__late {
	const struct ft_plan_times *typical, *slow;
	int64_t units;
	double log_f;     /* ln of the chance to have ended by the time that is looked at */
	double get, give; /* by how much that changes with a block more, or less; -INFINITY: it cannot be */
};

struct ft__lates {
	struct ft__late *of; /* [p] */
	size_t p;
	double z, log_q; /* of what is slow; of the risk */
	double log_t;    /* what is looked at */
	int64_t step, block;
	uint64_t looks;
};

/* ft__late_chance - ln of the chance that a processor has ended a share by the time that is looked at. */
double ft__late_chance(struct ft__lates *g, const struct ft__late *one, int64_t units);

/* ft__late_log_below - ln of the share of the standard normal distribution below z. */
double ft__late_log_below(double z);

/* ft__late_least_spread - standard deviations of ln t below this are this. */
extern const double ft__late_least_spread;

/* ft__late_at - look at a time: chances and what a block changes. Returns the sum of chances. */
double ft__late_at(struct ft__lates *g, double log_t);

/* ft__late_bound - ln of a time that no division of the total is below, but for the risk.
 *
 * log_value  the quantile of the division as it is; low: a bound that is known
 *
 * Source: a Lagrangian bound. For any price mu of a unit the sum of chances is at most sum max_x (ln F(x) +
 * mu x) - mu total, and by its pieces, in which lines rule times, each maximum has a bound. */
double ft__late_bound(struct ft__lates *g, int64_t total, double low, double log_value);

#endif
