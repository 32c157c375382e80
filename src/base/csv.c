/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv.c - what a table of text holds: cells, numbers, notes. */
#include "base/alloc.h"
#include "base/csv_table.h"
#include "base/number.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void ft_csv_free(struct ft_csv *csv)
{
	if (!csv)
		return;
	ft_free(csv->name);
	ft_text_clear(&csv->bytes);
	ft_free(csv->cell);
	ft_free(csv->line);
	ft_free(csv->note);
	ft_free(csv);
}

size_t ft_csv_rows(const struct ft_csv *csv)
{
	return csv->n_lines - 1;
}

size_t ft_csv_columns(const struct ft_csv *csv)
{
	return csv->columns;
}

const char *ft_csv_column_name(const struct ft_csv *csv, size_t column)
{
	assert(column < csv->columns);
	return csv->bytes.s + csv->cell[column];
}

int ft_csv_column(const struct ft_csv *csv, const char *name)
{
	for (size_t i = 0; i < csv->columns; i++)
		if (!strcmp(ft_csv_column_name(csv, i), name))
			return (int)i;
	return -1;
}

int ft_csv_column_of(const struct ft_csv *csv, const char *const *names)
{
	int column = -1;

	for (; *names && column < 0; names++)
		column = ft_csv_column(csv, *names);
	return column;
}

const char *ft_csv_cell(const struct ft_csv *csv, size_t row, size_t column)
{
	assert(row < ft_csv_rows(csv) && column < csv->columns);
	return csv->bytes.s + csv->cell[(row + 1) * csv->columns + column];
}

size_t ft_csv_line(const struct ft_csv *csv, size_t row)
{
	assert(row < ft_csv_rows(csv));
	return csv->line[row + 1];
}

enum ft_status ft_csv_number(const struct ft_csv *csv, size_t row, size_t column, bool empty_ok,
			     double *value, struct ft_err *err)
{
	const char *cell = ft_csv_cell(csv, row, column), *end;

	*value = NAN;
	if (!*cell && empty_ok)
		return FT_OK;
	if (ft__number_scan_signed(cell, &end, value) && !*end && isfinite(*value))
		return FT_OK;
	if (ft__number_read(cell, csv->separator == ',', value))
		return FT_OK;
	*value = NAN;
	(void)ft_fail(err, FT_EPARSE, "%s:%zu: column %zu (%.64s): '%.64s' is not a number", csv->name,
		      ft_csv_line(csv, row), column + 1, ft_csv_column_name(csv, column), cell);
	(void)ft_remedy(err, empty_ok ? "write digits, as in 3000, 2.5, 1e-6 or 64k, or leave the cell empty"
				      : "write digits, as in 3000, 2.5, 1e-6 or 64k");
	return FT_EPARSE;
}

const char *ft_csv_note(const struct ft_csv *csv, const char *key)
{
	for (size_t i = 0; i < csv->n_notes; i++)
		if (!strcmp(csv->bytes.s + csv->note[i].key, key))
			return csv->bytes.s + csv->note[i].value;
	return NULL;
}

/* Whether a cell would not read back as it is: what separates, what the reader trims, what begins a comment.
 */
static bool needs_quotes(const char *cell)
{
	size_t length = strlen(cell);

	return length && (strpbrk(cell, ",;\t\"\r\n") || cell[0] == ' ' || cell[length - 1] == ' ' ||
			  cell[0] == '#' || (unsigned char)cell[0] == 0xef);
}

/* Put a byte where there is room for it and a zero byte, and count it in any case. */
static void put_byte(char *buffer, size_t size, size_t *length, char byte)
{
	if (*length + 1 < size)
		buffer[*length] = byte;
	++*length;
}

size_t ft_csv_quote(const char *cell, char *buffer, size_t size)
{
	bool quotes = needs_quotes(cell);
	size_t length = 0;

	if (quotes)
		put_byte(buffer, size, &length, '"');
	for (; *cell; cell++) {
		if (*cell == '"')
			put_byte(buffer, size, &length, '"');
		put_byte(buffer, size, &length, *cell);
	}
	if (quotes)
		put_byte(buffer, size, &length, '"');
	if (size)
		buffer[length < size ? length : size - 1] = '\0';
	return length;
}
