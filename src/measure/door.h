/* SPDX-License-Identifier: GPL-3.0-or-later */
/* door.h - what other rooms and commands use of measure beyond its interface. */
#ifndef FT_MEASURE_DOOR_H
#define FT_MEASURE_DOOR_H

#include "facts/door.h"
#include "foretime/base.h"
#include "foretime/facts.h"
#include "foretime/measure.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the power model of document 004 calls a job (eq. 12.1): a serial start and end, all n cores between.
 */
struct ft_usage_job {
	double cores; /* n: what nine tenths of the parallel time kept busy at most, an integer; 1: it was
			 serial */
	double wall_s;
	double job_s; /* for this long all n worked: where fewer did, their share counts */
};

/* ft_usage_job - of a trace; false: it has no length, or there is no memory. Cost O(n log n). */
bool ft_usage_job(const struct ft_usage *usage, struct ft_usage_job *out);

/* ft_launch_names - whether runs depend on the value of a parameter: {name} stands in an argument or in
 * prepare, or the name of any column of the cases does. Where it does not, all sizes are the same run. */
bool ft_launch_names(const struct ft_launch *launch, const char *name);

/* ft_source_sizes - the only values of the first parameter that the source can run (recorded sizes, cases),
 * ascending; of a replay, of the first parameter whose recorded values vary. Returns their number; 0: no such
 * limit. Borrowed until the source is closed. */
size_t ft_source_sizes(const struct ft_source *source, const double **sizes);

/* ft_source_sizes_of - the same of any parameter, by its index. */
size_t ft_source_sizes_of(const struct ft_source *source, size_t param, const double **sizes);

/* ft_source_is_live - whether it executes something now: its first run is slower than the others, and
 * machines change. */
bool ft_source_is_live(const struct ft_source *source);

/* ft_source_frozen - somebody may make this process, and all that it started, pause for a while, and
 * reports it: from a run's wall time (which is then labelled estimated) and of what it cost that is taken
 * off, it is no part of its time limit, and the run has it as frozen_s.
 *
 * heard_s  called before a run begins, every 20 ms while it goes on and once it has ended, until it returns 0:
 *          for how many seconds all were paused, each time once. It may set the flag of ft_source_interrupt.
 *          NULL: never
 */
void ft_source_frozen(struct ft_source *source, double (*heard_s)(void *ctx), void *ctx);

/* How far a program is, as seen from outside: its position in the files that it reads, and what it used. */
struct ft_inputs;

struct ft_inputs_look {
	bool alive;
	double read, total; /* bytes of its input files behind its positions, and of all; 0: none */
	double input_bytes, output_bytes; /* of its calls of read and write; NaN: not known */
	double cpu_s, delay_s;            /* of its living tasks; NaN: not known */
};

/* ft_inputs_open - of a process and its descendants.
 *
 * root   "", or a folder that holds a recorded /proc
 * pid    any process; that there is none is seen by the looks
 *
 * Input files are those that stand among its arguments, and those that it opened to read and that are at least a
 * fiftieth of the largest of them. Returns FT_OK; FT_ENOMEM. */
enum ft_status ft_inputs_open(struct ft_inputs **out, const char *root, int pid, struct ft_err *err);

/* ft_inputs_look - now. Pipes, sockets and files in memory have no position; one that was read and is closed is
 * done. Cost: a few system calls for each open file. */
void ft_inputs_look(struct ft_inputs *inputs, struct ft_inputs_look *out);

/* ft_inputs_since_s - seconds since the process began; NaN: it is gone. */
double ft_inputs_since_s(const struct ft_inputs *inputs);
void ft_inputs_close(struct ft_inputs *inputs); /* accepts NULL */

/* Runs of one program at the same time. */
struct ft_group;

/* ft_group_open - as ft_source_open_process, n >= 1 times: pass_through, real, watcher and usage are of one
 * run, and not for several. out: heap, ends with ft_group_close */
enum ft_status ft_group_open(struct ft_group **out, const struct ft_launch *launch, size_t n,
			     struct ft_err *err);
void ft_group_close(struct ft_group *group); /* ends what still runs; accepts NULL */
void ft_group_interrupt(struct ft_group *group, const volatile sig_atomic_t *flag);

/* ft_group_run - n runs that begin within some ms, and are waited for by a thread each: each run as of
 * ft_source_run, but for its routines, which are left out.
 *
 * runs  appended to: [n]; on failure perhaps some of them
 *
 * Returns what ft_source_run returns, the first failure; FT_EINVAL: more than were opened; FT_EUNAVAIL: a
 * thread cannot be had.
 */
enum ft_status ft_group_run(struct ft_group *group, const struct ft_size *size, size_t n, double limit_s,
			    struct ft_runs *runs, struct ft_err *err);

/* ft_program_arguments - the command of a program at a size, as it would be run: a vector that ends with
 * NULL.
 *
 * out  heap, ends with ft_arguments_free; NULL on failure
 *
 * Returns FT_OK; FT_ENOENT: it has no command; FT_EINVAL: a placeholder without value; FT_ENOMEM.
 */
enum ft_status ft_program_arguments(const struct ft_program *program, const struct ft_size *size, char ***out,
				    struct ft_err *err);
void ft_arguments_free(char **arguments); /* accepts NULL */

/* ft_program_hash - identifies a build of a program: 16 hexadecimal digits over the executable's
 * bytes, over those of the script when the executable is an interpreter, and over the driver's words; of what
 * `foretime device run` launches also over its options, but for those that state a size. Searches PATH as
 * execvp does.
 *
 * out  heap, ends with free
 *
 * Returns FT_OK; FT_ENOENT, FT_EACCESS; FT_EINVAL: argv[0] holds a placeholder; FT_ENOMEM.
 */
enum ft_status ft_program_hash(const struct ft_program *program, char **out, struct ft_err *err);

/* ft_program_stamp - a text that is another one whenever what is behind ft_program_hash has changed: of files
 * their places on the disk, lengths and times. Does not read them.
 *
 * Returns as ft_program_hash. */
enum ft_status ft_program_stamp(const struct ft_program *program, char **out, struct ft_err *err);

/* ft_memory_limit_bytes - how much memory a run may have here, now, before it pages or is killed: the least
 * of what is available (/proc/meminfo), what the memory cgroups around this process leave (versions 1 and 2),
 * and the limit of the address space (RLIMIT_AS). Swap is not counted.
 *
 * root  "" for this machine, or a folder that holds a recorded /proc and /sys
 * why   out, which of them it is, in words; static; may be NULL
 *
 * Returns FT_OK; FT_EUNAVAIL (*bytes NaN): not known.
 */
enum ft_status ft_memory_limit_bytes(const char *root, double *bytes, const char **why, struct ft_err *err);

/* ft_quota_processors - how many processors this process, and what it starts, may keep busy for long: the
 * least quota of the control groups around it (versions 1 and 2). What a run waits for that is no part of its
 * run_delay_s: it would wait so at any time.
 *
 * root  "" for this machine, or a folder that holds a recorded /proc and /sys
 *
 * Returns INFINITY: no quota is seen.
 */
double ft_quota_processors(const char *root);

/*
 * How fast another machine is reached: latency and bandwidth, measured through a remote shell, or
 * from times that were measured otherwise.
 */

enum { FT_MESSAGES_MAX = 1000 };

/* A message, one way. */
struct ft_message {
	double bytes, seconds;
};

/* A figure, and where it lies with 95 % confidence. */
struct ft_figure {
	double value, least, most;
};

/* t = latency + bytes / bandwidth. */
struct ft_link {
	struct ft_figure latency_s, bytes_per_s; /* most may be INFINITY */
	size_t messages;                         /* that it rests on */
};

/* ft_link_fit - of messages of several sizes: the median slope of all pairs of different sizes, and the
 * median of what is left of the times. Up to a quarter of them may be as late as they like.
 *
 * message  [n] at least 4, of 2 sizes; times are not negative
 *
 * Returns FT_OK; FT_EINVAL: no such messages, or longer ones take no longer; FT_ENOMEM. Sources: Theil 1950,
 * Sen 1968; the intervals are those of 399 draws with replacement, always the same (Efron, Bootstrap methods,
 * 1979). Cost O(400 n^2).
 */
enum ft_status ft_link_fit(const struct ft_message *message, size_t n, struct ft_link *out,
			   struct ft_err *err);

/* ft_link_measure - bounce messages off another machine: argv is a command that runs `sh -c` of its last
 * argument there, which this adds, with its standard streams (ssh HOST). Nothing of foretime is needed there,
 * but sh and head. Some ten seconds; what starting head takes there is taken off.
 *
 * argv       ends with NULL
 * interrupt  ends it when it is set; may be NULL
 * forth, back  out: to there; to here
 *
 * Returns FT_OK; FT_EUNAVAIL: it cannot be started, or ends, or sends no data for 30 s; FT_EINTR;
 * FT_ENOMEM; what ft_link_fit returns.
 */
enum ft_status ft_link_measure(char *const *argv, const volatile sig_atomic_t *interrupt,
			       struct ft_link *forth, struct ft_link *back, struct ft_err *err);

/* In a store a micro-benchmark is the program FT_CALIBRATION_PREFIX NAME without parameters, its hash
 * ft_calibration_version(), and a sample the wall_s of a run of it. */
#define FT_CALIBRATION_PREFIX "calibration/"

/* ft_micro_get - the i-th micro-benchmark of the table; NULL past the last. */
const struct ft_micro *ft_micro_get(size_t i);

/* ft_micro_find - by name, with or without FT_CALIBRATION_PREFIX; NULL when there is none. */
const struct ft_micro *ft_micro_find(const char *name);

/* ft_calibration_version - changes when an operation does: seconds of different versions are never compared.
 * A build without optimisation, or with sanitizers, has one of its own. Static. */
const char *ft_calibration_version(void);

enum ft_status ft_calibration_add(struct ft_calibration *calibration, const struct ft_micro_sample *sample,
				  struct ft_err *err);

/*
 * What computes on this machine: its processors, what OpenCL offers, the cards of NVIDIA.
 */

/* X(name, word) */
#define FT_HARDWARE_LIST(X)                                                                                  \
	X(CPU, "cpu")                                                                                        \
	X(GPU, "gpu")                                                                                        \
	X(ACCELERATOR, "accelerator")

enum ft_hardware_kind {
#define FT_HARDWARE_ENUM(name, word) FT_HARDWARE_##name,
	FT_HARDWARE_LIST(FT_HARDWARE_ENUM)
#undef FT_HARDWARE_ENUM
};

const char *ft_hardware_kind_text(enum ft_hardware_kind kind);

/* Heap strings; NULL: not known. */
struct ft_hardware_item {
	char *id; /* "cpu", "opencl:0", "nvidia:0" */
	enum ft_hardware_kind kind;
	char *name;
	char *platform; /* "Portable Computing Language"; "CUDA" */
	char *driver;   /* its version; another one may be as fast as another device. NULL of processors */
	char *compiler; /* the version that OpenCL reports of its language and its compiler */
	int64_t units;  /* cores, compute units; 0: not known */
	int64_t memory_bytes; /* 0: not known */
};

struct ft_hardware {
	struct ft_hardware_item *item; /* [n] the processors first */
	size_t n, capacity;
	char opencl[256], nvidia[256]; /* why there is none of these; "": there is */
};

/* ft_hardware_read - look for all of it: OpenCL through its loader (libOpenCL.so.1), where that is installed;
 * the cards of NVIDIA by nvidia-smi, where that is on PATH. What is not there is no failure.
 *
 * out  the caller's, ends with ft_hardware_clear; cleared on failure
 *
 * Returns FT_OK; FT_ENOMEM; what ft_machine_read returns. Cost: some 10 ms; a second and more where drivers
 * have to be woken. */
enum ft_status ft_hardware_read(struct ft_hardware *out, struct ft_err *err);
void ft_hardware_clear(struct ft_hardware *hardware); /* accepts NULL, and twice */

/* ft_hardware_driver - what drives what a word names, an id or a kind: "NVIDIA H200, 550.54.15". Of several
 * of a kind all of them. Heap; NULL: nothing of that name, or nothing that has a driver; *failed: no memory.
 */
char *ft_hardware_driver(const struct ft_hardware *hardware, const char *word, bool *failed);

/* ---- profiles --------------------------------------------------------------------------------------- */

/* ft_profile_read - add a file as callgrind writes it (valgrind manual, cl-format), of one process.
 *
 * Names of one function in several recursions (NAME'2) are one function. The file may be of anybody: lines
 * that are not understood are passed over.
 *
 * Returns FT_OK; FT_ENOTOURS: no such file; FT_EPARSE: it is broken off, or counts no instructions; FT_ENOENT,
 * FT_EACCESS, FT_EIO; FT_EINVAL: it has more than 2^20 functions; FT_ENOMEM. On failure the profile is as it
 * was. Cost: some 50 ns a line.
 */
enum ft_status ft_profile_read(struct ft_profile *profile, const char *path, struct ft_err *err);

/* Profiles of runs under callgrind, in a fixed environment and without standard input. */
struct ft_profiler;

/* ft_profiler_open - threads: > 0: OMP_NUM_THREADS and the like are set to it. out: heap, ends with
 * ft_profiler_close. Returns FT_OK; FT_EUNAVAIL: no valgrind, or no helper; FT_ENOMEM. */
enum ft_status ft_profiler_open(struct ft_profiler **out, int threads, struct ft_err *err);
void ft_profiler_close(struct ft_profiler *profiler); /* accepts NULL */

/* ft_profiler_run - one run of a program at a size, with all processes that it starts.
 *
 * limit_s    time limit of the run; <= 0: no limit. Valgrind takes some 50 times as long as the program
 * interrupt  a flag that ends it; may be NULL
 * out        the caller's, ends with ft_profile_clear; cleared on failure
 * cost_s     out: how long it took
 *
 * Returns FT_OK; FT_EUNAVAIL: it did not end well under valgrind, with the reason and the remedy; FT_EINVAL,
 * FT_ENOENT: as ft_program_arguments; FT_EIO: the helper is lost; FT_ENOMEM.
 */
enum ft_status ft_profiler_run(struct ft_profiler *profiler, const struct ft_program *program,
			       const struct ft_size *size, double limit_s,
			       const volatile sig_atomic_t *interrupt, struct ft_profile *out, double *cost_s,
			       struct ft_err *err);

#endif
