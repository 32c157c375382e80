/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rapl.h - energy of processors and memory, as the kernel's powercap shows it (Running Average Power Limit).
 *
 * Each package counts, and the memory beside it; what lies within a package (core, uncore) and around it
 * (psys) would count twice. Source: Linux, Documentation/power/powercap/powercap.rst.
 */
#ifndef FT_MEASURE_RAPL_H
#define FT_MEASURE_RAPL_H

#include "foretime/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { FT__RAPL_MOST = 64, FT__RAPL_PATH = 256 };

/* Zero-initialise. */
struct ft__rapl {
	struct {
		char path[FT__RAPL_PATH]; /* of the zone's folder */
		double last_j, range_j;   /* the last reading; where the counter begins again at 0 */
	} zone[FT__RAPL_MOST];
	size_t n;
	double joules; /* since ft__rapl_begin */
};

/* ft__rapl_open - find the zones.
 * root  "" or a folder that holds a recorded /sys
 * Returns FT_OK; FT_EUNAVAIL, with the remedy: there is none, or it may not be read. */
enum ft_status ft__rapl_open(struct ft__rapl *rapl, const char *root, struct ft_err *err);

/* ft__rapl_explain - why there is none: fills err and returns FT_EUNAVAIL.
 * guest  inside a virtual machine */
enum ft_status ft__rapl_explain(const char *root, bool guest, struct ft_err *err);

/* ft__rapl_begin, ft__rapl_look - start anew; add what was used since the last look. A look is due at least
 * once while a counter goes round: at 1000 W some come round every minute. Returns FT_OK; FT_EUNAVAIL: a zone
 * cannot be read any more. */
enum ft_status ft__rapl_begin(struct ft__rapl *rapl, struct ft_err *err);
enum ft_status ft__rapl_look(struct ft__rapl *rapl, struct ft_err *err);

#endif
