/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.h - what a program said of itself by way of foretime-probe.h. */
#ifndef FT_MEASURE_REPORT_H
#define FT_MEASURE_REPORT_H

#include "foretime/status.h"

#include <stdbool.h>
#include <stddef.h>

enum {
	FT__ROUTINE_LENGTH = 64,
	FT__ROUTINES_MAX = 256,
	FT__REPORT_LINE = 512,
	FT__REPORT_MAX = 1 << 28, /* bytes read of a file: some six million reports, in a few seconds */
};

/* Totals over all that was reported under one name. */
struct ft__routine {
	char name[FT__ROUTINE_LENGTH];
	double calls, wall_s, cpu_s;
	double work;       /* NaN: not said */
	double first_s;    /* wall time of the first call in the process; NaN: not said */
	double peak_bytes; /* of the process, where the routine raised it; 0: it did not; NaN: not said */
	/* Its figures say nothing: times are longer than a hundred years, or sums than a number can hold; not
	 * all of it could be read. */
	bool absurd, cut;
};

/* Zero-initialise; ends with ft__report_clear. */
struct ft__report {
	struct ft__routine *routine; /* [n] in the order of their first report */
	size_t n, capacity;
	double done, total;         /* the last progress; total 0: none was told */
	bool invalid;               /* "this size is not valid" */
	bool more;                  /* there were more routines than FT__ROUTINES_MAX */
	bool cut;                   /* not all of it could be read, as every routine says then */
	char line[FT__REPORT_LINE]; /* the beginning of one that has not ended yet; longer ones are passed
				       over */
	size_t length;
};

/* ft__report_add - read the next bytes of a report, cut anywhere. Lines that are not understood are passed
 * over: a program may write anything there. Returns FT_OK; FT_ENOMEM. */
enum ft_status ft__report_add(struct ft__report *report, const char *bytes, size_t length,
			      struct ft_err *err);

/* ft__report_read - read a file of them, up to FT__REPORT_MAX bytes. Returns FT_OK; FT_ENOMEM. */
enum ft_status ft__report_read(struct ft__report *report, int file, struct ft_err *err);
void ft__report_clear(struct ft__report *report);

#endif
