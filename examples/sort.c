/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sort.c - put n random numbers in order, by qsort. */
#include "sort.h"

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void sort(size_t n, double *x)
{
	qsort(x, n, sizeof *x, compare);
}

int main(int argc, char **argv)
{
	return sort_run(argc, argv, sort);
}
