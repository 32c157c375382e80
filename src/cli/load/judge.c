/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judge.c - how good load functions would have been: history, window, extremes and quantiles side by
 * side (000 section 3). */
#include "cli/answers.h"
#include "cli/common.h"
#include "cli/load/load.h"
#include "foretime/units.h"

#include <stdlib.h>

struct judged {
	double history_s, window_s, share, area_h;
	struct ft_load_judgement found;
	double width; /* as a share of the processors */
};

static char *share_cell(const void *record, const struct ft_tell_with *with)
{
	double share = ((const struct judged *)record)->share;
	char text[FT_UNIT_LENGTH];

	(void)with;
	return cli_strdup(share < 1 ? ft_share_format(share, text) : "extremes");
}

#define JUDGED struct judged
static const struct ft_tell_row judged_rows[] = {
	{FT_TELL(JUDGED, history_s), .head = ">history", .unit = "s"},
	{FT_TELL(JUDGED, window_s), .head = ">window", .unit = "s"},
	{FT_TELL(JUDGED, share), .about = "1: extremes, else quantiles", .head = "functions",
	 .cell = share_cell},
	{FT_TELL_AS("moments", JUDGED, found.moments), .about = "times at which the history was evaluated"},
	{FT_TELL_AS("averages", JUDGED, found.averages), .about = "later averages that were compared"},
	{FT_TELL_AS("within", JUDGED, found.within), .about = "share of them within the functions",
	 .head = ">within", .unit = "%"},
	{FT_TELL_AS(NULL, JUDGED, width), .head = ">width", .unit = "%"},
	{FT_TELL_AS("width", JUDGED, found.width), .about = "between the functions, processors"},
	{FT_TELL_AS("area_s", JUDGED, found.area), .about = "between them, processor seconds"},
	{FT_TELL_AS(NULL, JUDGED, area_h), .head = ">area (processor h)", .unit = ".4g"},
	{FT_TELL_AS(NULL, JUDGED, found.moments), .head = ">moments"},
	{0},
};
static const struct ft_tell_record judged_told = {.bytes = sizeof(JUDGED), .row = judged_rows};

struct load_judge_told {
	struct cli_told_load all;
	JUDGED *judged;
	size_t n;
};

static const struct ft_tell_row rows[] = {
	{FT_TELL_BY(ROWS, NULL, struct load_judge_told, all), .of = &cli_load_rows},
	{FT_TELL_MANY(LIST, "judgements", struct load_judge_told, judged, n, &judged_told)},
	{0},
};
const struct ft_tell_record cli_load_judge_told = {
	.name = "load", .typed = "machine load", .action = "judge", .version = 2, .row = rows};

static JUDGED judged_of(const struct cli_load *load, const struct ft_load_judged *cell)
{
	return (JUDGED){
		.history_s = (double)cell->h * load->interval_s,
		.window_s = (double)cell->w * load->interval_s,
		.share = cell->share,
		.area_h = cell->found.area / 3600,
		.found = cell->found,
		.width = cell->found.width / load->history.processors,
	};
}

static void tell_judged(const struct cli_load *load, const struct ft_load_judged *cell, size_t n)
{
	struct load_judge_told told = {.judged = cli_alloc(n * sizeof *told.judged), .n = n};
	CLI_OWN char *source = cli_load_source(load);

	for (size_t i = 0; i < n; i++)
		told.judged[i] = judged_of(load, &cell[i]);
	told.all = cli_load_told(load, source);
	if (load->json) {
		cli_tell(&cli_load_judge_told, &told, NULL);
	} else {
		printf("loads of %s: how many later averages lie within the functions, and how wide these "
		       "are\n\n",
		       source);
		cli_tell_table(&judged_told, told.judged, n, NULL);
	}
	free(told.judged);
}

int cli_load_judge(void *asked)
{
	int status = CLI_DONE;
	struct cli_load *load = asked;
	struct ft_load_judged *cell;
	struct ft_err err = {0};
	size_t n;

	CLI_TRY(cli_load_open(load));
	struct ft_load_choice choice = (struct ft_load_choice){load->h, load->w, load->history_s > 0,
							       load->window_s > 0, load->share};
	if (ft_load_judge_all(&cell, &n, &load->history, &choice, &err))
		return cli_error(&err);
	if (n) {
		tell_judged(load, cell, n);
	} else {
		(void)cli_fail("the history is too short to be judged: %zu intervals\n"
			       "hint: record for longer, or choose a shorter --since T and --window T",
			       load->history.n);
		status = CLI_NO;
	}
	free(cell);
	return status;
}
