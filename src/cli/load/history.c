/* SPDX-License-Identifier: GPL-3.0-or-later */
/* history.c - the background load: its source, and its long-term average. */
#include "base/clock.h"
#include "cli/cli.h"
#include "cli/load/load.h"
#include "foretime/measure.h"

#include <math.h>
#include <stdlib.h>

enum { DAY_S = 24 * 60 * 60, HOUR_S = 60 * 60 };

/* A history supports averages over up to this part of its length: with four windows the extremes held 82
 * to 88 % of what came, with two 59 to 74 % (doc/000-load-functions.md). */
enum { PARTS = 4 };

void cli_load_close(struct cli_load *load)
{
	if (!load)
		return;
	ft_machine_clear(&load->machine);
	ft_loads_clear(&load->loads);
	ft_load_history_clear(&load->history);
}

static int read_store(struct cli_load *load)
{
	CLI_STORE struct ft_store *store = NULL;
	struct ft_err err = {0};
	int64_t id = 0, since = ft_clock_real_ns() - (int64_t)FT_LOAD_AGE_S * 1000000000;

	CLI_TRY(cli_store_open(&store, load->store_path, CLI_ANSWER));
	if (ft_machine_read("", &load->machine, &err) ||
	    (ft_store_find_machine(store, load->machine.fingerprint, &id, &err) && err.status != FT_ENOENT) ||
	    (id && ft_store_get_load(store, id, since, &load->loads, &err)))
		return cli_error(&err);
	return CLI_DONE;
}

/* A duration in intervals, at least one. */
static size_t intervals(double seconds, double interval_s)
{
	double n = round(seconds / interval_s);

	return n < 1 ? 1 : n > 1e9 ? (size_t)1e9 : (size_t)n;
}

int cli_load_open(struct cli_load *load)
{
	struct ft_err err = {0};
	int status = CLI_DONE;

	if (load->processors > 1000000)
		return cli_fail("%zu processors are too many", load->processors);
	if (!load->file)
		status = read_store(load);
	else if (ft_loads_read(load->file, (int)load->processors, &load->loads, &err))
		status = cli_error(&err);
	if (status != CLI_DONE)
		return status;
	if (!load->loads.n) {
		(void)cli_fail("no background load was recorded on this machine in the last %d days\n"
			       "hint: record it with foretime machine load record, or name a FILE.csv",
			       FT_LOAD_AGE_S / DAY_S);
		return CLI_NO;
	}
	if (!(load->interval_s > 0))
		load->interval_s = load->file ? load->loads.load[0].interval_s : (double)FT_LOAD_INTERVAL_S;
	if (ft_load_history_make(&load->history, &load->loads, load->interval_s, 0,
				 load->niced ? FT_SHARING_NICED : FT_SHARING_FAIR, &err))
		return cli_error(&err);
	if (!load->history.n) {
		(void)cli_fail("less than one interval of %g s was observed\n"
			       "hint: record for longer, or choose a shorter one with --every T",
			       load->interval_s);
		return CLI_NO;
	}
	load->h = intervals(load->history_s > 0 ? load->history_s : DAY_S, load->interval_s);
	load->w = intervals(load->window_s > 0 ? load->window_s : HOUR_S, load->interval_s);
	if (load->w > load->h)
		return cli_fail("the window is longer than the history\n"
				"hint: choose them with --window T and --since T");
	return CLI_DONE;
}

int cli_load_functions(struct cli_load *load, struct ft_load_functions *functions)
{
	int status = cli_load_open(load);
	struct ft_load_history newest = load->history;
	struct ft_err err = {0};

	if (status != CLI_DONE)
		return status;
	if (newest.n > load->h) {
		newest.load += newest.n - load->h;
		newest.n = load->h;
	}
	if (ft_load_functions_make(functions, &newest, load->w, load->share, &err))
		return cli_error(&err);
	return CLI_DONE;
}

char *cli_load_source(const struct cli_load *load)
{
	return load->file ? cli_strdup(load->file) : cli_machine_text(&load->machine);
}

struct cli_answer_load cli_load_answer(const struct cli_load *load, const char *source)
{
	return (struct cli_answer_load){source, load->interval_s, load->history.processors};
}

#define LOAD struct cli_answer_load
static const struct ft_tell_row load_rows[] = {
	{FT_TELL(LOAD, source), .about = "the machine, or the file"},
	{FT_TELL(LOAD, interval_s)},
	{FT_TELL(LOAD, processors)},
	{0},
};
const struct ft_tell_record cli_load_rows = {.row = load_rows};

/* ---- show --------------------------------------------------------------------------------------------- */

static struct ft_load_outlook outlook(const struct cli_load *load, const struct ft_load_functions *f,
				      double seconds)
{
	struct ft_load_outlook o;

	ft_load_predict(f, seconds, load->threads, load->niced ? FT_SHARING_NICED : FT_SHARING_FAIR, &o);
	return o;
}

/* 1, 2, 5, 10, ... intervals, and the window. */
static size_t next_row(size_t i, size_t n)
{
	size_t power = 1;

	if (i >= n)
		return 0;
	while (power * 10 <= i)
		power *= 10;
	i = i < 2 * power ? 2 * power : i < 5 * power ? 5 * power : 10 * power;
	return i < n ? i : n;
}

static char *three_digits(double value)
{
	return isinf(value) ? cli_strdup("unbounded") : cli_printed("%.3g", value);
}

struct load_function {
	double t_s, least, largest;
	struct ft_load_outlook outlook;
};

static char *best_cell(const void *record, const struct ft_tell_with *with)
{
	(void)with;
	return three_digits(((const struct load_function *)record)->outlook.slow_down[0]);
}

static char *worst_cell(const void *record, const struct ft_tell_with *with)
{
	(void)with;
	return three_digits(((const struct load_function *)record)->outlook.slow_down[1]);
}

#define FUNCTION struct load_function
static const struct ft_tell_row function_rows[] = {
	{FT_TELL(FUNCTION, t_s), .about = "averaged over", .head = ">averaged over", .unit = "s"},
	{FT_TELL(FUNCTION, least), .about = "processors", .head = ">least", .unit = ".3g"},
	{FT_TELL(FUNCTION, largest), .about = "processors", .head = ">largest", .unit = ".3g"},
	{FT_TELL_AS("slowdown_least", FUNCTION, outlook.slow_down[0]),
	 .about = "of a run that takes t_s on an idle machine", .null = "unbounded",
	 .head = ">takes, at best", .cell = best_cell},
	{FT_TELL_AS("slowdown_largest", FUNCTION, outlook.slow_down[1]),
	 .null = "unbounded, the others leave nothing", .head = ">at worst", .cell = worst_cell},
	{0},
};
static const struct ft_tell_record functions_answer = {.bytes = sizeof(FUNCTION), .row = function_rows};

static FUNCTION function_at(const struct cli_load *load, const struct ft_load_functions *f, size_t i)
{
	double t_s = (double)i * f->interval_s;

	return (FUNCTION){t_s, f->least[i - 1], f->most[i - 1], outlook(load, f, t_s)};
}

/* The width from which on the functions are as close to each other as requested. */
static void print_window(const struct cli_load *load, const struct ft_load_functions *f)
{
	size_t w = load->width > 0 ? ft_load_choose_window(f, load->width) : 0;
	char width[FT_UNIT_LENGTH], text[FT_UNIT_LENGTH];

	if (!(load->width > 0))
		return;
	(void)ft_share_format(load->width, width);
	if (w)
		printf("\nwithin %s of the processors from %s on: a window of that length is enough\n", width,
		       ft_value_format((double)w * f->interval_s, "s", text));
	else
		printf("\nnot within %s of the processors up to %s\n", width,
		       ft_value_format((double)f->n * f->interval_s, "s", text));
}

/* Intervals of all of the history without an observation. */
static size_t count_gaps(const struct cli_load *load)
{
	return load->history.n - ft_load_history_observed(&load->history, load->history.n);
}

static void print_heading(const struct cli_load *load)
{
	const struct ft_loads_summary s = ft_loads_summarise(&load->loads);
	size_t gaps = count_gaps(load);
	CLI_OWN char *source = cli_load_source(load);
	char text[FT_UNIT_LENGTH], age[FT_TELL_AGE];

	printf("background load on %s: %zu observation%s of %s in all, %zu gap%s%s%s\n", source,
	       load->loads.n, load->loads.n == 1 ? "" : "s", ft_value_format(s.seconds, "s", text), gaps,
	       gaps == 1 ? "" : "s", load->file ? "" : ", the newest ",
	       load->file ? "" : ft_tell_age(s.end_ns, age));
	printf("demand of other processes: %.3g processors on average", s.load);
	if (isnan(s.busy))
		printf("; the machine has %g", load->history.processors);
	else
		printf("; %.3g of %g busy", s.busy, load->history.processors);
	if (!isnan(s.steal))
		printf(", %.3g of them taken by the hypervisor; %.3g idle while something waited for a "
		       "device",
		       s.steal, s.iowait);
	printf("\n");
}

struct load_history_answer {
	struct cli_answer_load all;
	struct ft_loads_summary summary;
	size_t observed, gaps;
	double history_s, share, threads, window_s;
	const char *sharing;
	FUNCTION *function;
	size_t n;
};

#define ANSWER struct load_history_answer
static const struct ft_tell_row rows[] = {
	{FT_TELL_BY(ROWS, NULL, ANSWER, all), .of = &cli_load_rows},
	{FT_TELL_AS("observations", ANSWER, observed)},
	{FT_TELL_AS("observed_s", ANSWER, summary.seconds), .about = "their length in all"},
	{FT_TELL(ANSWER, gaps)},
	{FT_TELL_BY(TIME, "newest", ANSWER, summary.end_ns), .about = "UTC, as 2026-01-31T12:00:00Z",
	 .null = "a file"},
	{FT_TELL_AS("load", ANSWER, summary.load),
	 .about = "demand of other processes in processors, on average: busy ones, and tasks that waited for "
		  "one; also "
		  "more than there are"},
	{FT_TELL_AS("busy", ANSWER, summary.busy), .about = "processors busy with other processes",
	 .null = "not known, and load is a lower bound"},
	{FT_TELL_AS("steal", ANSWER, summary.steal), .about = "the part of busy that a hypervisor took",
	 .null = "not known"},
	{FT_TELL_AS("iowait", ANSWER, summary.iowait),
	 .about = "processors idle while something waited for a disk", .null = "not known"},
	{FT_TELL(ANSWER, history_s)},
	{FT_TELL(ANSWER, share), .about = "of the averages that lie between least and largest"},
	{FT_TELL(ANSWER, threads)},
	{FT_TELL(ANSWER, sharing), .words = "fair|niced"},
	{FT_TELL(ANSWER, window_s),
	 .about = "the shortest window within width=", .null = "no window is, or no width= was given"},
	{FT_TELL_MANY(LIST, "functions", ANSWER, function, n, &functions_answer)},
	{0},
};
const struct ft_tell_record cli_load_show_answer = {
	.name = "load", .typed = "machine load", .action = "show", .version = 2, .row = rows};

static void show_json(const struct cli_load *load, const struct ft_load_functions *f)
{
	size_t i, w = load->width > 0 ? ft_load_choose_window(f, load->width) : 0;
	CLI_OWN char *source = cli_load_source(load);
	ANSWER answer = {
		.all = cli_load_answer(load, source),
		.summary = ft_loads_summarise(&load->loads),
		.observed = load->loads.n,
		.gaps = count_gaps(load),
		.history_s = (double)load->h * load->interval_s,
		.share = load->share,
		.threads = load->threads,
		.window_s = w ? (double)w * load->interval_s : (double)NAN,
		.sharing = ft_sharing_text(load->niced ? FT_SHARING_NICED : FT_SHARING_FAIR),
		.function = cli_alloc(f->n * sizeof *answer.function),
		.n = f->n,
	};

	if (load->file)
		answer.summary.end_ns = 0;
	for (i = 0; i < f->n; i++)
		answer.function[i] = function_at(load, f, i + 1);
	cli_tell(&cli_load_show_answer, &answer, NULL);
	free(answer.function);
}

int cli_load_show(void *query)
{
	struct cli_load *load = query;
	struct ft_load_functions functions;

	CLI_TRY(cli_load_functions(load, &functions));
	if (load->json) {
		show_json(load, &functions);
	} else {
		size_t seen = ft_load_history_observed(&load->history, load->h),
		       n = seen / PARTS < functions.n ? seen / PARTS : functions.n;
		char text[FT_UNIT_LENGTH], share[FT_UNIT_LENGTH];

		print_heading(load);
		if (n) {
			printf("\n%s of the averages of the newest %s are in this range; slow-down of a run "
			       "of %g thread%s, %s:\n\n",
			       load->share < 1 ? ft_share_format(load->share, share) : "all",
			       ft_value_format((double)seen * load->interval_s, "s", text), load->threads,
			       load->threads > 1 ? "s" : "",
			       ft_sharing_text(load->niced ? FT_SHARING_NICED : FT_SHARING_FAIR));
			struct cli_table table = {0};

			for (size_t i = 1; i; i = next_row(i, n)) {
				const FUNCTION one = function_at(load, &functions, i);

				cli_table_tell(&table, &functions_answer, &one, 1, NULL);
			}
			cli_table_print(&table, stdout);
			print_window(load, &functions);
		}
		/* What is not known yet, and how long until it is. */
		double seen_s = (double)ft_load_history_observed(&load->history, load->h) * load->interval_s,
		       wanted_s = (double)load->w * load->interval_s;
		double least_s = (double)FT_LOAD_LEAST * FT_LOAD_INTERVAL_S;
		char words[3][FT_UNIT_LENGTH];

		if (n < load->w && seen_s < PARTS * wanted_s)
			printf("\naverages over up to %s are known once %s were observed: %s more\n",
			       ft_value_format(wanted_s, "s", words[0]),
			       ft_value_format(PARTS * wanted_s, "s", words[1]),
			       ft_value_format(PARTS * wanted_s - seen_s, "s", words[2]));
		if (!load->file && seen_s < least_s)
			printf("%sforetime predict --load usual answers once %s were observed: %s more\n",
			       n < load->w && seen_s < PARTS * wanted_s ? "" : "\n",
			       ft_value_format(least_s, "s", words[0]),
			       ft_value_format(least_s - seen_s, "s", words[1]));
	}
	ft_load_functions_clear(&functions);
	return CLI_DONE;
}
