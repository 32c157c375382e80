/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request.c - what `foretime request` tells. */
#include "tell/request.h"

#include <math.h>

/* What is not known has no numbers that somebody could take for a request: it is in reason and advice. */
static bool is_needed(const void *told)
{
	const struct ft_told_need *n = told;

	return n->need.resource && !(n->need.doubt && isnan(n->request));
}

static char *beyond(const void *record, const struct ft_tell_with *with)
{
	(void)with;
	return ft_tell_beyond(&((const struct ft_told_need *)record)->need.at);
}

#define NEED struct ft_told_need
static bool is_limited(const void *told)
{
	return ((const NEED *)told)->need.limits.runs > 0;
}

static const struct ft_tell_row limited_rows[] = {
	{FT_TELL_AS("runs", NEED, need.limits.runs),
	 .about = "how many met a limit: they count as at least that"},
	{FT_TELL_AS("of", NEED, need.runs), .about = "how many runs there are"},
	{FT_TELL_AS("least", NEED, need.limits.least),
	 .about = "the smallest limit, in the unit of the resource"},
	{FT_TELL_AS("most", NEED, need.limits.most), .about = "the largest"},
	{0},
};
static const struct ft_tell_record limited = {
	.about = "runs of all sizes that were ended at a limit of this resource",
	.row = limited_rows,
	.there = is_limited};

static const struct ft_tell_row need_rows[] = {
	{FT_TELL_AS("resource", NEED, need.resource), .head = "resource"},
	{FT_TELL_BY(UNIT, "unit", NEED, need.resource)},
	{FT_TELL_AS("risk", NEED, need.risk), .about = "share of runs that may need more than most"},
	{FT_TELL_AS("value", NEED, need.at.value), .about = "what is expected", .head = ">typical",
	 .unit = ""},
	{FT_TELL_AS("known", NEED, need.at.known), .about = "the typical run is known to +- this share",
	 .null = "not told", .head = ">known to", .unit = "+-"},
	{FT_TELL_AS("most", NEED, need.most), .about = "what the request must cover, not rounded",
	 .head = ">up to", .unit = ""},
	{FT_TELL_AS("by_runs", NEED, need.by_runs),
	 .about = "the size tells little: most is what runs of the nearest sizes needed at that risk"},
	{FT_TELL(NEED, request), .about = "rounded up: time to whole minutes, memory to whole MiB"},
	{FT_TELL_BY(WORD, "doubt", NEED, need.doubt), .word = ft_doubt_text,
	 .words = "none|interval too wide|too far beyond the measured sizes",
	 .about = "why nothing is known at this size, or none"},
	{FT_TELL_AS("proportional", NEED, need.proportional),
	 .about = "with doubt: the largest value measured, scaled with the size", .null = "no doubt"},
	{FT_TELL_AS(NULL, NEED, asked), .head = ">request"},
	{FT_TELL_BY(WORD, "basis", NEED, need.at.basis), .word = ft_basis_text, .words = FT_TELL_BASES,
	 .head = "basis"},
	{FT_TELL_AS("distance", NEED, need.at.distance),
	 .about = "how far beyond the data, as a ratio; 1 inside", .head = "", .cell = beyond},
	{FT_TELL_AS("runs", NEED, need.at.runs)},
	{FT_TELL_AS("limits", NEED, need.at.limits), .about = "how many of these met a limit"},
	{FT_TELL_WHOLE(RECORD, "limited"), .of = &limited, .null = "no run met one"},
	{0},
};
const struct ft_tell_record ft_tell_need = {
	.name = "need", .bytes = sizeof(NEED), .there = is_needed, .row = need_rows};

static bool is_made(const void *told)
{
	return ((const struct ft_told_formula *)told)->said.text;
}

#define FORMULA struct ft_told_formula
static const struct ft_tell_row formula_rows[] = {
	{FT_TELL(FORMULA, unit)},
	{FT_TELL_AS("text", FORMULA, said.text), .about = "in foretime's own language"},
	{FT_TELL(FORMULA, python), .about = "for after import math; parameter n is size_n"},
	{FT_TELL(FORMULA, groovy), .about = "parameter n is size_n, a double"},
	{FT_TELL_AS("from", FORMULA, said.from),
	 .about = "the smallest and the largest size at which it was compared with the numbers",
	 .null = "of several parameters"},
	{FT_TELL_AS("to", FORMULA, said.to), .null = "as from"},
	{FT_TELL_AS("known_to", FORMULA, known),
	 .about = "of each parameter the value up to which this is known: beyond it, it is no answer"},
	{FT_TELL_AS("mean", FORMULA, said.mean),
	 .about = "within the data so much above the numbers, as a share, on average"},
	{FT_TELL_AS("above", FORMULA, said.above),
	 .about = "within the data at most so much above the numbers, as a share"},
	{0},
};
static const struct ft_tell_record formula = {
	.name = "formula", .about = "for all sizes", .there = is_made, .row = formula_rows};

static const struct ft_tell_row at_rows[] = {{FT_TELL_AS(NULL, struct ft_told_at, size)}, {0}};
static const struct ft_tell_record at = {.about = "a member for each parameter", .row = at_rows};

#define REQUEST struct ft_told_request
static const struct ft_tell_row rows[] = {
	{FT_TELL(REQUEST, name)},
	{FT_TELL_BY(POINTER, "failing", REQUEST, failing), .of = &ft_tell_failing, .null = "there is none"},
	{FT_TELL_BY(ROWS, NULL, REQUEST, axes), .of = &ft_tell_axes},
	{FT_TELL_BY(POINTER, "machine", REQUEST, machine), .of = &ft_tell_machine},
	{FT_TELL(REQUEST, risk),
	 .about = "share of runs for which the time or the memory may turn out too small"},
	{FT_TELL(REQUEST, retry),
	 .about = "how a killed job runs again: the risk is the one that wastes least",
	 .null = "the risk was stated", .words = "most|2x"},
	{FT_TELL_BY(WORD, "load", REQUEST, load), .word = ft_load_view_text, .words = FT_TELL_VIEWS},
	{FT_TELL_BY(POINTER, "size", REQUEST, at), .of = &at, .null = "the request is for all sizes"},
	{FT_TELL(REQUEST, answered), .about = "false: no request is known to suffice at this size"},
	{FT_TELL(REQUEST, reason), .about = "why there is no answer", .null = "answered"},
	{FT_TELL(REQUEST, advice), .about = "what to do then", .null = "answered"},
	{FT_TELL_BY(POINTER, "measure", REQUEST, measure), .of = &at,
	 .about = "larger sizes to measure for the request to be known", .null = "nothing is doubted"},
	{FT_TELL_BY(RECORD, "time", REQUEST, time), .of = &ft_tell_need,
	 .null = "not measured, not known (see reason), or no size given"},
	{FT_TELL_BY(RECORD, "memory", REQUEST, memory), .of = &ft_tell_need,
	 .null = "not measured, not known (see reason), or no size given"},
	{FT_TELL(REQUEST, cpus), .about = "processors to ask for", .null = "not known"},
	{FT_TELL(REQUEST, brief),
	 .about = "memory was learned from runs of under a second only: half more is asked for"},
	{FT_TELL(REQUEST, overhead),
	 .about = "bytes that are asked for on top, for what runs in the job beside the program"},
	{FT_TELL(REQUEST, killed), .about = "smallest size at which a run was killed for memory",
	 .null = "none was"},
	{FT_TELL(REQUEST, refuted), .about = "the killed run had reached more memory than the model allows: "
					     "no request is known to suffice"},
	{FT_TELL(REQUEST, slurm), .about = "the request as options of sbatch", .null = "no size given"},
	{FT_TELL_BY(RECORD, "time_expression", REQUEST, time_of), .of = &formula,
	 .null = "not measured, or not asked for"},
	{FT_TELL_BY(RECORD, "memory_expression", REQUEST, memory_of), .of = &formula,
	 .null = "not measured, or not asked for"},
	{0},
};
const struct ft_tell_record ft_tell_request = {.name = "request", .version = 1, .row = rows};
