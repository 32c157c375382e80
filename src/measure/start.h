/* SPDX-License-Identifier: GPL-3.0-or-later */
/* start.h - inside the helper: from nothing to a program that runs. */
#ifndef FT_MEASURE_START_H
#define FT_MEASURE_START_H

#include "measure/watch.h"

/* What the child needs between vfork and exec. It shares our memory, and only reads this, but for `error`. */
struct ft__start {
	const struct ft__keeper *keeper;
	const struct ft__job *job;
	int errors, report; /* where it writes standard error, and reports; -1: nowhere */
	pid_t helper;       /* set by ft__start */
	volatile int error; /* out: why it was not executed; 0: it was */
};

/* ft__start - start a child and execute the job in it; returns when that has been done, or has failed (then
 * it is reaped).
 *
 * vfork: it takes a third of fork's time, and exec's failure comes back in memory.
 */
pid_t ft__start(struct ft__start *start);

#endif
