/* SPDX-License-Identifier: GPL-3.0-or-later */
/* files.c - whether halt files are there. Each folder on the way to one is listened to (inotify), so that one
 * whose folder comes later, or goes, is seen as well. */
#include "base/alloc.h"
#include "watch/source.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* A way has at most DEPTH_MOST folders that are listened to; what is deeper, or changes again and again while
 * it is walked, is looked at each second. READS_MOST: of events, before we look at everything instead. */
enum { DEPTH_MOST = 64, READS_MOST = 64, EVENTS_BYTES = 4096 };

/* A name in a folder that is listened to, on the way to a file. */
struct step {
	int folder; /* inotify's number of it */
	size_t from, length;
};

struct file {
	const char *path; /* as the condition has it */
	struct step step[DEPTH_MOST];
	size_t n_steps;
	bool there, stale;
	bool silent; /* its changes are not told */
	int error;   /* why it cannot be told whether it is there; 0: it can */
};

struct files {
	int inotify; /* -1: none */
	struct file *file;
	const char **there; /* [n]; those that are */
	size_t n;
	int64_t looked_ns; /* at all of them, for a mount or a far link is not told */
};

/* ---- folders that tell --------------------------------------------------------------------------------- */

/* Whether all changes of a file system come by this kernel's calls, which tell of them: not those of a
 * network, and none that makes its files up. */
static bool tells(const char *path)
{
	static const unsigned known[] = {
		0xef53 /* ext */,       0x58465342 /* xfs */,      0x9123683e /* btrfs */,
		0x01021994 /* tmpfs */, 0x858458f6 /* ramfs */,    0x2fc12fc1 /* zfs */,
		0xf2f52010 /* f2fs */,  0x794c7630 /* overlay */,  0x4d44 /* vfat */,
		0x3153464a /* jfs */,   0xca451a4e /* bcachefs */, 0x73717368 /* squashfs */,
	};
	struct statfs fs;
	size_t i;

	if (statfs(path, &fs))
		return false;
	for (i = 0; i < sizeof known / sizeof *known; i++)
		if ((unsigned)fs.f_type == known[i])
			return true;
	return false;
}

/* Listen to a folder for a name in it. False: it is not there (as yet), or cannot be listened to. */
static bool add_step(struct files *files, struct file *file, const char *folder, size_t from, size_t length)
{
	static const uint32_t mask = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF |
				     IN_MOVE_SELF | IN_ONLYDIR;
	int number = files->inotify < 0 ? -1 : inotify_add_watch(files->inotify, folder, mask);

	if (number < 0) {
		file->silent = file->silent || files->inotify < 0 || (errno != ENOENT && errno != ENOTDIR);
		return false;
	}
	file->silent = file->silent || !tells(folder);
	file->step[file->n_steps++] = (struct step){number, from, length};
	return true;
}

/* From / to the file, as far as there are folders: each is listened to before the next one is looked for, so
 * that none comes unseen. */
static void walk(struct ft__source *source, struct file *file)
{
	const char *path = file->path, *end;
	char folder[PATH_MAX];
	size_t from = 0;

	file->n_steps = 0;
	file->silent = false;
	for (;;) {
		int length;

		from += strspn(path + from, "/");
		end = strchrnul(path + from, '/');
		if (!path[from])
			return;
		length = snprintf(folder, sizeof folder, "%s%.*s", source->root, (int)from, path);
		if (file->n_steps == DEPTH_MOST || length < 0 || (size_t)length >= sizeof folder) {
			file->silent = true;
			return;
		}
		if (!add_step(source->state, file, folder, from, (size_t)(end - path) - from))
			return;
		from = (size_t)(end - path);
	}
}

static bool is_used(const struct files *files, int folder)
{
	size_t i, k;

	for (i = 0; i < files->n; i++)
		for (k = 0; k < files->file[i].n_steps; k++)
			if (files->file[i].step[k].folder == folder)
				return true;
	return false;
}

/* The way as it is now; folders that no way leads through any more are left alone, or whoever renames them
 * again and again would have us listen to all of them. */
static void walk_again(struct ft__source *source, struct file *file)
{
	struct files *files = source->state;
	struct step old[DEPTH_MOST];
	size_t n = file->n_steps, i;

	memcpy(old, file->step, n * sizeof *old);
	walk(source, file);
	for (i = 0; i < n; i++)
		if (!is_used(files, old[i].folder))
			(void)inotify_rm_watch(files->inotify, old[i].folder);
}

static void look_at(struct ft__source *source, struct file *file)
{
	char path[PATH_MAX];
	int length = snprintf(path, sizeof path, "%s%s", source->root, file->path);
	struct stat st;

	file->stale = false;
	walk_again(source, file);
	if (length < 0 || (size_t)length >= sizeof path)
		errno = ENAMETOOLONG;
	else
		errno = lstat(path, &st) ? errno : 0; /* never opened: it may be a pipe */
	file->error = errno == ENOENT || errno == ENOTDIR ? 0 : errno;
	file->there = !errno;
}

/* ---- what is heard ------------------------------------------------------------------------------------- */

/* Does it concern a step of this file? */
static bool concerns(const struct file *file, const struct inotify_event *event)
{
	size_t i;

	for (i = 0; i < file->n_steps; i++) {
		const struct step *step = &file->step[i];

		if (step->folder != event->wd)
			continue;
		if (!event->len || (!strncmp(event->name, file->path + step->from, step->length) &&
				    !event->name[step->length]))
			return true;
	}
	return false;
}

static void hear_event(struct files *files, const struct inotify_event *event)
{
	size_t i;

	for (i = 0; i < files->n; i++)
		if (event->mask & IN_Q_OVERFLOW || concerns(&files->file[i], event))
			files->file[i].stale = true;
}

/* False: there is more than we care to read. */
static bool hear(struct files *files)
{
	char bytes[EVENTS_BYTES] __attribute__((aligned(__alignof__(struct inotify_event))));
	int reads;

	for (reads = 0; reads < READS_MOST; reads++) {
		ssize_t length = read(files->inotify, bytes, sizeof bytes);
		const char *at = bytes;

		if (length <= 0)
			return true;
		while (at < bytes + length) {
			const struct inotify_event *event = (const struct inotify_event *)(const void *)at;

			hear_event(files, event);
			at += sizeof *event + event->len;
		}
	}
	return false;
}

/* Begin anew, with nothing left to read. */
static void deafen(struct ft__source *source)
{
	struct files *files = source->state;
	size_t i;

	if (files->inotify >= 0)
		(void)close(files->inotify);
	for (i = 0; i < files->n; i++)
		files->file[i].n_steps = 0;
	files->inotify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (files->inotify >= 0 && !ft__source_listen(source, files->inotify, EPOLLIN)) {
		(void)close(files->inotify);
		files->inotify = -1;
	}
}

static void look(struct ft__source *source, struct ft_seen *seen, bool fresh)
{
	struct files *files = source->state;
	size_t i, n = 0;
	bool early;

	/* A queue of 16,384 events takes longer to read than to drop. */
	if (fresh)
		deafen(source);
	else if (files->inotify >= 0 && !hear(files))
		source->fresh = true;
	early = source->now_ns - files->looked_ns >= FT__PATIENT_MS * INT64_C(1000000);
	if (early)
		files->looked_ns = source->now_ns;
	ft__source_early(source, FT__PATIENT_MS);
	for (i = 0; i < files->n; i++) {
		struct file *file = &files->file[i];

		if (fresh || early || file->stale)
			look_at(source, file);
		if (file->silent)
			ft__source_due(source, FT__PATIENT_MS);
		if (file->error)
			ft__source_cannot(source, "'%.160s' cannot be looked at: %s", file->path,
					  strerror(file->error));
		if (file->there)
			files->there[n++] = file->path;
	}
	seen->files = files->there;
	seen->n_files = n;
}

/* ---- its state ----------------------------------------------------------------------------------------- */

static void add_file(struct files *files, const char *path)
{
	size_t i;

	for (i = 0; i < files->n; i++)
		if (!strcmp(files->file[i].path, path))
			return;
	files->file[files->n++].path = path;
}

static enum ft_status open_files(struct ft__source *source, struct ft_err *err)
{
	struct files *files = ft_calloc(1, sizeof *files);
	size_t i, k, n = 1;

	source->state = files;
	if (!files)
		return ft_nomem(err);
	files->inotify = -1;
	for (i = 0; i < source->n_conditions; i++)
		n += source->condition[i]->n_names;
	files->file = ft_calloc(n, sizeof *files->file);
	files->there = ft_calloc(n, sizeof *files->there);
	if (!files->file || !files->there)
		return ft_nomem(err);
	for (i = 0; i < source->n_conditions; i++)
		for (k = 0; k < source->condition[i]->n_names; k++)
			add_file(files, source->condition[i]->names[k]);
	return FT_OK;
}

static void close_files(struct ft__source *source)
{
	struct files *files = source->state;

	if (files->inotify >= 0)
		(void)close(files->inotify);
	ft_free(files->file);
	ft_free(files->there);
	ft_free(files);
}

const struct ft__source_ops ft__source_files = {
	.name = "halt files",
	.kinds = 1 << FT_CONDITION_HALT_FILE,
	.open = open_files,
	.look = look,
	.close = close_files,
};
