/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy.h - policies: when benchmarks may run, and which is next. */
#ifndef FT_POLICY_POLICY_H
#define FT_POLICY_POLICY_H

#include "policy/door.h"

#include <stdint.h>
#include <time.h>

/*
 * The reading of a wall clock, and the moment of a reading.
 */

/* ft__local_show - what the wall clock shows at a moment; one that no calendar has shows 1970 in UTC. */
void ft__local_show(int64_t at_s, struct tm *tm);

/* A text in the caller's buffer, which is cut where it does not fit. */
struct ft__phrase {
	char *s;
	size_t size;
	size_t length; /* of the whole */
};

void ft__phrase_add(struct ft__phrase *line, const char *format, ...) FT_PRINTF(2, 3);

/* All that a field of a window can have. */
#define FT__MINUTES    ((UINT64_C(1) << 60) - 1)
#define FT__HOURS      ((UINT32_C(1) << 24) - 1)
#define FT__MONTH_DAYS (UINT32_C(0xfffffffe))
#define FT__MONTHS     (((UINT32_C(1) << 12) - 1) << 1)
#define FT__WEEK_DAYS  ((UINT32_C(1) << 7) - 1)

#endif
