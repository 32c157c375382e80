/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timings.c - when timings that programs wrote down are taken in. */
#include "manager/timings.h"
#include "base/alloc.h"
#include "base/clock.h"

#include <errno.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

/* A network file system tells nothing of what others write; and a burst of lines is one transaction. */
enum { LOOK_MS = 30000, REST_MS = 200, RETRY_MS = 5000 };

struct ft__timings {
	struct ft__task task; /* first: one is the other */
	const struct ft__store_at *at;
	const char *folder;
	struct ft__worker *worker;
	void (*taken)(void *ctx, const struct ft__taken *told, const struct ft_err *err);
	void *ctx;
	int watch;
	bool at_work, changed;
	bool failing;              /* the last pass failed, and that was said */
	unsigned long unread;      /* files that could not be read then */
	int64_t next_ns;           /* not before */
	struct ft__trusted wanted; /* from the next pass on, where `renew` */
	bool renew;
	/* the worker's, while it is at work */
	struct ft__trusted trusted;
	struct ft__taken told;
	struct ft_err err;
	bool failed;
};

static void take_timings(struct ft__task *task, struct ft_store *reader)
{
	struct ft__timings *timings = (struct ft__timings *)task;
	struct ft_store *store = NULL;

	(void)reader;
	timings->told = (struct ft__taken){0};
	timings->err = (struct ft_err){0};
	timings->failed = true;
	if (ft__store_at_open(timings->at, &store, 0, &timings->err))
		return;
	timings->failed = ft__timings_take(store, timings->folder, &timings->trusted, &timings->told,
					   &timings->err) != FT_OK;
	ft_store_close(store);
}

static void done(struct ft__task *task)
{
	struct ft__timings *timings = (struct ft__timings *)task;
	bool failed = timings->failed;

	if (!failed)
		timings->err = (struct ft_err){0};
	timings->at_work = false;
	timings->changed = timings->changed || failed || timings->told.behind;
	timings->next_ns = ft_clock_ns() + (failed ? RETRY_MS : REST_MS) * 1000000LL;
	if (timings->told.runs || timings->told.bad || timings->told.anew ||
	    timings->told.unread != timings->unread || failed != timings->failing)
		timings->taken(timings->ctx, &timings->told, &timings->err);
	timings->unread = timings->told.unread;
	timings->failing = failed;
}

/* A folder and those above it. */
static void make_folder(const char *path)
{
	char *part = ft_strdup(path);
	size_t i, n = strlen(path);

	for (i = 1; part && i <= n; i++) {
		if (part[i] != '/' && part[i])
			continue;
		part[i] = '\0';
		(void)mkdir(part, 0700);
		part[i] = path[i];
	}
	ft_free(part);
}

enum ft_status ft__timings_new(struct ft__timings **out, const struct ft__store_at *at, const char *folder,
			       struct ft__worker *worker,
			       void (*taken)(void *ctx, const struct ft__taken *told,
					     const struct ft_err *err),
			       void *ctx, struct ft_err *err)
{
	struct ft__timings *timings = ft_calloc(1, sizeof *timings);

	*out = timings;
	if (!timings)
		return ft_nomem(err);
	timings->task = (struct ft__task){.work = take_timings, .done = done};
	timings->at = at;
	timings->folder = folder;
	timings->worker = worker;
	timings->taken = taken;
	timings->ctx = ctx;
	timings->changed = true;
	make_folder(folder);
	timings->watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (timings->watch >= 0 &&
	    inotify_add_watch(timings->watch, folder, IN_MODIFY | IN_CREATE | IN_MOVED_TO) < 0) {
		(void)close(timings->watch);
		timings->watch = -1;
	}
	return FT_OK;
}

void ft__timings_free(struct ft__timings *timings)
{
	if (!timings)
		return;
	if (timings->watch >= 0)
		(void)close(timings->watch);
	ft__trusted_clear(&timings->trusted);
	ft__trusted_clear(&timings->wanted);
	ft_free(timings);
}

enum ft_status ft__timings_trust(struct ft__timings *timings, const char *const *user, size_t n,
				 struct ft_err *err)
{
	struct ft__trusted trusted;

	FT_TRY(ft__trusted_read(&trusted, user, n, err));
	ft__trusted_clear(&timings->wanted);
	timings->wanted = trusted;
	timings->renew = true;
	return FT_OK;
}

int ft__timings_fd(const struct ft__timings *timings)
{
	return timings->watch;
}

int ft__timings_wait_ms(const struct ft__timings *timings)
{
	int64_t left = timings->next_ns - ft_clock_ns();

	if (timings->at_work)
		return -1;
	if (timings->changed)
		return left > 0 ? (int)(left / 1000000) + 1 : 0;
	return LOOK_MS;
}

void ft__timings_run(struct ft__timings *timings)
{
	int64_t now = ft_clock_ns();
	char buffer[4096];

	while (timings->watch >= 0 && read(timings->watch, buffer, sizeof buffer) > 0)
		timings->changed = true;
	if (timings->at_work || now < timings->next_ns ||
	    (!timings->changed && now - timings->next_ns < LOOK_MS * 1000000LL))
		return;
	if (timings->renew) {
		ft__trusted_clear(&timings->trusted);
		timings->trusted = timings->wanted;
		timings->wanted = (struct ft__trusted){0};
		timings->renew = false;
	}
	timings->at_work = true;
	timings->changed = false;
	ft__worker_post(timings->worker, &timings->task);
}
