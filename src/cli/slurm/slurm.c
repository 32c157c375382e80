/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slurm.c - `foretime slurm`: turns finished jobs into runs, and predictions into requests, on a cluster. */
#include "base/clock.h"
#include "cli/cli.h"
#include "cli/slurm/slurm.h"
#include "foretime/base.h"
#include "tell/answers.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pwd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/*
 * Watch running jobs, and extend those whose time limit was a guess.
 */

/* Partitions, and how long their jobs may run. */
static int read_partitions(const struct cli_slurm *slurm, struct ft_sinfo *sinfo)
{
	static const char *const argv[] = {"sinfo", "-a", "-o", "%P %a %l", NULL};
	FT_CLEANUP(ft__command_clear) struct ft__command tool = {.argv = argv};
	struct ft_err err = {0};

	CLI_TRY(cli_slurm_run(slurm, &tool, "check that Slurm is up: scontrol ping"));
	if (ft_sinfo_parse(sinfo, "sinfo", tool.text, tool.length, &err))
		return cli_error(&err);
	return CLI_DONE;
}

static void say_raise(const struct cli_slurm *slurm, const struct ft_slurm_raise *raise)
{
	char used[FT_UNIT_LENGTH], limit[FT_UNIT_LENGTH], now[FT_UNIT_LENGTH];

	if (slurm->quiet)
		return;
	printf("job %lld has used %s of %s: %s %s\n", raise->job, ft_value_format(raise->used_s, "s", used),
	       ft_value_format(raise->limit_s, "s", limit), slurm->dry_run ? "it would get" : "it gets",
	       ft_value_format(raise->new_s, "s", now));
	(void)fflush(stdout);
}

static int give_limit(const struct cli_slurm *slurm, const struct ft_slurm_raise *raise)
{
	CLI_OWN char *job = cli_printed("JobId=%lld", raise->job),
		     *limit = cli_printed("TimeLimit=%.0f", raise->new_s / 60);
	const char *argv[] = {"scontrol", "update", job, limit, NULL};
	FT_CLEANUP(ft__command_clear) struct ft__command tool = {.argv = argv};
	int status = cli_slurm_run(
		slurm, &tool,
		"limits are raised by operators: sacctmgr modify user NAME set adminlevel=Operator");

	return status;
}

/* A job that has just ended must not prevent a look at the rest. */
static int look_at_jobs(const struct cli_slurm *slurm)
{
	CLI_OWN struct ft_slurm_raise *raise = NULL;
	FT_CLEANUP(ft_sinfo_clear) struct ft_sinfo sinfo = {0};
	size_t n = 0;
	int status = read_partitions(slurm, &sinfo), failed = CLI_DONE;

	if (status == CLI_DONE) {
		static const char *const argv[] = {"squeue", "-a", "-h",           "-t",
						   "R",      "-O", FT_SLURM_QUEUE, NULL};
		FT_CLEANUP(ft__command_clear) struct ft__command tool = {.argv = argv};
		struct ft_err err = {0};
		status = cli_slurm_run(slurm, &tool, "check that Slurm is up: scontrol ping");

		raise = NULL;
		n = 0;
		if (status == CLI_DONE && ft_slurm_raises_parse(tool.text, &sinfo, &raise, &n, &err))
			status = cli_error(&err);
	}
	for (size_t i = 0; i < n && status == CLI_DONE; i++) {
		say_raise(slurm, &raise[i]);
		if (slurm->dry_run)
			continue;
		failed = give_limit(slurm, &raise[i]);
		if (failed == CLI_INTERRUPTED)
			status = failed;
	}
	return status == CLI_DONE ? failed : status;
}

static int slurm_raise(void *query)
{
	const struct cli_slurm *slurm = query;
	int status = look_at_jobs(slurm);

	/* A failing Slurm is reported, and tried again. */
	while (!slurm->once && !*cli_interrupt_flag()) {
		double seconds = slurm->every_s;
		struct timespec left = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};

		while (!*cli_interrupt_flag() && nanosleep(&left, &left) && errno == EINTR)
			;
		if (!*cli_interrupt_flag())
			status = look_at_jobs(slurm);
	}
	return slurm->once ? status : CLI_DONE;
}

static const int64_t second_ns = 1000000000;

/*
 * What was learned from a cluster so far, and what its users get from it.
 */

/* A program that jobs may name, and its file. */
struct slurm_status_model {
	const char *name, *machine, *file; /* file: "holds", "expired", "none" */
	size_t runs;
	int64_t newest_ns, made_ns, expires_ns; /* 0: not known */
};

struct slurm_status_answer {
	const char *cluster, *folder;
	struct ft_slurm_tally tally;
	double kept; /* share of the filled-in jobs; NaN: there were none */
	struct slurm_status_model *model;
	size_t n;
};

/* A line "made 1700000000" of a file of knots. */
static void read_moment(const char *line, const char *word, int64_t *ns)
{
	size_t length = strlen(word);

	if (strncmp(line, word, length) != 0 || line[length] != ' ')
		return;
	long long seconds = strtoll(line + length, NULL, 10);
	if (seconds > 0 && seconds < INT64_MAX / second_ns)
		*ns = seconds * second_ns;
}

static char *newest_cell(const void *record, const struct ft_tell_with *with)
{
	char age[FT_TELL_AGE];

	(void)with;
	return cli_strdup(ft_tell_age(((const struct slurm_status_model *)record)->newest_ns, age));
}

static const struct ft_tell_row model_rows[] = {
	{FT_TELL(struct slurm_status_model, name), .head = "name"},
	{FT_TELL(struct slurm_status_model, machine), .head = "machine"},
	{FT_TELL(struct slurm_status_model, runs), .head = ">runs"},
	{FT_TELL_BY(TIME, "newest", struct slurm_status_model, newest_ns), .about = "run, UTC",
	 .null = "not known", .head = "newest", .cell = newest_cell},
	{FT_TELL(struct slurm_status_model, file), .words = "holds|expired|none", .head = "file"},
	{FT_TELL_BY(TIME, "made", struct slurm_status_model, made_ns), .about = "the file, UTC",
	 .null = "there is none"},
	{FT_TELL_BY(TIME, "expires", struct slurm_status_model, expires_ns), .null = "there is none"},
	{0},
};
static const struct ft_tell_record model_answer = {.bytes = sizeof(struct slurm_status_model),
						   .row = model_rows};

#define STATUS_TOLD struct slurm_status_answer
static const struct ft_tell_row status_rows[] = {
	{FT_TELL(STATUS_TOLD, cluster)},
	{FT_TELL_BY(TIME, "harvested_until", STATUS_TOLD, tally.until_ns),
	 .about = "jobs that ended before were all seen, UTC", .null = "there was no harvest"},
	{FT_TELL_AS("jobs", STATUS_TOLD, tally.jobs), .about = "that became runs"},
	{FT_TELL_AS("filled", STATUS_TOLD, tally.filled),
	 .about = "of these, foretime filled in what they ask for"},
	{FT_TELL_AS("within", STATUS_TOLD, tally.kept), .about = "of these, they stayed within that"},
	{FT_TELL_AS("coverage", STATUS_TOLD, kept), .about = "their share", .null = "no job was filled in"},
	{FT_TELL(STATUS_TOLD, folder), .about = "where the functions of submission read"},
	{FT_TELL_MANY(LIST, "programs", STATUS_TOLD, model, n, &model_answer)},
	{0},
};
const struct ft_tell_record cli_slurm_status_answer = {
	.name = "slurm", .action = "status", .version = 2, .row = status_rows};

static void print_status(const STATUS_TOLD *answer)
{
	char age[FT_TELL_AGE], share[FT_UNIT_LENGTH];

	printf("cluster %s: %s%s\n", answer->cluster,
	       answer->tally.until_ns ? "harvested " : "no harvest yet; foretime slurm harvest begins",
	       answer->tally.until_ns ? ft_tell_age(answer->tally.until_ns, age) : "");
	printf("%zu job%s became runs", answer->tally.jobs, answer->tally.jobs == 1 ? "" : "s");
	if (answer->tally.filled)
		printf("; of %zu foretime filled in what they ask for, and %zu stayed within that (%s)",
		       answer->tally.filled, answer->tally.kept, ft_share_format(answer->kept, share));
	printf("\n");
	if (!answer->n)
		return;
	putchar('\n');
	cli_tell_table(&model_answer, answer->model, answer->n, NULL);
}

static void clear_answer(STATUS_TOLD *answer)
{
	free(answer->model);
}

static int slurm_status(void *query)
{
	struct cli_slurm *slurm = query;
	FT_CLEANUP(clear_answer)
	STATUS_TOLD answer = {.folder = slurm->folder ? slurm->folder : CLI_SLURM_FOLDER};
	FT_CLEANUP(ft_store_list_clear) struct ft_store_list list = {0};
	CLI_STORE struct ft_store *store = NULL;
	struct ft_err err = {0};

	CLI_TRY(cli_slurm_open(slurm));
	answer.cluster = slurm->config.cluster;
	CLI_TRY(cli_store_open_list(&store, slurm->store_path));
	if (store && (ft_slurm_tally_get(store, answer.cluster, &answer.tally, &err) ||
		      ft_store_get_list(store, NULL, &list, &err)))
		return cli_error(&err);
	answer.kept =
		answer.tally.filled ? (double)answer.tally.kept / (double)answer.tally.filled : (double)NAN;
	answer.model = cli_alloc((list.n + 1) * sizeof *answer.model);
	for (size_t i = 0; i < list.n; i++) {
		const struct ft_store_entry *entry = &list.entry[i];
		struct slurm_status_model *model = &answer.model[answer.n];

		if (!entry->current || !entry->machine)
			continue;
		*model = (struct slurm_status_model){.name = entry->name,
						     .machine = entry->machine_name,
						     .runs = entry->runs,
						     .newest_ns = entry->last_ns};
		char *path = cli_printed("%s/%s.knots", answer.folder, model->name), line[256];
		FILE *file = strchr(model->name, '/') ? NULL : fopen(path, "re");

		model->file = "none";
		while (file && fgets(line, sizeof line, file)) {
			read_moment(line, "made", &model->made_ns);
			read_moment(line, "expires", &model->expires_ns);
		}
		if (file) {
			(void)fclose(file);
			model->file = model->expires_ns > ft_clock_real_ns() ? "holds" : "expired";
		}
		free(path);
		answer.n++;
	}
	if (slurm->json)
		cli_tell(&cli_slurm_status_answer, &answer, NULL);
	else
		print_status(&answer);
	return CLI_DONE;
}

/*
 * `foretime slurm`: turns finished jobs into runs, and predictions into requests, on a cluster.
 */

static const struct cli_action actions[] = {
	{"harvest", "take jobs that ended into the store, each once",
	 "[FILE|--since TIME] [--all] [--trust USER]... [OPTION...]",
	 "since jobs all trust machine timeout format json store", 0, 1, cli_slurm_harvest},
	{"report", "report what jobs requested and used, and what would have fitted",
	 "[--since TIME] [--all] [--by user] [OPTION...]",
	 "since all by user partition effort risk timeout quiet format json csv markdown", 0, 0,
	 cli_slurm_report},
	{"models", "write requests for all sizes of programs, for the functions of submission",
	 "[-o FOLDER] [OPTION...]", "output risk expires machine format json store", 0, 0, cli_slurm_models},
	{"raise", "give jobs more time whose limit was a guess", "[--every once] [--dry-run] [OPTION...]",
	 "dry-run every timeout quiet", 0, 0, slurm_raise},
	{"install", "install the pieces, and print what is left to do", "[-o FOLDER] [--dry-run] [OPTION...]",
	 "output dry-run timeout format json", 0, 0, cli_slurm_install},
	{"check", "send jobs through all of it", "[-o FOLDER] [OPTION...]", "output timeout format json", 0,
	 0, cli_slurm_check},
	{"status", "print what was harvested and filled in, and the age of models", "[-o FOLDER] [OPTION...]",
	 "output timeout format json store", 0, 0, slurm_status},
	{0},
};

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
	struct cli_slurm s = {.every_s = 10, .limit_s = 120, .risk = NAN, .lives_s = FT_TELL_KNOTS_LIFE_S};
	const struct ft_field options[] = {
		{0, "since", FT_FIELD_TEXT, &s.since, "TIME",
		 "jobs that ended after 7d (ago), 2026-01-31 or 2026-01-31T12:00; default: where the last "
		 "harvest stopped; report: 7d"},
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
		{0, "risk", FT_FIELD_SHARE, &s.risk, "R",
		 "share of runs that may need more; default 1%, of report 5%"},
		{0, "expires", FT_FIELD_DURATION, &s.lives_s, "T", "how long requests hold; default 30d"},
		{0, "every", FT_FIELD_DURATION, &s.every_s, "T",
		 "time between two looks, or once; default 10s", .words = "once"},
		{0, "dry-run", FT_FIELD_FLAG, &s.dry_run, NULL, "print what would be done, and do nothing"},
		{'t', "timeout", FT_FIELD_DURATION, &s.limit_s, "T", "timeout of Slurm's tools; default 2m"},
		{'q', "quiet", FT_FIELD_FLAG, &s.quiet, NULL, "print failures only"},
		CLI_FORMAT("text|markdown|json|csv", "text (default), json; report: also markdown, csv"),
		{0, "json", FT_FIELD_FLAG, &s.json, NULL, "print one JSON object"},
		CLI_STORE_OPTION(s.store_path),
		CLI_GROUP("reports"),
		CLI_REPORT_OPTIONS(s.report),
		{0, "markdown", FT_FIELD_FLAG, &s.report.markdown, NULL, NULL},
		{0, "csv", FT_FIELD_FLAG, &s.report.csv, NULL, "print the lines of the table as CSV"},
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	cli_signals_catch();
	s.once = s.every_s < 0;
	if (isnan(s.risk) && words.action->act != cli_slurm_report)
		s.risk = FT_TELL_KNOTS_RISK;
	if ((s.report.csv || s.report.markdown) && words.action->act != cli_slurm_report)
		return cli_fail("slurm %s prints text or json", words.action->name);
	s.jobs = words.n > 1 ? words.word[1] : s.jobs;
	s.machine = s.machines.n ? s.machines.text[0] : NULL;
	status = check_options(&s);
	if (status == CLI_DONE)
		status = words.action->act(&s);
	ft_slurm_texts_free(s.kinds, s.n_kinds);
	cli_report_close(&s.report);
	s.kinds = NULL;
	s.n_kinds = 0;
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
