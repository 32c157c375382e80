/* SPDX-License-Identifier: GPL-3.0-or-later */
/* queue.h - who wants a processor, as the kernel tells it: the run queue, and pressure (PSI). The only reader
 * of /proc/loadavg and /proc/pressure/cpu; needs libc alone, for foretime-helper has it too. */
#ifndef FT_BASE_QUEUE_H
#define FT_BASE_QUEUE_H

#include <stdint.h>

struct ft__queue {
	double average;  /* load average over one minute; NaN: not known */
	double runnable; /* tasks that run or wait for a processor, the reader among them; NaN: not known */
	double waited_s; /* for how long, since the system started, some task waited for one: "some" of PSI,
			    averaged over the processors that were busy; NaN: the kernel does not count it */
	int64_t at_ns;   /* monotonic clock of the look */
};

/* ft__queue_read - a look at the queue now; some microseconds, whatever the number of processors. What cannot
 * be read is NaN.
 *
 * root  "" for this machine, or a folder that holds a recorded /proc
 */
void ft__queue_read(const char *root, struct ft__queue *out);

/* ft__queue_pressure - the share of the time between two looks in which some task waited, 0 .. 1; NaN: not
 * known, or no time has passed. seconds: between them */
double ft__queue_pressure(double waited_before_s, double waited_after_s, double seconds);

#endif
