/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz-web.c - any bytes as what a browser with the token sends to the page's server: what comes back is
 * HTTP, the command that answers gets only words that the page may ask, and the page can still be opened. */
#include "../temp.h"
#include "fuzz.h"
#include "web/web.h"

#include <arpa/inet.h>
#include <errno.h>
#include <jansson.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* Behind the first line stand the headers of a browser that knows the token. */
const char *const fuzz_web_seeds[] = {
	"GET /api/list?search=a&most=5 HTTP/1.1\r\n\r\n",
	"GET /api/list/a HTTP/1.1\r\n\r\n",
	"GET /api/predict/a%2Fb?n=1e3&resource=all&confidence=90%25&load=usual HTTP/1.1\r\n\r\n",
	"GET /api/largest/a?time=60s&memory=8GiB HTTP/1.1\r\n\r\n",
	"GET /api/request/a?n=5&risk=1%25&at-least=1s HTTP/1.1\r\n\r\n",
	"GET /api/trace/fit/run:17?pieces=3&start=even HTTP/1.1\r\n\r\n",
	"GET /api/trace/constrain/0123456789abcdef?keep=0.9&smooth=auto HTTP/1.1\r\n\r\n",
	"POST /api/traces HTTP/1.1\r\nContent-Length: 16\r\n\r\nt,value\n0,1\n1,2\n",
	"POST /api/traces HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nt,v\n\r\n0\r\n\r\n",
	"GET /api/manager/queue HTTP/1.1\r\n\r\n",
	"POST /api/manager/stop/a HTTP/1.1\r\nContent-Length: 0\r\n\r\n",
	"GET /api/events HTTP/1.1\r\nLast-Event-ID: 1\r\n\r\n",
	"GET /main.js HTTP/1.1\r\nIf-None-Match: \"x\"\r\n\r\n",
	NULL,
};

const char *const fuzz_web_pieces[] = {
	"\r\n",
	" ",
	"?",
	"&",
	"=",
	"/",
	"%00",
	"%0a",
	"%2d%2d",
	"--store=x",
	"&output=/tmp/x",
	"-",
	"run:",
	"run:1x",
	".csv",
	"/etc/passwd",
	"../",
	"show/",
	"machines",
	"plot/",
	"trace/phases/",
	"trace/show/",
	"&start=a.csv",
	"&time=1&value=2&gaps=3",
	"manager/",
	"%",
	"%zz",
	"\xc3",
	"GET ",
	"POST ",
	"Content-Length: 99999999999999999999\r\n",
	"Sec-Fetch-Site: cross-site\r\n",
	NULL,
};

static char token[128], store[256], command[256], manager[256];
static unsigned port;
static struct ft_web *web;

static void *serve(void *unused)
{
	(void)ft_web_run(web, NULL);
	return unused;
}

/* In the place of foretime a script answers, with each word that it was given behind its length. Started ahead, its words
 * come in one message, with a zero byte behind each. */
static int begin(void)
{
	static const char script[] = "#!/bin/sh\nif [ \"$1\" = --ahead ]; then dd bs=65536 count=1 "
				     "2>/dev/null | xargs -0 -r env; exit; fi\n"
				     "for w; do printf '%d:%s,' ${#w} \"$w\"; done\n";
	struct ft_web_options options = {.command = command, .store = store, .manager = manager};
	pthread_t thread;

	/* A folder in memory may not allow programs to be started: temp_path of this file is in /tmp. */
	(void)snprintf(command, sizeof command, "%s", temp_path("answers"));
	(void)snprintf(store, sizeof store, "%s", temp_path("store.db"));
	(void)snprintf(manager, sizeof manager, "%s", temp_path("nobody.sock"));
	(void)setenv("LC_ALL", "C", 1);
	return !atexit(temp_remove) && temp_write(command, script, 0700) &&
	       !ft_web_new(&web, &options, NULL) &&
	       sscanf(ft_web_url(web), "http://127.0.0.1:%u/#token=%127s", &port, token) == 2 &&
	       !pthread_create(&thread, NULL, serve, NULL) && !pthread_detach(thread);
}

/* What comes back, with a zero byte behind it; -1: the connection stays open, or is reset, and nothing comes.
 * For the rest of a request that may not be whole the server waits ten seconds; here nobody does. */
static ssize_t say_and_hear(const char *bytes, size_t length, int whole, char *heard, size_t most)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
	const struct timeval wait = {.tv_sec = whole ? 60 : 0, .tv_usec = whole ? 0 : 20000};
	/* Closing resets the connection, which would otherwise keep its port for a minute: after some 14,000 of them
	 * connect finds none. */
	const struct linger reset = {.l_onoff = 1};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	size_t n = 0;
	ssize_t more = -1;

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
	(void)setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
	if (fd >= 0 && !connect(fd, (const struct sockaddr *)&at, sizeof at) &&
	    send(fd, bytes, length, MSG_NOSIGNAL) == (ssize_t)length)
		while (n < most - 1) {
			more = recv(fd, heard + n, most - 1 - n, 0);
			if (more < 0 && errno == EINTR) /* a command of the server ended */
				continue;
			if (more <= 0)
				break;
			n += (size_t)more;
			heard[n] = '\0';
			/* Events have no end. */
			if (strstr(heard, "text/event-stream"))
				break;
		}
	if (fd >= 0)
		(void)close(fd);
	heard[n] = '\0';
	return more < 0 && !n ? -1 : (ssize_t)n;
}

/* Whether `word` is one of those in a text, with blanks between them. */
static int is_one_of(const char *words, const char *word, size_t n)
{
	const char *at = words;

	while ((at = strstr(at, word))) {
		if ((at == words || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
			return 1;
		at++;
	}
	return 0;
}

/* The words that the command was given. */
static const char *check_words(const char *at)
{
	static const char commands[] = "list show plot predict largest request fit trace machine";
	static const char options[] =
		"search after most resource device machine kept asked confidence hash load risk "
		"retry at-least at-most cpus at draw within pieces start ends keep lambda smooth "
		"time value gaps store json";
	char word[9000], key[64] = "", first[16] = "", expected[300];
	size_t n, count = 0;
	int stored = 0, json = 0, used;

	(void)snprintf(expected, sizeof expected, "--store=%s", store);
	for (; *at; count++) {
		if (sscanf(at, "%zu:%n", &n, &used) != 1 || n >= sizeof word || at[(size_t)used + n] != ',')
			return "the command is asked in words";
		memcpy(word, at + used, n);
		word[n] = '\0';
		at += (size_t)used + n + 1;
		if (!count) {
			(void)snprintf(first, sizeof first, "%.15s", word);
			if (!is_one_of(commands, word, n))
				return "only commands that read are asked";
		}
		json += !strcmp(word, "--json");
		if (!strncmp(word, "--store", 7) && (strcmp(word, expected) != 0 || stored++))
			return "the store is the server's";
		if (*word == '-' && word[1] &&
		    (sscanf(word, "--%63[a-z-]", key) != 1 || !is_one_of(options, key, strlen(key))))
			return "only options of the page are given";
		if (!strcmp(first, "trace") && count == 2 && strcmp(word, "-") != 0 &&
		    (strncmp(word, "run:", 4) != 0 || !word[4] || word[4 + strspn(word + 4, "0123456789")]))
			return "a trace is read from the shelf, or from a run";
		if (!strcmp(first, "machine") && count == 1 && strcmp(word, "list") != 0)
			return "machines are listed only";
	}
	return json == 1 && (stored || !strcmp(first, "trace")) ? NULL : "one store is asked for JSON";
}

static const char *check_answer(const char *heard, size_t n)
{
	const char *body = strstr(heard, "\r\n\r\n");
	int code = n > 12 && !memcmp(heard, "HTTP/1.", 7) ? atoi(heard + 9) : 0;

	if (!n)
		return NULL; /* what is no request at all is closed upon */
	if (!code || !body)
		return "what comes back is HTTP";
	if (code == 500 || code == 504)
		return "no request breaks the server";
	body += 4;
	if (code == 200 && *body >= '0' && *body <= '9' && strstr(heard, "application/json"))
		return check_words(body);
	if (code == 400 && *body && strstr(heard, "application/json")) {
		json_t *root = json_loads(body, 0, NULL);
		if (!root || !json_is_string(json_object_get(root, "error"))) {
			json_decref(root);
			return "a rejected question has words, in JSON";
		}
		json_decref(root);
	}
	return NULL;
}

const char *fuzz_web(const uint8_t *bytes, size_t length)
{
	static char heard[1 << 16], text[1 << 14];
	const uint8_t *line = memchr(bytes, '\n', length);
	size_t head = line ? (size_t)(line - bytes) + 1 : length, n;

	/* A build without npm has no page, and no server of one. */
	if (!ft_web_has_page())
		return NULL;
	if (!web && !begin())
		return "it begins";
	if (length > 12000)
		return NULL;
	memcpy(text, bytes, head);
	n = head + (size_t)snprintf(text + head, sizeof text - head,
				    "Host: 127.0.0.1\r\nConnection: close\r\nAuthorization: Bearer %s\r\n",
				    token);
	memcpy(text + n, bytes + head, length - head);
	n += length - head;
	text[n] = '\0';
	int whole = strlen(text) == n && strstr(text, " HTTP/1.") &&
		    (strstr(text, "\r\n\r\n") || strstr(text, "\n\n")) &&
		    strstr(text, " HTTP/1.") < strchr(text, '\n') && !strcasestr(text, "content-length") &&
		    !strcasestr(text, "transfer-encoding");
	ssize_t got = say_and_hear(text, n, whole, heard, sizeof heard);
	if (got < 0 && whole)
		return "who asks gets an answer";
	const char *broken = check_answer(heard, got > 0 ? (size_t)got : 0);
	if (broken)
		return broken;
	n = (size_t)snprintf(text, sizeof text,
			     "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
	/* A user has a limited number of connections: on a busy machine the server may yet have to see that those of the
	 * inputs before were closed. */
	for (int i = 0; i < 200; i++) {
		const struct timespec wait = {.tv_nsec = 50000000};

		if (say_and_hear(text, n, 1, heard, sizeof heard) > 0 && !memcmp(heard, "HTTP/1.1 200", 12))
			return NULL;
		(void)nanosleep(&wait, NULL);
	}
	return "the page can be opened";
}

#ifdef FT_FUZZ_ENTRY
FUZZ_ENTRY(fuzz_web)
#endif
