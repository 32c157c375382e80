/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clock.h - the clocks: the only place that reads them, so that a test can set the time. */
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

/* ft_clock_set - use this clock instead of the system's; NULL: the system's again. Borrowed. For tests,
 * before there are other threads; child processes have the system's. */
void ft_clock_set(struct ft_clock *clock);

/*
 * The run queue, and pressure on processors (PSI). The only reader of /proc/loadavg and /proc/pressure/cpu;
 * needs libc alone, since foretime-helper links it too.
 */

struct ft__queue {
	double average;  /* load average over one minute; NaN: not known */
	double runnable; /* tasks that run or wait for a processor, the reader among them; NaN: not known */
	double waited_s; /* for how long, since the system started, some task waited for one: "some" of PSI,
			    averaged over the processors that were busy; NaN: the kernel does not count it */
	int64_t at_ns;   /* monotonic clock of the look */
};

/* ft__queue_read - read the queue now; some microseconds for any number of processors. Unreadable values are
 * NaN.
 *
 * root  "" for this machine, or a folder that holds a recorded /proc
 */
void ft__queue_read(const char *root, struct ft__queue *out);

/* ft__queue_pressure - the share of the time between two looks in which some task waited, 0 .. 1; NaN: not
 * known, or no time has passed. seconds: between them */
double ft__queue_pressure(double waited_before_s, double waited_after_s, double seconds);

#endif
