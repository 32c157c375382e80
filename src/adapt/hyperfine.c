/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hyperfine.c - what hyperfine --export-json writes: one result a command, all its times.
 *
 * Source: hyperfine, src/benchmark/benchmark_result.rs. user and system are means over the runs; exit codes
 * and memory are lists beside the times where the version has them. A time that is below the calibrated
 * start-up of the shell is 0. */
#include "adapt/job.h"
#include "base/alloc.h"
#include "base/text.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static bool recognise_hyperfine(const char *head, size_t length)
{
	return ft__document_head(head, length, "results") &&
	       (ft__document_head(head, length, "command") || ft__document_head(head, length, "times"));
}

/* The parameters: those that are numbers are sizes. */
static enum ft_status add_parameters(struct ft_import_job *job, const json_t *result, struct ft_err *err)
{
	json_t *parameters = json_object_get(result, "parameters"), *value;
	enum ft_status status = FT_OK;
	const char *key;
	double number;

	json_object_foreach(parameters, key, value)
	{
		const char *text = json_string_value(value);

		if (!status && (text || json_is_number(value)))
			status = ft__record_own(job, key, strlen(key), text, json_number_value(value),
						!text || ft__read_number(text, &number), err);
	}
	return status;
}

/* The first word of the command without its folder, and the parameters that are no numbers: "sort-gcc". */
static enum ft_status add_program(struct ft_import_job *job, const json_t *result, struct ft_err *err)
{
	const char *command = json_string_value(json_object_get(result, "command")), *slash, *key;
	json_t *parameters = json_object_get(result, "parameters"), *value;
	struct ft_text name = {0};
	enum ft_status status;
	size_t i;
	double number;

	command = command ? command + strspn(command, " '\"") : "";
	size_t length = strcspn(command, " '\"");
	for (slash = command, i = 0; i < length; i++)
		if (command[i] == '/')
			slash = command + i + 1;
	ft_text_add_bytes(&name, slash, (size_t)(command + length - slash));
	json_object_foreach(parameters, key, value)
	{
		if (json_is_string(value) && !ft__read_number(json_string_value(value), &number))
			ft_text_add(&name, "-%s", json_string_value(value));
	}
	if (name.failed)
		status = ft_nomem(err);
	else
		status = ft__record_own(job, "program", strlen("program"), name.s ? name.s : "", 0, false,
					err);
	ft_text_clear(&name);
	return status;
}

static enum ft_status add_fields(struct ft_import_job *job, const json_t *result, size_t index, size_t line,
				 struct ft_err *err)
{
	const char *command = json_string_value(json_object_get(result, "command"));
	enum ft_status status = FT_OK;

	ft__record_begin(job, line);
	(void)snprintf(job->record.place, sizeof job->record.place, "results[%zu]", index);
	if (command)
		status = ft__record_field(job, "command", command, 0, err);
	if (!status)
		status = add_parameters(job, result, err);
	if (!status)
		status = add_program(job, result, err);
	job->record.name = status ? NULL : ft__record_text(&job->record, "program");
	return status;
}

/* How the i-th run ended. */
static void read_exit(struct ft_run *run, const json_t *result, size_t i)
{
	const json_t *codes = json_object_get(result, "exit_codes"), *code = json_array_get(codes, i);

	if (!json_is_array(codes) || i >= json_array_size(codes))
		return;
	if (json_is_null(code)) { /* ended by a signal */
		run->outcome = FT_CRASHED;
	} else if (json_integer_value(code)) {
		run->outcome = FT_FAILED;
		run->exit_status = (int)json_integer_value(code);
	}
}

/* Processor seconds are means over the runs of the command. They are one value, and stand at its first run
 * that ended well: at each run they would be as many runs that agree, and their noise would seem to be none.
 */
static enum ft_status add_processor(struct ft_import_job *job, const json_t *result, size_t i,
				    struct ft_err *err)
{
	static const struct ft_resource *const resources[] = {&ft_user_s, &ft_system_s, &ft_cpu_s};
	const json_t *times = json_object_get(result, "times"),
		     *codes = json_object_get(result, "exit_codes");
	double user = ft__json_number(result, "user"), system = ft__json_number(result, "system");
	enum ft_label label = json_array_size(times) > 1 ? FT_ESTIMATED : FT_MEASURED;
	enum ft_status status = FT_OK;
	size_t first = 0;

	while (first < i && (!(json_number_value(json_array_get(times, first)) > 0) ||
			     json_integer_value(json_array_get(codes, first)) ||
			     json_is_null(json_array_get(codes, first))))
		first++;
	if (first < i || job->record.run.outcome != FT_DONE) {
		for (size_t k = 0; k < 3 && !status; k++)
			status = ft_run_add(
				&job->record.run, resources[k], NAN, FT_UNAVAILABLE, job->format->name,
				"hyperfine writes the mean of all runs: it stands at the first", err);
		return status;
	}
	FT_TRY(ft__record_sample(job, &ft_user_s, user, label, NULL, "user", err));
	FT_TRY(ft__record_sample(job, &ft_system_s, system, label, NULL, "system", err));
	return ft__record_sample(job, &ft_cpu_s, user + system, label, NULL, "user", err);
}

static enum ft_status take_run(struct ft_import_job *job, const json_t *result, size_t index, size_t line,
			       size_t i, const json_t *time, struct ft_err *err)
{
	const json_t *memory = json_array_get(json_object_get(result, "memory_usage_byte"), i);
	enum ft_status status = add_fields(job, result, index, line, err);
	char what[48];
	bool wanted;

	if (!status)
		status = ft__record_wanted(job, &wanted, err);
	if (status || !wanted)
		return status;
	(void)snprintf(what, sizeof what, "times[%zu]", i);
	if (!json_is_number(time))
		return ft__record_fail_named(job, what, NULL, "not a number", "let hyperfine write it again",
					     err);
	read_exit(&job->record.run, result, i);
	job->record.elapsed_s = ft__json_number(result, "mean");
	status = ft__record_sample(job, &ft_wall_s, json_number_value(time), FT_MEASURED, NULL, what, err);
	if (!status)
		status = add_processor(job, result, i, err);
	if (!status && json_is_number(memory) && json_number_value(memory) > 0)
		status = ft__record_sample(job, &ft_peak_rss_bytes, json_number_value(memory), FT_MEASURED,
					   NULL, "memory_usage_byte", err);
	return status ? status : ft__record_take(job, err);
}

static enum ft_status take_result(struct ft_import_job *job, const char *name, size_t index, size_t line,
				  struct json_t *result, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	if (index == SIZE_MAX)
		return FT_OK;
	(void)name;
	const json_t *times = json_object_get(result, "times");
	if (!json_is_array(times)) {
		ft__record_begin(job, line);
		(void)snprintf(job->record.place, sizeof job->record.place, "results[%zu]", index);
		return ft__record_fail_named(job, "times", NULL, "there is no list of times",
					     "export it with hyperfine --export-json", err);
	}
	for (size_t i = 0; i < json_array_size(times) && !status; i++)
		if ((status = take_run(job, result, index, line, i, json_array_get(times, i), err)))
			status = ft__job_spare(job, status, err);
	return status;
}

static enum ft_status read_file(struct ft_import_job *job, struct ft_err *err)
{
	return ft__document_each(job, "results", take_result, err);
}

const struct ft_format ft__hyperfine_format = {"hyperfine", "what hyperfine --export-json writes",
					       recognise_hyperfine, read_file, NULL};
