/* SPDX-License-Identifier: GPL-3.0-or-later */
/* connector.h - what processes begin to execute, tell by the kernel as it happens (the process connector). */
#ifndef FT_WATCH_CONNECTOR_H
#define FT_WATCH_CONNECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* ft__connector_open - a descriptor that is readable when a process executes a program, and, where it is
 * asked for, has another name (names) or user (users). -1: the kernel tells us nothing, for want of rights
 * (before Linux 6.6), or as we are in a container. */
int ft__connector_open(bool names, bool users);

/* ft__connector_hear - of whom was told since; never waits.
 *
 * pid  [most] out, one may stand there several times
 *
 * Returns how many; `most` and more: not all are told, and the rest is lost, as some may have been before.
 */
size_t ft__connector_hear(int fd, pid_t *pid, size_t most);

#endif
