/* SPDX-License-Identifier: GPL-3.0-or-later */
/* remote.c - runs on other machines through an executor: prepared, reported, and ended. */
#include "base/alloc.h"
#include "base/text.h"
#include "build/door.h"
#include "foretime/adapt.h"
#include "remote/remote.h"
#include "store/door.h"
#include "sweep/door.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct ft__executor *const executors[] = {&ft__executor_slurm, &ft__executor_parallel,
						       &ft__executor_mpiexec};

enum { EXECUTORS = sizeof executors / sizeof *executors };

static const struct ft__executor *find_executor(const char *name)
{
	for (size_t i = 0; i < EXECUTORS; i++)
		if (!strcmp(executors[i]->name, name))
			return executors[i];
	return NULL;
}

enum ft_status ft_remote_check(const struct ft_remote_options *options, struct ft_err *err)
{
	const struct ft__executor *executor = find_executor(options->executor);

	if (!executor) {
		(void)ft_fail(err, FT_EINVAL, "--via is slurm, parallel or mpiexec, not '%s'",
			      options->executor);
		return ft_remedy(err, "without it all runs are made here");
	}
	if (executor->launcher && (options->partition || options->constraint))
		return ft_fail(err, FT_EINVAL, "partition and constraint are of --via slurm");
	if (!executor->launcher && options->hosts)
		return ft_fail(err, FT_EINVAL, "hosts is of --via parallel and mpiexec");
	if (options->sweep.at_once > FT_ASK_MAX)
		return ft_fail(err, FT_EINVAL, "at-once is at most %d", FT_ASK_MAX);
	return FT_OK;
}

enum ft_status ft_remote_open(struct ft_remote **out, struct ft_store *store, struct ft_program *program,
			      const struct ft_remote_options *options, struct ft_err *err)
{
	enum ft_status status = ft_remote_check(options, err);

	*out = NULL;
	if (status)
		return status;
	struct ft_remote *remote = ft_calloc(1, sizeof *remote);
	if (!remote)
		return ft_nomem(err);
	remote->store = store;
	remote->program = program;
	remote->options = *options;
	remote->executor = find_executor(options->executor);
	status =
		ft__folder_choose(&remote->folder, options->folder, ft_store_path(store), program->name, err);
	if (!status && !getcwd(remote->here, sizeof remote->here))
		status = errno == ENOENT ? ft_fail(err, FT_ENOENT, "this folder has no path any more")
					 : ft_fail_errno(err, errno, "this directory has no readable path");
	if (status)
		ft_remote_close(remote);
	else
		*out = remote;
	return status;
}

enum ft_status ft_remote_show(const struct ft_remote *remote, char **out, struct ft_err *err)
{
	static const char serial[] = "0123456789abcdef0123456789abcdef";
	const struct ft_sweep_options *sweep = &remote->options.sweep;
	struct ft__remote_task task = {.size = {.n = remote->program->n_params}, .limit_s = sweep->timeout_s};
	char *handed = NULL, *script = NULL;
	struct ft_text text = {0};
	enum ft_status status =
		remote->executor->show(remote, serial, sweep->at_once ? sweep->at_once : 1, &handed, err);

	*out = NULL;
	for (size_t i = 0; i < task.size.n; i++)
		task.size.value[i] = remote->program->param[i].least;
	(void)snprintf(task.id, sizeof task.id, "%s.0", serial);
	if (!status)
		status = ft__script_text(remote, &task, &script, err);
	if (!status) {
		ft_text_add(&text, "%s\n%s.sh, at the least sizes:\n%s", handed, task.id, script);
		*out = ft_text_take(&text);
		status = *out ? FT_OK : ft_nomem(err);
	}
	ft_free(script);
	ft_free(handed);
	return status;
}

/* ---- the end ------------------------------------------------------------------------------------------ */

size_t ft_remote_sweeps(const struct ft_remote *remote)
{
	size_t n = 0;

	for (size_t i = 0; i < remote->n_kinds; i++)
		n += remote->kind[i].sweep != NULL;
	return n;
}

size_t ft_remote_lost(const struct ft_remote *remote)
{
	return remote->lost;
}

enum ft_status ft_remote_end(struct ft_remote *remote, size_t i, const struct ft_machine **machine,
			     struct ft_sweep_report *report, struct ft_err *err)
{
	struct ft__machines *kind = remote->kind;

	while (!kind->sweep || i--)
		kind++;
	*machine = &kind->machine;
	enum ft_status status = ft_sweep_end(kind->sweep, report, err);
	remote->failed = remote->failed || status;
	return status;
}

void ft_remote_close(struct ft_remote *remote)
{
	if (!remote)
		return;
	for (size_t i = 0; i < remote->n_kinds; i++) {
		ft_sweep_free(remote->kind[i].sweep);
		ft_machine_clear(&remote->kind[i].machine);
		ft_free(remote->kind[i].fingerprint);
		ft_free(remote->kind[i].label);
		ft_free(remote->kind[i].nodes);
	}
	for (size_t i = 0; i < remote->n_slots; i++)
		ft_free(remote->slot[i].host);
	ft_free(remote->slot);
	ft_free(remote->kind);
	ft_free(remote->task);
	if (remote->folder.lock >= 0 && !remote->failed)
		ft__folder_clean(&remote->folder);
	ft__folder_close(&remote->folder);
	ft_free(remote);
}

/* ---- the caller ---------------------------------------------------------------------------------------- */

/*
 * One sweep for each kind of machine, whose runs are carried there and stored as they come back.
 */

/* Hand out the next runs. */
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
		/* Summed over all sweeps. */
		const struct ft_sweep_options *options = &remote->options.sweep;
		struct ft_progress sum = {.expected_s = NAN,
					  .reason = -1,
					  .gain = NAN,
					  .hindrance = {.slow_down = 1}},
				   each;
		size_t n = 0;

		for (size_t k = 0; k < remote->n_kinds; k++)
			n += remote->kind[k].sweep != NULL;
		for (size_t k = 0; k < remote->n_kinds; k++)
			if (remote->kind[k].sweep) {
				ft_sweep_progress(remote->kind[k].sweep, &each);
				sum.points += each.points;
				sum.spent_s += each.spent_s;
				sum.budget_s += each.budget_s;
				sum.in_flight += each.in_flight;
				sum.runs += each.runs;
				sum.complete += each.complete / (double)n;
				if (n == 1)
					sum.next = each.next;
			}
		if (options->progress)
			options->progress(options->progress_ctx, &sum);
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
		if (remote->kind[i].as == i) {
			struct ft_sweep_options options = remote->options.sweep;
			status = ft_store_put_machine(remote->store, &remote->kind[i].machine, err);

			options.elsewhere = true;
			options.at_once = options.at_once ? options.at_once : remote->kind[i].slots;
			options.at_once = options.at_once > FT_ASK_MAX ? FT_ASK_MAX
					  : options.at_once            ? options.at_once
								       : 1;
			remote->kind[i].slots = options.at_once;
			if (!status)
				status = ft_sweep_new(&remote->kind[i].sweep, remote->store, remote->program,
						      &remote->kind[i].machine, NULL, &options, err);
		}
	/* Results of an earlier build, before anything is requested. */
	if (!status)
		status = ft__tasks_collect(remote, "db", err);
	if (!status)
		status = ft__tasks_look(remote, true, err);
	if (!status)
		status = go_on(remote, err);
	/* Results of tasks of an earlier build that came meanwhile. */
	return status ? status : ft__tasks_collect(remote, "db", err);
}

/* Running tasks are cancelled, and those that ended meanwhile are stored; if that fails, or something
 * failed before, the files of all others stay. */
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
