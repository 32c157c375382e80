/* SPDX-License-Identifier: GPL-3.0-or-later */
/* microbenchmarks.c - benchmarks of Python and of the JVM: pytest-benchmark, asv, pyperf, JMH. All write JSON. */
#include "adapt/adapt.h"
#include "base/alloc.h"
#include "base/text.h"
#include "facts/door.h"
#include "foretime/base.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/*
 * What they share.
 */

static enum ft_status fail_entry(const struct ft_import_job *job, const char *name, const char *what,
				 struct ft_err *err)
{
	return ft__record_fail_named(job, name, NULL, what, "let the tool write its file again", err);
}

/* The host and the processors of the machine, where no file before has them. */
static enum ft_status note_machine(struct ft_import_job *job, const char *host, double processors,
				   struct ft_err *err)
{
	struct ft_machine *machine = &job->import->machine;

	if (!machine->threads && processors >= 1 && processors <= 1e6)
		machine->threads = (int)processors;
	return ft__note_keep(&machine->host, host && *host ? host : NULL) ? FT_OK : ft_nomem(err);
}

/* A number that may be written as a text; NaN: neither. */
static double loose_number(const json_t *value)
{
	double number;

	if (json_is_string(value) && ft__read_number(json_string_value(value), &number))
		return number;
	return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

/* A parameter of any type, as a text. */
static enum ft_status add_value(struct ft_import_job *job, struct ft__naming *naming, const char *key,
				const json_t *value, struct ft_err *err)
{
	char digits[FT_NUMBER_LENGTH];
	const char *text = json_string_value(value);
	char *dumped = NULL;

	if (json_is_number(value))
		text = ft_number_format(json_number_value(value), digits);
	else if (!text && !(text = dumped = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT)))
		return ft_nomem(err);
	enum ft_status status = ft__naming_param(job, naming, key, strlen(key), text, "-", err);
	free(dumped);
	return status;
}

/* The parameters of an object, each by its name. */
static enum ft_status add_values(struct ft_import_job *job, struct ft__naming *naming, const json_t *object,
				 struct ft_err *err)
{
	json_t *members = (json_t *)(uintptr_t)object, *value;
	enum ft_status status = FT_OK;
	const char *key;

	json_object_foreach(members, key, value)
	{
		if (!status)
			status = add_value(job, naming, key, value, err);
	}
	return status;
}

/* Milliseconds since 1970 as they are kept; 0: none that can be. */
static int64_t moment_of(double ms)
{
	return ms > 0 && ms < (double)INT64_MAX / 1e6 ? (int64_t)ms * 1000000 : 0;
}

/*
 * pytest-benchmark: one entry a test, with all its rounds where --benchmark-save-data asked for them.
 *
 * Source: pytest-benchmark.readthedocs.io; pytest_benchmark/stats.py. Times are of one call: each round is the
 * mean of `iterations`. A name is TEST[ID], where params has the parameters; ID joins them with '-'.
 */

static bool recognise_pytest(const char *head, size_t length)
{
	return ft__document_head(head, length, "machine_info") &&
	       (ft__document_head(head, length, "commit_info") ||
		ft__document_head(head, length, "benchmarks"));
}

/* The name without its brackets, and the parameters: from `params`, else from what stands in the brackets. */
static enum ft_status name_test(struct ft_import_job *job, const json_t *entry, const char *name,
				struct ft_err *err)
{
	const char *full = json_string_value(json_object_get(entry, "fullname")), *open = strchr(name, '['),
		   *colons = full ? strstr(full, "::") : NULL;
	const json_t *params = json_object_get(entry, "params");
	size_t length = open ? (size_t)(open - name) : strlen(name);
	struct ft__naming naming = {0};
	char module[128] = "", id[256] = "";
	enum ft_status status = FT_OK;

	if (colons)
		(void)snprintf(module, sizeof module, "%.*s",
			       (int)(colons - full < 127 ? colons - full : 127), full);
	if (open)
		(void)snprintf(id, sizeof id, "%.*s", (int)strcspn(open + 1, "]"), open + 1);
	ft_text_add_bytes(&naming.program, name, length);
	if (json_is_object(params))
		status = add_values(job, &naming, params, err);
	else if (*id)
		status = ft__naming_parts(job, &naming, id, "-", "-", err);
	if (!status && *module)
		status = ft__record_own(job, "module", strlen("module"), module, 0, false, err);
	return ft__naming_end(job, &naming, *module ? module : NULL, job->own, status, err);
}

static enum ft_status begin_test(struct ft_import_job *job, const json_t *entry, size_t index, size_t line,
				 bool *wanted, struct ft_err *err)
{
	const char *name = json_string_value(json_object_get(entry, "name")),
		   *full = json_string_value(json_object_get(entry, "fullname")),
		   *group = json_string_value(json_object_get(entry, "group"));

	*wanted = false;
	ft__record_begin(job, line);
	(void)snprintf(job->record.place, sizeof job->record.place, "benchmarks[%zu]", index);
	if (!name)
		return fail_entry(job, "name", "there is none", err);
	(void)snprintf(job->record.place, sizeof job->record.place, "%.100s", name);
	FT_TRY(ft__record_field(job, "name", name, 0, err));
	if (full)
		FT_TRY(ft__record_field(job, "fullname", full, 0, err));
	if (group)
		FT_TRY(ft__record_field(job, "group", group, 0, err));
	FT_TRY(name_test(job, entry, name, err));
	FT_TRY(ft__json_fields(job, "extra_info.", json_object_get(entry, "extra_info"), err));
	return ft__record_wanted(job, wanted, err);
}

/* A test without its rounds: one value, for as many that agree would have no noise. */
static enum ft_status take_summary(struct ft_import_job *job, const json_t *stats, struct ft_err *err)
{
	double median = ft__json_number(stats, "median"), mean = ft__json_number(stats, "mean"),
	       deviation = ft__json_number(stats, "stddev"), rounds = ft__json_number(stats, "rounds"),
	       iterations = ft__json_number(stats, "iterations");
	const char *what = isnan(median) ? "mean" : "median";
	char reason[128];

	(void)snprintf(reason, sizeof reason, "the %s of %.0f rounds, with a standard deviation of %.3g %%",
		       what, rounds >= 1 ? rounds : 1,
		       deviation > 0 && mean > 0 ? 100 * deviation / mean : 0.0);
	FT_TRY(ft__record_time(job, isnan(median) ? mean : median, rounds * iterations, reason, what, err));
	return ft__record_take(job, err);
}

static enum ft_status take_test(struct ft_import_job *job, const char *key, size_t index, size_t line,
				struct json_t *entry, struct ft_err *err)
{
	const json_t *stats = json_object_get(entry, "stats"), *rounds = json_object_get(stats, "data"),
		     *cpu = json_object_get(entry, "cpu");
	double iterations = ft__json_number(stats, "iterations");
	enum ft_status status = FT_OK;
	char what[48];
	bool wanted;

	if (index == SIZE_MAX)
		return strcmp(key, "machine_info")
			       ? FT_OK
			       : note_machine(job, json_string_value(json_object_get(entry, "node")),
					      ft__json_number(cpu, "count"), err);
	if (!json_is_object(stats) || !json_array_size(rounds)) {
		FT_TRY(begin_test(job, entry, index, line, &wanted, err));
		if (wanted && !json_is_object(stats))
			return fail_entry(job, "stats", "there are none", err);
		return wanted ? take_summary(job, stats, err) : FT_OK;
	}
	for (size_t i = 0; i < json_array_size(rounds) && !status; i++) {
		(void)snprintf(what, sizeof what, "data[%zu]", i);
		status = begin_test(job, entry, index, line, &wanted, err);
		if (!status && wanted)
			status = ft__record_time(job, loose_number(json_array_get(rounds, i)), iterations,
						 NULL, what, err);
		if (!status && wanted)
			status = ft__record_take(job, err);
		if (status)
			status = ft__job_spare(job, status, err);
	}
	return status;
}

static enum ft_status read_pytest(struct ft_import_job *job, struct ft_err *err)
{
	json_t *seen = json_object();

	job->own = seen;
	enum ft_status status = seen ? ft__document_each(job, "benchmarks", take_test, err) : ft_nomem(err);
	job->own = NULL;
	json_decref(seen);
	return status;
}

const struct ft_format ft__pytest_format = {"pytest-benchmark", "what pytest --benchmark-json writes",
					    recognise_pytest, read_pytest, NULL};

/*
 * asv: one member a benchmark, with a value for each combination of its parameters, and with the samples where
 * --record-samples asked for them.
 *
 * Source: asv.readthedocs.io, "Developer Docs", "Benchmark suite layout and file formats". The members of
 * `results` are lists in the order of `result_columns`, or objects (version 1). Values are in the order of
 * itertools.product: the last parameter changes fastest. null: it failed; NaN: it skipped itself.
 */

static bool recognise_asv(const char *head, size_t length)
{
	return ft__document_head(head, length, "commit_hash") &&
	       (ft__document_head(head, length, "results") ||
		ft__document_head(head, length, "result_columns"));
}

/* A member of a benchmark by the name of its column; NULL: there is none. */
static const json_t *column_of(const struct ft_import_job *job, const json_t *benchmark, const char *name)
{
	static const char *const usual[] = {"result",     "params",        "version",       "started_at",
					    "duration",   "stats_ci_99_a", "stats_ci_99_b", "stats_q_25",
					    "stats_q_75", "number",        "repeat",        "samples"};
	const json_t *columns = job->own;

	if (json_is_object(benchmark))
		return json_object_get(benchmark, name);
	for (size_t i = 0; i < json_array_size(benchmark); i++) {
		const char *here = columns ? json_string_value(json_array_get(columns, i))
				   : i < sizeof usual / sizeof *usual ? usual[i]
								      : NULL;

		if (here && (!strcmp(here, name) || (!strncmp(here, "stats_", 6) && !strcmp(here + 6, name))))
			return json_array_get(benchmark, i);
	}
	return NULL;
}

/* The resource that a benchmark measures, by what asv takes its kind from: the name of its function. */
static const struct ft_resource *kind_of(const char *function)
{
	static const struct {
		const char *begin;
		const struct ft_resource *resource;
	} kinds[] = {{"time", &ft_wall_s},
		     {"Time", &ft_wall_s},
		     {"peakmem_", &ft_peak_rss_bytes},
		     {"PeakMem", &ft_peak_rss_bytes}};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!strncmp(function, kinds[i].begin, strlen(kinds[i].begin)))
			return kinds[i].resource;
	return NULL;
}

/* A text as Python prints it: without its quotes. */
static enum ft_status add_printed(struct ft_import_job *job, struct ft__naming *naming, const char *text,
				  struct ft_err *err)
{
	size_t length = strlen(text);
	bool quoted = length > 1 && (*text == '\'' || *text == '"') && text[length - 1] == *text;
	char *plain = ft_strndup(text + quoted, length - (quoted ? 2 : 0));

	if (!plain)
		return ft_nomem(err);
	enum ft_status status = ft__naming_param(job, naming, NULL, 0, plain, "-", err);
	ft_free(plain);
	return status;
}

/* One combination of the parameters of a benchmark. */
struct asv_result {
	const char *name, *function;
	const json_t *benchmark, *params;
	size_t i, n, line;
};

static enum ft_status begin_result(struct ft_import_job *job, const struct asv_result *result, bool *wanted,
				   struct ft_err *err)
{
	const json_t *started = column_of(job, result->benchmark, "started_at");
	struct ft__naming naming = {0};
	char digits[FT_NUMBER_LENGTH];
	size_t each = result->n;

	*wanted = false;
	ft__record_begin(job, result->line);
	(void)snprintf(job->record.place, sizeof job->record.place, "%.80s, result %zu", result->name,
		       result->i + 1);
	job->record.run.started_ns = moment_of(json_number_value(started));
	ft_text_add(&naming.program, "%s", result->name);
	enum ft_status status =
		ft__record_own(job, "benchmark", strlen("benchmark"), result->name, 0, false, err);
	for (size_t p = 0; p < json_array_size(result->params) && !status; p++) {
		const json_t *values = json_array_get(result->params, p);
		each /= json_array_size(values);
		const json_t *value = json_array_get(values, result->i / each % json_array_size(values));

		const char *text = json_is_number(value) ? ft_number_format(json_number_value(value), digits)
							 : json_string_value(value);
		status = text ? add_printed(job, &naming, text, err)
			      : fail_entry(job, "params", "a value is no text", err);
	}
	status = ft__naming_end(job, &naming, NULL, NULL, status, err);
	return status ? status : ft__record_wanted(job, wanted, err);
}

/* A value of a kind that is no resource is a column of its own for --value. */
static enum ft_status take_asv_value(struct ft_import_job *job, const struct asv_result *result, double value,
				     double calls, const char *reason, struct ft_err *err)
{
	const struct ft_resource *resource = kind_of(result->function);
	enum ft_status status;
	bool wanted;

	FT_TRY(begin_result(job, result, &wanted, err));
	if (!wanted)
		return FT_OK;
	if (resource == &ft_wall_s)
		status = ft__record_time(job, value, calls, reason, "result", err);
	else if (resource)
		status = ft__record_sample(job, resource, value, FT_MEASURED, NULL, "result", err);
	else
		status = ft__record_own(job, result->function, strlen(result->function), NULL, value, false,
					err);
	return status ? status : ft__record_take(job, err);
}

/* A result that is none: the benchmark failed there, or stated that this size makes no sense. */
static enum ft_status take_failure(struct ft_import_job *job, const struct asv_result *result, bool skipped,
				   struct ft_err *err)
{
	struct ft_run *run = &job->record.run;
	bool wanted;

	FT_TRY(begin_result(job, result, &wanted, err));
	if (!wanted)
		return FT_OK;
	run->outcome = skipped ? FT_INVALID : FT_FAILED;
	run->detail = ft_strdup(skipped ? "it skipped itself" : "asv has no result of it: it failed");
	return run->detail ? ft__record_keep(job, err) : ft_nomem(err);
}

/* The i-th of a list of values for all combinations; a single value stands for itself. */
static const json_t *item_of(const json_t *list, size_t i)
{
	return json_is_array(list) ? json_array_get(list, i) : list;
}

static enum ft_status take_result(struct ft_import_job *job, const struct asv_result *result,
				  struct ft_err *err)
{
	const json_t *value = item_of(column_of(job, result->benchmark, "result"), result->i);
	const json_t *samples = item_of(column_of(job, result->benchmark, "samples"), result->i);
	double number = loose_number(item_of(column_of(job, result->benchmark, "number"), result->i)),
	       repeat = loose_number(item_of(column_of(job, result->benchmark, "repeat"), result->i));
	enum ft_status status = FT_OK;
	char reason[64] = "the median of some samples";

	if (json_is_null(value) || (json_is_string(value) && !json_string_length(value)))
		return take_failure(job, result, !json_is_null(value), err);
	if (repeat >= 1)
		(void)snprintf(reason, sizeof reason, "the median of %.0f samples", repeat);
	if (!json_array_size(samples))
		return take_asv_value(job, result, loose_number(value), number * repeat,
				      number * repeat <= 1 ? NULL : reason, err);
	for (size_t i = 0; i < json_array_size(samples) && !status; i++) {
		status = take_asv_value(job, result, loose_number(json_array_get(samples, i)), number, NULL,
					err);
		if (status)
			status = ft__job_spare(job, status, err);
	}
	return status;
}

static enum ft_status take_asv_benchmark(struct ft_import_job *job, struct asv_result *result,
					 struct ft_err *err)
{
	const json_t *values = column_of(job, result->benchmark, "result");
	enum ft_status status = FT_OK;
	bool wanted = false;

	ft__record_begin(job, result->line);
	(void)snprintf(job->record.place, sizeof job->record.place, "%.100s", result->name);
	result->params = column_of(job, result->benchmark, "params");
	result->n = 1;
	for (size_t p = 0; p < json_array_size(result->params); p++) {
		size_t n = json_array_size(json_array_get(result->params, p));

		if (!n || n > FT_IMPORT_RUNS_MAX / result->n)
			return fail_entry(job, "params", "a parameter without values, or too many of them",
					  err);
		result->n *= n;
	}
	if (json_is_array(values) && json_array_size(values) != result->n)
		return fail_entry(job, "result", "not a value for each combination of the parameters", err);
	for (size_t i = 0; i < job->n_values; i++) {
		double factor;
		wanted = wanted || ft__value_names(&job->value[i], result->function, &factor);
	}
	if (!kind_of(result->function) && !wanted) {
		for (size_t i = 0; i < result->n; i++)
			ft__job_pass(job, FT_PASSED_METRIC);
		if (!*job->metric)
			(void)snprintf(job->metric, sizeof job->metric, "%.60s", result->function);
		return FT_OK;
	}
	for (result->i = 0; result->i < result->n && !status; result->i++)
		if ((status = take_result(job, result, err)))
			status = ft__job_spare(job, status, err);
	return status;
}

static enum ft_status take_asv_member(struct ft_import_job *job, const char *name, size_t index, size_t line,
				      struct json_t *value, struct ft_err *err)
{
	struct asv_result result = {.name = name, .function = name, .line = line};
	json_t *whole = NULL;

	if (index == SIZE_MAX) {
		if (!strcmp(name, "result_columns") && !job->own)
			job->own = json_incref(value);
		return strcmp(name, "params")
			       ? FT_OK
			       : note_machine(job, json_string_value(json_object_get(value, "machine")),
					      loose_number(json_object_get(value, "num_cpu")), err);
	}
	if (strrchr(name, '.'))
		result.function = strrchr(name, '.') + 1;
	if (!json_is_array(value) && !json_is_object(value)) { /* version 1, without parameters */
		whole = json_pack("{s:O}", "result", value);
		if (!whole)
			return ft_nomem(err);
	}
	result.benchmark = whole ? whole : value;
	enum ft_status status = take_asv_benchmark(job, &result, err);
	json_decref(whole);
	return status;
}

static enum ft_status read_asv(struct ft_import_job *job, struct ft_err *err)
{
	enum ft_status status = ft__document_each(job, "results", take_asv_member, err);

	json_decref((json_t *)job->own);
	job->own = NULL;
	return status;
}

const struct ft_format ft__asv_format = {"asv", "results of airspeed velocity (asv run)", recognise_asv,
					 read_asv, NULL};

/*
 * pyperf: benchmarks, each with its runs (processes), each with its values.
 *
 * Source: pyperf.readthedocs.io, "pyperf JSON format"; pyperf/_run.py. Values, also those of warm-ups, are of
 * one call: of `loops` times `inner_loops` they are the mean. What all benchmarks have in common stands in
 * `metadata` of the document, which comes last.
 */

static bool recognise_pyperf(const char *head, size_t length)
{
	return ft__document_head(head, length, "benchmarks") && ft__document_head(head, length, "runs") &&
	       (ft__document_head(head, length, "warmups") || ft__document_head(head, length, "values"));
}

/* What a key says: of the run, of its benchmark, of all. */
struct metadata {
	const json_t *run, *benchmark, *all;
};

static const json_t *find_meta(const struct metadata *about, const char *key)
{
	const json_t *value = json_object_get(about->run, key);

	value = value ? value : json_object_get(about->benchmark, key);
	return value ? value : json_object_get(about->all, key);
}

static double count_of(const struct metadata *about, const char *key)
{
	double count = loose_number(find_meta(about, key));

	return count >= 1 ? count : 1;
}

/* A value of a process. */
struct pyperf_value {
	const json_t *value;
	double calls;
	size_t line;
	bool warmup, first; /* first: the memory of its process stands at it */
	char what[48];
};

static enum ft_status add_metadata(struct ft_import_job *job, const struct metadata *about,
				   struct ft_err *err)
{
	FT_TRY(ft__json_fields(job, "metadata.", about->run, err));
	FT_TRY(ft__json_fields(job, "metadata.", about->benchmark, err));
	return ft__json_fields(job, "metadata.", about->all, err);
}

static enum ft_status begin_value(struct ft_import_job *job, const struct metadata *about,
				  const struct pyperf_value *at, bool *wanted, struct ft_err *err)
{
	const char *name = json_string_value(find_meta(about, "name")),
		   *date = json_string_value(find_meta(about, "date"));
	struct ft__naming naming = {0};
	enum ft_status status = FT_OK;

	*wanted = false;
	ft__record_begin(job, at->line);
	(void)snprintf(job->record.place, sizeof job->record.place, "%.100s", name ? name : "a benchmark");
	if (name)
		status = ft__record_own(job, "name", strlen("name"), name, 0, false, err);
	if (!status && name)
		status = ft__naming_parts(job, &naming, name, " /,()[]", "-", err);
	status = ft__naming_end(job, &naming, NULL, NULL, status, err);
	if (!status && !name)
		job->record.name = NULL;
	if (!status)
		status = add_metadata(job, about, err);
	job->record.run.started_ns = date ? ft__read_moment(date, &job->clock) : 0;
	return status ? status : ft__record_wanted(job, wanted, err);
}

static enum ft_status take_value(struct ft_import_job *job, const struct metadata *about,
				 const struct pyperf_value *at, struct ft_err *err)
{
	const char *unit = json_string_value(find_meta(about, "unit"));
	double bytes = loose_number(find_meta(about, "command_max_rss"));
	bool wanted;

	if (unit && strcmp(unit, "second") != 0 && strcmp(unit, "byte") != 0) {
		ft__job_pass(job, FT_PASSED_METRIC);
		(void)snprintf(job->metric, sizeof job->metric, "%.60s", unit);
		return FT_OK;
	}
	FT_TRY(begin_value(job, about, at, &wanted, err));
	if (!wanted)
		return FT_OK;
	job->record.run.warmup = at->warmup;
	if (!json_is_number(at->value))
		return fail_entry(job, at->what, "not a number", err);
	if (unit && !strcmp(unit, "byte"))
		FT_TRY(ft__record_sample(job, &ft_peak_rss_bytes, json_number_value(at->value), FT_MEASURED,
					 NULL, at->what, err));
	else
		FT_TRY(ft__record_time(job, json_number_value(at->value), at->calls, NULL, at->what, err));
	bytes = isnan(bytes) ? loose_number(find_meta(about, "mem_max_rss")) : bytes;
	if (at->first && bytes > 0 && isnan(ft_run_value(&job->record.run, &ft_peak_rss_bytes)))
		FT_TRY(ft__record_sample(job, &ft_peak_rss_bytes, bytes, FT_MEASURED, NULL, "mem_max_rss",
					 err));
	return ft__record_take(job, err);
}

static enum ft_status take_process(struct ft_import_job *job, const struct metadata *about, const json_t *run,
				   size_t line, struct ft_err *err)
{
	const json_t *warmups = json_object_get(run, "warmups"), *values = json_object_get(run, "values");
	double inner = count_of(about, "inner_loops"), loops = count_of(about, "loops");
	struct pyperf_value at = {.line = line, .warmup = true};
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < json_array_size(warmups) && !status; i++) {
		const json_t *pair = json_array_get(warmups, i);

		at.value = json_array_get(pair, 1);
		at.calls = inner * json_number_value(json_array_get(pair, 0));
		(void)snprintf(at.what, sizeof at.what, "warmups[%zu]", i);
		if ((status = take_value(job, about, &at, err)))
			status = ft__job_spare(job, status, err);
	}
	at.warmup = false;
	at.calls = inner * loops;
	for (size_t i = 0; i < json_array_size(values) && !status; i++) {
		at.value = json_array_get(values, i);
		at.first = !i;
		(void)snprintf(at.what, sizeof at.what, "values[%zu]", i);
		if ((status = take_value(job, about, &at, err)))
			status = ft__job_spare(job, status, err);
	}
	return status;
}

static enum ft_status take_pyperf_benchmark(struct ft_import_job *job, const char *key, size_t index,
					    size_t line, struct json_t *entry, struct ft_err *err)
{
	struct metadata about = {.benchmark = json_object_get(entry, "metadata"), .all = job->own};
	const json_t *runs = json_object_get(entry, "runs");
	enum ft_status status = FT_OK;

	(void)key;
	if (index == SIZE_MAX)
		return FT_OK;
	if (!json_array_size(runs)) {
		ft__record_begin(job, line);
		(void)snprintf(job->record.place, sizeof job->record.place, "benchmarks[%zu]", index);
		return fail_entry(job, "runs", "there are none", err);
	}
	for (size_t i = 0; i < json_array_size(runs) && !status; i++) {
		const json_t *run = json_array_get(runs, i);

		about.run = json_object_get(run, "metadata");
		if (!i)
			status = note_machine(job, json_string_value(find_meta(&about, "hostname")),
					      loose_number(find_meta(&about, "cpu_count")), err);
		if (!status)
			status = take_process(job, &about, run, line, err);
	}
	return status;
}

/* What all benchmarks have in common: the last `metadata` of the text. NULL: there is none. */
static json_t *common_metadata(const char *text, size_t length)
{
	static const char key[] = "\"metadata\"";
	const char *found = NULL, *at = text, *end = text + length;

	while ((at = memmem(at, (size_t)(end - at), key, sizeof key - 1)))
		found = at += sizeof key - 1;
	while (found && found < end && *found && strchr(" \t\r\n:", *found))
		found++;
	if (!found || ft__json_check("", found, (size_t)(end - found), FT__READ_MOST, NULL))
		return NULL;
	return json_loadb(found, (size_t)(end - found), JSON_DISABLE_EOF_CHECK, NULL);
}

static enum ft_status read_pyperf(struct ft_import_job *job, struct ft_err *err)
{
	char *text;
	size_t length;

	FT_TRY(ft__input_all(job->input, FT__TEXT_MOST, &text, &length, err));
	job->own = common_metadata(text, length);
	enum ft_status status =
		ft__document_scan(job, text, length, "benchmarks", take_pyperf_benchmark, err);
	json_decref((json_t *)job->own);
	job->own = NULL;
	ft_free(text);
	return status;
}

const struct ft_format ft__pyperf_format = {"pyperf", "JSON of pyperf", recognise_pyperf, read_pyperf, NULL};

/*
 * JMH: an array of results, each with the scores of all iterations of all forks.
 *
 * Source: org.openjdk.jmh.results.format.JSONResultFormat. Scores are times of one operation ("ns/op"), or
 * operations of all threads in a time ("ops/ms"). rawData: by fork, by iteration; of the mode `sample`
 * rawDataHistogram has pairs of a time and its count there. Parameters are texts.
 */

static bool recognise_jmh(const char *head, size_t length)
{
	size_t i = 0;
	const char *line;

	while (i < length && head[i] && strchr(" \t\r\n", head[i]))
		i++;
	if (i < length && head[i] != '[' && (line = memchr(head, '\n', length))) /* it may be damaged */
		i = (size_t)(line - head) + 1;
	return i < length && memmem(head, length, "\"primaryMetric\"", 15) &&
	       memmem(head, length, "\"benchmark\"", 11) && strchr("[ {\t\r\n", head[i]);
}

/* A unit of scores. */
struct score_unit {
	double seconds;
	bool rate; /* operations in that time; else time of one */
};

static bool read_unit(const char *text, struct score_unit *unit)
{
	static const struct {
		const char *name;
		double seconds;
	} times[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3},  {"s", 1},
		     {"min", 60},  {"hr", 3600}, {"day", 86400}};

	unit->rate = text && !strncmp(text, "ops/", 4);
	for (size_t i = 0; text && i < sizeof times / sizeof *times; i++) {
		size_t length = strlen(times[i].name);

		unit->seconds = times[i].seconds;
		if (unit->rate ? !strcmp(text + 4, times[i].name)
			       : !strncmp(text, times[i].name, length) && !strcmp(text + length, "/op"))
			return true;
	}
	return false;
}

/* One score of a result. */
struct score {
	const json_t *entry;
	const char *mode;
	struct score_unit unit;
	double threads;
	size_t index, line, fork, iteration;
};

static enum ft_status begin_score(struct ft_import_job *job, const struct score *score, bool *wanted,
				  struct ft_err *err)
{
	const char *name = json_string_value(json_object_get(score->entry, "benchmark"));
	const char *method = name ? strrchr(name, '.') : NULL, *type = method;
	struct ft__naming naming = {0};
	char package[160] = "";

	*wanted = false;
	ft__record_begin(job, score->line);
	(void)snprintf(job->record.place, sizeof job->record.place, "[%zu]", score->index);
	if (!name)
		return fail_entry(job, "benchmark", "there is no name", err);
	(void)snprintf(job->record.place, sizeof job->record.place, "%.100s", name);
	while (type && type > name && type[-1] != '.')
		type--;
	if (type && type > name)
		(void)snprintf(package, sizeof package, "%.*s",
			       (int)(type - name < 160 ? type - name - 1 : 159), name);
	ft_text_add(&naming.program, "%s", type ? type : name);
	enum ft_status status = ft__record_own(job, "benchmark", strlen("benchmark"), name, 0, false, err);
	if (!status && score->mode)
		status = ft__record_own(job, "mode", strlen("mode"), score->mode, 0, false, err);
	if (!status)
		status = ft__record_own(job, "threads", strlen("threads"), NULL, score->threads,
					score->threads > 1, err);
	if (!status)
		status = add_values(job, &naming, json_object_get(score->entry, "params"), err);
	if (score->mode && !strcmp(score->mode, "ss")) /* the first call is another thing than later ones */
		ft_text_add(&naming.program, "-ss");
	status = ft__naming_end(job, &naming, *package ? package : NULL, job->own, status, err);
	return status ? status : ft__record_wanted(job, wanted, err);
}

/* What an operation allocated, where the profiler gc counted it. */
static enum ft_status add_allocated(struct ft_import_job *job, const struct score *score, struct ft_err *err)
{
	json_t *metrics = json_object_get(score->entry, "secondaryMetrics"), *metric;
	const struct ft_resource *resource;
	const char *key;

	json_object_foreach(metrics, key, metric)
	{
		const json_t *fork = json_array_get(json_object_get(metric, "rawData"), score->fork),
			     *value = json_array_get(fork, score->iteration);

		if (!ft_word_ends(key, "gc.alloc.rate.norm") && strcmp(key, "gc.alloc.rate.norm") != 0)
			continue;
		if (!json_is_number(value))
			continue;
		FT_TRY(ft_resource_named("allocated_bytes", &resource, err));
		return ft__record_sample(job, resource, json_number_value(value), FT_ESTIMATED, NULL, key,
					 err);
	}
	return FT_OK;
}

static enum ft_status take_score(struct ft_import_job *job, const struct score *score, double value,
				 const char *reason, struct ft_err *err)
{
	const char *each = json_string_value(json_object_get(score->entry, "measurementTime"));
	double seconds = score->unit.rate ? score->threads * score->unit.seconds / value
					  : value * score->unit.seconds,
	       cost_s;
	bool wanted, once = score->mode && !strcmp(score->mode, "ss");

	FT_TRY(begin_score(job, score, &wanted, err));
	if (!wanted)
		return FT_OK;
	if (!once && each && !ft_duration_parse(each, &cost_s, NULL) && cost_s > 0)
		job->record.run.cost_s = cost_s;
	if (!reason && !(once && ft__json_number(score->entry, "measurementBatchSize") <= 1))
		reason = "the mean of many operations: single ones vary more";
	FT_TRY(ft__record_time(job, seconds, NAN, reason, "score", err));
	FT_TRY(add_allocated(job, score, err));
	return ft__record_take(job, err);
}

/* The mean of a histogram: pairs of a value and its count. A number is itself. NaN: neither. */
static double mean_of(const json_t *value)
{
	double sum = 0, n = 0;

	if (!json_is_array(value))
		return json_is_number(value) ? json_number_value(value) : (double)NAN;
	for (size_t i = 0; i < json_array_size(value); i++) {
		const json_t *pair = json_array_get(value, i);
		double count = json_number_value(json_array_get(pair, 1));

		sum += count * json_number_value(json_array_get(pair, 0));
		n += count;
	}
	return n > 0 ? sum / n : (double)NAN;
}

static enum ft_status take_jmh(struct ft_import_job *job, const char *key, size_t index, size_t line,
			       struct json_t *entry, struct ft_err *err)
{
	const json_t *metric = json_object_get(entry, "primaryMetric"),
		     *forks = json_object_get(metric, "rawData");
	const char *unit = json_string_value(json_object_get(metric, "scoreUnit"));
	double threads = ft__json_number(entry, "threads");
	struct score score = {.entry = entry,
			      .mode = json_string_value(json_object_get(entry, "mode")),
			      .threads = threads >= 1 ? threads : 1,
			      .index = index,
			      .line = line};
	enum ft_status status = FT_OK;

	(void)key;
	if (index == SIZE_MAX)
		return FT_OK;
	ft__record_begin(job, line);
	(void)snprintf(job->record.place, sizeof job->record.place, "[%zu]", index);
	if (!json_is_object(metric) || !read_unit(unit, &score.unit))
		return ft__record_fail_named(job, "primaryMetric.scoreUnit", unit,
					     "neither a time/op nor ops/time",
					     "let JMH write it again: -rf json", err);
	forks = json_is_array(forks) ? forks : json_object_get(metric, "rawDataHistogram");
	if (!json_array_size(forks))
		return take_score(job, &score, ft__json_number(metric, "score"), "the mean of all iterations",
				  err);
	for (score.fork = 0; score.fork < json_array_size(forks) && !status; score.fork++) {
		const json_t *values = json_array_get(forks, score.fork);

		for (size_t i = 0; i < json_array_size(values) && !status; i++) {
			score.iteration = i;
			if ((status = take_score(job, &score, mean_of(json_array_get(values, i)), NULL, err)))
				status = ft__job_spare(job, status, err);
		}
	}
	return status;
}

static enum ft_status read_jmh(struct ft_import_job *job, struct ft_err *err)
{
	json_t *seen = json_object();

	job->own = seen;
	enum ft_status status = seen ? ft__document_each(job, "", take_jmh, err) : ft_nomem(err);
	job->own = NULL;
	json_decref(seen);
	return status;
}

const struct ft_format ft__jmh_format = {"jmh", "JSON of JMH (-rf json)", recognise_jmh, read_jmh, NULL};
