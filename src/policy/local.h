/* SPDX-License-Identifier: GPL-3.0-or-later */
/* local.h - what a clock on the wall shows, and when it shows it. */
#ifndef FT_POLICY_LOCAL_H
#define FT_POLICY_LOCAL_H

#include <stdint.h>
#include <time.h>

/* ft__local_show - what the wall clock shows at a moment; one that no calendar has shows 1970 in UTC. */
void ft__local_show(int64_t at_s, struct tm *tm);

/* ft__local_pass - the moment when so many seconds have passed on the wall clock, or before that the first
 * one after it was put forward or back. seconds >= 1 and at most a day. */
int64_t ft__local_pass(int64_t at_s, int64_t seconds);

/* ft__local_first - the first moment at which the wall clock shows a time or a later one; shown_s: that time,
 * counted as if it were UTC. */
int64_t ft__local_first(int64_t shown_s);

#endif
