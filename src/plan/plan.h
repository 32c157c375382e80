/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan.h - planning: work divided over processors, tasks and graphs over machines. */
#ifndef FT_PLAN_PLAN_H
#define FT_PLAN_PLAN_H

#include "base/alloc.h"
#include "base/random.h"
#include "foretime/plan.h"
#include "num/num.h"
#include "plan/door.h"

#include <stddef.h>

/*
 * Busy times of a machine: intervals that are filled in, and gaps between them.
 */

/* Times in which a machine is busy, ascending, apart. */
struct ft__lane {
	struct ft__busy {
		double start, end;
	} * of;
	size_t n, capacity;
	struct ft_arena *arena; /* of the intervals */
};

/* ft__lane_gap - the earliest start from `ready` on of something that takes p. Cost O(log n) and the gaps
 * that are too small. */
double ft__lane_gap(const struct ft__lane *lane, double ready, double p);

/* ft__lane_within - how long it is busy between two times. */
double ft__lane_within(const struct ft__lane *lane, double from, double to);

/*
 * Prepared links between machines: costs of sending, on each link and on average.
 */

struct ft__network {
	size_t m;
	double *latency, *per_byte; /* [m x m] seconds, seconds a byte; INFINITY: no link. NULL: alike */
	/* Of any link if they are equal; else the average over existing ones, and the least of them. */
	double latency_s, byte_s, least_latency_s, least_byte_s;
};

/* ft__network_init - links NULL: sending takes no time. In the arena's memory. FT_EINVAL: a latency or
 * a bandwidth that is negative or NaN (the link in the text); FT_ENOMEM */
enum ft_status ft__network_init(struct ft__network *out, struct ft_arena *arena,
				const struct ft_plan_links *links, size_t m, struct ft_err *err);

/* ft__network_send - seconds; 0 on one machine, and for 0 bytes. */
double ft__network_send(const struct ft__network *net, double bytes, size_t from, size_t to);

/*
 * A graph of tasks prepared for schedules: neighbours, an order, costs of links.
 */

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

/* The estimate of a task's time before its machine is chosen. */
enum ft__work { FT__MEAN, FT__LEAST, FT__LARGEST };

/* ft__graph_init - checks and makes ready, in the arena's memory. Returns what ft_plan_schedule does. */
enum ft_status ft__graph_init(struct ft__graph *out, struct ft_arena *arena, const double *time_s, size_t n,
			      size_t m, const struct ft_plan_edge *edge, size_t edges,
			      const struct ft_plan_links *links, struct ft_err *err);

/* ft__graph_reserve - machines are taken at times; the graph's arena. */
enum ft_status ft__graph_reserve(struct ft__graph *g, struct ft_arena *arena,
				 const struct ft_plan_reserved *reserved, size_t n, struct ft_err *err);

/* ft__graph_reverse - the same graph backwards in time. It shares all memory: not to be cleared. It has no
 * reservations, since the end is not known. order [n] out */
struct ft__graph ft__graph_reverse(const struct ft__graph *g, size_t *order);

/* ft__graph_send - seconds from a task's end on one machine until its output is on another. */
double ft__graph_send(const struct ft__graph *g, const struct ft__edge *edge, size_t from, size_t to);

/*
 * A heap of numbered keys: the least first, among equals the lowest number.
 */

struct ft__key {
	double key;
	size_t of;
};

/* The caller's array holds n keys before, n + 1 after. */
void ft__heap_push(struct ft__key *heap, size_t n, struct ft__key key);
struct ft__key ft__heap_pop(struct ft__key *heap, size_t n); /* n >= 1 before, n - 1 after */

/*
 * A schedule from keys: the ready task with the largest key first, to the machine where it ends
 * first, into the first gap that holds it.
 */

/* Memory that schedules are made in, for graphs of n tasks and m machines. */
struct ft__decoder {
	struct ft__lane *lane;  /* [m] */
	size_t *left, *touched; /* [n], [n] */
	struct ft__key *heap;   /* [n] */
	double *ready, *local;  /* [m] */
	uint64_t looks;         /* machines looked at for a task */
	bool no_memory;
};

struct ft__schedule {
	struct ft_plan_slot *slot; /* [n] */
	double t;                  /* INFINITY: none was found */
};

/* The rules of a schedule. NULL, or zero: unused. */
struct ft__rule {
	const double *key;  /* [n] */
	const double *bias; /* [n x m] seconds added to the end, times alpha, to choose a machine */
	double alpha;
	const size_t *force; /* [n] machines; FT_PLAN_NOWHERE: free */
	const size_t *use;   /* [uses] the only machines to use */
	size_t uses;
};

enum ft_status ft__decoder_init(struct ft__decoder *out, struct ft_arena *arena, size_t n, size_t m,
				struct ft_err *err);

/* ft__decode - out->t INFINITY: some task had no machine left, or d->no_memory. Cost O(e + n m + n log n) */
void ft__decode(struct ft__decoder *d, const struct ft__graph *g, const struct ft__rule *rule,
		struct ft__schedule *out);

/*
 * The times of one group of processors prepared: shares counted in steps of the granularity, bounds applied,
 * and the shares that a given time allows.
 */

/* Shares are steps: a share of y is step y + offset units. */
struct ft__share {
	const struct ft_plan_times *times;
	size_t n, count;
	const int64_t *at; /* NULL: 0, 1, 2 ... */
	const double *t;
	double *hull; /* [n] where times fall: the least time from a knot on; NULL: t never falls */
	int64_t step, offset;
	int64_t lo, hi; /* steps that bounds and knots allow; lo > hi: none */
	size_t last;    /* the knot at or before hi */
};

/* A share, and the knot at or before it. */
struct ft__cap {
	int64_t y;
	size_t k;
};

/* ft__share_check - check that times are as plan.h requires. processor: its index, for the text. */
enum ft_status ft__share_check(const struct ft_plan_times *times, size_t processor, struct ft_err *err);

/* ft__share_init - of checked times, for shares of at most `total` units (least shares excepted), in the
 * arena's memory. */
enum ft_status ft__share_init(struct ft__share *out, struct ft_arena *arena,
			      const struct ft_plan_times *times, int64_t step, int64_t offset, int64_t total,
			      struct ft_err *err);

double ft__share_time(const struct ft__share *s, int64_t y); /* lo <= y <= hi */

/* ft__share_cap - the largest share that takes T at most, or lo where none does. Known brackets: a from a
 * smaller T (or lo, knot 0), b from a larger one (or hi, `last`). */
struct ft__cap ft__share_cap(const struct ft__share *s, double t, struct ft__cap a, struct ft__cap b);

/* ft__share_least - the least time of any allowed share. */
double ft__share_least(const struct ft__share *s);

struct ft__interval {
	int64_t from, to;
};

/* Intervals in a growing array. */
struct ft__intervals {
	struct ft__interval *of;
	size_t n, capacity;
};

bool ft__interval_push(struct ft__intervals *list, int64_t from, int64_t to); /* false: out of memory */

/* ft__share_deficits - by how much shares that take T at most lie below u, up to `slack`: appended as
 * intervals, ascending, apart. u: the largest such share. looks: counts evaluations. False: out of memory. */
bool ft__share_deficits(const struct ft__share *s, double t, int64_t u, int64_t slack,
			struct ft__intervals *out, uint64_t *looks);

/* ft__share_next - the least time above T that any share takes; INFINITY: none. Cost O(n log). */
double ft__share_next(const struct ft__share *s, double t);

/*
 * Shares of any times, proved best by which deficits below the caps can be reached.
 */

/*
 * Least energy by one deadline after the other, in one memory.
 */

struct ft__least;

/* for FT_CLEANUP; accepts NULL there */

/*
 * Independent tasks on machines of all kinds: shared by bounds, starts and searches.
 */

/* The most plans that are enumerated: it takes some milliseconds, and proves the best one. */
static const double ft__plans_enumerated = 1e6;

/* p [n x m] seconds, INFINITY where a task does not fit; looks: entries that were looked at. */
struct ft__map {
	const double *p;
	size_t n, m;
	uint64_t looks;
};

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

/*
 * Divisions by the probability that all have ended by a time.
 */

/* A processor: its times, and its share. */
struct ft__late {
	const struct ft_plan_times *typical, *slow;
	int64_t units;
	double log_f;     /* ln of the chance to have ended by the time that is looked at */
	double get, give; /* by how much that changes with a block more, or less; -INFINITY: it cannot be */
};

struct ft__lates {
	struct ft__late *of; /* [p] */
	size_t p;
	double z, log_q; /* of what is slow; of the risk */
	double log_t;    /* what is looked at */
	int64_t step, block;
	uint64_t looks;
};

/* ft__late_least_spread - standard deviations of ln t below this are this. */
extern const double ft__late_least_spread;

/*
 * The least time in which all shares together reach a total.
 */

/* Zero-initialise. */
struct ft__rise {
	double t;            /* the least time by which caps reach the total; -INFINITY: least shares do */
	int64_t least, most; /* sums of all least shares, and of all caps; at most 2^62 */
	struct ft__cap *a;   /* [m] caps for a time before t: their sum is below the total */
	struct ft__cap *b;   /* [m] caps without a limit of time */
	int64_t sum;         /* of a */
	uint64_t evaluations;
};

/* ft__rise - the least T with sum max(lo, cap(T)) >= total, exact among doubles. Where least shares are
 * already more than the total, or caps less, t is NaN.
 *
 * Cost O(E m log k + m log m), E the evaluations of the sum, about 25.
 */
enum ft_status ft__rise(struct ft__rise *out, struct ft_arena *arena, const struct ft__share *s, size_t m,
			int64_t total, struct ft_err *err);

/* Sums that may be out of all bounds stop at 2^62. */
int64_t ft__units_add(int64_t sum, int64_t units, size_t count);

/*
 * Ranks of tasks, the bound of all schedules, and improvement of schedules.
 */

/* ft__rank_up - time from a task's start to the end of all, along the longest path: work of one kind, and
 * a share of the average cost of sending. rank [n] out */
void ft__rank_up(const struct ft__graph *g, enum ft__work kind, double sending, double *rank);

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

/* the best varied, while effort lasts */

/*
 * Sets of whole numbers 0..limit as ascending intervals that do not touch, and their sums.
 */

/* Memory that sums are made in. Zero-initialise; ends with ft__sets_clear. */
struct ft__sets {
	struct ft__intervals pairs;
	uint64_t *bits; /* three of them */
	size_t words;
	uint64_t looks; /* pairs or words that were worked on */
};

/* ft__sets_add - appends to `out` all sums of one number of each set, up to limit; false: out of memory.
 *
 * a, b  [na], [nb] intervals; they may lie in out's array: they are read before it grows
 *
 * Cost O(pairs log pairs), or O(limit / 64 (nb + log limit)) over bits where that is less.
 */
bool ft__sets_add(struct ft__sets *work, const struct ft__interval *a, size_t na,
		  const struct ft__interval *b, size_t nb, int64_t limit, struct ft__intervals *out);
void ft__sets_clear(struct ft__sets *work);

/*
 * The cost of a topology, trees exactly, and a search.
 */

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

/* The excess over capacities, summed as shares of them; then the cost. */
struct ft__topology_cost {
	double excess, value;
};

#endif
