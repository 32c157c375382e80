/* SPDX-License-Identifier: GPL-3.0-or-later */
/* map.h - independent tasks on machines of all kinds: what bounds, starts and searches share. */
#ifndef FT_PLAN_MAP_H
#define FT_PLAN_MAP_H

#include "base/arena.h"
#include "base/random.h"
#include "foretime/plan.h"
#include "num/order.h"

/* So many plans are enumerated where there are no more: it takes some milliseconds, and proves the best one.
 */
static const double ft__plans_enumerated = 1e6;

/* p [n x m] seconds, INFINITY where a task does not fit; looks: entries that were looked at. */
struct ft__map {
	const double *p;
	size_t n, m;
	uint64_t looks;
};

/* A plan: who does which task, and what each machine has to do. [n], [m] */
struct ft__mapping {
	size_t *on;
	double *load;
	double t; /* the largest load */
};

/* ft__mapping_make, ft__lists_make - room for one; the caller checks the arena. */
struct ft__mapping ft__mapping_make(struct ft_arena *arena, const struct ft__map *k);
void ft__mapping_copy(struct ft__mapping *to, const struct ft__mapping *from, const struct ft__map *k);
void ft__mapping_sum(struct ft__mapping *m, const struct ft__map *k); /* loads and time anew, from `on` */

/* The tasks of each machine as lists; FT_PLAN_NOWHERE ends them. */
struct ft__lists {
	size_t *head;          /* [m] the first task */
	size_t *next, *before; /* [n] */
};

struct ft__lists ft__lists_make(struct ft_arena *arena, const struct ft__map *k);
void ft__lists_fill(struct ft__lists *lists, const struct ft__map *k, const struct ft__mapping *m);

/* ft__lists_move - a task to another machine: in the lists, in `on`, and in both loads. */
void ft__lists_move(struct ft__lists *lists, const struct ft__map *k, struct ft__mapping *m, size_t task,
		    size_t to);

/* ft__map_dual - the bound sum_j min_i w_i p_ij over prices w >= 0 that sum to 1, made large by steps along
 * the loads that it leaves (entropic subgradient).
 *
 * below   only plans with a value below it matter: entries above are left out
 * w       [m] in: a start, or w[0] = 0: prices that even out the machines; out: the best ones
 * work    [3 m]
 *
 * Returns the bound, with errors of rounding taken off; INFINITY: some task has no entry below.
 * Source: Lagrangian dual of R||Cmax; notes in doc/plans.md.
 */
double ft__map_dual(struct ft__map *k, double below, size_t rounds, double *w, double *work);

/* ft__map_round - tasks by what it costs to miss their cheapest machine (prices w), each to the cheapest one
 * that stays below a load, else to where it ends first. order [n]: memory. */
void ft__map_round(struct ft__map *k, const double *w, double below, struct ft_keyed *order,
		   struct ft__mapping *out);

/* What a mapping is cooled down by. */
struct ft__cooling {
	const double *w, *e; /* [m] prices of a second; [n x m] joules, or NULL */
	double target;       /* of loads */
	double below;        /* entries from here on are left out */
	double task;         /* what a task costs by these prices, the mean */
};

/* ft__map_anneal - a mapping cooled down by random steps that make all loads even and cheap by prices; what
 * comes out may be worse, and is best given to ft__map_search. For about so many looks. */
enum ft_status ft__map_anneal(struct ft__map *k, struct ft__mapping *m, const struct ft__cooling *by,
			      uint64_t looks, struct ft_random *random, struct ft_err *err);

/* ft__map_search - moves and swaps off the latest machine until none helps, then a few random ones, again and
 * again, until `looks` reaches `until` or the bound is met. m is made better, never worse. */
enum ft_status ft__map_search(struct ft__map *k, struct ft__mapping *m, double bound, uint64_t until,
			      struct ft_random *random, struct ft_err *err);

#endif
