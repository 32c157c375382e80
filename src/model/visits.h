/* SPDX-License-Identifier: GPL-3.0-or-later */
/* visits.h - what runs of one size at different times differ by, beside what runs of one visit do: an
 * analysis of variance with random effects. Runs with none at another size between them are one visit. */
#ifndef FT_MODEL_VISITS_H
#define FT_MODEL_VISITS_H

#include <stddef.h>

/* Sums of squares of ln value over all sizes, and their degrees of freedom. Zero-initialise. */
struct ft__visits {
	double within, within_freedom;   /* about the means of visits */
	double between, between_freedom; /* of the means of visits about those of sizes */
	double held, held_freedom;       /* about the means of sizes */
	double repeats;
};

/* ft__visits_add - one size: the sum of squares of its runs about their mean, and about those of visits. */
void ft__visits_add(struct ft__visits *visits, size_t runs, size_t n_visits, double scatter, double within);

/* ft__visits_drift - variance that a run at another time adds to what `held` holds of it; 0 where fewer than
 * two sizes' worth of visits tell. */
double ft__visits_drift(const struct ft__visits *visits);

#endif
