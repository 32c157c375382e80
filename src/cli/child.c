/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child.c - what tools of others print. */
#include "cli/child.h"
#include "cli/common.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TEXT_MOST = 256 << 20, WORDS_MOST = 64 << 10, LOOK_MS = 100 };

static const double usual_limit_s = 60;

/* One of both streams. */
struct stream {
	int fd; /* ours; -1: at its end */
	char *text;
	size_t length, capacity, most;
	int much;
};

static double now_s(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool same_name(const char *a, const char *b)
{
	size_t n = strcspn(a, "=");

	return !strncmp(a, b, n) && b[n] == '=';
}

/* Ours, with what the caller has in its place; ends with free. */
static char **environment_of(const struct cli_child *child)
{
	size_t n = 0, more = 0, i, k;
	char **made;

	while (environ[n])
		n++;
	while (child->environment && child->environment[more])
		more++;
	made = cli_alloc((n + more + 1) * sizeof *made);
	for (i = k = 0; i < n; i++) {
		size_t j;

		for (j = 0; j < more && !same_name(child->environment[j], environ[i]);)
			j++;
		if (j == more)
			made[k++] = environ[i];
	}
	for (i = 0; i < more; i++)
		made[k++] = (char *)(uintptr_t)child->environment[i];
	return made;
}

/* In a group of its own, so that what it starts ends with it. Returns an errno. */
static int start(const struct cli_child *child, const int theirs[2], pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	char **environment = environment_of(child);
	sigset_t signals;
	int number = posix_spawn_file_actions_init(&actions), i;

	(void)posix_spawnattr_init(&attributes);
	(void)sigemptyset(&signals);
	(void)posix_spawnattr_setsigmask(&attributes, &signals);
	(void)sigaddset(&signals, SIGPIPE);
	(void)sigaddset(&signals, SIGXFSZ);
	(void)posix_spawnattr_setsigdefault(&attributes, &signals);
	(void)posix_spawnattr_setpgroup(&attributes, 0);
	(void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
							    POSIX_SPAWN_SETPGROUP);
	if (!number)
		number = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	for (i = 0; i < 2 && !number; i++)
		number = posix_spawn_file_actions_adddup2(&actions, theirs[i], i + 1);
	if (!number)
		number = posix_spawnp(pid, child->argv[0], &actions, &attributes,
				      (char *const *)(uintptr_t)child->argv, environment);
	(void)posix_spawnattr_destroy(&attributes);
	(void)posix_spawn_file_actions_destroy(&actions);
	free(environment);
	return number;
}

/* What is there now. */
static void hear(struct stream *stream)
{
	char bytes[1 << 16];
	ssize_t n = read(stream->fd, bytes, sizeof bytes);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		(void)close(stream->fd);
		stream->fd = -1;
		return;
	}
	if ((size_t)n > stream->most - stream->length) { /* the rest is heard, and forgotten */
		n = (ssize_t)(stream->most - stream->length);
		stream->much = 1;
	}
	while (stream->length + (size_t)n + 1 > stream->capacity) {
		stream->capacity = stream->capacity ? 2 * stream->capacity : sizeof bytes;
		stream->text = cli_given(realloc(stream->text, stream->capacity));
	}
	if (n > 0)
		memcpy(stream->text + stream->length, bytes, (size_t)n);
	stream->length += (size_t)n;
}

/* Until both have ended and the child has, or its time is over. late: out */
static int wait_for(pid_t pid, struct stream stream[2], double end_s, int *late)
{
	int status = -1;
	pid_t ended = 0;

	*late = 0;
	while (!ended || stream[0].fd >= 0 || stream[1].fd >= 0) {
		struct pollfd wait[2] = {{stream[0].fd, POLLIN, 0}, {stream[1].fd, POLLIN, 0}};
		bool over = now_s() >= end_s;

		if (over || *cli_interrupt_flag()) {
			(void)kill(-pid, SIGKILL);
			*late = over;
			break;
		}
		/* Without streams nothing wakes: its end is looked for. */
		(void)poll(wait, 2, stream[0].fd >= 0 || stream[1].fd >= 0 ? LOOK_MS : 2);
		if (wait[0].revents)
			hear(&stream[0]);
		if (wait[1].revents)
			hear(&stream[1]);
		if (!ended)
			ended = waitpid(pid, &status, WNOHANG);
	}
	while (!ended && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return !*late && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static char *text_of(struct stream *stream, size_t *length)
{
	if (!stream->text)
		stream->text = cli_alloc(1);
	stream->text[stream->length] = '\0';
	if (length)
		*length = stream->length;
	if (stream->fd >= 0)
		(void)close(stream->fd);
	return stream->text;
}

int cli_child_run(struct cli_child *child)
{
	struct stream stream[2] = {{.fd = -1, .most = TEXT_MOST}, {.fd = -1, .most = WORDS_MOST}};
	double end_s = now_s() + (child->limit_s > 0 ? child->limit_s : usual_limit_s);
	int ends[2], theirs[2] = {-1, -1}, number = 0, i;
	pid_t pid = -1;

	cli_child_clear(child);
	child->status = -1;
	for (i = 0; i < 2 && !number; i++) {
		number = pipe2(ends, O_CLOEXEC) ? errno : 0;
		if (number)
			break;
		stream[i].fd = ends[0];
		theirs[i] = ends[1];
	}
	if (!number)
		number = start(child, theirs, &pid);
	for (i = 0; i < 2; i++)
		if (theirs[i] >= 0)
			(void)close(theirs[i]);
	child->missing = number != 0;
	if (!number)
		child->status = wait_for(pid, stream, end_s, &child->late);
	child->much = stream[0].much;
	child->text = text_of(&stream[0], &child->length);
	child->words = text_of(&stream[1], NULL);
	if (*cli_interrupt_flag())
		return CLI_INTERRUPTED;
	return child->status || child->much ? CLI_WRONG : CLI_DONE;
}

int cli_child_fail(const struct cli_child *child, const char *hint)
{
	char *last = child->words ? child->words : NULL, *end;

	for (end = last ? last + strlen(last) : NULL; last && end > last && end[-1] == '\n';)
		*--end = '\0';
	if (last && strrchr(last, '\n'))
		last = strrchr(last, '\n') + 1;
	if (child->missing)
		(void)cli_fail("%s cannot be run here", child->argv[0]);
	else if (child->late)
		(void)cli_fail("%s did not end in time", child->argv[0]);
	else if (child->much)
		(void)cli_fail("%s prints too much at once", child->argv[0]);
	else if (last && *last)
		(void)cli_fail("%s failed: %.300s", child->argv[0], last);
	else
		(void)cli_fail("%s failed", child->argv[0]);
	if (hint)
		cli_hint("%s", hint);
	return CLI_WRONG;
}

void cli_child_clear(struct cli_child *child)
{
	free(child->text);
	free(child->words);
	child->text = child->words = NULL;
	child->length = 0;
	child->status = child->missing = child->late = child->much = 0;
}
