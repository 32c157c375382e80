/* SPDX-License-Identifier: GPL-3.0-or-later */
/* extrap_lines.c - Extra-P's JSON lines: {"params": {"n": 64}, "metric": "time", "value": 0.5} each.
 *
 * Source: github.com/extra-p/extrap, docs/file-formats.md, "JSON Lines format". */
#include "adapt/job.h"
#include "base/alloc.h"
#include "base/text.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool recognise_extrap_lines(const char *head, size_t length)
{
	return ft__document_head(head, length, "params") && ft__document_head(head, length, "value") &&
	       !ft__document_head(head, length, "schema");
}

static enum ft_status add_parameters(struct ft_import_job *job, const json_t *params, struct ft_err *err)
{
	size_t i = job->record.n;
	enum ft_status status = ft__json_fields(job, "", params, err);

	for (; i < job->record.n; i++)
		job->record.field[i].param = true;
	return status;
}

static enum ft_status take_value(struct ft_import_job *job, const json_t *line, const json_t *value,
				 size_t number, struct ft_err *err)
{
	const char *callpath = json_string_value(json_object_get(line, "callpath"));
	const char *metric = json_string_value(json_object_get(line, "metric"));
	const json_t *params = json_object_get(line, "params");
	bool wanted;

	ft__record_begin(job, number);
	if (!json_is_object(params) || !json_is_number(value))
		return ft__record_fail_named(
			job, json_is_object(params) ? "value" : "params", NULL,
			json_is_object(params) ? "neither a number nor a list of them"
					       : "there is no object of parameters",
			"write {\"params\": {\"n\": 64}, \"metric\": \"time\", \"value\": 0.5}", err);
	enum ft_status status = add_parameters(job, params, err);
	if (!status && callpath)
		status = ft__record_field(job, "callpath", callpath, 0, err);
	job->record.name = callpath;
	if (!status)
		status = ft__record_wanted(job, &wanted, err);
	if (status || !wanted)
		return status;
	return ft__extrap_take(job, metric ? metric : "value", json_number_value(value), err);
}

static enum ft_status take_line(struct ft_import_job *job, struct json_t *line, struct ft_err *err)
{
	const json_t *value = json_object_get(line, "value");
	size_t number = job->record.line;
	enum ft_status status = FT_OK;

	if (!json_is_array(value))
		return take_value(job, line, value, number, err);
	for (size_t i = 0; i < json_array_size(value) && !status; i++)
		if ((status = take_value(job, line, json_array_get(value, i), number, err)))
			status = ft__job_spare(job, status, err);
	return status;
}

static enum ft_status read_file(struct ft_import_job *job, struct ft_err *err)
{
	size_t *first, n;
	enum ft_status status = ft__extrap_begin(job, &first, &n, err);

	if (!status)
		status = ft__lines_each(job, take_line, err);
	if (!status)
		status = ft__extrap_join(job, first, n, err);
	ft_free(first);
	return status;
}

/* ---- writing ------------------------------------------------------------------------------------------ */

/* A text in quotes. */
static enum ft_status quote_text(const char *text, char **quoted, struct ft_err *err)
{
	json_t *value = json_string(text);
	char *dumped = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;

	*quoted = dumped ? ft_strdup(dumped) : NULL;
	free(dumped);
	json_decref(value);
	return *quoted ? FT_OK : ft_nomem(err);
}

static void add_line(const struct ft_program *program, const struct ft_size *size, const char *callpath,
		     const struct ft_resource *resource, const struct ft_runs *runs, struct ft_text *text)
{
	ft_text_add(text, "{\"params\": {");
	for (size_t i = 0; i < size->n; i++) {
		ft_text_add(text, "%s\"%s\": ", i ? ", " : "", program->param[i].name);
		ft_text_add_number(text, size->value[i]);
	}
	ft_text_add(text, "}, \"callpath\": %s, \"metric\": \"%s\", \"value\": [", callpath, resource->name);
	ft__extrap_values(runs, size, resource, ", ", text);
	ft_text_add(text, "]}\n");
}

static enum ft_status write_file(const struct ft_program *program, const struct ft_machine *machine,
				 const struct ft_runs *runs, struct ft_text *text, size_t *left_out,
				 struct ft_err *err)
{
	struct ft__extrap_points points;
	enum ft_status status = ft__extrap_of(program, runs, &points, err);
	char *callpath;

	(void)machine;
	if (status)
		return status;
	*left_out = points.left_out;
	status = quote_text(program->name, &callpath, err);
	for (size_t i = 0; i < points.n_resources && !status; i++)
		for (size_t j = 0; j < points.n; j++)
			add_line(program, &points.size[j], callpath, points.resource[i], runs, text);
	ft_free(callpath);
	ft__extrap_clear(&points);
	return status;
}

const struct ft_format ft__extrap_lines_format = {"extrap-lines", "Extra-P's JSON lines",
						  recognise_extrap_lines, read_file, write_file};
