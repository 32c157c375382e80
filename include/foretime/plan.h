/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan.h - who does what: work divided over processors, tasks and graphs of tasks over machines.
 *
 * All of it is arithmetic over plain arrays, tables and functions: nothing here knows a model or a store.
 * Every answer carries what it is worth: a bound that no plan is below, and whether it is proved best. A
 * search is bounded by the costs that it looks at, never by a clock, and random numbers come from a seed:
 * the same question has the same answer everywhere. See doc/plans.md.
 *
 *	times[0] = (struct ft_plan_times){.n = 3, .at = at, .time_s = fast};
 *	ft_plan_partition(times, 2, 1000000, NULL, units, NULL, &partition, err);
 *
 * Where there is no plan, that is an answer: the makespan is INFINITY, the result contains what is missing.
 */
#ifndef FORETIME_PLAN_H
#define FORETIME_PLAN_H

#include "foretime/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

FT_BEGIN_DECLS

/* What every answer contains. */
struct ft_plan {
	double value; /* what is made small: seconds until all is done, or joules; INFINITY: no plan */
	double bound; /* no plan is below */
	bool exact;   /* proved: no plan is better */
	uint64_t evaluations; /* costs that were looked at */
};

/* ft_plan_gap - value / bound - 1: how far at most the plan is above the best one; 0 where it is exact. */
double ft_plan_gap(const struct ft_plan *plan);

/* What a search may spend. All 0, or NULL in place of it: the defaults. */
struct ft_plan_search {
	uint64_t effort; /* costs to look at, about; 0: the function's default */
	uint64_t seed;
};

/* ---- a total divided over processors ------------------------------------------------------------------- */

/* Units are whole numbers, up to 2^53: doubles hold them. */
#define FT_PLAN_UNITS ((int64_t)1 << 53)

/* How long a processor takes for x units, x whole: knots with straight lines between them, a table, or a
 * function. 0 units take 0 seconds where the first knot is at 1. A time of INFINITY forbids a share; so are
 * all shares strictly between a knot and one of INFINITY. All is borrowed. */
struct ft_plan_times {
	size_t count;         /* processors that are alike; 0: one */
	int64_t least, most;  /* bounds of a share; most 0: no cap. A cap is where memory ends, for example */
	size_t n;             /* knots */
	const int64_t *at;    /* [n] ascending; NULL: 0, 1, 2 ..., a table */
	const double *time_s; /* [n] >= 0; may fall */
	/* Instead of knots (n = 0): never falling in units, from 0; INFINITY from some share on, or never. */
	double (*function)(const void *context, int64_t units);
	const void *context;
};

/* ft_plan_time - seconds for units >= 0; INFINITY beyond the knots, below them (0 units but for knots from 1
 * on), and next to one of INFINITY. Cost O(log n). */
double ft_plan_time(const struct ft_plan_times *times, int64_t units);

struct ft_partition_options {
	int64_t granularity; /* shares are multiples of it; what the total leaves over goes to one processor;
				0: 1 */
	uint64_t effort;     /* intervals of shares to look at where times fall; 0: 2e7 */
};

/* Why a processor does not get more. */
enum ft_plan_binds {
	FT_BINDS_NOT,  /* it could take more in the same time */
	FT_BINDS_TIME, /* one unit (or step of the granularity) more would end later than the plan */
	FT_BINDS_CAP,  /* it has `most`, or what its times allow at most */
	FT_BINDS_LEAST /* it has `least`, and would rather have less: its time is the plan's, or above the
			  time of the rest */
};

struct ft_partition {
	struct ft_plan plan;
	size_t latest; /* the processor that ends last */
	/* Where there is no plan: */
	int64_t missing; /* units that do not fit under the caps; < 0: minimum shares exceed the total by this
			    many; 0: allowed shares have gaps, and none add up to the total */
	int64_t nearest; /* total above `total` that allowed shares do add up to; 0: none, or not known */
};

/* ft_plan_partition - shares of a total, so that the last processor ends as early as possible.
 *
 * times   [groups] each stands for `count` processors
 * total   0 .. FT_PLAN_UNITS
 * units   [processors, in the order of the groups] out: shares, sum = total; 0 where there is no plan
 * binds   [processors] out; may be NULL. Where there is no plan: the caps (missing > 0) or least shares (< 0)
 *
 * Exact where times never fall; else exact unless `effort` runs out, or a granularity leaves units over and
 * no way to give them away meets the bound: then the plan contains that, with its bound.
 *
 * Returns FT_OK; FT_EINVAL: a time that is NaN or negative, knots that do not ascend, bounds the wrong way
 * round, units beyond FT_PLAN_UNITS (processor and knot in the text); FT_ENOMEM.
 *
 * Cost O(E p log k + p log p) where times never fall, E about 25 (80 with many equal times), p groups of k
 * knots; else also tests x p x intervals, few as long as nearly all shares are allowed (subset sum is a
 * case).
 *
 * Source: 000 introduction and its reference 1 (equal times), made exact over integers; doc/plans.md.
 */
enum ft_status ft_plan_partition(const struct ft_plan_times *times, size_t groups, int64_t total,
				 const struct ft_partition_options *options, int64_t *units,
				 enum ft_plan_binds *binds, struct ft_partition *out, struct ft_err *err);

/* ---- energy -------------------------------------------------------------------------------------------- */

/* What x units take of a processor: tables of x = 0, 1 ... n - 1; INFINITY forbids. Borrowed. */
struct ft_plan_costs {
	size_t n;
	const double *time_s, *energy_j; /* [n] >= 0 */
};

struct ft_partition_energy {
	struct ft_plan plan; /* joules */
	double time_s;       /* the makespan */
	double fastest_s;    /* of any plan, where none keeps the deadline; INFINITY: none at all; else NaN */
};

/* ft_plan_partition_energy - shares of a total that cost least energy and end by a deadline.
 *
 * deadline_s  INFINITY: none
 * effort      steps of dynamic programming, 0: 4e9
 * units       [p] out; 0 where there is no plan
 *
 * Exact, to 1e-9 of the energy, unless the effort runs out: then no plan is proved, and the plan contains
 * that.
 *
 * Returns FT_OK; FT_EINVAL: a time or an energy that is NaN or negative (processor and units in the text), an
 * empty table, a deadline that is NaN; FT_ENOMEM.
 *
 * Cost O(sum n log) and few shares near the price of a unit; at worst O(p total^2).
 *
 * Source: Lagrangian bound, doc/plans.md.
 */
enum ft_status ft_plan_partition_energy(const struct ft_plan_costs *cost, size_t p, int64_t total,
					double deadline_s, uint64_t effort, int64_t *units,
					struct ft_partition_energy *out, struct ft_err *err);

struct ft_plan_point {
	double time_s, energy_j;
};

/* Plans that are Pareto-optimal; from the cheapest to the fastest. */
struct ft_plan_front {
	size_t n, p;
	struct ft_plan_point *point; /* [n] */
	int64_t *units;              /* [n x p] */
	size_t knee;          /* where speed begins to cost: farthest below the line from first to last */
	bool complete;        /* the effort was enough */
	uint64_t evaluations; /* steps of dynamic programming */
	size_t capacity;
};

/* ft_plan_front - time against energy.
 *
 * most    points: the cheapest, the fastest, and some evenly spaced in time; 0 or 1: all, maybe thousands
 * effort  steps of dynamic programming, 0: 4e10
 * out     ends with ft_plan_front_clear; cleared on failure; n 0 and complete: there is no plan at all
 *
 * Idle power P adds P x time to each point: the least of these is a point of the front. Returns as above.
 */
enum ft_status ft_plan_front(const struct ft_plan_costs *cost, size_t p, int64_t total, size_t most,
			     uint64_t effort, struct ft_plan_front *out, struct ft_err *err);
void ft_plan_front_clear(struct ft_plan_front *front); /* accepts NULL, and twice */

/* ---- independent tasks over machines ------------------------------------------------------------------- */

/* In place of a machine: a task that fits none. */
#define FT_PLAN_NOWHERE SIZE_MAX

/* A machine is reserved by other users. */
struct ft_plan_reserved {
	size_t machine;
	double from_s, to_s; /* 0 <= from <= to, finite */
};

/* ft_plan_map - each task to a machine, so that the last machine ends as early as possible.
 *
 * time_s   [n x m] row-major, a row a task; >= 0, INFINITY where it does not fit
 * machine  [n] out; where some tasks fit no machine there is no plan, and these are FT_PLAN_NOWHERE
 * load_s   [m] out: when each machine ends; may be NULL
 * search   effort: entries of time_s to look at, 0: 2e8 + 600 n m
 *
 * A machine that is taken until some time has a task more, which fits nowhere else.
 *
 * The bound is that of the linear relaxation (prices of machines), or the longest task; exact: to 1e-9. The
 * bound is made with at least 400 passes over time_s, independent of the effort.
 *
 * Returns FT_OK; FT_EINVAL: no machine, a time that is NaN or negative (task and machine in the text);
 * FT_ENOMEM. Memory O(n + m) in addition to time_s.
 * Source: Lenstra, Shmoys, Tardos 1990 (relaxation of R||Cmax); Maheswaran et al. 1999 (min-min, sufferage);
 * doc/plans.md.
 */
enum ft_status ft_plan_map(const double *time_s, size_t n, size_t m, const struct ft_plan_search *search,
			   size_t *machine, double *load_s, struct ft_plan *out, struct ft_err *err);

/* ---- graphs of tasks over machines --------------------------------------------------------------------- */

/* Task `to` begins when `from` has ended and its output is there. 0 bytes: an order only, nothing is sent. */
struct ft_plan_edge {
	size_t from, to;
	double bytes;
};

/* What sending takes: latency + bytes / bandwidth; nothing on one machine. */
struct ft_plan_links {
	double latency_s, bytes_per_s; /* between any two machines */
	/* Instead, both [m x m], a row sends; bandwidth 0: there is no link */
	const double *latency_s_of, *bytes_per_s_of;
};

struct ft_plan_slot {
	size_t machine;
	double start_s, end_s;
};

/* ft_plan_schedule - each task of a graph to a machine and a time, so that the last one ends as early as
 * possible. A machine does one task at a time; what is sent takes no machine's time, and links carry any
 * number of things at once.
 *
 * time_s   [n x m] row-major, a row a task; >= 0, INFINITY where it does not fit
 * links    NULL: sending takes no time
 * reserved [n_reserved] in any order; a task is before or behind them, never divided
 * slot     [n] out: start and end; where there is no plan, tasks that fit no machine are FT_PLAN_NOWHERE
 * heft     out: makespan of HEFT, for comparison; may be NULL
 * search   effort: machines to look at for a task, 0: 5e7 + 300 (n m + edges)
 *
 * List schedules forwards and backwards in time (HEFT, PEFT's table as a bias, one machine, two), the best
 * one then varied and shifted, as far as the effort goes. The bound: longest paths, work over machines by
 * prices, both joined; exact: to 1e-9.
 *
 * Returns FT_OK; FT_EINVAL: a cycle (its tasks in the text), a time or a link that is NaN or
 * negative, an edge to no task, no machine; FT_ENOMEM.
 *
 * Cost of a list schedule O(e + n m) (e m with links that differ); memory O(n m).
 *
 * Source: Topcuoglu, Hariri, Wu 2002 (HEFT); Arabnejad, Barbosa 2014 (PEFT); doc/plans.md.
 */
enum ft_status ft_plan_schedule(const double *time_s, size_t n, size_t m, const struct ft_plan_edge *edge,
				size_t edges, const struct ft_plan_links *links,
				const struct ft_plan_reserved *reserved, size_t n_reserved,
				const struct ft_plan_search *search, struct ft_plan_slot *slot, double *heft,
				struct ft_plan *out, struct ft_err *err);

/* ft_plan_order - tasks by their start, of several then by their end, then by their number.
 *
 * order  [n] out. Returns FT_OK; FT_ENOMEM. Cost O(n log n). */
enum ft_status ft_plan_order(const struct ft_plan_slot *slot, size_t n, size_t *order, struct ft_err *err);

/* ---- servers in an order ------------------------------------------------------------------------------- */

/* What is known of a call on one server (or partition of a cluster). */
struct ft_plan_server {
	double wait_s, transfer_s; /* before it begins */
	double time_s;             /* predicted; INFINITY: it does not fit */
	double spread_s;           /* the standard deviation of its error */
	double limit_s;            /* the longest run that is let; 0: none */
	double load, cost;         /* the order of ties: less first */
};

enum ft_plan_rank_why {
	FT_RANK_GOOD,
	FT_RANK_LIMIT, /* at the risk it takes longer than the limit */
	FT_RANK_NO_FIT /* it does not fit, or never begins */
};

struct ft_plan_rank {
	size_t server;      /* its index */
	double end_s;       /* wait, transfer and time; not passed but with the risk */
	double first;       /* chance to be done before all others */
	double before_best; /* chance to be done before the one with the least end_s */
	bool alike;         /* tied with the best one */
	enum ft_plan_rank_why why;
};

/* ft_plan_rank - servers in the order in which to ask them.
 *
 * risk  of being later than end_s, and the chance from which on a server counts as alike; 0: 0.05
 * out   [n]: first those tied with the best one, by load, then cost; then the others by end_s;
 *       then those that will not do
 *
 * Errors are taken for independent and normal. What is common to all (one model, off by a factor) does not
 * change the order, and should not be in spread_s.
 *
 * Returns FT_OK; FT_EINVAL: what is negative or NaN (the server in the text), a risk not in 0..1; FT_ENOMEM.
 * Cost O(n^2). Source: 001 III (the agent's list of servers), with waits and intervals.
 */
enum ft_status ft_plan_rank(const struct ft_plan_server *server, size_t n, double risk,
			    struct ft_plan_rank *out, struct ft_err *err);

FT_END_DECLS

/*
 * Modules that run all the time, or by turns, and send to each other: which resource gets which
 * (002).
 */

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

/*
 * Stay or move: what runs by a plan, and is slower than was planned.
 */

FT_BEGIN_DECLS

/* The prediction of a run, and its course so far. Rates are work a second, in any unit. */
struct ft_plan_contract {
	double promised, tolerance; /* kept while the rate is at least predicted / (1 + tolerance) */
	double recent;              /* of the rates seen: 0.3 of the newest, 0.7 of those before */
	double loss_s;              /* what staying has cost since the contract was broken */
	bool broken;
};

/* A look at a run. */
struct ft_plan_progress {
	double seconds, rate; /* since the last look, and how fast */
	double other_rate;    /* best other place: the lesser of predicted and recent there; 0: none */
	double remaining;     /* work */
	double cost_s;        /* of a move: checkpoint, transfer, restart */
};

struct ft_plan_revision {
	bool move, broken;
	double loss_s, stay_s, move_s; /* stay_s, move_s: until done, at the rates as they are */
};

/* ft_plan_revise - one more look: move when staying has lost as much as a move costs, and moving ends sooner.
 * After a move the contract is made again.
 *
 * Who stays until the loss is C, then moves, pays at most twice what one pays who knows how long the break
 * lasts, and no rule without that knowledge does better in the worst case (for one break, another place that
 * is as fast as believed, and looks that are short next to C; a break just before the end may cost C more,
 * for the recent rate is then still that from before).
 *
 * Returns FT_OK; FT_EINVAL: what is negative or NaN. Source: 002 chapter 1 (contracts of GrADS); Karlin et
 * al. 1988 (rent or buy); doc/plans.md.
 */
enum ft_status ft_plan_revise(struct ft_plan_contract *contract, const struct ft_plan_progress *now,
			      struct ft_plan_revision *out, struct ft_err *err);

FT_END_DECLS

#endif
