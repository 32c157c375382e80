/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beyond.c - the belief about a cost beyond the largest size that was measured.
 *
 * The members of a model continue what was measured; that is right as long as growth does not change. In
 * real programs it changes: memory levels off, start-up fades and time becomes proportional. How often, and
 * to which slope, is learned from reference tasks and curves by tools/learn-growth, which writes
 * growth_table.h; doc/models.md, Extrapolation, says how well that holds on tasks that it was not learned
 * from. */
#include "model/beyond.h"
#include "model/growth_table.h"

#include <math.h>

/* Of slopes that programs usually have: level, proportional, anything. Members that are vague are drawn to
 * these; members that are sure are not. */
static const double usual_deviation[FT__GROWTH_KINDS] = {0.1, 0.15, 1.5};

/* The spread that rates are stated for, and bounds within which one is believed. */
static const double usual_spread = 0.1, spread_least = 0.002, spread_most = 2, span_least = 0.3;

/* Lighter ones are left out. */
static const double weight_least = 1e-7;

/* The rows on both sides of a slope, and the share of the second. */
static size_t bin_of(double slope, double *share)
{
	size_t i = 0;

	slope = fmin(fmax(slope, ft__growth_slopes[0]), ft__growth_slopes[FT__GROWTH_BINS - 1]);
	while (i + 2 < FT__GROWTH_BINS && slope > ft__growth_slopes[i + 1])
		i++;
	*share = (slope - ft__growth_slopes[i]) / (ft__growth_slopes[i + 1] - ft__growth_slopes[i]);
	return i;
}

static void add_component(struct ft__growth_belief *belief, double mean, double variance, double weight)
{
	if (!(weight > 0) || belief->n == FT__BELIEF_MOST)
		return;
	belief->mean[belief->n] = mean;
	belief->deviation[belief->n] = sqrt(variance);
	belief->weight[belief->n++] = weight;
}

void ft__beyond(const struct ft__growth *growth, const struct ft__growth_edge *edge, double far, double work,
		struct ft__growth_belief *belief)
{
	const struct ft__growth_belief members = *belief;
	double proportional = edge->work ? work : far, slope = edge->slope + (edge->work ? work / far : 0);
	double level = edge->deviation * edge->deviation, between;
	size_t bin = bin_of(slope, &between), i, k, kept = 0;
	double spread = fmin(fmax(edge->spread, spread_least), spread_most) / usual_spread;
	double rate = growth->change[bin] + between * (growth->change[bin + 1] - growth->change[bin]);
	double changed, stepped = -expm1(-growth->step_rate * far), heaviest = -INFINITY, total = 0;
	double weight[FT__BELIEF_MOST][FT__GROWTH_KINDS], narrow = pow(fmin(spread, 1), growth->narrow);

	rate += growth->spread * log(spread) + growth->reach * log(far / fmax(edge->span, span_least));
	changed = -expm1(-exp(fmin(rate, 3)));

	/* Growth goes on: what each member says, times how usual the slope is that it takes. */
	for (i = 0; i < members.n; i++)
		for (k = 0; k < FT__GROWTH_KINDS; k++) {
			double mean = edge->z + (k ? proportional : 0), own = usual_deviation[k] * far;
			double variance = own * own + level + members.deviation[i] * members.deviation[i];
			double off = members.mean[i] - mean;

			weight[i][k] = log(members.weight[i] * growth->usual[k]) -
				       growth->steep * fmax(0, members.power[i] - 1) -
				       off * off / (2 * variance) - log(variance) / 2;
			heaviest = fmax(heaviest, weight[i][k]);
		}
	for (i = 0; i < members.n; i++)
		for (k = 0; k < FT__GROWTH_KINDS; k++)
			total += weight[i][k] = exp(weight[i][k] - heaviest);
	belief->n = 0;
	for (i = 0; i < members.n; i++)
		for (k = 0; k < FT__GROWTH_KINDS; k++) {
			double mean = edge->z + (k ? proportional : 0), own = usual_deviation[k] * far;
			double usual = own * own + level, said = members.deviation[i] * members.deviation[i];
			double share = (1 - changed) * weight[i][k] / total;
			double variance = usual * said / (usual + said);

			mean = (members.mean[i] * usual + mean * said) / (usual + said);
			if (share < weight_least)
				continue;
			add_component(belief, mean, variance, share * (1 - stepped));
			add_component(belief, mean + growth->step,
				      variance + growth->step_deviation * growth->step_deviation,
				      share * stepped);
		}

	/* Or it changes, to one of three slopes. */
	for (k = 0; k < FT__GROWTH_KINDS; k++) {
		double share =
			growth->share[bin][k] + between * (growth->share[bin + 1][k] - growth->share[bin][k]);
		double off = k == 0 ? 0 : k == 1 ? proportional : slope * growth->other * far;
		double own = growth->deviation[k] * far * narrow;

		add_component(belief, edge->z + off, own * own + level, changed * share);
	}
	for (i = 0, total = 0; i < belief->n; i++)
		total += belief->weight[i];
	for (i = 0; i < belief->n; i++)
		if (isfinite(belief->mean[i]) && isfinite(belief->deviation[i])) {
			belief->mean[kept] = belief->mean[i];
			belief->deviation[kept] = belief->deviation[i];
			belief->weight[kept++] = belief->weight[i] / total;
		}
	belief->n = kept;
}
