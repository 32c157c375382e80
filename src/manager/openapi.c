/* SPDX-License-Identifier: GPL-3.0-or-later */
/* openapi.c - what can be asked, in a form that tools read. */
#include "manager/routes.h"

#include <string.h>

#define CONFIDENCE "confidence: share of future runs within the interval; 0.9"
#define LOAD       "load: idle, or usual: by the recorded load of others; idle"
#define MACHINE    "machine: host name or fingerprint; this one"
/* A question of several sizes would be kept, and made anew, as one; each alone is kept for all who ask. */
#define SIZES "PARAM: of the program, as n=2048; size.PARAM where an option is called so. One size a request"

/* As openapi tells them: NAME: what; the default. */
static const struct {
	const char *path, *about, *schema;
	const char *option[11];
} about[] = {
	{"/predict/{name}",
	 "what a run will cost",
	 "predict",
	 {"resource: wall_s, peak_rss_bytes, ..., or all; wall_s", CONFIDENCE, LOAD, MACHINE, SIZES}},
	{"/request/{name}",
	 "what to ask a batch system for",
	 "request",
	 {"risk: share of runs that may need more, or least: the one that wastes least; 0.05",
	  "retry: with risk=least, how a killed job runs again: most or 2x; most",
	  "format: json, slurm or text; json", "overhead: bytes of what runs in the job beside it; 8MB",
	  "at-least: ask for no less memory; 0",
	  "at-most: ask for no more memory, no more time, as 64GiB, 2d or 64GiB,2d; no bound",
	  "cpus: processors to ask for; as measured", LOAD, MACHINE, SIZES}},
	{"/largest/{name}",
	 "the largest size that fits",
	 "largest",
	 {"RESOURCE: no more than so much, as time=60s, memory=8GiB or cpu_s=1h", CONFIDENCE, LOAD, MACHINE,
	  SIZES}},
	{"/rank/{name}",
	 "this server's score for a run: less is better",
	 "rank",
	 {CONFIDENCE, LOAD, MACHINE, SIZES}},
	{"/model/{name}",
	 "the whole model: what was measured, or requests for all sizes",
	 "export",
	 {"format: json, csv or knots; json", "risk: knots: share of runs that may need more; 0.01",
	  "expires: knots: how long they hold; 30d", MACHINE}},
	{"/list",
	 "programs",
	 "list",
	 {"after: a name: those behind it", "search: a text: names that have it", "most: so many; 1000"}},
	{"/health", "whether it is well", NULL, {0}},
	{"/metrics", "counters, as Prometheus reads them", NULL, {0}},
	{"/queue", "what is built, and why not now", "manager-queue", {0}},
	{"/day", "when each problem may run within the next day, and what is seen now", "manager", {0}},
	{"/events", "what happens, as server-sent events", NULL, {0}},
	{"/openapi.json", "this", NULL, {0}},
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

static json_t *describe_parameter(const char *option)
{
	const char *colon = strchr(option, ':');

	return json_pack("{s:s#, s:s, s:s, s:{s:s}}", "name", option, (int)(colon - option), "in", "query",
			 "description", colon + 2, "schema", "type", "string");
}

static json_t *name_parameter(void)
{
	return json_pack("{s:s, s:s, s:b, s:{s:s}}", "name", "name", "in", "path", "required", 1, "schema",
			 "type", "string");
}

static json_t *path_of(size_t i)
{
	json_t *parameters = json_array();

	if (strchr(about[i].path, '{'))
		(void)json_array_append_new(parameters, name_parameter());
	for (size_t k = 0; about[i].option[k]; k++)
		(void)json_array_append_new(parameters, describe_parameter(about[i].option[k]));
	json_t *path = json_pack("{s:{s:s, s:o, s:{s:{s:s}}}}", "get", "summary", about[i].about,
				 "parameters", parameters, "responses", "200", "description",
				 about[i].schema ? about[i].schema : "as text");
	return path;
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
	for (size_t i = 0; i < sizeof about / sizeof *about; i++)
		(void)json_object_set_new(paths, about[i].path, path_of(i));
	for (size_t i = 0; i < sizeof change / sizeof *change; i++)
		add_change(paths, i);
	return ft__routes_tell(json_pack("{s:s, s:{s:s, s:s}, s:o}", "openapi", "3.1.0", "info", "title",
					 "foretime: what a run will cost", "version", FT_VERSION, "paths",
					 paths));
}
