/* SPDX-License-Identifier: GPL-3.0-or-later */
/* foretime.c - what foretime export --json prints (doc/schema/export.json): runs with labels and probes. */
#include "adapt/job.h"
#include "base/alloc.h"
#include "base/moment.h"
#include "base/text.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

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

/* What the document says of its program; it stands before the runs. */
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

static enum ft_status take_machine(struct ft_machine *machine, const json_t *value, struct ft_err *err)
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
	return strcmp(key, "machine") ? FT_OK : take_machine(&job->import->machine, value, err);
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
	static const char *const counting[] = {"counters", "software", "import", "csv"};

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
	run->asked_s = ft__json_number(value, "asked_s");
	run->asked_bytes = ft__json_number(value, "asked_bytes");
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

static enum ft_status read_file(struct ft_import_job *job, struct ft_err *err)
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
					      recognise_foretime, read_file, NULL};
