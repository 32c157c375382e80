/* SPDX-License-Identifier: GPL-3.0-or-later */
/* part.h - the parts of the bench: each has jobs, that can be done in any order. */
#ifndef FT_BENCH_PART_H
#define FT_BENCH_PART_H

#include "record.h"

struct settings {
	unsigned seeds;
	double tolerance;  /* of given curves */
	const char *only;  /* a job's name holds it; NULL: all */
	char *const *path; /* [paths] tables of given curves */
	size_t paths;
};

struct part {
	const char *name;
	bool alone; /* processor time is measured: one job after the other */
	size_t (*jobs)(const struct settings *settings);
	void (*name_of)(const struct settings *settings, size_t job, char *out, size_t size);
	void (*run)(const struct settings *settings, size_t job, struct records *out);
};

extern const struct part part_given, part_made, part_made_5, part_beyond, part_laws, part_time;

/* parts_run - all jobs of the parts in `which` (names, or their beginnings, between commas; NULL: all) by so
 * many processes at once. The records come sorted. */
bool parts_run(const struct settings *settings, const char *which, unsigned processes, struct records *out);

#endif
