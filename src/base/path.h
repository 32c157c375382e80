/* SPDX-License-Identifier: GPL-3.0-or-later */
/* path.h - where a program's file lies, as execvp finds it. */
#ifndef FT_BASE_PATH_H
#define FT_BASE_PATH_H

#include <limits.h>

/* ft_path_check - 0 when execve would take a file, else the errno that it would give. */
int ft_path_check(const char *file);

/* ft_path_find - the file of a name: itself where it has a slash, else the first of the folders of PATH that
 * has one which can be executed; an empty folder is the one of this process (POSIX, XBD 8.3).
 *
 * Returns 0; EACCES: found cannot be executed, and no other is there; ENOENT, or what ft_path_check returns
 * of a name with a slash: found is "".
 */
int ft_path_find(const char *name, char found[PATH_MAX]);

#endif
