/* SPDX-License-Identifier: GPL-3.0-or-later */
/* delay.c - inside the helper: how long the tasks of a tree waited, runnable, for a processor. */
#include "measure/delay.h"
#include "base/alloc.h"
#include "measure/gauge.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEXT_SIZE = 96 }; /* of three numbers */

static void close_first(struct ft__delay *delay)
{
	if (delay->first)
		(void)close(delay->file);
	delay->first = 0;
}

void ft__delay_begin(struct ft__delay *delay, const struct ft__tree *tree, pid_t first)
{
	char name[32];

	close_first(delay);
	delay->n = delay->readings = 0;
	delay->exec_ns = delay->delay_ns = 0;
	if (!first || tree->proc < 0)
		return;
	(void)snprintf(name, sizeof name, "%d/schedstat", (int)first);
	delay->file = openat(tree->proc, name, O_RDONLY | O_CLOEXEC);
	delay->first = delay->file < 0 ? 0 : first;
}

void ft__delay_clear(struct ft__delay *delay)
{
	close_first(delay);
	ft_free(delay->task);
	*delay = (struct ft__delay){0};
}

static bool insert_task(struct ft__delay *delay, size_t at, pid_t tid)
{
	struct ft__delay_task *grown = ft_grow(delay->task, delay->n, &delay->capacity, sizeof *grown);

	if (!grown)
		return false;
	delay->task = grown;
	memmove(delay->task + at + 1, delay->task + at, (delay->n++ - at) * sizeof *delay->task);
	delay->task[at] = (struct ft__delay_task){.tid = tid};
	return true;
}

/* The sums of a task that is gone are kept. */
static void keep_sums(struct ft__delay *delay, const struct ft__delay_task *task)
{
	delay->exec_ns += task->exec_ns;
	delay->delay_ns += task->delay_ns;
}

/* Take in a schedstat: nanoseconds on a processor, and waiting for one (Documentation/scheduler/sched-stats).
 * A task that was given out again as another's number has less than it had. */
static void take_schedstat(struct ft__delay *delay, const char *text, pid_t tid)
{
	unsigned long long exec_ns, delay_ns;
	struct ft__delay_task *task;

	if (sscanf(text, "%llu %llu", &exec_ns, &delay_ns) != 2)
		return;
	delay->readings += exec_ns || delay_ns;
	size_t at = ft__pid_place(tid, delay->task, delay->n, sizeof *delay->task);
	if ((at == delay->n || delay->task[at].tid != tid) && !insert_task(delay, at, tid))
		return;
	task = &delay->task[at];
	if (exec_ns < task->exec_ns || delay_ns < task->delay_ns)
		keep_sums(delay, task);
	*task = (struct ft__delay_task){tid, delay->look, exec_ns, delay_ns};
}

static void read_task(struct ft__delay *delay, int folder, const char *name, pid_t tid)
{
	char text[TEXT_SIZE];

	if (ft__tree_read(folder, name, text, sizeof text))
		take_schedstat(delay, text, tid);
}

static void read_first(struct ft__delay *delay)
{
	char text[TEXT_SIZE];
	ssize_t length = pread(delay->file, text, sizeof text - 1, 0);

	text[length > 0 ? length : 0] = '\0';
	take_schedstat(delay, text, delay->first);
	close_first(delay);
}

static void read_tasks(struct ft__delay *delay, int folder)
{
	_Alignas(struct dirent64) char buffer[4096];
	ssize_t length, at;
	char name[32];

	while ((length = getdents64(folder, buffer, sizeof buffer)) > 0)
		for (at = 0; at < length;) {
			const struct dirent64 *entry = (const void *)(buffer + at);
			pid_t tid = atoi(entry->d_name);

			at += entry->d_reclen;
			if (tid <= 0)
				continue;
			(void)snprintf(name, sizeof name, "%d/schedstat", (int)tid);
			read_task(delay, folder, name, tid);
		}
}

/* A folder has two links, and one from each folder in it: a task. */
static void read_process(struct ft__delay *delay, const struct ft__tree *tree, pid_t pid, bool but)
{
	struct stat status;
	char name[32];

	(void)snprintf(name, sizeof name, "%d/task", (int)pid);
	if (fstatat(tree->proc, name, &status, 0))
		return;
	if (status.st_nlink == 3 && but)
		return;
	if (status.st_nlink == 3) {
		(void)snprintf(name, sizeof name, "%d/schedstat", (int)pid);
		read_task(delay, tree->proc, name, pid);
		return;
	}
	int folder = openat(tree->proc, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		return;
	read_tasks(delay, folder);
	(void)close(folder);
}

void ft__delay_look(struct ft__delay *delay, const struct ft__tree *tree, pid_t but)
{
	size_t kept = 0;

	delay->look++;
	for (size_t i = 0; i < tree->n; i++)
		read_process(delay, tree, tree->member[i].pid, tree->member[i].pid == but);
	for (size_t i = 0; i < delay->n; i++)
		if (delay->task[i].look == delay->look)
			delay->task[kept++] = delay->task[i];
		else
			keep_sums(delay, &delay->task[i]);
	delay->n = kept;
}

void ft__delay_end(struct ft__delay *delay, const struct ft__tree *tree, pid_t pid)
{
	char name[32];

	delay->last_ns = 0;
	if (tree->proc < 0)
		return;
	(void)snprintf(name, sizeof name, "%d/schedstat", (int)pid);
	if (pid == delay->first)
		read_first(delay);
	else
		read_task(delay, tree->proc, name, pid);
	size_t at = ft__pid_place(pid, delay->task, delay->n, sizeof *delay->task);
	if (at == delay->n || delay->task[at].tid != pid)
		return;
	delay->last_ns = delay->task[at].exec_ns + delay->task[at].delay_ns;
	keep_sums(delay, &delay->task[at]);
	memmove(delay->task + at, delay->task + at + 1, (--delay->n - at) * sizeof *delay->task);
}

uint64_t ft__delay_own(int schedstat)
{
	unsigned long long delay_ns;
	char text[TEXT_SIZE];
	ssize_t length = schedstat < 0 ? 0 : pread(schedstat, text, sizeof text - 1, 0);

	text[length > 0 ? length : 0] = '\0';
	return sscanf(text, "%*u %llu", &delay_ns) == 1 ? delay_ns : 0;
}

void ft__delay_sum(const struct ft__delay *delay, double *exec_s, double *delay_s)
{
	uint64_t exec_ns = delay->exec_ns, delay_ns = delay->delay_ns;

	for (size_t i = 0; i < delay->n; i++) {
		exec_ns += delay->task[i].exec_ns;
		delay_ns += delay->task[i].delay_ns;
	}
	*exec_s = 1e-9 * (double)exec_ns;
	*delay_s = 1e-9 * (double)delay_ns;
}

/* ---- the gauge ---------------------------------------------------------------------------------------- */

static void open_gauge(struct ft__keeper *keeper)
{
	keeper->schedstat = open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
}

static void begin_delay(struct ft__keeper *keeper, const struct ft__job *job, pid_t program)
{
	(void)job;
	ft__delay_begin(&keeper->delay, &keeper->tree, program);
}

/* Who looks on wants to know while it runs, also of a single task. */
static void look_at_delay(struct ft__keeper *keeper, struct ft__look *look)
{
	ft__delay_look(&keeper->delay, &keeper->tree, look->job->flags & FT__NEWS ? 0 : look->program);
}

static void end(struct ft__keeper *keeper, pid_t pid)
{
	ft__delay_end(&keeper->delay, &keeper->tree, pid);
}

static void read_gauge(struct ft__keeper *keeper, struct ft__reply *reply)
{
	ft__delay_sum(&keeper->delay, &reply->exec_s, &reply->run_delay_s);
	if (keeper->delay.readings)
		reply->flags |= FT__HAS_DELAY;
}

const struct ft__gauge ft__delay_gauge = {
	.open = open_gauge, .begin = begin_delay, .look = look_at_delay, .end = end, .read = read_gauge};
