/* SPDX-License-Identifier: GPL-3.0-or-later */
/* watch.h - inside the helper: one child, from its start until the last of its descendants is gone. */
#ifndef FT_MEASURE_WATCH_H
#define FT_MEASURE_WATCH_H

#include "measure/count.h"
#include "measure/delay.h"
#include "measure/helper.h"
#include "measure/moments.h"
#include "measure/own_group.h"
#include "measure/resident.h"
#include "measure/tree.h"

#include <sched.h>
#include <signal.h>

/* What was written to standard error, the end of it. */
struct ft__tail {
	char bytes[FT__DETAIL_MAX];
	size_t length;
	bool cut;
};

/* What the helper holds from one run to the next. */
struct ft__keeper {
	int socket, null, child_signals; /* ours; /dev/null; a signalfd of SIGCHLD */
	int report;                      /* the number of the report's descriptor in a child */
	volatile pid_t *program;         /* for the guard */
	struct ft__tree tree;
	struct ft__own_group group;   /* what we, and all children, are in */
	struct ft__resident resident; /* of the last run */
	struct ft__delay delay;
	bool has_tree;
	sigset_t ignored, blocked; /* when the helper was started, for real runs */
	uint64_t oom_kills;        /* of the machine, when the last run had ended */
	int io, own_io;            /* /proc/self/io, and of this thread alone; -1: not to be had */
	int schedstat;             /* /proc/self/schedstat, the same */
	struct ft__io io_before;   /* of all that had ended when the last run had */
	struct ft__counters counters;
	struct ft__moments moments; /* of the last run */
	int reporting;              /* what the child of this run reports to; -1: nothing */
	int64_t news_ns;            /* of the last run: when its last news went */
	cpu_set_t *pin;             /* NULL: children run wherever they like */
	size_t pin_bytes;
};

struct ft__job {
	const char *file;
	char **argv;
	unsigned flags;
	double limit_s, sample_s;
};

/* ft__watch - execute a job and see to its end.
 *
 * reply   filled, but for the two lengths
 * tail    what it wrote to standard error
 * report  out: a memfd with what it reported, the caller's to close; -1: none
 *
 * Returns false when foretime is gone: everything is ended then too.
 */
bool ft__watch(struct ft__keeper *keeper, const struct ft__job *job, struct ft__reply *reply,
	       struct ft__tail *tail, int *report);

/* ft__watch_settle - what can wait until a reply is sent: reads what the next run's figures begin from, and
 * forgets the trace. */
void ft__watch_settle(struct ft__keeper *keeper);

#endif
