/* SPDX-License-Identifier: GPL-3.0-or-later */
/* http.c - libmicrohttpd in the caller's loop: requests are collected, and answered at once or later. */
#include "base/alloc.h"
#include "base/clock.h"
#include "http/inside.h"

#include <errno.h>
#include <jansson.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <unistd.h>

/*
 * A request that is whole: who may ask, and which route answers.
 */

/* ---- permission --------------------------------------------------------------------------------------- */

/* In constant time, so that timing does not reveal where they differ. */
static bool same_secret(const char *ours, const char *theirs)
{
	size_t n = strlen(ours), m = strlen(theirs), i;
	unsigned differ = n != m;

	for (i = 0; i < n; i++)
		differ |= (unsigned char)ours[i] ^ (unsigned char)theirs[m ? i % m : 0];
	return !differ;
}

static bool has_token(const struct ft__http_request *request)
{
	const char *header =
		MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, "Authorization");

	return header && !strncasecmp(header, "Bearer ", 7) && same_secret(request->door->token, header + 7);
}

/* A page of another site that resolves its name to our address (DNS rebinding) names itself. */
static bool names_us(const struct ft__http_request *request)
{
	const char *header = MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, "Host");
	const char *colon = header ? strrchr(header, ':') : NULL;
	size_t n = !header ? 0 : colon && !strchr(colon, ']') ? (size_t)(colon - header) : strlen(header), i;

	for (i = 0; header && request->door->host[i]; i++)
		if (strlen(request->door->host[i]) == n && !strncasecmp(request->door->host[i], header, n))
			return true;
	return false;
}

/* A browser states which page sends a request: it has to be ours. The page itself, typed or followed to,
 * has no such page. */
static bool is_our_page(const struct ft__http_request *request)
{
	const char *origin = MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, "Origin");
	const char *site =
		MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, "Sec-Fetch-Site");
	const char *host = MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, "Host");

	if (origin && (!host || strncmp(origin, "http://", 7) != 0 || strcasecmp(origin + 7, host) != 0))
		return false;
	return !site || !strcmp(site, "same-origin") || !strcmp(site, "none");
}

static struct ft_http_answer *turn_away(const struct ft__http_request *request, const char *method, bool open)
{
	const struct ft__door *door = request->door;

	/* As a C string it would end there, and name something else. */
	if (strstr(request->target, "%00"))
		return ft_http_refuse(400, "no name has a byte of 0", "leave out %00");
	if (door->host && !names_us(request))
		return ft_http_refuse(421, "this server has another name",
				      "ask it by the name that it was configured with");
	if (door->browsers && !open && !is_our_page(request))
		return ft_http_refuse(403, "a page of another site asks",
				      "open the address that was printed");
	if (door->token && !open && !has_token(request))
		return ft_http_refuse(401, "a token is needed",
				      "send the header 'Authorization: Bearer TOKEN'");
	if (door->read_only && strcmp(method, "GET") != 0)
		return ft_http_refuse(403, "only GET is answered here", "use the unix socket");
	return NULL;
}

/* ---- routes --------------------------------------------------------------------------------------- */

/* Whether a path matches a route; rest: the part for its '*'. */
static bool matches_route(const char *pattern, const char *path, const char **rest)
{
	size_t n = strlen(pattern);

	*rest = "";
	if (!n || pattern[n - 1] != '*')
		return !strcmp(pattern, path);
	if (strncmp(pattern, path, n - 1) != 0 || !path[n - 1])
		return false;
	*rest = path + n - 1;
	return true;
}

/* Whether the peer may use the route. */
static bool may_ask(const struct ft_http_route *route, const struct ft_http_peer *peer)
{
	return !route->owner || (peer->local && peer->uid == geteuid());
}

/* The route of a path and method, and what stands for its '*'; NULL: there is none. */
static const struct ft_http_route *find_route(const struct ft_http *http, const char *method,
					      const char *path, const char **rest, bool *other_method)
{
	for (const struct ft_http_route *route = http->routes; route->method; route++) {
		if (!matches_route(route->path, path, rest))
			continue;
		if (!strcmp(route->method, method))
			return route;
		*other_method = true;
	}
	return NULL;
}

/* Bytes of a stranger take no memory. */
/* body_expect - the largest body of a request, before it arrives, and the answer to a larger one; or to a
 * body that no route takes. */
/* ft__dispatch - of http.c: the answer to a request that is whole; NULL: it was put off, or there is no
 * memory. */
static struct ft_http_answer *ft__dispatch(struct ft__http_request *request)
{
	struct ft_http *http = request->door->http;
	const char *path = request->ask.rest;
	bool other_method = false;
	const struct ft_http_route *route =
		find_route(http, request->ask.method, path, &request->ask.rest, &other_method);
	struct ft_http_answer *answer = turn_away(request, request->ask.method, route && route->open);

	if (!answer && http->peek && !strcmp(request->ask.method, "GET"))
		answer = http->peek(http->ctx, request->ask.target, &request->ask.peer);
	if (answer)
		return answer;
	if (!route) {
		if (other_method)
			return ft_http_refuse(405, "this path takes another method",
					      request->door->browsers
						      ? "use GET for queries and POST for data"
						      : "GET /openapi.json describes it");
		return ft_http_refuse(404, "there is nothing of this name",
				      request->door->browsers ? "the page begins at /"
							      : "GET /openapi.json lists all paths");
	}
	if (!may_ask(route, &request->ask.peer))
		return ft_http_refuse(403, "only the owner of this server may do that",
				      "ask at its unix socket, as its user");
	request->ask.of = route->of;
	return route->answer(http->ctx, &request->ask);
}

/* ---- query string ------------------------------------------------------------------------------ */

const char *ft_http_value(const struct ft_http_ask *ask, const char *key)
{
	return MHD_lookup_connection_value(((const struct ft__http_request *)ask)->connection,
					   MHD_GET_ARGUMENT_KIND, key);
}

const char *ft_http_header(const struct ft_http_ask *ask, const char *name)
{
	return MHD_lookup_connection_value(((const struct ft__http_request *)ask)->connection,
					   MHD_HEADER_KIND, name);
}

struct each {
	bool (*each)(void *ctx, const char *key, const char *value);
	void *ctx;
};

static enum MHD_Result next(void *ctx, enum MHD_ValueKind kind, const char *key, const char *value)
{
	const struct each *each = ctx;

	(void)kind;
	return each->each(each->ctx, key, value) ? MHD_YES : MHD_NO;
}

void ft_http_each(const struct ft_http_ask *ask, bool (*each)(void *ctx, const char *key, const char *value),
		  void *ctx)
{
	struct each output = {each, ctx};

	(void)MHD_get_connection_values(((const struct ft__http_request *)ask)->connection,
					MHD_GET_ARGUMENT_KIND, next, &output);
}

/* ---- a request comes ------------------------------------------------------------------------------------
 */

/*
 * Libmicrohttpd in the caller's loop: requests are collected, and answered at once or later.
 */

static void leave_those_that_wait(struct ft__http_request *request)
{
	struct ft_http *http = request->door->http;

	if (request->before)
		request->before->after = request->after;
	else
		http->waiting = request->after;
	if (request->after)
		request->after->before = request->before;
	request->before = request->after = NULL;
	request->waits = false;
	http->counts.waiting--;
}

static void let_go(struct ft__http_request *request)
{
	if (!request)
		return;
	if (request->waits)
		leave_those_that_wait(request);
	request->visitor->request = NULL;
	request->door->http->counts.bodies_bytes -= request->capacity;
	ft_http_answer_free(request->answer);
	ft_free(request->target);
	ft_free(request->body);
	ft_free(request);
}

/* If the library itself rejects a request (a second one, of many arguments), it does not report its end:
 * it then ends before the next one, or with the connection. */
static void visitor_comes_or_goes(void *ctx, struct MHD_Connection *connection, void **visitor,
				  enum MHD_ConnectionNotificationCode code)
{
	const struct ft__door *door = ctx;

	if (code == MHD_CONNECTION_NOTIFY_STARTED) {
		*visitor = ft__visitor_new(door->http, connection);
	} else {
		if (*visitor)
			let_go(((struct ft__visitor *)*visitor)->request);
		ft__visitor_free(*visitor);
		*visitor = NULL;
	}
}

/* The first callback of a request, with its target as it was sent, where its record is made. */
static void *request_comes(void *ctx, const char *target, struct MHD_Connection *connection)
{
	struct ft__http_request *request = ft_calloc(1, sizeof *request);

	if (!request)
		return NULL;
	request->door = ctx;
	request->connection = connection;
	request->target = ft_strdup(target);
	request->visitor =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
	if (!request->target || !request->visitor) {
		ft_free(request->target);
		ft_free(request);
		return NULL;
	}
	let_go(request->visitor->request);
	request->visitor->request = request;
	/* A request that comes after a long silence gets the full time. */
	ft__visitor_wait(request->visitor, false);
	return request;
}

static void request_goes(void *ctx, struct MHD_Connection *connection, void **kept,
			 enum MHD_RequestTerminationCode why)
{
	struct ft__http_request *request = *kept;

	(void)ctx;
	(void)connection;
	(void)why;
	*kept = NULL;
	if (!request)
		return;
	ft__visitor_wait(request->visitor, false);
	let_go(request);
}

/* Reserve that many bytes for its body; false: no memory. */
static bool grow_body(struct ft__http_request *request, size_t bytes)
{
	struct ft_http *http = request->door->http;
	size_t capacity = 2 * bytes < request->most + 1 ? 2 * bytes : request->most + 1;

	if (bytes <= request->capacity)
		return true;
	size_t others = http->counts.bodies_bytes - request->capacity;
	char *longer =
		others + capacity <= http->limits.bodies_bytes ? ft_realloc(request->body, capacity) : NULL;
	if (!longer)
		return false;
	request->body = longer;
	request->capacity = capacity;
	http->counts.bodies_bytes = others + capacity;
	return true;
}

/* More of its body. */
static void take_in(struct ft__http_request *request, const char *data, size_t *bytes)
{
	struct ft_http_ask *ask = &request->ask;
	size_t n = *bytes;

	*bytes = 0;
	request->too_long |= !request->unheard && n > request->most - ask->n_body;
	if (request->unheard || request->too_long || request->crowded)
		return;
	request->crowded = !grow_body(request, ask->n_body + n + 1);
	if (request->crowded)
		return;
	memcpy(request->body + ask->n_body, data, n);
	ask->n_body += n;
	request->body[ask->n_body] = 0;
}

/* ---- and is answered --------------------------------------------------------------------------------------
 */

static enum MHD_Result send_answer(const struct ft__http_request *request)
{
	struct ft_http_answer *answer = request->answer;

	/* Without memory for an answer the connection is cut, so that nothing is mistaken for an answer. */
	return answer ? MHD_queue_response(request->connection, answer->status, answer->response) : MHD_NO;
}

static enum MHD_Result handle(void *ctx, struct MHD_Connection *connection, const char *path,
			      const char *method, const char *version, const char *data, size_t *bytes,
			      void **kept)
{
	struct ft__http_request *request = *kept;

	(void)ctx;
	(void)connection;
	(void)version;
	if (!request)
		return MHD_NO;
	if (!request->begun) {
		request->begun = true;
		const struct ft__door *door = request->door;
		const char *rest;
		bool other_method = false;
		const struct ft_http_route *route =
			find_route(door->http, method, path, &rest, &other_method);
		struct ft_http_answer *refusal = turn_away(request, method, route && route->open);

		request->most = door->http->limits.body_bytes;
		request->unheard = refusal || !route || !may_ask(route, &request->visitor->peer);
		ft_http_answer_free(refusal);
		if (route && !request->unheard && route->body_bytes) {
			request->most = route->body_bytes;
			request->longer = route->longer;
		}
		return MHD_YES;
	}
	if (*bytes) {
		take_in(request, data, bytes);
		return MHD_YES;
	}
	if (request->given || request->answer)
		return send_answer(request);
	request->ask.method = !strcmp(method, "HEAD") ? "GET" : method;
	request->ask.target = request->target;
	request->ask.rest = path;
	request->ask.body = request->body ? request->body : "";
	request->ask.peer = request->visitor->peer;
	request->door->http->counts.requests++;
	if (request->door->http->ending) {
		request->answer = ft_http_refuse(503, "the server ends", "ask again");
	} else if (request->too_long) {
		char text[80];

		(void)snprintf(text, sizeof text, "the request is longer than %zu bytes", request->most);
		request->answer = ft_http_refuse(413, text, request->longer);
	} else if (request->crowded) {
		request->answer = ft_http_refuse(503, "too much is sent at once", "ask again");
	} else {
		request->answer = ft__dispatch(request);
	}
	if (request->answer || !request->later)
		return send_answer(request);
	struct ft_http *http = request->door->http;

	request->waits = true;
	request->after = http->waiting;
	if (http->waiting)
		http->waiting->before = request;
	http->waiting = request;
	http->counts.waiting++;
	ft__visitor_wait(request->visitor, true);
	MHD_suspend_connection(request->connection);
	return MHD_YES;
}

void ft_http_put_off(struct ft_http_ask *ask)
{
	((struct ft__http_request *)ask)->later = true;
}

bool ft_http_gone(const struct ft_http_ask *ask)
{
	struct pollfd at = {.fd = ((const struct ft__http_request *)ask)->visitor->fd, .events = POLLRDHUP};

	return poll(&at, 1, 0) > 0;
}

void ft_http_give(struct ft_http_ask *ask, struct ft_http_answer *answer)
{
	struct ft__http_request *request = (struct ft__http_request *)ask;

	request->answer = answer;
	request->given = true;
	leave_those_that_wait(request);
	ft__visitor_wait(request->visitor, false);
	MHD_resume_connection(request->connection);
}

/* ---- doors
 * ---------------------------------------------------------------------------------------------------- */

static void door_free(struct ft__door *door)
{
	if (door->daemon)
		MHD_stop_daemon(door->daemon);
	for (size_t i = 0; door->host && door->host[i]; i++)
		ft_free(door->host[i]);
	ft_free(door->host);
	ft_free(door->token);
	ft_free(door);
}

static bool copy_hosts(struct ft__door *door, const char *const *host)
{
	size_t n = 0;

	while (host && host[n])
		n++;
	if (!host)
		return true;
	door->host = ft_calloc(n + 1, sizeof *door->host);
	for (size_t i = 0; door->host && i < n; i++)
		if (!(door->host[i] = ft_strdup(host[i])))
			return false;
	return door->host;
}

static enum ft_status start_door(struct ft__door *door, const struct ft_http_listener *listener,
				 struct ft_err *err)
{
	const struct ft_http_limits *limits = &door->http->limits;
	const bool secret = listener->certificate || listener->key;
	struct MHD_OptionItem tls[] = {
		{MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)(uintptr_t)listener->certificate},
		{MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)(uintptr_t)listener->key},
		{MHD_OPTION_END, 0, NULL},
	};
	const struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};

	door->daemon = MHD_start_daemon(
		MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | (secret ? MHD_USE_TLS : 0), 0, NULL, NULL, handle,
		door, MHD_OPTION_LISTEN_SOCKET, listener->fd, MHD_OPTION_CONNECTION_LIMIT,
		limits->connections, MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits->header_bytes,
		MHD_OPTION_NOTIFY_CONNECTION, visitor_comes_or_goes, door, MHD_OPTION_URI_LOG_CALLBACK,
		request_comes, door, MHD_OPTION_NOTIFY_COMPLETED, request_goes, door, MHD_OPTION_ARRAY,
		secret ? tls : none, MHD_OPTION_END);
	if (door->daemon)
		return FT_OK;
	(void)close(listener->fd);
	if (secret)
		return ft_fail(err, FT_EINVAL, "cannot serve with this certificate and key");
	return ft_fail(err, FT_EUNAVAIL, "cannot begin to serve: %s", strerror(errno));
}

static enum ft_status watch_door(struct ft__door *door, struct ft_err *err)
{
	struct epoll_event event = {.events = EPOLLIN};
	int fd = MHD_get_daemon_info(door->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;

	if (epoll_ctl(door->http->epoll, EPOLL_CTL_ADD, fd, &event))
		return ft_fail(err, FT_EUNAVAIL, "cannot watch connections: %s", strerror(errno));
	return FT_OK;
}

enum ft_status ft_http_serve(struct ft_http *http, const struct ft_http_listener *listener,
			     struct ft_err *err)
{
	struct ft__door *door = ft_calloc(1, sizeof *door);
	enum ft_status status = FT_OK;

	if (door) {
		door->http = http;
		door->read_only = listener->read_only;
		door->browsers = listener->browsers;
		door->token = ft_strdup(listener->token);
	}
	if (!door || (listener->token && !door->token) || !copy_hosts(door, listener->host)) {
		(void)close(listener->fd);
		status = ft_nomem(err);
	} else {
		status = start_door(door, listener, err);
	}
	if (!status)
		status = watch_door(door, err);
	if (status) {
		if (door)
			door_free(door);
		return status;
	}
	door->next = http->door;
	http->door = door;
	return FT_OK;
}

/* ---- all of it
 * ------------------------------------------------------------------------------------------------- */

enum ft_status ft_http_new(struct ft_http **out, const struct ft_http_route *routes, void *ctx,
			   ft_http_peek *peek, const struct ft_http_limits *limits, struct ft_err *err)
{
	struct ft_http *http = ft_calloc(1, sizeof *http);

	*out = NULL;
	if (!http)
		return ft_nomem(err);
	http->routes = routes;
	http->ctx = ctx;
	http->peek = peek;
	if (limits)
		http->limits = *limits;
	if (!http->limits.connections)
		http->limits.connections = 4000;
	if (!http->limits.connections_each)
		http->limits.connections_each = 64;
	if (!http->limits.header_bytes)
		http->limits.header_bytes = 8192;
	if (!http->limits.body_bytes)
		http->limits.body_bytes = 65536;
	if (!http->limits.bodies_bytes)
		http->limits.bodies_bytes = 256 << 20;
	if (!(http->limits.request_s > 0))
		http->limits.request_s = 10;
	http->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (http->epoll < 0) {
		ft_free(http);
		return ft_fail(err, FT_EUNAVAIL, "cannot watch connections: %s", strerror(errno));
	}
	http->netlink = ft__guests_open();
	*out = http;
	return FT_OK;
}

void ft_http_end(struct ft_http *http)
{
	http->ending = true;
}

void ft_http_free(struct ft_http *http)
{
	struct ft__door *door;

	if (!http)
		return;
	http->ending = true;
	while (http->waiting)
		ft_http_give(&http->waiting->ask, ft_http_refuse(503, "the server ends", "ask again"));
	if (http->feed)
		ft__feed_end(http->feed);
	ft_http_run(http);
	while ((door = http->door)) {
		http->door = door->next;
		door_free(door);
	}
	(void)close(http->epoll);
	if (http->netlink >= 0)
		(void)close(http->netlink);
	ft_free(http->user);
	ft_free(http);
}

int ft_http_fd(const struct ft_http *http)
{
	return http->epoll;
}

int ft_http_wait_ms(const struct ft_http *http)
{
	const struct ft__door *door;
	int64_t least = http->look_again_ns;

	if (least >= 0) {
		least = (http->looked_ns + least - ft_clock_ns()) / 1000000 + 1;
		least = least < 0 ? 0 : least;
	}
	for (door = http->door; door; door = door->next) {
		MHD_UNSIGNED_LONG_LONG ms;

		if (MHD_get_timeout(door->daemon, &ms) == MHD_YES &&
		    (least < 0 || ms < (unsigned long long)least))
			least = (int64_t)ms;
	}
	return least < 0 ? -1 : least > 3600000 ? 3600000 : (int)least;
}

enum { LOOK_NS = 250000000 }; /* accuracy of the time limit of a request */

void ft_http_run(struct ft_http *http)
{
	struct ft__door *door;
	int64_t now = ft_clock_ns();

	for (door = http->door; door; door = door->next)
		(void)MHD_run(door->daemon);
	if (http->looked_ns && now - http->looked_ns < LOOK_NS) {
		http->look_again_ns = http->oldest ? LOOK_NS : -1;
		return;
	}
	http->looked_ns = now;
	http->look_again_ns = ft__visitors_look(http);
}

void ft_http_count(const struct ft_http *http, struct ft_http_counts *out)
{
	*out = http->counts;
}
