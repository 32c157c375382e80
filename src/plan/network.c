/* SPDX-License-Identifier: GPL-3.0-or-later */
/* network.c - latency and bandwidth between machines. */
#include "plan/network.h"

#include <math.h>

static enum ft_status check_links(const struct ft_plan_links *links, size_t m, struct ft_err *err)
{
	if (!links->latency_s_of != !links->bytes_per_s_of)
		return ft_fail(err, FT_EINVAL, "links need both latencies and bandwidths");
	if (!(links->latency_s >= 0) || !(links->bytes_per_s >= 0))
		return ft_fail(err, FT_EINVAL, "links of %g s and %g bytes/s", links->latency_s,
			       links->bytes_per_s);
	for (size_t i = 0; links->latency_s_of && i < m * m; i++)
		if (i / m != i % m && (!(links->latency_s_of[i] >= 0) || !(links->bytes_per_s_of[i] >= 0)))
			return ft_fail(err, FT_EINVAL,
				       "the link from machine %zu to %zu has %g s and %g bytes/s", i / m,
				       i % m, links->latency_s_of[i], links->bytes_per_s_of[i]);
	return FT_OK;
}

/* Each link, and the usual one. */
static void fill_links(struct ft__network *net, const struct ft_plan_links *links)
{
	size_t count = 0;

	net->latency_s = net->byte_s = 0;
	net->least_latency_s = net->least_byte_s = INFINITY;
	for (size_t i = 0; i < net->m * net->m; i++) {
		bool none = !(links->bytes_per_s_of[i] > 0);

		net->latency[i] = none ? (double)INFINITY : links->latency_s_of[i];
		net->per_byte[i] = none ? (double)INFINITY : 1 / links->bytes_per_s_of[i];
		if (none || i / net->m == i % net->m)
			continue;
		count++;
		net->latency_s += net->latency[i];
		net->byte_s += net->per_byte[i];
		net->least_latency_s = fmin(net->least_latency_s, net->latency[i]);
		net->least_byte_s = fmin(net->least_byte_s, net->per_byte[i]);
	}
	net->latency_s = count ? net->latency_s / (double)count : (double)INFINITY;
	net->byte_s = count ? net->byte_s / (double)count : (double)INFINITY;
}

enum ft_status ft__network_init(struct ft__network *out, struct ft_arena *arena,
				const struct ft_plan_links *links, size_t m, struct ft_err *err)
{
	*out = (struct ft__network){.m = m};
	if (!links)
		return FT_OK;
	FT_TRY(check_links(links, m, err));
	if (!links->latency_s_of) {
		out->latency_s = out->least_latency_s = links->latency_s;
		out->byte_s = out->least_byte_s = 1 / links->bytes_per_s;
		return FT_OK;
	}
	out->latency = ft_arena_take(arena, m * m, sizeof *out->latency);
	out->per_byte = ft_arena_take(arena, m * m, sizeof *out->per_byte);
	FT_TRY(ft_arena_check(arena, err));
	fill_links(out, links);
	return FT_OK;
}

double ft__network_send(const struct ft__network *net, double bytes, size_t from, size_t to)
{
	size_t at = from * net->m + to;

	if (from == to || bytes == 0)
		return 0;
	if (net->latency)
		return net->latency[at] + bytes * net->per_byte[at];
	return net->latency_s + bytes * net->byte_s;
}
