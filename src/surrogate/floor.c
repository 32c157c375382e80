/* SPDX-License-Identifier: GPL-3.0-or-later */
/* floor.c - by what identical machines differ: nothing foretells a measurement better (004 section 11.1.1).
 */
#include "base/arena.h"
#include "foretime/trials.h"

#include <math.h>
#include <string.h>

/* The relative errors of one program's values about the means of their groups; there are `groups` of these.
 */
static void find_errors(const double *value, size_t m, size_t n, size_t column, const size_t *group,
			size_t groups, double *sum, size_t *count, struct ft_floor *out)
{
	double squares = 0;

	for (size_t g = 0; g < groups; g++)
		sum[g] = (double)(count[g] = 0);
	for (size_t i = 0; i < m; i++)
		if (!isnan(value[i * n + column])) {
			sum[group[i]] += value[i * n + column];
			count[group[i]]++;
		}
	for (size_t i = 0; i < m; i++) {
		double x = value[i * n + column], mean = sum[group[i]] / (double)count[group[i]],
		       e = x / mean - 1;

		if (isnan(x) || count[group[i]] < 2)
			continue;
		squares += e * e;
		out->rows++;
	}
	for (size_t g = 0; g < groups; g++)
		out->groups += count[g] > 1;
	out->error = out->rows ? sqrt(squares / (double)out->rows) : (double)NAN;
}

enum ft_status ft_floors_find(struct ft_floor *out, struct ft_floor *all, const double *value, size_t m,
			      size_t n, const size_t *group, struct ft_err *err)
{
	size_t groups = 0, i;
	double squares = 0;

	for (i = 0; i < m; i++)
		groups = group[i] + 1 > groups ? group[i] + 1 : groups;
	FT_OWN double *sum = ft_calloc(groups + 1, sizeof *sum);
	FT_OWN size_t *count = ft_calloc(groups + 1, sizeof *count);
	*all = (struct ft_floor){0};
	for (i = 0; i < n; i++)
		out[i] = (struct ft_floor){0};
	if (!sum || !count)
		return ft_nomem(err);
	for (i = 0; i < n; i++) {
		find_errors(value, m, n, i, group, groups, sum, count, &out[i]);
		squares += out[i].rows ? out[i].error * out[i].error * (double)out[i].rows : 0;
		all->rows += out[i].rows;
		all->groups = out[i].groups > all->groups ? out[i].groups : all->groups;
	}
	all->error = all->rows ? sqrt(squares / (double)all->rows) : (double)NAN;
	return FT_OK;
}

static bool is_alike(const struct ft_csv *csv, size_t a, size_t b, const size_t *column, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(ft_csv_cell(csv, a, column[i]), ft_csv_cell(csv, b, column[i])) != 0)
			return false;
	return true;
}

void ft_floor_groups(const struct ft_csv *csv, const size_t *column, size_t n, size_t *group)
{
	size_t k;

	for (size_t i = 0; i < ft_csv_rows(csv); i++) {
		for (k = 0; k < i && (group[k] != k || !is_alike(csv, i, k, column, n)); k++)
			;
		group[i] = k;
	}
}
