/* SPDX-License-Identifier: GPL-3.0-or-later */
/* map_bound.c - prices of machines: a bound of all mappings, and mappings that follow them. */
#include "plan/map.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void scale(double *w, const double *ln, size_t m)
{
	double most = -INFINITY, sum = 0;

	for (size_t i = 0; i < m; i++)
		most = fmax(most, ln[i]);
	for (size_t i = 0; i < m; i++) {
		w[i] = fmax(exp(ln[i] - most), 1e-9);
		sum += w[i];
	}
	for (size_t i = 0; i < m; i++)
		w[i] /= sum;
}

/* A machine that is twice as slow is half as dear: geometric means of its column. Even prices lose 2 % of the
 * bound at 100 machines. */
static void first_prices(const struct ft__map *k, double *w, double *ln)
{
	for (size_t i = 0; i < k->m; i++) {
		double sum = 0;
		size_t count = 0;

		for (size_t j = 0; j < k->n; j++) {
			double p = k->p[j * k->m + i];

			if (p < INFINITY && p > 0) {
				sum += log(p);
				count++;
			}
		}
		ln[i] = count ? -sum / (double)count : -DBL_MAX;
	}
	scale(w, ln, k->m);
}

/* The bound for prices w, and the loads that cheapest machines would have. */
static double value(const struct ft__map *k, double below, const double *w, double *load)
{
	double sum = 0;

	memset(load, 0, k->m * sizeof *load);
	for (size_t j = 0; j < k->n; j++) {
		const double *p = k->p + j * k->m;
		double least = INFINITY;
		size_t which = 0;

		for (size_t i = 0; i < k->m; i++) {
			double v = w[i] * p[i];

			if (v < least && p[i] <= below) {
				least = v;
				which = i;
			}
		}
		if (isinf(least))
			return INFINITY;
		sum += least;
		load[which] += p[which];
	}
	return sum;
}

double ft__map_dual(struct ft__map *k, double below, size_t rounds, double *w, double *work)
{
	enum { PATIENCE = 12 };
	double *load = work, *ln = work + k->m, *best = work + 2 * k->m, bound = 0, step = 0.5;
	size_t stalled = 0;

	if (!(w[0] > 0))
		first_prices(k, w, ln);
	for (size_t i = 0; i < k->m; i++)
		ln[i] = log(w[i]);
	memcpy(best, w, k->m * sizeof *w);
	for (size_t round = 0; round < rounds && step > 1e-5; round++) {
		double v = value(k, below, w, load), most = 0;

		k->looks += k->n * k->m;
		if (isinf(v))
			return v;
		if (v > bound * (1 + 1e-7)) {
			bound = v;
			memcpy(best, w, k->m * sizeof *w);
			stalled = 0;
		} else if (++stalled >= PATIENCE) {
			step *= 0.6;
			stalled = 0;
			for (size_t i = 0; i < k->m; i++)
				ln[i] = log(best[i]);
		}
		for (size_t i = 0; i < k->m; i++)
			most = fmax(most, load[i]);
		if (!(most > 0))
			break;
		for (size_t i = 0; i < k->m; i++)
			ln[i] += step * (load[i] - v) / most;
		scale(w, ln, k->m);
	}
	memcpy(w, best, k->m * sizeof *w);
	/* Each sum of n terms is rounded n times at most. */
	return bound * (1 - DBL_EPSILON * (double)(k->n + k->m + 4));
}

static double regret(const struct ft__map *k, const double *w, size_t j)
{
	double first = INFINITY, second = INFINITY;

	for (size_t i = 0; i < k->m; i++) {
		double v = w[i] * k->p[j * k->m + i];

		if (v < first) {
			second = first;
			first = v;
		} else if (v < second) {
			second = v;
		}
	}
	return isinf(second) ? DBL_MAX : second - first;
}

void ft__map_round(struct ft__map *k, const double *w, double below, struct ft_keyed *order,
		   struct ft__mapping *out)
{
	for (size_t j = 0; j < k->n; j++)
		order[j] = (struct ft_keyed){-regret(k, w, j), j};
	ft_keyed_sort(order, k->n);
	memset(out->load, 0, k->m * sizeof *out->load);
	for (size_t j = 0; j < k->n; j++) {
		const double *p = k->p + order[j].of * k->m;
		double least = INFINITY, soonest = INFINITY;
		size_t cheap = k->m, soon = 0;

		for (size_t i = 0; i < k->m; i++) {
			double end = out->load[i] + p[i], v = w[i] * p[i];

			if (end <= below && v < least) {
				least = v;
				cheap = i;
			}
			if (end < soonest) {
				soonest = end;
				soon = i;
			}
		}
		out->on[order[j].of] = cheap < k->m ? cheap : soon;
		out->load[out->on[order[j].of]] += p[out->on[order[j].of]];
	}
	k->looks += 2 * k->n * k->m;
	ft__mapping_sum(out, k);
}
