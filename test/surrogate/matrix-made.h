/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matrix-made.h - a matrix from names and rows of values. */
#ifndef FT_TEST_SURROGATE_MATRIX_MADE_H
#define FT_TEST_SURROGATE_MATRIX_MADE_H

#include "foretime/surrogate.h"

/* Ends with ft_matrix_clear. */
static struct ft_matrix made_matrix(const char *const *row, size_t rows, const char *const *column,
				    size_t columns, const double *value)
{
	struct ft_matrix_maker *maker = NULL;
	struct ft_matrix matrix = {0};

	(void)ft_matrix_maker_new(&maker, NULL);
	for (size_t i = 0; i < rows * columns; i++)
		(void)ft_matrix_add(maker, row[i / columns], column[i % columns], value[i], NULL);
	(void)ft_matrix_make(maker, &matrix, NULL);
	ft_matrix_maker_free(maker);
	return matrix;
}

#endif
