/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moves.h - a run on one of some machines whose speeds change: what ft_plan_revise makes of it, beside who
 * knows the future. For a test and a bench. */
#ifndef FT_PLAN_MOVES_H
#define FT_PLAN_MOVES_H

#include "foretime/plan.h"
#include "plan/door.h"

#include <math.h>
#include <stdlib.h>

enum { MOVES_MACHINES = 4, MOVES_HORIZON = 800, MOVES_HALVES = 2 };

/* Speeds at whole steps, 1: nothing else runs; what each is promised. */
struct moves {
	double speed[MOVES_MACHINES][MOVES_HORIZON], promised[MOVES_MACHINES];
	size_t start;
	double work, cost; /* of a move, in steps: a multiple of 1/2 */
};

/* Steps until the work is done with the best moves of all: the most work by each half step and machine. */
static double moves_best(const struct moves *g)
{
	static double done[MOVES_HORIZON * MOVES_HALVES + 100][MOVES_MACHINES];
	size_t steps = MOVES_HORIZON * MOVES_HALVES, cost = (size_t)(g->cost * MOVES_HALVES + 0.5), h, k, l;
	double best = INFINITY;

	for (h = 0; h < steps + cost + 1; h++)
		for (k = 0; k < MOVES_MACHINES; k++)
			done[h][k] = -1;
	done[0][g->start] = 0;
	for (h = 0; h < steps && (double)h / MOVES_HALVES < best; h++)
		for (k = 0; k < MOVES_MACHINES; k++) {
			double rate = g->speed[k][h / MOVES_HALVES], after = done[h][k] + rate / MOVES_HALVES;

			if (done[h][k] < 0)
				continue;
			if (after >= g->work)
				best = fmin(best, (double)h / MOVES_HALVES + (g->work - done[h][k]) / rate);
			done[h + 1][k] = fmax(done[h + 1][k], after);
			for (l = 0; l < MOVES_MACHINES; l++)
				if (l != k)
					done[h + cost][l] = fmax(done[h + cost][l], done[h][k]);
		}
	return best;
}

/* Steps until the work is done when each step's end is a look. never: stay where it began. */
static double moves_run(const struct moves *g, double tolerance, bool never, int *moves)
{
	struct ft_plan_contract c[MOVES_MACHINES];
	size_t at = g->start;
	double t = 0, done = 0;

	*moves = 0;
	for (size_t k = 0; k < MOVES_MACHINES; k++)
		(void)ft_plan_contract(&c[k], g->promised[k], tolerance, NULL);
	while (t < MOVES_HORIZON) {
		size_t step = (size_t)t, other = at;
		double left = (double)step + 1 - t, rate = g->speed[at][step], best = 0;
		struct ft_plan_revision r;

		if (done + rate * left >= g->work)
			return t + (g->work - done) / rate;
		done += rate * left;
		t = (double)step + 1;
		for (size_t k = 0; k < MOVES_MACHINES; k++) {
			struct ft_plan_progress look = {.seconds = left, .rate = g->speed[k][step]};

			if (k == at)
				continue;
			(void)ft_plan_revise(&c[k], &look, &r, NULL);
			if (fmin(c[k].promised, c[k].recent) > best) {
				best = fmin(c[k].promised, c[k].recent);
				other = k;
			}
		}
		(void)ft_plan_revise(&c[at],
				     &(struct ft_plan_progress){left, rate, best, g->work - done, g->cost},
				     &r, NULL);
		if (!r.move || never)
			continue;
		t += g->cost;
		at = other;
		(void)ft_plan_contract(&c[at], g->promised[at], tolerance, NULL);
		++*moves;
	}
	return INFINITY;
}

#endif
