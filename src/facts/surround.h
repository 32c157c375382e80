/* SPDX-License-Identifier: GPL-3.0-or-later */
/* surround.h - what was known around a run and is no resource of it, as columns of a table of runs. */
#ifndef FT_FACTS_SURROUND_H
#define FT_FACTS_SURROUND_H

#include "foretime/facts.h"

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
