/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inside.h - connections, requests and events, shared by the files of the room. */
#ifndef FT_HTTP_INSIDE_H
#define FT_HTTP_INSIDE_H

#include "http/http.h"

#include <microhttpd.h>
#include <stdint.h>
#include <stdlib.h>

struct ft_http_answer {
	struct MHD_Response *response;
	unsigned status;
	size_t users;
};

/* The user or address that a connection counts for. */
struct ft__guest {
	bool here;                 /* a user of this machine */
	uid_t uid;                 /* of that user */
	unsigned char address[16]; /* of another machine, or when the user is not known */
};

/* ft__guests_open - open the netlink socket for ft__guest_of; -1: users who connect by TCP cannot be
   identified. */
int ft__guests_open(void);
struct ft__guest ft__guest_of(int netlink, int fd, const struct ft_http_peer *peer);

/* A connection. The oldest, since when it owes us a whole request, stands first. */
struct ft__visitor {
	struct ft_http *http;
	struct ft__visitor *before, *after;
	int fd;
	int64_t since_ns;
	bool patient;                     /* we owe it an answer, or it listens: it may take its time */
	struct ft__http_request *request; /* that has not ended; or NULL */
	struct ft_http_peer peer;
	struct ft__guest guest;
};

/* ft__visitor_... - a visitor that is one too many is NULL, and cut off. */
struct ft__visitor *ft__visitor_new(struct ft_http *http, struct MHD_Connection *connection);
void ft__visitor_free(struct ft__visitor *visitor);
void ft__visitor_wait(struct ft__visitor *visitor, bool patient); /* from now on; it is the youngest again */
int64_t
ft__visitors_look(struct ft_http *http); /* disconnect slow ones; nanoseconds until the next check; -1 */

/* ft__visitor_cut - end its connection, for it is slow. */
void ft__visitor_cut(struct ft__visitor *visitor);

/* A user, or an address, while it has connections. */
struct ft__user {
	struct ft__guest guest;
	unsigned connections;
};

struct ft__door {
	struct MHD_Daemon *daemon;
	char *token, **host;
	bool read_only, browsers;
	struct ft_http *http;
	struct ft__door *next;
};

/* A request, and what has become of it. */
struct ft__http_request {
	struct ft_http_ask ask; /* first: one is the other */
	struct MHD_Connection *connection;
	struct ft__visitor *visitor;
	struct ft__door *door;
	struct ft__http_request *before, *after; /* of those that wait */
	char *target, *body;
	size_t capacity, most; /* of the body: has room, may have */
	const char *longer;    /* as the route has it */
	struct ft_http_answer *answer;
	/* unheard: not permitted, and answered when all has arrived; crowded: other requests have the
	   memory */
	bool begun, too_long, crowded, unheard, later, waits, given;
};

struct ft_http {
	const struct ft_http_route *routes;
	void *ctx;
	ft_http_peek *peek;
	struct ft_http_limits limits;
	int epoll, netlink;
	struct ft__door *door;
	struct ft__visitor *oldest, *youngest;
	struct ft__user *user; /* [n_users] */
	size_t n_users, users_capacity;
	struct ft__http_request *waiting;
	struct ft_http_feed *feed; /* or NULL */
	struct ft_http_counts counts;
	bool ending;
	int64_t looked_ns, look_again_ns;
};

/* ft__feed_end - disconnect the listeners. */
void ft__feed_end(struct ft_http_feed *feed);

#endif
