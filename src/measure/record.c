/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.c - from what the helper answered to runs and samples. */
#include "measure/record.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/number.h"
#include "base/text.h"
#include "base/utf8.h"
#include "measure/guard.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const int64_t SECOND_NS = 1000000000;

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
	const char *at = answer->detail, *end = at + answer->reply.detail_length;
	struct ft_text text = {0};

	if (answer->reply.flags & FT__DETAIL_CUT) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
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

/* It is complete, or cannot be. */
static enum ft_status end_run(struct ft_run *run, enum ft_status status, struct ft_runs *runs,
			      struct ft_err *err)
{
	if (!status)
		return ft_runs_take(runs, run, err);
	ft_run_clear(run);
	return status;
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
	return end_run(&run, status, runs, err);
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
	} else if (reply->flags & FT__MEMORY_KILLS || (reply->flags & FT__KILLED_FOR_MEMORY && status)) {
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

/* Words of ours, and before them what the program said of a run that did not end well. */
static enum ft_status add_detail(struct ft_run *run, const char *file, const struct ft__answer *answer,
				 const struct ft__report *report, struct ft_err *err)
{
	struct ft_text text = {0};
	char *words = ft__record_detail(answer);

	if (!words)
		return ft_nomem(err);
	if (answer->reply.start_errno)
		ft_text_add(&text, "cannot execute '%s': %s", file, strerror(answer->reply.start_errno));
	else if (run->outcome != FT_DONE)
		ft_text_add(&text, "%s", words);
	if (answer->reply.flags & FT__ENDED_AS_STOPPED)
		ft_text_add(&text, "%sit stopped itself, and no process would have continued it",
			    text.length ? "\n" : "");
	if (run->outcome == FT_OUT_OF_MEMORY && !answer->reply.wait_status)
		ft_text_add(&text,
			    "%sit ended with status 0, but the kernel killed a process of it for memory",
			    text.length ? "\n" : "");
	if (answer->reply.flags & FT__NOT_ENDED)
		ft_text_add(&text, "%sa process of it could not be ended", text.length ? "\n" : "");
	if (report->more)
		ft_text_add(&text, "%sit reported more than %d routines: the first %d are kept",
			    text.length ? "\n" : "", FT__ROUTINES_MAX, FT__ROUTINES_MAX);
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

/* Whose times stand for those of the process. */
static const struct ft__routine *find_only(const struct ft__report *report)
{
	static const struct ft__routine unknown = {.work = (double)NAN, .cut = true};

	if (!report->n && report->cut)
		return &unknown;
	return report->n == 1 ? report->routine : NULL;
}

static enum ft_status add_process(const struct ft__before *before, const char *file,
				  const struct ft__answer *answer, const struct ft__report *report,
				  struct ft__probes *probes, struct ft_runs *runs, struct ft_err *err)
{
	const struct ft__reply *reply = &answer->reply;
	struct ft__result result = {answer, NULL};
	struct ft_run run;
	enum ft_status status = begin_run(before, &run, err);

	if (reply->start_errno) {
		run.outcome = FT_NOT_STARTED;
	} else {
		run.cost_s = fmax(0, ft__answer_wall_s(answer));
		run.left_running = reply->flags & FT__NOT_ENDED;
		set_after(&run, before, reply);
		set_outcome(&run, reply, report->invalid);
		if (run.outcome == FT_DONE)
			result.routine = find_only(report);
		if (!status)
			status = ft__probes_read(probes, &result, &run, err);
	}
	if (!status)
		status = add_detail(&run, file, answer, report, err);
	return end_run(&run, status, runs, err);
}

static enum ft_status add_routine(const struct ft__before *before, const struct ft__result *result,
				  struct ft__probes *probes, struct ft_runs *runs, struct ft_err *err)
{
	struct ft_run run;
	enum ft_status status = begin_run(before, &run, err);

	run.cost_s = fmax(0, ft__answer_wall_s(result->answer));
	set_after(&run, before, &result->answer->reply);
	run.routine = ft_strdup(result->routine->name);
	if (!status && !run.routine)
		status = ft_nomem(err);
	if (!status)
		status = ft__probes_read_routine(probes, result, &run, err);
	return end_run(&run, status, runs, err);
}

/* Nothing was measured: that says so, for the resources that each run has. */
static enum ft_status add_lost(struct ft_run *run, struct ft_err *err)
{
	static const struct ft_resource *const resources[] = {&ft_wall_s, &ft_cpu_s, &ft_peak_rss_bytes};
	const struct ft_err why = {.text = "foretime-helper was ended during the run",
				   .remedy = "see whether the program ends its parent process"};
	enum ft_status status = FT_OK;

	for (size_t i = 0; !status && i < sizeof resources / sizeof *resources; i++)
		status = ft__add_unavailable(run, resources[i], "child", &why, err);
	return status;
}

enum ft_status ft__record_lost(const struct ft__before *before, bool real, int ended, struct ft_runs *runs,
			       struct ft_err *err)
{
	bool clean = WIFEXITED(ended) && WEXITSTATUS(ended) == FT__GUARD_NOTHING_LEFT;
	struct ft__reply reply = {.wait_status = real ? ended : SIGKILL};
	struct ft_text text = {0};
	struct ft_run run;
	enum ft_status status = begin_run(before, &run, err);

	ft_text_add(&text,
		    "foretime-helper, its parent process, was ended during the run, perhaps by the program "
		    "itself; %s",
		    real    ? "nothing was measured"
		    : clean ? "all of it was ended"
			    : "something of it may still run");
	run.detail = ft_text_take(&text);
	run.cost_s = 1e-9 * (double)(ft_clock_real_ns() - before->started_ns);
	set_outcome(&run, &reply, false);
	if (!status && !run.detail)
		status = ft_nomem(err);
	if (!status)
		status = add_lost(&run, err);
	return end_run(&run, status, runs, err);
}

enum ft_status ft__record_answer(const struct ft__before *before, const char *file,
				 const struct ft__answer *answer, struct ft__probes *probes,
				 struct ft_runs *runs, struct ft_err *err)
{
	struct ft__report report = {.cut = answer->reply.flags & FT__HAS_REPORT && answer->report < 0};
	size_t at = runs->n;
	enum ft_status status = FT_OK;

	if (answer->report >= 0)
		status = ft__report_read(&report, answer->report, err);
	if (!status)
		status = add_process(before, file, answer, &report, probes, runs, err);
	if (!status && runs->run[at].outcome == FT_DONE && report.n > 1)
		for (size_t i = 0; !status && i < report.n; i++)
			status = add_routine(before, &(struct ft__result){answer, &report.routine[i]}, probes,
					     runs, err);
	ft__report_clear(&report);
	return status;
}
