/* SPDX-License-Identifier: GPL-3.0-or-later */
/* door.h - what other rooms and commands use of plan beyond its interface.
 *
 *	ft_plan_runner(&runner[i], "node1", units, time_s, NAN, err);
 *	ft_plan_look(runner, n, i, seconds, done, cost_s, err);
 *	... runner[i].last.move ...
 */
#ifndef FT_PLAN_DOOR_H
#define FT_PLAN_DOOR_H

#include "foretime/base.h"
#include "foretime/plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- times that are known but for their errors --------------------------------------------------------- */

struct ft_partition_late {
	struct ft_plan plan; /* value: what all have ended by, but for the risk. exact only where both meet */
	double before_s;     /* the same of the division that was given */
};

/* ft_plan_partition_late - shares such that what all have ended by, but for a risk, is as early as possible.
 *
 * typical  [groups] of knots: half of the runs take longer
 * late     [groups] of the same processors: a share `each` of runs takes longer
 * risk     0 .. 0.5, of all together
 * units    [processors] in: a division of the total, as ft_plan_partition of `late` with each = 1 - (1 -
 *          risk)^(1/p) has it, which is within some percent already; out: one that is no worse
 *
 * Times are taken to be independent, and log-normal. What is common to all (one model that is off by a
 * factor) is not in it. The bound: no processor by itself is later than that with a chance above the risk.
 *
 * Returns FT_OK; FT_EINVAL: risks that are none, times without knots, and what ft_plan_partition finds;
 * FT_ENOMEM. Cost O(p log total) looks at times, and p for each block that is moved.
 * Source: doc/plans.md. */
enum ft_status ft_plan_partition_late(const struct ft_plan_times *typical, const struct ft_plan_times *late,
				      double each, size_t groups, int64_t total,
				      const struct ft_partition_options *options, double risk, int64_t *units,
				      struct ft_partition_late *out, struct ft_err *err);

/* ---- times that are not known yet ---------------------------------------------------------------------- */

/* A total over processors of which nothing is known: divide, run, divide again.
 *
 *	ft_plan_refine_new(&refine, p, total, NULL, err);
 *	while (!ft_plan_refine_next(refine, units, &now, err) && !now.settled)
 *		... run all at once, measure each ... ft_plan_refine_ran(refine, units, seconds, err);
 */
struct ft_plan_refine;

struct ft_plan_refined {
	double expected_s; /* of this division; NaN: nothing is known */
	double best_s;     /* the least that was measured; INFINITY: none */
	double gain;       /* 1 - expected / best; NaN: some processor was never seen */
	double spread;     /* of ln seconds among runs of one share, or nearly; 0.02 where there are none */
	double even;       /* of the newest run: the longest over the shortest time; INFINITY: none */
	bool settled;      /* the gain is below the spread, all end together, or this is the best that ran */
};

/* ft_plan_refine_new - out: heap, ends with ft_plan_refine_free. options: copied; may be NULL. FT_EINVAL: no
 * processor, a total or a granularity that is none; FT_ENOMEM. */
enum ft_status ft_plan_refine_new(struct ft_plan_refine **out, size_t p, int64_t total,
				  const struct ft_partition_options *options, struct ft_err *err);
void ft_plan_refine_free(struct ft_plan_refine *refine); /* accepts NULL */

/* ft_plan_refine_see - a processor took this long for a share, whenever that was. FT_EINVAL: a share below 1,
 * or a time that is not above 0. */
enum ft_status ft_plan_refine_see(struct ft_plan_refine *refine, size_t processor, int64_t units,
				  double seconds, struct ft_err *err);

/* ft_plan_refine_ran - all ran a division at once: the same for each share above 0, and its makespan counts.
 * units, seconds [p] */
enum ft_status ft_plan_refine_ran(struct ft_plan_refine *refine, const int64_t *units, const double *seconds,
				  struct ft_err *err);

/* ft_plan_refine_next - the division to run next; equal shares where no value is known. units [p] out.
 *
 * Between shares that were measured times follow a power of the share, beyond them the power of the last two,
 * between 0.3 and 3 (1 where they are close); the division of these times is exact (ft_plan_partition).
 * Returns what that does; FT_EINVAL: there is no such division. Cost: some hundred knots a processor. Source:
 * partial functional models (Lastovetsky, Reddy 2007), with powers in place of lines; doc/plans.md. */
enum ft_status ft_plan_refine_next(struct ft_plan_refine *refine, int64_t *units, struct ft_plan_refined *out,
				   struct ft_err *err);

/* ft_plan_refine_best - [p] the best shares that ran; NULL: none did. Borrowed. */
const int64_t *ft_plan_refine_best(const struct ft_plan_refine *refine);

/* ---- jobs on one machine, whose memory rises while they run ------------------------------------------------ */

/* What a job holds: bytes[s] from from_s[s] seconds after its start on, the last one to its end. */
struct ft_plan_rising {
	const double *from_s, *bytes; /* [n] from 0, ascending; n at least 1 */
	size_t n;
	double time_s, cpus;
};

/* ft_plan_overlap - when jobs start, so that the last one ends as early as possible, and the steps of those that run
 * at a time never exceed the memory, nor their processors those there are.
 *
 * search   effort: pieces of the memory over time to look at, 0: 1e7, a tenth of a second
 * start_s  [n] out; where some jobs never fit there is no plan, and these are INFINITY
 * peaks_s  out: the makespan if each job holds its largest step throughout; no less than that of the plan
 *
 * The bound: the longest job, and memory and processors times time.
 *
 * Returns FT_OK; FT_EINVAL: steps that do not rise (the job in the text); FT_ENOMEM. Memory O(steps). */
enum ft_status ft_plan_overlap(const struct ft_plan_rising *job, size_t n, double bytes, double cpus,
			       const struct ft_plan_search *how, double *start_s, struct ft_plan *out,
			       double *peaks_s, struct ft_err *err);

/* ---- independent tasks over machines ------------------------------------------------------------------- */

/* ---- graphs of tasks over machines --------------------------------------------------------------------- */

/* ft_plan_free_from - the earliest start, from from_s on, of what takes time_s on a machine. FT_EINVAL: times
 * that are none; FT_ENOMEM. Cost O(n^2). */
enum ft_status ft_plan_free_from(const struct ft_plan_reserved *reserved, size_t n, size_t machine,
				 double from_s, double time_s, double *start_s, struct ft_err *err);

/* ft_plan_cycle - tasks that wait for each other.
 *
 * cycle   [n] out: one of the cycles, each task before the next, the last before the first
 * length  out: 0 where there is none
 *
 * Returns FT_OK; FT_EINVAL: an edge to no task; FT_ENOMEM. Cost O(n + e).
 */
enum ft_status ft_plan_cycle(const struct ft_plan_edge *edge, size_t edges, size_t n, size_t *cycle,
			     size_t *length, struct ft_err *err);

/* ft_plan_waits - what each task waits for where a schedule's order is kept and its times are not: those
 * before it in the graph, as the edges stand, then the one before it on its machine.
 *
 * m      machines; order [n] of ft_plan_order
 * after  [edges + n] out: of task i those from after[from[i]] to before after[from[i + 1]]
 * from   [n + 1] out
 *
 * Returns FT_OK; FT_ENOMEM. Cost O(n + m + edges). */
enum ft_status ft_plan_waits(const struct ft_plan_edge *edge, size_t edges, const struct ft_plan_slot *slot,
			     const size_t *order, size_t n, size_t m, size_t *after, size_t *from,
			     struct ft_err *err);

/* ft_topology_stages - stages as struct ft_topology has them, of what they are called: numbers from 0 on, in
 * the order of the names. name: [modules] finite; stage: [modules] out. Returns FT_OK; FT_ENOMEM. Cost O(n
 * log n).
 */
enum ft_status ft_topology_stages(const double *name, size_t modules, size_t *stage, struct ft_err *err);

/* ft_plan_contract - a contract that is kept so far. FT_EINVAL: a rate that is not positive, a tolerance
 * below 0. */
enum ft_status ft_plan_contract(struct ft_plan_contract *out, double promised, double tolerance,
				struct ft_err *err);

/* A processor at its share. */
struct ft_plan_runner {
	const char *label;  /* for texts; borrowed */
	double units, done; /* its share, and what was done by the last look */
	double seen_s;      /* of the last look, since it began */
	double cost_s;      /* of a move then */
	bool looked;
	struct ft_plan_contract contract;
	struct ft_plan_revision last;
};

/* ft_plan_runner - before it begins: this many units were planned to take time_s. upper_s: what few runs are
 * above, which is no breach; not above time_s, or NaN: not known, a tenth more is none. FT_EINVAL: units or a
 * time that are not above 0. */
enum ft_status ft_plan_runner(struct ft_plan_runner *out, const char *label, double units, double time_s,
			      double upper_s, struct ft_err *err);

/* ft_plan_look - one more look at one of those who run at once, from the same moment on (ft_plan_revise):
 * this many units are done after this many seconds. What has ended is looked at no more.
 *
 * runner  [n] of a plan; own: the one that is looked at
 * cost_s  of a move by itself
 *
 * The other place is where the rest would end first: that one does its own share before, which is part of a
 * move's cost, and goes no faster than predicted, nor than it went. Returns as ft_plan_revise;
 * FT_EINVAL: seconds that do not ascend, units that fall. Cost O(n). */
enum ft_status ft_plan_look(struct ft_plan_runner *runner, size_t n, size_t own, double seconds, double done,
			    double cost_s, struct ft_err *err);

#endif
