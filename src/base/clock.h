/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clock.h - what time it is: all ask here, and a test can set it. */
#ifndef FT_BASE_CLOCK_H
#define FT_BASE_CLOCK_H

#include <stdint.h>

int64_t ft_clock_ns(void);      /* monotonic; only differences mean something */
double ft_clock_s(void);        /* the same in seconds */
int64_t ft_clock_real_ns(void); /* since 1970 */

/* ft_clock_spent_ns - processor time of this thread: what it did, so that no test sets it. */
int64_t ft_clock_spent_ns(void);
double ft_clock_process_s(void); /* and of all threads of the process */

void ft_clock_sleep(double seconds); /* signals do not shorten it */

/* A clock that stands until its owner sets it; sleeping moves it on, and takes no time. */
struct ft_clock {
	int64_t steady_ns, real_ns;
};

/* ft_clock_set - tell this time instead of the system's; NULL: the system's again. Borrowed. For tests,
 * before there are other threads; child processes have the system's. */
void ft_clock_set(struct ft_clock *clock);

#endif
