/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gauge.h - inside the helper: its half of the probes, what is read about a run and while it goes on.
 *
 * A gauge is a file with a const struct ft__gauge, and a row of the table in gauges.c. It holds what it needs
 * in struct ft__keeper, writes to struct ft__reply, and uses libc alone. */
#ifndef FT_MEASURE_GAUGE_H
#define FT_MEASURE_GAUGE_H

#include "measure/helper.h"
#include "measure/tree.h"

#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Inside the helper: counters of the processor and of the kernel, over a child and its descendants.
 */

struct ft__counters {
	struct perf_event_attr attr[FT__COUNTERS_MAX];
	int file[FT__COUNTERS_MAX], error[FT__COUNTERS_MAX];
	size_t n;
	int clock; /* processor time of the tree; -1: not asked for, or not to be had */
};

/* ft__count_choose - what the runs to come count.
 *
 * attr    [n], n <= FT__COUNTERS_MAX; how it is armed is set here
 * counts  [n] out: error is the errno of an attempt
 */
void ft__count_choose(struct ft__counters *counters, const struct perf_event_attr *attr, size_t n,
		      struct ft__count *counts);

/*
 * Inside the helper: how long the tasks of a tree waited, runnable, for a processor.
 *
 * The kernel tells it of each task that there is (/proc/PID/task/TID/schedstat), and forgets it with the
 * task. So the tasks are looked at again and again, and what we wait for ourselves once more when it has
 * ended. What the others did after the last look is lost; how much that was can be told from the processor
 * time found in the same places, beside what wait(2) says that the program used.
 */

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

/*
 * Inside the helper: the trace of a run, within a bounded memory.
 */

/* Zero-initialise; ends with ft__moments_clear. */
struct ft__moments {
	struct ft__moment *moment; /* [n] */
	size_t n, capacity;
	double sparser; /* by how much the looks have become rarer than was wished; a power of 2 */
};

/* ft__moments_add - append; when FT__MOMENTS_MAX is reached, neighbours are joined first (the later one's
 * time and processor time, the larger memory) and sparser doubles. Without memory for more it is passed over.
 */
void ft__moments_add(struct ft__moments *moments, const struct ft__moment *moment);

/* ft__moments_cap - no memory above the peak: what was a guess when it was kept, and turned out lower. */
void ft__moments_cap(struct ft__moments *moments, uint64_t peak_bytes);

void ft__moments_clear(struct ft__moments *moments);

/*
 * Inside the helper: a control group of memory for it and the programs that it starts.
 *
 * The group counts a page once, whoever holds it, and tells so for the price of one small file; but also
 * pages of files in memory (tmpfs) that nobody holds, and no page of a program's own file. So its figure is
 * not what processes hold (gauge.h); how it moves is.
 */

/* Zero-initialise. */
struct ft__own_group {
	bool there;
	bool second;      /* of version 2 */
	int parent, stat; /* the folder of the group around it; its own memory.stat */
	int events;       /* what the kernel did in it; -1: not to be had */
	char name[32];
};

/* What a group holds. */
struct ft__group_memory {
	uint64_t anon_bytes;  /* of processes alone */
	uint64_t shmem_bytes; /* shared memory, and files in memory */
};

/* ft__own_group_open - make a group below the one that this process is in, and go into it, so that what is
 * started later begins there. Nothing is moved afterwards: to move a process the kernel waits for all others.
 *
 * folder  of the group that this process is in (ft__cgroups_own); NULL: none is wished
 *
 * group->there says whether it is there. Ends with ft__own_group_close, and the group with it, if it is
 * empty. */
void ft__own_group_open(struct ft__own_group *group, const char *folder);
void ft__own_group_close(struct ft__own_group *group);

/* ft__own_group_read - false: there is none, or it cannot be read. */
bool ft__own_group_read(const struct ft__own_group *group, struct ft__group_memory *memory);

/* ft__own_group_kills - processes of it that the kernel ever killed for memory, whoever waited for them; 0
 * where that is not to be known. */
uint64_t ft__own_group_kills(const struct ft__own_group *group);

/*
 * Inside the helper: the memory of a tree, what its processes share counted once.
 *
 * How much of a process is shared, and by how many, the kernel tells by walking through all its pages
 * (/proc/PID/smaps_rollup, Pss): too dear for every look. So it is read as often as its price allows, and
 * only when the tree could have become larger than it ever was. In between it is what was read last and what
 * the tree's control group has gained or lost since (gauge.h), where there is one. Else it is a guess:
 * what a process has gained since is its own, what it has lost went from both kinds alike, a process that was
 * not read yet shares as the tree did, of as much as the largest one has: it cannot have inherited more; the
 * rest is its own. A peak of such a guess is scaled at the next reading, where the guess turns out too large.
 */

struct ft__resident {
	const struct ft__own_group *group;
	uint64_t peak_bytes; /* of a single process, or as it was read */
	bool guessed;        /* that is not as it was read after all */
	double guess_bytes;  /* the largest between readings, since the last one */
	bool sure;           /* that is no guess: the group tells it */
	double own;          /* of a resident byte, at the last reading; 1 before */
	int64_t due_ns;      /* when the next reading is due at the earliest */
	double read_bytes;   /* what the last reading came to; 0: there was none, or not of all */
	struct ft__group_memory at_reading; /* what the group held in its middle */
	bool settled;                       /* it hardly moved meanwhile */
};

/* group  that the tree is in, borrowed; may have none */
void ft__resident_begin(struct ft__resident *resident, const struct ft__own_group *group);

/* ft__resident_look - bytes of the tree now.
 *
 * tree    after ft__tree_bytes, which returned rss_bytes
 * always  read also where the peak cannot be higher
 * now_ns  any monotonic clock
 */
uint64_t ft__resident_look(struct ft__resident *resident, struct ft__tree *tree, uint64_t rss_bytes,
			   bool always, int64_t now_ns);

/* ft__resident_peak - the largest so far; guessed: out, whether it was between two readings, or of processes
 * that cannot be read. */
uint64_t ft__resident_peak(const struct ft__resident *resident, bool *guessed);

/*
 * Inside the helper: one child, from its start until the last of its descendants is gone.
 */

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

/* One look at the tree of processes, which has just been brought up to date. */
struct ft__look {
	const struct ft__job *job;
	struct ft__reply *reply; /* with what is known of those that were waited for */
	pid_t program;
	int64_t now_ns, since_ns; /* on any monotonic clock; since the start */
	uint64_t rss_bytes;       /* summed: what is shared counts in each */
	uint64_t held_bytes;      /* what is shared counts once; by the tree gauge */
	int64_t bounded_ns;       /* added to: processor time whose price is bounded elsewhere */
};

/* Each may be NULL. Not for FT__PLAIN. */
struct ft__gauge {
	/* Once, before everything else. */
	void (*open)(struct ft__keeper *keeper);
	/* Between two runs: read what the next one's figures begin from. */
	void (*settle)(struct ft__keeper *keeper);
	/* The program is about to be started; it was. */
	void (*arm)(struct ft__keeper *keeper, const struct ft__job *job);
	void (*begin)(struct ft__keeper *keeper, const struct ft__job *job, pid_t program);
	void (*look)(struct ft__keeper *keeper, struct ft__look *look);
	/* One of its processes has ended, and was not waited for yet. */
	void (*end)(struct ft__keeper *keeper, pid_t pid);
	/* All have ended, and account was taken of them; or it could not be started. */
	void (*read)(struct ft__keeper *keeper, struct ft__reply *reply);
};

extern const struct ft__gauge ft__delay_gauge, ft__tree_gauge, ft__count_gauge, ft__io_gauge, ft__news_gauge;

/* The table, with NULL at its end. */
extern const struct ft__gauge *const ft__gauges[];

/* One step of all that have it: FT__GAUGES(read, keeper, reply). */
#define FT__GAUGES(step, ...)                                                                                \
	do {                                                                                                 \
		const struct ft__gauge *const *gauge;                                                        \
                                                                                                             \
		for (gauge = ft__gauges; *gauge; gauge++)                                                    \
			if ((*gauge)->step)                                                                  \
				(*gauge)->step(__VA_ARGS__);                                                 \
	} while (0)

/*
 * Inside the helper: a second process, the parent of the one that watches.
 *
 * A program may end its parent process. What it leaves behind then becomes the guard's, which ends it; of a
 * real run it waits for the program and ends as that did.
 */

/* How the guard ends when the helper was ended, and the run was not real. */
enum { FT__GUARD_NOTHING_LEFT = 2, FT__GUARD_SOME_LEFT = 3 };

/*
 * Inside the helper: from nothing to a program that runs.
 */

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
