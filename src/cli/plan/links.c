/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links.c - how fast hosts send to each other: a table of links, or one row for all. */
#include "cli/plan/schedule.h"
#include "foretime/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Between processors of one host nothing is sent. */
static const double at_once = 1e300;

#define HINT_LINKS                                                                                           \
	"\nhint: columns from, to (host names, * for all), latency (as in 50us) and bandwidth (bytes a "     \
	"second, as in 125MB); a link that is told one way is both"

static bool meets(const char *cell, const char *host)
{
	return !strcmp(cell, "*") || !strcmp(cell, host);
}

/* A row's latency and bandwidth. */
static int read_row(const struct ft_csv *csv, size_t row, const int column[4], double *latency,
		    double *bandwidth)
{
	struct ft_err err = {0};

	if (ft_duration_parse(ft_csv_cell(csv, row, (size_t)column[2]), latency, &err) ||
	    ft_bytes_parse(ft_csv_cell(csv, row, (size_t)column[3]), bandwidth, &err))
		return cli_error_at(&err, "line %zu", ft_csv_line(csv, row));
	if (!(*bandwidth > 0))
		return cli_fail("line %zu: a link without bandwidth is none: leave it out",
				ft_csv_line(csv, row));
	return CLI_DONE;
}

/* Later rows count, and both ways unless the other one is told: rows that name hosts behind those for all. */
static void put_link(struct cli_links *l, const struct cli_tasks *t, const char *from, const char *to,
		     double latency, double bandwidth)
{
	size_t i, j;

	for (i = 0; i < t->m; i++)
		for (j = 0; j < t->m; j++) {
			const char *a = t->plan->host[t->of[i]].name, *b = t->plan->host[t->of[j]].name;
			bool forth = meets(from, a) && meets(to, b), back = meets(from, b) && meets(to, a);
			size_t at = i * t->m + j;

			if (!forth && !(back && l->told[at] < 2))
				continue;
			l->latency_s[at] = latency;
			l->bytes_per_s[at] = bandwidth;
			l->told[at] = forth ? 2 : 1;
		}
}

static int read_rows(struct cli_links *l, const struct cli_tasks *t, const struct ft_csv *csv,
		     const int column[4])
{
	size_t row;
	double latency = 0, bandwidth = 0;

	for (row = 0; row < ft_csv_rows(csv); row++) {
		if (read_row(csv, row, column, &latency, &bandwidth) != CLI_DONE)
			return CLI_WRONG;
		put_link(l, t, ft_csv_cell(csv, row, (size_t)column[0]),
			 ft_csv_cell(csv, row, (size_t)column[1]), latency, bandwidth);
	}
	return CLI_DONE;
}

static int check_all(struct cli_links *l, const struct cli_tasks *t)
{
	size_t i, j;

	for (i = 0; i < t->m; i++)
		for (j = 0; j < t->m; j++) {
			size_t at = i * t->m + j;

			if (t->of[i] == t->of[j]) {
				l->latency_s[at] = 0;
				l->bytes_per_s[at] = at_once;
			} else if (!l->told[at]) {
				return cli_fail("no link from '%s' to '%s' is told\n"
						"hint: add a row to the links; *,*,50us,125MB is one for all",
						t->plan->host[t->of[i]].name, t->plan->host[t->of[j]].name);
			}
		}
	return CLI_DONE;
}

static int read_table(struct cli_links *l, const struct cli_tasks *t, const struct ft_csv *csv,
		      const char *path)
{
	static const char *const names[4] = {"from", "to", "latency", "bandwidth"};
	int column[4], i;

	for (i = 0; i < 4; i++) {
		column[i] = ft_csv_column(csv, names[i]);
		if (column[i] < 0)
			return cli_fail("'%s' has no column '%s'" HINT_LINKS, path, names[i]);
	}
	return read_rows(l, t, csv, column) == CLI_DONE ? check_all(l, t) : CLI_WRONG;
}

int cli_links_read(struct cli_links *l, const struct cli_tasks *t, const char *path)
{
	struct ft_csv *csv = NULL;
	struct ft_err err = {0};
	int status;

	l->latency_s = cli_alloc(t->m * t->m * sizeof *l->latency_s);
	l->bytes_per_s = cli_alloc(t->m * t->m * sizeof *l->bytes_per_s);
	l->told = cli_alloc(t->m * t->m);
	l->links = (struct ft_plan_links){.latency_s_of = l->latency_s, .bytes_per_s_of = l->bytes_per_s};
	if (ft_csv_read(path, 0, &csv, &err))
		return cli_error(&err);
	status = read_table(l, t, csv, path);
	ft_csv_free(csv);
	return status;
}

void cli_links_clear(struct cli_links *l)
{
	free(l->latency_s);
	free(l->bytes_per_s);
	free(l->told);
	*l = (struct cli_links){0};
}
