/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan.c - how good plans are, and what they cost: CPU seconds of one thread, and costs that were looked at.
 *
 *	bench-plan [PART...]
 *
 * Parts: partition any energy refine late map topology moves heft enumerated stg workflows;
 * none: all. Instances are made from fixed seeds; stg, workflows and moves need $FORETIME_DATA (default:
 * ../shared/data).
 */
#include "bench.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *data(void)
{
	const char *folder = getenv("FORETIME_DATA");

	return folder ? folder : "../shared/data";
}

static void moves(void)
{
	bench_moves(data());
}

static void stg(void)
{
	bench_stg(data());
}

static void workflows(void)
{
	bench_workflows(data());
}

static const struct part {
	const char *name;
	void (*run)(void);
} parts[] = {
	{"partition", bench_partition},   {"any", bench_any},   {"energy", bench_energy},
	{"refine", bench_refine},         {"late", bench_late}, {"map", bench_map},
	{"topology", bench_topology},     {"moves", moves},     {"heft", bench_heft},
	{"enumerated", bench_enumerated}, {"stg", stg},         {"workflows", workflows},
};

enum { PARTS = sizeof parts / sizeof *parts };

int main(int argc, char **argv)
{
	size_t i;

	for (int k = 1; k < argc; k++) {
		for (i = 0; i < PARTS && strcmp(argv[k], parts[i].name); i++)
			;
		if (i == PARTS) {
			(void)fprintf(stderr, "bench-plan: no part '%s'\n", argv[k]);
			return 2;
		}
	}
	for (i = 0; i < PARTS; i++) {
		bool wanted = argc == 1;

		for (int k = 1; k < argc; k++)
			wanted = wanted || !strcmp(argv[k], parts[i].name);
		if (!wanted)
			continue;
		printf("%s## %s\n", i ? "\n" : "", parts[i].name);
		parts[i].run();
		(void)fflush(stdout);
	}
	return 0;
}
