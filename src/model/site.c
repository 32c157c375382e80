/* SPDX-License-Identifier: GPL-3.0-or-later */
/* site.c - the runs of a size: how far each is believed.
 *
 * Source: Lange, Little and Taylor 1989 (t errors). */
#include "model/engine.h"

#include <math.h>

/* doc/constants.md has the row of a table. */
static const double run_freedom = 5; /* degrees of freedom of single runs: their tails */

void ft__site_believe(struct ft__site *site, double z, double variance, double scatter)
{
	size_t k;

	for (k = 0; k < site->n; k++) {
		double d = site->value[k].z - z;

		site->value[k].weight = (run_freedom + 1) / (run_freedom + (d * d + variance) / scatter);
	}
}

double ft__site_likelihood(const struct ft__site *site, double mean)
{
	double sum = 0, weight = 0;
	size_t k;

	for (k = 0; k < site->n; k++) {
		const struct ft__run_value *v = &site->value[k];
		double d = v->z - mean;

		weight += v->count * v->weight;
		sum += v->count * ((run_freedom + 1) * log(v->weight) - run_freedom * (v->weight - 1) -
				   log(site->scatter) - v->weight * d * d / site->scatter);
	}
	return (sum + log(site->scatter / weight)) / 2;
}
