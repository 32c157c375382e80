/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judge.c - how good load functions would have been: history, window, extremes and quantiles side by
 * side (000 section 3). */
#include "cli/answers.h"
#include "cli/common.h"
#include "cli/load/load.h"
#include "foretime/units.h"

#include <stdlib.h>

enum { MOMENTS_MOST = 1000, MOMENTS_LEAST = 20, N_LENGTHS = 3 };

/* Averages that may be looked at for the quantiles of one cell: a tenth of a second's. */
static const double EFFORT = 2e7;

static const double shares[] = {1, 0.95, 0.9, 0.8};

struct load_cell {
	size_t h, w;
	double share;
	struct ft_load_judgement found;
};

static size_t moments(const struct load_cell *cell)
{
	double n = EFFORT / ((double)cell->h * (double)cell->w);

	return cell->share == 1 || n > MOMENTS_MOST ? MOMENTS_MOST
	       : n < MOMENTS_LEAST                  ? MOMENTS_LEAST
						    : (size_t)n;
}

/* The lengths to compare: the one asked for, else a fraction, the usual, a multiple of it. */
static size_t lengths(double asked, size_t usual, size_t fraction, size_t multiple, size_t out[N_LENGTHS])
{
	size_t n = 1;

	out[0] = usual;
	if (asked > 0)
		return 1;
	out[0] = usual / fraction ? usual / fraction : 1;
	if (out[0] < usual) /* of a short history both may be one interval */
		out[n++] = usual;
	out[n++] = usual * multiple;
	return n;
}

static int judge_cell(const struct cli_load *load, struct load_cell *cell)
{
	struct ft_err err = {0};

	if (ft_load_judge(&cell->found, &load->history, cell->h, cell->w, cell->share, moments(cell), &err))
		return cli_error(&err);
	return CLI_DONE;
}

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
	{FT_TELL_AS("moments", JUDGED, found.moments), .about = "at which the history was asked"},
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
	.name = "load", .action = "judge", .version = 2, .row = rows};

static void add_judged(struct load_judge_told *told, const struct cli_load *load,
		       const struct load_cell *cell)
{
	told->judged = cli_grow(told->judged, told->n, sizeof *told->judged);
	told->judged[told->n++] = (JUDGED){
		.history_s = (double)cell->h * load->interval_s,
		.window_s = (double)cell->w * load->interval_s,
		.share = cell->share,
		.area_h = cell->found.area / 3600,
		.found = cell->found,
		.width = cell->found.width / load->history.processors,
	};
}

static void tell_judged(const struct cli_load *load, struct load_judge_told *told)
{
	char *source = cli_load_source(load);

	told->all = cli_load_told(load, source);
	if (load->json) {
		cli_tell(&cli_load_judge_told, told, NULL);
	} else {
		printf("loads of %s: how many later averages lie within the functions, and how wide these "
		       "are\n\n",
		       source);
		cli_tell_table(&judged_told, told->judged, told->n, NULL);
	}
	free(source);
}

/* Where less was observed than is usual, half of it is the history. */
static void fit_windows(struct cli_load *load)
{
	if (!(load->history_s > 0) && load->h + load->w > load->history.n)
		load->h = load->history.n / 2 + 1;
	if (!(load->window_s > 0) && load->w > load->h / 4)
		load->w = load->h / 4 + 1;
}

int cli_load_judge(void *asked)
{
	struct cli_load *load = asked;
	size_t h[N_LENGTHS], w[N_LENGTHS], n_h, n_w, i, j, k;
	size_t n_shares = load->share < 1 ? 1 : sizeof shares / sizeof *shares;
	struct load_judge_told told = {0};
	int status = cli_load_open(load);

	if (status != CLI_DONE)
		return status;
	fit_windows(load);
	n_h = lengths(load->history_s, load->h, 6, 7, h);
	n_w = lengths(load->window_s, load->w, 6, 4, w);
	for (i = 0; i < n_w; i++)
		for (j = 0; j < n_h; j++)
			for (k = 0; k < n_shares && status == CLI_DONE; k++) {
				struct load_cell cell = {
					h[j], w[i], load->share < 1 ? load->share : shares[k], {0}};

				if (cell.w > cell.h || cell.h + cell.w > load->history.n)
					continue;
				status = judge_cell(load, &cell);
				if (status == CLI_DONE && cell.found.averages)
					add_judged(&told, load, &cell);
			}
	if (status == CLI_DONE && !told.n) {
		(void)cli_fail("the history is too short to be judged: %zu intervals\n"
			       "hint: record for longer, or choose a shorter --history T and --window T",
			       load->history.n);
		status = CLI_NO;
	}
	if (status == CLI_DONE)
		tell_judged(load, &told);
	free(told.judged);
	return status;
}
