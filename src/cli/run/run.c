/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.c - one measured run of a program, whose output and exit status pass through. */
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/options.h"
#include "cli/probes.h"
#include "cli/program.h"
#include "cli/save.h"
#include "foretime/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As env and timeout have it; the program's own statuses are the others. */
enum { TIMED_OUT = 124, OUR_FAILURE = 125, NOT_EXECUTABLE = 126, NOT_FOUND = 127, SIGNALLED = 128 };

struct single {
	const char *store_path, *save, *output_path, *trace_path;
	double timeout_s;
	size_t threads;
	bool json;
	struct cli_probes probes;
	struct cli_output trace;
	struct ft_usage usage;
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

static int read_words(struct single *single, const struct cli_words *words)
{
	struct ft_program *program = &single->program;
	size_t i;

	if (!words->n_rest) {
		(void)cli_fail("which program? none stands behind --");
		cli_hint("write foretime run -- PROG ARG...");
		return OUR_FAILURE;
	}
	cli_program_argv(program, words->rest, words->n_rest);
	program->name = cli_strdup(single->save);
	cli_program_name(program);
	if (cli_name_check(program->name) != CLI_DONE)
		return OUR_FAILURE;
	if (cli_program_params(program, words->word, words->n, false) != CLI_DONE)
		return OUR_FAILURE;
	single->size.n = program->n_params;
	for (i = 0; i < program->n_params; i++) {
		single->size.value[i] = program->param[i].least;
		if (program->param[i].least == program->param[i].most)
			continue;
		(void)cli_fail("'%s' is a range, and 'run' makes one run", words->word[i]);
		cli_hint("write %s=VALUE; foretime build measures a range", program->param[i].name);
		return OUR_FAILURE;
	}
	return CLI_DONE;
}

/* ---- the report --------------------------------------------------------------------------------------- */

static void print_run(const struct ft_run *run, FILE *file)
{
	struct cli_table table = {0};
	char text[FT_UNIT_LENGTH];
	size_t i;

	if (run->routine)
		fprintf(file, "routine %s\n", run->routine);
	cli_table_heads(&table, "resource", ">value", "label", "probe", NULL);
	for (i = 0; i < run->n_samples; i++) {
		const struct ft_sample *sample = &run->sample[i];
		bool there = sample->label != FT_UNAVAILABLE && !isnan(sample->value);

		cli_table_add(&table, "%s", sample->resource);
		cli_table_add(&table, "%s",
			      there ? ft_value_format(sample->value, cli_unit(sample->resource), text) : "-");
		cli_table_add(&table, "%s", ft_label_text(sample->label));
		cli_table_add(&table, "%s%s%s", sample->probe, sample->reason ? ": " : "",
			      sample->reason ? sample->reason : "");
	}
	cli_table_print(&table, file);
	cli_table_clear(&table);
}

static void print_text(const struct single *single, FILE *file)
{
	const struct ft_run *run = &single->runs.run[0];
	char *why = cli_failure_text(run->outcome, run, NULL);
	char at[256];
	size_t i;

	(void)ft_size_format(&single->program, &single->size, at, sizeof at);
	fprintf(file, "%s%s%s: %s\n", single->program.name, *at ? " " : "", at, why);
	for (i = 0; i < single->runs.n; i++)
		print_run(&single->runs.run[i], file);
	free(why);
}

static json_t *json_of_samples(const struct ft_run *run)
{
	json_t *resources = cli_json_array();
	size_t i;

	for (i = 0; i < run->n_samples; i++) {
		const struct ft_sample *sample = &run->sample[i];
		json_t *object = cli_json_object();

		cli_json_set(object, "resource", cli_json_text(sample->resource));
		cli_json_set(object, "value", cli_json_number(sample->value));
		cli_json_set(object, "unit", cli_json_text(cli_unit(sample->resource)));
		cli_json_set(object, "label", cli_json_text(ft_label_text(sample->label)));
		cli_json_set(object, "probe", cli_json_text(sample->probe));
		cli_json_set(object, "reason", cli_json_text(sample->reason));
		cli_json_append(resources, object);
	}
	return resources;
}

static void print_json(const struct single *single, FILE *file)
{
	const struct ft_run *run = &single->runs.run[0];
	json_t *object = cli_json_new("run"), *size = cli_json_object(), *routines = cli_json_array();
	size_t i;

	cli_json_set_size(size, &single->program, &single->size);
	cli_json_set(object, "name", cli_json_text(single->program.name));
	cli_json_set(object, "argv", cli_json_argv(&single->program));
	cli_json_set(object, "size", size);
	cli_json_set(object, "outcome", cli_json_text(ft_outcome_text(run->outcome)));
	cli_json_set(object, "exit_status",
		     run->outcome == FT_DONE || run->outcome == FT_FAILED ? cli_json_number(run->exit_status)
									  : json_null());
	cli_json_set(object, "signal", run->signal ? cli_json_number(run->signal) : json_null());
	cli_json_set(object, "cost_s", cli_json_number(run->cost_s));
	cli_json_set(object, "started", cli_json_time(run->started_ns));
	cli_json_set_queue(object, run);
	cli_json_set(object, "cpu_hz", cli_json_number(run->cpu_hz));
	cli_json_set(object, "resources", json_of_samples(run));
	for (i = 1; i < single->runs.n; i++) {
		json_t *routine = cli_json_object();

		cli_json_set(routine, "routine", cli_json_text(single->runs.run[i].routine));
		cli_json_set(routine, "resources", json_of_samples(&single->runs.run[i]));
		cli_json_append(routines, routine);
	}
	cli_json_set(object, "routines", routines);
	cli_json_print(object, file);
}

static int report(const struct single *single)
{
	struct cli_output output;

	if (cli_output_open(&output, single->output_path, stderr) != CLI_DONE)
		return OUR_FAILURE;
	if (single->json)
		print_json(single, output.file);
	else
		print_text(single, output.file);
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

/* A real run: it is kept, and its end is ours, whatever else fails. A report is printed where it is no part
 * of what the program prints. */
static int end_real(struct single *single)
{
	const struct ft_run *run = &single->runs.run[0];

	if (single->output_path || single->json || isatty(STDERR_FILENO))
		(void)report(single);
	if (run->signal && run->outcome != FT_TIMED_OUT) {
		(void)cli_stdout_close();
		cli_end_by_signal(run->signal);
	}
	return exit_status_of(run);
}

/* The file is made before the run, which would be lost for one that cannot be. */
static int prepare_probes(struct single *single)
{
	cli_probes_set(&single->probes, &single->launch);
	if (!single->trace_path)
		return CLI_DONE;
	single->launch.usage = &single->usage;
	return cli_output_open(&single->trace, single->trace_path, stdout) == CLI_DONE ? CLI_DONE
										       : OUR_FAILURE;
}

static int keep_trace(struct single *single)
{
	if (!single->trace_path)
		return CLI_DONE;
	cli_usage_write(&single->usage, single->trace.file);
	return cli_output_close(&single->trace, true) == CLI_DONE ? CLI_DONE : OUR_FAILURE;
}

static int execute(struct single *single)
{
	struct ft_source *source;
	struct cli_saving *saving = NULL;
	struct ft_err err = {0};
	enum ft_status result;
	int status = prepare_probes(single);

	if (status != CLI_DONE)
		return status;
	single->launch.program = &single->program;
	single->launch.pass_through = true;
	single->launch.real = single->save;
	single->launch.threads = single->threads > 1000000 ? 1000000 : (int)single->threads;
	if (single->save)
		single->launch.signal = cli_signals_pass();
	if (ft_source_open_process(&source, &single->launch, &err))
		return start_failed(&err);
	if (single->save) {
		saving = cli_save_begin(single->store_path, &single->program);
	} else {
		cli_signals_catch();
		ft_source_interrupt(source, cli_interrupt_flag());
	}
	result = ft_source_run(source, &single->size, 0, single->timeout_s, &single->runs, &err);
	ft_source_close(source);
	if (saving)
		cli_save_end(saving, &single->runs);
	if (result || !single->runs.n)
		return start_failed(&err);
	status = keep_trace(single);
	if (single->save)
		return end_real(single);
	if (status == CLI_DONE)
		status = report(single);
	return status == CLI_DONE ? exit_status_of(&single->runs.run[0]) : status;
}

static int run(const struct cli_command *command, int argc, char **argv)
{
	struct single s = {0};
	const struct cli_option options[] = {
		{0, "save", CLI_TEXT, &s.save, "NAME",
		 "a real run: keep it in the store, under this name, and disturb it by nothing"},
		{'o', "output", CLI_TEXT, &s.output_path, "FILE",
		 "write the report there; default: standard error"},
		{0, "timeout", CLI_DURATION, &s.timeout_s, "T",
		 "end the program after so long (exit status 124)"},
		CLI_LAUNCH_OPTIONS(s.threads, s.launch),
		CLI_PROBE_OPTIONS(s.probes),
		{0, "trace", CLI_TEXT, &s.trace_path, "FILE.csv",
		 "write the use of processors and memory over time there"},
		{0, "sample", CLI_DURATION, &s.launch.sample_s, "T",
		 "how often to look at memory, and processors; default 10ms"},
		{0, "json", CLI_FLAG, &s.json, NULL, "the report is one JSON object"},
		CLI_STORE_OPTION(s.store_path),
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status == CLI_DONE ? CLI_DONE : OUR_FAILURE;
	status = read_words(&s, &words);
	if (status == CLI_DONE)
		status = execute(&s);
	(void)cli_output_close(&s.trace, false);
	ft_usage_clear(&s.usage);
	ft_program_clear(&s.program);
	ft_runs_clear(&s.runs);
	cli_words_clear(&words);
	return status;
}

const struct cli_command cli_run = {
	"run",
	"run a program once, and tell what it took",
	"[n=512] [--save NAME] [-o FILE] [OPTION...] -- PROG ARG... [{n}] ...",
	"The program keeps standard input and output; the exit status is its own, 128 + the signal when it "
	"crashed,\n"
	"124 when it was ended at the time limit. 125: foretime failed; 126: PROG cannot be executed; 127: "
	"not found.\n"
	"With --save it may be put before any command: what the program prints and how it ends, signals too, "
	"stay\n"
	"as they are, and the report is printed only to a terminal or to -o FILE.\n",
	NULL,
	run,
};
