/* SPDX-License-Identifier: GPL-3.0-or-later */
/* map_energy.h - tasks by a deadline for least energy: what prices and plans share. */
#ifndef FT_PLAN_MAP_ENERGY_H
#define FT_PLAN_MAP_ENERGY_H

#include "plan/map.h"

/* Gains below this share are rounding. */
#define FT__MAP_GAIN 1e-12

/* Zero-initialise. e: joules, beside k.p. */
struct ft__saving {
	struct ft__map k;
	const double *e;
	double deadline;
	size_t *group, *member;     /* [m] which are alike; one machine of each group */
	double *price, *kept, *sum; /* [groups] of a second; the best ones; loads */
	size_t groups;
	double *alike;          /* [groups] how many */
	double *of_machine;     /* [m] its price */
	struct ft_keyed *order; /* [n] */
	struct ft__mapping now, best;
	struct ft__lists lists;
	double joules, bound;
	uint64_t effort;
	struct ft_random random;
};

static inline double ft__saving_time(const struct ft__saving *g, size_t j, size_t i)
{
	return g->k.p[j * g->k.m + i];
}

static inline double ft__saving_joules(const struct ft__saving *g, size_t j, size_t i)
{
	return g->e[j * g->k.m + i];
}

/* ft__saving_latest - the machine with the largest load. */
size_t ft__saving_latest(const struct ft__mapping *m, size_t machines);

/* ft__saving_place - `now`: tasks by what it costs to miss their cheapest machine (by the prices), each to
 * the cheapest one that has room, else to where it ends first. */
void ft__saving_place(struct ft__saving *g);

/* ft__saving_relieve - moves of least energy a second, until the deadline is kept. False: nothing helps, or
 * `until` looks were made. */
bool ft__saving_relieve(struct ft__saving *g, uint64_t until);

/* ft__saving_improve - `now` made cheaper, as long as it can be; kept where it is the best plan. */
void ft__saving_improve(struct ft__saving *g, uint64_t until);

#endif
