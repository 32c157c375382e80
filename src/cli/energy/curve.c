/* SPDX-License-Identifier: GPL-3.0-or-later */
/* curve.c - `foretime energy curve`: power against utilisation, for each machine of a table. */
#include "cli/energy/energy.h"
#include "cli/answers.h"
#include "cli/common.h"
#include "foretime/csv.h"
#include "foretime/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A table's points, and which group each is of. */
struct energy_curve_points {
	struct ft_csv *csv;
	int use, watts, group;
	double scale; /* of the utilisations: 0.01 for percent */
	double *u, *w;
	bool *taken;
};

static int find_columns(struct energy_curve_points *p, const char *path, const char *group)
{
	static const char *const use[] = {"utilisation",     "utilization", "load",
					  "target_load_pct", "use",         NULL};
	static const char *const watts[] = {"power_w", "watts", "avg_watts", "power", NULL};

	p->use = ft_csv_column_of(p->csv, use);
	p->watts = ft_csv_column_of(p->csv, watts);
	p->group = group ? ft_csv_column(p->csv, group) : -1;
	if (group && p->group < 0)
		return cli_fail("'%s' has no column '%s'", path, group);
	if (p->use >= 0 && p->watts >= 0)
		return CLI_DONE;
	return cli_fail("'%s' has no column of %s\n"
			"hint: name the columns utilisation (0..1 or percent) and power_w",
			path, p->use < 0 ? "utilisations" : "powers");
}

/* Percent where any utilisation is above 1. */
static int read_values(struct energy_curve_points *p, struct ft_err *err)
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

static const char *group_of(const struct energy_curve_points *p, size_t row)
{
	return p->group < 0 ? "all" : ft_csv_cell(p->csv, row, (size_t)p->group);
}

/* The points of the group of a row; rows are marked as taken. */
static size_t take_group(struct energy_curve_points *p, size_t first, double *u, double *w)
{
	const char *name = group_of(p, first);
	size_t n = 0;

	for (size_t i = first; i < ft_csv_rows(p->csv); i++)
		if (!p->taken[i] && !strcmp(group_of(p, i), name)) {
			p->taken[i] = true;
			u[n] = p->u[i] * p->scale;
			w[n++] = p->w[i];
		}
	return n;
}

static char *shape_cell(const void *record, const struct ft_tell_with *with)
{
	const struct ft_load_curve *c = record;

	(void)with;
	if (c->straight == 1)
		return cli_strdup("straight");
	return cli_printed("%.2f u %+.2f u^%g", c->straight, 1 - c->straight, c->exponent);
}

static char *error_cell(const void *record, const struct ft_tell_with *with)
{
	(void)with;
	return cli_printed("%.1f", 100 * ((const struct ft_load_curve *)record)->error);
}

static char *line_error_cell(const void *record, const struct ft_tell_with *with)
{
	(void)with;
	return cli_printed("%.1f", 100 * ((const struct ft_load_curve *)record)->line_error);
}

struct energy_curve_told {
	struct ft_load_curve curve;
	const char *name;
	double watts;
};

#define CURVE struct energy_curve_told
static const struct ft_tell_row curve_rows[] = {
	{FT_TELL(CURVE, name), .head = "machine"},
	{FT_TELL_AS("points", CURVE, curve.n), .head = ">points"},
	{FT_TELL_AS("idle_w", CURVE, curve.idle_w), .head = ">idle W", .unit = ".1f"},
	{FT_TELL_AS("full_w", CURVE, curve.full_w), .head = ">full W", .unit = ".1f"},
	{FT_TELL_AS("straight", CURVE, curve.straight), .about = "share of the straight part", .null = ""},
	{FT_TELL_AS("exponent", CURVE, curve.exponent), .about = "of the bent part", .null = ""},
	{FT_TELL_AS("proportion", CURVE, curve.proportion), .about = "1: power goes with use", .null = "",
	 .head = ">proportional", .unit = ".2f", .none = "nan"},
	{FT_TELL_AS(NULL, CURVE, curve), .head = "shape", .cell = shape_cell},
	{FT_TELL_AS("error", CURVE, curve.error), .about = "mean relative error of left-out points",
	 .null = "", .head = ">error %", .cell = error_cell},
	{FT_TELL_AS("line_error", CURVE, curve.line_error), .about = "the same of the straight line",
	 .null = "", .head = ">straight %", .cell = line_error_cell},
	{FT_TELL(CURVE, watts), .about = "at --at", .absent = "no --at was given", .head = ">W there",
	 .unit = ".1f", .none = ""},
	{0},
};
static const struct ft_tell_record curves = {.bytes = sizeof(CURVE), .row = curve_rows};

struct energy_answer {
	CURVE *curve;
	size_t n;
};

static const struct ft_tell_row rows[] = {
	{FT_TELL_MANY(LIST, "curves", struct energy_answer, curve, n, &curves)},
	{0},
};
const struct ft_tell_record cli_energy_curve_told = {
	.name = "energy", .action = "curve", .version = 1, .row = rows};

static void tell_curves(const struct cli_energy *e, const struct energy_answer *answer)
{
	if (e->json) {
		cli_tell(&cli_energy_curve_told, answer, NULL);
		return;
	}
	cli_tell_table(&curves, answer->curve, answer->n, NULL);
}

static int fit_groups(const struct cli_energy *e, struct energy_curve_points *p)
{
	size_t rows_n = ft_csv_rows(p->csv), i;
	double *u = cli_alloc((rows_n + 1) * sizeof *u), *w = cli_alloc((rows_n + 1) * sizeof *w);
	struct energy_answer answer = {0};
	struct ft_err err = {0};
	int status = CLI_DONE;

	for (i = 0; i < rows_n && status == CLI_DONE; i++) {
		CURVE *one;
		size_t n;

		if (p->taken[i])
			continue;
		n = take_group(p, i, u, w);
		answer.curve = cli_grow(answer.curve, answer.n, sizeof *answer.curve);
		one = &answer.curve[answer.n++];
		*one = (CURVE){.name = group_of(p, i)};
		if (ft_load_curve_fit(&one->curve, u, w, n, &err))
			status = cli_error_at(&err, "%s", one->name);
		one->watts = isnan(e->at) ? (double)NAN : ft_load_curve_watts(&one->curve, e->at);
	}
	if (status == CLI_DONE)
		tell_curves(e, &answer);
	free(answer.curve);
	free(u);
	free(w);
	return status;
}

int cli_energy_curve(void *asked)
{
	struct cli_energy *e = asked;
	struct energy_curve_points p = {0};
	struct ft_err err = {0};

	if (ft_csv_read(e->word[0], 0, &p.csv, &err))
		return cli_error(&err);
	int status = find_columns(&p, e->word[0], e->by);
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
