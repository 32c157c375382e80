/* SPDX-License-Identifier: GPL-3.0-or-later */
/* harvest.c - store finished jobs: those since a moment, or those that the epilog wrote down */
#include "base/clock.h"
#include "cli/cli.h"
#include "cli/slurm/slurm.h"
#include "foretime/base.h"
#include "tell/answers.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int slurm_kinds(struct cli_slurm *slurm);

/* The most numbers in one word; and how long to wait for a job that accounts do not list. */
enum { AT_ONCE = 1000, WAIT_S = 86400 };

struct slurm_line {
	long long job, at_s;
};

struct list {
	struct slurm_line *line; /* [n] */
	size_t n;
};

static int read_list(const char *path, struct list *list)
{
	FILE *file = fopen(path, "re");
	char text[128];

	if (!file) {
		if (errno == ENOENT)
			return CLI_DONE;
		return cli_fail("cannot open '%s': %s\n"
				"hint: the harvest is for who may read what the epilog writes",
				path, strerror(errno));
	}
	while (fgets(text, sizeof text, file)) {
		struct slurm_line line = {0, 0};

		/* an incomplete line, left by a killed writer, is ignored */
		if (sscanf(text, "%lld %lld", &line.job, &line.at_s) < 1 || line.job <= 0)
			continue;
		list->line = cli_grow(list->line, list->n, sizeof *list->line);
		list->line[list->n++] = line;
	}
	(void)fclose(file);
	return CLI_DONE;
}

static int compare_jobs(const void *a, const void *b)
{
	long long p = *(const long long *)a, q = *(const long long *)b;

	return (p > q) - (p < q);
}

/* The jobs that had not ended by the accounts, a line each. */
static int put_back(const char *path, const struct ft_slurm_harvested *answer, const struct list *list)
{
	long long now_s = (long long)(ft_clock_real_ns() / 1000000000);
	int fd = -1, status = CLI_DONE;

	if (answer->n_done)
		qsort(answer->done, answer->n_done, sizeof *answer->done, compare_jobs);
	for (size_t i = 0; i < list->n && status == CLI_DONE; i++) {
		const struct slurm_line *line = &list->line[i];
		char text[64];

		if (bsearch(&line->job, answer->done, answer->n_done, sizeof line->job, compare_jobs) ||
		    now_s - line->at_s > WAIT_S)
			continue;
		int n = snprintf(text, sizeof text, "%lld %lld\n", line->job, line->at_s);
		if (fd < 0)
			fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
		if (fd < 0 || write(fd, text, (size_t)n) != n)
			status = cli_fail("cannot write '%s': %s", path, strerror(errno));
	}
	if (fd >= 0)
		(void)close(fd);
	return status;
}

/* harvest_file - harvest the jobs whose numbers are in the file of --jobs. */
static int harvest_file(struct cli_slurm *slurm, struct cli_harvest *harvest)
{
	CLI_OWN char *taking = cli_printed("%s.taking", slurm->jobs);
	struct list list = {0};
	int status = read_list(taking, &list);

	if (status == CLI_DONE && !list.n) {
		if (rename(slurm->jobs, taking) && errno != ENOENT)
			status = cli_fail("cannot move '%s': %s", slurm->jobs, strerror(errno));
		else
			status = read_list(taking, &list);
	}
	if (status == CLI_DONE) {
		CLI_OWN char *numbers = cli_alloc((size_t)AT_ONCE * 24);
		for (size_t i = 0; i < list.n && status == CLI_DONE; i += AT_ONCE) {
			size_t at = 0;

			for (size_t k = i; k < list.n && k < i + AT_ONCE; k++)
				at += (size_t)sprintf(numbers + at, "%s%lld", at ? "," : "",
						      list.line[k].job);
			status = cli_harvest_jobs(slurm, harvest, numbers);
		}
	}
	if (status == CLI_DONE)
		status = put_back(slurm->jobs, &harvest->answer, &list);
	if (status == CLI_DONE)
		(void)unlink(taking);
	free(list.line);
	return status;
}

/*
 * Store finished jobs: those since a moment, or those that the epilog wrote down.
 */

static const int64_t second_ns = 1000000000;

/* Accounts are read a day at a time: sacct holds a whole answer in memory, and so do we. The first harvest
 * goes a week back. Later ones begin an hour before the last one's end: slurmctld sends a job's end to the
 * accounts with a delay (measured by test/slurm/harvest); a job that arrives more than an hour late is
 * found by --since. */
enum { STEP_S = 86400, FIRST_S = 7 * 86400, AGAIN_S = 3600 };

static const char accounts_hint[] = "check that slurmdbd and its database run: sacctmgr show cluster";

/* ---- sacct ------------------------------------------------------------------------------------- */

/* A random delimiter, which no user can guess and put into a comment. */
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

/* A text of sacct's, and into the store with it. first, second: "-S" and a moment, or "-j" and numbers. */
static int harvest_take_jobs(const struct cli_slurm *slurm, struct cli_harvest *harvest,
			     const char *const words[4])
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
	if (ft_slurm_harvest(harvest->store, tool.text, tool.length, &harvest->options, &harvest->answer,
			     &err))
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

/* ---- of all jobs, for a report ------------------------------------------------------------------------ */

static int need_sacct(const struct cli_slurm *slurm)
{
	if (slurm->config.accounts)
		return CLI_DONE;
	return cli_fail("this Slurm keeps no accounts of jobs (AccountingStorageType=%s)\n"
			"hint: accounts need slurmdbd: AccountingStorageType=accounting_storage/slurmdbd",
			*slurm->config.accounting ? slurm->config.accounting : "none");
}

int cli_accounts_query_open(const struct cli_slurm *slurm, struct cli_accounts_query *query)
{
	static const char *const argv[] = {"sacct", "--helpformat", NULL};
	FT_CLEANUP(ft__command_clear) struct ft__command tool = {.argv = argv};
	CLI_OWN char *lacking = NULL;
	struct ft_err err = {0};

	CLI_TRY(need_sacct(slurm));
	if (!slurm->config.gathers)
		cli_note("no memory is gathered on this Slurm (JobAcctGatherType): what jobs used is not "
			 "known");
	CLI_TRY(cli_slurm_run(slurm, &tool, accounts_hint));
	if (ft_slurm_report_fields(tool.text, &query->fields, &lacking, &err))
		return cli_error(&err);
	if (*lacking)
		cli_note("this version of Slurm does not report %s", lacking);
	query->delimiter = make_delimiter();
	query->delimiter_word = cli_printed("--delimiter=%s", query->delimiter);
	return CLI_DONE;
}

void cli_accounts_query_clear(struct cli_accounts_query *query)
{
	free(query->fields);
	free(query->delimiter);
	free(query->delimiter_word);
	*query = (struct cli_accounts_query){0};
}

int cli_slurm_accounts(const struct cli_slurm *slurm, const struct cli_accounts_query *query, int64_t from_ns,
		       int64_t to_ns, struct ft__command *tool)
{
	char begin[32], end[32];
	const char *argv[20] = {"sacct", "-P",          "-D", "--noconvert", query->delimiter_word,
				"-o",    query->fields, "-S", begin,         "-E",
				end};
	size_t n = 11;

	print_moment(from_ns, begin);
	print_moment(to_ns, end);
	if (slurm->all)
		argv[n++] = "-a";
	if (query->user) {
		argv[n++] = "-u";
		argv[n++] = query->user;
	}
	if (query->partition) {
		argv[n++] = "-r";
		argv[n++] = query->partition;
	}
	tool->argv = argv;
	int status = cli_slurm_run(slurm, tool, accounts_hint);
	tool->argv = NULL; /* it ends here */
	return status;
}

int cli_harvest_jobs(struct cli_slurm *slurm, struct cli_harvest *harvest, const char *numbers)
{
	const char *words[4] = {"-j", numbers};

	harvest->options.until_ns = 0;
	return harvest_take_jobs(slurm, harvest, words);
}

/* ---- users -------------------------------------------------------------------------------------------- */

static int find_user(const char *name, unsigned long *uid)
{
	const struct passwd *user = getpwnam(name);
	char *end;

	*uid = user ? user->pw_uid : strtoul(name, &end, 10);
	if (user || (*name >= '0' && *name <= '9' && !*end))
		return CLI_DONE;
	return cli_fail("--trust %s: there is no such user\nhint: name a user, a number, or all", name);
}

/* ---- opened ------------------------------------------------------------------------------------------- */

int cli_harvest_open(struct cli_slurm *slurm, struct cli_harvest *harvest)
{
	CLI_TRY(cli_slurm_open(slurm));
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
	harvest->trusted = cli_alloc((slurm->trusted.n + 1) * sizeof *harvest->trusted);
	harvest->trusted[0] = geteuid();
	harvest->options.trusted = harvest->trusted;
	harvest->options.n_trusted = 1;
	for (size_t i = 0; i < slurm->trusted.n; i++) {
		if (!strcmp(slurm->trusted.text[i], "all"))
			harvest->options.trust_all = true;
		else
			CLI_TRY(find_user(slurm->trusted.text[i],
					  &harvest->trusted[harvest->options.n_trusted++]));
	}
	/* The machines named by the user, else the kinds of nodes. */
	int status = slurm->machines.n ? CLI_DONE : slurm_kinds(slurm);

	harvest->options.machine =
		slurm->machines.n ? slurm->machines.text : (const char *const *)slurm->kinds;
	harvest->options.n_machines = slurm->machines.n ? slurm->machines.n : slurm->n_kinds;
	CLI_TRY(status);
	static const char *const argv[] = {"sacct", "--helpformat", NULL};
	FT_CLEANUP(ft__command_clear) struct ft__command tool = {.argv = argv};
	struct ft_err err = {0};

	CLI_TRY(cli_slurm_run(slurm, &tool, accounts_hint));
	if (ft_slurm_fields_choose(tool.text, &harvest->fields, &harvest->lacking, &err))
		return cli_error(&err);
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
	ft_slurm_harvested_clear(&harvest->answer);
	ft_store_close(harvest->store);
	free(harvest->fields);
	free(harvest->lacking);
	free(harvest->delimiter);
	free(harvest->delimiter_word);
	free(harvest->trusted);
	*harvest = (struct cli_harvest){0};
}

/* ---- output
   --------------------------------------------------------------------------------------------- */

static const struct ft_tell_row taken_rows[] = {
	{FT_TELL(struct ft_slurm_taken, name), .head = "name"},
	{FT_TELL(struct ft_slurm_taken, machine), .head = "machine"},
	{FT_TELL(struct ft_slurm_taken, runs), .head = ">runs"},
	{0},
};
static const struct ft_tell_record taken_answer = {.bytes = sizeof(struct ft_slurm_taken), .row = taken_rows};

struct slurm_harvest_answer {
	const char *cluster, *lacking;
	struct ft_slurm_harvested all;
	const char *why;
};

#define ANSWER struct slurm_harvest_answer
static const struct ft_tell_row rows[] = {
	{FT_TELL(ANSWER, cluster)},
	{FT_TELL_AS("jobs", ANSWER, all.jobs), .about = "that sacct reported"},
	{FT_TELL_AS("runs", ANSWER, all.runs), .about = "that were taken"},
	{FT_TELL_AS("known", ANSWER, all.known), .about = "jobs that were taken before"},
	{FT_TELL_AS("unsaid", ANSWER, all.unsaid), .about = "jobs that do not name a program"},
	{FT_TELL_AS("unfinished", ANSWER, all.unfinished)},
	{FT_TELL_AS("unbegun", ANSWER, all.unbegun), .about = "jobs that were cancelled before they began"},
	{FT_TELL_AS("unknown_nodes", ANSWER, all.nodes), .about = "jobs on nodes of no kind that is known"},
	{FT_TELL_AS("several_kinds", ANSWER, all.kinds), .about = "jobs on nodes of several kinds"},
	{FT_TELL_AS("of_others", ANSWER, all.others),
	 .about = "jobs of users who are not trusted, kept as ~UID/NAME"},
	{FT_TELL_AS("bad", ANSWER, all.bad), .about = "jobs of which no run can be made"},
	{FT_TELL(ANSWER, why), .about = "of the first of these", .null = "there is none"},
	{FT_TELL(ANSWER, lacking), .about = "fields that this Slurm does not know", .null = "none"},
	{FT_TELL_MANY(LIST, "programs", ANSWER, all.taken, all.n, &taken_answer)},
	{0},
};
const struct ft_tell_record cli_slurm_harvest_answer = {
	.name = "slurm", .action = "harvest", .version = 1, .row = rows};

static void tell_note(size_t n, const char *what, const char *hint)
{
	if (n)
		cli_note("left out %zu job%s %s%s%s", n, n == 1 ? "" : "s", what, hint ? ": " : "",
			 hint ? hint : "");
}

static void tell_text(const struct ft_slurm_harvested *answer)
{
	printf("%zu job%s: %zu new run%s, %zu known, %zu not ended, %zu without a program's name\n",
	       answer->jobs, answer->jobs == 1 ? "" : "s", answer->runs, answer->runs == 1 ? "" : "s",
	       answer->known, answer->unfinished + answer->unbegun, answer->unsaid);
	if (!answer->n)
		return;
	putchar('\n');
	cli_tell_table(&taken_answer, answer->taken, answer->n, NULL);
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
	int status = CLI_DONE;
	int64_t to;

	for (int64_t from = since_ns; from < now_ns && status == CLI_DONE; from = to) {
		char begin[32], end[32];
		const char *words[4] = {"-S", begin, "-E", end};

		to = from + STEP_S * second_ns < now_ns ? from + STEP_S * second_ns : now_ns;
		print_moment(from, begin);
		print_moment(to, end);
		harvest->options.until_ns = to;
		status = harvest_take_jobs(slurm, harvest, words);
	}
	return status;
}

int cli_slurm_harvest(void *query)
{
	struct cli_slurm *slurm = query;
	FT_CLEANUP(cli_harvest_close) struct cli_harvest harvest = {0};

	CLI_TRY(cli_harvest_open(slurm, &harvest));
	CLI_TRY(slurm->jobs ? harvest_file(slurm, &harvest) : harvest_since(slurm, &harvest));
	const ANSWER answer = {.cluster = slurm->config.cluster,
			       .lacking = harvest.lacking && *harvest.lacking ? harvest.lacking : NULL,
			       .all = harvest.answer,
			       .why = harvest.answer.bad ? harvest.answer.why : NULL};

	tell_note(harvest.answer.nodes, "on nodes of no kind that is known",
		  "name them with --machine 'node[01-16]=M'");
	tell_note(harvest.answer.kinds, "on nodes of several kinds", NULL);
	if (harvest.answer.bad)
		tell_note(harvest.answer.bad, "of which no run can be made", harvest.answer.why);
	if (harvest.answer.others)
		cli_note("%zu job%s of other users %s kept as ~UID/NAME; --trust USER keeps them under the "
			 "names that they state",
			 harvest.answer.others, harvest.answer.others == 1 ? "" : "s",
			 harvest.answer.others == 1 ? "is" : "are");
	if (slurm->json)
		cli_tell(&cli_slurm_harvest_answer, &answer, NULL);
	else
		tell_text(&harvest.answer);
	return CLI_DONE;
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

/* slurm_kinds - kinds, by the features of the nodes. */
static int slurm_kinds(struct cli_slurm *slurm)
{
	static const char *const argv[] = {"sinfo", "-ah", "-o", "%N|%f", NULL};
	FT_CLEANUP(ft__command_clear) struct ft__command tool = {.argv = argv};
	struct ft_err err = {0};

	CLI_TRY(cli_slurm_run(slurm, &tool, "name the nodes with --machine 'node[01-16]=M'"));
	if (ft_slurm_kinds_parse(tool.text, slurm->config.cluster, &slurm->kinds, &slurm->n_kinds, &err))
		return cli_error(&err);
	return CLI_DONE;
}
