/* SPDX-License-Identifier: GPL-3.0-or-later */
/* openapi.c - what can be asked, in a form that tools read. */
#include "manager/question.h"
#include "manager/routes.h"

#include <string.h>

/* What is no question: of these the rows say all. */
static const struct {
	const char *path, *about, *schema;
	const struct ft_field *fields;
} about[] = {
	{"/model/{name}", "the whole model: what was measured, or requests for all sizes", "export",
	 ft__routes_model_fields},
	{"/health", "whether it is well", NULL, NULL},
	{"/metrics", "counters, as Prometheus reads them", NULL, NULL},
	{"/queue", "what is built, and why not now", "manager-queue", NULL},
	{"/day", "when each problem may run within the next day, and what is seen now", "manager", NULL},
	{"/events", "what happens, as server-sent events", NULL, NULL},
	{"/openapi.json", "this", NULL, NULL},
};

static const struct {
	const char *path, *about, *schema;
	const char *method;
} change[] = {
	{"/model/{name}",
	 "add what was measured: the body is what GET answers, as JSON or CSV; by its owner alone", "manager",
	 "put"},
	{"/stop/{name}", "hold a problem of the configuration; by its owner alone", "manager", "post"},
	{"/continue/{name}", "and let it go on; by its owner alone", "manager", "post"},
};

static json_t *describe_field(const struct ft_field *field)
{
	static const char *const types[] = {
		[FT_FIELD_FLAG] = "boolean", [FT_FIELD_COUNT] = "integer", [FT_FIELD_WORD] = "string"};
	const char *type = (size_t)field->kind < sizeof types / sizeof *types ? types[field->kind] : NULL;
	json_t *schema = json_pack("{s:s}", "type", type ? type : "string");

	if (field->kind == FT_FIELD_WORD) {
		json_t *words = json_array();

		for (const char *at = field->words; at && *at; at += strspn(at, "|")) {
			size_t n = strcspn(at, "|");

			(void)json_array_append_new(words, json_stringn(at, n));
			at += n;
		}
		(void)json_object_set_new(schema, "enum", words);
	}
	return json_pack("{s:s, s:s, s:s, s:o}", "name", field->name, "in", "query", "description",
			 field->help, "schema", schema);
}

static json_t *name_parameter(void)
{
	return json_pack("{s:s, s:s, s:b, s:{s:s}}", "name", "name", "in", "path", "required", 1, "schema",
			 "type", "string");
}

static void add_fields(json_t *parameters, const struct ft_field *field)
{
	for (; field && field->name; field++)
		if (field->kind != FT_FIELD_HEADING && field->help)
			(void)json_array_append_new(parameters, describe_field(field));
}

/* fields, question: NULL: it has none, and is none. */
static void add_path(json_t *paths, const char *path, const char *summary, const char *schema,
		     const struct ft_field *fields, const struct ft_question *question)
{
	json_t *parameters = json_array();

	if (strchr(path, '{'))
		(void)json_array_append_new(parameters, name_parameter());
	add_fields(parameters, fields);
	add_fields(parameters, question ? question->fields : NULL);
	if (question && question->words)
		(void)json_array_append_new(
			parameters, json_pack("{s:s, s:s, s:s, s:{s:s}}", "name", "PARAM", "in", "query",
					      "description", question->words, "schema", "type", "string"));
	(void)json_object_set_new(paths, path,
				  json_pack("{s:{s:s, s:o, s:{s:{s:s}}}}", "get", "summary", summary,
					    "parameters", parameters, "responses", "200", "description",
					    schema ? schema : "as text"));
}

static void add_change(json_t *paths, size_t i)
{
	json_t *path = json_object_get(paths, change[i].path);

	if (!path) {
		path = json_pack("{s:[o]}", "parameters", name_parameter());
		(void)json_object_set_new(paths, change[i].path, path);
	}
	(void)json_object_set_new(path, change[i].method,
				  json_pack("{s:s, s:{s:{s:s}}}", "summary", change[i].about, "responses",
					    "200", "description", change[i].schema));
}

struct ft_http_answer *ft__routes_openapi(void *ctx, struct ft_http_ask *ask)
{
	json_t *paths = json_object();

	(void)ctx;
	(void)ask;
	for (const struct ft_question *const *each = ft_questions; *each; each++) {
		const char *name = (*each)->name;
		char path[64];

		(void)snprintf(path, sizeof path, "/%s/{name}", name);
		add_path(paths, path, (*each)->about, name, ft__routes_forms(*each), *each);
		path[strlen(name) + 1] = '\0';
		if ((*each)->all)
			add_path(paths, path, (*each)->about, name, NULL, *each);
	}
	for (size_t i = 0; i < sizeof about / sizeof *about; i++)
		add_path(paths, about[i].path, about[i].about, about[i].schema, about[i].fields, NULL);
	for (size_t i = 0; i < sizeof change / sizeof *change; i++)
		add_change(paths, i);
	return ft__routes_tell(json_pack("{s:s, s:{s:s, s:s}, s:o}", "openapi", "3.1.0", "info", "title",
					 "foretime: what a run will cost", "version", FT_VERSION, "paths",
					 paths));
}
