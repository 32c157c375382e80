/* SPDX-License-Identifier: GPL-3.0-or-later */
/* topology.h - modules that run all the time, or by turns, and send to each other: which resource gets which
 * (002). */
#ifndef FORETIME_TOPOLOGY_H
#define FORETIME_TOPOLOGY_H

#include "foretime/plan.h"

FT_BEGIN_DECLS

/* What a topology's cost is. rank(c, k) = time of module c on resource k + sending of all that it puts out
 * (002 eq. 2.1, 2.2). */
enum ft_topology_cost {
	FT_TOPOLOGY_SEQUENTIAL, /* T_s: the sum of all ranks (eq. 2.4) */
	FT_TOPOLOGY_PRINTED,    /* T_c as printed: the largest rank (eq. 2.3); sharing a resource is free */
	FT_TOPOLOGY_CONCURRENT, /* T_c charged: the largest sum of the ranks on one resource */
	FT_TOPOLOGY_HYBRID      /* stages one after the other, the modules of each at once: the sum of what
				   each stage is by T_c charged. One stage is that; one a module is T_s */
};

/* Modules that run all the time and send to each other. All is borrowed. */
struct ft_topology {
	size_t modules, resources;
	const double *time_s; /* [modules x resources] >= 0; INFINITY: requirements or rights not met */
	const struct ft_plan_edge *port; /* [ports] from an output to an input; circles may be */
	size_t ports;
	const struct ft_plan_links *links; /* NULL: sending takes no time */
	/* What modules need of a resource together: memory, storage ...; 0 kinds: nothing */
	size_t kinds;
	const double *needs, *has;       /* [modules x kinds], [resources x kinds] >= 0 */
	double weight_time, weight_send; /* w1, w2 of eq. 2.2; both 0: 1, 1 */
	enum ft_topology_cost cost;
	const size_t *stage; /* [modules] of HYBRID, below modules; else not used */
};

struct ft_topology_plan {
	struct ft_plan plan;
	double sequential_s, printed_s, concurrent_s; /* what the answer is by each cost */
};

/* ft_topology_stages - stages as struct ft_topology has them, of what they are called: numbers from 0 on, in
 * the order of the names. name: [modules] finite; stage: [modules] out. Returns FT_OK; FT_ENOMEM. Cost O(n
 * log n).
 */
enum ft_status ft_topology_stages(const double *name, size_t modules, size_t *stage, struct ft_err *err);

/* ft_plan_topology - each module to a resource.
 *
 * search    effort: topologies whose cost is looked at, 0: 60,000
 * resource  [modules] out; where some module fits no resource there is no plan, and these are FT_PLAN_NOWHERE
 *
 * Exact (to the last bits of sums) for T_s and T_c as printed where each module has one input at most and no
 * circle is, and resources have what modules need; else the two greedy schedulers of 002 and a search from
 * them, with the bound that holds without sending, or without needs.
 *
 * Returns FT_OK; FT_EINVAL: what is negative or NaN, a port of no module, no resource; FT_ENOMEM.
 * Cost O(M N^2) where exact (T_c: 64 times that), else effort x (M + ports).
 * Source: 002 sections 2.2, 3.2; errata of eq. 2.1 to 2.3 in doc/plans.md.
 */
enum ft_status ft_plan_topology(const struct ft_topology *topology, const struct ft_plan_search *search,
				size_t *resource, struct ft_topology_plan *out, struct ft_err *err);

FT_END_DECLS
#endif
