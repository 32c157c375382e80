/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child-walk.c - walks over n KiB of memory again and again: what a run costs when memory ends. */
#include "foretime-probe.h"

#include <stdint.h>

enum { PASSES = 2, STEP = 8 }; /* a number in each line of the cache */

int main(int argc, char **argv)
{
	size_t n = argc == 2 ? (size_t)strtoull(argv[1], NULL, 10) * 1024 / sizeof(uint64_t) : 0, i;
	uint64_t *number = n ? malloc(n * sizeof *number) : NULL;
	struct ft_probe probe = FT_PROBE_INIT;
	int pass;

	if (!number) {
		fprintf(stderr, "usage: %s KIB (of memory that is there)\n", argv[0]);
		return 2;
	}
	for (i = 0; i < n; i += STEP)
		number[i] = i;
	ft_probe_start(&probe);
	for (pass = 0; pass < PASSES; pass++)
		for (i = 0; i < n; i += STEP)
			number[i] += i;
	ft_probe_stop(&probe);
	ft_probe_report("walk", (double)PASSES * (double)n / STEP, &probe);
	i = (n - 1) / STEP * STEP;
	pass = number[i] == (1 + PASSES) * (uint64_t)i;
	free(number);
	return pass ? 0 : 1;
}
