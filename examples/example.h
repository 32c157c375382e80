/* SPDX-License-Identifier: GPL-3.0-or-later */
/* example.h - what the examples share: their size, their memory, and a sentence when something is wrong. */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include "foretime-probe.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>

/* The argument at an index, n >= 1; names: those of all arguments. Exits with status 2 when it is not such a
 * number, or there are more or fewer arguments than names. */
static inline size_t example_size_at(int argc, char **argv, int index, const char *names)
{
	char *end = NULL;
	unsigned long long n = 0;
	int wanted = 1;
	const char *at;

	for (at = names; *at; at++)
		wanted += *at == ' ';
	errno = 0;
	if (argc == wanted + 1 && argv[index][0] >= '0' && argv[index][0] <= '9')
		n = strtoull(argv[index], &end, 10);
	if (!n || *end || errno || n > SIZE_MAX) {
		fprintf(stderr, "usage: %s %s (whole numbers, at least 1)\n", argv[0], names);
		exit(2);
	}
	return n;
}

/* The one argument. */
static inline size_t example_size(int argc, char **argv)
{
	return example_size_at(argc, argv, 1, "n");
}

/* rows x columns numbers in [0, 1), the same every time (Knuth's MMIX generator). Written once before any
 * clock runs, so that no routine pays for fresh pages. Exits with status 1 when there is no room. */
static inline double *example_numbers(size_t rows, size_t columns)
{
	size_t count = rows * columns, i;
	uint64_t state = 1;
	double *numbers =
		columns <= PTRDIFF_MAX / sizeof *numbers / rows ? malloc(count * sizeof *numbers) : NULL;

	if (!numbers) {
		fprintf(stderr, "cannot allocate %zu x %zu numbers: choose a smaller n\n", rows, columns);
		exit(1);
	}
	for (i = 0; i < count; i++) {
		state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		numbers[i] = (double)(state >> 11) * 0x1p-53;
	}
	return numbers;
}

/* Whether C = A B: the sums of the rows of C are A times the sums of the rows of B (Freivalds 1979, with the
 * vector of ones). Costs n^2. */
static inline int example_is_product(size_t n, const double *a, const double *b, const double *c)
{
	double *sum = example_numbers(n, 1);
	size_t i, j;
	int good = 1;

	for (i = 0; i < n; i++)
		for (sum[i] = 0, j = 0; j < n; j++)
			sum[i] += b[i * n + j];
	for (i = 0; i < n; i++) {
		double expected = 0, found = 0;

		for (j = 0; j < n; j++) {
			expected += a[i * n + j] * sum[j];
			found += c[i * n + j];
		}
		good &= fabs(found - expected) <= 1e-9 * expected;
	}
	free(sum);
	return good;
}

/* Exits with status 1, and says which example computed nonsense, unless the result is good. */
static inline void example_check(int good, const char *name)
{
	if (!good) {
		fprintf(stderr, "%s: wrong result\n", name);
		exit(1);
	}
}

#endif
