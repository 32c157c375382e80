/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan.h - what `foretime plan` tells: an answer for each action. Texts and lists are borrowed. */
#ifndef FT_TELL_PLAN_H
#define FT_TELL_PLAN_H

#include "foretime/cost.h"
#include "foretime/topology.h"
#include "tell/model.h"
#include "tell/price.h"

/* ---- partition ---------------------------------------------------------------------------------------- */

/* Why there is no division, and what a processor takes at most. */
struct ft_told_cap {
	const char *name, *host; /* of the program; NULL: where its runs are */
	int64_t most;
	enum ft_cost_end end;
};

struct ft_told_undivided {
	int64_t missing, nearest; /* as of struct ft_partition */
	const struct ft_told_cap *cap;
	size_t n;
};

struct ft_told_point {
	double time_s, energy_j;
	bool knee;
};
extern const struct ft_tell_record ft_tell_point;

/* What one processor does. */
struct ft_told_share {
	const char *processor, *name, *host; /* as it is called; program; NULL: where its runs are */
	struct ft_size size; /* the units, for columns: with->program has the parameter that is divided */
	int64_t units, most; /* most: that it can take, and `end` why no more */
	double share, time_s, energy_j; /* energy_j NaN: not asked for */
	struct ft_prediction at;        /* lower NaN: none */
	enum ft_plan_binds binds;
	enum ft_cost_end end;
	bool rough;
};
extern const struct ft_tell_record ft_tell_share;

struct ft_told_shares {
	double time_s, equal_s; /* of the answer; of equal shares, INFINITY: they do not fit */
	const struct ft_plan *seconds, *joules; /* one of them is NULL */
	struct ft_told_price price;
	struct ft_told_cost cost;
	double lines_within, risk, risk_each; /* risks NaN: typical runs */
	const struct ft_told_point *point;
	size_t n_points;
	const struct ft_told_share *share;
	size_t n;
};

/* A rectangle of blocks. */
struct ft_told_tile {
	const char *processor;
	struct ft_plan_tile tile;
	int64_t units;
	double time_s;
};
extern const struct ft_tell_record ft_tell_tile;

struct ft_told_grid {
	struct ft_plan plan;
	const struct ft_told_tile *tile;
	size_t n;
};

struct ft_told_partition {
	const char *parameter;
	int64_t total;
	bool feasible;
	/* one of them */
	const struct ft_told_undivided *undivided;
	const struct ft_told_shares *shares;
	const struct ft_told_grid *grid;
};
extern const struct ft_tell_record ft_tell_partition;

/* ---- partition --live --------------------------------------------------------------------------------- */

/* One run of all at once. */
struct ft_told_lap {
	double time_s, expected_s,
		even; /* expected_s NaN: nothing was known; the longest over the shortest */
};

struct ft_told_part {
	const char *processor;
	int64_t units;
	double share, time_s;
};
extern const struct ft_tell_record ft_tell_part;

struct ft_told_live {
	const char *parameter;
	int64_t total;
	double time_s, gain, spread; /* of the best division that ran; of the next one; gain NaN: not known */
	bool settled;
	const struct ft_told_lap *lap;
	size_t laps;
	const struct ft_told_part *part; /* of the best one */
	size_t parts;
};
extern const struct ft_tell_record ft_tell_live;

/* ---- rank --------------------------------------------------------------------------------------------- */

struct ft_told_rank {
	const char *name, *host;         /* of what is asked; by whose models */
	const char *machine, *partition; /* the name once more, as what it is; the other is NULL */
	enum ft_plan_rank_why why;
	enum ft_cost_end end;             /* why it does not fit */
	bool good, alike, tied;           /* it will do; as the best one; and it is not that alone */
	double wait_s, time_s, done_s;    /* NaN: it does not fit */
	double end_s, first, before_best; /* first, before_best NaN: it will not do */
	struct ft_prediction at;
};
extern const struct ft_tell_record ft_tell_rank;

/* ft_tell_rank_why - why it will not do, or that it cannot be told from the best; "". */
const char *ft_tell_rank_why(const struct ft_told_rank *rank);

struct ft_told_ranks {
	const struct ft_told_rank *rank;
	size_t n;
};
extern const struct ft_tell_record ft_tell_ranks;

/* ---- map ---------------------------------------------------------------------------------------------- */

struct ft_told_mapped {
	const char *task, *machine;
	double time_s, energy_j; /* energy_j NaN: not asked for */
};
extern const struct ft_tell_record ft_tell_mapped;

struct ft_told_load {
	const char *machine, *first; /* the first of its tasks */
	double load_s, energy_j;     /* energy_j as above */
	size_t tasks;
};
extern const struct ft_tell_record ft_tell_load;

struct ft_told_map {
	double time_s;
	const struct ft_plan *seconds, *joules; /* one of them is NULL */
	struct ft_told_price price;
	struct ft_told_cost cost;
	const struct ft_told_mapped *task;
	const struct ft_told_load *machine;
	size_t n, m;
};
extern const struct ft_tell_record ft_tell_map;

/* ---- schedule ----------------------------------------------------------------------------------------- */

struct ft_told_slot {
	const char *task, *machine;
	double start_s, end_s;
	double stage;   /* of a module; NaN: it has none */
	char letter[2]; /* of its bar in the chart */
};
extern const struct ft_tell_record ft_tell_slot, ft_tell_module; /* the latter: columns of modules */

struct ft_told_schedule {
	const char *mode;
	struct ft_plan plan;
	double heft_s;                        /* NaN: not by dag */
	const struct ft_topology_plan *costs; /* NULL: by dag */
	const struct ft_told_slot *slot;
	size_t n;
};
extern const struct ft_tell_record ft_tell_schedule;

/* ---- revise ------------------------------------------------------------------------------------------- */

struct ft_told_revision {
	const char *processor;
	bool looked, move, broken;
	double done, units, loss_s, cost_s; /* cost_s: of a move */
	double stay_s, move_s;              /* NaN: nothing was seen of it, or there is no other */
};
extern const struct ft_tell_record ft_tell_revision;

struct ft_told_revisions {
	bool move;
	const struct ft_told_revision *revision;
	size_t n;
};
extern const struct ft_tell_record ft_tell_revise;

/* Of every plan: ROWS of a struct ft_plan. */
extern const struct ft_tell_record ft_tell_plan_seconds, ft_tell_plan_joules;

#endif
