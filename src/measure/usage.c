/* SPDX-License-Identifier: GPL-3.0-or-later */
/* usage.c - from what the helper saw of the tree of processes during a run to its peak, and to a trace. */
#include "measure/usage.h"
#include "base/alloc.h"
#include "measure/probes.h"

#include <math.h>

void ft_usage_clear(struct ft_usage *usage)
{
	if (!usage)
		return;
	ft_free(usage->point);
	*usage = (struct ft_usage){0};
}

/* The kernel's ticks are 10 ms: looks that lie closer share their processor time, else a processor would seem
 * to stand still and to be two in turn. So does what is left behind the last look, where it is the shorter:
 * its time is a difference of two clocks (0.2 ms of a sleep were six processors at work). Returns the index
 * of the point that ends the stretch from `first`. */
static size_t end_of_stretch(const struct ft_usage *usage, size_t looks, size_t first, double least_s)
{
	const struct ft_usage_point *point = usage->point;
	size_t i = first;

	while (i + 1 < looks && point[i].time_s - point[first - 1].time_s < least_s)
		i++;
	if (i + 1 == looks && looks < usage->n &&
	    point[looks].time_s - point[i].time_s < point[i].time_s - point[first - 1].time_s)
		return looks;
	return i;
}

/* A process whose parent does not wait for it takes its time with it: the sum can fall, use cannot. */
static void set_processors(struct ft_usage *usage, const struct ft__answer *answer, size_t n,
			   double end_cpu_s)
{
	double least_s = answer->reply.flags & FT__TRACE_TICKS ? 0.1 : 0;
	size_t i = 1, k;

	while (i < usage->n) {
		size_t end = end_of_stretch(usage, n, i, least_s);
		double cpu_s = end < n ? answer->trace[end].cpu_s : end_cpu_s;
		double used = fmax(0, cpu_s - answer->trace[i - 1].cpu_s);
		double seconds = usage->point[end].time_s - usage->point[i - 1].time_s;

		for (k = i; k <= end; k++)
			usage->point[k].processors = seconds > 0 ? used / seconds : 0;
		i = end + 1;
	}
	if (usage->n > 1)
		usage->point[0].processors = usage->point[1].processors;
}

enum ft_status ft__usage_read(struct ft_usage *usage, const struct ft__answer *answer, struct ft_err *err)
{
	const struct ft__reply *reply = &answer->reply;
	size_t i, n = answer->n_moments;

	/* A look that began before the end was seen, and after it. */
	while (n > 1 && answer->trace[n - 1].time_s > reply->wall_s)
		n--;
	if (!n)
		return FT_OK;
	usage->point = ft_calloc(n + 1, sizeof *usage->point);
	if (!usage->point)
		return ft_nomem(err);
	for (i = 0; i < n; i++)
		usage->point[i] = (struct ft_usage_point){.time_s = answer->trace[i].time_s,
							  .rss_bytes = (double)answer->trace[i].rss_bytes,
							  .processes = (double)answer->trace[i].processes};
	/* The looks end before the run does. */
	if (reply->wall_s > answer->trace[n - 1].time_s)
		usage->point[n] = (struct ft_usage_point){.time_s = reply->wall_s};
	usage->n = n + (reply->wall_s > answer->trace[n - 1].time_s);
	set_processors(usage, answer, n, reply->user_s + reply->system_s);
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
	enum ft_status status;

	if (reply->flags & FT__NO_TREE)
		status = ft_run_add(run, "peak_tree_bytes", NAN, FT_UNAVAILABLE, "tree",
				    "/proc does not show our processes: mount proc on /proc", err);
	else
		status = ft_run_add(run, "peak_tree_bytes", (double)reply->peak_tree_bytes,
				    reply->flags & FT__TREE_GUESSED ? FT_ESTIMATED : FT_MEASURED, "tree",
				    NULL, err);
	return status || !tree->usage ? status : ft__usage_read(tree->usage, result->answer, err);
}

const struct ft__probe_ops ft__tree_probe = {
	.open = open_tree, .close = ft_free, .arm = arm_tree, .read = read_tree};
