/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgroup.h - control groups as folders: where ours are, and their files. Of version 2, and of 1 where a
 * system has its controllers there still. */
#ifndef FT_MANAGER_CGROUP_H
#define FT_MANAGER_CGROUP_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* ft__cgroup_find - the folder of the group that a process is in.
 *
 * pid         0: ours
 * controller  of version 1: "freezer"; NULL: version 2
 * top         out, may be NULL: whether there is no group around it that we could see
 *
 * Returns false where there is no such hierarchy, or its folder is not to be seen. */
bool ft__cgroup_find(pid_t pid, const char *controller, char folder[PATH_MAX], bool *top);

/* ft__cgroup_write - a text into a file of a group; errno tells why not. */
bool ft__cgroup_write(const char *folder, const char *file, const char *text);

/* ft__cgroup_read - false: it is not there, or empty. */
bool ft__cgroup_read(const char *folder, const char *file, char *text, size_t size);

/* ft__cgroup_number - behind a key ("usage_usec"), or of the whole file where key is NULL; -1: not there. */
double ft__cgroup_number(const char *folder, const char *file, const char *key);

#endif
