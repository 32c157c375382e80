/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child.h - programs of others, started to be asked something. */
#ifndef FT_BASE_CHILD_H
#define FT_BASE_CHILD_H

#include <sys/types.h>

/* ft__command_start - start a program without a shell, with no signal blocked and SIGPIPE as usual.
 *
 * argv  ends with NULL; the first is looked for in PATH
 * fd    what it has as 0, 1 and 2
 *
 * Returns an errno, 0 for success.
 */
int ft__command_start(const char *const argv[], const int fd[3], pid_t *pid);

#endif
