/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jobs.c - jobs as batch systems and servers report them: sacct --json, seff, and Galaxy's job metrics. */
#include "adapt/adapt.h"
#include "base/alloc.h"
#include "base/csv_table.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/*
 * sacct --json: the records of sacct -P, from which sacct.c makes runs.
 *
 * Source: Slurm 21.08 (openapi/dbv0.0.37) to 23.11 (data_parser/v0.0.40). Later versions write a number as
 * {"set": true, "infinite": false, "number": 1}, and states as lists. What a step used stands, in spite of
 * the names, in tres.requested (usage in: memory, bytes read) and tres.consumed (usage out: bytes written).
 */

/* A member behind dots: "time.total.seconds"; NULL: there is none. */
static const json_t *find_member(const json_t *object, const char *path)
{
	char key[64];

	while (object && *path) {
		size_t length = strcspn(path, ".");

		(void)snprintf(key, sizeof key, "%.*s", (int)length, path);
		object = json_object_get(object, key);
		path += length + (path[length] == '.');
	}
	return object;
}

/* A number that is not below zero, as each version writes it; NaN: it is not set. */
static double number_of(const json_t *value)
{
	if (json_is_object(value)) {
		if (json_is_false(json_object_get(value, "set")) ||
		    json_is_true(json_object_get(value, "infinite")))
			return NAN;
		value = json_object_get(value, "number");
	}
	double number = json_is_number(value) ? json_number_value(value) : (double)NAN;

	if (json_is_string(value) && !ft__read_number(json_string_value(value), &number))
		number = NAN;
	return number >= 0 ? number : (double)NAN;
}

/* A text, or the first one of a list. */
static const char *text_of(const json_t *value)
{
	return json_string_value(json_is_array(value) ? json_array_get(value, 0) : value);
}

/* What a list of trackable resources counts of one; NaN: it does not. */
static double count_of(const json_t *list, const char *type, const char *name)
{
	const json_t *each;
	size_t i;

	json_array_foreach(list, i, each)
	{
		const char *is = json_string_value(json_object_get(each, "type")),
			   *called = json_string_value(json_object_get(each, "name"));

		if (is && !strcmp(is, type) && (!name || (called && !strcmp(called, name))))
			return number_of(json_object_get(each, "count"));
	}
	return NAN;
}

/* The texts of a row, which sacct.c borrows. */
struct json_row {
	struct {
		const char *name;
		char text[96];
		const char *longer; /* in place of text; borrowed of the document */
	} field[28];
	size_t n;
};

static void put_text(struct json_row *row, const char *name, const char *text)
{
	if (!text)
		return;
	row->field[row->n].name = name;
	row->field[row->n++].longer = text;
}

/* A number with a letter of its unit behind it. */
static void put_number(struct json_row *row, const char *name, double value, const char *unit)
{
	if (isnan(value))
		return;
	row->field[row->n].name = name;
	(void)snprintf(row->field[row->n].text, sizeof row->field->text, "%.17g%s", value, unit);
	row->field[row->n++].longer = NULL;
}

/* Seconds as sacct writes them: "1-02:03:04.000005". */
static void put_time(struct json_row *row, const char *name, const json_t *value)
{
	double seconds = number_of(json_object_get(value, "seconds")),
	       micro = number_of(json_object_get(value, "microseconds"));

	if (isnan(seconds) || seconds > 1e12)
		return;
	int64_t s = (int64_t)seconds;
	row->field[row->n].name = name;
	(void)snprintf(row->field[row->n].text, sizeof row->field->text, "%lld-%02d:%02d:%02d.%06d",
		       (long long)(s / 86400), (int)(s / 3600 % 24), (int)(s / 60 % 60), (int)(s % 60),
		       micro < 1e6 ? (int)micro : 0);
	row->field[row->n++].longer = NULL;
}

/* "11_1" of an array, else "11"; with a step behind it. */
static void put_id(struct json_row *row, const json_t *job, const char *step)
{
	double id = number_of(json_object_get(job, "job_id")),
	       array = number_of(find_member(job, "array.job_id")),
	       task = number_of(find_member(job, "array.task_id"));
	char text[48];

	if (array > 0 && !isnan(task)) {
		(void)snprintf(text, sizeof text, "_%.17g%s", task, step);
		put_number(row, "JobID", array, text);
	} else {
		put_number(row, "JobID", id, step);
	}
}

static void put_moment(struct json_row *row, const char *name, const json_t *value)
{
	double seconds = number_of(value);
	struct tm tm;
	time_t moment = seconds > 0 && seconds < 1e11 ? (time_t)seconds : 0;

	row->field[row->n].name = name;
	row->field[row->n].longer = moment ? NULL : "Unknown";
	if (moment && gmtime_r(&moment, &tm))
		(void)strftime(row->field[row->n].text, sizeof row->field->text, "%Y-%m-%dT%H:%M:%SZ", &tm);
	row->n++;
}

/* "3:0", or "0:9" where a signal ended it. */
static void put_exit(struct json_row *row, const json_t *code)
{
	double status = number_of(json_object_get(code, "return_code")),
	       signal = number_of(find_member(code, "signal.signal_id"));

	if (isnan(signal))
		signal = number_of(find_member(code, "signal.id"));
	if (isnan(status) && isnan(signal))
		return;
	row->field[row->n].name = "ExitCode";
	(void)snprintf(row->field[row->n].text, sizeof row->field->text, "%.0f:%.0f",
		       isnan(status) ? 0 : fmin(status, 1e6), isnan(signal) ? 0 : fmin(signal, 1e6));
	row->field[row->n++].longer = NULL;
}

/* The requested memory, in MiB, of the whole job. */
static double asked_mib(const json_t *job, double processors)
{
	double mib = number_of(find_member(job, "required.memory_per_node"));

	if (isnan(mib)) {
		double each = number_of(find_member(job, "required.memory_per_cpu"));

		mib = each > 0 ? each * processors : (double)NAN;
	}
	if (isnan(mib))
		mib = number_of(find_member(job, "required.memory"));
	return mib > 0 && mib < 1e12 ? mib : (double)NAN;
}

static void put_job(struct json_row *row, const json_t *job)
{
	static const struct {
		const char *name, *path;
	} texts[] = {
		{"JobName", "name"},
		{"Account", "account"},
		{"Partition", "partition"},
		{"Cluster", "cluster"},
		{"QOS", "qos"},
		{"NodeList", "nodes"},
		{"WorkDir", "working_directory"},
		{"Comment", "comment.job"},
		{"AdminComment", "comment.administrator"},
		{"User", "association.user"},
	};
	const char *user = text_of(json_object_get(job, "user"));
	double processors = count_of(find_member(job, "tres.allocated"), "cpu", NULL);

	if (isnan(processors))
		processors = number_of(find_member(job, "required.CPUs"));
	put_id(row, job, "");
	put_number(row, "JobIDRaw", number_of(json_object_get(job, "job_id")), "");
	put_text(row, "State", text_of(find_member(job, "state.current")));
	put_exit(row, json_object_get(job, "exit_code"));
	put_moment(row, "Submit", find_member(job, "time.submission"));
	put_moment(row, "Start", find_member(job, "time.start"));
	put_number(row, "ElapsedRaw", number_of(find_member(job, "time.elapsed")), "");
	put_time(row, "TotalCPU", find_member(job, "time.total"));
	put_time(row, "UserCPU", find_member(job, "time.user"));
	put_time(row, "SystemCPU", find_member(job, "time.system"));
	put_number(row, "TimelimitRaw", number_of(find_member(job, "time.limit")), "");
	put_number(row, "AllocCPUS", processors, "");
	put_number(row, "ReqMem", asked_mib(job, processors), "M");
	put_text(row, user ? "User" : "", user);
	for (size_t i = 0; i < sizeof texts / sizeof *texts - (user != NULL); i++)
		put_text(row, texts[i].name, text_of(find_member(job, texts[i].path)));
}

static void put_step(struct json_row *row, const json_t *job, const json_t *step)
{
	const char *name = text_of(find_member(step, "step.name"));
	const json_t *in = find_member(step, "tres.requested.max"),
		     *out = find_member(step, "tres.consumed.max");
	double memory = count_of(in, "mem", NULL);

	put_id(row, job, name && !strcmp(name, "extern") ? ".extern" : ".step");
	put_number(row, "MaxRSS", isnan(memory) ? count_of(out, "mem", NULL) : memory, "");
	put_number(row, "MaxDiskRead", count_of(in, "fs", "disk"), "");
	put_number(row, "MaxDiskWrite", count_of(out, "fs", "disk"), "");
	put_number(row, "ConsumedEnergyRaw", number_of(find_member(step, "statistics.energy.consumed")), "");
	put_number(row, "NTasks", number_of(find_member(step, "tasks.count")), "");
}

static enum ft_status hand_over(struct ft_import_job *job, const struct json_row *row, size_t line,
				const char *place, struct ft_err *err)
{
	ft__record_begin(job, line);
	(void)snprintf(job->record.place, sizeof job->record.place, "%s", place);
	for (size_t i = 0; i < row->n; i++)
		FT_TRY(ft__record_field(job, row->field[i].name,
					row->field[i].longer ? row->field[i].longer : row->field[i].text, 0,
					err));
	return ft__sacct_row(job, err);
}

static enum ft_status take_json_job(struct ft_import_job *job, const char *name, size_t index, size_t line,
				    struct json_t *entry, struct ft_err *err)
{
	struct json_row row = {.n = 0};
	const json_t *step;
	char place[64];
	size_t i;

	(void)name;
	if (index == SIZE_MAX)
		return FT_OK;
	(void)snprintf(place, sizeof place, "jobs[%zu]", index);
	put_job(&row, entry);
	enum ft_status status = hand_over(job, &row, line, place, err);
	json_array_foreach(json_object_get(entry, "steps"), i, step)
	{
		if (status)
			break;
		row.n = 0;
		put_step(&row, entry, step);
		(void)snprintf(place, sizeof place, "jobs[%zu]: steps[%zu]", index, i);
		if ((status = hand_over(job, &row, line, place, err)))
			status = ft__job_spare(job, status, err);
	}
	ft__record_end_texts(&job->record);
	return status;
}

static bool recognise_sacct_json(const char *head, size_t length)
{
	return ft__document_head(head, length, "jobs") &&
	       (ft__document_head(head, length, "steps") || ft__document_head(head, length, "association"));
}

static enum ft_status read_json_jobs(struct ft_import_job *job, struct ft_err *err)
{
	return ft__document_each(job, "jobs", take_json_job, err);
}

static enum ft_status read_sacct_json(struct ft_import_job *job, struct ft_err *err)
{
	return ft__sacct_read(job, read_json_jobs, err);
}

const struct ft_format ft__sacct_json_format = {"sacct-json", "what Slurm's sacct --json prints",
						recognise_sacct_json, read_sacct_json, NULL};

/*
 * seff: lines for people about a job, or about several.
 *
 * Source: slurm/contribs/seff, Slurm 14 to 23. Times are in whole seconds. It prints neither the job's name
 * nor its time limit.
 */

static const struct {
	const char *line, *name;
} seff_lines[] = {
	{"Job ID: ", "JobID"},
	{"Array Job ID: ", "ArrayJobID"},
	{"Cluster: ", "Cluster"},
	{"User/Group: ", "User"},
	{"State: ", "State"},
	{"Cores: ", "Cores"},
	{"Nodes: ", "Nodes"},
	{"Cores per node: ", "CoresPerNode"},
	{"CPU Utilized: ", "CPU"},
	{"Job Wall-clock time: ", "Elapsed"},
	{"Memory Utilized: ", "Memory"},
	{"Memory Efficiency: ", "MemoryEfficiency"},
};

/* "3.45 GB (estimated maximum)": powers of 1024. */
static bool read_seff_bytes(const char *text, double *value)
{
	char amount[32];

	(void)snprintf(amount, sizeof amount, "%.*s", (int)strcspn(text, "("), text);
	for (size_t length = strlen(amount); length && amount[length - 1] == ' ';)
		amount[--length] = '\0';
	return ft__read_nextflow_bytes(amount, value);
}

static const struct ft__column seff_columns[] = {
	{"Elapsed", &ft_wall_s, ft__read_slurm_time, false},
	{"CPU", &ft_cpu_s, ft__read_slurm_time, true},
	{"Memory", &ft_peak_tree_bytes, read_seff_bytes, true},
};

static const char seff_remedy[] = "let seff print it again",
		  whole_seconds[] = "in whole seconds, and may be one off";

/* From here on a second is less than runs differ by: see sacct.c. */
static const double second_good_s = 100;

static bool recognise_seff(const char *head, size_t length)
{
	static const char *const keys[] = {
		"Job ID: ", "Job Wall-clock time: ", "CPU Utilized: ", "CPU Efficiency: "};
	size_t found = 0;

	for (size_t i = 0; i < length; i++)
		for (size_t k = 0; k < 4 && (!i || head[i - 1] == '\n'); k++)
			found += length - i > strlen(keys[k]) && !memcmp(head + i, keys[k], strlen(keys[k]));
	return found >= 2;
}

/* "COMPLETED (exit code 0)"; not ended: *ended is false. */
static enum ft_status read_seff_state(struct ft_import_job *job, bool *ended, struct ft_err *err)
{
	const struct ft__field *state = ft__record_find(&job->record, "State");
	struct ft_run *run = &job->record.run;
	const char *code;

	if (!state)
		return ft__record_fail_named(job, "State", NULL, "there is none", seff_remedy, err);
	*ended = ft__sacct_outcome(state->text, &run->outcome);
	if (!*ended && strncmp(state->text, "PENDING", 7) != 0 && strncmp(state->text, "RUNNING", 7) != 0)
		return ft__record_fail(job, state, "no state of a job that ended", seff_remedy, err);
	code = strstr(state->text, "(exit code ");
	if (*ended && run->outcome == FT_FAILED && code)
		run->exit_status = atoi(code + strlen("(exit code "));
	return FT_OK;
}

static enum ft_status end_seff(struct ft_import_job *job, bool *open, struct ft_err *err)
{
	bool ended = false, wanted;

	if (!*open)
		return FT_OK;
	*open = false;
	if (!ft__record_text(&job->record, "JobID"))
		return ft__record_fail_named(job, "Job ID", NULL, "there is none", seff_remedy, err);
	FT_TRY(read_seff_state(job, &ended, err));
	if (!ended) {
		ft__job_pass(job, FT_PASSED_UNFINISHED);
		return FT_OK;
	}
	if (!ft__record_text(&job->record, "Elapsed"))
		return ft__record_fail_named(job, "Job Wall-clock time", NULL, "there is none", seff_remedy,
					     err);
	FT_TRY(ft__record_wanted(job, &wanted, err));
	if (!wanted)
		return FT_OK;
	/* Cores and memory that the job had. */
	struct ft__record *record = &job->record;
	const char *cores = ft__record_text(record, "Cores"), *nodes = ft__record_text(record, "Nodes"),
		   *each = ft__record_text(record, "CoresPerNode"),
		   *memory = ft__record_text(record, "MemoryEfficiency");
	double n, m;

	record->processors = INFINITY;
	if (cores && ft__read_number(cores, &n))
		record->processors = n;
	else if (nodes && each && ft__read_number(nodes, &n) && ft__read_number(each, &m))
		record->processors = n * m;
	memory = memory ? strstr(memory, "% of ") : NULL;
	if (memory && read_seff_bytes(memory + strlen("% of "), &n) && n > 0)
		record->run.asked_bytes = n;
	FT_TRY(ft__table_samples(job, seff_columns, sizeof seff_columns / sizeof *seff_columns, err));
	FT_TRY(ft__record_doubt(job, &ft_wall_s, second_good_s, whole_seconds, err));
	memory = ft__record_text(&job->record, "Memory");
	if (memory && strstr(memory, "estimated"))
		FT_TRY(ft__record_doubt(job, &ft_peak_tree_bytes, INFINITY,
					"the largest task's memory, taken for that of each", err));
	FT_TRY(ft__values_take(job, err));
	job->record.elapsed_s = ft_run_value(&job->record.run, &ft_wall_s) + 1;
	ft__run_judge_exit(&job->record.run);
	return ft__record_keep(job, err);
}

static enum ft_status take_seff_line(struct ft_import_job *job, bool *open, const char *line, size_t length,
				     struct ft_err *err)
{
	for (size_t i = 0; i < sizeof seff_lines / sizeof *seff_lines; i++) {
		size_t key = strlen(seff_lines[i].line);

		if (length < key || memcmp(line, seff_lines[i].line, key) != 0)
			continue;
		if (!*open || !i || ft__record_text(&job->record, seff_lines[i].name)) {
			enum ft_status status = end_seff(job, open, err);

			if (status)
				FT_TRY(ft__job_spare(job, status, err));
			ft__record_begin(job, ft__input_number(job->input));
			*open = true;
		}
		char *text = ft_strndup(line + key, length - key);
		if (!text)
			return ft_nomem(err);
		if (!i || !strcmp(seff_lines[i].name, "User"))
			text[strcspn(text, "/")] = '\0';
		enum ft_status status = ft__record_own(job, seff_lines[i].name, strlen(seff_lines[i].name),
						       text, 0, false, err);
		ft_free(text);
		return status;
	}
	return FT_OK;
}

static enum ft_status read_seff(struct ft_import_job *job, struct ft_err *err)
{
	enum ft_status status;
	const char *line;
	size_t length;
	bool open = false;

	while (!(status = ft__input_line(job->input, &line, &length, err))) {
		while (length && strchr(" \r\n", line[length - 1]))
			length--;
		status = take_seff_line(job, &open, line, length, err);
		if (status && (status = ft__job_spare(job, status, err)))
			return status;
	}
	if (status != FT_EEND)
		return ft__job_spare_rest(job, status, err);
	status = end_seff(job, &open, err);
	return status ? ft__job_spare(job, status, err) : FT_OK;
}

const struct ft_format ft__seff_format = {"seff", "what Slurm's seff prints", recognise_seff, read_seff,
					  NULL};

/*
 * Galaxy's job metrics: the JSON of one job (/api/jobs/ID/metrics), and the table job_metric_numeric as CSV,
 * a row for each metric of a job.
 *
 * Source: galaxy, lib/galaxy/job_metrics/instrumenters: core (whole seconds between two calls of date), cgroup
 * (versions 1 and 2), and those of the machine.
 */

static bool read_nanoseconds(const char *text, double *value)
{
	if (!ft__read_number(text, value))
		return false;
	*value *= 1e-9;
	return true;
}

static bool read_microseconds(const char *text, double *value)
{
	if (!ft__read_number(text, value))
		return false;
	*value *= 1e-6;
	return true;
}

static const struct ft__column galaxy_columns[] = {
	{"runtime_seconds", &ft_wall_s, ft__read_number, false},
	{"cpuacct.usage", &ft_cpu_s, read_nanoseconds, true},
	{"cpu.stat.usage_usec", &ft_cpu_s, read_microseconds, true},
	{"cpu.stat.user_usec", &ft_user_s, read_microseconds, true},
	{"cpu.stat.system_usec", &ft_system_s, read_microseconds, true},
	{"memory.peak", &ft_peak_tree_bytes, ft__read_number, true},
	{"memory.max_usage_in_bytes", &ft_peak_tree_bytes, ft__read_number, true},
};

static double metric_of(const struct ft__record *record, const char *name)
{
	const char *text = ft__record_text(record, name);
	double value;

	return text && ft__read_number(text, &value) ? value : (double)NAN;
}

/* A job whose metrics are the record's fields. */
static enum ft_status take_galaxy_job(struct ft_import_job *job, struct ft_err *err)
{
	struct ft__record *record = &job->record;
	struct ft_run *run = &record->run;
	bool wanted;

	record->name = ft__record_text(record, "tool_id");
	FT_TRY(ft__record_wanted(job, &wanted, err));
	if (!wanted)
		return FT_OK;
	double slots = metric_of(record, "galaxy_slots"), mib = metric_of(record, "galaxy_memory_mb"),
	       start = metric_of(record, "start_epoch");
	record->processors = slots >= 1 ? slots : INFINITY;
	run->asked_bytes = mib > 0 ? mib * 0x1p20 : 0;
	run->started_ns = start > 0 && start < 9e9 ? (int64_t)start * 1000000000 : 0;
	if (metric_of(record, "memory.events.oom_kill") > 0 ||
	    metric_of(record, "memory.oom_control.oom_kill") > 0)
		run->outcome = FT_OUT_OF_MEMORY;
	FT_TRY(ft__table_samples(job, galaxy_columns, sizeof galaxy_columns / sizeof *galaxy_columns, err));
	FT_TRY(ft__record_doubt(job, &ft_wall_s, second_good_s, whole_seconds, err));
	FT_TRY(ft__record_doubt(job, &ft_peak_tree_bytes, INFINITY,
				"a cgroup's memory includes the page cache of its files", err));
	record->elapsed_s = ft_run_value(run, &ft_wall_s) + 1;
	return ft__record_take(job, err);
}

/* ---- the JSON of one job ------------------------------------------------------------------------------ */

static bool recognise_galaxy(const char *head, size_t length)
{
	static const char *const keys[] = {"\"plugin\"", "\"raw_value\""};
	size_t found = 0, at = 0;

	while (at < length && strchr(" \t\r\n", head[at]) && head[at])
		at++;
	if (at == length || head[at] != '[')
		return false;
	for (size_t k = 0; k < 2; k++)
		for (size_t i = at; i + strlen(keys[k]) <= length; i++)
			if (!memcmp(head + i, keys[k], strlen(keys[k]))) {
				found++;
				break;
			}
	return found == 2;
}

static enum ft_status add_metrics(struct ft_import_job *job, const json_t *list, struct ft_err *err)
{
	const json_t *each;
	size_t i;

	json_array_foreach(list, i, each)
	{
		const char *name = json_string_value(json_object_get(each, "name"));
		const json_t *raw = json_object_get(each, "raw_value");
		const char *text = json_string_value(raw);

		if (!name || (!text && !json_is_number(raw)))
			continue;
		FT_TRY(ft__record_own(job, name, strlen(name), text, json_number_value(raw), false, err));
	}
	return FT_OK;
}

static enum ft_status read_galaxy(struct ft_import_job *job, struct ft_err *err)
{
	json_error_t error;
	size_t length;
	char *text;

	FT_TRY(ft__input_all(job->input, FT__TEXT_MOST, &text, &length, err));
	enum ft_status status = ft__json_check(ft__input_name(job->input), text, length, FT__READ_MOST, err);
	json_t *list = status ? NULL : json_loadb(text, length, 0, &error);
	ft_free(text);
	if (status)
		return status;
	if (!json_is_array(list)) {
		(void)ft_fail(err, FT_EPARSE, "%.200s:%d: column %d: %.200s", ft__input_name(job->input),
			      list ? 1 : error.line, list ? 1 : error.column,
			      list ? "no list of metrics" : error.text);
		(void)ft_remedy(err, "ask Galaxy again for /api/jobs/ID/metrics");
		json_decref(list);
		return FT_EPARSE;
	}
	ft__record_begin(job, 1);
	status = add_metrics(job, list, err);
	if (!status)
		status = take_galaxy_job(job, err);
	ft__record_begin(job, 0);
	json_decref(list);
	return status ? ft__job_spare(job, status, err) : FT_OK;
}

const struct ft_format ft__galaxy_format = {"galaxy", "Galaxy's job metrics, the JSON of a job",
					    recognise_galaxy, read_galaxy, NULL};

/* ---- the table ---------------------------------------------------------------------------------------- */

static const char *const galaxy_names[] = {"job_id", "metric_name", "metric_value"};

static bool recognise_galaxy_table(const char *head, size_t length)
{
	return ft__table_head(head, length, ft__csv_separator(head, length), galaxy_names, 3);
}

/* Jobs by their number, each an object of texts: its metrics, the other columns of its first row, and the line
 * of that. */
static enum ft_status take_metric(void *ctx, const struct ft_csv *csv, struct ft_err *err)
{
	struct ft_import_job *job = ctx;
	json_t *jobs = job->own, *one;
	bool good = true;

	FT_TRY(ft__table_fields(job, csv, err));
	const char *id = ft__record_text(&job->record, "job_id"),
		   *name = ft__record_text(&job->record, "metric_name"),
		   *value = ft__record_text(&job->record, "metric_value");
	double number;
	if (!id || ft__is_missing(id) || !name || ft__is_missing(name) || !value ||
	    !ft__read_number(value, &number))
		return ft__record_fail_named(job, "metric_value", value, "no metric of a job",
					     "export the table job_metric_numeric again", err);
	one = json_object_get(jobs, id);
	if (!one) {
		one = json_object();
		good = !json_object_set_new_nocheck(jobs, id, one) &&
		       !json_object_set_new_nocheck(one, "line", json_integer((json_int_t)job->record.line));
		for (size_t i = 0; i < job->record.n && good; i++) {
			const struct ft__field *field = &job->record.field[i];

			if (strcmp(field->name, "metric_name") != 0 &&
			    strcmp(field->name, "metric_value") != 0 && strcmp(field->name, "id") != 0 &&
			    strcmp(field->name, "plugin") != 0)
				good = !json_object_set_new_nocheck(one, field->name,
								    json_string_nocheck(field->text));
		}
	}
	good = good && !json_object_set_new_nocheck(one, name, json_string_nocheck(value));
	return good ? FT_OK : ft_nomem(err);
}

static enum ft_status read_galaxy_table(struct ft_import_job *job, struct ft_err *err)
{
	json_t *jobs = json_object();
	const char *head;
	size_t length;
	enum ft_status status = jobs ? ft__input_head(job->input, &head, &length, err) : ft_nomem(err);

	job->own = jobs;
	if (!status)
		status = ft__table_each(job, ft__csv_separator(head, length), false, take_metric, err);
	job->own = NULL;
	if (!status) {
		const char *id, *key;
		json_t *one, *value;

		json_object_foreach(jobs, id, one)
		{
			if (status)
				break;
			ft__record_begin(job, (size_t)json_integer_value(json_object_get(one, "line")));
			json_object_foreach(one, key, value)
			{
				if (!status && json_is_string(value))
					status = ft__record_field(job, key, json_string_value(value), 0, err);
			}
			if (!status)
				status = take_galaxy_job(job, err);
			if (status)
				status = ft__job_spare(job, status, err);
		}
		ft__record_begin(job, 0);
	}
	json_decref(jobs);
	return status;
}

const struct ft_format ft__galaxy_table_format = {"galaxy-table", "Galaxy's table job_metric_numeric as CSV",
						  recognise_galaxy_table, read_galaxy_table, NULL};
