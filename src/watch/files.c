/* SPDX-License-Identifier: GPL-3.0-or-later */
/* files.c - watches whether halt files exist. Each folder on the way to one is watched (inotify), so that
 * the creation or removal of a folder is noticed as well. A file system on the way may not respond, so
 * each look runs in a thread (aside.h). */
#include "base/alloc.h"
#include "watch/aside.h"
#include "watch/source.h"

#include <errno.h>
#include <fcntl.h>
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

/* An answer is there after some 50 us, or comes with an event; what is silent for SILENT_MS cannot be seen.
 */
enum { WAIT_MS = 2, GIVEN_MS = 200, SILENT_MS = 1000 };

/* A name in a folder that is listened to, on the way to a file. */
struct files_step {
	int folder; /* inotify's number of it */
	size_t from, length;
};

/* The query of one look, and its answer. */
struct files_way {
	int inotify;    /* ours, as are the paths; -1: none */
	unsigned epoch; /* of the descriptor that it belongs to */
	char *root, *path;
	struct files_step step[DEPTH_MOST];
	size_t n_steps;
	bool there;
	bool silent; /* its changes raise no events */
	int error;   /* why it is unknown whether it exists; 0: it is known */
};

struct files_file {
	const char *path; /* as in the condition */
	struct ft__aside *aside;
	struct files_way way; /* as last seen, without paths */
	bool stale, seen;
	bool given; /* the time that a question gets before it is called silent */
};

struct files {
	int inotify;    /* -1: none */
	unsigned epoch; /* another one with each descriptor */
	struct files_file *file;
	const char **there; /* [n]; those that are */
	size_t n;
	int64_t looked_ns; /* at all of them, since a mount or a far link raises no event */
};

/* ---- folders with events
   --------------------------------------------------------------------------------- */

/* Whether all changes of a file system go through this kernel, which raises events: not on a network, nor
 * on a synthetic file system. */
static bool tells_all_changes(const char *path)
{
	static const unsigned known[] = {
		0xef53 /* ext */,       0x58465342 /* xfs */,      0x9123683e /* btrfs */,
		0x01021994 /* tmpfs */, 0x858458f6 /* ramfs */,    0x2fc12fc1 /* zfs */,
		0xf2f52010 /* f2fs */,  0x794c7630 /* overlay */,  0x4d44 /* vfat */,
		0x3153464a /* jfs */,   0xca451a4e /* bcachefs */, 0x73717368 /* squashfs */,
	};
	struct statfs fs;

	if (statfs(path, &fs))
		return false;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if ((unsigned)fs.f_type == known[i])
			return true;
	return false;
}

/* Listen to a folder for a name in it. False: it is not there (as yet), or cannot be listened to. */
static bool add_step(struct files_way *way, const char *folder, size_t from, size_t length)
{
	static const uint32_t mask = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF |
				     IN_MOVE_SELF | IN_ONLYDIR;
	int number = way->inotify < 0 ? -1 : inotify_add_watch(way->inotify, folder, mask);

	if (number < 0) {
		way->silent = way->silent || way->inotify < 0 || (errno != ENOENT && errno != ENOTDIR);
		return false;
	}
	way->silent = way->silent || !tells_all_changes(folder);
	way->step[way->n_steps++] = (struct files_step){number, from, length};
	return true;
}

/* From / to the file, as far as there are folders: each is listened to before the next one is looked for, so
 * that none comes unseen. */
static void walk_folders(struct files_way *way)
{
	const char *path = way->path;
	char folder[PATH_MAX];
	size_t from = 0;

	for (;;) {
		from += strspn(path + from, "/");
		const char *end = strchrnul(path + from, '/');
		if (!path[from])
			return;
		int length = snprintf(folder, sizeof folder, "%s%.*s", way->root, (int)from, path);
		if (way->n_steps == DEPTH_MOST || length < 0 || (size_t)length >= sizeof folder) {
			way->silent = true;
			return;
		}
		if (!add_step(way, folder, from, (size_t)(end - path) - from))
			return;
		from = (size_t)(end - path);
	}
}

/* By the thread: it may stay here for ever. */
static void find_file(void *what)
{
	struct files_way *way = what;
	char path[PATH_MAX];
	int length = snprintf(path, sizeof path, "%s%s", way->root, way->path);
	struct stat st;

	walk_folders(way);
	if (length < 0 || (size_t)length >= sizeof path)
		errno = ENAMETOOLONG;
	else
		errno = lstat(path, &st) ? errno : 0; /* never opened: it may be a pipe */
	way->error = errno == ENOENT || errno == ENOTDIR ? 0 : errno;
	way->there = !errno;
}

static void let_go(void *what)
{
	struct files_way *way = what;

	if (way->inotify >= 0)
		(void)close(way->inotify);
	ft_free(way->root);
	ft_free(way->path);
	way->root = way->path = NULL;
	way->inotify = -1;
}

/* ---- queries
   -------------------------------------------------------------------------------------------- */

static bool is_used(const struct files *files, int folder)
{
	for (size_t i = 0; i < files->n; i++)
		for (size_t k = 0; k < files->file[i].way.n_steps; k++)
			if (files->file[i].way.step[k].folder == folder)
				return true;
	return false;
}

static void take_found(struct files *files, struct files_file *file, int wait_ms)
{
	struct files_way old = file->way, way;

	if (!ft__aside_answer(file->aside, &way, wait_ms))
		return;
	let_go(&way);
	file->way = way;
	file->seen = true;
	if (way.epoch != files->epoch) {
		file->way.n_steps = 0;
		file->stale = true;
		return;
	}
	/* Stop watching folders that are on no path any more, or a user who keeps renaming them would make us
	 * watch all of them. A path that is just being walked may need one again: it is walked once more. */
	bool some = false;

	for (size_t i = 0; i < old.n_steps; i++)
		if (old.epoch == files->epoch && !is_used(files, old.step[i].folder)) {
			(void)inotify_rm_watch(files->inotify, old.step[i].folder);
			some = true;
		}
	for (size_t i = 0; some && i < files->n; i++)
		if (ft__aside_asked_ns(files->file[i].aside))
			files->file[i].stale = true;
}

/* A look that takes long, or was never started, counts as a failed one. */
static int silence_of(const struct ft__source *source, struct files_file *file)
{
	int64_t asked_ns = ft__aside_asked_ns(file->aside);

	/* After a jump of the clock, or a pause of ours, its thread may not have run yet. */
	if (asked_ns && file->seen && !file->given &&
	    source->now_ns - asked_ns >= SILENT_MS * INT64_C(1000000)) {
		file->given = true;
		take_found(source->state, file, GIVEN_MS);
		asked_ns = ft__aside_asked_ns(file->aside);
	}

	if (file->seen && !asked_ns)
		return file->stale ? EAGAIN : file->way.error;
	if (file->seen && source->now_ns - asked_ns < SILENT_MS * INT64_C(1000000))
		return file->way.error;
	return asked_ns ? ETIMEDOUT : EAGAIN;
}

/* ---- events ------------------------------------------------------------------------------------- */

/* Does it concern a step of this file? Of one that is just being walked the steps are not known. */
static bool concerns_file(const struct files_file *file, const struct inotify_event *event)
{
	if (ft__aside_asked_ns(file->aside))
		return true;
	for (size_t i = 0; i < file->way.n_steps; i++) {
		const struct files_step *step = &file->way.step[i];

		if (step->folder != event->wd)
			continue;
		if (!event->len || (!strncmp(event->name, file->path + step->from, step->length) &&
				    !event->name[step->length]))
			return true;
	}
	return false;
}

/* False: there is more than we care to read. */
static bool hear_files(struct files *files)
{
	char bytes[EVENTS_BYTES] __attribute__((aligned(__alignof__(struct inotify_event))));

	for (int reads = 0; reads < READS_MOST; reads++) {
		ssize_t length = read(files->inotify, bytes, sizeof bytes);
		const char *at = bytes;

		if (length <= 0)
			return true;
		while (at < bytes + length) {
			const struct inotify_event *event = (const struct inotify_event *)(const void *)at;

			for (size_t i = 0; i < files->n; i++)
				if (event->mask & IN_Q_OVERFLOW || concerns_file(&files->file[i], event))
					files->file[i].stale = true;
			at += sizeof *event + event->len;
		}
	}
	return false;
}

static void look_at_files(struct ft__source *source, struct ft_seen *seen, bool fresh)
{
	struct files *files = source->state;
	size_t n = 0;

	for (size_t i = 0; i < files->n; i++)
		take_found(files, &files->file[i], 0);
	/* A queue of 16,384 events takes longer to read than to drop. */
	if (fresh) {
		/* Start again, with nothing left to read. A look that has not returned has a copy of the
		 * descriptor, for which epoll would report events for ever. */
		if (files->inotify >= 0) {
			(void)epoll_ctl(source->epoll, EPOLL_CTL_DEL, files->inotify, NULL);
			(void)close(files->inotify);
		}
		for (size_t i = 0; i < files->n; i++)
			files->file[i].way.n_steps = 0;
		files->epoch++;
		files->inotify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
		if (files->inotify >= 0 && !ft__source_listen(source, files->inotify, EPOLLIN)) {
			(void)close(files->inotify);
			files->inotify = -1;
		}
	} else if (files->inotify >= 0 && !hear_files(files)) {
		source->fresh = true;
	}
	bool early = source->now_ns - files->looked_ns >= FT__PATIENT_MS * INT64_C(1000000);
	if (early)
		files->looked_ns = source->now_ns;
	ft__source_early(source, FT__PATIENT_MS);
	for (size_t i = 0; i < files->n; i++) {
		struct files_file *file = &files->file[i];

		if (fresh || early || file->stale) {
			struct files_way way = {
				.inotify =
					files->inotify < 0 ? -1 : fcntl(files->inotify, F_DUPFD_CLOEXEC, 0),
				.epoch = files->epoch,
				.root = ft_strdup(source->root),
				.path = ft_strdup(file->path)};

			if (way.root && way.path && ft__aside_ask(file->aside, &way)) {
				file->stale = file->given = false;
				take_found(files, file, file->seen ? WAIT_MS : SILENT_MS);
			} else {
				file->stale = true;
				let_go(&way);
			}
		}
		int error = silence_of(source, file);
		if (file->way.silent || file->stale || ft__aside_asked_ns(file->aside))
			ft__source_due(source, FT__PATIENT_MS);
		if (error)
			ft__source_cannot(source, "'%.160s' cannot be looked at: %s", file->path,
					  error == ETIMEDOUT ? "its file system does not answer"
							     : strerror(error));
		if (file->way.there)
			files->there[n++] = file->path;
	}
	seen->files = files->there;
	seen->n_files = n;
}

/* ---- its state ----------------------------------------------------------------------------------------- */

static enum ft_status add_file(struct ft__source *source, const char *path, struct ft_err *err)
{
	struct files *files = source->state;
	struct files_file *file = &files->file[files->n];

	for (size_t i = 0; i < files->n; i++)
		if (!strcmp(files->file[i].path, path))
			return FT_OK;
	FT_TRY(ft__aside_new(&file->aside, sizeof(struct files_way), find_file, let_go, err));
	file->path = path;
	files->n++;
	return ft__source_listen(source, ft__aside_fd(file->aside), EPOLLIN)
		       ? FT_OK
		       : ft_fail(err, FT_EIO, "cannot watch the background load");
}

static enum ft_status open_files(struct ft__source *source, struct ft_err *err)
{
	struct files *files = ft_calloc(1, sizeof *files);
	enum ft_status status = FT_OK;
	size_t n = 1;

	source->state = files;
	if (!files)
		return ft_nomem(err);
	files->inotify = -1;
	for (size_t i = 0; i < source->n_conditions; i++)
		n += source->condition[i]->n_names;
	files->file = ft_calloc(n, sizeof *files->file);
	files->there = ft_calloc(n, sizeof *files->there);
	if (!files->file || !files->there)
		return ft_nomem(err);
	for (size_t i = 0; i < source->n_conditions; i++)
		for (size_t k = 0; k < source->condition[i]->n_names && !status; k++)
			status = add_file(source, source->condition[i]->names[k], err);
	return status;
}

static void close_files(struct ft__source *source)
{
	struct files *files = source->state;

	if (files->inotify >= 0)
		(void)close(files->inotify);
	for (size_t i = 0; i < files->n; i++)
		ft__aside_free(files->file[i].aside);
	ft_free(files->file);
	ft_free(files->there);
	ft_free(files);
}

const struct ft__source_ops ft__source_files = {
	.name = "halt files",
	.kinds = 1 << FT_CONDITION_HALT_FILE,
	.open = open_files,
	.look = look_at_files,
	.close = close_files,
};
