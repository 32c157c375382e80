/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contract.c - compares a run with its prediction while it runs, and warns in time. */
#include "cli/cli.h"
#include "cli/run/run.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The time between two readings of the memory limit. */
static const double limit_again_s = 1;

static const double usual_confidence = 0.99;

/* A share of the time that is worth a word. */
static const double answer_waiting = 0.02;

/* ---- what was predicted -------------------------------------------------------------------------------- */

/* Whether the modelled time is that of a reported routine, whose start cannot be observed. */
static bool is_routine(const struct ft_answerer *answerer)
{
	const struct ft_runs *runs = ft_ask_runs(answerer);
	const struct ft_run *run = runs->n ? &runs->run[runs->n - 1] : NULL;

	for (size_t i = 0; run && i < run->n_samples; i++)
		if (run->sample[i].resource == &ft_wall_s)
			return !strcmp(run->sample[i].probe, "report");
	return false;
}

/* false: no prediction. If there is a model, c->why has the reason: the size is out of reach, or the
 * background load cannot be observed. */
static bool ask_promise(struct cli_contract *c, const struct ft_resource *resource, struct ft_prediction *out)
{
	return ft_ask_has(c->models.answerer, resource) &&
	       !ft_ask_predict(c->models.answerer, resource, &c->size, c->confidence, out, &c->why);
}

static int find_promise(struct cli_contract *c)
{
	struct ft_prediction wall, peak;

	/* With several processes their sum, if it is known. */
	c->promise = (struct ft_promise){NAN, NAN, NAN, NAN, NAN};
	if (is_routine(c->models.answerer))
		cli_note("the model is of a routine that the program reports: it predicts no time of the "
			 "whole program");
	else if (ask_promise(c, &ft_wall_s, &wall))
		c->promise.wall_s = wall.value,
		c->promise.upper_s = isfinite(wall.upper) ? wall.upper : (double)NAN;
	else if (c->beside.view && ft_ask_has(c->models.answerer, &ft_wall_s))
		return cli_error(&c->why);
	c->peak = ask_promise(c, &ft_peak_tree_bytes, &peak)  ? &ft_peak_tree_bytes
		  : ask_promise(c, &ft_peak_rss_bytes, &peak) ? &ft_peak_rss_bytes
							      : NULL;
	if (c->peak) {
		c->promise.peak_bytes = peak.value;
		c->promise.upper_bytes = isfinite(peak.upper) ? peak.upper : (double)NAN;
		c->promise.least_bytes = peak.lower;
	}
	if (!isnan(c->promise.upper_s) || !isnan(c->promise.upper_bytes))
		return CLI_DONE;
	if (c->why.status)
		return cli_error(&c->why);
	return cli_fail("the model of %s predicts neither a time nor a peak of memory\n"
			"hint: foretime show %s lists what is known of it",
			c->name, c->name);
}

/* ---- warnings ------------------------------------------------------------------------------------- */

static void say_breach(struct cli_contract *c, const struct ft_breach *breach)
{
	char share[FT_UNIT_LENGTH], *when;

	c->breach[c->n_breaches++] = *breach;
	when = isnan(breach->done) ? cli_strdup("")
				   : cli_printed(" (%s done)", ft_share_format(breach->done, share));
	if (breach->kind == FT_BREACH_LATE) {
		char text[3][FT_UNIT_LENGTH];

		if (breach->at_s > breach->promised)
			(void)cli_fail("%s is late: %s have gone%s, and it was to take %s at most", c->name,
				       ft_value_format(breach->at_s, "s", text[0]), when,
				       ft_value_format(breach->promised, "s", text[1]));
		else
			(void)cli_fail("%s will be late: after %s%s it looks like %s in all, and it was to "
				       "take %s at most",
				       c->name, ft_value_format(breach->at_s, "s", text[0]), when,
				       ft_value_format(breach->value, "s", text[1]),
				       ft_value_format(breach->promised, "s", text[2]));
		char words[2][FT_UNIT_LENGTH];

		if (c->waited_s > 0 && (c->over || breach->value > breach->at_s) &&
		    breach->value * (1 - c->waited_s / breach->at_s) <= breach->promised)
			cli_hint("it waited for other processes in %s of %s, and would be in time on an idle "
				 "machine: run it elsewhere (foretime plan rank %s), or predict under this "
				 "load (--load now)",
				 ft_value_format(c->waited_s, "s", words[0]),
				 ft_value_format(breach->at_s, "s", words[1]), c->name);
		else if (breach->value > breach->at_s)
			cli_hint("let its limit be %s or more, or end it and run it elsewhere: foretime plan "
				 "rank %s",
				 ft_value_format(breach->value, "s", words[0]), c->name);
		else
			cli_hint("see what it waits for, or end it and run it elsewhere: foretime plan rank "
				 "%s",
				 c->name);
	} else if (breach->kind == FT_BREACH_LARGE) {
		char words[3][FT_UNIT_LENGTH];

		(void)cli_fail(
			"%s uses more memory than predicted: %s after %s, and at most %s was predicted\n"
			"hint: see whether it is the program that was measured (foretime show %s); foretime "
			"run --save %s lets the model learn from such runs",
			c->name, ft_value_format(breach->value, "bytes", words[0]),
			ft_value_format(breach->at_s, "s", words[1]),
			ft_value_format(breach->promised, "bytes", words[2]), c->name, c->name);
	} else {
		char words[4][FT_UNIT_LENGTH], *by = cli_strdup("");

		if (breach->when_s > 0) {
			free(by);
			by = cli_printed(", there after %s", ft_value_format(breach->when_s, "s", words[3]));
		}
		(void)cli_fail(
			"%s will be out of memory: it needs %s, and there are %s%s\n"
			"hint: end it, and give it %s; or run what fits: foretime largest %s memory=%s",
			c->name, ft_value_format(breach->value, "bytes", words[0]),
			ft_value_format(breach->promised, "bytes", words[1]), by,
			ft_value_format(breach->value, "bytes", words[2]), c->name,
			ft_number_format(floor(breach->promised), words[1]));
		free(by);
	}
	free(when);
}

/* ---- while it runs ------------------------------------------------------------------------------------ */

static void keep_log(struct cli_contract *c, double seconds, double done, double total)
{
	char text[3][FT_NUMBER_LENGTH];

	if (!c->log_file.file)
		return;
	cli_csv_cell(c->log_file.file, c->name ? c->name : c->eta->name);
	fprintf(c->log_file.file, ",%s,%s,%s\n", ft_number_format(seconds, text[0]),
		ft_number_format(done, text[1]), ft_number_format(total, text[2]));
}

static void take_limit(struct cli_contract *c, const struct ft_moment *now)
{
	double left;

	if (now->time_s < c->limit_s)
		return;
	c->limit_s = now->time_s + limit_again_s;
	c->limit_bytes = ft_memory_limit_bytes("", &left, NULL, NULL) ? (double)NAN : left + now->bytes;
}

static bool look_at_run(void *ctx, const struct ft_moment *moment)
{
	struct cli_contract *c = ctx;
	struct ft_moment now = *moment;
	struct ft_outlook_look at = {.time_s = now.time_s, .done = NAN, .bytes = now.bytes};
	struct ft_breach breach;

	if (c->peak == &ft_peak_rss_bytes)
		at.one_bytes = now.largest_bytes;
	c->waited_s = cli_run_waited_s(&now);

	if (c->progress)
		ft_printed_get(c->printed, &now.done, &now.total);
	take_limit(c, &now);
	at.limit_bytes = c->limit_bytes;
	if (now.total > 0) {
		at.done = now.done / now.total;
		if (now.done != c->last.done || now.total != c->last.total)
			keep_log(c, now.time_s, now.done, now.total);
	}
	c->last = now;
	if (c->eta)
		cli_eta_look(c->eta, &now, c->waited_s);
	while (c->name && ft_outlook_look(&c->outlook, &at, &breach))
		say_breach(c, &breach);
	return !(c->end && c->n_breaches) && !c->cut;
}

/* The interval of checks for an interrupt while nothing reads our output. */
enum { LOOK_MS = 100 };

/* Write all of it and block as the program would, until an interrupt. */
static bool pass_on(int file, const char *bytes, size_t length)
{
	while (length) {
		struct pollfd room = {.fd = file, .events = POLLOUT};

		if (poll(&room, 1, LOOK_MS) <= 0) {
			if (*cli_interrupt_flag())
				return false;
			continue;
		}
		ssize_t put = write(file, bytes,
				    length < PIPE_BUF ? length : PIPE_BUF); /* a pipe has room for that */
		if (put < 0 && errno != EINTR && errno != EAGAIN)
			return false;
		bytes += put > 0 ? put : 0;
		length -= put > 0 ? (size_t)put : 0;
	}
	return true;
}

static void hear_output(void *ctx, int stream, const char *bytes, size_t length)
{
	struct cli_contract *c = ctx;

	c->cut = c->cut || !pass_on(stream, bytes, length);
	ft_printed_read(c->printed, stream, bytes, length);
}

/* ---- before, and after -------------------------------------------------------------------------------- */

int cli_contract_open(struct cli_contract *c, const char *store_path, char *const *word, size_t n,
		      struct ft_launch *launch)
{
	struct ft_ask_load load;
	struct ft_err err = {0};

	if (!c->name && (c->end || !isnan(c->confidence) || c->beside.view ||
			 (!c->eta && (c->progress || c->like || c->log))))
		return cli_fail("--progress, --confidence and --load are about a --contract NAME");
	if (!c->name && !c->eta)
		return CLI_DONE;
	if (c->name) {
		if (isnan(c->confidence))
			c->confidence = usual_confidence;
		CLI_TRY(cli_beside_read(&c->beside, &load));
		CLI_TRY(cli_models_open(&c->models, store_path, c->name, NULL, NULL));
		if (cli_run_size(c->models.answerer, word, n, &c->size, &err))
			return cli_error(&err);
		ft_ask_under(c->models.answerer, &load);
		CLI_TRY(find_promise(c));
	}
	if (c->eta)
		CLI_TRY(cli_eta_open(c->eta, store_path, word, n));
	if (c->progress && ft_printed_new(&c->printed, c->progress, &err))
		return cli_error_at(&err, "--progress");
	if (c->like && ft_stages_read(c->like, &c->normal, &c->n_normal, &err))
		return cli_error(&err);
	if (c->log)
		CLI_TRY(cli_output_open(&c->log_file, c->log, stdout));
	if (c->log)
		fprintf(c->log_file.file, "processor,seconds,done,total\n");
	if (c->eta && c->like &&
	    ft_eta_learned(&c->eta->eta, FT_ADVANCE_REPORT, c->normal, c->n_normal, &err))
		return cli_error_at(&err, "%s", c->like);
	if (ft_outlook_begin(&c->outlook, &c->promise, c->normal, c->n_normal, &err))
		return cli_error_at(&err, "%s", c->like);
	c->watcher = (struct ft_watcher){look_at_run, c->progress ? hear_output : NULL, c};
	launch->watcher = &c->watcher;
	return CLI_DONE;
}

static bool was_warned(const struct cli_contract *c, enum ft_breach_kind kind)
{
	for (size_t i = 0; i < c->n_breaches; i++)
		if (c->breach[i].kind == kind)
			return true;
	return false;
}

/* What changed between two checks. */
static void add_last(struct cli_contract *c, enum ft_breach_kind kind, double value, double promised)
{
	const struct ft_breach breach = {kind, c->wall_s, NAN, value, value, promised, NAN};

	if (value > promised && !was_warned(c, kind))
		say_breach(c, &breach);
}

void cli_contract_end(struct cli_contract *c, const struct ft_run *run)
{
	if (!c->name && !c->eta)
		return;
	c->over = run->outcome == FT_DONE;
	c->wall_s = ft_run_value(run, &ft_wall_s);
	c->waited_s = isnan(ft_run_value(run, &ft_run_delay_s)) ? (double)NAN
								: c->wall_s - ft_run_alone(run).wall_s;
	c->peak_bytes = c->peak ? ft_run_value(run, c->peak) : (double)NAN;
	if (c->printed) {
		double done, total;

		ft_printed_end(c->printed);
		ft_printed_get(c->printed, &done, &total);
		c->last.total = total > 0 ? total : c->last.total;
	}
	if (run->outcome == FT_DONE && c->last.total > 0)
		keep_log(c, c->wall_s, c->last.total, c->last.total);
	(void)cli_output_close(&c->log_file, true);
	if (c->eta)
		cli_eta_end(c->eta, c->wall_s, ft_run_alone(run).wall_s, c->over);
	if (!c->name)
		return;
	add_last(c, FT_BREACH_LATE, c->wall_s, c->promise.upper_s);
	add_last(c, FT_BREACH_LARGE, c->peak_bytes, c->promise.upper_bytes);
	c->kept = !c->n_breaches;
}

void cli_contract_print(const struct cli_contract *c, FILE *file)
{
	char text[2][FT_UNIT_LENGTH];

	if (!c->name)
		return;
	fprintf(file, "contract with %s: %s", c->name, c->kept ? "kept" : "broken");
	if (!isnan(c->promise.upper_s))
		fprintf(file, "; %s of %s at most", ft_value_format(c->wall_s, "s", text[0]),
			ft_value_format(c->promise.upper_s, "s", text[1]));
	if (c->waited_s > answer_waiting * c->wall_s)
		fprintf(file, ", waiting for other processes %s", ft_value_format(c->waited_s, "s", text[0]));
	if (!isnan(c->promise.upper_bytes))
		fprintf(file, "; %s of %s at most", ft_value_format(c->peak_bytes, "bytes", text[0]),
			ft_value_format(c->promise.upper_bytes, "bytes", text[1]));
	fputc('\n', file);
}

void cli_contract_close(struct cli_contract *c)
{
	(void)cli_output_close(&c->log_file, false);
	ft_printed_free(c->printed);
	free(c->normal);
	cli_models_close(&c->models);
}

/* ---- as JSON ------------------------------------------------------------------------------------------ */

static const struct ft_tell_row breach_rows[] = {
	{FT_TELL_BY(WORD, "kind", struct ft_breach, kind), .word = ft_breach_text,
	 .words = "late|large|out of memory"},
	{FT_TELL(struct ft_breach, at_s), .about = "when it was reported, since the run began"},
	{FT_TELL(struct ft_breach, done), .about = "share of the work, then", .null = "not known"},
	{FT_TELL(struct ft_breach, value),
	 .about = "late: seconds in all; else bytes that it holds (large) or will need"},
	{FT_TELL(struct ft_breach, least), .about = "lower bound, at the contract's confidence"},
	{FT_TELL_AS("limit", struct ft_breach, promised),
	 .about = "upper bound of the prediction; out of memory: available memory"},
	{FT_TELL(struct ft_breach, when_s), .about = "when it will be out of memory, since the run began",
	 .null = "not predicted"},
	{0},
};
static const struct ft_tell_record breaches = {.bytes = sizeof(struct ft_breach), .row = breach_rows};

static const struct ft_tell_row rows[] = {
	{FT_TELL(struct cli_contract, name)},
	{FT_TELL(struct cli_contract, confidence)},
	{FT_TELL_AS("met", struct cli_contract, kept)},
	{FT_TELL_AS("limit_s", struct cli_contract, promise.upper_s), .null = "no upper bound"},
	{FT_TELL_AS("typical_s", struct cli_contract, promise.wall_s), .null = "no model"},
	{FT_TELL(struct cli_contract, waited_s), .about = "time spent waiting for other processes",
	 .null = "not known"},
	{FT_TELL_AS("limit_bytes", struct cli_contract, promise.upper_bytes), .null = "no upper bound"},
	{FT_TELL_AS("typical_bytes", struct cli_contract, promise.peak_bytes), .null = "no model"},
	{FT_TELL_MANY(ARRAY, "breaches", struct cli_contract, breach, n_breaches, &breaches)},
	{0},
};
const struct ft_tell_record cli_contract_answer = {
	.about = "the run compared with its prediction", .bytes = sizeof(struct cli_contract), .row = rows};
