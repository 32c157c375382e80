/* SPDX-License-Identifier: GPL-3.0-or-later */
/* raise.c - who looks at running jobs now and then, and gives those more time whose limit was a guess. */
#include "cli/common.h"
#include "cli/slurm/slurm.h"
#include "foretime/units.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

static int read_queue(const struct cli_slurm *slurm, const struct ft_sinfo *sinfo,
		      struct ft_slurm_raise **raise, size_t *n)
{
	static const char *const argv[] = {"squeue", "-a", "-h", "-t", "R", "-O", FT_SLURM_QUEUE, NULL};
	FT_CLEANUP(ft__command_clear) struct ft__command tool = {.argv = argv};
	struct ft_err err = {0};
	int status = cli_slurm_run(slurm, &tool, "check that Slurm is up: scontrol ping");

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
	int status = cli_slurm_run(
		slurm, &tool,
		"limits are raised by operators: sacctmgr modify user NAME set adminlevel=Operator");

	return status;
}

/* Who has just ended is no reason to look at no others. */
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

int cli_slurm_raise(void *asked)
{
	const struct cli_slurm *slurm = asked;
	int status = look_at_jobs(slurm);

	/* A Slurm that is down for a while is told of, and looked at again. */
	while (!slurm->once && !*cli_interrupt_flag()) {
		wait_for(slurm->every_s);
		if (!*cli_interrupt_flag())
			status = look_at_jobs(slurm);
	}
	return slurm->once ? status : CLI_DONE;
}
