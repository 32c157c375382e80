/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workflows.c - traces of Nextflow, benchmark files of Snakemake, recorded workflows of WfCommons.
 *
 * Snakemake writes tables, plain and extended, and JSON lines.
 *
 * Source: snakemake/benchmark.py, versions 5 to 9. Memory is summed over the process tree, in MiB although
 * the header does not say so; it is looked at every half second, later every half minute. In the extended
 * form wildcards, params and resources are printed as Python prints a dictionary. */
#include "adapt/adapt.h"
#include "base/alloc.h"
#include "base/text.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Nextflow trace files: one task a row, with units for people or, by trace.raw, bare numbers.
 *
 * Source: docs.seqera.io/nextflow/reports, "Trace file"; nextflow.util.MemoryUnit and Duration. Peaks are
 * sums over the task's process tree; %cpu is its processor time over its real time.
 */

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

/* The tag of a task where the trace has no such column, as by default: what stands in brackets at the end of
 * its name, "PROCESS (tag)". */
static enum ft_status set_tag(struct ft_import_job *job, const char *tag, struct ft_err *err)
{
	size_t length = tag ? strlen(tag) : 0;

	if (!length || tag[length - 1] != ')' || ft__record_text(&job->record, "tag"))
		return FT_OK;
	char *text = ft_strndup(tag + 2, length - 3);
	if (!text)
		return ft_nomem(err);
	enum ft_status status = ft__record_own(job, "tag", strlen("tag"), text, 0, false, err);
	ft_free(text);
	return status;
}

/* There are no processor seconds, but their share of the real time, to a tenth of a percent. */
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

/*
 * Snakemake benchmark files: tables, plain and extended, and JSON lines.
 */

static enum ft_status take_row(void *ctx, const struct ft_csv *csv, struct ft_err *err)
{
	struct ft_import_job *job = ctx;
	enum ft_status status = ft__table_fields(job, csv, err);
	enum ft_passed why;
	bool wanted;

	if (!status) {
		/* The process of a task: its column, else what stands in its name before " (tag)". */
		const char *name = ft__record_text(&job->record, "name");
		const char *tag = name ? strstr(name, " (") : NULL;
		status = set_tag(job, tag, err);
		if (!status && !ft__record_text(&job->record, "process") && name) {
			char *process = ft_strndup(name, tag ? (size_t)(tag - name) : strlen(name));

			status = process ? ft__record_own(job, "process", strlen("process"), process, 0,
							  false, err)
					 : ft_nomem(err);
			ft_free(process);
		}
		if (!status)
			job->record.name = ft__record_text(&job->record, "process");
	}
	if (!status && !read_status(job, &why)) {
		ft__job_pass(job, why);
		return FT_OK;
	}
	if (!status)
		status = ft__record_wanted(job, &wanted, err);
	if (status || !wanted)
		return status;
	/* The directives time and memory, where the trace has these columns. */
	struct ft__record *record = &job->record;
	const char *time = ft__record_text(record, "time"), *memory = ft__record_text(record, "memory");
	double value;

	if (time && ft__read_nextflow_time(time, &value) && value > 0)
		record->run.asked_s = value;
	if (memory && ft__read_nextflow_bytes(memory, &value) && value > 0)
		record->run.asked_bytes = value;
	const char *start = ft__record_text(&job->record, "start");
	start = start ? start : ft__record_text(&job->record, "submit");
	job->record.run.started_ns = start ? ft__read_start(start, &job->clock) : 0;
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

static const struct ft__column time = {"s", &ft_wall_s, ft__read_number, false};

/* What Snakemake looks at: when the job begins, half a second later, and so on. */
static const double first_look_s = 0.5;

static const struct ft__column snakemake_columns[] = {
	{"cpu_time", &ft_cpu_s, ft__read_number, true},
	{"max_rss", &ft_peak_tree_bytes, ft__read_mib, true},
	{"io_in", &ft_read_bytes, ft__read_mib, false},
	{"io_out", &ft_written_bytes, ft__read_mib, false},
};

static bool recognise_snakemake(const char *head, size_t length)
{
	static const char *const names[] = {"s", "h:m:s", "max_rss"};

	return ft__table_head(head, length, '\t', names, 3) || ft__document_head(head, length, "h:m:s");
}

/* ---- what Python prints ------------------------------------------------------------------------------- */

/* A string in either quotes, or what stands before a comma outside of brackets. */
static bool take_python(const char **at, struct ft_text *text)
{
	const char *p = *at;
	bool quoted = *p == '\'' || *p == '"';
	char quote = *p;
	int depth = 0;

	if (quoted) {
		for (p++; *p && *p != quote; p++) {
			p += *p == '\\' && p[1];
			ft_text_add_bytes(text, p, 1);
		}
		*at = p + (*p == quote);
		return *p == quote;
	}
	for (; *p && (depth || !strchr(",:}", *p)); p++) {
		depth += (strchr("[({", *p) != NULL) - (strchr("])}", *p) != NULL);
		ft_text_add_bytes(text, p, 1);
	}
	*at = p;
	return text->length > 0;
}

/* One "'n': '1024'" of a dictionary, as the field "wildcards.n". */
static enum ft_status take_item(struct ft_import_job *job, const char *name, const char **at, bool *good,
				struct ft_err *err)
{
	struct ft_text key = {0}, value = {0};
	enum ft_status status = FT_OK;

	ft_text_add(&key, "%s.", name);
	*good = take_python(at, &key);
	*at += strspn(*at, " ");
	*good = *good && **at == ':';
	if (*good) {
		*at += 1 + strspn(*at + 1, " ");
		*good = take_python(at, &value) || !value.failed;
	}
	if (key.failed || value.failed)
		status = ft_nomem(err);
	else if (*good)
		status = ft__record_own(job, key.s, key.length, value.s ? value.s : "", 0, false, err);
	ft_text_clear(&key);
	ft_text_clear(&value);
	return status;
}

static enum ft_status take_dictionary(struct ft_import_job *job, const char *name, const char *text,
				      struct ft_err *err)
{
	enum ft_status status = FT_OK;
	bool good = true;

	if (*text != '{')
		return FT_OK;
	text += 1;
	while (!status && good) {
		text += strspn(text, ", ");
		if (!*text || *text == '}')
			break;
		status = take_item(job, name, &text, &good, err);
	}
	return status;
}

/* ---- rows --------------------------------------------------------------------------------------------- */

/* The resources of a rule, of the extended form: mem_mb is 10^6 bytes, mem_mib 2^20, runtime minutes. */
static void read_resources(struct ft__record *record)
{
	const char *mb = ft__record_text(record, "resources.mem_mb"),
		   *mib = ft__record_text(record, "resources.mem_mib"),
		   *runtime = ft__record_text(record, "resources.runtime");
	double value;

	if (mib && ft__read_number(mib, &value) && value > 0)
		record->run.asked_bytes = 0x1p20 * value;
	else if (mb && ft__read_number(mb, &value) && value > 0)
		record->run.asked_bytes = 1e6 * value;
	if (runtime && ft__read_number(runtime, &value) && value > 0)
		record->run.asked_s = 60 * value;
}

static enum ft_status take_record(struct ft_import_job *job, struct ft_err *err)
{
	/* The bytes of all input files, of which the extended form tells each. */
	static const char prefix[] = "input_size_mb.";
	double sum = 0, value;
	bool any = false;

	for (size_t i = 0; i < job->record.n; i++) {
		const struct ft__field *field = &job->record.field[i];

		if (strncmp(field->name, prefix, sizeof prefix - 1) != 0 ||
		    !ft__read_mib(field->text, &value))
			continue;
		sum += value;
		any = true;
	}
	enum ft_status status = any ? ft__record_own(job, ft_input_bytes.name, strlen(ft_input_bytes.name),
						     NULL, round(sum), false, err)
				    : FT_OK;
	bool wanted;

	job->record.name = ft__record_text(&job->record, "rule_name");
	if (!status)
		status = ft__record_wanted(job, &wanted, err);
	if (status || !wanted)
		return status;
	read_resources(&job->record);
	status = ft__table_samples(job, &time, 1, err);
	/* Of a shorter job it saw the shell that starts it, no more. */
	if (!status && ft_run_value(&job->record.run, &ft_wall_s) > first_look_s)
		status = ft__table_samples(job, snakemake_columns,
					   sizeof snakemake_columns / sizeof *snakemake_columns, err);
	else if (!status)
		status = ft_run_add(
			&job->record.run, &ft_peak_tree_bytes, NAN, FT_UNAVAILABLE, job->format->name,
			"Snakemake looks at memory twice a second: the job had ended before", err);
	return status ? status : ft__record_take(job, err);
}

static enum ft_status snakemake_take_row(void *ctx, const struct ft_csv *csv, struct ft_err *err)
{
	static const char *const dictionaries[] = {"wildcards", "params", "resources", "input_size_mb"};
	struct ft_import_job *job = ctx;
	enum ft_status status = ft__table_fields(job, csv, err);

	for (size_t i = 0; i < sizeof dictionaries / sizeof *dictionaries && !status; i++) {
		int column = ft_csv_column(csv, dictionaries[i]);

		if (column >= 0)
			status = take_dictionary(job, dictionaries[i], ft_csv_cell(csv, 0, (size_t)column),
						 err);
	}
	return status ? status : take_record(job, err);
}

static enum ft_status take_line(struct ft_import_job *job, struct json_t *value, struct ft_err *err)
{
	enum ft_status status = ft__json_fields(job, "", value, err);

	return status ? status : take_record(job, err);
}

static enum ft_status snakemake_read_file(struct ft_import_job *job, struct ft_err *err)
{
	const char *head;
	size_t length;

	FT_TRY(ft__input_head(job->input, &head, &length, err));
	if (ft__document_head(head, length, "h:m:s"))
		return ft__lines_each(job, take_line, err);
	return ft__table_each(job, '\t', true, snakemake_take_row, err);
}

const struct ft_format ft__snakemake_format = {"snakemake", "a benchmark file of Snakemake",
					       recognise_snakemake, snakemake_read_file, NULL};

/*
 * WfCommons' recorded workflows (WfFormat 1.3 to 1.5) as runs: one of each task, by the bytes of its input
 * files. Since 1.5 files, tasks and their executions are lists of their own.
 *
 * Source: github.com/wfcommons/WfFormat. graph.c reads the same documents as graphs.
 */

/* A document being read. */
struct wfcommons {
	struct ft_import_job *job;
	json_t *bytes; /* length by file, of all tasks; owned */
	json_t *tasks; /* by id: what the specification says of it; NULL: before 1.5 */
};

static bool recognise_wfcommons(const char *head, size_t length)
{
	return ft__document_head(head, length, "workflow") &&
	       (ft__document_head(head, length, "schemaVersion") ||
		ft__document_head(head, length, "specification"));
}

/* The first of several keys that has a number that can be; NaN: none has. */
static double number_of(const json_t *object, const char *const *key)
{
	double number = NAN;

	for (; *key && !(number >= 0); key++)
		number = ft__json_number(object, *key);
	return number >= 0 ? number : (double)NAN;
}

static const char *id_of(const json_t *object)
{
	const char *id = json_string_value(json_object_get(object, "id"));

	return id ? id : json_string_value(json_object_get(object, "name"));
}

/* Lists by id: tasks, and lengths of files. */
static enum ft_status index_lists(struct wfcommons *w, const json_t *specification, struct ft_err *err)
{
	static const char *const length[] = {"sizeInBytes", "size", NULL};
	const json_t *each;
	json_t *task;
	size_t i;

	json_array_foreach(json_object_get(specification, "files"), i, each)
	{
		double bytes = number_of(each, length);

		if (id_of(each) && !isnan(bytes) &&
		    json_object_set_new(w->bytes, id_of(each), json_real(bytes)))
			return ft_nomem(err);
	}
	json_array_foreach(json_object_get(specification, "tasks"), i, task)
	{
		if (id_of(task) && json_object_set(w->tasks, id_of(task), task))
			return ft_nomem(err);
	}
	return FT_OK;
}

/* How many files a task reads, and their bytes together; NaN: nobody knows of one. */
static size_t sum_inputs(const struct wfcommons *w, const json_t *task, double *bytes)
{
	static const char *const length[] = {"sizeInBytes", "size", NULL};
	const json_t *each;
	size_t i, n = 0;

	*bytes = 0;
	json_array_foreach(json_object_get(task, "inputFiles"), i, each)
	{
		const char *id = json_string_value(each);
		const json_t *known = id ? json_object_get(w->bytes, id) : NULL;

		*bytes += known ? json_number_value(known) : (double)NAN;
		n++;
	}
	json_array_foreach(json_object_get(task, "files"), i, each)
	{
		const char *link = json_string_value(json_object_get(each, "link"));

		if (!link || strcmp(link, "input") != 0)
			continue;
		*bytes += number_of(each, length);
		n++;
	}
	return n;
}

/* The program of a task: its category, else that of its command, else its name without its number. */
static enum ft_status add_task_name(struct ft_import_job *job, const json_t *run, const json_t *task,
				    struct ft_err *err)
{
	const char *category = json_string_value(json_object_get(run, "category")),
		   *program = json_string_value(json_object_get(json_object_get(run, "command"), "program")),
		   *name = json_string_value(json_object_get(task, "name"));
	const char *slash = program ? strrchr(program, '/') : NULL;
	const char *text = category ? category : slash ? slash + 1 : program ? program : name;

	if (!text)
		return ft__record_fail_named(job, "name", NULL, "a task without a name",
					     "let WfCommons write it again", err);
	size_t length = strlen(text), digits = length;
	while (text == name && digits && text[digits - 1] >= '0' && text[digits - 1] <= '9')
		digits--;
	if (digits && digits < length) {
		length = digits;
		length -= length > 3 && !strncmp(text + length - 3, "_ID", 3) ? 3
			  : strchr("_-.", text[length - 1])                   ? 1
									      : 0;
	}
	FT_TRY(ft__record_own(job, "program", strlen("program"), "", 0, false, err));
	struct ft__field *field = &job->record.field[job->record.n - 1];
	ft_free(field->own_text);
	field->text = field->own_text = ft_strndup(text, length);
	if (!field->text) {
		field->text = "";
		return ft_nomem(err);
	}
	job->record.name = field->text;
	return FT_OK;
}

/* run: what happened; task: what was specified, the same before 1.5. */
static enum ft_status take_task(struct wfcommons *w, const json_t *run, size_t index, struct ft_err *err)
{
	struct ft_import_job *job = w->job;
	const json_t *task = w->tasks && id_of(run) ? json_object_get(w->tasks, id_of(run)) : run;
	const char *start = json_string_value(json_object_get(run, "executedAt"));
	double bytes;
	bool wanted;

	ft__record_begin(job, 0);
	(void)snprintf(job->record.place, sizeof job->record.place, "tasks[%zu]", index);
	if (!task)
		return ft__record_fail_named(job, "id", id_of(run), "no task of the specification",
					     "let WfCommons write it again", err);
	FT_TRY(ft__json_fields(job, "", run, err));
	FT_TRY(add_task_name(job, run, task, err));
	size_t inputs = sum_inputs(w, task, &bytes);
	if (inputs && !isnan(bytes))
		FT_TRY(ft__record_own(job, "bytes", strlen("bytes"), NULL, bytes, true, err));
	FT_TRY(ft__record_own(job, "inputs", strlen("inputs"), NULL, (double)inputs, false, err));
	FT_TRY(ft__record_wanted(job, &wanted, err));
	if (!wanted)
		return FT_OK;
	job->record.run.started_ns = start ? ft__read_moment(start, &job->clock) : 0;
	static const struct {
		const struct ft_resource *resource;
		const char *key[4];
	} values[] = {
		{&ft_wall_s, {"runtimeInSeconds", "runtime"}},
		{&ft_peak_tree_bytes, {"memoryInBytes"}},
		{&ft_read_bytes, {"readBytes", "bytesRead"}},
		{&ft_written_bytes, {"writtenBytes", "bytesWritten"}},
	};
	static const char *const cores[] = {"coreCount", "cores", NULL};
	double share = ft__json_number(run, "avgCPU"), processors = number_of(run, cores);

	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		double value = number_of(run, values[i].key);

		if (!ft__values_name(job, values[i].resource) &&
		    !(values[i].resource == &ft_peak_tree_bytes && value == 0))
			FT_TRY(ft__record_sample(job, values[i].resource, value, FT_MEASURED, NULL,
						 values[i].key[0], err));
	}
	job->record.processors = processors >= 1 ? processors : INFINITY;
	if (share > 0 && !ft__values_name(job, &ft_cpu_s))
		FT_TRY(ft__record_sample(job, &ft_cpu_s,
					 share / 100 * ft_run_value(&job->record.run, &ft_wall_s),
					 FT_ESTIMATED, NULL, "avgCPU", err));
	return ft__record_take(job, err);
}

static enum ft_status take_workflow(struct wfcommons *w, const json_t *root, struct ft_err *err)
{
	const json_t *workflow = json_object_get(root, "workflow"),
		     *specification = json_object_get(workflow, "specification"),
		     *runs = json_object_get(
			     specification ? json_object_get(workflow, "execution") : workflow, "tasks"),
		     *run;
	size_t i;

	if (!json_is_array(runs)) {
		(void)ft_fail(err, FT_EPARSE, "'%.200s' has no list of executed tasks",
			      ft__input_name(w->job->input));
		(void)ft_remedy(err, "name a recorded workflow of WfCommons, in WfFormat 1.3 or later");
		return FT_EPARSE;
	}
	w->bytes = json_object();
	w->tasks = specification ? json_object() : NULL;
	if (!w->bytes || (specification && !w->tasks))
		return ft_nomem(err);
	if (specification)
		FT_TRY(index_lists(w, specification, err));
	json_array_foreach(runs, i, run)
	{
		enum ft_status status = take_task(w, run, i, err);

		if (status)
			FT_TRY(ft__job_spare(w->job, status, err));
	}
	return FT_OK;
}

static enum ft_status read_wfcommons(struct ft_import_job *job, struct ft_err *err)
{
	struct wfcommons w = {.job = job};
	json_error_t error;
	size_t length;
	char *text;

	FT_TRY(ft__input_all(job->input, FT__TEXT_MOST, &text, &length, err));
	enum ft_status status = ft__json_check(ft__input_name(job->input), text, length, FT__READ_MOST, err);
	json_t *root = status ? NULL : json_loadb(text, length, 0, &error);
	ft_free(text);
	if (!status && !root) {
		(void)ft_fail(err, FT_EPARSE, "%.200s:%d: column %d: %.200s", ft__input_name(job->input),
			      error.line, error.column, error.text);
		(void)ft_remedy(err, "this is no complete JSON document; let WfCommons write it again");
		status = FT_EPARSE;
	}
	if (!status)
		status = take_workflow(&w, root, err);
	ft__record_begin(job, 0);
	json_decref(w.bytes);
	json_decref(w.tasks);
	json_decref(root);
	return status;
}

const struct ft_format ft__wfcommons_format = {"wfcommons", "a recorded workflow of WfCommons",
					       recognise_wfcommons, read_wfcommons, NULL};
