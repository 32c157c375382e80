/* SPDX-License-Identifier: GPL-3.0-or-later */
/* region.c - where a place lies among others. */
#include "model/region.h"
#include "foretime/facts.h"

#include <math.h>

enum { APPROACHES = 200 };
static const double hull_slack = 1e-4; /* squared: a hundredth of the ranges */

static bool on_all_sides(const double *point, size_t n, size_t d, const double *x)
{
	/* Bit k of a side: the k-th coordinate is not below that of x. */
	bool seen[1 << FT_PARAMS_MAX] = {false};
	size_t sides = (size_t)1 << d, i, k, side, left = sides;

	for (i = 0; i < n && left; i++) {
		const double *at = point + i * d;

		for (side = 0; side < sides; side++) {
			bool on = true;

			for (k = 0; k < d && on; k++)
				on = side >> k & 1 ? at[k] >= x[k] - 1e-9 : at[k] <= x[k] + 1e-9;
			left -= on && !seen[side];
			seen[side] = seen[side] || on;
		}
	}
	return !left;
}

/* The point of most progress from a place of the hull (less x) towards x; *along: how far it lies there. */
static size_t point_towards(const double *point, size_t n, size_t d, const double *x, const double *at,
			    double *along)
{
	size_t best = 0;

	*along = INFINITY;
	for (size_t i = 0; i < n; i++) {
		double dot = 0;

		for (size_t k = 0; k < d; k++)
			dot += at[k] * (point[i * d + k] - x[k]);
		if (dot < *along) {
			*along = dot;
			best = i;
		}
	}
	return best;
}

/* at moves to the place between it and a point that is nearest to x. */
static void approach_point(const double *point, size_t d, const double *x, double *at)
{
	double along = 0, length = 0;

	for (size_t k = 0; k < d; k++) {
		double step = point[k] - x[k] - at[k];

		along -= step * at[k];
		length += step * step;
	}
	double share = length > 0 ? fmin(1, along / length) : 0;
	for (size_t k = 0; k < d; k++)
		at[k] += share * (point[k] - x[k] - at[k]);
}

/* Whether a place lies in the convex hull, to within a hundredth of the ranges: the point of the hull next to
 * it is approached until a plane between them is found (Frank & Wolfe 1956). */
static bool in_hull(const double *point, size_t n, size_t d, const double *x)
{
	double at[FT_PARAMS_MAX]; /* of a point of the hull, less x */

	for (size_t k = 0; k < d; k++)
		at[k] = point[k] - x[k];
	for (int round = 0; round < APPROACHES; round++) {
		double square = 0, along;

		for (size_t k = 0; k < d; k++)
			square += at[k] * at[k];
		if (square < hull_slack)
			return true;
		size_t best = point_towards(point, n, d, x, at, &along);
		if (along > 0)
			return false;
		approach_point(point + best * d, d, x, at);
	}
	return false;
}

bool ft__region_surrounds(const double *point, size_t n, size_t d, const double *x)
{
	return on_all_sides(point, n, d, x) || in_hull(point, n, d, x);
}

size_t ft__region_nearest(const double *point, size_t n, size_t d, const double *x, bool *taken)
{
	double least = INFINITY;
	size_t nearest = 0;

	for (size_t i = 0; i < n; i++) {
		double square = 0;

		for (size_t k = 0; k < d; k++)
			square += (point[i * d + k] - x[k]) * (point[i * d + k] - x[k]);
		if (!taken[i] && square < least) {
			least = square;
			nearest = i;
		}
	}
	taken[nearest] = true;
	return nearest;
}

/* The i-th of the numbers of van der Corput in a base. */
static double corput_number(size_t i, size_t base)
{
	double share = 1, sum = 0;

	for (; i; i /= base) {
		share /= (double)base;
		sum += share * (double)(i % base);
	}
	return sum;
}

void ft__region_spread(size_t i, size_t d, double *x)
{
	static const size_t prime[FT_PARAMS_MAX] = {2, 3, 5, 7, 11, 13, 17, 19};

	for (size_t k = 0; k < d; k++)
		x[k] = corput_number(i + 1, prime[k]);
}
