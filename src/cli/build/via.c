/* SPDX-License-Identifier: GPL-3.0-or-later */
/* via.c - `foretime build --via`: options of executors, and the report on the models. */
#include "base/command.h"
#include "cli/build/build.h"
#include "cli/cli.h"
#include "foretime/base.h"
#include "remote/door.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Find the upper end of a range given as N=64:auto from the memory that runs need.
 */

/* Runs longer than this are worth a word where no budget is set. */
static const double long_s = 60;

/* ":auto" as the second number of a range; NULL: the word has none (a list has no end to be found). */
static const char *find_auto(const char *word)
{
	const char *equals = strchr(word, '='), *colon = equals ? strchr(equals, ':') : NULL;

	if (!colon || memchr(equals, ',', (size_t)(colon - equals)) || strncmp(colon, ":auto", 5) != 0 ||
	    (colon[5] && colon[5] != ':'))
		return NULL;
	return colon;
}

int cli_auto_read(struct cli_auto *automatic, const struct cli_words *words, size_t first)
{
	for (size_t i = first; i < words->n; i++) {
		const char *word = words->word[i], *colon = find_auto(word), *equals = strchr(word, '=');
		int least = colon ? (int)(colon - equals - 1) : 0;

		if (!colon)
			continue;
		if (automatic->word)
			return cli_fail("only one range can be automatic: '%s' is the second", word);
		(void)snprintf(automatic->name, sizeof automatic->name, "%.*s", (int)(equals - word), word);
		automatic->word =
			cli_printed("%.*s:%.*s%s", (int)(colon - word), word, least, equals + 1, colon + 5);
		words->word[i] = automatic->word;
	}
	return CLI_DONE;
}

void cli_auto_clear(struct cli_auto *automatic)
{
	free(automatic->word);
	*automatic = (struct cli_auto){0};
}

/* Warn when the largest size will take long. */
static void warn_long(const struct cli_build *build)
{
	const struct ft_reach *reach = &build->automatic.reach;
	double most = build->options.budget_s > 0 ? build->options.budget_s : long_s;
	char seconds[FT_UNIT_LENGTH], at[FT_NUMBER_LENGTH];

	if (!(reach->seconds > most))
		return;
	cli_note("a run at %s=%s, the largest that fits memory, is expected to take %s; give %s if that is "
		 "too long",
		 build->automatic.name, ft_number_format(reach->most, at),
		 ft_value_format(reach->seconds, "s", seconds),
		 build->options.budget_s > 0 ? "an upper end in place of auto"
					     : "--budget, or an upper end,");
}

int cli_auto_find(struct cli_build *build)
{
	struct cli_auto *automatic = &build->automatic;
	struct ft_program *program = &build->program;
	int varying = ft_program_find_param(program, automatic->name);
	struct ft_err err = {0};

	if (varying < 0) /* cannot be: the word was read */
		return cli_fail("there is no parameter '%s'", automatic->name);
	if (ft_memory_limit_bytes("", &automatic->memory_bytes, &automatic->why, &err))
		return cli_error(&err);
	cli_build_watch(build);
	enum ft_status status = ft_sweep_reach(
		build->store, program, (size_t)varying, &build->machine, build->source, &build->options,
		CLI_AUTO_MEMORY * automatic->memory_bytes, &automatic->reach, &err);
	cli_build_unwatch(build);
	if (status)
		return cli_error(&err);
	program->param[varying].most = automatic->reach.most;
	build->options.memory_bytes = automatic->reach.limit_bytes;
	warn_long(build);
	return CLI_DONE;
}

/* ---- options ----------------------------------------------------------------------------------- */

/*
 * `foretime build --via`: options of executors, and the report on the models.
 */

static void note(void *ctx, const char *text)
{
	cli_build_note(ctx, text);
}

static struct ft_remote_options options_of(const struct cli_build *build)
{
	struct ft_remote_options options = {
		.executor = build->via,
		.partition = build->partition,
		.constraint = build->constraint,
		.hosts = build->hosts,
		.folder = build->folder,
		.each_kind = build->each_kind,
		.sweep = build->options,
		.note = note,
	};

	options.sweep.at_once = build->at_once;
	return options;
}

int cli_via_check(const struct cli_build *build)
{
	struct ft_err err = {0};

	if (!build->via) {
		if (!build->partition && !build->constraint && !build->hosts && !build->folder &&
		    !build->each_kind && !build->dry_run && !build->at_once)
			return CLI_DONE;
		return cli_fail(
			"partition, constraint, hosts, folder, each-kind, at-once and --dry-run need --via\n"
			"hint: choose what starts the runs: --via slurm, parallel or mpiexec");
	}
	struct ft_remote_options options = options_of(build);
	if (ft_remote_check(&options, &err))
		return cli_error(&err);
	/* Not in the rows: with --via steps these are allowed. */
	const char *other = build->replay_path  ? "replay"
			    : build->cases_path ? "cases"
			    : build->devices.n  ? "device"
						: NULL;
	if (other)
		return cli_fail("--%s and --via exclude each other\nhint: leave one of them out", other);
	if (build->automatic.word)
		return cli_fail("auto finds its upper end by runs here, and --via makes none here\n"
				"hint: give an upper end, as in n=64:3000");
	return CLI_DONE;
}

/* ---- the command of each run
   ----------------------------------------------------------------------------- */

/* Options of `foretime run`; end with clear_launch. */
struct launch_words {
	const char *word[24]; /* [n], and NULL */
	size_t n;
	char threads[24], *measure, *unit;
};

static void put_option(struct launch_words *words, const char *option, const char *value)
{
	if (!value)
		return;
	words->word[words->n++] = option;
	words->word[words->n++] = value;
}

/* Add a key of --measure; value NULL: not requested. */
static void put_measure(struct launch_words *words, const char *key, const char *value)
{
	if (value)
		cli_reprint(&words->measure, "%s%s%s%s", words->measure ? words->measure : "",
			    words->measure ? "," : "", key, value);
}

static void clear_launch(struct launch_words *words)
{
	free(words->measure);
	free(words->unit);
}

/* ---- the work ----------------------------------------------------------------------------------------- */

static int show(const struct ft_remote *remote)
{
	struct ft_err err = {0};
	char *text;

	if (ft_remote_show(remote, &text, &err))
		return cli_error(&err);
	printf("%s", text);
	free(text);
	return CLI_DONE;
}

/* The models of a kind of machine, and what they rest on. */
static int end_kind(struct cli_build *build, struct ft_remote *remote, size_t i, bool failed)
{
	const struct ft_machine *machine;
	struct ft_machine before = build->machine;
	struct ft_err err = {0};
	enum ft_status status = ft_remote_end(remote, i, &machine, &build->report, &err);

	build->machine = *machine;
	if ((status == FT_OK || status == FT_ENOMODEL) && !(failed && !build->report.n_sizes)) {
		if (build->each_kind)
			printf("%s%s on %s\n", i ? "\n" : "", build->program.name,
			       machine->host ? machine->host : machine->fingerprint);
		cli_build_report(build);
	}
	build->machine = before;
	ft_sweep_report_clear(&build->report);
	return status ? cli_error(&err) : CLI_DONE;
}

static int carry(struct cli_build *build, struct ft_remote *remote)
{
	struct ft_err err = {0};
	cli_build_watch(build);
	enum ft_status result = ft_remote_run(remote, &err);
	cli_build_unwatch(build);
	int status = result ? cli_error(&err) : CLI_DONE, ended;
	bool interrupted = *cli_interrupt_flag();
	size_t i, lost = ft_remote_lost(remote);

	for (i = 0; i < ft_remote_sweeps(remote); i++) {
		ended = end_kind(build, remote, i, status != CLI_DONE);
		status = status == CLI_DONE ? ended : status;
	}
	if (lost && status == CLI_DONE)
		cli_note("%zu task%s returned no result and %s queued again", lost, lost == 1 ? "" : "s",
			 lost == 1 ? "was" : "were");
	return status == CLI_DONE && interrupted ? CLI_INTERRUPTED : status;
}

int cli_build_via(struct cli_build *build)
{
	struct ft_remote_options options = options_of(build);
	FT_CLEANUP(clear_launch) struct launch_words words;
	struct ft_remote *remote;
	struct ft_err err = {0};
	char path[4096];
	CLI_OWN char *self = cli_strdup(ft__command_self(path, sizeof path) ? path : "foretime");
	int status;

	const struct cli_probes *probes = &build->probes;

	words = (struct launch_words){.n = 0};
	(void)snprintf(words.threads, sizeof words.threads, "%zu", build->threads);
	put_option(&words, "--threads", build->threads ? words.threads : NULL);
	put_option(&words, "--pin", build->launch.pin);
	put_option(&words, "--prepare", build->launch.prepare);
	put_option(&words, "--cleanup", build->launch.cleanup);
	put_measure(&words, "counters=", probes->counters);
	put_measure(&words, "energy=", probes->energy);
	put_measure(&words, "gpu=", probes->gpu);
	put_measure(&words, "instructions", probes->instructions ? "" : NULL);
	put_measure(&words, "valgrind", probes->valgrind ? "" : NULL);
	put_measure(&words, "working-set", probes->working_set ? "" : NULL);
	put_measure(&words, "sockets", probes->sockets ? "" : NULL);
	put_option(&words, "--measure", words.measure);
	put_option(&words, "--meter", probes->meter);
	words.unit = probes->meter_unit ? cli_printed("meter-unit=%s", probes->meter_unit) : NULL;
	put_option(&words, "--meter", words.unit);
	options.foretime = self;
	options.launch = words.word;
	if (ft_remote_open(&remote, build->store, &build->program, &options, &err))
		status = cli_error(&err);
	else
		status = build->dry_run ? show(remote) : carry(build, remote);
	ft_remote_close(remote);
	return status;
}
