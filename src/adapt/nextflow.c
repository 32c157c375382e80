/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nextflow.c - Nextflow trace files: one task a row, with units for people or, by trace.raw, bare numbers.
 *
 * Source: docs.seqera.io/nextflow/reports, "Trace file"; nextflow.util.MemoryUnit and Duration. Peaks are
 * sums over the task's process tree; %cpu is its processor time over its real time. */
#include "adapt/job.h"
#include "base/alloc.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const struct ft__column columns[] = {
	{"realtime", &ft_wall_s, ft__read_nextflow_time, false},
	{"peak_rss", &ft_peak_tree_bytes, ft__read_nextflow_bytes, true},
	{"read_bytes", &ft_read_bytes, ft__read_nextflow_bytes, false},
	{"write_bytes", &ft_written_bytes, ft__read_nextflow_bytes, false},
	{"rchar", &ft_input_bytes, ft__read_nextflow_bytes, false},
	{"wchar", &ft_output_bytes, ft__read_nextflow_bytes, false},
	{"vol_ctxt", &ft_voluntary_switches, ft__read_number, false},
	{"inv_ctxt", &ft_involuntary_switches, ft__read_number, false},
};

static bool recognise_nextflow(const char *head, size_t length)
{
	static const char *const tasks[] = {"hash", "status", "realtime"}, *const few[] = {"task_id",
											   "realtime"};

	return ft__table_head(head, length, '\t', tasks, 3) || ft__table_head(head, length, '\t', few, 2);
}

/* Whether a status is that of a task that ran to an end, and how it ended. */
static bool read_status(struct ft_import_job *job, enum ft_passed *why)
{
	const char *text = ft__record_text(&job->record, "status"),
		   *exit = ft__record_text(&job->record, "exit");
	struct ft_run *run = &job->record.run;
	int code = exit && !ft__is_missing(exit) ? atoi(exit) : 0;

	*why = FT_PASSED_UNFINISHED;
	if (text && !strcmp(text, "CACHED")) {
		*why = FT_PASSED_CACHED;
		return false;
	}
	if (text && !strcmp(text, "ABORTED")) {
		run->outcome = FT_INTERRUPTED;
		return true;
	}
	if (text && strcmp(text, "COMPLETED") != 0 && strcmp(text, "FAILED") != 0)
		return false;
	if (code > 128 && code < 128 + 65) { /* as a shell says it */
		run->outcome = FT_CRASHED;
		run->signal = code - 128;
	} else if (code || (text && !strcmp(text, "FAILED"))) {
		run->outcome = FT_FAILED;
		run->exit_status = code;
	}
	return true;
}

/* The process of a task: its column, else what stands in its name before " (tag)". */
static enum ft_status set_name(struct ft_import_job *job, struct ft_err *err)
{
	const char *name = ft__record_text(&job->record, "name");
	const char *tag = name ? strstr(name, " (") : NULL;
	enum ft_status status = FT_OK;

	if (!ft__record_text(&job->record, "process") && name) {
		char *process = ft_strndup(name, tag ? (size_t)(tag - name) : strlen(name));

		status = process ? ft__record_own(job, "process", strlen("process"), process, 0, false, err)
				 : ft_nomem(err);
		ft_free(process);
	}
	if (!status)
		job->record.name = ft__record_text(&job->record, "process");
	return status;
}

/* Processor seconds are not said, but their share of the real time is, to a tenth of a percent. */
static enum ft_status estimate_cpu(struct ft_import_job *job, struct ft_err *err)
{
	const struct ft__field *share = ft__record_find(&job->record, "%cpu");
	double wall = ft_run_value(&job->record.run, &ft_wall_s), value;

	if (!share || ft__is_missing(share->text) || isnan(wall) || ft__values_name(job, &ft_cpu_s))
		return FT_OK;
	if (!ft__read_percent(share->text, &value))
		return ft__record_fail(job, share, "cannot be read", "write it as Nextflow does: 94.1%", err);
	return ft__record_sample(job, &ft_cpu_s, value * wall, FT_ESTIMATED, share, NULL, err);
}

/* A moment; with trace.raw, milliseconds since 1970. 0: none that can be. */
static int64_t read_start(const char *text)
{
	double ms;

	if (!*text || text[strspn(text, "0123456789")])
		return ft__read_moment(text);
	return ft__read_number(text, &ms) && ms < (double)INT64_MAX / 1e6 ? (int64_t)ms * 1000000 : 0;
}

/* The directives time and memory, where the trace has these columns. */
static void read_asked(struct ft__record *record)
{
	const char *time = ft__record_text(record, "time"), *memory = ft__record_text(record, "memory");
	double value;

	if (time && ft__read_nextflow_time(time, &value) && value > 0)
		record->run.asked_s = value;
	if (memory && ft__read_nextflow_bytes(memory, &value) && value > 0)
		record->run.asked_bytes = value;
}

static enum ft_status take_row(void *ctx, const struct ft_csv *csv, struct ft_err *err)
{
	struct ft_import_job *job = ctx;
	enum ft_status status = ft__table_fields(job, csv, err);
	enum ft_passed why;
	bool wanted;

	if (!status)
		status = set_name(job, err);
	if (!status && !read_status(job, &why)) {
		ft__job_pass(job, why);
		return FT_OK;
	}
	if (!status)
		status = ft__record_wanted(job, &wanted, err);
	if (status || !wanted)
		return status;
	read_asked(&job->record);
	const char *start = ft__record_text(&job->record, "start");
	start = start ? start : ft__record_text(&job->record, "submit");
	job->record.run.started_ns = start ? read_start(start) : 0;
	FT_TRY(ft__table_samples(job, columns, sizeof columns / sizeof *columns, err));
	FT_TRY(estimate_cpu(job, err));
	FT_TRY(ft__values_take(job, err));
	ft__run_judge_exit(&job->record.run);
	return ft__record_keep(job, err);
}

static enum ft_status read_file(struct ft_import_job *job, struct ft_err *err)
{
	return ft__table_each(job, '\t', true, take_row, err);
}

const struct ft_format ft__nextflow_format = {"nextflow", "a trace file of Nextflow", recognise_nextflow,
					      read_file, NULL};
