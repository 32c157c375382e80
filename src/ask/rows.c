/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rows.c - two machines that both were calibrated: how much longer things take on one of them.
 *
 * 004 eq. 5.2: what a target takes is the sum of the micro-benchmarks, each as often as it is in it. With
 * w(n) the shares of its time here, it takes sum w_k(n) r_k times as long there, r_k being the ratios of the
 * two rows. One machine alone does not tell the shares. */
#include "ask/rows.h"
#include "base/alloc.h"
#include "num/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char prefix[] = "calibration/";

/* A calibration never takes more than a minute. */
static const double CALIBRATION_S = 60;

void ft__ratios_clear(struct ft__rows *rows)
{
	ft_free(rows->ratio);
	*rows = (struct ft__rows){0};
}

/* The name of a micro-benchmark that goes over memory ends with how much: "load_8m". */
static double bytes_of(const char *name)
{
	const char *last = strrchr(name, '_');
	char *end;

	if (!last)
		return 0;
	double amount = strtod(last + 1, &end);
	return amount * (!strcmp(end, "k") ? 1024 : !strcmp(end, "m") ? 1048576 : 0);
}

/* The median of the newest calibration; NaN: none. */
static enum ft_status median_of(struct ft_store *store, int64_t program, int64_t machine, double *median,
				struct ft_err *err)
{
	struct ft_runs runs = {0};
	enum ft_status status = ft_store_get_runs(store, program, machine, &runs, err);
	double *value = status ? NULL : ft_malloc((runs.n + 1) * sizeof *value);
	int64_t newest = 0;
	size_t n = 0;

	if (!status && !value)
		status = ft_nomem(err);
	for (size_t i = 0; !status && i < runs.n; i++)
		newest = runs.run[i].started_ns > newest ? runs.run[i].started_ns : newest;
	for (size_t i = 0; !status && i < runs.n; i++) {
		double s = ft_run_value(&runs.run[i], &ft_wall_s);

		if (s > 0 && (double)(newest - runs.run[i].started_ns) / 1e9 <= CALIBRATION_S)
			value[n++] = s;
	}
	*median = n ? ft_stats_median(value, n) : (double)NAN;
	ft_free(value);
	ft_runs_clear(&runs);
	return status;
}

/* The same operations, of the same version: the program is the same one. */
static bool has_entry(const struct ft_store_list *list, int64_t program, int64_t machine)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->entry[i].program == program && list->entry[i].machine == machine)
			return true;
	return false;
}

static enum ft_status add_ratio(struct ft_store *store, const struct ft_store_entry *entry, int64_t here,
				int64_t there, struct ft__rows *out, struct ft_err *err)
{
	double at[2];
	enum ft_status status = median_of(store, entry->program, here, &at[0], err);

	if (!status)
		status = median_of(store, entry->program, there, &at[1], err);
	if (status || isnan(at[0]) || isnan(at[1]))
		return status;
	struct ft__ratio *grown = ft_grow(out->ratio, out->n, &out->capacity, sizeof *grown);
	if (!grown)
		return ft_nomem(err);
	out->ratio = grown;
	grown[out->n++] = (struct ft__ratio){log(at[1] / at[0]), bytes_of(entry->name)};
	return FT_OK;
}

enum ft_status ft__ratios_read(struct ft_store *store, const struct ft_store_list *list, int64_t here,
			       int64_t there, struct ft__rows *out, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; !status && here && there && i < list->n; i++) {
		const struct ft_store_entry *entry = &list->entry[i];

		if (entry->machine == there && !strncmp(entry->name, prefix, sizeof prefix - 1) &&
		    has_entry(list, entry->program, here))
			status = add_ratio(store, entry, here, there, out, err);
	}
	return status;
}

bool ft__ratios_of(const struct ft__rows *rows, double bytes, struct ft_pace *out)
{
	double sum = 0, squares = 0, n = 0;

	*out = (struct ft_pace){0};
	for (size_t i = 0; i < rows->n; i++)
		if (isnan(bytes) || rows->ratio[i].bytes <= bytes) {
			sum += rows->ratio[i].ln;
			n++;
		}
	if (n < FT__ROWS_LEAST)
		return false;
	for (size_t i = 0; i < rows->n; i++)
		if (isnan(bytes) || rows->ratio[i].bytes <= bytes)
			squares += (rows->ratio[i].ln - sum / n) * (rows->ratio[i].ln - sum / n);
	out->programs = (size_t)n;
	out->s = exp(sum / n);
	out->dof = n - 1;
	out->spread = sqrt(squares / (n - 1) * (1 + 1 / n));
	return true;
}
