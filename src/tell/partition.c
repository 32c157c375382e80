/* SPDX-License-Identifier: GPL-3.0-or-later */
/* partition.c - what `foretime plan partition` tells. */
#include "base/alloc.h"
#include "base/text.h"
#include "tell/plan.h"

#include <math.h>

/* ---- there is none ------------------------------------------------------------------------------------ */

#define HERE "where its runs are"

#define CAP struct ft_told_cap
static const struct ft_tell_row cap_rows[] = {
	{FT_TELL(CAP, name), .about = "of the program"},
	{FT_TELL(CAP, host), .null = HERE},
	{FT_TELL(CAP, most)},
	{FT_TELL_BY(WORD, "reason", CAP, end), .word = ft_cost_end_text},
	{0},
};
static const struct ft_tell_record caps = {.bytes = sizeof(CAP), .row = cap_rows};

#define UNDIVIDED struct ft_told_undivided
static const struct ft_tell_row undivided_rows[] = {
	{FT_TELL(UNDIVIDED, missing), .about = "unless feasible: units that do not fit; below 0: units by "
					       "which minimum shares exceed the total"},
	{FT_TELL(UNDIVIDED, nearest), .about = "unless feasible: a larger total that can be divided",
	 .null = "none, or not known"},
	{FT_TELL_MANY(LIST, "caps", UNDIVIDED, cap, n, &caps),
	 .about = "unless feasible: what each processor takes at most"},
	{0},
};
static const struct ft_tell_record undivided = {.row = undivided_rows};

/* ---- shares ------------------------------------------------------------------------------------------- */

static char *knee_cell(const void *record, const struct ft_tell_with *with)
{
	(void)with;
	return ft_strdup(((const struct ft_told_point *)record)->knee ? "the knee: below it speed is dear"
								      : "");
}

#define POINT struct ft_told_point
static const struct ft_tell_row point_rows[] = {
	{FT_TELL(POINT, time_s), .head = ">time", .unit = "s"},
	{FT_TELL(POINT, energy_j), .head = ">energy", .unit = "J"},
	{FT_TELL_AS(NULL, POINT, knee), .head = "", .cell = knee_cell},
	{0},
};
const struct ft_tell_record ft_tell_point = {.bytes = sizeof(POINT), .row = point_rows};

static const char *basis_word(const void *at)
{
	const struct ft_told_share *share = at;

	return share->units ? ft_basis_text(share->at.basis) : NULL;
}

/* What keeps it from more. */
static const char *binds_words(const void *at)
{
	const struct ft_told_share *share = at;

	switch (share->binds) {
	case FT_BINDS_NOT:
		return "";
	case FT_BINDS_TIME:
		return "time";
	case FT_BINDS_LEAST:
		return "least share";
	case FT_BINDS_CAP:
		return share->end == FT_COST_NONE ? "all of it" : ft_cost_end_text(share->end);
	}
	return "";
}

static char *interval_cell(const void *record, const struct ft_tell_with *with)
{
	const struct ft_told_share *share = record;

	(void)with;
	return share->units ? ft_tell_interval(&share->at, "s") : ft_strdup("-");
}

static char *beyond_cell(const void *record, const struct ft_tell_with *with)
{
	const struct ft_told_share *share = record;
	char far[FT_TELL_FAR];
	struct ft_text text = {0};

	(void)with;
	ft_text_add(&text, "%s", "");
	if (share->units && share->at.distance > 1)
		ft_text_add(&text, "%s beyond", ft_tell_far(share->at.distance, far));
	return ft_text_take(&text);
}

#define SHARE struct ft_told_share
static const struct ft_tell_row share_rows[] = {
	{FT_TELL(SHARE, processor), .head = "processor", .csv = true},
	{FT_TELL(SHARE, name), .about = "of the program", .csv = true},
	{FT_TELL(SHARE, host), .null = HERE, .none = "", .csv = true},
	{FT_TELL_AS(NULL, SHARE, size), .head = ""},
	{FT_TELL(SHARE, units)},
	{FT_TELL(SHARE, share), .about = "of the total", .head = ">share", .unit = "%"},
	{FT_TELL(SHARE, time_s), .head = ">time", .unit = "s", .csv = true},
	{FT_TELL_AS("lower_s", SHARE, at.lower), .about = "start of the 90 % prediction interval",
	 .null = "it is idle, or that is not known", .head = ">90 % of runs", .cell = interval_cell},
	{FT_TELL_AS("upper_s", SHARE, at.upper), .about = "its end", .null = "as lower_s"},
	{FT_TELL(SHARE, energy_j), .null = "not requested", .head = ">energy", .unit = "J", .none = ""},
	{FT_TELL_WHOLE(SAID, "basis"), .say = basis_word, .words = FT_TELL_BASES, .null = "it is idle",
	 .head = "basis", .none = "idle"},
	{FT_TELL_AS("distance", SHARE, at.distance),
	 .about = "extrapolation: size divided by the measured range; 1 inside", .head = "",
	 .cell = beyond_cell},
	{FT_TELL_WHOLE(SAID, "binds"), .say = binds_words, .about = "what keeps it from more; empty: nothing",
	 .head = "no more for"},
	{FT_TELL(SHARE, rough), .about = "planned with the upper end"},
	{FT_TELL(SHARE, most), .about = "the largest share that it can take"},
	{0},
};
const struct ft_tell_record ft_tell_share = {.bytes = sizeof(SHARE), .row = share_rows};

#define LAST "when the last one is done"

#define SHARES struct ft_told_shares
static const struct ft_tell_row shares_rows[] = {
	{FT_TELL(SHARES, time_s), .about = LAST},
	{FT_TELL(SHARES, equal_s), .about = "the same with equal shares", .null = "they do not fit"},
	{FT_TELL_BY(PERHAPS, NULL, SHARES, seconds), .of = &ft_tell_plan_seconds},
	{FT_TELL_BY(PERHAPS, NULL, SHARES, joules), .of = &ft_tell_plan_joules},
	{FT_TELL_BY(RECORD, "price", SHARES, price), .of = &ft_tell_price, .about = "of energy",
	 .null = "not stated"},
	{FT_TELL_BY(ROWS, NULL, SHARES, cost), .of = &ft_tell_cost},
	{FT_TELL(SHARES, lines_within), .about = "how far lines between sizes are off the models, a share"},
	{FT_TELL(SHARES, risk), .about = "of taking longer", .null = "planned with typical runs"},
	{FT_TELL(SHARES, risk_each), .about = "of a share's time_s", .null = "planned with typical runs"},
	{FT_TELL_MANY(LIST, "front", SHARES, point, n_points, &ft_tell_point),
	 .about = "the Pareto-optimal plans; empty without --least both"},
	{FT_TELL_MANY(LIST, "shares", SHARES, share, n, &ft_tell_share),
	 .about = "in the order of the hosts"},
	{0},
};
static const struct ft_tell_record shares = {.row = shares_rows};

/* ---- live --------------------------------------------------------------------------------------------- */

#define LAP struct ft_told_lap
static const struct ft_tell_row lap_rows[] = {
	{FT_TELL(LAP, time_s), .about = "when the last one was done"},
	{FT_TELL(LAP, expected_s), .null = "nothing was known"},
	{FT_TELL(LAP, even), .about = "the longest time over the shortest"},
	{0},
};
static const struct ft_tell_record lap = {.bytes = sizeof(LAP), .row = lap_rows};

#define PART struct ft_told_part
static const struct ft_tell_row part_rows[] = {
	{FT_TELL(PART, processor), .head = "processor", .csv = true},
	{FT_TELL(PART, units), .head = ">units", .csv = true},
	{FT_TELL(PART, share), .about = "of the total", .head = ">share", .unit = "%"},
	{FT_TELL(PART, time_s), .about = "as measured", .null = "it is idle", .head = ">time", .unit = "s",
	 .csv = true},
	{0},
};
const struct ft_tell_record ft_tell_part = {.bytes = sizeof(PART), .row = part_rows};

#define LIVE struct ft_told_live
static const struct ft_tell_row live_rows[] = {
	{FT_TELL(LIVE, parameter), .about = "what is divided"},
	{FT_TELL(LIVE, total)},
	{FT_TELL(LIVE, settled), .about = "the next division would gain less than the noise of runs"},
	{FT_TELL(LIVE, time_s), .about = "of the best division that ran"},
	{FT_TELL(LIVE, gain), .about = "of the next division", .null = "some processor was never seen"},
	{FT_TELL(LIVE, spread), .about = "of runs of one share, as a share"},
	{FT_TELL_MANY(LIST, "laps", LIVE, lap, laps, &lap), .about = "runs of all at once, made now"},
	{FT_TELL_MANY(LIST, "shares", LIVE, part, parts, &ft_tell_part), .about = "of the best division"},
	{0},
};
const struct ft_tell_record ft_tell_live = {.name = "plan", .action = "live", .version = 1, .row = live_rows};

/* ---- a grid ------------------------------------------------------------------------------------------- */

#define TILE struct ft_told_tile
static const struct ft_tell_row tile_rows[] = {
	{FT_TELL(TILE, processor), .head = "processor"},
	{FT_TELL_AS(NULL, TILE, tile.row), .head = ">row"},
	{FT_TELL_AS("column", TILE, tile.column), .head = ">column"},
	{FT_TELL_AS("row", TILE, tile.row)},
	{FT_TELL_AS(NULL, TILE, tile.height), .head = ">height"},
	{FT_TELL_AS("width", TILE, tile.width), .head = ">width"},
	{FT_TELL_AS("height", TILE, tile.height)},
	{FT_TELL(TILE, units), .head = ">units"},
	{FT_TELL(TILE, time_s), .head = ">time", .unit = "s"},
	{0},
};
const struct ft_tell_record ft_tell_tile = {.bytes = sizeof(TILE), .row = tile_rows};

#define GRID struct ft_told_grid
static const struct ft_tell_row grid_rows[] = {
	{FT_TELL_AS("time_s", GRID, plan.value), .about = LAST},
	{FT_TELL_BY(ROWS, NULL, GRID, plan), .of = &ft_tell_plan_seconds},
	{FT_TELL_MANY(LIST, "tiles", GRID, tile, n, &ft_tell_tile), .about = "with --grid: in blocks"},
	{0},
};
static const struct ft_tell_record grid = {.row = grid_rows};

#define PARTITION struct ft_told_partition
static const struct ft_tell_row rows[] = {
	{FT_TELL(PARTITION, parameter), .about = "what is divided"},
	{FT_TELL(PARTITION, total)},
	{FT_TELL(PARTITION, feasible), .about = "there is a plan"},
	{FT_TELL_BY(PERHAPS, NULL, PARTITION, undivided), .of = &undivided},
	{FT_TELL_BY(PERHAPS, NULL, PARTITION, shares), .of = &shares},
	{FT_TELL_BY(PERHAPS, NULL, PARTITION, grid), .of = &grid},
	{0},
};
const struct ft_tell_record ft_tell_partition = {
	.name = "plan", .action = "partition", .version = 1, .row = rows};
