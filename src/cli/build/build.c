/* SPDX-License-Identifier: GPL-3.0-or-later */
/* build.c - `foretime build`: measures a program at a few sizes, and makes and reports its models. */
#include "base/clock.h"
#include "build/door.h"
#include "cli/build/build.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "foretime/base.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Read the options of `foretime build` that are words into the request of a sweep.
 */

static int read_far(struct cli_build *build)
{
	if (!build->far || ft_far_parse(build->far, &build->options.far))
		return CLI_DONE;
	(void)cli_fail("unknown far='%s' of --method", build->far);
#define FT_FAR_HINT(name, text, about) cli_hint("--method far=%s: %s", text, about);
	FT_FAR_LIST(FT_FAR_HINT)
#undef FT_FAR_HINT
	return CLI_WRONG;
}

/* "5%", or "5%top": of the fastest speed. */
static int read_tolerance(struct cli_build *build)
{
	size_t length = build->tolerance ? strlen(build->tolerance) : 0;
	struct ft_err err = {0};
	char share[64];

	build->options.of_top = length > 3 && !strcmp(build->tolerance + length - 3, "top");
	if (build->options.of_top)
		length -= 3;
	if (!build->tolerance)
		return CLI_DONE;
	(void)snprintf(share, sizeof share, "%.*s", (int)(length < sizeof share ? length : sizeof share - 1),
		       build->tolerance);
	if (!ft_share_parse(share, 1e-6, 1 - 1e-6, &build->options.tolerance, &err))
		return CLI_DONE;
	return cli_error_at(&err, "option --tolerance");
}

static int read_budget(struct cli_build *build)
{
	if (build->options.budget_s <= 0)
		return cli_fail("option --budget: nothing can be run in no time\n"
				"hint: write a duration as in 30s or 1.5h, or leave --budget out: there is "
				"then no limit");
	build->options.budget_s = fmax(0, build->options.budget_s);
	return CLI_DONE;
}

/* How gbbp climbs and ends, and for which background load. */
static int read_kinds(struct cli_build *build)
{
	struct ft_sweep_options *options = &build->options;

	options->climb_strict = build->climb && !strcmp(build->climb, "strict");
	if (build->climb && !options->climb_strict && strcmp(build->climb, "overlap") != 0)
		return cli_fail("climb= of --method is overlap or strict, not '%s'", build->climb);
	options->end_zero = build->end && !strcmp(build->end, "zero");
	if (build->end && !options->end_zero && strcmp(build->end, "measured") != 0)
		return cli_fail("end= of --method is measured or zero, not '%s'", build->end);
	options->load = FT_LOAD_USUAL;
	options->sharing = build->niced ? FT_SHARING_NICED : FT_SHARING_FAIR;
	if (build->load && (!ft_load_view_parse(build->load, &options->load) || options->load == FT_LOAD_NOW))
		return cli_fail("--load is usual or idle, not '%s'", build->load);
	return CLI_DONE;
}

static int read_resource(struct cli_build *build)
{
	build->options.resource = build->resource         ? cli_resource_typed(build->resource)
				  : build->launch.emulate ? &ft_instructions
							  : &ft_wall_s;
	return build->options.resource ? CLI_DONE : CLI_WRONG;
}

static int read_method(struct cli_build *build)
{
	struct ft_sweep_options *options = &build->options;
	const struct ft_builder_type *type;

	options->builder = build->method ? ft_builder_type_find(build->method) : ft_builder_type_get(0);
	if (options->builder && options->of_top && !options->builder->of_top)
		return cli_fail("--method %s weighs errors by each time itself, not by the fastest speed\n"
				"hint: leave out 'top' behind the tolerance, or take --method gbbp",
				options->builder->name);
	if (options->builder) {
		options->of_top |= !build->tolerance && options->builder->usually_top;
		return CLI_DONE;
	}
	(void)cli_fail("unknown method '%s'", build->method ? build->method : "");
	for (size_t i = 0; (type = ft_builder_type_get(i)); i++)
		cli_hint("--method %s: %s", type->name, type->about);
	return CLI_WRONG;
}

static int read_choice(struct cli_build *build)
{
	bool stated = build->watts > 0 || build->powers.n;

	if (build->watts < 0)
		return cli_fail("--least watts=: a power is above 0, not %g", build->watts);
	if (!stated || build->until || build->opencl.path)
		return CLI_DONE;
	return cli_fail("watts and --powers need --least time and several devices\n"
			"hint: for the energy of a program that is built: foretime predict --powers");
}

/* build_check - options that are words. Returns CLI_DONE, or the exit status after a complaint. */
static int build_check(struct cli_build *build)
{
	static int (*const reads[])(struct cli_build *) = {read_tolerance, read_budget, read_kinds, read_far,
							   read_resource,  read_method, read_choice};

	if (build->counts.least) {
		build->options.reps_least = build->counts.least;
		build->options.reps_most = build->counts.most;
		build->options.reps_limit_s = build->counts.limit_s;
	}
	build->options.seed = build->seed;
	build->options.threads = (double)build->threads;
	build->launch.threads = build->threads > 1000000 ? 1000000 : (int)build->threads;
	cli_probes_set(&build->probes, &build->launch);
	for (size_t i = 0; i < sizeof reads / sizeof *reads; i++)
		CLI_TRY(reads[i](build));
	return CLI_DONE;
}

/*
 * The program to build: what the store has of it, and where its runs come from.
 */

/* A stored NAME supplies what was left out: the command, the ranges, the work, the constraint. */
/* build_recall - take what was left out from the stored program NAME. */
static int build_recall(struct cli_build *build)
{
	struct ft_program *program = &build->program, stored = {0};

	if (build->from) {
		/* Its shape is there: few runs set its scale. */
		CLI_TRY(cli_travel_from(build->store, build->from, program));
		if (!build->options.points)
			build->options.points = 3;
		if (!build->counts.least)
			build->options.reps_least = build->options.reps_most = 1;
	}
	if (build->replay_path)
		return CLI_DONE;
	if (program->name &&
	    ft_store_get_program_on(build->store, program->name, program->device, &stored, NULL) == FT_OK) {
		if (!program->argv && stored.argv) {
			cli_program_argv(program, stored.argv, stored.argc);
			build->recalled = true;
		}
		if (!program->n_params) {
			program->n_params = stored.n_params;
			memcpy(program->param, stored.param, sizeof program->param);
		}
		if (!program->work)
			program->work = cli_strdup(stored.work);
		if (!build->where.n)
			program->where = cli_strdup(stored.where);
		ft_program_clear(&stored);
	}
	if (program->argv)
		return CLI_DONE;
	return cli_fail("which program? none stands behind --\n"
			"hint: write foretime build %s n=64:3000 -- PROG {n}",
			program->name ? program->name : "NAME");
}

/* The parameters that have a range are what models are functions of. */
/* build_check_params - a parameter has a range. */
static int build_check_params(const struct ft_program *program)
{
	for (size_t i = 0; i < program->n_params; i++)
		if (program->param[i].most > program->param[i].least)
			return cli_work_check(program);
	(void)cli_fail(program->n_params ? "no parameter has a range" : "no parameter is given");
	cli_hint("write the range of sizes before --, as in n=64:3000");
	return CLI_WRONG;
}

/* Each range is named in the command: where one is not, all its sizes would be the same run. */
/* build_check_named - each range is named in the command. */
static int build_check_named(const struct cli_build *build)
{
	const struct ft_program *program = &build->program;

	for (size_t i = 0; i < program->n_params && !build->replay_path; i++) {
		const struct ft_param *param = &program->param[i];
		bool automatic = build->automatic.word && !strcmp(param->name, build->automatic.name);

		if ((!automatic && !(param->most > param->least)) ||
		    ft_launch_names(&build->launch, param->name))
			continue;
		const char *name = param->name;

		(void)cli_fail("the command has no {%s}: each run would be the same", name);
		if (build->recalled && !build->launch.prepare)
			cli_hint("where --prepare took that value when '%s' was built, give it again: it is "
				 "not kept",
				 build->program.name);
		else
			cli_hint("write {%s} where it takes that value, as in -- %s {%s}", name,
				 build->program.argv[0], name);
		return CLI_WRONG;
	}
	return CLI_DONE;
}

/* A recorded sweep as the program. */
static int open_replay(struct cli_build *build)
{
	const char *path = build->replay_path;
	struct ft_csv *csv = NULL;
	struct ft_runs runs = {0};
	struct ft_err err = {0};

	build->program.hash = cli_strdup("");
	/* Once: it may be a pipe. */
	if (ft_csv_read(path, 0, &csv, &err) ||
	    ft_runs_of_table(csv, strcmp(path, "-") ? path : "standard input", &build->program, &runs,
			     &err)) {
		ft_runs_clear(&runs);
		ft_csv_free(csv);
		return cli_error(&err);
	}
	int status = cli_machine_of_table(csv, build->here, &build->machine);
	ft_csv_free(csv);
	if (build->shuffle)
		ft_runs_shuffle(&runs, build->options.seed);
	if (status == CLI_DONE)
		return ft_source_open_replay(&build->source, &runs, &err) ? cli_error(&err) : CLI_DONE;
	ft_runs_clear(&runs);
	return status;
}

static int open_process(struct cli_build *build)
{
	struct ft_err err = {0};

	if (build->cases_path) {
		if (ft_csv_read(build->cases_path, 0, &build->cases, &err))
			return cli_error(&err);
		CLI_TRY(cli_program_cases(&build->program, build->cases, build->cases_path));
	}
	build->program.driver = cli_driver_named(build->program.device);
	build->launch.program = &build->program;
	build->launch.cases = build->cases;
	if (ft_program_hash(&build->program, &build->program.hash, &err))
		return cli_error(&err);
	if (build->via) /* machines are known when tasks come back */
		return CLI_DONE;
	if (ft_source_open_process(&build->source, &build->launch, &err))
		return cli_error(&err);
	/* What runs under an emulator is of a machine that is called as its processor. */
	if (build->launch.emulate ? ft_machine_named(build->launch.emulate, &build->machine, &err)
				  : ft_machine_read("", &build->machine, &err))
		return cli_error(&err);
	ft_source_interrupt(build->source, cli_interrupt_flag());
	return CLI_DONE;
}

/*
 * `foretime build`: measures a program at a few sizes, and makes and reports its models.
 */

/* ---- the program to build
   ------------------------------------------------------------------------------------ */

/* NAME, the parameters, the command; from the store what is left out. */
static int read_words(struct cli_build *build, const struct cli_words *words)
{
	struct ft_program *program = &build->program;
	bool bare = build->replay_path || build->cases_path;
	size_t first = words->n && !strchr(words->word[0], '=') ? 1 : 0;

	if (first)
		program->name = cli_strdup(words->word[0]);
	if (build->replay_path && words->separated)
		return cli_fail("--replay takes no program behind --: its runs are recorded");
	if (words->separated && !words->n_rest)
		return cli_fail("no program stands behind --");
	if (words->n_rest)
		cli_program_argv(program, words->rest, words->n_rest);
	if (build->replay_path && !program->name)
		return cli_fail("--replay needs a NAME\n"
				"hint: write foretime build NAME n --replay %s",
				build->replay_path);
	cli_program_name(program);
	program->work = cli_strdup(build->work);
	if (cli_auto_read(&build->automatic, words, first) != CLI_DONE)
		return CLI_WRONG;
	if (build->automatic.word && build->steps)
		return cli_fail("with --via steps no run is made unasked, and auto needs some\n"
				"hint: give an upper end: foretime build with auto, and without --via steps, "
				"finds one");
	if (build->automatic.word && bare)
		return cli_fail("auto needs a program to run: recorded runs and cases end where they end");
	return cli_program_params(program, words->word + first, words->n - first, bare);
}

/* ---- progress ----------------------------------------------------------------------------------------- */

/* Write progress to the store no more often: a row costs what a run does there, some 60 us. */
#define TELL_S 0.5

/* For those who watch (foretime show, the page). A failure to report does not stop the build. */
static void tell_store(struct cli_build *build, const struct ft_progress *progress, double now_s)
{
	const struct ft_building answer = {
		.size = progress->size,
		.reason = (enum ft_reason)progress->reason,
		.gain = progress->gain,
		.expected_s = progress->expected_s,
		.spent_s = progress->spent_s,
		.budget_s = progress->budget_s,
		.tolerance = cli_build_tolerance(build),
		.complete = progress->complete,
		.points = progress->points,
		.runs = progress->runs,
	};

	if (progress->reason < 0 || build->replay_path || !build->program.id || !build->machine.id ||
	    (build->tells && now_s - build->told_s < TELL_S))
		return;
	build->told_s = now_s;
	build->tells = !ft_building_put(build->store, build->program.id, build->machine.id, &answer, NULL);
}

static void show_progress(void *ctx, const struct ft_progress *progress)
{
	tell_store(ctx, progress, ft_clock_s());
	cli_live_progress(ctx, progress);
	cli_build_progress(ctx, progress);
}

/* ---- the work ----------------------------------------------------------------------------------------- */

/* A device alone: what stands behind -- is its command. */
static int read_device(struct cli_build *build)
{
	const char *device = build->devices.n ? build->devices.text[0] : NULL;

	if (!device)
		return CLI_DONE;
	if (build->devices.n > 1)
		return cli_fail("--device is given %zu times, and without commands", build->devices.n);
	if (ft_program_device_fault(device))
		return cli_fail("'%s' cannot name a device: %s", device, ft_program_device_fault(device));
	build->program.device = cli_strdup(device);
	return CLI_DONE;
}

static int prepare_build(struct cli_build *build, const struct cli_words *words)
{
	struct ft_err err = {0};
	char *where;
	int status = build_check(build);

	if (status == CLI_DONE)
		status = read_words(build, words);
	if (status == CLI_DONE)
		status = cli_via_check(build);
	if (status == CLI_DONE)
		status = read_device(build);
	if (status == CLI_DONE)
		status = cli_store_open(&build->store, build->store_path, CLI_WRITE);
	if (status == CLI_DONE)
		status = build_recall(build);
	if (status == CLI_DONE)
		status = build->replay_path ? open_replay(build) : open_process(build);
	if (status == CLI_DONE)
		status = cli_program_where(&build->program, build->where.text, build->where.n);
	if (status == CLI_DONE)
		status = build->automatic.word ? cli_work_check(&build->program)
					       : build_check_params(&build->program);
	if (status == CLI_DONE)
		status = build_check_named(build);
	if (status != CLI_DONE || build->dry_run)
		return status;
	free(build->program.method);
	build->program.method = cli_strdup(ft_sweep_method(&build->options));
	if (!build->via && ft_store_put_machine(build->store, &build->machine, &err))
		return cli_error(&err);
	/* A constraint is stored once the sweep has found sizes that it admits. */
	where = build->program.where;
	build->program.where = NULL;
	status = cli_program_put(build->store, &build->program);
	build->program.where = where;
	return status;
}

/* Signals and progress, as all ways to make the runs have them. */
static void watch(struct cli_build *build)
{
	struct ft_sweep_options *options = &build->options;

	cli_signals_catch();
	options->interrupt = cli_interrupt_flag();
	build->terminal = !build->quiet && isatty(STDERR_FILENO) == 1;
	options->progress = show_progress;
	options->ran = cli_live_ran;
	options->progress_ctx = build;
}

static int sweep(struct cli_build *build)
{
	struct ft_sweep_options *options = &build->options;
	struct ft_err err = {0};
	int status = CLI_DONE;

	if (build->automatic.word)
		status = cli_auto_find(build);
	if (status == CLI_DONE)
		status = build_check_params(&build->program);
	if (status != CLI_DONE)
		return status;
	cli_build_watch(build);
	enum ft_status result = ft_sweep_run(build->store, &build->program, &build->machine, build->source,
					     options, &build->report, &err);
	cli_build_unwatch(build);
	if (build->tells)
		(void)ft_building_end(build->store, build->program.id, build->machine.id, NULL);
	build->report.runs += build->automatic.reach.runs;
	build->report.cost_s += build->automatic.reach.cost_s;
	if (build->report.stop == FT_STOP_INTERRUPTED && (result == FT_OK || result == FT_ENOMODEL))
		status = CLI_INTERRUPTED;
	/* The results are printed above the complaint. */
	if (result == FT_OK || result == FT_ENOMODEL)
		cli_build_report(build);
	if (result && status == CLI_DONE)
		status = cli_error(&err);
	return status;
}

static void build_clear(struct cli_build *build)
{
	cli_live_end(build);
	cli_auto_clear(&build->automatic);
	json_decref(build->live.measured);
	json_decref(build->live.accuracy);
	ft_source_close(build->source);
	ft_sweep_report_clear(&build->report);
	ft_program_clear(&build->program);
	ft_machine_clear(&build->machine);
	ft_csv_free(build->cases);
	ft_store_close(build->store);
}

static int run_build(const struct cli_command *command, int argc, char **argv)
{
	struct cli_build b = {.options = {.confidence = 0.9, .budget_s = NAN}, .seed = 1};
	const struct ft_field options[] = {
		{'r', "resource", FT_FIELD_TEXT, &b.resource, "R",
		 "resource that steers the choice of sizes; default wall_s"},
		{0, "tolerance", FT_FIELD_TEXT, &b.tolerance, "SHARE[top]",
		 "target accuracy; default 10%; gbbp: 5%top, of the fastest speed; --least: 2%"},
		{'b', "budget", FT_FIELD_DURATION, &b.options.budget_s, "T",
		 "total time to spend measuring; default: four times what the first sizes take (gbbp: no "
		 "limit)"},
		{'t', "timeout", FT_FIELD_DURATION, &b.options.timeout_s, "T",
		 "end a run after T; default: no limit"},
		{0, "memory", FT_FIELD_BYTES, &b.options.memory_bytes, "M",
		 "run no size that is expected to need more; default: as far as the machine goes"},
		{0, "work", FT_FIELD_TEXT, &b.work, "EXPR",
		 "volume of computation, as '2*n^3'; speed is work/time"},
		CLI_QUIET_OPTION(b.quiet),
		CLI_VERBOSE(b.verbose),
		CLI_ANSWER_OPTIONS(b.json, b.store_path),
		CLI_GROUP("which sizes, and how often"),
		{0, "where", FT_FIELD_TEXTS, &b.where, "EXPR",
		 "sizes that do not meet it make no sense, as in 'np <= nx'; may be given again"},
		{0, "method", FT_FIELD_TEXT, &b.method, "M",
		 "adaptive (default), gbbp, gbbp_naive, naive, naive_bisect or rand"},
		{0, "far", FT_FIELD_TEXT, &b.far, "KIND",
		 "adaptive: largest size to run: measure (all, default), half, or skip (a quarter)",
		 .of = "method"},
		{0, "from", FT_FIELD_TEXT, &b.from, "FILE|NAME@MACHINE",
		 "begin with a model from another machine: runs at three sizes here set its scale"},
		{0, "end", FT_FIELD_TEXT, &b.end, "KIND",
		 "gbbp: largest size: measured (default), or zero: its speed taken for 0", .of = "method"},
		{0, "climb", FT_FIELD_TEXT, &b.climb, "KIND",
		 "gbbp: end of the climb: overlap (default), or strict: the published rule", .of = "method"},
		{0, "limit", FT_FIELD_COUNT, &b.options.points, "N",
		 "maximum number of sizes; naive, naive_bisect: number of each parameter (default 20)"},
		{'n', "runs", FT_FIELD_COUNTS, &b.counts, "LEAST:MOST[:T]",
		 "runs at a size, and no more once they took T; default 2:10:60s"},
		{'c', "confidence", FT_FIELD_SHARE, &b.options.confidence, "C",
		 "confidence of the mean time at a size; default 90%"},
		{0, "load", FT_FIELD_TEXT, &b.load, "KIND",
		 "gbbp: cuts under the usual background load (default), or idle"},
		{0, "niced", FT_FIELD_FLAG, &b.niced, NULL,
		 "gbbp: the program takes only what other processes leave"},
		{0, "seed", FT_FIELD_COUNT, &b.seed, "S",
		 "of the order of runs, and of the sizes of rand; default 1"},
		CLI_GROUP("several devices, and kernels of OpenCL"),
		{0, "device", FT_FIELD_TEXTS, &b.devices, "D[=COMMAND]",
		 "a device or implementation of NAME; with a command: one of several, given again for each"},
		{0, "until", FT_FIELD_TEXT, &b.until, "decided", NULL,
		 .not_with = "replay cases steps method"},
		{0, "least", FT_FIELD_TEXT, &b.least, "WHAT",
		 "of several devices: run only what decides which needs least time, energy, or another "
		 "resource"},
		{0, "watts", FT_FIELD_NUMBER, &b.watts, "W", "leave out devices whose run needs more power",
		 .of = "least"},
		CLI_POWERS_OPTION(b.powers),
		{0, "opencl", FT_FIELD_TEXT, &b.opencl.path, "FILE.cl",
		 "run a kernel of it on each --device, opencl:K, or all of them",
		 .not_with = "replay cases steps method"},
		{0, "kernel", FT_FIELD_TEXT, &b.opencl.kernel, "K",
		 "name of the kernel; default: the only one", .of = "opencl"},
		{0, "global", FT_FIELD_TEXT, &b.opencl.global, "X[,Y[,Z]]",
		 "work-items, expressions of the parameters", .of = "opencl"},
		{0, "local", FT_FIELD_TEXT, &b.opencl.local, "X[,Y[,Z]]",
		 "work-items of a group; default: the driver's choice", .of = "opencl"},
		{0, "arg", FT_FIELD_TEXTS, &b.opencl.args, "NAME=ARG",
		 "--opencl: an array TYPE[COUNT], a number, or a file: foretime-device(1)"},
		{0, "flags", FT_FIELD_TEXT, &b.opencl.flags, "'FLAGS'", "flags of the device's compiler",
		 .of = "opencl"},
		{0, "timed", FT_FIELD_TEXT, &b.opencl.tell, "WHAT",
		 "what is timed: launch, with transfers (default), or kernel", .of = "opencl"},
		CLI_GROUP("recorded runs, real inputs, another program that runs"),
		{0, "replay", FT_FIELD_TEXT, &b.replay_path, "FILE.csv",
		 "take recorded runs in place of a program", .not_with = "cases"},
		{0, "shuffle", FT_FIELD_FLAG, &b.shuffle, NULL, "hand out the runs in random order",
		 .of = "replay"},
		{0, "here", FT_FIELD_FLAG, &b.here, NULL,
		 "with --replay: the runs were made on this machine"},
		{0, "cases", FT_FIELD_TEXT, &b.cases_path, "FILE.csv",
		 "real inputs: a row each, the columns fill {placeholders}"},
		{0, "steps", FT_FIELD_FLAG, &b.steps, NULL, NULL, .not_with = "via"},
		CLI_GROUP("runs on other machines"),
		{0, "via", FT_FIELD_TEXT, &b.via, "EXECUTOR",
		 "carrier of runs to other machines: slurm, parallel or mpiexec; steps: another program "
		 "makes "
		 "the runs, see the manual; default: all are made here"},
		{0, "partition", FT_FIELD_TEXT, &b.partition, "P",
		 "slurm: partition of the nodes; default: Slurm's", .of = "via"},
		{0, "constraint", FT_FIELD_TEXT, &b.constraint, "TYPE", "slurm: only nodes with that feature",
		 .of = "via"},
		{0, "hosts", FT_FIELD_TEXT, &b.hosts, "FILE",
		 "parallel, mpiexec: a host a line, or 4/HOST; default: this machine", .of = "via"},
		{0, "each-kind", FT_FIELD_FLAG, &b.each_kind, NULL, "one model for each kind of machine",
		 .of = "via", .not_with = "json"},
		{0, "at-once", FT_FIELD_COUNT, &b.at_once, "K",
		 "runs at once; default: one for each idle node, or what hosts take", .of = "via"},
		{0, "folder", FT_FIELD_TEXT, &b.folder, "DIR",
		 "folder that all machines see; default: that of the store", .of = "via"},
		{0, "dry-run", FT_FIELD_FLAG, &b.dry_run, NULL,
		 "--via: print what would be handed over, and run nothing"},
		CLI_GROUP("how a run is started"),
		CLI_LAUNCH_OPTIONS(b.threads, b.launch),
		CLI_EMULATE_OPTION(b.launch, "replay via steps device opencl"),
		CLI_GROUP("what else is measured"),
		CLI_PROBE_OPTIONS(b.probes),
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	if (b.via && !strcmp(b.via, "steps")) {
		b.steps = true;
		b.via = NULL;
	}
	if (b.least && !b.until)
		b.until = "decided";
	if (cli_build_is_on_devices(&b)) {
		status = cli_via_check(&b);
		if (status == CLI_DONE)
			status = build_check(&b);
		if (status == CLI_DONE)
			status = cli_build_devices(&b, &words);
		build_clear(&b);
		return status;
	}
	status = prepare_build(&b, &words);
	if (status == CLI_DONE && !b.steps)
		watch(&b);
	if (status == CLI_DONE)
		status = b.steps ? cli_build_steps(&b) : b.via ? cli_build_via(&b) : sweep(&b);
	else if (b.steps)
		cli_build_steps_failed(&b);
	build_clear(&b);
	return status;
}

const struct cli_command cli_build = {
	"build",
	"measure a program at a few sizes, and make its models",
	"[NAME] n=64:3000[:STRIDE|:*FACTOR] [m=100|m=10:100|m=8,16,64] [OPTION...] -- PROG ARG... {n} ...\n"
	"[NAME] n=64:auto[:STRIDE|:*FACTOR] [m=100] [OPTION...] -- PROG ARG... {n} ...\n"
	"[NAME] n=64:3000 --via slurm|parallel|mpiexec[,KEY=...] [OPTION...] -- PROG ARG... {n} ...\n"
	"NAME n --replay FILE.csv [OPTION...]\n"
	"NAME n --cases FILE.csv [OPTION...] -- PROG ARG... {column} ...\n"
	"NAME [OPTION...]\n"
	"NAME n=64:4096 --device cpu='PROG {n}' --device gpu='PROG --gpu {n}' --least time [OPTION...]\n"
	"NAME n=64:4096 --opencl FILE.cl,global=n,n --arg 'a=float[n*n]' --device all --least time "
	"[OPTION...]",
	"{n} in an argument is replaced by the size; no shell is involved (--prepare and --cleanup are "
	"shell\n"
	"commands). A NAME that exists is continued: its runs count. Ctrl-C keeps what is finished.\n"
	"Exit status: 0 done, 1 no model could be made, 2 wrong use or failure, 130 interrupted.\n",
	NULL,
	run_build,
};
