/* SPDX-License-Identifier: GPL-3.0-or-later */
/* usage.c - from what the helper saw during a run to its trace. */
#include "measure/usage.h"
#include "base/alloc.h"

#include <math.h>

void ft_usage_clear(struct ft_usage *usage)
{
	if (!usage)
		return;
	ft_free(usage->point);
	*usage = (struct ft_usage){0};
}

/* The kernel's ticks are 10 ms: looks that lie closer share their processor time, else a processor would seem
 * to stand still and to be two in turn. Returns the index of the look that ends the stretch from `first`. */
static size_t end_of_stretch(const struct ft__answer *answer, size_t first, double least_s)
{
	size_t i = first;

	while (i + 1 < answer->n_moments &&
	       answer->trace[i].time_s - answer->trace[first - 1].time_s < least_s)
		i++;
	return i;
}

/* A process whose parent does not wait for it takes its time with it: the sum can fall, use cannot. */
static void set_processors(struct ft_usage *usage, const struct ft__answer *answer, double end_cpu_s)
{
	double least_s = answer->reply.flags & FT__TRACE_TICKS ? 0.1 : 0;
	size_t i = 1, k, n = answer->n_moments;

	while (i < usage->n) {
		size_t end = i < n ? end_of_stretch(answer, i, least_s) : i;
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
	set_processors(usage, answer, reply->user_s + reply->system_s);
	return FT_OK;
}
