/* SPDX-License-Identifier: GPL-3.0-or-later */
/* divide.h - a total divided over processors by their models: costs (cost.h) for a plan (plan.h).
 *
 *	struct ft_divide question = {.total = 1000000, .group = group, .n = 2};
 *	struct ft_division answer = {0};
 *
 *	ft_divide_costs(&question, err);
 *	ft_divide_fastest(&question, &answer, err);
 *	... answer.share[i].units, answer.time_s ...
 *	ft_division_clear(&answer);
 *	ft_divide_clear(&question);
 */
#ifndef FORETIME_DIVIDE_H
#define FORETIME_DIVIDE_H

#include "foretime/cost.h"
#include "foretime/plan.h"

FT_BEGIN_DECLS

/* Processors that are alike: a program on a host. */
struct ft_divide_group {
	struct ft_answerer *answerer; /* borrowed */
	struct ft_size size;          /* of the parameters that are not divided */
	size_t varying;               /* the one that is */
	size_t count;                 /* processors, 1 or more */
	const char *host; /* groups of one host and one machine share its memory; NULL: where the runs are */
	/* What is stated of the host; 0: its memory is what the machine has, runs may be of any length,
	 * joules are those of models */
	double memory_bytes, limit_s, watts;
	/* Made of it: */
	struct ft_cost_options options; /* of its cost */
	struct ft_cost cost,
		energy; /* seconds; joules, once they were requested and where no watts are given */
};

struct ft_divide {
	int64_t total, step,
		least;      /* 1 .. 2^53; of each share: a multiple of step (0: 1), at least this much */
	double risk;        /* of all together to take longer than time_s, below 0.25; 0: typical runs */
	double memory_risk; /* as of struct ft_cost_options, and effort */
	uint64_t effort;
	bool apart; /* each processor keeps its part of the risk, independent of the others: for energy, grids
		     */
	struct ft_divide_group *group; /* [n] the caller's */
	size_t n;
};

struct ft_divide_share {
	size_t group;
	int64_t units;
	double time_s;           /* by its model, where the plan used a line; INFINITY: it will not do */
	enum ft_cost_end end;    /* why not */
	double energy_j;         /* NaN: not requested */
	struct ft_prediction at; /* 90 % of runs; value NaN: nothing to do, or not known */
	enum ft_plan_binds binds;
};

/* Zero-initialise; ends with ft_division_clear. */
struct ft_division {
	struct ft_divide_share *share; /* [p] in the order of the groups */
	size_t p;
	struct ft_partition found;        /* the fastest; its value INFINITY: there is none, shares are 0 */
	struct ft_partition_energy cheap; /* of least energy, where that was requested */
	double risk;    /* of each processor that has a share, to take longer than time_s; 0: typical runs */
	double time_s;  /* when the last one is done; INFINITY: some share will not do */
	double equal_s; /* the same of equal shares; INFINITY: they do not fit */
};

/* ft_divide_risk - the risk of each of n, independent, where that of all together is requested. */
double ft_divide_risk(double risk, size_t n);

/* ft_divide_costs - what each group takes for each share, before any other call. out: of each group
 * options and cost, in place of those that there were; ends with ft_divide_clear.
 *
 * The risk is ft_divide_risk of all processors, FT_COST_RAREST at least. Returns what ft_cost_make does, the
 * program before it in the text. */
enum ft_status ft_divide_costs(struct ft_divide *divide, struct ft_err *err);
void ft_divide_clear(struct ft_divide *divide); /* accepts NULL, and twice; groups stay the caller's */

/* ft_divide_times - what one processor of a group takes, with its least share. Borrowed from its cost. */
struct ft_plan_times ft_divide_times(const struct ft_divide *divide, size_t group);

/* ft_divide_fastest - shares such that the last processor ends as early as possible; with a risk, but for
 * that (ft_plan_partition_late), unless the processors stay apart, a model is too rough, or the risk is below
 * FT_COST_RAREST.
 *
 * out  in: zeroed, or of an earlier question
 *
 * Returns what ft_plan_partition does. Cost: costs at typical runs once more, with a risk; two predictions
 * for each share. */
enum ft_status ft_divide_fastest(struct ft_divide *divide, struct ft_division *out, struct ft_err *err);

/* ft_divide_cheapest - of the answer of ft_divide_fastest the shares are replaced by those of least energy
 * that end by a deadline (INFINITY: none). Where there are none within the effort of
 * ft_plan_partition_energy, cheap.plan.value is INFINITY and shares stay.
 *
 * Returns FT_OK; FT_EINVAL: the total is no multiple of the step, or of more than a million steps;
 * FT_ENOENT: a group has neither watts nor a model of joules; what ft_cost_make returns. Memory: two
 * doubles a step and group. */
enum ft_status ft_divide_cheapest(struct ft_divide *divide, double deadline_s, struct ft_division *out,
				  struct ft_err *err);

/* ft_divide_front - time against energy, as ft_plan_front (most: 0: all points), and the shares of its knee;
 * units are steps. Where front->n is 0 shares stay. Returns as above. */
enum ft_status ft_divide_front(struct ft_divide *divide, size_t most, struct ft_plan_front *front,
			       struct ft_division *out, struct ft_err *err);

/* ft_divide_grid - the total is a grid of blocks, step units each: a rectangle for each processor, and shares
 * as large; least shares and risks apart. Where there is none grid->plan.value is INFINITY and shares stay.
 * tile: [p] out. Returns as ft_plan_grid; FT_EINVAL: rows x columns blocks are not the total. */
enum ft_status ft_divide_grid(struct ft_divide *divide, int64_t rows, int64_t columns,
			      struct ft_plan_tile *tile, struct ft_grid *grid, struct ft_division *out,
			      struct ft_err *err);
void ft_division_clear(struct ft_division *division); /* accepts NULL, and twice */

FT_END_DECLS
#endif
