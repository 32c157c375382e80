/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scratch.c - inside the helper: what a run keeps on file systems.
 *
 * A file counts once it was written since the start, with the blocks that it has then. It is found in three
 * places: open in a process of the run, also when it was deleted (/proc/PID/fd); under the name by which it was
 * found open; and in the folders of the run: the working folder, $TMPDIR, and folders made since the start in
 * which one of its files or processes was. A folder that all users share (its sticky bit) is no folder of the
 * run: other programs write there.
 *
 * The program waits for none of this. A look costs up to some milliseconds, so it has its own clock, and a folder
 * of many files is given up. A look ends when a process does: that is waited for with the clock in hand. */
#include "base/alloc.h"
#include "base/clock.h"
#include "measure/gauge.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	PRICE = 400,         /* least interval in durations of a look: 0.25 % of a processor */
	OFTEN = 100,         /* and in parts of the time since the start */
	ENTRIES_MOST = 4000, /* of all folders in one look */
	FILES_MOST = 16384,  /* known in one look */
	FOLDERS_MOST = 16,   /* where the run keeps files */
	DEEPEST = 12,        /* folders below each other */
};

/* One file in one look: each counts once, whatever the number of its names. */
struct file {
	dev_t device;
	ino_t number;
	uint64_t bytes;
};

/* A file that was found open, and its name. */
struct found_name {
	struct file file;
	char *path;
};

struct scratch {
	struct timespec began; /* by the clock of the kernel's file times */
	dev_t memory;          /* the device of memory without a name (memfd): no file system */
	int64_t due_ns;
	char *folder[FOLDERS_MOST]; /* [n_folders] */
	size_t n_folders, entries;
	struct found_name *name; /* [n_names] */
	size_t n_names, names_capacity;
	struct file *file; /* [n] of this look */
	size_t n, capacity;
	uint64_t peak_bytes;
	bool cut;  /* there was more than one look takes in */
	int ends;  /* a descriptor that can be read once a process has ended; -1: all have */
	bool left; /* this look was */
};

static struct scratch scratch;

/* Whether a look has to end, now and then. */
static bool is_over(void)
{
	struct pollfd event = {.fd = scratch.ends, .events = POLLIN};

	if (scratch.entries++ % 16 == 0 && scratch.ends >= 0 && poll(&event, 1, 0) > 0)
		scratch.left = true;
	return scratch.left;
}

/* Whether it is one of the files that count. */
static bool add_file(const struct stat *status)
{
	const struct file file = {status->st_dev, status->st_ino, 512 * (uint64_t)status->st_blocks};
	struct file *grown;

	if (!S_ISREG(status->st_mode) ||
	    !(status->st_ctim.tv_sec > scratch.began.tv_sec ||
	      (status->st_ctim.tv_sec == scratch.began.tv_sec &&
	       status->st_ctim.tv_nsec >= scratch.began.tv_nsec)) ||
	    status->st_dev == scratch.memory)
		return false;
	grown = scratch.n < FILES_MOST ? ft_grow(scratch.file, scratch.n, &scratch.capacity, sizeof *grown)
				       : NULL;
	if (!grown) {
		scratch.cut = true;
		return false;
	}
	scratch.file = grown;
	grown[scratch.n++] = file;
	return true;
}

/* ---- folders ------------------------------------------------------------------------------------------- */

static void add_folder(const char *path)
{
	for (size_t i = 0; i < scratch.n_folders; i++) {
		size_t length = strlen(scratch.folder[i]);

		if (!strncmp(path, scratch.folder[i], length) && (!path[length] || path[length] == '/'))
			return;
	}
	if (scratch.n_folders == FOLDERS_MOST)
		scratch.cut = true;
	else if ((scratch.folder[scratch.n_folders] = strdup(path)))
		scratch.n_folders++;
}

/* A folder of the run's own making. */
static void add_if_made(const char *path)
{
	struct statx status;

	if (statx(AT_FDCWD, path, 0, STATX_BTIME, &status) || !(status.stx_mask & STATX_BTIME) ||
	    !S_ISDIR(status.stx_mode))
		return;
	if (status.stx_btime.tv_sec > scratch.began.tv_sec ||
	    (status.stx_btime.tv_sec == scratch.began.tv_sec &&
	     status.stx_btime.tv_nsec >= (uint32_t)scratch.began.tv_nsec))
		add_folder(path);
}

/* Entries of an open folder, and of those in it on the same file system. It closes the folder. */
static void walk(int folder, dev_t device, int depth)
{
	_Alignas(struct dirent64) char buffer[2048];
	struct stat status;
	ssize_t length;

	while ((length = getdents64(folder, buffer, sizeof buffer)) > 0)
		for (ssize_t at = 0; at < length;) {
			const struct dirent64 *entry = (const void *)(buffer + at);
			int below;

			at += entry->d_reclen;
			if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
				continue;
			if (is_over() || scratch.entries > ENTRIES_MOST) {
				(void)close(folder);
				return;
			}
			if ((entry->d_type != DT_REG && entry->d_type != DT_DIR &&
			     entry->d_type != DT_UNKNOWN) ||
			    fstatat(folder, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) ||
			    status.st_dev != device)
				continue;
			(void)add_file(&status);
			if (S_ISDIR(status.st_mode) && depth < DEEPEST &&
			    (below = openat(folder, entry->d_name,
					    O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)) >= 0)
				walk(below, device, depth + 1);
		}
	(void)close(folder);
}

static void walk_folders(void)
{
	struct stat status;

	scratch.entries = 0;
	for (size_t i = 0; i < scratch.n_folders; i++) {
		int folder = open(scratch.folder[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);

		if (folder < 0)
			continue;
		if (fstat(folder, &status) || status.st_mode & S_ISVTX)
			(void)close(folder);
		else
			walk(folder, status.st_dev, 0);
		if (scratch.left)
			return;
		if (scratch.entries <= ENTRIES_MOST)
			continue;
		/* It is not looked at again: what is open in it still counts. */
		scratch.cut = true;
		free(scratch.folder[i]);
		scratch.folder[i] = scratch.folder[--scratch.n_folders];
		return;
	}
}

/* ---- files that were found open ------------------------------------------------------------------------ */

static bool is_same(const struct file *file, const struct stat *status)
{
	return file->device == status->st_dev && file->number == status->st_ino;
}

static void keep_name(int folder, const char *link, const struct stat *status)
{
	char path[PATH_MAX];
	ssize_t length;

	for (size_t i = 0; i < scratch.n_names; i++)
		if (is_same(&scratch.name[i].file, status))
			return;
	length = readlinkat(folder, link, path, sizeof path - 1);
	if (length <= 0 || !status->st_nlink)
		return;
	path[length] = '\0';
	struct found_name *grown =
		scratch.n_names < ENTRIES_MOST
			? ft_grow(scratch.name, scratch.n_names, &scratch.names_capacity, sizeof *grown)
			: NULL;
	if (!grown) {
		scratch.cut = true;
		return;
	}
	scratch.name = grown;
	grown[scratch.n_names].file = (struct file){status->st_dev, status->st_ino, 0};
	if ((grown[scratch.n_names].path = strdup(path)))
		scratch.n_names++;
	char *slash = strrchr(path, '/');
	if (slash && slash > path) {
		*slash = '\0';
		add_if_made(path);
	}
}

static void look_at_descriptor(void *ctx, int folder, const char *name)
{
	struct stat status;

	(void)ctx;
	if (!is_over() && !fstatat(folder, name, &status, 0) && add_file(&status))
		keep_name(folder, name, &status);
}

static void look_at_open(const struct ft__tree *tree, pid_t pid)
{
	char name[64], path[PATH_MAX];

	(void)snprintf(name, sizeof name, "%d/cwd", (int)pid);
	ssize_t length = readlinkat(tree->proc, name, path, sizeof path - 1);
	if (length > 0) {
		path[length] = '\0';
		add_if_made(path);
	}
	ft__tree_descriptors(tree, pid, look_at_descriptor, NULL);
}

static int compare_files(const void *a, const void *b)
{
	const struct file *x = a, *y = b;

	if (x->device != y->device)
		return (x->device > y->device) - (x->device < y->device);
	return (x->number > y->number) - (x->number < y->number);
}

/* What all of them have now. tree: NULL: every process has ended */
static void sum_files(const struct ft__tree *tree)
{
	uint64_t bytes = 0;

	scratch.n = scratch.entries = 0;
	scratch.left = false;
	for (size_t i = 0; tree && i < tree->n; i++)
		look_at_open(tree, tree->member[i].pid);
	struct stat status;

	for (size_t i = 0; i < scratch.n_names && !is_over();) {
		struct found_name *name = &scratch.name[i];

		if (lstat(name->path, &status) || !is_same(&name->file, &status)) {
			free(name->path);
			name->path = NULL;
			*name = scratch.name[--scratch.n_names];
			continue;
		}
		(void)add_file(&status);
		i++;
	}
	walk_folders();
	if (scratch.left)
		return;
	if (scratch.n)
		qsort(scratch.file, scratch.n, sizeof *scratch.file, compare_files);
	for (size_t i = 0; i < scratch.n; i++)
		if (!i || compare_files(&scratch.file[i - 1], &scratch.file[i]))
			bytes += scratch.file[i].bytes;
	if (bytes > scratch.peak_bytes)
		scratch.peak_bytes = bytes;
}

/* ---- the gauge ------------------------------------------------------------------------------------------ */

static void forget(void)
{
	for (size_t i = 0; i < scratch.n_names; i++)
		free(scratch.name[i].path);
	for (size_t i = 0; i < scratch.n_folders; i++)
		free(scratch.folder[i]);
	free(scratch.name);
	free(scratch.file);
	scratch = (struct scratch){0};
}

static void arm(struct ft__keeper *keeper, const struct ft__job *job)
{
	const char *temporary = getenv("TMPDIR");
	char path[PATH_MAX];
	struct stat status;

	(void)job;
	forget();
	scratch.ends = keeper->child_signals;
	(void)clock_gettime(CLOCK_REALTIME_COARSE, &scratch.began);
	if (keeper->reporting >= 0 && !fstat(keeper->reporting, &status))
		scratch.memory = status.st_dev;
	if (getcwd(path, sizeof path))
		add_folder(path);
	if (temporary && realpath(temporary, path))
		add_folder(path);
}

static void look(struct ft__keeper *keeper, struct ft__look *look)
{
	int64_t began_ns = ft_clock_spent_ns(), price_ns;

	if (look->since_ns < scratch.due_ns)
		return;
	sum_files(&keeper->tree);
	price_ns = ft_clock_spent_ns() - began_ns;
	look->bounded_ns += price_ns;
	scratch.due_ns =
		look->since_ns +
		(PRICE * price_ns > look->since_ns / OFTEN ? PRICE * price_ns : look->since_ns / OFTEN);
}

static void read_scratch(struct ft__keeper *keeper, struct ft__reply *reply)
{
	if (!scratch.began.tv_sec)
		return;
	scratch.ends = -1;
	if (!reply->start_errno)
		sum_files(NULL);
	reply->scratch_bytes = scratch.peak_bytes;
	reply->flags |= keeper->has_tree ? FT__HAS_SCRATCH : 0U;
	reply->flags |= scratch.cut ? FT__SCRATCH_CUT : 0U;
	forget();
}

const struct ft__gauge ft__scratch_gauge = {.arm = arm, .look = look, .read = read_scratch};
