/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resources.c - a table of hosts: what they have, what they cost, what they let run. */
#include "cli/plan/plan.h"
#include "foretime/csv.h"

#include <math.h>
#include <string.h>

/* A column: its name, the unit of what stands in it, and where it goes. */
static const struct plan_resources_column {
	const char *name, *unit;
	size_t offset;
} columns[] = {
	{"cores", "", offsetof(struct cli_resource, cores)},
	{"memory", "bytes", offsetof(struct cli_resource, memory_bytes)},
	{"storage", "bytes", offsetof(struct cli_resource, storage_bytes)},
	{"price", "", offsetof(struct cli_resource, price)},
	{"watts", "W", offsetof(struct cli_resource, watts)},
	{"limit", "s", offsetof(struct cli_resource, limit_s)},
	{"wait", "s", offsetof(struct cli_resource, wait_s)},
	{"load", "", offsetof(struct cli_resource, load)},
};

enum { COLUMNS = sizeof columns / sizeof *columns };

double cli_plan_told(double value)
{
	return isnan(value) ? 0 : value;
}

static int unknown_column(const char *path, const char *name)
{
	return cli_fail("%s: unknown column '%s'\n"
			"hint: columns are host, and any of cores, memory, storage, price (an hour), watts, "
			"limit (of a run), wait, load, reserved",
			path, name);
}

static int check_columns(const struct ft_csv *csv, const char *path)
{
	size_t j;

	if (ft_csv_column(csv, "host") < 0)
		return cli_fail("'%s' has no column 'host'\n"
				"hint: a row is a machine: host, and any of cores, memory, storage, price, "
				"watts, limit, wait, load, reserved",
				path);
	for (size_t i = 0; i < ft_csv_columns(csv); i++) {
		const char *name = ft_csv_column_name(csv, i);

		for (j = 0; j < COLUMNS && strcmp(columns[j].name, name) != 0; j++)
			continue;
		if (j == COLUMNS && strcmp(name, "host") != 0 && strcmp(name, "reserved") != 0)
			return unknown_column(path, name);
	}
	return CLI_DONE;
}

static int read_row(const struct ft_csv *csv, size_t row, const char *path, struct cli_resource *out)
{
	struct ft_err err = {0};

	for (size_t i = 0; i < COLUMNS; i++) {
		double *value = (double *)((char *)out + columns[i].offset);
		int at = ft_csv_column(csv, columns[i].name);
		const char *cell = at < 0 ? "" : ft_csv_cell(csv, row, (size_t)at);

		*value = NAN;
		if (*cell && ft_value_parse(cell, columns[i].unit, value, &err))
			return cli_error_at(&err, "%s:%zu: %s", path, ft_csv_line(csv, row), columns[i].name);
		if (*value < 0)
			return cli_fail("%s:%zu: %s is negative", path, ft_csv_line(csv, row),
					columns[i].name);
	}
	return CLI_DONE;
}

int cli_plan_resources(struct cli_plan *plan, const char *path)
{
	struct ft_csv *csv = NULL;
	struct ft_err err = {0};

	if (ft_csv_read(path, 0, &csv, &err))
		return cli_error(&err);
	int status = check_columns(csv, path);
	for (size_t row = 0; row < ft_csv_rows(csv) && status == CLI_DONE; row++) {
		plan->resource = cli_grow(plan->resource, plan->n_resources, sizeof *plan->resource);
		struct cli_resource *added = &plan->resource[plan->n_resources++];
		added->host = cli_strdup(ft_csv_cell(csv, row, (size_t)ft_csv_column(csv, "host")));
		status = read_row(csv, row, path, added);
		if (status == CLI_DONE && ft_csv_column(csv, "reserved") >= 0)
			status = cli_plan_reserve(
				plan, added->host,
				ft_csv_cell(csv, row, (size_t)ft_csv_column(csv, "reserved")));
	}
	ft_csv_free(csv);
	return status;
}
