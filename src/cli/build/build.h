/* SPDX-License-Identifier: GPL-3.0-or-later */
/* build.h - what `foretime build` works on, shared by the command and its report. */
#ifndef FT_CLI_BUILD_H
#define FT_CLI_BUILD_H

#include "cli/build/auto.h"
#include "cli/facts.h"
#include "cli/options.h"
#include "cli/probes.h"
#include "foretime/measure.h"
#include "foretime/sweep.h"

#include <pthread.h>

struct cli_build {
	/* as typed */
	const char *store_path, *work, *method, *end, *climb, *far, *load, *tolerance, *replay_path,
		*cases_path, *via, *partition, *constraint, *hosts, *folder, *until, *least;
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
	/* what that line shows, and since when; shared with the thread that draws it again */
	struct ft_progress progress;
	double began_s, shown_s; /* shown_s: when it was last drawn */
	bool redraws;
	pthread_t redrawer;
	double told_s; /* when it was last told in the store */
	bool tells;    /* it is */
	bool said_busy;
};

/* cli_build_check - options that are words. Returns CLI_DONE, or the exit status after a complaint. */
int cli_build_check(struct cli_build *build);

/* cli_build_busy - warn on standard error that the machine is busy, and what becomes of wall times. */
void cli_build_busy(const struct ft_hindrance *hindrance);

/* What gbbp took for granted of the speed along each parameter, and does not hold. */
void cli_shape_print(const struct cli_build *build);

struct cli_shape {
	const char *parameter;
	char assumption[2];
	double at[3];
	size_t n;
};

/* cli_shape_find - all of them; ends with free. */
struct cli_shape *cli_shape_find(const struct cli_build *build, size_t *n);

/* cli_build_tolerance - that was asked for, or that of the method. */
double cli_build_tolerance(const struct cli_build *build);

/* cli_build_routines - names NAME/ROUTINE of what the runs reported; each, and all of them, ends with free.
 */
char **cli_build_routines(const struct cli_build *build, size_t *n);

/* cli_build_tell - what was measured and made, as JSON. */
struct cli_models;
void cli_build_tell(const struct cli_build *build, const struct cli_models *models);

/* cli_build_report - tell on standard output what was measured and made, as text or JSON. */
void cli_build_report(const struct cli_build *build);

#endif
