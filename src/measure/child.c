/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child.c - probes whose figures the helper's answer holds: child, and report, what a program said of its
 * routines. */
#include "measure/probes.h"

#include <math.h>

/* What of a routine's wall time may be unknown, for it to be told. */
static const double UNKNOWN_SHARE = 0.05;

/* ---- report ------------------------------------------------------------------------------------------- */

/* Why its times say nothing; false: they do. */
static bool is_useless(const struct ft__routine *routine, struct ft_err *why)
{
	if (routine->cut) {
		(void)ft_fail(why, FT_EUNAVAIL, "the program reported more than could be taken in");
		(void)ft_remedy(why,
				"let it report once for many calls: times between two reports are summed");
	} else if (routine->absurd) {
		(void)ft_fail(why, FT_EUNAVAIL,
			      "the program reported more than a hundred years, or than a number can hold");
		(void)ft_remedy(why, "look at what it writes: times are in nanoseconds");
	}
	return routine->cut || routine->absurd;
}

/* Its wall time less what of the standstill fell into it, which is all but what may have fallen into the rest
 * of the process. NaN: that may be too much to know it. */
static double routine_wall_s(const struct ft__routine *routine, const struct ft__answer *answer)
{
	double rest_s = fmax(0, answer->reply.wall_s - routine->wall_s),
	       least = routine->wall_s - answer->frozen_s, most = least + fmin(rest_s, answer->frozen_s);

	return least > 0 && most - least <= UNKNOWN_SHARE * most ? (least + most) / 2 : (double)NAN;
}

/* A wall time, which is no measure where the run stood still. */
static enum ft_status add_wall(struct ft_run *run, double wall_s, const struct ft__answer *answer,
			       const char *probe, struct ft_err *err)
{
	struct ft_err why = {0};

	if (wall_s > 0 || !(answer->frozen_s > 0))
		return ft_run_add(run, &ft_wall_s, wall_s, answer->frozen_s > 0 ? FT_ESTIMATED : FT_MEASURED,
				  probe, NULL, err);
	(void)ft_fail(&why, FT_EUNAVAIL,
		      "the run was paused for %.3g s, and how much of its wall time is left is not "
		      "known",
		      answer->frozen_s);
	(void)ft_remedy(&why, "run it once more");
	return ft__add_unavailable(run, &ft_wall_s, probe, &why, err);
}

/* The first call in a process finds caches and memory as nobody left them: it, and a later one, on average.
 */
static enum ft_status add_calls(const struct ft__routine *routine, struct ft_run *run, struct ft_err *err)
{
	double later_s = (routine->wall_s - routine->first_s) / (routine->calls - 1);

	if (routine->calls < 2 || isnan(routine->first_s) || !(later_s > 0))
		return FT_OK;
	enum ft_status status = ft__add_measured(run, &ft_first_call_s, routine->first_s, "report", err);
	return status ? status : ft__add_measured(run, &ft_later_call_s, later_s, "report", err);
}

/* Of one routine of several; that of the only one is that of its process. */
static enum ft_status add_peak(const struct ft__routine *routine, struct ft_run *run, struct ft_err *err)
{
	struct ft_err why = {0};

	if (!run->routine || isnan(routine->peak_bytes))
		return FT_OK;
	if (routine->peak_bytes > 0)
		return ft__add_measured(run, &ft_peak_rss_bytes, routine->peak_bytes, "report", err);
	(void)ft_fail(&why, FT_EUNAVAIL,
		      "the process held no more in this routine than it had held before it");
	(void)ft_remedy(&why, "ask for the memory of the whole process, or let this routine run first");
	return ft__add_unavailable(run, &ft_peak_rss_bytes, "report", &why, err);
}

static enum ft_status read_report(void *state, const struct ft__result *result, struct ft_run *run,
				  struct ft_err *err)
{
	const struct ft__routine *routine = result->routine;
	struct ft_err why = {0};
	enum ft_status status;

	(void)state;
	if (is_useless(routine, &why)) {
		status = ft__add_unavailable(run, &ft_wall_s, "report", &why, err);
		return status ? status : ft__add_unavailable(run, &ft_cpu_s, "report", &why, err);
	}
	run->work = routine->work;
	status = add_wall(
		run, result->answer->frozen_s > 0 ? routine_wall_s(routine, result->answer) : routine->wall_s,
		result->answer, "report", err);
	if (!status)
		status = ft__add_measured(run, &ft_cpu_s, routine->cpu_s, "report", err);
	if (!status && !(result->answer->frozen_s > 0))
		status = add_calls(routine, run, err);
	return status ? status : add_peak(routine, run, err);
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
		const struct ft_resource *resource;
		double value;
		bool time;
	} row[] = {
		{&ft_cpu_s, reply->user_s + reply->system_s, true},
		{&ft_user_s, reply->user_s, true},
		{&ft_system_s, reply->system_s, true},
		{&ft_peak_rss_bytes, (double)reply->peak_rss_bytes, false},
		{&ft_minor_faults, (double)reply->minor_faults, false},
		{&ft_major_faults, (double)reply->major_faults, false},
		{&ft_voluntary_switches, (double)reply->voluntary_switches, false},
		{&ft_involuntary_switches, (double)reply->involuntary_switches, false},
	};
	struct ft_err why = {0};
	const bool unknown = ft__not_ended(reply, &why);
	enum ft_status status = result->routine ? read_report(state, result, run, err)
						: add_wall(run, ft__answer_wall_s(result->answer),
							   result->answer, "child", err);

	for (size_t i = 0; !status && i < sizeof row / sizeof *row; i++)
		if (!result->routine || !row[i].time)
			status = unknown ? ft__add_unavailable(run, row[i].resource, "child", &why, err)
					 : ft__add_measured(run, row[i].resource, row[i].value, "child", err);
	return status;
}

const struct ft__probe_ops ft__child_probe = {.read = read_child};
