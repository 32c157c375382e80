/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-web.c - the server of the page as a process: who may ask, how much may be sent, and what is no question.
 */
#include "../tap.h"
#include "../temp.h"
#include "base/clock.h"
#include "sweep/door.h"
#include "web/web.h"

#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char token[128];
static unsigned port;
static char store[256];
static const char *slow; /* the command, which takes its time for a report */

/* ---- the server ---------------------------------------------------------------------------------------- */

static void run(int answer)
{
	struct ft_web_options options = {.command = "/bin/false", .store = store};
	struct ft_web *web;
	struct ft_err err = {0};
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGINT);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	options.manager = temp_path("nobody.sock");
	static const char *const files[] = {"/dev/null"};
	if (slow) {
		options.command = slow;
		options.report = files;
		options.n_report = 1;
	}
	if (ft_web_new(&web, &options, &err)) {
		fprintf(stderr, "%s\n", err.text);
		_exit(2);
	}
	(void)!write(answer, ft_web_url(web), strlen(ft_web_url(web)));
	(void)close(answer);
	_exit(ft_web_run(web, &err) ? 1 : 0);
}

static pid_t server;

static pid_t begin(void)
{
	char url[256] = "";
	int answer[2];

	if (pipe(answer))
		return -1;
	(void)fflush(NULL);
	pid_t pid = fork();
	if (!pid) {
		(void)close(answer[0]);
		run(answer[1]);
	}
	(void)close(answer[1]);
	ssize_t n = read(answer[0], url, sizeof url - 1);
	(void)close(answer[0]);
	if (n <= 0 || sscanf(url, "http://127.0.0.1:%u/#token=%127s", &port, token) != 2)
		return -1;
	return pid;
}

/* ---- who asks ------------------------------------------------------------------------------------------ */

static int visit(void)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
	const struct timeval wait = {.tv_sec = 30};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
	(void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait);
	if (connect(fd, (const struct sockaddr *)&at, sizeof at))
		diag("cannot connect");
	return fd;
}

/* head: all headers but the token's. body: so many bytes of blanks behind it. Returns HTTP's status, 0: none;
 * heard: what came. */
static int ask(const char *request, const char *head, bool known, size_t body, char heard[4096])
{
	static char blanks[1 << 16];
	char text[4096];
	int fd = visit(), n;
	size_t got = 0;

	memset(blanks, ' ', sizeof blanks);
	n = snprintf(text, sizeof text,
		     "%s HTTP/1.1\r\nConnection: close\r\n%s%s%s%sContent-Length: %zu\r\n\r\n", request, head,
		     known ? "Authorization: Bearer " : "", known ? token : "", known ? "\r\n" : "", body);
	ssize_t more = send(fd, text, (size_t)n, MSG_NOSIGNAL);
	while (more > 0 && body > 0) {
		more = send(fd, blanks, body < sizeof blanks ? body : sizeof blanks, MSG_NOSIGNAL);
		body -= more > 0 ? (size_t)more : 0;
	}
	while (got < 4095 && (more = recv(fd, heard + got, 4095 - got, 0)) > 0)
		got += (size_t)more;
	heard[got] = '\0';
	(void)close(fd);
	return !strncmp(heard, "HTTP/1.", 7) ? atoi(heard + 9) : 0;
}

#define HERE "Host: 127.0.0.1\r\n"

static void test_who(void)
{
	char heard[4096];

	ok(ask("GET /", HERE, false, 0, heard) == 200 &&
		   strstr(heard, "Content-Security-Policy: default-src"),
	   "the page itself is open, and says what it may load");
	ok(ask("GET /api/machines", HERE, false, 0, heard) == 401, "a question without the token is refused");
	ok(ask("GET /api/machines", HERE "Authorization: Bearer x\r\n", false, 0, heard) == 401,
	   "so is one with another token");
	ok(ask("GET /api/machines", "Host: evil.example\r\n", true, 0, heard) / 100 == 4,
	   "and one that names another host");
	ok(ask("GET /api/machines", HERE "Origin: http://evil.example\r\n", true, 0, heard) == 403,
	   "and one of a page of another site");
	ok(ask("GET /api/machines", HERE "Sec-Fetch-Site: cross-site\r\n", true, 0, heard) == 403,
	   "... by what the browser says");
}

static void test_questions(void)
{
	static const char *const none[] = {
		"GET /api/report",         "GET /api/report/jobs.txt",       "GET /api/rm/matmul",
		"GET /api/run/matmul",     "GET /api/build/matmul",          "POST /api/predict/matmul",
		"POST /api/manager/queue", "POST /api/manager/model/matmul", "GET /api/manager/events",
		"GET /../etc/passwd",      "GET /api/trace/fit/run:1x",      "GET /api/trace/fit/abc",
		"GET /api/plan/map",       "POST /api/plan/partition/a"};
	static const char *const bad[] = {"GET /api/show/--store=x",
					  "GET /api/show/a.csv",
					  "GET /api/show/matmul?store=x",
					  "GET /api/list?store=x",
					  "GET /api/list?most=1&json=x",
					  "GET /api/plot/a?output=/tmp/x",
					  "GET /api/plan/partition/a.csv?on=b",
					  "POST /api/plan/map?links=/tmp/x",
					  "POST /api/plan/map?output=/tmp/x"};
	char heard[4096];

	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		ok(ask(none[i], HERE, true, 0, heard) == 404, "%s is no question: %.12s", none[i], heard);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ok(ask(bad[i], HERE, true, 0, heard) == 400, "%s is refused: %.12s", bad[i], heard);
	ok(ask("POST /api/manager/stop/a", HERE, true, 0, heard) == 503 &&
		   strstr(heard, "no manager answers"),
	   "where no manager is none is stopped, and that is said");
	ok(ask("GET /api/manager/queue", HERE, true, 0, heard) == 200 && strstr(heard, "null"),
	   "that none is there is no failure");
}

/* Begins to listen. */
static int listener(void)
{
	char request[1024];
	int fd = visit();
	int length = snprintf(
		request, sizeof request,
		"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\n\r\n", token);

	(void)!send(fd, request, (size_t)length, MSG_NOSIGNAL);
	return fd;
}

/* Listens until a text comes; false: not within some time. */
static bool hears_at(int fd, const char *wanted)
{
	char text[8192];
	size_t got = 0;
	ssize_t more = 1;

	text[0] = '\0';
	while (more > 0 && got < sizeof text - 1 && !strstr(text, wanted)) {
		more = recv(fd, text + got, sizeof text - 1 - got, 0);
		got += more > 0 ? (size_t)more : 0;
		text[got] = '\0';
	}
	return strstr(text, wanted);
}

static bool hears(const char *wanted)
{
	int fd = listener();
	bool heard = hears_at(fd, wanted);

	(void)close(fd);
	return heard;
}

/* What builds write of themselves comes over the stream, to each who begins to listen. */
static void test_builds(void)
{
	ok(hears("event: builds\ndata: []\n"), "no build runs: that is sent at once");
	ok(ft_live_put(store, "{\"name\": \"one\", \"runs\": 3}") &&
		   hears("event: builds\ndata: [{\"name\":\"one\",\"runs\":3}]\n"),
	   "a build is sent as it wrote itself");
	ok(hears("[{\"name\":\"one\",\"runs\":3}]"), "again to who listens later");
	/* A page that is loaded again: one listener goes as the next comes. */
	int heard = 0, fd = listener();
	for (int i = 0; i < 10 && (heard += hears_at(fd, "[{\"name\":\"one\",\"runs\":3}]")) > i; i++) {
		(void)kill(server, SIGSTOP);
		(void)close(fd);
		fd = listener();
		(void)kill(server, SIGCONT);
	}
	(void)close(fd);
	ok(heard == 10, "to each of 10 that come as another goes: %d", heard);
	ok(ft_live_put(store, "no JSON") && hears("event: builds\ndata: []\n"),
	   "what is no JSON is left out");
	ft_live_end(store);
}

/* 64 MiB of a trace; 64 KiB of anything else. */
static void test_bodies(void)
{
	char heard[4096];

	ok(ask("POST /api/traces", HERE, true, 100000, heard) == 200 && strstr(heard, "\"bytes\": 100000"),
	   "a trace is kept");
	ok(ask("POST /api/traces", HERE, true, ((size_t)64 << 20) + 1, heard) == 413 &&
		   strstr(heard, "foretime trace fit"),
	   "one that is too long is refused, and what takes it is named: %.12s", heard);
	ok(ask("POST /api/manager/stop/a", HERE, true, 1 << 17, heard) == 413,
	   "nor is a manager sent anything long");
	ok(ask("POST /api/traces", HERE, false, 100000, heard) == 401, "without the token nothing is kept");
	ok(ask("GET /api/list", HERE, true, 0, heard) == 400, "the server goes on");
}

/* Who sends half of it is closed upon, while others are answered. */
static void test_half(void)
{
	char heard[4096];
	int fd = visit();
	static const char half[] = "POST /api/traces HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n";

	(void)!send(fd, half, sizeof half - 1, MSG_NOSIGNAL);
	ok(ask("GET /", HERE, false, 0, heard) == 200, "half a request holds nobody up");
	(void)close(fd);
}

static size_t lines_of(const char *path)
{
	FILE *file = fopen(path, "re");
	size_t n = 0;

	for (int c; file && (c = getc(file)) != EOF;)
		n += c == '\n';
	if (file)
		(void)fclose(file);
	return n;
}

/* Whether all processes whose numbers stand in a file are gone. */
static bool all_ended(const char *path)
{
	FILE *file = fopen(path, "re");
	bool ended = file != NULL;
	int pid;

	while (file && fscanf(file, "%d", &pid) == 1)
		ended = ended && kill(pid, 0) && errno == ESRCH;
	if (file)
		(void)fclose(file);
	return ended;
}

/* A report may take two minutes. Whose clients leave ends at once, or never begins. */
static void test_left(void)
{
	enum { SEATS = 4, ASKED = 6 };
	char script[1024], text[512], heard[4096], begun[300];
	int fd[ASKED], status;

	(void)snprintf(begun, sizeof begun, "%s", temp_path("begun"));
	(void)snprintf(script, sizeof script,
		       "#!/bin/sh\ncase $1 in report) echo $$ >>%s; exec sleep 600;; esac\nexit 1\n", begun);
	slow = temp_path("slow.sh");
	ok(temp_write(slow, script, 0700), "a slow command");
	pid_t pid = begin();
	ok(pid > 0, "a second server");
	int n = snprintf(text, sizeof text,
			 "GET /api/report HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\n\r\n",
			 token);
	for (size_t i = 0; i < ASKED; i++) {
		fd[i] = visit();
		(void)!send(fd[i], text, (size_t)n, MSG_NOSIGNAL);
	}
	for (int i = 0; i < 3000 && lines_of(begun) < SEATS; i++)
		(void)usleep(20000);
	ok(lines_of(begun) == SEATS, "four are at work, the others wait");
	for (size_t i = ASKED; i-- > 0;) /* those that wait first */
		(void)close(fd[i]);
	for (int i = 0; i < 3000 && !all_ended(begun); i++)
		(void)usleep(20000);
	ok(all_ended(begun), "they are ended when their clients have left");
	ok(ask("GET /api/list", HERE, true, 0, heard) == 400, "another one is answered");
	ok(lines_of(begun) == SEATS, "those that waited never began");
	(void)kill(pid, SIGTERM);
	(void)waitpid(pid, &status, 0);
}

int main(void)
{
	int status = -1;

	if (!ft_web_has_page()) {
		printf("1..0 # SKIP this build has no page\n");
		return 77;
	}
	(void)signal(SIGPIPE, SIG_IGN);
	(void)snprintf(store, sizeof store, "%s", temp_path("store.db"));
	(void)temp_write(store, "", 0600);
	(void)setenv("XDG_RUNTIME_DIR", temp_path("runtime"), 1);
	(void)mkdir(temp_path("runtime"), 0700);
	server = begin();
	ok(server > 0, "it listens on 127.0.0.1, with a token of %zu letters", strlen(token));
	test_who();
	test_questions();
	test_builds();
	test_bodies();
	test_half();
	(void)kill(server, SIGTERM);
	(void)waitpid(server, &status, 0);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "SIGTERM ends it");
	test_left();
	temp_remove();
	return done();
}
