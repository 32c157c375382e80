/* SPDX-License-Identifier: GPL-3.0-or-later */
/* steps.c - `foretime build --via steps`: a sweep that another program drives. */
#include "cli/build/steps.h"
#include "cli/answers.h"
#include "cli/build/orders.h"
#include "cli/common.h"
#include "tell/facts.h"

#include <math.h>
#include <stdlib.h>

/* ---- what is told ------------------------------------------------------------------------------------- */

/* A run that was made. */
struct ran {
	struct ft_size size;
	double seconds, frozen_s;
	enum ft_outcome outcome;
	char *detail;
};

#define RAN struct ran
static const struct ft_tell_row ran_rows[] = {
	{FT_TELL_BY(SIZE, "size", RAN, size)},
	{FT_TELL(RAN, seconds),
	 .about = "of the whole process, and what prepared it and cleaned up behind it"},
	{FT_TELL(RAN, frozen_s), .about = "time that it was paused (frozen), not part of seconds"},
	{FT_TELL_BY(WORD, "outcome", RAN, outcome), .word = ft_outcome_text, .words = FT_TELL_OUTCOMES},
	{FT_TELL(RAN, detail), .about = "its last words, where it did not end well", .null = "none"},
	{0},
};
static const struct ft_tell_record ran_told = {.bytes = sizeof(RAN), .row = ran_rows};

static const struct ft_tell_row next_rows[] = {
	{FT_TELL_AS(NULL, struct ft_sweep_piece, size)},
	{0},
};
static const struct ft_tell_record next_told = {.bytes = sizeof(struct ft_sweep_piece), .row = next_rows};

struct build_steps_told {
	const char *event, *stop, *error, *remedy;
	struct ft_progress progress;
	struct ft_sweep_piece *next;
	double gain, seconds;
	struct ran *ran;
};

#define TOLD struct build_steps_told
static const struct ft_tell_row rows[] = {
	{FT_TELL(TOLD, event), .words = "ready|ran|ended|failed",
	 .about = "ready: the first line, and the answer to look; ran: the answer to run; ended: the last "
		  "line, models are kept; failed: the same, and exit status 2"},
	{FT_TELL_AS("runs", TOLD, progress.runs), .about = "made by this process"},
	{FT_TELL_AS("known", TOLD, progress.known), .about = "runs of other processes and of earlier builds"},
	{FT_TELL_AS("points", TOLD, progress.points), .about = "sizes with a run that ended well"},
	{FT_TELL_AS("complete", TOLD, progress.complete),
	 .about = "how much of what the method will want is there, from 0 to 1; 0 until a run ended well"},
	{FT_TELL_BY(POINTER, "next", TOLD, next), .of = &next_told, .about = "the size that is run next",
	 .null = "there is nothing more to run"},
	{FT_TELL(TOLD, gain),
	 .about = "by how much the next run is expected to lower the mean error of the curve, as a share",
	 .null = "the method does not weigh runs, or it is one of the first sizes"},
	{FT_TELL(TOLD, seconds), .about = "that the next run is expected to take", .null = "not known"},
	{FT_TELL_AS("ended", TOLD, progress.ended), .about = "there is nothing more to run"},
	{FT_TELL(TOLD, stop), .null = "it goes on", .words = "tolerance|budget|points|exhausted|interrupted"},
	{FT_TELL_BY(POINTER, "ran", TOLD, ran), .of = &ran_told, .absent = "nothing was run"},
	{FT_TELL(TOLD, error), .absent = "nothing failed"},
	{FT_TELL(TOLD, remedy), .absent = "nothing failed, or nothing is known that helps"},
	{0},
};
const struct ft_tell_record cli_build_steps_told = {
	.name = "build-steps", .typed = "build --via steps", .version = 1, .row = rows};

/* Digits of a number: enough for seconds. */
enum { DIGITS = 9 };

/* One line. Returns whether it was taken: else there is nobody to tell. */
static bool tell_line(const TOLD *told, const struct ft_program *program)
{
	const struct ft_tell_with with = {.program = program};
	json_t *line = cli_tell_json(&cli_build_steps_told, told, &with);

	(void)json_dumpf(line, stdout, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS));
	(void)putchar('\n');
	json_decref(line);
	return !fflush(stdout);
}

void cli_build_steps_failed(const struct cli_build *build)
{
	TOLD told = {.event = "failed", .gain = NAN, .seconds = NAN};

	told.error = cli_complaint(&told.remedy);
	(void)tell_line(&told, &build->program);
}

/* ---- the dialogue ------------------------------------------------------------------------------------- */

struct steps {
	struct cli_build *build;
	struct ft_sweep *sweep;
	struct cli_orders orders;
	struct ft_sweep_piece next; /* id 0: there is none */
	struct ran ran;             /* size.n = 0: none yet */
	double complete;            /* when it was told last */
	bool told;                  /* who drives hears us */
	volatile sig_atomic_t stop; /* the run under way is to be ended, and nothing else begun */
};

static bool tell_state(struct steps *steps, const char *event, struct ran *ran)
{
	TOLD told = {.event = event, .gain = NAN, .seconds = NAN, .ran = ran};

	ft_sweep_progress(steps->sweep, &told.progress);
	steps->complete = told.progress.complete;
	if (told.progress.ended)
		told.stop = ft_stop_text(told.progress.stop);
	if (steps->next.id) {
		told.next = &steps->next;
		told.gain = steps->next.gain;
		told.seconds = steps->next.expected_s;
	}
	return tell_line(&told, &steps->build->program);
}

static void note_ran(void *ctx, const struct ft_run *run)
{
	struct steps *steps = ctx;
	double frozen_s = ft_run_value(run, &ft_frozen_s);

	free(steps->ran.detail);
	steps->ran = (struct ran){run->size, run->cost_s, frozen_s > 0 ? frozen_s : 0, run->outcome,
				  cli_strdup(run->detail)};
}

/* While a run is made: who drives may be gone, and nobody else would end it. */
static double hear_driver(void *ctx)
{
	struct steps *steps = ctx;

	cli_orders_hear(&steps->orders);
	if (*cli_interrupt_flag() || cli_orders_gone(&steps->orders))
		steps->stop = 1;
	return cli_orders_frozen(&steps->orders);
}

/* The piece that comes next. */
static enum ft_status look_ahead(struct steps *steps, struct ft_err *err)
{
	struct ft_sweep_piece piece;
	size_t n;
	enum ft_status status = ft_sweep_step(steps->sweep, &piece, 1, &n, err);

	steps->next = n ? piece : (struct ft_sweep_piece){.id = 0};
	return status;
}

/* What others have added to the store may make another piece the next one, or none. */
static enum ft_status look_around(struct steps *steps, struct ft_err *err)
{
	size_t news;
	enum ft_status status = ft_sweep_look(steps->sweep, &news, err);

	if (status || !news)
		return status;
	if (steps->next.id)
		status = ft_sweep_return(steps->sweep, steps->next.id, err);
	return status ? status : look_ahead(steps, err);
}

static enum ft_status run_next(struct steps *steps, struct ft_err *err)
{
	enum ft_status status = look_around(steps, err);

	steps->ran.size.n = 0;
	if (!status && steps->next.id)
		status = ft_sweep_measure(steps->sweep, &steps->next, err);
	if (!status && !steps->stop)
		status = look_ahead(steps, err);
	return status;
}

/* Until nobody wants more. */
static enum ft_status converse(struct steps *steps, struct ft_err *err)
{
	enum ft_status status = look_ahead(steps, err);
	enum cli_order order = CLI_ORDER_RUN;

	steps->told = !status && tell_state(steps, "ready", NULL);
	while (!status && steps->told) {
		order = cli_orders_next(&steps->orders, cli_interrupt_flag());
		if (order == CLI_ORDER_WRONG) {
			(void)ft_fail(err, FT_EINVAL, "%s", steps->orders.wrong);
			return ft_remedy(err, "write run, look, frozen SECONDS or end, one a line");
		}
		if (order != CLI_ORDER_RUN && order != CLI_ORDER_LOOK)
			break;
		status = order == CLI_ORDER_RUN ? run_next(steps, err) : look_around(steps, err);
		if (status || steps->stop)
			break;
		if (order == CLI_ORDER_LOOK)
			steps->told = tell_state(steps, "ready", NULL);
		else
			steps->told = tell_state(steps, "ran", steps->ran.size.n ? &steps->ran : NULL);
	}
	return status;
}

/* The last line. */
static int tell_end(struct steps *steps, enum ft_status status, const struct ft_err *err)
{
	struct ft_sweep_report *report = &steps->build->report;
	TOLD told = {.event = "ended",
		     .gain = NAN,
		     .seconds = NAN,
		     .progress = {.runs = report->runs, .known = report->known, .points = report->points},
		     .stop = ft_stop_text(report->stop)};
	int result = status ? cli_error(err) : CLI_DONE;

	told.progress.complete = steps->complete;
	told.progress.ended = report->stop != FT_STOP_INTERRUPTED;
	if (status)
		told.error = cli_complaint(&told.remedy);
	if (result == CLI_WRONG)
		told.event = "failed";
	(void)tell_line(&told, &steps->build->program);
	return result;
}

int cli_build_steps(struct cli_build *build)
{
	struct steps steps = {.build = build};
	struct ft_sweep_options *options = &build->options;
	struct ft_err err = {0}, second = {0};

	cli_signals_catch();
	ft_source_frozen(build->source, hear_driver, &steps);
	options->interrupt = &steps.stop;
	options->ran = note_ran;
	options->progress_ctx = &steps;
	enum ft_status status = ft_sweep_new(&steps.sweep, build->store, &build->program, &build->machine,
					     build->source, options, &err);
	if (status)
		return cli_error(&err);
	status = converse(&steps, &err);
	/* Also after a failure: what is measured is worth a model. */
	enum ft_status ended = ft_sweep_end(steps.sweep, &build->report, status ? &second : &err);
	int result = tell_end(&steps, status ? status : ended, &err);
	ft_sweep_free(steps.sweep);
	free(steps.ran.detail);
	return (steps.stop || *cli_interrupt_flag()) && result != CLI_WRONG ? CLI_INTERRUPTED : result;
}
