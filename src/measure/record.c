/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.c - turns the helper's replies into runs and samples. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/number.h"
#include "base/text.h"
#include "foretime/base.h"
#include "foretime/measure.h"
#include "measure/gauge.h"
#include "measure/measure.h"

#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Turn the helper's looks at the tree of processes into the peak of a run, and its trace.
 */

void ft_usage_clear(struct ft_usage *usage)
{
	if (!usage)
		return;
	ft_free(usage->point);
	*usage = (struct ft_usage){0};
}

/* The kernel's ticks are 10 ms. Looks closer than ten of them share their processor time, otherwise a
 * processor would alternately seem idle and to be two. */
static const double TICKS_LEAST_S = 0.1;

/* The excess over all processors from which a stretch has to share with its neighbour: two ticks, or the
 * difference of two clocks that are read one after the other. */
static const double TICKS_OFF_S = 0.02, CLOCK_OFF_S = 0.001;

/* Points from first to last that have one use of processors: what was used since the point before first. */
struct usage_stretch {
	size_t first, last;
	double used_s, seconds;
};

/* Use of processors between the points, from the processor time up to each. The rest at the end may be
 * shorter than the least stretch; and time of a process that ends before it is read (a tick, a child whose
 * parent waits for it) appears late, as more than all processors. Both are merged with the stretch before,
 * where that time was used. */
static void set_processors(struct ft_usage *usage, const double *cpu_s, bool ticks, double most,
			   struct usage_stretch *stretch)
{
	struct ft_usage_point *point = usage->point;
	double least_s = ticks ? TICKS_LEAST_S : 0, off_s = ticks ? TICKS_OFF_S : CLOCK_OFF_S;
	size_t n = 0, end;

	for (size_t i = 1; i < usage->n; i = end + 1) {
		for (end = i; end + 1 < usage->n && point[end].time_s - point[i - 1].time_s < least_s; end++)
			;
		/* A process whose parent does not reap it takes its time with it: the sum can fall, use
		 * cannot. */
		stretch[n++] = (struct usage_stretch){i, end, fmax(0, cpu_s[end] - cpu_s[i - 1]),
						      point[end].time_s - point[i - 1].time_s};
		while (n > 1 && (stretch[n - 1].seconds < least_s ||
				 stretch[n - 1].used_s > most * stretch[n - 1].seconds + off_s)) {
			stretch[n - 2].last = stretch[n - 1].last;
			stretch[n - 2].used_s += stretch[n - 1].used_s;
			stretch[n - 2].seconds += stretch[n - 1].seconds;
			n--;
		}
	}
	for (size_t i = 0; i < n; i++)
		for (size_t k = stretch[i].first; k <= stretch[i].last; k++)
			point[k].processors = stretch[i].seconds > 0
						      ? fmin(most, stretch[i].used_s / stretch[i].seconds)
						      : 0;
	if (usage->n > 1)
		point[0].processors = point[1].processors;
}

/* How many of the looks count: not those that began before the end was seen, and after it; nor those at
 * which an ending program held nothing any more. */
static size_t count_looks(const struct ft__answer *answer)
{
	size_t n = answer->n_moments;

	while (n > 1 &&
	       (answer->trace[n - 1].time_s > answer->reply.wall_s || !answer->trace[n - 1].rss_bytes))
		n--;
	return n;
}

enum ft_status ft__usage_read(struct ft_usage *usage, const struct ft__answer *answer, double processors,
			      struct ft_err *err)
{
	const struct ft__reply *reply = &answer->reply;
	bool ticks = reply->flags & FT__TRACE_TICKS;
	size_t i, n = count_looks(answer);

	if (!n)
		return FT_OK;
	usage->point = ft_calloc(n + 1, sizeof *usage->point);
	double *cpu_s = ft_calloc(n + 1, sizeof *cpu_s);
	struct usage_stretch *stretch = ft_calloc(n + 1, sizeof *stretch);
	if (!usage->point || !cpu_s || !stretch) {
		ft_free(cpu_s);
		ft_free(stretch);
		ft_usage_clear(usage);
		return ft_nomem(err);
	}
	for (i = 0; i < n; i++) {
		usage->point[i] = (struct ft_usage_point){.time_s = answer->trace[i].time_s,
							  .rss_bytes = (double)answer->trace[i].rss_bytes,
							  .processes = (double)answer->trace[i].processes};
		cpu_s[i] = answer->trace[i].cpu_s;
	}
	usage->n = n;
	/* The looks end before the run does. The rest is a point by itself if it is as long as the distance of
	 * looks; a shorter rest belongs to the last look, whose point is moved to the end: its time is a
	 * difference of two clocks (0.2 ms of a sleep were six processors at work). No look sees the memory at the
	 * begin and at the end, and one during an exec sees none: 0 bytes were never held. These points get the
	 * value of the look before, at the begin that of the first one, and the peak in a run without looks. */
	struct ft_usage_point seen = {.rss_bytes = (double)reply->peak_tree_bytes, .processes = 1},
			      *last = &usage->point[usage->n - 1];
	double rest_s = reply->wall_s - last->time_s;

	if (rest_s > 0 && usage->n > 1 &&
	    rest_s < fmax(last->time_s - last[-1].time_s, ticks ? TICKS_LEAST_S : 0)) {
		last->time_s = reply->wall_s;
	} else if (rest_s > 0) {
		last[1] = *last;
		last[1].time_s = reply->wall_s;
		usage->n++;
	}
	for (size_t k = usage->n; k-- > 0;)
		if (usage->point[k].rss_bytes > 0)
			seen = usage->point[k];
	for (size_t k = 0; k < usage->n; k++) {
		if (usage->point[k].rss_bytes > 0)
			seen = usage->point[k];
		usage->point[k].rss_bytes = seen.rss_bytes;
		usage->point[k].processes = seen.processes;
	}
	if (usage->n > 1) /* the kernel's total for the run is exact */
		cpu_s[usage->n - 1] = reply->flags & FT__NOT_ENDED ? answer->trace[n - 1].cpu_s
								   : reply->user_s + reply->system_s;
	set_processors(usage, cpu_s, ticks, processors, stretch);
	ft_free(cpu_s);
	ft_free(stretch);
	return FT_OK;
}

/* ---- the probe --------------------------------------------------------------------------------------- */

struct tree {
	struct ft_usage *usage; /* borrowed; NULL: no trace is wished for */
};

static enum ft_status open_tree(void **state, const struct ft_launch *launch, struct ft__client *client,
				struct ft_err *err)
{
	struct tree *tree = ft_calloc(1, sizeof *tree);

	(void)client;
	*state = tree;
	if (!tree)
		return ft_nomem(err);
	tree->usage = launch->usage;
	return FT_OK;
}

static bool arm_tree(void *state, struct ft__order *order)
{
	struct tree *tree = state;

	if (tree->usage)
		order->flags |= FT__TRACE;
	ft_usage_clear(tree->usage);
	return false;
}

static enum ft_status read_tree(void *state, const struct ft__result *result, struct ft_run *run,
				struct ft_err *err)
{
	const struct ft__reply *reply = &result->answer->reply;
	struct tree *tree = state;
	struct ft_err why = {0};
	enum ft_status status;

	if (reply->flags & FT__NO_TREE)
		status = ft_run_add(run, &ft_peak_tree_bytes, NAN, FT_UNAVAILABLE, "tree",
				    "/proc does not show our processes: mount proc on /proc", err);
	else if (!reply->peak_tree_bytes && ft__not_ended(reply, &why))
		status = ft__add_unavailable(run, &ft_peak_tree_bytes, "tree", &why, err);
	else
		status = ft_run_add(run, &ft_peak_tree_bytes, (double)reply->peak_tree_bytes,
				    reply->flags & (FT__TREE_GUESSED | FT__NO_REAPER) ? FT_ESTIMATED
										      : FT_MEASURED,
				    "tree", NULL, err);
	if (status || !tree->usage)
		return status;
	return ft__usage_read(tree->usage, result->answer, fmax(1, (double)sysconf(_SC_NPROCESSORS_ONLN)),
			      err);
}

const struct ft__probe_ops ft__tree_probe = {
	.open = open_tree, .close = ft_free, .arm = arm_tree, .read = read_tree};

/*
 * Derive from the trace of a run how many cores it used, and for how long.
 */

/* More than 1.5 cores is parallel, and the number of cores covers this share of the parallel time. */
static const double parallel = 1.5, most_of_it = 0.9;

struct usage_job_stretch {
	double processors, seconds;
};

static int by_processors(const void *a, const void *b)
{
	const struct usage_job_stretch *p = a, *q = b;

	return (p->processors > q->processors) - (p->processors < q->processors);
}

/* The quantile of busy cores, by time. */
static double cores_of(struct usage_job_stretch *stretch, size_t n, double seconds)
{
	double below = 0;
	size_t i;

	if (!n)
		return 1;
	qsort(stretch, n, sizeof *stretch, by_processors);
	for (i = 0; i + 1 < n && (below += stretch[i].seconds) < most_of_it * seconds; i++)
		;
	return fmax(2, round(stretch[i].processors));
}

bool ft_usage_job(const struct ft_usage *usage, struct ft_usage_job *out)
{
	struct usage_job_stretch *stretch = ft_calloc(usage->n + 1, sizeof *stretch);
	double seconds = 0;
	size_t n = 0;

	*out = (struct ft_usage_job){.cores = 1};
	for (size_t i = 1; stretch && i < usage->n; i++) {
		double length = usage->point[i].time_s - usage->point[i - 1].time_s;

		out->wall_s += length;
		if (usage->point[i].processors > parallel) {
			stretch[n++] = (struct usage_job_stretch){usage->point[i].processors, length};
			seconds += length;
		}
	}
	if (stretch)
		out->cores = cores_of(stretch, n, seconds);
	/* The processor time above that of one core, on the other n - 1: no stretch is cut to n, so that
	 * an excess in one and a lack in its neighbour cancel. */
	for (size_t i = 1; out->cores > 1 && i < usage->n; i++)
		out->job_s += (usage->point[i].time_s - usage->point[i - 1].time_s) *
			      fmax(0, (usage->point[i].processors - 1) / (out->cores - 1));
	out->job_s = fmin(out->job_s, out->wall_s);
	if (out->cores == 1) /* the one core works all the time */
		out->job_s = out->wall_s;
	ft_free(stretch);
	return out->wall_s > 0;
}

/*
 * Parse what a program reported about itself through foretime-probe.h.
 */

enum { BLOCK = 1 << 16 };

static const double SMALLEST_S = 1e-9; /* the resolution of the clock: shorter times are not zero */

/* A line is words between single blanks: take the next one. */
static char *next_word(char **line)
{
	char *word = *line;

	if (!word || !*word)
		return NULL;
	char *blank = strchr(word, ' ');
	*line = blank ? blank + 1 : NULL;
	if (blank)
		*blank = '\0';
	return word;
}

static bool next_number(char **line, double *number)
{
	const char *word = next_word(line);

	return word && ft__number_scan(word, &word, number) && !*word && isfinite(*number);
}

/* Bytes that are no text, as where a long name was cut within a character, become '_'. */
static bool take_name(char *name)
{
	char *at;
	size_t length;

	for (at = name; *at; at += length ? length : 1) {
		length = ft__utf8_length(at, SIZE_MAX);
		if (!length || (length > 1 && ft__utf8_is_control(at)))
			memset(at, '_', length ? length : 1);
		else if (*at == ' ' || *at == '/' || ft__utf8_is_control(at))
			return false;
	}
	return at > name && at < name + FT__ROUTINE_LENGTH;
}

static struct ft__routine *find_routine(const struct ft__report *report, const char *name)
{
	for (size_t i = 0; i < report->n; i++)
		if (!strcmp(report->routine[i].name, name))
			return &report->routine[i];
	return NULL;
}

static struct ft__routine *new_routine(struct ft__report *report, const char *name)
{
	struct ft__routine *grown = ft_grow(report->routine, report->n, &report->capacity, sizeof *grown);

	if (!grown)
		return NULL;
	report->routine = grown;
	grown[report->n] = (struct ft__routine){.work = NAN, .first_s = NAN, .peak_bytes = NAN};
	(void)snprintf(grown[report->n].name, FT__ROUTINE_LENGTH, "%s", name);
	return &grown[report->n++];
}

/* "ft1 routine NAME CALLS WALL_NS CPU_NS WORK"; false: no memory. */
static bool report_add_routine(struct ft__report *report, char *line)
{
	char *name = next_word(&line);
	double calls, wall_ns, cpu_ns, work;

	if (!name || !take_name(name) || !next_number(&line, &calls) || !next_number(&line, &wall_ns) ||
	    !next_number(&line, &cpu_ns) || !next_number(&line, &work) || line || calls < 1)
		return true;
	struct ft__routine *routine = find_routine(report, name);
	if (!routine && report->n == FT__ROUTINES_MAX) {
		report->more = true;
		return true;
	}
	if (!routine && !(routine = new_routine(report, name)))
		return false;
	routine->calls += calls;
	routine->wall_s += fmax(1e-9 * wall_ns, SMALLEST_S);
	routine->cpu_s += fmax(1e-9 * cpu_ns, SMALLEST_S);
	if (work > 0)
		routine->work = isnan(routine->work) ? work : routine->work + work;
	routine->absurd |= routine->wall_s > FT_TIME_MOST_S || routine->cpu_s > FT_TIME_MOST_S ||
			   isinf(routine->calls) || isinf(routine->work);
	return true;
}

/* "ft1 besides NAME FIRST_NS PEAK_BYTES", about the routine reported just before. */
static void take_besides(struct ft__report *report, char *line)
{
	char *name = next_word(&line);
	struct ft__routine *routine = name ? find_routine(report, name) : NULL;
	double first_ns, peak_bytes;

	if (!routine || !next_number(&line, &first_ns) || !next_number(&line, &peak_bytes) || line)
		return;
	if (isnan(routine->first_s))
		routine->first_s = fmax(1e-9 * first_ns, SMALLEST_S);
	if (!(routine->peak_bytes > peak_bytes))
		routine->peak_bytes = fmax(peak_bytes, 0);
}

/* "ft1 progress DONE TOTAL" */
static void take_progress(struct ft__report *report, char *line)
{
	double done, total;

	if (!next_number(&line, &done) || !next_number(&line, &total) || line || !(total > 0))
		return;
	report->done = done;
	report->total = total;
}

/* "ft1 instructions N": what a process took, by the emulator that ran it. */
static void take_instructions(struct ft__report *report, char *line)
{
	double count;

	if (next_number(&line, &count) && !line && count > 0)
		report->instructions += count;
}

/* "ft1 device PID BYTES": all that a process has allocated on devices now. */
static bool take_device(struct ft__report *report, char *line)
{
	double pid, bytes;
	size_t i = 0;

	if (!next_number(&line, &pid) || !next_number(&line, &bytes) || line || bytes < 0 || bytes > 0x1p60)
		return true;
	while (i < report->n_devices && report->device[i].pid != pid)
		i++;
	if (i == FT__DEVICES_MAX)
		return true;
	if (i == report->n_devices) {
		void *grown = ft_grow(report->device, i, &report->devices_capacity, sizeof *report->device);

		if (!grown)
			return false;
		report->device = grown;
		report->device[i].pid = pid;
		report->device[i].bytes = 0;
		report->n_devices++;
	}
	report->device_bytes += bytes - report->device[i].bytes;
	report->device[i].bytes = bytes;
	report->device_peak = fmax(report->device_peak, report->device_bytes);
	return true;
}

/* A line that is too long, or holds a zero byte, is passed over. */
static bool end_line(struct ft__report *report)
{
	size_t length = report->length;

	report->length = 0;
	if (length >= sizeof report->line || memchr(report->line, '\0', length))
		return true;
	report->line[length] = '\0';
	char *line = report->line;
	char *word = next_word(&line);

	if (!word || strcmp(word, "ft1") != 0)
		return true;
	word = next_word(&line);
	if (word && !strcmp(word, "routine"))
		return report_add_routine(report, line);
	if (word && !strcmp(word, "besides"))
		take_besides(report, line);
	if (word && !strcmp(word, "progress"))
		take_progress(report, line);
	if (word && !strcmp(word, "instructions"))
		take_instructions(report, line);
	if (word && !strcmp(word, "device"))
		return take_device(report, line);
	if (word && !strcmp(word, "invalid") && !line)
		report->invalid = true;
	return true;
}

enum ft_status ft__report_add(struct ft__report *report, const char *bytes, size_t length, struct ft_err *err)
{
	while (length) {
		const char *newline = memchr(bytes, '\n', length);
		size_t part = newline ? (size_t)(newline - bytes) : length;
		size_t room = sizeof report->line - report->length, kept = part < room ? part : room;

		memcpy(report->line + report->length, bytes, kept);
		report->length += kept;
		if (newline && !end_line(report))
			return ft_nomem(err);
		part += newline != NULL;
		bytes += part;
		length -= part;
	}
	return FT_OK;
}

static enum ft_status report_read(struct ft__report *report, int file, struct ft_err *err)
{
	char *block = ft_malloc(BLOCK);
	enum ft_status status = FT_OK;
	off_t at = 0;
	ssize_t got = 1;

	if (!block)
		return ft_nomem(err);
	while (!status && got > 0 && at < FT__REPORT_MAX) {
		got = pread(file, block, BLOCK, at);
		if (got > 0)
			status = ft__report_add(report, block, (size_t)got, err);
		at += got > 0 ? got : 0;
	}
	report->cut |= got != 0;
	for (size_t i = 0; i < report->n; i++)
		report->routine[i].cut = report->cut;
	ft_free(block);
	return status;
}

void ft__report_clear(struct ft__report *report)
{
	if (!report)
		return;
	ft_free(report->routine);
	ft_free(report->device);
	*report = (struct ft__report){0};
}

/*
 * Turns the helper's replies into runs and samples.
 */

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

/* The outcome. A run that we ended is ours only if it did not end by itself just before. */
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

/* Our own words, after those of a program that did not end well. */
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

/* The state after the end of everything. The helper watched, and foretime slept. */
static void set_after(struct ft_run *run, const struct ft__before *before, const struct ft__reply *reply)
{
	run->runnable_after = reply->queue.runnable - 1;
	run->pressure = ft__queue_pressure(before->queue.waited_s, reply->queue.waited_s,
					   (double)(reply->queue.at_ns - before->queue.at_ns) / 1e9);
}

/* The routine whose times stand for those of the process. */
static const struct ft__routine *find_only(const struct ft__report *report)
{
	static const struct ft__routine unknown = {.work = (double)NAN, .cut = true};

	if (!report->n && report->cut)
		return &unknown;
	return report->n == 1 ? report->routine : NULL;
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
	if (!status) {
		/* Nothing was measured: add that as the reason, for the resources that each run has. */
		static const struct ft_resource *const resources[] = {&ft_wall_s, &ft_cpu_s,
								      &ft_peak_rss_bytes};
		const struct ft_err why = {.text = "foretime-helper was ended during the run",
					   .remedy = "see whether the program ends its parent process"};

		for (size_t i = 0; !status && i < sizeof resources / sizeof *resources; i++)
			status = ft__add_unavailable(&run, resources[i], "child", &why, err);
	}
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
		status = report_read(&report, answer->report, err);
	if (!status) {
		const struct ft__reply *reply = &answer->reply;
		struct ft__result result = {answer, NULL, &report};
		struct ft_run run;
		status = begin_run(before, &run, err);

		if (reply->start_errno) {
			run.outcome = FT_NOT_STARTED;
		} else {
			run.cost_s = fmax(0, ft__answer_wall_s(answer));
			run.left_running = reply->flags & FT__NOT_ENDED;
			set_after(&run, before, reply);
			set_outcome(&run, reply, report.invalid);
			if (run.outcome == FT_DONE)
				result.routine = find_only(&report);
			if (!status)
				status = ft__probes_read(probes, &result, &run, err);
		}
		if (!status)
			status = add_detail(&run, file, answer, &report, err);
		status = end_run(&run, status, runs, err);
	}
	if (!status && runs->run[at].outcome == FT_DONE && report.n > 1)
		for (size_t i = 0; !status && i < report.n; i++)
			status =
				add_routine(before, &(struct ft__result){answer, &report.routine[i], &report},
					    probes, runs, err);
	ft__report_clear(&report);
	return status;
}
