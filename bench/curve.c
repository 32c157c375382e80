/* SPDX-License-Identifier: GPL-3.0-or-later */
/* curve.c - recorded curves: reading, what they cost, and the cheapest that any interpolant could. */
#include "base/alloc.h"
#include "base/csv.h"
#include "curve.h"
#include "foretime/base.h"
#include "num/num.h"

#include <errno.h>
#include <glob.h>
#include <libgen.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
	double n, seconds, work;
};

static int compare_rows(const void *a, const void *b)
{
	const struct row *p = a, *q = b;

	return (p->n > q->n) - (p->n < q->n);
}

static void set_name(struct curve *curve, const char *path)
{
	char copy[4096], *base, *end;

	(void)snprintf(copy, sizeof copy, "%s", path);
	base = basename(copy);
	end = strstr(base, ".csv");
	if (end)
		*end = 0;
	(void)snprintf(curve->name, sizeof curve->name, "%.*s", 120, base);
	(void)snprintf(curve->group, sizeof curve->group, "%.*s", (int)strcspn(base, "_") % 60, base);
}

static enum ft_status take_rows(struct curve *curve, struct row *row, size_t rows, struct ft_err *err)
{
	size_t j;

	qsort(row, rows, sizeof *row, compare_rows);
	curve->size = ft_calloc(rows, sizeof *curve->size);
	if (!curve->size)
		return ft_nomem(err);
	for (size_t i = 0; i < rows; i = j) {
		struct curve_size *size = &curve->size[curve->n++];

		for (j = i; j < rows && row[j].n == row[i].n;)
			j++;
		*size = (struct curve_size){.n = row[i].n, .work = row[i].work, .samples = j - i};
		size->sample = ft_calloc(j - i, sizeof *size->sample);
		double *sorted = ft_calloc(j - i, sizeof *sorted);
		if (!size->sample || !sorted) {
			ft_free(sorted);
			return ft_nomem(err);
		}
		for (size_t k = i; k < j; k++)
			size->sample[k - i] = sorted[k - i] = row[k].seconds;
		size->median = ft_stats_median(sorted, j - i);
		ft_free(sorted);
	}
	return FT_OK;
}

enum ft_status curve_read(struct curve *out, const char *path, struct ft_err *err)
{
	struct ft_csv *csv = NULL;
	struct row *row = NULL;
	enum ft_status status = ft_csv_read(path, ',', &csv, err);

	*out = (struct curve){0};
	if (status)
		return status;
	set_name(out, path);
	int n = ft_csv_column(csv, "n");
	int seconds = ft_csv_column(csv, "wall_s");
	int work = ft_csv_column(csv, "work");
	size_t rows = ft_csv_rows(csv);
	row = ft_calloc(rows, sizeof *row);
	if (n < 0 || seconds < 0)
		status = ft_fail(err, FT_EPARSE, "%s: no columns n and wall_s", path);
	else if (!row)
		status = ft_nomem(err);
	for (size_t i = 0; i < rows && !status; i++) {
		row[i].work = 1;
		status = ft_csv_number(csv, i, (size_t)n, false, &row[i].n, err);
		if (!status)
			status = ft_csv_number(csv, i, (size_t)seconds, false, &row[i].seconds, err);
		if (!status && work >= 0)
			status = ft_csv_number(csv, i, (size_t)work, false, &row[i].work, err);
	}
	if (!status)
		status = take_rows(out, row, rows, err);
	ft_free(row);
	ft_csv_free(csv);
	if (status)
		curve_clear(out);
	return status;
}

bool curve_next(struct curve *out, const char *folder, size_t *at)
{
	const char *program = program_invocation_short_name;
	char pattern[4096];
	struct ft_err err;
	bool found = false;
	glob_t tables;

	(void)snprintf(pattern, sizeof pattern, "%s/*.csv", folder);
	if (glob(pattern, 0, NULL, &tables)) {
		(void)fprintf(stderr, "%s: no *.csv in '%s'\n", program, folder);
		return false;
	}
	while (!found && *at < tables.gl_pathc) {
		found = !curve_read(out, tables.gl_pathv[(*at)++], &err);
		if (!found)
			(void)fprintf(stderr, "%s: %s\n", program, err.text);
	}
	globfree(&tables);
	return found;
}

void curve_clear(struct curve *curve)
{
	for (size_t i = 0; i < curve->n; i++)
		ft_free(curve->size[i].sample);
	ft_free(curve->size);
	*curve = (struct curve){0};
}

void curve_shuffle(struct curve *curve, uint64_t seed)
{
	struct ft_random random = {seed};

	for (size_t i = 0; i < curve->n; i++) {
		struct curve_size *size = &curve->size[i];

		for (size_t j = size->samples; j > 1; j--) {
			size_t k = ft_random_below(&random, j);
			double swapped = size->sample[j - 1];

			size->sample[j - 1] = size->sample[k];
			size->sample[k] = swapped;
		}
	}
}

void curve_thin(struct curve *curve, double share, uint64_t seed)
{
	struct ft_random random = {seed ^ 0x7468696e};
	size_t n = 0;

	for (size_t i = 0; i < curve->n; i++)
		if (i && i + 1 < curve->n && ft_random_uniform(&random) < share)
			ft_free(curve->size[i].sample);
		else
			curve->size[n++] = curve->size[i];
	curve->n = n;
}

double curve_cost_all(const struct curve *curve)
{
	double sum = 0;

	for (size_t i = 0; i < curve->n; i++)
		sum += curve->size[i].median;
	return sum;
}

double curve_cost_20(const struct curve *curve)
{
	double from = curve->size[0].n, to = curve->size[curve->n - 1].n, sum = 0;
	size_t i, j = 0, last = (size_t)-1;

	for (i = 0; i < 20; i++) {
		double x = from + (to - from) * (double)i / 19;

		while (j + 1 < curve->n && fabs(curve->size[j + 1].n - x) < fabs(curve->size[j].n - x))
			j++;
		if (j != last)
			sum += curve->size[j].median;
		last = j;
	}
	return sum;
}

/* Whether the line of the speed from i to j is within bounds of all sizes between. */
static bool joins(const struct curve *curve, size_t i, size_t j, double within)
{
	const struct curve_size *s = curve->size;
	double left = s[i].work / s[i].median, right = s[j].work / s[j].median;

	for (size_t k = i + 1; k < j; k++) {
		double u = (s[k].n - s[i].n) / (s[j].n - s[i].n);
		double said = (1 - u) * left + u * right, is = s[k].work / s[k].median;

		if (fabs(said / is - 1) > within)
			return false;
	}
	return true;
}

double curve_limit(const struct curve *curve, double within)
{
	double *cost = ft_calloc(curve->n, sizeof *cost), result;

	if (!cost)
		return NAN;
	cost[0] = curve->size[0].median;
	for (size_t j = 1; j < curve->n; j++) {
		cost[j] = INFINITY;
		for (size_t i = 0; i < j; i++)
			if (cost[i] + curve->size[j].median < cost[j] && joins(curve, i, j, within))
				cost[j] = cost[i] + curve->size[j].median;
	}
	result = cost[curve->n - 1];
	ft_free(cost);
	return result;
}
