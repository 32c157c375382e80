/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slurm.c - `foretime slurm`: turns finished jobs into runs, and predictions into requests, on a cluster. */
#include "base/clock.h"
#include "cli/cli.h"
#include "cli/slurm/slurm.h"
#include "foretime/units.h"
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

static int slurm_kinds(struct cli_slurm *slurm);

static int slurm_run(const struct cli_slurm *slurm, struct ft__command *tool, const char *hint);

/*
 * Numbers of jobs as the epilog writes them, a line each: "NUMBER EPOCH". The file is renamed before it is
 * read, and jobs unknown to the accounts yet are put back. A killed process leaves the renamed file, and the
 * next one starts with it: a job taken once is not taken again.
 */

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

static int take_jobs(struct cli_slurm *slurm, struct cli_harvest *harvest, const struct list *list)
{
	CLI_OWN char *numbers = cli_alloc((size_t)AT_ONCE * 24);
	int status = CLI_DONE;

	for (size_t i = 0; i < list->n && status == CLI_DONE; i += AT_ONCE) {
		size_t at = 0;

		for (size_t k = i; k < list->n && k < i + AT_ONCE; k++)
			at += (size_t)sprintf(numbers + at, "%s%lld", at ? "," : "", list->line[k].job);
		status = cli_harvest_jobs(slurm, harvest, numbers);
	}
	return status;
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
	if (status == CLI_DONE)
		status = take_jobs(slurm, harvest, &list);
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

static int choose_fields(const struct cli_slurm *slurm, struct cli_harvest *harvest)
{
	static const char *const argv[] = {"sacct", "--helpformat", NULL};
	FT_CLEANUP(ft__command_clear) struct ft__command tool = {.argv = argv};
	struct ft_err err = {0};

	CLI_TRY(slurm_run(slurm, &tool, accounts_hint));
	if (ft_slurm_fields_choose(tool.text, &harvest->fields, &harvest->lacking, &err))
		return cli_error(&err);
	return CLI_DONE;
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

	CLI_TRY(slurm_run(slurm, &tool, accounts_hint));
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
		status = harvest_take_jobs(slurm, harvest, words);
	}
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

/* The machines named by the user, else the kinds of nodes. */
static int find_machines(struct cli_slurm *slurm, struct cli_harvest *harvest)
{
	int status = slurm->machines.n ? CLI_DONE : slurm_kinds(slurm);

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

static void tell_left_out(const struct ft_slurm_harvested *answer)
{
	tell_note(answer->nodes, "on nodes of no kind that is known",
		  "name them with --machine 'node[01-16]=M'");
	tell_note(answer->kinds, "on nodes of several kinds", NULL);
	if (answer->bad)
		tell_note(answer->bad, "of which no run can be made", answer->why);
	if (answer->others)
		cli_note("%zu job%s of other users %s kept as ~UID/NAME; --trust USER keeps them under the "
			 "names that they state",
			 answer->others, answer->others == 1 ? "" : "s", answer->others == 1 ? "is" : "are");
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

static void tell_harvest(const struct cli_slurm *slurm, const struct cli_harvest *harvest)
{
	const ANSWER answer = {.cluster = slurm->config.cluster,
			       .lacking = *harvest->lacking ? harvest->lacking : NULL,
			       .all = harvest->answer,
			       .why = harvest->answer.bad ? harvest->answer.why : NULL};

	tell_left_out(&harvest->answer);
	if (slurm->json)
		cli_tell(&cli_slurm_harvest_answer, &answer, NULL);
	else
		tell_text(&harvest->answer);
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

static int cli_slurm_harvest(void *query)
{
	struct cli_slurm *slurm = query;
	FT_CLEANUP(cli_harvest_close) struct cli_harvest harvest = {0};

	CLI_TRY(cli_harvest_open(slurm, &harvest));
	CLI_TRY(slurm->jobs ? harvest_file(slurm, &harvest) : harvest_since(slurm, &harvest));
	tell_harvest(slurm, &harvest);
	return CLI_DONE;
}

/*
 * Watch running jobs, and extend those whose time limit was a guess.
 */

/* Partitions, and how long their jobs may run. */
static int read_partitions(const struct cli_slurm *slurm, struct ft_sinfo *sinfo)
{
	static const char *const argv[] = {"sinfo", "-a", "-o", "%P %a %l", NULL};
	FT_CLEANUP(ft__command_clear) struct ft__command tool = {.argv = argv};
	struct ft_err err = {0};

	CLI_TRY(slurm_run(slurm, &tool, "check that Slurm is up: scontrol ping"));
	if (ft_sinfo_parse(sinfo, "sinfo", tool.text, tool.length, &err))
		return cli_error(&err);
	return CLI_DONE;
}

static int read_queue(const struct cli_slurm *slurm, const struct ft_sinfo *sinfo,
		      struct ft_slurm_raise **raise, size_t *n)
{
	static const char *const argv[] = {"squeue", "-a", "-h", "-t", "R", "-O", FT_SLURM_QUEUE, NULL};
	FT_CLEANUP(ft__command_clear) struct ft__command tool = {.argv = argv};
	struct ft_err err = {0};
	int status = slurm_run(slurm, &tool, "check that Slurm is up: scontrol ping");

	*raise = NULL;
	*n = 0;
	if (status == CLI_DONE && ft_slurm_raises_parse(tool.text, sinfo, raise, n, &err))
		status = cli_error(&err);
	return status;
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
	int status = slurm_run(
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

	if (status == CLI_DONE)
		status = read_queue(slurm, &sinfo, &raise, &n);
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

static void wait_for(double seconds)
{
	struct timespec left = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};

	while (!*cli_interrupt_flag() && nanosleep(&left, &left) && errno == EINTR)
		;
}

static int slurm_raise(void *query)
{
	const struct cli_slurm *slurm = query;
	int status = look_at_jobs(slurm);

	/* A failing Slurm is reported, and tried again. */
	while (!slurm->once && !*cli_interrupt_flag()) {
		wait_for(slurm->every_s);
		if (!*cli_interrupt_flag())
			status = look_at_jobs(slurm);
	}
	return slurm->once ? status : CLI_DONE;
}

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

static void read_file(const char *folder, struct slurm_status_model *model)
{
	char *path = cli_printed("%s/%s.knots", folder, model->name), line[256];
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
	{FT_TELL(STATUS_TOLD, kept), .about = "their share", .null = "no job was filled in"},
	{FT_TELL(STATUS_TOLD, folder), .about = "where the functions of submission read"},
	{FT_TELL_MANY(LIST, "programs", STATUS_TOLD, model, n, &model_answer)},
	{0},
};
const struct ft_tell_record cli_slurm_status_answer = {
	.name = "slurm", .action = "status", .version = 1, .row = status_rows};

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

static void find_models(STATUS_TOLD *answer, const struct ft_store_list *list)
{
	answer->model = cli_alloc((list->n + 1) * sizeof *answer->model);
	for (size_t i = 0; i < list->n; i++) {
		const struct ft_store_entry *entry = &list->entry[i];
		struct slurm_status_model *model = &answer->model[answer->n];

		if (!entry->current || !entry->machine)
			continue;
		*model = (struct slurm_status_model){.name = entry->name,
						     .machine = entry->machine_name,
						     .runs = entry->runs,
						     .newest_ns = entry->last_ns};
		read_file(answer->folder, model);
		answer->n++;
	}
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
	find_models(&answer, &list);
	if (slurm->json)
		cli_tell(&cli_slurm_status_answer, &answer, NULL);
	else
		print_status(&answer);
	return CLI_DONE;
}

/*
 * A batch system of many machines: what jobs took becomes runs, and what they ask for comes of
 * that.
 */

static const struct cli_action actions[] = {
	{"harvest", "take jobs that ended into the store, each once",
	 "[FILE|--since TIME] [--all] [--trust USER]... [OPTION...]",
	 "since jobs all trust machine timeout format json store", 0, 1, cli_slurm_harvest},
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

/* slurm_run - run a tool of Slurm; times are UTC and end in Z. A complaint has the tool, its message, and
 * the hint. Returns CLI_DONE, or the exit status; so do those below. tool: its argv is set; ends with
 * ft__command_clear */
static int slurm_run(const struct cli_slurm *slurm, struct ft__command *tool, const char *hint)
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

	CLI_TRY(slurm_run(slurm, &tool,
			  "check that Slurm is up and that this is one of its machines: scontrol ping"));
	if (ft_slurm_config_parse(&slurm->config, tool.text, &err))
		return cli_error(&err);
	return CLI_DONE;
}

/* slurm_kinds - kinds, by the features of the nodes. */
static int slurm_kinds(struct cli_slurm *slurm)
{
	static const char *const argv[] = {"sinfo", "-ah", "-o", "%N|%f", NULL};
	FT_CLEANUP(ft__command_clear) struct ft__command tool = {.argv = argv};
	struct ft_err err = {0};

	CLI_TRY(slurm_run(slurm, &tool, "name the nodes with --machine 'node[01-16]=M'"));
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
