/* SPDX-License-Identifier: GPL-3.0-or-later */
/* largest.c - what `foretime largest` tells. */
#include "tell/largest.h"
#include "base/alloc.h"
#include "tell/facts.h"

#include <math.h>

static char *binds_cell(const void *record, const struct ft_tell_with *with)
{
	(void)with;
	return ft_strdup(((const struct ft_told_limit *)record)->limit.binds ? "binds" : "");
}

#define LIMIT struct ft_told_limit
static const struct ft_tell_row limit_rows[] = {
	{FT_TELL_AS("resource", LIMIT, limit.resource), .head = "resource"},
	{FT_TELL_BY(UNIT, "unit", LIMIT, limit.resource)},
	{FT_TELL_AS("limit", LIMIT, limit.most)},
	{FT_TELL_AS(NULL, LIMIT, typed), .head = ">limit"},
	{FT_TELL_AS("binds", LIMIT, limit.binds), .about = "the next size is over it"},
	{FT_TELL_AS("grows", LIMIT, limit.grows),
	 .about = "the value grows with the size where the data ends"},
	{FT_TELL_AS("value", LIMIT, limit.at.value), .head = ">typical", .unit = ""},
	{FT_TELL_AS("known", LIMIT, limit.at.known), .about = "the typical run is known to +- this share",
	 .null = "not told", .head = ">known to", .unit = "+-"},
	{FT_TELL_AS("lower", LIMIT, limit.at.lower)},
	{FT_TELL_AS("upper", LIMIT, limit.at.upper), .about = "one-sided, at the confidence",
	 .null = "not known", .head = ">up to", .unit = ""},
	{FT_TELL_BY(WORD, "basis", LIMIT, limit.at.basis), .word = ft_basis_text, .words = FT_TELL_BASES,
	 .head = "basis"},
	{FT_TELL_AS("distance", LIMIT, limit.at.distance)},
	{FT_TELL_AS("runs", LIMIT, limit.at.runs)},
	{FT_TELL_AS(NULL, LIMIT, limit.binds), .head = "", .cell = binds_cell},
	{0},
};
const struct ft_tell_record ft_tell_limit = {.name = "limit", .bytes = sizeof(LIMIT), .row = limit_rows};

static const char *kind_word(const void *at)
{
	static const char *const words[] = {
		[FT_LARGEST_FOUND] = "found", [FT_LARGEST_NONE] = "none", [FT_LARGEST_ANY] = "any"};

	return words[*(const enum ft_largest_kind *)at];
}

static bool fits_again(const void *told)
{
	return !isnan(((const struct ft_largest *)told)->again);
}

static const struct ft_tell_row again_rows[] = {
	{FT_TELL_AS("from", struct ft_largest, again)},
	{FT_TELL_AS("to", struct ft_largest, last), .null = "no limit any more"},
	{0},
};
static const struct ft_tell_record again = {.row = again_rows, .there = fits_again};

#define ANSWER struct ft_told_largest
static const struct ft_tell_row answer_rows[] = {
	{FT_TELL_BY(SAID, "answer", ANSWER, found.kind), .say = kind_word, .words = "found|none|any",
	 .about = "none: not even the smallest size fits; any: nothing limits"},
	{FT_TELL(ANSWER, largest), .about = "the largest size such that all sizes up to it fit",
	 .null = "unless found"},
	{FT_TELL(ANSWER, distance), .about = "how far beyond the data, as a ratio; 1 inside",
	 .null = "unless found"},
	{FT_TELL_AS("next", ANSWER, found.next), .about = "the next size, which does not fit",
	 .null = "none"},
	{FT_TELL_BY(RECORD, "again", ANSWER, found), .of = &again,
	 .about = "larger sizes fit again: the first of them, and the last", .null = "none does"},
	{FT_TELL_AS("killed", ANSWER, found.killed),
	 .about = "smallest size at which a run was killed for memory", .null = "none was"},
	{FT_TELL_AS("binds_killed", ANSWER, found.by_kill), .about = "and that bounds the answer"},
	{FT_TELL_AS("binds_where", ANSWER, found.by_where),
	 .about = "no larger size meets the constraint of the program; with answer none: no size does"},
	{FT_TELL_AS("binds_list", ANSWER, found.by_list),
	 .about = "all sizes that the range lists fit: larger ones are not admissible"},
	{FT_TELL_AS("size", ANSWER, found.size),
	 .about = "what the limits below are told at: the largest, with answer none the smallest, with any "
		  "the largest measured; a member for each parameter"},
	{FT_TELL_MANY(LIST, "limits", ANSWER, limit, n, &ft_tell_limit)},
	{0},
};
static const struct ft_tell_record answer = {
	.name = "combination",
	.about = "the largest value for one combination of the others",
	.bytes = sizeof(ANSWER),
	.row = answer_rows,
};

static const struct ft_tell_row several_rows[] = {
	{FT_TELL(struct ft_told_several, frontier),
	 .about = "where there are several answers: whether they are the largest combinations of several "
		  "parameters"},
	{FT_TELL_MANY(LIST, "answers", struct ft_told_several, answer, n, &answer),
	 .about = "several answers, for the combinations of the others; then the members of a single answer "
		  "do not stand beside it"},
	{0},
};
static const struct ft_tell_record several = {.row = several_rows};

#define TOLD struct ft_told_limits
static const struct ft_tell_row rows[] = {
	{FT_TELL(TOLD, name)},
	{FT_TELL_BY(POINTER, "machine", TOLD, machine), .of = &ft_tell_machine},
	{FT_TELL(TOLD, confidence),
	 .about = "share of future single runs at that size that stay within each limit by itself"},
	{FT_TELL_BY(WORD, "load", TOLD, load), .word = ft_load_view_text, .words = FT_TELL_VIEWS},
	{FT_TELL(TOLD, parameter),
	 .about = "the one whose largest value is asked for; of a frontier the last of them"},
	{FT_TELL_BY(POINTER, "failing", TOLD, failing), .of = &ft_tell_failing, .null = "there is none"},
	{FT_TELL_BY(ROWS, NULL, TOLD, axes), .of = &ft_tell_axes},
	{FT_TELL_BY(PERHAPS, NULL, TOLD, only), .of = &answer},
	{FT_TELL_BY(PERHAPS, NULL, TOLD, several), .of = &several},
	{0},
};
const struct ft_tell_record ft_tell_largest = {.name = "largest", .version = 1, .row = rows};
