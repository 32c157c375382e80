/* SPDX-License-Identifier: GPL-3.0-or-later */
/* via.c - `foretime build --via`: what was typed for who carries runs, and what is told of the models. */
#include "cli/build/via.h"
#include "cli/common.h"
#include "foretime/remote.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- what was typed ----------------------------------------------------------------------------------- */

static void note(void *ctx, const char *text)
{
	(void)ctx;
	cli_note("%s", text);
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

static int check_alone(const struct cli_build *build)
{
	if (!build->partition && !build->constraint && !build->hosts && !build->folder && !build->each_kind &&
	    !build->dry_run && !build->at_once)
		return CLI_DONE;
	return cli_fail("partition, constraint, hosts, folder, each-kind, at-once and --dry-run need --via\n"
			"hint: choose what starts the runs: --via slurm, parallel or mpiexec");
}

int cli_via_check(const struct cli_build *build)
{
	struct ft_err err = {0};

	if (!build->via)
		return check_alone(build);
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

/* ---- how each run is made ----------------------------------------------------------------------------- */

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

/* One more key of --measure; value NULL: it is not asked for. */
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

static void put_launch(struct launch_words *words, const struct cli_build *build)
{
	const struct cli_probes *probes = &build->probes;

	*words = (struct launch_words){.n = 0};
	(void)snprintf(words->threads, sizeof words->threads, "%zu", build->threads);
	put_option(words, "--threads", build->threads ? words->threads : NULL);
	put_option(words, "--pin", build->launch.pin);
	put_option(words, "--prepare", build->launch.prepare);
	put_option(words, "--cleanup", build->launch.cleanup);
	put_measure(words, "counters=", probes->counters);
	put_measure(words, "energy=", probes->energy);
	put_measure(words, "instructions", probes->instructions ? "" : NULL);
	put_measure(words, "valgrind", probes->valgrind ? "" : NULL);
	put_measure(words, "working-set", probes->working_set ? "" : NULL);
	put_option(words, "--measure", words->measure);
	put_option(words, "--meter", probes->meter);
	words->unit = probes->meter_unit ? cli_printed("meter-unit=%s", probes->meter_unit) : NULL;
	put_option(words, "--meter", words->unit);
}

/* Ends with free. */
static char *own_path(void)
{
	char path[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);

	if (length < 0)
		return cli_strdup("foretime");
	path[length] = '\0';
	return cli_strdup(path);
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
	int status = ft_remote_run(remote, &err) ? cli_error(&err) : CLI_DONE, ended;
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
	CLI_OWN char *self = own_path();
	int status;

	put_launch(&words, build);
	options.foretime = self;
	options.launch = words.word;
	if (ft_remote_open(&remote, build->store, &build->program, &options, &err))
		status = cli_error(&err);
	else
		status = build->dry_run ? show(remote) : carry(build, remote);
	ft_remote_close(remote);
	return status;
}
