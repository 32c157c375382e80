/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests as they come: whole, in pieces, too long, too slow, too many, without a token; answers at once and
 * later; events, and who comes back for them. */
#include "visit.h"

static struct ft_http_feed *feed;
static struct ft_http_ask *put_off;
static struct ft_http_answer *kept;

static struct ft_http_answer *text(unsigned status, const char *s)
{
	return ft_http_answer_new(status, "text/plain", s, strlen(s));
}

static struct ft_http_answer *say_rest(void *ctx, struct ft_http_ask *ask)
{
	const char *n = ft_http_value(ask, "n");
	char line[256];

	(void)snprintf(line, sizeof line, "%s:%s:%s:%d", (const char *)ctx, ask->rest, n ? n : "-",
		       ask->peer.local);
	return text(200, line);
}

static struct ft_http_answer *echo(void *ctx, struct ft_http_ask *ask)
{
	(void)ctx;
	return ft_http_answer_new(201, "text/plain", ask->body, ask->n_body);
}

static struct ft_http_answer *wait_for_it(void *ctx, struct ft_http_ask *ask)
{
	(void)ctx;
	put_off = ask;
	ft_http_put_off(ask);
	return NULL;
}

static struct ft_http_answer *listen_to(void *ctx, struct ft_http_ask *ask)
{
	(void)ctx;
	return ft_http_feed_answer(feed, ask);
}

static struct ft_http_answer *peek(void *ctx, const char *target, const struct ft_http_peer *peer)
{
	(void)ctx;
	(void)peer;
	return strcmp(target, "/kept?n=1") ? NULL : ft_http_answer_keep(kept);
}

static const struct ft_http_route routes[] = {
	{"GET", "/say/*", .answer = say_rest},
	{"POST", "/echo", .answer = echo},
	{"GET", "/later", .answer = wait_for_it},
	{"GET", "/events", .answer = listen_to},
	{0},
};

static const char *ask(const char *request)
{
	int fd = visit();

	tell(fd, request);
	const char *heard = hear(fd, NULL);
	(void)close(fd);
	return heard;
}

static const char *get(const char *target)
{
	char request[8192];

	(void)snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
		       target);
	return ask(request);
}

/* ---- tests --------------------------------------------------------------------------------------------- */

static void test_answers(void)
{
	const char *heard = get("/say/a%2Fb/c?n=2048&m");

	ok(begins(heard, "HTTP/1.1 200") && has(heard, "ctx:a/b/c:2048:1"),
	   "a route, what stands for its '*', a value");
	ok(begins(get("/say/"), "HTTP/1.1 404"), "'*' is not nothing");
	ok(begins(heard = get("/nothing"), "HTTP/1.1 404") && has(heard, "\"remedy\""),
	   "no route, and what to do");
	ok(begins(get("/echo"), "HTTP/1.1 405"), "another method");
	ok(has(get("/kept?n=1"), "as before"), "a kept answer is sent before any route is looked for");
	ok(has(get("/kept?n=1"), "as before"), "and again");
	ok(begins(ask("HEAD /say/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"), "HTTP/1.1 200"),
	   "HEAD");
	ok(has(ask("POST /echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello"),
	       "hello"),
	   "a body");
	heard = get("/say/%ff%00%3cscript%3e");
	ok(begins(heard, "HTTP/1.1"), "bytes that are no text are answered somehow");
}

static void test_pieces(void)
{
	static const char request[] =
		"POST /echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello";
	int fd = visit();

	for (size_t i = 0; i < sizeof request - 1; i++) {
		(void)send(fd, request + i, 1, MSG_NOSIGNAL);
		serve(0);
	}
	ok(has(hear(fd, NULL), "hello"), "a request that comes byte by byte");
	(void)close(fd);
	fd = visit();
	tell(fd, "GET /say/1 HTTP/1.1\r\nHost: x\r\n\r\nGET /say/2 HTTP/1.1\r\nHost: x\r\nConnection: "
		 "close\r\n\r\n");
	ok(has(hear(fd, "ctx:2:"), "ctx:2:"), "two on one connection");
	(void)close(fd);
}

static void test_too_much(void)
{
	static char body[300000];

	memset(body, 'x', sizeof body);
	ok(begins(send_body("POST /echo", body, 200000), "HTTP/1.1 413"), "a body that is too long");
	memset(body, 'a', 20000);
	memcpy(body, "GET /say/", 9);
	(void)snprintf(body + 20000, 64, " HTTP/1.1\r\nHost: x\r\n\r\n");
	ok(begins(ask(body), "HTTP/1.1 4"), "a line that is too long");
	ok(begins(get("/say/still"), "HTTP/1.1 200"), "and others are answered as ever");
}

static void test_later(void)
{
	int fd = visit(), other;
	struct ft_http_counts counts;

	put_off = NULL;
	tell(fd, "GET /later HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
	while (!put_off)
		serve(10);
	ft_http_count(http, &counts);
	ok(counts.waiting == 1, "one waits");
	ok(begins(get("/say/x"), "HTTP/1.1 200"), "others do not");
	ft_http_give(put_off, text(200, "at last"));
	ok(has(hear(fd, NULL), "at last"), "it is answered");
	ft_http_count(http, &counts);
	ok(counts.waiting == 0, "none waits");
	(void)close(fd);
	put_off = NULL;
	other = visit();
	tell(other, "GET /later HTTP/1.1\r\nHost: x\r\n\r\n");
	while (!put_off)
		serve(10);
	(void)close(other);
	serve(5);
	ft_http_give(put_off, text(200, "nobody"));
	serve(5);
	ok(begins(get("/say/x"), "HTTP/1.1 200"), "who went meanwhile harms nobody");
}

/* Whether the other side has closed it, whatever it said before. */
static bool is_cut(int fd)
{
	char heard[1024];
	ssize_t n;

	do
		n = recv(fd, heard, sizeof heard, MSG_DONTWAIT);
	while (n > 0);
	return n == 0 || errno != EAGAIN;
}

enum { SLOW = 20 };

/* A byte of a line that never ends. Each sets the library's own clock back. A turn of the loop that hears one
 * waits for nothing: with a byte a turn a fast machine would send more than a line may have before the time
 * is over, and be refused for that. */
static void send_slowly(const int *slow, const bool *gone, double *sent_s)
{
	if (ft_clock_s() - *sent_s < 0.02)
		return;
	*sent_s = ft_clock_s();
	for (int i = 0; i < SLOW; i++)
		if (!gone[i])
			(void)send(slow[i], "G", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void test_slow(void)
{
	struct ft_http_counts before, now;
	int slow[SLOW], i, cut = 0;
	unsigned most = 0;
	bool gone[SLOW] = {false};
	double since = ft_clock_s(), sent_s = 0;

	ft_http_count(http, &before);
	for (i = 0; i < SLOW; i++)
		slow[i] = visit();
	while (cut < SLOW && ft_clock_s() - since < 60) {
		send_slowly(slow, gone, &sent_s);
		serve(20);
		ft_http_count(http, &now);
		most = now.connections > most ? now.connections : most;
		for (i = 0; i < SLOW; i++)
			if (!gone[i] && is_cut(slow[i])) {
				gone[i] = true;
				cut++;
			}
	}
	for (i = 0; i < SLOW; i++)
		(void)close(slow[i]);
	serve(20);
	ft_http_count(http, &now);
	ok(cut == SLOW && now.slow - before.slow == SLOW,
	   "who sends a byte now and then is cut off: %d, %lu of them as slow", cut, now.slow - before.slow);
	ok(most >= SLOW && now.connections <= most - SLOW, "they were counted: %u, then %u", most,
	   now.connections);
	ok(begins(get("/say/x"), "HTTP/1.1 200"), "others are answered");
}

static void listen_behind(int fd, unsigned long born, unsigned long number)
{
	char request[256];

	(void)snprintf(request, sizeof request,
		       "GET /events HTTP/1.1\r\nHost: x\r\nLast-Event-ID: %lx-%lu\r\n\r\n", born, number);
	tell(fd, request);
}

static void test_events(void)
{
	unsigned long born = 0;
	int fd = visit(), i;
	const char *heard;

	tell(fd, "GET /events HTTP/1.1\r\nHost: x\r\n\r\n");
	while (!ft_http_feed_listeners(feed))
		serve(10);
	(void)ft_http_feed_add(feed, "run", "{\"n\":1}");
	ok(has(heard = hear(fd, "{\"n\":1}\n\n"), "event: run\ndata: {\"n\":1}") && has(heard, "-1\n") &&
		   has(heard, "text/event-stream"),
	   "an event");
	(void)sscanf(strstr(heard, "id: ") ? strstr(heard, "id: ") : "", "id: %lx-", &born);
	(void)close(fd);
	(void)ft_http_feed_add(feed, "run", "{\"n\":2}");
	(void)ft_http_feed_add(feed, "run", "{\"n\":3}");
	serve(10);
	fd = visit();
	listen_behind(fd, born, 1);
	heard = hear(fd, "{\"n\":3}\n\n");
	ok(has(heard, "-2\n") && has(heard, "-3\n") && !strstr(heard, "-1\n") && !strstr(heard, "gap"),
	   "who comes back hears the rest");
	(void)close(fd);
	for (i = 0; i < FT_HTTP_EVENTS + 10; i++)
		(void)ft_http_feed_add(feed, "run", "{}");
	serve(10);
	fd = visit();
	listen_behind(fd, born, 2);
	heard = hear(fd, "-14\n");
	ok(has(heard, "event: gap"), "and is told where some are gone");
	(void)close(fd);
	fd = visit();
	listen_behind(fd, born + 1, 2);
	heard = hear(fd, "-14\n");
	ok(has(heard, "event: gap"), "as is who heard another server");
	(void)close(fd);
	fd = visit();
	tell(fd, "GET /events HTTP/1.1\r\nHost: x\r\n\r\n");
	(void)hear(fd, "event-stream");
	serve(10);
	ft_http_feed_beat(feed);
	ok(has(hear(fd, ":\n\n"), "\n:\n\n"), "nothing, so that who went is noticed");
	(void)close(fd);
}

/* Who listens and takes nothing is cut off; who takes what he is told, however much, is not. */
static void test_deaf(void)
{
	static char line[1000];
	struct ft_http_counts before, now;

	memset(line, 'x', sizeof line - 1);
	while (ft_http_feed_listeners(feed)) {
		ft_http_feed_beat(feed);
		serve(5);
	}
	ft_http_count(http, &before);
	int deaf = visit();
	int fd = visit();
	tell(deaf, "GET /events HTTP/1.1\r\nHost: x\r\n\r\n");
	tell(fd, "GET /events HTTP/1.1\r\nHost: x\r\n\r\n");
	while (ft_http_feed_listeners(feed) < 2)
		serve(10);
	for (int i = 0; i < 2000; i++) {
		(void)ft_http_feed_add(feed, "run", line);
		serve(0);
		(void)is_cut(fd);
	}
	for (double since = ft_clock_s(); ft_http_feed_listeners(feed) > 1 && ft_clock_s() - since < 60;) {
		ft_http_feed_beat(feed);
		serve(20);
		(void)is_cut(fd);
	}
	ft_http_count(http, &now);
	ok(ft_http_feed_listeners(feed) == 1 && now.slow - before.slow == 1,
	   "who takes nothing is cut off: %zu listen, %lu were slow", ft_http_feed_listeners(feed),
	   now.slow - before.slow);
	(void)ft_http_feed_add(feed, "run", "\"the last\"");
	ok(has(hear(fd, "the last"), "the last"), "who does hears on");
	(void)close(deaf);
	(void)close(fd);
}

int main(void)
{
	const struct ft_http_limits limits = {.request_s = 0.5};
	struct ft_http_listener listener = {0};
	struct ft_err err = {0};

	kept = text(200, "as before");
	if (!ok(!ft_http_new(&http, routes, (char *)(uintptr_t) "ctx", peek, &limits, &err) &&
			!ft_http_feed_new(&feed, http, &err) &&
			!ft_http_listen_unix(socket_path(), 0600, &listener.fd, &err) &&
			!ft_http_serve(http, &listener, &err),
		"serves: %s", err.text))
		return done();
	test_answers();
	test_pieces();
	test_too_much();
	test_later();
	test_slow();
	test_events();
	test_deaf();
	put_off = NULL;
	{
		int fd = visit();

		tell(fd, "GET /later HTTP/1.1\r\nHost: x\r\n\r\n");
		while (!put_off)
			serve(10);
		ft_http_free(http);
		ft_http_feed_free(feed);
		ok(true, "ends, though somebody waits");
		(void)close(fd);
	}
	ft_http_answer_free(kept);
	temp_remove();
	return done();
}
