/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sort_naive.c - put n random numbers in order, by insertion: what sort.c does, in n^2 steps. */
#include "sort.h"

static void insert_all(size_t n, double *x)
{
	size_t j;

	for (size_t i = 1; i < n; i++) {
		double moved = x[i];

		for (j = i; j && x[j - 1] > moved; j--)
			x[j] = x[j - 1];
		x[j] = moved;
	}
}

int main(int argc, char **argv)
{
	return sort_run(argc, argv, insert_all);
}
