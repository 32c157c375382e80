/* SPDX-License-Identifier: GPL-3.0-or-later */
/* native_benchmarks.c - benchmarks of C++, Go and Rust: Google Benchmark, go test -bench, criterion. */
#include "adapt/adapt.h"
#include "base/alloc.h"
#include "base/text.h"
#include "facts/door.h"

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
		return !key || strcmp(key, "context") != 0 ? FT_OK : take_context(job, entry, err);
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
							       : json_string_nocheck(cell);

		made = !*cell || !json_object_set_new_nocheck(entry, name, value);
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

/*
 * Go: the lines that go test -bench prints. One line is the mean of b.N calls.
 *
 * Source: golang.org/design/14313-benchmark-format, testing.B. A name is Benchmark..., parts of it behind '/';
 * the last one ends in -GOMAXPROCS, if that is not 1. Then N, then values with their units.
 */

/* What is known of the names of all lines before the first one is taken. */
struct go_names {
	bool suffix;      /* all names end in the number of processors, or have none where it is 1 */
	bool varies;      /* it differs: go test -cpu 1,2,4 */
	json_t *seen;     /* of which package a name is */
	char package[80]; /* of the lines that follow */
};

/* A line, cut into its words in place. */
struct go_line {
	char *word[64];
	size_t n;
};

static void cut_line(char *text, struct go_line *line)
{
	enum { WORDS_MOST = sizeof line->word / sizeof *line->word };
	char *state;

	line->n = 0;
	for (char *word = strtok_r(text, " \t\r", &state); word && line->n < WORDS_MOST;
	     word = strtok_r(NULL, " \t\r", &state))
		line->word[line->n++] = word;
}

static bool is_named(const struct go_line *line)
{
	return line->n && !strncmp(line->word[0], "Benchmark", 9);
}

/* Whether a line has the form of a result, though cells of it may be damaged. */
static bool is_result(const struct go_line *line)
{
	double calls;

	for (size_t i = 3; i < line->n; i++)
		if (!strcmp(line->word[i], "ns/op"))
			return true;
	return is_named(line) && line->n >= 3 && ft__read_number(line->word[1], &calls);
}

/* Where the number of processors begins at the end of a name; its length: there is none. */
static size_t suffix_of(const char *name)
{
	const char *dash = strrchr(name, '-');

	return dash && dash > name && dash[1] && !dash[1 + strspn(dash + 1, "0123456789")] && dash[1] != '0'
		       ? (size_t)(dash - name)
		       : strlen(name);
}

/* The next line of a text, ended with a zero byte; NULL: there is none. */
static char *next_line(char **rest)
{
	char *line = *rest, *end = strchr(line, '\n');

	if (!*line)
		return NULL;
	*rest = end ? end + 1 : line + strlen(line);
	if (end)
		*end = '\0';
	return line;
}

static bool note_name(json_t *set, const char *name, size_t length)
{
	char key[256];

	(void)snprintf(key, sizeof key, "%.*s", (int)(length < sizeof key ? length : sizeof key - 1), name);
	return !json_object_set_new_nocheck(set, key, json_null());
}

/* A number at the end of a name is that of processors where all names end in the same one; or where each name
 * without it stands with each of several, as -cpu makes them, none being 1; or where none lacks one. */
static enum ft_status look_at_names(const char *text, struct go_names *names, struct ft_err *err)
{
	json_t *stems = json_object(), *ends = json_object(), *whole = json_object();
	char *copy = ft_strdup(text), *rest = copy, *line;
	bool made = stems && ends && whole && copy, without = false;
	struct go_line words;

	while (made && (line = next_line(&rest))) {
		cut_line(line, &words);
		if (!is_result(&words) || !is_named(&words))
			continue;
		const char *name = words.word[0];
		size_t stem = suffix_of(name);
		without = without || !name[stem];
		made = note_name(stems, name, stem) && note_name(whole, name, strlen(name)) &&
		       note_name(ends, name + stem, strlen(name + stem));
	}
	size_t different = json_object_size(ends);
	names->varies = different > 1;
	names->suffix =
		different == 1 || !without || json_object_size(whole) == different * json_object_size(stems);
	json_decref(stems);
	json_decref(ends);
	json_decref(whole);
	ft_free(copy);
	return made ? FT_OK : ft_nomem(err);
}

/* The name, and the processors, which are a parameter where they differ. */
static enum ft_status take_go_name(struct ft_import_job *job, struct go_names *names, char *name,
				   struct ft_err *err)
{
	struct ft__naming naming = {0};
	size_t stem = names->suffix ? suffix_of(name) : strlen(name);
	const char *processors = name[stem] ? name + stem + 1 : "1";
	enum ft_status status = FT_OK;

	if (names->suffix)
		status = ft__record_own(job, "processors", strlen("processors"), processors, 0, names->varies,
					err);
	name[stem] = '\0';
	if (!status)
		status = ft__record_own(job, "name", strlen("name"), name, 0, false, err);
	if (!status && *names->package)
		status = ft__record_own(job, "package", strlen("package"), names->package, 0, false, err);
	if (!status)
		status = ft__naming_parts(job, &naming, name, "/", "/", err);
	return ft__naming_end(job, &naming, names->package, names->seen, status, err);
}

/* A value and its unit: time, or what was allocated; others are columns. */
static enum ft_status take_go_value(struct ft_import_job *job, const char *unit, double value, double calls,
				    struct ft_err *err)
{
	static const struct {
		const char *unit, *counter;
	} counters[] = {{"B/op", "allocated_bytes"}, {"allocs/op", "allocations"}};
	const struct ft_resource *resource;

	if (!strcmp(unit, "ns/op"))
		return ft__record_time(job, value * 1e-9, calls, NULL, unit, err);
	for (size_t i = 0; i < 2; i++)
		if (!strcmp(unit, counters[i].unit)) {
			FT_TRY(ft_resource_named(counters[i].counter, &resource, err));
			return ft__record_sample(job, resource, value, FT_MEASURED, NULL, unit, err);
		}
	return FT_OK;
}

static enum ft_status fail_go(const struct ft_import_job *job, const char *name, const char *text,
			      const char *what, struct ft_err *err)
{
	return ft__record_fail_named(job, name, text, what, "let go test -bench print it again", err);
}

static enum ft_status take_go_line(struct ft_import_job *job, struct go_names *names, struct go_line *line,
				   size_t number, struct ft_err *err)
{
	double calls, value[32], rate = NAN;
	size_t n = (line->n - 2) / 2;
	bool wanted;

	ft__record_begin(job, number);
	if (!is_named(line))
		return fail_go(job, "the name", line->word[0], "not a name of a benchmark", err);
	(void)snprintf(job->record.place, sizeof job->record.place, "%.100s", line->word[0]);
	if (!ft__read_number(line->word[1], &calls) || calls < 1)
		return fail_go(job, "N", line->word[1], "not a number of calls", err);
	if (line->n % 2)
		return fail_go(job, NULL, line->word[line->n - 1], "a value without a unit", err);
	FT_TRY(take_go_name(job, names, line->word[0], err));
	for (size_t i = 0; i < n; i++) {
		const char *text = line->word[2 + 2 * i], *unit = line->word[3 + 2 * i];

		if (!ft__read_number(text, &value[i]))
			return fail_go(job, unit, text, "not a number", err);
		rate = strcmp(unit, "MB/s") != 0 ? rate : value[i] * 1e6;
		FT_TRY(ft__record_field(job, unit, text, 0, err));
	}
	FT_TRY(ft__record_wanted(job, &wanted, err));
	for (size_t i = 0; i < n && wanted; i++)
		FT_TRY(take_go_value(job, line->word[3 + 2 * i], value[i], calls, err));
	double work = rate * ft_run_value(&job->record.run, &ft_wall_s);
	if (work > 0 && isfinite(work))
		job->record.run.work = work;
	return wanted ? ft__record_take(job, err) : FT_OK;
}

static bool recognise_go(const char *head, size_t length)
{
	char text[512];
	struct go_line line;

	for (const char *end = head + length, *at = head, *to; at < end; at = to + 1) {
		to = memchr(at, '\n', (size_t)(end - at));
		to = to ? to : end;
		(void)snprintf(text, sizeof text, "%.*s", (int)(to - at < 511 ? to - at : 511), at);
		cut_line(text, &line);
		if (line.n >= 4 && is_named(&line) && is_result(&line))
			return true;
	}
	return false;
}

static enum ft_status read_go_lines(struct ft_import_job *job, char *text, struct ft_err *err)
{
	struct go_names names = {0};
	struct go_line words;
	enum ft_status status = look_at_names(text, &names, err);
	char *rest = text, *line;

	names.seen = json_object();
	if (!status && !names.seen)
		status = ft_nomem(err);
	for (size_t number = 1; !status && (line = next_line(&rest)); number++) {
		if (!strncmp(line, "pkg: ", 5))
			(void)snprintf(names.package, sizeof names.package, "%.79s", line + 5);
		cut_line(line, &words);
		if (!is_result(&words))
			continue;
		status = take_go_line(job, &names, &words, number, err);
		if (status)
			status = ft__job_spare(job, status, err);
	}
	json_decref(names.seen);
	return status;
}

static enum ft_status read_go(struct ft_import_job *job, struct ft_err *err)
{
	char *text;
	size_t length;

	FT_TRY(ft__input_all(job->input, FT__TEXT_MOST, &text, &length, err));
	for (size_t i = 0; i < length; i++) /* a zero byte would end the text */
		text[i] = (char)(text[i] ? text[i] : ' ');
	enum ft_status status = read_go_lines(job, text, err);
	ft_free(text);
	return status;
}

const struct ft_format ft__go_format = {"go", "what go test -bench prints", recognise_go, read_go, NULL};

/*
 * criterion, of Rust: the messages of cargo criterion, one JSON object a line; the table raw.csv; the files
 * sample.json and estimates.json, which are called as their folders are.
 *
 * Source: bheisler.github.io/criterion.rs/book, "External Tools" and "CSV Output". A sample is the sum of its
 * iterations. Names are GROUP/FUNCTION/VALUE.
 */

static enum ft_status fail_criterion(const struct ft_import_job *job, const char *name, const char *what,
				     struct ft_err *err)
{
	return ft__record_fail_named(job, name, NULL, what, "let cargo bench write it again", err);
}

/* The name and the parameters; then whether the row is wanted. */
static enum ft_status name_criterion(struct ft_import_job *job, const char *id, size_t line, bool *wanted,
				     struct ft_err *err)
{
	struct ft__naming naming = {0};

	*wanted = false;
	ft__record_begin(job, line);
	(void)snprintf(job->record.place, sizeof job->record.place, "%.100s", id);
	enum ft_status status = ft__record_own(job, "id", 2, id, 0, false, err);
	if (!status)
		status = ft__naming_parts(job, &naming, id, "/", "/", err);
	status = ft__naming_end(job, &naming, NULL, NULL, status, err);
	if (!status && !*id)
		job->record.name = NULL;
	return status ? status : ft__record_wanted(job, wanted, err);
}

/* One sample: the sum of some iterations, in nanoseconds. */
static enum ft_status take_sum(struct ft_import_job *job, const char *id, size_t line, double sum,
			       double iterations, double work, struct ft_err *err)
{
	bool wanted;

	FT_TRY(name_criterion(job, id, line, &wanted, err));
	if (!wanted)
		return FT_OK;
	if (!(iterations >= 1))
		return fail_criterion(job, "iterations", "not above zero", err);
	if (work > 0 && isfinite(work))
		job->record.run.work = work;
	FT_TRY(ft__record_time(job, sum / iterations * 1e-9, iterations, NULL, "the sample", err));
	return ft__record_take(job, err);
}

/* Lists of sums and of iterations, in pairs. */
static enum ft_status take_sums(struct ft_import_job *job, const char *id, size_t line, const json_t *sums,
				const json_t *iterations, double work, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t n = json_array_size(sums);

	if (!n || json_array_size(iterations) != n) {
		ft__record_begin(job, line);
		(void)snprintf(job->record.place, sizeof job->record.place, "%.100s", id);
		return fail_criterion(job, "samples",
				      "there are none, or not one for each number of iterations", err);
	}
	for (size_t i = 0; i < n && !status; i++) {
		const json_t *sum = json_array_get(sums, i), *count = json_array_get(iterations, i);

		status = take_sum(job, id, line, json_is_number(sum) ? json_number_value(sum) : (double)NAN,
				  json_number_value(count), work, err);
		if (status)
			status = ft__job_spare(job, status, err);
	}
	return status;
}

/* ---- messages ----------------------------------------------------------------------------------------- */

static enum ft_status take_message(struct ft_import_job *job, json_t *message, struct ft_err *err)
{
	const char *reason = json_string_value(json_object_get(message, "reason")),
		   *id = json_string_value(json_object_get(message, "id")),
		   *unit = json_string_value(json_object_get(message, "unit"));
	size_t line = job->record.line;

	if (!reason || strcmp(reason, "benchmark-complete") != 0)
		return reason ? FT_OK : fail_criterion(job, "reason", "there is none", err);
	if (!id || !unit)
		return fail_criterion(job, id ? "unit" : "id", "there is none", err);
	if (strcmp(unit, "ns") != 0) { /* what another counter counts */
		ft__job_pass(job, FT_PASSED_METRIC);
		(void)snprintf(job->metric, sizeof job->metric, "%.60s", unit);
		return FT_OK;
	}
	const json_t *amount = json_array_get(json_object_get(message, "throughput"), 0);
	return take_sums(job, id, line, json_object_get(message, "measured_values"),
			 json_object_get(message, "iteration_count"),
			 ft__json_number(amount, "per_iteration"), err);
}

/* ---- raw.csv ------------------------------------------------------------------------------------------ */

static enum ft_status take_raw_row(void *ctx, const struct ft_csv *csv, struct ft_err *err)
{
	static const char *const names[] = {"group", "function", "value"};
	struct ft_import_job *job = ctx;
	struct ft_text id = {0};
	double number[3] = {NAN, NAN, NAN};
	static const char *const numbers[] = {"sample_measured_value", "iteration_count", "throughput_num"};
	size_t line = ft_csv_line(csv, 0);

	ft__record_begin(job, line);
	for (size_t i = 0; i < 3; i++) {
		int column = ft_csv_column(csv, numbers[i]);
		const char *cell = column < 0 ? "" : ft_csv_cell(csv, 0, (size_t)column);

		if (!ft__read_number(cell, &number[i]) && i < 2)
			return ft__record_fail_named(job, numbers[i], cell, "not a number",
						     "let cargo bench write it again", err);
	}
	for (size_t i = 0; i < 3; i++) {
		int column = ft_csv_column(csv, names[i]);
		const char *cell = column < 0 ? "" : ft_csv_cell(csv, 0, (size_t)column);

		if (*cell)
			ft_text_add(&id, "%s%s", id.length ? "/" : "", cell);
	}
	enum ft_status status =
		id.failed ? ft_nomem(err)
			  : take_sum(job, id.s ? id.s : "", line, number[0], number[1], number[2], err);
	ft_text_clear(&id);
	return status;
}

/* ---- sample.json, estimates.json ---------------------------------------------------------------------- */

/* What the folders of a file say: what stands between "criterion" and the last folder ("new", "base"); else
 * the two before that one. Heap. */
static char *id_of_path(const char *path)
{
	const char *end = strrchr(path, '/'), *from = strstr(path, "criterion/");
	size_t parts = 0;

	while (end && end > path && end[-1] != '/')
		end--;
	end = end && end > path ? end - 1 : path; /* the '/' before the last folder */
	if (from && from + 10 < end)
		return ft_strndup(from + 10, (size_t)(end - from) - 10);
	for (from = end; from > path; from--)
		if (from[-1] == '/' && ++parts == 2)
			break;
	return ft_strndup(from, (size_t)(end - from));
}

/* A file is one benchmark: its members are gathered. */
static enum ft_status gather(struct ft_import_job *job, const char *name, size_t index, size_t line,
			     struct json_t *value, struct ft_err *err)
{
	(void)index;
	(void)line;
	return json_object_set((json_t *)job->own, name, value) ? ft_nomem(err) : FT_OK;
}

static enum ft_status take_estimate(struct ft_import_job *job, const char *id, const json_t *all,
				    struct ft_err *err)
{
	double median = ft__json_number(json_object_get(all, "median"), "point_estimate"),
	       deviation = ft__json_number(json_object_get(all, "median_abs_dev"), "point_estimate");
	char reason[128] = "the median of all samples";
	bool wanted;

	FT_TRY(name_criterion(job, id, 1, &wanted, err));
	if (!wanted)
		return FT_OK;
	if (deviation > 0 && median > 0)
		(void)snprintf(reason, sizeof reason,
			       "the median of all samples, with a median absolute deviation of %.3g %%",
			       100 * deviation / median);
	FT_TRY(ft__record_time(job, median * 1e-9, 1, reason, "median", err));
	return ft__record_take(job, err);
}

static enum ft_status read_criterion_file(struct ft_import_job *job, struct ft_err *err)
{
	char *id = id_of_path(ft__input_name(job->input));
	json_t *all = json_object();
	enum ft_status status = id && all ? FT_OK : ft_nomem(err);

	job->own = all;
	if (!status)
		status = ft__document_each(job, "-", gather, err);
	if (!status && json_object_get(all, "iters"))
		status = take_sums(job, id, 1, json_object_get(all, "times"), json_object_get(all, "iters"),
				   NAN, err);
	else if (!status && (status = take_estimate(job, id, all, err)))
		status = ft__job_spare(job, status, err);
	job->own = NULL;
	json_decref(all);
	ft_free(id);
	return status;
}

static bool is_raw_table(const char *head, size_t length)
{
	static const char *const columns[] = {"group", "sample_measured_value", "iteration_count"};

	return ft__table_head(head, length, ',', columns, 3);
}

static bool recognise_criterion(const char *head, size_t length)
{
	return is_raw_table(head, length) || ft__document_head(head, length, "benchmark-complete") ||
	       (ft__document_head(head, length, "median_abs_dev") &&
		ft__document_head(head, length, "point_estimate")) ||
	       (ft__document_head(head, length, "iters") && ft__document_head(head, length, "times"));
}

static enum ft_status read_criterion(struct ft_import_job *job, struct ft_err *err)
{
	const char *head;
	size_t length;

	FT_TRY(ft__input_head(job->input, &head, &length, err));
	if (is_raw_table(head, length))
		return ft__table_each(job, ',', false, take_raw_row, err);
	if (ft__document_head(head, length, "reason"))
		return ft__lines_each(job, take_message, err);
	return read_criterion_file(job, err);
}

const struct ft_format ft__criterion_format = {
	"criterion", "criterion's messages in JSON, raw.csv, sample.json and estimates.json",
	recognise_criterion, read_criterion, NULL};
