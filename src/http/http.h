/* SPDX-License-Identifier: GPL-3.0-or-later */
/* http.h - HTTP in the caller's own loop: routes, limits, tokens, events. It knows nothing of models.
 *
 *	ft_http_new(&http, routes, ctx, &limits, err);
 *	ft_http_listen_unix("/run/user/1000/foretime.sock", 0600, &fd, err);
 *	ft_http_serve(http, &(struct ft_http_listener){.fd = fd}, err);
 *	for (;;) {
 *		... wait until ft_http_fd(http) is readable, ft_http_wait_ms(http) at most ...
 *		ft_http_run(http);
 *	}
 *
 * One thread calls all of it. libmicrohttpd reads and writes; what it leaves open is done here: a request has
 * to be whole in time, not only to go on (a header a second would keep its connection for ever), who listens
 * has to take what is told in as much time, and users share the connections.
 */
#ifndef FT_HTTP_HTTP_H
#define FT_HTTP_HTTP_H

#include "foretime/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct ft_http;

/* ---- answers ------------------------------------------------------------------------------------------- */

/* What is sent; may be kept, and sent many times. */
struct ft_http_answer;

/* ft_http_answer_new - text: copied, `bytes` of it. type: "application/json" ... NULL: no memory. Ends with
 * ft_http_answer_free, by each who keeps it. */
struct ft_http_answer *ft_http_answer_new(unsigned status, const char *type, const char *text, size_t bytes);

/* ft_http_answer_of - the same of bytes that stay where they are as long as the program runs. */
struct ft_http_answer *ft_http_answer_of(unsigned status, const char *type, const void *bytes, size_t n);

/* ft_http_answer_header - say that, too. false: no memory. */
bool ft_http_answer_header(struct ft_http_answer *answer, const char *name, const char *value);
struct ft_http_answer *ft_http_answer_keep(struct ft_http_answer *answer); /* for one more; NULL gives NULL */
void ft_http_answer_free(struct ft_http_answer *answer);                   /* accepts NULL */

/* ft_http_refuse - text and remedy may be of strangers: what is no text of UTF-8 becomes '?'. {"error": TEXT,
 * "remedy": REMEDY}; remedy may be NULL. NULL: no memory. */
struct ft_http_answer *ft_http_refuse(unsigned status, const char *text, const char *remedy);

/* ---- events -------------------------------------------------------------------------------------------- */

/* What is told to all who listen, as server-sent events. The last FT_HTTP_EVENTS are kept: who comes back
 * with the number of the last one that he heard hears the rest; where that is gone, an event "gap" comes
 * first. */
struct ft_http_feed;

enum { FT_HTTP_EVENTS = 4096 };

enum ft_status ft_http_feed_new(struct ft_http_feed **out, struct ft_http *http, struct ft_err *err);
void ft_http_feed_free(struct ft_http_feed *feed); /* after ft_http_free; accepts NULL */

/* ft_http_feed_add - data: one line. Its number is told with it. FT_OK; FT_ENOMEM. */
enum ft_status ft_http_feed_add(struct ft_http_feed *feed, const char *event, const char *data);

/* ft_http_feed_beat - tell who listens nothing: who went is noticed by it, and who takes nothing any more. */
void ft_http_feed_beat(struct ft_http_feed *feed);

/* ft_http_feed_answer - listen, from now on, or from behind the number in the request's Last-Event-ID. */
struct ft_http_ask;
struct ft_http_answer *ft_http_feed_answer(struct ft_http_feed *feed, struct ft_http_ask *ask);
size_t ft_http_feed_listeners(const struct ft_http_feed *feed);

/* ---- requests ------------------------------------------------------------------------------------------ */

/* Who asks. */
struct ft_http_peer {
	bool local; /* by a unix socket */
	uid_t uid;  /* of it */
};

/* A request that is whole. Borrowed until it is answered. */
struct ft_http_ask {
	const char *method, *target; /* target: as it was sent, with what stands behind '?' */
	const char *rest;            /* of the path, decoded: what stands for the route's '*' */
	const void *of;              /* as the route has it */
	const char *body;            /* [n_body], and a zero byte */
	size_t n_body;
	struct ft_http_peer peer;
};

/* ft_http_value - of what stands behind '?', decoded; NULL: it is not there. Borrowed. */
const char *ft_http_value(const struct ft_http_ask *ask, const char *key);

/* ft_http_header - as the request has it; NULL: it is not there. Borrowed. */
const char *ft_http_header(const struct ft_http_ask *ask, const char *name);

/* ft_http_each - each of them, in order, until it returns false. value: NULL where it has none. */
void ft_http_each(const struct ft_http_ask *ask, bool (*each)(void *ctx, const char *key, const char *value),
		  void *ctx);

/* A row of what is answered; the last has no method. */
struct ft_http_route {
	const char *method; /* "GET" (HEAD as well), "POST", "PUT" */
	const char *path;   /* "/list"; "/predict/" and a '*', which stands for all that follows */
	/* The answer, which is taken; NULL: it was put off, or there is no memory. */
	struct ft_http_answer *(*answer)(void *ctx, struct ft_http_ask *ask);
	const void *of;     /* what it answers, where several routes have one function; may be NULL */
	bool owner;         /* only of our own user, at a unix socket */
	bool open;          /* also without the listener's token: what says nothing of anybody */
	size_t body_bytes;  /* of a body that may be longer than the limits say; 0: as they do */
	const char *longer; /* what to do with a longer one; NULL: nothing is known */
};

/* ft_http_put_off - it is answered later, by ft_http_give; the route then returns NULL. */
void ft_http_put_off(struct ft_http_ask *ask);

/* ft_http_give - answer what was put off. answer: taken; NULL: no memory. */
void ft_http_give(struct ft_http_ask *ask, struct ft_http_answer *answer);

/* ft_http_peek - of all that is read of a request, before its route is looked for: a kept answer, or NULL.
 * What costs least. ctx: the routes' */
typedef struct ft_http_answer *ft_http_peek(void *ctx, const char *target, const struct ft_http_peer *peer);

/* ---- serving ------------------------------------------------------------------------------------------- */

/* 0: the default. */
struct ft_http_limits {
	unsigned connections; /* 4000 */
	/* Of one user of this machine, however he comes, or of one address of another: 64. Our own user has
	 * no such limit. */
	unsigned connections_each;
	size_t header_bytes; /* 8 KiB */
	size_t body_bytes;   /* 64 KiB */
	size_t bodies_bytes; /* of the bodies of all requests together: 256 MiB */
	double request_s; /* until a request is whole, and its answer is taken; and until the next one: 10 */
};

struct ft_http_listener {
	int fd;                        /* bound and listening; taken, also on failure */
	const char *certificate, *key; /* PEM; NULL: no TLS */
	const char *token;             /* that each request has to bring; NULL: none */
	const char *const *host;       /* that a request may name, without port, the last NULL; NULL: any */
	bool read_only;                /* only GET */
	bool browsers; /* pages ask: only ours may, and what is sent says what they may load */
};

struct ft_http_counts {
	unsigned long requests, refused, slow; /* slow: connections that were closed for it */
	unsigned connections, waiting;         /* now */
	size_t bodies_bytes;                   /* that bodies take now */
};

/* ft_http_new - routes: borrowed, and what ctx points to. peek may be NULL. FT_OK; FT_ENOMEM. */
enum ft_status ft_http_new(struct ft_http **out, const struct ft_http_route *routes, void *ctx,
			   ft_http_peek *peek, const struct ft_http_limits *limits, struct ft_err *err);

/* ft_http_end - from now on each request is told that the server ends, and none is put off. */
void ft_http_end(struct ft_http *http);

/* ft_http_free - what waits is told that the server ends; accepts NULL. */
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

/* ft_http_listen_handed - the unix socket that was opened for us, as systemd does it (sd_listen_fds(3)):
 * number 3, where LISTEN_PID and LISTEN_FDS say so. Its path, and who may connect, are the affair of who
 * opened it.
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
