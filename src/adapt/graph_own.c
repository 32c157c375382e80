/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_own.c - foretime's own graphs: tasks with models or times, edges with bytes. */
#include "adapt/graph.h"
#include "base/alloc.h"
#include "foretime/expr.h"
#include "foretime/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Each key is one that is known: a word that is misspelt says nothing silently. */
static enum ft_status check_keys(const struct ft__graph_reader *r, json_t *object, const char *what,
				 const char *const *known)
{
	const char *key;
	json_t *value;
	size_t i;

	json_object_foreach(object, key, value)
	{
		for (i = 0; known[i] && strcmp(known[i], key) != 0; i++)
			continue;
		if (!known[i])
			return ft__graph_fail(r, "%s has an unknown key '%.60s'", what, key);
	}
	return FT_OK;
}

/* A number, or a text with a unit. */
static enum ft_status read_value(const struct ft__graph_reader *r, json_t *value, const char *unit,
				 const char *what, const char *id, double *out)
{
	if (json_is_string(value)) {
		if (ft_value_parse(json_string_value(value), unit, out, r->err))
			return FT_EPARSE;
	} else if (json_is_number(value)) {
		*out = json_number_value(value);
	} else {
		return ft__graph_fail(r, "task '%.60s': %s is no number", id, what);
	}
	return *out >= 0 ? FT_OK : ft__graph_fail(r, "task '%.60s': %s is %g", id, what, *out);
}

static enum ft_status read_times(const struct ft__graph_reader *r, json_t *times, struct ft_graph_task *task)
{
	const char *host;
	json_t *value;
	size_t capacity = 0;

	if (!json_is_object(times))
		return read_value(r, times, "s", "time_s", task->id, &task->time_s);
	json_object_foreach(times, host, value)
	{
		struct ft_graph_time *grown = ft_grow(task->time, task->n_times, &capacity, sizeof *grown),
				     *added;

		if (!grown)
			return ft_nomem(r->err);
		task->time = grown;
		added = &task->time[task->n_times];
		*added = (struct ft_graph_time){.host = ft_strdup(host)};
		if (!added->host)
			return ft_nomem(r->err);
		task->n_times++;
		FT_TRY(read_value(r, value, "s", "time_s", task->id, &added->time_s));
	}
	return FT_OK;
}

static enum ft_status read_size(const struct ft__graph_reader *r, json_t *size, struct ft_graph_task *task)
{
	const char *name;
	json_t *value;

	if (size && !json_is_object(size))
		return ft__graph_fail(r, "task '%.60s': its size is no object, as in {\"n\": 1000}",
				      task->id);
	json_object_foreach(size, name, value)
	{
		if (task->n_size == FT_PARAMS_MAX || strlen(name) >= FT_PARAM_LENGTH ||
		    !json_is_number(value))
			return ft__graph_fail(r, "task '%.60s': its size is not up to %d numbers by name",
					      task->id, FT_PARAMS_MAX);
		(void)snprintf(task->size[task->n_size].name, FT_PARAM_LENGTH, "%s", name);
		task->size[task->n_size++].value = json_number_value(value);
	}
	return FT_OK;
}

static enum ft_status copy_text(const struct ft__graph_reader *r, json_t *value, char **out)
{
	if (!json_is_string(value))
		return FT_OK;
	*out = ft_strdup(json_string_value(value));
	return *out ? FT_OK : ft_nomem(r->err);
}

/* The hosts where it has the right to run. */
static enum ft_status read_rights(const struct ft__graph_reader *r, json_t *hosts, struct ft_graph_task *task)
{
	size_t i;
	json_t *each;

	if (!json_is_array(hosts) || !json_array_size(hosts))
		return ft__graph_fail(r, "task '%.60s': hosts is no list of those that it may run on",
				      task->id);
	task->host = ft_calloc(json_array_size(hosts), sizeof *task->host);
	if (!task->host)
		return ft_nomem(r->err);
	json_array_foreach(hosts, i, each)
	{
		if (!json_is_string(each))
			return ft__graph_fail(r, "task '%.60s': host %zu is no name", task->id, i + 1);
		task->host[i] = ft_strdup(json_string_value(each));
		if (!task->host[i])
			return ft_nomem(r->err);
		task->n_hosts++;
	}
	return FT_OK;
}

static enum ft_status read_needs(const struct ft__graph_reader *r, json_t *value, struct ft_graph_task *task)
{
	const struct {
		const char *key, *unit;
		double *out;
	} needs[] = {{"cpus", "", &task->cpus},
		     {"memory", "bytes", &task->memory_bytes},
		     {"storage", "bytes", &task->storage_bytes},
		     {"stage", "", &task->stage}};
	json_t *hosts = json_object_get(value, "hosts");
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < sizeof needs / sizeof *needs && !status; i++) {
		json_t *at = json_object_get(value, needs[i].key);

		if (at)
			status = read_value(r, at, needs[i].unit, needs[i].key, task->id, needs[i].out);
	}
	if (!status && hosts)
		status = read_rights(r, hosts, task);
	return status ? status : copy_text(r, json_object_get(value, "architecture"), &task->architecture);
}

static enum ft_status read_task(struct ft__graph_reader *r, json_t *value, size_t i)
{
	static const char *const known[] = {"id",      "name",         "size",  "time_s", "cpus", "memory",
					    "storage", "architecture", "hosts", "stage",  NULL};
	const char *id = json_string_value(json_object_get(value, "id"));
	json_t *times = json_object_get(value, "time_s");

	if (!id || !*id)
		return ft__graph_fail(r, "task %zu has no \"id\"", i + 1);
	FT_TRY(check_keys(r, value, "a task", known));
	struct ft_graph_task *task = ft__graph_task(r, id);
	if (!task)
		return r->err->status;
	enum ft_status status = copy_text(r, json_object_get(value, "name"), &task->name);
	if (!status)
		status = read_size(r, json_object_get(value, "size"), task);
	if (!status && times)
		status = read_times(r, times, task);
	if (!status)
		status = read_needs(r, value, task);
	if (!status && !task->name == !times)
		return ft__graph_fail(r, "task '%.60s' needs either the name of a program or time_s", id);
	return status;
}

/* "8*n", n of the task that sends. */
static enum ft_status eval_bytes(const struct ft__graph_reader *r, const char *text,
				 const struct ft_graph_task *task, double *bytes)
{
	const char *name[FT_PARAMS_MAX];
	double value[FT_PARAMS_MAX];
	struct ft_expr *expr;
	enum ft_status status = ft_expr_new(&expr, text, r->err);

	for (size_t i = 0; i < task->n_size; i++) {
		name[i] = task->size[i].name;
		value[i] = task->size[i].value;
	}
	if (!status)
		status = ft_expr_eval(expr, name, value, task->n_size, bytes, r->err);
	ft_expr_free(expr);
	return status;
}

static enum ft_status find_end(const struct ft__graph_reader *r, json_t *edge, const char *key, size_t i,
			       size_t *out)
{
	const char *id = json_string_value(json_object_get(edge, key));

	*out = id ? ft__graph_find(r, id) : SIZE_MAX;
	if (!id)
		return ft__graph_fail(r, "edge %zu has no \"%s\"", i + 1, key);
	return *out == SIZE_MAX
		       ? ft__graph_fail(r, "edge %zu is %s '%.60s', which is no task", i + 1, key, id)
		       : FT_OK;
}

static enum ft_status read_edge(struct ft__graph_reader *r, json_t *value, size_t i)
{
	static const char *const known[] = {"from", "to", "bytes", NULL};
	json_t *amount = json_object_get(value, "bytes");
	double bytes = 0;
	size_t from = 0, to = 0;
	enum ft_status status = check_keys(r, value, "an edge", known);

	if (!status)
		status = find_end(r, value, "from", i, &from);
	if (!status)
		status = find_end(r, value, "to", i, &to);
	if (!status && json_is_string(amount))
		status = eval_bytes(r, json_string_value(amount), &r->out->task[from], &bytes);
	else if (!status && json_is_number(amount))
		bytes = json_number_value(amount);
	else if (!status && amount)
		status = ft__graph_fail(r, "edge %zu: bytes is no number and no expression", i + 1);
	if (!status && !(bytes >= 0))
		status = ft__graph_fail(r, "edge %zu sends %g bytes", i + 1, bytes);
	return status ? status : ft__graph_edge(r, from, to, bytes);
}

enum ft_status ft__graph_own(struct ft__graph_reader *r, json_t *root)
{
	static const char *const known[] = {"tasks", "edges", "name", NULL};
	json_t *tasks = json_object_get(root, "tasks"), *edges = json_object_get(root, "edges"), *each;
	enum ft_status status = check_keys(r, root, "the graph", known);
	size_t i;

	if (!status && (!json_is_array(tasks) || (edges && !json_is_array(edges))))
		status = ft__graph_fail(r, "\"tasks\" and \"edges\" are arrays");
	if (status)
		return status;
	json_array_foreach(tasks, i, each)
	{
		FT_TRY(read_task(r, each, i));
	}
	json_array_foreach(edges, i, each)
	{
		FT_TRY(read_edge(r, each, i));
	}
	return FT_OK;
}
