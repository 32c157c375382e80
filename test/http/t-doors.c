/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who may ask: with a token, by a name, as the owner; and sockets that are listened at. */
#include "http/inside.h"
#include "visit.h"

#include <sys/stat.h>

enum { BODIES_BYTES = 400000, EACH = 5 };

static struct ft_http_answer *echo(void *ctx, struct ft_http_ask *ask)
{
	(void)ctx;
	return ft_http_answer_new(201, "text/plain", ask->body, ask->n_body);
}

static struct ft_http_answer *say(void *ctx, struct ft_http_ask *ask)
{
	(void)ctx;
	return ft_http_answer_new(200, "text/plain", ask->rest, strlen(ask->rest));
}

static const struct ft_http_route routes[] = {
	{"GET", "/say/*", .answer = say},
	{"GET", "/open", .answer = say, .open = true},
	{"POST", "/echo", .answer = echo},
	{"PUT", "/whole/*", .answer = echo, .owner = true, .body_bytes = 1 << 18},
	{0},
};

/* A body may be as long as its route says. */
static void test_bodies(void)
{
	static char body[300000];

	memset(body, 'x', sizeof body);
	ok(begins(send_body("POST /echo", body, 200000), "HTTP/1.1 413"), "a body that is too long");
	ok(begins(send_body("PUT /whole/x", body, 100000), "HTTP/1.1 201"), "a route that takes longer ones");
	ok(begins(send_body("PUT /whole/x", body, sizeof body), "HTTP/1.1 413"), "and not any");
}

static size_t bodies_bytes(void)
{
	struct ft_http_counts counts;

	ft_http_count(http, &counts);
	return counts.bodies_bytes;
}

/* Send all of it; how much memory bodies have then. */
static size_t send_all(int fd, const char *head, size_t bytes)
{
	static const char part[1000] = "x";

	tell(fd, head);
	for (; bytes; bytes -= sizeof part) {
		while (send(fd, part, sizeof part, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno == EAGAIN)
			serve(1);
		serve(0);
	}
	serve(5);
	return bodies_bytes();
}

/* All bodies share what there is, and what was taken is given back. */
static void test_crowd(void)
{
	static const char head[] =
		"PUT /whole/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 200001\r\n\r\n";
	int first = visit(), second = visit();
	size_t one = send_all(first, head, 200000), both = send_all(second, head, 200000);

	ok(one > 200000 && both < BODIES_BYTES, "bodies take %zu, and %zu bytes", one, both);
	tell(second, "x");
	ok(begins(hear(second, NULL), "HTTP/1.1 503"), "one too many is told so");
	tell(first, "x");
	ok(begins(hear(first, NULL), "HTTP/1.1 201"), "who came first has its room");
	(void)close(first);
	(void)close(second);
	serve(5);
	ok(bodies_bytes() == 0, "then there is room again");
}

/* Who may not ask cannot make us keep anything. */
static void test_strangers(unsigned port)
{
	static const char *const head[] = {
		"POST /echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: "
		"50000\r\n\r\n",
		"POST /echo HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer s3cret\r\nConnection: "
		"close\r\n"
		"Content-Length: 50000\r\n\r\n",
		"POST /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 50000\r\n\r\n",
	};
	static const char *const answer[] = {"HTTP/1.1 401", "HTTP/1.1 403", "HTTP/1.1 404"};

	for (size_t i = 0; i < 3; i++) {
		int fd = i < 2 ? visit_port(port) : visit();

		ok(send_all(fd, head[i], 49000) == 0, "nothing is kept of a body that nobody takes");
		(void)send_all(fd, "", 1000);
		ok(begins(hear(fd, NULL), answer[i]), "who sends it is told: %s", answer[i]);
		(void)close(fd);
	}
}

static void test_token(void)
{
	static const char *const hosts[] = {"localhost", NULL};
	struct ft_http_listener listener = {.token = "s3cret", .host = hosts, .read_only = true};
	struct ft_err err;
	unsigned port = 0;
	struct {
		const char *request, *answer;
	} const row[] = {
		{"GET /say/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "HTTP/1.1 401"},
		{"GET /say/x HTTP/1.1\r\nHost: localhost:80\r\nAuthorization: Bearer s3cret\r\nConnection: "
		 "close\r\n\r\n",
		 "HTTP/1.1 200"},
		{"GET /say/x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer s3creT\r\nConnection: "
		 "close\r\n\r\n",
		 "HTTP/1.1 401"},
		{"GET /say/x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \r\nConnection: "
		 "close\r\n\r\n",
		 "HTTP/1.1 401"},
		{"GET /say/x HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer s3cret\r\nConnection: "
		 "close\r\n\r\n",
		 "HTTP/1.1 421"},
		{"GET /say/x%00y HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer s3cret\r\nConnection: "
		 "close\r\n\r\n",
		 "HTTP/1.1 400"},
		{"POST /echo HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer s3cret\r\nConnection: "
		 "close\r\n"
		 "Content-Length: 0\r\n\r\n",
		 "HTTP/1.1 403"},
		{"PUT /whole/x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer s3cret\r\nConnection: "
		 "close\r\n"
		 "Content-Length: 0\r\n\r\n",
		 "HTTP/1.1 403"},
	};

	ok(!ft_http_listen_tcp("127.0.0.1:0", &listener.fd, &err) && (port = ft_http_port(listener.fd)) > 0 &&
		   !ft_http_serve(http, &listener, &err),
	   "listens at a port");
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		int fd = visit_port(port);

		tell(fd, row[i].request);
		ok(begins(hear(fd, NULL), row[i].answer), "with a token %zu: %s", i, row[i].answer);
		(void)close(fd);
	}
	test_strangers(port);
}

/* What pages may ask: ours alone, and the page itself by anybody who knows our name. */
static void test_browsers(void)
{
#define ASK(path, more) "GET " path " HTTP/1.1\r\nHost: localhost:9\r\nConnection: close\r\n" more "\r\n"
#define TOKEN           "Authorization: Bearer s3cret\r\n"
	static const char *const hosts[] = {"localhost", NULL};
	struct ft_http_listener listener = {.token = "s3cret", .host = hosts, .browsers = true};
	struct ft_err err;
	unsigned port = 0;
	static const struct {
		const char *request, *answer;
	} row[] = {
		{ASK("/say/x", TOKEN), "HTTP/1.1 200"},
		{ASK("/say/x", TOKEN "Origin: http://localhost:9\r\nSec-Fetch-Site: same-origin\r\n"),
		 "HTTP/1.1 200"},
		{ASK("/say/x", TOKEN "Origin: http://localhost:8\r\n"), "HTTP/1.1 403"},
		{ASK("/say/x", TOKEN "Origin: https://localhost:9\r\n"), "HTTP/1.1 403"},
		{ASK("/say/x", TOKEN "Origin: null\r\n"), "HTTP/1.1 403"},
		{ASK("/say/x", TOKEN "Sec-Fetch-Site: same-site\r\n"), "HTTP/1.1 403"},
		{ASK("/say/x", ""), "HTTP/1.1 401"},
		{ASK("/open", ""), "HTTP/1.1 200"},
		{ASK("/open", "Sec-Fetch-Site: cross-site\r\n"), "HTTP/1.1 200"},
		{"GET /open HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", "HTTP/1.1 421"},
	};
	size_t i;

	ok(!ft_http_listen_tcp("127.0.0.1:0", &listener.fd, &err) && (port = ft_http_port(listener.fd)) > 0 &&
		   !ft_http_serve(http, &listener, &err),
	   "listens for browsers");
	for (i = 0; i < sizeof row / sizeof *row; i++) {
		int fd = visit_port(port);

		tell(fd, row[i].request);
		ok(begins(hear(fd, NULL), row[i].answer), "of browsers %zu: %s", i, row[i].answer);
		(void)close(fd);
	}
#undef TOKEN
#undef ASK
}

/* As another user, where we may become one. */
static void test_owner(void)
{
	uid_t us = geteuid();
	const char *heard;

	ok(begins(send_body("PUT /whole/x", "x", 1), "HTTP/1.1 201"), "the owner");
	if (us) {
		skip("another user", "we are not root");
		return;
	}
	(void)chmod(temp_path("."), 0755);
	(void)chmod(socket_path(), 0666);
	if (seteuid(65534))
		exit(99);
	{
		int fd = visit();

		if (seteuid(us))
			exit(99);
		tell(fd,
		     "PUT /whole/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx");
		heard = hear(fd, NULL);
		ok(begins(heard, "HTTP/1.1 403") && has(heard, "owner"), "nobody else");
		(void)close(fd);
	}
}

static unsigned long refused(void)
{
	struct ft_http_counts counts;

	ft_http_count(http, &counts);
	return counts.refused;
}

/* One's own connection: the two ends of it. */
static int connect_both(unsigned *port, int *listening, int *accepted)
{
	struct ft_err err;

	if (ft_http_listen_tcp("127.0.0.1:0", listening, &err) || !(*port = ft_http_port(*listening)))
		exit(99);
	int fd = visit_port(*port);
	*accepted = accept(*listening, NULL, NULL);
	return fd;
}

/* Whether the kernel tells who made a connection of TCP. */
static bool test_guests(void)
{
	static const unsigned char loopback[] = {127, 0, 0, 1};
	const struct ft_http_peer peer = {0};
	unsigned port;
	int listening, accepted, fd = connect_both(&port, &listening, &accepted), netlink = ft__guests_open();
	struct ft__guest guest = ft__guest_of(netlink, accepted, &peer);
	bool known = guest.here;

	if (known)
		ok(guest.uid == geteuid(), "a user of this machine is known also where he comes by TCP");
	else
		skip("users who come by TCP", "this kernel does not tell of them");
	guest = ft__guest_of(-1, accepted, &peer);
	ok(!guest.here && !memcmp(guest.address, loopback, sizeof loopback), "else he is his address");
	(void)close(fd);
	(void)close(accepted);
	(void)close(listening);
	(void)close(netlink);
	return known;
}

/* Others cannot keep the owner out, whatever they hold: he comes by the same address. */
static void test_users(void)
{
	struct ft_http_listener listener = {0};
	struct ft_err err = {0};
	uid_t us = geteuid();
	int held[4 * EACH], i;
	bool known = test_guests();

	ok(!ft_http_listen_tcp("127.0.0.1:0", &listener.fd, &err) && !ft_http_serve(http, &listener, &err),
	   "a port for all: %s", err.text);
	if (us || !known) {
		skip("others beside the owner", "we are not root, or users are not known");
		return;
	}
	unsigned long before = refused();
	for (i = 0; i < 4 * EACH; i++) {
		if (seteuid(i < 2 * EACH ? us : 65534))
			exit(99);
		held[i] = visit_port(ft_http_port(listener.fd));
		if (seteuid(us))
			exit(99);
		serve(10);
	}
	for (i = 0; i < 100 && refused() < before + EACH; i++)
		serve(10);
	ok(refused() == before + EACH, "another user has so many connections: %lu are refused",
	   refused() - before);
	i = visit_port(ft_http_port(listener.fd));
	tell(i, "GET /say/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
	ok(begins(hear(i, NULL), "HTTP/1.1 200"), "the owner has as many as he likes");
	(void)close(i);
	for (i = 0; i < 4 * EACH; i++)
		(void)close(held[i]);
}

static void test_sockets(void)
{
	char long_path[256];
	struct ft_err err = {0};
	int fd;

	ok(ft_http_listen_unix(socket_path(), 0600, &fd, &err) == FT_EEXIST && fd < 0,
	   "somebody answers already: %s", err.text);
	memset(long_path, 'x', sizeof long_path - 1);
	long_path[sizeof long_path - 1] = 0;
	ok(ft_http_listen_unix(long_path, 0600, &fd, &err) == FT_EINVAL, "too long: %s", err.remedy);
	temp_write(temp_path("file"), "mine", 0600);
	ok(ft_http_listen_unix(temp_path("file"), 0600, &fd, &err) == FT_EINVAL &&
		   !access(temp_path("file"), F_OK),
	   "a file is left alone: %s", err.text);
	ok(!ft_http_listen_unix(temp_path("stale"), 0600, &fd, &err), "a socket");
	(void)close(fd);
	ok(!ft_http_listen_unix(temp_path("stale"), 0600, &fd, &err), "a stale one is replaced");
	(void)close(fd);
	ok(ft_http_listen_tcp("nowhere", &fd, &err) == FT_EINVAL, "no address: %s", err.remedy);
	ok(ft_http_listen_tcp("[::1:80", &fd, &err) == FT_EINVAL, "no address either");
}

int main(void)
{
	const struct ft_http_limits limits = {.bodies_bytes = BODIES_BYTES, .connections_each = EACH};
	struct ft_http_listener listener = {0};
	struct ft_err err = {0};

	if (!ok(!ft_http_new(&http, routes, NULL, NULL, &limits, &err) &&
			!ft_http_listen_unix(socket_path(), 0600, &listener.fd, &err) &&
			!ft_http_serve(http, &listener, &err),
		"serves: %s", err.text))
		return done();
	test_bodies();
	test_crowd();
	test_token();
	test_browsers();
	test_owner();
	test_users();
	test_sockets();
	ft_http_free(http);
	temp_remove();
	return done();
}
