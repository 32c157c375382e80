/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inside.h - the manager: requests, models in memory, construction, and the worker thread. */
#ifndef FT_MANAGER_INSIDE_H
#define FT_MANAGER_INSIDE_H

#include "base/field.h"
#include "base/text.h"
#include "foretime/ask.h"
#include "foretime/load.h"
#include "foretime/store.h"
#include "http/http.h"
#include "manager/construct.h"
#include "manager/manager.h"
#include "tell/answers.h"
#include "tell/tell.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * The thread that waits for the store and for fits, so that no request does. The serving thread posts jobs
 * and learns of their end by a descriptor of its loop. The worker also checks whether other processes
 * changed the store.
 */

struct ft__worker;

/* A store, and its owner. */
struct ft__store_at {
	char *path; /* absolute, heap; as root without links */
	uid_t user; /* as root the user of benchmarks; (uid_t)-1: ours, or any */
	gid_t group;
	const struct ft_prior *prior; /* of its models; NULL: the built-in one */
};

/* ft__store_at_open - as ft_store_open. As root with no more rights than the user's, who may write the
 * folder: FT_EACCESS if it has become a link, or another user's. */
enum ft_status ft__store_at_open(const struct ft__store_at *at, struct ft_store **out, unsigned flags,
				 struct ft_err *err);

/* A job: a part of a struct of the caller, which owns it again when `done` is called. */
struct ft__task {
	void (*work)(struct ft__task *task, struct ft_store *store); /* by the worker. store: its own, to
								      read; NULL: it cannot be opened now */
	void (*done)(struct ft__task *task);                         /* by the serving thread */
	struct ft__task *next;
	bool slow; /* it may take a second: slow and quick jobs alternate */
};

/* ft__worker_new - changed: called by the serving thread when other processes changed the store, once a
 * second at most. at: borrowed. FT_OK; FT_EUNAVAIL: no thread, no descriptor; FT_ENOMEM. */
enum ft_status ft__worker_new(struct ft__worker **out, const struct ft__store_at *at,
			      void (*changed)(void *ctx), void *ctx, struct ft_err *err);

/* ft__worker_free - waits for the task at work; those that were not begun are done without it. Accepts NULL.
 */
void ft__worker_free(struct ft__worker *worker);

/* ft__worker_health - FT_OK, or what was wrong with the store when it was last looked at: it is read whole
 * after changes, for a twentieth of the worker's time at most. */
enum ft_status ft__worker_health(struct ft__worker *worker, struct ft_err *err);

void ft__worker_post(struct ft__worker *worker, struct ft__task *task);
int ft__worker_fd(const struct ft__worker *worker); /* readable: there is something done */
void ft__worker_finish(struct ft__worker *worker);  /* call `done` of all that are, and `changed` */

/*
 * The models of a program at a moment: queried by the serving thread alone, and rebuilt by the worker when
 * the program's runs change. A request waits if they were never queried before, or since they changed.
 */

struct ft__snapshots;

/* the least recently queried one is evicted first */

struct ft__snapshot {
	struct ft_answerer *answerer; /* NULL: there is none, err has the reason */
	struct ft_err err;
	bool passing;    /* err is of this moment: the next question has it tried again */
	size_t slot;     /* < FT__SNAPSHOTS_MOST: index of its subject, while it is kept */
	uint64_t number; /* another one for each snapshot that was ever made */
};

/* Identifies models: of a program, of a device of it (NULL: its only one), on a machine (fingerprint or
 * host name; NULL: as ft_ask_open chooses), under a load (idle, usual or now). */
struct ft__subject {
	const char *name, *device, *machine;
	enum ft_load_view load;
	bool slow; /* only the worker queries it */
};

/* ft__snapshots_new - ready: called when one was made for the first time. */
enum ft_status ft__snapshots_new(struct ft__snapshots **out, const struct ft__store_at *at,
				 struct ft__worker *worker, void (*ready)(void *ctx), void *ctx,
				 struct ft_err *err);
void ft__snapshots_free(struct ft__snapshots *snapshots); /* after the worker; accepts NULL */

/* ft__snapshots_get - the newest; NULL: it is being made, or cannot be now (refused): there is no memory, or
 * as many as are held are just being made. Borrowed until the loop waits. */
const struct ft__snapshot *ft__snapshots_get(struct ft__snapshots *snapshots,
					     const struct ft__subject *subject, bool *refused);

/* ft__snapshot_keep - for one more, until ft__snapshot_free; both by the serving thread. */
void ft__snapshot_keep(const struct ft__snapshot *snapshot);
void ft__snapshot_free(const struct ft__snapshot *snapshot);

void ft__snapshots_check(struct ft__snapshots *snapshots); /* the store was changed */

/* ft__snapshots_query - how often a program was queried while its models are held, including cached
 * answers. */
uint64_t ft__snapshots_query(const struct ft__snapshots *snapshots, const char *name);
size_t ft__snapshots_count(const struct ft__snapshots *snapshots, unsigned long *made);

/*
 * Cache answers while the snapshot they came from is the newest: a direct-mapped table of fixed size.
 */

struct ft__cache;

struct ft__cache *ft__cache_new(void); /* NULL: no memory */
void ft__cache_free(struct ft__cache *cache);

/* ft__cache_get - the cached answer to a target, as it was sent; NULL: none that is still valid. Adds a
 * reference. */
struct ft_http_answer *ft__cache_get(struct ft__cache *cache, struct ft__snapshots *snapshots,
				     const char *target);

/* ft__cache_put - cache an answer of `snapshot`, and how long it is valid (ft_clock_ns; INT64_MAX: while
 * it is the newest). answer: adds a reference. */
void ft__cache_put(struct ft__cache *cache, const char *target, const struct ft__snapshot *snapshot,
		   int64_t until_ns, struct ft_http_answer *answer);

unsigned long ft__cache_hits(const struct ft__cache *cache);

/*
 * Record the background load continuously, as foretime machine load record does, without what the manager
 * itself runs.
 */

struct ft__history;

/* All is borrowed. */
struct ft__history_options {
	const struct ft__store_at *at;
	struct ft__worker *worker;
	double period_s;       /* 0: the usual one */
	const char *load_path; /* a file that has them, too, at each period; NULL: none */
	size_t most;           /* observations in it; 0: what predictions use */
	void (*complain)(void *ctx, const struct ft_err *err); /* the file cannot be written: once */
	void *ctx;
};

/* ft__history_new - begin.
 *
 * Returns FT_OK; FT_EUNAVAIL: the background load cannot be separated from ours here; FT_ENOMEM. */
enum ft_status ft__history_new(struct ft__history **out, const struct ft__history_options *options,
			       struct ft_err *err);
void ft__history_free(struct ft__history *history); /* after the worker; accepts NULL */

int ft__history_wait_ms(const struct ft__history *history);

/* ft__history_run - observe, if it is time. quiet: nothing of ours runs. */
void ft__history_run(struct ft__history *history, bool quiet);

unsigned long ft__history_count(const struct ft__history *history); /* observations that were stored */

/*
 * Store the timings that programs wrote (foretime-client.h), each exactly once: the position in a file is
 * stored in the same transaction as its runs.
 */

struct ft__taken {
	unsigned long runs;           /* that were stored */
	unsigned long bad;            /* lines that are none */
	char why[256];                /* the last of these */
	unsigned long anew;           /* files that were truncated or replaced, and are read from the start */
	char begun[256];              /* the last of these */
	unsigned long unread, behind; /* files that cannot be read; those with something left to take */
};

/* ft__timings_folder - the folder where programs of this user write. folder: heap, ends with ft_free.
 * FT_OK; FT_ENOENT: there is no such place; FT_ENOMEM. */
enum ft_status ft__timings_folder(char **folder, struct ft_err *err);

/* Users, besides ourselves, whose timings are stored under the names that they state. */
struct ft__trusted {
	uid_t *uid; /* [n] heap */
	size_t n;
};

/* ft__trusted_read - parse names or numbers. out: ends with ft__trusted_clear; cleared on failure. FT_OK;
 * FT_EINVAL: there is no such user; FT_ENOMEM. */
enum ft_status ft__trusted_read(struct ft__trusted *out, const char *const *user, size_t n,
				struct ft_err *err);
void ft__trusted_clear(struct ft__trusted *trusted); /* accepts what is zero, and twice */

/* ft__timings_take - store the new timings.
 *
 * store    open for writing; not within ft_store_begin
 * folder   a missing one counts as empty
 * trusted  NULL: no other users
 * answer out
 *
 * Timings in a file of another user, who is not trusted, are stored as ~UID/NAME, so that they do not change
 * the model of the program's owner. A file is removed when all of it is read and its process has ended.
 *
 * Returns FT_OK; what the store returns: the rest is stored the next time. FT_EIO; FT_ENOMEM. */
enum ft_status ft__timings_take(struct ft_store *store, const char *folder, const struct ft__trusted *trusted,
				struct ft__taken *answer, struct ft_err *err);

/*
 * When to store timings that programs wrote: when the folder changes, and at intervals.
 */

struct ft__timings;

/* ft__timings_new - at, folder: borrowed; folder is made where it is not there. taken: called when
 * some were taken in, or something is wrong with them. FT_OK; FT_ENOMEM. */
enum ft_status ft__timings_new(struct ft__timings **out, const struct ft__store_at *at, const char *folder,
			       struct ft__worker *worker,
			       void (*taken)(void *ctx, const struct ft__taken *output,
					     const struct ft_err *err),
			       void *ctx, struct ft_err *err);
void ft__timings_free(struct ft__timings *timings); /* after the worker; accepts NULL */

/* ft__timings_trust - from the next pass on, store the timings of these users (names, or numbers), and no
 * other ones, under the names that they state. FT_OK; FT_EINVAL: there is no such user; FT_ENOMEM. */
enum ft_status ft__timings_trust(struct ft__timings *timings, const char *const *user, size_t n,
				 struct ft_err *err);

int ft__timings_fd(
	const struct ft__timings *timings); /* readable: the folder changed; -1: it cannot be watched */
int ft__timings_wait_ms(const struct ft__timings *timings);
void ft__timings_run(struct ft__timings *timings); /* have what is there taken in, when it is time */

struct ft__later;

/* Requests that wait for a snapshot. */
struct ft__waiting {
	struct ft_http_ask *ask;
	struct ft_http_answer *(*answer)(void *ctx, struct ft_http_ask *ask);
};

struct ft_manager {
	struct ft_manager_options options;
	struct ft__store_at store;
	unsigned port;                  /* of the network; 0: none */
	char *socket_path, *spool_path; /* ours where the options name none */
	int epoll, signals, lock;
	struct ft_http *http;
	struct ft_http_feed *feed;
	struct ft__worker *worker;
	struct ft__snapshots *snapshots;
	struct ft__cache *cache;
	struct ft__timings *timings;
	struct ft__construct *construct; /* NULL: it builds nothing */
	struct ft__revisit *revisit;
	struct ft__history *history;        /* NULL: none is recorded */
	struct ft_manager_config *reloaded; /* heap, since SIGHUP; NULL: that of the options counts */
	char *state_path;
	struct ft__taken spooled;    /* since it began */
	struct ft__waiting *waiting; /* [n_waiting] */
	size_t n_waiting, waiting_capacity;
	struct ft__later *later;   /* the first of those that the worker answers */
	int64_t began_ns, beat_ns; /* beat: the last heartbeat to event listeners */
	bool listens;              /* the socket is ours */
	unsigned long answers;     /* made of models: not by the cache */
	unsigned long stale;       /* changes of the store that were seen */
};

/* ft__routes - all that is answered; their ctx is the manager. */
extern const struct ft_http_route ft__routes[];

/* ft__routes_peek - a cached answer that is still valid. */
ft_http_peek ft__routes_peek;

/* ft__routes_again - repeat the requests that wait for a snapshot. */
void ft__routes_again(struct ft_manager *manager);

/* ft__store_place - the store of a path (NULL: the default), created if missing; as root it then belongs
 * to the configuration's user, whose benchmarks write to it. config: may be NULL.
 *
 * out  its path ends with ft_free; NULL on failure
 *
 * What ft_store_open returns; FT_EACCESS; FT_EINVAL: no such user. */
enum ft_status ft__store_place(const char *path, const struct ft_manager_config *config,
			       struct ft__store_at *out, struct ft_err *err);

/* ft__told_event - an event in a line for people. */
void ft__answer_event(const struct ft_answer_event *event, struct ft_text *out);

/*
 * Keep the newest loads in a file, for programs that do not read the store: PMM's load_path and history_size
 * (001 II.B). A table as ft_loads_read parses it, replaced as a whole.
 */

struct ft__loads {
	const char *path; /* NULL: no file */
	size_t most;      /* observations */
	uid_t user;       /* as root the user whose rights suffice; (uid_t)-1: ours */
	gid_t group;
	struct ft_loads newest;
	bool known; /* the rows of the file were loaded */
};

/*
 * Counters in the format of Prometheus: a row each.
 */

/* The last row of a list has no name. */
struct ft__metric {
	const char *name, *type, *about;
	size_t at; /* of a double, in the struct of the caller */
};

/* ft__metrics_add - print the numbers of such a struct. */
void ft__metrics_add(const struct ft__metric *row, const void *numbers, struct ft_text *out);

/*
 * Store runs that were measured elsewhere.
 */

/* ft__model_put - add runs to a program: all of a text, or none.
 *
 * store  open for writing; not within ft_store_begin
 * name   of the program: the name in the text is ignored
 * text   [n] what foretime export prints, as JSON or CSV, not compressed
 * answer out; name is borrowed
 *
 * Runs that are stored already are not added again. A program that has a version keeps it, and its command:
 * no text contains one. If the text names no machine, it is called elsewhere.
 *
 * Returns FT_OK; FT_EINVAL, FT_EPARSE, FT_ENOTOURS: unreadable text, several programs, an invalid name or
 * one of another user; FT_EEXIST: it has runs with other parameters; what the store returns. */
enum ft_status ft__model_put(struct ft_store *store, const char *name, const char *text, size_t n,
			     struct ft_answer_put *output, struct ft_err *err);

/*
 * Notify the service manager that started us.
 */

/*
 * Parse the query string by rows.
 */

/* ft__query_read - parse each value once: a field of the question, one of the route itself, or else a word
 * of the question.
 *
 * fields, into     rows of the route and their struct; fields NULL: it has none
 * question, query  NULL: no question to models, and other words are rejected
 *
 * Texts are borrowed from the request. Returns FT_OK; FT_EINVAL; FT_EPARSE. */
enum ft_status ft__query_read(const struct ft_http_ask *ask, const struct ft_field *fields, void *into,
			      const struct ft_question *question, struct ft_query *request,
			      struct ft_err *err);

/*
 * Root in the folder of a user: that user chooses where links lead, so files are accessed with that user's
 * rights only.
 */

/* ft__rights_take - this thread accesses files with the rights of a user, until ft__rights_back. Nothing
 * changes if the user is (uid_t)-1, or we are not root. false: the rights are not available, and nothing
 * has changed. */
bool ft__rights_take(uid_t user, gid_t group);
void ft__rights_back(void);

/*
 * What the files that answer requests share.
 */

/* ft__routes_tell - object: taken; NULL: no memory. ft__routes_refuse - a failure, with HTTP's status for it.
 */
struct ft_http_answer *ft__routes_tell(json_t *object);
struct ft_http_answer *ft__routes_refuse(const struct ft_err *err);

/* A route, called again when what it waited for is ready. */
typedef struct ft_http_answer *ft__routes_again_by(void *ctx, struct ft_http_ask *ask);

/* ft__routes_snapshot - one that has models. false: the route returns *answer, which is NULL where it waits.
 */
bool ft__routes_snapshot(struct ft_manager *manager, struct ft_http_ask *ask,
			 const struct ft__subject *subject, const struct ft__snapshot **out,
			 struct ft_http_answer **answer, ft__routes_again_by *again);

/* An answer that takes the worker a while: the first member of the caller's struct. */
struct ft__later {
	struct ft__task task; /* first, so that pointers convert; members but `next` are set by the caller */
	struct ft_manager *manager;
	struct ft_http_ask *ask;
	const struct ft__snapshot *snapshot; /* the source of the answer; holds a reference */
	struct ft__later *next;
};

/* ft__later_find - the answer was made meanwhile (out, for the caller), or is being made: then the request
 * waits for it, and *out is NULL. `again`: the route. false: neither. */
bool ft__later_find(struct ft_manager *manager, struct ft_http_ask *ask, struct ft_http_answer **out,
		    ft__routes_again_by *again);

/* ft__later_begin - let the worker make the answer; the route returns NULL. snapshot NULL: none, and not
   cached. */
void ft__later_begin(struct ft__later *later, struct ft_manager *manager, struct ft_http_ask *ask,
		     const struct ft__snapshot *snapshot);

/* ft__later_give - called by `done`. answer: taken; NULL: no memory. until_ns: as of ft__cache_put; 0: not
 * cached. */
void ft__later_give(struct ft__later *later, struct ft_http_answer *answer, int64_t until_ns);

/* The fields of routes besides those of a question: rows of structs of their own. */
extern const struct ft_field ft__routes_model_fields[];

/* Routes. */
struct ft_http_answer *ft__routes_model(void *ctx, struct ft_http_ask *ask);
struct ft_http_answer *ft__routes_put_model(void *ctx, struct ft_http_ask *ask);

#endif
