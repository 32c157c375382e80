/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph.h - a graph of tasks made ready for schedules: neighbours, an order, costs of links. */
#ifndef FT_PLAN_GRAPH_H
#define FT_PLAN_GRAPH_H

#include "plan/lane.h"
#include "plan/network.h"

struct ft__edge {
	size_t to; /* the other end */
	double bytes;
	double mean_s, least_s; /* between two machines: on average, at least */
};

struct ft__graph {
	size_t n, m, edges;
	const double *p; /* [n x m] borrowed */
	/* Neighbours of v: next[next_from[v]] up to next_from[v + 1]; before likewise. */
	struct ft__edge *next, *before;
	size_t *next_from, *before_from;
	size_t *order; /* [n] each after all before it */
	double *work;  /* [3 x n] mean, least, largest time of each task */
	struct ft__network network;
	struct ft__lane *taken; /* [m] what is reserved; NULL: nothing, or backwards in time */
	bool whole;             /* all times are whole numbers: so is the least makespan */
	bool reversed;          /* next and before, rows and columns of links are exchanged */
};

/* How a task's time is told where its machine is not known yet. */
enum ft__work { FT__MEAN, FT__LEAST, FT__LARGEST };

/* ft__graph_init - checks and makes ready, in the arena's memory. Returns what ft_plan_schedule does. */
enum ft_status ft__graph_init(struct ft__graph *out, struct ft_arena *arena, const double *time_s, size_t n,
			      size_t m, const struct ft_plan_edge *edge, size_t edges,
			      const struct ft_plan_links *links, struct ft_err *err);

/* ft__graph_reserve - machines are taken at times; the graph's arena. */
enum ft_status ft__graph_reserve(struct ft__graph *g, struct ft_arena *arena,
				 const struct ft_plan_reserved *reserved, size_t n, struct ft_err *err);

/* ft__graph_reverse - the same graph backwards in time. It shares all memory: not to be cleared. What is
 * reserved is not known in it, for nobody knows when the end is. order [n] out */
struct ft__graph ft__graph_reverse(const struct ft__graph *g, size_t *order);

/* ft__graph_send - seconds from a task's end on one machine until its output is on another. */
double ft__graph_send(const struct ft__graph *g, const struct ft__edge *edge, size_t from, size_t to);

#endif
