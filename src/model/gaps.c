/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gaps.c - which shape joins two knots, and how far it may err. doc/models.md derives the formulas. */
#include "model/band.h"
#include "model/live.h"

#include <math.h>

/* A gap's error is taken for at least this much while there are so few knots (no leave-out error, or one). */
static const double few_knots_error[] = {1, 1, 0.5, 0.5};

/* How many knots on either side a shape is chosen by, and what a residual weighs against the next nearer one.
 */
enum { VOTERS = 5 };
static const double vote_decay = 0.6, affine_penalty = 1.1, speed_penalty = 2;

/* How many knots on either side tell what a region is like. */
enum { REGION = 32 };
static const double region_share = 1.2;

/* What tests are worth: the quantiles, a pseudo-test that came out as foretold, bounds. */
static const double test_quantile = 0.8, doubt_quantile = 0.9, pseudo_weight = 1.5, least_factor = 0.25,
		    most_factor = 2.5;

static const double least_raw = 1e-6, /* as in a test */
	least_kinship = 0.1;          /* of tests whose raw error was quite another */

/* Of the normal law, 90 % lies within so many standard deviations; bounds of what tests may make of it. */
static const double normal_90 = 1.645, least_spread = 1.4, most_spread = 3;

/* Weighted sums over an exponential kernel, from the left and from the right: two passes. */
static void sum_scatter(struct ft__live *live)
{
	size_t j, i;

	for (j = 0; j < live->n; j++) {
		struct ft__node *k = &live->node[j];

		k->scatter_left = k->calm;
		k->freedom_left = (double)(k->runs - 1);
		if (j) {
			k->scatter_left += k[-1].scatter_left * k[-1].decay / k->decay;
			k->freedom_left += k[-1].freedom_left * k[-1].decay / k->decay;
		}
	}
	for (i = live->n; i-- > 0;) {
		struct ft__node *k = &live->node[i];

		k->scatter_right = k->calm;
		k->freedom_right = (double)(k->runs - 1);
		if (i + 1 < live->n) {
			k->scatter_right += k[1].scatter_right * k->decay / k[1].decay;
			k->freedom_right += k[1].freedom_right * k->decay / k[1].decay;
		}
	}
}

static void refresh(struct ft__live *live)
{
	size_t j;
	int s;

	if (live->fresh)
		return;
	live->fresh = true;
	sum_scatter(live);
	for (j = 0; j < live->n; j++) {
		struct ft__node *k = &live->node[j];
		double freedom =
			FT__PRIOR_FREEDOM + k->freedom_left + k->freedom_right - (double)(k->runs - 1);
		double by_noise, variance = (FT__PRIOR_FREEDOM * FT__PRIOR_NOISE * FT__PRIOR_NOISE +
					     k->scatter_left + k->scatter_right - k->calm) /
					    freedom;

		k->noise = sqrt(variance);
		if (!j || j + 1 == live->n)
			continue;
		by_noise = 3 * variance *
			   (1 / (double)k->runs + (1 / (double)k[-1].runs + 1 / (double)k[1].runs) / 4);
		for (s = 0; s < FT_SHAPES; s++) {
			double r2 = k->residual[s] * k->residual[s];

			k->clean[s] = sqrt(fmax(r2 - by_noise, 0.04 * r2));
		}
	}
}

double ft__live_noise(struct ft__live *live, size_t j)
{
	refresh(live);
	return live->node[j].noise;
}

/* How badly each shape would have foretold the knots around a gap; 0 where there are none. */
static void vote(const struct ft__live *live, size_t g, double sum[FT_SHAPES])
{
	double weight = 1;
	size_t d;
	int s;

	for (s = 0; s < FT_SHAPES; s++)
		sum[s] = 0;
	for (d = 0; d < VOTERS; d++, weight *= vote_decay)
		for (s = 0; s < FT_SHAPES; s++) {
			if (g > d)
				sum[s] += weight * live->node[g - d].root[s];
			if (g + d + 2 < live->n)
				sum[s] += weight * live->node[g + 1 + d].root[s];
		}
	for (s = 0; s < FT_SHAPES; s++)
		sum[s] *= sum[s];
}

/* A speed is one only where the work is known. */
static bool has_speed(const struct ft__live *live)
{
	return live->through_speed && live->has_work;
}

static enum ft_shape choose(const struct ft__live *live, const double bad[FT_SHAPES])
{
	if (live->join == FT_JOIN_SPEED)
		return live->through_speed ? FT_SHAPE_SPEED : FT_SHAPE_AFFINE;
	if (has_speed(live) && speed_penalty * bad[FT_SHAPE_SPEED] <
				       fmin(affine_penalty * bad[FT_SHAPE_AFFINE], bad[FT_SHAPE_POWER]))
		return FT_SHAPE_SPEED;
	return affine_penalty * bad[FT_SHAPE_AFFINE] < bad[FT_SHAPE_POWER] ? FT_SHAPE_AFFINE : FT_SHAPE_POWER;
}

/* (iii) Where shapes that pass through the same knots differ in the middle. One that would have foretold the
 * knots around here worse counts for as much less. */
static double error_by_committee(const struct ft__live *live, size_t g, enum ft_shape shape,
				 const double bad[FT_SHAPES])
{
	const struct ft__node *k = &live->node[g];
	double spread = fabs(k->cubic_differs - k->differs[shape]);
	int s;

	for (s = 0; s < FT_SHAPES; s++) {
		double d = fabs(k->differs[s] - k->differs[shape]);

		if (s == FT_SHAPE_SPEED && !has_speed(live))
			continue;
		if (bad[s] > bad[shape])
			d *= bad[shape] / bad[s];
		spread = fmax(spread, d);
	}
	return fmin(0.5, (live->n > 2 ? 0.25 : 0.5) * spread);
}

/* (i) The change of slope at the gap's ends: a parabola errs by half as much between its knots, a kink by
 * twice. */
static double error_by_slope(const struct ft__live *live, size_t g, enum ft_shape shape)
{
	double h = live->node[g + 1].at - live->node[g].at, worst = 0;
	size_t j;

	for (j = g; j <= g + 1; j++) {
		const struct ft__node *k = &live->node[j];
		double width;

		if (!j || j + 1 == live->n)
			continue;
		width = k[1].at - k[-1].at;
		worst = fmax(worst, k->clean[shape] * (width > h ? fmin(1, 0.25 * width / (width - h)) : 1));
	}
	return worst;
}

/* (ii) What the residuals around here are like, scaled to this gap's width. The mean of the power 1.5 lies
 * between that of the square, with which one jump makes a whole region doubtful, and the plain one, with
 * which dips that most knots miss count for little. */
static double error_by_region(const struct ft__live *live, size_t g, enum ft_shape shape)
{
	double h = live->node[g + 1].at - live->node[g].at, sum = 0, weights = 0;
	double decay = sqrt(live->node[g].decay * live->node[g + 1].decay);
	size_t from = g > REGION ? g - REGION : 1, to = g + 1 + REGION, j;

	if (to + 1 > live->n - 1)
		to = live->n - 2;
	for (j = from; j <= to && j + 1 < live->n; j++) {
		const struct ft__node *k = &live->node[j];
		double scaled = k->clean[shape] * fmin(1, h / (k[1].at - k[-1].at));
		double w = j <= g ? k->decay / decay : decay / k->decay;

		sum += w * scaled * sqrt(scaled);
		weights += w;
	}
	return weights > 0 ? region_share * cbrt(sum / weights * (sum / weights)) : 0;
}

/* What a test tells of a gap: less the farther away it was, and less the more its raw error differed. What
 * came true of smooth pieces says little of a jump, and the other way round. */
static double weight_of(const struct ft__test *test, double decay, double raw)
{
	double near = fmin(test->decay / decay, decay / test->decay);

	return near * fmax(least_kinship, fmin(test->raw / raw, raw / test->raw));
}

/* The quantile of how many times larger than foretold such errors came out. */
static double factor(const struct ft__live *live, const double weight[FT__TESTS], double quantile)
{
	double total = pseudo_weight, below = 0;
	bool pseudo = false;
	size_t i;

	if (live->n_tests < 4)
		return 1;
	for (i = 0; i < live->n_tests; i++)
		total += weight[i];
	for (i = 0; i < live->n_tests; i++) {
		double ratio = live->test[i].residual / live->test[i].raw;

		if (!pseudo && ratio >= 1) {
			pseudo = true;
			below += pseudo_weight;
			if (below >= quantile * total)
				return 1;
		}
		below += weight[i];
		if (below >= quantile * total)
			return fmin(fmax(ratio, least_factor), most_factor);
	}
	return pseudo ? most_factor : 1;
}

struct ft__gap ft__live_gap(struct ft__live *live, size_t g)
{
	double bad[FT_SHAPES], weight[FT__TESTS], decay = sqrt(live->node[g].decay * live->node[g + 1].decay);
	struct ft__gap gap;
	size_t i;

	refresh(live);
	vote(live, g, bad);
	gap.shape = choose(live, bad);
	gap.raw = fmax(error_by_slope(live, g, gap.shape), error_by_region(live, g, gap.shape));
	gap.raw = fmax(gap.raw, error_by_committee(live, g, gap.shape, bad));
	if (live->n < 4)
		gap.raw = fmax(gap.raw, few_knots_error[live->n]);
	for (i = 0; i < live->n_tests; i++)
		weight[i] = weight_of(&live->test[i], decay, fmax(gap.raw, least_raw));
	gap.error = fmin(3, gap.raw * factor(live, weight, test_quantile));
	gap.doubt = fmin(3, gap.raw * factor(live, weight, doubt_quantile));
	return gap;
}

double ft__live_spread(const struct ft__live *live)
{
	double ratio[FT__TESTS + 2], z;
	size_t n = 0, i, j;

	ratio[n++] = normal_90;
	ratio[n++] = normal_90;
	for (i = 0; i < live->n_tests; i++) {
		const struct ft__test *t = &live->test[i];

		z = t->residual / sqrt(1.5 * t->noise * t->noise + t->raw * t->raw);
		for (j = n++; j && ratio[j - 1] > z; j--)
			ratio[j] = ratio[j - 1];
		ratio[j] = z;
	}
	z = 0.9 * (double)(n - 1);
	i = (size_t)z;
	z = i + 1 < n ? ratio[i] + (z - (double)i) * (ratio[i + 1] - ratio[i]) : ratio[n - 1];
	return fmin(fmax(z, least_spread), most_spread) / normal_90;
}
