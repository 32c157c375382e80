/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kept.c - what is told of how often promises were kept. */
#include "tell/kept.h"
#include "base/alloc.h"
#include "base/text.h"

/* Of what was not foretold there is no number. */
static bool was_foretold(const void *told)
{
	return ((const struct ft_prediction *)told)->upper > 0;
}

static char *began_cell(const void *record, const struct ft_tell_with *with)
{
	const struct ft_kept_run *run = record;
	char age[FT_TELL_AGE];

	(void)with;
	return ft_strdup(ft_tell_age(run->started_ns, age));
}

static char *foretold_cell(const void *record, const struct ft_tell_with *with)
{
	const struct ft_kept_run *run = record;

	return run->fate == FT_FATE_UNTOLD ? ft_strdup("-") : ft_tell_interval(&run->foretold, with->unit);
}

static const struct ft_tell_row foretold_rows[] = {
	{FT_TELL(struct ft_prediction, value)},
	{FT_TELL(struct ft_prediction, known), .about = FT_TELL_KNOWN, .null = "not available"},
	{FT_TELL(struct ft_prediction, lower)},
	{FT_TELL(struct ft_prediction, upper), .null = "not known"},
	{FT_TELL_BY(WORD, "basis", struct ft_prediction, basis), .word = ft_basis_text,
	 .words = FT_TELL_BASES},
	{FT_TELL(struct ft_prediction, runs), .about = "number of runs behind it"},
	{0},
};
static const struct ft_tell_record foretold = {
	.bytes = sizeof(struct ft_prediction), .there = was_foretold, .row = foretold_rows};

#define RUN struct ft_kept_run
static const struct ft_tell_row run_rows[] = {
	{FT_TELL_BY(TIME, "started", RUN, started_ns), .about = "UTC", .null = "not known", .head = "began",
	 .cell = began_cell},
	{FT_TELL_AS(NULL, RUN, size)},
	{FT_TELL(RUN, value), .head = ">took", .unit = ""},
	{FT_TELL_BY(RECORD, "foretold", RUN, foretold), .of = &foretold, .null = "too few runs before it",
	 .head = ">foretold", .cell = foretold_cell},
	{FT_TELL_BY(WORD, "fate", RUN, fate), .word = ft_fate_text, .words = "inside|less|more|not foretold",
	 .head = ""},
	{0},
};
const struct ft_tell_record ft_tell_kept_run = {.bytes = sizeof(RUN), .row = run_rows};

#define KEPT struct ft_told_kept
static const struct ft_tell_row kept_rows[] = {
	{FT_TELL(KEPT, resource)},
	{FT_TELL_BY(UNIT, "unit", KEPT, resource)},
	{FT_TELL_AS("confidence", KEPT, kept.confidence),
	 .about = "confidence: share of runs expected inside"},
	{FT_TELL_AS("inside", KEPT, kept.inside), .about = "runs within their prediction interval"},
	{FT_TELL_AS("less", KEPT, kept.less), .about = "runs that took less"},
	{FT_TELL_AS("more", KEPT, kept.more), .about = "runs that took more"},
	{FT_TELL_AS("untold", KEPT, kept.untold), .about = "runs without a prediction"},
	{FT_TELL_AS("share", KEPT, kept.share), .about = "coverage: inside, of the predicted ones",
	 .null = "no run was predicted"},
	{FT_TELL_AS("least", KEPT, kept.least),
	 .about = "coverage of all such runs, with 95 % confidence: from", .null = "no run was predicted"},
	{FT_TELL_AS("most", KEPT, kept.most), .null = "no run was predicted"},
	{FT_TELL_MANY(LIST, "runs", KEPT, kept.run, kept.n, &ft_tell_kept_run),
	 .about = "in the order of time; each against a model of the runs before it"},
	{0},
};
const struct ft_tell_record ft_tell_kept = {.name = "kept", .bytes = sizeof(KEPT), .row = kept_rows};
