/* SPDX-License-Identifier: GPL-3.0-or-later */
/* link.h - how fast another machine is reached: latency and bandwidth, measured through a remote shell, or
 * from times that were measured otherwise. */
#ifndef FORETIME_LINK_H
#define FORETIME_LINK_H

#include "foretime/status.h"

#include <signal.h>
#include <stddef.h>

FT_BEGIN_DECLS

enum { FT_MESSAGES_MAX = 1000 };

/* A message, one way. */
struct ft_message {
	double bytes, seconds;
};

/* A figure, and where it lies with 95 % confidence. */
struct ft_figure {
	double value, least, most;
};

/* t = latency + bytes / bandwidth. */
struct ft_link {
	struct ft_figure latency_s, bytes_per_s; /* most may be INFINITY */
	size_t messages;                         /* that it rests on */
};

/* ft_link_fit - of messages of several sizes: the median slope of all pairs of different sizes, and the
 * median of what is left of the times. Up to a quarter of them may be as late as they like.
 *
 * message  [n] at least 4, of 2 sizes; times are not negative
 *
 * Returns FT_OK; FT_EINVAL: no such messages, or longer ones take no longer; FT_ENOMEM. Sources: Theil 1950,
 * Sen 1968; the intervals are those of 399 draws with replacement, always the same (Efron, Bootstrap methods,
 * 1979). Cost O(400 n^2).
 */
enum ft_status ft_link_fit(const struct ft_message *message, size_t n, struct ft_link *out,
			   struct ft_err *err);

/* ft_link_measure - bounce messages off another machine: argv is a command that runs `sh -c` of its last
 * argument there, which this adds, with its standard streams (ssh HOST). Nothing of foretime is needed there,
 * but sh and head. Some ten seconds; what starting head takes there is taken off.
 *
 * argv       ends with NULL
 * interrupt  ends it when it is set; may be NULL
 * forth, back  out: to there; to here
 *
 * Returns FT_OK; FT_EUNAVAIL: it cannot be started, or ends, or sends no data for 30 s; FT_EINTR;
 * FT_ENOMEM; what ft_link_fit returns.
 */
enum ft_status ft_link_measure(char *const *argv, const volatile sig_atomic_t *interrupt,
			       struct ft_link *forth, struct ft_link *back, struct ft_err *err);

FT_END_DECLS
#endif
