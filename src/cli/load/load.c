/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load.c - the background load of this machine: recorded, printed, drawn, evaluated. */
#include "base/clock.h"
#include "cli/cli.h"
#include "cli/load/load.h"
#include "cli/options.h"
#include "foretime/base.h"
#include "foretime/measure.h"
#include "foretime/plot.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/*
 * Import the observations of another monitor on this machine as its history.
 */

#define ANSWER struct ft_loads_taken
static const struct ft_tell_row rows[] = {
	{FT_TELL(ANSWER, taken), .about = "observations"},
	{FT_TELL(ANSWER, known), .about = "that began when one in the store does, and were left out"},
	{FT_TELL(ANSWER, old), .about = "older than is kept, and left out"},
	{FT_TELL_AS("taken_s", ANSWER, seconds), .about = "length of those taken"},
	{0},
};
const struct ft_tell_record cli_load_import_answer = {
	.name = "load", .typed = "machine load", .action = "import", .version = 2, .row = rows};

static int load_import(void *query)
{
	struct cli_load *load = query;
	CLI_STORE struct ft_store *store = NULL;
	struct ft_err err = {0};
	int64_t since_ns = ft_clock_real_ns() - (int64_t)FT_LOAD_AGE_S * 1000000000;
	ANSWER answer = {0};
	char text[FT_UNIT_LENGTH];

	if (load->processors > 1000000)
		return cli_fail("%zu processors are too many", load->processors);
	if (ft_machine_read("", &load->machine, &err) ||
	    ft_loads_read(load->path,
			  (int)(load->processors ? load->processors : (size_t)load->machine.threads),
			  &load->loads, &err))
		return cli_error(&err);
	CLI_TRY(cli_store_open(&store, load->store_path, CLI_WRITE));
	if (ft_store_put_machine(store, &load->machine, &err) ||
	    ft_store_take_loads(store, load->machine.id, &load->loads, since_ns, &answer, &err))
		return cli_error(&err);
	if (load->json)
		cli_tell(&cli_load_import_answer, &answer, NULL);
	else
		printf("took in %zu observations of %s; %zu were known, %zu are older than is kept\n",
		       answer.taken, ft_value_format(answer.seconds, "s", text), answer.known, answer.old);
	return CLI_DONE;
}

/*
 * Compare how well load functions would have predicted: history, window, extremes and quantiles (000 section
 * 3).
 */

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
static const struct ft_tell_record judged_answer = {.bytes = sizeof(JUDGED), .row = judged_rows};

struct load_judge_answer {
	struct cli_answer_load all;
	JUDGED *judged;
	size_t n;
};

static const struct ft_tell_row judge_rows[] = {
	{FT_TELL_BY(ROWS, NULL, struct load_judge_answer, all), .of = &cli_load_rows},
	{FT_TELL_MANY(LIST, "judgements", struct load_judge_answer, judged, n, &judged_answer)},
	{0},
};
const struct ft_tell_record cli_load_judge_answer = {
	.name = "load", .typed = "machine load", .action = "judge", .version = 2, .row = judge_rows};

static int load_judge(void *query)
{
	int status = CLI_DONE;
	struct cli_load *load = query;
	struct ft_load_judged *cell;
	struct ft_err err = {0};
	size_t n;

	CLI_TRY(cli_load_open(load));
	struct ft_load_choice choice = (struct ft_load_choice){load->h, load->w, load->history_s > 0,
							       load->window_s > 0, load->share};
	if (ft_load_judge_all(&cell, &n, &load->history, &choice, &err))
		return cli_error(&err);
	if (n) {
		struct load_judge_answer answer = {.judged = cli_alloc(n * sizeof *answer.judged), .n = n};
		CLI_OWN char *source = cli_load_source(load);

		for (size_t i = 0; i < n; i++)
			answer.judged[i] = (JUDGED){
				.history_s = (double)cell[i].h * load->interval_s,
				.window_s = (double)cell[i].w * load->interval_s,
				.share = cell[i].share,
				.area_h = cell[i].found.area / 3600,
				.found = cell[i].found,
				.width = cell[i].found.width / load->history.processors,
			};
		answer.all = cli_load_answer(load, source);
		if (load->json) {
			cli_tell(&cli_load_judge_answer, &answer, NULL);
		} else {
			printf("loads of %s: how many later averages lie within the functions, and how wide "
			       "these "
			       "are\n\n",
			       source);
			cli_tell_table(&judged_answer, answer.judged, n, NULL);
		}
		free(answer.judged);
	} else {
		(void)cli_fail("the history is too short to be judged: %zu intervals\n"
			       "hint: record for longer, or choose a shorter --since T and --window T",
			       load->history.n);
		status = CLI_NO;
	}
	free(cell);
	return status;
}

/*
 * Draw the background load and its load functions.
 */

enum { POINTS_MOST = 4000 };

static int draw_panel(const struct cli_load *load, const struct ft_panel *panel)
{
	CLI_OWN char *source = cli_load_source(load), *title = cli_printed("background load: %s", source),
		     *text = NULL;
	struct ft_err err = {0};
	int status = CLI_DONE;

	if (ft_plot_draw(title, panel, 2, load->output, load->output ? 0 : (int)cli_terminal_width(stdout),
			 load->dark, load->output ? NULL : &text, &err))
		status = cli_error(&err);
	if (text)
		printf("%s%s", text, *text && text[strlen(text) - 1] != '\n' ? "\n" : "");
	return status;
}

/* Each observation in the middle of its time; of many, every n-th group averaged. */
static size_t over_time(const struct cli_load *load, double *x, double *y)
{
	const struct ft_load *seen = load->loads.load;
	size_t group = load->loads.n / POINTS_MOST + 1, n = 0;

	for (size_t i = 0; i < load->loads.n; i += group, n++) {
		double seconds = 0;

		x[n] = y[n] = 0;
		for (size_t j = i; j < i + group && j < load->loads.n; j++) {
			seconds += seen[j].interval_s;
			x[n] += seen[j].interval_s *
				((double)seen[j].started_ns / 1e9 + seen[j].interval_s / 2);
			y[n] += seen[j].interval_s * seen[j].load;
		}
		x[n] /= seconds;
		y[n] /= seconds;
	}
	return n;
}

static int plot(const struct cli_load *load, const struct ft_load_functions *f)
{
	double *x = cli_alloc((POINTS_MOST + 1) * sizeof *x), *y = cli_alloc((POINTS_MOST + 1) * sizeof *y);
	double *t = cli_alloc(f->n * sizeof *t);
	size_t n = over_time(load, x, y), i;
	const struct ft_series loads[] = {{.kind = FT_SERIES_LINE, .x = x, .y = y, .n = n}};
	const struct ft_series functions[] = {
		{.kind = FT_SERIES_BAND, .x = t, .lower = f->least, .upper = f->most, .n = f->n},
		{.title = "least average", .kind = FT_SERIES_LINE, .x = t, .y = f->least, .n = f->n},
		{.title = "largest average", .kind = FT_SERIES_LINE, .x = t, .y = f->most, .n = f->n},
	};
	const struct ft_panel panels[] = {
		{.x_label = "time (UTC)",
		 .x_unit = "date",
		 .y_label = "busy processors",
		 .series = loads,
		 .n = 1},
		{.x_label = "time averaged over",
		 .x_unit = "s",
		 .y_label = "busy processors",
		 .log_x = f->n >= 10,
		 .series = functions,
		 .n = 3},
	};

	for (i = 0; i < f->n; i++)
		t[i] = (double)(i + 1) * f->interval_s;
	int status = draw_panel(load, panels);
	free(x);
	free(y);
	free(t);
	return status;
}

static int load_plot(void *query)
{
	struct cli_load *load = query;
	struct ft_load_functions functions;

	CLI_TRY(cli_load_functions(load, &functions));
	int status = plot(load, &functions);
	ft_load_functions_clear(&functions);
	return status;
}

/*
 * Record the background load until stopped.
 */

/* Old observations are removed once in this many new ones. */
enum { TRIM_EVERY = 360 };

/* Samples of the run queue per observation, and the longest time between two. */
enum { LOOKS = 10 };
static const double LOOK_S = 1;

struct recording {
	struct ft_store *store;
	struct ft_load_recorder *recorder;
	size_t n;
	double seconds, busy, wanted; /* sums so far, in processor seconds */
	int processors;
};

/* Until a moment of the monotonic clock. False: interrupted. */
static bool wait_until(const struct timespec *moment)
{
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, moment, NULL) == EINTR)
		if (*cli_interrupt_flag())
			return false;
	return !*cli_interrupt_flag();
}

static struct timespec later(struct timespec from, double seconds)
{
	double whole = floor(seconds);

	from.tv_sec += (time_t)whole;
	from.tv_nsec += (long)((seconds - whole) * 1e9);
	if (from.tv_nsec >= 1000000000) {
		from.tv_nsec -= 1000000000;
		from.tv_sec++;
	}
	return from;
}

static int keep_seen(struct cli_load *load, struct recording *r)
{
	struct ft_err err = {0};
	struct ft_load seen;
	enum ft_status found = ft_load_recorder_read(r->recorder, &seen, &err);

	if (found == FT_EEND)
		return CLI_DONE;
	if (found || ft_store_add_load(r->store, load->machine.id, &seen, &err))
		return cli_error(&err);
	r->seconds += seen.interval_s;
	r->busy += seen.interval_s * seen.busy;
	r->wanted += seen.interval_s * seen.load;
	r->processors = seen.processors;
	if (r->n++ % TRIM_EVERY == 0 &&
	    ft_store_trim_load(r->store, load->machine.id, seen.started_ns - (int64_t)(load->keep_s * 1e9),
			       &err))
		return cli_error(&err);
	if (!load->quiet && isatty(STDERR_FILENO) == 1) {
		cli_terminal_again();
		fprintf(stderr, "%zu observation%s, now %.2f processors wanted, %.2f of %d busy", r->n,
			r->n == 1 ? "" : "s", seen.load, seen.busy, seen.processors);
		(void)fflush(stderr);
	}
	return CLI_DONE;
}

/* From `due` seconds after `begin` to `until` seconds, with looks at the run queue on the way. False:
 * interrupted. */
static bool look_until(struct ft_load_recorder *recorder, struct timespec begin, double due, double until)
{
	double steps = fmax(LOOKS, ceil((until - due) / LOOK_S));

	for (int i = 1; i <= (int)steps; i++) {
		struct timespec next = later(begin, due + (until - due) * i / steps);

		if (!wait_until(&next))
			return false;
		if (i < (int)steps) /* the reading looks, too */
			ft_load_recorder_look(recorder);
	}
	return true;
}

/* The last interval may be cut short; under a second it is not meaningful. */
static int observe(struct cli_load *load, struct recording *r)
{
	struct timespec begin;
	double due = 0, until = load->for_s > 0 ? load->for_s : INFINITY;
	int status = CLI_DONE;

	(void)clock_gettime(CLOCK_MONOTONIC, &begin);
	while (status == CLI_DONE && due < until) {
		double next = fmin(due + load->interval_s, until);
		bool whole = look_until(r->recorder, begin, due, next);

		due = next;
		if (whole || ft_load_recorder_elapsed(r->recorder) >= 1)
			status = keep_seen(load, r);
		if (!whole)
			return status == CLI_DONE && load->for_s > 0 ? CLI_INTERRUPTED : status;
	}
	return status;
}

static int open_all(struct cli_load *load, struct recording *r)
{
	struct ft_err err = {0};

	CLI_TRY(cli_store_open(&r->store, load->store_path, CLI_WRITE));
	if (ft_machine_read("", &load->machine, &err) ||
	    ft_store_put_machine(r->store, &load->machine, &err) ||
	    ft_load_recorder_open(&r->recorder, "", false, &err))
		return cli_error(&err);
	return CLI_DONE;
}

static int load_record(void *query)
{
	struct cli_load *load = query;
	struct recording r = {0};
	char text[FT_UNIT_LENGTH];

	if (!(load->interval_s > 0))
		load->interval_s = FT_LOAD_INTERVAL_S;
	if (load->interval_s < 1)
		return cli_fail("an interval under a second is too short: the kernel's ticks are 10 ms\n"
				"hint: choose another one with --every T");
	if (!(load->keep_s > 0))
		load->keep_s = FT_LOAD_AGE_S;
	cli_signals_catch();
	int status = open_all(load, &r);
	if (status == CLI_DONE)
		status = observe(load, &r);
	if (!load->quiet && isatty(STDERR_FILENO) == 1)
		cli_terminal_again();
	if (r.n)
		printf("recorded %zu observation%s of %s: other processes demanded %.3g processors on "
		       "average; "
		       "%.3g of %d busy\n",
		       r.n, r.n == 1 ? "" : "s", ft_value_format(r.seconds, "s", text), r.wanted / r.seconds,
		       r.busy / r.seconds, r.processors);
	ft_load_recorder_close(r.recorder);
	ft_store_close(r.store);
	return status;
}

/*
 * The background load of this machine: recorded, printed, drawn, evaluated.
 */

/* Options that select observations, and averages of them. */
#define OBSERVED "every since window niced file cpus store"

static const struct cli_action actions[] = {
	{"record", "observe background load", "[--every 10s] [--timeout 1h] [OPTION...]",
	 "every timeout expires quiet store", 0, 0, load_record},
	{"import", "take in what another monitor observed on this machine", "FILE.csv [OPTION...]",
	 "cpus store format json", 1, 1, load_import},
	{"show", "print it, and what it does to a run", "[FILE.csv] [OPTION...]",
	 OBSERVED " threads format json", 0, 1, cli_load_show},
	{"plot", "draw it", "[FILE.csv] [-o FILE.svg] [OPTION...]", OBSERVED " output dark", 0, 1, load_plot},
	{"judge", "score its load functions", "[FILE.csv] [OPTION...]", OBSERVED " format json", 0, 1,
	 load_judge},
	{0},
};

static int run_load(const struct cli_command *command, int argc, char **argv)
{
	struct cli_load l = {.share = 1, .threads = 1};
	const struct ft_field options[] = {
		{0, "every", FT_FIELD_DURATION, &l.interval_s, "T",
		 "time between two observations; default 10s, of a file: its own"},
		{'t', "timeout", FT_FIELD_DURATION, &l.for_s, "T", "end after T; default: until interrupted"},
		{0, "expires", FT_FIELD_DURATION, &l.keep_s, "T", "remove older observations; default 30d"},
		{0, "since", FT_FIELD_DURATION, &l.history_s, "T", "how far to look back; default 1d"},
		{0, "window", FT_FIELD_DURATION, &l.window_s, "T", "longest averages; default 1h"},
		{0, "share", FT_FIELD_SHARE, &l.share, "SHARE",
		 "share of the averages between least and largest; default: all", .of = "window"},
		{0, "width", FT_FIELD_SHARE, &l.width, "SHARE",
		 "distance of the two to look for, as a share of the processors", .of = "window"},
		{0, "threads", FT_FIELD_NUMBER, &l.threads, "K",
		 "processors that the run keeps busy; default 1"},
		{0, "niced", FT_FIELD_FLAG, &l.niced, NULL, "the run takes only what other processes leave"},
		{0, "file", FT_FIELD_TEXT, &l.file, "FILE.csv", NULL},
		{0, "cpus", FT_FIELD_COUNT, &l.processors, "N",
		 "processors of the file's machine; default: its note, else 1; import: this machine's"},
		{'o', "output", FT_FIELD_TEXT, &l.output, "FILE",
		 "picture, .svg, .png or .pdf; default: characters"},
		CLI_DARK_OPTION(l.dark),
		CLI_QUIET_OPTION(l.quiet),
		CLI_ANSWER_OPTIONS(l.json, l.store_path),
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	l.path = words.n > 1 ? words.word[1] : NULL;
	l.file = l.path ? l.path : l.file;
	if (l.threads > 0)
		status = words.action->act(&l);
	else
		status = cli_fail("a run has more than %g threads", l.threads);
	cli_load_close(&l);
	return status;
}

const struct cli_command cli_load = {
	"machine load",
	"record background load, and show what it does to a run",
	NULL,
	"Load is the number of processors that other processes want: those that they keep busy, and one for "
	"each task that waits.\n"
	"foretime build records it while it measures; predict --load usual and the cuts of --method gbbp use "
	"it.\n",
	actions,
	run_load,
};
