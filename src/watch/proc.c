/* SPDX-License-Identifier: GPL-3.0-or-later */
/* proc.c - what /proc tells of one process. */
#include "foretime/units.h"
#include "watch/processes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	KERNEL_THREAD = 0x00200000, /* PF_KTHREAD of the kernel's sched.h */
	ANCESTORS_MOST = 4096,      /* of one that has more nothing is known */
	CLIMBS_MOST = 4,
	STAT_BYTES = 512,
};

/* The beginning of a file of a process; its length. */
static size_t read_of(int proc, pid_t pid, const char *name, char *text, size_t size)
{
	char path[64];

	(void)snprintf(path, sizeof path, "%d/%s", (int)pid, name);
	text[0] = '\0';
	int fd = openat(proc, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return 0;
	ssize_t length = read(fd, text, size - 1);
	int number = length ? errno : ESRCH;
	(void)close(fd);
	errno = number;
	text[length > 0 ? length : 0] = '\0';
	return length > 0 ? (size_t)length : 0;
}

/* Fields 3 (state), 4 (parent) and 9 (flags); the second may hold any bytes (proc(5)). */
bool ft__stat_parse(const char *text, struct ft__stat *out)
{
	const char *at = strrchr(text, ')');
	int parent;
	unsigned flags;

	if (!at || sscanf(at, ") %c %d %*d %*d %*d %*d %u", &out->state, &parent, &flags) != 3)
		return false;
	out->parent = parent;
	out->kernel = flags & KERNEL_THREAD;
	return true;
}

bool ft__stat_read(int proc, pid_t pid, struct ft__stat *out)
{
	char text[STAT_BYTES];

	if (!read_of(proc, pid, "stat", text, sizeof text))
		return false;
	errno = EIO;
	return ft__stat_parse(text, out);
}

size_t ft__name_read(int proc, pid_t pid, char name[17])
{
	size_t length = read_of(proc, pid, "comm", name, 17);

	if (length && name[length - 1] == '\n')
		name[--length] = '\0'; /* the file's, not the name's */
	return length;
}

void ft__name_show(const char *name, char *shown, size_t size)
{
	size_t left = strlen(name), length = 0;

	shown[0] = '\0';
	while (left && length + FT_CHARACTER_LENGTH <= size) {
		size_t taken = ft_character_show(name, left, shown + length);

		if (!taken || *name == '\n' || *name == '\t') { /* also one that the kernel has cut */
			(void)snprintf(shown + length, FT_CHARACTER_LENGTH, "\\x%02x",
				       (unsigned)(unsigned char)*name);
			taken = 1;
		}
		length += strlen(shown + length);
		name += taken;
		left -= taken;
	}
}

/* Up to one that is ours, or to the first of all. False: somebody on the way has ended. */
static bool climb(int proc, const struct ft__ours *ours, pid_t pid, bool *found)
{
	struct ft__stat stat;

	*found = false;
	for (int i = 0; i < ANCESTORS_MOST && pid > 1; i++) {
		*found = pid == ours->self;
		if (*found)
			return true;
		if (!ft__stat_read(proc, pid, &stat))
			return false;
		pid = stat.parent;
	}
	return true;
}

bool ft__is_ours(int proc, const struct ft__ours *ours, pid_t pid)
{
	bool found = false;

	/* Whose parent has ended has another one. */
	for (int i = 0; i < CLIMBS_MOST; i++)
		if (climb(proc, ours, pid, &found))
			break;
	return found;
}
