/* SPDX-License-Identifier: GPL-3.0-or-later */
/* via_task.c - tasks: sent to the engine, and looked after until they have ended. */
#include "cli/build/via.h"
#include "cli/common.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* How often the folder is looked into, as a share of the time since anything happened: what comes back waits
 * so long. An engine is asked rarer: squeue costs slurmctld some 10 ms, and its lock (scheduling waits for
 * both). */
#define FOLDER_SHARE 0.02
#define ENGINE_SHARE 0.1

static const double FOLDER_LEAST_S = 0.02, FOLDER_MOST_S = 2, ENGINE_LEAST_S = 0.5, ENGINE_MOST_S = 30;

/* ---- tasks -------------------------------------------------------------------------------------------- */

static void add_task(struct cli_via *via, const struct cli_task *task)
{
	via->task = cli_grow(via->task, via->n, sizeof *via->task);
	via->task[via->n++] = *task;
}

void cli_task_remove(struct cli_via *via, size_t i)
{
	if (via->engine->launcher && via->task[i].slot < via->n_slots)
		via->slot[via->task[i].slot].busy = false;
	via->task[i] = via->task[--via->n];
}

static size_t lead(const struct cli_via *via, size_t kind)
{
	return via->kind[kind].as;
}

size_t cli_tasks_out(const struct cli_via *via, size_t kind)
{
	size_t i, n = 0;

	for (i = 0; i < via->n; i++)
		n += lead(via, via->task[i].kind) == kind;
	return n;
}

/* On their way: scripts first, then the engine. task: [n] of one kind, without ids */
int cli_tasks_send(struct cli_via *via, struct cli_task *task, size_t n)
{
	struct cli_task **sent = cli_alloc(n * sizeof *sent);
	char serial[CLI_ID];
	size_t i, first = via->n;
	int status = CLI_DONE;

	cli_folder_serial(&via->kind[task->kind], serial);
	for (i = 0; i < n && status == CLI_DONE; i++) {
		(void)snprintf(task[i].id, sizeof task[i].id, "%.32s.%zu", serial, i);
		status = cli_folder_script(via, &task[i], NULL);
		add_task(via, &task[i]);
	}
	for (i = 0; i < n && status == CLI_DONE; i++)
		sent[i] = &via->task[first + i];
	if (status == CLI_DONE)
		status = via->engine->submit(via, serial, sent, n);
	free(sent);
	return status;
}

/* ---- looking ------------------------------------------------------------------------------------------ */

void cli_via_rest(struct cli_via *via)
{
	double seconds = fmin(FOLDER_MOST_S, fmax(FOLDER_LEAST_S, FOLDER_SHARE * via->quiet_s));
	struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};

	(void)nanosleep(&time, NULL);
	via->quiet_s += seconds;
	via->looked_s += seconds;
}

/* A task of a build before that the engine still has. */
static void adopt(struct cli_via *via, const char *id)
{
	struct cli_task task;
	struct ft_sweep_piece piece = {.reason = FT_REASON_NEW};
	size_t i;

	for (i = 0; i < via->n; i++)
		if (!strcmp(via->task[i].id, id))
			return;
	if (!cli_folder_recall(via, id, &task))
		return;
	for (i = 0; i < via->n_kinds && strncmp(via->kind[i].word, id, 16) != 0;)
		i++;
	if (i == via->n_kinds || !via->kind[lead(via, i)].sweep)
		return;
	task.kind = i;
	piece.size = task.size;
	piece.limit_s = task.limit_s;
	if (ft_sweep_adopt(via->kind[lead(via, i)].sweep, &piece, NULL))
		return;
	task.piece = piece.id;
	add_task(via, &task);
}

static struct cli_task *find_task(struct cli_via *via, const char *id, size_t *at)
{
	for (*at = 0; *at < via->n; ++*at)
		if (!strcmp(via->task[*at].id, id))
			return &via->task[*at];
	return NULL;
}

/* A task that has ended, by its files. It goes, unless who started it here has still to end. */
static int end_task(struct cli_via *via, const char *id)
{
	char *path = cli_folder_path(via, id, "db"), name[CLI_ID];
	bool there = access(path, R_OK) == 0;
	size_t at;
	struct cli_task *task = find_task(via, id, &at);
	int status = CLI_DONE;

	free(path);
	if (task && !task->piece)
		return CLI_DONE;
	(void)snprintf(name, sizeof name, "%s", id);
	if (task && task->taken) {
		cli_folder_drop(via, name);
		return CLI_DONE;
	}
	if (there)
		status = cli_via_take(via, name, task);
	else if (task)
		status = cli_via_missing(via, task);
	if (!there && status == CLI_DONE)
		cli_folder_drop(via, name);
	if (task && task->child > 0)
		task->taken = true;
	else if (task)
		cli_task_remove(via, at);
	via->quiet_s = 0;
	return status;
}

/* What lies in the folder: files with that ending. */
int cli_tasks_collect(struct cli_via *via, const char *ending)
{
	size_t n, i;
	char **found = cli_folder_found(via, ending, &n);
	int status = CLI_DONE;

	for (i = 0; i < n; i++) {
		if (status == CLI_DONE)
			status = end_task(via, found[i]);
		free(found[i]);
	}
	free(found);
	return status;
}

/* Tasks that are gone, and whose files did not come until the look after. */
static int miss(struct cli_via *via)
{
	size_t i = 0;
	int status = CLI_DONE;

	while (i < via->n && status == CLI_DONE) {
		struct cli_task *task = &via->task[i];
		bool out = task->fate == CLI_OUT || task->child > 0;

		if (!out && task->taken) {
			cli_folder_drop(via, task->id);
			cli_task_remove(via, i);
		} else if (!out && task->piece && task->missed > 0) { /* via_kind.c looks after the others */
			status = end_task(via, task->id);
		} else {
			if (task->piece)
				task->missed = out ? 0 : task->missed + 1;
			i++;
		}
	}
	return status;
}

/* Asks the engine, when it is time to. Files are taken first: what is gone by then has left its own. */
int cli_tasks_look(struct cli_via *via, bool now)
{
	double wait_s = fmin(ENGINE_MOST_S, fmax(ENGINE_LEAST_S, ENGINE_SHARE * via->quiet_s));
	int status;

	if (!now && !via->engine->launcher && via->looked_s < wait_s)
		return CLI_DONE;
	via->looked_s = 0;
	status = via->engine->look(via, adopt);
	if (status == CLI_DONE)
		status = cli_tasks_collect(via, "end");
	return status == CLI_DONE ? miss(via) : status;
}
