/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timed.c - launches of a file. */
#include "base/alloc.h"
#include "foretime/rates.h"

static enum ft_status number(const struct ft_csv *csv, size_t row, const char *name, const char *path,
			     double *out, struct ft_err *err)
{
	int column = ft_csv_column(csv, name);

	if (column >= 0)
		return ft_csv_number(csv, row, (size_t)column, false, out, err);
	(void)ft_fail(err, FT_EPARSE, "'%s' has no column %s", path, name);
	return ft_remedy(err, "foretime device calibrate DEV -o FILE.csv writes such files");
}

static enum ft_status read_row(const struct ft_csv *csv, size_t i, const char *path,
			       struct ft_timed_launch *row, struct ft_err *err)
{
	static const char *const five[] = {"operations", "operations_each", "misses_rule"};
	int kernel = ft_csv_column(csv, "kernel");
	enum ft_status status = number(csv, i, "seconds", path, &row->seconds, err);
	size_t j;

	if (!status && kernel < 0)
		status = ft_fail(err, FT_EPARSE, "'%s' has no column kernel", path);
	if (!status)
		status = number(csv, i, "sigma", path, &row->sigma, err);
	for (j = 0; !status && j < FT_RATES; j++)
		status = number(csv, i, ft_rate_name(j), path, &row->amount[j], err);
	for (j = 0; !status && j < sizeof five / sizeof *five; j++)
		status = number(csv, i, five[j], path, &row->five[j], err);
	if (status)
		return status;
	row->kernel = ft_csv_cell(csv, i, (size_t)kernel);
	row->five[3] = row->amount[FT_RATE_ITEM];
	row->five[4] = 1;
	return FT_OK;
}

enum ft_status ft_timed_read(struct ft_timed *out, const char *path, struct ft_err *err)
{
	enum ft_status status = ft_csv_read(path, ',', &out->csv, err);
	size_t i;

	if (status)
		return status;
	out->n = ft_csv_rows(out->csv);
	out->device = ft_csv_note(out->csv, "device");
	out->row = ft_calloc(out->n + 1, sizeof *out->row);
	if (!out->row)
		status = ft_nomem(err);
	for (i = 0; !status && i < out->n; i++)
		status = read_row(out->csv, i, path, &out->row[i], err);
	if (status)
		ft_timed_clear(out);
	return status;
}

void ft_timed_clear(struct ft_timed *timed)
{
	if (!timed)
		return;
	ft_free(timed->row);
	ft_csv_free(timed->csv);
	*timed = (struct ft_timed){0};
}
