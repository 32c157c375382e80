/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan.c - the output of `foretime plan`: machines in order, tasks on machines, stay or move. */
#include "base/alloc.h"
#include "base/text.h"
#include "foretime/base.h"
#include "tell/answers.h"

#include <math.h>

/*
 * The output of `foretime plan partition`.
 */

/* ---- there is none ------------------------------------------------------------------------------------ */

#define HERE "where its runs are"

#define CAP struct ft_answer_cap
static const struct ft_tell_row cap_rows[] = {
	{FT_TELL(CAP, name), .about = "of the program"},
	{FT_TELL(CAP, host), .null = HERE},
	{FT_TELL(CAP, most)},
	{FT_TELL_BY(WORD, "reason", CAP, end), .word = ft_cost_end_text},
	{0},
};
static const struct ft_tell_record caps = {.bytes = sizeof(CAP), .row = cap_rows};

#define UNDIVIDED struct ft_answer_undivided
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
	return ft_strdup(((const struct ft_answer_point *)record)->knee ? "the knee: below it speed is dear"
									: "");
}

#define POINT struct ft_answer_point
static const struct ft_tell_row point_rows[] = {
	{FT_TELL(POINT, time_s), .head = ">time", .unit = "s"},
	{FT_TELL(POINT, energy_j), .head = ">energy", .unit = "J"},
	{FT_TELL_AS(NULL, POINT, knee), .head = "", .cell = knee_cell},
	{0},
};
const struct ft_tell_record ft_tell_point = {.bytes = sizeof(POINT), .row = point_rows};

static const char *basis_word(const void *at)
{
	const struct ft_answer_share *share = at;

	return share->units ? ft_basis_text(share->at.basis) : NULL;
}

/* The limits that prevent a larger share. */
static const char *binds_words(const void *at)
{
	const struct ft_answer_share *share = at;

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

static char *partition_interval_cell(const void *record, const struct ft_tell_with *with)
{
	const struct ft_answer_share *share = record;

	(void)with;
	return share->units ? ft_tell_interval(&share->at, "s") : ft_strdup("-");
}

static char *beyond_cell(const void *record, const struct ft_tell_with *with)
{
	const struct ft_answer_share *share = record;
	char far[FT_TELL_FAR];
	struct ft_text text = {0};

	(void)with;
	ft_text_add(&text, "%s", "");
	if (share->units && share->at.distance > 1)
		ft_text_add(&text, "%s beyond", ft_tell_far(share->at.distance, far));
	return ft_text_take(&text);
}

/*
 * The output of `foretime plan`: machines in order, tasks on machines, stay or move.
 */

#define SHARE struct ft_answer_share
static const struct ft_tell_row share_rows[] = {
	{FT_TELL(SHARE, processor), .head = "processor", .csv = true},
	{FT_TELL(SHARE, name), .about = "of the program", .csv = true},
	{FT_TELL(SHARE, host), .null = HERE, .none = "", .csv = true},
	{FT_TELL_AS(NULL, SHARE, size), .head = ""},
	{FT_TELL(SHARE, units)},
	{FT_TELL(SHARE, share), .about = "of the total", .head = ">share", .unit = "%"},
	{FT_TELL(SHARE, time_s), .head = ">time", .unit = "s", .csv = true},
	{FT_TELL_AS("lower_s", SHARE, at.lower), .about = "start of the 90 % prediction interval",
	 .null = "it is idle, or that is not known", .head = ">90 % of runs",
	 .cell = partition_interval_cell},
	{FT_TELL_AS("upper_s", SHARE, at.upper), .about = "its end", .null = "as lower_s"},
	{FT_TELL(SHARE, energy_j), .null = "not requested", .head = ">energy", .unit = "J", .none = ""},
	{FT_TELL_WHOLE(SAID, "basis"), .say = basis_word, .words = FT_TELL_BASES, .null = "it is idle",
	 .head = "basis", .none = "idle"},
	{FT_TELL_AS("distance", SHARE, at.distance),
	 .about = "extrapolation: size divided by the measured range; 1 inside", .head = "",
	 .cell = beyond_cell},
	{FT_TELL_WHOLE(SAID, "binds"), .say = binds_words, .about = "what keeps it from more; empty: nothing",
	 .head = "no more for"},
	{FT_TELL_AS("uneven", SHARE, rough), .about = "planned with the upper end"},
	{FT_TELL(SHARE, most), .about = "the largest share that it can take"},
	{0},
};
const struct ft_tell_record ft_tell_share = {.bytes = sizeof(SHARE), .row = share_rows};

#define LAST "when the last one is done"

#define SHARES struct ft_answer_shares
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

#define LAP struct ft_answer_lap
static const struct ft_tell_row lap_rows[] = {
	{FT_TELL(LAP, time_s), .about = "when the last one was done"},
	{FT_TELL(LAP, expected_s), .null = "nothing was known"},
	{FT_TELL(LAP, even), .about = "the longest time over the shortest"},
	{0},
};
static const struct ft_tell_record lap = {.bytes = sizeof(LAP), .row = lap_rows};

#define PART struct ft_answer_part
static const struct ft_tell_row part_rows[] = {
	{FT_TELL(PART, processor), .head = "processor", .csv = true},
	{FT_TELL(PART, units), .head = ">units", .csv = true},
	{FT_TELL(PART, share), .about = "of the total", .head = ">share", .unit = "%"},
	{FT_TELL(PART, time_s), .about = "as measured", .null = "it is idle", .head = ">time", .unit = "s",
	 .csv = true},
	{0},
};
const struct ft_tell_record ft_tell_part = {.bytes = sizeof(PART), .row = part_rows};

#define LIVE struct ft_answer_live
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

#define PARTITION struct ft_answer_partition
static const struct ft_tell_row rows[] = {
	{FT_TELL(PARTITION, parameter), .about = "what is divided"},
	{FT_TELL(PARTITION, total)},
	{FT_TELL(PARTITION, feasible), .about = "there is a plan"},
	{FT_TELL_BY(PERHAPS, NULL, PARTITION, undivided), .of = &undivided},
	{FT_TELL_BY(PERHAPS, NULL, PARTITION, shares), .of = &shares},
	{0},
};
const struct ft_tell_record ft_tell_partition = {
	.name = "plan", .action = "partition", .version = 2, .row = rows};

/* ---- common to all plans
   ------------------------------------------------------------------------------------ */

static double gap(const void *at)
{
	const struct ft_plan *plan = at;

	return isfinite(plan->value) ? ft_plan_gap(plan) : (double)NAN;
}

#define PLAN struct ft_plan
static const struct ft_tell_row proof_rows[] = {
	{FT_TELL_WHOLE(GOT, "gap"), .get = gap, .about = "value / bound - 1; 0: exact",
	 .null = "nothing is known of a bound"},
	{FT_TELL(PLAN, exact), .about = "proved: no plan is better"},
	{FT_TELL_BY(LONG, "evaluations", PLAN, evaluations), .about = "costs that were looked at"},
	{0},
};
static const struct ft_tell_record proof = {.bytes = sizeof(PLAN), .row = proof_rows};

static const struct ft_tell_row seconds_rows[] = {
	{FT_TELL_AS("value_s", PLAN, value), .about = "what was made small, seconds"},
	{FT_TELL_AS("bound_s", PLAN, bound), .about = "no plan is below"},
	{FT_TELL_WHOLE(ROWS, NULL), .of = &proof},
	{0},
};
const struct ft_tell_record ft_tell_plan_seconds = {.bytes = sizeof(PLAN), .row = seconds_rows};

static const struct ft_tell_row joules_rows[] = {
	{FT_TELL_AS("value_j", PLAN, value), .about = "what was made small, joules"},
	{FT_TELL_AS("bound_j", PLAN, bound), .about = "no plan is below"},
	{FT_TELL_WHOLE(ROWS, NULL), .of = &proof},
	{0},
};
const struct ft_tell_record ft_tell_plan_joules = {.bytes = sizeof(PLAN), .row = joules_rows};

/* ---- rank --------------------------------------------------------------------------------------------- */

const char *ft_tell_rank_why(const struct ft_answer_rank *rank)
{
	if (rank->why == FT_RANK_LIMIT && rank->late)
		return "over the deadline";
	if (rank->why == FT_RANK_LIMIT)
		return "over the longest run that is let";
	if (rank->why == FT_RANK_NO_FIT)
		return rank->end == FT_COST_NONE ? "does not fit" : ft_cost_end_text(rank->end);
	return rank->tied ? "tied with the best" : "";
}

static char *wait_cell(const void *record, const struct ft_tell_with *with)
{
	const struct ft_answer_rank *rank = record;
	char wait[FT_UNIT_LENGTH];

	(void)with;
	return ft_strdup(rank->wait_s > 0 ? ft_value_format(rank->wait_s, "s", wait) : "");
}

static char *rank_cost_cell(const void *record, const struct ft_tell_with *with)
{
	const struct ft_answer_rank *rank = record;

	(void)with;
	return ft_tell_money(rank->why == FT_RANK_NO_FIT ? (double)NAN : rank->cost);
}

static char *interval_cell(const void *record, const struct ft_tell_with *with)
{
	const struct ft_answer_rank *rank = record;

	(void)with;
	return rank->why == FT_RANK_NO_FIT ? ft_strdup("-") : ft_tell_interval(&rank->at, "s");
}

static char *basis_cell(const void *record, const struct ft_tell_with *with)
{
	const struct ft_answer_rank *rank = record;

	(void)with;
	return ft_strdup(rank->why == FT_RANK_NO_FIT ? "" : ft_basis_text(rank->at.basis));
}

static char *why_cell(const void *record, const struct ft_tell_with *with)
{
	(void)with;
	return ft_strdup(ft_tell_rank_why(record));
}

static const char *refusal(const void *at)
{
	const struct ft_answer_rank *rank = at;

	return rank->good ? "" : ft_tell_rank_why(rank);
}

#define RANK struct ft_answer_rank
static const struct ft_tell_row rank_rows[] = {
	{FT_TELL(RANK, name), .about = "of the machine, or the partition"},
	{FT_TELL_AS(NULL, RANK, machine), .head = "machine", .none = ""},
	{FT_TELL_AS(NULL, RANK, partition), .head = "partition", .none = ""},
	{FT_TELL(RANK, host), .about = "by whose models"},
	{FT_TELL(RANK, good), .about = "it will do"},
	{FT_TELL_AS(NULL, RANK, done_s), .head = ">done in", .unit = "s"},
	{FT_TELL(RANK, wait_s), .null = "it never begins", .head = ">wait", .cell = wait_cell},
	{FT_TELL(RANK, time_s), .null = "it does not fit", .head = ">time", .unit = "s"},
	{FT_TELL(RANK, cost), .about = "of the time, in the currency of the price",
	 .null = "no price is known", .head = ">cost", .cell = rank_cost_cell},
	{FT_TELL_AS("upper_s", RANK, at.upper), .about = "95 % of runs take no longer",
	 .null = "that is not known", .head = ">90 % of runs", .cell = interval_cell},
	{FT_TELL(RANK, end_s), .about = "not passed but with the risk", .null = "it does not fit"},
	{FT_TELL(RANK, first), .about = "chance to be done before all others", .null = "it will not do",
	 .head = ">first", .unit = "%"},
	{FT_TELL(RANK, before_best), .about = "chance to be done before the one with the least end_s",
	 .null = "it will not do"},
	{FT_TELL_AS("tied", RANK, alike), .about = "statistically tied with the best one"},
	{FT_TELL_BY(SAID, NULL, RANK, at.basis), .head = "basis", .cell = basis_cell},
	{FT_TELL_WHOLE(SAID, "why"), .say = refusal, .about = "it will not do; empty: it will", .head = "",
	 .cell = why_cell},
	{0},
};
const struct ft_tell_record ft_tell_rank = {.bytes = sizeof(RANK), .row = rank_rows};

#define UNANSWERED struct ft_answer_unanswered
static const struct ft_tell_row unanswered_rows[] = {
	{FT_TELL(UNANSWERED, manager), .about = "its address"},
	{FT_TELL(UNANSWERED, why)},
	{FT_TELL(UNANSWERED, remedy), .null = "there is none to name"},
	{0},
};
static const struct ft_tell_record unanswered = {.bytes = sizeof(UNANSWERED), .row = unanswered_rows};

#define WITHOUT_ANSWER(type)                                                                                 \
	{                                                                                                    \
		FT_TELL_MANY(LIST, "unanswered", type, unanswered, n_unanswered, &unanswered),               \
			.about = "with --ask: managers without an answer"                                    \
	}

#define RANKS struct ft_answer_ranks
static const struct ft_tell_row ranks_rows[] = {
	{FT_TELL_MANY(LIST, "ranks", RANKS, rank, n, &ft_tell_rank),
	 .about = "in the order in which to ask them"},
	WITHOUT_ANSWER(RANKS),
	{0},
};
const struct ft_tell_record ft_tell_ranks = {
	.name = "plan", .action = "rank", .version = 2, .row = ranks_rows};

/* ---- map ---------------------------------------------------------------------------------------------- */

#define MAPPED struct ft_answer_mapped
static const struct ft_tell_row mapped_rows[] = {
	{FT_TELL(MAPPED, task), .csv = true},
	{FT_TELL(MAPPED, machine), .about = "the host, or one of its processors: node1/2", .csv = true},
	{FT_TELL(MAPPED, time_s), .csv = true},
	{0},
};
const struct ft_tell_record ft_tell_mapped = {.bytes = sizeof(MAPPED), .row = mapped_rows};

#define LOAD struct ft_answer_load
static const struct ft_tell_row load_rows[] = {
	{FT_TELL(LOAD, machine), .head = "machine"},
	{FT_TELL(LOAD, load_s), .about = "when it is done", .head = ">done in", .unit = "s"},
	{FT_TELL_AS(NULL, LOAD, tasks), .head = ">tasks"},
	{FT_TELL_AS(NULL, LOAD, first), .head = ""},
	{0},
};
const struct ft_tell_record ft_tell_load = {.bytes = sizeof(LOAD), .row = load_rows};

#define MAP struct ft_answer_map
static const struct ft_tell_row map_rows[] = {
	{FT_TELL(MAP, time_s), .about = "when the last one is done"},
	{FT_TELL_BY(PERHAPS, NULL, MAP, seconds), .of = &ft_tell_plan_seconds},
	{FT_TELL_MANY(LIST, "tasks", MAP, task, n, &ft_tell_mapped), .about = "in the order of the table"},
	{FT_TELL_MANY(LIST, "machines", MAP, machine, m, &ft_tell_load), .about = "in the order of --on"},
	WITHOUT_ANSWER(MAP),
	{0},
};
const struct ft_tell_record ft_tell_map = {.name = "plan", .action = "map", .version = 2, .row = map_rows};

/* ---- schedule ----------------------------------------------------------------------------------------- */

#define SLOT struct ft_answer_slot
static const struct ft_tell_row slot_rows[] = {
	{FT_TELL_AS(NULL, SLOT, letter), .head = ""},
	{FT_TELL(SLOT, task), .head = "task", .csv = true},
	{FT_TELL(SLOT, machine), .head = "machine", .csv = true},
	{FT_TELL(SLOT, start_s), .head = ">start", .unit = "s", .csv = true},
	{FT_TELL(SLOT, end_s), .head = ">end", .unit = "s", .csv = true},
	{FT_TELL(SLOT, stage), .absent = "not by hybrid", .about = "of the module, as it is numbered",
	 .csv = true},
	{0},
};
const struct ft_tell_record ft_tell_slot = {.bytes = sizeof(SLOT), .row = slot_rows};

static const struct ft_tell_row module_rows[] = {
	{FT_TELL_AS(NULL, SLOT, task), .head = "module"},
	{FT_TELL_AS(NULL, SLOT, stage), .head = ">stage", .none = ""},
	{FT_TELL_AS(NULL, SLOT, machine), .head = "machine"},
	{FT_TELL_AS(NULL, SLOT, end_s), .head = ">time", .unit = "s"},
	{0},
};
const struct ft_tell_record ft_tell_module = {.bytes = sizeof(SLOT), .row = module_rows};

#define COSTS struct ft_topology_plan
static const struct ft_tell_row costs_rows[] = {
	{FT_TELL(COSTS, sequential_s), .about = "of modules: T_s of the plan"},
	{FT_TELL(COSTS, printed_s), .about = "of modules: T_c as the document prints it"},
	{FT_TELL(COSTS, concurrent_s), .about = "of modules: T_c per machine"},
	{0},
};
static const struct ft_tell_record costs = {.row = costs_rows};

#define SCHEDULE struct ft_answer_schedule
static const struct ft_tell_row schedule_rows[] = {
	{FT_TELL(SCHEDULE, mode), .words = "dag|concurrent|sequential|hybrid"},
	{FT_TELL_AS("time_s", SCHEDULE, plan.value), .about = "when the last one is done"},
	{FT_TELL_BY(ROWS, NULL, SCHEDULE, plan), .of = &ft_tell_plan_seconds},
	{FT_TELL(SCHEDULE, heft_s), .about = "what HEFT finds", .null = "not by dag"},
	{FT_TELL_BY(PERHAPS, NULL, SCHEDULE, costs), .of = &costs},
	{FT_TELL_MANY(LIST, "slots", SCHEDULE, slot, n, &ft_tell_slot), .about = "in the order of the graph"},
	WITHOUT_ANSWER(SCHEDULE),
	{0},
};
const struct ft_tell_record ft_tell_schedule = {
	.name = "plan", .action = "schedule", .version = 1, .row = schedule_rows};

/* ---- revise ------------------------------------------------------------------------------------------- */

static const char *revision_why(const void *at)
{
	const struct ft_answer_revision *r = at;

	if (!r->looked)
		return "nothing was seen of it";
	if (r->done >= r->units)
		return "done";
	if (!r->broken)
		return "as fast as planned";
	if (r->loss_s < r->cost_s)
		return "slower, but has lost less than a move costs";
	return r->move ? "has lost what a move costs, and elsewhere it ends sooner"
		       : "slower, but elsewhere it would end no sooner";
}

static char *move_cell(const void *record, const struct ft_tell_with *with)
{
	(void)with;
	return ft_strdup(((const struct ft_answer_revision *)record)->move ? "move" : "stay");
}

static double part_done(const void *at)
{
	const struct ft_answer_revision *r = at;

	return r->done / r->units;
}

#define REVISION struct ft_answer_revision
static const struct ft_tell_row revision_rows[] = {
	{FT_TELL(REVISION, processor), .head = "processor"},
	{FT_TELL(REVISION, move), .head = "", .cell = move_cell},
	{FT_TELL(REVISION, broken), .about = "slower than its interval allows"},
	{FT_TELL_WHOLE(GOT, NULL), .get = part_done, .head = ">done", .unit = "%"},
	{FT_TELL(REVISION, done), .about = "units"},
	{FT_TELL(REVISION, units), .about = "of the plan"},
	{FT_TELL(REVISION, loss_s), .about = "what staying has cost since it is slower", .head = ">lost",
	 .unit = "s"},
	{FT_TELL(REVISION, stay_s), .about = "until done, where it is", .null = "nothing was seen of it",
	 .head = ">staying", .unit = "s"},
	{FT_TELL(REVISION, move_s), .about = "until done, elsewhere", .null = "not seen, or no other place",
	 .head = ">moving", .unit = "s"},
	{FT_TELL_WHOLE(SAID, "why"), .say = revision_why, .head = ""},
	{0},
};
const struct ft_tell_record ft_tell_revision = {.bytes = sizeof(REVISION), .row = revision_rows};

#define REVISIONS struct ft_answer_revisions
static const struct ft_tell_row revise_rows[] = {
	{FT_TELL(REVISIONS, move), .about = "some processor moves"},
	{FT_TELL_MANY(LIST, "revisions", REVISIONS, revision, n, &ft_tell_revision),
	 .about = "of each processor with a share"},
	{0},
};
const struct ft_tell_record ft_tell_revise = {
	.name = "plan", .action = "revise", .version = 1, .row = revise_rows};
