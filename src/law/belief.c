/* SPDX-License-Identifier: GPL-3.0-or-later */
/* belief.c - belief over the logarithm of a value, in bins: quantiles, and the value most of it lies
 * near. */
#include "law/laws.h"
#include "num/stats.h"

#include <math.h>
#include <string.h>

enum { BINS = FT__LAW_BINS, NODES = 3 };

/* A normal error in three points (Gauss-Hermite). */
static const double node[NODES] = {-1.7320508075688772, 0, 1.7320508075688772};
static const double share[NODES] = {1.0 / 6, 2.0 / 3, 1.0 / 6};

double ft__law_error(double level, double noise)
{
	return fmin(hypot(level, noise), 5);
}

void ft__law_bin(struct ft__law_belief *belief)
{
	double low = INFINITY, high = -INFINITY;
	double total = 0;

	for (size_t i = 0; i < belief->n; i++)
		total += belief->weight[i];
	for (size_t i = 0; i < belief->n; i++)
		belief->weight[i] /= total;
	memset(belief->bin, 0, sizeof belief->bin);
	memset(belief->mean, 0, sizeof belief->mean);
	for (size_t i = 0; i < belief->n; i++) {
		double reach = node[NODES - 1] * belief->error[i];

		low = fmin(low, belief->ln[i] - reach);
		high = fmax(high, belief->ln[i] + reach);
	}
	belief->low = low;
	belief->width = fmax((high - low) / (BINS - 1), 1e-12);
	for (size_t i = 0; i < belief->n; i++)
		for (size_t j = 0; j < NODES; j++) {
			double at = belief->ln[i] + node[j] * belief->error[i];
			double part = belief->weight[i] * share[j];
			size_t bin = (size_t)fmax((at - low) / belief->width, 0);

			bin = bin < BINS ? bin : BINS - 1;
			belief->bin[bin] += part;
			belief->mean[bin] += part * at;
		}
	for (size_t i = 0; i < BINS; i++)
		if (belief->bin[i] > 0)
			belief->mean[i] /= belief->bin[i];
}

/* How much of the belief lies below. */
static double belief_below(const struct ft__law_belief *belief, double at)
{
	double sum = 0;

	for (size_t i = 0; i < belief->n; i++) {
		double d = at - belief->ln[i], reach = 5 * belief->error[i];

		if (d >= reach)
			sum += belief->weight[i];
		else if (d > -reach)
			sum += belief->weight[i] * ft_normal_below(d / belief->error[i]);
	}
	return sum;
}

/* The bin in which the quantile lies brackets it; then regula falsi (Illinois) on the belief itself: bins are
 * too broad where one law has nearly all of it. */
double ft__law_quantile(const struct ft__law_belief *belief, double share_below)
{
	double fa, fb, sum = 0, tiny = 1e-10;
	size_t i;
	int side = 0;

	for (i = 0; i + 1 < BINS && sum + belief->bin[i] < share_below; i++)
		sum += belief->bin[i];
	double a = belief->low + ((double)i - 1) * belief->width;
	double b = belief->low + ((double)i + 2) * belief->width;
	while ((fa = belief_below(belief, a) - share_below) > 0)
		a -= 4 * (b - a);
	while ((fb = belief_below(belief, b) - share_below) < 0)
		b += 4 * (b - a);
	for (int round = 0; round < 60 && b - a > tiny && fb - fa > tiny; round++) {
		double c = (a * fb - b * fa) / (fb - fa), fc = belief_below(belief, c) - share_below;

		if (fc > 0) {
			b = c;
			fb = fc;
			fa *= side == 1 ? 0.5 : 1;
			side = 1;
		} else {
			a = c;
			fa = fc;
			fb *= side == -1 ? 0.5 : 1;
			side = -1;
		}
		if (fabs(fc) < 1e-9)
			return c;
	}
	return (a + b) / 2;
}

/* The value that most of the belief lies near: what is t counts max(0, 1 - |v/t - 1| / 0.2) for v (a tent, as
 * broad as the error that is called good). Sums over neighbours come from running sums of w and w / t: below
 * v the tent is 6 - 5 v/t, above it 5 v/t - 4. */
double ft__law_tent(const struct ft__law_belief *belief)
{
	double value[BINS], sum[BINS + 1] = {0}, over[BINS + 1] = {0}, best = 0, most = -1;
	size_t n = 0, from = 0, to = 0;

	for (size_t i = 0; i < BINS; i++)
		if (belief->bin[i] > 0) {
			value[n] = exp(belief->mean[i]);
			sum[n + 1] = sum[n] + belief->bin[i];
			over[n + 1] = over[n] + belief->bin[i] * value[0] / value[n];
			n++;
		}
	for (size_t i = 0; i < n; i++) {
		double slope = 5 * value[i] / value[0], near;

		while (value[i] > 1.2 * value[from])
			from++;
		while (to < n && value[i] > 0.8 * value[to])
			to++;
		near = 6 * (sum[i] - sum[from]) - slope * (over[i] - over[from]);
		near += slope * (over[to] - over[i]) - 4 * (sum[to] - sum[i]);
		if (near > most) {
			most = near;
			best = value[i];
		}
	}
	return best;
}
