/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv.c - plain tables: columns are parameters and resources, SI units, one row a run; foretime's own
   export. */
#include "adapt/adapt.h"
#include "base/alloc.h"
#include "base/csv_table.h"
#include "base/number.h"
#include "base/text.h"
#include "facts/door.h"
#include "foretime/base.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* A column of numbers that is not used. */
struct unread {
	size_t field;
	double first;
	bool differs;
};

enum { UNREAD_MOST = 8 };

/* State kept from row to row. */
struct csv_own {
	char *ranges;
	struct unread unread[UNREAD_MOST];
	size_t n;
	bool begun;
};

/* Printable text whose first line is a header: a name in it, and no brace of a document. */
static bool recognise_csv(const char *head, size_t length)
{
	size_t i = 0;

	if (!length || memchr(head, '\0', length))
		return false;
	while (i < length && strchr(" \t\r\n", head[i]))
		i++;
	if (i == length || head[i] == '{' || head[i] == '[' || head[i] == '<')
		return false;
	for (; i < length && head[i] != '\n' && head[i] != '\r'; i++)
		if ((unsigned char)head[i] < ' ' && head[i] != '\t')
			return false;
	return true;
}

static bool has_resource(const struct ft_import_job *job)
{
	const struct ft_resource *resource;

	for (size_t i = 0; (resource = ft_resource_get(i)); i++)
		if (ft__record_text(&job->record, resource->name))
			return true;
	return job->n_values > 0;
}

/* outcome, warmup, started: without such columns, a plain run that ended well. */
static enum ft_status read_words(struct ft_import_job *job, struct ft_err *err)
{
	const struct ft__field *outcome = ft__record_find(&job->record, "outcome");
	const struct ft__field *warmup = ft__record_find(&job->record, "warmup");
	const struct ft__field *started = ft__record_find(&job->record, "started");
	struct ft_run *run = &job->record.run;

	if (outcome && !ft__is_missing(outcome->text) && !ft_outcome_parse(outcome->text, &run->outcome))
		return ft__record_fail(
			job, outcome, "not an outcome",
			"write done, failed, crashed, timed out, out of memory, not valid, not "
			"started or interrupted",
			err);
	run->warmup = warmup && !strcmp(warmup->text, "1");
	if (warmup && !ft__is_missing(warmup->text) && !run->warmup && strcmp(warmup->text, "0") != 0)
		return ft__record_fail(job, warmup, "neither 0 nor 1", "write 1 for a warm-up, else 0", err);
	if (started && !ft__is_missing(started->text) && !ft__moment_parse(started->text, &run->started_ns))
		return ft__record_fail(job, started, "not a moment",
				       "write it as 2026-01-31T12:00:00Z (UTC), or leave the cell empty",
				       err);
	return FT_OK;
}

/* A parameter may be called as a resource, input_bytes, or as a counter of a broken note. */
static bool is_param(const struct ft__record *record, const char *name)
{
	for (size_t i = 0; i < record->n_params; i++)
		if (!strcmp(record->param[i].name, name))
			return true;
	return false;
}

/* A number of SI, or a value with its unit: "1-00:42:00", "10m30s", "1.5 GiB". */
static enum ft_status read_value(struct ft_import_job *job, const struct ft__field *field, const char *unit,
				 double *value, struct ft_err *err)
{
	struct ft_err why = {0};
	char remedy[256];

	if (ft__read_number(field->text, value) || !ft_value_parse(field->text, unit, value, &why))
		return FT_OK;
	(void)snprintf(remedy, sizeof remedy, "%.200s; or leave the cell empty", why.remedy);
	return ft__record_fail(job, field,
			       !strcmp(unit, "s")       ? "not a duration"
			       : !strcmp(unit, "bytes") ? "not an amount of memory"
							: "not a number",
			       remedy, err);
}

/* work, cost_s, and what was requested: amounts that are no resources. */
static enum ft_status read_amount(struct ft_import_job *job, const char *name, bool positive, double *value,
				  struct ft_err *err)
{
	const struct ft__field *field = ft__record_find(&job->record, name);

	if (!field || ft__is_missing(field->text))
		return FT_OK;
	FT_TRY(read_value(job, field,
			  !strcmp(name, "requested_bytes") ? "bytes"
			  : !strcmp(name, "work")          ? ""
							   : "s",
			  value, err));
	if (*value < 0 || (positive && *value == 0))
		return ft__record_fail(job, field, positive ? "not above zero" : "a negative value",
				       "correct the value, or leave the cell empty", err);
	return FT_OK;
}

static enum ft_status read_resource(struct ft_import_job *job, const struct ft_resource *resource,
				    struct ft_err *err)
{
	const struct ft__field *field = ft__record_find(&job->record, resource->name);
	double value;

	if (!field || ft__is_missing(field->text) || ft__values_name(job, resource) ||
	    is_param(&job->record, resource->name))
		return FT_OK;
	FT_TRY(read_value(job, field, resource->unit, &value, err));
	return ft__record_sample(job, resource, value, FT_MEASURED, field, NULL, err);
}

/* Those of the table, and the counters that a note names. */
static enum ft_status read_resources(struct ft_import_job *job, const struct ft_csv *csv, struct ft_err *err)
{
	const char *counter = ft_csv_note(csv, "counters");
	const struct ft_resource *resource;
	char name[FT_RESOURCE_LENGTH];
	enum ft_status status = FT_OK;
	size_t length;

	for (size_t i = 0; !status && (resource = ft_resource_get(i)); i++)
		status = read_resource(job, resource, err);
	for (; counter && *counter && !status; counter += length + strspn(counter + length, " ")) {
		length = strcspn(counter, " ");
		if (length >= sizeof name)
			continue;
		(void)snprintf(name, sizeof name, "%.*s", (int)length, counter);
		if (!*name || ft_resource_find(name) || ft_csv_column(csv, name) < 0 ||
		    is_param(&job->record, name))
			continue;
		status = ft_resource_named(name, &resource, err);
		if (!status && isnan(ft_run_value(&job->record.run, resource)))
			status = read_resource(job, resource, err);
	}
	return status;
}

/* In foretime's own tables the parameters stand before all that cannot be called so. */
static void mark_params(struct ft_import_job *job, const struct ft_csv *csv)
{
	if (!ft_csv_note(csv, "foretime"))
		return;
	struct ft_param param;
	for (size_t i = 0; i < job->record.n && !ft_param_parse(job->record.field[i].name, &param, NULL); i++)
		job->record.field[i].param = true;
}

/* Without named parameters an unused column of numbers may be one that was forgotten. */
static bool may_be_forgotten(const struct ft_import_job *job, const struct ft_csv *csv,
			     const struct ft__field *field, double *number)
{
	static const char *const known[] = {"work",    "outcome",     "warmup",         "cost_s",
					    "started", "requested_s", "requested_bytes"};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (!strcmp(field->name, known[i]))
			return false;
	return !job->options->n_params && !job->n_sizes && !job->n_values && !ft_csv_note(csv, "foretime") &&
	       !is_param(&job->record, field->name) && !ft_resource_find(field->name) &&
	       ft__read_number(field->text, number);
}

static void watch_columns(struct ft_import_job *job, const struct ft_csv *csv)
{
	struct csv_own *own = job->own;
	const struct ft__record *record = &job->record;
	double number;

	for (size_t i = 0; !own->begun && i < record->n && own->n < UNREAD_MOST; i++)
		if (may_be_forgotten(job, csv, &record->field[i], &number))
			own->unread[own->n++] = (struct unread){i, number, false};
	own->begun = true;
	for (size_t i = 0; i < own->n; i++) {
		struct unread *unread = &own->unread[i];
		const struct ft__field *field = &record->field[unread->field];
		char *names = job->import->unread;
		size_t length = strlen(names);

		if (unread->differs || !ft__read_number(field->text, &number) || number == unread->first)
			continue;
		unread->differs = true;
		(void)snprintf(names + length, sizeof job->import->unread - length, "%s%s",
			       length ? ", " : "", field->name);
	}
}

static enum ft_status take_csv_row(void *ctx, const struct ft_csv *csv, struct ft_err *err)
{
	struct ft_import_job *job = ctx;
	static const char *const processors[] = {"threads", "processors", "cores", "cpus", "ncpus"};
	enum ft_status status = ft__table_fields(job, csv, err);
	bool wanted;

	if (!status && !job->rows && !has_resource(job)) {
		const struct ft_resource *resource;
		char known[480] = "give a column the name of a resource, or name it with --value "
				  "RESOURCE=COLUMN:UNIT:";
		size_t i, length = strlen(known);

		for (i = 0; (resource = ft_resource_get(i)) && length < sizeof known; i++)
			length += (size_t)snprintf(known + length, sizeof known - length, " %s",
						   resource->name);
		return ft__job_missing(job, "of a resource", known, err);
	}
	for (size_t i = 0; i < sizeof processors / sizeof *processors && !status; i++) {
		const char *text = ft__record_text(&job->record, processors[i]);

		if (text && ft__read_number(text, &job->record.processors))
			break;
	}
	job->measured = ft_csv_note(csv, "foretime");
	job->record.name = ft_csv_note(csv, "name");
	mark_params(job, csv);
	if (!status)
		status = ft__record_wanted(job, &wanted, err);
	if (status || !wanted)
		return status;
	watch_columns(job, csv);
	FT_TRY(read_words(job, err));
	FT_TRY(read_amount(job, "work", job->record.run.outcome == FT_DONE, &job->record.run.work, err));
	FT_TRY(read_amount(job, "cost_s", false, &job->record.run.cost_s, err));
	FT_TRY(read_amount(job, "requested_s", false, &job->record.run.asked_s, err));
	FT_TRY(read_amount(job, "requested_bytes", false, &job->record.run.asked_bytes, err));
	FT_TRY(read_resources(job, csv, err));
	return ft__record_take(job, err);
}

/* A note of the file, if the text is not set yet. */
static bool take_note(char **to, const struct ft_csv *csv, const char *key)
{
	const char *note = ft_csv_note(csv, key);

	if (*to || !note || !*note)
		return true;
	*to = ft_strdup(note);
	return *to;
}

/* A count up to `most` that stands in a note; 0: none does. */
static int64_t note_number(const struct ft_csv *csv, const char *key, double most)
{
	const char *note = ft_csv_note(csv, key);
	double value;

	return note && ft__read_number(note, &value) && value >= 0 && value <= most ? (int64_t)value : 0;
}

/* The machine that a table's runs were made on. */
static bool take_machine(struct ft_machine *machine, const struct ft_csv *csv)
{
	machine->cores = (int)note_number(csv, "cores", 1e6);
	machine->threads = (int)note_number(csv, "threads", 1e6);
	machine->memory_bytes = note_number(csv, "memory_bytes", 1e18);
	return take_note(&machine->fingerprint, csv, "machine") && take_note(&machine->host, csv, "host") &&
	       take_note(&machine->cpu, csv, "cpu") && take_note(&machine->architecture, csv, "architecture");
}

/* The executable: runs of the same one are of the same program. */
static bool take_hash(struct ft_program *program, const struct ft_csv *csv)
{
	const char *hash = ft_csv_note(csv, "hash");

	if (!hash || *program->hash)
		return true;
	ft_free(program->hash);
	program->hash = ft_strdup(hash);
	return program->hash;
}

/* The notes in the first lines of foretime's own tables, for the parts from one on. */
static enum ft_status take_notes(struct ft_import_job *job, const struct ft_csv *csv, size_t from,
				 struct ft_err *err)
{
	struct ft_machine *machine = &job->import->machine;
	struct csv_own *own = job->own;
	bool good = take_note(&own->ranges, csv, "ranges");

	if (good && !machine->fingerprint)
		good = take_machine(machine, csv);
	for (size_t i = from; i < job->import->n && good; i++) {
		struct ft_program *program = &job->import->part[i].program;

		good = take_hash(program, csv) && take_note(&program->work, csv, "work") &&
		       take_note(&program->method, csv, "method") &&
		       take_note(&program->where, csv, "where") &&
		       take_note(&program->device, csv, "device") &&
		       take_note(&program->driver, csv, "driver");
	}
	return good ? FT_OK : ft_nomem(err);
}

/* Rows one by one; at the first one, the notes are there too. */
static enum ft_status take_row_and_notes(void *ctx, const struct ft_csv *csv, struct ft_err *err)
{
	struct ft_import_job *job = ctx;
	size_t parts = job->import->n;
	enum ft_status status = take_csv_row(ctx, csv, err);

	const bool first = job->import->runs == job->first_runs + 1;
	if (!status && (job->import->n > parts || first))
		status = take_notes(job, csv, first ? 0 : parts, err);
	return status;
}

static enum ft_status read_file(struct ft_import_job *job, struct ft_err *err)
{
	const char *head;
	size_t length;
	enum ft_status status = ft__input_head(job->input, &head, &length, err);
	struct csv_own own = {0};

	job->strict_zero = true;
	if (status)
		return status;
	job->own = &own;
	status = ft__table_each(job, ft__csv_separator(head, length), false, take_row_and_notes, err);
	/* Once the range of the data is known. */
	for (size_t i = 0; i < job->import->n && !status; i++)
		ft_program_take_ranges(&job->import->part[i].program, own.ranges);
	job->own = NULL;
	ft_free(own.ranges);
	return status;
}

static enum ft_status write_file(const struct ft_program *program, const struct ft_machine *machine,
				 const struct ft_runs *runs, struct ft_text *text, size_t *left_out,
				 struct ft_err *err)
{
	char *table;
	enum ft_status status = ft_runs_write(program, runs, &table, err);

	*left_out = 0;
	if (status)
		return status;
	if (machine) {
		ft_text_add_note(text, "machine", machine->fingerprint);
		ft_text_add_note(text, "host", machine->host);
		ft_text_add_note(text, "cpu", machine->cpu);
		ft_text_add_note(text, "architecture", machine->architecture);
	}
	if (machine && machine->cores)
		ft_text_add(text, "# cores: %d\n", machine->cores);
	if (machine && machine->threads)
		ft_text_add(text, "# threads: %d\n", machine->threads);
	if (machine && machine->memory_bytes)
		ft_text_add(text, "# memory_bytes: %lld\n", (long long)machine->memory_bytes);
	ft_text_add_note(text, "hash", program->hash);
	ft_text_add_bytes(text, table, strlen(table));
	ft_free(table);
	return FT_OK;
}

const struct ft_format ft__csv_format = {"csv", "a plain table: parameters and resources, SI units",
					 recognise_csv, read_file, write_file};

/*
 * The output of foretime export --json (doc/schema/export.json): runs with labels and probes.
 */

static bool recognise_foretime(const char *head, size_t length)
{
	static const char schema[] = "foretime-export-";

	if (!ft__document_head(head, length, "schema"))
		return false;
	for (size_t i = 0; i + sizeof schema <= length; i++)
		if (!memcmp(head + i, schema, sizeof schema - 1))
			return true;
	return false;
}

/* The document's facts about its program, which come before the runs. */
struct about {
	char *name, *work, *method, *where, *device, *driver;
	struct ft_text ranges; /* as ft_program_take_ranges has them */
	char *param[FT_PARAMS_MAX];
	size_t n_params;
};

static enum ft_status set_text(char **to, const json_t *value, struct ft_err *err)
{
	if (!json_is_string(value))
		return FT_OK;
	ft_free(*to);
	*to = ft_strdup(json_string_value(value));
	return *to ? FT_OK : ft_nomem(err);
}

static enum ft_status foretime_take_machine(struct ft_machine *machine, const json_t *value,
					    struct ft_err *err)
{
	if (machine->fingerprint)
		return FT_OK;
	FT_TRY(set_text(&machine->fingerprint, json_object_get(value, "fingerprint"), err));
	FT_TRY(set_text(&machine->host, json_object_get(value, "host"), err));
	return set_text(&machine->cpu, json_object_get(value, "cpu"), err);
}

static enum ft_status take_params(struct about *about, const json_t *params, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < json_array_size(params) && i < FT_PARAMS_MAX && !status; i++) {
		const json_t *param = json_array_get(params, i);
		const char *range = json_string_value(json_object_get(param, "range"));

		status = set_text(&about->param[i], json_object_get(param, "name"), err);
		if (range && about->param[i] && !json_is_number(json_object_get(param, "stride")))
			ft_text_add(&about->ranges, "%s=%s ", about->param[i], range);
		about->n_params = about->param[i] ? i + 1 : about->n_params;
	}
	return status;
}

static enum ft_status take_member(struct ft_import_job *job, const char *key, const json_t *value,
				  struct ft_err *err)
{
	struct about *about = job->own;

	if (!strcmp(key, "name"))
		return set_text(&about->name, value, err);
	if (!strcmp(key, "work"))
		return set_text(&about->work, value, err);
	if (!strcmp(key, "method"))
		return set_text(&about->method, value, err);
	if (!strcmp(key, "where"))
		return set_text(&about->where, value, err);
	if (!strcmp(key, "device"))
		return set_text(&about->device, value, err);
	if (!strcmp(key, "driver"))
		return set_text(&about->driver, value, err);
	if (!strcmp(key, "params"))
		return take_params(about, value, err);
	return strcmp(key, "machine") ? FT_OK : foretime_take_machine(&job->import->machine, value, err);
}

static enum ft_status add_size(struct ft_import_job *job, const json_t *size, struct ft_err *err)
{
	const struct about *about = job->own;
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < about->n_params && !status; i++) {
		double value = ft__json_number(size, about->param[i]);

		if (isnan(value))
			return ft__record_fail_named(job, about->param[i], NULL,
						     "the size has no such number", "export the runs again",
						     err);
		status =
			ft__record_own(job, about->param[i], strlen(about->param[i]), NULL, value, true, err);
	}
	return status;
}

/* A resource of ours; or a counter, which has a name of its own. */
static bool may_be(const char *resource, const char *probe)
{
	static const char *const counting[] = {"counters", "software", "import", "csv", "go", "jmh"};

	for (size_t i = 0; i < sizeof counting / sizeof *counting; i++)
		if (!strcmp(probe, counting[i]) && *resource && strlen(resource) < FT_RESOURCE_LENGTH)
			return true;
	return ft_resource_find(resource);
}

/* A sample as it was stored: with its label, its probe, and why it is unavailable. */
static enum ft_status take_sample(struct ft_import_job *job, const char *name, const json_t *sample,
				  struct ft_err *err)
{
	const char *label = json_string_value(json_object_get(sample, "label"));
	const char *probe = json_string_value(json_object_get(sample, "probe"));
	const char *reason = json_string_value(json_object_get(sample, "reason"));
	const struct ft_resource *resource;
	struct ft_run *run = &job->record.run;
	size_t before = run->n_samples;
	enum ft_label kind;

	if (!label || !probe || !ft_label_parse(label, &kind) || !may_be(name, probe))
		return ft__record_fail_named(job, name, NULL, "no sample of a resource",
					     "export the runs again", err);
	FT_TRY(ft_resource_named(name, &resource, err));
	if (kind == FT_UNAVAILABLE)
		return ft_run_add(run, resource, NAN, kind, probe, reason, err);
	enum ft_status status =
		ft__record_sample(job, resource, ft__json_number(sample, "value"), kind, NULL, name, err);
	if (!status && run->n_samples > before)
		(void)snprintf(run->sample[before].probe, FT_PROBE_LENGTH, "%s", probe);
	return status;
}

static enum ft_status take_facts(struct ft_import_job *job, const json_t *value, struct ft_err *err)
{
	const char *outcome = json_string_value(json_object_get(value, "outcome"));
	const char *started = json_string_value(json_object_get(value, "started"));
	struct ft_run *run = &job->record.run;

	if (!outcome || !ft_outcome_parse(outcome, &run->outcome))
		return ft__record_fail_named(job, "outcome", outcome, "not an outcome",
					     "export the runs again", err);
	if (started && !ft__moment_parse(started, &run->started_ns))
		return ft__record_fail_named(job, "started", started, "not a moment", "export the runs again",
					     err);
	run->exit_status = (int)json_integer_value(json_object_get(value, "exit_status"));
	run->signal = (int)json_integer_value(json_object_get(value, "signal"));
	run->warmup = json_is_true(json_object_get(value, "warmup"));
	run->cost_s = ft__json_number(value, "cost_s");
	run->work = ft__json_number(value, "work");
	run->load_before = ft__json_number(value, "load_before");
	run->runnable_before = ft__json_number(value, "runnable_before");
	run->runnable_after = ft__json_number(value, "runnable_after");
	run->pressure = ft__json_number(value, "pressure");
	/* As versions before 0.2 name them, else as they are named now. */
	run->asked_s = ft__json_number(value, json_object_get(value, "asked_s") ? "asked_s" : "requested_s");
	run->asked_bytes = ft__json_number(value, json_object_get(value, "asked_bytes") ? "asked_bytes"
											: "requested_bytes");
	run->processors = (int)json_integer_value(json_object_get(value, "processors"));
	run->cpu_hz = ft__json_number(value, "cpu_hz");
	if (run->cost_s < 0 || run->work < 0)
		return ft__record_fail_named(job, run->cost_s < 0 ? "cost_s" : "work", NULL,
					     "a negative value", "correct the value", err);
	enum ft_status status = set_text(&run->version, json_object_get(value, "version"), err);
	if (!status)
		status = set_text(&run->node, json_object_get(value, "node"), err);
	if (!status)
		status = set_text(&run->user, json_object_get(value, "user"), err);
	return status ? status : set_text(&run->detail, json_object_get(value, "detail"), err);
}

static enum ft_status take_run(struct ft_import_job *job, const json_t *value, struct ft_err *err)
{
	json_t *samples = json_object_get(value, "samples"), *sample;
	const char *resource;
	bool wanted;
	enum ft_status status = add_size(job, json_object_get(value, "size"), err);

	job->record.name = ((const struct about *)job->own)->name;
	if (!status)
		status = ft__record_wanted(job, &wanted, err);
	if (status || !wanted)
		return status;
	status = take_facts(job, value, err);
	json_object_foreach(samples, resource, sample)
	{
		if (!status)
			status = take_sample(job, resource, sample, err);
	}
	return status ? status : ft__record_take(job, err);
}

static enum ft_status take_element(struct ft_import_job *job, const char *key, size_t index, size_t line,
				   struct json_t *value, struct ft_err *err)
{
	if (index == SIZE_MAX)
		return take_member(job, key, value, err);
	ft__record_begin(job, line);
	(void)snprintf(job->record.place, sizeof job->record.place, "runs[%zu]", index);
	return take_run(job, value, err);
}

static enum ft_status foretime_read_file(struct ft_import_job *job, struct ft_err *err)
{
	struct about about = {0};

	job->own = &about;
	job->measured = true;
	enum ft_status status = ft__document_each(job, "runs", take_element, err);
	for (size_t i = 0; i < job->import->n && !status; i++) {
		struct ft_program *program = &job->import->part[i].program;

		if (!ft__note_keep(&program->work, about.work) ||
		    !ft__note_keep(&program->method, about.method) ||
		    !ft__note_keep(&program->where, about.where) ||
		    !ft__note_keep(&program->device, about.device) ||
		    !ft__note_keep(&program->driver, about.driver) || about.ranges.failed)
			status = ft_nomem(err);
		else
			ft_program_take_ranges(program, about.ranges.s);
	}
	ft__record_begin(job, 0);
	job->own = NULL;
	for (size_t i = 0; i < FT_PARAMS_MAX; i++)
		ft_free(about.param[i]);
	ft_text_clear(&about.ranges);
	ft_free(about.name);
	ft_free(about.work);
	ft_free(about.method);
	ft_free(about.where);
	ft_free(about.device);
	ft_free(about.driver);
	return status;
}

const struct ft_format ft__foretime_format = {"foretime", "what foretime export --json prints",
					      recognise_foretime, foretime_read_file, NULL};
