/* SPDX-License-Identifier: GPL-3.0-or-later */
/* facts.h - plain data: what a machine, a program, a size, a resource, a run and a sample are.
 *
 * Everything here is zero-initialised by its owner, may be cleared at any time, and twice. Strings are heap
 * strings of the struct that holds them; NULL means "not known" unless it states otherwise. */
#ifndef FORETIME_FACTS_H
#define FORETIME_FACTS_H

#include "foretime/base.h"

#include <stdbool.h>
#include <stdint.h>

FT_BEGIN_DECLS

enum { FT_PARAMS_MAX = 8, FT_RESOURCE_LENGTH = 32, FT_PROBE_LENGTH = 16, FT_PARAM_LENGTH = 32 };

/* ---- machines ---------------------------------------------------------------------------------------- */

/* A computational environment. Machines of equal hardware have equal fingerprints, independent of their host.
 */
struct ft_machine {
	int64_t id;        /* in its store; 0: not stored */
	char *fingerprint; /* 16 hexadecimal digits over the hardware below */
	char *host;
	char *cpu;                   /* the processor's name */
	char *architecture;          /* "x86_64" */
	int sockets, cores, threads; /* threads = processors that the operating system schedules on */
	int64_t l1d_bytes, l2_bytes, l3_bytes; /* of one instance; 0: none or not known */
	int64_t memory_bytes;
	char *system;     /* "Debian GNU/Linux 12 (bookworm), Linux 6.1.0" */
	char *governor;   /* frequency governor of the first processor */
	char *hypervisor; /* "KVM"; NULL: none seen */
	char *scheduler;  /* "Slurm job 4711"; NULL: not inside a job */
};

void ft_machine_clear(struct ft_machine *machine);

/* ---- programs ---------------------------------------------------------------------------------------- */

/* Admissible values, ascending and numbered from 0. Over a stride `most` is always one of them; a progression
 * and a list end with the last one that they have. */
struct ft_space {
	double least, most;
	double stride; /* least, least + stride, ... ; > 0 */
	const double
		*sizes; /* [n_sizes] ascending: only these, instead of the stride; NULL: the stride counts */
	size_t n_sizes;
	/* > 1: least, least * factor, least * factor^2, ... instead of the stride; rounded to integers, each
	 * once, where least is one. 0: the stride counts */
	double factor;
};

enum { FT_LIST_MAX = 256 };

/* A parameter and its admissible range. least == most: a fixed value. Plain data: copied by
 * assignment. */
struct ft_param {
	char name[FT_PARAM_LENGTH];
	double least, most;
	double stride; /* admissible values are least, least + stride, ... ; > 0 */
	double factor; /* > 1: least, least * factor, ... instead, as of struct ft_space; 0: the stride */
	size_t n_list; /* > 0: only those of the list, instead of both */
	double list[FT_LIST_MAX]; /* ascending, the first is least, the last most; unused ones 0 */
	bool of_data; /* the range was not stated, data have it: it does not determine how values lie. Not
			 stored */
};

/* ft_param_parse - "n=64:3000", "n=64:3000:64" (every 64th), "n=0.1:0.9" (by the last place of its ends:
 * 0.1), "n=16:131072:*2" (each twice the one before it), "n=16,32,64" (only these, in any order), "m=100", or
 * "n" alone (range 0:0: to be found in the data).
 *
 * `most` of a progression becomes the last value that it reaches: of n=16:1000:*2 it is 512. A list of one
 * value, given once or often, is a fixed value.
 *
 * Returns FT_OK; FT_EPARSE, FT_EINVAL: no name, an empty or reversed range, a stride <= 0, more than 2^53
 * values; a factor without a number or <= 1 (or hardly above it), a progression that begins at 0 or below or
 * has one value only; an empty item of a list, one that is no number, more than FT_LIST_MAX of them.
 */
enum ft_status ft_param_parse(const char *text, struct ft_param *param, struct ft_err *err);

/* One value for each parameter of a program, in the program's order. */
struct ft_size {
	size_t n;
	double value[FT_PARAMS_MAX];
};

bool ft_size_equal(const struct ft_size *a, const struct ft_size *b);

struct ft_program {
	int64_t id;   /* in its store; 0: not stored */
	char *name;   /* NAME, or NAME/ROUTINE */
	char *device; /* which of several devices or implementations of it; NULL: there is one alone */
	char *driver; /* what drives that device, in its own words; NULL: nothing that changes by itself */
	char **argv;  /* [argc + 1], the last NULL; "{n}" is parameter n; NULL: runs come from elsewhere */
	size_t argc;
	char *hash;  /* of executable and driver, another for another program; "": runs come from elsewhere */
	char *work;  /* volume of computation as an expression of the parameters; NULL: not stated */
	char *where; /* what a size must meet to make sense, as an expression; NULL: every size does */
	char *method; /* the builder whose interpolant its bands use; NULL: not built yet */
	struct ft_param param[FT_PARAMS_MAX];
	size_t n_params;
};

enum ft_status ft_program_copy(struct ft_program *to, const struct ft_program *from, struct ft_err *err);
void ft_program_clear(struct ft_program *program);

/* ft_size_format - "n=512 m=100" for people and messages; returns the whole length, as snprintf does. */
size_t ft_size_format(const struct ft_program *program, const struct ft_size *size, char *buffer,
		      size_t length);

/* ---- resources --------------------------------------------------------------------------------------- */

/* How costs behave: a time has caches, load and start-up, and is modelled through speed = work / time; memory
 * is levels and pages; a count (instructions, events, bytes read and written) is the program's own and nearly
 * exact; energy follows time. */
enum ft_resource_class { FT_CLASS_TIME, FT_CLASS_MEMORY, FT_CLASS_COUNT, FT_CLASS_ENERGY, FT_CLASSES };

/* A resource is a row: it is found once, where a name is read (arguments, HTTP, files, columns of the store),
 * and compared by its address. Rows are constant and live as long as the process. */
struct ft_resource {
	const char *name;  /* "wall_s"; the unit is its last word */
	const char *unit;  /* as ft_value_format takes it: "s", "bytes", "" */
	const char *words; /* as people type it, separated by blanks, the usual one first; "": by its name
			      alone */
	const char *about;
	enum ft_resource_class of;
	bool additive;  /* a measure in the sense of 004 5.1.3; peak memory is not */
	bool disturbed; /* a time or an energy: what else happens at that moment changes it, where memory and
			   counts are the program's own */
	bool predicted; /* it is modelled at all: what was done to one run does not predict the next */
	bool counter;   /* a counter of the processor or of the kernel, which is not in the table */
};

extern const struct ft_resource ft_wall_s, ft_cpu_s, ft_user_s, ft_system_s, ft_run_delay_s, ft_frozen_s,
	ft_reference_s, ft_first_call_s, ft_later_call_s, ft_peak_rss_bytes, ft_peak_tree_bytes,
	ft_minor_faults, ft_major_faults, ft_voluntary_switches, ft_involuntary_switches, ft_read_bytes,
	ft_written_bytes, ft_input_bytes, ft_output_bytes, ft_sent_bytes, ft_received_bytes, ft_scratch_bytes,
	ft_gpu_memory_bytes, ft_gpu_s, ft_instructions, ft_cycles, ft_energy_j, ft_working_set_bytes;

/* ft_resource_get - the i-th of the table; NULL past the last. ft_resource_find - by its name; NULL: the
 * table has none. ft_resource_typed - likewise by its name or one of its words: "mem" is peak_rss_bytes; of a
 * program whose runs are stored ft_ask_find knows better. */
const struct ft_resource *ft_resource_get(size_t i);
const struct ft_resource *ft_resource_find(const char *name);
const struct ft_resource *ft_resource_typed(const char *word);

/* ---- runs and samples -------------------------------------------------------------------------------- */

/* X(name, what a person reads) */
#define FT_LABEL_LIST(X)                                                                                     \
	X(MEASURED, "measured")                                                                              \
	X(SIMULATED, "simulated")                                                                            \
	X(ESTIMATED, "estimated")                                                                            \
	X(UNAVAILABLE, "unavailable")

enum ft_label {
#define FT_LABEL_ENUM(name, words) FT_##name,
	FT_LABEL_LIST(FT_LABEL_ENUM)
#undef FT_LABEL_ENUM
};

const char *ft_label_text(enum ft_label label);

/* One resource value of one run. */
struct ft_sample {
	const struct ft_resource *resource;
	double value; /* NaN when unavailable */
	enum ft_label label;
	char probe[FT_PROBE_LENGTH];
	char *reason; /* why it is unavailable, and the remedy; else NULL */
};

/* X(name, what a person reads) */
#define FT_OUTCOME_LIST(X)                                                                                   \
	X(DONE, "done")                   /* ended by itself with status 0 */                                \
	X(FAILED, "failed")               /* ended with another status: exit_status */                       \
	X(CRASHED, "crashed")             /* ended by a signal of its own: signal */                         \
	X(TIMED_OUT, "timed out")         /* ended by us at its time limit */                                \
	X(OUT_OF_MEMORY, "out of memory") /* killed by the kernel for memory */                              \
	X(INVALID, "not valid")           /* it stated that this size makes no sense */                      \
	X(NOT_STARTED, "not started")     /* could not be executed */                                        \
	X(INTERRUPTED, "interrupted")     /* ended by us because the user wished it */

enum ft_outcome {
#define FT_OUTCOME_ENUM(name, words) FT_##name,
	FT_OUTCOME_LIST(FT_OUTCOME_ENUM)
#undef FT_OUTCOME_ENUM
};

const char *ft_outcome_text(enum ft_outcome outcome);

/* Why a sweep or a builder stopped. X(name, what is printed) */
#define FT_STOP_LIST(X)                                                                                      \
	X(TOLERANCE, "tolerance") /* the method's own rule is satisfied */                                   \
	X(BUDGET, "budget")       /* the seconds are spent, or the next run would not fit in them */         \
	X(POINTS, "points")       /* as many sizes as were wanted */                                         \
	X(EXHAUSTED, "exhausted") /* no admissible size is left */                                           \
	X(INTERRUPTED, "interrupted")

enum ft_stop {
#define FT_STOP_ENUM(name, words) FT_STOP_##name,
	FT_STOP_LIST(FT_STOP_ENUM)
#undef FT_STOP_ENUM
};

/* One execution of a program at a size on a machine; or one routine's share of it. */
struct ft_run {
	int64_t id;    /* in its store; 0: not stored */
	char *routine; /* the routine that reported it; NULL: the process, or its only routine */
	struct ft_size size;
	enum ft_outcome outcome;
	int exit_status;   /* of FT_FAILED */
	int signal;        /* of FT_CRASHED, FT_OUT_OF_MEMORY */
	bool warmup;       /* the first of a sweep: kept, not modelled */
	bool real;         /* somebody needed its result; else a benchmark, made to measure */
	bool left_running; /* a process of it could not be ended; stored in its detail alone */
	double cost_s; /* wall seconds of the whole process, of what prepares it and cleans up behind it, and
			  of an extra run that counted its instructions */
	double work;   /* volume of computation that the run itself reported; NaN: it did not */
	int64_t started_ns; /* wall clock, since 1970; 0: not known */
	double load_before; /* load average over one minute; NaN: not known */
	double runnable_before,
		runnable_after; /* tasks of other processes that ran or waited for a processor, just
				   before it began and right after it ended; NaN: not known */
	double pressure; /* share of its time in which a task, also its own, waited for a processor (PSI) */
	int processors;  /* that the operating system scheduled on; 0: not known */
	double cpu_hz;   /* frequency of the first processor; NaN: not known */
	double asked_s, asked_bytes; /* requested from a batch system; NaN, or 0: not known */
	char *node;    /* of a record: the node that it ran on, or a list of nodes; NULL: not known,
			  or a run that was measured here */
	char *user;    /* of a record: a number for the user whose job it was, in place of the name;
			  NULL: not known */
	char *version; /* of the foretime that measured it */
	char *detail;  /* the last lines that it wrote to standard error, when it did not end well */
	struct ft_sample *sample;
	size_t n_samples;
};

/* ft_run_init - a run of which nothing is known: numbers are NaN, the rest is zero. */
void ft_run_init(struct ft_run *run);
void ft_run_clear(struct ft_run *run);

/* ft_run_value - the value of a resource; NaN when the run has none. */
double ft_run_value(const struct ft_run *run, const struct ft_resource *resource);

/* ft_run_add - add a sample to a run; reason is copied, and may be NULL. FT_ENOMEM: the run is as it was. */
enum ft_status ft_run_add(struct ft_run *run, const struct ft_resource *resource, double value,
			  enum ft_label label, const char *probe, const char *reason, struct ft_err *err);

struct ft_runs {
	struct ft_run *run;
	size_t n, capacity;
};

/* ft_runs_take - append a run; takes over what it holds and zeroes it, on failure clears it. */
enum ft_status ft_runs_take(struct ft_runs *runs, struct ft_run *run, struct ft_err *err);
void ft_runs_clear(struct ft_runs *runs);

/* ft_runs_read - runs from a CSV table: columns are parameters and resources, one row a run.
 *
 * path     a CSV table: a file, plain or gzip; "-" is standard input
 * program  in: the parameters whose names to look for (none: "n" when there is such a column, else FT_EINVAL
 *          names the columns). A parameter without a column takes its fixed value. Out: a parameter with the
 *          range 0:0 gets that of the data, and how values lie from the note "ranges"; work, method and where
 *          from the table's notes where the program has none
 * runs     appended to, in the order of the rows; rows outside a parameter's range are left out
 *
 * Columns besides parameters and resources: `work`; `outcome`, `warmup`, `cost_s`, `started`,
 * `load_before`, `runnable_before`, `runnable_after`, `pressure`, `processors` (as ft_runs_write writes them;
 * the latter five under its note "foretime" alone, and unless a parameter has that name); the rest is passed
 * over. cost_s is wall_s where there is no such value, else the first time there is. An empty cell of a
 * resource is no sample; a run that ended well has at least one.
 * Returns FT_OK; FT_ENOENT, FT_EACCESS, FT_EIO, FT_EPARSE (path, line and column); FT_EINVAL: no column of a known resource (the
 * text names those there are) or of a parameter with a range (0:0 is one), rows but none within the ranges;
 * in a run that ended well a wall time or work <= 0; anywhere a negative value (line and column); over 2^20
 * runs. On failure nothing changed. */
enum ft_status ft_runs_read(const char *path, struct ft_program *program, struct ft_runs *runs,
			    struct ft_err *err);

/* ft_runs_write - runs as such a table, as text; what ft_runs_read reads back to the last digit.
 *
 * Notes: "# foretime: runs 1", name, work, method, where, ranges, counters (their names, by which they are found again). Columns: parameters, wall_s and what other resources
 * there are values of, work where a run reported it, outcome (in words), warmup (0 or 1), cost_s, of
 * load_before .. processors those that are known of some run, started (ISO 8601, UTC).
 *
 * out  heap, ends with free
 */
enum ft_status ft_runs_write(const struct ft_program *program, const struct ft_runs *runs, char **out,
			     struct ft_err *err);

/* ---- load ------------------------------------------------------------------------------------------- */

/* One observation of the background load of a machine. */
struct ft_load {
	int64_t started_ns; /* wall clock, since 1970; 0: not known */
	double interval_s;  /* how long was looked, > 0 */
	double load; /* background load in processors, >= busy, also more than there are: busy ones, and tasks
			that waited for one (load.h). Where these were not counted it equals busy: at
			least this much */
	double busy; /* processors kept busy by other processes, 0 .. processors; what a hypervisor took is in
			it; NaN: not known */
	double steal;  /* ... that part of it; NaN: not known */
	double iowait; /* processors that were idle while a process waited for a device: not in load; NaN: not
			  known */
	int processors; /* that the operating system scheduled on */
	bool by_sweep;  /* seen by a sweep, whose own runs are not in it */
};

struct ft_loads {
	struct ft_load *load;
	size_t n, capacity;
};

/* ft_loads_add - append an observation; FT_ENOMEM leaves the list as it was. */
enum ft_status ft_loads_add(struct ft_loads *loads, const struct ft_load *load, struct ft_err *err);
void ft_loads_clear(struct ft_loads *loads); /* accepts NULL, and twice */

/* Background loads at equal intervals (000 section 2.2: l_1 .. l_h, one for every D). */
struct ft_load_history {
	int64_t start_ns;  /* when the first interval began */
	double interval_s; /* D */
	double *load;      /* [n] processors, newest last; NaN: a gap, of one interval or of many */
	size_t n, capacity;
	double processors; /* C */
};

/* ft_load_history_add - append a load, or NaN. FT_ENOMEM leaves the history as it was. */
enum ft_status ft_load_history_add(struct ft_load_history *history, double load, struct ft_err *err);
void ft_load_history_clear(struct ft_load_history *history); /* accepts NULL, and twice */

FT_END_DECLS

/*
 * Runs of one size, together.
 */

FT_BEGIN_DECLS

/* What a resource was at one size. */
struct ft_size_values {
	struct ft_size size;
	size_t n, failed;             /* values that are there; runs that did not end well */
	double median, least, most;   /* as on an idle machine; NaN: n = 0 */
	const struct ft_run *failure; /* the last of those that failed */
};

/* ft_runs_values - of each size, ascending; warm-ups are passed over.
 *
 * out  heap, ends with free; points to runs, which must stay where they are
 *
 * Returns FT_OK; FT_ENOMEM: out NULL. Cost O(n log n).
 */
enum ft_status ft_runs_values(const struct ft_runs *runs, const struct ft_resource *resource,
			      struct ft_size_values **out, size_t *n, struct ft_err *err);

FT_END_DECLS

#endif
