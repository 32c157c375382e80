/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-client.c - who asks a server that is none: what comes is no answer, too long, or never ends. */
#include "../tap.h"
#include "../temp.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "http/client.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MB = 1 << 20 };

static struct ft_clock *clock_of_both;

static int listen_at(const char *path)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)snprintf(at.sun_path, sizeof at.sun_path, "%s", path);
	if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof at) || listen(fd, 5)) {
		perror(path);
		exit(99);
	}
	return fd;
}

/* A server, as a process: it says a text to one visitor, and then parts of so many bytes, each after a second
 * by the clock of both, for as long as somebody listens. */
static pid_t start_at(const char *path, const char *text, size_t part)
{
	int door = listen_at(path), fd;
	pid_t pid = fork();
	char request[4096], *more;

	if (pid) {
		(void)close(door);
		return pid;
	}
	more = calloc(1, part + 1);
	fd = accept(door, NULL, NULL);
	if (!more || fd < 0 || recv(fd, request, sizeof request, 0) <= 0 ||
	    send(fd, text, strlen(text), MSG_NOSIGNAL) < 0)
		_exit(99);
	memset(more, 'x', part);
	while (part && send(fd, more, part, MSG_NOSIGNAL) > 0) {
		clock_of_both->steady_ns += 1000000000;
		(void)usleep(1000);
	}
	_exit(0);
}

static enum ft_status ask(const char *text, size_t part, unsigned *code, char **body, struct ft_err *err)
{
	(void)unlink(temp_path("s"));
	pid_t pid = start_at(temp_path("s"), text, part);
	enum ft_status status = ft__http_get(temp_path("s"), "/x", code, body, err);
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
	return status;
}

static void refuses(const char *what, const char *text, size_t part)
{
	struct ft_err err = {0};
	unsigned code;
	char *body;

	ok(ask(text, part, &code, &body, &err) == FT_EIO && !body && err.status == FT_EIO, "%s: %s", what,
	   err.text);
}

/* Servers as different as they come, asked at the same time: each has its own answer, or its own reason. */
static void test_several(void)
{
	static const struct {
		const char *name, *text;
		enum ft_status status;
	} row[] = {
		{"good", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", FT_OK},
		{"other", "220 mail\r\n", FT_EIO},
		{"long", "HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\nhello", FT_EIO},
		{"endless", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\nhello",
		 FT_EIO},
		{"refusing", "HTTP/1.1 404 No\r\ncontent-length: 2\r\n\r\n{}", FT_OK},
	};
	enum { SERVED = sizeof row / sizeof *row, SILENT = SERVED, NOBODY, NO_ADDRESS, ALL };
	static const char *const more[] = {"silent", "nobody"};
	struct ft__http_fetch fetch[ALL];
	char path[ALL][4096];
	pid_t pid[SERVED];
	int silent;

	for (size_t i = 0; i < ALL; i++) {
		(void)snprintf(path[i], sizeof path[i], "unix:%s",
			       temp_path(i < SERVED ? row[i].name : more[i == NOBODY]));
		fetch[i] = (struct ft__http_fetch){.address = path[i], .method = "GET", .target = "/x"};
	}
	fetch[NO_ADDRESS].address = "ftp://a:1";
	for (size_t i = 0; i < SERVED; i++) {
		pid[i] = start_at(temp_path(row[i].name), row[i].text, 0);
	}
	silent = listen_at(temp_path("silent"));
	ft__http_fetch(fetch, ALL, 0.5, 1000);
	for (size_t i = 0; i < SERVED; i++) {
		ok(fetch[i].err.status == row[i].status && !fetch[i].body == (row[i].status != FT_OK),
		   "one of several, %s: %s", row[i].name, fetch[i].err.text);
		(void)kill(pid[i], SIGKILL);
		(void)waitpid(pid[i], NULL, 0);
	}
	ok(fetch[0].code == 200 && fetch[4].code == 404, "their codes");
	ok(fetch[SILENT].err.status == FT_EIO && fetch[NOBODY].err.status == FT_ENOENT &&
		   fetch[NO_ADDRESS].err.status == FT_EINVAL,
	   "%s; %s; %s", fetch[SILENT].err.text, fetch[NOBODY].err.text, fetch[NO_ADDRESS].err.text);
	for (size_t i = 0; i < ALL; i++)
		ft_free(fetch[i].body);
	(void)close(silent);
	ft__http_fetch(NULL, 0, 1, 1000);
}

static void test_addresses(void)
{
	static const char *const
		good[] = {"https://a:8443", "https://a:8443/", "https://[::1]:1", "unix:/x", "x", "a/b:c"},
		*const bad[] = {
			"",           "unix:",        "https://",           "https://a",     "https://a:",
			"https://:1", "https://a:1x", "https://::1:1",      "https://a:1/b", "https://u@a:1",
			"http://a:1", "https://[]:1", "https://a:123456789"};
	struct ft_err err = {0};

	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		ok(!ft__http_address(good[i], &err), "an address: '%s'", good[i]);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ok(ft__http_address(bad[i], &err) == FT_EINVAL, "none: %s", err.text);
}

int main(void)
{
	static const char good[] = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
	struct ft_err err = {0};
	unsigned code = 0;
	char *body = NULL;

	clock_of_both =
		mmap(NULL, sizeof *clock_of_both, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (clock_of_both == MAP_FAILED)
		return 99;
	(void)setenv("FORETIME_MANAGER", temp_path("s"), 1);
	ft_clock_set(clock_of_both);
	ok(!ask(good, 0, &code, &body, &err) && code == 200 && !strcmp(body, "hello"), "an answer: %s",
	   err.text);
	ft_free(body);
	ok(ft__http_get(temp_path("nobody"), "/x", &code, &body, &err) == FT_ENOENT && !body, "nobody: %s",
	   err.text);
	refuses("nothing", "", 0);
	refuses("half of one", "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello", 0);
	refuses("another language", "220 mail\r\n", 0);
	refuses("a page without an end", good, MB);
	refuses("events without an end", "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n", 100);
	refuses("a byte a second, for ever", good, 1);
	ft_clock_set(NULL);
	test_several();
	test_addresses();
	temp_remove();
	return done();
}
