/* SPDX-License-Identifier: GPL-3.0-or-later */
/* order.c - ascending order of doubles. */
#include "num/order.h"

#include <stdlib.h>

int ft_compare_doubles(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

void ft_sort(double *values, size_t n)
{
	if (n > 1)
		qsort(values, n, sizeof *values, ft_compare_doubles);
}

size_t ft_sort_different(double *values, size_t n)
{
	size_t kept = 0;

	ft_sort(values, n);
	for (size_t i = 0; i < n; i++)
		if (!kept || values[i] > values[kept - 1])
			values[kept++] = values[i];
	return kept;
}

static int compare_keyed(const void *a, const void *b)
{
	const struct ft_keyed *p = a, *q = b;

	return p->key != q->key ? ft_compare_doubles(&p->key, &q->key) : (p->of > q->of) - (p->of < q->of);
}

void ft_keyed_sort(struct ft_keyed *order, size_t n)
{
	if (n > 1)
		qsort(order, n, sizeof *order, compare_keyed);
}
