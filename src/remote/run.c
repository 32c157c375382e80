/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.c - one sweep for each kind of machine, whose runs are carried there and taken in as they come back. */
#include "base/alloc.h"
#include "remote/executor.h"

#include <math.h>

static enum ft_status begin_sweep(struct ft_remote *remote, struct ft__machines *kind, struct ft_err *err)
{
	struct ft_sweep_options options = remote->options.sweep;
	enum ft_status status = ft_store_put_machine(remote->store, &kind->machine, err);

	options.elsewhere = true;
	options.at_once = options.at_once ? options.at_once : kind->slots;
	options.at_once = options.at_once > FT_ASK_MAX ? FT_ASK_MAX : options.at_once ? options.at_once : 1;
	kind->slots = options.at_once;
	return status ? status
		      : ft_sweep_new(&kind->sweep, remote->store, remote->program, &kind->machine, NULL,
				     &options, err);
}

/* The runs whose turn it is. */
static enum ft_status hand_out(struct ft_remote *remote, size_t k, struct ft_err *err)
{
	struct ft__machines *kind = &remote->kind[k];
	size_t out = ft__tasks_count(remote, k), n = 0, i;
	size_t most = out < kind->slots ? kind->slots - out : 0;
	struct ft_sweep_piece *piece = ft_calloc(most + 1, sizeof *piece);
	struct ft__remote_task *task = ft_calloc(most + 1, sizeof *task);
	enum ft_status status = piece && task ? FT_OK : ft_nomem(err);

	if (!status && most)
		status = ft_sweep_step(kind->sweep, piece, most, &n, err);
	for (i = 0; i < n && !status; i++)
		task[i] = (struct ft__remote_task){.kind = k,
						   .piece = piece[i].id,
						   .size = piece[i].size,
						   .limit_s = piece[i].limit_s,
						   .lost = piece[i].lost};
	if (!status && n) {
		status = ft__tasks_send(remote, task, n, err);
		remote->quiet_s = 0;
	}
	kind->ended = !n && !out;
	ft_free(task);
	ft_free(piece);
	return status;
}

/* Of all sweeps in sum. */
static void tell_progress(const struct ft_remote *remote)
{
	const struct ft_sweep_options *options = &remote->options.sweep;
	struct ft_progress sum = {.expected_s = NAN,
				  .reason = -1,
				  .gain = NAN,
				  .hindrance = {.slow_down = 1}},
			   each;

	for (size_t i = 0; i < remote->n_kinds; i++)
		if (remote->kind[i].sweep) {
			ft_sweep_progress(remote->kind[i].sweep, &each);
			sum.points += each.points;
			sum.spent_s += each.spent_s;
			sum.budget_s += each.budget_s;
			sum.in_flight += each.in_flight;
		}
	if (options->progress)
		options->progress(options->progress_ctx, &sum);
}

static enum ft_status go_on(struct ft_remote *remote, struct ft_err *err)
{
	bool more = true;
	enum ft_status status = FT_OK;

	while (more && !status && !ft__remote_is_interrupted(remote)) {
		more = false;
		status = ft__tasks_collect(remote, "end", err);
		if (!status)
			status = ft__tasks_look(remote, false, err);
		for (size_t i = 0; i < remote->n_kinds && !status; i++)
			if (remote->kind[i].as == i) {
				status = hand_out(remote, i, err);
				more = more || !remote->kind[i].ended;
			}
		tell_progress(remote);
		if (more && !status)
			ft__tasks_rest(remote);
	}
	return status;
}

static enum ft_status carry(struct ft_remote *remote, struct ft_err *err)
{
	enum ft_status status = ft__kinds_learn(remote, err);

	if (status || ft__remote_is_interrupted(remote))
		return status;
	for (size_t i = 0; i < remote->n_kinds && !status; i++)
		if (remote->kind[i].as == i)
			status = begin_sweep(remote, &remote->kind[i], err);
	/* What a build before left, before anything is asked for. */
	if (!status)
		status = ft__tasks_collect(remote, "db", err);
	if (!status)
		status = ft__tasks_look(remote, true, err);
	if (!status)
		status = go_on(remote, err);
	/* What came meanwhile, of tasks that a build before began. */
	return status ? status : ft__tasks_collect(remote, "db", err);
}

/* Nobody takes in any more what is out. What has ended meanwhile is; where it cannot be, or something failed
 * before, the files of all others stay. */
static enum ft_status call_off(struct ft_remote *remote, bool failed, struct ft_err *err)
{
	remote->executor->cancel(remote);
	enum ft_status status = ft__tasks_collect(remote, "end", err);
	for (size_t i = 0; i < remote->n_tasks && !status && !failed; i++)
		ft__folder_drop(&remote->folder, remote->task[i].id);
	return status;
}

enum ft_status ft_remote_run(struct ft_remote *remote, struct ft_err *err)
{
	enum ft_status status = ft__folder_open(&remote->folder, remote->program->name, err);

	if (!status)
		status = remote->executor->open(remote, err);
	if (!status) {
		status = carry(remote, err);
		if (status)
			(void)call_off(remote, true, NULL);
		else if (ft__remote_is_interrupted(remote))
			status = call_off(remote, false, err);
	}
	remote->failed = status != FT_OK;
	return status;
}
