/* SPDX-License-Identifier: GPL-3.0-or-later */
/* order.c - ascending order of doubles. */
#include "num/order.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	return ft_order(*(const double *)a, *(const double *)b);
}

void ft_sort(double *values, size_t n)
{
	if (n > 1)
		qsort(values, n, sizeof *values, compare);
}

size_t ft_sort_different(double *values, size_t n)
{
	size_t i, kept = 0;

	ft_sort(values, n);
	for (i = 0; i < n; i++)
		if (!kept || values[i] > values[kept - 1])
			values[kept++] = values[i];
	return kept;
}
