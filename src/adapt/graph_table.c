/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_table.c - tasks without edges, as a table: a row a task. */
#include "base/alloc.h"
#include "base/text.h"
#include "foretime/csv.h"
#include "foretime/graph.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

static enum ft_status read_size(const struct ft_csv *csv, size_t row, size_t column,
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

static enum ft_status read_row(const struct ft_csv *csv, size_t row, struct ft_graph_task *task,
			       struct ft_err *err)
{
	int id = ft_csv_column(csv, "task"), name = ft_csv_column(csv, "name");
	enum ft_status status = name_task(csv, row, id, name, task) ? FT_OK : ft_nomem(err);

	for (size_t i = 0; i < ft_csv_columns(csv) && !status; i++)
		if ((int)i != id && (int)i != name)
			status = name >= 0 ? read_size(csv, row, i, task, err)
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
		status = read_row(csv, out->n - 1, &out->task[out->n - 1], err);
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
