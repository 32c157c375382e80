/* SPDX-License-Identifier: GPL-3.0-or-later */
/* topology.h - the cost of a topology, trees exactly, and a search. */
#ifndef FT_PLAN_TOPOLOGY_H
#define FT_PLAN_TOPOLOGY_H

#include "base/random.h"
#include "foretime/topology.h"
#include "plan/network.h"

struct ft__topology {
	const struct ft_topology *t;
	struct ft__network network;
	double time, send;        /* weights */
	struct ft_plan_edge *out; /* [ports] by the module that sends: out_from[i] .. out_from[i + 1] */
	size_t *out_from;         /* [modules + 1] */
	size_t stages;            /* of HYBRID; else 1 */
	double *load, *peak;      /* memory: [stages x resources], [stages] */
	double *used;             /* [resources x kinds] */
	uint64_t looks, effort;   /* costs of whole topologies */
	struct ft_random random;
};

/* By how much needs are exceeded, all together as shares of what there is; then the cost. */
struct ft__topology_cost {
	double excess, value;
};

/* ft__topology_value - of a choice of resources [modules]. */
struct ft__topology_cost ft__topology_value(struct ft__topology *k, enum ft_topology_cost cost,
					    const size_t *on);
bool ft__topology_less(struct ft__topology_cost a, struct ft__topology_cost b);

/* ft__topology_tree - the best of all choices, needs left aside, where each module has one input at most.
 *
 * order  [modules] each after what sends to it
 * on     [modules] out
 * memory [modules x resources]
 *
 * Returns T_s, or T_c as printed. */
double ft__topology_tree(struct ft__topology *k, const size_t *order, bool printed, size_t *on,
			 double *memory);

/* ft__topology_search - one module moved, two exchanged, both ends of a port moved, until nothing helps; then
 * a part of the best drawn anew; while effort lasts, or the bound is met. on [modules] in: a start; out: the
 * best seen. memory [3 x modules] */
struct ft__topology_cost ft__topology_search(struct ft__topology *k, double bound, size_t *on,
					     size_t *memory);

#endif
