/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.c - `foretime run`: one measured run of a program, whose output and exit status pass through. */
#include "cli/cli.h"
#include "cli/options.h"
#include "cli/run/run.h"
#include "foretime/measure.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As env and timeout have it; other statuses are the program's own. */
enum { TIMED_OUT = 124, OUR_FAILURE = 125, NOT_EXECUTABLE = 126, NOT_FOUND = 127, SIGNALLED = 128 };

struct single {
	const char *store_path, *save, *device, *into, *output_path, *trace_path;
	double timeout_s;
	size_t threads;
	bool json, verbose, keep_trace;
	struct cli_probes probes;
	struct cli_output trace;
	struct cli_contract contract;
	struct cli_eta eta;
	struct ft_usage usage;
	struct ft_reuse reuse;
	struct cli_words words;
	struct ft_launch launch;
	struct ft_program program;
	struct ft_size size;
	struct ft_runs runs;
};

static int start_failed(const struct ft_err *err)
{
	(void)cli_error(err);
	if (err->status == FT_ENOENT)
		return NOT_FOUND;
	return err->status == FT_EACCESS ? NOT_EXECUTABLE : OUR_FAILURE;
}

static int read_words(struct single *single)
{
	const struct cli_words *words = &single->words;
	struct ft_program *program = &single->program;

	if (!words->n_rest) {
		(void)cli_word_missing(words, 0);
		return OUR_FAILURE;
	}
	cli_program_argv(program, words->rest, words->n_rest);
	program->name = cli_strdup(single->save);
	if (single->device && !single->save) {
		(void)cli_fail("--device is of a NAME: without --save no run is kept");
		return OUR_FAILURE;
	}
	if (single->device && ft_program_device_fault(single->device)) {
		(void)cli_fail("'%s' cannot name a device: %s", single->device,
			       ft_program_device_fault(single->device));
		return OUR_FAILURE;
	}
	if (single->keep_trace && !single->save) {
		(void)cli_fail("keep-trace keeps the trace of a run: without --save no run is kept\n"
			       "hint: --trace FILE.csv writes it into a file");
		return OUR_FAILURE;
	}
	program->device = cli_strdup(single->device);
	cli_program_name(program);
	if (single->save && cli_name_check(program->name) != CLI_DONE)
		return OUR_FAILURE;
	if (cli_program_params(program, words->word, words->n, false) != CLI_DONE)
		return OUR_FAILURE;
	single->size.n = program->n_params;
	for (size_t i = 0; i < program->n_params; i++) {
		single->size.value[i] = program->param[i].least;
		if (program->param[i].least == program->param[i].most)
			continue;
		(void)cli_fail("'%s' is a range, and 'run' makes one run\n"
			       "hint: write %s=VALUE; foretime build measures a range",
			       words->word[i], program->param[i].name);
		return OUR_FAILURE;
	}
	return CLI_DONE;
}

/* ---- the report --------------------------------------------------------------------------------------- */

static struct ft_usage_job job_of(const struct single *single)
{
	struct ft_usage_job job;

	(void)ft_usage_job(&single->usage, &job);
	return job;
}

/* Accesses by their reuse distance. */
struct reuse_row {
	double over_bytes, to_bytes, share;
};

static const struct ft_tell_row reuse_rows[] = {
	{FT_TELL(struct reuse_row, over_bytes), .about = "0: or the same line", .head = ">over",
	 .unit = "bytes"},
	{FT_TELL(struct reuse_row, to_bytes), .null = "any, or data that was not used before",
	 .head = ">up to", .unit = "bytes", .none = "any, or first use"},
	{FT_TELL(struct reuse_row, share), .about = "of all reads and writes", .head = ">share",
	 .unit = ".2f %"},
	{0},
};
static const struct ft_tell_record reuse_record = {.bytes = sizeof(struct reuse_row), .row = reuse_rows};

/* Between each two caches that were simulated: what the smaller one misses and the larger one does not. */
static size_t reuse_of(const struct ft_reuse *reuse, struct reuse_row row[FT_REUSE_MOST + 1])
{
	for (size_t i = 0; reuse->n && i <= reuse->n; i++)
		row[i] = (struct reuse_row){.over_bytes = i ? reuse->bytes[i - 1] : 0,
					    .to_bytes = i < reuse->n ? reuse->bytes[i] : (double)NAN,
					    .share = (i ? reuse->beyond[i - 1] : 1) -
						     (i < reuse->n ? reuse->beyond[i] : 0)};
	return reuse->n ? reuse->n + 1 : 0;
}

static void print_measurements(const struct single *single, FILE *file)
{
	const struct ft_run *run = &single->runs.run[0];
	CLI_OWN char *why = cli_failure_text(run->outcome, run, run->detail);
	char at[256];

	(void)ft_size_format(&single->program, &single->size, at, sizeof at);
	fprintf(file, "%s%s%s: %s\n", single->program.name, *at ? " " : "", at, why);
	cli_contract_print(&single->contract, file);
	for (size_t i = 0; i < single->runs.n; i++) {
		struct cli_table table = {0};

		if (single->runs.run[i].routine)
			fprintf(file, "routine %s\n", single->runs.run[i].routine);
		cli_table_tell(&table, &ft_tell_sample, single->runs.run[i].sample,
			       single->runs.run[i].n_samples, NULL);
		cli_table_print(&table, file);
	}
	/* The columns of energy fit. */
	struct ft_usage_job job = job_of(single);
	char text[2][FT_UNIT_LENGTH];

	if (job.wall_s > 0)
		fprintf(file, "job: t_wall %s, n %g, t_job %s (all of them at work)\n",
			ft_value_format(job.wall_s, "s", text[0]), job.cores,
			ft_value_format(job.job_s, "s", text[1]));
	struct reuse_row row[FT_REUSE_MOST + 1];
	size_t n = reuse_of(&single->reuse, row);
	struct cli_table table = {0};

	if (!n)
		return;
	fputs("reuse distances of reads and writes (approximate: simulated caches of 8 or 12 ways)\n", file);
	cli_table_tell(&table, &reuse_record, row, n, NULL);
	cli_table_print(&table, file);
}

static const struct ft_tell_row routine_rows[] = {
	{FT_TELL(struct ft_run, routine), .null = ""},
	{FT_TELL_MANY(LIST, "resources", struct ft_run, sample, n_samples, &ft_tell_sample)},
	{0},
};
static const struct ft_tell_record routines = {.bytes = sizeof(struct ft_run), .row = routine_rows};

struct run_answer {
	const char *name;
	char **argv;
	size_t argc;
	struct ft_run run, *routine; /* of the process; [n] what it reported */
	size_t n;
	double exit_status;
	const struct cli_contract *contract; /* NULL: there was none */
	const struct cli_eta *eta;           /* the same */
	struct ft_usage_job job;
	struct reuse_row *reuse; /* [n_reuse] */
	size_t n_reuse;
};

static bool is_traced(const void *answer)
{
	return ((const struct ft_usage_job *)answer)->wall_s > 0;
}

static const struct ft_tell_row job_rows[] = {
	{FT_TELL(struct ft_usage_job, cores), .whole = true, .about = "n of equation 12.1 of document 004"},
	{FT_TELL(struct ft_usage_job, wall_s)},
	{FT_TELL(struct ft_usage_job, job_s), .about = "t_job: time for which all n worked"},
	{0},
};
static const struct ft_tell_record jobs = {.row = job_rows, .there = is_traced};

static const struct ft_tell_row rows[] = {
	{FT_TELL(struct run_answer, name)},
	{FT_TELL_MANY(LIST, "argv", struct run_answer, argv, argc, &ft_tell_texts)},
	{FT_TELL_AS("size", struct run_answer, run.size), .about = "a value for each parameter"},
	{FT_TELL_BY(WORD, "outcome", struct run_answer, run.outcome), .word = ft_outcome_text,
	 .words = FT_TELL_OUTCOMES},
	{FT_TELL(struct run_answer, exit_status), .whole = true, .null = "it did not end by itself"},
	{FT_TELL_AS("signal", struct run_answer, run.signal), .null = "none"},
	{FT_TELL_AS("left_running", struct run_answer, run.left_running),
	 .about = "a process of it could not be ended, and may still run"},
	{FT_TELL_AS("cost_s", struct run_answer, run.cost_s)},
	{FT_TELL_BY(TIME, "started", struct run_answer, run.started_ns),
	 .about = "UTC, as 2026-01-31T12:00:00Z", .null = "not known"},
	{FT_TELL_BY(ROWS, NULL, struct run_answer, run), .of = &ft_tell_queue},
	{FT_TELL_MANY(LIST, "resources", struct run_answer, run.sample, run.n_samples, &ft_tell_sample)},
	{FT_TELL_MANY(LIST, "routines", struct run_answer, routine, n, &routines)},
	{FT_TELL_BY(POINTER, "contract", struct run_answer, contract), .of = &cli_contract_answer,
	 .null = "no --contract"},
	{FT_TELL_BY(POINTER, "expected_end", struct run_answer, eta), .of = &cli_eta_answer,
	 .null = "no --eta"},
	{FT_TELL_BY(RECORD, "job", struct run_answer, job), .of = &jobs, .null = "no --trace"},
	{FT_TELL_MANY(LIST, "reuse", struct run_answer, reuse, n_reuse, &reuse_record),
	 .about = "with --measure working-set"},
	{0},
};
const struct ft_tell_record cli_run_answer = {.name = "run", .version = 2, .row = rows};

static int tell_report(const struct single *single)
{
	struct cli_output output;

	if (cli_output_open(&output, single->output_path, stderr) != CLI_DONE)
		return OUR_FAILURE;
	if (single->json) {
		const struct ft_run *run = &single->runs.run[0];
		const struct ft_tell_with with = {.program = &single->program};
		struct reuse_row row[FT_REUSE_MOST + 1];
		const struct run_answer answer = {
			single->program.name,
			single->program.argv,
			single->program.argc,
			*run,
			single->runs.run + 1,
			single->runs.n - 1,
			run->outcome == FT_DONE || run->outcome == FT_FAILED ? run->exit_status : (double)NAN,
			single->contract.name ? &single->contract : NULL,
			single->eta.name ? &single->eta : NULL,
			job_of(single),
			row,
			reuse_of(&single->reuse, row)};

		cli_json_print(cli_tell_json(&cli_run_answer, &answer, &with), output.file);
	} else {
		print_measurements(single, output.file);
	}
	return cli_output_close(&output, true) == CLI_DONE ? CLI_DONE : OUR_FAILURE;
}

/* ---- the run ------------------------------------------------------------------------------------------ */

static int exit_status_of(const struct ft_run *run)
{
	switch (run->outcome) {
	case FT_DONE:
		return CLI_DONE;
	case FT_FAILED:
	case FT_INVALID:
		return run->exit_status;
	case FT_CRASHED:
		return SIGNALLED + run->signal;
	case FT_OUT_OF_MEMORY:
		return SIGNALLED + SIGKILL;
	case FT_TIMED_OUT:
		return TIMED_OUT;
	case FT_NOT_STARTED:
		return NOT_EXECUTABLE;
	case FT_INTERRUPTED:
		return CLI_INTERRUPTED;
	}
	return OUR_FAILURE;
}

/* A run that ended well, or was ended for its contract, and broke it. */
static int end_status(const struct single *single)
{
	const struct ft_run *run = &single->runs.run[0];
	const struct cli_contract *contract = &single->contract;
	int status = exit_status_of(run);

	if (!contract->n_breaches)
		return status;
	return status == CLI_DONE || (contract->end && run->outcome == FT_INTERRUPTED) ? CLI_NO : status;
}

/* A real run: it is stored, and its exit status is ours, even if something else fails. A report is printed
 * if it does not mix with the program's output. */
static int end_real(struct single *single)
{
	const struct ft_run *run = &single->runs.run[0];

	if (single->output_path || single->json ||
	    ((single->verbose || single->contract.name) && isatty(STDERR_FILENO))) {
		(void)tell_report(single);
	} else if (isatty(STDERR_FILENO)) {
		/* The summary for a person at a terminal, behind the program's own output. */
		const struct ft_resource *memory = isnan(ft_run_value(run, &ft_peak_tree_bytes))
							   ? &ft_peak_rss_bytes
							   : &ft_peak_tree_bytes;
		CLI_OWN char *why = cli_failure_text(run->outcome, run, run->detail);
		char at[256], text[FT_UNIT_LENGTH];

		(void)ft_size_format(&single->program, &single->size, at, sizeof at);
		fprintf(stderr, "measured: %s%s%s", single->program.name, *at ? " " : "", at);
		if (run->outcome != FT_DONE)
			fprintf(stderr, ", %s", why);
		if (!isnan(ft_run_value(run, &ft_wall_s)))
			fprintf(stderr, ", %s", ft_value_format(ft_run_value(run, &ft_wall_s), "s", text));
		if (!isnan(ft_run_value(run, memory)))
			fprintf(stderr, ", %s", ft_value_format(ft_run_value(run, memory), "bytes", text));
		fputc('\n', stderr);
	}
	if (run->signal && run->outcome != FT_TIMED_OUT) {
		(void)cli_stdout_close();
		cli_end_by_signal(run->signal);
	}
	return end_status(single);
}

/* The file is made before the run, which would be lost for one that cannot be. */
static int prepare_probes(struct single *single)
{
	cli_probes_set(&single->probes, &single->launch);
	single->launch.reuse = &single->reuse;
	if (single->trace_path || single->keep_trace)
		single->launch.usage = &single->usage;
	if (!single->trace_path)
		return CLI_DONE;
	return cli_output_open(&single->trace, single->trace_path, stdout) == CLI_DONE ? CLI_DONE
										       : OUR_FAILURE;
}

/* The trace as stored with the run; the caller frees it. NULL: none. */
static char *trace_text(const struct single *single)
{
	char *text = NULL;
	size_t length = 0;
	FILE *file = single->keep_trace ? open_memstream(&text, &length) : NULL;

	if (!file)
		return NULL;
	cli_usage_write(&single->usage, file);
	if (!fclose(file))
		return text;
	free(text);
	return NULL;
}

static int write_trace(struct single *single)
{
	if (!single->trace_path)
		return CLI_DONE;
	cli_usage_write(&single->usage, single->trace.file);
	return cli_output_close(&single->trace, true) == CLI_DONE ? CLI_DONE : OUR_FAILURE;
}

/* Nothing can be measured, but the program is needed: exec it. */
static int become_program(const struct single *single, const struct ft_err *why)
{
	struct ft_err err = {0};
	char **argv;

	if (why->status != FT_EUNAVAIL || single->launch.prepare || single->launch.cleanup ||
	    ft_program_arguments(&single->program, &single->size, &argv, &err))
		return start_failed(why);
	(void)cli_error(why);
	cli_note("the program runs all the same, and is not measured");
	(void)execvp(argv[0], argv);
	int status = errno == ENOENT ? NOT_FOUND : NOT_EXECUTABLE;
	(void)cli_fail("cannot execute '%s': %s", argv[0], strerror(errno));
	ft_arguments_free(argv);
	return status;
}

static int execute_runs(struct single *single)
{
	struct ft_source *source;
	struct cli_saving *saving = NULL;
	struct ft_err err = {0};

	CLI_TRY(prepare_probes(single));
	single->launch.program = &single->program;
	single->launch.pass_through = !single->into;
	single->launch.real = single->save;
	single->launch.threads = single->threads > 1000000 ? 1000000 : (int)single->threads;
	if (single->save)
		single->launch.signal = cli_signals_pass();
	int status = cli_contract_open(&single->contract, single->store_path, single->words.word,
				       single->words.n, &single->launch);
	if (status != CLI_DONE)
		return OUR_FAILURE;
	if (ft_source_open_process(&source, &single->launch, &err))
		return single->save ? become_program(single, &err) : start_failed(&err);
	if (single->save) {
		saving = cli_save_begin(single->store_path, &single->program);
	} else {
		cli_signals_catch();
		ft_source_interrupt(source, cli_interrupt_flag());
	}
	enum ft_status result =
		ft_source_run(source, &single->size, 0, single->timeout_s, &single->runs, &err);
	ft_source_close(source);
	if (saving) {
		CLI_OWN char *trace = trace_text(single);

		cli_save_end(saving, &single->runs, trace);
	}
	if (result || !single->runs.n)
		return start_failed(&err);
	if (single->into) {
		/* A task of a build: stored in any case, unless its executor ended it. */
		if (single->runs.run[0].outcome == FT_INTERRUPTED)
			return CLI_INTERRUPTED;
		return cli_save_apart(single->into, &single->program, &single->runs) == CLI_DONE
			       ? CLI_DONE
			       : OUR_FAILURE;
	}
	cli_contract_end(&single->contract, &single->runs.run[0]);
	status = write_trace(single);
	if (single->save)
		return end_real(single);
	if (status == CLI_DONE)
		status = tell_report(single);
	return status == CLI_DONE ? end_status(single) : status;
}

/* --eta NAME,pid=PID: nothing is started, and nothing is stored. */
static int follow(struct single *single)
{
	if (single->words.n_rest)
		return cli_fail("unexpected argument '%s': the process %zu runs already",
				single->words.rest[0], single->eta.pid);
	if (single->contract.name || single->contract.progress || single->save || single->into)
		return cli_fail(
			"a process that runs already has no --contract, --progress, --save and --into");
	CLI_TRY(cli_eta_open(&single->eta, single->store_path, single->words.word, single->words.n));
	int status = cli_eta_follow(&single->eta, (int)single->eta.pid);
	if (single->json && single->eta.last_s > 0)
		cli_tell(&cli_run_end_answer, &single->eta, NULL);
	return status;
}

static int run_program(const struct cli_command *command, int argc, char **argv)
{
	struct single s = {.contract = {.confidence = NAN}};
	const struct ft_field options[] = {
		{0, "save", FT_FIELD_TEXT, &s.save, "NAME",
		 "a real run: keep it in the store under this name, undisturbed"},
		{0, "keep-trace", FT_FIELD_FLAG, &s.keep_trace, NULL,
		 "keep its trace, too, for foretime trace and the page", .of = "save"},
		{0, "contract", FT_FIELD_TEXT, &s.contract.name, "NAME",
		 "watch the run against the model of NAME: exit status 1 when it is worse"},
		{0, "end-on-breach", FT_FIELD_FLAG, &s.contract.end, NULL, "end the run when that is seen",
		 .of = "contract"},
		{0, "device", FT_FIELD_TEXT, &s.device, "D", "device of NAME that ran, with --save"},
		{'o', "output", FT_FIELD_TEXT, &s.output_path, "FILE",
		 "write the report there; default: standard error"},
		{'t', "timeout", FT_FIELD_DURATION, &s.timeout_s, "T",
		 "end the program after T (exit status 124)"},
		{0, "trace", FT_FIELD_TEXT, &s.trace_path, "FILE.csv",
		 "write the use of processors and memory over time there"},
		{0, "eta", FT_FIELD_TEXT, &s.eta.name, "NAME",
		 "print when the run is expected to end, by the model of NAME and its progress"},
		{0, "eta-log", FT_FIELD_TEXT, &s.eta.log, "FILE.csv", "write each revision there",
		 .of = "eta"},
		{0, "pid", FT_FIELD_COUNT, &s.eta.pid, "PID", "of the process PID, which runs already",
		 .least = 1, .most = 0x1p22, .of = "eta"},
		CLI_VERBOSE(s.verbose),
		CLI_ANSWER_OPTIONS(s.json, s.store_path),
		CLI_GROUP("a contract, or the expected end"),
		{0, "progress", FT_FIELD_TEXT, &s.contract.progress, "HOW",
		 "how far it is: lines=N on standard output, or a regular expression of a percentage or a "
		 "fraction; default: as the program reports it (foretime-probe.h)",
		 .not_with = "save"}, /* which does not change the program's output */
		{0, "progress-like", FT_FIELD_TEXT, &s.contract.like, "FILE.csv",
		 "progress of a normal run, as progress-log wrote it", .of = "progress"},
		{0, "progress-log", FT_FIELD_TEXT, &s.contract.log, "FILE.csv",
		 "write the progress there, also for plan revise", .of = "progress"},
		{'c', "confidence", FT_FIELD_SHARE, &s.contract.confidence, "C",
		 "how often a normal run keeps the contract; default 99%"},
		{0, "load", FT_FIELD_TEXT, &s.contract.beside.view, "KIND",
		 "background load: idle (default), usual or now"},
		CLI_GROUP("what is kept"),
		{0, "into", FT_FIELD_TEXT, &s.into, "FILE",
		 "benchmark without output: keep the run in a new store FILE, whole or not at "
		 "all, as the tasks of build --via do",
		 .not_with = "save contract eta trace output"},
		{0, "every", FT_FIELD_DURATION, &s.launch.sample_s, "T",
		 "time between two looks at memory and processors; default 10ms"},
		CLI_GROUP("how the run is started"),
		CLI_LAUNCH_OPTIONS(s.threads, s.launch),
		CLI_EMULATE_OPTION(s.launch, "save into contract eta"),
		CLI_GROUP("what else is measured"),
		CLI_PROBE_OPTIONS(s.probes),
		{0},
	};
	int status = cli_options_parse_leading(command, options, argc, argv, &s.words);

	if (status != CLI_GO)
		return status == CLI_DONE ? CLI_DONE : OUR_FAILURE;
	if (s.eta.name) {
		s.eta.terminal = isatty(STDERR_FILENO) == 1;
		s.contract.eta = &s.eta;
	}
	if (s.eta.pid) {
		status = follow(&s);
	} else {
		status = read_words(&s);
		if (status == CLI_DONE)
			status = execute_runs(&s);
	}
	(void)cli_output_close(&s.trace, false);
	ft_usage_clear(&s.usage);
	ft_program_clear(&s.program);
	ft_runs_clear(&s.runs);
	cli_contract_close(&s.contract);
	cli_eta_close(&s.eta);
	return status;
}

const struct cli_command cli_run = {
	"run",
	"run a program once, and report what it took",
	"[n=512] [--save NAME] [-o FILE] [OPTION...] [--] PROG ARG... [{n}] ...\n"
	"--contract NAME [n=512] [--progress HOW] [OPTION...] [--] PROG ARG... [{n}] ...\n"
	"--eta NAME[,pid=PID] [n=512] [--progress HOW] [OPTION...] [--] [PROG ARG...]",
	"The program keeps standard input and output; the exit status is its own, 128 + the signal when it "
	"crashed,\n"
	"124 when it was ended at the time limit. 125: foretime failed; 126: PROG cannot be executed; 127: "
	"not found.\n"
	"With --save it may be put before any command: what the program prints and how it ends, signals too, "
	"stay\n"
	"as they are, and the report is printed only to a terminal or to -o FILE.\n",
	NULL,
	run_program,
};
