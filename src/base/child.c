/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child.c - starts programs of others. */
#include "base/child.h"

#include <signal.h>
#include <spawn.h>
#include <unistd.h>

int ft__command_start(const char *const argv[], const int fd[3], pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t signals;
	int number = posix_spawn_file_actions_init(&actions);

	if (number)
		return number;
	number = posix_spawnattr_init(&attributes);
	if (number) {
		(void)posix_spawn_file_actions_destroy(&actions);
		return number;
	}
	for (int i = 0; i < 3 && !number; i++)
		number = posix_spawn_file_actions_adddup2(&actions, fd[i], i);
	(void)sigemptyset(&signals);
	(void)posix_spawnattr_setsigmask(&attributes, &signals);
	(void)sigaddset(&signals, SIGPIPE);
	(void)posix_spawnattr_setsigdefault(&attributes, &signals);
	(void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	if (!number) /* it writes to none of the words: POSIX has no const there for old compilers' sake */
		number = posix_spawnp(pid, argv[0], &actions, &attributes, (char *const *)(const void *)argv,
				      environ);
	(void)posix_spawnattr_destroy(&attributes);
	(void)posix_spawn_file_actions_destroy(&actions);
	return number;
}
