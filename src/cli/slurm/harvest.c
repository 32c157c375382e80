/* SPDX-License-Identifier: GPL-3.0-or-later */
/* harvest.c - jobs that ended into the store: those since a moment, or those that the epilog wrote down. */
#include "cli/answers.h"
#include "base/clock.h"
#include "cli/common.h"
#include "cli/output.h"
#include "cli/slurm/slurm.h"

#include <pwd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const int64_t second_ns = 1000000000;

/* Accounts are read a day at a time: sacct holds all of an answer in memory, and so do we. The first harvest
 * goes a week back. Later ones begin an hour before the last one's end: slurmctld tells the accounts of an
 * end when it finds the time (measured by test/slurm/harvest), and a job that is told of later than an hour
 * is found by --since. */
enum { STEP_S = 86400, FIRST_S = 7 * 86400, AGAIN_S = 3600 };

static const char accounts_hint[] = "check that slurmdbd and its database run: sacctmgr show cluster";

/* ---- asking sacct ------------------------------------------------------------------------------------- */

/* What no user can put into a comment, for nobody knows it before. */
static char *make_delimiter(void)
{
	uint64_t number = 0;
	FILE *random = fopen("/dev/urandom", "re");

	if (!random || fread(&number, sizeof number, 1, random) != 1)
		number = (uint64_t)ft_clock_real_ns() * (uint64_t)getpid();
	if (random)
		(void)fclose(random);
	return cli_printed("<%016llx>", (unsigned long long)number);
}

static int choose_fields(const struct cli_slurm *slurm, struct cli_harvest *harvest)
{
	static const char *const argv[] = {"sacct", "--helpformat", NULL};
	FT_CLEANUP(ft__command_clear) struct ft__command tool = {.argv = argv};
	struct ft_err err = {0};

	CLI_TRY(cli_slurm_run(slurm, &tool, accounts_hint));
	if (ft_slurm_fields_choose(tool.text, &harvest->fields, &harvest->lacking, &err))
		return cli_error(&err);
	return CLI_DONE;
}

/* A text of sacct's, and into the store with it. first, second: "-S" and a moment, or "-j" and numbers. */
static int take_jobs(const struct cli_slurm *slurm, struct cli_harvest *harvest, const char *const words[4])
{
	const char *argv[16] = {"sacct", "-P",           "-D", "--noconvert", harvest->delimiter_word,
				"-o",    harvest->fields};
	FT_CLEANUP(ft__command_clear) struct ft__command tool = {.argv = argv};
	struct ft_err err = {0};
	size_t n = 7;

	if (slurm->all)
		argv[n++] = "-a";
	for (size_t i = 0; i < 4 && words[i]; i++)
		argv[n++] = words[i];
	argv[n] = NULL;

	CLI_TRY(cli_slurm_run(slurm, &tool, accounts_hint));
	if (ft_slurm_harvest(harvest->store, tool.text, tool.length, &harvest->options, &harvest->told, &err))
		return cli_error(&err);
	return CLI_DONE;
}

static void print_moment(int64_t ns, char text[32])
{
	time_t seconds = (time_t)(ns / second_ns);
	struct tm tm = {0};

	(void)gmtime_r(&seconds, &tm);
	(void)strftime(text, 32, "%Y-%m-%dT%H:%M:%S", &tm); /* sacct reads it by TZ, which is UTC */
}

static int take_since(const struct cli_slurm *slurm, struct cli_harvest *harvest, int64_t since_ns,
		      int64_t now_ns)
{
	int status = CLI_DONE;
	int64_t to;

	for (int64_t from = since_ns; from < now_ns && status == CLI_DONE; from = to) {
		char begin[32], end[32];
		const char *words[4] = {"-S", begin, "-E", end};

		to = from + STEP_S * second_ns < now_ns ? from + STEP_S * second_ns : now_ns;
		print_moment(from, begin);
		print_moment(to, end);
		harvest->options.until_ns = to;
		status = take_jobs(slurm, harvest, words);
	}
	return status;
}

int cli_harvest_jobs(struct cli_slurm *slurm, struct cli_harvest *harvest, const char *numbers)
{
	const char *words[4] = {"-j", numbers};

	harvest->options.until_ns = 0;
	return take_jobs(slurm, harvest, words);
}

/* ---- whose -------------------------------------------------------------------------------------------- */

static int find_user(const char *name, unsigned long *uid)
{
	const struct passwd *user = getpwnam(name);
	char *end;

	*uid = user ? user->pw_uid : strtoul(name, &end, 10);
	if (user || (*name >= '0' && *name <= '9' && !*end))
		return CLI_DONE;
	return cli_fail("--trust %s: there is no such user\nhint: name a user, a number, or all", name);
}

static int find_trusted(const struct cli_slurm *slurm, struct cli_harvest *harvest)
{
	int status = CLI_DONE;

	harvest->trusted = cli_alloc((slurm->trusted.n + 1) * sizeof *harvest->trusted);
	harvest->trusted[0] = geteuid();
	harvest->options.n_trusted = 1;
	for (size_t i = 0; i < slurm->trusted.n && status == CLI_DONE; i++) {
		if (!strcmp(slurm->trusted.text[i], "all"))
			harvest->options.trust_all = true;
		else
			status = find_user(slurm->trusted.text[i],
					   &harvest->trusted[harvest->options.n_trusted++]);
	}
	harvest->options.trusted = harvest->trusted;
	return status;
}

/* ---- opened ------------------------------------------------------------------------------------------- */

static int need_accounts(const struct cli_slurm *slurm)
{
	if (!slurm->config.accounts)
		return cli_fail(
			"this Slurm keeps no accounts of jobs (AccountingStorageType=%s)\n"
			"hint: accounts need slurmdbd: AccountingStorageType=accounting_storage/slurmdbd; or "
			"let each job measure itself: foretime run --save NAME n=20000 -- COMMAND",
			*slurm->config.accounting ? slurm->config.accounting : "none");
	if (!slurm->config.comments)
		return cli_fail(
			"this Slurm keeps no comments of jobs, which name their programs\n"
			"hint: write AccountingStoreFlags=job_comment into %s, then scontrol reconfigure",
			*slurm->config.file ? slurm->config.file : "slurm.conf");
	if (!slurm->config.gathers)
		cli_note("no memory is gathered on this Slurm (JobAcctGatherType): runs have none");
	return CLI_DONE;
}

/* What the user names, else the kinds of nodes. */
static int find_machines(struct cli_slurm *slurm, struct cli_harvest *harvest)
{
	int status = slurm->machines.n ? CLI_DONE : cli_slurm_kinds(slurm);

	harvest->options.machine =
		slurm->machines.n ? slurm->machines.text : (const char *const *)slurm->kinds;
	harvest->options.n_machines = slurm->machines.n ? slurm->machines.n : slurm->n_kinds;
	return status;
}

int cli_harvest_open(struct cli_slurm *slurm, struct cli_harvest *harvest)
{
	CLI_TRY(cli_slurm_open(slurm));
	CLI_TRY(need_accounts(slurm));
	CLI_TRY(find_trusted(slurm, harvest));
	CLI_TRY(find_machines(slurm, harvest));
	CLI_TRY(choose_fields(slurm, harvest));
	if (*harvest->lacking)
		cli_note("this version of Slurm does not report %s", harvest->lacking);
	harvest->delimiter = make_delimiter();
	harvest->delimiter_word = cli_printed("--delimiter=%s", harvest->delimiter);
	harvest->options.delimiter = harvest->delimiter;
	harvest->options.cluster = slurm->config.cluster;
	harvest->options.cgroup = slurm->config.cgroup;
	return cli_store_open(&harvest->store, slurm->store_path, CLI_WRITE);
}

void cli_harvest_close(struct cli_harvest *harvest)
{
	ft_slurm_harvested_clear(&harvest->told);
	ft_store_close(harvest->store);
	free(harvest->fields);
	free(harvest->lacking);
	free(harvest->delimiter);
	free(harvest->delimiter_word);
	free(harvest->trusted);
	*harvest = (struct cli_harvest){0};
}

/* ---- told --------------------------------------------------------------------------------------------- */

static const struct ft_tell_row taken_rows[] = {
	{FT_TELL(struct ft_slurm_taken, name), .head = "name"},
	{FT_TELL(struct ft_slurm_taken, machine), .head = "machine"},
	{FT_TELL(struct ft_slurm_taken, runs), .head = ">runs"},
	{0},
};
static const struct ft_tell_record taken_told = {.bytes = sizeof(struct ft_slurm_taken), .row = taken_rows};

struct slurm_harvest_told {
	const char *cluster, *lacking;
	struct ft_slurm_harvested all;
	const char *why;
};

#define TOLD struct slurm_harvest_told
static const struct ft_tell_row rows[] = {
	{FT_TELL(TOLD, cluster)},
	{FT_TELL_AS("jobs", TOLD, all.jobs), .about = "that sacct reported"},
	{FT_TELL_AS("runs", TOLD, all.runs), .about = "that were taken"},
	{FT_TELL_AS("known", TOLD, all.known), .about = "jobs that were taken before"},
	{FT_TELL_AS("unsaid", TOLD, all.unsaid), .about = "jobs that do not name a program"},
	{FT_TELL_AS("unfinished", TOLD, all.unfinished)},
	{FT_TELL_AS("unbegun", TOLD, all.unbegun), .about = "jobs that were cancelled before they began"},
	{FT_TELL_AS("unknown_nodes", TOLD, all.nodes), .about = "jobs on nodes of no kind that is known"},
	{FT_TELL_AS("several_kinds", TOLD, all.kinds), .about = "jobs on nodes of several kinds"},
	{FT_TELL_AS("of_others", TOLD, all.others),
	 .about = "jobs of users who are not trusted, kept as ~UID/NAME"},
	{FT_TELL_AS("bad", TOLD, all.bad), .about = "jobs of which no run can be made"},
	{FT_TELL(TOLD, why), .about = "of the first of these", .null = "there is none"},
	{FT_TELL(TOLD, lacking), .about = "fields that this Slurm does not know", .null = "none"},
	{FT_TELL_MANY(LIST, "programs", TOLD, all.taken, all.n, &taken_told)},
	{0},
};
const struct ft_tell_record cli_slurm_harvest_told = {
	.name = "slurm", .action = "harvest", .version = 1, .row = rows};

static void tell_note(size_t n, const char *what, const char *hint)
{
	if (n)
		cli_note("left out %zu job%s %s%s%s", n, n == 1 ? "" : "s", what, hint ? ": " : "",
			 hint ? hint : "");
}

static void tell_left_out(const struct ft_slurm_harvested *told)
{
	tell_note(told->nodes, "on nodes of no kind that is known",
		  "name them with --machine 'node[01-16]=M'");
	tell_note(told->kinds, "on nodes of several kinds", NULL);
	if (told->bad)
		tell_note(told->bad, "of which no run can be made", told->why);
	if (told->others)
		cli_note("%zu job%s of other users %s kept as ~UID/NAME; --trust USER keeps them under the "
			 "names that they state",
			 told->others, told->others == 1 ? "" : "s", told->others == 1 ? "is" : "are");
}

static void tell_text(const struct ft_slurm_harvested *told)
{
	printf("%zu job%s: %zu new run%s, %zu known, %zu not ended, %zu without a program's name\n",
	       told->jobs, told->jobs == 1 ? "" : "s", told->runs, told->runs == 1 ? "" : "s", told->known,
	       told->unfinished + told->unbegun, told->unsaid);
	if (!told->n)
		return;
	putchar('\n');
	cli_tell_table(&taken_told, told->taken, told->n, NULL);
}

static void tell_harvest(const struct cli_slurm *slurm, const struct cli_harvest *harvest)
{
	const TOLD told = {.cluster = slurm->config.cluster,
			   .lacking = *harvest->lacking ? harvest->lacking : NULL,
			   .all = harvest->told,
			   .why = harvest->told.bad ? harvest->told.why : NULL};

	tell_left_out(&harvest->told);
	if (slurm->json)
		cli_tell(&cli_slurm_harvest_told, &told, NULL);
	else
		tell_text(&harvest->told);
}

/* ---- since a moment ----------------------------------------------------------------------------------- */

static int harvest_since(const struct cli_slurm *slurm, struct cli_harvest *harvest)
{
	int64_t now_ns = ft_clock_real_ns(), since_ns = now_ns - FIRST_S * second_ns;
	struct ft_slurm_tally tally;
	struct ft_err err = {0};

	if (slurm->since) {
		if (ft_slurm_since(slurm->since, now_ns, &since_ns, &err))
			return cli_error(&err);
	} else if (ft_slurm_tally_get(harvest->store, slurm->config.cluster, &tally, &err)) {
		return cli_error(&err);
	} else if (tally.until_ns) {
		since_ns = tally.until_ns - AGAIN_S * second_ns;
	}
	return take_since(slurm, harvest, since_ns, now_ns);
}

int cli_slurm_harvest(void *asked)
{
	struct cli_slurm *slurm = asked;
	FT_CLEANUP(cli_harvest_close) struct cli_harvest harvest = {0};

	CLI_TRY(cli_harvest_open(slurm, &harvest));
	CLI_TRY(slurm->jobs ? cli_harvest_file(slurm, &harvest) : harvest_since(slurm, &harvest));
	tell_harvest(slurm, &harvest);
	return CLI_DONE;
}
