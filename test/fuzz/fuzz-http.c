/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz-http.c - any bytes as what a visitor sends: what comes back, if anything does, is HTTP, and the next
 * one is answered. */
#include "fuzz.h"
#include "http/http.h"
#include "manager/inside.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

const char *const fuzz_http_seeds[] = {
	"GET /predict/a?n=5 HTTP/1.1\r\nHost: x\r\n\r\n",
	"GET /predict/a%2Fb?n=1e3&size.m=2&resource=all&confidence=90%25&load=usual HTTP/1.1\r\nHost: "
	"x\r\n\r\n",
	"POST /tell HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello",
	"POST /tell HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
	"GET /events HTTP/1.1\r\nHost: x\r\nLast-Event-ID: 3\r\n\r\n",
	"HEAD / HTTP/1.0\r\n\r\nGET /later HTTP/1.1\r\nHost: x\r\n\r\n",
	"GET /predict/a HTTP/1.1\r\nHost: x\r\n\r\nGET /predict/a?"
	"&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&"
	"&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&"
	"&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&"
	" HTTP/1.1\r\nHost: x\r\n\r\n",
	NULL,
};

const char *const fuzz_http_pieces[] = {
	"\r\n",
	"\n",
	"\r\n\r\n",
	" ",
	"?",
	"&",
	"=",
	"%00",
	"%",
	"%zz",
	"GET ",
	"POST ",
	"HTTP/1.1",
	"HTTP/9.9",
	"Content-Length: 99999999999999999999\r\n",
	"Content-Length: -1\r\n",
	"Transfer-Encoding: chunked\r\n",
	"ffffffffffffffff\r\n",
	"Host: \r\n",
	"Last-Event-ID: 18446744073709551615\r\n",
	"Connection: close\r\n",
	"/../../etc/passwd",
	"\xff",
	NULL,
};

static struct ft_http *http;
static struct ft_http_feed *feed;
static struct sockaddr_un place = {.sun_family = AF_UNIX};

static struct ft_http_answer *say(const char *text)
{
	return ft_http_answer_new(200, "text/plain", text, strlen(text));
}

static struct ft_http_answer *query(void *ctx, struct ft_http_ask *ask)
{
	struct ft_query asked;
	struct ft_err err = {0};

	(void)ctx;
	for (const struct ft_question *const *each = ft_questions; *each; each++)
		(void)ft__query_read(ask, NULL, NULL, *each, &asked, &err);
	return err.status ? ft_http_refuse(400, err.text, err.remedy) : say(asked.name);
}

static struct ft_http_answer *tell(void *ctx, struct ft_http_ask *ask)
{
	(void)ctx;
	return ft_http_answer_new(200, "text/plain", ask->body, ask->n_body);
}

static struct ft_http_answer *later(void *ctx, struct ft_http_ask *ask)
{
	struct ft_http_ask **kept = ctx;

	ft_http_put_off(ask);
	if (*kept)
		ft_http_give(*kept, say("the one before"));
	*kept = ask;
	return NULL;
}

static struct ft_http_answer *events(void *ctx, struct ft_http_ask *ask)
{
	(void)ctx;
	return ft_http_feed_answer(feed, ask);
}

static const struct ft_http_route routes[] = {
	{"GET", "/predict/*", .answer = query},
	{"POST", "/tell", .answer = tell},
	{"GET", "/later", .answer = later},
	{"GET", "/events", .answer = events},
	{0},
};

static struct ft_http_ask *waiting;

static int begin(void)
{
	struct ft_http_listener listener = {0};

	(void)snprintf(place.sun_path, sizeof place.sun_path, "%s", fuzz_path("s"));
	return !ft_http_new(&http, routes, &waiting, NULL, NULL, NULL) &&
	       !ft_http_feed_new(&feed, http, NULL) &&
	       !ft_http_listen_unix(place.sun_path, 0600, &listener.fd, NULL) &&
	       !ft_http_serve(http, &listener, NULL);
}

static int visit(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd >= 0 && connect(fd, (struct sockaddr *)&place, sizeof place)) {
		(void)close(fd);
		return -1;
	}
	return fd;
}

/* Who waits is answered, so that none is left. */
static void settle(void)
{
	for (int i = 0; i < 3; i++)
		ft_http_run(http);
	if (waiting)
		ft_http_give(waiting, say("at last"));
	waiting = NULL;
	(void)ft_http_feed_add(feed, "run", "{}");
	ft_http_run(http);
}

/* What comes back to some bytes; -1: nothing, and nothing will. */
static ssize_t say_and_hear(const void *bytes, size_t length, char *heard, size_t most)
{
	int fd = visit(), i;
	ssize_t n = -1;

	if (fd < 0)
		return -1;
	(void)send(fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);
	(void)shutdown(fd, SHUT_WR);
	for (i = 0; i < 6 && n < 0; i++) {
		settle();
		n = recv(fd, heard, most, MSG_DONTWAIT);
	}
	(void)close(fd);
	settle();
	return n;
}

const char *fuzz_http(const uint8_t *bytes, size_t length)
{
	static const char good[] = "GET /predict/a HTTP/1.1\r\nHost: x\r\n\r\n";
	char heard[4096];

	if (!http && !begin())
		return "it begins";
	ssize_t n = say_and_hear(bytes, length, heard, sizeof heard);
	if (n > 0 && (n < 12 || memcmp(heard, "HTTP/1.", 7) != 0))
		return "what comes back is HTTP";
	n = say_and_hear(good, sizeof good - 1, heard, sizeof heard);
	if (n < 12 || memcmp(heard, "HTTP/1.1 200", 12) != 0)
		return "the next one is answered";
	return NULL;
}

#ifdef FT_FUZZ_ENTRY
FUZZ_ENTRY(fuzz_http)
#endif
