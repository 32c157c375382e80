/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure.h - measurement: probes, the helper that starts programs, sources of runs, calibration. */
#ifndef FT_MEASURE_MEASURE_H
#define FT_MEASURE_MEASURE_H

#include "base/csv.h"
#include "base/text.h"
#include "foretime/base.h"
#include "foretime/facts.h"
#include "foretime/measure.h"
#include "measure/door.h"
#include "measure/helper.h"

#include <limits.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * A program's command at a size, with its placeholders replaced.
 *
 * Only {identifier} is a placeholder: a column of the cases or a parameter. Any other brace is an ordinary
 * character, so JSON and awk survive. {{identifier}} gives {identifier}, {{{identifier}}} the value in
 * braces.
 */

/* The values of the placeholders. */
struct ft__filling {
	const struct ft_program *program;
	const struct ft_csv *cases; /* NULL: none */
	size_t row;
	const struct ft_size *size;
	bool shell; /* values are words of sh, and ${identifier} is the shell's own */
};

/* ft__arguments_check - whether each placeholder has a value. FT_EINVAL names the first that has none, or
 * that stands within quotes of sh and has a value which is not safe there. */
enum ft_status ft__arguments_check(const struct ft__filling *filling, const char *template,
				   struct ft_err *err);

/* ft__arguments_any - whether a template has a placeholder, {{identifier}} too. */
bool ft__arguments_any(const char *template);

/* ft__arguments_name - whether a template depends on a parameter: it names it, or any column of the cases. */
bool ft__arguments_name(const struct ft__filling *filling, const char *template, const char *name);

/* ft__arguments_fill - add the template to a text, placeholders replaced; it has been checked. */
void ft__arguments_fill(const struct ft__filling *filling, const char *template, struct ft_text *text);

/* ft__arguments_list - all of a program's arguments at a size: a vector that ends with NULL.
 * out  heap, ends with ft_arguments_free; NULL on failure, FT_ENOMEM */
enum ft_status ft__arguments_list(const struct ft__filling *filling, char ***out, struct ft_err *err);

/*
 * The interface of a micro-benchmark. A file holds rows of one kind.
 */

/* The memory of a micro-benchmark. Zero-initialised before it is prepared. */
struct ft__workplace {
	void *memory; /* [bytes] from the heap */
	size_t bytes;
	void *at;      /* position of a walk */
	uint64_t sink; /* every result ends here, so that no work is optimised away */
	int to, from;  /* ends of pipes to the child; 0: none */
	pid_t child;
	sigset_t mask; /* of signals, as before */
	int error;     /* errno of a call that failed: the time is invalid */
};

/* A row: what is public of it, and how it is done. */
struct ft__micro {
	struct ft_micro micro;
	/* NULL: nothing to prepare. On failure finish is not called. */
	enum ft_status (*prepare)(const struct ft_micro *micro, struct ft__workplace *place,
				  struct ft_err *err);
	/* At least `count` operations; returns how many. The only part that is timed. */
	uint64_t (*run)(struct ft__workplace *place, uint64_t count);
	void (*finish)(struct ft__workplace *place); /* NULL: nothing */
};

/* Each kind's rows; the last one has no name. */
extern const struct ft__micro ft__micro_processor[], ft__micro_memory[], ft__micro_system[];

/* FT__KEEP - hide the value of this integer or pointer from the compiler: earlier results must be in a
 * register, and later ones are computed from there. Produces no instruction. */
#define FT__KEEP(x) __asm__ volatile("" : "+r"(x))

/* FT__KEEP_REAL - the same of a double. */
#if defined(__x86_64__)
#define FT__KEEP_REAL(x) __asm__ volatile("" : "+x"(x))
#elif defined(__aarch64__)
#define FT__KEEP_REAL(x) __asm__ volatile("" : "+w"(x))
#elif defined(__riscv) || defined(__loongarch__) || defined(__s390x__) || defined(__mips__)
#define FT__KEEP_REAL(x) __asm__ volatile("" : "+f"(x))
#elif defined(__powerpc64__)
#define FT__KEEP_REAL(x) __asm__ volatile("" : "+d"(x))
#else
#define FT__KEEP_REAL(x) __asm__ volatile("" : "+m"(x))
#endif

/* Repeat a statement, so that the cost of the loop is small in comparison. */
#define FT__4(statement)  statement statement statement statement
#define FT__16(statement) FT__4(FT__4(statement))

/*
 * The control groups around this process, of version 1 and 2.
 */

/* ft__cgroups_own - the folder of our group of a controller, of version 1 if it has it; with root in front.
 * Removes groups below it that helpers made (gauge.h), that are empty, and whose helper is gone.
 *
 * Returns false if there is none in which we may make groups. */
bool ft__cgroups_own(const char *root, const char *controller, char folder[PATH_MAX]);

/*
 * How long a run was paused, because we and all our processes were stopped.
 */

/* The source of pauses: ft_source_frozen. */
struct ft__frozen {
	double (*heard_s)(void *ctx); /* NULL: none */
	void *ctx;
};

/* A run, as foretime sees it from outside. */
struct ft__still {
	const struct ft__frozen *frozen; /* NULL: no reports */
	double began_s;                  /* by ft_clock_s */
	double stood_s;                  /* since then */
};

/* ft__still_begin - ignore earlier reports. */
void ft__still_begin(struct ft__still *still, const struct ft__frozen *frozen);

/* ft__still_hear - the run continues; ft__still_end: it took this many seconds, by the helper's clock. */
void ft__still_hear(struct ft__still *still);
void ft__still_end(struct ft__still *still, double wall_s);

/* ft__still_over - whether a time limit has passed. limit_s <= 0: none */
bool ft__still_over(const struct ft__still *still, double limit_s);

/*
 * Foretime's side of the protocol with foretime-helper.
 */

struct ft__client {
	int socket;   /* -1: no helper */
	int heard[2]; /* standard output and error of children, to read without waiting; -1: same as ours */
	pid_t helper;
	struct ft__still still; /* of the current run */
	int ended;  /* its status, as from wait(2), once it is closed; of a lost one see gauge.h */
	bool reaps; /* of struct ft__hello */
};

/* Further listeners during a run: hear is called when one of the files can be read, and every
 * FT__LISTEN_MS. */
enum { FT__EAR_FILES = 8, FT__LISTEN_MS = 20 };

struct ft__ear {
	void (*hear)(void *ctx);
	size_t (*files)(void *ctx, int file[FT__EAR_FILES]); /* called each time */
	void *ctx;
};

/* Callbacks for the news of a run. */
struct ft__hearing {
	/* file  what the child reports to, the hearer's from now on; -1: not this time */
	void (*news)(struct ft__hearing *hearing, const struct ft__news *news, int file);
	bool end; /* set by the hearer: the run is to be ended */
};

/* What to execute, and how; all borrowed. */
struct ft__order {
	const char *file;
	char **argv;
	unsigned flags; /* enum ft__request_flag */
	double limit_s, sample_s;
	const volatile sig_atomic_t *interrupt; /* may be NULL */
	const struct ft__frozen
		*frozen; /* if pauses are reported, foretime enforces limit_s itself; may be NULL */
	volatile sig_atomic_t *signal; /* to pass on; may be NULL */
	struct ft__ear *ear;           /* may be NULL */
	struct ft__hearing *hearing;   /* with FT__NEWS and an ear; else NULL */
};

struct ft__answer {
	struct ft__reply reply;
	double frozen_s;          /* of reply.wall_s, while it was paused */
	char *detail;             /* as written, with a zero byte behind */
	int report;               /* a file with its reports; < 0: none, or it could not be transferred */
	struct ft__moment *trace; /* [n_moments] */
	size_t n_moments;
};

/* How a helper, and with it its children, are started. */
struct ft__setup {
	int threads;       /* > 0: they find it in OMP_NUM_THREADS and the like */
	int output;        /* > 0: this file is their standard output, with FT__KEEP_OUTPUT */
	bool overhear;     /* their output, with FT__PASS_THROUGH, goes to struct ft__client, heard */
	bool fixed;        /* the environment is always the same: see ft__launch_helper */
	bool whole;        /* fixed, and routines do not mark where they begin: all is counted */
	bool real;         /* of struct ft_launch */
	const char *layer; /* path of a layer of OpenCL that their loader adds; NULL: none */
};

/* ft__client_open - start a helper. Ends with ft__client_close.
 *
 * setup  NULL: nothing special
 *
 * Returns FT_OK; FT_EUNAVAIL: it is missing, does not start, or has another version; FT_ENOMEM.
 */
enum ft_status ft__client_open(struct ft__client *client, const struct ft__setup *setup, struct ft_err *err);
void ft__client_close(struct ft__client *client); /* twice, too */

/* ft__client_wait - of a helper that was lost in a real run: wait for the program. signal: to pass on; may be
 * NULL. Returns how it ended, as from wait(2). */
int ft__client_wait(struct ft__client *client, volatile sig_atomic_t *signal);

/* ft__client_pin - "0-3,6": the processors for children. FT_EINVAL: not a list, or a processor that does
 * not exist. */
enum ft_status ft__client_pin(struct ft__client *client, const char *processors, struct ft_err *err);

/* ft__client_count - what the runs to come count. error [n] out: the errno of an attempt at each; 0: it
 * counts. */
enum ft_status ft__client_count(struct ft__client *client, const struct perf_event_attr *attr, size_t n,
				int *error, struct ft_err *err);

/* ft__client_run - execute and wait. The answer ends with ft__answer_clear; cleared on failure.
 *
 * Returns FT_OK for any end of the program; FT_EIO: the helper is lost: it is closed, except in a real run,
 * where ft__client_wait may follow; FT_ENOMEM.
 */
enum ft_status ft__client_run(struct ft__client *client, const struct ft__order *order,
			      struct ft__answer *answer, struct ft_err *err);

/* ft__client_start, ft__client_finish - the same in two steps: the order is sent; the answer is waited for.
 */
enum ft_status ft__client_start(struct ft__client *client, const struct ft__order *order, struct ft_err *err);
enum ft_status ft__client_finish(struct ft__client *client, const struct ft__order *order,
				 struct ft__answer *answer, struct ft_err *err);
/* ft__answer_wall_s - the time of the run without pauses; below 0: the reported pauses are impossible. */
double ft__answer_wall_s(const struct ft__answer *answer);
void ft__answer_clear(struct ft__answer *answer);

/*
 * Parse what a program reported about itself through foretime-probe.h.
 */

enum {
	FT__ROUTINE_LENGTH = 64,
	FT__ROUTINES_MAX = 256,
	FT__DEVICES_MAX = 4096, /* processes that allocate on devices */
	FT__REPORT_LINE = 512,
	FT__REPORT_MAX = 1 << 28, /* bytes read of a file: some six million reports, in a few seconds */
};

/* Totals over all that was reported under one name. */
struct ft__routine {
	char name[FT__ROUTINE_LENGTH];
	double calls, wall_s, cpu_s;
	double work;       /* NaN: not reported */
	double first_s;    /* wall time of the first call in the process; NaN: not reported */
	double peak_bytes; /* of the process, if the routine raised it; 0: it did not; NaN: not reported */
	/* Its values are invalid: times above a hundred years, or sums that overflow; the report is
	 * incomplete. */
	bool absurd, cut;
};

/* Zero-initialise; ends with ft__report_clear. */
struct ft__report {
	struct ft__routine *routine; /* [n] in the order of their first report */
	size_t n, capacity;
	double done, total; /* the last progress; total 0: none was reported */
	struct {
		double pid, bytes;
	} * device; /* [n_devices] what each process allocated on devices, as it last reported */
	size_t n_devices, devices_capacity;
	double device_bytes, device_peak; /* of all: now, and at most so far */
	double instructions;              /* of all, as an emulator counted them; 0: none did */
	bool invalid;                     /* "this size is not valid" */
	bool more;                        /* there were more routines than FT__ROUTINES_MAX */
	bool cut;                         /* the report is incomplete, which every routine then states */
	char line[FT__REPORT_LINE]; /* the beginning of one that has not ended yet; longer ones are passed
				       over */
	size_t length;
};

/* ft__report_add - read the next bytes of a report, cut anywhere. Lines that are not understood are passed
 * over: a program may write anything there. Returns FT_OK; FT_ENOMEM. */
enum ft_status ft__report_add(struct ft__report *report, const char *bytes, size_t length,
			      struct ft_err *err);

/* ft__report_read - read a file of them, up to FT__REPORT_MAX bytes. Returns FT_OK; FT_ENOMEM. */
void ft__report_clear(struct ft__report *report);

/*
 * Instructions of routines counted by callgrind between their marks (foretime-probe.h).
 */

/* Zero-initialise; ends with ft__counted_clear. */
struct ft__counted {
	struct {
		char name[FT__ROUTINE_LENGTH];
		double instructions;
	} * routine; /* [n] */
	size_t n, capacity;
	bool mixed;   /* two ran at once: their instructions cannot be separated */
	bool threads; /* the program had a second thread, now or then: what that did is not counted */
};

/* ft__counted_read - parse a file of callgrind, with a part for each mark; a missing file has none.
 * Returns false: no memory. */
bool ft__counted_read(struct ft__counted *counted, const char *path);
void ft__counted_clear(struct ft__counted *counted);

/* ft__counted_of - the instructions of a routine; NaN: it had no marks. */
double ft__counted_of(const struct ft__counted *counted, const char *name);

/*
 * The counters of a run: from names to requests to the kernel, and from its values to samples.
 */

struct ft__counter {
	const struct ft_resource *resource;
	struct perf_event_attr attr;
	char *reason; /* heap; why it does not count here, and the remedy; NULL: it does */
};

/* Zero-initialise; ends with ft__counter_list_clear. */
struct ft__counter_list {
	struct ft__counter counter[FT__COUNTERS_MAX];
	size_t n;
};

/* ft__counters_parse - "instructions,cache-misses,l3=mem_load_retired:l3_miss": names of libpfm4, each
 * perhaps with another name for its resource. NULL: instructions and cycles if they can be counted here, else
 * none; "none": none. Names are taken in lower case.
 *
 * list  out; cleared on failure
 *
 * Returns FT_OK; FT_EINVAL: a name unknown to libpfm4 on this processor, one that is too long, a duplicate,
 * the name of another resource, or too many; FT_EUNAVAIL: libpfm4 does not start.
 */
enum ft_status ft__counters_parse(const char *names, struct ft__counter_list *list, struct ft_err *err);
void ft__counter_list_clear(struct ft__counter_list *list); /* twice, too */

/* ft__counters_add - a sample for each counter: measured; estimated where several shared the processor's
 * counters and a part of the time was counted; or unavailable. */
enum ft_status ft__counters_add(const struct ft__counter_list *list, const struct ft__count *counts,
				struct ft_run *run, struct ft_err *err);

/* ft__counters_explain - why the kernel does not count an event: fills err and returns FT_EUNAVAIL. Takes
 * all facts as parameters, so that tests can imitate other machines.
 *
 * number    errno of an attempt to count; 0: it worked, and FT_OK is returned
 * event     the event
 * software  the kernel counts it, not the processor
 * paranoid  kernel.perf_event_paranoid; < 0: not known
 * pmu       whether the kernel lists a performance monitoring unit */
enum ft_status ft__counters_explain(int number, const char *event, bool software, long paranoid, bool pmu,
				    struct ft_err *err);

/* ft__counters_try - the errno of an attempt to count instructions; 0: it works. */
int ft__counters_try(void);

/* ft__counters_simulated - whether a launch has its instructions counted under valgrind. */
bool ft__counters_simulated(const struct ft_launch *launch);

/*
 * The energy of a run: the sum over several instruments, named after all of them.
 */

struct ft__energy;

/* ft__energy_open - start the instruments that a launch names (energy, meter, meter_unit).
 *
 * root  "" or a folder that holds a recorded /sys
 * out   NULL if it names none; ends with ft__energy_close
 *
 * Returns FT_OK, even if an instrument does not work: its runs have the reason; FT_EINVAL: an unknown
 * instrument or unit, or the meter together with other ones; FT_EUNAVAIL: no helper for a command;
 * FT_ENOMEM. */
enum ft_status ft__energy_open(struct ft__energy **out, const struct ft_launch *launch, const char *root,
			       struct ft_err *err);
void ft__energy_close(struct ft__energy *energy); /* accepts NULL */

/* nvidia-smi is waited for as long. */
enum { FT__NVIDIA_LIMIT_S = 5 };

/* ft__nvidia_check - run the nvidia-smi on PATH, for 5 s at most. FT_OK: it reports the power;
 * FT_EUNAVAIL. root as above */
enum ft_status ft__nvidia_check(const char *root, struct ft_err *err);

/* ft__energy_begin - a run is about to start; while *interrupt is not 0 no meter is waited for. Both may be
 * NULL. */
void ft__energy_begin(struct ft__energy *energy, const volatile sig_atomic_t *interrupt);

/* ft__energy_hears - whether there is something to hear while the run goes on; and hearing it. accepts NULL
 */
bool ft__energy_hears(const struct ft__energy *energy);
void ft__energy_hear(struct ft__energy *energy);

/* ft__energy_end - the run has ended: add its sample of energy_j, perhaps an unavailable one. accepts NULL.
 * seconds  that it took until now */
enum ft_status ft__energy_end(struct ft__energy *energy, double seconds, struct ft_run *run,
			      struct ft_err *err);

/*
 * How a program is executed, as far as that determines the time of its start.
 */

enum { FT__FORMAT_PATH = 4096, FT__FORMAT_WORDS = 4 };

/* ft__format_empty - a command that starts like a program, and does nothing: an empty executable, static or
 * dynamic; or its interpreter with an empty script.
 *
 * argv   the program's, as it would be executed; argv[0] is a path
 * path   out: space for the words of empty
 * empty  out: the command, NULL at the end; points into path and argv
 *
 * Returns FT_OK; FT_EUNAVAIL: there is none, as for a foreign architecture or C library. */
enum ft_status ft__format_empty(const char *const *argv, char path[FT__FORMAT_PATH],
				const char *empty[FT__FORMAT_WORDS + 1], struct ft_err *err);

/*
 * Readings of power, or of a counter of energy, over time; and the energy between two moments.
 */

struct ft__reading {
	double time_s, value; /* W or J */
	size_t channel;
};

/* Zero-initialise; ends with ft__readings_clear. */
struct ft__readings {
	struct ft__reading *reading; /* [n] in the order of time */
	size_t n, capacity;
	bool power;               /* watts, else joules */
	double first_s, last_s;   /* when channel 0 .. was read, over all time; for the interval */
	size_t counted, channels; /* number of readings; one more than the largest channel */
};

/* ft__readings_add - append. One that follows its channel's last within same_s takes its place. false: no
 * memory.
 */
bool ft__readings_add(struct ft__readings *readings, double time_s, double same_s, size_t channel,
		      double value);

/* ft__readings_since - whether every channel has a reading since then, and there is one. */
bool ft__readings_since(const struct ft__readings *readings, double since_s);

/* ft__readings_interval - the mean time between two readings; 0: not known yet. */
double ft__readings_interval(const struct ft__readings *readings);

/* ft__readings_forget - all but each channel's last. */
void ft__readings_forget(struct ft__readings *readings);

/* ft__readings_integrate - the energy between two moments, summed over channels: power joined by straight
 * lines and constant outside its ends, or the difference of counters interpolated between their readings.
 *
 * joules  out; NaN on failure
 * label   out: measured: counters read within 1 % of the time at both ends; else estimated
 *
 * Returns FT_OK; FT_EUNAVAIL: no reading, the time too short for the readings, a counter that went backwards.
 */
enum ft_status ft__readings_integrate(const struct ft__readings *readings, const char *who, double from_s,
				      double to_s, double *joules, enum ft_label *label, struct ft_err *err);

void ft__readings_clear(struct ft__readings *readings);

/*
 * Energy of a run from a command that prints readings.
 *
 * The command prints a line for each reading: a number and a unit, watts or joules counted from any origin
 * ("12.3 W", "55.2 kJ", "0.04 Wh"). It may go on for ever, or end after a line: then it is started again for
 * every reading. It runs under a helper of its own, outside the measured program.
 */

enum { FT__METER_CHANNELS = 64, FT__METER_FILES = 2 };

struct ft__meter;

/* One line understood. */
struct ft__meter_line {
	size_t channel; /* < FT__METER_CHANNELS; readings of each are integrated by themselves, and summed */
	bool power;     /* watts, else joules */
	double value;
};

enum ft__meter_word { FT__METER_READING, FT__METER_PASS, FT__METER_GARBAGE };

/* ft__meter_read_line - "12.3 W": unit is used for lines that have none; NULL: such lines are invalid. An
 * empty line is skipped. */
enum ft__meter_word ft__meter_read_line(const char *line, const char *unit, struct ft__meter_line *out);

/* ft__meter_unit - whether that is a unit of power or energy. */
bool ft__meter_unit(const char *unit);

/* ft__meter_read_nvidia - "0, 73.52": watts of a device; "[N/A]" of one that has no sensor is passed over. */
enum ft__meter_word ft__meter_read_nvidia(const char *line, const char *unit, struct ft__meter_line *out);

/* ft__meter_open - start the command, by sh -c.
 *
 * who      its name in messages: "the meter"
 * unit     borrowed
 *
 * Returns FT_OK even if the command does not work, which ft__meter_end reports; FT_EUNAVAIL: no helper;
 * FT_ENOMEM. */
enum ft_status ft__meter_open(struct ft__meter **out, const char *who, const char *command, const char *unit,
			      enum ft__meter_word (*read_line)(const char *, const char *,
							       struct ft__meter_line *),
			      struct ft_err *err);
void ft__meter_close(struct ft__meter *meter); /* ends the command; accepts NULL */

/* ft__meter_heed - while *interrupt is not 0 no reading is waited for. */
void ft__meter_heed(struct ft__meter *meter, const volatile sig_atomic_t *interrupt);

/* ft__meter_begin - a run is about to start. Waits for a reading, for 5 s at most. */
void ft__meter_begin(struct ft__meter *meter);

/* ft__meter_hear - while the run goes on: whenever one of the files can be read, and every 20 ms. */
size_t ft__meter_files(const struct ft__meter *meter, int file[FT__METER_FILES]);
void ft__meter_hear(struct ft__meter *meter);

/* ft__meter_end - the run has ended. Waits for the next reading, for 5 s or three intervals of the meter at
 * most.
 *
 * seconds  how long the run took until now
 * joules   out; NaN when it is not known
 * label    out: measured where a counter of joules was read at both ends (within 1 % of the run), else
 * estimated
 *
 * Returns FT_OK; FT_EUNAVAIL: why, and the remedy, in err. A meter that is broken stays so, and costs no more
 * time. */
enum ft_status ft__meter_end(struct ft__meter *meter, double seconds, double *joules, enum ft_label *label,
			     struct ft_err *err);

/*
 * The table of probes: their resources, their availability here, and their part in a run.
 *
 * A probe is a file with a const struct ft__probe_ops, and a row of the table in probes.c.
 */

/* The input of a probe after a run; borrowed. */
struct ft__result {
	const struct ft__answer *answer;
	const struct ft__routine
		*routine; /* the routine of the run, or the only one of a process; NULL: none */
	const struct ft__report *report; /* of all its processes */
};

/* A run to be made once more, for one probe's sake; borrowed. */
struct ft__again {
	const struct ft_size *size;
	const char *file; /* the executable */
	char **argv;
	double limit_s;           /* <= 0: none; of the run itself */
	const struct ft_run *run; /* as stored: of the process */
	size_t routines;          /* number reported; one stands for the process */
	const volatile sig_atomic_t *interrupt;
	const struct ft__frozen *frozen; /* may be NULL */
};

/* The part of a probe in a run. All but one of read and read_routine may be NULL. Rows that share an
 * instrument share these. */
struct ft__probe_ops {
	/* Before the first run. *state stays NULL if the launch does not request the probe: no other
	 * function is called then. NULL: it is always used, and has no state.
	 *
	 * client  its helper may be configured
	 *
	 * Returns FT_OK, even if it does not work here: its samples will have the reason; FT_EINVAL: the
	 * launch names something unknown; FT_EIO, FT_EUNAVAIL; FT_ENOMEM. */
	enum ft_status (*open)(void **state, const struct ft_launch *launch, struct ft__client *client,
			       struct ft_err *err);
	void (*close)(void *state);
	/* A run is about to start: set what its order needs. Returns whether it listens during the run, as
	 * struct ft__ear has it. */
	bool (*arm)(void *state, struct ft__order *order);
	void (*hear)(void *state);
	size_t (*files)(void *state, int *file, size_t most);
	/* It has ended: add samples to run; FT_OK or FT_ENOMEM. Not called for a run that was not started.
	 * A routine reported by the program is a run by itself. */
	enum ft_status (*read)(void *state, const struct ft__result *result, struct ft_run *run,
			       struct ft_err *err);
	enum ft_status (*read_routine)(void *state, const struct ft__result *result, struct ft_run *run,
				       struct ft_err *err);
	/* Whether the run has to be repeated for it, and the repetition; it is read after that. Both or
	 * none.
	 *
	 * cost_s  added to
	 *
	 * Returns FT_OK, even if that failed: its samples will have the reason; FT_EIO: the helper is lost;
	 * FT_ENOMEM. */
	bool (*wants)(const void *state, const struct ft_run *run);
	enum ft_status (*repeat)(void *state, const struct ft__again *again, double *cost_s,
				 struct ft_err *err);
};

extern const struct ft__probe_ops ft__child_probe, ft__report_probe, ft__io_probe, ft__calls_probe,
	ft__schedstat_probe, ft__tree_probe, ft__energy_probe, ft__counters_probe, ft__valgrind_probe,
	ft__caches_probe, ft__qemu_probe, ft__freeze_probe, ft__reference_probe, ft__scratch_probe,
	ft__sockets_probe, ft__gpu_probe, ft__watcher_probe;

/* ---- the probes of a launch --------------------------------------------------------------------------- */

enum { FT__PROBES_MAX = 24 };

/* Zero-initialise; ends with ft__probes_close. */
struct ft__probes {
	struct {
		const struct ft__probe_ops *ops;
		void *state;
		bool hears;
	} probe[FT__PROBES_MAX]; /* [n] in the order of the table */
	size_t n;
	struct ft__ear ear;
};

/* ft__probes_open - those that the launch wishes for. Returns as open of the rows. */
enum ft_status ft__probes_open(struct ft__probes *probes, const struct ft_launch *launch,
			       struct ft__client *client, struct ft_err *err);
void ft__probes_close(struct ft__probes *probes); /* twice, too */

/* ft__probes_arm - a run is about to start. order: borrows probes until it has ended */
void ft__probes_arm(struct ft__probes *probes, struct ft__order *order);

/* ft__probes_read - samples of a process's run; ft__probes_read_routine: of a routine's.
 * result  NULL: of those that may have repeated it */
enum ft_status ft__probes_read(struct ft__probes *probes, const struct ft__result *result, struct ft_run *run,
			       struct ft_err *err);
enum ft_status ft__probes_read_routine(struct ft__probes *probes, const struct ft__result *result,
				       struct ft_run *run, struct ft_err *err);

/* ft__probes_wanting - the first probe from an index on that needs a repetition of the run; its index, or
   n. */
size_t ft__probes_wanting(const struct ft__probes *probes, size_t from, const struct ft_run *run);
enum ft_status ft__probes_repeat(struct ft__probes *probes, size_t i, const struct ft__again *again,
				 double *cost_s, struct ft_err *err);

/* ---- availability ---------------------------------------------------------------------------- */

/* The functions `available` of the rows, each in the file of its probe. */
enum ft_status ft__counters_available(struct ft_err *err);
enum ft_status ft__software_available(struct ft_err *err);
enum ft_status ft__rapl_available(struct ft_err *err);
enum ft_status ft__qemu_available(struct ft_err *err);
enum ft_status ft__nvidia_available(struct ft_err *err);
enum ft_status ft__gpu_drm_available(struct ft_err *err);
enum ft_status ft__gpu_nvidia_available(struct ft_err *err);
enum ft_status ft__gpu_opencl_available(struct ft_err *err);

/* Turn the failure in err into the unavailability of a probe: returns FT_EUNAVAIL. */
enum ft_status ft__unavailable(struct ft_err *err);

/* A failure as the reason of an unavailable sample: its text and the remedy. heap, ends with ft_free; NULL:
 * no memory. */
char *ft__reason(const struct ft_err *err);

/* ft__not_ended - whether a process of the run could not be ended: the kernel adds up what it used only when
 * it has, so that until then 0 is no measure. why: in these words. */
bool ft__not_ended(const struct ft__reply *reply, struct ft_err *why);

/* ft__add_unavailable - a sample that is not to be had, with why as its reason. */
enum ft_status ft__add_unavailable(struct ft_run *run, const struct ft_resource *resource, const char *probe,
				   const struct ft_err *why, struct ft_err *err);

/* ft__add_measured - one that is. */
enum ft_status ft__add_measured(struct ft_run *run, const struct ft_resource *resource, double value,
				const char *probe, struct ft_err *err);

/*
 * Processor time that the control groups around this process withhold (CFS bandwidth control).
 *
 * The kernel counts the wait for quota as waiting for a processor (run_delay of schedstat): that is not
 * caused by background load, and occurs in every run.
 */

enum { FT__QUOTAS_MAX = 8 };

/* The groups that have one, from the inside. Zero-initialise; ends with ft__quota_clear. */
struct ft__quota {
	double processors; /* the smallest quota: processors that may be busy for long; INFINITY: none */
	double share_s;    /* of the same: processor time of one period, available at once */
	struct {
		char *stat; /* the file of throttling, heap */
		int version;
	} group[FT__QUOTAS_MAX]; /* [n] */
	size_t n;
};

/* ft__quota_open - those there are now. root: "" for this machine, or a folder with a recorded /proc and
 * /sys */
void ft__quota_open(struct ft__quota *quota, const char *root);
void ft__quota_clear(struct ft__quota *quota);

/* ft__quota_throttled_s - how long run queues of these groups were throttled so far, summed. */
double ft__quota_throttled_s(const struct ft__quota *quota, const char *root);

/* The times of a run. */
struct ft__waited {
	double wall_s, cpu_s;
	double delay_s;     /* of its tasks, runnable and without a processor, for any reason */
	double throttled_s; /* of the run queues meanwhile */
	double processors;  /* of the machine, > 0 */
};

/* ft__quota_rest_s - the part of the delay caused by background load.
 *
 * k = (cpu + delay) / wall tasks stand in min(k, C) queues: while one of these is throttled, k / min(k, C)
 * tasks wait. That underestimates our part, or overestimates the helper's, if a competitor shares the
 * quota or the processor, so the rest is bounded by what background load can explain: with a quota of q
 * processors it takes a = (cpu - share) / q even on an idle machine, and max(1, q) (wall - a) is the delay
 * from which ft_run_alone computes a again. Never below 0, never above the delay. */
double ft__quota_rest_s(const struct ft__quota *quota, const struct ft__waited *waited);

/*
 * Energy of processors and memory, as the kernel's powercap shows it (Running Average Power Limit).
 *
 * Each package counts, and its memory zone; zones inside a package (core, uncore) or around it (psys) would
 * count twice. Source: Linux, Documentation/power/powercap/powercap.rst.
 */

enum { FT__RAPL_MOST = 64, FT__RAPL_PATH = 256 };

/* Zero-initialise. */
struct ft__rapl {
	struct {
		char path[FT__RAPL_PATH]; /* of the zone's folder */
		double last_j, range_j;   /* the last reading; where the counter begins again at 0 */
	} zone[FT__RAPL_MOST];
	size_t n;
	double joules; /* since ft__rapl_begin */
};

/* ft__rapl_open - find the zones.
 * root  "" or a folder that holds a recorded /sys
 * Returns FT_OK; FT_EUNAVAIL, with the remedy: there is none, or it may not be read. */
enum ft_status ft__rapl_open(struct ft__rapl *rapl, const char *root, struct ft_err *err);

/* ft__sockets_explain - why the bytes of sockets are not known, by an errno: fills err. */
void ft__sockets_explain(int error, struct ft_err *err);

/* ft__rapl_explain - why there is none: fills err and returns FT_EUNAVAIL.
 * guest  inside a virtual machine */
enum ft_status ft__rapl_explain(const char *root, bool guest, struct ft_err *err);

/* ft__rapl_begin, ft__rapl_look - start from zero; add what was used since the last look. A look is due at
 * least once per wrap of a counter: at 1000 W some wrap every minute. Returns FT_OK; FT_EUNAVAIL: a zone
 * cannot be read any more. */
enum ft_status ft__rapl_begin(struct ft__rapl *rapl, struct ft_err *err);
enum ft_status ft__rapl_look(struct ft__rapl *rapl, struct ft_err *err);

/*
 * Turn the helper's replies into runs and samples.
 */

/* The state before a run; read by ft__record_before. */
struct ft__before {
	struct ft_size size;
	int64_t started_ns;
	double cpu_hz;
	struct ft__queue queue; /* with foretime in it */
	int processors;         /* that the operating system schedules on; 0: not known */
};

/* ft__record_before - read the clock, the run queue and the frequency, some 20 microseconds in all. hz_ns
 * and hz cache the frequency if reading it is slow (/proc/cpuinfo): it is then read once a second. Both
 * begin as 0. */
void ft__record_before(const struct ft_size *size, int64_t *hz_ns, double *hz, struct ft__before *before);

/* ft__record_failure - append a run that did not take place: FT_NOT_STARTED or FT_INTERRUPTED.
 * detail  copied; may be NULL */
enum ft_status ft__record_failure(const struct ft__before *before, enum ft_outcome outcome,
				  const char *detail, struct ft_runs *runs, struct ft_err *err);

/* ft__record_lost - append the run of a program whose helper was ended meanwhile.
 *
 * real   it continued nevertheless
 * ended  its status, as from wait(2); not real: that of the guard, which ended what was left
 */
enum ft_status ft__record_lost(const struct ft__before *before, bool real, int ended, struct ft_runs *runs,
			       struct ft_err *err);

/* ft__record_answer - append the run of an answer, and one for each routine when several were reported.
 *
 * file    what was executed, for the words of a failure
 * probes  that add their samples
 *
 * Returns FT_OK; FT_ENOMEM: some may have been appended.
 */
enum ft_status ft__record_answer(const struct ft__before *before, const char *file,
				 const struct ft__answer *answer, struct ft__probes *probes,
				 struct ft_runs *runs, struct ft_err *err);

/* ft__record_detail - the last words of a program as text: without control characters, valid UTF-8, from the
 * beginning of a line. heap, ends with ft_free; NULL: no memory. */
char *ft__record_detail(const struct ft__answer *answer);

/*
 * Instructions of a program counted under valgrind, in a run of its own.
 *
 * The count covers the program's own processes in user mode, summed, minus that of an empty program of the
 * same format. It is exactly repeatable: the environment is fixed. The tool is cachegrind without its
 * caches, the quickest of those that count (bench/count: as exact as lackey, 1.1 to 1.5 times as slow as no
 * tool at all).
 */

struct ft__simulator;
struct ft__frozen;

/* ft__simulate_check - whether valgrind is here and counts; FT_EUNAVAIL with the remedy. Some 0.3 s. */
enum ft_status ft__simulate_check(struct ft_err *err);

/* ft__simulate_open - start its helper. Returns FT_OK; FT_EUNAVAIL: no valgrind, no helper; FT_ENOMEM.
 * threads  > 0: OMP_NUM_THREADS and the like */
enum ft_status ft__simulate_open(struct ft__simulator **out, int threads, struct ft_err *err);
void ft__simulate_close(struct ft__simulator *simulator); /* accepts NULL */

/* What to count; all borrowed. */
struct ft__simulation {
	const char *file; /* the executable */
	char **argv;
	double limit_s; /* <= 0: none */
	const volatile sig_atomic_t *interrupt;
	const struct ft__frozen *frozen; /* may be NULL */
};

/* ft__simulate_count - one run.
 *
 * instructions  out; NaN on failure
 * cost_s        out: its time, including that of calibration
 *
 * Returns FT_OK; FT_EUNAVAIL: with the reason and the remedy; FT_EIO: the helper is lost; FT_ENOMEM.
 */
enum ft_status ft__simulate_count(struct ft__simulator *simulator, const struct ft__simulation *simulation,
				  double *instructions, double *cost_s, struct ft_err *err);

/* ft__simulate_routines - one run under callgrind, which counts while a routine with marks runs
 * (foretime-probe.h).
 *
 * out  ends with ft__counted_clear, on failure too; n = 0: no marks, for example if the program was compiled
 * without valgrind's header
 *
 * Returns as ft__simulate_count.
 */
enum ft_status ft__simulate_routines(struct ft__simulator *simulator, const struct ft__simulation *simulation,
				     struct ft__counted *out, double *cost_s, struct ft_err *err);

/* ft__simulate_caches - one run with two simulated data caches.
 *
 * bytes   of each, as ft__cache_bytes has them, the first the smaller one
 * misses  out: of all reads and writes, including the start of the program; [2] these
 */
enum ft_status ft__simulate_caches(struct ft__simulator *simulator, const struct ft__simulation *simulation,
				   const size_t bytes[2], double misses[3], double *cost_s,
				   struct ft_err *err);

/*
 * The interface of a kind of source. A kind is a file: process.c, source.c, source.c.
 */

struct ft_source_ops {
	const char *name;
	bool live; /* as ft_source_is_live */
	/* As ft_source_run, which has checked the arguments. */
	enum ft_status (*run)(struct ft_source *source, const struct ft_size *size, size_t index,
			      double limit_s, struct ft_runs *runs, struct ft_err *err);
	void (*close)(struct ft_source *source); /* frees the source itself too */
};

/* The first member of every kind's own struct. */
struct ft_source {
	const struct ft_source_ops *ops;
	const volatile sig_atomic_t *interrupt; /* may be NULL */
	struct ft__frozen frozen;
	double *sizes; /* [n_sizes] ascending, heap; freed by ft_source_close */
	size_t n_sizes;
	size_t sizes_param;           /* the parameter of these values */
	double *other[FT_PARAMS_MAX]; /* [n_other] the same of other parameters; NULL: no such limit */
	size_t n_other[FT_PARAMS_MAX];
};

/*
 * Turn the helper's looks at a run into its trace.
 */

/* ft__usage_read - the trace of an answer.
 *
 * usage       empty before, and on failure
 * processors  of the machine: no point has more
 *
 * Returns FT_OK; FT_ENOMEM.
 */
enum ft_status ft__usage_read(struct ft_usage *usage, const struct ft__answer *answer, double processors,
			      struct ft_err *err);

/*
 * Whether a machine is a guest, and of which hypervisor.
 */

/* ft__hypervisor_find - the name of the hypervisor that a machine runs under.
 *
 * root     "" for this machine, or a recorded tree
 * cpuinfo  the beginning of its /proc/cpuinfo
 *
 * Returns a constant; NULL: none seen.
 */
const char *ft__hypervisor_find(const char *root, const char *cpuinfo);

/*
 * The cache size at which a program finds its data in the cache.
 */

/* ft__misses_add - the two caches' misses of a line "IR I1MR ILMR DR D1MR DLMR DW D1MW DLMW", and all reads and writes,
 * added. */
void ft__misses_add(const char *summary, double misses[3]);

/* ft__reuse_add - a cache that misses so many of all accesses. A larger one never misses more: where a simulated one
 * does, it has the ways to blame, and counts as the smaller one. */
void ft__reuse_add(struct ft_reuse *reuse, size_t bytes, double misses, double accesses);

/* Caches that are tried: 4 KiB, 6 KiB, 8 KiB, 12 KiB .. 256 MiB. */
enum { FT__CACHES = 33 };

/* ft__cache_bytes - the size of a cache by its index; ft__cache_ways - of a size: 8, or 12 of 3/4 of a power
 * of 2, so that the number of its sets is one. */
size_t ft__cache_bytes(size_t i);
int ft__cache_ways(size_t bytes);

/* Misses by the indices of two caches, i < j, in one run. */
typedef enum ft_status ft__misses_of(void *ctx, size_t i, size_t j, double misses[2], struct ft_err *err);

/* ft__working_set - the smallest cache that leaves at most a tenth of the misses that a cache of 4 KiB has
 * in addition to one of 256 MiB. A program that reads its data once needs only 4 KiB. As misses fall with
 * the size of the cache, two are tried at a time: five runs at most.
 *
 * Returns what misses returns.
 */
enum ft_status ft__working_set(ft__misses_of *misses, void *ctx, double *bytes, struct ft_err *err);

#endif
