/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_wfcommons.c - WfCommons' WfFormat: recorded workflows (wfcommons.org, schema 1.3 to 1.5). Since 1.5
 * files and runtimes stand apart from the tasks; before, each task has its own. */
#include "adapt/graph.h"

#include <math.h>
#include <string.h>

/* Where things stand in a document. */
struct layout {
	struct ft__graph_reader *r;
	json_t *tasks; /* array */
	json_t *runs;  /* array of the execution; NULL: runtimes stand in the tasks */
	json_t *bytes; /* length by file; owned */
	bool old;      /* before 1.5 */
};

bool ft__graph_is_wfcommons(json_t *root)
{
	return json_is_object(json_object_get(root, "workflow"));
}

static double first_number(json_t *object, const char *const *key)
{
	for (; *key; key++)
		if (json_is_number(json_object_get(object, *key)))
			return json_number_value(json_object_get(object, *key));
	return NAN;
}

static double runtime_of(json_t *task)
{
	static const char *const keys[] = {"runtimeInSeconds", "runtime", NULL};

	return first_number(task, keys);
}

static double length_of(json_t *file)
{
	static const char *const keys[] = {"sizeInBytes", "size", NULL};
	double bytes = first_number(file, keys);

	return bytes > 0 ? bytes : 0;
}

/* Before 1.5 names are what refers to tasks, in some also ids. */
static const char *id_of(json_t *task)
{
	const char *id = json_string_value(json_object_get(task, "id"));

	return id ? id : json_string_value(json_object_get(task, "name"));
}

static enum ft_status add_tasks(struct layout *l)
{
	json_t *each;
	size_t i;

	json_array_foreach(l->tasks, i, each)
	{
		const char *id = id_of(each);
		struct ft_graph_task *task;

		if (!id)
			return ft__graph_fail(l->r, "task %zu has no id", i + 1);
		task = ft__graph_task(l->r, id);
		if (!task)
			return l->r->err->status;
		task->time_s = runtime_of(each);
	}
	json_array_foreach(l->runs, i, each)
	{
		size_t at = id_of(each) ? ft__graph_find(l->r, id_of(each)) : SIZE_MAX;

		if (at != SIZE_MAX)
			l->r->out->task[at].time_s = runtime_of(each);
	}
	for (i = 0; i < l->r->out->n; i++)
		if (!(l->r->out->task[i].time_s >= 0))
			return ft__graph_fail(l->r, "task '%.60s' has no runtime", l->r->out->task[i].id);
	return FT_OK;
}

static enum ft_status add_files(struct layout *l, json_t *files)
{
	json_t *each;
	size_t i;

	json_array_foreach(files, i, each)
	{
		const char *id = id_of(each);

		if (id && json_object_set_new(l->bytes, id, json_real(length_of(each))))
			return ft_nomem(l->r->err);
	}
	return FT_OK;
}

/* The files that a task reads, or writes: an array of ids since 1.5, else of objects with "link". */
static const char *file_of(const struct layout *l, json_t *task, bool reads, size_t i, bool *end)
{
	json_t *list = json_object_get(task, l->old ? "files" : reads ? "inputFiles" : "outputFiles");
	json_t *each = json_array_get(list, i);

	*end = !each;
	if (!l->old || !each)
		return json_string_value(each);
	const char *link = json_string_value(json_object_get(each, "link"));
	return link && !strcmp(link, reads ? "input" : "output") ? id_of(each) : NULL;
}

static enum ft_status inputs_of(const struct layout *l, json_t *task, json_t *inputs)
{
	const char *file;
	bool end;

	json_object_clear(inputs);
	for (size_t i = 0; file = file_of(l, task, true, i, &end), !end; i++)
		if (file && json_object_set_new(inputs, file, json_true()))
			return ft_nomem(l->r->err);
	return FT_OK;
}

/* The bytes that one task writes and the other, whose inputs these are, reads. */
static double bytes_sent(const struct layout *l, json_t *from, json_t *inputs)
{
	double bytes = 0;
	const char *file;
	bool end;

	for (size_t i = 0; file = file_of(l, from, false, i, &end), !end; i++)
		if (file && json_object_get(inputs, file))
			bytes += json_number_value(json_object_get(l->bytes, file));
	return bytes;
}

static enum ft_status add_parents(struct layout *l, size_t to, json_t *inputs)
{
	json_t *task = json_array_get(l->tasks, to), *each;
	enum ft_status status = inputs_of(l, task, inputs);
	size_t i;

	if (status)
		return status;
	json_array_foreach(json_object_get(task, "parents"), i, each)
	{
		const char *id = json_string_value(each);
		size_t from = id ? ft__graph_find(l->r, id) : SIZE_MAX;

		if (from == SIZE_MAX)
			return ft__graph_fail(l->r, "task '%.60s' has a parent '%.60s', which is no task",
					      l->r->out->task[to].id, id ? id : "");
		FT_TRY(ft__graph_edge(l->r, from, to, bytes_sent(l, json_array_get(l->tasks, from), inputs)));
	}
	return FT_OK;
}

static enum ft_status add_edges(struct layout *l)
{
	json_t *inputs = json_object();
	enum ft_status status = inputs ? FT_OK : ft_nomem(l->r->err);

	for (size_t i = 0; i < l->r->out->n && !status; i++)
		status = add_parents(l, i, inputs);
	json_decref(inputs);
	return status;
}

static enum ft_status add_all_files(struct layout *l, json_t *files)
{
	enum ft_status status = add_files(l, files);
	json_t *each;
	size_t i;

	if (!l->old)
		return status;
	json_array_foreach(l->tasks, i, each)
	{
		if (status)
			break;
		status = add_files(l, json_object_get(each, "files"));
	}
	return status;
}

enum ft_status ft__graph_wfcommons(struct ft__graph_reader *r, json_t *root)
{
	json_t *workflow = json_object_get(root, "workflow"),
	       *specification = json_object_get(workflow, "specification");
	struct layout l = {.r = r,
			   .tasks = json_object_get(specification ? specification : workflow, "tasks"),
			   .runs = json_object_get(json_object_get(workflow, "execution"), "tasks"),
			   .old = !specification,
			   .bytes = json_object()};

	if (!l.bytes)
		return ft_nomem(r->err);
	enum ft_status status =
		json_is_array(l.tasks) ? FT_OK : ft__graph_fail(r, "its workflow has no array \"tasks\"");
	if (!status)
		status = add_tasks(&l);
	if (!status)
		status = add_all_files(&l, json_object_get(specification, "files"));
	if (!status)
		status = add_edges(&l);
	json_decref(l.bytes);
	return status;
}
