/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load.h - background load: recorded, predicted, and its effect on runs. */
#ifndef FT_LOAD_LOAD_H
#define FT_LOAD_LOAD_H

#include "foretime/facts.h"
#include "foretime/load.h"
#include "load/door.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Histories with the times of their intervals.
 */

/*
 * The processor time counted by /proc, in ticks.
 */

/* /proc/stat, over all processors, since the system started. */
struct ft__load_stat {
	double busy, steal, iowait, all;
	int processors;
};

/* ft__load_stat_parse - false: another format, or all counts are 0. */
bool ft__load_stat_parse(const char *text, struct ft__load_stat *out);

/* ft__load_stat_between - the background load from one count to a later one, of which `own` busy ticks
 * were ours. False: no tick between them. The load is the busy processors. Leaves started_ns and
 * interval_s alone. */
bool ft__load_stat_between(const struct ft__load_stat *from, const struct ft__load_stat *to, double own,
			   struct ft_load *out);

/* ft__load_own - ticks of this process and, with children, of all its descendants, also of those that have
 * ended and were waited for. False: cannot be known. */
bool ft__load_own(const char *root, bool children, double *ticks);

/* ft__load_slurp - a file of root's /proc, as a string; NULL: not there, or no memory. Ends with ft_free. */
char *ft__load_slurp(const char *root, const char *path);

#endif
