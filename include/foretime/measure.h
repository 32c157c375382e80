/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure.h - where runs come from (sources), what watches them (probes), and what machine this is.
 *
 * A source executes a program at a size and hands back the run: a process of this machine, a recorded sweep,
 * or a function (for tests). A sweep does not know which it drives.
 */
#ifndef FORETIME_MEASURE_H
#define FORETIME_MEASURE_H

#include "foretime/base.h"
#include "foretime/facts.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

FT_BEGIN_DECLS

struct ft_source;

/* How instructions are counted. */
enum ft_count {
	FT_COUNT_USUAL,    /* by the processor's counters where they are to be had, else not */
	FT_COUNT_SOMEHOW,  /* ... else under valgrind */
	FT_COUNT_SIMULATED /* under valgrind */
};

/* The use of processors and memory over a run. Zero-initialise; ends with ft_usage_clear. */
struct ft_usage_point {
	double time_s;     /* since the start of the run */
	double processors; /* busy since the point before, on average; no more than the machine has */
	double rss_bytes;  /* resident memory of all processes; never 0: at the begin what was seen first, at
			      the end what was seen last */
	double processes;
};

struct ft_usage {
	struct ft_usage_point *point; /* [n] ascending in time, from 0 to the run's wall time */
	size_t n;
};

void ft_usage_clear(struct ft_usage *usage); /* accepts NULL, and twice */

/* At which distance a program uses its data again (002 section 6.1): the bytes of other lines that it uses in between.
 * Mattson et al. 1970: a cache of fully associative LRU misses exactly the accesses beyond its size. Here caches have 8 or
 * 12 ways, so distances are approximate. */
enum { FT_REUSE_MOST = 16 };

struct ft_reuse {
	double bytes[FT_REUSE_MOST],
		beyond[FT_REUSE_MOST]; /* [n] sizes, ascending; the share of all reads and writes
		 with a greater distance, those of data that was never used before included */
	size_t n;                      /* 0: not known */
};

/* How a run goes on. */
struct ft_moment {
	double time_s;        /* since its start */
	double bytes;         /* that all its processes hold, what they share once */
	double largest_bytes; /* that one of them holds */
	double cpu_s,
		delay_s;    /* of all its tasks so far: on processors, and waiting for one; NaN: not known */
	double done, total; /* as it reported of its work (ft_probe_progress); total 0: it did not yet */
	int pid;            /* of the program */
};

/* Who looks on while a program runs. */
struct ft_watcher {
	/* Every 20 ms to a second, the longer the run the rarer. false: the run is to be ended, as
	 * FT_INTERRUPTED. */
	bool (*look)(void *ctx, const struct ft_moment *now);
	/* What the program wrote to standard output (stream 1) or error (2), in the place of ours: to be
	 * passed on. NULL: the program keeps ours. Not with real. */
	void (*heard)(void *ctx, int stream, const char *bytes, size_t length);
	void *ctx;
};

/* How a process is started. Zero-initialise; program is the only field that must be set. All borrowed, and must
 * live as long as the source. */
struct ft_launch {
	const struct ft_program *program; /* its argv and parameters */
	/* Real inputs: {column} is replaced by the row's cell. NULL: none; the command alone makes them. */
	const struct ft_csv *cases;
	const char *prepare, *cleanup; /* shell commands (sh -c), outside the measured time; NULL: none */
	const char *pin;               /* processors, "0-3,6"; NULL: wherever the system likes */
	int threads;                   /* > 0: OMP_NUM_THREADS and the like are set to it */
	bool pass_through; /* the program keeps our standard input, output, error and process group */
	/* Somebody needs what the program does: it keeps inherited descriptors and ignored signals, signals
	 * are passed on to it, and what it leaves behind when it ends is left alone. With pass_through. */
	bool real;
	volatile sig_atomic_t
		*signal; /* number of a signal to pass on; 0 once it was; NULL: none. With real */
	double sample_s; /* how often to look at the process tree's memory; 0: the default, 0.01 */

	/* What else to measure. What does not work on this machine is an unavailable sample of each run, with
	 * the reason; a name that there is not is a failure of ft_source_open_process. */
	const char *counters;       /* names of libpfm4 with commas between, each perhaps as OTHER=NAME; their
			samples are resources of that name. NULL: instructions and cycles where they can be
			counted; "none" */
	enum ft_count instructions; /* under valgrind: an extra run for each size, with prepare and cleanup
		    again, without standard input and in a fixed environment. Its count, less that of an
		    empty program, is a simulated sample of every run of that size; its time is in cost_s */
	bool working_set; /* the cache that its data fit into, under valgrind: five extra runs for each
				   size, as of instructions */
	const char *
		emulate; /* an architecture, "aarch64": the program is of that one, and runs under qemu-user; its
			instructions are simulated samples, all else is unavailable. NULL: none */
	struct ft_reuse
		*reuse;     /* with working_set: gets the distances of the size that was simulated last, from
			the same runs. NULL: none */
	bool sockets;       /* the bytes of its TCP sockets */
	const char *energy; /* "rapl", "nvidia" or "rapl,nvidia", then their sum; NULL: none */
	const char *gpu;   /* how to look at graphics devices: "drm", "nvidia", "opencl", with commas between,
			or "all": those that work here. NULL: drm, and only of runs that use one */
	const char *meter; /* a shell command that prints watts or joules, a line for each reading
			    ("12.3 W"), on and on or one at a time; NULL: none. Not with energy */
	const char *meter_unit;           /* of lines without a unit; NULL: each has its own */
	const struct ft_watcher *watcher; /* with pass_through; NULL: none */
	struct ft_usage *usage; /* gets the trace of each run in its turn, a look every sample_s as long as
			that takes less than 2 % of a processor; long runs are looked at less often, so that
			65,536 looks suffice. NULL: none */
};

/* ft_source_open_process - runs of a program on this machine.
 *
 * Children are started by a small helper process (foretime-helper) that receives what to execute, so that
 * their peak memory is theirs and every descendant can be ended. {name} in an argument, in prepare and in
 * cleanup is replaced by the parameter's value; in shell commands it is quoted.
 *
 * out  heap, ends with ft_source_close
 *
 * Returns FT_OK; FT_EINVAL: an argument names a parameter that there is not, or a processor that there is
 * not; FT_ENOENT, FT_EACCESS: the program cannot be found or executed; FT_EUNAVAIL: no helper; FT_ENOMEM.
 */
enum ft_status ft_source_open_process(struct ft_source **out, const struct ft_launch *launch,
				      struct ft_err *err);

/* ft_source_open_replay - runs that were recorded: the k-th run of a size is the k-th recorded there.
 * Warm-ups and interrupted runs are left out; a run longer than its limit is handed out as FT_TIMED_OUT,
 * without samples. runs is taken (cleared by ft_source_close, also on failure).
 *
 * Returns FT_OK; FT_EINVAL: no run to replay, or a size that is not finite; FT_ENOMEM. */
enum ft_status ft_source_open_replay(struct ft_source **out, struct ft_runs *runs, struct ft_err *err);

/* ft_source_open_oracle - runs of a function: wall_s(size) x exp(noise x a normal random number), for tests
 * and benches.
 *
 * seconds  called with ctx and the size; a result <= 0 is a failed run, NaN an invalid one
 * noise    standard deviation of ln time; 0: none
 */
enum ft_status ft_source_open_oracle(struct ft_source **out,
				     double (*seconds)(void *ctx, const struct ft_size *size), void *ctx,
				     double noise, uint64_t seed, struct ft_err *err);

void ft_source_close(struct ft_source *source); /* ends what still runs; accepts NULL */

/* ft_source_interrupt - a flag that is set from outside (by a signal handler); a run in progress is then
 * ended within 50 ms with the outcome FT_INTERRUPTED. Borrowed; NULL: none. */
void ft_source_interrupt(struct ft_source *source, const volatile sig_atomic_t *flag);

/* ft_source_run - one run.
 *
 * limit_s  the run is ended after this many wall seconds, paused ones not counted, FT_TIMED_OUT; <= 0: no limit
 * index    how many runs of this size were made before (in this or an earlier session): a replay returns the
 *          index-th
 * runs     appended to: the run of the process, then one for each routine when it reported several (a single
 *          routine's figures replace those of the process)
 *
 * What happens to the program is an outcome of the run, not a failure of this function.
 *
 * Returns FT_OK; FT_EEND: a replay has no more at this size; FT_EIO, FT_EUNAVAIL: the helper is lost (close
 * the source and open another); FT_ENOMEM.
 */
enum ft_status ft_source_run(struct ft_source *source, const struct ft_size *size, size_t index,
			     double limit_s, struct ft_runs *runs, struct ft_err *err);

/* ft_machine_read - what machine this is, from hwloc, /proc and /sys (some 10 ms).
 *
 * root  "" for this machine, or a folder that holds a recorded /proc and /sys (then without hwloc)
 * out   the caller's, ends with ft_machine_clear
 */
enum ft_status ft_machine_read(const char *root, struct ft_machine *out, struct ft_err *err);

/* A probe: a way to learn resources of a run. A row of a table. */
struct ft_probe_kind {
	const char *name;
	const char *about;
	const char *resources; /* what it gives, blank-separated */
	/* Whether it works here. When not, or not for all programs (FT_OK with words): why, and the remedy, in err. */
	enum ft_status (*available)(struct ft_err *err);
};

/* ft_probe_get - the i-th probe of the table; NULL past the last. */
const struct ft_probe_kind *ft_probe_get(size_t i);

FT_END_DECLS

/*
 * What a machine is made of: micro-benchmarks of our own, and the file that carries a machine
 * with its measurements to another store.
 *
 * A machine's row (document 004, chapter 5: resources of a target) has an entry for each micro-benchmark: the
 * wall seconds of one operation, by one thread.
 */

FT_BEGIN_DECLS

/* A micro-benchmark. A row of a table. */
struct ft_micro {
	const char *name;      /* "int_add" */
	const char *operation; /* what is counted: "addition" */
	const char *about;     /* its description */
	size_t bytes;          /* of memory that it goes over; 0: it needs none */
};

/* What one micro-benchmark took in one round. */
struct ft_micro_sample {
	const struct ft_micro *micro;
	double wall_s;      /* of one operation: lower quartile of a round; NaN: could not be measured */
	int64_t started_ns; /* wall clock, since 1970; 0: not known */
	char reason[256];   /* why it could not */
};

/* Zero-initialise; ends with ft_calibration_clear. */
struct ft_calibration {
	struct ft_micro_sample *sample; /* [n] in the order in which they were made */
	size_t n, capacity;
};

void ft_calibration_clear(struct ft_calibration *calibration); /* accepts NULL, and twice */

/* Zero: the default. */
struct ft_calibrate_options {
	size_t rounds;      /* through the whole table; 5 */
	size_t repetitions; /* of each micro-benchmark in a round; 15 */
	double least_s;     /* of a repetition: operations are doubled until they take as long; 0.002 */
	double most_s;      /* no micro-benchmark is begun after this many seconds; 50 */
	void (*progress)(void *ctx, size_t done, size_t all); /* called after each; NULL: none */
	void *ctx;
	const volatile sig_atomic_t *interrupt; /* a flag that is set from outside; NULL: none */
};

/* ft_calibrate - measure this machine.
 *
 * Rounds go through the whole table, so that what disturbs the machine for a while disturbs all alike. A
 * micro-benchmark that needs more than half of the memory that a run may have, or a child process that cannot
 * be had, is a sample without a value; it is tried once.
 *
 * options  zero-initialised: the defaults; not NULL
 * out      the caller's, ends with ft_calibration_clear; cleared on failure
 *
 * Returns FT_OK; FT_EINTR; FT_EUNAVAIL: no clock; FT_ENOMEM.
 * Cost: some 10 s and 96 MiB with the default options. Threads: none of its own; starts child processes.
 */
enum ft_status ft_calibrate(const struct ft_calibrate_options *options, struct ft_calibration *out,
			    struct ft_err *err);

/* ft_calibration_write - a machine and its samples as a table of text that ft_calibration_read reads back.
 *
 * Notes: "# foretime: machine 1", version (of the micro-benchmarks), and the facts of the machine, machine
 * being its fingerprint. Columns: benchmark, wall_s, started. Samples without a value are left out.
 *
 * out  heap, ends with free
 */
enum ft_status ft_calibration_write(const struct ft_machine *machine,
				    const struct ft_calibration *calibration, char **out, struct ft_err *err);

/* ft_calibration_read - such a table.
 *
 * path         a CSV table: a file, plain or gzip; "-" is standard input
 * machine      out, the caller's, ends with ft_machine_clear; cleared on failure, as is calibration
 *
 * Returns FT_OK; FT_ENOENT, FT_EACCESS, FT_EIO, FT_EPARSE (path, line and column); FT_ENOTOURS: no such table; FT_EVERSION: of other
 * operations than ours; FT_EINVAL: a fact that is none; FT_EPARSE with line and column: a benchmark that
 * there is not, a time that is not positive, a moment that is none; FT_ENOMEM.
 */
enum ft_status ft_calibration_read(const char *path, struct ft_machine *machine,
				   struct ft_calibration *calibration, struct ft_err *err);

FT_END_DECLS

#endif
