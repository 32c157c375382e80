/* SPDX-License-Identifier: GPL-3.0-or-later */
/* steps.c - `foretime build --via steps`: a sweep driven by another program. */
#include "cli/build/build.h"
#include "cli/cli.h"
#include "foretime/base.h"
#include "tell/answers.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Read the orders of the driving program. The descriptor's flags are not changed: other processes may share
 * it.
 */

/* The longest pause that is accepted. */
static const double SECONDS_MOST = 1e9;

static void add_order(struct cli_orders *orders, enum cli_order order)
{
	orders->waiting[orders->n++] = order;
	orders->over = order != CLI_ORDER_RUN && order != CLI_ORDER_LOOK;
}

static bool is(const char *line, size_t length, const char *word)
{
	return length == strlen(word) && !memcmp(line, word, length);
}

/* "frozen 1.5" */
static bool take_frozen(struct cli_orders *orders, const char *line, size_t length)
{
	char text[64];
	double seconds;

	if (length < 8 || length >= sizeof text || memcmp(line, "frozen ", 7) != 0)
		return false;
	(void)snprintf(text, sizeof text, "%.*s", (int)length - 7, line + 7);
	if (strlen(text) != length - 7 || ft_duration_parse(text, &seconds, NULL) || seconds > SECONDS_MOST)
		return false;
	if (seconds > 0)
		orders->frozen_s[orders->n_frozen++] = seconds;
	return true;
}

static bool has_room(const struct cli_orders *orders)
{
	return !orders->over && orders->n < CLI_ORDERS_WAITING && orders->n_frozen < CLI_FROZEN_WAITING;
}

/* The lines that are whole, as far as there is room for their orders. */
static void take_lines(struct cli_orders *orders)
{
	const char *end;

	while (has_room(orders) && (end = memchr(orders->text, '\n', orders->length))) {
		size_t length = (size_t)(end - orders->text);

		const char *line = orders->text;

		if (is(line, length, "run")) {
			add_order(orders, CLI_ORDER_RUN);
		} else if (is(line, length, "look")) {
			add_order(orders, CLI_ORDER_LOOK);
		} else if (is(line, length, "end")) {
			add_order(orders, CLI_ORDER_END);
		} else if (!take_frozen(orders, line, length)) {
			/* Quote a wrong line in a sentence; bytes that are no text become '?'. */
			char shown[40];
			size_t i;

			for (i = 0; i < length && i < sizeof shown - 1; i++)
				shown[i] = (char)(line[i] >= ' ' && line[i] <= '~' ? line[i] : '?');
			shown[i] = '\0';
			(void)snprintf(orders->wrong, sizeof orders->wrong, "unknown order '%s%s'", shown,
				       i < length ? "..." : "");
			add_order(orders, CLI_ORDER_WRONG);
		}
		orders->length -= length + 1;
		memmove(orders->text, end + 1, orders->length);
	}
	if (!has_room(orders) || orders->length < sizeof orders->text)
		return;
	(void)snprintf(orders->wrong, sizeof orders->wrong, "an order of more than %d bytes", CLI_ORDER_LINE);
	add_order(orders, CLI_ORDER_WRONG);
}

static bool is_readable(void)
{
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};

	return poll(&input, 1, 0) > 0;
}

/* orders_hear - take in what can be read without waiting. */
static void orders_hear(struct cli_orders *orders)
{
	take_lines(orders);
	while (has_room(orders) && is_readable()) {
		ssize_t got = read(STDIN_FILENO, orders->text + orders->length,
				   sizeof orders->text - orders->length);
		if (got < 0 && (errno == EINTR || errno == EAGAIN))
			return;
		if (got <= 0) {
			add_order(orders, CLI_ORDER_GONE);
			return;
		}
		orders->length += (size_t)got;
		take_lines(orders);
	}
}

static enum cli_order first(struct cli_orders *orders)
{
	enum cli_order order = orders->waiting[0];

	memmove(orders->waiting, orders->waiting + 1, --orders->n * sizeof *orders->waiting);
	return order;
}

/* ---- output ------------------------------------------------------------------------------------- */

/*
 * `foretime build --via steps`: a sweep driven by another program.
 */

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
	{FT_TELL_AS("paused_s", RAN, frozen_s), .about = "time that it was paused, not part of seconds"},
	{FT_TELL_BY(WORD, "outcome", RAN, outcome), .word = ft_outcome_text, .words = FT_TELL_OUTCOMES},
	{FT_TELL(RAN, detail), .about = "its last words, where it did not end well", .null = "none"},
	{0},
};
static const struct ft_tell_record ran_answer = {.bytes = sizeof(RAN), .row = ran_rows};

static const struct ft_tell_row next_rows[] = {
	{FT_TELL_AS(NULL, struct ft_sweep_piece, size)},
	{0},
};
static const struct ft_tell_record next_answer = {.bytes = sizeof(struct ft_sweep_piece), .row = next_rows};

struct build_steps_answer {
	const char *event, *stop, *error, *remedy;
	struct ft_progress progress;
	struct ft_sweep_piece *next;
	double gain, seconds;
	struct ran *ran;
};

#define ANSWER struct build_steps_answer
static const struct ft_tell_row rows[] = {
	{FT_TELL(ANSWER, event), .words = "ready|ran|ended|failed",
	 .about = "ready: the first line, and the answer to look; ran: the answer to run; ended: the last "
		  "line, models are kept; failed: the same, and exit status 2"},
	{FT_TELL_AS("runs", ANSWER, progress.runs), .about = "made by this process"},
	{FT_TELL_AS("known", ANSWER, progress.known),
	 .about = "runs of other processes and of earlier builds"},
	{FT_TELL_AS("points", ANSWER, progress.points), .about = "sizes with a run that ended well"},
	{FT_TELL_AS("complete", ANSWER, progress.complete),
	 .about = "how much of what the method will want is there, from 0 to 1; 0 until a run ended well"},
	{FT_TELL_BY(POINTER, "next", ANSWER, next), .of = &next_answer, .about = "the size that is run next",
	 .null = "there is nothing more to run"},
	{FT_TELL(ANSWER, gain),
	 .about = "by how much the next run is expected to lower the mean error of the curve, as a share",
	 .null = "the method does not weigh runs, or it is one of the first sizes"},
	{FT_TELL(ANSWER, seconds), .about = "that the next run is expected to take", .null = "not known"},
	{FT_TELL_AS("ended", ANSWER, progress.ended), .about = "there is nothing more to run"},
	{FT_TELL(ANSWER, stop), .null = "it goes on",
	 .words = "tolerance|budget|points|exhausted|interrupted"},
	{FT_TELL_BY(POINTER, "ran", ANSWER, ran), .of = &ran_answer, .absent = "nothing was run"},
	{FT_TELL(ANSWER, error), .absent = "nothing failed"},
	{FT_TELL(ANSWER, remedy), .absent = "nothing failed, or nothing is known that helps"},
	{0},
};
const struct ft_tell_record cli_build_steps_answer = {
	.name = "build-steps", .typed = "build --via steps", .version = 2, .row = rows};

/* Digits of a number: enough for seconds. */
enum { DIGITS = 9 };

/* Write one line. Returns false when the reader is gone. */
static bool tell_line(const ANSWER *answer, const struct ft_program *program)
{
	const struct ft_tell_with with = {.program = program};
	json_t *line = cli_tell_json(&cli_build_steps_answer, answer, &with);

	(void)json_dumpf(line, stdout, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS));
	(void)putchar('\n');
	json_decref(line);
	return !fflush(stdout);
}

void cli_build_steps_failed(const struct cli_build *build)
{
	ANSWER answer = {.event = "failed", .gain = NAN, .seconds = NAN};

	answer.error = cli_complaint(&answer.remedy);
	(void)tell_line(&answer, &build->program);
}

/* ---- the dialogue ------------------------------------------------------------------------------------- */

struct steps {
	struct cli_build *build;
	struct ft_sweep *sweep;
	struct cli_orders orders;
	struct ft_sweep_piece next; /* id 0: there is none */
	struct ran ran;             /* size.n = 0: none yet */
	double complete;            /* when it was last reported */
	bool answer;                /* the driver reads our answers */
	volatile sig_atomic_t stop; /* end the current run and start no other */
};

static bool tell_state(struct steps *steps, const char *event, struct ran *ran)
{
	ANSWER answer = {.event = event, .gain = NAN, .seconds = NAN, .ran = ran};

	ft_sweep_progress(steps->sweep, &answer.progress);
	steps->complete = answer.progress.complete;
	if (answer.progress.ended)
		answer.stop = ft_stop_text(answer.progress.stop);
	if (steps->next.id) {
		answer.next = &steps->next;
		answer.gain = steps->next.gain;
		answer.seconds = steps->next.expected_s;
	}
	return tell_line(&answer, &steps->build->program);
}

static void note_ran(void *ctx, const struct ft_run *run)
{
	struct steps *steps = ctx;
	double frozen_s = ft_run_value(run, &ft_frozen_s);

	free(steps->ran.detail);
	steps->ran = (struct ran){run->size, run->cost_s, frozen_s > 0 ? frozen_s : 0, run->outcome,
				  cli_strdup(run->detail)};
}

/* Called during a run: when the driver is gone, nothing else would end the run. */
static double hear_driver(void *ctx)
{
	struct steps *steps = ctx;

	orders_hear(&steps->orders);
	if (*cli_interrupt_flag() ||
	    (steps->orders.n && steps->orders.waiting[steps->orders.n - 1] == CLI_ORDER_GONE))
		steps->stop = 1;
	/* orders_frozen - afterwards: the length of each pause, once; 0: no more. */
	struct cli_orders *orders = &steps->orders;
	double seconds = orders->n_frozen ? orders->frozen_s[0] : 0;

	if (orders->n_frozen)
		memmove(orders->frozen_s, orders->frozen_s + 1,
			--orders->n_frozen * sizeof *orders->frozen_s);
	return seconds;
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

/* Runs that other processes added to the store may change which piece is next, or leave none. */
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

/* Until every piece is done. */
static enum ft_status converse(struct steps *steps, struct ft_err *err)
{
	enum ft_status status = look_ahead(steps, err);
	enum cli_order order = CLI_ORDER_RUN;

	steps->answer = !status && tell_state(steps, "ready", NULL);
	while (!status && steps->answer) {
		/* Wait for the next order, until it comes or *interrupt is set. No run is under way
		 * meanwhile that a pause could affect. */
		const volatile sig_atomic_t *interrupt = cli_interrupt_flag();
		struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
		sigset_t signals, before;

		/* One that comes between the look at the flag and the wait is not lost. */
		(void)sigemptyset(&signals);
		(void)sigaddset(&signals, SIGINT);
		(void)sigaddset(&signals, SIGTERM);
		(void)sigprocmask(SIG_BLOCK, &signals, &before);
		for (;;) {
			orders_hear(&steps->orders);
			if (*interrupt || steps->orders.n)
				break;
			if (steps->orders.n_frozen) {
				steps->orders.n_frozen = 0;
				continue;
			}
			(void)ppoll(&input, 1, NULL, &before);
		}
		(void)sigprocmask(SIG_SETMASK, &before, NULL);
		order = *interrupt ? CLI_ORDER_NONE : first(&steps->orders);
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
			steps->answer = tell_state(steps, "ready", NULL);
		else
			steps->answer = tell_state(steps, "ran", steps->ran.size.n ? &steps->ran : NULL);
	}
	return status;
}

/* The last line. */
static int tell_end(struct steps *steps, enum ft_status status, const struct ft_err *err)
{
	struct ft_sweep_report *report = &steps->build->report;
	ANSWER answer = {.event = "ended",
			 .gain = NAN,
			 .seconds = NAN,
			 .progress = {.runs = report->runs, .known = report->known, .points = report->points},
			 .stop = ft_stop_text(report->stop)};
	int result = status ? cli_error(err) : CLI_DONE;

	answer.progress.complete = steps->complete;
	answer.progress.ended = report->stop != FT_STOP_INTERRUPTED;
	if (status)
		answer.error = cli_complaint(&answer.remedy);
	if (result == CLI_WRONG)
		answer.event = "failed";
	(void)tell_line(&answer, &steps->build->program);
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
