/* SPDX-License-Identifier: GPL-3.0-or-later */
/* processes.h - what /proc tells of others' processes. */
#ifndef FT_WATCH_PROCESSES_H
#define FT_WATCH_PROCESSES_H

#include "watch/source.h"

#include <sys/types.h>

/* What the kernel has of a process. */
struct ft__stat {
	char state;
	pid_t parent;
	bool kernel; /* a thread of the kernel's */
};

/* ft__stat_parse - "17 (a) b) S 1 ...", as /proc/PID/stat has it. False: it is no such text. */
bool ft__stat_parse(const char *text, struct ft__stat *out);

/* ft__stat_read - proc: an open /proc. False, with errno set: ENOENT or ESRCH where it is gone. */
bool ft__stat_read(int proc, pid_t pid, struct ft__stat *out);

/* ft__name_read - its name, and its length; 0, with errno set as above, where there is none. */
size_t ft__name_read(int proc, pid_t pid, char name[17]);

/* ft__name_show - a name that others chose, as text of one line; what does not fit is left out. */
void ft__name_show(const char *name, char *shown, size_t size);

/* ft__is_ours - whether a process is ours, or descends from one that is. */
bool ft__is_ours(int proc, const struct ft__ours *ours, pid_t pid);

#endif
