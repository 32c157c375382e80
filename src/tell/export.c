/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export.c - what `foretime export --json` tells. */
#include "tell/export.h"
#include "tell/facts.h"

#define RUN struct ft_run
static const struct ft_tell_row run_rows[] = {
	{FT_TELL(RUN, size), .about = "a value for each parameter"},
	{FT_TELL_BY(WORD, "outcome", RUN, outcome), .word = ft_outcome_text, .words = FT_TELL_OUTCOMES},
	{FT_TELL(RUN, exit_status)},
	{FT_TELL(RUN, signal)},
	{FT_TELL(RUN, warmup)},
	{FT_TELL(RUN, cost_s), .null = "not known"},
	{FT_TELL(RUN, work), .about = "that the run itself reported", .null = "it did not"},
	{FT_TELL_BY(TIME, "started", RUN, started_ns), .about = "UTC, as 2026-01-31T12:00:00Z",
	 .null = "not known"},
	{FT_TELL_WHOLE(ROWS, NULL), .of = &ft_tell_queue},
	{FT_TELL(RUN, asked_s), .about = "of a batch system", .absent = "nothing, or not known"},
	{FT_TELL(RUN, asked_bytes), .about = "of a batch system", .absent = "nothing, or not known"},
	{FT_TELL(RUN, node), .about = "of a record: where it ran", .absent = "not known, or measured here"},
	{FT_TELL(RUN, user), .about = "of a record: a number in place of the user's name",
	 .absent = "not known, or measured here"},
	{FT_TELL(RUN, version), .about = "of the foretime that measured it", .null = ""},
	{FT_TELL(RUN, detail), .about = "its last words, where it did not end well", .null = ""},
	{FT_TELL_MANY(MAP, "samples", RUN, sample, n_samples, &ft_tell_sample_by), .about = "by resource"},
	{0},
};
static const struct ft_tell_record runs = {.bytes = sizeof(RUN), .row = run_rows};

#define EXPORT struct ft_told_export
static const struct ft_tell_row rows[] = {
	{FT_TELL_BY(ROWS, NULL, EXPORT, program), .of = &ft_tell_program},
	{FT_TELL_AS("where", EXPORT, program.where), .about = "what a size must meet", .null = "nothing"},
	{FT_TELL_BY(POINTER, "machine", EXPORT, machine), .of = &ft_tell_machine},
	{FT_TELL_MANY(LIST, "runs", EXPORT, runs.run, runs.n, &runs),
	 .about = "in the order in which they were made"},
	{0},
};
const struct ft_tell_record ft_tell_export = {.name = "export", .version = 1, .row = rows};
