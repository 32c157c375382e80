/* SPDX-License-Identifier: GPL-3.0-or-later */
/* worker.c - the thread that waits for the store and for fits. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "foretime/ask.h"
#include "manager/inside.h"
#include "tell/answers.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FT__SNAPSHOTS_MOST = 128 };

/* How long a change may go unnoticed if the folder cannot be watched (a network file system raises no
 * event for writes elsewhere), and the shortest time between two checks. */
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

/* With the lock held. A quick job waits for at most one slow one. */
static struct ft__task *next_task(struct ft__worker *worker)
{
	bool slow = worker->slow.first && (!worker->was_slow || !worker->quick.first);

	worker->was_slow = slow;
	struct worker_queue *queue = slow ? &worker->slow : &worker->quick;
	struct ft__task *first = queue->first;

	if (first && !(queue->first = first->next))
		queue->last = &queue->first;
	return first;
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

/* Whether the store can still be read, by a new connection: an open one may work from cached pages. */
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
	if (err.status == FT_EBUSY || err.status == FT_ENOMEM) { /* temporary */
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

static void *work(void *ctx)
{
	struct ft__worker *worker = ctx;
	bool ending = false, more = false;

	while (!ending) {
		if (!more) {
			/* Until there is a task, or the store may have changed. */
			struct pollfd fd[] = {{.fd = worker->work_fd, .events = POLLIN},
					      {.fd = worker->watch_fd, .events = POLLIN}};
			int64_t since = (ft_clock_ns() - worker->looked_ns) / 1000000;
			/* Changes during the rest are checked when it is over. */
			bool resting = since < REST_MS;

			(void)poll(fd, worker->watch_fd >= 0 && !resting ? 2 : 1,
				   resting                 ? (int)(REST_MS - since)
				   : worker->check_waits   ? REST_MS
				   : worker->watch_fd >= 0 ? 10 * LOOK_MS
							   : LOOK_MS);
			read_away(worker->work_fd);
			read_away(worker->watch_fd);
		}
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
	/* Files that SQLite writes next to the store count, too. */
	const char *slash = strrchr(at->path, '/');
	char *folder = slash ? ft_strndup(at->path, (size_t)(slash - at->path) + (slash == at->path))
			     : ft_strdup(".");
	int fd = folder ? inotify_init1(IN_NONBLOCK | IN_CLOEXEC) : -1;

	if (fd >= 0 && inotify_add_watch(fd, folder, IN_MODIFY | IN_CREATE | IN_MOVED_TO) < 0) {
		(void)close(fd);
		fd = -1;
	}
	ft_free(folder);
	worker->watch_fd = fd;
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

/*
 * The models of a program at a moment.
 */

#define USUAL_NS (60 * 1000000000LL) /* how long the usual load is taken as unchanged */

/* A snapshot with all that belongs to it. */
struct made {
	struct ft__snapshot snapshot; /* first: one is the other */
	struct ft_store *store;       /* that its answerer reads */
	char *state;                  /* of the program when it was made */
	int64_t made_ns;
	size_t users; /* references: the entry, and other holders */
};

struct snapshot_entry {
	struct ft__task task; /* first: one is the other */
	struct ft__snapshots *all;
	char *name, *device, *machine;
	enum ft_load_view load;
	bool slow;
	struct made *now, *next; /* next: the worker's, while it is at work */
	char *state; /* of `now`: a copy for the worker, which is stale anyway after `fresh_until_ns` */
	int64_t fresh_until_ns;
	bool at_work, again;     /* again: the store changed meanwhile */
	bool gone;               /* it is left out once the worker has given it back */
	bool wanted, seen_stale; /* the worker's: rebuild it if it is stale; it still is */
	bool stale, awaited;     /* awaited: somebody waits for a newer one */
	size_t slot;
	uint64_t used, query, query_before; /* before it was made */
};

struct ft__snapshots {
	const struct ft__store_at *at;
	struct ft__worker *worker;
	void (*ready)(void *ctx);
	void *ctx;
	struct snapshot_entry *slot[FT__SNAPSHOTS_MOST]; /* or NULL */
	uint64_t used, made;
};

static void made_free(struct made *made)
{
	if (!made || --made->users)
		return;
	ft_ask_close(made->snapshot.answerer);
	ft_store_close(made->store);
	free(made->state);
	ft_free(made);
}

static void entry_free(struct snapshot_entry *entry)
{
	made_free(entry->now);
	made_free(entry->next);
	ft_free(entry->state);
	ft_free(entry->name);
	ft_free(entry->device);
	ft_free(entry->machine);
	ft_free(entry);
}

/* ---- the worker ---------------------------------------------------------------------------------------- */

/* Do the work of a first query now. */
static void ask_beforehand(struct ft_answerer *answerer)
{
	struct ft_size size = ft_ask_any_size(answerer), beyond = size;
	const struct ft_resource *resource;
	struct ft_request request;
	struct ft_prediction p;
	size_t axis[FT_PARAMS_MAX], i;

	for (i = ft_ask_axes(answerer, axis); i-- > 0;)
		beyond.value[axis[i]] *= 1e3;
	for (i = 0; (resource = ft_ask_resource(answerer, i)); i++) {
		(void)ft_ask_predict(answerer, resource, &size, 0.9, &p, NULL);
		(void)ft_ask_predict(answerer, resource, &beyond, 0.9, &p, NULL);
	}
	(void)ft_ask_request(answerer, &size, 0.05, &request, NULL);
}

/* Only a fault of the program itself lasts; all other ones may be over in a moment. */
static bool is_lasting(enum ft_status status)
{
	return status == FT_ENOENT || status == FT_ENOMODEL || status == FT_EINVAL;
}

static void snapshot_work(struct ft__task *task, struct ft_store *store)
{
	struct snapshot_entry *entry = (struct snapshot_entry *)task;
	char *state = NULL;
	bool stale = !entry->state || !store || ft_clock_ns() > entry->fresh_until_ns ||
		     ft_store_get_state(store, entry->name, &state, NULL) || strcmp(state, entry->state) != 0;

	free(state);
	entry->seen_stale = stale;
	if (!entry->seen_stale || !entry->wanted)
		return;
	/* Without memory the snapshot before stays in use. */
	entry->seen_stale = false;
	entry->next = ft_calloc(1, sizeof *entry->next);
	if (!entry->next)
		return;
	entry->next->users = 1;
	struct ft_err *err = &entry->next->snapshot.err;

	entry->next->made_ns = ft_clock_ns();
	entry->next->snapshot.passing = true;
	if (ft__store_at_open(entry->all->at, &entry->next->store, FT_STORE_READ, err))
		return;
	(void)ft_store_get_state(entry->next->store, entry->name, &entry->next->state, NULL);
	if (ft_ask_open_on(&entry->next->snapshot.answerer, entry->next->store, entry->name, entry->device,
			   entry->machine, ft_tell_machine_here(entry->next->store), err)) {
		entry->next->snapshot.passing = !is_lasting(err->status);
		ft_store_close(entry->next->store);
		entry->next->store = NULL;
		return;
	}
	entry->next->snapshot.passing = false;
	ft_ask_under(entry->next->snapshot.answerer, &(struct ft_ask_load){.view = entry->load});
	ask_beforehand(entry->next->snapshot.answerer);
	/* Models are in memory now; the store is rarely read afterwards. */
	ft_store_rest(entry->next->store);
}

/* ---- the serving thread -------------------------------------------------------------------------------- */

/* Whether it was queried since it was made. Models without queries are not rebuilt, however often their
 * program runs: the next query waits for it, as the first one did. */
static bool was_query(const struct snapshot_entry *entry)
{
	return !entry->now || entry->query != entry->query_before || entry->awaited;
}

static void post_entry(struct snapshot_entry *entry)
{
	entry->at_work = true;
	entry->again = false;
	entry->wanted = was_query(entry);
	ft__worker_post(entry->all->worker, &entry->task);
}

static void done(struct ft__task *task)
{
	struct snapshot_entry *entry = (struct snapshot_entry *)task;
	struct ft__snapshots *all = entry->all;
	bool awaited = !entry->now || (entry->awaited && !entry->seen_stale);

	entry->at_work = false;
	entry->stale = entry->seen_stale;
	if (entry->gone) {
		entry_free(entry);
		all->ready(all->ctx); /* waiting requests are repeated */
		return;
	}
	if (entry->next) {
		made_free(entry->now);
		ft_free(entry->state);
		entry->now = entry->next;
		entry->next = NULL;
		entry->now->snapshot.number = ++entry->all->made;
		entry->now->snapshot.slot = entry->slot;
		entry->state = entry->now->snapshot.passing ? NULL : ft_strdup(entry->now->state);
		/* The background load is still being recorded. */
		entry->fresh_until_ns =
			entry->load == FT_LOAD_IDLE ? INT64_MAX : entry->now->made_ns + USUAL_NS;
		entry->query_before = entry->query;
	}
	if (awaited)
		entry->awaited = false;
	if (entry->again || (entry->stale && was_query(entry)))
		post_entry(entry);
	if (awaited)
		all->ready(all->ctx);
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static void leave_out(struct snapshot_entry *entry)
{
	entry->all->slot[entry->slot] = NULL;
	if (entry->at_work)
		entry->gone = true;
	else
		entry_free(entry);
}

static bool has_models(const struct snapshot_entry *entry)
{
	return entry->now && entry->now->snapshot.answerer;
}

/* Failed lookups are evicted first, so that requests for many unknown names displace no model. */
static bool goes_before(const struct snapshot_entry *a, const struct snapshot_entry *b)
{
	return has_models(a) != has_models(b) ? !has_models(a) : a->used < b->used;
}

/* An empty slot; FT__SNAPSHOTS_MOST: those of all are just being made, and somebody waits for each. */
static size_t free_slot(struct ft__snapshots *all)
{
	size_t first = FT__SNAPSHOTS_MOST;

	for (size_t i = 0; i < FT__SNAPSHOTS_MOST; i++) {
		if (!all->slot[i])
			return i;
		if (all->slot[i]->now &&
		    (first == FT__SNAPSHOTS_MOST || goes_before(all->slot[i], all->slot[first])))
			first = i;
	}
	if (first < FT__SNAPSHOTS_MOST)
		leave_out(all->slot[first]);
	return first;
}

static struct snapshot_entry *add_entry(struct ft__snapshots *all, const struct ft__subject *subject)
{
	size_t slot = free_slot(all);
	struct snapshot_entry *entry = slot < FT__SNAPSHOTS_MOST ? ft_calloc(1, sizeof *entry) : NULL;

	if (!entry)
		return NULL;
	*entry = (struct snapshot_entry){.task = {.work = snapshot_work, .done = done},
					 .all = all,
					 .name = ft_strdup(subject->name),
					 .device = ft_strdup(subject->device),
					 .machine = ft_strdup(subject->machine),
					 .load = subject->load,
					 .slow = subject->slow};
	if (!entry->name || (subject->device && !entry->device) || (subject->machine && !entry->machine)) {
		entry_free(entry);
		return NULL;
	}
	entry->slot = slot;
	entry->used = ++all->used;
	all->slot[entry->slot] = entry;
	post_entry(entry);
	return entry;
}

static struct snapshot_entry *find_entry(struct ft__snapshots *all, const struct ft__subject *subject)
{
	for (size_t i = 0; i < FT__SNAPSHOTS_MOST; i++) {
		struct snapshot_entry *entry = all->slot[i];

		if (entry && !strcmp(entry->name, subject->name) && entry->load == subject->load &&
		    entry->slow == subject->slow && same_text(entry->device, subject->device) &&
		    same_text(entry->machine, subject->machine))
			return entry;
	}
	return NULL;
}

const struct ft__snapshot *ft__snapshots_get(struct ft__snapshots *snapshots,
					     const struct ft__subject *subject, bool *refused)
{
	struct snapshot_entry *entry = find_entry(snapshots, subject);

	if (!entry)
		entry = add_entry(snapshots, subject);
	*refused = !entry || (!entry->now && !entry->at_work);
	if (!entry || !entry->now) {
		/* It failed for lack of memory: the next query tries again. */
		if (entry && *refused)
			leave_out(entry);
		return NULL;
	}
	entry->used = ++snapshots->used;
	entry->awaited = entry->stale;
	entry->query += !entry->stale;
	if ((entry->stale || entry->now->snapshot.passing) && !entry->at_work)
		post_entry(entry);
	return entry->awaited ? NULL : &entry->now->snapshot;
}

void ft__snapshot_keep(const struct ft__snapshot *snapshot)
{
	((struct made *)snapshot)->users++;
}

void ft__snapshot_free(const struct ft__snapshot *snapshot)
{
	made_free((struct made *)snapshot);
}

/* snapshots_newest - whether there is none newer than that of a slot and number. */
static bool snapshots_newest(struct ft__snapshots *snapshots, size_t slot, uint64_t number)
{
	struct snapshot_entry *entry = snapshots->slot[slot];

	if (!entry || !entry->now || entry->now->snapshot.number != number || entry->stale)
		return false;
	entry->used = ++snapshots->used;
	entry->query++;
	return true;
}

void ft__snapshots_check(struct ft__snapshots *snapshots)
{
	for (size_t i = 0; i < FT__SNAPSHOTS_MOST; i++) {
		struct snapshot_entry *entry = snapshots->slot[i];

		if (entry && entry->at_work)
			entry->again = true;
		else if (entry)
			post_entry(entry);
	}
}

uint64_t ft__snapshots_query(const struct ft__snapshots *snapshots, const char *name)
{
	uint64_t query = 0;

	for (size_t i = 0; i < FT__SNAPSHOTS_MOST; i++) {
		const struct snapshot_entry *entry = snapshots->slot[i];

		if (entry && !strcmp(entry->name, name))
			query += entry->query;
	}
	return query;
}

size_t ft__snapshots_count(const struct ft__snapshots *snapshots, unsigned long *made)
{
	size_t n = 0;

	for (size_t i = 0; i < FT__SNAPSHOTS_MOST; i++)
		n += snapshots->slot[i] != NULL;
	*made = (unsigned long)snapshots->made;
	return n;
}

enum ft_status ft__snapshots_new(struct ft__snapshots **out, const struct ft__store_at *at,
				 struct ft__worker *worker, void (*ready)(void *ctx), void *ctx,
				 struct ft_err *err)
{
	*out = ft_calloc(1, sizeof **out);
	if (!*out)
		return ft_nomem(err);
	**out = (struct ft__snapshots){.at = at, .worker = worker, .ready = ready, .ctx = ctx};
	return FT_OK;
}

void ft__snapshots_free(struct ft__snapshots *snapshots)
{
	if (!snapshots)
		return;
	for (size_t i = 0; i < FT__SNAPSHOTS_MOST; i++)
		if (snapshots->slot[i])
			entry_free(snapshots->slot[i]);
	ft_free(snapshots);
}

/*
 * Cached answers.
 */

/* Some 2 KiB each: 4 MiB when all are taken. */
enum { PLACES = 2048, TARGET_MOST = 512 };

struct cache_place {
	char *target;
	struct ft_http_answer *answer; /* NULL: it is free */
	size_t slot;
	uint64_t number;
	int64_t until_ns;
};

struct ft__cache {
	struct cache_place place[PLACES];
	unsigned long hits;
};

struct ft__cache *ft__cache_new(void)
{
	return ft_calloc(1, sizeof(struct ft__cache));
}

static void clear_place(struct cache_place *place)
{
	ft_http_answer_free(place->answer);
	ft_free(place->target);
	*place = (struct cache_place){0};
}

void ft__cache_free(struct ft__cache *cache)
{
	for (size_t i = 0; cache && i < PLACES; i++)
		clear_place(&cache->place[i]);
	ft_free(cache);
}

static struct cache_place *place_of(struct ft__cache *cache, const char *target)
{
	return &cache->place[ft_hash_text(target) % PLACES];
}

struct ft_http_answer *ft__cache_get(struct ft__cache *cache, struct ft__snapshots *snapshots,
				     const char *target)
{
	struct cache_place *place = place_of(cache, target);

	if (!place->answer || strcmp(place->target, target) != 0 ||
	    (place->until_ns < INT64_MAX && ft_clock_ns() > place->until_ns) ||
	    !snapshots_newest(snapshots, place->slot, place->number))
		return NULL;
	cache->hits++;
	return ft_http_answer_keep(place->answer);
}

void ft__cache_put(struct ft__cache *cache, const char *target, const struct ft__snapshot *snapshot,
		   int64_t until_ns, struct ft_http_answer *answer)
{
	struct cache_place *place = place_of(cache, target);
	char *copy = strlen(target) <= TARGET_MOST ? ft_strdup(target) : NULL;

	if (!copy)
		return;
	clear_place(place);
	*place = (struct cache_place){copy, ft_http_answer_keep(answer), snapshot->slot, snapshot->number,
				      until_ns};
}

unsigned long ft__cache_hits(const struct ft__cache *cache)
{
	return cache->hits;
}
