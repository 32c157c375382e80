/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sized.h - columns by the name of a program and its size. */
#ifndef FT_SURROGATE_SIZED_H
#define FT_SURROGATE_SIZED_H

#include "foretime/compose.h"

#include <math.h>

/* ft__sized_name_column - the column of that name at a size (NaN: without one); -1: there is none. */
long ft__sized_name_column(const struct ft_matrix *matrix, const char *name, double n);

/* ft__matrix_at - the value of a row in a column; NaN where there is no such column. */
static inline double ft__matrix_at(const struct ft_matrix *matrix, size_t row, long column)
{
	return column < 0 ? NAN : matrix->value[row * matrix->columns + (size_t)column];
}

#endif
