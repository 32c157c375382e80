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
static pid_t start(const char *text, size_t part)
{
	int door = listen_at(temp_path("s")), fd;
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
	pid_t pid = start(text, part);
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
	temp_remove();
	return done();
}
