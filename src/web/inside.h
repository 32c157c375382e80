/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inside.h - the page's server: its traces, queries, routes and events. */
#ifndef FT_WEB_INSIDE_H
#define FT_WEB_INSIDE_H

#include "base/command.h"
#include "foretime/base.h"
#include "http/http.h"
#include "watch/aside.h"
#include "web/web.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Traces posted by the page, kept in memory under random names.
 */

/* Eight of 16 MB, which 10^6 rows are; or fewer longer ones. */
enum { FT__SHELF_PLACES = 8, FT__SHELF_BYTES = 128 << 20, FT__SHELF_ID = 24 };

struct ft__kept {
	char id[FT__SHELF_ID + 1]; /* "": nothing is here */
	char *text;
	size_t bytes;
	uint64_t used; /* when last, in uses */
};

/* Zero-initialise; ends with ft__shelf_clear. */
struct ft__shelf {
	struct ft__kept kept[FT__SHELF_PLACES];
	uint64_t uses;
};

/* ft__shelf_put - keep a copy of a text; the least recently used one is dropped if there is no room.
 *
 * out  its name; borrowed until it goes
 *
 * Returns FT_OK; FT_EPARSE: no text; FT_EINVAL: longer than all the room; FT_EUNAVAIL: no random numbers;
 * FT_ENOMEM. */
enum ft_status ft__shelf_put(struct ft__shelf *shelf, const char *text, size_t bytes, const char **out,
			     struct ft_err *err);

/* ft__shelf_get - borrowed until the next put; NULL: it is not there any more. */
const char *ft__shelf_get(struct ft__shelf *shelf, const char *id);

void ft__shelf_clear(struct ft__shelf *shelf); /* twice, too */

enum {
	FT__WEB_SEATS = 4,       /* questions at once */
	FT__WEB_AHEAD = 8,       /* processes that wait for one: the first chart of a program needs six */
	FT__WEB_WORDS = 64,      /* of a command */
	FT__WEB_DATA = 64 << 20, /* bytes of what is posted: 10^6 rows of three columns are some 30 MB */
};

/* A query to a command, or to a manager, for a thread that may be left behind: it shares nothing with us.
 * Its pointers are to the heap. */
struct ft__errand {
	char *argv[FT__WEB_WORDS + 1];          /* the command; none: the manager */
	char *input;                            /* what it reads, or NULL */
	char *socket, *target;                  /* the manager's */
	bool post;                              /* it is to do something */
	int limit_s;                            /* of the command; 0: the usual one */
	const volatile sig_atomic_t *interrupt; /* the command is ended when it is set; may be NULL */
	struct ft__ahead ahead;                 /* the process that will be the command, if there is one */
	/* the answer */
	char *text, *said; /* what it printed, and what it complained of; NULL: nothing */
	unsigned code;     /* HTTP's status */
};

void ft__errand_run(void *what);   /* in the thread */
void ft__errand_clear(void *what); /* twice, too */

/* A thread, and the request it works for. */
struct ft__seat {
	struct ft__aside *aside;
	struct ft_http_ask *ask; /* NULL: idle */
};

/* A request that waits for a seat. */
struct ft__queued {
	struct ft__errand errand;
	struct ft_http_ask *ask;
	struct ft__queued *next;
};

/* Observed while somebody listens to events. */
struct ft__web_look {
	struct ft__aside *store, *manager;
	int64_t due_ns;
	unsigned long begun;                                 /* listeners so far */
	char *answer_store, *answer_manager, *answer_builds; /* the last of each; NULL: none */
};

struct ft_web {
	struct ft_web_options options;
	char *url, *token, *socket;
	int epoll, signals;
	struct ft_http *http;
	struct ft_http_feed *feed;
	struct ft__seat seat[FT__WEB_SEATS];
	struct ft__queued *first, *last;
	struct ft__ahead ahead[FT__WEB_AHEAD]; /* [n_ahead] processes that wait for a question */
	size_t n_ahead;
	int64_t ahead_due_ns; /* no further one is started before */
	struct ft__web_look look;
	struct ft__shelf shelf;
};

extern const struct ft_http_route ft__web_routes[];

/* ft__web_watch - readable: the loop is to go round. */
enum ft_status ft__web_watch(const struct ft_web *web, int fd, struct ft_err *err);

/* ft__seats_... - ask: put off until it is answered. errand: taken. Returns what the route does. */
enum ft_status ft__seats_open(struct ft_web *web, struct ft_err *err);
struct ft_http_answer *ft__seats_ask(struct ft_web *web, struct ft_http_ask *ask, struct ft__errand *errand);
void ft__seats_settle(struct ft_web *web); /* give what is answered */
int ft__seats_wait_ms(const struct ft_web *web);
void ft__seats_close(struct ft_web *web);

/* ft__question_read - the command for a request. FT_OK; FT_ENOENT: there is no such question; FT_EINVAL;
 * FT_ENOMEM. On failure the errand is cleared. */
enum ft_status ft__question_read(struct ft_web *web, const struct ft_http_ask *ask, struct ft__errand *errand,
				 struct ft_err *err);

/* ft__look_... - events: the store has changed, the manager's queue has. */
enum ft_status ft__look_open(struct ft_web *web, struct ft_err *err);
void ft__look_go(struct ft_web *web); /* what is due, and what was seen */
int ft__look_wait_ms(const struct ft_web *web);
void ft__look_close(struct ft_web *web);

#endif
