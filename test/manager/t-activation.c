/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Socket activation, as systemd does it, without systemd: the socket is there before the manager, and stays.
 */
#include "../tap.h"
#include "../temp.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static int bind_at(int type, const char *path, struct sockaddr_un *at)
{
	int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);

	*at = (struct sockaddr_un){.sun_family = AF_UNIX};
	(void)snprintf(at->sun_path, sizeof at->sun_path, "%s", path);
	if (fd < 0 || bind(fd, (const struct sockaddr *)at, sizeof *at)) {
		perror("bind");
		exit(99);
	}
	return fd;
}

/* `foretime serve` with a socket as number 3. */
static pid_t begin(int handed, const char *n, const char *notify)
{
	char program[512], pid[16];

	(void)snprintf(program, sizeof program, "%s/foretime", getenv("FORETIME_TEST_BUILD"));
	(void)fflush(NULL);
	pid_t child = fork();
	if (child)
		return child;
	(void)snprintf(pid, sizeof pid, "%d", (int)getpid());
	(void)setenv("LISTEN_PID", pid, 1);
	(void)setenv("LISTEN_FDS", n, 1);
	(void)setenv("NOTIFY_SOCKET", notify, 1);
	(void)setenv("FORETIME_STORE", temp_path("store.db"), 1);
	(void)setenv("FORETIME_SPOOL", temp_path("spool"), 1);
	if (dup2(open("/dev/null", O_WRONLY), 2) < 0 || dup2(handed, 3) < 0 || fcntl(3, F_SETFD, 0))
		_exit(98);
	(void)execl(program, "foretime", "serve", "--socket", "default", (char *)NULL);
	_exit(97);
}

static int status_of(pid_t pid)
{
	int status = -1;

	(void)waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The next thing that it tells; "" where it does not within a minute. */
static const char *heard(int fd)
{
	static char text[256];
	struct pollfd event = {.fd = fd, .events = POLLIN};
	ssize_t length = poll(&event, 1, 60000) > 0 ? read(fd, text, sizeof text - 1) : 0;

	text[length > 0 ? length : 0] = '\0';
	return text;
}

static bool is_answered(int fd)
{
	char text[4096];
	size_t n = 0;
	ssize_t got;

	while (n < sizeof text - 1 && (got = read(fd, text + n, sizeof text - 1 - n)) > 0)
		n += (size_t)got;
	text[n] = '\0';
	(void)close(fd);
	return !strncmp(text, "HTTP/1.1 200", 12);
}

static int ask(const struct sockaddr_un *at)
{
	static const char request[] = "GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || connect(fd, (const struct sockaddr *)at, sizeof *at) ||
	    write(fd, request, sizeof request - 1) < 0)
		perror("ask");
	return fd;
}

static void test_handed(void)
{
	struct sockaddr_un at, notify_at;
	int handed = bind_at(SOCK_STREAM, temp_path("handed.sock"), &at), early,
	    notify = bind_at(SOCK_DGRAM, temp_path("notify.sock"), &notify_at);

	(void)listen(handed, 16);
	early = ask(&at);
	pid_t pid = begin(handed, "1", notify_at.sun_path);
	ok(!strcmp(heard(notify), "READY=1"), "it tells that it is ready");
	ok(is_answered(early), "who asked before it was there is answered");
	ok(is_answered(ask(&at)), "... and who asks now");
	(void)kill(pid, SIGTERM);
	ok(!strcmp(heard(notify), "STOPPING=1") && !status_of(pid), "it tells that it ends, and ends");
	ok(!access(at.sun_path, F_OK), "the socket is still there");
	early = ask(&at);
	pid = begin(handed, "1", notify_at.sun_path);
	ok(is_answered(early), "the next one takes the same");
	(void)kill(pid, SIGTERM);
	ok(!status_of(pid), "... and ends");
	(void)close(handed);
	(void)close(notify);
}

static void test_refused(void)
{
	struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct sockaddr_un at;
	int handed = bind_at(SOCK_STREAM, temp_path("other.sock"), &at),
	    tcp = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	ok(status_of(begin(handed, "1", "")) == 2, "a socket that does not listen is refused");
	(void)listen(handed, 1);
	ok(status_of(begin(handed, "2", "")) == 2, "so are several");
	(void)bind(tcp, (const struct sockaddr *)&any, sizeof any);
	(void)listen(tcp, 1);
	ok(status_of(begin(tcp, "1", "")) == 2,
	   "... and one of the network, which would need TLS and a token");
	(void)close(tcp);
	(void)close(handed);
}

int main(void)
{
	test_handed();
	test_refused();
	temp_remove();
	return done();
}
