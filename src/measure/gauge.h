/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gauge.h - inside the helper: its half of the probes, what is read about a run and while it goes on.
 *
 * A gauge is a file with a const struct ft__gauge, and a row of the table in gauges.c. It holds what it needs
 * in struct ft__keeper, writes to struct ft__reply, and uses libc alone.
 */
#ifndef FT_MEASURE_GAUGE_H
#define FT_MEASURE_GAUGE_H

#include "measure/watch.h"

/* One look at the tree of processes, which has just been brought up to date. */
struct ft__look {
	const struct ft__job *job;
	struct ft__reply *reply; /* with what is known of those that were waited for */
	pid_t program;
	int64_t now_ns, since_ns; /* on any monotonic clock; since the start */
	uint64_t rss_bytes;       /* summed: what is shared counts in each */
	uint64_t held_bytes;      /* what is shared counts once; by the tree gauge */
	int64_t bounded_ns;       /* added to: processor time whose price is bounded elsewhere */
};

/* Each may be NULL. Not for FT__PLAIN. */
struct ft__gauge {
	/* Once, before everything else. */
	void (*open)(struct ft__keeper *keeper);
	/* Between two runs: read what the next one's figures begin from. */
	void (*settle)(struct ft__keeper *keeper);
	/* The program is about to be started; it was. */
	void (*arm)(struct ft__keeper *keeper, const struct ft__job *job);
	void (*begin)(struct ft__keeper *keeper, const struct ft__job *job, pid_t program);
	void (*look)(struct ft__keeper *keeper, struct ft__look *look);
	/* One of its processes has ended, and was not waited for yet. */
	void (*end)(struct ft__keeper *keeper, pid_t pid);
	/* All have ended, and account was taken of them; or it could not be started. */
	void (*read)(struct ft__keeper *keeper, struct ft__reply *reply);
};

extern const struct ft__gauge ft__delay_gauge, ft__tree_gauge, ft__count_gauge, ft__io_gauge, ft__news_gauge;

/* The table, with NULL at its end. */
extern const struct ft__gauge *const ft__gauges[];

/* One step of all that have it: FT__GAUGES(read, keeper, reply). */
#define FT__GAUGES(step, ...)                                                                                \
	do {                                                                                                 \
		const struct ft__gauge *const *gauge;                                                        \
                                                                                                             \
		for (gauge = ft__gauges; *gauge; gauge++)                                                    \
			if ((*gauge)->step)                                                                  \
				(*gauge)->step(__VA_ARGS__);                                                 \
	} while (0)

#endif
