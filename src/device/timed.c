/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timed.c - launches of a file. */
#include "base/alloc.h"
#include "base/text.h"
#include "foretime/rates.h"

#include <string.h>

static enum ft_status read_cell(const struct ft_csv *csv, size_t row, const char *name, const char *path,
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
	enum ft_status status = read_cell(csv, i, "seconds", path, &row->seconds, err);

	if (!status && kernel < 0)
		status = ft_fail(err, FT_EPARSE, "'%s' has no column kernel", path);
	if (!status)
		status = read_cell(csv, i, "sigma", path, &row->sigma, err);
	for (size_t j = 0; !status && j < FT_RATES; j++)
		status = read_cell(csv, i, ft_rate_name(j), path, &row->amount[j], err);
	for (size_t j = 0; !status && j < sizeof five / sizeof *five; j++)
		status = read_cell(csv, i, five[j], path, &row->five[j], err);
	if (status)
		return status;
	row->kernel = ft_csv_cell(csv, i, (size_t)kernel);
	row->five[3] = row->amount[FT_RATE_ITEM];
	row->five[4] = 1;
	return FT_OK;
}

/* Takes csv. */
static enum ft_status take_table(struct ft_timed *out, struct ft_csv *csv, const char *path,
				 struct ft_err *err)
{
	enum ft_status status = FT_OK;

	*out = (struct ft_timed){.csv = csv,
				 .n = ft_csv_rows(csv),
				 .device = ft_csv_note(csv, "device"),
				 .driver = ft_csv_note(csv, "driver")};
	out->row = ft_calloc(out->n + 1, sizeof *out->row);
	if (!out->row)
		status = ft_nomem(err);
	for (size_t i = 0; !status && i < out->n; i++)
		status = read_row(csv, i, path, &out->row[i], err);
	if (status)
		ft_timed_clear(out);
	return status;
}

enum ft_status ft_timed_read(struct ft_timed *out, const char *path, struct ft_err *err)
{
	struct ft_csv *csv;
	enum ft_status status = ft_csv_read(path, ',', &csv, err);

	*out = (struct ft_timed){0};
	return status ? status : take_table(out, csv, path, err);
}

enum ft_status ft_timed_parse(struct ft_timed *out, const char *name, const char *text, struct ft_err *err)
{
	struct ft_csv *csv;
	enum ft_status status = ft_csv_parse(name, text, strlen(text), ',', &csv, err);

	*out = (struct ft_timed){0};
	return status ? status : take_table(out, csv, name, err);
}

static void add_row(struct ft_text *text, const struct ft_timed_launch *row)
{
	const double head[] = {row->seconds, row->sigma, row->five[0], row->five[1], row->five[2]};
	size_t size = ft_csv_quote(row->kernel, NULL, 0) + 1, j;
	char *cell = ft_malloc(size);

	if (cell)
		(void)ft_csv_quote(row->kernel, cell, size);
	text->failed |= !cell;
	ft_text_add(text, "\n%s", cell ? cell : "");
	ft_free(cell);
	for (j = 0; j < sizeof head / sizeof *head + FT_RATES; j++) {
		ft_text_add(text, ",");
		ft_text_add_number(text, j < sizeof head / sizeof *head
						 ? head[j]
						 : row->amount[j - sizeof head / sizeof *head]);
	}
}

enum ft_status ft_timed_write(const struct ft_timed *timed, char **out, struct ft_err *err)
{
	struct ft_text text = {0};

	ft_text_add_note(&text, "device", timed->device);
	ft_text_add_note(&text, "driver", timed->driver);
	ft_text_add(&text, "kernel,seconds,sigma,operations,operations_each,misses_rule");
	for (size_t i = 0; i < FT_RATES; i++)
		ft_text_add(&text, ",%s", ft_rate_name(i));
	for (size_t i = 0; i < timed->n; i++)
		add_row(&text, &timed->row[i]);
	ft_text_add(&text, "\n");
	*out = ft_text_take(&text);
	return *out ? FT_OK : ft_nomem(err);
}

void ft_timed_clear(struct ft_timed *timed)
{
	if (!timed)
		return;
	ft_free(timed->row);
	ft_csv_free(timed->csv);
	*timed = (struct ft_timed){0};
}
