/* SPDX-License-Identifier: GPL-3.0-or-later */
/* http.h - HTTP in the caller's own loop: routes, limits, tokens, events. Independent of models.
 *
 *	ft_http_new(&http, routes, ctx, &limits, err);
 *	ft_http_listen_unix("/run/user/1000/foretime.sock", 0600, &fd, err);
 *	ft_http_serve(http, &(struct ft_http_listener){.fd = fd}, err);
 *	for (;;) {
 *		... wait until ft_http_fd(http) is readable, ft_http_wait_ms(http) at most ...
 *		ft_http_run(http);
 *	}
 *
 * One thread calls all of it. libmicrohttpd reads and writes; this room adds what it lacks: a request has to
 * be complete in time, not only to make progress (a header a second would keep its connection for ever), a
 * listener has to read events in the same time, and users share the connections.
 */
#ifndef FT_HTTP_HTTP_H
#define FT_HTTP_HTTP_H

#include "foretime/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct ft_http;

/* ---- answers ------------------------------------------------------------------------------------------- */

/* A response; may be kept, and sent many times. */
struct ft_http_answer;

/* ft_http_answer_new - text: copied, `bytes` of it. type: "application/json" ... NULL: no memory. Ends
 * with ft_http_answer_free, for each reference. */
struct ft_http_answer *ft_http_answer_new(unsigned status, const char *type, const char *text, size_t bytes);

/* ft_http_answer_of - the same of bytes that stay where they are as long as the program runs. */
struct ft_http_answer *ft_http_answer_of(unsigned status, const char *type, const void *bytes, size_t n);

/* ft_http_answer_header - add a header. false: no memory. */
bool ft_http_answer_header(struct ft_http_answer *answer, const char *name, const char *value);
struct ft_http_answer *ft_http_answer_keep(struct ft_http_answer *answer); /* for one more; NULL gives NULL */
void ft_http_answer_free(struct ft_http_answer *answer);                   /* accepts NULL */

/* ft_http_refuse - text and remedy may be of strangers: what is no text of UTF-8 becomes '?'. {"error": TEXT,
 * "remedy": REMEDY}; remedy may be NULL. NULL: no memory. */
struct ft_http_answer *ft_http_refuse(unsigned status, const char *text, const char *remedy);

/* ---- events -------------------------------------------------------------------------------------------- */

/* Server-sent events for all listeners. The last FT_HTTP_EVENTS are kept: a client that reconnects with
 * the number of its last event gets the rest; if that is gone, an event "gap" comes first. */
struct ft_http_feed;

enum { FT_HTTP_EVENTS = 4096 };

enum ft_status ft_http_feed_new(struct ft_http_feed **out, struct ft_http *http, struct ft_err *err);
void ft_http_feed_free(struct ft_http_feed *feed); /* after ft_http_free; accepts NULL */

/* ft_http_feed_add - data: one line, sent with its number. FT_OK; FT_ENOMEM. */
enum ft_status ft_http_feed_add(struct ft_http_feed *feed, const char *event, const char *data);

/* ft_http_feed_beat - send an empty comment to all listeners, which detects disconnected and blocked ones. */
void ft_http_feed_beat(struct ft_http_feed *feed);

/* ft_http_feed_answer - listen, from now on, or from behind the number in the request's Last-Event-ID. */
struct ft_http_ask;
struct ft_http_answer *ft_http_feed_answer(struct ft_http_feed *feed, struct ft_http_ask *ask);
size_t ft_http_feed_listeners(const struct ft_http_feed *feed);

/* ft_http_feed_begun - how many have begun to listen so far: one may come as another goes. */
unsigned long ft_http_feed_begun(const struct ft_http_feed *feed);

/* ---- requests ------------------------------------------------------------------------------------------ */

/* The client of a request. */
struct ft_http_peer {
	bool local; /* by a unix socket */
	uid_t uid;  /* of the client */
};

/* A request that is whole. Borrowed until it is answered. */
struct ft_http_ask {
	const char *method, *target; /* target: as it was sent, with the query string */
	const char *rest;            /* of the path, decoded: the part for the route's '*' */
	const void *of;              /* as in the route */
	const char *body;            /* [n_body], and a zero byte */
	size_t n_body;
	struct ft_http_peer peer;
};

/* ft_http_value - a value of the query string, decoded; NULL: none. Borrowed. */
const char *ft_http_value(const struct ft_http_ask *ask, const char *key);

/* ft_http_header - as the request has it; NULL: it is not there. Borrowed. */
const char *ft_http_header(const struct ft_http_ask *ask, const char *name);

/* ft_http_each - each of them, in order, until it returns false. value: NULL where it has none. */
void ft_http_each(const struct ft_http_ask *ask, bool (*each)(void *ctx, const char *key, const char *value),
		  void *ctx);

/* A row of the table of routes; the last has no method. */
struct ft_http_route {
	const char *method; /* "GET" (HEAD as well), "POST", "PUT" */
	const char *path;   /* "/list"; "/predict/" and a '*', which stands for all that follows */
	/* The answer, which is taken; NULL: it was put off, or there is no memory. */
	struct ft_http_answer *(*answer)(void *ctx, struct ft_http_ask *ask);
	const void *of;     /* data for a function shared by several routes; may be NULL */
	bool owner;         /* only of our own user, at a unix socket */
	bool open;          /* also without the listener's token: contains nothing private */
	size_t body_bytes;  /* largest body, if above the limit; 0: the limit */
	const char *longer; /* remedy for a larger one; NULL: none */
};

/* ft_http_put_off - it is answered later, by ft_http_give; the route then returns NULL. */
void ft_http_put_off(struct ft_http_ask *ask);

/* ft_http_gone - whether the client of a request that was put off has closed its side of the connection. */
bool ft_http_gone(const struct ft_http_ask *ask);

/* ft_http_give - answer what was put off. answer: taken; NULL: no memory. */
void ft_http_give(struct ft_http_ask *ask, struct ft_http_answer *answer);

/* ft_http_peek - called with a new request before routes are searched: a cached answer, or NULL. The
 * cheapest path. ctx: the routes' */
typedef struct ft_http_answer *ft_http_peek(void *ctx, const char *target, const struct ft_http_peer *peer);

/* ---- serving ------------------------------------------------------------------------------------------- */

/* 0: the default. */
struct ft_http_limits {
	unsigned connections; /* 4000 */
	/* Of one user of this machine, over any socket, or of one remote address: 64. Our own user has no
	 * such limit. */
	unsigned connections_each;
	size_t header_bytes; /* 8 KiB */
	size_t body_bytes;   /* 64 KiB */
	size_t bodies_bytes; /* of the bodies of all requests together: 256 MiB */
	double request_s; /* until a request is whole, and its answer is taken; and until the next one: 10 */
};

struct ft_http_listener {
	int fd;                        /* bound and listening; taken, also on failure */
	const char *certificate, *key; /* PEM; NULL: no TLS */
	const char *token;             /* required in each request; NULL: none */
	const char *const *host;       /* accepted host names, without port, the last NULL; NULL: any */
	bool read_only;                /* only GET */
	bool browsers; /* only our page may send requests, and headers restrict what it may load */
};

struct ft_http_counts {
	unsigned long requests, refused, slow; /* slow: connections that were closed for it */
	unsigned connections, waiting;         /* now */
	size_t bodies_bytes;                   /* that bodies take now */
};

/* ft_http_new - routes: borrowed, and what ctx points to. peek may be NULL. FT_OK; FT_ENOMEM. */
enum ft_status ft_http_new(struct ft_http **out, const struct ft_http_route *routes, void *ctx,
			   ft_http_peek *peek, const struct ft_http_limits *limits, struct ft_err *err);

/* ft_http_end - from now on each request is answered with the end of the server, and none is postponed. */
void ft_http_end(struct ft_http *http);

/* ft_http_free - waiting requests are answered with the end of the server; accepts NULL. */
void ft_http_free(struct ft_http *http);

/* ft_http_serve - from now on answer there. Texts are copied. FT_OK; FT_EINVAL: a certificate that is none;
 * FT_EUNAVAIL; FT_ENOMEM. */
enum ft_status ft_http_serve(struct ft_http *http, const struct ft_http_listener *listener,
			     struct ft_err *err);

int ft_http_fd(const struct ft_http *http);      /* readable: there is something to do */
int ft_http_wait_ms(const struct ft_http *http); /* no longer; -1: as long as you like */
void ft_http_run(struct ft_http *http);          /* do what there is to do, without waiting */
void ft_http_count(const struct ft_http *http, struct ft_http_counts *out);

/* ft_http_listen_unix - a socket that only the owner of its folder could replace. A stale one is removed.
 *
 * Returns FT_OK; FT_EEXIST: somebody answers there; FT_EINVAL: the path is too long, or something else stands
 * there; FT_EACCESS; FT_EIO. */
enum ft_status ft_http_listen_unix(const char *path, mode_t mode, int *fd, struct ft_err *err);

/* ft_http_listen_handed - the unix socket that was opened for us, as by systemd (sd_listen_fds(3)): number
 * 3, if LISTEN_PID and LISTEN_FDS are set accordingly. Its path, and its permissions, are the affair of its
 * owner.
 *
 * fd    -1: none was
 * path  heap, ends with ft_free; where it is; NULL: it has no name, or there is none
 *
 * Returns FT_OK; FT_EINVAL: several, or none that listens; FT_ENOMEM. */
enum ft_status ft_http_listen_handed(int *fd, char **path, struct ft_err *err);

/* ft_http_listen_tcp - address: "127.0.0.1:8080", "[::1]:8080", "HOST:PORT"; port 0: any (ft_http_port).
 * FT_OK; FT_EINVAL; FT_EEXIST: somebody listens there; FT_EUNAVAIL. */
enum ft_status ft_http_listen_tcp(const char *address, int *fd, struct ft_err *err);
unsigned ft_http_port(int fd); /* 0: it has none */

#endif
