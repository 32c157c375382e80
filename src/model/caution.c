/* SPDX-License-Identifier: GPL-3.0-or-later */
/* caution.c - how far stated errors are to be trusted: a quantile of misses, weighed by how near they are. */
#include "model/caution.h"

#include <math.h>
#include <stdlib.h>

/* doc/constants.md has the row of a table for each. */
static const double quantile = 0.85, normal = 1.44, most = 3; /* of misses; what a normal law has there */
static const double reach = 0.135;                            /* of the range, as that of scatter */
static const double pseudo_weight = 0.4;                      /* of each miss that was not seen */
enum { PSEUDO = 6 };

static int compare_misses(const void *a, const void *b)
{
	const struct ft__miss *p = a, *q = b;

	return (p->miss > q->miss) - (p->miss < q->miss);
}

void ft__misses_sort(struct ft__miss *miss, size_t n)
{
	qsort(miss, n, sizeof *miss, compare_misses);
}

static double weight_of(const struct ft__miss *miss, double at, double range)
{
	return exp(-fabs(miss->at - at) / (reach * range));
}

/* Misses that were seen and those that were not, .1, .4, .7 ..., merged: the value of a rank. */
double ft__caution(const struct ft__miss *miss, size_t n, double at, double range, double least)
{
	double left = PSEUDO * pseudo_weight, at_rank = 0;
	size_t j = 0;

	for (size_t i = 0; i < n; i++)
		left += weight_of(&miss[i], at, range);
	left *= quantile;
	for (size_t i = 0; left >= 0 && (i < n || j < PSEUDO);) {
		double pseudo = j < PSEUDO ? 0.1 + 0.3 * (double)j : INFINITY;

		if (i < n && miss[i].miss <= pseudo) {
			at_rank = miss[i].miss;
			left -= weight_of(&miss[i++], at, range);
		} else {
			at_rank = pseudo;
			left -= pseudo_weight;
			j++;
		}
	}
	return fmin(fmax(at_rank / normal, least), most);
}
