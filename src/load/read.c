/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read.c - loads from a CSV table. */
#include "base/alloc.h"
#include "base/number.h"
#include "base/moment.h"
#include "foretime/csv.h"
#include "foretime/load.h"
#include "num/stats.h"

#include <math.h>

/* Nanoseconds between two times, and so long before the first one, are counted in 64 bits. */
static const double earliest_s = -1e8, latest_s = 9e9;

/* A table being read. */
struct read_table {
	const char *path;
	struct ft_csv *csv;
	size_t time, load; /* columns */
	int processors;
	bool stated; /* how many there are */
	int64_t *ns; /* [rows with a load] when each was written */
	double *value;
	size_t n;
};

static enum ft_status find_column(const struct read_table *table, const char *name, size_t *column,
				  struct ft_err *err)
{
	int found = ft_csv_column(table->csv, name);

	*column = found < 0 ? 0 : (size_t)found;
	if (found >= 0)
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "'%s' has no column '%s'", table->path, name);
	return ft_remedy(err, "its columns must be time (seconds, or a date and time) and load (processors)");
}

static enum ft_status read_time(const struct read_table *table, size_t row, int64_t *ns, struct ft_err *err)
{
	const char *cell = ft_csv_cell(table->csv, row, table->time), *end;
	double seconds;

	if (ft__number_scan_signed(cell, &end, &seconds) && !*end && seconds >= earliest_s &&
	    seconds < latest_s) {
		*ns = (int64_t)(seconds * 1e9);
		return FT_OK;
	}
	if (ft__moment_parse(cell, ns) && *ns >= (int64_t)(earliest_s * 1e9))
		return FT_OK;
	(void)ft_fail(err, FT_EPARSE, "%s:%zu: column %zu (time): '%.40s' is no time", table->path,
		      ft_csv_line(table->csv, row), table->time + 1, cell);
	(void)ft_remedy(err, "write seconds, or a date and time as in 2026-01-31T12:00:00");
	return FT_EPARSE;
}

static enum ft_status read_row(struct read_table *table, size_t row, struct ft_err *err)
{
	size_t line = ft_csv_line(table->csv, row);
	enum ft_status status =
		ft_csv_number(table->csv, row, table->load, true, &table->value[table->n], err);

	if (!status)
		status = read_time(table, row, &table->ns[table->n], err);
	if (status || isnan(table->value[table->n]))
		return status;
	if (!(table->value[table->n] >= 0 && isfinite(table->value[table->n])))
		return ft_fail(err, FT_EINVAL, "%s:%zu: %g processors are no load", table->path, line,
			       table->value[table->n]);
	if (!table->stated && table->value[table->n] > table->processors) {
		(void)ft_fail(err, FT_EINVAL, "%s:%zu: a load of %g on an unknown number of processors",
			      table->path, line, table->value[table->n]);
		return ft_remedy(err, "state the number of processors in a line '# processors: 8' before "
				      "the header");
	}
	if (table->n && table->ns[table->n] <= table->ns[table->n - 1])
		return ft_fail(err, FT_EINVAL, "%s:%zu: the time is not after that of the row before",
			       table->path, line);
	table->n++;
	return FT_OK;
}

static enum ft_status read_rows(struct read_table *table, struct ft_err *err)
{
	size_t rows = ft_csv_rows(table->csv), i;
	const char *note = ft_csv_note(table->csv, "processors"), *end;
	enum ft_status status = find_column(table, "time", &table->time, err);
	double noted;

	if (!status)
		status = find_column(table, "load", &table->load, err);
	if (status)
		return status;
	if (!table->processors && note && ft__whole_scan(note, &end, &noted) && noted >= 1 && noted < 1e6)
		table->processors = (int)noted;
	table->stated = table->processors;
	if (!table->stated)
		table->processors = 1;
	table->ns = ft_calloc(rows + 1, sizeof *table->ns);
	table->value = ft_calloc(rows + 1, sizeof *table->value);
	if (!table->ns || !table->value)
		return ft_nomem(err);
	for (i = 0; i < rows && !status; i++)
		status = read_row(table, i, err);
	if (!status && table->n < 2)
		return ft_fail(err, FT_EINVAL, "'%s' has %zu loads, and at least two are needed", table->path,
			       table->n);
	return status;
}

static enum ft_status add_rows(const struct read_table *table, struct ft_loads *loads, struct ft_err *err)
{
	double *distance = ft_calloc(table->n - 1, sizeof *distance), usual;
	enum ft_status status = FT_OK;

	if (!distance)
		return ft_nomem(err);
	for (size_t i = 1; i < table->n; i++)
		distance[i - 1] = (double)(table->ns[i] - table->ns[i - 1]) / 1e9;
	usual = ft_stats_median(distance, table->n - 1);
	ft_free(distance);
	for (size_t i = 0; i < table->n && !status; i++) {
		double since = i ? (double)(table->ns[i] - table->ns[i - 1]) / 1e9 : usual;
		struct ft_load load = {.interval_s = fmin(since, usual),
				       .load = table->value[i],
				       .busy = NAN,
				       .steal = NAN,
				       .iowait = NAN,
				       .processors = table->processors};

		load.started_ns = table->ns[i] - (int64_t)(load.interval_s * 1e9);
		status = ft_loads_add(loads, &load, err);
	}
	return status;
}

enum ft_status ft_loads_read(const char *path, int processors, struct ft_loads *loads, struct ft_err *err)
{
	struct read_table table = {.path = path, .processors = processors};
	size_t before = loads->n;
	enum ft_status status = ft_csv_read(path, 0, &table.csv, err);

	if (!status)
		status = read_rows(&table, err);
	if (!status)
		status = add_rows(&table, loads, err);
	if (status)
		loads->n = before;
	ft_free(table.ns);
	ft_free(table.value);
	ft_csv_free(table.csv);
	return status;
}
