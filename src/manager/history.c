/* SPDX-License-Identifier: GPL-3.0-or-later */
/* history.c - the load of others, recorded all the while. */
#include "manager/history.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "foretime/load.h"
#include "foretime/measure.h"
#include "manager/loads.h"

#include <math.h>

/* The run queue is looked at so often while nothing of ours runs (load.h); and each change of the store is
 * one that all who answer from it look at. */
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
	bool failing;        /* the file, which was told */
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

/* What cannot be kept is a gap in the history, as it is when nobody looks. */
static void write_down(struct ft__task *task, struct ft_store *reader)
{
	struct ft__history *history = (struct ft__history *)task;
	struct ft_store *store = NULL;

	(void)reader;
	history->stored = 0;
	history->fault = (struct ft_err){0};
	(void)ft__loads_put(&history->loads, history->kept, history->n_kept, &history->fault);
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

static void post_seen(struct ft__history *history)
{
	for (size_t i = 0; i < history->n; i++)
		history->kept[i] = history->seen[i];
	history->n_kept = history->n;
	history->n = 0;
	history->at_work = true;
	ft__worker_post(history->options.worker, &history->task);
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
	/* Who reads the file waits for each of them. */
	if (history->n >= (history->loads.path ? 1 : BATCH) && !history->at_work)
		post_seen(history);
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
	ft__loads_clear(&history->loads);
	ft_free(history);
}
