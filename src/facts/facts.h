/* SPDX-License-Identifier: GPL-3.0-or-later */
/* facts.h - what the files of the room share. */
#ifndef FT_FACTS_FACTS_H
#define FT_FACTS_FACTS_H

#include "foretime/facts.h"

/*
 * What rooms share of parameters, and of names of programs.
 */

/* ft__name_kept_fault - as ft_program_name_fault, of a name that a store may hold already: older ones took
 * blanks, quotes, '\\', '$' and '=', and such programs can still be read and removed. */
const char *ft__name_kept_fault(const char *name);

/* ft__name_unmark - '_' in place of each byte of ASCII that names of new programs have not: what a shell
 * takes apart or replaces, for names stand in commands that people copy; and '=', which is of sizes. */
void ft__name_unmark(char *name);

/*
 * What was known around a run and is no resource of it, as columns of a table of runs.
 */

/* What a table of runs takes: counters, and columns of resources with them. */
enum { FT__COUNTERS_MAX = 128, FT__COLUMNS_MAX = 160 };

enum { FT__SURROUND_N = 5 };

struct ft__surround {
	const char *name;                        /* of the column */
	double (*get)(const struct ft_run *run); /* NaN: not known */
	void (*set)(struct ft_run *run, double value);
};

extern const struct ft__surround ft__surround[FT__SURROUND_N];

#endif
