/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_links.c - how fast hosts send to each other: a table of links, or one row for all. */
#include "base/alloc.h"
#include "foretime/csv.h"
#include "foretime/graph.h"
#include "foretime/units.h"

#include <string.h>

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

/* Later rows count, and both ways unless the other one is told: rows that name hosts behind those for all. */
static void put_link(struct links_table *t, const char *from, const char *to, double latency,
		     double bandwidth)
{
	for (size_t i = 0; i < t->m; i++)
		for (size_t j = 0; j < t->m; j++) {
			const char *a = t->host[i], *b = t->host[j];
			bool forth = meets(from, a) && meets(to, b), back = meets(from, b) && meets(to, a);
			size_t at = i * t->m + j;

			if (!forth && !(back && t->told[at] < 2))
				continue;
			t->out->latency_s[at] = latency;
			t->out->bytes_per_s[at] = bandwidth;
			t->told[at] = forth ? 2 : 1;
		}
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
	put_link(t, cell[0], cell[1], latency, bandwidth);
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
