/* SPDX-License-Identifier: GPL-3.0-or-later */
/* door.h - what other rooms and commands use of facts beyond its interface. */
#ifndef FT_FACTS_DOOR_H
#define FT_FACTS_DOOR_H

#include "base/csv.h"
#include "foretime/base.h"
#include "foretime/facts.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- machines ---------------------------------------------------------------------------------------- */

/* ft_machine_is_called - whether a name is its host or its fingerprint. */
bool ft_machine_is_called(const struct ft_machine *machine, const char *name);

/* ft_machine_named - one of which nothing is known but its name; its fingerprint is drawn from that. Ends
 * with ft_machine_clear. FT_OK; FT_ENOMEM. */
enum ft_status ft_machine_named(const char *name, struct ft_machine *out, struct ft_err *err);

/* ---- programs ---------------------------------------------------------------------------------------- */

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

/* ft_size_compare - below 0, 0 or above 0: of fewer values, then by the first value that differs. */
int ft_size_compare(const struct ft_size *a, const struct ft_size *b);

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

/* ---- resources --------------------------------------------------------------------------------------- */

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

bool ft_label_parse(const char *text, enum ft_label *label);

bool ft_outcome_parse(const char *text, enum ft_outcome *outcome);

const char *ft_stop_text(enum ft_stop stop);

/* ft_run_runnable - tasks of other processes that wanted a processor around a run: the mean of before and
 * after, or the one that is known; NaN: neither is. */
double ft_run_runnable(const struct ft_run *run);

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
 * cpu_s / processors. A run without recorded load was on an idle machine: doc/load.md.
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

/* ft_runs_slow_down - by what the runs that ended well took longer than alone, all together: the sum of their
 * wall times by that of what they take alone; 1: not at all, or there are none. `others`: out, the mean of
 * the tasks seen around those that know; NaN: none does; may be NULL. */
double ft_runs_slow_down(const struct ft_runs *runs, double *others);

/* ft_runs_wanted - the share of the processors that background load wanted during runs; 0 where it was not
 * recorded. */
double ft_runs_wanted(const struct ft_runs *runs);

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

struct ft_csv;

/* ft_runs_of_table - ft_runs_read of a table that is in memory already. name: of it, for messages. */
enum ft_status ft_runs_of_table(const struct ft_csv *csv, const char *name, struct ft_program *program,
				struct ft_runs *runs, struct ft_err *err);

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

/*
 * What an expert states of a program before it was run: laws, and what it requires of a
 * machine.
 *
 * It is the first of four levels of what is known of a program: expert knowledge, trial runs, real runs, the
 * model made of the runs. Source: document 002, sections 3.2.3 and 4.1.3.
 */

enum { FT_REQUIREMENT_LENGTH = 16 };

/* A formula for a resource, in its SI unit. */
struct ft_stated {
	const struct ft_resource *resource;
	char *law; /* an expression of the parameters, as ft_expr_new reads it */
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

/* ft_run_copy - all of a run, with texts and samples of its own. Returns FT_OK; FT_ENOMEM: `to` is cleared. */
enum ft_status ft_run_copy(struct ft_run *to, const struct ft_run *from, struct ft_err *err);

/* ---- profiles ----------------------------------------------------------------------------------------- */

/* What a function of a program takes, as callgrind counts it. */
struct ft_profile_function {
	char *name; /* as valgrind has it, C++ and Rust in their own spelling; "0x10a1b0" where the file has no
			 names */
	char *object;                /* the executable or library; "???": not known */
	char *file;                  /* its source; "???": not known */
	double exclusive, inclusive; /* instructions: its own; with those of all that it calls, once each */
	bool nameless;               /* its file is stripped: the name is an address */
	bool recursive; /* it calls itself, or is called by what it calls: `inclusive` is then that
					of the whole circle */
};

/* What the calls from one function to another one took, with all that these call. */
struct ft_profile_call {
	size_t from, to; /* functions of the profile */
	double inclusive;
};

/* Zero-initialise; ends with ft_profile_clear. */
struct ft_profile {
	struct ft_profile_function *function; /* [n] */
	size_t n, capacity;
	struct ft_profile_call *call; /* [calls] of several processes, several of the same; none to itself */
	size_t calls, call_capacity;
	double instructions; /* of all functions */
	double inlined;   /* of these, from source lines of another file than their function's: the compiler
				put them there. Known of programs with debugging information only */
	size_t processes; /* that were counted */
	char *command;    /* of the last one, as callgrind has it */
	bool forked;      /* a process was forked and went on: it counts again what came before */
};

void ft_profile_clear(struct ft_profile *profile); /* accepts NULL, and twice */

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

#endif
