/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.h - what a program said of itself by way of foretime-probe.h. */
#ifndef FT_MEASURE_REPORT_H
#define FT_MEASURE_REPORT_H

#include "foretime/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { FT__ROUTINE_LENGTH = 64, FT__ROUTINES_MAX = 256 };

/* Totals over all that was reported under one name. */
struct ft__routine {
	char name[FT__ROUTINE_LENGTH];
	double calls, wall_s, cpu_s;
	double work; /* NaN: not said */
};

struct ft__report {
	struct ft__routine *routine; /* [n] in the order of their first report */
	size_t n, capacity;
	bool invalid; /* "this size is not valid" */
};

/* ft__report_parse - read the lines of a report. Those that are not understood are passed over: a program may
 * write anything there.
 *
 * out  the caller's, ends with ft__report_clear; cleared on failure
 *
 * Returns FT_OK; FT_ENOMEM.
 */
enum ft_status ft__report_parse(const char *bytes, size_t length, struct ft__report *out, struct ft_err *err);
void ft__report_clear(struct ft__report *report);

#endif
