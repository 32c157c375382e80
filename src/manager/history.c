/* SPDX-License-Identifier: GPL-3.0-or-later */
/* history.c - records the background load continuously. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/files.h"
#include "base/text.h"
#include "foretime/load.h"
#include "foretime/measure.h"
#include "manager/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/*
 * Keep the newest loads in a file.
 */

/* By which it is known again: no other file is written over. */
static const char head[] = "# written by: foretime manager\n";

/* Whether the file may be replaced: it is ours, empty, or missing. */
static enum ft_status check_file(const char *path, struct ft_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char begin[sizeof head];

	if (fd < 0)
		return errno == ENOENT ? FT_OK : ft_fail_errno(err, errno, "cannot read '%.200s'", path);
	ssize_t length = read(fd, begin, sizeof head - 1);
	(void)close(fd);
	if (!length || (length == sizeof head - 1 && !memcmp(begin, head, sizeof head - 1)))
		return FT_OK;
	(void)ft_fail(err, FT_ENOTOURS, "'%.200s' is no load history of the manager's, and stays as it is",
		      path);
	(void)ft_remedy(err, "name another file as 'load_path', or remove it");
	return FT_ENOTOURS;
}

/* loads_put - these, and those that were there before, as many as there is room for.
 *
 * Returns FT_OK; FT_ENOTOURS: the file has something else, and stays as it is; FT_EACCESS, FT_EIO, FT_ENOSPC:
 * it stays as it was; FT_ENOMEM. */
static enum ft_status loads_put(struct ft__loads *loads, const struct ft_load *seen, size_t n,
				struct ft_err *err)
{
	enum ft_status status = FT_OK;

	if (!loads->path || !n)
		return FT_OK;
	if (!ft__rights_take(loads->user, loads->group))
		return ft_fail(err, FT_EACCESS, "cannot write '%.200s' as its owner", loads->path);
	/* One row alone is no table as yet. */
	status = loads->known ? FT_OK : check_file(loads->path, err);

	if (!status && !loads->known)
		(void)ft_loads_read(loads->path, 0, &loads->newest, NULL);
	loads->known = !status;
	for (size_t i = 0; i < n && !status; i++)
		status = ft_loads_add(&loads->newest, &seen[i], err);
	if (!status) {
		size_t over = loads->newest.n > loads->most ? loads->newest.n - loads->most : 0;

		memmove(loads->newest.load, loads->newest.load + over,
			(loads->newest.n - over) * sizeof *loads->newest.load);
		loads->newest.n -= over;
		struct ft_text text = {0};
		status = FT_OK;

		/* Rows ascend in time: after a clock that was put back only what comes later counts. */
		int64_t last_ns = INT64_MIN;

		ft_text_add(&text, "%s# processors: %d\ntime,load\n", head,
			    loads->newest.load[loads->newest.n - 1].processors);
		for (size_t i = 0; i < loads->newest.n; i++) {
			const struct ft_load *load = &loads->newest.load[i];
			int64_t end_ns = load->started_ns + (int64_t)(load->interval_s * 1e9);

			if (end_ns / 1000000 > last_ns / 1000000)
				ft_text_add(&text, "%.3f,%.6g\n", (double)end_ns * 1e-9, load->load);
			last_ns = end_ns > last_ns ? end_ns : last_ns;
		}
		if (text.failed)
			status = ft_nomem(err);
		else if (ft__file_exchange(loads->path, text.s, text.length))
			status = ft_fail_errno(err, errno, "cannot write '%.200s'", loads->path);
		ft_text_clear(&text);
	}
	ft__rights_back();
	return status;
}

/*
 * Records the background load continuously.
 */

/* The interval of samples of the run queue while nothing of ours runs (load.h). Observations are stored in
 * batches, since each change of the store is noticed by every process that answers from it. */
enum { LOOK_MS = 1000, BATCH = 6 };

struct ft__history {
	struct ft__task task; /* first: one is the other */
	struct ft__history_options options;
	struct ft_load_recorder *recorder;
	double period_s;
	struct ft_load seen[BATCH]; /* [n] */
	size_t n;
	int64_t look_ns, read_ns; /* when to */
	bool at_work;
	/* the worker's, while it is at work */
	struct ft_load kept[BATCH]; /* [n_kept] */
	size_t n_kept;
	unsigned long stored; /* of these */
	struct ft__loads loads;
	struct ft_err fault; /* of the file */
	unsigned long count; /* not the worker's, as is the next one */
	bool failing;        /* writing the file failed, which was reported */
};

static enum ft_status keep_history(struct ft__history *history, struct ft_store *store)
{
	struct ft_machine machine = {0};
	enum ft_status status = ft_machine_read("", &machine, NULL);
	int64_t old_ns = ft_clock_real_ns() - FT_LOAD_AGE_S * 1000000000LL;

	if (!status)
		status = ft_store_put_machine(store, &machine, NULL);
	for (size_t i = 0; !status && i < history->n_kept; i++) {
		status = ft_store_add_load(store, machine.id, &history->kept[i], NULL);
		history->stored += !status;
	}
	if (!status)
		status = ft_store_trim_load(store, machine.id, old_ns, NULL);
	ft_machine_clear(&machine);
	return status;
}

/* Observations that cannot be stored leave a gap in the history. */
static void write_down(struct ft__task *task, struct ft_store *reader)
{
	struct ft__history *history = (struct ft__history *)task;
	struct ft_store *store = NULL;

	(void)reader;
	history->stored = 0;
	history->fault = (struct ft_err){0};
	(void)loads_put(&history->loads, history->kept, history->n_kept, &history->fault);
	if (ft__store_at_open(history->options.at, &store, 0, NULL))
		return;
	if (!ft_store_begin(store, NULL) && ft_store_end(store, keep_history(history, store), NULL))
		history->stored = 0;
	ft_store_close(store);
}

static void done(struct ft__task *task)
{
	struct ft__history *history = (struct ft__history *)task;
	bool failed = history->fault.status != FT_OK;

	history->at_work = false;
	history->count += history->stored;
	if (failed && !history->failing && history->options.complain)
		history->options.complain(history->options.ctx, &history->fault);
	history->failing = failed;
}

void ft__history_run(struct ft__history *history, bool quiet)
{
	int64_t now = ft_clock_ns();

	if (now < history->look_ns)
		return;
	history->look_ns = now + LOOK_MS * 1000000LL;
	if (now < history->read_ns) {
		if (quiet)
			ft_load_recorder_look(history->recorder);
		return;
	}
	history->read_ns = now + (int64_t)(history->period_s * 1e9);
	if (history->n < BATCH && !ft_load_recorder_read(history->recorder, &history->seen[history->n], NULL))
		history->n++;
	/* Readers of the file expect each observation at once. */
	if (history->n >= (history->loads.path ? 1 : BATCH) && !history->at_work) {
		for (size_t i = 0; i < history->n; i++)
			history->kept[i] = history->seen[i];
		history->n_kept = history->n;
		history->n = 0;
		history->at_work = true;
		ft__worker_post(history->options.worker, &history->task);
	}
}

int ft__history_wait_ms(const struct ft__history *history)
{
	int64_t left = history->look_ns - ft_clock_ns();

	return left > 0 ? (int)(left / 1000000) + 1 : 0;
}

unsigned long ft__history_count(const struct ft__history *history)
{
	return history->count;
}

enum ft_status ft__history_new(struct ft__history **out, const struct ft__history_options *options,
			       struct ft_err *err)
{
	double period_s = options->period_s;
	struct ft__history *history = ft_calloc(1, sizeof *history);

	*out = NULL;
	if (!history)
		return ft_nomem(err);
	*history = (struct ft__history){
		.task = {.work = write_down, .done = done},
		.options = *options,
		.loads = {.path = options->load_path,
			  .most = options->most ? options->most : (size_t)FT_LOAD_HISTORY,
			  .user = options->at->user,
			  .group = options->at->group},
		.period_s = period_s > 0 ? fmax(period_s, 1) : FT_LOAD_INTERVAL_S};
	enum ft_status status = ft_load_recorder_open(&history->recorder, "", true, err);
	history->read_ns = ft_clock_ns() + (int64_t)(history->period_s * 1e9);
	if (status)
		ft__history_free(history);
	else
		*out = history;
	return status;
}

void ft__history_free(struct ft__history *history)
{
	if (!history)
		return;
	ft_load_recorder_close(history->recorder);
	ft_loads_clear(&history->loads.newest);
	ft_free(history);
}
