/* SPDX-License-Identifier: GPL-3.0-or-later */
/* worker.c - the thread that waits for the store and for fits. */
#include "manager/worker.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

/* How long a change may go unseen where the folder cannot be watched (a network file system tells nothing of
 * what others do), and how often it is looked at most. */
enum { LOOK_MS = 2000, REST_MS = 1000 };

struct worker_queue {
	struct ft__task *first, **last;
};

struct ft__worker {
	pthread_t thread;
	pthread_mutex_t lock;
	struct worker_queue quick, slow, done; /* below the lock, as are the next two */
	bool changed, ending;
	struct ft_err health;           /* below the lock, too */
	int work_fd, done_fd, watch_fd; /* eventfds; inotify, or -1 */
	const struct ft__store_at *at;
	void (*tell_changed)(void *ctx);
	void *ctx;
	/* the thread's own */
	struct ft_store *store;
	int64_t version, looked_ns;
	int64_t checked_ns, check_ns; /* when it was last read whole; how long that took */
	bool check_waits;
	struct stat checked[2]; /* the store and its journal then */
	bool was_slow;          /* the last task */
};

static void add_task(struct worker_queue *queue, struct ft__task *task)
{
	task->next = NULL;
	*queue->last = task;
	queue->last = &task->next;
}

static struct ft__task *take_tasks(struct worker_queue *queue)
{
	struct ft__task *first = queue->first;

	queue->first = NULL;
	queue->last = &queue->first;
	return first;
}

static struct ft__task *take_first(struct worker_queue *queue)
{
	struct ft__task *first = queue->first;

	if (first && !(queue->first = first->next))
		queue->last = &queue->first;
	return first;
}

/* Below the lock. However many slow ones there are, a quick one waits for one of them. */
static struct ft__task *next_task(struct ft__worker *worker)
{
	bool slow = worker->slow.first && (!worker->was_slow || !worker->quick.first);

	worker->was_slow = slow;
	return take_first(slow ? &worker->slow : &worker->quick);
}

static void notify_fd(int fd)
{
	(void)eventfd_write(fd, 1);
}

/* ---- the thread ---------------------------------------------------------------------------------------- */

/* Opened when it is there: a manager may be older than its store. */
static struct ft_store *store_of(struct ft__worker *worker)
{
	if (!worker->store && !ft__store_at_open(worker->at, &worker->store, FT_STORE_READ, NULL))
		(void)ft_store_version(worker->store, &worker->version, NULL);
	return worker->store;
}

static void look_at_store(struct ft__worker *worker)
{
	int64_t now = ft_clock_ns(), version = 0;
	bool had = worker->store;

	if (now - worker->looked_ns < REST_MS * 1000000LL || !store_of(worker))
		return;
	worker->looked_ns = now;
	if (ft_store_version(worker->store, &version, NULL)) {
		/* It went, or is another one now. */
		ft_store_close(worker->store);
		worker->store = NULL;
	} else if (had && version == worker->version) {
		return;
	}
	worker->version = version;
	(void)pthread_mutex_lock(&worker->lock);
	worker->changed = true;
	(void)pthread_mutex_unlock(&worker->lock);
	notify_fd(worker->done_fd);
}

/* Whether the store can still be read. By a connection of its own: what others keep in memory is no proof. */
static void check_store(struct ft__worker *worker)
{
	struct stat now[2] = {0};
	struct ft_store *store = NULL;
	struct ft_text journal = {0};
	struct ft_err err = {0};
	int64_t began = ft_clock_ns();
	bool same = worker->checked_ns;

	ft_text_add(&journal, "%s-wal", worker->at->path);
	for (int i = 0; i < 2; i++) {
		const struct stat *then = &worker->checked[i];

		if (!journal.s || stat(i ? journal.s : worker->at->path, &now[i]))
			now[i] = (struct stat){0};
		same = same && now[i].st_ino == then->st_ino && now[i].st_size == then->st_size &&
		       now[i].st_mtim.tv_sec == then->st_mtim.tv_sec &&
		       now[i].st_mtim.tv_nsec == then->st_mtim.tv_nsec;
	}
	ft_text_clear(&journal);
	worker->check_waits =
		!same && worker->checked_ns && began - worker->checked_ns < 20 * worker->check_ns;
	if (same || worker->check_waits)
		return;
	memcpy(worker->checked, now, sizeof now);
	if (!ft__store_at_open(worker->at, &store, FT_STORE_READ | FT_STORE_HASTY, &err))
		(void)ft_store_check(store, &err);
	ft_store_close(store);
	worker->checked_ns = ft_clock_ns();
	worker->check_ns = worker->checked_ns - began;
	if (err.status == FT_EBUSY || err.status == FT_ENOMEM) { /* of the moment */
		worker->checked[0].st_ino = 0;
		return;
	}
	(void)pthread_mutex_lock(&worker->lock);
	worker->health = err;
	(void)pthread_mutex_unlock(&worker->lock);
}

static void read_away(int fd)
{
	char buffer[4096];

	while (fd >= 0 && read(fd, buffer, sizeof buffer) > 0)
		;
}

/* Until there is a task, or the store may have changed. */
static void wait_for_work(struct ft__worker *worker)
{
	struct pollfd fd[] = {{.fd = worker->work_fd, .events = POLLIN},
			      {.fd = worker->watch_fd, .events = POLLIN}};
	int64_t since = (ft_clock_ns() - worker->looked_ns) / 1000000;
	/* What changes while it rests is looked at when the rest is over. */
	bool resting = since < REST_MS;

	(void)poll(fd, worker->watch_fd >= 0 && !resting ? 2 : 1,
		   resting                 ? (int)(REST_MS - since)
		   : worker->check_waits   ? REST_MS
		   : worker->watch_fd >= 0 ? 10 * LOOK_MS
					   : LOOK_MS);
	read_away(worker->work_fd);
	read_away(worker->watch_fd);
}

static void *work(void *ctx)
{
	struct ft__worker *worker = ctx;
	bool ending = false, more = false;

	while (!ending) {
		if (!more)
			wait_for_work(worker);
		look_at_store(worker);
		check_store(worker);
		(void)pthread_mutex_lock(&worker->lock);
		ending = worker->ending;
		struct ft__task *task = ending ? NULL : next_task(worker);
		more = worker->quick.first || worker->slow.first;
		(void)pthread_mutex_unlock(&worker->lock);
		if (!task)
			continue;
		task->work(task, store_of(worker));
		(void)pthread_mutex_lock(&worker->lock);
		add_task(&worker->done, task);
		(void)pthread_mutex_unlock(&worker->lock);
		notify_fd(worker->done_fd);
	}
	return NULL;
}

/* ---- the serving thread -------------------------------------------------------------------------------- */

/* What SQLite writes beside the store counts, too. */
static int watch_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? ft_strndup(path, (size_t)(slash - path) + (slash == path)) : ft_strdup(".");
	int fd = folder ? inotify_init1(IN_NONBLOCK | IN_CLOEXEC) : -1;

	if (fd >= 0 && inotify_add_watch(fd, folder, IN_MODIFY | IN_CREATE | IN_MOVED_TO) < 0) {
		(void)close(fd);
		fd = -1;
	}
	ft_free(folder);
	return fd;
}

enum ft_status ft__worker_new(struct ft__worker **out, const struct ft__store_at *at,
			      void (*changed)(void *ctx), void *ctx, struct ft_err *err)
{
	struct ft__worker *worker = ft_calloc(1, sizeof *worker);

	*out = NULL;
	if (!worker)
		return ft_nomem(err);
	worker->at = at;
	worker->tell_changed = changed;
	worker->ctx = ctx;
	worker->quick.last = &worker->quick.first;
	worker->slow.last = &worker->slow.first;
	worker->done.last = &worker->done.first;
	(void)pthread_mutex_init(&worker->lock, NULL);
	worker->watch_fd = watch_folder(at->path);
	worker->work_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	worker->done_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	int failed = worker->work_fd < 0 || worker->done_fd < 0
			     ? errno
			     : pthread_create(&worker->thread, NULL, work, worker);
	if (failed) {
		(void)close(worker->work_fd);
		(void)close(worker->done_fd);
		if (worker->watch_fd >= 0)
			(void)close(worker->watch_fd);
		ft_free(worker);
		return ft_fail_errno(err, failed, "cannot begin a thread");
	}
	*out = worker;
	return FT_OK;
}

static void give_up(struct ft__worker *worker, struct worker_queue *queue)
{
	struct ft__task *next;

	for (struct ft__task *task = take_tasks(queue); task; task = next) {
		next = task->next;
		add_task(&worker->done, task);
	}
}

void ft__worker_free(struct ft__worker *worker)
{
	if (!worker)
		return;
	(void)pthread_mutex_lock(&worker->lock);
	worker->ending = true;
	(void)pthread_mutex_unlock(&worker->lock);
	notify_fd(worker->work_fd);
	(void)pthread_join(worker->thread, NULL);
	give_up(worker, &worker->quick);
	give_up(worker, &worker->slow);
	worker->changed = false;
	ft__worker_finish(worker);
	ft_store_close(worker->store);
	(void)close(worker->work_fd);
	(void)close(worker->done_fd);
	if (worker->watch_fd >= 0)
		(void)close(worker->watch_fd);
	(void)pthread_mutex_destroy(&worker->lock);
	ft_free(worker);
}

enum ft_status ft__worker_health(struct ft__worker *worker, struct ft_err *err)
{
	(void)pthread_mutex_lock(&worker->lock);
	*err = worker->health;
	(void)pthread_mutex_unlock(&worker->lock);
	return err->status;
}

void ft__worker_post(struct ft__worker *worker, struct ft__task *task)
{
	(void)pthread_mutex_lock(&worker->lock);
	add_task(task->slow ? &worker->slow : &worker->quick, task);
	(void)pthread_mutex_unlock(&worker->lock);
	notify_fd(worker->work_fd);
}

int ft__worker_fd(const struct ft__worker *worker)
{
	return worker->done_fd;
}

void ft__worker_finish(struct ft__worker *worker)
{
	struct ft__task *next;
	bool changed;

	read_away(worker->done_fd);
	(void)pthread_mutex_lock(&worker->lock);
	struct ft__task *task = take_tasks(&worker->done);
	changed = worker->changed;
	worker->changed = false;
	(void)pthread_mutex_unlock(&worker->lock);
	for (; task; task = next) {
		next = task->next;
		task->done(task);
	}
	if (changed)
		worker->tell_changed(worker->ctx);
}
