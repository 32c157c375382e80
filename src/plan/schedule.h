/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedule.h - ranks of tasks, the bound of all schedules, and schedules made better. */
#ifndef FT_PLAN_SCHEDULE_H
#define FT_PLAN_SCHEDULE_H

#include "base/random.h"
#include "plan/decode.h"

/* ft__rank_up - time from a task's start to the end of all, along the longest path: work of one kind, and so
 * much of what sending costs on average. rank [n] out */
void ft__rank_up(const struct ft__graph *g, enum ft__work kind, double sending, double *rank);

/* ft__rank_table - least time from a task's end on a machine to the end of all: PEFT's optimistic cost table.
 * table [n x m] out. Cost O(e m) */
void ft__rank_table(const struct ft__graph *g, double *table);

/* ft__schedule_bound - no schedule ends before: the longest path (per machine), and work by prices of
 * machines, of all tasks and of those that have some time before and after them. looks: counts */
enum ft_status ft__schedule_bound(const struct ft__graph *g, double below, double *bound, uint64_t *looks,
				  struct ft_err *err);

/* Both directions of a graph, and what schedules are made with. */
struct ft__planner {
	const struct ft__graph *forth, *back;
	const double *table, *table_back; /* biases [n x m] */
	struct ft__decoder d;
	struct ft__schedule best, now, trial, spare; /* [n] slots each */
	double *key, *own_key;     /* [n] own: of the planner, for what was made backwards */
	size_t *force, *own_force; /* [n] */
	double bound;
	uint64_t effort;
	struct ft_random random;
};

/* Has the best schedule met the bound? */
bool ft__planner_met(const struct ft__planner *k);

/* ft__planner_try - one schedule, forwards or backwards in time, into `trial`; kept where it is the best. */
void ft__planner_try(struct ft__planner *k, bool back, const struct ft__rule *rule);

void ft__planner_improve(struct ft__planner *k); /* the best varied, while effort lasts */

void ft__schedule_copy(struct ft__schedule *to, const struct ft__schedule *from, size_t n);

#endif
