/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gauge.h - inside the helper: its half of the probes, which reads counters during a run and at its end.
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
	int clock; /* processor time of the tree; -1: not requested, or unavailable */
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
 * The kernel reports it for each existing task (/proc/PID/task/TID/schedstat), and drops it with the task.
 * So the tasks are read repeatedly, and a child of ours once more when it has ended. What other tasks did
 * after the last reading is lost; how much that was follows from the processor time in the same files,
 * compared to what wait(2) reports for the program.
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

/* ft__delay_own - how long we ourselves have waited for a processor, so far; schedstat: our own; ns, 0 if
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

/* ft__moments_cap - cap the memory at the peak: estimates that were stored may have been too high. */
void ft__moments_cap(struct ft__moments *moments, uint64_t peak_bytes);

void ft__moments_clear(struct ft__moments *moments);

/*
 * Inside the helper: a control group of memory for it and the programs that it starts.
 *
 * The group counts a shared page once, at the price of reading one small file; but it includes pages of
 * files in memory (tmpfs) that no process maps, and excludes pages of a program's own file. So its value is
 * not the memory of the processes (gauge.h), but its changes are.
 */

/* Zero-initialise. */
struct ft__own_group {
	bool there;
	bool second;      /* of version 2 */
	int parent, stat; /* the folder of the group around it; its own memory.stat */
	int events;       /* its kernel events; -1: unavailable */
	char name[32];
};

/* Memory of a group. */
struct ft__group_memory {
	uint64_t anon_bytes;  /* of processes alone */
	uint64_t shmem_bytes; /* shared memory, and files in memory */
};

/* ft__own_group_open - make a group below the one that this process is in, and enter it, so that later
 * children begin there. Nothing is moved afterwards: to move a process the kernel waits for all processors.
 *
 * folder  of the group that this process is in (ft__cgroups_own); NULL: none is requested
 *
 * group->there: whether it exists. Ends with ft__own_group_close, and the group with it, if it is
 * empty. */
void ft__own_group_open(struct ft__own_group *group, const char *folder);
void ft__own_group_close(struct ft__own_group *group);

/* ft__own_group_read - false: there is none, or it cannot be read. */
bool ft__own_group_read(const struct ft__own_group *group, struct ft__group_memory *memory);

/* ft__own_group_kills - how many of its processes the kernel ever killed for memory; 0 if that is unknown. */
uint64_t ft__own_group_kills(const struct ft__own_group *group);

/*
 * Inside the helper: the memory of a tree, with shared memory counted once.
 *
 * The shared part of a process, and the number of sharers, is found by the kernel by walking through all its
 * pages (/proc/PID/smaps_rollup, Pss): too expensive for every look. So it is read as often as its price
 * allows, and only when the tree could have become larger than ever before. In between, the value is the
 * last reading plus what the tree's control group has gained or lost since (gauge.h), if there is one. Else
 * it is an estimate: what a process has gained since is private, what it has lost came from both kinds
 * alike, and a process that was not read yet shares as the tree did, up to the memory of the largest one,
 * since it cannot have inherited more; the rest is private. A peak of such an estimate is scaled at the next
 * reading if the estimate was too high.
 */

struct ft__resident {
	const struct ft__own_group *group;
	uint64_t peak_bytes; /* of a single process, or as it was read */
	bool guessed;        /* which is not a reading after all */
	double guess_bytes;  /* the largest between readings, since the last one */
	bool sure;           /* no estimate: from the group */
	double own;          /* private share of a resident byte, at the last reading; 1 before */
	int64_t due_ns;      /* when the next reading is due at the earliest */
	double read_bytes;   /* the last reading; 0: there was none, or not of all */
	struct ft__group_memory at_reading; /* memory of the group in the middle of the reading */
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

/* ft__resident_peak - the largest so far; guessed: out, whether it was between two readings, or of
 * processes that cannot be read. */
uint64_t ft__resident_peak(const struct ft__resident *resident, bool *guessed);

/*
 * Inside the helper: one child, from its start until the last of its descendants is gone.
 */

/* The end of standard error. */
struct ft__tail {
	char bytes[FT__DETAIL_MAX];
	size_t length;
	bool cut;
};

/* What the helper, its guard and a child that is not executed yet share, also where vfork copies memory. */
struct ft__shared {
	pid_t program;   /* of a real run, as long as it runs; 0: none. For the guard */
	int start_errno; /* why the child was not executed; 0: it was */
};

/* The state of the helper from one run to the next. */
struct ft__keeper {
	int socket, null, child_signals; /* ours; /dev/null; a signalfd of SIGCHLD */
	int report;                      /* the number of the report's descriptor in a child */
	volatile struct ft__shared *shared;
	struct ft__tree tree;
	struct ft__own_group group;   /* the group of us and all children */
	struct ft__resident resident; /* of the last run */
	struct ft__delay delay;
	bool has_tree;
	bool reaps;                /* processes whose parent has ended become our children */
	sigset_t ignored, blocked; /* when the helper was started, for real runs */
	uint64_t oom_kills;        /* of the machine, when the last run had ended */
	int io, own_io;            /* /proc/self/io, and of this thread alone; -1: not to be had */
	int schedstat;             /* /proc/self/schedstat, the same */
	struct ft__io io_before;   /* of all that had ended when the last run had */
	struct ft__counters counters;
	struct ft__moments moments; /* of the last run */
	int reporting;              /* the file for the child's reports; -1: none */
	int64_t news_ns;            /* of the last run: when its last news was sent */
	cpu_set_t *pin;             /* NULL: children run wherever they like */
	size_t pin_bytes;
};

struct ft__job {
	const char *file;
	char **argv;
	unsigned flags;
	double limit_s, sample_s;
};

/* ft__watch - execute a job and wait for its end.
 *
 * reply   filled, except for the two lengths
 * tail    the end of its standard error
 * report  out: a memfd with its reports, the caller's to close; -1: none
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
	struct ft__reply *reply; /* with the data of processes reaped so far */
	pid_t program;
	int64_t now_ns, since_ns; /* on any monotonic clock; since the start */
	uint64_t rss_bytes;       /* summed: what is shared counts in each */
	uint64_t held_bytes;      /* shared memory counts once; set by the tree gauge */
	int64_t bounded_ns;       /* added to: processor time that has its own bound */
};

/*
 * Inside the helper: what the processes of a tree hold and compute on graphics devices.
 */

/* One open connection to a device. */
struct ft__drm_client {
	uint64_t device, id, busy_ns;
	unsigned look; /* when it was last seen */
};

/* Zero-initialise; ends with ft__drm_clear. */
struct ft__drm {
	struct ft__drm_client *client; /* [n] all that were seen */
	size_t n, capacity;
	unsigned look;
	uint64_t bytes, peak_bytes; /* of all together: at the last look; at most */
};

/* ft__drm_look - what the tree's members hold now. Cost: a readlink(2) for each of their descriptors. */
void ft__drm_look(struct ft__drm *drm, const struct ft__tree *tree);

/* ft__drm_busy_s - what all engines computed for them so far, as far as was seen. */
double ft__drm_busy_s(const struct ft__drm *drm);
void ft__drm_clear(struct ft__drm *drm);

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

extern const struct ft__gauge ft__delay_gauge, ft__tree_gauge, ft__count_gauge, ft__io_gauge, ft__news_gauge,
	ft__scratch_gauge, ft__drm_gauge, ft__sockets_gauge;

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
 * Inside the helper: start a program.
 */

/* Data for the child between vfork and exec, which only reads it. */
struct ft__start {
	const struct ft__keeper *keeper;
	const struct ft__job *job;
	int errors, report; /* files for its standard error and its reports; -1: none */
	pid_t helper;       /* set by ft__start */
};

/* ft__start - start a child and execute the job in it; returns when that has been done, or has failed (then
 * it is reaped, and start_errno of struct ft__shared has the reason).
 *
 * vfork: it takes a third of fork's time. qemu-user makes it a fork that does not wait: there a failure is seen
 * when the child ends.
 */
pid_t ft__start(struct ft__start *start);

#endif
