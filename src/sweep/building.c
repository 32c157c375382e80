/* SPDX-License-Identifier: GPL-3.0-or-later */
/* building.c - the progress of a running build, for observers. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/files.h"
#include "base/text.h"
#include "store/door.h"
#include "sweep/door.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * For foretime show, also of another user: a line of the store.
 */

static void key_of(int64_t program, int64_t machine, char key[64])
{
	(void)snprintf(key, 64, "building %" PRId64 " %" PRId64, program, machine);
}

/* When a process began, in ticks of this boot, which no other one of its number has; 0: it is not there.
 * proc(5), /proc/PID/stat, field 22: behind the last ')' of its name. */
static uint64_t began_ticks(int pid)
{
	char text[1024], *at;
	uint64_t ticks = 0;

	if (!ft__file_read(text, sizeof text, "", "/proc/%d/stat", pid) || !(at = strrchr(text, ')')))
		return 0;
	for (int field = 2; field < 22 && at; field++)
		at = strchr(at + 1, ' ');
	if (at)
		ticks = strtoull(at, NULL, 10);
	return ticks;
}

enum ft_status ft_building_put(struct ft_store *store, int64_t program, int64_t machine,
			       const struct ft_building *building, struct ft_err *err)
{
	struct ft_text text = {0};
	char key[64];

	key_of(program, machine, key);
	ft_text_add(&text, "%d %" PRIu64 " %" PRId64 " %d %zu %zu %.9g %.9g %.9g %.9g %.9g %.9g",
		    (int)getpid(), began_ticks((int)getpid()), ft_clock_real_ns(), (int)building->reason,
		    building->points, building->runs, building->gain, building->expected_s, building->spent_s,
		    building->budget_s, building->tolerance, building->complete);
	for (size_t i = 0; i < building->size.n; i++)
		ft_text_add(&text, " %.17g", building->size.value[i]);
	enum ft_status status = text.failed ? ft_nomem(err) : ft_store_put_known(store, key, text.s, err);
	ft_text_clear(&text);
	return status;
}

enum ft_status ft_building_end(struct ft_store *store, int64_t program, int64_t machine, struct ft_err *err)
{
	char key[64];

	key_of(program, machine, key);
	return ft_store_put_known(store, key, NULL, err);
}

static void read_size(const char *at, struct ft_size *size)
{
	char *end;

	for (*size = (struct ft_size){0}; size->n < FT_PARAMS_MAX; size->n++, at = end) {
		double value = strtod(at, &end);

		if (end == at)
			return;
		size->value[size->n] = value;
	}
}

static bool read_text(const char *text, struct ft_building *out)
{
	int pid, reason, used = 0;
	uint64_t ticks;
	int n = sscanf(text, "%d %" SCNu64 " %" SCNd64 " %d %zu %zu %lf %lf %lf %lf %lf %lf%n", &pid, &ticks,
		       &out->told_ns, &reason, &out->points, &out->runs, &out->gain, &out->expected_s,
		       &out->spent_s, &out->budget_s, &out->tolerance, &out->complete, &used);

	if (n < 12 || !ticks || began_ticks(pid) != ticks)
		return false;
	out->reason = (enum ft_reason)reason;
	read_size(text + used, &out->size);
	return true;
}

enum ft_status ft_building_get(struct ft_store *store, int64_t program, int64_t machine,
			       struct ft_building *out, struct ft_err *err)
{
	char key[64], *text;

	*out = (struct ft_building){0};
	key_of(program, machine, key);
	enum ft_status status = ft_store_get_known(store, key, &text, err);
	if (status && status != FT_ENOENT)
		return status;
	if (status || !read_text(text, out)) {
		*out = (struct ft_building){0};
		status = ft_fail(err, FT_ENOENT, "no build of it runs on this machine");
	}
	free(text);
	return status;
}

/*
 * For the page: a file of each building process, in the folder of this user's session. Reading it opens no store and
 * computes no model, so that an observer is as fast as the build.
 */

/* PID-TICKS-DEVICE-INODE, of the process and of its store. */
static bool name_of(const char *store, char name[FT__LINE_LENGTH])
{
	struct stat st;
	int pid = (int)getpid();

	if (stat(store, &st))
		return false;
	(void)snprintf(name, FT__LINE_LENGTH, "%d-%" PRIu64 "-%jx-%jx", pid, began_ticks(pid),
		       (uintmax_t)st.st_dev, (uintmax_t)st.st_ino);
	return true;
}

/* The folder, which belongs to this user and which only this user writes; -1: there is none. */
static int open_folder(bool make)
{
	const char *runtime = secure_getenv("XDG_RUNTIME_DIR");
	char path[PATH_MAX];
	struct stat st;

	if (runtime && *runtime == '/' && strlen(runtime) < sizeof path - 32)
		(void)snprintf(path, sizeof path, "%s/foretime", runtime);
	else
		(void)snprintf(path, sizeof path, "/tmp/foretime-%lu", (unsigned long)geteuid());
	if (make)
		(void)mkdir(path, 0700);
	(void)strcat(path, "/builds");
	if (make)
		(void)mkdir(path, 0700);
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || (!fstat(fd, &st) && st.st_uid == geteuid() && !(st.st_mode & (S_IWGRP | S_IWOTH))))
		return fd;
	(void)close(fd);
	return -1;
}

bool ft_live_put(const char *store, const char *text)
{
	char name[FT__LINE_LENGTH], fresh[FT__LINE_LENGTH + 8];
	int folder = name_of(store, name) ? open_folder(true) : -1;

	if (folder < 0)
		return false;
	(void)snprintf(fresh, sizeof fresh, ".%s", name);
	int fd = openat(folder, fresh, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	bool good = fd >= 0 && !ft__file_write(fd, text, strlen(text));
	good = fd >= 0 && !close(fd) && good && !renameat(folder, fresh, folder, name);
	if (fd >= 0 && !good)
		(void)unlinkat(folder, fresh, 0);
	(void)close(folder);
	return good;
}

void ft_live_end(const char *store)
{
	char name[FT__LINE_LENGTH];
	int folder = name_of(store, name) ? open_folder(false) : -1;

	if (folder < 0)
		return;
	(void)unlinkat(folder, name, 0);
	(void)close(folder);
}

void ft_live_each(const char *store, void (*each)(void *ctx, const char *text), void *ctx)
{
	struct stat st;
	int folder = stat(store, &st) ? -1 : open_folder(false);
	DIR *dir = folder < 0 ? NULL : fdopendir(folder);
	const struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		const char *name = entry->d_name + (*entry->d_name == '.');
		uintmax_t device, inode;
		uint64_t ticks;
		int pid;

		if (sscanf(name, "%d-%" SCNu64 "-%jx-%jx", &pid, &ticks, &device, &inode) != 4)
			continue;
		/* Left behind by a process that was killed. */
		if (began_ticks(pid) != ticks) {
			(void)unlinkat(folder, entry->d_name, 0);
		} else if (name == entry->d_name && device == st.st_dev && inode == st.st_ino) {
			int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
			char *bytes = fd < 0 ? NULL : ft_malloc(FT_LIVE_BYTES);
			ssize_t n = bytes ? read(fd, bytes, FT_LIVE_BYTES - 1) : -1;

			if (n > 0) {
				bytes[n] = '\0';
				each(ctx, bytes);
			}
			ft_free(bytes);
			if (fd >= 0)
				(void)close(fd);
		}
	}
	if (dir)
		(void)closedir(dir);
	else if (folder >= 0)
		(void)close(folder);
}
