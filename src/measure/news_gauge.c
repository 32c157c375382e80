/* SPDX-License-Identifier: GPL-3.0-or-later */
/* news_gauge.c - inside the helper: how a run goes on is told while it does, to whoever asked for it. */
#include "measure/gauge.h"
#include "measure/wire.h"

#include <sys/socket.h>

enum {
	NEWS_LEAST_NS = 20000000, /* between two: who hears them reckons with them */
	NEWS_MOST_NS = 1000000000,
	NEWS_SHARE = 100 /* of a run's time one in between */
};

/* The program is never held up for them. */
static bool send_news(const struct ft__keeper *keeper, const struct ft__news *news)
{
	return send(keeper->socket, news, sizeof *news, MSG_DONTWAIT | MSG_NOSIGNAL) == sizeof *news;
}

/* The file is there from the start on. */
static void begin_news(struct ft__keeper *keeper, const struct ft__job *job, pid_t program)
{
	const struct ft__news first = {.magic = FT__NEWS_MAGIC, .first = 1};

	(void)program;
	keeper->news_ns = 0;
	if (job->flags & FT__NEWS && keeper->reporting >= 0 && send_news(keeper, &first))
		(void)ft__wire_send_file(keeper->socket, keeper->reporting);
}

static uint64_t largest(const struct ft__tree *tree)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < tree->n; i++)
		bytes = tree->member[i].rss_bytes > bytes ? tree->member[i].rss_bytes : bytes;
	return bytes;
}

static void look_for_news(struct ft__keeper *keeper, struct ft__look *look)
{
	struct ft__news news = {.magic = FT__NEWS_MAGIC,
				.time_s = 1e-9 * (double)look->since_ns,
				.bytes = look->held_bytes,
				.largest_bytes = largest(&keeper->tree)};
	int64_t pause_ns = look->since_ns / NEWS_SHARE;

	pause_ns = pause_ns < NEWS_LEAST_NS ? NEWS_LEAST_NS : pause_ns;
	pause_ns = pause_ns > NEWS_MOST_NS ? NEWS_MOST_NS : pause_ns;
	if (keeper->delay.readings)
		ft__delay_sum(&keeper->delay, &news.exec_s, &news.delay_s);
	if (look->job->flags & FT__NEWS && look->since_ns >= keeper->news_ns + pause_ns &&
	    send_news(keeper, &news))
		keeper->news_ns = look->since_ns;
}

const struct ft__gauge ft__news_gauge = {.begin = begin_news, .look = look_for_news};
