/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runs.c - reads measured runs from a table: times by part, and energies. */
#include "base/alloc.h"
#include "base/csv.h"
#include "energy/door.h"
#include "foretime/base.h"
#include "foretime/energy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Columns of the table; -1: there is none. */
struct runs_columns {
	int wall, energy, job, cores, machines, peak, meter;
	int time[FT_POWER_PARTS]; /* of parts with a column of their own */
	size_t times;
	bool whole; /* no data on the parts in use: one power for all (8.13) */
};

static enum ft_status find_columns(const struct ft_csv *csv, const char *path, struct runs_columns *c,
				   struct ft_energy_runs *out, struct ft_err *err)
{
	static const char *const wall[] = {"t_wall", "t_wall_s", "wall_s", NULL};
	static const char *const energy[] = {"energy", "energy_j", "e", "E", NULL};
	static const char *const job[] = {"t_job", "t_job_s", NULL}, *const n[] = {"n", "cores", NULL};
	static const char *const m[] = {"m", "machines", NULL}, *const peak[] = {"peak_w", NULL};
	static const char *const meter[] = {"meter", "probe", NULL};

	*c = (struct runs_columns){.wall = ft_csv_column_of(csv, wall),
				   .energy = ft_csv_column_of(csv, energy),
				   .job = ft_csv_column_of(csv, job),
				   .cores = ft_csv_column_of(csv, n),
				   .machines = ft_csv_column_of(csv, m),
				   .peak = ft_csv_column_of(csv, peak),
				   .meter = ft_csv_column_of(csv, meter)};
	if (c->wall < 0 || c->energy < 0) {
		(void)ft_fail(err, FT_EINVAL, "'%s' has no column of %s", path,
			      c->wall < 0 ? "wall-clock seconds (t_wall)" : "energies (energy_j)");
		return ft_remedy(
			err, "name the columns t_wall, energy_j, and n, m, t_job or t_NAME for each part");
	}
	for (size_t i = 0; i < ft_csv_columns(csv); i++) {
		const char *name = ft_csv_column_name(csv, i);

		if (strncmp(name, "t_", 2) != 0 || (int)i == c->wall || (int)i == c->job)
			continue;
		if (c->times + 1 >= FT_POWER_PARTS)
			return ft_fail(err, FT_EINVAL, "'%s': more than %d parts", path, FT_POWER_PARTS - 1);
		(void)snprintf(out->part[c->times + 1], FT_POWER_NAME, "%s", name + 2);
		c->time[c->times++] = (int)i;
	}
	c->whole = !c->times && c->cores < 0;
	return FT_OK;
}

/* A number within bounds, or the default without such a column. */
static enum ft_status read_number(const struct ft_csv *csv, const char *path, size_t row, int column,
				  double least, bool above, double usual, double *out, struct ft_err *err)
{
	*out = usual;
	if (column < 0)
		return FT_OK;
	enum ft_status status = ft_csv_number(csv, row, (size_t)column, false, out, err);
	if (status || *out > least || (!above && *out == least))
		return status;
	return ft_fail(err, FT_EINVAL, "%s:%zu: column %d (%s): %g is not %s %g", path, ft_csv_line(csv, row),
		       column + 1, ft_csv_column_name(csv, (size_t)column), *out,
		       above ? "above" : "at least", least);
}

/* One run of a table with n, m and t_job: 12.1. */
static enum ft_status read_job(struct ft_energy_runs *out, const struct ft_csv *csv, const char *path,
			       size_t row, const struct runs_columns *c, double *machines, struct ft_err *err)
{
	double wall = out->wall_s[out->n], cores, job, *time = out->time_s + out->n * 3,
	       *most = out->most + out->n * 3;
	enum ft_status status = read_number(csv, path, row, c->cores, 0, false, 1, &cores, err);

	if (!status && cores > 0)
		status = read_number(csv, path, row, c->cores, 1, false, 1, &cores, err);
	if (!status)
		status = read_number(csv, path, row, c->machines, 1, false, 1, machines, err);
	if (!status)
		status = read_number(csv, path, row, c->job, 0, false, wall, &job, err);
	if (status)
		return status;
	if (job > wall * (1 + 1e-9))
		return ft_fail(err, FT_EINVAL, "%s:%zu: t_job, %g s, is longer than t_wall, %g s", path,
			       ft_csv_line(csv, row), job, wall);
	time[0] = wall;
	time[1] = *machines * wall;
	time[2] = cores > 0 ? wall + (cores - 1) * job : 0; /* idle: no core works */
	most[0] = 1;
	most[1] = *machines;
	most[2] = cores;
	return FT_OK;
}

/* One run of a table with a column for each part: 8.14. */
static enum ft_status read_parts(struct ft_energy_runs *out, const struct ft_csv *csv, const char *path,
				 size_t row, const struct runs_columns *c, struct ft_err *err)
{
	double *time = out->time_s + out->n * out->parts, *most = out->most + out->n * out->parts;
	enum ft_status status = FT_OK;

	time[0] = out->wall_s[out->n];
	most[0] = 1;
	for (size_t i = 0; i < c->times && !status; i++) {
		status = read_number(csv, path, row, c->time[i], 0, false, 0, &time[i + 1], err);
		most[i + 1] = NAN;
	}
	return status;
}

static bool of_meter(const struct ft_csv *csv, size_t row, const struct runs_columns *c, const char *meter)
{
	return !meter || c->meter < 0 || !strcmp(ft_csv_cell(csv, row, (size_t)c->meter), meter);
}

static enum ft_status check_meters(const struct ft_csv *csv, const char *path, const struct runs_columns *c,
				   const char *meter, struct ft_err *err)
{
	const char *first = NULL;

	if (meter && c->meter < 0)
		return ft_fail(err, FT_EINVAL, "'%s' has no column meter or probe", path);
	for (size_t row = 0; c->meter >= 0 && row < ft_csv_rows(csv); row++) {
		const char *cell = ft_csv_cell(csv, row, (size_t)c->meter);

		if (!of_meter(csv, row, c, meter))
			continue;
		if (first && strcmp(cell, first) != 0) {
			(void)ft_fail(err, FT_EINVAL, "%s:%zu: two kinds of meters, '%s' and '%s'", path,
				      ft_csv_line(csv, row), first, cell);
			return ft_remedy(
				err,
				"fit each by itself, as in --meter %s: meters on the chip and at the "
				"wall differ by far more than either errs",
				first);
		}
		first = cell;
	}
	return FT_OK;
}

/* P_infr and P_m become one part. */
static void merge_machines(struct ft_energy_runs *runs)
{
	for (size_t i = 0; i < runs->n; i++) {
		double *time = runs->time_s + i * 2, *from = runs->time_s + i * 3;
		double *most = runs->most + i * 2, *units = runs->most + i * 3;
		double wall = from[0], core = from[2], cores = units[2];

		time[0] = wall;
		time[1] = core;
		most[0] = 1;
		most[1] = cores;
	}
	runs->parts = 2;
	(void)snprintf(runs->part[0], FT_POWER_NAME, "%s", "infr+machine");
	(void)snprintf(runs->part[1], FT_POWER_NAME, "%s", "core");
	runs->merged = true;
}

static enum ft_status read_rows(struct ft_energy_runs *out, const struct ft_csv *csv, const char *path,
				const struct runs_columns *c, const char *meter, struct ft_err *err)
{
	double first = NAN, machines = 1;
	bool alike = true;

	for (size_t row = 0; row < ft_csv_rows(csv); row++) {
		if (!of_meter(csv, row, c, meter))
			continue;
		out->line[out->n] = ft_csv_line(csv, row);
		enum ft_status status =
			read_number(csv, path, row, c->wall, 0, true, 0, &out->wall_s[out->n], err);
		if (!status)
			status = read_number(csv, path, row, c->energy, 0, true, 0, &out->energy_j[out->n],
					     err);
		if (!status)
			status =
				read_number(csv, path, row, c->peak, 0, true, NAN, &out->peak_w[out->n], err);
		if (!status)
			status = c->times || c->whole ? read_parts(out, csv, path, row, c, err)
						      : read_job(out, csv, path, row, c, &machines, err);
		if (status)
			return status;
		if (!out->n)
			first = machines;
		alike = alike && machines == first;
		out->n++;
	}
	if (!out->n)
		return ft_fail(err, FT_EINVAL, meter ? "'%s' has no run of that meter" : "'%s' has no run",
			       path);
	if (!c->times && !c->whole && alike)
		out->machines = first;
	return FT_OK;
}

/* Those of 12.1. */
static void name_parts(struct ft_energy_runs *out)
{
	static const char *const names[] = {"infr", "machine", "core"};

	for (out->parts = 0; out->parts < 3; out->parts++)
		(void)snprintf(out->part[out->parts], FT_POWER_NAME, "%s", names[out->parts]);
}

static enum ft_status reserve_runs(struct ft_energy_runs *out, size_t rows, struct ft_err *err)
{
	out->time_s = ft_calloc(rows * out->parts, sizeof *out->time_s);
	out->most = ft_calloc(rows * out->parts, sizeof *out->most);
	out->wall_s = ft_calloc(rows, sizeof *out->wall_s);
	out->energy_j = ft_calloc(rows, sizeof *out->energy_j);
	out->peak_w = ft_calloc(rows, sizeof *out->peak_w);
	out->line = ft_calloc(rows, sizeof *out->line);
	if (!out->time_s || !out->most || !out->wall_s || !out->energy_j || !out->peak_w || !out->line)
		return ft_nomem(err);
	return FT_OK;
}

/* csv is freed. */
static enum ft_status of_table(struct ft_energy_runs *out, struct ft_csv *csv, const char *path, bool merge,
			       const char *meter, struct ft_err *err)
{
	struct runs_columns c;
	enum ft_status status;

	*out = (struct ft_energy_runs){.machines = NAN};
	status = find_columns(csv, path, &c, out, err);
	if (!status)
		status = check_meters(csv, path, &c, meter, err);
	if (status)
		goto out;
	(void)snprintf(out->part[0], FT_POWER_NAME, "%s", c.whole ? "all" : "infr");
	if (!c.times && !c.whole)
		name_parts(out);
	else
		out->parts = c.times + 1;
	status = reserve_runs(out, ft_csv_rows(csv) + 1, err);
	if (status)
		goto out;
	status = read_rows(out, csv, path, &c, meter, err);
	if (!status && !c.times && !c.whole && (merge || !isnan(out->machines)))
		merge_machines(out);
out:
	ft_csv_free(csv);
	if (status)
		ft_energy_runs_clear(out);
	return status;
}

enum ft_status ft_energy_runs_read(struct ft_energy_runs *out, const char *path, bool merge,
				   const char *meter, struct ft_err *err)
{
	struct ft_csv *csv;
	enum ft_status status = ft_csv_read(path, 0, &csv, err);

	*out = (struct ft_energy_runs){.machines = NAN};
	return status ? status : of_table(out, csv, path, merge, meter, err);
}

enum ft_status ft_energy_runs_parse(struct ft_energy_runs *out, const char *name, const char *bytes,
				    size_t length, bool merge, const char *meter, struct ft_err *err)
{
	struct ft_csv *csv;
	enum ft_status status = ft_csv_parse(name, bytes, length, 0, &csv, err);

	*out = (struct ft_energy_runs){.machines = NAN};
	return status ? status : of_table(out, csv, name, merge, meter, err);
}

static void take_job(struct ft_energy_runs *out, const struct ft_energy_job *job)
{
	double *time = out->time_s + out->n * 3, *most = out->most + out->n * 3;

	out->wall_s[out->n] = time[0] = job->wall_s;
	time[1] = job->machines * job->wall_s;
	time[2] = job->core_s;
	most[0] = 1;
	most[1] = job->machines;
	most[2] = NAN;
	out->energy_j[out->n] = job->energy_j;
	out->peak_w[out->n] = NAN;
	out->line[out->n] = out->n + 1;
	out->n++;
}

enum ft_status ft_energy_runs_of(struct ft_energy_runs *out, const struct ft_energy_job *job, size_t n,
				 bool merge, struct ft_err *err)
{
	bool alike = true;

	*out = (struct ft_energy_runs){.machines = NAN};
	if (!n)
		return ft_fail(err, FT_EINVAL, "no job has a known energy");
	name_parts(out);
	enum ft_status status = reserve_runs(out, n, err);
	for (size_t i = 0; i < n && !status; i++) {
		if (!(job[i].wall_s > 0) || !(job[i].energy_j > 0) || !(job[i].machines >= 1) ||
		    !(job[i].core_s >= 0)) {
			status = ft_fail(err, FT_EINVAL,
					 "job %zu of %zu has no time, no energy or no machine", i + 1, n);
			break;
		}
		alike = alike && job[i].machines == job[0].machines;
		take_job(out, &job[i]);
	}
	if (status) {
		ft_energy_runs_clear(out);
		return status;
	}
	if (alike)
		out->machines = job[0].machines;
	if (merge || alike)
		merge_machines(out);
	return FT_OK;
}

void ft_energy_runs_clear(struct ft_energy_runs *runs)
{
	if (!runs)
		return;
	ft_free(runs->time_s);
	ft_free(runs->most);
	ft_free(runs->wall_s);
	ft_free(runs->energy_j);
	ft_free(runs->peak_w);
	ft_free(runs->line);
	*runs = (struct ft_energy_runs){0};
}
