/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep.c - so many pages, each visited so many times with a little arithmetic: sweep MIB SWEEPS. */
#include <stdio.h>
#include <stdlib.h>

enum { PAGE = 4096, STEPS = 1500 };

int main(int argc, char **argv)
{
	size_t pages = argc > 1 ? strtoul(argv[1], NULL, 10) * 256 : 0, sweeps, i, at = 0;
	double sum = 1;

	sweeps = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
	unsigned char *bytes = pages && sweeps ? malloc(pages * PAGE) : NULL;
	if (!bytes)
		return 2;
	for (i = 0; i < pages; i++)
		bytes[i * PAGE] = (unsigned char)i;
	/* In strides that nothing reads ahead of: 7919 is prime, and divides no number of pages here. */
	for (i = 0; i < sweeps * pages; i++) {
		at = (at + 7919) % pages;
		for (int k = 0; k < STEPS; k++)
			sum = sum * 1.0000001 + bytes[at * PAGE];
		bytes[at * PAGE + 8] = (unsigned char)i;
	}
	printf("%g\n", sum);
	free(bytes);
	return 0;
}
