/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph.c - graphs of tasks: which format a file has, and what all of them share. */
#include "adapt/adapt.h"
#include "base/alloc.h"
#include "base/input.h"
#include "base/text.h"
#include "foretime/adapt.h"
#include "foretime/base.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static enum ft_status graph_edge(struct ft__graph_reader *r, size_t from, size_t to, double bytes);

static size_t graph_find(const struct ft__graph_reader *r, const char *id);

static struct ft_graph_task *graph_task(struct ft__graph_reader *r, const char *id);

/*
 * A graph for Graphviz (graphviz.org, The DOT Language).
 */

/* Within quotes only the quote is special, and a backslash before what follows it. */
static void add_label(struct ft_text *text, const char *label)
{
	for (; *label; label++) {
		if (*label == '"' || *label == '\\')
			ft_text_add(text, "\\");
		ft_text_add_bytes(text, *label == '\n' ? " " : label, 1);
	}
}

static void add_task(struct ft_text *text, const struct ft_graph_task *task, const struct ft_plan_slot *slot,
		     const char *const *host)
{
	char from[FT_UNIT_LENGTH], to[FT_UNIT_LENGTH];

	add_label(text, task->id);
	if (!slot)
		return;
	ft_text_add(text, "\\n");
	add_label(text, host[slot->machine]);
	ft_text_add(text, "\\n%s - %s", ft_value_format(slot->start_s, "s", from),
		    ft_value_format(slot->end_s, "s", to));
}

enum ft_status ft_graph_dot(const struct ft_graph *graph, const struct ft_plan_slot *slot,
			    const char *const *host, char **out, struct ft_err *err)
{
	struct ft_text text = {0};
	char bytes[FT_UNIT_LENGTH];

	ft_text_add(&text, "digraph plan {\n\tnode [shape=box]\n");
	for (size_t i = 0; i < graph->n; i++) {
		ft_text_add(&text, "\tt%zu [label=\"", i);
		add_task(&text, &graph->task[i], slot ? &slot[i] : NULL, host);
		ft_text_add(&text, "\"]\n");
	}
	for (size_t i = 0; i < graph->n_edges; i++) {
		const struct ft_plan_edge *edge = &graph->edge[i];

		ft_text_add(&text, "\tt%zu -> t%zu", edge->from, edge->to);
		if (edge->bytes > 0)
			ft_text_add(&text, " [label=\"%s\"]", ft_value_format(edge->bytes, "bytes", bytes));
		ft_text_add(&text, "\n");
	}
	ft_text_add(&text, "}\n");
	*out = ft_text_take(&text);
	return *out ? FT_OK : ft_nomem(err);
}

/*
 * How fast hosts send to each other: a table of links, or one row for all.
 */

/* Between processors of one host nothing is sent. */
static const double at_once = 1e300;

/* told [m x m]: 0: not; 1: the other way round; 2 */
struct links_table {
	const struct ft_csv *csv;
	const char *const *host; /* [m] */
	size_t m;
	unsigned char *told;
	struct ft_graph_links *out;
};

static bool meets(const char *cell, const char *host)
{
	return !strcmp(cell, "*") || !strcmp(cell, host);
}

static enum ft_status read_row(struct links_table *t, size_t row, const int column[4], struct ft_err *err)
{
	const char *cell[4];
	double latency = 0, bandwidth = 0;

	for (int i = 0; i < 4; i++)
		cell[i] = ft_csv_cell(t->csv, row, (size_t)column[i]);
	if (ft_duration_parse(cell[2], &latency, err) || ft_bytes_parse(cell[3], &bandwidth, err))
		return ft_fail_at(err, "line %zu", ft_csv_line(t->csv, row));
	if (!(bandwidth > 0))
		return ft_fail(err, FT_EINVAL, "line %zu: a link without bandwidth is none: leave it out",
			       ft_csv_line(t->csv, row));
	/* Later rows count, and both ways unless the other one is there: rows that name hosts behind those for all. */
	for (size_t i = 0; i < t->m; i++)
		for (size_t j = 0; j < t->m; j++) {
			const char *a = t->host[i], *b = t->host[j];
			bool forth = meets(cell[0], a) && meets(cell[1], b),
			     back = meets(cell[0], b) && meets(cell[1], a);
			size_t at = i * t->m + j;

			if (!forth && !(back && t->told[at] < 2))
				continue;
			t->out->latency_s[at] = latency;
			t->out->bytes_per_s[at] = bandwidth;
			t->told[at] = forth ? 2 : 1;
		}
	return FT_OK;
}

/* Between all, and nothing takes time on one host. */
static enum ft_status check_all(struct links_table *t, struct ft_err *err)
{
	for (size_t i = 0; i < t->m; i++)
		for (size_t j = 0; j < t->m; j++) {
			size_t at = i * t->m + j;

			if (!strcmp(t->host[i], t->host[j])) {
				t->out->latency_s[at] = 0;
				t->out->bytes_per_s[at] = at_once;
			} else if (!t->told[at]) {
				(void)ft_fail(err, FT_EINVAL, "no link from '%s' to '%s' is given",
					      t->host[i], t->host[j]);
				return ft_remedy(err,
						 "add a row to the links; *,*,50us,125MB is one for all");
			}
		}
	return FT_OK;
}

static enum ft_status read_links(struct links_table *t, const char *path, struct ft_err *err)
{
	static const char *const names[4] = {"from", "to", "latency", "bandwidth"};
	enum ft_status status = FT_OK;
	int column[4], i;

	for (i = 0; i < 4; i++) {
		column[i] = ft_csv_column(t->csv, names[i]);
		if (column[i] < 0)
			return ft_fail(err, FT_EINVAL, "'%s' has no column '%s'", path, names[i]);
	}
	for (size_t row = 0; row < ft_csv_rows(t->csv) && !status; row++)
		status = read_row(t, row, column, err);
	return status ? status : check_all(t, err);
}

enum ft_status ft_graph_read_links(struct ft_graph_links *out, const char *const *host, size_t m,
				   const char *path, struct ft_err *err)
{
	struct links_table t = {.host = host, .m = m, .out = out};
	struct ft_csv *csv = NULL;
	enum ft_status status = ft_csv_read(path, 0, &csv, err);

	*out = (struct ft_graph_links){0};
	if (status)
		return status;
	t.csv = csv;
	t.told = ft_calloc(m * m, 1);
	out->latency_s = ft_calloc(m * m, sizeof *out->latency_s);
	out->bytes_per_s = ft_calloc(m * m, sizeof *out->bytes_per_s);
	status = t.told && out->latency_s && out->bytes_per_s ? read_links(&t, path, err) : ft_nomem(err);
	out->links =
		(struct ft_plan_links){.latency_s_of = out->latency_s, .bytes_per_s_of = out->bytes_per_s};
	ft_free(t.told);
	ft_csv_free(csv);
	if (status)
		ft_graph_links_clear(out);
	if (status && status != FT_ENOMEM && err && !*err->remedy)
		return ft_remedy(
			err, "columns from, to (host names, * for all), latency (as in 50us) and "
			     "bandwidth (bytes a second, as in 125MB); a link that is given one way is both");
	return status;
}

void ft_graph_links_clear(struct ft_graph_links *links)
{
	if (!links)
		return;
	ft_free(links->latency_s);
	ft_free(links->bytes_per_s);
	*links = (struct ft_graph_links){0};
}

/*
 * Foretime's own graphs: tasks with models or times, edges with bytes.
 */

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

static enum ft_status read_task(struct ft__graph_reader *r, json_t *value, size_t i)
{
	static const char *const known[] = {"id",      "name",         "size",  "time_s", "cpus", "memory",
					    "storage", "architecture", "hosts", "stage",  NULL};
	const char *id = json_string_value(json_object_get(value, "id"));
	json_t *times = json_object_get(value, "time_s");

	if (!id || !*id)
		return ft__graph_fail(r, "task %zu has no \"id\"", i + 1);
	FT_TRY(check_keys(r, value, "a task", known));
	struct ft_graph_task *task = graph_task(r, id);
	if (!task)
		return r->err->status;
	enum ft_status status = copy_text(r, json_object_get(value, "name"), &task->name);
	if (!status)
		status = read_size(r, json_object_get(value, "size"), task);
	if (!status && times)
		status = read_times(r, times, task);
	if (!status) {
		const struct {
			const char *key, *unit;
			double *out;
		} needs[] = {{"cpus", "", &task->cpus},
			     {"memory", "bytes", &task->memory_bytes},
			     {"storage", "bytes", &task->storage_bytes},
			     {"stage", "", &task->stage}};
		json_t *hosts = json_object_get(value, "hosts");
		for (size_t k = 0; k < sizeof needs / sizeof *needs && !status; k++) {
			json_t *at = json_object_get(value, needs[k].key);

			if (at)
				status = read_value(r, at, needs[k].unit, needs[k].key, task->id,
						    needs[k].out);
		}
		if (!status && hosts)
			status = read_rights(r, hosts, task);
		status = status ? status
				: copy_text(r, json_object_get(value, "architecture"), &task->architecture);
	}
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

	*out = id ? graph_find(r, id) : SIZE_MAX;
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
	return status ? status : graph_edge(r, from, to, bytes);
}

/* The two formats. */
static enum ft_status graph_own(struct ft__graph_reader *r, json_t *root)
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

/*
 * Tasks without edges, as a table: a row a task.
 */

/* A cell of a host: seconds; nothing: it does not fit there. */
static enum ft_status read_time(const struct ft_csv *csv, size_t row, size_t column,
				struct ft_graph_task *task, struct ft_err *err)
{
	struct ft_graph_time *added = &task->time[task->n_times];
	double time;
	enum ft_status status = ft_csv_number(csv, row, column, true, &time, err);

	if (status || isnan(time))
		return status;
	if (time < 0)
		return ft_fail(err, FT_EINVAL, "line %zu: a time of %g s on %s", ft_csv_line(csv, row), time,
			       ft_csv_column_name(csv, column));
	*added = (struct ft_graph_time){ft_strdup(ft_csv_column_name(csv, column)), time};
	if (!added->host)
		return ft_nomem(err);
	task->n_times++;
	return FT_OK;
}

static enum ft_status graph_table_read_size(const struct ft_csv *csv, size_t row, size_t column,
					    struct ft_graph_task *task, struct ft_err *err)
{
	const char *name = ft_csv_column_name(csv, column);
	double value;
	enum ft_status status = ft_csv_number(csv, row, column, true, &value, err);

	if (status || isnan(value))
		return status;
	if (task->n_size == FT_PARAMS_MAX || strlen(name) >= FT_PARAM_LENGTH)
		return ft_fail(err, FT_EINVAL, "'%s' is no parameter, or one too many", name);
	(void)snprintf(task->size[task->n_size].name, FT_PARAM_LENGTH, "%s", name);
	task->size[task->n_size++].value = value;
	return FT_OK;
}

/* What it is called, and room for its times. */
static bool name_task(const struct ft_csv *csv, size_t row, int id, int name, struct ft_graph_task *task)
{
	struct ft_text number = {0};

	*task = (struct ft_graph_task){.time_s = NAN, .stage = NAN};
	if (id >= 0) {
		task->id = ft_strdup(ft_csv_cell(csv, row, (size_t)id));
	} else {
		ft_text_add(&number, "%zu", row + 1);
		task->id = ft_text_take(&number);
	}
	if (name >= 0)
		task->name = ft_strdup(ft_csv_cell(csv, row, (size_t)name));
	else
		task->time = ft_calloc(ft_csv_columns(csv) + 1, sizeof *task->time);
	return task->id && (task->name || task->time);
}

static enum ft_status graph_table_read_row(const struct ft_csv *csv, size_t row, struct ft_graph_task *task,
					   struct ft_err *err)
{
	int id = ft_csv_column(csv, "task"), name = ft_csv_column(csv, "name");
	enum ft_status status = name_task(csv, row, id, name, task) ? FT_OK : ft_nomem(err);

	for (size_t i = 0; i < ft_csv_columns(csv) && !status; i++)
		if ((int)i != id && (int)i != name)
			status = name >= 0 ? graph_table_read_size(csv, row, i, task, err)
					   : read_time(csv, row, i, task, err);
	return status;
}

/* A column "id" that is no size is a name that was meant for "task". */
static enum ft_status check_table(const struct ft_csv *csv, const char *path, struct ft_err *err)
{
	int id = ft_csv_column(csv, "id");
	double first;

	if (!ft_csv_rows(csv))
		return ft_fail(err, FT_EINVAL, "'%s' has no task", path);
	if (id < 0 || ft_csv_column(csv, "task") >= 0 ||
	    !ft_csv_number(csv, 0, (size_t)id, true, &first, NULL))
		return FT_OK;
	return ft_fail(err, FT_EINVAL, "'%s' has a column 'id', and what stands there is no number", path);
}

enum ft_status ft_graph_read_table(struct ft_graph *out, const char *path, struct ft_err *err)
{
	struct ft_csv *csv = NULL;
	enum ft_status status = ft_csv_read(path, 0, &csv, err);

	*out = (struct ft_graph){0};
	if (status)
		return status;
	status = check_table(csv, path, err);
	if (!status) {
		out->task = ft_calloc(ft_csv_rows(csv), sizeof *out->task);
		status = out->task ? FT_OK : ft_nomem(err);
	}
	while (!status && out->n < ft_csv_rows(csv)) {
		out->n++;
		status = graph_table_read_row(csv, out->n - 1, &out->task[out->n - 1], err);
	}
	ft_csv_free(csv);
	if (status)
		ft_graph_clear(out);
	if (status && status != FT_ENOMEM && err && !*err->remedy)
		return ft_remedy(err,
				 "a row is a task: columns name and its sizes (name,n,m), or a column of "
				 "seconds for each host; task names it");
	return status;
}

/*
 * WfCommons' WfFormat: recorded workflows (wfcommons.org, schema 1.3 to 1.5). Since 1.5
 * files and runtimes stand apart from the tasks; before, each task has its own.
 */

/* Where things stand in a document. */
struct layout {
	struct ft__graph_reader *r;
	json_t *tasks; /* array */
	json_t *runs;  /* array of the execution; NULL: runtimes stand in the tasks */
	json_t *bytes; /* length by file; owned */
	bool old;      /* before 1.5 */
};

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
		task = graph_task(l->r, id);
		if (!task)
			return l->r->err->status;
		task->time_s = runtime_of(each);
	}
	json_array_foreach(l->runs, i, each)
	{
		size_t at = id_of(each) ? graph_find(l->r, id_of(each)) : SIZE_MAX;

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
		size_t from = id ? graph_find(l->r, id) : SIZE_MAX;

		if (from == SIZE_MAX)
			return ft__graph_fail(l->r, "task '%.60s' has a parent '%.60s', which is no task",
					      l->r->out->task[to].id, id ? id : "");
		FT_TRY(graph_edge(l->r, from, to, bytes_sent(l, json_array_get(l->tasks, from), inputs)));
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

static enum ft_status graph_wfcommons(struct ft__graph_reader *r, json_t *root)
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

/* ---- graphs of tasks: which format a file has, and what all of them share ---- */

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

/* graph_find - the number of a task; SIZE_MAX: there is none. */
static size_t graph_find(const struct ft__graph_reader *r, const char *id)
{
	json_t *at = json_object_get(r->index, id);

	return at ? (size_t)json_integer_value(at) : SIZE_MAX;
}

/* graph_task - one task more of that id, with nothing known of it. NULL after a failure. */
static struct ft_graph_task *graph_task(struct ft__graph_reader *r, const char *id)
{
	if (graph_find(r, id) != SIZE_MAX) {
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

static enum ft_status graph_edge(struct ft__graph_reader *r, size_t from, size_t to, double bytes)
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
	return json_is_object(json_object_get(root, "workflow")) ? graph_wfcommons(r, root)
								 : graph_own(r, root);
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
