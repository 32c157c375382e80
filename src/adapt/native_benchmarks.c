/* SPDX-License-Identifier: GPL-3.0-or-later */
/* native_benchmarks.c - benchmarks of C++, Go and Rust: Google Benchmark, go test -bench, criterion. */
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
 * Google Benchmark's JSON: one entry a repetition, times of one iteration.
 *
 * Source: google/benchmark, docs/user_guide.md and src/json_reporter.cc. A name is FAMILY/ARG/.../OPTION:
 * arguments are numbers, or NAME:NUMBER, as threads:4 is; options are those of the list below. Rates count
 * per second of processor time, of real time where the name ends in real_time or manual_time.
 */

/* Parts of a name that say how it was measured. */
static bool is_option(const char *part, size_t length)
{
	static const char *const option[] = {"min_time:",    "min_warmup_time:", "iterations:", "repeats:",
					     "process_time", "real_time",        "manual_time"};

	for (size_t i = 0; i < sizeof option / sizeof *option; i++)
		if (length >= strlen(option[i]) && !strncmp(part, option[i], strlen(option[i])))
			return true;
	return false;
}

/* A part of a name that is an argument; *key: where its own name ends. */
static bool is_argument(const char *part, size_t length, size_t *key)
{
	char digits[32];
	double value;

	*key = 0;
	while (*key < length && part[*key] != ':')
		++*key;
	*key = *key == length ? 0 : *key;
	(void)snprintf(digits, sizeof digits, "%.*s", (int)(length - *key - (*key > 0)),
		       part + *key + (*key > 0));
	return length - *key < sizeof digits && ft__read_number(digits, &value);
}

/* Arguments without a name are n, m, k, then arg4, arg5 ... */
static enum ft_status add_argument(struct ft_import_job *job, const char *part, size_t length, size_t key,
				   size_t nr, struct ft_err *err)
{
	static const char *const usual[] = {"n", "m", "k"};
	char name[FT_PARAM_LENGTH], digits[32];

	if (key)
		(void)snprintf(name, sizeof name, "%.*s", (int)key, part);
	else if (nr < 3)
		(void)snprintf(name, sizeof name, "%s", usual[nr]);
	else
		(void)snprintf(name, sizeof name, "arg%zu", nr + 1);
	(void)snprintf(digits, sizeof digits, "%.*s", (int)(length - key - (key > 0)),
		       part + key + (key > 0));
	return ft__record_own(job, name, strlen(name), digits, 0, true, err);
}

/* The parts of a name: the family, the arguments. */
static enum ft_status split_name(struct ft_import_job *job, const char *name, struct ft_err *err)
{
	struct ft_text family = {0};
	enum ft_status status = FT_OK;
	size_t length, key, nr = 0;

	for (const char *part = name; *part && !status; part += length + (part[length] == '/')) {
		length = strcspn(part, "/");
		if (is_option(part, length) && part != name)
			continue;
		if (part != name && is_argument(part, length, &key))
			status = add_argument(job, part, length, key, nr++, err);
		else
			ft_text_add(&family, "%s%.*s", family.length ? "/" : "", (int)length, part);
	}
	if (!status && family.failed)
		status = ft_nomem(err);
	if (!status)
		status = ft__record_own(job, "family", strlen("family"), family.s ? family.s : "", 0, false,
					err);
	ft_text_clear(&family);
	job->record.name = status ? NULL : ft__record_text(&job->record, "family");
	return status;
}

/* Seconds of one unit; NaN: no unit. */
static double unit_of(const json_t *entry)
{
	static const struct {
		const char *unit;
		double seconds;
	} units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};
	const char *text = json_string_value(json_object_get(entry, "time_unit"));

	for (size_t i = 0; text && i < sizeof units / sizeof *units; i++)
		if (!strcmp(units[i].unit, text))
			return units[i].seconds;
	return NAN;
}

/* What one iteration did, where the benchmark says so: items, else bytes. */
static double work_of(const json_t *entry, const char *name, double real_s, double cpu_s)
{
	double rate = ft__json_number(entry, "items_per_second");
	bool real =
		strstr(name, "/real_time") || strstr(name, "/manual_time") || ft_word_ends(name, "real_time");

	if (!(rate > 0))
		rate = ft__json_number(entry, "bytes_per_second");
	double work = rate * (real ? real_s : cpu_s);
	return work > 0 && isfinite(work) ? work : (double)NAN;
}

static enum ft_status take_times(struct ft_import_job *job, const json_t *entry, const char *name,
				 struct ft_err *err)
{
	double unit = unit_of(entry), real = ft__json_number(entry, "real_time"),
	       cpu = ft__json_number(entry, "cpu_time");
	double iterations = ft__json_number(entry, "iterations");
	enum ft_label label = iterations > 1 ? FT_ESTIMATED : FT_MEASURED;
	struct ft_run *run = &job->record.run;

	if (isnan(unit) || isnan(real))
		return ft__record_fail_named(job, isnan(unit) ? "time_unit" : "real_time", NULL,
					     isnan(unit) ? "neither ns, us, ms nor s" : "there is none",
					     "let the benchmark write its JSON again", err);
	if (ft__json_number(entry, "threads") >
	    1) /* which of them real_time is divided by depends on its version */
		job->record.processors = INFINITY;
	run->work = work_of(entry, name, real * unit, cpu * unit);
	run->cost_s = iterations > 0 && real >= 0 ? iterations * real * unit : (double)NAN;
	enum ft_status status =
		ft__record_sample(job, &ft_wall_s, real * unit, label, NULL, "real_time", err);
	if (!status)
		status = ft__record_sample(job, &ft_cpu_s, cpu * unit, label, NULL, "cpu_time", err);
	for (size_t i = 0; i < run->n_samples && !status && label == FT_ESTIMATED; i++) {
		run->sample[i].reason = ft_strdup("the mean of many iterations: single ones vary more");
		status = run->sample[i].reason ? FT_OK : ft_nomem(err);
	}
	return status;
}

static enum ft_status take_entry(struct ft_import_job *job, const json_t *entry, const char *name,
				 struct ft_err *err)
{
	const char *message = json_string_value(json_object_get(entry, "error_message"));
	struct ft_run *run = &job->record.run;
	bool wanted;
	enum ft_status status = ft__record_wanted(job, &wanted, err);

	if (status || !wanted)
		return status;
	if (!json_is_true(json_object_get(entry, "error_occurred"))) {
		status = take_times(job, entry, name, err);
	} else {
		run->outcome = FT_FAILED;
		run->detail = ft_strdup(message ? message : "");
		if (!run->detail)
			status = ft_nomem(err);
	}
	return status ? status : ft__record_take(job, err);
}

/* What the context says of the machine. */
static enum ft_status take_context(struct ft_import_job *job, const json_t *context, struct ft_err *err)
{
	const char *host = json_string_value(json_object_get(context, "host_name"));
	struct ft_machine *machine = &job->import->machine;
	double threads = ft__json_number(context, "num_cpus");

	if (!machine->threads && threads >= 1 && threads <= 1e6)
		machine->threads = (int)threads;
	if (!host || !*host || machine->host)
		return FT_OK;
	machine->host = ft_strdup(host);
	return machine->host ? FT_OK : ft_nomem(err);
}

/* Whether an entry summarises others; before version 1.5 its name alone says so. */
static bool is_summary(const char *name, const char *type)
{
	static const char *const kinds[] = {"_mean", "_median", "_stddev", "_cv", "_BigO", "_RMS"};

	for (size_t i = 0; !type && i < sizeof kinds / sizeof *kinds; i++)
		if (ft_word_ends(name, kinds[i]))
			return true;
	return type && !strcmp(type, "aggregate");
}

static enum ft_status take_benchmark(struct ft_import_job *job, const char *key, size_t index, size_t line,
				     struct json_t *entry, struct ft_err *err)
{
	if (index == SIZE_MAX)
		return strcmp(key, "context") ? FT_OK : take_context(job, entry, err);
	const char *name = json_string_value(json_object_get(entry, "run_name"));
	name = name ? name : json_string_value(json_object_get(entry, "name"));
	const char *type = json_string_value(json_object_get(entry, "run_type"));
	ft__record_begin(job, line);
	(void)snprintf(job->record.place, sizeof job->record.place, "benchmarks[%zu]", index);
	if (!name)
		return ft__record_fail_named(job, "name", NULL, "there is none",
					     "let the benchmark write its JSON again", err);
	(void)snprintf(job->record.place, sizeof job->record.place, "%.100s", name);
	if (is_summary(name, type)) {
		ft__job_pass(job, FT_PASSED_AGGREGATE);
		return FT_OK;
	}
	enum ft_status status = split_name(job, name, err);
	if (!status)
		status = ft__json_fields(job, "", entry, err);
	return status ? status : take_entry(job, entry, name, err);
}

/* ---- as CSV: the same entries as rows, behind some lines about the machine ------------------------------- */

static const char csv_header[] = "name,iterations,real_time,cpu_time,time_unit,";

/* Where the header begins; NULL: it is not there. */
static const char *find_header(const char *head, size_t length)
{
	const char *end = head + length, *at = head;

	while ((size_t)(end - at) >= sizeof csv_header && strncmp(at, csv_header, sizeof csv_header - 1) != 0)
		if (!(at = memchr(at, '\n', (size_t)(end - at))) || ++at == end)
			return NULL;
	return (size_t)(end - at) >= sizeof csv_header ? at : NULL;
}

static bool recognise_gbench(const char *head, size_t length)
{
	return find_header(head, length) ||
	       (ft__document_head(head, length, "benchmarks") && ft__document_head(head, length, "context"));
}

static enum ft_status take_row(void *ctx, const struct ft_csv *csv, struct ft_err *err)
{
	struct ft_import_job *job = ctx;
	json_t *entry = json_object();
	bool made = entry;
	double number;

	for (size_t i = 0; i < ft_csv_columns(csv) && made; i++) {
		const char *name = ft_csv_column_name(csv, i), *cell = ft_csv_cell(csv, 0, i);
		json_t *value = ft__read_number(cell, &number) ? json_real(number)
				: !strcmp(cell, "true")        ? json_true()
							       : json_string(cell);

		made = !*cell || !json_object_set_new(entry, name, value);
		if (!*cell)
			json_decref(value);
	}
	enum ft_status status =
		made ? take_benchmark(job, NULL, ft_csv_line(csv, 0), ft_csv_line(csv, 0), entry, err)
		     : ft_nomem(err);
	json_decref(entry);
	return status;
}

static enum ft_status read_file(struct ft_import_job *job, struct ft_err *err)
{
	const char *head, *line;
	size_t length;

	FT_TRY(ft__input_head(job->input, &head, &length, err));
	const char *header = find_header(head, length);
	if (!header)
		return ft__document_each(job, "benchmarks", take_benchmark, err);
	size_t lines =
		0; /* before it; counted first, because the head ends with the first line that is read */
	for (const char *at = head; at < header; at++)
		lines += *at == '\n';
	for (; lines; lines--)
		FT_TRY(ft__input_line(job->input, &line, &length, err));
	return ft__table_each(job, ',', false, take_row, err);
}

const struct ft_format ft__gbench_format = {"gbench", "Google Benchmark's JSON, and its CSV",
					    recognise_gbench, read_file, NULL};
