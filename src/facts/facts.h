/* SPDX-License-Identifier: GPL-3.0-or-later */
/* facts.h - plain data: machines, programs, sizes, runs. */
#ifndef FT_FACTS_FACTS_H
#define FT_FACTS_FACTS_H

#include "facts/door.h"
#include "foretime/facts.h"

/*
 * Parameters and names of programs, for other rooms.
 */

/* ft__name_kept_fault - as ft_program_name_fault, for a name in a store: older ones allowed blanks,
 * quotes, '\\', '$' and '=', and such programs can still be read and removed. */
const char *ft__name_kept_fault(const char *name);

/* ft__name_unmark - '_' in place of each byte of ASCII that names of new programs have not: what a shell
 * takes apart or replaces, for names stand in commands that people copy; and '=', which is of sizes. */
void ft__name_unmark(char *name);

/*
 * The surroundings of a run, which are no resources of it, as columns of a table of runs.
 */

/* The limits of a table of runs: counters, and columns of resources with them. */
enum { FT__COUNTERS_MAX = 128, FT__COLUMNS_MAX = 160 };

enum { FT__SURROUND_N = 5 };

struct ft__surround {
	const char *name;                        /* of the column */
	double (*get)(const struct ft_run *run); /* NaN: not known */
	void (*set)(struct ft_run *run, double value);
};

extern const struct ft__surround ft__surround[FT__SURROUND_N];

#endif
