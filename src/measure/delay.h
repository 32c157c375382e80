/* SPDX-License-Identifier: GPL-3.0-or-later */
/* delay.h - inside the helper: how long the tasks of a tree waited, runnable, for a processor.
 *
 * The kernel tells it of each task that there is (/proc/PID/task/TID/schedstat), and forgets it with the
 * task. So the tasks are looked at again and again, and what we wait for ourselves once more when it has
 * ended. What the others did after the last look is lost; how much that was can be told from the processor
 * time found in the same places, beside what wait(2) says that the program used.
 */
#ifndef FT_MEASURE_DELAY_H
#define FT_MEASURE_DELAY_H

#include "measure/tree.h"

struct ft__delay_task {
	pid_t tid;
	unsigned look; /* when it was last seen */
	uint64_t exec_ns, delay_ns;
};

/* Zero-initialise; ends with ft__delay_clear. */
struct ft__delay {
	struct ft__delay_task *task; /* [n] ascending: those that the last look saw */
	size_t n, capacity;
	unsigned look;
	size_t readings;            /* of schedstat; 0: the kernel has none */
	uint64_t exec_ns, delay_ns; /* of the tasks that are gone */
	pid_t first;                /* 0: file is not open */
	int file;                   /* the schedstat of the first process */
	uint64_t last_ns;           /* exec and delay of the task that ended last; 0: not known */
};

/* ft__delay_begin - forget what was seen. first: a process that has begun just now; 0: none. Its file is
 * opened here, while it works: when it has ended, foretime waits for us. */
void ft__delay_begin(struct ft__delay *delay, const struct ft__tree *tree, pid_t first);
void ft__delay_clear(struct ft__delay *delay);

/* ft__delay_look - the tasks of the tree's members now.
 * but  a process that ft__delay_end will be called for; passed over as long as it is a single task */
void ft__delay_look(struct ft__delay *delay, const struct ft__tree *tree, pid_t but);

/* ft__delay_end - a process that has ended, and has not been waited for. */
void ft__delay_end(struct ft__delay *delay, const struct ft__tree *tree, pid_t pid);

/* ft__delay_own - how long we ourselves have waited for a processor, so far; schedstat: our own; ns, 0 where
 * it cannot be read. */
uint64_t ft__delay_own(int schedstat);

/* ft__delay_sum - of all that was seen: processor time, and time spent waiting for a processor. */
void ft__delay_sum(const struct ft__delay *delay, double *exec_s, double *delay_s);

#endif
