/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedule_improve.c - a schedule varied: keys are its own times and noise, a share of its machines is kept;
 * then it is shifted forwards and backwards in time. What is a little worse is sometimes gone on from. */
#include "plan/schedule.h"

#include <math.h>

/* Worse by this share is accepted once in e times; what is worse by more than the other is given up. */
static const double warmth = 0.005, far_off = 1.03;

static double uniform(struct ft__planner *k)
{
	return ft_random_uniform(&k->random);
}

/* Mean 0, variance 1; the sum of two is normal enough, and cheap. */
static double noise(struct ft__planner *k)
{
	return (uniform(k) + uniform(k) - 1) * 2.449489742783178;
}

/* Keys that would make `s` again: the earliest first, or backwards the latest. */
static double own_key(const struct ft__schedule *s, size_t v, bool back)
{
	return back ? s->slot[v].end_s : -s->slot[v].start_s;
}

/* A schedule like `now`: noise of a size between e^-1 and e^-5 of the whole, on all tasks or few. */
static void vary_schedule(struct ft__planner *k, bool back)
{
	size_t n = k->forth->n;
	double size = k->now.t * exp(-1 - 4 * uniform(k));
	double rate = uniform(k) < 0.3 ? 1 : fmax(1 / (double)n, exp(-uniform(k) * log((double)n)));
	double keep = uniform(k) < 0.5 ? uniform(k) : 0;
	struct ft__rule rule = {.key = k->key,
				.bias = back ? k->table_back : k->table,
				.alpha = uniform(k) < 0.5 ? 0 : uniform(k),
				.force = keep > 0 ? k->force : NULL};

	for (size_t v = 0; v < n; v++) {
		k->key[v] = own_key(&k->now, v, back);
		if (rate == 1 || uniform(k) < rate)
			k->key[v] += size * noise(k);
		k->force[v] = keep > 0 && uniform(k) < keep ? k->now.slot[v].machine : FT_PLAN_NOWHERE;
	}
	ft__planner_try(k, back, &rule);
}

/* Shifted to one end, on the machines that it has or on the best ones. False: nothing was gained. */
static bool shift_schedule(struct ft__planner *k, bool back)
{
	size_t n = k->forth->n;
	struct ft__rule rule = {.key = k->key, .force = uniform(k) < 0.5 ? k->force : NULL};
	struct ft__schedule before = k->trial;

	for (size_t v = 0; v < n; v++) {
		k->key[v] = own_key(&before, v, back);
		k->force[v] = before.slot[v].machine;
	}
	k->trial = k->spare;
	ft__planner_try(k, back, &rule);
	if (k->trial.t <= before.t) {
		k->spare = before;
		return true;
	}
	k->spare = k->trial;
	k->trial = before;
	return false;
}

void ft__planner_improve(struct ft__planner *k)
{
	size_t n = k->forth->n;

	ft__schedule_copy(&k->now, &k->best, n);
	while (k->d.looks < k->effort && !ft__planner_met(k) && !k->d.no_memory) {
		bool back = uniform(k) < 0.5;

		vary_schedule(k, back);
		if (isfinite(k->trial.t) && shift_schedule(k, !back))
			(void)shift_schedule(k, back);
		if (k->trial.t <= k->now.t ||
		    uniform(k) < exp((k->now.t - k->trial.t) / (warmth * k->best.t))) {
			struct ft__schedule now = k->now;

			k->now = k->trial;
			k->trial = now;
		}
		if (k->now.t > far_off * k->best.t)
			ft__schedule_copy(&k->now, &k->best, n);
	}
}
