/* SPDX-License-Identifier: GPL-3.0-or-later */
/* usage.c - from what the helper saw of the tree of processes during a run to its peak, and to a trace. */
#include "measure/usage.h"
#include "base/alloc.h"
#include "measure/probes.h"

#include <math.h>
#include <unistd.h>

void ft_usage_clear(struct ft_usage *usage)
{
	if (!usage)
		return;
	ft_free(usage->point);
	*usage = (struct ft_usage){0};
}

/* The kernel's ticks are 10 ms. Looks that lie closer than ten of them share their processor time, else a
 * processor would seem to stand still and to be two alternately. */
static const double TICKS_LEAST_S = 0.1;

/* By so much a stretch may seem to use more than all processors before its neighbour has to share: two ticks,
 * or what two clocks that are read one after the other differ by. */
static const double TICKS_OFF_S = 0.02, CLOCK_OFF_S = 0.001;

/* Points from first to last that have one use of processors: what was used since the point before first. */
struct usage_stretch {
	size_t first, last;
	double used_s, seconds;
};

/* Use of processors between the points, from the processor time up to each. What is left at the end may be
 * shorter than a stretch has to be; and what ends before it is looked at (a tick, a child whose parent waits
 * for it) shows late, as more than all processors. Both are joined with the stretch before, where that time
 * was used. */
static void set_processors(struct ft_usage *usage, const double *cpu_s, bool ticks, double most,
			   struct usage_stretch *stretch)
{
	struct ft_usage_point *point = usage->point;
	double least_s = ticks ? TICKS_LEAST_S : 0, off_s = ticks ? TICKS_OFF_S : CLOCK_OFF_S;
	size_t n = 0, end;

	for (size_t i = 1; i < usage->n; i = end + 1) {
		for (end = i; end + 1 < usage->n && point[end].time_s - point[i - 1].time_s < least_s; end++)
			;
		/* A process whose parent does not wait for it takes its time with it: the sum can fall, use
		 * cannot. */
		stretch[n++] = (struct usage_stretch){i, end, fmax(0, cpu_s[end] - cpu_s[i - 1]),
						      point[end].time_s - point[i - 1].time_s};
		while (n > 1 && (stretch[n - 1].seconds < least_s ||
				 stretch[n - 1].used_s > most * stretch[n - 1].seconds + off_s)) {
			stretch[n - 2].last = stretch[n - 1].last;
			stretch[n - 2].used_s += stretch[n - 1].used_s;
			stretch[n - 2].seconds += stretch[n - 1].seconds;
			n--;
		}
	}
	for (size_t i = 0; i < n; i++)
		for (size_t k = stretch[i].first; k <= stretch[i].last; k++)
			point[k].processors = stretch[i].seconds > 0
						      ? fmin(most, stretch[i].used_s / stretch[i].seconds)
						      : 0;
	if (usage->n > 1)
		point[0].processors = point[1].processors;
}

/* How many of the looks count: not those that began before the end was seen, and after it; nor those at which
 * a program that was ending held nothing any more. */
static size_t count_looks(const struct ft__answer *answer)
{
	size_t n = answer->n_moments;

	while (n > 1 &&
	       (answer->trace[n - 1].time_s > answer->reply.wall_s || !answer->trace[n - 1].rss_bytes))
		n--;
	return n;
}

/* The looks end before the run does. What is left is a point by itself where it is as long as the looks are
 * apart; a shorter rest belongs to the last look, whose point stands at the end: its time is a difference of
 * two clocks (0.2 ms of a sleep were six processors at work). No look sees the memory at the begin and at the
 * end, and one that meets an exec sees none: 0 bytes were never held. There stands what the look before saw,
 * at the begin what the first one did, of a run without any its peak. */
static void end_points(struct ft_usage *usage, const struct ft__answer *answer, bool ticks)
{
	const struct ft__reply *reply = &answer->reply;
	struct ft_usage_point seen = {.rss_bytes = (double)reply->peak_tree_bytes, .processes = 1},
			      *last = &usage->point[usage->n - 1];
	double rest_s = reply->wall_s - last->time_s;

	if (rest_s > 0 && usage->n > 1 &&
	    rest_s < fmax(last->time_s - last[-1].time_s, ticks ? TICKS_LEAST_S : 0)) {
		last->time_s = reply->wall_s;
	} else if (rest_s > 0) {
		last[1] = *last;
		last[1].time_s = reply->wall_s;
		usage->n++;
	}
	for (size_t i = usage->n; i-- > 0;)
		if (usage->point[i].rss_bytes > 0)
			seen = usage->point[i];
	for (size_t i = 0; i < usage->n; i++) {
		if (usage->point[i].rss_bytes > 0)
			seen = usage->point[i];
		usage->point[i].rss_bytes = seen.rss_bytes;
		usage->point[i].processes = seen.processes;
	}
}

enum ft_status ft__usage_read(struct ft_usage *usage, const struct ft__answer *answer, double processors,
			      struct ft_err *err)
{
	const struct ft__reply *reply = &answer->reply;
	bool ticks = reply->flags & FT__TRACE_TICKS;
	size_t i, n = count_looks(answer);

	if (!n)
		return FT_OK;
	usage->point = ft_calloc(n + 1, sizeof *usage->point);
	double *cpu_s = ft_calloc(n + 1, sizeof *cpu_s);
	struct usage_stretch *stretch = ft_calloc(n + 1, sizeof *stretch);
	if (!usage->point || !cpu_s || !stretch) {
		ft_free(cpu_s);
		ft_free(stretch);
		ft_usage_clear(usage);
		return ft_nomem(err);
	}
	for (i = 0; i < n; i++) {
		usage->point[i] = (struct ft_usage_point){.time_s = answer->trace[i].time_s,
							  .rss_bytes = (double)answer->trace[i].rss_bytes,
							  .processes = (double)answer->trace[i].processes};
		cpu_s[i] = answer->trace[i].cpu_s;
	}
	usage->n = n;
	end_points(usage, answer, ticks);
	if (usage->n > 1) /* what the kernel tells of the whole run is exact */
		cpu_s[usage->n - 1] = reply->flags & FT__NOT_ENDED ? answer->trace[n - 1].cpu_s
								   : reply->user_s + reply->system_s;
	set_processors(usage, cpu_s, ticks, processors, stretch);
	ft_free(cpu_s);
	ft_free(stretch);
	return FT_OK;
}

/* ---- the probe --------------------------------------------------------------------------------------- */

struct tree {
	struct ft_usage *usage; /* borrowed; NULL: no trace is wished for */
};

static enum ft_status open_tree(void **state, const struct ft_launch *launch, struct ft__client *client,
				struct ft_err *err)
{
	struct tree *tree = ft_calloc(1, sizeof *tree);

	(void)client;
	*state = tree;
	if (!tree)
		return ft_nomem(err);
	tree->usage = launch->usage;
	return FT_OK;
}

static bool arm_tree(void *state, struct ft__order *order)
{
	struct tree *tree = state;

	if (tree->usage)
		order->flags |= FT__TRACE;
	ft_usage_clear(tree->usage);
	return false;
}

static enum ft_status read_tree(void *state, const struct ft__result *result, struct ft_run *run,
				struct ft_err *err)
{
	const struct ft__reply *reply = &result->answer->reply;
	struct tree *tree = state;
	struct ft_err why = {0};
	enum ft_status status;

	if (reply->flags & FT__NO_TREE)
		status = ft_run_add(run, &ft_peak_tree_bytes, NAN, FT_UNAVAILABLE, "tree",
				    "/proc does not show our processes: mount proc on /proc", err);
	else if (!reply->peak_tree_bytes && ft__not_ended(reply, &why))
		status = ft__add_unavailable(run, &ft_peak_tree_bytes, "tree", &why, err);
	else
		status = ft_run_add(run, &ft_peak_tree_bytes, (double)reply->peak_tree_bytes,
				    reply->flags & FT__TREE_GUESSED ? FT_ESTIMATED : FT_MEASURED, "tree",
				    NULL, err);
	if (status || !tree->usage)
		return status;
	return ft__usage_read(tree->usage, result->answer, fmax(1, (double)sysconf(_SC_NPROCESSORS_ONLN)),
			      err);
}

const struct ft__probe_ops ft__tree_probe = {
	.open = open_tree, .close = ft_free, .arm = arm_tree, .read = read_tree};
