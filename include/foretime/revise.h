/* SPDX-License-Identifier: GPL-3.0-or-later */
/* revise.h - stay or move: what runs by a plan, and is slower than was planned.
 *
 *	ft_plan_runner(&runner[i], "node1", units, time_s, NAN, err);
 *	ft_plan_look(runner, n, i, seconds, done, cost_s, err);
 *	... runner[i].last.move ...
 */
#ifndef FORETIME_REVISE_H
#define FORETIME_REVISE_H

#include "foretime/status.h"

#include <stdbool.h>

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

/* ft_plan_contract - a contract that is kept so far. FT_EINVAL: a rate that is not positive, a tolerance
 * below 0. */
enum ft_status ft_plan_contract(struct ft_plan_contract *out, double promised, double tolerance,
				struct ft_err *err);

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

FT_END_DECLS
#endif
