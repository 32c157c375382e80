/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.c - from what the helper answered to runs and samples. */
#include "measure/record.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/number.h"
#include "base/text.h"
#include "base/utf8.h"
#include "measure/report.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const int64_t SECOND_NS = 1000000000;
/* What may be missing of the processor time for the waiting to be called known: a share; and what the last
 * steps of a few tasks take, after the kernel has told of them. The shortest program takes four times as
 * much. */
static const double MISSED_SHARE = 0.02, MISSED_S = 1e-4;
/* Where more than so much is, nothing is said of it. */
static const double MISSED_MOST = 0.6;
/* More processor time than so many times the wall time is that of several tasks; two clocks never agree. */
static const double ONE_TASK = 1.05;

/* ---- before ------------------------------------------------------------------------------------------ */

static bool read_text(const char *path, char *buffer, size_t size)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = file < 0 ? -1 : read(file, buffer, size - 1);

	if (file >= 0)
		(void)close(file);
	buffer[length > 0 ? length : 0] = '\0';
	return length > 0;
}

static double leading_number(const char *text)
{
	double value;

	return ft__number_scan(text, &text, &value) ? value : (double)NAN;
}

static double read_hz(int64_t now_ns, int64_t *hz_ns, double *hz)
{
	char text[4096];
	const char *at;
	double value;

	if (read_text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", text, sizeof text)) {
		value = 1e3 * leading_number(text);
		return value > 0 ? value : NAN;
	}
	if (*hz_ns && now_ns - *hz_ns < SECOND_NS)
		return *hz;
	*hz_ns = now_ns;
	*hz = NAN;
	if (read_text("/proc/cpuinfo", text, sizeof text) && (at = strstr(text, "\ncpu MHz")) &&
	    (at = strchr(at, ':'))) {
		value = 1e6 * leading_number(at + 1 + strspn(at + 1, " "));
		*hz = value > 0 ? value : NAN;
	}
	return *hz;
}

void ft__record_before(const struct ft_size *size, int64_t *hz_ns, double *hz, struct ft__before *before)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	before->size = *size;
	before->processors = processors > 0 ? (int)processors : 0;
	before->cpu_hz = read_hz(ft_clock_ns(), hz_ns, hz);
	ft__queue_read("", &before->queue);
	before->started_ns = ft_clock_real_ns();
}

/* ---- words ------------------------------------------------------------------------------------------- */

char *ft__record_detail(const struct ft__answer *answer)
{
	const char *at = answer->detail, *end = at + answer->reply.detail_length, *newline;
	struct ft_text text = {0};

	if (answer->reply.flags & FT__DETAIL_CUT) {
		newline = memchr(at, '\n', (size_t)(end - at));
		if (newline && newline + 1 < end)
			at = newline + 1;
	}
	while (end > at && (end[-1] == '\n' || end[-1] == ' ' || end[-1] == '\r'))
		end--;
	while (at < end) {
		size_t length = ft__utf8_length(at, (size_t)(end - at));

		if (length == 1 && ft__utf8_is_control(at) && *at != '\n' && *at != '\t')
			length = 0;
		ft_text_add_bytes(&text, length ? at : "?", length ? length : 1);
		at += length ? length : 1;
	}
	return ft_text_take(&text);
}

/* ---- runs -------------------------------------------------------------------------------------------- */

static enum ft_status begin_run(const struct ft__before *before, struct ft_run *run, struct ft_err *err)
{
	ft_run_init(run);
	run->size = before->size;
	run->started_ns = before->started_ns;
	run->load_before = before->queue.average;
	run->runnable_before = before->queue.runnable - 1; /* less foretime, which looked */
	run->processors = before->processors;
	run->cpu_hz = before->cpu_hz;
	run->version = ft_strdup(FT_VERSION);
	return run->version ? FT_OK : ft_nomem(err);
}

enum ft_status ft__record_failure(const struct ft__before *before, enum ft_outcome outcome,
				  const char *detail, struct ft_runs *runs, struct ft_err *err)
{
	struct ft_run run;
	enum ft_status status = begin_run(before, &run, err);

	run.outcome = outcome;
	run.detail = ft_strdup(detail);
	if (!status && detail && !run.detail)
		status = ft_nomem(err);
	if (!status)
		return ft_runs_take(runs, &run, err);
	ft_run_clear(&run);
	return status;
}

/* How it ended. What we ended is ours only if it did not end by itself just before. */
static void set_outcome(struct ft_run *run, const struct ft__reply *reply, bool invalid)
{
	int status = reply->wait_status;
	bool by_us = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;

	by_us |= (reply->flags & FT__NOT_ENDED) && run->cost_s > 0 && !status;
	if (by_us && (reply->flags & (FT__ENDED_AT_LIMIT | FT__ENDED_BY_CANCEL))) {
		run->outcome = reply->flags & FT__ENDED_AT_LIMIT ? FT_TIMED_OUT : FT_INTERRUPTED;
	} else if (by_us && (reply->flags & FT__ENDED_AS_STOPPED)) {
		run->outcome = FT_CRASHED;
		run->signal = SIGSTOP;
	} else if (reply->flags & FT__KILLED_FOR_MEMORY && status) {
		run->outcome = FT_OUT_OF_MEMORY;
		run->signal = SIGKILL;
	} else if (WIFSIGNALED(status)) {
		run->outcome = FT_CRASHED;
		run->signal = WTERMSIG(status);
	} else if (WEXITSTATUS(status)) {
		run->outcome = FT_FAILED;
		run->exit_status = WEXITSTATUS(status);
	} else {
		run->outcome = invalid ? FT_INVALID : FT_DONE;
	}
}

static enum ft_status add(struct ft_run *run, const char *resource, double value, const char *probe,
			  struct ft_err *err)
{
	return ft_run_add(run, resource, value, FT_MEASURED, probe, NULL, err);
}

static enum ft_status add_routine_samples(struct ft_run *run, const struct ft__routine *routine,
					  struct ft_err *err)
{
	enum ft_status status = add(run, "wall_s", routine->wall_s, "report", err);

	run->work = routine->work;
	return status ? status : add(run, "cpu_s", routine->cpu_s, "report", err);
}

/* Of what the process waited, a routine's part: of one task, where it did not compute; of several in the
 * proportion of their processor time. Who was not seen waited as much for each second as who was. */
static double delay_of(const struct ft__reply *reply, const struct ft__routine *routine, double seen)
{
	double cpu_s = reply->user_s + reply->system_s, delay_s = reply->run_delay_s / seen;

	if (!routine)
		return delay_s;
	if (routine->cpu_s <= ONE_TASK * routine->wall_s)
		return fmin(delay_s, fmax(0, routine->wall_s - routine->cpu_s));
	return delay_s * fmin(1, routine->cpu_s / cpu_s);
}

/* Whoever was not seen to the end may have waited for long, however little it did then: what little was
 * missed passes for measured, more for estimated. routine: NULL: of the process. */
static enum ft_status add_run_delay(struct ft_run *run, const struct ft__reply *reply,
				    const struct ft__routine *routine, struct ft_err *err)
{
	double cpu_s = reply->user_s + reply->system_s, missed_s = cpu_s - reply->exec_s;
	bool all = missed_s <= fmax(MISSED_SHARE * cpu_s, MISSED_S);
	struct ft_text text = {0};
	enum ft_status status;
	char *reason;

	if (reply->flags & FT__HAS_DELAY && (all || missed_s <= MISSED_MOST * cpu_s))
		return ft_run_add(run, "run_delay_s",
				  delay_of(reply, routine, all ? 1 : reply->exec_s / cpu_s),
				  routine || !all ? FT_ESTIMATED : FT_MEASURED, "schedstat", NULL, err);
	if (reply->flags & FT__HAS_DELAY)
		ft_text_add(&text,
			    "%.0f %% of the processor time went to tasks that ended before they were looked "
			    "at again; take sizes at which its tasks live longer",
			    fmax(1, 100 * missed_s / cpu_s));
	else
		ft_text_add(&text, "the kernel tells of no task how long it waited for a processor "
				   "(/proc/PID/schedstat); take a kernel with CONFIG_SCHED_INFO");
	reason = ft_text_take(&text);
	if (!reason)
		return ft_nomem(err);
	status = ft_run_add(run, "run_delay_s", NAN, FT_UNAVAILABLE, "schedstat", reason, err);
	ft_free(reason);
	return status;
}

/* The figures of the process; its times are those of the only routine where there is one. */
static enum ft_status add_samples(struct ft_run *run, const struct ft__reply *reply,
				  const struct ft__routine *only, struct ft_err *err)
{
	const struct {
		const char *resource;
		double value;
		bool time;
	} row[] = {
		{"wall_s", reply->wall_s, true},
		{"cpu_s", reply->user_s + reply->system_s, true},
		{"user_s", reply->user_s, true},
		{"system_s", reply->system_s, true},
		{"peak_rss_bytes", (double)reply->peak_rss_bytes, false},
		{"minor_faults", (double)reply->minor_faults, false},
		{"major_faults", (double)reply->major_faults, false},
		{"voluntary_switches", (double)reply->voluntary_switches, false},
		{"involuntary_switches", (double)reply->involuntary_switches, false},
	};
	enum ft_status status = only ? add_routine_samples(run, only, err) : FT_OK;
	size_t i;

	for (i = 0; !status && i < sizeof row / sizeof *row; i++)
		if (!only || !row[i].time)
			status = add(run, row[i].resource, row[i].value, "child", err);
	if (status)
		return status;
	if (reply->flags & FT__HAS_IO) {
		status = add(run, "read_bytes", (double)reply->read_bytes, "io", err);
		if (!status)
			status = add(run, "written_bytes", (double)reply->written_bytes, "io", err);
	}
	if (!status)
		status = add_run_delay(run, reply, only, err);
	if (status)
		return status;
	if (reply->flags & FT__NO_TREE)
		return ft_run_add(run, "peak_tree_bytes", NAN, FT_UNAVAILABLE, "tree",
				  "/proc does not show our processes: mount proc on /proc", err);
	return ft_run_add(run, "peak_tree_bytes", (double)reply->peak_tree_bytes,
			  reply->flags & FT__TREE_GUESSED ? FT_ESTIMATED : FT_MEASURED, "tree", NULL, err);
}

/* Words about a run that did not end well. */
static enum ft_status add_detail(struct ft_run *run, const char *file, const struct ft__answer *answer,
				 struct ft_err *err)
{
	struct ft_text text = {0};
	char *words;

	if (run->outcome == FT_DONE)
		return FT_OK;
	words = ft__record_detail(answer);
	if (!words)
		return ft_nomem(err);
	if (answer->reply.start_errno)
		ft_text_add(&text, "cannot execute '%s': %s", file, strerror(answer->reply.start_errno));
	else
		ft_text_add(&text, "%s", words);
	if (answer->reply.flags & FT__ENDED_AS_STOPPED)
		ft_text_add(&text, "%sit stopped itself, and nobody would have continued it",
			    text.length ? "\n" : "");
	if (answer->reply.flags & FT__NOT_ENDED)
		ft_text_add(&text, "%sa process of it could not be ended", text.length ? "\n" : "");
	ft_free(words);
	if (!text.length && !text.failed) {
		ft_text_clear(&text);
		return FT_OK;
	}
	run->detail = ft_text_take(&text);
	return run->detail ? FT_OK : ft_nomem(err);
}

/* What was known once everything had ended. The helper looked, and foretime slept. */
static void set_after(struct ft_run *run, const struct ft__before *before, const struct ft__reply *reply)
{
	run->runnable_after = reply->queue.runnable - 1;
	run->pressure = ft__queue_pressure(before->queue.waited_s, reply->queue.waited_s,
					   (double)(reply->queue.at_ns - before->queue.at_ns) / 1e9);
}

static enum ft_status add_process(const struct ft__before *before, const char *file,
				  const struct ft__answer *answer, const struct ft__report *report,
				  struct ft_runs *runs, struct ft_err *err)
{
	const struct ft__reply *reply = &answer->reply;
	struct ft_run run;
	enum ft_status status = begin_run(before, &run, err);

	if (reply->start_errno) {
		run.outcome = FT_NOT_STARTED;
	} else {
		run.cost_s = reply->wall_s;
		set_after(&run, before, reply);
		set_outcome(&run, reply, report->invalid);
		if (!status)
			status = add_samples(
				&run, reply,
				run.outcome == FT_DONE && report->n == 1 ? report->routine : NULL, err);
	}
	if (!status)
		status = add_detail(&run, file, answer, err);
	if (!status)
		return ft_runs_take(runs, &run, err);
	ft_run_clear(&run);
	return status;
}

static enum ft_status add_routine(const struct ft__before *before, const struct ft__routine *routine,
				  const struct ft__reply *reply, struct ft_runs *runs, struct ft_err *err)
{
	struct ft_run run;
	enum ft_status status = begin_run(before, &run, err);

	run.cost_s = reply->wall_s;
	set_after(&run, before, reply);
	run.routine = ft_strdup(routine->name);
	if (!status && !run.routine)
		status = ft_nomem(err);
	if (!status)
		status = add_routine_samples(&run, routine, err);
	if (!status)
		status = add_run_delay(&run, reply, routine, err);
	if (!status)
		return ft_runs_take(runs, &run, err);
	ft_run_clear(&run);
	return status;
}

enum ft_status ft__record_answer(const struct ft__before *before, const char *file,
				 const struct ft__answer *answer, struct ft_runs *runs, struct ft_err *err)
{
	struct ft__report report;
	size_t i, at = runs->n;
	enum ft_status status = ft__report_parse(answer->report, answer->reply.report_length, &report, err);

	if (!status)
		status = add_process(before, file, answer, &report, runs, err);
	if (!status && runs->run[at].outcome == FT_DONE && report.n > 1)
		for (i = 0; !status && i < report.n; i++)
			status = add_routine(before, &report.routine[i], &answer->reply, runs, err);
	ft__report_clear(&report);
	return status;
}
