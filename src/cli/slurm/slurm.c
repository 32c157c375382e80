/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slurm.c - a batch system of many machines: what jobs took becomes runs, and what they ask for comes of
 * that. */
#include "cli/slurm/slurm.h"
#include "cli/common.h"
#include "tell/knots.h"

#include <stdlib.h>
#include <string.h>

static const struct cli_action actions[] = {
	{"harvest", "take jobs that ended into the store, each once",
	 "[FILE|--since TIME] [--all] [--trust USER]... [OPTION...]",
	 "since jobs all trust machine timeout format json store", 0, 1, cli_slurm_harvest},
	{"models", "write requests for all sizes of programs, for the functions of submission",
	 "[-o FOLDER] [OPTION...]", "output risk expires machine format json store", 0, 0, cli_slurm_models},
	{"raise", "give jobs more time whose limit was a guess", "[--every once] [--dry-run] [OPTION...]",
	 "dry-run every timeout quiet", 0, 0, cli_slurm_raise},
	{"install", "install the pieces, and print what is left to do", "[-o FOLDER] [--dry-run] [OPTION...]",
	 "output dry-run timeout format json", 0, 0, cli_slurm_install},
	{"check", "send jobs through all of it", "[-o FOLDER] [OPTION...]", "output timeout format json", 0,
	 0, cli_slurm_check},
	{"status", "print what was harvested and filled in, and the age of models", "[-o FOLDER] [OPTION...]",
	 "output timeout format json store", 0, 0, cli_slurm_status},
	{0},
};

int cli_slurm_run(const struct cli_slurm *slurm, struct ft__command *tool, const char *hint)
{
	static const char *const environment[] = {"TZ=UTC", "SLURM_TIME_FORMAT=%Y-%m-%dT%H:%M:%SZ",
						  "LC_ALL=C", NULL};
	struct ft_err err = {0};

	tool->environment = environment;
	tool->limit_s = slurm->limit_s;
	tool->interrupt = cli_interrupt_flag();
	tool->apart = true;
	enum ft_status status = ft__command_run(tool, &err);
	if (status == FT_EINTR)
		return CLI_INTERRUPTED;
	if (!status)
		return CLI_DONE;
	(void)ft_remedy(&err, "%s", hint);
	return cli_error(&err);
}

int cli_slurm_open(struct cli_slurm *slurm)
{
	static const char *const argv[] = {"scontrol", "show", "config", NULL};
	FT_CLEANUP(ft__command_clear) struct ft__command tool = {.argv = argv};
	struct ft_err err = {0};

	CLI_TRY(cli_slurm_run(slurm, &tool,
			      "check that Slurm is up and that this is one of its machines: scontrol ping"));
	if (ft_slurm_config_parse(&slurm->config, tool.text, &err))
		return cli_error(&err);
	return CLI_DONE;
}

int cli_slurm_kinds(struct cli_slurm *slurm)
{
	static const char *const argv[] = {"sinfo", "-ah", "-o", "%N|%f", NULL};
	FT_CLEANUP(ft__command_clear) struct ft__command tool = {.argv = argv};
	struct ft_err err = {0};

	CLI_TRY(cli_slurm_run(slurm, &tool, "name the nodes with --machine 'node[01-16]=M'"));
	if (ft_slurm_kinds_parse(tool.text, slurm->config.cluster, &slurm->kinds, &slurm->n_kinds, &err))
		return cli_error(&err);
	return CLI_DONE;
}

static void close_slurm(struct cli_slurm *slurm)
{
	ft_slurm_texts_free(slurm->kinds, slurm->n_kinds);
	slurm->kinds = NULL;
	slurm->n_kinds = 0;
}

static int check_options(const struct cli_slurm *slurm)
{
	if (slurm->since && slurm->jobs)
		return cli_fail("a file of jobs and --since exclude each other");
	if (!(slurm->every_s > 0 || slurm->once) || !(slurm->limit_s > 0) || !(slurm->lives_s > 0))
		return cli_fail("%s 0s is not a time", !(slurm->every_s > 0 || slurm->once) ? "--every"
						       : !(slurm->limit_s > 0)              ? "--timeout"
											    : "--expires");
	return CLI_DONE;
}

static int run_slurm(const struct cli_command *command, int argc, char **argv)
{
	/* 10 s: the limit of a minute is found before it ends (ft_slurm_raises_parse). */
	struct cli_slurm s = {
		.every_s = 10, .limit_s = 120, .risk = FT_TELL_KNOTS_RISK, .lives_s = FT_TELL_KNOTS_LIFE_S};
	const struct ft_field options[] = {
		{0, "since", FT_FIELD_TEXT, &s.since, "TIME",
		 "jobs that ended after 7d (ago), 2026-01-31 or 2026-01-31T12:00; default: where the last "
		 "harvest stopped"},
		{0, "jobs", FT_FIELD_TEXT, &s.jobs, "FILE", NULL},
		{0, "all", FT_FIELD_FLAG, &s.all, NULL, "of all users; default: what sacct shows"},
		{0, "trust", FT_FIELD_TEXTS, &s.trusted, "USER",
		 "keep this user's jobs (all: everybody's) under the names that they state; default: one's "
		 "own"},
		{0, "machine", FT_FIELD_TEXTS, &s.machines, "M",
		 "machines of nodes, as in 'node[01-16]=M'; default: by the nodes' features; models: "
		 "requests "
		 "as of this machine; default: that with most runs"},
		{'o', "output", FT_FIELD_TEXT, &s.folder, "FOLDER",
		 "where the functions of submission read; default " CLI_SLURM_FOLDER},
		{0, "lua", FT_FIELD_TEXT, &s.lua, "DIR",
		 "folder of foretime.lua; default: where it was installed", .of = "output"},
		{0, "risk", FT_FIELD_SHARE, &s.risk, "R", "share of runs that may need more; default 1%"},
		{0, "expires", FT_FIELD_DURATION, &s.lives_s, "T", "how long requests hold; default 30d"},
		{0, "every", FT_FIELD_DURATION, &s.every_s, "T",
		 "time between two looks, or once; default 10s", .words = "once"},
		{0, "dry-run", FT_FIELD_FLAG, &s.dry_run, NULL, "print what would be done, and do nothing"},
		{'t', "timeout", FT_FIELD_DURATION, &s.limit_s, "T", "timeout of Slurm's tools; default 2m"},
		{'q', "quiet", FT_FIELD_FLAG, &s.quiet, NULL, "print failures only"},
		CLI_ANSWER_OPTIONS(s.json, s.store_path),
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	cli_signals_catch();
	s.once = s.every_s < 0;
	s.jobs = words.n > 1 ? words.word[1] : s.jobs;
	s.machine = s.machines.n ? s.machines.text[0] : NULL;
	status = check_options(&s);
	if (status == CLI_DONE)
		status = words.action->act(&s);
	close_slurm(&s);
	return status;
}

const struct cli_command cli_slurm = {
	"slurm",
	"learn from the jobs of Slurm, and fill in what they ask for",
	NULL,
	"A job names its program: sbatch --comment foretime:NAME,n=20000, or #FORETIME NAME n=$1 in its "
	"script.\n",
	actions,
	run_slurm,
};
