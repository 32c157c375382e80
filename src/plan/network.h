/* SPDX-License-Identifier: GPL-3.0-or-later */
/* network.h - links between machines made ready: what sending takes, on each link and on average. */
#ifndef FT_PLAN_NETWORK_H
#define FT_PLAN_NETWORK_H

#include "base/arena.h"
#include "foretime/plan.h"

struct ft__network {
	size_t m;
	double *latency, *per_byte; /* [m x m] seconds, seconds a byte; INFINITY: no link. NULL: alike */
	/* Of any link where they are alike; else on average over those that are there, and the least of them.
	 */
	double latency_s, byte_s, least_latency_s, least_byte_s;
};

/* ft__network_init - links NULL: sending takes no time. In the arena's memory. FT_EINVAL: a latency or
 * a bandwidth that is negative or NaN (the link in the text); FT_ENOMEM */
enum ft_status ft__network_init(struct ft__network *out, struct ft_arena *arena,
				const struct ft_plan_links *links, size_t m, struct ft_err *err);

/* ft__network_send - seconds; 0 on one machine, and for 0 bytes. */
double ft__network_send(const struct ft__network *net, double bytes, size_t from, size_t to);

#endif
