/* SPDX-License-Identifier: GPL-3.0-or-later */
/* say.c - what `foretime plan pack` tells. */
#include "cli/answers.h"
#include "cli/facts.h"
#include "cli/pack/pack.h"

#include <math.h>

#define RATIO struct ft_pack_ratio
static const struct ft_tell_row ratio_rows[] = {
	{FT_TELL(RATIO, value), .about = "ratio to one copy on an idle machine", .null = "not measured"},
	{FT_TELL(RATIO, lower), .null = "too few rounds"},
	{FT_TELL(RATIO, upper), .null = "too few rounds"},
	{0},
};
static const struct ft_tell_record ratios = {.bytes = sizeof(RATIO), .row = ratio_rows};

#define LEVEL struct ft_pack_level
static const struct ft_tell_row level_rows[] = {
	{FT_TELL(LEVEL, copies), .head = ">copies"},
	{FT_TELL(LEVEL, rounds), .head = ">rounds"},
	{FT_TELL_AS(NULL, LEVEL, longer.value), .head = ">each takes", .unit = ".3f", .none = "-"},
	{FT_TELL_AS(NULL, LEVEL, longer.lower), .head = ">from", .unit = ".3f", .none = "-"},
	{FT_TELL_AS(NULL, LEVEL, longer.upper), .head = ">to", .unit = ".3f", .none = "-"},
	{FT_TELL_AS(NULL, LEVEL, last.value), .head = ">the last", .unit = ".3f", .none = "-"},
	{FT_TELL_BY(RECORD, "longer", LEVEL, longer), .of = &ratios,
	 .about = "wall time of a copy, the mean of all"},
	{FT_TELL_BY(RECORD, "last", LEVEL, last), .of = &ratios, .about = "... of that which ended last"},
	{FT_TELL(LEVEL, work), .about = "done in a time, times what one alone does", .head = ">work",
	 .unit = ".2f", .null = "not measured", .none = "-"},
	{FT_TELL(LEVEL, work_lower), .null = "too few rounds"},
	{FT_TELL(LEVEL, work_upper), .null = "too few rounds"},
	{FT_TELL(LEVEL, peak_bytes), .about = "the sum of their peaks, the largest", .head = ">memory",
	 .unit = "bytes", .null = "not measured", .none = "-"},
	{FT_TELL_BY(WORD, "outcome", LEVEL, outcome), .word = ft_outcome_text, .words = FT_TELL_OUTCOMES,
	 .about = "of a copy that did not end well", .head = "outcome"},
	{0},
};
static const struct ft_tell_record levels = {.bytes = sizeof(LEVEL), .row = level_rows};

#define RESOURCE struct ft_pack_resource
static const struct ft_tell_row resource_rows[] = {
	{FT_TELL_AS("name", RESOURCE, resource), .head = "resource"},
	{FT_TELL(RESOURCE, holds), .about = "copies, up to which each uses no more than alone",
	 .head = ">adds up to"},
	{FT_TELL(RESOURCE, breaks), .about = "the fewest copies of which each uses more",
	 .null = "no such number was seen", .head = ">not at"},
	{FT_TELL_AS(NULL, RESOURCE, most.value), .head = ">times", .unit = ".3f", .none = "-"},
	{FT_TELL_AS(NULL, RESOURCE, most.lower), .head = ">from", .unit = ".3f", .none = "-"},
	{FT_TELL_AS(NULL, RESOURCE, most.upper), .head = ">to", .unit = ".3f", .none = "-"},
	{FT_TELL_BY(RECORD, "most", RESOURCE, most), .of = &ratios,
	 .about = "of a copy, there, else among the most that ran"},
	{0},
};
static const struct ft_tell_record resources = {.bytes = sizeof(RESOURCE), .row = resource_rows};

struct pack_told {
	const char *name;
	struct ft_size size;
	size_t processors;
	double memory_bytes, within, confidence;
	struct ft_pack_report report;
};

static const struct ft_tell_row rows[] = {
	{FT_TELL(struct pack_told, name)},
	{FT_TELL(struct pack_told, size), .about = "a value for each parameter"},
	{FT_TELL(struct pack_told, processors), .about = "that the copies may use"},
	{FT_TELL(struct pack_told, memory_bytes), .about = "that they may have", .null = "not known"},
	{FT_TELL(struct pack_told, within), .about = "slow-down up to which copies fit, as a share"},
	{FT_TELL(struct pack_told, confidence)},
	{FT_TELL_AS("fits", struct pack_told, report.fits), .about = "copies that do not hinder each other"},
	{FT_TELL_AS("perhaps", struct pack_told, report.perhaps), .about = "copies that were not seen to"},
	{FT_TELL_BY(WORD, "bound", struct pack_told, report.bound), .word = ft_pack_bound_text,
	 .words = "they hinder each other|memory|no more were asked for|a copy did not end well|the budget",
	 .about = "why no more"},
	{FT_TELL_AS("best", struct pack_told, report.best), .about = "copies that do most work in a time"},
	{FT_TELL_AS("alone_s", struct pack_told, report.alone_s),
	 .about = "wall time of one alone, the median"},
	{FT_TELL_AS("alone_bytes", struct pack_told, report.alone_bytes), .null = "not measured"},
	{FT_TELL_MANY(ARRAY, "levels", struct pack_told, report.level, report.n, &levels)},
	{FT_TELL_MANY(ARRAY, "resources", struct pack_told, report.resource, report.n_resources, &resources)},
	{FT_TELL_BY(WORD, "stop", struct pack_told, report.stop), .word = ft_stop_text,
	 .words = "tolerance|budget|points|exhausted|interrupted"},
	{FT_TELL_AS("spent_s", struct pack_told, report.spent_s), .about = "wall time of all runs"},
	{0},
};
const struct ft_tell_record cli_pack_told = {.name = "pack", .typed = "plan pack", .version = 1, .row = rows};

static void print_table(const struct ft_tell_record *record, const void *what, size_t n)
{
	putchar('\n');
	cli_tell_table(record, what, n, NULL);
}

static void print_answer(const struct cli_pack *pack)
{
	const struct ft_pack_report *r = &pack->report;
	char text[3][FT_UNIT_LENGTH], at[256];

	(void)ft_size_format(&pack->program, &pack->size, at, sizeof at);
	printf("%s%s%s: alone %s", pack->program.name, *at ? " " : "", at,
	       ft_value_format(r->alone_s, "s", text[0]));
	if (!isnan(r->alone_bytes))
		printf(", %s", ft_value_format(r->alone_bytes, "bytes", text[1]));
	printf("; %zu processor%s", pack->processors, pack->processors == 1 ? "" : "s");
	if (pack->options.memory_bytes > 0)
		printf(", %s", ft_value_format(pack->options.memory_bytes, "bytes", text[2]));
	printf("\n%zu fit%s: each takes at most %s longer than alone", r->fits, r->fits == 1 ? "s" : "",
	       ft_share_format(pack->options.within, text[0]));
	if (r->perhaps > r->fits)
		printf("; perhaps up to %zu", r->perhaps);
	printf(". No more: %s\n", ft_pack_bound_text(r->bound));
	if (r->best > 1)
		printf("most work is done by %zu at once\n", r->best);
}

void cli_pack_say(const struct cli_pack *pack)
{
	const struct ft_tell_with with = {.program = &pack->program};
	const struct pack_told told = {
		.name = pack->program.name,
		.size = pack->size,
		.processors = pack->processors,
		.memory_bytes = pack->options.memory_bytes > 0 ? pack->options.memory_bytes : (double)NAN,
		.within = pack->options.within,
		.confidence = pack->options.confidence,
		.report = pack->report};

	if (pack->json) {
		cli_tell(&cli_pack_told, &told, &with);
		return;
	}
	print_answer(pack);
	print_table(&levels, pack->report.level, pack->report.n);
	print_table(&resources, pack->report.resource, pack->report.n_resources);
}
