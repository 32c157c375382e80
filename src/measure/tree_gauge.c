/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tree_gauge.c - inside the helper: the memory of all processes, and a trace of it. */
#include "base/clock.h"
#include "measure/gauge.h"

enum { INTERRUPTED_NS = 200000, READ_AGAIN = 3 };

static void settle_tree(struct ft__keeper *keeper)
{
	ft__moments_clear(&keeper->moments);
}

static void begin_tree(struct ft__keeper *keeper, const struct ft__job *job, pid_t program)
{
	(void)program;
	ft__resident_begin(&keeper->resident, &keeper->group);
	if (job->flags & FT__TRACE)
		ft__moments_add(&keeper->moments, &(struct ft__moment){0});
}

/* The processor time, and when it was so much. On a busy machine we may be interrupted in between, and what
 * the run computes meanwhile would pass for more processors than there are: then both are read again. To read
 * the memory of many processes takes milliseconds, in which they go on computing: the time is not the look's.
 */
static void keep_moment(struct ft__keeper *keeper, struct ft__look *look, uint64_t bytes)
{
	struct ft__moment moment = {.rss_bytes = bytes, .processes = keeper->tree.living};
	int64_t before_ns, after_ns;
	int again = READ_AGAIN;

	do {
		before_ns = ft_clock_ns();
		moment.cpu_s = ft__count_clock(&keeper->counters);
		if (moment.cpu_s < 0) {
			moment.cpu_s =
				look->reply->user_s + look->reply->system_s + ft__tree_cpu_s(&keeper->tree);
			look->reply->flags |= FT__TRACE_TICKS;
		}
		after_ns = ft_clock_ns();
	} while (after_ns - before_ns > INTERRUPTED_NS && again--);
	moment.time_s = 1e-9 * (double)(look->since_ns + before_ns - look->now_ns) +
			0.5e-9 * (double)(after_ns - before_ns);
	ft__moments_add(&keeper->moments, &moment);
}

/* What reading the shares costs has a bound of its own. */
static void look_at_tree(struct ft__keeper *keeper, struct ft__look *look)
{
	bool trace = look->job->flags & FT__TRACE;
	int64_t began_ns = ft_clock_spent_ns();
	uint64_t bytes =
		ft__resident_look(&keeper->resident, &keeper->tree, look->rss_bytes, trace, look->now_ns);

	look->held_bytes = bytes;
	look->bounded_ns += ft_clock_spent_ns() - began_ns;
	if (trace)
		keep_moment(keeper, look, bytes);
}

static void read_gauge(struct ft__keeper *keeper, struct ft__reply *reply)
{
	bool guessed;

	if (!keeper->has_tree)
		reply->flags |= FT__NO_TREE;
	reply->peak_tree_bytes = ft__resident_peak(&keeper->resident, &guessed);
	if (reply->peak_tree_bytes < reply->peak_rss_bytes)
		reply->peak_tree_bytes = reply->peak_rss_bytes;
	else if (guessed)
		reply->flags |= FT__TREE_GUESSED;
	ft__moments_cap(&keeper->moments, reply->peak_tree_bytes);
}

const struct ft__gauge ft__tree_gauge = {
	.settle = settle_tree, .begin = begin_tree, .look = look_at_tree, .read = read_gauge};
