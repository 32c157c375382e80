/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child.c - probes whose figures the helper's answer holds: child, schedstat, and report, what a program
 * said of its routines. */
#include "measure/probes.h"

#include <math.h>

/* What may be missing of the processor time for the waiting to be called known: a share; and what the last
 * steps of a few tasks take, after the kernel has told of them. The shortest program takes four times as
 * much. */
static const double MISSED_SHARE = 0.02, MISSED_S = 1e-4;
/* Where more than so much is, nothing is said of it. */
static const double MISSED_MOST = 0.6;
/* More processor time than so many times the wall time is that of several tasks; two clocks never agree. */
static const double ONE_TASK = 1.05;

/* ---- report ------------------------------------------------------------------------------------------- */

/* Why its times say nothing; false: they do. */
static bool is_useless(const struct ft__routine *routine, struct ft_err *why)
{
	if (routine->cut) {
		(void)ft_fail(why, FT_EUNAVAIL, "the program reported more than could be taken in");
		(void)ft_remedy(why,
				"let it report once for many calls: times between two reports are summed");
	} else if (routine->absurd) {
		(void)ft_fail(why, FT_EUNAVAIL, "the program reported more than a hundred years");
		(void)ft_remedy(why, "look at what it writes: times are in nanoseconds");
	}
	return routine->cut || routine->absurd;
}

static enum ft_status read_report(void *state, const struct ft__result *result, struct ft_run *run,
				  struct ft_err *err)
{
	const struct ft__routine *routine = result->routine;
	struct ft_err why = {0};
	enum ft_status status;

	(void)state;
	if (is_useless(routine, &why)) {
		status = ft__add_unavailable(run, "wall_s", "report", &why, err);
		return status ? status : ft__add_unavailable(run, "cpu_s", "report", &why, err);
	}
	run->work = routine->work;
	status = ft__add_measured(run, "wall_s", routine->wall_s, "report", err);
	return status ? status : ft__add_measured(run, "cpu_s", routine->cpu_s, "report", err);
}

/* The times of a process that has one routine are those of the routine: child adds them where its own would
 * stand. */
const struct ft__probe_ops ft__report_probe = {.read_routine = read_report};

/* ---- child -------------------------------------------------------------------------------------------- */

static enum ft_status read_child(void *state, const struct ft__result *result, struct ft_run *run,
				 struct ft_err *err)
{
	const struct ft__reply *reply = &result->answer->reply;
	const struct {
		const char *resource;
		double value;
		bool time;
	} row[] = {
		{"wall_s", reply->wall_s, true},
		{"cpu_s", reply->user_s + reply->system_s, true},
		{"user_s", reply->user_s, true},
		{"system_s", reply->system_s, true},
		{"peak_rss_bytes", (double)reply->peak_rss_bytes, false},
		{"minor_faults", (double)reply->minor_faults, false},
		{"major_faults", (double)reply->major_faults, false},
		{"voluntary_switches", (double)reply->voluntary_switches, false},
		{"involuntary_switches", (double)reply->involuntary_switches, false},
	};
	enum ft_status status = result->routine ? read_report(state, result, run, err) : FT_OK;
	size_t i;

	for (i = 0; !status && i < sizeof row / sizeof *row; i++)
		if (!result->routine || !row[i].time)
			status = ft__add_measured(run, row[i].resource, row[i].value, "child", err);
	return status;
}

const struct ft__probe_ops ft__child_probe = {.read = read_child};

/* ---- schedstat ---------------------------------------------------------------------------------------- */

/* Of what the process waited, a routine's part: of one task, where it did not compute; of several in the
 * proportion of their processor time. Who was not seen waited as much for each second as who was. */
static double delay_of(const struct ft__reply *reply, const struct ft__routine *routine, double seen)
{
	double cpu_s = reply->user_s + reply->system_s, delay_s = reply->run_delay_s / seen;

	if (!routine)
		return delay_s;
	if (routine->cpu_s <= ONE_TASK * routine->wall_s)
		return fmin(delay_s, fmax(0, routine->wall_s - routine->cpu_s));
	return delay_s * fmin(1, routine->cpu_s / cpu_s);
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

	(void)state;
	if (reply->flags & FT__HAS_DELAY && (all || missed_s <= MISSED_MOST * cpu_s))
		return ft_run_add(
			run, "run_delay_s", delay_of(reply, result->routine, all ? 1 : reply->exec_s / cpu_s),
			result->routine || !all ? FT_ESTIMATED : FT_MEASURED, "schedstat", NULL, err);
	if (reply->flags & FT__HAS_DELAY) {
		(void)ft_fail(
			&why, FT_EUNAVAIL,
			"%.0f %% of the processor time went to tasks that ended before they were looked "
			"at again",
			fmax(1, 100 * missed_s / cpu_s));
		(void)ft_remedy(&why, "take sizes at which its tasks live longer");
	} else {
		(void)ft_fail(&why, FT_EUNAVAIL,
			      "the kernel tells of no task how long it waited for a processor "
			      "(/proc/PID/schedstat)");
		(void)ft_remedy(&why, "take a kernel with CONFIG_SCHED_INFO");
	}
	return ft__add_unavailable(run, "run_delay_s", "schedstat", &why, err);
}

const struct ft__probe_ops ft__schedstat_probe = {.read = read_schedstat, .read_routine = read_schedstat};
