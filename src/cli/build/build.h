/* SPDX-License-Identifier: GPL-3.0-or-later */
/* build.h - the state of `foretime build`, shared by the command and its report. */
#ifndef FT_CLI_BUILD_BUILD_H
#define FT_CLI_BUILD_BUILD_H

#include "base/csv.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "device/door.h"
#include "foretime/device.h"
#include "foretime/measure.h"
#include "foretime/sweep.h"
#include "sweep/door.h"

#include <jansson.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Find the upper end of a range given as N=64:auto from the memory that runs need.
 */

struct cli_build;

/* Zero-initialise; ends with cli_auto_clear. */
struct cli_auto {
	char *word; /* "n=64:64:8" in place of "n=64:auto:8"; NULL: no range is automatic */
	char name[FT_PARAM_LENGTH];
	struct ft_reach reach;
	double memory_bytes; /* memory available to a run here; reach.limit_bytes of it are used */
	const char *why;     /* the origin of this limit */
};

/* cli_auto_read - find the word with `auto` and put another in its place. Returns CLI_DONE, or the exit
 * status after a complaint; so does the next. */
int cli_auto_read(struct cli_auto *automatic, const struct cli_words *words, size_t first);

/* cli_auto_find - climb until the memory limits the range; sets the program's range and subtracts the cost
 * from the budget. */
int cli_auto_find(struct cli_build *build);
void cli_auto_clear(struct cli_auto *automatic);

/* cli_auto_print - print the ranges found; nothing when no range is automatic. */
void cli_auto_print(const struct cli_build *build);

struct cli_build {
	/* as typed */
	const char *store_path, *work, *method, *end, *climb, *far, *load, *tolerance, *replay_path,
		*cases_path, *via, *from, *partition, *constraint, *hosts, *folder, *until, *least;
	struct {
		const char *path, *kernel, *global, *local, *flags, *tell;
		struct ft_field_texts args;
	} opencl; /* path NULL: programs are run */
	struct ft_field_texts where, devices, powers;
	double watts;
	struct ft_field_counts counts;
	size_t threads, seed, at_once;
	bool json, shuffle, here, quiet, verbose, niced, steps, each_kind, dry_run;
	struct ft_sweep_options options;
	const char *resource; /* as typed; NULL: wall_s */
	struct cli_probes probes;
	struct ft_launch launch;
	struct cli_auto automatic;
	/* as made */
	struct ft_store *store;
	struct ft_program program;
	bool recalled; /* its command is the store's */
	struct ft_machine machine;
	struct ft_csv *cases;
	struct ft_source *source;
	struct ft_sweep_report report;
	bool terminal; /* progress is shown, on one line */
	/* what that line shows, and since when; shared with the thread that redraws it */
	struct ft_progress progress;
	double began_s, shown_s; /* shown_s: when it was last drawn */
	char line[256];          /* what it says instead; "": nothing */
	bool redraws;
	pthread_t redrawer;
	double told_s; /* when it was last written to the store */
	bool tells;    /* it is */
	/* the same for the page, with all that was measured (live.c) */
	struct {
		json_t *measured,
			*accuracy;   /* lists of [run, size..., value or null], and of [runs, accuracy] */
		size_t runs, judged; /* `judged`: those that the last accuracy is of */
		double put_s;        /* when it was last written; 0: it is not there */
	} live;
	bool warned_busy;
};

/* cli_build_progress - show how far a sweep is, where progress is shown. */
void cli_build_progress(struct cli_build *build, const struct ft_progress *progress);

/* What the page shows of a running build (live.c): before each run, and once models are made; after each run, ctx: a
 * struct cli_build; at the end. */
void cli_live_progress(struct cli_build *build, const struct ft_progress *progress);
void cli_live_ran(void *ctx, const struct ft_run *run);
void cli_live_end(struct cli_build *build);

/* cli_build_watch, cli_build_unwatch - between them the line of progress is drawn twice a second, on a terminal: while
 * runs are made here or elsewhere, an upper end is looked for, or models are fitted. The latter removes it. */
void cli_build_watch(struct cli_build *build);
void cli_build_unwatch(struct cli_build *build);

/* cli_build_line - what the line says from now on, in place of the progress of a sweep. */
void cli_build_line(struct cli_build *build, const char *line);

/* cli_build_note - a note for people, in place of the line of progress, which is drawn anew below it. */
void cli_build_note(struct cli_build *build, const char *text);

/* cli_build_busy - warn on standard error that the machine is busy, and what becomes of wall times. */
void cli_build_busy(const struct ft_hindrance *hindrance);

struct cli_shape {
	const char *parameter;
	char assumption[2];
	double at[3];
	size_t n;
};

/* cli_build_tolerance - the tolerance requested, or the method's own. */
double cli_build_tolerance(const struct cli_build *build);

/* cli_build_tell - what was measured and made, as JSON. */
struct cli_models;

/* cli_build_report - print what was measured and modelled on standard output, as text or JSON. */
void cli_build_report(const struct cli_build *build);

/*
 * Measure several devices of one program until the choice is clear, or each to its own model.
 */

/* cli_build_is_on_devices - whether commands of devices were given, or stored ones are to be compared. */
bool cli_build_is_on_devices(const struct cli_build *build);

/* cli_build_devices - the whole command, once its options are read. Returns the exit status. */
int cli_build_devices(struct cli_build *build, const struct cli_words *words);

/*
 * The program to build. Each returns CLI_DONE, or the exit status after a complaint.
 */

/*
 * Read the orders of the program that drives `foretime build --via steps`, one a line.
 */

enum cli_order {
	CLI_ORDER_NONE, /* a signal came first */
	CLI_ORDER_RUN,
	CLI_ORDER_LOOK,
	CLI_ORDER_END,
	CLI_ORDER_GONE, /* end of input */
	CLI_ORDER_WRONG /* struct cli_orders, wrong */
};

/* The longest line, and the most orders that wait; further ones stay in the pipe. */
enum { CLI_ORDER_LINE = 4096, CLI_ORDERS_WAITING = 64, CLI_FROZEN_WAITING = 16 };

/* Zero-initialise. */
struct cli_orders {
	enum cli_order waiting[CLI_ORDERS_WAITING]; /* [n] */
	size_t n;
	double frozen_s[CLI_FROZEN_WAITING]; /* [n_frozen] > 0, to take first */
	size_t n_frozen;
	char text[CLI_ORDER_LINE]; /* [length] not yet a line, or not yet taken */
	size_t length;
	bool over; /* no more input: end of file, `end`, or a line that cannot be parsed */
	char wrong[160];
};

/*
 * Several devices of one program being measured: shared by the files of `build --device`.
 */

struct cli_rivals {
	struct cli_build *build;
	const struct ft_resource *resource; /* what to minimise */
	struct cli_device_powers drawn;
	struct ft_program program[FT_DEVICES_MAX];
	struct ft_launch launch[FT_DEVICES_MAX];
	struct ft_decide_device device[FT_DEVICES_MAX];
	size_t n;
	struct ft_decide_report report;
	bool answer; /* the report is whole */
	struct ft_ranking *ranking;
	struct ft_table *table; /* NULL: there is none yet */
};

/*
 * `foretime build --via steps`: a sweep driven by another program, which requests each run over standard
 * input and gets its result on standard output.
 */

/* cli_build_steps - until its end. Returns the exit status. */
int cli_build_steps(struct cli_build *build);

/* cli_build_steps_failed - report the last complaint of standard error on standard output, too. */
void cli_build_steps_failed(const struct cli_build *build);

/*
 * `foretime build --via`: executors carry the runs to other machines.
 */

/* cli_via_check - what was typed fits together; before anything is opened. */
int cli_via_check(const struct cli_build *build);

/* cli_build_via - until its end. Returns the exit status. */
int cli_build_via(struct cli_build *build);

/* Share of the free memory to use; the rest covers other programs and the error of the law. */
#define CLI_AUTO_MEMORY 0.8

#endif
