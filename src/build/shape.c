/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shape.c - whether measured speeds have the shape that GBBP takes for granted (000 section 2.3).
 *
 * Cuts are compared, not points: what they have in common contradicts nothing. Two runs at a size know little
 * of how runs scatter, all sizes together much: a cut reaches at least as far as that scatter makes likely,
 * at a confidence at which one build in a hundred has a cut somewhere that misses its speed.
 */
#include "build/shape.h"
#include "num/stats.h"

#include <math.h>
#include <string.h>

static const double missed = 0.01; /* builds with a cut that misses */

/* A continuous speed does not halve between sizes that are the same within the tolerance. */
static const double jump_factor = 2;

/* Sizes with one run that tell the scatter of all. */
enum { SINGLE_MOST = 256 };

/* Straight lines are drawn through at most so many of the sizes, evenly taken. */
enum { BENDS_MOST = 128 };

/* The scatter of the runs of how many sizes says whether it grows; by which factor, and how sure that is
 * (a normal quantile: 1 in 200). */
enum { SPREADS_LEAST = 8 };
static const double wider_factor = 2, wider_sure = 2.58;

/* The standard deviation of single runs as a share, pooled over sizes; *dof of it. */
static double pooled_share(const struct ft__cut *cut, size_t n, double *dof)
{
	double sum = 0;

	*dof = 0;
	for (size_t i = 0; i < n; i++) {
		double share = cut[i].spread / cut[i].mean;

		if (cut[i].n < 2)
			continue;
		sum += (double)(cut[i].n - 1) * share * share;
		*dof += (double)(cut[i].n - 1);
	}
	return *dof > 0 ? sqrt(sum / *dof) : 0;
}

/* The same where no size was run twice: what sizes are off the line between their neighbours, half of them by
 * more. Such a distance has the variance of a run and half of that again. */
static double off_neighbours(const struct ft__cut *cut, size_t n, double *dof)
{
	static const double sds = 1.4826; /* of a normal distribution in its median distance */
	double off[SINGLE_MOST], share;
	size_t m = n < SINGLE_MOST + 2 ? n : SINGLE_MOST + 2;

	*dof = 0;
	if (n <= 3)
		return 0;
	*dof = (double)m - 2;
	for (size_t i = 1; i + 1 < m; i++) {
		share = (cut[i].x - cut[i - 1].x) / (cut[i + 1].x - cut[i - 1].x);
		off[i - 1] = fabs(
			cut[i].mean / (cut[i - 1].mean + share * (cut[i + 1].mean - cut[i - 1].mean)) - 1);
	}
	return sds * ft_stats_median(off, m - 2) / sqrt(1.5);
}

static void widen_cuts(struct ft__cut *cut, size_t n)
{
	double dof, share = pooled_share(cut, n, &dof), t;

	if (!(dof > 0))
		share = off_neighbours(cut, n, &dof);
	if (!(dof > 0))
		return;
	t = ft_student_t(1 - missed / (double)n, dof);
	for (size_t i = 0; i < n; i++) {
		double at = cut[i].mean, half = t * share / sqrt((double)cut[i].n) * at;

		cut[i].speed[0] = fmin(cut[i].speed[0], fmax(0, at - half));
		cut[i].speed[1] = fmax(cut[i].speed[1], at + half);
	}
}

static bool lies_below(const struct ft__cut *a, const struct ft__cut *b)
{
	return a->speed[1] < b->speed[0];
}

/* (a) */
static void find_jump(const struct ft__cut *cut, size_t n, double tolerance, struct ft_build_shape *out)
{
	for (size_t i = 1; i < n; i++) {
		const struct ft__cut *a = &cut[i - 1], *b = &cut[i];

		if (b->x - a->x > tolerance * fabs(a->x))
			continue;
		if (jump_factor * a->speed[1] < b->speed[0] || jump_factor * b->speed[1] < a->speed[0]) {
			out->jumps = true;
			out->jump[0] = a->x;
			out->jump[1] = b->x;
			return;
		}
	}
}

/* (b) The size that lies farthest below one before and one behind it, and the first behind that is above. */
static void find_rise(const struct ft__cut *cut, size_t n, struct ft_build_shape *out)
{
	double deepest = 0, before = 0;
	size_t j;

	for (size_t i = 0; i < n; i++) {
		double behind = 0;

		for (j = i + 1; j < n; j++)
			behind = fmax(behind, cut[j].speed[0]);
		double depth = fmin(before, behind) - cut[i].speed[1];
		before = fmax(before, cut[i].speed[0]);
		if (depth <= deepest)
			continue;
		deepest = depth;
		out->rises = true;
		out->low = cut[i].x;
		for (j = i + 1; !lies_below(&cut[i], &cut[j]);)
			j++;
		out->again = cut[j].x;
	}
}

/* On which side of the line from one cut to another a third one lies: 1 above, -1 below, 0 perhaps on it. */
static int side_of(const struct ft__cut *from, const struct ft__cut *to, const struct ft__cut *at)
{
	double share = (at->x - from->x) / (to->x - from->x);

	if (at->speed[0] > from->speed[1] + share * (to->speed[1] - from->speed[1]))
		return 1;
	return at->speed[1] < from->speed[0] + share * (to->speed[0] - from->speed[0]) ? -1 : 0;
}

/* Whether the line from one cut to another is crossed twice between them: three sizes on alternate sides. */
static bool cross_line(const struct ft__cut *const *cut, size_t from, size_t to, double bend[3])
{
	size_t n = 0;
	int last = 0;

	for (size_t i = from + 1; i < to && n < 3; i++) {
		int here = side_of(cut[from], cut[to], cut[i]);

		if (!here || here == last)
			continue;
		last = here;
		bend[n++] = cut[i]->x;
	}
	return n == 3;
}

/* (c), from the fastest size on: what lies before it is climbed, not divided. */
static void find_bend(const struct ft__cut *cut, size_t n, struct ft_build_shape *out)
{
	const struct ft__cut *some[BENDS_MOST];
	size_t fastest = 0;
	double found[3];

	for (size_t i = 1; i < n; i++)
		if (cut[i].speed[0] > cut[fastest].speed[0])
			fastest = i;
	n -= fastest;
	size_t m = n < BENDS_MOST ? n : BENDS_MOST;
	for (size_t i = 0; i < m; i++)
		some[i] = &cut[fastest + (m > 1 ? i * (n - 1) / (m - 1) : 0)];
	for (size_t i = 0; i < m; i++)
		for (size_t j = m - 1; j > i + 3; j--)
			if (cross_line(some, i, j, found)) {
				out->bends = true;
				memcpy(out->bend, found, sizeof found);
				return;
			}
}

/* (d) By ranks (Mann, Whitney 1947), so that one run that was disturbed decides nothing: whether the spreads
 * of the larger half of the sizes are those of another machine than the spreads of the smaller half. */
static void find_wider(const struct ft__cut *cut, size_t n, struct ft_build_shape *out)
{
	size_t half, repeated = 0, low = 0, high = 0;
	double u = 0, low_sum = 0, high_sum = 0;

	for (size_t i = 0; i < n; i++)
		repeated += cut[i].n > 1;
	if (repeated < SPREADS_LEAST)
		return;
	for (half = 0; low < repeated / 2; half++) {
		low += cut[half].n > 1;
		low_sum += cut[half].n > 1 ? cut[half].spread : 0;
	}
	for (size_t j = half; j < n; j++) {
		if (cut[j].n < 2)
			continue;
		high++;
		high_sum += cut[j].spread;
		for (size_t i = 0; i < half; i++)
			if (cut[i].n > 1)
				u += cut[j].spread > cut[i].spread   ? 1
				     : cut[j].spread < cut[i].spread ? 0
								     : 0.5;
	}
	double sd = sqrt((double)(low * high * (repeated + 1)) / 12);
	if (u - (double)(low * high) / 2 > wider_sure * sd &&
	    high_sum / (double)high > wider_factor * low_sum / (double)low) {
		out->widens = true;
		out->wider = cut[half].x;
	}
}

void ft__shape_check(struct ft__cut *cut, size_t n, double tolerance, struct ft_build_shape *out)
{
	*out = (struct ft_build_shape){.jumps = false};
	widen_cuts(cut, n);
	find_jump(cut, n, tolerance, out);
	find_rise(cut, n, out);
	if (n && !out->rises)
		find_bend(cut, n, out);
	find_wider(cut, n, out);
}
