/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resident.c - inside the helper: the memory of a tree, with shared memory counted once. */
#include "base/alloc.h"
#include "base/clock.h"
#include "measure/gauge.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	FT__RESIDENT_PRICE = 400, /* least distance of readings in durations: 0.25 % of a processor */
};

/*
 * Inside the helper: the trace of a run, within a bounded memory.
 */

void ft__moments_add(struct ft__moments *moments, const struct ft__moment *moment)
{
	if (moments->n == FT__MOMENTS_MAX) {
		size_t n = moments->n / 2;

		for (size_t i = 0; i < n; i++) {
			const struct ft__moment *a = &moments->moment[2 * i], *b = a + 1;
			struct ft__moment joined = *b;

			if (a->rss_bytes > b->rss_bytes)
				joined.rss_bytes = a->rss_bytes;
			if (a->processes > b->processes)
				joined.processes = a->processes;
			moments->moment[i] = joined;
		}
		if (moments->n % 2)
			moments->moment[n++] = moments->moment[moments->n - 1];
		moments->n = n;
		moments->sparser *= 2;
	}
	struct ft__moment *grown = ft_grow(moments->moment, moments->n, &moments->capacity, sizeof *grown);
	if (!grown)
		return;
	moments->moment = grown;
	moments->moment[moments->n++] = *moment;
}

void ft__moments_cap(struct ft__moments *moments, uint64_t peak_bytes)
{
	for (size_t i = 0; i < moments->n; i++)
		if (moments->moment[i].rss_bytes > peak_bytes)
			moments->moment[i].rss_bytes = peak_bytes;
}

void ft__moments_clear(struct ft__moments *moments)
{
	ft_free(moments->moment);
	/* Our memory is the floor of the next child's. */
	if (moments->moment)
		(void)malloc_trim(0);
	*moments = (struct ft__moments){.sparser = 1};
}

/*
 * Inside the helper: a control group of memory for it and the programs that it starts.
 */

/* Of version 1, to move one thread takes some microseconds, and we have one; a process 20 ms (Linux 6.18). */
static const char *const members[2] = {"tasks", "cgroup.procs"};

/* The same value in both versions: of all below the group. */
static const char *const group_anon[2] = {"\ntotal_rss ", "\nanon "}, *const group_shmem[2] = {
									      "\ntotal_shmem ", "\nshmem "};

/* The files of kills for memory (Linux 4.13). */
static const char *const events[2] = {"memory.oom_control", "memory.events"};

/* This process into the group of a folder. */
static bool enter_group(int folder, const char *file)
{
	int procs = openat(folder, file, O_WRONLY | O_CLOEXEC);
	bool good = procs >= 0 && write(procs, "0", 1) == 1;

	if (procs >= 0)
		(void)close(procs);
	return good;
}

/* The last step that may fail is to enter it. */
static bool make_group(struct ft__own_group *group)
{
	bool good = false;

	if (mkdirat(group->parent, group->name, 0755) && errno != EEXIST)
		return false;
	int folder = openat(group->parent, group->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder >= 0) {
		struct ft__group_memory memory;

		group->stat = openat(folder, "memory.stat", O_RDONLY | O_CLOEXEC);
		group->second = faccessat(folder, members[0], F_OK, 0) != 0;
		group->events = openat(folder, events[group->second], O_RDONLY | O_CLOEXEC);
		group->there = group->stat >= 0;
		good = ft__own_group_read(group, &memory) && enter_group(folder, members[group->second]);
		(void)close(folder);
	}
	if (!good)
		(void)unlinkat(group->parent, group->name, AT_REMOVEDIR);
	return good;
}

static void forget_group(struct ft__own_group *group)
{
	if (group->stat >= 0)
		(void)close(group->stat);
	if (group->events >= 0)
		(void)close(group->events);
	(void)close(group->parent);
	*group = (struct ft__own_group){0};
}

void ft__own_group_open(struct ft__own_group *group, const char *folder)
{
	*group = (struct ft__own_group){.stat = -1, .events = -1};
	(void)snprintf(group->name, sizeof group->name, "foretime-%d-runs", (int)getpid());
	group->parent = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	if (group->parent < 0)
		*group = (struct ft__own_group){0};
	else if (!make_group(group))
		forget_group(group);
}

/* Processes left running stay in the group, so it stays, too: the next helper's start removes it once it
 * is empty (ft__cgroups_own). */
void ft__own_group_close(struct ft__own_group *group)
{
	if (!group->there)
		return;
	if (enter_group(group->parent, members[group->second]))
		(void)unlinkat(group->parent, group->name, AT_REMOVEDIR);
	forget_group(group);
}

static bool find_number(const char *text, const char *key, uint64_t *number)
{
	const char *found = strstr(text, key);

	if (found)
		*number = strtoull(found + strlen(key), NULL, 10);
	return found;
}

/* A file of it, as lines that each begin behind a newline. */
static bool read_lines(int file, char *text, size_t size)
{
	ssize_t length = pread(file, text + 1, size - 2, 0);

	if (length <= 0)
		return false;
	text[0] = '\n';
	text[1 + length] = '\0';
	return true;
}

uint64_t ft__own_group_kills(const struct ft__own_group *group)
{
	char text[512];
	uint64_t kills = 0;

	if (group->there && group->events >= 0 && read_lines(group->events, text, sizeof text))
		(void)find_number(text, "\noom_kill ", &kills);
	return kills;
}

bool ft__own_group_read(const struct ft__own_group *group, struct ft__group_memory *memory)
{
	char text[8192];

	return group->there && read_lines(group->stat, text, sizeof text) &&
	       find_number(text, group_anon[group->second], &memory->anon_bytes) &&
	       find_number(text, group_shmem[group->second], &memory->shmem_bytes);
}

/*
 * Inside the helper: how long the tasks of a tree waited, runnable, for a processor.
 */

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
	_Alignas(struct dirent64) char buffer[4096];
	ssize_t length, at;
	char file[32];

	while ((length = getdents64(folder, buffer, sizeof buffer)) > 0)
		for (at = 0; at < length;) {
			const struct dirent64 *entry = (const void *)(buffer + at);
			pid_t tid = atoi(entry->d_name);

			at += entry->d_reclen;
			if (tid <= 0)
				continue;
			(void)snprintf(file, sizeof file, "%d/schedstat", (int)tid);
			read_task(delay, folder, file, tid);
		}
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
	if (pid == delay->first) {
		char text[TEXT_SIZE];
		ssize_t length = pread(delay->file, text, sizeof text - 1, 0);

		text[length > 0 ? length : 0] = '\0';
		take_schedstat(delay, text, delay->first);
		close_first(delay);
	} else {
		read_task(delay, tree->proc, name, pid);
	}
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

/* ---- waiting ---------------------------------------------------------------------------------------- */

static void open_gauge(struct ft__keeper *keeper)
{
	keeper->schedstat = open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
}

static void begin_delay(struct ft__keeper *keeper, const struct ft__job *job, pid_t program)
{
	(void)job;
	ft__delay_begin(&keeper->delay, &keeper->tree, program);
}

/* A listener needs it during the run, even of a single task. */
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

/*
 * Inside the helper: the memory of a tree, with shared memory counted once.
 */

const struct ft__gauge ft__delay_gauge = {
	.open = open_gauge, .begin = begin_delay, .look = look_at_delay, .end = end, .read = read_gauge};

/* The value of the group is an estimate if shared memory has changed by more than this share of all, which
 * may be unmapped files, or if the group changed that much during the reading it started from. */
static const double moves_most = 0.01;

void ft__resident_begin(struct ft__resident *resident, const struct ft__own_group *group)
{
	*resident = (struct ft__resident){.group = group, .own = 1};
}

/* ---- between readings --------------------------------------------------------------------------------- */

static double guess_member(const struct ft__resident *resident, const struct ft__tree_member *member,
			   double largest)
{
	double rss = (double)member->rss_bytes, read = (double)member->read_bytes;
	double inherited = rss < largest ? rss : largest;

	if (!member->read_bytes)
		return resident->own * inherited + (rss - inherited);
	return rss > read ? (double)member->own_bytes + (rss - read) : (double)member->own_bytes * rss / read;
}

static double guess_tree(const struct ft__resident *resident, const struct ft__tree *tree)
{
	double largest = 0, sum = 0;

	for (size_t i = 0; i < tree->n; i++)
		if ((double)tree->member[i].read_bytes > largest)
			largest = (double)tree->member[i].read_bytes;
	for (size_t i = 0; i < tree->n; i++)
		sum += guess_member(resident, &tree->member[i], largest);
	return sum;
}

/* By the group, from the last reading on. Returns false where that cannot be. */
static bool follow_tree(const struct ft__resident *resident, double *bytes, bool *sure)
{
	const struct ft__group_memory *before = &resident->at_reading;
	struct ft__group_memory now;

	if (!(resident->read_bytes > 0) || !ft__own_group_read(resident->group, &now))
		return false;
	double anon = (double)now.anon_bytes - (double)before->anon_bytes;
	double shmem = (double)now.shmem_bytes - (double)before->shmem_bytes;
	*bytes = resident->read_bytes + anon + shmem;
	*sure = resident->settled && fabs(shmem) <= moves_most * *bytes;
	return *bytes > 0;
}

/* The tree now, without a reading; sure: that is no guess. */
static double estimate_tree(const struct ft__resident *resident, const struct ft__tree *tree, bool *sure)
{
	double bytes;

	if (follow_tree(resident, &bytes, sure))
		return bytes;
	*sure = false;
	return guess_tree(resident, tree);
}

/* ---- a reading ---------------------------------------------------------------------------------------- */

static bool find_kib(const char *text, const char *key, uint64_t *bytes)
{
	const char *found = strstr(text, key);

	if (found)
		*bytes = 1024 * strtoull(found + strlen(key), NULL, 10);
	return found;
}

/* Shared memory counts by its share. A process of another user, or of a kernel without smaps_rollup
 * (before 4.14), stays unread. */
static bool read_member(const struct ft__tree *tree, struct ft__tree_member *member)
{
	char name[32], text[512];

	(void)snprintf(name, sizeof name, "%d/smaps_rollup", (int)member->pid);
	return member->rss_bytes && ft__tree_read(tree->proc, name, text, sizeof text) &&
	       find_kib(text, "\nRss:", &member->read_bytes) && find_kib(text, "\nPss:", &member->own_bytes);
}

static double held_bytes(const struct ft__group_memory *memory)
{
	return (double)memory->anon_bytes + (double)memory->shmem_bytes;
}

/* From where the group is followed. */
static void mark_settled(struct ft__resident *resident, double own, const struct ft__group_memory *before)
{
	struct ft__group_memory after;

	resident->read_bytes = 0;
	if (!ft__own_group_read(resident->group, &after))
		return;
	resident->read_bytes = own;
	resident->settled = fabs(held_bytes(&after) - held_bytes(before)) <= moves_most * own;
	resident->at_reading.anon_bytes = (before->anon_bytes + after.anon_bytes) / 2;
	resident->at_reading.shmem_bytes = (before->shmem_bytes + after.shmem_bytes) / 2;
}

/* ---- both --------------------------------------------------------------------------------------------- */

static void raise_peak(struct ft__resident *resident, double bytes, bool guessed)
{
	if (bytes <= (double)resident->peak_bytes)
		return;
	resident->peak_bytes = (uint64_t)bytes;
	resident->guessed = guessed;
}

/* The value between readings, as the largest since the last one. */
static void raise_guess(struct ft__resident *resident, double bytes, bool sure)
{
	if (bytes <= resident->guess_bytes || bytes <= (double)resident->peak_bytes)
		return;
	resident->guess_bytes = bytes;
	resident->sure = sure;
}

uint64_t ft__resident_look(struct ft__resident *resident, struct ft__tree *tree, uint64_t rss_bytes,
			   bool always, int64_t now_ns)
{
	bool sure;

	if (tree->living < 2) {
		raise_peak(resident, (double)rss_bytes, false);
		return rss_bytes;
	}
	double bytes = estimate_tree(resident, tree, &sure);
	if (now_ns < resident->due_ns ||
	    !(always || rss_bytes > resident->peak_bytes || resident->guess_bytes > 0)) {
		raise_guess(resident, bytes, sure);
		return (uint64_t)bytes;
	}
	int64_t began_ns = ft_clock_spent_ns();
	struct ft__group_memory before = {0};
	double rss = 0, own = 0;
	size_t unread = tree->living;

	(void)ft__own_group_read(resident->group, &before);
	for (size_t i = 0; i < tree->n; i++)
		if (read_member(tree, &tree->member[i])) {
			rss += (double)tree->member[i].read_bytes;
			own += (double)tree->member[i].own_bytes;
			unread--;
		}
	if (rss > 0)
		resident->own = own / rss;
	mark_settled(resident, unread ? 0 : own, &before);
	resident->due_ns = now_ns + FT__RESIDENT_PRICE * (ft_clock_spent_ns() - began_ns);
	bool all = !unread;
	double is = guess_tree(resident, tree);
	double past = is < bytes && !sure ? resident->guess_bytes * is / bytes : resident->guess_bytes;
	raise_peak(resident, is, !all);
	raise_peak(resident, past, !(resident->sure && sure));
	resident->guess_bytes = 0;
	return (uint64_t)is;
}

uint64_t ft__resident_peak(const struct ft__resident *resident, bool *guessed)
{
	bool higher = resident->guess_bytes > (double)resident->peak_bytes;

	*guessed = higher ? !resident->sure : resident->guessed;
	return higher ? (uint64_t)resident->guess_bytes : resident->peak_bytes;
}
