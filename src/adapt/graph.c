/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph.c - graphs of tasks: which format a file has, and what all of them share. */
#include "adapt/graph.h"
#include "base/alloc.h"
#include "base/input.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void ft_graph_clear(struct ft_graph *graph)
{
	if (!graph)
		return;
	for (size_t i = 0; i < graph->n; i++) {
		struct ft_graph_task *task = &graph->task[i];

		for (size_t j = 0; j < task->n_times; j++)
			ft_free(task->time[j].host);
		ft_free(task->time);
		for (size_t j = 0; j < task->n_hosts; j++)
			ft_free(task->host[j]);
		ft_free(task->host);
		ft_free(task->id);
		ft_free(task->name);
		ft_free(task->architecture);
	}
	ft_free(graph->task);
	ft_free(graph->edge);
	*graph = (struct ft_graph){0};
}

enum ft_status ft__graph_fail(const struct ft__graph_reader *r, const char *format, ...)
{
	char text[300];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof text, format, args);
	va_end(args);
	(void)ft_fail(r->err, FT_EINVAL, "%.150s: %s", r->file, text);
	(void)ft_remedy(r->err, "man foretime-plan shows what a graph looks like");
	return FT_EINVAL;
}

size_t ft__graph_find(const struct ft__graph_reader *r, const char *id)
{
	json_t *at = json_object_get(r->index, id);

	return at ? (size_t)json_integer_value(at) : SIZE_MAX;
}

struct ft_graph_task *ft__graph_task(struct ft__graph_reader *r, const char *id)
{
	if (ft__graph_find(r, id) != SIZE_MAX) {
		(void)ft__graph_fail(r, "there are two tasks '%.100s'", id);
		return NULL;
	}
	struct ft_graph_task *grown = ft_grow(r->out->task, r->out->n, &r->capacity, sizeof *grown);
	if (!grown) {
		(void)ft_nomem(r->err);
		return NULL;
	}
	r->out->task = grown;
	struct ft_graph_task *added = &r->out->task[r->out->n];
	*added = (struct ft_graph_task){.id = ft_strdup(id), .time_s = NAN, .stage = NAN};
	if (!added->id || json_object_set_new(r->index, id, json_integer((json_int_t)r->out->n))) {
		ft_free(added->id);
		(void)ft_nomem(r->err);
		return NULL;
	}
	r->out->n++;
	return added;
}

enum ft_status ft__graph_edge(struct ft__graph_reader *r, size_t from, size_t to, double bytes)
{
	struct ft_plan_edge *grown = ft_grow(r->out->edge, r->out->n_edges, &r->edge_capacity, sizeof *grown);

	if (!grown)
		return ft_nomem(r->err);
	r->out->edge = grown;
	r->out->edge[r->out->n_edges++] = (struct ft_plan_edge){from, to, bytes};
	return FT_OK;
}

static enum ft_status read_root(struct ft__graph_reader *r, json_t *root)
{
	if (!json_is_object(root))
		return ft__graph_fail(r, "a graph is an object with the keys \"tasks\" and \"edges\"");
	return ft__graph_is_wfcommons(root) ? ft__graph_wfcommons(r, root) : ft__graph_own(r, root);
}

enum ft_status ft_graph_parse(struct ft_graph *out, const char *name, const char *bytes, size_t length,
			      struct ft_err *err)
{
	struct ft_err unwanted;
	struct ft__graph_reader r = {.file = name, .out = out, .err = err ? err : &unwanted};
	json_error_t error;
	enum ft_status status = ft__json_check(name, bytes, length, FT__READ_MOST, err);

	*out = (struct ft_graph){0};
	if (status)
		return status;
	json_t *root = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, &error);
	if (!root && json_error_code(&error) == json_error_out_of_memory)
		return ft_nomem(err);
	if (!root) {
		(void)ft_fail(err, FT_EPARSE, "%.200s:%d: column %d: %.160s", name, error.line, error.column,
			      error.text);
		(void)ft_remedy(err, "a graph is a JSON document; man foretime-plan shows one");
		return FT_EPARSE;
	}
	r.index = json_object();
	status = r.index ? read_root(&r, root) : ft_nomem(err);
	json_decref(r.index);
	json_decref(root);
	if (!status && !out->n)
		status = ft__graph_fail(&r, "a graph without tasks");
	if (status)
		ft_graph_clear(out);
	return status;
}

enum ft_status ft_graph_read(struct ft_graph *out, const char *path, struct ft_err *err)
{
	struct ft_input *input;
	char *bytes = NULL;
	size_t length;
	enum ft_status status = ft__input_open(&input, path, err);

	*out = (struct ft_graph){0};
	if (status)
		return status;
	status = ft__input_all(input, FT__TEXT_MOST, &bytes, &length, err);
	if (!status)
		status = ft_graph_parse(out, ft__input_name(input), bytes, length, err);
	ft_free(bytes);
	ft__input_close(input);
	return status;
}
