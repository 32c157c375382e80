/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count.c - inside the helper: counters of the processor and of the kernel, over a child and its descendants.
 *
 * A counter is opened on ourselves, disabled and inherited: the child's copy begins at its exec, and our own
 * never does. Each run needs new ones: the kernel may hand the child our context in place of the copy, and
 * the counter that began at an exec would not begin again.
 */
#include "measure/count.h"
#include "measure/gauge.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* read(2) of a counter with both times. */
struct count_reading {
	uint64_t value, enabled_ns, running_ns;
};

static int open_event(struct perf_event_attr *attr)
{
	return (int)syscall(SYS_perf_event_open, attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* What happens only in the kernel (a switch, a migration) is not there for one who may not look into it. */
static bool happens_in_user_mode(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && attr->config != PERF_COUNT_SW_CONTEXT_SWITCHES &&
	       attr->config != PERF_COUNT_SW_CPU_MIGRATIONS;
}

static int try_open(struct perf_event_attr *attr)
{
	int file = open_event(attr);

	if (file < 0 && (errno == EACCES || errno == EPERM) && !attr->exclude_kernel &&
	    happens_in_user_mode(attr)) {
		attr->exclude_kernel = 1;
		file = open_event(attr);
	}
	return file;
}

static void close_event(int *file)
{
	if (*file >= 0)
		(void)close(*file);
	*file = -1;
}

static void set_arming(struct perf_event_attr *attr)
{
	attr->size = sizeof *attr;
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	attr->disabled = 1;
	attr->inherit = 1;
	attr->enable_on_exec = 1;
}

void ft__count_choose(struct ft__counters *counters, const struct perf_event_attr *attr, size_t n,
		      struct ft__count *counts)
{
	counters->n = n;
	for (size_t i = 0; i < n; i++) {
		counters->attr[i] = attr[i];
		set_arming(&counters->attr[i]);
		counters->file[i] = try_open(&counters->attr[i]);
		counts[i].error = counters->file[i] < 0 ? errno : 0;
		close_event(&counters->file[i]);
	}
}

/* Open the counters; they begin when the next child executes its program. clock: count processor time as
 * well, for ft__count_clock. */
static void open_counters(struct ft__counters *counters, bool clock)
{
	struct perf_event_attr task_clock = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_TASK_CLOCK, .exclude_hv = 1};

	for (size_t i = 0; i < counters->n; i++) {
		counters->file[i] = open_event(&counters->attr[i]);
		counters->error[i] = counters->file[i] < 0 ? errno : 0;
	}
	set_arming(&task_clock);
	counters->clock = clock ? try_open(&task_clock) : -1;
}

static bool read_event(int file, struct count_reading *reading)
{
	return read(file, reading, sizeof *reading) == sizeof *reading;
}

double ft__count_clock(const struct ft__counters *counters)
{
	struct count_reading reading;

	return counters->clock >= 0 && read_event(counters->clock, &reading) ? 1e-9 * (double)reading.value
									     : -1;
}

/* The counters' values, and close them. counts [n] out; NULL: only close them. */
static void read_counters(struct ft__counters *counters, struct ft__count *counts)
{
	struct count_reading reading;

	for (size_t i = 0; i < counters->n; i++) {
		if (counts) {
			counts[i] = (struct ft__count){.error = counters->error[i]};
			if (counters->file[i] >= 0 && read_event(counters->file[i], &reading))
				counts[i] = (struct ft__count){reading.value, reading.enabled_ns,
							       reading.running_ns, 0};
			else if (counters->file[i] >= 0)
				counts[i].error = EIO;
		}
		close_event(&counters->file[i]);
	}
	close_event(&counters->clock);
}

/* ---- the gauge ---------------------------------------------------------------------------------------- */

static void open_gauge(struct ft__keeper *keeper)
{
	keeper->counters.clock = -1;
}

static void arm(struct ft__keeper *keeper, const struct ft__job *job)
{
	open_counters(&keeper->counters, job->flags & FT__TRACE);
}

static void read_gauge(struct ft__keeper *keeper, struct ft__reply *reply)
{
	read_counters(&keeper->counters, reply->counts);
}

const struct ft__gauge ft__count_gauge = {.open = open_gauge, .arm = arm, .read = read_gauge};
