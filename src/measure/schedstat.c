/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedstat.c - the probe of how long a program waited for others. */
#include "base/alloc.h"
#include "measure/probes.h"
#include "measure/quota.h"

#include <math.h>

/* What may be missing of the processor time for the waiting to be called known: a share; and what the last
 * steps of a few tasks take, after the kernel has told of them. The shortest program takes four times as
 * much. */
static const double MISSED_SHARE = 0.02, MISSED_S = 1e-4;
/* Where more than so much is, nothing is said of it. */
static const double MISSED_MOST = 0.6;
/* More processor time than so many times the wall time is that of several tasks; two clocks never agree. */
static const double ONE_TASK = 1.05;

struct schedstat {
	struct ft__quota quota;
	double throttled_s; /* before the run */
};

static enum ft_status open_schedstat(void **state, const struct ft_launch *launch, struct ft__client *client,
				     struct ft_err *err)
{
	struct schedstat *schedstat = ft_calloc(1, sizeof *schedstat);

	(void)launch;
	(void)client;
	*state = schedstat;
	if (!schedstat)
		return ft_nomem(err);
	ft__quota_open(&schedstat->quota, "");
	return FT_OK;
}

static void close_schedstat(void *state)
{
	struct schedstat *schedstat = state;

	ft__quota_clear(&schedstat->quota);
	ft_free(schedstat);
}

static bool arm_schedstat(void *state, struct ft__order *order)
{
	struct schedstat *schedstat = state;

	(void)order;
	schedstat->throttled_s = ft__quota_throttled_s(&schedstat->quota, "");
	return false;
}

/* What the whole process waited for others. Who was not seen waited as much for each second as who was. */
static double waited_for_others(const struct schedstat *schedstat, const struct ft__result *result,
				double seen, int processors)
{
	const struct ft__reply *reply = &result->answer->reply;
	const struct ft__waited waited = {.wall_s = ft__answer_wall_s(result->answer),
					  .cpu_s = reply->user_s + reply->system_s,
					  .delay_s = reply->run_delay_s / seen,
					  .throttled_s = ft__quota_throttled_s(&schedstat->quota, "") -
							 schedstat->throttled_s,
					  .processors = processors};

	return ft__quota_rest_s(&schedstat->quota, &waited);
}

/* A routine's part of it: of one task, where it did not compute; of several in the proportion of their
 * processor time. */
static double part_of(double delay_s, const struct ft__routine *routine, double cpu_s)
{
	if (routine->cpu_s <= ONE_TASK * routine->wall_s)
		return fmin(delay_s, fmax(0, routine->wall_s - routine->cpu_s));
	return delay_s * fmin(1, routine->cpu_s / cpu_s);
}

static enum ft_status add_delay(const struct schedstat *schedstat, const struct ft__result *result,
				double seen, struct ft_run *run, struct ft_err *err)
{
	const struct ft__reply *reply = &result->answer->reply;
	double delay_s = waited_for_others(schedstat, result, seen, run->processors);
	bool exact = seen == 1 && delay_s == reply->run_delay_s && !result->routine;

	if (result->routine)
		delay_s = part_of(delay_s, result->routine, reply->user_s + reply->system_s);
	return ft_run_add(run, &ft_run_delay_s, delay_s, exact ? FT_MEASURED : FT_ESTIMATED, "schedstat",
			  NULL, err);
}

/* Whoever was not seen to the end may have waited for long, however little it did then: what little was
 * missed passes for measured, more for estimated. */
static enum ft_status read_schedstat(void *state, const struct ft__result *result, struct ft_run *run,
				     struct ft_err *err)
{
	const struct ft__reply *reply = &result->answer->reply;
	double cpu_s = reply->user_s + reply->system_s, missed_s = cpu_s - reply->exec_s;
	bool all = missed_s <= fmax(MISSED_SHARE * cpu_s, MISSED_S);
	struct ft_err why = {0};

	if (ft__not_ended(reply, &why))
		return ft__add_unavailable(run, &ft_run_delay_s, "schedstat", &why, err);
	if (reply->flags & FT__HAS_DELAY && (all || missed_s <= MISSED_MOST * cpu_s))
		return add_delay(state, result, all ? 1 : reply->exec_s / cpu_s, run, err);
	if (reply->flags & FT__HAS_DELAY) {
		(void)ft_fail(
			&why, FT_EUNAVAIL,
			"%.0f %% of the processor time went to tasks that ended before they were looked "
			"at again",
			fmax(1, 100 * missed_s / cpu_s));
		(void)ft_remedy(&why, "take sizes at which its tasks live longer");
	} else {
		(void)ft_fail(&why, FT_EUNAVAIL,
			      "the kernel reports for no task how long it waited for a processor "
			      "(/proc/PID/schedstat)");
		(void)ft_remedy(&why, "take a kernel with CONFIG_SCHED_INFO");
	}
	return ft__add_unavailable(run, &ft_run_delay_s, "schedstat", &why, err);
}

const struct ft__probe_ops ft__schedstat_probe = {.open = open_schedstat,
						  .close = close_schedstat,
						  .arm = arm_schedstat,
						  .read = read_schedstat,
						  .read_routine = read_schedstat};
