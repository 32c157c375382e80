/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tree.c - finds all descendants of this process in /proc: their memory, and their end. */
#include "base/alloc.h"
#include "measure/tree.h"
#include "num/num.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The position of process number p in a reading of the /proc folder: after the fixed entries
 * (fs/proc/base.c, TGID_OFFSET). Reading starts a little earlier, in case this ever changes. */
enum { PROC_OFFSET = 258, PROC_SLACK = 16, PID_MOST = 1 << 22 /* PID_MAX_LIMIT of Linux */ };

bool ft__tree_read(int folder, const char *name, char *buffer, size_t size)
{
	int file = openat(folder, name, O_RDONLY | O_CLOEXEC);

	if (file < 0)
		return false;
	ssize_t length = read(file, buffer, size - 1);
	(void)close(file);
	if (length <= 0)
		return false;
	buffer[length] = '\0';
	return true;
}

void ft__tree_descriptors(const struct ft__tree *tree, pid_t pid,
			  void (*each)(void *ctx, int folder, const char *name), void *ctx)
{
	_Alignas(struct dirent64) char buffer[2048];
	char name[64];
	ssize_t length;

	(void)snprintf(name, sizeof name, "%d/fd", (int)pid);
	int folder = openat(tree->proc, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		return;
	while ((length = getdents64(folder, buffer, sizeof buffer)) > 0)
		for (ssize_t at = 0; at < length;) {
			const struct dirent64 *entry = (const void *)(buffer + at);

			at += entry->d_reclen;
			if (isdigit((unsigned char)*entry->d_name) && strlen(entry->d_name) <= 10)
				each(ctx, folder, entry->d_name);
		}
	(void)close(folder);
}

bool ft__tree_open(struct ft__tree *tree, const char *root)
{
	char path[4096], number[32];

	*tree = (struct ft__tree){.self = getpid(), .recorded = *root, .loadavg = -1};
	(void)snprintf(path, sizeof path, "%s/proc", root);
	tree->proc = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (tree->proc < 0)
		return false;
	ssize_t length = readlinkat(tree->proc, "self", number, sizeof number - 1);
	number[length > 0 ? length : 0] = '\0';
	if (tree->recorded)
		tree->self = atoi(number);
	tree->loadavg = openat(tree->proc, "loadavg", O_RDONLY | O_CLOEXEC);
	if (atoi(number) == tree->self && tree->loadavg >= 0)
		return true;
	(void)close(tree->proc);
	tree->proc = -1;
	return false;
}

void ft__tree_close(struct ft__tree *tree)
{
	if (tree->proc >= 0)
		(void)close(tree->proc);
	if (tree->loadavg >= 0)
		(void)close(tree->loadavg);
	ft_free(tree->member);
	ft_free(tree->found);
	*tree = (struct ft__tree){.proc = -1, .loadavg = -1};
}

pid_t ft__tree_last(const struct ft__tree *tree)
{
	char text[128];
	ssize_t length = pread(tree->loadavg, text, sizeof text - 1, 0);

	if (length <= 0)
		return 0;
	text[length] = '\0';
	const char *last = strrchr(text, ' ');
	return last ? atoi(last + 1) : 0;
}

bool ft__tree_one(const struct ft__tree *tree, pid_t pid, struct ft__tree_process *out)
{
	char name[32], text[512], *rest;

	*out = (struct ft__tree_process){.pid = pid};
	(void)snprintf(name, sizeof name, "%d/stat", (int)pid);
	if (!ft__tree_read(tree->proc, name, text, sizeof text))
		return false;
	rest = strrchr(text, ')'); /* a command's name may hold anything, even this */
	return rest && sscanf(rest + 1, " %c %d %d", &out->state, &out->parent, &out->group) == 3;
}

static bool add_found(struct ft__tree *tree, pid_t pid)
{
	struct ft__tree_process process;

	if (!ft__tree_one(tree, pid, &process))
		return true;
	struct ft__tree_process *grown =
		ft_grow(tree->found, tree->n_found, &tree->found_capacity, sizeof *grown);
	if (!grown)
		return false;
	tree->found = grown;
	tree->found[tree->n_found++] = process;
	return true;
}

/* Add those in an entry of the folder; false: that was the last of interest. */
static bool scan_entries(struct ft__tree *tree, const char *entries, ssize_t length, pid_t after, pid_t last)
{
	for (ssize_t at = 0; at < length;) {
		const struct dirent64 *entry = (const void *)(entries + at);
		pid_t pid = entry->d_name[0] > '0' && entry->d_name[0] <= '9' ? atoi(entry->d_name) : 0;

		at += entry->d_reclen;
		if (pid > last && !tree->recorded)
			return false;
		if (pid > after && pid <= last && !add_found(tree, pid))
			return false;
	}
	return true;
}

static int compare_pids(const void *a, const void *b)
{
	const pid_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

size_t ft__pid_place(pid_t pid, const void *entries, size_t n, size_t size)
{
	return ft_search(&pid, entries, n, size, compare_pids);
}

/* Fill found with the processes whose numbers are greater than `after`, and not greater than `last`,
   ascending. */
static void scan_processes(struct ft__tree *tree, pid_t after, pid_t last)
{
	_Alignas(struct dirent64) char buffer[8192];
	off_t from = after > PROC_SLACK && !tree->recorded ? PROC_OFFSET + after - PROC_SLACK : 0;
	ssize_t length;

	tree->n_found = 0;
	if (lseek(tree->proc, from, SEEK_SET) < 0)
		return;
	do {
		length = getdents64(tree->proc, buffer, sizeof buffer);
	} while (length > 0 && scan_entries(tree, buffer, length, after, last));
	if (tree->recorded && tree->n_found)
		qsort(tree->found, tree->n_found, sizeof *tree->found, compare_pids);
}

static struct ft__tree_process *find_process(const struct ft__tree *tree, pid_t pid)
{
	size_t at = ft__pid_place(pid, tree->found, tree->n_found, sizeof *tree->found);

	return at < tree->n_found && tree->found[at].pid == pid ? &tree->found[at] : NULL;
}

static bool is_member(const struct ft__tree *tree, pid_t pid)
{
	size_t at = ft__pid_place(pid, tree->member, tree->n, sizeof *tree->member);

	return at < tree->n && tree->member[at].pid == pid;
}

/* Mark a process and its ancestors among those found: ours when the line of parents leads to us or to a
 * member. */
static void mark_process(struct ft__tree *tree, struct ft__tree_process *process)
{
	struct ft__tree_process *p = process, *parent;
	size_t steps = 0;
	enum ft__tree_mark result = FT__TREE_UNKNOWN;

	while (!result) {
		if (p->mark)
			result = p->mark;
		else if (p->parent == tree->self || is_member(tree, p->parent))
			result = FT__TREE_OURS;
		else if (!(parent = find_process(tree, p->parent)) || ++steps > tree->n_found)
			result = FT__TREE_FOREIGN;
		else
			p = parent;
	}
	for (p = process; p && !p->mark; p = p->parent == tree->self ? NULL : find_process(tree, p->parent))
		p->mark = result;
}

/* Once, however often it is found. */
static void add_member(struct ft__tree *tree, pid_t pid)
{
	size_t at = ft__pid_place(pid, tree->member, tree->n, sizeof *tree->member);

	if (at < tree->n && tree->member[at].pid == pid)
		return;
	struct ft__tree_member *grown = ft_grow(tree->member, tree->n, &tree->capacity, sizeof *grown);
	if (!grown)
		return;
	tree->member = grown;
	memmove(tree->member + at + 1, tree->member + at, (tree->n++ - at) * sizeof *tree->member);
	tree->member[at] = (struct ft__tree_member){.pid = pid};
}

/* Bring the members up to date. New ones have numbers allocated since the last look; they are scanned
 * twice, since a number is allocated before its process becomes visible. When numbers have wrapped around,
 * everything is scanned once: from then on our older processes have numbers above the last allocated one,
 * and are not new because of that. */
static void discover_members(struct ft__tree *tree)
{
	pid_t last = ft__tree_last(tree), after = tree->seen_before;
	bool again = last < tree->seen || !last;

	if (!again && last == tree->seen && last == after)
		return;
	if (again)
		tree->n = 0;
	scan_processes(tree, again ? 0 : after, again ? PID_MOST : last);
	for (size_t i = 0; i < tree->n_found; i++)
		mark_process(tree, &tree->found[i]);
	for (size_t i = 0; i < tree->n_found; i++)
		if (tree->found[i].mark == FT__TREE_OURS)
			add_member(tree, tree->found[i].pid);
	tree->seen_before = again ? 0 : tree->seen;
	tree->seen = last;
}

void ft__tree_begin(struct ft__tree *tree, pid_t pid)
{
	tree->n = 0;
	tree->seen = tree->seen_before = pid;
	add_member(tree, pid);
}

uint64_t ft__tree_bytes(struct ft__tree *tree)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), bytes = 0;
	size_t kept = 0;

	tree->living = 0;
	if (tree->proc < 0)
		return 0;
	discover_members(tree);
	for (size_t i = 0; i < tree->n; i++) {
		struct ft__tree_member member = tree->member[i];
		unsigned long resident = 0;
		char name[32], text[128];

		(void)snprintf(name, sizeof name, "%d/statm", (int)tree->member[i].pid);
		if (!ft__tree_read(tree->proc, name, text, sizeof text))
			continue;
		(void)sscanf(text, "%*u %lu", &resident);
		member.rss_bytes = resident * page;
		bytes += member.rss_bytes;
		tree->living += resident > 0;
		tree->member[kept++] = member;
	}
	tree->n = kept;
	return bytes;
}

double ft__tree_cpu_s(const struct ft__tree *tree)
{
	uint64_t ticks = 0;

	for (size_t i = 0; i < tree->n; i++) {
		unsigned long user, system;
		long waited_user, waited_system;
		char name[32], text[512];
		const char *rest;

		(void)snprintf(name, sizeof name, "%d/stat", (int)tree->member[i].pid);
		if (!ft__tree_read(tree->proc, name, text, sizeof text) || !(rest = strrchr(text, ')')))
			continue;
		/* proc(5): the fields 14 to 17; the rest begins with field 3. */
		if (sscanf(rest + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %ld %ld", &user,
			   &system, &waited_user, &waited_system) == 4)
			ticks += user + system + (uint64_t)waited_user + (uint64_t)waited_system;
	}
	return (double)ticks / (double)sysconf(_SC_CLK_TCK);
}

void ft__tree_scan(struct ft__tree *tree, pid_t after)
{
	tree->n = tree->n_found = 0;
	if (tree->proc < 0)
		return;
	scan_processes(tree, after, PID_MOST);
	for (size_t i = 0; i < tree->n_found; i++)
		mark_process(tree, &tree->found[i]);
}

/* A process that is always another forks faster than all processes are read: after them only the newest
 * numbers are, which takes less than a fork, as long as something lives there. Beside four busy processes on
 * two processors 5 of 3,000 such programs lived on for more than 80 ms without these rounds, 1 of 8,300 with. */
enum { NEWEST = 16, NEWEST_ROUNDS = 64 };

void ft__tree_kill(struct ft__tree *tree, pid_t group)
{
	pid_t after = 0, last;
	bool alive = true;

	for (int round = 0; alive && round <= NEWEST_ROUNDS; round++) {
		alive = false;
		ft__tree_scan(tree, after);
		for (size_t i = 0; i < tree->n_found; i++) {
			const struct ft__tree_process *process = &tree->found[i];

			if (process->mark != FT__TREE_OURS)
				continue;
			/* A group dies as one: nothing in it can fork meanwhile. */
			if (process->group == process->pid || process->group == group)
				(void)kill(-process->group, SIGKILL);
			/* A process in zombie state may only have lost its first thread. */
			(void)kill(process->pid, SIGKILL);
			alive |= process->state != 'Z';
		}
		last = ft__tree_last(tree);
		after = last > NEWEST ? last - NEWEST : 0;
	}
}
