/* SPDX-License-Identifier: GPL-3.0-or-later */
/* visit.h - a server, and who asks it in the same thread. */
#ifndef FT_TEST_HTTP_VISIT_H
#define FT_TEST_HTTP_VISIT_H

#include "../tap.h"
#include "../temp.h"
#include "base/clock.h"
#include "http/http.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct ft_http *http;

__attribute__((unused)) static const char *socket_path(void)
{
	return temp_path("http.sock");
}

__attribute__((unused)) static int visit(void)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)snprintf(at.sun_path, sizeof at.sun_path, "%s", socket_path());
	if (fd < 0 || connect(fd, (struct sockaddr *)&at, sizeof at)) {
		perror("connect");
		exit(99);
	}
	return fd;
}

__attribute__((unused)) static int visit_port(unsigned port)
{
	struct sockaddr_in at = {.sin_family = AF_INET,
				 .sin_port = htons((uint16_t)port),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || connect(fd, (struct sockaddr *)&at, sizeof at)) {
		perror("connect");
		exit(99);
	}
	return fd;
}

__attribute__((unused)) static void serve(int ms)
{
	struct pollfd wait = {.fd = ft_http_fd(http), .events = POLLIN};
	int most = ft_http_wait_ms(http);

	(void)poll(&wait, 1, most >= 0 && most < ms ? most : ms);
	ft_http_run(http);
}

/* All that comes until the other side closes, or the words are there, or ten seconds are over. */
__attribute__((unused)) static const char *hear(int fd, const char *until)
{
	static char heard[1 << 17];
	size_t n = 0;
	double since = ft_clock_s();

	heard[0] = 0;
	while (ft_clock_s() - since < 60 && n < sizeof heard - 1) {
		serve(5);
		ssize_t got = recv(fd, heard + n, sizeof heard - 1 - n, MSG_DONTWAIT);
		if (got == 0 || (got < 0 && errno != EAGAIN))
			break;
		if (got > 0)
			heard[n += (size_t)got] = 0;
		if (until && strstr(heard, until))
			break;
	}
	return heard;
}

__attribute__((unused)) static void tell(int fd, const char *s)
{
	(void)send(fd, s, strlen(s), MSG_NOSIGNAL);
}

__attribute__((unused)) static bool begins(const char *heard, const char *with)
{
	bool yes = !strncmp(heard, with, strlen(with));

	if (!yes)
		diag("heard: %.200s", heard);
	return yes;
}

__attribute__((unused)) static bool has(const char *heard, const char *words)
{
	bool yes = strstr(heard, words);

	if (!yes)
		diag("heard: %.400s", heard);
	return yes;
}

/* A body of n bytes. */
__attribute__((unused)) static const char *send_body(const char *what, const char *body, size_t bytes)
{
	static char heard[256];
	char head[128];
	int fd = visit();
	size_t sent = 0;

	(void)snprintf(head, sizeof head,
		       "%s HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: %zu\r\n\r\n", what,
		       bytes);
	tell(fd, head);
	while (sent < bytes) {
		ssize_t n = send(fd, body + sent, bytes - sent, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n < 0 && errno != EAGAIN)
			break;
		sent += n > 0 ? (size_t)n : 0;
		serve(1);
	}
	(void)snprintf(heard, sizeof heard, "%.255s", hear(fd, NULL));
	(void)close(fd);
	return heard;
}

#endif
