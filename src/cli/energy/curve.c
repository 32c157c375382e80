/* SPDX-License-Identifier: GPL-3.0-or-later */
/* curve.c - `foretime energy curve`: power against utilisation, for each machine of a table. */
#include "cli/energy/energy.h"
#include "foretime/csv.h"
#include "foretime/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A table's points, and which group each is of. */
struct points {
	struct ft_csv *csv;
	int use, watts, group;
	double scale; /* of the utilisations: 0.01 for percent */
	double *u, *w;
	bool *taken;
};

static int find(const struct ft_csv *csv, const char *const *names)
{
	int column = -1;

	for (; *names && column < 0; names++)
		column = ft_csv_column(csv, *names);
	return column;
}

static int find_columns(struct points *p, const char *path, const char *group)
{
	static const char *const use[] = {"utilisation",     "utilization", "load",
					  "target_load_pct", "use",         NULL};
	static const char *const watts[] = {"power_w", "watts", "avg_watts", "power", NULL};

	p->use = find(p->csv, use);
	p->watts = find(p->csv, watts);
	p->group = group ? ft_csv_column(p->csv, group) : -1;
	if (group && p->group < 0)
		return cli_fail("'%s' has no column '%s'", path, group);
	if (p->use >= 0 && p->watts >= 0)
		return CLI_DONE;
	(void)cli_fail("'%s' has no column of %s", path, p->use < 0 ? "utilisations" : "powers");
	cli_hint("name the columns utilisation (0..1 or percent) and power_w");
	return CLI_WRONG;
}

/* Percent where any utilisation is above 1. */
static int read_values(struct points *p, struct ft_err *err)
{
	size_t rows = ft_csv_rows(p->csv), i;

	p->u = cli_alloc((rows + 1) * sizeof *p->u);
	p->w = cli_alloc((rows + 1) * sizeof *p->w);
	p->taken = cli_alloc(rows + 1);
	p->scale = 1;
	for (i = 0; i < rows; i++) {
		if (ft_csv_number(p->csv, i, (size_t)p->use, false, &p->u[i], err) ||
		    ft_csv_number(p->csv, i, (size_t)p->watts, false, &p->w[i], err))
			return cli_error(err);
		if (p->u[i] > 1)
			p->scale = 0.01;
	}
	return CLI_DONE;
}

static const char *group_of(const struct points *p, size_t row)
{
	return p->group < 0 ? "all" : ft_csv_cell(p->csv, row, (size_t)p->group);
}

/* The points of the group of a row; rows are marked as taken. */
static size_t take_group(struct points *p, size_t first, double *u, double *w)
{
	const char *name = group_of(p, first);
	size_t i, n = 0;

	for (i = first; i < ft_csv_rows(p->csv); i++)
		if (!p->taken[i] && !strcmp(group_of(p, i), name)) {
			p->taken[i] = true;
			u[n] = p->u[i] * p->scale;
			w[n++] = p->w[i];
		}
	return n;
}

static void add_row(struct cli_table *table, const char *name, const struct ft_load_curve *c, double at)
{
	cli_table_add(table, "%s", name);
	cli_table_add(table, "%zu", c->n);
	cli_table_add(table, "%.1f", c->idle_w);
	cli_table_add(table, "%.1f", c->full_w);
	cli_table_add(table, "%.2f", c->proportion);
	if (c->straight == 1)
		cli_table_add(table, "straight");
	else
		cli_table_add(table, "%.2f u %+.2f u^%g", c->straight, 1 - c->straight, c->exponent);
	cli_table_add(table, "%.1f", 100 * c->error);
	cli_table_add(table, "%.1f", 100 * c->line_error);
	if (!isnan(at))
		cli_table_add(table, "%.1f", ft_load_curve_watts(c, at));
}

static json_t *json_of(const char *name, const struct ft_load_curve *c, double at)
{
	json_t *object = cli_json_object();

	cli_json_set(object, "name", cli_json_text(name));
	cli_json_set(object, "points", cli_json_number((double)c->n));
	cli_json_set(object, "idle_w", cli_json_number(c->idle_w));
	cli_json_set(object, "full_w", cli_json_number(c->full_w));
	cli_json_set(object, "straight", cli_json_number(c->straight));
	cli_json_set(object, "exponent", cli_json_number(c->exponent));
	cli_json_set(object, "proportion", cli_json_number(c->proportion));
	cli_json_set(object, "error", cli_json_number(c->error));
	cli_json_set(object, "line_error", cli_json_number(c->line_error));
	if (!isnan(at))
		cli_json_set(object, "watts", cli_json_number(ft_load_curve_watts(c, at)));
	return object;
}

static int fit_groups(const struct cli_energy *e, struct points *p)
{
	static const char *const heads[] = {"machine",       ">points", ">idle W",  ">full W",
					    ">proportional", "shape",   ">error %", ">straight %"};
	size_t rows = ft_csv_rows(p->csv), i;
	double *u = cli_alloc((rows + 1) * sizeof *u), *w = cli_alloc((rows + 1) * sizeof *w);
	json_t *object = cli_json_new("energy"), *curves = cli_json_array();
	struct cli_table table = {0};
	struct ft_err err = {0};
	int status = CLI_DONE;

	for (i = 0; i < sizeof heads / sizeof *heads; i++)
		cli_table_head(&table, heads[i]);
	if (!isnan(e->at))
		cli_table_head(&table, ">W there");
	for (i = 0; i < rows && status == CLI_DONE; i++) {
		struct ft_load_curve curve;
		size_t n;

		if (p->taken[i])
			continue;
		n = take_group(p, i, u, w);
		if (ft_load_curve_fit(&curve, u, w, n, &err)) {
			status = cli_error_at(&err, "%s", group_of(p, i));
			break;
		}
		add_row(&table, group_of(p, i), &curve, e->at);
		cli_json_append(curves, json_of(group_of(p, i), &curve, e->at));
	}
	cli_json_set(object, "action", cli_json_text("curve"));
	cli_json_set(object, "curves", curves);
	if (status == CLI_DONE && e->json)
		cli_json_print(object, stdout);
	else
		json_decref(object);
	if (status == CLI_DONE && !e->json)
		cli_table_print(&table, stdout);
	cli_table_clear(&table);
	free(u);
	free(w);
	return status;
}

int cli_energy_curve(void *asked)
{
	struct cli_energy *e = asked;
	struct points p = {0};
	struct ft_err err = {0};
	int status;

	if (ft_csv_read(e->word[0], 0, &p.csv, &err))
		return cli_error(&err);
	status = find_columns(&p, e->word[0], e->group);
	if (status == CLI_DONE)
		status = read_values(&p, &err);
	if (status == CLI_DONE && !ft_csv_rows(p.csv))
		status = cli_fail("'%s' has no row", e->word[0]);
	if (status == CLI_DONE)
		status = fit_groups(e, &p);
	free(p.u);
	free(p.w);
	free(p.taken);
	ft_csv_free(p.csv);
	return status;
}
