/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check.c - sends jobs through the whole chain: submit, run, account, harvest, model, and fill in the
 * request of a last job. */
#include "base/clock.h"
#include "cli/cli.h"
#include "cli/slurm/slurm.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The name of the test program; users' programs have other names. */
#define NAME "foretime-check"

/* Jobs that sleep some seconds; the timeouts for a job's start, and for accounts and foretime.lua to be up
 * to date. */
enum { JOBS = 3, TURN_S = 600, NEWS_S = 60 };

struct slurm_step {
	const char *name, *state; /* "good", "failed", "left out" */
	char *what;
};

enum { STEPS_MOST = 8 };

struct check {
	struct cli_slurm *slurm;
	struct cli_harvest harvest;
	char *folder, *store; /* of this check alone */
	long long job[JOBS];
	char numbers[JOBS * 24];
	const char *cluster;
	struct slurm_step step[STEPS_MOST];
	size_t n;
	bool good;
};

static const char good[] = "good", failed[] = "failed", left_out[] = "left out";

/* Takes ownership of what. Returns whether the next step makes sense. */
static bool add_step(struct check *check, const char *name, const char *state, char *what)
{
	check->step[check->n++] = (struct slurm_step){name, state, what};
	check->good = check->good && state != failed;
	return state == good;
}

/* Between two looks; false: interrupted. */
static bool wait_a_little(void)
{
	struct timespec left = {0, 300000000};

	(void)nanosleep(&left, NULL);
	return !*cli_interrupt_flag();
}

/* Whether the tool succeeded. */
static bool run_tool(const struct check *check, struct ft__command *tool)
{
	tool->limit_s = check->slurm->limit_s;
	tool->apart = true;
	return !ft__command_run(tool, NULL);
}

/* scancel, also after an interrupt. */
static void call_off(const struct check *check, const char *const *argv)
{
	FT_CLEANUP(ft__command_clear) struct ft__command tool = {.argv = argv};

	(void)run_tool(check, &tool);
}

/* sbatch: the number of a job with its size; 0: failed. */
static long long submit_job(struct check *check, int n, bool held, char **words)
{
	static const char job_name[] = "--job-name=" NAME;
	CLI_OWN char *comment = cli_printed("--comment=foretime:" NAME ",n=%d", n),
		     *command = cli_printed("--wrap=sleep %d", n);
	const char *argv[] = {"sbatch", "--parsable", "--output=/dev/null",   job_name,
			      comment,  command,      held ? "--hold" : NULL, NULL};
	FT_CLEANUP(ft__command_clear)
	struct ft__command tool = {.argv = argv, .interrupt = cli_interrupt_flag()};
	long long job = run_tool(check, &tool) ? strtoll(tool.text, NULL, 10) : 0;

	free(*words);
	*words = cli_strdup(cli_given(tool.words));
	(*words)[strcspn(*words, "\n")] = '\0';
	return job;
}

static bool submit_all(struct check *check)
{
	char *words = NULL, *numbers = check->numbers;

	for (size_t i = 0; i < JOBS; i++) {
		check->job[i] = submit_job(check, (int)i + 1, false, &words);
		if (!check->job[i])
			return add_step(check, "submit", failed, words);
		numbers += sprintf(numbers, "%s%lld", i ? "," : "", check->job[i]);
	}
	free(words);
	return add_step(check, "submit", good, cli_printed("jobs %s", check->numbers));
}

/* The output of a tool about jobs, NULL if it fails; the caller frees it. */
static char *ask_tool(const struct check *check, const char *const *argv)
{
	FT_CLEANUP(ft__command_clear)
	struct ft__command tool = {.argv = argv, .interrupt = cli_interrupt_flag()};
	char *text = run_tool(check, &tool) ? cli_strdup(tool.text) : NULL;

	return text;
}

/* Query all our jobs: with -j squeue fails for a forgotten job as if it could not connect. */
static bool wait_for_end(struct check *check)
{
	const char *argv[] = {"squeue", "-h",    "-t",     "PENDING,RUNNING,COMPLETING,CONFIGURING,SUSPENDED",
			      "-o",     "%T %r", "--name", NAME,
			      "--me",   NULL};
	double end_s = ft_clock_s() + TURN_S;
	char *text = NULL;

	do {
		free(text);
		text = ask_tool(check, argv);
		if (text && !*text) {
			free(text);
			return add_step(check, "run", good, NULL);
		}
	} while (ft_clock_s() < end_s && wait_a_little());
	if (!text)
		return add_step(check, "run", failed,
				cli_strdup("squeue does not report the state of the jobs"));
	text[strcspn(text, "\n")] = '\0';
	return add_step(check, "run", failed, text);
}

static bool harvest_job(struct check *check)
{
	double end_s = ft_clock_s() + NEWS_S;
	struct ft_slurm_harvested *answer = &check->harvest.answer;
	int status = cli_harvest_open(check->slurm, &check->harvest);

	while (status == CLI_DONE && answer->runs < JOBS && ft_clock_s() < end_s) {
		status = cli_harvest_jobs(check->slurm, &check->harvest, check->numbers);
		if (answer->runs < JOBS && !wait_a_little())
			break;
	}
	if (status != CLI_DONE)
		return add_step(check, "harvest", failed, cli_strdup(cli_complaint(&(const char *){NULL})));
	if (answer->runs < JOBS)
		return add_step(
			check, "harvest", failed,
			answer->bad ? cli_strdup(answer->why)
				    : cli_printed("%zu of %d jobs are in the accounts", answer->runs, JOBS));
	return add_step(check, "harvest", good,
			cli_printed("%zu runs on '%s'", answer->runs, answer->taken[0].machine));
}

static bool predict_job(struct check *check)
{
	struct cli_slurm own = *check->slurm;
	size_t written = 0;

	own.store_path = check->store;
	int status = cli_slurm_knots(&own, check->folder, NAME, &written);
	if (status != CLI_DONE || !written)
		return add_step(check, "predict", failed, cli_strdup("no model can be made of these runs"));
	return add_step(check, "predict", good, NULL);
}

/* Whether a held job has values that only the site's submission functions write. filled: out, heap */
static bool is_filled(struct check *check, char **filled)
{
	CLI_OWN char *words = NULL;
	long long job = submit_job(check, 2, true, &words);
	bool found = false;

	free(*filled);
	*filled = NULL;
	if (job) {
		const char *show[] = {"scontrol", "-o", "show", "job", NULL, NULL},
			   *cancel[] = {"scancel", NULL, NULL};
		char *number = cli_printed("%lld", job);

		show[4] = cancel[1] = number;
		char *text = ask_tool(check, show);
		call_off(check, cancel);
		char *at = text ? strstr(text, "AdminComment=foretime: ") : NULL;
		found = at != NULL;
		if (at) {
			at += strlen("AdminComment=foretime: ");
			at[strcspn(at, ",")] = '\0';
			*filled = cli_strdup(at);
		}
		free(text);
		free(number);
	}
	if (!found && !*filled)
		*filled = cli_strdup(words);
	return found;
}

/* The model goes where the functions read, and away again. */
static bool fill_model(struct check *check)
{
	const char *folder = check->slurm->folder ? check->slurm->folder : CLI_SLURM_FOLDER;
	char *from = cli_printed("%s/" NAME ".knots", check->folder),
	     *to = cli_printed("%s/" NAME ".knots", folder), *filled = NULL;
	double end_s = ft_clock_s() + NEWS_S;
	struct cli_slurm own = *check->slurm;
	size_t written = 0;
	bool found = false, result;

	own.store_path = check->store;
	if (!strstr(check->slurm->config.submit, "lua")) {
		result = add_step(check, "fill", left_out,
				  cli_strdup("slurmctld calls no job_submit.lua: to set it up, see foretime "
					     "slurm install"));
	} else if (access(folder, W_OK)) {
		result = add_step(
			check, "fill", left_out,
			cli_printed("%s cannot be written: an administrator may check this", folder));
	} else {
		(void)cli_slurm_knots(&own, folder, NAME, &written);
		while (written && !(found = is_filled(check, &filled)) && ft_clock_s() < end_s &&
		       wait_a_little())
			;
		(void)unlink(to);
		result = add_step(check, "fill", found ? good : failed, filled);
	}
	free(from);
	free(to);
	return result;
}

/* ---- output
   --------------------------------------------------------------------------------------------- */

static const struct ft_tell_row step_rows[] = {
	{FT_TELL(struct slurm_step, name), .head = "step"},
	{FT_TELL(struct slurm_step, state), .words = "good|failed|left out", .head = "state"},
	{FT_TELL(struct slurm_step, what), .null = "no remark", .head = "", .none = ""},
	{0},
};
static const struct ft_tell_record step_answer = {.bytes = sizeof(struct slurm_step), .row = step_rows};

static const struct ft_tell_row rows[] = {
	{FT_TELL(struct check, cluster)},
	{FT_TELL(struct check, good), .about = "no step failed"},
	{FT_TELL_MANY(ARRAY, "steps", struct check, step, n, &step_answer)},
	{0},
};
const struct ft_tell_record cli_slurm_check_answer = {
	.name = "slurm", .action = "check", .version = 1, .row = rows};

static void tell_steps(const struct check *check)
{
	if (check->slurm->json) {
		cli_tell(&cli_slurm_check_answer, check, NULL);
		return;
	}
	cli_tell_table(&step_answer, check->step, check->n, NULL);
}

static int make_folder(struct check *check)
{
	const char *temporary = getenv("TMPDIR");

	check->folder = cli_printed("%s/foretime-check.XXXXXX", temporary && *temporary ? temporary : "/tmp");
	if (!mkdtemp(check->folder))
		return cli_fail("cannot make a folder in '%s'\n"
				"hint: name another with TMPDIR",
				temporary && *temporary ? temporary : "/tmp");
	check->store = cli_printed("%s/store.db", check->folder);
	check->slurm->store_path = check->store;
	return CLI_DONE;
}

int cli_slurm_check(void *query)
{
	struct cli_slurm *slurm = query;
	struct check check = {.slurm = slurm, .good = true};
	int status = cli_slurm_open(slurm);

	if (status == CLI_DONE)
		status = make_folder(&check);
	if (status == CLI_DONE) {
		check.cluster = slurm->config.cluster;
		if (!submit_all(&check) || !wait_for_end(&check)) {
			/* Jobs of a check that did not come to its end. */
			const char *argv[] = {"scancel", "--name=" NAME, "--me", NULL};

			call_off(&check, argv);
		} else if (harvest_job(&check) && predict_job(&check)) {
			(void)fill_model(&check);
		}
		tell_steps(&check);
		status = *cli_interrupt_flag() ? CLI_INTERRUPTED : check.good ? CLI_DONE : CLI_NO;
	}
	cli_harvest_close(&check.harvest);
	for (size_t i = 0; i < check.n; i++)
		free(check.step[i].what);
	static const char *const names[] = {"store.db", "store.db-wal", "store.db-shm", NAME ".knots"};

	for (size_t i = 0; check.store && i < sizeof names / sizeof *names; i++) {
		char *path = cli_printed("%s/%s", check.folder, names[i]);

		(void)unlink(path);
		free(path);
	}
	if (check.store)
		(void)rmdir(check.folder);
	free(check.folder);
	free(check.store);
	return status;
}
