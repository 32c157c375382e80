/* SPDX-License-Identifier: GPL-3.0-or-later */
/* http.c - libmicrohttpd in the caller's loop: its requests, collected, answered at once or later. */
#include "base/alloc.h"
#include "base/clock.h"
#include "http/inside.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

/* ---- a request comes ------------------------------------------------------------------------------------
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

/* A request that the library itself refuses (a second one, of many arguments) came, and it does not tell that
 * it goes: then it goes before the next one, or with the visitor. */
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

/* The first of a request that the library tells: its target as it was sent, which becomes its record. */
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
	/* Who was silent for long has as much time for it as others. */
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

/* Room for so many bytes of its body; false: there is none. */
static bool make_room(struct ft__http_request *request, size_t bytes)
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
	request->crowded = !make_room(request, ask->n_body + n + 1);
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

	/* Nothing to send means no memory: the connection is cut, so that nobody takes it for an answer. */
	return answer ? MHD_queue_response(request->connection, answer->status, answer->response) : MHD_NO;
}

static void put_off(struct ft__http_request *request)
{
	struct ft_http *http = request->door->http;

	request->waits = true;
	request->after = http->waiting;
	if (http->waiting)
		http->waiting->before = request;
	http->waiting = request;
	http->counts.waiting++;
	ft__visitor_wait(request->visitor, true);
	MHD_suspend_connection(request->connection);
}

static struct ft_http_answer *refuse_long(const struct ft__http_request *request)
{
	char text[80];

	(void)snprintf(text, sizeof text, "the request is longer than %zu bytes", request->most);
	return ft_http_refuse(413, text, request->longer);
}

static enum MHD_Result answer_request(struct ft__http_request *request)
{
	request->door->http->counts.requests++;
	if (request->door->http->ending)
		request->answer = ft_http_refuse(503, "the server ends", "ask again");
	else if (request->too_long)
		request->answer = refuse_long(request);
	else if (request->crowded)
		request->answer = ft_http_refuse(503, "too much is sent at once", "ask again");
	else
		request->answer = ft__dispatch(request);
	if (request->answer || !request->later)
		return send_answer(request);
	put_off(request);
	return MHD_YES;
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
		ft__body_expect(request, method, path);
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
	return answer_request(request);
}

void ft_http_put_off(struct ft_http_ask *ask)
{
	((struct ft__http_request *)ask)->later = true;
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

static void default_limits(struct ft_http_limits *limits)
{
	if (!limits->connections)
		limits->connections = 4000;
	if (!limits->connections_each)
		limits->connections_each = 64;
	if (!limits->header_bytes)
		limits->header_bytes = 8192;
	if (!limits->body_bytes)
		limits->body_bytes = 65536;
	if (!limits->bodies_bytes)
		limits->bodies_bytes = 256 << 20;
	if (!(limits->request_s > 0))
		limits->request_s = 10;
}

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
	default_limits(&http->limits);
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

enum { LOOK_NS = 250000000 }; /* how exactly the time of a request is kept */

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
