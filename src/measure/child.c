/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child.c - probes whose figures the helper's answer holds: child, and report, what a program said of its
 * routines. */
#include "measure/probes.h"

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
