/* SPDX-License-Identifier: GPL-3.0-or-later */
/* task.c - tasks: sent to the executor, and looked after until they have ended. */
#include "base/alloc.h"
#include "base/clock.h"
#include "remote/executor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* How often the folder is looked into, as a share of the time since anything happened: what comes back waits
 * so long. An executor is asked rarer: squeue costs slurmctld some 10 ms, and its lock (scheduling waits for
 * both). */
#define FOLDER_SHARE   0.02
#define EXECUTOR_SHARE 0.1

static const double FOLDER_LEAST_S = 0.02, FOLDER_MOST_S = 2, EXECUTOR_LEAST_S = 0.5, EXECUTOR_MOST_S = 30;

/* How late an interruption is noticed. */
static const double INTERRUPT_S = 0.1;

/* ---- tasks -------------------------------------------------------------------------------------------- */

static enum ft_status add_task(struct ft_remote *remote, const struct ft__remote_task *task,
			       struct ft_err *err)
{
	struct ft__remote_task *grown =
		ft_grow(remote->task, remote->n_tasks, &remote->tasks_capacity, sizeof *grown);

	if (!grown)
		return ft_nomem(err);
	remote->task = grown;
	remote->task[remote->n_tasks++] = *task;
	return FT_OK;
}

void ft__task_remove(struct ft_remote *remote, size_t i)
{
	if (remote->executor->launcher && remote->task[i].slot < remote->n_slots)
		remote->slot[remote->task[i].slot].busy = false;
	remote->task[i] = remote->task[--remote->n_tasks];
}

size_t ft__tasks_count(const struct ft_remote *remote, size_t kind)
{
	size_t n = 0;

	for (size_t i = 0; i < remote->n_tasks; i++)
		n += remote->kind[remote->task[i].kind].as == kind;
	return n;
}

/* The beginning of ids that nobody had before. */
static void draw_serial(struct ft_remote *remote, size_t kind, char serial[FT__ID])
{
	unsigned long long ns = (unsigned long long)ft_clock_real_ns();

	remote->drawn = ns > remote->drawn ? ns : remote->drawn + 1;
	(void)snprintf(serial, FT__ID, "%s%016llx", remote->kind[kind].word, remote->drawn);
}

static enum ft_status add_script(struct ft_remote *remote, const struct ft__remote_task *task,
				 struct ft_err *err)
{
	char *text = NULL;
	enum ft_status status = add_task(remote, task, err);

	if (!status)
		status = ft__script_text(remote, task, &text, err);
	if (!status)
		status = ft__folder_write(&remote->folder, task->id, "sh", text, err);
	ft_free(text);
	return status;
}

enum ft_status ft__tasks_send(struct ft_remote *remote, struct ft__remote_task *task, size_t n,
			      struct ft_err *err)
{
	struct ft__remote_task **sent = ft_calloc(n, sizeof *sent);
	char serial[FT__ID];
	size_t first = remote->n_tasks;
	enum ft_status status = sent ? FT_OK : ft_nomem(err);

	draw_serial(remote, task->kind, serial);
	for (size_t i = 0; i < n && !status; i++) {
		(void)snprintf(task[i].id, sizeof task[i].id, "%.32s.%zu", serial, i);
		status = add_script(remote, &task[i], err);
	}
	for (size_t i = 0; i < n && !status; i++)
		sent[i] = &remote->task[first + i];
	if (!status)
		status = remote->executor->submit(remote, serial, sent, n, err);
	ft_free(sent);
	return status;
}

enum ft_status ft__task_adopt(struct ft_remote *remote, const char *id, struct ft_err *err)
{
	struct ft__remote_task task;
	struct ft_sweep_piece piece = {.reason = FT_REASON_NEW};
	const struct ft__machines *kind = ft__kind_of_task(remote, id);

	for (size_t i = 0; i < remote->n_tasks; i++)
		if (!strcmp(remote->task[i].id, id))
			return FT_OK;
	if (!kind || !kind->sweep || !ft__script_recall(remote, id, &task))
		return FT_OK;
	task.kind = (size_t)(kind - remote->kind);
	piece.size = task.size;
	piece.limit_s = task.limit_s;
	enum ft_status status = ft_sweep_adopt(kind->sweep, &piece, NULL);
	task.piece = piece.id;
	if (!status)
		return add_task(remote, &task, err);
	return status == FT_ENOMEM ? ft_nomem(err) : FT_OK; /* its size is not asked for any more */
}

/* ---- looking ------------------------------------------------------------------------------------------ */

void ft__tasks_rest(struct ft_remote *remote)
{
	double seconds = fmin(FOLDER_MOST_S, fmax(FOLDER_LEAST_S, FOLDER_SHARE * remote->quiet_s)),
	       left_s = seconds;

	for (; left_s > 0 && !ft__remote_is_interrupted(remote); left_s -= INTERRUPT_S)
		ft_clock_sleep(fmin(left_s, INTERRUPT_S));
	remote->quiet_s += seconds;
	remote->looked_s += seconds;
}

static struct ft__remote_task *find_task(struct ft_remote *remote, const char *id, size_t *at)
{
	for (*at = 0; *at < remote->n_tasks; ++*at)
		if (!strcmp(remote->task[*at].id, id))
			return &remote->task[*at];
	return NULL;
}

/* A task that has ended, by its files. It goes, unless who started it here has still to end. */
static enum ft_status end_task(struct ft_remote *remote, const char *id, struct ft_err *err)
{
	char path[PATH_MAX];
	bool there = access(ft__folder_path(&remote->folder, id, "db", path), R_OK) == 0;
	size_t at;
	struct ft__remote_task *task = find_task(remote, id, &at);
	enum ft_status status = FT_OK;

	if (task && !task->piece)
		return FT_OK;
	if (task && task->taken) {
		ft__folder_drop(&remote->folder, id);
		return FT_OK;
	}
	if (there)
		status = ft__task_take(remote, id, task, err);
	else if (task)
		status = ft__task_miss(remote, task, err);
	if (status) /* what it left stays */
		return status;
	if (!there)
		ft__folder_drop(&remote->folder, id);
	if (task && task->child > 0)
		task->taken = true;
	else if (task)
		ft__task_remove(remote, at);
	remote->quiet_s = 0;
	return FT_OK;
}

enum ft_status ft__tasks_collect(struct ft_remote *remote, const char *ending, struct ft_err *err)
{
	struct ft__ids ids = {0};
	enum ft_status status = ft__folder_list(&remote->folder, ending, &ids, err);

	for (size_t i = 0; i < ids.n && !status; i++)
		status = end_task(remote, ids.id[i], err);
	ft_free(ids.id);
	return status;
}

/* Tasks that are gone, and whose files did not come until the look after. */
static enum ft_status miss_tasks(struct ft_remote *remote, struct ft_err *err)
{
	size_t i = 0;
	enum ft_status status = FT_OK;

	while (i < remote->n_tasks && !status) {
		struct ft__remote_task *task = &remote->task[i];
		bool out = task->fate == FT__TASK_OUT || task->child > 0;
		char id[FT__ID];

		memcpy(id, task->id, sizeof id);
		if (!out && task->taken) {
			ft__folder_drop(&remote->folder, id);
			ft__task_remove(remote, i);
		} else if (!out && task->piece && task->missed > 0) { /* kind.c looks after the others */
			status = end_task(remote, id, err);
		} else {
			if (task->piece)
				task->missed = out ? 0 : task->missed + 1;
			i++;
		}
	}
	return status;
}

/* Files are taken behind it: what is gone by then has left its own. */
enum ft_status ft__tasks_look(struct ft_remote *remote, bool now, struct ft_err *err)
{
	double wait_s = fmin(EXECUTOR_MOST_S, fmax(EXECUTOR_LEAST_S, EXECUTOR_SHARE * remote->quiet_s));

	if (!now && !remote->executor->launcher && remote->looked_s < wait_s)
		return FT_OK;
	remote->looked_s = 0;
	enum ft_status status = remote->executor->look(remote, err);
	if (!status)
		status = ft__tasks_collect(remote, "end", err);
	return status ? status : miss_tasks(remote, err);
}
