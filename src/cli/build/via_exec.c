/* SPDX-License-Identifier: GPL-3.0-or-later */
/* via_exec.c - programs of engines: asked and read, or left to work. No shell reads their words. */
#include "cli/build/via.h"
#include "cli/common.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* posix_spawn leaves its words as they are, and takes them without const. */
static char *const *words_of(const char *const *argv)
{
	return (char *const *)(uintptr_t)argv;
}

/* All that comes out of a pipe, as a text. */
static char *drain(int from)
{
	size_t n = 0, capacity = 0;
	char *text = NULL, bytes[4096];
	ssize_t got;

	while ((got = read(from, bytes, sizeof bytes)) > 0 || (got < 0 && errno == EINTR)) {
		ssize_t i;

		for (i = 0; i < got; i++) {
			text = cli_grow(text, n, &capacity, 1);
			text[n++] = bytes[i];
		}
	}
	text = cli_grow(text, n, &capacity, 1);
	text[n] = '\0';
	return text;
}

static int spawn(const char *const *argv, int output, bool apart, pid_t *child)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int failed = posix_spawn_file_actions_init(&actions);

	if (failed)
		return failed;
	failed = posix_spawnattr_init(&attributes);
	if (!failed) {
		if (apart)
			failed = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
		if (!failed)
			failed = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
								  O_RDONLY, 0);
		if (!failed)
			failed = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
		if (!failed)
			failed = posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
		if (!failed)
			failed = posix_spawnp(child, argv[0], &actions, &attributes, words_of(argv), environ);
		(void)posix_spawnattr_destroy(&attributes);
	}
	(void)posix_spawn_file_actions_destroy(&actions);
	return failed;
}

static int status_of(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int cli_exec_read(const char *const *argv, char **text)
{
	const int not_found = 127;
	pid_t child = 0;
	int ends[2], failed;

	*text = NULL;
	if (pipe2(ends, O_CLOEXEC))
		failed = errno;
	else {
		failed = spawn(argv, ends[1], false, &child);
		(void)close(ends[1]);
		if (!failed)
			*text = drain(ends[0]);
		(void)close(ends[0]);
	}
	if (!failed)
		return status_of(child);
	*text = cli_strdup(strerror(failed));
	return failed == ENOENT ? not_found : -1;
}

pid_t cli_exec_start(const char *const *argv, const char *output)
{
	int file = open(output, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	pid_t child = -1;

	if (file < 0)
		return -1;
	if (spawn(argv, file, true, &child))
		child = -1;
	(void)close(file);
	return child;
}

bool cli_exec_found(const char *name)
{
	const char *path = getenv("PATH"), *at = path ? path : "/usr/bin:/bin";
	bool found = false;

	while (!found) {
		size_t length = strcspn(at, ":");
		char *each = cli_printed("%.*s%s%s", (int)length, at, length ? "/" : "", name);

		found = access(each, X_OK) == 0;
		free(each);
		if (!at[length])
			break;
		at += length + 1;
	}
	return found;
}
