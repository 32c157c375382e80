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

/* ft_machine_is_called - whether a name is its host or its fingerprint. */
bool ft_machine_is_called(const struct ft_machine *machine, const char *name);

/* ft_machine_named - one of which nothing is known but its name; its fingerprint is drawn from that. Ends
 * with ft_machine_clear. FT_OK; FT_ENOMEM. */
enum ft_status ft_machine_named(const char *name, struct ft_machine *out, struct ft_err *err);

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

#define FT_SPACE_MAX 0x1p52 /* numbers of values up to here are exact, and so are sums of two */

/* ft_space_count - how many there are within least..most. */
double ft_space_count(const struct ft_space *space);

/* ft_space_value - the value of a number. Behind the last one the stride or the progression goes on;
 * infinite: behind the last of a list, or too large for a number. */
double ft_space_value(const struct ft_space *space, double index);

/* ft_space_floor - the number of the largest value <= x, also behind the last one of the range; below 0:
 * none; at most FT_SPACE_MAX. */
double ft_space_floor(const struct ft_space *space, double x);

/* ft_space_next - the least value above x, also behind the last one of the range; infinite: none. */
double ft_space_next(const struct ft_space *space, double x);

/* ft_space_nearest - the value within least..most that is nearest to x, the lower one when two are. */
double ft_space_nearest(const struct ft_space *space, double x);

/* ft_space_admits - whether x is one of those within least..most, but for rounding. */
bool ft_space_admits(const struct ft_space *space, double x);

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

/* ft_param_format - what stands behind "NAME=": "64:3000", "16:131072:*2", "16,32,64", "100"; "" where the
 * range is 0:0. Returns the length of the whole, as snprintf does. */
size_t ft_param_format(const struct ft_param *param, char *buffer, size_t length);

enum { FT_RANGE_LENGTH = FT_LIST_MAX * 32 }; /* room for each of them */

/* ft_param_space - its admissible values; borrows the list. */
struct ft_space ft_param_space(const struct ft_param *param);

bool ft_param_admits(const struct ft_param *param, double value);

/* ft_param_settle - the stride of a parameter whose values were not stated (1), by those that there are: 1
 * where they are whole numbers, else the last decimal place that any of them needs (0.1, 0.25 and 3: 0.01),
 * of twelve digits at most; above 2^50 a step of which twelve digits are left. Another stride, a factor or a
 * list stays. value [n], any order, those that are not finite are passed over. */
void ft_param_settle(struct ft_param *param, const double *value, size_t n);

/* ft_param_covers - whether data at a value belong to the range: they lie within its ends and, where these
 * are given one by one or by a factor, at an admissible value. A stride determines where to measure: data
 * between its steps belong to the range. Of the range 0:0 all do. */
bool ft_param_covers(const struct ft_param *param, double value);

/* ft_param_unite - the range of a parameter that had one before: the last one determines how values lie, and
 * its ends are widened to those before.
 *
 * A progression is widened to values of its own only; two lists become one (where it would be longer than
 * FT_LIST_MAX, the last one alone counts); a list after a range, which it narrows, stands alone. A single
 * value is added to the list or the range before it. A range that data have widens the one before it, but no
 * list. A range 0:0 has no information. The name stays.
 */
void ft_param_unite(struct ft_param *param, const struct ft_param *earlier);

/* One value for each parameter of a program, in the program's order. */
struct ft_size {
	size_t n;
	double value[FT_PARAMS_MAX];
};

bool ft_size_equal(const struct ft_size *a, const struct ft_size *b);

/* ft_size_compare - below 0, 0 or above 0: of fewer values, then by the first value that differs. */
int ft_size_compare(const struct ft_size *a, const struct ft_size *b);

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

/* ft_program_ranges - the progressions and lists of a program as one text, "n=16:1024:*2 m=8,16"; heap, ends
 * with free; NULL: no memory. */
char *ft_program_ranges(const struct ft_program *program);

/* ft_program_take_ranges - what such a text contains of parameters that have the range of their data;
 * anything else in it is passed over. text: may be NULL. */
void ft_program_take_ranges(struct ft_program *program, const char *text);

/* ft_program_find_param - the index of a parameter; -1 when the program has none of that name. */
int ft_program_find_param(const struct ft_program *program, const char *name);

/* ft_program_varying - the index of the parameter that models are functions of: the first one with a range,
 * else 0. */
size_t ft_program_varying(const struct ft_program *program);

enum ft_status ft_program_copy(struct ft_program *to, const struct ft_program *from, struct ft_err *err);
void ft_program_clear(struct ft_program *program);

/* ft_program_same_params - whether two have the same parameters by name, in the same order. ft_program_is_on
 * - whether it is of a device; NULL: of none. */
bool ft_program_same_params(const struct ft_program *a, const struct ft_program *b);
bool ft_program_is_on(const struct ft_program *program, const char *device);

/* ft_program_name_fault, ft_program_device_fault - why a text cannot name a new program, or a device, in
 * words; NULL: it can. Stores may hold programs of names that an older foretime took. */
const char *ft_program_name_fault(const char *name);
const char *ft_program_device_fault(const char *device);

/* ft_program_check_work - whether its work can be read, is of its parameters, and is > 0 at the least, the
 * middle and the most of them; ft_program_check_where - whether a constraint can be read and is of them; NULL
 * is good. FT_OK; FT_EPARSE, FT_EINVAL, FT_ENOMEM. */
enum ft_status ft_program_check_work(const struct ft_program *program, struct ft_err *err);
enum ft_status ft_program_check_where(const struct ft_program *program, const char *where,
				      struct ft_err *err);

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
	ft_first_call_s, ft_later_call_s, ft_peak_rss_bytes, ft_peak_tree_bytes, ft_minor_faults,
	ft_major_faults, ft_voluntary_switches, ft_involuntary_switches, ft_read_bytes, ft_written_bytes,
	ft_input_bytes, ft_output_bytes, ft_instructions, ft_cycles, ft_energy_j, ft_working_set_bytes;

/* ft_resource_get - the i-th of the table; NULL past the last. ft_resource_find - by its name; NULL: the
 * table has none. ft_resource_typed - likewise by its name or one of its words: "mem" is peak_rss_bytes; of a
 * program whose runs are there ft_ask_typed knows better. */
const struct ft_resource *ft_resource_get(size_t i);
const struct ft_resource *ft_resource_find(const char *name);
const struct ft_resource *ft_resource_typed(const char *word);

/* The names of counters that one process can meet. */
enum { FT_COUNTERS_MOST = 4096 };

/* ft_resource_named - the row of a name that stands in data: of the table, else of a counter, which gets one
 * at its first use.
 *
 * Runs and models are copied, merged and handed from thread to thread, and point to rows: so a counter's row
 * is never freed, and there is one of each name, for all callers. Names come from files, which may be made to
 * harm: there is room for FT_COUNTERS_MOST of them, in static memory (0.5 MB, touched as it is used), where
 * libpfm4 has some thousands for one processor and one run counts 16 at most. What a person types never makes
 * a row.
 *
 * Returns FT_OK; FT_EINVAL: no name, one of FT_RESOURCE_LENGTH bytes or more, or one too many. Safe from any
 * thread.
 */
enum ft_status ft_resource_named(const char *name, const struct ft_resource **out, struct ft_err *err);

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
bool ft_label_parse(const char *text, enum ft_label *label);

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
bool ft_outcome_parse(const char *text, enum ft_outcome *outcome);

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

const char *ft_stop_text(enum ft_stop stop);

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

/* ft_run_runnable - tasks of other processes that wanted a processor around a run: the mean of before and
 * after, or the one that is known; NaN: neither is. */
double ft_run_runnable(const struct ft_run *run);

/* ft_run_value - the value of a resource; NaN when the run has none. */
double ft_run_value(const struct ft_run *run, const struct ft_resource *resource);

/* ft_run_footprint - the largest memory of a run, bytes: of all its processes (peak_tree_bytes), else of the
 * largest of them (peak_rss_bytes); NaN: not known. */
double ft_run_footprint(const struct ft_run *run);

/* What a run would have been on an idle machine. */
struct ft_alone {
	double wall_s; /* its wall time less what it waited for other processes, > 0; NaN: it has no wall time
			*/
	double busy_s; /* of this, with a task of its own on a processor, or wanting one; NaN: not known */
	double threads; /* its tasks that wanted a processor at once, the mean over that time; >= 1 */
};

/* ft_run_alone - from its wall time, processor time and run_delay_s.
 *
 * Of one task, wall = processor time + delay + what it was blocked: the delay is taken off. Of several some
 * task was runnable for at most the time w = min(wall, cpu + delay), and the share delay / (cpu + delay) of
 * it is taken off; but no more than the others explain that were seen around it, for its tasks wait for each
 * other, too. Without run_delay_s only what is no processor time, and what these tasks explain. Never below
 * cpu_s / processors. A run without recorded load was on an idle machine: doc/models.md.
 */
struct ft_alone ft_run_alone(const struct ft_run *run);

/* ft_run_idle_value - what models are made of: the value of a resource; of wall_s what it takes alone. */
double ft_run_idle_value(const struct ft_run *run, const struct ft_resource *resource);

/* ft_run_limit - the limit of a resource that a run met: it would have needed more. Of a run that was ended
 * at its time limit what it took of wall_s and other times; of one that was killed for memory what it was
 * given, else the most that was seen of it. > 0; NaN: it met none of that resource. */
double ft_run_limit(const struct ft_run *run, const struct ft_resource *resource);

/* ft_fair_slow_down - by what k tasks take longer that share C processors with L other tasks: max(1, (L + k)
 * / C), k at most C. threads > 0, processors >= 1, `others` >= 0 */
double ft_fair_slow_down(double threads, double processors, double others);

/* ft_run_add - add a sample to a run; reason is copied, and may be NULL. FT_ENOMEM: the run is as it was. */
enum ft_status ft_run_add(struct ft_run *run, const struct ft_resource *resource, double value,
			  enum ft_label label, const char *probe, const char *reason, struct ft_err *err);

struct ft_runs {
	struct ft_run *run;
	size_t n, capacity;
};

/* ft_runs_slow_down - by what the runs that ended well took longer than alone, all together: the sum of their
 * wall times by that of what they take alone; 1: not at all, or there are none. `others`: out, the mean of
 * the tasks seen around those that know; NaN: none does; may be NULL. */
double ft_runs_slow_down(const struct ft_runs *runs, double *others);

/* ft_runs_wanted - the share of the processors that background load wanted during runs; 0 where it was not
 * recorded. */
double ft_runs_wanted(const struct ft_runs *runs);

/* ft_runs_take - append a run; takes over what it holds and zeroes it, on failure clears it. */
enum ft_status ft_runs_take(struct ft_runs *runs, struct ft_run *run, struct ft_err *err);
void ft_runs_clear(struct ft_runs *runs);

/* ft_runs_newest - the run that began last, of several the last of them; NULL: there is none. */
const struct ft_run *ft_runs_newest(const struct ft_runs *runs);

/* ft_runs_killer, ft_runs_killed - the run (NULL) and the value (NaN) of the smallest value of the varying
 * parameter at which a run was killed for memory, among runs that are not above `fixed` in any other
 * parameter; of which no run ended well that is as large in every parameter. */
const struct ft_run *ft_runs_killer(const struct ft_runs *runs, size_t varying, const struct ft_size *fixed);
double ft_runs_killed(const struct ft_runs *runs, size_t varying, const struct ft_size *fixed);

/* ft_runs_failing - likewise the run of the smallest value that failed, crashed or was killed for memory,
 * none as large having ended well: the prediction from there on is not supported by runs. NULL: there is
 * none. */
const struct ft_run *ft_runs_failing(const struct ft_runs *runs, size_t varying, const struct ft_size *fixed);

/* ft_runs_settle - keep, of each of energy_j, instructions and cycles, only the samples of one probe: that of
 * the newest run which has a value; of wall_s and cpu_s only those of "child" or only those of "report", and
 * those of all other probes. Two instruments never stand in one fit. Returns how many runs lost a sample. */
size_t ft_runs_settle(struct ft_runs *runs);

/* ft_program_settle - ft_param_settle of each parameter, by the sizes of runs. FT_OK; FT_ENOMEM. */
enum ft_status ft_program_settle(struct ft_program *program, const struct ft_runs *runs, struct ft_err *err);

/* ft_runs_counters - the counters that runs have values of. out: [n] heap, ends with free; NULL: none */
enum ft_status ft_runs_counters(const struct ft_runs *runs, const struct ft_resource ***out, size_t *n,
				struct ft_err *err);

/* ft_runs_axes - the parameters in which the runs that ended well differ, for one resource (NULL: any).
 * axis  [FT_PARAMS_MAX] out, ascending. Returns their number. */
size_t ft_runs_axes(const struct ft_runs *runs, const struct ft_resource *resource, size_t *axis);

/* ft_runs_shuffle - random order, the same for the same seed. */
void ft_runs_shuffle(struct ft_runs *runs, uint64_t seed);

/* ft_runs_read - runs from a CSV table: columns are parameters and resources, one row a run.
 *
 * path     as for ft_csv_read
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
 * Returns FT_OK; what ft_csv_read and ft_csv_number return; FT_EINVAL: no column of a known resource (the
 * text names those there are) or of a parameter with a range (0:0 is one), rows but none within the ranges;
 * in a run that ended well a wall time or work <= 0; anywhere a negative value (line and column); over 2^20
 * runs. On failure nothing changed. */
enum ft_status ft_runs_read(const char *path, struct ft_program *program, struct ft_runs *runs,
			    struct ft_err *err);
struct ft_csv;
enum ft_status ft_runs_of_table(const struct ft_csv *csv, const char *name, struct ft_program *program,
				struct ft_runs *runs, struct ft_err *err);

/* ft_runs_write - runs as such a table, as text; what ft_runs_read reads back to the last digit.
 *
 * Notes: "# foretime: runs 1", name, work, method, where, ranges (ft_program_ranges), counters (the names of
 * ft_runs_counters, by which they are found again). Columns: parameters, wall_s and what other resources
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

/* Runs of one size, in the order in which they stand. */
struct ft_size_runs {
	const struct ft_run **run; /* [n] n >= 1 */
	size_t n;
};

/* Runs by size, ascending. */
struct ft_by_size {
	struct ft_size_runs *at; /* [n] */
	size_t n;
	const struct ft_run **run; /* of all sizes, one after the other */
};

/* ft_runs_by_size - those runs that count (context is handed to `counts`), by size.
 *
 * out  ends with ft_by_size_clear; points to runs, which must stay where they are
 *
 * Returns FT_OK; FT_ENOMEM. Cost O(n log n).
 */
enum ft_status ft_runs_by_size(const struct ft_runs *runs,
			       bool (*counts)(const struct ft_run *run, const void *context),
			       const void *context, struct ft_by_size *out, struct ft_err *err);
void ft_by_size_clear(struct ft_by_size *by_size);

/* Very many values in little memory: their number, sum and ends are exact, quantiles nearly so. Zero-initialise; ends with
 * nothing. */
enum { FT_SKETCH_BUCKETS = 64 };

struct ft_sketch {
	double least, most, sum;    /* of n = 0: not known */
	size_t n, zeros;            /* zeros: values that are not above 0 */
	int level;                  /* how often buckets were joined in pairs */
	int key[FT_SKETCH_BUCKETS]; /* [n_buckets] ascending */
	size_t count[FT_SKETCH_BUCKETS], n_buckets;
};

/* ft_sketch_add - one more value; one that is not finite is passed over. */
void ft_sketch_add(struct ft_sketch *sketch, double value);

/* ft_sketch_join - all values of another one: the sketch is then that of all values, in any order. */
void ft_sketch_join(struct ft_sketch *sketch, const struct ft_sketch *other);

/* ft_sketch_quantile - the value that a share (0 .. 1) of the values is not above, within ft_sketch_error of it; NaN: there
 * is none. ft_sketch_error: a share of a value: 0.001 where values differ by at most 13 %, 0.008 where by a factor of 2. */
double ft_sketch_quantile(const struct ft_sketch *sketch, double share);
double ft_sketch_error(const struct ft_sketch *sketch);

/* ft_sketch_pack, ft_sketch_unpack - its buckets as bytes: heap, ends with free. FT_EPARSE: these are none. */
enum ft_status ft_sketch_pack(const struct ft_sketch *sketch, void **out, size_t *length, struct ft_err *err);
enum ft_status ft_sketch_unpack(const void *bytes, size_t length, double least, double most, double sum,
				struct ft_sketch *out, struct ft_err *err);

/* What a resource was at one size. */
struct ft_size_values {
	struct ft_size size;
	size_t n, failed;             /* values that are there; runs that did not end well */
	double median, least, most;   /* as on an idle machine (ft_run_idle_value); NaN: n = 0 */
	const struct ft_run *failure; /* the last of those that failed */
};

/* ft_runs_values - of each size, ascending; warm-ups are passed over.
 *
 * out  heap, ends with free; points to runs, as ft_runs_by_size
 *
 * Returns FT_OK; FT_ENOMEM: out NULL. Cost O(n log n).
 */
enum ft_status ft_runs_values(const struct ft_runs *runs, const struct ft_resource *resource,
			      struct ft_size_values **out, size_t *n, struct ft_err *err);

FT_END_DECLS

/*
 * What an expert states of a program before it was run: laws, and what it requires of a
 * machine.
 *
 * It is the first of four levels of what is known of a program: expert knowledge, trial runs, real runs, the
 * model made of the runs. Source: document 002, sections 3.2.3 and 4.1.3.
 */

FT_BEGIN_DECLS

enum { FT_REQUIREMENT_LENGTH = 16 };

/* A formula for a resource, in its SI unit. */
struct ft_stated {
	const struct ft_resource *resource;
	char *law; /* an expression of the parameters, as foretime/expr.h reads it */
};

/* X(name, word, what its value is) */
#define FT_REQUIREMENT_LIST(X)                                                                               \
	X(MEMORY, "memory", "bytes, as in 8GiB")                                                             \
	X(PROCESSORS, "processors", "how many")                                                              \
	X(ARCHITECTURE, "architecture", "as uname -m names it")                                              \
	X(SOFTWARE, "software", "a command that must be found; may be given several times")

enum ft_requirement_kind {
#define FT_REQUIREMENT_ENUM(name, word, about) FT_REQUIRES_##name,
	FT_REQUIREMENT_LIST(FT_REQUIREMENT_ENUM)
#undef FT_REQUIREMENT_ENUM
};

const char *ft_requirement_text(enum ft_requirement_kind kind);

struct ft_requirement {
	enum ft_requirement_kind kind;
	double amount; /* of memory (bytes) and processors */
	char *value;   /* as it was written: "8GiB" */
};

/* Zero-initialise; ends with ft_knowledge_clear. */
struct ft_knowledge {
	struct ft_stated *stated;
	size_t n_stated, stated_capacity;
	struct ft_requirement *requirement;
	size_t n_requirements, requirement_capacity;
};

void ft_knowledge_clear(struct ft_knowledge *knowledge); /* accepts NULL, and twice */

/* ft_knowledge_law - the law of a resource; NULL: not stated. Borrowed. */
const char *ft_knowledge_law(const struct ft_knowledge *knowledge, const struct ft_resource *resource);

/* ft_knowledge_state - state the law of a resource in place of the one that stood there; law NULL: take it
 * away, which is no failure when there is none.
 *
 * Returns FT_OK; FT_EPARSE: no expression; FT_ENOMEM. On failure nothing changed.
 */
enum ft_status ft_knowledge_state(struct ft_knowledge *knowledge, const struct ft_resource *resource,
				  const char *law, struct ft_err *err);

/* ft_knowledge_require - add "memory=8GiB", "processors=4", "architecture=x86_64" or "software=mpirun"; but
 * for software, it takes the place of one of its kind.
 *
 * Returns FT_OK; FT_EPARSE: no requirement, or an amount that is none; FT_ENOMEM. */
enum ft_status ft_knowledge_require(struct ft_knowledge *knowledge, const char *text, struct ft_err *err);

/* ft_knowledge_release - take requirements away: all of a kind ("memory"), or one ("software=mpirun").
 *
 * Returns FT_OK; FT_EPARSE: no such kind; FT_ENOENT: there is none. */
enum ft_status ft_knowledge_release(struct ft_knowledge *knowledge, const char *text, struct ft_err *err);

/* ft_knowledge_value - what the law of a resource gives at a size.
 *
 * Returns FT_OK; FT_ENOENT: no law; FT_EPARSE; FT_EINVAL: a name that is no parameter, or a value that is
 * negative or not finite there.
 */
enum ft_status ft_knowledge_value(const struct ft_knowledge *knowledge, const struct ft_program *program,
				  const struct ft_resource *resource, const struct ft_size *size,
				  double *value, struct ft_err *err);

/* ft_requirement_unmet - whether a machine certainly does not meet a requirement. What is not known of it
 * does not count against it.
 *
 * here  it is this machine, where PATH can be searched
 * why   [length] out, a sentence: "8.00 GiB of memory are required, and box has 4.00 GiB"; "" when it is met
 */
bool ft_requirement_unmet(const struct ft_requirement *requirement, const struct ft_machine *machine,
			  bool here, char *why, size_t length);

FT_END_DECLS

#endif
