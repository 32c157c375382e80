/* SPDX-License-Identifier: GPL-3.0-or-later */
/* via_exec.c - programs of engines: asked and read, or left to work. No shell reads their words. */
#include "base/command.h"
#include "cli/build/via.h"
#include "cli/common.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* posix_spawn leaves its words as they are, and takes them without const. */
static char *const *words_of(const char *const *argv)
{
	return (char *const *)(uintptr_t)argv;
}

static int spawn(const char *const *argv, int output, pid_t *child)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int failed = posix_spawn_file_actions_init(&actions);

	if (failed)
		return failed;
	failed = posix_spawnattr_init(&attributes);
	if (!failed) {
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

int cli_exec_read(const char *const *argv, char **text)
{
	const int not_found = 127;
	struct ft__command command = {.argv = argv, .apart = true};
	struct ft_err err = {0};
	enum ft_status status = ft__command_run(&command, &err);
	int how = !status ? 0 : status == FT_EUNAVAIL ? not_found : command.status;

	*text = cli_strdup(!status                           ? command.text
			   : command.words && *command.words ? command.words
							     : err.text);
	ft__command_clear(&command);
	return how;
}

pid_t cli_exec_start(const char *const *argv, const char *output)
{
	int file = open(output, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	pid_t child = -1;

	if (file < 0)
		return -1;
	if (spawn(argv, file, &child))
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
