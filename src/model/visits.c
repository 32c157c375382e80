/* SPDX-License-Identifier: GPL-3.0-or-later */
/* visits.c - what runs of one size at different times differ by. */
#include "model/visits.h"

#include <math.h>

void ft__visits_add(struct ft__visits *visits, size_t runs, size_t n_visits, double scatter, double within)
{
	visits->within += within;
	visits->within_freedom += (double)(runs - n_visits);
	visits->held += scatter;
	visits->held_freedom += (double)(runs - 1);
	if (n_visits < 2)
		return;
	visits->between += fmax(0, scatter - within);
	visits->between_freedom += (double)(n_visits - 1);
	/* Runs that the mean square between visits counts a visit's effect for; visits are taken to be of
	 * equal length. */
	visits->repeats += (double)(n_visits - 1) * (double)runs / (double)n_visits;
}

double ft__visits_drift(const struct ft__visits *visits)
{
	double within, held, between;

	if (visits->between_freedom < 2 || visits->within_freedom < 2)
		return 0;
	within = visits->within / visits->within_freedom;
	held = visits->held / visits->held_freedom;
	between = fmax(0, visits->between / visits->between_freedom - within) * visits->between_freedom /
		  visits->repeats;
	return fmax(0, within + between - held);
}
