/* SPDX-License-Identifier: GPL-3.0-or-later */
/* link_fit.c - latency and bandwidth from the times of messages. */
#include "base/alloc.h"
#include "base/random.h"
#include "foretime/link.h"
#include "num/stats.h"

#include <math.h>

enum { AGAIN = 399 }; /* draws, of which 10 are left out at either end: 95 % */

static enum ft_status too_few(struct ft_err *err)
{
	(void)ft_fail(err, FT_EINVAL, "a link needs four messages or more, of two sizes or more");
	(void)ft_remedy(err, "measure small ones and large ones, several times each");
	return FT_EINVAL;
}

static size_t find_slopes(const struct ft_message *message, size_t n, double *slope)
{
	size_t found = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			if (message[i].bytes != message[k].bytes)
				slope[found++] = (message[i].seconds - message[k].seconds) /
						 (message[i].bytes - message[k].bytes);
	return found;
}

/* The middle of all slopes, and of what they leave. space: [n (n - 1) / 2]. NaN: there is no slope. */
static struct ft_message fit_once(const struct ft_message *message, size_t n, double *space)
{
	size_t pairs = find_slopes(message, n, space), i;
	struct ft_message out = {NAN, NAN}; /* seconds of a byte, and of none */

	if (!pairs)
		return out;
	out.bytes = ft_stats_median(space, pairs);
	for (i = 0; i < n; i++)
		space[i] = message[i].seconds - message[i].bytes * out.bytes;
	out.seconds = fmax(0, ft_stats_median(space, n));
	return out;
}

/* What other draws of the messages say: no noise has to be of one kind. */
static void find_intervals(const struct ft_message *message, size_t n, struct ft_message *drawn,
			   double *space, struct ft_link *out)
{
	struct ft_random random = {.state = n};
	double byte_s[AGAIN], none_s[AGAIN];

	for (size_t i = 0; i < AGAIN; i++) {
		for (size_t k = 0; k < n; k++)
			drawn[k] = message[ft_random_below(&random, n)];
		struct ft_message fit = fit_once(drawn, n, space);
		byte_s[i] = isnan(fit.bytes) ? 1 / out->bytes_per_s.value : fit.bytes;
		none_s[i] = isnan(fit.bytes) ? out->latency_s.value : fit.seconds;
	}
	out->latency_s.least = ft_stats_quantile(none_s, AGAIN, 0.025);
	out->latency_s.most = ft_stats_quantile(none_s, AGAIN, 0.975);
	out->bytes_per_s.least = 1 / ft_stats_quantile(byte_s, AGAIN, 0.975);
	byte_s[0] = ft_stats_quantile(byte_s, AGAIN, 0.025);
	out->bytes_per_s.most = byte_s[0] > 0 ? 1 / byte_s[0] : INFINITY;
}

static enum ft_status fit_all(const struct ft_message *message, size_t n, struct ft_message *drawn,
			      double *space, struct ft_link *out, struct ft_err *err)
{
	struct ft_message fit = fit_once(message, n, space);

	if (isnan(fit.bytes))
		return too_few(err);
	if (!(fit.bytes > 0)) {
		(void)ft_fail(err, FT_EINVAL, "longer messages take no longer");
		(void)ft_remedy(err, "send larger ones, or check whether the link is used by other traffic");
		return FT_EINVAL;
	}
	out->latency_s.value = fit.seconds;
	out->bytes_per_s.value = 1 / fit.bytes;
	find_intervals(message, n, drawn, space, out);
	return FT_OK;
}

enum ft_status ft_link_fit(const struct ft_message *message, size_t n, struct ft_link *out,
			   struct ft_err *err)
{
	*out = (struct ft_link){.messages = n};
	for (size_t i = 0; i < n; i++)
		if (!(message[i].bytes >= 0) || !(message[i].seconds >= 0) || isinf(message[i].bytes) ||
		    isinf(message[i].seconds))
			return ft_fail(err, FT_EINVAL, "a message of %g bytes in %g s", message[i].bytes,
				       message[i].seconds);
	if (n < 4)
		return too_few(err);
	if (n > FT_MESSAGES_MAX)
		return ft_fail(err, FT_EINVAL, "more than %d messages", FT_MESSAGES_MAX);
	double *space = ft_calloc(n * (n - 1) / 2, sizeof *space);
	struct ft_message *drawn = ft_calloc(n, sizeof *drawn);
	enum ft_status status = space && drawn ? fit_all(message, n, drawn, space, out, err) : ft_nomem(err);
	ft_free(space);
	ft_free(drawn);
	return status;
}
