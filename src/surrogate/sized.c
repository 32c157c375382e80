/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sized.c - a program of a matrix at each of its sizes. */
#include "surrogate/sized.h"
#include "base/alloc.h"
#include "base/number.h"

#include <string.h>

/* "sort n=1000" of "sort": 1000. NaN: it is another program, or has no single size. */
static double size_in_name(const char *column, const char *name)
{
	size_t length = strlen(name);
	const char *end;
	double n;

	if (strncmp(column, name, length) != 0 || column[length] != ' ')
		return NAN;
	column = strchr(column + length, '=');
	return column && ft__number_scan_signed(column + 1, &end, &n) && !*end ? n : (double)NAN;
}

long ft__sized_name_column(const struct ft_matrix *matrix, const char *name, double n)
{
	if (isnan(n))
		return ft_matrix_column(matrix, name);
	for (size_t i = 0; i < matrix->columns; i++)
		if (size_in_name(matrix->column[i], name) == n)
			return (long)i;
	return -1;
}

/* The column without a size stands behind all others: where a size was measured itself, that counts. */
static void add_size(struct ft_sized *sized, double n, size_t column)
{
	size_t j;

	for (j = sized->sizes++; j && (isnan(sized->n[j - 1]) || sized->n[j - 1] > n); j--) {
		sized->n[j] = sized->n[j - 1];
		sized->column[j] = sized->column[j - 1];
	}
	sized->n[j] = n;
	sized->column[j] = column;
}

enum ft_status ft_sized_find(struct ft_sized *out, const struct ft_matrix *matrix, const char *name,
			     struct ft_err *err)
{
	*out = (struct ft_sized){.name = name};
	out->column = ft_calloc(matrix->columns + 1, sizeof *out->column);
	out->n = ft_calloc(matrix->columns + 1, sizeof *out->n);
	if (!out->column || !out->n) {
		ft_sized_clear(out);
		return ft_nomem(err);
	}
	for (size_t i = 0; i < matrix->columns; i++) {
		double n = size_in_name(matrix->column[i], name);

		if (!isnan(n) || !strcmp(matrix->column[i], name))
			add_size(out, n, i);
	}
	if (out->sizes)
		return FT_OK;
	ft_sized_clear(out);
	(void)ft_fail(err, FT_ENOENT, "the measurements know no program '%s'", name);
	return ft_remedy(err, "columns are \"%s n=SIZE\": foretime surrogate matrix lists them", name);
}

void ft_sized_clear(struct ft_sized *sized)
{
	if (!sized)
		return;
	ft_free(sized->column);
	ft_free(sized->n);
	*sized = (struct ft_sized){0};
}

long ft_sized_column(const struct ft_sized *sized, double n)
{
	for (size_t i = 0; i < sized->sizes; i++)
		if (sized->n[i] == n || isnan(sized->n[i]))
			return (long)sized->column[i];
	return -1;
}
