/* SPDX-License-Identifier: GPL-3.0-or-later */
/* surfaces.c - whether models over two and three parameters keep their promise: made functions, measured
 * where the adaptive builder asks or on a grid, then asked inside and up to 2 and 4 times beyond.
 *
 *	surfaces [--seeds N] [--model TYPE] [--only cliffs|beyond] [--against PROGRAM]
 *
 * Cliffs: 168 sizes of two parameters, three functions, each as it is, with a cache edge, and with paging,
 * which come with the footprint; noise 2 %. What the builder's model is worth, and what it cost by the
 * largest run; "in the gap": the share of runs inside the interval at any size, off the lattice, between the
 *two footprints that the cliff lies between.
 *
 * Beyond: of each kind of function the median error (%), the share of single runs inside the 90 % interval
 * (%) and its median width (a factor to either side), with noises of 1, 3 and 10 %.
 *
 * --against: this program with another version's models (tools/baseline surfaces), asked the same below.
 */
#include "../words.h"
#include "surfaces.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int run_other(const char *program, uint64_t seeds, const char *only)
{
	char count[32];
	const char *argument[] = {program, "--seeds", count, only ? "--only" : NULL, only, NULL};
	int status = 0;

	(void)snprintf(count, sizeof count, "%llu", (unsigned long long)seeds);
	(void)fflush(NULL);
	pid_t child = fork();
	if (!child) {
		(void)execv(program, (char *const *)argument);
		_exit(127);
	}
	if (child > 0 && waitpid(child, &status, 0) == child && !status)
		return 0;
	(void)fprintf(stderr, "surfaces: nothing can be had from '%s'\n", program);
	return 1;
}

int main(int argc, char **argv)
{
	uint64_t seeds = 4;
	const char *type = NULL, *only = NULL, *against = NULL, *none = NULL;
	const struct word words[] = {{"--seeds", WORD_COUNT, &seeds},
				     {"--model", WORD_TEXT, &type},
				     {"--only", WORD_TEXT, &only},
				     {"--against", WORD_TEXT, &against},
				     {0}};

	if (!words_read(words, argc, argv, &none) || none)
		return fprintf(stderr, "usage: surfaces [--seeds N] [--model TYPE] [--only cliffs|beyond] "
				       "[--against PROGRAM]\n"),
		       2;
	if (!only || !strcmp(only, "cliffs"))
		cliffs(seeds, type);
	if (!only || !strcmp(only, "beyond"))
		beyond(seeds, type);
	return against && *against ? run_other(against, seeds, only) : 0;
}
