/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inside.h - what the files of the room share. */
#ifndef FT_MANAGER_INSIDE_H
#define FT_MANAGER_INSIDE_H

#include "http/http.h"
#include "manager/cache.h"
#include "manager/construct.h"
#include "manager/history.h"
#include "manager/manager.h"
#include "manager/revisit.h"
#include "manager/snapshot.h"
#include "manager/timings.h"
#include "base/text.h"

struct ft__later;

/* Requests that wait for a snapshot. */
struct ft__waiting {
	struct ft_http_ask *ask;
	struct ft_http_answer *(*answer)(void *ctx, struct ft_http_ask *ask);
};

struct ft_manager {
	struct ft_manager_options options;
	struct ft__store_at store;
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
	int64_t began_ns, beat_ns; /* beat: who listens was last told that nothing happens */
	bool listens;              /* the socket is ours */
	unsigned long answers;     /* made of models: not by the cache */
	unsigned long stale;       /* changes of the store that were seen */
};

/* ft__routes - all that is answered; their ctx is the manager. */
extern const struct ft_http_route ft__routes[];

/* ft__routes_peek - an answer that is kept, and still true. */
ft_http_peek ft__routes_peek;

/* ft__routes_again - who waits for a snapshot asks again. */
void ft__routes_again(struct ft_manager *manager);

/* ft__store_place - the store of a path (NULL: the default), which is there afterwards; one that is made as
 * root belongs to the configuration's user, whose benchmarks write to it. config: may be NULL.
 *
 * out  its path ends with ft_free; NULL on failure
 *
 * What ft_store_open returns; FT_EACCESS; FT_EINVAL: no such user. */
enum ft_status ft__store_place(const char *path, const struct ft_manager_config *config,
			       struct ft__store_at *out, struct ft_err *err);

/* ft__manager_say - a line for the journal. */
void ft__manager_say(const struct ft_manager *manager, const char *text);

/* ft__manager_reload - the configuration is read again; what came of it is said. */
void ft__manager_reload(struct ft_manager *manager);

/* ft__told_event - an event in a line for people. */
void ft__told_event(const struct ft_told_event *event, struct ft_text *out);

#endif
