/* SPDX-License-Identifier: GPL-3.0-or-later */
/* watcher.c - somebody looks on while a program runs: at what the helper tells of it, what the program says
 * of its progress, and what it prints. */
#include "base/alloc.h"
#include "measure/probes.h"

#include <math.h>
#include <unistd.h>

enum {
	BLOCK = 1 << 16,
	BLOCKS_MOST = 64 /* of what a program prints at once: the clock is looked at in between */
};

struct watching {
	struct ft__hearing hearing; /* first: it is all that the client knows */
	const struct ft_watcher *watcher;
	const struct ft__client *client;
	struct ft__report report;
	int file; /* what the program reports to; -1: not known yet */
	off_t at; /* read so far */
	char block[BLOCK];
};

static enum ft_status open_watching(void **state, const struct ft_launch *launch, struct ft__client *client,
				    struct ft_err *err)
{
	struct watching *w;

	if (!launch->watcher)
		return FT_OK;
	*state = w = ft_calloc(1, sizeof *w);
	if (!w)
		return ft_nomem(err);
	w->watcher = launch->watcher;
	w->client = client;
	w->file = -1;
	return FT_OK;
}

static void forget_gone(struct watching *w)
{
	if (w->file >= 0)
		(void)close(w->file);
	w->file = -1;
	w->at = 0;
	ft__report_clear(&w->report);
}

/* The newest of what the program reported. What cannot be kept is no progress, and no failure of the run. */
static void read_report(struct watching *w)
{
	ssize_t got;

	while (w->file >= 0 && w->at < FT__REPORT_MAX && (got = pread(w->file, w->block, BLOCK, w->at)) > 0) {
		if (ft__report_add(&w->report, w->block, (size_t)got, NULL))
			return;
		w->at += got;
	}
}

static void take_news(struct ft__hearing *hearing, const struct ft__news *news, int file)
{
	struct watching *w = (struct watching *)(void *)hearing;
	const bool timed = news->exec_s > 0 || news->delay_s > 0;
	struct ft_moment moment = {.time_s = news->time_s,
				   .bytes = (double)news->bytes,
				   .largest_bytes = (double)news->largest_bytes,
				   .cpu_s = timed ? news->exec_s : (double)NAN,
				   .delay_s = timed ? news->delay_s : (double)NAN};

	if (file >= 0) {
		forget_gone(w);
		w->file = file;
	}
	if (news->first)
		return;
	read_report(w);
	moment.done = w->report.done;
	moment.total = w->report.total;
	if (!w->watcher->look(w->watcher->ctx, &moment))
		hearing->end = true;
}

static bool arm(void *state, struct ft__order *order)
{
	struct watching *w = state;

	forget_gone(w);
	w->hearing = (struct ft__hearing){take_news, false};
	order->flags |= FT__NEWS;
	order->hearing = &w->hearing;
	return true;
}

static void hear_watched(void *state)
{
	struct watching *w = state;
	ssize_t got;

	for (int i = 0; i < 2 && w->watcher->heard; i++)
		for (int blocks = 0;
		     blocks < BLOCKS_MOST && (got = read(w->client->heard[i], w->block, BLOCK)) > 0; blocks++)
			w->watcher->heard(w->watcher->ctx, i + 1, w->block, (size_t)got);
}

static size_t files(void *state, int *file, size_t most)
{
	const struct watching *w = state;
	size_t n = 0;

	for (; n < 2 && n < most && w->watcher->heard; n++)
		file[n] = w->client->heard[n];
	return n;
}

/* What is left in the pipes; of a helper that was lost, too. */
static void drain(struct watching *w)
{
	if (w->watcher->heard && w->client->heard[0] >= 0)
		hear_watched(w);
}

static enum ft_status read_nothing(void *state, const struct ft__result *result, struct ft_run *run,
				   struct ft_err *err)
{
	(void)result;
	(void)run;
	(void)err;
	drain(state);
	return FT_OK;
}

static void close_watching(void *state)
{
	drain(state);
	forget_gone(state);
	ft_free(state);
}

const struct ft__probe_ops ft__watcher_probe = {.open = open_watching,
						.close = close_watching,
						.arm = arm,
						.hear = hear_watched,
						.files = files,
						.read = read_nothing};
