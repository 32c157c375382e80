/* SPDX-License-Identifier: GPL-3.0-or-later */
/* own_group.c - inside the helper: a control group of memory for it and the programs that it starts. */
#include "measure/own_group.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of version 1, to move one thread takes some microseconds, and we have one; a process 20 ms (Linux 6.18). */
static const char *const members[2] = {"tasks", "cgroup.procs"};

/* What the versions call the same: of all below the group. */
static const char *const anon[2] = {"\ntotal_rss ", "\nanon "}, *const shmem[2] = {"\ntotal_shmem ",
										   "\nshmem "};

/* Where they count whom they killed for memory (Linux 4.13). */
static const char *const events[2] = {"memory.oom_control", "memory.events"};

/* This process into the group of a folder. */
static bool enter_group(int folder, const char *file)
{
	int procs = openat(folder, file, O_WRONLY | O_CLOEXEC);
	bool good = procs >= 0 && write(procs, "0", 1) == 1;

	if (procs >= 0)
		(void)close(procs);
	return good;
}

/* The last step that may fail is to enter it. */
static bool make_group(struct ft__own_group *group)
{
	bool good = false;

	if (mkdirat(group->parent, group->name, 0755) && errno != EEXIST)
		return false;
	int folder = openat(group->parent, group->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder >= 0) {
		struct ft__group_memory memory;

		group->stat = openat(folder, "memory.stat", O_RDONLY | O_CLOEXEC);
		group->second = faccessat(folder, members[0], F_OK, 0) != 0;
		group->events = openat(folder, events[group->second], O_RDONLY | O_CLOEXEC);
		group->there = group->stat >= 0;
		good = ft__own_group_read(group, &memory) && enter_group(folder, members[group->second]);
		(void)close(folder);
	}
	if (!good)
		(void)unlinkat(group->parent, group->name, AT_REMOVEDIR);
	return good;
}

static void forget_group(struct ft__own_group *group)
{
	if (group->stat >= 0)
		(void)close(group->stat);
	if (group->events >= 0)
		(void)close(group->events);
	(void)close(group->parent);
	*group = (struct ft__own_group){0};
}

void ft__own_group_open(struct ft__own_group *group, const char *folder)
{
	*group = (struct ft__own_group){.stat = -1, .events = -1};
	(void)snprintf(group->name, sizeof group->name, "foretime-%d-runs", (int)getpid());
	group->parent = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	if (group->parent < 0)
		*group = (struct ft__own_group){0};
	else if (!make_group(group))
		forget_group(group);
}

/* What a program left running stays there, and so does the group: the next helper's start removes it, once it
 * is empty (ft__cgroups_own). */
void ft__own_group_close(struct ft__own_group *group)
{
	if (!group->there)
		return;
	if (enter_group(group->parent, members[group->second]))
		(void)unlinkat(group->parent, group->name, AT_REMOVEDIR);
	forget_group(group);
}

static bool find_number(const char *text, const char *key, uint64_t *number)
{
	const char *found = strstr(text, key);

	if (found)
		*number = strtoull(found + strlen(key), NULL, 10);
	return found;
}

/* A file of it, as lines that each begin behind a newline. */
static bool read_lines(int file, char *text, size_t size)
{
	ssize_t length = pread(file, text + 1, size - 2, 0);

	if (length <= 0)
		return false;
	text[0] = '\n';
	text[1 + length] = '\0';
	return true;
}

uint64_t ft__own_group_kills(const struct ft__own_group *group)
{
	char text[512];
	uint64_t kills = 0;

	if (group->there && group->events >= 0 && read_lines(group->events, text, sizeof text))
		(void)find_number(text, "\noom_kill ", &kills);
	return kills;
}

bool ft__own_group_read(const struct ft__own_group *group, struct ft__group_memory *memory)
{
	char text[8192];

	return group->there && read_lines(group->stat, text, sizeof text) &&
	       find_number(text, anon[group->second], &memory->anon_bytes) &&
	       find_number(text, shmem[group->second], &memory->shmem_bytes);
}
