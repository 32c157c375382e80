/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request.c - what `foretime request` tells. */
#include "tell/request.h"
#include "tell/question.h"

#include <math.h>
#include <string.h>

/* What is not known has no numbers that somebody could take for a request: it is in reason and advice. */
static bool is_needed(const void *told)
{
	const struct ft_told_need *n = told;

	return n->need.resource && !(n->need.doubt && isnan(n->request));
}

static char *basis(const void *record, const struct ft_tell_with *with)
{
	(void)with;
	return ft_tell_basis(&((const struct ft_told_need *)record)->need.at, NULL);
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
	{FT_TELL_AS("value", NEED, need.at.value), .about = "the prediction", .head = ">typical", .unit = ""},
	{FT_TELL_AS("known", NEED, need.at.known), .about = "accuracy of the typical run, +- this share",
	 .null = "not available", .head = ">accuracy", .unit = "+-", .detail = true},
	{FT_TELL_AS("most", NEED, need.most), .about = "upper limit of the request, not rounded",
	 .head = ">up to", .unit = ""},
	{FT_TELL_AS("by_runs", NEED, need.by_runs),
	 .about = "the size explains little: most comes from the runs of the nearest sizes at that risk"},
	{FT_TELL(NEED, request), .about = "rounded up: time to whole minutes, memory to whole MiB",
	 .null = "not answered: it would be over a bound"},
	{FT_TELL_BY(WORD, "doubt", NEED, need.doubt), .word = ft_doubt_text,
	 .words = "none|interval too wide|too far beyond the measured sizes",
	 .about = "why there is no prediction at this size, or none"},
	{FT_TELL_AS("proportional", NEED, need.proportional),
	 .about = "the largest value measured, scaled with the size, if there is doubt", .null = "no doubt"},
	{FT_TELL_AS(NULL, NEED, asked), .head = ">request"},
	{FT_TELL_BY(WORD, "basis", NEED, need.at.basis), .word = ft_basis_text, .words = FT_TELL_BASES,
	 .head = "basis", .cell = basis},
	{FT_TELL_AS("distance", NEED, need.at.distance),
	 .about = "extrapolation: size divided by the measured range; 1 inside"},
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
	 .about = "for each parameter the largest value for which this is valid"},
	{FT_TELL_AS("mean", FORMULA, said.mean),
	 .about = "how far above the numbers within the measured range, as a share, on average"},
	{FT_TELL_AS("above", FORMULA, said.above),
	 .about = "how far above the numbers within the measured range at most, as a share"},
	{0},
};
static const struct ft_tell_record formula = {
	.name = "formula", .about = "for all sizes", .there = is_made, .row = formula_rows};

static const struct ft_tell_row at_rows[] = {{FT_TELL_AS(NULL, struct ft_told_at, size)}, {0}};
static const struct ft_tell_record size_record = {.about = "a member for each parameter", .row = at_rows};

#define REQUEST struct ft_told_request
static const struct ft_tell_row rows[] = {
	{FT_TELL(REQUEST, name)},
	{FT_TELL_BY(POINTER, "failing", REQUEST, failing), .of = &ft_tell_failing, .null = "there is none"},
	{FT_TELL_BY(ROWS, NULL, REQUEST, axes), .of = &ft_tell_axes},
	{FT_TELL_BY(POINTER, "machine", REQUEST, machine), .of = &ft_tell_machine},
	{FT_TELL(REQUEST, risk),
	 .about = "share of runs for which the time or the memory may turn out too small"},
	{FT_TELL(REQUEST, retry), .about = "how a killed job is retried: the risk wastes least then",
	 .null = "the risk was stated", .words = "most|2x"},
	{FT_TELL_BY(WORD, "load", REQUEST, load), .word = ft_load_view_text, .words = FT_TELL_VIEWS},
	{FT_TELL_BY(POINTER, "size", REQUEST, at), .of = &size_record,
	 .null = "the request is for all sizes"},
	{FT_TELL(REQUEST, answered), .about = "false: no request is known to suffice at this size"},
	{FT_TELL(REQUEST, reason), .about = "why there is no answer", .null = "answered"},
	{FT_TELL(REQUEST, advice), .about = "what to do then", .null = "answered"},
	{FT_TELL_BY(POINTER, "measure", REQUEST, measure), .of = &size_record,
	 .about = "larger sizes to measure to make the request certain", .null = "no doubt"},
	{FT_TELL_BY(RECORD, "time", REQUEST, time), .of = &ft_tell_need,
	 .null = "not measured, not known (see reason), or no size given"},
	{FT_TELL_BY(RECORD, "memory", REQUEST, memory), .of = &ft_tell_need,
	 .null = "not measured, not known (see reason), or no size given"},
	{FT_TELL(REQUEST, cpus), .about = "processors to request", .null = "not known"},
	{FT_TELL(REQUEST, brief),
	 .about = "memory was learned from runs below a second only: half more is requested"},
	{FT_TELL(REQUEST, overhead), .about = "bytes requested on top, for other processes of the job"},
	{FT_TELL(REQUEST, killed), .about = "smallest size at which a run was killed for memory",
	 .null = "no run was"},
	{FT_TELL(REQUEST, refuted), .about = "the killed run had reached more memory than the model allows: "
					     "no request is known to suffice"},
	{FT_TELL(REQUEST, slurm), .about = "the request as options of sbatch", .null = "no size given"},
	{FT_TELL_BY(RECORD, "time_expression", REQUEST, time_of), .of = &formula,
	 .null = "not measured, or not requested"},
	{FT_TELL_BY(RECORD, "memory_expression", REQUEST, memory_of), .of = &formula,
	 .null = "not measured, or not requested"},
	{0},
};
const struct ft_tell_record ft_tell_request = {.name = "request", .version = 1, .row = rows};

/* ---- the question -------------------------------------------------------------------------------------- */

static enum ft_status answer_request(struct ft_answerer *answerer, const struct ft_asked *asked, json_t **out,
				     struct ft_err *err)
{
	const struct ft_tell_with with = {.program = ft_ask_program(answerer)};
	const struct ft_ask_load load = ft_asked_load(asked);
	struct ft_told_at at = {{0}};
	struct ft_told_request all = {.name = with.program->name,
				      .failing = ft_ask_failing(answerer),
				      .machine = ft_ask_machine(answerer),
				      .load = load.view,
				      .at = &at,
				      .cpus = (double)asked->cpus,
				      .overhead =
					      isnan(asked->overhead) ? FT_TELL_SHELL_BYTES : asked->overhead};
	struct ft_tell_request_text text = {0};
	struct ft_tell_bounds bounds;
	struct ft_request found;
	struct ft_err why = {0};
	const struct ft_resource *resource[2];
	size_t n = 0;
	double risk;

	FT_TRY(ft_asked_size(answerer, asked, &at.size, err));
	FT_TRY(ft_asked_risk(asked, &risk, &bounds, err));
	ft_ask_under(answerer, &load);
	FT_TRY(ft_ask_request(answerer, &at.size, risk, &found, err));
	all.answered = !ft_tell_answered(&found, with.program, &at.size, all.overhead, &bounds, &why);
	all.reason = all.answered ? NULL : why.text;
	all.advice = all.answered ? NULL : why.remedy;
	all.retry = risk > 0 ? NULL : risk == FT_RISK_LEAST_DOUBLE ? "2x" : "most";
	enum ft_status status = ft_tell_request_sized(&all, &found, &bounds, &text, err);
	if (!status) {
		if (all.time.need.resource)
			resource[n++] = all.time.need.resource;
		if (all.memory.need.resource)
			resource[n++] = all.memory.need.resource;
		ft_tell_axes_find(answerer, resource, n, &all.axes);
		*out = ft_tell_json(&ft_tell_request, &all, &with);
		status = *out ? FT_OK : ft_nomem(err);
	}
	ft_tell_request_clear(&text);
	return status;
}

static const struct ft_field fields[] = {
	{FT_ASKED("risk", risk), .kind = FT_FIELD_SHARE, .argument = "R", .least = 0.001, .most = 0.25,
	 .words = "least",
	 .help = "share of runs that may need more, 0.1% to 25%, or least: the one that wastes least; "
		 "default 5%"},
	{FT_ASKED("cpus", cpus), .kind = FT_FIELD_COUNT, .argument = "K", .least = 1,
	 .help = "processors to ask for; default: those kept busy, rounded up"},
	{FT_ASKED("at-least", at_least), .kind = FT_FIELD_BYTES, .argument = "B",
	 .help = "ask for no less memory"},
	{FT_ASKED("at-most", at_most), .kind = FT_FIELD_TEXT, .argument = "B[,T]",
	 .help = "ask for no more memory, no more time: 64GiB, 2d or 64GiB,2d"},
	FT_ASKED_MODELS,
	FT_ASKED_GROUP("what is added, and killed jobs"),
	{FT_ASKED("overhead", overhead), .kind = FT_FIELD_BYTES, .argument = "B",
	 .help = "memory of other processes of the job; default: that of the format"},
	{FT_ASKED("retry", retry), .kind = FT_FIELD_WORD, .argument = "HOW", .words = "most|2x",
	 .help = "with risk least, a killed job runs again with the most ever needed (most), or twice as "
		 "much (2x); default most",
	 .of = "risk"},
	FT_ASKED_LOAD,
	{0},
};

const struct ft_question ft_question_request = {
	"request", "what to ask a batch system for", fields,
	"PARAM: of the program, as n=2048; size.PARAM where a field is called so", .answer = answer_request};
